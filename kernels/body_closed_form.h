/* Moser-Veselov's map of orders 6 and 8 in closed form: nothing to iterate, whatever the step.

   In body_moser_veselov.h the moments are given and c is asked for. Here c is given first, so that it is sure to keep
   momentum and energy, and two numbers in it are chosen so that it is the right one. Notation as there; k = 1 / I,
   a1 = k3 - k2 and cyclic.

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

   b1 = f2 f3 m1^2, and no |f| is above twice the q of body_moser_veselov.h. So within the bound there all |b| are below
   1/4, and T and S^2 above 1/2. Of masses no |f| is above 1, and the same holds up to |t| = 1/2.

   A sub-step of a mass may be 0.8 rad long, |t| = 0.4. It is then as near to the true motion (rms over bodies) as one
   of Hairer and Vilmart's order 6 of 1/sqrt 3 rad, which all bodies may take there; by order 8 eighteen times nearer.
   Moments that no mass has keep to that bound.

   ## How far about the momentum

   That is what delta is for. In Moser-Veselov's map with moments I / J, J = 1 + a + d I, it is d / (1 + a). Hairer and
   Vilmart's series for that, with tau and x of body_moser_veselov.h, X = sum x, E = sum x1 e1^2 / (mu1 t1 I1) and

       u = sum tau + mean    W = b.x - 4 E - 6 mean X    G = 5/63 (mean (u + sum tau) - b.tau) - 1/105 r.r,

   is

       delta = X / 3 + (2 u X + W) / 15 + (17 u^2 X + 6 u W) / 315 + G X + ...

   A sphere has W = G = 0, u = t^2 and 1 + delta I = tan t / t for a turn by 2 t. That has a pole where a step turns a
   body half round, near which all others have one, too. Lambert's fraction for the tangent, t / (1 - t^2 / (3 - t^2 /
   (5 - t^2 / 7))), or without its end, suggests which denominators to take out of the series:

       delta = (5 X + W) / (15 - 6 u)                                                    order 6
       delta = ((35 - u + 105 G) X + (7 - u) W) / (105 - 45 u + u^2)                     order 8

   r.r, r1 r2 r3, u, X, W and G are constant along the curve: so the step backwards is the inverse.

   Van Zon and Schofield's body is 2.4e-6 rad off after 10 s at 60 Hz by order 6 and 1.8e-8 by order 8; with the series
   for a and d it is 1.7e-5 and 3.1e-8.

   ## Rounding

   y is some eps off (4), as energy would be, and always the same way. But y = K mu - c x y is (4) too, and what is off
   comes out of it multiplied by c. Two rounds leave little more than what rounds the last sum: in long steps 2e-9 of
   the energy, always alike in a body (test_bodies_conserved.c).

   In terms of the differences of k, c x y is as good as y whatever the body's shape, but it gains or loses energy in
   the long run, as these round apart from k. That of c's own digits does not; where moments are 64 times apart it has
   more rounding than y, in attitude. So the last round is formed of c in bodies that are compact.

   In needles and in steps beyond what is proven y is off by more, and |c| may be above 1: two rounds are not enough, or
   make it worse. There Newton's iteration solves (4), two steps of it.

   How long y is, and so the last digits of K, has nothing to do with energy.

   ## With low parts

   In double (3) needs no mending, not even of needles or in steps beyond what is proven. T and delta are floats all
   the same: what is off in them is a little of another time, but never of another energy. c = (k + delta) y is to 1 as

       (k + delta) (mu1 S2^2 S3^2 + e1 P) and cyclic     to     P T,

   and the orientation is turned by the quaternion of these, so that nothing is divided but for k. */
#ifndef GYRE_BODY_CLOSED_FORM_H
#define GYRE_BODY_CLOSED_FORM_H

#include "body_cayley.h"

