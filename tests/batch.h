/* A batch of springs to step, with every feature of gyre_springs at hand. */
#ifndef GYRE_TESTS_BATCH_H
#define GYRE_TESTS_BATCH_H

#include "support.h"

enum { BATCH_SPRINGS = 200 };

enum {
    FEATURE_TARGET = 1,
    FEATURE_PERIOD = 2,
    FEATURE_REST = 4,
    FEATURE_AWAKE = 8,
    FEATURES_ALL = 16 /* how many sets of features there are */
};

typedef struct batch {
    float position[BATCH_SPRINGS], velocity[BATCH_SPRINGS], target[BATCH_SPRINGS];
    uint8_t awake[BATCH_SPRINGS];
} batch;

/* Moving springs, some at rest or as good as, some special values if asked for. */
batch batch_random(random_source *random, bool specials);

/* *b as the library takes it, with the features of the set. Period 360, rest within 2^-6 and 2^-5. */
gyre_springs batch_springs(batch *b, unsigned features);

/* Any matrix a spring may have: damped, undamped, creeping, backwards. Never the identity. */
gyre_spring_matrix random_matrix(random_source *random);

/* Fails, naming the first difference and `what`, unless all arrays are the same, NaN being equal to NaN. */
void expect_same_batch(const batch *got, const batch *want, const char *what);

#endif
