/* Errors of the calls on chains, bad input, and which chains a call touches. */
#include "support/chains.h"

#include <math.h>
#include <string.h>

enum {
    ALL = CHAIN_MIXED | CHAIN_RESTS | CHAIN_SCALED | CHAIN_MOVES | CHAIN_TURNS | CHAIN_GRAVITY | CHAIN_WIND |
          CHAIN_COLLIDES | CHAIN_OUTPUTS | CHAIN_LIMITED
};

typedef gyre_status chain_call(const gyre_bone_chains *, size_t, size_t, float);

static chain_call *call_of(const gyre_kernels *table, unsigned reset)
{
    return reset ? table->bone_chains_reset : table->bone_chains_step;
}

/* An error that has written nothing. */
static void check_error(const gyre_kernels *table, chain_batch *b, const gyre_bone_chains *c, size_t begin, size_t end,
                        float dt_s, gyre_status wanted)
{
    static chain_batch before;
    before = *b;
    for (unsigned reset = 0; reset < 2; reset++) {
        CASE("%s", reset ? "reset" : "step");
        check_status(call_of(table, reset)(c, begin, end, dt_s), wanted);
        check_bytes(b->orientation, before.orientation, sizeof before.orientation);
        check_bytes(b->velocity, before.velocity, sizeof before.velocity);
        check_bytes(b->tail, before.tail, sizeof before.tail);
        check_bytes(b->local, before.local, sizeof before.local);
        check_bytes(b->awake, before.awake, sizeof before.awake);
    }
}

static chain_batch batch;

static gyre_bone_chains fresh_chains(unsigned features)
{
    random_source random = {1};
    random_chains(&batch, &random);
    return chains_of(&batch, features);
}

static void test_errors(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        gyre_bone_chains c = fresh_chains(ALL | CHAIN_SLEEPS);
        check_error(table, &batch, NULL, 0, 1, 0.01f, GYRE_ERROR_NULL);
        check_error(table, &batch, &c, 2, 1, 0.01f, GYRE_ERROR_RANGE);
        check_error(table, &batch, &c, 0, CHAINS + 1, 0.01f, GYRE_ERROR_RANGE);
        check_error(table, &batch, &c, 0, CHAINS, -0.01f, GYRE_ERROR_VALUE);
        check_error(table, &batch, &c, 0, CHAINS, NAN, GYRE_ERROR_VALUE);
        check_error(table, &batch, &c, 0, CHAINS, INFINITY, GYRE_ERROR_VALUE);
        static const float bad[] = {-1, NAN, INFINITY};
        for (size_t i = 0; i < LENGTH(bad); i++) {
            c.rest_angle = bad[i];
            check_error(table, &batch, &c, 0, CHAINS, 0.01f, GYRE_ERROR_VALUE);
            c.rest_angle = 0.1f;
            c.rest_speed = bad[i];
            check_error(table, &batch, &c, 0, CHAINS, 0.01f, GYRE_ERROR_VALUE);
            c.rest_speed = 0.1f;
        }
        batch.colliders[3].kind = (gyre_collider_kind)5;
        check_error(table, &batch, &c, 0, CHAINS, 0.01f, GYRE_ERROR_VALUE);
        batch.colliders[3].kind = (gyre_collider_kind)-1;
        check_error(table, &batch, &c, 0, CHAINS, 0.01f, GYRE_ERROR_VALUE);
    }
}

