/* The matrix of each spring from its frequency and ratio, by the formula of spring/peer_sleef.c, in scalar floats with
   libm. */
#include "spring/peers.h"

#include <math.h>

static float polynomial(const float *coefficients, int count, float s)
{
    float sum = coefficients[0];
    for (int k = 1; k < count; k++) {
        sum = sum * s + coefficients[k];
    }
    return sum;
}

void peer_each_libm(float *position, float *velocity, const float *angular_frequency, const float *damping_ratio,
                    size_t count, float dt_s)
{
    static const float cosine_terms[] = {-1.0f / 3628800, 1.0f / 40320, -1.0f / 720, 1.0f / 24, -0.5f, 1};
    static const float sine_terms[] = {-1.0f / 39916800, 1.0f / 362880, -1.0f / 5040, 1.0f / 120, -1.0f / 6, 1};
    for (size_t i = 0; i < count; i++) {
        float w = angular_frequency[i], z = damping_ratio[i], wt = w * dt_s, a = z * wt;
        float difference = (1 - z) * (1 + z), s = wt * wt * difference, ec, es;
        if (s > 1) {
            float phase = wt * sqrtf(difference), e = expf(-a);
            ec = e * cosf(phase);
            es = e * sinf(phase) / phase;
        } else if (s < -1) {
            float root = sqrtf(-difference), slow = expf(-wt / (z + root)), fast = expf(-wt * (z + root));
            ec = 0.5f * (slow + fast);
            es = 0.5f * (slow - fast) / (wt * root);
        } else {
            float e = expf(-a);
            ec = e * polynomial(cosine_terms, 6, s);
            es = e * polynomial(sine_terms, 6, s);
        }
        float x = position[i], v = velocity[i];
        position[i] = (ec + a * es) * x + dt_s * es * v;
        velocity[i] = (ec - a * es) * v - w * (wt * es) * x;
    }
}
