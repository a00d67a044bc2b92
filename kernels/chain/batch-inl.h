/* The arrays of chains of bones: what a step loads and stores. */
#ifndef GYRE_CHAIN_BATCH_H
#define GYRE_CHAIN_BATCH_H

#include "chain/step-inl.h"
#include "common/awake-inl.h"
#include "common/kernel-inl.h"

/* Features of a call. */
enum {
    CHAIN_OWN = 1 << 0, /* the bones of a level differ: in their entries, rest rotations or scales */
    CHAIN_SKIP = 1 << 1,
    CHAIN_REST = 1 << 2, /* chains fall asleep */
    CHAIN_WAKE = 1 << 3, /* all chains are awake afterwards */
};

/* Chains go through all levels in blocks of this many vectors: more are faster, and take more stack. Bones of their own
   are kept between stages, which takes as much again. */
#define CHAIN_VECTORS (40 / VF_LANES)
#define CHAIN_OWN_VECTORS (GYRE_LANES >= 8 ? 2 : 24 / VF_LANES)

/* A call. */
typedef struct chain_call {
    const gyre_bone_chains *chains;
    chain_settings settings;
    unsigned has;
    bool is_before_read; /* some time passes, so roots may have moved */
    bool incomplete;     /* a bone's entry is outside the palette */
    bool compares;       /* with rest poses only: states are not written */
} chain_call;

/* A bone that many chains have, prepared: a number for each member of chain_bone but its masks. */
typedef struct chain_model {
    float rest[4], axis[3], length, inverse_length, radius, stiffness, damping, drag, load_damping, gravity, limit,
        hinge[3], is_hinged;
} chain_model;

/* The bones of a level that belong to a block: `vectors` of n lanes. The first bone is at `at`, and its chain is
   `chain`. */
typedef struct chain_level {
    size_t index, at, chain, vectors, n;
    chain_model model; /* unless each bone has an entry */
} chain_level;

/* The chains of a vector, on their way through the levels. */
typedef struct chain_vector {
    chain_joint joint;
    vm stores;  /* chains whose states are written */
    vm rests;   /* chains that are within the rest limits so far */
    vm settles; /* chains that fall asleep */
} chain_vector;

/* ---- Chains ---- */

VF_INLINE vf3 chain_load3(const float *const a[3], size_t i, size_t n) { return vf3_load_n(a[0], a[1], a[2], i, n); }

VF_INLINE vf3 chain_load3_or_zero(const float *const a[3], size_t i, size_t n)
{
    const vf zero = vf_set1(0);
    return a[0] != NULL ? chain_load3(a, i, n) : (vf3){zero, zero, zero};
}

/* Lanes beyond the n quaternions hold the identity. */
VF_INLINE vf4 chain_load4_raw(const float *const q[4], size_t i, size_t n)
{
    const vf w = vf_load_n(q[3] + i, n);
    return (vf4){chain_load3(q, i, n), n == VF_LANES ? w : vf_select(vm_first(n), w, vf_set1(1))};
}

VF_INLINE vf4 chain_load4(const float *const q[4], size_t i, size_t n)
{
    return quaternion_of_length_1(chain_load4_raw(q, i, n));
}

VF_INLINE vf4 chain_load_orientation(const gyre_bone_chains *c, size_t i, size_t n)
{
    const float *const q[4] = {c->orientation[0], c->orientation[1], c->orientation[2], c->orientation[3]};
    return chain_load4(q, i, n);
}

VF_INLINE vf3 chain_load_velocity(const gyre_bone_chains *c, size_t i, size_t n)
{
    return vf3_load_n(c->velocity[0], c->velocity[1], c->velocity[2], i, n);
}

/* Squares of what is left are normal. */
VF_INLINE vf4 chain_load_parent(const float *const q[4], size_t i, size_t n)
{
    return vf4_flushed_for_square(chain_load4(q, i, n));
}

/* Heads are measured from the root's position now; from NaN or infinity they are NaN. */
VF_INLINE chain_joint chain_root(const chain_call *call, size_t i, size_t n)
{
    const gyre_bone_chains *c = call->chains;
    const vf3 position = chain_load3(c->position, i, n);
    const bool moves = call->is_before_read && c->position_before[0] != NULL,
               turns = call->is_before_read && c->parent_before[0] != NULL;
    chain_joint root = {.parent = chain_load_parent(c->parent, i, n), .head = vf3_sub(position, position)};
    root.parent_before = turns ? chain_load_parent(c->parent_before, i, n) : root.parent;
    root.head_before = moves ? vf3_sub(chain_load3(c->position_before, i, n), position) : root.head;
    return root;
}

