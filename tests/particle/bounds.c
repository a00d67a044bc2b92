/* Bounds of particles: lower, upper and bounce. particle/bounces.c tests what happens within a step. */
#include "support/dampings.h"
#include "reference/particle.h"

#include <math.h>
#include <string.h>

/* One particle with low parts or without. */
typedef struct particle {
    float position, velocity, position_low, velocity_low, lower, upper, acceleration, bounce;
} particle;

static gyre_particles batch_of(particle *p, bool has_low)
{
    return (gyre_particles){.count = 1,
                            .position = &p->position,
                            .velocity = &p->velocity,
                            .acceleration = &p->acceleration,
                            .position_low = has_low ? &p->position_low : NULL,
                            .velocity_low = has_low ? &p->velocity_low : NULL,
                            .lower = &p->lower,
                            .upper = &p->upper,
                            .bounce = p->bounce};
}

/* Makes one step with one matrix and one with individual dampings, which must agree. */
static particle stepped(const gyre_kernels *table, particle p, bool has_low, float damping, float dt_s)
{
    particle other = p;
    const gyre_particles one = batch_of(&p, has_low), each = batch_of(&other, has_low);
    gyre_particle_matrix m;
    check_status(table->particle_matrix_at(damping, dt_s, &m), GYRE_OK);
    check_status(table->particles_step(&one, 0, 1, &m), GYRE_OK);
    check_status(table->particles_step_each(&each, 0, 1, &damping, NULL, dt_s), GYRE_OK);
    CASE("individual dampings");
    check_floats(&other.position, &p.position, sizeof p / sizeof(float));
    return p;
}

/* Makes one step with a matrix that does not say whose it is. */
static particle stepped_unknown(const gyre_kernels *table, particle p, bool has_low, float damping, float dt_s)
{
    const gyre_particles one = batch_of(&p, has_low);
    gyre_particle_matrix m;
    check_status(table->particle_matrix_at(damping, dt_s, &m), GYRE_OK);
    m.dt_s = 0;
    check_status(table->particles_step(&one, 0, 1, &m), GYRE_OK);
    return p;
}

/* The formula of common/bounds-inl.h: the square of the speed is linear in the distance. */
static void test_against_the_formula(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {1};
        size_t bounced = 0, stopped = 0, free = 0;
        for (size_t i = 0; i < effort(20000); i++) {
            const bool has_low = i % 2;
            const float damping = i % 4 < 2 ? 0 : random_magnitude(&random, -4, 4),
                        dt_s = random_magnitude(&random, -7, 1);
            particle p = {.position = 4 * random_unit(&random) - 2,
                          .velocity = random_signed(&random, -3, 5),
                          .lower = random_one_in(&random, 4) ? NAN : -1 - random_unit(&random),
                          .upper = random_one_in(&random, 4) ? NAN : 1 + random_unit(&random),
                          .acceleration = random_signed(&random, -3, 5),
                          .bounce = random_one_in(&random, 3) ? 1 : random_unit(&random)};
            CASE("x=%a v=%a a=%a in %a..%a, bounce %a, damping %a, %a s", p.position, p.velocity, p.acceleration,
                 p.lower, p.upper, p.bounce, damping, dt_s);
            particle unbounded = p;
            unbounded.lower = unbounded.upper = NAN;
            const particle at = stepped_unknown(table, unbounded, has_low, damping, dt_s);
            const particle got = stepped_unknown(table, p, has_low, damping, dt_s);
            const real x0 = p.position, v0 = p.velocity, x1 = (real)at.position + at.position_low;
            const real v1 = (real)at.velocity + at.velocity_low;
            const float bound = x1 < p.lower ? p.lower : x1 > p.upper ? p.upper : NAN;
            const real side = bound == p.lower ? -1 : 1;
            if (isnan(bound)) {
                check_bits(got.position, at.position);
                check_bits(got.velocity, at.velocity);
                free++;
                continue;
            }
            check_bits(got.position, bound);
            check(got.position_low, ==, 0);
            const real velocity = (real)got.velocity + got.velocity_low;
            if (side * v1 <= 0) {
                check(velocity, ==, v1);
                continue;
            }
            const real part = (bound - x0) / (x1 - x0), square = v0 * v0 + (v1 * v1 - v0 * v0) * part;
            const real speed = side * (bound - x0) < 0 ? side * v1 : sqrtl(fmaxl(square, 0));
            check_within(velocity, -side * p.bounce * speed,
                         (has_low ? 0x1p-46L : 0x1p-23L) * (speed + fabsl(v0) + fabsl(v1)));
            *(velocity != 0 ? &bounced : &stopped) += 1;
        }
        check(bounced, >, 0);
        check(free, >, 0);
    }
}

