/* gyre_orientation_springs_step: turning targets, the short way to a target, rest, and sleep. */
#include "support/batch.h"
#include "support/orientations.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* ---- Targets that turn ---- */

/* Behind a target that turns evenly, a spring lags by (1 - follow) 2 z g / w, at every frame rate. */
static void test_lag(void **state)
{
    (void)state;
    const float rates[] = {30, 60, 144, 240, 1000}, follows[] = {0, 0.5f, 1};
    EACH_BEST_TABLE(table) {
        random_source random = {6};
        for (size_t r = 0; r < LENGTH(rates); r++) {
            for (size_t f = 0; f < LENGTH(follows); f++) {
                const float dt = 1 / rates[r];
                const gyre_spring spring = {20, 0.7f, follows[f]};
                const gyre_spring_matrix m = matrix_of(table, spring, dt);
                orientation_batch b;
                vector rate[SPRINGS];
                for (size_t i = 0; i < SPRINGS; i++) {
                    rate[i] = vector_scaled(random_direction(&random), random_between(&random, 1, 8));
                    set_quaternion(b.before, i, (quaternion){{0, 0, 0, 1}});
                    set_quaternion(b.q, i, random_turn(&random, 0.2));
                    set_omega(&b, i, (vector){{0}});
                }
                const size_t steps = (size_t)(3 * rates[r]);
                for (size_t k = 1; k <= steps; k++) {
                    for (size_t i = 0; i < SPRINGS; i++) {
                        set_quaternion(b.target, i,
                                       reference_quaternion(vector_scaled(rate[i], (double)k / (double)rates[r])));
                    }
                    step_orientations(table, orientation_springs_of(&b, WITH_TARGET | WITH_BEFORE), &m, dt);
                    memcpy(b.before, b.target, sizeof b.before);
                }
                for (size_t i = 0; i < SPRINGS; i++) {
                    const vector y = reference_vector(
                        quaternion_product(quaternion_normalised(get_quaternion(b.q, i)),
                                           quaternion_conjugate(quaternion_normalised(get_quaternion(b.target, i)))));
                    const double wanted = (1 - (double)follows[f]) * 2 * (double)spring.damping_ratio / 20;
                    CASE("%g Hz, follow %g, spring %zu, %g rad/s", rates[r], follows[f], i, vector_length(rate[i]));
                    check(vector_length(vector_sum(y, vector_scaled(rate[i], wanted))), <=, 1e-5);
                    check(vector_length(vector_difference(get_omega(&b, i), rate[i])), <=, 1e-3);
                }
            }
        }
    }
}

/* First-order smoothing: the angle halves in each half-life, and the angular velocity is 0. */
static void test_smoothing(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {7};
        const gyre_spring_matrix half = {.pos_pos = 0.5f, .pos_ramp = -0.72134752f};
        orientation_batch b, old;
        random_orientations(&b, &random);
        old = b;
        step_orientations(table, orientation_springs_of(&b, WITH_TARGET), &half, 0.25f);
        for (size_t i = 0; i < SPRINGS; i++) {
            const quaternion target = quaternion_normalised(get_quaternion(b.target, i));
            CASE("spring %zu", i);
            check_within(quaternion_angle(quaternion_normalised(get_quaternion(b.q, i)), target),
                         quaternion_angle(quaternion_normalised(get_quaternion(old.q, i)), target) / 2, 1e-6);
            check(vector_length(get_omega(&b, i)), ==, 0);
        }
        step_orientations(table, orientation_springs_of(&b, WITH_TARGET | WITH_BEFORE), &half, 0.25f);
        for (size_t i = 0; i < SPRINGS; i++) {
            CASE("spring %zu, after its target has moved", i);
            check(vector_length(get_omega(&b, i)), ==, 0);
        }
    }
}

/* ---- The short way ---- */

/* The signs of quaternions make no difference, except to the sign of the result, which is the target's. */
static void test_signs(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {8};
        const gyre_spring_matrix m = matrix_of(table, (gyre_spring){9, 0.6f, 0.3f}, 0.02f);
        orientation_batch b, other;
        random_orientations(&b, &random);
        other = b;
        for (size_t i = 0; i < SPRINGS; i++) {
            for (int k = 0; k < 4; k++) {
                other.q[k][i] = i & 1 ? -other.q[k][i] : other.q[k][i];
                other.before[k][i] = i & 2 ? -other.before[k][i] : other.before[k][i];
                other.target[k][i] = i & 4 ? -other.target[k][i] : other.target[k][i];
            }
        }
        step_orientations(table, orientation_springs_of(&b, WITH_TARGET | WITH_BEFORE), &m, 0.02f);
        step_orientations(table, orientation_springs_of(&other, WITH_TARGET | WITH_BEFORE), &m, 0.02f);
        for (size_t i = 0; i < SPRINGS; i++) {
            CASE("spring %zu", i);
            for (int k = 0; k < 4; k++) {
                check(i & 4 ? -other.q[k][i] : other.q[k][i], ==, b.q[k][i]);
            }
            for (int k = 0; k < 3; k++) {
                check(other.omega[k][i], ==, b.omega[k][i]);
            }
        }
    }
}

