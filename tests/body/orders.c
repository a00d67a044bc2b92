/* The double-precision references of gyre_bodies_step, and orders of convergence: of the references, of the library,
   and with torque. */
#include "support/bodies.h"

#include <math.h>

static const double eps = 0x1p-24;

/* ---- The references ---- */

static double matrix_norm(matrix a)
{
    double sum = 0;
    for (int k = 0; k < 9; k++) {
        sum = hypot(sum, a.at[k / 3][k % 3]);
    }
    return sum;
}

/* Central differences of the residual are accurate to about 1e-10 of the Jacobian; a wrong term would be off by at
   least 1e-3. */
static void test_jacobians(void **state)
{
    (void)state;
    random_source random = {1};
    EACH_METHOD(m) {
        double worst = 0;
        for (size_t i = 0; i < effort(3000); i++) {
            reference_body body = random_body(&random, -3, 2, 1);
            reference_equation q = reference_equation_of(&body, m->method, m->order, 1);
            vector u = vector_scaled(random_direction(&random), 3 * (double)random_unit(&random));
            matrix jacobian = reference_jacobian(&q, u), differences;
            const double step = 1e-5;
            for (int column = 0; column < 3; column++) {
                vector before = u, after = u;
                before.at[column] -= step;
                after.at[column] += step;
                vector slope = vector_difference(reference_residual(&q, after), reference_residual(&q, before));
                for (int row = 0; row < 3; row++) {
                    differences.at[row][column] = slope.at[row] / (2 * step);
                }
            }
            double off = matrix_norm(matrix_sum(jacobian, matrix_scaled(differences, -1))) / matrix_norm(jacobian);
            worst = worse_of(worst, off);
        }
        printf("# %s: Jacobian within %.1e of differences\n", m->name, worst);
        check(worst, <=, 1e-8);
    }
}

/* All angle errors of the motion below are measured against this. */
static void test_exact_motion(void **state)
{
    (void)state;
    random_source random = {2};
    double worst = 0, worst_energy = 0, worst_momentum = 0;
    for (size_t i = 0; i < effort(100); i++) {
        reference_body start = random_body(&random, -3, -1, 1);
        start.torque = (vector){{0, 0, 0}};
        reference_body stepped = start, end = reference_body_exact(&start, 10);
        for (int k = 0; k < 400; k++) {
            reference_body_step(&stepped, GYRE_BODY_MOSER_VESELOV, 8, 1, 0.025);
        }
        worst = worse_of(worst, quaternion_angle(stepped.orientation, end.orientation));
        worst_energy = worse_of(worst_energy, fabs(reference_body_energy(&end) / reference_body_energy(&start) - 1));
        vector same = vector_difference(end.momentum, start.momentum);
        worst_momentum = worse_of(worst_momentum, vector_length(same));
    }
    printf("# exact motion against order 8: %.1e rad, energy %.1e\n", worst, worst_energy);
    check(worst, <=, 1e-9);
    check(worst_energy, <=, 1e-9);
    check(worst_momentum, ==, 0);
}

static quaternion after_a_second(reference_body body, const method_case *m, int steps)
{
    for (int k = 0; k < steps; k++) {
        reference_body_step(&body, m->method, m->order, 1, 1.0 / steps);
    }
    return body.orientation;
}

/* The error after one second, at `steps` steps a second. */
static double reference_error(const reference_body *start, const method_case *m, int steps)
{
    return quaternion_angle(after_a_second(*start, m, steps), reference_body_exact(start, 1).orientation);
}

/* Halving the step divides the error by 2^order. So many steps that all sub-steps of an order are short enough for the
   same formula of Moser-Veselov. */
