/* A step that met a bound, over a number type. Included by common/bounds-inl.h, which says what happens. */
#ifndef REAL
#error "define REAL as the number type: f for floats, fd for doubles"
#endif

#define bounded_state REAL_NAMED(bounded_state)
#define bounded_step REAL_NAMED(bounded_step)
#define position_bounds REAL_NAMED(position_bounds)
#define bounds_are_met REAL_NAMED(bounds_are_met)
#define bounded_by_ends REAL_NAMED(bounded_by_ends)
#define path_bounds_of_lane REAL_NAMED(path_bounds_of_lane)

typedef struct bounded_state {
    real position, velocity;
} bounded_state;

/* A bound that is NaN has no effect. */
typedef struct position_bounds {
    real lower, upper;
    real rest_speed; /* after a bounce a speed of at most this becomes 0 */
    float bounce;
} position_bounds;

/* The states before and after a step without bounds. `reach` is where the velocity before the step alone would lead: a
   state that turns back within the step does not get further. */
typedef struct bounded_step {
    bounded_state old, next;
    real reach;
} bounded_step;

/* Lanes that ended beyond a bound or move on it, or may have been beyond it during the step. */
VF_INLINE vm bounds_are_met(bounded_step step, position_bounds bounds)
{
    const real x = step.next.position, highest = real_max(step.reach, x), lowest = real_min(step.reach, x);
    const vm met = real_to_vm(real_or(real_le(lowest, bounds.lower), real_le(bounds.upper, highest)));
    if (!vm_any(met)) {
        return met;
    }
    const real_mask beyond = real_or(real_lt(x, bounds.lower), real_lt(bounds.upper, x));
    const vm at_rest = real_to_vm(real_eq(step.next.velocity, real_set1(0)));
    return vm_and(met, vm_or(real_to_vm(beyond), vm_not(at_rest)));
}

/* The state of lanes that met a bound, judged by the ends of the step alone. `forward` is 1, or -1 where the step's
   time is negative. *bounces becomes the lanes that start within the bounds and do not lie on one: where they end
   depends on their motion within the step. */
VF_INLINE bounded_state bounded_by_ends(bounded_step step, position_bounds bounds, real forward, vm *bounces)
{
    const real zero = real_set1(0), one = real_set1(1);
    const bounded_state old = step.old, next = step.next;
    const real raised = real_select(real_lt(next.position, bounds.lower), bounds.lower, next.position);
    const real_mask above = real_or(real_lt(bounds.upper, raised), real_eq(next.position, bounds.upper));
    const real side = real_select(above, one, real_neg(one)), bound = real_select(above, bounds.upper, bounds.lower);
    const real_mask beyond = real_lt(real_mul(side, bound), real_mul(side, next.position));
    const real_mask outward = real_lt(zero, real_mul(real_mul(side, forward), next.velocity));

    /* On its bound and pushed outward, even if by less than half an ulp of the position. */
    const real_mask ends_on_it = real_eq(next.position, bound);
    const real_mask pushed = real_and(real_eq(old.position, bound), real_or(beyond, real_and(ends_on_it, outward)));
    const real_mask lies = real_and(pushed, real_eq(old.velocity, zero));

    const vfd speed = speed_at_bound(real_to_vfd(old.position), real_to_vfd(old.velocity), real_to_vfd(next.position),
                                     real_to_vfd(next.velocity), real_to_vfd(bound), real_to_vfd(side));
    const double back = bounds.bounce > 0 ? 1 / (double)bounds.bounce : 0;
    const vfd kept = vfd_select(vfd_lt(real_to_vfd(forward), vfd_set1(0)), vfd_set1(back), vfd_set1(-bounds.bounce));
    const real leaving = real_flushed(real_from_vfd(vfd_mul(vfd_mul(real_to_vfd(side), kept), speed)));
    const real_mask rests = real_or(lies, real_le(real_abs(leaving), bounds.rest_speed));

    const real_mask was_beyond = real_or(real_lt(old.position, bounds.lower), real_lt(bounds.upper, old.position));
    *bounces = vm_not(real_to_vm(real_or(lies, was_beyond)));
    const real_mask meets = real_or(beyond, pushed), turns = real_or(real_and(meets, outward), lies);
    return (bounded_state){real_select(meets, bound, next.position),
                           real_select(turns, real_zero_where(rests, leaving), next.velocity)};
}

/* The bounds of one lane, for the motion within its step (common/bounces.h). */
VF_INLINE path_bounds path_bounds_of_lane(const position_bounds *bounds, int lane)
{
    return (path_bounds){.lower = real_lane(&bounds->lower, lane),
                         .upper = real_lane(&bounds->upper, lane),
                         .bounce = bounds->bounce,
                         .rest_speed = real_lane(&bounds->rest_speed, lane),
                         .resolution = REAL_ULP};
}

#undef REAL
