/* Chains at rest: how still they are, how they fall asleep, awake, skip_asleep, reset, and steps of no time. */
#include "support/chains.h"

#include "support/orientations.h"

#include <math.h>
#include <string.h>

/* With small effort only the first. */
static const float frame_times[] = {1.0f / 60, 1.0f / 20, 1.0f / 240, 1.0f / 1000};

static void step(const gyre_kernels *table, const gyre_bone_chains *c, float dt_s)
{
    check_status(table->bone_chains_step(c, 0, c->count, dt_s), GYRE_OK);
}

/* Without rest limits: after some seconds a bone keeps its bits, or wobbles by a few ulps. No number is subnormal. */
static void test_wobble(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        for (size_t k = 0; k < effort(LENGTH(frame_times)); k++) {
            static chain_batch b, before;
            random_source random = {5};
            random_chains(&b, &random);
            const gyre_bone_chains c = chains_of(&b, CHAIN_MIXED | CHAIN_GRAVITY | CHAIN_WIND);
            for (float time = 0; time < 30; time += frame_times[k]) {
                step(table, &c, frame_times[k]);
            }
            before = b;
            step(table, &c, frame_times[k]);
            size_t kept = 0, bones = b.level_begin[CHAIN_LEVELS];
            for (size_t i = 0; i < bones; i++) {
                bool same = true;
                CASE("%g s, bone %zu", frame_times[k], i);
                for (size_t j = 0; j < 4; j++) {
                    check_within(b.orientation[j][i], before.orientation[j][i], 4e-7f);
                    check_flushed(b.orientation[j][i]);
                    same = same && b.orientation[j][i] == before.orientation[j][i];
                }
                check(vector_length(chain_vector_at(b.velocity, i)), <=, 1e-4);
                for (size_t j = 0; j < 3; j++) {
                    check_flushed(b.velocity[j][i]);
                    same = same && b.velocity[j][i] == before.velocity[j][i];
                }
                kept += same;
            }
            CASE("%g s", frame_times[k]);
            check(kept, >=, bones * 6 / 10);
        }
    }
}

/* Without gravity, wind and motion a chain in its rest pose keeps every bit at every rate. */
static void test_rest_pose_keeps_bits(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        for (size_t k = 0; k < effort(LENGTH(frame_times)); k++) {
            static chain_batch b, before;
            random_source random = {6};
            random_chains(&b, &random);
            const gyre_bone_chains c = chains_of(&b, CHAIN_MIXED | CHAIN_OUTPUTS);
            check_status(table->bone_chains_reset(&c, 0, CHAINS, 0), GYRE_OK);
            before = b;
            for (int frame = 0; frame < 50; frame++) {
                step(table, &c, frame_times[k]);
            }
            CASE("%g s", frame_times[k]);
            check_bytes(b.orientation, before.orientation, sizeof b.orientation);
            for (size_t i = 0; i < b.level_begin[CHAIN_LEVELS]; i++) {
                check(vector_length(chain_vector_at(b.velocity, i)), ==, 0);
            }
        }
    }
}

/* Steps until all chains sleep; returns how many do. */
static size_t sleepers(const gyre_kernels *table, const gyre_bone_chains *c, float dt_s)
{
    for (float time = 0; time < 20; time += dt_s) {
        step(table, c, dt_s);
    }
    size_t asleep = 0;
    for (size_t i = 0; i < c->count; i++) {
        asleep += c->awake[i] == 0;
    }
    return asleep;
}

/* Chains fall asleep at every rate, and then keep every bit without being skipped. Their free bones are where they
   rest. Bones between colliders, limits and hinges that contradict each other may go on: one chain in ten at most. */
