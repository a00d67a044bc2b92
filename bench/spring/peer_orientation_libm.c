/* The step of gyre_orientation_springs_step by the same formula, one spring at a time, in scalar floats with libm. */
#include "spring/peers.h"

#include <math.h>

typedef struct vector {
    float x, y, z;
} vector;

static vector sum(vector a, vector b) { return (vector){a.x + b.x, a.y + b.y, a.z + b.z}; }
static vector scaled(float s, vector a) { return (vector){s * a.x, s * a.y, s * a.z}; }
static float dot(vector a, vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static vector cross(vector a, vector b)
{
    return (vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

void peer_orientation_libm(float *const q[4], float *const omega[3], float *const target[4], size_t count,
                           const float matrix[4])
{
    for (size_t i = 0; i < count; i++) {
        const vector qv = {q[0][i], q[1][i], q[2][i]}, tv = {target[0][i], target[1][i], target[2][i]};
        const float qw = q[3][i], tw = target[3][i];
        /* q target^-1, the short way, and its logarithm */
        vector v = sum(sum(scaled(tw, qv), scaled(-qw, tv)), cross(tv, qv));
        float w = qw * tw + dot(qv, tv);
        if (w < 0) {
            v = scaled(-1, v);
            w = -w;
        }
        const float n = sqrtf(dot(v, v)), a = 2 * atan2f(n, w);
        const vector y = scaled(n > 1e-4f ? a / n : 2, v);
        /* the inverse left Jacobian: cot(a/2) = w / n */
        const float s4 = a > 0.05f ? (1 - 0.5f * a * w / n) / (a * a) : 1.0f / 12 + a * a / 720;
        const vector o = {omega[0][i], omega[1][i], omega[2][i]}, once = cross(y, o);
        const vector rate = sum(o, sum(scaled(-0.5f, once), scaled(s4, cross(y, once))));
        const vector new_y = sum(scaled(matrix[0], y), scaled(matrix[1], rate));
        const vector new_rate = sum(scaled(matrix[2], y), scaled(matrix[3], rate));
        /* the exponential and the left Jacobian */
        const float b2 = dot(new_y, new_y), b = sqrtf(b2), sine = sinf(0.5f * b), c = cosf(0.5f * b);
        const float s = b > 1e-4f ? sine / b : 0.5f;
        const float s2 = 2 * s * s, s3 = b > 0.05f ? (1 - 2 * s * c) / b2 : 1.0f / 6 - b2 / 120;
        const vector half = scaled(s, new_y), again = cross(new_y, new_rate);
        const vector turned = sum(sum(scaled(c, tv), scaled(tw, half)), cross(half, tv));
        const vector new_o = sum(new_rate, sum(scaled(s2, again), scaled(s3, cross(new_y, again))));
        q[0][i] = turned.x;
        q[1][i] = turned.y;
        q[2][i] = turned.z;
        q[3][i] = c * tw - dot(half, tv);
        omega[0][i] = new_o.x;
        omega[1][i] = new_o.y;
        omega[2][i] = new_o.z;
    }
}
