/* Springs and particles as expressions over Eigen::ArrayXf. */
#include "loops/loops.h"

#include <Eigen/Core>

namespace
{

using Eigen::ArrayXf;
using In = Eigen::Map<const ArrayXf>;
using Out = Eigen::Map<ArrayXf>;

Eigen::Index length(size_t count) { return static_cast<Eigen::Index>(count); }

void springs(float *position, float *velocity, const float *target, size_t count, const float m[4])
{
    Out p(position, length(count)), v(velocity, length(count));
    if (target == nullptr) {
        const ArrayXf x = p;
        p = m[0] * x + m[1] * v;
        v = m[2] * x + m[3] * v;
    } else {
        const In t(target, length(count));
        const ArrayXf x = p - t;
        p = t + (m[0] * x + m[1] * v);
        v = m[2] * x + m[3] * v;
    }
}

void springs_each(float *position, float *velocity, const float *angular_frequency, const float *damping_ratio,
                  size_t count, float dt)
{
    Out p(position, length(count)), v(velocity, length(count));
    const In w(angular_frequency, length(count)), z(damping_ratio, length(count));
    const ArrayXf wt = w * dt, a = z * wt, difference = (1 - z) * (1 + z), s = wt * wt * difference;
    const ArrayXf root = difference.abs().sqrt(), phase = wt * root, divisor = phase.max(0.5f);
    const ArrayXf e = (-a).exp(), slow = (difference < 0).select(-wt / (z + root), -a).exp(),
                  fast = (-wt * (z + root)).exp();
    const ArrayXf cosine = 1 + s * (-1.0f / 2 + s * (1.0f / 24 + s * (-1.0f / 720 + s * (1.0f / 40320))));
    const ArrayXf sine = 1 + s * (-1.0f / 6 + s * (1.0f / 120 + s * (-1.0f / 5040 + s * (1.0f / 362880))));
    const ArrayXf c = (s > 1).select(slow * phase.cos(), (s < -1).select(0.5f * (slow + fast), e * cosine));
    const ArrayXf b =
        (s > 1).select(slow * phase.sin() / divisor, (s < -1).select(0.5f * (slow - fast) / divisor, e * sine));
    const ArrayXf x = p;
    p = (c + a * b) * x + dt * b * v;
    v = (c - a * b) * v - w * (wt * b) * x;
}

void particles(float *position, float *velocity, const float *acceleration, size_t count, const float m[4])
{
    Out p(position, length(count)), v(velocity, length(count));
    const In a(acceleration, length(count));
    p += m[0] * v + m[2] * a;
    v = m[1] * v + m[3] * a;
}

void particles_each(float *position, float *velocity, const float *acceleration, const float *damping, size_t count,
                    float dt)
{
    Out x(position, length(count)), v(velocity, length(count));
    const In a(acceleration, length(count)), k(damping, length(count));
    const ArrayXf p = -k * dt, e = p.exp(), divisor = p.min(-0.25f);
    const ArrayXf series = 0.5f + p * (1.0f / 6 + p * (1.0f / 24 + p * (1.0f / 120 + p * (1.0f / 720))));
    const ArrayXf f1 = (p < -0.5f).select((e - 1) / divisor, 1 + p * series);
    const ArrayXf f2 = (p < -0.5f).select((f1 - 1) / divisor, series);
    x += dt * (f1 * v + dt * f2 * a);
    v = e * v + dt * f1 * a;
}

} // namespace

extern "C" const loops eigen_arrays;
const loops eigen_arrays = {"eigen-arrays", springs, springs_each, particles, particles_each,
                            nullptr,        nullptr, nullptr,      nullptr,   nullptr};
