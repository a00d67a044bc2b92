/* Moser-Veselov's map of orders 6 and 8 in closed form: nothing to iterate, whatever the step.

   The discrete Moser-Veselov method with preprocessed moments (E. Hairer and G. Vilmart, Preprocessed discrete
   Moser-Veselov algorithm for the full dynamics of a rigid body, J. Phys. A 39, 2006; R. McLachlan and A. Zanna, The
   discrete Moser-Veselov algorithm for the free rigid body, revisited, Found. Comput. Math. 5, 2005) solves

       i c = mu + (c . mu) c + mu x c                                                     componentwise i c       (1)

   for Cayley's vector c, the axis of a sub-step's rotation times the tangent of half its angle; M is the momentum in
   the body, mu = h M / 2. Whatever the three numbers i are, the rotation by c keeps |M| and M . (M / i). Their series
   for i, in powers of the two constants h^2 |M|^2 and h^2 M . omega, bring the motion near the true one. Here c is
   written down first, so that it keeps momentum and energy for certain, and two numbers in it are chosen so that it is
   the right one. t = mu / I = h omega / 2, f1 = (I2 - I3) / I1, k = 1 / I, a1 = k3 - k2 and cyclic.

   ## Where the momentum goes

   mu moves by dmu1/dw = a1 mu2 mu3 and cyclic, along the curve on which |mu| and mu . k mu are constant; a sub-step
   lasts from w = -1 to 1. The solutions are Jacobi's elliptic functions, and their sums of arguments are algebraic:
   with three functions S1, S2, S3 of w that begin as 1/w, dS1/dw = -S2 S3 and cyclic,

       mu1(v + w) = (mu1 S2 S3 + a1 mu2 mu3 S1) / T,  T = S1^2 - b1 = S2^2 - b2 = S3^2 - b3,  b1 = a2 a3 mu1^2      (3)

   for mu(v) and S(w). Let x be the momentum half-way. Both mu and mu' are (3) from there, by -w and w, so

       (mu1 + mu1') / 2 = x1 S2 S3 / D,   (mu1' - mu1) / 2 = a1 x2 x3 S1 / D,   D = S1^2 - a2 a3 x1^2.

   In terms of y = x / S, componentwise, and c = (k + delta) y with any number delta, c x y is -a1 y2 y3 and cyclic, and

       y + c x y = K mu,   y - c x y = K mu',   K = D / (S1 S2 S3):                                                 (4)

   the rotation by c takes mu to mu'. From mu, by (3), with P = S1 S2 S3 and e1 = a1 mu2 mu3,

       y1 = (mu1 S2^2 S3^2 / P + e1) / T,   q = a1 a2 a3 mu1 mu2 mu3,
       K = (T^2 - b1 b2 - b2 b3 - b3 b1 - 2 q (q + P) / T) / (P T)

   and that is all. S^2 = T + b, so T is the one number that says how far along the curve.

   ## How far

   S1^2 is b1 less the mean of the three, and Weierstrass's function 1/w^2 + g2 w^2 / 20 + g3 w^4 / 28 + .... With
   r = b - mean, componentwise, g2 = 2 r.r and g3 = -4 r1 r2 r3. So

       T = 1 - mean + r.r / 10                    order 6
                                - r1 r2 r3 / 7    order 8

   up to terms of order h^6 and h^8.

   b1 = f2 f3 t1^2. A sub-step is short enough that |t| and |f| |t| are at most 0.4, for the largest |f|: no |b| is
   above 0.16 then, and T and S^2 are above 1/2. Of masses no |f| is above 1, and a sub-step is 0.8 rad; of other
   moments the largest |f| is (the largest less the middle one) / the smallest.

   A sub-step of 0.8 rad is as near to the true motion (rms over masses) as one of Hairer and Vilmart's order 6 of
   1/sqrt 3 rad, up to which their iteration is proven to converge; by order 8 eighteen times nearer.

   ## How far about the momentum

   That is what delta is for. In Moser-Veselov's map with moments I / J, J = 1 + a + d I, it is d / (1 + a). Hairer and
   Vilmart's series for that takes no more from the momentum than two constants of motion, E = mu . t and M = mu . mu.
   Let A be the sum of k, B that of its products of two, C its product, and

       u = (2 A E - B M) / 3                   X = B E - 2 C M
       V = X (u - B M) + 6 C M u - 4 C E^2     G = 5/63 (u^2 - E X) - 1/105 r.r

   Then

       delta = X / 3 + (4 u X + 3 V) / 30 + (17 u^2 X + 9 u V) / 315 + G X + ...

   A sphere has V = G = 0, u = t^2 and 1 + delta I = tan t / t for a turn by 2 t. That has a pole where a step turns a
   body half round, near which all others have one, too. Lambert's fraction for the tangent, t / (1 - t^2 / (3 - t^2 /
   (5 - t^2 / 7))), or without its end, suggests which denominators to take out of the series:

       delta = (10/3 X + V) / (10 - 4 u)                                                 order 6
       delta = ((10/3 - 2/21 u + 10 G) X + (1 - u/7) V) / (10 - 30/7 u + 2/21 u^2)       order 8

   r.r and r1 r2 r3 are constant along the curve as well: so the step backwards is the inverse.

   Where terms cancel, other forms round less: with tau = t^2 and x1 = (I2 + I3 - I1) / (I1 I2 I3) mu1 t1 u = sum tau +
   mean and X = sum x, and of thin rotors V = -2/3 (b.x + 2 sum x1 e1^2 / (mu1 t1 I1)).

   Van Zon and Schofield's body is 2.4e-6 rad off after 10 s at 60 Hz by order 6 and 1.8e-8 by order 8; with the series
   for a and d it is 1.7e-5 and 3.1e-8.

   ## Rounding

   y is some eps off (4), as energy would be, and always the same way. But y = K mu - c x y is (4) too, and what is off
   comes out of it multiplied by c. Two rounds leave little more than what rounds the last sum: in long steps 2e-9 of
   the energy, always alike in a body (body/conserved.c).

   In terms of the differences of k, c x y is as good as y whatever the body's shape, but it gains or loses energy in
   the long run, as these round apart from k. That of c's own digits does not; where moments are 64 times apart it has
   more rounding than y, in attitude. So the last round is formed of c in bodies that are compact.

   In needles and in steps beyond what is proven y is off by more, and |c| may be above 1: two rounds are not enough, or
   make it worse. There Newton's iteration solves (4), two steps of it.

   How long y is, and so the last digits of K, has nothing to do with energy.

   ## With low parts

   In double (3) needs no mending, not even of needles or in steps beyond what is proven. T and delta are floats all
   the same: what is off in them is a little of another time, but never of another energy. c = (k + delta) y is to 1 as

       (k + delta) (mu1 S2^2 S3^2 / P + e1) and cyclic     to     T,

   and the orientation is turned by the quaternion of these. 1 / P is all that is not rational in them, and a polynomial
   in P^2 where a body is easy: P^2 is 1 - r.r / 5 then, but for r^3. */
