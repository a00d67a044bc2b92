/* Newton's iteration for three unknowns in each lane: each lane stops at its own convergence. */
#ifndef GYRE_BODY_NEWTON_H
#define GYRE_BODY_NEWTON_H

#include "body/state-inl.h"

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

/* Where x is not good enough yet; the first one everywhere. */
VF_INLINE void update_inverse(body_state *s, vf33 jacobian, bool first)
{
    vf33_inverse new = inverse_of(jacobian);
    s->inverse = first ? new : inverse_select(s->active, new, s->inverse);
}

VF_INLINE void begin_iteration(body_state *s, const body_lanes *lanes)
{
    s->active = lanes_moving(lanes);
    s->last_square = vf_set1(0);
    s->of_square = vf_set1(1);
}

/* x corrected, unless that would throw it out of all bounds; and whether its last correction was small enough, which is
   at most `done` times the square of the rotation. */
VF_INLINE void correct(body_state *s, vf done)
{
    vf3 correction = inverse_mul(&s->inverse, s->residual), sum = vf3_add(s->x, correction);
    vf size = vf3_dot(correction, correction), square = vf_max(s->square, size);
    vm sane = vm_and(s->active, vf_lt(size, vf_set1(0x1p40f)));
    if (!vm_all(sane)) {
        sum = vf3_select(sane, sum, s->x);
        square = vf_select(s->active, square, s->of_square);
        size = vf_select(s->active, size, s->last_square);
    }
    s->x = sum;
    s->of_square = square;
    s->last_square = size;
    s->active = vm_and(s->active, vm_not(vf_le(size, vf_mul(done, square))));
}

/* One more correction, with the same derivative, where the iteration has converged: the error left is that of the last
   one to the third power. */
VF_INLINE vf3 last_correction(const body_state *s)
{
    const vf zero = vf_set1(0);
    vf3 last = inverse_mul(&s->inverse, s->residual);
    return vm_any(s->active) ? vf3_select(s->active, (vf3){zero, zero, zero}, last) : last;
}

VF_INLINE void end_iteration(const body_state *s, body_lanes *lanes)
{
    if (vm_any(s->active)) {
        lanes->hit_limit = vf_select(s->active, vf_set1(1), lanes->hit_limit);
    }
}

/* (last correction / rotation)^2, and no NaN. */
VF_INLINE vf correction_ratio_square(const body_state *s)
{
    vf ratio = vf_div(s->last_square, vf_max(s->of_square, vf_set1(0x1p-120f)));
    return vf_min(ratio, vf_set1(1));
}

#endif
