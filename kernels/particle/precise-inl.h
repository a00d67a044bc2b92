/* Steps of particles with low parts: states and coefficients are sums of two floats, and the step is computed in
   double, half a vector at a time. In functions of their own, so that particles without low parts need no registers for
   it. */
#ifndef GYRE_PARTICLE_PRECISE_H
#define GYRE_PARTICLE_PRECISE_H

#include "particle/matrix-inl.h"
#include "simd/bounds-inl.h"

/* The matrices of half a vector. */
typedef struct precise_particle_matrix {
    vd pos_vel, vel_vel, pos_acc, vel_acc;
} precise_particle_matrix;

typedef struct precise_particle_half {
    vd position, velocity;
} precise_particle_half;

/* Floats become doubles as they are loaded, which spares the CPU's shuffle unit half of the work of a conversion. */
VF_INLINE precise_particle_half advance_particle_half(const gyre_particles *s, bool uniform,
                                                      const precise_particle_matrix *m, size_t i, int half)
{
    const vd a = uniform ? vd_set1(s->uniform_acceleration) : vd_load_half(s->acceleration + i, half);
    const vd x = vd_add(vd_load_half(s->position + i, half), vd_load_half(s->position_low + i, half));
    const vd v = vd_add(vd_load_half(s->velocity + i, half), vd_load_half(s->velocity_low + i, half));
    const vd moved = vd_mul_add(m->pos_vel, v, vd_mul(m->pos_acc, a));
    return (precise_particle_half){
        .position = vd_add(x, moved),
        .velocity = vd_mul_add(m->vel_vel, v, vd_mul(m->vel_acc, a)),
    };
}

VF_INLINE bool has_bounds(const gyre_particles *s) { return s->lower != NULL || s->upper != NULL; }

/* The whole vector at i, by the matrices of its halves. */
VF_INLINE void step_particles_precisely(const gyre_particles *s, bool uniform, const precise_particle_matrix *first,
                                        const precise_particle_matrix *second, size_t i)
{
    const precise_particle_half a = advance_particle_half(s, uniform, first, i, 0);
    const precise_particle_half b = advance_particle_half(s, uniform, second, i, 1);
    bounded_state new;
    vd_to_sum(a.position, b.position, &new.position, &new.position_low);
    vd_to_sum(a.velocity, b.velocity, &new.velocity, &new.velocity_low);
    new.position = vf_flushed(new.position);
    new.velocity = vf_flushed(new.velocity);
    if (has_bounds(s)) {
        const bounded_state old = {vf_load(s->position + i), vf_load(s->velocity + i), vf_load(s->position_low + i),
                                   vf_load(s->velocity_low + i)};
        keep_within_bounds(&new, &old, load_bound(s->lower, i, VF_LANES), load_bound(s->upper, i, VF_LANES), s->bounce,
                           vf_set1(0));
    }
    vf_store(s->position + i, new.position);
    vf_store(s->velocity + i, new.velocity);
    vf_store(s->position_low + i, new.position_low);
    vf_store(s->velocity_low + i, new.velocity_low);
}

/* Fewer than a vector, in a copy of their arrays. */
static __attribute__((noinline)) void step_few_particles_precisely(const gyre_particles *s,
                                                                   const precise_particle_matrix *first,
                                                                   const precise_particle_matrix *second, size_t i,
                                                                   size_t n)
{
    enum { WRITTEN = 4, ARRAYS = 7 };
    float copy[ARRAYS][GYRE_LANES] = {{0}};
    float *const written[WRITTEN] = {s->position, s->velocity, s->position_low, s->velocity_low};
    const float *const read[ARRAYS - WRITTEN] = {s->acceleration, s->lower, s->upper};
    for (size_t k = 0; k < ARRAYS; k++) {
        const float *const from = k < WRITTEN ? written[k] : read[k - WRITTEN];
        if (from != NULL) {
            memcpy(copy[k], from + i, n * sizeof(float));
        }
    }
    gyre_particles few = *s;
    few.position = copy[0];
    few.velocity = copy[1];
    few.position_low = copy[2];
    few.velocity_low = copy[3];
    few.acceleration = s->acceleration != NULL ? copy[4] : NULL;
    few.lower = s->lower != NULL ? copy[5] : NULL;
    few.upper = s->upper != NULL ? copy[6] : NULL;
    step_particles_precisely(&few, s->acceleration == NULL, first, second, 0);
    for (size_t k = 0; k < WRITTEN; k++) {
        memcpy(written[k] + i, copy[k], n * sizeof(float));
    }
}

