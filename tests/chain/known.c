/* gyre_bone_chains_step: answers that are known, in long double or in closed form. */
#include "support/chains.h"

#include <math.h>

static void step_single(const gyre_kernels *table, single_chain *s, float dt_s)
{
    const gyre_bone_chains c = chains_of_single(s);
    check_status(table->bone_chains_step(&c, 0, 1, dt_s), GYRE_OK);
}

static void check_vector(vector got, vector wanted, double allowed)
{
    for (size_t k = 0; k < 3; k++) {
        check_within(got.at[k], wanted.at[k], allowed);
    }
}

/* Where a bone of this chain must be after 1 step and after 10 tenths of it. */
typedef struct known_answer {
    const char *name;
    vector direction, velocity;
    float dt_s;
    float position[3], parent[4]; /* where the root goes, 0: stays */
    bool is_let_go;
    float gravity, wind;
} known_answer;

static const known_answer answers[] = {
    {"let go at x",
     {{0.3493554361, -0.9246671717, 0.1514641899}},
     {{-1.1491990165, -0.4606800047, -0.1617329710}},
     0.1f,
     .is_let_go = true},
    {"gravity and wind",
     {{0.0242701948, -0.9976082458, 0.0647205195}},
     {{0.0738720769, 0.0145771926, 0.1969922050}},
     0.05f,
     .gravity = 3,
     .wind = 1},
    {"moving head",
     {{-0.3305079712, -0.9292231170, -0.1652539856}},
     {{0.7188045573, 0.5696227563, 0.3594022787}},
     0.02f,
     .position = {0.04f, 0, 0.02f}},
    {"turning parent",
     {{0.1511573489, -0.9819873471, -0.1133680117}},
     {{0.5638678197, 0.1356190539, -0.4229008648}},
     0.05f,
     .parent = {0.1484423755f, 0, 0.1979231674f, 0.9689124217f}},
};

static single_chain start_of(const known_answer *a)
{
    single_chain s = single_of(1);
    if (a->is_let_go) {
        point_single(&s, 0, 1, 0, 0);
        s.velocity[2][0] = 0.5f;
    }
    s.gravity[0] = a->gravity;
    s.wind[2] = a->wind;
    return s;
}

/* The root after `part` of the way. */
static void put_root(const known_answer *a, single_chain *s, double part)
{
    for (size_t k = 0; k < 3; k++) {
        s->position_before[k] = s->position[k];
        s->position[k] = (float)(part * (double)a->position[k]);
    }
    if (a->parent[3] != 0) {
        const quaternion whole = {
            {(double)a->parent[0], (double)a->parent[1], (double)a->parent[2], (double)a->parent[3]}};
        const quaternion none = {{0, 0, 0, 1}}, now = reference_between(none, quaternion_normalised(whole), part);
        for (size_t k = 0; k < 4; k++) {
            s->parent_before[k] = s->parent[k];
            s->parent[k] = (float)now.at[k];
        }
    }
}

static void test_one_step(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(answers); i++) {
            CASE("%s", answers[i].name);
            single_chain s = start_of(&answers[i]);
            put_root(&answers[i], &s, 1);
            step_single(table, &s, answers[i].dt_s);
            check_vector(single_direction(&s, 0), answers[i].direction, 1e-6);
            check_vector(single_velocity(&s, 0), answers[i].velocity, 2e-6);
        }
    }
}

static void test_ten_tenths(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(answers); i++) {
            CASE("%s", answers[i].name);
            single_chain s = start_of(&answers[i]);
            for (int k = 1; k <= 10; k++) {
                put_root(&answers[i], &s, k / 10.0);
                step_single(table, &s, answers[i].dt_s / 10);
            }
            check_vector(single_direction(&s, 0), answers[i].direction, 1e-6 + 10 * 2e-7);
            check_vector(single_velocity(&s, 0), answers[i].velocity, 1e-5);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_one_step), TEST(test_ten_tenths)};
    return cmocka_run_group_tests_name("chain_known", tests, NULL, NULL);
}
