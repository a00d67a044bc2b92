#include "springs.h"

static void step(float *restrict position, float *restrict velocity, size_t count, const float m[4])
{
    const float pp = m[0], pv = m[1], vp = m[2], vv = m[3];
    for (size_t i = 0; i < count; i++) {
        float x = position[i], v = velocity[i];
        position[i] = pp * x + pv * v;
        velocity[i] = vp * x + vv * v;
    }
}

static void step_to_target(float *restrict position, float *restrict velocity, const float *restrict target,
                           size_t count, const float m[4])
{
    const float pp = m[0], pv = m[1], vp = m[2], vv = m[3];
    for (size_t i = 0; i < count; i++) {
        float x = position[i] - target[i], v = velocity[i];
        position[i] = target[i] + (pp * x + pv * v);
        velocity[i] = vp * x + vv * v;
    }
}

void peer_plain_loop(float *position, float *velocity, const float *target, size_t count, const float matrix[4])
{
    if (target == NULL) {
        step(position, velocity, count, matrix);
    } else {
        step_to_target(position, velocity, target, count, matrix);
    }
}
