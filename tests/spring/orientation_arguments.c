/* gyre_orientation_springs_step: runs over hours, and what holds for the arguments of every kernel. */
#include "support/batch.h"
#include "support/orientations.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

static const double eps = 0x1p-24;

static void test_long_runs(void **state)
{
    (void)state;
    const double seconds = (double)effort(7200);
    EACH_BEST_TABLE(table) {
        random_source random = {13};
        const float dt = 1 / 240.0f;
        const gyre_spring_matrix damped = matrix_of(table, (gyre_spring){4, 0.3f, 0}, dt);
        const gyre_spring_matrix undamped = matrix_of(table, (gyre_spring){4, 0, 0}, dt);
        enum { STILL, SWINGING, KINDS };
        enum { FEW = 16 };
        orientation_batch b[KINDS];
        random_orientations(&b[STILL], &random);
        random_orientations(&b[SWINGING], &random);
        for (size_t i = 0; i < SPRINGS; i++) { /* released at rest, 1 rad away */
            set_quaternion(b[SWINGING].q, i,
                           quaternion_product(random_turn(&random, 1), get_quaternion(b[SWINGING].target, i)));
            set_omega(&b[SWINGING], i, (vector){{0}});
        }
        const size_t steps = (size_t)(seconds * 240);
        gyre_orientation_springs still = orientation_springs_of(&b[STILL], WITH_TARGET | WITH_AWAKE),
                                 swinging = orientation_springs_of(&b[SWINGING], WITH_TARGET);
        still.count = swinging.count = FEW;
        for (size_t k = 0; k < steps; k++) {
            step_orientations(table, still, &damped, dt);
            step_orientations(table, swinging, &undamped, dt);
        }
        double worst[KINDS] = {0};
        for (size_t i = 0; i < FEW; i++) {
            for (int kind = 0; kind < KINDS; kind++) {
                CASE("kind %i, spring %zu after %g s", kind, i, seconds);
                const quaternion target = quaternion_normalised(get_quaternion(b[kind].target, i));
                const double y = quaternion_angle(quaternion_normalised(get_quaternion(b[kind].q, i)), target);
                check_within(quaternion_length(get_quaternion(b[kind].q, i)), 1, 8 * eps);
                if (kind == STILL) {
                    /* 1e-7 rad divided by w dt / (2 z) */
                    check(y, <=, 1e-7 * 0.6 * 240 / 4);
                    check(vector_length(get_omega(&b[kind], i)), <=, 1e-4);
                    worst[kind] = fmax(worst[kind], y);
                } else {
                    const double amplitude = hypot(y, vector_length(get_omega(&b[kind], i)) / 4);
                    check_within(amplitude, 1, 2 * eps * (double)steps);
                    worst[kind] = fmax(worst[kind], fabs(amplitude - 1));
                }
            }
        }
        print_message("# after %g s, %s: %.2g rad from the target, amplitude off by %.2g\n", seconds, table_name(table),
                      worst[STILL], worst[SWINGING]);
    }
}

static void test_null_targets(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {14};
        const gyre_spring_matrix m = matrix_of(table, (gyre_spring){12, 0.4f, 0.5f}, 0.02f);
        orientation_batch b, other;
        random_orientations(&b, &random);
        for (size_t i = 0; i < SPRINGS; i++) {
            set_quaternion(b.target, i, (quaternion){{0, 0, 0, 1}});
        }
        other = b;
        step_orientations(table, orientation_springs_of(&b, WITH_TARGET), &m, 0.02f);
        step_orientations(table, orientation_springs_of(&other, 0), &m, 0.02f);
        for (int k = 0; k < 4; k++) {
            check_floats(other.q[k], b.q[k], SPRINGS);
        }
        for (int k = 0; k < 3; k++) {
            check_floats(other.omega[k], b.omega[k], SPRINGS);
        }
        /* and target_before is ignored without target, even if only some of its arrays are given */
        orientation_batch third = other, fourth = other;
        gyre_orientation_springs s = orientation_springs_of(&third, WITH_BEFORE);
        s.target_before[2] = NULL;
        step_orientations(table, s, &m, 0.02f);
        step_orientations(table, orientation_springs_of(&fourth, 0), &m, 0.02f);
        check_bytes(&third, &fourth, sizeof third);
    }
}

