/* skip_asleep, awake and rest_scale: sleeping springs are left as they are, where all sleep, only the flags are read,
   and what has to be drawn after a step is awake. */
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
            if (inside) { /* away from its target: it moves, or time stands still for it */
                const bool stands = how.kind == STEP_EACH && how.parameter[3] != NULL && how.parameter[3][where] == 0;
                const unsigned features = springs.position_low != NULL ? FEATURE_LOW : 0;
                check(batch_has_changed(&before, &b, features, where), ==, !stands);
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

/* ---- What has to be drawn ---- */

/* A kind of step, at a frame rate, with springs that come to rest within some seconds: of each kind the same. */
static void random_frames(step_arguments *how, const gyre_kernels *table, random_source *random, step_kind kind,
                          float rate)
{
    random_step(how, random, kind);
    how->dt = 1 / rate;
    for (size_t k = 0; k < STEP_PALETTE_COUNT; k++) {
        const gyre_spring spring = {random_magnitude(random, 3, 6), 0.3f + random_unit(random), random_unit(random)};
        how->palette[k] = matrix_of(table, spring, how->dt);
    }
    for (size_t k = 0; k < BATCH_SPRINGS; k++) {
        how->own_parameter[0][k] = random_magnitude(random, 3, 6);
        how->own_parameter[1][k] = 0.3f + random_unit(random);
        how->own_parameter[3][k] = 0.5f * (float)(k % 4); /* time stands still for some */
    }
}

/* What is drawn is what was there, or what find_awake lists after a step. */
static void draw(const gyre_kernels *table, batch *drawn, const batch *now, uint32_t *listed, size_t *count)
{
    check_status(table->find_awake(now->awake, listed, count, 0, BATCH_SPRINGS), GYRE_OK);
    for (size_t n = 0; n < *count; n++) {
        const uint32_t k = listed[n];
        drawn->position[k] = now->position[k];
        drawn->velocity[k] = now->velocity[k];
        drawn->position_low[k] = now->position_low[k];
        drawn->velocity_low[k] = now->velocity_low[k];
    }
}

static void test_awake_is_all_that_has_to_be_drawn(void **state)
{
    (void)state;
    const float rates[] = {60, 240, 30, 1000};
    EACH_TABLE(table) {
        random_source random = {5};
        size_t listed_in_all = 0, settled = 0;
        for (size_t i = 0; i < effort(120); i++) {
            const step_kind kind = (step_kind)(i % (STEP_EACH + 1));
            unsigned features = nth_features(i) | FEATURE_AWAKE;
            features |= i % 2 ? FEATURE_REST : 0;
            step_arguments how;
            random_frames(&how, table, &random, kind, rates[i / 3 % LENGTH(rates)]);
            batch b = batch_random(&random, true);
            const gyre_springs springs = batch_springs(&b, features);
            batch drawn = b;
            for (size_t frame = 0; frame < 150; frame++) {
                if (frame % 50 == 20) { /* new targets, of which the springs are told */
                    for (size_t k = frame % 3; k < BATCH_SPRINGS; k += 11) {
                        b.target[k] = random_signed(&random, -10, 12);
                        b.awake[k] = 0x80;
                    }
                }
                const batch before = b;
                CASE("%s, features %#x, frame %zu", step_names[kind], features, frame);
                check_status(step_batch(table, &how, &springs, 0, BATCH_SPRINGS), GYRE_OK);
                uint32_t listed[BATCH_SPRINGS];
                size_t count;
                draw(table, &drawn, &b, listed, &count);
                listed_in_all += count;
                for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                    CASE("spring %zu, awake %u", k, b.awake[k]);
                    check_equal_or_nan(drawn.position[k], b.position[k]);
                    check_equal_or_nan(drawn.velocity[k], b.velocity[k]);
                    check_equal_or_nan(drawn.position_low[k], b.position_low[k]);
                    check_equal_or_nan(drawn.velocity_low[k], b.velocity_low[k]);
                    const bool stands = kind == STEP_EACH && how.parameter[3] != NULL && how.parameter[3][k] == 0;
                    const bool sleeps = features & FEATURE_SKIP && before.awake[k] == 0;
                    if (!stands) {
                        check(b.awake[k], ==, !sleeps && batch_has_changed(&before, &b, features, k));
                    }
                    settled += b.awake[k] == 0;
                }
                memcpy(b.target_before, b.target, sizeof b.target);
            }
        }
        check(listed_in_all, >, 0);
        check(settled, >, 0);
    }
}

