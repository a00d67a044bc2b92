/* Batches of flings: what awake lists, slices, isolation, memory and arguments. */
#include "support/flings.h"

#include <math.h>
#include <string.h>

enum { MANY = 203 };

typedef struct many_flings {
    float position[MANY], velocity[MANY], lower[MANY], upper[MANY], rest_at[MANY];
    float position_low[MANY], velocity_low[MANY];
    uint8_t awake[MANY];
} many_flings;

enum { MANY_ARRAYS = 7 };
static void arrays_of(many_flings *b, float *arrays[MANY_ARRAYS])
{
    float *const all[] = {b->position, b->velocity, b->lower, b->upper, b->rest_at, b->position_low, b->velocity_low};
    memcpy(arrays, all, sizeof all);
}

/* Forms of a call: which arrays it has. */
enum {
    MANY_LOWER = 1,
    MANY_UPPER = 2,
    MANY_AWAKE = 4,
    MANY_SKIP = 8,
    MANY_LOW = 16,
    MANY_PLACES = 32,
    MANY_FORMS = 64
};

static many_flings random_many(random_source *random)
{
    many_flings b;
    for (size_t i = 0; i < MANY; i++) {
        const fling f = random_fling(random);
        b.position[i] = f.position;
        b.velocity[i] = f.velocity;
        b.lower[i] = f.lower;
        b.upper[i] = f.upper;
        b.rest_at[i] = random_one_in(random, 3) ? f.rest_at : f.position + f.velocity / 1.5f;
        b.position_low[i] = f.position_low;
        b.velocity_low[i] = f.velocity_low;
        b.awake[i] = random_one_in(random, 3) ? 0 : 0x10;
        if (random_one_in(random, 8)) {
            float *arrays[MANY_ARRAYS];
            arrays_of(&b, arrays);
            arrays[random_below(random, MANY_ARRAYS)][i] = special_floats[random_below(random, special_float_count)];
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
                                .lower = form & MANY_LOWER ? b->lower : NULL,
                                .upper = form & MANY_UPPER ? b->upper : NULL,
                                .damping = 1.5f,
                                .spring = {15, 0.3f},
                                .rest_distance = 0.1f,
                                .rest_speed = 2,
                                .awake = form & (MANY_AWAKE | MANY_SKIP) ? b->awake : NULL,
                                .skip_asleep = form & MANY_SKIP,
                                .position_low = form & MANY_LOW ? b->position_low : NULL,
                                .velocity_low = form & MANY_LOW ? b->velocity_low : NULL,
                                .rest_at = form & MANY_PLACES ? b->rest_at : NULL};
    check_status(table->flings_step(&flings, begin, end, dt_s), GYRE_OK);
}

static void check_same_many(const many_flings *got, const many_flings *wanted)
{
    check_floats(got->position, wanted->position, MANY);
    check_floats(got->velocity, wanted->velocity, MANY);
    check_floats(got->position_low, wanted->position_low, MANY);
    check_floats(got->velocity_low, wanted->velocity_low, MANY);
    check_bytes(got->awake, wanted->awake, MANY);
}

/* Copying what is awake after each step keeps a copy equal to the state. */
static void test_awake_is_all_that_has_to_be_drawn(void **state)
{
    (void)state;
    const float rates[] = {60, 240, 30, 1000};
    EACH_TABLE(table) {
        random_source random = {10};
        size_t listed_in_all = 0, settled = 0;
        for (unsigned i = 0; i < effort(192); i++) {
            const unsigned form = i % MANY_FORMS | MANY_AWAKE;
            const float rate = rates[i / 3 % LENGTH(rates)];
            many_flings b = random_many(&random), drawn = b;
            for (int frame = 0; frame < 120; frame++) {
                if (frame % 40 == 30) { /* thrown again, of which they are told */
                    for (size_t k = (size_t)frame % 7; k < MANY; k += 5) {
                        b.velocity[k] = random_signed(&random, 0, 12);
                        b.awake[k] = 1;
                    }
                }
                const many_flings before = b;
                step_many(table, &b, form, 0, MANY, 1 / rate);
                uint32_t listed[MANY];
                size_t count;
                check_status(table->find_awake(b.awake, listed, &count, 0, MANY), GYRE_OK);
                listed_in_all += count;
                for (size_t n = 0; n < count; n++) {
                    const uint32_t k = listed[n];
                    drawn.position[k] = b.position[k];
                    drawn.velocity[k] = b.velocity[k];
                    drawn.position_low[k] = b.position_low[k];
                    drawn.velocity_low[k] = b.velocity_low[k];
                }
                for (size_t k = 0; k < MANY; k++) {
                    CASE("form %u, frame %d at %g Hz, fling %zu, awake %u", form, frame, rate, k, b.awake[k]);
                    check_equal_or_nan(drawn.position[k], b.position[k]);
                    check_equal_or_nan(drawn.velocity[k], b.velocity[k]);
                    check_equal_or_nan(drawn.position_low[k], b.position_low[k]);
                    check_equal_or_nan(drawn.velocity_low[k], b.velocity_low[k]);
                    const fling old = {before.position[k], before.velocity[k], .position_low = before.position_low[k],
                                       .velocity_low = before.velocity_low[k]},
                                new = {b.position[k], b.velocity[k], .position_low = b.position_low[k],
                                       .velocity_low = b.velocity_low[k]};
                    const bool sleeps = form & MANY_SKIP && before.awake[k] == 0;
                    check(b.awake[k], ==,
                          !sleeps && fling_has_changed(&old, &new, form & MANY_LOW ? FLING_WITH_LOW : 0));
                    settled += b.awake[k] == 0;
                }
            }
        }
        check(listed_in_all, >, 0);
        check(settled, >, 0);
    }
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
            const float dt_s = i % 11 == 10 ? 0 : random_magnitude(&random, -7, 0);
            const unsigned form = i % MANY_FORMS;
            CASE("form %u, elements %zu to %zu, %a s", form, begin, end, dt_s);
            step_many(table, &whole, form, begin, end, dt_s);
            for (size_t from = begin, to; from < end; from = to) {
                to = from + 1 + random_below(&random, 1 + random_below(&random, 90));
                to = to < end ? to : end;
                step_many(table, &sliced, form, from, to, dt_s);
            }
            check_same_many(&sliced, &whole);
            memcpy(outside.position + begin, whole.position + begin, (end - begin) * sizeof(float));
            memcpy(outside.velocity + begin, whole.velocity + begin, (end - begin) * sizeof(float));
            memcpy(outside.position_low + begin, whole.position_low + begin, (end - begin) * sizeof(float));
            memcpy(outside.velocity_low + begin, whole.velocity_low + begin, (end - begin) * sizeof(float));
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
            const size_t where = random_below(&random, MANY), array = random_below(&random, MANY_ARRAYS);
            const float bad = special_floats[random_below(&random, special_float_count)];
            float *arrays[MANY_ARRAYS];
            arrays_of(&poisoned, arrays);
            arrays[array][where] = bad;
            const unsigned form = i % MANY_FORMS;
            CASE("form %u, %a in array %zu of fling %zu", form, bad, array, where);
            step_many(table, &clean, form, 0, MANY, 0.1f);
            step_many(table, &poisoned, form, 0, MANY, 0.1f);
            clean.position[where] = poisoned.position[where];
            clean.velocity[where] = poisoned.velocity[where];
            clean.position_low[where] = poisoned.position_low[where];
            clean.velocity_low[where] = poisoned.velocity_low[where];
            clean.awake[where] = poisoned.awake[where];
            check_same_many(&poisoned, &clean);
        }
    }
}

