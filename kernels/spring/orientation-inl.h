/* gyre_orientation_springs_step: springs on rotations, exact in the exponential coordinates of their targets. With y
   the rotation vector of q q_t^-1, t the target's angular velocity and T the left Jacobian (spring/README.md):

       y' = T(y)^-1 (omega - t) - y x t
       y  <- pos_pos y + pos_vel y' + (pos_ramp dt + pos_vel) t            q     <- exp(y) q_t
       y' <- vel_pos y + vel_vel y' + (vel_ramp dt + vel_vel - 1) t        omega <- T(y) (y' + y x t) + t */
#ifndef GYRE_SPRING_ORIENTATION_H
#define GYRE_SPRING_ORIENTATION_H

#include "math/scalar.h"
#include "rotation/quaternion-inl.h"
#include "simd/awake-inl.h"
#include "spring/state-inl.h"

/* Vectors in a block of stages: their lanes take 7 KiB with AVX-512. */
enum { ORIENTATION_VECTORS = 8 };

/* Which parts of a step a batch uses. */
typedef struct orientation_features {
    bool target, moving, rest, awake, skip;
} orientation_features;

/* The coefficients of a step; pos_rate and vel_rate are those of the target's angular velocity. */
typedef struct orientation_matrix {
    vf pos_pos, pos_vel, pos_rate, vel_pos, vel_vel, vel_rate;
    vf keeps_rate; /* 1; 0 where the matrix gives a velocity of 0, as that of first-order smoothing does */
} orientation_matrix;

/* What the blocks of a call share. */
typedef struct orientation_context {
    gyre_orientation_springs springs;
    orientation_features has;
    orientation_matrix matrix;
    vf inverse_dt;
    vf inverse_rest_sine, inverse_rest_speed; /* 1 / sin(rest_angle / 2), 1 / rest_speed; 0 without rest limits */
} orientation_context;

/* What a vector of springs keeps from stage to stage: y, y', t. */
typedef struct orientation_lanes {
    vf4 target;
    vf3 y, rate, target_rate;
} orientation_lanes;

/* ---- Quaternions and vectors ---- */

VF_INLINE vf3 load3(float *const v[3], size_t i, size_t n) { return vf3_load_n(v[0], v[1], v[2], i, n); }

/* With the length 1. One within 8 eps of that keeps its bits, so that a spring at rest has its target's. Lanes beyond
   the n quaternions hold the identity. */
VF_INLINE vf4 load_unit_quaternion(const float *const q[4], size_t i, size_t n)
{
    const vf one = vf_set1(1), w = vf_load_n(q[3] + i, n);
    const vf4 a = {vf3_load_n(q[0], q[1], q[2], i, n), n == VF_LANES ? w : vf_select(vm_first(n), w, one)};
    const vf square = vf4_guarded_square(a);
    const vm is_unit = vf_is_unit_within(0x1p-20f, square);
    return vm_all(is_unit) ? a : vf4_scale(vf_select(is_unit, one, inverse_length(square)), a);
}

/* q - other, with -q in place of q where that is nearer. *cosine is |q . other|. */
VF_INLINE vf4 short_difference(vf4 q, vf4 other, vf *cosine)
{
    const vf dot = vf_mul_add(q.w, other.w, vf3_dot(q.v, other.v));
    *cosine = vf_abs(dot);
    const vf sign = vf_xor(dot, *cosine);
    return (vf4){{vf_sub(vf_xor(q.v.x, sign), other.v.x), vf_sub(vf_xor(q.v.y, sign), other.v.y),
                  vf_sub(vf_xor(q.v.z, sign), other.v.z)},
                 vf_sub(vf_xor(q.w, sign), other.w)};
}

/* Where displacements, component by component, end and become 0: far above where their products are subnormal. */
#define ORIENTATION_LEAST 0x1p-62f

/* q other^-1, the short way. Its vector part is that of (q - other) other^-1: nothing cancels where they are near each
   other, and it is 0 where they are equal. */
VF_INLINE vf4 short_turn(vf4 q, vf4 other)
{
    vf cosine;
    const vf4 difference = short_difference(q, other, &cosine);
    const vf3 v = vf3_zero_below(ORIENTATION_LEAST, difference.v);
    const vf w = vf_zero_where(vf_lt(vf_abs(difference.w), vf_set1(ORIENTATION_LEAST)), difference.w);
    const vf3 across = vf3_neg_scale_add(w, other.v, vf3_cross(other.v, v));
    return (vf4){vf3_scale_add(other.w, v, across), cosine};
}

