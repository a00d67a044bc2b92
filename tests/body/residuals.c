/* The worst residual that gyre_bodies_step reports, for every kind of method, against that of the reference's
   iteration. */
#include "support/bodies.h"

#include <math.h>

/* |u_n - u_n-1| / |u_n| of the reference's iteration from 0. The library divides by |u_n-1|, which changes the result
   by no more than that itself. */
static double last_change(const reference_equation *equation, bool fixed_point, int n)
{
    const vector zero = {{0, 0, 0}};
    const vector u = reference_solve(equation, zero, fixed_point, n, 0).u;
    const vector before = reference_solve(equation, zero, fixed_point, n - 1, 0).u;
    return vector_length(vector_difference(u, before)) / vector_length(u);
}

/* The residual that a step reports for one body of ordinary shape, and the equation of that body for the reference. */
static double report_of_one(const gyre_kernels *table, random_source *random, gyre_body_solver solver,
                            reference_equation *equation)
{
    static body_batch b;
    reference_body body = {.orientation = random_attitude(random), .inertia = {{1, 1.5, 2}}};
    body.momentum = vector_scaled(random_direction(random), 0.5 + 0.5 * (double)random_unit(random));
    body_put(&b, 0, &body);
    const reference_body put = body_get(&b, 0, 0);
    *equation = reference_equation_of(&put, solver.method, 0, 1);
    gyre_body_report report = {0};
    step_bodies(table, &b, 0, 0, 1, 1, &solver, &report);
    return (double)report.worst_residual;
}

/* The simple iterator reports its last change; its next one is smaller. */
static void test_residual_of_simple_iterator(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {17};
        for (int i = 0; i < 100; i++) {
            const int n = 2 + i % 4;
            const gyre_body_solver solver = {
                .method = GYRE_BODY_MIDPOINT, .max_iterations = n, .substeps = 1, .fixed_point = true};
            reference_equation equation;
            const double residual = report_of_one(table, &random, solver, &equation);
            const double last = last_change(&equation, true, n), next = last_change(&equation, true, n + 1);
            CASE("%d iterations", n);
            check(residual, <=, last / (1 - last));
            check(residual, >=, next);
        }
    }
}

/* Newton's iteration ends with a correction that reuses the derivative of the one before. The residual after it is at
   most the cube of the last change. */
static void test_residual_of_newton(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {18};
        size_t checked = 0;
        for (int i = 0; i < 100; i++) {
            const gyre_body_solver solver = {.method = GYRE_BODY_MIDPOINT, .substeps = 1};
            reference_equation equation;
            const double residual = report_of_one(table, &random, solver, &equation);
            int n = 1;
            while (last_change(&equation, false, n) > 0x1p-7) {
                n++;
            }
            const double change = last_change(&equation, false, n);
            if (change > 0x1p-11 && change < 0.99 * 0x1p-7) { /* certainly the last one, and above rounding */
                check_within(residual / pow(change, 3), 1, 3 * change + 1e-3);
                checked++;
            }
        }
        check(checked, >, 20);
    }
}

/* Before its refinement, the closed form has a residual of some eps of the rotation for ordinary bodies. With low parts
   there is no refinement. */
static void test_residual_of_closed_form(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {19};
        for (unsigned features = 0; features <= BODIES_LOW; features++) {
            for (int order = 6; order <= 8; order += 2) {
                const gyre_body_solver solver = {.order = order};
                static body_batch b;
                for (size_t i = 0; i < BATCH_BODIES; i++) {
                    reference_body body = {.orientation = random_attitude(&random), .inertia = {{1, 1.5, 2}}};
                    body.momentum = vector_scaled(random_direction(&random), 0.5);
                    body_put(&b, i, &body);
                }
                gyre_body_report report = {0};
                step_bodies(table, &b, features, 0, BATCH_BODIES, 1, &solver, &report);
                CASE("order %d, features %#x", order, features);
                if (features & BODIES_LOW) {
                    check(report.worst_residual, ==, 0);
                } else {
                    check(report.worst_residual, >=, 0x1p-27f);
                    check(report.worst_residual, <=, 0x1p-20f);
                }
            }
        }
    }
}

/* The residual is relative to the rotation, however small: from 0 the first iteration changes all of it. Uses moments
   that no mass can have, because the small-angle form of the others does not iterate. */
static void test_residual_of_small_turns(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        EACH_METHOD(m) {
            gyre_body_solver solver = solver_of(m);
            solver.max_iterations = solver.substeps = 1;
            if (m->method == GYRE_BODY_MOSER_VESELOV || m->method == GYRE_BODY_EXPLICIT_EULER) {
                continue; /* nothing to iterate */
            }
            for (int exponent = -50; exponent < 0; exponent += 5) {
                CASE("2^%d rad", exponent);
                reference_body body = {{{0, 0, 0, 1}}, {{ldexp(1, exponent), 0, 0}}, {{1, 2, 4}}, {{0, 0, 0}}};
                static body_batch b;
                gyre_body_report report = {0}, of_mass = {0};
                body_put(&b, 0, &body);
                step_bodies(table, &b, 0, 0, 1, 1, &solver, &report);
                check(report.worst_residual, >, 0.99f);
                check(report.worst_residual, <=, 1);
                body.inertia.at[2] = 2;
                body_put(&b, 0, &body);
                step_bodies(table, &b, 0, 0, 1, 1, &solver, &of_mass);
                if (exponent < -12) {
                    check(of_mass.worst_residual, ==, 0);
                } else {
                    check(of_mass.worst_residual, >, 0.99f);
                }
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_residual_of_simple_iterator),
        TEST(test_residual_of_newton),
        TEST(test_residual_of_closed_form),
        TEST(test_residual_of_small_turns),
    };
    return cmocka_run_group_tests_name("body_residuals", tests, NULL, NULL);
}
