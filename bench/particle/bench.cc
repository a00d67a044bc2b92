/* gyre_particles_step, gyre_particles_step_each and gyre_flings_step against the ceiling (the same loads and stores
   without arithmetic) and against loops left to compilers and Eigen. */
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

    gyre_particles particles(size_t count)
    {
        gyre_particles particles = {};
        particles.count = count;
        particles.position = position.data();
        particles.velocity = velocity.data();
        return particles;
    }
};

/* The largest error of a step from the start, relative to the sum of its terms. */
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
        gyre_particles particles = state->particles(count);
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

/* With low parts, next to the same particles without them. */
void add_low_parts(size_t count)
{
    const std::string group = "low";
    auto state = std::make_shared<State>(count), low = std::make_shared<State>(count);
    auto without = std::make_shared<State>(count);
    std::fill_n(low->position.data(), count, 0.0f);
    std::fill_n(low->velocity.data(), count, 0.0f);
    gyre_particle_matrix matrix;
    gyre_particle_matrix_at(shared_damping, dt, &matrix);
    gyre_particles particles = without->particles(count);
    particles.acceleration = without->acceleration.data();
    bench::add(group, "without", count, bench::bytes_of(2, 1, 0),
               [=, kept = without] { gyre_particles_step(&particles, 0, count, &matrix); });
    gyre_particles precise = state->particles(count);
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

/* Bounds that no particle reaches, next to the same particles without them. */
void add_bounds(size_t count)
{
    auto state = std::make_shared<State>(count), bounds = std::make_shared<State>(count);
    std::fill_n(bounds->position.data(), count, -1e30f);
    std::fill_n(bounds->velocity.data(), count, 1e30f);
    gyre_particle_matrix matrix;
    gyre_particle_matrix_at(shared_damping, dt, &matrix);
    gyre_particles particles = state->particles(count);
    const gyre_particles without = particles;
    bench::add("bounded", "without", count, bench::bytes_of(2, 0, 0),
               [=, kept = state] { gyre_particles_step(&without, 0, count, &matrix); });
    particles.lower = bounds->position.data();
    particles.upper = bounds->velocity.data();
    const ceiling_streams arrays =
        bench::streams({particles.position, particles.velocity}, {particles.lower, particles.upper}, {});
    for (const gyre_kernels *kernels : bench::runnable_tables()) {
        bench::add("bounded", bench::name_of(kernels), count, bench::bytes_of(arrays),
                   [=, kept = state, too = bounds] { kernels->particles_step(&particles, 0, count, &matrix); });
    }
    bench::add_ceiling("bounded", count, arrays);
}

/* Balls that all bounce on the floor once in a step, from the same height each time; without and with damping. */
void add_bouncing(size_t count)
{
    auto start = std::make_shared<State>(count), state = std::make_shared<State>(count);
    auto floor = std::make_shared<bench::Array>(count);
    std::fill_n(floor->data(), count, 0.0f);
    for (size_t i = 0; i < count; i++) {
        start->position.data()[i] = 0.005f + 0.02f * static_cast<float>(i * 37 % 101) / 101;
        start->velocity.data()[i] = -3 - static_cast<float>(i % 13) / 13;
    }
    gyre_particles particles = state->particles(count);
    particles.uniform_acceleration = -9.81f;
    particles.lower = floor->data();
    particles.bounce = 0.8f;
    for (float damping : {0.0f, shared_damping}) {
        gyre_particle_matrix matrix;
        gyre_particle_matrix_at(damping, dt, &matrix);
        for (const gyre_kernels *kernels : bench::runnable_tables()) {
            bench::add(damping > 0 ? "bouncing-damped" : "bouncing", bench::name_of(kernels), count,
                       bench::bytes_of(2, 1, 0), [=, kept = state, too = floor] {
                           std::copy_n(start->position.data(), count, particles.position);
                           std::copy_n(start->velocity.data(), count, particles.velocity);
                           kernels->particles_step(&particles, 0, count, &matrix);
                       });
        }
    }
}

/* Lists of 5,000 px, at speeds of up to `speed` px/s. Without damping in the content and in the springs at its ends
   they never come to rest: at 300 px/s one in a thousand meets an edge in a frame, at 3,000 px/s one in a hundred. */
struct Lists {
    bench::Array position, velocity, lower, upper;
    std::vector<uint8_t> awake;

    Lists(size_t count, float speed) : position(count), velocity(count), lower(count), upper(count), awake(count)
    {
        for (size_t i = 0; i < count; i++) {
            position.data()[i] = static_cast<float>(i * 79 % 5000);
            velocity.data()[i] = speed * (static_cast<float>(i * 37 % 6001) / 3000 - 1);
            upper.data()[i] = 5000;
        }
    }

    gyre_flings flings(size_t count)
    {
        gyre_flings flings = {};
        flings.count = count;
        flings.position = position.data();
        flings.velocity = velocity.data();
        flings.lower = lower.data();
        flings.upper = upper.data();
        flings.spring = {14, 0, 0};
        return flings;
    }
};

void add_flings(const std::string &group, size_t count, float speed)
{
    auto lists = std::make_shared<Lists>(count, speed), of_peers = std::make_shared<Lists>(count, speed);
    const gyre_flings flings = lists->flings(count), others = of_peers->flings(count);
    const ceiling_streams arrays = bench::streams({flings.position, flings.velocity}, {flings.lower, flings.upper}, {});
    const double bytes = bench::bytes_of(arrays);
    for (const gyre_kernels *kernels : bench::runnable_tables()) {
        bench::add(group, bench::name_of(kernels), count, bytes,
                   [=, kept = lists] { kernels->flings_step(&flings, 0, count, dt); });
    }
    gyre_particle_matrix damping;
    gyre_spring_matrix spring;
    gyre_particle_matrix_at(0, dt, &damping);
    gyre_spring_matrix_at(flings.spring, dt, &spring);
    for (const loops *loop : compiled_loops()) {
        if (loop->flings != nullptr) {
            bench::add(group, loop->name, count, bytes, [=, kept = of_peers] {
                loop->flings(others.position, others.velocity, others.lower, others.upper, count, &damping.pos_vel,
                             &spring.pos_pos);
            });
        }
    }
    bench::add_ceiling(group, count, arrays);
}

/* All are asleep. */
void add_sleeping_flings(size_t count)
{
    auto lists = std::make_shared<Lists>(count, 0.0f);
    gyre_flings flings = lists->flings(count);
    flings.awake = lists->awake.data();
    flings.skip_asleep = true;
    for (const gyre_kernels *kernels : bench::runnable_tables()) {
        bench::add("flings-asleep", bench::name_of(kernels), count, 1,
                   [=, kept = lists] { kernels->flings_step(&flings, 0, count, dt); });
    }
}

} // namespace

int main(int argc, char **argv)
{
    bench::take_effort(&argc, argv);
    for (size_t count : bench::counts({64, 1 << 10, 1 << 16, 1 << 24}, 20 * sizeof(float))) {
        add_count(count);
        add_low_parts(count);
        add_bounds(count);
        add_flings("flings", count, 300);
        add_flings("flings-fast", count, 3000);
        add_sleeping_flings(count);
    }
    for (size_t count : bench::cached_counts()) {
        add_bouncing(count);
    }
    std::vector<std::string> rivals = {"ceiling", "without"};
    for (const loops *loop : compiled_loops()) {
        rivals.push_back(loop->name);
    }
    return bench::run(argc, argv, rivals);
}
