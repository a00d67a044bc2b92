/* gyre_flings_step with rest_at: places where damping ends, to the bit. */
#include "support/flings.h"

#include <math.h>

/* One fling with rest limits. */
static gyre_flings with_limits(fling *f, unsigned features, float rest_distance, float rest_speed)
{
    gyre_flings flings = flings_with(f, features);
    flings.rest_distance = rest_distance;
    flings.rest_speed = rest_speed;
    return flings;
}

/* It ends exactly there, where without the place it stops short of it. */
static void test_ends_there(void **state)
{
    (void)state;
    const struct {
        float start, where, damping, rest_distance, rest_speed, rate;
        float without; /* where it ends without; NaN: not tested */
    } cases[] = {
        {0, 3200, 2, 0.25f, 10, 60, 3195.02f},        {0, -3200, 2, 0.25f, 10, 60, -3195.02f},
        {1e6f, 1e6f + 999, 2, 0.25f, 0.01f, 60, NAN}, {1e6f, 1e6f + 999, 2, 0.25f, 0.01f, 1000, NAN},
        {1e7f, 1e7f - 4000, 2, 0.25f, 1, 1000, NAN},  {-500, 0.1f, 5, 0.01f, 3, 144, NAN},
        {12.3f, 45.6f, 0.7f, 1e-3f, 0.5f, 30, NAN},   {3, 1e5f, 1.5f, 0.5f, 100, 240, NAN},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < 4 * LENGTH(cases); i++) {
            const size_t c = i / 4;
            const unsigned features = i % 2 ? FLING_WITH_LOW : 0;
            const float where = cases[c].where, far = 2 * fabsf(where) + 1e4f;
            fling f = {cases[c].start, NAN, NAN, NAN, cases[c].damping, {14, 1}, .rest_at = where};
            if (i / 2 % 2) { /* inside edges */
                f.lower = -far;
                f.upper = far;
            }
            check_status(table->damping_velocity_to_rest_at(f.position, where, f.damping, &f.velocity), GYRE_OK);
            fling none = f;
            CASE("from %g to %g, damping %g, rest limits %g and %g, %g Hz, features %u, edges %zu", cases[c].start,
                 where, cases[c].damping, cases[c].rest_distance, cases[c].rest_speed, cases[c].rate, features,
                 i / 2 % 2);
            const float dt_s = 1 / cases[c].rate;
            const double rest_s = fling_until_asleep(
                table, with_limits(&f, features | FLING_WITH_PLACE, cases[c].rest_distance, cases[c].rest_speed), dt_s,
                100);
            CASE("at %a+%a after %g s", f.position, f.position_low, rest_s);
            check_bits(f.position, where);
            check(f.position_low, ==, 0);
            check(f.velocity, ==, 0);
            check(f.velocity_low, ==, 0);
            const double none_s = fling_until_asleep(
                table, with_limits(&none, features, cases[c].rest_distance, cases[c].rest_speed), dt_s, 100);
            check(rest_s, >=, none_s); /* it goes on until it is there */
            check(rest_s, <, 60);
            if (!isnan(cases[c].without)) {
                check_within(none.position, cases[c].without, 0.01f);
                check_within(none_s, 3.233, 0.02);
                check_within(rest_s, 4.733, 0.02);
            }
        }
    }
}

/* No step moves it by more than the rest distance beyond its way, or back. */
static void test_no_jump(void **state)
{
    (void)state;
    const struct {
        float where, damping, rest_distance, rest_speed, rate;
    } cases[] = {{3200, 2, 0.25f, 10, 60}, {-800, 4, 1, 50, 120}, {50, 1, 0.01f, 2, 240}, {1e5f, 3, 0.5f, 100, 30}};
    EACH_TABLE(table) {
        for (size_t i = 0; i < 2 * LENGTH(cases); i++) {
            const size_t c = i / 2;
            const unsigned features = FLING_WITH_PLACE | (i % 2 ? FLING_WITH_LOW : 0);
            fling f = {0, NAN, NAN, NAN, cases[c].damping, {14, 1}, .rest_at = cases[c].where};
            check_status(table->damping_velocity_to_rest_at(0, f.rest_at, f.damping, &f.velocity), GYRE_OK);
            const gyre_flings flings = with_limits(&f, features, cases[c].rest_distance, cases[c].rest_speed);
            while (f.velocity != 0) {
                const fling old = f;
                check_status(table->flings_step(&flings, 0, 1, 1 / cases[c].rate), GYRE_OK);
                const float moved = fabsf(f.position - old.position),
                            free = fabsf(old.velocity) * -expm1f(-f.damping / cases[c].rate) / f.damping;
                CASE("to %g, damping %g, %g Hz, features %u: from %g at %g to %g", cases[c].where, cases[c].damping,
                     cases[c].rate, features, old.position, old.velocity, f.position);
                check(moved, <=, free + cases[c].rest_distance + 0x1p-22f * fabsf(f.position));
                check(fabsf(f.position), <=, fabsf(cases[c].where) * (1 + 0x1p-20f));
            }
            check_bits(f.position, cases[c].where);
        }
    }
}

