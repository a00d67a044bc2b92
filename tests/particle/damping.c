/* Where and when a particle under drag alone comes to rest, to a speed or to a position. */
#include "support/drags.h"
#include "reference/particle.h"

#include <float.h>
#include <math.h>

static real ulp_of(real x)
{
    const int exponent = x == 0 ? FLT_MIN_EXP : ilogbl(x) + 1;
    return ldexpl(1, (exponent < FLT_MIN_EXP ? FLT_MIN_EXP : exponent) - FLT_MANT_DIG);
}

static void test_rest_position(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {10};
        worst_case worst = {0};
        for (size_t i = 0; i < effort(100000); i++) {
            float x = i % 3 ? random_signed(&random, -10, 20) : 0, v = random_signed(&random, -10, 20), out = NAN;
            float drag = random_drag(&random);
            gyre_status status = table->drag_rest_position(x, v, drag, &out);
            if (drag == 1) {
                assert_int_equal(status, GYRE_ERROR_VALUE);
                assert_true(isnan(out));
                continue;
            }
            assert_int_equal(status, GYRE_OK);
            real want = reference_rest_position(x, v, drag);
            double share = (double)(fabsl(out - want) / ulp_of(fmaxl(fabsl(x), fabsl(want - x))));
            CASE("x=%a v=%a drag=%a rests at %a, not %La", x, v, drag, out, want);
            check_share(&worst, share);
        }
        print_worst("rest", &worst);

        float out = NAN;
        assert_int_equal(table->drag_rest_position(17, 0, 1, &out), GYRE_OK); /* nothing moves: it is there */
        assert_true(out == 17);
        assert_int_equal(table->drag_rest_position(17, -0.0f, 0.5f, &out), GYRE_OK);
        assert_true(out == 17);
        assert_int_equal(table->drag_rest_position(0, FLT_MAX, 0.99f, &out), GYRE_ERROR_RANGE);
        assert_int_equal(table->drag_rest_position(0, 1, 0.99f, NULL), GYRE_ERROR_NULL);
        assert_true(out == 17);
    }
}

/* `beyond` as far as the result may lie from `want` without an error of its own. */
static void check_time(worst_case *worst, const char *what, float drag, float got, real want, real beyond)
{
    double share = got == want ? 0 : (double)(fabsl(got - want) / (ulp_of(want) + beyond));
    CASE("%s, drag=%a, is %a, not %La", what, drag, got, want);
    check_share(worst, share);
}

static void test_time_to_speed(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {11};
        worst_case worst = {0};
        for (size_t i = 0; i < effort(100000); i++) {
            float v = random_signed(&random, -10, 20), drag = random_drag(&random), out = NAN;
            float speed = fabsf(v) * (i % 3 == 0   ? 1 - random_magnitude(&random, -24, -1)
                                      : i % 3 == 1 ? random_unit(&random)
                                                   : random_magnitude(&random, -100, 0));
            gyre_status status = table->drag_time_to_speed(v, drag, speed, &out);
            if (speed == fabsf(v)) {
                assert_true(status == GYRE_OK && out == 0);
            } else if (drag == 1 || speed == 0) {
                assert_true(status == GYRE_ERROR_VALUE && isnan(out));
            } else {
                if (status != GYRE_OK) {
                    fail_msg("%s: v=%a drag=%a to speed=%a: %s", table_name(table), (double)v, (double)drag,
                             (double)speed, gyre_status_name(status));
                }
                char what[64];
                snprintf(what, sizeof what, "from v=%a to speed=%a", (double)v, (double)speed);
                check_time(&worst, what, drag, out, reference_time_to_speed(v, drag, speed), 0);
            }
        }
        print_worst("time to a speed", &worst);
    }
}

/* Whether a time is there. What is left of the way is known to 2^-50 of what is gone of it, and to what the reference
   knows. */
