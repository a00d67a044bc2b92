/* gyre_bodies_energy, gyre_bodies_angular_velocity and its inverse. */
#include "support/bodies.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double eps = 0x1p-24;

static double smallest_moment(const reference_body *body)
{
    return fmin(body->inertia.at[0], fmin(body->inertia.at[1], body->inertia.at[2]));
}

/* Energy within 12 eps |L| sqrt(2 E / s), velocities within 12 eps |L| / s, with s the smallest moment: the effect of
   rounding in M = O^T L. The length of an orientation has no effect. */
static void test_errors(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {1};
        worst_case worst[2] = {{0}};
        for (size_t round = 0; round < effort(400); round++) {
            const unsigned features = (round % 2 ? BODIES_LOW : 0) | (round % 4 > 1 ? BODIES_MOMENTUM_LOW : 0);
            body_batch b = random_bodies(&random, -20, 10, 1, false);
            if (round % 3 == 0) {
                random_lengths(&random, &b);
            }
            const body_batch before = b;
            const gyre_bodies bodies = bodies_of(&b, features);
            float energy[BATCH_BODIES], omega[3][BATCH_BODIES], *const pointers[3] = {omega[0], omega[1], omega[2]};
            check_status(table->bodies_energy(&bodies, 0, BATCH_BODIES, energy), GYRE_OK);
            check_status(table->bodies_angular_velocity(&bodies, 0, BATCH_BODIES, pointers), GYRE_OK);
            for (size_t i = 0; i < BATCH_BODIES; i++) {
                reference_body body = body_get(&b, i, features);
                double exact = reference_body_energy(&body), momentum = vector_length(body.momentum);
                if (momentum == 0) {
                    CASE_OF_BODY(&b, i);
                    check(energy[i], ==, 0);
                    check(omega[0][i], ==, 0);
                    check(omega[1][i], ==, 0);
                    check(omega[2][i], ==, 0);
                    continue;
                }
                double bound = 12 * eps * momentum * sqrt(2 * exact / smallest_moment(&body));
                check_body_share(&worst[0], fabs((double)energy[i] - exact) / bound, &b, i, 0);
                vector got = {{(double)omega[0][i], (double)omega[1][i], (double)omega[2][i]}};
                vector off = vector_difference(got, quaternion_rotate(body.orientation, reference_body_spin(&body)));
                for (int k = 0; k < 3; k++) {
                    double of_component = fabs(off.at[k]) / (12 * eps * momentum / smallest_moment(&body));
                    check_body_share(&worst[1], of_component, &b, i, 0);
                }
            }
            check_same_bodies(&b, &before);
        }
        print_worst("energy", &worst[0]);
        print_worst("angular velocity", &worst[1]);
    }
}

/* R(q) I R(q)^T omega; and the angular velocity computed from that is omega again. */
static void test_set_angular_velocity(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {11};
        worst_case worst[2] = {{0}};
        for (size_t round = 0; round < effort(400); round++) {
            const unsigned features = (round % 2 ? BODIES_LOW : 0) | (round % 4 > 1 ? BODIES_MOMENTUM_LOW : 0);
            body_batch b = random_bodies(&random, -5, 5, 1, false);
            if (round % 3 == 0) {
                random_lengths(&random, &b);
            }
            const body_batch before = b;
            float omega[3][BATCH_BODIES], again[3][BATCH_BODIES];
            float *const pointers[3] = {omega[0], omega[1], omega[2]}, *const read[3] = {again[0], again[1], again[2]};
            for (size_t i = 0; i < BATCH_BODIES; i++) {
                for (int k = 0; k < 3; k++) {
                    omega[k][i] = random_signed(&random, -8, 4);
                }
            }
            const gyre_bodies bodies = bodies_of(&b, features);
            check_status(table->bodies_set_angular_velocity(&bodies, 0, BATCH_BODIES, pointers), GYRE_OK);
            check_status(table->bodies_angular_velocity(&bodies, 0, BATCH_BODIES, read), GYRE_OK);
            for (size_t i = 0; i < BATCH_BODIES; i++) {
                const reference_body body = body_get(&before, i, features), now = body_get(&b, i, features);
                const vector given = {{(double)omega[0][i], (double)omega[1][i], (double)omega[2][i]}};
                vector spin = quaternion_rotate_back(body.orientation, given);
                double largest = 0;
                for (int k = 0; k < 3; k++) {
                    spin.at[k] *= body.inertia.at[k];
                    largest = fmax(largest, body.inertia.at[k]);
                }
                const vector off = vector_difference(now.momentum, quaternion_rotate(body.orientation, spin));
                const double size = largest * vector_length(given);
                const bool precise = features & BODIES_MOMENTUM_LOW && round % 3 != 0;
                for (int k = 0; k < 3; k++) {
                    const double allowed = size * (precise ? 0x1p-46 : (round % 3 == 0 ? 8 : 2) * eps);
                    check_body_share(&worst[precise], fabs(off.at[k]) / allowed, &before, i, 0);
                    CASE_OF_BODY(&before, i);
                    check_within(again[k][i], omega[k][i], 32 * eps * size / smallest_moment(&body));
                }
            }
        }
        print_worst("momentum of an angular velocity", &worst[0]);
        print_worst("with low parts", &worst[1]);
    }
}

