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
   6 and 8 have a closed form, nearer to the true motion than their series (body_closed_form.c).

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
   taken first, because it is exact. */
#include "body_newton.h"

VF_INLINE vf sum3(vf3 a) { return vf_add(a.x, vf_add(a.y, a.z)); }

/* b + c - a and cyclic. */
VF_INLINE vf3 sums_less(vf3 a)
{
    const vf sum = sum3(a);
    return vf3_sub((vf3){sum, sum, sum}, vf3_add(a, a));
}

/* mu t / (I1 I2 I3) */
VF_INLINE vf3 weighted_squares(const body_lanes *lanes)
{
    return vf3_scale(lanes->inverse_product, vf3_times(lanes->mu, lanes->half_turn));
}

VF_INLINE void fourth_order(body_state *state, const body_lanes *lanes, vf3 inertia)
{
    const vf third = vf_set1(1.0f / 3);
    const vf3 t = lanes->half_turn, x = vf3_times(sums_less(inertia), weighted_squares(lanes));
    vf tau = vf3_dot(t, t);
    state->a = vf_mul(vf_neg(third), vf_add(vf_add(tau, tau), vf3_dot(x, inertia)));
    state->d = vf_mul(third, sum3(x));
}

VF_INLINE void no_series(body_state *state) { state->a = state->d = vf_set1(0); }

/* y's power series in mu, to the third order. */
VF_INLINE vf3 cayley_start(vf3 k, vf3 mu)
{
    vf3 dk = vf3_cyclic_differences(k), c = vf3_times(k, mu);
    vf3 second = vf3_times(dk, vf3_cyclic_products(mu)); /* its negative */
    vf3 third = vf3_scale_add(vf3_dot(c, c), mu, vf3_times(dk, vf3_mixed_products(mu, second)));
    return vf3_add(mu, vf3_sub(third, second));
}

VF_INLINE void begin_cayley(body_state *s, const body_lanes *lanes, vf3 i, const gyre_body_solver *solver)
{
    const vf zero = vf_set1(0);
    const vf3 over_i = lanes->inverse_inertia;
    const vf3 less = {vf_mla(s->d, i.x, s->a), vf_mla(s->d, i.y, s->a), vf_mla(s->d, i.z, s->a)}; /* J - 1 */
    s->k = vf3_times_add(less, over_i, over_i);
    s->x = solver->substeps > 0 ? (vf3){zero, zero, zero} : cayley_start(s->k, lanes->mu);
    begin_iteration(s, lanes);
}

/* H of (2) for c = k y. */
VF_INLINE void cayley_defect(body_state *s, const body_lanes *lanes)
{
    const vf3 y = s->x, mu = lanes->mu;
    s->c = vf3_times(s->k, y);
    s->square = vf3_dot(s->c, s->c);
    s->defect = vf3_sub(vf3_scale_add(s->square, mu, vf3_sub(mu, y)), vf3_cross(s->c, y));
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
    vf yy = vf_nmla(yx, xy, one), y_z = vf_nmla(yx, xz, yz), y_all = vf_nmla(yx, all.x, all.y);
    vf zz = vf_nmla(zx, xz, one), z_y = vf_nmla(zx, xy, zy), z_all = vf_nmla(zx, all.x, all.z);
    vf over = vf_div(one, vf_nmla(y_z, z_y, vf_mul(yy, zz)));
    vf3 d;
    d.y = vf_mul(over, vf_nmla(y_z, z_all, vf_mul(zz, y_all)));
    d.z = vf_mul(over, vf_nmla(z_y, y_all, vf_mul(yy, z_all)));
    d.x = vf_nmla(xz, d.z, vf_nmla(xy, d.y, all.x));
    return d;
}

/* -H' is that less 2 mu (k c)^T. */
VF_INLINE vf33 cayley_jacobian(vf3 mu, vf3 k, vf3 c, vf3 y)
{
    const vf33 turned = turned_jacobian(k, y);
    const vf3 kc = vf3_times(k, c), m2 = vf3_add(mu, mu);
    return (vf33){{
        vf3_scale_less(m2.x, kc, turned.row[0]),
        vf3_scale_less(m2.y, kc, turned.row[1]),
        vf3_scale_less(m2.z, kc, turned.row[2]),
    }};
}

VF_INLINE void derive_cayley(body_state *s, const body_lanes *lanes, bool first, bool fixed_point)
{
    const vf one = vf_set1(1);
    if (!fixed_point) {
        vf33_inverse new = inverse_of(cayley_jacobian(lanes->mu, s->k, s->c, s->x));
        s->inverse = first ? new : inverse_select(s->active, new, s->inverse);
    } else if (first) {
        s->inverse = diagonal_inverse((vf3){one, one, one});
    }
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

VF_INLINE void solve_cayley(body_state *s)
{
    s->c = within_bounds(vf3_times(s->k, vf3_add(s->x, last_correction(s))), &s->square);
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

/* Energy rises fastest about M x omega. */
VF_INLINE void add_cayley(body_state *s, const body_lanes *lanes, vf4 orientation)
{
    vf3 uphill = vf3_cross(lanes->mu, lanes->half_turn);
    s->sum = orientation_sum(orientation, s->increment, s->square, uphill);
}

/* ---- With low parts. ---- */

/* y is I c0 of a rounded c0, and c = (1 + a) c0 + d y, both in double. So what is rounded in a and d is a little of
   another time, but never of another energy: c lies in the plane of y / I and y. */
VF_INLINE void begin_cayley_precisely(body_state *s, const body_lanes *lanes)
{
    s->c = vf3_times(lanes->inverse_inertia, s->x);
}

/* y + c x y - K mu in double: what c has too much comes of it. */
VF_INLINE void find_precise_excess(body_state *s, vd3 y, vd3 c, vd k, int half)
{
    vd3_store(&s->defect, half, vd3_add_cross(c, y, vd3_scale_less(k, s->precise_mu[half], y)));
    s->precise_c[half] = c;
}

VF_INLINE void find_cayley_excess(body_state *s, const body_block *b, size_t v)
{
    FOR_EACH_HALF
    {
        const vd3 c0 = vd3_load(&s->c, half), y = vd3_times(precise_inertia_at(b, v, half), c0);
        const vd3 c = vd3_scale_add(vd_load(&s->d, half), y, vd3_scale_add(vd_load(&s->a, half), c0, c0));
        find_precise_excess(s, y, c, vd_add(vd_set1(1), vd3_dot(c, c)), half);
    }
}

VF_INLINE void solve_cayley_precisely(body_state *s, const body_lanes *lanes)
{
    s->c_excess = vf3_times(s->k, last_correction(s));
    within_bounds(vf3_sub(vf3_times(s->k, s->x), s->c_excess), &s->square); /* out of them nothing turns */
    s->inverse_length = cayley_length(s, lanes);
}

VF_INLINE void turn_by_precise_cayley(body_state *s)
{
    FOR_EACH_HALF
    {
        const vd3 c = vd3_sub(s->precise_c[half], vd3_load(&s->c_excess, half));
        vd4 *orientation = &s->precise_orientation[half];
        *orientation = cayley_turned(*orientation, c, vd_load(&s->inverse_length, half));
    }
}
