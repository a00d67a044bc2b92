/* A sub-step of every method between its stages (body/methods/substep-inl.h). */
#ifndef GYRE_BODY_STATE_H
#define GYRE_BODY_STATE_H

#include "body/orientation-inl.h"

typedef struct vf33 {
    vf3 row[3];
} vf33;

/* The inverse: columns of the adjugate, to be divided by the determinant. */
typedef struct vf33_inverse {
    vf3 column[3];
    vf inverse_determinant;
} vf33_inverse;

/* R(u) and T(u) as they act on vectors: see rotation/rotation-inl.h. */
typedef struct rotation_map {
    vf3 u;
    vf s1, s2, s3;
    vf square; /* u.u */
} rotation_map;

typedef struct body_state {
    vf3 x;                     /* the unknown: y of Moser-Veselov's, v of the exponential methods' equation */
    vf3 residual;              /* what the equation lacks at x; with low parts, in the end, what it has too much */
    vf square;                 /* of the rotation that x stands for */
    vm active;                 /* whether x is not good enough yet */
    vf last_square, of_square; /* of the last correction, and of the rotation then */
    union {                    /* of the iterated methods; of the closed form with low parts, in its notation */
        struct {
            vf33_inverse inverse;
            body_turn turn;
        };
        struct {
            vd3 precise_k[2], precise_e[2];
            vd precise_time[2], precise_inverse_product[2]; /* T, 1 / P */
            vf numerator, denominator;                      /* of delta */
        };
    };
    union { /* the one is done with when the other begins */
        struct {
            /* closed form, in the notation of body/methods/moser_veselov-inl.h */
            vf energy, bm, cm;   /* E, B M, C M */
            vf x_sum;            /* X */
            vf less_mean;        /* -mean */
            vf tenth_of_squares; /* r.r / 10; order 8 only */
            vf3 b;               /* b; without low parts b and a grain */
            vf time_minus_1;     /* T - 1 */
            vf delta;            /* with low parts; k has it else */
            /* without low parts: */
            vf3 squares; /* S^2 */
            vf q;        /* q */
            vf b_pairs;  /* b1 b2 + b2 b3 + b3 b1 */
            vf product;  /* P */
            vf growth;   /* K - 1 */
        };
        struct {
            vf4 increment;
            body_sum sum;
        };
    };
    vd4 precise_orientation[2]; /* with low parts, by halves of the lanes */
    union {
        vd3 precise_mu[2];
        vd3 precise_middle[2]; /* mu S2^2 S3^2 and cyclic */
    };
    vf inverse_length; /* 1 / |q (c, 1)|; on the curve 1 / |q (c, 1) T| */
    /* Moser-Veselov */
    vf3 k, c; /* 1 / I + delta, k x */
    vf3 e;    /* mu x half_angle */
    /* exponential methods */
    rotation_map back;
    vf3 turned, spin;
} body_state;

/* Takes momentum and turn from these lanes, so that the rest of the sub-step leaves them alone. */
VF_INLINE void put_to_rest(vm these, bool low, body_lanes *lanes, body_state *state)
{
    const vf zero = vf_set1(0), others = vf_zero_where(these, vf_set1(1));
    const vf3 none = {zero, zero, zero};
    lanes->mu = vf3_select(these, none, lanes->mu);
    lanes->half_angle = vf3_select(these, none, lanes->half_angle);
    if (low) {
        FOR_EACH_HALF state->precise_mu[half] = vd3_scale(vd_load(&others, half), state->precise_mu[half]);
    }
}

#endif
