/* Springs that bounce within a step, against the exact motion: what is left of the step's time after a bounce is used,
   in both directions of time, with every function that steps springs. */
#include "reference/bounces.h"
#include "support/batch.h"

#include <float.h>
#include <math.h>

typedef struct one_spring {
    float position, velocity, position_low, velocity_low;
    uint8_t awake;
} one_spring;

typedef struct one_options {
    bool low;
    float target_before, target, lower, upper, bounce, rest_distance, rest_speed;
} one_options;

/* Makes one step by gyre_springs_step, a palette and gyre_springs_step_each, which must agree. */
static one_spring step_one(const gyre_kernels *table, one_spring spring, const one_options *options, gyre_spring of,
                           float dt_s)
{
    one_spring stepped[3];
    for (int way = 0; way < 3; way++) {
        stepped[way] = spring;
        one_spring *s = &stepped[way];
        const gyre_springs springs = {
            .count = 1,
            .position = &s->position,
            .velocity = &s->velocity,
            .target = &options->target,
            .target_before = isnan(options->target_before) ? NULL : &options->target_before,
            .rest_distance = options->rest_distance,
            .rest_speed = options->rest_speed,
            .awake = &s->awake,
            .position_low = options->low ? &s->position_low : NULL,
            .velocity_low = options->low ? &s->velocity_low : NULL,
            .lower = &options->lower,
            .upper = &options->upper,
            .bounce = options->bounce,
        };
        const float scale = dt_s < 0 ? -1 : 1;
        const uint16_t index = 1;
        gyre_spring_matrix m[2] = {{0}};
        check_status(table->spring_matrix_at(of, dt_s, &m[1]), GYRE_OK);
        if (way == 0) {
            check_status(table->springs_step(&springs, 0, 1, &m[1]), GYRE_OK);
        } else if (way == 1) {
            check_status(table->springs_step_palette(&springs, 0, 1, m, 2, &index), GYRE_OK);
        } else {
            check_status(table->springs_step_each(&springs, 0, 1, &of.angular_frequency, &of.damping_ratio, &of.follow,
                                                  &scale, scale * dt_s),
                         GYRE_OK);
        }
        check_floats(&s->position, &stepped[0].position, 4);
        check(s->awake, ==, stepped[0].awake);
    }
    return stepped[0];
}

/* ---- One step ---- */

/* A spring whose target moves evenly from `before`. */
typedef struct free_motion {
    gyre_spring spring;
    real before, target_velocity;
} free_motion;

static reference_state after(const void *context, real begin_s, reference_state from, real t)
{
    const free_motion *motion = context;
    const gyre_spring s = motion->spring;
    const reference_matrix m = reference_spring_matrix(s.angular_frequency, s.damping_ratio, t);
    reference_ramps ramps = {0, 0};
    if (motion->target_velocity != 0 && t != 0) {
        ramps = reference_spring_ramps(s.angular_frequency, s.damping_ratio, s.follow, t);
    }
    const real target = motion->before + motion->target_velocity * begin_s, move = motion->target_velocity * t;
    reference_state next = reference_spring_step(m, from, target);
    next.position += move + ramps.pos_ramp * move;
    next.velocity += ramps.vel_ramp * move;
    return next;
}

/* Random springs with w dt up to 1. Those that just touch a bound are left out: whether they do depends on the rounding
   of the last digit. */
