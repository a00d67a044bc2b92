/* gyre_springs_at: the state at any time has the bits of one step of that length; infinite times; and a comparison with
   the solver of Ralph Thomas in its own terms. */
#include "support/batch.h"

#include <fenv.h>
#include <float.h>
#include <math.h>

typedef struct evaluated {
    float position[BATCH_SPRINGS], velocity[BATCH_SPRINGS];
} evaluated;

static evaluated evaluate(const gyre_kernels *table, const gyre_springs *start, gyre_spring spring,
                          const float *elapsed)
{
    evaluated out;
    check_status(table->springs_at(start, 0, BATCH_SPRINGS, spring, elapsed, out.position, out.velocity), GYRE_OK);
    return out;
}

static gyre_spring random_spring(random_source *random)
{
    float z = random_one_in(random, 6)   ? 0
              : random_one_in(random, 6) ? 1
              : random_one_in(random, 4) ? 1 + random_signed(random, -24, -2)
                                         : random_magnitude(random, -8, 8);
    return (gyre_spring){random_one_in(random, 20) ? 0 : random_magnitude(random, -6, 8), z};
}

/* Forwards, backwards, now, and never. */
static void random_times(random_source *random, gyre_spring spring, float *elapsed)
{
    float w = spring.angular_frequency > 0 ? spring.angular_frequency : 1;
    for (size_t k = 0; k < BATCH_SPRINGS; k++) {
        elapsed[k] = random_one_in(random, 10) ? special_floats[random_below(random, special_float_count)]
                                               : random_magnitude(random, -16, 12) / w;
        elapsed[k] = random_one_in(random, 6) ? -elapsed[k] : elapsed[k];
    }
}

/* ---- Same bits as one step ---- */

/* One spring, stepped by gyre_springs_step without rest limits, with the same period and target. */
static void check_one(const gyre_kernels *table, const batch *start, unsigned features, gyre_spring spring,
                      float elapsed, size_t k, float position, float velocity)
{
    float want_position = start->position[k], want_velocity = start->velocity[k];
    float target = features & FEATURE_TARGET ? start->target[k] : 0;
    gyre_springs one = {
        .count = 1,
        .position = &want_position,
        .velocity = &want_velocity,
        .target = features & FEATURE_TARGET ? &target : NULL,
        .period = features & FEATURE_PERIOD ? 360 : 0,
    };
    gyre_spring_matrix m;
    gyre_status status = table->spring_matrix_at(spring, elapsed, &m);
    if (elapsed == INFINITY) {
        bool stops = spring.angular_frequency > 0 && spring.damping_ratio > 0;
        want_position = stops ? target + 0 : NAN;
        want_velocity = stops ? 0 : NAN;
    } else if (status == GYRE_ERROR_VALUE) { /* NaN, or an infinite past */
        want_position = want_velocity = NAN;
    } else if (status == GYRE_ERROR_RANGE) {
        return;
    } else {
        check_status(table->springs_step(&one, 0, 1, &m), GYRE_OK);
    }
    CASE("w=%a z=%a, spring %zu after %a s", spring.angular_frequency, spring.damping_ratio, k, elapsed);
    check_same(position, want_position);
    check_same(velocity, want_velocity);
}

static void test_as_one_step(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {1};
        for (size_t i = 0; i < effort(1000); i++) {
            gyre_spring spring = random_spring(&random);
            float elapsed[BATCH_SPRINGS];
            random_times(&random, spring, elapsed);
            batch start = batch_random(&random, true);
            const unsigned features = nth_features(i);
            gyre_springs springs = batch_springs(&start, features);
            const batch before = start;
            evaluated out = evaluate(table, &springs, spring, elapsed);
            check_bytes(&start, &before, sizeof start); /* including awake */
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                check_one(table, &start, features, spring, elapsed[k], k, out.position[k], out.velocity[k]);
            }
            /* in place, then with a rest limit that a step would refuse */
            springs.rest_distance = NAN;
            springs.rest_speed = -1;
            check_status(table->springs_at(&springs, 0, BATCH_SPRINGS, spring, elapsed, start.position, start.velocity),
                         GYRE_OK);
            CASE("in place");
            check_floats(start.position, out.position, BATCH_SPRINGS);
            check_floats(start.velocity, out.velocity, BATCH_SPRINGS);
            check_bytes(start.awake, before.awake, sizeof start.awake);
        }
    }
}

/* ---- Time 0, long times and infinite times ---- */

