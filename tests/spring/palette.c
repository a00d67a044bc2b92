/* gyre_springs_step_palette: each spring gets the bits that gyre_springs_step gives with the spring's own matrix, in
   whatever order the indices are; and indices outside the palette. */
#include "support/batch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PALETTE = 24 };

typedef struct styles {
    gyre_spring_matrix palette[PALETTE];
    uint16_t which[BATCH_SPRINGS];
} styles;

/* Matrices of springs, every eighth the identity; with `broken`, some that are not finite. */
static void random_palette(styles *s, random_source *random, bool broken)
{
    for (size_t k = 0; k < PALETTE; k++) {
        s->palette[k] = k % 8 == 3 ? (gyre_spring_matrix){1, k % 16 == 3 ? 0.0f : -0.0f, 0, 1} : random_matrix(random);
        if (broken && k % 8 == 5) {
            (&s->palette[k].pos_pos)[random_below(random, 4)] = random_one_in(random, 2) ? NAN : INFINITY;
        }
    }
}

static bool is_identity(gyre_spring_matrix m)
{
    return m.pos_pos == 1 && m.pos_vel == 0 && m.vel_pos == 0 && m.vel_vel == 1 && m.low[0] == 0 && m.low[1] == 0 &&
           m.low[2] == 0 && m.low[3] == 0;
}

/* Each spring k in begin..end-1 must come out as from gyre_springs_step alone, or NaN and awake where its index is
   outside the palette, which the status must report. */
static void check_step(const gyre_kernels *table, const batch *start, unsigned features, const styles *s,
                       size_t palette_count, size_t begin, size_t end)
{
    batch got = *start, want = *start;
    gyre_springs springs = batch_springs(&got, features), alone = batch_springs(&want, features);
    gyre_status status = table->springs_step_palette(&springs, begin, end, s->palette, palette_count, s->which);
    bool all_inside = true;
    for (size_t k = begin; k < end; k++) {
        if (s->which[k] >= palette_count) {
            all_inside = false;
            if (batch_sleeps(features, k)) {
                continue;
            }
            want.position[k] = want.velocity[k] = NAN;
            if (features & FEATURE_LOW) {
                want.position_low[k] = want.velocity_low[k] = NAN;
            }
            want.awake[k] = features & FEATURE_AWAKE ? 1 : want.awake[k];
            continue;
        }
        const gyre_spring_matrix *m = &s->palette[s->which[k]];
        CASE("spring %zu, index %u", k, s->which[k]);
        if (table->springs_step(&alone, k, k + 1, m) == GYRE_ERROR_VALUE) { /* a matrix that is not finite */
            if (batch_sleeps(features, k)) {
                continue;
            }
            if (alone.lower == NULL) {
                check_not_finite(isfinite(got.position[k]) ? got.velocity[k] : got.position[k]);
            }
            want.position[k] = got.position[k];
            want.velocity[k] = got.velocity[k];
            want.position_low[k] = got.position_low[k];
            want.velocity_low[k] = got.velocity_low[k];
            want.awake[k] = features & FEATURE_AWAKE ? batch_has_changed(start, &got, features, k) : want.awake[k];
        }
        if (is_identity(*m)) {
            check_bits(got.position[k], start->position[k]);
            check_bits(got.velocity[k], start->velocity[k]);
            check_bits(got.position_low[k], start->position_low[k]);
            check_bits(got.velocity_low[k], start->velocity_low[k]);
        }
    }
    CASE("features %#x, palette of %zu, springs %zu to %zu", features, palette_count, begin, end);
    check_status(status, all_inside ? GYRE_OK : GYRE_INCOMPLETE);
    check_same_batch(&got, &want);
}

/* ---- Equal to one matrix at a time ---- */

static void test_indices_without_order(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {1};
        for (size_t i = 0; i < effort(1000); i++) {
            styles s;
            random_palette(&s, &random, i % 4 == 3);
            size_t used = 1 + random_below(&random, PALETTE);
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                s.which[k] = (uint16_t)random_below(&random, used);
            }
            batch start = batch_random(&random, true);
            size_t begin = random_below(&random, 40), end = BATCH_SPRINGS - random_below(&random, 40);
            check_step(table, &start, nth_features(i), &s, used, begin, end);
        }
    }
}

/* Runs of one length throughout, from 1 to all, starting anywhere: run boundaries fall in every lane. */
static void test_runs_of_every_length(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {2};
        styles s;
        random_palette(&s, &random, false);
        for (size_t length = 1; length <= BATCH_SPRINGS; length++) {
            size_t offsets = effort(length < 40 ? length : 10);
            for (size_t offset = 0; offset < offsets; offset++) {
                size_t shift = length < 40 ? offset : random_below(&random, length);
                for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                    s.which[k] = (uint16_t)((k + shift) / length % PALETTE);
                }
                batch start = batch_random(&random, true);
                unsigned features = (unsigned)random_below(&random, FEATURES_ALL);
                check_step(table, &start, features, &s, PALETTE, random_below(&random, 3), BATCH_SPRINGS);
            }
        }
    }
}

