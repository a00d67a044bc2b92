/* A kernel whose elements share a table of parameters, through a 16-bit index for each.

   Indices come in runs. The loop compares a chunk of indices with their predecessors, which gives the borders of runs
   as bits, and keeps the parameters of a run in registers. A block without a border uses those of one run, a vector
   with one border those of two runs blended, and where indices have no order, each element's row is gathered. An
   element's bits are the same in each case. Branches depend on indices but addresses of elements do not, so the
   arithmetic of a vector does not wait for earlier indices.

   Included once for each kernel, with LOOP, LOOP_ARRAYS, LOOP_CALL and LOOP_SETS(SET), SET(name, always, maybe,
   vectors) with the number of vectors that are loaded before any of them is stored, LOOP_WRITTEN, LOOP_FLAGS and
   LOOP_COMPLETED as in simd/loops/stream-inl.h. A call has the members `rows`, `row_count`, `index`, one for each
   element, and a pointer `all_inside` to whether all indices are below row_count. The kernel defines

       LOOP_shared LOOP_prepare(const LOOP_ARRAYS *, const LOOP_CALL *, has)    what all elements share
       LOOP_input LOOP_load(const LOOP_ARRAYS *, const LOOP_shared *, has, i, n)
       LOOP_state LOOP_step(const LOOP_shared *, has, LOOP_matrix, LOOP_input)  a vector of one row
       LOOP_state LOOP_step_mixed(const LOOP_shared *, has, LOOP_matrix, LOOP_input)
                                                                                each by its own row, which may be one
                                                                                for which LOOP_moves is false
       void LOOP_store(const LOOP_ARRAYS *, const LOOP_shared *, has, LOOP_input, LOOP_state, i, n)
       bool LOOP_moves(const LOOP_CALL *, index)                                whether a row may be a run's
       LOOP_matrix LOOP_row(const LOOP_CALL *, index)                           a row in every lane
       LOOP_matrix LOOP_blend(mask, LOOP_matrix, LOOP_matrix)
       LOOP_matrix LOOP_columns(const LOOP_CALL *, has, const uint16_t *which, const vf column[4])
                                                                                the row of each lane; `column` has the
                                                                                first four numbers
       LOOP_matrix LOOP_checked(const LOOP_CALL *, has, i, n)                   the rows of elements i..i+n-1, whose
                                                                                indices may be outside */
#include "simd/loops/parameters-inl.h"

/* The number of elements without order from which on loading the table into registers is faster: 150 on Zen 5, 600 on
   an Intel Xeon of family 6, model 207. */
#define LOOP_WORTH_A_TABLE 512

VF_INLINE bool LOOP_NAME(several)(uint64_t bits) { return (bits & (bits - 1)) != 0; }

/* Processes some vectors at i: all loads come before the stores. */
VF_INLINE void LOOP_NAME(vectors)(const LOOP_ARRAYS *arrays, const LOOP_NAME(shared) *shared, unsigned has,
                                  LOOP_NAME(matrix) m, size_t i, size_t vectors)
{
    LOOP_NAME(input) in[VF_BLOCK_VECTORS];
    for (size_t k = 0; k < vectors; k++) {
        in[k] = LOOP_NAME(load)(arrays, shared, has, i + k * VF_LANES, VF_LANES);
    }
    for (size_t k = 0; k < vectors; k++) {
        LOOP_NAME(store)(arrays, shared, has, in[k], LOOP_NAME(step)(shared, has, m, in[k]), i + k * VF_LANES,
                         VF_LANES);
    }
}

/* Processes n elements at i, some of whose indices may be outside. */
VF_SHARED void LOOP_NAME(unsure)(const LOOP_ARRAYS *in_memory, const LOOP_CALL *call, unsigned has, size_t i, size_t n)
{
    const LOOP_ARRAYS arrays = LOOP_COMPLETED(in_memory, has);
    const LOOP_NAME(shared) shared = LOOP_NAME(prepare)(in_memory, call, has);
    for (const size_t end = i + n; i < end; i += n) {
        n = vf_lanes_left(i, end);
        const LOOP_NAME(input) in = LOOP_NAME(load)(&arrays, &shared, has, i, n);
        const LOOP_NAME(matrix) m = LOOP_NAME(checked)(call, has, i, n);
        LOOP_NAME(store)(&arrays, &shared, has, in, LOOP_NAME(step_mixed)(&shared, has, m, in), i, n);
    }
}

/* Processes a chunk in runs of a vector or longer: the first run with m, which becomes the matrix of the last run.
   Returns the number of elements processed: a chunk, or those before a vector in which each element needs its own row. */
VF_INLINE size_t LOOP_NAME(chunk)(const LOOP_ARRAYS *arrays, const LOOP_NAME(shared) *shared, unsigned has,
                                  const LOOP_CALL *call, size_t i, uint64_t borders, size_t vectors,
                                  LOOP_NAME(matrix) *m)
{
#pragma GCC unroll 4 /* makes the bits of each block a constant */
    for (size_t block = 0; block < VF_CHUNK; block += VF_BLOCK) {
        if (vectors > 1 && __builtin_expect(vi_bits_of(borders, block, VF_BLOCK) == 0, 1)) {
            LOOP_NAME(vectors)(arrays, shared, has, *m, i + block, vectors);
            continue;
        }
        for (size_t k = block; k < block + VF_BLOCK; k += VF_LANES) {
            const uint64_t here = vi_bits_of(borders, k, VF_LANES);
            if (here == 0) {
                LOOP_NAME(vectors)(arrays, shared, has, *m, i + k, 1);
                continue;
            }
            const uint16_t last = call->index[i + k + VF_LANES - 1];
            if (LOOP_NAME(several)(here) || !LOOP_NAME(moves)(call, last)) {
                return k;
            }
            const LOOP_NAME(matrix) next = LOOP_NAME(row)(call, last);
            const vm after = vi_eq(vi_load_u16(call->index + i + k), vi_set1(last));
            const LOOP_NAME(matrix) own = LOOP_NAME(blend)(after, next, *m);
            LOOP_NAME(vectors)(arrays, shared, has, own, i + k, 1);
            *m = next;
        }
    }
    return VF_CHUNK;
}

