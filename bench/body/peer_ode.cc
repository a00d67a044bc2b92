#include "body/peers.h"

#include <ode/ode.h>

namespace
{

class Ode : public BodyPeer
{
  public:
    Ode()
    {
        dInitODE();
        world_ = dWorldCreate(); /* no gravity, no damping, no sleeping */
    }

    ~Ode() override
    {
        dWorldDestroy(world_);
        dCloseODE();
    }

    void start(const BodyStates &states) override
    {
        while (bodies_.size() < states.inertia.size()) {
            const Vector3 &inertia = states.inertia[bodies_.size()];
            dMass mass;
            dMassSetParameters(&mass, 1, 0, 0, 0, inertia[0], inertia[1], inertia[2], 0, 0, 0);
            bodies_.push_back(dBodyCreate(world_));
            dBodySetMass(bodies_.back(), &mass);
        }
        for (size_t i = 0; i < bodies_.size(); i++) {
            const Quaternion &q = states.orientation[i];
            const Vector3 &omega = states.angular_velocity[i];
            const dQuaternion turned = {q[3], q[0], q[1], q[2]};
            dBodySetQuaternion(bodies_[i], turned);
            dBodySetAngularVel(bodies_[i], omega[0], omega[1], omega[2]);
        }
    }

    void step(float dt_s) override { dWorldQuickStep(world_, static_cast<dReal>(dt_s)); }

    std::vector<Quaternion> orientations() const override
    {
        std::vector<Quaternion> all;
        for (dBodyID body : bodies_) {
            const dReal *q = dBodyGetQuaternion(body);
            all.push_back({q[1], q[2], q[3], q[0]});
        }
        return all;
    }

    Ode(const Ode &) = delete;
    Ode &operator=(const Ode &) = delete;

  private:
    dWorldID world_;
    std::vector<dBodyID> bodies_;
};

} // namespace

std::unique_ptr<BodyPeer> make_ode() { return std::make_unique<Ode>(); }