static void test_falls_asleep(void **state)
{
    (void)state;
    static const struct {
        unsigned features;
        int collider; /* one, all, or none */
        size_t asleep;
    } sets[] = {
        {CHAIN_MIXED | CHAIN_GRAVITY | CHAIN_WIND, -1, CHAINS},
        {CHAIN_GRAVITY | CHAIN_COLLIDES, GYRE_COLLIDER_SPHERE, CHAINS},
        {CHAIN_GRAVITY | CHAIN_COLLIDES, GYRE_COLLIDER_CAPSULE, CHAINS - 2},
        {CHAIN_GRAVITY | CHAIN_COLLIDES, GYRE_COLLIDER_PLANE, CHAINS - 2},
        {CHAIN_GRAVITY | CHAIN_COLLIDES, GYRE_COLLIDER_INSIDE_SPHERE, CHAINS},
        {CHAIN_GRAVITY | CHAIN_COLLIDES, GYRE_COLLIDER_INSIDE_CAPSULE, CHAINS},
        {CHAIN_MIXED | CHAIN_GRAVITY | CHAIN_COLLIDES | CHAIN_LIMITED, CHAIN_COLLIDERS, CHAINS * 9 / 10},
    };
    EACH_BEST_TABLE(table) {
        for (size_t i = 0; i < LENGTH(sets); i++) {
            for (size_t k = 0; k < effort(LENGTH(frame_times)); k++) {
                static chain_batch b, before;
                random_source random = {7};
                random_chains(&b, &random);
                const unsigned features = sets[i].features | CHAIN_OUTPUTS | CHAIN_SLEEPS;
                gyre_bone_chains c = chains_of(&b, features);
                if (0 <= sets[i].collider && sets[i].collider < CHAIN_COLLIDERS) {
                    c.colliders = &b.colliders[sets[i].collider];
                    c.collider_count = 1;
                }
                CASE("set %zu, %g s", i, frame_times[k]);
                check(sleepers(table, &c, frame_times[k]), >=, sets[i].asleep);
                before = b;
                step(table, &c, frame_times[k]);
                for (size_t chain = 0; chain < CHAINS; chain++) {
                    if (before.awake[chain] == 0) {
                        reference_chain r = reference_of(&before, features, chain);
                        reference_chain_reset(&r, 0);
                        check(b.awake[chain], ==, 0);
                        for (size_t l = 0; l < r.bones; l++) {
                            const size_t at = bone_at(&b, l, chain);
                            CASE("chain %zu, level %zu", chain, l);
                            for (size_t j = 0; j < 4; j++) {
                                check_bits(b.orientation[j][at], before.orientation[j][at]);
                            }
                            check(vector_length(chain_vector_at(b.velocity, at)), ==, 0);
                            if (i == 0) {
                                check(quaternion_angle(chain_quaternion(b.orientation, at), r.orientation[l]), <=,
                                      4e-6);
                            }
                        }
                    }
                }
            }
        }
    }
}

/* A chain that falls asleep changes its bits, and is awake; in the next step it is not. It sleeps only where its root
   stood, all bones are slow and near, and both limits are there. */
static void test_awake(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        single_chain s = single_of(3);
        s.gravity[0] = 3;
        gyre_bone_chains c = chains_of_single(&s);
        reset_single(table, &s);
        check(s.awake, ==, 1);
        step(table, &c, 0.01f);
        check(s.awake, ==, 1); /* no limits */
        c.rest_angle = 0.01f;
        s.awake = 0;
        step(table, &c, 0.01f);
        check(s.awake, ==, 1);
        c.rest_speed = 0.01f;
        c.rest_angle = 0;
        step(table, &c, 0.01f);
        check(s.awake, ==, 1);

        c.rest_angle = 0.01f;
        s.velocity[0][2] = 0.001f;
        step(table, &c, 0.01f);
        check(s.awake, ==, 1); /* it fell asleep */
        check(vector_length(single_velocity(&s, 2)), ==, 0);
        step(table, &c, 0.01f);
        check(s.awake, ==, 0);

        single_chain moved = s; /* the root moves, if only by an ulp of its turn */
        gyre_bone_chains m = chains_of_single(&moved);
        m.rest_angle = m.rest_speed = 0.01f;
        moved.parent[0] = 0x1p-20f;
        step(table, &m, 0.01f);
        check(moved.awake, ==, 1);
        moved = s;
        moved.position[1] = 1e-6f;
        step(table, &m, 0.01f);
        check(moved.awake, ==, 1);

        moved = s; /* a bone is fast, or far, or NaN */
        moved.velocity[1][1] = moved.velocity[0][1] = 0.05f;
        step(table, &m, 0.01f);
        check(moved.awake, ==, 1);
        check(vector_length(single_velocity(&moved, 1)), >, 0);
        moved = s;
        point_single(&moved, 2, 0.1, -1, 0.1);
        step(table, &m, 0.01f);
        check(moved.awake, ==, 1);
        check(vector_length(single_velocity(&moved, 2)), >, 0);
        moved = s;
        moved.velocity[0][2] = NAN;
        step(table, &m, 0.01f);
        check(moved.awake, ==, 1);
    }
}

