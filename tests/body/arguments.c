/* Errors of the functions on bodies, which are returned before anything is written; calls that need no arrays; and
   steps that change nothing. */
#include "support/bodies.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Every function on bodies, behind one interface. */
typedef enum body_call { STEP, ENERGY, VELOCITY, TRANSFORMS, CALLS } body_call;

static const char *const call_names[CALLS] = {"step", "energy", "angular_velocity", "transforms"};

typedef struct call_outputs {
    float energy[BATCH_BODIES], velocity[3][BATCH_BODIES], rows[BATCH_BODIES][12], position[3][BATCH_BODIES];
    gyre_body_report report;
} call_outputs;

static gyre_status call(const gyre_kernels *table, body_call which, const gyre_bodies *bodies, size_t begin, size_t end,
                        call_outputs *out)
{
    float *velocity[3] = {out->velocity[0], out->velocity[1], out->velocity[2]};
    switch (which) {
    case STEP: return table->bodies_step(bodies, begin, end, 0.01f, NULL, &out->report);
    case ENERGY: return table->bodies_energy(bodies, begin, end, out->energy);
    case VELOCITY: return table->bodies_angular_velocity(bodies, begin, end, velocity);
    default:
        return table->bodies_transforms(bodies, begin, end, out->position[0], out->position[1], out->position[2],
                                        out->rows[0], 48);
    }
}

static void test_bad_bodies(void **state)
{
    (void)state;
    const size_t all = BATCH_BODIES;
    const size_t ranges[][2] = {{2, 1}, {0, all + 1}, {SIZE_MAX, all}, {0, SIZE_MAX}, {all + 1, all + 1}};
    static call_outputs out, out_before;
    EACH_TABLE(table) {
        random_source random = {1};
        for (unsigned i = 0; i < BODIES_ALL_FEATURES * CALLS; i++) {
            const unsigned features = i % BODIES_ALL_FEATURES;
            const body_call which = (body_call)(i / BODIES_ALL_FEATURES);
            body_batch b = random_bodies(&random, -5, 3, 0.01, true);
            const body_batch before = b;
            memset(&out, 0x5a, sizeof out);
            memcpy(&out_before, &out, sizeof out);
            const gyre_bodies bodies = bodies_of(&b, features);
            CASE("%s, features %#x", call_names[which], features);
            check_status(call(table, which, NULL, 0, all, &out), GYRE_ERROR_NULL);
            for (size_t k = 0; k < LENGTH(ranges); k++) {
                CASE("bodies %zu to %zu", ranges[k][0], ranges[k][1]);
                check_status(call(table, which, &bodies, ranges[k][0], ranges[k][1], &out), GYRE_ERROR_RANGE);
            }
            for (size_t k = 0; k < 4; k++) {
                gyre_bodies bad = bodies;
                bad.orientation[k] = NULL;
                check_status(call(table, which, &bad, 0, all, &out), GYRE_ERROR_NULL);
                bad = bodies;
                bad.orientation_low[k] = NULL;
                if (k > 0 && features & BODIES_LOW && which != TRANSFORMS) {
                    check_status(call(table, which, &bad, 3, 4, &out), GYRE_ERROR_NULL);
                }
            }
            for (size_t k = 0; k < 3 && which != TRANSFORMS; k++) {
                gyre_bodies bad = bodies;
                bad.momentum[k] = NULL;
                check_status(call(table, which, &bad, 0, all, &out), GYRE_ERROR_NULL);
                bad = bodies;
                bad.momentum_low[k] = NULL;
                if (k > 0 && features & BODIES_MOMENTUM_LOW) {
                    check_status(call(table, which, &bad, 3, 4, &out), GYRE_ERROR_NULL);
                }
                bad = bodies;
                bad.inertia[k] = NULL;
                check_status(call(table, which, &bad, 3, 4, &out), GYRE_ERROR_NULL);
                bad = bodies;
                bad.torque[k] = NULL;
                if (k > 0 && features & BODIES_TORQUE && which == STEP) {
                    check_status(call(table, which, &bad, 0, all, &out), GYRE_ERROR_NULL);
                }
            }
            check_same_bodies(&b, &before);
            check_bytes(&out, &out_before, sizeof out);
        }
    }
}

