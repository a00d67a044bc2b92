/* Bodies with two equal moments have a closed form for any step, so that a fast wheel or ball takes no sub-steps. With
   M the momentum in the body's frame, I1 the mean of the two moments, I3 the third and e its axis, a step of h turns the
   body by

       q <- q exp(M h / (2 I1)) exp(e M3 (1 / I3 - 1 / I1) h / 2)

   the precession about the momentum and the spin about the axis. One body at a time, in double: such bodies are few,
   and this takes less time than two sub-steps of a block. */
#ifndef GYRE_BODY_METHODS_AXISYMMETRIC_H
#define GYRE_BODY_METHODS_AXISYMMETRIC_H

#include "body/step-inl.h"
#include "scalar/elementary.h"
#include "scalar/square_root.h"

typedef struct single_vector {
    double x, y, z;
} single_vector;

/* x y z w */
typedef struct single_quaternion {
    single_vector v;
    double w;
} single_quaternion;

typedef struct cosine_sine {
    double cosine, sine;
} cosine_sine;

/* cos x and sin x of any x; from 2^40 up, where an angle has no correct digit, those of 2^40. */
VF_RARE cosine_sine cosine_sine_of(double x)
{
    const double max_x = 0x1p40, rounder = 0x1.8p52, twice_pi = 2 * SCALAR_PI;
    x = x > max_x ? max_x : x < -max_x ? -max_x : x;
    const double turns = (x / twice_pi + rounder) - rounder;
    /* 2 pi: its first 33 bits, and the rest */
    const double rest = (x - turns * 0x1.921fb544p+2) - turns * 0x1.0b4611a626331p-32;
    cosine_sine of_rest;
    scalar_cos_sin(scalar_abs(rest), &of_rest.cosine, &of_rest.sine);
    return (cosine_sine){of_rest.cosine, rest < 0 ? -of_rest.sine : of_rest.sine};
}

VF_INLINE double component(single_vector a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }

VF_INLINE single_vector single_scale(double s, single_vector a) { return (single_vector){s * a.x, s * a.y, s * a.z}; }

VF_INLINE single_vector single_add(single_vector a, single_vector b)
{
    return (single_vector){a.x + b.x, a.y + b.y, a.z + b.z};
}

VF_INLINE double single_dot(single_vector a, single_vector b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }

VF_INLINE single_vector single_cross(single_vector a, single_vector b)
{
    return (single_vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* q (v, w) */
VF_INLINE single_quaternion single_turned(single_quaternion q, single_vector v, double w)
{
    const single_vector along = single_add(single_scale(w, q.v), single_scale(q.w, v));
    return (single_quaternion){single_add(along, single_cross(q.v, v)), q.w * w - single_dot(q.v, v)};
}

/* R(q)^T a, of a unit quaternion */
VF_INLINE single_vector single_turned_back(single_quaternion q, single_vector a)
{
    const single_vector across = single_scale(2, single_cross(q.v, a));
    return single_add(single_add(a, single_scale(-q.w, across)), single_cross(q.v, across));
}

/* The axis across which the moments are closest. */
VF_INLINE int odd_axis(single_vector inertia)
{
    const double x = scalar_abs(inertia.y - inertia.z), y = scalar_abs(inertia.z - inertia.x);
    const double z = scalar_abs(inertia.x - inertia.y);
    return z <= x && z <= y ? 2 : x <= y ? 0 : 1;
}

/* q, of any length, turned through a step of h s, for a body with two equal moments. */
VF_INLINE single_quaternion axisymmetric_turned(single_quaternion q, single_vector momentum, single_vector inertia,
                                                double h)
{
    const double scale = 1 / double_square_root(single_dot(q.v, q.v) + q.w * q.w);
    const single_quaternion unit = {single_scale(scale, q.v), q.w * scale};
    const single_vector m = single_turned_back(unit, momentum);
    const int axis = odd_axis(inertia);
    const double i1 = 0.5 * (component(inertia, (axis + 1) % 3) + component(inertia, (axis + 2) % 3));
    const double i3 = component(inertia, axis);
    const double length = double_square_root(single_dot(m, m));
    const cosine_sine precession = cosine_sine_of(0.5 * h * length / i1);
    const single_quaternion tilted = single_turned(unit, single_scale(precession.sine / length, m), precession.cosine);
    const cosine_sine spin = cosine_sine_of(0.5 * h * component(m, axis) * ((i1 - i3) / i3 / i1));
    const single_vector about = {axis == 0 ? spin.sine : 0, axis == 1 ? spin.sine : 0, axis == 2 ? spin.sine : 0};
    return single_turned(tilted, about, spin.cosine);
}

/* Within two units in the last place, as rounding may leave equal moments. */
VF_INLINE vm are_equal_moments(vf a, vf b)
{
    return vf_le(vf_abs(vf_sub(a, b)), vf_mul(vf_set1(0x1p-22f), vf_max(a, b)));
}

/* The bodies that have two equal moments and need more than one sub-step. */
VF_INLINE vm are_fast_and_axisymmetric(vf3 i, vm planned, vf wanted)
{
    const vm equal =
        vm_or(are_equal_moments(i.x, i.y), vm_or(are_equal_moments(i.y, i.z), are_equal_moments(i.z, i.x)));
    return vm_and(vm_and(equal, vm_not(planned)), vf_lt(vf_set1(1), wanted));
}

#endif