/* Quaternions of any length act like those of length 1. */
static void test_lengths(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {15};
        const float dt = 0.02f;
        const gyre_spring_matrix m = matrix_of(table, (gyre_spring){12, 0.4f, 0.5f}, dt);
        orientation_batch b, unit;
        random_orientations(&unit, &random);
        b = unit;
        for (size_t i = 0; i < SPRINGS; i++) {
            const int power = (int)(i % 29) - 14;
            for (int k = 0; k < 4; k++) {
                b.q[k][i] = ldexpf(1.5f * b.q[k][i], power);
                b.target[k][i] = ldexpf(0.7f * b.target[k][i], -power);
                b.before[k][i] = ldexpf(1.1f * b.before[k][i], power / 2);
            }
        }
        step_orientations(table, orientation_springs_of(&b, WITH_TARGET | WITH_BEFORE), &m, dt);
        step_orientations(table, orientation_springs_of(&unit, WITH_TARGET | WITH_BEFORE), &m, dt);
        for (size_t i = 0; i < SPRINGS; i++) {
            CASE("spring %zu", i);
            check_within(quaternion_length(get_quaternion(b.q, i)), 1, 8 * eps);
            check(quaternion_angle(quaternion_normalised(get_quaternion(b.q, i)),
                                   quaternion_normalised(get_quaternion(unit.q, i))),
                  <=, 2e-6);
            check(vector_length(vector_difference(get_omega(&b, i), get_omega(&unit, i))), <=, 3e-3);
        }
        const float lengths[] = {0, 0x1p-40f, 0x1p40f, INFINITY, NAN};
        for (size_t l = 0; l < LENGTH(lengths); l++) {
            for (int array = 0; array < 3; array++) {
                random_orientations(&b, &random);
                float(*of)[SPRINGS] = array == 0 ? b.q : array == 1 ? b.target : b.before;
                for (int k = 0; k < 4; k++) {
                    of[k][5] *= lengths[l];
                }
                step_orientations(table, orientation_springs_of(&b, WITH_TARGET | WITH_BEFORE | WITH_AWAKE | WITH_REST),
                                  &m, dt);
                for (size_t i = 0; i < SPRINGS; i++) {
                    CASE("length %g, array %i, spring %zu", lengths[l], array, i);
                    for (int k = 0; k < 4; k++) {
                        check(isnan(b.q[k][i]), ==, i == 5);
                    }
                    for (int k = 0; k < 3; k++) {
                        check(isnan(b.omega[k][i]), ==, i == 5);
                    }
                    check(i == 5 ? b.awake[i] : 1, ==, 1);
                }
            }
        }
    }
}

/* A target whose length is off by 6 eps is reached bit for bit; one whose length is off by 12 eps is normalised. */
static void test_lengths_of_targets(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {16};
        orientation_batch b;
        for (int normalised = 0; normalised <= 1; normalised++) {
            random_orientations(&b, &random);
            for (size_t i = 0; i < SPRINGS; i++) {
                for (int k = 0; k < 4; k++) {
                    b.target[k][i] *= normalised ? 1 + 12 * 0x1p-24f : 1 + 6 * 0x1p-24f;
                }
            }
            gyre_orientation_springs s = orientation_springs_of(&b, WITH_TARGET);
            s.rest_angle = 4;
            s.rest_speed = 1e30f; /* every spring rests at once */
            step_orientations(table, s, &(gyre_spring_matrix){.pos_vel = 1}, 1);
            for (size_t i = 0; i < SPRINGS; i++) {
                CASE("spring %zu, a length of 1 + %i eps", i, normalised ? 12 : 6);
                check_within(quaternion_length(get_quaternion(b.q, i)), normalised ? 1 : 1 + 6 * eps, 3 * eps);
                for (int k = 0; k < 4 && !normalised; k++) {
                    check_bits(b.q[k][i], b.target[k][i]);
                }
            }
        }
    }
}

