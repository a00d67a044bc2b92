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
#define particle_within_bounds REAL_NAMED(particle_within_bounds)
#define particle_advance REAL_NAMED(particle_advance)

typedef struct particle_matrix {
    real pos_vel, vel_vel, pos_acc, vel_acc;
} particle_matrix;

/* A particle before its step. Members of features that it does not have are not used. */
typedef struct particle_input {
    real position, velocity, acceleration;
    real lower, upper; /* NaN bounds nothing */
} particle_input;

typedef struct particle_state {
    real position, velocity;
    vm keeps; /* particles that keep their bits in memory: those of no time */
} particle_state;

VF_INLINE particle_state particle_within_bounds(unsigned has, float bounce, particle_input in, particle_state next)
{
    const position_bounds bounds = {
        .lower = has & PARTICLE_LOWER ? in.lower : real_set1(NAN),
        .upper = has & PARTICLE_UPPER ? in.upper : real_set1(NAN),
        .rest_speed = real_set1(0),
        .bounce = bounce,
    };
    const bounded_state old = {in.position, in.velocity}, stepped = {next.position, next.velocity},
                        kept = kept_within_bounds(old, stepped, bounds);
    return (particle_state){kept.position, kept.velocity, next.keeps};
}

VF_INLINE particle_state particle_advance(unsigned has, float bounce, particle_matrix m, particle_input in)
{
    const real moved = real_mul_add(m.pos_vel, in.velocity, real_mul(m.pos_acc, in.acceleration));
    const real velocity = real_mul_add(m.vel_vel, in.velocity, real_mul(m.vel_acc, in.acceleration));
    const particle_state next = {real_flushed(real_add(in.position, moved)), real_flushed(velocity), vm_none()};
    return has & PARTICLE_BOUNDS ? particle_within_bounds(has, bounce, in, next) : next;
}

#undef REAL
