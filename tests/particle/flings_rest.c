/* gyre_flings_step: when flings come to rest, sleep, and steps of no time. */
#include "support/flings.h"

#include <math.h>
#include <string.h>

static void test_rest(void **state)
{
    (void)state;
    /* position, velocity after a very short step, with limits 0.5 and 10; wanted position and velocity, and whether it
       rests then */
    static const struct {
        float x, v, wanted_x, wanted_v;
        bool rests;
    } cases[] = {
        {50, 0, 50, 0, true},          {50, 9.9f, 50, 0, true},    {50, -9.9f, 50, 0, true},
        {50, 10.1f, 50, 10.1f, false}, {100, 0, 100, 0, true},     {100, -9, 100, 0, true},
        {100.4f, 9, 100, 0, true},     {100.4f, -9, 100, 0, true}, {100.4f, 11, 100.4f, 11, false},
        {100.6f, 0, 100.6f, 0, false}, {-0.4f, 9, 0, 0, true},     {-0.4f, 0, 0, 0, true},
        {-0.6f, 0, -0.6f, 0, false},   {0, 9, 0, 0, true},         {-0.4f, -11, -0.4f, -11, false},
        {NAN, 0, NAN, NAN, false},     {50, NAN, NAN, NAN, false},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < 2 * LENGTH(cases); i++) {
            const unsigned features = i < LENGTH(cases) ? 0 : FLING_WITH_LOW;
            const size_t c = i % LENGTH(cases);
            fling f = {cases[c].x, cases[c].v, 0, 100, 1, {10, 1}};
            const fling start = f;
            uint8_t awake = 0xa5;
            gyre_flings flings = flings_with(&f, features);
            flings.rest_distance = 0.5f;
            flings.rest_speed = 10;
            flings.awake = &awake;
            CASE("x=%g v=%g, features %u", f.position, f.velocity, features);
            check_status(table->flings_step(&flings, 0, 1, 1e-9f), GYRE_OK);
            if (isnan(cases[c].wanted_x)) {
                check_nan(f.position);
            } else {
                check_within(f.position, cases[c].wanted_x, 1e-4f);
                check_within(f.velocity, cases[c].wanted_v, 1e-4f);
            }
            check(awake, ==, fling_has_changed(&start, &f, features));
            if (cases[c].rests) {
                check_status(table->flings_step(&flings, 0, 1, 1e-9f), GYRE_OK);
                check(awake, ==, 0);
            }
        }
        /* with either limit 0 it never rests beyond the edge */
        for (int k = 0; k < 2; k++) {
            fling f = {100.25f, 0, 0, 100, 1, {0, 0}};
            gyre_flings flings = flings_of(&f);
            *(k ? &flings.rest_distance : &flings.rest_speed) = 10;
            check_status(table->flings_step(&flings, 0, 1, 1), GYRE_OK);
            check(f.position, ==, 100.25f);
        }
    }
}