static bool check_position(const gyre_kernels *table, worst_case *worst, float x, float v, float drag, float where)
{
    const real q = logl(drag) * ((real)where - x) / v, left = 1 + q;
    const real unknown = (0x1p-50L + 4 * LDBL_EPSILON) * fabsl(q);
    float out = NAN;
    const gyre_status status = table->drag_time_to_position(x, v, drag, where, &out);
    if (where == x) {
        assert_true(status == GYRE_OK && out == 0);
        return true;
    }
    if (((real)where - x) / v < 0 || left < -unknown || (status == GYRE_ERROR_VALUE && left <= unknown)) {
        assert_true(status == GYRE_ERROR_VALUE && isnan(out));
        return false;
    }
    char what[96];
    snprintf(what, sizeof what, "x=%a v=%a to %a, q=%La", (double)x, (double)v, (double)where, q);
    if (status != GYRE_OK) {
        fail_msg("%s: %s, drag=%a: %s", table_name(table), what, (double)drag, gyre_status_name(status));
    }
    const real beyond = drag == 1 ? 0 : left > unknown ? log1pl(-unknown / left) / logl(drag) : INFINITY;
    check_time(worst, what, drag, out, reference_time_to_position(x, v, drag, where), beyond);
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
            float drag = random_drag(&random);
            real way = drag == 1 ? v : -v / logl(drag); /* to where it rests */
            real share_of_way = i % 4 == 0   ? 1 - random_magnitude(&random, -20, 0)
                                : i % 4 == 1 ? random_signed(&random, -30, 0)
                                             : 1.5L * random_unit(&random);
            float where = (float)(x + way * share_of_way);
            if (check_position(table, &worst, x, v, drag, where)) {
                reached++;
            } else {
                never++;
            }
        }
        assert_true(reached > 0 && never > 0);
        /* 1.4e-15 of the way is left */
        assert_true(check_position(table, &worst, 0, 0x1.e6917ep23f, 0x1.bc68p-3f, 0x1.3e75b6p23f));
        print_worst("time to a position", &worst);
    }
}

/* As drag goes to 1 the time to a position goes over into (where - position) / velocity: never less, rising with
   friction to within the stated error, and without a jump between the smallest friction and none. */
static void test_smooth_towards_no_drag(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {13};
        for (size_t i = 0; i < effort(2000); i++) {
            float v = random_magnitude(&random, -4, 10), where = v * random_magnitude(&random, -8, 0);
            float straight, before;
            assert_int_equal(table->drag_time_to_position(0, v, 1, where, &straight), GYRE_OK);
            assert_true(ulps_off(straight, (real)where / v) <= 0.5001);
            before = straight;
            for (int k = 24; k > 3; k--) {
                float drag = 1 - ldexpf(1, -k), t;
                assert_int_equal(table->drag_time_to_position(0, v, drag, where, &t), GYRE_OK);
                assert_true(t >= before * (1 - 0x1p-23));
                /* -ln(1 - u) / u <= 1 + u / 2 / (1 - u), u = |l| straight */
                double u = -log(drag) * straight;
                assert_true(t <= straight * (1 + u / 2 / (1 - u) + 0x1p-23));
                before = t;
            }
        }
    }
}

static void test_never_reached(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        float out = 17;
        const struct {
            float velocity, drag, speed;
        } speeds[] = {{1, 0.5f, 2}, {-1, 0.5f, 1.5f}, {1, 1, 0.5f}, {1, 0.5f, 0}, {0, 0.5f, 1}, {0, 1, 0x1p-149f}};
        for (size_t i = 0; i < LENGTH(speeds); i++) {
            assert_int_equal(table->drag_time_to_speed(speeds[i].velocity, speeds[i].drag, speeds[i].speed, &out),
                             GYRE_ERROR_VALUE);
        }
        const struct {
            float position, velocity, drag, where;
        } positions[] = {{0, 1, 0.5f, -1}, {0, -1, 0.5f, 1}, {0, 1, 1, -1},       {0, 1, 0.5f, 1.5f},
                         {5, 0, 0.5f, 6},  {5, 0, 1, 6},     {0, 1, 0.5f, 1e30f}, {0, -1, 0x1p-149f, -0.01f}};
        for (size_t i = 0; i < LENGTH(positions); i++) {
            assert_int_equal(table->drag_time_to_position(positions[i].position, positions[i].velocity,
                                                          positions[i].drag, positions[i].where, &out),
                             GYRE_ERROR_VALUE);
        }
        assert_true(out == 17);
    }
}

