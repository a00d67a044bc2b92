/* Published rigid bodies, stepped by this library. */
#include "support/bodies.h"

#include <math.h>

#define BODY(...)
#define SPIN(...)
#define ATTITUDE(...)

typedef enum body_name {
#undef BODY
#define BODY(name, source, i1, i2, i3, m1, m2, m3) name,
#include "data/rigid_bodies.inc"
#undef BODY
#define BODY(...)
    BODIES
} body_name;

static const reference_body published[BODIES] = {
#undef BODY
#define BODY(name, source, i1, i2, i3, m1, m2, m3)                                                                     \
    {.orientation = {{0, 0, 0, 1}}, .momentum = {{m1, m2, m3}}, .inertia = {{i1, i2, i3}}},
#include "data/rigid_bodies.inc"
#undef BODY
#define BODY(...)
};

static const struct published_spin {
    body_name body;
    double t_s;
    vector spin;
} spins[] = {
#undef SPIN
#define SPIN(name, t_s, x, y, z) {name, t_s, {{x, y, z}}},
#include "data/rigid_bodies.inc"
#undef SPIN
#define SPIN(...)
};

static const struct published_attitude {
    body_name body;
    double t_s;
    quaternion attitude;
} attitudes[] = {
#undef ATTITUDE
#define ATTITUDE(name, t_s, x, y, z, w) {name, t_s, {{x, y, z, w}}},
#include "data/rigid_bodies.inc"
#undef ATTITUDE
};

/* ---- The exact motion of the reference against the 40-digit values ---- */

static void test_reference_is_exact(void **state)
{
    (void)state;
    check(LENGTH(spins), ==, 3);
    check(LENGTH(attitudes), ==, 2);
    for (size_t k = 0; k < LENGTH(spins); k++) {
        CASE("spin %zu", k);
        reference_body end = reference_body_exact(&published[spins[k].body], spins[k].t_s);
        vector off = vector_difference(reference_body_spin(&end), spins[k].spin);
        check(vector_length(off), <=, 1e-9 * vector_length(spins[k].spin));
    }
    for (size_t k = 0; k < LENGTH(attitudes); k++) {
        CASE("attitude %zu", k);
        reference_body end = reference_body_exact(&published[attitudes[k].body], attitudes[k].t_s);
        check(quaternion_angle(end.orientation, attitudes[k].attitude), <=, 1e-11);
    }
}

/* ---- van Zon and Schofield's body ---- */

/* Many copies of the same body, each seen from its own world frame, the first as published. Angles are from the exact
   attitude after 10 s; each copy starts from its rounded floats. */
typedef struct van_zon_errors {
    double published, rms, largest;
} van_zon_errors;

enum { WORLDS = 60 };

static body_batch van_zon_start(void)
{
    random_source random = {1};
    body_batch start = {{{0}}};
    for (size_t i = 0; i < WORLDS; i++) {
        reference_body body = published[VAN_ZON];
        body.orientation = i > 0 ? random_attitude(&random) : body.orientation;
        body.momentum = quaternion_rotate(body.orientation, body.momentum);
        body_put(&start, i, &body);
    }
    return start;
}

static van_zon_errors van_zon_errors_of(const body_batch *start, const body_batch *end, unsigned features, int hertz)
{
    van_zon_errors errors = {0, 0, 0};
    const double t_s = 10 * hertz * (double)(1 / (float)hertz);
    for (size_t i = 0; i < WORLDS; i++) {
        reference_body body = body_get(start, i, features), got = body_get(end, i, features);
        double angle = quaternion_angle(got.orientation, reference_body_exact(&body, t_s).orientation);
        errors.published = i == 0 ? angle : errors.published;
        errors.rms = hypot(errors.rms, angle / sqrt(WORLDS));
        errors.largest = worse_of(errors.largest, angle);
    }
    return errors;
}

