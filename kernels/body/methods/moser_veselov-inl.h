/* Moser-Veselov of orders 6 and 8 in closed form. Derivation, letters and equation numbers: README.md. */
#ifndef GYRE_BODY_METHODS_MOSER_VESELOV_H
#define GYRE_BODY_METHODS_MOSER_VESELOV_H

#include "body/step-inl.h"

/* In a body that spins about a principal axis, two components of t are rounding errors and two of b are their squares.
   Products of those would be subnormal, which slows a CPU down by a factor of ten and more. This guard, added to the
   factors, keeps the products normal and changes no significant digit. */
#define CURVE_GUARD 0x1p-34f

/* ---- Cayley's vector c ---- */

typedef struct cayley_vector {
    vf3 c;
    vf square; /* |c|^2 */
} cayley_vector;

VF_INLINE cayley_vector cayley_vector_of(vf3 c) { return (cayley_vector){c, vf3_dot(c, c)}; }

/* Whether it turns at all. */
VF_INLINE vm is_turn(cayley_vector by) { return vf_lt(vf_set1(0), by.square); }

/* The turn q <- q (c, 1) / |q (c, 1)|, from |q|^2. */
VF_INLINE body_turn cayley_turn(cayley_vector by, vf square)
{
    const vf one = vf_set1(1);
    const vf n = vf_div(one, vf_sqrt(vf_mul(square, vf_add(one, by.square))));
    return (body_turn){by.c, n, vf_sub(n, one), by.square};
}

/* ---- The curve, with and without low parts ---- */

/* b + c - a and cyclic */
VF_INLINE vf3 sums_minus(vf3 a)
{
    const vf3 differences = vf3_cyclic_differences(a);
    return (vf3){vf_add(a.y, differences.y), vf_add(a.z, differences.z), vf_add(a.x, differences.x)};
}

/* E = mu . t */
VF_INLINE vf curve_energy(vf3 mu, vf3 t) { return vf3_sum(vf3_mul(mu, t)); }

/* b1 = a2 a3 mu1^2 and cyclic, plus the guard. */
VF_INLINE vf3 curve_b(body_shape shape, vf3 mu, vf3 t)
{
    const vf guard = vf_set1(CURVE_GUARD);
    const vf3 weighted = vf3_scale(shape.inverse.product, vf3_mul(mu, t));
    const vf3 of_differences = vf3_cyclic_products(vf3_cyclic_differences(shape.inertia));
    return vf3_mul_add(of_differences, weighted, (vf3){guard, guard, guard});
}

/* X = sum (I2 + I3 - I1) t1^2 / (I2 I3), B M and C M. */
typedef struct curve_constants {
    vf x, bm, cm;
} curve_constants;

VF_INLINE curve_constants curve_constants_of(body_shape shape, vf3 mu, vf3 t)
{
    const vf3 weighted = vf3_scale(shape.inverse.product, vf3_mul(mu, t));
    const vf cm = vf3_dot(shape.inertia, weighted), x = vf3_dot(sums_minus(shape.inertia), weighted);
    return (curve_constants){x, vf_mul(vf3_sum(shape.inertia), cm), cm};
}

/* A position on the curve. */
typedef struct curve_point {
    vf time_minus_1; /* T - 1 */
    vf3 squares;     /* S^2 */
} curve_point;

typedef struct curve_time {
    vf minus_mean;       /* -mean */
    vf tenth_of_squares; /* r.r / 10 */
    curve_point point;
} curve_time;

/* T - 1 = -mean + r.r / 10 - r1 r2 r3 / 7 and S^2 = r + T + mean. The guard of b is included in r but not in the
   mean. */
