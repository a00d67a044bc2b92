/* Blocks of bodies in the caller's arrays, and gathered in lanes. */
#ifndef GYRE_BODY_MEMORY_H
#define GYRE_BODY_MEMORY_H

#include "body/orientation-inl.h"

static gyre_status check_bodies(const gyre_bodies *b, size_t begin, size_t end)
{
    if (!is_range(begin, end, b->count)) {
        return GYRE_ERROR_RANGE;
    }
    bool all = true;
    for (size_t k = 0; k < 4; k++) {
        all &= b->orientation[k] != NULL && (b->orientation_low[0] == NULL || b->orientation_low[k] != NULL);
    }
    for (size_t k = 0; k < 3; k++) {
        all &= b->momentum[k] != NULL && b->inertia[k] != NULL && (b->torque[0] == NULL || b->torque[k] != NULL) &&
               (b->momentum_low[0] == NULL || b->momentum_low[k] != NULL);
    }
    return begin < end && !all ? GYRE_ERROR_NULL : GYRE_OK;
}

/* 0 without low parts. */
VF_INLINE vf4 orientation_low_of(const gyre_bodies *b, size_t i, size_t n)
{
    const vf zero = vf_set1(0);
    return b->orientation_low[0] != NULL ? vf4_load_n(b->orientation_low, i, n) : (vf4){{zero, zero, zero}, zero};
}

VF_INLINE vf3 momentum_low_of(const gyre_bodies *b, size_t i, size_t n)
{
    float *const *low = b->momentum_low;
    const vf zero = vf_set1(0);
    return low[0] != NULL ? vf3_load_n(low[0], low[1], low[2], i, n) : (vf3){zero, zero, zero};
}

/* 0, or NaN if a component is NaN or infinite. */
VF_INLINE vf vf4_zero_or_nan(vf4 a) { return vf_mul_add(a.w, vf_set1(0), zero_or_nan(a.v)); }

/* Orientation and moments of inertia. */
VF_INLINE vm has_valid_shape(const gyre_bodies *b, size_t i, size_t n)
{
    const vf3 inertia = vf3_load_n(b->inertia[0], b->inertia[1], b->inertia[2], i, n);
    const vf square = vf4_square(vf4_load_n(b->orientation, i, n));
    const vm has_length = vm_and(vf_lt(vf_set1(0x1p-100f), square), vf_lt(square, vf_set1(0x1p100f)));
    const vf sum = vf_add(zero_or_nan(inertia), vf4_zero_or_nan(orientation_low_of(b, i, n)));
    return vm_and(vm_and(vf_lt(vf_set1(0), vf3_min(inertia)), has_length), vf_eq(sum, vf_set1(0)));
}

/* With momentum and torque. */
VF_INLINE vm are_valid(const gyre_bodies *b, size_t i, size_t n)
{
    const vf3 momentum = vf3_load_n(b->momentum[0], b->momentum[1], b->momentum[2], i, n);
    const vf3 torque = vf3_load_n(b->torque[0], b->torque[1], b->torque[2], i, n);
    const vf sum = vf_add(vf_add(zero_or_nan(momentum), zero_or_nan(momentum_low_of(b, i, n))), zero_or_nan(torque));
    return vm_and(has_valid_shape(b, i, n), vf_eq(sum, vf_set1(0)));
}

VF_INLINE vf3 vf3_clamped(vf most, vf3 a)
{
    const vf least = vf_neg(most);
    return (vf3){vf_clamp(a.x, least, most), vf_clamp(a.y, least, most), vf_clamp(a.z, least, most)};
}

