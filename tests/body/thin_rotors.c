/* Thin rotors in gyre_bodies_step, a thousand to one and thinner: they multiply rounding errors by the ratio of their
   moments, yet iterations converge, sub-steps are few and energy is conserved. */
#include "support/bodies.h"

#include <math.h>

static const double eps = 0x1p-24;

/* A rotor of a thousand to a million to one about its third axis that uses this share of the bound in a step of 1. */
static reference_body random_thin_rotor(random_source *random, const method_case *m, double share)
{
    const double thin = ldexp(1, -10 - (int)random_below(random, 11)) * (1 + (double)random_unit(random));
    const double uneven = random_one_in(random, 2) ? 0 : thin * (double)random_unit(random);
    reference_body body = {.inertia = {{1, 1 - uneven, thin}}, .momentum = random_direction(random)};
    for (int k = 0; k < 3 && random_one_in(random, 2); k++) {
        body.momentum.at[k] *= body.inertia.at[k];
    }
    reference_equation q = reference_equation_of(&body, m->method, m->order, 1);
    body.momentum = vector_scaled(body.momentum, share / reference_share_of_bound(&q));
    body.orientation = random_attitude(random);
    body.momentum = quaternion_rotate(body.orientation, body.momentum);
    return body;
}

/* Thin rotors up to a million to one: the small moment multiplies the rounding errors in the terms of the equation, and
   an iteration that has reached those has converged. */
static void test_thin_rotors_converge(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        EACH_METHOD(m) {
            random_source random = {10};
            for (size_t i = 0; i < effort(20000) && has_bound(m); i++) {
                const double share = random_one_in(&random, 2) ? 0.99 : (double)random_unit(&random);
                const reference_body body = random_thin_rotor(&random, m, share);
                static body_batch b;
                body_put(&b, 0, &body);
                const gyre_body_solver solver = solver_of(m);
                gyre_body_report report = {0};
                step_bodies(table, &b, i % 2 ? BODIES_LOW : 0, 0, 1, 1, &solver, &report);
                CASE("moments 1 %a %a, %d sub-steps", body.inertia.at[1], body.inertia.at[2], (int)report.substeps);
                check(report.unconverged, ==, 0);
            }
        }
    }
}

/* Thin rotors up to 2^60 to one that spin about their own axis: order 8 is close to the known attitude. */
static void test_thin_rotors_about_their_axis(void **state)
{
    (void)state;
    const double turn = 0.25, method_error = 1e-10;
    EACH_TABLE(table) {
        for (int exponent = 0; exponent >= -60; exponent--) {
            const double thin = ldexp(1, exponent);
            const reference_body body = {{{0, 0, 0, 1}}, {{0, 0, turn * thin}}, {{1, 1, thin}}, {{0, 0, 0}}};
            for (unsigned features = 0; features <= BODIES_LOW; features += BODIES_LOW) {
                static body_batch b;
                body_put(&b, 0, &body);
                step_bodies(table, &b, features, 0, 1, 1, &(gyre_body_solver){.order = 8}, NULL);
                const quaternion end = body_get(&b, 0, features).orientation;
                const double bound = features ? 0x1p-43 + 4 * eps * turn : (9 + 12 * turn) * eps;
                CASE("moment 2^%d, features %#x", exponent, features);
                check_within(2 * atan2(end.at[2], end.at[3]), turn, bound + method_error);
            }
        }
    }
}

/* A thin rotor of 2^25 to one whose large moments differ by 32 times the small one, which no mass can have. */
static void test_thin_rotors_of_no_mass(void **state)
{
    (void)state;
    const reference_body thin_rotor = {{{0, 0, 0, 1}}, {{0.3, 0.35, 0}}, {{1 - 0x1p-20, 1, 0x1p-25}}, {{0, 0, 0}}};
    EACH_TABLE(table) {
        for (int order = 6; order <= 8; order += 2) {
            static body_batch b;
            gyre_body_report report = {0};
            body_put(&b, 0, &thin_rotor);
            step_bodies(table, &b, BODIES_LOW, 0, 1, 1, &(gyre_body_solver){.order = order}, &report);
            const reference_body end = body_get(&b, 0, BODIES_LOW);
            CASE("order %d", order);
            check(report.substeps, >, 1);
            check(report.unconverged, ==, 0);
            check_within(reference_body_energy(&end) / reference_body_energy(&thin_rotor), 1, 1e-5);
        }
    }
}

/* Tilting a thin rotor changes its spin in the next sub-steps. With the orientation within (24 n + 2) eps of the exact
   one across its axis, its energy is within the bound that follows. */
static void test_thin_rotors_in_substeps(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        EACH_METHOD(m) {
            random_source random = {14};
            worst_case worst = {0};
            for (size_t i = 0; i < effort(20000) && m->method == GYRE_BODY_MOSER_VESELOV; i++) {
                const reference_body body = random_thin_rotor(&random, m, 1.1 + 2.8 * (double)random_unit(&random));
                const double thin = body.inertia.at[2];
                static body_batch b;
                body_put(&b, 0, &body);
                const body_batch before = b;
                const gyre_body_solver solver = solver_of(m);
                gyre_body_report report = {0};
                const unsigned features = thin >= 0x1p-15 && i % 2 ? BODIES_LOW : 0; /* as stated in body.h */
                step_bodies(table, &b, features, 0, 1, 1, &solver, &report);
                CASE("moments 1 %a %a", body.inertia.at[1], thin);
                check(report.unconverged, ==, 0);
                const bool closed = is_axisymmetric(body_get(&b, 0, 0).inertia); /* takes no sub-steps */
                check(report.substeps, >=, closed ? 1 : 2);
                check(report.substeps, <=, closed ? 1 : 4);
                const reference_body start = body_get(&before, 0, features), end = body_get(&b, 0, features);
                const double energy = reference_body_energy(&start);
                const double tilt = (24 * (double)report.substeps + 2) * eps * vector_length(start.momentum);
                const double bound = tilt * sqrt(2 * energy / thin) + tilt * tilt / (2 * thin);
                check_body_share(&worst, fabs(reference_body_energy(&end) - energy) / bound, &before, 0, 1);
            }
            if (m->method == GYRE_BODY_MOSER_VESELOV) {
                print_worst(m->name, &worst);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_thin_rotors_converge),
        TEST(test_thin_rotors_about_their_axis),
        TEST(test_thin_rotors_of_no_mass),
        TEST(test_thin_rotors_in_substeps),
    };
    return cmocka_run_group_tests_name("body_thin_rotors", tests, NULL, NULL);
}
