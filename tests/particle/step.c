/* Both steps of particles: their stated error, agreement with each other, and published formulas. */
#include "support/batch.h"
#include "support/dampings.h"
#include "reference/particle.h"

#include <math.h>
#include <string.h>

static const real eps = 0x1p-24L;
static const real flush_limit = 0x1p-95L;

/* A batch as particles: `target` holds accelerations, or its first element is the uniform acceleration. */
static gyre_particles particles_of(batch *b, bool uniform)
{
    return (gyre_particles){BATCH_SPRINGS, b->position, b->velocity, uniform ? NULL : b->target,
                            uniform ? b->target[0] : NAN};
}

/* The error as a share of the bound. A result below 2^-95 may be 0 and must not be subnormal. */
static double share_of(float got, real exact, real bound)
{
    check_not_subnormal(got);
    return (double)(fabsl(got - exact) / (bound + flush_limit));
}

/* The error of the step with the matrix m, whose own error is m_error. */
static void check_particle(worst_case *worst, const batch *old, const batch *new, size_t k, float a,
                           reference_particle m, reference_particle m_error)
{
    real x = old->position[k], v = old->velocity[k];
    real position = x + m.pos_vel * v + m.pos_acc * a, velocity = m.vel_vel * v + m.vel_acc * a;
    real position_bound = 4 * eps * (fabsl(x) + fabsl(m.pos_vel * v) + fabsl(m.pos_acc * a)) +
                          m_error.pos_vel * fabsl(v) + m_error.pos_acc * fabsf(a);
    real velocity_bound = 3 * eps * (fabsl(m.vel_vel * v) + fabsl(m.vel_acc * a)) + m_error.vel_vel * fabsl(v) +
                          m_error.vel_acc * fabsf(a);
    CASE("x=%La v=%La a=%a, matrix %La %La %La %La: got %a %a, wanted %La %La", x, v, a, m.pos_vel, m.vel_vel,
         m.pos_acc, m.vel_acc, new->position[k], new->velocity[k], position, velocity);
    check_share(worst, worse_of(share_of(new->position[k], position, position_bound),
                                share_of(new->velocity[k], velocity, velocity_bound)));
}

static void test_step_error(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {5};
        worst_case worst = {0};
        for (size_t i = 0; i < effort(1000); i++) {
            gyre_particle_matrix m = {random_signed(&random, -20, 4), random_signed(&random, -20, 4),
                                      random_signed(&random, -20, 4), random_signed(&random, -20, 4)};
            batch old = batch_random(&random, false), new = old;
            gyre_particles particles = particles_of(&new, i % 2);
            check_status(table->particles_step(&particles, 0, BATCH_SPRINGS, &m), GYRE_OK);
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                reference_particle exact = {m.pos_vel, m.vel_vel, m.pos_acc, m.vel_acc}, none = {0, 0, 0, 0};
                check_particle(&worst, &old, &new, k, old.target[i % 2 ? 0 : k], exact, none);
            }
        }
        print_worst("one matrix", &worst);
    }
}

static void test_step_each_error(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {6};
        worst_case worst = {0};
        for (size_t i = 0; i < effort(1000); i++) {
            float dt = random_magnitude(&random, -12, 4), dampings[BATCH_SPRINGS];
            batch old = batch_random(&random, false), new = old;
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                dampings[k] = random_damping(&random);
            }
            gyre_particles particles = particles_of(&new, i % 2);
            check_status(table->particles_step_each(&particles, 0, BATCH_SPRINGS, dampings, NULL, dt), GYRE_OK);
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                check_particle(&worst, &old, &new, k, old.target[i % 2 ? 0 : k],
                               reference_particle_matrix(dampings[k], dt), reference_particle_bound(dampings[k], dt));
            }
        }
        print_worst("individual dampings", &worst);
    }
}

/* Individual dampings and a time give the same bits as each particle's own matrix in a step of that particle alone. An
   invalid damping, or one that leads out of range, makes only that particle NaN. */
