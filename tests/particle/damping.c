/* Damping from retention and half-life; where and when a particle under damping alone comes to rest, or reaches a speed
   or a position. */
#include "support/dampings.h"
#include "reference/particle.h"

#include <float.h>
#include <math.h>

static real ulp_of(real x)
{
    const int exponent = x == 0 ? FLT_MIN_EXP : ilogbl(x) + 1;
    return ldexpl(1, (exponent < FLT_MIN_EXP ? FLT_MIN_EXP : exponent) - FLT_MANT_DIG);
}

/* Checks the status: GYRE_OK if `wanted` fits in a float, else GYRE_ERROR_RANGE with nothing written to `out`, which
   was NaN. Returns whether it fits. */
static bool check_range(gyre_status status, float out, real wanted)
{
    const bool fits = status == GYRE_OK ? fabsl(wanted) < FLT_MAX * (1 + 0x1p-23L) : fabsl(wanted) < FLT_MAX;
    CASE("wanted %La", wanted);
    check_status(status, fits ? GYRE_OK : GYRE_ERROR_RANGE);
    if (!fits) {
        check_nan(out);
    }
    return fits;
}

static void check_never(gyre_status status, float out)
{
    check_status(status, GYRE_ERROR_VALUE);
    check_nan(out);
}

/* Checks that the result is within `allowed`. */
static void check_result(worst_case *worst, float got, real wanted, real allowed)
{
    CASE("got %a, wanted %La", got, wanted);
    check_share(worst, got == wanted ? 0 : (double)(fabsl(got - wanted) / allowed));
}

/* ---- Damping from a retention or a half-life ---- */

static void check_damping(worst_case *worst, gyre_status status, float got, real wanted)
{
    if (check_range(status, got, wanted)) {
        check_result(worst, got, wanted, 0.5001L * ulp_of(wanted));
    }
}

static void test_from_retention(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {16};
        worst_case worst = {0};
        for (size_t i = 0; i < effort(100000); i++) {
            const float fraction = i % 3 == 0   ? 1 - random_magnitude(&random, -24, -1)
                                   : i % 3 == 1 ? random_magnitude(&random, -149, 0)
                                                : 1 - random_unit(&random);
            const float interval_s = i % 2 ? random_magnitude(&random, -12, 4) : random_magnitude(&random, -149, 128);
            float out = NAN;
            CASE("fraction=%a interval=%a", fraction, interval_s);
            const gyre_status status = table->damping_from_retention(fraction, interval_s, &out);
            check_damping(&worst, status, out, reference_damping_from_retention(fraction, interval_s));
        }
        print_worst("from retention", &worst);
    }
}

static void test_from_half_life(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {17};
        worst_case worst = {0};
        for (size_t i = 0; i < effort(100000); i++) {
            const float half_life_s = random_magnitude(&random, -149, 128);
            float out = NAN;
            CASE("half-life=%a", half_life_s);
            const gyre_status status = table->damping_from_half_life(half_life_s, &out);
            check_damping(&worst, status, out, logl(2) / half_life_s);
        }
        print_worst("from half-life", &worst);
    }
}

/* A step of the interval leaves the fraction, and one of the half-life a half. */
static void test_matrix_of_a_retention(void **state)
{
    (void)state;
    const struct {
        float fraction, interval_s;
    } retentions[] = {{0.998f, 0.001f}, {0.99f, 1 / 60.0f}, {0.5f, 3}, {1, 0.001f}, {0.135f, 1}};
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(retentions); i++) {
            const float fraction = retentions[i].fraction, interval_s = retentions[i].interval_s;
            CASE("fraction=%g in %g s", fraction, interval_s);
            float damping = NAN;
            gyre_particle_matrix m;
            check_status(table->damping_from_retention(fraction, interval_s, &damping), GYRE_OK);
            check_status(table->particle_matrix_at(damping, interval_s, &m), GYRE_OK);
            check_within(m.vel_vel, fraction, 0x1p-23f);
            check_status(table->damping_from_half_life(interval_s, &damping), GYRE_OK);
            check_status(table->particle_matrix_at(damping, interval_s, &m), GYRE_OK);
            check_within(m.vel_vel, 0.5f, 0x1p-23f);
        }
    }
}