static void test_orders_of_references(void **state)
{
    (void)state;
    random_source random = {3};
    reference_body bodies[20];
    for (size_t i = 0; i < LENGTH(bodies); i++) {
        vector moments = {{2 + 0.02 * (double)random_below(&random, 20), 1.4, 1.1}};
        bodies[i] = (reference_body){
            random_attitude(&random), vector_scaled(random_direction(&random), 6), moments, {{0, 0, 0}}};
    }
    EACH_METHOD(m) {
        const int steps = m->true_order == 8 ? 16 : m->true_order == 6 ? 32 : 64;
        double coarse = 0, fine = 0; /* the mean varies less than a single body */
        for (size_t i = 0; i < LENGTH(bodies); i++) {
            coarse += reference_error(&bodies[i], m, steps);
            fine += reference_error(&bodies[i], m, 2 * steps);
        }
        double order = log2(coarse / fine);
        printf("# %s: %.1e rad, then %.1e: order %.2f\n", m->name, coarse / LENGTH(bodies), fine / LENGTH(bodies),
               order);
        check_within(order, m->true_order, 0.25);
    }
}

/* ---- Orders, in float ---- */

/* The same with so few steps that float rounding does not show, and that all are long enough for the other formula. */
static void test_orders(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        EACH_METHOD(m) {
            random_source random = {7};
            const int steps = m->true_order >= 6 ? 4 : 32;
            body_batch start = {{{0}}};
            for (size_t i = 0; i < BATCH_BODIES; i++) {
                reference_body body = {random_attitude(&random),
                                       random_direction(&random),
                                       {{2 + 0.4 * (double)random_unit(&random), 1.4, 1.1}},
                                       {{0, 0, 0}}};
                body.momentum = vector_scaled(body.momentum, 5 / vector_length(reference_body_spin(&body)));
                body_put(&start, i, &body);
            }
            double error[2] = {0, 0};
            for (int finer = 0; finer < 2; finer++) {
                gyre_body_solver solver = solver_of(m);
                solver.max_iterations = 20;
                solver.substeps = steps << finer;
                body_batch end = start;
                gyre_body_report report = {0};
                step_bodies(table, &end, BODIES_LOW, 0, BATCH_BODIES, 1, &solver, &report);
                CASE("%d sub-steps", solver.substeps);
                check(report.unconverged, ==, 0);
                for (size_t i = 0; i < BATCH_BODIES; i++) {
                    reference_body body = body_get(&start, i, BODIES_LOW), got = body_get(&end, i, BODIES_LOW);
                    reference_body want = reference_body_exact(&body, 1);
                    error[finer] += quaternion_angle(got.orientation, want.orientation) / BATCH_BODIES;
                }
            }
            double order = log2(error[0] / error[1]);
            printf("# %s, %s: %.1e rad with %d sub-steps, %.1e with twice as many: order %.2f\n", table_name(table),
                   m->name, error[0], steps, error[1], order);
            check_within(order, m->true_order, 0.25);
        }
    }
}

/* ---- Speed ---- */

/* |M| and the energy stay, so |omega|^2, which is linear in the squares of M, is largest and smallest where a component
   of M is 0. Masses of all shapes, and a long plate that nearly turns about its length. */
static void test_speeding_up(void **state)
{
    (void)state;
    random_source random = {11};
    double most = 0;
    for (size_t i = 0; i < 20000; i++) {
        const vector moments = i == 0 ? (vector){{6e-4, 1, 1.0006}} : random_inertia(&random, true, 0, 0);
        const vector m = i == 0 ? (vector){{0.03, 1, 0}} : random_direction(&random);
        const double energy = vector_dot(m, reference_body_spin(&(reference_body){{{0, 0, 0, 1}}, m, moments, {{0}}}));
        double slowest = INFINITY, fastest = 0;
        for (int k = 0; k < 3; k++) {
            const double p = 1 / moments.at[k], q = 1 / moments.at[(k + 1) % 3];
            const double part = (energy / vector_dot(m, m) - q) / (p - q);
            if (part >= 0 && part <= 1) {
                const double speed = sqrt(part * p * p + (1 - part) * q * q);
                slowest = fmin(slowest, speed);
                fastest = fmax(fastest, speed);
            }
        }
        most = fastest > 0 ? worse_of(most, fastest / slowest) : most;
    }
    printf("# bodies speed up to %.4f times\n", most);
    check(most, <=, 1.42);
    check(most, >=, 1.33);
}