/* However large the numbers: the step before the last brings it onto the edge exactly, or inside. */
static void test_far_edges(void **state)
{
    (void)state;
    const struct {
        float edge, off, velocity, response_s, ratio, rest_distance, rest_speed, rate;
        unsigned features;
        double latest_s; /* of rest on the edge; 0: it may be thrown back inside */
    } cases[] = {
        {270000, 500, 3000, 0.5f, 1, 0.25f, 0.5f, 120, 0, 1.07},
        {270000, 500, 3000, 0.5f, 1, 0.25f, 0.5f, 120, FLING_WITH_LOW, 1.07},
        {1e7f, 500, 3000, 0.5f, 1, 0.25f, 0.5f, 1000, 0, 1.05},
        {1e7f, 500, 3000, 0.5f, 1, 0.25f, 0.5f, 1000, FLING_WITH_LOW, 1.05},
        {270000, 500, 3000, 0.5f, 0.6f, 0.25f, 0.5f, 240, 0, 0},
        {1e6f, 500, 5000, 0.3f, 2, 0.1f, 1, 60, 0, 1.2},
        {123456, 10, 800, 0.5f, 1, 0.01f, 0.01f, 240, 0, 2},
        {123456, 10, 800, 0.5f, 1, 0.01f, 0.01f, 240, FLING_WITH_LOW, 2},
        {4e8f, 3000, 20000, 0.4f, 1.2f, 0.25f, 0.5f, 1000, 0, 1.5},
        {4e8f, 3000, 20000, 0.4f, 1.2f, 0.25f, 0.5f, 1000, FLING_WITH_LOW, 1.5},
        {3e4f, 100, 1500, 1.5f, 1, 1e-4f, 1e-4f, 30, 0, 8},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < 2 * LENGTH(cases); i++) {
            const size_t c = i / 2;
            const float s = i % 2 ? -1 : 1, edge = s * cases[c].edge;
            fling f = {edge - s * cases[c].off, s * cases[c].velocity, s > 0 ? 0 : edge, s > 0 ? edge : 0, 0, {0, 0}};
            check_status(table->damping_from_retention(0.998f, 0.001f, &f.damping), GYRE_OK);
            check_status(table->spring_from_response(cases[c].response_s, cases[c].ratio, &f.spring), GYRE_OK);
            gyre_flings flings = flings_with(&f, cases[c].features);
            flings.rest_distance = cases[c].rest_distance;
            flings.rest_speed = cases[c].rest_speed;
            const double rest_s = fling_until_asleep(table, flings, 1 / cases[c].rate, 60);
            CASE("edge %g, from %g before it at %g u/s, response %g s, ratio %g, %g Hz, features %u: at %a after %g s",
                 edge, cases[c].off, cases[c].velocity, cases[c].response_s, cases[c].ratio, cases[c].rate,
                 cases[c].features, f.position, rest_s);
            check(f.velocity, ==, 0);
            check(f.velocity_low, ==, 0);
            if (cases[c].latest_s > 0) {
                check(f.position, ==, edge);
                check(f.position_low, ==, 0);
                check(rest_s, <=, cases[c].latest_s);
            } else {
                check(s * f.position, <=, s * edge);
                check(rest_s, <, 60);
            }
        }
    }
}

/* At a turning point far outside a step changes no position, and the fling goes on to the edge; so it does from rest
   outside. */
static void test_turning_points(void **state)
{
    (void)state;
    const struct {
        float edge, outside, velocity, w, z, rate;
    } cases[] = {
        {1e7f, 1000, 0, 12, 1, 1000}, {1e7f, 1000, 2, 12, 1, 1000},  {2e5f, 40, 0.01f, 8, 0.7f, 1000},
        {3e6f, 50, -0.5f, 5, 1, 480}, {1e6f, 300, 0, 3, 1.5f, 1000}, {5e7f, 3000, 30, 20, 1, 2000},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < 4 * LENGTH(cases); i++) {
            const size_t c = i / 4;
            const unsigned features = i / 2 % 2 ? FLING_WITH_LOW : 0;
            const float s = i % 2 ? -1 : 1, edge = s * cases[c].edge, dt_s = 1 / cases[c].rate;
            fling f = {edge + s * cases[c].outside, s * cases[c].velocity, s > 0 ? 0 : edge, s > 0 ? edge : 0, 5,
                       {cases[c].w, cases[c].z}};
            CASE("edge %g, %g outside at %g u/s, w %g, z %g, %g Hz, features %u", edge, cases[c].outside,
                 cases[c].velocity, cases[c].w, cases[c].z, cases[c].rate, features);
            const fling start = f;
            gyre_flings flings = flings_with(&f, features);
            flings.rest_distance = 0.25f;
            flings.rest_speed = 0.5f;
            check_status(table->flings_step(&flings, 0, 1, dt_s), GYRE_OK);
            if (!(features & FLING_WITH_LOW)) {
                check(f.position, ==, start.position); /* lost */
            }
            check(s * f.velocity, <, s * start.velocity);
            const double rest_s = fling_until_asleep(table, flings, dt_s, 60);
            CASE("at %a after %g s", f.position, rest_s);
            check(f.velocity, ==, 0);
            check(s * f.position, <=, s * edge);
            check(s * (edge - f.position), <=, cases[c].z < 1 ? 40.0f : 0.0f); /* thrown back: a z below 1 */
            check(rest_s, <=, 8);
        }
    }
}

/* Without damping a fling inside never rests: it goes from edge to edge, or on. */
static void test_no_damping(void **state)
{
    (void)state;
    const struct {
        float position, velocity, lower, upper, rate;
    } cases[] = {
        {50, 3, NAN, NAN, 60}, {0, -20, -INFINITY, INFINITY, 240}, {50, 300, 0, 100, 120}, {-7, 0.75f, -9, 1e6f, 30}};
    EACH_TABLE(table) {
        for (size_t i = 0; i < 2 * LENGTH(cases); i++) {
            const size_t c = i / 2;
            const unsigned features = i % 2 ? FLING_WITH_LOW : 0;
            fling f = {cases[c].position, cases[c].velocity, cases[c].lower, cases[c].upper, 0, {14, 0}};
            gyre_flings flings = flings_with(&f, features);
            flings.rest_distance = 0.25f;
            flings.rest_speed = 0.5f;
            CASE("from %g at %g u/s in %g..%g, features %u", cases[c].position, cases[c].velocity, cases[c].lower,
                 cases[c].upper, features);
            check(fling_until_asleep(table, flings, 1 / cases[c].rate, 100), ==, (double)INFINITY);
            if (!(cases[c].upper - cases[c].lower < 1000)) {
                check(f.velocity, ==, cases[c].velocity);
            }
        }
    }
}

