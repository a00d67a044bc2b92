/* The state of a call in memory: a block of bodies, its vectors, and the state of each method between stages. */
#ifndef GYRE_BODY_STATE_H
#define GYRE_BODY_STATE_H

#include "body/kick_step-inl.h"
#include "body/methods/midpoint_trapezoid_euler-inl.h"
#include "body/methods/moser_veselov-inl.h"
#include "body/plain-inl.h"
#include "common/kernel-inl.h"

/* A block has enough vectors for stages (body/stages-inl.h), and one bit of a word for each body. */
enum { BODY_BLOCK = 64, BODY_VECTORS = BODY_BLOCK / GYRE_LANES };

/* ---- One call ---- */

typedef struct body_plan {
    gyre_body_solver solver; /* with 0 replaced by defaults */
    body_kicks kicks;
    float dt;                  /* s, of the drift */
    float substeps;            /* for every body if the caller gives the number; otherwise 1 */
    float h, h_low;            /* s, dt / substeps and what its rounding lost */
    float correction_to_reach; /* an iteration ends when (correction / rotation)^2 is at most this */
    float small_angle_square;  /* |t|^2 up to which body/methods/small_angle-inl.h turns a body; 0: never */
    bool low, momentum_low;    /* the caller keeps low parts */
    bool kicked, measured;     /* momenta change; the caller wants the residual */
    bool closed_form;          /* Moser-Veselov: nothing to iterate */
} body_plan;

/* Totals over all bodies of a call. */
typedef struct body_tally {
    uint64_t iterations;
    vf worst; /* the largest (last correction / rotation)^2 */
} body_tally;

/* ---- A vector of bodies ---- */

/* Moments and momentum of very small and large bodies are multiplied by a power of two that brings them into the middle
   of the range of float. */
typedef struct body_lanes {
    /* gathered bodies only: */
    body_values body; /* the momentum is constant within a step, except under explicit Euler */
    vf scale;         /* the power of two */
    /* all bodies: */
    body_inverse inverse;
    vf half_h;        /* s, half a sub-step */
    vf half_h_low;    /* what its rounding lost, for low parts of the orientation */
    vf substeps_left; /* 0 or less: the body has finished its step. Bodies in the arrays all have the same number. */
    vf hit_limit;     /* 1 where the body hit a limit */
    /* of the current sub-step: */
    body_start start;
    body_angle angle;
} body_lanes;

VF_INLINE vm is_moving(const body_lanes *lanes) { return vf_lt(vf_set1(0), lanes->substeps_left); }

/* ---- State of the methods between stages ---- */

/* Moser-Veselov without low parts. */
typedef struct cayley_state {
    curve_state curve;
    curve_products products;
    vf b_pairs; /* b1 b2 + b2 b3 + b3 b1 */
    vf p;       /* P */
    vf3 k;      /* k + delta */
    curve_y found;
    cayley_vector turn;
    vf4 increment;
    body_sum sum;
} cayley_state;

/* With low parts; in halves of the lanes if there are two. */
typedef struct cayley_low_state {
    curve_state curve;
    curve_delta fraction;
    vf delta;
    vf inverse_p;      /* 1 / P */
    vf inverse_length; /* 1 / |q (c, 1) T| */
    vd3 k[2];
    precise_curve precise[2];
} cayley_low_state;

/* The methods whose unknown is the rotation vector 2 v of the sub-step. */
typedef struct rotation_state {
    rotation_guess guess;
    turned_momentum turned;
    vf3 spin; /* only for the trapezoid */
    vf3 residual;
    vf33_inverse inverse; /* of the Jacobian */
    rotation_solution solution;
    body_turn turn;
    vf4 increment;
} rotation_state;

/* With low parts, in halves of the lanes. */
typedef struct body_precise {
    vd4 orientation[2]; /* the sum of both parts */
    vd3 mu[2];
} body_precise;

