/* gyre_limit_targets: the speed and the arrival of springs with a greatest speed at every frame rate, the stated error,
   and its contract. */
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef long double real;

enum { MOST = 4 };

typedef struct pursuit {
    float x[MOST], v[MOST], before[MOST], target[MOST];
} pursuit;

/* The targets of a step. */
typedef struct limited {
    float before[MOST], target[MOST];
} limited;

#define ADDRESSES(of)                                                                                                  \
    {                                                                                                                  \
        &(of)[0], &(of)[1], &(of)[2], &(of)[3]                                                                         \
    }

static limited limited_of(const gyre_kernels *table, pursuit p, size_t components, gyre_spring spring, float max_speed,
                          float dt_s)
{
    limited l = {{NAN, NAN, NAN, NAN}, {NAN, NAN, NAN, NAN}};
    float *const x[MOST] = ADDRESSES(p.x), *const v[MOST] = ADDRESSES(p.v), *const before[MOST] = ADDRESSES(p.before),
                 *const target[MOST] = ADDRESSES(p.target), *const before_out[MOST] = ADDRESSES(l.before),
                 *const target_out[MOST] = ADDRESSES(l.target);
    check_status(
        table->limit_targets(x, v, before, target, components, spring, max_speed, dt_s, before_out, target_out, 0, 1),
        GYRE_OK);
    return l;
}

/* A step with that limit, as users make it. */
static pursuit stepped(const gyre_kernels *table, pursuit p, size_t components, gyre_spring spring, float max_speed,
                       float dt_s)
{
    const limited l = limited_of(table, p, components, spring, max_speed, dt_s);
    gyre_spring_matrix matrix;
    check_status(table->spring_matrix_at(spring, dt_s, &matrix), GYRE_OK);
    const gyre_springs springs = {
        .count = components, .position = p.x, .velocity = p.v, .target = l.target, .target_before = l.before};
    check_status(table->springs_step(&springs, 0, components, &matrix), GYRE_OK);
    return p;
}

static real length_of(const float *v, size_t components)
{
    real sum = 0;
    for (size_t c = 0; c < components; c++) {
        sum += (real)v[c] * v[c];
    }
    return sqrtl(sum);
}

/* At `distance` along a direction of `components`, at rest, with the origin for a target. */
static pursuit at_distance(float distance, size_t components)
{
    static const float directions[MOST][MOST] = {
        {1}, {0.6f, 0.8f}, {2 / 7.0f, -3 / 7.0f, 6 / 7.0f}, {0.5f, 0.5f, -0.5f, 0.5f}};
    pursuit p = {{0}, {0}, {0}, {0}};
    for (size_t c = 0; c < components; c++) {
        p.x[c] = distance * directions[components - 1][c];
    }
    return p;
}

static float distance_of(pursuit p, size_t components) { return (float)length_of(p.x, components); }

/* ---- Motion ---- */

static const int rates[] = {15, 30, 60, 120, 240, 1000};

/* w 10, z 1, 100 u away, at most 20 u/s. The law in between, x' = 20 (1 - e^-20t), is at 5.05 s where 20 u/s alone
   would be at 5 s; within 2 z V / w = 4 u of the target the spring takes over. */
static void test_same_motion_at_every_frame_rate(void **state)
{
    (void)state;
    const gyre_spring spring = {10, 1, 0};
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(rates); i++) {
            for (size_t components = 1; components <= MOST; components++) {
                const float dt = 1 / (float)rates[i];
                const real slack = 8.4L * dt * dt; /* w V / 24: of second order */
                pursuit p = at_distance(100, components);
                int frames = 0, there = 0;
                for (; frames < 7 * rates[i]; frames++) {
                    p = stepped(table, p, components, spring, 20, dt);
                    const real t = (frames + 1) * (real)dt, away = distance_of(p, components);
                    CASE("%zu components at %d Hz, after %Lg s", components, rates[i], t);
                    check(length_of(p.v, components), <=, 20 * (1 + 0x1p-18L));
                    if (0.5L < t && t < 4.5L) {
                        check_within(length_of(p.v, components), 20, 1e-3L);
                        check_within(away, 100 - 20 * (t - 0.05L), slack + (frames + 1) * 0x1p-18L);
                    }
                    there = there == 0 && away <= 0.01L ? frames + 1 : there;
                }
                CASE("%zu components at %d Hz, there after %d frames", components, rates[i], there);
                check_within((real)there * dt, 5.606L, 1.05L * dt + there * 0x1p-18L / 20);
                check(distance_of(p, components), <=, 1e-4L);
            }
        }
    }
}

