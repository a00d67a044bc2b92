/* gyre_springs_step, gyre_springs_step_each and gyre_springs_step_palette against the ceiling (the same loads and
   stores without arithmetic) and against peers: the textbook's closed form for each spring, plain loops, Eigen, SLEEF.
 */
#include "harness/harness.h"
#include "spring/orientations.h"
#include "spring/peers.h"
#include "harness/compiled_loops.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <tuple>
#include <utility>

namespace
{

const float dt = 1.0f / 60;
const gyre_spring undamped = {15, 0, 0};    /* moves for ever, however long it is timed */
const gyre_spring settling = {15, 0.5f, 0}; /* at rest within seconds */

struct State {
    bench::Array position, velocity, target;

    explicit State(size_t count, size_t bytes_behind_line = 0)
        : position(count, bytes_behind_line), velocity(count, bytes_behind_line), target(count, bytes_behind_line)
    {
        for (size_t i = 0; i < count; i++) {
            target.data()[i] = static_cast<float>(i % 97);
            position.data()[i] = static_cast<float>(i % 13);
            velocity.data()[i] = static_cast<float>(i % 7) - 3;
        }
    }

    /* Without targets. Made once, outside the timed code: making one takes as long as a step of sixty springs. */
    gyre_springs springs(size_t count)
    {
        gyre_springs springs = {};
        springs.count = count;
        springs.position = position.data();
        springs.velocity = velocity.data();
        return springs;
    }
};

/* The state after a thousand seconds without flushing: the smallest subnormal numbers, which do not change. */
void settle(State &state, size_t count)
{
    std::fill_n(state.position.data(), count, 1e-42f);
    std::fill_n(state.velocity.data(), count, 1e-42f);
}

struct Parameters {
    bench::Array frequency, ratio;

