#ifndef GYRE_BENCH_ARRAYS_PEERS_H
#define GYRE_BENCH_ARRAYS_PEERS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* XXH3, 64 bits, of each of three arrays. Its result depends on order and slices. */
uint64_t xxh3_of_three(float *const arrays[3], size_t count);

#ifdef __cplusplus
}
#endif

#endif