/* Where a body spins about a principal axis, two components of t are only what rounding left of them, two of b are
   squares of these, and products of four would be subnormal numbers, which cost a detour of the CPU each. With this
   grain added to what is multiplied they are normal, and still of no weight. */
#define CLOSED_FORM_GRAIN 0x1p-34f

/* sum (I2 + I3 - I1) e1^2 / I1. The grain is in the sum where that takes products before they are rounded, else in e,
   for each axis by its own moment: for needles no other would do. */
VF_INLINE vf sum_of_squares(const body_lanes *lanes, vf3 inertia, vf3 sums, vf3 e)
{
    const vf3 weights = vf3_times(sums, lanes->inverse_inertia);
#if GYRE_FUSED
    (void)inertia;
    return vf3_dot_add(vf3_times(weights, e), e, vf_set1(0x1p-120f));
#else
    const vf3 grained = vf3_scale_add(vf_set1(CLOSED_FORM_GRAIN), inertia, e);
    return vf3_dot(weights, vf3_times(grained, grained));
#endif
}

/* What the curve and delta are made of. */
VF_INLINE void begin_closed_form(bool low, body_state *s, const body_lanes *lanes, vf3 inertia)
{
    const vf3 mu_t = weighted_squares(lanes), sums = sums_less(inertia), differences = vf3_cyclic_differences(inertia);
    const vf3 e = vf3_times(differences, vf3_cyclic_products(lanes->half_turn)),
              pairs = vf3_cyclic_products(differences);
    const vf grain = vf_set1(CLOSED_FORM_GRAIN);
    s->b = vf3_times_add(pairs, mu_t, (vf3){grain, grain, grain});
    s->x_part = vf3_times(sums, mu_t);
    s->e_sum = sum_of_squares(lanes, inertia, sums, e);
    if (!low) {
        s->e = e;
        s->q = vf_mul(vf_mul(vf_mul(lanes->inverse_product, pairs.x), lanes->half_turn.x), e.x);
    }
}

/* T - 1 and S^2 = r + (T + mean): y is only as good as each S^2 is rounded by itself. Where the step may be beyond what
   is proven, S^2 is kept from 1/16 on, on the same curve. The mean has no grain, but r has that of b. */
VF_INLINE void find_time(int order, bool easy, bool low, body_state *s)
{
    const vf3 b = s->b;
    vf less_mean = vf_mla(vf_set1(-1.0f / 3), vf3_sum(b), vf_set1(CLOSED_FORM_GRAIN));
    vf3 rest = vf3_raise(b, less_mean);
    vf tenth_of_squares = vf_mul(vf_set1(0.1f), vf3_dot(rest, rest)), product = vf_mul(vf_mul(rest.x, rest.y), rest.z);
    vf above = order == 6 ? tenth_of_squares : vf_nmla(vf_set1(1.0f / 7), product, tenth_of_squares);
    if (!easy) {
        vf smallest = vf_add(vf3_min(rest), above);
        above = vf_add(above, vf_sub(vf_max(smallest, vf_set1(-15.0f / 16)), smallest));
    }
    s->less_mean = less_mean;
    if (order == 8) {
        s->tenth_of_squares = tenth_of_squares;
    }
    s->time_less_1 = vf_add(above, less_mean);
    if (!low) {
        s->squares = vf3_raise(vf3_raise(rest, above), vf_set1(1));
        s->b_pairs = vf_mla(b.x, b.y, vf_mul(b.z, vf_add(b.x, b.y)));
    }
}

/* Of needles: what is across, where one spins about a principal axis, is less still, and no grain makes up for it. */
VF_INLINE void drop_trifles(vf3 *t, vf3 *x, vf3 inertia)
{
    const vm needle = vm_not(is_compact(inertia));
    if (vm_any(needle)) {
        *t = vf3_select(needle, vf3_at_least(0x1p-50f, *t), *t);
        *x = vf3_select(needle, vf3_at_least(0x1p-90f, *x), *x);
    }
}

