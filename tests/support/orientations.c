#include "support/orientations.h"

static const double pi = 3.14159265358979323846;

gyre_orientation_springs orientation_springs_of(orientation_batch *b, unsigned features)
{
    gyre_orientation_springs s = {.count = SPRINGS, .skip_asleep = features & WITH_SKIP};
    for (int k = 0; k < 4; k++) {
        s.orientation[k] = b->q[k];
        s.target[k] = features & WITH_TARGET ? b->target[k] : NULL;
        s.target_before[k] = features & WITH_BEFORE ? b->before[k] : NULL;
    }
    for (int k = 0; k < 3; k++) {
        s.angular_velocity[k] = b->omega[k];
    }
    if (features & WITH_REST) {
        s.rest_angle = 0x1p-6f;
        s.rest_speed = 0x1p-5f;
    }
    s.awake = features & (WITH_AWAKE | WITH_SKIP) ? b->awake : NULL;
    return s;
}

quaternion get_quaternion(float array[4][SPRINGS], size_t i)
{
    return (quaternion){{array[0][i], array[1][i], array[2][i], array[3][i]}};
}

void set_quaternion(float array[4][SPRINGS], size_t i, quaternion q)
{
    for (int k = 0; k < 4; k++) {
        array[k][i] = (float)q.at[k];
    }
}

vector get_omega(const orientation_batch *b, size_t i)
{
    return (vector){{b->omega[0][i], b->omega[1][i], b->omega[2][i]}};
}

void set_omega(orientation_batch *b, size_t i, vector omega)
{
    for (int k = 0; k < 3; k++) {
        b->omega[k][i] = (float)omega.at[k];
    }
}

quaternion random_turn(random_source *random, double angle)
{
    return reference_quaternion(vector_scaled(random_direction(random), angle));
}

double random_between(random_source *random, double from, double to)
{
    return from + (to - from) * (double)random_unit(random);
}

/* An angle up to half a turn, including tiny ones. */
static double random_angle(random_source *random)
{
    return random_one_in(random, 3) ? (double)random_magnitude(random, -30, 1) : random_between(random, 0, pi);
}

void random_orientations(orientation_batch *b, random_source *random)
{
    for (size_t i = 0; i < SPRINGS; i++) {
        const quaternion before = random_turn(random, random_between(random, 0, pi));
        set_quaternion(b->before, i, before);
        set_quaternion(b->target, i,
                       quaternion_product(random_turn(random, (double)random_magnitude(random, -12, 0)), before));
        set_quaternion(b->q, i, quaternion_product(random_turn(random, random_angle(random)), before));
        set_omega(b, i,
                  vector_scaled(random_direction(random),
                                random_one_in(random, 9) ? 0 : (double)random_magnitude(random, -12, 6)));
        b->awake[i] = 1;
    }
}

void step_orientations(const gyre_kernels *table, gyre_orientation_springs s, const gyre_spring_matrix *m, float dt)
{
    check_status(table->orientation_springs_step(&s, 0, s.count, m, dt), GYRE_OK);
}
