/* gyre_bone_chains_step and gyre_bone_chains_reset: blocks of chains through all levels, sleep, and the calls. */
#ifndef GYRE_CHAIN_CHAINS_H
#define GYRE_CHAIN_CHAINS_H

#include "chain/levels-inl.h"
#include "scalar/elementary.h"

/* What is done to a level of a block. */
typedef void chain_level_function(chain_call *call, const chain_level *level, chain_vector *vectors);

/* For whole vectors of bones that are alike, for whole vectors of others, and for a vector of fewer lanes. */
typedef struct chain_pass {
    chain_level_function *alike, *own, *part;
} chain_pass;

/* All levels of chains i..end-1, from their roots. Functions are called rather than inlined: their stacks do not add
   up. */
static void chain_each_level(chain_pass pass, chain_call *call, chain_vector *vectors, size_t i, size_t end)
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
        const size_t count = (end < chains ? end : chains) - i, left = count % VF_LANES;
        chain_level level = {.index = l, .at = begin + i, .chain = i, .vectors = count / VF_LANES, .n = VF_LANES};
        if (c->bone == NULL) {
            level.model = chain_model_of_entry(c, l);
        }
        if (level.vectors > 0) {
            (call->has & CHAIN_OWN ? pass.own : pass.alike)(call, &level, vectors);
        }
        if (left > 0) {
            const size_t whole = level.vectors;
            level.at += count - left;
            level.chain += count - left;
            level.vectors = 1;
            level.n = left;
            pass.part(call, &level, vectors + whole);
        }
    }
}

VF_SHARED void chain_step_alike(chain_call *call, const chain_level *level, chain_vector *vectors)
{
    chain_lanes lanes[CHAIN_VECTORS];
    if (level->index >= call->chains->bone_count) {
        CHAIN_EACH_VECTOR(level) { call->incomplete = call->incomplete || vm_any(vectors[v].stores); }
    }
    chain_step_level(call, level, vectors, VF_LANES, lanes, NULL);
}

VF_SHARED void chain_load_level(chain_call *call, const chain_level *level, const chain_vector *vectors,
                                chain_bone *bones)
{
    CHAIN_EACH_VECTOR(level) { bones[v] = chain_load_bones(call, level, at, chain, level->n, vectors[v].stores); }
}

VF_SHARED void chain_step_bones(chain_call *call, const chain_level *level, chain_vector *vectors,
                                const chain_bone *bones)
{
    chain_lanes lanes[CHAIN_OWN_VECTORS];
    chain_step_level(call, level, vectors, VF_LANES, lanes, bones);
}

VF_SHARED void chain_step_own(chain_call *call, const chain_level *level, chain_vector *vectors)
{
    chain_bone bones[CHAIN_OWN_VECTORS];
    chain_load_level(call, level, vectors, bones);
    chain_step_bones(call, level, vectors, bones);
}

VF_SHARED void chain_step_bones_of_part(chain_call *call, const chain_level *level, chain_vector *vectors,
                                        const chain_bone *bone)
{
    chain_lanes lanes;
    chain_step_level(call, level, vectors, level->n, &lanes, bone);
}

VF_SHARED void chain_step_part(chain_call *call, const chain_level *level, chain_vector *vectors)
{
    chain_bone bone;
    chain_load_level(call, level, vectors, &bone);
    chain_step_bones_of_part(call, level, vectors, &bone);
}

static const chain_pass chain_step_pass = {chain_step_alike, chain_step_own, chain_step_part};

/* What is rare has one function for all. */
#define CHAIN_RARE_PASS(name)                                                                                          \
    VF_SHARED void chain_##name##_any(chain_call *call, const chain_level *level, chain_vector *vectors)               \
    {                                                                                                                  \
        chain_##name##_level(call, level, vectors, level->n);                                                          \
    }                                                                                                                  \
    static const chain_pass chain_##name##_pass = {chain_##name##_any, chain_##name##_any, chain_##name##_any};
CHAIN_RARE_PASS(reset)
CHAIN_RARE_PASS(settle)
CHAIN_RARE_PASS(show)
#undef CHAIN_RARE_PASS