/* The old momentum of a body does not matter; anything else that makes it invalid, or an angular velocity that is not
   finite, gives NaN for that body only. */
static void test_set_angular_velocity_of_invalid_bodies(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        for (size_t array = 0; array < BODY_ARRAYS; array++) {
            random_source random = {12};
            body_batch clean = random_bodies(&random, -5, 5, 1, false), b = clean;
            float *const of_clean[3] = {clean.at[TORQUE], clean.at[TORQUE + 1], clean.at[TORQUE + 2]};
            float *const omega[3] = {b.at[TORQUE], b.at[TORQUE + 1], b.at[TORQUE + 2]};
            const unsigned features = BODIES_LOW | BODIES_MOMENTUM_LOW;
            const size_t where = 70;
            b.at[array][where] = array % 2 ? NAN : INFINITY;
            const gyre_bodies bodies = bodies_of(&b, features), others = bodies_of(&clean, features);
            const bool is_valid = array >= MOMENTUM && array < INERTIA;
            check_status(table->bodies_set_angular_velocity(&others, 0, BATCH_BODIES, of_clean), GYRE_OK);
            check_status(table->bodies_set_angular_velocity(&bodies, 0, 71, omega),
                         is_valid ? GYRE_OK : GYRE_INCOMPLETE);
            check_status(table->bodies_set_angular_velocity(&bodies, 71, BATCH_BODIES, omega), GYRE_OK);
            CASE("array %zu", array);
            for (size_t i = 0; i < BATCH_BODIES; i++) {
                for (size_t k = MOMENTUM; k < INERTIA; k++) {
                    if (i == where && !is_valid) {
                        check_nan(b.at[k][i]);
                    } else {
                        check_same(b.at[k][i], clean.at[k][i]);
                    }
                }
            }
        }
    }
}

/* An energy that fits in a float although twice the energy does not. */
static void test_largest_energy(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        body_batch b = {{{0}}};
        const reference_body body = {{{0, 0, 0, 1}}, {{2e19, 0, 0}}, {{1, 1, 1}}, {{0, 0, 0}}};
        body_put(&b, 0, &body);
        const gyre_bodies bodies = bodies_of(&b, 0);
        float energy;
        check_status(table->bodies_energy(&bodies, 0, 1, &energy), GYRE_OK);
        check_within(energy, 2e38, 1e-6 * 2e38);
    }
}

