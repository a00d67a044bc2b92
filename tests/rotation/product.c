/* gyre_rotation_product: the stated error, the order, and the rules of products. */
#include "support/quaternions.h"

static const double eps = 0x1p-24, pi = 3.14159265358979323846;

static void test_product_errors(void **state)
{
    (void)state;
    static chunk c;
    EACH_BEST_TABLE(table) {
        random_source random = {3};
        worst_case worst = {0};
        for (size_t round = 0; round < effort(100); round++) {
            fill_chunk(&c, &random);
            for (size_t i = 0; i < CHUNK && round % 3 == 0; i++) {
                const float length = random_magnitude(&random, -20, 20);
                for (size_t k = 0; k < 4; k++) {
                    c.in[k][i] *= length;
                }
            }
            run_chunk(table, PRODUCT, &c);
            for (size_t i = 0; i < CHUNK; i++) {
                const quaternion a = a_of(&c, i), b = b_of(&c, i), exact = quaternion_product(a, b);
                CASE("%a %a %a %a times %a %a %a %a", a.at[0], a.at[1], a.at[2], a.at[3], b.at[0], b.at[1], b.at[2],
                     b.at[3]);
                const double off = largest_component(quaternion_difference(result_of(&c, i), exact));
                check_share(&worst, off / (4 * eps * quaternion_length(a) * quaternion_length(b)));
            }
        }
        print_worst("product", &worst);
    }
}

/* A quarter turn about z, then one about x, takes x to z; in the other order, x goes to y. */
static void test_order_of_product(void **state)
{
    (void)state;
    static chunk c;
    const double quarter = pi / 2;
    const quaternion about_z = reference_quaternion((vector){{0, 0, quarter}}),
                     about_x = reference_quaternion((vector){{quarter, 0, 0}});
    EACH_TABLE(table) {
        quaternion_put(c.in, 0, about_x);
        quaternion_put(c.in + 4, 0, about_z);
        run_chunk(table, PRODUCT, &c);
        const vector first_z = quaternion_rotate(result_of(&c, 0), (vector){{1, 0, 0}});
        check_within(first_z.at[2], 1, 8 * eps);
        quaternion_put(c.in, 0, about_z);
        quaternion_put(c.in + 4, 0, about_x);
        run_chunk(table, PRODUCT, &c);
        const vector first_x = quaternion_rotate(result_of(&c, 0), (vector){{1, 0, 0}});
        check_within(first_x.at[1], 1, 8 * eps);
    }
}

static void multiply(const gyre_kernels *table, float a[][CHUNK], float b[][CHUNK], float out[][CHUNK])
{
    float *const first[4] = {a[0], a[1], a[2], a[3]}, *const second[4] = {b[0], b[1], b[2], b[3]};
    float *const product[4] = {out[0], out[1], out[2], out[3]};
    check_status(table->rotation_product(first, second, product, 0, CHUNK), GYRE_OK);
}

/* (a b) c = a (b c); the matrix of a product is the product of the matrices; a rotation and its inverse cancel. */
static void test_product_identities(void **state)
{
    (void)state;
    static chunk c;
    static float third[4][CHUNK], ab[4][CHUNK], bc[4][CHUNK], left[4][CHUNK], right[4][CHUNK];
    EACH_BEST_TABLE(table) {
        random_source random = {8};
        for (size_t round = 0; round < effort(50); round++) {
            fill_chunk(&c, &random);
            for (size_t i = 0; i < CHUNK; i++) {
                quaternion_put(third, i, random_quaternion(&random));
            }
            multiply(table, c.in, c.in + 4, ab);
            multiply(table, c.in + 4, third, bc);
            multiply(table, ab, third, left);
            multiply(table, c.in, bc, right);
            for (size_t i = 0; i < CHUNK; i++) {
                CASE("element %zu", i);
                check(largest_component(quaternion_difference(quaternion_in(left, i), quaternion_in(right, i))), <=,
                      12 * eps);
                const matrix a = quaternion_matrix(a_of(&c, i)), b = quaternion_matrix(b_of(&c, i)),
                             of_product = quaternion_matrix(quaternion_in(ab, i)), product = matrix_product(a, b);
                for (size_t k = 0; k < 9; k++) {
                    check_within(of_product.at[k / 3][k % 3], product.at[k / 3][k % 3], 40 * eps);
                }
                quaternion_put(third, i, quaternion_conjugate(a_of(&c, i)));
            }
            multiply(table, c.in, third, left);
            for (size_t i = 0; i < CHUNK; i++) { /* q times its conjugate */
                check_within(left[3][i], 1, 8 * eps);
                for (size_t k = 0; k < 3; k++) {
                    check_within(left[k][i], 0, 4 * eps);
                }
                quaternion_put(third, i, (quaternion){{0, 0, 0, 1}});
            }
            multiply(table, c.in, third, left);
            multiply(table, third, c.in, right);
            for (size_t i = 0; i < 4 * CHUNK; i++) { /* the identity changes nothing */
                check(left[i % 4][i / 4], ==, c.in[i % 4][i / 4]);
                check(right[i % 4][i / 4], ==, c.in[i % 4][i / 4]);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_product_errors),
        TEST(test_order_of_product),
        TEST(test_product_identities),
    };
    return cmocka_run_group_tests_name("rotation_product", tests, NULL, NULL);
}
