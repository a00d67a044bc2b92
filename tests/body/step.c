/* One gyre_bodies_step against its double-precision references: its stated errors, the members of the solver, and time
   reversal. body/orders.c tests the references themselves and orders of convergence. */
#include "support/bodies.h"

#include <math.h>

static const double eps = 0x1p-24;

/* ---- One step ---- */

/* For up to 4 sub-steps n (as many as the bodies here take), with s the smallest moment: (9 + 12 h |L| / s) eps for
   one; (24 n + 32 h |L| / s) eps for more, because a body that tumbles multiplies the error of the first ones. A
   rounded orientation is within 2 eps; three of its components may also move by an ulp, to conserve the energy. */
static double step_bound(const reference_body *start, double dt_s, uint64_t substeps)
{
    const double *i = start->inertia.at, smallest = fmin(i[0], fmin(i[1], i[2]));
    double momentum = vector_length(start->momentum) + fabs(dt_s) * vector_length(start->torque);
    const double turn = fabs(dt_s) * momentum / smallest;
    return substeps > 1 ? (24 * (double)substeps + 32 * turn) * eps : (9 + 12 * turn) * eps;
}

/* Whether the step is too long for one Moser-Veselov sub-step, but the body has a closed form. */
static bool takes_no_substeps(const method_case *m, const reference_body *body, const gyre_body_solver *solver,
                              double dt_s)
{
    reference_body middle = *body;
    middle.momentum = vector_sum(body->momentum, vector_scaled(body->torque, dt_s / 2));
    return m->method == GYRE_BODY_MOSER_VESELOV && solver->substeps == 0 && is_axisymmetric(body->inertia) &&
           fabs(dt_s) * vector_length(reference_body_spin(&middle)) > 0.8;
}

/* Steps each body alone: the reference takes as many sub-steps. `more` is added to the bound. */
static void check_step(worst_case *worst, const gyre_kernels *table, const method_case *m, const body_batch *before,
                       unsigned features, float dt_s, const gyre_body_solver *solver, double more)
{
    size_t skipped = 0;
    body_batch after = *before;
    for (size_t i = 0; i < BATCH_BODIES; i++) {
        gyre_body_report report = {0};
        gyre_body_solver limited = *solver;
        limited.max_substeps = limited.max_substeps == 0 ? 64 : limited.max_substeps;
        step_bodies(table, &after, features, i, i + 1, dt_s, &limited, &report);
        if (report.unconverged > 0 && report.substeps == 64) { /* too elongated a body for the time step */
            skipped++;
            continue;
        }
        CASE("%s, features %#x, %a s", m->name, features, dt_s);
        CASE_OF_BODY(before, i);
        check(report.unconverged, ==, 0);
        reference_body want = body_get(before, i, features), got = body_get(&after, i, features);
        double bound = step_bound(&want, (double)dt_s, report.substeps) + more;
        double momentum = vector_length(want.momentum) + fabs((double)dt_s) * vector_length(want.torque);
        if (takes_no_substeps(m, &want, solver, (double)dt_s)) {
            check(report.substeps, ==, 1);
            const vector kick = vector_scaled(want.torque, (double)dt_s / 2);
            want.momentum = vector_sum(want.momentum, kick);
            want.inertia = with_equal_moments(want.inertia);
            want = reference_body_exact(&want, (double)dt_s);
            want.momentum = vector_sum(want.momentum, kick);
        } else {
            reference_body_step(&want, m->method, m->order, (int)report.substeps, (double)dt_s);
        }
        check_body_share(worst, quaternion_angle(got.orientation, want.orientation) / bound, before, i, dt_s);
        if (m->method != GYRE_BODY_EXPLICIT_EULER && !(features & BODIES_TORQUE)) {
            for (int k = 0; k < 3; k++) {
                check_bits(after.at[MOMENTUM + k][i], before->at[MOMENTUM + k][i]);
            }
        }
        double momentum_bound =
            m->method == GYRE_BODY_EXPLICIT_EULER ? momentum * bound + 8 * eps * momentum : 2 * eps * momentum;
        check(vector_length(vector_difference(got.momentum, want.momentum)), <=, momentum_bound);
        /* a body at rest keeps a length within 2^-13 of 1 */
        const double kept = momentum > 0 ? 0 : fmin(off_unit(before, i), 0x1p-13);
        check(off_unit(&after, i), <=, fmax(8 * eps, kept));
    }
    check(skipped, <=, BATCH_BODIES / 3);
}

