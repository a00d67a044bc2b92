/* The discrete Moser-Veselov method with preprocessed moments (E. Hairer and G. Vilmart, Preprocessed discrete
   Moser-Veselov algorithm for the full dynamics of a rigid body, J. Phys. A 39, 2006; R. McLachlan and A. Zanna, The
   discrete Moser-Veselov algorithm for the free rigid body, revisited, Found. Comput. Math. 5, 2005).

   Its unknown is Cayley's vector c, the axis of a sub-step's rotation times the tangent of half its angle. With the
   momentum M in the body and mu = h M / 2, it solves

       i c = mu + (c . mu) c + mu x c                                                     componentwise i c       (1)

   whatever the three numbers i are, the rotation by c keeps |M| and M . (M / i). With i = I it is of order 2. A body
   with other moments i, which depend on I and on the two constants h^2 |M|^2 and h^2 M . omega, has the same energy and
   momentum and a motion that is nearer to the true one: those of Hairer and Vilmart's series bring order 4, 6, 8. So
   all orders keep momentum and energy, up to rounding, and only the timing gets better.

   ## The series in float

   Their sums of powers of the moments cancel for rods and plates, to the last digit at ratios of 1e6. In terms of

       f1 = (I2 - I3) / I1    u1 = (h omega1)^2    p1 = f2 f3    c1 = (I2 + I3 - I1) / (I2 I3)    b1 = I1 c1 = 1 + p1

   and cyclic, where each difference is taken of the moments themselves, nothing cancels. i = I / J, J = 1 + a + d I
   with

       a = -(2 U + B) / 12                   + (2 U B + 4 U^2 - B^2 + sum u^2 p (3 b + 2)) / 240
       d = C / 12                            - (3 B C - sum u^2 p c + 4 sum u2 u3 f1^2 c1) / 240
           order 4                             and order 6           U = sum u, B = sum u b, C = sum u c

   found by collecting the products u_k u_l in their formulas. A check: for a sphere J = 1 - u/6 + u^2/120, the
   beginning of sin(h omega) / (h omega), as it must be, for (1) then says tan(angle/2) / (1 + tan^2) = J h omega / 2.

   ## The equation that is iterated

   (1) times (1 + [c]x) is, with m = mu / i and f = (i2 - i3) / i1 and cyclic,

       F(c) = c - (1 + c.c) m - f (c2 c3, c3 c1, c1 c2) = 0                                                      (2)

   F is quadratic with F(0) = -m and F'(0) = 1, so Kantorovich's theorem is short: with q the largest |f (c2 c3, ...)|
   on the unit sphere, |F''| <= 2 (|m| + q), and Newton's iteration from 0 converges if

       |m| (|m| + q) <= 1/4,     that is     |m| <= (sqrt(1 + q^2) - q) / 2.

   q^2 is the largest value of f1^2 x2 x3 + f2^2 x3 x1 + f3^2 x1 x2 on the triangle x1 + x2 + x3 = 1: with A the largest
   of the three squares, B and C the others and e = max(0, B + C - A), it is A / (4 - e^2 / (B C)). It is exact, where
   the bound |m| (2 |m| + (2 / sqrt 3) max |f|) <= 1/2 takes the worst f for all three: a body needs up to a seventh
   less sub-steps, and 1/sqrt 3 rad of h omega is in reach of every body. q is at most 1/sqrt 3 for moments that a mass
   can have. The bound is used with f of the moments themselves and m = h omega / 2. The J of all orders are below 1 for
   masses, so theirs are inside. Moments that no mass has (I3 > I1 + I2) can have a J a few parts in a hundred above 1;
   they get a sixteenth less, and so does order 2, whose J is 1: a sphere's two solutions would meet at its bound.

   The iteration starts at the first terms of c's power series in m. All its iterates are bounded by those of the scalar
   equation t = |m| + (|m| + q) t^2 that the theorem compares with, term by term: the same bound is a proof for this
   start.

   ## Rounding

   Whatever error i has, (1) keeps an energy, for i is what defines it. (2) does so only if f and i agree, and at
   rounding level they do not: solved to the last digit, (2) in float gains or loses 1e-4 of the energy in a million
   steps. So Newton's steps use (2), and the last one, a correction with the same Jacobian, uses F = (1 + [c]x) (1) / i.
 */
#include "body_lanes.h"

