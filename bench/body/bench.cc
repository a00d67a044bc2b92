/* gyre_bodies_step, every method on every table, against Bullet, ODE and a scalar midpoint in doubles: 64 and 4,096
   free bodies that turn by 0.1 to 0.3 rad per step. Then for 4,096 bodies: the cost of a few that need 40 sub-steps, of
   low parts of orientations, and of energies and angular velocities.

   bench_bodies                  speeds; every candidate is first compared with an accurate integration
   bench_bodies --errors         attitude errors after ten seconds at 60 Hz as well, for the error and speed picture,
                                 and engines that divide each 60th of a second by 2, 4, 8 and 16 */
#include "harness/harness.h"
#include "body/peers.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

namespace
{

const float dt = 1.0f / 60;

struct Method {
    const char *name;
    gyre_body_method method;
    int order_asked; /* gyre_body_solver.order */
    int order;       /* 0: ignores the gyroscopic torque, so the angular velocity is constant */
};
const Method methods[] = {
    {"moser-veselov-6", GYRE_BODY_MOSER_VESELOV, 6, 6},
    {"moser-veselov-8", GYRE_BODY_MOSER_VESELOV, 8, 8},
    {"midpoint", GYRE_BODY_MIDPOINT, 0, 2},
    {"object-trapezoid", GYRE_BODY_OBJECT_TRAPEZOID, 0, 2},
    {"trapezoid", GYRE_BODY_TRAPEZOID, 0, 2},
    {"explicit-euler", GYRE_BODY_EXPLICIT_EULER, 0, 0},
};

Vector3 cross(const Vector3 &a, const Vector3 &b)
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Vector3 rotated(const Quaternion &q, const Vector3 &p)
{
    const Vector3 u = {q[0], q[1], q[2]}, once = cross(u, p), twice = cross(u, once);
    return {p[0] + 2 * (q[3] * once[0] + twice[0]), p[1] + 2 * (q[3] * once[1] + twice[1]),
            p[2] + 2 * (q[3] * once[2] + twice[2])};
}

Vector3 momentum_of(const BodyStates &states, size_t i)
{
    const Quaternion &q = states.orientation[i];
    Vector3 seen_from_body = rotated({-q[0], -q[1], -q[2], q[3]}, states.angular_velocity[i]);
    for (size_t k = 0; k < 3; k++) {
        seen_from_body[k] *= states.inertia[i][k];
    }
    return rotated(q, seen_from_body);
}

/* Gyre as an engine. */
class Gyre : public BodyPeer
{
  public:
    Gyre(size_t count, const gyre_kernels *kernels, const Method &method, bool low)
        : kernels_(kernels), solver_({method.method, method.order_asked, 0, 0, 0, 0, false})
    {
        for (size_t k = 0; k < 14; k++) {
            arrays_.emplace_back(count);
            first_.emplace_back(count);
        }
        bodies_.count = count;
        for (size_t k = 0; k < 4; k++) {
            bodies_.orientation[k] = arrays_[k].data();
            bodies_.orientation_low[k] = low ? arrays_[4 + k].data() : nullptr;
        }
        for (size_t k = 0; k < 3; k++) {
            bodies_.momentum[k] = arrays_[8 + k].data();
            bodies_.inertia[k] = arrays_[11 + k].data();
        }
    }

    /* Restarts are timed, once in sixty steps, and computing the momenta would be a tenth of the time: restarts from
       the same states copy the arrays of the first start. */
    void start(const BodyStates &states) override
    {
        if (states_ != &states) {
            states_ = &states;
            read(states);
        }
        for (size_t k = 0; k < arrays_.size(); k++) {
            std::copy(first_[k].begin(), first_[k].end(), arrays_[k].data());
        }
    }

    void step(float dt_s) override
    {
        status_ = kernels_->bodies_step(&bodies_, 0, bodies_.count, dt_s, &solver_, nullptr);
    }

    /* The report of one more step. */
    gyre_body_report report(float dt_s)
    {
        gyre_body_report report = {};
        status_ = kernels_->bodies_step(&bodies_, 0, bodies_.count, dt_s, &solver_, &report);
        return report;
    }