/* ---- Positions and velocities ---- */

static void test_rest_position(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {10};
        worst_case worst = {0};
        for (size_t i = 0; i < effort(100000); i++) {
            float x = i % 3 ? random_signed(&random, -10, 20) : 0, v = random_signed(&random, -10, 20), out = NAN;
            float damping = random_damping(&random);
            CASE("x=%a v=%a damping=%a", x, v, damping);
            gyre_status status = table->damping_rest_position(x, v, damping, &out);
            const real wanted = reference_rest_position(x, v, damping);
            if (damping == 0) {
                check_never(status, out);
            } else if (check_range(status, out, wanted)) {
                check_result(&worst, out, wanted, 0.5001L * ulp_of(wanted) + 0x1p-52L * fabsl(wanted - x));
            }
        }
        print_worst("rest position", &worst);

        const float dampings[] = {0, 0.5f, 0x1p-149f, FLT_MAX};
        for (size_t i = 0; i < LENGTH(dampings); i++) { /* already at rest */
            CASE("v=0 damping=%a", dampings[i]);
            float out = NAN;
            check_status(table->damping_rest_position(17, i % 2 ? 0.0f : -0.0f, dampings[i], &out), GYRE_OK);
            check(out, ==, 17);
        }
    }
}

static void test_velocity_to_rest_at(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {18};
        worst_case worst = {0};
        for (size_t i = 0; i < effort(100000); i++) {
            const float position = i % 3 ? random_signed(&random, -10, 20) : random_signed(&random, -149, 128);
            const float where = i % 4 ? random_signed(&random, -10, 20) : position + random_signed(&random, -20, 20);
            const float damping = random_damping(&random);
            float out = NAN;
            CASE("x=%a to %a damping=%a", position, where, damping);
            const gyre_status status = table->damping_velocity_to_rest_at(position, where, damping, &out);
            if (damping == 0 && where != position) {
                check_never(status, out);
            } else {
                check_damping(&worst, status, out, (real)damping * ((real)where - position));
            }
        }
        print_worst("velocity to rest", &worst);
    }
}

/* A particle given the velocity to rest at a position rests there, within the rounding of that velocity. */
static void test_velocity_and_rest_position_agree(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {19};
        for (size_t i = 0; i < effort(5000); i++) {
            const float position = random_signed(&random, -10, 10), where = random_signed(&random, -10, 10);
            const float damping = random_magnitude(&random, -30, 17);
            float velocity = NAN, rest = NAN;
            CASE("x=%a to %a damping=%a", position, where, damping);
            check_status(table->damping_velocity_to_rest_at(position, where, damping, &velocity), GYRE_OK);
            check_status(table->damping_rest_position(position, velocity, damping, &rest), GYRE_OK);
            check_within(rest, where, 0x1p-23f * fmaxf(fabsf(where), fabsf(where - position)));
        }
    }
}

/* ---- Times ---- */

static void test_time_to_speed(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {11};
        worst_case worst = {0};
        for (size_t i = 0; i < effort(100000); i++) {
            float v = random_signed(&random, -10, 20), damping = random_damping(&random), out = NAN;
            float speed = fabsf(v) * (i % 3 == 0   ? 1 - random_magnitude(&random, -24, -1)
                                      : i % 3 == 1 ? random_unit(&random)
                                                   : random_magnitude(&random, -100, 0));
            CASE("v=%a to speed=%a damping=%a", v, speed, damping);
            gyre_status status = table->damping_time_to_speed(v, damping, speed, &out);
            const real wanted = reference_time_to_speed(v, damping, speed);
            if (speed == fabsf(v)) {
                check_status(status, GYRE_OK);
                check(out, ==, 0);
            } else if (damping == 0 || speed == 0) {
                check_never(status, out);
            } else if (check_range(status, out, wanted)) {
                check_result(&worst, out, wanted, 0.6L * ulp_of(wanted));
            }
        }
        print_worst("time to a speed", &worst);
    }
}

