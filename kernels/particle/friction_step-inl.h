/* The step of vectors under friction, a constant deceleration a against the velocity v:

       dv/dt = -a v / |v|        dx/dt = v        until v is 0, which it stays

   A step takes the part q = a dt / |v| of the speed, or all of it after the time |v| / a:

       q < 1    x <- x + (dt - q dt / 2) v        v <- (1 - q) v
       else     x <- x + |v| / (2 a) v            v <- 0 */
#ifndef GYRE_PARTICLE_FRICTION_STEP_H
#define GYRE_PARTICLE_FRICTION_STEP_H

#include "common/lengths-inl.h"

typedef struct friction_settings {
    vfd dt, half_dt;
    vfd lost;         /* a dt */
    vfd half_inverse; /* 1 / (2 a) */
} friction_settings;

/* x <- x + time v and v <- kept v. */
typedef struct friction_change {
    vfd time, kept;
} friction_change;

VF_INLINE friction_change friction_of(friction_settings s, vfd speed)
{
    const vfd one = vfd_set1(1), q = vfd_div(s.lost, speed);
    const vfd_mask stops = vfd_le(one, q);
    const vfd until_stop = vfd_mul(speed, s.half_inverse), whole_step = vfd_neg_mul_add(s.half_dt, q, s.dt);
    return (friction_change){vfd_select(stops, until_stop, whole_step), vfd_zero_where(stops, vfd_sub(one, q))};
}

VF_INLINE vf friction_position(friction_change c, vf x, vfd v)
{
    return vf_nearest(vfd_mul_add(c.time, v, vfd_from_vf(x)));
}

VF_INLINE vf friction_velocity(friction_change c, vfd v) { return vf_nearest(vfd_mul(c.kept, v)); }

#endif
