/* gyre_springs_step on every table: its stated error, and its contract for period, rest and settling. */
#include "support/batch.h"
#include "reference/spring.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const real eps = 0x1p-24L;
static const real flush_limit = 0x1p-95L;

/* ---- One spring at a time ---- */

typedef struct one_spring {
    float position, velocity, target;
    uint8_t awake;
} one_spring;

typedef struct one_options {
    bool no_target;
    float period, rest_distance, rest_speed;
} one_options;

static one_spring step_one(const gyre_kernels *table, one_spring spring, one_options options, gyre_spring_matrix matrix)
{
    gyre_springs springs = {
        .count = 1,
        .position = &spring.position,
        .velocity = &spring.velocity,
        .target = options.no_target ? NULL : &spring.target,
        .period = options.period,
        .rest_distance = options.rest_distance,
        .rest_speed = options.rest_speed,
        .awake = &spring.awake,
    };
    check_status(table->springs_step(&springs, 0, 1, &matrix), GYRE_OK);
    return spring;
}

/* What `awake` is after a step of some time: whether a stored value compares unequal to the one that was read, or is
   NaN. */
static uint8_t has_changed(one_spring before, one_spring after)
{
    return !(after.position == before.position && after.velocity == before.velocity);
}

/* ---- Error ---- */

typedef struct step_bound {
    reference_state exact, bound;
} step_bound;

/* The exact product with x = position - target, and the largest error that the header allows. x_error is the rounding
   error of x itself. */
static step_bound bound_of(gyre_spring_matrix m, real x, real x_error, real velocity, real target)
{
    real from_x = fabsl(m.pos_pos * x), from_v = fabsl(m.pos_vel * velocity);
    real vel_from_x = fabsl(m.vel_pos * x), vel_from_v = fabsl(m.vel_vel * velocity);
    return (step_bound){
        {m.pos_pos * x + m.pos_vel * velocity, m.vel_pos * x + m.vel_vel * velocity},
        {3 * eps * (from_x + from_v) + fabsl(m.pos_pos) * x_error + eps * fabsl(target),
         3 * eps * (vel_from_x + vel_from_v) + fabsl(m.vel_pos) * x_error},
    };
}

/* The error as a share of the bound. Results below 2^-95 must be 0, and those above must not. */
static double share_of(real got, real exact, real bound)
{
    if (fabsl(exact) + bound < flush_limit) {
        return got == 0 ? 0 : INFINITY;
    }
    if (got == 0 && fabsl(exact) - bound < flush_limit) {
        return 0;
    }
    return (double)(got == exact ? 0 : fabsl(got - exact) / bound);
}

static void test_error(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {1};
        worst_case worst = {0};
        for (size_t i = 0; i < effort(100000); i++) {
            gyre_spring_matrix m = random_matrix(&random);
            if (i % 2) { /* any four coefficients */
                m = (gyre_spring_matrix){random_signed(&random, -20, 4), random_signed(&random, -20, 4),
                                         random_signed(&random, -20, 4), random_signed(&random, -20, 4)};
            }
            int size = (int)random_below(&random, 40) - 20, smaller = i % 5 == 0 ? -80 : 0;
            one_spring old = {random_signed(&random, size - 4, size + 1), random_signed(&random, size - 4, size + 4),
                              random_signed(&random, size - 8, size), 0xa5};
            bool no_target = i % 3 == 0;
            if (no_target) {
                old.position = ldexpf(old.position, smaller);
                old.velocity = ldexpf(old.velocity, smaller);
            }
            real target = no_target ? 0 : old.target, x = (real)old.position - target;
            step_bound want = bound_of(m, x, no_target ? 0 : eps * fabsl(x), old.velocity, target);
            one_spring got = step_one(table, old, (one_options){.no_target = no_target}, m);

            /* With a target, displacements on either side of the flush limit may also differ by 2^-95. */
            double position_share = no_target ? share_of(got.position, want.exact.position, want.bound.position)
                                              : (double)(fabsl(got.position - target - want.exact.position) /
                                                         (want.bound.position + flush_limit));
            double velocity_share = share_of(got.velocity, want.exact.velocity, want.bound.velocity);
            CASE("from %a %a to %a by %a %a %a %a: got %a %a, wanted %La %La", old.position, old.velocity,
                 (double)target, m.pos_pos, m.pos_vel, m.vel_pos, m.vel_vel, got.position, got.velocity,
                 target + want.exact.position, want.exact.velocity);
            check_share(&worst, worse_of(position_share, velocity_share));
        }
        print_worst("any matrix", &worst);
    }
}