/* Arrays of any alignment; no byte outside them is touched. */
static void test_memory(void **state)
{
    (void)state;
    enum { ALL = MANY_ARRAYS + 1 };
    guarded_memory memory[ALL];
    for (size_t k = 0; k < ALL; k++) {
        memory[k] = guarded_new(MANY * sizeof(float) + 64);
    }
    EACH_TABLE(table) {
        random_source random = {8};
        for (size_t count = 1; count <= 70; count++) {
            for (int at_end = 0; at_end < 2; at_end++) {
                many_flings b = random_many(&random);
                float *arrays[MANY_ARRAYS], *from[MANY_ARRAYS];
                arrays_of(&b, from);
                for (size_t k = 0; k < MANY_ARRAYS; k++) {
                    arrays[k] = at_end ? (float *)(void *)memory[k].end - count : (float *)(void *)memory[k].begin + k;
                    memcpy(arrays[k], from[k], count * sizeof(float));
                }
                uint8_t *awake = at_end ? memory[MANY_ARRAYS].end - count : memory[MANY_ARRAYS].begin + count % 5;
                memset(awake, (int)(count % 3), count);
                gyre_flings flings = {.count = count,
                                      .position = arrays[0],
                                      .velocity = arrays[1],
                                      .lower = arrays[2],
                                      .upper = arrays[3],
                                      .damping = 1,
                                      .spring = {9, 0.5f},
                                      .awake = awake,
                                      .skip_asleep = count % 2};
                for (unsigned features = 0; features < FLING_FEATURES; features++) {
                    flings.rest_at = features & FLING_WITH_PLACE ? arrays[4] : NULL;
                    flings.position_low = features & FLING_WITH_LOW ? arrays[5] : NULL;
                    flings.velocity_low = features & FLING_WITH_LOW ? arrays[6] : NULL;
                    CASE("%zu flings, features %u", count, features);
                    check_status(table->flings_step(&flings, 0, count, 0.1f), GYRE_OK);
                    check_status(table->flings_step(&flings, 0, count, 0), GYRE_OK);
                }
            }
        }
    }
    for (size_t k = 0; k < ALL; k++) {
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
        const gyre_flings low = flings_with(&f, FLING_WITH_LOW);
        bad = low;
        bad.velocity_low = NULL;
        check_status(table->flings_step(&bad, 0, 1, 0.1f), GYRE_ERROR_NULL);
        check_status(table->flings_step(&bad, 0, 1, 0), GYRE_ERROR_NULL);
        check_status(table->flings_step(&bad, 0, 0, 0.1f), GYRE_OK);
        check_status(table->flings_step(&bad, 0, 2, 0.1f), GYRE_ERROR_RANGE);
        check_bytes(&f, &before, sizeof f);
        bad = low; /* decides alone: velocity_low without it is not used */
        bad.position_low = NULL;
        f.velocity_low = 1;
        check_status(table->flings_step(&bad, 0, 1, 0.1f), GYRE_OK);
        const fling plain = fling_stepped(table, before, 0.1f, 1);
        check_bits(f.position, plain.position);
        check_bits(f.velocity, plain.velocity);
        check_bits(f.velocity_low, 1);
        check_status(table->flings_step(&(gyre_flings){0}, 0, 0, 0.1f), GYRE_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_awake_is_all_that_has_to_be_drawn),
        TEST(test_slices),
        TEST(test_isolation),
        TEST(test_memory),
        TEST(test_bad_arguments),
    };
    return cmocka_run_group_tests_name("particle_flings_batches", tests, NULL, NULL);
}