#ifndef GYRE_BODY_CLOSED_FORM_H
#define GYRE_BODY_CLOSED_FORM_H

#include "body/methods/cayley-inl.h"
#include "simd/vf_math_coefficients.h"

/* Where a body spins about a principal axis, two components of t are only what rounding left of them, two of b are
   squares of these, and products of those would be subnormal numbers, which cost a detour of the CPU each. With this
   grain added to what is multiplied they are normal, and still of no weight. */
#define CLOSED_FORM_GUARD 0x1p-34f

/* What the curve and delta are made of. */
VF_INLINE void begin_closed_form(bool low, body_state *s, const body_lanes *lanes, vf3 inertia)
{
    const vf3 mu_t = vf3_mul(lanes->mu, lanes->half_angle), weighted = weighted_squares(lanes);
    const vf3 differences = vf3_cyclic_differences(inertia), pairs = vf3_cyclic_products(differences);
    const vf guard = vf_set1(CLOSED_FORM_GUARD);
    s->b = low ? vf3_mul(pairs, weighted) : vf3_mul_add(pairs, weighted, (vf3){guard, guard, guard});
    s->x_sum = vf3_dot(sums_less(inertia), weighted);
    s->energy = vf3_sum(mu_t);
    s->cm = vf3_dot(inertia, weighted);
    s->bm = vf_mul(vf3_sum(inertia), s->cm);
    if (!low) {
        const vf3 e = vf3_mul(differences, vf3_cyclic_products(lanes->half_angle));
        s->e = e;
        s->q = vf_mul(vf_mul(vf_mul(lanes->inverse_product, pairs.x), lanes->half_angle.x), e.x);
    }
}

