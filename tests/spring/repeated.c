/* What repeated steps add up to, as stated in springs-reference.md: the drift of an amplitude, how far from its target
   a spring may stop, and how a period depends on the frame rate. */
#include "reference/spring.h"
#include "support/batch.h"

#include <math.h>

/* Steps one spring without rest limits, `steps` times. */
static void repeat(const gyre_kernels *table, gyre_springs spring, const gyre_spring_matrix *matrix, size_t steps)
{
    for (size_t i = 0; i < steps; i++) {
        check_status(table->springs_step(&spring, 0, 1, matrix), GYRE_OK);
    }
}

/* The size of the ellipse on which a spring of frequency w sqrt(1 - z^2) would continue without damping. */
static double amplitude(double w, double z, double x, double v)
{
    return hypot(x, (v + z * w * x) / (w * sqrt((1 - z) * (1 + z))));
}

static void test_drift_of_the_amplitude(void **state)
{
    (void)state;
    enum { STEPS = 4000 };
    EACH_BEST_TABLE(table) {
        random_source random = {1};
        double worst = 0;
        for (size_t i = 0; i < 50 + effort(500); i++) {
            const float dt = i % 2 ? 1 / 240.0f : 1 / 64.0f, w = random_magnitude(&random, 0, 6);
            /* undamped, or with so little damping that it does not come to rest within these steps */
            const float z = i % 3 ? 0 : random_unit(&random) / (w * dt * STEPS);
            CASE("w %g z %g dt %g", w, z, dt);
            const gyre_spring_matrix matrix = matrix_of(table, (gyre_spring){w, z, 0}, dt);
            float x = 1, v = 0;
            repeat(table, (gyre_springs){.count = 1, .position = &x, .velocity = &v}, &matrix, STEPS);
            const double exact = amplitude(w, z, 1, 0) * exp(-(double)z * w * dt * STEPS);
            const double drift = fabs(amplitude(w, z, x, v) / exact - 1) / STEPS;
            check(drift, <=, 0x1p-23);
            worst = drift > worst ? drift : worst;
        }
        printf("# %s: worst drift %.2g of the amplitude per step\n", table_name(table), worst);
        check(worst, >, 1e-9); /* there is a drift */
    }
}

static void test_where_a_spring_stops(void **state)
{
    (void)state;
    const float target = 1e5f, half_ulp = 0x1p-8f;
    EACH_BEST_TABLE(table) {
        for (int i = 0; i < 12; i++) {
            const float w = ldexpf(1, i % 4 - 1), z = (const float[]){0.5f, 1, 2}[i / 4], dt = 1 / 240.0f;
            CASE("w %g z %g dt %g", w, z, dt);
            const gyre_spring_matrix m = matrix_of(table, (gyre_spring){w, z, 0}, dt);
            float x = target - 100, v = 0;
            uint8_t awake = 9;
            const gyre_springs spring = {
                .count = 1, .position = &x, .velocity = &v, .target = &target, .awake = &awake};
            repeat(table, spring, &m, 20000);
            const float stopped = x;
            repeat(table, spring, &m, 1000);
            check(x, ==, stopped);
            /* the velocity of a spring that no longer moves, and the share of the way to the target that a step would
               cover */
            const double speed = (double)m.vel_pos / (1 - (double)m.vel_vel);
            const double part = 1 - (double)m.pos_pos - (double)m.pos_vel * speed;
            check_within(part, w * dt / (2 * z), 0.02 * part);
            check(fabsf(target - x), <=, half_ulp / part);
            if (part < 0.01) {
                check(x, !=, target);
            }
            check(awake, ==, 0); /* wherever it stopped, nothing changes any more */
        }
    }
}

/* Thrown past half a turn: at two frame rates, a spring with a period ends up in different turns. */
static void test_a_period_and_the_frame_rate(void **state)
{
    (void)state;
    const float period = 6.2831855f, w = 4, z = 0.2f;
    EACH_BEST_TABLE(table) {
        float x[2][2] = {{0}}, v[2][2];
        for (int k = 0; k < 4; k++) {
            const int coarse = k % 2, has_period = k / 2, frames = coarse ? 15 : 240;
            const gyre_spring_matrix matrix = matrix_of(table, (gyre_spring){w, z, 0}, 1 / (float)frames);
            v[has_period][coarse] = 30;
            repeat(table,
                   (gyre_springs){.count = 1,
                                  .position = &x[has_period][coarse],
                                  .velocity = &v[has_period][coarse],
                                  .period = has_period ? period : 0},
                   &matrix, (size_t)frames);
        }
        /* without a period the motion is the same; with one it differs by far more than rounding, and not by whole
           turns */
        check_within(x[0][0], x[0][1], 1e-4);
        check_within(v[0][0], v[0][1], 1e-3);
        check(fabsf(remainderf(x[1][0] - x[1][1], period)) + fabsf(v[1][0] - v[1][1]), >, 0.1f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_drift_of_the_amplitude),
        TEST(test_where_a_spring_stops),
        TEST(test_a_period_and_the_frame_rate),
    };
    return cmocka_run_group_tests_name("springs repeated", tests, NULL, NULL);
}
