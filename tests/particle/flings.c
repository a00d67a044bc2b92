/* gyre_flings_step: damping inside the edges, springs beyond them, and what happens where they meet. */
#include "reference/fling.h"
#include "reference/particle.h"
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const float eps = 0x1p-24f;

/* One fling between two edges. */
typedef struct fling {
    float position, velocity, lower, upper, damping;
    gyre_spring spring;
} fling;

static gyre_flings batch_of(fling *f)
{
    return (gyre_flings){.count = 1,
                         .position = &f->position,
                         .velocity = &f->velocity,
                         .lower = &f->lower,
                         .upper = &f->upper,
                         .damping = f->damping,
                         .spring = f->spring};
}

static fling stepped(const gyre_kernels *table, fling f, float dt_s, size_t steps)
{
    const gyre_flings flings = batch_of(&f);
    for (size_t i = 0; i < steps; i++) {
        check_status(table->flings_step(&flings, 0, 1, dt_s), GYRE_OK);
    }
    return f;
}

static fling random_fling(random_source *random)
{
    const float size = random_magnitude(random, -4, 12);
    fling f = {
        .lower = random_one_in(random, 3) ? 0 : size * (2 * random_unit(random) - 1),
        .damping = random_one_in(random, 8) ? 0 : random_magnitude(random, -4, 5),
        .spring = {random_one_in(random, 16) ? 0 : random_magnitude(random, 0, 6),
                   random_one_in(random, 8)   ? 0
                   : random_one_in(random, 8) ? 1
                                              : random_magnitude(random, -4, 4)},
    };
    f.upper = random_one_in(random, 16) ? f.lower : f.lower + size * random_unit(random);
    f.position = random_one_in(random, 8) ? f.upper : f.lower + size * (2 * random_unit(random) - 0.5f);
    f.velocity = size * random_signed(random, -3, 6);
    return f;
}

static reference_fling reference_of(const fling *f)
{
    return (reference_fling){f->damping, f->spring.angular_frequency, f->spring.damping_ratio, f->lower, f->upper};
}

/* ---- The motion ---- */

/* The largest error that particle.h allows a step without a hand-over. */
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
            const fling end = stepped(table, start, dt_s, 1);
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
            /* the farthest and fastest that it may have been */
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

/* Ten steps equal one, whichever edges they meet, but for the rounding of what they start from. */
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
            const fling one = stepped(table, start, dt_s, 1), ten = stepped(table, start, dt_s / 10, 10);
            const float away = fmaxf(fabsf(start.position - start.lower), fabsf(start.position - start.upper));
            const float size = fabsf(start.position) + fabsf(start.lower) + fabsf(start.upper) + away;
            const float fast = fabsf(start.velocity) + start.spring.angular_frequency * size;
            check_within(ten.position, one.position, 100 * eps * (size + fast * dt_s));
            check_within(ten.velocity, one.velocity, 200 * eps * fast * (1 + start.damping * dt_s));
        }
    }
}

/* The spring takes over the velocity that damping leaves at the edge, at the moment that gyre_damping_time_to_position
   says; and the fling that it throws back ends where gyre_damping_rest_position says. */
static void test_there_and_back(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        const fling start = {900, 4000, 0, 1000, 2, {12, 0.4f}};
        float there_s;
        check_status(table->damping_time_to_position(900, 4000, 2, 1000, &there_s), GYRE_OK);
        const fling before = stepped(table, start, there_s * 0.999f, 1),
                    after = stepped(table, start, there_s * 1.001f, 1);
        check(before.position, <, 1000);
        check(after.position, >, 1000);
        check_within(before.velocity, 3800.0f, 1); /* v - k way */
        check_within(after.velocity, 3800.0f, 4);

        /* out, and back after half a period of the damped spring with that part of the speed */
        const double z = (double)start.spring.damping_ratio, root = sqrt((1 - z) * (1 + z)), pi = 3.14159265358979;
        const double half_s = pi / (12 * root), left = exp(-z * 12 * half_s);
        const fling back = stepped(table, start, (float)((double)there_s + half_s) * 1.0001f, 1);
        check(back.position, <, 1000);
        check_within(back.position, 1000.0f, 0.2f);
        check_within(back.velocity, -3800 * left, 1);
        /* and on as a fling, to rest within the content */
        float rest;
        check_status(table->damping_rest_position(1000, (float)(-3800 * left), 2, &rest), GYRE_OK);
        check(rest, >, 0);
        check_within(stepped(table, start, 30, 1).position, rest, 0.01f);
        check_within(stepped(table, start, 1 / 60.0f, 1800).position, rest, 0.01f);
    }
}