/* The body with the largest error that hill climbing found; its length is nearly 1. */
static void test_nearly_unit_orientation(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        const float q[4] = {-0x1.1277b6p-1f, -0x1.919678p-6f, 0x1.afed72p-1f, 0x1.576d1p-7f};
        const float momentum[3] = {-0x1.feced2p-8f, -0x1.33305p-4f, 0x1.196cf2p-7f};
        const float moments[3] = {0x1.609f8ap+0f, 0x1.301024p-4f, 0x1.6a2688p-3f};
        body_batch b = {{{0}}};
        for (int k = 0; k < 4; k++) {
            b.at[ORIENTATION + k][0] = q[k];
        }
        for (int k = 0; k < 3; k++) {
            b.at[MOMENTUM + k][0] = momentum[k];
            b.at[INERTIA + k][0] = moments[k];
        }
        const gyre_bodies bodies = bodies_of(&b, 0);
        float x, y, z, *const omega[3] = {&x, &y, &z};
        check_status(table->bodies_angular_velocity(&bodies, 0, 1, omega), GYRE_OK);
        const reference_body body = body_get(&b, 0, 0);
        const vector exact = quaternion_rotate(body.orientation, reference_body_spin(&body));
        const double bound = 12 * eps * vector_length(body.momentum) / smallest_moment(&body);
        check_within(y, exact.at[1], 0.8 * bound);
    }
}

/* So slow and heavy that the angular velocity is subnormal: each product and quotient is rounded to a multiple of
   2^-149. */
static void test_subnormal_angular_velocity(void **state)
{
    (void)state;
    static const float words[10] = {-0x1.69ae32p-12f, 0x1.77e1eep-11f,  0x1.cbd194p-10f, -0x1.167ca8p-9f,
                                    0x1.fb6c8cp-53f,  -0x1.886348p-56f, 0x1.96f8p-65f,   0x1.42cb9ap+86f,
                                    0x1.430fc2p+86f,  0x1.197338p+88f};
    EACH_TABLE(table) {
        body_batch b = {{{0}}};
        for (size_t k = 0; k < LENGTH(words); k++) {
            b.at[k < 4 ? ORIENTATION + k : k < 7 ? MOMENTUM + k - 4 : INERTIA + k - 7][0] = words[k];
        }
        const gyre_bodies bodies = bodies_of(&b, 0);
        float of_axis[3], *const omega[3] = {&of_axis[0], &of_axis[1], &of_axis[2]};
        check_status(table->bodies_angular_velocity(&bodies, 0, 1, omega), GYRE_OK);
        reference_body body = body_get(&b, 0, 0);
        body.orientation = quaternion_normalised(body.orientation);
        const vector exact = quaternion_rotate(body.orientation, reference_body_spin(&body));
        const double bound = 12 * eps * vector_length(body.momentum) / smallest_moment(&body) + 0x1p-146;
        for (int k = 0; k < 3; k++) {
            CASE("axis %d", k);
            check_within(of_axis[k], exact.at[k], bound);
        }
    }
}

/* Results down to subnormal ones, of moments up to 2^50 apart, momenta from 2^-100 on and orientations of a length
   within 2^-19 of 1: the error by rounding, plus what is lost where results are subnormal. */
