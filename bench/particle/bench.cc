/* gyre_particles_step and gyre_particles_step_each against the ceiling (the same loads and stores without arithmetic)
   and against loops left to compilers and Eigen. */
#include "harness/harness.h"
#include "harness/compiled_loops.h"

#include <algorithm>
#include <cmath>

namespace
{

const float dt = 1.0f / 60;
const float shared_damping = 0.7f; /* 1/s */

struct State {
    bench::Array position, velocity, acceleration, damping;

    explicit State(size_t count) : position(count), velocity(count), acceleration(count), damping(count)
    {
        begin(count);
    }

    void begin(size_t count)
    {
        for (size_t i = 0; i < count; i++) {
            position.data()[i] = 0;
            velocity.data()[i] = static_cast<float>(i % 7) - 3;
            acceleration.data()[i] = -9.81f;
            damping.data()[i] = 0.1f + 2.2f * static_cast<float>(i % 11) / 11;
        }
    }
};

/* The largest error of a step from the beginning, relative to the sum of its terms. */
double error_of(State &state, size_t count, bool each, const std::function<void()> &step)
{
    State start(count);
    state.begin(count);
    step();
    double largest = 0;
    for (size_t i = 0; i < count; i++) {
        const double v = static_cast<double>(start.velocity.data()[i]),
                     a = static_cast<double>(start.acceleration.data()[i]);
        const double t = static_cast<double>(dt),
                     damping = static_cast<double>(each ? start.damping.data()[i] : shared_damping);
        const double p = -damping * t, f1 = std::expm1(p) / p, f2 = (f1 - 1) / p;
        const double x = t * (f1 * v + t * f2 * a), new_v = std::exp(p) * v + t * f1 * a;
        const double terms = std::fabs(v) + std::fabs(a);
        const double error_x = std::fabs(static_cast<double>(state.position.data()[i]) - x) / t;
        const double error_v = std::fabs(static_cast<double>(state.velocity.data()[i]) - new_v);
        largest = bench::worse_of(bench::worse_of(largest, error_x / terms), error_v / terms);
    }
    return largest;
}

const double allowed_error = 1e-6;

void add_count(size_t count)
{
    auto state = std::make_shared<State>(count);
    gyre_particle_matrix matrix;
    gyre_particle_matrix_at(shared_damping, dt, &matrix);
    for (bool uniform : {true, false}) {
        const std::string group = uniform ? "uniform" : "per-particle";
        gyre_particles particles = {};
        particles.count = count;
        particles.position = state->position.data();
        particles.velocity = state->velocity.data();
        particles.acceleration = uniform ? nullptr : state->acceleration.data();
        particles.uniform_acceleration = -9.81f;
        const ceiling_streams arrays =
            bench::streams({particles.position, particles.velocity}, {particles.acceleration}, {});
        const double bytes = bench::bytes_of(arrays), damping_bytes = bench::bytes_of(0, 1, 0);
        for (const gyre_kernels *kernels : bench::runnable_tables()) {
            bench::add(group, bench::name_of(kernels), count, bytes,
                       [=] { kernels->particles_step(&particles, 0, count, &matrix); });
            bench::add(group + "-each", bench::name_of(kernels), count, bytes + damping_bytes,
                       [=] { kernels->particles_step_each(&particles, 0, count, state->damping.data(), nullptr, dt); });
        }
        bench::add_ceiling(group, count, arrays);
    }
    float *position = state->position.data(), *velocity = state->velocity.data(), *damping = state->damping.data();
    float *acceleration = state->acceleration.data();
    auto add_peer = [&](const std::string &group, const std::string &name, bool each, std::function<void()> step) {
        const double error = error_of(*state, count, each, step);
        bench::add_if(error <= allowed_error, bench::got_and_wanted(error, allowed_error, "of the sum of terms"), group,
                      name, count, bench::bytes_of(2, each ? 2 : 1, 0), step);
    };
    for (const loops *loop : compiled_loops()) {
        add_peer("per-particle", loop->name, false,
                 [=] { loop->particles(position, velocity, acceleration, count, &matrix.pos_vel); });
        add_peer("per-particle-each", loop->name, true,
                 [=] { loop->particles_each(position, velocity, acceleration, damping, count, dt); });
    }
}

/* With low parts, beside the same particles without them. */
void add_low_parts(size_t count)
{
    const std::string group = "low";
    auto state = std::make_shared<State>(count), low = std::make_shared<State>(count);
    auto without = std::make_shared<State>(count);
    std::fill_n(low->position.data(), count, 0.0f);
    std::fill_n(low->velocity.data(), count, 0.0f);
    gyre_particle_matrix matrix;
    gyre_particle_matrix_at(shared_damping, dt, &matrix);
    gyre_particles particles = {};
    particles.count = count;
    particles.position = without->position.data();
    particles.velocity = without->velocity.data();
    particles.acceleration = without->acceleration.data();
    bench::add(group, "without", count, bench::bytes_of(2, 1, 0),
               [=, kept = without] { gyre_particles_step(&particles, 0, count, &matrix); });
    gyre_particles precise = particles;
    precise.position = state->position.data();
    precise.velocity = state->velocity.data();
    precise.acceleration = state->acceleration.data();
    precise.position_low = low->position.data();
    precise.velocity_low = low->velocity.data();
    const ceiling_streams arrays = bench::streams(
        {precise.position, precise.velocity, precise.position_low, precise.velocity_low}, {precise.acceleration}, {});
    const double bytes = bench::bytes_of(arrays);
    for (const gyre_kernels *kernels : bench::runnable_tables()) {
        bench::add(group, bench::name_of(kernels), count, bytes,
                   [=, kept = state, too = low] { kernels->particles_step(&precise, 0, count, &matrix); });
    }
    const double m[4] = {static_cast<double>(matrix.pos_vel) + static_cast<double>(matrix.low[0]),
                         static_cast<double>(matrix.vel_vel) + static_cast<double>(matrix.low[1]),
                         static_cast<double>(matrix.pos_acc) + static_cast<double>(matrix.low[2]),
                         static_cast<double>(matrix.vel_acc) + static_cast<double>(matrix.low[3])};
    for (const loops *loop : compiled_loops()) {
        if (loop->particles_low == nullptr) {
            continue;
        }
        auto step = [=] {
            loop->particles_low(precise.position, precise.velocity, precise.position_low, precise.velocity_low,
                                precise.acceleration, count, m);
        };
        const double error = error_of(*state, count, false, step);
        bench::add_if(error <= allowed_error, bench::got_and_wanted(error, allowed_error, "of the sum of terms"), group,
                      loop->name, count, bytes, step);
    }
    bench::add_ceiling(group, count, arrays);
}

} // namespace

int main(int argc, char **argv)
{
    bench::take_effort(&argc, argv);
    for (size_t count : bench::counts({64, 1 << 10, 1 << 16, 1 << 24}, 20 * sizeof(float))) {
        add_count(count);
        add_low_parts(count);
    }
    std::vector<std::string> rivals = {"ceiling", "without"};
    for (const loops *loop : compiled_loops()) {
        rivals.push_back(loop->name);
    }
    return bench::run(argc, argv, rivals);
}
