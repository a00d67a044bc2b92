/* gyre_bone_from_spring and gyre_bone_from_vrm. */
#include "support/chains.h"

#include <math.h>
#include <string.h>

static void test_from_spring(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {1};
        for (size_t i = 0; i < effort(500); i++) {
            const float w = random_magnitude(&random, -6, 10), z = 2 * random_unit(&random);
            const gyre_spring spring = {w, z, random_unit(&random)};
            gyre_bone bone = {.rest = {1, 2, 3, 4}, .tail = {NAN}, .gravity = NAN, .load_damping = 7, .limit = 5};
            check_status(table->bone_from_spring(spring, &bone), GYRE_OK);
            const double c = 2 * (double)z * (double)w;
            CASE("w %a, z %a, follow %a", w, z, spring.follow);
            check(ulps_off(bone.stiffness, (long double)w * (long double)w), <=, 1);
            check(ulps_off(bone.damping, (long double)c), <=, 1);
            check_within((double)bone.drag, (1 - (double)spring.follow) * c, 0x1p-23 * c);
            check(bone.drag, <=, bone.damping);
            check(bone.load_damping, ==, 0);
            check(bone.rest[3], ==, 4);
            check(bone.limit, ==, 5);
            check_nan(bone.gravity);
        }
        gyre_bone bone = {.stiffness = 3};
        check_status(table->bone_from_spring((gyre_spring){1, 1, 0}, NULL), GYRE_ERROR_NULL);
        check_status(table->bone_from_spring((gyre_spring){-1, 1, 0}, &bone), GYRE_ERROR_VALUE);
        check_status(table->bone_from_spring((gyre_spring){1, NAN, 0}, &bone), GYRE_ERROR_VALUE);
        check_status(table->bone_from_spring((gyre_spring){1, 1, 2}, &bone), GYRE_ERROR_VALUE);
        check_status(table->bone_from_spring((gyre_spring){0x1p100f, 1, 0}, &bone), GYRE_ERROR_RANGE);
        check(bone.stiffness, ==, 3);
    }
}

/* The map as kernels/chain/README.md has it, in long double. */
typedef struct vrm_map {
    long double stiffness, damping, drag, load_damping, gravity;
} vrm_map;

static vrm_map map_of(long double k, long double d, long double g, long double length, long double f0)
{
    d = d < 0.999L ? d : 0.999L;
    const long double force = sqrtl(k * k + g * g), kappa = force / length, s = 1 / (1 + kappa / f0);
    const long double p = s * (1 - d), sum = s * (2 - d), a = -f0 * logl(p) / 2, x = sum / (2 * sqrtl(p));
    const long double turn = f0 * (x < 1 ? acosl(x) : acoshl(x)),
                      w2 = x < 1 ? a * a + turn * turn : a * a - turn * turn;
    const long double sigma = w2 / kappa, damping = 2 * a * (1 + 0.15L * (1 - d));
    vrm_map m = {sigma * k / length, 0, sigma * d, 0.8L / sigma, sigma * g};
    m.damping = damping + m.load_damping * (m.stiffness - w2);
    if (m.damping < m.drag) {
        m.damping = m.drag;
        m.load_damping = damping > m.drag ? (damping - m.drag) / (w2 - m.stiffness) : 0;
    }
    return m;
}

static void check_bone(const gyre_bone *bone, vrm_map wanted)
{
    check(ulps_off(bone->stiffness, wanted.stiffness), <=, 2);
    check(ulps_off(bone->damping, wanted.damping), <=, 2);
    check(ulps_off(bone->drag, wanted.drag), <=, 2);
    check(ulps_off(bone->load_damping, wanted.load_damping), <=, 2);
    check(ulps_off(bone->gravity, wanted.gravity), <=, 2);
    check(bone->drag, <=, bone->damping);
    check(bone->load_damping, >=, 0);
}

static void test_from_vrm(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {2};
        for (size_t i = 0; i < effort(3000); i++) {
            const float k = random_one_in(&random, 5) ? 0 : random_magnitude(&random, -5, 2);
            const float g = k > 0 && random_one_in(&random, 2) ? 0 : random_magnitude(&random, -5, 2);
            const float d = random_one_in(&random, 9) ? 1 : random_unit(&random);
            const float length = random_magnitude(&random, -6, 0), rate = random_one_in(&random, 2) ? 60 : 120;
            gyre_bone bone = {.rest = {1, 2, 3, 4}, .limit = 5, .gravity = NAN};
            check_status(table->bone_from_vrm(k, d, g, length, rate, &bone), GYRE_OK);
            CASE("stiffness %a, drag %a, gravity %a, length %a, rate %a", k, d, g, length, rate);
            check_bone(&bone,
                       map_of((long double)k, (long double)d, (long double)g, (long double)length, (long double)rate));
            check(bone.rest[3], ==, 4);
            check(bone.limit, ==, 5);
        }
    }
}

