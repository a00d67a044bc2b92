/* Steps of particles: state times matrix.

       x <- x + pos_vel v + pos_acc a
       v <-     vel_vel v + vel_acc a */
#ifndef GYRE_PARTICLE_STEP_H
#define GYRE_PARTICLE_STEP_H

#include "particle/precise-inl.h"

typedef struct particle_state {
    vf position, velocity, acceleration;
} particle_state;

VF_INLINE particle_state load_particles(const gyre_particles *s, bool uniform, size_t i, size_t n)
{
    return (particle_state){
        .position = vf_load_n(s->position + i, n),
        .velocity = vf_load_n(s->velocity + i, n),
        .acceleration = uniform ? vf_set1(s->uniform_acceleration) : vf_load_n(s->acceleration + i, n),
    };
}

VF_INLINE void store_particles(const gyre_particles *s, particle_state new, size_t i, size_t n)
{
    vf_store_n(s->position + i, new.position, n);
    vf_store_n(s->velocity + i, new.velocity, n);
}

VF_INLINE particle_state advance_particles(const particle_matrix *m, particle_state old)
{
    const vf moved = vf_mul_add(m->pos_vel, old.velocity, vf_mul(m->pos_acc, old.acceleration));
    const vf velocity = vf_mul_add(m->vel_vel, old.velocity, vf_mul(m->vel_acc, old.acceleration));
    return (particle_state){vf_flushed(vf_add(old.position, moved)), vf_flushed(velocity), old.acceleration};
}

/* The state after a step that may have ended beyond a bound. */
VF_INLINE particle_state within_bounds(const gyre_particles *s, particle_state old, particle_state new, size_t i,
                                       size_t n)
{
    const vf zero = vf_set1(0);
    const bounded_state from = {old.position, old.velocity, zero, zero};
    bounded_state to = {new.position, new.velocity, zero, zero};
    keep_within_bounds(&to, &from, load_bound(s->lower, i, n), load_bound(s->upper, i, n), s->bounce, zero);
    return (particle_state){to.position, to.velocity, new.acceleration};
}

VF_INLINE gyre_status check_particles(const gyre_particles *particles, size_t begin, size_t end)
{
    if (!is_range(begin, end, particles->count)) {
        return GYRE_ERROR_RANGE;
    }
    if ((particles->acceleration == NULL && !is_finite(particles->uniform_acceleration)) ||
        !(particles->bounce >= 0 && particles->bounce <= 1)) {
        return GYRE_ERROR_VALUE;
    }
    return begin < end && (particles->position == NULL || particles->velocity == NULL) ? GYRE_ERROR_NULL : GYRE_OK;
}

/* ---- One matrix for all: a stream. ---- */

typedef struct particles_stream {
    gyre_particles particles;
    particle_matrix matrix;
} particles_stream;

VF_INLINE particle_matrix broadcast_particle_matrix(const gyre_particle_matrix *m)
{
    return (particle_matrix){vf_set1(m->pos_vel), vf_set1(m->vel_vel), vf_set1(m->pos_acc), vf_set1(m->vel_acc)};
}

VF_INLINE void put_particles(particle_state from, vf state[VF_STREAM_STATE])
{
    state[0] = from.position;
    state[1] = from.velocity;
    state[2] = from.acceleration;
}

VF_INLINE void stream_load_uniform(const void *context, size_t i, vf state[VF_STREAM_STATE])
{
    const particles_stream *c = context;
    put_particles(load_particles(&c->particles, true, i, VF_LANES), state);
}

VF_INLINE void stream_load_accelerated(const void *context, size_t i, vf state[VF_STREAM_STATE])
{
    const particles_stream *c = context;
    put_particles(load_particles(&c->particles, false, i, VF_LANES), state);
}

VF_INLINE void stream_store_particles(const void *context, size_t i, const vf state[VF_STREAM_STATE])
{
    const particles_stream *c = context;
    const particle_state old = {state[0], state[1], state[2]};
    store_particles(&c->particles, advance_particles(&c->matrix, old), i, VF_LANES);
}

