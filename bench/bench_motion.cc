/* gyre_particles_step and gyre_particles_step_each against the ceiling: the same loads and stores without arithmetic.
 */
#include "harness.h"

namespace
{

struct State {
    bench::Array position, velocity, acceleration, drag;

    explicit State(size_t count) : position(count), velocity(count), acceleration(count), drag(count)
    {
        for (size_t i = 0; i < count; i++) {
            velocity.data()[i] = static_cast<float>(i % 7) - 3;
            acceleration.data()[i] = -9.81f;
            drag.data()[i] = 0.1f + 0.9f * static_cast<float>(i % 11) / 11;
        }
    }
};

void add_count(size_t count)
{
    const float dt = 1.0f / 60;
    auto state = std::make_shared<State>(count);
    gyre_motion_matrix matrix;
    gyre_motion_matrix_at(0.5f, dt, &matrix);
    for (bool uniform : {true, false}) {
        const std::string group = uniform ? "uniform" : "per-particle";
        const size_t bytes = uniform ? 16 : 20;
        gyre_particles particles = {};
        particles.count = count;
        particles.position = state->position.data();
        particles.velocity = state->velocity.data();
        particles.acceleration = uniform ? nullptr : state->acceleration.data();
        particles.uniform_acceleration = -9.81f;
        for (const gyre_kernels *kernels : bench::runnable_tables()) {
            bench::add(group, bench::name_of(kernels), count, bytes,
                       [=] { kernels->particles_step(&particles, 0, count, &matrix); });
            bench::add(group + "-each", bench::name_of(kernels), count, bytes + 4,
                       [=] { kernels->particles_step_each(&particles, 0, count, state->drag.data(), dt); });
        }
        for (const char *ceiling : {"ceiling", "ceiling2"}) { /* A against A: the noise of this run */
            bench::add(group, ceiling, count, bytes, [=] {
                bench::widest_ceilings().springs(particles.position, particles.velocity, particles.acceleration, count);
            });
        }
    }
}

} // namespace

int main(int argc, char **argv)
{
    for (size_t count : {size_t{1} << 10, size_t{1} << 16, size_t{1} << 24}) {
        add_count(count);
    }
    bench::run(argc, argv, {"ceiling", "ceiling2"});
}