/* p q as q + (p - 1) q, with p = (v, 1 + w_minus_1): a small turn is rounded once. */
VF_INLINE vf4 turned_by(vf3 v, vf w_minus_1, vf4 q) { return vf4_add(q, quaternion_product((vf4){v, w_minus_1}, q)); }

/* Components of a rotation vector below 2^-30 rad change no product with it by as much as half an ulp of the sum that
   it is added to. They are 0, lest products of two small numbers be subnormal. */
VF_INLINE vf3 turning_part(vf3 y) { return vf3_zero_below(0x1p-30f, y); }

VF_INLINE vm is_zero(vf3 a)
{
    const vf zero = vf_set1(0);
    return vm_and(vm_and(vf_eq(a.x, zero), vf_eq(a.y, zero)), vf_eq(a.z, zero));
}

/* Whether |a| is within a limit, of which the inverse is given. */
VF_INLINE vm is_within(vf inverse_limit, vf3 a)
{
    return vf_le(vf3_guarded_square(vf3_scale(inverse_limit, a)), vf_set1(1));
}

/* ---- The stages ---- */

VF_INLINE vf4 load_target(const orientation_context *c, size_t i, size_t n)
{
    const vf zero = vf_set1(0);
    return c->has.target ? load_unit_quaternion(c->springs.target, i, n) : (vf4){{zero, zero, zero}, vf_set1(1)};
}

VF_INLINE vf4 load_orientation(const orientation_context *c, size_t i, size_t n)
{
    float *const *q = c->springs.orientation;
    return load_unit_quaternion((const float *const[4]){q[0], q[1], q[2], q[3]}, i, n);
}

/* The rotation vector of a turn. Where it is half a turn, within rounding, either way is short: a spring goes on the
   way it turns. */
VF_INLINE vf3 displacement_vector(vf4 turn, vf3 relative)
{
    const vf3 y = quaternion_log(turn);
    const vm is_half_turn = vf_le(turn.w, vf_set1(0x1p-23f));
    if (!vm_any(is_half_turn)) {
        return y;
    }
    return vf3_select(vm_and(is_half_turn, vf_lt(vf_set1(0), vf3_dot(y, relative))), vf3_neg(y), y);
}

/* The displacement, and in place of its rate the angular velocity relative to the target's. */
VF_INLINE void find_displacement(const orientation_context *c, orientation_lanes *l, size_t i, size_t n)
{
    const vf zero = vf_set1(0);
    const vf4 target = load_target(c, i, n);
    const vf4 before = c->has.moving ? load_unit_quaternion(c->springs.target_before, i, n) : target;
    const vf3 t =
        c->has.moving ? vf3_scale(c->inverse_dt, quaternion_log(short_turn(target, before))) : (vf3){zero, zero, zero};
    l->target = target;
    l->target_rate = t;
    l->rate = vf3_sub(load3(c->springs.angular_velocity, i, n), t);
    l->y = displacement_vector(short_turn(load_orientation(c, i, n), before), l->rate);
}

VF_INLINE void find_rate(const orientation_context *c, orientation_lanes *l)
{
    const vf3 y = turning_part(l->y);
    l->rate = inverse_left_jacobian_mul(y, half_rotation_of_vector(y), l->rate);
    if (c->has.moving) {
        l->rate = vf3_sub(l->rate, vf3_cross(y, l->target_rate));
    }
}

VF_INLINE void apply_matrix(const orientation_context *c, orientation_lanes *l)
{
    const orientation_matrix *m = &c->matrix;
    vf3 y = vf3_scale_add(m->pos_pos, l->y, vf3_scale(m->pos_vel, l->rate));
    vf3 rate = vf3_scale_add(m->vel_pos, l->y, vf3_scale(m->vel_vel, l->rate));
    if (c->has.moving) {
        y = vf3_scale_add(m->pos_rate, l->target_rate, y);
        rate = vf3_scale_add(m->vel_rate, l->target_rate, rate);
        l->target_rate = vf3_scale(m->keeps_rate, l->target_rate);
    }
    l->y = vf3_zero_below(ORIENTATION_LEAST, y);
    l->rate = vf3_flushed(rate);
}

