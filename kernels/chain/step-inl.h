/* The step of one bone, as functions of values (chain/README.md has the derivation). With the parent's orientation P
   and the head's place h at both ends of the step, before (0) and now (1), rest rotation s, axis ax from head to tail,
   length L, and per length all that pulls on the tail:

       a = P s ax      f = K a + (G + b (W - V)) / L      V = (h1 - h0) / dt
       r = f / |f|     w2 = (|f0| + |f1|) / 2             R turns r0 to r1, t is its angular velocity

   R takes the bone's direction e to where the target r1 stands still. There, in the chart y = 4 tan(angle / 4) about
   r1, the motion is linear (chain/matrix-inl.h). Then come limits and colliders (chain/constraints-inl.h), and the
   shortest turn from a1 to e gives the orientation. */
#ifndef GYRE_CHAIN_STEP_H
#define GYRE_CHAIN_STEP_H

#include "chain/constraints-inl.h"
#include "chain/matrix-inl.h"
#include "rotation/quaternion-inl.h"

/* Components below these become 0. No result shows it, and what is made of them, squares included, is not subnormal. */
#define CHAIN_LEAST_COMPONENT 0x1p-40f /* of unit quaternions and vectors */
#define CHAIN_LEAST_ANGLE 0x1p-50f     /* rad, of a bone from its target */
#define CHAIN_LEAST_RATE 0x1p-40f      /* rad/s */
#define CHAIN_LEAST_LENGTH 0x1p-60f    /* u: a bone below it is rigid */

/* A pull below this, in 1/s^2, has no direction. */
#define CHAIN_LEAST_PULL 0x1p-40f

/* From here up a pull, in 1/s^2, makes its bone NaN. */
#define CHAIN_MOST_PULL 0x1p60f

/* A bone of the palette (include/gyre/chain.h). The length of an invalid one is NaN, and so is all that follows. */
typedef struct chain_bone {
    vf4 rest;
    vf3 axis;                  /* a unit vector */
    vf length, inverse_length; /* the inverse of a rigid bone is 0 */
    vf radius, stiffness, damping, drag, load_damping, gravity;
    vf limit;  /* -cos of the greatest angle; 2: none */
    vf3 hinge; /* a unit vector across the axis; 0: none */
    vm is_rigid, is_hinged;
} chain_bone;

/* What a bone hangs on when the step begins and when it ends; heads are relative to the root's position now. */
typedef struct chain_joint {
    vf4 parent_before, parent;
    vf3 head_before, head;
} chain_joint;

/* Of a chain: u/s^2 and u/s. */
typedef struct chain_air {
    vf3 gravity, wind;
} chain_air;

/* What all chains of a call share. */
typedef struct chain_settings {
    float dt, inverse_dt; /* s; the inverse is at most 2^40, and 0 where no time passes */
    float rest_chord2;    /* |e - r|^2 of the rest angle */
    float rest_speed2;
} chain_settings;

/* ---- A bone of the palette ---- */

VF_INLINE vm is_finite_vf(vf a) { return vf_lt(vf_abs(a), vf_set1(INFINITY)); }
VF_INLINE vm is_finite_not_negative_vf(vf a) { return vm_and(vf_le(vf_set1(0), a), is_finite_vf(a)); }

/* Another length, which may be 0. */
VF_INLINE void chain_set_length(chain_bone *bone, vf length)
{
    const vf one = vf_set1(1);
    bone->length = length;
    bone->is_rigid = vf_lt(length, vf_set1(CHAIN_LEAST_LENGTH));
    bone->inverse_length = vf_zero_where(bone->is_rigid, vf_div(one, vf_select(bone->is_rigid, one, length)));
}

/* 1 / |a| where it is between 2^-60 and 2^60, else 0. */
VF_INLINE vf chain_inverse_size(vf3 a)
{
    const vf square = vf3_dot(a, a);
    const vm has = vm_and(vf_lt(vf_set1(0x1p-120f), square), vf_lt(square, vf_set1(0x1p120f)));
    return vf_zero_where(vm_not(has), vf_div(vf_set1(1), vf_sqrt(vf_select(has, square, vf_set1(1)))));
}

