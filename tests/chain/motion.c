/* How chains move: closed forms, frame rates, and symmetries. */
#include "support/chains.h"

#include "support/orientations.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static void step(const gyre_kernels *table, single_chain *s, float dt_s)
{
    const gyre_bone_chains c = chains_of_single(s);
    check_status(table->bone_chains_step(&c, 0, 1, dt_s), GYRE_OK);
}

static double angle_between(vector a, vector b)
{
    return 2 * asin(fmin(1, vector_length(vector_difference(a, b)) / 2));
}

/* A steadily moving chain hangs at e = unit(K L e_above + G - b V), with the velocity V, at every rate. */
static void test_uniform_motion(void **state)
{
    (void)state;
    static const float times[] = {1.0f / 20, 1.0f / 60, 1.0f / 240};
    EACH_TABLE(table) {
        for (size_t k = 0; k < LENGTH(times); k++) {
            single_chain s = single_of(6);
            s.gravity[1] = -3;
            const vector v = {{1.5, 0.25, -0.5}};
            const int steps = (int)(4 / times[k]);
            for (int frame = 1; frame <= steps; frame++) {
                for (size_t a = 0; a < 3; a++) { /* the difference is the same in each step */
                    s.position[a] = (float)v.at[a] * times[k];
                    s.position_before[a] = 0;
                }
                step(table, &s, times[k]);
            }
            vector e = {{0, -1, 0}};
            for (size_t l = 0; l < 6; l++) {
                const vector g = {{0, -3, 0}};
                e = vector_sum(vector_sum(vector_scaled(e, 40), g), vector_scaled(v, -8));
                e = vector_scaled(e, 1 / vector_length(e));
                CASE("%g s, level %zu", times[k], l);
                check(angle_between(single_direction(&s, l), e), <=, 5e-6);
                check(vector_length(vector_difference(single_velocity(&s, l), v)), <=, 5e-5);
            }
        }
    }
}

/* Without damping a bone swings for ever: its amplitude after 1e5 steps, and its period. */
static void test_undamped(void **state)
{
    (void)state;
    static const double starts[] = {0.2, 1, 2, 3};
    EACH_BEST_TABLE(table) {
        for (size_t i = 0; i < LENGTH(starts); i++) {
            single_chain s = single_of(1);
            s.bone[0].damping = s.bone[0].drag = 0;
            point_single(&s, 0, sin(starts[i]), -cos(starts[i]), 0);
            const single_chain start = s;
            const float dt_s = (float)(2 * pi / 20 / 32); /* 32 steps a period */
            for (int k = 0; k < 32; k++) {
                step(table, &s, dt_s);
            }
            CASE("from %g rad", starts[i]);
            check(angle_between(single_direction(&s, 0), single_direction(&start, 0)), <=, 1e-5);
            double most = 0;
            const int steps = (int)effort(100000);
            for (int k = 32; k < steps; k++) {
                step(table, &s, dt_s);
                const double angle = angle_between(single_direction(&s, 0), (vector){{0, -1, 0}});
                most = k > steps - 64 && angle > most ? angle : most;
            }
            check_within(most / starts[i], 1, 6e-3);
        }
    }
}

/* Let go at an angle: tan(angle / 4) is what the matrix makes of it. */
static void test_let_go(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {1};
        for (size_t round = 0; round < effort(2000); round++) {
            single_chain s = single_of(1);
            const double start = random_between(&random, 0.01, 3.1);
            s.bone[0].stiffness = random_magnitude(&random, -2, 16);
            s.bone[0].damping = random_one_in(&random, 8) ? 0 : random_magnitude(&random, -2, 12);
            s.bone[0].drag = 0;
            point_single(&s, 0, sin(start), -cos(start), 0);
            const float dt_s = random_magnitude(&random, -9, 1);
            const double from = angle_between(single_direction(&s, 0), (vector){{0, -1, 0}});
            step(table, &s, dt_s);
            double m[5];
            reference_bone_matrix((double)s.bone[0].stiffness, (double)s.bone[0].damping, (double)dt_s, m);
            const double wanted = 4 * atan(m[0] * tan(from / 4)),
                         phase = sqrt((double)s.bone[0].stiffness) * (double)dt_s;
            const vector e = {{sin(wanted), -cos(wanted), 0}};
            CASE("round %zu: K %g, c %g, dt %g, from %g", round, s.bone[0].stiffness, s.bone[0].damping, dt_s, from);
            check(angle_between(single_direction(&s, 0), e), <=, 1e-6 * (1 + phase));
        }
    }
}