/* The exact remainder nearest to 0; at half a period, either side is right. */
static void test_error_with_a_period(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {2};
        worst_case worst = {0};
        for (size_t i = 0; i < effort(100000); i++) {
            gyre_spring_matrix m = random_matrix(&random);
            float period = i % 3 == 0 ? 0x1.921fb6p2f : i % 3 == 1 ? 360 : random_magnitude(&random, -6, 10);
            int turns = (int)random_below(&random, 14) - 2;
            one_spring old = {period * random_signed(&random, -4, turns), random_signed(&random, -6, 6),
                              period * random_signed(&random, -4, turns), 0xa5};
            real x = (real)old.position - old.target, x_error = 3 * eps * (fabsl(old.position) + fabsl(old.target));
            real wrapped = remainderl(x, period);
            one_spring got = step_one(table, old, (one_options){.period = period}, m);

            double best = INFINITY;
            for (int side = -1; side <= 1; side++) { /* other sides: only within rounding of half a period */
                real there = wrapped + side * (real)period;
                if (fabsl(there) <= (real)period / 2 + x_error) {
                    step_bound want = bound_of(m, there, x_error, old.velocity, old.target);
                    real position_off = fabsl(got.position - old.target - want.exact.position);
                    real velocity_off = fabsl(got.velocity - want.exact.velocity);
                    best = fmin(best, worse_of((double)(position_off / (want.bound.position + flush_limit)),
                                               (double)(velocity_off / (want.bound.velocity + flush_limit))));
                }
            }
            CASE("from %a %a to %a, period %a, by %a %a %a %a: got %a %a", old.position, old.velocity, old.target,
                 period, m.pos_pos, m.pos_vel, m.vel_pos, m.vel_vel, got.position, got.velocity);
            check_share(&worst, best);
        }
        print_worst("with a period", &worst);
    }
}

/* ---- Period ---- */

/* A matrix that halves the displacement: the new position shows which way round was taken. */
static const gyre_spring_matrix halves = {0.5f, 0, 0, 0.5f};

static void test_shortest_way(void **state)
{
    (void)state;
    const struct {
        float position, target, end;
    } cases[] = {
        {350, 10, 0},   /* over the seam, forwards: 10 - 20 / 2 */
        {10, 350, 360}, /* over the seam, backwards: the position follows the target */
        {10, 30, 20},   /* not over the seam */
        {179, 0, 89.5f}, {181, 0, -89.5f}, {-181, 0, 89.5f}, {3600, 0, 0}, /* ten whole turns away is at the target */
        {3620, 0, 10},   {-3620, 0, -10},  {5, 7205, 7205},  {36010, 0, 5},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(cases); i++) {
            CASE("from %a to %a", cases[i].position, cases[i].target);
            one_spring old = {cases[i].position, 0, cases[i].target, 0xa5};
            one_spring got = step_one(table, old, (one_options){.period = 360}, halves);
            check(got.position, ==, cases[i].end);
            if (cases[i].target == 0) {
                got = step_one(table, old, (one_options){.period = 360, .no_target = true}, halves);
                check(got.position, ==, cases[i].end);
            }
        }
        /* Exactly half a turn: in either direction, but half a turn. */
        for (int turn = -5; turn <= 5; turn++) {
            CASE("half a turn and %d", turn);
            one_spring old = {180 + 360 * (float)turn, 0, 0, 0xa5};
            one_spring got = step_one(table, old, (one_options){.period = 360}, halves);
            check(fabsf(got.position), ==, 90);
        }
    }
}

/* The displacement stays within half a period, however far away the spring is. */
static void test_period_of_many_turns(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {3};
        for (size_t i = 0; i < effort(20000); i++) {
            float period = random_magnitude(&random, -149, 127), position = random_signed(&random, -149, 127);
            if (i % 2 != 0) { /* up to 2^24 periods away, and close to where the side changes */
                period = random_magnitude(&random, -20, 20);
                position = period * (0.5f + floorf(random_magnitude(&random, 0, 24)));
            }
            one_spring got = step_one(table, (one_spring){position, 0, 0, 0}, (one_options){.period = period}, halves);
            CASE("from %a, period %a, got %a", position, period, got.position);
            check(fabsf(got.position), <=, (real)period / 4);
        }
    }
}

