/* The discrete Moser-Veselov method with preprocessed moments (E. Hairer and G. Vilmart, Preprocessed discrete
   Moser-Veselov algorithm for the full dynamics of a rigid body, J. Phys. A 39, 2006; R. McLachlan and A. Zanna, The
   discrete Moser-Veselov algorithm for the free rigid body, revisited, Found. Comput. Math. 5, 2005).

   Its unknown is Cayley's vector c, the axis of a sub-step's rotation times the tangent of half its angle. With the
   momentum M in the body and mu = h M / 2, it solves

       i c = mu + (c . mu) c + mu x c                                                     componentwise i c       (1)

   whatever the three numbers i are, the rotation by c keeps |M| and M . (M / i). With i = I it is of order 2. A body
   with other moments i, which depend on I and on the two constants h^2 |M|^2 and h^2 M . omega, has the same energy and
   momentum and a motion that is nearer to the true one: those of Hairer and Vilmart's series bring order 4, 6, 8. So
   all orders keep momentum and energy, up to rounding, and only the timing gets better. Order 6 has a closed form of
   its own (body_closed_form.c), a seventh as far from the true motion as theirs.

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
   What is at hand is mu and t = mu / I = h omega / 2, so with g = c / I = (I2 + I3 - I1) / (I1 I2 I3) the code sums
   tau = t^2 = u / 4, x = g mu t = u c / 4 and z = I x = u b / 4, and sum u2 u3 f1^2 c1 is 16 times the sum of (g / I)
   ((I2 - I3) t2 t3)^2.

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
   can have. The bound is used with f of the moments themselves and m = h omega / 2. The J of all orders are below 1 for
   masses, so theirs are inside. Moments that no mass has (I3 > I1 + I2) can have a J a few parts in a hundred above 1;
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

/* The terms of order 8, a and d times 15120. */
VF_INLINE void eighth_order(const vf u[3], const vf b[3], const vf c[3], const vf f[3], vf *a, vf *d)
{
    vf a8 = vf_set1(0), d8 = vf_set1(0);
    for (int k = 0; k < 3; k++) {
        vf cubic = vf_mla(vf_mla(vf_set1(-12.75f), b[k], vf_set1(6.75f)), b[k], vf_set1(-1.5f));
        vf a_sum = vf_mul(u[k], vf_mla(cubic, b[k], vf_set1(-3)));
        vf d_sum = vf_mul(u[k], vf_mul(vf_neg(cubic), c[k]));
        for (int step = 1; step <= 2; step++) {
            const int l = (k + step) % 3, m = (k + 3 - step) % 3;
            vf difference = step == 1 ? f[m] : vf_neg(f[m]); /* (I_k - I_l) / I_m */
            vf x =
                vf_mla(vf_mla(vf_set1(11.25f), b[l], vf_set1(-27)), b[k], vf_mla(vf_set1(14.25f), b[l], vf_set1(12)));
            x = vf_mla(x, b[k], vf_mla(vf_set1(-4.5f), b[l], vf_set1(-37.5f)));
            x = vf_mla(vf_mul(vf_set1(10.5f), difference), vf_sub(b[k], vf_set1(1)), x);
            a_sum = vf_mla(u[l], x, a_sum);
            vf y = vf_mla(vf_mla(vf_set1(-12.75f), b[l], vf_set1(24)), b[k],
                          vf_mla(vf_set1(-9.75f), b[l], vf_set1(13.5f)));
            vf z = vf_mla(vf_mla(vf_set1(1.5f), b[k], vf_set1(-18)), b[k], vf_set1(24));
            d_sum = vf_mla(u[l], vf_mla(c[k], y, vf_mul(c[l], z)), d_sum);
        }
        vf square = vf_mul(u[k], u[k]);
        a8 = vf_mla(square, a_sum, a8);
        d8 = vf_mla(square, d_sum, d8);
    }
    vf all = vf_mul(u[0], vf_mul(u[1], u[2])), a_all = vf_set1(-54), d_all = vf_set1(0);
    for (int k = 0; k < 3; k++) {
        vf one = b[(k + 1) % 3], other = b[(k + 2) % 3];
        a_all = vf_mla(vf_set1(45), vf_mul(one, other), vf_mla(vf_set1(-48), b[k], a_all));
        vf weight = vf_mla(vf_set1(-7.5f), vf_add(one, other), vf_mla(vf_set1(-15), vf_mul(one, other), vf_set1(45)));
        d_all = vf_mla(c[k], weight, d_all);
    }
    *a = vf_mla(all, a_all, a8);
    *d = vf_mla(all, d_all, d8);
}

