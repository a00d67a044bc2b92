/* Blocks of bodies in the caller's arrays, and gathered in lanes. */
#ifndef GYRE_BODY_LANES_H
#define GYRE_BODY_LANES_H

#include "body/state-inl.h"
#include "simd/lanes-inl.h"

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

/* 0 if the arrays are missing. */
VF_INLINE vf4 load4_or_nothing(float *const a[4], size_t i, size_t n)
{
    return a[0] != NULL ? vf4_load_n(a, i, n) : vf4_nothing();
}

VF_INLINE vf3 load3_or_nothing(const float *x, const float *y, const float *z, size_t i, size_t n)
{
    return x != NULL ? vf3_load_n(x, y, z, i, n) : vf3_nothing();
}

VF_INLINE vf3 momentum_low_of(const gyre_bodies *b, size_t i, size_t n)
{
    return load3_or_nothing(b->momentum_low[0], b->momentum_low[1], b->momentum_low[2], i, n);
}

VF_INLINE vf3 inertia_of(const gyre_bodies *b, size_t i, size_t n)
{
    return vf3_load_n(b->inertia[0], b->inertia[1], b->inertia[2], i, n);
}

/* Checks orientation and moments of inertia. */
VF_INLINE vm has_valid_shape(const gyre_bodies *b, size_t i, size_t n)
{
    return is_valid_shape(vf4_load_n(b->orientation, i, n), load4_or_nothing(b->orientation_low, i, n),
                          inertia_of(b, i, n));
}

/* ---- Where a block is ---- */

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

VF_INLINE void place3(float *to[3], vf3 *a)
{
    to[0] = (float *)(void *)&a->x;
    to[1] = (float *)(void *)&a->y;
    to[2] = (float *)(void *)&a->z;
}

VF_INLINE void place4(float *to[4], vf4 *a)
{
    place3(to, &a->v);
    to[3] = (float *)(void *)&a->w;
}

VF_INLINE void place_in_lanes(body_block *block)
{
    body_values *first = &block->lanes[0].body;
    float *inertia[3];
    place4(block->orientation, &first->orientation);
    place4(block->low, &first->low);
    place3(block->momentum, &first->momentum);
    place3(block->momentum_low, &first->momentum_low);
    place3(inertia, &first->inertia);
    for (size_t k = 0; k < 3; k++) {
        block->inertia[k] = inertia[k];
        block->momentum_low[k] = block->plan->momentum_low ? block->momentum_low[k] : NULL;
    }
    block->stride = sizeof(body_lanes) / sizeof(float);
}

/* Copies n bodies of a vector from the arrays to its lanes. Lanes without a body get a plain one at rest. */
static void gather_vector(const body_block *b, size_t v, size_t n)
{
    body_lanes *lanes = &b->lanes[v];
    const vf one = vf_set1(1);
    const vm taken = vm_first(n);
    const size_t i = v * b->stride;
    float *const *m = b->momentum, *const *m_low = b->momentum_low;
    const vf4 q = vf4_load_n(b->orientation, i, n);
    lanes->body.orientation = (vf4){q.v, vf_select(taken, q.w, one)};
    lanes->body.low = load4_or_nothing(b->low, i, n);
    lanes->body.momentum = vf3_load_n(m[0], m[1], m[2], i, n);
    lanes->body.momentum_low = load3_or_nothing(m_low[0], m_low[1], m_low[2], i, n);
    const vf3 inertia = vf3_load_n(b->inertia[0], b->inertia[1], b->inertia[2], i, n);
    lanes->body.inertia = vf3_select(taken, inertia, (vf3){one, one, one});
    lanes->scale = one;
}

VF_INLINE void store_orientation(const gyre_bodies *b, bool low, const body_values *from, size_t i, size_t n)
{
    vf4_store_n(b->orientation, from->orientation, i, n);
    if (low) {
        vf4_store_n(b->orientation_low, from->low, i, n);
    }
}

/* Copies the orientations of n bodies from lanes to elements from i on. */
VF_INLINE void store_orientations(const gyre_bodies *b, bool low, size_t i, size_t n, const body_lanes *lanes)
{
    const size_t end = i + n;
    for (; end - i >= VF_LANES; i += VF_LANES, lanes++) {
        store_orientation(b, low, &lanes->body, i, VF_LANES);
    }
    if (i < end) {
        store_orientation(b, low, &lanes->body, i, end - i);
    }
}

/* ---- One body, from a lane to another ---- */