/* ---- Sleep ---- */

/* Those of n chains at i, whose roots stand, of which all bones have no velocity. */
static vm chain_is_quiet(const chain_call *call, vm stands, size_t i, size_t n)
{
    const gyre_bone_chains *c = call->chains;
    vm quiet = stands;
    for (size_t l = 0; l < c->levels && vm_any(quiet); l++) {
        const size_t begin = c->level_begin[l], chains = c->level_begin[l + 1] - begin;
        if (i >= chains) {
            break;
        }
        quiet = vm_and(quiet, chain_is_zero3(chain_load_velocity(c, begin + i, chains - i < n ? chains - i : n)));
    }
    return quiet;
}

/* The chains of a vector that may sleep. */
typedef struct chain_sleepers {
    vm steps;  /* that are stepped */
    vm stands; /* of these, those whose root stands */
    vm quiet;  /* that may be asleep already */
    vm same;   /* quiet ones in which settling changes no bit */
    vm asleep; /* the same, with all bones free: no step would change a bit either */
} chain_sleepers;

/* Finds quiet chains that are asleep. */
static void chain_find_asleep(chain_call *call, chain_sleepers *sleepers, chain_vector *vectors, size_t i, size_t end)
{
    bool any = false;
    for (size_t v = 0, chain = i; chain < end; v++, chain += VF_LANES) {
        const size_t n = vf_lanes_left(chain, end);
        const vm steps = vectors[v].stores, stands = vm_and(steps, chain_root_stands(call, chain, n));
        const vm quiet = chain_is_quiet(call, stands, chain, n);
        sleepers[v] = (chain_sleepers){.steps = steps, .stands = stands, .quiet = quiet};
        vectors[v].settles = vectors[v].rests = quiet;
        vectors[v].stores = vm_none();
        any = any || vm_any(quiet);
    }
    if (any) {
        call->compares = true;
        chain_each_level(chain_settle_pass, call, vectors, i, end);
        call->compares = false;
    }
    for (size_t v = 0; i + v * VF_LANES < end; v++) {
        sleepers[v].same = vm_and(vectors[v].settles, vm_not(vectors[v].stores));
        sleepers[v].asleep = vm_and(sleepers[v].same, vectors[v].rests);
    }
}

/* Steps the vectors of a block that `moves` names, in runs. */
static void chain_step_some(chain_call *call, const bool *moves, chain_vector *vectors, size_t i, size_t end)
{
    const size_t count = (end - i + VF_LANES - 1) / VF_LANES;
    for (size_t v = 0, next; v < count; v = next + 1) {
        for (next = v; next < count && moves[next]; next++) {
        }
        if (next > v) {
            const size_t run_end = i + next * VF_LANES;
            chain_each_level(chain_step_pass, call, vectors + v, i + v * VF_LANES, run_end < end ? run_end : end);
        }
    }
}

/* A step of a block with rest limits. A quiet chain that is not asleep for sure is stepped without being written: if it
   is still within the limits, it settles from its old state; if not, it is stepped again. */
