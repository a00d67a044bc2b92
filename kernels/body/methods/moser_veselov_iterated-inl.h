/* The discrete Moser-Veselov method with preprocessed moments (E. Hairer and G. Vilmart, Preprocessed discrete
   Moser-Veselov algorithm for the full dynamics of a rigid body, J. Phys. A 39, 2006; R. McLachlan and A. Zanna, The
   discrete Moser-Veselov algorithm for the free rigid body, revisited, Found. Comput. Math. 5, 2005).

   Its unknown is Cayley's vector c, the axis of a sub-step's rotation times the tangent of half its angle. With the
   momentum M in the body and mu = h M / 2, it solves

       i c = mu + (c . mu) c + mu x c                                                     componentwise i c       (1)

   whatever the three numbers i are, the rotation by c keeps |M| and M . (M / i). With i = I it is of order 2. A body
   with other moments i, which depend on I and on the two constants h^2 |M|^2 and h^2 M . omega, has the same energy and
   momentum and a motion that is nearer to the true one: those of Hairer and Vilmart's series bring order 4, 6, 8. So
   all orders keep momentum and energy, up to rounding, and only the timing gets better. Here are orders 2 and 4; orders
   6 and 8 have a closed form, nearer to the true motion than their series (body/methods/moser_veselov-inl.h).

   ## The series in float

   Their sums of powers of the moments cancel for rods and plates, to the last digit at ratios of 1e6. In terms of

       t = mu / I = h omega / 2    tau = t^2    x1 = (I2 + I3 - I1) / (I1 I2 I3) mu1 t1    z = I x

   and cyclic nothing does, for differences are taken of the moments themselves. i = I / J, J = 1 + a + d I with

       a = -(2 sum tau + sum z) / 3    d = sum x / 3

   is of order 4. A check: for a sphere J = 1 - (h omega)^2 / 6, the beginning of sin(h omega) / (h omega), as it must
   be, for (1) then says tan(angle/2) / (1 + tan^2) = J h omega / 2.

   ## The equation that is iterated

   In terms of y = i c, (1) times (1 + [c]x) is

       H(y) = (1 + c.c) mu - y - c x y = 0     with c = k y, k = 1 / i = J / I                                   (2)

   and times k, with m = k mu and f = (i2 - i3) / i1 and cyclic,

       F(c) = c - (1 + c.c) m - f (c2 c3, c3 c1, c1 c2) = -k H

   Newton's iterates are the same for both, for a change of scale of unknown or equation leaves them as they are.
   F is quadratic with F(0) = -m and F'(0) = 1, so Kantorovich's theorem is short: with q the largest |f (c2 c3, ...)|
   on the unit sphere, |F''| <= 2 (|m| + q), and Newton's iteration from 0 converges if

       |m| (|m| + q) <= 1/4,     that is     |m| <= (sqrt(1 + q^2) - q) / 2.

   q^2 is the largest value of f1^2 x2 x3 + f2^2 x3 x1 + f3^2 x1 x2 on the triangle x1 + x2 + x3 = 1: with A the largest
   of the three squares, B and C the others and e = max(0, B + C - A), it is A / (4 - e^2 / (B C)). It is exact, where
   the bound |m| (2 |m| + (2 / sqrt 3) max |f|) <= 1/2 takes the worst f for all three: a body needs up to a seventh
   less sub-steps, and 1/sqrt 3 rad of h omega is in reach of every body. q is at most 1/sqrt 3 for moments that a mass
   can have. The bound is used with f of the moments themselves and m = h omega / 2. Order 4's J is below 1 for masses,
   so they are inside. Moments that no mass has (I3 > I1 + I2) can have a J a few parts in a hundred above 1;
   they get a sixteenth less, and so does order 2, whose J is 1: a sphere's two solutions would meet at its bound.

   The iteration starts at the first terms of c's power series in m. All its iterates are bounded by those of the scalar
   equation t = |m| + (|m| + q) t^2 that the theorem compares with, term by term: the same bound is a proof for this
   start.

   ## Rounding

   Whatever error k has, (1) keeps an energy, for k is what defines it. (2) does so if c is k y up to its last digit and
   H is formed of c and y as it stands. Written with f, or with the differences of k for c x y, it would not, for these
   round apart from k: solved to the last digit that gains or loses 1e-4 of the energy in a million steps. mu - y is
   taken first, because it is exact. Where moments are 64 times apart the differences are used all the same (turned_mean
   in body/methods/cayley-inl.h). */
#ifndef GYRE_BODY_MOSER_VESELOV_H
#define GYRE_BODY_MOSER_VESELOV_H

#include "body/methods/cayley-inl.h"
#include "body/methods/newton-inl.h"

VF_INLINE void fourth_order(body_state *state, const body_lanes *lanes, vf3 inertia)
{
    const vf third = vf_set1(1.0f / 3);
    const vf3 t = lanes->half_angle, x = vf3_mul(sums_less(inertia), weighted_squares(lanes));
    vf tau = vf3_dot(t, t);
    state->a = vf_mul(vf_neg(third), vf_add(vf_add(tau, tau), vf3_dot(x, inertia)));
    state->d = vf_mul(third, vf3_sum(x));
}

VF_INLINE void no_series(body_state *state) { state->a = state->d = vf_set1(0); }

