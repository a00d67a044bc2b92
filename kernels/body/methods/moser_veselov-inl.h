/* Moser-Veselov of orders 6 and 8 in closed form. Derivation, letters and equation numbers: README.md. */
#ifndef GYRE_BODY_MOSER_VESELOV_H
#define GYRE_BODY_MOSER_VESELOV_H

#include "body/orientation-inl.h"

/* In a body that spins about a principal axis two components of t are rounding errors, two of b are their squares, and
   products of those would be subnormal, which slows a CPU down by a factor of ten and more. This guard, added to what
   is multiplied, keeps the products normal and changes no digit that counts. */
#define CURVE_GUARD 0x1p-34f

/* ---- Cayley's vector c ---- */

/* b + c - a and cyclic */
VF_INLINE vf3 sums_minus(vf3 a)
{
    const vf3 differences = vf3_cyclic_differences(a);
    return (vf3){vf_add(a.y, differences.y), vf_add(a.z, differences.z), vf_add(a.x, differences.x)};
}

/* mu t / (I1 I2 I3) */
VF_INLINE vf3 weighted_squares(const body_lanes *lanes)
{
    return vf3_scale(lanes->inverse_product, vf3_mul(lanes->mu, lanes->half_angle));
}

/* The turn q <- q (c, 1) / |q (c, 1)| */
VF_INLINE body_turn cayley_turn(vf3 c, vf c_square, const body_lanes *lanes)
{
    const vf one = vf_set1(1);
    const vf n = vf_div(one, vf_sqrt(vf_mul(lanes->square, vf_add(one, c_square))));
    return (body_turn){c, n, vf_sub(n, one), c_square};
}

/* ---- The curve, with and without low parts ---- */

/* b1 = a2 a3 mu1^2 and cyclic, E = mu . t, X = sum (I2 + I3 - I1) t1^2 / (I2 I3), B M and C M. */
VF_INLINE void begin_curve(curve_state *s, const body_lanes *lanes, vf3 inertia)
{
    const vf3 mu_t = vf3_mul(lanes->mu, lanes->half_angle);
    s->energy = vf3_sum(mu_t); /* first, or gcc has no register left for mu_t */
    const vf3 weighted = vf3_scale(lanes->inverse_product, mu_t), differences = vf3_cyclic_differences(inertia);
    const vf guard = vf_set1(CURVE_GUARD);
    s->b = vf3_mul_add(vf3_cyclic_products(differences), weighted, (vf3){guard, guard, guard});
    s->x = vf3_dot(sums_minus(inertia), weighted);
    s->cm = vf3_dot(inertia, weighted);
    s->bm = vf_mul(vf3_sum(inertia), s->cm);
}

/* V = -2/3 (b.x + 2 sum x1 e1^2 / (mu1 t1 I1)) of thin rotors, where the other form cancels. The guards are each axis'
   own: in a rotor that spins about a principal axis what is across it is below CURVE_GUARD. Out of line: it is rare. */
static __attribute__((noinline)) vf v_of_thin_rotors(const curve_state *s, const body_lanes *lanes, vf3 inertia)
{
    const vf3 t = vf3_zero_below(0x1p-50f, lanes->half_angle), sums = sums_minus(inertia);
    const vf3 x = vf3_zero_below(0x1p-90f, vf3_mul(sums, weighted_squares(lanes)));
    const vf3 e = vf3_mul(vf3_cyclic_differences(inertia), vf3_cyclic_products(t));
    const vf3 guarded = vf3_scale_add(vf_set1(CURVE_GUARD), inertia, e);
    const vf of_e = vf3_dot(vf3_mul(sums, lanes->inverse_inertia), vf3_mul(guarded, guarded));
    const vf both = vf_mul_add(vf_mul(vf_set1(2), lanes->inverse_product), of_e, vf3_dot(s->b, x));
    return vf_mul(vf_set1(-2.0f / 3), both);
}

/* V = X (u - B M) + 6 C M u - 4 C E^2, in thin rotors by the other form. `compact`: none is thin. */
VF_INLINE vf find_v(bool compact, vf u, const curve_state *s, const body_lanes *lanes, vf3 inertia)
{
    const vf ce = vf_mul(lanes->inverse_product, s->energy);
    const vf rest = vf_neg_mul_add(vf_mul(vf_set1(4), s->energy), ce, vf_mul(vf_mul(vf_set1(6), u), s->cm));
    const vf v = vf_mul_add(s->x, vf_sub(u, s->bm), rest);
    return compact ? v : vf_select(is_compact(inertia), v, v_of_thin_rotors(s, lanes, inertia));
}