/* For lanes that are not plain: invalid bodies become NaN, the others are scaled into the range of float. */
static __attribute__((noinline)) void repair_or_poison(body_lanes *lanes, vm plain, bool has_low)
{
    const vf zero = vf_set1(0), one = vf_set1(1), nan = vf_set1(NAN), most = vf_set1(0x1p47f);
    const vf4 nothing = {{zero, zero, zero}, zero};
    vf4 q = lanes->orientation, low = has_low ? lanes->low : nothing;
    vf3 i = lanes->inertia, momentum = lanes->momentum, momentum_low = lanes->momentum_low;
    vf zero_if_finite =
        vf_add(vf_add(zero_or_nan(q.v), zero_or_nan(low.v)), vf_add(zero_or_nan(momentum), zero_or_nan(i)));
    zero_if_finite = vf_add(zero_if_finite, zero_or_nan(momentum_low));
    zero_if_finite = vf_add(zero_if_finite, zero_or_nan((vf3){q.w, low.w, zero}));

    /* low parts that are too large to be low parts join the rest, which is then brought to length 1 */
    vm none = vf_lt(vf_mul(vf_set1(0x1p-20f), vf4_max_abs(q)), vf4_max_abs(low));
    q = vf4_select(none, vf4_add(q, low), q);
    low = vf4_select(none, nothing, low);
    vf to_length_1 = unit_scale(NEARLY_UNIT, vf4_square(q));
    q = vf4_scale(to_length_1, q);
    low = vf4_scale(to_length_1, low);

    vf smallest = vf3_min(i);
    vm valid = vm_and(vm_and(vf_eq(zero_if_finite, zero), vf_lt(zero, smallest)), vf_eq(to_length_1, to_length_1));
    q = vf4_select(valid, q, (vf4){{nan, nan, nan}, nan});
    low = vf4_select(valid, low, (vf4){{nan, nan, nan}, nan});

    vi exponent = vi_and(vf_bits(vf3_max_abs(i)), vi_set1(0x7f800000));
    vf scale = vf_max(vf_from_bits(vi_sub(vi_set1(0x7f000000), exponent)), vf_set1(0x1p-126f));
    i = vf3_select(valid, vf3_scale(scale, i), (vf3){one, one, one});
    vf3 over = {vf_div(one, i.x), vf_div(one, i.y), vf_div(one, i.z)};
    momentum = vf3_clamped(most, vf3_scale(scale, momentum));
    momentum_low = vf3_clamped(most, vf3_scale(scale, momentum_low));
    momentum = vf3_select(valid, momentum, (vf3){nan, nan, nan});

    lanes->orientation = vf4_select(plain, lanes->orientation, q);
    if (has_low) {
        lanes->low = vf4_select(plain, lanes->low, low);
    }
    lanes->momentum = vf3_select(plain, lanes->momentum, momentum);
    lanes->momentum_low = vf3_select(plain, lanes->momentum_low, momentum_low);
    lanes->inertia = vf3_select(plain, lanes->inertia, i);
    lanes->inverse_inertia = vf3_select(plain, lanes->inverse_inertia, over);
    lanes->inverse_product = vf_select(plain, lanes->inverse_product, vf_mul(over.x, vf_mul(over.y, over.z)));
    lanes->scale = vf_select(plain, lanes->scale, scale);
}

/* A field of n lanes, to memory. */
VF_INLINE void store_field(float *to, const body_lanes *lanes, size_t field, size_t n)
{
    const size_t whole = n / VF_LANES, rest = n % VF_LANES;
    for (size_t v = 0; v < whole; v++) {
        vf_store(to + v * VF_LANES, ((const vf *)&lanes[v])[field]);
    }
    if (rest > 0) {
        vf_store_n(to + whole * VF_LANES, ((const vf *)&lanes[whole])[field], rest);
    }
}

#define FIRST_FIELD(name) (offsetof(body_lanes, name) / sizeof(vf))

VF_INLINE void store_orientations(const gyre_bodies *b, bool low, size_t i, size_t n, const body_lanes *lanes)
{
    for (size_t k = 0; k < 4; k++) {
        store_field(b->orientation[k] + i, lanes, FIRST_FIELD(orientation) + k, n);
    }
    for (size_t k = 0; low && k < 4; k++) {
        store_field(b->orientation_low[k] + i, lanes, FIRST_FIELD(low) + k, n);
    }
}

/* ---- At the start of a drift ---- */

/* Plain bodies stay inside the range of float. A comparison with NaN is false. */
VF_INLINE vm has_plain_inertia(vf3 i)
{
    vf smallest = vf3_min(i), sum = vf_add(i.x, vf_add(i.y, i.z));
    return vm_and(vf_lt(vf_set1(0x1p-20f), smallest), vf_lt(sum, vf_set1(0x1p20f)));
}

VF_INLINE vm has_plain_momentum(vf3 m)
{
    return vf_lt(vf_add(vf_abs(m.x), vf_add(vf_abs(m.y), vf_abs(m.z))), vf_set1(0x1p40f));
}

/* Without a look at the momentum: is_planned tests what follows from it. */
VF_INLINE vm is_plain_but_for_momentum(vf3 inertia, const body_lanes *lanes)
{
    return vm_and(vf_is_unit_within(NEARLY_UNIT, lanes->square), has_plain_inertia(inertia));
}

/* is_planned has tested what follows from a planned body's momentum. */
VF_INLINE vm is_plain(vm planned, const body_lanes *lanes, vf3 inertia, vf3 momentum)
{
    return vm_and(is_plain_but_for_momentum(inertia, lanes), vm_or(planned, has_plain_momentum(momentum)));
}

