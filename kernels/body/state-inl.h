/* What a sub-step works on: a block of bodies, its vectors, and what each method keeps from stage to stage. */
#ifndef GYRE_BODY_STATE_H
#define GYRE_BODY_STATE_H

#include "simd/kernel-inl.h"
#include "simd/vd-inl.h"
#include "simd/vf3-inl.h"

/* A block has enough vectors for stages (body/methods/substep-inl.h), and a body for each bit of a word. */
enum { BODY_BLOCK = 64, BODY_VECTORS = BODY_BLOCK / GYRE_LANES };

/* ---- One call ---- */

/* What a kick adds to the momentum L: decay L + of_torque tau. */
typedef struct body_kick {
    double decay;     /* e^(-k h) - 1, what damping adds in parts of the momentum */
    double of_torque; /* s */
} body_kick;

typedef struct body_kicks {
    body_kick end;    /* of the whole step */
    double of_torque; /* s, tanh(k h / 2) / k: of the kick before the drift */
    double of_drift;  /* the drift's time over that time rounded to float */
} body_kicks;

typedef struct body_plan {
    gyre_body_solver solver; /* with the default in place of 0 */
    body_kicks kicks;
    float dt;                  /* s, of the drift */
    float substeps, h;         /* for every body where the caller gives the number; else 1 and dt, which do for most */
    float correction_to_reach; /* an iteration ends when (correction / rotation)^2 is this small */
    float small_angle_square;  /* |t|^2 up to which body/methods/small_angle-inl.h turns a body; 0: never */
    bool low, momentum_low;    /* the caller keeps low parts */
    bool kicked, measured;     /* momenta change; the caller wants the residual */
    bool closed_form;          /* Moser-Veselov: nothing to iterate */
} body_plan;

/* What all bodies of a call did. */
typedef struct body_tally {
    uint64_t iterations;
    vf worst; /* the largest (last correction / rotation)^2 */
} body_tally;

/* ---- A vector of bodies ---- */

/* Every member is a vf: a gathered body moves to another vector member by member. Moments and momentum of very small
   and large bodies are multiplied by a power of two that brings them into the middle of the range of float. */
typedef struct body_lanes {
    /* gathered bodies only: */
    vf4 orientation, low;
    vf3 momentum, momentum_low; /* world; constant within a step, except under explicit Euler */
    vf3 inertia;
    vf scale; /* the power of two */
    /* all bodies: */
    vf3 inverse_inertia;
    vf inverse_product; /* 1 / (I1 I2 I3) */
    vf half_h;          /* s, half a sub-step */
    vf substeps_left;   /* 0 or less: the body has done its step. Bodies in the arrays all have the same number. */
    vf hit_limit;       /* 1 where the body met a limit */
    /* at the start of a sub-step: */
    vf square;            /* |q|^2, with low parts of their sum */
    vf3 mu;               /* h/2 times the momentum in the body's frame */
    vf3 half_angle;       /* t = mu / I */
    vf half_angle_square; /* |t|^2, to 2^-38 of |t| */
} body_lanes;

enum { BODY_LASTING_FIELDS = offsetof(body_lanes, square) / sizeof(vf) };

/* ---- What the methods keep from stage to stage. Letters as in README.md. ---- */

/* The rotation that a sub-step adds: the quaternion (n v, 1 + n_minus_1), |its square| = 1 up to rounding. */
typedef struct body_turn {
    vf3 v;
    vf n, n_minus_1;
    vf square; /* v.v */
} body_turn;

/* q + increment, and what rounding it costs: see orientation_sum. */
typedef struct body_sum {
    vf4 q;
    vf slope_y, slope_z;     /* energy gained where that component moves by 1 */
    vf inverse_y, inverse_z; /* 1 / slope, or 0 */
    vf lost;                 /* the energy to gain */
} body_sum;

