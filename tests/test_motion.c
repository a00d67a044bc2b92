/* Friction and acceleration: the matrix within its stated error, its identities, the two steps, and the helpers that
   say where and when a particle under drag comes to rest. */
#include "batch.h"
#include "reference/motion.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const real eps = 0x1p-24L;
static const real flush_limit = 0x1p-95L;

/* ---- The matrix: error ---- */

typedef struct worst_case {
    double share;
    float drag, t;
    const char *coefficient;
} worst_case;

static void print_worst(const gyre_kernels *table, const char *where, worst_case worst)
{
    printf("# %s, %s: %.3f of the bound, %s at drag=%a t=%a\n", table_name(table), where, worst.share,
           worst.coefficient, (double)worst.drag, (double)worst.t);
}

static void check_coefficient(worst_case *worst, const char *name, float drag, float t, float got, real exact,
                              real bound)
{
    double share = got == exact ? 0 : (double)(fabsl(got - exact) / bound);
    if (share > worst->share) {
        *worst = (worst_case){share, drag, t, name};
    }
    if (!(share <= 1)) {
        fail_msg("%s at drag=%a t=%a is %a, not %La: %.3f of the bound", name, (double)drag, (double)t, (double)got,
                 exact, share);
    }
}

/* Which of the coefficients is largest, with what may be added to it. */
static real largest(reference_motion m, reference_motion bound, int sign)
{
    real position = fmaxl(fabsl(m.pos_vel) + sign * bound.pos_vel, fabsl(m.pos_acc) + sign * bound.pos_acc);
    return fmaxl(position, fabsl(m.vel_vel) + sign * bound.vel_vel);
}

/* GYRE_OK for certain, or GYRE_ERROR_RANGE for certain, where the exact coefficients say so; and if it is GYRE_OK,
   every coefficient within its bound. */
static void check_matrix(const gyre_kernels *table, worst_case *worst, float drag, float t)
{
    reference_motion exact = reference_motion_matrix(drag, t), bound = reference_motion_bound(drag, t);
    gyre_motion_matrix m = {1, 2, 3, 4};
    gyre_status status = table->motion_matrix_at(drag, t, &m);
    if (status == GYRE_ERROR_RANGE && !(largest(exact, bound, 1) < FLT_MAX)) {
        assert_true(m.pos_vel == 1 && m.vel_vel == 2 && m.pos_acc == 3 && m.vel_acc == 4);
        return;
    }
    if (status != GYRE_OK || largest(exact, bound, -1) > FLT_MAX) {
        fail_msg("%s at drag=%a t=%a", gyre_status_name(status), (double)drag, (double)t);
    }
    check_coefficient(worst, "pos_vel", drag, t, m.pos_vel, exact.pos_vel, bound.pos_vel);
    check_coefficient(worst, "vel_vel", drag, t, m.vel_vel, exact.vel_vel, bound.vel_vel);
    check_coefficient(worst, "pos_acc", drag, t, m.pos_acc, exact.pos_acc, bound.pos_acc);
    check_coefficient(worst, "vel_acc", drag, t, m.vel_acc, exact.vel_acc, bound.vel_acc);
}

/* Drags: 1, 1 - 2^-k for every k, and a logarithmic scale from 1e-30 to 1. */
enum { NEAR_DRAGS = 24, SCALE_DRAGS = 61, DRAGS = 1 + NEAR_DRAGS + SCALE_DRAGS };

static float grid_drag(size_t i)
{
    return i == 0            ? 1
           : i <= NEAR_DRAGS ? 1 - ldexpf(1, -(int)i)
                             : powf(10, -30 + 30 * (float)(i - 1 - NEAR_DRAGS) / (SCALE_DRAGS - 1));
}

static void test_matrix_error_on_a_grid(void **state)
{
    (void)state;
    size_t times = effort(100);
    EACH_BEST_TABLE(table) {
        worst_case worst = {.share = 0};
        for (size_t d = 0; d < DRAGS; d++) {
            for (size_t i = 0; i <= times; i++) {
                float t = powf(10, -6 + 9 * (float)i / (float)times);
                check_matrix(table, &worst, grid_drag(d), t);
                check_matrix(table, &worst, grid_drag(d), -t);
            }
        }
        print_worst(table, "grid", worst);
    }
}

static float random_drag(random_source *random)
{
    switch (random_below(random, 4)) {
    case 0: return fmaxf(random_unit(random), 0x1p-24f);
    case 1: return 1 - random_magnitude(random, -24, -1);
    case 2: return grid_drag(random_below(random, DRAGS));
    default: return random_magnitude(random, -100, 0);
    }
}

