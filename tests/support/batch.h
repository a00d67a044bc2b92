/* A batch of springs to step, with every feature of gyre_springs at hand. */
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
    FEATURES_ALL = 1024  /* how many sets of features there are */
};

/* The sets in an order in which a few in a row have every feature. */
unsigned nth_features(size_t n);

typedef struct batch {
    float position[BATCH_SPRINGS], velocity[BATCH_SPRINGS], target[BATCH_SPRINGS];
    float position_low[BATCH_SPRINGS], velocity_low[BATCH_SPRINGS];
    float target_before[BATCH_SPRINGS], lower[BATCH_SPRINGS], upper[BATCH_SPRINGS], rest_scale[BATCH_SPRINGS];
    uint8_t awake[BATCH_SPRINGS];
} batch;

/* Moving springs, some at rest or as good as, some special values if asked for. */
batch batch_random(random_source *random, bool specials);

/* Whether spring i of a batch is asleep when a step with these features begins: in a row, and here and there. */
bool batch_sleeps(unsigned features, size_t i);

/* *b as the library takes it, with the features of the set. Period 360, rest within 2^-6 and 2^-5. */
gyre_springs batch_springs(batch *b, unsigned features);

/* table->spring_matrix_at; must succeed. */
gyre_spring_matrix matrix_of(const gyre_kernels *table, gyre_spring spring, float dt_s);

/* Any matrix a spring may have: underdamped, undamped, overdamped, backwards. Never the identity. */
gyre_spring_matrix random_matrix(random_source *random);

/* ---- Everything that advances a batch, called in one way: for guarantees that all of them give. ---- */

typedef enum step_kind {
    STEP_SHARED,
    STEP_PALETTE,
    STEP_EACH,
    STEP_AT, /* into the start's own arrays */
    STEP_PARTICLES,
    STEP_PARTICLES_EACH,
    STEP_KINDS
} step_kind;

extern const char *const step_names[STEP_KINDS];

enum { STEP_PALETTE_COUNT = 8 };

/* The arguments of a step other than the batch. A kind reads only its own arrays, and only the elements that it steps.
 */
typedef struct step_arguments {
    step_kind kind;
    gyre_spring_matrix palette[STEP_PALETTE_COUNT]; /* the first is the shared matrix */
    gyre_spring spring;
    float dt;
    const uint16_t *which;     /* BATCH_SPRINGS of each */
    const float *parameter[4]; /* frequency, ratio, and follow and time scale or NULL; elapsed time; damping and scale
                                  of time */
    uint16_t own_which[BATCH_SPRINGS];
    float own_parameter[4][BATCH_SPRINGS];
} step_arguments;

/* Valid arguments of that kind, with pointers to their own arrays. */
void random_step(step_arguments *arguments, random_source *random, step_kind kind);

/* How many of `parameter` the kind reads. */
size_t step_parameters(step_kind kind);

/* Whether springs with these features have their `awake` written, and their low parts. */
bool step_writes_awake(step_kind kind, unsigned features);
bool step_writes_low(step_kind kind, unsigned features);

/* Targets are the accelerations of particles. */
gyre_status step_batch(const gyre_kernels *table, const step_arguments *arguments, const gyre_springs *springs,
                       size_t begin, size_t end);

/* All arrays have the same bits, or NaN in the same places. */
#define check_same_batch(got, wanted) check_batch(CHECK_HERE(#got), got, wanted)
void check_batch(check_place place, const batch *got, const batch *wanted);

#endif
