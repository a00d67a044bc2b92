/* gyre_flings_step: rest, sleep and steps of no time; independence of elements, slices, memory, and invalid
   arguments. */
#include "support/flings.h"

#include <math.h>
#include <string.h>

/* ---- Rest, sleep and identity ---- */

static void test_rest(void **state)
{
    (void)state;
    /* position, velocity after a very short step, with limits 0.5 and 10; wanted position, velocity, awake */
    static const struct {
        float x, v, wanted_x, wanted_v;
        uint8_t awake;
    } cases[] = {
        {50, 0, 50, 0, 0},           {50, 9.9f, 50, 0, 0},      {50, -9.9f, 50, 0, 0},       {50, 10.1f, 50, 10.1f, 1},
        {100, 0, 100, 0, 0},         {100, -9, 100, 0, 0},      {100.4f, 9, 100, 0, 0},      {100.4f, -9, 100, 0, 0},
        {100.4f, 11, 100.4f, 11, 1}, {100.6f, 0, 100.6f, 0, 1}, {-0.4f, 9, 0, 0, 0},         {-0.4f, 0, 0, 0, 0},
        {-0.6f, 0, -0.6f, 0, 1},     {0, 9, 0, 0, 0},           {-0.4f, -11, -0.4f, -11, 1}, {NAN, 0, NAN, NAN, 1},
        {50, NAN, NAN, NAN, 1},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(cases); i++) {
            fling f = {cases[i].x, cases[i].v, 0, 100, 1, {10, 1}};
            uint8_t awake = 0xa5;
            gyre_flings flings = flings_of(&f);
            flings.rest_distance = 0.5f;
            flings.rest_speed = 10;
            flings.awake = &awake;
            CASE("x=%g v=%g", f.position, f.velocity);
            check_status(table->flings_step(&flings, 0, 1, 1e-9f), GYRE_OK);
            if (isnan(cases[i].wanted_x)) {
                check_nan(f.position);
            } else {
                check_within(f.position, cases[i].wanted_x, 1e-4f);
                check_within(f.velocity, cases[i].wanted_v, 1e-4f);
            }
            check(awake, ==, cases[i].awake);
        }
        /* with either limit 0 it never rests beyond the edge */
        for (int k = 0; k < 2; k++) {
            fling f = {100.25f, 0, 0, 100, 1, {0, 0}};
            gyre_flings flings = flings_of(&f);
            *(k ? &flings.rest_distance : &flings.rest_speed) = 10;
            check_status(table->flings_step(&flings, 0, 1, 1), GYRE_OK);
            check(f.position, ==, 100.25f);
        }
    }
}

/* Every fling comes to rest inside or on its edge, or goes on for ever without damping; `awake` shows which. */
static void test_all_come_to_rest(void **state)
{
    (void)state;
    enum { COUNT = 301 };
    EACH_TABLE(table) {
        random_source random = {5};
        float position[COUNT], velocity[COUNT], lower[COUNT], upper[COUNT];
        uint8_t awake[COUNT];
        for (size_t i = 0; i < COUNT; i++) {
            lower[i] = 1000 * random_unit(&random);
            upper[i] = lower[i] + 1000 * random_unit(&random);
            position[i] = 3000 * random_unit(&random) - 500;
            velocity[i] = random_signed(&random, 0, 13);
        }
        gyre_flings flings = {.count = COUNT,
                              .position = position,
                              .velocity = velocity,
                              .lower = lower,
                              .upper = upper,
                              .damping = 2,
                              .spring = {14, 0.8f},
                              .rest_distance = 0.5f,
                              .rest_speed = 10,
                              .awake = awake,
                              .skip_asleep = true};
        memset(awake, 1, sizeof awake);
        for (int steps = 0; steps < 600; steps++) {
            check_status(table->flings_step(&flings, 0, COUNT, 1 / 60.0f), GYRE_OK);
        }
        for (size_t i = 0; i < COUNT; i++) {
            CASE("fling %zu", i);
            check(velocity[i], ==, 0);
            check(awake[i], ==, 0);
            check(position[i], >=, lower[i]);
            check(position[i], <=, upper[i]);
        }
        /* asleep: left unchanged, whatever the values */
        float asleep[2][COUNT];
        for (size_t i = 0; i < COUNT; i++) {
            position[i] = special_floats[i % special_float_count];
            velocity[i] = special_floats[i * 7 % special_float_count];
            awake[i] = i / 70 == 1 && i % 5 == 0 ? 0x80 : 0;
        }
        memcpy(asleep[0], position, sizeof position);
        memcpy(asleep[1], velocity, sizeof velocity);
        check_status(table->flings_step(&flings, 0, COUNT, 0.25f), GYRE_OK);
        for (size_t i = 0; i < COUNT; i++) {
            if (!(i / 70 == 1 && i % 5 == 0)) {
                CASE("fling %zu", i);
                check_bits(position[i], asleep[0][i]);
                check_bits(velocity[i], asleep[1][i]);
                check(awake[i], ==, 0);
            } else {
                check(awake[i], <=, 1);
            }
        }
    }
}

