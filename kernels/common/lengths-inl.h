/* Products and lengths of vectors of 1 to 4 components, in double, which holds the square of every float exactly. */
#ifndef GYRE_COMMON_LENGTHS_H
#define GYRE_COMMON_LENGTHS_H

#include "simd/vfd-inl.h"

VF_INLINE vfd vfd_dot(const vfd *a, const vfd *b, size_t components)
{
    vfd sum = vfd_set1(0);
    for (size_t c = 0; c < components; c++) {
        sum = vfd_mul_add(a[c], b[c], sum);
    }
    return sum;
}

/* |v|^2; NaN where a component is NaN or infinite. */
VF_INLINE vfd vfd_length_square(const vfd *v, size_t components)
{
    const vfd square = vfd_dot(v, v, components);
    return vfd_add(square, vfd_sub(square, square));
}

VF_INLINE vfd vfd_length(const vfd *v, size_t components) { return vfd_sqrt(vfd_length_square(v, components)); }

#endif
