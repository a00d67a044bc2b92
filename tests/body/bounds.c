/* The sub-steps of gyre_bodies_step: at the proven bound every body converges, the number of sub-steps is the smallest
   that the bound allows, and limits are obeyed and reported; and how far beyond the bound iterations converge. */
#include "support/bodies.h"

#include <math.h>

static const double eps = 0x1p-24;

/* The ratio of the largest moment to the smallest: the relative error of a spin is up to this many times that of the
   orientation. */
static double elongation(vector inertia)
{
    const double *i = inertia.at;
    return fmax(i[0], fmax(i[1], i[2])) / fmin(i[0], fmin(i[1], i[2]));
}

/* A body that uses this share of the bound in a step of dt_s, no longer than `longest`; shares below 1 allow for
   rounding. */
static reference_body body_at_share(random_source *random, const method_case *m, double share, double dt_s,
                                    double longest)
{
    reference_body body = {.orientation = {{0, 0, 0, 1}}, .momentum = random_direction(random)};
    double beyond;
    do { /* whose largest moment is not almost the sum of the others, where rounding would decide */
        body.inertia = random_inertia(random, random_one_in(random, 2), -10, 10);
        const double *i = body.inertia.at, largest = fmax(i[0], fmax(i[1], i[2]));
        beyond = (2 * largest - i[0] - i[1] - i[2]) / largest;
    } while (fabs(beyond) < 1e-5 || elongation(body.inertia) > longest ||
             (m->method == GYRE_BODY_TRAPEZOID && elongation(body.inertia) < 1.01)); /* a sphere has no bound there */
    for (int k = 0; k < 3 && random_one_in(random, 4); k++) {
        body.momentum.at[k] *= body.inertia.at[k];
    }
    if (m->method == GYRE_BODY_MOSER_VESELOV && share < 1) { /* the bound of this method is on the spin */
        share /= 1 + 16 * eps * elongation(body.inertia);
    }
    if (m->method != GYRE_BODY_EXPLICIT_EULER) {
        reference_equation q = reference_equation_of(&body, m->method, m->order, 1);
        body.momentum = vector_scaled(body.momentum, share / reference_share_of_bound(&q) / dt_s);
    }
    body.orientation = random_attitude(random);
    body.momentum = quaternion_rotate(body.orientation, body.momentum);
    return body;
}

static bool has_default_order(const method_case *m) { return m->order == 0 || m->order == 6; }

/* A million bodies, physical or not, every other batch with low parts, at 0.999 of the bound: each takes one sub-step,
   and none fails. */
static void test_all_converge_at_the_bound(void **state)
{
    (void)state;
    const gyre_kernels *table = gyre_kernels_best(GYRE_ROUNDING_PORTABLE);
    const float dt_s = 0x1p-6f;
    EACH_METHOD(m) {
        random_source random = {1};
        gyre_body_report report = {0};
        size_t batches = effort((has_default_order(m) ? 1000000 : 200000) / BATCH_BODIES + 1);
        for (size_t k = 0; k < batches && has_bound(m); k++) {
            body_batch b;
            for (size_t i = 0; i < BATCH_BODIES; i++) {
                reference_body body = body_at_share(&random, m, 0.999, (double)dt_s, 1e9);
                body_put(&b, i, &body);
            }
            gyre_body_solver solver = solver_of(m);
            gyre_body_report of_batch = {0};
            step_bodies(table, &b, k % 2 ? BODIES_LOW : 0, 0, BATCH_BODIES, dt_s, &solver, &of_batch);
            CASE("%s, batch %zu", table_name(table), k);
            check(of_batch.unconverged, ==, 0);
            check(of_batch.substeps, ==, BATCH_BODIES);
            if (m->method == GYRE_BODY_MOSER_VESELOV) { /* the only correction of the closed form */
                check(of_batch.iterations, ==, of_batch.substeps);
            }
            report.iterations += of_batch.iterations;
            report.substeps += of_batch.substeps;
            report.worst_residual = fmaxf(report.worst_residual, of_batch.worst_residual);
        }
        if (!has_bound(m)) {
            continue;
        }
        printf("# %s: %llu bodies, %.2f iterations each, worst residual %.1e\n", m->name,
               (unsigned long long)report.substeps, (double)report.iterations / (double)report.substeps,
               (double)report.worst_residual);
    }
}

