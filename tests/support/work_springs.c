/* Runs the kernels of spring.h that take one spring: parameters and matrices. */
#include "support/work_parts.h"

/* ---- Springs of one kind: valid, extreme and invalid parameters ---- */

enum { SPRING_INPUTS = 1 << 13 };

typedef float three_floats[3];

static three_floats spring_inputs[SPRING_INPUTS];

static void make_spring_inputs(void)
{
    random_source random = {102};
    for (size_t i = 0; i < SPRING_INPUTS; i++) {
        for (size_t k = 0; k < 3; k++) {
            spring_inputs[i][k] = random_one_in(&random, 8) ? special_floats[random_below(&random, special_float_count)]
                                  : random_one_in(&random, 4) ? random_magnitude(&random, -149, 127)
                                  : random_one_in(&random, 2) ? random_unit(&random)
                                                              : random_magnitude(&random, -8, 8);
        }
    }
}

#define EACH_SPRING_INPUT(in) for (three_floats *in = spring_inputs; in < spring_inputs + SPRING_INPUTS; in++)

/* An error leaves the poison. */
static void write_spring(work *answers, gyre_status status, const gyre_spring *out)
{
    write_word(answers, status);
    write_floats(answers, &out->angular_frequency, 1);
    write_floats(answers, &out->damping_ratio, 1);
}

#define SPRING_FROM(name, ...)                                                                                         \
    WORK(spring_from_##name, make_spring_inputs)                                                                       \
    {                                                                                                                  \
        EACH_SPRING_INPUT(in) {                                                                                        \
            gyre_spring out = {-1, -2};                                                                                \
            gyre_status status = table->spring_from_##name(__VA_ARGS__, &out);                                         \
            write_spring(answers, status, &out);                                                                       \
        }                                                                                                              \
    }
SPRING_FROM(stiffness, (*in)[0], (*in)[1], (*in)[2])
SPRING_FROM(response, (*in)[0], (*in)[1])
SPRING_FROM(duration, (*in)[0], (*in)[1])
SPRING_FROM(half_life, (*in)[0], (*in)[1])
SPRING_FROM(settling, (*in)[0], (*in)[1], (*in)[2])

/* Four inputs for one answer, the last two from the next row. Few of them, because a bisection is slow. */
WORK(spring_settling_time, make_spring_inputs)
{
    for (size_t i = 0; i + 1 < SPRING_INPUTS / 16; i++) {
        const float *in = spring_inputs[i], *more = spring_inputs[i + 1];
        float out = -1;
        write_word(answers, table->spring_settling_time((gyre_spring){in[0], in[1]}, in[2], -more[1], more[0], &out));
        write_floats(answers, &out, 1);
    }
}

/* For the same springs; errors leave the poison. */
WORK(spring_to_stiffness, make_spring_inputs)
{
    EACH_SPRING_INPUT(in) {
        float out[2] = {-1, -2};
        write_word(answers, table->spring_to_stiffness((gyre_spring){(*in)[0], (*in)[1]}, (*in)[2], &out[0], &out[1]));
        write_floats(answers, out, 2);
    }
}

WORK(spring_to_response, make_spring_inputs)
{
    EACH_SPRING_INPUT(in) {
        float out = -1;
        write_word(answers, table->spring_to_response((gyre_spring){(*in)[0], (*in)[1], (*in)[2]}, &out));
        write_floats(answers, &out, 1);
    }
}

WORK(spring_to_duration, make_spring_inputs)
{
    EACH_SPRING_INPUT(in) {
        float out[2] = {-1, -2};
        write_word(answers, table->spring_to_duration((gyre_spring){(*in)[0], (*in)[1], 0}, &out[0], &out[1]));
        write_floats(answers, out, 2);
    }
}

WORK(spring_peak, make_spring_inputs)
{
    for (size_t i = 0; i + 1 < SPRING_INPUTS; i++) {
        const float *in = spring_inputs[i], *more = spring_inputs[i + 1];
        float out[2] = {-1, -2};
        write_word(answers, table->spring_peak((gyre_spring){in[0], in[1]}, in[2], i % 2 ? more[1] : -more[1], &out[0],
                                               &out[1]));
        write_floats(answers, out, 2);
    }
}

/* ---- The matrix: w, z, t from the same regimes as in the error tests ---- */

static three_floats matrix_inputs[SPRING_INPUTS];
static float matrix_follow[SPRING_INPUTS];

static void make_matrix_inputs(void)
{
    random_source random = {103};
    for (size_t i = 0; i < SPRING_INPUTS; i++) {
        float *in = matrix_inputs[i];
        in[0] = random_magnitude(&random, -8, 10);
        in[1] = i % 3 == 0 ? 2 * random_unit(&random) : random_magnitude(&random, -10, 13);
        in[2] = random_signed(&random, -16, 13) / in[0];
        if (random_one_in(&random, 4)) {
            in[random_below(&random, 3)] = special_floats[random_below(&random, special_float_count)];
        }
        if (random_one_in(&random, 8)) {
            in[1] = 1 + random_signed(&random, -24, -1);
        }
    }
    for (size_t i = 0; i < SPRING_INPUTS; i++) {
        matrix_follow[i] = random_one_in(&random, 4) ? (float)(i % 2) : random_unit(&random);
    }
}

static void write_matrix(work *answers, const gyre_spring_matrix *m)
{
    write_floats(answers, (const float[]){m->pos_pos, m->pos_vel, m->vel_pos, m->vel_vel, m->pos_ramp, m->vel_ramp}, 6);
    write_floats(answers, m->low, LENGTH(m->low));
}

WORK(spring_matrix_at, make_matrix_inputs)
{
    for (size_t i = 0; i < SPRING_INPUTS; i++) {
        gyre_spring spring = {matrix_inputs[i][0], matrix_inputs[i][1], matrix_follow[i]};
        gyre_spring_matrix out = {-1, -2, -3, -4, -5, -6};
        write_word(answers, table->spring_matrix_at(spring, matrix_inputs[i][2], &out));
        write_matrix(answers, &out);
    }
}

WORK(smoothing_matrix_at, make_matrix_inputs)
{
    for (size_t i = 0; i < SPRING_INPUTS; i++) {
        gyre_spring_matrix out = {-1, -2, -3, -4, -5, -6};
        write_word(answers, table->smoothing_matrix_at(matrix_inputs[i][0], matrix_inputs[i][2], &out));
        write_matrix(answers, &out);
    }
}
