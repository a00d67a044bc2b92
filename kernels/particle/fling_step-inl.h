/* The step of flings, over a number type: floats, or doubles for flings with low parts. Damping inside the edges, a
   spring to the edge outside them:

       inside     x <- x + pos_vel v                               v <- vel_vel v
       outside    x <- edge + pos_pos (x - edge) + pos_vel v       v <- vel_pos (x - edge) + vel_vel v

   Flings that meet an edge within the step are stepped again, one by one (particle/fling_after.h). Included by
   particle/fling_forms-inl.h. */
#ifndef REAL
#error "define REAL as the number type: f for floats, fd for doubles"
#endif

#define fling_settings REAL_NAMED(fling_settings)
#define fling_input REAL_NAMED(fling_input)
#define fling_state REAL_NAMED(fling_state)
#define fling_move REAL_NAMED(fling_move)
#define fling_move_freely REAL_NAMED(fling_move_freely)
#define fling_move_over_edges REAL_NAMED(fling_move_over_edges)
#define fling_is_slow REAL_NAMED(fling_is_slow)
#define fling_is_lost REAL_NAMED(fling_is_lost)
#define fling_aims REAL_NAMED(fling_aims)
#define fling_arrives REAL_NAMED(fling_arrives)
#define fling_advance REAL_NAMED(fling_advance)
#define fling_is_unsettled REAL_NAMED(fling_is_unsettled)

/* What all flings of a call share, in addition to their motion. */
typedef struct fling_settings {
    real pos_pos, pos_vel, vel_pos, vel_vel; /* of the spring */
    real damped_pos_vel, damped_vel_vel;
    bool all_return; /* the spring brings every fling outside back to its edge within the step */
    real rest_distance, rest_speed;
    real lost_outside, lost_inside; /* ulps of a position: (1 + z) / (w dt), 1 / (damping dt) */
    real inverse_damping;
} fling_settings;

/* Missing edges and places are NaN, for which no comparison is true. lower <= upper. */
typedef struct fling_input {
    real position, velocity, lower, upper, rest_at;
    vm awake; /* false: the fling is skipped */
} fling_input;

typedef struct fling_state {
    real position, velocity;
    vm keeps; /* flings that keep their bits in memory */
} fling_state;

typedef struct fling_move {
    real position, velocity;
    vm outside, meets; /* flings that start outside the edges, and those that meet one */
} fling_move;

/* The step as if no fling met an edge. */
VF_INLINE fling_move fling_move_freely(fling_settings s, fling_input in)
{
    const real zero = real_set1(0), v = in.velocity;
    const real_mask above = real_lt(in.upper, in.position), below = real_lt(in.position, in.lower);
    const vm outside = real_to_vm(real_or(above, below));
    fling_move next = {
        .position = real_add(in.position, real_flushed(real_mul(s.damped_pos_vel, v))),
        .velocity = real_flushed(real_mul(s.damped_vel_vel, v)),
        .outside = outside,
    };
    const real_mask leave_up = real_and(real_lt(zero, v), real_le(in.upper, next.position));
    const real_mask leave_down = real_and(real_lt(v, zero), real_le(next.position, in.lower));
    next.meets = real_to_vm(real_or(leave_up, leave_down));
    if (vm_any(outside)) {
        const real edge = real_select(above, in.upper, in.lower), x = real_sub(in.position, edge);
        const real new_x = real_flushed(real_mul_add(s.pos_pos, x, real_mul(s.pos_vel, v)));
        const real new_v = real_flushed(real_mul_add(s.vel_pos, x, real_mul(s.vel_vel, v)));
        const real_mask is_outside = real_or(above, below);
        next.velocity = real_select(is_outside, new_v, next.velocity);
        next.position = real_select(is_outside, real_add(edge, new_x), next.position);
        /* 0 counts too: a fling that crossed the edge may have decayed to a displacement of 0 */
        const vm back =
            real_to_vm(real_or(real_and(above, real_le(new_x, zero)), real_and(below, real_le(zero, new_x))));
        next.meets = vm_or(vm_and(next.meets, vm_not(outside)), s.all_return ? outside : back);
    }
    return next;
}

/* Steps the flings that meet an edge again, one by one. Its arguments are vectors: a struct would have to be in memory
   even where no fling meets an edge. */
VF_RARE fling_move fling_move_over_edges(fling_motion motion, real position, real velocity, real lower, real upper,
                                         real new_position, real new_velocity, vm meets)
{
    for (vm_lanes left = vm_to_lanes(meets); vm_has_lane(left); left = vm_without_first(left)) {
        const int k = vm_first_lane(left);
        const single_fling start = {real_lane(&position, k), real_lane(&velocity, k), real_lane(&lower, k),
                                    real_lane(&upper, k)};
        const single_fling end = gyre_scalar_fling_after(motion, start);
        real_set_lane(&new_position, k, end.position);
        real_set_lane(&new_velocity, k, end.velocity);
    }
    return (fling_move){new_position, new_velocity, vm_none(), meets};
}