/* Levels are checked as a whole, whatever the range. */
static void test_levels(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        gyre_bone_chains c = fresh_chains(ALL);
        const size_t good[CHAIN_LEVELS + 1] = {0, 9, 18, 22, 22, 22, 22};
        static const size_t bad[][CHAIN_LEVELS + 1] = {
            {0, 9, 18, 22, 27, 27, 27},                                                  /* grows */
            {0, 9, 18, 22, 22, 22, 23},                                                  /* grows from nothing */
            {0, 9, 18, 17, 17, 17, 17},                                                  /* falls */
            {0, CHAINS + 1, CHAINS + 1, CHAINS + 1, CHAINS + 1, CHAINS + 1, CHAINS + 1}, /* more than chains */
        };
        c.level_begin = good;
        check_status(table->bone_chains_step(&c, 0, CHAINS, 0.01f), GYRE_OK);
        for (size_t i = 0; i < LENGTH(bad); i++) {
            CASE("levels %zu", i);
            c.level_begin = bad[i];
            check_error(table, &batch, &c, 0, 1, 0.01f, GYRE_ERROR_VALUE);
        }
        c.levels = 0; /* nothing to do, and no arrays needed */
        c.level_begin = NULL;
        check_error(table, &batch, &c, 0, CHAINS, 0.01f, GYRE_OK);
        const gyre_bone_chains empty = {.count = 3, .levels = 2};
        check_status(table->bone_chains_step(&empty, 1, 1, 0.01f), GYRE_OK);
        check_status(table->bone_chains_reset(&empty, 3, 3, 0.01f), GYRE_OK);
    }
}

/* Each pointer that is needed, one at a time; the first of an optional group decides for it. */
static void test_null(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        gyre_bone_chains c = fresh_chains(ALL | CHAIN_SLEEPS | CHAIN_SKIPS);
        const void **needed[] = {
            (const void **)&c.level_begin,      (const void **)&c.bones,       (const void **)&c.orientation[0],
            (const void **)&c.orientation[3],   (const void **)&c.velocity[0], (const void **)&c.velocity[2],
            (const void **)&c.tail[1],          (const void **)&c.tail[2],     (const void **)&c.local[3],
            (const void **)&c.rest[2],          (const void **)&c.position[0], (const void **)&c.position[2],
            (const void **)&c.parent[0],        (const void **)&c.parent[3],   (const void **)&c.position_before[1],
            (const void **)&c.parent_before[3], (const void **)&c.gravity[1],  (const void **)&c.wind[2],
            (const void **)&c.colliders,        (const void **)&c.awake,
        };
        for (size_t i = 0; i < LENGTH(needed); i++) {
            const void *kept = *needed[i];
            *needed[i] = NULL;
            CASE("pointer %zu", i);
            check_error(table, &batch, &c, 0, CHAINS, 0.01f, GYRE_ERROR_NULL);
            *needed[i] = kept;
        }
        for (size_t k = 0; k < CHAIN_COLLIDERS; k++) {
            gyre_chain_collider *o = &batch.colliders[k], kept = *o;
            const bool has_end =
                k == GYRE_COLLIDER_CAPSULE || k == GYRE_COLLIDER_PLANE || k == GYRE_COLLIDER_INSIDE_CAPSULE;
            CASE("collider %zu", k);
            o->position[1] = NULL;
            check_error(table, &batch, &c, 0, CHAINS, 0.01f, GYRE_ERROR_NULL);
            *o = kept;
            o->end[2] = NULL;
            check_status(table->bone_chains_step(&c, 0, 1, 0.01f), has_end ? GYRE_ERROR_NULL : GYRE_OK);
            *o = kept;
            o->radius = NULL;
            check_status(table->bone_chains_step(&c, 0, 1, 0.01f),
                         k == GYRE_COLLIDER_PLANE ? GYRE_OK : GYRE_ERROR_NULL);
            *o = kept;
        }
        const float **optional[] = {c.rest, c.position_before, c.parent_before, c.gravity, c.wind};
        for (size_t i = 0; i < LENGTH(optional); i++) {
            optional[i][0] = NULL;
        }
        c.tail[0] = c.local[0] = NULL;
        check_status(table->bone_chains_step(&c, 0, CHAINS, 0.01f), GYRE_OK);
    }
}

/* ---- Bad input ---- */

static bool bone_is_nan(chain_batch *b, size_t i)
{
    bool all = true;
    for (size_t k = 0; k < 4; k++) {
        all = all && isnan(b->orientation[k][i]) && isnan(b->velocity[k % 3][i]) && isnan(b->local[k][i]) &&
              isnan(b->tail[k % 3][i]);
    }
    return all;
}