static void test_no_time_is_the_identity(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        for (size_t i = 0; i < special_float_count; i++) {
            for (size_t k = 0; k < special_float_count; k++) {
                fling f = {special_floats[i], special_floats[k], -1, 1, 2, {14, 1}};
                const fling start = f;
                uint8_t awake = 0xa5;
                gyre_flings flings = flings_of(&f);
                flings.awake = &awake;
                flings.rest_distance = flings.rest_speed = 1;
                CASE("x=%a v=%a", f.position, f.velocity);
                check_status(table->flings_step(&flings, 0, 1, i % 2 ? 0.0f : -0.0f), GYRE_OK);
                check_bits(f.position, start.position);
                check_bits(f.velocity, start.velocity);
                check(awake, ==, !(f.velocity == 0 && f.position >= -1 && f.position <= 1));
                awake = 0;
                flings.skip_asleep = true;
                check_status(table->flings_step(&flings, 0, 1, 0), GYRE_OK);
                check(awake, ==, 0);
            }
        }
        /* nor does a step change a fling at rest */
        fling f = {0.1f, 0, 0, 0.3f, 2, {14, 1}};
        check_bits(fling_stepped(table, f, 1 / 60.0f, 100).position, 0.1f);
    }
}

/* Speeds, moves and displacements from the edge become 0 below 2^-95, but not at 2^-95. */
static void test_flush(void **state)
{
    (void)state;
    const float limit = 0x1p-95f, below = nextafterf(limit, 0), speed = 0x1p-90f;
    EACH_TABLE(table) {
        for (int sign = 1; sign >= -1; sign -= 2) {
            const float s = (float)sign;
            CASE("sign %d", sign);
            /* inside, without damping */
            check(fling_stepped(table, (fling){0, s * below, -1, 1, 0, {14, 1}}, 1, 1).velocity, ==, 0);
            check(fling_stepped(table, (fling){0, s * limit, -1, 1, 0, {14, 1}}, 1, 1).velocity, ==, s * limit);
            check(fling_stepped(table, (fling){0, s * speed, -1, 1, 0, {14, 1}}, 0x1p-6f, 1).position, ==, 0);
            check(fling_stepped(table, (fling){0, s * speed, -1, 1, 0, {14, 1}}, 0x1p-5f, 1).position, ==, s * limit);
            /* outside both edges, which are 0, with a spring that has almost no effect */
            check(fling_stepped(table, (fling){s * below, 0, 0, 0, 0, {0x1p-80f, 0}}, 1, 1).position, ==, 0);
            check(fling_stepped(table, (fling){s * limit, 0, 0, 0, 0, {0x1p-80f, 0}}, 1, 1).position, ==, s * limit);
            check(fling_stepped(table, (fling){s, s * below, 0, 0, 0, {0x1p-80f, 0}}, 1, 1).velocity, ==, 0);
            check(fling_stepped(table, (fling){s, s * limit, 0, 0, 0, {0x1p-80f, 0}}, 1, 1).velocity, ==, s * limit);
        }
    }
}

/* A fling that becomes infinite, or is infinite beyond an edge, stays awake. */
static void test_not_finite(void **state)
{
    (void)state;
    static const fling cases[] = {
        {3e38f, 3e38f, 0, NAN, 0, {14, 1}},          {INFINITY, 0, 0, 100, 1, {14, 1}},
        {-INFINITY, 0, 0, 100, 1, {14, 1}},          {50, INFINITY, 0, 100, 1, {14, 1}},
        {50, -INFINITY, NAN, NAN, 1, {14, 1}},       {3e38f, 0, -3e38f, -3e38f, 1, {14, 1}},
        {3e38f, -3e38f, -3e38f, -3e38f, 1, {14, 1}},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(cases); i++) {
            fling f = cases[i];
            uint8_t awake = 1;
            gyre_flings flings = flings_of(&f);
            flings.rest_distance = flings.rest_speed = 1;
            flings.awake = &awake;
            check_status(table->flings_step(&flings, 0, 1, 10), GYRE_OK);
            CASE("x=%g v=%g: got %g and %g", cases[i].position, cases[i].velocity, f.position, f.velocity);
            check_not_finite(isfinite(f.position) ? f.velocity : f.position);
            check(awake, ==, 1);
        }
    }
}

