/* gyre_gather and gyre_scatter: between arrays of structures and arrays of floats. */
#ifndef GYRE_ARRAYS_GATHER_SCATTER_H
#define GYRE_ARRAYS_GATHER_SCATTER_H

#include "common/kernel-inl.h"

/* Components are moved in groups of four: a row of four floats from each element of a vector, transposed. If there are
   more than four components, the last group is the last four, some of which may have been moved already. With fewer
   than four (`columns`), the rest of a row belongs to whatever follows the element: it is read, but never written. */
enum { MAX_COMPONENTS = 16, GROUP = 4 };

/* The first component of the group after `moved` components. */
VF_INLINE size_t first_of_group(size_t moved, size_t components)
{
    return components < GROUP || moved + GROUP <= components ? moved : components - GROUP;
}

VF_INLINE gyre_status check_structures(const void *structures, size_t stride_bytes, size_t components,
                                       float *const arrays[], size_t begin, size_t end)
{
    if (begin > end) {
        return GYRE_ERROR_RANGE;
    }
    if (components == 0 || components > MAX_COMPONENTS || stride_bytes % sizeof(float) != 0 ||
        stride_bytes < components * sizeof(float)) {
        return GYRE_ERROR_VALUE;
    }
    if (begin == end) {
        return GYRE_OK;
    }
    return structures != NULL && none_is_null(arrays, components) ? GYRE_OK : GYRE_ERROR_NULL;
}

/* ---- Gather ---- */

/* The number of elements whose rows of four floats reach beyond the last float of element end - 1. */
VF_INLINE size_t rows_beyond(size_t stride, size_t components)
{
    size_t elements = 0; /* a loop, because 32-bit ARM has no division */
    for (size_t floats = components; floats < GROUP; floats += stride) {
        elements++;
    }
    return elements;
}

VF_INLINE void gather_elements(const float *from, size_t stride, size_t components, size_t columns, float *const to[],
                               size_t i)
{
    static const uint16_t element[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    for (size_t moved = 0; moved < components; moved += GROUP) {
        const size_t first = first_of_group(moved, components);
        vf column[GROUP];
        vf_load_rows4(from + i * stride + first, stride, element, column);
        for (size_t c = 0; c < columns; c++) {
            vf_store(to[first + c] + i, column[c]);
        }
    }
}

/* `columns` is a constant, 0 for single floats, for which a transpose is not faster. The stride is in floats. */
VF_INLINE void gather_range(const float *from, size_t stride, size_t components, size_t columns, float *const to[],
                            size_t begin, size_t end)
{
    size_t i = begin;
    for (const size_t beyond = rows_beyond(stride, components); columns > 0 && end - i >= VF_LANES + beyond;
         i += VF_LANES) {
        gather_elements(from, stride, components, columns, to, i);
    }
    for (; i < end; i++) {
        for (size_t c = 0; c < components; c++) {
            to[c][i] = from[i * stride + c];
        }
    }
}

GYRE_KERNEL_FUNCTION gyre_status gather(const void *from, size_t stride_bytes, size_t components, float *const to[],
                                        size_t begin, size_t end)
{
    const gyre_status status = check_structures(from, stride_bytes, components, to, begin, end);
    if (status != GYRE_OK || begin == end) {
        return status;
    }
    const size_t stride = stride_bytes / sizeof(float);
    switch (components) {
    case 1: gather_range(from, stride, 1, 0, to, begin, end); break;
    case 2: gather_range(from, stride, 2, 2, to, begin, end); break;
    case 3: gather_range(from, stride, 3, 3, to, begin, end); break;
    default: gather_range(from, stride, components, GROUP, to, begin, end); break;
    }
    return GYRE_OK;
}

/* ---- Scatter ---- */

/* How far ahead elements to be written are prefetched. A store to a line that is not in the nearest cache waits in the
   store buffer until the line arrives, and these stores are only a few bytes each: prefetching makes it 1.5 times as
   fast with elements in the second-level cache, and 1.6 times with elements in memory (Sapphire Rapids,
   bench/notes/arrays.md). */
#define SCATTER_AHEAD ((size_t)32)

VF_INLINE void scatter_elements(float *const from[], size_t components, size_t columns, float *to, size_t stride,
                                size_t i)
{
    for (size_t moved = 0; moved < components; moved += GROUP) {
        const size_t first = first_of_group(moved, components);
        vf column[GROUP], row[GROUP];
        for (size_t c = 0; c < GROUP; c++) { /* beyond `columns` the values are not stored */
            column[c] = vf_load(from[first + (c < columns ? c : 0)] + i);
        }
        vf_transpose4(column, row);
        for (size_t k = 0; k < GROUP; k++) {
            float *at[GYRE_LANES / 4];
            for (size_t piece = 0; piece < GYRE_LANES / 4; piece++) {
                at[piece] = to + (i + k + 4 * piece) * stride + first;
            }
            vf_store_pieces_n(at, row[k], columns);
        }
    }
}

VF_INLINE void scatter_range(float *const from[], size_t components, size_t columns, float *to, size_t stride,
                             size_t begin, size_t end)
{
    size_t i = begin;
    for (; columns > 0 && end - i >= VF_LANES; i += VF_LANES) {
        if (end - i >= VF_LANES + SCATTER_AHEAD) {
            for (size_t k = 0; k < VF_LANES; k++) {
                __builtin_prefetch(to + (i + k + SCATTER_AHEAD) * stride, 1);
            }
        }
        scatter_elements(from, components, columns, to, stride, i);
    }
    for (; i < end; i++) {
        for (size_t c = 0; c < components; c++) {
            to[i * stride + c] = from[c][i];
        }
    }
}

GYRE_KERNEL_FUNCTION gyre_status scatter(float *const from[], size_t components, void *to, size_t stride_bytes,
                                         size_t begin, size_t end)
{
    const gyre_status status = check_structures(to, stride_bytes, components, from, begin, end);
    if (status != GYRE_OK || begin == end) {
        return status;
    }
    const size_t stride = stride_bytes / sizeof(float);
    switch (components) {
    case 1: scatter_range(from, 1, 0, to, stride, begin, end); break;
    case 2: scatter_range(from, 2, 2, to, stride, begin, end); break;
    case 3: scatter_range(from, 3, 3, to, stride, begin, end); break;
    default: scatter_range(from, components, GROUP, to, stride, begin, end); break;
    }
    return GYRE_OK;
}

#endif