static void test_bad_solvers(void **state)
{
    (void)state;
    const gyre_body_solver bad[] = {
        {.method = (gyre_body_method)5},
        {.method = (gyre_body_method)-1},
        {.method = (gyre_body_method)1000},
        {.order = 1},
        {.order = 2},
        {.order = 3},
        {.order = 4},
        {.order = 5},
        {.order = 7},
        {.order = 10},
        {.order = -2},
        {.tolerance = NAN},
        {.tolerance = INFINITY},
        {.tolerance = -1e-6f},
        {.tolerance = -0x1p-149f},
        {.tolerance = -INFINITY},
        {.max_iterations = -1},
        {.max_substeps = -1},
        {.substeps = -1},
        {.substeps = INT32_MIN},
        {.substeps = (1 << 24) + 1}, /* more than a float can count */
        {.substeps = INT32_MAX},
        {.method = GYRE_BODY_MIDPOINT, .tolerance = NAN},
        {.method = GYRE_BODY_EXPLICIT_EULER, .max_substeps = -7},
    };
    const float invalid[] = {NAN, -NAN, INFINITY, -INFINITY};
    EACH_TABLE(table) {
        random_source random = {2};
        body_batch b = random_bodies(&random, -5, 3, 0.01, true);
        const body_batch before = b;
        const gyre_bodies bodies = bodies_of(&b, BODIES_LOW | BODIES_TORQUE);
        gyre_body_report report = {0};
        for (size_t k = 0; k < LENGTH(bad); k++) {
            CASE("method %d order %d tolerance %a max_iterations %d max_substeps %d substeps %d", (int)bad[k].method,
                 bad[k].order, bad[k].tolerance, bad[k].max_iterations, bad[k].max_substeps, bad[k].substeps);
            check_status(table->bodies_step(&bodies, 0, BATCH_BODIES, 0.01f, &bad[k], &report), GYRE_ERROR_VALUE);
        }
        for (size_t k = 0; k < LENGTH(invalid); k++) {
            CASE("dt_s %a", invalid[k]);
            check_status(table->bodies_step(&bodies, 0, BATCH_BODIES, invalid[k], NULL, &report), GYRE_ERROR_VALUE);
        }
        check_same_bodies(&b, &before);
        check(report.substeps, ==, 0);
        check(report.iterations, ==, 0);
        check(report.unconverged, ==, 0);
    }
}

/* The largest number of sub-steps; and tolerances too small for any iteration to meet give the same results as the
   smallest one that is met. */
static void test_limits_of_a_solver(void **state)
{
    (void)state;
    const float tolerances[] = {0x1p-60f, FLT_MIN, 0x1p-149f};
    EACH_TABLE(table) {
        const gyre_bodies none = {.count = 0};
        const gyre_body_solver most = {.substeps = 1 << 24};
        check_status(table->bodies_step(&none, 0, 0, 0.01f, &most, NULL), GYRE_OK);
        EACH_METHOD(m) {
            for (size_t k = 0; k < 2 * LENGTH(tolerances); k++) {
                const unsigned features = k % 2 ? BODIES_LOW : 0;
                random_source random = {5};
                body_batch got = random_bodies(&random, -5, -2, 0.01, false), want = got;
                gyre_body_solver solver = solver_of(m);
                gyre_body_report report = {0}, least = {0};
                solver.tolerance = tolerances[k / 2];
                step_bodies(table, &got, features, 0, BATCH_BODIES, 0.01f, &solver, &report);
                solver.tolerance = 0x1p-40f;
                step_bodies(table, &want, features, 0, BATCH_BODIES, 0.01f, &solver, &least);
                CASE("tolerance %a, features %#x", tolerances[k / 2], features);
                check(report.iterations, ==, least.iterations);
                check(report.unconverged, ==, least.unconverged);
                check_same_bodies(&got, &want);
            }
        }
    }
}

