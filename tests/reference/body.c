#include "reference/body.h"

#include <math.h>

vector reference_body_momentum(const reference_body *body)
{
    return quaternion_rotate_back(body->orientation, body->momentum);
}

static vector divided(vector a, vector b)
{
    return (vector){{a.at[0] / b.at[0], a.at[1] / b.at[1], a.at[2] / b.at[2]}};
}

static vector multiplied(vector a, vector b)
{
    return (vector){{a.at[0] * b.at[0], a.at[1] * b.at[1], a.at[2] * b.at[2]}};
}

vector reference_body_spin(const reference_body *body) { return divided(reference_body_momentum(body), body->inertia); }

double reference_body_energy(const reference_body *body)
{
    return vector_dot(reference_body_momentum(body), reference_body_spin(body)) / 2;
}

/* ---- Discrete Moser-Veselov: Hairer and Vilmart, "Preprocessed discrete Moser-Veselov algorithm for the full dynamics
   of the rigid body", J. Phys. A 39 (2006). ----

   With 1/j instead of the moments I, the second-order method reaches order 4, 6 or 8. j = sigma / I + delta, where
   sigma and delta are series in n = h^2 |M|^2 / 2 and e = h^2 (M . omega) / 2, constant while no torque acts. */
typedef struct modified_series {
    double sigma, delta;
} modified_series;

static modified_series series_of(const reference_equation *q, int order)
{
    const double a = q->inertia.at[0], b = q->inertia.at[1], c = q->inertia.at[2];
    const double s1 = a + b + c, s2 = a * a + b * b + c * c, s3 = a * a * a + b * b * b + c * c * c, d = a * b * c;
    const double x1 = 1 / a + 1 / b + 1 / c, x2 = 1 / (a * a) + 1 / (b * b) + 1 / (c * c);
    const double x3 = 1 / (a * a * a) + 1 / (b * b * b) + 1 / (c * c * c);
    const double y = (a + b) / c + (b + c) / a + (c + a) / b;
    const double y12 = (a + b) / (c * c) + (b + c) / (a * a) + (c + a) / (b * b);
    const double y21 = (a * a + b * b) / c + (b * b + c * c) / a + (c * c + a * a) / b;
    const double n = vector_dot(q->momentum, q->momentum) / 2;
    const double e = vector_dot(q->momentum, divided(q->momentum, q->inertia)) / 2;
    double sigma = 1, delta = 0;
    if (order >= 4) {
        sigma += s1 / (6 * d) * n - x1 / 3 * e;
        delta += -n / (3 * d) + s1 / (6 * d) * e;
    }
    if (order >= 6) {
        sigma += (s2 / d - x1) / (30 * d) * n * n + (1 - y) / (30 * d) * n * e + (3 * s1 / d + 2 * x2) / 60 * e * e;
        delta += -s1 / (60 * d * d) * n * n + (x1 / (10 * d) - s2 / (60 * d * d)) * n * e - (9 + y) / (60 * d) * e * e;
    }
    if (order >= 8) {
        sigma += (4 * d + 17 * s3 - 15 * d * y) / (2520 * d * d * d) * n * n * n +
                 (9 * s1 + 10 * d * x2 - 6 * y21) / (420 * d * d) * n * n * e +
                 ((6 * y12 - 100 * x1) * d + 53 * s2) / (2520 * d * d) * n * e * e +
                 (15 - d * x3 - 2 * y) / (630 * d) * e * e * e;
        delta += (34 * d * x1 - 19 * s2) / (2520 * d * d * d) * n * n * n +
                 (s3 + 2 * d * y - 85 * d) / (1260 * d * d * d) * n * n * e +
                 (47 * s1 + 13 * y21 - 38 * d * x2) / (2520 * d * d) * n * e * e +
                 (9 * d * x1 + d * y12 - 11 * s2) / (1260 * d * d) * e * e * e;
    }
    return (modified_series){sigma, delta};
}