/* A place that damping does not lead to changes no bit, nor does NaN; outside the edges no place counts. */
static void test_places_elsewhere(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {1};
        for (size_t i = 0; i < effort(500); i++) {
            fling f = random_fling(&random);
            f.damping = 0.5f + 4 * random_unit(&random);
            f.spring = (gyre_spring){14, 1};
            const float leads = f.position + f.velocity / f.damping, size = fabsf(f.upper) + fabsf(f.lower);
            const float away = 1 + 0.01f * fabsf(f.velocity) + 0.01f * fabsf(f.position) + 0.1f * size;
            const float places[] = {NAN, -NAN, leads + 3 * away, leads - 2 * away};
            const bool inside = leads > f.lower && leads < f.upper && f.position >= f.lower && f.position <= f.upper;
            f.rest_at = inside ? places[i % LENGTH(places)] : places[i % 2];
            const unsigned low = i % 3 == 1 ? FLING_WITH_LOW : 0;
            fling plain = f;
            const gyre_flings with = with_limits(&f, low | FLING_WITH_PLACE, 0.1f, 2),
                              without = with_limits(&plain, low, 0.1f, 2);
            for (int step = 0; step < 200; step++) {
                CASE("place %a, leads to %a in %a..%a, step %d", f.rest_at, leads, f.lower, f.upper, step);
                check_status(table->flings_step(&with, 0, 1, 1 / 60.0f), GYRE_OK);
                check_status(table->flings_step(&without, 0, 1, 1 / 60.0f), GYRE_OK);
                check_bits(f.position, plain.position);
                check_bits(f.velocity, plain.velocity);
                check_bits(f.position_low, plain.position_low);
                check_bits(f.velocity_low, plain.velocity_low);
            }
        }
    }
}

/* Damping leads to no infinite place, without damping it leads to no place at all, and with very little not to one that
   is far from there. */
static void test_places_never_reached(void **state)
{
    (void)state;
    const struct {
        float position, velocity, damping, rest_at, dt_s;
    } cases[] = {
        {50, 20, 2, INFINITY, 1 / 60.0f}, {50, 20, 2, -INFINITY, 1 / 60.0f}, {50, -20, 2, INFINITY, 1 / 240.0f},
        {50, 1, 0, 70, 1 / 60.0f},        {50, 1, 0, INFINITY, 1 / 60.0f},   {-3e6f, -2, 0, -3e6f - 40, 1 / 144.0f},
        {0, 0.001f, 1e-5f, 500, 0.001f},  {100, 0.5f, 1e-3f, 9e4f, 1e-4f},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < 2 * LENGTH(cases); i++) {
            const size_t c = i / 2;
            const unsigned low = i % 2 ? FLING_WITH_LOW : 0;
            fling f = {cases[c].position, cases[c].velocity,          NAN, NAN, cases[c].damping,
                       {14, 1},           .rest_at = cases[c].rest_at};
            fling plain = f;
            const gyre_flings with = with_limits(&f, low | FLING_WITH_PLACE, 0.25f, 2),
                              without = with_limits(&plain, low, 0.25f, 2);
            for (int step = 0; step < 400; step++) {
                CASE("from %g at %g, damping %g, place %g, %g s, features %u, step %d", cases[c].position,
                     cases[c].velocity, cases[c].damping, cases[c].rest_at, cases[c].dt_s, low, step);
                check_status(table->flings_step(&with, 0, 1, cases[c].dt_s), GYRE_OK);
                check_status(table->flings_step(&without, 0, 1, cases[c].dt_s), GYRE_OK);
                check_bits(f.position, plain.position);
                check_bits(f.velocity, plain.velocity);
                check_bits(f.position_low, plain.position_low);
                check_bits(f.velocity_low, plain.velocity_low);
            }
        }
    }
}

