/* Every step of Gyre with one lane, as a GPU thread would run it. tests/build/gpu.py compiles this file as OpenCL C and
   as CUDA; it is never run. The features come from memory, so that every branch is compiled. */
#define GYRE_LANES 1
#ifndef GYRE_FUSED
#define GYRE_FUSED 0
#endif

#include "body/kick_step-inl.h"
#include "body/methods/axisymmetric-inl.h"
#include "body/methods/midpoint_trapezoid_euler-inl.h"
#include "body/methods/moser_veselov-inl.h"
#include "body/methods/small_angle-inl.h"
#include "body/observables_step-inl.h"
#include "body/plain-inl.h"
#include "body/substeps-inl.h"
#include "chain/step-inl.h"
#include "particle/forms-inl.h"
#include "particle/fling_forms-inl.h"
#include "particle/friction_step-inl.h"
#include "particle/matrix-inl.h"
#include "rotation/step-inl.h"
#include "spring/forms-inl.h"
#include "spring/matrix-inl.h"
#include "spring/max_speed_step-inl.h"
#include "spring/orientation_step-inl.h"
#include "spring/ramp-inl.h"

#include "particle/bounces.c"
#include "particle/coefficients.c"
#include "particle/fling_after.c"
#include "spring/bounces.c"
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

GYRE_DEVICE bool gpu_spring_is_unsettled(unsigned has, vf_spring_settings s, vf_spring_input in)
{
    return vf_spring_is_unsettled(has, s, in);
}

GYRE_DEVICE bool gpu_spring_with_low_parts_is_unsettled(unsigned has, vfd_spring_settings s, vfd_spring_input in)
{
    return vfd_spring_is_unsettled(has, s, in);
}

GYRE_DEVICE vf_spring_matrix gpu_spring_matrix(spring_parameters p, float follow)
{
    return spring_with_ramps(spring_matrix_at_once(p), p, follow);
}

GYRE_DEVICE limited_targets gpu_limited_targets(speed_limit s, pursuit p) { return limited_targets_of(s, 3, p); }

/* ---- Springs on rotations ---- */

GYRE_DEVICE orientation_state gpu_orientation(unsigned has, orientation_settings s, orientation_input in)
{
    const orientation_motion motion = orientation_advance(has, s, orientation_displacement(has, s, in));
    return orientation_turn(has, s, in.target, motion);
}

