/* With M = h times the momentum in the body frame, the rotation vector v of a step solves

       F(v) = I v - w = 0,   w = R(-v/2) M,   F'(v) = I - 1/2 [w]x T(-v/2)

   with R and T as in rotations-reference.md. */
#include "body/peers.h"

#include <cmath>

namespace
{

Vector3 cross(const Vector3 &a, const Vector3 &b)
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double dot(const Vector3 &a, const Vector3 &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* p + a [v]x p + b [v]x^2 p: R(v) p and T(v) p, with their coefficients. */
Vector3 turned(const Vector3 &v, double a, double b, const Vector3 &p)
{
    Vector3 once = cross(v, p), twice = cross(v, once);
    return {p[0] + a * once[0] + b * twice[0], p[1] + a * once[1] + b * twice[1], p[2] + a * once[2] + b * twice[2]};
}

Vector3 rotated(const Quaternion &q, const Vector3 &p) { return turned({q[0], q[1], q[2]}, 2 * q[3], 2, p); }

/* x of J x = f, J by columns. */
Vector3 solved(const Vector3 column[3], const Vector3 &f)
{
    const Vector3 c12 = cross(column[1], column[2]);
    const double determinant = dot(column[0], c12);
    return {dot(f, c12) / determinant, dot(column[0], cross(f, column[2])) / determinant,
            dot(column[0], cross(column[1], f)) / determinant};
}

Vector3 midpoint_rotation(const Vector3 &inertia, const Vector3 &momentum)
{
    Vector3 v = {momentum[0] / inertia[0], momentum[1] / inertia[1], momentum[2] / inertia[2]};
    for (int iteration = 0; iteration < 20; iteration++) {
        const Vector3 u = {-v[0] / 2, -v[1] / 2, -v[2] / 2};
        const double angle = std::sqrt(dot(u, u)), half = std::sin(angle / 2) / angle;
        const double s1 = std::sin(angle) / angle, s2 = 2 * half * half,
                     s3 = angle > 1e-3 ? (angle - std::sin(angle)) / (angle * angle * angle) : 1.0 / 6;
        const Vector3 w = turned(u, s1, s2, momentum);
        Vector3 column[3], f;
        for (size_t k = 0; k < 3; k++) {
            Vector3 unit = {};
            unit[k] = 1;
            const Vector3 torque = cross(w, turned(u, s2, s3, unit));
            column[k] = {-torque[0] / 2, -torque[1] / 2, -torque[2] / 2};
            column[k][k] += inertia[k];
            f[k] = inertia[k] * v[k] - w[k];
        }
        const Vector3 change = solved(column, f);
        v = {v[0] - change[0], v[1] - change[1], v[2] - change[2]};
        if (dot(change, change) <= 1e-16 * dot(v, v)) { /* Newton's error squares: the next change is below rounding */
            break;
        }
    }
    return v;
}

class ScalarDouble : public BodyPeer
{
  public:
    void start(const BodyStates &states) override
    {
        bodies_.resize(states.inertia.size());
        for (size_t i = 0; i < bodies_.size(); i++) {
            const Quaternion &q = states.orientation[i];
            const Quaternion back = {-q[0], -q[1], -q[2], q[3]};
            Vector3 momentum = rotated(back, states.angular_velocity[i]);
            for (size_t k = 0; k < 3; k++) {
                momentum[k] *= states.inertia[i][k];
            }
            bodies_[i] = {states.inertia[i], rotated(q, momentum), q};
        }
    }

    void step(float dt_s) override
    {
        const double dt = static_cast<double>(dt_s);
        for (Body &body : bodies_) {
            Quaternion &q = body.orientation;
            const Vector3 &l = body.momentum;
            const Vector3 v = midpoint_rotation(
                body.inertia, rotated({-q[0], -q[1], -q[2], q[3]}, {l[0] * dt, l[1] * dt, l[2] * dt}));
            const double angle = std::sqrt(dot(v, v)), s = angle > 0 ? std::sin(angle / 2) / angle : 0.5;
            const Vector3 p = {q[0], q[1], q[2]}, d = {v[0] * s, v[1] * s, v[2] * s}, pd = cross(p, d);
            const double w = std::cos(angle / 2);
            q = {q[3] * d[0] + w * p[0] + pd[0], q[3] * d[1] + w * p[1] + pd[1], q[3] * d[2] + w * p[2] + pd[2],
                 q[3] * w - dot(p, d)};
            const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
            for (double &component : q) {
                component /= length;
            }
        }
    }

    std::vector<Quaternion> orientations() const override
    {
        std::vector<Quaternion> all;
        for (const Body &body : bodies_) {
            all.push_back(body.orientation);
        }
        return all;
    }

  private:
    struct Body {
        Vector3 inertia, momentum; /* momentum in the world */
        Quaternion orientation;
    };
    std::vector<Body> bodies_;
};

} // namespace

std::unique_ptr<BodyPeer> make_scalar_double() { return std::make_unique<ScalarDouble>(); }
