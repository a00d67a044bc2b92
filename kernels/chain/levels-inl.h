/* What is done to the bones of one level of a block of chains: the step in stages, rest poses, and outputs alone. A
   level reads what its bones hang on from the level before it, as joints, and hands on its own. n lanes of each
   vector are used. */
#ifndef GYRE_CHAIN_LEVELS_H
#define GYRE_CHAIN_LEVELS_H

#include "chain/batch-inl.h"

/* Introduces a loop over the vectors of a level, with the places of their first bones and chains. */
#define CHAIN_EACH_VECTOR(level)                                                                                       \
    for (size_t v = 0, at = (level)->at, chain = (level)->chain; v < (level)->vectors;                                 \
         v++, at += VF_LANES, chain += VF_LANES)

/* The joint of the bones of the next level: where a bone of this orientation has its tail. */
VF_INLINE void chain_hand_on(chain_joint *joint, chain_bone bone, vf4 orientation)
{
    joint->parent = orientation;
    joint->head = vf3_scale_add(bone.length, quaternion_apply(orientation, bone.axis), joint->head);
}

/* ---- The step ---- */

/* A vector between the stages. */
typedef struct chain_lanes {
    chain_motion motion;
    chain_course course;
    union {
        chain_pulls pulls; /* from stage 1 to 2 */
        struct {
            chain_target target; /* from stage 2 to 5 */
            chain_matrix matrix; /* from stage 3 to 4 */
        };
    };
} chain_lanes;

/* Stage 1: reads the state, and hands on where the tail was. */
VF_INLINE void chain_load_motion(chain_call *call, chain_bone bone, chain_joint *joint, chain_lanes *lanes, size_t at,
                                 size_t chain, size_t n)
{
    const gyre_bone_chains *c = call->chains;
    const vf4 orientation = chain_load_orientation(c, at, n);
    const vf3 velocity = chain_load_velocity(c, at, n);
    const chain_air air = chain_load_air(c, chain, n);
    lanes->course.e = quaternion_apply(orientation, bone.axis);
    lanes->pulls = chain_begin(call->settings, bone, *joint, air, velocity, &lanes->motion, &lanes->course);
    joint->parent_before = orientation;
    joint->head_before = vf3_scale_add(bone.length, lanes->course.e, joint->head_before);
}

/* Whether the tail moves at the rest speed or less, against its head. */
VF_INLINE vm chain_is_slow(chain_settings s, chain_bone bone, vf3 rate)
{
    const vf3 arc = vf3_scale(bone.length, rate);
    return vf_le(vf3_dot(arc, arc), vf_set1(s.rest_speed2));
}

/* Whether a bone is within the rest limits, from its stored state and where it is now. Between two constraints a bone
   keeps a speed that it does not move with: one that is held is slow where its tail moved slowly. */
VF_INLINE vm chain_bone_rests(const chain_call *call, chain_bone bone, vf3 head_velocity, chain_direction d, size_t at,
                              size_t n)
{
    const chain_settings s = call->settings;
    const vf3 before = quaternion_apply(chain_load_orientation(call->chains, at, n), bone.axis);
    const vf3 rate = chain_rate_of(bone, before, chain_load_velocity(call->chains, at, n), head_velocity);
    const vf3 off = vf3_sub(d.e, d.target), way = vf3_scale(vf_set1(s.inverse_dt), vf3_sub(d.e, before));
    const vm near = vf_le(vf3_dot(off, off), vf_set1(s.rest_chord2));
    const vm slow = vm_and(chain_is_slow(s, bone, rate), chain_is_slow(s, bone, d.rate));
    return vm_or(vm_and(slow, vm_or(near, d.held)), vm_and(d.held, chain_is_slow(s, bone, way)));
}

/* Stage 5. */
VF_INLINE void chain_stop(chain_call *call, chain_bone bone, chain_lanes *lanes, chain_vector *vector, size_t at,
                          size_t chain, size_t n)
{
    const chain_motion *m = &lanes->motion;
    chain_direction d = chain_direction_of(bone, m->pose.rest, lanes->target.at, lanes->course);
    d = chain_limited(bone, m->pose, d);
    d = chain_off_colliders(call->chains, chain_tail_of(bone, vector->joint.head), d, chain, n);
    if (call->has & CHAIN_REST) {
        const vm rests = chain_bone_rests(call, bone, m->head_velocity, d, at, n);
        vector->rests = vm_and(vector->rests, vm_or(rests, vm_not(vm_first(n))));
    }
    lanes->course = (chain_course){d.e, d.rate};
}