/* A million rows over both tables; p of every size, and 1 <= |p| <= 2, where the two ways to f2 meet, often. */
static void test_matrix_error_at_random(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {1};
        worst_case worst = {.share = 0};
        for (size_t i = 0; i < effort(500000); i++) {
            float drag = random_drag(&random), t = random_signed(&random, -20, 10);
            if (i % 4 == 0 && drag < 1) {
                t = random_signed(&random, -2, 2) / logf(drag);
            } else if (i % 16 == 1) {
                t = random_signed(&random, -60, 60);
            }
            check_matrix(table, &worst, drag, t);
        }
        print_worst(table, "random", worst);
    }
}

/* ---- The matrix: what needs no reference ---- */

/* Two half steps are one, within what the bounds of all three leave. */
static void test_semigroup(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {2};
        for (size_t i = 0; i < effort(100000); i++) {
            float drag = random_drag(&random), t = random_magnitude(&random, -12, 6);
            t = drag < 1 ? fminf(t, 40 / -logf(drag)) : t; /* beyond, halves say nothing of the whole */
            gyre_motion_matrix h, m;
            assert_int_equal(table->motion_matrix_at(drag, t / 2, &h), GYRE_OK);
            assert_int_equal(table->motion_matrix_at(drag, t, &m), GYRE_OK);
            real vel = h.vel_vel, tolerance = 24 * eps * (1 + fabsl(logl(drag) * t)); /* relative, of positive terms */
            assert_true(fabsl(vel * vel - m.vel_vel) <= tolerance * m.vel_vel);
            assert_true(fabsl(h.pos_vel + h.pos_vel * vel - m.pos_vel) <= tolerance * m.pos_vel);
            assert_true(fabsl(h.vel_acc * vel + h.vel_acc - m.vel_acc) <= tolerance * m.vel_acc);
            assert_true(fabsl(2 * (real)h.pos_acc + (real)h.pos_vel * h.vel_acc - m.pos_acc) <= tolerance * m.pos_acc);
        }
    }
}

/* x + v t + a t^2 / 2, each coefficient rounded once. */
static void test_no_drag(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {3};
        for (size_t i = 0; i < effort(20000); i++) {
            float t = random_signed(&random, -60, 60);
            gyre_motion_matrix m;
            assert_int_equal(table->motion_matrix_at(1, t, &m), GYRE_OK);
            assert_true(m.pos_vel == t && m.vel_vel == 1 && m.vel_acc == t);
            assert_true(m.pos_acc == (float)((double)t * t / 2));
        }
    }
}

static void test_no_time_is_the_identity(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {4};
        for (size_t i = 0; i < effort(500); i++) {
            float drag = i % 3 == 0 ? random_magnitude(&random, -149, 0) : random_drag(&random);
            float no_time = i % 2 ? 0.0f : -0.0f;
            gyre_motion_matrix m;
            assert_int_equal(table->motion_matrix_at(drag, no_time, &m), GYRE_OK);
            assert_true(m.pos_vel == 0 && m.vel_vel == 1 && m.pos_acc == 0 && m.vel_acc == 0);

            batch b = batch_random(&random, true);
            float drags[BATCH_SPRINGS];
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                drags[k] = random_one_in(&random, 2) ? random_drag(&random) : random_any_float(&random);
                b.position[k] = k % 3 ? b.position[k] : random_any_float(&random);
                b.velocity[k] = k % 3 ? b.velocity[k] : random_any_float(&random);
            }
            batch before = b;
            gyre_particles particles = {BATCH_SPRINGS, b.position, b.velocity, i % 2 ? b.target : NULL, 1e30f};
            assert_int_equal(table->particles_step(&particles, 0, BATCH_SPRINGS, &m), GYRE_OK);
            assert_int_equal(table->particles_step_each(&particles, 0, BATCH_SPRINGS, drags, no_time), GYRE_OK);
            assert_memory_equal(&b, &before, sizeof b);
        }
    }
}

