/* Friction and constant acceleration:  dv/dt = l v + a,  l = ln d <= 0 in 1/s, d the fraction of velocity left after a
   second. With p = l t the state after t is

       x <- x + t phi1(p) v + t^2 phi2(p) a          phi1(p) = (exp p - 1) / p
       v <-        exp(p) v + t   phi1(p) a          phi2(p) = (exp p - 1 - p) / p^2

   phi1 and phi2 are the phi functions of exponential integrators, and entire; at p = 0 (no drag) they are 1 and 1/2,
   which is x + v t + a t^2 / 2. */
#include "simd/kernel-inl.h"
#include "simd/vf_math-inl.h"

/* ---- The matrix. ---- */

typedef struct motion_matrix {
    vf pos_vel, vel_vel, pos_acc, vel_acc;
} motion_matrix;

/* One vector of particles while its matrices are made. */
typedef struct motion_lanes {
    vf drag;
    vf_reduced reduced;    /* drag, for its logarithm */
    vf p, exp, phi1, phi2; /* l t; exp p, phi1(p), phi2(p) */
} motion_lanes;

/* Returns the lanes with an ordinary drag. */
VF_INLINE vm take_drag(motion_lanes *l, vf drag)
{
    l->drag = drag;
    return vm_and(vf_log_reduce(drag, &l->reduced), vf_le(drag, vf_set1(1)));
}

/* Outside (0, 1] it is NaN: the logarithm of a negative number, and what is done for 0 and for more than 1. */
VF_INLINE vf log_of_drag(vf drag)
{
    vm valid = vm_and(vf_lt(vf_set1(0), drag), vf_le(drag, vf_set1(1)));
    return vf_log(vf_select(valid, drag, vf_set1(-1)));
}

/* What of the time counts under a drag: from here on v is long 0 and x at rest, and l t must not overflow. Without a
   drag all of it counts: `rate` is l or l t, and 0 then. */
VF_INLINE vf time_that_counts(vf rate, vf t)
{
    const vf most = vf_set1(0x1p120f);
    if (vm_all(vf_le(vf_abs(t), most))) {
        return t;
    }
    return vf_select(vf_eq(rate, vf_set1(0)), t, vf_copysign(most, t));
}

VF_INLINE vm is_near_zero(vf p) { return vf_le(vf_abs(p), vf_set1(1)); }

/* phi2 by its series, off by 0.1 * 2^-24 for |p| <= 1. From there phi1 = 1 + p phi2 and exp p = 1 + p phi1 add their
   roundings, which are at most 2^-25 each where exp p is 0.37, and cost no division. */
VF_INLINE void solve_near_zero(motion_lanes *l)
{
    const vf one = vf_set1(1), p = l->p, p2 = vf_mul(p, p);
    vf low = vf_mul_add(p2, vf_mul_add(p, vf_set1(VF_PHI2_2), vf_set1(VF_PHI2_1)),
                        vf_mul_add(p, vf_set1(VF_PHI2_0), vf_set1(0.5f)));
    vf high = vf_mul_add(p2, vf_mul_add(p, vf_set1(VF_PHI2_6), vf_set1(VF_PHI2_5)),
                         vf_mul_add(p, vf_set1(VF_PHI2_4), vf_set1(VF_PHI2_3)));
    l->phi2 = vf_mul_add(vf_mul(p2, p2), high, low);
    l->phi1 = vf_mul_add(p, l->phi2, one);
    l->exp = vf_mul_add(p, l->phi1, one);
}

/* Any p: beyond 1 the differences of the definitions lose little. */
VF_INLINE void solve_anywhere(motion_lanes *l)
{
    const vf one = vf_set1(1);
    /* below 2^-126: what is subnormal takes ten times the time here, and in a step a hundred times, which flushes it
       unless it is of a speed above 2^31 */
    const vm gone = vf_lt(l->p, vf_set1(-126 * VF_LN2));
    const vf exp = vf_zero_where(gone, vf_exp(vf_zero_where(gone, l->p)));
    const vm near = is_near_zero(l->p);
    const vf divisor = vf_select(near, one, l->p); /* not 0 */
    const vf phi1 = vf_div(vf_sub(exp, one), divisor), phi2 = vf_div(vf_sub(phi1, one), divisor);
    solve_near_zero(l);
    l->exp = vf_select(near, l->exp, exp);
    l->phi1 = vf_select(near, l->phi1, phi1);
    l->phi2 = vf_select(near, l->phi2, phi2);
}