/* Any spring and any step: from rest or from any speed below the limit none goes faster. By 0.26 % at most, with z = 2
   and w dt = 1.5; by nothing with z up to 1. */
static void test_never_faster(void **state)
{
    (void)state;
    const float ratios[] = {0.02f, 0.1f, 0.3f, 0.5f, 1, 1.5f, 2, 3, 5, 10},
                angles[] = {0.01f, 0.1f, 0.5f, 1, 1.5f, 2, 3, 5, 10, 30};
    EACH_TABLE(table) {
        random_source random = {4};
        real fastest = 0;
        for (size_t i = 0; i < LENGTH(ratios) * LENGTH(angles); i++) {
            const float z = ratios[i / LENGTH(angles)], w = random_magnitude(&random, -2, 6);
            const float dt = angles[i % LENGTH(angles)] / w, speed = random_magnitude(&random, -4, 8);
            for (size_t k = 0; k < effort(20); k++) {
                const size_t components = 1 + k % MOST;
                pursuit p = at_distance(2 * z * speed / w * (1 + random_magnitude(&random, -4, 8)), components);
                for (size_t c = 0; c < components; c++) {
                    p.v[c] = speed / 2 * (2 * random_unit(&random) - 1);
                }
                for (int step = 0; step < 40; step++) {
                    p = stepped(table, p, components, (gyre_spring){w, z, 0}, speed, dt);
                    const real part = length_of(p.v, components) / speed;
                    CASE("%zu components, w=%a z=%a dt=%a, at most %a, step %d", components, w, z, dt, speed, step);
                    check(part, <=, z <= 1 || w * dt < 0.2f || w * dt > 2 * (1 + 0x1p-20f) ? 1.0001L : 1.003L);
                    fastest = fmaxl(fastest, part);
                }
            }
        }
        check(fastest, >, 0.99L);
    }
}

/* Pushed to ten times the speed it slows down by e^-20t to the limit, and arrives. */
static void test_faster_already(void **state)
{
    (void)state;
    const gyre_spring spring = {10, 1, 0};
    EACH_TABLE(table) {
        for (size_t i = 1; i < LENGTH(rates); i++) {
            const float dt = 1 / (float)rates[i];
            pursuit p = {{-1000}, {200}, {0}, {0}};
            for (int k = 1; k <= rates[i]; k++) {
                p = stepped(table, p, 1, spring, 20, dt);
                const real t = k * (real)dt, decayed = 180 * expl(-20 * t);
                CASE("%d Hz, after %Lg s", rates[i], t);
                check_within(p.v[0], 20 + decayed, 1e-3L + 6 * 180 * 100 * (real)dt * dt * expl(-18 * t) / 10);
            }
        }
    }
}

/* Where the law brings a spring in 3 s from rest on its target, which moves at an even speed, by small steps. */
static real followed_for_3_s(gyre_spring spring, real longest_pull, real target_speed)
{
    const real w = spring.angular_frequency, dt = 1e-5L;
    real x = 0, v = 0;
    for (int k = 0; k < 300000; k++) {
        const real pull = fminl(target_speed * (k + 0.5L) * dt - (x + v * dt / 2), longest_pull);
        v += (w * w * pull - 2 * spring.damping_ratio * w * v) * dt;
        x += v * dt;
    }
    return x;
}

