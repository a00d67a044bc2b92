/* gyre_bodies_transforms: matrices of attitudes and positions. */
#include "support/bodies.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double eps = 0x1p-24;

/* Rows [R | position] at any stride, the bytes between them unchanged; every entry of R within 8 eps of that of the
   unit quaternion, whatever the length; positions to the bit; low parts are not needed. */
static void test_transforms(void **state)
{
    (void)state;
    /* The largest errors that hill climbing found, with this form and with 1 minus a sum: 5 and 11 eps. */
    static const float hard[][4] = {{-0x1.1fa814p+0f, 0x1.00353ap+0f, 0x1.911b26p-9f, -0x1.cb5eb6p-5f},
                                    {-0x1.129602p-5f, -0x1.749c1ep-1f, 0x1.8e1be6p-1f, -0x1.e3d55p-5f},
                                    {-0x1.70651p-1f, -0x1.34fa82p-6f, 0x1.635856p-1f, -0x1.03d43ap-6f},
                                    {-0x1.14d556p-5f, 0x1.15ed96p-5f, -0x1.001068p0f, 0x1.ebeb4ep-7f}};
    static unsigned char buffer[BATCH_BODIES * 112 + 16], untouched[sizeof buffer];
    EACH_TABLE(table) {
        random_source random = {4};
        worst_case worst = {0};
        for (size_t round = 0; round < effort(200); round++) {
            body_batch b = random_bodies(&random, -20, 10, 1, false);
            if (round % 2 == 0) {
                random_lengths(&random, &b);
            }
            for (size_t i = 0; i < LENGTH(hard); i++) {
                for (int k = 0; k < 4; k++) {
                    b.at[ORIENTATION + k][50 + i] = hard[i][k];
                }
            }
            gyre_bodies bodies = {.count = BATCH_BODIES};
            for (int k = 0; k < 4; k++) {
                bodies.orientation[k] = b.at[ORIENTATION + k];
            }
            bool at_origin = random_one_in(&random, 3);
            const float *x = at_origin ? NULL : b.at[TORQUE], *y = at_origin ? NULL : b.at[TORQUE + 1];
            const float *z = at_origin ? NULL : b.at[TORQUE + 2];
            const size_t stride = 48 + 4 * random_below(&random, 17);
            const size_t begin = random_below(&random, 40), end = BATCH_BODIES - random_below(&random, 40);
            for (size_t k = 0; k < sizeof buffer; k++) {
                buffer[k] = untouched[k] = (unsigned char)random_bits(&random);
            }
            float *rows = (float *)(void *)(buffer + 4 * random_below(&random, 4));
            size_t offset = (size_t)((unsigned char *)rows - buffer);
            check_status(table->bodies_transforms(&bodies, begin, end, x, y, z, rows, stride), GYRE_OK);
            for (size_t i = begin; i < end; i++) {
                float got[3][4];
                memcpy(got, buffer + offset + i * stride, sizeof got);
                memcpy(buffer + offset + i * stride, untouched + offset + i * stride, sizeof got);
                matrix exact = quaternion_matrix(body_get(&b, i, 0).orientation);
                for (int row = 0; row < 3; row++) {
                    for (int column = 0; column < 3; column++) {
                        double off = fabs((double)got[row][column] - exact.at[row][column]) / (8 * eps);
                        check_body_share(&worst, off, &b, i, 0);
                    }
                    float position = at_origin ? 0 : b.at[TORQUE + row][i];
                    CASE("body %zu, row %d", i, row);
                    check_bits(got[row][3], position);
                }
            }
            CASE("bodies %zu to %zu, stride %zu", begin, end, stride);
            check_bytes(buffer, untouched, sizeof buffer);
        }
        print_worst("entries", &worst);
    }
}

/* The last matrix may end where memory ends, and nothing before the first one need exist. */
static void test_transforms_within_bounds(void **state)
{
    (void)state;
    guarded_memory memory = guarded_new(1);
    EACH_TABLE(table) {
        random_source random = {5};
        body_batch b = random_bodies(&random, -20, 10, 1, false);
        for (size_t count = 1; count <= 40; count++) {
            for (size_t stride = 48; stride <= 64; stride += 4) {
                gyre_bodies bodies = bodies_of(&b, 0);
                size_t bytes = (count - 1) * stride + 48;
                CASE("%zu bodies, stride %zu", count, stride);
                float *rows = (float *)(void *)(memory.end - bytes);
                check_status(table->bodies_transforms(&bodies, 0, count, b.at[TORQUE], b.at[TORQUE + 1],
                                                      b.at[TORQUE + 2], rows, stride),
                             GYRE_OK);
                float whole[12];
                memcpy(whole, (unsigned char *)rows + (count - 1) * stride, sizeof whole);
                memset(memory.begin, 0, (size_t)(memory.end - memory.begin));
                check_status(table->bodies_transforms(&bodies, count - 1, count, b.at[TORQUE], b.at[TORQUE + 1],
                                                      b.at[TORQUE + 2], rows, stride),
                             GYRE_OK);
                check_bytes((unsigned char *)rows + (count - 1) * stride, whole, sizeof whole);
            }
        }
    }
    guarded_free(memory);
}

/* An orientation that is not finite or has no length makes the rotation of its matrix NaN; a position that is not
   finite changes only its own entry. No other matrix changes. */
static void test_transforms_isolation(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {6};
        for (size_t round = 0; round < effort(100); round++) {
            body_batch b = random_bodies(&random, -20, 10, 1, false);
            static float clean[BATCH_BODIES][12], poisoned[BATCH_BODIES][12];
            const gyre_bodies bodies = bodies_of(&b, 0);
            const float *position[3] = {b.at[TORQUE], b.at[TORQUE + 1], b.at[TORQUE + 2]};
            check_status(
                table->bodies_transforms(&bodies, 0, BATCH_BODIES, position[0], position[1], position[2], clean[0], 48),
                GYRE_OK);
            const float infinite[] = {NAN, INFINITY, -INFINITY};
            const float bad = infinite[random_below(&random, 3)];
            size_t where = random_below(&random, BATCH_BODIES), array = random_below(&random, 8);
            if (array == 7) {
                for (size_t k = 0; k < 4; k++) {
                    b.at[ORIENTATION + k][where] = 0;
                }
            } else {
                b.at[array < 4 ? ORIENTATION + array : TORQUE + array - 4][where] = bad;
            }
            const bool turned = array < 4 || array == 7;
            check_status(table->bodies_transforms(&bodies, 0, BATCH_BODIES, position[0], position[1], position[2],
                                                  poisoned[0], 48),
                         turned ? GYRE_INCOMPLETE : GYRE_OK);
            for (size_t i = 0; i < BATCH_BODIES; i++) {
                for (size_t k = 0; k < 12; k++) {
                    const bool is_poisoned = i == where && (turned ? k % 4 < 3 : k == 4 * (array - 4) + 3);
                    const float want = !is_poisoned ? clean[i][k] : turned ? NAN : bad;
                    CASE("body %zu, entry %zu, where body %zu has %a in array %zu", i, k, where, bad, array);
                    check_same(poisoned[i][k], want);
                }
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_transforms),
        TEST(test_transforms_within_bounds),
        TEST(test_transforms_isolation),
    };
    return cmocka_run_group_tests_name("body_transforms", tests, NULL, NULL);
}
