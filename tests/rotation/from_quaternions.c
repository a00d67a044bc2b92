/* What gyre_rotation_vector, _product, _apply and _between have in common: independent elements, slices, no underflow,
   and invalid arguments. */
#include "support/quaternions.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

/* A NaN, an infinity or an invalid length affects only the results of its own element. */
static void test_isolation(void **state)
{
    (void)state;
    static chunk clean, poisoned;
    const float bad[] = {NAN, -NAN, INFINITY, -INFINITY}, lengths[] = {0, 0x1p-35f, 0x1p35f, 0x1p90f, 1.01f, 0.98f};
    EACH_TABLE(table) {
        random_source random = {10};
        for (size_t round = 0; round < effort(120); round++) {
            const operation which = round % OPERATIONS;
            const bool any_length = which == PRODUCT || which == APPLY;
            fill_chunk(&clean, &random);
            memcpy(&poisoned, &clean, sizeof clean);
            bool is_bad[CHUNK] = {false};
            for (size_t i = random_below(&random, 40); i < CHUNK; i += 1 + random_below(&random, 40)) {
                const size_t first = which == VECTOR ? 0 : 4 * random_below(&random, 2);
                if (random_one_in(&random, 2) || any_length) {
                    const size_t components = first == 0 ? 4 : inputs_of[which] - 4;
                    poisoned.in[first + random_below(&random, components)][i] = bad[random_below(&random, LENGTH(bad))];
                } else {
                    const float length = lengths[random_below(&random, which == VECTOR ? 4 : LENGTH(lengths))];
                    for (size_t k = 0; k < 4; k++) {
                        poisoned.in[first + k][i] *= length;
                    }
                }
                is_bad[i] = true;
            }
            run_chunk(table, which, &clean);
            run_chunk(table, which, &poisoned);
            for (size_t i = 0; i < CHUNK; i++) {
                CASE("%s of %a %a %a %a and %a %a %a %a", operation_names[which], poisoned.in[0][i], poisoned.in[1][i],
                     poisoned.in[2][i], poisoned.in[3][i], poisoned.in[4][i], poisoned.in[5][i], poisoned.in[6][i],
                     poisoned.in[7][i]);
                for (size_t k = 0; k < outputs_of[which]; k++) {
                    if (is_bad[i] && !any_length) {
                        check_nan(poisoned.out[k][i]);
                    } else if (is_bad[i]) {
                        check_not_finite(poisoned.out[k][i]);
                    } else {
                        check_bits(poisoned.out[k][i], clean.out[k][i]);
                    }
                }
            }
        }
    }
}

/* Any range at any alignment, between pages that fault, gives the same bits as the whole, and nothing else is written.
   An output may be the array of an input. */
static void test_slices(void **state)
{
    (void)state;
    static chunk whole, part;
    enum { LONGEST = 80 };
    guarded_memory memory[INPUTS + 4];
    for (size_t k = 0; k < LENGTH(memory); k++) {
        memory[k] = guarded_new(2 * LONGEST * sizeof(float));
    }
    EACH_TABLE(table) {
        random_source random = {11};
        for (operation which = 0; which < OPERATIONS; which++) {
            fill_chunk(&whole, &random);
            run_chunk(table, which, &whole);
            for (size_t count = 0; count <= 2 * LONGEST; count++) {
                const size_t length = count / 2, from = random_below(&random, CHUNK - length);
                CASE("%s of %zu elements", operation_names[which], length);
                pointers to;
                for (size_t k = 0; k < LENGTH(memory); k++) { /* at the end of the page, or near the beginning */
                    float *page = count % 2 ? (float *)(void *)memory[k].end - length
                                            : (float *)(void *)memory[k].begin + random_below(&random, 17);
                    *(k < INPUTS ? &to.in[k] : &to.out[k - INPUTS]) = page;
                }
                for (size_t k = 0; k < INPUTS; k++) {
                    memcpy(to.in[k], whole.in[k] + from, length * sizeof(float));
                }
                const size_t turned = random_below(&random, 8);
                for (size_t k = 0; k < 4 && random_one_in(&random, 2); k++) {
                    to.out[k] = to.in[(k + turned) % inputs_of[which]];
                }
                check_status(run_operation(table, which, to.in, to.out, 0, length), GYRE_OK);
                for (size_t k = 0; k < outputs_of[which]; k++) {
                    CASE("entry %zu", k);
                    check_floats(to.out[k], whole.out[k] + from, length);
                }
            }
            memcpy(&part, &whole, sizeof whole);
            memset(part.out, 0x5a, sizeof part.out);
            pointers to = pointers_to(&part);
            const size_t begin = random_below(&random, 40), end = CHUNK - random_below(&random, 40);
            check_status(run_operation(table, which, to.in, to.out, begin, end), GYRE_OK);
            CASE("%s of elements %zu to %zu", operation_names[which], begin, end);
            for (size_t k = 0; k < 4; k++) {
                for (size_t i = 0; i < CHUNK; i++) {
                    const bool written = k < outputs_of[which] && i >= begin && i < end;
                    CASE("entry %zu of element %zu", k, i);
                    check_bits(part.out[k][i], written ? whole.out[k][i] : float_from_bits(0x5a5a5a5a));
                }
            }
            check_bytes(part.in, whole.in, sizeof whole.in);
        }
    }
    for (size_t k = 0; k < LENGTH(memory); k++) {
        guarded_free(memory[k]);
    }
}