/* Half a turn away, a spring keeps turning the way it turns already, however its quaternion was rounded. */
static void test_half_turn(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {9};
        const float dt = 1 / 60.0f;
        const gyre_spring_matrix m = matrix_of(table, (gyre_spring){3, 1, 0}, dt);
        for (size_t round = 0; round < 40; round++) {
            orientation_batch b, old;
            vector omega[SPRINGS];
            for (size_t i = 0; i < SPRINGS; i++) {
                const vector axis = i % 3 == 0 ? (vector){{i % 2 ? 1 : -1, 0, 0}} : random_direction(&random);
                const quaternion target =
                    i % 2 ? (quaternion){{0, 0, 0, 1}} : random_turn(&random, random_between(&random, 0, 3));
                const quaternion half = {{axis.at[0], axis.at[1], axis.at[2], 0}};
                omega[i] = vector_scaled(axis, i % 4 < 2 ? 0.5 : -0.5);
                set_quaternion(b.target, i, target);
                set_quaternion(b.q, i, quaternion_product(half, target));
                set_omega(&b, i, omega[i]);
            }
            old = b;
            step_orientations(table, orientation_springs_of(&b, WITH_TARGET), &m, dt);
            for (size_t i = 0; i < SPRINGS; i++) {
                const vector moved = reference_vector(
                    quaternion_product(quaternion_normalised(get_quaternion(b.q, i)),
                                       quaternion_conjugate(quaternion_normalised(get_quaternion(old.q, i)))));
                CASE("round %zu, spring %zu", round, i);
                /* w^2 pi dt^2 / 2 from rest, plus 0.5 dt from its speed: less with damping */
                check(vector_dot(moved, omega[i]), >, 0.5 * (0.0038 + 0.5 / 60 - 0.001));
                check(vector_dot(get_omega(&b, i), omega[i]), >, 0.25 * 1.2);
            }
        }
    }
}

/* ---- Rest, awake, asleep, identity ---- */

/* What `awake` is after a step of some time: whether a number compares unequal to the one that was read, or is NaN. */
static bool has_changed(const orientation_batch *before, const orientation_batch *after, size_t i)
{
    bool same = true;
    for (int k = 0; k < 4; k++) {
        same = same && after->q[k][i] == before->q[k][i];
    }
    for (int k = 0; k < 3; k++) {
        same = same && after->omega[k][i] == before->omega[k][i];
    }
    return !same;
}

static void test_rest(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {10};
        const float dt = 1 / 60.0f;
        const gyre_spring_matrix m = matrix_of(table, (gyre_spring){12, 1, 0}, dt);
        orientation_batch b;
        random_orientations(&b, &random);
        const gyre_orientation_springs s = orientation_springs_of(&b, WITH_TARGET | WITH_REST | WITH_AWAKE);
        size_t resting = 0;
        for (size_t k = 0; k < 600 && resting < SPRINGS; k++) {
            resting = 0;
            const orientation_batch old = b;
            step_orientations(table, s, &m, dt);
            orientation_batch free = old; /* the same step without limits */
            step_orientations(table, orientation_springs_of(&free, WITH_TARGET), &m, dt);
            for (size_t i = 0; i < SPRINGS; i++) {
                const double angle = quaternion_angle(quaternion_normalised(get_quaternion(free.q, i)),
                                                      quaternion_normalised(get_quaternion(free.target, i)));
                const double speed = vector_length(get_omega(&free, i));
                const double nearer = fmax(angle / 0x1p-6, speed / 0x1p-5);
                CASE("step %zu, spring %zu, angle %g, speed %g", k, i, angle, speed);
                if (fabs(nearer - 1) < 1e-4) {
                    continue;
                }
                check(b.awake[i], ==, has_changed(&old, &b, i));
                resting += nearer < 1;
                for (int c = 0; c < 4; c++) {
                    check(b.q[c][i], ==, nearer > 1 ? free.q[c][i] : b.target[c][i]);
                }
                for (int c = 0; c < 3; c++) {
                    check(b.omega[c][i], ==, nearer > 1 ? free.omega[c][i] : 0);
                }
            }
        }
        check(resting, ==, SPRINGS);
        step_orientations(table, s, &m, dt);
        for (size_t i = 0; i < SPRINGS; i++) {
            CASE("at rest, spring %zu", i);
            check(b.awake[i], ==, 0);
        }
    }
}