/* ---- Ten tenths of a step ---- */

enum { FIXED_PARENT, MOVING_HEAD, TURNING_PARENT, HINGED, EXACT_MOTIONS };

/* What the root does in a step, and a single bone in any state and direction, less than half a turn from its target. */
typedef struct exact_motion {
    single_chain start;
    float way[3]; /* sums of its tenths are exact */
    vector turn;  /* rad, in the world, across the bone's rest direction */
    float dt_s;
} exact_motion;

static exact_motion random_motion(random_source *random, int kind)
{
    exact_motion m = {.start = single_of(1), .dt_s = random_magnitude(random, -7, -2)};
    single_chain *s = &m.start;
    s->bone[0].stiffness = random_magnitude(random, 8, 12);
    s->bone[0].damping = 2 * random_unit(random) * sqrtf(s->bone[0].stiffness);
    s->bone[0].drag = random_unit(random) * s->bone[0].damping;
    s->bone[0].load_damping = random_one_in(random, 2) ? 0 : 0.02f * random_unit(random);
    const double angle = random_between(random, 0, 1.5), way = random_between(random, 0, 2 * pi);
    point_single(s, 0, sin(angle) * cos(way), -cos(angle), sin(angle) * sin(way));
    const vector wind = random_direction(random), fast = random_direction(random), gravity = random_direction(random);
    const vector axis = random_direction(random), hinge = random_direction(random);
    for (size_t k = 0; k < 3; k++) {
        s->wind[k] = kind == TURNING_PARENT ? 0 : (float)(0.3 * wind.at[k]);
        s->velocity[k][0] = kind == HINGED ? 0 : (float)fast.at[k];
        s->gravity[k] = kind == TURNING_PARENT ? 0 : (float)(5 * gravity.at[k]);
        m.way[k] = kind == MOVING_HEAD ? 10 * (float)((int)random_below(random, 128) - 64) * 0x1p-17f : 0;
    }
    if (kind == TURNING_PARENT) {
        m.turn = vector_scaled((vector){{axis.at[0], 0, axis.at[2]}}, 5 * (double)m.dt_s);
    }
    if (kind == HINGED) { /* the bone starts in its plane */
        const double size = hypot(hinge.at[0], hinge.at[2]), x = hinge.at[0] / size, z = hinge.at[2] / size;
        s->bone[0].hinge[0] = (float)x;
        s->bone[0].hinge[2] = (float)z;
        point_single(s, 0, -z * sin(angle), -cos(angle), x * sin(angle));
    }
    return m;
}

/* The root goes from `from` to `to` tenths of its way, in one step. */
static void step_tenths(const gyre_kernels *table, const exact_motion *m, single_chain *s, int from, int to)
{
    const quaternion before = reference_quaternion(vector_scaled(m->turn, from / 10.0)),
                     now = reference_quaternion(vector_scaled(m->turn, to / 10.0));
    for (size_t k = 0; k < 3; k++) {
        s->position_before[k] = m->way[k] / 10 * (float)from;
        s->position[k] = m->way[k] / 10 * (float)to;
    }
    for (size_t k = 0; k < 4; k++) {
        s->parent_before[k] = (float)before.at[k];
        s->parent[k] = (float)now.at[k];
    }
    step(table, s, m->dt_s * (float)(to - from) / 10);
}

/* Ten tenths are one step where the motion is exact: each rounds by about 2e-7 rad, and the rest is 1e-6. The tail of
   rounding goes up to 4e-6. */
static void test_ten_tenths(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {3};
        double worst[EXACT_MOTIONS] = {0};
        size_t near = 0;
        for (size_t round = 0; round < effort(4000); round++) {
            const int kind = (int)(round % EXACT_MOTIONS);
            const exact_motion m = random_motion(&random, kind);
            single_chain whole = m.start, parts = m.start;
            step_tenths(table, &m, &whole, 0, 10);
            for (int k = 0; k < 10; k++) {
                step_tenths(table, &m, &parts, k, k + 1);
            }
            const double off = angle_between(single_direction(&whole, 0), single_direction(&parts, 0));
            worst[kind] = fmax(worst[kind], off);
            CASE("round %zu, motion %d", round, kind);
            check(off, <=, 4e-6);
            near += off <= 2e-6;
        }
        check((double)near, >=, 0.99 * (double)effort(4000));
        printf("# %s: ten tenths within %.2e, %.2e, %.2e, %.2e rad\n", table_name(table), worst[FIXED_PARENT],
               worst[MOVING_HEAD], worst[TURNING_PARENT], worst[HINGED]);
    }
}

