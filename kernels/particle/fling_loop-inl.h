/* The arrays of flings as vectors of a number type, and the loop. Included by particle/flings-inl.h. */
#ifndef REAL
#error "define REAL as the number type: f for floats, fd for doubles"
#endif

#define fling_shared REAL_NAMED(fling_shared)
#define fling_shared_of REAL_NAMED(fling_shared_of)
#define fling_load REAL_NAMED(fling_load)
#define fling_step REAL_NAMED(fling_step)
#define fling_store REAL_NAMED(fling_store)
#define fling_prefetch REAL_NAMED(fling_prefetch)
#define fling_prepare REAL_NAMED(fling_prepare)

typedef struct fling_shared {
    fling_motion motion;
    fling_settings settings;
} fling_shared;

VF_INLINE fling_shared fling_shared_of(const gyre_flings *f, fling_coefficients m, float dt_s)
{
    const double w = f->spring.angular_frequency, z = f->spring.damping_ratio, k = f->damping, dt = dt_s;
    return (fling_shared){
        .motion = {f->damping, f->spring, dt_s},
        .settings =
            {
                .pos_pos = real_set1(m.pos_pos),
                .pos_vel = real_set1(m.pos_vel),
                .vel_pos = real_set1(m.vel_pos),
                .vel_vel = real_set1(m.vel_vel),
                .damped_pos_vel = real_set1(m.damped_pos_vel),
                .damped_vel_vel = real_set1(m.damped_vel_vel),
                .all_return = fling_all_return(f->spring, dt),
                .rest_distance = real_set1(f->rest_speed == 0 ? 0 : f->rest_distance), /* 0: none rests outside */
                .rest_speed = real_set1(f->rest_speed),
                .lost_outside = real_set1((1 + z) / (w * dt)),
                .lost_inside = real_set1(1 / (k * dt)),
                .inverse_damping = real_set1(1 / k),
            },
    };
}

/* Missing edges and places are NaN. Where lower is above upper, upper is both edges. */
VF_INLINE fling_input fling_load(const gyre_flings *from, const fling_shared *shared, unsigned has, size_t i, size_t n)
{
    (void)shared;
    const real nan = real_set1(NAN), upper = has & FLING_UPPER ? real_load_n(from->upper + i, n) : nan;
    return (fling_input){
        .position = real_load_sum_n(from->position, from->position_low, i, n),
        .velocity = real_load_sum_n(from->velocity, from->velocity_low, i, n),
        .lower = real_min(upper, has & FLING_LOWER ? real_load_n(from->lower + i, n) : nan),
        .upper = upper,
        .rest_at = has & FLING_REST_AT ? real_load_n(from->rest_at + i, n) : nan,
        .awake = awake_load_n(has & FLING_SKIP, from->awake, i, n),
    };
}

VF_INLINE fling_state fling_step(const fling_shared *shared, unsigned has, fling_input in)
{
    return fling_advance(has, shared->motion, shared->settings, in);
}

VF_INLINE void fling_store(const gyre_flings *f, const fling_shared *shared, unsigned has, fling_input in,
                           fling_state next, size_t i, size_t n)
{
    (void)shared;
    real_sum position = real_to_sum(next.position), velocity = real_to_sum(next.velocity);
    const real_sum old_position = real_sum_of_loaded(in.position, f->position, f->position_low, i, n),
                   old_velocity = real_sum_of_loaded(in.velocity, f->velocity, f->velocity_low, i, n);
    if (has & FLING_SKIP) {
        position = real_sum_select(next.keeps, old_position, position);
        velocity = real_sum_select(next.keeps, old_velocity, velocity);
    }
    if (has & FLING_AWAKE) {
        const vm changed = has & FLING_STILL ? fling_is_unsettled(in)
                                             : vm_or(real_sum_differs(position, old_position),
                                                     real_sum_differs(velocity, old_velocity));
        vm_store_bytes_n(f->awake + i, awake_after(has & FLING_SKIP, in.awake, changed), n);
    }
    if (!(has & FLING_STILL)) {
        real_store_sum_n(f->position, f->position_low, i, position, n);
        real_store_sum_n(f->velocity, f->velocity_low, i, velocity, n);
    }
}

VF_INLINE void fling_prefetch(const gyre_flings *from, unsigned has,
                              size_t i){FLING_ARRAYS(PREFETCH_SUM, PREFETCH_READ)}

/* The matrices of a call are computed before the loop, which gets them as its argument. */
VF_INLINE fling_shared fling_prepare(const gyre_flings *f, const fling_shared *shared, unsigned has)
{
    (void)f, (void)has;
    return *shared;
}

#define LOOP REAL_NAMED(fling)
#define LOOP_ARRAYS gyre_flings
#define LOOP_CALL fling_shared
#define LOOP_SETS REAL_NAMED(FLING_SETS)
#define LOOP_FEW_SETS FLING_FEW_SETS
#define LOOP_WRITTEN(flings) flings->position
#define LOOP_FLAGS(flings, has) awake_flags((has)&FLING_SKIP, (flings)->awake)
#include "simd/loops/stream-inl.h"

#undef REAL
