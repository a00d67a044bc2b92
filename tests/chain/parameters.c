/* Parameters of others, as the guide turns them into bones: gyre_spring, and Unity's DynamicBone. */
#include "support/chains.h"

#include "support/orientations.h"

#include <math.h>

static const double pi = 3.14159265358979323846;
static const vector down = {{0, -1, 0}};

static double degrees_between(vector a, vector b)
{
    return 2 * asin(fmin(1, vector_length(vector_difference(a, b)) / 2)) * 180 / pi;
}

static void step(const gyre_kernels *table, single_chain *s, float dt_s)
{
    const gyre_bone_chains c = chains_of_single(s);
    check_status(table->bone_chains_step(&c, 0, 1, dt_s), GYRE_OK);
}

/* A bone is let go: tan(angle / 4) follows the spring that it is made of, from any angle. */
static void test_springs(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {1};
        for (size_t round = 0; round < effort(300); round++) {
            single_chain s = single_of(1);
            gyre_spring spring;
            gyre_spring_matrix m;
            const float response = 0.1f + random_unit(&random), ratio = 1.5f * random_unit(&random);
            const double angle = random_between(&random, 0.1, 3);
            check_status(table->spring_from_response(response, ratio, &spring), GYRE_OK);
            check_status(table->spring_matrix_at(spring, 0.03f, &m), GYRE_OK);
            check_status(table->bone_from_spring(spring, &s.bone[0]), GYRE_OK);
            point_single(&s, 0, sin(angle), -cos(angle), 0);
            double position = tan(angle / 4), velocity = 0;
            CASE("round %zu: response %g, ratio %g, from %g rad", round, response, ratio, angle);
            for (int frame = 0; frame < 20; frame++) {
                step(table, &s, 0.03f);
                const double before = position;
                position = (double)m.pos_pos * before + (double)m.pos_vel * velocity;
                velocity = (double)m.vel_pos * before + (double)m.vel_vel * velocity;
                const vector e = single_direction(&s, 0);
                check_within(atan2(e.at[0], -e.at[1]), 4 * atan(position), 1e-5);
            }
        }
    }
}

/* ---- DynamicBone ---- */

typedef struct dynamic_bone {
    double damping, elasticity, stiffness, inert;
    vector tail, tail_before;
} dynamic_bone;

/* What DynamicBone.cs does in each 1/60 s with a bone whose head goes from x0 to x1, and that rests along -y. */
static void step_dynamic_bone(dynamic_bone *b, double length, double x0, double x1)
{
    const vector head = {{x1, 0, 0}}, carried = {{b->inert * (x1 - x0), 0, 0}};
    const vector inertia = vector_scaled(vector_difference(b->tail, b->tail_before), 1 - b->damping);
    b->tail_before = vector_sum(b->tail, carried);
    b->tail = vector_sum(vector_sum(b->tail, inertia), carried);
    const vector rest = vector_sum(head, vector_scaled(down, length));
    b->tail = vector_sum(b->tail, vector_scaled(vector_difference(rest, b->tail), b->elasticity));
    const vector off = vector_difference(rest, b->tail);
    const double distance = vector_length(off), most = length * (1 - b->stiffness) * 2;
    if (b->stiffness > 0 && distance > most) {
        b->tail = vector_sum(b->tail, vector_scaled(off, (distance - most) / distance));
    }
    const vector e = vector_difference(b->tail, head);
    b->tail = vector_sum(head, vector_scaled(e, length / vector_length(e)));
}

typedef struct dynamic_case {
    const char *name;
    double damping, elasticity, stiffness, inert, size, hertz; /* the head swings by size */
    double least_swing, allowed;                               /* degrees; rms */
} dynamic_case;

/* Elasticity E in each 1/f0 s is VRM's stiffness f0 L E / (1 - E); stiffness S is a limit of 2 asin(1 - S), and inert
   takes the head's start along. */
static void follow_dynamic_bone(const gyre_kernels *table, const dynamic_case *d)
{
    const double length = 0.1, e = d->elasticity;
    single_chain s = single_of(1);
    check_status(
        table->bone_from_vrm((float)(60 * length * e / (1 - e)), (float)d->damping, 0, (float)length, 60, &s.bone[0]),
        GYRE_OK);
    s.bone[0].limit = d->stiffness > 0 ? (float)(2 * asin(1 - d->stiffness)) : 0;
    const vector hangs = vector_scaled(down, length);
    dynamic_bone b = {d->damping, e, d->stiffness, d->inert, hangs, hangs};
    double before = 0, squares = 0, most = 0;
    for (int frame = 1; frame <= 120; frame++) {
        const double now = d->size * sin(2 * pi * d->hertz * frame / 60);
        step_dynamic_bone(&b, length, before, now);
        s.position_before[0] = (float)(before + d->inert * (now - before));
        s.position[0] = (float)now;
        step(table, &s, 1.0f / 60);
        before = now;
        const vector wanted = vector_scaled(vector_difference(b.tail, (vector){{now, 0, 0}}), 1 / length);
        const double off = degrees_between(single_direction(&s, 0), wanted);
        squares += off * off;
        most = fmax(most, degrees_between(wanted, down));
        if (d->stiffness > 0) {
            check(degrees_between(single_direction(&s, 0), down), <=, 360 / pi * asin(1 - d->stiffness) + 1e-4);
        }
    }
    printf("# %s: %s, %.3f degrees rms, %.1f at most\n", table_name(table), d->name, sqrt(squares / 120), most);
    check(sqrt(squares / 120), <=, d->allowed);
    check(most, >=, d->least_swing);
}

static void test_dynamic_bone(void **state)
{
    (void)state;
    static const dynamic_case cases[] = {
        {"soft", 0.2, 0.05, 0, 0, 0.03, 1, 7.5, 0.34},   {"stiff", 0.1, 0.2, 0, 0, 0.05, 1.5, 6, 0.14},
        {"damped", 0.6, 0.1, 0, 0, 0.05, 1.5, 18, 0.45}, {"half inert", 0.3, 0.1, 0, 0.5, 0.05, 1.5, 6, 0.23},
        {"inert", 0.3, 0.1, 0, 1, 0.05, 1.5, 0, 0.0005}, {"limited", 0.2, 0.05, 0.9, 0, 0.1, 1, 11.4, 0.31},
    };
    EACH_BEST_TABLE(table) {
        for (size_t i = 0; i < LENGTH(cases); i++) {
            CASE("%s", cases[i].name);
            follow_dynamic_bone(table, &cases[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_springs), TEST(test_dynamic_bone)};
    return cmocka_run_group_tests_name("chain_parameters", tests, NULL, NULL);
}