/* A chain of three on a swinging root, after half a second. */
static void swing(const gyre_kernels *table, single_chain *s, int rate)
{
    reset_single(table, s);
    for (int frame = 1; frame <= rate / 2; frame++) {
        memcpy(s->position_before, s->position, sizeof s->position);
        s->position[0] = (float)(0.05 * (1 - cos(9.0 * frame / rate)));
        step(table, s, 1.0f / (float)rate);
    }
}

/* Each doubling of the rate divides the error by about four. */
static void test_order(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        double error[3];
        single_chain exact = single_of(3);
        swing(table, &exact, 1920);
        for (int k = 0; k < 3; k++) {
            single_chain s = single_of(3);
            swing(table, &s, 30 << k);
            error[k] = angle_between(single_direction(&s, 2), single_direction(&exact, 2));
        }
        CASE("errors %g, %g, %g rad", error[0], error[1], error[2]);
        check(error[0] / error[1], >=, 3);
        check(error[0] / error[1], <=, 5);
        check(error[1] / error[2], >=, 3);
        check(error[1] / error[2], <=, 5);
        check(error[1], <=, 0.02); /* rad at 60 Hz */
    }
}

/* Turning the whole scene turns the result; scaling lengths, gravity, wind and places leaves rotations. */
static void test_symmetries(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {2};
        for (size_t round = 0; round < effort(200); round++) {
            single_chain a = single_of(4), turned = a, scaled = a;
            const quaternion q = random_attitude(&random);
            for (size_t k = 0; k < 4; k++) {
                turned.parent[k] = turned.parent_before[k] = (float)q.at[k];
            }
            const vector gravity = vector_scaled(random_direction(&random), 5),
                         turned_gravity = quaternion_rotate(q, gravity);
            for (size_t k = 0; k < 3; k++) {
                a.gravity[k] = (float)gravity.at[k];
                turned.gravity[k] = (float)turned_gravity.at[k];
                scaled.gravity[k] = 8 * a.gravity[k];
            }
            for (size_t l = 0; l < 4; l++) {
                scaled.bone[l].tail[1] *= 8;
            }
            reset_single(table, &a);
            reset_single(table, &turned);
            reset_single(table, &scaled);
            const vector way = vector_scaled(random_direction(&random), 0.01), turned_way = quaternion_rotate(q, way);
            for (int frame = 0; frame < 20; frame++) {
                for (size_t k = 0; k < 3; k++) {
                    a.position[k] = (float)way.at[k];
                    turned.position[k] = (float)turned_way.at[k];
                    scaled.position[k] = 8 * a.position[k];
                }
                step(table, &a, 0.02f);
                step(table, &turned, 0.02f);
                step(table, &scaled, 0.02f);
            }
            for (size_t l = 0; l < 4; l++) {
                CASE("round %zu, level %zu", round, l);
                const vector e = single_direction(&a, l);
                check(angle_between(quaternion_rotate(q, e), single_direction(&turned, l)), <=, 1e-5);
                check(angle_between(e, single_direction(&scaled, l)), <=, 1e-5);
            }
        }
    }
}

/* Changing parameters between steps moves nothing: a step of nearly no time keeps the direction and the velocity. */
static void test_changed_parameters(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        single_chain s = single_of(3);
        s.gravity[0] = 5;
        for (int k = 0; k < 10; k++) {
            step(table, &s, 0.01f);
        }
        single_chain t = s;
        for (size_t l = 0; l < 3; l++) {
            t.bone[l].stiffness *= 3;
            t.bone[l].damping *= 2;
            t.bone[l].tail[1] *= 1.5f;
        }
        t.gravity[0] = 0;
        t.wind[2] = 3;
        step(table, &t, 1e-5f);
        for (size_t l = 0; l < 3; l++) {
            check(angle_between(single_direction(&t, l), single_direction(&s, l)), <=, 2e-5);
            check(vector_length(vector_difference(single_velocity(&t, l), single_velocity(&s, l))), <=, 5e-3);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_uniform_motion),    TEST(test_undamped), TEST(test_let_go),
                                       TEST(test_ten_tenths),        TEST(test_order),    TEST(test_symmetries),
                                       TEST(test_changed_parameters)};
    return cmocka_run_group_tests_name("chain_motion", tests, NULL, NULL);
}
