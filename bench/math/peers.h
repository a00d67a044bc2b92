/* Alternatives to gyre/math.h. */
#ifndef GYRE_BENCH_PEERS_MATH_H
#define GYRE_BENCH_PEERS_MATH_H

#include <cstddef>
#include <vector>

enum { PEER_EXP, PEER_EXPM1, PEER_LOG, PEER_SIN, PEER_COS, PEER_MAPS };

struct MathPeer {
    const char *name;
    void (*map[PEER_MAPS])(const float *x, float *y, size_t count); /* nullptr: not available */
    void (*sincos)(const float *x, float *sin, float *cos, size_t count);
};

/* The peers available on this machine and in this build. Counts must be multiples of 16. */
std::vector<MathPeer> math_peers();

#endif