/* A run within a run: one odd index, or two boundaries close together, at every position in a block. */
static void test_one_among_others(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {3};
        styles s;
        random_palette(&s, &random, false);
        for (size_t where = 0; where < 100; where++) {
            for (size_t width = 1; width < 4; width++) {
                const uint16_t around = (uint16_t)(where % 5 + 6), odd = (uint16_t)(where % 3 == 0 ? 3 : 4 + width);
                for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                    s.which[k] = k >= where && k < where + width ? odd : around;
                }
                batch start = batch_random(&random, true);
                check_step(table, &start, nth_features(where + width), &s, PALETTE, 0, BATCH_SPRINGS);
            }
        }
    }
}

/* ---- Indices outside the palette ---- */

static void test_out_of_range(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {4};
        for (size_t i = 0; i < effort(1000); i++) {
            styles s;
            random_palette(&s, &random, false);
            size_t longest = i % 2 ? 1 : 60, count = i % 10 == 0 ? 0 : 1 + random_below(&random, PALETTE - 1);
            for (size_t k = 0, left = 0; k < BATCH_SPRINGS; k++, left--) {
                left = left == 0 ? 1 + random_below(&random, longest) : left;
                bool beyond = random_one_in(&random, 30) || count == 0;
                uint16_t fresh =
                    (uint16_t)(beyond ? (random_one_in(&random, 2) ? count : 0xffff - random_below(&random, 3))
                                      : random_below(&random, count));
                s.which[k] = k > 0 && left > 1 ? s.which[k - 1] : fresh;
            }
            batch start = batch_random(&random, true);
            check_step(table, &start, nth_features(i), &s, count, 0, BATCH_SPRINGS);
            /* a single index outside the palette, anywhere; outside the range of the call it changes nothing */
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                s.which[k] = 0;
            }
            size_t where = random_below(&random, BATCH_SPRINGS);
            s.which[where] = PALETTE;
            check_step(table, &start, nth_features(i), &s, PALETTE, 0, BATCH_SPRINGS);
            check_step(table, &start, nth_features(i), &s, PALETTE, where + 1, BATCH_SPRINGS);
            check_step(table, &start, nth_features(i), &s, PALETTE, 0, where);
        }
    }
}

/* ---- Sizes of a palette ---- */

/* As many matrices as 16 bits can index, and more: each of them can be used. Each halves the state a different number
   of times. */
static void test_largest_palette(void **state)
{
    (void)state;
    const size_t counts[] = {1, 2, 0x8000, 0x8001, 0xffff, 0x10000, 0x10001, SIZE_MAX};
    gyre_spring_matrix *palette = malloc(0x10000 * sizeof *palette);
    check(palette, !=, NULL);
    for (size_t k = 0; k < 0x10000; k++) {
        palette[k] = (gyre_spring_matrix){(float)(k + 2), 0, 0, -(float)(k + 3)};
    }
    EACH_TABLE(table) {
        random_source random = {5};
        for (size_t i = 0; i < effort(100) * LENGTH(counts); i++) {
            size_t count = counts[i % LENGTH(counts)], used = count < 0x10000 ? count : 0x10000, all = BATCH_SPRINGS;
            float position[BATCH_SPRINGS], velocity[BATCH_SPRINGS];
            uint16_t which[BATCH_SPRINGS];
            bool inside = true;
            for (size_t k = 0; k < all; k++) {
                position[k] = velocity[k] = 1;
                which[k] = (uint16_t)(random_one_in(&random, 3) ? used - 1 : random_below(&random, used));
                if (i % 5 == 4 && k % 50 == 7) {
                    which[k] = 0xffff;
                    inside = inside && used > 0xffff;
                }
            }
            gyre_springs springs = {.count = all, .position = position, .velocity = velocity};
            CASE("palette of %zu", count);
            check_status(table->springs_step_palette(&springs, 0, all, palette, count, which),
                         inside ? GYRE_OK : GYRE_INCOMPLETE);
            for (size_t k = 0; k < all; k++) {
                CASE("spring %zu, index %u", k, which[k]);
                if (which[k] < used) {
                    check(position[k], ==, (float)which[k] + 2);
                    check(velocity[k], ==, -(float)which[k] - 3);
                } else {
                    check_nan(position[k]);
                    check_nan(velocity[k]);
                }
            }
        }
    }
    free(palette);
}

/* Thousands of indices in no order, with palettes about as large as registers can hold, or empty: exact products, with
   identities and bad indices among them. */
