/* gyre_orientation_springs_step: against the same step in double, over frame rates, at half a turn, at rest and asleep,
   over hours, and what holds for every kernel. */
#include "reference/orientation.h"
#include "reference/spring.h"
#include "support/support.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <string.h>

static const double eps = 0x1p-24, pi = 3.14159265358979323846;

/* ---- A batch ---- */

enum { SPRINGS = 77 }; /* whole vectors and a tail, for every width */

typedef struct batch {
    float q[4][SPRINGS], omega[3][SPRINGS], target[4][SPRINGS], before[4][SPRINGS];
    uint8_t awake[SPRINGS];
} batch;

enum { WITH_TARGET = 1, WITH_BEFORE = 2, WITH_REST = 4, WITH_AWAKE = 8, WITH_SKIP = 16, WITH_ALL = 32 };

static gyre_orientation_springs springs_of(batch *b, unsigned features)
{
    gyre_orientation_springs s = {.count = SPRINGS, .skip_asleep = features & WITH_SKIP};
    for (int k = 0; k < 4; k++) {
        s.orientation[k] = b->q[k];
        s.target[k] = features & WITH_TARGET ? b->target[k] : NULL;
        s.target_before[k] = features & WITH_BEFORE ? b->before[k] : NULL;
    }
    for (int k = 0; k < 3; k++) {
        s.angular_velocity[k] = b->omega[k];
    }
    if (features & WITH_REST) {
        s.rest_angle = 0x1p-6f;
        s.rest_speed = 0x1p-5f;
    }
    s.awake = features & (WITH_AWAKE | WITH_SKIP) ? b->awake : NULL;
    return s;
}

static quaternion get(float array[4][SPRINGS], size_t i)
{
    return (quaternion){{array[0][i], array[1][i], array[2][i], array[3][i]}};
}

static void set(float array[4][SPRINGS], size_t i, quaternion q)
{
    for (int k = 0; k < 4; k++) {
        array[k][i] = (float)q.at[k];
    }
}

static vector get_omega(const batch *b, size_t i) { return (vector){{b->omega[0][i], b->omega[1][i], b->omega[2][i]}}; }

static void set_omega(batch *b, size_t i, vector omega)
{
    for (int k = 0; k < 3; k++) {
        b->omega[k][i] = (float)omega.at[k];
    }
}

static vector random_axis(random_source *random)
{
    vector v;
    double length;
    do {
        for (int k = 0; k < 3; k++) {
            v.at[k] = 2 * (double)random_unit(random) - 1;
        }
        length = vector_length(v);
    } while (length > 1 || length < 0.1);
    return vector_scaled(v, 1 / length);
}

static quaternion random_turn(random_source *random, double angle)
{
    return reference_quaternion(vector_scaled(random_axis(random), angle));
}

static double between(random_source *random, double from, double to)
{
    return from + (to - from) * (double)random_unit(random);
}

/* An angle up to half a turn, from tiny ones on. */
static double random_angle(random_source *random)
{
    return random_one_in(random, 3) ? (double)random_magnitude(random, -30, 1) : between(random, 0, pi);
}

static void random_batch(batch *b, random_source *random)
{
    for (size_t i = 0; i < SPRINGS; i++) {
        const quaternion before = random_turn(random, between(random, 0, pi));
        set(b->before, i, before);
        set(b->target, i, quaternion_product(random_turn(random, (double)random_magnitude(random, -12, 0)), before));
        set(b->q, i, quaternion_product(random_turn(random, random_angle(random)), before));
        set_omega(b, i,
                  vector_scaled(random_axis(random),
                                random_one_in(random, 9) ? 0 : (double)random_magnitude(random, -12, 6)));
        b->awake[i] = 1;
    }
}

static gyre_spring_matrix matrix_of(const gyre_kernels *table, gyre_spring spring, float dt)
{
    gyre_spring_matrix m;
    check_status(table->spring_matrix_at(spring, dt, &m), GYRE_OK);
    return m;
}