/* After a step of *b and of a clean copy: bones of chain c from level l on are NaN, and all others the same. */
static void check_spoiled(const gyre_kernels *table, chain_batch *bad, chain_batch *clean, unsigned features, size_t c,
                          size_t l, gyre_status wanted)
{
    for (unsigned reset = 0; reset < 2; reset++) {
        static chain_batch got, want;
        got = *bad;
        want = *clean;
        const gyre_bone_chains g = chains_of(&got, features), w = chains_of(&want, features);
        CASE("%s", reset ? "reset" : "step");
        check_status(call_of(table, reset)(&g, 0, CHAINS, 0.01f), wanted);
        check_status(call_of(table, reset)(&w, 0, CHAINS, 0.01f), GYRE_OK);
        for (size_t chain = 0; chain < CHAINS; chain++) {
            for (size_t level = 0; level < bones_of(&got, chain); level++) {
                const size_t i = bone_at(&got, level, chain);
                CASE("chain %zu, level %zu", chain, level);
                if (chain == c && level >= l) {
                    check((int)bone_is_nan(&got, i), ==, 1);
                } else {
                    for (size_t k = 0; k < 4; k++) {
                        check_bits(got.orientation[k][i], want.orientation[k][i]);
                        check_bits(got.velocity[k % 3][i], want.velocity[k % 3][i]);
                    }
                }
            }
        }
    }
}

static void test_bad_bones(void **state)
{
    (void)state;
    static const float bad[] = {NAN, INFINITY, -INFINITY, -1};
    EACH_TABLE(table) {
        const unsigned features = CHAIN_MIXED | CHAIN_GRAVITY | CHAIN_OUTPUTS | CHAIN_COLLIDES;
        static chain_batch clean, b;
        random_source random = {2};
        random_chains(&clean, &random);
        const size_t c = 20, l = 2, at = bone_at(&clean, l, c);
        for (size_t i = 0; i < CHAIN_BONES; i++) { /* the last entry is that bone's alone */
            clean.bone[i] %= CHAIN_PALETTE - 1;
        }
        clean.bone[at] = CHAIN_PALETTE - 1;
        for (size_t number = 0; number < 17; number++) {
            for (size_t k = 0; k < LENGTH(bad); k++) {
                const bool is_signed = number < 7 || number == 12 || number >= 14;
                if (bad[k] != -1 || !is_signed) {
                    b = clean;
                    float *const members = (float *)(void *)&b.bones[CHAIN_PALETTE - 1];
                    members[number] = bad[k];
                    b.limit[CHAIN_PALETTE - 1] = b.bones[CHAIN_PALETTE - 1].limit;
                    CASE("member %zu, %g", number, bad[k]);
                    check_spoiled(table, &b, &clean, features | CHAIN_LIMITED, c, l, GYRE_OK);
                }
            }
        }
        b = clean;
        b.bones[CHAIN_PALETTE - 1].drag = 2 * b.bones[CHAIN_PALETTE - 1].damping;
        check_spoiled(table, &b, &clean, features, c, l, GYRE_OK);
        b = clean;
        memset(b.bones[CHAIN_PALETTE - 1].rest, 0, sizeof b.bones[0].rest);
        check_spoiled(table, &b, &clean, features, c, l, GYRE_OK);
        b = clean;
        b.bone[at] = CHAIN_PALETTE;
        check_spoiled(table, &b, &clean, features, c, l, GYRE_INCOMPLETE);
        b.bone[at] = UINT16_MAX;
        check_spoiled(table, &b, &clean, features, c, l, GYRE_INCOMPLETE);
        b = clean; /* members that are not read */
        b.bones[CHAIN_PALETTE - 1].unused[0] = b.bones[CHAIN_PALETTE - 1].unused[2] = NAN;
        check_spoiled(table, &b, &clean, features, CHAINS, 0, GYRE_OK);
    }
}

