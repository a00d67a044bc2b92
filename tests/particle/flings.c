/* gyre_flings_step: damping inside the edges, springs beyond them, and what happens where they meet. */
#include "reference/fling.h"
#include "reference/particle.h"
#include "support/flings.h"

#include <math.h>

static const float eps = 0x1p-24f;

static reference_fling reference_of(const fling *f)
{
    return (reference_fling){f->damping, f->spring.angular_frequency, f->spring.damping_ratio, f->lower, f->upper};
}

/* ---- The motion ---- */

/* The largest error that particles-reference.md allows for a step without a hand-over. */
static reference_state bound_of_step(const fling *f, real dt_s, reference_state end)
{
    const bool above = f->position > f->upper || (f->position == f->upper && f->velocity > 0);
    const bool outside = above || f->position < f->lower || (f->position == f->lower && f->velocity < 0);
    const real v = fabsl((real)f->velocity), e = eps;
    if (!outside) {
        const reference_particle m = reference_particle_matrix(f->damping, dt_s);
        const reference_particle off = reference_particle_bound(f->damping, dt_s);
        return (reference_state){4 * e * (fabsl((real)f->position) + m.pos_vel * v) + off.pos_vel * v,
                                 3 * e * m.vel_vel * v + off.vel_vel * v};
    }
    const float edge = above ? f->upper : f->lower;
    const real x = fabsl((real)f->position - edge);
    const reference_matrix m =
        reference_spring_matrix_bound(f->spring.angular_frequency, f->spring.damping_ratio, dt_s);
    return (reference_state){2 * (m.pos_pos * x + m.pos_vel * v) + e * fabsl(end.position),
                             2 * (m.vel_pos * x + m.vel_vel * v)};
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
            CASE("x=%a v=%a in %a..%a, damping %a, w=%a z=%a, %a s", start.position, start.velocity, start.lower,
                 start.upper, start.damping, start.spring.angular_frequency, start.spring.damping_ratio, dt_s);
            int hand_overs;
            const reference_state from = {start.position, start.velocity};
            const reference_state exact = reference_fling_after(&f, from, dt_s, &hand_overs);
            const fling end = fling_stepped(table, start, dt_s, 1);
            CASE("%d hand-overs, got %a and %a, wanted %La and %La", hand_overs, end.position, end.velocity,
                 exact.position, exact.velocity);
            met[hand_overs]++;
            const real off_x = fabsl(end.position - exact.position), off_v = fabsl(end.velocity - exact.velocity);
            if (hand_overs == 0) {
                const reference_state allowed = bound_of_step(&start, dt_s, exact);
                check_share(&worst, (double)(off_x / (allowed.position + 0x1p-95L)));
                check_share(&worst, (double)(off_v / (allowed.velocity + 0x1p-95L)));
                continue;
            }
            /* the farthest and fastest that the fling can have been */
            const real w = f.angular_frequency, rate = fmaxl(w * (1 + 2 * f.damping_ratio), f.damping);
            const real away = fmaxl(fabsl(from.position - f.lower), fabsl(from.position - f.upper));
            const real fast = fabsl(from.velocity) + w * away, far = away + fast * dt_s;
            check_share(&worst_met, (double)(off_x / (eps * fabsl(exact.position) + 0x1p-40L * far)));
            check_share(&worst_met, (double)(off_v / (eps * fabsl(exact.velocity) + 0x1p-40L * (fast + rate * far))));
        }
        check(met[0], >, 0);
        check(met[1], >, 0);
        check(met[2], >, 0);
        check(met[16], >, 0);
        print_worst("step without a hand-over", &worst);
        print_worst("step with hand-overs", &worst_met);
    }
}

/* Ten steps equal one, whichever edges they meet, within the limits in particles-reference.md. */
static void test_frame_rates(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {2};
        for (size_t i = 0; i < effort(5000); i++) {
            fling start = random_fling(&random);
            start.spring.angular_frequency = random_magnitude(&random, 0, 4);
            start.spring.damping_ratio = 0.1f + random_magnitude(&random, -4, 1);
            const float dt_s = random_magnitude(&random, -8, 0);
            CASE("x=%a v=%a in %a..%a, damping %a, w=%a z=%a, %a s", start.position, start.velocity, start.lower,
                 start.upper, start.damping, start.spring.angular_frequency, start.spring.damping_ratio, dt_s);
            const reference_fling f = reference_of(&start);
            int hand_overs;
            reference_fling_after(&f, (reference_state){start.position, start.velocity}, dt_s, &hand_overs);
            if (hand_overs == 16) {
                continue; /* time is dropped */
            }
            const fling one = fling_stepped(table, start, dt_s, 1), ten = fling_stepped(table, start, dt_s / 10, 10);
            const float away = fmaxf(fabsf(start.position - start.lower), fabsf(start.position - start.upper));
            const float size = fabsf(start.position) + fabsf(start.lower) + fabsf(start.upper) + away;
            const float fast = fabsf(start.velocity) + start.spring.angular_frequency * size;
            check_within(ten.position, one.position, 100 * eps * (size + fast * dt_s));
            check_within(ten.velocity, one.velocity, 200 * eps * fast * (1 + start.damping * dt_s));
        }
    }
}