/* ---- One matrix for all ---- */

typedef struct precise_particles {
    gyre_particles particles;
    precise_particle_matrix matrix;
} precise_particles;

VF_INLINE void precise_particles_uniform(const void *context, size_t i)
{
    const precise_particles *c = context;
    step_particles_precisely(&c->particles, true, &c->matrix, &c->matrix, i);
}

VF_INLINE void precise_particles_accelerated(const void *context, size_t i)
{
    const precise_particles *c = context;
    step_particles_precisely(&c->particles, false, &c->matrix, &c->matrix, i);
}

VF_INLINE void precise_particles_few(const void *context, size_t i, size_t n)
{
    const precise_particles *c = context;
    const precise_particle_matrix matrix = c->matrix; /* a copy: that of the context stays in registers */
    const gyre_particles particles = c->particles;
    step_few_particles_precisely(&particles, &matrix, &matrix, i, n);
}

/* What a step of particles with all that is optional only reads. */
VF_INLINE void prefetch_read_particles(const gyre_particles *s, size_t i)
{
    const float *const read[] = {s->acceleration, s->lower, s->upper};
    for (size_t k = 0; k < sizeof read / sizeof read[0]; k++) {
        if (read[k] != NULL) {
            vf_prefetch_block(read[k] + i);
        }
    }
}

VF_INLINE void precise_particles_prefetch(const void *context, size_t i)
{
    const precise_particles *c = context;
    vf_prefetch_block(c->particles.position + i);
    vf_prefetch_block(c->particles.velocity + i);
    vf_prefetch_block(c->particles.position_low + i);
    vf_prefetch_block(c->particles.velocity_low + i);
    prefetch_read_particles(&c->particles, i);
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
    const vf_by_vectors uniform = {precise_particles_uniform, precise_particles_few, precise_particles_prefetch};
    const vf_by_vectors accelerated = {precise_particles_accelerated, precise_particles_few,
                                       precise_particles_prefetch};
    if (s->acceleration == NULL) {
        vf_vectors_range(uniform, &context, s->position, begin, end, s->count);
    } else {
        vf_vectors_range(accelerated, &context, s->position, begin, end, s->count);
    }
    return GYRE_OK;
}

/* ---- A damping for each ---- */

VF_INLINE float own_time(const float *time_scale, size_t i, float dt_s)
{
    return time_scale != NULL ? time_scale[i] * dt_s : dt_s;
}

/* The matrix of each of n particles, as particle_matrix_at computes it; NaN where that refuses damping or time. Lanes
   from n on are not used. */
VF_INLINE precise_particle_matrix load_precise_particle_matrix(const float *damping, const float *time_scale,
                                                               float dt_s, size_t i, size_t n)
{
    double column[4][GYRE_LANES / 2];
    for (size_t lane = 0; lane < VD_LANES; lane++) {
        gyre_particle_matrix m = {.pos_vel = NAN, .vel_vel = NAN, .pos_acc = NAN, .vel_acc = NAN};
        if (lane < n) {
            (void)particle_matrix_at(damping[i + lane], own_time(time_scale, i + lane, dt_s), &m);
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
                                                                    const float *damping, const float *time_scale,
                                                                    float dt_s)
{
    for (size_t i = begin, n; i < end; i += n) {
        for (n = 0; n < vf_lanes_left(i, end) && own_time(time_scale, i + n, dt_s) != 0; n++) {
        }
        if (n == 0) { /* no time for this one: it keeps its bits */
            n = 1;
            continue;
        }
        const size_t in_second = n > VD_LANES ? n - VD_LANES : 0;
        const precise_particle_matrix first = load_precise_particle_matrix(damping, time_scale, dt_s, i, n);
        const precise_particle_matrix second =
            load_precise_particle_matrix(damping, time_scale, dt_s, i + VD_LANES, in_second);
        if (n == VF_LANES) {
            step_particles_precisely(s, s->acceleration == NULL, &first, &second, i);
        } else {
            step_few_particles_precisely(s, &first, &second, i, n);
        }
    }
}

#endif
