/* gyre_decelerate: its stated error for any vectors, decelerations and times, the same stop at every frame rate, and
   its contract. */
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef long double real;

enum { MOST = 4 };

typedef struct moving {
    float x[MOST], v[MOST];
} moving;

static moving decelerated(const gyre_kernels *table, moving m, size_t components, float deceleration, float dt_s)
{
    float *const x[MOST] = {&m.x[0], &m.x[1], &m.x[2], &m.x[3]}, *const v[MOST] = {&m.v[0], &m.v[1], &m.v[2], &m.v[3]};
    check_status(table->decelerate(x, v, components, deceleration, dt_s, 0, 1), GYRE_OK);
    return m;
}

/* |v|, where long double may have no more range than double. */
static real length_of(const float *v, size_t components)
{
    real largest = 0, sum = 0;
    for (size_t c = 0; c < components; c++) {
        largest = fmaxl(largest, fabsl(v[c]));
    }
    for (size_t c = 0; c < components && largest > 0; c++) {
        sum += (v[c] / largest) * (v[c] / largest);
    }
    return largest * sqrtl(sum);
}

/* Within half an ulp and 2^-50 of what the result is made of. */
static void check_result(worst_case *worst, float got, real exact, real made_of)
{
    if (fabsl(exact) >= FLT_MAX) {
        check(fabsf(got), >=, FLT_MAX);
        return;
    }
    const real off = fabsl(got - exact), in_ulps = ulps_off(got, exact), ulp = off > 0 ? off / in_ulps : 1;
    check_share(worst, (double)(in_ulps / (0.5001L + 0x1p-50L * made_of / ulp)));
}

static void test_error(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {1};
        worst_case of_position = {0}, of_velocity = {0};
        size_t stopped = 0, slower = 0, faster = 0;
        for (size_t i = 0; i < effort(200000); i++) {
            const size_t components = 1 + i % MOST;
            const bool any = i / MOST % 2;
            moving m;
            for (size_t c = 0; c < MOST; c++) {
                m.x[c] = any ? random_signed(&random, -149, 127) : random_signed(&random, -8, 12);
                m.v[c] = random_one_in(&random, 8) ? 0
                         : any                     ? random_signed(&random, -149, 127)
                                                   : random_signed(&random, -8, 10);
            }
            const real speed = length_of(m.v, components);
            const float dt = any ? random_magnitude(&random, -60, 20) : random_magnitude(&random, -12, 3);
            const float a = random_one_in(&random, 9) ? 0 /* or what leaves a part of the speed, or nothing, or stops */
                            : i % 3 ? (float)fminl(FLT_MAX, speed / dt * random_magnitude(&random, -6, 3))
                                    : random_magnitude(&random, -149, 128);
            const float signed_dt = i % 7 == 0 ? -dt : dt;
            CASE("(%a, %a, %a, %a) + (%a, %a, %a, %a) t, %zu components, %a by %a", m.x[0], m.x[1], m.x[2], m.x[3],
                 m.v[0], m.v[1], m.v[2], m.v[3], components, a, signed_dt);
            const moving got = decelerated(table, m, components, a, signed_dt);
            const real lost = (real)a * signed_dt;
            const bool stops = lost >= speed && speed > 0;
            for (size_t c = 0; c < components; c++) {
                const real v = m.v[c], time = stops       ? speed / (2 * (real)a)
                                              : speed > 0 ? signed_dt - lost / speed * signed_dt / 2
                                                          : 0;
                const real kept = stops ? 0 : speed > 0 ? 1 - lost / speed : 1;
                check_result(&of_position, got.x[c], m.x[c] + v * time, fabsl(v * time));
                check_result(&of_velocity, got.v[c], v * kept, fabsl(v));
                if (lost >= speed * (1 + 0x1p-50L)) {
                    check(got.v[c], ==, 0);
                }
            }
            for (size_t c = components; c < MOST; c++) {
                check_bits(got.x[c], m.x[c]);
                check_bits(got.v[c], m.v[c]);
            }
            stopped += stops;
            slower += !stops && lost > 0;
            faster += lost < 0;
        }
        check(stopped, >, effort(200000) / 8);
        check(slower, >, effort(200000) / 8);
        check(faster, >, effort(200000) / 16);
        print_worst("position", &of_position);
        print_worst("velocity", &of_velocity);
    }
}

/* 160 u/s by 150 u/s^2: after 16/15 s, at 256/3 u; along an axis, and along a diagonal of three. */
static void test_same_stop_at_every_frame_rate(void **state)
{
    (void)state;
    const int rates[] = {1, 7, 30, 60, 120, 240, 1000};
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(rates); i++) {
            for (size_t components = 1; components <= 3; components += 2) {
                const float dt = 1 / (float)rates[i];
                moving m = {{0}, {160}};
                if (components == 3) {
                    m = (moving){{0}, {160.0f * 2 / 7, -160.0f * 3 / 7, 160.0f * 6 / 7}};
                }
                int frames = 0;
                for (; length_of(m.v, components) > 0 && frames < 3000; frames++) {
                    m = decelerated(table, m, components, 150, dt);
                }
                CASE("%zu components at %d Hz: %d frames", components, rates[i], frames);
                check_within((double)frames / rates[i], 16 / 15.0, 1.0001 / rates[i]);
                check_within(length_of(m.x, components), 256 / 3.0, 256 / 3.0 * frames * 0x1p-24);
                const moving later = decelerated(table, m, components, 150, dt);
                check_bytes(&later, &m, sizeof m);
            }
        }
    }
}

