/* Implicit methods whose unknown is the rotation vector v of a sub-step (after M. Mizerski's article on the rotational
   motion of rigid bodies, Roblox 2020): with M the momentum in the body at the start, times h, and R, T as in
   rotation.c, the orientation turns by R(v) and v solves

       midpoint            I v = R(-v/2) M                             energy bounded
       object trapezoid    I v = (M + R(-v) M) / 2                     energy kept
       trapezoid             v = (I^-1 M + R(v) I^-1 R(-v) M) / 2      energy bounded

   The object trapezoid keeps energy because (M1 - M) . I^-1 (M1 + M) / 2 = (R(-v) M - M) . v = 0: turning about v
   leaves v as it is. All three are of order 2 and symmetric in time.

   ## Newton's iteration

   d(R(v) X) = -[R(v) X]x T(v) dv. So with w the turned momentum the residuals F and their derivatives J are

       midpoint            F = I v - w                 w = R(-v/2) M            J = I - [w]x T(-v/2) / 2
       object trapezoid    F = I v - (M + w) / 2       w = R(-v) M              J = I - [w]x T(-v) / 2
       trapezoid           F = v - (I^-1 M + W) / 2    W = R(v) I^-1 w          J = 1 - (R(v) I^-1 A - B) / 2

   with A = [w]x T(-v) and B = [W]x T(v). These need no product of matrices: with a = |u|, [w]x T(u) is

       (1 - S3 a^2) [w]x + S2 (u w^T - w.u) + S3 (w x u) u^T.

   ## Sub-steps that are certain to converge

   Kantorovich's theorem from v = 0: if |J(0)^-1| <= beta, the first correction is at most eta, and J has the Lipschitz
   constant K, Newton's iteration converges where beta eta K <= 1/2. With s and S the smallest and largest moment:
   - Midpoint: J(0) = I - [M]x / 2 has the symmetric part I, so beta = 1/s, and eta <= |M| / s. d[w]x T(-v/2) / 2 is the
     second derivative of R(-v/2) M, at most |M| / 4. So |M|^2 <= 2 s^2.
   - Object trapezoid: the same with K = |M| / 2: second derivative of R(-v) M / 2. So |M| <= s.
   - Trapezoid: only what I^-1 differs from its mean matters, for what is isotropic turns forth and back. Its norm is
     d = (1/s - 1/S) / 2: beta = 1 / (1 - d |M|), K = 2 d |M|, eta <= beta |M| / s, which holds for
     |M| <= 1 / (2 sqrt(d / s) + d). A sphere turns in one step however fast it is.
   Inside these every start that is tried here converges as well: omega and what its derivative adds,
   v = omega + I^-1 (M x omega) / 2. */
#include "body_lanes.h"

typedef struct rotation_problem {
    wf3 momentum; /* h M in the body */
    wf3 inertia, over_inertia;
    wf3 turn; /* I^-1 h M */
} rotation_problem;

/* R(u) and T(u) as they act on vectors. */
typedef struct rotation_map {
    wf3 u;
    rotation_series s;
    wf square; /* u.u */
} rotation_map;

VF_INLINE rotation_map rotation_map_of(wf3 u)
{
    wf square = wf3_dot(u, u);
    return (rotation_map){u, rotation_series_of(square), square};
}

VF_INLINE wf3 rotated(const rotation_map *r, wf3 x)
{
    wf3 across = wf3_cross(r->u, x);
    return wf3_scale_add(r->s.s1, across, wf3_scale_add(r->s.s2, wf3_cross(r->u, across), x));
}