/* Moser-Veselov, with and without low parts: how far along the curve, and what delta is made of. */
typedef struct curve_state {
    vf3 b;               /* and a guard, see CURVE_GUARD */
    vf energy, x;        /* E, X */
    vf bm, cm;           /* B M, C M */
    vf minus_mean;       /* -mean */
    vf tenth_of_squares; /* r.r / 10; order 8 only */
    vf time_minus_1;     /* T - 1 */
    vf3 squares;         /* S^2 */
} curve_state;

typedef struct moser_veselov_state {
    curve_state curve;
    vf3 e, c, y, k; /* k + delta from find_phase on */
    vf q;
    vf b_pairs;   /* b1 b2 + b2 b3 + b3 b1 */
    vf p;         /* P */
    vf k_minus_1; /* K - 1 */
    vf c_square;  /* |c|^2 */
    vf4 increment;
    body_sum sum;
} moser_veselov_state;

typedef struct moser_veselov_low_state {
    curve_state curve;
    vf numerator, denominator, delta;
    vf inverse_p;              /* 1 / P, rounded to float */
    vf inverse_length;         /* 1 / |q (c, 1) T| */
    vd3 k[2], e[2], middle[2]; /* middle = mu S2^2 S3^2 and cyclic */
    vd time[2], precise_inverse_p[2];
} moser_veselov_low_state;

typedef struct vf33 {
    vf3 row[3];
} vf33;

/* The inverse: columns of the adjugate, to be divided by the determinant. */
typedef struct vf33_inverse {
    vf3 column[3];
    vf inverse_determinant;
} vf33_inverse;

/* R(u) and T(u) as they act on vectors: see rotation/from_vectors-inl.h. */
typedef struct rotation_map {
    vf3 u;
    vf s1, s2, s3;
    vf square; /* u.u */
} rotation_map;

/* The methods whose unknown is the rotation vector 2 v of the sub-step. */
typedef struct rotation_state {
    vf3 v, residual;
    vf square;                 /* v.v */
    vm active;                 /* v is not good enough yet */
    vf last_square, of_square; /* of the last correction, and of v then */
    rotation_map back;         /* R(-v) or R(-2v) */
    vf3 turned, spin;          /* R mu; R^-1 I^-1 R mu */
    vf33_inverse inverse;      /* of the Jacobian */
    body_turn turn;
    vf4 increment;
} rotation_state;

typedef struct body_state {
    vd4 orientation[2]; /* with low parts: the sum of both, by halves of the lanes */
    vd3 mu[2];          /* with low parts */
    union {
        moser_veselov_state moser_veselov;
        moser_veselov_low_state moser_veselov_low;
        rotation_state rotation;
    };
} body_state;

/* ---- A block ---- */

/* What all stages work on. The bodies are in the caller's arrays, or gathered in lanes. */
typedef struct body_block {
    float *orientation[4], *low[4], *momentum[3], *momentum_low[3];
    const float *inertia[3];
    size_t stride; /* floats from one vector to the next */
    size_t vectors;
    body_lanes *lanes;
    body_state *states;
    const body_plan *plan;
    body_tally *tally;
    bool compact;     /* no body has a moment 64 times another */
    bool small_angle; /* some bodies may turn by a small angle */
} body_block;

VF_INLINE bool is_gathered(const body_block *b) { return b->stride != VF_LANES; }

VF_INLINE vf4 orientation_at(const body_block *b, size_t v)
{
    return vf4_load_n(b->orientation, v * b->stride, VF_LANES);
}

VF_INLINE vf4 low_at(const body_block *b, size_t v) { return vf4_load_n(b->low, v * b->stride, VF_LANES); }

/* With low parts the sum of both, rounded. */
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

/* The same in double, half a vector. */
VF_INLINE vd3 precise_at(const float *x, const float *y, const float *z, size_t i, int half)
{
    return (vd3){vd_load_half(x + i, half), vd_load_half(y + i, half), vd_load_half(z + i, half)};
}

/* The sum of both parts. */
VF_INLINE vd4 precise_orientation_at(const body_block *b, size_t v, int half)
{
    float *const *q = b->orientation, *const *low = b->low;
    const size_t i = v * b->stride;
    vd3 sum = vd3_add(precise_at(q[0], q[1], q[2], i, half), precise_at(low[0], low[1], low[2], i, half));
    return (vd4){sum, vd_add(vd_load_half(q[3] + i, half), vd_load_half(low[3] + i, half))};
}