static void test_against_exact_motion(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {1};
        worst_case worst[2] = {{0}};
        int once = 0, often = 0;
        for (size_t i = 0; i < effort(10000); i++) {
            const gyre_spring spring = {random_magnitude(&random, 2, 5),
                                        random_one_in(&random, 3) ? 0 : 2 * random_unit(&random), random_unit(&random)};
            const bool moves = random_one_in(&random, 3), backward = random_one_in(&random, 3);
            const float dt_s = (backward ? -1.0f : 1.0f) * random_magnitude(&random, -4, 0) / spring.angular_frequency;
            one_options options = {.low = i % 2,
                                   .target = random_signed(&random, -2, 2),
                                   .target_before = NAN,
                                   .lower = -0.25f - random_unit(&random),
                                   .upper = 0.25f + random_unit(&random),
                                   .bounce = random_one_in(&random, 3) ? 1 : 0.5f + random_unit(&random) / 2};
            if (moves) {
                options.target_before = options.target + random_signed(&random, -4, 0);
            }
            const one_spring old = {options.lower + random_unit(&random) * (options.upper - options.lower),
                                    spring.angular_frequency * random_signed(&random, -2, 2), 0, 0, 9};
            CASE("w %a z %a follow %a, %a s, target %a to %a in %a..%a, bounce %a, from %a at %a, low parts %zu",
                 spring.angular_frequency, spring.damping_ratio, spring.follow, dt_s, options.target_before,
                 options.target, options.lower, options.upper, options.bounce, old.position, old.velocity, i % 2);
            const one_spring got = step_one(table, old, &options, spring, dt_s);
            check(got.position, >=, options.lower);
            check(got.position, <=, options.upper);
            const real before = moves ? options.target_before : options.target;
            const free_motion motion = {spring, before, (options.target - before) / dt_s};
            const reference_bounced wanted =
                reference_between_bounds((reference_path){after, &motion}, dt_s,
                                         (reference_bounds){options.lower, options.upper, options.bounce},
                                         (reference_state){old.position, old.velocity});
            if (wanted.bounces == 0 || wanted.bounces > 4 || wanted.least_speed < 0.5L) {
                continue;
            }
            *(wanted.bounces == 1 ? &once : &often) += 1;
            /* Positions are of the order of 1, so speeds are of the order of w. The moment of a bounce is exact to
               rounding over the slowest speed. */
            const real w = spring.angular_frequency, eps = options.low ? 0x1p-48L : 0x1p-24L;
            const real growth = fmaxl(1, fabsl(wanted.state.velocity) / w) * fmaxl(1, w / wanted.least_speed);
            const real x = (real)got.position + got.position_low, v = (real)got.velocity + got.velocity_low;
            check_share(&worst[options.low], fabsl(x - wanted.state.position) /
                                                 (eps * fabsl(wanted.state.position) + 0x1p-46L * growth * growth));
            check_share(&worst[options.low], fabsl(v - wanted.state.velocity) /
                                                 (eps * fabsl(wanted.state.velocity) + 0x1p-46L * w * growth * growth));
        }
        print_worst("bounces", &worst[0]);
        print_worst("bounces, low parts", &worst[1]);
        check(once, >, 0);
        check(often, >, 0);
    }
}

/* Any spring and step, also of many turns: within the bounds. */
static void test_long_steps_stay_within(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {2};
        for (size_t i = 0; i < effort(5000); i++) {
            const gyre_spring spring = {random_magnitude(&random, -4, 10), random_magnitude(&random, -10, 4), 0};
            const one_options options = {.low = i % 2,
                                         .target = random_signed(&random, -4, 4),
                                         .target_before = NAN,
                                         .lower = -random_magnitude(&random, -4, 2),
                                         .upper = random_magnitude(&random, -4, 2),
                                         .bounce = random_unit(&random)};
            const one_spring old = {random_unit(&random) * options.upper, random_signed(&random, -4, 10), 0, 0, 9};
            const float dt_s = random_magnitude(&random, -8, 1);
            const one_spring got = step_one(table, old, &options, spring, dt_s);
            CASE("w %a z %a, %a s, target %a in %a..%a, bounce %a, from %a at %a", spring.angular_frequency,
                 spring.damping_ratio, dt_s, options.target, options.lower, options.upper, options.bounce, old.position,
                 old.velocity);
            check(got.position, >=, options.lower);
            check(got.position, <=, options.upper);
            check(fabsf(got.velocity), <=, FLT_MAX);
        }
    }
}

/* What is left of a step after 16 bounces is dropped: between two bounds the spring goes on in the next step, on one
   bound that its target lies beyond it has come to rest. */
