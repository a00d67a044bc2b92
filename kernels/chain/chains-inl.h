/* gyre_bone_chains_step and gyre_bone_chains_reset: blocks of chains through all levels, sleep, and the calls. */
#ifndef GYRE_CHAIN_CHAINS_H
#define GYRE_CHAIN_CHAINS_H

#include "chain/levels-inl.h"
#include "scalar/elementary.h"

/* What is done to a level of a block, of which i is the first chain. */
typedef void chain_level_function(chain_call *call, const chain_level *level, chain_vector *vectors, size_t i);

/* All levels of chains i..end-1, from their roots. Functions are called rather than inlined: their stacks do not add
   up. */
static void chain_each_level(chain_level_function *function, chain_call *call, chain_vector *vectors, size_t i,
                             size_t end)
{
    const gyre_bone_chains *c = call->chains;
    for (size_t v = 0, chain = i; chain < end; v++, chain += VF_LANES) {
        vectors[v].joint = chain_root(call, chain, vf_lanes_left(chain, end));
    }
    for (size_t l = 0; l < c->levels; l++) {
        const size_t begin = c->level_begin[l], chains = c->level_begin[l + 1] - begin;
        if (i >= chains) {
            return;
        }
        chain_level level = {.index = l, .at = begin + i, .count = (end < chains ? end : chains) - i};
        if (!(call->has & CHAIN_MIXED)) {
            level.model = chain_model_of_entry(c, l);
        }
        function(call, &level, vectors, i);
    }
}

