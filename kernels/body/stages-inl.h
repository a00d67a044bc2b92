/* One sub-step of a block with every method, in stages (simd/loops/stages-inl.h). A sub-step is a chain of operations
   of some 300 cycles, and a CPU looks ahead by some 250 instructions (Zen 3; others by fewer). */
#ifndef GYRE_BODY_STAGES_H
#define GYRE_BODY_STAGES_H

#include "body/methods/small_angle-inl.h"
#include "body/state-inl.h"

/* ---- Moser-Veselov ---- */

/* In the caller's arrays, unless the caller gives the number of sub-steps, all bodies are masses with a planned
   step. */
VF_INLINE bool all_well_conditioned(const body_block *b)
{
    return b->compact && !is_gathered(b) && b->plan->solver.substeps == 0;
}

/* `low`: a constant. */
VF_INLINE curve_state *curve_at(bool low, const body_block *b, size_t v)
{
    return low ? &b->states->cayley_low[v].curve : &b->states->cayley[v].curve;
}

VF_INLINE void find_curve_time(bool low, int order, const body_block *b, size_t v)
{
    curve_state *curve = curve_at(low, b, v);
    const vf3 of_curve = curve->b;
    if (!low) {
        b->states->cayley[v].b_pairs = sum_of_pairs(of_curve);
    }
    curve->time = curve_time_of(order, of_curve);
}

/* With low parts in one stage, because the rest is longer. */
VF_INLINE void find_curves(bool low, int order, const body_block *b)
{
    VF_EACH_VECTOR(v, b->vectors) {
        curve_state *curve = curve_at(low, b, v);
        const body_shape shape = shape_at(b, v);
        const vf3 mu = b->lanes[v].start.mu, t = b->lanes[v].angle.t;
        curve->energy = curve_energy(mu, t); /* first, or gcc has no register left for mu t */
        curve->b = curve_b(shape, mu, t);
        curve->constants = curve_constants_of(shape, mu, t);
        if (low) {
            find_curve_time(low, order, b, v);
        } else {
            b->states->cayley[v].products = curve_products_of(shape, t);
        }
    }
    if (!low) {
        VF_EACH_VECTOR(v, b->vectors) { find_curve_time(low, order, b, v); }
    }
    for (size_t v = 0; v < b->vectors && !all_well_conditioned(b); v++) {
        curve_state *curve = curve_at(low, b, v);
        curve->time.point = point_on_curve(curve->time.point);
    }
}

/* Returns the largest u. */
VF_INLINE vf find_phases(bool low, int order, const body_block *b)
{
    vf largest_u = vf_set1(0);
    VF_EACH_VECTOR(v, b->vectors) {
        const body_lanes *lanes = &b->lanes[v];
        const curve_state *curve = curve_at(low, b, v);
        const vf u = curve_u(*curve, lanes->angle.square);
        const curve_delta delta = delta_of_series(order, *curve, lanes->inverse.product, u);
        if (low) {
            cayley_low_state *s = &b->states->cayley_low[v];
            s->fraction = delta;
            s->inverse_p = vf_div(vf_set1(1), curve_p(curve->time.point));
            for (int half = 0; half < 2; half++) {
                s->k[half] = precise_inverse(precise_inertia_at(b, v, half), vd_load(&lanes->inverse.product, half));
            }
        } else {
            cayley_state *s = &b->states->cayley[v];
            s->k = vf3_add_scalar(lanes->inverse.inertia, quotient(delta));
            s->p = curve_p(curve->time.point);
        }
        largest_u = vf_max(u, largest_u);
    }
    return largest_u;
}

VF_INLINE vf excess_at(bool low, float longest_a, const body_block *b, size_t v)
{
    return excess_of_series(longest_a, *curve_at(low, b, v), b->lanes[v].inverse.product);
}

VF_INLINE bool are_all_short(bool low, float longest_a, const body_block *in_memory)
{
    const body_block copy = *in_memory, *const b = &copy;
    vf largest = vf_set1(0);
    VF_EACH_VECTOR(v, b->vectors) { largest = vf_max(excess_at(low, longest_a, b, v), largest); }
    return vm_all(vf_le(largest, vf_set1(0)));
}

