/* Targets that move during a step: the error of a step, the lag for each `follow`, chains of springs that follow each
   other, and stop_at_target. */
#include "support/batch.h"
#include "reference/spring.h"

#include <math.h>

typedef struct one_spring {
    float position, velocity, position_low, velocity_low;
} one_spring;

typedef struct one_options {
    bool low, stop_at_target;
    float period;
} one_options;

/* One step while the target moves. */
static one_spring step_one(const gyre_kernels *table, one_spring spring, float before, float target,
                           gyre_spring_matrix matrix, one_options options)
{
    const gyre_springs springs = {
        .count = 1,
        .position = &spring.position,
        .velocity = &spring.velocity,
        .target = &target,
        .period = options.period,
        .position_low = options.low ? &spring.position_low : NULL,
        .velocity_low = options.low ? &spring.velocity_low : NULL,
        .target_before = &before,
        .stop_at_target = options.stop_at_target,
    };
    check_status(table->springs_step(&springs, 0, 1, &matrix), GYRE_OK);
    return spring;
}

/* ---- Error ---- */

/* Against the exact product with the given matrix and ramps. */
static void test_error(void **state)
{
    (void)state;
    const real eps = 0x1p-24L;
    EACH_TABLE(table) {
        random_source random = {1};
        worst_case worst[2] = {{0}};
        for (size_t i = 0; i < effort(50000); i++) {
            const int low = i % 2;
            const gyre_spring_matrix m = random_matrix(&random);
            const one_spring old = {random_signed(&random, -4, 8), random_signed(&random, -4, 8), 0, 0};
            const float before = random_signed(&random, -8, 8), target = before + random_signed(&random, -8, 6);
            const one_spring got = step_one(table, old, before, target, m, (one_options){.low = low});
            real c[6];
            for (int k = 0; k < 6; k++) {
                c[k] = (&m.pos_pos)[k] + (low ? (real)m.low[k] : 0);
            }
            const real x = (real)old.position - before, v = old.velocity, move = (real)target - before;
            const real position = target + c[0] * x + c[1] * v + c[4] * move,
                       velocity = c[2] * x + c[3] * v + c[5] * move;
            const real of_position = fabsl(c[0] * x) + fabsl(c[1] * v) + fabsl(c[4] * move);
            const real of_velocity = fabsl(c[2] * x) + fabsl(c[3] * v) + fabsl(c[5] * move);
            const real carried = fabsl(c[0] * x) + fabsl(c[4] * move), turned = fabsl(c[2] * x) + fabsl(c[5] * move);
            const real sizes = fabsl((real)old.position) + fabsl((real)before) + fabsl((real)target);
            real position_bound = 4 * eps * of_position + eps * (carried + fabsl((real)target)) + 0x1p-94L;
            real velocity_bound = 4 * eps * of_velocity + eps * turned + 0x1p-94L;
            if (low) {
                position_bound = 0x1p-47L * (of_position + fabsl((real)target)) + 0x1p-94L +
                                 0x1p-52L * (fabsl(c[0]) + fabsl(c[4])) * sizes;
                velocity_bound = 0x1p-47L * of_velocity + 0x1p-94L + 0x1p-52L * (fabsl(c[2]) + fabsl(c[5])) * sizes;
            }
            const real got_position = got.position + (real)got.position_low;
            const real got_velocity = got.velocity + (real)got.velocity_low;
            CASE("from %a %a, target from %a to %a, low parts %d", old.position, old.velocity, before, target, low);
            check_share(&worst[low], worse_of((double)(fabsl(got_position - position) / position_bound),
                                              (double)(fabsl(got_velocity - velocity) / velocity_bound)));
        }
        print_worst("without low parts", &worst[0]);
        print_worst("with low parts", &worst[1]);
    }
}