static void test_many_bounces(void **state)
{
    (void)state;
    enum { MOST = 16 };
    EACH_TABLE(table) {
        for (int i = 0; i < 2 * (MOST + 3); i++) {
            const int bounces = i / 2;
            const one_options options = {.low = i % 2, .target_before = NAN, .lower = 0, .upper = 1, .bounce = 1};
            one_spring s = {0.5f, (float)bounces, 0, 0, 9};
            s = step_one(table, s, &options, (gyre_spring){0, 0, 0}, 1);
            CASE("%d bounces, low parts %d", bounces, i % 2);
            check(s.position, ==, bounces < MOST ? 0.5f : 0);
            check(s.velocity, ==, (float)(bounces % 2 && bounces < MOST ? -bounces : bounces));
        }
        for (int low = 0; low < 2; low++) {
            const one_options options = {
                .low = low, .target = -100, .target_before = NAN, .lower = 0, .upper = NAN, .bounce = 0.9f};
            one_spring s = {1, 0, 0, 0, 9};
            s = step_one(table, s, &options, (gyre_spring){0.1f, 0, 0}, 30);
            CASE("on a bound, low parts %d", low);
            check(s.position, ==, 0);
            check(s.velocity, ==, 0);
        }
    }
}

/* ---- Over time ---- */

/* Half a second of a spring from 0 to 1 below an upper bound: the same at every frame rate. */
static void test_any_frame_rate(void **state)
{
    (void)state;
    const struct {
        gyre_spring spring;
        float upper, bounce;
        double wanted; /* by steps of 1e-9 s */
    } cases[] = {
        {{30, 0.05f, 0}, 1.2f, 0.9f, 0.8360},
        {{20, 0.1f, 0}, 1.1f, 0.7f, 1.0436},
        {{50, 0.02f, 0}, 1.5f, 1, 1.1907},
        {{15, 0.3f, 0}, 1.05f, 0.5f, 1.0145},
    };
    const float rates[] = {24, 60, 240, 1000};
    EACH_TABLE(table) {
        for (size_t i = 0; i < 2 * LENGTH(cases) * LENGTH(rates); i++) {
            const size_t k = i / 2 / LENGTH(rates);
            const float rate = rates[i / 2 % LENGTH(rates)];
            const one_options options = {.low = i % 2,
                                         .target = 1,
                                         .target_before = NAN,
                                         .lower = NAN,
                                         .upper = cases[k].upper,
                                         .bounce = cases[k].bounce};
            one_spring s = {0};
            for (int step = 0; step < (int)(rate / 2); step++) {
                s = step_one(table, s, &options, cases[k].spring, 1 / rate);
            }
            CASE("w %g, upper %g at %g Hz, low parts %zu", cases[k].spring.angular_frequency, cases[k].upper, rate,
                 i % 2);
            check_within(s.position, cases[k].wanted, cases[k].bounce == 1 && rate == 24 ? 2e-3 : 2e-4);
        }
    }
}

/* A spring without damping keeps its amplitude over 100 bounces of bounce 1, and never gains more than rounding: 4 eps
   a step and 4 eps a bounce. */
static void test_amplitude(void **state)
{
    (void)state;
    const float angles[] = {0.05f, 0.2f, 0.5f, 1};
    EACH_TABLE(table) {
        for (size_t i = 0; i < 2 * LENGTH(angles); i++) {
            const gyre_spring spring = {30, 0, 0};
            const one_options options = {
                .low = i % 2, .target = 1, .target_before = NAN, .lower = NAN, .upper = 1.5f, .bounce = 1};
            one_spring s = {0};
            int bounces = 0;
            CASE("w dt %g, low parts %zu", angles[i / 2], i % 2);
            for (int step = 1; bounces < 100; step++) {
                const float before = s.velocity;
                s = step_one(table, s, &options, spring, angles[i / 2] / 30);
                bounces += before > 0 && s.velocity < 0;
                const double x = (double)s.position - 1, v = (double)s.velocity / 30;
                check(x * x + v * v, <=, 1 + 4 * 0x1p-24 * (step + bounces));
                check(step, <=, 20000);
            }
            const double x = (double)s.position - 1, v = (double)s.velocity / 30;
            check(sqrt(x * x + v * v), >=, 0.95);
        }
    }
}