VF_INLINE void store_awake_orientations(const orientation_context *c, vf4 q, vf3 omega, vf4 target, size_t i, size_t n)
{
    vf cosine;
    const vf4 d = short_difference(q, target, &cosine);
    vm moves = vm_not(vm_and(vm_and(is_zero(d.v), vf_eq(d.w, vf_set1(0))), is_zero(omega)));
    if (c->has.skip) {
        moves = vm_and(moves, vm_load_awake(c->springs.awake + i, n));
    }
    vm_store_bytes_n(c->springs.awake + i, moves, n);
}

VF_INLINE void store_orientation_springs(const orientation_context *c, vf4 q, vf3 omega, size_t i, size_t n)
{
    const gyre_orientation_springs *s = &c->springs;
    if (c->has.skip) {
        const vm awake = vm_load_awake(s->awake + i, n);
        q = vf4_select(awake, q, vf4_load_n(s->orientation, i, n));
        omega = vf3_select(awake, omega, load3(s->angular_velocity, i, n));
    }
    vf4_store_n(s->orientation, q, i, n);
    vf3_store_n(s->angular_velocity, omega, i, n);
}

VF_INLINE void turn_orientations(const orientation_context *c, const orientation_lanes *l, size_t i, size_t n)
{
    const vf3 y = turning_part(l->y), t = l->target_rate;
    const half_rotation by = half_rotation_of_vector(y);
    const vf3 half = vf3_scale(vf_mul(vf_set1(0.5f), by.sine), l->y);
    vf4 q = turned_by(half, by.cosine_minus_1, l->target);
    vf3 omega = c->has.moving ? vf3_add(left_jacobian_mul(y, by, vf3_add(l->rate, vf3_cross(y, t))), t)
                              : left_jacobian_mul(y, by, l->rate);
    if (c->has.rest) {
        const vm rests = vm_and(is_within(c->inverse_rest_sine, half), is_within(c->inverse_rest_speed, omega));
        q = vf4_select(rests, l->target, q);
        omega = (vf3){vf_zero_where(rests, omega.x), vf_zero_where(rests, omega.y), vf_zero_where(rests, omega.z)};
    }
    store_orientation_springs(c, q, omega, i, n);
    if (c->has.awake) {
        store_awake_orientations(c, q, omega, l->target, i, n);
    }
}

VF_INLINE void orientation_block(const void *context, size_t i, size_t vectors, size_t n)
{
    const orientation_context *c = context;
    orientation_lanes lanes[ORIENTATION_VECTORS];
    size_t first = 0;
    do { /* not `for`: gcc would warn of lanes that no pass fills */
        find_displacement(c, &lanes[first], i + first * VF_LANES, n);
    } while (++first < vectors);
    for (size_t v = 0; v < vectors; v++) {
        find_rate(c, &lanes[v]);
        apply_matrix(c, &lanes[v]);
    }
    for (size_t v = 0; v < vectors; v++) {
        turn_orientations(c, &lanes[v], i + v * VF_LANES, n);
    }
}

/* ---- The call ---- */

static bool has_four(const float *const q[4]) { return q[0] != NULL && q[1] != NULL && q[2] != NULL && q[3] != NULL; }

static gyre_status check_orientation_springs(const gyre_orientation_springs *s, size_t begin, size_t end)
{
    if (!is_range(begin, end, s->count)) {
        return GYRE_ERROR_RANGE;
    }
    if (!is_finite_not_negative(s->rest_angle) || !is_finite_not_negative(s->rest_speed)) {
        return GYRE_ERROR_VALUE;
    }
    if (begin == end) {
        return GYRE_OK;
    }
    const bool targets =
        s->target[0] == NULL || (has_four(s->target) && (s->target_before[0] == NULL || has_four(s->target_before)));
    const bool all = are_given(s->orientation, 4) && are_given(s->angular_velocity, 3) && targets &&
                     (!s->skip_asleep || s->awake != NULL);
    return all ? GYRE_OK : GYRE_ERROR_NULL;
}

/* Whether the parts of a matrix that moving targets need are finite. */
static bool has_finite_ramps(const gyre_spring_matrix *m)
{
    return are_finite(m->pos_ramp, m->vel_ramp, m->low[1] + m->low[3], m->low[4] + m->low[5]);
}