/* The part of the hinge across the axis, as a unit vector. What is along the axis within rounding is none. */
VF_INLINE vf3 chain_hinge_of(vf3 axis, vf3 hinge)
{
    const vf most = vf3_max_abs(hinge);
    const vm has = vf_lt(vf_set1(0x1p-120f), most);
    const vf3 of_size_1 =
        vf3_scale(vf_zero_where(vm_not(has), vf_div(vf_set1(1), vf_select(has, most, vf_set1(1)))), hinge);
    const vf3 across = chain_across(axis, of_size_1);
    const vm is_along = vf_lt(vf3_dot(across, across), vf_set1(0x1p-40f));
    return vf3_scale(vf_zero_where(is_along, chain_inverse_size(across)), across);
}

VF_INLINE vf chain_limit_of(vf angle)
{
    const vm has = vm_and(vf_lt(vf_set1(0), angle), vf_lt(angle, vf_set1(0x1.921fb6p+1f)));
    if (!vm_any(has)) {
        return vf_set1(2);
    }
    return vf_select(has, vf_neg(vf_cos(vf_select(has, angle, vf_set1(0)))), vf_set1(2));
}

/* From the numbers of a gyre_bone, in their order. */
VF_INLINE chain_bone chain_bone_of(const vf number[20])
{
    const vf3 tail = {number[4], number[5], number[6]}, hinge = {number[14], number[15], number[16]};
    chain_bone bone = {
        .rest = quaternion_of_length_1((vf4){{number[0], number[1], number[2]}, number[3]}),
        .radius = number[7],
        .stiffness = number[8],
        .damping = number[9],
        .drag = number[10],
        .load_damping = number[11],
        .gravity = number[12],
    };
    const vf3 large = vf3_zero_below(CHAIN_LEAST_LENGTH, tail);
    chain_set_length(&bone, vf_sqrt(vf3_dot(large, large)));
    const vf3 x = {vf_set1(1), vf_set1(0), vf_set1(0)};
    bone.axis =
        vf3_select(bone.is_rigid, x, vf3_zero_below(CHAIN_LEAST_COMPONENT, vf3_scale(bone.inverse_length, large)));
    bone.limit = chain_limit_of(number[13]);
    bone.hinge = chain_hinge_of(bone.axis, hinge);
    bone.is_hinged = vf_lt(vf_set1(0.5f), vf3_dot(bone.hinge, bone.hinge));
    vm valid = vm_and(vf_lt(bone.length, vf_set1(0x1p60f)), is_finite_vf(vf3_sum(vf3_abs(hinge))));
#pragma GCC unroll 7
    for (int k = 7; k < 14; k++) {
        valid = vm_and(valid, k == 12 ? is_finite_vf(number[k]) : is_finite_not_negative_vf(number[k]));
    }
    valid = vm_and(valid, vf_le(bone.drag, bone.damping));
    chain_set_length(&bone, vf_select(valid, bone.length, vf_set1(NAN)));
    return bone;
}

/* Lengths times a chain's scale; a scale below 0 or NaN is invalid. */
VF_INLINE void chain_scale_bone(chain_bone *bone, vf scale)
{
    const vf valid = vf_select(is_finite_not_negative_vf(scale), scale, vf_set1(NAN));
    bone->radius = vf_mul(valid, bone->radius);
    chain_set_length(bone, vf_mul(valid, bone->length));
}

/* ---- Where a bone would rest ---- */

/* P s. Chains are long, and so its length is corrected. */
VF_INLINE vf4 chain_base(vf4 parent, chain_bone bone)
{
    const vf4 base = quaternion_product(parent, bone.rest);
    const vf short_of_1 = vf_neg_mul_add(vf_set1(0.5f), vf4_square(base), vf_set1(0.5f));
    return vf4_scale_add(short_of_1, base, base);
}