/* Where the target stands still, a step gives the same bits as without target_before. */
static void test_a_target_that_stands_still(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {2};
        for (size_t i = 0; i < effort(500); i++) {
            const unsigned features = (nth_features(i) | FEATURE_TARGET) & ~(unsigned)FEATURE_RAMP;
            const gyre_spring_matrix m = random_matrix(&random);
            batch moving = batch_random(&random, false);
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                moving.target_before[k] = moving.target[k];
            }
            batch still = moving;
            const gyre_springs a = batch_springs(&moving, features | FEATURE_RAMP), b = batch_springs(&still, features);
            CASE("features %#x", features);
            check_status(table->springs_step(&a, 0, BATCH_SPRINGS, &m), GYRE_OK);
            check_status(table->springs_step(&b, 0, BATCH_SPRINGS, &m), GYRE_OK);
            check_same_batch(&moving, &still);
        }
    }
}

/* Without `target`, target_before is ignored. */
static void test_target_decides(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        const gyre_spring_matrix m = matrix_of(table, (gyre_spring){5, 1, 0}, 0.1f);
        float x[2] = {3, 3}, v[2] = {1, 1};
        const float before = NAN;
        const gyre_springs with = {.count = 1, .position = &x[0], .velocity = &v[0], .target_before = &before};
        const gyre_springs without = {.count = 1, .position = &x[1], .velocity = &v[1]};
        check_status(table->springs_step(&with, 0, 1, &m), GYRE_OK);
        check_status(table->springs_step(&without, 0, 1, &m), GYRE_OK);
        check(x[0], ==, x[1]);
        check(v[0], ==, v[1]);
    }
}

/* Both the displacement and the move are taken the short way round. */
static void test_period(void **state)
{
    (void)state;
    /* halves the displacement and adds a quarter of the move to it */
    const gyre_spring_matrix m = {0.5f, 0, 0, 0.5f, 0.25f, 1, {0}};
    const struct {
        float position, before, target, end, velocity;
    } cases[] = {
        {350, 10, 50, 50 - 10 + 10, 40},  /* 20 behind, and a move of 40 */
        {10, 350, 30, 30 + 10 + 10, 40},  /* both across the seam */
        {0, 8, 350, 350 - 4 - 4.5f, -18}, /* the move crosses the seam backwards */
        {720, 4, 8, 8 - 2 + 1, 4},        /* whole periods away */
        {0, 0, 3600 + 8, 3608 + 2, 8},    /* ten whole turns of the target are no move */
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < 2 * LENGTH(cases); i++) {
            const size_t k = i / 2;
            CASE("from %g, target from %g to %g, low parts %zu", cases[k].position, cases[k].before, cases[k].target,
                 i % 2);
            const one_spring got = step_one(table, (one_spring){cases[k].position, 0, 0, 0}, cases[k].before,
                                            cases[k].target, m, (one_options){.low = i % 2, .period = 360});
            check(got.position, ==, cases[k].end);
            check(got.velocity, ==, cases[k].velocity);
        }
    }
}

/* ---- The lag ---- */

/* Behind a target of constant velocity, the spring lags by (1 - follow) 2 z / w times that, whatever the frame rate. */
static void test_lag(void **state)
{
    (void)state;
    const float rates[] = {30, 60, 144, 240, 1000}, follows[] = {0, 0.25f, 0.5f, 1};
    const gyre_spring springs[] = {{10, 1, 0}, {20, 0.4f, 0}, {6, 1.5f, 0}, {15, 0, 0}};
    const float velocity = 500;
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(springs) * LENGTH(follows) * LENGTH(rates) * 2; i++) {
            const bool low = i % 2;
            const float rate = rates[i / 2 % LENGTH(rates)];
            gyre_spring spring = springs[i / 2 / LENGTH(rates) / LENGTH(follows)];
            spring.follow = follows[i / 2 / LENGTH(rates) % LENGTH(follows)];
            const gyre_spring_matrix m = matrix_of(table, spring, 1 / rate);
            const double lag =
                (1 - (double)spring.follow) * 2 * spring.damping_ratio / spring.angular_frequency * velocity;
            const bool settles = spring.damping_ratio > 0;
            one_spring s = {(float)-lag + (settles ? 5 : 0), velocity, 0, 0};
            const size_t steps = (size_t)(4 * rate);
            for (size_t step = 0; step < steps; step++) {
                const float before = (float)((double)velocity * (double)step / (double)rate);
                const float target = (float)((double)velocity * (double)(step + 1) / (double)rate);
                s = step_one(table, s, before, target, m, (one_options){.low = low});
            }
            const double target = (double)velocity * (double)steps / (double)rate;
            CASE("w=%g z=%g follow=%g at %g Hz, low parts %d", spring.angular_frequency, spring.damping_ratio,
                 spring.follow, rate, low);
            check_within(target - ((double)s.position + s.position_low), lag, low ? 0.005 : 0.05);
            check_within((double)s.velocity + s.velocity_low, velocity, 0.15);
        }
    }
}