/* T - 1 = -mean + r.r / 10 - r1 r2 r3 / 7 and S^2 = r + T + mean. The guard of b is in r and not in the mean. */
VF_INLINE void find_time(int order, curve_state *s)
{
    s->minus_mean = vf_mul_add(vf_set1(-1.0f / 3), vf3_sum(s->b), vf_set1(CURVE_GUARD));
    const vf3 r = vf3_add_scalar(s->b, s->minus_mean);
    const vf tenth_of_squares = vf_mul(vf_set1(0.1f), vf3_dot(r, r));
    const vf product = vf_mul(vf_mul(r.x, r.y), r.z);
    const vf above = order == 6 ? tenth_of_squares : vf_neg_mul_add(vf_set1(1.0f / 7), product, tenth_of_squares);
    if (order == 8) {
        s->tenth_of_squares = tenth_of_squares;
    }
    s->time_minus_1 = vf_add(above, s->minus_mean);
    s->squares = vf3_add_scalar(vf3_add_scalar(r, above), vf_set1(1));
}

/* In steps beyond the plan: a point of the same curve where every S^2 is at least 1/16. Planned steps have S^2 > 1/2.
 */
VF_INLINE void stay_on_curve(curve_state *s)
{
    const vf lacking = vf_max(vf_sub(vf_set1(1.0f / 16), vf3_min(s->squares)), vf_set1(0));
    s->time_minus_1 = vf_add(s->time_minus_1, lacking);
    s->squares = vf3_add_scalar(s->squares, lacking);
}

typedef struct curve_delta {
    vf numerator, denominator;
} curve_delta;

/* delta = (10/3 X + V) / (10 - 4 u)                                                      of order 6
   delta = ((10/3 - 2/21 u + 10 G) X + (1 - u/7) V) / (10 - 30/7 u + 2/21 u^2)            of order 8
   with u = |t|^2 + mean and G = 5/63 (u^2 - E X) - 1/105 r.r. It is found beside the division and the square root of
   find_phase, whose unit takes longer than all other operations of that stage. */
VF_INLINE curve_delta find_delta(int order, bool compact, const curve_state *s, const body_lanes *lanes, vf3 inertia)
{
    const vf ten = vf_set1(10), third_of_ten = vf_set1(10.0f / 3), x = s->x;
    const vf u = vf_sub(lanes->half_angle_square, s->minus_mean), v = find_v(compact, u, s, lanes, inertia);
    if (order == 6) {
        return (curve_delta){vf_mul_add(third_of_ten, x, v), vf_neg_mul_add(vf_set1(4), u, ten)};
    }
    const vf part = vf_mul(vf_set1(2.0f / 21), u), of_constants = vf_neg_mul_add(s->energy, x, vf_mul(u, u));
    const vf ten_g =
        vf_neg_mul_add(vf_set1(20.0f / 21), s->tenth_of_squares, vf_mul(vf_set1(50.0f / 63), of_constants));
    const vf of_x = vf_add(vf_sub(third_of_ten, part), ten_g);
    return (curve_delta){vf_mul_add(of_x, x, vf_neg_mul_add(vf_mul(vf_set1(1.5f), part), v, v)),
                         vf_mul_add(u, vf_sub(part, vf_set1(30.0f / 7)), ten)};
}

/* ---- Without low parts ---- */

/* e1 = a1 mu2 mu3 = (I2 - I3) t2 t3 and cyclic, q = a1 a2 a3 mu1 mu2 mu3 */
VF_INLINE void find_products(moser_veselov_state *s, const body_lanes *lanes, vf3 inertia)
{
    const vf3 differences = vf3_cyclic_differences(inertia);
    s->e = vf3_mul(differences, vf3_cyclic_products(lanes->half_angle));
    const vf of_x = vf_mul(lanes->inverse_product, vf_mul(differences.y, differences.z));
    s->q = vf_mul(vf_mul(of_x, lanes->half_angle.x), s->e.x);
}

/* b1 b2 + b2 b3 + b3 b1 */
VF_INLINE void find_b_pairs(moser_veselov_state *s)
{
    const vf3 b = s->curve.b;
    s->b_pairs = vf_mul_add(b.x, b.y, vf_mul(b.z, vf_add(b.x, b.y)));
}

/* P = S1 S2 S3, and k + delta */
VF_INLINE void find_phase(int order, bool compact, moser_veselov_state *s, const body_lanes *lanes, vf3 inertia)
{
    const vf3 squares = s->curve.squares;
    const curve_delta delta = find_delta(order, compact, &s->curve, lanes, inertia);
    s->p = vf_sqrt(vf_mul(vf_mul(squares.x, squares.y), squares.z));
    s->k = vf3_add_scalar(lanes->inverse_inertia, vf_div(delta.numerator, delta.denominator));
}

