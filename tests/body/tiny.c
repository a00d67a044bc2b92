/* Slow bodies, tiny momenta, smallest turns: no subnormal number is left, and none slows a step for long. */
#include "support/bodies.h"

#include <fenv.h>
#include <math.h>

static const double eps = 0x1p-24;

/* Bodies of ordinary shapes with a momentum of 2^exponent: every other spins about a principal axis, within rounding,
   and every third has two equal moments. */
static body_batch slow_bodies(random_source *random, int exponent)
{
    body_batch b;
    for (size_t i = 0; i < BATCH_BODIES; i++) {
        reference_body body = {.orientation = random_attitude(random)};
        const double size = (double)random_magnitude(random, -4, 4);
        for (int k = 0; k < 3; k++) {
            body.inertia.at[k] = size * (1 + 0.2 * k + (double)random_unit(random) / 16);
        }
        if (i % 3 == 0) {
            body.inertia.at[i / 3 % 3] = body.inertia.at[(i / 3 + 1) % 3];
        }
        vector momentum = random_direction(random);
        if (i % 2) {
            momentum = (vector){{i % 6 < 2, i % 6 >= 2 && i % 6 < 4, i % 6 >= 4}};
        }
        body.momentum = quaternion_rotate(body.orientation, vector_scaled(momentum, ldexp(1, exponent)));
        body_put(&b, i, &body);
    }
    return b;
}

/* Whether a step of such bodies computes with subnormal numbers, which take ten to a hundred times as long and set the
   underflow flag. The step before removes the subnormal components that the bodies start with. */
static bool step_underflows(const gyre_kernels *table, body_batch *b, unsigned features, const gyre_body_solver *solver)
{
    step_bodies(table, b, features, 0, BATCH_BODIES, 1.0f / 60, solver, NULL);
    feclearexcept(FE_UNDERFLOW);
    step_bodies(table, b, features, 0, BATCH_BODIES, 1.0f / 60, solver, NULL);
    return fetestexcept(FE_UNDERFLOW) != 0;
}

/* Bodies that turn by small angles cause no underflow with any method except explicit Euler, even in given sub-steps.
   With the closed forms hardly any others do: components that rounding leaves far below all others, momenta near 2^-90,
   and with low parts the roundings to double of momenta below 2^-64 across a principal axis. */
static void test_little_underflows(void **state)
{
    (void)state;
    enum { SMALL_ANGLE = -15 };
    EACH_BEST_TABLE(table) {
        EACH_METHOD(m) {
            gyre_body_solver solver = solver_of(m);
            const bool closed_form = solver.method == GYRE_BODY_MOSER_VESELOV;
            for (unsigned features = 0; features <= BODIES_LOW && solver.method != GYRE_BODY_EXPLICIT_EULER;
                 features += BODIES_LOW) {
                const int smallest = features == BODIES_LOW ? -64 : -81;
                random_source random = {13};
                int underflows = 0;
                for (int exponent = 0; exponent >= -149; exponent--) {
                    body_batch b = slow_bodies(&random, exponent);
                    const bool small_angle = exponent <= SMALL_ANGLE && exponent >= smallest;
                    solver.substeps = small_angle && exponent % 2 ? 3 : 0;
                    if (step_underflows(table, &b, features, &solver)) {
                        CASE("momentum 2^%d, features %#x, underflow", exponent, features);
                        if (exponent <= SMALL_ANGLE) {
                            check(exponent, <, smallest);
                        }
                        underflows++;
                    }
                }
                if (closed_form) {
                    print_message("# %s, %s%s: %d of 150 batches underflow\n", table_name(table), m->name,
                                  features == BODIES_LOW ? " with low parts" : "", underflows);
                    CASE("features %#x", features);
                    check(underflows, <=, features == BODIES_LOW ? 90 : 20);
                }
            }
        }
    }
}

/* Nor do most tops and discs that spin about a principal axis, with the closed forms. Counts batches of sixteen in
   which one of them does. */
static void test_spinning_tops_seldom_underflow(void **state)
{
    (void)state;
    enum { TOPS = 16, BATCHES = 100 };
    EACH_BEST_TABLE(table) {
        for (unsigned low = 0; low <= BODIES_LOW; low++) {
            for (int order = 6; order <= 8; order += 2) {
                const gyre_body_solver solver = {.order = order};
                random_source random = {29};
                int underflows = 0;
                for (int n = 0; n < BATCHES; n++) {
                    static body_batch b;
                    for (size_t i = 0; i < TOPS; i++) {
                        reference_body body = {.orientation = random_attitude(&random), .inertia = {{1, 1, 1}}};
                        body.inertia.at[i % 3] = 0.25 + 1.75 * (double)random_unit(&random);
                        vector momentum = {{0, 0, 0}};
                        momentum.at[i / 3 % 3] = ldexp(1, -n % 10);
                        body.momentum = quaternion_rotate(body.orientation, momentum);
                        body_put(&b, i, &body);
                    }
                    feclearexcept(FE_UNDERFLOW);
                    step_bodies(table, &b, low, 0, TOPS, 1.0f / 60, &solver, NULL);
                    underflows += fetestexcept(FE_UNDERFLOW) != 0;
                }
                print_message("# %s, order %d%s: %d of %d batches of tops underflow\n", table_name(table), order,
                              low ? " with low parts" : "", underflows, BATCHES);
                CASE("order %d%s", order, low ? " with low parts" : "");
                check(underflows, <=, BATCHES * 2 / 5);
            }
        }
    }
}

