/* skip_asleep and rest_scale: sleeping springs are left as they are, and where all sleep, only the flags are read. */
#include "support/batch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Every way of stepping, with and without low parts. */
static step_arguments steps_of(random_source *random, size_t i)
{
    step_arguments how;
    random_step(&how, random, (step_kind)(i % (STEP_EACH + 1)));
    return how;
}

/* ---- What stays unchanged ---- */

/* Sleeping springs keep all their bits and stay asleep, whatever their values and targets. The others get the same bits
   as without skip_asleep. */
static void test_asleep_is_left_alone(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {1};
        for (size_t i = 0; i < effort(1000); i++) {
            const unsigned features = nth_features(i) | FEATURE_SKIP | FEATURE_AWAKE;
            const step_arguments how = steps_of(&random, i);
            batch skipping = batch_random(&random, true);
            const gyre_springs springs = batch_springs(&skipping, features);
            batch stepped = skipping;
            const batch before = skipping;
            const gyre_springs all = batch_springs(&stepped, features & ~(unsigned)FEATURE_SKIP);
            step_arguments same = how;
            for (size_t k = 0; k < 4; k++) {
                same.parameter[k] = how.parameter[k] != NULL ? how.own_parameter[k] : NULL;
            }
            same.which = how.own_which;
            check_status(step_batch(table, &same, &springs, 0, BATCH_SPRINGS), GYRE_OK);
            check_status(step_batch(table, &same, &all, 0, BATCH_SPRINGS), GYRE_OK);
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                const batch *want = batch_sleeps(features, k) ? &before : &stepped;
                CASE("%s, features %#x, spring %zu", step_names[how.kind], features, k);
                check_bits(skipping.position[k], want->position[k]);
                check_bits(skipping.velocity[k], want->velocity[k]);
                check_bits(skipping.position_low[k], want->position_low[k]);
                check_bits(skipping.velocity_low[k], want->velocity_low[k]);
                check(skipping.awake[k], ==, want->awake[k]);
            }
        }
    }
}

/* Where a chunk of 64 springs sleeps, only its flags and the palette indices are read: all other memory faults. */
static void test_nothing_else_is_touched(void **state)
{
    (void)state;
    enum { CHUNK = 64, CHUNKS = 3, ALL = CHUNKS * CHUNK };
    guarded_memory middle = guarded_new(1);
    /* arrays of which only the elements from ALL up exist: the page before them faults */
    float *const gone = (float *)(void *)middle.begin - ALL;
    EACH_TABLE(table) {
        for (unsigned features = 0; features < 16; features++) {
            uint8_t awake[ALL];
            uint16_t which[ALL];
            memset(awake, 0, sizeof awake);
            memset(which, 0, sizeof which);
            gyre_springs springs = {
                .count = ALL,
                .position = gone,
                .velocity = gone,
                .target = gone,
                .rest_distance = 1,
                .rest_speed = 1,
                .awake = awake,
                .skip_asleep = true,
            };
            if (features & 1) {
                springs.position_low = springs.velocity_low = gone;
            }
            if (features & 2) {
                springs.target_before = gone;
            }
            if (features & 4) {
                springs.lower = springs.upper = gone;
            }
            if (features & 8) {
                springs.rest_scale = gone;
            }
            const gyre_spring_matrix m[2] = {{0.5f, 0, 0, 0.5f, 0, 0, {0}}, {1, 0, 0, 1, 0, 0, {0}}};
            for (size_t begin = 0; begin < ALL; begin += 31) {
                CASE("features %#x, springs from %zu on", features, begin);
                for (int identity = 0; identity < 2; identity++) {
                    check_status(table->springs_step(&springs, begin, ALL, &m[identity]), GYRE_OK);
                }
                check_status(table->springs_step_palette(&springs, begin, ALL, m, 2, which), GYRE_OK);
                check_status(table->springs_step_each(&springs, begin, ALL, gone, gone, gone, gone, 0.1f), GYRE_OK);
                check_status(table->springs_step_each(&springs, begin, ALL, gone, gone, NULL, NULL, 0), GYRE_OK);
            }
        }
    }
    guarded_free(middle);
}

/* One awake spring, at every position, among sleeping springs. */
static void test_one_awake(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {3};
        for (size_t where = 0; where < BATCH_SPRINGS; where++) {
            step_arguments how;
            random_step(&how, &random, (step_kind)(where % (STEP_EACH + 1)));
            batch b = batch_random(&random, false);
            gyre_springs springs = batch_springs(&b, FEATURE_TARGET | FEATURE_AWAKE | (where % 2 ? FEATURE_LOW : 0));
            springs.skip_asleep = true;
            memset(b.awake, 0, sizeof b.awake);
            b.awake[where] = 0xff;
            b.position[where] = b.target[where] + 3;
            const batch before = b;
            CASE("%s, spring %zu", step_names[how.kind], where);
            check_status(step_batch(table, &how, &springs, where % 7, BATCH_SPRINGS - where % 5), GYRE_OK);
            const bool inside = where >= where % 7 && where < BATCH_SPRINGS - where % 5;
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                if (k != where || !inside) {
                    check_bits(b.position[k], before.position[k]);
                    check_bits(b.velocity[k], before.velocity[k]);
                    check(b.awake[k], ==, before.awake[k]);
                }
            }
            if (inside && !(how.kind == STEP_EACH && how.parameter[3] != NULL && how.parameter[3][where] == 0)) {
                check(b.position[where] != before.position[where] || b.velocity[where] != before.velocity[where], ==,
                      true);
                check(b.awake[where], ==, 1);
            }
        }
    }
}