/* What a sub-step is to solve, one body a lane. */
typedef struct cayley_problem {
    wf3 mu;        /* h M / 2 */
    wf3 i, over_i; /* modified moments */
    wf3 i_less;    /* i less the moments themselves, to a float's accuracy of its own */
    wf3 m, f;      /* of (2) */
} cayley_problem;

/* f of the moments themselves. */
VF_INLINE wf3 asymmetry(wf3 i, wf3 over_i)
{
    return wf3_times((wf3){wf_sub(i.y, i.z), wf_sub(i.z, i.x), wf_sub(i.x, i.y)}, over_i);
}

VF_INLINE wf3 cyclic_products(wf3 a) { return (wf3){wf_mul(a.y, a.z), wf_mul(a.z, a.x), wf_mul(a.x, a.y)}; }

/* b + c - a, exact but for the last sum: the two that may cancel are subtracted first. */
VF_INLINE wf sum_less(wf b, wf c, wf a) { return wf_add(wf_min(b, c), wf_sub(wf_max(b, c), a)); }

VF_INLINE wf sum3(wf3 a) { return wf_add(a.x, wf_add(a.y, a.z)); }

/* The terms of order 8, a and d times 15120. */
VF_INLINE void eighth_order(const wf u[3], const wf b[3], const wf c[3], const wf f[3], wf *a, wf *d)
{
    wf a8 = wf_set1(0), d8 = wf_set1(0);
    for (int k = 0; k < 3; k++) {
        wf cubic = wf_mla(wf_mla(wf_set1(-12.75f), b[k], wf_set1(6.75f)), b[k], wf_set1(-1.5f));
        wf a_sum = wf_mul(u[k], wf_mla(cubic, b[k], wf_set1(-3)));
        wf d_sum = wf_mul(u[k], wf_mul(wf_neg(cubic), c[k]));
        for (int step = 1; step <= 2; step++) {
            const int l = (k + step) % 3, m = (k + 3 - step) % 3;
            wf difference = step == 1 ? f[m] : wf_neg(f[m]); /* (I_k - I_l) / I_m */
            wf x =
                wf_mla(wf_mla(wf_set1(11.25f), b[l], wf_set1(-27)), b[k], wf_mla(wf_set1(14.25f), b[l], wf_set1(12)));
            x = wf_mla(x, b[k], wf_mla(wf_set1(-4.5f), b[l], wf_set1(-37.5f)));
            x = wf_mla(wf_mul(wf_set1(10.5f), difference), wf_sub(b[k], wf_set1(1)), x);
            a_sum = wf_mla(u[l], x, a_sum);
            wf y = wf_mla(wf_mla(wf_set1(-12.75f), b[l], wf_set1(24)), b[k],
                          wf_mla(wf_set1(-9.75f), b[l], wf_set1(13.5f)));
            wf z = wf_mla(wf_mla(wf_set1(1.5f), b[k], wf_set1(-18)), b[k], wf_set1(24));
            d_sum = wf_mla(u[l], wf_mla(c[k], y, wf_mul(c[l], z)), d_sum);
        }
        wf square = wf_mul(u[k], u[k]);
        a8 = wf_mla(square, a_sum, a8);
        d8 = wf_mla(square, d_sum, d8);
    }
    wf all = wf_mul(u[0], wf_mul(u[1], u[2])), a_all = wf_set1(-54), d_all = wf_set1(0);
    for (int k = 0; k < 3; k++) {
        wf one = b[(k + 1) % 3], other = b[(k + 2) % 3];
        a_all = wf_mla(wf_set1(45), wf_mul(one, other), wf_mla(wf_set1(-48), b[k], a_all));
        wf weight = wf_mla(wf_set1(-7.5f), wf_add(one, other), wf_mla(wf_set1(-15), wf_mul(one, other), wf_set1(45)));
        d_all = wf_mla(c[k], weight, d_all);
    }
    *a = wf_mla(all, a_all, a8);
    *d = wf_mla(all, d_all, d8);
}