/* Slow thin rotors whose two large moments differ by an ulp, which is many times the small one: whatever their size,
   their orientation keeps its length. */
static void test_slow_thin_rotors_of_no_mass(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        EACH_METHOD(m) {
            for (int exponent = 0; exponent >= -60; exponent--) {
                const reference_body thin_rotor = {
                    {{0, 0, 0, 1}}, {{0, 0x1p-13, 0x1p-13}}, {{ldexp(1, exponent), 1, 1 + 0x1p-23}}, {{0, 0, 0}}};
                static body_batch b;
                body_put(&b, 0, &thin_rotor);
                body_put(&b, 1, &thin_rotor);
                const gyre_body_solver solver = solver_of(m);
                step_bodies(table, &b, 0, 0, 1, 1, &solver, NULL);
                step_bodies(table, &b, BODIES_LOW, 1, 2, 1, &solver, NULL);
                CASE("small moment 2^%d", exponent);
                check(off_unit(&b, 0), <=, 8 * eps);
                check(off_unit(&b, 1), <=, 8 * eps);
            }
        }
    }
}

/* No subnormal number is carried from step to step: a step writes none. Momentum keeps its bits where there is no kick,
   so a value from the caller stays. */
static void test_no_subnormals(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {7};
        /* at any effort, each method with each set of features */
        for (size_t round = 0; round < METHOD_CASES * BODIES_ALL_FEATURES * effort(2); round++) {
            const method_case *m = &method_cases[round % METHOD_CASES];
            unsigned features = (unsigned)round / METHOD_CASES % BODIES_ALL_FEATURES;
            body_batch b;
            for (size_t i = 0; i < BATCH_BODIES; i++) {
                /* near an attitude with zeros in it, turning by far less than a bit, or by almost nothing */
                reference_body body = random_body(&random, -140, -10, 0.0625);
                body.orientation = (quaternion){{0, 0, 0, 0}};
                body.orientation.at[random_below(&random, 4)] = 1;
                body_put(&b, i, &body);
                for (size_t k = 0; k < 4; k++) {
                    b.at[ORIENTATION_LOW + k][i] = random_one_in(&random, 3) ? random_signed(&random, -149, -100) : 0;
                }
                for (size_t k = 0; k < 3 && random_one_in(&random, 2); k++) {
                    b.at[TORQUE + k][i] = random_signed(&random, -149, -120);
                }
            }
            gyre_body_solver solver = solver_of(m);
            for (int step = 0; step < 10; step++) {
                const body_batch before = b;
                step_bodies(table, &b, features, 0, BATCH_BODIES, 0.0625f, &solver, NULL);
                for (size_t array = 0; array < INERTIA; array++) {
                    const bool is_read = array_is_read(array, features);
                    for (size_t i = 0; i < BATCH_BODIES && is_read; i++) {
                        bool is_kept = array >= MOMENTUM && same_float(b.at[array][i], before.at[array][i]);
                        if (!is_kept) {
                            CASE("%s, features %#x, body %zu, array %zu: %a", m->name, features, i, array,
                                 b.at[array][i]);
                            check_not_subnormal(b.at[array][i]);
                        }
                    }
                }
            }
        }
    }
}

/* Angles from 2^-49 rad about an axis have an effect, and with low parts from far smaller. Near the identity the
   components show this. */
static void test_smallest_turns(void **state)
{
    (void)state;
    const struct {
        unsigned features;
        double turn, seen;
    } cases[] = {
        {0, 0x1p-49, 0x1p-49}, {0, 0x1.fp-50, 0}, {BODIES_LOW, 0x1.fp-50, 0x1.fp-50}, {BODIES_LOW, 0x1p-70, 0x1p-70}};
    EACH_TABLE(table) {
        EACH_METHOD(m) {
            for (size_t k = 0; k < LENGTH(cases) && m->method != GYRE_BODY_EXPLICIT_EULER; k++) {
                for (size_t axis = 0; axis < 3; axis++) {
                    reference_body body = {{{0, 0, 0, 1}}, {{0, 0, 0}}, {{1, 1, 1}}, {{0, 0, 0}}};
                    body.momentum.at[axis] = cases[k].turn;
                    const gyre_body_solver solver = solver_of(m);
                    static body_batch b;
                    body_put(&b, 0, &body);
                    step_bodies(table, &b, cases[k].features, 0, 1, 1, &solver, NULL);
                    CASE("%a rad about axis %zu, features %#x", cases[k].turn, axis, cases[k].features);
                    check(b.at[ORIENTATION + axis][0], ==, cases[k].seen / 2);
                }
            }
        }
    }
}

