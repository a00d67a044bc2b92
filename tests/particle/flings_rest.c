/* gyre_flings_step: rest, sleep and steps of no time; independence of elements, slices, memory, and invalid
   arguments. */
#include "support/flings.h"

#include <math.h>
#include <string.h>

/* ---- Rest, sleep and identity ---- */

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

/* ---- Elements ---- */

enum { MANY = 203 };

typedef struct many_flings {
    float position[MANY], velocity[MANY], lower[MANY], upper[MANY], rest_at[MANY];
    float position_low[MANY], velocity_low[MANY];
    uint8_t awake[MANY];
} many_flings;

enum { MANY_ARRAYS = 7 };
static void arrays_of(many_flings *b, float *arrays[MANY_ARRAYS])
{
    float *const all[] = {b->position, b->velocity, b->lower, b->upper, b->rest_at, b->position_low, b->velocity_low};
    memcpy(arrays, all, sizeof all);
}

/* Forms of a call: which arrays it has. */
enum {
    MANY_LOWER = 1,
    MANY_UPPER = 2,
    MANY_AWAKE = 4,
    MANY_SKIP = 8,
    MANY_LOW = 16,
    MANY_PLACES = 32,
    MANY_FORMS = 64
};

static many_flings random_many(random_source *random)
{
    many_flings b;
    for (size_t i = 0; i < MANY; i++) {
        const fling f = random_fling(random);
        b.position[i] = f.position;
        b.velocity[i] = f.velocity;
        b.lower[i] = f.lower;
        b.upper[i] = f.upper;
        b.rest_at[i] = random_one_in(random, 3) ? f.rest_at : f.position + f.velocity / 1.5f;
        b.position_low[i] = f.position_low;
        b.velocity_low[i] = f.velocity_low;
        b.awake[i] = random_one_in(random, 3) ? 0 : 0x10;
        if (random_one_in(random, 8)) {
            float *arrays[MANY_ARRAYS];
            arrays_of(&b, arrays);
            arrays[random_below(random, MANY_ARRAYS)][i] = special_floats[random_below(random, special_float_count)];
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
                                .lower = form & MANY_LOWER ? b->lower : NULL,
                                .upper = form & MANY_UPPER ? b->upper : NULL,
                                .damping = 1.5f,
                                .spring = {15, 0.3f},
                                .rest_distance = 0.1f,
                                .rest_speed = 2,
                                .awake = form & (MANY_AWAKE | MANY_SKIP) ? b->awake : NULL,
                                .skip_asleep = form & MANY_SKIP,
                                .position_low = form & MANY_LOW ? b->position_low : NULL,
                                .velocity_low = form & MANY_LOW ? b->velocity_low : NULL,
                                .rest_at = form & MANY_PLACES ? b->rest_at : NULL};
    check_status(table->flings_step(&flings, begin, end, dt_s), GYRE_OK);
}

static void check_same_many(const many_flings *got, const many_flings *wanted)
{
    check_floats(got->position, wanted->position, MANY);
    check_floats(got->velocity, wanted->velocity, MANY);
    check_floats(got->position_low, wanted->position_low, MANY);
    check_floats(got->velocity_low, wanted->velocity_low, MANY);
    check_bytes(got->awake, wanted->awake, MANY);
}

/* Equal, or both NaN. A zero may be of either sign. */
static void check_drawn(float drawn, float now)
{
    if (isnan(now)) {
        check_nan(drawn);
    } else {
        check(drawn, ==, now);
    }
}

/* Copying what is awake after each step keeps a copy equal to the state. */
static void test_awake_is_all_that_has_to_be_drawn(void **state)
{
    (void)state;
    const float rates[] = {60, 240, 30, 1000};
    EACH_TABLE(table) {
        random_source random = {10};
        size_t listed_in_all = 0, settled = 0;
        for (unsigned i = 0; i < effort(192); i++) {
            const unsigned form = i % MANY_FORMS | MANY_AWAKE;
            const float rate = rates[i / 3 % LENGTH(rates)];
            many_flings b = random_many(&random), drawn = b;
            for (int frame = 0; frame < 120; frame++) {
                if (frame % 40 == 30) { /* thrown again, of which they are told */
                    for (size_t k = (size_t)frame % 7; k < MANY; k += 5) {
                        b.velocity[k] = random_signed(&random, 0, 12);
                        b.awake[k] = 1;
                    }
                }
                const many_flings before = b;
                step_many(table, &b, form, 0, MANY, 1 / rate);
                uint32_t listed[MANY];
                size_t count;
                check_status(table->find_awake(b.awake, listed, &count, 0, MANY), GYRE_OK);
                listed_in_all += count;
                for (size_t n = 0; n < count; n++) {
                    const uint32_t k = listed[n];
                    drawn.position[k] = b.position[k];
                    drawn.velocity[k] = b.velocity[k];
                    drawn.position_low[k] = b.position_low[k];
                    drawn.velocity_low[k] = b.velocity_low[k];
                }
                for (size_t k = 0; k < MANY; k++) {
                    CASE("form %u, frame %d at %g Hz, fling %zu, awake %u", form, frame, rate, k, b.awake[k]);
                    check_drawn(drawn.position[k], b.position[k]);
                    check_drawn(drawn.velocity[k], b.velocity[k]);
                    check_drawn(drawn.position_low[k], b.position_low[k]);
                    check_drawn(drawn.velocity_low[k], b.velocity_low[k]);
                    const fling old = {before.position[k], before.velocity[k], .position_low = before.position_low[k],
                                       .velocity_low = before.velocity_low[k]},
                                new = {b.position[k], b.velocity[k], .position_low = b.position_low[k],
                                       .velocity_low = b.velocity_low[k]};
                    const bool sleeps = form & MANY_SKIP && before.awake[k] == 0;
                    check(b.awake[k], ==,
                          !sleeps && fling_has_changed(&old, &new, form & MANY_LOW ? FLING_WITH_LOW : 0));
                    settled += b.awake[k] == 0;
                }
            }
        }
        check(listed_in_all, >, 0);
        check(settled, >, 0);
    }
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
            const float dt_s = i % 11 == 10 ? 0 : random_magnitude(&random, -7, 0);
            const unsigned form = i % MANY_FORMS;
            CASE("form %u, elements %zu to %zu, %a s", form, begin, end, dt_s);
            step_many(table, &whole, form, begin, end, dt_s);
            for (size_t from = begin, to; from < end; from = to) {
                to = from + 1 + random_below(&random, 1 + random_below(&random, 90));
                to = to < end ? to : end;
                step_many(table, &sliced, form, from, to, dt_s);
            }
            check_same_many(&sliced, &whole);
            memcpy(outside.position + begin, whole.position + begin, (end - begin) * sizeof(float));
            memcpy(outside.velocity + begin, whole.velocity + begin, (end - begin) * sizeof(float));
            memcpy(outside.position_low + begin, whole.position_low + begin, (end - begin) * sizeof(float));
            memcpy(outside.velocity_low + begin, whole.velocity_low + begin, (end - begin) * sizeof(float));
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
            const size_t where = random_below(&random, MANY), array = random_below(&random, MANY_ARRAYS);
            const float bad = special_floats[random_below(&random, special_float_count)];
            float *arrays[MANY_ARRAYS];
            arrays_of(&poisoned, arrays);
            arrays[array][where] = bad;
            const unsigned form = i % MANY_FORMS;
            CASE("form %u, %a in array %zu of fling %zu", form, bad, array, where);
            step_many(table, &clean, form, 0, MANY, 0.1f);
            step_many(table, &poisoned, form, 0, MANY, 0.1f);
            clean.position[where] = poisoned.position[where];
            clean.velocity[where] = poisoned.velocity[where];
            clean.position_low[where] = poisoned.position_low[where];
            clean.velocity_low[where] = poisoned.velocity_low[where];
            clean.awake[where] = poisoned.awake[where];
            check_same_many(&poisoned, &clean);
        }
    }
}