VF_INLINE curve_time curve_time_of(int order, vf3 b)
{
    const vf minus_mean = vf_mul_add(vf_set1(-1.0f / 3), vf3_sum(b), vf_set1(CURVE_GUARD));
    const vf3 r = vf3_add_scalar(b, minus_mean);
    const vf tenth_of_squares = vf_mul(vf_set1(0.1f), vf3_dot(r, r));
    const vf product = vf_mul(vf_mul(r.x, r.y), r.z);
    const vf above = order == 6 ? tenth_of_squares : vf_neg_mul_add(vf_set1(1.0f / 7), product, tenth_of_squares);
    return (curve_time){minus_mean,
                        tenth_of_squares,
                        {vf_add(above, minus_mean), vf3_add_scalar(vf3_add_scalar(r, above), vf_set1(1))}};
}

/* For steps beyond the plan: a point of the same curve where every S^2 is at least 1/16. Planned steps have S^2 >
   1/2. */
VF_INLINE curve_point point_on_curve(curve_point p)
{
    const vf lacking = vf_max(vf_sub(vf_set1(1.0f / 16), vf3_min(p.squares)), vf_set1(0));
    return (curve_point){vf_add(p.time_minus_1, lacking), vf3_add_scalar(p.squares, lacking)};
}

/* P = S1 S2 S3 */
VF_INLINE vf curve_p(curve_point p) { return vf_sqrt(vf_mul(vf_mul(p.squares.x, p.squares.y), p.squares.z)); }

/* State of the curve that both forms use. */
typedef struct curve_state {
    vf energy; /* E */
    vf3 b;     /* plus the guard */
    curve_constants constants;
    curve_time time;
} curve_state;

typedef struct curve_delta {
    vf numerator, denominator;
} curve_delta;

VF_INLINE curve_delta curve_delta_select(vm m, curve_delta a, curve_delta b)
{
    return (curve_delta){vf_select(m, a.numerator, b.numerator), vf_select(m, a.denominator, b.denominator)};
}

/* ---- The angle about the momentum, in short steps of compact bodies ---- */

/* u = |t|^2 + mean, constant along the curve */
VF_INLINE vf curve_u(curve_state s, vf t_square) { return vf_sub(t_square, s.time.minus_mean); }

/* The largest a = E^2 / M for which the series below is as accurate as a float: (0.3 rad)^2 / 4, of order 8 (0.5 rad)^2
   / 4. In a spin about an axis a is |t|^2, otherwise less. Of a mass it is at most 3/2 u. */
VF_INLINE float longest_of_series(int order) { return order == 6 ? 0.023f : 1 / 16.0f; }

VF_INLINE vm are_surely_short(int order, vf u) { return vf_le(u, vf_set1(2 / 3.0f * longest_of_series(order))); }

/* C (a - longest) M: positive in longer steps. */
VF_INLINE vf excess_of_series(float longest_a, curve_state s, vf inverse_product)
{
    const vf longest = vf_set1(longest_a), ce = vf_mul(inverse_product, s.energy);
    return vf_neg_mul_add(longest, s.constants.cm, vf_mul(ce, s.energy));
}

/* V = X (u - B M) + 6 C M u - 4 C E^2, which cancels for thin rotors. */
VF_INLINE vf curve_v(vf u, curve_state s, vf inverse_product)
{
    const vf ce = vf_mul(inverse_product, s.energy);
    const vf rest = vf_neg_mul_add(vf_mul(vf_set1(4), s.energy), ce, vf_mul(vf_mul(vf_set1(6), u), s.constants.cm));
    return vf_mul_add(s.constants.x, vf_sub(u, s.constants.bm), rest);
}

/* delta = (10/3 X + V) / (10 - 4 u)                                                      of order 6
   delta = ((10/3 - 2/21 u + 10 G) X + (1 - u/7) V) / (10 - 30/7 u + 2/21 u^2)            of order 8
   with u = |t|^2 + mean and G = 5/63 (u^2 - E X) - 1/105 r.r. It is computed in the same stage as the division and the
   square root of curve_p, which take longer than all other operations in it. */