/* Where the series of find_phases is not accurate enough. Not inlined: it would take registers from the common case. */
VF_SHARED void correct_phases(bool low, const body_block *b)
{
    const float longest_a = longest_of_series(b->plan->solver.order);
    if (b->compact && (low ? are_all_short(true, longest_a, b) : are_all_short(false, longest_a, b))) {
        return;
    }
    for (size_t v = 0; v < b->vectors; v++) {
        const body_lanes *lanes = &b->lanes[v];
        const curve_state *curve = curve_at(low, b, v);
        const vm by_series = vm_and(vf_le(excess_at(low, longest_a, b, v), vf_set1(0)), is_compact(inertia_at(b, v)));
        if (vm_all(by_series)) {
            continue;
        }
        const body_shape shape = shape_at(b, v);
        const vf u = curve_u(*curve, lanes->angle.square);
        const curve_place place = curve_place_of(shape, lanes->start.mu, lanes->angle.t);
        const curve_delta delta = delta_exact_at_axes(b->plan->solver.order, place, curve->energy, u);
        if (low) {
            curve_delta *fraction = &b->states->cayley_low[v].fraction;
            *fraction = curve_delta_select(by_series, *fraction, delta);
        } else {
            vf3 *k = &b->states->cayley[v].k;
            *k = vf3_select(by_series, *k, vf3_add_scalar(shape.inverse.inertia, quotient(delta)));
        }
    }
}

VF_INLINE vf follow_curves_of_order(bool low, int order, const body_block *b)
{
    find_curves(low, order, b);
    return find_phases(low, order, b);
}

/* `in_memory` is the block of which b is a copy. */
VF_INLINE void follow_curves(bool low, const body_block *b, const body_block *in_memory)
{
    const vf largest_u =
        b->plan->solver.order == 6 ? follow_curves_of_order(low, 6, b) : follow_curves_of_order(low, 8, b);
    if (!all_well_conditioned(b) || !vm_all(are_surely_short(b->plan->solver.order, largest_u))) {
        correct_phases(low, in_memory);
    }
}

/* Not inlined: it is rare, and would take registers from the common case. */
VF_RARE void refine_by_newton(vm ill_conditioned, cayley_state *s, const body_lanes *lanes)
{
    s->turn = refined_c_by_newton(ill_conditioned, s->turn.c, lanes->start.mu, s->k, s->found, lanes->inverse.inertia);
}

/* The block is copied so that the compiler knows that no store of a vector changes its pointers; likewise below. */
VF_SHARED void moser_veselov_substep(const body_block *in_memory)
{
    const body_block copy = *in_memory, *const b = &copy;
    const body_lanes *const lanes = b->lanes;
    cayley_state *const s = b->states->cayley;
    follow_curves(false, b, in_memory);
    VF_EACH_VECTOR(v, b->vectors) {
        s[v].found = curve_y_of(lanes[v].start.mu, s[v].products, s[v].b_pairs, s[v].curve.time.point, s[v].p);
    }
    VF_EACH_VECTOR(v, b->vectors) { s[v].turn = refined_c(lanes[v].start.mu, s[v].k, s[v].found); }
    for (size_t v = 0; v < b->vectors && !all_well_conditioned(b); v++) {
        const vm well = is_well_conditioned(inertia_at(b, v), lanes[v].angle);
        const vm ill = vm_and(vm_not(well), is_moving(&lanes[v]));
        if (vm_any(ill)) {
            refine_by_newton(ill, &s[v], &lanes[v]);
        }
    }
    for (size_t v = 0; v < b->vectors && b->plan->measured; v++) {
        const vf square = refinement_square(is_moving(&lanes[v]), s[v].turn, s[v].k, s[v].found.y);
        b->tally->worst = vf_max(square, b->tally->worst);
    }
    VF_EACH_VECTOR(v, b->vectors) {
        s[v].increment = increment_of(orientation_at(b, v), cayley_turn(s[v].turn, lanes[v].start.square));
    }
    VF_EACH_VECTOR(v, b->vectors) {
        s[v].sum =
            orientation_sum(orientation_at(b, v), s[v].increment, s[v].turn.square, s[v].products.e); /* mu x t */
    }
    VF_EACH_VECTOR(v, b->vectors) { finish_substep(b, v, energy_kept(s[v].sum), is_turn(s[v].turn)); }
}