/* What pulls on the tail besides stiffness, per length: (G + b (W - V)) / L. */
VF_INLINE vf3 chain_load(chain_bone bone, chain_air air, vf3 head_velocity)
{
    const vf3 wind = vf3_sub(air.wind, head_velocity);
    const vf3 load = vf3_scale_add(bone.gravity, air.gravity, vf3_scale(bone.drag, wind));
    return vf3_scale(bone.inverse_length, load);
}

/* f = K a + load, as its part along a and the rest. Without load the size is K and the direction a, bit for bit. */
typedef struct chain_pull {
    vf along, size;
    vf3 across;
} chain_pull;

VF_INLINE chain_pull chain_pull_of(chain_bone bone, vf3 a, vf3 load)
{
    const vf along = vf3_dot(a, load), sum = vf_add(bone.stiffness, along);
    const vf3 across = vf3_neg_scale_add(along, a, load);
    const vf size = vf_sqrt(vf_mul_add(sum, sum, vf3_dot(across, across)));
    return (chain_pull){sum, vf_select(vf_lt(size, vf_set1(CHAIN_MOST_PULL)), size, vf_set1(NAN)), across};
}

/* f / |f|; a where the inverse is 0. */
VF_INLINE vf3 chain_pull_direction(chain_pull f, vf3 a, vf inverse_size)
{
    return vf3_scale_add(inverse_size, vf3_scale_add(vf_sub(f.along, f.size), a, f.across), a);
}

/* A bone in its parent's pose: P s and a. */
typedef struct chain_pose {
    vf4 base;
    vf3 rest;
} chain_pose;

VF_INLINE chain_pose chain_pose_of(vf4 parent, chain_bone bone)
{
    chain_pose pose = {.base = chain_base(parent, bone)};
    pose.rest = quaternion_apply(pose.base, bone.axis);
    return pose;
}

/* Without the part along the hinge. */
VF_INLINE vf3 chain_load_on_hinge(chain_bone bone, chain_pose pose, vf3 load)
{
    if (!vm_any(bone.is_hinged)) {
        return load;
    }
    return vf3_select(bone.is_hinged, chain_across(quaternion_apply(pose.base, bone.hinge), load), load);
}

/* Where a bone rests while its head moves at a constant velocity. */
VF_INLINE vf3 chain_rest_direction(chain_bone bone, chain_pose pose, chain_air air, vf3 head_velocity)
{
    const vf3 load = chain_load_on_hinge(bone, pose, chain_load(bone, air, head_velocity));
    const chain_pull f = chain_pull_of(bone, pose.rest, load);
    const vm pulls = vf_le(vf_set1(CHAIN_LEAST_PULL), f.size);
    const vf inverse = vf_div(vf_set1(1), vf_select(pulls, f.size, vf_add(f.size, vf_set1(1))));
    return chain_pull_direction(f, pose.rest, vf_select(pulls, inverse, vf_sub(f.size, f.size)));
}

/* ---- The step's stages ---- */

/* Its direction and rate of change, e and e', or in the chart y and y'. */
typedef struct chain_course {
    vf3 e, rate;
} chain_course;

/* A bone within its step, besides its course. */
typedef struct chain_motion {
    chain_pose pose; /* now */
    vf3 head_velocity;
    vf w2;
} chain_motion;

/* r1 and t. */
typedef struct chain_target {
    vf3 at, turning;
} chain_target;

/* The turn R from r0 to r1, r1 - r0 = d: R x = x + n x x + n x (n x x) / (1 + k), n = r0 x d, k = 1 - d^2 / 2. Nothing
   cancels, and without d it is none. A target that flipped is taken as it is. */
typedef struct chain_turn {
    vf3 n, velocity;
    vf inverse; /* 1 / (1 + k) */
} chain_turn;