VF_INLINE curve_delta delta_of_series(int order, curve_state s, vf inverse_product, vf u)
{
    const vf ten = vf_set1(10), third_of_ten = vf_set1(10.0f / 3), x = s.constants.x;
    const vf v = curve_v(u, s, inverse_product);
    if (order == 6) {
        return (curve_delta){vf_mul_add(third_of_ten, x, v), vf_neg_mul_add(vf_set1(4), u, ten)};
    }
    const vf part = vf_mul(vf_set1(2.0f / 21), u), of_constants = vf_neg_mul_add(s.energy, x, vf_mul(u, u));
    const vf ten_g =
        vf_neg_mul_add(vf_set1(20.0f / 21), s.time.tenth_of_squares, vf_mul(vf_set1(50.0f / 63), of_constants));
    const vf of_x = vf_add(vf_sub(third_of_ten, part), ten_g);
    return (curve_delta){vf_mul_add(of_x, x, vf_neg_mul_add(vf_mul(vf_set1(1.5f), part), v, v)),
                         vf_mul_add(u, vf_sub(part, vf_set1(30.0f / 7)), ten)};
}

/* ---- The same in all other steps: exact in a spin about a principal axis ---- */

/* z = E / M, A M, B M and M p = M (z - k1) (z - k2) (z - k3). */
typedef struct curve_place {
    vf z, am, bm, mp;
} curve_place;

/* M (z - k1) = (I1 - I2) k1 w2 - (I3 - I1) k1 w3 and cyclic, with w = mu t. w is in units of the smallest moment,
   because squares of the momentum of a thin rotor may be out of the range of float. The guard is for bodies at rest. */
VF_INLINE curve_place curve_place_of(body_shape shape, vf3 mu, vf3 t)
{
    const vf3 w = vf3_mul(vf3_scale(vf3_max(shape.inverse.inertia), mu), t), d = vf3_cyclic_differences(shape.inertia);
    const vf m = vf3_dot_add(shape.inertia, w, vf_set1(0x1p-120f));
    const vf smallest = vf3_min(shape.inertia), c = vf_mul(shape.inverse.product, smallest);
    const vf over_m = vf_div(vf_set1(1), m);
    const vf3 off = {vf_neg_mul_add(d.y, w.z, vf_mul(d.z, w.y)), vf_neg_mul_add(d.z, w.x, vf_mul(d.x, w.z)),
                     vf_neg_mul_add(d.x, w.y, vf_mul(d.y, w.x))};
    return (curve_place){vf_mul(vf3_sum(w), over_m), vf_mul(vf_mul(smallest, m), vf3_sum(shape.inverse.inertia)),
                         vf_mul(vf_mul(c, m), vf3_sum(shape.inertia)),
                         vf_mul(vf_mul(c, off.x), vf_mul(vf_mul(over_m, off.y), vf_mul(over_m, off.z)))};
}

/* sqrt(1 + 2 v + 3/5 v^2) - 1, and of order 8 sqrt(1 + 2 v + 3/5 v^2 - 2/7 v^3) - 1, within 2^-27 for |v| up to
   0.054. */
VF_INLINE vf curve_root_minus_1(int order, vf v)
{
    const float c3 = order == 6 ? 1 / 5.0f : 2 / 35.0f, c4 = order == 6 ? -11 / 50.0f : -27 / 350.0f;
    const float c5 = order == 6 ? 13 / 50.0f : 31 / 350.0f;
    const vf high = vf_mul_add(v, vf_mul_add(v, vf_set1(c5), vf_set1(c4)), vf_set1(c3));
    return vf_mul(v, vf_mul_add(v, vf_mul_add(v, high, vf_set1(-1 / 5.0f)), vf_set1(1)));
}

/* delta = z (a (1 - a/35) + (3 - 2/7 a) s) / (3 - 9/7 a + a^2/35) + 2/3 M p d / (1 - 3/5 u)
   with a = z E, v = u - a, s = curve_root_minus_1 of v, and

   d = 1 - a/5 - 4/5 v - 3/10 B M

   and of order 8 added to that

   - 41/150 a^2 - 146/175 a v + 17/350 v^2 + (2/25 a + 9/175 v) B M - 2/105 (3 A M + 16 E) M p */