static void test_many_without_order(void **state)
{
    (void)state;
    enum { SPRINGS = 6000 };
    static float position[SPRINGS], velocity[SPRINGS];
    static uint16_t which[SPRINGS];
    gyre_spring_matrix palette[66];
    EACH_TABLE(table) {
        random_source random = {7};
        for (size_t i = 0; i < effort(200); i++) {
            size_t count = i % 4 == 0 ? 60 + random_below(&random, 7) : 1 + random_below(&random, 66);
            count = i % 16 == 1 ? 0 : count;
            for (size_t k = 0; k < count; k++) {
                const float f = (float)k;
                palette[k] = random_one_in(&random, 5) ? (gyre_spring_matrix){1, 0, 0, 1}
                                                       : (gyre_spring_matrix){f + 2, f + 3, f + 4, -f - 5};
            }
            const size_t begin = random_below(&random, 100), end = SPRINGS - random_below(&random, 1000);
            bool inside = true;
            for (size_t k = 0; k < SPRINGS; k++) {
                position[k] = (float)(k % 11) + 1;
                velocity[k] = (float)(k % 7) + 1;
                which[k] = (uint16_t)random_below(&random, count > 0 ? count : 66);
                inside = inside && (count > 0 || k < begin || k >= end);
                if (i % 3 == 0 && random_one_in(&random, 700)) {
                    which[k] = (uint16_t)(count + random_below(&random, 3));
                    inside = inside && (k < begin || k >= end);
                }
            }
            if (i % 5 == 2) { /* in the elements before the first cache line */
                which[begin] = (uint16_t)count;
                inside = false;
            }
            gyre_springs springs = {.count = SPRINGS, .position = position, .velocity = velocity};
            const gyre_spring_matrix *matrices = count > 0 ? palette : NULL;
            CASE("palette of %zu, springs %zu to %zu", count, begin, end);
            check_status(table->springs_step_palette(&springs, begin, end, matrices, count, which),
                         inside ? GYRE_OK : GYRE_INCOMPLETE);
            for (size_t k = 0; k < SPRINGS; k++) {
                CASE("spring %zu, index %u", k, which[k]);
                const float x = (float)(k % 11) + 1, v = (float)(k % 7) + 1;
                const bool steps = k >= begin && k < end;
                if (steps && which[k] >= count) {
                    check_nan(position[k]);
                    check_nan(velocity[k]);
                    continue;
                }
                const gyre_spring_matrix m = steps ? palette[which[k]] : (gyre_spring_matrix){1, 0, 0, 1};
                check(position[k], ==, m.pos_pos * x + m.pos_vel * v);
                check(velocity[k], ==, m.vel_pos * x + m.vel_vel * v);
            }
        }
    }
}

/* ---- Errors ---- */

static void test_bad_arguments(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {6};
        styles s;
        random_palette(&s, &random, false);
        memset(s.which, 0, sizeof s.which);
        batch b = batch_random(&random, true);
        const batch before = b;
        gyre_springs springs = batch_springs(&b, FEATURE_TARGET);
        check_status(table->springs_step_palette(&springs, 0, BATCH_SPRINGS, s.palette, PALETTE, NULL),
                     GYRE_ERROR_NULL);
        check_status(table->springs_step_palette(&springs, 0, BATCH_SPRINGS, NULL, 1, s.which), GYRE_ERROR_NULL);
        check_status(table->springs_step_palette(&springs, 0, BATCH_SPRINGS, NULL, 0, NULL), GYRE_ERROR_NULL);
        check_status(table->springs_step_palette(&springs, 9, 9, NULL, 0, NULL), GYRE_OK);
        check_bytes(&b, &before, sizeof b);
        /* an empty palette needs no pointer, and every index is outside it */
        check_status(table->springs_step_palette(&springs, 0, BATCH_SPRINGS, NULL, 0, s.which), GYRE_INCOMPLETE);
    }
}

/* Only the identity keeps all bits: a matrix that differs from it in one coefficient is applied, with indices in runs
   or in no order. */
static void test_next_to_the_identity(void **state)
{
    (void)state;
    const gyre_spring_matrix palette[5] = {
        {1, 0, 0, 1}, {0.5f, 0, 0, 1}, {1, 0.5f, 0, 1}, {1, 0, 0.5f, 1}, {1, 0, 0, 0.5f}};
    const float position[5] = {4, 2, 8, 4, 4}, velocity[5] = {8, 8, 8, 10, 4}; /* from position 4 with velocity 8 */
    EACH_TABLE(table) {
        for (size_t run = 1; run <= BATCH_SPRINGS / 5; run += BATCH_SPRINGS / 5 - 1) {
            batch b;
            uint16_t which[BATCH_SPRINGS];
            for (size_t i = 0; i < BATCH_SPRINGS; i++) {
                b.position[i] = 4;
                b.velocity[i] = 8;
                which[i] = (uint16_t)(i / run % 5);
            }
            const gyre_springs springs = batch_springs(&b, 0);
            check_status(table->springs_step_palette(&springs, 0, BATCH_SPRINGS, palette, 5, which), GYRE_OK);
            for (size_t i = 0; i < BATCH_SPRINGS; i++) {
                CASE("spring %zu, matrix %u", i, which[i]);
                check(b.position[i], ==, position[which[i]]);
                check(b.velocity[i], ==, velocity[which[i]]);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_indices_without_order), TEST(test_runs_of_every_length), TEST(test_one_among_others),
        TEST(test_out_of_range),          TEST(test_largest_palette),      TEST(test_many_without_order),
        TEST(test_bad_arguments),         TEST(test_next_to_the_identity),
    };
    return cmocka_run_group_tests_name("spring_palette", tests, NULL, NULL);
}
