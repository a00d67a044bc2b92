/* Bodies of gyre_bodies_step that are not stepped like the others in their block: small angles, more sub-steps, invalid
   bodies. They and their neighbours get the same bits and report as each body alone. */
#include "support/bodies.h"

#include <float.h>
#include <math.h>

static const float frame_s = 0x1p-6f;

/* Thin rotors that turn by a small angle in their first sub-step, but not in the whole step. */
static void test_small_angle_in_first_substep(void **state)
{
    (void)state;
    const reference_body thin_rotor = {
        {{0, 0, 0, 1}}, {{0, 0x1.333p-11, -0x1.666p-12}}, {{0x1p-14, 1, 1 - 0x1p-15}}, {{0, 0, 0}}};
    EACH_TABLE(table) {
        EACH_METHOD(m) {
            static body_batch whole, single;
            for (size_t i = 0; i < BATCH_BODIES; i++) {
                body_put(&whole, i, &thin_rotor);
            }
            single = whole;
            const gyre_body_solver solver = solver_of(m);
            gyre_body_report of_whole = {0}, of_single = {0};
            step_bodies(table, &whole, 0, 0, 128, 1, &solver, &of_whole);
            for (size_t i = 0; i < 128; i++) {
                step_bodies(table, &single, 0, i, i + 1, 1, &solver, &of_single);
            }
            check_same_bodies(&single, &whole);
            check_same_report(&of_single, &of_whole);
        }
    }
}

/* Bodies that become faster or slower, with small angles in some of the given sub-steps: the same alone and next to one
   with small angles in all of them. */
static void test_small_angle_in_some_substeps(void **state)
{
    (void)state;
    enum { SUBSTEPS = 4096 }; /* each turns a body of 1 rad/s by 2^-12 rad */
    const reference_body slowing = {{{0, 0, 0, 1}}, {{0.245, 0.685, 0.587}}, {{0.4, 1, 1.3}}, {{0, 0, 0}}};
    const reference_body quickening = {{{0, 0, 0, 1}}, {{-0.215, 0.64, 0.64}}, {{0.4, 1, 1.3}}, {{0, 0, 0}}};
    const reference_body small_angle = {{{0, 0, 0, 1}}, {{1e-2, 0, 0}}, {{1, 1, 1}}, {{0, 0, 0}}};
    const reference_body slowed = reference_body_exact(&slowing, 1), quickened = reference_body_exact(&quickening, 1);
    const vector before[] = {reference_body_spin(&slowing), reference_body_spin(&quickening)};
    const vector after[] = {reference_body_spin(&slowed), reference_body_spin(&quickened)};
    check(vector_length(before[0]), >, 1.01);
    check(vector_length(after[0]), <, 0.99);
    check(vector_length(before[1]), <, 0.99);
    check(vector_length(after[1]), >, 1.01);
    EACH_TABLE(table) {
        EACH_METHOD(m) {
            static body_batch together, single;
            body_put(&together, 0, &slowing);
            body_put(&together, 1, &quickening);
            body_put(&together, 2, &small_angle);
            single = together;
            gyre_body_solver solver = solver_of(m);
            solver.substeps = SUBSTEPS;
            step_bodies(table, &together, 0, 0, 3, 1, &solver, NULL);
            for (size_t i = 0; i < 3; i++) {
                step_bodies(table, &single, 0, i, i + 1, 1, &solver, NULL);
                check_same_body(&single, i, &together, i);
            }
        }
    }
}

/* Bodies at rest and with small angles next to others: the same as each alone, including reports. */
static void test_small_angles_among_others(void **state)
{
    (void)state;
    const double turns[] = {0x1p-4, 0x1p-14, 0, 0x1p-19, 0x1p-60};
    EACH_TABLE(table) {
        EACH_METHOD(m) {
            for (unsigned features = 0; features <= BODIES_LOW; features++) {
                random_source random = {11};
                static body_batch whole, single;
                for (size_t i = 0; i < BATCH_BODIES; i++) {
                    reference_body body = random_body(&random, -1, 0, 1);
                    const double spin = vector_length(reference_body_spin(&body));
                    body.momentum = vector_scaled(body.momentum, turns[random_below(&random, LENGTH(turns))] / spin);
                    body_put(&whole, i, &body);
                }
                single = whole;
                const gyre_body_solver solver = solver_of(m);
                gyre_body_report of_whole = {0}, of_single = {0};
                step_bodies(table, &whole, features, 0, BATCH_BODIES, 1, &solver, &of_whole);
                for (size_t i = 0; i < BATCH_BODIES; i++) {
                    step_bodies(table, &single, features, i, i + 1, 1, &solver, &of_single);
                }
                check_same_bodies(&single, &whole);
                check_same_report(&of_single, &of_whole);
            }
        }
    }
}