VF_INLINE void stream_prefetch_uniform(const void *context, size_t i)
{
    const particles_stream *c = context;
    vf_prefetch_block(c->particles.position + i);
    vf_prefetch_block(c->particles.velocity + i);
}

VF_INLINE void stream_prefetch_accelerated(const void *context, size_t i)
{
    const particles_stream *c = context;
    stream_prefetch_uniform(context, i);
    vf_prefetch_block(c->particles.acceleration + i);
}

/* With bounds: acceleration and bounds are conditions that a call shares. */

VF_INLINE void stream_load_bounded(const void *context, size_t i, vf state[VF_STREAM_STATE])
{
    const particles_stream *c = context;
    put_particles(load_particles(&c->particles, c->particles.acceleration == NULL, i, VF_LANES), state);
}

VF_INLINE void stream_store_bounded(const void *context, size_t i, const vf state[VF_STREAM_STATE])
{
    const particles_stream *c = context;
    const particle_state old = {state[0], state[1], state[2]}, new = advance_particles(&c->matrix, old);
    store_particles(&c->particles, within_bounds(&c->particles, old, new, i, VF_LANES), i, VF_LANES);
}

VF_INLINE void stream_prefetch_bounded(const void *context, size_t i)
{
    const particles_stream *c = context;
    stream_prefetch_uniform(context, i);
    prefetch_read_particles(&c->particles, i);
}

static __attribute__((noinline)) void particles_step_bounded(const gyre_particles *s, size_t begin, size_t end,
                                                             const gyre_particle_matrix *matrix)
{
    const vf_stream bounded = {stream_load_bounded, stream_store_bounded, stream_prefetch_bounded};
    const particles_stream context = {*s, broadcast_particle_matrix(matrix)};
    vf_stream_range(bounded, &context, context.particles.position, begin, end, context.particles.count);
}

VF_INLINE void particles_step_range(const particles_stream *c, size_t begin, size_t end)
{
    const vf_stream uniform = {stream_load_uniform, stream_store_particles, stream_prefetch_uniform};
    const vf_stream accelerated = {stream_load_accelerated, stream_store_particles, stream_prefetch_accelerated};
    const gyre_particles *s = &c->particles;
    if (s->acceleration == NULL) {
        vf_stream_range(uniform, c, s->position, begin, end, s->count);
    } else {
        vf_stream_range(accelerated, c, s->position, begin, end, s->count);
    }
}

/* Less than a vector. */
static __attribute__((noinline)) void particles_step_few(const gyre_particles *s, size_t i, size_t n,
                                                         const gyre_particle_matrix *matrix)
{
    const particle_matrix m = broadcast_particle_matrix(matrix);
    const particle_state old = load_particles(s, s->acceleration == NULL, i, n), new = advance_particles(&m, old);
    store_particles(s, has_bounds(s) ? within_bounds(s, old, new, i, n) : new, i, n);
}

GYRE_KERNEL_FUNCTION gyre_status particles_step(const gyre_particles *particles, size_t begin, size_t end,
                                                const gyre_particle_matrix *matrix)
{
    if (particles == NULL || matrix == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite_particle_matrix(matrix)) {
        return GYRE_ERROR_VALUE;
    }
    const gyre_status status = check_particles(particles, begin, end);
    if (status != GYRE_OK || begin == end) {
        return status;
    }
    if (particles->position_low != NULL) {
        return particles_step_precisely(particles, begin, end, matrix);
    }
    if (is_identity_particle_matrix(matrix)) {
        return GYRE_OK;
    }
    if (end - begin < VF_LANES) {
        particles_step_few(particles, begin, end - begin, matrix);
    } else if (has_bounds(particles)) {
        particles_step_bounded(particles, begin, end, matrix);
    } else {
        const particles_stream context = {*particles, broadcast_particle_matrix(matrix)};
        particles_step_range(&context, begin, end);
    }
    return GYRE_OK;
}

/* ---- A damping for each: in two stages, the exponents and then matrix and step. ---- */

typedef struct particles_each {
    const gyre_particles *particles;
    const float *damping, *time_scale;
    float dt_s;
} particles_each;