/* A ball of bounce 1 returns to its height at every frame rate and after many bounces; with a lower bounce it loses
   that part of its speed. */
static void test_bouncing_ball(void **state)
{
    (void)state;
    const float rates[] = {24, 60, 144, 1000};
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(rates); i++) {
            for (int has_low = 0; has_low < 2; has_low++) {
                CASE("%g Hz, low parts %d", rates[i], has_low);
                particle p = {.position = 5, .upper = NAN, .acceleration = -10, .bounce = 1};
                float least = 100, most = 0;
                for (int k = 0; k < (int)rates[i] * 20; k++) {
                    p = stepped(table, p, has_low, 0, 1 / rates[i]);
                    const float energy = p.velocity * p.velocity / 2 + 10 * p.position;
                    least = fminf(least, energy);
                    most = fmaxf(most, energy);
                }
                check_within(least, 50.0f, has_low ? 1e-4f : 0.02f);
                check_within(most, 50.0f, has_low ? 1e-4f : 0.02f);
            }
        }
        particle p = {.position = 1e-3f, .velocity = -8, .upper = NAN, .bounce = 0.25f};
        p = stepped(table, p, false, 0, 0.01f);
        check_within(p.position, 2 * (0.01f - 1e-3f / 8), 4 * 0x1p-24f * 0.02f);
        check(p.velocity, ==, 2);
    }
}

/* A particle pressed on a bound rests there, whatever its bounce; one that hits a bound loses so much of its speed each
   time that it soon rests. */
static void test_rest_on_a_bound(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        for (int k = 0; k <= 4; k++) {
            for (int has_low = 0; has_low < 2; has_low++) {
                particle p = {
                    .position = 3, .lower = 3, .upper = NAN, .acceleration = -9.81f, .bounce = 0.25f * (float)k};
                CASE("bounce %g", p.bounce);
                for (int steps = 0; steps < 100; steps++) {
                    p = stepped(table, p, has_low, 0.1f, 1 / 60.0f);
                    check_bits(p.position, 3);
                    check(p.velocity, ==, 0);
                }
                p.velocity = -50; /* pressed harder, once */
                p.bounce = 0;
                p = stepped(table, p, has_low, 0.1f, 1 / 60.0f);
                check_bits(p.position, 3);
                check(p.velocity, ==, 0);
            }
        }
    }
}

static void test_what_is_no_bound(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        float x = 0, v = 1, lower = -1, upper = 0.5f;
        const gyre_particles only[] = {{.count = 1, .position = &x, .velocity = &v, .lower = &lower},
                                       {.count = 1, .position = &x, .velocity = &v, .upper = &upper}};
        gyre_particle_matrix m;
        check_status(table->particle_matrix_at(0, 1, &m), GYRE_OK);
        for (int k = 0; k < 2; k++) {
            for (int sign = 1; sign >= -1; sign -= 2) {
                x = 0;
                v = (float)sign * 2;
                CASE("only %s, velocity %a", k ? "upper" : "lower", v);
                check_status(table->particles_step(&only[k], 0, 1, &m), GYRE_OK);
                check(x, ==, k == 0 ? (sign > 0 ? 2.0f : -1.0f) : (sign > 0 ? 0.5f : -2.0f));
            }
        }
        /* the upper bound takes precedence where they cross; an infinite one is far away */
        particle p = {.position = 5, .lower = 4, .upper = 1, .bounce = 1};
        check(stepped(table, p, false, 0, 1).position, ==, 1);
        p = (particle){.position = 5, .velocity = 1, .lower = -INFINITY, .upper = INFINITY, .bounce = 1};
        check(stepped(table, p, false, 0, 1).position, ==, 6);
        /* NaN stays NaN, and is never beyond a bound */
        p = (particle){.position = NAN, .velocity = 1, .lower = 0, .upper = 1};
        check_nan(stepped(table, p, false, 0, 1).position);
        check(stepped(table, p, false, 0, 1).velocity, ==, 1);
    }
}