static void test_step_each_is_matrix_and_step(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {7};
        size_t invalid = 0, out_of_range = 0;
        for (size_t i = 0; i < effort(300); i++) {
            float dt = random_signed(&random, -12, 6), dampings[BATCH_SPRINGS], scales[BATCH_SPRINGS];
            batch got = batch_random(&random, true), want = got;
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                dampings[k] = random_one_in(&random, 16) ? special_floats[random_below(&random, special_float_count)]
                                                         : random_damping(&random);
                scales[k] = random_time_scale(&random);
            }
            const float *const time_scale = i % 3 ? scales : NULL;
            got.target[0] = want.target[0] = random_signed(&random, -10, 10);
            gyre_particles together = particles_of(&got, i % 2), alone = particles_of(&want, i % 2);
            check_status(table->particles_step_each(&together, 0, BATCH_SPRINGS, dampings, time_scale, dt), GYRE_OK);
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                const float own_dt = time_scale != NULL ? time_scale[k] * dt : dt;
                CASE("particle %zu, damping=%a dt=%a", k, dampings[k], own_dt);
                gyre_particle_matrix m;
                gyre_status status = own_dt == 0 ? table->particle_matrix_at(0, 0, &m)
                                                 : table->particle_matrix_at(dampings[k], own_dt, &m);
                if (status == GYRE_OK) {
                    check_status(table->particles_step(&alone, k, k + 1, &m), GYRE_OK);
                } else if (status == GYRE_ERROR_VALUE) {
                    want.position[k] = want.velocity[k] = NAN;
                    invalid++;
                } else { /* any result is allowed: the right one does not fit in a float */
                    check_status(status, GYRE_ERROR_RANGE);
                    want.position[k] = got.position[k];
                    want.velocity[k] = got.velocity[k];
                    out_of_range++;
                }
            }
            check_same_batch(&got, &want);
        }
        check(invalid, >, 0);
        check(out_of_range, >, 0);
    }
}

/* Damping ends with velocity exactly 0, and no step on the way leaves a subnormal number. */
static void test_decay(void **state)
{
    (void)state;
    const struct {
        float damping, dt_s;
    } cases[] = {{0.7f, 1 / 60.0f}, {0.002f, 1000}, {2.3f, 1 / 60.0f}, {23, 1 / 60.0f}, {1e-4f, 1000}};
    EACH_TABLE(table) {
        for (size_t i = 0; i < 2 * LENGTH(cases); i++) {
            random_source random = {8};
            const float damping = cases[i / 2].damping, dt = cases[i / 2].dt_s;
            CASE("damping=%g dt=%g, %s", damping, dt, i % 2 ? "each" : "one matrix");
            float each[BATCH_SPRINGS];
            batch b = batch_random(&random, false);
            memset(b.target, 0, sizeof b.target);
            gyre_particles particles = particles_of(&b, true);
            gyre_particle_matrix m;
            check_status(table->particle_matrix_at(damping, dt, &m), GYRE_OK);
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                each[k] = damping;
                b.position[k] = k % 2 ? b.position[k] : 0;
            }
            size_t moving, steps = 0;
            do {
                check_status(i % 2 ? table->particles_step_each(&particles, 0, BATCH_SPRINGS, each, NULL, dt)
                                   : table->particles_step(&particles, 0, BATCH_SPRINGS, &m),
                             GYRE_OK);
                moving = 0;
                for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                    check_not_subnormal(b.position[k]);
                    check_not_subnormal(b.velocity[k]);
                    moving += b.velocity[k] != 0;
                }
            } while (moving > 0 && ++steps < 20000);
            check(moving, ==, 0);
        }
    }
}

/* Both steps flush to zero below 2^-95, but not at 2^-95. */
static void test_flushing_limit(void **state)
{
    (void)state;
    const gyre_particle_matrix keeps = {0, -1, 0, 0}; /* not the identity, and exact */
    const float limit = 0x1p-95f, below = nextafterf(limit, 0), dampings[2] = {0.5f, 0.5f};
    EACH_TABLE(table) {
        for (int sign = -1; sign <= 1; sign += 2) {
            float x[2] = {sign * limit, sign * below}, v[2] = {sign * limit, sign * below};
            const gyre_particles particles = {.count = 2, .position = x, .velocity = v};
            check_status(table->particles_step(&particles, 0, 2, &keeps), GYRE_OK);
            check(x[0], ==, sign * limit);
            check(v[0], ==, -sign * limit);
            check(x[1], ==, 0);
            check(v[1], ==, 0);
            x[1] = sign * below;
            v[0] = 0;
            check_status(table->particles_step_each(&particles, 0, 2, dampings, NULL, 1), GYRE_OK);
            check(x[0], ==, sign * limit);
            check(x[1], ==, 0);
        }
    }
}