static void test_bad_arguments_of_a_matrix(void **state)
{
    (void)state;
    const float bad_drags[] = {NAN, INFINITY, -INFINITY, 0, -0.0f, -0x1p-149f, -0.5f, 0x1.000002p0f, 2, FLT_MAX};
    const float bad_times[] = {NAN, INFINITY, -INFINITY};
    EACH_TABLE(table) {
        gyre_motion_matrix m = {1, 2, 3, 4};
        assert_int_equal(table->motion_matrix_at(0.5f, 1, NULL), GYRE_ERROR_NULL);
        for (size_t i = 0; i < LENGTH(bad_drags); i++) {
            assert_int_equal(table->motion_matrix_at(bad_drags[i], 1, &m), GYRE_ERROR_VALUE);
            assert_int_equal(table->motion_matrix_at(bad_drags[i], 0, &m), GYRE_ERROR_VALUE);
        }
        for (size_t i = 0; i < LENGTH(bad_times); i++) {
            assert_int_equal(table->motion_matrix_at(0.5f, bad_times[i], &m), GYRE_ERROR_VALUE);
        }
        assert_int_equal(table->motion_matrix_at(0.5f, -200, &m), GYRE_ERROR_RANGE);
        assert_int_equal(table->motion_matrix_at(1e-30f, -10, &m), GYRE_ERROR_RANGE);
        assert_int_equal(table->motion_matrix_at(1, 0x1p65f, &m), GYRE_ERROR_RANGE); /* t^2 / 2 */
        assert_true(m.pos_vel == 1 && m.vel_vel == 2 && m.pos_acc == 3 && m.vel_acc == 4);
        assert_int_equal(table->motion_matrix_at(0x1p-149f, 1, &m), GYRE_OK);
    }
}

/* ---- The step ---- */

/* A batch as particles: targets are accelerations, or the first of them is everybody's. */
static gyre_particles particles_of(batch *b, bool uniform)
{
    return (gyre_particles){BATCH_SPRINGS, b->position, b->velocity, uniform ? NULL : b->target,
                            uniform ? b->target[0] : NAN};
}

/* How far off as a share of the bound; what is below 2^-95 may be 0 and must not be anything subnormal. */
static double share_of(float got, real exact, real bound)
{
    assert_false(is_subnormal(got));
    return (double)(fabsl(got - exact) / (bound + flush_limit));
}

/* The error of the step with the matrix m, whose own error is m_error. */
static double check_particle(const gyre_kernels *table, const batch *old, const batch *new, size_t k, float a,
                             reference_motion m, reference_motion m_error)
{
    real x = old->position[k], v = old->velocity[k];
    real position = x + m.pos_vel * v + m.pos_acc * a, velocity = m.vel_vel * v + m.vel_acc * a;
    real position_bound = 4 * eps * (fabsl(x) + fabsl(m.pos_vel * v) + fabsl(m.pos_acc * a)) +
                          m_error.pos_vel * fabsl(v) + m_error.pos_acc * fabsf(a);
    real velocity_bound = 3 * eps * (fabsl(m.vel_vel * v) + fabsl(m.vel_acc * a)) + m_error.vel_vel * fabsl(v) +
                          m_error.vel_acc * fabsf(a);
    double share = fmax(share_of(new->position[k], position, position_bound),
                        share_of(new->velocity[k], velocity, velocity_bound));
    if (!(share <= 1)) {
        fail_msg("%s: %La %La under %a is %a %a: %.3f of the bound", table_name(table), x, v, (double)a,
                 (double)new->position[k], (double)new->velocity[k], share);
    }
    return share;
}

static void test_step_error(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {5};
        double worst = 0;
        for (size_t i = 0; i < effort(1000); i++) {
            gyre_motion_matrix m = {random_signed(&random, -20, 4), random_signed(&random, -20, 4),
                                    random_signed(&random, -20, 4), random_signed(&random, -20, 4)};
            batch old = batch_random(&random, false), new = old;
            gyre_particles particles = particles_of(&new, i % 2);
            assert_int_equal(table->particles_step(&particles, 0, BATCH_SPRINGS, &m), GYRE_OK);
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                reference_motion exact = {m.pos_vel, m.vel_vel, m.pos_acc, m.vel_acc}, none = {0, 0, 0, 0};
                worst = fmax(worst, check_particle(table, &old, &new, k, old.target[i % 2 ? 0 : k], exact, none));
            }
        }
        printf("# %s: worst %.3f of the bound\n", table_name(table), worst);
    }
}