    std::vector<Quaternion> orientations() const override
    {
        std::vector<Quaternion> all(bodies_.count);
        for (size_t i = 0; i < bodies_.count; i++) {
            for (size_t k = 0; k < 4; k++) {
                all[i][k] = static_cast<double>(bodies_.orientation[k][i]);
                if (bodies_.orientation_low[0] != nullptr) {
                    all[i][k] += static_cast<double>(bodies_.orientation_low[k][i]);
                }
            }
        }
        return all;
    }

    gyre_status status() const { return status_; }
    const gyre_bodies &bodies() const { return bodies_; }

  private:
    void read(const BodyStates &states)
    {
        for (size_t i = 0; i < bodies_.count; i++) {
            const Vector3 momentum = momentum_of(states, i);
            for (size_t k = 0; k < 4; k++) {
                first_[k][i] = static_cast<float>(states.orientation[i][k]);
            }
            for (size_t k = 0; k < 3; k++) {
                first_[8 + k][i] = static_cast<float>(momentum[k]);
                first_[11 + k][i] = static_cast<float>(states.inertia[i][k]);
            }
        }
    }

    const gyre_kernels *kernels_;
    gyre_body_solver solver_;
    std::vector<bench::Array> arrays_;
    const BodyStates *states_ = nullptr;
    std::vector<std::vector<float>> first_;
    gyre_bodies bodies_ = {};
    gyre_status status_ = GYRE_OK;
};

/* Random principal moments of real bodies (none exceeds the sum of the others), attitudes and axes; h |omega| within
   the given bounds. */
BodyStates random_states(size_t count, double least_turn, double most_turn)
{
    std::mt19937 random(1);
    auto uniform = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); };
    std::normal_distribution<double> normal;
    BodyStates states;
    for (size_t i = 0; i < count; i++) {
        const double x = uniform(0.1, 1), y = uniform(0.1, 1), z = uniform(0.1, 1);
        states.inertia.push_back({y + z, z + x, x + y});
        Quaternion q = {normal(random), normal(random), normal(random), normal(random)};
        const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        states.orientation.push_back({q[0] / length, q[1] / length, q[2] / length, q[3] / length});
        Vector3 axis = {normal(random), normal(random), normal(random)};
        const double speed =
            uniform(least_turn, most_turn) / static_cast<double>(dt) / std::hypot(axis[0], axis[1], axis[2]);
        states.angular_velocity.push_back({axis[0] * speed, axis[1] * speed, axis[2] * speed});
    }
    return states;
}

/* ---- Reference: Euler's equations by the fourth-order Runge-Kutta method, in doubles ---- */

struct FreeBody {
    Vector3 omega; /* in the body's frame */
    Quaternion q;
};

FreeBody rates(const Vector3 &inertia, const FreeBody &b)
{
    const Vector3 m = {inertia[0] * b.omega[0], inertia[1] * b.omega[1], inertia[2] * b.omega[2]};
    const Vector3 torque = cross(m, b.omega), p = {b.q[0], b.q[1], b.q[2]}, pw = cross(p, b.omega);
    return {{torque[0] / inertia[0], torque[1] / inertia[1], torque[2] / inertia[2]},
            {(b.q[3] * b.omega[0] + pw[0]) / 2, (b.q[3] * b.omega[1] + pw[1]) / 2, (b.q[3] * b.omega[2] + pw[2]) / 2,
             -(p[0] * b.omega[0] + p[1] * b.omega[1] + p[2] * b.omega[2]) / 2}};
}

FreeBody moved(const FreeBody &b, const FreeBody &rate, double t)
{
    FreeBody result = b;
    for (size_t k = 0; k < 3; k++) {
        result.omega[k] += t * rate.omega[k];
    }
    for (size_t k = 0; k < 4; k++) {
        result.q[k] += t * rate.q[k];
    }
    return result;
}

Quaternion exact_orientation(const BodyStates &states, size_t i, double seconds, int steps)
{
    const Vector3 &inertia = states.inertia[i];
    const Quaternion &q = states.orientation[i];
    FreeBody b = {rotated({-q[0], -q[1], -q[2], q[3]}, states.angular_velocity[i]), q};
    const double h = seconds / steps;
    for (int n = 0; n < steps; n++) {
        const FreeBody k1 = rates(inertia, b), k2 = rates(inertia, moved(b, k1, h / 2)),
                       k3 = rates(inertia, moved(b, k2, h / 2)), k4 = rates(inertia, moved(b, k3, h));
        b = moved(moved(moved(moved(b, k1, h / 6), k2, h / 3), k3, h / 3), k4, h / 6);
    }
    return b.q;
}

