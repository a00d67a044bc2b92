/* The methods whose unknown is the rotation vector 2 v of a sub-step: implicit midpoint and both trapezoidal rules,
   which Newton's iteration solves in each lane until that lane converges, and explicit Euler. Equations, Jacobians and
   the proof of convergence: README.md. */
#ifndef GYRE_BODY_MIDPOINT_TRAPEZOID_EULER_H
#define GYRE_BODY_MIDPOINT_TRAPEZOID_EULER_H

#include "body/orientation-inl.h"
#include "rotation/half_angle-inl.h"

/* ---- Newton's iteration for F(v) = 0 with three unknowns ---- */

VF_INLINE vf33_inverse inverse_of(vf33 a)
{
    vf33_inverse i = {{vf3_cross(a.row[1], a.row[2]), vf3_cross(a.row[2], a.row[0]), vf3_cross(a.row[0], a.row[1])},
                      vf_set1(1)};
    i.inverse_determinant = vf_div(i.inverse_determinant, vf3_dot(a.row[0], i.column[0]));
    return i;
}

VF_INLINE vf3 inverse_mul(const vf33_inverse *i, vf3 b)
{
    vf3 sum = vf3_scale_add(b.y, i->column[1], vf3_scale(b.z, i->column[2]));
    return vf3_scale(i->inverse_determinant, vf3_scale_add(b.x, i->column[0], sum));
}

VF_INLINE vf33_inverse diagonal_inverse(vf3 d)
{
    const vf zero = vf_set1(0);
    return (vf33_inverse){{{d.x, zero, zero}, {zero, d.y, zero}, {zero, zero, d.z}}, vf_set1(1)};
}

VF_INLINE vf33_inverse inverse_select(vm m, vf33_inverse x, vf33_inverse y)
{
    for (int k = 0; k < 3; k++) {
        x.column[k] = vf3_select(m, x.column[k], y.column[k]);
    }
    x.inverse_determinant = vf_select(m, x.inverse_determinant, y.inverse_determinant);
    return x;
}

/* v with a correction, unless that would be out of bounds. The lane stays active unless |correction|^2 is at most
   `done` times |v|^2. */
VF_INLINE void correct(rotation_state *s, vf done)
{
    vf3 correction = inverse_mul(&s->inverse, s->residual), sum = vf3_add(s->v, correction);
    vf size = vf3_dot(correction, correction), square = vf_max(s->square, size);
    vm bounded = vm_and(s->active, vf_lt(size, vf_set1(0x1p40f)));
    if (!vm_all(bounded)) {
        sum = vf3_select(bounded, sum, s->v);
        square = vf_select(s->active, square, s->of_square);
        size = vf_select(s->active, size, s->last_square);
    }
    s->v = sum;
    s->of_square = square;
    s->last_square = size;
    s->active = vm_and(s->active, vm_not(vf_le(size, vf_mul(done, square))));
}

/* One more correction with the same derivative where the iteration has converged. The error left is the last one to the
   third power. */
VF_INLINE vf3 last_correction(const rotation_state *s)
{
    const vf zero = vf_set1(0);
    vf3 last = inverse_mul(&s->inverse, s->residual);
    return vm_any(s->active) ? vf3_select(s->active, (vf3){zero, zero, zero}, last) : last;
}

VF_INLINE void end_iteration(const rotation_state *s, body_lanes *lanes)
{
    if (vm_any(s->active)) {
        lanes->hit_limit = vf_select(s->active, vf_set1(1), lanes->hit_limit);
    }
}

/* (last correction / rotation)^2, and no NaN. */
VF_INLINE vf correction_ratio_square(const rotation_state *s)
{
    vf ratio = vf_div(s->last_square, vf_max(s->of_square, vf_set1(0x1p-120f)));
    return vf_min(ratio, vf_set1(1));
}

/* ---- Rotations by R(u) ---- */

VF_INLINE rotation_map rotation_map_of(vf3 u)
{
    vf square = vf3_dot(u, u);
    half_rotation half = half_rotation_of(square);
    return (rotation_map){u, half.s1, half.s2, half.s3, square};
}

VF_INLINE vf3 rotated(const rotation_map *r, vf3 x)
{
    vf3 across = vf3_cross(r->u, x);
    return vf3_scale_add(r->s1, across, vf3_scale_add(r->s2, vf3_cross(r->u, across), x));
}

VF_INLINE rotation_map reversed(const rotation_map *r)
{
    return (rotation_map){vf3_neg(r->u), r->s1, r->s2, r->s3, r->square};
}