/* The stages from take_drag to motion_matrix_of; `ordinary` tells that all drags are. What no lane of the block needs
   is skipped, which changes no lane's bits. */
VF_INLINE void solve_motion(motion_lanes *lanes, size_t vectors, vf t, bool ordinary)
{
    vm near = vm_first(VF_LANES);
    FOR_EACH_VECTOR
    {
        motion_lanes *l = &lanes[v];
        const vf log = ordinary ? vf_log_finish(&l->reduced) : log_of_drag(l->drag);
        l->p = vf_mul(log, time_that_counts(log, t));
        near = vm_and(near, is_near_zero(l->p));
    }
    if (vm_all(near)) {
        FOR_EACH_VECTOR solve_near_zero(&lanes[v]);
    } else {
        FOR_EACH_VECTOR solve_anywhere(&lanes[v]);
    }
}

VF_INLINE motion_matrix motion_matrix_of(const motion_lanes *l, vf t)
{
    const vf counts = time_that_counts(l->p, t);
    vf pos_vel = vf_mul(counts, l->phi1);
    return (motion_matrix){
        .pos_vel = pos_vel,
        .vel_vel = l->exp,
        .pos_acc = vf_mul(t, vf_mul(counts, l->phi2)),
        .vel_acc = pos_vel,
    };
}

VF_INLINE bool is_finite_motion(const gyre_motion_matrix *m)
{
    return are_finite(m->pos_vel, m->vel_vel, m->pos_acc, m->vel_acc);
}

VF_INLINE bool is_identity_motion(const gyre_motion_matrix *m)
{
    return m->pos_vel == 0 && m->vel_vel == 1 && m->pos_acc == 0 && m->vel_acc == 0;
}

GYRE_KERNEL_FUNCTION gyre_status motion_matrix_at(float drag, float dt_s, gyre_motion_matrix *out)
{
    if (out == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_drag(drag) || !is_finite(dt_s)) {
        return GYRE_ERROR_VALUE;
    }
    motion_lanes lanes;
    const vm ordinary = take_drag(&lanes, vf_set1(drag));
    solve_motion(&lanes, 1, vf_set1(dt_s), vm_all(ordinary));
    const motion_matrix m = motion_matrix_of(&lanes, vf_set1(dt_s));
    gyre_motion_matrix result = {vf_lane_0(m.pos_vel), vf_lane_0(m.vel_vel), vf_lane_0(m.pos_acc),
                                 vf_lane_0(m.vel_acc)};
    if (!is_finite_motion(&result)) {
        return GYRE_ERROR_RANGE;
    }
    *out = result;
    return GYRE_OK;
}

/* ---- The step. ---- */

typedef struct particle_state {
    vf position, velocity, acceleration;
} particle_state;

VF_INLINE particle_state load_particles(const gyre_particles *s, bool uniform, size_t i, size_t n)
{
    return (particle_state){
        .position = vf_load_n(s->position + i, n),
        .velocity = vf_load_n(s->velocity + i, n),
        .acceleration = uniform ? vf_set1(s->uniform_acceleration) : vf_load_n(s->acceleration + i, n),
    };
}

VF_INLINE void store_particles(const gyre_particles *s, particle_state new, size_t i, size_t n)
{
    vf_store_n(s->position + i, new.position, n);
    vf_store_n(s->velocity + i, new.velocity, n);
}

VF_INLINE particle_state advance_particles(const motion_matrix *m, particle_state old)
{
    vf moved = vf_mul_add(m->pos_vel, old.velocity, vf_mul(m->pos_acc, old.acceleration));
    vf velocity = vf_mul_add(m->vel_vel, old.velocity, vf_mul(m->vel_acc, old.acceleration));
    return (particle_state){vf_flushed(vf_add(old.position, moved)), vf_flushed(velocity), old.acceleration};
}

VF_INLINE void prefetch_particles(const gyre_particles *s, bool uniform, size_t i)
{
    vf_prefetch_block(s->position + i);
    vf_prefetch_block(s->velocity + i);
    if (!uniform) {
        vf_prefetch_block(s->acceleration + i);
    }
}

