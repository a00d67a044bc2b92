#include "support/drags.h"

#include <math.h>

float grid_drag(size_t i)
{
    return i == 0            ? 1
           : i <= NEAR_DRAGS ? 1 - ldexpf(1, -(int)i)
                             : powf(10, -30 + 30 * (float)(i - 1 - NEAR_DRAGS) / (SCALE_DRAGS - 1));
}

float random_drag(random_source *random)
{
    switch (random_below(random, 4)) {
    case 0: return fmaxf(random_unit(random), 0x1p-24f);
    case 1: return 1 - random_magnitude(random, -24, -1);
    case 2: return grid_drag(random_below(random, DRAGS));
    default: return random_magnitude(random, -100, 0);
    }
}