/* [w]x T(u) */
VF_INLINE vf33 cross_left_jacobian(const rotation_map *r, vf3 w)
{
    const vf3 u = r->u;
    vf3 p = vf3_scale(vf_neg_mul_add(r->s3, r->square, vf_set1(1)), w);
    vf3 a = vf3_scale(r->s2, u), b = vf3_scale(r->s3, vf3_cross(w, u));
    vf minus = vf_neg(vf3_dot(w, a));
    return (vf33){{
        {vf_add(minus, vf_mul_add(a.x, w.x, vf_mul(b.x, u.x))), vf_sub(vf_mul_add(a.x, w.y, vf_mul(b.x, u.y)), p.z),
         vf_add(vf_mul_add(a.x, w.z, vf_mul(b.x, u.z)), p.y)},
        {vf_add(vf_mul_add(a.y, w.x, vf_mul(b.y, u.x)), p.z), vf_add(minus, vf_mul_add(a.y, w.y, vf_mul(b.y, u.y))),
         vf_sub(vf_mul_add(a.y, w.z, vf_mul(b.y, u.z)), p.x)},
        {vf_sub(vf_mul_add(a.z, w.x, vf_mul(b.z, u.x)), p.y), vf_add(vf_mul_add(a.z, w.y, vf_mul(b.z, u.y)), p.x),
         vf_add(minus, vf_mul_add(a.z, w.z, vf_mul(b.z, u.z)))},
    }};
}

/* diagonal - a */
VF_INLINE vf33 diagonal_less(vf3 diagonal, vf33 a)
{
    for (int k = 0; k < 3; k++) {
        a.row[k] = vf3_neg(a.row[k]);
    }
    a.row[0].x = vf_add(diagonal.x, a.row[0].x);
    a.row[1].y = vf_add(diagonal.y, a.row[1].y);
    a.row[2].z = vf_add(diagonal.z, a.row[2].z);
    return a;
}

/* R a, column by column of a, less b */
VF_INLINE vf33 turned_difference(const rotation_map *r, vf33 a, vf33 b)
{
    vf3 x = rotated(r, (vf3){a.row[0].x, a.row[1].x, a.row[2].x});
    vf3 y = rotated(r, (vf3){a.row[0].y, a.row[1].y, a.row[2].y});
    vf3 z = rotated(r, (vf3){a.row[0].z, a.row[1].z, a.row[2].z});
    return (vf33){{vf3_sub((vf3){x.x, y.x, z.x}, b.row[0]), vf3_sub((vf3){x.y, y.y, z.y}, b.row[1]),
                   vf3_sub((vf3){x.z, y.z, z.z}, b.row[2])}};
}

/* ---- The equations ---- */

/* -F, and what J shares with it:
       midpoint            F = I v - w                   w = R(u) mu, u = -v
       object trapezoid    F = I v - (mu + w) / 2        w = R(u) mu, u = -2v
       trapezoid           F = v - (t + W) / 2           W = R(-u) I^-1 w, u = -2v */
VF_INLINE void rotation_residual(gyre_body_method method, rotation_state *s, const body_lanes *lanes, vf3 inertia)
{
    const vf half = vf_set1(0.5f);
    const vf3 v = s->v, mu = lanes->mu;
    s->square = vf3_dot(v, v);
    s->back = rotation_map_of(vf3_scale(vf_set1(method == GYRE_BODY_MIDPOINT ? -1 : -2), v));
    s->turned = rotated(&s->back, mu);
    if (method == GYRE_BODY_TRAPEZOID) {
        rotation_map forth = reversed(&s->back);
        s->spin = rotated(&forth, vf3_mul(lanes->inverse_inertia, s->turned));
        s->residual = vf3_sub(vf3_scale(half, vf3_add(lanes->half_angle, s->spin)), v);
    } else {
        vf3 mean = method == GYRE_BODY_MIDPOINT ? s->turned : vf3_scale(half, vf3_add(mu, s->turned));
        s->residual = vf3_neg_mul_add(inertia, v, mean);
    }
}

/* J = I - [w]x T(u), and of the trapezoid 1 - (R(-u) I^-1 [w]x T(u) - [W]x T(-u)) */
VF_INLINE vf33 rotation_jacobian(gyre_body_method method, const rotation_state *s, const body_lanes *lanes, vf3 inertia)
{
    vf33 a = cross_left_jacobian(&s->back, s->turned);
    if (method != GYRE_BODY_TRAPEZOID) {
        return diagonal_less(inertia, a);
    }
    const vf one = vf_set1(1);
    const rotation_map forth = reversed(&s->back);
    a.row[0] = vf3_scale(lanes->inverse_inertia.x, a.row[0]);
    a.row[1] = vf3_scale(lanes->inverse_inertia.y, a.row[1]);
    a.row[2] = vf3_scale(lanes->inverse_inertia.z, a.row[2]);
    return diagonal_less((vf3){one, one, one}, turned_difference(&forth, a, cross_left_jacobian(&forth, s->spin)));
}

/* The quaternion of R(2v). */
VF_INLINE vf4 quaternion_of(vf3 v, vf square)
{
    half_rotation half = half_rotation_of(vf_mul(vf_set1(4), square));
    return (vf4){vf3_scale(half.sine, v), half.cosine};
}

/* The residual for the last correction. The object trapezoid takes R(-2v) from the quaternion by which the body will
   turn: energy is kept if these two agree and v is along the axis, whatever rounding has made of the angle. */