static vector modified_inverse_inertia(const reference_equation *q)
{
    const double *i = q->inertia.at;
    modified_series s = series_of(q, q->order);
    return (vector){{s.sigma / i[0] + s.delta, s.sigma / i[1] + s.delta, s.sigma / i[2] + s.delta}};
}

/* The system is c = (1 + |c|^2) m + f (c2 c3, c3 c1, c1 c2). */
typedef struct cayley_system {
    vector m, f;
} cayley_system;

static cayley_system cayley_system_of(const reference_equation *q)
{
    vector j = modified_inverse_inertia(q), differences;
    for (int k = 0; k < 3; k++) {
        differences.at[k] = 1 / j.at[(k + 1) % 3] - 1 / j.at[(k + 2) % 3];
    }
    return (cayley_system){vector_scaled(multiplied(j, q->momentum), 0.5), multiplied(differences, j)};
}

static vector products_of_others(vector c)
{
    return (vector){{c.at[1] * c.at[2], c.at[2] * c.at[0], c.at[0] * c.at[1]}};
}

/* One series for each power of h: h^2, h^4, h^6. */
typedef struct modified_terms {
    double sigma[3], delta[3];
} modified_terms;

static modified_terms terms_of(const reference_equation *q)
{
    modified_terms terms;
    modified_series before = {1, 0};
    for (int k = 0; k < 3; k++) {
        const modified_series sum = series_of(q, 4 + 2 * k);
        terms.sigma[k] = sum.sigma - before.sigma;
        terms.delta[k] = sum.delta - before.delta;
        before = sum;
    }
    return terms;
}

/* delta / sigma of Hairer and Vilmart's series, without the pole that tan t has for a sphere that turns by 2 t: their
   first sigma is -t^2 then, and tan t = t (15 - t^2) / (15 - 6 t^2) up to t^6 or, up to t^8, t (105 - 10 t^2) / (105 -
   45 t^2 + t^4). */
static double delta_of_series(const reference_equation *q)
{
    const modified_terms terms = terms_of(q);
    const double *s = terms.sigma, *d = terms.delta;
    const double second = d[0], fourth = d[1] - s[0] * d[0];
    if (q->order == 6) {
        const double pole = 0.4 * s[0];
        return (second + fourth + pole * second) / (1 + pole);
    }
    const double sixth = d[2] - s[0] * d[1] + (s[0] * s[0] - s[1]) * d[0];
    const double pole = 3 / 7.0 * s[0], more = s[0] * s[0] / 105;
    return (second + fourth + sixth + pole * (second + fourth) + more * second) / (1 + pole + more);
}

/* The same with a principal axis as exact as tan (kernels/body/README.md), for all but short steps of compact bodies. */
static double closed_form_delta(const reference_equation *q)
{
    const vector mu = vector_scaled(q->momentum, 0.5), t = divided(mu, q->inertia);
    const double k1 = 1 / q->inertia.at[0], k2 = 1 / q->inertia.at[1], k3 = 1 / q->inertia.at[2];
    const double sum = k1 + k2 + k3, pairs = k1 * k2 + k2 * k3 + k3 * k1;
    const double m = vector_dot(mu, mu), e = vector_dot(mu, t), g = pairs * m, u = (2 * sum * e - g) / 3;
    const double smallest = fmin(fmin(k1, k2), k3), largest = fmax(fmax(k1, k2), k3);
    if (e * e <= (q->order == 6 ? 0.023 : 1 / 16.0) * m && largest < 64 * smallest) {
        return delta_of_series(q);
    }
    const double z = m > 0 ? e / m : 0, a = z * e, v = u - a, off = m * (z - k1) * (z - k2) * (z - k3);
    double root, d = 1 - 0.2 * a - 0.8 * v - 0.3 * g;
    if (q->order == 6) {
        root = v - v * v / 5 + pow(v, 3) / 5 - 0.22 * pow(v, 4) + 0.26 * pow(v, 5);
    } else {
        root = v - v * v / 5 + 2 / 35.0 * pow(v, 3) - 27 / 350.0 * pow(v, 4) + 31 / 350.0 * pow(v, 5);
        d += -41 / 150.0 * a * a - 146 / 175.0 * a * v + 17 / 350.0 * v * v + (0.08 * a + 9 / 175.0 * v) * g -
             2 / 105.0 * (3 * sum * m + 16 * e) * off;
    }
    const double tangent = (a * (1 - a / 35) + (3 - 2 / 7.0 * a) * root) / (3 - 9 / 7.0 * a + a * a / 35);
    return z * tangent + 2 / 3.0 * off * d / (1 - 0.6 * u);
}