typedef struct body_states {
    body_precise precise[BODY_VECTORS];
    union {
        cayley_state cayley[BODY_VECTORS];
        cayley_low_state cayley_low[BODY_VECTORS];
        rotation_state rotation[BODY_VECTORS];
    };
} body_states;

/* ---- A block ---- */

/* The data of all stages. The bodies are in the caller's arrays, or gathered in lanes. */
typedef struct body_block {
    float *orientation[4], *low[4], *momentum[3], *momentum_low[3];
    const float *inertia[3];
    size_t stride; /* floats from one vector to the next */
    size_t vectors;
    body_lanes *lanes;
    body_states *states;
    const body_plan *plan;
    body_tally *tally;
    bool compact;     /* no body has a moment 64 times another */
    bool small_angle; /* some bodies may turn by a small angle */
} body_block;

VF_INLINE bool is_gathered(const body_block *b) { return b->stride != VF_LANES; }

/* Of the turning bodies, those that have a sub-step to do. In the arrays all have one. */
VF_INLINE vm are_turning(const body_block *b, size_t v, vm turned)
{
    return is_gathered(b) ? vm_and(turned, is_moving(&b->lanes[v])) : turned;
}

VF_INLINE vf4 orientation_at(const body_block *b, size_t v)
{
    return vf4_load_n(b->orientation, v * b->stride, VF_LANES);
}

VF_INLINE vf4 low_at(const body_block *b, size_t v) { return vf4_load_n(b->low, v * b->stride, VF_LANES); }

/* With low parts, the sum of both, rounded. */
VF_INLINE vf3 momentum_at(bool low, const body_block *b, size_t v)
{
    float *const *m = b->momentum, *const *m_low = b->momentum_low;
    const vf3 high = vf3_load_n(m[0], m[1], m[2], v * b->stride, VF_LANES);
    return low ? vf3_add(high, vf3_load_n(m_low[0], m_low[1], m_low[2], v * b->stride, VF_LANES)) : high;
}

VF_INLINE vf3 inertia_at(const body_block *b, size_t v)
{
    return vf3_load_n(b->inertia[0], b->inertia[1], b->inertia[2], v * b->stride, VF_LANES);
}

VF_INLINE body_shape shape_at(const body_block *b, size_t v)
{
    return (body_shape){inertia_at(b, v), b->lanes[v].inverse};
}

/* The same in double, half a vector: orientation and momentum as the sum of both parts. */
VF_INLINE vd4 precise_orientation_at(const body_block *b, size_t v, int half)
{
    float *const *q = b->orientation, *const *low = b->low;
    const size_t i = v * b->stride;
    vd3 sum = vd3_add(vd3_load_halves(q[0], q[1], q[2], i, half), vd3_load_halves(low[0], low[1], low[2], i, half));
    return (vd4){sum, vd_add(vd_load_half(q[3] + i, half), vd_load_half(low[3] + i, half))};
}

VF_INLINE vd3 precise_momentum_at(bool low, const body_block *b, size_t v, int half)
{
    float *const *m = b->momentum, *const *m_low = b->momentum_low;
    const vd3 high = vd3_load_halves(m[0], m[1], m[2], v * b->stride, half);
    return low ? vd3_add(high, vd3_load_halves(m_low[0], m_low[1], m_low[2], v * b->stride, half)) : high;
}

VF_INLINE vd3 precise_inertia_at(const body_block *b, size_t v, int half)
{
    return vd3_load_halves(b->inertia[0], b->inertia[1], b->inertia[2], v * b->stride, half);
}

/* Stores a component as two floats that represent it to 2^-48. */
VF_INLINE void store_split(float *high, float *low, vd a)
{
    const vd rounded = vd_rounded_to_float(a);
    vd_to_floats(high, rounded);
    vd_to_floats(low, vd_sub(a, rounded));
}