/* From 2^23 periods up, a float has no phase, and the displacement is 0. */
static void test_phase_of_very_many_turns(void **state)
{
    (void)state;
    const struct {
        float position, period, left; /* of half the displacement */
    } cases[] = {
        {0x1p23f - 0.5f, 1, 0.25f}, {3 * 0x1p23f - 2, 3, 0.5f}, {3 * 0x1p22f + 1, 3, 0.5f},
        {3 * 0x1p23f + 2, 3, 0},    {3 * 0x1p24f - 4, 3, 0},    {0x1p23f, 1, 0},
        {0x1p23f + 1, 1, 0},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(cases); i++) {
            for (int sign = -1; sign <= 1; sign += 2) {
                CASE("from %a, period %a", sign * cases[i].position, cases[i].period);
                const one_spring old = {sign * cases[i].position, 0, 0, 0xa5};
                const one_spring got = step_one(table, old, (one_options){.period = cases[i].period}, halves);
                check(fabsf(got.position), ==, cases[i].left);
                check(got.awake, ==, 1); /* half of it is gone, or all */
                const one_spring next = step_one(table, got, (one_options){.period = cases[i].period}, halves);
                check(next.awake, ==, cases[i].left != 0);
            }
        }
    }
}

/* ---- Rest ---- */

static void test_rest_limits_are_inclusive(void **state)
{
    (void)state;
    const float distance = 0.125f, speed = 0.5f, above = 1 + FLT_EPSILON;
    const gyre_spring_matrix keeps = {1, 0, 0, -1}; /* not the identity, and exact */
    const struct {
        float x, v;
        bool rests;
    } cases[] = {
        {distance, speed, true},
        {-distance, -speed, true},
        {distance, -speed, true},
        {distance * above, speed, false},
        {distance, speed * above, false},
        {-distance * above, 0, false},
        {0, -speed * above, false},
        {0, 0, true},
        {0, speed, true},
        {distance, 0, true},
        {NAN, 0, false},
        {0, NAN, false},
        {INFINITY, 0, false},
        {0, -INFINITY, false},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(cases); i++) {
            one_options options = {.rest_distance = distance, .rest_speed = speed};
            one_spring old = {256 + cases[i].x, cases[i].v, 256, 0xa5};
            bool kept = 256 + cases[i].x - 256 == cases[i].x; /* otherwise only without a target */
            for (int with_target = 0; with_target <= kept; with_target++) {
                CASE("displacement %a, velocity %a, %s target", cases[i].x, cases[i].v,
                     with_target ? "with" : "without");
                options.no_target = !with_target;
                old.position = with_target ? 256 + cases[i].x : cases[i].x;
                one_spring got = step_one(table, old, options, keeps);
                check(got.awake, ==, has_changed(old, got));
                if (cases[i].rests) {
                    check(step_one(table, got, options, keeps).awake, ==, 0);
                    check(got.position, ==, with_target ? 256 : 0);
                    check(got.velocity, ==, 0);
                } else if (isfinite(cases[i].x) && isfinite(cases[i].v)) {
                    check(got.position, ==, old.position);
                    check(got.velocity, ==, -old.velocity);
                } else {
                    check_not_finite(isfinite(got.position) ? got.velocity : got.position);
                }
            }
        }
    }
}

static void test_rest_is_of_the_new_state(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        one_options options = {.rest_distance = 1, .rest_speed = 1};
        one_spring falls_asleep = step_one(table, (one_spring){12, 1.5f, 10, 0}, options, halves);
        check(falls_asleep.position, ==, 10);
        check(falls_asleep.velocity, ==, 0);
        check(falls_asleep.awake, ==, 1); /* it was brought to rest: the next step has nothing to do */
        check(step_one(table, falls_asleep, options, halves).awake, ==, 0);
        const gyre_spring_matrix doubles = {2, 0, 0, 2};
        one_spring wakes = step_one(table, (one_spring){10.75f, 0.75f, 10, 0}, options, doubles);
        check(wakes.position, ==, 11.5f);
        check(wakes.velocity, ==, 1.5f);
        check(wakes.awake, ==, 1);
    }
}

/* A spring that is a whole period from its target is at its target. */
static void test_rest_with_a_period(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        const one_options options = {.period = 1, .rest_distance = 0.01f, .rest_speed = 1};
        const gyre_spring_matrix flies = {1, 1, 0, 1};
        one_spring arrives = step_one(table, (one_spring){0.4f, 0.6f, 0, 0}, options, flies);
        check(arrives.position, ==, 0);
        check(arrives.velocity, ==, 0);
        check(arrives.awake, ==, 1);
        check(step_one(table, arrives, options, flies).awake, ==, 0);
        one_spring passes = step_one(table, (one_spring){0.4f, 0.625f, 0, 0}, options, flies);
        check(passes.position, ==, 1.025f);
        check(passes.velocity, ==, 0.625f);
        check(passes.awake, ==, 1);
    }
}

