/* Bodies from the caller's arrays into lanes, and back. */
#ifndef GYRE_BODY_MEMORY_H
#define GYRE_BODY_MEMORY_H

#include "body_turn.h"

static gyre_status check_bodies(const gyre_bodies *b, size_t begin, size_t end)
{
    if (begin > end || end > b->count) {
        return GYRE_ERROR_RANGE;
    }
    bool all = true;
    for (size_t k = 0; k < 4; k++) {
        all &= b->orientation[k] != NULL && (b->orientation_low[0] == NULL || b->orientation_low[k] != NULL);
    }
    for (size_t k = 0; k < 3; k++) {
        all &= b->momentum[k] != NULL && b->inertia[k] != NULL && (b->torque[0] == NULL || b->torque[k] != NULL);
    }
    return begin < end && !all ? GYRE_ERROR_NULL : GYRE_OK;
}

/* A float in +-ulp(near)/2 that looks like chance. */
VF_INLINE vf rounding_noise(vi bits, vf near)
{
    vf power = vf_from_bits(vi_and(vf_bits(near), vi_set1(0x7f800000)));
    return vf_mul(vi_to_vf(bits), vf_mul(power, vf_set1(0x1p-55f)));
}

/* L + kick, rounded up or down by chance, with odds that make up for what is lost: a torque that is too small to show
   in one step shows after many. */
VF_INLINE vf kicked(vf momentum, vf kick, vi bits)
{
    vf sum = vf_add(momentum, kick), shadow = vf_sub(sum, momentum);
    vf lost = vf_add(vf_sub(momentum, vf_sub(sum, shadow)), vf_sub(kick, shadow));
    vf result = vf_add(sum, vf_add(lost, rounding_noise(bits, sum)));
    return vf_flushed(vf_select(vf_eq(kick, vf_set1(0)), momentum, result));
}

VF_INLINE vf3 kicked_momentum(vf3 momentum, vf3 kick, vf4 q)
{
    vi bits = scrambled(momentum.x, momentum.y, momentum.z, q.w);
    return (vf3){kicked(momentum.x, kick.x, bits), kicked(momentum.y, kick.y, vi_shl(bits, 8)),
                 kicked(momentum.z, kick.z, vi_shl(bits, 16))};
}

