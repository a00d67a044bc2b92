/* Implicit methods whose unknown is the rotation vector of a sub-step (after M. Mizerski's article on the rotational
   motion of rigid bodies, Roblox 2020). With v half of it, mu = h M / 2, M the momentum in the body at the start, and
   R, T as in rotation/rotation-inl.h, the orientation turns by R(2v) and v solves

       midpoint            I v = R(-v) mu                                 energy bounded
       object trapezoid    I v = (mu + R(-2v) mu) / 2                     energy kept
       trapezoid             v = (I^-1 mu + R(2v) I^-1 R(-2v) mu) / 2     energy bounded

   The object trapezoid keeps energy because (M1 - M) . I^-1 (M1 + M) / 2 = (R(-2v) M - M) . 2v / h = 0: turning about v
   leaves v as it is. All three are of order 2 and symmetric in time.

   ## Newton's iteration

   d(R(u) X) = -[R(u) X]x T(u) du. So with w the turned momentum the residuals F and their derivatives J are

       midpoint            F = I v - w                   w = R(u) mu, u = -v          J = I - A
       object trapezoid    F = I v - (mu + w) / 2        w = R(u) mu, u = -2v         J = I - A
       trapezoid           F = v - (I^-1 mu + W) / 2     W = R(-u) I^-1 w, u = -2v    J = 1 - (R(-u) I^-1 A - B)

   with A = [w]x T(u) and B = [W]x T(-u). These need no product of matrices: with a = |u|, [w]x T(u) is

       (1 - S3 a^2) [w]x + S2 (u w^T - w.u) + S3 (w x u) u^T.

   ## Sub-steps that are certain to converge

   Kantorovich's theorem from v = 0: if |J(0)^-1| <= beta, the first correction is at most eta, and J has the Lipschitz
   constant K, Newton's iteration converges where beta eta K <= 1/2. With s and S the smallest and largest moment:
   - Midpoint: J(0) = I - [mu]x has the symmetric part I, so beta = 1/s, and eta <= |mu| / s. dA is the second
   derivative of R(-v) mu, at most |mu|. So 2 |mu|^2 <= s^2.
   - Object trapezoid: the same with K = 2 |mu|: second derivative of R(-2v) mu / 2. So 2 |mu| <= s.
   - Trapezoid: an isotropic part of I^-1 turns forth and back unchanged; what is left of it has the norm
     d = (1/s - 1/S) / 2: beta = 1 / (1 - 2d |mu|), K = 8 d |mu|, eta <= beta |mu| / s, which holds for
     2 |mu| <= 1 / (2 sqrt(d / s) + d). A sphere turns in one step however fast it is.

   Inside these every start that is tried here converges as well: omega and what its derivative adds, times h / 2,
   v = I^-1 (mu + mu x I^-1 mu). */
#ifndef GYRE_BODY_EXPONENTIAL_H
#define GYRE_BODY_EXPONENTIAL_H

#include "body/methods/newton-inl.h"
#include "rotation/half_angle-inl.h"

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
VF_INLINE vf33 turned_minus(const rotation_map *r, vf33 a, vf33 b)
{
    vf3 x = rotated(r, (vf3){a.row[0].x, a.row[1].x, a.row[2].x});
    vf3 y = rotated(r, (vf3){a.row[0].y, a.row[1].y, a.row[2].y});
    vf3 z = rotated(r, (vf3){a.row[0].z, a.row[1].z, a.row[2].z});
    return (vf33){{vf3_sub((vf3){x.x, y.x, z.x}, b.row[0]), vf3_sub((vf3){x.y, y.y, z.y}, b.row[1]),
                   vf3_sub((vf3){x.z, y.z, z.z}, b.row[2])}};
}

/* -F, and what J shares with it. */
VF_INLINE void rotation_residual(gyre_body_method method, body_state *s, const body_lanes *lanes, vf3 inertia)
{
    const vf half = vf_set1(0.5f);
    const vf3 v = s->x, mu = lanes->mu;
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

VF_INLINE vf33 rotation_jacobian(gyre_body_method method, const body_state *s, const body_lanes *lanes, vf3 inertia)
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
    return diagonal_less((vf3){one, one, one}, turned_minus(&forth, a, cross_left_jacobian(&forth, s->spin)));
}