/* Gyre's own steps of order 6 and 8 (kernels/body/README.md), from the middle of the step: the momentum there by the
   addition formulas of elliptic functions, the distance by Weierstrass's function, the phase as above. */
static vector closed_form_cayley(const reference_equation *q)
{
    const vector mu = vector_scaled(q->momentum, 0.5);
    double k[3], a[3], b[3], mean = 0, squares = 0, product = 1, roots[3];
    for (int axis = 0; axis < 3; axis++) {
        k[axis] = 1 / q->inertia.at[axis];
    }
    for (int axis = 0; axis < 3; axis++) {
        a[axis] = k[(axis + 2) % 3] - k[(axis + 1) % 3];
    }
    for (int axis = 0; axis < 3; axis++) {
        b[axis] = a[(axis + 1) % 3] * a[(axis + 2) % 3] * mu.at[axis] * mu.at[axis];
        mean += b[axis] / 3;
    }
    for (int axis = 0; axis < 3; axis++) {
        squares += (b[axis] - mean) * (b[axis] - mean);
        product *= b[axis] - mean;
    }
    /* 1/w^2 + g2 w^2 / 20 + g3 w^4 / 28 + ..., where g2 is twice the squares, and g3 less than that by four times the
       product */
    const double time = 1 + squares / 10 - (q->order == 6 ? 0 : product / 7) - mean;
    for (int axis = 0; axis < 3; axis++) {
        roots[axis] = sqrt(time + b[axis]);
    }
    const double delta = closed_form_delta(q);
    vector c;
    for (int axis = 0; axis < 3; axis++) {
        const int next = (axis + 1) % 3, last = (axis + 2) % 3;
        double middle =
            (mu.at[axis] * roots[next] * roots[last] + a[axis] * mu.at[next] * mu.at[last] * roots[axis]) / time;
        c.at[axis] = (k[axis] + delta) * middle / roots[axis];
    }
    return c;
}

/* ---- The equations ---- */

static vector turned(vector v, double factor, vector a)
{
    return matrix_times(reference_rotation(vector_scaled(v, factor)), a);
}

/* midpoint           v = I^-1 R(-v/2) M
   object trapezoid   v = I^-1 (M + R(-v) M) / 2
   trapezoid          v = (I^-1 M + R(v) I^-1 R(-v) M) / 2
   Moser-Veselov      see above
   explicit Euler     v = I^-1 M */
vector reference_fixed_point(const reference_equation *q, vector u)
{
    const vector spin = divided(q->momentum, q->inertia);
    switch (q->method) {
    case GYRE_BODY_MIDPOINT: return divided(turned(u, -0.5, q->momentum), q->inertia);
    case GYRE_BODY_OBJECT_TRAPEZOID:
        return vector_scaled(vector_sum(spin, divided(turned(u, -1, q->momentum), q->inertia)), 0.5);
    case GYRE_BODY_TRAPEZOID: {
        vector spin_after = divided(turned(u, -1, q->momentum), q->inertia);
        return vector_scaled(vector_sum(spin, turned(u, 1, spin_after)), 0.5);
    }
    case GYRE_BODY_MOSER_VESELOV: {
        cayley_system system = cayley_system_of(q);
        vector grown = vector_scaled(system.m, 1 + vector_dot(u, u));
        return vector_sum(grown, multiplied(system.f, products_of_others(u)));
    }
    default: return spin;
    }
}

