/* Random numbers for start states and targets: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), one stream per use.
   The same on every machine, so that a scene is the same scene everywhere. */
#ifndef GYRE_TOOL_RANDOM_H
#define GYRE_TOOL_RANDOM_H

#include <stdint.h>

/* A stream for `purpose` (a name such as "cards/position"). It depends on seed and name alone: not on the other
   streams, nor on the order in which they are drawn from. */
uint64_t random_stream(uint64_t seed, const char *purpose);

double random_uniform(uint64_t *stream); /* in [0, 1), in steps of 2^-53 */
double random_normal(uint64_t *stream);  /* mean 0, deviation 1 */

#endif
