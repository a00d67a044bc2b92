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

Eigen::Quaternionf quaternion_at(const float *const q[4], size_t i) { return {q[3][i], q[0][i], q[1][i], q[2][i]}; }

void put(float *const *out, size_t i, const Eigen::Quaternionf &q)
{
    out[0][i] = q.x();
    out[1][i] = q.y();
    out[2][i] = q.z();
    out[3][i] = q.w();
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
        put(out, i, Eigen::Quaternionf(angle_axis(vx[i], vy[i], vz[i])));
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

void eigen_each_vector(const float *const a[4], const float *const *, float *const *out, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const Eigen::AngleAxisf turn(quaternion_at(a, i));
        const Eigen::Vector3f v = turn.angle() * turn.axis();
        out[0][i] = v.x();
        out[1][i] = v.y();
        out[2][i] = v.z();
    }
}

void eigen_each_product(const float *const a[4], const float *const b[4], float *const *out, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        put(out, i, quaternion_at(a, i) * quaternion_at(b, i));
    }
}

void eigen_each_between(const float *const a[4], const float *const b[4], float *const *out, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        put(out, i, quaternion_at(a, i).slerp(between_part, quaternion_at(b, i)));
    }
}

void eigen_arrays_vector(const float *const a[4], const float *const *, float *const *out, size_t count)
{
    const Eigen::Index n = length(count);
    const In x(a[0], n), y(a[1], n), z(a[2], n), w(a[3], n);
    const ArrayXf scale = 2 * w.sign() * w.abs().acos() / (x * x + y * y + z * z).sqrt();
    Out(out[0], n) = x * scale;
    Out(out[1], n) = y * scale;
    Out(out[2], n) = z * scale;
}

void eigen_arrays_product(const float *const a[4], const float *const b[4], float *const *out, size_t count)
{
    const Eigen::Index n = length(count);
    const In ax(a[0], n), ay(a[1], n), az(a[2], n), aw(a[3], n);
    const In bx(b[0], n), by(b[1], n), bz(b[2], n), bw(b[3], n);
    Out(out[0], n) = aw * bx + bw * ax + ay * bz - az * by;
    Out(out[1], n) = aw * by + bw * ay + az * bx - ax * bz;
    Out(out[2], n) = aw * bz + bw * az + ax * by - ay * bx;
    Out(out[3], n) = aw * bw - ax * bx - ay * by - az * bz;
}

void eigen_arrays_between(const float *const a[4], const float *const b[4], float *const *out, size_t count)
{
    const Eigen::Index n = length(count);
    ArrayXf dot = ArrayXf::Zero(n);
    for (size_t k = 0; k < 4; k++) {
        dot += In(a[k], n) * In(b[k], n);
    }
    const ArrayXf angle = dot.abs().min(1.0f).acos(), sine = angle.sin();
    const ArrayXf of_a = ((1 - between_part) * angle).sin() / sine;
    const ArrayXf of_b = dot.sign() * (between_part * angle).sin() / sine;
    for (size_t k = 0; k < 4; k++) {
        Out(out[k], n) = of_a * In(a[k], n) + of_b * In(b[k], n);
    }
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