static void test_step_each_error(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {6};
        double worst = 0;
        for (size_t i = 0; i < effort(1000); i++) {
            float dt = random_magnitude(&random, -12, 4), drags[BATCH_SPRINGS];
            batch old = batch_random(&random, false), new = old;
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                drags[k] = random_drag(&random);
            }
            gyre_particles particles = particles_of(&new, i % 2);
            assert_int_equal(table->particles_step_each(&particles, 0, BATCH_SPRINGS, drags, dt), GYRE_OK);
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                worst = fmax(worst, check_particle(table, &old, &new, k, old.target[i % 2 ? 0 : k],
                                                   reference_motion_matrix(drags[k], dt),
                                                   reference_motion_bound(drags[k], dt)));
            }
        }
        printf("# %s: worst %.3f of the bound\n", table_name(table), worst);
    }
}

/* A drag per particle gives the bits that its own matrix and a step of it alone give; an impossible one, or one that
   leads out of range, spoils that particle and no other. */
static void test_step_each_is_matrix_and_step(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {7};
        size_t impossible = 0, out_of_range = 0;
        for (size_t i = 0; i < effort(300); i++) {
            float dt = random_signed(&random, -12, 6), drags[BATCH_SPRINGS];
            batch got = batch_random(&random, true), want = got;
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                drags[k] = random_one_in(&random, 16) ? special_floats[random_below(&random, special_float_count)]
                                                      : random_drag(&random);
            }
            got.target[0] = want.target[0] = random_signed(&random, -10, 10);
            gyre_particles together = particles_of(&got, i % 2), alone = particles_of(&want, i % 2);
            assert_int_equal(table->particles_step_each(&together, 0, BATCH_SPRINGS, drags, dt), GYRE_OK);
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                gyre_motion_matrix m;
                gyre_status status = table->motion_matrix_at(drags[k], dt, &m);
                if (status == GYRE_OK) {
                    assert_int_equal(table->particles_step(&alone, k, k + 1, &m), GYRE_OK);
                } else if (status == GYRE_ERROR_VALUE) {
                    want.position[k] = want.velocity[k] = NAN;
                    impossible++;
                } else { /* whatever it gives: not what a float can hold */
                    want.position[k] = got.position[k];
                    want.velocity[k] = got.velocity[k];
                    out_of_range++;
                }
            }
            expect_same_batch(&got, &want, table_name(table));
        }
        assert_true(impossible > 0 && out_of_range > 0);
    }
}

/* Friction ends in velocity 0 exactly, and no step on the way there leaves a subnormal. */
static void test_decay(void **state)
{
    (void)state;
    const float drags[] = {0.5f, 0.998f, 0.1f, 1e-10f, 0.9999f};
    EACH_TABLE(table) {
        for (size_t i = 0; i < 2 * LENGTH(drags); i++) {
            random_source random = {8};
            float drag = drags[i / 2], dt = drag > 0.9f ? 1000 : 1 / 60.0f, each[BATCH_SPRINGS];
            batch b = batch_random(&random, false);
            memset(b.target, 0, sizeof b.target);
            gyre_particles particles = particles_of(&b, true);
            gyre_motion_matrix m;
            assert_int_equal(table->motion_matrix_at(drag, dt, &m), GYRE_OK);
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                each[k] = drag;
                b.position[k] = k % 2 ? b.position[k] : 0;
            }
            size_t moving, steps = 0;
            do {
                assert_int_equal(i % 2 ? table->particles_step_each(&particles, 0, BATCH_SPRINGS, each, dt)
                                       : table->particles_step(&particles, 0, BATCH_SPRINGS, &m),
                                 GYRE_OK);
                moving = 0;
                for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                    assert_false(is_subnormal(b.position[k]) || is_subnormal(b.velocity[k]));
                    moving += b.velocity[k] != 0;
                }
            } while (moving > 0 && ++steps < 20000);
            assert_int_equal(moving, 0);
        }
    }
}