static void step(const gyre_kernels *table, gyre_orientation_springs s, const gyre_spring_matrix *m, float dt)
{
    check_status(table->orientation_springs_step(&s, 0, s.count, m, dt), GYRE_OK);
}

static quaternion conjugate(quaternion a) { return (quaternion){{-a.at[0], -a.at[1], -a.at[2], a.at[3]}}; }

static orientation_state state_of(batch *b, size_t i)
{
    return (orientation_state){quaternion_normalised(get(b->q, i)), get_omega(b, i)};
}

static double quaternion_length(quaternion a) { return hypot(hypot(a.at[0], a.at[1]), hypot(a.at[2], a.at[3])); }

/* ---- Errors ---- */

/* The largest errors that the header states: rad, and rad/s. */
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

static orientation_error error_of(batch *b, size_t i, orientation_state want)
{
    return (orientation_error){quaternion_angle(quaternion_normalised(get(b->q, i)), quaternion_normalised(want.q)),
                               vector_length(vector_difference(get_omega(b, i), want.omega))};
}

static void test_errors(void **state)
{
    (void)state;
    static const double follows[] = {0, 1, 0.5, 0.9};
    EACH_BEST_TABLE(table) {
        random_source random = {1};
        worst_case worst_angle = {0}, worst_speed = {0};
        for (size_t round = 0; round < effort(1500); round++) {
            batch b, old;
            random_batch(&b, &random);
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
            step(table, springs_of(&b, features), &m, dt);
            for (size_t i = 0; i < SPRINGS; i++) {
                const quaternion none = {{0, 0, 0, 1}};
                const quaternion after = features & WITH_TARGET ? quaternion_normalised(get(old.target, i)) : none;
                const quaternion before = features & WITH_BEFORE ? quaternion_normalised(get(old.before, i)) : after;
                const orientation_state start = state_of(&old, i);
                const quaternion turn = quaternion_product(start.q, conjugate(before));
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
                check_within(quaternion_length(get(b.q, i)), 1, 8 * eps);
            }
        }
        print_worst("angle", &worst_angle);
        print_worst("speed", &worst_speed);
    }
}

