/* Alternatives to gyre_bone_chains_step. */
#ifndef GYRE_BENCH_PEERS_CHAINS_H
#define GYRE_BENCH_PEERS_CHAINS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A bone as engines hold it: an array of structs, chain after chain. */
typedef struct vrm_bone {
    float tail[3], tail_before[3];
    float rotation[4]; /* in the parent's frame, out */
} vrm_bone;

typedef struct vrm_chains {
    size_t chains, bones; /* of each chain */
    vrm_bone *bone;
    const float *position[3], *parent[4]; /* of chains */
    float length, radius, stiffness, drag_force, gravity_power;
    const float *centre[4][3], *collider_radius[4]; /* spheres, of chains */
    size_t colliders;
} vrm_chains;

/* VRM's recurrence (VRMC_springBone 1.0), bone by bone in scalar floats: every bone hangs along -y. */
void peer_vrm(const vrm_chains *chains, float dt_s);

#ifdef __cplusplus
}
#endif

#endif
