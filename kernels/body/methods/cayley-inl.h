/* What Moser-Veselov's map does with Cayley's vector c and with y = c / k: see body/methods/moser_veselov-inl.h. */
#ifndef GYRE_BODY_CAYLEY_H
#define GYRE_BODY_CAYLEY_H

#include "body/state-inl.h"

/* b + c - a and cyclic. */
VF_INLINE vf3 sums_less(vf3 a)
{
    const vf3 differences = vf3_cyclic_differences(a);
    return (vf3){vf_add(a.y, differences.y), vf_add(a.z, differences.z), vf_add(a.x, differences.x)};
}

/* mu t / (I1 I2 I3) */
VF_INLINE vf3 weighted_squares(const body_lanes *lanes)
{
    return vf3_scale(lanes->inverse_product, vf3_mul(lanes->mu, lanes->half_angle));
}

/* d(y + k y x y) = [1, d1 y3, d1 y2; d2 y3, 1, d2 y1; d3 y2, d3 y1, 1] dy, d1 = k2 - k3 and cyclic */
VF_INLINE vf33 turned_jacobian(vf3 k, vf3 y)
{
    const vf one = vf_set1(1);
    vf3 d = vf3_cyclic_differences(k);
    return (vf33){{
        {one, vf_mul(d.x, y.z), vf_mul(d.x, y.y)},
        {vf_mul(d.y, y.z), one, vf_mul(d.y, y.x)},
        {vf_mul(d.z, y.y), vf_mul(d.z, y.x), one},
    }};
}

/* dy where that is `all`: the first row taken from the others, and Cramer's rule for the two that are left. */
VF_INLINE vf3 inverse_turned(vf3 k, vf3 y, vf3 all)
{
    const vf one = vf_set1(1);
    const vf33 a = turned_jacobian(k, y);
    const vf xy = a.row[0].y, xz = a.row[0].z, yx = a.row[1].x, yz = a.row[1].z, zx = a.row[2].x, zy = a.row[2].y;
    vf yy = vf_neg_mul_add(yx, xy, one), y_z = vf_neg_mul_add(yx, xz, yz), y_all = vf_neg_mul_add(yx, all.x, all.y);
    vf zz = vf_neg_mul_add(zx, xz, one), z_y = vf_neg_mul_add(zx, xy, zy), z_all = vf_neg_mul_add(zx, all.x, all.z);
    vf over = vf_div(one, vf_neg_mul_add(y_z, z_y, vf_mul(yy, zz)));
    vf3 d;
    d.y = vf_mul(over, vf_neg_mul_add(y_z, z_all, vf_mul(zz, y_all)));
    d.z = vf_mul(over, vf_neg_mul_add(z_y, y_all, vf_mul(yy, z_all)));
    d.x = vf_neg_mul_add(xz, d.z, vf_neg_mul_add(xy, d.y, all.x));
    return d;
}

/* c x y for c = k y: as it stands, for then energy is kept; where moments are 64 times apart by the differences of k,
   for c x y along a thin rotor is rounded as if all of y were, and a tilt by so much is another spin in the next
   sub-step. */
VF_INLINE vf3 turned_mean(const body_lanes *lanes, vf3 k, vf3 c, vf3 y)
{
    const vf3 of_differences = vf3_mul(vf3_cyclic_differences(k), vf3_cyclic_products(y));
    return vf3_select(is_compact(lanes->inverse_inertia), vf3_cross(c, y), of_differences);
}

/* c, or 0 where the step is so far beyond what is proven that c is out of all bounds; and its square. */
VF_INLINE vf3 within_bounds(vf3 c, vf *square)
{
    const vf zero = vf_set1(0);
    *square = vf3_dot(c, c);
    vm sane = vf_lt(*square, vf_set1(0x1p40f));
    if (!vm_all(sane)) {
        c = vf3_select(sane, c, (vf3){zero, zero, zero});
        *square = vf_select(sane, *square, zero);
    }
    return c;
}

/* 1 / |q (c, 1)| */
VF_INLINE vf cayley_length(const body_state *s, const body_lanes *lanes)
{
    const vf one = vf_set1(1);
    return vf_div(one, vf_sqrt(vf_mul(lanes->square, vf_add(one, s->square))));
}

VF_INLINE void turn_by_cayley(body_state *s, const body_lanes *lanes, vf4 orientation)
{
    vf n = cayley_length(s, lanes);
    s->increment = increment_of(orientation, (body_turn){s->c, n, vf_sub(n, vf_set1(1)), s->square});
}

#endif