static van_zon_errors van_zon(const gyre_kernels *table, const method_case *m, unsigned features, int hertz)
{
    const body_batch start = van_zon_start();
    body_batch end = start;
    gyre_body_solver solver = solver_of(m);
    gyre_body_report report = {0};
    for (int k = 0; k < 10 * hertz; k++) {
        step_bodies(table, &end, features, 0, WORLDS, 1 / (float)hertz, &solver, &report);
    }
    CASE("features %#x, %d Hz", features, hertz);
    check(report.unconverged, ==, 0);
    return van_zon_errors_of(&start, &end, features, hertz);
}

/* The error from rounding the orientation to float alone: order 8 in double, rounded correctly after every step. Each
   rounding changes the momentum in the body's frame, and with it the energy and the period. */
static van_zon_errors van_zon_rounded(int hertz)
{
    const body_batch start = van_zon_start();
    body_batch end = start;
    for (size_t i = 0; i < WORLDS; i++) {
        for (int k = 0; k < 10 * hertz; k++) {
            reference_body body = body_get(&end, i, 0);
            reference_body_step(&body, GYRE_BODY_MOSER_VESELOV, 8, 1, (double)(1 / (float)hertz));
            body_put(&end, i, &body);
        }
    }
    return van_zon_errors_of(&start, &end, 0, hertz);
}

/* ---- Orders 6 and 8 in double: in closed form, or by the series of Hairer and Vilmart. ---- */

static double angle_off(int order, bool closed_form, const reference_body *start, int steps, double dt_s)
{
    reference_body body = *start;
    for (int k = 0; k < steps; k++) {
        if (closed_form) {
            reference_body_step(&body, GYRE_BODY_MOSER_VESELOV, order, 1, dt_s);
        } else {
            reference_equation q = reference_equation_of(&body, GYRE_BODY_MOSER_VESELOV, order, dt_s);
            vector c = reference_solve(&q, (vector){{0, 0, 0}}, false, 50, 1e-15).u;
            quaternion turn = {{c.at[0], c.at[1], c.at[2], 1}};
            body.orientation = quaternion_normalised(quaternion_product(body.orientation, turn));
        }
    }
    return quaternion_angle(body.orientation, reference_body_exact(start, steps * dt_s).orientation);
}

/* Rms over masses that turn by 1 rad/s, in one sub-step. */
static double masses_off(int order, bool closed_form, double dt_s)
{
    enum { MASSES = 1000 };
    random_source random = {7};
    double off = 0;
    for (int i = 0; i < MASSES; i++) {
        vector mass;
        for (int k = 0; k < 3; k++) {
            mass.at[k] = 0.1 + 0.9 * (double)random_unit(&random);
        }
        reference_body body = {.orientation = {{0, 0, 0, 1}}, .momentum = random_direction(&random)};
        for (int k = 0; k < 3; k++) {
            body.inertia.at[k] = mass.at[(k + 1) % 3] + mass.at[(k + 2) % 3];
        }
        body.momentum = vector_scaled(body.momentum, 1 / vector_length(reference_body_spin(&body)));
        off = hypot(off, angle_off(order, closed_form, &body, 1, dt_s) / sqrt(MASSES));
    }
    return off;
}

/* As stated in kernels/body/methods/moser_veselov-inl.h: for van Zon and Schofield's body, and for others in one
   sub-step of 0.8 rad and of 1/sqrt 3 rad. */
static void test_closed_form(void **state)
{
    (void)state;
    const double stated[] = {2.4e-6, 1.8e-8}, stated_of_series[] = {1.7e-5, 3.05e-8};
    const double longest_by_series = masses_off(6, false, 1 / sqrt(3));
    double longest[2];
    for (int k = 0; k < 2; k++) {
        const int order = 6 + 2 * k;
        double off = angle_off(order, true, &published[VAN_ZON], 600, 1 / 60.0);
        double off_by_series = angle_off(order, false, &published[VAN_ZON], 600, 1 / 60.0);
        longest[k] = masses_off(order, true, 0.8);
        double as_long_by_series = masses_off(order, false, 0.8);
        printf("# order %d in double: %.2e rad at 60 Hz in closed form, %.2e by the series; one sub-step of 0.8 rad "
               "%.2e (rms), %.2e\n",
               order, off, off_by_series, longest[k], as_long_by_series);
        CASE("order %d", order);
        check(off, <=, stated[k]);
        check(off_by_series, >=, stated_of_series[k]);
        check(longest[k], <=, k == 0 ? 2.4e-6 : 1e-7);
        check(longest[k], <=, longest_by_series);
        check(longest[k], <=, as_long_by_series / 2.5);
    }
    check(longest[1], <=, longest[0] / 24);
}

