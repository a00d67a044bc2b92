/* Every step of Gyre with one lane, as a thread of a GPU would run it. tests/build/gpu.py compiles this file as OpenCL
   C and as CUDA; nothing runs it. The features come from memory, so that every branch is compiled. */
#define GYRE_LANES 1
#ifndef GYRE_FUSED
#define GYRE_FUSED 0
#endif

#include "particle/forms-inl.h"
#include "particle/fling_step-inl.h"
#include "particle/matrix-inl.h"
#include "rotation/step-inl.h"
#include "spring/forms-inl.h"
#include "spring/matrix-inl.h"
#include "spring/orientation_step-inl.h"
#include "spring/ramp-inl.h"

#include "particle/coefficients.c"
#include "particle/flings.c"
#include "spring/coefficients.c"

/* ---- Springs ---- */

GYRE_DEVICE vf_spring_state gpu_spring(unsigned has, vf_spring_settings s, vf_spring_matrix m, vf_spring_input in)
{
    return vf_spring_advance_by_own(has, s, m, in);
}

GYRE_DEVICE vfd_spring_state gpu_spring_with_low_parts(unsigned has, vfd_spring_settings s, vfd_spring_matrix m,
                                                       vfd_spring_input in)
{
    return vfd_spring_advance_by_own(has, s, m, in);
}

GYRE_DEVICE bool gpu_spring_is_awake(unsigned has, vf_spring_settings s, vf_spring_input in, vf_spring_state next)
{
    return vf_spring_is_awake(has, s, in, next);
}

GYRE_DEVICE bool gpu_spring_with_low_parts_is_awake(unsigned has, vfd_spring_settings s, vfd_spring_input in,
                                                    vfd_spring_state next)
{
    return vfd_spring_is_awake(has, s, in, next);
}

GYRE_DEVICE vf_spring_matrix gpu_spring_matrix(spring_parameters p, float follow)
{
    return spring_with_ramps(spring_matrix_at_once(p), p, follow);
}

/* ---- Springs on rotations ---- */

GYRE_DEVICE orientation_state gpu_orientation(unsigned has, orientation_settings s, orientation_input in)
{
    const orientation_motion motion = orientation_advance(has, s, orientation_displacement(has, s, in));
    return orientation_turn(has, s, in.target, motion);
}

GYRE_DEVICE bool gpu_orientation_is_awake(orientation_state state, vf4 target)
{
    return orientation_is_awake(state, target);
}

/* ---- Particles and flings ---- */

GYRE_DEVICE vf_particle_state gpu_particle(unsigned has, float bounce, vf_particle_matrix m, vf_particle_input in)
{
    return vf_particle_advance(has, bounce, m, in);
}

GYRE_DEVICE vfd_particle_state gpu_particle_with_low_parts(unsigned has, float bounce, vfd_particle_matrix m,
                                                           vfd_particle_input in)
{
    return vfd_particle_advance(has, bounce, m, in);
}

GYRE_DEVICE vf_particle_matrix gpu_particle_matrix(float damping, float dt_s)
{
    return particle_any_matrix(particle_valid_damping(damping), particle_exponent(damping, dt_s), dt_s);
}

GYRE_DEVICE fling_state gpu_fling(unsigned has, fling_motion motion, fling_settings s, fling_input in)
{
    return fling_advance(has, motion, s, in);
}

/* ---- Rotations ---- */

GYRE_DEVICE rotation_entries gpu_rotation(rotation_kind kind, vf3 vector) { return rotation_of_any(kind, vector); }

GYRE_DEVICE vf3 gpu_rotation_vector(vf4 a, vf4 b) { return quaternion_log(quaternion_product(a, b)); }

GYRE_DEVICE vf4 gpu_rotation_between(float part, vf4 a, vf4 b)
{
    return rotation_between_of(part, a, b, angle_between_of(a, b));
}

GYRE_DEVICE vf4 gpu_rotation_beyond(float part, vf4 a, vf4 b) { return rotation_beyond(part, a, b); }

/* ---- Elementary functions ---- */

GYRE_DEVICE float gpu_functions(float x) { return vf_exp(x) + vf_expm1(x) + vf_log(x) + vf_sin(x) + vf_cos(x); }