VF_INLINE void rotation_last_residual(gyre_body_method method, rotation_state *s, const body_lanes *lanes, vf3 inertia)
{
    if (method != GYRE_BODY_OBJECT_TRAPEZOID) {
        rotation_residual(method, s, lanes, inertia);
        return;
    }
    vf4 quaternion = quaternion_of(s->v, vf3_dot(s->v, s->v));
    vf3 w = momentum_in_body(quaternion, lanes->mu, vf4_square(quaternion), vf_set1(1));
    s->residual = vf3_neg_mul_add(inertia, s->v, vf3_scale(vf_set1(0.5f), vf3_add(lanes->mu, w)));
}

/* The start v = I^-1 (mu + mu x I^-1 mu), omega and what its derivative adds; 0 where the caller gives the number of
   sub-steps, to show the iteration as it is. Only spheres turn by many radians in a sub-step, and their omega is
   constant. */
VF_INLINE void begin_rotation(rotation_state *s, const body_lanes *lanes, const gyre_body_solver *solver)
{
    const vf zero = vf_set1(0);
    const vf3 nothing = {zero, zero, zero}, t = lanes->half_angle;
    vf3 bend = vf3_cross(lanes->mu, t);
    vm bends = vf_lt(vf3_dot(t, t), vf_set1(16));
    if (!vm_all(bends)) {
        bend = vf3_select(bends, bend, nothing);
    }
    s->v = solver->substeps > 0 ? nothing : vf3_mul_add(lanes->inverse_inertia, bend, t);
    s->active = is_moving(lanes);
    s->last_square = zero;
    s->of_square = vf_set1(1);
}

/* The inverse Jacobian where v is not good enough yet; everywhere in the first iteration. */
VF_INLINE void update_inverse(gyre_body_method method, rotation_state *s, const body_lanes *lanes, vf3 inertia,
                              bool first, bool fixed_point)
{
    const vf one = vf_set1(1);
    if (!fixed_point) {
        const vf33_inverse new = inverse_of(rotation_jacobian(method, s, lanes, inertia));
        s->inverse = first ? new : inverse_select(s->active, new, s->inverse);
    } else if (first) {
        s->inverse = diagonal_inverse(method == GYRE_BODY_TRAPEZOID ? (vf3){one, one, one} : lanes->inverse_inertia);
    }
}

/* A sphere may turn so far that J is noise: then v stays as it is. */
VF_INLINE void solve_rotation(rotation_state *s)
{
    vf3 better = vf3_add(s->v, last_correction(s));
    vf square = vf3_dot(better, better);
    vm bounded = vf_lt(square, vf_set1(0x1p120f));
    if (!vm_all(bounded)) {
        better = vf3_select(bounded, better, s->v);
        square = vf3_dot(better, better);
    }
    s->v = better;
    s->square = square;
}

/* R(2v), longer by what |q| and rounding lack to 1. */
VF_INLINE body_turn exponential_turn(vf3 v, vf v_square, vf square)
{
    const vf one = vf_set1(1), half = vf_set1(0.5f);
    vf4 quaternion = quaternion_of(v, v_square);
    vf lacking = vf_mul(half, vf_add(vf_sub(one, square), vf_sub(one, vf4_square(quaternion))));
    vf n_minus_1 = vf_mul_add(lacking, quaternion.w, vf_sub(quaternion.w, one));
    return (body_turn){vf3_scale_add(lacking, quaternion.v, quaternion.v), one, n_minus_1, v_square};
}

VF_INLINE void turn_by_precise_exponential(const rotation_state *s, vd4 orientation[2])
{
    for (int half = 0; half < 2; half++) {
        const vd w = vd_add(vd_set1(1), vd_load(&s->turn.n_minus_1, half));
        const vd4 turned = vd4_turned(orientation[half], (vd4){vd3_load(&s->turn.v, half), w});
        orientation[half] = vd4_scaled_guarded(vd_set1(1), turned);
    }
}

/* v = h omega / 2 with omega constant in the world: the momentum follows it. Such bodies are always gathered, so the
   momentum in their lanes may change. */
VF_INLINE void turn_euler(rotation_state *s, body_lanes *lanes)
{
    const vf one = vf_set1(1);
    const vf4 q = lanes->orientation;
    const vf3 v = lanes->half_angle;
    rotation_map turn = rotation_map_of(vf3_add(v, v));
    /* R(q) (R(2v) M), as R(q*)^T is R(q) */
    vf4 conjugate = {vf3_neg(q.v), q.w};
    vf3 seen = momentum_in_body(q, lanes->momentum, lanes->square, one);
    /* not by rotated(): of a fast body u x (u x L) may be beyond the range of float where S2 times it is not */
    vf3 across = vf3_cross(turn.u, seen), bent = vf3_cross(vf3_scale(turn.s2, turn.u), across);
    vf3 turned = vf3_scale_add(turn.s1, across, vf3_add(bent, seen));
    vf3 world = momentum_in_body(conjugate, turned, lanes->square, one);
    lanes->momentum = vf3_select(is_moving(lanes), world, lanes->momentum);
    s->v = v;
    s->square = vf3_dot(v, v);
}

#endif