/* Whether a chain sleeps depends on itself alone: stepped one by one, chains have the bits that they have among others,
   of which a third move. Limits near the rounding of a bone at rest are those where two ways to decide would differ. */
static void test_sleeps_among_others(void **state)
{
    (void)state;
    static const float angles[] = {2e-7f, 1e-7f, 3e-7f, 1e-6f, 0.01f};
    EACH_BEST_TABLE(table) {
        for (size_t k = 0; k < LENGTH(angles); k++) {
            static chain_batch together, alone;
            random_source random = {11};
            random_chains(&together, &random);
            alone = together;
            const unsigned features = CHAIN_MIXED | CHAIN_MOVES | CHAIN_GRAVITY | CHAIN_COLLIDES | CHAIN_LIMITED |
                                      CHAIN_OUTPUTS | CHAIN_SLEEPS;
            gyre_bone_chains a = chains_of(&together, features), b = chains_of(&alone, features);
            a.rest_angle = b.rest_angle = angles[k];
            for (size_t frame = 0; frame < 10 + effort(290); frame++) {
                for (size_t c = 0; c < CHAINS; c++) {
                    together.position_before[0][c] = together.position[0][c];
                    together.position[0][c] += c % 3 == 0 ? 0x1p-10f : 0;
                }
                memcpy(alone.position, together.position, sizeof alone.position);
                memcpy(alone.position_before, together.position_before, sizeof alone.position_before);
                step(table, &a, 1.0f / 60);
                for (size_t c = 0; c < CHAINS; c++) {
                    check_status(table->bone_chains_step(&b, c, c + 1, 1.0f / 60), GYRE_OK);
                }
                CASE("%g rad, frame %zu", angles[k], frame);
                check_bytes(alone.orientation, together.orientation, sizeof alone.orientation);
                check_bytes(alone.velocity, together.velocity, sizeof alone.velocity);
                check_bytes(alone.awake, together.awake, sizeof alone.awake);
                check_bytes(alone.local, together.local, sizeof alone.local);
                check_bytes(alone.tail, together.tail, sizeof alone.tail);
            }
        }
    }
}

/* Without being skipped, a sleeping chain moves as soon as a force or a collider does. */
static void test_wakes_by_itself(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        single_chain s = single_of(3);
        const float radius = 0.05f;
        float at[3] = {1, 0, 0};
        const gyre_chain_collider sphere = {
            .kind = GYRE_COLLIDER_SPHERE, .position = {&at[0], &at[1], &at[2]}, .radius = &radius};
        gyre_bone_chains c = chains_of_single(&s);
        c.rest_angle = c.rest_speed = 0.002f;
        c.colliders = &sphere;
        c.collider_count = 1;
        reset_single(table, &s);
        step(table, &c, 0.01f);
        check(s.awake, ==, 0);
        single_chain asleep = s;
        s.gravity[0] = 40;
        step(table, &c, 0.01f);
        check(s.awake, ==, 1);
        check(single_velocity(&s, 0).at[0], >, 0);
        s = asleep;
        at[0] = 0.03f;
        at[1] = -0.3f;
        step(table, &c, 0.01f);
        check(s.awake, ==, 1);
        check(single_direction(&s, 2).at[0], <, -0.01);
    }
}

