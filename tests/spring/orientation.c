/* gyre_orientation_springs_step: against the same step in double, about one axis, and over frame rates. */
#include "reference/orientation.h"
#include "reference/spring.h"
#include "support/batch.h"
#include "support/orientations.h"

#include <math.h>
#include <string.h>

static const double eps = 0x1p-24;

static orientation_state state_of(orientation_batch *b, size_t i)
{
    return (orientation_state){quaternion_normalised(get_quaternion(b->q, i)), get_omega(b, i)};
}

/* The largest errors allowed by the header, in rad and rad/s. */
typedef struct orientation_error {
    double angle, speed;
} orientation_error;

static orientation_error allowed_error(orientation_matrix m, double dt, double angle, double speed, double move)
{
    const double target_speed = dt == 0 ? 0 : move / fabs(dt), u = 2 * (speed + target_speed);
    const double way = fabs(m.pos_pos) * angle + fabs(m.pos_vel) * u + move;
    const double rate = fabs(m.vel_pos) * angle + fabs(m.vel_vel) * u + 2 * target_speed;
    return (orientation_error){6 * eps * (1 + way), 8 * eps * (1 + way) * rate + 0x1p-90};
}

static orientation_error error_of(orientation_batch *b, size_t i, orientation_state want)
{
    return (orientation_error){
        quaternion_angle(quaternion_normalised(get_quaternion(b->q, i)), quaternion_normalised(want.q)),
        vector_length(vector_difference(get_omega(b, i), want.omega))};
}

/* Checks the reference: its angular velocity is the derivative of its orientation, also with a turning target. */
static void test_reference(void **state)
{
    (void)state;
    random_source random = {3};
    const double small = 0x1p-16, dt = 0.05;
    for (size_t round = 0; round < effort(2000); round++) {
        const quaternion before = random_turn(&random, 1), turn = random_turn(&random, 0.3);
        const vector move = reference_vector(turn);
        const orientation_state start = {
            quaternion_product(random_turn(&random, random_between(&random, 0, 2)), before),
            vector_scaled(random_direction(&random), 3)};
        orientation_state at[3]; /* shortly before dt, at dt, and shortly after */
        for (int k = 0; k < 3; k++) {
            const double h = dt + (k - 1) * small, w = 7, z = 0.4, k_ramp = 2 * z / (w * h) * 0.5;
            const reference_matrix m = reference_spring_matrix((real)w, (real)z, (real)h);
            const orientation_matrix exact = {(double)m.pos_pos,
                                              (double)m.pos_vel,
                                              (double)m.vel_pos,
                                              (double)m.vel_vel,
                                              k_ramp * ((double)m.pos_pos - 1) - (double)m.pos_vel / h,
                                              k_ramp * (double)m.vel_pos + (1 - (double)m.vel_vel) / h};
            const quaternion after = quaternion_product(reference_quaternion(vector_scaled(move, h / dt)), before);
            at[k] = reference_orientation_step(exact, h, start, before, after);
        }
        const vector turned = reference_vector(quaternion_product(at[2].q, quaternion_conjugate(at[0].q)));
        const vector difference = vector_difference(vector_scaled(turned, 1 / (2 * small)), at[1].omega);
        CASE("round %zu", round);
        check(vector_length(difference), <=, 1e-6);
    }
}

static void test_errors(void **state)
{
    (void)state;
    static const double follows[] = {0, 1, 0.5, 0.9};
    EACH_BEST_TABLE(table) {
        random_source random = {1};
        worst_case worst_angle = {0}, worst_speed = {0};
        for (size_t round = 0; round < effort(1500); round++) {
            orientation_batch b, old;
            random_orientations(&b, &random);
            old = b;
            const gyre_spring spring = {random_magnitude(&random, -2, 7),
                                        random_one_in(&random, 5) ? random_magnitude(&random, 0, 3)
                                                                  : 1.2f * random_unit(&random),
                                        (float)follows[round % 4]};
            float dt = random_magnitude(&random, -10, -2);
            if (random_one_in(&random, 8)) {
                dt = -dt / (1 + 16 * spring.angular_frequency * dt * (1 + spring.damping_ratio));
            }
            const unsigned features = random_one_in(&random, 4)   ? 0
                                      : random_one_in(&random, 3) ? WITH_TARGET
                                                                  : WITH_TARGET | WITH_BEFORE;
            const gyre_spring_matrix m = matrix_of(table, spring, dt);
            const orientation_matrix exact = orientation_matrix_of(&m, (double)dt);
            step_orientations(table, orientation_springs_of(&b, features), &m, dt);
            for (size_t i = 0; i < SPRINGS; i++) {
                const quaternion none = {{0, 0, 0, 1}};
                const quaternion after =
                    features & WITH_TARGET ? quaternion_normalised(get_quaternion(old.target, i)) : none;
                const quaternion before =
                    features & WITH_BEFORE ? quaternion_normalised(get_quaternion(old.before, i)) : after;
                const orientation_state start = state_of(&old, i);
                const quaternion turn = quaternion_product(start.q, quaternion_conjugate(before));
                if (fabs(turn.at[3]) < 0x1p-21) {
                    continue; /* half a turn */
                }
                const orientation_state want = reference_orientation_step(exact, (double)dt, start, before, after);
                const orientation_error allowed =
                    allowed_error(exact, (double)dt, quaternion_angle(start.q, before), vector_length(start.omega),
                                  quaternion_angle(before, after));
                const orientation_error got = error_of(&b, i, want);
                CASE("round %zu, spring %zu: w=%a z=%a follow=%a dt=%a, features %u, angle %g, speed %g", round, i,
                     spring.angular_frequency, spring.damping_ratio, spring.follow, dt, features,
                     quaternion_angle(start.q, before), vector_length(start.omega));
                check_share(&worst_angle, got.angle / allowed.angle);
                check_share(&worst_speed, got.speed / allowed.speed);
                check_within(quaternion_length(get_quaternion(b.q, i)), 1, 8 * eps);
            }
        }
        print_worst("angle", &worst_angle);
        print_worst("speed", &worst_speed);
    }
}

