/* gyre_orientation_springs_step against the ceiling and against peers: the same formula in scalar floats with libm, and
   the small-angle formula with Eigen. */
#include "spring/orientations.h"

#include "harness/harness.h"
#include "spring/peers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace
{

const float dt = 1.0f / 60;
const gyre_spring undamped = {15, 0, 0}; /* moves for ever, however long it is timed */

struct Orientations {
    std::array<bench::Array, 11> arrays;
    float *q[4], *omega[3], *target[4];

    explicit Orientations(size_t count)
        : arrays{bench::Array(count), bench::Array(count), bench::Array(count), bench::Array(count),
                 bench::Array(count), bench::Array(count), bench::Array(count), bench::Array(count),
                 bench::Array(count), bench::Array(count), bench::Array(count)}
    {
        for (size_t k = 0; k < 11; k++) {
            (k < 4 ? q[k] : k < 7 ? omega[k - 4] : target[k - 7]) = arrays[k].data();
        }
        std::mt19937 random(1);
        std::normal_distribution<float> normal;
        for (size_t i = 0; i < count; i++) { /* about 1 rad away, at up to some rad/s */
            float length = 0, other = 0;
            for (size_t k = 0; k < 4; k++) {
                target[k][i] = normal(random);
                length += target[k][i] * target[k][i];
            }
            for (size_t k = 0; k < 4; k++) {
                target[k][i] /= std::sqrt(length);
                q[k][i] = target[k][i] + 0.3f * normal(random);
                other += q[k][i] * q[k][i];
            }
            for (size_t k = 0; k < 4; k++) {
                q[k][i] /= std::sqrt(other);
            }
            for (float *component : omega) {
                component[i] = normal(random);
            }
        }
    }

    void copy_to(Orientations &other, size_t count)
    {
        for (size_t k = 0; k < 11; k++) {
            std::copy_n(arrays[k].data(), count, other.arrays[k].data());
        }
    }

    gyre_orientation_springs springs(size_t count) const
    {
        gyre_orientation_springs s = {};
        s.count = count;
        std::copy_n(q, 4, s.orientation);
        std::copy_n(omega, 3, s.angular_velocity);
        std::copy_n(target, 4, s.target);
        return s;
    }
};

using Peer = void (*)(float *const q[4], float *const omega[3], float *const target[4], size_t count,
                      const float matrix[4]);

/* The largest difference of a component from that of Gyre's step. */
double difference_from_gyre(Peer peer, size_t count, const gyre_spring_matrix &matrix, const float *coefficients)
{
    Orientations ours(count), theirs(count);
    const gyre_orientation_springs springs = ours.springs(count);
    gyre_orientation_springs_step(&springs, 0, count, &matrix, dt);
    peer(theirs.q, theirs.omega, theirs.target, count, coefficients);
    double largest = 0;
    for (size_t i = 0; i < count; i++) {
        float dot = 0;
        for (size_t k = 0; k < 4; k++) {
            dot += ours.q[k][i] * theirs.q[k][i];
        }
        for (size_t k = 0; k < 4; k++) {
            largest = bench::worse_of(
                largest, static_cast<double>(std::fabs(std::copysign(1.0f, dot) * ours.q[k][i] - theirs.q[k][i])));
        }
        for (size_t k = 0; k < 3; k++) {
            largest =
                bench::worse_of(largest, static_cast<double>(dt * std::fabs(ours.omega[k][i] - theirs.omega[k][i])));
        }
    }
    return largest;
}

} // namespace

void add_orientations(size_t count)
{
    const std::string group = "orientation";
    gyre_spring_matrix matrix;
    gyre_spring_matrix_at(undamped, dt, &matrix);
    const std::array<float, 4> m = {matrix.pos_pos, matrix.pos_vel, matrix.vel_pos, matrix.vel_vel};
    auto state = std::make_shared<Orientations>(count);
    const ceiling_streams arrays = bench::streams(
        {state->q[0], state->q[1], state->q[2], state->q[3], state->omega[0], state->omega[1], state->omega[2]},
        {state->target[0], state->target[1], state->target[2], state->target[3]}, {});
    const double bytes = bench::bytes_of(arrays);
    const gyre_orientation_springs springs = state->springs(count);
    for (const gyre_kernels *kernels : bench::runnable_tables()) {
        bench::add(group, bench::name_of(kernels), count, bytes,
                   [=, kept = state] { kernels->orientation_springs_step(&springs, 0, count, &matrix, dt); });
    }
    auto add_peer = [&](const char *name, Peer peer, double allowed) {
        const double error = difference_from_gyre(peer, std::min(count, size_t(4096)), matrix, m.data());
        bench::add_if(error <= allowed, bench::got_and_wanted(error, allowed, "in a component"), group, name, count,
                      bytes, [=] { peer(state->q, state->omega, state->target, count, m.data()); });
    };
    add_peer("libm", peer_orientation_libm, 1e-5);
#ifdef HAVE_EIGEN
    const double small_angle = 0.2; /* rad: both peers have this limit */
    add_peer("eigen-small-angle", peer_orientation_eigen, small_angle);
    const auto euler = [](float *const q[4], float *const omega[3], float *const target[4], size_t n, const float *) {
        peer_orientation_eigen_euler(q, omega, target, n, undamped.angular_frequency, undamped.damping_ratio, dt);
    };
    add_peer("eigen-euler", euler, small_angle);
#endif
    bench::add_ceiling(group, count, arrays);
}
