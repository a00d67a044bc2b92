/* The step of springs, over a number type: floats, or doubles for springs with low parts. A matrix
   (spring/matrix-inl.h) times displacement from the target and velocity:

       x <- pos_pos x + pos_vel v + pos_ramp move
       v <- vel_pos x + vel_vel v + vel_ramp move

   include/gyre/spring.h says what a step does, and in which order. Included by spring/forms-inl.h. */
#ifndef REAL
#error "define REAL as the number type: f for floats, fd for doubles"
#endif

#define spring_matrix REAL_NAMED(spring_matrix)
#define spring_settings REAL_NAMED(spring_settings)
#define spring_input REAL_NAMED(spring_input)
#define spring_state REAL_NAMED(spring_state)
#define spring_shortest REAL_NAMED(spring_shortest)
#define spring_displacement REAL_NAMED(spring_displacement)
#define spring_reaches_target REAL_NAMED(spring_reaches_target)
#define spring_rests REAL_NAMED(spring_rests)
#define spring_at_bounds REAL_NAMED(spring_at_bounds)
#define spring_within_bounds REAL_NAMED(spring_within_bounds)
#define spring_advance REAL_NAMED(spring_advance)
#define spring_advance_by_own REAL_NAMED(spring_advance_by_own)
#define spring_is_unsettled REAL_NAMED(spring_is_unsettled)

/* The ramps are used where targets move. The spring and the time of the matrix are used at bounds; a time of 0 means
   unknown. */
typedef struct spring_matrix {
    real pos_pos, pos_vel, vel_pos, vel_vel, pos_ramp, vel_ramp;
    vf angular_frequency, damping_ratio, follow, dt_s;
} spring_matrix;

/* What all springs of a batch share. */
typedef struct spring_settings {
    real period, rest_distance, rest_speed;
    float bounce;
} spring_settings;

/* A spring before its step. Members of features that the batch does not have are not used. */
typedef struct spring_input {
    real position, velocity, target, target_before;
    real lower, upper; /* NaN: no bound */
    real rest_scale;
    vm awake; /* false: the spring is skipped */
} spring_input;

typedef struct spring_state {
    real position, velocity;
    vm keeps; /* springs that keep their bits in memory: skipped, with an identity matrix, or in a step of no time */
} spring_state;

/* x minus the nearest multiple of the period. 0 where the type does not determine the phase, and NaN for an infinite
   x. */
VF_INLINE real spring_shortest(real x, real period)
{
    const real turns = real_div(x, period);
    real shortest = real_neg_mul_add(real_round(turns), period, x);
    if (REAL_ROUNDS_TURNS) {
        const real_mask far = real_lt(real_mul(real_set1(0.5f), period), real_abs(shortest));
        shortest = real_select(far, real_sub(shortest, real_copysign(period, shortest)), shortest);
    }
    return real_select(real_lt(real_abs(turns), real_set1(REAL_MAX_PERIODS)), shortest, real_mul(x, real_set1(0)));
}

VF_INLINE real spring_displacement(unsigned has, spring_settings s, real position, real target)
{
    const real x = has & SPRING_TARGET ? real_sub(position, target) : position;
    return has & SPRING_PERIOD ? spring_shortest(x, s.period) : x;
}

/* Springs that pass their target, or with a period an equal of it, or start on it while it stands still, and whose
   state fits in floats. */
VF_INLINE real_mask spring_reaches_target(unsigned has, spring_settings s, real old_x, real move, real new_x,
                                          real velocity)
{
    const real zero = real_set1(0), too_large = real_set1(REAL_TOO_LARGE);
    const real_mask rises = real_and(real_lt(old_x, zero), real_lt(zero, new_x));
    const real_mask falls = real_and(real_lt(zero, old_x), real_lt(new_x, zero));
    real_mask starts_from = real_eq(old_x, zero);
    if (has & SPRING_RAMP) {
        starts_from = real_and(starts_from, real_eq(move, zero));
    }
    real_mask reaches = real_or(starts_from, real_or(rises, falls));
    if (has & SPRING_PERIOD) {
        reaches = real_or(reaches, real_le(s.period, real_abs(new_x)));
    }
    const real_mask fits = real_and(real_lt(real_abs(new_x), too_large), real_lt(real_abs(velocity), too_large));
    return real_and(reaches, fits);
}

VF_INLINE real_mask spring_rests(unsigned has, spring_settings s, spring_input in, real x, real velocity)
{
    real distance = s.rest_distance, speed = s.rest_speed;
    if (has & SPRING_REST_SCALE) {
        distance = real_mul(in.rest_scale, distance);
        speed = real_mul(in.rest_scale, speed);
    }
    const real away = has & SPRING_PERIOD ? spring_shortest(x, s.period) : x;
    return real_and(real_le(real_abs(away), distance), real_le(real_abs(velocity), speed));
}

/* The springs of `met` have met a bound; targets move from `before` to `target`. Out of line, because most steps of
   most batches meet none. Structs are passed by pointer: by value they would be built in memory in every step. */