/* Bones without an entry of their own, in a palette that is too short; a palette of none. */
static void test_outside_the_palette(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        for (size_t entries = 0; entries <= 4; entries++) {
            gyre_bone_chains c = fresh_chains(CHAIN_OUTPUTS);
            c.bone_count = entries;
            CASE("%zu entries", entries);
            check_status(table->bone_chains_step(&c, 0, CHAINS, 0.01f), GYRE_INCOMPLETE);
            for (size_t chain = 0; chain < CHAINS; chain++) {
                for (size_t l = 0; l < bones_of(&batch, chain); l++) {
                    check((int)bone_is_nan(&batch, bone_at(&batch, l, chain)), ==, (int)(l >= entries));
                }
            }
            c = fresh_chains(CHAIN_OUTPUTS);
            c.bone_count = entries;
            check_status(table->bone_chains_step(&c, 0, CHAINS, 0), GYRE_INCOMPLETE);
            check_nan(batch.tail[0][bone_at(&batch, entries, 0)]);
            check_nan(batch.local[0][bone_at(&batch, entries, 0)]);
            c = fresh_chains(CHAIN_OUTPUTS);
            c.bone_count = 3; /* chains of three bones */
            check_status(table->bone_chains_step(&c, 101, CHAINS, 0.01f), GYRE_OK);
        }
    }
}

static void test_bad_chains(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        static chain_batch clean, b;
        random_source random = {3};
        random_chains(&clean, &random);
        const unsigned features = ALL & ~(unsigned)CHAIN_COLLIDES;
        const size_t c = 7;
        float *const arrays[] = {b.scale,     b.position[0],        b.position[2],      b.parent[1],
                                 b.parent[3], b.position_before[1], b.parent_before[0], b.gravity[2],
                                 b.wind[0]};
        static const float bad[] = {NAN, INFINITY};
        for (size_t i = 0; i < LENGTH(arrays); i++) {
            for (size_t k = 0; k < LENGTH(bad); k++) {
                b = clean;
                arrays[i][c] = bad[k];
                CASE("array %zu, %g", i, bad[k]);
                if (i != 6) { /* the turn of before: not read by reset */
                    check_spoiled(table, &b, &clean, features, c, 0, GYRE_OK);
                }
            }
        }
        b = clean;
        b.scale[c] = -1;
        check_spoiled(table, &b, &clean, features, c, 0, GYRE_OK);
        b = clean;
        for (size_t k = 0; k < 4; k++) {
            b.parent[k][c] = 0;
        }
        check_spoiled(table, &b, &clean, features, c, 0, GYRE_OK);
    }
}

/* A state that is NaN or of no length spoils its bone and those below, and reset cures it. Other lengths are
   normalised. */
static void test_bad_states(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        static chain_batch clean, b;
        random_source random = {4};
        random_chains(&clean, &random);
        const unsigned features = CHAIN_MIXED | CHAIN_OUTPUTS | CHAIN_COLLIDES;
        const size_t c = 33, l = 1, at = bone_at(&clean, l, c);
        for (size_t kind = 0; kind < 5; kind++) {
            b = clean;
            for (size_t k = 0; k < 4; k++) {
                b.orientation[k][at] = kind == 0   ? 0
                                       : kind == 1 ? 0x1p32f * b.orientation[k][at]
                                                   : b.orientation[k][at];
            }
            b.orientation[2][at] = kind == 2 ? NAN : kind == 3 ? INFINITY : b.orientation[2][at];
            b.velocity[1][at] = kind == 4 ? NAN : 0;
            const gyre_bone_chains chains = chains_of(&b, features);
            CASE("kind %zu", kind);
            check_status(table->bone_chains_step(&chains, 0, CHAINS, 0.01f), GYRE_OK);
            for (size_t chain = 0; chain < CHAINS; chain++) {
                for (size_t level = 0; level < bones_of(&b, chain); level++) {
                    const bool is_spoiled = chain == c && level >= l;
                    check((int)bone_is_nan(&b, bone_at(&b, level, chain)), ==, (int)is_spoiled);
                }
            }
            check_status(table->bone_chains_reset(&chains, 0, CHAINS, 0.01f), GYRE_OK);
            check_finite(b.orientation[0][at]);
            check_finite(b.tail[0][bone_at(&b, l + 1, c)]);
        }
        b = clean;
        static chain_batch same;
        for (size_t i = 0; i < CHAIN_BONES; i++) { /* powers of two: no rounding */
            for (size_t k = 0; k < 4; k++) {
                b.orientation[k][i] *= i % 2 ? 0x1p-20f : 0x1p20f;
            }
        }
        same = clean;
        const gyre_bone_chains long_ones = chains_of(&b, features), ones = chains_of(&same, features);
        check_status(table->bone_chains_step(&long_ones, 0, CHAINS, 0.01f), GYRE_OK);
        check_status(table->bone_chains_step(&ones, 0, CHAINS, 0.01f), GYRE_OK);
        for (size_t i = 0; i < b.level_begin[CHAIN_LEVELS]; i++) {
            check(quaternion_angle(chain_quaternion(b.orientation, i), chain_quaternion(same.orientation, i)), <=,
                  1e-5);
        }
    }
}

