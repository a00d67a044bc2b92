/* Particles that bounce within a step, against the exact motion: what is left of the step's time after a bounce is
   used, in both directions of time. */
#include "reference/bounces.h"
#include "reference/particle.h"
#include "support/support.h"

#include <math.h>

/* A particle and its two ways to step. */
typedef struct particle {
    float position, velocity, position_low, velocity_low, lower, upper, acceleration, bounce;
} particle;

static particle stepped(const gyre_kernels *table, particle p, bool has_low, float damping, float dt_s)
{
    const gyre_particles one = {.count = 1,
                                .position = &p.position,
                                .velocity = &p.velocity,
                                .acceleration = &p.acceleration,
                                .position_low = has_low ? &p.position_low : NULL,
                                .velocity_low = has_low ? &p.velocity_low : NULL,
                                .lower = &p.lower,
                                .upper = &p.upper,
                                .bounce = p.bounce};
    const particle start = p;
    const float one_time = 1;
    check_status(table->particles_step_each(&one, 0, 1, &damping, &one_time, dt_s), GYRE_OK);
    const particle each = p;
    p = start;
    gyre_particle_matrix m;
    check_status(table->particle_matrix_at(damping, dt_s, &m), GYRE_OK);
    check_status(table->particles_step(&one, 0, 1, &m), GYRE_OK);
    check_floats(&each.position, &p.position, sizeof p / sizeof(float));
    return p;
}

/* Damping and acceleration. */
typedef struct free_motion {
    real damping, acceleration;
} free_motion;

static reference_state after(const void *context, real begin_s, reference_state from, real t)
{
    (void)begin_s;
    const free_motion *motion = context;
    const reference_particle m = reference_particle_matrix(motion->damping, t);
    return (reference_state){from.position + m.pos_vel * from.velocity + m.pos_acc * motion->acceleration,
                             m.vel_vel * from.velocity + m.vel_acc * motion->acceleration};
}

/* Random particles between bounds. Those that come to rest are left out, and those that just touch a bound: whether
   they do depends on the rounding of the last digit. */
static void test_against_exact_motion(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {1};
        worst_case worst[2] = {{0}};
        int once = 0, often = 0;
        for (size_t i = 0; i < effort(20000); i++) {
            const bool has_low = i % 2, backward = i % 3 == 0;
            const float damping = i % 4 < 2 ? 0 : random_magnitude(&random, -4, 2);
            const float dt_s = (backward ? -1.0f : 1.0f) * random_magnitude(&random, -7, 0);
            const particle p = {.position = 2 * random_unit(&random) - 1,
                                .velocity = random_signed(&random, -3, 4),
                                .lower = random_one_in(&random, 4) ? NAN : -1 - random_unit(&random) / 4,
                                .upper = random_one_in(&random, 4) ? NAN : 1 + random_unit(&random) / 4,
                                .acceleration = random_signed(&random, -3, 4),
                                .bounce = random_one_in(&random, 3) ? 1 : 0.5f + random_unit(&random) / 2};
            CASE("x=%a v=%a a=%a in %a..%a, bounce %a, damping %a, %a s, low parts %d", p.position, p.velocity,
                 p.acceleration, p.lower, p.upper, p.bounce, damping, dt_s, has_low);
            const particle got = stepped(table, p, has_low, damping, dt_s);
            check(p.lower <= got.position || isnan(p.lower), !=, 0);
            check(got.position <= p.upper || isnan(p.upper), !=, 0);
            const free_motion motion = {damping, p.acceleration};
            const reference_bounced wanted = reference_between_bounds((reference_path){after, &motion}, dt_s,
                                                                      (reference_bounds){p.lower, p.upper, p.bounce},
                                                                      (reference_state){p.position, p.velocity});
            if (wanted.bounces == 0 || wanted.bounces > 6 || wanted.least_speed < 0.5L) {
                continue;
            }
            *(wanted.bounces == 1 ? &once : &often) += 1;
            /* Speeds are up to 200; backwards they grow with each bounce. The moment of a bounce is exact to rounding
               over the slowest speed. */
            const real speed =
                1 + fabsl((real)p.velocity) + fabsl(wanted.state.velocity) + fabsl(p.acceleration * (real)dt_s);
            const real growth = expl(fabsl(damping * (real)dt_s)) * speed / fminl(wanted.least_speed, 1);
            const real eps = has_low ? 0x1p-48L : 0x1p-24L;
            const real x = (real)got.position + got.position_low, v = (real)got.velocity + got.velocity_low;
            check_share(&worst[has_low], fabsl(x - wanted.state.position) /
                                             (eps * fabsl(wanted.state.position) + 0x1p-50L * growth * growth));
            check_share(&worst[has_low], fabsl(v - wanted.state.velocity) /
                                             (eps * fabsl(wanted.state.velocity) + 0x1p-50L * growth * growth));
        }
        print_worst("bounces", &worst[0]);
        print_worst("bounces, low parts", &worst[1]);
        check(once, >, 100 * (int)effort(1000) / 1000);
        check(often, >, 0);
    }
}