VF_RARE bounded_state spring_at_bounds(const bounded_step *step, const position_bounds *bounds, const spring_matrix *m,
                                       real before, real target, vm met)
{
    vm bounces;
    const real known = real_from_vf(m->dt_s), forward_if_unknown = real_copysign(real_set1(1), m->pos_vel);
    const real forward =
        real_select(real_eq(known, real_set1(0)), forward_if_unknown, real_copysign(real_set1(1), known));
    bounded_state end = bounded_by_ends(*step, *bounds, forward, &bounces);
    bounces = vm_and(vm_and(met, bounces), vm_not(vf_eq(m->dt_s, vf_set1(0))));
    for (vm_lanes left = vm_to_lanes(bounces); vm_has_lane(left); left = vm_without_first(left)) {
        const int k = vm_first_lane(left);
        const double dt_s = vf_lane(&m->dt_s, k), from = real_lane(&before, k);
        const spring_path path = {
            {vf_lane(&m->angular_frequency, k), vf_lane(&m->damping_ratio, k), vf_lane(&m->follow, k)},
            from,
            (real_lane(&target, k) - from) / dt_s};
        const path_state start = {real_lane(&step->old.position, k), real_lane(&step->old.velocity, k)};
        const path_state bounced = gyre_scalar_spring_bounced(path, dt_s, path_bounds_of_lane(bounds, k), start);
        if (path_is_number(bounced)) {
            real_set_lane(&end.position, k, bounced.position);
            real_set_lane(&end.velocity, k, bounced.velocity);
        }
    }
    return end;
}

VF_INLINE spring_state spring_within_bounds(unsigned has, spring_settings s, spring_matrix m, spring_input in,
                                            spring_state next)
{
    const position_bounds bounds = {
        .lower = has & SPRING_LOWER ? in.lower : real_set1(NAN),
        .upper = has & SPRING_UPPER ? in.upper : real_set1(NAN),
        .rest_speed = has & SPRING_REST_SCALE ? real_mul(in.rest_scale, s.rest_speed) : s.rest_speed,
        .bounce = s.bounce,
    };
    const bounded_step step = {{in.position, in.velocity},
                               {next.position, next.velocity},
                               real_mul_add(real_from_vf(m.dt_s), in.velocity, in.position)};
    const vm met = vm_and(bounds_are_met(step, bounds), in.awake);
    if (!vm_any(met)) {
        return next;
    }
    const real target = has & SPRING_TARGET ? in.target : real_set1(0);
    const bounded_step met_step = step;
    const position_bounds met_bounds = bounds;
    const spring_matrix met_by = m;
    const bounded_state end =
        spring_at_bounds(&met_step, &met_bounds, &met_by, has & SPRING_RAMP ? in.target_before : target, target, met);
    return (spring_state){end.position, end.velocity, next.keeps};
}

VF_INLINE spring_state spring_advance(unsigned has, spring_settings s, spring_matrix m, spring_input in)
{
    const real before = has & SPRING_RAMP ? in.target_before : in.target;
    const real old_x = spring_displacement(has, s, in.position, before), v = in.velocity;
    real x = real_mul_add(m.pos_pos, old_x, real_mul(m.pos_vel, v));
    real velocity = real_mul_add(m.vel_pos, old_x, real_mul(m.vel_vel, v));
    const real move = has & SPRING_RAMP ? spring_displacement(has, s, in.target, before) : real_set1(0);
    if (has & SPRING_RAMP) {
        x = real_mul_add(m.pos_ramp, move, x);
        velocity = real_mul_add(m.vel_ramp, move, velocity);
    }
    x = real_flushed(x);
    velocity = real_flushed(velocity);
    if (has & SPRING_STOP) {
        const real_mask reaches = spring_reaches_target(has, s, old_x, move, x, velocity);
        x = real_zero_where(reaches, x);
        velocity = real_zero_where(reaches, velocity);
    }
    if (has & SPRING_REST) {
        const real_mask rests = spring_rests(has, s, in, x, velocity);
        x = real_zero_where(rests, x);
        velocity = real_zero_where(rests, velocity);
    }
    const spring_state next = {has & SPRING_TARGET ? real_add(in.target, x) : x, velocity, vm_not(in.awake)};
    return has & SPRING_BOUNDS ? spring_within_bounds(has, s, m, in, next) : next;
}

/* With a matrix of its own in each lane. */
VF_INLINE spring_state spring_advance_by_own(unsigned has, spring_settings s, spring_matrix m, spring_input in)
{
    const real zero = real_set1(0), one = real_set1(1);
    spring_state next = spring_advance(has, s, m, in);
    const real_mask no_change = real_and(real_eq(m.pos_pos, one), real_eq(m.pos_vel, zero));
    if (vm_any(real_to_vm(no_change))) { /* rare */
        const real_mask still = real_and(no_change, real_and(real_eq(m.vel_pos, zero), real_eq(m.vel_vel, one)));
        next.keeps = vm_or(next.keeps, real_to_vm(still));
    }
    return next;
}

/* Where a spring moves, or is NaN, or is not where it rests: on its target, or on a bound that the target lies
   beyond. */
VF_INLINE vm spring_is_unsettled(unsigned has, spring_settings s, spring_input in)
{
    const real zero = real_set1(0), target = has & SPRING_TARGET ? in.target : zero;
    real_mask arrived = real_eq(spring_displacement(has, s, in.position, target), zero);
    if (has & SPRING_LOWER) {
        arrived = real_or(arrived, real_and(real_eq(in.position, in.lower), real_lt(target, in.lower)));
    }
    if (has & SPRING_UPPER) {
        arrived = real_or(arrived, real_and(real_eq(in.position, in.upper), real_lt(in.upper, target)));
    }
    return vm_not(real_to_vm(real_and(arrived, real_eq(in.velocity, zero))));
}

#undef REAL