/* ---- Rigid bones, signs, and places far from the origin ---- */

static void test_rigid_bones(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        single_chain s = single_of(3);
        s.bone[1].tail[1] = 0;
        s.bone[1].rest[0] = 0.6f;
        s.bone[1].rest[3] = 0.8f;
        s.position[0] = 0.01f;
        const gyre_bone_chains c = chains_of_single(&s);
        check_status(table->bone_chains_step(&c, 0, 1, 0.01f), GYRE_OK);
        for (size_t k = 0; k < 3; k++) {
            check_within(s.local[k][1], s.bone[1].rest[k], 1e-7f);
            check_bits(s.tail[k][1], s.tail[k][0]);
            check_within((double)s.velocity[k][1], ((double)s.tail[k][0] - (k == 1 ? -0.1 : 0)) / 0.01, 2e-5);
        }

        const float scale = 0; /* all of it */
        single_chain none = single_of(2);
        gyre_bone_chains n = chains_of_single(&none);
        n.scale = &scale;
        none.gravity[0] = 100;
        none.position[2] = 0.5f;
        check_status(table->bone_chains_step(&n, 0, 1, 0.01f), GYRE_OK);
        check(none.orientation[3][1], ==, 1);
        check(none.tail[2][1], ==, 0.5f);
        check_within(none.velocity[2][1], 50, 1e-4f);
    }
}

/* Orientations have the sign of parent times rest, local rotations that of rest. */
static void test_signs(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        for (unsigned signs = 0; signs < 8; signs++) {
            single_chain s = single_of(2);
            const gyre_bone_chains c = chains_of_single(&s);
            const float parent = signs & 1 ? -1 : 1, rest = signs & 2 ? -1 : 1;
            s.parent[3] = parent;
            s.bone[0].rest[3] = rest;
            s.bone[1].rest[3] = -1;
            s.gravity[0] = 3;
            s.orientation[3][0] = signs & 4 ? -1 : 1;
            for (int frame = 0; frame < 3; frame++) {
                check_status(table->bone_chains_step(&c, 0, 1, 0.02f), GYRE_OK);
                check(s.orientation[3][0] * parent * rest, >, 0.5f);
                check(s.orientation[3][1] * parent * rest, <, -0.5f);
                check(s.local[3][0] * rest, >, 0.5f);
                check(s.local[3][1], <, -0.5f);
            }
        }
    }
}

/* Far from the origin a chain moves as near it: heads are carried relative to the root. */
static void test_far_from_origin(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        single_chain near = single_of(5), far = near;
        const gyre_bone_chains n = chains_of_single(&near), f = chains_of_single(&far);
        far.position[0] = far.position_before[0] = 4096;
        for (int frame = 1; frame <= 60; frame++) {
            near.position_before[0] = near.position[0];
            far.position_before[0] = far.position[0];
            near.position[0] = (float)(frame % 7) / 128;
            far.position[0] = 4096 + near.position[0];
            check_status(table->bone_chains_step(&n, 0, 1, 1.0f / 60), GYRE_OK);
            check_status(table->bone_chains_step(&f, 0, 1, 1.0f / 60), GYRE_OK);
        }
        check_bytes(near.orientation, far.orientation, sizeof near.orientation);
    }
}

/* ---- Slices ---- */