/* A step of no time ignores bounds, for all particles or for one. */
static void test_no_time(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        const float upper[3] = {0, 0, 0};
        const float damping[3] = {0, 0, 0}, scale[3] = {0, 1, -0.0f};
        for (int has_low = 0; has_low < 2; has_low++) {
            float x[3] = {9, 9, 9}, v[3] = {1, 1, 1}, low[2][3] = {{0}};
            const gyre_particles p = {.count = 3,
                                      .position = x,
                                      .velocity = v,
                                      .position_low = has_low ? low[0] : NULL,
                                      .velocity_low = has_low ? low[1] : NULL,
                                      .upper = upper,
                                      .bounce = 1};
            gyre_particle_matrix m;
            check_status(table->particle_matrix_at(0, 0, &m), GYRE_OK);
            check_status(table->particles_step(&p, 0, 3, &m), GYRE_OK);
            check_status(table->particles_step_each(&p, 0, 3, damping, NULL, 0), GYRE_OK);
            check(x[1], ==, 9);
            check_status(table->particles_step_each(&p, 0, 3, damping, scale, 1), GYRE_OK);
            check(x[0], ==, 9);
            check(x[1], ==, 0);
            check(x[2], ==, 9);
        }
    }
}

static void test_bad_bounces(void **state)
{
    (void)state;
    const float bad[] = {-0x1p-149f, 1 + 0x1p-23f, NAN, INFINITY, -INFINITY, -1};
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(bad); i++) {
            float x = 1, v = 1, damping = 1;
            const gyre_particles p = {.count = 1, .position = &x, .velocity = &v, .bounce = bad[i]};
            const gyre_particle_matrix m = {1, 1, 0, 0, {0}};
            CASE("bounce %a", bad[i]);
            check_status(table->particles_step(&p, 0, 1, &m), GYRE_ERROR_VALUE);
            check_status(table->particles_step_each(&p, 0, 1, &damping, NULL, 1), GYRE_ERROR_VALUE);
            check(x, ==, 1);
        }
    }
}

/* Slices, tails and long ranges give the same results as each particle alone. */
static void test_slices(void **state)
{
    (void)state;
    enum { COUNT = 700 };
    static float start[4][COUNT], whole[4][COUNT], alone[4][COUNT], lower[COUNT], upper[COUNT], each[2][COUNT];
    EACH_TABLE(table) {
        random_source random = {2};
        for (unsigned form = 0; form < 16; form++) {
            for (size_t i = 0; i < COUNT; i++) {
                for (size_t k = 0; k < 4; k++) {
                    start[k][i] = random_signed(&random, k < 2 ? -3 : -30, k < 2 ? 3 : -26);
                }
                lower[i] = random_one_in(&random, 8) ? NAN : -2 * random_unit(&random);
                upper[i] = random_one_in(&random, 8) ? special_floats[random_below(&random, special_float_count)] : 1;
                each[0][i] = random_unit(&random);
                each[1][i] = random_time_scale(&random);
            }
            memcpy(whole, start, sizeof start);
            memcpy(alone, start, sizeof start);
            CASE("form %u", form);
            for (int slices = 0; slices < 2; slices++) {
                float(*const of)[COUNT] = slices ? alone : whole;
                const gyre_particles p = {.count = COUNT,
                                          .position = of[0],
                                          .velocity = of[1],
                                          .uniform_acceleration = -3,
                                          .position_low = form & 1 ? of[2] : NULL,
                                          .velocity_low = form & 1 ? of[3] : NULL,
                                          .lower = form & 2 ? lower : NULL,
                                          .upper = form & 4 ? upper : NULL,
                                          .bounce = 0.5f};
                gyre_particle_matrix m;
                check_status(table->particle_matrix_at(0.5f, 0.5f, &m), GYRE_OK);
                for (size_t i = 3; i < COUNT - 2; i += slices ? 1 + i % 11 : COUNT) {
                    const size_t end = slices && i + 1 + i % 11 < COUNT - 2 ? i + 1 + i % 11 : COUNT - 2;
                    check_status(form & 8 ? table->particles_step_each(&p, i, end, each[0], each[1], 0.5f)
                                          : table->particles_step(&p, i, end, &m),
                                 GYRE_OK);
                }
            }
            check_floats(&alone[0][0], &whole[0][0], sizeof whole / sizeof(float));
            check_floats(whole[0], start[0], 3);
            check_floats(whole[0] + COUNT - 2, start[0] + COUNT - 2, 2);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_against_the_formula),
        TEST(test_bouncing_ball),
        TEST(test_rest_on_a_bound),
        TEST(test_what_is_no_bound),
        TEST(test_no_time),
        TEST(test_bad_bounces),
        TEST(test_slices),
    };
    return cmocka_run_group_tests_name("particle_bounds", tests, NULL, NULL);
}
