#define XXH_INLINE_ALL /* with the vectors of this machine */
#include <xxhash.h>

#include "arrays/peers.h"

uint64_t xxh3_of_three(float *const arrays[3], size_t count)
{
    uint64_t hash = 0;
    for (size_t c = 0; c < 3; c++) {
        hash = XXH3_64bits_withSeed(arrays[c], count * sizeof(float), hash);
    }
    return hash;
}