static void test_small_results(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {13};
        worst_case worst[3] = {{0}};
        for (size_t round = 0; round < effort(400); round++) {
            const unsigned features = (round % 2 ? BODIES_LOW : 0) | (round % 4 > 1 ? BODIES_MOMENTUM_LOW : 0);
            body_batch b = {{{0}}};
            float omega[3][BATCH_BODIES];
            for (size_t i = 0; i < BATCH_BODIES; i++) {
                reference_body body = {.orientation = random_attitude(&random)};
                const double size = (double)random_magnitude(&random, -10, 70);
                const bool precise = features & BODIES_MOMENTUM_LOW;
                const double longer = precise ? 1 : 1 + (double)random_signed(&random, -30, -19);
                for (int k = 0; k < 3; k++) {
                    body.inertia.at[k] = size * (double)random_magnitude(&random, -50, 0);
                    omega[k][i] = random_signed(&random, -148, -60);
                }
                for (int k = 0; k < 4; k++) {
                    body.orientation.at[k] *= longer;
                }
                const double most = fmax(body.inertia.at[0], fmax(body.inertia.at[1], body.inertia.at[2]));
                const double least = most > 0x1p20 ? 0x1p-95 * most : 0x1p-95;
                body.momentum =
                    vector_scaled(random_direction(&random), least * (double)random_magnitude(&random, 0, 50));
                body_put(&b, i, &body);
            }
            const body_batch before = b;
            const gyre_bodies bodies = bodies_of(&b, features);
            float energy[BATCH_BODIES], got[3][BATCH_BODIES];
            check_status(table->bodies_energy(&bodies, 0, BATCH_BODIES, energy), GYRE_OK);
            check_status(table->bodies_angular_velocity(&bodies, 0, BATCH_BODIES, (float *[]){got[0], got[1], got[2]}),
                         GYRE_OK);
            check_status(
                table->bodies_set_angular_velocity(&bodies, 0, BATCH_BODIES, (float *[]){omega[0], omega[1], omega[2]}),
                GYRE_OK);
            for (size_t i = 0; i < BATCH_BODIES; i++) {
                const reference_body body = body_get(&before, i, features), now = body_get(&b, i, features);
                const double exact = reference_body_energy(&body), momentum = vector_length(body.momentum);
                const vector spin = quaternion_rotate(body.orientation, reference_body_spin(&body));
                const vector given = {{(double)omega[0][i], (double)omega[1][i], (double)omega[2][i]}};
                vector set = quaternion_rotate_back(body.orientation, given);
                double largest = 0;
                for (int k = 0; k < 3; k++) {
                    set.at[k] *= body.inertia.at[k];
                    largest = fmax(largest, body.inertia.at[k]);
                }
                set = quaternion_rotate(body.orientation, set);
                const double of_energy = 12 * eps * momentum * sqrt(2 * exact / smallest_moment(&body)) + 0x1p-147;
                const double of_spin = 12 * eps * momentum / smallest_moment(&body) + 0x1p-146;
                const double of_momentum = features & BODIES_MOMENTUM_LOW
                                               ? 0x1p-46 * largest * vector_length(given) + 0x1p-95
                                               : 2 * eps * largest * vector_length(given) + 0x1p-146;
                check_body_share(&worst[0], fabs((double)energy[i] - exact) / of_energy, &before, i, 0);
                for (int k = 0; k < 3; k++) {
                    check_body_share(&worst[1], fabs((double)got[k][i] - spin.at[k]) / of_spin, &before, i, 0);
                    check_body_share(&worst[2], fabs(now.momentum.at[k] - set.at[k]) / of_momentum, &before, i, 0);
                }
            }
        }
        print_worst("small energies", &worst[0]);
        print_worst("small angular velocities", &worst[1]);
        print_worst("momenta of small angular velocities", &worst[2]);
    }
}

/* Those of a sphere are known without any rotation; L . omega = 2 E for all bodies. */
static void test_identities(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {2};
        for (size_t round = 0; round < effort(100); round++) {
            body_batch b = random_bodies(&random, -10, 10, 1, false);
            for (size_t i = 0; i < BATCH_BODIES; i += 2) {
                b.at[INERTIA][i] = b.at[INERTIA + 1][i] = b.at[INERTIA + 2][i];
            }
            const gyre_bodies bodies = bodies_of(&b, 0);
            float energy[BATCH_BODIES], omega[3][BATCH_BODIES], *const pointers[3] = {omega[0], omega[1], omega[2]};
            check_status(table->bodies_energy(&bodies, 0, BATCH_BODIES, energy), GYRE_OK);
            check_status(table->bodies_angular_velocity(&bodies, 0, BATCH_BODIES, pointers), GYRE_OK);
            for (size_t i = 0; i < BATCH_BODIES; i++) {
                reference_body body = body_get(&b, i, 0);
                vector spin = {{(double)omega[0][i], (double)omega[1][i], (double)omega[2][i]}};
                double momentum = vector_length(body.momentum), smallest = smallest_moment(&body);
                double twice = vector_dot(body.momentum, spin), rounding = 32 * eps * momentum * momentum / smallest;
                CASE_OF_BODY(&b, i);
                check_within(twice, 2 * (double)energy[i], rounding);
                if (i % 2 == 0) {
                    vector exact = vector_scaled(body.momentum, 1 / smallest);
                    check(vector_length(vector_difference(spin, exact)), <=, 16 * eps * vector_length(exact));
                }
            }
        }
    }
}