/* The amplitude of an undamped spring stays the same, however long the time. */
static void test_undamped_for_ever(void **state)
{
    (void)state;
    const float elapsed[] = {0x1p30f, 1e18f, 1e30f, FLT_MAX, -1e30f};
    const float frequencies[] = {0.001f, 10, 1e25f, FLT_MAX};
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(elapsed); i++) {
            for (size_t k = 0; k < LENGTH(frequencies); k++) {
                const float w = frequencies[k], speed = fminf(w, 1), position = 0.5f * speed / w;
                const gyre_springs start = {.count = 1, .position = (float[]){position}, .velocity = (float[]){speed}};
                float x, v;
                check_status(table->springs_at(&start, 0, 1, (gyre_spring){w, 0}, &elapsed[i], &x, &v), GYRE_OK);
                const double amplitude = hypot((double)position, (double)(speed / w));
                CASE("w=%a after %a s", w, elapsed[i]);
                check(fabsf(x), <=, 1.001 * amplitude);
                check(fabsf(v), <=, 1.001 * amplitude * (double)w);
            }
        }
    }
}

/* Time 0 keeps all bits: subnormals, NaN, the sign of 0, and positions many turns away. */
static void test_now_is_the_start(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {2};
        for (size_t i = 0; i < effort(300); i++) {
            batch start = batch_random(&random, true);
            float elapsed[BATCH_SPRINGS];
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                start.position[k] = k % 2 ? random_any_float(&random) : start.position[k];
                start.velocity[k] = k % 3 ? random_any_float(&random) : start.velocity[k];
                elapsed[k] = k % 5 == 4 ? 1 : k % 2 ? 0.0f : -0.0f; /* some lanes move */
            }
            gyre_springs springs = batch_springs(&start, nth_features(i));
            evaluated out = evaluate(table, &springs, random_spring(&random), elapsed);
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                if (k % 5 != 4) {
                    CASE("spring %zu", k);
                    check_bits(out.position[k], start.position[k]);
                    check_bits(out.velocity[k], start.velocity[k]);
                }
            }
        }
    }
}

static void test_infinite_times(void **state)
{
    (void)state;
    const struct {
        gyre_spring spring;
        bool stops;
    } cases[] = {{{10, 1}, true},  {{10, 0.01f}, true}, {{1e-30f, 1e-30f}, true}, {{10, 1e4f}, true},
                 {{10, 0}, false}, {{0, 1}, false},     {{0, 0}, false}};
    EACH_TABLE(table) {
        float position[5] = {1, 2, 3, 4, 5}, velocity[5] = {6, 7, 8, 9, 10}, target[5] = {11, 12, 13, 14, 15};
        const float elapsed[5] = {INFINITY, NAN, 0, INFINITY, 1};
        gyre_springs springs = {.count = 5, .position = position, .velocity = velocity, .target = target};
        for (size_t i = 0; i < LENGTH(cases); i++) {
            CASE("w=%a z=%a", cases[i].spring.angular_frequency, cases[i].spring.damping_ratio);
            float x[5], v[5];
            check_status(table->springs_at(&springs, 0, 5, cases[i].spring, elapsed, x, v), GYRE_OK);
            for (size_t k = 0; k < 5; k += 3) {
                check_same(x[k], cases[i].stops ? target[k] : NAN);
                check_same(v[k], cases[i].stops ? 0 : NAN);
            }
            check_nan(x[1]);
            check_nan(v[1]); /* all other lanes are still NaN */
            check(x[2], ==, 3);
            check(v[2], ==, 8);
            check_finite(x[4]);
            check_finite(v[4]);
        }
    }
}

/* Going forwards and back by the same time gives the initial state, within rounding. */
static void test_the_state_before(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {3};
        for (size_t i = 0; i < effort(2000); i++) {
            gyre_spring spring = {random_magnitude(&random, -2, 4), random_unit(&random)};
            float x = random_signed(&random, -2, 4), v = random_signed(&random, -2, 4);
            float later = random_magnitude(&random, -4, 0) / spring.angular_frequency, earlier = -later,
                  w = spring.angular_frequency;
            gyre_springs one = {.count = 1, .position = &x, .velocity = &v};
            float there_x, there_v, back_x, back_v;
            check_status(table->springs_at(&one, 0, 1, spring, &later, &there_x, &there_v), GYRE_OK);
            gyre_springs there = {.count = 1, .position = &there_x, .velocity = &there_v};
            check_status(table->springs_at(&there, 0, 1, spring, &earlier, &back_x, &back_v), GYRE_OK);
            float scale = fabsf(x) + fabsf(v) / w;
            CASE("w=%a z=%a, from %a %a, after %a s and back", w, spring.damping_ratio, x, v, later);
            check_within(back_x, x, 1e-5f * scale);
            check_within(back_v, v, 1e-5f * scale * w);
        }
    }
}