/* [w]x T(u) */
VF_INLINE wf33 cross_tangent(const rotation_map *r, wf3 w)
{
    const wf3 u = r->u;
    wf3 p = wf3_scale(wf_nmla(r->s.s3, r->square, wf_set1(1)), w);
    wf3 a = wf3_scale(r->s.s2, u), b = wf3_scale(r->s.s3, wf3_cross(w, u));
    wf minus = wf_neg(wf3_dot(w, a));
    return (wf33){{
        {wf_add(minus, wf_mla(a.x, w.x, wf_mul(b.x, u.x))), wf_sub(wf_mla(a.x, w.y, wf_mul(b.x, u.y)), p.z),
         wf_add(wf_mla(a.x, w.z, wf_mul(b.x, u.z)), p.y)},
        {wf_add(wf_mla(a.y, w.x, wf_mul(b.y, u.x)), p.z), wf_add(minus, wf_mla(a.y, w.y, wf_mul(b.y, u.y))),
         wf_sub(wf_mla(a.y, w.z, wf_mul(b.y, u.z)), p.x)},
        {wf_sub(wf_mla(a.z, w.x, wf_mul(b.z, u.x)), p.y), wf_add(wf_mla(a.z, w.y, wf_mul(b.z, u.y)), p.x),
         wf_add(minus, wf_mla(a.z, w.z, wf_mul(b.z, u.z)))},
    }};
}

/* diagonal - a / 2 */
VF_INLINE wf33 less_half(wf3 diagonal, wf33 a)
{
    const wf half = wf_set1(0.5f);
    for (int k = 0; k < 3; k++) {
        a.row[k] = wf3_scale(wf_neg(half), a.row[k]);
    }
    a.row[0].x = wf_add(diagonal.x, a.row[0].x);
    a.row[1].y = wf_add(diagonal.y, a.row[1].y);
    a.row[2].z = wf_add(diagonal.z, a.row[2].z);
    return a;
}

/* R(v) A, column by column of A, less [W]x T(v) */
VF_INLINE wf33 turned_less(const rotation_map *r, wf33 a, wf33 b)
{
    wf3 x = rotated(r, (wf3){a.row[0].x, a.row[1].x, a.row[2].x});
    wf3 y = rotated(r, (wf3){a.row[0].y, a.row[1].y, a.row[2].y});
    wf3 z = rotated(r, (wf3){a.row[0].z, a.row[1].z, a.row[2].z});
    return (wf33){{wf3_sub((wf3){x.x, y.x, z.x}, b.row[0]), wf3_sub((wf3){x.y, y.y, z.y}, b.row[1]),
                   wf3_sub((wf3){x.z, y.z, z.z}, b.row[2])}};
}

/* -F, and J if it is wanted. Without J, -F is divided by the moments: what the simple iterator adds. */
VF_INLINE wf3 rotation_defect(gyre_body_method method, const rotation_problem *p, wf3 v, wf33 *jacobian)
{
    const wf half = wf_set1(0.5f), one = wf_set1(1);
    if (method == GYRE_BODY_TRAPEZOID) {
        rotation_map back = rotation_map_of(wf3_neg(v)), forth = {v, back.s, back.square};
        wf3 w = rotated(&back, p->momentum);
        wf3 spin = rotated(&forth, wf3_times(p->over_inertia, w));
        if (jacobian != NULL) {
            wf33 a = cross_tangent(&back, w);
            a.row[0] = wf3_scale(p->over_inertia.x, a.row[0]);
            a.row[1] = wf3_scale(p->over_inertia.y, a.row[1]);
            a.row[2] = wf3_scale(p->over_inertia.z, a.row[2]);
            *jacobian = less_half((wf3){one, one, one}, turned_less(&forth, a, cross_tangent(&forth, spin)));
        }
        return wf3_sub(wf3_scale(half, wf3_add(p->turn, spin)), v);
    }
    bool midpoint = method == GYRE_BODY_MIDPOINT;
    rotation_map back = rotation_map_of(wf3_scale(wf_set1(midpoint ? -0.5f : -1.0f), v));
    wf3 w = rotated(&back, p->momentum);
    wf3 mean = midpoint ? w : wf3_scale(half, wf3_add(p->momentum, w));
    wf3 defect = wf3_sub(mean, wf3_times(p->inertia, v));
    if (jacobian == NULL) {
        return wf3_times(p->over_inertia, defect);
    }
    *jacobian = less_half(p->inertia, cross_tangent(&back, w));
    return defect;
}

/* The quaternion of R(v). */
VF_INLINE wf4 versor_of(wf3 v)
{
    wf versor[4];
    rotation_versor(v, versor);
    return (wf4){{versor[0], versor[1], versor[2]}, versor[3]};
}