/* T - 1 and S^2 = r + (T + mean): y is only as good as each S^2 is rounded by itself. Where the step may be beyond what
   is proven, S^2 is kept from 1/16 on, on the same curve. r has a grain, the mean has none. */
VF_INLINE void find_time(int order, bool well_conditioned, bool low, body_state *s)
{
    const vf3 b = s->b;
    const vf guard = vf_set1(CLOSED_FORM_GUARD), sum = vf3_sum(b), part = vf_set1(-1.0f / 3);
    vf less_mean = low ? vf_mul(part, sum) : vf_mul_add(part, sum, guard);
    vf3 rest = vf3_add_scalar(b, low ? vf_add(less_mean, guard) : less_mean);
    vf tenth_of_squares = vf_mul(vf_set1(0.1f), vf3_dot(rest, rest)), product = vf_mul(vf_mul(rest.x, rest.y), rest.z);
    vf above = order == 6 ? tenth_of_squares : vf_neg_mul_add(vf_set1(1.0f / 7), product, tenth_of_squares);
    if (!well_conditioned) {
        vf smallest = vf_add(vf3_min(rest), above);
        above = vf_add(above, vf_sub(vf_max(smallest, vf_set1(-15.0f / 16)), smallest));
    }
    s->less_mean = less_mean;
    if (order == 8) {
        s->tenth_of_squares = tenth_of_squares;
    }
    s->time_minus_1 = vf_add(above, less_mean);
    if (!low) {
        s->squares = vf3_add_scalar(vf3_add_scalar(rest, above), vf_set1(1));
        s->b_pairs = vf_mul_add(b.x, b.y, vf_mul(b.z, vf_add(b.x, b.y)));
    }
}

/* V of needles. What is across, where one spins about a principal axis, is less than a grain for all three axes, so
   each has its own, by its moment. Out of line: it is rare. */
static __attribute__((noinline)) vf thin_rotor_v(const body_state *s, const body_lanes *lanes, vf3 inertia)
{
    const vf3 t = vf3_at_least(0x1p-50f, lanes->half_angle), sums = sums_less(inertia);
    const vf3 x = vf3_at_least(0x1p-90f, vf3_mul(sums, weighted_squares(lanes)));
    const vf3 e = vf3_mul(vf3_cyclic_differences(inertia), vf3_cyclic_products(t));
    const vf3 guarded = vf3_scale_add(vf_set1(CLOSED_FORM_GUARD), inertia, e);
    const vf of_e = vf3_dot(vf3_mul(sums, lanes->inverse_inertia), vf3_mul(guarded, guarded));
    const vf both = vf_mul_add(vf_mul(vf_set1(2), lanes->inverse_product), of_e, vf3_dot(s->b, x));
    return vf_mul(vf_set1(-2.0f / 3), both);
}

/* delta, with low parts not divided yet; without them P, and k + delta. */
VF_INLINE void find_phase(int order, bool well_conditioned, bool low, body_state *s, const body_lanes *lanes,
                          vf3 inertia)
{
    const vf ten = vf_set1(10), third_of_ten = vf_set1(10.0f / 3), x = s->x_sum, energy = s->energy, cm = s->cm;
    const vf u = vf_sub(lanes->half_angle_square, s->less_mean), ce = vf_mul(lanes->inverse_product, energy);
    const vf rest = vf_neg_mul_add(vf_mul(vf_set1(4), energy), ce, vf_mul(vf_mul(vf_set1(6), u), cm));
    vf v = vf_mul_add(x, vf_sub(u, s->bm), rest);
    if (!well_conditioned) {
        const vm thin_rotor = vm_not(is_compact(inertia));
        if (vm_any(thin_rotor)) {
            v = vf_select(thin_rotor, thin_rotor_v(s, lanes, inertia), v);
        }
    }
    vf numerator, denominator;
    if (order == 6) {
        numerator = vf_mul_add(third_of_ten, x, v);
        denominator = vf_neg_mul_add(vf_set1(4), u, ten);
    } else {
        const vf part = vf_mul(vf_set1(2.0f / 21), u), of_constants = vf_neg_mul_add(energy, x, vf_mul(u, u));
        vf ten_g = vf_neg_mul_add(vf_set1(20.0f / 21), s->tenth_of_squares, vf_mul(vf_set1(50.0f / 63), of_constants));
        vf of_x = vf_add(vf_sub(third_of_ten, part), ten_g);
        numerator = vf_mul_add(of_x, x, vf_neg_mul_add(vf_mul(vf_set1(1.5f), part), v, v));
        denominator = vf_mul_add(u, vf_sub(part, vf_set1(30.0f / 7)), ten);
    }

    if (low) {
        s->numerator = numerator;
        s->denominator = denominator;
    } else {
        const vf3 squares = s->squares;
        s->product = vf_sqrt(vf_mul(vf_mul(squares.x, squares.y), squares.z));
        s->k = vf3_add_scalar(lanes->inverse_inertia, vf_div(numerator, denominator));
    }
}

