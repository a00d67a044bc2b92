/* Lengths of vectors of 1 to 4 components, in double, which holds the square of every float exactly. */
#ifndef GYRE_COMMON_LENGTHS_H
#define GYRE_COMMON_LENGTHS_H

#include "simd/vfd-inl.h"

/* |v|; NaN where a component is NaN or infinite. */
VF_INLINE vfd vfd_length(const vfd *v, size_t components)
{
    vfd square = vfd_set1(0);
    for (size_t c = 0; c < components; c++) {
        square = vfd_mul_add(v[c], v[c], square);
    }
    return vfd_sqrt(vfd_add(square, vfd_sub(square, square)));
}

#endif
