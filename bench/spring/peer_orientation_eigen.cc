/* Springs on rotations as in engines, with Eigen, one at a time: the angular velocity is used as the rate of the
   rotation vector, which holds for small angles. */
#include "spring/peers.h"

#include <Eigen/Geometry>

void peer_orientation_eigen(float *const q[4], float *const omega[3], float *const target[4], size_t count,
                            const float matrix[4])
{
    for (size_t i = 0; i < count; i++) {
        const Eigen::Quaternionf to(target[3][i], target[0][i], target[1][i], target[2][i]);
        Eigen::Quaternionf error = Eigen::Quaternionf(q[3][i], q[0][i], q[1][i], q[2][i]) * to.conjugate();
        if (error.w() < 0) {
            error.coeffs() = -error.coeffs();
        }
        const Eigen::AngleAxisf turn(error);
        const Eigen::Vector3f y = turn.angle() * turn.axis(), rate(omega[0][i], omega[1][i], omega[2][i]);
        const Eigen::Vector3f new_y = matrix[0] * y + matrix[1] * rate, new_rate = matrix[2] * y + matrix[3] * rate;
        const Eigen::Quaternionf turned = Eigen::Quaternionf(Eigen::AngleAxisf(new_y.norm(), new_y.normalized())) * to;
        for (Eigen::Index k = 0; k < 4; k++) {
            q[k][i] = turned.coeffs()[k];
        }
        for (Eigen::Index k = 0; k < 3; k++) {
            omega[k][i] = new_rate[k];
        }
    }
}

void peer_orientation_eigen_euler(float *const q[4], float *const omega[3], float *const target[4], size_t count,
                                  float angular_frequency, float damping_ratio, float dt_s)
{
    const float stiffness = angular_frequency * angular_frequency, damping = 2 * damping_ratio * angular_frequency;
    for (size_t i = 0; i < count; i++) {
        const Eigen::Quaternionf to(target[3][i], target[0][i], target[1][i], target[2][i]);
        Eigen::Quaternionf turned(q[3][i], q[0][i], q[1][i], q[2][i]);
        const Eigen::Quaternionf error = turned * to.conjugate();
        const Eigen::Vector3f y = (error.w() < 0 ? -2.0f : 2.0f) * error.vec();
        Eigen::Vector3f rate(omega[0][i], omega[1][i], omega[2][i]);
        rate -= dt_s * (stiffness * y + damping * rate);
        const Eigen::Vector3f half = 0.5f * dt_s * rate;
        turned.coeffs() += (Eigen::Quaternionf(0, half.x(), half.y(), half.z()) * turned).coeffs();
        turned.normalize();
        for (Eigen::Index k = 0; k < 4; k++) {
            q[k][i] = turned.coeffs()[k];
        }
        for (Eigen::Index k = 0; k < 3; k++) {
            omega[k][i] = rate[k];
        }
    }
}