/* Ten steps of a tenth end where one step ends, and back in time a moving vector comes from where it was. */
static void test_parts_of_a_step(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {3};
        for (size_t i = 0; i < effort(5000); i++) {
            moving m = {{0}, {0}};
            for (size_t c = 0; c < 3; c++) {
                m.x[c] = random_signed(&random, -2, 4);
                m.v[c] = random_signed(&random, -2, 4);
            }
            const float a = random_magnitude(&random, -3, 5), dt = random_magnitude(&random, -4, 1);
            CASE("(%a, %a, %a) + (%a, %a, %a) t, %a by %a", m.x[0], m.x[1], m.x[2], m.v[0], m.v[1], m.v[2], a, dt);
            const moving once = decelerated(table, m, 3, a, dt);
            moving often = m;
            for (int k = 0; k < 10; k++) {
                often = decelerated(table, often, 3, a, dt * 0.1f);
            }
            const bool moves = length_of(once.v, 3) > 1;
            const moving back = decelerated(table, once, 3, a, -dt);
            for (size_t c = 0; c < 3; c++) {
                check_within(often.x[c], once.x[c], 0x1p-16f);
                check_within(often.v[c], once.v[c], 0x1p-16f);
                if (moves) {
                    check_within(back.x[c], m.x[c], 0x1p-16f);
                    check_within(back.v[c], m.v[c], 0x1p-16f);
                }
            }
        }
    }
}

static void test_values(void **state)
{
    (void)state;
    const struct {
        moving start;
        float a, dt;
        moving wanted;
    } cases[] = {
        {{{1, 2, 0, 0}, {3, 4, 0, 0}}, 1, 1, {{3.7f, 5.6f, 0, 0}, {2.4f, 3.2f, 0, 0}}},
        {{{1, 2, 0, 0}, {3, 4, 0, 0}}, 5, 1, {{2.5f, 4, 0, 0}, {0, 0, 0, 0}}},
        {{{0}, {1, 0, 0, 0}}, 1 + 0x1p-12f, 1, {{0x1.ffe002p-2f, 0, 0, 0}, {0, 0, 0, 0}}}, /* just within the step */
        {{{1, 2, 0, 0}, {3, 4, 0, 0}}, 5, 1000, {{2.5f, 4, 0, 0}, {0, 0, 0, 0}}},
        {{{1, 2, 0, 0}, {3, 4, 0, 0}}, 0, 2, {{7, 10, 0, 0}, {3, 4, 0, 0}}},
        {{{1, 2, 0, 0}, {3, 4, 0, 0}}, 5, -1, {{-3.5f, -4, 0, 0}, {6, 8, 0, 0}}},
        {{{1, -0.0f, 3, NAN}, {0, -0.0f, 0, 0}}, 5, 1, {{1, -0.0f, 3, NAN}, {0, -0.0f, 0, 0}}},
        {{{1, -0.0f, 3, NAN}, {0, -0.0f, 0, 0}}, 0, -1, {{1, -0.0f, 3, NAN}, {0, -0.0f, 0, 0}}},
        {{{0}, {0x1p-149f, 0, 0, 0}}, 0x1p-149f, 1, {{0}, {0}}},
        {{{0}, {0x1.8p-148f, 0, 0, 0}}, 0x1p-149f, 1, {{0x1p-148f, 0, 0, 0}, {0x1p-148f, 0, 0, 0}}},
        {{{0}, {0x1p-100f, 0x1p-100f, 0x1p-100f, 0x1p-100f}}, FLT_MAX, FLT_MAX, {{0}, {0}}},
        {{{0}, {FLT_MAX, 0, 0, 0}}, FLT_MAX, 0.5f, {{FLT_MAX * 0.375f, 0, 0, 0}, {FLT_MAX / 2, 0, 0, 0}}},
        {{{0}, {FLT_MAX, 0, 0, 0}}, 0, 2, {{INFINITY, 0, 0, 0}, {FLT_MAX, 0, 0, 0}}},
        {{{NAN, INFINITY, 1, 1}, {0, 0, 2, 0}}, 1, 1, {{NAN, INFINITY, 2.5f, 1}, {0, 0, 1, 0}}},
        {{{1, 1, 1, 1}, {1, NAN, 0, 0}}, 1, 1, {{NAN, NAN, NAN, NAN}, {NAN, NAN, NAN, NAN}}},
        {{{1, 1, 1, 1}, {1, 0, -INFINITY, 0}}, 1, 100, {{NAN, NAN, NAN, NAN}, {NAN, NAN, NAN, NAN}}},
        {{{1, 1, 1, -0.0f}, {1, 0, -INFINITY, NAN}}, 1, 0, {{1, 1, 1, -0.0f}, {1, 0, -INFINITY, NAN}}},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(cases); i++) {
            const moving got = decelerated(table, cases[i].start, 4, cases[i].a, cases[i].dt),
                         *wanted = &cases[i].wanted;
            for (size_t c = 0; c < MOST; c++) {
                CASE("case %zu, component %zu", i, c);
                check_same(got.x[c], wanted->x[c]);
                check_same(got.v[c], wanted->v[c]);
            }
        }
    }
}

