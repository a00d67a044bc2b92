/* The methods whose unknown is the rotation vector 2 v of a sub-step: implicit midpoint and both trapezoidal rules,
   solved by Newton's iteration in each lane until it converges, and explicit Euler. Equations, Jacobians and the proof
   of convergence: README.md. `method` is a constant. */
#ifndef GYRE_BODY_METHODS_MIDPOINT_TRAPEZOID_EULER_H
#define GYRE_BODY_METHODS_MIDPOINT_TRAPEZOID_EULER_H

#include "body/step-inl.h"
#include "rotation/half_angle-inl.h"

#include <gyre/body.h>

/* ---- Newton's iteration for F(v) = 0 with three unknowns ---- */

/* Three rows. */
typedef struct vf33 {
    vf3 x, y, z;
} vf33;

/* The inverse: columns of the adjugate, to be divided by the determinant. */
typedef struct vf33_inverse {
    vf3 x, y, z;
    vf inverse_determinant;
} vf33_inverse;

VF_INLINE vf33_inverse inverse_of_matrix(vf33 a)
{
    const vf3 x = vf3_cross(a.y, a.z);
    return (vf33_inverse){x, vf3_cross(a.z, a.x), vf3_cross(a.x, a.y), vf_div(vf_set1(1), vf3_dot(a.x, x))};
}

VF_INLINE vf3 inverse_mul(vf33_inverse i, vf3 b)
{
    vf3 sum = vf3_scale_add(b.y, i.y, vf3_scale(b.z, i.z));
    return vf3_scale(i.inverse_determinant, vf3_scale_add(b.x, i.x, sum));
}

VF_INLINE vf33_inverse diagonal_inverse(vf3 d)
{
    const vf zero = vf_set1(0);
    return (vf33_inverse){{d.x, zero, zero}, {zero, d.y, zero}, {zero, zero, d.z}, vf_set1(1)};
}

VF_INLINE vf33_inverse inverse_select(vm m, vf33_inverse a, vf33_inverse b)
{
    return (vf33_inverse){vf3_select(m, a.x, b.x), vf3_select(m, a.y, b.y), vf3_select(m, a.z, b.z),
                          vf_select(m, a.inverse_determinant, b.inverse_determinant)};
}

/* An iterate, and how accurate it is. */
typedef struct rotation_guess {
    vf3 v;
    vm active;                 /* not accurate enough yet */
    vf last_square, of_square; /* of the last correction, and of v at that time */
} rotation_guess;

/* v with a correction, unless that would be out of bounds. The lane stays active until |correction|^2 is at most `done`
   times |v|^2. */
VF_INLINE rotation_guess corrected(rotation_guess s, vf v_square, vf33_inverse inverse, vf3 residual, vf done)
{
    vf3 correction = inverse_mul(inverse, residual), sum = vf3_add(s.v, correction);
    vf size = vf3_dot(correction, correction), square = vf_max(v_square, size);
    vm bounded = vm_and(s.active, vf_lt(size, vf_set1(0x1p40f)));
    if (!vm_all(bounded)) {
        sum = vf3_select(bounded, sum, s.v);
        square = vf_select(s.active, square, s.of_square);
        size = vf_select(s.active, size, s.last_square);
    }
    return (rotation_guess){sum, vm_and(s.active, vm_not(vf_le(size, vf_mul(done, square)))), size, square};
}

/* (last correction / rotation)^2, without NaN. */
VF_INLINE vf correction_ratio_square(rotation_guess s)
{
    vf ratio = vf_div(s.last_square, vf_max(s.of_square, vf_set1(0x1p-120f)));
    return vf_min(ratio, vf_set1(1));
}

/* ---- Rotations by R(u) ---- */

/* R(u) and T(u) as they act on vectors: see rotation/step-inl.h. */
typedef struct rotation_map {
    vf3 u;
    vf s1, s2, s3;
    vf square; /* u.u */
} rotation_map;

VF_INLINE rotation_map rotation_map_of(vf3 u)
{
    vf square = vf3_dot(u, u);
    half_rotation t = half_rotation_of(square);
    return (rotation_map){u, t.s1, t.s2, t.s3, square};
}

VF_INLINE vf3 rotated(rotation_map r, vf3 x)
{
    vf3 across = vf3_cross(r.u, x);
    return vf3_scale_add(r.s1, across, vf3_scale_add(r.s2, vf3_cross(r.u, across), x));
}

VF_INLINE rotation_map reversed(rotation_map r) { return (rotation_map){vf3_neg(r.u), r.s1, r.s2, r.s3, r.square}; }