/* About the identity a small displacement keeps its relative accuracy, as positions about 0 do. */
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
            batch b, old;
            for (size_t i = 0; i < SPRINGS; i++) {
                const double size = (double)random_magnitude(&random, -55, -3);
                set(b.q, i, random_turn(&random, size));
                set_omega(&b, i, vector_scaled(random_axis(&random), size * (double)random_signed(&random, -3, 5)));
            }
            old = b;
            step(table, springs_of(&b, 0), &m, dt);
            for (size_t i = 0; i < SPRINGS; i++) {
                const quaternion none = {{0, 0, 0, 1}};
                const orientation_state start = state_of(&old, i);
                const orientation_state want = reference_orientation_step(exact, (double)dt, start, none, none);
                const quaternion q = get(b.q, i);
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

/* The reference itself: its angular velocity is the derivative of its orientation, with a target that turns as well. */
static void test_reference(void **state)
{
    (void)state;
    random_source random = {3};
    const double small = 0x1p-16, dt = 0.05;
    for (size_t round = 0; round < effort(2000); round++) {
        const quaternion before = random_turn(&random, 1), turn = random_turn(&random, 0.3);
        const vector move = reference_rotation_vector(turn);
        const orientation_state start = {quaternion_product(random_turn(&random, between(&random, 0, 2)), before),
                                         vector_scaled(random_axis(&random), 3)};
        orientation_state at[3]; /* a little before dt, at dt, and a little after */
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
        const vector turned = reference_rotation_vector(quaternion_product(at[2].q, conjugate(at[0].q)));
        const vector difference = vector_difference(vector_scaled(turned, 1 / (2 * small)), at[1].omega);
        CASE("round %zu", round);
        check(vector_length(difference), <=, 1e-6);
    }
}

/* About one axis the spring is that of an angle. */
static void test_one_axis(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {4};
        for (size_t round = 0; round < effort(1000); round++) {
            batch b;
            float angle[SPRINGS], speed[SPRINGS], target[SPRINGS], before[SPRINGS];
            const vector axis = random_axis(&random);
            const float dt = random_magnitude(&random, -9, -4);
            const gyre_spring_matrix m = matrix_of(
                table, (gyre_spring){random_magnitude(&random, 0, 5), random_unit(&random) * 2, random_unit(&random)},
                dt);
            for (size_t i = 0; i < SPRINGS; i++) {
                angle[i] = (float)between(&random, -0.5, 0.5);
                speed[i] = (float)between(&random, -1, 1);
                before[i] = (float)between(&random, -0.5, 0.5);
                target[i] = before[i] + (float)between(&random, -0.1, 0.1);
                set(b.q, i, reference_quaternion(vector_scaled(axis, (double)angle[i])));
                set(b.target, i, reference_quaternion(vector_scaled(axis, (double)target[i])));
                set(b.before, i, reference_quaternion(vector_scaled(axis, (double)before[i])));
                set_omega(&b, i, vector_scaled(axis, (double)speed[i]));
            }
            const gyre_orientation_springs s = springs_of(&b, WITH_TARGET | WITH_BEFORE);
            for (int k = 0; k < 20; k++) {
                step(table, s, &m, dt);
                for (size_t i = 0; i < SPRINGS; i++) {
                    const double x = (double)angle[i] - before[i], v = speed[i], move = (double)target[i] - before[i];
                    angle[i] = (float)(target[i] + m.pos_pos * x + m.pos_vel * v + m.pos_ramp * move);
                    speed[i] = (float)(m.vel_pos * x + m.vel_vel * v + m.vel_ramp * move);
                    /* back again, the other way round */
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
                check(quaternion_angle(quaternion_normalised(get(b.q, i)),
                                       reference_quaternion(vector_scaled(axis, (double)angle[i]))),
                      <=, 2e-5);
                check(vector_length(vector_difference(get_omega(&b, i), want)), <=, 1e-3);
            }
        }
    }
}

/* ---- Frame rates ---- */

/* One step equals ten of a tenth, with targets that turn as well. */
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
            batch one, ten;
            vector move[SPRINGS];
            for (size_t i = 0; i < SPRINGS; i++) {
                const quaternion before = random_turn(&random, 2);
                move[i] = vector_scaled(random_axis(&random), 0.5);
                set(one.before, i, before);
                set(one.target, i, quaternion_product(reference_quaternion(move[i]), before));
                set(one.q, i, quaternion_product(random_turn(&random, between(&random, 0, 2)), before));
                set_omega(&one, i, vector_scaled(random_axis(&random), 4));
            }
            ten = one;
            step(table, springs_of(&one, WITH_TARGET | WITH_BEFORE), &whole, dt);
            for (int k = 1; k <= 10; k++) {
                for (size_t i = 0; i < SPRINGS; i++) {
                    const quaternion turn = reference_quaternion(vector_scaled(move[i], k / 10.0));
                    set(ten.target, i, quaternion_product(turn, quaternion_normalised(get(one.before, i))));
                }
                step(table, springs_of(&ten, WITH_TARGET | WITH_BEFORE), &tenth, dt / 10);
                memcpy(ten.before, ten.target, sizeof ten.before);
            }
            for (size_t i = 0; i < SPRINGS; i++) {
                CASE("w=%a z=%a follow=%a, spring %zu", spring.angular_frequency, spring.damping_ratio, spring.follow,
                     i);
                check(quaternion_angle(quaternion_normalised(get(ten.q, i)), quaternion_normalised(get(one.q, i))), <=,
                      5e-6);
                check(vector_length(vector_difference(get_omega(&ten, i), get_omega(&one, i))), <=, 2e-4);
            }
        }
    }
}