/* Methods with only one order ignore the member `order`. */
static void test_order_of_other_methods(void **state)
{
    (void)state;
    const int orders[] = {-2, 1, 3, 8, INT32_MAX};
    EACH_TABLE(table) {
        for (int method = GYRE_BODY_MIDPOINT; method <= GYRE_BODY_EXPLICIT_EULER; method++) {
            random_source random = {6};
            const body_batch before = random_bodies(&random, -5, 3, 0.01, true);
            gyre_body_solver solver = {.method = (gyre_body_method)method};
            body_batch want = before;
            step_bodies(table, &want, 0, 0, BATCH_BODIES, 0.01f, &solver, NULL);
            for (size_t k = 0; k < LENGTH(orders); k++) {
                body_batch got = before;
                solver.order = orders[k];
                step_bodies(table, &got, 0, 0, BATCH_BODIES, 0.01f, &solver, NULL);
                CASE("method %d, order %d", method, orders[k]);
                check_same_bodies(&got, &want);
            }
        }
    }
}

static void test_bad_outputs(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {3};
        body_batch b = random_bodies(&random, -5, 3, 0.01, true);
        const gyre_bodies bodies = bodies_of(&b, 0);
        check_status(table->bodies_energy(&bodies, 0, 1, NULL), GYRE_ERROR_NULL);
        check_status(table->bodies_angular_velocity(&bodies, 0, 1, NULL), GYRE_ERROR_NULL);
        static call_outputs out, before;
        memset(&out, 0x5a, sizeof out);
        memcpy(&before, &out, sizeof out);
        for (size_t k = 0; k < 3; k++) {
            float *velocity[3] = {out.velocity[0], out.velocity[1], out.velocity[2]};
            velocity[k] = NULL;
            CASE("component %zu is NULL", k);
            check_status(table->bodies_angular_velocity(&bodies, 0, 1, velocity), GYRE_ERROR_NULL);
        }
        const float *x = out.position[0];
        check_status(table->bodies_transforms(&bodies, 0, 1, x, x, x, NULL, 48), GYRE_ERROR_NULL);
        check_status(table->bodies_transforms(&bodies, 0, 1, x, NULL, x, out.rows[0], 48), GYRE_ERROR_NULL);
        check_status(table->bodies_transforms(&bodies, 0, 1, x, x, NULL, out.rows[0], 48), GYRE_ERROR_NULL);
        const size_t strides[] = {0, 4, 44, 47, 49, 50, 51, SIZE_MAX, SIZE_MAX - 1, SIZE_MAX - 2};
        for (size_t k = 0; k < LENGTH(strides); k++) {
            for (size_t end = 0; end <= 1; end++) {
                CASE("stride %zu, %zu bodies", strides[k], end);
                check_status(table->bodies_transforms(&bodies, 0, end, x, x, x, out.rows[0], strides[k]),
                             GYRE_ERROR_VALUE);
            }
        }
        check_bytes(&out, &before, sizeof out);
    }
}

static void test_empty_ranges_need_no_arrays(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        const gyre_bodies none = {.count = 0}, many = {.count = 100};
        call_outputs out = {.report = {5, 6, 7, 8}};
        for (int which = 0; which < CALLS; which++) {
            CASE("%s", call_names[which]);
            check_status(call(table, (body_call)which, &none, 0, 0, &out), GYRE_OK);
            for (size_t i = 0; i <= 100; i++) {
                check_status(call(table, (body_call)which, &many, i, i, &out), GYRE_OK);
            }
            check_status(call(table, (body_call)which, &many, 3, 4, &out), GYRE_ERROR_NULL);
            check_status(call(table, (body_call)which, NULL, 0, 0, &out), GYRE_ERROR_NULL);
        }
        check(out.report.substeps, ==, 5);
        check(out.report.iterations, ==, 6);
        check(out.report.unconverged, ==, 7);
        check(out.report.worst_residual, ==, 8);
        check_status(table->bodies_energy(&many, 5, 5, NULL), GYRE_OK);
        check_status(table->bodies_angular_velocity(&many, 5, 5, NULL), GYRE_OK);
        check_status(table->bodies_transforms(&many, 5, 5, NULL, NULL, NULL, NULL, 48), GYRE_OK);
    }
}

