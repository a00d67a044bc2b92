/* The arrays of particles as vectors of a number type, and the loop over particles that share a matrix. Included by
   particle/batch-inl.h. */
#ifndef REAL
#error "define REAL as the number type: f for floats, fd for doubles"
#endif

#define particle_input_at REAL_NAMED(particle_input_at)
#define particle_store_state REAL_NAMED(particle_store_state)
#define particle_load REAL_NAMED(particle_load)
#define particle_store REAL_NAMED(particle_store)
#define particle_prefetch REAL_NAMED(particle_prefetch)
#define particle_shared REAL_NAMED(particle_shared)
#define particle_prepare REAL_NAMED(particle_prepare)
#define particle_step REAL_NAMED(particle_step)

/* The n particles at i of the arrays that particle_completed gives. */
VF_INLINE particle_input particle_input_at(const gyre_particles *from, unsigned has, size_t i, size_t n)
{
    particle_input in = {PARTICLE_ARRAYS(LOAD_SUM, LOAD_READ)};
    if (!(has & PARTICLE_ACCELERATION)) {
        in.acceleration = real_set1(from->uniform_acceleration);
    }
    return in;
}

VF_INLINE void particle_store_state(const gyre_particles *p, unsigned has, particle_input in, particle_state next,
                                    size_t i, size_t n)
{
    real_sum position = real_to_sum(next.position), velocity = real_to_sum(next.velocity);
    if (has & PARTICLE_CLOCK && vm_any(next.keeps)) {
        position =
            real_sum_select(next.keeps, real_sum_of_loaded(in.position, p->position, p->position_low, i, n), position);
        velocity =
            real_sum_select(next.keeps, real_sum_of_loaded(in.velocity, p->velocity, p->velocity_low, i, n), velocity);
    }
    real_store_sum_n(p->position, p->position_low, i, position, n);
    real_store_sum_n(p->velocity, p->velocity_low, i, velocity, n);
}

VF_INLINE void particle_prefetch(const gyre_particles *from, unsigned has, size_t i)
{
    PARTICLE_ARRAYS(PREFETCH_SUM, PREFETCH_READ)
}

/* ---- One matrix for all ---- */

typedef struct particle_shared {
    particle_matrix matrix;
    float bounce;
} particle_shared;

VF_INLINE particle_shared particle_prepare(const gyre_particles *p, const gyre_particle_matrix *m, unsigned has)
{
    (void)has;
#define COEFFICIENT(name, low) .name = real_set1_sum(m->name, m->low),
    return (particle_shared){
        .matrix = {PARTICLE_COEFFICIENTS(COEFFICIENT).damping = vf_set1(m->damping), .dt_s = vf_set1(m->dt_s)},
        .bounce = p->bounce};
#undef COEFFICIENT
}

VF_INLINE particle_input particle_load(const gyre_particles *p, const particle_shared *shared, unsigned has, size_t i,
                                       size_t n)
{
    (void)shared;
    return particle_input_at(p, has, i, n);
}

VF_INLINE particle_state particle_step(const particle_shared *shared, unsigned has, particle_input in)
{
    return particle_advance(has, shared->bounce, shared->matrix, in);
}

VF_INLINE void particle_store(const gyre_particles *p, const particle_shared *shared, unsigned has, particle_input in,
                              particle_state next, size_t i, size_t n)
{
    (void)shared;
    particle_store_state(p, has, in, next, i, n);
}

#define LOOP REAL_NAMED(particle)
#define LOOP_ARRAYS gyre_particles
#define LOOP_CALL gyre_particle_matrix
#define LOOP_SETS REAL_NAMED(PARTICLE_SETS)
#define LOOP_FEW_SETS PARTICLE_FEW_SETS
#define LOOP_WRITTEN(particles) particles->position
#define LOOP_COMPLETED(particles, has) particle_completed(particles, has)
#include "simd/loops/stream-inl.h"

#undef REAL