/* A ball of bounce 1 keeps its height over 100 bounces, and is where the exact one is. */
static void test_ball_keeps_its_height(void **state)
{
    (void)state;
    const struct {
        float height, rate;
    } cases[] = {{5, 60}, {1, 60}, {20, 144}, {2, 30}};
    EACH_TABLE(table) {
        for (size_t i = 0; i < 2 * LENGTH(cases); i++) {
            const float g = 9.81f, height = cases[i / 2].height, dt_s = 1 / cases[i / 2].rate;
            const bool has_low = i % 2;
            const double period = 2 * sqrt(2 * (double)height / g), energy = (double)g * height;
            particle p = {.position = height, .lower = 0, .upper = NAN, .acceleration = -g, .bounce = 1};
            CASE("from %g at %g Hz, low parts %d", height, cases[i / 2].rate, has_low);
            const int steps = (int)(100 * period / dt_s);
            for (int step = 1; step <= steps; step++) {
                p = stepped(table, p, has_low, 0, dt_s);
                const double t = step * (double)dt_s, since = fmod(t + period / 2, period) - period / 2;
                check_within(p.position, (float)(height - g * since * since / 2),
                             (float)(2 * g * dt_s * dt_s * (1 + t / period)));
                const double now = (double)g * p.position + (double)p.velocity * p.velocity / 2;
                check(now, <=, energy * (1 + 4 * 0x1p-24 * (step + t / period)));
            }
            check_within((double)g * p.position + (double)p.velocity * p.velocity / 2, energy, 1e-3 * energy);
        }
    }
}

/* Steps of negative time undo steps, bounces included. */
static void test_backwards(void **state)
{
    (void)state;
    const struct {
        float height, rate, bounce, allowed;
        int steps;
    } cases[] = {{5, 60, 1, 1e-5f, 90}, {5, 144, 1, 1e-5f, 216}, {2, 240, 0.8f, 1e-4f, 400}, {9, 30, 0.5f, 1e-3f, 60}};
    EACH_TABLE(table) {
        for (size_t i = 0; i < 2 * LENGTH(cases); i++) {
            const size_t k = i / 2;
            particle p = {.position = cases[k].height, .upper = NAN, .acceleration = -9.81f, .bounce = cases[k].bounce};
            for (int direction = 1; direction >= -1; direction -= 2) {
                for (int step = 0; step < cases[k].steps; step++) {
                    p = stepped(table, p, i % 2, 0, (float)direction / cases[k].rate);
                }
            }
            CASE("from %g at %g Hz, bounce %g, low parts %zu", cases[k].height, cases[k].rate, cases[k].bounce, i % 2);
            check_within(p.position, cases[k].height, cases[k].allowed);
            check_within(p.velocity, 0.0f, 10 * cases[k].allowed);
        }
    }
}

/* Backwards: what lies on a bound stays there, what falls back onto a bound of bounce 0 stays within it, and a speed
   that grows beyond a float is infinite. */
static void test_backwards_at_a_bound(void **state)
{
    (void)state;
    const float bounces[] = {0, 0.25f, 1};
    EACH_TABLE(table) {
        for (size_t i = 0; i < 2 * LENGTH(bounces); i++) {
            const bool has_low = i % 2;
            particle p = {.position = 3, .lower = 3, .upper = NAN, .acceleration = -9.81f, .bounce = bounces[i / 2]};
            CASE("bounce %g, low parts %d", bounces[i / 2], has_low);
            for (int step = 0; step < 50; step++) {
                p = stepped(table, p, has_low, 0, -1 / 60.0f);
                check_bits(p.position, 3);
                check(p.velocity, ==, 0);
            }
        }
        for (int has_low = 0; has_low < 2; has_low++) {
            particle p = {.position = 1, .velocity = 3, .upper = NAN, .acceleration = -9.81f};
            CASE("bounce 0, low parts %d", has_low);
            for (int step = 0; step < 100; step++) {
                p = stepped(table, p, has_low, 0, -1 / 60.0f);
                check(p.position, >=, 0);
            }
            check(p.position, ==, 0);
            check(p.velocity, ==, 0);
            p = (particle){.position = 0.5f, .velocity = 3e38f, .upper = 1, .bounce = 0x1p-100f};
            p = stepped(table, p, has_low, 0, -1e-38f);
            check(p.velocity, ==, INFINITY);
            check(p.position, >=, 0);
            check(p.position, <=, 1);
        }
    }
}