/* J - 1 of the order. */
VF_INLINE wf3 preprocessing(int order, wf3 i, wf3 over_i, wf3 f, wf3 turn, wf *a_out)
{
    wf3 u = wf3_times(turn, turn);
    wf3 p = cyclic_products(f);
    wf3 c = {sum_less(i.y, i.z, i.x), sum_less(i.z, i.x, i.y), sum_less(i.x, i.y, i.z)};
    c = wf3_times(c, cyclic_products(over_i));
    wf3 b = wf3_times(i, c);
    wf U = sum3(u), B = wf3_dot(u, b), C = wf3_dot(u, c);
    wf a = wf_mul(wf_set1(-1.0f / 12), wf_add(wf_add(U, U), B));
    wf d = wf_mul(wf_set1(1.0f / 12), C);
    if (order >= 6) {
        const wf3 upp = wf3_times(wf3_times(u, u), p);
        wf three = wf_set1(3), two = wf_set1(2), four = wf_set1(4), over_240 = wf_set1(1.0f / 240);
        wf3 weight = {wf_mla(three, b.x, two), wf_mla(three, b.y, two), wf_mla(three, b.z, two)};
        wf a6 = wf_mla(wf_add(U, U), wf_mla(two, U, B), wf_nmla(B, B, wf3_dot(upp, weight)));
        wf3 ffc = wf3_times(wf3_times(f, f), c);
        wf d6 = wf_mla(wf_mul(three, B), C, wf_mla(four, wf3_dot(cyclic_products(u), ffc), wf_neg(wf3_dot(upp, c))));
        a = wf_mla(over_240, a6, a);
        d = wf_nmla(over_240, d6, d);
    }
    if (order >= 8) {
        const wf us[3] = {u.x, u.y, u.z}, bs[3] = {b.x, b.y, b.z}, cs[3] = {c.x, c.y, c.z}, fs[3] = {f.x, f.y, f.z};
        wf a8, d8;
        eighth_order(us, bs, cs, fs, &a8, &d8);
        a = wf_mla(wf_set1(1.0f / 15120), a8, a);
        d = wf_mla(wf_set1(1.0f / 15120), d8, d);
    }
    *a_out = a;
    return (wf3){wf_mla(d, i.x, a), wf_mla(d, i.y, a), wf_mla(d, i.z, a)};
}

VF_INLINE cayley_problem cayley_problem_of(int order, const body_lanes *lanes)
{
    const wf one = wf_set1(1);
    const wf3 i = lanes->inertia, over_i = lanes->over_inertia;
    wf3 f = asymmetry(i, over_i);
    wf3 mu = wf3_scale(wf_mul(wf_set1(0.5f), lanes->h), lanes->seen);
    wf3 half_turn = wf3_times(mu, over_i);
    if (order == 2) {
        const wf zero = wf_set1(0);
        return (cayley_problem){mu, i, over_i, {zero, zero, zero}, half_turn, f};
    }
    wf a;
    wf3 less = preprocessing(order, i, over_i, f, wf3_add(half_turn, half_turn), &a);
    wf3 j = {wf_add(one, less.x), wf_add(one, less.y), wf_add(one, less.z)};
    wf3 others = cyclic_products(j);
    wf over = wf_div(one, wf_mul(j.x, others.x)); /* 1 / (J1 J2 J3) */
    wf3 over_j = wf3_scale(over, others);
    wf3 i_less = wf3_neg(wf3_times(wf3_times(i, less), over_j));
    wf common = wf_mul(wf_add(one, a), over);
    return (cayley_problem){
        .mu = mu,
        .i = wf3_add(i, i_less),
        .over_i = wf3_times(over_i, j),
        .i_less = i_less,
        .m = wf3_times(half_turn, j),
        .f = wf3_times(f, wf3_scale(common, wf3_times(j, j))), /* i2 - i3 = (1 + a) (I2 - I3) / (J2 J3) */
    };
}

/* c's power series in m, to the third order. */
VF_INLINE wf3 cayley_start(const cayley_problem *p)
{
    const wf3 m = p->m, f = p->f;
    wf3 second = wf3_times(f, cyclic_products(m));
    wf3 mixed = {
        wf_mla(m.y, second.z, wf_mul(m.z, second.y)),
        wf_mla(m.z, second.x, wf_mul(m.x, second.z)),
        wf_mla(m.x, second.y, wf_mul(m.y, second.x)),
    };
    return wf3_add(m, wf3_times_add(f, mixed, wf3_scale_add(wf3_dot(m, m), m, second)));
}

/* -F of (2) */
VF_INLINE wf3 cayley_defect(const cayley_problem *p, wf3 c)
{
    return wf3_add(wf3_sub(p->m, c), wf3_scale_add(wf3_dot(c, c), p->m, wf3_times(p->f, cyclic_products(c))));
}

