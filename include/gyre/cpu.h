/* Instruction sets, and which one the plain functions use. Part of Gyre: see gyre.h for what holds for all functions.

   A gyre_kernels is a table of all kernels for one instruction set and one rounding. The plain functions, such as
   gyre_springs_step, call the table in use. The members of a table can also be called directly, with the same
   arguments, checks and results. Any thread may call the functions of this header.

   The program chooses the table in use, by gyre_use. No environment variable does: a library cannot own one. */
#ifndef GYRE_CPU_H
#define GYRE_CPU_H

#include "body.h"
#include "chain.h"
#include "particle.h"
#include "rotation.h"
#include "spring.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Later versions add members before GYRE_ISA_COUNT; gyre_kernels_best knows which is better. */
typedef enum gyre_isa {
    GYRE_ISA_SCALAR,  /* plain C, on every CPU */
    GYRE_ISA_SSE2,    /* 4 lanes */
    GYRE_ISA_SSE41,   /* 4 lanes */
    GYRE_ISA_AVX2,    /* 8 lanes; FUSED needs FMA as well */
    GYRE_ISA_AVX512,  /* 16 lanes; F, DQ, BW and VL; FUSED needs FMA as well */
    GYRE_ISA_NEON,    /* 4 lanes, AArch64 */
    GYRE_ISA_WASM128, /* 4 lanes, WebAssembly without relaxed operations; PORTABLE alone */
    GYRE_ISA_COUNT
} gyre_isa;

typedef enum gyre_rounding {
    GYRE_ROUNDING_PORTABLE, /* no fused operation: the same bits on every instruction set and architecture */
    GYRE_ROUNDING_FUSED     /* fused multiply-add: faster; the same bits on every instruction set that has it */
} gyre_rounding;