/* Without damping anywhere the energy stays, whether it is the motion's or the spring's, at both edges. */
static void test_energy(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {3};
        fling f = {10, 500, -20, 60, 0, {25, 0}};
        size_t outside = 0;
        for (size_t i = 0; i < 300; i++) {
            f = stepped(table, f, random_magnitude(&random, -8, -1), 1);
            CASE("step %zu: x=%a v=%a", i, f.position, f.velocity);
            const float x = fmaxf(fmaxf(f.position - f.upper, f.lower - f.position), 0);
            outside += x > 0;
            check_within(sqrtf(f.velocity * f.velocity + 625 * x * x), 500.0f, 0.01f);
        }
        check(outside, >, 50);
        check(outside, <, 250);
    }
}

/* The velocity that ends at a page does, across frames. */
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
            check_within(stepped(table, f, 1 / 120.0f, 3600).position, where, 0.05f);
        }
    }
}

/* ---- Edges ---- */

/* Two edges in one place: a spring about it, until the sixteenth crossing of a step, where it stays for the rest. */
static void test_sixteen_hand_overs(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        const float pi = 3.14159265f, w = 8;
        const fling start = {5, w, 5, 5, 0.5f, {w, 0}}; /* x = 5 + sin(w t), which crosses at pi / w and so on */
        for (int k = 0; k < 20; k++) {
            const float t = (k + 0.5f) * pi / w;
            const fling end = stepped(table, start, t, 1);
            CASE("%d and a half half-periods", k);
            if (k < 16) {
                check_within(end.position, 5 + (k % 2 ? -1.0f : 1.0f), 1e-5f);
                check_within(end.velocity, 0.0f, 1e-3f);
            } else {
                check(end.position, ==, 5);
                check_within(end.velocity, w, 1e-4f);
            }
        }
        /* inside, the way between two edges is one more hand-over */
        const fling wide = {0, 100, 0, 1, 0, {w, 0}};
        const fling end = stepped(table, wide, 1000, 1);
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
                gyre_flings flings[3] = {batch_of(&only_lower), batch_of(&only_upper), batch_of(&neither)};
                if (i < LENGTH(no_lower)) {
                    only_lower.upper = neither.upper = no_upper[i];
                    only_upper.lower = neither.lower = no_lower[i];
                } else { /* no arrays */
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

/* Content that is shorter than its view: upper is both edges, from either side. */
static void test_lower_above_upper(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        for (float x = -30; x <= 130; x += 20) {
            const fling crossed = {x, 40, 100, 0, 2, {14, 1}}, both = {x, 40, 0, 0, 2, {14, 1}};
            CASE("from %g", x);
            for (int steps = 1; steps < 40; steps++) {
                const fling a = stepped(table, crossed, 0.01f, (size_t)steps),
                            b = stepped(table, both, 0.01f, (size_t)steps);
                check_bits(a.position, b.position);
                check_bits(a.velocity, b.velocity);
            }
            check_within(stepped(table, crossed, 0.01f, 500).position, 0.0f, 1e-4f);
        }
    }
}

/* On an edge a fling belongs to the side that it moves to, and stays if it does not move. */
static void test_starts_on_an_edge(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        for (int upper = 0; upper < 2; upper++) {
            const float edge = upper ? 1e6f : -1e6f, out = upper ? 1 : -1;
            const fling start = {edge, 0, -1e6f, 1e6f, 1, {10, 1}};
            check_bits(stepped(table, start, 0.1f, 1).position, edge);
            fling f = start;
            f.velocity = out * 100; /* x = 100 t exp(-10 t) */
            check_within(stepped(table, f, 0.1f, 1).position, edge + out * 10 * expf(-1), 0.1f);
            f.velocity = -out * 100;
            check_within(stepped(table, f, 0.1f, 1).position, edge - out * 100 * (1 - expf(-0.1f)), 0.1f);
            /* so slow that the position does not change as a float: a spring's velocity falls faster */
            f.velocity = out * 1e-6f;
            check_within(stepped(table, f, 0.1f, 1).velocity, 0.0f, 1e-12f);
        }
    }
}