/* Steps of negative time undo steps, bounces included. */
static void test_backwards(void **state)
{
    (void)state;
    const struct {
        gyre_spring spring;
        float upper, bounce, rate, allowed;
        int steps;
    } cases[] = {
        {{30, 0, 0}, 1.5f, 1, 60, 1e-4f, 60},
        {{30, 0, 0}, 1.5f, 1, 240, 1e-4f, 240},
        {{8, 0.05f, 0}, 1.25f, 0.8f, 60, 1e-3f, 100},
        {{12, 0.02f, 0}, 1.125f, 0.9f, 144, 1e-3f, 200},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < 2 * LENGTH(cases); i++) {
            const size_t k = i / 2;
            const one_options options = {.low = i % 2,
                                         .target = 1,
                                         .target_before = NAN,
                                         .lower = NAN,
                                         .upper = cases[k].upper,
                                         .bounce = cases[k].bounce};
            one_spring s = {0};
            for (int direction = 1; direction >= -1; direction -= 2) {
                for (int step = 0; step < cases[k].steps; step++) {
                    s = step_one(table, s, &options, cases[k].spring, (float)direction / cases[k].rate);
                }
            }
            CASE("w %g, upper %g, bounce %g at %g Hz, low parts %zu", cases[k].spring.angular_frequency, cases[k].upper,
                 cases[k].bounce, cases[k].rate, i % 2);
            check_within(s.position, 0.0f, cases[k].allowed);
            check_within(s.velocity, 0.0f, cases[k].allowed * cases[k].spring.angular_frequency);
        }
    }
}

/* A spring that is pressed on a bound lies there with velocity 0 and sleeps, wherever the bound is; a target within the
   bounds takes it away again. */
static void test_pressed_far_out(void **state)
{
    (void)state;
    const struct {
        float bound, rate, bounce;
    } cases[] = {{1e5f, 120, 0}, {-2e6f, 120, 0.5f}, {0, 60, 0.9f}, {123456.7f, 120, 1}, {1e7f, 240, 0.7f}};
    EACH_TABLE(table) {
        for (size_t i = 0; i < 4 * LENGTH(cases); i++) {
            const float side = i % 4 < 2 ? 1 : -1, bound = side * cases[i / 4].bound;
            const gyre_spring spring = {4 * 3.14159265f, 0.7f, 0};
            one_options options = {.low = i % 2,
                                   .target = bound + side * 30,
                                   .target_before = NAN,
                                   .lower = side > 0 ? NAN : bound,
                                   .upper = side > 0 ? bound : NAN,
                                   .bounce = cases[i / 4].bounce,
                                   .rest_distance = 0.1f,
                                   .rest_speed = 1};
            one_spring s = {.position = bound - side * 20, .awake = 1};
            CASE("bound %g at %g Hz, bounce %g, low parts %zu", bound, cases[i / 4].rate, cases[i / 4].bounce, i % 2);
            int steps = 0;
            for (; steps < 1000 && s.awake; steps++) {
                s = step_one(table, s, &options, spring, 1 / cases[i / 4].rate);
            }
            check(s.awake, ==, 0);
            check_bits(s.position, bound);
            check(s.velocity, ==, 0);
            check(s.position_low, ==, 0);
            options.target = bound - side * 40;
            s = step_one(table, s, &options, spring, 1 / cases[i / 4].rate);
            check(side * s.velocity, <, 0);
            check(s.awake, ==, 1);
            for (int step = 0; step < 20; step++) {
                s = step_one(table, s, &options, spring, 1 / cases[i / 4].rate);
            }
            check(side * (s.position - bound), <, 0);
        }
    }
}

/* First-order smoothing has no velocity: it ends on the bound with velocity 0, in both directions of time. */
static void test_smoothing(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        for (int backward = 0; backward < 2; backward++) {
            float position = backward ? 0.9f : 0, velocity = 0;
            const float target = backward ? 0.5f : 3, upper = 1;
            const gyre_springs springs = {.count = 1,
                                          .position = &position,
                                          .velocity = &velocity,
                                          .target = &target,
                                          .upper = &upper,
                                          .bounce = 1};
            gyre_spring_matrix m;
            check_status(table->smoothing_matrix_at(0.1f, backward ? -0.2f : 0.2f, &m), GYRE_OK);
            CASE("backward %d", backward);
            for (int step = 0; step < 3; step++) {
                check_status(table->springs_step(&springs, 0, 1, &m), GYRE_OK);
                check(position, ==, 1);
                check(velocity, ==, 0);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_against_exact_motion),
        TEST(test_long_steps_stay_within),
        TEST(test_many_bounces),
        TEST(test_any_frame_rate),
        TEST(test_amplitude),
        TEST(test_backwards),
        TEST(test_pressed_far_out),
        TEST(test_smoothing),
    };
    return cmocka_run_group_tests_name("spring_bounces", tests, NULL, NULL);
}