VF_INLINE chain_turn chain_turn_of(chain_settings s, vf3 before, vf3 now)
{
    const vf one = vf_set1(1);
    const vf3 d = vf3_sub(now, before);
    const vf y = vf_mul(vf_set1(0.5f), vf3_dot(d, d));
    const vm flips = vf_lt(vf_set1(1.99f), y);
    const vf3 any = vf3_cross(before, d);
    const vf3 n = {vf_zero_where(flips, any.x), vf_zero_where(flips, any.y), vf_zero_where(flips, any.z)};
    vf ratio = vf_angle_over_sine(vf_min(one, y)); /* angle / sine */
    const vm obtuse = vf_lt(one, y);
    if (vm_any(obtuse)) { /* by half the angle, whose cosine is this */
        const vf cosine = vf_sqrt(vf_neg_mul_add(vf_set1(0.5f), vf_min(vf_set1(1.99f), y), one));
        ratio = vf_select(obtuse, vf_div(vf_angle_over_sine(vf_sub(one, cosine)), cosine), ratio);
    }
    return (chain_turn){n, vf3_scale(vf_mul(ratio, vf_set1(s.inverse_dt)), n),
                        vf_div(one, vf_sub(vf_set1(2), vf_min(vf_set1(1.99f), y)))};
}

VF_INLINE vf3 chain_turned(chain_turn turn, vf3 x)
{
    const vf3 once = vf3_cross(turn.n, x);
    return vf3_add(x, vf3_scale_add(turn.inverse, vf3_cross(turn.n, once), once));
}

/* e' of a tail with this velocity, 1/s. */
VF_INLINE vf3 chain_rate_of(chain_bone bone, vf3 e, vf3 velocity, vf3 head_velocity)
{
    return chain_across(e, vf3_scale(bone.inverse_length, vf3_sub(velocity, head_velocity)));
}

/* What pulls when the step begins and when it ends. */
typedef struct chain_pulls {
    vf3 rest_before;
    chain_pull before, now;
} chain_pulls;

/* Stage 1: the pulls at both ends, and e', of a bone in the direction course->e. */
VF_INLINE chain_pulls chain_begin(chain_settings s, chain_bone bone, chain_joint joint, chain_air air, vf3 velocity,
                                  chain_motion *m, chain_course *course)
{
    const chain_pose before = chain_pose_of(joint.parent_before, bone), now = chain_pose_of(joint.parent, bone);
    const vf3 head_velocity = vf3_scale(vf_set1(s.inverse_dt), vf3_sub(joint.head, joint.head_before));
    const vf3 load = chain_load(bone, air, head_velocity);
    const vf3 load0 = chain_load_on_hinge(bone, before, load), load1 = chain_load_on_hinge(bone, now, load);
    const chain_pull f0 = chain_pull_of(bone, before.rest, load0), f1 = chain_pull_of(bone, now.rest, load1);
    m->pose = now;
    m->head_velocity = head_velocity;
    m->w2 = vf_mul(vf_set1(0.5f), vf_add(f0.size, f1.size));
    course->rate = chain_rate_of(bone, course->e, velocity, head_velocity);
    return (chain_pulls){before.rest, f0, f1};
}

/* Stage 2: the target of a bone that rests in this direction now, and the state where it stands still. */
VF_INLINE chain_target chain_follow(chain_settings s, chain_pulls f, vf3 rest, chain_course *course)
{
    /* both inverses by one division; 0 where nothing pulls */
    const vf least = vf_set1(CHAIN_LEAST_PULL), size0 = f.before.size, size1 = f.now.size;
    const vf safe0 = vf_max(least, size0), safe1 = vf_max(least, size1);
    const vf product = vf_div(vf_set1(1), vf_mul(safe0, safe1));
    const vf inverse0 = vf_zero_where(vf_lt(size0, least), vf_mul(product, safe1));
    const vf inverse1 = vf_zero_where(vf_lt(size1, least), vf_mul(product, safe0));
    const vf3 r0 = chain_pull_direction(f.before, f.rest_before, inverse0);
    const vf3 r1 = chain_pull_direction(f.now, rest, inverse1);
    const chain_turn turn = chain_turn_of(s, r0, r1);
    const vf3 e = course->e, rate = vf3_sub(course->rate, vf3_cross(turn.velocity, e));
    *course = (chain_course){chain_turned(turn, e), chain_turned(turn, rate)};
    return (chain_target){r1, turn.velocity};
}

