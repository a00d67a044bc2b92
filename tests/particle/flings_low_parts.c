/* Flings with low parts: the error of a step, frame rates, where damping ends far from 0, and sleep. flings_rest.c
   tests slices, memory and arguments, with and without low parts. */
#include "reference/fling.h"
#include "reference/particle.h"
#include "support/flings.h"

#include <math.h>

static reference_fling reference_of(const fling *f)
{
    return (reference_fling){f->damping, f->spring.angular_frequency, f->spring.damping_ratio, f->lower, f->upper};
}

static real position_of(const fling *f) { return (real)f->position + f->position_low; }
static real velocity_of(const fling *f) { return (real)f->velocity + f->velocity_low; }

/* ---- Error ---- */

/* The size of the terms of a step without a hand-over. */
static reference_state terms_of_step(const fling *f, real dt_s)
{
    const real x = position_of(f), v = fabsl(velocity_of(f));
    const bool above = x > f->upper || (x == f->upper && f->velocity > 0);
    const bool outside = above || x < f->lower || (x == f->lower && f->velocity < 0);
    if (!outside) {
        const reference_particle m = reference_particle_matrix(f->damping, dt_s);
        return (reference_state){fabsl(x) + m.pos_vel * v, m.vel_vel * v};
    }
    const real edge = above ? f->upper : f->lower, w = f->spring.angular_frequency, z = f->spring.damping_ratio;
    /* cancellation within a coefficient counts as well: as if every part were added */
    const reference_matrix m = reference_spring_matrix_bound(w, z, dt_s);
    const real scale = 0x1p24L, off = fabsl(x - edge);
    return (reference_state){scale * (m.pos_pos * off + m.pos_vel * v) + fabsl(edge) + fabsl(x),
                             scale * (m.vel_pos * off + m.vel_vel * v)};
}

static void test_error(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {1};
        worst_case worst = {0}, worst_met = {0};
        size_t met[17] = {0};
        for (size_t i = 0; i < effort(12000); i++) {
            const fling start = random_fling(&random);
            const reference_fling f = reference_of(&start);
            const float dt_s = random_magnitude(&random, -8, 3);
            CASE("x=%a+%a v=%a+%a in %a..%a, damping %a, w=%a z=%a, %a s", start.position, start.position_low,
                 start.velocity, start.velocity_low, start.lower, start.upper, start.damping,
                 start.spring.angular_frequency, start.spring.damping_ratio, dt_s);
            int hand_overs;
            const reference_state from = {position_of(&start), velocity_of(&start)};
            const reference_state exact = reference_fling_after(&f, from, dt_s, &hand_overs);
            const fling end = fling_stepped_with(table, start, FLING_WITH_LOW, dt_s, 1);
            CASE("%d hand-overs, got %a+%a and %a+%a, wanted %La and %La", hand_overs, end.position, end.position_low,
                 end.velocity, end.velocity_low, exact.position, exact.velocity);
            met[hand_overs]++;
            check(fabsf(end.position_low), <=, 0x1p-24f * fabsf(end.position));
            check(fabsf(end.velocity_low), <=, 0x1p-24f * fabsf(end.velocity));
            check_flushed(end.velocity_low);
            const real off_x = fabsl(position_of(&end) - exact.position),
                       off_v = fabsl(velocity_of(&end) - exact.velocity);
            if (hand_overs == 0) {
                const reference_state terms = terms_of_step(&start, dt_s);
                check_share(&worst, (double)(off_x / (0x1p-47L * terms.position + 0x1p-94L)));
                check_share(&worst, (double)(off_v / (0x1p-47L * terms.velocity + 0x1p-94L)));
                continue;
            }
            /* the farthest and fastest that the fling can have been */
            const real w = f.angular_frequency, rate = fmaxl(w * (1 + 2 * f.damping_ratio), f.damping);
            const real away = fmaxl(fabsl(from.position - f.lower), fabsl(from.position - f.upper));
            const real fast = fabsl(from.velocity) + w * away, far = away + fast * dt_s;
            check_share(&worst_met, (double)(off_x / (0x1p-47L * fabsl(exact.position) + 0x1p-40L * far)));
            check_share(&worst_met,
                        (double)(off_v / (0x1p-47L * fabsl(exact.velocity) + 0x1p-40L * (fast + rate * far))));
        }
        check(met[0], >, 0);
        check(met[1], >, 0);
        check(met[2], >, 0);
        check(met[16], >, 0);
        print_worst("step without a hand-over", &worst);
        print_worst("step with hand-overs", &worst_met);
    }
}