VF_INLINE void store_sum(const body_block *b, size_t v, const vd4 sum[2])
{
    for (int half = 0; half < 2; half++) {
        const size_t i = v * b->stride + (size_t)half * VD_LANES;
        store_split(b->orientation[0] + i, b->low[0] + i, sum[half].v.x);
        store_split(b->orientation[1] + i, b->low[1] + i, sum[half].v.y);
        store_split(b->orientation[2] + i, b->low[2] + i, sum[half].v.z);
        store_split(b->orientation[3] + i, b->low[3] + i, sum[half].w);
    }
}

/* Ends a sub-step. */
VF_INLINE void finish_substep(const body_block *b, size_t v, vf4 sum, vm turned)
{
    const vm turning = are_turning(b, v, turned);
    vf4 after = vf4_settled(sum);
    if (!vm_all(turning)) {
        after = kept_where_still(turning, after, orientation_at(b, v));
    }
    vf4_store_n(b->orientation, after, v * b->stride, VF_LANES);
}

/* The same with low parts, for the sum in double. */
VF_INLINE void finish_precise_substep(const body_block *b, size_t v, const vd4 sum[2], vm turning)
{
    if (vm_all(turning)) {
        store_sum(b, v, sum);
    } else {
        const vf4 high = vf4_flushed(orientation_at(b, v)), low = vf4_flushed(low_at(b, v));
        store_sum(b, v, sum);
        vf4_store_n(b->orientation, vf4_select(turning, orientation_at(b, v), high), v * b->stride, VF_LANES);
        vf4_store_n(b->low, vf4_select(turning, low_at(b, v), low), v * b->stride, VF_LANES);
    }
}

/* ---- The start of a sub-step ---- */

/* A separate stage: combined with the momentum it would read eleven arrays at once. Large arrays often begin at the
   same offset in a page, and a first-level cache holds eight lines of those. */
VF_INLINE void join_orientation(const body_block *b, size_t v)
{
    for (int half = 0; half < 2; half++) {
        b->states->precise[v].orientation[half] = precise_orientation_at(b, v, half);
    }
}

VF_INLINE void find_start(bool low, const body_block *b, size_t v)
{
    b->lanes[v].start = start_of(orientation_at(b, v), momentum_at(low, b, v), b->lanes[v].half_h);
}

/* With low parts of the orientation, which have been added. */
VF_INLINE void find_precise_start(bool low, const body_block *b, size_t v)
{
    body_lanes *lanes = &b->lanes[v];
    for (int half = 0; half < 2; half++) {
        const precise_start start =
            precise_start_of(b->states->precise[v].orientation[half], precise_momentum_at(low, b, v, half),
                             vd_add(vd_load(&lanes->half_h, half), vd_load(&lanes->half_h_low, half)));
        b->states->precise[v].mu[half] = start.mu;
        vd_store(&lanes->start.square, half, start.square);
        vd3_store(&lanes->start.mu, half, start.mu);
    }
}

VF_INLINE void find_angle(body_lanes *lanes) { lanes->angle = angle_of(lanes->start.mu, lanes->inverse.inertia); }

/* Start and angle of one vector, whose orientation parts have been added if there are low parts. */
VF_INLINE void find_motion(const body_block *b, size_t v)
{
    const bool low = b->plan->momentum_low;
    b->plan->low ? find_precise_start(low, b, v) : find_start(low, b, v);
    find_angle(&b->lanes[v]);
}

/* Clears momentum and turn of these lanes, so that the rest of the sub-step does not change them. */
VF_INLINE void put_to_rest(vm these, const body_block *b, size_t v)
{
    const vf others = vf_zero_where(these, vf_set1(1));
    body_lanes *lanes = &b->lanes[v];
    lanes->start.mu = vf3_select(these, vf3_nothing(), lanes->start.mu);
    lanes->angle.t = vf3_select(these, vf3_nothing(), lanes->angle.t);
    for (int half = 0; half < 2 && b->plan->low; half++) {
        b->states->precise[v].mu[half] = vd3_scale(vd_from_half(others, half), b->states->precise[v].mu[half]);
    }
}

#endif