/* Returns whether the position is reached. The remaining distance is known to 2^-50 of the whole, and to the precision
   of the reference. */
static bool check_position(const gyre_kernels *table, worst_case *worst, float x, float v, float damping, float where)
{
    const real q = -(real)damping * (((real)where - x) / v), left = 1 + q;
    const real unknown = (0x1p-50L + 4 * LDBL_EPSILON) * fabsl(q);
    float out = NAN;
    CASE("x=%a v=%a to %a damping=%a, left=%La", x, v, where, damping, left);
    const gyre_status status = table->damping_time_to_position(x, v, damping, where, &out);
    if (where == x) {
        check_status(status, GYRE_OK);
        check(out, ==, 0);
        return true;
    }
    if (((real)where - x) / v < 0 || left < -unknown || (status == GYRE_ERROR_VALUE && left <= unknown)) {
        check_never(status, out);
        return false;
    }
    if (left <= unknown) { /* any time is right */
        check_status(status, GYRE_OK);
        return true;
    }
    const real wanted = reference_time_to_position(x, v, damping, where);
    if (!check_range(status, out, wanted)) {
        return false;
    }
    const real beyond = damping == 0 ? 0 : -log1pl(-unknown / left) / damping;
    check_result(worst, out, wanted, 0.6L * ulp_of(wanted) + beyond);
    return true;
}

static void test_time_to_position(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {12};
        worst_case worst = {0};
        size_t reached = 0, never = 0;
        for (size_t i = 0; i < effort(100000); i++) {
            float x = i % 2 ? random_signed(&random, -10, 10) : 0, v = random_signed(&random, -10, 20);
            float damping = random_damping(&random);
            const real rest = fmaxl(-0x1p100L, fminl(0x1p100L, damping == 0 ? v : (real)v / damping));
            real share = i % 4 == 0   ? 1 - random_magnitude(&random, -20, 0)
                         : i % 4 == 1 ? random_signed(&random, -30, 0)
                                      : 1.5L * random_unit(&random);
            if (check_position(table, &worst, x, v, damping, (float)(x + rest * share))) {
                reached++;
            } else {
                never++;
            }
        }
        check(reached, >, 0);
        check(never, >, 0);
        /* 2^-49 of the distance is left, and 3 2^-51 of it */
        reached = 0;
        reached += check_position(table, &worst, 0x1p-49f, 1, 1, 1);
        reached += check_position(table, &worst, -0x1.8p-49f, -3, 3, -1);
        check(reached, ==, 2);
        print_worst("time to a position", &worst);
    }
}

/* As the damping goes to 0, the time to a position tends to (where - position) / velocity: it is never less, rises with
   the damping to within the stated error, and does not jump between the smallest damping and none. */
static void test_smooth_towards_no_damping(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {13};
        for (size_t i = 0; i < effort(2000); i++) {
            float v = random_magnitude(&random, -4, 10), where = v * random_magnitude(&random, -8, 0);
            float straight, before;
            CASE("v=%a to %a", v, where);
            check_status(table->damping_time_to_position(0, v, 0, where, &straight), GYRE_OK);
            check(ulps_off(straight, (real)where / v), <=, 0.5001);
            before = straight;
            for (int k = 149; k > 3; k--) {
                float damping = ldexpf(1, -k), t;
                CASE("damping=%a", damping);
                check_status(table->damping_time_to_position(0, v, damping, where, &t), GYRE_OK);
                check(t, >=, before * (1 - 0x1p-23));
                /* -ln(1 - u) / u <= 1 + u / 2 / (1 - u), u = k straight */
                double u = (double)damping * straight;
                check(t, <=, straight * (1 + u / 2 / (1 - u) + 0x1p-23));
                before = t;
            }
        }
    }
}