VF_INLINE void copy_lane(vf *into, size_t to, const vf *from, size_t lane)
{
    vf_set_lane(into, to, vf_lane(from, lane));
}

VF_INLINE void copy_lane3(vf3 *into, size_t to, const vf3 *from, size_t lane)
{
    copy_lane(&into->x, to, &from->x, lane);
    copy_lane(&into->y, to, &from->y, lane);
    copy_lane(&into->z, to, &from->z, lane);
}

VF_INLINE void copy_lane4(vf4 *into, size_t to, const vf4 *from, size_t lane)
{
    copy_lane3(&into->v, to, &from->v, lane);
    copy_lane(&into->w, to, &from->w, lane);
}

/* Everything that lasts from one sub-step to the next. */
VF_INLINE void copy_body(body_lanes *into, size_t to, const body_lanes *from, size_t lane)
{
    copy_lane4(&into->body.orientation, to, &from->body.orientation, lane);
    copy_lane4(&into->body.low, to, &from->body.low, lane);
    copy_lane3(&into->body.momentum, to, &from->body.momentum, lane);
    copy_lane3(&into->body.momentum_low, to, &from->body.momentum_low, lane);
    copy_lane3(&into->body.inertia, to, &from->body.inertia, lane);
    copy_lane(&into->scale, to, &from->scale, lane);
    copy_lane3(&into->inverse.inertia, to, &from->inverse.inertia, lane);
    copy_lane(&into->inverse.product, to, &from->inverse.product, lane);
    copy_lane(&into->half_h, to, &from->half_h, lane);
    copy_lane(&into->half_h_low, to, &from->half_h_low, lane);
    copy_lane(&into->substeps_left, to, &from->substeps_left, lane);
    copy_lane(&into->hit_limit, to, &from->hit_limit, lane);
}

/* Copies a quaternion from one of n lanes to an element. */
VF_INLINE void store_lane4(float *const to[4], size_t i, const vf4 *from, size_t lane)
{
    to[0][i] = vf_lane(&from->v.x, lane);
    to[1][i] = vf_lane(&from->v.y, lane);
    to[2][i] = vf_lane(&from->v.z, lane);
    to[3][i] = vf_lane(&from->w, lane);
}

/* ---- Bodies that are not plain ---- */

VF_RARE void repair_or_poison(body_lanes *lanes, vm plain)
{
    const body_values b = lanes->body;
    const body_repaired other = repaired(b);
    const body_inverse inverse = lanes->inverse;
    lanes->body = (body_values){
        .orientation = vf4_select(plain, b.orientation, other.body.orientation),
        .low = vf4_select(plain, b.low, other.body.low),
        .momentum = vf3_select(plain, b.momentum, other.body.momentum),
        .momentum_low = vf3_select(plain, b.momentum_low, other.body.momentum_low),
        .inertia = vf3_select(plain, b.inertia, other.body.inertia),
    };
    lanes->inverse = (body_inverse){vf3_select(plain, inverse.inertia, other.inverse.inertia),
                                    vf_select(plain, inverse.product, other.inverse.product)};
    lanes->scale = vf_select(plain, lanes->scale, other.scale);
}

VF_INLINE vm is_valid_in_lanes(const body_lanes *lanes)
{
    return vf_eq(lanes->body.orientation.w, lanes->body.orientation.w);
}

/* Makes the momentum of invalid bodies NaN. */
VF_INLINE void poison_momentum(const gyre_bodies *b, size_t i, size_t n, vm valid)
{
    const vf3 momentum = vf3_load_n(b->momentum[0], b->momentum[1], b->momentum[2], i, n);
    vf3_store_n(b->momentum, vf3_or_nan(valid, momentum), i, n);
    if (b->momentum_low[0] != NULL) {
        vf3_store_n(b->momentum_low, vf3_or_nan(valid, momentum_low_of(b, i, n)), i, n);
    }
}

/* Invalid bodies, and lanes without a body, take no sub-steps. */
VF_RARE void leave_out(body_lanes *lanes, size_t n, gyre_body_report *report)
{
    const vm present = vm_first(n), valid = is_valid_in_lanes(lanes), stepping = vm_and(present, valid);
    lanes->substeps_left = vf_zero_where(vm_not(stepping), lanes->substeps_left);
    lanes->hit_limit = vf_zero_where(vm_not(stepping), lanes->hit_limit);
    report->unconverged += vm_count(vm_and(present, vm_not(valid)));
}

#endif