/* Worked out outside the project, without gravity; `gravity` is what a power of 0.2 becomes in these units. */
static void test_known(void **state)
{
    (void)state;
    static const struct {
        float k, d, length;
        double stiffness, damping, drag, gravity, load_damping;
    } known[] = {
        {1, 0.4f, 0.10f, 715.78857890, 43.48945025, 28.63154316, 14.31577158, 0.0111764846},
        {2, 0.2f, 0.07f, 1611.98629304, 41.16727897, 11.28390405, 11.28390405, 0.0141794896},
        {1, 0.8f, 0.10f, 1122.09970368, 108.98977500, 89.76797629, 22.44199407, 0.0071294912},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(known); i++) {
            gyre_bone bone = {0};
            CASE("stiffness %g, drag %g", known[i].k, known[i].d);
            check_status(table->bone_from_vrm(known[i].k, known[i].d, 0, known[i].length, 60, &bone), GYRE_OK);
            check_within((double)bone.stiffness / known[i].stiffness, 1, 1e-6);
            check_within((double)bone.damping / known[i].damping, 1, 1e-6);
            check_within((double)bone.drag / known[i].drag, 1, 1e-6);
            check_within(0.2 * (double)bone.stiffness * (double)known[i].length / (double)known[i].k, known[i].gravity,
                         1e-6 * known[i].gravity); /* sigma times 0.2 */
            check_within((double)bone.load_damping / known[i].load_damping, 1, 1e-6);
        }
    }
}

/* Neither stiffness nor gravity: the damping of the limit, which bones with little of both come to. */
static void test_vrm_without_force(void **state)
{
    (void)state;
    static const float drags[] = {0, 0.3f, 1};
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(drags); i++) {
            gyre_bone none = {0}, little = {0};
            CASE("drag %g", drags[i]);
            check_status(table->bone_from_vrm(0, drags[i], 0, 0.1f, 60, &none), GYRE_OK);
            check_status(table->bone_from_vrm(1e-9f, drags[i], 0, 0.1f, 60, &little), GYRE_OK);
            check(none.stiffness, ==, 0);
            check(none.gravity, ==, 0);
            check_within((double)none.damping, (double)little.damping, 1e-5 * (double)little.damping + 1e-4);
            check_within((double)none.drag, (double)little.drag, 1e-5 * (double)little.drag + 1e-4);
            check(none.drag, <=, none.damping);
        }
    }
}

static void test_vrm_arguments(void **state)
{
    (void)state;
    static const float bad[][5] = {
        {-1, 0.4f, 0, 0.1f, 60},      {NAN, 0.4f, 0, 0.1f, 60},   {INFINITY, 0.4f, 0, 0.1f, 60},
        {1, -0.1f, 0, 0.1f, 60},      {1, 1.01f, 0, 0.1f, 60},    {1, NAN, 0, 0.1f, 60},
        {1, 0.4f, -1, 0.1f, 60},      {1, 0.4f, NAN, 0.1f, 60},   {1, 0.4f, 0, 0, 60},
        {1, 0.4f, 0, -1, 60},         {1, 0.4f, 0, NAN, 60},      {1, 0.4f, 0, 0.1f, 0},
        {1, 0.4f, 0, 0.1f, INFINITY}, {1, 0.4f, 0, INFINITY, 60}, {1, 0.4f, INFINITY, 1, 60}};
    EACH_TABLE(table) {
        const gyre_bone before = {.stiffness = 3, .gravity = 4};
        gyre_bone bone = before;
        for (size_t i = 0; i < LENGTH(bad); i++) {
            CASE("%zu", i);
            check_status(table->bone_from_vrm(bad[i][0], bad[i][1], bad[i][2], bad[i][3], bad[i][4], &bone),
                         GYRE_ERROR_VALUE);
        }
        check_status(table->bone_from_vrm(1, 0, 0, 1, 60, NULL), GYRE_ERROR_NULL);
        check_status(table->bone_from_vrm(0x1p120f, 0.4f, 0, 0x1p-120f, 0x1p60f, &bone), GYRE_ERROR_RANGE);
        check_bytes(&bone, &before, sizeof bone);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_from_spring), TEST(test_from_vrm), TEST(test_known),
                                       TEST(test_vrm_without_force), TEST(test_vrm_arguments)};
    return cmocka_run_group_tests_name("chain_bones", tests, NULL, NULL);
}