static void test_never_reached(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        const struct {
            float velocity, damping, speed;
        } speeds[] = {{1, 0.5f, 2}, {-1, 0.5f, 1.5f}, {1, 0, 0.5f}, {1, 0.5f, 0}, {0, 0.5f, 1}, {0, 0, 0x1p-149f}};
        for (size_t i = 0; i < LENGTH(speeds); i++) {
            CASE("v=%a to speed=%a damping=%a", speeds[i].velocity, speeds[i].speed, speeds[i].damping);
            float out = NAN;
            check_never(table->damping_time_to_speed(speeds[i].velocity, speeds[i].damping, speeds[i].speed, &out),
                        out);
        }
        const struct {
            float position, velocity, damping, where;
        } positions[] = {{0, 1, 0.5f, -1}, {0, -1, 0.5f, 1}, {0, 1, 0, -1},       {0, 1, 0.5f, 2.5f},
                         {5, 0, 0.5f, 6},  {5, 0, 0, 6},     {0, 1, 0.5f, 1e30f}, {0, -1, 1e6f, -0.01f}};
        for (size_t i = 0; i < LENGTH(positions); i++) {
            CASE("x=%a v=%a to %a damping=%a", positions[i].position, positions[i].velocity, positions[i].where,
                 positions[i].damping);
            float out = NAN;
            check_never(table->damping_time_to_position(positions[i].position, positions[i].velocity,
                                                        positions[i].damping, positions[i].where, &out),
                        out);
        }
    }
}

/* The rest position itself is never reached. Factors of 12 bits make v = k (where - x) exact. */
static void test_rest_is_never_reached(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {15};
        for (size_t i = 0; i < effort(50000); i++) {
            const float damping = ldexpf(1 + (float)random_below(&random, 4095), (int)random_below(&random, 40) - 30);
            const float way = ldexpf(1 + (float)random_below(&random, 4095), (int)random_below(&random, 40) - 20);
            const float sign = i % 3 ? 1 : -1, position = i % 2 ? sign * way * (float)random_below(&random, 4095) : 0;
            const float velocity = sign * damping * way, where = position + sign * way;
            float out = NAN;
            CASE("x=%a v=%a to %a damping=%a", position, velocity, where, damping);
            check_never(table->damping_time_to_position(position, velocity, damping, where, &out), out);
        }
    }
}

static void test_already_there(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        const float dampings[] = {0, 0.5f, 0x1p-149f, FLT_MAX};
        for (size_t i = 0; i < LENGTH(dampings); i++) {
            CASE("damping=%a", dampings[i]);
            float out = NAN;
            check_status(table->damping_time_to_speed(-3, dampings[i], 3, &out), GYRE_OK);
            check(out, ==, 0);
            out = NAN;
            check_status(table->damping_time_to_speed(0, dampings[i], 0, &out), GYRE_OK);
            check(out, ==, 0);
            out = NAN;
            check_status(table->damping_velocity_to_rest_at(5, 5, dampings[i], &out), GYRE_OK);
            check(out, ==, 0);
            for (float velocity = -1; velocity <= 1; velocity++) {
                out = NAN;
                check_status(table->damping_time_to_position(5, velocity, dampings[i], 5, &out), GYRE_OK);
                check(out, ==, 0);
            }
        }
    }
}

/* ---- Arguments ---- */