/* A bone pressed on a sphere sleeps where it is, and wakes when the caller wakes it. */
static void test_sleeps_on_collider(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        for (size_t k = 0; k < effort(LENGTH(frame_times)); k++) {
            single_chain s = single_of(3);
            const float at[3] = {0.08f, -0.16f, 0.02f}, radius = 0.05f;
            const gyre_chain_collider sphere = {
                .kind = GYRE_COLLIDER_SPHERE, .position = {&at[0], &at[1], &at[2]}, .radius = &radius};
            gyre_bone_chains c = chains_of_single(&s);
            s.gravity[0] = 40;
            c.colliders = &sphere;
            c.collider_count = 1;
            c.rest_angle = c.rest_speed = 0.002f;
            CASE("%g s", frame_times[k]);
            check(sleepers(table, &c, frame_times[k]), ==, 1u);
            const vector e = single_direction(&s, 1), down = {{0, -1, 0}};
            check(vector_length(vector_difference(e, down)), >, 0.01);
            const single_chain before = s;
            step(table, &c, frame_times[k]);
            check_bytes(s.orientation, before.orientation, sizeof s.orientation);
            s.gravity[0] = -40; /* away from it */
            s.awake = 1;
            c.skip_asleep = true;
            for (float time = 0; time < 0.3f; time += frame_times[k]) {
                step(table, &c, frame_times[k]);
            }
            check(s.awake, ==, 1);
            check(single_direction(&s, 1).at[0], <, e.at[0]);
        }
    }
}

/* Chains that sleep and are skipped keep every bit, and so do their outputs; all others are as without. */
static void test_skip_asleep(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {8};
        static chain_batch b, all, before;
        random_chains(&b, &random);
        for (size_t c = 0; c < CHAINS; c++) {
            b.awake[c] = random_one_in(&random, 3) ? 0 : (uint8_t)(1 + random_below(&random, 255));
        }
        const unsigned features = CHAIN_MIXED | CHAIN_GRAVITY | CHAIN_COLLIDES | CHAIN_OUTPUTS;
        for (unsigned sleeps = 0; sleeps < 2; sleeps++) {
            const unsigned these = features | (sleeps ? CHAIN_SLEEPS : 0);
            before = all = b;
            const gyre_bone_chains skipping = chains_of(&b, these | CHAIN_SKIPS), every = chains_of(&all, these);
            step(table, &skipping, 0.02f);
            step(table, &every, 0.02f);
            for (size_t c = 0; c < CHAINS; c++) {
                chain_batch *wanted = before.awake[c] ? &all : &before;
                check(b.awake[c], ==, before.awake[c] != 0);
                for (size_t l = 0; l < bones_of(&b, c); l++) {
                    const size_t i = bone_at(&b, l, c);
                    CASE("chain %zu, level %zu", c, l);
                    for (size_t k = 0; k < 4; k++) {
                        check_bits(b.orientation[k][i], wanted->orientation[k][i]);
                        check_bits(b.velocity[k % 3][i], wanted->velocity[k % 3][i]);
                        check_bits(b.tail[k % 3][i], wanted->tail[k % 3][i]);
                        check_bits(b.local[k][i], wanted->local[k][i]);
                    }
                }
            }
        }
    }
}

/* No time: outputs are written, and nothing else, whatever the lengths of quaternions and the speeds. */
static void test_no_time(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {9};
        static chain_batch b, before;
        random_chains(&b, &random);
        for (size_t i = 0; i < CHAIN_BONES; i++) {
            const float size = random_one_in(&random, 2) ? 3 : -0.25f;
            for (size_t k = 0; k < 4; k++) {
                b.orientation[k][i] *= size;
                b.velocity[k % 3][i] = random_signed(&random, -3, 3);
            }
        }
        memset(b.awake, 7, sizeof b.awake);
        const gyre_bone_chains c = chains_of(&b, CHAIN_MIXED | CHAIN_MOVES | CHAIN_OUTPUTS | CHAIN_SLEEPS);
        before = b;
        step(table, &c, 0);
        check_bytes(b.orientation, before.orientation, sizeof b.orientation);
        check_bytes(b.velocity, before.velocity, sizeof b.velocity);
        check_bytes(b.awake, before.awake, sizeof b.awake);
        for (size_t chain = 0; chain < CHAINS; chain++) {
            reference_chain r = reference_of(&before, CHAIN_MIXED, chain);
            vector tail = r.position;
            for (size_t l = 0; l < r.bones; l++) {
                const size_t i = bone_at(&b, l, chain);
                const quaternion parent = l == 0 ? r.parent : r.orientation[l - 1], got = chain_quaternion(b.local, i);
                tail = vector_sum(tail, vector_scaled(reference_bone_direction(&r, l), vector_length(r.bone[l].tail)));
                CASE("chain %zu, level %zu", chain, l);
                check(vector_length(vector_difference(chain_vector_at(b.tail, i), tail)), <=, 1e-6);
                check(quaternion_angle(got, quaternion_product(quaternion_conjugate(parent), r.orientation[l])), <=,
                      1e-6);
                check(quaternion_dot(got, r.bone[l].rest), >=, 0);
            }
        }
    }
}

