/* The lanes of a vector one by one, for rare cases without a vector form. */
#ifndef GYRE_SIMD_LANES_H
#define GYRE_SIMD_LANES_H

#include "simd/real-inl.h"

typedef struct vf_lanes {
    float lane[GYRE_LANES];
} vf_lanes;

/* The true lanes of a mask, from the first one on. */
typedef unsigned vm_lanes;

#if GYRE_LANES == 1
VF_INLINE vf_lanes vf_to_lanes(vf a) { return (vf_lanes){{a}}; }
VF_INLINE vf vf_from_lanes(vf_lanes a) { return a.lane[0]; }
VF_INLINE int vm_first_lane(vm_lanes a) { return (int)a - 1; }
#else
VF_INLINE vf_lanes vf_to_lanes(vf a)
{
    vf_lanes lanes;
    vf_store(lanes.lane, a);
    return lanes;
}
VF_INLINE vf vf_from_lanes(vf_lanes a) { return vf_load(a.lane); }
VF_INLINE int vm_first_lane(vm_lanes a) { return __builtin_ctz(a); }
#endif

/* One lane of a vector in memory. */
VF_INLINE float vf_lane(const vf *a, size_t lane) { return ((const float *)(const void *)a)[lane]; }
VF_INLINE void vf_set_lane(vf *a, size_t lane, float x) { ((float *)(void *)a)[lane] = x; }
VF_INLINE double vfd_lane(const vfd *a, size_t lane) { return ((const double *)(const void *)a)[lane]; }
VF_INLINE void vfd_set_lane(vfd *a, size_t lane, double x) { ((double *)(void *)a)[lane] = x; }

#define real_lane REAL_NAMED(lane)
#define real_set_lane REAL_NAMED(set_lane)

VF_INLINE vm_lanes vm_to_lanes(vm m) { return vm_bits(m); }
VF_INLINE bool vm_has_lane(vm_lanes a) { return a != 0; }
VF_INLINE vm_lanes vm_without_first(vm_lanes a) { return a & (a - 1); }

#endif