/* F' = 1 - 2 m c^T - [0, f1 c3, f1 c2; f2 c3, 0, f2 c1; f3 c2, f3 c1, 0] */
VF_INLINE wf33 cayley_jacobian(const cayley_problem *p, wf3 c)
{
    const wf one = wf_set1(1);
    wf3 m2 = wf3_neg(wf3_add(p->m, p->m)), f = p->f;
    return (wf33){{
        {wf_mla(m2.x, c.x, one), wf_nmla(f.x, c.z, wf_mul(m2.x, c.y)), wf_nmla(f.x, c.y, wf_mul(m2.x, c.z))},
        {wf_nmla(f.y, c.z, wf_mul(m2.y, c.x)), wf_mla(m2.y, c.y, one), wf_nmla(f.y, c.x, wf_mul(m2.y, c.z))},
        {wf_nmla(f.z, c.y, wf_mul(m2.z, c.x)), wf_nmla(f.z, c.x, wf_mul(m2.z, c.y)), wf_mla(m2.z, c.z, one)},
    }};
}

/* -F as (1 + [c]x) (1) / i */
VF_INLINE wf3 lasting_defect(const cayley_problem *p, wf3 c)
{
    wf3 g = wf3_add(wf3_sub(p->mu, wf3_times(p->i, c)), wf3_scale_add(wf3_dot(c, p->mu), c, wf3_cross(p->mu, c)));
    return wf3_times(p->over_i, wf3_add(g, wf3_cross(c, g)));
}

/* The same with the residual of (1) in double. */
VF_INLINE wf3 precise_defect(const cayley_problem *p, const body_lanes *lanes, wf3 c)
{
    wd3 cd = wd3_from_wf3(c), seen = wd3_add(wd3_from_wf3(lanes->seen), wd3_from_wf3(lanes->seen_low));
    wd3 mu = wd3_scale(wd_mul(wd_set1(0.5), wd_from_wf(lanes->h)), seen);
    wd3 i = wd3_add(wd3_from_wf3(lanes->inertia), wd3_from_wf3(p->i_less));
    wd3 g = wd3_add(wd3_sub(mu, wd3_times(i, cd)), wd3_add(wd3_scale(wd3_dot(cd, mu), cd), wd3_cross(mu, cd)));
    wf3 rounded = wd3_to_wf3(g);
    return wf3_times(p->over_i, wf3_add(rounded, wf3_cross(c, rounded)));
}

VF_INLINE void moser_veselov_substep(body_lanes *lanes, const body_plan *plan, bool low, body_tally *tally)
{
    const wf zero = wf_set1(0), one = wf_set1(1);
    const wf3 nothing = {zero, zero, zero};
    const gyre_body_solver *solver = &plan->solver;
    cayley_problem p = cayley_problem_of(solver->order, lanes);
    wf3 c = solver->substeps > 0 ? nothing : cayley_start(&p);

    body_iteration now = begin_iteration(lanes);
    const wf done = wf_set1(solver->tolerance);
    wf33_inverse inverse = {{{one, zero, zero}, {zero, one, zero}, {zero, zero, one}}, one};
    for (int k = 0; k < solver->max_iterations && wm_any(now.active); k++) {
        tally->iterations += wm_count(now.active);
        if (!solver->fixed_point) {
            wf33_inverse new = inverse_of(cayley_jacobian(&p, c));
            inverse = k == 0 ? new : inverse_select(now.active, new, inverse);
        }
        c = corrected(&now, c, inverse_times(&inverse, cayley_defect(&p, c)), done);
    }
    end_iteration(&now, lanes, plan, tally);

    wf3 last = inverse_times(&inverse, low ? precise_defect(&p, lanes, c) : lasting_defect(&p, c));
    if (wm_any(now.active)) { /* no Jacobian worth the name where the iteration failed */
        last = wf3_select(now.active, nothing, last);
    }
    wf3 sum = wf3_add(c, last);
    wf square = versor_square(lanes->orientation);
    wf n = wf_div(one, wf_sqrt(wf_mul(square, wf_add(one, wf3_dot(sum, sum)))));
    /* Energy rises fastest about M x omega, halfway between the start and the end, where M is i c (1 + c.c) 2 / h. */
    wf3 middle = wf3_times(p.i, c), uphill = wf3_cross(middle, wf3_times(lanes->over_inertia, middle));
    finish_substep(lanes, low, (body_turn){low ? c : sum, last, n, wf_sub(n, one)}, &uphill);
}
