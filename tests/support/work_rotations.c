/* Runs the kernels of rotation.h. */
#include "support/work_parts.h"

#include <math.h>

/* ---- Rotations: every size of angle, and special values ---- */

enum { ROTATIONS = 4096 };

static float rotation_vectors[3][ROTATIONS], rotation_outputs[9][ROTATIONS];

static void make_rotation_inputs(void)
{
    random_source random = {108};
    for (size_t i = 0; i < ROTATIONS; i++) {
        int size = i % 4 == 0 ? (int)random_below(&random, 160) - 140 : 0;
        for (size_t k = 0; k < 3; k++) {
            rotation_vectors[k][i] = i % 4 == 0   ? random_signed(&random, size - 3, size)
                                     : i % 4 == 1 ? random_unit(&random) - 0.5f
                                                  : random_signed(&random, -4, 4);
        }
        if (random_one_in(&random, 12)) {
            rotation_vectors[random_below(&random, 3)][i] = special_floats[random_below(&random, special_float_count)];
        }
    }
}

typedef gyre_status rotation_function(float *const v[3], float *const out[9], size_t begin, size_t end);

static void run_rotation(rotation_function *function, size_t outputs, work *answers)
{
    float *const vectors[3] = {rotation_vectors[0], rotation_vectors[1], rotation_vectors[2]};
    float *out[9];
    for (size_t k = 0; k < 9; k++) {
        out[k] = rotation_outputs[k];
    }
    for (size_t begin = 0, piece = 1; begin < ROTATIONS; begin += piece, piece = piece % 67 + 1) {
        size_t end = ROTATIONS - begin < piece ? ROTATIONS : begin + piece;
        write_word(answers, function(vectors, out, begin, end));
    }
    for (size_t k = 0; k < outputs; k++) {
        write_floats(answers, rotation_outputs[k], ROTATIONS);
    }
}

WORK(rotation_matrix, make_rotation_inputs)
{ run_rotation(table->rotation_matrix, 9, answers); }

WORK(rotation_left_jacobian, make_rotation_inputs)
{
    run_rotation(table->rotation_left_jacobian, 9, answers);
}

WORK(rotation_quaternion, make_rotation_inputs)
{
    run_rotation(table->rotation_quaternion, 4, answers);
}

/* ---- Quaternions: pairs near each other and far apart, of unit length and of any, and special values ---- */

static float quaternions[2][4][ROTATIONS];

/* (2 p, 1 - |p|^2) / (1 + |p|^2) has length 1 for any p, without a square root. */
static void put_quaternion(random_source *random, size_t of, size_t i, const float p[3], float length)
{
    const float square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2], scale = length / (1 + square);
    for (size_t k = 0; k < 3; k++) {
        quaternions[of][k][i] = 2 * scale * p[k];
    }
    quaternions[of][3][i] = scale * (1 - square);
    if (random_one_in(random, 24)) {
        quaternions[of][random_below(random, 4)][i] = special_floats[random_below(random, special_float_count)];
    }
}

static void make_quaternion_inputs(void)
{
    random_source random = {109};
    for (size_t i = 0; i < ROTATIONS; i++) {
        const bool near = i % 3 == 0;
        const int size = i % 4 == 0 ? (int)random_below(&random, 160) - 140 : 1;
        float p[2][3];
        for (size_t k = 0; k < 3; k++) {
            p[0][k] = random_signed(&random, size - 3, size);
            p[1][k] = near ? p[0][k] + random_signed(&random, -24, -4) : random_signed(&random, -3, 1);
        }
        for (size_t of = 0; of < 2; of++) {
            const float length = i % 8 == 1                         ? random_signed(&random, -40, 40)
                                 : i % 8 == 2                       ? 1 + random_signed(&random, -20, -5)
                                 : random_signed(&random, 0, 1) < 0 ? -1
                                                                    : 1;
            put_quaternion(&random, of, i, p[of], length);
        }
    }
}

typedef gyre_status quaternion_function(const gyre_kernels *table, float part, float *const a[4], float *const b[4],
                                        float *const out[4], size_t begin, size_t end);

static void run_quaternions(const gyre_kernels *table, quaternion_function *function, float part, size_t outputs,
                            work *answers)
{
    float *a[4], *b[4], *out[4];
    for (size_t k = 0; k < 4; k++) {
        a[k] = quaternions[0][k];
        b[k] = quaternions[1][k];
        out[k] = rotation_outputs[k];
    }
    for (size_t begin = 0, piece = 1; begin < ROTATIONS; begin += piece, piece = piece % 67 + 1) {
        const size_t end = ROTATIONS - begin < piece ? ROTATIONS : begin + piece;
        write_word(answers, function(table, part, a, b, out, begin, end));
    }
    for (size_t k = 0; k < outputs; k++) {
        write_floats(answers, rotation_outputs[k], ROTATIONS);
    }
}

static gyre_status vector_of(const gyre_kernels *table, float part, float *const a[4], float *const b[4],
                             float *const out[4], size_t begin, size_t end)
{
    (void)part;
    (void)b;
    return table->rotation_vector(a, out, begin, end);
}

static gyre_status product_of(const gyre_kernels *table, float part, float *const a[4], float *const b[4],
                              float *const out[4], size_t begin, size_t end)
{
    (void)part;
    return table->rotation_product(a, b, out, begin, end);
}

static gyre_status between_them(const gyre_kernels *table, float part, float *const a[4], float *const b[4],
                                float *const out[4], size_t begin, size_t end)
{
    return table->rotation_between(a, b, part, out, begin, end);
}

static gyre_status turned_by(const gyre_kernels *table, float part, float *const a[4], float *const b[4],
                             float *const out[4], size_t begin, size_t end)
{
    (void)part;
    return table->rotation_apply(a, b, out, begin, end);
}

WORK(rotation_vector, make_quaternion_inputs)
{ run_quaternions(table, vector_of, 0, 3, answers); }

WORK(rotation_product, make_quaternion_inputs)
{
    run_quaternions(table, product_of, 0, 4, answers);
}

WORK(rotation_between, make_quaternion_inputs)
{
    static const float parts[] = {0,      1,        0.5f,     0.1f,   0.7f,  0x1p-12f, 0x1p-40f, -0x1p-40f,
                                  -0.25f, 1.00001f, 1234.56f, -1e20f, 3e38f, NAN,      INFINITY};
    for (size_t i = 0; i < LENGTH(parts); i++) {
        run_quaternions(table, between_them, parts[i], 4, answers);
    }
}

WORK(rotation_apply, make_quaternion_inputs)
{ run_quaternions(table, turned_by, 0, 3, answers); }
