/* Limits, hinges and colliders of chains: nothing is passed, and nothing gets faster. */
#include "support/chains.h"

#include "support/orientations.h"

#include <math.h>
#include <string.h>

static vector head_of(chain_batch *b, size_t l, size_t c)
{
    if (l > 0) {
        return chain_vector_at(b->tail, bone_at(b, l - 1, c));
    }
    return (vector){{(double)b->position[0][c], (double)b->position[1][c], (double)b->position[2][c]}};
}

static const gyre_bone *entry_of(chain_batch *b, size_t i) { return &b->bones[b->bone[i]]; }

static vector axis_of(const gyre_bone *bone)
{
    const vector tail = {{(double)bone->tail[0], (double)bone->tail[1], (double)bone->tail[2]}};
    return vector_scaled(tail, 1 / vector_length(tail));
}

static double length_of(const gyre_bone *bone)
{
    const vector tail = {{(double)bone->tail[0], (double)bone->tail[1], (double)bone->tail[2]}};
    return vector_length(tail);
}

/* How deep the tail at i is in collider k; of a capsule about the point that is nearest now. */
static double depth_in(chain_batch *b, size_t k, size_t c, size_t i, double *away)
{
    const vector tail = chain_vector_at(b->tail, i);
    vector centre, end;
    for (size_t a = 0; a < 3; a++) {
        centre.at[a] = (double)b->collider[k].position[a][c];
        end.at[a] = (double)b->collider[k].end[a][c];
    }
    const double radius = (double)b->collider[k].radius[c], hit = (double)entry_of(b, i)->radius;
    const gyre_collider_kind kind = b->colliders[k].kind;
    *away = 1;
    if (kind == GYRE_COLLIDER_PLANE) {
        return hit - vector_dot(end, vector_difference(tail, centre));
    }
    if (kind == GYRE_COLLIDER_CAPSULE || kind == GYRE_COLLIDER_INSIDE_CAPSULE) {
        const vector axis = vector_difference(end, centre);
        const double part = vector_dot(vector_difference(tail, centre), axis) / vector_dot(axis, axis);
        centre = vector_sum(centre, vector_scaled(axis, fmin(1, fmax(0, part))));
    }
    const double distance = vector_length(vector_difference(tail, centre));
    *away = distance;
    return kind >= GYRE_COLLIDER_INSIDE_SPHERE ? distance - fmax(0, radius - hit) : radius + hit - distance;
}

/* Whether the tail of a bone can reach the surface at all: its head may be too far inside or outside. */
static bool can_reach(chain_batch *b, size_t k, size_t l, size_t c)
{
    const size_t i = bone_at(b, l, c);
    const double length = length_of(entry_of(b, i)), hit = (double)entry_of(b, i)->radius;
    const vector head = head_of(b, l, c);
    const gyre_collider_kind kind = b->colliders[k].kind;
    vector centre, end;
    for (size_t a = 0; a < 3; a++) {
        centre.at[a] = (double)b->collider[k].position[a][c];
        end.at[a] = (double)b->collider[k].end[a][c];
    }
    const vector away = vector_difference(head, centre);
    if (kind == GYRE_COLLIDER_PLANE) {
        return vector_dot(end, away) + 0.99 * length > hit;
    }
    const double radius = (double)b->collider[k].radius[c];
    return kind == GYRE_COLLIDER_SPHERE ? vector_length(away) + 0.99 * length > radius + hit
                                        : vector_length(away) - 0.99 * length < radius - hit && radius > hit;
}