/* Slow enough, and inside or close enough to the edge. */
VF_INLINE real_mask fling_is_slow(fling_input in, real position, real velocity, real rest_distance, real rest_speed)
{
    const real_mask beyond = real_or(real_lt(rest_distance, real_sub(position, in.upper)),
                                     real_lt(rest_distance, real_sub(in.lower, position)));
    const real_mask slow = real_and(real_le(real_abs(velocity), rest_speed), real_eq(position, position));
    return real_and(slow, real_not(beyond));
}

/* Whether a fling is outside, on the way to the edge, not speeding up, and so few ulps from the edge that rounding
   takes away all of a step's movement. With rest limits it then stops. Near a turning point a movement may be lost too,
   but there the fling speeds up. */
VF_INLINE real_mask fling_is_lost(fling_settings s, fling_input in, fling_move next)
{
    const real zero = real_set1(0);
    const real reach = real_mul(s.lost_outside, real_mul(real_set1(REAL_ULP), real_abs(in.position)));
    const real over = real_sub(in.position, in.upper), under = real_sub(in.lower, in.position);
    const real_mask falls = real_and(real_and(real_lt(zero, over), real_le(over, reach)), real_lt(in.velocity, zero));
    const real_mask rises = real_and(real_and(real_lt(zero, under), real_le(under, reach)), real_lt(zero, in.velocity));
    const real_mask same = real_and(real_eq(real_as_stored(next.position), in.position),
                                    real_le(real_abs(next.velocity), real_abs(in.velocity)));
    return real_and(real_and(same, real_lt(zero, s.rest_distance)), real_or(falls, rises));
}

/* Whether a fling inside the edges will end at its place: x + v / damping is within the rest distance of it, plus what
   rounding takes away on the way. Never without damping. */
VF_INLINE real_mask fling_aims(fling_settings s, fling_input in, real inside, fling_move next)
{
    const real size = real_min(real_abs(next.position), real_abs(in.rest_at));
    const real lost = real_mul(s.lost_inside, real_mul(real_set1(REAL_ULP), size));
    const real off = real_neg_mul_add(s.inverse_damping, next.velocity, real_sub(in.rest_at, next.position));
    const real_mask near =
        real_and(real_le(real_abs(off), real_add(s.rest_distance, lost)), real_lt(real_abs(off), real_set1(INFINITY)));
    return real_and(near, real_eq(next.position, inside));
}

/* Whether it has arrived: within the rest distance, or as near as rounding lets it come. */
VF_INLINE real_mask fling_arrives(fling_settings s, fling_input in, fling_move next)
{
    return real_or(real_le(real_abs(real_sub(in.rest_at, next.position)), s.rest_distance),
                   real_eq(real_as_stored(next.position), in.position));
}

VF_INLINE fling_state fling_advance(unsigned has, fling_motion motion, fling_settings s, fling_input in)
{
    if (has & FLING_STILL) {
        return (fling_state){in.position, in.velocity, vm_first(VF_LANES)};
    }
    fling_move next = fling_move_freely(s, in);
    const vm meets = vm_and(in.awake, next.meets), outside = next.outside;
    if (vm_any(meets)) {
        next = fling_move_over_edges(motion, in.position, in.velocity, in.lower, in.upper, next.position, next.velocity,
                                     meets);
    }
    const real inside = real_clamp(next.position, in.lower, in.upper);
    real_mask rests = fling_is_slow(in, next.position, next.velocity, s.rest_distance, s.rest_speed);
    real end = inside;
    if (has & FLING_REST_AT) {
        const real_mask aims = fling_aims(s, in, inside, next);
        rests = real_and(rests, real_or(real_not(aims), fling_arrives(s, in, next)));
        end = real_select(aims, in.rest_at, inside);
    }
    if (vm_any(outside)) {
        rests = real_or(rests, fling_is_lost(s, in, next));
    }
    return (fling_state){
        .position = real_select(rests, end, next.position),
        .velocity = real_zero_where(rests, next.velocity),
        .keeps = vm_not(in.awake),
    };
}

/* Where a fling moves, or is outside, or is NaN. */
VF_INLINE vm fling_is_unsettled(fling_input in)
{
    const real zero = real_set1(0);
    return vm_not(real_to_vm(fling_is_slow(in, in.position, in.velocity, zero, zero)));
}

#undef REAL