/* The spring takes over the velocity that damping leaves at the edge, at the moment given by
   gyre_damping_time_to_position; and the fling that it throws back ends where gyre_damping_rest_position says. */
static void test_there_and_back(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        const fling start = {900, 4000, 0, 1000, 2, {12, 0.4f}};
        float there_s;
        check_status(table->damping_time_to_position(900, 4000, 2, 1000, &there_s), GYRE_OK);
        const fling before = fling_stepped(table, start, there_s * 0.999f, 1),
                    after = fling_stepped(table, start, there_s * 1.001f, 1);
        check(before.position, <, 1000);
        check(after.position, >, 1000);
        check_within(before.velocity, 3800.0f, 1); /* v - k times the distance */
        check_within(after.velocity, 3800.0f, 4);

        /* out and back after half a period of the damped spring, with that part of the speed */
        const double z = (double)start.spring.damping_ratio, root = sqrt((1 - z) * (1 + z)), pi = 3.14159265358979;
        const double half_s = pi / (12 * root), left = exp(-z * 12 * half_s);
        const fling back = fling_stepped(table, start, (float)((double)there_s + half_s) * 1.0001f, 1);
        check(back.position, <, 1000);
        check_within(back.position, 1000.0f, 0.2f);
        check_within(back.velocity, -3800 * left, 1);
        /* continues as a fling, to rest within the content */
        float rest;
        check_status(table->damping_rest_position(1000, (float)(-3800 * left), 2, &rest), GYRE_OK);
        check(rest, >, 0);
        check_within(fling_stepped(table, start, 30, 1).position, rest, 0.01f);
        check_within(fling_stepped(table, start, 1 / 60.0f, 1800).position, rest, 0.01f);
    }
}

/* Without damping anywhere, the energy of the motion and the spring together is conserved, at both edges. */
static void test_energy(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {3};
        fling f = {10, 500, -20, 60, 0, {25, 0}};
        size_t outside = 0;
        for (size_t i = 0; i < 300; i++) {
            f = fling_stepped(table, f, random_magnitude(&random, -8, -1), 1);
            CASE("step %zu: x=%a v=%a", i, f.position, f.velocity);
            const float x = fmaxf(fmaxf(f.position - f.upper, f.lower - f.position), 0);
            outside += x > 0;
            check_within(sqrtf(f.velocity * f.velocity + 625 * x * x), 500.0f, 0.01f);
        }
        check(outside, >, 50);
        check(outside, <, 250);
    }
}

/* A velocity that ends at a page does so across frames. */
static void test_paging(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {4};
        for (size_t i = 0; i < effort(500); i++) {
            const float page = 400, position = 4000 * random_unit(&random), damping = 1 + 9 * random_unit(&random);
            const float where = page * floorf(position / page + random_unit(&random) * 2);
            fling f = {position, NAN, 0, 10000, damping, {14, 1.1f}};
            check_status(table->damping_velocity_to_rest_at(position, where, damping, &f.velocity), GYRE_OK);
            CASE("from %a to %a, damping %a", position, where, damping);
            check_within(fling_stepped(table, f, 1 / 120.0f, 3600).position, where, 0.05f);
        }
    }
}

/* ---- Edges ---- */

