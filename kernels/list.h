/* The list of all kernels, one row each:  ROW(member of gyre_kernels, plain function, parameters, arguments).

   Tables (dispatch/table.c), plain functions (dispatch/dispatch.c) and the tests that compare all tables are made from
   it. */
#ifndef GYRE_LIST_H
#define GYRE_LIST_H

#include <gyre/gyre.h>

/* Kernels that are compiled once per table, by topic. */
#define GYRE_MATH_KERNELS(ROW)                                                                                         \
    ROW(math_exp, gyre_exp, (const float *x, float *y, size_t count), (x, y, count))                                   \
    ROW(math_expm1, gyre_expm1, (const float *x, float *y, size_t count), (x, y, count))                               \
    ROW(math_log, gyre_log, (const float *x, float *y, size_t count), (x, y, count))                                   \
    ROW(math_sin, gyre_sin, (const float *x, float *y, size_t count), (x, y, count))                                   \
    ROW(math_cos, gyre_cos, (const float *x, float *y, size_t count), (x, y, count))                                   \
    ROW(math_sincos, gyre_sincos, (const float *x, float *sin, float *cos, size_t count), (x, sin, cos, count))

#define GYRE_SPRING_KERNELS(ROW)                                                                                       \
    ROW(spring_matrix_at, gyre_spring_matrix_at, (gyre_spring spring, float dt_s, gyre_spring_matrix *out),            \
        (spring, dt_s, out))                                                                                           \
    ROW(springs_step, gyre_springs_step,                                                                               \
        (const gyre_springs *springs, size_t begin, size_t end, const gyre_spring_matrix *matrix),                     \
        (springs, begin, end, matrix))                                                                                 \
    ROW(springs_step_palette, gyre_springs_step_palette,                                                               \
        (const gyre_springs *springs, size_t begin, size_t end, const gyre_spring_matrix *palette,                     \
         size_t palette_count, const uint16_t *index),                                                                 \
        (springs, begin, end, palette, palette_count, index))                                                          \
    ROW(springs_step_each, gyre_springs_step_each,                                                                     \
        (const gyre_springs *springs, size_t begin, size_t end, const float *angular_frequency,                        \
         const float *damping_ratio, const float *follow, const float *time_scale, float dt_s),                        \
        (springs, begin, end, angular_frequency, damping_ratio, follow, time_scale, dt_s))                             \
    ROW(springs_at, gyre_springs_at,                                                                                   \
        (const gyre_springs *start, size_t begin, size_t end, gyre_spring spring, const float *elapsed_s,              \
         float *position_out, float *velocity_out),                                                                    \
        (start, begin, end, spring, elapsed_s, position_out, velocity_out))                                            \
    ROW(orientation_springs_step, gyre_orientation_springs_step,                                                       \
        (const gyre_orientation_springs *springs, size_t begin, size_t end, const gyre_spring_matrix *matrix,          \
         float dt_s),                                                                                                  \
        (springs, begin, end, matrix, dt_s))                                                                           \
    ROW(limit_targets, gyre_limit_targets,                                                                             \
        (float *const position[], float *const velocity[], float *const target_before[], float *const target[],        \
         size_t components, gyre_spring spring, float max_speed, float dt_s, float *const target_before_out[],         \
         float *const target_out[], size_t begin, size_t end),                                                         \
        (position, velocity, target_before, target, components, spring, max_speed, dt_s, target_before_out,            \
         target_out, begin, end))

#define GYRE_PARTICLE_KERNELS(ROW)                                                                                     \
    ROW(particle_matrix_at, gyre_particle_matrix_at, (float damping, float dt_s, gyre_particle_matrix *out),           \
        (damping, dt_s, out))                                                                                          \
    ROW(particles_step, gyre_particles_step,                                                                           \
        (const gyre_particles *particles, size_t begin, size_t end, const gyre_particle_matrix *matrix),               \
        (particles, begin, end, matrix))                                                                               \
    ROW(particles_step_each, gyre_particles_step_each,                                                                 \
        (const gyre_particles *particles, size_t begin, size_t end, const float *damping, const float *time_scale,     \
         float dt_s),                                                                                                  \
        (particles, begin, end, damping, time_scale, dt_s))                                                            \
    ROW(flings_step, gyre_flings_step, (const gyre_flings *flings, size_t begin, size_t end, float dt_s),              \
        (flings, begin, end, dt_s))                                                                                    \
    ROW(decelerate, gyre_decelerate,                                                                                   \
        (float *const position[], float *const velocity[], size_t components, float deceleration, float dt_s,          \
         size_t begin, size_t end),                                                                                    \
        (position, velocity, components, deceleration, dt_s, begin, end))