/* dt = 0 or -0 keeps all bits of every float, including those of invalid bodies. */
static void test_no_time_changes_nothing(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {4};
        for (size_t round = 0; round < effort(200); round++) {
            body_batch b = random_bodies(&random, -5, 3, 0.01, true);
            for (size_t i = 0; i < BATCH_BODIES; i += 3) {
                for (size_t array = 0; array < BODY_ARRAYS; array++) {
                    b.at[array][i] = random_any_float(&random);
                }
            }
            const body_batch before = b;
            gyre_body_solver solver = solver_of(&method_cases[round % METHOD_CASES]);
            solver.substeps = round % 5 == 0 ? 3 : 0;
            step_bodies(table, &b, (unsigned)round / METHOD_CASES % BODIES_ALL_FEATURES, 0, BATCH_BODIES,
                        round % 2 ? 0.0f : -0.0f, &solver, NULL);
            CASE("%s", method_cases[round % METHOD_CASES].name);
            check_bytes(&b, &before, sizeof b);
        }
    }
}

/* A body at rest stays unchanged, to the bit, if its orientation is one that a step produces: the first steps may still
   round any other. The low parts are far below the resolution of a step; they must not drift either. */
static void test_rest_stays(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {5};
        for (size_t round = 0; round < effort(64); round++) {
            body_batch b = random_bodies(&random, -5, 3, 0.01, false);
            memset(b.at[MOMENTUM], 0, 6 * sizeof b.at[0]); /* including its low parts */
            memset(b.at[TORQUE], 0, 3 * sizeof b.at[0]);
            gyre_body_solver solver = solver_of(&method_cases[round % METHOD_CASES]);
            unsigned features = (unsigned)round / METHOD_CASES % BODIES_ALL_FEATURES;
            gyre_body_report report = {0};
            for (int step = 0; step < 8; step++) {
                step_bodies(table, &b, features, 0, BATCH_BODIES, 0.01f, &solver, &report);
            }
            CASE("%s, features %#x", method_cases[round % METHOD_CASES].name, features);
            check(report.unconverged, ==, 0);
            const body_batch before = b;
            for (int step = 0; step < 100; step++) {
                step_bodies(table, &b, features, 0, BATCH_BODIES, 0.01f, &solver, &report);
            }
            if (features & BODIES_LOW) {
                for (size_t i = 0; i < BATCH_BODIES; i++) {
                    reference_body then = body_get(&before, i, features), now = body_get(&b, i, features);
                    CASE_OF_BODY(&before, i);
                    check(quaternion_angle(then.orientation, now.orientation), <=, 0x1p-40);
                }
            } else {
                check_same_bodies(&b, &before);
            }
        }
    }
}

/* A step leaves no subnormal component, even in a body at rest. */
static void test_no_subnormal_is_carried(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        EACH_METHOD(m) {
            for (unsigned features = 0; features < BODIES_ALL_FEATURES; features++) {
                const reference_body body = {
                    {{0x1p-96, -0x1p-140, 0x1p-130, 1}}, {{0, 0, 0}}, {{1, 2, 3}}, {{0, 0, 0}}};
                body_batch b = {{{0}}};
                body_put(&b, 0, &body);
                b.at[ORIENTATION_LOW][0] = 0x1p-140f;
                gyre_body_solver solver = solver_of(m);
                step_bodies(table, &b, features, 0, 1, 0.01f, &solver, NULL);
                for (size_t k = 0; k < 3; k++) {
                    CASE("features %#x, component %zu", features, k);
                    check(b.at[ORIENTATION + k][0], ==, 0);
                    if (features & BODIES_LOW) {
                        check(b.at[ORIENTATION_LOW + k][0], ==, 0);
                    }
                }
                check(b.at[ORIENTATION + 3][0], ==, 1);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_bad_bodies),
        TEST(test_bad_solvers),
        TEST(test_limits_of_a_solver),
        TEST(test_order_of_other_methods),
        TEST(test_bad_outputs),
        TEST(test_empty_ranges_need_no_arrays),
        TEST(test_no_time_changes_nothing),
        TEST(test_rest_stays),
        TEST(test_no_subnormal_is_carried),
    };
    return cmocka_run_group_tests_name("body_arguments", tests, NULL, NULL);
}