/* Stage 6: writes the state, and hands on where the tail is. */
VF_INLINE void chain_store_motion(chain_call *call, chain_bone bone, const chain_lanes *lanes, chain_vector *vector,
                                  size_t at, size_t chain, size_t n)
{
    const gyre_bone_chains *c = call->chains;
    const chain_motion *m = &lanes->motion;
    const chain_orientation q = chain_turn_bone(bone, m->pose, vector->joint.parent, lanes->course.e);
    const vf3 velocity = vf3_flushed(vf3_scale_add(bone.length, lanes->course.rate, m->head_velocity));
    chain_store4(c->orientation, vector->stores, q.world, at, n);
    chain_store3(c->velocity, vector->stores, velocity, at, n);
    chain_hand_on(&vector->joint, bone, q.world);
    chain_store_outputs(c, vector->stores, vector->joint.head, q.in_parent, at, chain, n);
}

/* Bones that differ take long to load, and are kept between the stages. */
VF_INLINE chain_bone chain_bone_at(const chain_level *level, const chain_bone *bones, size_t v)
{
    return bones != NULL ? bones[v] : chain_bone_of_model(&level->model);
}

/* `bones` are those of the vectors, or NULL if all have the level's. */
VF_INLINE void chain_step_level(chain_call *call, const chain_level *level, chain_vector *vectors, size_t n,
                                chain_lanes *lanes, const chain_bone *bones)
{
    const chain_settings s = call->settings;
    CHAIN_EACH_VECTOR(level)
    {
        const chain_bone bone = chain_bone_at(level, bones, v);
        chain_load_motion(call, bone, &vectors[v].joint, &lanes[v], at, chain, n);
    }
    CHAIN_EACH_VECTOR(level)
    {
        lanes[v].target = chain_follow(s, lanes[v].pulls, lanes[v].motion.pose.rest, &lanes[v].course);
    }
    CHAIN_EACH_VECTOR(level)
    {
        lanes[v].matrix = chain_bone_matrix(s, chain_bone_at(level, bones, v), lanes[v].motion.w2);
        lanes[v].course = chain_chart(lanes[v].target.at, lanes[v].course);
    }
    CHAIN_EACH_VECTOR(level)
    {
        const chain_bone bone = chain_bone_at(level, bones, v);
        lanes[v].course = chain_move(bone, lanes[v].matrix, lanes[v].target, lanes[v].course);
    }
    CHAIN_EACH_VECTOR(level) { chain_stop(call, chain_bone_at(level, bones, v), &lanes[v], &vectors[v], at, chain, n); }
    CHAIN_EACH_VECTOR(level)
    {
        chain_store_motion(call, chain_bone_at(level, bones, v), &lanes[v], &vectors[v], at, chain, n);
    }
}

/* ---- Rest poses ---- */

/* A bone where it rests while its head has this velocity, and whether constraints keep it from there. */
VF_INLINE chain_direction chain_at_rest(const gyre_bone_chains *c, chain_bone bone, chain_pose pose, vf3 head,
                                        vf3 head_velocity, size_t chain, size_t n)
{
    const vf zero = vf_set1(0);
    const vf3 r = chain_rest_direction(bone, pose, chain_load_air(c, chain, n), head_velocity);
    const vf3 e = vf3_select(bone.is_rigid, pose.rest, r);
    const chain_direction d = {.e = e, .rate = {zero, zero, zero}, .target = e, .held = vm_none()};
    return chain_off_colliders(c, chain_tail_of(bone, head), chain_limited(bone, pose, d), chain, n);
}

VF_INLINE void chain_reset_level(chain_call *call, const chain_level *level, chain_vector *vectors, size_t n)
{
    const gyre_bone_chains *c = call->chains;
    CHAIN_EACH_VECTOR(level)
    {
        chain_joint *joint = &vectors[v].joint;
        const vm all = vectors[v].stores;
        const chain_bone bone = chain_load_bones(call, level, at, chain, n, all);
        const chain_pose pose = chain_pose_of(joint->parent, bone);
        const chain_joint root = chain_root(call, chain, n);
        const vf3 velocity = vf3_scale(vf_set1(call->settings.inverse_dt), vf3_sub(root.head, root.head_before));
        const chain_direction d = chain_at_rest(c, bone, pose, joint->head, velocity, chain, n);
        const chain_orientation q = chain_turn_bone(bone, pose, joint->parent, d.e);
        const vf invalid = vf_sub(q.world.w, q.world.w); /* 0 or NaN */
        chain_store4(c->orientation, all, q.world, at, n);
        chain_store3(c->velocity, all, vf3_flushed(vf3_add_scalar(velocity, invalid)), at, n);
        chain_hand_on(joint, bone, q.world);
        chain_store_outputs(c, all, joint->head, q.in_parent, at, chain, n);
    }
}