/* A momentum 2^-k times as large and a step 2^k times as long give the same step, unless a momentum falls below
   2^-95. */
static void test_units_of_time(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        EACH_METHOD(m) {
            const gyre_body_solver solver = solver_of(m);
            random_source random = {12};
            const body_batch start = random_bodies(&random, -2, 2, 1, false);
            body_batch want = start;
            gyre_body_report of_seconds = {0};
            step_bodies(table, &want, 0, 0, BATCH_BODIES, 1, &solver, &of_seconds);
            for (int k = -30; k <= 60; k += 10) {
                body_batch b = start;
                for (size_t i = 0; i < BATCH_BODIES; i++) {
                    for (size_t component = 0; component < 3; component++) {
                        b.at[MOMENTUM + component][i] = ldexpf(b.at[MOMENTUM + component][i], -k);
                    }
                }
                gyre_body_report report = {0};
                step_bodies(table, &b, 0, 0, BATCH_BODIES, ldexpf(1, k), &solver, &report);
                CASE("unit 2^%d s", k);
                check(report.substeps, ==, of_seconds.substeps);
                check(report.unconverged, ==, of_seconds.unconverged);
                for (size_t i = 0; i < BATCH_BODIES; i++) { /* subnormal products differ */
                    reference_body got = body_get(&b, i, 0), exact = body_get(&want, i, 0);
                    CASE_OF_BODY(&b, i);
                    check(quaternion_angle(got.orientation, exact.orientation), <=, 1e-6);
                }
            }
        }
    }
}

/* Moments and momenta 2^k times as large are the same bodies in other units: the same bits, as long as both are
   plain. */
static void test_units_of_mass(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        EACH_METHOD(m) {
            const gyre_body_solver solver = solver_of(m);
            for (unsigned features = 0; features <= BODIES_LOW; features++) {
                random_source random = {13};
                static body_batch start;
                for (size_t i = 0; i < BATCH_BODIES; i++) {
                    reference_body body = {.orientation = random_attitude(&random)};
                    for (int k = 0; k < 3; k++) {
                        body.inertia.at[k] = 4 + 4 * (double)random_unit(&random);
                    }
                    body.momentum = vector_scaled(random_direction(&random), 6 * (double)random_unit(&random));
                    body_put(&start, i, &body);
                }
                body_batch want = start;
                step_bodies(table, &want, features, 0, BATCH_BODIES, 1, &solver, NULL);
                for (int k = -20; k <= 14; k += 17) {
                    body_batch b = start, scaled = want;
                    for (size_t array = MOMENTUM; array < TORQUE; array++) {
                        for (size_t i = 0; i < BATCH_BODIES; i++) {
                            b.at[array][i] = ldexpf(b.at[array][i], k);
                            scaled.at[array][i] = ldexpf(scaled.at[array][i], k);
                        }
                    }
                    step_bodies(table, &b, features, 0, BATCH_BODIES, 1, &solver, NULL);
                    CASE("unit 2^%d, features %#x", k, features);
                    check_same_bodies(&b, &scaled);
                }
            }
        }
    }
}