/* Behind a target that turns evenly a spring lags by (1 - follow) 2 z g / w, at every frame rate. */
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
                batch b;
                vector rate[SPRINGS];
                for (size_t i = 0; i < SPRINGS; i++) {
                    rate[i] = vector_scaled(random_axis(&random), between(&random, 1, 8));
                    set(b.before, i, (quaternion){{0, 0, 0, 1}});
                    set(b.q, i, random_turn(&random, 0.2));
                    set_omega(&b, i, (vector){{0}});
                }
                const size_t steps = (size_t)(3 * rates[r]);
                for (size_t k = 1; k <= steps; k++) {
                    for (size_t i = 0; i < SPRINGS; i++) {
                        set(b.target, i, reference_quaternion(vector_scaled(rate[i], (double)k / (double)rates[r])));
                    }
                    step(table, springs_of(&b, WITH_TARGET | WITH_BEFORE), &m, dt);
                    memcpy(b.before, b.target, sizeof b.before);
                }
                for (size_t i = 0; i < SPRINGS; i++) {
                    const vector y = reference_rotation_vector(quaternion_product(
                        quaternion_normalised(get(b.q, i)), conjugate(quaternion_normalised(get(b.target, i)))));
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
        batch b, old;
        random_batch(&b, &random);
        old = b;
        step(table, springs_of(&b, WITH_TARGET), &half, 0.25f);
        for (size_t i = 0; i < SPRINGS; i++) {
            const quaternion target = quaternion_normalised(get(b.target, i));
            CASE("spring %zu", i);
            check_within(quaternion_angle(quaternion_normalised(get(b.q, i)), target),
                         quaternion_angle(quaternion_normalised(get(old.q, i)), target) / 2, 1e-6);
            check(vector_length(get_omega(&b, i)), ==, 0);
        }
        step(table, springs_of(&b, WITH_TARGET | WITH_BEFORE), &half, 0.25f);
        for (size_t i = 0; i < SPRINGS; i++) {
            CASE("spring %zu, after its target has moved", i);
            check(vector_length(get_omega(&b, i)), ==, 0);
        }
    }
}

/* ---- The short way ---- */

/* The signs of quaternions make no difference, but to the sign of the result, which is the target's. */
static void test_signs(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {8};
        const gyre_spring_matrix m = matrix_of(table, (gyre_spring){9, 0.6f, 0.3f}, 0.02f);
        batch b, other;
        random_batch(&b, &random);
        other = b;
        for (size_t i = 0; i < SPRINGS; i++) {
            for (int k = 0; k < 4; k++) {
                other.q[k][i] = i & 1 ? -other.q[k][i] : other.q[k][i];
                other.before[k][i] = i & 2 ? -other.before[k][i] : other.before[k][i];
                other.target[k][i] = i & 4 ? -other.target[k][i] : other.target[k][i];
            }
        }
        step(table, springs_of(&b, WITH_TARGET | WITH_BEFORE), &m, 0.02f);
        step(table, springs_of(&other, WITH_TARGET | WITH_BEFORE), &m, 0.02f);
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

/* Half a turn away a spring goes on the way it turns, however its quaternion was rounded. */
static void test_half_turn(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {9};
        const float dt = 1 / 60.0f;
        const gyre_spring_matrix m = matrix_of(table, (gyre_spring){3, 1, 0}, dt);
        for (size_t round = 0; round < 40; round++) {
            batch b, old;
            vector omega[SPRINGS];
            for (size_t i = 0; i < SPRINGS; i++) {
                const vector axis = i % 3 == 0 ? (vector){{i % 2 ? 1 : -1, 0, 0}} : random_axis(&random);
                const quaternion target =
                    i % 2 ? (quaternion){{0, 0, 0, 1}} : random_turn(&random, between(&random, 0, 3));
                const quaternion half = {{axis.at[0], axis.at[1], axis.at[2], 0}};
                omega[i] = vector_scaled(axis, i % 4 < 2 ? 0.5 : -0.5);
                set(b.target, i, target);
                set(b.q, i, quaternion_product(half, target));
                set_omega(&b, i, omega[i]);
            }
            old = b;
            step(table, springs_of(&b, WITH_TARGET), &m, dt);
            for (size_t i = 0; i < SPRINGS; i++) {
                const vector moved = reference_rotation_vector(quaternion_product(
                    quaternion_normalised(get(b.q, i)), conjugate(quaternion_normalised(get(old.q, i)))));
                CASE("round %zu, spring %zu", round, i);
                /* w^2 pi dt^2 / 2 by itself and 0.5 dt by its speed: less with damping */
                check(vector_dot(moved, omega[i]), >, 0.5 * (0.0038 + 0.5 / 60 - 0.001));
                check(vector_dot(get_omega(&b, i), omega[i]), >, 0.25 * 1.2);
            }
        }
    }
}

