/* Bodies with two equal moments have a closed form for any step, so that a fast wheel or ball takes no sub-steps. With
   M the momentum in the body, I1 the two equal moments, I3 the third and e its axis, a step of h turns the body by

       q <- q exp(M h / (2 I1)) exp(e M3 (1 / I3 - 1 / I1) h / 2)

   the precession about the momentum and the spin about the axis. One body at a time, in double: such bodies are few,
   and this takes less time than two sub-steps of a block. */
#ifndef GYRE_BODY_AXISYMMETRIC_H
#define GYRE_BODY_AXISYMMETRIC_H

#include "body/substeps-inl.h"
#include "math/scalar.h"

/* cos x and sin x of any x; of an angle of which no digit means anything, of 2^40. */
static void cos_sin_of(double x, double *cosine, double *sine)
{
    const double most = 0x1p40, rounder = 0x1.8p52, twice_pi = 2 * SCALAR_PI;
    x = x > most ? most : x < -most ? -most : x;
    const double turns = (x / twice_pi + rounder) - rounder;
    /* 2 pi: its first 33 bits, and the rest */
    const double rest = (x - turns * 0x1.921fb544p+2) - turns * 0x1.0b4611a626331p-32;
    scalar_cos_sin(scalar_abs(rest), cosine, sine);
    *sine = rest < 0 ? -*sine : *sine;
}

/* x y z w: q <- q (v, w) */
static void turn_quaternion(double q[4], const double v[3], double w)
{
    const double a[4] = {q[0], q[1], q[2], q[3]};
    for (int k = 0; k < 3; k++) {
        const int next = (k + 1) % 3, last = (k + 2) % 3;
        q[k] = (w * a[k] + a[3] * v[k]) + (a[next] * v[last] - a[last] * v[next]);
    }
    q[3] = a[3] * w - ((a[0] * v[0] + a[1] * v[1]) + a[2] * v[2]);
}

/* R(q)^T a, of a unit quaternion */
static void turn_back(const double q[4], const double a[3], double out[3])
{
    double across[3];
    for (int k = 0; k < 3; k++) {
        const int next = (k + 1) % 3, last = (k + 2) % 3;
        across[k] = 2 * (q[next] * a[last] - q[last] * a[next]);
    }
    for (int k = 0; k < 3; k++) {
        const int next = (k + 1) % 3, last = (k + 2) % 3;
        out[k] = (a[k] - q[3] * across[k]) + (q[next] * across[last] - q[last] * across[next]);
    }
}

/* q of length 1 turns by the momentum through h; `axis` is that of the moment that is not equal to the others. */
static void turn_axisymmetric(double q[4], const double momentum[3], const double inertia[3], int axis, double h)
{
    double m[3], cosine, sine, spin[3] = {0, 0, 0};
    turn_back(q, momentum, m);
    const double i1 = inertia[(axis + 1) % 3], i3 = inertia[axis];
    const double length = double_square_root((m[0] * m[0] + m[1] * m[1]) + m[2] * m[2]);
    cos_sin_of(0.5 * h * length / i1, &cosine, &sine);
    const double part = sine / length, precession[3] = {part * m[0], part * m[1], part * m[2]};
    turn_quaternion(q, precession, cosine);
    cos_sin_of(0.5 * h * m[axis] * ((i1 - i3) / i3 / i1), &cosine, &spin[axis]);
    turn_quaternion(q, spin, cosine);
}

static void turn_axisymmetric_lane(const body_plan *plan, body_lanes *lanes, size_t lane)
{
    vf4 *orientation = &lanes->orientation, *low = &lanes->low;
    vf *const high_parts[] = {&orientation->v.x, &orientation->v.y, &orientation->v.z, &orientation->w};
    vf *const low_parts[] = {&low->v.x, &low->v.y, &low->v.z, &low->w};
    vf *const momenta[] = {&lanes->momentum.x, &lanes->momentum.y, &lanes->momentum.z};
    vf *const low_momenta[] = {&lanes->momentum_low.x, &lanes->momentum_low.y, &lanes->momentum_low.z};
    vf *const moments[] = {&lanes->inertia.x, &lanes->inertia.y, &lanes->inertia.z};
    double q[4], momentum[3], inertia[3], square = 0;
    for (int k = 0; k < 4; k++) {
        q[k] = (double)*lane_of(high_parts[k], lane) + (plan->low ? (double)*lane_of(low_parts[k], lane) : 0);
        square += q[k] * q[k];
    }
    const double scale = 1 / double_square_root(square);
    for (int k = 0; k < 4; k++) {
        q[k] *= scale;
    }
    for (int k = 0; k < 3; k++) {
        momentum[k] = (double)*lane_of(momenta[k], lane) + (double)*lane_of(low_momenta[k], lane);
        inertia[k] = *lane_of(moments[k], lane);
    }
    const int axis = inertia[0] == inertia[1] ? 2 : inertia[1] == inertia[2] ? 0 : 1;
    turn_axisymmetric(q, momentum, inertia, axis, plan->dt);
    for (int k = 0; k < 4; k++) {
        const double guard = 0x1.8p-42, guarded = (q[k] + guard) - guard; /* see vd4_scaled_guarded */
        const float high = (float)guarded;
        *lane_of(high_parts[k], lane) = high;
        if (plan->low) {
            *lane_of(low_parts[k], lane) = (float)(guarded - (double)high);
        }
    }
    for (int k = 0; k < 3; k++) {
        *lane_of(momenta[k], lane) = *lane_of(low_momenta[k], lane) = 0;
    }
}

