#include "support/dampings.h"

#include <float.h>
#include <math.h>

float grid_damping(size_t i)
{
    return i == 0                ? 0
           : i == 1              ? 0x1p-149f
           : i == SCALE_DAMPINGS ? FLT_MAX
                                 : exp2f(-149 + 277 * (float)(i - 1) / (SCALE_DAMPINGS - 1));
}

float random_time_scale(random_source *random)
{
    return random_one_in(random, 12)  ? special_floats[random_below(random, special_float_count)]
           : random_one_in(random, 4) ? 0
                                      : random_signed(random, -3, 2);
}

float random_damping(random_source *random)
{
    switch (random_below(random, 8)) {
    case 0: return 0;
    case 1: return grid_damping(random_below(random, DAMPINGS));
    case 2: return random_magnitude(random, -149, 128);
    case 3: return 20 * random_unit(random);
    default: return random_magnitude(random, -30, 17);
    }
}
