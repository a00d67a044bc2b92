/* Particles with low parts: the error of a step, agreement of both steps, and how errors add up over many steps.
   particle/matrix.c tests the low parts of matrices; guarantees/ also steps states with low parts. */
#include "support/batch.h"
#include "support/dampings.h"
#include "reference/particle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static gyre_particles particles_of(batch *b, bool uniform)
{
    return (gyre_particles){
        .count = BATCH_SPRINGS,
        .position = b->position,
        .velocity = b->velocity,
        .acceleration = uniform ? NULL : b->target,
        .uniform_acceleration = uniform ? b->target[0] : NAN,
        .position_low = b->position_low,
        .velocity_low = b->velocity_low,
    };
}

static double share_of(real got, real exact, real size)
{
    return (double)(fabsl(got - exact) / (0x1p-47L * size + 0x1p-94L));
}

static void test_error(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {1};
        worst_case worst = {0};
        for (size_t i = 0; i < effort(2000); i++) {
            gyre_particle_matrix m;
            for (size_t k = 0; k < 4; k++) {
                (&m.pos_vel)[k] = random_signed(&random, -20, 4);
                m.low[k] = random_signed(&random, -50, -20);
            }
            batch old = batch_random(&random, false), new = old;
            const gyre_particles particles = particles_of(&new, i % 2);
            check_status(table->particles_step(&particles, 0, BATCH_SPRINGS, &m), GYRE_OK);
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                const real x = (real)old.position[k] + old.position_low[k], a = old.target[i % 2 ? 0 : k];
                const real v = (real)old.velocity[k] + old.velocity_low[k];
                const real by_v = ((real)m.pos_vel + m.low[0]) * v, by_a = ((real)m.pos_acc + m.low[2]) * a;
                const real v_left = ((real)m.vel_vel + m.low[1]) * v, v_gained = ((real)m.vel_acc + m.low[3]) * a;
                CASE("particle %zu from %La %La with %La", k, x, v, a);
                check_share(&worst, share_of((real) new.position[k] + new.position_low[k], x + by_v + by_a,
                                             fabsl(x) + fabsl(by_v) + fabsl(by_a)));
                check_share(&worst, share_of((real) new.velocity[k] + new.velocity_low[k], v_left + v_gained,
                                             fabsl(v_left) + fabsl(v_gained)));
                check(fabsf(new.position_low[k]), <=, 0x1p-24f * fabsf(new.position[k]));
                check(fabsf(new.velocity_low[k]), <=, 0x1p-24f * fabsf(new.velocity[k]));
                check_flushed(new.position_low[k]);
            }
        }
        print_worst("with low parts", &worst);
    }
}

/* Individual dampings give the bits of their own matrices, and NaN where gyre_particle_matrix_at refuses. A step of no
   time changes nothing. */
static void test_each(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {2};
        for (size_t i = 0; i < effort(300); i++) {
            const float dt = i % 16 == 0 ? 0 : random_signed(&random, -12, 6);
            float dampings[BATCH_SPRINGS], scales[BATCH_SPRINGS];
            batch got = batch_random(&random, true), want = got;
            got.target[0] = want.target[0] = random_signed(&random, -10, 10);
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                dampings[k] = random_one_in(&random, 16) ? special_floats[random_below(&random, special_float_count)]
                                                         : random_damping(&random);
                scales[k] = random_time_scale(&random);
            }
            const float *const time_scale = i % 3 ? scales : NULL;
            const gyre_particles together = particles_of(&got, i % 2), alone = particles_of(&want, i % 2);
            check_status(table->particles_step_each(&together, 0, BATCH_SPRINGS, dampings, time_scale, dt), GYRE_OK);
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                gyre_particle_matrix m;
                const float own_dt = time_scale != NULL ? time_scale[k] * dt : dt;
                if (dt == 0 || own_dt == 0) {
                    continue;
                }
                if (table->particle_matrix_at(dampings[k], own_dt, &m) == GYRE_OK) {
                    check_status(table->particles_step(&alone, k, k + 1, &m), GYRE_OK);
                } else {
                    want.position[k] = want.velocity[k] = want.position_low[k] = want.velocity_low[k] = NAN;
                }
            }
            CASE("dt %a", dt);
            check_same_batch(&got, &want);
        }
    }
}

static void test_arguments(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {3};
        batch b = batch_random(&random, true);
        const batch before = b;
        gyre_particle_matrix m = {0, 1, 0, 0, {0}};
        gyre_particles particles = particles_of(&b, false);
        check_status(table->particles_step(&particles, 0, BATCH_SPRINGS, &m), GYRE_OK); /* the identity */
        for (size_t k = 0; k < 4; k++) {
            gyre_particle_matrix bad = m;
            bad.low[k] = k % 2 ? NAN : INFINITY;
            check_status(table->particles_step(&particles, 0, BATCH_SPRINGS, &bad), GYRE_ERROR_VALUE);
        }
        particles.velocity_low = NULL;
        check_status(table->particles_step(&particles, 0, BATCH_SPRINGS, &m), GYRE_ERROR_NULL);
        check_status(table->particles_step_each(&particles, 0, BATCH_SPRINGS, b.target, NULL, 0), GYRE_ERROR_NULL);
        check_bytes(&b, &before, sizeof b);
        m.low[1] = 0x1p-30f; /* not the identity, although its floats are */
        float s[4] = {1, 1, 0, 0};
        const gyre_particles one = {
            .count = 1, .position = &s[0], .velocity = &s[1], .position_low = &s[2], .velocity_low = &s[3]};
        check_status(table->particles_step(&one, 0, 1, &m), GYRE_OK);
        check(s[1], ==, 1);
        check(s[3], ==, 0x1p-30f);
    }
}