/* ---- Rest, sleep and identity ---- */

static void test_rest(void **state)
{
    (void)state;
    /* position, velocity after a step of next to no time, with limits 0.5 and 10; wanted position, velocity, awake */
    static const struct {
        float x, v, wanted_x, wanted_v;
        uint8_t awake;
    } cases[] = {
        {50, 0, 50, 0, 0},           {50, 9.9f, 50, 0, 0},      {50, -9.9f, 50, 0, 0},       {50, 10.1f, 50, 10.1f, 1},
        {100, 0, 100, 0, 0},         {100, -9, 100, 0, 0},      {100.4f, 9, 100, 0, 0},      {100.4f, -9, 100, 0, 0},
        {100.4f, 11, 100.4f, 11, 1}, {100.6f, 0, 100.6f, 0, 1}, {-0.4f, 9, 0, 0, 0},         {-0.4f, 0, 0, 0, 0},
        {-0.6f, 0, -0.6f, 0, 1},     {0, 9, 0, 0, 0},           {-0.4f, -11, -0.4f, -11, 1}, {NAN, 0, NAN, NAN, 1},
        {50, NAN, NAN, NAN, 1},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(cases); i++) {
            fling f = {cases[i].x, cases[i].v, 0, 100, 1, {10, 1}};
            uint8_t awake = 0xa5;
            gyre_flings flings = batch_of(&f);
            flings.rest_distance = 0.5f;
            flings.rest_speed = 10;
            flings.awake = &awake;
            CASE("x=%g v=%g", f.position, f.velocity);
            check_status(table->flings_step(&flings, 0, 1, 1e-9f), GYRE_OK);
            if (isnan(cases[i].wanted_x)) {
                check_nan(f.position);
            } else {
                check_within(f.position, cases[i].wanted_x, 1e-4f);
                check_within(f.velocity, cases[i].wanted_v, 1e-4f);
            }
            check(awake, ==, cases[i].awake);
        }
        /* either limit 0: never, beyond the edge */
        for (int k = 0; k < 2; k++) {
            fling f = {100.25f, 0, 0, 100, 1, {0, 0}};
            gyre_flings flings = batch_of(&f);
            *(k ? &flings.rest_distance : &flings.rest_speed) = 10;
            check_status(table->flings_step(&flings, 0, 1, 1), GYRE_OK);
            check(f.position, ==, 100.25f);
        }
    }
}

/* Everything comes to rest inside, on its edge, or goes on for ever without damping; `awake` says so. */
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
        /* asleep: left as they are, whatever they hold */
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
                gyre_flings flings = batch_of(&f);
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
        /* nor does a step change what is at rest */
        fling f = {0.1f, 0, 0, 0.3f, 2, {14, 1}};
        check_bits(stepped(table, f, 1 / 60.0f, 100).position, 0.1f);
    }
}

/* ---- Elements ---- */

enum { MANY = 203 };

typedef struct many_flings {
    float position[MANY], velocity[MANY], lower[MANY], upper[MANY];
    uint8_t awake[MANY];
} many_flings;

static many_flings random_many(random_source *random)
{
    many_flings b;
    for (size_t i = 0; i < MANY; i++) {
        const fling f = random_fling(random);
        b.position[i] = f.position;
        b.velocity[i] = f.velocity;
        b.lower[i] = f.lower;
        b.upper[i] = f.upper;
        b.awake[i] = random_one_in(random, 3) ? 0 : 0x10;
        if (random_one_in(random, 8)) {
            *(float *const[]){b.position, b.velocity, b.lower, b.upper}[random_below(random, 4)] =
                special_floats[random_below(random, special_float_count)];
        }
    }
    memset(b.awake + 50, 0, 100);
    return b;
}

static void step_many(const gyre_kernels *table, many_flings *b, unsigned form, size_t begin, size_t end, float dt_s)
{
    const gyre_flings flings = {.count = MANY,
                                .position = b->position,
                                .velocity = b->velocity,
                                .lower = form & 1 ? b->lower : NULL,
                                .upper = form & 2 ? b->upper : NULL,
                                .damping = 1.5f,
                                .spring = {15, 0.3f},
                                .rest_distance = 0.1f,
                                .rest_speed = 2,
                                .awake = form & 12 ? b->awake : NULL,
                                .skip_asleep = form & 8};
    check_status(table->flings_step(&flings, begin, end, dt_s), GYRE_OK);
}