/* y1 = (mu1 S2^2 S3^2 / P + e1) / T and cyclic, K = (T^2 - b1 b2 - b2 b3 - b3 b1 - 2 q (q + P) / T) / (P T) */
VF_INLINE void find_y(moser_veselov_state *s, const body_lanes *lanes)
{
    const vf one = vf_set1(1), p = s->p, q = s->q, time_minus_1 = s->curve.time_minus_1;
    const vf time = vf_add(one, time_minus_1), inverse_pt = vf_div(one, vf_mul(p, time));
    const vf of_q = vf_mul(vf_mul(vf_add(q, q), p), vf_add(q, p));
    const vf rest = vf_sub(vf_mul(time, vf_sub(time_minus_1, vf_sub(p, one))), s->b_pairs);
    s->k_minus_1 = vf_mul(inverse_pt, vf_neg_mul_add(inverse_pt, of_q, rest));
    s->y = vf3_scale(inverse_pt, vf3_mul_add(lanes->mu, vf3_cyclic_products(s->curve.squares), vf3_scale(p, s->e)));
}

VF_INLINE vf3 scaled_momentum(const moser_veselov_state *s, const body_lanes *lanes) /* K mu */
{
    return vf3_scale_add(s->k_minus_1, lanes->mu, lanes->mu);
}

/* c = (k + delta) y, of y after two rounds of y <- K mu - c x y, which is (4). The last is formed of the digits of c.
 */