/* With tolerances whose square is too large for a float, a body at rest next to a moving one: the same as each alone.
   The first correction of each meets such a tolerance. */
static void test_rest_under_large_tolerances(void **state)
{
    (void)state;
    const float tolerances[] = {1, 0x1p64f, FLT_MAX};
    const reference_body rest = {{{0, 0, 0, 1}}, {{0, 0, 0}}, {{1, 1.2, 1.3}}, {{0, 0, 0}}};
    reference_body moving = rest;
    moving.momentum = (vector){{0.1, 0.2, -0.1}};
    EACH_TABLE(table) {
        EACH_METHOD(m) {
            for (size_t k = 0; k < 2 * LENGTH(tolerances); k++) {
                gyre_body_solver solver = solver_of(m);
                solver.tolerance = tolerances[k / 2];
                solver.fixed_point = k % 2 == 1;
                static body_batch together, single;
                body_put(&together, 0, &rest);
                body_put(&together, 1, &moving);
                single = together;
                gyre_body_report of_both = {0}, of_single = {0};
                step_bodies(table, &together, 0, 0, 2, frame_s, &solver, &of_both);
                for (size_t i = 0; i < 2; i++) {
                    step_bodies(table, &single, 0, i, i + 1, frame_s, &solver, &of_single);
                }
                CASE("tolerance %a, fixed_point %d", solver.tolerance, solver.fixed_point);
                check(of_both.unconverged, ==, 0);
                check(of_both.iterations, ==, m->method == GYRE_BODY_EXPLICIT_EULER ? 0 : 2);
                check_same_bodies(&together, &single);
                check_same_report(&of_both, &of_single);
            }
        }
    }
}

/* Next to an invalid body, bodies of 2^66 rad/s and bodies too fast for a float get the same bits as alone. */
static void test_invalid_among_fast_bodies(void **state)
{
    (void)state;
    const struct {
        double speed, size;
        float dt_s;
    } kinds[] = {{0x1p66, 1, 0x1p-68f}, {0x1p132, 0x1p-10, 0x1p-136f}};
    EACH_TABLE(table) {
        EACH_METHOD(m) {
            const gyre_body_solver solver = solver_of(m);
            for (size_t k = 0; k < LENGTH(kinds); k++) {
                const double s = kinds[k].speed * kinds[k].size, i = kinds[k].size;
                const reference_body fast = {{{0, 0, 0, 1}}, {{s, 0.4 * s, 0}}, {{i, 1.2 * i, 1.5 * i}}, {{0, 0, 0}}};
                static body_batch alone, together;
                for (size_t n = 0; n < 2; n++) {
                    body_put(&alone, n, &fast);
                    body_put(&together, n, &fast);
                }
                together.at[ORIENTATION + 3][1] = NAN;
                gyre_body_report of_one = {0}, of_two = {0};
                step_bodies(table, &alone, 0, 0, 1, kinds[k].dt_s, &solver, &of_one);
                step_bodies(table, &together, 0, 0, 2, kinds[k].dt_s, &solver, &of_two);
                CASE("%a rad/s", kinds[k].speed);
                check(of_two.substeps, ==, of_one.substeps);
                check(of_two.unconverged, ==, of_one.unconverged + 1);
                for (size_t q = 0; q < 4; q++) {
                    CASE("component %zu", q);
                    check_same(together.at[ORIENTATION + q][0], alone.at[ORIENTATION + q][0]);
                }
            }
        }
    }
}

/* Whole blocks of one kind: slow bodies, thin rotors and those of 2^66 rad/s get the same bits as one of them alone. */
static void test_blocks_of_one_kind(void **state)
{
    (void)state;
    const struct {
        double speed, thin;
        float dt_s;
    } kinds[] = {{1, 1, 0x1p-6f}, {40, 0x1p-10, 0x1p-7f}, {0x1p66, 1, 0x1p-72f}};
    EACH_TABLE(table) {
        EACH_METHOD(m) {
            for (size_t k = 0; k < LENGTH(kinds); k++) {
                const double s = kinds[k].speed, thin = kinds[k].thin;
                const reference_body body = {
                    {{0, 0.6, 0, 0.8}}, {{s, 0.7 * s * thin, 0.4 * s}}, {{1.2, 0.9 * thin, 1.2}}, {{0, 0, 0}}};
                const gyre_body_solver solver = solver_of(m);
                static body_batch alone, together;
                for (size_t i = 0; i < BATCH_BODIES; i++) {
                    body_put(&alone, i, &body);
                }
                together = alone;
                step_bodies(table, &alone, 0, 0, 1, kinds[k].dt_s, &solver, NULL);
                step_bodies(table, &together, 0, 0, BATCH_BODIES, kinds[k].dt_s, &solver, NULL);
                for (size_t i = 0; i < BATCH_BODIES; i++) {
                    CASE("%a rad/s", kinds[k].speed);
                    check_same_body(&together, i, &alone, 0);
                }
            }
        }
    }
}