/* The momentum of the implicit methods in kg m^2/s: I times the difference of the sides; that of the others in rad. */
vector reference_residual(const reference_equation *q, vector u)
{
    vector difference = vector_difference(u, reference_fixed_point(q, u));
    bool of_momentum = q->method == GYRE_BODY_MIDPOINT || q->method == GYRE_BODY_OBJECT_TRAPEZOID;
    return of_momentum ? multiplied(q->inertia, difference) : difference;
}

static matrix minus_half(matrix a) { return matrix_scaled(a, -0.5); }

/* d(R(v) X) = -[R(v) X]x T(v) dv. */
matrix reference_jacobian(const reference_equation *q, vector u)
{
    const matrix inertia = matrix_diagonal(q->inertia);
    switch (q->method) {
    case GYRE_BODY_MIDPOINT: {
        vector half = vector_scaled(u, -0.5), w = turned(u, -0.5, q->momentum);
        return matrix_sum(inertia, minus_half(matrix_product(matrix_cross(w), reference_left_jacobian(half))));
    }
    case GYRE_BODY_OBJECT_TRAPEZOID: {
        vector back = vector_scaled(u, -1), w = turned(u, -1, q->momentum);
        return matrix_sum(inertia, minus_half(matrix_product(matrix_cross(w), reference_left_jacobian(back))));
    }
    case GYRE_BODY_TRAPEZOID: {
        vector back = vector_scaled(u, -1), w = turned(u, -1, q->momentum), spin = divided(w, q->inertia);
        matrix of_turn = matrix_product(matrix_cross(turned(u, 1, spin)), reference_left_jacobian(u));
        matrix of_spin = matrix_product(matrix_cross(w), reference_left_jacobian(back));
        for (int row = 0; row < 3; row++) {
            for (int column = 0; column < 3; column++) {
                of_spin.at[row][column] /= q->inertia.at[row];
            }
        }
        of_spin = matrix_product(reference_rotation(u), of_spin);
        return matrix_sum(matrix_identity(), minus_half(matrix_sum(matrix_scaled(of_turn, -1), of_spin)));
    }
    case GYRE_BODY_MOSER_VESELOV: {
        cayley_system system = cayley_system_of(q);
        matrix jacobian = matrix_identity();
        for (int row = 0; row < 3; row++) {
            int next = (row + 1) % 3, last = (row + 2) % 3;
            for (int column = 0; column < 3; column++) {
                jacobian.at[row][column] -= 2 * system.m.at[row] * u.at[column];
            }
            jacobian.at[row][next] -= system.f.at[row] * u.at[last];
            jacobian.at[row][last] -= system.f.at[row] * u.at[next];
        }
        return jacobian;
    }
    default: return matrix_identity();
    }
}

reference_solution reference_solve(const reference_equation *q, vector start, bool fixed_point, int max_iterations,
                                   double tolerance)
{
    reference_solution solution = {.u = start};
    while (!solution.converged && solution.iterations < max_iterations) {
        vector change =
            fixed_point
                ? vector_difference(reference_fixed_point(q, solution.u), solution.u)
                : vector_scaled(matrix_solve(reference_jacobian(q, solution.u), reference_residual(q, solution.u)), -1);
        solution.u = vector_sum(solution.u, change);
        solution.iterations++;
        solution.converged = vector_length(change) <= tolerance * vector_length(solution.u);
    }
    return solution;
}

/* ---- Steps ---- */

reference_equation reference_equation_of(const reference_body *body, gyre_body_method method, int order, double dt_s)
{
    return (reference_equation){method, order, body->inertia, vector_scaled(reference_body_momentum(body), dt_s)};
}