/* Just within n times the bound it takes n sub-steps, and just beyond it n + 1. */
static void test_number_of_substeps(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        EACH_METHOD(m) {
            random_source random = {2};
            for (size_t i = 0; i < effort(4000); i++) {
                const int n = 1 + (int)random_below(&random, 40);
                bool beyond = random_one_in(&random, 2);
                /* share 1 for a sub-step of 1/n of the time */
                reference_body body = body_at_share(&random, m, beyond ? 1.0005 : 0.9995, 0x1p-6 / n, 200);
                static body_batch b;
                body_put(&b, 0, &body);
                gyre_body_solver solver = solver_of(m);
                gyre_body_report report = {0};
                step_bodies(table, &b, 0, 0, 1, 0x1p-6f, &solver, &report);
                const bool closed = m->method == GYRE_BODY_MOSER_VESELOV && is_axisymmetric(body_get(&b, 0, 0).inertia);
                uint64_t want = !has_bound(m) || closed ? 1 : (uint64_t)(beyond ? n + 1 : n);
                CASE("moments %a %a %a", body.inertia.at[0], body.inertia.at[1], body.inertia.at[2]);
                check(report.substeps, ==, want);
                check(report.unconverged, ==, 0);
            }
        }
    }
}

/* The largest moment of a plate is the sum of the others, rounded: it is still a mass, and takes the sub-steps of a
   mass. */
static void test_plates_are_masses(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {9};
        for (size_t i = 0; i < effort(4000); i++) {
            const float a = random_magnitude(&random, -10, 10), b = a * random_magnitude(&random, -6, 6);
            const size_t normal = random_below(&random, 3);
            reference_body body = {.orientation = random_attitude(&random)};
            body.inertia.at[normal] = (double)(a + b);
            body.inertia.at[(normal + 1) % 3] = (double)a;
            body.inertia.at[(normal + 2) % 3] = (double)b;
            const vector turn = vector_scaled(random_direction(&random), 0.79);
            for (int k = 0; k < 3; k++) {
                body.momentum.at[k] = body.inertia.at[k] * turn.at[k];
            }
            body.momentum = quaternion_rotate(body.orientation, body.momentum);
            static body_batch batch;
            body_put(&batch, 0, &body);
            gyre_body_report report = {0};
            step_bodies(table, &batch, 0, 0, 1, 1, NULL, &report);
            CASE("moments %a %a %a", body.inertia.at[0], body.inertia.at[1], body.inertia.at[2]);
            check(report.substeps, ==, 1);
        }
    }
}

/* The half kick before the drift is included in the momentum: a body at rest under torque needs as many sub-steps as
   one that already has the momentum. */
static void test_torque_counts(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        EACH_METHOD(m) {
            random_source random = {3};
            for (size_t i = 0; i < effort(1000) && has_bound(m); i++) {
                reference_body body = body_at_share(&random, m, 0.5 + 10 * (double)random_unit(&random), 0x1p-6, 200);
                static body_batch b;
                gyre_body_solver solver = solver_of(m);
                gyre_body_report of_moving = {0}, of_pushed = {0};
                body_put(&b, 0, &body);
                step_bodies(table, &b, BODIES_TORQUE, 0, 1, 0x1p-6f, &solver, &of_moving);
                body.torque = vector_scaled(body.momentum, 0x1p7);
                body.momentum = (vector){{0, 0, 0}};
                body_put(&b, 0, &body);
                step_bodies(table, &b, BODIES_TORQUE, 0, 1, 0x1p-6f, &solver, &of_pushed);
                CASE_OF_BODY(&b, 0);
                check(of_pushed.substeps, ==, of_moving.substeps);
            }
        }
    }
}

/* A body over its limit takes max_substeps sub-steps, each as long as the bound, forwards or backwards: it ends where
   the reference is after that shorter time. Sub-steps as long as that amplify an error up to twice each. */
