/* Limits and colliders of a bone, as functions of values. Each keeps its direction e out of a cone about g:

       e . g <= C,      by      e <- C g + S m,      S = sqrt(1 - C^2),      m the unit vector of e - g (e . g)

   which is exact at once, changes nothing where it is done already, and takes the rate of change's part into the cone,
   along u = S g - C m, so that no speed is raised. With L the bone's length, D the distance of the centre from its head
   and rho the distance that its tail has to keep, a sphere in the direction g is the cone of the law of cosines:

       C = (L^2 + D^2 - rho^2) / (2 L D)      the tail is outside
       -g, -C                                 the tail is inside

   A plane with normal n is the cone about -n with C = (distance of the head - hit radius) / L, and a capsule is the
   sphere about the point of its axis that is nearest to the tail. chain/README.md has more. */
#ifndef GYRE_CHAIN_CONSTRAINTS_H
#define GYRE_CHAIN_CONSTRAINTS_H

#include "simd/vf3-inl.h"

/* Where a bone points: a unit vector and its rate of change across it, in 1/s. `target` is where it would rest, and
   `held` whether a constraint acts on it or keeps it from there. */
typedef struct chain_direction {
    vf3 e, rate, target;
    vm held;
} chain_direction;

/* How near its constraint a bone is held by it, as a cosine: above the rounding of a bone that lies on it. */
#define CHAIN_TOUCH 0x1p-16f

/* A unit vector across the unit vector g, always the same one. */
VF_INLINE vf3 chain_any_across(vf3 g)
{
    const vf zero = vf_set1(0);
    const vm is_along_x = vf_lt(vf_set1(0.6f), vf_abs(g.x));
    const vf3 across = {vf_select(is_along_x, vf_neg(g.z), zero), vf_select(is_along_x, zero, vf_neg(g.z)),
                        vf_select(is_along_x, g.x, g.y)};
    return vf3_scale(vf_div(vf_set1(1), vf_sqrt(vf3_dot(across, across))), across);
}

/* a without its part along the unit vector g. */
VF_INLINE vf3 chain_across(vf3 g, vf3 a) { return vf3_neg_scale_add(vf3_dot(g, a), g, a); }

/* A cone where `touches`, and where `inside` the bone is in it for sure. */
typedef struct chain_cone {
    vm touches, inside;
    vf3 g;
    vf c; /* 1 and more never act, and what is below -1 is -1 */
} chain_cone;

VF_INLINE chain_direction chain_out_of_cone(chain_cone cone, chain_direction d)
{
    const vf one = vf_set1(1), c = vf_max(vf_neg(one), cone.c), along = vf3_dot(d.e, cone.g);
    const vm pushed = vm_and(cone.inside, vf_lt(c, along));
    const vm lies = vm_and(cone.touches, vf_lt(vf_sub(c, vf_set1(CHAIN_TOUCH)), along));
    const vm kept = vm_and(lies, vf_lt(c, vf3_dot(d.target, cone.g)));
    d.held = vm_or(d.held, vm_or(pushed, kept));
    if (!vm_any(pushed)) {
        return d;
    }
    const vf3 p = vf3_neg_scale_add(along, cone.g, d.e);
    const vf square = vf3_dot(p, p), s = vf_sqrt(vf_max(vf_set1(0), vf_mul(vf_sub(one, c), vf_add(one, c))));
    const vm is_along = vf_lt(square, vf_set1(0x1p-40f));
    const vf3 m = vf3_select(is_along, chain_any_across(cone.g), vf3_scale(vf_div(one, vf_sqrt(square)), p));
    const vf3 e = vf3_scale_add(c, cone.g, vf3_scale(s, m)), u = vf3_neg_scale_add(c, m, vf3_scale(s, cone.g));
    const vf3 rate = chain_across(e, d.rate);
    const vf into = vf_max(vf_set1(0), vf3_dot(rate, u));
    d.e = vf3_select(pushed, e, d.e);
    d.rate = vf3_select(pushed, vf3_neg_scale_add(into, u, rate), d.rate);
    return d;
}

/* ---- Limits ---- */

/* At most an angle from the rest direction a; `limit` is -cos of it. */
VF_INLINE chain_direction chain_within_limit(vf3 a, vf limit, chain_direction d)
{
    const vm all = vf_lt(limit, vf_set1(1));
    return vm_any(all) ? chain_out_of_cone((chain_cone){all, all, vf3_neg(a), limit}, d) : d;
}

/* Across the unit vector x of a hinge. What is across it within rounding keeps its bits, and what
   points along it gets the rest direction a. */