/* [w]x T(u) */
VF_INLINE vf33 cross_left_jacobian(rotation_map r, vf3 w)
{
    const vf3 u = r.u;
    vf3 p = vf3_scale(vf_neg_mul_add(r.s3, r.square, vf_set1(1)), w);
    vf3 a = vf3_scale(r.s2, u), b = vf3_scale(r.s3, vf3_cross(w, u));
    vf minus = vf_neg(vf3_dot(w, a));
    return (vf33){
        {vf_add(minus, vf_mul_add(a.x, w.x, vf_mul(b.x, u.x))), vf_sub(vf_mul_add(a.x, w.y, vf_mul(b.x, u.y)), p.z),
         vf_add(vf_mul_add(a.x, w.z, vf_mul(b.x, u.z)), p.y)},
        {vf_add(vf_mul_add(a.y, w.x, vf_mul(b.y, u.x)), p.z), vf_add(minus, vf_mul_add(a.y, w.y, vf_mul(b.y, u.y))),
         vf_sub(vf_mul_add(a.y, w.z, vf_mul(b.y, u.z)), p.x)},
        {vf_sub(vf_mul_add(a.z, w.x, vf_mul(b.z, u.x)), p.y), vf_add(vf_mul_add(a.z, w.y, vf_mul(b.z, u.y)), p.x),
         vf_add(minus, vf_mul_add(a.z, w.z, vf_mul(b.z, u.z)))},
    };
}

/* diagonal - a */
VF_INLINE vf33 diagonal_less(vf3 diagonal, vf33 a)
{
    vf33 minus = {vf3_neg(a.x), vf3_neg(a.y), vf3_neg(a.z)};
    minus.x.x = vf_add(diagonal.x, minus.x.x);
    minus.y.y = vf_add(diagonal.y, minus.y.y);
    minus.z.z = vf_add(diagonal.z, minus.z.z);
    return minus;
}

/* R a, column by column of a, less b */
VF_INLINE vf33 turned_difference(rotation_map r, vf33 a, vf33 b)
{
    vf3 x = rotated(r, (vf3){a.x.x, a.y.x, a.z.x});
    vf3 y = rotated(r, (vf3){a.x.y, a.y.y, a.z.y});
    vf3 z = rotated(r, (vf3){a.x.z, a.y.z, a.z.z});
    return (vf33){vf3_sub((vf3){x.x, y.x, z.x}, b.x), vf3_sub((vf3){x.y, y.y, z.y}, b.y),
                  vf3_sub((vf3){x.z, y.z, z.z}, b.z)};
}

/* ---- The equations ---- */

/* The start v = I^-1 (mu + mu x I^-1 mu), which is omega plus the effect of its derivative; or 0. Only spheres turn by
   many radians in a sub-step, and their omega is constant. */
VF_INLINE rotation_guess first_guess(bool from_nothing, vf3 mu, vf3 t, vf3 inverse_inertia, vm moving)
{
    vf3 bend = vf3_cross(mu, t);
    vm bends = vf_lt(vf3_dot(t, t), vf_set1(16));
    if (!vm_all(bends)) {
        bend = vf3_select(bends, bend, vf3_nothing());
    }
    const vf3 v = from_nothing ? vf3_nothing() : vf3_mul_add(inverse_inertia, bend, t);
    return (rotation_guess){v, moving, vf_set1(0), vf_set1(1)};
}

/* Common to F and its derivative J. */
typedef struct turned_momentum {
    vf square;         /* v.v */
    rotation_map back; /* R(-v) for the midpoint, R(-2v) for the trapezoids */
    vf3 mu;            /* R mu */
} turned_momentum;

VF_INLINE turned_momentum turned_momentum_of(gyre_body_method method, vf3 v, vf3 mu)
{
    const rotation_map back = rotation_map_of(vf3_scale(vf_set1(method == GYRE_BODY_MIDPOINT ? -1 : -2), v));
    return (turned_momentum){vf3_dot(v, v), back, rotated(back, mu)};
}

/* W = R^-1 I^-1 R mu, for the trapezoid. */
VF_INLINE vf3 turned_spin(turned_momentum turned, vf3 inverse_inertia)
{
    return rotated(reversed(turned.back), vf3_mul(inverse_inertia, turned.mu));
}

/* -F of v:
       midpoint            F = I v - w                   w = R(u) mu, u = -v
       object trapezoid    F = I v - (mu + w) / 2        w = R(u) mu, u = -2v
       trapezoid           F = v - (t + W) / 2           W = R(-u) I^-1 w, u = -2v */
VF_INLINE vf3 rotation_residual(gyre_body_method method, vf3 v, vf3 mu, vf3 w, vf3 inertia)
{
    const vf3 mean = method == GYRE_BODY_MIDPOINT ? w : vf3_scale(vf_set1(0.5f), vf3_add(mu, w));
    return vf3_neg_mul_add(inertia, v, mean);
}

VF_INLINE vf3 trapezoid_residual(vf3 v, vf3 t, vf3 spin)
{
    return vf3_sub(vf3_scale(vf_set1(0.5f), vf3_add(t, spin)), v);
}

