/* Moser-Veselov's map of order 6 in closed form: nothing to iterate, whatever the step.

   In body_moser_veselov.c the moments are given and c is asked for. Here c is given first, so that it is sure to keep
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

   S1^2 is b1 less the mean of the three, and Weierstrass's function 1/w^2 + g w^2 / 20 + ..., g twice the sum of the
   squares of those three differences. So T = 1 + g / 20 - mean, up to terms of order h^6.

   b1 = f2 f3 m1^2, and no |f| is above twice the q of body_moser_veselov.c. So within the bound there all |b| are below
   1/4, and T and S^2 above 1/2. Of masses no |f| is above 1, and the same holds up to |t| = 1/2.

   A sub-step of a mass may be 0.8 rad long, |t| = 0.4. It is then as near to the true motion (rms over bodies) as one
   of Hairer and Vilmart's order 6 of 1/sqrt 3 rad, which all bodies may take there. Moments that no mass has keep to
   that bound.

   ## How far about the momentum

   That is what delta is for. In Moser-Veselov's map with moments I / J, J = 1 + a + d I, it is d / (1 + a). With tau,
   z, x and E of the series there, Tau = sum tau, Z = sum z, X = sum x, it begins

       delta = X / 3 + (2 Tau + Z) X / 9 - (3 Z X + 4 E - sum (z - tau) x) / 15 + ...

   A sphere has 1 + delta I = tan t / t for a turn by 2 t, Tau = Z = t^2. That has a pole where a step turns a body half
   round, near which all others have one, too; 1 + Tau / 3 / (1 - 2 Tau / 5) is as good as tan t / t is up to t^6 /
   1500. With 1 / (1 - r) taken out of the series, r = 2 (2 Tau + Z) / 15,

       delta = (5 X - 2 X sum (z - tau) + sum (z - tau) x - 4 E) / (15 - 4 Tau - 2 Z).

   2 Tau + Z is constant along the curve, as all of the series is (Tau is not): so the step backwards is the inverse.
   Van Zon and Schofield's body is 2.4e-6 rad off after 10 s at 60 Hz; with the series for a and d it is 1.7e-5.

   ## Rounding

   y is some eps off (4), as energy would be, and always the same way. So what (4) lacks of c's own digits is added to
   y, less what that changes in c x y. In bodies that are long and thin, or the like, the difference of products in c x
   y has more rounding than y; there y stays as it is. */
#include "body_newton.h"

/* T and S^2, less 1. */
VF_INLINE void find_time(body_state *s, const body_lanes *lanes)
{
    const vf3 mu = lanes->mu, t = lanes->half_turn, differences = vf3_cyclic_differences(lanes->inertia);
    vf3 over_mu_t = vf3_scale(lanes->over_product, vf3_cyclic_products(differences));
    vf3 b = vf3_times(over_mu_t, vf3_times(mu, t));
    vf less_mean = vf_mul(vf_set1(-1.0f / 3), sum3(b));
    vf3 rest = vf3_raise(b, less_mean);
    vf tenth_of_squares = vf_mul(vf_set1(0.1f), vf3_dot(rest, rest));
    s->q = vf_mul(vf_mul(over_mu_t.x, t.x), s->e.x);
    s->b_pairs = vf_mla(b.x, b.y, vf_mul(b.z, vf_add(b.x, b.y)));
    s->time = vf_add(tenth_of_squares, less_mean);
    s->squares = vf3_raise(rest, tenth_of_squares);
}

/* For steps that nothing is proven of: S^2 of 1/16 or more, on the same curve. */
VF_INLINE void limit_time(body_state *s)
{
    const vf least = vf_set1(-15.0f / 16);
    vf smallest = vf_min(vf_min(s->squares.x, s->squares.y), s->squares.z);
    vf more = vf_sub(vf_max(smallest, least), smallest);
    s->time = vf_add(s->time, more);
    s->squares = vf3_raise(s->squares, more);
}

