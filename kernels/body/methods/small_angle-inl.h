/* Bodies that turn by a small angle in a sub-step. With every method their turn is, in the notation of README.md,

       c1 = t1 + f1 t2 t3 + t1 (2 mean - b1 + I1 X / 3) + ... and cyclic,

   the first terms of a series. The rest of a method would compute squares and products of c, most of them subnormal,
   which takes ten to a hundred times as long on many CPUs. So these bodies turn by this c, and are treated as at rest
   by the method. */
#ifndef GYRE_BODY_METHODS_SMALL_ANGLE_H
#define GYRE_BODY_METHODS_SMALL_ANGLE_H

#include "body/methods/moser_veselov-inl.h"

#include <gyre/body.h>

/* The largest |t|^2 of such bodies, or 0: up to it, the omitted terms are below rounding. With low parts, rounding
   errors are smaller, and the terms of third order, in which the other methods differ from Moser-Veselov, must be at
   most 2^-36 of the turn. */
VF_INLINE float small_angle_square(gyre_body_method method, bool low)
{
    if (method == GYRE_BODY_EXPLICIT_EULER) {
        return 0;
    }
    return low && method != GYRE_BODY_MOSER_VESELOV ? 0x1p-36f : 0x1p-26f;
}

/* rad: components of t below this turn nothing, so that squares of the others are normal numbers. */
#define SMALL_ANGLE_LEAST 0x1p-50f

VF_INLINE vm are_small_angles(float most_square, body_angle angle, vf3 inertia)
{
    return vm_and(vf_lt(angle.square, vf_set1(most_square)), is_mass(inertia));
}

/* The square of a smaller turn is 0. */
VF_INLINE vm are_turning_at_all(vf3 t) { return vf_lt(vf_set1(0x1p-75f), vf3_max_abs(t)); }

/* c from the first two terms; the third is 2^-26 of the turn. */
VF_INLINE cayley_vector small_angle_turn(vf3 half_angle, body_shape shape)
{
    const vf3 t = vf3_zero_below(SMALL_ANGLE_LEAST, half_angle), f = asymmetry(shape.inertia, shape.inverse.inertia);
    return cayley_vector_of(vf3_zero_below(SMALL_ANGLE_LEAST, vf3_mul_add(f, vf3_cyclic_products(t), t)));
}

/* c with all three terms. */
VF_INLINE vd3 precise_small_angle_turn(vd3 t, vd3 i, vd3 inverse_i)
{
    const vd3 f = vd3_mul(vd3_cyclic_differences(i), inverse_i), tau = vd3_mul(t, t);
    const vd3 b = vd3_mul(vd3_cyclic_products(f), tau), parts = vd3_mul(vd3_cyclic_products(inverse_i), tau);
    const vd third = vd_set1(1.0 / 3), twice_mean = vd_mul(vd_set1(2.0 / 3), vd3_sum(b));
    const vd x = vd_mul(third, vd_sub(vd_mul(vd3_sum(i), vd3_sum(parts)), vd_mul(vd_set1(2), vd3_dot(i, parts))));
    const vd3 of_t = vd3_scale_add(x, i, vd3_sub((vd3){twice_mean, twice_mean, twice_mean}, b));
    return vd3_mul_add(f, vd3_cyclic_products(t), vd3_mul_add(of_t, t, t));
}

/* With low parts: q turned by this angle, in double, where no square is subnormal. */
VF_INLINE vd4 precisely_turned_by_small_angle(vd4 q, vd3 mu, vd3 inertia, vd inverse_product)
{
    const vd one = vd_set1(1);
    const vd3 inverse_i = precise_inverse(inertia, inverse_product);
    const vd3 c = precise_small_angle_turn(vd3_mul(mu, inverse_i), inertia, inverse_i);
    const vd square = vd4_square(q), square_minus_1 = vd_mul_add(square, vd3_dot(c, c), vd_sub(square, one));
    return vd4_scaled_guarded(inverse_root(square_minus_1), vd4_turned(q, (vd4){c, one}));
}

#endif