/* delta; without low parts P, and k + delta. */
VF_INLINE void find_phase(int order, bool easy, bool low, body_state *s, const body_lanes *lanes, vf3 inertia)
{
    const vf five = vf_set1(5), fifteen = vf_set1(15), less_mean = s->less_mean, all_tau = lanes->turn_square;
    const vf3 b = s->b;
    vf3 x = s->x_part, t = lanes->half_turn;
    if (!easy) {
        drop_trifles(&t, &x, inertia);
    }
    vf u = vf_sub(all_tau, less_mean), all_x = vf3_sum(x);
    vf w = vf_mla(vf_mul(vf_set1(6), less_mean), all_x,
                  vf_nmla(vf_mul(vf_set1(4), lanes->inverse_product), s->e_sum, vf3_dot(b, x)));
    vf numerator, denominator;
    if (order == 6) {
        numerator = vf_mla(five, all_x, w);
        denominator = vf_nmla(vf_set1(6), u, fifteen);
    } else { /* a seventh of both */
        vf seventh = vf_mul(vf_set1(1.0f / 7), u);
        vf of_mean = vf_mla(less_mean, vf_add(u, all_tau), vf3_dot(b, vf3_times(t, t)));
        vf less_15_g = vf_mla(vf_set1(25.0f / 21), of_mean, vf_mul(vf_set1(10.0f / 7), s->tenth_of_squares));
        numerator = vf_mla(vf_sub(vf_sub(five, seventh), less_15_g), all_x, vf_nmla(seventh, w, w));
        denominator = vf_mla(seventh, vf_sub(u, vf_set1(45)), fifteen);
    }

    if (low) {
        s->delta = vf_div(numerator, denominator);
    } else {
        const vf3 squares = s->squares;
        s->product = vf_sqrt(vf_mul(vf_mul(squares.x, squares.y), squares.z));
        s->k = vf3_raise(lanes->inverse_inertia, vf_div(numerator, denominator));
    }
}

/* y, and K - 1. */
VF_INLINE void find_mean(body_state *s, const body_lanes *lanes)
{
    const vf one = vf_set1(1);
    const vf p = s->product, q = s->q, time = vf_add(one, s->time_less_1);
    vf3 pairs = vf3_cyclic_products(s->squares);
    vf over_pt = vf_div(one, vf_mul(p, time));
    vf of_q = vf_mul(vf_mul(vf_add(q, q), p), vf_add(q, p));
    vf less = vf_sub(vf_mul(time, vf_sub(s->time_less_1, vf_sub(p, one))), s->b_pairs);
    s->growth = vf_mul(over_pt, vf_nmla(over_pt, of_q, less));
    s->x = vf3_scale(over_pt, vf3_times_add(lanes->mu, pairs, vf3_scale(p, s->e)));
}

VF_INLINE vf3 grown_momentum(const body_state *s, const body_lanes *lanes) /* K mu */
{
    return vf3_scale_add(s->growth, lanes->mu, lanes->mu);
}

/* c, of y after two rounds of (4). */
VF_INLINE void mend_mean(body_state *s, const body_lanes *lanes)
{
    const vf3 k = s->k, y = s->x, differences = vf3_cyclic_differences(k), grown = grown_momentum(s, lanes);
    vf3 once = vf3_times_less(differences, vf3_cyclic_products(y), grown);
    vf3 change = vf3_cross(vf3_times(k, once), once);
    s->c = vf3_times_less(k, change, vf3_times(k, grown));
    s->square = vf3_dot(s->c, s->c);
}

/* The same, of y after two of Newton's steps for (4), for bodies that are not easy: their first y is off by more than
   rounding, or they are in steps by which rounds of (4) would grow. Out of line: it is rare, and of no use to the
   registers of the rest. */