static void test_one_step(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        EACH_METHOD(m) {
            random_source random = {4};
            worst_case worst[BODIES_FEATURES] = {{0}};
            for (size_t i = 0; i < effort(80); i++) {
                float dt_s = random_signed(&random, -10, 2);
                unsigned features = (unsigned)i % BODIES_FEATURES;
                /* from steps so small that they are lost in rounding to steps that need sub-steps */
                body_batch before = random_bodies(&random, i % 3 ? -6 : -26, 1, fabs((double)dt_s), false);
                gyre_body_solver solver = solver_of(m);
                check_step(&worst[features], table, m, &before, features, dt_s, &solver, 0);
            }
            for (unsigned features = 0; features < BODIES_FEATURES; features++) {
                static const char *const names[BODIES_FEATURES] = {"", ", low parts", ", torque", ", both"};
                char where[80];
                snprintf(where, sizeof where, "%s%s", m->name, names[features]);
                print_worst(where, &worst[features]);
            }
        }
    }
}

/* Slowly turning bodies with moments that no mass can have: their f, up to 2^19, amplifies a turn more than that of a
   mass. */
static void test_slow_bodies_of_any_moments(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        EACH_METHOD(m) {
            random_source random = {19};
            worst_case worst = {0};
            for (size_t round = 0; round < effort(20); round++) {
                const float dt_s = random_signed(&random, -10, 2);
                body_batch before = random_bodies(&random, -30, -8, fabs((double)dt_s), false);
                for (size_t i = 0; i < BATCH_BODIES; i++) {
                    const vector moments = random_inertia(&random, false, 0, 0);
                    const vector old = body_get(&before, i, 0).inertia;
                    const double scale = fmin(old.at[0], fmin(old.at[1], old.at[2]));
                    for (int k = 0; k < 3; k++) {
                        before.at[INERTIA + k][i] = (float)(moments.at[k] * scale);
                    }
                }
                gyre_body_solver solver = solver_of(m);
                check_step(&worst, table, m, &before, 0, dt_s, &solver, 0);
            }
            print_worst(m->name, &worst);
        }
    }
}

/* In closed form, a requested sub-step may turn a mass by 2 rad, including thin rotors and plates. */
static void test_long_substeps(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        EACH_METHOD(m) {
            random_source random = {16};
            worst_case worst = {0};
            for (size_t i = 0; i < effort(100) && m->order >= 6; i++) {
                const float dt_s = random_signed(&random, -10, 2);
                const body_batch before = random_bodies(&random, -2, 1, fabs((double)dt_s), false);
                const gyre_body_solver one_substep = {.order = m->order, .substeps = 1};
                check_step(&worst, table, m, &before, (unsigned)i % 2 ? BODIES_LOW : 0, dt_s, &one_substep, 0);
            }
            if (m->order >= 6) {
                print_worst(m->name, &worst);
            }
        }
    }
}

/* The bodies with the largest errors that hill climbing found: moments up to 60,000 to one, and near spheres. */
static void test_hard_bodies(void **state)
{
    (void)state;
    static const struct {
        size_t method;
        float dt_s;
        reference_body body;
    } hard[] = {
        {0,
         1,
         {{{0x1.0c58bep-1, -0x1.f9ae32p-3, -0x1.3de2a2p-1, 0x1.0e5f36p-1}},
          {{0x1.cb990ep+1, -0x1.ed1786p+4, -0x1.a63f58p+3}},
          {{0x1.bea454p+2, 0x1.c678b2p+2, 0x1.f8e934p-4}},
          {{0}}}},
        {1,
         1,
         {{{-0x1.57cb06p-3, 0x1.b6a86cp-2, -0x1.611942p-1, 0x1.1e4f32p-1}},
          {{0x1.0f4862p-5, 0x1.595ce2p+0, 0x1.d8c7e4p-1}},
          {{0x1.7bdb64p-2, 0x1.824bd4p-2, 0x1.c48cd8p-8}},
          {{0}}}},
        {0,
         1,
         {{{-0x1.4374dp-1, -0x1.82b958p-3, 0x1.7c3c44p-1, -0x1.df96bcp-4}},
          {{0x1.45b20ap+1, 0x1.3826b6p+0, -0x1.7c33a2p-2}},
          {{0x1.e7cbp+1, 0x1.c2d084p-14, 0x1.e7c7e6p+1}},
          {{0}}}},
        {1,
         1,
         {{{-0x1.b2fe4ep-1, -0x1.5af79ap-4, 0x1.53a6a4p-3, -0x1.f94e5cp-2}},
          {{0x1.a185c8p+2, -0x1.72cde4p-1, -0x1.7400b2p+0}},
          {{0x1.6e5304p+1, 0x1.6e53e6p+1, 0x1.8ce866p-15}},
          {{0}}}},
        {4,
         1,
         {{{-0x1.64b86ep-3, -0x1.880e54p-1, 0x1.3648ep-1, 0x1.036dcp-3}},
          {{-0x1.cf7586p-1, -0x1.fd9a96p+0, -0x1.0c724cp-1}},
          {{0x1.917fc2p-1, 0x1.80f3ecp-1, 0x1.9082eep-1}},
          {{0}}}},
    };
    EACH_BEST_TABLE(table) {
        for (size_t k = 0; k < LENGTH(hard); k++) {
            const method_case *m = &method_cases[hard[k].method];
            const gyre_body_solver solver = solver_of(m);
            static body_batch b;
            for (size_t i = 0; i < BATCH_BODIES; i++) {
                body_put(&b, i, &hard[k].body);
            }
            worst_case worst = {0};
            check_step(&worst, table, m, &b, 0, hard[k].dt_s, &solver, 0);
            print_worst(m->name, &worst);
        }
    }
}

