/* The step of particles, over a number type: floats, or doubles for particles with low parts. A matrix
   (particle/matrix-inl.h) times velocity and acceleration:

       x <- x + pos_vel v + pos_acc a
       v <-     vel_vel v + vel_acc a

   Included by particle/forms-inl.h. */
#ifndef REAL
#error "define REAL as the number type: f for floats, fd for doubles"
#endif

#define particle_matrix REAL_NAMED(particle_matrix)
#define particle_input REAL_NAMED(particle_input)
#define particle_state REAL_NAMED(particle_state)
#define particle_at_bounds REAL_NAMED(particle_at_bounds)
#define particle_within_bounds REAL_NAMED(particle_within_bounds)
#define particle_advance REAL_NAMED(particle_advance)

/* The damping and the time of the matrix are used at bounds; a time of 0 means unknown. */
typedef struct particle_matrix {
    real pos_vel, vel_vel, pos_acc, vel_acc;
    vf damping, dt_s;
} particle_matrix;

/* A particle before its step. Members of features that the batch does not have are not used. */
typedef struct particle_input {
    real position, velocity, acceleration;
    real lower, upper; /* NaN: no bound */
} particle_input;

typedef struct particle_state {
    real position, velocity;
    vm keeps; /* particles that keep their bits in memory: all, in a step of no time */
} particle_state;

/* The particles of `met` have met a bound. Out of line, because most steps of most batches meet none. */
VF_RARE bounded_state particle_at_bounds(const bounded_step *step, const position_bounds *bounds,
                                         const particle_matrix *m, real acceleration, vm met)
{
    vm bounces;
    const real forward = real_copysign(real_set1(1), m->pos_vel);
    bounded_state end = bounded_by_ends(*step, *bounds, forward, &bounces);
    bounces = vm_and(vm_and(met, bounces), vm_not(vf_eq(m->dt_s, vf_set1(0))));
    for (vm_lanes left = vm_to_lanes(bounces); vm_has_lane(left); left = vm_without_first(left)) {
        const int k = vm_first_lane(left);
        const particle_path path = {vf_lane(&m->damping, k), real_lane(&acceleration, k)};
        const path_state start = {real_lane(&step->old.position, k), real_lane(&step->old.velocity, k)};
        const path_state bounced =
            gyre_scalar_particle_bounced(path, vf_lane(&m->dt_s, k), path_bounds_of_lane(bounds, k), start);
        if (path_is_number(bounced)) {
            real_set_lane(&end.position, k, bounced.position);
            real_set_lane(&end.velocity, k, bounced.velocity);
        }
    }
    return end;
}

VF_INLINE particle_state particle_within_bounds(unsigned has, float bounce, particle_matrix m, particle_input in,
                                                particle_state next)
{
    const position_bounds bounds = {
        .lower = has & PARTICLE_LOWER ? in.lower : real_set1(NAN),
        .upper = has & PARTICLE_UPPER ? in.upper : real_set1(NAN),
        .rest_speed = real_set1(0),
        .bounce = bounce,
    };
    const bounded_step step = {{in.position, in.velocity},
                               {next.position, next.velocity},
                               real_mul_add(real_from_vf(m.dt_s), in.velocity, in.position)};
    const vm met = bounds_are_met(step, bounds);
    if (!vm_any(met)) {
        return next;
    }
    const bounded_step met_step = step;
    const position_bounds met_bounds = bounds;
    const particle_matrix met_by = m;
    const bounded_state end = particle_at_bounds(&met_step, &met_bounds, &met_by, in.acceleration, met);
    return (particle_state){end.position, end.velocity, next.keeps};
}

VF_INLINE particle_state particle_advance(unsigned has, float bounce, particle_matrix m, particle_input in)
{
    const real moved = real_mul_add(m.pos_vel, in.velocity, real_mul(m.pos_acc, in.acceleration));
    const real velocity = real_mul_add(m.vel_vel, in.velocity, real_mul(m.vel_acc, in.acceleration));
    const particle_state next = {real_flushed(real_add(in.position, moved)), real_flushed(velocity), vm_none()};
    return has & PARTICLE_BOUNDS ? particle_within_bounds(has, bounce, m, in, next) : next;
}

#undef REAL