/* Any slice of arrays that end where memory does; each vector by itself, also beside NaN and beside what stands. */
static void test_slices(void **state)
{
    (void)state;
    enum { COUNT = 75 };
    guarded_memory memory[2 * MOST];
    for (size_t c = 0; c < 2 * MOST; c++) {
        memory[c] = guarded_new(COUNT * sizeof(float));
    }
    EACH_TABLE(table) {
        random_source random = {2};
        for (size_t round = 0; round < effort(4000); round++) {
            const size_t components = 1 + round % MOST, end = 1 + random_below(&random, COUNT);
            const size_t begin = random_below(&random, end), standing = round % 3 == 0 ? 1 : 2 + 60 * (round % 3);
            moving start[COUNT];
            float *x[MOST], *v[MOST];
            for (size_t c = 0; c < MOST; c++) {
                x[c] = (float *)(void *)(memory[c].end - end * sizeof(float));
                v[c] = (float *)(void *)(memory[MOST + c].end - end * sizeof(float));
            }
            for (size_t i = 0; i < end; i++) {
                const bool stands = random_one_in(&random, standing);
                for (size_t c = 0; c < MOST; c++) {
                    x[c][i] = start[i].x[c] = random_one_in(&random, 50) ? NAN : random_signed(&random, -4, 3);
                    v[c][i] = start[i].v[c] = stands                       ? 0
                                              : random_one_in(&random, 50) ? NAN
                                                                           : random_signed(&random, -4, 3);
                }
            }
            const float a = round % 5 == 0 ? 0 : 3, dt = round % 7 == 0 ? -0.5f : 0.5f;
            CASE("%zu components, vectors %zu to %zu, %g by %g", components, begin, end, a, dt);
            check_status(table->decelerate(x, v, components, a, dt, begin, end), GYRE_OK);
            for (size_t i = 0; i < end; i++) {
                const moving wanted = i < begin ? start[i] : decelerated(table, start[i], components, a, dt);
                for (size_t c = 0; c < MOST; c++) {
                    CASE("vector %zu, component %zu", i, c);
                    check_same(x[c][i], wanted.x[c]);
                    check_same(v[c][i], wanted.v[c]);
                }
            }
        }
    }
    for (size_t c = 0; c < 2 * MOST; c++) {
        guarded_free(memory[c]);
    }
}

static void test_bad_arguments(void **state)
{
    (void)state;
    const float bad_decelerations[] = {-1, -0x1p-149f, NAN, INFINITY}, bad_times[] = {NAN, INFINITY, -INFINITY};
    EACH_TABLE(table) {
        float x = 5, v = 5;
        float *all[] = {&x, &v}, *missing[] = {&x, NULL};
        for (size_t i = 0; i < LENGTH(bad_decelerations); i++) {
            CASE("deceleration %a", bad_decelerations[i]);
            check_status(table->decelerate(all, all + 1, 1, bad_decelerations[i], 1, 0, 1), GYRE_ERROR_VALUE);
        }
        for (size_t i = 0; i < LENGTH(bad_times); i++) {
            CASE("time %a", bad_times[i]);
            check_status(table->decelerate(all, all + 1, 1, 1, bad_times[i], 0, 1), GYRE_ERROR_VALUE);
        }
        check_status(table->decelerate(all, all, 0, 1, 1, 0, 1), GYRE_ERROR_VALUE);
        check_status(table->decelerate(all, all, 5, 1, 1, 0, 1), GYRE_ERROR_VALUE);
        check_status(table->decelerate(all, all + 1, 1, 1, 1, 1, 0), GYRE_ERROR_RANGE);
        check_status(table->decelerate(missing, all, 2, 1, 1, 0, 1), GYRE_ERROR_NULL);
        check_status(table->decelerate(all, missing, 2, 1, 1, 0, 1), GYRE_ERROR_NULL);
        check_status(table->decelerate(NULL, all, 1, 1, 1, 0, 1), GYRE_ERROR_NULL);
        check_status(table->decelerate(all, NULL, 1, 1, 0, 0, 1), GYRE_ERROR_NULL);
        check_status(table->decelerate(NULL, NULL, 1, 1, 1, 3, 3), GYRE_OK);
        check(x, ==, 5);
        check(v, ==, 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_error),           TEST(test_same_stop_at_every_frame_rate),
                                       TEST(test_parts_of_a_step), TEST(test_values),
                                       TEST(test_slices),          TEST(test_bad_arguments)};
    return cmocka_run_group_tests_name("particle_decelerate", tests, NULL, NULL);
}