static __attribute__((noinline)) void mend_by_newton(vm hard, body_state *s, const body_lanes *lanes)
{
    const vf3 grown = grown_momentum(s, lanes);
    vf3 y = s->x;
    for (int step = 0; step < 2; step++) {
        const vf3 change = turned_mean(false, lanes, s->k, vf3_times(s->k, y), y);
        y = vf3_add(y, inverse_turned(lanes->inverse_inertia, y, vf3_sub(vf3_sub(grown, y), change)));
    }
    s->c = within_bounds(vf3_select(hard, vf3_times(s->k, y), s->c), &s->square);
}

VF_INLINE void mend_hard_mean(body_state *s, const body_lanes *lanes, vf3 inertia)
{
    vm hard = vm_and(vm_not(is_easy(lanes, inertia)), lanes_moving(lanes));
    if (vm_any(hard)) {
        mend_by_newton(hard, s, lanes);
    }
}

/* (What is mended / the rotation)^2. */
VF_INLINE void measure_mending(body_state *s, const body_lanes *lanes)
{
    vf3 dc = vf3_sub(s->c, vf3_times(s->k, s->x));
    s->last_square = vf_select(lanes_moving(lanes), vf3_dot(dc, dc), vf_set1(0));
    s->of_square = s->square;
}

VF_INLINE void add_closed_form(body_state *s, vf4 orientation)
{
    s->sum = orientation_sum(orientation, s->increment, s->square, s->e); /* e is mu x t */
}

/* ---- With low parts. ---- */

/* k */
VF_INLINE void invert_inertia_precisely(body_state *s, const body_block *b, size_t v)
{
    FOR_EACH_HALF
    {
        const vd3 i = precise_inertia_at(b, v, half), others = vd3_cyclic_products(i);
        s->precise_k[half] = vd3_scale(vd_div(vd_set1(1), vd_mul(i.x, others.x)), others);
    }
}

/* Where along the curve: mu S2^2 S3^2 and cyclic, e, P and T. */
VF_INLINE void follow_curve(body_state *s)
{
    FOR_EACH_HALF
    {
        const vd3 mu = s->precise_mu[half], next = {mu.y, mu.z, mu.x}, last = {mu.z, mu.x, mu.y};
        const vd3 less_a = vd3_cyclic_differences(s->precise_k[half]);
        const vd3 of_next = vd3_times(less_a, next), of_last = vd3_times(less_a, last);
        const vd3 b = {
            vd_mul(of_last.y, of_next.z),
            vd_mul(of_last.z, of_next.x),
            vd_mul(of_last.x, of_next.y),
        };
        const vd time = vd_add(vd_set1(1), vd_load(&s->time_less_1, half));
        const vd3 squares = vd3_raise(b, time), pairs = vd3_cyclic_products(squares);
        s->precise_middle[half] = vd3_times(mu, pairs);
        s->precise_e[half] = vd3_times(of_next, last); /* -e */
        s->precise_product[half] = vd_sqrt(vd_mul(squares.x, pairs.x));
        s->precise_time[half] = time;
    }
}

/* q (c, 1) P T, and what to multiply it by. */
VF_INLINE void turn_along_curve(body_state *s, const body_lanes *lanes)
{
    vd length_square[2];
    FOR_EACH_HALF
    {
        const vd p = s->precise_product[half];
        const vd3 y = vd3_scale_less(p, s->precise_e[half], s->precise_middle[half]);
        const vd3 c = vd3_times(vd3_raise(s->precise_k[half], vd_load(&s->delta, half)), y);
        const vd4 turn = {c, vd_mul(p, s->precise_time[half])};
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
    FOR_EACH_HALF sum[half] = vd4_scaled_to_grain(vd_load(&s->inverse_length, half), s->precise_orientation[half]);
    const vm sane = vf_lt(vf_set1(0x1p-50f), s->inverse_length);
    finish_precise_substep(b, v, lanes, sum, vm_and(sane, vf_lt(vf_set1(0), vf3_max_abs(lanes->half_turn))));
}

#endif
