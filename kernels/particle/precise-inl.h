/* Steps of particles with low parts: states and coefficients are sums of two floats, and the step is computed in
   double, half a vector at a time. In functions of their own, so that particles without low parts need no registers for
   it. */
#ifndef GYRE_PARTICLE_PRECISE_H
#define GYRE_PARTICLE_PRECISE_H

#include "particle/matrix-inl.h"
#include "simd/vd-inl.h"

/* The matrices of half a vector. */
typedef struct precise_particle_matrix {
    vd pos_vel, vel_vel, pos_acc, vel_acc;
} precise_particle_matrix;

typedef struct precise_particle_state {
    vf position, velocity, acceleration, position_low, velocity_low;
} precise_particle_state;

VF_INLINE precise_particle_state load_particles_precisely(const gyre_particles *s, size_t i, size_t n)
{
    return (precise_particle_state){
        .position = vf_load_n(s->position + i, n),
        .velocity = vf_load_n(s->velocity + i, n),
        .acceleration = s->acceleration == NULL ? vf_set1(s->uniform_acceleration) : vf_load_n(s->acceleration + i, n),
        .position_low = vf_load_n(s->position_low + i, n),
        .velocity_low = vf_load_n(s->velocity_low + i, n),
    };
}

typedef struct precise_particle_half {
    vd position, velocity;
} precise_particle_half;

VF_INLINE precise_particle_half advance_particle_half(const precise_particle_matrix *m,
                                                      const precise_particle_state *old, int half)
{
    const vd v = vd_from_sum(old->velocity, old->velocity_low, half), a = vd_from_half(old->acceleration, half);
    const vd moved = vd_mul_add(m->pos_vel, v, vd_mul(m->pos_acc, a));
    return (precise_particle_half){
        .position = vd_add(vd_from_sum(old->position, old->position_low, half), moved),
        .velocity = vd_mul_add(m->vel_vel, v, vd_mul(m->vel_acc, a)),
    };
}

VF_INLINE void step_particles_precisely(const gyre_particles *s, const precise_particle_matrix *first,
                                        const precise_particle_matrix *second, precise_particle_state old, size_t i,
                                        size_t n)
{
    const precise_particle_half a = advance_particle_half(first, &old, 0), b = advance_particle_half(second, &old, 1);
    precise_particle_state new;
    vd_to_sum(a.position, b.position, &new.position, &new.position_low);
    vd_to_sum(a.velocity, b.velocity, &new.velocity, &new.velocity_low);
    vf_store_n(s->position + i, vf_flushed(new.position), n);
    vf_store_n(s->velocity + i, vf_flushed(new.velocity), n);
    vf_store_n(s->position_low + i, new.position_low, n);
    vf_store_n(s->velocity_low + i, new.velocity_low, n);
}

/* ---- One matrix for all ---- */

typedef struct precise_particles {
    gyre_particles particles;
    precise_particle_matrix matrix;
} precise_particles;

VF_INLINE void precise_particles_load(const void *context, size_t i, vf state[VF_STREAM_STATE])
{
    const precise_particles *c = context;
    const precise_particle_state old = load_particles_precisely(&c->particles, i, VF_LANES);
    state[0] = old.position;
    state[1] = old.velocity;
    state[2] = old.acceleration;
    state[3] = old.position_low;
    state[4] = old.velocity_low;
}

VF_INLINE void precise_particles_store(const void *context, size_t i, const vf state[VF_STREAM_STATE])
{
    const precise_particles *c = context;
    const precise_particle_state old = {state[0], state[1], state[2], state[3], state[4]};
    step_particles_precisely(&c->particles, &c->matrix, &c->matrix, old, i, VF_LANES);
}

VF_INLINE void precise_particles_prefetch(const void *context, size_t i)
{
    const precise_particles *c = context;
    vf_prefetch_block(c->particles.position + i);
    vf_prefetch_block(c->particles.velocity + i);
    vf_prefetch_block(c->particles.position_low + i);
    vf_prefetch_block(c->particles.velocity_low + i);
    if (c->particles.acceleration != NULL) {
        vf_prefetch_block(c->particles.acceleration + i);
    }
}

/* particles_step with low parts; its other arguments are checked. */
static __attribute__((noinline)) gyre_status particles_step_precisely(const gyre_particles *s, size_t begin, size_t end,
                                                                      const gyre_particle_matrix *m)
{
    if (s->velocity_low == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!are_finite(m->low[0], m->low[1], m->low[2], m->low[3])) {
        return GYRE_ERROR_VALUE;
    }
    if (is_identity_particle_matrix(m) && m->low[0] == 0 && m->low[1] == 0 && m->low[2] == 0 && m->low[3] == 0) {
        return GYRE_OK;
    }
    const precise_particles context = {
        .particles = *s,
        .matrix =
            {
                .pos_vel = vd_set1((double)m->pos_vel + m->low[0]),
                .vel_vel = vd_set1((double)m->vel_vel + m->low[1]),
                .pos_acc = vd_set1((double)m->pos_acc + m->low[2]),
                .vel_acc = vd_set1((double)m->vel_acc + m->low[3]),
            },
    };
    if (end - begin >= VF_LANES) {
        const vf_stream stream = {precise_particles_load, precise_particles_store, precise_particles_prefetch};
        vf_stream_range(stream, &context, s->position, begin, end, s->count);
    } else {
        const precise_particle_state old = load_particles_precisely(s, begin, end - begin);
        step_particles_precisely(s, &context.matrix, &context.matrix, old, begin, end - begin);
    }
    return GYRE_OK;
}

/* ---- A damping for each ---- */

/* The matrix of each lane, as particle_matrix_at computes it; NaN where that refuses the damping. Lanes from n on are
   not used. */
VF_INLINE precise_particle_matrix load_precise_particle_matrix(const float *damping, float dt_s, size_t n)
{
    double column[4][GYRE_LANES / 2];
    for (size_t lane = 0; lane < VD_LANES; lane++) {
        gyre_particle_matrix m = {.pos_vel = NAN, .vel_vel = NAN, .pos_acc = NAN, .vel_acc = NAN};
        if (lane < n) {
            (void)particle_matrix_at(damping[lane], dt_s, &m);
        }
        column[0][lane] = (double)m.pos_vel + m.low[0];
        column[1][lane] = (double)m.vel_vel + m.low[1];
        column[2][lane] = (double)m.pos_acc + m.low[2];
        column[3][lane] = (double)m.vel_acc + m.low[3];
    }
    return (precise_particle_matrix){vd_load_doubles(column[0]), vd_load_doubles(column[1]), vd_load_doubles(column[2]),
                                     vd_load_doubles(column[3])};
}

/* particles_step_each with low parts, of a time that is not 0. */
static __attribute__((noinline)) void particles_step_each_precisely(const gyre_particles *s, size_t begin, size_t end,
                                                                    const float *damping, float dt_s)
{
    for (size_t i = begin; i < end; i += VF_LANES) {
        const size_t n = vf_lanes_left(i, end), in_second = n > VD_LANES ? n - VD_LANES : 0;
        const precise_particle_matrix first = load_precise_particle_matrix(damping + i, dt_s, n);
        const precise_particle_matrix second = load_precise_particle_matrix(damping + i + VD_LANES, dt_s, in_second);
        step_particles_precisely(s, &first, &second, load_particles_precisely(s, i, n), i, n);
    }
}

#endif