/* The time of each lane; NaN where it is not finite. Plain: one for all. */
VF_INLINE vf load_time(const particles_each *c, bool plain, size_t i, size_t n)
{
    if (plain || c->time_scale == NULL) {
        return vf_set1(c->dt_s);
    }
    const vf t = vf_mul(vf_load_n(c->time_scale + i, n), vf_set1(c->dt_s));
    return vf_select(vf_le(vf_abs(t), vf_set1(FLT_MAX)), t, vf_set1(NAN));
}

/* A block of the second stage. Where every step of the block is short, it needs no exponential and no division; that
   changes no bits. Plain: without bounds. */
VF_INLINE void particles_advance_block(const particles_each *c, bool plain, bool all_short, const vf *p, size_t i,
                                       size_t vectors, size_t n)
{
    const gyre_particles *s = c->particles;
    for (size_t v = 0; v < vectors; v++) {
        const size_t j = i + v * VF_LANES;
        const vf t = load_time(c, plain, j, n);
        const particle_matrix m =
            all_short ? short_step_matrix(p[v], t) : any_step_matrix(vf_load_n(c->damping + j, n), p[v], t);
        const particle_state old = load_particles(s, s->acceleration == NULL, j, n);
        particle_state new = advance_particles(&m, old);
        if (!plain) {
            new = has_bounds(s) ? within_bounds(s, old, new, j, n) : new;
            const vm still = vf_eq(t, vf_set1(0)); /* no time, no change */
            new.position = vf_select(still, old.position, new.position);
            new.velocity = vf_select(still, old.velocity, new.velocity);
        }
        store_particles(s, new, j, n);
    }
}

/* Lanes from n on have damping 0. */
VF_INLINE void particles_each_block(const particles_each *c, bool plain, size_t i, size_t vectors, size_t n)
{
    vf p[VF_STAGED_VECTORS];
    vm all_short = vm_first(VF_LANES);
    for (size_t v = 0; v < vectors; v++) {
        const vf damping = valid_damping(vf_load_n(c->damping + i + v * VF_LANES, n));
        p[v] = damping_exponent(damping, load_time(c, plain, i + v * VF_LANES, n));
        all_short = vm_and(all_short, is_short_step(p[v]));
    }
    if (vm_all(all_short)) {
        particles_advance_block(c, plain, true, p, i, vectors, n);
    } else {
        particles_advance_block(c, plain, false, p, i, vectors, n);
    }
}

VF_INLINE void particles_each_plain_block(const void *context, size_t i, size_t vectors, size_t n)
{
    particles_each_block(context, true, i, vectors, n);
}

VF_INLINE void particles_each_general_block(const void *context, size_t i, size_t vectors, size_t n)
{
    particles_each_block(context, false, i, vectors, n);
}

/* With bounds, or times of their own. */
static __attribute__((noinline)) void particles_step_each_generally(const particles_each *c, size_t begin, size_t end)
{
    vf_staged_range(particles_each_general_block, c, VF_STAGED_VECTORS, c->particles->position, begin, end);
}

GYRE_KERNEL_FUNCTION gyre_status particles_step_each(const gyre_particles *particles, size_t begin, size_t end,
                                                     const float *damping, const float *time_scale, float dt_s)
{
    if (particles == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite(dt_s)) {
        return GYRE_ERROR_VALUE;
    }
    const gyre_status status = check_particles(particles, begin, end);
    if (status != GYRE_OK || begin == end) {
        return status;
    }
    const bool precise = particles->position_low != NULL;
    if (damping == NULL || (precise && particles->velocity_low == NULL)) {
        return GYRE_ERROR_NULL;
    }
    if (dt_s == 0) {
        return GYRE_OK;
    }
    if (precise) {
        particles_step_each_precisely(particles, begin, end, damping, time_scale, dt_s);
        return GYRE_OK;
    }
    const particles_each context = {particles, damping, time_scale, dt_s};
    if (time_scale != NULL || has_bounds(particles)) {
        particles_step_each_generally(&context, begin, end);
        return GYRE_OK;
    }
    const particles_each plain = {particles, damping, NULL, dt_s};
    vf_staged_range(particles_each_plain_block, &plain, VF_STAGED_VECTORS, particles->position, begin, end);
    return GYRE_OK;
}

#endif