/* A thousand steps end where one does. */
static void test_frame_rates(void **state)
{
    (void)state;
    enum { STEPS = 1000 };
    EACH_BEST_TABLE(table) {
        random_source random = {2};
        worst_case worst = {0};
        for (size_t i = 0; i < effort(1000); i++) {
            fling start = random_fling(&random);
            start.spring.angular_frequency = random_magnitude(&random, 0, 4);
            start.spring.damping_ratio = 0.1f + random_magnitude(&random, -4, 1);
            const float dt_s = random_magnitude(&random, -18, -9);
            CASE("x=%a v=%a in %a..%a, damping %a, w=%a z=%a, %a s", start.position, start.velocity, start.lower,
                 start.upper, start.damping, start.spring.angular_frequency, start.spring.damping_ratio, dt_s);
            const reference_fling f = reference_of(&start);
            int hand_overs;
            const reference_state from = {position_of(&start), velocity_of(&start)};
            const reference_state exact = reference_fling_after(&f, from, STEPS * (real)dt_s, &hand_overs);
            if (hand_overs == 16) {
                continue; /* time is dropped */
            }
            const fling end = fling_stepped_with(table, start, FLING_WITH_LOW, dt_s, STEPS);
            const real away = fmaxl(fabsl(from.position - f.lower), fabsl(from.position - f.upper));
            const real size = fabsl(from.position) + fabsl(f.lower) + fabsl(f.upper) + away;
            const real fast = fabsl(from.velocity) + f.angular_frequency * size;
            const real allowed = STEPS * 0x1p-50L + 0x1p-40L * hand_overs;
            CASE("%d hand-overs, got %La and %La, wanted %La and %La", hand_overs, position_of(&end), velocity_of(&end),
                 exact.position, exact.velocity);
            check_share(&worst, (double)(fabsl(position_of(&end) - exact.position) /
                                         (allowed * (size + fast * (1 + STEPS * (real)dt_s)))));
            const real rate = fmaxl(f.angular_frequency * (1 + 2 * f.damping_ratio), f.damping);
            check_share(&worst, (double)(fabsl(velocity_of(&end) - exact.velocity) /
                                         (allowed * (fast + rate * (size + fast * STEPS * (real)dt_s)))));
        }
        print_worst("thousand steps", &worst);
    }
}

/* ---- Where damping ends ---- */

/* A fling stops rest_speed / damping short of where damping leads, at every frame rate and however far from 0; without
   low parts some ulps of the position for each step are lost. */
static void test_where_damping_ends(void **state)
{
    (void)state;
    const struct {
        float start, way, damping, rest_speed, within;
        float without[4]; /* how far short without low parts at each rate; 0: not tested */
    } cases[] = {
        {1e6f, 999, 2, 0.01f, 0.006f, {0.75f, 1.44f, 2.75f, 0}},
        {0, 999, 2, 0.01f, 0.006f, {0, 0, 0, 0}},
        {1e7f, -999, 2, 0.01f, 0.006f, {0, 0, 0, 0}},
        {-3e5f, 2500, 4.2f, 0.1f, 0.025f, {0, 0, 0, 0}},
        {8e6f, 64, 1, 0.02f, 0.021f, {0, 0, 0, 0}},
    };
    const float rates[] = {60, 120, 240, 1000};
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(cases) * LENGTH(rates); i++) {
            const size_t c = i / LENGTH(rates), r = i % LENGTH(rates);
            const float where = cases[c].start + cases[c].way;
            fling f = {cases[c].start, NAN, NAN, NAN, cases[c].damping, {14, 1}};
            check_status(table->damping_velocity_to_rest_at(f.position, where, f.damping, &f.velocity), GYRE_OK);
            fling plain = f;
            gyre_flings flings[2] = {flings_of(&plain), flings_with(&f, FLING_WITH_LOW)};
            for (int k = 0; k < 2; k++) {
                flings[k].rest_distance = 0.25f;
                flings[k].rest_speed = cases[c].rest_speed;
                check(fling_until_asleep(table, flings[k], 1 / rates[r], 100), <, 60);
            }
            const double sign = cases[c].way > 0 ? 1 : -1;
            const double left = sign * ((double)where - f.position - f.position_low);
            CASE("from %g to %g, damping %g, at %g Hz", cases[c].start, where, cases[c].damping, rates[r]);
            const double wanted = (double)cases[c].rest_speed / (double)cases[c].damping;
            check(left, <=, (double)cases[c].within);
            check(left, <=, wanted * 1.001 + 0x1p-24);                    /* it was slower than that */
            check(left, >, wanted * exp(-(double)cases[c].damping / 50)); /* but not a step before */
            if (cases[c].without[r] > 0) {
                check_within(sign * ((double)where - plain.position), cases[c].without[r], 0.01f);
            }
        }
    }
}