/* With one collider, none but a capsule is entered at all; a capsule is left by and by. */
static void test_nothing_penetrates(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {1};
        size_t touched[CHAIN_COLLIDERS] = {0};
        for (size_t round = 0; round < effort(10); round++) {
            for (size_t k = 0; k < CHAIN_COLLIDERS; k++) {
                static chain_batch b;
                random_chains(&b, &random);
                const unsigned features =
                    CHAIN_MIXED | CHAIN_MOVES | CHAIN_TURNS | CHAIN_GRAVITY | CHAIN_COLLIDES | CHAIN_OUTPUTS;
                gyre_bone_chains chains = chains_of(&b, features);
                chains.colliders = &b.colliders[k];
                chains.collider_count = 1;
                check_status(table->bone_chains_reset(&chains, 0, CHAINS, 0), GYRE_OK);
                for (size_t frame = 0; frame < 20; frame++) {
                    move_roots(&b, (double)frame / 60);
                    check_status(table->bone_chains_step(&chains, 0, CHAINS, 1.0f / 60), GYRE_OK);
                    for (size_t c = 0; c < CHAINS; c++) {
                        for (size_t l = 0; l < bones_of(&b, c) && b.collider[k].radius[c] >= 0; l++) {
                            const size_t i = bone_at(&b, l, c);
                            double away;
                            const double depth = depth_in(&b, k, c, i, &away);
                            const bool is_capsule = k == GYRE_COLLIDER_CAPSULE || k == GYRE_COLLIDER_INSIDE_CAPSULE;
                            touched[k] += fabs(depth) < 1e-6;
                            CASE("kind %zu, frame %zu, chain %zu, level %zu", k, frame, c, l);
                            if (!is_capsule && can_reach(&b, k, l, c)) {
                                check(depth, <=, 2e-6);
                            }
                        }
                    }
                }
            }
        }
        for (size_t k = 0; k < CHAIN_COLLIDERS; k++) {
            CASE("kind %zu", k);
            check(touched[k], >, (k == GYRE_COLLIDER_CAPSULE || k == GYRE_COLLIDER_INSIDE_CAPSULE ? 0u : 20u));
        }
    }
}

/* Limits and hinges hold after each step. */
static void test_limits_and_hinges(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {2};
        static chain_batch b;
        random_chains(&b, &random);
        const unsigned features = CHAIN_MIXED | CHAIN_MOVES | CHAIN_TURNS | CHAIN_GRAVITY | CHAIN_WIND | CHAIN_LIMITED;
        for (size_t k = 0; k < CHAIN_PALETTE; k++) {
            b.limit[k] *= 0.3f;
        }
        const gyre_bone_chains chains = chains_of(&b, features);
        size_t at_limit = 0;
        for (size_t frame = 0; frame < 30; frame++) {
            move_roots(&b, (double)frame / 30);
            check_status(table->bone_chains_step(&chains, 0, CHAINS, 1.0f / 30), GYRE_OK);
            for (size_t c = 0; c < CHAINS; c++) {
                quaternion parent;
                for (size_t k = 0; k < 4; k++) {
                    parent.at[k] = (double)b.parent[k][c];
                }
                for (size_t l = 0; l < bones_of(&b, c); l++) {
                    const size_t i = bone_at(&b, l, c);
                    const reference_bone bone = reference_bone_of(entry_of(&b, i));
                    const quaternion pose = quaternion_product(quaternion_normalised(parent), bone.rest);
                    const quaternion q = quaternion_normalised(chain_quaternion(b.orientation, i));
                    const vector axis = axis_of(entry_of(&b, i)), e = quaternion_rotate(q, axis);
                    const double angle = acos(fmin(1, vector_dot(e, quaternion_rotate(pose, axis))));
                    CASE("frame %zu, chain %zu, level %zu", frame, c, l);
                    if (bone.limit > 0) {
                        check(angle, <=, bone.limit + 4e-6);
                        at_limit += angle > bone.limit - 1e-6;
                    }
                    if (vector_length(bone.hinge) > 0) {
                        const vector part =
                            vector_difference(bone.hinge, vector_scaled(axis, vector_dot(axis, bone.hinge)));
                        const vector x = quaternion_rotate(pose, vector_scaled(part, 1 / vector_length(part)));
                        check_within(vector_dot(x, e), 0, 1e-6);
                    }
                    parent = q;
                }
            }
        }
        check(at_limit, >, 20u);
    }
}