static void test_bad_arguments_of_a_step(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {9};
        gyre_motion_matrix good;
        assert_int_equal(table->motion_matrix_at(0.5f, 0.25f, &good), GYRE_OK);
        batch b = batch_random(&random, true);
        const batch before = b;
        float drags[BATCH_SPRINGS] = {0.5f};
        for (int uniform = 0; uniform < 2; uniform++) {
            const gyre_particles particles = particles_of(&b, uniform);
            const size_t all = BATCH_SPRINGS;
            gyre_particles bad;
            assert_int_equal(table->particles_step(NULL, 0, all, &good), GYRE_ERROR_NULL);
            assert_int_equal(table->particles_step(&particles, 0, all, NULL), GYRE_ERROR_NULL);
            assert_int_equal(table->particles_step_each(NULL, 0, all, drags, 1), GYRE_ERROR_NULL);
            assert_int_equal(table->particles_step_each(&particles, 0, all, NULL, 1), GYRE_ERROR_NULL);
            for (int which = 0; which < 2; which++) {
                bad = particles;
                *(which ? &bad.position : &bad.velocity) = NULL;
                assert_int_equal(table->particles_step(&bad, 3, 4, &good), GYRE_ERROR_NULL);
                assert_int_equal(table->particles_step_each(&bad, 3, 4, drags, 1), GYRE_ERROR_NULL);
            }
            const size_t ranges[][2] = {{2, 1}, {0, all + 1}, {SIZE_MAX, all}, {0, SIZE_MAX}, {all + 1, all + 1}};
            for (size_t i = 0; i < LENGTH(ranges); i++) {
                assert_int_equal(table->particles_step(&particles, ranges[i][0], ranges[i][1], &good),
                                 GYRE_ERROR_RANGE);
                assert_int_equal(table->particles_step_each(&particles, ranges[i][0], ranges[i][1], drags, 1),
                                 GYRE_ERROR_RANGE);
            }
            const float never[] = {NAN, INFINITY, -INFINITY};
            for (size_t i = 0; i < LENGTH(never); i++) {
                assert_int_equal(table->particles_step_each(&particles, 0, all, drags, never[i]), GYRE_ERROR_VALUE);
                for (size_t k = 0; k < 4; k++) {
                    gyre_motion_matrix spoilt = k % 2 ? good : (gyre_motion_matrix){0, 1, 0, 0};
                    *(float *const[]){&spoilt.pos_vel, &spoilt.vel_vel, &spoilt.pos_acc, &spoilt.vel_acc}[k] = never[i];
                    assert_int_equal(table->particles_step(&particles, 0, all, &spoilt), GYRE_ERROR_VALUE);
                }
                bad = particles;
                bad.acceleration = NULL;
                bad.uniform_acceleration = never[i];
                assert_int_equal(table->particles_step(&bad, 0, all, &good), GYRE_ERROR_VALUE);
                assert_int_equal(table->particles_step_each(&bad, 0, all, drags, 1), GYRE_ERROR_VALUE);
            }
        }
        assert_memory_equal(&b, &before, sizeof b);

        gyre_particles none = {.count = 100};
        for (size_t i = 0; i <= 100; i++) { /* empty ranges need no arrays */
            assert_int_equal(table->particles_step(&none, i, i, &good), GYRE_OK);
            assert_int_equal(table->particles_step_each(&none, i, i, drags, 1), GYRE_OK);
        }
    }
}

/* ---- Where and when ---- */

static real ulp_of(real x) { return ldexpl(1, (x == 0 ? FLT_MIN_EXP : ilogbl(x) + 1) - FLT_MANT_DIG); }

/* 4 eps (|ln d| t + 1) t */
static real time_bound(real drag, real t) { return 4 * eps * (fabsl(logl(drag)) * t + 1) * t; }

static void test_rest_position(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {10};
        double worst = 0;
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
            double share = (double)(fabsl(out - want) / (4 * ulp_of(fmaxl(fabsl(x), fabsl(want - x)))));
            worst = fmax(worst, share);
            if (!(share <= 1)) {
                fail_msg("%s: x=%a v=%a drag=%a rests at %a, not %La: %.3f of the bound", table_name(table), (double)x,
                         (double)v, (double)drag, (double)out, want, share);
            }
        }
        printf("# %s: worst %.3f of the bound\n", table_name(table), worst);

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

static void check_time(const gyre_kernels *table, double *worst, const char *what, float drag, float got, real want)
{
    double share = got == want ? 0 : (double)(fabsl(got - want) / (time_bound(drag, want) + 0x1p-149L));
    *worst = fmax(*worst, share);
    if (!(share <= 1)) {
        fail_msg("%s: %s, drag=%a, is %a, not %La: %.3f of the bound", table_name(table), what, (double)drag,
                 (double)got, want, share);
    }
}

static void test_time_to_speed(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {11};
        double worst = 0;
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
                check_time(table, &worst, what, drag, out, reference_time_to_speed(v, drag, speed));
            }
        }
        printf("# %s: worst %.3f of the bound\n", table_name(table), worst);
    }
}