static void drift(reference_body *body, gyre_body_method method, int order, double dt_s)
{
    reference_equation q = reference_equation_of(body, method, order, dt_s);
    vector u = method == GYRE_BODY_MOSER_VESELOV ? closed_form_cayley(&q)
                                                 : reference_solve(&q, (vector){{0, 0, 0}}, false, 50, 1e-15).u;
    quaternion turn =
        method == GYRE_BODY_MOSER_VESELOV ? (quaternion){{u.at[0], u.at[1], u.at[2], 1}} : reference_quaternion(u);
    vector spin = quaternion_rotate(body->orientation, reference_body_spin(body)); /* in the world */
    body->orientation = quaternion_normalised(quaternion_product(body->orientation, turn));
    if (method == GYRE_BODY_EXPLICIT_EULER) { /* it keeps this and makes the momentum follow */
        vector spin_in_body = quaternion_rotate_back(body->orientation, spin);
        body->momentum = quaternion_rotate(body->orientation, multiplied(body->inertia, spin_in_body));
    }
}

void reference_body_step(reference_body *body, gyre_body_method method, int order, int substeps, double dt_s)
{
    const vector half_kick = vector_scaled(body->torque, dt_s / 2);
    body->momentum = vector_sum(body->momentum, half_kick);
    for (int k = 0; k < substeps; k++) {
        drift(body, method, order, dt_s / substeps);
    }
    body->momentum = vector_sum(body->momentum, half_kick);
}

/* Kantorovich's theorem for Newton's iteration from 0: see kernels/body/README.md. s and S are the smallest and the
   largest moment, M includes the time step:

       midpoint            |M| <= sqrt 2 s
       object trapezoid    |M| <= s
       trapezoid           |M| <= 1 / (2 sqrt(d / s) + d),  d = (1/s - 1/S) / 2
       Moser-Veselov       |m| <= 0.4 and |f| |m| <= 0.4,   m = I^-1 M / 2, f1 = (I2 - I3) / I1 and cyclic: not for
       convergence, since it is a closed form */
double reference_share_of_bound(const reference_equation *q)
{
    const double *i = q->inertia.at;
    const double smallest = fmin(i[0], fmin(i[1], i[2])), largest = fmax(i[0], fmax(i[1], i[2]));
    const double momentum = vector_length(q->momentum), d = (1 / smallest - 1 / largest) / 2;
    switch (q->method) {
    case GYRE_BODY_MIDPOINT: return momentum / (sqrt(2) * smallest);
    case GYRE_BODY_OBJECT_TRAPEZOID: return momentum / smallest;
    case GYRE_BODY_TRAPEZOID: return momentum * (2 * sqrt(d / smallest) + d);
    case GYRE_BODY_MOSER_VESELOV: {
        double f = 1;
        for (int k = 0; k < 3; k++) {
            f = fmax(f, fabs(i[(k + 1) % 3] - i[(k + 2) % 3]) / i[k]);
        }
        return f * vector_length(divided(q->momentum, q->inertia)) / 2 / 0.4;
    }
    default: return 0;
    }
}

/* ---- The exact motion: omega in Jacobi's elliptic functions, as in van Zon and Schofield, J. Comput. Phys. 225
   (2007); the attitude from the momentum's direction in the body and the angle turned about it, an integral. ---- */

static const double gauss_nodes[5] = {-0.906179845938663992797626878299, -0.538469310105683091036314420700, 0,
                                      0.538469310105683091036314420700, 0.906179845938663992797626878299};
static const double gauss_weights[5] = {0.236926885056189087514264040720, 0.478628670499366468041291514836,
                                        0.568888888888888888888888888889, 0.478628670499366468041291514836,
                                        0.236926885056189087514264040720};

typedef struct jacobi {
    double sn, cn, dn;
} jacobi;

