/* Without branches, so that a compiler can use vector versions of exp, sin and cos. */
#include "loops/loops.h"

#include <math.h>

static void springs(float *restrict position, float *restrict velocity, const float *restrict target, size_t count,
                    const float m[4])
{
    const float pp = m[0], pv = m[1], vp = m[2], vv = m[3];
    if (target == NULL) {
        for (size_t i = 0; i < count; i++) {
            float x = position[i], v = velocity[i];
            position[i] = pp * x + pv * v;
            velocity[i] = vp * x + vv * v;
        }
    } else {
        for (size_t i = 0; i < count; i++) {
            float x = position[i] - target[i], v = velocity[i];
            position[i] = target[i] + (pp * x + pv * v);
            velocity[i] = vp * x + vv * v;
        }
    }
}

static void springs_each(float *restrict position, float *restrict velocity, const float *restrict angular_frequency,
                         const float *restrict damping_ratio, size_t count, float dt)
{
    for (size_t i = 0; i < count; i++) {
        float w = angular_frequency[i], z = damping_ratio[i], wt = w * dt, a = z * wt;
        float difference = (1 - z) * (1 + z), s = wt * wt * difference;
        float root = sqrtf(fabsf(difference)), phase = wt * root;
        float divisor = fmaxf(phase, 0.5f); /* not 0; unused where the series is used */
        float slow = expf(difference < 0 ? -wt / (z + root) : -a), fast = expf(-wt * (z + root));
        float cosine = 1 + s * (-1.0f / 2 + s * (1.0f / 24 + s * (-1.0f / 720 + s * (1.0f / 40320))));
        float sine = 1 + s * (-1.0f / 6 + s * (1.0f / 120 + s * (-1.0f / 5040 + s * (1.0f / 362880))));
        float underdamped_c = slow * cosf(phase), underdamped_s = slow * sinf(phase) / divisor;
        float overdamped_c = 0.5f * (slow + fast), overdamped_s = 0.5f * (slow - fast) / divisor;
        float e = expf(-a);
        float c = s > 1 ? underdamped_c : s < -1 ? overdamped_c : e * cosine;
        float b = s > 1 ? underdamped_s : s < -1 ? overdamped_s : e * sine;
        float x = position[i], v = velocity[i];
        position[i] = (c + a * b) * x + dt * b * v;
        velocity[i] = (c - a * b) * v - w * (wt * b) * x;
    }
}

static void particles(float *restrict position, float *restrict velocity, const float *restrict acceleration,
                      size_t count, const float m[4])
{
    const float pv = m[0], vv = m[1], pa = m[2], va = m[3];
    for (size_t i = 0; i < count; i++) {
        float v = velocity[i], a = acceleration[i];
        position[i] = position[i] + (pv * v + pa * a);
        velocity[i] = vv * v + va * a;
    }
}

/* f1 = (exp p - 1) / p and f2 = (exp p - 1 - p) / p^2; by series for small p, where the differences cancel. */
static void particles_each(float *restrict position, float *restrict velocity, const float *restrict acceleration,
                           const float *restrict damping, size_t count, float dt)
{
    for (size_t i = 0; i < count; i++) {
        float p = -damping[i] * dt, e = expf(p), divisor = fminf(p, -0.25f);
        float series = 0.5f + p * (1.0f / 6 + p * (1.0f / 24 + p * (1.0f / 120 + p * (1.0f / 720))));
        float f1 = p < -0.5f ? (e - 1) / divisor : 1 + p * series;
        float f2 = p < -0.5f ? (f1 - 1) / divisor : series;
        float v = velocity[i], a = acceleration[i];
        position[i] = position[i] + dt * (f1 * v + dt * f2 * a);
        velocity[i] = e * v + dt * f1 * a;
    }
}

static void springs_low(float *restrict position, float *restrict velocity, float *restrict position_low,
                        float *restrict velocity_low, size_t count, const double m[4])
{
    const double pp = m[0], pv = m[1], vp = m[2], vv = m[3];
    for (size_t i = 0; i < count; i++) {
        const double x = (double)position[i] + position_low[i], v = (double)velocity[i] + velocity_low[i];
        const double new_x = pp * x + pv * v, new_v = vp * x + vv * v;
        position[i] = (float)new_x;
        position_low[i] = (float)(new_x - position[i]);
        velocity[i] = (float)new_v;
        velocity_low[i] = (float)(new_v - velocity[i]);
    }
}

static void particles_low(float *restrict position, float *restrict velocity, float *restrict position_low,
                          float *restrict velocity_low, const float *restrict acceleration, size_t count,
                          const double m[4])
{
    const double pv = m[0], vv = m[1], pa = m[2], va = m[3];
    for (size_t i = 0; i < count; i++) {
        const double x = (double)position[i] + position_low[i], v = (double)velocity[i] + velocity_low[i];
        const double a = acceleration[i], new_x = x + (pv * v + pa * a), new_v = vv * v + va * a;
        position[i] = (float)new_x;
        position_low[i] = (float)(new_x - position[i]);
        velocity[i] = (float)new_v;
        velocity_low[i] = (float)(new_v - velocity[i]);
    }
}

struct entity {
    float position[3], others[9];
};

static void gather(const void *restrict from, float *restrict x, float *restrict y, float *restrict z, size_t count)
{
    const struct entity *entities = from;
    for (size_t i = 0; i < count; i++) {
        x[i] = entities[i].position[0];
        y[i] = entities[i].position[1];
        z[i] = entities[i].position[2];
    }
}

static void scatter(const float *restrict x, const float *restrict y, const float *restrict z, void *restrict to,
                    size_t count)
{
    struct entity *entities = to;
    for (size_t i = 0; i < count; i++) {
        entities[i].position[0] = x[i];
        entities[i].position[1] = y[i];
        entities[i].position[2] = z[i];
    }
}

static void flings(float *restrict position, float *restrict velocity, const float *restrict lower,
                   const float *restrict upper, size_t count, const float damping[2], const float spring[4])
{
    const float pv = damping[0], vv = damping[1];
    const float spring_pp = spring[0], spring_pv = spring[1], spring_vp = spring[2], spring_vv = spring[3];
    for (size_t i = 0; i < count; i++) {
        const float x = position[i], v = velocity[i];
        if (x < lower[i] || x > upper[i]) {
            const float edge = x < lower[i] ? lower[i] : upper[i], d = x - edge;
            position[i] = edge + (spring_pp * d + spring_pv * v);
            velocity[i] = spring_vp * d + spring_vv * v;
        } else {
            position[i] = x + pv * v;
            velocity[i] = vv * v;
        }
    }
}

extern const loops LOOPS;
const loops LOOPS = {LOOPS_NAME,  springs,       springs_each, particles, particles_each,
                     springs_low, particles_low, gather,       scatter,   flings};