/* What is left of a step after 16 bounces is dropped: between two bounds the particle goes on in the next step, on one
   floor it has come to rest. */
static void test_many_bounces(void **state)
{
    (void)state;
    enum { MOST = 16 };
    EACH_TABLE(table) {
        for (int i = 0; i < 2 * (MOST + 3); i++) {
            const int bounces = i / 2;
            particle p = {.position = 0.5f, .velocity = (float)bounces, .upper = 1, .bounce = 1};
            p = stepped(table, p, i % 2, 0, 1);
            CASE("%d bounces, low parts %d", bounces, i % 2);
            check(p.position, ==, bounces < MOST ? 0.5f : 0);
            check(p.velocity, ==, (float)(bounces % 2 && bounces < MOST ? -bounces : bounces));
        }
        for (int has_low = 0; has_low < 2; has_low++) {
            particle p = {.position = 1, .upper = NAN, .acceleration = -9.81f, .bounce = 0.9f};
            p = stepped(table, p, has_low, 0, 1e3f);
            CASE("on a floor, low parts %d", has_low);
            check(p.position, ==, 0);
            check(p.velocity, ==, 0);
        }
    }
}

/* A ball comes to rest on a floor wherever that is, and what still bounces or leaves is not held. */
static void test_rest_far_out(void **state)
{
    (void)state;
    const struct {
        float floor, above, rate, bounce;
    } cases[] = {{1e5f, 1, 240, 0.5f},  {-3e6f, 1, 1000, 0.5f}, {1e7f, 64, 120, 0.7f},
                 {123.4f, 2, 60, 0.9f}, {0, 1, 240, 0.5f},      {1e5f, 1, 240, 0}};
    EACH_TABLE(table) {
        for (size_t i = 0; i < 4 * LENGTH(cases); i++) {
            const float floor = cases[i / 4].floor, side = i % 4 < 2 ? 1 : -1, rate = cases[i / 4].rate;
            const bool has_low = i % 2;
            particle p = {.position = side * (floor + cases[i / 4].above),
                          .lower = side > 0 ? floor : NAN,
                          .upper = side > 0 ? NAN : -floor,
                          .acceleration = side * -9.81f,
                          .bounce = cases[i / 4].bounce};
            CASE("floor %g at %g Hz, bounce %g, side %g, low parts %d", floor, rate, cases[i / 4].bounce, side,
                 has_low);
            for (int step = 0; step < (int)(30 * rate); step++) {
                p = stepped(table, p, has_low, 0, 1 / rate);
            }
            check_bits(p.position, side * floor);
            check(p.velocity, ==, 0);
            check(p.position_low, ==, 0);
            p.acceleration = -p.acceleration;
            for (int step = 0; step < (int)rate * 2; step++) {
                p = stepped(table, p, has_low, 0, 1 / rate);
            }
            check(side * p.velocity, >, 0);
            if (has_low ||
                cases[i / 4].above > 1000 * 0x1p-23f * fabsf(floor)) { /* else rounding takes away each way */
                check(side * p.position, >, floor);
            }
        }
        /* with bounce 1 it goes on bouncing, also where a hop is lower than an ulp */
        for (int has_low = 0; has_low < 2; has_low++) {
            particle p = {
                .position = 1e5f, .velocity = 2, .lower = 1e5f, .upper = NAN, .acceleration = -9.81f, .bounce = 1};
            for (int step = 0; step < 2400; step++) {
                p = stepped(table, p, has_low, 0, 1 / 240.0f);
            }
            const double energy = 9.81 * ((double)p.position - 1e5 + p.position_low) + p.velocity * p.velocity / 2;
            CASE("bounce 1, low parts %d", has_low);
            check_within(energy, 2, has_low ? 1e-4 : 1);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_against_exact_motion), TEST(test_ball_keeps_its_height), TEST(test_backwards),
        TEST(test_backwards_at_a_bound), TEST(test_many_bounces),          TEST(test_rest_far_out),
    };
    return cmocka_run_group_tests_name("particle_bounces", tests, NULL, NULL);
}