/* J = I - [w]x T(u), for the trapezoid 1 - (R(-u) I^-1 [w]x T(u) - [W]x T(-u)) */
VF_INLINE vf33 rotation_jacobian(gyre_body_method method, turned_momentum turned, vf3 spin, body_shape shape)
{
    const vf33 a = cross_left_jacobian(turned.back, turned.mu);
    if (method != GYRE_BODY_TRAPEZOID) {
        return diagonal_less(shape.inertia, a);
    }
    const vf one = vf_set1(1);
    const vf3 k = shape.inverse.inertia;
    const rotation_map forth = reversed(turned.back);
    const vf33 scaled = {vf3_scale(k.x, a.x), vf3_scale(k.y, a.y), vf3_scale(k.z, a.z)};
    return diagonal_less((vf3){one, one, one}, turned_difference(forth, scaled, cross_left_jacobian(forth, spin)));
}

/* Used instead of J if the caller wants the simple iteration. */
VF_INLINE vf33_inverse inverse_of_fixed_point(gyre_body_method method, vf3 inverse_inertia)
{
    const vf one = vf_set1(1);
    return diagonal_inverse(method == GYRE_BODY_TRAPEZOID ? (vf3){one, one, one} : inverse_inertia);
}

/* The quaternion of R(2v). */
VF_INLINE vf4 quaternion_of(vf3 v, vf square)
{
    half_rotation t = half_rotation_of(vf_mul(vf_set1(4), square));
    return (vf4){vf3_scale(t.sine, v), t.cosine};
}

/* w for the last residual of the object trapezoid: R(-2v) from the quaternion that will turn the body. Energy is
   conserved if these two agree and v is along the axis, however the angle is rounded. */
VF_INLINE vf3 momentum_turned_by_quaternion(vf3 v, vf3 mu)
{
    const vf4 quaternion = quaternion_of(v, vf3_dot(v, v));
    return momentum_in_body(quaternion, mu, vf4_square(quaternion), vf_set1(1));
}

typedef struct rotation_solution {
    vf3 v;
    vf square; /* v.v */
} rotation_solution;

/* One more correction with the same derivative where the iteration has converged. The remaining error is the cube of
   the last one. A sphere may turn so far that J is noise: then v is not changed. */
VF_INLINE rotation_solution solution_of(rotation_guess s, vf33_inverse inverse, vf3 residual)
{
    vf3 correction = inverse_mul(inverse, residual);
    if (vm_any(s.active)) {
        correction = vf3_select(s.active, vf3_nothing(), correction);
    }
    vf3 better = vf3_add(s.v, correction);
    vf square = vf3_dot(better, better);
    vm bounded = vf_lt(square, vf_set1(0x1p120f));
    if (!vm_all(bounded)) {
        better = vf3_select(bounded, better, s.v);
        square = vf3_dot(better, better);
    }
    return (rotation_solution){better, square};
}

/* R(2v), lengthened to correct the length of q, whose square is given, and its own rounding. */
VF_INLINE body_turn exponential_turn(rotation_solution s, vf square)
{
    const vf one = vf_set1(1);
    vf4 quaternion = quaternion_of(s.v, s.square);
    vf lacking = vf_mul(vf_set1(0.5f), vf_add(vf_sub(one, square), vf_sub(one, vf4_square(quaternion))));
    vf n_minus_1 = vf_mul_add(lacking, quaternion.w, vf_sub(quaternion.w, one));
    return (body_turn){vf3_scale_add(lacking, quaternion.v, quaternion.v), one, n_minus_1, s.square};
}

/* With low parts: q turned by (v, 1 + w_minus_1). */
VF_INLINE vd4 precisely_turned(vd4 q, vd3 v, vd w_minus_1)
{
    return vd4_scaled_guarded(vd_set1(1), vd4_turned(q, (vd4){v, vd_add(vd_set1(1), w_minus_1)}));
}

/* ---- Explicit Euler ---- */

/* v = h omega / 2 with omega constant in the world. */
VF_INLINE rotation_solution euler_solution(vf3 t) { return (rotation_solution){t, vf3_dot(t, t)}; }

/* The momentum in the world, which follows omega. */
VF_INLINE vf3 euler_momentum(vf4 q, vf square, vf3 momentum, vf3 v)
{
    const vf one = vf_set1(1);
    const rotation_map turn = rotation_map_of(vf3_add(v, v));
    /* R(q) (R(2v) M), as R(q*)^T is R(q) */
    const vf4 conjugate = {vf3_neg(q.v), q.w};
    const vf3 seen = momentum_in_body(q, momentum, square, one);
    /* not with rotated(): for a fast body u x (u x L) may be out of the range of float although S2 times it is not */
    const vf3 across = vf3_cross(turn.u, seen), bent = vf3_cross(vf3_scale(turn.s2, turn.u), across);
    return momentum_in_body(conjugate, vf3_scale_add(turn.s1, across, vf3_add(bent, seen)), square, one);
}

#endif