/* A place outside the edges: the fling meets the edge, and rests on it or inside as without. */
static void test_places_outside_the_edges(void **state)
{
    (void)state;
    const struct {
        float position, velocity, lower, upper, rest_at;
    } cases[] = {
        {0, 400, -50, 100, 200}, {0, 400, NAN, 150, 200}, {0, -400, -150, 50, -200},
        {120, 0, 0, 100, 110},   {-20, -5, 0, 100, -10},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < 2 * LENGTH(cases); i++) {
            const size_t c = i / 2;
            const unsigned low = i % 2 ? FLING_WITH_LOW : 0;
            fling f = {cases[c].position, cases[c].velocity,          cases[c].lower, cases[c].upper, 2,
                       {14, 1},           .rest_at = cases[c].rest_at};
            CASE("from %g at %g in %g..%g, place %g, features %u", cases[c].position, cases[c].velocity, cases[c].lower,
                 cases[c].upper, cases[c].rest_at, low);
            check(fling_until_asleep(table, with_limits(&f, low | FLING_WITH_PLACE, 0.25f, 5), 1 / 60.0f, 60), <, 60);
            check(f.position, ==, cases[c].rest_at > 0 ? cases[c].upper : cases[c].lower);
        }
    }
}

/* A place on an edge that damping just reaches, or in a page beyond which the fling was thrown back. */
static void test_places_on_edges(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        for (int i = 0; i < 8; i++) {
            const float s = i % 2 ? -1 : 1, edge = s * 1024;
            const unsigned low = i / 2 % 2 ? FLING_WITH_LOW : 0;
            fling f = {0,       s * 2048 * (i < 4 ? 1 : 0.99f),        s > 0 ? 0 : edge, s > 0 ? edge : 0, 2,
                       {14, 1}, .rest_at = i < 4 ? edge : edge * 0.99f};
            CASE("to %a, edge %g, features %u", f.rest_at, edge, low);
            check(fling_until_asleep(table, with_limits(&f, low | FLING_WITH_PLACE, 0.25f, 5), 1 / 60.0f, 60), <, 60);
            check_bits(f.position, f.rest_at);
        }
    }
}

/* Asleep, a fling keeps its bits whatever its place; woken without a velocity it stays where it is; a new velocity
   takes it to a new place. With no rest speed none rests, with or without a place. */
static void test_life(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        for (int low = 0; low < 2; low++) {
            fling f = {0, 800, NAN, NAN, 2, {14, 1}, .rest_at = 400};
            uint8_t awake = 1;
            const unsigned features = FLING_WITH_PLACE | (low ? FLING_WITH_LOW : 0);
            gyre_flings flings = with_limits(&f, features, 0.25f, 10);
            flings.awake = &awake;
            flings.skip_asleep = true;
            CASE("low parts %d", low);
            for (int step = 0; step < 400; step++) {
                const fling old = f;
                const uint8_t was = awake;
                check_status(table->flings_step(&flings, 0, 1, 1 / 60.0f), GYRE_OK);
                check(awake, ==, was && fling_has_changed(&old, &f, features));
            }
            check(awake, ==, 0);
            check_bits(f.position, 400);
            f.rest_at = 1000; /* asleep */
            check_status(table->flings_step(&flings, 0, 1, 1 / 60.0f), GYRE_OK);
            check_bits(f.position, 400);
            awake = 1; /* damping leads nowhere else */
            check_status(table->flings_step(&flings, 0, 1, 1 / 60.0f), GYRE_OK);
            check_bits(f.position, 400);
            check(awake, ==, 0);
            check_status(table->damping_velocity_to_rest_at(400, 1000, 2, &f.velocity), GYRE_OK);
            check(fling_until_asleep(table, flings, 1 / 60.0f, 60), <, 60);
            check_bits(f.position, 1000);
            fling endless = {0, 800, NAN, NAN, 2, {14, 1}, .rest_at = 400};
            const gyre_flings without_limits = with_limits(&endless, features, 0.25f, 0);
            for (int step = 0; step < 120; step++) {
                check_status(table->flings_step(&without_limits, 0, 1, 1 / 60.0f), GYRE_OK);
            }
            check(endless.position, <, 400);
            check(endless.velocity, >, 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_ends_there),
        TEST(test_no_jump),
        TEST(test_places_elsewhere),
        TEST(test_places_never_reached),
        TEST(test_places_outside_the_edges),
        TEST(test_places_on_edges),
        TEST(test_life),
    };
    return cmocka_run_group_tests_name("particle_flings_places", tests, NULL, NULL);
}