/* An invalid or huge number in one spring affects no other. */
static void test_neighbours(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {16};
        const float dt = 0.02f;
        const gyre_spring_matrix m = matrix_of(table, (gyre_spring){12, 0.4f, 0.5f}, dt);
        for (size_t round = 0; round < effort(400); round++) {
            orientation_batch b, other;
            random_orientations(&b, &random);
            other = b;
            const size_t bad = random_below(&random, SPRINGS), which = random_below(&random, 15);
            float *const arrays[] = {other.q[0],      other.q[1],      other.q[2],      other.q[3],
                                     other.omega[0],  other.omega[1],  other.omega[2],  other.target[0],
                                     other.target[1], other.target[2], other.target[3], other.before[0],
                                     other.before[1], other.before[2], other.before[3]};
            arrays[which][bad] = random_one_in(&random, 2) ? random_any_float(&random)
                                                           : special_floats[random_below(&random, special_float_count)];
            const float value = arrays[which][bad];
            const unsigned features = WITH_TARGET | WITH_BEFORE | WITH_REST | WITH_AWAKE;
            step_orientations(table, orientation_springs_of(&b, features), &m, dt);
            step_orientations(table, orientation_springs_of(&other, features), &m, dt);
            for (size_t i = 0; i < SPRINGS; i++) {
                for (int k = 0; k < 4 && i != bad; k++) {
                    CASE("%g in array %zu of spring %zu, spring %zu", value, which, bad, i);
                    check_bits(other.q[k][i], b.q[k][i]);
                    if (k < 3) {
                        check_bits(other.omega[k][i], b.omega[k][i]);
                    }
                }
            }
            CASE("%g in array %zu of spring %zu", value, which, bad);
            if (isnan(value)) {
                check_nan(other.q[0][bad]);
            }
        }
    }
}

/* Any split of a range gives the same bits as the whole range, and nothing outside a range is touched. */
static void test_slices(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {17};
        const float dt = 0.02f;
        const gyre_spring_matrix m = matrix_of(table, (gyre_spring){12, 0.4f, 0.5f}, dt);
        for (size_t round = 0; round < effort(600); round++) {
            const unsigned features = (unsigned)round % WITH_ALL;
            orientation_batch b, cut;
            random_orientations(&b, &random);
            b.awake[random_below(&random, SPRINGS)] = 0;
            cut = b;
            const size_t begin = random_below(&random, SPRINGS),
                         end = begin + random_below(&random, SPRINGS - begin + 1);
            gyre_orientation_springs s = orientation_springs_of(&b, features),
                                     parts = orientation_springs_of(&cut, features);
            check_status(table->orientation_springs_step(&s, begin, end, &m, dt), GYRE_OK);
            for (size_t i = begin, next; i < end; i = next) {
                next = i + 1 + random_below(&random, end - i);
                parts.count = next + random_below(&random, 3);
                parts.count = parts.count < SPRINGS ? parts.count : SPRINGS;
                check_status(table->orientation_springs_step(&parts, i, next, &m, dt), GYRE_OK);
            }
            CASE("features %u, %zu to %zu", features, begin, end);
            check_bytes(&cut, &b, sizeof b);
        }
    }
}

static void check_refused(const gyre_kernels *table, orientation_batch *b, const gyre_orientation_springs *s,
                          size_t begin, size_t end, const gyre_spring_matrix *m, float dt, gyre_status wanted)
{
    const orientation_batch before = *b;
    check_status(table->orientation_springs_step(s, begin, end, m, dt), wanted);
    check_bytes(b, &before, sizeof before);
}