VF_SHARED void moser_veselov_low_substep(const body_block *in_memory)
{
    const body_block copy = *in_memory, *const b = &copy;
    cayley_low_state *const s = b->states->cayley_low;
    body_precise *const precise = b->states->precise;
    follow_curves(true, b, in_memory);
    VF_EACH_VECTOR(v, b->vectors) {
        s[v].delta = quotient(s[v].fraction);
        for (int half = 0; half < 2; half++) {
            const vd time_minus_1 = vd_load(&s[v].curve.time.point.time_minus_1, half),
                     r = vd_load(&s[v].inverse_p, half);
            s[v].precise[half] = precise_curve_of(precise[v].mu[half], s[v].k[half], time_minus_1, r);
        }
    }
    VF_EACH_VECTOR(v, b->vectors) {
        vd square[2];
        for (int half = 0; half < 2; half++) {
            const vd4 turn = precise_cayley(s[v].precise[half], s[v].k[half], vd_load(&s[v].delta, half));
            square[half] = vd4_square(turn);
            precise[v].orientation[half] = vd4_turned(precise[v].orientation[half], turn);
        }
        s[v].inverse_length = inverse_of_lengths(b->lanes[v].start.square, vf_from_halves(square[0], square[1]));
    }
    VF_EACH_VECTOR(v, b->vectors) {
        vd4 sum[2];
        for (int half = 0; half < 2; half++) {
            sum[half] = vd4_scaled_guarded(vd_load(&s[v].inverse_length, half), precise[v].orientation[half]);
        }
        const vm turned = turns_along_curve(s[v].inverse_length, s[v].curve.energy);
        finish_precise_substep(b, v, sum, are_turning(b, v, turned));
    }
}

/* ---- The others ---- */

/* -F at the given v, and in the state the terms that its derivative shares with it. */
VF_INLINE vf3 find_residual(gyre_body_method method, const body_block *b, size_t v, vf3 guess)
{
    rotation_state *s = &b->states->rotation[v];
    const body_lanes *lanes = &b->lanes[v];
    const vf3 mu = lanes->start.mu;
    const turned_momentum turned = turned_momentum_of(method, guess, mu);
    s->turned = turned;
    if (method == GYRE_BODY_TRAPEZOID) {
        const vf3 spin = turned_spin(turned, lanes->inverse.inertia);
        s->spin = spin;
        return trapezoid_residual(guess, lanes->angle.t, spin);
    }
    return rotation_residual(method, guess, mu, turned.mu, inertia_at(b, v));
}

/* The inverse Jacobian where v is not accurate enough yet; everywhere in the first iteration. */
VF_INLINE void find_inverse(gyre_body_method method, bool first, const body_block *b, size_t v)
{
    rotation_state *s = &b->states->rotation[v];
    const body_shape shape = shape_at(b, v);
    if (!b->plan->solver.fixed_point) {
        const vf33_inverse new = inverse_of_matrix(rotation_jacobian(method, s->turned, s->spin, shape));
        s->inverse = first ? new : inverse_select(s->guess.active, new, s->inverse);
    } else if (first) {
        s->inverse = inverse_of_fixed_point(method, shape.inverse.inertia);
    }
}

/* The first iteration covers all vectors, the later ones those with an active lane. */
VF_INLINE bool is_active(rotation_guess guess, int iteration) { return iteration == 0 || vm_any(guess.active); }