static void check_same_many(const many_flings *got, const many_flings *wanted)
{
    check_floats(got->position, wanted->position, MANY);
    check_floats(got->velocity, wanted->velocity, MANY);
    check_bytes(got->awake, wanted->awake, MANY);
}

static void test_slices(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {6};
        for (unsigned i = 0; i < effort(800); i++) {
            const many_flings before = random_many(&random);
            many_flings whole = before, sliced = before, outside = before;
            const size_t begin = random_below(&random, MANY), end = begin + random_below(&random, MANY - begin + 1);
            const float dt_s = random_magnitude(&random, -7, 0);
            CASE("form %u, elements %zu to %zu", i % 16, begin, end);
            step_many(table, &whole, i % 16, begin, end, dt_s);
            for (size_t from = begin, to; from < end; from = to) {
                to = from + 1 + random_below(&random, 1 + random_below(&random, 90));
                to = to < end ? to : end;
                step_many(table, &sliced, i % 16, from, to, dt_s);
            }
            check_same_many(&sliced, &whole);
            memcpy(outside.position + begin, whole.position + begin, (end - begin) * sizeof(float));
            memcpy(outside.velocity + begin, whole.velocity + begin, (end - begin) * sizeof(float));
            memcpy(outside.awake + begin, whole.awake + begin, end - begin);
            check_same_many(&whole, &outside);
        }
    }
}

static void test_isolation(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {7};
        for (unsigned i = 0; i < effort(800); i++) {
            many_flings clean = random_many(&random), poisoned = clean;
            const size_t where = random_below(&random, MANY), array = random_below(&random, 4);
            const float bad = special_floats[random_below(&random, special_float_count)];
            (float *const[]){poisoned.position, poisoned.velocity, poisoned.lower, poisoned.upper}[array][where] = bad;
            CASE("form %u, %a in array %zu of fling %zu", i % 16, bad, array, where);
            step_many(table, &clean, i % 16, 0, MANY, 0.1f);
            step_many(table, &poisoned, i % 16, 0, MANY, 0.1f);
            clean.position[where] = poisoned.position[where];
            clean.velocity[where] = poisoned.velocity[where];
            clean.awake[where] = poisoned.awake[where];
            check_same_many(&poisoned, &clean);
        }
    }
}

/* Arrays of any alignment, of which no byte outside is touched. */
static void test_memory(void **state)
{
    (void)state;
    guarded_memory memory[5];
    for (size_t k = 0; k < 5; k++) {
        memory[k] = guarded_new(MANY * sizeof(float) + 64);
    }
    EACH_TABLE(table) {
        random_source random = {8};
        for (size_t count = 1; count <= 70; count++) {
            for (int at_end = 0; at_end < 2; at_end++) {
                many_flings b = random_many(&random);
                float *arrays[4], *const from[4] = {b.position, b.velocity, b.lower, b.upper};
                for (size_t k = 0; k < 4; k++) {
                    arrays[k] = at_end ? (float *)(void *)memory[k].end - count : (float *)(void *)memory[k].begin + k;
                    memcpy(arrays[k], from[k], count * sizeof(float));
                }
                uint8_t *awake = at_end ? memory[4].end - count : memory[4].begin + count % 5;
                memset(awake, (int)(count % 3), count);
                const gyre_flings flings = {.count = count,
                                            .position = arrays[0],
                                            .velocity = arrays[1],
                                            .lower = arrays[2],
                                            .upper = arrays[3],
                                            .damping = 1,
                                            .spring = {9, 0.5f},
                                            .awake = awake,
                                            .skip_asleep = count % 2};
                CASE("%zu flings", count);
                check_status(table->flings_step(&flings, 0, count, 0.1f), GYRE_OK);
            }
        }
    }
    for (size_t k = 0; k < 5; k++) {
        guarded_free(memory[k]);
    }
}