VF_SHARED void chain_rest_block(chain_call *call, chain_vector *vectors, size_t i, size_t end)
{
    const gyre_bone_chains *c = call->chains;
    chain_sleepers sleepers[CHAIN_VECTORS];
    bool steps[CHAIN_VECTORS];
    chain_find_asleep(call, sleepers, vectors, i, end);
    for (size_t v = 0; i + v * VF_LANES < end; v++) {
        const vm moves = vm_and(sleepers[v].steps, vm_not(sleepers[v].asleep));
        vectors[v].stores = vm_and(moves, vm_not(sleepers[v].quiet));
        vectors[v].rests = vm_and(moves, sleepers[v].stands);
        steps[v] = vm_any(moves);
    }
    chain_step_some(call, steps, vectors, i, end);
    for (size_t v = 0; i + v * VF_LANES < end; v++) {
        const vm moves = vm_and(sleepers[v].quiet, vm_not(sleepers[v].asleep));
        const vm rests = steps[v] ? vectors[v].rests : vm_none();
        vectors[v].stores = vm_and(moves, vm_not(rests));
        steps[v] = vm_any(vectors[v].stores);
        sleepers[v].asleep = vm_or(sleepers[v].asleep, vm_and(rests, sleepers[v].same));
        vectors[v].settles = vm_and(rests, vm_not(sleepers[v].same));
    }
    chain_step_some(call, steps, vectors, i, end);
    bool any_settles = false;
    for (size_t v = 0; i + v * VF_LANES < end; v++) {
        vectors[v].stores = vm_none();
        any_settles = any_settles || vm_any(vectors[v].settles);
    }
    if (any_settles) {
        chain_each_level(chain_settle_pass, call, vectors, i, end);
    }
    for (size_t v = 0, chain = i; chain < end && c->awake != NULL; v++, chain += VF_LANES) {
        const vm same = vm_and(vm_and(vectors[v].settles, sleepers[v].quiet), vm_not(vectors[v].stores));
        const vm awake = vm_and(sleepers[v].steps, vm_not(vm_or(sleepers[v].asleep, same)));
        vm_store_bytes_n(c->awake + chain, awake, vf_lanes_left(chain, end));
    }
}

/* ---- The calls ---- */

/* Chains begin..end-1, without those that sleep. */
static gyre_status chain_blocks(chain_pass pass, chain_call *call, size_t begin, size_t end)
{
    const gyre_bone_chains *c = call->chains;
    const bool skips = call->has & CHAIN_SKIP;
    const size_t block = VF_LANES * (size_t)(call->has & CHAIN_OWN ? CHAIN_OWN_VECTORS : CHAIN_VECTORS);
    const uint8_t *flags = awake_flags(skips, c->awake);
    vf_run run = vf_first_run(flags, begin, end);
    do {
        for (size_t i = run.begin; i < run.end; i += block) {
            const size_t block_end = run.end - i < block ? run.end : i + block;
            chain_vector vectors[CHAIN_VECTORS];
            for (size_t v = 0, chain = i; chain < block_end; v++, chain += VF_LANES) {
                const size_t n = vf_lanes_left(chain, block_end);
                vectors[v].stores = vm_and(vm_first(n), awake_load_n(skips, c->awake, chain, n));
                if (call->has & CHAIN_WAKE && c->awake != NULL) {
                    vm_store_bytes_n(c->awake + chain, vectors[v].stores, n);
                }
            }
            if (call->has & CHAIN_REST) {
                chain_rest_block(call, vectors, i, block_end);
            } else {
                chain_each_level(pass, call, vectors, i, block_end);
            }
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
        .settings = {.dt = dt_s < 0x1p40f ? dt_s : 0x1p40f,
                     .inverse_dt = dt_s == 0         ? 0
                                   : dt_s > 0x1p-40f ? 1 / dt_s
                                                     : 0x1p40f,
                     .rest_chord2 = chain_chord2(c->rest_angle),
                     .rest_speed2 = speed * speed},
        .has = (c->bone != NULL || c->rest[0] != NULL || c->scale != NULL ? CHAIN_OWN : 0u) |
               (c->skip_asleep ? CHAIN_SKIP : 0u),
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
        return chain_blocks(chain_show_pass, &call, begin, end);
    }
    const unsigned rests = chains->rest_angle > 0 && chains->rest_speed > 0 ? CHAIN_REST : CHAIN_WAKE;
    call.has |= rests;
    return chain_blocks(chain_step_pass, &call, begin, end);
}

GYRE_KERNEL_FUNCTION gyre_status bone_chains_reset(const gyre_bone_chains *chains, size_t begin, size_t end, float dt_s)
{
    const gyre_status status = check_bone_chains(chains, begin, end, dt_s);
    if (status != GYRE_OK || begin == end || chains->levels == 0) {
        return status;
    }
    chain_call call = chain_call_of(chains, dt_s);
    call.has = (call.has & ~(unsigned)CHAIN_SKIP) | CHAIN_WAKE;
    return chain_blocks(chain_reset_pass, &call, begin, end);
}

#endif