/* Both edges at one position: a spring about it. At the sixteenth crossing in a step it stays there for the rest. */
static void test_sixteen_hand_overs(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        const float pi = 3.14159265f, w = 8;
        const fling start = {5, w, 5, 5, 0.5f, {w, 0}}; /* x = 5 + sin(w t), which crosses at pi / w and so on */
        for (int k = 0; k < 20; k++) {
            const float t = (k + 0.5f) * pi / w;
            const fling end = fling_stepped(table, start, t, 1);
            CASE("%d and a half half-periods", k);
            if (k < 16) {
                check_within(end.position, 5 + (k % 2 ? -1.0f : 1.0f), 1e-5f);
                check_within(end.velocity, 0.0f, 1e-3f);
            } else {
                check(end.position, ==, 5);
                check_within(end.velocity, w, 1e-4f);
            }
        }
        /* inside, each crossing between two edges is one more hand-over */
        const fling wide = {0, 100, 0, 1, 0, {w, 0}};
        const fling end = fling_stepped(table, wide, 1000, 1);
        check(end.position, ==, 0);
        check_within(end.velocity, 100.0f, 0.01f);
    }
}

static void test_edges_that_are_none(void **state)
{
    (void)state;
    const float no_lower[] = {NAN, -NAN, -INFINITY}, no_upper[] = {NAN, -NAN, INFINITY};
    EACH_TABLE(table) {
        const fling start = {10, 300, 0, 20, 2, {14, 1}};
        for (size_t i = 0; i <= LENGTH(no_lower); i++) {
            for (int sign = 1; sign >= -1; sign -= 2) {
                fling only_lower = start, only_upper = start, neither = start;
                only_lower.velocity = only_upper.velocity = neither.velocity = (float)sign * start.velocity;
                gyre_flings flings[3] = {flings_of(&only_lower), flings_of(&only_upper), flings_of(&neither)};
                if (i < LENGTH(no_lower)) {
                    only_lower.upper = neither.upper = no_upper[i];
                    only_upper.lower = neither.lower = no_lower[i];
                } else { /* without arrays */
                    flings[0].upper = flings[1].lower = flings[2].lower = flings[2].upper = NULL;
                }
                for (size_t k = 0; k < 3; k++) {
                    check_status(table->flings_step(&flings[k], 0, 1, 30), GYRE_OK);
                }
                CASE("no edge: %zu, sign %d", i, sign);
                check_within(neither.position, 10 + (float)sign * 150, 1e-3f);
                check_within(only_upper.position, sign > 0 ? 20.0f : -140.0f, 1e-3f);
                check_within(only_lower.position, sign > 0 ? 160.0f : 0.0f, 1e-3f);
            }
        }
    }
}

/* Content that is shorter than its view: `upper` acts as both edges, from either side. */
static void test_lower_above_upper(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        for (float x = -30; x <= 130; x += 20) {
            const fling crossed = {x, 40, 100, 0, 2, {14, 1}}, both = {x, 40, 0, 0, 2, {14, 1}};
            CASE("from %g", x);
            for (int steps = 1; steps < 40; steps++) {
                const fling a = fling_stepped(table, crossed, 0.01f, (size_t)steps),
                            b = fling_stepped(table, both, 0.01f, (size_t)steps);
                check_bits(a.position, b.position);
                check_bits(a.velocity, b.velocity);
            }
            check_within(fling_stepped(table, crossed, 0.01f, 500).position, 0.0f, 1e-4f);
        }
    }
}

/* A fling on an edge belongs to the side that it moves to, and stays if it does not move. */
static void test_starts_on_an_edge(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        for (int upper = 0; upper < 2; upper++) {
            const float edge = upper ? 1e6f : -1e6f, out = upper ? 1 : -1;
            const fling start = {edge, 0, -1e6f, 1e6f, 1, {10, 1}};
            check_bits(fling_stepped(table, start, 0.1f, 1).position, edge);
            fling f = start;
            f.velocity = out * 100; /* x = 100 t exp(-10 t) */
            check_within(fling_stepped(table, f, 0.1f, 1).position, edge + out * 10 * expf(-1), 0.1f);
            f.velocity = -out * 100;
            check_within(fling_stepped(table, f, 0.1f, 1).position, edge - out * 100 * (1 - expf(-0.1f)), 0.1f);
            /* so slow that the position does not change as a float: under a spring the velocity falls faster */
            f.velocity = out * 1e-6f;
            check_within(fling_stepped(table, f, 0.1f, 1).velocity, 0.0f, 1e-12f);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_error),
        TEST(test_frame_rates),
        TEST(test_there_and_back),
        TEST(test_energy),
        TEST(test_paging),
        TEST(test_sixteen_hand_overs),
        TEST(test_edges_that_are_none),
        TEST(test_lower_above_upper),
        TEST(test_starts_on_an_edge),
    };
    return cmocka_run_group_tests_name("particle_flings", tests, NULL, NULL);
}