static void test_bad_arguments_of_a_step(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {9};
        gyre_particle_matrix good;
        check_status(table->particle_matrix_at(0.5f, 0.25f, &good), GYRE_OK);
        batch b = batch_random(&random, true);
        const batch before = b;
        float dampings[BATCH_SPRINGS] = {0.5f};
        for (int uniform = 0; uniform < 2; uniform++) {
            const gyre_particles particles = particles_of(&b, uniform);
            const size_t all = BATCH_SPRINGS;
            gyre_particles bad;
            check_status(table->particles_step(NULL, 0, all, &good), GYRE_ERROR_NULL);
            check_status(table->particles_step(&particles, 0, all, NULL), GYRE_ERROR_NULL);
            check_status(table->particles_step_each(NULL, 0, all, dampings, NULL, 1), GYRE_ERROR_NULL);
            check_status(table->particles_step_each(&particles, 0, all, NULL, NULL, 1), GYRE_ERROR_NULL);
            for (int which = 0; which < 2; which++) {
                bad = particles;
                *(which ? &bad.position : &bad.velocity) = NULL;
                check_status(table->particles_step(&bad, 3, 4, &good), GYRE_ERROR_NULL);
                check_status(table->particles_step_each(&bad, 3, 4, dampings, NULL, 1), GYRE_ERROR_NULL);
            }
            const size_t ranges[][2] = {{2, 1}, {0, all + 1}, {SIZE_MAX, all}, {0, SIZE_MAX}, {all + 1, all + 1}};
            for (size_t i = 0; i < LENGTH(ranges); i++) {
                CASE("range from %zu to %zu", ranges[i][0], ranges[i][1]);
                check_status(table->particles_step(&particles, ranges[i][0], ranges[i][1], &good), GYRE_ERROR_RANGE);
                check_status(table->particles_step_each(&particles, ranges[i][0], ranges[i][1], dampings, NULL, 1),
                             GYRE_ERROR_RANGE);
            }
            const float not_finite[] = {NAN, INFINITY, -INFINITY};
            for (size_t i = 0; i < LENGTH(not_finite); i++) {
                CASE("a parameter is %a", not_finite[i]);
                check_status(table->particles_step_each(&particles, 0, all, dampings, NULL, not_finite[i]),
                             GYRE_ERROR_VALUE);
                for (size_t k = 0; k < 4; k++) {
                    gyre_particle_matrix invalid_matrix = k % 2 ? good : (gyre_particle_matrix){0, 1, 0, 0};
                    *(float *const[]){&invalid_matrix.pos_vel, &invalid_matrix.vel_vel, &invalid_matrix.pos_acc,
                                      &invalid_matrix.vel_acc}[k] = not_finite[i];
                    check_status(table->particles_step(&particles, 0, all, &invalid_matrix), GYRE_ERROR_VALUE);
                }
                bad = particles;
                bad.acceleration = NULL;
                bad.uniform_acceleration = not_finite[i];
                check_status(table->particles_step(&bad, 0, all, &good), GYRE_ERROR_VALUE);
                check_status(table->particles_step_each(&bad, 0, all, dampings, NULL, 1), GYRE_ERROR_VALUE);
            }
        }
        check_bytes(&b, &before, sizeof b);

        gyre_particles none = {.count = 100};
        for (size_t i = 0; i <= 100; i++) { /* empty ranges need no arrays */
            check_status(table->particles_step(&none, i, i, &good), GYRE_OK);
            check_status(table->particles_step_each(&none, i, i, dampings, NULL, 1), GYRE_OK);
        }
    }
}