/* ---- Rest, awake, asleep, identity ---- */

static void test_rest(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {10};
        const float dt = 1 / 60.0f;
        const gyre_spring_matrix m = matrix_of(table, (gyre_spring){12, 1, 0}, dt);
        batch b;
        random_batch(&b, &random);
        const gyre_orientation_springs s = springs_of(&b, WITH_TARGET | WITH_REST | WITH_AWAKE);
        size_t resting = 0;
        for (size_t k = 0; k < 600 && resting < SPRINGS; k++) {
            resting = 0;
            const batch old = b;
            step(table, s, &m, dt);
            batch free = old; /* the same step without limits */
            step(table, springs_of(&free, WITH_TARGET), &m, dt);
            for (size_t i = 0; i < SPRINGS; i++) {
                const double angle =
                    quaternion_angle(quaternion_normalised(get(free.q, i)), quaternion_normalised(get(free.target, i)));
                const double speed = vector_length(get_omega(&free, i));
                const double nearer = fmax(angle / 0x1p-6, speed / 0x1p-5);
                CASE("step %zu, spring %zu, angle %g, speed %g", k, i, angle, speed);
                if (fabs(nearer - 1) < 1e-4) {
                    continue;
                }
                check(b.awake[i], ==, nearer > 1);
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
    }
}

/* Limits of half a turn and more hold every angle; a limit is for the short way after a step of nearly a whole turn. */
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
                batch b = {0};
                set(b.q, 0, reference_quaternion((vector){{0, 0, 1}}));
                gyre_orientation_springs s = springs_of(&b, WITH_AWAKE);
                s.count = 1;
                s.rest_angle = cases[i].limit;
                s.rest_speed = 1;
                const gyre_spring_matrix m = {.pos_pos = (float)(sign * cases[i].angle)}; /* from an angle of 1 */
                step(table, s, &m, 1);
                CASE("%g rad, limit %g", cases[i].angle, cases[i].limit);
                check(b.awake[0], ==, !cases[i].rests);
            }
        }
    }
}

/* Half a turn is the largest angle, however it is rounded. */
static void test_rest_at_half_a_turn(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {22};
        for (size_t round = 0; round < 50; round++) {
            batch b;
            random_batch(&b, &random);
            const gyre_spring_matrix m = {.pos_pos = 1, .pos_ramp = 1}; /* stops, and moves no orientation */
            for (size_t i = 0; i < SPRINGS; i++) {
                set(b.q, i, random_turn(&random, between(&random, pi - 1e-4, pi)));
            }
            gyre_orientation_springs s = springs_of(&b, WITH_AWAKE);
            s.rest_angle = 3.1416f;
            s.rest_speed = 1;
            step(table, s, &m, 1);
            for (size_t i = 0; i < SPRINGS; i++) {
                CASE("round %zu, spring %zu", round, i);
                check(b.awake[i], ==, 0);
            }
        }
    }
}

