/* Runs the kernels of math.h: special values, any bits, and sizes where the functions do something, cut into pieces
   with tails. */
#include "support/work_parts.h"

enum { MATH_INPUTS = 1 << 15 };

static float math_inputs[MATH_INPUTS], math_outputs[2][MATH_INPUTS];

static void make_math_inputs(void)
{
    random_source random = {101};
    for (size_t i = 0; i < MATH_INPUTS; i++) {
        math_inputs[i] = i < special_float_count ? special_floats[i]
                         : i % 4 == 0            ? random_any_float(&random)
                         : i % 4 == 1            ? random_signed(&random, -20, 7)
                         : i % 4 == 2            ? random_magnitude(&random, -4, 4)
                                                 : random_signed(&random, 0, 20);
    }
}

typedef gyre_status math_function(const float *x, float *y, size_t count);

static void run_math(math_function *function, work *answers)
{
    for (size_t begin = 0, piece = 1; begin < MATH_INPUTS; begin += piece, piece = piece % 67 + 1) {
        size_t count = MATH_INPUTS - begin < piece ? MATH_INPUTS - begin : piece;
        write_word(answers, function(math_inputs + begin, math_outputs[0] + begin, count));
    }
    write_floats(answers, math_outputs[0], MATH_INPUTS);
    write_word(answers, function(NULL, math_outputs[0], 1));
}

#define MATH(name)                                                                                                     \
    WORK(math_##name, make_math_inputs) { run_math(table->math_##name, answers); }
MATH(exp)
MATH(expm1)
MATH(log)
MATH(sin)
MATH(cos)

WORK(math_sincos, make_math_inputs)
{
    for (size_t begin = 0, piece = 1; begin < MATH_INPUTS; begin += piece, piece = piece % 67 + 1) {
        size_t count = MATH_INPUTS - begin < piece ? MATH_INPUTS - begin : piece;
        write_word(answers,
                   table->math_sincos(math_inputs + begin, math_outputs[0] + begin, math_outputs[1] + begin, count));
    }
    write_floats(answers, math_outputs[0], MATH_INPUTS);
    write_floats(answers, math_outputs[1], MATH_INPUTS);
}