/* Abramowitz and Stegun 16.4: the arithmetic-geometric mean. */
static jacobi jacobi_at(double u, double m)
{
    enum { LEVELS = 7 };
    double a[LEVELS + 1] = {1}, c[LEVELS + 1] = {sqrt(m)}, b = sqrt(1 - m);
    for (int k = 0; k < LEVELS; k++) {
        a[k + 1] = (a[k] + b) / 2;
        c[k + 1] = (a[k] - b) / 2;
        b = sqrt(a[k] * b);
    }
    double angle = ldexp(a[LEVELS] * u, LEVELS);
    for (int k = LEVELS; k > 0; k--) {
        angle = (angle + asin(c[k] / a[k] * sin(angle))) / 2;
    }
    double sn = sin(angle), cn = cos(angle);
    return (jacobi){sn, cn, sqrt(cn * cn + (1 - m) * sn * sn)};
}

typedef struct elliptic_motion {
    int axis[3];         /* the momentum is never perpendicular to axis[2] */
    double amplitude[3]; /* of omega in the order of `axis` */
    double rate, phase, m;
} elliptic_motion;

/* The incomplete elliptic integral of the first kind. */
static double elliptic_integral(double angle, double m)
{
    enum { PANELS = 400 };
    double sum = 0, half = angle / PANELS / 2;
    for (int panel = 0; panel < PANELS; panel++) {
        for (int k = 0; k < 5; k++) {
            double sine = sin((2 * panel + 1 + gauss_nodes[k]) * half);
            sum += gauss_weights[k] * half / sqrt(1 - m * sine * sine);
        }
    }
    return sum;
}

/* |M|^2 - 2 E I_k, where the k-th terms are equal and cancel. */
static double excess(vector momentum, vector inertia, int k)
{
    double sum = 0;
    for (int other = 0; other < 3; other++) {
        sum += momentum.at[other] * momentum.at[other] * (1 - inertia.at[k] / inertia.at[other]);
    }
    return sum;
}

static elliptic_motion elliptic_motion_of(vector momentum, vector inertia)
{
    elliptic_motion motion = {.axis = {0, 1, 2}};
    int *axis = motion.axis;
    for (int pass = 0; pass < 3; pass++) { /* smallest moment first */
        int k = pass % 2;
        if (inertia.at[axis[k]] > inertia.at[axis[k + 1]]) {
            int other = axis[k];
            axis[k] = axis[k + 1];
            axis[k + 1] = other;
        }
    }
    if (excess(momentum, inertia, axis[1]) < 0) {
        int other = axis[0];
        axis[0] = axis[2];
        axis[2] = other;
    }
    const double i0 = inertia.at[axis[0]], i1 = inertia.at[axis[1]], i2 = inertia.at[axis[2]];
    const double over0 = excess(momentum, inertia, axis[0]), over2 = excess(momentum, inertia, axis[2]);
    const double spin[3] = {momentum.at[axis[0]] / i0, momentum.at[axis[1]] / i1, momentum.at[axis[2]] / i2};
    const double handed = (axis[1] - axis[0] + 3) % 3 == 1 ? 1 : -1;
    motion.amplitude[0] = sqrt(over2 / (i0 * (i0 - i2)));
    motion.amplitude[1] = copysign(sqrt(over2 / (i1 * (i1 - i2))), handed * (i2 - i1) * spin[2]);
    motion.amplitude[2] = copysign(sqrt(over0 / (i2 * (i2 - i0))), spin[2]);
    motion.rate = sqrt(over0 * (i2 - i1) / (i0 * i1 * i2));
    motion.m = over2 * (i0 - i1) / (over0 * (i2 - i1));
    double angle = over2 == 0 ? 0 : atan2(spin[1] / motion.amplitude[1], spin[0] / motion.amplitude[0]);
    motion.phase = elliptic_integral(angle, motion.m);
    return motion;
}

static vector elliptic_spin(const elliptic_motion *motion, double t_s)
{
    jacobi at = jacobi_at(motion->rate * t_s + motion->phase, motion->m);
    vector spin;
    spin.at[motion->axis[0]] = motion->amplitude[0] * at.cn;
    spin.at[motion->axis[1]] = motion->amplitude[1] * at.sn;
    spin.at[motion->axis[2]] = motion->amplitude[2] * at.dn;
    return spin;
}