/* What sleeps keeps its bits, whatever they are; the others are stepped as without sleepers. */
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
                for (size_t k = 0; k < 7; k++) {
                    check_bits(arrays[0][k][i], awake[1][i] == 0 ? before[k][i] : arrays[1][k][i]);
                }
                const bool stepped = begin <= i && i < end;
                check(awake[0][i], ==, stepped ? awake[1][i] != 0 : awake[1][i]);
            }
        }
    }
}

/* No state changes, whatever the targets do; awake tells which springs are at their targets. */
static void test_identity(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {12};
        const gyre_spring_matrix m = matrix_of(table, (gyre_spring){12, 0.4f, 0.5f}, 0);
        batch b, old;
        random_batch(&b, &random);
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
            step(table, springs_of(&b, features), &m, features % 2 ? 0 : 1);
            check_bytes(b.q, old.q, sizeof b.q);
            check_bytes(b.omega, old.omega, sizeof b.omega);
            for (size_t i = 0; i < SPRINGS && features & (WITH_AWAKE | WITH_SKIP); i++) {
                CASE("spring %zu", i);
                check(b.awake[i], ==, !(features & WITH_TARGET && i % 10 < 2));
            }
        }
    }
}

/* ---- Over hours ---- */

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
        batch b[KINDS];
        random_batch(&b[STILL], &random);
        random_batch(&b[SWINGING], &random);
        for (size_t i = 0; i < SPRINGS; i++) { /* let go at rest, 1 rad away */
            set(b[SWINGING].q, i, quaternion_product(random_turn(&random, 1), get(b[SWINGING].target, i)));
            set_omega(&b[SWINGING], i, (vector){{0}});
        }
        const size_t steps = (size_t)(seconds * 240);
        gyre_orientation_springs still = springs_of(&b[STILL], WITH_TARGET | WITH_AWAKE),
                                 swinging = springs_of(&b[SWINGING], WITH_TARGET);
        still.count = swinging.count = FEW;
        for (size_t k = 0; k < steps; k++) {
            step(table, still, &damped, dt);
            step(table, swinging, &undamped, dt);
        }
        double worst[KINDS] = {0};
        for (size_t i = 0; i < FEW; i++) {
            for (int kind = 0; kind < KINDS; kind++) {
                CASE("kind %i, spring %zu after %g s", kind, i, seconds);
                const quaternion target = quaternion_normalised(get(b[kind].target, i));
                const double y = quaternion_angle(quaternion_normalised(get(b[kind].q, i)), target);
                check_within(quaternion_length(get(b[kind].q, i)), 1, 8 * eps);
                if (kind == STILL) {
                    /* 1e-7 rad over w dt / (2 z) */
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

/* ---- Any arguments ---- */

static void test_null_targets(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {14};
        const gyre_spring_matrix m = matrix_of(table, (gyre_spring){12, 0.4f, 0.5f}, 0.02f);
        batch b, other;
        random_batch(&b, &random);
        for (size_t i = 0; i < SPRINGS; i++) {
            set(b.target, i, (quaternion){{0, 0, 0, 1}});
        }
        other = b;
        step(table, springs_of(&b, WITH_TARGET), &m, 0.02f);
        step(table, springs_of(&other, 0), &m, 0.02f);
        for (int k = 0; k < 4; k++) {
            check_floats(other.q[k], b.q[k], SPRINGS);
        }
        for (int k = 0; k < 3; k++) {
            check_floats(other.omega[k], b.omega[k], SPRINGS);
        }
        /* and target_before is ignored without target, even where only parts of it are there */
        batch third = other, fourth = other;
        gyre_orientation_springs s = springs_of(&third, WITH_BEFORE);
        s.target_before[2] = NULL;
        step(table, s, &m, 0.02f);
        step(table, springs_of(&fourth, 0), &m, 0.02f);
        check_bytes(&third, &fourth, sizeof third);
    }
}

/* Quaternions of any length are those of length 1. */
static void test_lengths(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {15};
        const float dt = 0.02f;
        const gyre_spring_matrix m = matrix_of(table, (gyre_spring){12, 0.4f, 0.5f}, dt);
        batch b, unit;
        random_batch(&unit, &random);
        b = unit;
        for (size_t i = 0; i < SPRINGS; i++) {
            const int power = (int)(i % 29) - 14;
            for (int k = 0; k < 4; k++) {
                b.q[k][i] = ldexpf(1.5f * b.q[k][i], power);
                b.target[k][i] = ldexpf(0.7f * b.target[k][i], -power);
                b.before[k][i] = ldexpf(1.1f * b.before[k][i], power / 2);
            }
        }
        step(table, springs_of(&b, WITH_TARGET | WITH_BEFORE), &m, dt);
        step(table, springs_of(&unit, WITH_TARGET | WITH_BEFORE), &m, dt);
        for (size_t i = 0; i < SPRINGS; i++) {
            CASE("spring %zu", i);
            check_within(quaternion_length(get(b.q, i)), 1, 8 * eps);
            check(quaternion_angle(quaternion_normalised(get(b.q, i)), quaternion_normalised(get(unit.q, i))), <=,
                  2e-6);
            check(vector_length(vector_difference(get_omega(&b, i), get_omega(&unit, i))), <=, 3e-3);
        }
        const float lengths[] = {0, 0x1p-40f, 0x1p40f, INFINITY, NAN};
        for (size_t l = 0; l < LENGTH(lengths); l++) {
            for (int array = 0; array < 3; array++) {
                random_batch(&b, &random);
                float(*of)[SPRINGS] = array == 0 ? b.q : array == 1 ? b.target : b.before;
                for (int k = 0; k < 4; k++) {
                    of[k][5] *= lengths[l];
                }
                step(table, springs_of(&b, WITH_TARGET | WITH_BEFORE | WITH_AWAKE | WITH_REST), &m, dt);
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

/* An invalid or huge number in one spring is felt by no other. */
static void test_neighbours(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {16};
        const float dt = 0.02f;
        const gyre_spring_matrix m = matrix_of(table, (gyre_spring){12, 0.4f, 0.5f}, dt);
        for (size_t round = 0; round < effort(400); round++) {
            batch b, other;
            random_batch(&b, &random);
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
            step(table, springs_of(&b, features), &m, dt);
            step(table, springs_of(&other, features), &m, dt);
            for (size_t i = 0; i < SPRINGS; i++) {
                for (int k = 0; k < 4 && i != bad; k++) {
                    CASE("%g in array %zu of spring %zu, spring %zu", value, which, bad, i);
                    check_bits(other.q[k][i], b.q[k][i]);
                    check(k == 3 || float_bits(other.omega[k][i]) == float_bits(b.omega[k][i]), ==, true);
                }
            }
            CASE("%g in array %zu of spring %zu", value, which, bad);
            check(isnan(value) && !isnan(other.q[0][bad]), ==, false);
        }
    }
}

/* Any split of a range gives the bits of the whole range, and nothing outside a range is touched. */
static void test_slices(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {17};
        const float dt = 0.02f;
        const gyre_spring_matrix m = matrix_of(table, (gyre_spring){12, 0.4f, 0.5f}, dt);
        for (size_t round = 0; round < effort(600); round++) {
            const unsigned features = (unsigned)round % WITH_ALL;
            batch b, cut;
            random_batch(&b, &random);
            b.awake[random_below(&random, SPRINGS)] = 0;
            cut = b;
            const size_t begin = random_below(&random, SPRINGS),
                         end = begin + random_below(&random, SPRINGS - begin + 1);
            gyre_orientation_springs s = springs_of(&b, features), parts = springs_of(&cut, features);
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

/* A step of no time with another matrix: the displacement from where the target was is carried to where it is. */
static void test_no_time(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {18};
        const gyre_spring_matrix m = {1, 0.25f, -2, 0.5f, -0.3f, 3, {0}};
        const float times[] = {0, 0x1p-127f, -0x1p-149f};
        for (size_t t = 0; t < LENGTH(times); t++) {
            batch b, old;
            random_batch(&b, &random);
            old = b;
            step(table, springs_of(&b, WITH_TARGET | WITH_BEFORE), &m, times[t]);
            for (size_t i = 0; i < SPRINGS; i++) {
                const orientation_state want = reference_orientation_step(
                    orientation_matrix_of(&m, 0), 0, state_of(&old, i), quaternion_normalised(get(old.before, i)),
                    quaternion_normalised(get(old.target, i)));
                const orientation_error off = error_of(&b, i, want);
                CASE("dt %g, spring %zu", times[t], i);
                check(off.angle, <=, 1e-6 * (1 + vector_length(want.omega)));
                check(off.speed, <=, 1e-5 * (1 + vector_length(want.omega)) * (1 + vector_length(want.omega)));
            }
        }
    }
}

static void check_refused(const gyre_kernels *table, batch *b, const gyre_orientation_springs *s, size_t begin,
                          size_t end, const gyre_spring_matrix *m, float dt, gyre_status wanted)
{
    const batch before = *b;
    check_status(table->orientation_springs_step(s, begin, end, m, dt), wanted);
    check_bytes(b, &before, sizeof before);
}

static void test_bad_arguments(void **state)
{
    (void)state;
    const float invalid[] = {NAN, INFINITY, -INFINITY}, negative[] = {-1, -0x1p-149f};
    EACH_TABLE(table) {
        random_source random = {19};
        batch b;
        random_batch(&b, &random);
        const unsigned all = WITH_TARGET | WITH_BEFORE | WITH_REST | WITH_AWAKE;
        const gyre_orientation_springs good = springs_of(&b, all);
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
        s = springs_of(&b, WITH_TARGET);
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

/* Springs that settle carry no subnormal numbers, and no step makes any. Components of a target that were rounded from
   double may make some on the way, but none for a spring that has settled. */
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
            batch b;
            random_batch(&b, &random);
            for (size_t k = 0; k < SPRINGS; k += 3) { /* about one axis */
                set(b.target, k, (quaternion){{0, 1, k % 2 ? 0 : -4e-8, rounded ? 6e-17 : 0}});
                set(b.q, k, reference_quaternion((vector){{0, 1, 0}}));
                set_omega(&b, k, (vector){{0, 3, 0}});
            }
            memcpy(b.before, b.target, sizeof b.before);
            const gyre_orientation_springs s = springs_of(&b, features);
            for (size_t k = 0; k < 2400; k++) {
                feclearexcept(FE_UNDERFLOW);
                step(table, s, &m, dt);
                CASE("features %u, step %zu", features, k);
                check(fetestexcept(FE_UNDERFLOW) != 0 && !(rounded && k < 1200), ==, false);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_reference),
        TEST(test_errors),
        TEST(test_small_angles),
        TEST(test_one_axis),
        TEST(test_ten_steps_equal_one),
        TEST(test_lag),
        TEST(test_smoothing),
        TEST(test_signs),
        TEST(test_half_turn),
        TEST(test_rest),
        TEST(test_rest_far_away),
        TEST(test_rest_at_half_a_turn),
        TEST(test_asleep),
        TEST(test_identity),
        TEST(test_long_runs),
        TEST(test_null_targets),
        TEST(test_lengths),
        TEST(test_neighbours),
        TEST(test_slices),
        TEST(test_no_time),
        TEST(test_bad_arguments),
        TEST(test_nothing_underflows),
    };
    return cmocka_run_group_tests_name("spring_orientation", tests, NULL, NULL);
}