static void test_van_zon(void **state)
{
    (void)state;
    const van_zon_errors rounded = van_zon_rounded(60);
    printf("# rounding alone at 60 Hz: %.1e rad from the published frame, rms %.1e, largest %.1e\n", rounded.published,
           rounded.rms, rounded.largest);
    check_within(rounded.rms, 1.3e-3, 5e-5); /* as stated in body.h */
    EACH_BEST_TABLE(table) {
        EACH_METHOD(m) {
            van_zon_errors plain = van_zon(table, m, 0, 60), fast = van_zon(table, m, 0, 240);
            van_zon_errors low = van_zon(table, m, BODIES_LOW, 60), low_fast = van_zon(table, m, BODIES_LOW, 240);
            printf(
                "# %s, %s: 60 Hz %.1e rad (published frame), rms %.1e; 240 Hz rms %.1e; with low parts at most %.1e, "
                "%.1e\n",
                table_name(table), m->name, plain.published, plain.rms, fast.rms, low.largest, low_fast.largest);
            if (m->method == GYRE_BODY_MOSER_VESELOV) {
                if (m->order == 6) {
                    check(plain.published, <=, 1e-3);
                }
                check(plain.rms, <=, 1.05e-3); /* body.h: 0.001 */
                check(plain.rms, <=, rounded.rms);
                check(fast.rms, <=, rounded.rms); /* see energy_kept() */
                /* order 6: at most the method's own 2.4e-6, see test_closed_form; at order 8 rounding shows */
                check(low.largest, <=, (m->order == 6 ? 2.5e-6 : 4e-8));
                check(low_fast.largest, <=, 5e-9);
            }
        }
        /* A sixteenth of the steps, and closer: over all frames, and with low parts in each frame, since the midpoint
           rule's 0.005 rad are rounding, which may be almost nothing in some frame. */
        van_zon_errors order_6 = van_zon(table, &method_cases[0], 0, 60);
        van_zon_errors order_6_low = van_zon(table, &method_cases[0], BODIES_LOW, 60);
        van_zon_errors midpoint = van_zon(table, &method_cases[2], 0, 960);
        van_zon_errors often = van_zon(table, &method_cases[0], 0, 960);
        printf("# %s: order 6 at 60 Hz rms %.1e rad, at 960 Hz %.1e, midpoint at 960 Hz %.1e\n", table_name(table),
               order_6.rms, often.rms, midpoint.rms);
        check(often.rms, <, 2 * rounded.rms); /* the roundings of small increments are no worse */
        check(order_6.rms, <, midpoint.rms);
        check(order_6_low.largest, <, midpoint.published);
    }
}

/* ---- Others ---- */

static reference_body step_published(const gyre_kernels *table, const reference_body *body, unsigned features,
                                     double t_s, int steps, reference_body *exact)
{
    static body_batch b;
    body_put(&b, 0, body);
    reference_body start = body_get(&b, 0, features);
    float dt_s = (float)(t_s / steps);
    for (int k = 0; k < steps; k++) {
        step_bodies(table, &b, features, 0, 1, dt_s, NULL, NULL);
    }
    *exact = reference_body_exact(&start, (double)dt_s * steps);
    return body_get(&b, 0, features);
}

