/* Springs that other projects publish in their own tests, stepped by this library. */
#include "reference/spring.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

typedef enum source {
#define SOURCE(name, where, licence, note) name,
#define SPRING(...)
#include "data/published_springs.inc"
#undef SPRING
#undef SOURCE
} source;

static const struct {
    const char *where, *licence, *note;
} sources[] = {
#define SOURCE(name, where, licence, note) {where, licence, note},
#define SPRING(...)
#include "data/published_springs.inc"
#undef SPRING
#undef SOURCE
};

#define NONE NAN

static const struct published {
    source source;
    const char *id;
    real w, z, position, velocity, target, t;
    reference_state exact;
    real published_position, position_tolerance, published_velocity, velocity_tolerance;
} cases[] = {
#define SOURCE(...)
#define SPRING(source, id, w, z, x0, v0, target, t, exact_x, exact_v, published_x, x_tolerance, published_v,           \
               v_tolerance)                                                                                            \
    {source, id, w, z, x0, v0, target, t, {exact_x, exact_v}, published_x, x_tolerance, published_v, v_tolerance},
#include "data/published_springs.inc"
#undef SPRING
#undef SOURCE
};

static reference_state reference_of(real w, real z, real t, real position, real velocity, real target)
{
    reference_state start = {position, velocity};
    return reference_spring_step(reference_spring_matrix(w, z, t), start, target);
}

static void test_all_cases_are_here(void **state)
{
    (void)state;
    check(LENGTH(cases), ==, 88);
    for (size_t i = 0; i < LENGTH(sources); i++) {
        check(strlen(sources[i].where), >, 0);
        check(strlen(sources[i].licence), >, 0);
    }
}

/* Compares the reference with the 50-digit solutions, and those with the published values. */
static void test_reference_is_exact(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(cases); i++) {
        const struct published *c = &cases[i];
        CASE("%s", c->id);
        reference_state got = reference_of(c->w, c->z, c->t, c->position, c->velocity, c->target);
        real size = fabsl(c->position - c->target) + fabsl(c->target) + fabsl(c->velocity) / c->w;
        check_within(got.position, c->exact.position, 1e-15L * size);
        check_within(got.velocity, c->exact.velocity, 1e-15L * size * c->w);
        check_within(c->published_position, c->exact.position, c->position_tolerance);
        if (!isnan(c->published_velocity)) {
            check_within(c->published_velocity, c->exact.velocity, c->velocity_tolerance);
        }
    }
}

/* Within the errors that spring.h states for the matrix and for the step, plus the change from rounding the case to
   float. */
static void test_library(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        double worst = 0;
        for (size_t i = 0; i < LENGTH(cases); i++) {
            const struct published *c = &cases[i];
            CASE("%s", c->id);
            gyre_spring spring = {(float)c->w, (float)c->z};
            float t = (float)c->t, position = (float)c->position, velocity = (float)c->velocity;
            float target = (float)c->target, x = position - target;

            const real eps = 0x1p-24L;
            reference_matrix m = reference_spring_matrix(spring.angular_frequency, spring.damping_ratio, t);
            reference_matrix bound = reference_spring_matrix_bound(spring.angular_frequency, spring.damping_ratio, t);
            real position_bound = (bound.pos_pos + 4 * eps * fabsl(m.pos_pos)) * fabsl(x) +
                                  (bound.pos_vel + 3 * eps * fabsl(m.pos_vel)) * fabsl(velocity) + eps * fabsl(target);
            real velocity_bound = (bound.vel_pos + 4 * eps * fabsl(m.vel_pos)) * fabsl(x) +
                                  (bound.vel_vel + 3 * eps * fabsl(m.vel_vel)) * fabsl(velocity);
            reference_state rounded =
                reference_of(spring.angular_frequency, spring.damping_ratio, t, position, velocity, target);
            real position_input = fabsl(rounded.position - c->exact.position);
            real velocity_input = fabsl(rounded.velocity - c->exact.velocity);

            gyre_spring_matrix matrix;
            check_status(table->spring_matrix_at(spring, t, &matrix), GYRE_OK);
            gyre_springs springs = {.count = 1, .position = &position, .velocity = &velocity, .target = &target};
            check_status(table->springs_step(&springs, 0, 1, &matrix), GYRE_OK);

            real position_off = fabsl(position - c->exact.position);
            check_within(position, c->exact.position, position_bound + position_input);
            check_within(velocity, c->exact.velocity, velocity_bound + velocity_input);
            worst = worse_of(worst, (double)(position_off / (position_bound + position_input)));
            check_within(position, c->published_position, position_bound + position_input + c->position_tolerance);
            if (!isnan(c->published_velocity)) {
                check_within(velocity, c->published_velocity, velocity_bound + velocity_input + c->velocity_tolerance);
            }
        }
        printf("# %s: worst position %.3f of its bound\n", table_name(table), worst);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_all_cases_are_here),
        TEST(test_reference_is_exact),
        TEST(test_library),
    };
    return cmocka_run_group_tests_name("spring_published", tests, NULL, NULL);
}