/* An infinite momentum or low part gives NaN and no infinity, even with components that are 0. */
static void test_infinite_bodies(void **state)
{
    (void)state;
    const float orientations[][4] = {{0, 0, 0, 1}, {1, 0, 0, 0}, {0, 0.6f, 0, 0.8f}, {0.5f, -0.5f, 0.5f, 0.5f}};
    const float momenta[][3] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, -3}, {1, 2, 3}, {-1, 2, -3}};
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(orientations) * LENGTH(momenta) * 14; i++) {
            body_batch b = {{{0}}};
            for (size_t k = 0; k < 4; k++) {
                b.at[ORIENTATION + k][0] = orientations[i / 14 % LENGTH(orientations)][k];
            }
            for (size_t k = 0; k < 3; k++) {
                b.at[MOMENTUM + k][0] = momenta[i / 14 / LENGTH(orientations)][k];
                b.at[INERTIA + k][0] = 1;
            }
            b.at[ORIENTATION_LOW + i % 7][0] = i % 14 < 7 ? INFINITY : -INFINITY; /* or of the momentum after it */
            const gyre_bodies bodies = bodies_of(&b, BODIES_LOW);
            float energy, omega[3], *const pointers[3] = {&omega[0], &omega[1], &omega[2]};
            check_status(table->bodies_energy(&bodies, 0, 1, &energy), GYRE_INCOMPLETE);
            check_status(table->bodies_angular_velocity(&bodies, 0, 1, pointers), GYRE_INCOMPLETE);
            CASE_OF_BODY(&b, 0);
            check_nan(energy);
            check_nan(omega[0]);
            check_nan(omega[1]);
            check_nan(omega[2]);
        }
    }
}

/* Whether a body is invalid for gyre_bodies_step, ignoring its torque. */
static bool is_invalid(const body_batch *b, size_t i, unsigned features)
{
    bool invalid = false;
    double square = 0;
    for (size_t array = 0; array < TORQUE; array++) {
        const float x = b->at[array][i];
        invalid = invalid || (array_is_read(array, features) && (!isfinite(x) || (array >= INERTIA && !(x > 0))));
        square += array < ORIENTATION_LOW ? (double)x * (double)x : 0;
    }
    return invalid || !(square > 0x1p-100 && square < 0x1p100);
}

static gyre_status status_of(const body_batch *b, size_t begin, size_t end, unsigned features)
{
    bool invalid = false;
    for (size_t i = begin; i < end; i++) {
        invalid = invalid || is_invalid(b, i, features);
    }
    return invalid ? GYRE_INCOMPLETE : GYRE_OK;
}

/* A body that is invalid in gyre_bodies_step gives NaN, and no other does; torque is not read. Any slice and any table
   give the same bits, and GYRE_INCOMPLETE if an invalid body is among them. */
