#include "batch.h"

#include <math.h>

batch batch_random(random_source *random, bool specials)
{
    batch b;
    for (size_t i = 0; i < BATCH_SPRINGS; i++) {
        b.position[i] = random_signed(random, -10, 12);
        b.velocity[i] = random_signed(random, -10, 12);
        b.target[i] = random_signed(random, -10, 12);
        b.awake[i] = 0xa5;
        if (random_one_in(random, 4)) {
            b.position[i] = b.target[i];
            b.velocity[i] = random_one_in(random, 2) ? 0 : random_signed(random, -100, -5);
        }
        if (specials && random_one_in(random, 4)) {
            float special = special_floats[random_below(random, special_float_count)];
            float *const arrays[] = {b.position, b.velocity, b.target};
            arrays[random_below(random, 3)][i] = special;
        }
    }
    return b;
}

gyre_springs batch_springs(batch *b, unsigned features)
{
    return (gyre_springs){
        .count = BATCH_SPRINGS,
        .position = b->position,
        .velocity = b->velocity,
        .target = features & FEATURE_TARGET ? b->target : NULL,
        .period = features & FEATURE_PERIOD ? 360 : 0,
        .rest_distance = features & FEATURE_REST ? 0x1p-6f : 0,
        .rest_speed = features & FEATURE_REST ? 0x1p-5f : 0,
        .awake = features & FEATURE_AWAKE ? b->awake : NULL,
    };
}

gyre_spring_matrix random_matrix(random_source *random)
{
    const gyre_kernels *kernels = gyre_kernels_best(GYRE_ROUNDING_PORTABLE);
    gyre_spring_matrix matrix = {0};
    gyre_status status;
    do {
        float damping_ratio = random_one_in(random, 4) ? 0 : random_magnitude(random, -4, 3);
        gyre_spring spring = {random_magnitude(random, -2, 6), damping_ratio};
        float dt = random_magnitude(random, -8, 2) * (random_one_in(random, 8) ? -1 : 1);
        status = kernels->spring_matrix_at(spring, dt, &matrix);
    } while (status == GYRE_ERROR_RANGE || fabsf(matrix.vel_pos) > 0x1p40f); /* too far back */
    assert_int_equal(status, GYRE_OK);
    return matrix;
}

void expect_same_batch(const batch *got, const batch *want, const char *what)
{
    for (size_t i = 0; i < BATCH_SPRINGS; i++) {
        if (!same_float(got->position[i], want->position[i]) || !same_float(got->velocity[i], want->velocity[i]) ||
            !same_float(got->target[i], want->target[i]) || got->awake[i] != want->awake[i]) {
            fail_msg("%s: spring %zu is %a %a %a %d, not %a %a %a %d", what, i, (double)got->position[i],
                     (double)got->velocity[i], (double)got->target[i], got->awake[i], (double)want->position[i],
                     (double)want->velocity[i], (double)want->target[i], want->awake[i]);
        }
    }
}