#define GYRE_ROTATION_KERNELS(ROW)                                                                                     \
    ROW(rotation_matrix, gyre_rotation_matrix, (float *const v[3], float *const r[9], size_t begin, size_t end),       \
        (v, r, begin, end))                                                                                            \
    ROW(rotation_left_jacobian, gyre_rotation_left_jacobian,                                                           \
        (float *const v[3], float *const t[9], size_t begin, size_t end), (v, t, begin, end))                          \
    ROW(rotation_quaternion, gyre_rotation_quaternion,                                                                 \
        (float *const v[3], float *const q[4], size_t begin, size_t end), (v, q, begin, end))                          \
    ROW(rotation_vector, gyre_rotation_vector, (float *const q[4], float *const v[3], size_t begin, size_t end),       \
        (q, v, begin, end))                                                                                            \
    ROW(rotation_product, gyre_rotation_product,                                                                       \
        (float *const a[4], float *const b[4], float *const out[4], size_t begin, size_t end),                         \
        (a, b, out, begin, end))                                                                                       \
    ROW(rotation_between, gyre_rotation_between,                                                                       \
        (float *const a[4], float *const b[4], float part, float *const out[4], size_t begin, size_t end),             \
        (a, b, part, out, begin, end))                                                                                 \
    ROW(rotation_apply, gyre_rotation_apply,                                                                           \
        (float *const q[4], float *const v[3], float *const out[3], size_t begin, size_t end),                         \
        (q, v, out, begin, end))

#define GYRE_CHAIN_KERNELS(ROW)                                                                                        \
    ROW(bone_chains_step, gyre_bone_chains_step,                                                                       \
        (const gyre_bone_chains *chains, size_t begin, size_t end, float dt_s), (chains, begin, end, dt_s))            \
    ROW(bone_chains_reset, gyre_bone_chains_reset,                                                                     \
        (const gyre_bone_chains *chains, size_t begin, size_t end, float dt_s), (chains, begin, end, dt_s))

#define GYRE_BODY_KERNELS(ROW)                                                                                         \
    ROW(bodies_step, gyre_bodies_step,                                                                                 \
        (const gyre_bodies *bodies, size_t begin, size_t end, float dt_s, const gyre_body_solver *solver,              \
         gyre_body_report *report),                                                                                    \
        (bodies, begin, end, dt_s, solver, report))                                                                    \
    ROW(bodies_kick, gyre_bodies_kick, (const gyre_bodies *bodies, size_t begin, size_t end, float dt_s),              \
        (bodies, begin, end, dt_s))                                                                                    \
    ROW(bodies_energy, gyre_bodies_energy, (const gyre_bodies *bodies, size_t begin, size_t end, float *energy_J),     \
        (bodies, begin, end, energy_J))                                                                                \
    ROW(bodies_angular_velocity, gyre_bodies_angular_velocity,                                                         \
        (const gyre_bodies *bodies, size_t begin, size_t end, float *const omega[3]), (bodies, begin, end, omega))     \
    ROW(bodies_set_angular_velocity, gyre_bodies_set_angular_velocity,                                                 \
        (const gyre_bodies *bodies, size_t begin, size_t end, float *const omega[3]), (bodies, begin, end, omega))     \
    ROW(bodies_transforms, gyre_bodies_transforms,                                                                     \
        (const gyre_bodies *bodies, size_t begin, size_t end, const float *x, const float *y, const float *z,          \
         float *rows3x4, size_t stride_bytes),                                                                         \
        (bodies, begin, end, x, y, z, rows3x4, stride_bytes))