/* A target of 15 u/s is followed as without a limit, bit for bit; one of 50 u/s at 20 u/s. */
static void test_moving_targets(void **state)
{
    (void)state;
    const gyre_spring spring = {10, 0.7f, 0};
    const float speeds[] = {15, 50};
    const real longest_pull = 2 * 0.7L * 20 / 10;
    const real after_3_s[] = {followed_for_3_s(spring, longest_pull, 15), followed_for_3_s(spring, longest_pull, 50)};
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(rates); i++) {
            for (size_t k = 0; k < LENGTH(speeds); k++) {
                const float dt = 1 / (float)rates[i];
                pursuit p = {{0}, {0}, {0}, {0}}, free = p;
                for (int frame = 1; frame <= 3 * rates[i]; frame++) {
                    p.target[0] = free.target[0] = speeds[k] * (float)frame * dt;
                    p = stepped(table, p, 1, spring, 20, dt);
                    free = stepped(table, free, 1, spring, INFINITY, dt);
                    CASE("%d Hz, %g u/s, frame %d", rates[i], speeds[k], frame);
                    check(p.v[0], <=, 20.01L);
                    if (k == 0) {
                        check_bits(p.x[0], free.x[0]);
                    }
                    p.before[0] = free.before[0] = p.target[0];
                }
                CASE("%d Hz, %g u/s", rates[i], speeds[k]);
                check_within(p.v[0], k == 0 ? 15 : 20, 1e-3L + 0x1p-18L * rates[i]); /* targets are rounded */
                check_within(p.x[0], after_3_s[k], 20 * dt / 2);
            }
        }
    }
}

/* A limited spring is awake, and in the end rests on its target, by rest limits or because it stops there. */
static void test_rest(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        for (size_t i = 0; i < 2 * LENGTH(rates); i++) {
            const bool stops = i % 2;
            const gyre_spring spring = {10, stops ? 0.3f : 1, 0};
            const float dt = 1 / (float)rates[i / 2];
            float x = 0, v = 0, target = 100, before = 0, after = 0;
            float *const position[] = {&x}, *const velocity[] = {&v}, *const real_target[] = {&target},
                         *const before_out[] = {&before}, *const target_out[] = {&after};
            uint8_t awake = 1;
            const gyre_springs springs = {.count = 1,
                                          .position = &x,
                                          .velocity = &v,
                                          .target = &after,
                                          .target_before = &before,
                                          .awake = &awake,
                                          .rest_distance = stops ? 0 : 0.01f,
                                          .rest_speed = stops ? 0 : 0.6f,
                                          .stop_at_target = stops};
            gyre_spring_matrix matrix;
            check_status(table->spring_matrix_at(spring, dt, &matrix), GYRE_OK);
            int frames = 0;
            for (; awake && frames < 7 * rates[i / 2]; frames++) {
                check_status(table->limit_targets(position, velocity, real_target, real_target, 1, spring, 20, dt,
                                                  before_out, target_out, 0, 1),
                             GYRE_OK);
                check_status(table->springs_step(&springs, 0, 1, &matrix), GYRE_OK);
            }
            CASE("%d Hz, %s, awake for %d frames", rates[i / 2], stops ? "stops at its target" : "rest limits", frames);
            check(awake, ==, 0);
            check(x, ==, 100);
            check(v, ==, 0);
            check(frames * (real)dt, >, 5);
        }
    }
}

/* ---- One call ---- */

/* The formulas of kernels/spring/max_speed_step-inl.h, and the sum of the terms of each. False where rounding decides
   which of them holds. */
static bool exact_of(pursuit p, size_t components, gyre_spring spring, real speed, real h, real before[MOST],
                     real after[MOST], real *terms)
{
    const real w = spring.angular_frequency, k = 2 * spring.damping_ratio * w;
    const real m = k * h == 0 ? h : -expm1l(-k * h) / k, lag = k * speed / (w * w);
    real d[MOST], left[MOST], start[MOST], distance = 0, length = 0, along = 0;
    *terms = 0;
    for (size_t c = 0; c < components; c++) {
        d[c] = (real)p.before[c] - p.x[c];
        distance += d[c] * d[c];
    }
    distance = sqrtl(distance);
    const bool near = distance <= lag;
    for (size_t c = 0; c < components; c++) {
        before[c] = near ? p.before[c] : p.x[c] + lag / distance * d[c];
        start[c] = near ? p.before[c] : p.x[c] + speed / distance * d[c] * (h - m) + p.v[c] * m;
        left[c] = p.target[c] - start[c];
        length += left[c] * left[c];
        along += left[c] * d[c];
        *terms = fmaxl(*terms, fabsl(p.x[c]) + fabsl(p.v[c] * m) + fabsl(p.target[c]) + fabsl(p.before[c]));
    }
    *terms += near ? speed * h : speed * h + lag;
    length = sqrtl(length);
    const real longest = near ? speed * h : lag;
    const bool arrives = length <= longest || (!near && along <= 0);
    for (size_t c = 0; c < components; c++) {
        after[c] = arrives ? p.target[c] : start[c] + longest / length * left[c];
    }
    return fabsl(distance - lag) > 0x1p-40L * *terms && fabsl(length - longest) > 0x1p-40L * *terms &&
           fabsl(along) > 0x1p-40L * *terms * *terms;
}