/* A hit takes speed away: the same step without the collider has at least as much, against the same head. */
static void test_hits_raise_no_speed(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {3};
        size_t hits = 0;
        for (size_t round = 0; round < effort(20000); round++) {
            single_chain s = single_of(1);
            const vector way = random_direction(&random), fast = random_direction(&random);
            point_single(&s, 0, way.at[0], way.at[1], way.at[2]);
            for (size_t k = 0; k < 3; k++) {
                s.velocity[k][0] = (float)(3 * fast.at[k]);
            }
            single_chain free = s;
            const vector centre = vector_scaled(random_direction(&random), 0.05 + 0.1 * (double)random_unit(&random));
            const float at[3] = {(float)centre.at[0], (float)centre.at[1], (float)centre.at[2]},
                        radius = 0.02f + 0.1f * random_unit(&random);
            const gyre_chain_collider sphere = {.kind = round % 2 ? GYRE_COLLIDER_SPHERE : GYRE_COLLIDER_INSIDE_SPHERE,
                                                .position = {&at[0], &at[1], &at[2]},
                                                .radius = &radius};
            gyre_bone_chains c = chains_of_single(&s);
            const gyre_bone_chains without = chains_of_single(&free);
            c.colliders = &sphere;
            c.collider_count = 1;
            check_status(table->bone_chains_step(&c, 0, 1, 0.01f), GYRE_OK);
            check_status(table->bone_chains_step(&without, 0, 1, 0.01f), GYRE_OK);
            const double with_it = vector_length(single_velocity(&s, 0)),
                         speed = vector_length(single_velocity(&free, 0));
            CASE("round %zu", round);
            check(with_it, <=, speed * (1 + 4e-7));
            hits += with_it < speed;
        }
        check(hits, >, effort(2000));
    }
}

/* ---- Limits and hinges that are none, and constraints that act twice ---- */

/* A single bone in motion, under gravity and against a collider or none. */
static single_chain moving_single(random_source *random)
{
    single_chain s = single_of(1);
    const vector e = random_direction(random), v = random_direction(random), gravity = random_direction(random);
    point_single(&s, 0, e.at[0], e.at[1], e.at[2]);
    for (size_t k = 0; k < 3; k++) {
        s.velocity[k][0] = (float)v.at[k];
        s.gravity[k] = (float)(5 * gravity.at[k]);
    }
    return s;
}

static void step_single(const gyre_kernels *table, single_chain *s, const gyre_chain_collider *colliders, size_t count)
{
    gyre_bone_chains c = chains_of_single(s);
    c.colliders = colliders;
    c.collider_count = count;
    check_status(table->bone_chains_step(&c, 0, 1, 1.0f / 60), GYRE_OK);
}

/* Half a turn and more is no limit, and a hinge along the tail is none: not a bit differs. A little less is one. */
static void test_no_limit_and_no_hinge(void **state)
{
    (void)state;
    static const float limits[] = {3.14159274f, 3.2f, 100};
    EACH_TABLE(table) {
        random_source random = {4};
        for (size_t round = 0; round < effort(500); round++) {
            const single_chain start = moving_single(&random);
            single_chain free = start;
            step_single(table, &free, NULL, 0);
            CASE("round %zu", round);
            for (size_t i = 0; i < LENGTH(limits); i++) {
                single_chain s = start;
                s.bone[0].limit = limits[i];
                step_single(table, &s, NULL, 0);
                check_bytes(s.orientation, free.orientation, sizeof s.orientation);
                check_bytes(s.velocity, free.velocity, sizeof s.velocity);
            }
            for (int sign = -1; sign <= 1; sign += 2) {
                single_chain s = start;
                s.bone[0].hinge[1] = (float)sign * random_magnitude(&random, -20, 20);
                step_single(table, &s, NULL, 0);
                check_bytes(s.orientation, free.orientation, sizeof s.orientation);
                check_bytes(s.velocity, free.velocity, sizeof s.velocity);
            }
        }
        single_chain s = single_of(1);
        s.bone[0].limit = 3;
        point_single(&s, 0, 0.01, 1, 0);
        s.bone[0].stiffness = 0;
        step_single(table, &s, NULL, 0);
        check_within(acos(-single_direction(&s, 0).at[1]), 3, 1e-5);
    }
}

/* The same collider twice is as once, to rounding: directions do not move, and speeds lose nothing more. A bone that
   pointed at the centre knows less well which way it went. */