/* P, and k + delta. */
VF_INLINE void find_phase(bool low, body_state *s, const body_lanes *lanes)
{
    const vf one = vf_set1(1);
    const vf3 r = s->squares, x = s->x_part, z = s->z_part, t = lanes->half_turn;
    vf pairs = vf_mla(r.x, r.y, vf_mul(r.z, vf_add(r.x, r.y)));
    s->product_square = vf_mla(vf_mul(r.x, r.y), r.z, vf_add(pairs, sum3(r)));
    s->product = vf_sqrt(vf_add(one, s->product_square));

    vf3 tau = vf3_times(t, t), rest = vf3_sub(z, tau);
    vf twice_rest = vf_mul(vf_set1(2), sum3(rest));
    vf of_x = vf_mul(vf_sub(vf_set1(5), twice_rest), sum3(x));
    vf sum = vf_add(vf_nmla(vf_set1(4), s->e_sum, vf3_dot(rest, x)), of_x);
    vf delta = vf_div(sum, vf_nmla(vf_set1(6), sum3(tau), vf_sub(vf_set1(15), twice_rest)));
    if (low) {
        s->less = vf3_scale(delta, lanes->inertia);
    }
    s->k = vf3_raise(lanes->over_inertia, delta);
}

/* y, and K - 1: from P - 1 = (P^2 - 1) / (P + 1), so that none of its digits are lost. */
VF_INLINE void find_mean(body_state *s, const body_lanes *lanes)
{
    const vf one = vf_set1(1);
    const vf p = s->product, q = s->q, time = vf_add(one, s->time);
    vf3 pairs = vf3_cyclic_products(vf3_raise(s->squares, one));
    vf pt = vf_mul(p, time), p_and_one = vf_add(p, one), over_both = vf_div(one, vf_mul(pt, p_and_one));
    vf over_pt = vf_mul(over_both, p_and_one), less_p = vf_mul(vf_mul(s->product_square, over_both), pt);
    vf of_q = vf_mul(vf_mul(over_pt, p), vf_mul(vf_add(q, q), vf_add(q, p)));
    vf less = vf_sub(vf_mul(time, vf_sub(s->time, less_p)), vf_add(s->b_pairs, of_q));
    s->growth = vf_mul(over_pt, less);
    s->x = vf3_scale(over_pt, vf3_times_add(lanes->mu, pairs, vf3_scale(p, s->e)));
}

/* What (4) lacks. */
VF_INLINE void find_lack(body_state *s, const body_lanes *lanes)
{
    const vf zero = vf_set1(0);
    const vf3 k = s->k;
    vf smallest = vf_min(vf_min(k.x, k.y), k.z), largest = vf_max(vf_max(k.x, k.y), k.z);
    vf3 lack = defect_of(vf3_times(k, s->x), s->x, lanes->mu, s->growth);
    s->defect = vf3_select(vf_lt(largest, vf_mul(vf_set1(64), smallest)), lack, (vf3){zero, zero, zero});
}

/* That, less what a change dy of y changes in c x y. */
VF_INLINE vf3 lack_less_change(const body_state *s, vf3 dy)
{
    return vf3_times_less(vf3_cyclic_differences(s->k), vf3_mixed_products(s->x, dy), s->defect);
}

VF_INLINE void mend_mean(body_state *s)
{
    vf3 dy = lack_less_change(s, s->defect);
    s->c = within_bounds(vf3_times(s->k, vf3_add(s->x, dy)), &s->square);
}

/* (What is mended / the rotation)^2. */
VF_INLINE void measure_mending(body_state *s, const body_lanes *lanes)
{
    vf3 dc = vf3_times(s->k, s->defect);
    s->last_square = vf_select(lanes_moving(lanes), vf3_dot(dc, dc), vf_set1(0));
    s->of_square = s->square;
}

VF_INLINE void add_closed_form(body_state *s, const body_lanes *lanes)
{
    s->sum = orientation_sum(lanes->orientation, s->increment, s->square, s->e); /* e is mu x t */
}

/* With low parts that is summed in double. */
VF_INLINE void find_precise_lack(body_state *s, const body_lanes *lanes)
{
    FOR_EACH_HALF precise_defect(s, lanes, vd_load(&s->growth, half), half);
}

VF_INLINE void mend_precisely(body_state *s, const body_lanes *lanes)
{
    const vf33_inverse inverse = inverse_of(turned_jacobian(s->k, s->x));
    turn_by_corrected(s, lanes, inverse_times(&inverse, s->defect));
}