VF_INLINE curve_delta delta_exact_at_axes(int order, curve_place place, vf energy, vf u)
{
    const vf one = vf_set1(1), z = place.z, bm = place.bm;
    const vf a = vf_mul(z, energy), v = vf_sub(u, a);
    const vf tangent = vf_mul_add(vf_mul(a, vf_set1(-1 / 35.0f)), a, a);
    const vf at_axes = vf_mul_add(vf_mul_add(a, vf_set1(-2 / 7.0f), vf_set1(3)), curve_root_minus_1(order, v), tangent);
    const vf below = vf_mul_add(a, vf_mul_add(a, vf_set1(1 / 35.0f), vf_set1(-9 / 7.0f)), vf_set1(3));
    vf d = vf_mul_add(bm, vf_set1(-0.3f), vf_mul_add(v, vf_set1(-0.8f), vf_mul_add(a, vf_set1(-0.2f), one)));
    if (order == 8) {
        const vf of_a =
            vf_mul_add(a, vf_set1(-41 / 150.0f), vf_mul_add(v, vf_set1(-146 / 175.0f), vf_mul(bm, vf_set1(0.08f))));
        const vf of_v = vf_mul_add(v, vf_set1(17 / 350.0f), vf_mul(bm, vf_set1(9 / 175.0f)));
        const vf of_p = vf_mul_add(place.am, vf_set1(-2 / 35.0f), vf_mul(energy, vf_set1(-32 / 105.0f)));
        d = vf_add(d, vf_mul_add(of_a, a, vf_mul_add(of_v, v, vf_mul(of_p, place.mp))));
    }
    const vf below_off = vf_mul_add(u, vf_set1(-0.6f), one);
    return (curve_delta){
        vf_mul_add(vf_mul(z, at_axes), below_off, vf_mul(vf_mul(vf_mul(vf_set1(2 / 3.0f), place.mp), d), below)),
        vf_mul(below, below_off)};
}

VF_INLINE vf quotient(curve_delta delta) { return vf_div(delta.numerator, delta.denominator); }

/* ---- Without low parts ---- */

typedef struct curve_products {
    vf3 e;
    vf q;
} curve_products;

/* e1 = a1 mu2 mu3 = (I2 - I3) t2 t3 and cyclic, q = a1 a2 a3 mu1 mu2 mu3 */
VF_INLINE curve_products curve_products_of(body_shape shape, vf3 t)
{
    const vf3 differences = vf3_cyclic_differences(shape.inertia);
    const vf3 e = vf3_mul(differences, vf3_cyclic_products(t));
    const vf of_x = vf_mul(shape.inverse.product, vf_mul(differences.y, differences.z));
    return (curve_products){e, vf_mul(vf_mul(of_x, t.x), e.x)};
}

/* b1 b2 + b2 b3 + b3 b1 */
VF_INLINE vf sum_of_pairs(vf3 b) { return vf_mul_add(b.x, b.y, vf_mul(b.z, vf_add(b.x, b.y))); }

typedef struct curve_y {
    vf3 y;
    vf k_minus_1; /* K - 1 */
} curve_y;

/* y1 = (mu1 S2^2 S3^2 / P + e1) / T and cyclic, K = (T^2 - b1 b2 - b2 b3 - b3 b1 - 2 q (q + P) / T) / (P T) */
VF_INLINE curve_y curve_y_of(vf3 mu, curve_products products, vf b_pairs, curve_point point, vf p)
{
    const vf one = vf_set1(1), q = products.q;
    const vf time = vf_add(one, point.time_minus_1), inverse_pt = vf_div(one, vf_mul(p, time));
    const vf of_q = vf_mul(vf_mul(vf_add(q, q), p), vf_add(q, p));
    const vf rest = vf_sub(vf_mul(time, vf_sub(point.time_minus_1, vf_sub(p, one))), b_pairs);
    const vf k_minus_1 = vf_mul(inverse_pt, vf_neg_mul_add(inverse_pt, of_q, rest));
    const vf3 sum = vf3_mul_add(mu, vf3_cyclic_products(point.squares), vf3_scale(p, products.e));
    return (curve_y){vf3_scale(inverse_pt, sum), k_minus_1};
}

