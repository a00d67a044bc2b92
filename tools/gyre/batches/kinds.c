#include "batches/kinds.h"

const struct batch_kind *const batch_kinds[] = {
    &springs_kind, &orientation_springs_kind, &particles_kind, &flings_kind, &chains_kind, &bodies_kind, NULL};
