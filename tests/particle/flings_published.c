/* gyre_flings_step against published values: Flutter's tests, and the decelerations of Apple and Android. */
#include "support/flings.h"

#include <math.h>

/* The states that Flutter's own tests expect of its scroll views on iOS, each within 1:
   packages/flutter/test/physics/newton_test.dart and friction_simulation_test.dart (BSD). Flutter uses a drag of 0.135
   a second, which is Apple's 0.998 a millisecond rounded, up to the first edge, and then a spring for good; so these
   cases end before a fling comes back. */
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
                const fling end = fling_stepped(table, f, cases[i].t / (float)frames, frames);
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

/* The velocity that is left, and the distance to rest. Apple (UIScrollView.DecelerationRate): normal 0.998 and fast
   0.99 a millisecond; "Designing Fluid Interfaces" (WWDC 2018) projects v / 1000 * rate / (1 - rate), the sum over
   whole milliseconds, which falls short of the integral by up to half a millisecond of travel. Android
   (dynamicanimation's FlingAnimation and Compose's exponentialDecay): exp(-4.2 t) for a friction of 1. */
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
                const fling end = fling_stepped(table, f, 0.001f * (float)ms, 1);
                check_within(end.velocity, 2500 * pow(rate, ms), 2500 * 1e-4 * pow(rate, ms));
            }
            const double projected = 2.5 * rate / (1 - rate);
            float rest;
            check_status(table->damping_rest_position(0, 2500, f.damping, &rest), GYRE_OK);
            check_within(rest, projected + 1.25, 0.01);
            check_within(fling_stepped(table, f, 1 / 60.0f, 1200).position, rest, 0.01f);
        }
        /* Compose's DecayAnimationTest: from 200 at -800; it ends at 2 a second, and the distance there is v / 4.2 */
        fling f = {200, -800, -1e5f, 1e5f, 4.2f, {24.657f, 0.98f}};
        float duration_s;
        check_status(table->damping_time_to_speed(-800, 4.2f, 2, &duration_s), GYRE_OK);
        check_within(duration_s, logf(400) / 4.2f, 1e-6f);
        const fling end = fling_stepped(table, f, duration_s, 1);
        check_within(end.velocity, -2.0f, 1e-5f);
        check_within(end.position, 200 - 798 / 4.2f, 1e-4f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_flutter),
        TEST(test_published_decelerations),
    };
    return cmocka_run_group_tests_name("particle_flings_published", tests, NULL, NULL);
}