/* The quaternion of R(2v). */
VF_INLINE vf4 quaternion_of(vf3 v, vf square)
{
    half_rotation half = half_rotation_of(vf_mul(vf_set1(4), square));
    return (vf4){vf3_scale(half.sine, v), half.cosine};
}

/* The defect for the last correction. The object trapezoid's is -F with R(-2v) as the quaternion by which the body will
   turn: its energy is kept if these two agree and v is along the axis, whatever rounding has made of the angle. */
VF_INLINE void rotation_last_residual(gyre_body_method method, body_state *s, const body_lanes *lanes, vf3 inertia)
{
    if (method != GYRE_BODY_OBJECT_TRAPEZOID) {
        rotation_residual(method, s, lanes, inertia);
        return;
    }
    vf4 quaternion = quaternion_of(s->x, vf3_dot(s->x, s->x));
    vf3 w = momentum_in_body(quaternion, lanes->mu, vf4_square(quaternion), vf_set1(1));
    s->residual = vf3_neg_mul_add(inertia, s->x, vf3_scale(vf_set1(0.5f), vf3_add(lanes->mu, w)));
}

/* omega and what its derivative adds; v = 0 where sub-steps are given, to show the iteration as it is. Only spheres
   turn by many radians in a sub-step, and their omega is constant. */
VF_INLINE void begin_rotation(body_state *s, const body_lanes *lanes, const gyre_body_solver *solver)
{
    const vf zero = vf_set1(0);
    const vf3 nothing = {zero, zero, zero}, t = lanes->half_angle;
    vf3 bend = vf3_cross(lanes->mu, t);
    vm bends = vf_lt(vf3_dot(t, t), vf_set1(16));
    if (!vm_all(bends)) {
        bend = vf3_select(bends, bend, nothing);
    }
    s->x = solver->substeps > 0 ? nothing : vf3_mul_add(lanes->inverse_inertia, bend, t);
    begin_iteration(s, lanes);
}

VF_INLINE void derive_rotation(gyre_body_method method, body_state *s, const body_lanes *lanes, vf3 inertia, bool first,
                               bool fixed_point)
{
    const vf one = vf_set1(1);
    if (!fixed_point) {
        update_inverse(s, rotation_jacobian(method, s, lanes, inertia), first);
    } else if (first) {
        s->inverse = diagonal_inverse(method == GYRE_BODY_TRAPEZOID ? (vf3){one, one, one} : lanes->inverse_inertia);
    }
}

/* A sphere may turn so far that J is noise: then x stays as it is. */
VF_INLINE void solve_rotation(body_state *s)
{
    vf3 better = vf3_add(s->x, last_correction(s));
    vf square = vf3_dot(better, better);
    vm sane = vf_lt(square, vf_set1(0x1p120f));
    if (!vm_all(sane)) {
        better = vf3_select(sane, better, s->x);
        square = vf3_dot(better, better);
    }
    s->x = better;
    s->square = square;
}

/* R(2v), longer by what |q| and rounding leave that short of 1. */
VF_INLINE body_turn exponential_turn(vf3 v, vf v_square, vf square)
{
    const vf one = vf_set1(1), half = vf_set1(0.5f);
    vf4 quaternion = quaternion_of(v, v_square);
    vf lacking = vf_mul(half, vf_add(vf_sub(one, square), vf_sub(one, vf4_square(quaternion))));
    vf less = vf_mul_add(lacking, quaternion.w, vf_sub(quaternion.w, one));
    return (body_turn){vf3_scale_add(lacking, quaternion.v, quaternion.v), one, less, v_square};
}

VF_INLINE void turn_by_precise_exponential(body_state *s)
{
    FOR_EACH_HALF
    {
        const vd w = vd_add(vd_set1(1), vd_load(&s->turn.less, half));
        const vd3 v = vd3_load(&s->turn.v, half);
        vd4 *orientation = &s->precise_orientation[half];
        *orientation = vd4_scaled_guarded(vd_set1(1), vd4_turned(*orientation, (vd4){v, w}));
    }
}

/* v = h omega / 2 with omega kept in the world: the momentum follows. What simple engines do: the body turns about the
   same axis for ever. Its bodies are apart always, so the momentum in their lanes is theirs to change. */
VF_INLINE void turn_euler(body_state *s, body_lanes *lanes)
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
    lanes->momentum = vf3_select(lanes_moving(lanes), world, lanes->momentum);
    s->x = v;
    s->square = vf3_dot(v, v);
}

#endif