/* The closed form conserves the energy of a thin rotor, 58,000 to one, in one sub-step of 2 rad. */
static void test_energy_of_a_thin_rotor(void **state)
{
    (void)state;
    static const reference_body thin_rotor = {
        {{-0x1.928078p-2, 0x1.75afb6p-1, 0x1.0361f4p-3, 0x1.16eb2ap-1}},
        {{-0x1.fba64ep+2, 0x1.f3d4d6p+1, -0x1.09b448p+0}},
        {{0x1.607d4cp-14, 0x1.3a0658p+2, 0x1.3a07aep+2}},
        {{0}},
    };
    EACH_BEST_TABLE(table) {
        for (int order = 6; order <= 8; order += 2) {
            const gyre_body_solver one_substep = {.order = order, .substeps = 1};
            static body_batch b;
            body_put(&b, 0, &thin_rotor);
            step_bodies(table, &b, 0, 0, 1, 1, &one_substep, NULL);
            reference_body after = body_get(&b, 0, 0);
            double change = reference_body_energy(&after) / reference_body_energy(&thin_rotor) - 1;
            printf("# %s, order %d: energy changes by %.1e\n", table_name(table), order, change);
            CASE("order %d", order);
            check(fabs(change), <=, 1e-5);
        }
    }
}

/* An orientation of any length is rounded once more, and is a unit quaternion afterwards. */
static void test_any_length(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        EACH_METHOD(m) {
            random_source random = {9};
            worst_case worst = {0};
            for (size_t i = 0; i < effort(20); i++) {
                body_batch before = random_bodies(&random, -10, 0, 0.125, false);
                random_lengths(&random, &before);
                gyre_body_solver solver = solver_of(m);
                unsigned features = (unsigned)i % BODIES_FEATURES;
                check_step(&worst, table, m, &before, features, 0.125f, &solver, 2 * eps);
            }
            print_worst(m->name, &worst);
        }
    }
}

/* The low parts of a long orientation are proportionally as large. */
static void test_any_length_with_low_parts(void **state)
{
    (void)state;
    const float q[4] = {0x1.104744p+28f, -0x1.3e817cp+27f, -0x1.05d084p+28f, -0x1.12c194p+28f};
    const float low[4] = {-0x1.fffffcp+3f, 0x1.fffff4p+2f, -0x1.9057cp+3f, -0x1.fffffep+3f};
    EACH_TABLE(table) {
        body_batch b = {{{0}}};
        for (int k = 0; k < 4; k++) {
            b.at[ORIENTATION + k][0] = q[k];
            b.at[ORIENTATION_LOW + k][0] = low[k];
        }
        for (int k = 0; k < 3; k++) {
            b.at[INERTIA + k][0] = 1;
        }
        const quaternion exact = body_get(&b, 0, BODIES_LOW).orientation;
        step_bodies(table, &b, BODIES_LOW, 0, 1, 0.01f, NULL, NULL);
        check(quaternion_angle(body_get(&b, 0, BODIES_LOW).orientation, exact), <=, 2 * eps);
    }
}