static void test_any_slice(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {6};
        for (size_t round = 0; round < effort(150); round++) {
            static chain_batch whole, sliced, before;
            random_chains(&whole, &random);
            move_roots(&whole, 0);
            move_roots(&whole, 0.03);
            for (size_t i = 0; i < CHAIN_BONES; i++) {
                whole.velocity[i % 3][i] = random_one_in(&random, 2) ? 0 : random_signed(&random, -6, 1);
            }
            for (size_t c = 0; c < CHAINS; c++) {
                whole.awake[c] = !random_one_in(&random, 3);
            }
            const unsigned features = (unsigned)random_below(&random, CHAIN_FEATURES), reset = round % 8 == 0;
            const float dt_s = round % 16 == 1 ? 0 : random_magnitude(&random, -9, 0);
            before = sliced = whole;
            const size_t begin = random_below(&random, CHAINS), end = begin + random_below(&random, CHAINS + 1 - begin);
            const gyre_bone_chains w = chains_of(&whole, features), s = chains_of(&sliced, features);
            CASE("round %zu, features %#x, chains %zu to %zu", round, features, begin, end);
            check_status(call_of(table, reset)(&w, begin, end, dt_s), GYRE_OK);
            for (size_t from = begin; from < end;) {
                const size_t to = from + 1 + random_below(&random, 40), last = to < end ? to : end;
                check_status(call_of(table, reset)(&s, from, last, dt_s), GYRE_OK);
                from = last;
            }
            check_bytes(sliced.orientation, whole.orientation, sizeof whole.orientation);
            check_bytes(sliced.velocity, whole.velocity, sizeof whole.velocity);
            check_bytes(sliced.tail, whole.tail, sizeof whole.tail);
            check_bytes(sliced.local, whole.local, sizeof whole.local);
            check_bytes(sliced.awake, whole.awake, sizeof whole.awake);
            for (size_t c = 0; c < CHAINS; c++) {
                for (size_t l = 0; l < bones_of(&whole, c) && (c < begin || c >= end); l++) {
                    CASE("chain %zu outside the range", c);
                    check_bits(whole.orientation[3][bone_at(&whole, l, c)],
                               before.orientation[3][bone_at(&whole, l, c)]);
                    check_bits(whole.tail[0][bone_at(&whole, l, c)], before.tail[0][bone_at(&whole, l, c)]);
                }
            }
        }
    }
}

/* Any step: finite, and unit quaternions, on the target after a long one. */
static void test_any_time(void **state)
{
    (void)state;
    static const float times[] = {1e-40f, 1e-20f, 1e-6f, 1e-3f, 0.3f, 1, 10, 1e3f, 1e6f, 1e20f, 3e38f};
    EACH_TABLE(table) {
        for (size_t t = 0; t < LENGTH(times); t++) {
            gyre_bone_chains c = fresh_chains(ALL & ~(unsigned)(CHAIN_MOVES | CHAIN_TURNS));
            for (size_t k = 0; k < CHAIN_PALETTE; k++) {
                batch.bones[k].stiffness = k % 2 ? 1e6f : 0.1f;
                batch.bones[k].damping = k % 3 ? 1e5f : 0.01f;
                batch.bones[k].drag = 0;
            }
            CASE("%g s", times[t]);
            check_status(table->bone_chains_step(&c, 0, CHAINS, times[t]), GYRE_OK);
            for (size_t i = 0; i < batch.level_begin[CHAIN_LEVELS]; i++) {
                CASE("bone %zu", i);
                check_within(quaternion_length(chain_quaternion(batch.orientation, i)), 1, 8 * 0x1p-24);
                check_finite(batch.velocity[0][i]);
                check_flushed(batch.velocity[1][i]);
            }
        }
        single_chain s = single_of(3), rest = s;
        gyre_bone_chains one = chains_of_single(&s);
        rest.gravity[0] = s.gravity[0] = 5;
        reset_single(table, &rest);
        check_status(table->bone_chains_step(&one, 0, 1, 3600), GYRE_OK);
        for (size_t l = 0; l < 3; l++) {
            check(vector_length(vector_difference(single_direction(&s, l), single_direction(&rest, l))), <=, 1e-5);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_errors),
                                       TEST(test_levels),
                                       TEST(test_null),
                                       TEST(test_bad_bones),
                                       TEST(test_outside_the_palette),
                                       TEST(test_bad_chains),
                                       TEST(test_bad_states),
                                       TEST(test_rigid_bones),
                                       TEST(test_signs),
                                       TEST(test_far_from_origin),
                                       TEST(test_any_slice),
                                       TEST(test_any_time)};
    return cmocka_run_group_tests_name("chain_arguments", tests, NULL, NULL);
}