static void test_time_to_position(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {12};
        double worst = 0;
        size_t reached = 0, never = 0;
        for (size_t i = 0; i < effort(100000); i++) {
            float x = i % 2 ? random_signed(&random, -10, 10) : 0, v = random_signed(&random, -10, 20), out = NAN;
            float drag = random_drag(&random);
            real way = drag == 1 ? v : -v / logl(drag); /* to where it rests */
            real share_of_way = i % 4 == 0   ? 1 - random_magnitude(&random, -20, 0)
                                : i % 4 == 1 ? random_signed(&random, -30, 0)
                                             : 1.5L * random_unit(&random);
            float where = (float)(x + way * share_of_way);
            real q = logl(drag) * ((real)where - x) / v;
            gyre_status status = table->drag_time_to_position(x, v, drag, where, &out);
            if (where == x) {
                assert_true(status == GYRE_OK && out == 0);
            } else if (((real)where - x) / v < 0 || q <= -1 - 4 * eps) {
                assert_true(status == GYRE_ERROR_VALUE && isnan(out));
                never++;
            } else if (q < -1 + 4 * eps) { /* where it rests, to within a rounding: either answer */
                continue;
            } else {
                char what[96];
                snprintf(what, sizeof what, "x=%a v=%a to %a, q=%La", (double)x, (double)v, (double)where, q);
                if (status != GYRE_OK) {
                    fail_msg("%s: %s, drag=%a: %s", table_name(table), what, (double)drag, gyre_status_name(status));
                }
                check_time(table, &worst, what, drag, out, reference_time_to_position(x, v, drag, where));
                reached++;
            }
        }
        assert_true(reached > 0 && never > 0);
        printf("# %s: worst %.3f of the bound\n", table_name(table), worst);
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
                assert_true(t >= before * (1 - 4 * (double)eps));
                /* -ln(1 - u) / u <= 1 + u / 2 / (1 - u), u = |l| straight */
                double u = -log(drag) * straight;
                assert_true(t <= straight * (1 + u / 2 / (1 - u) + 4 * (double)eps));
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

/* ---- Another's formulas: Ralph Thomas, "Equations of motion" (2015), in that text's own terms. ---- */

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
            float friction = 0.001f + 0.998f * random_unit(&random), t = random_magnitude(&random, -8, 3);
            float position = x, velocity = v;
            gyre_particles particle = {1, &position, &velocity, NULL, 0};
            gyre_motion_matrix m;
            assert_int_equal(table->motion_matrix_at(friction, t, &m), GYRE_OK);
            assert_int_equal(table->particles_step(&particle, 0, 1, &m), GYRE_OK);
            double p = log(friction) * t, tolerance = 10 * (double)eps * (1 - p);
            double moved = fabs(friction_position(0, v, friction, t));
            assert_true(fabs(position - friction_position(x, v, friction, t)) <= tolerance * (fabsf(x) + moved));
            assert_true(fabs(velocity - friction_velocity(v, friction, t)) <=
                        tolerance * fabs(friction_velocity(v, friction, t)));

            position = x;
            velocity = v;
            particle.uniform_acceleration = a;
            assert_int_equal(table->motion_matrix_at(1, t, &m), GYRE_OK);
            assert_int_equal(table->particles_step(&particle, 0, 1, &m), GYRE_OK);
            double terms = fabsf(x) + fabsf(v) * t + fabsf(a) * t * t / 2;
            assert_true(fabs(position - gravity_position(x, v, a, t)) <= 5 * (double)eps * terms);
            assert_true(fabs(velocity - ((double)v + (double)a * t)) <= 3 * (double)eps * (fabsf(v) + fabsf(a) * t));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrix_error_on_a_grid),
        cmocka_unit_test(test_matrix_error_at_random),
        cmocka_unit_test(test_semigroup),
        cmocka_unit_test(test_no_drag),
        cmocka_unit_test(test_no_time_is_the_identity),
        cmocka_unit_test(test_bad_arguments_of_a_matrix),
        cmocka_unit_test(test_step_error),
        cmocka_unit_test(test_step_each_error),
        cmocka_unit_test(test_step_each_is_matrix_and_step),
        cmocka_unit_test(test_decay),
        cmocka_unit_test(test_bad_arguments_of_a_step),
        cmocka_unit_test(test_rest_position),
        cmocka_unit_test(test_time_to_speed),
        cmocka_unit_test(test_time_to_position),
        cmocka_unit_test(test_smooth_towards_no_drag),
        cmocka_unit_test(test_never_reached),
        cmocka_unit_test(test_already_there),
        cmocka_unit_test(test_bad_arguments_of_the_helpers),
        cmocka_unit_test(test_equations_of_motion),
    };
    return cmocka_run_group_tests_name("motion", tests, NULL, NULL);
}