VF_INLINE vd3 precise_momentum_at(bool low, const body_block *b, size_t v, int half)
{
    float *const *m = b->momentum, *const *m_low = b->momentum_low;
    const vd3 high = precise_at(m[0], m[1], m[2], v * b->stride, half);
    return low ? vd3_add(high, precise_at(m_low[0], m_low[1], m_low[2], v * b->stride, half)) : high;
}

VF_INLINE vd3 precise_inertia_at(const body_block *b, size_t v, int half)
{
    return precise_at(b->inertia[0], b->inertia[1], b->inertia[2], v * b->stride, half);
}

/* 1 / I, by a Newton step for the float 1 / (I1 I2 I3): all three components are off by the same 2^-46 or less. */
VF_INLINE vd3 precise_inverse(vd3 inertia, vd inverse_product)
{
    const vd3 others = vd3_cyclic_products(inertia);
    const vd residual = vd_neg_mul_add(vd_mul(inertia.x, others.x), inverse_product, vd_set1(1));
    return vd3_scale(vd_mul_add(inverse_product, residual, inverse_product), others);
}

/* ---- Kinds of bodies: see README.md. ---- */

VF_INLINE vm is_compact(vf3 i)
{
    vf smallest = vf3_min(i), largest = vf3_max(i);
    return vf_lt(largest, vf_mul(vf_set1(64), smallest));
}

VF_INLINE vf vf3_middle(vf3 a) { return vf_max(vf_min(a.x, a.y), vf_min(vf_max(a.x, a.y), a.z)); }

/* Of moments that no mass has, the largest |f| times the smallest moment; of a mass at most the smallest moment. The
   difference of two near moments is exact. */
VF_INLINE vf largest_difference(vf3 i) { return vf_sub(vf3_max(i), vf3_middle(i)); }

/* Whether no moment exceeds the sum of the others, apart from rounding of the moments. */
VF_INLINE vm is_mass(vf3 i) { return vf_le(largest_difference(i), vf_mul(vf_set1(1 + 0x1p-9f), vf3_min(i))); }

/* A sub-step is planned for |t| <= 0.4; the limit leaves room for the rounding of h. */
VF_INLINE vm is_well_conditioned(const body_lanes *lanes, vf3 i)
{
    vm slow = vf_le(lanes->half_angle_square, vf_set1(0.1602f));
    return vm_and(slow, vm_and(is_compact(i), is_mass(i)));
}

/* One body's place in a member of a vector of lanes. */
VF_INLINE float *lane_of(vf *field, size_t lane)
{
    return (float *)(void *)((char *)field + lane % VF_LANES * sizeof(float));
}

VF_INLINE vm is_moving(const body_lanes *lanes) { return vf_lt(vf_set1(0), lanes->substeps_left); }

/* f1 = (I2 - I3) / I1 and cyclic */
VF_INLINE vf3 asymmetry(vf3 i, vf3 inverse_i) { return vf3_mul(vf3_cyclic_differences(i), inverse_i); }

/* 0, or NaN if a component is NaN or infinite. */
VF_INLINE vf zero_or_nan(vf3 a) { return vf3_dot(a, (vf3){vf_set1(0), vf_set1(0), vf_set1(0)}); }

/* Clears momentum and turn of these lanes, so that the rest of the sub-step leaves them alone. */
VF_INLINE void put_to_rest(vm these, bool low, body_lanes *lanes, body_state *state)
{
    const vf zero = vf_set1(0), others = vf_zero_where(these, vf_set1(1));
    const vf3 none = {zero, zero, zero};
    lanes->mu = vf3_select(these, none, lanes->mu);
    lanes->half_angle = vf3_select(these, none, lanes->half_angle);
    for (int half = 0; half < 2 && low; half++) {
        state->mu[half] = vd3_scale(vd_load(&others, half), state->mu[half]);
    }
}

#endif