static void test_no_time_is_the_identity(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {4};
        for (size_t i = 0; i < effort(500); i++) {
            float damping = i % 3 == 0 ? random_magnitude(&random, -149, 0) : random_damping(&random);
            float no_time = i % 2 ? 0.0f : -0.0f;
            CASE("damping=%a", damping);
            gyre_particle_matrix m;
            check_status(table->particle_matrix_at(damping, no_time, &m), GYRE_OK);
            check(m.pos_vel, ==, 0);
            check(m.vel_vel, ==, 1);
            check(m.pos_acc, ==, 0);
            check(m.vel_acc, ==, 0);

            batch b = batch_random(&random, true);
            float dampings[BATCH_SPRINGS];
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                dampings[k] = random_one_in(&random, 2) ? random_damping(&random) : random_any_float(&random);
                b.position[k] = k % 3 ? b.position[k] : random_any_float(&random);
                b.velocity[k] = k % 3 ? b.velocity[k] : random_any_float(&random);
            }
            batch before = b;
            gyre_particles particles = {BATCH_SPRINGS, b.position, b.velocity, i % 2 ? b.target : NULL, 1e30f};
            check_status(table->particles_step(&particles, 0, BATCH_SPRINGS, &m), GYRE_OK);
            check_status(table->particles_step_each(&particles, 0, BATCH_SPRINGS, dampings, NULL, no_time), GYRE_OK);
            check_bytes(&b, &before, sizeof b);
        }
    }
}

/* Only the identity keeps all bits: a matrix that differs from it in one coefficient is applied. */
static void test_next_to_the_identity(void **state)
{
    (void)state;
    const float position[4] = {2, 1, 3, 1}, velocity[4] = {2, 1, 2, 4}; /* from 1 with velocity 2, accelerated by 4 */
    EACH_TABLE(table) {
        for (int k = 0; k < 4; k++) {
            gyre_particle_matrix m = {0, 1, 0, 0};
            *(float *const[]){&m.pos_vel, &m.vel_vel, &m.pos_acc, &m.vel_acc}[k] = 0.5f;
            float x = 1, v = 2, a = 4;
            const gyre_particles particle = {.count = 1, .position = &x, .velocity = &v, .acceleration = &a};
            check_status(table->particles_step(&particle, 0, 1, &m), GYRE_OK);
            CASE("coefficient %d", k);
            check(x, ==, position[k]);
            check(v, ==, velocity[k]);
        }
    }
}

/* Without damping the whole of a long time is used: 2^125 s at 2^-100 u/s^2. */
static void test_long_times_without_damping(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        float x = 1, v = 2;
        const float a = 0x1p-100f, damping = 0;
        const gyre_particles particle = {.count = 1, .position = &x, .velocity = &v, .acceleration = &a};
        check_status(table->particles_step_each(&particle, 0, 1, &damping, NULL, 0x1p125f), GYRE_OK);
        check(v, ==, 0x1p25f + 2);
    }
}

/* ---- Many steps ---- */

/* n steps with one matrix against one exact step of n times the time. */
static void test_errors_of_many_steps_add_up(void **state)
{
    (void)state;
    const size_t steps = effort(20000);
    EACH_BEST_TABLE(table) {
        worst_case worst = {0};
        for (size_t i = 0; i < 2 * 6; i++) {
            const float dampings[] = {0, 1e-8f, 1e-3f, 0.1f, 3, 100}, damping = dampings[i / 2], a = -9.80665f;
            const float dt = 1 / 240.0f;
            float x = 10, v = 300, largest = 10;
            const gyre_particles particle = {
                .count = 1, .position = &x, .velocity = &v, .uniform_acceleration = i % 2 ? a : 0};
            gyre_particle_matrix m;
            check_status(table->particle_matrix_at(damping, dt, &m), GYRE_OK);
            for (size_t k = 0; k < steps; k++) {
                check_status(table->particles_step(&particle, 0, 1, &m), GYRE_OK);
                largest = fmaxf(largest, fabsf(x));
            }
            const real n = (real)steps, t = n * dt, acceleration = i % 2 ? a : 0;
            const reference_particle exact = reference_particle_matrix(damping, t);
            const real position = 10 + exact.pos_vel * 300 + exact.pos_acc * acceleration;
            const real velocity = exact.vel_vel * 300 + exact.vel_acc * acceleration;
            /* The largest errors of a step, including the matrix. An error of the velocity moves the position for the
               remaining time. */
            const real fastest = 300 + fabsl(exact.vel_acc * acceleration), gained = fabsl(m.vel_acc * acceleration);
            const real velocity_bound = n * eps * ((7 + 4 * (real)damping * dt) * fastest + 9 * gained);
            const real position_bound =
                n * eps * (4 * largest + 10 * dt * fastest + 12 * dt * gained) + velocity_bound * exact.pos_vel;
            CASE("damping=%g, acceleration %La, %zu steps: got %a %a, wanted %La %La", damping, acceleration, steps, x,
                 v, position, velocity);
            check_share(&worst, (double)(fabsl(x - position) / position_bound));
            check_share(&worst, (double)(fabsl(v - velocity) / velocity_bound));
        }
        print_worst("many steps", &worst);
    }
}