/* One step with a moving target equals many short ones that divide the move evenly. */
static void test_cut_alike(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {3};
        for (size_t i = 0; i < effort(1000); i++) {
            const gyre_spring spring = {random_magnitude(&random, -2, 5), random_magnitude(&random, -3, 2),
                                        random_unit(&random)};
            const float h = random_magnitude(&random, -6, -1), start = random_signed(&random, -4, 4);
            const float move = ldexpf((float)(1 + random_below(&random, 1000)), -6); /* an eighth is exact */
            const one_spring old = {start + 3, 5, 0, 0};
            const one_options options = {.low = true};
            const one_spring once = step_one(table, old, 0, move, matrix_of(table, spring, h), options);
            const gyre_spring_matrix eighth = matrix_of(table, spring, h / 8);
            one_spring often = old;
            for (int k = 0; k < 8; k++) {
                often = step_one(table, often, move / 8 * (float)k, move / 8 * (float)(k + 1), eighth, options);
            }
            CASE("w=%a z=%a follow=%a h=%a", spring.angular_frequency, spring.damping_ratio, spring.follow, h);
            const double size = (double)(fabsf(start) + 3 + move) + 5 / (double)spring.angular_frequency;
            const double a = (double)once.position + once.position_low, b = (double)often.position + often.position_low;
            check_within(a, b, 1e-10 * size);
            const double c = (double)once.velocity + once.velocity_low, d = (double)often.velocity + often.velocity_low;
            check_within(c, d,
                         1e-10 * size * (1 + (double)spring.angular_frequency) * (1 + (double)spring.damping_ratio));
        }
    }
}

/* ---- Chains ---- */

/* Nine critical links, each following the one before: step link by link, with `target` where the link before is now and
   `target_before` where it was. Returns the last link's position one second after the first target jumped from 0 to
   100. */
static double end_of_chain(const gyre_kernels *table, float rate, bool has_before)
{
    enum { LINKS = 9 };
    float position[LINKS + 1] = {100}, before[LINKS + 1] = {100}, velocity[LINKS + 1] = {0};
    const gyre_spring_matrix m = matrix_of(table, (gyre_spring){20, 1, 0}, 1 / rate);
    for (int step = 0; step < (int)rate; step++) {
        for (int link = 1; link <= LINKS; link++) {
            before[link] = position[link];
            const gyre_springs spring = {.count = 1,
                                         .position = &position[link],
                                         .velocity = &velocity[link],
                                         .target = &position[link - 1],
                                         .target_before = has_before ? &before[link - 1] : NULL};
            check_status(table->springs_step(&spring, 0, 1, &m), GYRE_OK);
        }
    }
    return (double)position[LINKS];
}

static void test_chain(void **state)
{
    (void)state;
    const double exact = 70.297; /* 100 times P(18, 20), the regularised gamma function */
    EACH_TABLE(table) {
        double last = 0;
        for (float rate = 60; rate <= 960; rate *= 2) {
            const double error = fabs(end_of_chain(table, rate, true) - exact);
            CASE("%g Hz: off by %g, before by %g", (double)rate, error, last);
            if (rate > 60 && last > 0.02) { /* second order: a quarter of the error for half the step */
                check_within(last / error, 4, 0.4);
            }
            last = error;
        }
        check(last, <=, 0.01);
        /* targets that jump are first order, and far off */
        check(fabs(end_of_chain(table, 240, false) - exact), >, 20 * fabs(end_of_chain(table, 240, true) - exact));
    }
}

/* ---- stop_at_target ---- */