static void test_either_limit_zero_is_never(void **state)
{
    (void)state;
    const gyre_spring_matrix keeps = {1, 0, 0, -1};
    const one_options options[] = {
        {.rest_distance = 0, .rest_speed = 0},
        {.rest_distance = 1, .rest_speed = 0},
        {.rest_distance = 0, .rest_speed = 1},
        {.rest_distance = FLT_MAX, .rest_speed = 0},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(options); i++) {
            CASE("rest distance %a, rest speed %a", options[i].rest_distance, options[i].rest_speed);
            one_spring got = step_one(table, (one_spring){10.5f, 0, 10, 0}, options[i], keeps);
            check(got.position, ==, 10.5f);
            check(got.awake, ==, 0); /* away from its target, but nothing changes */
            got = step_one(table, (one_spring){10, 0.5f, 10, 0}, options[i], keeps);
            check(got.velocity, ==, -0.5f);
            check(got.awake, ==, 1);
        }
    }
}

/* ---- Settling ---- */

static size_t subnormals_of(const batch *b)
{
    size_t count = 0;
    for (size_t i = 0; i < BATCH_SPRINGS; i++) {
        count += is_subnormal(b->position[i]) + is_subnormal(b->velocity[i]);
    }
    return count;
}

/* Springs of every kind decay to exactly 0, and no step leaves a subnormal number. With a target, a position half an
   ulp away no longer moves: the rest limits move it onto the target. */
static void test_settling(void **state)
{
    (void)state;
    const struct {
        float w, z, dt;
    } kinds[] = {
        {10, 1, 1 / 60.0f}, {30, 0.2f, 1 / 60.0f}, {2, 0.5f, 1 / 30.0f}, {10, 3, 1 / 60.0f}, {500, 1, 1e-3f},
        {0.1f, 0.7f, 1},    {1000, 0.05f, 1},      {1e-3f, 1, 100},      {20, 0.9f, 0.25f},  {1e4f, 0.3f, 1e-5f},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < 2 * LENGTH(kinds); i++) {
            unsigned with_target = i % 2 ? FEATURE_TARGET : 0;
            random_source random = {5};
            gyre_spring_matrix matrix =
                matrix_of(table, (gyre_spring){kinds[i / 2].w, kinds[i / 2].z, 0}, kinds[i / 2].dt);
            batch b = batch_random(&random, false);
            gyre_springs springs = batch_springs(&b, with_target);
            springs.rest_distance = with_target ? 0.25f : 0;
            springs.rest_speed = springs.rest_distance * (1 + kinds[i / 2].w);
            CASE("w=%g z=%g dt=%g, %s target", kinds[i / 2].w, kinds[i / 2].z, kinds[i / 2].dt,
                 with_target ? "with" : "without");
            size_t settled, steps = 0;
            do {
                check_status(table->springs_step(&springs, 0, BATCH_SPRINGS, &matrix), GYRE_OK);
                check(subnormals_of(&b), ==, 0);
                settled = 0;
                for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                    settled += b.position[k] == (with_target ? b.target[k] : 0) && b.velocity[k] == 0;
                }
            } while (settled < BATCH_SPRINGS && ++steps < 20000);
            check(settled, ==, BATCH_SPRINGS);
        }
    }
}

/* The flush limit: 2^-95 is kept, and the next smaller float becomes 0 in the same step. */
static void test_flushing_limit(void **state)
{
    (void)state;
    const gyre_spring_matrix keeps = {1, 0, 0, -1};
    EACH_TABLE(table) {
        const float limit = 0x1p-95f, below = nextafterf(limit, 0);
        for (int sign = -1; sign <= 1; sign += 2) {
            one_options options = {.no_target = true};
            CASE("sign %d", sign);
            one_spring kept = step_one(table, (one_spring){sign * limit, sign * limit, 0, 0}, options, keeps);
            check(kept.position, ==, sign * limit);
            check(kept.velocity, ==, -sign * limit);
            check(kept.awake, ==, 1);
            one_spring gone = step_one(table, (one_spring){sign * below, sign * below, 0, 0}, options, keeps);
            check(gone.position, ==, 0);
            check(gone.velocity, ==, 0);
            check(gone.awake, ==, 1);
            check(step_one(table, gone, options, keeps).awake, ==, 0);
        }
    }
}