static void test_bad_arguments(void **state)
{
    (void)state;
    const float not_finite[] = {NAN, INFINITY, -INFINITY};
    const float bad_dampings[] = {NAN, INFINITY, -INFINITY, -0x1p-149f, -1};
    const float bad_fractions[] = {0, -0.0f, -0.5f, 0x1.000002p0f, 2}, bad_times[] = {0, -0.0f, -1};
    EACH_TABLE(table) {
        float out = NAN;
        check_status(table->damping_from_retention(0.5f, 1, NULL), GYRE_ERROR_NULL);
        check_status(table->damping_from_half_life(1, NULL), GYRE_ERROR_NULL);
        check_status(table->damping_rest_position(0, 1, 0.5f, NULL), GYRE_ERROR_NULL);
        check_status(table->damping_velocity_to_rest_at(0, 1, 0.5f, NULL), GYRE_ERROR_NULL);
        check_status(table->damping_time_to_speed(2, 0.5f, 1, NULL), GYRE_ERROR_NULL);
        check_status(table->damping_time_to_position(0, 2, 0.5f, 1, NULL), GYRE_ERROR_NULL);
        for (size_t i = 0; i < LENGTH(bad_dampings); i++) {
            CASE("damping=%a", bad_dampings[i]);
            check_never(table->damping_rest_position(0, 0, bad_dampings[i], &out), out);
            check_never(table->damping_velocity_to_rest_at(0, 0, bad_dampings[i], &out), out);
            check_never(table->damping_time_to_speed(1, bad_dampings[i], 1, &out), out);
            check_never(table->damping_time_to_position(1, 1, bad_dampings[i], 1, &out), out);
        }
        for (size_t i = 0; i < LENGTH(not_finite); i++) {
            const float bad = not_finite[i];
            CASE("an argument is %a", bad);
            check_never(table->damping_from_retention(bad, 1, &out), out);
            check_never(table->damping_from_retention(0.5f, bad, &out), out);
            check_never(table->damping_from_half_life(bad, &out), out);
            check_never(table->damping_rest_position(bad, 0, 0.5f, &out), out);
            check_never(table->damping_rest_position(0, bad, 0.5f, &out), out);
            check_never(table->damping_velocity_to_rest_at(bad, bad, 0.5f, &out), out);
            check_never(table->damping_velocity_to_rest_at(bad, 1, 0.5f, &out), out);
            check_never(table->damping_velocity_to_rest_at(1, bad, 0.5f, &out), out);
            check_never(table->damping_time_to_speed(bad, 0.5f, 1, &out), out);
            check_never(table->damping_time_to_speed(1, 0.5f, bad, &out), out);
            check_never(table->damping_time_to_position(bad, 1, 0.5f, bad, &out), out);
            check_never(table->damping_time_to_position(0, bad, 0.5f, 1, &out), out);
            check_never(table->damping_time_to_position(0, 1, 0.5f, bad, &out), out);
        }
        for (size_t i = 0; i < LENGTH(bad_fractions); i++) {
            CASE("fraction=%a", bad_fractions[i]);
            check_never(table->damping_from_retention(bad_fractions[i], 1, &out), out);
        }
        for (size_t i = 0; i < LENGTH(bad_times); i++) {
            CASE("time=%a", bad_times[i]);
            check_never(table->damping_from_retention(0.5f, bad_times[i], &out), out);
            check_never(table->damping_from_half_life(bad_times[i], &out), out);
        }
        check_never(table->damping_rest_position(0, 1, 0, &out), out);
        check_never(table->damping_velocity_to_rest_at(0, 1, 0, &out), out);
        check_never(table->damping_time_to_speed(1, 0.5f, -1, &out), out);
    }
}

static void test_results_out_of_range(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        float out = NAN;
        check_status(table->damping_from_retention(0.5f, 0x1p-149f, &out), GYRE_ERROR_RANGE);
        check_status(table->damping_from_half_life(2.03e-39f, &out), GYRE_ERROR_RANGE);
        check_status(table->damping_rest_position(0, FLT_MAX, 0.01f, &out), GYRE_ERROR_RANGE);
        check_status(table->damping_velocity_to_rest_at(-FLT_MAX, FLT_MAX, 1, &out), GYRE_ERROR_RANGE);
        check_status(table->damping_time_to_speed(2, 0x1p-149f, 1, &out), GYRE_ERROR_RANGE);
        check_status(table->damping_time_to_position(0, 0x1p-140f, 0, FLT_MAX, &out), GYRE_ERROR_RANGE);
        check_nan(out);
        check_status(table->damping_from_half_life(2.04e-39f, &out), GYRE_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_from_retention), TEST(test_from_half_life),        TEST(test_matrix_of_a_retention),
        TEST(test_rest_position),  TEST(test_velocity_to_rest_at),   TEST(test_velocity_and_rest_position_agree),
        TEST(test_time_to_speed),  TEST(test_time_to_position),      TEST(test_smooth_towards_no_damping),
        TEST(test_never_reached),  TEST(test_rest_is_never_reached), TEST(test_already_there),
        TEST(test_bad_arguments),  TEST(test_results_out_of_range),
    };
    return cmocka_run_group_tests_name("particle_damping", tests, NULL, NULL);
}