VF_INLINE vm chain_equal4(vf4 a, vf4 b)
{
    return vm_and(vm_and(vf_eq(a.v.x, b.v.x), vf_eq(a.v.y, b.v.y)), vm_and(vf_eq(a.v.z, b.v.z), vf_eq(a.w, b.w)));
}

VF_INLINE vm chain_is_zero3(vf3 a)
{
    const vf zero = vf_set1(0);
    return vm_and(vm_and(vf_eq(a.x, zero), vf_eq(a.y, zero)), vf_eq(a.z, zero));
}

/* Chains whose root has the same numbers before and now. */
VF_INLINE vm chain_root_stands(const chain_call *call, size_t i, size_t n)
{
    const gyre_bone_chains *c = call->chains;
    const vf3 position = chain_load3(c->position, i, n);
    const vf3 before = c->position_before[0] != NULL ? chain_load3(c->position_before, i, n) : position;
    const vf4 parent = chain_load4_raw(c->parent, i, n);
    const vf4 turned = c->parent_before[0] != NULL ? chain_load4_raw(c->parent_before, i, n) : parent;
    return vm_and(chain_is_zero3(vf3_sub(position, before)), chain_equal4(parent, turned));
}

VF_INLINE chain_air chain_load_air(const gyre_bone_chains *c, size_t i, size_t n)
{
    return (chain_air){chain_load3_or_zero(c->gravity, i, n), chain_load3_or_zero(c->wind, i, n)};
}

/* ---- Bones ---- */

enum { CHAIN_NUMBERS = sizeof(gyre_bone) / sizeof(float) };
_Static_assert(CHAIN_NUMBERS == 20, "a bone is five times four floats, which are loaded as rows");

/* NaN for an entry outside the palette. */
static __attribute__((noinline)) chain_model chain_model_of_entry(const gyre_bone_chains *c, size_t entry)
{
    vf number[CHAIN_NUMBERS];
    const float *numbers = entry < c->bone_count ? (const float *)(const void *)&c->bones[entry] : NULL;
#pragma GCC unroll 20 /* in registers */
    for (size_t k = 0; k < CHAIN_NUMBERS; k++) {
        number[k] = vf_set1(numbers != NULL ? numbers[k] : NAN);
    }
    const chain_bone b = chain_bone_of(number);
    return (chain_model){
        .rest = {vf_lane_0(b.rest.v.x), vf_lane_0(b.rest.v.y), vf_lane_0(b.rest.v.z), vf_lane_0(b.rest.w)},
        .axis = {vf_lane_0(b.axis.x), vf_lane_0(b.axis.y), vf_lane_0(b.axis.z)},
        .length = vf_lane_0(b.length),
        .inverse_length = vf_lane_0(b.inverse_length),
        .radius = vf_lane_0(b.radius),
        .stiffness = vf_lane_0(b.stiffness),
        .damping = vf_lane_0(b.damping),
        .drag = vf_lane_0(b.drag),
        .load_damping = vf_lane_0(b.load_damping),
        .gravity = vf_lane_0(b.gravity),
        .limit = vf_lane_0(b.limit),
        .hinge = {vf_lane_0(b.hinge.x), vf_lane_0(b.hinge.y), vf_lane_0(b.hinge.z)},
        .is_hinged = vm_any(b.is_hinged),
    };
}

VF_INLINE vf3 chain_set3(const float a[3]) { return (vf3){vf_set1(a[0]), vf_set1(a[1]), vf_set1(a[2])}; }

VF_INLINE chain_bone chain_bone_of_model(const chain_model *m)
{
    return (chain_bone){
        .rest = {chain_set3(m->rest), vf_set1(m->rest[3])},
        .axis = chain_set3(m->axis),
        .length = vf_set1(m->length),
        .inverse_length = vf_set1(m->inverse_length),
        .radius = vf_set1(m->radius),
        .stiffness = vf_set1(m->stiffness),
        .damping = vf_set1(m->damping),
        .drag = vf_set1(m->drag),
        .load_damping = vf_set1(m->load_damping),
        .gravity = vf_set1(m->gravity),
        .limit = vf_set1(m->limit),
        .hinge = chain_set3(m->hinge),
        .is_rigid = vf_eq(vf_set1(m->inverse_length), vf_set1(0)),
        .is_hinged = vf_lt(vf_set1(0), vf_set1(m->is_hinged)),
    };
}