/* A target that creeps, so slowly that the spring is on it after every step: woken in each frame, it moves in each, and
   what is drawn follows. */
static void test_a_target_that_creeps(void **state)
{
    (void)state;
    const struct {
        float speed, rate, w, z, distance, rest_speed, start;
    } cases[] = {
        {2, 60, 10, 1, 0.1f, 1, 0},
        {-5, 144, 20, 0.5f, 0.1f, 2, 300},
        {0.25f, 30, 6, 2, 0.01f, 0.5f, -7},
        {12, 1000, 15, 0.8f, 0.5f, 1, 1e4f},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < 6 * LENGTH(cases); i++) {
            const size_t c = i / 6;
            const int kind = (int)(i / 2 % 3), low = (int)(i % 2);
            const float dt_s = 1 / cases[c].rate;
            const gyre_spring_matrix m = matrix_of(table, (gyre_spring){cases[c].w, cases[c].z, 0}, dt_s);
            const uint16_t which = 0;
            float s[4] = {cases[c].start, 0, 0, 0}, target = cases[c].start, drawn = cases[c].start;
            uint8_t awake = 1;
            const gyre_springs spring = {
                .count = 1,
                .position = &s[0],
                .velocity = &s[1],
                .target = &target,
                .rest_distance = cases[c].distance,
                .rest_speed = cases[c].rest_speed,
                .awake = &awake,
                .position_low = low ? &s[2] : NULL,
                .velocity_low = low ? &s[3] : NULL,
                .skip_asleep = true,
            };
            for (int frame = 1; frame <= 600; frame++) {
                target = cases[c].start + cases[c].speed * dt_s * (float)frame;
                awake = 1;
                check_status(kind == 0 ? table->springs_step(&spring, 0, 1, &m)
                             : kind == 1
                                 ? table->springs_step_palette(&spring, 0, 1, &m, 1, &which)
                                 : table->springs_step_each(&spring, 0, 1, &cases[c].w, &cases[c].z, NULL, NULL, dt_s),
                             GYRE_OK);
                drawn = awake ? s[0] : drawn;
                CASE("%s, %g u/s at %g Hz, low parts %d, frame %d, target %g", step_names[kind], cases[c].speed,
                     cases[c].rate, low, frame, target);
                check(drawn, ==, s[0]);
                check_within(drawn, target, cases[c].distance);
            }
        }
    }
}

/* A velocity alone, or a low part alone, counts; what rounding holds in place sleeps, though it is away from its target
   or has a velocity. */
static void test_what_counts_as_a_change(void **state)
{
    (void)state;
    const struct {
        const char *what;
        gyre_spring_matrix m;
        float start[4]; /* position, velocity and low parts; the target is 0 */
        int changes;    /* which of them */
        bool low;
    } cases[] = {
        {"velocity", {1, 0x1p-10f, 0, 0.5f}, {1024, 0x1p-10f}, 1, false},
        {"velocity that turns", {1, 0, 0, -1}, {-3, 2}, 1, false},
        {"nothing, with a velocity", {1, 0x1p-10f, 0, 1}, {1024, 0x1p-10f}, -1, false},
        {"nothing, away from the target", {1, 0.5f, 0, 0.5f}, {0x1p20f, 0}, -1, false},
        {"low part of the position", {1, 0x1p-10f, 0, 1}, {1024, 0x1p-10f}, 2, true},
        {"low part of the velocity", {1, 0, 0x1p-30f, 1}, {1, 1, 0, 0x1p-26f}, 3, true},
        {"low part of the position, away", {1, 0x1p-20f, 0, 1}, {-1e7f, 0.5f, 0x1p-3f}, 2, true},
        {"nothing, with low parts", {1, 0, 0, 0.5f}, {5, 0, 0x1p-25f, 0}, -1, true},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < 2 * LENGTH(cases); i++) {
            const size_t c = i / 2;
            const uint16_t which = 0;
            float s[4];
            memcpy(s, cases[c].start, sizeof s);
            uint8_t awake = 1;
            const gyre_springs spring = {.count = 1,
                                         .position = &s[0],
                                         .velocity = &s[1],
                                         .awake = &awake,
                                         .position_low = cases[c].low ? &s[2] : NULL,
                                         .velocity_low = cases[c].low ? &s[3] : NULL,
                                         .skip_asleep = true};
            CASE("%s, palette %zu", cases[c].what, i % 2);
            check_status(i % 2 ? table->springs_step_palette(&spring, 0, 1, &cases[c].m, 1, &which)
                               : table->springs_step(&spring, 0, 1, &cases[c].m),
                         GYRE_OK);
            for (int k = 0; k < 4; k++) {
                CASE("value %d: from %a to %a", k, cases[c].start[k], s[k]);
                check(s[k] != cases[c].start[k], ==, k == cases[c].changes);
            }
            check(awake, ==, cases[c].changes >= 0);
        }
    }
}

