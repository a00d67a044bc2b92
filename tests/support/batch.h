/* A batch of springs to step, with every feature of gyre_springs available. */
#ifndef GYRE_TESTS_BATCH_H
#define GYRE_TESTS_BATCH_H

#include "support/support.h"

enum { BATCH_SPRINGS = 200 };

enum {
    FEATURE_TARGET = 1,
    FEATURE_PERIOD = 2,
    FEATURE_REST = 4,
    FEATURE_AWAKE = 8,
    FEATURE_LOW = 16,
    FEATURE_RAMP = 32,   /* target_before */
    FEATURE_BOUNDS = 64, /* lower, upper and bounce; not with a period */
    FEATURE_STOP = 128,
    FEATURE_SCALE = 256, /* rest_scale */
    FEATURE_SKIP = 512,  /* skip_asleep, with FEATURE_AWAKE */
    FEATURES_ALL = 1024  /* number of feature sets */
};

/* Orders the sets so that a few in a row cover every feature. */
unsigned nth_features(size_t n);

typedef struct batch {
    float position[BATCH_SPRINGS], velocity[BATCH_SPRINGS], target[BATCH_SPRINGS];
    float position_low[BATCH_SPRINGS], velocity_low[BATCH_SPRINGS];
    float target_before[BATCH_SPRINGS], lower[BATCH_SPRINGS], upper[BATCH_SPRINGS], rest_scale[BATCH_SPRINGS];
    uint8_t awake[BATCH_SPRINGS];
} batch;

/* Moving springs, some at rest or almost, and special values if requested. */
batch batch_random(random_source *random, bool specials);

/* Whether spring i of a batch is asleep before a step with these features: in runs and singly. */
bool batch_sleeps(unsigned features, size_t i);

/* Whether a value of spring i that a step stores, low parts included, compares unequal to the one that it read, or is
   NaN: what `awake` is then. */
bool batch_has_changed(const batch *before, const batch *after, unsigned features, size_t i);

/* *b as the library's struct, with the given features. Period 360, rest within 2^-6 and 2^-5. */
gyre_springs batch_springs(batch *b, unsigned features);

/* table->spring_matrix_at; must succeed. */
gyre_spring_matrix matrix_of(const gyre_kernels *table, gyre_spring spring, float dt_s);

/* Any matrix that a spring may have: underdamped, undamped, overdamped, backwards. Never the identity. */
gyre_spring_matrix random_matrix(random_source *random);

/* ---- Everything that advances a batch, behind one interface: for guarantees that all of them share ---- */

typedef enum step_kind {
    STEP_SHARED,
    STEP_PALETTE,
    STEP_EACH,
    STEP_AT, /* into the arrays of the start */
    STEP_PARTICLES,
    STEP_PARTICLES_EACH,
    STEP_KINDS
} step_kind;

extern const char *const step_names[STEP_KINDS];

enum { STEP_PALETTE_COUNT = 8 };

/* The arguments of a step besides the batch. Each kind reads only its own arrays, and only the elements that it
   steps. */
typedef struct step_arguments {
    step_kind kind;
    gyre_spring_matrix palette[STEP_PALETTE_COUNT]; /* the first is the shared matrix */
    gyre_spring spring;
    float dt;
    const uint16_t *which;     /* BATCH_SPRINGS of each */
    const float *parameter[4]; /* frequency, ratio, follow or NULL, time scale or NULL; elapsed time; damping
                                  and time scale */
    uint16_t own_which[BATCH_SPRINGS];
    float own_parameter[4][BATCH_SPRINGS];
} step_arguments;

/* Valid arguments for that kind, with pointers to their own arrays. */
void random_step(step_arguments *arguments, random_source *random, step_kind kind);

/* How many of `parameter` the kind reads. */
size_t step_parameters(step_kind kind);

/* Whether a step with these features writes `awake`, and low parts. */
bool step_writes_awake(step_kind kind, unsigned features);
bool step_writes_low(step_kind kind, unsigned features);

/* For particles, targets are accelerations. */
gyre_status step_batch(const gyre_kernels *table, const step_arguments *arguments, const gyre_springs *springs,
                       size_t begin, size_t end);

/* Checks that all arrays have the same bits, or NaN in the same places. */
#define check_same_batch(got, wanted) check_batch(CHECK_HERE(#got), got, wanted)
void check_batch(check_place place, const batch *got, const batch *wanted);

#endif