/* The angle (rad) between two attitudes; NaN if either is. */
double angle_between(const Quaternion &a, const Quaternion &b)
{
    const double x = a[3] * b[0] - a[0] * b[3] - a[1] * b[2] + a[2] * b[1];
    const double y = a[3] * b[1] - a[1] * b[3] - a[2] * b[0] + a[0] * b[2];
    const double z = a[3] * b[2] - a[2] * b[3] - a[0] * b[1] + a[1] * b[0];
    const double w = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    return 2 * std::atan2(std::sqrt(x * x + y * y + z * z), std::fabs(w));
}

/* The attitude of a body with constant angular velocity. */
Quaternion turned_on(const BodyStates &states, size_t i, double seconds)
{
    const Vector3 &omega = states.angular_velocity[i];
    const Quaternion &q = states.orientation[i];
    const double speed = std::hypot(omega[0], omega[1], omega[2]), c = std::cos(speed * seconds / 2),
                 s = std::sin(speed * seconds / 2) / speed;
    const Vector3 d = {s * omega[0], s * omega[1], s * omega[2]}, p = {q[0], q[1], q[2]}, dp = cross(d, p);
    return {c * q[0] + q[3] * d[0] + dp[0], c * q[1] + q[3] * d[1] + dp[1], c * q[2] + q[3] * d[2] + dp[2],
            c * q[3] - (d[0] * p[0] + d[1] * p[1] + d[2] * p[2])};
}

/* The largest angle from the exact attitudes after one step of dt, taken in 64 parts. The error of a first-order method
   is then about (0.3 rad)^2 / 64; that of a method that ignores the gyroscopic torque is far larger. */
class Comparison
{
  public:
    explicit Comparison(const BodyStates &states) : states_(states)
    {
        for (size_t i = 0; i < states.inertia.size(); i++) {
            exact_.push_back(exact_orientation(states, i, static_cast<double>(dt), 64));
            turned_on_.push_back(turned_on(states, i, static_cast<double>(dt)));
        }
    }

    double error_of(BodyPeer &peer, int order) const
    {
        peer.start(states_);
        for (int n = 0; n < 64; n++) {
            peer.step(dt / 64);
        }
        const std::vector<Quaternion> reached = peer.orientations();
        double largest = 0;
        for (size_t i = 0; i < exact_.size(); i++) {
            const double error = angle_between(reached[i], order == 0 ? turned_on_[i] : exact_[i]);
            largest = bench::worse_of(largest, error);
        }
        return largest;
    }

  private:
    const BodyStates &states_;
    std::vector<Quaternion> exact_, turned_on_;
};

/* Limits for candidates by order: five to ten times the errors measured. */
double allowed_error(int order) { return order == 1 ? 2e-3 : 1e-5; }

/* The attitude error of the body of van Zon and Schofield (J. Comput. Phys. 225, 2007) after ten seconds at 60 Hz. */
double ten_seconds_error(BodyPeer &peer)
{
    const BodyStates states = {{{10, 20, 26}}, {{0, 0, 0, 1}}, {{1, 15, 1}}};
    peer.start(states);
    for (int n = 0; n < 600; n++) {
        peer.step(dt);
    }
    return angle_between(peer.orientations()[0], exact_orientation(states, 0, 600 * static_cast<double>(dt), 60000));
}

/* Orientations and their low parts, if any, are updated; momenta and moments of inertia are read. */
double step_bytes(bool low) { return bench::bytes_of(low ? 8 : 4, 6, 0); }

/* Adds a row if the candidate passes. It restarts every second of motion: methods that gain or lose energy would be
   timed on another motion than the others. */
