/* gyre_rotation_between: the stated errors, the ends, half a turn, lengths, and the way back. */
#include "support/quaternions.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double eps = 0x1p-24;

static double error_between(double part) { return part >= 0 && part <= 1 ? 5 * eps : (8 + 8 * fabs(part)) * eps; }

/* Against the exact curve between the two rotations. Where they are half a turn apart, rounding decides the
   direction. */
static void check_between(chunk *c, float part, double allowed, worst_case *worst)
{
    for (size_t i = 0; i < CHUNK; i++) {
        const quaternion a = quaternion_normalised(a_of(c, i)), b = quaternion_normalised(b_of(c, i));
        if (fabs(quaternion_dot(a, b)) < 4 * eps) {
            continue;
        }
        const quaternion exact = reference_between(a, b, (double)part), got = result_of(c, i);
        CASE("%a of the way from %a %a %a %a to %a %a %a %a: got %a %a %a %a", part, c->in[0][i], c->in[1][i],
             c->in[2][i], c->in[3][i], c->in[4][i], c->in[5][i], c->in[6][i], c->in[7][i], got.at[0], got.at[1],
             got.at[2], got.at[3]);
        check_share(worst, largest_component(quaternion_difference(got, exact)) / allowed);
    }
}

static float random_part(random_source *random, size_t kind)
{
    switch (kind) {
    case 0: return random_unit(random);
    case 1: return random_magnitude(random, -50, 0);
    case 2: return 1 - random_magnitude(random, -24, 0);
    case 3: return random_signed(random, -40, 0) < 0 ? -random_magnitude(random, -40, 1) : 1 + random_unit(random);
    default: return random_signed(random, 0, 12);
    }
}

static void test_between_errors(void **state)
{
    (void)state;
    static chunk c;
    static const char *const parts[] = {"0 to 1", "2^-50 to 1", "nearly 1", "somewhat beyond", "far beyond"};
    EACH_BEST_TABLE(table) {
        random_source random = {4};
        for (size_t kind = 0; kind < LENGTH(parts); kind++) {
            worst_case worst = {0};
            for (size_t round = 0; round < effort(120); round++) {
                fill_chunk(&c, &random);
                const float part = random_part(&random, kind);
                run_between(table, part, &c);
                check_between(&c, part, error_between((double)part), &worst);
            }
            print_worst(parts[kind], &worst);
        }
    }
}

/* 0 gives a, and 1 gives b or -b: exactly equal, except for components below 2^-63. */
static void test_ends(void **state)
{
    (void)state;
    static chunk c;
    EACH_TABLE(table) {
        random_source random = {5};
        for (size_t round = 0; round < effort(20); round++) {
            fill_chunk(&c, &random);
            run_between(table, round % 3 == 0 ? 0.0f : round % 3 == 1 ? -0.0f : 0x1p-40f, &c);
            for (size_t i = 0; i < 4 * CHUNK; i++) {
                const float a = c.in[i % 4][i / 4], kept = fabsf(a) < 0x1p-63f ? 0 : a;
                check(c.out[i % 4][i / 4], ==, kept);
            }
            run_between(table, 1, &c);
            for (size_t i = 0; i < CHUNK; i++) {
                const double dot = quaternion_dot(a_of(&c, i), b_of(&c, i));
                for (size_t k = 0; k < 4; k++) {
                    const float b = c.in[4 + k][i], kept = fabsf(b) < 0x1p-63f ? 0 : b;
                    CASE("component %zu of %a, product %a", k, b, dot);
                    check(fabsf(c.out[k][i]), ==, fabsf(kept));
                    if (fabs(dot) > 4 * eps) {
                        check(c.out[k][i], ==, dot < 0 ? -kept : kept);
                    }
                }
            }
        }
    }
}

/* Half a turn apart: b decides the direction, whatever the signs of zeros. */
static void test_half_a_turn_apart(void **state)
{
    (void)state;
    static chunk c;
    static const float ends[][8] = {{0, 0, 0, 1, 1, 0, 0, 0},
                                    {0, 0, 0, 1, -1, 0, 0, 0},
                                    {0.5f, 0.5f, 0.5f, 0.5f, 0.5f, -0.5f, 0.5f, -0.5f},
                                    {0, 0, -0.6f, -0.8f, -0.6f, -0.8f, 0, 0},
                                    {0, 0, 0, 1, -1, -0.0f, -0.0f, -0.0f}};
    EACH_TABLE(table) {
        for (size_t i = 0; i < CHUNK; i++) {
            for (size_t k = 0; k < INPUTS; k++) {
                c.in[k][i] = ends[i % LENGTH(ends)][k];
            }
        }
        run_between(table, 0.5f, &c);
        for (size_t i = 0; i < CHUNK; i++) {
            for (size_t k = 0; k < 4; k++) {
                CASE("pair %zu, component %zu", i % LENGTH(ends), k);
                check_within(c.out[k][i], sqrt(0.5) * (double)(c.in[k][i] + c.in[4 + k][i]), 5 * eps);
            }
        }
    }
}