GYRE_DEVICE bool gpu_orientation_is_unsettled(orientation_state state, vf4 target)
{
    return orientation_is_unsettled(state, target);
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

GYRE_DEVICE vf_fling_state gpu_fling(unsigned has, fling_motion motion, vf_fling_settings s, vf_fling_input in)
{
    return vf_fling_advance(has, motion, s, in);
}

GYRE_DEVICE vfd_fling_state gpu_fling_with_low_parts(unsigned has, fling_motion motion, vfd_fling_settings s,
                                                     vfd_fling_input in)
{
    return vfd_fling_advance(has, motion, s, in);
}

GYRE_DEVICE bool gpu_fling_is_unsettled(vf_fling_input in) { return vf_fling_is_unsettled(in); }

GYRE_DEVICE vf gpu_friction(friction_settings s, vfd x, vfd v0, vfd v1)
{
    const vfd v[2] = {v0, v1};
    const friction_change change = friction_of(s, vfd_length(v, 2));
    return friction_position(change, (vf)x, v0) + friction_velocity(change, v1);
}

/* ---- Rotations ---- */

GYRE_DEVICE rotation_entries gpu_rotation(rotation_kind kind, vf3 vector) { return rotation_of_any(kind, vector); }

GYRE_DEVICE vf3 gpu_rotation_vector(vf4 a, vf4 b) { return quaternion_log(quaternion_product(a, b)); }

GYRE_DEVICE vf3 gpu_rotation_apply(vf4 q, vf3 v) { return quaternion_apply(q, v); }

GYRE_DEVICE vf4 gpu_rotation_between(float part, vf4 a, vf4 b)
{
    return rotation_between_of(part, a, b, angle_between_of(a, b));
}

GYRE_DEVICE vf4 gpu_rotation_beyond(float part, vf4 a, vf4 b) { return rotation_beyond(part, a, b); }

/* ---- Chains of bones ---- */

GYRE_DEVICE chain_orientation gpu_bone(chain_settings s, const float *numbers, chain_joint joint, chain_air air,
                                       vf4 orientation, vf3 velocity, chain_obstacle obstacle)
{
    vf number[20];
    for (int k = 0; k < 20; k++) {
        number[k] = numbers[k];
    }
    chain_bone bone = chain_bone_of(number);
    chain_scale_bone(&bone, 2);
    chain_motion m;
    chain_course at = {.e = quaternion_apply(orientation, bone.axis)};
    const chain_pulls pulls = chain_begin(s, bone, joint, air, velocity, &m, &at);
    const chain_target target = chain_follow(s, pulls, m.pose.rest, &at);
    at = chain_move(bone, chain_bone_matrix(s, bone, m.w2), target, chain_chart(target.at, at));
    chain_direction d = chain_limited(bone, m.pose, chain_direction_of(bone, m.pose.rest, target.at, at));
    const chain_tail tail = chain_tail_of(bone, joint.head);
    d = chain_off_sphere(true, obstacle.position, obstacle.radius, tail, d);
    d = chain_off_plane(obstacle, tail, chain_off_capsule(false, obstacle, tail, d));
    return chain_turn_bone(bone, m.pose, joint.parent, d.e);
}

GYRE_DEVICE vf3 gpu_bone_at_rest(chain_bone bone, chain_pose pose, chain_air air)
{
    return chain_rest_direction(bone, pose, air, air.wind);
}

/* ---- Bodies: one sub-step of each method, on one lane ---- */

GYRE_DEVICE vf4 gpu_moser_veselov(int order, vf4 q, body_shape shape, body_start start, body_angle angle)
{
    curve_state curve;
    curve.energy = curve_energy(start.mu, angle.t);
    curve.b = curve_b(shape, start.mu, angle.t);
    curve.constants = curve_constants_of(shape, start.mu, angle.t);
    curve.time = curve_time_of(order, curve.b);
    curve.time.point = point_on_curve(curve.time.point);
    const curve_products products = curve_products_of(shape, angle.t);
    const vf u = curve_u(curve, angle.square);
    const curve_place place = curve_place_of(shape, start.mu, angle.t);
    const vm by_series =
        excess_of_series(longest_of_series(order), curve, shape.inverse.product) <= 0 && is_compact(shape.inertia);
    const curve_delta delta = curve_delta_select(by_series, delta_of_series(order, curve, shape.inverse.product, u),
                                                 delta_exact_at_axes(order, place, curve.energy, u));
    const vf3 k = vf3_add_scalar(shape.inverse.inertia, quotient(delta));
    const curve_y found =
        curve_y_of(start.mu, products, sum_of_pairs(curve.b), curve.time.point, curve_p(curve.time.point));
    cayley_vector turn = refined_c(start.mu, k, found);
    const vm ill = vm_not(is_well_conditioned(shape.inertia, angle));
    turn = refined_c_by_newton(ill, turn.c, start.mu, k, found, shape.inverse.inertia);
    const vf4 increment = increment_of(q, cayley_turn(turn, start.square));
    const vf4 next = energy_kept(orientation_sum(q, increment, turn.square, products.e));
    return vf_lt(0.5f, refinement_square(true, turn, k, found.y))
               ? q
               : kept_where_still(is_turn(turn), vf4_settled(next), q);
}

GYRE_DEVICE vd4 gpu_moser_veselov_with_low_parts(vd4 q, precise_start start, vd3 inertia, vd inverse_product,
                                                 vd time_minus_1, vd inverse_p, vd delta)
{
    const vd3 k = precise_inverse(inertia, inverse_product);
    const vd4 turn = precise_cayley(precise_curve_of(start.mu, k, time_minus_1, inverse_p), k, delta);
    const vf length = inverse_of_lengths((float)vd4_square(q), (float)vd4_square(turn));
    return turns_along_curve(length, 1) ? vd4_scaled_guarded(length, vd4_turned(q, turn)) : q;
}

GYRE_DEVICE vf4 gpu_exponential(gyre_body_method method, vf4 q, body_shape shape, body_start start, body_angle angle)
{
    rotation_guess guess = first_guess(false, start.mu, angle.t, shape.inverse.inertia, true);
    const turned_momentum turned = turned_momentum_of(method, guess.v, start.mu);
    const vf3 spin = turned_spin(turned, shape.inverse.inertia);
    vf3 residual = method == GYRE_BODY_TRAPEZOID
                       ? trapezoid_residual(guess.v, angle.t, spin)
                       : rotation_residual(method, guess.v, start.mu, turned.mu, shape.inertia);
    vf33_inverse inverse = inverse_of_matrix(rotation_jacobian(method, turned, spin, shape));
    inverse = inverse_select(guess.active, inverse, inverse_of_fixed_point(method, shape.inverse.inertia));
    guess = corrected(guess, turned.square, inverse, residual, 0x1p-14f);
    const vf3 w = momentum_turned_by_quaternion(guess.v, start.mu);
    residual = rotation_residual(method, guess.v, start.mu, w, shape.inertia);
    const rotation_solution solution = solution_of(guess, inverse, residual);
    return correction_ratio_square(guess) < 1 ? vf4_add(q, increment_of(q, exponential_turn(solution, start.square)))
                                              : q;
}

GYRE_DEVICE vd4 gpu_exponential_with_low_parts(vd4 q, vd3 v, vd w_minus_1) { return precisely_turned(q, v, w_minus_1); }

GYRE_DEVICE vf3 gpu_explicit_euler(vf4 q, vf square, vf3 momentum, vf3 t)
{
    return euler_momentum(q, square, momentum, euler_solution(t).v);
}

GYRE_DEVICE vf4 gpu_small_angle(vf4 q, body_shape shape, body_start start, body_angle angle)
{
    const cayley_vector by = small_angle_turn(angle.t, shape);
    const vm small = are_small_angles(small_angle_square(GYRE_BODY_MOSER_VESELOV, true), angle, shape.inertia);
    return small && are_turning_at_all(angle.t) ? vf4_add(q, increment_of(q, cayley_turn(by, start.square))) : q;
}

GYRE_DEVICE vd4 gpu_small_angle_with_low_parts(vd4 q, vd3 mu, vd3 inertia, vd inverse_product)
{
    return precisely_turned_by_small_angle(q, mu, inertia, inverse_product);
}

GYRE_DEVICE single_quaternion gpu_axisymmetric(single_quaternion q, single_vector momentum, single_vector inertia,
                                               double h)
{
    return axisymmetric_turned(q, momentum, inertia, h);
}

GYRE_DEVICE body_substeps gpu_substeps(gyre_body_method method, vf dt, body_shape shape, vf3 mu, body_angle angle)
{
    const vm planned = is_planned(method, false, shape.inertia, mu, angle);
    const body_wanted wanted = wanted_substeps(method, dt, shape.inertia, mu, angle.t);
    const bool closed = are_fast_and_axisymmetric(shape.inertia, planned, wanted.substeps);
    return substeps_within(closed && is_tame(angle.t) ? 1 : 1024, dt, wanted);
}

GYRE_DEVICE body_start gpu_start(vf4 q, vf3 momentum, vf half_h) { return start_of(q, momentum, half_h); }

GYRE_DEVICE precise_start gpu_precise_start(vd4 q, vd3 momentum, vd half_h)
{
    return precise_start_of(q, momentum, half_h);
}

GYRE_DEVICE body_repaired gpu_repaired(body_values body, vm planned)
{
    const vf square = vf4_square(body.orientation);
    body_repaired all = repaired(body);
    all.scale = is_plain(planned, square, body.inertia, body.momentum) &&
                        is_valid_shape(body.orientation, body.low, body.inertia)
                    ? 1
                    : all.scale;
    return all;
}

GYRE_DEVICE vf3 gpu_kick(double damping, double dt_s, body_pushed p)
{
    const body_kicks kicks = kicks_of(damping, dt_s);
    p.torque = torque_in_world(p.orientation, p.torque);
    return vf3_add(vf3_add(momentum_after(true, kicks.end, p), momentum_in_drift(kicks, p)),
                   momentum_after_euler(kicks, p));
}

GYRE_DEVICE vd3 gpu_kick_with_low_parts(double damping, double dt_s, precise_pushed p, vd4 q)
{
    const body_kicks kicks = kicks_of(damping, dt_s);
    p.torque = precise_torque_in_world(q, 1, p.torque);
    return vd3_add(precisely_kicked(kicks.end, p).high, precise_momentum_in_drift(kicks, p).high);
}

GYRE_DEVICE vf gpu_energy(vf4 q, vf3 momentum, vf3 inertia)
{
    const body_inverse_square square = inverse_square_of(q);
    const vf3 in_body = momentum_in_body(q, momentum, vf4_square(q), 1);
    const vf3 omega = angular_velocity_of(in_body, inertia, square.valid);
    return energy_of(vector_in_world(q, in_body), omega);
}

GYRE_DEVICE vd3 gpu_momentum_of(vd4 q, vd3 inertia, vd3 omega)
{
    return precise_momentum_of(q, inertia, precisely_seen(q, omega));
}

GYRE_DEVICE body_rows gpu_matrix(vf4 q, vf3 position)
{
    return body_rows_of(q, inverse_square_of(q).inverse, position);
}

/* ---- Elementary functions ---- */

GYRE_DEVICE float gpu_functions(float x) { return vf_exp(x) + vf_expm1(x) + vf_log(x) + vf_sin(x) + vf_cos(x); }