/* Limits of half a turn and more include every angle; after a step of nearly a whole turn, the limit applies to the
   short way. */
static void test_rest_far_away(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        const struct {
            double angle;
            float limit;
            bool rests;
        } cases[] = {{3.1, 3.2f, true}, {3.1, 1e30f, true},  {3.1, 3, false},
                     {6.2, 0.1f, true}, {6.2, 0.05f, false}, {4, 2.5f, true}};
        for (size_t i = 0; i < LENGTH(cases); i++) {
            for (int sign = -1; sign <= 1; sign += 2) {
                orientation_batch b = {0};
                set_quaternion(b.q, 0, reference_quaternion((vector){{0, 0, 1}}));
                gyre_orientation_springs s = orientation_springs_of(&b, WITH_AWAKE);
                s.count = 1;
                s.rest_angle = cases[i].limit;
                s.rest_speed = 1;
                const gyre_spring_matrix m = {.pos_pos = (float)(sign * cases[i].angle)}; /* from an angle of 1 */
                step_orientations(table, s, &m, 1);
                CASE("%g rad, limit %g, sign %d", cases[i].angle, cases[i].limit, sign);
                check(b.q[2][0] != 0, ==, !cases[i].rests);
                check(b.awake[0], ==, 1);
                step_orientations(table, s, &m, 1);
                check(b.awake[0], ==, !cases[i].rests);
            }
        }
    }
}

/* An angle of 0 and a speed of 0 are within the smallest limits. */
static void test_smallest_rest_limits(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        for (int speed = 0; speed <= 1; speed++) {
            orientation_batch b = {.q = {[3] = {1}}, .omega = {{0.5f}}};
            gyre_orientation_springs s = orientation_springs_of(&b, WITH_AWAKE);
            s.count = 1;
            s.rest_angle = speed ? 1 : 0x1p-149f;
            s.rest_speed = speed ? 0x1p-149f : 1;
            const gyre_spring_matrix stays = {.pos_pos = 1, .vel_vel = 0.5f}, stops = {.pos_vel = 1};
            CASE("rest_angle %a, rest_speed %a", s.rest_angle, s.rest_speed);
            for (int step = 0; step < 2; step++) {
                step_orientations(table, s, speed ? &stops : &stays, 1);
                check(b.q[0][0], ==, 0);
                check(b.q[3][0], ==, 1);
                check(b.omega[0][0], ==, 0);
                check(b.awake[0], ==, step == 0); /* brought to rest by the first */
            }
        }
    }
}

/* Half a turn is the largest possible angle, however it is rounded. */
static void test_rest_at_half_a_turn(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {22};
        for (size_t round = 0; round < 50; round++) {
            orientation_batch b;
            random_orientations(&b, &random);
            const gyre_spring_matrix m = {.pos_pos = 1, .pos_ramp = 1}; /* stops, but moves no orientation */
            for (size_t i = 0; i < SPRINGS; i++) {
                set_quaternion(b.q, i, random_turn(&random, random_between(&random, pi - 1e-4, pi)));
            }
            gyre_orientation_springs s = orientation_springs_of(&b, WITH_AWAKE);
            s.rest_angle = 3.1416f;
            s.rest_speed = 1;
            for (int step = 0; step < 2; step++) {
                step_orientations(table, s, &m, 1);
                for (size_t i = 0; i < SPRINGS; i++) {
                    CASE("round %zu, spring %zu, step %d", round, i, step);
                    check(b.q[3][i], ==, 1);
                    check(b.awake[i], ==, step == 0);
                }
            }
        }
    }
}