static void check_target(worst_case *worst, float got, real exact, real terms)
{
    const real off = fabsl(got - exact), in_ulps = ulps_off(got, exact), ulp = off > 0 ? off / in_ulps : 1;
    check_share(worst, (double)(in_ulps / (0.5001L + 0x1p-50L * terms / ulp)));
}

static void test_error(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {1};
        worst_case worst = {0};
        size_t of_kind[4] = {0};
        for (size_t i = 0; i < effort(200000); i++) {
            const size_t components = 1 + i % MOST;
            const int size = i / MOST % 4 == 0 ? (int)random_below(&random, 160) - 80 : 4;
            pursuit p;
            for (size_t c = 0; c < MOST; c++) {
                p.x[c] = random_one_in(&random, 8) ? 0 : random_signed(&random, size - 8, size + 3);
                p.v[c] = random_one_in(&random, 8) ? 0 : random_signed(&random, size - 8, size + 3);
                p.before[c] = random_signed(&random, size - 8, size + 3);
                p.target[c] =
                    random_one_in(&random, 2) ? p.before[c] : p.before[c] * (1 + random_signed(&random, -8, 0));
            }
            const gyre_spring spring = {random_magnitude(&random, -3, 6), random_magnitude(&random, -5, 3), 0};
            const float speed = random_magnitude(&random, size - 8, size + 8), dt = random_magnitude(&random, -12, 2);
            CASE("x=(%a, %a, %a, %a) v=(%a, %a, %a, %a)", p.x[0], p.x[1], p.x[2], p.x[3], p.v[0], p.v[1], p.v[2],
                 p.v[3]);
            CASE("from (%a, %a, %a, %a) to (%a, %a, %a, %a)", p.before[0], p.before[1], p.before[2], p.before[3],
                 p.target[0], p.target[1], p.target[2], p.target[3]);
            CASE("%zu components, w=%a z=%a, at most %a, dt=%a", components, spring.angular_frequency,
                 spring.damping_ratio, speed, dt);
            real before[MOST], after[MOST], terms;
            const limited got = limited_of(table, p, components, spring, speed, dt);
            if (!exact_of(p, components, spring, speed, dt, before, after, &terms)) {
                continue;
            }
            for (size_t c = 0; c < components; c++) {
                check_target(&worst, got.before[c], before[c], terms);
                check_target(&worst, got.target[c], after[c], terms);
            }
            for (size_t c = components; c < MOST; c++) {
                check_nan(got.before[c]);
                check_nan(got.target[c]);
            }
            of_kind[2 * (before[0] == p.before[0]) + (after[0] == p.target[0])]++;
        }
        for (size_t k = 0; k < LENGTH(of_kind); k++) {
            CASE("kind %zu", k);
            check(of_kind[k], >, effort(200000) / 100);
        }
        print_worst("targets", &worst);
    }
}