static void test_over_the_limit(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        EACH_METHOD(m) {
            random_source random = {4};
            worst_case worst = {0};
            for (size_t i = 0; i < effort(1000) && has_bound(m); i++) {
                gyre_body_solver solver = solver_of(m);
                solver.max_substeps = random_one_in(&random, 8) ? 0 : 1 + (int)random_below(&random, 6);
                const int limit = solver.max_substeps > 0 ? solver.max_substeps : 1024;
                /* dt_s is `longer` times the longest step that the limit allows */
                const double allowed_s = 0x1p-6, longer = (double)random_magnitude(&random, 1, 12);
                reference_body body = body_at_share(&random, m, 1, allowed_s / limit, 200);
                static body_batch b;
                body_put(&b, 0, &body);
                const body_batch before = b;
                reference_body want = body_get(&b, 0, 0);
                if (m->method == GYRE_BODY_MOSER_VESELOV && is_axisymmetric(want.inertia)) {
                    continue; /* takes no sub-steps */
                }
                const double direction = random_one_in(&random, 2) ? -1 : 1;
                const float dt_s = (float)(direction * allowed_s * longer);
                gyre_body_report report = {0};
                step_bodies(table, &b, 0, 0, 1, dt_s, &solver, &report);
                CASE("limit %d, dt_s %a", limit, dt_s);
                CASE_OF_BODY(&before, 0);
                check(report.unconverged, ==, 1);
                check(report.substeps, ==, limit);
                check_body_is_finite(&b, 0);
                check(off_unit(&b, 0), <=, 8 * eps);
                const double *in = want.inertia.at, smallest = fmin(in[0], fmin(in[1], in[2]));
                double turned = allowed_s * vector_length(want.momentum) / smallest;
                reference_body_step(&want, m->method, m->order, limit, direction * allowed_s);
                reference_body got = body_get(&b, 0, 0);
                double bound = fmin(4, ldexp(eps * (4 * limit + 16 * turned), limit - 1));
                double share = quaternion_angle(got.orientation, want.orientation) / bound;
                check_body_share(&worst, share, &before, 0, dt_s);
            }
            if (!has_bound(m)) {
                continue;
            }
            print_worst(m->name, &worst);
        }
    }
}

/* A body that needs exactly max_substeps converges. */
static void test_exactly_the_limit(void **state)
{
    (void)state;
    const reference_body body = {{{0, 0, 0, 1}}, {{4, 0, 0}}, {{1, 1, 1}}, {{0, 0, 0}}};
    const gyre_body_solver solver = {.method = GYRE_BODY_OBJECT_TRAPEZOID, .max_substeps = 4};
    EACH_TABLE(table) {
        static body_batch b;
        gyre_body_report report = {0};
        body_put(&b, 0, &body);
        step_bodies(table, &b, 0, 0, 1, 1, &solver, &report);
        check(report.substeps, ==, 4);
        check(report.unconverged, ==, 0);
    }
}

/* ---- Figures from the article cited in body/methods/midpoint_trapezoid_euler-inl.h: moments (2.5, 1.4, 1.3), h L in
   the xy-plane within +-15, 61 x 61. ----

   The share that converges from 0 to 1e-6 within 10 iterations. The library stops when the next correction would be
   below the tolerance, so a few more converge. */

enum { GRID = 61 };