/* Stage 3: the chart about r. With S = |e + r|, g = S / 2 and u the part of e - r across r:

       y = 4 u / (S (1 + g))      y' = 4 (e'_across - u (r.e') (1/S + 1/(2 (1 + g))) / S) / (S (1 + g))

   Opposite to r the bone goes on the way it turns; without speed any way is as good. */
VF_INLINE chain_course chain_chart(vf3 r, chain_course at)
{
    const vf one = vf_set1(1), one_half = vf_set1(0.5f), four = vf_set1(4);
    const vf3 sum = vf3_add(at.e, r);
    const vf square = vf3_dot(sum, sum), size = vf_sqrt(square), g1 = vf_mul_add(one_half, size, one);
    const vf inverse = vf_div(one, vf_mul(size, g1)), of_size = vf_mul(inverse, g1), of_g1 = vf_mul(inverse, size);
    const vf3 u = chain_across(r, vf3_sub(at.e, r));
    const vf along = vf3_dot(r, at.rate), scale = vf_mul(four, inverse);
    const vf3 across = vf3_neg_scale_add(along, r, at.rate);
    const vf bend = vf_mul(vf_mul(along, of_size), vf_mul_add(one_half, of_g1, of_size));
    vf3 y = vf3_scale(scale, u), rate = vf3_scale(scale, vf3_neg_scale_add(bend, u, across));
    const vm opposite = vf_lt(square, vf_set1(0x1p-20f));
    if (vm_any(opposite)) {
        const vf speed2 = vf3_dot(across, across);
        const vm turns = vf_lt(vf_set1(0x1p-60f), speed2);
        const vf3 way = vf3_select(turns, vf3_scale(vf_div(one, vf_sqrt(speed2)), across), chain_any_across(r));
        y = vf3_select(opposite, vf3_scale(four, way), y);
        rate = vf3_select(opposite, vf3_scale(vf_set1(-2), across), rate);
    }
    return (chain_course){y, rate};
}

/* Stage 3 too: the matrix, with the damping that the load adds. */
VF_INLINE chain_matrix chain_bone_matrix(chain_settings s, chain_bone bone, vf w2)
{
    const vf damping = vf_mul_add(bone.load_damping, vf_sub(w2, bone.stiffness), bone.damping);
    return chain_matrix_of(w2, vf_max(vf_set1(0), damping), vf_set1(s.dt));
}

/* Stage 4: the motion in the chart, and back, with Q = y^2 / 16, c = 1 / (1 + Q) and g = 2 c - 1:

       e = r + (g c y - 8 Q c^2 r)      e' = g c y' - c^2 (y.y' / 8) (8 g r + (2 c + g) y) + t x e */
VF_INLINE chain_course chain_move(chain_bone bone, chain_matrix x, chain_target target, chain_course at)
{
    const vf one = vf_set1(1);
    const vf3 r = target.at, turning = target.turning;
    const vf3 air = vf3_scale(vf_neg(bone.drag), vf3_cross(turning, r)); /* on a turning target */
    const vf3 moved = vf3_scale_add(x.pp, at.e, vf3_scale_add(x.pv, at.rate, vf3_scale(x.ramp, air)));
    const vf3 changed = vf3_scale_add(x.vp, at.e, vf3_scale_add(x.vv, at.rate, vf3_scale(x.pv, air)));
    const vf3 y = vf3_zero_below(CHAIN_LEAST_ANGLE, moved), rate = vf3_zero_below(CHAIN_LEAST_RATE, changed);
    const vf q = vf_mul(vf_set1(0x1p-4f), vf3_dot(y, y)), c = vf_div(one, vf_add(one, q));
    const vf g = vf_mul(c, vf_sub(one, q)), gc = vf_mul(g, c), c2 = vf_mul(c, c);
    const vf down = vf_mul(vf_set1(8), vf_mul(q, c2)), fall = vf_mul(c2, vf_mul(vf_set1(0.125f), vf3_dot(y, rate)));
    const vf3 bend = vf3_scale_add(vf_mul(vf_set1(8), g), r, vf3_scale(vf_add(vf_add(c, c), g), y));
    const vf3 e = vf3_add(r, vf3_neg_scale_add(down, r, vf3_scale(gc, y)));
    return (chain_course){e, vf3_neg_scale_add(fall, bend, vf3_scale_add(gc, rate, vf3_cross(turning, e)))};
}