/* Changes the length by up to 2^-13, in both parts together. Returns by how much. */
static double lengthen(random_source *random, body_batch *b, size_t i)
{
    const double more = (double)random_signed(random, -30, -13);
    for (int k = 0; k < 4; k++) {
        float *high = &b->at[ORIENTATION + k][i], *low = &b->at[ORIENTATION_LOW + k][i];
        const double whole = ((double)*high + (double)*low) * (1 + more);
        *high = (float)whole;
        *low = (float)(whole - (double)*high);
    }
    return fabs(more);
}

/* With low parts, the error of one sub-step is 2^-43 rad plus 10 eps of h |L| / s; for Moser-Veselov 4 eps, and 2^-29
   up to 0.1. If the length is further than 2^-17 from 1, it is 2^-23 more; the next length is 1. */
static void test_low_parts(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        EACH_METHOD(m) {
            random_source random = {10};
            worst_case worst = {0};
            for (size_t round = 0; round < effort(40); round++) {
                body_batch before = random_bodies(&random, -20, 0, 0.125, false);
                double longer[BATCH_BODIES] = {0};
                for (size_t i = 0; i < BATCH_BODIES && round % 2 == 1; i++) {
                    longer[i] = lengthen(&random, &before, i);
                }
                body_batch after = before;
                gyre_body_solver solver = solver_of(m);
                for (size_t i = 0; i < BATCH_BODIES; i++) {
                    gyre_body_report report = {0};
                    step_bodies(table, &after, BODIES_LOW, i, i + 1, 0.125f, &solver, &report);
                    reference_body want = body_get(&before, i, BODIES_LOW), got = body_get(&after, i, BODIES_LOW);
                    if (report.substeps > 1 || takes_no_substeps(m, &want, &solver, 0.125)) {
                        continue;
                    }
                    const double *moments = want.inertia.at, smallest = fmin(moments[0], fmin(moments[1], moments[2]));
                    double turn = 0.125 * vector_length(want.momentum) / smallest;
                    double part = m->method != GYRE_BODY_MOSER_VESELOV ? 10 * eps : turn <= 0.1 ? 0x1p-29 : 4 * eps;
                    part += longer[i] > 0x1p-17 ? 0x1p-23 : 0;
                    reference_body_step(&want, m->method, m->order, 1, 0.125);
                    double share = quaternion_angle(got.orientation, want.orientation) / (part * turn + 0x1p-43);
                    check_body_share(&worst, share, &before, i, 0.125f);
                    CASE_OF_BODY(&before, i);
                    check(off_unit(&after, i), <=, (vector_length(want.momentum) > 0 ? 8 * eps : 0x1.1p-13));
                }
            }
            print_worst(m->name, &worst);
        }
    }
}

/* The length after requested sub-steps of any size, in closed form, including spheres, in whose k almost everything
   cancels. */
static void test_length_in_long_substeps(void **state)
{
    (void)state;
    const gyre_body_solver solvers[] = {{.order = 6, .substeps = 1}, {.order = 8, .substeps = 1}};
    EACH_BEST_TABLE(table) {
        random_source random = {15};
        double worst[2] = {0, 0};
        for (size_t i = 0; i < effort(40000); i++) {
            reference_body body = {.orientation = random_attitude(&random), .momentum = random_direction(&random)};
            body.inertia = random_one_in(&random, 3) ? (vector){{1, 1, 1}} : random_inertia(&random, true, -3, 3);
            body.momentum = vector_scaled(body.momentum, (double)random_magnitude(&random, -2, 30));
            const bool low = random_one_in(&random, 2);
            for (size_t order = 0; order < LENGTH(solvers); order++) {
                static body_batch b;
                body_put(&b, 0, &body);
                step_bodies(table, &b, low ? BODIES_LOW : 0, 0, 1, 1, &solvers[order], NULL);
                worst[low] = fmax(worst[low], off_unit(&b, 0) / eps);
            }
        }
        printf("# %s: length within %.1f eps, with low parts %.1f\n", table_name(table), worst[0], worst[1]);
        check(worst[0], <=, 8);
        check(worst[1], <=, 8);
    }
}