#define GYRE_ARRAYS_KERNELS(ROW)                                                                                       \
    ROW(gather, gyre_gather,                                                                                           \
        (const void *from, size_t stride_bytes, size_t components, float *const to[], size_t begin, size_t end),       \
        (from, stride_bytes, components, to, begin, end))                                                              \
    ROW(scatter, gyre_scatter,                                                                                         \
        (float *const from[], size_t components, void *to, size_t stride_bytes, size_t begin, size_t end),             \
        (from, components, to, stride_bytes, begin, end))                                                              \
    ROW(interpolate, gyre_interpolate,                                                                                 \
        (const float *before, const float *now, float part, float *out, size_t begin, size_t end),                     \
        (before, now, part, out, begin, end))                                                                          \
    ROW(limit_length, gyre_limit_length,                                                                               \
        (float *const v[], size_t components, float longest, size_t begin, size_t end),                                \
        (v, components, longest, begin, end))                                                                          \
    ROW(find_awake, gyre_find_awake,                                                                                   \
        (const uint8_t *awake, uint32_t *indices, size_t *found, size_t begin, size_t end),                            \
        (awake, indices, found, begin, end))                                                                           \
    ROW(hash, gyre_hash, (float *const arrays[], size_t components, uint64_t *out, size_t begin, size_t end),          \
        (arrays, components, out, begin, end))                                                                         \
    ROW(hash_bytes, gyre_hash_bytes, (const uint8_t *bytes, uint64_t *hash, size_t begin, size_t end),                 \
        (bytes, hash, begin, end))                                                                                     \
    ROW(turn_targets, gyre_turn_targets,                                                                               \
        (float *target, const float *position, float period, size_t begin, size_t end),                                \
        (target, position, period, begin, end))

/* Kernels that take a few numbers, which are compiled once. All tables share the function gyre_scalar_MEMBER. */
#define GYRE_SPRING_SCALAR_KERNELS(ROW)                                                                                \
    ROW(spring_from_stiffness, gyre_spring_from_stiffness,                                                             \
        (float mass, float stiffness, float damping, gyre_spring *out), (mass, stiffness, damping, out))               \
    ROW(spring_from_response, gyre_spring_from_response, (float response_s, float damping_ratio, gyre_spring *out),    \
        (response_s, damping_ratio, out))                                                                              \
    ROW(spring_from_duration, gyre_spring_from_duration, (float duration_s, float bounce, gyre_spring *out),           \
        (duration_s, bounce, out))                                                                                     \
    ROW(spring_from_half_life, gyre_spring_from_half_life, (float half_life_s, float damping_ratio, gyre_spring *out), \
        (half_life_s, damping_ratio, out))                                                                             \
    ROW(spring_from_settling, gyre_spring_from_settling,                                                               \
        (float settling_s, float damping_ratio, float fraction, gyre_spring *out),                                     \
        (settling_s, damping_ratio, fraction, out))                                                                    \
    ROW(spring_to_stiffness, gyre_spring_to_stiffness,                                                                 \
        (gyre_spring spring, float mass, float *stiffness, float *damping), (spring, mass, stiffness, damping))        \
    ROW(spring_to_response, gyre_spring_to_response, (gyre_spring spring, float *response_s), (spring, response_s))    \
    ROW(spring_to_duration, gyre_spring_to_duration, (gyre_spring spring, float *duration_s, float *bounce),           \
        (spring, duration_s, bounce))                                                                                  \
    ROW(spring_settling_time, gyre_spring_settling_time,                                                               \
        (gyre_spring spring, float displacement, float velocity, float tolerance, float *out_s),                       \
        (spring, displacement, velocity, tolerance, out_s))                                                            \
    ROW(spring_peak, gyre_spring_peak,                                                                                 \
        (gyre_spring spring, float displacement, float velocity, float *time_s, float *peak),                          \
        (spring, displacement, velocity, time_s, peak))                                                                \
    ROW(smoothing_matrix_at, gyre_smoothing_matrix_at, (float half_life_s, float dt_s, gyre_spring_matrix *out),       \
        (half_life_s, dt_s, out))