VF_INLINE void refine_c(moser_veselov_state *s, const body_lanes *lanes)
{
    const vf3 k = s->k, y = s->y, scaled = scaled_momentum(s, lanes);
    const vf3 once = vf3_neg_mul_add(vf3_cyclic_differences(k), vf3_cyclic_products(y), scaled);
    const vf3 change = vf3_cross(vf3_mul(k, once), once);
    s->c = vf3_neg_mul_add(k, change, vf3_mul(k, scaled));
    s->c_square = vf3_dot(s->c, s->c);
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

/* c x y of (4): from the digits of c, which keeps the energy. In a thin rotor c x y along the axis would be rounded as
   if all of y were, and a tilt by so much changes the spin of the next sub-step: there by differences of k. */
VF_INLINE vf3 turned_y(const body_lanes *lanes, vf3 k, vf3 y)
{
    const vf3 of_differences = vf3_mul(vf3_cyclic_differences(k), vf3_cyclic_products(y));
    return vf3_select(is_compact(lanes->inverse_inertia), vf3_cross(vf3_mul(k, y), y), of_differences);
}

/* The same as refine_c by two Newton steps for (4), for bodies that are not well conditioned: their first y is off by
   more than rounding, or two rounds would increase the residual. c is 0 where a step is so long that |c| is out of
   bounds. Out of line: it is rare, and would take registers from the common case. */
static __attribute__((noinline)) void refine_by_newton(vm ill_conditioned, moser_veselov_state *s,
                                                       const body_lanes *lanes)
{
    const vf3 scaled = scaled_momentum(s, lanes);
    vf3 y = s->y;
    for (int step = 0; step < 2; step++) {
        const vf3 residual = vf3_sub(vf3_sub(scaled, y), turned_y(lanes, s->k, y));
        y = vf3_add(y, newton_correction(lanes->inverse_inertia, y, residual));
    }
    const vf3 c = vf3_select(ill_conditioned, vf3_mul(s->k, y), s->c);
    const vm bounded = vf_lt(vf3_dot(c, c), vf_set1(0x1p40f));
    s->c = vf3_select(bounded, c, (vf3){vf_set1(0), vf_set1(0), vf_set1(0)});
    s->c_square = vf3_dot(s->c, s->c);
}

VF_INLINE void refine_ill_conditioned(moser_veselov_state *s, const body_lanes *lanes, vf3 inertia)
{
    const vm ill_conditioned = vm_and(vm_not(is_well_conditioned(lanes, inertia)), is_moving(lanes));
    if (vm_any(ill_conditioned)) {
        refine_by_newton(ill_conditioned, s, lanes);
    }
}

/* (What the refinement changed / the rotation)^2, and no NaN. */
VF_INLINE vf refinement_square(const moser_veselov_state *s, const body_lanes *lanes)
{
    const vf3 change = vf3_sub(s->c, vf3_mul(s->k, s->y));
    const vf square = vf_select(is_moving(lanes), vf3_dot(change, change), vf_set1(0));
    return vf_min(vf_div(square, vf_max(s->c_square, vf_set1(0x1p-120f))), vf_set1(1));
}

/* ---- With low parts ---- */

/* Rounded to float; and 1 / I in double. */
VF_INLINE void find_phase_low(int order, bool compact, moser_veselov_low_state *s, const body_block *b, size_t v)
{
    const body_lanes *lanes = &b->lanes[v];
    const vf3 squares = s->curve.squares;
    const curve_delta delta = find_delta(order, compact, &s->curve, lanes, inertia_at(b, v));
    s->numerator = delta.numerator;
    s->denominator = delta.denominator;
    s->inverse_p = vf_div(vf_set1(1), vf_sqrt(vf_mul(vf_mul(squares.x, squares.y), squares.z)));
    for (int half = 0; half < 2; half++) {
        s->k[half] = precise_inverse(precise_inertia_at(b, v, half), vd_load(&lanes->inverse_product, half));
    }
}

/* 1 / sqrt(1 + x) = 1 - x/2 + 3/8 x^2 for |x| up to 2^-18 */
VF_INLINE vd inverse_root(vd x) { return vd_mul_add(x, vd_mul_add(vd_set1(0.375), x, vd_set1(-0.5)), vd_set1(1)); }

/* delta in float: an error in it, or in T, is an error of time, never of energy. In double S^2 = T + b, mu1 S2^2 S3^2
   and cyclic, e, T and 1 / P, of its rounded value r by 1 / sqrt(1 + (P^2 r^2 - 1)). */
VF_INLINE void follow_curve(moser_veselov_low_state *s, const vd3 mu_halves[2])
{
    const vd one = vd_set1(1);
    s->delta = vf_div(s->numerator, s->denominator);
    for (int half = 0; half < 2; half++) {
        const vd3 mu = mu_halves[half], next = {mu.y, mu.z, mu.x}, last = {mu.z, mu.x, mu.y};
        const vd3 k = s->k[half], a = {vd_sub(k.z, k.y), vd_sub(k.x, k.z), vd_sub(k.y, k.x)};
        const vd3 of_next = vd3_mul(a, next), of_last = vd3_mul(a, last);
        const vd3 b = {vd_mul(of_last.y, of_next.z), vd_mul(of_last.z, of_next.x), vd_mul(of_last.x, of_next.y)};
        const vd time = vd_add(one, vd_load(&s->curve.time_minus_1, half)), r = vd_load(&s->inverse_p, half);
        const vd3 squares = vd3_add_scalar(b, time), pairs = vd3_cyclic_products(squares);
        const vd p_square = vd_mul(squares.x, pairs.x), x = vd_sub(vd_mul(p_square, vd_mul(r, r)), one);
        s->middle[half] = vd3_mul(mu, pairs);
        s->e[half] = vd3_mul(of_next, last);
        s->precise_inverse_p[half] = vd_mul(r, inverse_root(x));
        s->time[half] = time;
    }
}

/* q (c, 1) T, and the factor 1 / |q (c, 1) T|. */
VF_INLINE void turn_along_curve(moser_veselov_low_state *s, vd4 orientation[2], const body_lanes *lanes)
{
    vd length_square[2];
    for (int half = 0; half < 2; half++) {
        const vd3 y = vd3_scale_add(s->precise_inverse_p[half], s->middle[half], s->e[half]);
        const vd3 k = vd3_add_scalar(s->k[half], vd_load(&s->delta, half));
        const vd4 turn = {vd3_mul(k, y), s->time[half]};
        length_square[half] = vd4_square(turn);
        orientation[half] = vd4_turned(orientation[half], turn);
    }
    const vf length = vf_from_halves(length_square[0], length_square[1]);
    s->inverse_length = vf_div(vf_set1(1), vf_sqrt(vf_mul(lanes->square, length)));
}

/* Bodies turn where the length is within bounds, which a step beyond the plan may leave. */
VF_INLINE void finish_along_curve(const moser_veselov_low_state *s, const body_block *b, size_t v)
{
    vd4 sum[2];
    for (int half = 0; half < 2; half++) {
        sum[half] = vd4_scaled_guarded(vd_load(&s->inverse_length, half), b->states[v].orientation[half]);
    }
    const vm bounded = vf_lt(vf_set1(0x1p-50f), s->inverse_length);
    const vm turned = vm_and(bounded, vf_lt(vf_set1(0), s->curve.energy));
    finish_precise_substep(b, v, sum, are_turning(b, v, turned));
}

#endif