/* Every fling comes to rest inside or on its edge; `awake` shows which. */
static void test_all_come_to_rest(void **state)
{
    (void)state;
    enum { COUNT = 301 };
    EACH_TABLE(table) {
        random_source random = {5};
        float position[COUNT], velocity[COUNT], lower[COUNT], upper[COUNT];
        uint8_t awake[COUNT];
        for (size_t i = 0; i < COUNT; i++) {
            lower[i] = 1000 * random_unit(&random);
            upper[i] = lower[i] + 1000 * random_unit(&random);
            position[i] = 3000 * random_unit(&random) - 500;
            velocity[i] = random_signed(&random, 0, 13);
        }
        gyre_flings flings = {.count = COUNT,
                              .position = position,
                              .velocity = velocity,
                              .lower = lower,
                              .upper = upper,
                              .damping = 2,
                              .spring = {14, 0.8f},
                              .rest_distance = 0.5f,
                              .rest_speed = 10,
                              .awake = awake,
                              .skip_asleep = true};
        memset(awake, 1, sizeof awake);
        for (int steps = 0; steps < 600; steps++) {
            check_status(table->flings_step(&flings, 0, COUNT, 1 / 60.0f), GYRE_OK);
        }
        for (size_t i = 0; i < COUNT; i++) {
            CASE("fling %zu", i);
            check(velocity[i], ==, 0);
            check(awake[i], ==, 0);
            check(position[i], >=, lower[i]);
            check(position[i], <=, upper[i]);
        }
        /* asleep: left unchanged, whatever the values */
        float asleep[2][COUNT];
        for (size_t i = 0; i < COUNT; i++) {
            position[i] = special_floats[i % special_float_count];
            velocity[i] = special_floats[i * 7 % special_float_count];
            awake[i] = i / 70 == 1 && i % 5 == 0 ? 0x80 : 0;
        }
        memcpy(asleep[0], position, sizeof position);
        memcpy(asleep[1], velocity, sizeof velocity);
        check_status(table->flings_step(&flings, 0, COUNT, 0.25f), GYRE_OK);
        for (size_t i = 0; i < COUNT; i++) {
            if (!(i / 70 == 1 && i % 5 == 0)) {
                CASE("fling %zu", i);
                check_bits(position[i], asleep[0][i]);
                check_bits(velocity[i], asleep[1][i]);
                check(awake[i], ==, 0);
            } else {
                check(awake[i], <=, 1);
            }
        }
    }
}

static void test_no_time_is_the_identity(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        for (size_t i = 0; i < special_float_count; i++) {
            for (size_t k = 0; k < special_float_count; k++) {
                fling f = {special_floats[i], special_floats[k], -1, 1, 2, {14, 1}};
                const fling start = f;
                uint8_t awake = 0xa5;
                gyre_flings flings = flings_of(&f);
                flings.awake = &awake;
                flings.rest_distance = flings.rest_speed = 1;
                CASE("x=%a v=%a", f.position, f.velocity);
                check_status(table->flings_step(&flings, 0, 1, i % 2 ? 0.0f : -0.0f), GYRE_OK);
                check_bits(f.position, start.position);
                check_bits(f.velocity, start.velocity);
                check(awake, ==, !(f.velocity == 0 && f.position >= -1 && f.position <= 1));
                awake = 0;
                flings.skip_asleep = true;
                check_status(table->flings_step(&flings, 0, 1, 0), GYRE_OK);
                check(awake, ==, 0);
            }
        }
        /* nor does a step change a fling at rest */
        fling f = {0.1f, 0, 0, 0.3f, 2, {14, 1}};
        check_bits(fling_stepped(table, f, 1 / 60.0f, 100).position, 0.1f);
    }
}