static void test_convergence_map(void **state)
{
    (void)state;
    const struct {
        gyre_body_method method;
        bool fixed_point;
        double percent;
    } cases[] = {
        {GYRE_BODY_MIDPOINT, false, 85},
        {GYRE_BODY_MIDPOINT, true, 3.4},
        {GYRE_BODY_OBJECT_TRAPEZOID, false, 69},
        {GYRE_BODY_TRAPEZOID, false, 60},
    };
    EACH_BEST_TABLE(table) {
        for (size_t k = 0; k < LENGTH(cases); k++) {
            const gyre_body_solver solver = {
                .method = cases[k].method,
                .tolerance = 1e-6f,
                .max_iterations = 10,
                .substeps = 1,
                .fixed_point = cases[k].fixed_point,
            };
            gyre_body_report report = {0};
            static body_batch b;
            size_t filled = 0, of_reference = 0, sooner = 0;
            for (size_t cell = 0; cell < GRID * GRID; cell++) {
                reference_body body = {{{0, 0, 0, 1}},
                                       {{-15 + (double)(cell % GRID) * 0.5, -15 + (double)(cell / GRID) * 0.5, 0}},
                                       {{2.5, 1.4, 1.3}},
                                       {{0, 0, 0}}};
                reference_equation q = reference_equation_of(&body, cases[k].method, 0, 1);
                const vector zero = {{0, 0, 0}};
                of_reference += reference_solve(&q, zero, cases[k].fixed_point, 10, 1e-6).converged;
                double last = cases[k].fixed_point ? 1e-6 : 1e-3; /* Newton's next change is its square */
                sooner += reference_solve(&q, zero, cases[k].fixed_point, 10, last).converged;
                body_put(&b, filled++, &body);
                if (filled == BATCH_BODIES || cell + 1 == GRID * GRID) {
                    step_bodies(table, &b, 0, 0, filled, 1, &solver, &report);
                    for (size_t i = 0; i < filled; i++) {
                        CASE("method %d, cell %zu", (int)cases[k].method, cell + 1 - filled + i);
                        check_body_is_finite(&b, i);
                        check(off_unit(&b, i), <=, 8 * eps);
                    }
                    filled = 0;
                }
            }
            const double cells = GRID * GRID, percent = 100 - 100 * (double)report.unconverged / cells;
            double percent_of_reference = 100 * (double)of_reference / cells,
                   percent_one_sooner = 100 * (double)sooner / cells;
            printf("# %s: method %d%s converges in %.2f %%, the reference in %.2f %%, or %.2f %%\n", table_name(table),
                   cases[k].method, cases[k].fixed_point ? ", simple iterator," : "", percent, percent_of_reference,
                   percent_one_sooner);
            CASE("method %d, fixed point %d", (int)cases[k].method, cases[k].fixed_point);
            check_within(percent_of_reference, cases[k].percent, 0.25);
            check_within(percent, percent_one_sooner, 0.25);
        }
    }
}

/* How much one midpoint step changes the energy at its bound: with L in that plane, and in any direction. */
static void test_energy_change_at_the_bound(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        double worst[2] = {0, 0};
        for (int anywhere = 0; anywhere < 2; anywhere++) {
            random_source random = {5};
            static body_batch b;
            for (int batch = 0; batch < 40; batch++) {
                reference_body bodies[BATCH_BODIES];
                for (size_t i = 0; i < BATCH_BODIES; i++) {
                    double angle = 2 * 3.14159265358979 * (batch + (double)i / BATCH_BODIES) / 40;
                    vector in_plane = {{cos(angle), sin(angle), 0}};
                    vector direction = anywhere ? random_direction(&random) : in_plane;
                    double momentum = 0.9999 * sqrt(2) * 1.3;
                    bodies[i] = (reference_body){
                        {{0, 0, 0, 1}}, vector_scaled(direction, momentum), {{2.5, 1.4, 1.3}}, {{0, 0, 0}}};
                    body_put(&b, i, &bodies[i]);
                }
                const gyre_body_solver midpoint = {.method = GYRE_BODY_MIDPOINT};
                gyre_body_report report = {0};
                step_bodies(table, &b, 0, 0, BATCH_BODIES, 1, &midpoint, &report);
                CASE("batch %d", batch);
                check(report.substeps, ==, BATCH_BODIES);
                for (size_t i = 0; i < BATCH_BODIES; i++) {
                    reference_body got = body_get(&b, i, 0);
                    double change = reference_body_energy(&got) / reference_body_energy(&bodies[i]) - 1;
                    worst[anywhere] = worse_of(worst[anywhere], fabs(change));
                }
            }
        }
        printf("# %s: energy changes by up to %.2e in the plane, %.2e anywhere\n", table_name(table), worst[0],
               worst[1]);
        check(worst[0], <=, 6.05e-4);
        check(worst[0], >=, 5.5e-4);
        check(worst[1], <=, 1.75e-3);
        check(worst[1], >=, 1.6e-3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_all_converge_at_the_bound),
        TEST(test_number_of_substeps),
        TEST(test_plates_are_masses),
        TEST(test_units_of_time),
        TEST(test_units_of_mass),
        TEST(test_torque_counts),
        TEST(test_over_the_limit),
        TEST(test_exactly_the_limit),
        TEST(test_convergence_map),
        TEST(test_energy_change_at_the_bound),
    };
    return cmocka_run_group_tests_name("body_bounds", tests, NULL, NULL);
}
