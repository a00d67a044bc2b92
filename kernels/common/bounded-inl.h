/* A step that ended beyond a bound, over a number type. Included by common/bounds-inl.h, which says what happens. */
#ifndef REAL
#error "define REAL as the number type: f for floats, fd for doubles"
#endif

#define bounded_state REAL_NAMED(bounded_state)
#define position_bounds REAL_NAMED(position_bounds)
#define stopped_at_bounds REAL_NAMED(stopped_at_bounds)
#define kept_within_bounds REAL_NAMED(kept_within_bounds)

typedef struct bounded_state {
    real position, velocity;
} bounded_state;

/* A bound that is NaN bounds nothing. */
typedef struct position_bounds {
    real lower, upper;
    real rest_speed; /* a speed of at most this with which a state would leave its bound becomes 0 */
    float bounce;
} position_bounds;

/* Out of line: most steps of most batches reach no bound. */
VF_RARE bounded_state stopped_at_bounds(bounded_state old, bounded_state next, position_bounds bounds)
{
    const real zero = real_set1(0), one = real_set1(1);
    const real_mask below = real_lt(next.position, bounds.lower);
    const real raised = real_select(below, bounds.lower, next.position);
    const real_mask above = real_lt(bounds.upper, raised), beyond = real_or(below, above);
    const real side = real_select(above, one, real_neg(one)), bound = real_select(above, bounds.upper, raised);
    const real_mask leaves = real_and(beyond, real_lt(zero, real_mul(side, next.velocity)));
    const vfd speed = speed_at_bound(real_to_vfd(old.position), real_to_vfd(old.velocity), real_to_vfd(next.position),
                                     real_to_vfd(next.velocity), real_to_vfd(bound), real_to_vfd(side));
    const vfd inward = vfd_mul(vfd_set1(-bounds.bounce), real_to_vfd(side));
    const real velocity = real_flushed(real_from_vfd(vfd_mul(inward, speed)));
    const real_mask rests = real_le(real_abs(velocity), bounds.rest_speed);
    return (bounded_state){bound, real_select(leaves, real_zero_where(rests, velocity), next.velocity)};
}

/* `next`, the state a step after `old`, within the bounds: min(max(x, lower), upper). */
VF_INLINE bounded_state kept_within_bounds(bounded_state old, bounded_state next, position_bounds bounds)
{
    const real_mask beyond = real_or(real_lt(next.position, bounds.lower), real_lt(bounds.upper, next.position));
    return vm_any(real_to_vm(beyond)) ? stopped_at_bounds(old, next, bounds) : next;
}

#undef REAL