VF_INLINE vf3 scaled_momentum(vf3 mu, vf k_minus_1) { return vf3_scale_add(k_minus_1, mu, mu); } /* K mu */

/* c = (k + delta) y, with y after two rounds of y <- K mu - c x y, which is (4). The last c x y is formed from the
   digits of c. */
VF_INLINE cayley_vector refined_c(vf3 mu, vf3 k, curve_y found)
{
    const vf3 y = found.y, scaled = scaled_momentum(mu, found.k_minus_1);
    const vf3 once = vf3_neg_mul_add(vf3_cyclic_differences(k), vf3_cyclic_products(y), scaled);
    const vf3 change = vf3_cross(vf3_mul(k, once), once);
    return cayley_vector_of(vf3_neg_mul_add(k, change, vf3_mul(k, scaled)));
}

/* dy with (1 + d(c x y)/dy) dy = residual, the matrix [1, d1 y3, d1 y2; d2 y3, 1, d2 y1; d3 y2, d3 y1, 1] with d1 = k2
   - k3 and cyclic: the first row eliminated, and Cramer's rule for the other two. */
VF_INLINE vf3 newton_correction(vf3 k, vf3 y, vf3 residual)
{
    const vf one = vf_set1(1);
    const vf3 d = vf3_cyclic_differences(k);
    const vf xy = vf_mul(d.x, y.z), xz = vf_mul(d.x, y.y), yx = vf_mul(d.y, y.z), yz = vf_mul(d.y, y.x);
    const vf zx = vf_mul(d.z, y.y), zy = vf_mul(d.z, y.x);
    const vf yy = vf_neg_mul_add(yx, xy, one), y_z = vf_neg_mul_add(yx, xz, yz);
    const vf zz = vf_neg_mul_add(zx, xz, one), z_y = vf_neg_mul_add(zx, xy, zy);
    const vf y_residual = vf_neg_mul_add(yx, residual.x, residual.y);
    const vf z_residual = vf_neg_mul_add(zx, residual.x, residual.z);
    const vf inverse_determinant = vf_div(one, vf_neg_mul_add(y_z, z_y, vf_mul(yy, zz)));
    vf3 dy;
    dy.y = vf_mul(inverse_determinant, vf_neg_mul_add(y_z, z_residual, vf_mul(zz, y_residual)));
    dy.z = vf_mul(inverse_determinant, vf_neg_mul_add(z_y, y_residual, vf_mul(yy, z_residual)));
    dy.x = vf_neg_mul_add(xz, dy.z, vf_neg_mul_add(xy, dy.y, residual.x));
    return dy;
}

/* One step of Newton's iteration for (4). c x y is formed from the digits of c, which conserves the energy. In a thin
   rotor, c x y along the axis would have a rounding error as large as that of all of y, and a tilt by that much changes
   the spin of the next sub-step: it is computed from differences of k there. */
VF_INLINE vf3 newton_y(vf3 y, vf3 scaled, vf3 k, vf3 inverse_inertia)
{
    const vf3 of_differences = vf3_mul(vf3_cyclic_differences(k), vf3_cyclic_products(y));
    const vf3 turned = vf3_select(is_compact(inverse_inertia), vf3_cross(vf3_mul(k, y), y), of_differences);
    const vf3 residual = vf3_sub(vf3_sub(scaled, y), turned);
    return vf3_add(y, newton_correction(inverse_inertia, y, residual));
}

/* Like refined_c, but with two such steps, for bodies that are not well conditioned: the error of their first y is
   larger than rounding, or two rounds would increase the residual. c is 0 where a step is so long that |c| is out of
   bounds. */
