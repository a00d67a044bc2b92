/* Runs springs on rotations: every set of features, near their targets and half a turn away, tiny and special
   values. */
#include "support/work_parts.h"

#include <string.h>

enum { ORIENTATION_STEPS = 64, ORIENTATIONS = 97, ORIENTATION_ARRAYS = 4 + 3 + 4 + 4 };

static struct {
    float arrays[ORIENTATION_ARRAYS][ORIENTATIONS];
    uint8_t awake[ORIENTATIONS];
    gyre_spring spring;
    float dt_s;
    size_t begin, end;
} orientation_inputs[ORIENTATION_STEPS], outputs_of_orientations;

static float any_component(random_source *random)
{
    return random_one_in(random, 3) ? 0 : random_signed(random, random_one_in(random, 8) ? -100 : -3, 0);
}

static void make_orientation_inputs(void)
{
    random_source random = {131};
    for (size_t i = 0; i < ORIENTATION_STEPS; i++) {
        orientation_inputs[i].spring = (gyre_spring){random_magnitude(&random, -2, 6), 1.5f * random_unit(&random),
                                                     random_one_in(&random, 2) ? 0 : random_unit(&random)};
        orientation_inputs[i].dt_s = random_one_in(&random, 9) ? -0.01f : random_magnitude(&random, -9, 0);
        orientation_inputs[i].begin = random_below(&random, 20);
        orientation_inputs[i].end = ORIENTATIONS - random_below(&random, 20);
        for (size_t k = 0; k < ORIENTATIONS; k++) {
            const float near = random_one_in(&random, 2) ? random_magnitude(&random, -60, 0) : 2;
            for (size_t array = 0; array < ORIENTATION_ARRAYS; array++) {
                float *a = &orientation_inputs[i].arrays[array][k];
                *a = 4 <= array && array < 7 ? 8 * any_component(&random) : any_component(&random);
                *a = random_one_in(&random, 400) ? special_floats[random_below(&random, special_float_count)] : *a;
                if (array >= 7 && near < 1) { /* a target near the orientation */
                    *a = orientation_inputs[i].arrays[(array - 7) % 4][k] + near * *a;
                }
            }
            orientation_inputs[i].awake[k] = !random_one_in(&random, 4);
        }
    }
}

WORK(orientation_springs_step, make_orientation_inputs)
{
    for (size_t i = 0; i < ORIENTATION_STEPS; i++) {
        memcpy(&outputs_of_orientations, &orientation_inputs[i], sizeof outputs_of_orientations);
        float(*arrays)[ORIENTATIONS] = outputs_of_orientations.arrays;
        gyre_orientation_springs springs = {.count = ORIENTATIONS, .skip_asleep = i % 16 >= 12};
        for (size_t k = 0; k < 4; k++) {
            springs.orientation[k] = arrays[k];
            springs.target[k] = i % 4 != 0 ? arrays[7 + k] : NULL;
            springs.target_before[k] = i % 4 >= 2 ? arrays[11 + k] : NULL;
        }
        for (size_t k = 0; k < 3; k++) {
            springs.angular_velocity[k] = arrays[4 + k];
        }
        springs.awake = i % 16 >= 4 ? outputs_of_orientations.awake : NULL;
        springs.rest_angle = springs.rest_speed = i % 16 >= 8 ? 0.5f : 0;
        gyre_spring_matrix m;
        write_word(answers, table->spring_matrix_at(orientation_inputs[i].spring, orientation_inputs[i].dt_s, &m));
        write_word(answers, table->orientation_springs_step(&springs, orientation_inputs[i].begin,
                                                            orientation_inputs[i].end, &m, orientation_inputs[i].dt_s));
        write_floats(answers, arrays[0], 7 * ORIENTATIONS);
        for (size_t k = 0; k < ORIENTATIONS; k++) {
            write_word(answers, outputs_of_orientations.awake[k]);
        }
    }
}