void add_candidate(const std::string &group, const std::string &name, std::shared_ptr<BodyPeer> peer, bool low,
                   int order, const BodyStates &states, const Comparison &comparison,
                   const std::vector<bench::Rival> &rivals)
{
    const double error = comparison.error_of(*peer, order);
    const std::string seen = bench::got_and_wanted(error, allowed_error(order), "rad");
    std::printf("check %-18s %-20s %s\n", group.c_str(), name.c_str(), seen.c_str());
    auto steps = std::make_shared<int>(0);
    bench::add_if(
        error <= allowed_error(order), seen, group, name, states.inertia.size(), step_bytes(low),
        [=, &states] {
            if ((*steps)++ % 60 == 0) {
                peer->start(states);
            }
            peer->step(dt);
        },
        rivals);
}

/* An engine that divides each step into equal parts. */
class Divided : public BodyPeer
{
  public:
    Divided(std::unique_ptr<BodyPeer> engine, int parts) : engine_(std::move(engine)), parts_(parts) {}
    void start(const BodyStates &states) override { engine_->start(states); }
    void step(float dt_s) override
    {
        for (int n = 0; n < parts_; n++) {
            engine_->step(dt_s / static_cast<float>(parts_));
        }
    }
    std::vector<Quaternion> orientations() const override { return engine_->orientations(); }

  private:
    std::unique_ptr<BodyPeer> engine_;
    int parts_;
};

using MakePeer = std::unique_ptr<BodyPeer> (*)();
struct NamedPeer {
    const char *name;
    MakePeer make;
    int order;
    bool is_divided; /* also in 2 to 16 parts, for the picture of error against cost */
};
const NamedPeer peers[] = {
#ifdef HAVE_BULLET
    {"bullet", make_bullet, 1, true},
    {"bullet-world", make_bullet_world, 1, false},
#endif
#ifdef HAVE_ODE
    {"ode", make_ode, 1, true},
#endif
    {"scalar-double", make_scalar_double, 2, false},
};

std::vector<bench::Rival> engines(size_t count)
{
    std::vector<bench::Rival> rivals;
    for (const NamedPeer &peer : peers) {
        rivals.push_back({peer.name, bench::full_name("engine", peer.name, count)});
    }
    return rivals;
}

/* with_errors: also the errors of all candidates after ten seconds, and engines in several steps per frame. */
void add_methods(const BodyStates &states, bool with_errors)
{
    const size_t count = states.inertia.size();
    const Comparison comparison(states);
    for (const NamedPeer &peer : peers) {
        add_candidate("engine", peer.name, peer.make(), false, peer.order, states, comparison, {});
        if (with_errors) {
            bench::state_error("engine", peer.name, ten_seconds_error(*peer.make()), "rad after 10 s");
        }
        for (int parts = 2; with_errors && peer.is_divided && parts <= 16; parts *= 2) {
            const std::string group = "engine-in-" + std::to_string(parts);
            add_candidate(group, peer.name, std::make_shared<Divided>(peer.make(), parts), false, peer.order, states,
                          comparison, {});
            Divided one(peer.make(), parts);
            bench::state_error(group, peer.name, ten_seconds_error(one), "rad after 10 s");
        }
    }
    for (const Method &method : methods) {
        for (const gyre_kernels *kernels : bench::runnable_tables()) {
            const std::string table = bench::name_of(kernels);
            for (bool low : {false, true}) {
                std::vector<bench::Rival> rivals = engines(count);
                if (low) {
                    rivals = {{"without low parts", bench::full_name(method.name, table, count)}};
                }
                const std::string name = table + (low ? "-low" : "");
                add_candidate(method.name, name, std::make_shared<Gyre>(count, kernels, method, low), low, method.order,
                              states, comparison, rivals);
                if (with_errors) {
                    Gyre one(1, kernels, method, low);
                    bench::state_error(method.name, name, ten_seconds_error(one), "rad after 10 s");
                }
            }
        }
    }
}

/* ---- One body in a hundred needs 40 sub-steps, the others one: time per sub-step. ---- */

