/* Rigid bodies between the start and the end of their step. */
#ifndef GYRE_BODY_LANES_H
#define GYRE_BODY_LANES_H

#include "simd/kernel-inl.h"
#include "simd/vd-inl.h"
#include "simd/vf3-inl.h"

/* A vector of bodies. Bodies that need repair, or more sub-steps than their neighbours, are copied here from the
   caller's arrays: then they are apart. Moments and momentum of very small and large bodies are multiplied by a power
   of two that brings them to the middle of the range of float, and changes no digit. Every field is a vf: lanes move to
   other vectors field by field. */
typedef struct body_lanes {
    /* of bodies apart only: */
    vf4 orientation, low;
    vf3 momentum; /* world; the same in all sub-steps, but for explicit Euler */
    vf3 inertia;
    vf scale; /* what moments and momentum were multiplied by */
    /* of all: */
    vf3 inverse_inertia;
    vf inverse_product; /* 1 / (I1 I2 I3) */
    vf half_h;          /* s, half a sub-step */
    vf substeps_left;   /* 0 or less: none. Bodies that are not apart all have the same to do. */
    vf hit_limit;       /* 1 once the body has met a limit */
    /* as a sub-step begins: */
    vf square;            /* |orientation|^2, with low parts of the sum */
    vf3 mu;               /* h/2 times the momentum in the body's frame */
    vf3 half_angle;       /* mu / I */
    vf half_angle_square; /* |half_angle|^2, to 2^-38 of |half_angle| */
} body_lanes;

enum { BODY_LASTING_FIELDS = offsetof(body_lanes, square) / sizeof(vf) };

/* Bodies step in blocks: enough for stages (body/methods/substep-inl.h), and a bit of a word for each. */
enum { BODY_BLOCK = 64, BODY_VECTORS = BODY_BLOCK / GYRE_LANES };

/* Where the numbers of a block's bodies are: in the caller's arrays, or in lanes. */
typedef struct body_block {
    float *orientation[4], *low[4], *momentum[3];
    const float *inertia[3];
    size_t step;      /* floats from one vector to the next */
    bool compact;     /* no body has moments 64 times apart */
    bool small_angle; /* some may: body/methods/small_angle-inl.h */
} body_block;

VF_INLINE bool is_gathered(const body_block *b) { return b->step != VF_LANES; }

VF_INLINE vf4 orientation_at(const body_block *b, size_t v)
{
    return vf4_load_n(b->orientation, v * b->step, VF_LANES);
}

VF_INLINE vf4 low_at(const body_block *b, size_t v) { return vf4_load_n(b->low, v * b->step, VF_LANES); }

VF_INLINE vf3 momentum_at(const body_block *b, size_t v)
{
    return vf3_load_n(b->momentum[0], b->momentum[1], b->momentum[2], v * b->step, VF_LANES);
}

VF_INLINE vf3 inertia_at(const body_block *b, size_t v)
{
    return vf3_load_n(b->inertia[0], b->inertia[1], b->inertia[2], v * b->step, VF_LANES);
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
    const size_t i = v * b->step;
    vd3 sum = vd3_add(precise_at(q[0], q[1], q[2], i, half), precise_at(low[0], low[1], low[2], i, half));
    return (vd4){sum, vd_add(vd_load_half(q[3] + i, half), vd_load_half(low[3] + i, half))};
}

VF_INLINE vd3 precise_momentum_at(const body_block *b, size_t v, int half)
{
    return precise_at(b->momentum[0], b->momentum[1], b->momentum[2], v * b->step, half);
}

VF_INLINE vd3 precise_inertia_at(const body_block *b, size_t v, int half)
{
    return precise_at(b->inertia[0], b->inertia[1], b->inertia[2], v * b->step, half);
}

/* 1 / I, of the float 1 / (I1 I2 I3) by Newton's step: all three are alike off by 2^-46 or less. */
VF_INLINE vd3 precise_inverse(vd3 inertia, vd inverse_product)
{
    const vd3 others = vd3_cyclic_products(inertia);
    const vd lacking = vd_neg_mul_add(vd_mul(inertia.x, others.x), inverse_product, vd_set1(1));
    return vd3_scale(vd_mul_add(inverse_product, lacking, inverse_product), others);
}

/* What a call asks of every body. */
typedef struct body_plan {
    gyre_body_solver solver; /* where 0 stands for a default, the default */
    float dt;
    float substeps, h;          /* of all bodies, if given; else 1 and dt, which slow bodies take */
    float correction_to_reach;  /* what the square of a correction is to be in parts of that of the rotation */
    float small_angle_square;   /* bodies crawl up to this square of half a turn: body/methods/small_angle-inl.h */
    bool low, torque, measured; /* the caller keeps low parts, gives a torque, wants the residual */
    bool closed_form;           /* Moser-Veselov: a sub-step has nothing to iterate */
    bool short_step;            /* |dt| is at most 2^20 s: momenta below 2^-95 turn nothing */
} body_plan;