/* ---- Sleep ---- */

/* A low part alone counts as a change; what rounding holds in place sleeps. */
static void test_what_counts_as_a_change(void **state)
{
    (void)state;
    const struct {
        const char *what;
        fling start;
        float dt_s;
        unsigned features;
        bool position, velocity, position_low, velocity_low; /* which change */
    } cases[] = {
        {"low part of the position",
         {0x1p20f, 0x1p-8f, NAN, NAN, 0, {1, 1}},
         0x1p-6f,
         FLING_WITH_LOW,
         false,
         false,
         true,
         false},
        {"nothing, with a velocity", {0x1p20f, 0x1p-8f, NAN, NAN, 0, {1, 1}}, 0x1p-6f, 0, false, false, false, false},
        {"velocity", {0x1p20f, 0x1p-8f, NAN, NAN, 1, {1, 1}}, 0x1p-6f, 0, false, true, false, false},
        {"low parts", {-0x1p20f, 1, NAN, NAN, 0x1p-20f, {1, 1}}, 0x1p-8f, FLING_WITH_LOW, false, false, true, true},
        {"nothing, without damping and at rest",
         {7, 0, 0, 9, 0, {1, 1}, 0x1p-25f},
         1,
         FLING_WITH_LOW,
         false,
         false,
         false,
         false},
        {"position", {0, 1, NAN, NAN, 0, {1, 1}}, 1, FLING_WITH_LOW, true, false, false, false},
    };
    EACH_TABLE(table) {
        for (size_t c = 0; c < LENGTH(cases); c++) {
            const fling *old = &cases[c].start;
            fling f = *old;
            uint8_t awake = 9;
            gyre_flings flings = flings_with(&f, cases[c].features);
            flings.awake = &awake;
            check_status(table->flings_step(&flings, 0, 1, cases[c].dt_s), GYRE_OK);
            CASE("%s: %a+%a and %a+%a", cases[c].what, f.position, f.position_low, f.velocity, f.velocity_low);
            check(f.position != old->position, ==, cases[c].position);
            check(f.velocity != old->velocity, ==, cases[c].velocity);
            check(f.position_low != old->position_low, ==, cases[c].position_low);
            check(f.velocity_low != old->velocity_low, ==, cases[c].velocity_low);
            check(awake, ==, fling_has_changed(old, &f, cases[c].features));
        }
    }
}

/* A step of no time keeps every bit, and its flags see low parts: just outside an edge, or just moving. */
static void test_no_time(void **state)
{
    (void)state;
    const struct {
        fling f;
        bool unsettled;
    } cases[] = {
        {{5, 0, 0, 9, 2, {1, 1}, 0x1p-26f, 0}, false},    {{9, 0, 0, 9, 2, {1, 1}, 0x1p-26f, 0}, true},
        {{9, 0, 0, 9, 2, {1, 1}, -0x1p-26f, 0}, false},   {{4, 0, 4, 9, 2, {1, 1}, -0x1p-26f, 0}, true},
        {{5, 0, 0, 9, 2, {1, 1}, 0, 0x1p-60f}, true},     {{5, 0, NAN, NAN, 2, {1, 1}, NAN, 0}, true},
        {{20, 0, 0, NAN, 2, {1, 1}, 0x1p-22f, 0}, false},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < 2 * LENGTH(cases); i++) {
            const size_t c = i / 2;
            fling f = cases[c].f;
            uint8_t awake = 9;
            gyre_flings flings = flings_with(&f, FLING_WITH_LOW);
            flings.awake = &awake;
            flings.rest_distance = flings.rest_speed = 1;
            flings.skip_asleep = i % 2;
            CASE("position %a+%a, velocity %a+%a, skip_asleep %zu", f.position, f.position_low, f.velocity,
                 f.velocity_low, i % 2);
            check_status(table->flings_step(&flings, 0, 1, 0), GYRE_OK);
            check_bits(f.position, cases[c].f.position);
            check_bits(f.velocity, cases[c].f.velocity);
            check_bits(f.position_low, cases[c].f.position_low);
            check_bits(f.velocity_low, cases[c].f.velocity_low);
            check(awake, ==, cases[c].unsettled);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_error),   TEST(test_frame_rates), TEST(test_where_damping_ends), TEST(test_what_counts_as_a_change),
        TEST(test_no_time),
    };
    return cmocka_run_group_tests_name("particle_flings_low_parts", tests, NULL, NULL);
}