/* No subnormal number is carried over, whatever the input. */
static void test_flush(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {4};
        gyre_particle_matrix m;
        check_status(table->particle_matrix_at(0.5f, 0.1f, &m), GYRE_OK);
        size_t kept = 0;
        for (size_t i = 0; i < effort(50000); i++) {
            float s[4] = {random_signed(&random, -149, -70), random_signed(&random, -149, -70),
                          random_signed(&random, -149, -90), random_signed(&random, -149, -90)};
            const gyre_particles particle = {
                .count = 1, .position = &s[0], .velocity = &s[1], .position_low = &s[2], .velocity_low = &s[3]};
            check_status(table->particles_step(&particle, 0, 1, &m), GYRE_OK);
            for (size_t k = 0; k < 4; k++) {
                CASE("%zu of the state: %a", k, s[k]);
                check_flushed(s[k]);
                kept += s[k] != 0;
            }
        }
        check(kept, >, effort(50000) / 4);
    }
}

/* ---- Repeated steps ---- */

/* Where a step is below half an ulp of the position, floats alone do not move. */
static void test_far_from_the_origin(void **state)
{
    (void)state;
    const struct {
        float position, velocity, dt_s;
    } cases[] = {{1e7f, 20, 1 / 60.0f}, {3e4f, 0.2f, 1 / 240.0f}};
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(cases); i++) {
            gyre_particle_matrix m;
            check_status(table->particle_matrix_at(0, cases[i].dt_s, &m), GYRE_OK);
            for (int low = 0; low < 2; low++) {
                CASE("from %g at %g, low parts: %d", cases[i].position, cases[i].velocity, low);
                float s[4] = {cases[i].position, cases[i].velocity, 0, 0};
                const gyre_particles particle = {.count = 1,
                                                 .position = &s[0],
                                                 .velocity = &s[1],
                                                 .position_low = low ? &s[2] : NULL,
                                                 .velocity_low = &s[3]};
                for (size_t step = 0; step < 60000; step++) {
                    check_status(table->particles_step(&particle, 0, 1, &m), GYRE_OK);
                }
                const double way = 60000.0 * cases[i].dt_s * cases[i].velocity;
                check_within((double)s[0] + s[2], cases[i].position + (low ? way : 0),
                             60000 * 0x1p-46 * cases[i].position);
            }
        }
    }
}

/* A million steps, or a hundred million with GYRE_EXHAUSTIVE=1: with damping towards a terminal velocity, and without.
 */
static void test_many_steps(void **state)
{
    (void)state;
    const size_t steps = getenv("GYRE_EXHAUSTIVE") != NULL ? 100000000 : effort(1000000);
    const float dt = 1 / 240.0f, a = -9.81f;
    const float dampings[] = {0, 1e-6f, 0.01f, 2};
    EACH_BEST_TABLE(table) {
        double worst = 0;
        for (size_t i = 0; i < LENGTH(dampings); i++) {
            const real k = dampings[i], t = (real)dt * (real)steps;
            const reference_particle all = reference_particle_matrix(k, t);
            gyre_particle_matrix m;
            check_status(table->particle_matrix_at(dampings[i], dt, &m), GYRE_OK);
            float s[4] = {3, 7, 0, 0};
            const gyre_particles particle = {.count = 1,
                                             .position = &s[0],
                                             .velocity = &s[1],
                                             .uniform_acceleration = a,
                                             .position_low = &s[2],
                                             .velocity_low = &s[3]};
            for (size_t step = 0; step < steps; step++) {
                check_status(table->particles_step(&particle, 0, 1, &m), GYRE_OK);
            }
            const real x = 3 + all.pos_vel * 7 + all.pos_acc * a, v = all.vel_vel * 7 + all.vel_acc * a;
            const real got_x = (real)s[0] + s[2], got_v = (real)s[1] + s[3];
            CASE("damping %g, %zu steps", dampings[i], steps);
            check_within(got_x, x, 0x1p-46L * (real)steps * fabsl(x));
            check_within(got_v, v, 0x1p-46L * (real)steps * fabsl(v));
            worst = fmax(worst, (double)(fabsl(got_x - x) / fabsl(x) / (real)steps));
        }
        printf("# %s: %.2g of the position per step\n", table_name(table), worst);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_error),      TEST(test_each), TEST(test_arguments), TEST(test_flush), TEST(test_far_from_the_origin),
        TEST(test_many_steps),
    };
    return cmocka_run_group_tests_name("particle_low_parts", tests, NULL, NULL);
}