VF_INLINE void iterate(gyre_body_method method, const body_block *b)
{
    rotation_state *const s = b->states->rotation;
    const vf done = vf_set1(b->plan->correction_to_reach);
    bool active = true;
    for (int k = 0; k < b->plan->solver.max_iterations && active; k++) {
        for (size_t v = 0; v < b->vectors; v++) {
            if (is_active(s[v].guess, k)) {
                s[v].residual = find_residual(method, b, v, s[v].guess.v);
            }
        }
        for (size_t v = 0; v < b->vectors; v++) {
            if (is_active(s[v].guess, k)) {
                find_inverse(method, k == 0, b, v);
            }
        }
        active = false;
        for (size_t v = 0; v < b->vectors; v++) {
            if (is_active(s[v].guess, k)) {
                b->tally->iterations += vm_all(s[v].guess.active) ? VF_LANES : vm_count(s[v].guess.active);
                s[v].guess = corrected(s[v].guess, s[v].turned.square, s[v].inverse, s[v].residual, done);
                active |= vm_any(s[v].guess.active);
            }
        }
    }
    for (size_t v = 0; v < b->vectors; v++) {
        const vm unfinished = s[v].guess.active;
        if (vm_any(unfinished)) {
            b->lanes[v].hit_limit = vf_select(unfinished, vf_set1(1), b->lanes[v].hit_limit);
        }
    }
    for (size_t v = 0; v < b->vectors && b->plan->measured; v++) {
        b->tally->worst = vf_max(correction_ratio_square(s[v].guess), b->tally->worst);
    }
}

/* Turns every body by its solution. */
VF_INLINE void finish_exponential(bool low, const body_block *b)
{
    rotation_state *const s = b->states->rotation;
    for (size_t v = 0; v < b->vectors; v++) {
        s[v].turn = exponential_turn(s[v].solution, b->lanes[v].start.square);
    }
    for (size_t v = 0; v < b->vectors && low; v++) {
        vd4 *orientation = b->states->precise[v].orientation;
        for (int half = 0; half < 2; half++) {
            orientation[half] =
                precisely_turned(orientation[half], vd3_load(&s[v].turn.v, half), vd_load(&s[v].turn.n_minus_1, half));
        }
    }
    for (size_t v = 0; v < b->vectors && low; v++) {
        const vm turned = vf_lt(vf_set1(0), s[v].solution.square);
        finish_precise_substep(b, v, b->states->precise[v].orientation, are_turning(b, v, turned));
    }
    for (size_t v = 0; v < b->vectors && !low; v++) {
        s[v].increment = increment_of(orientation_at(b, v), s[v].turn);
    }
    for (size_t v = 0; v < b->vectors && !low; v++) {
        finish_substep(b, v, vf4_add(orientation_at(b, v), s[v].increment), vf_lt(vf_set1(0), s[v].solution.square));
    }
}

VF_INLINE void exponential_substep(gyre_body_method method, const body_block *in_memory)
{
    const body_block copy = *in_memory, *const b = &copy;
    const body_lanes *const lanes = b->lanes;
    rotation_state *const s = b->states->rotation;
    /* if the caller gives the number of sub-steps, to show the plain iteration */
    const bool from_nothing = b->plan->solver.substeps > 0;
    for (size_t v = 0; v < b->vectors; v++) {
        s[v].guess = first_guess(from_nothing, lanes[v].start.mu, lanes[v].angle.t, lanes[v].inverse.inertia,
                                 is_moving(&lanes[v]));
    }
    iterate(method, b);
    for (size_t v = 0; v < b->vectors; v++) {
        const vf3 guess = s[v].guess.v, mu = lanes[v].start.mu;
        if (method == GYRE_BODY_OBJECT_TRAPEZOID) {
            const vf3 w = momentum_turned_by_quaternion(guess, mu);
            s[v].residual = rotation_residual(method, guess, mu, w, inertia_at(b, v));
        } else {
            s[v].residual = find_residual(method, b, v, guess);
        }
    }
    for (size_t v = 0; v < b->vectors; v++) {
        s[v].solution = solution_of(s[v].guess, s[v].inverse, s[v].residual);
    }
    finish_exponential(b->plan->low, b);
}

VF_SHARED void midpoint_substep(const body_block *b) { exponential_substep(GYRE_BODY_MIDPOINT, b); }

VF_SHARED void object_trapezoid_substep(const body_block *b) { exponential_substep(GYRE_BODY_OBJECT_TRAPEZOID, b); }