static void test_bad_arguments(void **state)
{
    (void)state;
    const float invalid[] = {NAN, INFINITY, -INFINITY}, negative[] = {-1, -0x1p-149f};
    EACH_TABLE(table) {
        random_source random = {19};
        orientation_batch b;
        random_orientations(&b, &random);
        const unsigned all = WITH_TARGET | WITH_BEFORE | WITH_REST | WITH_AWAKE;
        const gyre_orientation_springs good = orientation_springs_of(&b, all);
        const gyre_spring_matrix m = matrix_of(table, (gyre_spring){12, 0.4f, 0.5f}, 0.02f);
        gyre_orientation_springs s = good;
        check_refused(table, &b, NULL, 0, SPRINGS, &m, 0.02f, GYRE_ERROR_NULL);
        check_refused(table, &b, &s, 0, SPRINGS, NULL, 0.02f, GYRE_ERROR_NULL);
        check_refused(table, &b, &s, 2, 1, &m, 0.02f, GYRE_ERROR_RANGE);
        check_refused(table, &b, &s, 0, SPRINGS + 1, &m, 0.02f, GYRE_ERROR_RANGE);
        for (int k = 0; k < 4; k++) {
            CASE("component %i", k);
            s = good;
            s.orientation[k] = NULL;
            check_refused(table, &b, &s, 0, SPRINGS, &m, 0.02f, GYRE_ERROR_NULL);
            s = good;
            s.angular_velocity[k % 3] = NULL;
            check_refused(table, &b, &s, 0, SPRINGS, &m, 0.02f, GYRE_ERROR_NULL);
            for (int group = 0; group < 2 && k > 0; group++) {
                s = good;
                (group == 0 ? s.target : s.target_before)[k] = NULL;
                check_refused(table, &b, &s, 0, SPRINGS, &m, 0.02f, GYRE_ERROR_NULL);
            }
        }
        s = orientation_springs_of(&b, WITH_TARGET);
        s.skip_asleep = true;
        check_refused(table, &b, &s, 0, SPRINGS, &m, 0.02f, GYRE_ERROR_NULL);
        for (size_t i = 0; i < LENGTH(invalid) + LENGTH(negative); i++) {
            const float value = i < LENGTH(invalid) ? invalid[i] : negative[i - LENGTH(invalid)];
            CASE("%g", value);
            s = good;
            s.rest_angle = value;
            check_refused(table, &b, &s, 0, SPRINGS, &m, 0.02f, GYRE_ERROR_VALUE);
            s = good;
            s.rest_speed = value;
            check_refused(table, &b, &s, 0, SPRINGS, &m, 0.02f, GYRE_ERROR_VALUE);
            if (i < LENGTH(invalid)) {
                check_refused(table, &b, &good, 0, SPRINGS, &m, value, GYRE_ERROR_VALUE);
                for (size_t part = 0; part < 6; part++) {
                    float coefficients[6] = {m.pos_pos, m.pos_vel, m.vel_pos, m.vel_vel, m.pos_ramp, m.vel_ramp};
                    coefficients[part] = value;
                    const gyre_spring_matrix bad = {coefficients[0],
                                                    coefficients[1],
                                                    coefficients[2],
                                                    coefficients[3],
                                                    coefficients[4],
                                                    coefficients[5],
                                                    {0}};
                    check_refused(table, &b, &good, 0, SPRINGS, &bad, 0.02f, GYRE_ERROR_VALUE);
                }
            }
        }
        const gyre_orientation_springs none = {.count = 100, .skip_asleep = true};
        check_status(table->orientation_springs_step(&none, 5, 5, &m, 0.02f), GYRE_OK);
    }
}

/* Ramps, low parts and dt_s are used only for moving targets; of the low parts, only those of the ramps and of the
   coefficients combined with them are used. */
static void test_what_counts(void **state)
{
    (void)state;
    const float dt = 0.02f;
    EACH_TABLE(table) {
        random_source random = {21};
        const gyre_spring_matrix m = matrix_of(table, (gyre_spring){12, 0.4f, 0.5f}, dt);
        orientation_batch start;
        random_orientations(&start, &random);
        for (unsigned features = 0; features <= (WITH_TARGET | WITH_BEFORE); features++) {
            const bool moving = features == (WITH_TARGET | WITH_BEFORE);
            orientation_batch wanted = start;
            step_orientations(table, orientation_springs_of(&wanted, features), &m, dt);
            for (size_t part = 0; part < 9; part++) { /* ramps, low parts, dt_s */
                gyre_spring_matrix other = m;
                float other_dt = dt;
                if (part < 8) {
                    *(part == 0 ? &other.pos_ramp : part == 1 ? &other.vel_ramp : &other.low[part - 2]) = NAN;
                } else {
                    other_dt = -5;
                }
                CASE("features %u, part %zu", features, part);
                orientation_batch b = start;
                const gyre_orientation_springs s = orientation_springs_of(&b, features);
                if (!moving || part == 2 || part == 4) {
                    step_orientations(table, s, &other, other_dt);
                    check_bytes(&b, &wanted, sizeof b);
                } else if (part < 8) {
                    check_refused(table, &b, &s, 0, SPRINGS, &other, other_dt, GYRE_ERROR_VALUE);
                }
            }
        }
    }
}