static void test_bad_arguments(void **state)
{
    (void)state;
    const float invalid[] = {NAN, INFINITY, -INFINITY, -1, -0x1p-149f};
    EACH_TABLE(table) {
        fling f = {50, 100, 0, 100, 2, {14, 1}};
        const fling before = f;
        const gyre_flings good = batch_of(&f);
        check_status(table->flings_step(NULL, 0, 1, 0.1f), GYRE_ERROR_NULL);
        check_status(table->flings_step(&good, 1, 0, 0.1f), GYRE_ERROR_RANGE);
        check_status(table->flings_step(&good, 0, 2, 0.1f), GYRE_ERROR_RANGE);
        for (size_t k = 0; k < LENGTH(invalid); k++) {
            CASE("%a", invalid[k]);
            check_status(table->flings_step(&good, 0, 1, invalid[k]), GYRE_ERROR_VALUE);
            for (size_t member = 0; member < 5; member++) {
                gyre_flings bad = good;
                *(float *const[]){&bad.damping, &bad.spring.angular_frequency, &bad.spring.damping_ratio,
                                  &bad.rest_distance, &bad.rest_speed}[member] = invalid[k];
                check_status(table->flings_step(&bad, 0, 1, 0.1f), GYRE_ERROR_VALUE);
            }
        }
        gyre_flings bad = good;
        bad.position = NULL;
        check_status(table->flings_step(&bad, 0, 1, 0.1f), GYRE_ERROR_NULL);
        check_status(table->flings_step(&bad, 1, 1, 0.1f), GYRE_OK);
        bad = good;
        bad.velocity = NULL;
        check_status(table->flings_step(&bad, 0, 1, 0), GYRE_ERROR_NULL);
        bad = good;
        bad.skip_asleep = true;
        check_status(table->flings_step(&bad, 0, 1, 0.1f), GYRE_ERROR_NULL);
        check_bytes(&f, &before, sizeof f);
        check_status(table->flings_step(&(gyre_flings){0}, 0, 0, 0.1f), GYRE_OK);
    }
}

/* ---- What others publish ---- */

/* The states that Flutter's own tests want of its scroll views on iOS, each within 1: packages/flutter/test/physics/
   newton_test.dart and friction_simulation_test.dart (BSD). Theirs is a drag of 0.135 a second, which is Apple's 0.998
   a millisecond rounded, up to the first edge, and then a spring for good; so these end before a fling comes back. */
static void test_flutter(void **state)
{
    (void)state;
    const float never = INFINITY;
    const struct {
        const char *test;
        float drag, position, velocity, lower, upper, mass, stiffness, ratio, t, x, v, x_within, v_within;
    } cases[] = {
        {"over/under scroll spring", 0.135f, 500, -7500, 0, 1000, 1, 170, 1.1f, 0.065f, 42, -6584, 1, 1},
        {"over/under scroll spring", 0.135f, 500, -7500, 0, 1000, 1, 170, 1.1f, 0.1f, -123, -2613, 1, 1},
        {"over/under scroll spring", 0.135f, 500, -7500, 0, 1000, 1, 170, 1.1f, 0.5f, -15, 124, 1, 1},
        {"over/under scroll spring", 0.135f, 500, -7500, 0, 1000, 1, 170, 1.1f, 2, 0, 0, 1, 1},
        {"scroll_with_inf_edge_ends", 0.135f, 100, 400, 0, never, 1, 50, 0.5f, 1, 272, 54, 1, 1},
        {"scroll_with_inf_edge_ends", 0.135f, 100, 400, 0, never, 1, 50, 0.5f, 2, NAN, 7, 0, 1},
        {"scroll_with_inf_edge_ends", 0.135f, 100, 400, 0, never, 1, 50, 0.5f, 5, 300, NAN, 1, 0},
        {"test_friction", 0.3f, 100, 400, -never, never, 1, 1, 1, 1, 332.5f, 120, 2.5f, 1e-4f},
        {"test_friction", 0.3f, 100, 400, -never, never, 1, 1, 1, 2, NAN, 36, 0, 1e-4f},
        {"test_friction", 0.3f, 100, 400, -never, never, 1, 1, 1, 3, NAN, 10.8f, 0, 1e-4f},
        {"test_friction", 0.3f, 100, 400, -never, never, 1, 1, 1, 5, 431.5f, NAN, 0.5f, 0},
        {"positive velocity", 0.135f, 100, 100, -never, never, 1, 1, 1, 0.1f, 110, NAN, 1, 0},
        {"positive velocity", 0.135f, 100, 100, -never, never, 1, 1, 1, 0.5f, 131, NAN, 1, 0},
        {"positive velocity", 0.135f, 100, 100, -never, never, 1, 1, 1, 2, 149, NAN, 1, 0},
        {"negative velocity", 0.135f, 100, -100, -never, never, 1, 1, 1, 0.1f, 91, NAN, 1, 0},
        {"negative velocity", 0.135f, 100, -100, -never, never, 1, 1, 1, 0.5f, 68, NAN, 1, 0},
        {"negative velocity", 0.135f, 100, -100, -never, never, 1, 1, 1, 2, 51, NAN, 1, 0},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(cases); i++) {
            fling f = {cases[i].position, cases[i].velocity, cases[i].lower, cases[i].upper, NAN, {NAN, NAN}};
            const float w = sqrtf(cases[i].stiffness / cases[i].mass);
            f.spring = (gyre_spring){w, cases[i].ratio};
            check_status(table->damping_from_retention(cases[i].drag, 1, &f.damping), GYRE_OK);
            for (size_t frames = 1; frames <= 64; frames *= 8) {
                const fling end = stepped(table, f, cases[i].t / (float)frames, frames);
                CASE("%s, after %g s in %zu frames", cases[i].test, cases[i].t, frames);
                if (!isnan(cases[i].x)) {
                    check_within(end.position, cases[i].x, cases[i].x_within);
                }
                if (!isnan(cases[i].v)) {
                    check_within(end.velocity, cases[i].v, cases[i].v_within);
                }
            }
        }
    }
}