/* A table of kernels. The functions below return it. Never make or copy one: later versions add members at the end. */
typedef struct gyre_kernels {
    gyre_isa isa;
    gyre_rounding rounding;

    gyre_status (*math_exp)(const float *x, float *y, size_t count);
    gyre_status (*math_expm1)(const float *x, float *y, size_t count);
    gyre_status (*math_log)(const float *x, float *y, size_t count);
    gyre_status (*math_sin)(const float *x, float *y, size_t count);
    gyre_status (*math_cos)(const float *x, float *y, size_t count);
    gyre_status (*math_sincos)(const float *x, float *sin, float *cos, size_t count);

    gyre_status (*spring_from_stiffness)(float mass, float stiffness, float damping, gyre_spring *out);
    gyre_status (*spring_from_response)(float response_s, float damping_ratio, gyre_spring *out);
    gyre_status (*spring_from_duration)(float duration_s, float bounce, gyre_spring *out);
    gyre_status (*spring_from_half_life)(float half_life_s, float damping_ratio, gyre_spring *out);
    gyre_status (*spring_from_settling)(float settling_s, float damping_ratio, float fraction, gyre_spring *out);
    gyre_status (*spring_matrix_at)(gyre_spring spring, float dt_s, gyre_spring_matrix *out);
    gyre_status (*springs_step)(const gyre_springs *springs, size_t begin, size_t end,
                                const gyre_spring_matrix *matrix);
    gyre_status (*spring_settling_time)(gyre_spring spring, float displacement, float velocity, float tolerance,
                                        float *out_s);
    gyre_status (*springs_step_palette)(const gyre_springs *springs, size_t begin, size_t end,
                                        const gyre_spring_matrix *palette, size_t palette_count, const uint16_t *index);
    gyre_status (*springs_step_each)(const gyre_springs *springs, size_t begin, size_t end,
                                     const float *angular_frequency, const float *damping_ratio, const float *follow,
                                     const float *time_scale, float dt_s);
    gyre_status (*springs_at)(const gyre_springs *start, size_t begin, size_t end, gyre_spring spring,
                              const float *elapsed_s, float *position_out, float *velocity_out);
    gyre_status (*orientation_springs_step)(const gyre_orientation_springs *springs, size_t begin, size_t end,
                                            const gyre_spring_matrix *matrix, float dt_s);
    gyre_status (*spring_to_stiffness)(gyre_spring spring, float mass, float *stiffness, float *damping);
    gyre_status (*spring_to_response)(gyre_spring spring, float *response_s);
    gyre_status (*spring_to_duration)(gyre_spring spring, float *duration_s, float *bounce);
    gyre_status (*spring_peak)(gyre_spring spring, float displacement, float velocity, float *time_s, float *peak);
    gyre_status (*smoothing_matrix_at)(float half_life_s, float dt_s, gyre_spring_matrix *out);

    gyre_status (*particle_matrix_at)(float damping, float dt_s, gyre_particle_matrix *out);
    gyre_status (*particles_step)(const gyre_particles *particles, size_t begin, size_t end,
                                  const gyre_particle_matrix *matrix);
    gyre_status (*particles_step_each)(const gyre_particles *particles, size_t begin, size_t end, const float *damping,
                                       const float *time_scale, float dt_s);
    gyre_status (*flings_step)(const gyre_flings *flings, size_t begin, size_t end, float dt_s);
    gyre_status (*damping_from_retention)(float fraction, float interval_s, float *out);
    gyre_status (*damping_from_half_life)(float half_life_s, float *out);
    gyre_status (*damping_rest_position)(float position, float velocity, float damping, float *out);
    gyre_status (*damping_velocity_to_rest_at)(float position, float where, float damping, float *out);
    gyre_status (*damping_time_to_speed)(float velocity, float damping, float speed, float *out_s);
    gyre_status (*damping_time_to_position)(float position, float velocity, float damping, float where, float *out_s);

    gyre_status (*rotation_matrix)(float *const v[3], float *const r[9], size_t begin, size_t end);
    gyre_status (*rotation_left_jacobian)(float *const v[3], float *const t[9], size_t begin, size_t end);
    gyre_status (*rotation_quaternion)(float *const v[3], float *const q[4], size_t begin, size_t end);
    gyre_status (*rotation_vector)(float *const q[4], float *const v[3], size_t begin, size_t end);
    gyre_status (*rotation_product)(float *const a[4], float *const b[4], float *const out[4], size_t begin,
                                    size_t end);
    gyre_status (*rotation_between)(float *const a[4], float *const b[4], float part, float *const out[4], size_t begin,
                                    size_t end);

    gyre_status (*bodies_step)(const gyre_bodies *bodies, size_t begin, size_t end, float dt_s,
                               const gyre_body_solver *solver, gyre_body_report *report);
    gyre_status (*bodies_kick)(const gyre_bodies *bodies, size_t begin, size_t end, float dt_s);
    gyre_status (*bodies_energy)(const gyre_bodies *bodies, size_t begin, size_t end, float *energy_J);
    gyre_status (*bodies_angular_velocity)(const gyre_bodies *bodies, size_t begin, size_t end, float *const omega[3]);
    gyre_status (*bodies_set_angular_velocity)(const gyre_bodies *bodies, size_t begin, size_t end,
                                               float *const omega[3]);
    gyre_status (*bodies_transforms)(const gyre_bodies *bodies, size_t begin, size_t end, const float *x,
                                     const float *y, const float *z, float *rows3x4, size_t stride_bytes);
    gyre_status (*inertia_principal)(const float tensor[6], float moments[3], float axes[4]);
    gyre_status (*inertia_check)(const float tensor[6], gyre_inertia_kind *out);

    gyre_status (*gather)(const void *from, size_t stride_bytes, size_t components, float *const to[], size_t begin,
                          size_t end);
    gyre_status (*scatter)(float *const from[], size_t components, void *to, size_t stride_bytes, size_t begin,
                           size_t end);
    gyre_status (*interpolate)(const float *before, const float *now, float part, float *out, size_t begin, size_t end);
    gyre_status (*limit_length)(float *const v[], size_t components, float longest, size_t begin, size_t end);
    gyre_status (*find_awake)(const uint8_t *awake, uint32_t *indices, size_t *found, size_t begin, size_t end);
    gyre_status (*hash)(float *const arrays[], size_t components, uint64_t *hash, size_t begin, size_t end);
    gyre_status (*turn_targets)(float *target, const float *position, float period, size_t begin, size_t end);
    gyre_status (*hash_bytes)(const uint8_t *bytes, uint64_t *hash, size_t begin, size_t end);
    gyre_status (*rubber_band_offset)(float distance, float dimension, float coefficient, float *out);
    gyre_status (*rubber_band_distance)(float offset, float dimension, float coefficient, float *out);
    gyre_status (*decelerate)(float *const position[], float *const velocity[], size_t components, float deceleration,
                              float dt_s, size_t begin, size_t end);
    gyre_status (*limit_targets)(float *const position[], float *const velocity[], float *const target_before[],
                                 float *const target[], size_t components, gyre_spring spring, float max_speed,
                                 float dt_s, float *const target_before_out[], float *const target_out[], size_t begin,
                                 size_t end);
    gyre_status (*rotation_apply)(float *const q[4], float *const v[3], float *const out[3], size_t begin, size_t end);
    gyre_status (*inertia_nearest)(const float tensor[6], float nearest[6], float *excess);
    gyre_status (*bone_from_spring)(gyre_spring spring, gyre_bone *bone);
    gyre_status (*bone_from_vrm)(float stiffness, float drag_force, float gravity_power, float length, float rate,
                                 gyre_bone *bone);
    gyre_status (*bone_chains_step)(const gyre_bone_chains *chains, size_t begin, size_t end, float dt_s);
    gyre_status (*bone_chains_reset)(const gyre_bone_chains *chains, size_t begin, size_t end, float dt_s);
} gyre_kernels;

