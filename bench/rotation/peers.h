/* Alternatives to gyre_rotation_matrix and the other maps, written with Eigen. */
#ifndef GYRE_BENCH_PEERS_ROTATION_H
#define GYRE_BENCH_PEERS_ROTATION_H

#include <cstddef>

/* Like gyre_rotation_matrix and the others: rotation vectors in, arrays of entries out. */
using RotationPeer = void (*)(const float *vx, const float *vy, const float *vz, float *const *out, size_t count);

/* One Eigen::AngleAxisf at a time. */
void eigen_each_matrix(const float *vx, const float *vy, const float *vz, float *const *out, size_t count);
void eigen_each_quaternion(const float *vx, const float *vy, const float *vz, float *const *out, size_t count);

/* Rodrigues' formula over Eigen::ArrayXf, whose sine and cosine use this CPU's vectors. */
void eigen_arrays_matrix(const float *vx, const float *vy, const float *vz, float *const *out, size_t count);
void eigen_arrays_left_jacobian(const float *vx, const float *vy, const float *vz, float *const *out, size_t count);
void eigen_arrays_quaternion(const float *vx, const float *vy, const float *vz, float *const *out, size_t count);

/* Quaternions (x y z w) in; the second array of arrays is NULL for maps with one input. */
using QuaternionPeer = void (*)(const float *const a[4], const float *const b[4], float *const *out, size_t count);

constexpr float between_part = 0.3f;

/* Eigen's AngleAxisf of a quaternion, product, and slerp, one at a time. */
void eigen_each_vector(const float *const a[4], const float *const b[4], float *const *out, size_t count);
void eigen_each_product(const float *const a[4], const float *const b[4], float *const *out, size_t count);
void eigen_each_between(const float *const a[4], const float *const b[4], float *const *out, size_t count);

/* The same formulas over Eigen::ArrayXf. */
void eigen_arrays_vector(const float *const a[4], const float *const b[4], float *const *out, size_t count);
void eigen_arrays_product(const float *const a[4], const float *const b[4], float *const *out, size_t count);
void eigen_arrays_between(const float *const a[4], const float *const b[4], float *const *out, size_t count);

/* Orientations (x y z w) and positions to row-major 3x4 matrices, one Eigen::Quaternionf at a time. */
void eigen_transforms(const float *const orientation[4], const float *x, const float *y, const float *z, float *rows3x4,
                      size_t count);

#endif