/* What is left of a velocity, and the way to rest. Apple (UIScrollView.DecelerationRate): normal 0.998 and fast 0.99 a
   millisecond; "Designing Fluid Interfaces" (WWDC 2018) projects v / 1000 * rate / (1 - rate), the sum over whole
   milliseconds, which is up to half a millisecond's way short of the integral. Android (dynamicanimation's
   FlingAnimation and Compose's exponentialDecay): exp(-4.2 t) for a friction of 1. */
static void test_published_decelerations(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        const float rates[] = {0.998f, 0.99f};
        for (size_t i = 0; i < LENGTH(rates); i++) {
            const double rate = (double)rates[i];
            fling f = {0, 2500, -1e5f, 1e5f, NAN, {14, 1}};
            check_status(table->damping_from_retention(rates[i], 0.001f, &f.damping), GYRE_OK);
            CASE("%g a millisecond", rates[i]);
            for (int ms = 1; ms <= 1000; ms *= 10) {
                const fling end = stepped(table, f, 0.001f * (float)ms, 1);
                check_within(end.velocity, 2500 * pow(rate, ms), 2500 * 1e-4 * pow(rate, ms));
            }
            const double projected = 2.5 * rate / (1 - rate);
            float rest;
            check_status(table->damping_rest_position(0, 2500, f.damping, &rest), GYRE_OK);
            check_within(rest, projected + 1.25, 0.01);
            check_within(stepped(table, f, 1 / 60.0f, 1200).position, rest, 0.01f);
        }
        /* Compose's DecayAnimationTest: from 200 at -800; it ends at 2 a second, and the way there is v / 4.2 */
        fling f = {200, -800, -1e5f, 1e5f, 4.2f, {24.657f, 0.98f}};
        float duration_s;
        check_status(table->damping_time_to_speed(-800, 4.2f, 2, &duration_s), GYRE_OK);
        check_within(duration_s, logf(400) / 4.2f, 1e-6f);
        const fling end = stepped(table, f, duration_s, 1);
        check_within(end.velocity, -2.0f, 1e-5f);
        check_within(end.position, 200 - 798 / 4.2f, 1e-4f);
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
        TEST(test_rest),
        TEST(test_all_come_to_rest),
        TEST(test_no_time_is_the_identity),
        TEST(test_slices),
        TEST(test_isolation),
        TEST(test_memory),
        TEST(test_bad_arguments),
        TEST(test_flutter),
        TEST(test_published_decelerations),
    };
    return cmocka_run_group_tests_name("particle_flings", tests, NULL, NULL);
}