    explicit Parameters(size_t count) : frequency(count), ratio(count) {}
};

/* The exact step of one spring: the textbook's three cases in doubles. */
std::pair<double, double> exact_step(double w, double z, double x, double v)
{
    const double t = static_cast<double>(dt), a = z * w * t;
    if (z < 1) {
        const double damped_w = w * std::sqrt((1 - z) * (1 + z)), e = std::exp(-a), c = e * std::cos(damped_w * t),
                     s = e * std::sin(damped_w * t) / damped_w;
        return {(c + z * w * s) * x + s * v, (c - z * w * s) * v - w * w * s * x};
    }
    if (z == 1) {
        const double e = std::exp(-a);
        return {e * ((1 + a) * x + t * v), e * ((1 - a) * v - w * w * t * x)};
    }
    const double root = std::sqrt((z - 1) * (z + 1)), slow = std::exp(-w * t / (z + root)),
                 fast = std::exp(-w * t * (z + root)), c = (slow + fast) / 2, s = (slow - fast) / (2 * w * root);
    return {(c + z * w * s) * x + s * v, (c - z * w * s) * v - w * w * s * x};
}

/* The largest error of a step, relative to the amplitude for positions and to w times the amplitude for velocities.
   `shared`: one frequency and one ratio for all springs, otherwise one of each per spring. */
double error_of(State &state, size_t count, bool with_target, const float *frequency, const float *ratio, bool shared,
                const std::function<void()> &step)
{
    State before(count);
    std::copy_n(state.position.data(), count, before.position.data());
    std::copy_n(state.velocity.data(), count, before.velocity.data());
    step();
    double largest = 0;
    for (size_t i = 0; i < count; i++) {
        const double w = static_cast<double>(frequency[shared ? 0 : i]), z = static_cast<double>(ratio[shared ? 0 : i]);
        const double target = with_target ? static_cast<double>(state.target.data()[i]) : 0;
        const double x = static_cast<double>(before.position.data()[i]) - target;
        const double v = static_cast<double>(before.velocity.data()[i]);
        const auto [exact_x, exact_v] = exact_step(w, z, x, v);
        const double size = std::fabs(x) + std::fabs(v) / w + std::fabs(target);
        const double error_x = std::fabs(static_cast<double>(state.position.data()[i]) - target - exact_x);
        const double error_v = std::fabs(static_cast<double>(state.velocity.data()[i]) - exact_v) / w;
        for (double error : {error_x, error_v}) {
            largest = bench::worse_of(largest, error == 0 ? 0 : error / size); /* size may be 0 */
        }
    }
    return largest;
}

const double allowed_error = 1e-5;

void add_count(const std::string &group, size_t count, bool with_target, bool settled, size_t bytes_behind_line = 0)
{
    auto state = std::make_shared<State>(count, bytes_behind_line);
    const gyre_spring spring = settled ? settling : undamped;
    gyre_spring_matrix matrix;
    gyre_spring_matrix_at(spring, dt, &matrix);
    const float *target = with_target ? state->target.data() : nullptr;
    const ceiling_streams arrays = bench::streams({state->position.data(), state->velocity.data()}, {target}, {});
    const double bytes = bench::bytes_of(arrays);
    /* Each candidate starts from the result of its own step: a candidate that flushes would leave zeros to the
       others. */
    auto prepare = [=](const std::function<void()> &step) -> std::function<void()> {
        if (!settled) {
            return {};
        }
        return [=] {
            settle(*state, count);
            step();
        };
    };

    gyre_springs springs = state->springs(count);
    springs.target = target;
    for (const gyre_kernels *kernels : bench::runnable_tables()) {
        auto step = [=, kept = state] { kernels->springs_step(&springs, 0, count, &matrix); };
        bench::add(group, bench::name_of(kernels), count, bytes, step, {}, prepare(step));
    }
    auto add_peer = [&](const std::string &name, std::function<void()> step) {
        /* the same loops are checked while springs move; settled ones would always pass */
        const double error = settled ? 0
                                     : error_of(*state, count, with_target, &spring.angular_frequency,
                                                &spring.damping_ratio, true, step);
        bench::add_if(error <= allowed_error, bench::got_and_wanted(error, allowed_error, "of the amplitude"), group,
                      name, count, bytes, step, {}, prepare(step));
    };
    for (const loops *loop : compiled_loops()) {
        add_peer(loop->name, [=] {
            loop->springs(state->position.data(), state->velocity.data(), target, count, &matrix.pos_pos);
        });
    }
    if (!settled) {
        bench::add_ceiling(group, count, arrays);
        add_peer("per-spring", [=] {
            peer_closed_form(state->position.data(), state->velocity.data(), target, count, spring.angular_frequency,
                             spring.damping_ratio, dt);
        });
    }
}

/* With low parts, next to the same springs without them. */
void add_low_parts(size_t count)
{
    const std::string group = "moving-low";
    auto state = std::make_shared<State>(count), low = std::make_shared<State>(count);
    std::fill_n(low->position.data(), count, 0.0f);
    std::fill_n(low->velocity.data(), count, 0.0f);
    auto without = std::make_shared<State>(count);
    gyre_spring_matrix matrix;
    gyre_spring_matrix_at(undamped, dt, &matrix);
    const ceiling_streams arrays = bench::streams(
        {state->position.data(), state->velocity.data(), low->position.data(), low->velocity.data()}, {}, {});
    const double bytes = bench::bytes_of(arrays);
    auto springs_of = [=](State &of, State *low_parts) {
        gyre_springs springs = of.springs(count);
        springs.position_low = low_parts != nullptr ? low_parts->position.data() : nullptr;
        springs.velocity_low = low_parts != nullptr ? low_parts->velocity.data() : nullptr;
        return springs;
    };
    for (const gyre_kernels *kernels : bench::runnable_tables()) {
        bench::add(group, bench::name_of(kernels), count, bytes,
                   [=, springs = springs_of(*state, low.get()), kept = state, kept_low = low] {
                       kernels->springs_step(&springs, 0, count, &matrix);
                   });
    }
    bench::add(group, "without", count, bench::bytes_of(2, 0, 0),
               [=, springs = springs_of(*without, nullptr), kept = without] {
                   gyre_springs_step(&springs, 0, count, &matrix);
               });
    const double m[4] = {static_cast<double>(matrix.pos_pos) + static_cast<double>(matrix.low[0]),
                         static_cast<double>(matrix.pos_vel) + static_cast<double>(matrix.low[1]),
                         static_cast<double>(matrix.vel_pos) + static_cast<double>(matrix.low[2]),
                         static_cast<double>(matrix.vel_vel) + static_cast<double>(matrix.low[3])};
    for (const loops *loop : compiled_loops()) {
        if (loop->springs_low == nullptr) {
            continue;
        }
        auto step = [=] {
            loop->springs_low(state->position.data(), state->velocity.data(), low->position.data(),
                              low->velocity.data(), count, m);
        };
        const double error =
            error_of(*state, count, false, &undamped.angular_frequency, &undamped.damping_ratio, true, step);
        bench::add_if(error <= allowed_error, bench::got_and_wanted(error, allowed_error, "of the amplitude"), group,
                      loop->name, count, bytes, step);
    }
    bench::add_ceiling(group, count, arrays);
}

/* One matrix for all, and palettes of 64 with indices in runs of 64 or in no order. */
void add_palette(size_t count)
{
    auto palette = std::make_shared<std::vector<gyre_spring_matrix>>(64);
    for (size_t k = 0; k < palette->size(); k++) {
        gyre_spring_matrix_at({10.0f + static_cast<float>(k), 0, 0}, dt, &(*palette)[k]);
    }
    std::mt19937 random(1);
    auto sorted = std::make_shared<std::vector<uint16_t>>(count);
    auto unordered = std::make_shared<std::vector<uint16_t>>(count);
    for (size_t i = 0; i < count; i++) {
        (*sorted)[i] = static_cast<uint16_t>((i + 29) / 64 % 64); /* runs that begin anywhere in a vector */
        (*unordered)[i] = static_cast<uint16_t>(random() % 64);
    }
    /* A state for each order, so that a spring keeps its matrix, and therefore its amplitude. */
    using Indices = std::shared_ptr<std::vector<uint16_t>>;
    for (auto &[name, which] :
         {std::pair<const char *, Indices>{"shared", nullptr}, {"runs-of-64", sorted}, {"unordered", unordered}}) {
        auto state = std::make_shared<State>(count);
        const double bytes = bench::bytes_of(2, 0, 0) + (which ? sizeof(uint16_t) : 0);
        const gyre_springs springs = state->springs(count);
        for (const gyre_kernels *kernels : bench::runnable_tables()) {
            const std::string group = "palette-" + bench::name_of(kernels);
            bench::add(group, name, count, bytes, [=, indices = which, kept = state] {
                if (indices == nullptr) {
                    kernels->springs_step(&springs, 0, count, palette->data());
                } else {
                    kernels->springs_step_palette(&springs, 0, count, palette->data(), palette->size(),
                                                  indices->data());
                }
            });
        }
    }
}

/* The cost of sleep with skip_asleep: all awake, one in a hundred awake in runs of 64, and none awake, next to steps
   without skipping and to memchr, which only reads the flags. */
void add_sleep(size_t count)
{
    const std::string group = "sleep";
    auto state = std::make_shared<State>(count);
    auto flags_of = [=](size_t every) {
        auto flags = std::make_shared<std::vector<uint8_t>>(count);
        for (size_t i = 0; i < count; i++) {
            (*flags)[i] = every > 0 && (i + 29) / 64 % every == 0; /* runs that begin anywhere in a chunk */
        }
        return flags;
    };
    gyre_spring_matrix matrix;
    gyre_spring_matrix_at(undamped, dt, &matrix);
    auto add_steps = [=](const std::string &name, size_t every, bool skips) {
        auto flags = flags_of(every);
        gyre_springs springs = state->springs(count);
        springs.target = state->target.data();
        springs.awake = flags->data();
        springs.skip_asleep = skips;
        bench::add(group, name, count, bench::bytes_of(2, 1, 0),
                   [=, kept = state, too = flags] { gyre_springs_step(&springs, 0, count, &matrix); });
    };
    add_steps("without-skip", 1, false);
    add_steps("all-awake", 1, true);
    add_steps("one-in-100-awake", 100, true);
    add_steps("all-asleep", 0, true);
    auto flags = flags_of(0);
    bench::add(group, "flags-only", count, static_cast<double>(sizeof(uint8_t)), [=] {
        const void *found = std::memchr(flags->data(), 1, count);
        benchmark::DoNotOptimize(found);
    });
}

/* Springs at any time: while they move, and long after, where exp(-z w t) is subnormal as a float. */
void add_at()
{
    const size_t count = 4096;
    for (auto &[name, from, to] :
         {std::tuple<const char *, float, float>{"at-moving", 0.0f, 2.0f}, {"at-long-over", 8.5f, 11.0f}}) {
        auto state = std::make_shared<State>(count);
        auto elapsed = std::make_shared<bench::Array>(count);
        auto out = std::make_shared<State>(count);
        for (size_t i = 0; i < count; i++) {
            elapsed->data()[i] = from + (to - from) * static_cast<float>(i % 61) / 61;
        }
        const gyre_springs springs = state->springs(count);
        for (const gyre_kernels *kernels : bench::runnable_tables()) {
            bench::add(name, bench::name_of(kernels), count, bench::bytes_of(0, 3, 2), [=, kept = state] {
                kernels->springs_at(&springs, 0, count, {10, 1, 0}, elapsed->data(), out->position.data(),
                                    out->velocity.data());
            });
        }
    }
}

/* Springs that all bounce off a bound once in a step, from the same state each time. */
void add_bouncing(size_t count)
{
    auto start = std::make_shared<State>(count), state = std::make_shared<State>(count);
    auto upper = std::make_shared<bench::Array>(count);
    std::fill_n(upper->data(), count, 1.0f);
    for (size_t i = 0; i < count; i++) {
        start->position.data()[i] = 0.9f + 0.05f * static_cast<float>(i * 37 % 101) / 101;
        start->velocity.data()[i] = 15 + static_cast<float>(i % 13);
    }
    gyre_springs springs = state->springs(count);
    springs.upper = upper->data();
    springs.bounce = 0.8f;
    for (float ratio : {0.5f, 2.0f}) {
        gyre_spring_matrix matrix;
        gyre_spring_matrix_at({15, ratio, 0}, dt, &matrix);
        for (const gyre_kernels *kernels : bench::runnable_tables()) {
            bench::add(ratio > 1 ? "bouncing-over" : "bouncing", bench::name_of(kernels), count,
                       bench::bytes_of(2, 1, 0), [=, kept = state, too = upper] {
                           std::copy_n(start->position.data(), count, springs.position);
                           std::copy_n(start->velocity.data(), count, springs.velocity);
                           kernels->springs_step(&springs, 0, count, &matrix);
                       });
        }
    }
}

/* Parameters per spring: underdamped, critically damped and overdamped ones in no order, or one kind only. */
void add_each(const std::string &group, size_t count, bool underdamped, bool critical, bool overdamped)
{
    const double bytes = bench::bytes_of(2, 2, 0);
    auto state = std::make_shared<State>(count);
    auto parameters = std::make_shared<Parameters>(count);
    float *frequency = parameters->frequency.data(), *ratio = parameters->ratio.data();
    std::mt19937 random(1);
    auto uniform = [&](float low, float high) { return std::uniform_real_distribution<float>(low, high)(random); };
    std::vector<int> kinds;
    for (int kind = 0; kind < 3; kind++) {
        if ((kind == 0 && underdamped) || (kind == 1 && critical) || (kind == 2 && overdamped)) {
            kinds.push_back(kind);
        }
    }
    for (size_t i = 0; i < count; i++) {
        int kind = kinds[random() % kinds.size()];
        frequency[i] = uniform(20, 240);
        ratio[i] = kind == 0 ? uniform(0, 0.9f) : kind == 1 ? uniform(0.999f, 1.001f) : uniform(1.5f, 6);
    }
    const gyre_springs springs = state->springs(count);
    for (const gyre_kernels *kernels : bench::runnable_tables()) {
        bench::add(group, bench::name_of(kernels), count, bytes, [=, kept = state, too = parameters] {
            kernels->springs_step_each(&springs, 0, count, frequency, ratio, nullptr, nullptr, dt);
        });
    }
    auto theirs = std::make_shared<State>(count);
    using Peer = void (*)(float *, float *, const float *, const float *, size_t, float);
    std::vector<std::pair<const char *, Peer>> peers = {{"libm", peer_each_libm}};
#ifdef HAVE_SLEEF
    peers.push_back({"sleef-u10", peer_each_sleef});
#endif
    for (const loops *loop : compiled_loops()) {
        peers.push_back({loop->name, loop->springs_each});
    }
    for (auto &[name, peer] : peers) {
        auto step = [=, peer_step = peer, kept = parameters] {
            /* restarted: candidates that do not flush would be timed on subnormal numbers */
            std::fill_n(theirs->position.data(), count, 1.0f);
            std::fill_n(theirs->velocity.data(), count, 1.0f);
            peer_step(theirs->position.data(), theirs->velocity.data(), frequency, ratio, count, dt);
        };
        std::fill_n(theirs->position.data(), count, 1.0f);
        std::fill_n(theirs->velocity.data(), count, 1.0f);
        const double error = error_of(*theirs, count, false, frequency, ratio, false, step);
        bench::add_if(error <= allowed_error, bench::got_and_wanted(error, allowed_error, "of the amplitude"), group,
                      name, count, bytes, step);
    }
}

} // namespace