static void test_isolation_and_slices(void **state)
{
    (void)state;
    for (int rounding = 0; rounding < 2; rounding++) {
        random_source random = {3};
        for (size_t round = 0; round < effort(200); round++) {
            unsigned features = (unsigned)round % BODIES_ALL_FEATURES;
            body_batch b = random_bodies(&random, -20, 10, 1, true);
            const body_batch before = b;
            float first[4][BATCH_BODIES];
            bool have_first = false;
            EACH_TABLE(table) {
                if ((int)table->rounding != rounding) {
                    continue;
                }
                float whole[4][BATCH_BODIES], pieces[4][BATCH_BODIES];
                float *const to_whole[3] = {whole[1], whole[2], whole[3]};
                float *const to_pieces[3] = {pieces[1], pieces[2], pieces[3]};
                const gyre_bodies bodies = bodies_of(&b, features);
                memset(pieces, 0x5a, sizeof pieces);
                const gyre_status wanted = status_of(&b, 0, BATCH_BODIES, features);
                check_status(table->bodies_energy(&bodies, 0, BATCH_BODIES, whole[0]), wanted);
                check_status(table->bodies_angular_velocity(&bodies, 0, BATCH_BODIES, to_whole), wanted);
                for (size_t from = 0, to; from < BATCH_BODIES; from = to) {
                    to = from + 1 + random_below(&random, 40);
                    to = to < BATCH_BODIES ? to : BATCH_BODIES;
                    const gyre_status of_piece = status_of(&b, from, to, features);
                    check_status(table->bodies_energy(&bodies, from, to, pieces[0]), of_piece);
                    check_status(table->bodies_angular_velocity(&bodies, from, to, to_pieces), of_piece);
                    for (size_t i = to; i < BATCH_BODIES; i++) {
                        CASE("body %zu outside the range", i);
                        check(float_bits(pieces[0][i]), ==, 0x5a5a5a5a);
                        check(float_bits(pieces[3][i]), ==, 0x5a5a5a5a);
                    }
                }
                for (size_t i = 0; i < BATCH_BODIES; i++) {
                    const bool invalid = is_invalid(&b, i, features);
                    for (size_t k = 0; k < 4; k++) {
                        CASE_OF_BODY(&b, i);
                        CASE("features %#x, %s", features, k == 0 ? "energy" : "angular velocity");
                        check_same(pieces[k][i], whole[k][i]);
                        if (have_first) {
                            check_same(whole[k][i], first[k][i]);
                        }
                        if (invalid) {
                            check_nan(whole[k][i]);
                        }
                    }
                }
                memcpy(first, whole, sizeof first);
                have_first = true;
                check_same_bodies(&b, &before);
            }
        }
    }
}

/* Lengths outside the range of random_lengths() are invalid. */
static void test_no_orientation(void **state)
{
    (void)state;
    const float lengths[] = {0, 0x1p-50f, 0x1p50f, 0x1p-140f, FLT_MAX};
    EACH_TABLE(table) {
        for (size_t k = 0; k < LENGTH(lengths); k++) {
            body_batch b = {{{0}}};
            const reference_body body = {{{0, 0, 0, 1}}, {{1, 2, 3}}, {{1, 1.5, 2}}, {{0, 0, 0}}};
            body_put(&b, 0, &body);
            body_put(&b, 1, &body);
            b.at[ORIENTATION + 3][1] = lengths[k];
            const gyre_bodies bodies = bodies_of(&b, 0);
            float energy[2], omega[3][2], *const pointers[3] = {omega[0], omega[1], omega[2]};
            check_status(table->bodies_energy(&bodies, 0, 2, energy), GYRE_INCOMPLETE);
            check_status(table->bodies_angular_velocity(&bodies, 0, 2, pointers), GYRE_INCOMPLETE);
            check_status(table->bodies_energy(&bodies, 0, 1, energy), GYRE_OK);
            check_status(table->bodies_angular_velocity(&bodies, 0, 1, pointers), GYRE_OK);
            float rows[2][12];
            check_status(table->bodies_transforms(&bodies, 0, 2, NULL, NULL, NULL, rows[0], 48), GYRE_INCOMPLETE);
            check_nan(rows[1][0]);
            check_status(table->bodies_transforms(&bodies, 0, 1, NULL, NULL, NULL, rows[0], 48), GYRE_OK);
            CASE("length %a", lengths[k]);
            check_finite(energy[0]);
            check_finite(omega[0][0]);
            check_nan(energy[1]);
            check_nan(omega[0][1]);
            check_nan(omega[1][1]);
            check_nan(omega[2][1]);
            gyre_body_report report = {0};
            step_bodies(table, &b, 0, 0, 2, 0.125f, NULL, &report);
            check_body_is_finite(&b, 0);
            check_body_is_nan(&b, 1);
            check(report.unconverged, ==, 1);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_largest_energy),
        TEST(test_nearly_unit_orientation),
        TEST(test_errors),
        TEST(test_set_angular_velocity),
        TEST(test_set_angular_velocity_of_invalid_bodies),
        TEST(test_subnormal_angular_velocity),
        TEST(test_small_results),
        TEST(test_identities),
        TEST(test_no_orientation),
        TEST(test_infinite_bodies),
        TEST(test_isolation_and_slices),
    };
    return cmocka_run_group_tests_name("body_observables", tests, NULL, NULL);
}