/* Stage 5: what may stop the bone. A rigid one stays in its rest direction. */
VF_INLINE chain_direction chain_direction_of(chain_bone bone, vf3 rest, vf3 target, chain_course at)
{
    chain_direction d = {.e = at.e, .rate = at.rate, .target = target, .held = vm_none()};
    if (vm_any(bone.is_rigid)) {
        const vf3 nothing = vf3_sub(rest, rest); /* 0, or NaN */
        d.e = vf3_select(bone.is_rigid, rest, d.e);
        d.rate = vf3_select(bone.is_rigid, nothing, d.rate);
    }
    return d;
}

VF_INLINE chain_tail chain_tail_of(chain_bone bone, vf3 head)
{
    return (chain_tail){head, bone.length, bone.radius, vm_not(bone.is_rigid)};
}

/* Hinge and limit; colliders come after them. */
VF_INLINE chain_direction chain_limited(chain_bone bone, chain_pose pose, chain_direction d)
{
    const vm hinged = vm_and(bone.is_hinged, vm_not(bone.is_rigid));
    if (vm_any(hinged)) {
        d = chain_on_hinge(hinged, quaternion_apply(pose.base, bone.hinge), pose.rest, d);
    }
    return chain_within_limit(pose.rest, vf_select(bone.is_rigid, vf_set1(2), bone.limit), d);
}

/* In the world and in the parent's frame. */
typedef struct chain_orientation {
    vf4 world, in_parent;
} chain_orientation;

/* Stage 6: the orientation is that of the rest direction, P s, after the shortest turn from a to e. With d = e - a,
   S = |a + e| it is P s + ((a x d) / S, -(d^2 / 4) / (1 + S / 2)) P s: one at rest keeps its bits. Half a turn is about
   an axis across a. */
VF_INLINE chain_orientation chain_turn_bone(chain_bone bone, chain_pose pose, vf4 parent, vf3 e)
{
    const vf one = vf_set1(1), one_half = vf_set1(0.5f);
    const vf3 a = pose.rest, sum = vf3_add(a, e), d = vf3_sub(e, a);
    const vf square = vf3_dot(sum, sum), size = vf_sqrt(square), s1 = vf_mul_add(one_half, size, one);
    const vf inverse = vf_div(one, vf_mul(size, s1)), quarter = vf_mul(vf_set1(0.25f), vf3_dot(d, d));
    vf3 v = vf3_scale(vf_mul(inverse, s1), vf3_cross(a, d));
    vf w_minus_1 = vf_neg(vf_mul(vf_mul(inverse, size), quarter));
    const vm far = vf_lt(square, vf_set1(0x1p-4f));
    if (vm_any(far)) { /* rounding shows in S: (a x d, S^2 / 2) with its own length */
        const vf3 n = vf3_cross(a, d);
        const vf w = vf_mul(one_half, square), scale = vf_div(one, vf_sqrt(vf_mul_add(w, w, vf3_dot(n, n))));
        const vm opposite = vf_lt(square, vf_set1(0x1p-20f));
        v = vf3_select(far, vf3_select(opposite, chain_any_across(a), vf3_scale(scale, n)), v);
        const vf w_of_far = vf_zero_where(opposite, vf_mul(scale, w));
        w_minus_1 = vf_select(far, vf_sub(w_of_far, one), w_minus_1);
    }
    const vf4 turn = quaternion_product((vf4){v, w_minus_1}, pose.base);
    return (chain_orientation){
        .world = vf4_flushed_for_square(vf4_add(pose.base, turn)),
        .in_parent = vf4_flushed(vf4_add(bone.rest, quaternion_product(quaternion_conjugate(parent), turn))),
    };
}

#endif