/* After a step of no time: 1 where the state is unsettled. */
static void test_a_step_of_no_time(void **state)
{
    (void)state;
    const struct {
        float position, velocity, target, lower, upper;
        bool unsettled;
    } cases[] = {
        {5, 0, 5, NAN, NAN, false},  {5, 0, 6, NAN, NAN, true},   {5, 1, 5, NAN, NAN, true},
        {NAN, 0, 5, NAN, NAN, true}, {5, NAN, 5, NAN, NAN, true}, {5, 0, 4, 5, NAN, false},
        {5, 0, 6, 5, NAN, true},     {5, 0, 6, NAN, 5, false},    {5, 0, 4, NAN, 5, true},
        {5, 0, 9, 3, 5, false},      {3, 0, 1, 3, 5, false},      {3, 0, 9, 3, 5, true},
        {4, 0, 9, 3, 5, true},       {5, -1, 9, 3, 5, true},      {5, 0, INFINITY, NAN, 5, false},
    };
    const gyre_spring_matrix identity = {1, -0.0f, 0, 1};
    const float w = 7, z = 0.5f, no_time = 0;
    const uint16_t which = 0;
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(cases); i++) {
            for (int k = 0; k < 16; k++) {
                const bool low = k & 1, asleep = k & 2;
                const int kind = k / 4;
                float s[4] = {cases[i].position, cases[i].velocity, 0, 0};
                uint8_t awake = asleep ? 0 : 9;
                const gyre_springs spring = {
                    .count = 1,
                    .position = &s[0],
                    .velocity = &s[1],
                    .target = &cases[i].target,
                    .rest_distance = 100, /* which has no effect: nothing moves */
                    .rest_speed = 100,
                    .awake = &awake,
                    .position_low = low ? &s[2] : NULL,
                    .velocity_low = low ? &s[3] : NULL,
                    .lower = &cases[i].lower,
                    .upper = &cases[i].upper,
                    .skip_asleep = asleep,
                };
                CASE("position %g, velocity %g, target %g, in %g..%g, low parts %d, asleep %d, call %d",
                     cases[i].position, cases[i].velocity, cases[i].target, cases[i].lower, cases[i].upper, low, asleep,
                     kind);
                check_status(kind == 0   ? table->springs_step(&spring, 0, 1, &identity)
                             : kind == 1 ? table->springs_step_palette(&spring, 0, 1, &identity, 1, &which)
                             : kind == 2 ? table->springs_step_each(&spring, 0, 1, &w, &z, NULL, NULL, 0)
                                         : table->springs_step_each(&spring, 0, 1, &w, &z, NULL, &no_time, 0.1f),
                             GYRE_OK);
                check_bits(s[0], cases[i].position);
                check_bits(s[1], cases[i].velocity);
                check(awake, ==, cases[i].unsettled && !asleep);
            }
        }
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
            const float old[2] = {s[0], s[1]};
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
            check(awake, ==, !(s[0] == old[0] && s[1] == old[1]));
            if (cases[i / 2].rests) {
                check(s[0], ==, 0);
                check(s[1], ==, 0);
                check_status(table->springs_step(&spring, 0, 1, &keeps), GYRE_OK);
                check(awake, ==, 0);
            } else if (cases[i / 2].x == cases[i / 2].x) {
                check(s[0], ==, old[0]);
                check(s[1], ==, -old[1]);
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
        TEST(test_awake_is_all_that_has_to_be_drawn),
        TEST(test_a_target_that_creeps),
        TEST(test_what_counts_as_a_change),
        TEST(test_a_step_of_no_time),
        TEST(test_rest_scale),
    };
    return cmocka_run_group_tests_name("spring_sleep", tests, NULL, NULL);
}