static void test_values(void **state)
{
    (void)state;
    const gyre_spring spring = {2, 1, 0}; /* 2 z V / w is V */
    const struct {
        pursuit p;
        float speed, dt;
        limited wanted;
    } cases[] = {
        {{{1, 2}, {0}, {61, 82}, {61, 82}}, 50, 0, {{31, 42}, {31, 42}}},
        {{{1, 2}, {0}, {61, 82}, {61, 82}}, 100, 1, {{61, 82}, {61, 82}}},
        {{{1, 2}, {9, 9}, {61, 82}, {61, 82}}, INFINITY, 0, {{61, 82}, {61, 82}}},
        {{{1, 2}, {9, 9}, {61, 82}, {0x1p100f, 1}}, INFINITY, 0, {{61, 82}, {0x1p100f, 1}}},
        {{{0, 0}, {0}, {0, 0}, {30, 40}}, 50, 0.5f, {{0, 0}, {15, 20}}}, /* the target itself is faster */
        {{{0, 0}, {0}, {0, 0}, {30, 40}}, 0, 1, {{0, 0}, {0, 0}}},
        {{{1, 2}, {0}, {61, 82}, {61, 82}}, 0, 1, {{1, 2}, {1, 2}}},
        {{{-0.0f, 0}, {0}, {-0.0f, 0}, {-0.0f, 0}}, 0, 1, {{-0.0f, 0}, {-0.0f, 0}}},
        {{{0, 0}, {1000, 0}, {100, 0}, {100, 0}}, 50, 10, {{50, 0}, {100, 0}}}, /* passes the target */
        {{{1, NAN}, {0}, {2, 2}, {2, 2}}, 1, 1, {{NAN, NAN}, {NAN, NAN}}},
        {{{1, 1}, {0}, {2, INFINITY}, {2, 2}}, 1, 1, {{NAN, NAN}, {NAN, NAN}}},
        {{{1, 1}, {0}, {1, 1}, {2, -INFINITY}}, INFINITY, 1, {{1, 1}, {NAN, NAN}}},
        {{{1, 1}, {0, NAN}, {1, 1}, {1, 1}}, 1, 1, {{1, 1}, {1, 1}}},
        {{{1, 1}, {0, NAN}, {9, 1}, {9, 1}}, 1, 1, {{2, 1}, {NAN, NAN}}},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(cases); i++) {
            const limited got = limited_of(table, cases[i].p, 2, spring, cases[i].speed, cases[i].dt);
            for (size_t c = 0; c < 2; c++) {
                CASE("case %zu, component %zu", i, c);
                check_same(got.before[c], cases[i].wanted.before[c]);
                check_same(got.target[c], cases[i].wanted.target[c]);
            }
        }
    }
}

/* Any slice of arrays that end where memory does; each vector by itself, also beside NaN; results in place. */
static void test_slices(void **state)
{
    (void)state;
    enum { COUNT = 75, KINDS = 6 };
    const gyre_spring spring = {5, 0.6f, 0};
    guarded_memory memory[KINDS * MOST];
    for (size_t c = 0; c < KINDS * MOST; c++) {
        memory[c] = guarded_new(COUNT * sizeof(float));
    }
    EACH_TABLE(table) {
        random_source random = {2};
        for (size_t round = 0; round < effort(2000); round++) {
            const size_t components = 1 + round % MOST, end = 1 + random_below(&random, COUNT);
            const size_t begin = random_below(&random, end);
            const bool in_place = round / MOST % 2, still = round / MOST % 3 == 0 && !in_place;
            pursuit start[COUNT];
            float *at[KINDS][MOST]; /* position, velocity, target_before, target, and results */
            for (size_t c = 0; c < KINDS * MOST; c++) {
                at[c / MOST][c % MOST] = (float *)(void *)(memory[c].end - end * sizeof(float));
            }
            for (size_t i = 0; i < end; i++) {
                for (size_t c = 0; c < MOST; c++) {
                    pursuit *p = &start[i];
                    float *const of[] = {&p->x[c], &p->v[c], &p->before[c], &p->target[c]};
                    for (size_t k = 0; k < LENGTH(of); k++) {
                        *of[k] = at[k][c][i] = random_one_in(&random, 60) ? NAN : random_signed(&random, -4, 3);
                    }
                    p->before[c] = still ? p->target[c] : p->before[c];
                    at[4][c][i] = at[5][c][i] = 77;
                }
            }
            float *const *before = at[still ? 3 : 2], *const *before_out = at[in_place ? 2 : 4],
                         *const *target_out = at[in_place ? 3 : 5];
            CASE("%zu components, vectors %zu to %zu, %s", components, begin, end, in_place ? "in place" : "beside");
            check_status(table->limit_targets(at[0], at[1], before, at[3], components, spring, 4, 0.25f, before_out,
                                              target_out, begin, end),
                         GYRE_OK);
            for (size_t i = 0; i < end; i++) {
                const limited wanted = limited_of(table, start[i], components, spring, 4, 0.25f);
                for (size_t c = 0; c < MOST; c++) {
                    const bool written = i >= begin && c < components;
                    CASE("vector %zu, component %zu", i, c);
                    check_same(at[0][c][i], start[i].x[c]);
                    check_same(at[1][c][i], start[i].v[c]);
                    check_same(before_out[c][i], written ? wanted.before[c] : in_place ? start[i].before[c] : 77);
                    check_same(target_out[c][i], written ? wanted.target[c] : in_place ? start[i].target[c] : 77);
                }
            }
        }
    }
    for (size_t c = 0; c < KINDS * MOST; c++) {
        guarded_free(memory[c]);
    }
}