/* Components of a displacement below 2^-61 rad, and of an angular velocity below 2^-95 rad/s, become 0. */
static void test_flush(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        const gyre_spring_matrix m = {.pos_pos = 1, .vel_vel = 1, .vel_pos = 0x1p-100f}; /* almost the identity */
        for (int k = 0; k < 3; k++) {
            orientation_batch b = {0};
            for (size_t i = 0; i < SPRINGS; i++) {
                b.q[k][i] = i % 2 ? 0x1p-63f : 0x1p-61f; /* half of the displacement */
                b.q[3][i] = 1;
                b.omega[k][i] = i % 2 ? nextafterf(0x1p-95f, 0) : 0x1p-94f;
            }
            step_orientations(table, orientation_springs_of(&b, 0), &m, 1);
            for (size_t i = 0; i < SPRINGS; i++) {
                CASE("component %i, spring %zu", k, i);
                check(b.q[k][i], ==, i % 2 ? 0 : 0x1p-61f);
                check(b.omega[k][i], ==, i % 2 ? 0 : 0x1p-94f);
            }
        }
    }
}

/* Turns of up to 2^40 rad in a step still give rotations of length 1. */
static void test_far_turns(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {23};
        const float dt = 1 / 64.0f;
        const gyre_spring_matrix m = {.pos_pos = 1, .pos_vel = dt, .vel_vel = 1};
        for (int exponent = 0; exponent < 40; exponent++) {
            orientation_batch b;
            random_orientations(&b, &random);
            for (size_t i = 0; i < SPRINGS; i++) { /* near enough: turn and rate are at most twice the speed */
                set_quaternion(b.q, i, quaternion_product(random_turn(&random, 0.1), get_quaternion(b.target, i)));
                set_omega(&b, i, vector_scaled(random_direction(&random), ldexp(0.9, exponent) / (double)dt));
            }
            step_orientations(table, orientation_springs_of(&b, WITH_TARGET), &m, dt);
            for (size_t i = 0; i < SPRINGS; i++) {
                CASE("2^%i rad, spring %zu", exponent, i);
                check_within(quaternion_length(get_quaternion(b.q, i)), 1, 8 * eps);
                for (int k = 0; k < 3; k++) {
                    check_finite(b.omega[k][i]);
                }
            }
        }
    }
}

/* Springs that settle carry no subnormal numbers, and no step produces any. Target components that were rounded from
   double may produce some on the way, but none once a spring has settled. */
static void test_nothing_underflows(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {20};
        const float dt = 1 / 60.0f;
        const gyre_spring_matrix m = matrix_of(table, (gyre_spring){12, 0.5f, 0}, dt);
        for (unsigned i = 0; i < 8; i++) {
            const unsigned features = i % 4;
            const bool rounded = i >= 4;
            orientation_batch b;
            random_orientations(&b, &random);
            for (size_t k = 0; k < SPRINGS; k += 3) { /* about one axis */
                set_quaternion(b.target, k, (quaternion){{0, 1, k % 2 ? 0 : -4e-8, rounded ? 6e-17 : 0}});
                set_quaternion(b.q, k, reference_quaternion((vector){{0, 1, 0}}));
                set_omega(&b, k, (vector){{0, 3, 0}});
            }
            memcpy(b.before, b.target, sizeof b.before);
            const gyre_orientation_springs s = orientation_springs_of(&b, features);
            for (size_t k = 0; k < 2400; k++) {
                feclearexcept(FE_UNDERFLOW);
                step_orientations(table, s, &m, dt);
                CASE("features %u, step %zu", features, k);
                if (!rounded || k >= 1200) {
                    check(fetestexcept(FE_UNDERFLOW), ==, 0);
                }
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_long_runs),          TEST(test_null_targets),       TEST(test_lengths),
        TEST(test_lengths_of_targets), TEST(test_neighbours),         TEST(test_slices),
        TEST(test_bad_arguments),      TEST(test_what_counts),        TEST(test_flush),
        TEST(test_far_turns),          TEST(test_nothing_underflows),
    };
    return cmocka_run_group_tests_name("spring_orientation_arguments", tests, NULL, NULL);
}