VF_INLINE motion_matrix broadcast_motion(const gyre_motion_matrix *m)
{
    return (motion_matrix){vf_set1(m->pos_vel), vf_set1(m->vel_vel), vf_set1(m->pos_acc), vf_set1(m->vel_acc)};
}

VF_INLINE void particles_step_range(gyre_particles s, bool uniform, motion_matrix m, size_t begin, size_t end)
{
    VF_STREAM(begin, end, s.count, s.position, prefetch_particles(&s, uniform, i + VF_PREFETCH_DISTANCE),
              particle_state, load_particles(&s, uniform, j, VF_LANES),
              store_particles(&s, advance_particles(&m, old), j, VF_LANES));
}

/* Less than a vector. */
static __attribute__((noinline)) void particles_step_few(const gyre_particles *s, size_t i, size_t n,
                                                         const gyre_motion_matrix *matrix)
{
    const motion_matrix m = broadcast_motion(matrix);
    store_particles(s, advance_particles(&m, load_particles(s, s->acceleration == NULL, i, n)), i, n);
}

VF_INLINE gyre_status check_particles(const gyre_particles *particles, size_t begin, size_t end)
{
    if (!is_range(begin, end, particles->count)) {
        return GYRE_ERROR_RANGE;
    }
    if (particles->acceleration == NULL && !is_finite(particles->uniform_acceleration)) {
        return GYRE_ERROR_VALUE;
    }
    return begin < end && (particles->position == NULL || particles->velocity == NULL) ? GYRE_ERROR_NULL : GYRE_OK;
}

GYRE_KERNEL_FUNCTION gyre_status particles_step(const gyre_particles *particles, size_t begin, size_t end,
                                                const gyre_motion_matrix *matrix)
{
    if (particles == NULL || matrix == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite_motion(matrix)) {
        return GYRE_ERROR_VALUE;
    }
    gyre_status status = check_particles(particles, begin, end);
    if (status != GYRE_OK || begin == end || is_identity_motion(matrix)) {
        return status;
    }
    if (end - begin < VF_LANES) {
        particles_step_few(particles, begin, end - begin, matrix);
    } else if (particles->acceleration == NULL) {
        particles_step_range(*particles, true, broadcast_motion(matrix), begin, end);
    } else {
        particles_step_range(*particles, false, broadcast_motion(matrix), begin, end);
    }
    return GYRE_OK;
}

/* Lanes beyond n have none: an impossible drag there would send the others the long way. */
VF_INLINE vf load_drag(const float *drag, size_t n)
{
    return n == VF_LANES ? vf_load(drag) : vf_select(vm_first(n), vf_load_n(drag, n), vf_set1(1));
}

/* From i on: `vectors` whole vectors, or one of n particles. */
VF_INLINE void particles_step_each_block(const gyre_particles *s, const float *drag, float dt_s, size_t i,
                                         size_t vectors, size_t n)
{
    const bool uniform = s->acceleration == NULL;
    const vf t = vf_set1(dt_s);
    motion_lanes lanes[VF_STAGED_VECTORS];
    vm ordinary = vm_first(VF_LANES);
    FOR_EACH_VECTOR ordinary = vm_and(ordinary, take_drag(&lanes[v], load_drag(drag + i + v * VF_LANES, n)));
    solve_motion(lanes, vectors, t, vm_all(ordinary));
    FOR_EACH_VECTOR
    {
        const size_t j = i + v * VF_LANES;
        const motion_matrix m = motion_matrix_of(&lanes[v], t);
        store_particles(s, advance_particles(&m, load_particles(s, uniform, j, n)), j, n);
    }
}

GYRE_KERNEL_FUNCTION gyre_status particles_step_each(const gyre_particles *particles, size_t begin, size_t end,
                                                     const float *drag, float dt_s)
{
    if (particles == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite(dt_s)) {
        return GYRE_ERROR_VALUE;
    }
    gyre_status status = check_particles(particles, begin, end);
    if (status != GYRE_OK || begin == end) {
        return status;
    }
    if (drag == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (dt_s == 0) {
        return GYRE_OK;
    }
    VF_STAGED(begin, end, VF_STAGED_VECTORS, particles->position,
              particles_step_each_block(particles, drag, dt_s, i, vectors, n));
    return GYRE_OK;
}
