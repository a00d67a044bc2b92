/* A batch of rigid bodies to step, with every feature of gyre_bodies available. */
#ifndef GYRE_TESTS_BODIES_H
#define GYRE_TESTS_BODIES_H

#include "reference/body.h"
#include "support/rotations.h"

enum { BATCH_BODIES = 150 };

enum {
    BODIES_LOW = 1,
    BODIES_TORQUE = 2,
    BODIES_FEATURES = 4, /* number of sets of the features above */
    BODIES_MOMENTUM_LOW = 4,
    BODIES_TORQUE_IN_BODY = 8,
    BODIES_DAMPING = 16, /* of 1 / s */
    BODIES_ALL_FEATURES = 32
};

/* Where each group of arrays begins: the four of orientation at `ORIENTATION`, and so on. */
enum {
    ORIENTATION = 0,
    ORIENTATION_LOW = 4,
    MOMENTUM = 8,
    MOMENTUM_LOW = 11,
    INERTIA = 14,
    TORQUE = 17,
    BODY_ARRAYS = 20
};

typedef struct body_batch {
    float at[BODY_ARRAYS][BATCH_BODIES];
} body_batch;

/* *b as the library's struct, with the given features. */
gyre_bodies bodies_of(body_batch *b, unsigned features);

/* Any valid inertia: with `physical`, no moment exceeds the sum of the others. Now and then a sphere, a symmetric top,
   a rod or a plate. The largest moment is between 2^from_exp and 2^to_exp. */
vector random_inertia(random_source *random, bool physical, int from_exp, int to_exp);

/* Whether two moments are within 2^-22 of each other: Moser-Veselov then takes no sub-steps. */
bool is_axisymmetric(vector inertia);

/* The body that it turns instead: those two have their mean. */
vector with_equal_moments(vector inertia);

/* A physical body that turns by 2^from_exp to 2^to_exp radians in dt_s, with a torque that changes its momentum by up
   to a quarter in that time. */
reference_body random_body(random_source *random, int from_exp, int to_exp, double dt_s);

/* A whole batch of such bodies; with `specials`, some have a special value somewhere. */
body_batch random_bodies(random_source *random, int from_exp, int to_exp, double dt_s, bool specials);

/* To and from the arrays. body_put rounds to float and stores the remainders of orientation and momentum in low parts;
   body_get is exact and includes low parts if `features` say so. */
void body_put(body_batch *b, size_t i, const reference_body *body);
reference_body body_get(const body_batch *b, size_t i, unsigned features);

/* Whether bodies with these features use that array. */
bool array_is_read(size_t array, unsigned features);

/* CASE for body i of a batch: its state and moments. */
#define CASE_OF_BODY(b, i)                                                                                             \
    CASE("body %zu: q=%a %a %a %a", (size_t)(i), (b)->at[ORIENTATION][i], (b)->at[ORIENTATION + 1][i],                 \
         (b)->at[ORIENTATION + 2][i], (b)->at[ORIENTATION + 3][i]);                                                    \
    CASE("L=%a %a %a I=%a %a %a", (b)->at[MOMENTUM][i], (b)->at[MOMENTUM + 1][i], (b)->at[MOMENTUM + 2][i],            \
         (b)->at[INERTIA][i], (b)->at[INERTIA + 1][i], (b)->at[INERTIA + 2][i])

/* check_share for body i of a batch that was stepped by dt_s, or only read if dt_s is 0. */
void check_body_share(worst_case *worst, double share, const body_batch *before, size_t i, float dt_s);

/* Changes the lengths of the orientations: half of them to 2^-49 to 2^49, the others to nearly 1. */
void random_lengths(random_source *random, body_batch *b);

/* Checks that all arrays have the same bits, or NaN in the same places; the same for one body; and that two reports are
   equal. */
#define check_same_bodies(got, wanted) check_bodies(CHECK_HERE(#got), got, wanted)
#define check_same_body(got, i, wanted, k) check_body(CHECK_HERE(#got), got, i, wanted, k)
#define check_same_report(got, wanted) check_report(CHECK_HERE(#got), got, wanted)
void check_bodies(check_place place, const body_batch *got, const body_batch *wanted);
void check_body(check_place place, const body_batch *got, size_t i, const body_batch *wanted, size_t k);
void check_report(check_place place, const gyre_body_report *got, const gyre_body_report *wanted);

/* Adds a report of other bodies to *sum. */
void add_report(gyre_body_report *sum, const gyre_body_report *report);

/* Checks that every component of orientation and momentum is NaN, or that each is finite. */
#define check_body_is_nan(b, i) check_components(CHECK_HERE(#b), b, i, CHECK_NAN)
#define check_body_is_finite(b, i) check_components(CHECK_HERE(#b), b, i, CHECK_FINITE)
void check_components(check_place place, const body_batch *b, size_t i, check_class_name wanted);

/* | |q| - 1 |, in double. */
double off_unit(const body_batch *b, size_t i);

/* ---- Every method, every order ---- */

typedef struct method_case {
    const char *name;
    gyre_body_method method;
    int order;      /* as given to the solver */
    int true_order; /* of the attitude error; 0: the error remains, however short the step */
    bool symmetric, keeps_energy;
} method_case;

enum { METHOD_CASES = 6 };
extern const method_case method_cases[METHOD_CASES];

/* EACH_METHOD(m) { ... }: runs once with every method, which checks in the loop name. */
#define EACH_METHOD(m)                                                                                                 \
    __attribute__((cleanup(end_methods))) method_loop CHECK_NAME(loop_, __LINE__) = {0, 0};                            \
    for (const method_case *m; (m = next_method(&CHECK_NAME(loop_, __LINE__))) != NULL;)

typedef struct method_loop {
    size_t next, depth;
} method_loop;

const method_case *next_method(method_loop *loop);
void end_methods(method_loop *loop);

gyre_body_solver solver_of(const method_case *m);

/* Whether its iteration is proven to converge for short enough steps. */
bool has_bound(const method_case *m);

/* Calls table->bodies_step. It must return GYRE_INCOMPLETE if the report counts a body as unconverged, else GYRE_OK;
   also without a report. */
void step_bodies(const gyre_kernels *table, body_batch *b, unsigned features, size_t begin, size_t end, float dt_s,
                 const gyre_body_solver *solver, gyre_body_report *report);

/* A body, element 0 of the batch, after a step of 1 s by a method. */
body_batch one_stepped(const gyre_kernels *table, const method_case *m, unsigned features, const reference_body *body);

#endif