/* y, and K - 1. */
VF_INLINE void find_mean(body_state *s, const body_lanes *lanes)
{
    const vf one = vf_set1(1);
    const vf p = s->product, q = s->q, time = vf_add(one, s->time_minus_1);
    vf3 pairs = vf3_cyclic_products(s->squares);
    vf inverse_pt = vf_div(one, vf_mul(p, time));
    vf of_q = vf_mul(vf_mul(vf_add(q, q), p), vf_add(q, p));
    vf less = vf_sub(vf_mul(time, vf_sub(s->time_minus_1, vf_sub(p, one))), s->b_pairs);
    s->growth = vf_mul(inverse_pt, vf_neg_mul_add(inverse_pt, of_q, less));
    s->x = vf3_scale(inverse_pt, vf3_mul_add(lanes->mu, pairs, vf3_scale(p, s->e)));
}

VF_INLINE vf3 grown_momentum(const body_state *s, const body_lanes *lanes) /* K mu */
{
    return vf3_scale_add(s->growth, lanes->mu, lanes->mu);
}

/* c, of y after two rounds of (4). */
VF_INLINE void refine_mean(body_state *s, const body_lanes *lanes)
{
    const vf3 k = s->k, y = s->x, differences = vf3_cyclic_differences(k), grown = grown_momentum(s, lanes);
    vf3 once = vf3_neg_mul_add(differences, vf3_cyclic_products(y), grown);
    vf3 change = vf3_cross(vf3_mul(k, once), once);
    s->c = vf3_neg_mul_add(k, change, vf3_mul(k, grown));
    s->square = vf3_dot(s->c, s->c);
}

/* The same, of y after two of Newton's steps for (4), for bodies that are not easy: their first y is off by more than
   rounding, or they are in steps by which rounds of (4) would grow. Out of line: it is rare, and of no use to the
   registers of the rest. */
static __attribute__((noinline)) void refine_by_newton(vm hard, body_state *s, const body_lanes *lanes)
{
    const vf3 grown = grown_momentum(s, lanes);
    vf3 y = s->x;
    for (int step = 0; step < 2; step++) {
        const vf3 change = turned_mean(lanes, s->k, vf3_mul(s->k, y), y);
        y = vf3_add(y, inverse_turned(lanes->inverse_inertia, y, vf3_sub(vf3_sub(grown, y), change)));
    }
    s->c = within_bounds(vf3_select(hard, vf3_mul(s->k, y), s->c), &s->square);
}

VF_INLINE void refine_hard_mean(body_state *s, const body_lanes *lanes, vf3 inertia)
{
    vm hard = vm_and(vm_not(is_well_conditioned(lanes, inertia)), lanes_moving(lanes));
    if (vm_any(hard)) {
        refine_by_newton(hard, s, lanes);
    }
}

/* (What is mended / the rotation)^2. */
VF_INLINE void measure_refinement(body_state *s, const body_lanes *lanes)
{
    vf3 dc = vf3_sub(s->c, vf3_mul(s->k, s->x));
    s->last_square = vf_select(lanes_moving(lanes), vf3_dot(dc, dc), vf_set1(0));
    s->of_square = s->square;
}

VF_INLINE void add_closed_form(body_state *s, vf4 orientation)
{
    s->sum = orientation_sum(orientation, s->increment, s->square, s->e); /* e is mu x t */
}

/* ---- With low parts. ---- */