VF_INLINE chain_direction chain_on_hinge(vm hinged, vf3 x, vf3 a, chain_direction d)
{
    const vf along = vf3_dot(x, d.e);
    const vm is_on = vf_lt(vf_abs(along), vf_set1(0x1p-21f));
    const vf3 p = vf3_neg_scale_add(along, x, d.e);
    const vf square = vf3_dot(p, p);
    const vm is_along = vf_lt(square, vf_set1(0x1p-40f));
    const vf3 e = vf3_select(is_along, a, vf3_scale(vf_div(vf_set1(1), vf_sqrt(square)), p));
    d.e = vf3_select(vm_and(hinged, vm_not(is_on)), e, d.e);
    d.rate = vf3_select(hinged, chain_across(d.e, chain_across(x, d.rate)), d.rate);
    return d;
}

/* ---- Colliders ---- */

/* A bone for colliders: its head and theirs are measured from the same place. */
typedef struct chain_tail {
    vf3 head;
    vf length, radius;
    vm moves; /* it is not rigid */
} chain_tail;

/* A collider of each chain. `end` is the second end of a capsule or the normal of a plane. */
typedef struct chain_obstacle {
    vf3 position, end;
    vf radius;
} chain_obstacle;

/* A sphere with the radius of the obstacle. Where the tail is comes first, without a root; a bone far away is not
   looked at again. */
VF_INLINE chain_direction chain_off_sphere(bool inside, vf3 centre, vf radius, chain_tail tail, chain_direction d)
{
    const vf zero = vf_set1(0), touch = vf_mul(vf_set1(CHAIN_TOUCH), tail.length);
    const vf3 away = vf3_sub(centre, tail.head), to_tail = vf3_neg_scale_add(tail.length, d.e, away);
    const vf square = vf3_dot(to_tail, to_tail), distance2 = vf3_dot(away, away);
    const vf rho = inside ? vf_max(zero, vf_sub(radius, tail.radius)) : vf_add(radius, tail.radius);
    const vf near = inside ? vf_max(zero, vf_sub(rho, touch)) : vf_add(rho, touch), rho2 = vf_mul(rho, rho),
             near2 = vf_mul(near, near);
    const vm is_there = vm_and(vm_and(vf_le(zero, radius), vf_lt(radius, vf_set1(0x1p60f))),
                               vm_and(vf_le(vf_set1(0x1p-40f), distance2), tail.moves));
    const vm touches = vm_and(is_there, inside ? vf_lt(near2, square) : vf_lt(square, near2));
    if (!vm_any(touches)) {
        return d;
    }
    const vf distance = vf_sqrt(distance2), twice = vf_add(tail.length, tail.length);
    const vf inverse = vf_div(vf_set1(1), vf_mul(twice, distance));
    const vf3 g = vf3_scale(vf_mul(inverse, twice), away);
    const vf c = vf_mul(inverse, vf_sub(vf_mul_add(tail.length, tail.length, distance2), rho2));
    const vm is_inside = vm_and(touches, inside ? vf_lt(rho2, square) : vf_lt(square, rho2));
    const chain_cone cone = {touches, is_inside, inside ? vf3_neg(g) : g, inside ? vf_neg(c) : c};
    return chain_out_of_cone(cone, d);
}

/* A capsule without length is a sphere. */
VF_INLINE chain_direction chain_off_capsule(bool inside, chain_obstacle o, chain_tail tail, chain_direction d)
{
    const vf3 axis = vf3_sub(o.end, o.position);
    const vf3 at = vf3_sub(vf3_scale_add(tail.length, d.e, tail.head), o.position);
    const vf part = vf_div(vf3_dot(at, axis), vf_max(vf_set1(0x1p-60f), vf3_dot(axis, axis)));
    const vf3 nearest = vf3_scale_add(vf_clamp(part, vf_set1(0), vf_set1(1)), axis, o.position);
    return chain_off_sphere(inside, nearest, o.radius, tail, d);
}

VF_INLINE chain_direction chain_off_plane(chain_obstacle o, chain_tail tail, chain_direction d)
{
    const vf height = vf_sub(vf3_dot(o.end, vf3_sub(tail.head, o.position)), tail.radius);
    const vf of_tail = vf_mul_add(tail.length, vf3_dot(o.end, d.e), height);
    const vf touch = vf_mul(vf_set1(CHAIN_TOUCH), tail.length);
    const vm is_there = vm_and(vf_lt(vf_abs(height), vf_set1(0x1p60f)), tail.moves);
    const vm touches = vm_and(is_there, vf_lt(of_tail, touch));
    if (!vm_any(touches)) {
        return d;
    }
    const chain_cone cone = {touches, vm_and(touches, vf_lt(of_tail, vf_set1(0))), vf3_neg(o.end),
                             vf_div(height, tail.length)};
    return chain_out_of_cone(cone, d);
}

#endif