static void test_bad_arguments(void **state)
{
    (void)state;
    const float invalid[] = {NAN, INFINITY, -1, -0x1p-149f};
    EACH_TABLE(table) {
        random_source random = {4};
        batch start = batch_random(&random, true), out = start;
        const batch before = out;
        const gyre_spring good = {10, 0.5f};
        const size_t all = BATCH_SPRINGS;
        float elapsed[BATCH_SPRINGS] = {0}, *x = out.position, *v = out.velocity;
        const gyre_springs springs = batch_springs(&start, FEATURE_TARGET);
        gyre_springs bad = springs;
        check_status(table->springs_at(NULL, 0, all, good, elapsed, x, v), GYRE_ERROR_NULL);
        check_status(table->springs_at(&springs, 0, all, good, NULL, x, v), GYRE_ERROR_NULL);
        check_status(table->springs_at(&springs, 0, all, good, elapsed, NULL, v), GYRE_ERROR_NULL);
        check_status(table->springs_at(&springs, 0, all, good, elapsed, x, NULL), GYRE_ERROR_NULL);
        bad.position = NULL;
        check_status(table->springs_at(&bad, 0, all, good, elapsed, x, v), GYRE_ERROR_NULL);
        bad = springs;
        bad.velocity = NULL;
        check_status(table->springs_at(&bad, 0, all, good, elapsed, x, v), GYRE_ERROR_NULL);
        check_status(table->springs_at(&springs, 0, all + 1, good, elapsed, x, v), GYRE_ERROR_RANGE);
        check_status(table->springs_at(&springs, 2, 1, good, elapsed, x, v), GYRE_ERROR_RANGE);
        for (size_t i = 0; i < LENGTH(invalid); i++) {
            const gyre_spring invalid_springs[] = {{invalid[i], 1}, {1, invalid[i]}};
            for (size_t k = 0; k < 2; k++) {
                CASE("w=%a z=%a", invalid_springs[k].angular_frequency, invalid_springs[k].damping_ratio);
                check_status(table->springs_at(&springs, 0, all, invalid_springs[k], elapsed, x, v), GYRE_ERROR_VALUE);
            }
            CASE("period %a", invalid[i]);
            bad = springs;
            bad.period = invalid[i];
            check_status(table->springs_at(&bad, 0, all, good, elapsed, x, v), GYRE_ERROR_VALUE);
        }
        check_bytes(&out, &before, sizeof out);
        const gyre_springs none = {.count = 100};
        check_status(table->springs_at(&none, 5, 5, good, NULL, NULL, NULL), GYRE_OK);
    }
}

/* ---- An independent formula: solveSpring of Ralph Thomas, "Equations of motion" (2015), in its own terms, with two
   slips corrected: critical c2 is velocity - r initial, and the underdamped decay is -c / (2 m). ---- */

typedef struct solution {
    double x, dx;
} solution;

static solution solve_spring(double initial, double velocity, double c, double m, double k, double t)
{
    double cmk = c * c - 4 * m * k;
    if (cmk == 0) {
        double r = -c / (2 * m), c1 = initial, c2 = velocity - r * initial, power = exp(r * t);
        return (solution){(c1 + c2 * t) * power, r * (c1 + c2 * t) * power + c2 * power};
    }
    if (cmk > 0) {
        double r1 = (-c - sqrt(cmk)) / (2 * m), r2 = (-c + sqrt(cmk)) / (2 * m);
        double c2 = (velocity - r1 * initial) / (r2 - r1), c1 = initial - c2;
        return (solution){c1 * exp(r1 * t) + c2 * exp(r2 * t), c1 * r1 * exp(r1 * t) + c2 * r2 * exp(r2 * t)};
    }
    double w = sqrt(4 * m * k - c * c) / (2 * m), r = -c / (2 * m), c1 = initial, c2 = (velocity - r * initial) / w;
    double power = exp(r * t), cosine = cos(w * t), sine = sin(w * t);
    return (solution){power * (c1 * cosine + c2 * sine),
                      power * (c2 * w * cosine - c1 * w * sine) + r * power * (c2 * sine + c1 * cosine)};
}