/* Sleeping springs keep their bits, whatever they are; the others are stepped as if there were no sleepers. */
static void test_asleep(void **state)
{
    (void)state;
    enum { MANY = 1000 };
    static float arrays[2][15][MANY];
    static uint8_t awake[2][MANY];
    EACH_TABLE(table) {
        random_source random = {11};
        const gyre_spring_matrix m = matrix_of(table, (gyre_spring){12, 0.4f, 0.5f}, 0.02f);
        for (size_t round = 0; round < effort(100); round++) {
            const size_t run = 1 + random_below(&random, 150), odds = 1 + random_below(&random, 6);
            bool sleeps = false;
            for (size_t i = 0; i < MANY; i++) {
                sleeps = i % run == 0 ? random_below(&random, 6) < odds : sleeps;
                awake[0][i] = awake[1][i] = sleeps ? 0 : (uint8_t)(1 + random_below(&random, 255));
                for (size_t k = 0; k < 15; k++) {
                    arrays[0][k][i] = arrays[1][k][i] = random_signed(&random, -2, 0);
                }
                if (sleeps && i % 3 == 0) {
                    arrays[0][i % 7][i] = arrays[1][i % 7][i] = NAN;
                }
            }
            gyre_orientation_springs s[2] = {{.count = MANY, .skip_asleep = true}, {.count = MANY}};
            for (size_t which = 0; which < 2; which++) {
                for (size_t k = 0; k < 4; k++) {
                    s[which].orientation[k] = arrays[which][k];
                    s[which].target[k] = arrays[which][7 + k];
                    s[which].target_before[k] = arrays[which][11 + k];
                }
                for (size_t k = 0; k < 3; k++) {
                    s[which].angular_velocity[k] = arrays[which][4 + k];
                }
            }
            s[0].awake = awake[0];
            static float before[7][MANY];
            memcpy(before, arrays[0], sizeof before);
            const size_t begin = random_below(&random, 100), end = MANY - random_below(&random, 100);
            for (size_t which = 0; which < 2; which++) {
                check_status(table->orientation_springs_step(&s[which], begin, end, &m, 0.02f), GYRE_OK);
            }
            for (size_t i = 0; i < MANY; i++) {
                CASE("round %zu, spring %zu of %zu to %zu", round, i, begin, end);
                bool same = true;
                for (size_t k = 0; k < 7; k++) {
                    check_bits(arrays[0][k][i], awake[1][i] == 0 ? before[k][i] : arrays[1][k][i]);
                    same = same && arrays[0][k][i] == before[k][i];
                }
                const bool stepped = begin <= i && i < end;
                check(awake[0][i], ==, stepped ? awake[1][i] != 0 && !same : awake[1][i]);
            }
        }
    }
}

/* Copying what is awake after each step keeps a copy equal to the state. */
static void test_awake_is_all_that_has_to_be_drawn(void **state)
{
    (void)state;
    const float rates[] = {60, 240, 30, 1000};
    EACH_TABLE(table) {
        random_source random = {23};
        size_t listed_in_all = 0, settled = 0;
        for (size_t round = 0; round < effort(64); round++) {
            const unsigned features = WITH_AWAKE | (unsigned)round % WITH_ALL;
            const float dt = 1 / rates[round % LENGTH(rates)];
            const gyre_spring_matrix m =
                matrix_of(table, (gyre_spring){random_magnitude(&random, 2, 5), 0.4f + random_unit(&random), 0.3f}, dt);
            orientation_batch b;
            random_orientations(&b, &random);
            b.q[1][3] = NAN;
            orientation_batch drawn = b;
            const gyre_orientation_springs s = orientation_springs_of(&b, features);
            for (int frame = 0; frame < 300; frame++) {
                if (frame % 100 == 50) { /* new targets, of which the springs are told */
                    for (size_t i = (size_t)frame % 7; i < SPRINGS; i += 5) {
                        set_quaternion(b.target, i, random_turn(&random, random_between(&random, 0, pi)));
                        b.awake[i] = 1;
                    }
                }
                const orientation_batch before = b;
                step_orientations(table, s, &m, dt);
                uint32_t listed[SPRINGS];
                size_t count;
                check_status(table->find_awake(b.awake, listed, &count, 0, SPRINGS), GYRE_OK);
                listed_in_all += count;
                for (size_t n = 0; n < count; n++) {
                    for (int k = 0; k < 4; k++) {
                        drawn.q[k][listed[n]] = b.q[k][listed[n]];
                    }
                    for (int k = 0; k < 3; k++) {
                        drawn.omega[k][listed[n]] = b.omega[k][listed[n]];
                    }
                }
                for (size_t i = 0; i < SPRINGS; i++) {
                    CASE("features %u, %g Hz, frame %d, spring %zu", features, 1 / dt, frame, i);
                    check(b.awake[i], ==,
                          !(features & WITH_SKIP && before.awake[i] == 0) && has_changed(&before, &b, i));
                    for (int k = 0; k < 4 && i != 3; k++) {
                        check(drawn.q[k][i], ==, b.q[k][i]);
                    }
                    for (int k = 0; k < 3 && i != 3; k++) {
                        check(drawn.omega[k][i], ==, b.omega[k][i]);
                    }
                    settled += b.awake[i] == 0;
                }
                memcpy(b.before, b.target, sizeof b.before);
            }
            check_nan(drawn.q[1][3]);
        }
        check(listed_in_all, >, 0);
        check(settled, >, 0);
    }
}