/* DETEST B5 (Hull, Enright, Fellen and Sedgwick, SIAM J. Numer. Anal. 9, 1972; MATLAB's rigidode):
   y' = (y2 y3, -y1 y3, -0.51 y1 y2), y(0) = (0, 1, 1), solved by (sn, cn, dn)(t | 0.51).

   A body with moments (1.5, 2, 1) has omega' = (2/3 w2 w3, -1/4 w3 w1, -1/2 w1 w2), so that y_k = a_k omega_k with
   a3^2 = 2/3 1/4, a2^2 = 2/3 1/2 / 0.51 and a1 = a2 a3 3/2. */
static void test_detest_b5(void **state)
{
    (void)state;
    const struct {
        double t_s;
        vector y; /* of a 40-digit solution */
    } cases[] = {
        {12, {{-0.7053978095225717, -0.7088116324671581, 0.8638466903702221}}},
        {20, {{-0.9396570798729204, -0.34211777540007493, 0.7414126596199953}}},
    };
    const double a3 = sqrt(1.0 / 6), a2 = sqrt(1.0 / 3 / 0.51), a1 = 1.5 * a2 * a3;
    const reference_body body = {
        .orientation = {{0, 0, 0, 1}}, .momentum = {{0, 2 / a2, 1 / a3}}, .inertia = {{1.5, 2, 1}}};
    EACH_BEST_TABLE(table) {
        for (size_t k = 0; k < LENGTH(cases); k++) {
            for (unsigned low = 0; low < 2; low++) {
                reference_body exact, end = step_published(table, &body, low ? BODIES_LOW : 0, cases[k].t_s,
                                                           (int)cases[k].t_s * 16, &exact);
                vector spin = reference_body_spin(&end);
                vector y = {{a1 * spin.at[0], a2 * spin.at[1], a3 * spin.at[2]}};
                double off = vector_length(vector_difference(y, cases[k].y));
                printf("# %s: DETEST B5 at %g s off by %.1e%s\n", table_name(table), cases[k].t_s, off,
                       low ? " with low parts" : "");
                CASE("%g s%s", cases[k].t_s, low ? " with low parts" : "");
                check(off, <=, low ? 1e-5 : 5e-5);
            }
        }
    }
}

/* The momentum of a symmetric top circles its axis at a constant rate: for moments (3, 3, 9) it is (5 sin W t, 5 cos W
   t, 7) in the body, W = 7 (3 - 9) / 27; for (3, 9, 9) likewise about axis 1 at 7 (9 - 3) / 27. */
static void test_symmetric_tops(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        for (int t_s = 1; t_s <= 40; t_s += 13) {
            reference_body exact, end;
            end = step_published(table, &published[TOP_3_3_9], 0, t_s, 60 * t_s, &exact);
            CASE("%d s", t_s);
            double angle = -42.0 / 27 * t_s;
            vector want = {{5 * sin(angle), 5 * cos(angle), 7}};
            check(vector_length(vector_difference(reference_body_momentum(&end), want)), <=, 1e-3);
            check(quaternion_angle(end.orientation, exact.orientation), <=, 1e-4);

            end = step_published(table, &published[TOP_3_9_9], 0, t_s, 60 * t_s, &exact);
            angle = 42.0 / 27 * t_s;
            want = (vector){{7, 5 * cos(angle), -5 * sin(angle)}};
            check(vector_length(vector_difference(reference_body_momentum(&end), want)), <=, 1e-3);
            check(quaternion_angle(end.orientation, exact.orientation), <=, 1e-4);
        }
    }
}

/* A spin about the middle axis that flips every 59 s. Near the turn an error grows by a factor of e in sqrt(I1 I3 /
   ((I2 - I1) (I3 - I2))) / omega2 = 4.6 s, for 40 s: a rounding error of 1e-7 becomes about 1e-3. */