VF_INLINE cayley_vector refined_c_by_newton(vm ill_conditioned, vf3 c, vf3 mu, vf3 k, curve_y found,
                                            vf3 inverse_inertia)
{
    const vf3 scaled = scaled_momentum(mu, found.k_minus_1);
    const vf3 once = newton_y(found.y, scaled, k, inverse_inertia);
    const vf3 twice = newton_y(once, scaled, k, inverse_inertia);
    const vf3 any = vf3_select(ill_conditioned, vf3_mul(k, twice), c);
    const vm bounded = vf_lt(vf3_dot(any, any), vf_set1(0x1p40f));
    return cayley_vector_of(vf3_select(bounded, any, vf3_nothing()));
}

/* (change by the refinement / rotation)^2 for moving bodies, without NaN. */
VF_INLINE vf refinement_square(vm moving, cayley_vector refined, vf3 k, vf3 y)
{
    const vf3 change = vf3_sub(refined.c, vf3_mul(k, y));
    const vf square = vf_select(moving, vf3_dot(change, change), vf_set1(0));
    return vf_min(vf_div(square, vf_max(refined.square, vf_set1(0x1p-120f))), vf_set1(1));
}

/* ---- With low parts ---- */

/* delta and 1 / P are floats: an error in delta or in T affects only the time, never the energy. */

/* 1 / sqrt(1 + x) = 1 - x/2 + 3/8 x^2 for |x| up to 2^-18 */
VF_INLINE vd inverse_root(vd x) { return vd_mul_add(x, vd_mul_add(vd_set1(0.375), x, vd_set1(-0.5)), vd_set1(1)); }

/* y is middle / P + e over T. */
typedef struct precise_curve {
    vd3 middle, e; /* middle: mu1 S2^2 S3^2 and cyclic */
    vd inverse_p, time;
} precise_curve;

/* S^2 = T + b, and 1 / P from its rounded value r by 1 / sqrt(1 + (P^2 r^2 - 1)). */
VF_INLINE precise_curve precise_curve_of(vd3 mu, vd3 k, vd time_minus_1, vd r)
{
    const vd one = vd_set1(1);
    const vd3 next = {mu.y, mu.z, mu.x}, last = {mu.z, mu.x, mu.y};
    const vd3 a = {vd_sub(k.z, k.y), vd_sub(k.x, k.z), vd_sub(k.y, k.x)};
    const vd3 of_next = vd3_mul(a, next), of_last = vd3_mul(a, last);
    const vd3 b = {vd_mul(of_last.y, of_next.z), vd_mul(of_last.z, of_next.x), vd_mul(of_last.x, of_next.y)};
    const vd time = vd_add(one, time_minus_1);
    const vd3 squares = vd3_add_scalar(b, time), pairs = vd3_cyclic_products(squares);
    const vd p_square = vd_mul(squares.x, pairs.x), x = vd_sub(vd_mul(p_square, vd_mul(r, r)), one);
    return (precise_curve){vd3_mul(mu, pairs), vd3_mul(of_next, last), vd_mul(r, inverse_root(x)), time};
}

/* (c, 1) T */
VF_INLINE vd4 precise_cayley(precise_curve s, vd3 k, vd delta)
{
    const vd3 y = vd3_scale_add(s.inverse_p, s.middle, s.e);
    return (vd4){vd3_mul(vd3_add_scalar(k, delta), y), s.time};
}

/* 1 / |q (c, 1) T|, from the squares of both lengths. */
VF_INLINE vf inverse_of_lengths(vf square, vf of_turn) { return vf_div(vf_set1(1), vf_sqrt(vf_mul(square, of_turn))); }

/* Bodies turn only if the length is within bounds, which it may not be in a step beyond the plan. */
VF_INLINE vm turns_along_curve(vf inverse_length, vf energy)
{
    return vm_and(vf_lt(vf_set1(0x1p-50f), inverse_length), vf_lt(vf_set1(0), energy));
}

#endif
