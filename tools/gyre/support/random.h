/* Random numbers for start states and targets: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), one stream per use.
   They are the same on every machine, so that a scene is too. */
#ifndef GYRE_TOOL_RANDOM_H
#define GYRE_TOOL_RANDOM_H

#include <stdint.h>

/* The stream for `purpose`, a name such as "cards/position". It depends on the seed and the name only, not on other
   streams or the order of use. */
uint64_t random_stream(uint64_t seed, const char *purpose);

double random_uniform(uint64_t *stream); /* in [0, 1), in steps of 2^-53 */
double random_normal(uint64_t *stream);  /* mean 0, standard deviation 1 */

#endif