/* The bodies of a gathered vector that have two equal moments and want more sub-steps than one. */
VF_INLINE vm are_fast_and_axisymmetric(const body_lanes *lanes, vm planned, vf wanted)
{
    const vf3 i = lanes->inertia;
    const vm equal = vm_or(vf_eq(i.x, i.y), vm_or(vf_eq(i.y, i.z), vf_eq(i.z, i.x)));
    return vm_and(vm_and(equal, vm_not(planned)), vf_lt(vf_set1(1), wanted));
}

/* Turns them through all of the step and leaves them at rest for the sub-step that is then left. Out of line: it is
   rare, and would take registers from the common case. */
static __attribute__((noinline)) void turn_axisymmetric_bodies(const body_block *b, size_t v, vm turned)
{
    const unsigned bits = (unsigned)vm_bits(turned);
    for (size_t lane = 0; lane < VF_LANES; lane++) {
        if (bits >> lane & 1) {
            turn_axisymmetric_lane(b->plan, &b->lanes[v], lane);
        }
    }
    if (b->plan->low) {
        join_orientation(b, v);
    }
}

/* The number of sub-steps that the bound asks for, or the limit, of bodies that are not planned yet. Out of line: it is
   rare, and would take registers from the common case. */
static __attribute__((noinline)) void plan_proven_substeps(const body_block *b, size_t v, vm planned)
{
    const body_plan *plan = b->plan;
    body_lanes *lanes = &b->lanes[v];
    const vf one = vf_set1(1), zero = vf_set1(0), dt = vf_set1(plan->dt);
    const vf given = vf_add(lanes->half_h, lanes->half_h);
    find_motion_for_step(one, b, v);
    /* rad/s, half of the largest component of omega; and a step, in s, in which no square over- or underflows */
    vf turn = vf_max(vf3_max_abs(lanes->half_angle), vf_set1(0x1p-126f)), unit = vf_div(one, turn);
    vf h = given;
    if (plan->solver.substeps == 0) {
        lanes->mu = vf3_scale(unit, lanes->mu);
        lanes->half_angle = vf3_scale(unit, lanes->half_angle);
        vf of_unit = proven_substeps(&plan->solver, lanes, inertia_at(b, v));
        /* spheres and explicit Euler need none, however far they turn */
        vf wanted = vf_zero_where(vf_eq(of_unit, zero), vf_mul(vf_mul(vf_abs(dt), turn), of_unit));
        if (plan->closed_form) {
            const vm turned = are_fast_and_axisymmetric(lanes, planned, wanted);
            if (vm_any(turned)) {
                turn_axisymmetric_bodies(b, v, turned);
                wanted = vf_zero_where(turned, wanted);
            }
        }
        const vf most = vf_set1((float)plan->solver.max_substeps);
        vm within = vf_le(wanted, most);
        vf substeps = vf_max(one, vf_select(within, vf_ceil(wanted), most));
        lanes->substeps_left = vf_select(planned, lanes->substeps_left, substeps);
        lanes->hit_limit = vf_select(planned, lanes->hit_limit, vf_zero_where(within, one));
        h = vf_select(within, vf_div(dt, substeps), vf_copysign(vf_div(unit, of_unit), dt));
        h = vf_select(planned, given, h);
    }
    find_motion_for_step(h, b, v);
    /* Spheres and explicit Euler take any step at once, but an angle of which no digit means anything must not
       overflow. Planned bodies, here because a neighbour is new, keep their step. */
    vm tame = vm_or(planned, vf_le(vf3_max_abs(lanes->half_angle), vf_set1(0x1p40f)));
    if (!vm_all(tame)) {
        vf longest = vf_mul(vf_set1(0x1p40f), unit);
        find_motion_for_step(vf_select(tame, h, vf_copysign(longest, dt)), b, v);
    }
}

#endif