VF_INLINE void invert_inertia_precisely(body_state *s, const body_lanes *lanes, const body_block *b, size_t v)
{
    FOR_EACH_HALF
    {
        const vd inverse_product = vd_load(&lanes->inverse_product, half);
        s->precise_k[half] = precise_inverse(precise_inertia_at(b, v, half), inverse_product);
    }
}

/* Of P^2 between 1 - 2^-8 and 1, where it is of all easy bodies. */
VF_INLINE vd inverse_root_near_1(vd square)
{
    vd root = vd_mul_add(square, vd_set1(VD_INVERSE_ROOT_4), vd_set1(VD_INVERSE_ROOT_3));
    root = vd_mul_add(square, root, vd_set1(VD_INVERSE_ROOT_2));
    root = vd_mul_add(square, root, vd_set1(VD_INVERSE_ROOT_1));
    return vd_mul_add(square, root, vd_set1(VD_INVERSE_ROOT_0));
}

/* 1 / P. No bits depend on whether the body's neighbours are easy. */
VF_INLINE vd inverse_of_product(bool well_conditioned, vd square)
{
    const vd near_1 = inverse_root_near_1(square);
    if (well_conditioned) {
        return near_1;
    }
    const vd from_middle = vd_sub(square, vd_set1(1 - 0x1p-9)); /* and what rounds 1 */
    const vd other = vd_div(vd_set1(1), vd_sqrt(square));
    return vd_if_below(vd_mul(from_middle, from_middle), vd_set1(0x1.01p-18), near_1, other);
}

/* delta, and where along the curve: mu S2^2 S3^2 and cyclic, e, 1 / P and T. */
VF_INLINE void follow_curve(bool well_conditioned, body_state *s)
{
    s->delta = vf_div(s->numerator, s->denominator);
    FOR_EACH_HALF
    {
        const vd3 mu = s->precise_mu[half], next = {mu.y, mu.z, mu.x}, last = {mu.z, mu.x, mu.y};
        const vd3 k = s->precise_k[half], a = {vd_sub(k.z, k.y), vd_sub(k.x, k.z), vd_sub(k.y, k.x)};
        const vd3 of_next = vd3_mul(a, next), of_last = vd3_mul(a, last);
        const vd3 b = {
            vd_mul(of_last.y, of_next.z),
            vd_mul(of_last.z, of_next.x),
            vd_mul(of_last.x, of_next.y),
        };
        const vd time = vd_add(vd_set1(1), vd_load(&s->time_minus_1, half));
        const vd3 squares = vd3_add_scalar(b, time), pairs = vd3_cyclic_products(squares);
        s->precise_middle[half] = vd3_mul(mu, pairs);
        s->precise_e[half] = vd3_mul(of_next, last);
        s->precise_inverse_product[half] = inverse_of_product(well_conditioned, vd_mul(squares.x, pairs.x));
        s->precise_time[half] = time;
    }
}

/* q (c, 1) T, and what to multiply it by. */
VF_INLINE void turn_along_curve(body_state *s, const body_lanes *lanes)
{
    vd length_square[2];
    FOR_EACH_HALF
    {
        const vd3 y = vd3_scale_add(s->precise_inverse_product[half], s->precise_middle[half], s->precise_e[half]);
        const vd3 k = vd3_add_scalar(s->precise_k[half], vd_load(&s->delta, half));
        const vd4 turn = {vd3_mul(k, y), s->precise_time[half]};
        length_square[half] = vd4_square(turn);
        vd4 *orientation = &s->precise_orientation[half];
        *orientation = vd4_turned(*orientation, turn);
    }
    const vf length = vf_from_halves(length_square[0], length_square[1]);
    s->inverse_length = vf_div(vf_set1(1), vf_sqrt(vf_mul(lanes->square, length)));
}

/* A step that is not proven may be out of all bounds: then nothing turns. */
VF_INLINE void finish_along_curve(const body_block *b, size_t v, const body_lanes *lanes, const body_state *s)
{
    vd4 sum[2];
    FOR_EACH_HALF sum[half] = vd4_scaled_guarded(vd_load(&s->inverse_length, half), s->precise_orientation[half]);
    const vm sane = vf_lt(vf_set1(0x1p-50f), s->inverse_length);
    finish_precise_substep(b, v, lanes, sum, vm_and(sane, vf_lt(vf_set1(0), s->energy)));
}

#endif