/* Where floats are 1 apart, a step of a third moves nothing and one of two thirds moves by 1: at 20 u/s the particle
   stands still, and at 40 u/s it moves at 60 u/s. */
static void test_steps_below_half_an_ulp_of_the_position(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        float x[] = {1e7f, 1e7f}, v[] = {20, 40};
        const float dampings[] = {0, 0};
        const gyre_particles particles = {.count = 2, .position = x, .velocity = v};
        gyre_particle_matrix m;
        check_status(table->particle_matrix_at(0, 1 / 60.0f, &m), GYRE_OK);
        for (int k = 0; k < 3600; k++) {
            check_status(k % 2 ? table->particles_step(&particles, 0, 2, &m)
                               : table->particles_step_each(&particles, 0, 2, dampings, NULL, 1 / 60.0f),
                         GYRE_OK);
        }
        check(x[0], ==, 1e7f);
        check(v[0], ==, 20);
        check(x[1], ==, 1e7f + 3600);
        check(v[1], ==, 40);
    }
}

/* ---- Published formulas: Ralph Thomas, "Equations of motion" (2015), in that text's own terms. ---- */

static double friction_velocity(double initial_velocity, double friction, double delta_time)
{
    return initial_velocity * pow(friction, delta_time);
}

static double friction_position(double initial_position, double initial_velocity, double friction, double delta_time)
{
    return initial_position + initial_velocity * pow(friction, delta_time) / log(friction) -
           initial_velocity / log(friction);
}

static double gravity_position(double initial_position, double initial_velocity, double acceleration, double delta_time)
{
    return initial_position + initial_velocity * delta_time + 0.5 * acceleration * delta_time * delta_time;
}

static void test_equations_of_motion(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {14};
        for (size_t i = 0; i < effort(20000); i++) {
            float x = random_signed(&random, 0, 10), v = random_signed(&random, 0, 10),
                  a = random_signed(&random, 0, 10);
            float friction = 0.001f + 0.998f * random_unit(&random), t = random_magnitude(&random, -8, 3), damping;
            CASE("x=%a v=%a a=%a friction=%a t=%a", x, v, a, friction, t);
            float position = x, velocity = v;
            gyre_particles particle = {1, &position, &velocity, NULL, 0};
            gyre_particle_matrix m;
            check_status(table->damping_from_retention(friction, 1, &damping), GYRE_OK);
            check_status(table->particle_matrix_at(damping, t, &m), GYRE_OK);
            check_status(table->particles_step(&particle, 0, 1, &m), GYRE_OK);
            double p = log(friction) * t, tolerance = 10 * (double)eps * (1 - p);
            double moved = fabs(friction_position(0, v, friction, t));
            check_within(position, friction_position(x, v, friction, t), tolerance * (fabsf(x) + moved));
            check_within(velocity, friction_velocity(v, friction, t),
                         tolerance * fabs(friction_velocity(v, friction, t)));

            position = x;
            velocity = v;
            particle.uniform_acceleration = a;
            check_status(table->particle_matrix_at(0, t, &m), GYRE_OK);
            check_status(table->particles_step(&particle, 0, 1, &m), GYRE_OK);
            double terms = fabsf(x) + fabsf(v) * t + fabsf(a) * t * t / 2;
            check_within(position, gravity_position(x, v, a, t), 5 * (double)eps * terms);
            check_within(velocity, (double)v + (double)a * t, 3 * (double)eps * (fabsf(v) + fabsf(a) * t));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_step_error),
        TEST(test_step_each_error),
        TEST(test_step_each_is_matrix_and_step),
        TEST(test_decay),
        TEST(test_flushing_limit),
        TEST(test_bad_arguments_of_a_step),
        TEST(test_no_time_is_the_identity),
        TEST(test_next_to_the_identity),
        TEST(test_long_times_without_damping),
        TEST(test_errors_of_many_steps_add_up),
        TEST(test_steps_below_half_an_ulp_of_the_position),
        TEST(test_equations_of_motion),
    };
    return cmocka_run_group_tests_name("particle_step", tests, NULL, NULL);
}