/* A moving root: bones trail as in a steady motion, and have its velocity; the step that follows keeps them there. */
static void test_reset(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {10};
        static chain_batch b;
        static reference_chain r;
        random_chains(&b, &random);
        move_roots(&b, 0);
        move_roots(&b, 0.02);
        const unsigned features = CHAIN_MIXED | CHAIN_MOVES | CHAIN_TURNS | CHAIN_GRAVITY | CHAIN_WIND | CHAIN_LIMITED |
                                  CHAIN_COLLIDES | CHAIN_OUTPUTS | CHAIN_SLEEPS | CHAIN_SKIPS;
        for (size_t i = 0; i < CHAIN_BONES; i++) { /* the state is not read */
            b.orientation[i % 4][i] = b.velocity[i % 3][i] = NAN;
        }
        memset(b.awake, 0, sizeof b.awake);
        const gyre_bone_chains c = chains_of(&b, features);
        check_status(table->bone_chains_reset(&c, 0, CHAINS, 0.02f), GYRE_OK);
        for (size_t chain = 0; chain < CHAINS; chain++) {
            r = reference_of(&b, features, chain);
            reference_chain_reset(&r, (double)0.02f);
            check(b.awake[chain], ==, 1);
            for (size_t l = 0; l < r.bones; l++) {
                const size_t i = bone_at(&b, l, chain);
                CASE("chain %zu, level %zu", chain, l);
                check(quaternion_angle(chain_quaternion(b.orientation, i), r.orientation[l]), <=, 1e-4);
                check(vector_length(vector_difference(chain_vector_at(b.velocity, i), r.velocity[l])), <=, 1e-5);
                check(vector_length(vector_difference(chain_vector_at(b.tail, i), r.tail[l])), <=, 1e-4);
            }
        }

        single_chain s = single_of(4);
        const gyre_bone_chains one = chains_of_single(&s);
        s.position_before[0] = -0.05f;
        s.gravity[2] = 2;
        check_status(table->bone_chains_reset(&one, 0, 1, 0.025f), GYRE_OK);
        const single_chain start = s;
        s.position_before[0] = 0;
        s.position[0] = 0.05f;
        step(table, &one, 0.025f);
        for (size_t l = 0; l < 4; l++) {
            check(vector_length(vector_difference(single_direction(&s, l), single_direction(&start, l))), <=, 1e-6);
            check_within(s.velocity[0][l], 2, 1e-5);
        }
        s.position_before[0] = NAN; /* of no time: not read */
        check_status(table->bone_chains_reset(&one, 0, 1, 0), GYRE_OK);
        check(s.velocity[0][3], ==, 0);
        check_finite(s.orientation[0][3]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_wobble),
                                       TEST(test_rest_pose_keeps_bits),
                                       TEST(test_falls_asleep),
                                       TEST(test_awake),
                                       TEST(test_sleeps_among_others),
                                       TEST(test_wakes_by_itself),
                                       TEST(test_sleeps_on_collider),
                                       TEST(test_skip_asleep),
                                       TEST(test_no_time),
                                       TEST(test_reset)};
    return cmocka_run_group_tests_name("chain_rest", tests, NULL, NULL);
}