/* Nor is the rest position itself, where the logarithm's argument comes out as 0: the worst that a search found. */
static void test_rest_is_never_reached(void **state)
{
    (void)state;
    const struct {
        float position, velocity, drag, where;
    } rests[] = {{-0x1.d445p-25f, 0x1.2a3374p+0f, 0.5f, 0x1.ae368cp+0f},
                 {-0x1.032e06p-25f, 0x1.f70abcp+0f, 0.25f, 0x1.6ade38p+0f},
                 {0x1.14c17cp-27f, 0x1.e35ac6p+0f, 0.135f, 0x1.e2c18p-1f},
                 {0x1.5762c2p-17f, 0x1.7dc2aep+0f, 0.998f, 0x1.7471ep+9f}};
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(rests); i++) {
            float out = 17;
            assert_int_equal(
                table->drag_time_to_position(rests[i].position, rests[i].velocity, rests[i].drag, rests[i].where, &out),
                GYRE_ERROR_VALUE);
            assert_true(out == 17);
        }
    }
}

static void test_already_there(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        const float drags[] = {1, 0.5f, 1 - 0x1p-24f, 0x1p-149f};
        for (size_t i = 0; i < LENGTH(drags); i++) {
            float out = 17;
            assert_int_equal(table->drag_time_to_speed(-3, drags[i], 3, &out), GYRE_OK);
            assert_true(out == 0);
            out = 17;
            assert_int_equal(table->drag_time_to_speed(0, drags[i], 0, &out), GYRE_OK);
            assert_true(out == 0);
            for (float velocity = -1; velocity <= 1; velocity++) {
                out = 17;
                assert_int_equal(table->drag_time_to_position(5, velocity, drags[i], 5, &out), GYRE_OK);
                assert_true(out == 0);
            }
        }
    }
}

static void test_bad_arguments_of_the_helpers(void **state)
{
    (void)state;
    const float never[] = {NAN, INFINITY, -INFINITY}, bad_drags[] = {NAN, INFINITY, 0, -0.0f, -1, 0x1.000002p0f};
    EACH_TABLE(table) {
        float out = 17;
        assert_int_equal(table->drag_rest_position(0, 1, 0.5f, NULL), GYRE_ERROR_NULL);
        assert_int_equal(table->drag_time_to_speed(2, 0.5f, 1, NULL), GYRE_ERROR_NULL);
        assert_int_equal(table->drag_time_to_position(0, 2, 0.5f, 1, NULL), GYRE_ERROR_NULL);
        for (size_t i = 0; i < LENGTH(bad_drags); i++) {
            assert_int_equal(table->drag_rest_position(0, 0, bad_drags[i], &out), GYRE_ERROR_VALUE);
            assert_int_equal(table->drag_time_to_speed(1, bad_drags[i], 1, &out), GYRE_ERROR_VALUE);
            assert_int_equal(table->drag_time_to_position(1, 1, bad_drags[i], 1, &out), GYRE_ERROR_VALUE);
        }
        for (size_t i = 0; i < LENGTH(never); i++) {
            assert_int_equal(table->drag_rest_position(never[i], 0, 0.5f, &out), GYRE_ERROR_VALUE);
            assert_int_equal(table->drag_rest_position(0, never[i], 0.5f, &out), GYRE_ERROR_VALUE);
            assert_int_equal(table->drag_time_to_speed(never[i], 0.5f, 1, &out), GYRE_ERROR_VALUE);
            assert_int_equal(table->drag_time_to_speed(1, 0.5f, never[i], &out), GYRE_ERROR_VALUE);
            assert_int_equal(table->drag_time_to_position(never[i], 1, 0.5f, never[i], &out), GYRE_ERROR_VALUE);
            assert_int_equal(table->drag_time_to_position(0, never[i], 0.5f, 1, &out), GYRE_ERROR_VALUE);
            assert_int_equal(table->drag_time_to_position(0, 1, 0.5f, never[i], &out), GYRE_ERROR_VALUE);
        }
        assert_int_equal(table->drag_time_to_speed(1, 0.5f, -1, &out), GYRE_ERROR_VALUE);
        assert_int_equal(table->drag_time_to_position(0, 0x1p-140f, 1, FLT_MAX, &out), GYRE_ERROR_RANGE);
        assert_true(out == 17);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rest_position),    cmocka_unit_test(test_time_to_speed),
        cmocka_unit_test(test_time_to_position), cmocka_unit_test(test_smooth_towards_no_drag),
        cmocka_unit_test(test_never_reached),    cmocka_unit_test(test_rest_is_never_reached),
        cmocka_unit_test(test_already_there),    cmocka_unit_test(test_bad_arguments_of_the_helpers),
    };
    return cmocka_run_group_tests_name("drag helpers", tests, NULL, NULL);
}
