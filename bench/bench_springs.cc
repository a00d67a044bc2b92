/* gyre_springs_step against the ceiling, the textbook's closed form called per spring, and a plain loop. */
#include "harness.h"
#include "peers/springs.h"

namespace {

const float dt = 1.0f / 60;
const gyre_spring lively = {15, 0};      /* never decays: everything moves, however long it is timed */
const gyre_spring settling = {15, 0.5f}; /* at rest within seconds */

struct State {
    bench::Array position, velocity, target;

    State(size_t count, bool settled) : position(count), velocity(count), target(count)
    {
        for (size_t i = 0; i < count; i++) {
            target.data()[i] = static_cast<float>(i % 97);
            position.data()[i] = static_cast<float>(i % 13);
            velocity.data()[i] = static_cast<float>(i % 7) - 3;
        }
        /* What a thousand seconds leave when nothing flushes: the smallest subnormal numbers, for ever. */
        for (size_t i = 0; settled && i < count; i++) {
            position.data()[i] = 1e-42f;
            velocity.data()[i] = 1e-42f;
        }
    }
};

void add_count(const std::string &group, size_t count, bool with_target, bool settled)
{
    auto state = std::make_shared<State>(count, settled);
    const size_t bytes = (with_target ? 5 : 4) * sizeof(float);
    const gyre_spring spring = settled ? settling : lively;
    gyre_spring_matrix matrix;
    gyre_spring_matrix_at(spring, dt, &matrix);
    const float *target = with_target ? state->target.data() : nullptr;

    for (const gyre_kernels *kernels : bench::runnable_tables()) {
        bench::add(group, bench::name_of(kernels), count, bytes, [=] {
            gyre_springs springs = {};
            springs.count = count;
            springs.position = state->position.data();
            springs.velocity = state->velocity.data();
            springs.target = target;
            kernels->springs_step(&springs, 0, count, &matrix);
        });
    }
    /* Peers get a state of their own: what flushes would settle the state of what does not. */
    auto theirs = std::make_shared<State>(count, settled);
    const float *their_target = with_target ? theirs->target.data() : nullptr;
    bench::add(group, "plain", count, bytes, [=] {
        peer_plain_loop(theirs->position.data(), theirs->velocity.data(), their_target, count, &matrix.pos_pos);
    });
    if (!settled) {
        for (const char *ceiling : {"ceiling", "ceiling2"}) { /* A against A: the noise of this run */
            bench::add(group, ceiling, count, bytes, [=] {
                bench::widest_ceilings().springs(theirs->position.data(), theirs->velocity.data(), their_target, count);
            });
        }
        bench::add(group, "per-spring", count, bytes, [=] {
            peer_closed_form(theirs->position.data(), theirs->velocity.data(), their_target, count,
                             spring.angular_frequency, spring.damping_ratio, dt);
        });
    }
}

} // namespace

int main(int argc, char **argv)
{
    for (size_t count : {size_t{1} << 10, size_t{1} << 16, size_t{1} << 24}) {
        add_count("moving", count, false, false);
        add_count("moving-target", count, true, false);
        add_count("settled", count, false, true);
    }
    return bench::run(argc, argv, {"ceiling", "ceiling2", "plain", "per-spring"});
}