/* The products that the series are sums of. */
typedef struct cayley_products {
    vf3 differences, e; /* I2 - I3, and times t2 t3 */
    vf3 mu_t;           /* mu t / (I1 I2 I3) */
    vf3 x;
    vf e_sum; /* of (g / I) e^2 */
} cayley_products;

VF_INLINE cayley_products products_of(const body_lanes *lanes, vf3 inertia)
{
    const vf3 t = lanes->half_turn, sums = sums_less(inertia);
    cayley_products p;
    p.mu_t = vf3_scale(lanes->over_product, vf3_times(lanes->mu, t));
    p.differences = vf3_cyclic_differences(inertia);
    p.e = vf3_times(p.differences, vf3_cyclic_products(t));
    p.x = vf3_times(sums, p.mu_t);
    p.e_sum = vf_mul(lanes->over_product, vf3_dot(vf3_times(sums, lanes->over_inertia), vf3_times(p.e, p.e)));
    return p;
}

VF_INLINE void begin_series(body_state *state, const body_lanes *lanes, vf3 inertia)
{
    const cayley_products p = products_of(lanes, inertia);
    state->x_part = p.x;
    state->z_part = vf3_times(p.x, inertia);
    state->e_sum = p.e_sum;
}

/* a and d, of order 4 or 6. */
VF_INLINE void sum_orders(bool sixth, body_state *state, const body_lanes *lanes)
{
    const vf third = vf_set1(1.0f / 3), three = vf_set1(3), four = vf_set1(4);
    const vf3 t = lanes->half_turn, x = state->x_part, z = state->z_part;
    vf3 tau = vf3_times(t, t); /* u / 4 */
    vf T = sum3(tau), X = sum3(x), Z = sum3(z), E = state->e_sum;
    vf T2 = vf_add(T, T), T2Z = vf_add(T2, Z), a = vf_mul(vf_neg(third), T2Z), d = vf_mul(third, X);
    if (sixth) {
        const vf over_15 = vf_set1(1.0f / 15);
        vf3 up = vf3_sub(z, tau); /* u p / 4 */
        vf Q = vf3_dot(up, vf3_scale_add(three, z, vf3_add(tau, tau)));
        vf a6 = vf_mla(T2, T2Z, vf_nmla(Z, Z, Q));
        vf d6 = vf_sub(vf_mla(vf_mul(three, Z), X, vf_mul(four, E)), vf3_dot(up, x));
        a = vf_mla(over_15, a6, a);
        d = vf_nmla(over_15, d6, d);
    }
    state->a = a;
    state->d = d;
}

VF_INLINE void add_eighth_order(body_state *state, const body_lanes *lanes, vf3 i)
{
    const vf over_15120 = vf_set1(1.0f / 15120);
    const vf3 t = lanes->half_turn, over_i = lanes->over_inertia;
    const vf3 f = asymmetry(i, over_i), u = vf3_scale(vf_set1(4), vf3_times(t, t));
    const vf3 c = vf3_times(vf3_cyclic_products(over_i), sums_less(i)), b = vf3_times(c, i);
    const vf us[3] = {u.x, u.y, u.z}, bs[3] = {b.x, b.y, b.z}, cs[3] = {c.x, c.y, c.z}, fs[3] = {f.x, f.y, f.z};
    vf a8, d8;
    eighth_order(us, bs, cs, fs, &a8, &d8);
    state->a = vf_mla(over_15120, a8, state->a);
    state->d = vf_mla(over_15120, d8, state->d);
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
    const vf3 over_i = lanes->over_inertia;
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
    s->c = vf3_times(lanes->over_inertia, s->x);
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
    s->over_length = cayley_length(s, lanes);
}

VF_INLINE void turn_by_precise_cayley(body_state *s)
{
    FOR_EACH_HALF
    {
        const vd3 c = vd3_sub(s->precise_c[half], vd3_load(&s->c_excess, half));
        vd4 *orientation = &s->precise_orientation[half];
        *orientation = cayley_turned(*orientation, c, vd_load(&s->over_length, half));
    }
}