/* The bones of n entries. Those outside the palette are NaN, and *outside becomes their lanes. */
VF_INLINE chain_bone chain_bones_of_entries(const gyre_bone_chains *c, const uint16_t *entries, size_t n, vm *outside)
{
    uint16_t which[GYRE_LANES] = {0};
    float is_outside[GYRE_LANES] = {0};
    static const gyre_bone none;
    const gyre_bone *bones = c->bone_count > 0 ? c->bones : &none;
    for (size_t k = 0; k < n; k++) {
        const bool is_inside = entries[k] < c->bone_count;
        which[k] = is_inside ? entries[k] : 0;
        is_outside[k] = !is_inside;
    }
    vf number[CHAIN_NUMBERS];
#pragma GCC unroll 5
    for (size_t k = 0; k < CHAIN_NUMBERS; k += 4) {
        vf_load_rows4((const float *)(const void *)bones + k, CHAIN_NUMBERS, which, number + k);
    }
    *outside = vf_lt(vf_set1(0), vf_load(is_outside));
    number[8] = vf_select(*outside, vf_set1(NAN), number[8]);
    return chain_bone_of(number);
}

/* The bones of a vector of a level. `counts` are the chains that report an entry outside the palette. */
VF_INLINE chain_bone chain_load_bones(chain_call *call, const chain_level *level, size_t at, size_t chain, size_t n,
                                      vm counts)
{
    const gyre_bone_chains *c = call->chains;
    vm outside = level->index < c->bone_count ? vm_none() : vm_first(n);
    chain_bone bones =
        c->bone != NULL ? chain_bones_of_entries(c, c->bone + at, n, &outside) : chain_bone_of_model(&level->model);
    call->incomplete = call->incomplete || vm_any(vm_and(outside, counts));
    if (c->rest[0] != NULL) {
        bones.rest = chain_load4(c->rest, at, n);
    }
    if (c->scale != NULL) {
        chain_scale_bone(&bones, vf_load_n(c->scale + chain, n));
    }
    return bones;
}

/* ---- Colliders ---- */

/* Of the n chains at i, measured from their roots. */
VF_INLINE chain_obstacle chain_load_obstacle(const gyre_bone_chains *c, const gyre_chain_collider *collider, size_t i,
                                             size_t n)
{
    const vf3 root = chain_load3(c->position, i, n);
    const gyre_collider_kind kind = collider->kind;
    chain_obstacle o = {.position = vf3_sub(chain_load3(collider->position, i, n), root)};
    if (kind == GYRE_COLLIDER_PLANE) {
        o.end = chain_load3(collider->end, i, n);
        return o;
    }
    if (kind == GYRE_COLLIDER_CAPSULE || kind == GYRE_COLLIDER_INSIDE_CAPSULE) {
        o.end = vf3_sub(chain_load3(collider->end, i, n), root);
    }
    o.radius = vf_load_n(collider->radius + i, n);
    return o;
}

VF_INLINE chain_direction chain_off_colliders(const gyre_bone_chains *c, chain_tail tail, chain_direction d, size_t i,
                                              size_t n)
{
    for (size_t k = 0; k < c->collider_count; k++) {
        const chain_obstacle o = chain_load_obstacle(c, &c->colliders[k], i, n);
        switch (c->colliders[k].kind) {
        case GYRE_COLLIDER_SPHERE: d = chain_off_sphere(false, o.position, o.radius, tail, d); break;
        case GYRE_COLLIDER_CAPSULE: d = chain_off_capsule(false, o, tail, d); break;
        case GYRE_COLLIDER_PLANE: d = chain_off_plane(o, tail, d); break;
        case GYRE_COLLIDER_INSIDE_SPHERE: d = chain_off_sphere(true, o.position, o.radius, tail, d); break;
        case GYRE_COLLIDER_INSIDE_CAPSULE: d = chain_off_capsule(true, o, tail, d); break;
        }
    }
    return d;
}

/* ---- Results ---- */

VF_INLINE void chain_store3(float *const to[3], vm where, vf3 a, size_t i, size_t n)
{
    const vf3 kept = vm_all(where) ? a : vf3_select(where, a, vf3_load_n(to[0], to[1], to[2], i, n));
    vf3_store_n(to, kept, i, n);
}

VF_INLINE void chain_store4(float *const to[4], vm where, vf4 a, size_t i, size_t n)
{
    vf4_store_n(to, vm_all(where) ? a : vf4_select(where, a, vf4_load_n(to, i, n)), i, n);
}

/* Where tails are, and rotations in parents' frames. */
VF_INLINE void chain_store_outputs(const gyre_bone_chains *c, vm where, vf3 tail, vf4 local, size_t at, size_t chain,
                                   size_t n)
{
    if (c->tail[0] != NULL) {
        chain_store3(c->tail, where, vf3_add(chain_load3(c->position, chain, n), tail), at, n);
    }
    if (c->local[0] != NULL) {
        chain_store4(c->local, where, local, at, n);
    }
}

#endif