/* Chains that fall asleep: what is free goes to where it rests, from its parent's final pose, and the rest stays where
   no collider pushes it. Each parent moved by at most the rest angle. vector->stores become the chains in which
   something changed, and vector->rests lose those that are not free everywhere. With call->compares states stay as they
   are. */
VF_INLINE void chain_settle_level(chain_call *call, const chain_level *level, chain_vector *vectors, size_t n)
{
    const gyre_bone_chains *c = call->chains;
    const vf zero = vf_set1(0), turns = vf_set1((float)(level->index + 1));
    const vf chord2 = vf_mul(vf_set1(call->settings.rest_chord2), vf_mul(turns, turns));
    CHAIN_EACH_VECTOR(level)
    {
        const vm settles = vm_and(vectors[v].settles, vm_first(n));
        if (!vm_any(settles)) {
            continue;
        }
        chain_joint *joint = &vectors[v].joint;
        const chain_bone bone = chain_load_bones(call, level, at, chain, n, vm_none());
        const chain_pose pose = chain_pose_of(joint->parent, bone);
        const vf4 stored = vf4_load_n(c->orientation, at, n), old = chain_load_orientation(c, at, n);
        const vf3 e = quaternion_apply(old, bone.axis), none = {zero, zero, zero};
        const chain_direction d = chain_at_rest(c, bone, pose, joint->head, none, chain, n);
        const vf3 off = vf3_sub(e, d.e);
        const vm free = vm_and(vm_not(d.held), vf_le(vf3_dot(off, off), chord2));
        vf3 place = d.e;
        vm moves = free;
        if (!vm_all(free)) {
            const chain_direction stays = {.e = e, .rate = none, .target = d.target, .held = vm_none()};
            const chain_direction pushed = chain_off_colliders(c, chain_tail_of(bone, joint->head), stays, chain, n);
            const vf3 way = vf3_sub(pushed.e, e);
            moves = vm_or(free, vf_lt(vf_set1(CHAIN_TOUCH * CHAIN_TOUCH), vf3_dot(way, way)));
            place = vf3_select(free, d.e, vf3_select(moves, pushed.e, e));
        }
        const chain_orientation q = chain_turn_bone(bone, pose, joint->parent, place);
        const vf4 kept = vf4_select(moves, q.world, stored);
        vectors[v].stores = vm_or(vectors[v].stores, vm_and(settles, vm_not(chain_equal4(kept, stored))));
        vectors[v].rests = vm_and(vectors[v].rests, vm_or(free, vm_not(vm_first(n))));
        if (!call->compares) {
            chain_store4(c->orientation, settles, kept, at, n);
            chain_store3(c->velocity, settles, none, at, n);
        }
        chain_hand_on(joint, bone, vf4_select(moves, q.world, old));
        chain_store_outputs(c, settles, joint->head, q.in_parent, at, chain, n);
    }
}

/* ---- Outputs alone, of states that stay as they are ---- */

/* With the sign of b. */
VF_INLINE vf4 chain_with_sign_of(vf4 a, vf4 b)
{
    const vf dot = vf_mul_add(a.w, b.w, vf3_dot(a.v, b.v)), sign = vf_copysign(vf_set1(1), dot);
    return vf4_scale(sign, a);
}

VF_INLINE void chain_show_level(chain_call *call, const chain_level *level, chain_vector *vectors, size_t n)
{
    const gyre_bone_chains *c = call->chains;
    CHAIN_EACH_VECTOR(level)
    {
        chain_joint *joint = &vectors[v].joint;
        const chain_bone bone = chain_load_bones(call, level, at, chain, n, vectors[v].stores);
        const vf invalid = vf_sub(bone.length, bone.length); /* 0 or NaN */
        vf4 q = chain_load_orientation(c, at, n);
        q.w = vf_add(q.w, invalid);
        const vf4 local = quaternion_product(quaternion_conjugate(joint->parent), q);
        chain_hand_on(joint, bone, q);
        chain_store_outputs(c, vectors[v].stores, joint->head,
                            vf4_flushed_for_square(chain_with_sign_of(local, bone.rest)), at, chain, n);
    }
}

#endif
