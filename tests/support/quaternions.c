#include "support/quaternions.h"

#include <math.h>
#include <string.h>

const char *const operation_names[OPERATIONS] = {"vector", "product", "apply", "between", "beyond"};
const size_t outputs_of[OPERATIONS] = {3, 4, 3, 4, 4}, inputs_of[OPERATIONS] = {4, 8, 7, 8, 8};
static const float part_of[OPERATIONS] = {[BETWEEN] = 0.3f, [BEYOND] = -1.7f};

gyre_status run_operation(const gyre_kernels *table, operation which, float *const in[INPUTS], float *const out[4],
                          size_t begin, size_t end)
{
    switch (which) {
    case VECTOR: return table->rotation_vector(in, out, begin, end);
    case PRODUCT: return table->rotation_product(in, in != NULL ? in + 4 : NULL, out, begin, end);
    case APPLY: return table->rotation_apply(in, in != NULL ? in + 4 : NULL, out, begin, end);
    default: return table->rotation_between(in, in != NULL ? in + 4 : NULL, part_of[which], out, begin, end);
    }
}

pointers pointers_to(chunk *c)
{
    pointers to;
    for (size_t k = 0; k < INPUTS; k++) {
        to.in[k] = c->in[k];
        to.out[k % 4] = c->out[k % 4];
    }
    return to;
}

void run_chunk(const gyre_kernels *table, operation which, chunk *c)
{
    pointers to = pointers_to(c);
    check_status(run_operation(table, which, to.in, to.out, 0, CHUNK), GYRE_OK);
}

void run_between(const gyre_kernels *table, float part, chunk *c)
{
    pointers to = pointers_to(c);
    check_status(table->rotation_between(to.in, to.in + 4, part, to.out, 0, CHUNK), GYRE_OK);
}

quaternion quaternion_in(float array[][CHUNK], size_t i)
{
    return (quaternion){{(double)array[0][i], (double)array[1][i], (double)array[2][i], (double)array[3][i]}};
}

quaternion a_of(chunk *c, size_t i) { return quaternion_in(c->in, i); }
quaternion b_of(chunk *c, size_t i) { return quaternion_in(c->in + 4, i); }
quaternion result_of(chunk *c, size_t i) { return quaternion_in(c->out, i); }

double largest_component(quaternion q)
{
    double largest = 0;
    for (size_t k = 0; k < 4; k++) {
        largest = worse_of(largest, fabs(q.at[k]));
    }
    return largest;
}

void quaternion_put(float array[][CHUNK], size_t i, quaternion q)
{
    for (size_t k = 0; k < 4; k++) {
        array[k][i] = (float)q.at[k];
    }
}

vector random_axis(random_source *random)
{
    for (;;) {
        vector v;
        for (size_t k = 0; k < 3; k++) {
            v.at[k] = random_one_in(random, 8)    ? 0
                      : random_one_in(random, 12) ? (double)random_signed(random, -30, -1)
                                                  : 2 * (double)random_unit(random) - 1;
        }
        if (vector_length(v) > 0.1) {
            return vector_scaled(v, 1 / vector_length(v));
        }
    }
}

quaternion random_quaternion(random_source *random)
{
    const double pi = 3.14159265358979323846;
    const double angle = random_one_in(random, 4)   ? (double)random_magnitude(random, -60, 0)
                         : random_one_in(random, 4) ? pi + (double)random_signed(random, -40, -1)
                                                    : 2 * pi * (double)random_unit(random);
    const quaternion q = reference_quaternion(vector_scaled(random_axis(random), angle));
    return random_one_in(random, 2) ? quaternion_scaled(q, -1) : q;
}

void fill_chunk(chunk *c, random_source *random)
{
    for (size_t i = 0; i < CHUNK; i++) {
        const quaternion a = random_quaternion(random), b = random_quaternion(random);
        quaternion_put(c->in, i, a);
        quaternion_put(c->in + 4, i, random_one_in(random, 3) ? quaternion_product(a, b) : b); /* near a, or anywhere */
    }
}