/* Columns, in the body's frame: the part of body axis `axis` perpendicular to the momentum, the third, and the
   direction of the momentum. */
static matrix momentum_frame(vector momentum, int axis)
{
    vector along = vector_scaled(momentum, 1 / vector_length(momentum)), unit = {{0, 0, 0}};
    unit.at[axis] = 1;
    vector third = vector_cross(along, unit);
    third = vector_scaled(third, 1 / vector_length(third));
    vector across = vector_cross(third, along);
    matrix frame;
    for (int row = 0; row < 3; row++) {
        frame.at[row][0] = across.at[row];
        frame.at[row][1] = third.at[row];
        frame.at[row][2] = along.at[row];
    }
    return frame;
}

/* The unit quaternion of a rotation matrix, by its largest component. */
static quaternion matrix_quaternion(matrix r)
{
    double(*m)[3] = r.at;
    double w = 1 + m[0][0] + m[1][1] + m[2][2], x = 1 + m[0][0] - m[1][1] - m[2][2];
    double y = 1 - m[0][0] + m[1][1] - m[2][2], z = 1 - m[0][0] - m[1][1] + m[2][2];
    quaternion q = {{m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1], w}};
    if (x >= y && x >= z && x >= w) {
        q = (quaternion){{x, m[0][1] + m[1][0], m[0][2] + m[2][0], m[2][1] - m[1][2]}};
    } else if (y >= z && y >= w) {
        q = (quaternion){{m[0][1] + m[1][0], y, m[1][2] + m[2][1], m[0][2] - m[2][0]}};
    } else if (z >= w) {
        q = (quaternion){{m[0][2] + m[2][0], m[1][2] + m[2][1], z, m[1][0] - m[0][1]}};
    }
    return quaternion_normalised(q);
}

reference_body reference_body_exact(const reference_body *start, double t_s)
{
    reference_body end = *start;
    const vector momentum = reference_body_momentum(start), i = start->inertia;
    const double length = vector_length(start->momentum);
    bool sphere = i.at[0] == i.at[1] && i.at[1] == i.at[2];
    if (sphere || vector_length(vector_cross(momentum, divided(momentum, i))) == 0) { /* about a fixed axis */
        vector turn = vector_scaled(divided(momentum, i), t_s);
        end.orientation = quaternion_product(start->orientation, reference_quaternion(turn));
        return end;
    }
    /* The azimuth of axis[2] about the momentum, in the world, grows by |L| (M_0 omega_0 + M_1 omega_1) / (M_0^2 +
       M_1^2), with the momenta of the other two axes. */
    const elliptic_motion motion = elliptic_motion_of(momentum, i);
    const int first = motion.axis[0], second = motion.axis[1];
    const int panels = 1 + (int)(8 * fabs(t_s) * motion.rate);
    const double half = t_s / panels / 2;
    double azimuth = 0;
    for (int panel = 0; panel < panels; panel++) {
        for (int k = 0; k < 5; k++) {
            vector spin = elliptic_spin(&motion, (2 * panel + 1 + gauss_nodes[k]) * half);
            vector m = multiplied(spin, i);
            double across = m.at[first] * m.at[first] + m.at[second] * m.at[second];
            double along = m.at[first] * spin.at[first] + m.at[second] * spin.at[second];
            azimuth += gauss_weights[k] * half * length * along / across;
        }
    }
    matrix then = momentum_frame(momentum, motion.axis[2]);
    matrix now = momentum_frame(multiplied(elliptic_spin(&motion, t_s), i), motion.axis[2]);
    matrix turn = reference_rotation((vector){{0, 0, azimuth}});
    matrix orientation = matrix_product(quaternion_matrix(start->orientation), then);
    orientation = matrix_product(matrix_product(orientation, turn), matrix_transposed(now));
    end.orientation = matrix_quaternion(orientation);
    return end;
}