/* What the bodies did. */
typedef struct body_tally {
    uint64_t iterations;
    vf worst; /* (last correction / rotation)^2, its largest */
} body_tally;

/* Whether no moment is 64 times another. */
VF_INLINE vm is_compact(vf3 i)
{
    vf smallest = vf3_min(i), largest = vf3_max(i);
    return vf_lt(largest, vf_mul(vf_set1(64), smallest));
}

VF_INLINE vf vf3_middle(vf3 a) { return vf_max(vf_min(a.x, a.y), vf_min(vf_max(a.x, a.y), a.z)); }

/* What the largest |f| is times the smallest moment, f1 = (I2 - I3) / I1 and cyclic, of moments that no mass has; of a
   mass it is at most that moment, and no |f| is above 1. */
VF_INLINE vf largest_difference(vf3 i) { return vf_sub(vf3_max(i), vf3_middle(i)); }

/* Whether no moment exceeds the sum of the others, as in every distribution of mass, but for what may have rounded
   them. */
VF_INLINE vm is_mass(vf3 i) { return vf_le(largest_difference(i), vf_mul(vf_set1(1 + 0x1p-9f), vf3_min(i))); }

/* A compact mass in a sub-step of 0.8 rad, for which sub-steps are planned, or less: the closed form is off by nothing
   but rounding. |t|^2 is 0.16 then, and what rounds h. */
VF_INLINE vm is_well_conditioned(const body_lanes *lanes, vf3 i)
{
    vm slow = vf_le(lanes->half_angle_square, vf_set1(0.1602f));
    return vm_and(slow, vm_and(is_compact(i), is_mass(i)));
}

VF_INLINE vm lanes_moving(const body_lanes *lanes) { return vf_lt(vf_set1(0), lanes->substeps_left); }

/* f */
VF_INLINE vf3 asymmetry(vf3 i, vf3 inverse_i) { return vf3_mul(vf3_cyclic_differences(i), inverse_i); }

/* ---- The momentum that the body sees. ---- */

/* How far |q|^2 may be from 1 for corrections of first order to do: they leave (|q|^2 - 1)^2 or less, half an ulp. A
   length of 1 + 2^-13 is within it, its square rounded. */
#define NEARLY_UNIT 0x1.003p-12f

VF_INLINE vm is_unit_within(float limit, vf square)
{
    return vf_lt(vf_abs(vf_sub(square, vf_set1(1))), vf_set1(limit));
}

/* What to multiply a quaternion by that is not of length 1 within the limit, to have one of length 1; NaN where it says
   nothing of an orientation. */
VF_INLINE vf unit_scale(float limit, vf square)
{
    const vf one = vf_set1(1);
    vm valid = vm_and(vf_lt(vf_set1(0x1p-100f), square), vf_lt(square, vf_set1(0x1p100f)));
    vf scale = vf_select(is_unit_within(limit, square), one, vf_div(one, vf_sqrt(square)));
    return vf_select(valid, scale, vf_set1(NAN));
}

/* s R(q)^T L, as the product of quaternions (-v, w) L (v, w): it turns L by the right angle if |q| is not quite 1, for
   only the length goes with |q|^2, and that is undone. */
VF_INLINE vf3 momentum_in_body(vf4 q, vf3 momentum, vf square, vf s)
{
    vf3 once = vf3_scale_add(q.w, momentum, vf3_cross(momentum, q.v));
    vf3 rest = vf3_scale_add(vf3_dot(q.v, momentum), q.v, vf3_cross(once, q.v));
    vf3 m = vf3_scale_add(q.w, once, rest);
    return vf3_scale(vf_mul(s, vf_sub(vf_set1(2), square)), m);
}

/* The same in double, as M + 2 (2 - |q|^2) (v x (v x M) - w v x M) with M = s L: rounded to float it would push the
   body off the path of constant energy in every step. */
VF_INLINE vd3 precise_momentum_in_body(vd4 q, vd3 momentum, vd square, vd s)
{
    vd twice = vd_sub(vd_set1(4), vd_add(square, square));
    vd3 scaled = vd3_scale(s, momentum), once = vd3_cross(q.v, scaled);
    vd3 rest = vd3_neg_scale_add(q.w, once, vd3_cross(q.v, once));
    return vd3_scale_add(twice, rest, scaled);
}

/* 0, or NaN if a component is NaN or infinite. */
VF_INLINE vf zero_or_nan(vf3 a) { return vf3_dot(a, (vf3){vf_set1(0), vf_set1(0), vf_set1(0)}); }

#endif