static void test_dzhanibekov(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        for (unsigned low = 0; low < 2; low++) {
            reference_body exact,
                end = step_published(table, &published[DZHANIBEKOV], low ? BODIES_LOW : 0, 100, 6000, &exact);
            double off = vector_length(vector_difference(reference_body_spin(&end), spins[2].spin));
            double angle = quaternion_angle(end.orientation, exact.orientation);
            printf("# %s: after 100 s the spin is %.1e rad/s off, the attitude %.1e rad%s\n", table_name(table), off,
                   angle, low ? ", with low parts" : "");
            CASE("%s low parts", low ? "with" : "without");
            check(off, <=, low ? 1e-4 : 2e-2);
        }
    }
}

/* ---- Asteroid 4179 Toutatis ---- */

static const struct observed {
    int t_s;
    double alpha, beta, gamma;
    double off[3];
} observations[] = {
#define OBSERVED(t_s, alpha, beta, gamma, x, y, z) {t_s, alpha, beta, gamma, {x, y, z}},
#include "data/toutatis.inc"
#undef OBSERVED
};

static const double degree = 3.14159265358979323846 / 180, day_s = 86400;

/* Rz(alpha) Rx(beta) Rz(gamma), in degrees. */
static quaternion sky_attitude(double alpha, double beta, double gamma)
{
    quaternion a = reference_quaternion((vector){{0, 0, alpha * degree}});
    quaternion b = reference_quaternion((vector){{beta * degree, 0, 0}});
    quaternion c = reference_quaternion((vector){{0, 0, gamma * degree}});
    return quaternion_product(quaternion_product(a, b), c);
}

/* In steps of 1000 s from the first attitude and spin. The angles to the observed axes match the published ones of an
   exact integration as far as their decimals allow, so within 15.5 degrees on every axis, mostly within 5. */
static void test_toutatis(void **state)
{
    (void)state;
    check(LENGTH(observations), ==, 17);
    reference_body toutatis = {.orientation = sky_attitude(145.498, 65.865, 241.524), .inertia = {{3.0836, 3.235, 1}}};
    const double spin[3] = {14.51, 33.529, -98.709}; /* degrees a day, in the body's frame */
    for (int k = 0; k < 3; k++) {
        toutatis.momentum.at[k] = toutatis.inertia.at[k] * spin[k] * degree / day_s;
    }
    toutatis.momentum = quaternion_rotate(toutatis.orientation, toutatis.momentum);
    EACH_BEST_TABLE(table) {
        static body_batch b;
        body_put(&b, 0, &toutatis);
        int now_s = 0, within_5 = 0;
        for (size_t row = 0; row < LENGTH(observations); row++) {
            for (; now_s < observations[row].t_s; now_s += 1000) {
                int left_s = observations[row].t_s - now_s;
                step_bodies(table, &b, 0, 0, 1, left_s < 1000 ? (float)left_s : 1000, NULL, NULL);
            }
            now_s = observations[row].t_s;
            quaternion got = body_get(&b, 0, 0).orientation;
            const struct observed *o = &observations[row];
            quaternion seen = sky_attitude(o->alpha, o->beta, o->gamma);
            for (int axis = 0; axis < 3; axis++) {
                vector unit = {{0, 0, 0}};
                unit.at[axis] = 1;
                double cosine = vector_dot(quaternion_rotate(got, unit), quaternion_rotate(seen, unit));
                double off = acos(fmin(1, cosine)) / degree;
                CASE("%d s, axis %d", o->t_s, axis);
                check_within(off, o->off[axis], 0.06);
                check(off, <=, 15.6);
                within_5 += off <= 5;
            }
        }
        printf("# %s: Toutatis within 5 degrees in %d of %d\n", table_name(table), within_5,
               3 * (int)LENGTH(observations));
        check(2 * within_5, >, 3 * (int)LENGTH(observations) - 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_reference_is_exact), TEST(test_closed_form), TEST(test_van_zon),  TEST(test_detest_b5),
        TEST(test_symmetric_tops),     TEST(test_dzhanibekov), TEST(test_toutatis),
    };
    return cmocka_run_group_tests_name("body_published", tests, NULL, NULL);
}