/* Processes chunks in runs from i on; `borders` are those of the first one. Returns where it stopped: at the end or
   within a chunk. */
VF_INLINE size_t LOOP_NAME(in_runs)(const LOOP_ARRAYS *in_memory, const LOOP_CALL *call_in_memory, unsigned has,
                                    size_t i, size_t end, uint64_t borders, size_t vectors)
{
    const LOOP_ARRAYS arrays = LOOP_COMPLETED(in_memory, has); /* address never taken: stays in registers */
    const LOOP_CALL call = *call_in_memory;
    const LOOP_NAME(shared) shared = LOOP_NAME(prepare)(in_memory, call_in_memory, has);
    LOOP_NAME(matrix) m = LOOP_NAME(row)(&call, call.index[i]);
    for (;;) {
        const size_t done = LOOP_NAME(chunk)(&arrays, &shared, has, &call, i, borders, vectors, &m);
        i += done;
        if (done < VF_CHUNK || i == end) {
            return i;
        }
        borders = vi_differ_u16(call.index + i - 1, call.index + i);
    }
}

/* Processes the elements from i to the end of their chunk, each with its own row, and further chunks that begin without
   order. Returns where it stopped. */
VF_INLINE size_t LOOP_NAME(without_order)(const LOOP_ARRAYS *in_memory, const LOOP_CALL *call_in_memory, unsigned has,
                                          size_t i, size_t chunk_end, size_t end)
{
    const LOOP_ARRAYS arrays = LOOP_COMPLETED(in_memory, has);
    const LOOP_CALL call = *call_in_memory;
    const LOOP_NAME(shared) shared = LOOP_NAME(prepare)(in_memory, call_in_memory, has);
    const size_t stride = sizeof *call.rows / sizeof(float);
    const float *rows = (const float *)(const void *)call.rows;
    vf_table4 table;
    bool has_table = false;
    for (;; chunk_end += VF_CHUNK) {
        const uint16_t *chunk = call.index + chunk_end - VF_CHUNK;
        if (call.row_count == 0 || !vi_chunk_is_at_most(chunk, (uint16_t)(call.row_count - 1))) {
            LOOP_NAME(unsure)(in_memory, call_in_memory, has, i, chunk_end - i);
            i = chunk_end;
        }
        for (; i < chunk_end; i += VF_LANES) {
            vf column[4];
            if (has_table) {
                vf_table4_rows(&table, call.index + i, column);
            } else {
                vf_load_rows4(rows, stride, call.index + i, column);
            }
            const LOOP_NAME(matrix) m = LOOP_NAME(columns)(&call, has, call.index + i, column);
            const LOOP_NAME(input) in = LOOP_NAME(load)(&arrays, &shared, has, i, VF_LANES);
            LOOP_NAME(store)(&arrays, &shared, has, in, LOOP_NAME(step_mixed)(&shared, has, m, in), i, VF_LANES);
        }
        if (i == end) {
            return i;
        }
        const uint64_t borders = vi_differ_u16(call.index + i - 1, call.index + i);
        if (!LOOP_NAME(several)(vi_bits_of(borders, 0, VF_LANES))) {
            return i;
        }
        if (!has_table && call.row_count > 0 && call.row_count <= VF_TABLE_ROWS && end - i >= LOOP_WORTH_A_TABLE) {
            vf_table4_load(&table, rows, stride, call.row_count);
            has_table = true;
        }
    }
}

VF_INLINE void LOOP_NAME(chunks)(const LOOP_ARRAYS *arrays, const LOOP_CALL *call, unsigned has, size_t begin,
                                 size_t end, size_t vectors)
{
    const size_t first = begin + vf_lanes_before_line(LOOP_WRITTEN(arrays), begin, end, 4096);
    const size_t chunks_end = end - (end - first) % VF_CHUNK;
    if (begin < first) {
        LOOP_NAME(unsure)(arrays, call, has, begin, first - begin);
    }
    uint16_t before_first[VF_CHUNK]; /* predecessors: the range may begin where the array does */
    if (first < chunks_end) {
        before_first[0] = call->index[first];
        memcpy(before_first + 1, call->index + first, (VF_CHUNK - 1) * sizeof *before_first);
    }
    for (size_t i = first; i < chunks_end;) {
        if (LOOP_NAME(moves)(call, call->index[i])) {
            const uint16_t *before = i == first ? before_first : call->index + i - 1;
            i = LOOP_NAME(in_runs)(arrays, call, has, i, chunks_end, vi_differ_u16(before, call->index + i), vectors);
        }
        if (i < chunks_end) {
            const size_t chunk_end = chunks_end - (chunks_end - 1 - i) / VF_CHUNK * VF_CHUNK;
            i = LOOP_NAME(without_order)(arrays, call, has, i, chunk_end, chunks_end);
        }
    }
    if (chunks_end < end) {
        LOOP_NAME(unsure)(arrays, call, has, chunks_end, end - chunks_end);
    }
}

#define LOOP_BEGIN
#define LOOP_RUN(vectors, begin, end) LOOP_NAME(chunks)(arrays, call, has, begin, end, vectors)
#include "simd/loops/sets-inl.h"
#undef LOOP_WORTH_A_TABLE