static void test_bad_arguments(void **state)
{
    (void)state;
    const gyre_spring good = {10, 1, 0};
    const gyre_spring bad[] = {{0, 1, 0},          {-1, 1, 0},  {NAN, 1, 0},  {INFINITY, 1, 0},
                               {10, 0, 0},         {10, -1, 0}, {10, NAN, 0}, {10, INFINITY, 0},
                               {10, 1, 0x1p-149f}, {10, 1, 1},  {10, 1, NAN}};
    const float bad_speeds[] = {-1, -0x1p-149f, NAN, -INFINITY},
                bad_times[] = {-1, -0x1p-149f, NAN, INFINITY, -INFINITY};
    EACH_TABLE(table) {
        float x = 5, out = 7;
        float *const in[] = {&x, &x, &x, &x}, *const to[] = {&out, &out, &out, &out};
        for (size_t i = 0; i < LENGTH(bad); i++) {
            CASE("spring %a, %a, %a", bad[i].angular_frequency, bad[i].damping_ratio, bad[i].follow);
            check_status(table->limit_targets(in, in, in, in, 1, bad[i], 1, 1, to, to, 0, 1), GYRE_ERROR_VALUE);
        }
        for (size_t i = 0; i < LENGTH(bad_speeds); i++) {
            CASE("speed %a", bad_speeds[i]);
            check_status(table->limit_targets(in, in, in, in, 1, good, bad_speeds[i], 1, to, to, 0, 1),
                         GYRE_ERROR_VALUE);
        }
        for (size_t i = 0; i < LENGTH(bad_times); i++) {
            CASE("time %a", bad_times[i]);
            check_status(table->limit_targets(in, in, in, in, 1, good, 1, bad_times[i], to, to, 0, 1),
                         GYRE_ERROR_VALUE);
        }
        check_status(table->limit_targets(in, in, in, in, 0, good, 1, 1, to, to, 0, 1), GYRE_ERROR_VALUE);
        check_status(table->limit_targets(in, in, in, in, 5, good, 1, 1, to, to, 0, 1), GYRE_ERROR_VALUE);
        check_status(table->limit_targets(in, in, in, in, 1, good, 1, 1, to, to, 1, 0), GYRE_ERROR_RANGE);
        for (size_t missing = 0; missing < 6; missing++) {
            float *half[2] = {&x, NULL};
            float *const *of[6] = {in, in, in, in, to, to};
            CASE("array %zu is missing", missing);
            of[missing] = half;
            check_status(table->limit_targets(of[0], of[1], of[2], of[3], 2, good, 1, 1, of[4], of[5], 0, 1),
                         GYRE_ERROR_NULL);
            of[missing] = NULL;
            check_status(table->limit_targets(of[0], of[1], of[2], of[3], 2, good, 1, 1, of[4], of[5], 0, 1),
                         GYRE_ERROR_NULL);
        }
        check_status(table->limit_targets(NULL, NULL, NULL, NULL, 1, good, 1, 1, NULL, NULL, 3, 3), GYRE_OK);
        check(x, ==, 5);
        check(out, ==, 7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_same_motion_at_every_frame_rate),
                                       TEST(test_never_faster),
                                       TEST(test_faster_already),
                                       TEST(test_moving_targets),
                                       TEST(test_rest),
                                       TEST(test_error),
                                       TEST(test_values),
                                       TEST(test_slices),
                                       TEST(test_bad_arguments)};
    return cmocka_run_group_tests_name("spring_max_speed", tests, NULL, NULL);
}