static void test_stop_at_target(void **state)
{
    (void)state;
    const gyre_spring_matrix moves = {1, 1, 0, 0.5f, 0, 0, {0}}; /* moves by the velocity, and halves it */
    const struct {
        float x, v, end, velocity;
    } cases[] = {
        {-1, 3, 0, 0}, /* beyond the target */
        {1, -3, 0, 0},
        {-1, 0.5f, -0.5f, 0.25f},
        {1, 0.5f, 1.5f, 0.25f},
        {-1, 1, 0, 0.5f}, /* onto it: it stops in the next step */
        {0, 0.5f, 0, 0},
        {0, -3, 0, 0},
        {0, 0, 0, 0},
        {0x1p-90f, -0x1p-89f, 0, 0}, /* the product is 0 */
        {-0x1p-90f, 0x1p-92f, -0x1.8p-91f, 0x1p-93f},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < 4 * LENGTH(cases); i++) {
            const bool low = i % 2;
            const float x = cases[i / 4].x, target = i / 2 % 2 && fabsf(x) > 0x1p-9f ? 8 : 0;
            const one_options options = {.low = low, .stop_at_target = true};
            const one_spring got =
                step_one(table, (one_spring){target + x, cases[i / 4].v, 0, 0}, target, target, moves, options);
            CASE("displacement %a, velocity %a, target %g, low parts %d", x, cases[i / 4].v, target, low);
            check(got.position, ==, target + cases[i / 4].end);
            check(got.velocity, ==, cases[i / 4].velocity);
            check(got.position_low, ==, 0);
            check(got.velocity_low, ==, 0);
        }
        for (int low = 0; low < 2; low++) {
            const one_options options = {.low = low, .stop_at_target = true}, angle = {low, true, 360};
            CASE("low parts %d", low);
            one_spring got = step_one(table, (one_spring){0, NAN, 0, 0}, 0, 0, moves, options);
            check_nan(got.position);
            check_nan(got.velocity);
            got = step_one(table, (one_spring){NAN, 1, 0, 0}, 0, 0, moves, options);
            check_nan(got.position);
            /* half a period away is not the target; a period away is */
            got = step_one(table, (one_spring){170, 20, 0, 0}, 0, 0, moves, angle);
            check(got.position, ==, 190);
            check(got.velocity, ==, 10);
            got = step_one(table, (one_spring){170, 200, 0, 0}, 0, 0, moves, angle);
            check(got.position, ==, 0);
            check(got.velocity, ==, 0);
            /* the target moves past it: the displacement changes from -1 to 2 */
            const gyre_spring_matrix stays = {1, 0, 0, 0.5f, -1, 0, {0}};
            got = step_one(table, (one_spring){9, 4, 0, 0}, 10, 7, stays, options);
            check(got.position, ==, 7);
            check(got.velocity, ==, 0);
        }
    }
}

/* A spring that starts on a target that moves away follows it, and lags as without stop_at_target: it stops only where
   it comes to the target, and then lags anew. */