/* Near the identity, a small displacement keeps its relative accuracy, as positions near 0 do. */
static void test_small_angles(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {2};
        worst_case worst = {0};
        const float dt = 1 / 60.0f;
        const gyre_spring_matrix m = matrix_of(table, (gyre_spring){8, 0.3f, 0}, dt);
        const orientation_matrix exact = orientation_matrix_of(&m, (double)dt);
        for (size_t round = 0; round < effort(2000); round++) {
            orientation_batch b, old;
            for (size_t i = 0; i < SPRINGS; i++) {
                const double size = (double)random_magnitude(&random, -55, -3);
                set_quaternion(b.q, i, random_turn(&random, size));
                set_omega(&b, i,
                          vector_scaled(random_direction(&random), size * (double)random_signed(&random, -3, 5)));
            }
            old = b;
            step_orientations(table, orientation_springs_of(&b, 0), &m, dt);
            for (size_t i = 0; i < SPRINGS; i++) {
                const quaternion none = {{0, 0, 0, 1}};
                const orientation_state start = state_of(&old, i);
                const orientation_state want = reference_orientation_step(exact, (double)dt, start, none, none);
                const quaternion q = get_quaternion(b.q, i);
                double off = 0;
                for (int k = 0; k < 3; k++) {
                    off = fmax(off, fabs(q.at[k] - want.q.at[k]));
                }
                const double size = quaternion_angle(start.q, none) + (double)dt * 2 * vector_length(start.omega);
                CASE("round %zu, spring %zu: angle %g, speed %g", round, i, quaternion_angle(start.q, none),
                     vector_length(start.omega));
                check_share(&worst, off / (4 * eps * size + 0x1p-61));
            }
        }
        print_worst("small angles", &worst);
    }
}

/* A rotation about one axis behaves like a spring on the angle. */
static void test_one_axis(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {4};
        for (size_t round = 0; round < effort(1000); round++) {
            orientation_batch b;
            float angle[SPRINGS], speed[SPRINGS], target[SPRINGS], before[SPRINGS];
            const vector axis = random_direction(&random);
            const float dt = random_magnitude(&random, -9, -4);
            const gyre_spring_matrix m = matrix_of(
                table, (gyre_spring){random_magnitude(&random, 0, 5), random_unit(&random) * 2, random_unit(&random)},
                dt);
            for (size_t i = 0; i < SPRINGS; i++) {
                angle[i] = (float)random_between(&random, -0.5, 0.5);
                speed[i] = (float)random_between(&random, -1, 1);
                before[i] = (float)random_between(&random, -0.5, 0.5);
                target[i] = before[i] + (float)random_between(&random, -0.1, 0.1);
                set_quaternion(b.q, i, reference_quaternion(vector_scaled(axis, (double)angle[i])));
                set_quaternion(b.target, i, reference_quaternion(vector_scaled(axis, (double)target[i])));
                set_quaternion(b.before, i, reference_quaternion(vector_scaled(axis, (double)before[i])));
                set_omega(&b, i, vector_scaled(axis, (double)speed[i]));
            }
            const gyre_orientation_springs s = orientation_springs_of(&b, WITH_TARGET | WITH_BEFORE);
            for (int k = 0; k < 20; k++) {
                step_orientations(table, s, &m, dt);
                for (size_t i = 0; i < SPRINGS; i++) {
                    const double x = (double)angle[i] - before[i], v = speed[i], move = (double)target[i] - before[i];
                    angle[i] = (float)(target[i] + m.pos_pos * x + m.pos_vel * v + m.pos_ramp * move);
                    speed[i] = (float)(m.vel_pos * x + m.vel_vel * v + m.vel_ramp * move);
                    /* back again, in the opposite direction */
                    const float turned = before[i];
                    before[i] = target[i];
                    target[i] = turned;
                }
                for (int c = 0; c < 4; c++) {
                    float kept[SPRINGS];
                    memcpy(kept, b.before[c], sizeof kept);
                    memcpy(b.before[c], b.target[c], sizeof kept);
                    memcpy(b.target[c], kept, sizeof kept);
                }
            }
            for (size_t i = 0; i < SPRINGS; i++) {
                const vector want = vector_scaled(axis, (double)speed[i]);
                CASE("round %zu, spring %zu", round, i);
                check(quaternion_angle(quaternion_normalised(get_quaternion(b.q, i)),
                                       reference_quaternion(vector_scaled(axis, (double)angle[i]))),
                      <=, 2e-5);
                check(vector_length(vector_difference(get_omega(&b, i), want)), <=, 1e-3);
            }
        }
    }
}