/* A spring at its target with velocity 0 keeps its bits, whatever the matrix. */
static void test_at_target_stays(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {6};
        for (size_t i = 0; i < effort(2000); i++) {
            gyre_spring_matrix matrix = random_matrix(&random);
            batch b;
            memset(&b, 0, sizeof b);
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                do { /* the sign of zero is unspecified */
                    b.target[k] = b.position[k] = random_any_float(&random);
                } while (!isfinite(b.target[k]) || b.target[k] == 0);
            }
            batch before = b;
            gyre_springs springs = batch_springs(
                &b, FEATURE_TARGET | (nth_features(i) & ~(unsigned)(FEATURE_AWAKE | FEATURE_RAMP | FEATURE_BOUNDS)));
            check_status(table->springs_step(&springs, 0, BATCH_SPRINGS, &matrix), GYRE_OK);
            check_bytes(&b, &before, sizeof b);
        }
    }
}

/* A target so large that its ulp exceeds usual rest limits: with limits of some ulps, the spring ends exactly on it. */
static void test_large_targets(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        gyre_spring_matrix matrix = matrix_of(table, (gyre_spring){10, 0.5f, 0}, 1 / 60.0f);
        for (float target = 1e3f; target < 1e37f; target *= 1e3f) {
            CASE("target %a", target);
            float ulp = nextafterf(target, INFINITY) - target;
            one_options options = {.rest_distance = 16 * ulp, .rest_speed = 160 * ulp};
            one_spring spring = {0.5f * target, 0, target, 0};
            size_t steps = 0;
            do {
                spring = step_one(table, spring, options, matrix);
            } while (spring.awake && ++steps < 1000);
            check(spring.position, ==, target);
            check(spring.velocity, ==, 0);
            check(spring.awake, ==, 0);
        }
    }
}

/* The identity leaves every state unchanged, including subnormals, NaN and positions many turns away. */
static void test_no_time_changes_nothing(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {7};
        for (size_t i = 0; i < effort(2000); i++) {
            gyre_spring_matrix matrix =
                matrix_of(table, (gyre_spring){random_magnitude(&random, -8, 8), 2 * random_unit(&random), 0}, 0);
            batch b = batch_random(&random, true);
            for (size_t k = 0; k < BATCH_SPRINGS; k += 3) {
                b.position[k] = random_any_float(&random);
                b.velocity[k] = random_any_float(&random);
            }
            batch before = b;
            CASE("features %#x", nth_features(i));
            gyre_springs springs = batch_springs(&b, nth_features(i));
            check_status(table->springs_step(&springs, 0, BATCH_SPRINGS, &matrix), GYRE_OK);
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                CASE("spring %zu", k);
                check_bits(b.position[k], before.position[k]);
                check_bits(b.velocity[k], before.velocity[k]);
                check_bits(b.position_low[k], before.position_low[k]);
                check_bits(b.velocity_low[k], before.velocity_low[k]);
                check_bits(b.target[k], before.target[k]);
            }
            check(b.awake[0] == 0xa5, ==, !(nth_features(i) & FEATURE_AWAKE));
        }
    }
}

/* A matrix that differs from the identity in one coefficient is applied. */
static void test_next_to_the_identity(void **state)
{
    (void)state;
    const float position[4] = {0.5f, 2, 1, 1}, velocity[4] = {2, 2, 2.5f, 1}; /* from position 1 with velocity 2 */
    EACH_TABLE(table) {
        for (int k = 0; k < 4; k++) {
            CASE("coefficient %d", k);
            gyre_spring_matrix m = {1, 0, 0, 1};
            *(float *const[]){&m.pos_pos, &m.pos_vel, &m.vel_pos, &m.vel_vel}[k] = 0.5f;
            float x = 1, v = 2;
            const gyre_springs spring = {.count = 1, .position = &x, .velocity = &v};
            check_status(table->springs_step(&spring, 0, 1, &m), GYRE_OK);
            check(x, ==, position[k]);
            check(v, ==, velocity[k]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_error),
        TEST(test_error_with_a_period),
        TEST(test_shortest_way),
        TEST(test_period_of_many_turns),
        TEST(test_phase_of_very_many_turns),
        TEST(test_rest_limits_are_inclusive),
        TEST(test_rest_is_of_the_new_state),
        TEST(test_rest_with_a_period),
        TEST(test_either_limit_zero_is_never),
        TEST(test_settling),
        TEST(test_flushing_limit),
        TEST(test_at_target_stays),
        TEST(test_large_targets),
        TEST(test_no_time_changes_nothing),
        TEST(test_next_to_the_identity),
    };
    return cmocka_run_group_tests_name("spring_step", tests, NULL, NULL);
}