static void test_solve_spring(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {5};
        for (size_t i = 0; i < effort(3000); i++) {
            float mass = 0.5f + 2 * random_unit(&random), stiffness = 1 + 300 * random_unit(&random);
            float damping = 60 * random_unit(&random);
            if (i % 3 == 0) { /* critical to the last bit: c = 2 m w, k = m w^2 */
                float w = (float)(1 + random_below(&random, 30));
                mass = (float)(1 + random_below(&random, 4));
                stiffness = mass * w * w;
                damping = 2 * mass * w;
            }
            gyre_spring spring;
            check_status(table->spring_from_stiffness(mass, stiffness, damping, &spring), GYRE_OK);
            float initial = random_signed(&random, 0, 8), velocity = random_signed(&random, 0, 10), times[40], x[40],
                  dx[40];
            float initials[40], velocities[40];
            for (size_t k = 0; k < 40; k++) {
                initials[k] = initial;
                velocities[k] = velocity;
                times[k] = (float)k / 20;
            }
            gyre_springs start = {.count = 40, .position = initials, .velocity = velocities};
            check_status(table->springs_at(&start, 0, 40, spring, times, x, dx), GYRE_OK);
            for (size_t k = 0; k < 40; k++) {
                solution want = solve_spring(initial, velocity, damping, mass, stiffness, times[k]);
                /* w and z are rounded to float in between: a few eps (1 + w t) (1 + z) of the amplitude */
                double w = spring.angular_frequency, amplitude = fabsf(initial) + fabsf(velocity) / w;
                double tolerance = 20 * 0x1p-24 * (1 + w * times[k]) * (1 + spring.damping_ratio) * amplitude;
                CASE("initial=%a velocity=%a c=%a m=%a k=%a at %a s", initial, velocity, damping, mass, stiffness,
                     times[k]);
                check_within(x[k], want.x, tolerance);
                check_within(dx[k], want.dx, tolerance * w * (1 + 2 * spring.damping_ratio));
            }
        }
    }
}

/* ---- Settled springs are no slower ---- */

/* Arithmetic on subnormal numbers takes ten times as long, and sets the underflow flag when the result is subnormal.
   Springs that settled long ago and steps in which springs come to rest must not produce any. */
static void test_nothing_underflows(void **state)
{
    (void)state;
    static const float frequencies[] = {1, 10, 100, 300}, ratios[] = {0.3f, 1, 3};
    enum { SPRINGS = LENGTH(frequencies) * LENGTH(ratios) };
    EACH_TABLE(table) {
        for (size_t i = 0; i < SPRINGS * 4; i++) {
            const bool long_over = i / 2 >= SPRINGS; /* E is so small that no coefficient makes it a normal number */
            const gyre_spring spring = {frequencies[i / 2 % LENGTH(frequencies)],
                                        ratios[i / 2 % SPRINGS / LENGTH(frequencies)]};
            batch b;
            float elapsed[BATCH_SPRINGS], frequency[BATCH_SPRINGS], ratio[BATCH_SPRINGS];
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                b.position[k] = 100 + (float)k;
                b.velocity[k] = -50;
                b.target[k] = 20;
                frequency[k] = spring.angular_frequency;
                ratio[k] = spring.damping_ratio;
                elapsed[k] = powf(10, (long_over ? 4 : 0) + (long_over ? 12.0f : 4.0f) * (float)k / BATCH_SPRINGS) /
                             (ratio[k] * frequency[k]);
            }
            const batch start = b;
            CASE("w=%a z=%a, %s target", spring.angular_frequency, spring.damping_ratio, i % 2 ? "with" : "without");
            const gyre_springs springs = batch_springs(&b, i % 2 ? FEATURE_TARGET : 0);
            feclearexcept(FE_UNDERFLOW);
            evaluate(table, &springs, spring, elapsed);
            for (size_t k = 0; k < BATCH_SPRINGS; k += 5) {
                b = start;
                table->springs_step_each(&springs, 0, BATCH_SPRINGS, frequency, ratio, NULL, NULL, elapsed[k]);
            }
            check(fetestexcept(FE_UNDERFLOW), ==, 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_as_one_step),    TEST(test_now_is_the_start),   TEST(test_undamped_for_ever),
        TEST(test_infinite_times), TEST(test_the_state_before),   TEST(test_bad_arguments),
        TEST(test_solve_spring),   TEST(test_nothing_underflows),
    };
    return cmocka_run_group_tests_name("spring_at", tests, NULL, NULL);
}