/* y's power series in mu, to the third order. */
VF_INLINE vf3 cayley_start(vf3 k, vf3 mu)
{
    vf3 dk = vf3_cyclic_differences(k), c = vf3_mul(k, mu);
    vf3 second = vf3_mul(dk, vf3_cyclic_products(mu)); /* its negative */
    vf3 third = vf3_scale_add(vf3_dot(c, c), mu, vf3_mul(dk, vf3_mixed_products(mu, second)));
    return vf3_add(mu, vf3_sub(third, second));
}

VF_INLINE void begin_cayley(body_state *s, const body_lanes *lanes, vf3 i, const gyre_body_solver *solver)
{
    const vf zero = vf_set1(0);
    const vf3 inverse_i = lanes->inverse_inertia;
    const vf3 less = {vf_mul_add(s->d, i.x, s->a), vf_mul_add(s->d, i.y, s->a),
                      vf_mul_add(s->d, i.z, s->a)}; /* J - 1 */
    s->k = vf3_mul_add(less, inverse_i, inverse_i);
    s->x = solver->substeps > 0 ? (vf3){zero, zero, zero} : cayley_start(s->k, lanes->mu);
    begin_iteration(s, lanes);
    /* an eps of the momentum, about the thinnest axis */
    const vf3 noise = vf3_scale(vf_mul(vf_set1(0x1p-24f), vf3_max(inverse_i)), lanes->mu);
    s->noise = vf3_dot(noise, noise);
}

/* H of (2) for c = k y. */
VF_INLINE void cayley_residual(bool all_compact, body_state *s, const body_lanes *lanes)
{
    const vf3 y = s->x, mu = lanes->mu;
    s->c = vf3_mul(s->k, y);
    s->square = vf3_dot(s->c, s->c);
    const vf3 change = turned_mean(all_compact, lanes, s->k, s->c, y);
    s->residual = vf3_sub(vf3_scale_add(s->square, mu, vf3_sub(mu, y)), change);
}

/* -H' is that less 2 mu (k c)^T. */
VF_INLINE vf33 cayley_jacobian(vf3 mu, vf3 k, vf3 c, vf3 y)
{
    const vf33 turned = turned_jacobian(k, y);
    const vf3 kc = vf3_mul(k, c), m2 = vf3_add(mu, mu);
    return (vf33){{
        vf3_neg_scale_add(m2.x, kc, turned.row[0]),
        vf3_neg_scale_add(m2.y, kc, turned.row[1]),
        vf3_neg_scale_add(m2.z, kc, turned.row[2]),
    }};
}

VF_INLINE void derive_cayley(body_state *s, const body_lanes *lanes, bool first, bool fixed_point)
{
    const vf one = vf_set1(1);
    if (!fixed_point) {
        update_inverse(s, cayley_jacobian(lanes->mu, s->k, s->c, s->x), first);
    } else if (first) {
        s->inverse = diagonal_inverse((vf3){one, one, one});
    }
}

VF_INLINE void solve_cayley(body_state *s)
{
    s->c = within_bounds(vf3_mul(s->k, vf3_add(s->x, last_correction(s))), &s->square);
}

/* Energy rises fastest about M x omega. */
VF_INLINE void add_cayley(body_state *s, const body_lanes *lanes, vf4 orientation)
{
    vf3 uphill = vf3_cross(lanes->mu, lanes->half_angle);
    s->sum = orientation_sum(orientation, s->increment, s->square, uphill);
}

/* ---- With low parts. ---- */

/* y is I c0 of a rounded c0, and c = (1 + a) c0 + d y, both in double. So what is rounded in a and d is a little of
   another time, but never of another energy: c lies in the plane of y / I and y. */
VF_INLINE void begin_cayley_precisely(body_state *s, const body_lanes *lanes)
{
    s->c = vf3_mul(lanes->inverse_inertia, s->x);
}

/* y + c x y - (1 + c.c) mu in double: what c has too much comes of it. */
VF_INLINE void find_cayley_excess(body_state *s, const body_block *b, size_t v)
{
    FOR_EACH_HALF
    {
        const vd3 c0 = vd3_load(&s->c, half), y = vd3_mul(precise_inertia_at(b, v, half), c0);
        const vd3 c = vd3_scale_add(vd_load(&s->d, half), y, vd3_scale_add(vd_load(&s->a, half), c0, c0));
        const vd longer = vd_add(vd_set1(1), vd3_dot(c, c));
        vd3_store(&s->residual, half, vd3_add_cross(c, y, vd3_neg_scale_add(longer, s->precise_mu[half], y)));
        vd3_store(&s->c, half, c);
        s->precise_c[half] = c;
    }
}

/* |c|^2 is that of the c that will turn the body: of a sphere in a step of many turns nearly all of k y cancels, and of
   some bodies in steps far beyond what is proven. 0 where c is out of all bounds: then nothing turns. The stage before
   has left c and its excess, rounded, in s->c. */
VF_INLINE void solve_cayley_precisely(body_state *s, const body_lanes *lanes)
{
    s->c_excess = vf3_mul(s->k, last_correction(s));
    within_bounds(vf3_sub(s->c, s->c_excess), &s->square);
    s->inverse_length = cayley_length(s, lanes);
}

VF_INLINE void turn_by_precise_cayley(body_state *s)
{
    FOR_EACH_HALF
    {
        const vd3 c = vd3_sub(s->precise_c[half], vd3_load(&s->c_excess, half));
        vd4 *orientation = &s->precise_orientation[half];
        const vd4 turned = vd4_turned(*orientation, (vd4){c, vd_set1(1)});
        *orientation = vd4_scaled_guarded(vd_load(&s->inverse_length, half), turned);
    }
}

#endif