/* The least momenta that count, of bodies of any size in steps so long that they turn by 0.25 rad: 2^-95, and 2^-95 of
   the largest moment where that is 2^20 or more. */
static void test_least_momenta_that_count(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        for (int size = -60; size <= 60; size += 4) {
            const double largest = ldexp(1, size), least = largest >= 0x1p20 ? 0x1p-95 * largest : 0x1p-95;
            const double dt_s = 0.25 * largest / 1.5 / (1.01 * least);
            const reference_body body = {
                {{0, 0, 0, 1}}, {{0, 0, 1.01 * least}}, {{largest, 0.8 * largest, largest / 1.5}}, {{0, 0, 0}}};
            body_batch b = {{{0}}};
            body_put(&b, 0, &body);
            step_bodies(table, &b, 0, 0, 1, (float)dt_s, NULL, NULL);
            const quaternion end = body_get(&b, 0, 0).orientation;
            CASE("largest moment 2^%d", size);
            check_within(2 * atan2(end.at[2], end.at[3]), 0.25, (9 + 12 * 0.25) * eps + 1e-6);
        }
    }
}

/* Small turns from the identity, whose components show them, with low parts: without, rounding hides the error. */
static void test_small_turns(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        EACH_METHOD(m) {
            if (m->method == GYRE_BODY_EXPLICIT_EULER) {
                continue; /* its motion is not the true one */
            }
            const gyre_body_solver solver = solver_of(m);
            random_source random = {30};
            double worst = 0;
            for (size_t round = 0; round < effort(50); round++) {
                const float largest = m->true_order == 2 ? 0x1p-17f : 0x1p-12f;
                body_batch b = {{{0}}};
                for (size_t i = 0; i < BATCH_BODIES; i++) {
                    reference_body body = {.orientation = {{0, 0, 0, 1}}, .momentum = random_direction(&random)};
                    body.inertia = random_inertia(&random, true, 0, 0);
                    const double turn = (double)random_magnitude(&random, -20, 0) * (double)largest;
                    body.momentum =
                        vector_scaled(body.momentum, 0.99 * turn / vector_length(reference_body_spin(&body)));
                    body_put(&b, i, &body);
                }
                const body_batch start = b;
                step_bodies(table, &b, BODIES_LOW, 0, BATCH_BODIES, 1, &solver, NULL);
                for (size_t i = 0; i < BATCH_BODIES; i++) {
                    reference_body before = body_get(&start, i, BODIES_LOW);
                    reference_body_step(&before, GYRE_BODY_MOSER_VESELOV, 8, 1, 1); /* exact for turns so small */
                    const quaternion want = before.orientation;
                    vector off, turned;
                    for (int k = 0; k < 3; k++) {
                        turned.at[k] = want.at[k];
                        off.at[k] =
                            (double)b.at[ORIENTATION + k][i] + (double)b.at[ORIENTATION_LOW + k][i] - want.at[k];
                    }
                    worst = worse_of(worst, vector_length(off) / vector_length(turned));
                }
            }
            printf("# %s, %s: small turns within 2^%.1f\n", table_name(table), m->name, log2(worst));
            check(worst, <=, 0x1p-36);
        }
    }
}

/* Components of an orientation below 2^-95 become 0 in a body that turns. */
static void test_tiny_components(void **state)
{
    (void)state;
    const reference_body body = {{{0.5, 0x1p-98, -0x1p-100, sqrt(0.75)}}, {{0.25, 0, 0}}, {{1, 1, 1}}, {{0, 0, 0}}};
    EACH_TABLE(table) {
        EACH_METHOD(m) {
            for (unsigned features = 0; features <= BODIES_LOW; features++) {
                const body_batch b = one_stepped(table, m, features, &body);
                CASE("features %#x", features);
                check(b.at[ORIENTATION + 1][0], ==, 0);
                check(b.at[ORIENTATION + 2][0], ==, 0);
            }
        }
    }
}

