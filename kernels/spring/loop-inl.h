/* The arrays of springs as vectors of a number type, and the loop over springs that share a matrix. Included by
   spring/batch-inl.h. */
#ifndef REAL
#error "define REAL as the number type: f for floats, fd for doubles"
#endif

#define spring_input_at REAL_NAMED(spring_input_at)
#define spring_load REAL_NAMED(spring_load)
#define spring_store_state REAL_NAMED(spring_store_state)
#define spring_store REAL_NAMED(spring_store)
#define spring_prefetch REAL_NAMED(spring_prefetch)
#define spring_settings_of REAL_NAMED(spring_settings_of)
#define spring_shared REAL_NAMED(spring_shared)
#define spring_prepare REAL_NAMED(spring_prepare)
#define spring_step REAL_NAMED(spring_step)

/* The n springs at i of the arrays that spring_completed gives. */
VF_INLINE spring_input spring_input_at(const gyre_springs *from, unsigned has, size_t i, size_t n)
{
    spring_input in = {SPRING_ARRAYS(LOAD_SUM, LOAD_READ)};
    in.awake = awake_load_n(has & SPRING_SKIP, from->awake, i, n);
    return in;
}

/* Writes the state after a step, and which springs are awake (common/awake-inl.h). */
VF_INLINE void spring_store_state(const gyre_springs *s, spring_settings settings, unsigned has, spring_input in,
                                  spring_state next, size_t i, size_t n)
{
    real_sum position = real_to_sum(next.position), velocity = real_to_sum(next.velocity);
    const real_sum old_position = real_sum_of_loaded(in.position, s->position, s->position_low, i, n),
                   old_velocity = real_sum_of_loaded(in.velocity, s->velocity, s->velocity_low, i, n);
    const bool some_keep = has & (SPRING_SKIP | SPRING_OWN | SPRING_STILL) && vm_any(next.keeps);
    if (some_keep) {
        position = real_sum_select(next.keeps, old_position, position);
        velocity = real_sum_select(next.keeps, old_velocity, velocity);
    }
    if (has & SPRING_AWAKE) {
        vm changed = vm_or(real_sum_differs(position, old_position), real_sum_differs(velocity, old_velocity));
        if (has & (SPRING_OWN | SPRING_STILL) && some_keep) {
            changed = vm_or(changed, vm_and(next.keeps, spring_is_unsettled(has, settings, in)));
        }
        vm_store_bytes_n(s->awake + i, awake_after(has & SPRING_SKIP, in.awake, changed), n);
    }
    if (!(has & SPRING_STILL)) {
        real_store_sum_n(s->position, s->position_low, i, position, n);
        real_store_sum_n(s->velocity, s->velocity_low, i, velocity, n);
    }
}

VF_INLINE void spring_prefetch(const gyre_springs *from, unsigned has,
                               size_t i){SPRING_ARRAYS(PREFETCH_SUM, PREFETCH_READ)}

VF_INLINE spring_settings spring_settings_of(const gyre_springs *s)
{
    return (spring_settings){
        .period = real_set1(s->period),
        .rest_distance = real_set1(s->rest_distance),
        .rest_speed = real_set1(s->rest_speed),
        .bounce = s->bounce,
    };
}

/* ---- One matrix for all ---- */

typedef struct spring_shared {
    spring_settings settings;
    spring_matrix matrix;
} spring_shared;

VF_INLINE spring_shared spring_prepare(const gyre_springs *s, const gyre_spring_matrix *m, unsigned has)
{
    (void)has;
#define COEFFICIENT(name, low) .name = real_set1_sum(m->name, m->low),
#define ORIGIN(name, member) .name = vf_set1(m->member),
    return (spring_shared){.settings = spring_settings_of(s),
                           .matrix = {SPRING_COEFFICIENTS(COEFFICIENT) SPRING_ORIGINS(ORIGIN)}};
#undef ORIGIN
#undef COEFFICIENT
}

VF_INLINE spring_input spring_load(const gyre_springs *s, const spring_shared *shared, unsigned has, size_t i, size_t n)
{
    (void)shared;
    return spring_input_at(s, has, i, n);
}

VF_INLINE spring_state spring_step(const spring_shared *shared, unsigned has, spring_input in)
{
    return has & SPRING_STILL ? (spring_state){in.position, in.velocity, vm_first(VF_LANES)}
                              : spring_advance(has, shared->settings, shared->matrix, in);
}

VF_INLINE void spring_store(const gyre_springs *s, const spring_shared *shared, unsigned has, spring_input in,
                            spring_state next, size_t i, size_t n)
{
    spring_store_state(s, shared->settings, has, in, next, i, n);
}

#define LOOP REAL_NAMED(spring)
#define LOOP_ARRAYS gyre_springs
#define LOOP_CALL gyre_spring_matrix
#define LOOP_SETS REAL_NAMED(SPRING_SETS)
#define LOOP_FEW_SETS SPRING_FEW_SETS
#define LOOP_WRITTEN(springs) springs->position
#define LOOP_FLAGS(springs, has) awake_flags((has)&SPRING_SKIP, (springs)->awake)
#define LOOP_COMPLETED(springs, has) spring_completed(springs, has)
#include "simd/loops/stream-inl.h"

#undef REAL
