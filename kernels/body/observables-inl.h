/* What bodies look like from outside: energy, angular velocity, and matrices for drawing. */
#include "body/memory-inl.h"

/* A vector of bodies and what they do in their own frames; components are NaN where a body is impossible. */
typedef struct body_view {
    vf4 orientation, low; /* of length 1 together */
    vf3 momentum;         /* in the world, then in the body */
    vf3 angular_velocity; /* in the body: I^-1 M */
} body_view;

VF_INLINE void load_view(const gyre_bodies *b, size_t i, size_t n, body_view *view)
{
    float *const *q = b->orientation, *const *low = b->orientation_low, *const *m = b->momentum;
    view->orientation = vf4_load_n(q, i, n);
    const vf3 momentum = vf3_load_n(m[0], m[1], m[2], i, n);
    vf zero_if_finite = zero_or_nan(momentum);
    if (low[0] != NULL) {
        view->low = vf4_load_n(low, i, n);
        zero_if_finite = vf_mul_add(view->low.w, vf_set1(0), vf_add(zero_if_finite, zero_or_nan(view->low.v)));
    }
    view->momentum = vf3_add_scalar(momentum, zero_if_finite); /* what is infinite makes it NaN */
    const vf square = vf4_square(view->orientation);
    const float limit = 0x1p-18f; /* for the momentum's way into the body and back; any step ends nearer to 1 */
    if (!vm_all(is_unit_within(limit, square))) {
        const vf scale = unit_scale(limit, square);
        view->orientation = vf4_scale(scale, view->orientation);
        if (low[0] != NULL) {
            view->low = vf4_scale(scale, view->low);
        }
    }
}

VF_INLINE void turn_momentum_into_body(const gyre_bodies *b, body_view *view)
{
    FOR_EACH_HALF
    {
        vd4 precise = vd4_load(&view->orientation, half);
        if (b->orientation_low[0] != NULL) {
            precise = vd4_add(precise, vd4_load(&view->low, half));
        }
        vd3_store(&view->momentum, half,
                  precise_momentum_in_body(precise, vd3_load(&view->momentum, half), vd4_square(precise), vd_set1(1)));
    }
}

VF_INLINE void find_angular_velocity(const gyre_bodies *b, size_t i, size_t n, body_view *view)
{
    vf3 inertia = vf3_load_n(b->inertia[0], b->inertia[1], b->inertia[2], i, n);
    vf smallest = vf3_min(inertia);
    vm valid = vm_and(vf_lt(vf_set1(0), smallest), vf_eq(zero_or_nan(inertia), vf_set1(0)));
    vf over = vf_select(valid, vf_set1(1), vf_set1(NAN));
    view->angular_velocity = (vf3){
        vf_mul(over, vf_div(view->momentum.x, inertia.x)),
        vf_mul(over, vf_div(view->momentum.y, inertia.y)),
        vf_mul(over, vf_div(view->momentum.z, inertia.z)),
    };
}

/* `vectors` of n bodies each. */
VF_INLINE void view_bodies(const gyre_bodies *b, size_t i, size_t vectors, size_t n, body_view *views)
{
    FOR_EACH_VECTOR load_view(b, i + v * VF_LANES, n, &views[v]);
    FOR_EACH_VECTOR turn_momentum_into_body(b, &views[v]);
    FOR_EACH_VECTOR find_angular_velocity(b, i + v * VF_LANES, n, &views[v]);
}

VF_INLINE void energy_block(const gyre_bodies *b, size_t i, size_t vectors, size_t n, float *const *out)
{
    float *energy_J = out[0];
    body_view views[BODY_VECTORS];
    view_bodies(b, i, vectors, n, views);
    FOR_EACH_VECTOR
    {
        /* halved first, lest twice the energy overflow */
        const vf3 half = vf3_scale(vf_set1(0.5f), views[v].angular_velocity);
        vf_store_n(energy_J + i + v * VF_LANES, vf3_dot(views[v].momentum, half), n);
    }
}

VF_INLINE void angular_velocity_block(const gyre_bodies *b, size_t i, size_t vectors, size_t n, float *const *omega)
{
    body_view views[BODY_VECTORS];
    view_bodies(b, i, vectors, n, views);
    FOR_EACH_VECTOR
    {
        const size_t k = i + v * VF_LANES;
        vf4 q = views[v].orientation, conjugate = {vf3_neg(q.v), q.w};
        vf3 world = momentum_in_body(conjugate, views[v].angular_velocity, vf4_square(q), vf_set1(1));
        vf_store_n(omega[0] + k, world.x, n);
        vf_store_n(omega[1] + k, world.y, n);
        vf_store_n(omega[2] + k, world.z, n);
    }
}

typedef void view_block(const gyre_bodies *b, size_t i, size_t vectors, size_t n, float *const *out);

/* To `arrays` arrays of floats. */
VF_INLINE gyre_status view_range(view_block *block, const gyre_bodies *bodies, size_t begin, size_t end,
                                 float *const *out, size_t arrays)
{
    if (bodies == NULL) {
        return GYRE_ERROR_NULL;
    }
    gyre_status status = check_bodies(bodies, begin, end);
    if (status != GYRE_OK || begin == end) {
        return status;
    }
    for (size_t k = 0; k < arrays; k++) {
        if (out == NULL || out[k] == NULL) {
            return GYRE_ERROR_NULL;
        }
    }
    VF_STAGED(begin, end, BODY_VECTORS, out[0], block(bodies, i, vectors, n, out));
    return GYRE_OK;
}