/* It, longer by what |q| and rounding have left it short of 1. */
VF_INLINE body_turn exponential_turn(wf3 v, wf square)
{
    const wf zero = wf_set1(0), one = wf_set1(1), half = wf_set1(0.5f);
    wf4 versor = versor_of(v);
    wf lacking = wf_mul(half, wf_add(wf_sub(one, square), wf_sub(one, versor_square(versor))));
    wf less = wf_mla(lacking, versor.w, wf_sub(versor.w, one));
    return (body_turn){wf3_scale_add(lacking, versor.v, versor.v), {zero, zero, zero}, one, less};
}

/* -F of the object trapezoid with R(-v) as the quaternion by which the body will turn. Its energy is kept if these two
   agree and v is along the axis, whatever rounding has made of the angle. */
VF_INLINE wf3 lasting_trapezoid_defect(const rotation_problem *p, wf3 v)
{
    wf4 versor = versor_of(v);
    wf3 w = momentum_in_body(versor, p->momentum, versor_square(versor));
    return wf3_sub(wf3_scale(wf_set1(0.5f), wf3_add(p->momentum, w)), wf3_times(p->inertia, v));
}

VF_INLINE void implicit_substep(gyre_body_method method, body_lanes *lanes, const body_plan *plan, bool low,
                                body_tally *tally)
{
    const wf zero = wf_set1(0);
    const gyre_body_solver *solver = &plan->solver;
    rotation_problem p = {.inertia = lanes->inertia, .over_inertia = lanes->over_inertia};
    p.momentum = wf3_scale(lanes->h, lanes->seen);
    p.turn = wf3_times(p.over_inertia, p.momentum);
    wf3 v = {zero, zero, zero};
    if (solver->substeps == 0) {
        wf3 bend = wf3_times(p.over_inertia, wf3_cross(p.momentum, p.turn));
        v = wf3_scale_add(wf_set1(0.5f), bend, p.turn);
    }

    body_iteration now = begin_iteration(lanes);
    const wf done = wf_set1(solver->tolerance);
    wf33_inverse inverse = {{{zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero}}, zero};
    for (int k = 0; k < solver->max_iterations && wm_any(now.active); k++) {
        tally->iterations += wm_count(now.active);
        wf33 jacobian;
        wf3 correction = rotation_defect(method, &p, v, solver->fixed_point ? NULL : &jacobian);
        if (!solver->fixed_point) {
            wf33_inverse new = inverse_of(jacobian);
            inverse = k == 0 ? new : inverse_select(now.active, new, inverse);
            correction = inverse_times(&inverse, correction);
        }
        v = corrected(&now, v, correction, done);
    }
    end_iteration(&now, lanes, plan, tally);
    if (method == GYRE_BODY_OBJECT_TRAPEZOID) {
        wf3 better = wf3_add(v, inverse_times(&inverse, lasting_trapezoid_defect(&p, v)));
        v = wf3_select(now.active, v, better);
    }
    finish_substep(lanes, low, exponential_turn(v, versor_square(lanes->orientation)), NULL);
}

/* v = h omega with omega kept in the world: the momentum follows. What simple engines do: the body turns about the same
   axis for ever. */
VF_INLINE void euler_substep(body_lanes *lanes, bool low)
{
    wf square = versor_square(lanes->orientation);
    wf3 momentum = lanes->seen;
    wf3 v = tame_rotation(wf3_scale(lanes->h, wf3_times(lanes->over_inertia, momentum)));
    rotation_map turn = rotation_map_of(v);
    wf4 q = lanes->orientation;
    wm moving = lanes_moving(lanes);
    finish_substep(lanes, low, exponential_turn(v, square), NULL);
    /* R(q) (R(v) M), as R(q*)^T is R(q) */
    wf4 conjugate = {wf3_neg(q.v), q.w};
    wf3 world = momentum_in_body(conjugate, rotated(&turn, momentum), square);
    lanes->momentum = wf3_select(moving, world, lanes->momentum);
}