/* Lengths that are off by up to 2^-7: the length of the result is between them, and the direction hardly changes. */
static void test_lengths_between(void **state)
{
    (void)state;
    static chunk c;
    EACH_BEST_TABLE(table) {
        random_source random = {6};
        for (size_t round = 0; round < effort(80); round++) {
            fill_chunk(&c, &random);
            const float part = random_part(&random, round % 3);
            double off[CHUNK][2];
            for (size_t i = 0; i < CHUNK; i++) {
                for (size_t of = 0; of < 2; of++) {
                    const float length = 1 + random_signed(&random, -20, -8);
                    for (size_t k = 0; k < 4; k++) {
                        c.in[4 * of + k][i] *= length;
                    }
                    off[i][of] = (double)length - 1;
                }
            }
            run_between(table, part, &c);
            for (size_t i = 0; i < CHUNK; i++) {
                const quaternion a = a_of(&c, i), b = b_of(&c, i), got = result_of(&c, i);
                if (fabs(quaternion_dot(a, b)) < 4 * eps) {
                    continue;
                }
                const double length = quaternion_length(got) - 1, most = fmax(fabs(off[i][0]), fabs(off[i][1]));
                CASE("lengths 1 + %a and 1 + %a, at %a", off[i][0], off[i][1], part);
                check(length, <=, fmax(off[i][0], off[i][1]) + 0.5 * most + 8 * eps);
                check(length, >=, fmin(off[i][0], off[i][1]) - 0.5 * most - 8 * eps);
                const quaternion exact =
                    reference_between(quaternion_normalised(a), quaternion_normalised(b), (double)part);
                check(quaternion_length(quaternion_difference(quaternion_normalised(got), exact)), <=, most + 8 * eps);
            }
        }
    }
}

/* A length that is off by 2^-7 is valid; one that is off by 0.008 gives NaN. */
static void test_limits_of_length(void **state)
{
    (void)state;
    static chunk c;
    static const float off[] = {0x1p-7f, -0x1p-7f, 0.008f, -0.008f};
    EACH_TABLE(table) {
        random_source random = {15};
        for (size_t of = 0; of < 2; of++) {
            fill_chunk(&c, &random);
            for (size_t i = 0; i < CHUNK; i++) {
                for (size_t k = 0; k < 4; k++) {
                    c.in[4 * of + k][i] *= 1 + off[i % LENGTH(off)];
                }
            }
            for (size_t outside = 0; outside < 2; outside++) {
                run_between(table, outside ? 1.5f : 0.5f, &c);
                for (size_t i = 0; i < 4 * CHUNK; i++) {
                    CASE("a length of 1 + %a of %s, component %zu", off[i / 4 % LENGTH(off)], of ? "b" : "a", i % 4);
                    check(isfinite(c.out[i % 4][i / 4]), ==, i / 4 % LENGTH(off) < 2);
                }
            }
        }
    }
}

/* Any finite part is valid. */
static void test_largest_parts(void **state)
{
    (void)state;
    static chunk c;
    const float parts[] = {0x1p40f, -0x1p40f, FLT_MAX, -FLT_MAX};
    EACH_TABLE(table) {
        random_source random = {14};
        fill_chunk(&c, &random);
        for (size_t p = 0; p < LENGTH(parts); p++) {
            run_between(table, parts[p], &c);
            for (size_t i = 0; i < CHUNK; i++) {
                CASE("part %a, element %zu", parts[p], i);
                for (size_t k = 0; k < 4; k++) {
                    check_finite(c.out[k][i]);
                }
            }
        }
    }
}

/* The way back is the same; two halves equal the whole; and it turns evenly, also beyond the ends. */
static void test_between_identities(void **state)
{
    (void)state;
    static chunk c, back;
    EACH_BEST_TABLE(table) {
        random_source random = {9};
        for (size_t round = 0; round < effort(80); round++) {
            fill_chunk(&c, &random);
            memcpy(back.in, c.in + 4, sizeof c.out);
            memcpy(back.in + 4, c.in, sizeof c.out);
            const float part = random_part(&random, round % 4);
            run_between(table, part, &c);
            run_between(table, 1 - part, &back);
            for (size_t i = 0; i < CHUNK; i++) {
                const quaternion a = a_of(&c, i), b = b_of(&c, i), got = result_of(&c, i), other = result_of(&back, i);
                const double dot = quaternion_dot(a, b), angle = quaternion_angle(a, b);
                if (fabs(dot) < 4 * eps) {
                    continue;
                }
                CASE("%a of %a rad, element %zu", part, angle, i);
                check(largest_component(quaternion_difference(got, quaternion_scaled(other, dot < 0 ? -1 : 1))), <=,
                      error_between((double)part) + error_between(1 - (double)part) + 2 * eps);
                if (fabs((double)part) * angle < 3) {
                    check_within(quaternion_angle(a, got), fabs((double)part) * angle, 4 * error_between((double)part));
                }
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_between_errors),     TEST(test_ends),
        TEST(test_half_a_turn_apart),  TEST(test_lengths_between),
        TEST(test_limits_of_length),   TEST(test_largest_parts),
        TEST(test_between_identities),
    };
    return cmocka_run_group_tests_name("rotation_between", tests, NULL, NULL);
}