GYRE_KERNEL_FUNCTION gyre_status bodies_energy(const gyre_bodies *bodies, size_t begin, size_t end, float *energy_J)
{
    return view_range(energy_block, bodies, begin, end, &energy_J, 1);
}

GYRE_KERNEL_FUNCTION gyre_status bodies_angular_velocity(const gyre_bodies *bodies, size_t begin, size_t end,
                                                         float *const omega[3])
{
    return view_range(angular_velocity_block, bodies, begin, end, omega, 3);
}

/* How many vectors find their 1 / |q|^2 before the rest, which would wait for it. Where vectors are short there is less
   to wait for than the squares cost that are computed twice. */
enum { TRANSFORM_VECTORS = GYRE_LANES == 4 ? 1 : 8 };

VF_INLINE vf inverse_square(vf4 q)
{
    const vf3 v = q.v;
    vf wx_squares = vf_add(vf_mul(q.w, q.w), vf_mul(v.x, v.x)), yz_squares = vf_add(vf_mul(v.y, v.y), vf_mul(v.z, v.z));
    return vf_div(vf_set1(1), vf_add(wx_squares, yz_squares));
}

/* Rows of the rotation by q / |q|, each with a coordinate of the position behind it. The diagonal as a quotient of sums
   of the same four squares, which loses less than 1 minus a sum, where that is near 2. */
VF_INLINE void transform_rows(vf4 q, vf inverse_square, vf3 position, vf entry[12])
{
    const vf3 v = q.v;
    vf xx = vf_mul(v.x, v.x), yy = vf_mul(v.y, v.y), zz = vf_mul(v.z, v.z), ww = vf_mul(q.w, q.w);
    vf wx_squares = vf_add(ww, xx), yz_squares = vf_add(yy, zz), twice = vf_add(inverse_square, inverse_square);
    vf ww_less_xx = vf_sub(ww, xx), yy_less_zz = vf_sub(yy, zz);
    vf xy = vf_mul(v.x, v.y), yz = vf_mul(v.y, v.z), zx = vf_mul(v.z, v.x);
    entry[0] = vf_mul(inverse_square, vf_sub(wx_squares, yz_squares));
    entry[1] = vf_mul(twice, vf_neg_mul_add(q.w, v.z, xy));
    entry[2] = vf_mul(twice, vf_mul_add(q.w, v.y, zx));
    entry[3] = position.x;
    entry[4] = vf_mul(twice, vf_mul_add(q.w, v.z, xy));
    entry[5] = vf_mul(inverse_square, vf_add(ww_less_xx, yy_less_zz));
    entry[6] = vf_mul(twice, vf_neg_mul_add(q.w, v.x, yz));
    entry[7] = position.y;
    entry[8] = vf_mul(twice, vf_neg_mul_add(q.w, v.y, zx));
    entry[9] = vf_mul(twice, vf_mul_add(q.w, v.x, yz));
    entry[10] = vf_mul(inverse_square, vf_sub(ww_less_xx, yy_less_zz));
    entry[11] = position.z;
}

/* From i on: `vectors` whole vectors, or one of n bodies. */
VF_INLINE void transform_block(const gyre_bodies *b, const float *x, const float *y, const float *z, float *rows3x4,
                               size_t stride_bytes, size_t i, size_t vectors, size_t n)
{
    float *const *q = b->orientation;
    vf inverse[TRANSFORM_VECTORS];
    FOR_EACH_VECTOR inverse[v] = inverse_square(vf4_load_n(q, i + v * VF_LANES, n));
    FOR_EACH_VECTOR
    {
        const size_t j = i + v * VF_LANES;
        vf3 position = {vf_set1(0), vf_set1(0), vf_set1(0)};
        if (x != NULL) {
            position = vf3_load_n(x, y, z, j, n);
        }
        vf entry[12];
        transform_rows(vf4_load_n(q, j, n), inverse[v], position, entry);
        vf_store_rows12_n((float *)(void *)((char *)rows3x4 + j * stride_bytes), stride_bytes, entry, n);
    }
}

GYRE_KERNEL_FUNCTION gyre_status bodies_transforms(const gyre_bodies *bodies, size_t begin, size_t end, const float *x,
                                                   const float *y, const float *z, float *rows3x4, size_t stride_bytes)
{
    if (bodies == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_range(begin, end, bodies->count)) {
        return GYRE_ERROR_RANGE;
    }
    if (stride_bytes < 12 * sizeof(float) || stride_bytes % sizeof(float) != 0) {
        return GYRE_ERROR_VALUE;
    }
    if (begin == end) {
        return GYRE_OK;
    }
    float *const *q = bodies->orientation;
    if (rows3x4 == NULL || (x != NULL && (y == NULL || z == NULL)) || q[0] == NULL || q[1] == NULL || q[2] == NULL ||
        q[3] == NULL) {
        return GYRE_ERROR_NULL;
    }
    size_t i = begin;
    for (size_t vectors; (vectors = vf_staged_vectors(i, end, TRANSFORM_VECTORS)) > 0; i += vectors * VF_LANES) {
        transform_block(bodies, x, y, z, rows3x4, stride_bytes, i, vectors, VF_LANES);
    }
    if (i < end) {
        transform_block(bodies, x, y, z, rows3x4, stride_bytes, i, 1, end - i);
    }
    return GYRE_OK;
}