/* One step equals ten steps of a tenth, also with turning targets. */
static void test_ten_steps_equal_one(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {5};
        for (size_t round = 0; round < effort(500); round++) {
            const gyre_spring spring = {random_magnitude(&random, 0, 4), random_unit(&random) * 1.5f,
                                        random_one_in(&random, 2) ? 1 : random_unit(&random)};
            const float dt = 0.1f;
            const gyre_spring_matrix whole = matrix_of(table, spring, dt), tenth = matrix_of(table, spring, dt / 10);
            orientation_batch one, ten;
            vector move[SPRINGS];
            for (size_t i = 0; i < SPRINGS; i++) {
                const quaternion before = random_turn(&random, 2);
                move[i] = vector_scaled(random_direction(&random), 0.5);
                set_quaternion(one.before, i, before);
                set_quaternion(one.target, i, quaternion_product(reference_quaternion(move[i]), before));
                set_quaternion(one.q, i,
                               quaternion_product(random_turn(&random, random_between(&random, 0, 2)), before));
                set_omega(&one, i, vector_scaled(random_direction(&random), 4));
            }
            ten = one;
            step_orientations(table, orientation_springs_of(&one, WITH_TARGET | WITH_BEFORE), &whole, dt);
            for (int k = 1; k <= 10; k++) {
                for (size_t i = 0; i < SPRINGS; i++) {
                    const quaternion turn = reference_quaternion(vector_scaled(move[i], k / 10.0));
                    set_quaternion(ten.target, i,
                                   quaternion_product(turn, quaternion_normalised(get_quaternion(one.before, i))));
                }
                step_orientations(table, orientation_springs_of(&ten, WITH_TARGET | WITH_BEFORE), &tenth, dt / 10);
                memcpy(ten.before, ten.target, sizeof ten.before);
            }
            for (size_t i = 0; i < SPRINGS; i++) {
                CASE("w=%a z=%a follow=%a, spring %zu", spring.angular_frequency, spring.damping_ratio, spring.follow,
                     i);
                check(quaternion_angle(quaternion_normalised(get_quaternion(ten.q, i)),
                                       quaternion_normalised(get_quaternion(one.q, i))),
                      <=, 5e-6);
                check(vector_length(vector_difference(get_omega(&ten, i), get_omega(&one, i))), <=, 2e-4);
            }
        }
    }
}

/* A step of no time with another matrix: the displacement from the old target is carried over to the new target. */
static void test_no_time(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {18};
        const gyre_spring_matrix m = {1, 0.25f, -2, 0.5f, -0.3f, 3, {0}};
        const float times[] = {0, 0x1p-127f, -0x1p-149f};
        for (size_t t = 0; t < LENGTH(times); t++) {
            orientation_batch b, old;
            random_orientations(&b, &random);
            old = b;
            step_orientations(table, orientation_springs_of(&b, WITH_TARGET | WITH_BEFORE), &m, times[t]);
            for (size_t i = 0; i < SPRINGS; i++) {
                const orientation_state want =
                    reference_orientation_step(orientation_matrix_of(&m, 0), 0, state_of(&old, i),
                                               quaternion_normalised(get_quaternion(old.before, i)),
                                               quaternion_normalised(get_quaternion(old.target, i)));
                const orientation_error off = error_of(&b, i, want);
                CASE("dt %g, spring %zu", times[t], i);
                check(off.angle, <=, 1e-6 * (1 + vector_length(want.omega)));
                check(off.speed, <=, 1e-5 * (1 + vector_length(want.omega)) * (1 + vector_length(want.omega)));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_reference),           TEST(test_errors),  TEST(test_small_angles), TEST(test_one_axis),
        TEST(test_ten_steps_equal_one), TEST(test_no_time),
    };
    return cmocka_run_group_tests_name("spring_orientation", tests, NULL, NULL);
}
