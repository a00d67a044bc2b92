/* The inputs that steps of springs, particles and flings share, and the recorded answers of a step. */
#ifndef GYRE_TESTS_WORK_STEPS_H
#define GYRE_TESTS_WORK_STEPS_H

#include "support/batch.h"
#include "support/work_parts.h"

enum { STEPS = 256 };

typedef struct step_input {
    batch start;
    unsigned features;
    size_t begin, end;
    gyre_spring_matrix matrix;
    float period, rest_distance, rest_speed;
} step_input;

extern step_input step_inputs[STEPS]; /* made by make_step_inputs */

/* A value for each element of each step, made by make_each_inputs; dampings by make_damping_inputs. */
extern float step_frequencies[STEPS][BATCH_SPRINGS], step_ratios[STEPS][BATCH_SPRINGS],
    step_times[STEPS][BATCH_SPRINGS], step_dampings[STEPS][BATCH_SPRINGS];

/* Every 32nd time is the first spring's value, including NaN and infinities; the others are ordinary frame times. */
float time_of_step(size_t i);

void write_batch(work *answers, const batch *b);

#endif