/* `follow` has no effect, but must be valid. */
static void test_follow(void **state)
{
    (void)state;
    const float invalid[] = {-0x1p-149f, 1.0000001f, NAN, INFINITY};
    EACH_TABLE(table) {
        random_source random = {9};
        for (size_t i = 0; i < effort(500); i++) {
            const fling start = random_fling(&random);
            fling other = start;
            other.spring.follow = random_one_in(&random, 2) ? 1 : random_unit(&random);
            const float dt_s = random_magnitude(&random, -8, 0);
            CASE("x=%a v=%a, %a s", start.position, start.velocity, dt_s);
            const fling wanted = fling_stepped(table, start, dt_s, 2), got = fling_stepped(table, other, dt_s, 2);
            check_bits(got.position, wanted.position);
            check_bits(got.velocity, wanted.velocity);
        }
        for (size_t i = 0; i < LENGTH(invalid); i++) {
            fling f = {50, 100, 0, 100, 2, {14, 1, invalid[i]}};
            const gyre_flings flings = flings_of(&f);
            CASE("follow %a", invalid[i]);
            check_status(table->flings_step(&flings, 0, 1, 0.1f), GYRE_ERROR_VALUE);
            check(f.position, ==, 50);
        }
    }
}

/* ---- Elements ---- */

enum { MANY = 203 };

typedef struct many_flings {
    float position[MANY], velocity[MANY], lower[MANY], upper[MANY];
    uint8_t awake[MANY];
} many_flings;

static many_flings random_many(random_source *random)
{
    many_flings b;
    for (size_t i = 0; i < MANY; i++) {
        const fling f = random_fling(random);
        b.position[i] = f.position;
        b.velocity[i] = f.velocity;
        b.lower[i] = f.lower;
        b.upper[i] = f.upper;
        b.awake[i] = random_one_in(random, 3) ? 0 : 0x10;
        if (random_one_in(random, 8)) {
            *(float *const[]){b.position, b.velocity, b.lower, b.upper}[random_below(random, 4)] =
                special_floats[random_below(random, special_float_count)];
        }
    }
    memset(b.awake + 50, 0, 100);
    return b;
}

static void step_many(const gyre_kernels *table, many_flings *b, unsigned form, size_t begin, size_t end, float dt_s)
{
    const gyre_flings flings = {.count = MANY,
                                .position = b->position,
                                .velocity = b->velocity,
                                .lower = form & 1 ? b->lower : NULL,
                                .upper = form & 2 ? b->upper : NULL,
                                .damping = 1.5f,
                                .spring = {15, 0.3f},
                                .rest_distance = 0.1f,
                                .rest_speed = 2,
                                .awake = form & 12 ? b->awake : NULL,
                                .skip_asleep = form & 8};
    check_status(table->flings_step(&flings, begin, end, dt_s), GYRE_OK);
}

static void check_same_many(const many_flings *got, const many_flings *wanted)
{
    check_floats(got->position, wanted->position, MANY);
    check_floats(got->velocity, wanted->velocity, MANY);
    check_bytes(got->awake, wanted->awake, MANY);
}

static void test_slices(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {6};
        for (unsigned i = 0; i < effort(800); i++) {
            const many_flings before = random_many(&random);
            many_flings whole = before, sliced = before, outside = before;
            const size_t begin = random_below(&random, MANY), end = begin + random_below(&random, MANY - begin + 1);
            const float dt_s = random_magnitude(&random, -7, 0);
            CASE("form %u, elements %zu to %zu", i % 16, begin, end);
            step_many(table, &whole, i % 16, begin, end, dt_s);
            for (size_t from = begin, to; from < end; from = to) {
                to = from + 1 + random_below(&random, 1 + random_below(&random, 90));
                to = to < end ? to : end;
                step_many(table, &sliced, i % 16, from, to, dt_s);
            }
            check_same_many(&sliced, &whole);
            memcpy(outside.position + begin, whole.position + begin, (end - begin) * sizeof(float));
            memcpy(outside.velocity + begin, whole.velocity + begin, (end - begin) * sizeof(float));
            memcpy(outside.awake + begin, whole.awake + begin, end - begin);
            check_same_many(&whole, &outside);
        }
    }
}