/* For lanes that are not plain: impossible bodies become NaN, and the others are kept inside the range of float. */
static __attribute__((noinline)) void look_closely(body_lanes *lanes, vm plain, bool has_low)
{
    const vf zero = vf_set1(0), one = vf_set1(1), nan = vf_set1(NAN), most = vf_set1(0x1p47f);
    const vf4 nothing = {{zero, zero, zero}, zero};
    vf4 q = lanes->orientation, low = has_low ? lanes->low : nothing;
    vf3 i = lanes->inertia, momentum = lanes->momentum;
    vf traces = vf_add(vf_add(trace_of_infinity(q.v), trace_of_infinity(low.v)),
                       vf_add(trace_of_infinity(momentum), trace_of_infinity(i)));
    traces = vf_add(traces, trace_of_infinity((vf3){q.w, low.w, zero}));

    /* low parts that are none join the rest, which is then shortened to 1 */
    vm none = vf_lt(vf_set1(0x1p-20f), vf_max(vf3_largest(low.v), vf_abs(low.w)));
    q = vf4_select(none, (vf4){vf3_add(q.v, low.v), vf_add(q.w, low.w)}, q);
    low = vf4_select(none, nothing, low);
    vf shorten = versor_scale(versor_square(q));
    q = vf4_scale(shorten, q);
    low = vf4_scale(shorten, low);

    vf smallest = vf_min(vf_min(i.x, i.y), i.z);
    vm possible = vm_and(vm_and(vf_eq(traces, zero), vf_lt(zero, smallest)), vf_eq(shorten, shorten));
    q = vf4_select(possible, q, (vf4){{nan, nan, nan}, nan});
    low = vf4_select(possible, low, (vf4){{nan, nan, nan}, nan});

    vi exponent = vi_and(vf_bits(vf3_largest(i)), vi_set1(0x7f800000));
    vf scale = vf_max(vf_from_bits(vi_sub(vi_set1(0x7f000000), exponent)), vf_set1(0x1p-126f));
    i = vf3_select(possible, vf3_scale(scale, i), (vf3){one, one, one});
    vf3 over = {vf_div(one, i.x), vf_div(one, i.y), vf_div(one, i.z)};
    momentum = vf3_scale(scale, momentum);
    momentum = (vf3){
        vf_max(vf_neg(most), vf_min(most, momentum.x)),
        vf_max(vf_neg(most), vf_min(most, momentum.y)),
        vf_max(vf_neg(most), vf_min(most, momentum.z)),
    };
    momentum = vf3_select(possible, momentum, (vf3){nan, nan, nan});

    lanes->orientation = vf4_select(plain, lanes->orientation, q);
    lanes->square = vf_select(plain, lanes->square, versor_square(q));
    if (has_low) {
        lanes->low = vf4_select(plain, lanes->low, low);
    }
    lanes->momentum = vf3_select(plain, lanes->momentum, momentum);
    lanes->inertia = vf3_select(plain, lanes->inertia, i);
    lanes->over_inertia = vf3_select(plain, lanes->over_inertia, over);
    lanes->over_product = vf_select(plain, lanes->over_product, vf_mul(over.x, vf_mul(over.y, over.z)));
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

/* ---- As a drift begins. ---- */

/* Plain bodies are sure to stay inside the range of float. A comparison with NaN is false. */
VF_INLINE vm has_plain_inertia(const body_lanes *lanes)
{
    const vf3 i = lanes->inertia;
    vf smallest = vf_min(vf_min(i.x, i.y), i.z), sum = vf_add(i.x, vf_add(i.y, i.z));
    return vm_and(vf_lt(vf_set1(0x1p-20f), smallest), vf_lt(sum, vf_set1(0x1p20f)));
}

VF_INLINE vm has_plain_momentum(const body_lanes *lanes)
{
    const vf3 m = lanes->momentum;
    return vf_lt(vf_add(vf_abs(m.x), vf_add(vf_abs(m.y), vf_abs(m.z))), vf_set1(0x1p40f));
}

VF_INLINE vm has_plain_low(const body_lanes *lanes)
{
    const vf4 low = lanes->low;
    vf sum = vf_add(vf_add(vf_abs(low.v.x), vf_abs(low.v.y)), vf_add(vf_abs(low.v.z), vf_abs(low.w)));
    return vf_lt(sum, vf_set1(0x1p-20f));
}

VF_INLINE vm is_plain(const body_lanes *lanes, bool has_low)
{
    vm plain = vm_and(vm_and(has_plain_inertia(lanes), has_plain_momentum(lanes)), is_versor(lanes->square));
    return has_low ? vm_and(plain, has_plain_low(lanes)) : plain;
}

/* The n bodies of a vector, from i on, three arrays or four at a time: where all arrays begin at the same place of a
   page, as large ones often do, a CPU's first cache holds eight lines of them at once. Lanes without a body hold a
   plain one at rest. */
VF_INLINE void take_orientation(const gyre_bodies *b, size_t i, size_t n, body_lanes *lanes)
{
    float *const *q = b->orientation;
    vf4 orientation = {vf3_load_n(q[0], q[1], q[2], i, n), vf_load_n(q[3] + i, n)};
    if (n < VF_LANES) {
        orientation.w = vf_select(vm_first(n), orientation.w, vf_set1(1));
    }
    lanes->orientation = orientation;
    lanes->square = versor_square(orientation);
}

VF_INLINE void take_low(const gyre_bodies *b, size_t i, size_t n, body_lanes *lanes)
{
    float *const *low = b->orientation_low;
    lanes->low = (vf4){vf3_load_n(low[0], low[1], low[2], i, n), vf_load_n(low[3] + i, n)};
}

VF_INLINE void take_inertia(const gyre_bodies *b, const body_plan *plan, size_t i, size_t n, body_lanes *lanes)
{
    const vf one = vf_set1(1);
    vf3 inertia = vf3_load_n(b->inertia[0], b->inertia[1], b->inertia[2], i, n);
    if (n < VF_LANES) {
        inertia = vf3_select(vm_first(n), inertia, (vf3){one, one, one});
    }
    const vf3 others = vf3_cyclic_products(inertia);
    lanes->inertia = inertia;
    lanes->over_product = vf_div(one, vf_mul(inertia.x, others.x));
    lanes->over_inertia = vf3_scale(lanes->over_product, others);
    lanes->scale = one;
    lanes->h = vf_set1(plan->h);
}

/* With half of the kick. The momentum at the drift's end is written already, for the drift does not change it. */
VF_INLINE void take_momentum(const gyre_bodies *b, const body_plan *plan, size_t i, size_t n, body_lanes *lanes)
{
    float *const *m = b->momentum;
    vf3 momentum = vf3_load_n(m[0], m[1], m[2], i, n);
    if (plan->torque) {
        vf3 torque = vf3_load_n(b->torque[0], b->torque[1], b->torque[2], i, n);
        vf3 end = kicked_momentum(momentum, vf3_scale(vf_set1(plan->dt), torque), lanes->orientation);
        momentum = vf3_scale_add(vf_set1(0.5f * plan->dt), torque, momentum);
        vf_store_n(m[0] + i, end.x, n);
        vf_store_n(m[1] + i, end.y, n);
        vf_store_n(m[2] + i, end.z, n);
    }
    lanes->momentum = momentum;
}

/* Impossible bodies have no momentum in the end either. */
VF_INLINE void spoil_momentum(const gyre_bodies *b, size_t i, size_t n, const body_lanes *lanes)
{
    const vf nan = vf_set1(NAN);
    vm possible = vf_eq(lanes->orientation.w, lanes->orientation.w);
    for (size_t k = 0; k < 3; k++) {
        float *m = b->momentum[k] + i;
        vf_store_n(m, vf_select(possible, vf_load_n(m, n), nan), n);
    }
}

/* Impossible bodies, and lanes without a body, have no sub-step to do. */
static __attribute__((noinline)) void leave_out(body_lanes *lanes, size_t n, gyre_body_report *report)
{
    const vf zero = vf_set1(0);
    vm present = vm_first(n), possible = vf_eq(lanes->orientation.w, lanes->orientation.w);
    vm stepping = vm_and(present, possible);
    lanes->left = vf_select(stepping, lanes->left, zero);
    lanes->limited = vf_select(stepping, lanes->limited, zero);
    report->unconverged += vm_count(vm_and(present, vm_not(possible)));
}

/* Explicit Euler's momentum is the drift's work, and the second half of the kick comes after it. All bodies take the
   same number of sub-steps there, so they are never apart from their neighbours. */
VF_INLINE void store_euler_momentum(const gyre_bodies *b, const body_plan *plan, const body_lanes *lanes, size_t i,
                                    size_t n)
{
    vf3 momentum = vf3_scale(vf_div(vf_set1(1), lanes->scale), lanes->momentum);
    if (plan->torque) {
        vf3 torque = vf3_load_n(b->torque[0], b->torque[1], b->torque[2], i, n);
        momentum = vf3_scale_add(vf_set1(0.5f * plan->dt), torque, momentum);
    }
    vf_store_n(b->momentum[0] + i, vf_flushed(momentum.x), n);
    vf_store_n(b->momentum[1] + i, vf_flushed(momentum.y), n);
    vf_store_n(b->momentum[2] + i, vf_flushed(momentum.z), n);
}

#endif