/* Arrays of any alignment; no byte outside them is touched. */
static void test_memory(void **state)
{
    (void)state;
    enum { ALL = MANY_ARRAYS + 1 };
    guarded_memory memory[ALL];
    for (size_t k = 0; k < ALL; k++) {
        memory[k] = guarded_new(MANY * sizeof(float) + 64);
    }
    EACH_TABLE(table) {
        random_source random = {8};
        for (size_t count = 1; count <= 70; count++) {
            for (int at_end = 0; at_end < 2; at_end++) {
                many_flings b = random_many(&random);
                float *arrays[MANY_ARRAYS], *from[MANY_ARRAYS];
                arrays_of(&b, from);
                for (size_t k = 0; k < MANY_ARRAYS; k++) {
                    arrays[k] = at_end ? (float *)(void *)memory[k].end - count : (float *)(void *)memory[k].begin + k;
                    memcpy(arrays[k], from[k], count * sizeof(float));
                }
                uint8_t *awake = at_end ? memory[MANY_ARRAYS].end - count : memory[MANY_ARRAYS].begin + count % 5;
                memset(awake, (int)(count % 3), count);
                gyre_flings flings = {.count = count,
                                      .position = arrays[0],
                                      .velocity = arrays[1],
                                      .lower = arrays[2],
                                      .upper = arrays[3],
                                      .damping = 1,
                                      .spring = {9, 0.5f},
                                      .awake = awake,
                                      .skip_asleep = count % 2};
                for (unsigned features = 0; features < FLING_FEATURES; features++) {
                    flings.rest_at = features & FLING_WITH_PLACE ? arrays[4] : NULL;
                    flings.position_low = features & FLING_WITH_LOW ? arrays[5] : NULL;
                    flings.velocity_low = features & FLING_WITH_LOW ? arrays[6] : NULL;
                    CASE("%zu flings, features %u", count, features);
                    check_status(table->flings_step(&flings, 0, count, 0.1f), GYRE_OK);
                    check_status(table->flings_step(&flings, 0, count, 0), GYRE_OK);
                }
            }
        }
    }
    for (size_t k = 0; k < ALL; k++) {
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
        const gyre_flings good = flings_of(&f);
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
        const gyre_flings low = flings_with(&f, FLING_WITH_LOW);
        bad = low;
        bad.velocity_low = NULL;
        check_status(table->flings_step(&bad, 0, 1, 0.1f), GYRE_ERROR_NULL);
        check_status(table->flings_step(&bad, 0, 1, 0), GYRE_ERROR_NULL);
        check_status(table->flings_step(&bad, 0, 0, 0.1f), GYRE_OK);
        check_status(table->flings_step(&bad, 0, 2, 0.1f), GYRE_ERROR_RANGE);
        check_bytes(&f, &before, sizeof f);
        bad = low; /* decides alone: velocity_low without it is not used */
        bad.position_low = NULL;
        f.velocity_low = 1;
        check_status(table->flings_step(&bad, 0, 1, 0.1f), GYRE_OK);
        const fling plain = fling_stepped(table, before, 0.1f, 1);
        check_bits(f.position, plain.position);
        check_bits(f.velocity, plain.velocity);
        check_bits(f.velocity_low, 1);
        check_status(table->flings_step(&(gyre_flings){0}, 0, 0, 0.1f), GYRE_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_rest),
        TEST(test_far_edges),
        TEST(test_turning_points),
        TEST(test_no_damping),
        TEST(test_all_come_to_rest),
        TEST(test_no_time_is_the_identity),
        TEST(test_flush),
        TEST(test_not_finite),
        TEST(test_follow),
        TEST(test_awake_is_all_that_has_to_be_drawn),
        TEST(test_slices),
        TEST(test_isolation),
        TEST(test_memory),
        TEST(test_bad_arguments),
    };
    return cmocka_run_group_tests_name("particle_flings_rest", tests, NULL, NULL);
}
