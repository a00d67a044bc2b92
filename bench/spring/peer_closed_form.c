#include "spring/peers.h"

#include <math.h>

static void step_one(float *position, float *velocity, float target, float w, float z, float t)
{
    float x = *position - target, v = *velocity;
    if (z > 1.0001f) {
        float root = w * sqrtf(z * z - 1), r1 = -w * z - root, r2 = -w * z + root;
        float c2 = (v - r1 * x) / (r2 - r1), c1 = x - c2;
        float e1 = c1 * expf(r1 * t), e2 = c2 * expf(r2 * t);
        x = e1 + e2;
        v = r1 * e1 + r2 * e2;
    } else if (z < 0.9999f) {
        float damped_w = w * sqrtf(1 - z * z), decay = w * z, e = expf(-decay * t);
        float c = cosf(damped_w * t), s = sinf(damped_w * t), c2 = (v + decay * x) / damped_w;
        float moved = e * (x * c + c2 * s);
        v = e * damped_w * (c2 * c - x * s) - decay * moved;
        x = moved;
    } else {
        float e = expf(-w * t), c2 = v + w * x;
        float moved = (x + c2 * t) * e;
        v = c2 * e - w * moved;
        x = moved;
    }
    *position = target + x;
    *velocity = v;
}

void peer_closed_form(float *position, float *velocity, const float *target, size_t count, float angular_frequency,
                      float damping_ratio, float dt_s)
{
    for (size_t i = 0; i < count; i++) {
        step_one(position + i, velocity + i, target != NULL ? target[i] : 0, angular_frequency, damping_ratio, dt_s);
    }
}