/* Rods up to 60 to one in the longest proven steps, 0.797 rad, nearly about an axis or not: a block of them gives the
   same as each alone, and none is taken for a well-conditioned body. */
static void test_rods_in_longest_steps(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        for (unsigned features = 0; features <= BODIES_LOW; features += BODIES_LOW) {
            for (int order = 6; order <= 8; order += 2) {
                random_source random = {31};
                static body_batch whole, single;
                for (size_t i = 0; i < BATCH_BODIES; i++) {
                    const double longer = 2 + 58 * (double)random_unit(&random), about_axis = i % 2 ? 0.05 : 1;
                    const size_t axis = i % 3;
                    reference_body body = {.orientation = random_attitude(&random),
                                           .inertia = {{longer, longer, longer}}};
                    body.inertia.at[axis] = 1;
                    vector spin = random_direction(&random);
                    spin.at[(axis + 1) % 3] *= about_axis;
                    spin.at[(axis + 2) % 3] *= about_axis;
                    spin = vector_scaled(spin, 0.797 * (1 - 0x1p-20) / vector_length(spin));
                    for (int k = 0; k < 3; k++) {
                        body.momentum.at[k] = spin.at[k] * body.inertia.at[k];
                    }
                    body.momentum = quaternion_rotate(body.orientation, body.momentum);
                    body_put(&whole, i, &body);
                }
                single = whole;
                const gyre_body_solver solver = {.order = order};
                gyre_body_report report = {0};
                step_bodies(table, &whole, features, 0, BATCH_BODIES, 1, &solver, &report);
                CASE("order %d, features %#x", order, features);
                check(report.substeps, ==, BATCH_BODIES);
                for (size_t i = 0; i < BATCH_BODIES; i++) {
                    step_bodies(table, &single, features, i, i + 1, 1, &solver, NULL);
                }
                check_same_bodies(&single, &whole);
            }
        }
    }
}

/* Some fast bodies in each of many blocks, more than are gathered at once: the same as each alone. */
static void test_many_gathered(void **state)
{
    (void)state;
    enum { MANY = 768, FAST_EVERY = 6 };
    static float at[BODY_ARRAYS][MANY];
    gyre_bodies many = {.count = MANY};
    for (size_t k = 0; k < 4; k++) {
        many.orientation[k] = at[ORIENTATION + k];
    }
    for (size_t k = 0; k < 3; k++) {
        many.momentum[k] = at[MOMENTUM + k];
        many.inertia[k] = at[INERTIA + k];
    }
    EACH_TABLE(table) {
        EACH_METHOD(m) {
            const unsigned features = (m - method_cases) % 2 ? BODIES_LOW : BODIES_TORQUE;
            for (size_t k = 0; k < 4; k++) {
                many.orientation_low[k] = features == BODIES_LOW ? at[ORIENTATION_LOW + k] : NULL;
                many.torque[k % 3] = features == BODIES_LOW ? NULL : at[TORQUE + k % 3];
            }
            random_source random = {23};
            body_batch kinds[2];
            for (size_t i = 0; i < BATCH_BODIES; i++) {
                for (size_t kind = 0; kind < 2; kind++) {
                    reference_body body = {.orientation = random_attitude(&random), .inertia = {{1, 1.25, 1.5}}};
                    const double rad_s = kind == 0 ? 12 : 200 + 300 * (double)random_unit(&random);
                    body.momentum = vector_scaled(random_direction(&random), rad_s);
                    body.torque = random_direction(&random);
                    body_put(&kinds[kind], i, &body);
                }
            }
            for (size_t a = 0; a < BODY_ARRAYS; a++) {
                for (size_t i = 0; i < MANY; i++) {
                    at[a][i] = kinds[i % FAST_EVERY == 0].at[a][i % BATCH_BODIES];
                }
            }
            const gyre_body_solver solver = solver_of(m);
            gyre_body_report of_kinds[2][BATCH_BODIES] = {0}, of_many = {0};
            const gyre_status status = table->bodies_step(&many, 0, MANY, frame_s, &solver, &of_many);
            check_status(status, of_many.unconverged > 0 ? GYRE_INCOMPLETE : GYRE_OK);
            for (size_t i = 0; i < BATCH_BODIES; i++) {
                for (size_t kind = 0; kind < 2; kind++) {
                    step_bodies(table, &kinds[kind], features, i, i + 1, frame_s, &solver, &of_kinds[kind][i]);
                }
            }
            gyre_body_report sum = {0};
            for (size_t i = 0; i < MANY; i++) {
                const size_t kind = i % FAST_EVERY == 0, k = i % BATCH_BODIES;
                for (size_t a = 0; a < TORQUE; a++) {
                    CASE("body %zu, array %zu", i, a);
                    check_same(at[a][i], kinds[kind].at[a][k]);
                }
                add_report(&sum, &of_kinds[kind][k]);
            }
            check_same_report(&of_many, &sum);
        }
    }
}

