#include "support/random.h"

#include "support/common.h"

#include <math.h>

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t next(uint64_t *stream)
{
    *stream += 0x9e3779b97f4a7c15u; /* 2^64 / golden ratio, odd: the period is 2^64 */
    return mix(*stream);
}

uint64_t random_stream(uint64_t seed, const char *purpose)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (; *purpose != '\0'; purpose++) {
        hash = (hash ^ (unsigned char)*purpose) * 0x100000001b3u;
    }
    return mix(mix(seed) ^ hash);
}

double random_uniform(uint64_t *stream) { return (double)(next(stream) >> 11) * 0x1p-53; }

/* Marsaglia's polar method. Uses the logarithm of the library's portable table: that of a libm differs between
   machines. */
double random_normal(uint64_t *stream)
{
    double x, y, square;
    do {
        x = 2 * random_uniform(stream) - 1;
        y = 2 * random_uniform(stream) - 1;
        square = x * x + y * y;
    } while (square >= 1 || square == 0);
    float log_square = (float)square;
    portable_kernels()->math_log(&log_square, &log_square, 1);
    return x * sqrt(-2 * (double)log_square / square);
}