static void test_twice_is_once(void **state)
{
    (void)state;
    static const gyre_collider_kind kinds[] = {GYRE_COLLIDER_SPHERE, GYRE_COLLIDER_PLANE, GYRE_COLLIDER_INSIDE_SPHERE};
    EACH_TABLE(table) {
        random_source random = {5};
        size_t hits = 0;
        for (size_t round = 0; round < effort(3000); round++) {
            const single_chain start = moving_single(&random);
            const vector way = random_direction(&random), centre = vector_scaled(way, 0.06);
            const float at[3] = {(float)centre.at[0], (float)centre.at[1], (float)centre.at[2]},
                        normal[3] = {-(float)way.at[0], -(float)way.at[1], -(float)way.at[2]},
                        radius = 0.05f + 0.05f * random_unit(&random);
            const gyre_chain_collider collider = {.kind = kinds[round % LENGTH(kinds)],
                                                  .position = {&at[0], &at[1], &at[2]},
                                                  .end = {&normal[0], &normal[1], &normal[2]},
                                                  .radius = &radius};
            const gyre_chain_collider both[] = {collider, collider};
            single_chain free = start, once = start, twice = start;
            step_single(table, &free, NULL, 0);
            step_single(table, &once, both, 1);
            step_single(table, &twice, both, 2);
            const vector e = single_direction(&once, 0), v = single_velocity(&once, 0);
            CASE("round %zu", round);
            const double sine = vector_length(vector_cross(single_direction(&free, 0), way));
            check(vector_length(vector_difference(single_direction(&twice, 0), e)), <=, (2 + 4 / sine) * 0x1p-23);
            check(vector_length(vector_difference(single_velocity(&twice, 0), v)), <=, (6 + 6 / sine) * 0x1p-23);
            hits += vector_length(vector_difference(single_direction(&free, 0), e)) > 1e-3;
        }
        check(hits, >, effort(3000) / 4);
    }
}

/* What stands against a bone: a bone at rest on it keeps its place. */
typedef struct stand {
    gyre_chain_collider collider;
    float position[3], end[3], radius;
} stand;

static void use_stand(stand *s, gyre_bone_chains *c)
{
    for (size_t k = 0; k < 3; k++) {
        s->collider.position[k] = &s->position[k];
        s->collider.end[k] = &s->end[k];
    }
    s->collider.radius = &s->radius;
    c->colliders = &s->collider;
    c->collider_count = 1;
}

static vector step_against(const gyre_kernels *table, single_chain *chain, stand s)
{
    gyre_bone_chains c = chains_of_single(chain);
    use_stand(&s, &c);
    check_status(table->bone_chains_step(&c, 0, 1, 1.0f / 60), GYRE_OK);
    return single_direction(chain, 0);
}

/* Enclosed bones point away from the centre, bones that cannot be inside point to it, heads on a centre, colliders of
   no size, and colliders that are none. */
static void test_extremes(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        single_chain start = single_of(1);
        start.velocity[0][0] = 0.3f;
        single_chain s = start;
        vector e = step_against(table, &s, (stand){{GYRE_COLLIDER_SPHERE}, {0.03f, 0, 0}, .radius = 5});
        check_within(e.at[0], -1, 1e-6);
        s = start;
        e = step_against(table, &s, (stand){{GYRE_COLLIDER_INSIDE_SPHERE}, {0, 0.5f, 0}, .radius = 0.05f});
        check_within(e.at[1], 1, 1e-6);
        s = start;
        e = step_against(table, &s, (stand){{GYRE_COLLIDER_PLANE}, {0, 7, 0}, .end = {0, 1, 0}});
        check_within(e.at[1], 1, 1e-6);

        single_chain free = start;
        step_against(table, &free, (stand){{GYRE_COLLIDER_SPHERE}, {9, 9, 9}, .radius = 1});
        const stand none[] = {
            {{GYRE_COLLIDER_SPHERE}, {0, 0, 0}, .radius = 0.2f}, /* the head is its centre */
            {{GYRE_COLLIDER_SPHERE}, {0, -0.1f, 0}, .radius = -1},
            {{GYRE_COLLIDER_SPHERE}, {0, -0.1f, 0}, .radius = NAN},
            {{GYRE_COLLIDER_SPHERE}, {0, -0.1f, 0}, .radius = INFINITY},
            {{GYRE_COLLIDER_SPHERE}, {0, NAN, 0}, .radius = 1},
            {{GYRE_COLLIDER_SPHERE}, {0, INFINITY, 0}, .radius = 1},
            {{GYRE_COLLIDER_INSIDE_SPHERE}, {0, 0.5f, 0}, .radius = INFINITY},
            {{GYRE_COLLIDER_INSIDE_SPHERE}, {0, -INFINITY, 0}, .radius = 0.5f},
            {{GYRE_COLLIDER_INSIDE_SPHERE}, {0, 1, 0}, .radius = -0.5f},
            {{GYRE_COLLIDER_CAPSULE}, {0, 0, 0}, .end = {0, NAN, 0}, .radius = 1},
            {{GYRE_COLLIDER_CAPSULE}, {0, 0.01f, 0}, .end = {0, -INFINITY, 0}, .radius = 1},
            {{GYRE_COLLIDER_INSIDE_CAPSULE}, {0, 1, 0}, .end = {INFINITY, 2, 0}, .radius = 0.5f},
            {{GYRE_COLLIDER_PLANE}, {0, NAN, 0}, .end = {0, 1, 0}},
            {{GYRE_COLLIDER_PLANE}, {0, INFINITY, 0}, .end = {0, 1, 0}},
            {{GYRE_COLLIDER_PLANE}, {0, 1, 0}, .end = {0, NAN, 0}},
            {{GYRE_COLLIDER_PLANE}, {0, 1, 0}, .end = {0, INFINITY, 0}},
        };
        for (size_t i = 0; i < LENGTH(none); i++) {
            s = start;
            step_against(table, &s, none[i]);
            CASE("collider %zu", i);
            for (size_t k = 0; k < 4; k++) {
                check_bits(s.orientation[k][0], free.orientation[k][0]);
            }
        }

        /* along the centre: a fixed way out, on the surface */
        s = single_of(1);
        e = step_against(table, &s, (stand){{GYRE_COLLIDER_SPHERE}, {0, -0.1f, 0}, .radius = 0.05f});
        const vector tail = vector_scaled(e, 0.1), centre = {{0, -0.1, 0}};
        check_within(vector_length(vector_difference(tail, centre)), 0.05, 1e-7);
        /* a capsule without length is a sphere */
        single_chain a = start, b = start;
        step_against(table, &a, (stand){{GYRE_COLLIDER_SPHERE}, {0.02f, -0.1f, 0}, .radius = 0.05f});
        step_against(table, &b,
                     (stand){{GYRE_COLLIDER_CAPSULE}, {0.02f, -0.1f, 0}, .end = {0.02f, -0.1f, 0}, .radius = 0.05f});
        check_bytes(a.orientation, b.orientation, sizeof a.orientation);
    }
}