/* Thin rotors with moments up to 2^100 to one, in sub-steps next to a body that started its own earlier: the same as
   each alone. The bound of a thin rotor is computed again whenever a body joins. */
static void test_thin_rotors_among_gathered(void **state)
{
    (void)state;
    enum { FIRST, THIN_ROTOR = 64, TOGETHER = 66 }; /* in consecutive blocks */
    const reference_body slow = {{{0, 0, 0, 1}}, {{0.01, 0.01, 0.01}}, {{1, 1.2, 1.3}}, {{0, 0, 0}}};
    reference_body fast = slow;
    fast.momentum = vector_scaled(slow.momentum, 500);
    EACH_TABLE(table) {
        EACH_METHOD(m) {
            random_source random = {29};
            const gyre_body_solver solver = solver_of(m);
            for (int exponent = 20; exponent <= 100; exponent += 2) {
                static body_batch together, alone;
                reference_body thin_rotor = {
                    {{0.5, 0.5, 0.5, 0.5}}, random_direction(&random), {{1, 1, 1}}, {{0, 0, 0}}};
                thin_rotor.inertia.at[random_below(&random, 3)] = ldexp(1, exponent);
                thin_rotor.momentum.at[0] *= exp2(4 * (double)random_unit(&random));
                for (size_t i = 0; i < TOGETHER; i++) {
                    body_put(&together, i, i == FIRST ? &fast : i == THIN_ROTOR ? &thin_rotor : &slow);
                }
                alone = together;
                step_bodies(table, &together, 0, 0, TOGETHER, 1, &solver, NULL);
                step_bodies(table, &alone, 0, THIN_ROTOR, THIN_ROTOR + 1, 1, &solver, NULL);
                CASE("moment 2^%d", exponent);
                check_same_body(&together, THIN_ROTOR, &alone, THIN_ROTOR);
            }
        }
    }
}

/* Explicit Euler writes the momentum after its drift, even where most bodies of a block have no sub-step left. */
static void test_euler_among_invalid_bodies(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {9};
        const gyre_body_solver solver = {.method = GYRE_BODY_EXPLICIT_EULER, .substeps = 3};
        body_batch together = random_bodies(&random, -3, -1, (double)frame_s, false);
        for (size_t i = 0; i < BATCH_BODIES; i++) {
            together.at[INERTIA][i] = i % 5 == 0 ? together.at[INERTIA][i] : -1;
        }
        body_batch alone = together;
        step_bodies(table, &together, 0, 0, BATCH_BODIES, frame_s, &solver, NULL);
        for (size_t i = 0; i < BATCH_BODIES; i++) {
            step_bodies(table, &alone, 0, i, i + 1, frame_s, &solver, NULL);
        }
        check_same_bodies(&together, &alone);
    }
}

/* Sub-steps of a thin rotor that spins too fast for any float do not change the momentum of its neighbours. */
static void test_euler_beside_a_thin_rotor(void **state)
{
    (void)state;
    const reference_body body = {{{0, 0.6, 0, 0.8}}, {{8, 16, -8}}, {{1, 2, 2.5}}, {{0, 0, 0}}};
    const reference_body thin_rotor = {{{0, 0, 0, 1}}, {{0, 0, 0x1p40}}, {{1, 1, 0x1p-100}}, {{0, 0, 0}}};
    const gyre_body_solver solver = {.method = GYRE_BODY_EXPLICIT_EULER};
    EACH_TABLE(table) {
        static body_batch alone, together;
        body_put(&alone, 0, &body);
        body_put(&together, 0, &body);
        body_put(&together, 1, &thin_rotor);
        step_bodies(table, &alone, 0, 0, 1, frame_s, &solver, NULL);
        step_bodies(table, &together, 0, 0, 2, frame_s, &solver, NULL);
        check_same_body(&together, 0, &alone, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_small_angle_in_first_substep), TEST(test_small_angle_in_some_substeps),
        TEST(test_small_angles_among_others),    TEST(test_rest_under_large_tolerances),
        TEST(test_invalid_among_fast_bodies),    TEST(test_blocks_of_one_kind),
        TEST(test_rods_in_longest_steps),        TEST(test_many_gathered),
        TEST(test_thin_rotors_among_gathered),   TEST(test_euler_among_invalid_bodies),
        TEST(test_euler_beside_a_thin_rotor),
    };
    return cmocka_run_group_tests_name("body_neighbours", tests, NULL, NULL);
}