static void test_isolation(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {7};
        for (unsigned i = 0; i < effort(800); i++) {
            many_flings clean = random_many(&random), poisoned = clean;
            const size_t where = random_below(&random, MANY), array = random_below(&random, 4);
            const float bad = special_floats[random_below(&random, special_float_count)];
            (float *const[]){poisoned.position, poisoned.velocity, poisoned.lower, poisoned.upper}[array][where] = bad;
            CASE("form %u, %a in array %zu of fling %zu", i % 16, bad, array, where);
            step_many(table, &clean, i % 16, 0, MANY, 0.1f);
            step_many(table, &poisoned, i % 16, 0, MANY, 0.1f);
            clean.position[where] = poisoned.position[where];
            clean.velocity[where] = poisoned.velocity[where];
            clean.awake[where] = poisoned.awake[where];
            check_same_many(&poisoned, &clean);
        }
    }
}

/* Arrays of any alignment; no byte outside them is touched. */
static void test_memory(void **state)
{
    (void)state;
    guarded_memory memory[5];
    for (size_t k = 0; k < 5; k++) {
        memory[k] = guarded_new(MANY * sizeof(float) + 64);
    }
    EACH_TABLE(table) {
        random_source random = {8};
        for (size_t count = 1; count <= 70; count++) {
            for (int at_end = 0; at_end < 2; at_end++) {
                many_flings b = random_many(&random);
                float *arrays[4], *const from[4] = {b.position, b.velocity, b.lower, b.upper};
                for (size_t k = 0; k < 4; k++) {
                    arrays[k] = at_end ? (float *)(void *)memory[k].end - count : (float *)(void *)memory[k].begin + k;
                    memcpy(arrays[k], from[k], count * sizeof(float));
                }
                uint8_t *awake = at_end ? memory[4].end - count : memory[4].begin + count % 5;
                memset(awake, (int)(count % 3), count);
                const gyre_flings flings = {.count = count,
                                            .position = arrays[0],
                                            .velocity = arrays[1],
                                            .lower = arrays[2],
                                            .upper = arrays[3],
                                            .damping = 1,
                                            .spring = {9, 0.5f},
                                            .awake = awake,
                                            .skip_asleep = count % 2};
                CASE("%zu flings", count);
                check_status(table->flings_step(&flings, 0, count, 0.1f), GYRE_OK);
            }
        }
    }
    for (size_t k = 0; k < 5; k++) {
        guarded_free(memory[k]);
    }
}

static void test_bad_arguments(void **state)
{
    (void)state;
    const float invalid[] = {NAN, INFINITY, -INFINITY, -1, -0x1p-149f};
    EACH_TABLE(table) {
        fling f = {50, 100, 0, 100, 2, {14, 1}};
        const fling before = f;
        const gyre_flings good = flings_of(&f);
        check_status(table->flings_step(NULL, 0, 1, 0.1f), GYRE_ERROR_NULL);
        check_status(table->flings_step(&good, 1, 0, 0.1f), GYRE_ERROR_RANGE);
        check_status(table->flings_step(&good, 0, 2, 0.1f), GYRE_ERROR_RANGE);
        for (size_t k = 0; k < LENGTH(invalid); k++) {
            CASE("%a", invalid[k]);
            check_status(table->flings_step(&good, 0, 1, invalid[k]), GYRE_ERROR_VALUE);
            for (size_t member = 0; member < 5; member++) {
                gyre_flings bad = good;
                *(float *const[]){&bad.damping, &bad.spring.angular_frequency, &bad.spring.damping_ratio,
                                  &bad.rest_distance, &bad.rest_speed}[member] = invalid[k];
                check_status(table->flings_step(&bad, 0, 1, 0.1f), GYRE_ERROR_VALUE);
            }
        }
        gyre_flings bad = good;
        bad.position = NULL;
        check_status(table->flings_step(&bad, 0, 1, 0.1f), GYRE_ERROR_NULL);
        check_status(table->flings_step(&bad, 1, 1, 0.1f), GYRE_OK);
        bad = good;
        bad.velocity = NULL;
        check_status(table->flings_step(&bad, 0, 1, 0), GYRE_ERROR_NULL);
        bad = good;
        bad.skip_asleep = true;
        check_status(table->flings_step(&bad, 0, 1, 0.1f), GYRE_ERROR_NULL);
        check_bytes(&f, &before, sizeof f);
        check_status(table->flings_step(&(gyre_flings){0}, 0, 0, 0.1f), GYRE_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_rest),          TEST(test_all_come_to_rest), TEST(test_no_time_is_the_identity),
        TEST(test_flush),         TEST(test_not_finite),       TEST(test_follow),
        TEST(test_slices),        TEST(test_isolation),        TEST(test_memory),
        TEST(test_bad_arguments),
    };
    return cmocka_run_group_tests_name("particle_flings_rest", tests, NULL, NULL);
}