/* max_substeps above 2^24 is treated as 2^24, the largest count that a float holds. */
static void test_most_substeps(void **state)
{
    (void)state;
    if (effort(100) < 100) {
        printf("# left out: it takes minutes under an emulator\n");
        return;
    }
    const gyre_kernels *table = gyre_kernels_best(GYRE_ROUNDING_PORTABLE);
    const reference_body body = {{{0, 0, 0, 1}}, {{1e9, 2e9, 3e9}}, {{1, 1.5, 2}}, {{0, 0, 0}}};
    body_batch b = {{{0}}};
    body_put(&b, 0, &body);
    const gyre_body_solver solver = {.method = GYRE_BODY_MIDPOINT, .max_substeps = INT32_MAX};
    gyre_body_report report = {0};
    step_bodies(table, &b, 0, 0, 1, 1, &solver, &report);
    check(report.substeps, ==, 1 << 24);
    check(report.unconverged, ==, 1);
    check_body_is_finite(&b, 0);
}

/* A given number of sub-steps, ignoring max_substeps, and looser and tighter limits. */
static void test_members_of_solver(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {5};
        EACH_METHOD(m) {
            body_batch before = random_bodies(&random, -4, 0, 0.125, false);
            for (int substeps = 1; substeps <= 100; substeps = 3 * substeps + 1) {
                gyre_body_solver solver = solver_of(m);
                solver.substeps = substeps;
                solver.max_substeps = 2;
                solver.max_iterations = 30;
                body_batch after = before;
                gyre_body_report report = {0};
                step_bodies(table, &after, 0, 0, BATCH_BODIES, 0.125f, &solver, &report);
                CASE("%d sub-steps", substeps);
                check(report.substeps, ==, BATCH_BODIES * (uint64_t)substeps);
            }
        }
        /* one Newton iteration from 0 is v = omega: I v = M */
        gyre_body_solver one = {.method = GYRE_BODY_MIDPOINT, .substeps = 1, .max_iterations = 1};
        body_batch before = random_bodies(&random, -4, 0, 0.125, false), after = before;
        gyre_body_report report = {0};
        step_bodies(table, &after, 0, 0, BATCH_BODIES, 0.125f, &one, &report);
        check(report.iterations, <=, BATCH_BODIES);
        check(report.unconverged, >, BATCH_BODIES / 2);
        check(report.worst_residual, >, 1e-3f);
        /* a looser tolerance takes fewer iterations, and the simple iterator takes more */
        uint64_t iterations[3];
        for (int k = 0; k < 3; k++) {
            gyre_body_solver solver = {.method = GYRE_BODY_MIDPOINT, .max_iterations = 60, .substeps = 4};
            solver.tolerance = k == 0 ? 0.1f : 0;
            solver.fixed_point = k == 2;
            body_batch moved = before;
            gyre_body_report of_this = {0};
            step_bodies(table, &moved, 0, 0, BATCH_BODIES, 0.125f, &solver, &of_this);
            iterations[k] = of_this.iterations;
        }
        printf("# %s: %.2f iterations a sub-step to 0.1, %.2f to rounding, %.2f by the simple iterator\n",
               table_name(table), (double)iterations[0] / 4 / BATCH_BODIES, (double)iterations[1] / 4 / BATCH_BODIES,
               (double)iterations[2] / 4 / BATCH_BODIES);
        check(iterations[0], <, iterations[1]);
        check(iterations[1], <, iterations[2]);
    }
}

/* An iteration that hits its limit returns its last iterate without a final correction: that of the reference after as
   many iterations. */
static void test_last_iterate(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        EACH_METHOD(m) {
            if (m->method == GYRE_BODY_MOSER_VESELOV || m->method == GYRE_BODY_EXPLICIT_EULER) {
                continue; /* nothing to iterate */
            }
            random_source random = {20};
            worst_case worst = {0};
            for (int i = 0; i < 400; i++) {
                const gyre_body_solver solver = {
                    .method = m->method, .max_iterations = 1 + i % 3, .substeps = 1, .fixed_point = i / 3 % 2 == 1};
                reference_body body = {.orientation = random_attitude(&random), .inertia = {{1, 1.5, 2}}};
                body.momentum = vector_scaled(random_direction(&random), 0.5 + 0.5 * (double)random_unit(&random));
                static body_batch b;
                body_put(&b, 0, &body);
                const body_batch before = b;
                reference_body want = body_get(&b, 0, 0);
                const reference_equation q = reference_equation_of(&want, m->method, m->order, 1);
                const vector u =
                    reference_solve(&q, (vector){{0, 0, 0}}, solver.fixed_point, solver.max_iterations, 0).u;
                want.orientation = quaternion_normalised(quaternion_product(want.orientation, reference_quaternion(u)));
                gyre_body_report report = {0};
                step_bodies(table, &b, 0, 0, 1, 1, &solver, &report);
                if (report.unconverged == 1) {
                    const double off = quaternion_angle(body_get(&b, 0, 0).orientation, want.orientation);
                    check_body_share(&worst, off / step_bound(&want, 1, 1), &before, 0, 1);
                }
            }
            check(worst.share, >, 0);
            print_worst(m->name, &worst);
        }
    }
}