static void test_stop_at_a_target_that_moves(void **state)
{
    (void)state;
    const struct {
        gyre_spring spring;
        float rate, start, speed; /* Hz, u, u/s */
        float behind, within;     /* u: 2 (1 - follow) z / w of the speed */
    } cases[] = {
        {{10, 1, 0}, 60, 0, 100, 20, 0.001f},
        {{25, 0.6f, 0}, 144, -40, -300, -14.4f, 0.001f},
        {{8, 1.5f, 0.5f}, 240, 1000, 80, 15, 0.02f},
        {{16, 2, 0}, 30, 1e4f, -50, -12.5f, 0.02f},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < 6 * LENGTH(cases); i++) {
            const size_t c = i / 6;
            const int low = (int)(i % 2), kind = (int)(i / 2 % 3);
            const float dt_s = 1 / cases[c].rate, move = cases[c].speed * dt_s;
            const gyre_spring spring = cases[c].spring;
            const gyre_spring_matrix m = matrix_of(table, spring, dt_s);
            const uint16_t which = 0;
            float s[4] = {cases[c].start, 0, 0, 0}, before = cases[c].start, target = cases[c].start;
            uint8_t awake = 9;
            const gyre_springs springs = {.count = 1,
                                          .position = &s[0],
                                          .velocity = &s[1],
                                          .target = &target,
                                          .awake = &awake,
                                          .position_low = low ? &s[2] : NULL,
                                          .velocity_low = low ? &s[3] : NULL,
                                          .target_before = &before,
                                          .stop_at_target = true};
            const int frames = (int)(10 * cases[c].rate), turns = frames / 2;
            for (int frame = 1; frame <= frames; frame++) {
                before = target;
                /* once it jumps back over the spring, which meets it there and stops */
                target += frame == turns ? -3 * cases[c].behind : move;
                check_status(kind == 0   ? table->springs_step(&springs, 0, 1, &m)
                             : kind == 1 ? table->springs_step_palette(&springs, 0, 1, &m, 1, &which)
                                         : table->springs_step_each(&springs, 0, 1, &spring.angular_frequency,
                                                                    &spring.damping_ratio, &spring.follow, NULL, dt_s),
                             GYRE_OK);
                CASE("w=%g z=%g follow=%g at %g Hz, target at %g u/s, low parts %d, call %d, frame %d",
                     spring.angular_frequency, spring.damping_ratio, spring.follow, cases[c].rate, cases[c].speed, low,
                     kind, frame);
                check(awake, ==, 1);
                if (frame == turns) {
                    check(s[0], ==, target);
                    check(s[1], ==, 0);
                    check(s[2], ==, 0);
                    check(s[3], ==, 0);
                } else {
                    check(cases[c].speed > 0 ? s[0] : target, <, cases[c].speed> 0 ? target : s[0]);
                }
                if (frame == turns - 1 || frame == frames) {
                    check_within((double)target - s[0] - s[2], cases[c].behind, cases[c].within);
                    check_within((double)s[1] + s[3], cases[c].speed, 0.15);
                }
            }
        }
    }
}

/* A step in which the target stands is the only one that a displacement of 0 stops. */
static void test_on_a_target_that_stands(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        const gyre_spring_matrix m = matrix_of(table, (gyre_spring){10, 1, 0}, 1 / 60.0f);
        for (int low = 0; low < 2; low++) {
            for (int period = 0; period < 2; period++) {
                const one_options options = {low, true, period ? 360 : 0};
                CASE("low parts %d, period %g", low, options.period);
                const one_spring thrown = {50, 7, 0, 0};
                one_spring got = step_one(table, thrown, 50, 50, m, options);
                check(got.position, ==, 50);
                check(got.velocity, ==, 0);
                got = step_one(table, thrown, 50, 50 + 0x1p-18f, m, options); /* it moves, if only by an ulp */
                check_within(got.velocity, 7 * (1 - 1 / 6.0f) * expf(-1 / 6.0f), 1e-4f); /* v (1 - w t) exp(-w t) */
                got = step_one(table, thrown, 50, 49, m, options);
                check(got.velocity, >, 0);
                check(got.position, >, 50);
                got = step_one(table, thrown, 50, 50 + 360, m, options);
                if (period) { /* a whole turn of the target is no move */
                    check(got.velocity, ==, 0);
                } else {
                    check(got.velocity, >, 7);
                }
            }
        }
    }
}

/* No frame shows a spring beyond its target, and it reaches its target sooner than it would settle. */
static void test_no_overshoot(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        const gyre_spring_matrix m = matrix_of(table, (gyre_spring){20, 0.2f, 0}, 1 / 60.0f);
        one_spring s = {0, 0, 0, 0};
        int steps = 0;
        for (; steps < 60 && !(s.position == 1 && s.velocity == 0); steps++) {
            s = step_one(table, s, 1, 1, m, (one_options){.stop_at_target = true});
            check(s.position, <=, 1);
        }
        check(steps, <=, 7); /* a quarter of a period, and the rest of a frame */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_error),
        TEST(test_a_target_that_stands_still),
        TEST(test_target_decides),
        TEST(test_period),
        TEST(test_lag),
        TEST(test_cut_alike),
        TEST(test_chain),
        TEST(test_stop_at_target),
        TEST(test_stop_at_a_target_that_moves),
        TEST(test_on_a_target_that_stands),
        TEST(test_no_overshoot),
    };
    return cmocka_run_group_tests_name("spring_targets", tests, NULL, NULL);
}
