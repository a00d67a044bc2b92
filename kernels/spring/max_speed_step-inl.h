/* Targets that give springs a greatest speed V, as vectors. The law is that of a spring whose pull is limited:

       x'' = w^2 d - 2 z w x'        d = target - x, shortened to at most D = 2 z V / w

   While d is shortened, x moves as a particle with the damping 2 z w and the terminal speed V. After any time h:

       x(h) = x + V (h - m) d / |d| + m v        m = (1 - e^(-2 z w h)) / (2 z w)

   So a spring without limits, whose target moves at constant velocity from x + d to x(h) + d(h), moves like this and is
   never faster than V. Within D of its target a spring moves as without a limit. */
#ifndef GYRE_SPRING_MAX_SPEED_STEP_H
#define GYRE_SPRING_MAX_SPEED_STEP_H

#include "common/lengths-inl.h"

typedef struct speed_limit {
    vfd longest; /* D */
    vfd speed;   /* V */
    vfd reach;   /* V h, how far a target within D may move */
    vfd coast;   /* m, how far a damped velocity of 1 goes */
    vfd driven;  /* h - m, how far the pull moves the spring, for a V of 1 */
} speed_limit;

typedef struct pursuit {
    vfd position[4], velocity[4], target_before[4], target[4];
} pursuit;

/* The targets to use before and after the step. */
typedef struct limited_targets {
    vfd before[4], after[4];
    vm near, arrives; /* where these are the targets themselves */
} limited_targets;

VF_INLINE limited_targets limited_targets_of(speed_limit s, size_t components, pursuit p)
{
    limited_targets limited;
    vfd d[4], left[4], start[4];
    for (size_t c = 0; c < components; c++) {
        d[c] = vfd_sub(p.target_before[c], p.position[c]);
    }
    const vfd distance = vfd_length(d, components);
    const vfd_mask near = vfd_le(distance, s.longest);
    const vfd part = vfd_div(s.longest, distance), speed_over_distance = vfd_div(s.speed, distance);
    for (size_t c = 0; c < components; c++) {
        const vfd x = p.position[c], driven = vfd_mul(vfd_mul(speed_over_distance, d[c]), s.driven);
        const vfd end = vfd_add(x, vfd_mul_add(p.velocity[c], s.coast, driven));
        limited.before[c] = vfd_mul_add(part, d[c], x);
        start[c] = vfd_select(near, p.target_before[c], end);
        left[c] = vfd_sub(p.target[c], start[c]);
    }
    const vfd length = vfd_length(left, components), longest = vfd_select(near, s.reach, s.longest);
    const vfd passes =
        vfd_select(near, vfd_set1(1), vfd_dot(left, d, components)); /* <= 0: x(h) is behind the target */
    const vfd_mask arrives = vfd_mask_or(vfd_le(length, longest), vfd_le(passes, vfd_set1(0)));
    const vfd part_left = vfd_div(longest, length);
    for (size_t c = 0; c < components; c++) {
        limited.after[c] = vfd_mul_add(part_left, left[c], start[c]);
    }
    limited.near = vfd_mask_to_vm(near);
    limited.arrives = vfd_mask_to_vm(arrives);
    return limited;
}

#endif