#define GYRE_PARTICLE_SCALAR_KERNELS(ROW)                                                                              \
    ROW(damping_from_retention, gyre_damping_from_retention, (float fraction, float interval_s, float *out),           \
        (fraction, interval_s, out))                                                                                   \
    ROW(damping_from_half_life, gyre_damping_from_half_life, (float half_life_s, float *out), (half_life_s, out))      \
    ROW(damping_rest_position, gyre_damping_rest_position,                                                             \
        (float position, float velocity, float damping, float *out), (position, velocity, damping, out))               \
    ROW(damping_velocity_to_rest_at, gyre_damping_velocity_to_rest_at,                                                 \
        (float position, float where, float damping, float *out), (position, where, damping, out))                     \
    ROW(damping_time_to_speed, gyre_damping_time_to_speed, (float velocity, float damping, float speed, float *out_s), \
        (velocity, damping, speed, out_s))                                                                             \
    ROW(damping_time_to_position, gyre_damping_time_to_position,                                                       \
        (float position, float velocity, float damping, float where, float *out_s),                                    \
        (position, velocity, damping, where, out_s))                                                                   \
    ROW(rubber_band_offset, gyre_rubber_band_offset, (float distance, float dimension, float coefficient, float *out), \
        (distance, dimension, coefficient, out))                                                                       \
    ROW(rubber_band_distance, gyre_rubber_band_distance,                                                               \
        (float offset, float dimension, float coefficient, float *out), (offset, dimension, coefficient, out))

#define GYRE_CHAIN_SCALAR_KERNELS(ROW)                                                                                 \
    ROW(bone_from_spring, gyre_bone_from_spring, (gyre_spring spring, gyre_bone *bone), (spring, bone))                \
    ROW(bone_from_vrm, gyre_bone_from_vrm,                                                                             \
        (float stiffness, float drag_force, float gravity_power, float length, float rate, gyre_bone *bone),           \
        (stiffness, drag_force, gravity_power, length, rate, bone))

#define GYRE_BODY_SCALAR_KERNELS(ROW)                                                                                  \
    ROW(inertia_principal, gyre_inertia_principal, (const float tensor[6], float moments[3], float axes[4]),           \
        (tensor, moments, axes))                                                                                       \
    ROW(inertia_check, gyre_inertia_check, (const float tensor[6], gyre_inertia_kind *out), (tensor, out))             \
    ROW(inertia_nearest, gyre_inertia_nearest, (const float tensor[6], float nearest[6], float *excess),               \
        (tensor, nearest, excess))

#define GYRE_VECTOR_KERNELS(ROW)                                                                                       \
    GYRE_MATH_KERNELS(ROW)                                                                                             \
    GYRE_SPRING_KERNELS(ROW)                                                                                           \
    GYRE_PARTICLE_KERNELS(ROW)                                                                                         \
    GYRE_ROTATION_KERNELS(ROW)                                                                                         \
    GYRE_CHAIN_KERNELS(ROW) GYRE_BODY_KERNELS(ROW) GYRE_ARRAYS_KERNELS(ROW)
#define GYRE_SCALAR_KERNELS(ROW)                                                                                       \
    GYRE_SPRING_SCALAR_KERNELS(ROW)                                                                                    \
    GYRE_PARTICLE_SCALAR_KERNELS(ROW) GYRE_CHAIN_SCALAR_KERNELS(ROW) GYRE_BODY_SCALAR_KERNELS(ROW)
#define GYRE_KERNELS(ROW) GYRE_VECTOR_KERNELS(ROW) GYRE_SCALAR_KERNELS(ROW)

/* A kernel that is in the list but not in the public struct, or the reverse, does not compile. */
#ifndef __cplusplus
#define COUNT(member, plain, parameters, arguments) +1
_Static_assert(sizeof(gyre_kernels) ==
                   offsetof(gyre_kernels, math_exp) + (GYRE_KERNELS(COUNT)) * sizeof(void (*)(void)),
               "kernels/list.h and struct gyre_kernels must have the same kernels");
#undef COUNT
#endif

#define DECLARE_SCALAR(member, plain, parameters, arguments) gyre_status gyre_scalar_##member parameters;
GYRE_SCALAR_KERNELS(DECLARE_SCALAR)
#undef DECLARE_SCALAR

#endif