/* An index outside the palette is reported for a sleeping spring too, and does not change it. */
static void test_palette(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        for (size_t where = 0; where < BATCH_SPRINGS; where++) {
            random_source random = {4};
            batch b = batch_random(&random, false);
            gyre_springs springs = batch_springs(&b, FEATURE_AWAKE | (where % 2 ? FEATURE_LOW : 0));
            springs.skip_asleep = true;
            memset(b.awake, 0, sizeof b.awake);
            if (where % 3 == 0) {
                b.awake[BATCH_SPRINGS - 1 - where] = 1;
            }
            const gyre_spring_matrix m = {0.5f, 0, 0, 0.5f, 0, 0, {0}};
            uint16_t which[BATCH_SPRINGS] = {0};
            which[where] = 1;
            const batch before = b;
            CASE("spring %zu", where);
            check_status(table->springs_step_palette(&springs, 0, BATCH_SPRINGS, &m, 1, which), GYRE_INCOMPLETE);
            check_bits(b.position[where], before.position[where]);
            check_bits(b.velocity[where], before.velocity[where]);
            check(b.awake[where], ==, 0);
            check_status(table->springs_step_palette(&springs, where + 1, BATCH_SPRINGS, &m, 1, which), GYRE_OK);
            check_status(table->springs_step_palette(&springs, 0, where, &m, 1, which), GYRE_OK);
            check_status(table->springs_step_palette(&springs, 0, BATCH_SPRINGS, NULL, 0, which), GYRE_INCOMPLETE);
        }
    }
}

/* A spring comes to rest, sleeps while its target moves away, and continues when woken. */
static void test_life(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        gyre_spring_matrix m;
        check_status(table->spring_matrix_at((gyre_spring){20, 1, 0}, 1 / 60.0f, &m), GYRE_OK);
        float x = 0, v = 0, target = 1;
        uint8_t awake = 1;
        const gyre_springs spring = {.count = 1,
                                     .position = &x,
                                     .velocity = &v,
                                     .target = &target,
                                     .rest_distance = 1e-3f,
                                     .rest_speed = 1e-2f,
                                     .awake = &awake,
                                     .skip_asleep = true};
        for (int step = 0; step < 60; step++) {
            check_status(table->springs_step(&spring, 0, 1, &m), GYRE_OK);
        }
        check(awake, ==, 0);
        check(x, ==, 1);
        target = 2;
        check_status(table->springs_step(&spring, 0, 1, &m), GYRE_OK);
        check(awake, ==, 0);
        check(x, ==, 1);
        awake = 1;
        check_status(table->springs_step(&spring, 0, 1, &m), GYRE_OK);
        check(awake, ==, 1);
        check(x, >, 1);
    }
}

/* ---- rest_scale ---- */

static void test_rest_scale(void **state)
{
    (void)state;
    const gyre_spring_matrix keeps = {1, 0, 0, -1, 0, 0, {0}};
    const struct {
        float scale, x, v;
        bool rests;
    } cases[] = {
        {1, 0.125f, 0.5f, true},      {1, 0.126f, 0.5f, false},       {1, 0.125f, 0.51f, false},
        {2, 0.25f, 1, true},          {2, 0.25f, 1.01f, false},       {0.5f, 0.125f, 0, false},
        {0.5f, 0.0625f, 0.25f, true}, {0, 0x1p-20f, 0, false},        {-1, 0.01f, 0.01f, false},
        {NAN, 0.01f, 0.01f, false},   {INFINITY, 1e30f, 1e30f, true}, {INFINITY, NAN, 0, false},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < 2 * LENGTH(cases); i++) {
            const bool low = i % 2;
            float s[4] = {cases[i / 2].x, cases[i / 2].v, 0, 0};
            uint8_t awake = 9;
            const gyre_springs spring = {.count = 1,
                                         .position = &s[0],
                                         .velocity = &s[1],
                                         .rest_distance = 0.125f,
                                         .rest_speed = 0.5f,
                                         .awake = &awake,
                                         .position_low = low ? &s[2] : NULL,
                                         .velocity_low = low ? &s[3] : NULL,
                                         .rest_scale = &cases[i / 2].scale};
            check_status(table->springs_step(&spring, 0, 1, &keeps), GYRE_OK);
            CASE("scale %g of %g and %g, low parts %d", cases[i / 2].scale, cases[i / 2].x, cases[i / 2].v, low);
            check(awake, ==, !cases[i / 2].rests);
            if (cases[i / 2].rests) {
                check(s[0], ==, 0);
                check(s[1], ==, 0);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_asleep_is_left_alone),
        TEST(test_nothing_else_is_touched),
        TEST(test_one_awake),
        TEST(test_palette),
        TEST(test_life),
        TEST(test_rest_scale),
    };
    return cmocka_run_group_tests_name("spring_sleep", tests, NULL, NULL);
}