static orientation_matrix orientation_matrix_of(const gyre_spring_matrix *m, float dt_s)
{
    const double dt = dt_s, low_pos_vel = m->low[1], low_vel_vel = m->low[3], low_pos = m->low[4], low_vel = m->low[5];
    const bool keeps_rate = m->vel_pos != 0 || m->vel_vel != 0 || m->vel_ramp != 0;
    const double pos_rate = (m->pos_ramp + low_pos) * dt + (m->pos_vel + low_pos_vel);
    const double vel_rate = (m->vel_ramp + low_vel) * dt + (m->vel_vel + low_vel_vel) - 1;
    return (orientation_matrix){
        .pos_pos = vf_set1(m->pos_pos),
        .pos_vel = vf_set1(m->pos_vel),
        .pos_rate = vf_set1((float)pos_rate),
        .vel_pos = vf_set1(m->vel_pos),
        .vel_vel = vf_set1(m->vel_vel),
        .vel_rate = vf_set1(keeps_rate ? (float)vel_rate : 0),
        .keeps_rate = vf_set1(keeps_rate),
    };
}

/* 1 / limit, finite: what is 0 is within the smallest limit. */
static float inverse_limit(float limit) { return limit < 0x1p-126f ? 0x1p126f : 1 / limit; }

/* 1 / sin(angle / 2); from pi on so small that every displacement is within. */
static float inverse_half_sine(float angle)
{
    if (angle >= (float)scalar_pi) {
        return 0.5f;
    }
    double cosine, sine;
    scalar_cos_sin(0.5 * angle, &cosine, &sine);
    return inverse_limit((float)sine);
}

/* A step of no time: states keep their bits, and `awake` is written. */
static void write_awake_only(const orientation_context *c, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i += VF_LANES) {
        const size_t n = vf_lanes_left(i, end);
        const vf3 omega = load3(c->springs.angular_velocity, i, n);
        store_awake_orientations(c, load_orientation(c, i, n), omega, load_target(c, i, n), i, n);
    }
}

static __attribute__((noinline)) void step_orientations(const orientation_context *context, size_t begin, size_t end)
{
    const orientation_context copy = *context; /* which no other function sees: it stays in registers */
    vf_staged_range(orientation_block, &copy, ORIENTATION_VECTORS, copy.springs.orientation[0], begin, end);
}

GYRE_KERNEL_FUNCTION gyre_status orientation_springs_step(const gyre_orientation_springs *springs, size_t begin,
                                                          size_t end, const gyre_spring_matrix *matrix, float dt_s)
{
    if (springs == NULL || matrix == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite_matrix(matrix) || !is_finite(dt_s)) {
        return GYRE_ERROR_VALUE;
    }
    const gyre_status status = check_orientation_springs(springs, begin, end);
    if (status != GYRE_OK || begin == end) {
        return status;
    }
    const bool has_target = springs->target[0] != NULL, moving = has_target && springs->target_before[0] != NULL;
    if (moving && !has_finite_ramps(matrix)) {
        return GYRE_ERROR_VALUE;
    }
    const bool rest = springs->rest_angle > 0 && springs->rest_speed > 0;
    const orientation_context context = {
        .springs = *springs,
        .has = {.target = has_target,
                .moving = moving,
                .rest = rest,
                .awake = springs->awake != NULL,
                .skip = springs->skip_asleep},
        .matrix = orientation_matrix_of(matrix, dt_s),
        .inverse_dt = vf_set1(dt_s >= 0x1p-126f || dt_s <= -0x1p-126f ? 1 / dt_s : 0),
        .inverse_rest_sine = vf_set1(rest ? inverse_half_sine(springs->rest_angle) : 0),
        .inverse_rest_speed = vf_set1(rest ? inverse_limit(springs->rest_speed) : 0),
    };
    if (is_identity(matrix)) {
        if (context.has.awake) {
            write_awake_only(&context, begin, end);
        }
    } else if (context.has.skip) {
        const uint8_t *awake = springs->awake;
        for (awake_run run = next_awake_run(awake, begin, end); run.begin < run.end;
             run = next_awake_run(awake, run.end, end)) {
            step_orientations(&context, run.begin, run.end);
        }
    } else {
        step_orientations(&context, begin, end);
    }
    return GYRE_OK;
}

#endif