VF_SHARED void trapezoid_substep(const body_block *b) { exponential_substep(GYRE_BODY_TRAPEZOID, b); }

/* Such bodies are always gathered, so the momentum in their lanes may change. */
VF_SHARED void explicit_euler_substep(const body_block *in_memory)
{
    const body_block copy = *in_memory, *const b = &copy;
    for (size_t v = 0; v < b->vectors; v++) {
        body_lanes *lanes = &b->lanes[v];
        const vf3 t = lanes->angle.t;
        const vf3 momentum = euler_momentum(lanes->body.orientation, lanes->start.square, lanes->body.momentum, t);
        lanes->body.momentum = vf3_select(is_moving(lanes), momentum, lanes->body.momentum);
        b->states->rotation[v].solution = euler_solution(t);
    }
    finish_exponential(b->plan->low, b);
}

/* ---- Bodies that turn by a small angle ---- */

VF_INLINE void turn_by_small_angle(vm small_angle, const body_block *b, size_t v)
{
    const body_lanes *lanes = &b->lanes[v];
    const vf4 q = orientation_at(b, v);
    const cayley_vector by = small_angle_turn(lanes->angle.t, shape_at(b, v));
    const vf4 sum = vf4_add(q, increment_of(q, cayley_turn(by, lanes->start.square)));
    const vf4 next = kept_where_still(are_turning(b, v, is_turn(by)), vf4_settled(sum), q);
    vf4_store_n(b->orientation, vf4_select(small_angle, next, q), v * b->stride, VF_LANES);
}

VF_INLINE void turn_by_small_angle_precisely(vm turning, const body_block *b, size_t v)
{
    const body_precise *precise = &b->states->precise[v];
    vd4 sum[2];
    for (int half = 0; half < 2; half++) {
        sum[half] = precisely_turned_by_small_angle(precise->orientation[half], precise->mu[half],
                                                    precise_inertia_at(b, v, half),
                                                    vd_load(&b->lanes[v].inverse.product, half));
    }
    finish_precise_substep(b, v, sum, turning);
}

/* The effect of a step on bodies at rest: components below 2^-95 become 0. */
VF_INLINE void leave_at_rest(float *const parts[4], size_t i)
{
    vf4_store_n(parts, vf4_flushed(vf4_load_n(parts, i, VF_LANES)), i, VF_LANES);
}

/* Turns the bodies of a vector that turn by a small angle, and leaves them at rest for the rest of the sub-step;
   returns which ones. Not inlined: it would take registers from the common case. */
VF_SHARED vm step_small_angles(const body_block *b, size_t v)
{
    const bool low = b->plan->low;
    const body_angle angle = b->lanes[v].angle;
    const vm small_angle = are_small_angles(b->plan->small_angle_square, angle, inertia_at(b, v));
    if (!vm_any(small_angle)) {
        return small_angle;
    }
    const vm turning = are_turning(b, v, vm_and(small_angle, are_turning_at_all(angle.t)));
    if (vm_any(turning)) {
        low ? turn_by_small_angle_precisely(turning, b, v) : turn_by_small_angle(small_angle, b, v);
    } else if (vm_all(small_angle)) { /* otherwise the rest of the sub-step does this */
        leave_at_rest(b->orientation, v * b->stride);
        if (low) {
            leave_at_rest(b->low, v * b->stride);
        }
    }
    put_to_rest(small_angle, b, v);
    return small_angle;
}

/* ---- The method of a call ---- */

typedef void body_substep(const body_block *block);

static body_substep *substep_of(const body_plan *plan)
{
    switch (plan->solver.method) {
    case GYRE_BODY_MIDPOINT: return midpoint_substep;
    case GYRE_BODY_OBJECT_TRAPEZOID: return object_trapezoid_substep;
    case GYRE_BODY_TRAPEZOID: return trapezoid_substep;
    case GYRE_BODY_EXPLICIT_EULER: return explicit_euler_substep;
    default: return plan->low ? moser_veselov_low_substep : moser_veselov_substep;
    }
}

#endif