/* ---- Torque ---- */

/* Against order 8 in steps so short that the kicks of 1/2048 s contribute a hundredth of the error of the coarser
   ones. */
static void test_torque_is_second_order(void **state)
{
    (void)state;
    random_source random = {9};
    double coarse[METHOD_CASES] = {0}, fine[METHOD_CASES] = {0};
    for (size_t i = 0; i < 8; i++) {
        reference_body body = {random_attitude(&random),
                               vector_scaled(random_direction(&random), 3),
                               {{2.2, 1.4, 1.1}},
                               vector_scaled(random_direction(&random), 4)};
        quaternion exact = after_a_second(body, &method_cases[1], 2048);
        for (size_t k = 0; k < METHOD_CASES; k++) {
            coarse[k] += quaternion_angle(after_a_second(body, &method_cases[k], 64), exact);
            fine[k] += quaternion_angle(after_a_second(body, &method_cases[k], 128), exact);
        }
    }
    for (size_t k = 0; k < METHOD_CASES; k++) {
        double order = log2(coarse[k] / fine[k]);
        printf("# %s with torque: order %.2f\n", method_cases[k].name, order);
        CASE("%s", method_cases[k].name);
        check_within(order, method_cases[k].true_order > 0 ? 2 : 0, 0.25);
    }
}

/* A sphere with the torque along its spin: omega t + torque t^2 / (2 I), whatever the step. Each kick may round the
   momentum by half an ulp, always in the same direction; explicit Euler rewrites it once more, through two
   rotations. */
static void test_torque_on_a_sphere(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        EACH_METHOD(m) {
            random_source random = {10};
            body_batch start = {{{0}}};
            double moment[BATCH_BODIES], spin[BATCH_BODIES], torque[BATCH_BODIES];
            for (size_t i = 0; i < BATCH_BODIES; i++) {
                vector axis = random_direction(&random);
                moment[i] = (double)random_magnitude(&random, -4, 4);
                spin[i] = 2 * (double)random_unit(&random);
                torque[i] = moment[i] * (double)random_unit(&random);
                reference_body body = {random_attitude(&random),
                                       vector_scaled(axis, moment[i] * spin[i]),
                                       {{moment[i], moment[i], moment[i]}},
                                       vector_scaled(axis, torque[i])};
                body_put(&start, i, &body);
            }
            body_batch end = start;
            gyre_body_solver solver = solver_of(m);
            const int steps = 256;
            for (int k = 0; k < steps; k++) {
                step_bodies(table, &end, BODIES_TORQUE, 0, BATCH_BODIES, 0x1p-7f, &solver, NULL);
            }
            for (size_t i = 0; i < BATCH_BODIES; i++) {
                reference_body body = body_get(&start, i, BODIES_TORQUE), got = body_get(&end, i, BODIES_TORQUE);
                double t = steps * 0x1p-7, angle = spin[i] * t + torque[i] * t * t / (2 * moment[i]);
                vector axis = vector_sum(body.momentum, body.torque);
                axis = vector_scaled(axis, angle / vector_length(axis));
                quaternion want = quaternion_product(reference_quaternion(axis), body.orientation);
                const double momentum_eps = m->method == GYRE_BODY_EXPLICIT_EULER ? 2 * steps : 0.625 * steps;
                double turned = quaternion_angle(got.orientation, want);
                CASE_OF_BODY(&start, i);
                check(turned, <=, eps * (128 + momentum_eps / 2 * angle));
                vector momentum = vector_sum(body.momentum, vector_scaled(body.torque, t));
                double off = vector_length(vector_difference(got.momentum, momentum));
                check(off, <=, momentum_eps * eps * vector_length(momentum));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_jacobians),   TEST(test_exact_motion),           TEST(test_orders_of_references),
        TEST(test_orders),      TEST(test_torque_is_second_order), TEST(test_torque_on_a_sphere),
        TEST(test_speeding_up),
    };
    return cmocka_run_group_tests_name("body_orders", tests, NULL, NULL);
}