/* The same in a body at rest, including low parts, whether its neighbour rests or turns by a small or a large angle. */
static void test_tiny_components_at_rest(void **state)
{
    (void)state;
    const reference_body resting = {{{0.5, 0x1p-98, -0x1p-100, sqrt(0.75)}}, {{0, 0, 0}}, {{1, 1, 1}}, {{0, 0, 0}}};
    const double turns[] = {0, 0x1p-20, 0x1p-3};
    EACH_TABLE(table) {
        EACH_METHOD(m) {
            const gyre_body_solver solver = solver_of(m);
            for (unsigned features = 0; features <= BODIES_LOW; features++) {
                for (size_t k = 0; k < LENGTH(turns); k++) {
                    const reference_body other = {{{0, 0, 0, 1}}, {{turns[k], 0, 0}}, {{1, 1, 1}}, {{0, 0, 0}}};
                    static body_batch b;
                    for (size_t i = 0; i < BATCH_BODIES; i++) {
                        body_put(&b, i, i % 2 ? &other : &resting);
                        b.at[ORIENTATION_LOW + 3][i] = 0x1p-99f;
                    }
                    step_bodies(table, &b, features, 0, BATCH_BODIES, 1, &solver, NULL);
                    for (size_t i = 0; i < BATCH_BODIES; i += 2) {
                        CASE("features %#x, body %zu next to one that turns by %a", features, i, turns[k]);
                        check(b.at[ORIENTATION][i], ==, 0.5f);
                        check(b.at[ORIENTATION + 1][i], ==, 0);
                        check(b.at[ORIENTATION + 2][i], ==, 0);
                        if (features) {
                            check(b.at[ORIENTATION_LOW + 3][i], ==, 0);
                        }
                    }
                }
            }
        }
    }
}

/* Momenta of small spheres under explicit Euler stay, and turn them. */
static void test_tiny_momenta_of_euler(void **state)
{
    (void)state;
    const reference_body body = {
        {{0, 0, 0, 1}}, {{0x1p-97, -0x1p-98, 0x1p-100}}, {{0x1p-97, 0x1p-97, 0x1p-97}}, {{0, 0, 0}}};
    const double size = vector_length(body.momentum);
    const gyre_body_solver euler = {.method = GYRE_BODY_EXPLICIT_EULER};
    EACH_TABLE(table) {
        static body_batch b;
        body_put(&b, 0, &body);
        step_bodies(table, &b, 0, 0, 1, 0.25f, &euler, NULL);
        for (size_t k = 0; k < 3; k++) {
            CASE("component %zu", k);
            check(b.at[ORIENTATION + k][0], !=, 0);
            check_within((double)b.at[MOMENTUM + k][0] / size, body.momentum.at[k] / size, 8 * eps);
        }
    }
}

/* Components of at least 2^-95 may be rounded by up to 2^-93. */
static void test_small_components(void **state)
{
    (void)state;
    const double small = 0x1.18p-87;
    const reference_body body = {{{small, 0, 0, 1}}, {{0, 0x1p-10, 0}}, {{1, 1, 1}}, {{0, 0, 0}}};
    EACH_TABLE(table) {
        EACH_METHOD(m) {
            for (unsigned features = 0; features <= BODIES_LOW; features++) {
                const body_batch b = one_stepped(table, m, features, &body);
                CASE("features %#x", features);
                check_within(b.at[ORIENTATION][0], small, 0x1p-93);
            }
        }
    }
}

/* Momenta below 2^-95 cause no turn, however long the step and whatever the shape. */
static void test_least_momentum(void **state)
{
    (void)state;
    const double shapes[][3] = {{1.1, 1.1, 4}, {1.1, 1.4, 4}, {1.1, 1.4, 2}};
    EACH_TABLE(table) {
        EACH_METHOD(m) {
            for (size_t k = 0; k < LENGTH(shapes); k++) {
                const double *i = shapes[k];
                const reference_body body = {{{0, 0, 0, 1}},
                                             {{0x1.8p-96, 0x1.8p-96, 0x1.8p-96}},
                                             {{i[0] * 0x1p-20, i[1] * 0x1p-20, i[2] * 0x1p-20}},
                                             {{0, 0, 0}}};
                body_batch b = {{{0}}};
                body_put(&b, 0, &body);
                const gyre_body_solver solver = solver_of(m);
                step_bodies(table, &b, 0, 0, 1, 0x1.8p20f, &solver, NULL);
                CASE("shape %zu", k);
                for (int part = 0; part < 4; part++) {
                    check(b.at[ORIENTATION + part][0], ==, part == 3);
                }
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_least_momentum),
        TEST(test_little_underflows),
        TEST(test_spinning_tops_seldom_underflow),
        TEST(test_slow_thin_rotors_of_no_mass),
        TEST(test_no_subnormals),
        TEST(test_smallest_turns),
        TEST(test_small_turns),
        TEST(test_least_momenta_that_count),
        TEST(test_tiny_components),
        TEST(test_tiny_components_at_rest),
        TEST(test_small_components),
        TEST(test_tiny_momenta_of_euler),
    };
    return cmocka_run_group_tests_name("body_tiny", tests, NULL, NULL);
}
