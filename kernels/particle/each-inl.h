/* gyre_particles_step_each: a damping for each particle, in two stages: the exponents, then matrix and step. */
#ifndef GYRE_PARTICLE_EACH_H
#define GYRE_PARTICLE_EACH_H

#include "particle/batch-inl.h"
#include "particle/matrix_at-inl.h"
#include "simd/loops/parts-inl.h"
#include "simd/loops/stages-inl.h"

/* The arguments other than the particles. */
typedef struct dampings_call {
    const float *damping, *time_scale; /* the second may be NULL */
    float dt_s;
} dampings_call;

typedef struct dampings_shared {
    dampings_call call;
    vf dt;
    float bounce;
} dampings_shared;

/* The time of each particle; NaN where it is not finite. */
VF_INLINE vf dampings_time(const dampings_shared *shared, unsigned has, size_t i, size_t n)
{
    if (!(has & PARTICLE_CLOCK)) {
        return shared->dt;
    }
    const vf t = vf_mul(vf_load_n(shared->call.time_scale + i, n), shared->dt);
    return vf_select(vf_le(vf_abs(t), vf_set1(FLT_MAX)), t, vf_set1(NAN));
}

/* The second stage. `all_short` is a constant: every step of the block is short, and needs no exponential and no
   division. The bits are the same either way. */
VF_INLINE void dampings_step(const gyre_particles *p, const dampings_shared *shared, unsigned has, bool all_short,
                             const vf *exponent, size_t first, size_t vectors, size_t n)
{
    for (size_t v = 0; v < vectors; v++) {
        const size_t i = first + v * VF_LANES;
        const vf t = dampings_time(shared, has, i, n), damping = vf_load_n(shared->call.damping + i, n);
        vf_particle_matrix m =
            all_short ? particle_short_matrix(exponent[v], t) : particle_any_matrix(damping, exponent[v], t);
        m.damping = damping;
        m.dt_s = t;
        const vf_particle_input in = vf_particle_input_at(p, has, i, n);
        vf_particle_state next = vf_particle_advance(has, shared->bounce, m, in);
        if (has & PARTICLE_CLOCK) {
            next.keeps = vf_eq(t, vf_set1(0));
        }
        vf_particle_store_state(p, has, in, next, i, n);
    }
}

/* Lanes from n on have damping 0. */
VF_INLINE void dampings_block(const gyre_particles *p, const dampings_shared *shared, unsigned has, size_t i,
                              size_t vectors, size_t n)
{
    vf exponent[VF_STAGED_VECTORS];
    vm all_short = vm_first(VF_LANES);
    for (size_t v = 0; v < vectors; v++) {
        const vf damping = particle_valid_damping(vf_load_n(shared->call.damping + i + v * VF_LANES, n));
        exponent[v] = particle_exponent(damping, dampings_time(shared, has, i + v * VF_LANES, n));
        all_short = vm_and(all_short, particle_is_short(exponent[v]));
    }
    if (vm_all(all_short)) {
        dampings_step(p, shared, has, true, exponent, i, vectors, n);
    } else {
        dampings_step(p, shared, has, false, exponent, i, vectors, n);
    }
}

VF_INLINE dampings_shared dampings_prepare(const gyre_particles *p, const dampings_call *call, unsigned has)
{
    (void)has;
    return (dampings_shared){*call, vf_set1(call->dt_s), p->bounce};
}

#define DAMPINGS_SETS(SET)                                                                                             \
    SET(plain, 0, PARTICLE_ACCELERATION, VF_STAGED_VECTORS)                                                            \
    SET(general, 0, PARTICLE_ALL | PARTICLE_CLOCK, VF_STAGED_VECTORS)
#define LOOP dampings
#define LOOP_ARRAYS gyre_particles
#define LOOP_CALL dampings_call
#define LOOP_SETS DAMPINGS_SETS
#define LOOP_WRITTEN(shared, particles) particles->position
#define LOOP_COMPLETED(particles, has) particle_completed(particles, has)
#include "simd/loops/staged-inl.h"

/* ---- With low parts: a matrix for each particle, as particle_matrix_at computes it ---- */

typedef struct dampings_part {
    const gyre_particles *particles;
    unsigned has;
    dampings_call call;
} dampings_part;

/* The sums of coefficients and their low parts; NaN where particle_matrix_at refuses damping or time, and in lanes from
   n on. */
VF_INLINE vfd_particle_matrix dampings_low_matrix(const float *damping, const float *time, size_t n)
{
#define COLUMN(name, low) double name[GYRE_LANES];
    struct {
        PARTICLE_COEFFICIENTS(COLUMN)
    } column;
#undef COLUMN
    for (size_t lane = 0; lane < VF_LANES; lane++) {
        gyre_particle_matrix m = {.pos_vel = NAN, .vel_vel = NAN, .pos_acc = NAN, .vel_acc = NAN};
        if (lane < n) {
            (void)particle_matrix_at(damping[lane], time[lane], &m);
        }
#define COLUMN(name, low) column.name[lane] = (double)m.name + m.low;
        PARTICLE_COEFFICIENTS(COLUMN)
#undef COLUMN
    }
#define COLUMN(name, low) .name = vfd_load_doubles(column.name),
    return (vfd_particle_matrix){PARTICLE_COEFFICIENTS(COLUMN).damping = vf_load_n(damping, n), .dt_s = vf_load(time)};
#undef COLUMN
}

VF_INLINE void dampings_low_part(const void *context, size_t i, size_t n)
{
    const dampings_part *part = context;
    const gyre_particles arrays = particle_completed(part->particles, part->has), *p = &arrays;
    float time[GYRE_LANES] = {0};
    for (size_t lane = 0; lane < n; lane++) {
        time[lane] = part->call.dt_s * (part->has & PARTICLE_CLOCK ? part->call.time_scale[i + lane] : 1);
    }
    const vfd_particle_matrix m = dampings_low_matrix(part->call.damping + i, time, n);
    const vfd_particle_input in = vfd_particle_input_at(p, part->has, i, n);
    vfd_particle_state next = vfd_particle_advance(part->has, p->bounce, m, in);
    next.keeps = vf_eq(vf_load(time), vf_set1(0));
    vfd_particle_store_state(p, part->has, in, next, i, n);
}

VF_SHARED void particles_step_each_with_low_parts(const dampings_part *part, size_t begin, size_t end)
{
    vf_each_part(dampings_low_part, part, NULL, begin, end);
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
    const bool low = particles->position_low != NULL;
    if (damping == NULL || (low && particles->velocity_low == NULL)) {
        return GYRE_ERROR_NULL;
    }
    const unsigned has = particle_features_of(particles) | (time_scale != NULL ? PARTICLE_CLOCK : 0u);
    const dampings_call call = {damping, time_scale, dt_s};
    if (dt_s != 0 && low) {
        const dampings_part part = {particles, has, call};
        particles_step_each_with_low_parts(&part, begin, end);
    } else if (dt_s != 0) {
        dampings_loop(particles, &call, has, begin, end);
    }
    return GYRE_OK;
}

#endif