VF_INLINE void place_in_arrays(body_block *block, const gyre_bodies *b, size_t i)
{
    for (size_t k = 0; k < 4; k++) {
        block->orientation[k] = b->orientation[k] + i;
        block->low[k] = b->orientation_low[0] != NULL ? b->orientation_low[k] + i : NULL;
    }
    for (size_t k = 0; k < 3; k++) {
        block->momentum[k] = b->momentum[k] + i;
        block->momentum_low[k] = b->momentum_low[0] != NULL ? b->momentum_low[k] + i : NULL;
        block->inertia[k] = b->inertia[k] + i;
    }
    block->stride = VF_LANES;
}

VF_INLINE void place_in_lanes(body_block *block)
{
    float *first = (float *)(void *)block->lanes;
    for (size_t k = 0; k < 4; k++) {
        block->orientation[k] = first + (FIRST_FIELD(orientation) + k) * VF_LANES;
        block->low[k] = first + (FIRST_FIELD(low) + k) * VF_LANES;
    }
    const bool has_low = block->plan->momentum_low;
    for (size_t k = 0; k < 3; k++) {
        block->momentum[k] = first + (FIRST_FIELD(momentum) + k) * VF_LANES;
        block->momentum_low[k] = has_low ? first + (FIRST_FIELD(momentum_low) + k) * VF_LANES : NULL;
        block->inertia[k] = first + (FIRST_FIELD(inertia) + k) * VF_LANES;
    }
    block->stride = sizeof(body_lanes) / sizeof(float);
}

/* n bodies of a vector, from the arrays to its lanes. Lanes without a body hold a plain one at rest. */
static void gather_vector(const body_block *from, size_t v, size_t n)
{
    body_lanes *lanes = &from->lanes[v];
    const vf one = vf_set1(1), zero = vf_set1(0);
    const size_t i = v * from->stride;
    const vm taken = vm_first(n);
    float *const *q = from->orientation, *const *m = from->momentum;
    const float *const *inertia = from->inertia;
    lanes->orientation = vf4_load_n(q, i, n);
    lanes->orientation.w = vf_select(taken, lanes->orientation.w, one);
    if (from->plan->low) {
        lanes->low = vf4_load_n(from->low, i, n);
    }
    lanes->momentum = vf3_load_n(m[0], m[1], m[2], i, n);
    lanes->momentum_low = (vf3){zero, zero, zero};
    if (from->plan->momentum_low) {
        float *const *momentum_low = from->momentum_low;
        lanes->momentum_low = vf3_load_n(momentum_low[0], momentum_low[1], momentum_low[2], i, n);
    }
    lanes->inertia = vf3_select(taken, vf3_load_n(inertia[0], inertia[1], inertia[2], i, n), (vf3){one, one, one});
    lanes->scale = one;
}

/* The inverse of the inertia tensor, of plain bodies. */
VF_INLINE void invert_inertia(body_lanes *lanes, vf3 inertia)
{
    const vf3 others = vf3_cyclic_products(inertia);
    lanes->inverse_product = vf_div(vf_set1(1), vf_mul(inertia.x, others.x));
    lanes->inverse_inertia = vf3_scale(lanes->inverse_product, others);
}

/* Invalid bodies have no momentum either. */
VF_INLINE void poison_momentum(const gyre_bodies *b, size_t i, size_t n, const body_lanes *lanes)
{
    const vf nan = vf_set1(NAN);
    vm valid = vf_eq(lanes->orientation.w, lanes->orientation.w);
    for (size_t k = 0; k < 3; k++) {
        float *m = b->momentum[k] + i;
        vf_store_n(m, vf_select(valid, vf_load_n(m, n), nan), n);
        if (b->momentum_low[0] != NULL) {
            float *low = b->momentum_low[k] + i;
            vf_store_n(low, vf_select(valid, vf_load_n(low, n), nan), n);
        }
    }
}

/* Invalid bodies, and lanes without a body, have no sub-step to do. */
static __attribute__((noinline)) void leave_out(body_lanes *lanes, size_t n, gyre_body_report *report)
{
    const vf zero = vf_set1(0);
    vm present = vm_first(n), valid = vf_eq(lanes->orientation.w, lanes->orientation.w);
    vm stepping = vm_and(present, valid);
    lanes->substeps_left = vf_select(stepping, lanes->substeps_left, zero);
    lanes->hit_limit = vf_select(stepping, lanes->hit_limit, zero);
    report->unconverged += vm_count(vm_and(present, vm_not(valid)));
}

#endif