/* A target that creeps, so that the spring is on it after every step: woken in each frame, it moves in each. */
static void test_a_target_that_creeps(void **state)
{
    (void)state;
    const struct {
        double speed, rate;
        float w, z, angle, rest_speed;
    } cases[] = {
        {0.02, 60, 10, 1, 0.001f, 0.01f},
        {-0.1, 144, 20, 0.5f, 0.002f, 0.1f},
        {0.05, 30, 6, 2, 0.01f, 0.1f},
        {0.4, 1000, 15, 0.8f, 0.01f, 0.1f},
    };
    EACH_TABLE(table) {
        for (size_t c = 0; c < LENGTH(cases); c++) {
            const float dt = (float)(1 / cases[c].rate);
            const gyre_spring_matrix m = matrix_of(table, (gyre_spring){cases[c].w, cases[c].z, 0}, dt);
            orientation_batch b = {.q = {[3] = {1}}, .target = {[3] = {1}}};
            gyre_orientation_springs s = orientation_springs_of(&b, WITH_TARGET | WITH_AWAKE | WITH_SKIP);
            s.count = 1;
            s.rest_angle = cases[c].angle;
            s.rest_speed = cases[c].rest_speed;
            quaternion drawn = get_quaternion(b.q, 0);
            for (int frame = 1; frame <= 300; frame++) {
                const quaternion target =
                    reference_quaternion((vector){{0, cases[c].speed * frame / cases[c].rate, 0}});
                set_quaternion(b.target, 0, target);
                b.awake[0] = 1;
                step_orientations(table, s, &m, dt);
                drawn = b.awake[0] ? get_quaternion(b.q, 0) : drawn;
                CASE("%g rad/s at %g Hz, frame %d", cases[c].speed, cases[c].rate, frame);
                check(quaternion_angle(quaternion_normalised(drawn), target), <=, (double)cases[c].angle + 1e-6);
            }
        }
    }
}

/* No state changes, whatever the targets do; awake still shows which springs are at their targets. */
static void test_identity(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {12};
        const gyre_spring_matrix m = matrix_of(table, (gyre_spring){12, 0.4f, 0.5f}, 0);
        orientation_batch b, old;
        random_orientations(&b, &random);
        for (size_t i = 0; i < SPRINGS; i++) {
            for (int k = 0; k < 4; k++) {
                b.q[k][i] = i % 5 == 0 ? b.target[k][i] : i % 5 == 1 ? -b.target[k][i] : b.q[k][i];
            }
            for (int k = 0; k < 3; k++) {
                b.omega[k][i] = i % 5 == 2 || i % 10 < 2 ? 0 : 1;
            }
        }
        b.q[1][3] = NAN;
        b.omega[0][4] = NAN;
        b.omega[2][4] = 0x1p-149f;
        old = b;
        for (unsigned features = 0; features < WITH_ALL; features++) {
            CASE("features %u", features);
            b = old;
            step_orientations(table, orientation_springs_of(&b, features), &m, features % 2 ? 0 : 1);
            check_bytes(b.q, old.q, sizeof b.q);
            check_bytes(b.omega, old.omega, sizeof b.omega);
            for (size_t i = 0; i < SPRINGS && features & (WITH_AWAKE | WITH_SKIP); i++) {
                CASE("spring %zu", i);
                check(b.awake[i], ==, !(features & WITH_TARGET && i % 10 < 2));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_lag),
        TEST(test_smoothing),
        TEST(test_signs),
        TEST(test_half_turn),
        TEST(test_rest),
        TEST(test_rest_far_away),
        TEST(test_smallest_rest_limits),
        TEST(test_rest_at_half_a_turn),
        TEST(test_asleep),
        TEST(test_awake_is_all_that_has_to_be_drawn),
        TEST(test_a_target_that_creeps),
        TEST(test_identity),
    };
    return cmocka_run_group_tests_name("spring_orientation_targets", tests, NULL, NULL);
}
