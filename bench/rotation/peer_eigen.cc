#include "rotation/peers.h"

#include <Eigen/Geometry>

namespace
{

using Eigen::ArrayXf;
using In = Eigen::Map<const ArrayXf>;
using Out = Eigen::Map<ArrayXf>;

Eigen::Index length(size_t count) { return static_cast<Eigen::Index>(count); }

Eigen::AngleAxisf angle_axis(float x, float y, float z)
{
    const Eigen::Vector3f v(x, y, z);
    const float angle = v.norm();
    return {angle, v / angle};
}

/* 1 + a [v]x + b [v]x^2 */
void write_matrix(const In &x, const In &y, const In &z, const ArrayXf &a, const ArrayXf &b, float *const *out)
{
    const Eigen::Index n = x.size();
    Out(out[0], n) = 1 - b * (y * y + z * z);
    Out(out[1], n) = b * x * y - a * z;
    Out(out[2], n) = b * x * z + a * y;
    Out(out[3], n) = b * x * y + a * z;
    Out(out[4], n) = 1 - b * (x * x + z * z);
    Out(out[5], n) = b * y * z - a * x;
    Out(out[6], n) = b * x * z - a * y;
    Out(out[7], n) = b * y * z + a * x;
    Out(out[8], n) = 1 - b * (x * x + y * y);
}

} // namespace

void eigen_each_matrix(const float *vx, const float *vy, const float *vz, float *const *out, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const Eigen::Matrix3f r = angle_axis(vx[i], vy[i], vz[i]).toRotationMatrix();
        for (size_t k = 0; k < 9; k++) {
            out[k][i] = r(static_cast<Eigen::Index>(k / 3), static_cast<Eigen::Index>(k % 3));
        }
    }
}

void eigen_each_quaternion(const float *vx, const float *vy, const float *vz, float *const *out, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const Eigen::Quaternionf q(angle_axis(vx[i], vy[i], vz[i]));
        out[0][i] = q.x();
        out[1][i] = q.y();
        out[2][i] = q.z();
        out[3][i] = q.w();
    }
}

void eigen_arrays_matrix(const float *vx, const float *vy, const float *vz, float *const *out, size_t count)
{
    const In x(vx, length(count)), y(vy, length(count)), z(vz, length(count));
    const ArrayXf angle = (x * x + y * y + z * z).sqrt(), half = (0.5f * angle).sin() / angle;
    write_matrix(x, y, z, angle.sin() / angle, 2 * half * half, out);
}

void eigen_arrays_left_jacobian(const float *vx, const float *vy, const float *vz, float *const *out, size_t count)
{
    const In x(vx, length(count)), y(vy, length(count)), z(vz, length(count));
    const ArrayXf square = x * x + y * y + z * z, angle = square.sqrt(), half = (0.5f * angle).sin() / angle;
    write_matrix(x, y, z, 2 * half * half, (1 - angle.sin() / angle) / square, out);
}

void eigen_arrays_quaternion(const float *vx, const float *vy, const float *vz, float *const *out, size_t count)
{
    const Eigen::Index n = length(count);
    const In x(vx, n), y(vy, n), z(vz, n);
    const ArrayXf angle = (x * x + y * y + z * z).sqrt(), scale = (0.5f * angle).sin() / angle;
    Out(out[0], n) = x * scale;
    Out(out[1], n) = y * scale;
    Out(out[2], n) = z * scale;
    Out(out[3], n) = (0.5f * angle).cos();
}

void eigen_transforms(const float *const orientation[4], const float *x, const float *y, const float *z, float *rows3x4,
                      size_t count)
{
    for (size_t i = 0; i < count; i++) {
        Eigen::Map<Eigen::Matrix<float, 3, 4, Eigen::RowMajor>> rows(rows3x4 + 12 * i);
        const Eigen::Quaternionf q(orientation[3][i], orientation[0][i], orientation[1][i], orientation[2][i]);
        rows.leftCols<3>() = q.toRotationMatrix();
        rows.col(3) = Eigen::Vector3f(x[i], y[i], z[i]);
    }
}
