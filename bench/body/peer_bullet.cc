#include "body/peers.h"

#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>
#include <LinearMath/btTransformUtil.h>

namespace
{

using Impulse = btVector3 (btRigidBody::*)(btScalar) const;

class Bullet : public BodyPeer
{
  public:
    explicit Bullet(Impulse impulse) : impulse_(impulse) {}

    void start(const BodyStates &states) override
    {
        if (bodies_.empty()) {
            for (const Vector3 &inertia : states.inertia) {
                bodies_.push_back(std::make_unique<btRigidBody>(1, nullptr, &shape_, vector(inertia)));
            }
        }
        for (size_t i = 0; i < bodies_.size(); i++) {
            const Quaternion &q = states.orientation[i];
            const btQuaternion turned(static_cast<btScalar>(q[0]), static_cast<btScalar>(q[1]),
                                      static_cast<btScalar>(q[2]), static_cast<btScalar>(q[3]));
            bodies_[i]->setWorldTransform(btTransform(turned));
            bodies_[i]->setAngularVelocity(vector(states.angular_velocity[i]));
        }
    }

    /* As btDiscreteDynamicsWorld steps a body that touches nothing, without the world around it. Despite its name, the
       impulse is a change of angular velocity. */
    void step(float dt_s) override
    {
        for (const std::unique_ptr<btRigidBody> &body : bodies_) {
            body->setAngularVelocity(body->getAngularVelocity() + ((*body).*impulse_)(dt_s));
            btTransform moved;
            btTransformUtil::integrateTransform(body->getWorldTransform(), body->getLinearVelocity(),
                                                body->getAngularVelocity(), dt_s, moved);
            body->setWorldTransform(moved);
        }
    }

    std::vector<Quaternion> orientations() const override
    {
        std::vector<Quaternion> all;
        for (const std::unique_ptr<btRigidBody> &body : bodies_) {
            const btQuaternion q = body->getWorldTransform().getRotation();
            all.push_back({q.x(), q.y(), q.z(), q.w()});
        }
        return all;
    }

  private:
    static btVector3 vector(const Vector3 &v)
    {
        return {static_cast<btScalar>(v[0]), static_cast<btScalar>(v[1]), static_cast<btScalar>(v[2])};
    }

    Impulse impulse_;
    btSphereShape shape_{1};
    std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

} // namespace

std::unique_ptr<BodyPeer> make_bullet()
{
    return std::make_unique<Bullet>(&btRigidBody::computeGyroscopicImpulseImplicit_Body);
}

std::unique_ptr<BodyPeer> make_bullet_world()
{
    return std::make_unique<Bullet>(&btRigidBody::computeGyroscopicImpulseImplicit_World);
}