/* Returns the table of one instruction set and rounding.

   Returns  The table, which lives as long as the program. NULL if the build does not have it, if the CPU or the
            operating system cannot run it, or if a value is outside its enumeration.
   Cost     microseconds to query the CPU, tens of them in a virtual machine: call it at startup, not in every frame */
GYRE_API const gyre_kernels *gyre_kernels_for(gyre_isa isa, gyre_rounding rounding);

/* Returns the best (widest) table of a rounding that the build has and this machine can run.
   Every build has a PORTABLE table that every CPU of the architecture can run.

   Returns  The table, never NULL. If no FUSED table runs, FUSED gives the best PORTABLE one (gyre_kernels_rounding
            tells which it is).
   Cost     that of gyre_kernels_for */
GYRE_API const gyre_kernels *gyre_kernels_best(gyre_rounding rounding);

/* Makes `kernels` the table that the plain functions call from now on, in every thread, atomically.
   Calls in progress finish with the table that they started with, so a frame in which the table changes mixes the
   results of both.

   Returns  GYRE_OK, or GYRE_ERROR_NULL if kernels is NULL */
GYRE_API gyre_status gyre_use(const gyre_kernels *kernels);

/* Returns the table that the plain functions call, never NULL.
   It is the last one given to gyre_use, or else the best PORTABLE one. */
GYRE_API const gyre_kernels *gyre_in_use(void);

/* Returns the name of an instruction set for messages and logs, never NULL.
   "scalar", "sse2", "sse41", "avx2", "avx512", "neon" or "wasm128"; "unknown" for anything else. */
GYRE_API const char *gyre_isa_name(gyre_isa isa);

/* Returns the name of a rounding for messages and logs, never NULL.
   "portable" or "fused"; "unknown" for anything else. */
GYRE_API const char *gyre_rounding_name(gyre_rounding rounding);

/* Returns the instruction set that a table was made for; kernels must not be NULL. */
GYRE_API gyre_isa gyre_kernels_isa(const gyre_kernels *kernels);

/* Returns the rounding that a table was made for; kernels must not be NULL. */
GYRE_API gyre_rounding gyre_kernels_rounding(const gyre_kernels *kernels);

#ifdef __cplusplus
}
#endif

#endif