/* a and b may be the same arrays. */
static void test_same_inputs(void **state)
{
    (void)state;
    static chunk two, one;
    EACH_TABLE(table) {
        random_source random = {13};
        for (operation which = PRODUCT; which < OPERATIONS; which++) {
            fill_chunk(&two, &random);
            memcpy(two.in + 4, two.in, sizeof two.out);
            memcpy(&one, &two, sizeof two);
            run_chunk(table, which, &two);
            pointers to = pointers_to(&one);
            for (size_t k = 0; k < 4; k++) {
                to.in[4 + k] = to.in[k];
            }
            check_status(run_operation(table, which, to.in, to.out, 0, CHUNK), GYRE_OK);
            for (size_t k = 0; k < 4; k++) {
                CASE("%s, entry %zu", operation_names[which], k);
                check_floats(one.out[k], two.out[k], CHUNK);
            }
            check_bytes(one.in, two.in, sizeof two.in);
        }
    }
}

/* Small turns and small parts produce no subnormal numbers, which would take ten to a hundred times as long. */
static void test_no_underflow(void **state)
{
    (void)state;
    static chunk c;
    EACH_BEST_TABLE(table) {
        random_source random = {12};
        for (int exponent = 0; exponent >= -90; exponent--) {
            for (size_t i = 0; i < CHUNK; i++) {
                for (size_t k = 0; k < INPUTS; k++) {
                    c.in[k][i] = k % 4 == 3 ? 1 : ldexpf(random_signed(&random, -1, 0), exponent - 2);
                }
                quaternion a = quaternion_normalised(a_of(&c, i)), b = quaternion_normalised(b_of(&c, i));
                quaternion_put(c.in, i, a);
                quaternion_put(c.in + 4, i, b);
            }
            CASE("angles of 2^%d", exponent);
            feclearexcept(FE_UNDERFLOW);
            run_chunk(table, VECTOR, &c);
            check(fetestexcept(FE_UNDERFLOW), ==, 0);
            for (int of_part = 0; exponent >= -60 && of_part >= -80; of_part -= 3) { /* components of at least 2^-63 */
                CASE("part of 2^%d", of_part);
                feclearexcept(FE_UNDERFLOW);
                run_between(table, ldexpf(0.75f, of_part), &c);
                run_between(table, 1 - ldexpf(0.75f, of_part), &c);
                check(fetestexcept(FE_UNDERFLOW), ==, 0);
            }
        }
    }
}

static void test_bad_arguments(void **state)
{
    (void)state;
    static chunk c, before;
    EACH_TABLE(table) {
        for (operation which = 0; which < OPERATIONS; which++) {
            CASE("%s", operation_names[which]);
            memset(&c, 0x5a, sizeof c);
            memcpy(&before, &c, sizeof c);
            const pointers to = pointers_to(&c);
            check_status(run_operation(table, which, to.in, to.out, 2, 1), GYRE_ERROR_RANGE);
            for (size_t k = 0; k < inputs_of[which]; k++) {
                CASE("input %zu is NULL", k);
                pointers missing = to;
                missing.in[k] = NULL;
                check_status(run_operation(table, which, missing.in, missing.out, 0, 5), GYRE_ERROR_NULL);
            }
            for (size_t k = 0; k < outputs_of[which]; k++) {
                CASE("output %zu is NULL", k);
                pointers missing = to;
                missing.out[k] = NULL;
                check_status(run_operation(table, which, missing.in, missing.out, 0, 5), GYRE_ERROR_NULL);
            }
            CASE("arrays of arrays are NULL");
            check_status(run_operation(table, which, NULL, to.out, 0, 5), GYRE_ERROR_NULL);
            check_status(run_operation(table, which, to.in, NULL, 0, 5), GYRE_ERROR_NULL);
            check_status(run_operation(table, which, NULL, NULL, 3, 3), GYRE_OK);
            check_bytes(&c, &before, sizeof c);
        }
        const pointers to = pointers_to(&c);
        static const float parts[] = {NAN, INFINITY, -INFINITY};
        for (size_t k = 0; k < LENGTH(parts); k++) {
            CASE("part %a", parts[k]);
            check_status(table->rotation_between(to.in, to.in + 4, parts[k], to.out, 0, 5), GYRE_ERROR_VALUE);
            check_bytes(&c, &before, sizeof c);
        }
        check_status(table->rotation_between(to.in, NULL, 0.5f, to.out, 0, 5), GYRE_ERROR_NULL);
        check_status(table->rotation_product(to.in, NULL, to.out, 0, 5), GYRE_ERROR_NULL);
        check_status(table->rotation_apply(to.in, NULL, to.out, 0, 5), GYRE_ERROR_NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_isolation),    TEST(test_slices),        TEST(test_same_inputs),
        TEST(test_no_underflow), TEST(test_bad_arguments),
    };
    return cmocka_run_group_tests_name("rotation_from_quaternions", tests, NULL, NULL);
}