/* Pressed against each kind by gravity, a bone comes to rest and stays: it moves by less than 4e-7 a step. */
static void test_no_jitter(void **state)
{
    (void)state;
    static const float times[] = {1.0f / 20, 1.0f / 60, 1.0f / 240, 1.0f / 1000};
    const stand stands[] = {
        {{GYRE_COLLIDER_SPHERE}, {0.08f, -0.06f, 0.01f}, .radius = 0.05f},
        {{GYRE_COLLIDER_CAPSULE}, {0.08f, -0.06f, 0.2f}, .end = {0.08f, -0.06f, -0.1f}, .radius = 0.05f},
        {{GYRE_COLLIDER_PLANE}, {0.05f, 0, 0}, .end = {-1, 0, 0}},
        {{GYRE_COLLIDER_INSIDE_SPHERE}, {-0.15f, -0.1f, 0.01f}, .radius = 0.25f},
        {{GYRE_COLLIDER_INSIDE_CAPSULE}, {-0.15f, -0.1f, 0.2f}, .end = {-0.15f, -0.1f, -0.1f}, .radius = 0.25f},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(stands); i++) {
            for (size_t t = 0; t < LENGTH(times); t++) {
                single_chain s = single_of(3);
                stand at = stands[i];
                s.gravity[0] = 20;
                gyre_bone_chains c = chains_of_single(&s);
                use_stand(&at, &c);
                for (float time = 0; time < 10; time += times[t]) {
                    check_status(table->bone_chains_step(&c, 0, 1, times[t]), GYRE_OK);
                }
                const single_chain before = s;
                check_status(table->bone_chains_step(&c, 0, 1, times[t]), GYRE_OK);
                for (size_t l = 0; l < 3; l++) {
                    CASE("kind %zu, %g s, level %zu", i, times[t], l);
                    for (size_t k = 0; k < 4; k++) {
                        check_within(s.orientation[k][l], before.orientation[k][l], 4e-7f);
                    }
                    check(vector_length(single_velocity(&s, l)), <=, 1e-3);
                }
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_nothing_penetrates),
                                       TEST(test_limits_and_hinges),
                                       TEST(test_hits_raise_no_speed),
                                       TEST(test_no_limit_and_no_hinge),
                                       TEST(test_twice_is_once),
                                       TEST(test_extremes),
                                       TEST(test_no_jitter)};
    return cmocka_run_group_tests_name("chain_constraints", tests, NULL, NULL);
}