/* Order 0 means 6, NULL means all zeros, and methods of one order ignore it. */
static void test_defaults(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {6};
        body_batch start = random_bodies(&random, -6, 2, 0.125, true), by_null = start;
        step_bodies(table, &by_null, BODIES_TORQUE, 0, BATCH_BODIES, 0.125f, NULL, NULL);
        const gyre_body_solver same[] = {
            {.order = 0},
            {.order = 6, .max_iterations = 8, .max_substeps = 1024},
        };
        for (size_t k = 0; k < LENGTH(same); k++) {
            body_batch moved = start;
            step_bodies(table, &moved, BODIES_TORQUE, 0, BATCH_BODIES, 0.125f, &same[k], NULL);
            check_same_bodies(&moved, &by_null);
        }
        body_batch want = start;
        const gyre_body_solver midpoint = {.method = GYRE_BODY_MIDPOINT};
        step_bodies(table, &want, 0, 0, BATCH_BODIES, 0.125f, &midpoint, NULL);
        const gyre_body_solver with_order = {.method = GYRE_BODY_MIDPOINT, .order = 8};
        body_batch moved = start;
        step_bodies(table, &moved, 0, 0, BATCH_BODIES, 0.125f, &with_order, NULL);
        check_same_bodies(&moved, &want);
    }
}

/* ---- Time reversal ---- */

/* A step forward and one back of the symmetric methods return to the start, within the rounding of both. The exception:
   the step back takes another number of sub-steps, which happens at the border between two numbers, or too few. */
static void test_time_reversal(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        EACH_METHOD(m) {
            random_source random = {8};
            double worst = 0, largest = 0;
            size_t rounds = effort(60), skipped = 0;
            for (size_t round = 0; round < rounds; round++) {
                float dt_s = random_signed(&random, -10, 2);
                unsigned features = (unsigned)round % BODIES_FEATURES;
                const body_batch start = random_bodies(&random, -4, 0, fabs((double)dt_s), false);
                body_batch end = start;
                gyre_body_solver solver = solver_of(m);
                for (size_t i = 0; i < BATCH_BODIES; i++) {
                    gyre_body_report report = {0}, back = {0};
                    step_bodies(table, &end, features, i, i + 1, dt_s, &solver, &report);
                    step_bodies(table, &end, features, i, i + 1, -dt_s, &solver, &back);
                    if (report.unconverged + back.unconverged > 0 || report.substeps != back.substeps) {
                        skipped++;
                        continue;
                    }
                    reference_body before = body_get(&start, i, features), after = body_get(&end, i, features);
                    double angle = quaternion_angle(before.orientation, after.orientation);
                    double bound = 2 * step_bound(&before, (double)dt_s, report.substeps);
                    worst = worse_of(worst, angle / bound);
                    largest = worse_of(largest, angle);
                    if (m->symmetric) {
                        CASE("%a s", dt_s);
                        CASE_OF_BODY(&start, i);
                        check(angle, <=, bound);
                    }
                }
            }
            check(skipped, <=, rounds * BATCH_BODIES / 4);
            printf("# %s, %s: there and back %.1e rad, %.3f of the bound\n", table_name(table), m->name, largest,
                   worst);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_one_step),
        TEST(test_slow_bodies_of_any_moments),
        TEST(test_long_substeps),
        TEST(test_hard_bodies),
        TEST(test_energy_of_a_thin_rotor),
        TEST(test_any_length),
        TEST(test_any_length_with_low_parts),
        TEST(test_low_parts),
        TEST(test_length_in_long_substeps),
        TEST(test_most_substeps),
        TEST(test_members_of_solver),
        TEST(test_last_iterate),
        TEST(test_defaults),
        TEST(test_time_reversal),
    };
    return cmocka_run_group_tests_name("body_step", tests, NULL, NULL);
}