/* A function for bones with entries of their own, one for models, and one for a block that takes either. */
#define CHAIN_BLOCK_FUNCTION(name)                                                                                     \
    VF_SHARED void chain_##name##_mixed(chain_call *call, const chain_level *level, chain_vector *vectors, size_t i)   \
    {                                                                                                                  \
        chain_##name##_level(call, true, level, vectors, i);                                                           \
    }                                                                                                                  \
    VF_SHARED void chain_##name##_alike(chain_call *call, const chain_level *level, chain_vector *vectors, size_t i)   \
    {                                                                                                                  \
        chain_##name##_level(call, false, level, vectors, i);                                                          \
    }                                                                                                                  \
    static void chain_##name##_block(chain_call *call, chain_vector *vectors, size_t i, size_t end)                    \
    {                                                                                                                  \
        chain_each_level(call->has &CHAIN_MIXED ? chain_##name##_mixed : chain_##name##_alike, call, vectors, i, end); \
    }
CHAIN_BLOCK_FUNCTION(step)
CHAIN_BLOCK_FUNCTION(reset)
CHAIN_BLOCK_FUNCTION(settle)
CHAIN_BLOCK_FUNCTION(show)
#undef CHAIN_BLOCK_FUNCTION

/* ---- Sleep ---- */

/* The n chains at i, of which all bones have no velocity and the root stands. */
static vm chain_is_quiet(const chain_call *call, size_t i, size_t n)
{
    const gyre_bone_chains *c = call->chains;
    vm quiet = chain_root_stands(call, i, n);
    for (size_t l = 0; l < c->levels && vm_any(quiet); l++) {
        const size_t begin = c->level_begin[l], chains = c->level_begin[l + 1] - begin;
        if (i >= chains) {
            break;
        }
        quiet = vm_and(quiet, chain_is_zero3(chain_load_velocity(c, begin + i, chains - i < n ? chains - i : n)));
    }
    return quiet;
}

/* A step of a block with rest limits. A quiet chain is stepped without being written: if it is still within the limits,
   it settles from its old state, of which nothing may change; if not, it is stepped again. */
VF_SHARED void chain_rest_block(chain_call *call, chain_vector *vectors, size_t i, size_t end)
{
    const gyre_bone_chains *c = call->chains;
    vm steps[CHAIN_VECTORS], quiet[CHAIN_VECTORS];
    bool any_wakes = false, any_settles = false;
    for (size_t v = 0, chain = i; chain < end; v++, chain += VF_LANES) {
        const size_t n = vf_lanes_left(chain, end);
        steps[v] = vectors[v].stores;
        quiet[v] = vm_and(steps[v], chain_is_quiet(call, chain, n));
        vectors[v].stores = vm_and(steps[v], vm_not(quiet[v]));
        vectors[v].rests = vm_and(steps[v], chain_root_stands(call, chain, n));
    }
    chain_step_block(call, vectors, i, end);
    vm settles[CHAIN_VECTORS];
    for (size_t v = 0; i + v * VF_LANES < end; v++) {
        settles[v] = vectors[v].rests;
        vectors[v].stores = vm_and(quiet[v], vm_not(settles[v]));
        any_wakes = any_wakes || vm_any(vectors[v].stores);
        any_settles = any_settles || vm_any(settles[v]);
    }
    if (any_wakes) {
        chain_step_block(call, vectors, i, end);
    }
    for (size_t v = 0; i + v * VF_LANES < end; v++) {
        vectors[v].rests = settles[v];
        vectors[v].stores = vm_not(quiet[v]);
    }
    if (any_settles) {
        chain_settle_block(call, vectors, i, end);
    }
    for (size_t v = 0, chain = i; chain < end && c->awake != NULL; v++, chain += VF_LANES) {
        const vm asleep = vm_and(settles[v], vm_not(vectors[v].stores));
        vm_store_bytes_n(c->awake + chain, vm_and(steps[v], vm_not(asleep)), vf_lanes_left(chain, end));
    }
}

/* ---- The calls ---- */

typedef void chain_block_function(chain_call *call, chain_vector *vectors, size_t i, size_t end);

/* Chains begin..end-1, without those that sleep. */
static gyre_status chain_blocks(chain_block_function *function, chain_call *call, size_t begin, size_t end,
                                bool writes_awake)
{
    const gyre_bone_chains *c = call->chains;
    const bool skips = call->has & CHAIN_SKIP;
    const uint8_t *flags = awake_flags(skips, c->awake);
    vf_run run = vf_first_run(flags, begin, end);
    do {
        for (size_t i = run.begin; i < run.end; i += CHAIN_VECTORS * VF_LANES) {
            const size_t block_end = run.end - i < CHAIN_VECTORS * VF_LANES ? run.end : i + CHAIN_VECTORS * VF_LANES;
            chain_vector vectors[CHAIN_VECTORS];
            for (size_t v = 0, chain = i; chain < block_end; v++, chain += VF_LANES) {
                const size_t n = vf_lanes_left(chain, block_end);
                vectors[v].stores = vm_and(vm_first(n), awake_load_n(skips, c->awake, chain, n));
                if (writes_awake && c->awake != NULL) {
                    vm_store_bytes_n(c->awake + chain, vectors[v].stores, n);
                }
            }
            function(call, vectors, i, block_end);
        }
    } while (vf_find_run(flags, &run, end));
    return call->incomplete ? GYRE_INCOMPLETE : GYRE_OK;
}

static bool chain_has(const void *const *arrays, size_t count)
{
    bool all = true;
    for (size_t k = 0; k < count; k++) {
        all = all && arrays[k] != NULL;
    }
    return all;
}

#define CHAIN_HAS(group, count) chain_has((const void *const *)(const void *)(group), count)
#define CHAIN_HAS_IF_USED(group, count) ((group)[0] == NULL || CHAIN_HAS(group, count))

static bool chain_colliders_have_arrays(const gyre_bone_chains *c)
{
    bool all = c->collider_count == 0 || c->colliders != NULL;
    for (size_t k = 0; all && k < c->collider_count; k++) {
        const gyre_chain_collider *collider = &c->colliders[k];
        const bool has_end = collider->kind == GYRE_COLLIDER_CAPSULE || collider->kind == GYRE_COLLIDER_PLANE ||
                             collider->kind == GYRE_COLLIDER_INSIDE_CAPSULE;
        all = CHAIN_HAS(collider->position, 3) && (!has_end || CHAIN_HAS(collider->end, 3)) &&
              (collider->kind == GYRE_COLLIDER_PLANE || collider->radius != NULL);
    }
    return all;
}

static bool chain_has_arrays(const gyre_bone_chains *c)
{
    return c->level_begin != NULL && c->bones != NULL && CHAIN_HAS(c->orientation, 4) && CHAIN_HAS(c->velocity, 3) &&
           CHAIN_HAS(c->position, 3) && CHAIN_HAS(c->parent, 4) && CHAIN_HAS_IF_USED(c->tail, 3) &&
           CHAIN_HAS_IF_USED(c->local, 4) && CHAIN_HAS_IF_USED(c->rest, 4) &&
           CHAIN_HAS_IF_USED(c->position_before, 3) && CHAIN_HAS_IF_USED(c->parent_before, 4) &&
           CHAIN_HAS_IF_USED(c->gravity, 3) && CHAIN_HAS_IF_USED(c->wind, 3) &&
           !is_awake_missing(c->skip_asleep, c->awake) && chain_colliders_have_arrays(c);
}

/* Levels rise by amounts that never grow, the first by at most `count`. */
static bool chain_levels_are_valid(const gyre_bone_chains *c)
{
    size_t most = c->count;
    for (size_t l = 0; l < c->levels; l++) {
        const size_t begin = c->level_begin[l], next = c->level_begin[l + 1];
        if (next < begin || next - begin > most) {
            return false;
        }
        most = next - begin;
    }
    return true;
}

static bool chain_kinds_are_valid(const gyre_bone_chains *c)
{
    bool all = true;
    for (size_t k = 0; k < c->collider_count; k++) {
        const int kind = (int)c->colliders[k].kind;
        all = all && kind >= GYRE_COLLIDER_SPHERE && kind <= GYRE_COLLIDER_INSIDE_CAPSULE;
    }
    return all;
}

static gyre_status check_bone_chains(const gyre_bone_chains *c, size_t begin, size_t end, float dt_s)
{
    if (c == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_range(begin, end, c->count)) {
        return GYRE_ERROR_RANGE;
    }
    if (!is_finite_not_negative(dt_s) || !is_finite_not_negative(c->rest_angle) ||
        !is_finite_not_negative(c->rest_speed)) {
        return GYRE_ERROR_VALUE;
    }
    if (begin == end || c->levels == 0) {
        return GYRE_OK;
    }
    if (!chain_has_arrays(c)) {
        return GYRE_ERROR_NULL;
    }
    return chain_levels_are_valid(c) && chain_kinds_are_valid(c) ? GYRE_OK : GYRE_ERROR_VALUE;
}

/* The square of the chord of an angle; of half a turn and more that of all. */
static float chain_chord2(float angle)
{
    if (angle >= (float)SCALAR_PI) {
        return 5;
    }
    double cosine, sine;
    scalar_cos_sin(0.5 * angle, &cosine, &sine);
    return (float)(4 * sine * sine);
}

/* Longer times would overflow, and no chain still moves after them; shorter ones would overflow velocities. */
static chain_call chain_call_of(const gyre_bone_chains *c, float dt_s)
{
    const float speed = c->rest_speed < 0x1p60f ? c->rest_speed : 0x1p60f;
    return (chain_call){
        .chains = c,
        .settings = {.dt = vf_set1(dt_s < 0x1p40f ? dt_s : 0x1p40f),
                     .inverse_dt = vf_set1(dt_s == 0         ? 0
                                           : dt_s > 0x1p-40f ? 1 / dt_s
                                                             : 0x1p40f),
                     .rest_chord2 = vf_set1(chain_chord2(c->rest_angle)),
                     .rest_speed2 = vf_set1(speed * speed)},
        .has = (c->bone != NULL ? CHAIN_MIXED : 0u) | (c->skip_asleep ? CHAIN_SKIP : 0u) |
               (c->rest_angle > 0 && c->rest_speed > 0 ? CHAIN_REST : 0u),
        .is_before_read = dt_s != 0,
    };
}

GYRE_KERNEL_FUNCTION gyre_status bone_chains_step(const gyre_bone_chains *chains, size_t begin, size_t end, float dt_s)
{
    const gyre_status status = check_bone_chains(chains, begin, end, dt_s);
    if (status != GYRE_OK || begin == end || chains->levels == 0) {
        return status;
    }
    chain_call call = chain_call_of(chains, dt_s);
    if (dt_s == 0) {
        return chain_blocks(chain_show_block, &call, begin, end, false);
    }
    const bool rests = call.has & CHAIN_REST;
    return chain_blocks(rests ? chain_rest_block : chain_step_block, &call, begin, end, !rests);
}

GYRE_KERNEL_FUNCTION gyre_status bone_chains_reset(const gyre_bone_chains *chains, size_t begin, size_t end, float dt_s)
{
    const gyre_status status = check_bone_chains(chains, begin, end, dt_s);
    if (status != GYRE_OK || begin == end || chains->levels == 0) {
        return status;
    }
    chain_call call = chain_call_of(chains, dt_s);
    call.has &= ~(unsigned)CHAIN_SKIP;
    return chain_blocks(chain_reset_block, &call, begin, end, true);
}

#endif