int main(int argc, char **argv)
{
    bench::take_effort(&argc, argv);
    /* eleven states of three arrays each, one of them temporary, and two arrays of indices */
    for (size_t count : bench::counts({64, 1 << 10, 1 << 16, 1 << 24}, 11 * 3 * sizeof(float) + 2 * sizeof(uint16_t))) {
        add_count("moving", count, false, false);
        add_count("moving-target", count, true, false);
        add_count("moving-malloc", count, false, false, bench::malloc_offset);
        add_count("settled", count, false, true);
        add_low_parts(count);
        add_palette(count);
    }
    for (size_t count : bench::counts({64, 1 << 12, 1 << 16, 1 << 22}, orientation_bytes)) {
        add_orientations(count);
    }
    add_sleep(1 << 20);
    add_at();
    for (size_t count : bench::cached_counts()) {
        add_bouncing(count);
        add_each("each-mixed", count, true, true, true);
        add_each("each-underdamped", count, true, false, false);
        add_each("each-critical", count, false, true, false);
        add_each("each-overdamped", count, false, false, true);
    }
    std::vector<std::string> rivals = {"ceiling", "without",   "per-spring",        "shared",
                                       "libm",    "sleef-u10", "eigen-small-angle", "eigen-euler"};
    for (const loops *loop : compiled_loops()) {
        rivals.push_back(loop->name);
    }
    return bench::run(argc, argv, rivals);
}
