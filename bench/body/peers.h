/* Alternatives to gyre_bodies_step: free rigid bodies, in the usual way of each engine. */
#ifndef GYRE_BENCH_PEERS_BODIES_H
#define GYRE_BENCH_PEERS_BODIES_H

#include <array>
#include <memory>
#include <vector>

using Vector3 = std::array<double, 3>;
using Quaternion = std::array<double, 4>; /* x y z w */

/* Arrays of one length. */
struct BodyStates {
    std::vector<Vector3> inertia;          /* kg m^2, principal moments */
    std::vector<Quaternion> orientation;   /* body to world */
    std::vector<Vector3> angular_velocity; /* rad/s, world */
};

class BodyPeer
{
  public:
    virtual ~BodyPeer() = default;
    virtual void start(const BodyStates &states) = 0; /* may be called again, with the same number of bodies */
    virtual void step(float dt_s) = 0;
    virtual std::vector<Quaternion> orientations() const = 0;
};

/* Bullet 3: one Newton iteration of implicit Euler for the angular velocity, in the body's frame or in the world's,
   and the exponential map for the transform, first order. In float. */
std::unique_ptr<BodyPeer> make_bullet();
std::unique_ptr<BodyPeer> make_bullet_world();

/* ODE: a step of the whole world, because it has no other: semi-implicit gyroscopic torque, orientation by its
   derivative, first order. In double, as Debian builds it. */
std::unique_ptr<BodyPeer> make_ode();

/* Implicit midpoint by Newton's iteration until it converges, one body at a time, in doubles with libm. */
std::unique_ptr<BodyPeer> make_scalar_double();

#endif