/* Raises the speed of a body until the report counts 40 sub-steps, by bisection. */
void speed_up(BodyStates *states, size_t i, const gyre_kernels *kernels, const Method &method)
{
    const Vector3 omega = states->angular_velocity[i];
    double low = 1, high = 4096;
    for (int n = 0; n < 60; n++) {
        const double factor = std::sqrt(low * high);
        BodyStates one = {{states->inertia[i]},
                          {states->orientation[i]},
                          {{omega[0] * factor, omega[1] * factor, omega[2] * factor}}};
        Gyre gyre(1, kernels, method, false);
        gyre.start(one);
        (gyre.report(dt).substeps < 40 ? low : high) = factor;
    }
    for (size_t k = 0; k < 3; k++) {
        states->angular_velocity[i][k] = omega[k] * high * 1.01;
    }
}

void add_mixed(const BodyStates &even)
{
    const size_t count = even.inertia.size();
    for (const Method &method : methods) {
        if (method.method == GYRE_BODY_EXPLICIT_EULER) { /* one sub-step for all */
            continue;
        }
        for (const gyre_kernels *kernels : bench::runnable_tables()) {
            BodyStates mixed = even;
            std::mt19937 random(2);
            for (size_t i = 0; i < count; i++) {
                if (random() % 100 == 0) {
                    speed_up(&mixed, i, kernels, method);
                }
            }
            auto gyre = std::make_shared<Gyre>(count, kernels, method, false);
            gyre->start(mixed);
            const size_t substeps = gyre->report(dt).substeps;
            const double bodies_a_substep = static_cast<double>(count) / static_cast<double>(substeps);
            const std::string table = bench::name_of(kernels);
            bench::add_if(gyre->status() == GYRE_OK, gyre_status_name(gyre->status()),
                          std::string("mixed-") + method.name, table, substeps, bodies_a_substep * step_bytes(false),
                          [=] { gyre->step(dt); }, {{"even", bench::full_name(method.name, table, count)}});
        }
    }
}

/* ---- Wheels at 31,400 rad/s: two equal moments, which take no sub-steps. ---- */

void add_fast_wheels(size_t count)
{
    BodyStates wheels = random_states(count, 500, 523);
    for (Vector3 &inertia : wheels.inertia) {
        inertia[1] = inertia[0];
        inertia[2] = std::min(inertia[2], 2 * inertia[0]);
    }
    for (const gyre_kernels *kernels : bench::runnable_tables()) {
        for (const bool low : {false, true}) {
            auto gyre = std::make_shared<Gyre>(count, kernels, methods[0], low);
            gyre->start(wheels);
            gyre->step(dt);
            bench::add_if(gyre->status() == GYRE_OK, gyre_status_name(gyre->status()), "fast-wheels",
                          bench::name_of(kernels) + (low ? "-low" : ""), count, step_bytes(low),
                          [=] { gyre->step(dt); });
        }
    }
}

/* ---- Observables: energies and angular velocities. ---- */

void add_derived(const BodyStates &states)
{
    const size_t count = states.inertia.size();
    auto values = std::make_shared<std::vector<bench::Array>>();
    for (size_t k = 0; k < 3; k++) {
        values->emplace_back(count);
    }
    for (const gyre_kernels *kernels : bench::runnable_tables()) {
        auto gyre = std::make_shared<Gyre>(count, kernels, methods[0], false);
        gyre->start(states);
        const std::string table = bench::name_of(kernels);
        bench::add("energy", table, count, bench::bytes_of(0, 10, 1),
                   [=] { kernels->bodies_energy(&gyre->bodies(), 0, count, values->front().data()); });
        bench::add("angular-velocity", table, count, bench::bytes_of(0, 10, 3), [=] {
            float *const omega[3] = {(*values)[0].data(), (*values)[1].data(), (*values)[2].data()};
            kernels->bodies_angular_velocity(&gyre->bodies(), 0, count, omega);
        });
    }
}

} // namespace

int main(int argc, char **argv)
{
    bench::take_effort(&argc, argv);
    const bool with_errors = bench::take_flag(&argc, argv, "errors");
    std::vector<BodyStates> batches; /* of increasing size */
    for (size_t count : bench::cached_counts()) {
        batches.push_back(random_states(count, 0.1, 0.3));
    }
    const BodyStates &largest = batches.back();
    for (const BodyStates &states : batches) {
        add_methods(states, with_errors && &states == &largest);
    }
    add_mixed(largest);
    add_fast_wheels(largest.inertia.size());
    add_derived(largest);
    return bench::run(argc, argv, {});
}