/* Speeds, moves and displacements from the edge become 0 below 2^-95, but not at 2^-95. */
static void test_flush(void **state)
{
    (void)state;
    const float limit = 0x1p-95f, below = nextafterf(limit, 0), speed = 0x1p-90f;
    EACH_TABLE(table) {
        for (int sign = 1; sign >= -1; sign -= 2) {
            const float s = (float)sign;
            CASE("sign %d", sign);
            /* inside, without damping */
            check(fling_stepped(table, (fling){0, s * below, -1, 1, 0, {14, 1}}, 1, 1).velocity, ==, 0);
            check(fling_stepped(table, (fling){0, s * limit, -1, 1, 0, {14, 1}}, 1, 1).velocity, ==, s * limit);
            check(fling_stepped(table, (fling){0, s * speed, -1, 1, 0, {14, 1}}, 0x1p-6f, 1).position, ==, 0);
            check(fling_stepped(table, (fling){0, s * speed, -1, 1, 0, {14, 1}}, 0x1p-5f, 1).position, ==, s * limit);
            /* outside both edges, which are 0, with a spring that has almost no effect */
            check(fling_stepped(table, (fling){s * below, 0, 0, 0, 0, {0x1p-80f, 0}}, 1, 1).position, ==, 0);
            check(fling_stepped(table, (fling){s * limit, 0, 0, 0, 0, {0x1p-80f, 0}}, 1, 1).position, ==, s * limit);
            check(fling_stepped(table, (fling){s, s * below, 0, 0, 0, {0x1p-80f, 0}}, 1, 1).velocity, ==, 0);
            check(fling_stepped(table, (fling){s, s * limit, 0, 0, 0, {0x1p-80f, 0}}, 1, 1).velocity, ==, s * limit);
        }
    }
}

/* A fling that becomes infinite, or is infinite beyond an edge, is awake. */
static void test_not_finite(void **state)
{
    (void)state;
    static const fling cases[] = {
        {3e38f, 3e38f, 0, NAN, 0, {14, 1}},          {INFINITY, 0, 0, 100, 1, {14, 1}},
        {-INFINITY, 0, 0, 100, 1, {14, 1}},          {50, INFINITY, 0, 100, 1, {14, 1}},
        {50, -INFINITY, NAN, NAN, 1, {14, 1}},       {3e38f, 0, -3e38f, -3e38f, 1, {14, 1}},
        {3e38f, -3e38f, -3e38f, -3e38f, 1, {14, 1}},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(cases); i++) {
            fling f = cases[i];
            uint8_t awake = 1;
            gyre_flings flings = flings_of(&f);
            flings.rest_distance = flings.rest_speed = 1;
            flings.awake = &awake;
            check_status(table->flings_step(&flings, 0, 1, 10), GYRE_OK);
            CASE("x=%g v=%g: got %g and %g", cases[i].position, cases[i].velocity, f.position, f.velocity);
            check_not_finite(isfinite(f.position) ? f.velocity : f.position);
            check(awake, ==, 1);
        }
    }
}

/* `follow` has no effect, but must be valid. */
static void test_follow(void **state)
{
    (void)state;
    const float invalid[] = {-0x1p-149f, 1.0000001f, NAN, INFINITY};
    EACH_TABLE(table) {
        random_source random = {9};
        for (size_t i = 0; i < effort(500); i++) {
            const fling start = random_fling(&random);
            fling other = start;
            other.spring.follow = random_one_in(&random, 2) ? 1 : random_unit(&random);
            const float dt_s = random_magnitude(&random, -8, 0);
            CASE("x=%a v=%a, %a s", start.position, start.velocity, dt_s);
            const fling wanted = fling_stepped(table, start, dt_s, 2), got = fling_stepped(table, other, dt_s, 2);
            check_bits(got.position, wanted.position);
            check_bits(got.velocity, wanted.velocity);
        }
        for (size_t i = 0; i < LENGTH(invalid); i++) {
            fling f = {50, 100, 0, 100, 2, {14, 1, invalid[i]}};
            const gyre_flings flings = flings_of(&f);
            CASE("follow %a", invalid[i]);
            check_status(table->flings_step(&flings, 0, 1, 0.1f), GYRE_ERROR_VALUE);
            check(f.position, ==, 50);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_rest),       TEST(test_far_edges),        TEST(test_turning_points),
        TEST(test_no_damping), TEST(test_all_come_to_rest), TEST(test_no_time_is_the_identity),
        TEST(test_flush),      TEST(test_not_finite),       TEST(test_follow),
    };
    return cmocka_run_group_tests_name("particle_flings_rest", tests, NULL, NULL);
}
