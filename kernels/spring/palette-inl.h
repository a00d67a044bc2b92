/* gyre_springs_step_palette: springs that share a palette of matrices, each by a 16-bit index.

   Indices come in runs. The kernel compares a chunk of indices with their predecessors, which gives the borders of runs
   as bits, and keeps the matrix of a run in registers. A block without a border is stepped as by springs_step, a vector
   with one border by two matrices blended, and where there is no order each spring's matrix is gathered. A spring's
   bits do not depend on the way. Branches depend on indices, addresses of springs do not, so the arithmetic of a vector
   does not wait for the indices before it. */
#include "spring/step-inl.h"

typedef struct spring_palette {
    const gyre_spring_matrix *matrices;
    size_t count;
    const uint16_t *index; /* one per spring */
} spring_palette;

/* Whether an index has a matrix that changes states. Springs of the identity keep their bits; springs whose index is
   outside the palette become NaN. */
VF_INLINE bool has_moving_matrix(const spring_palette *p, uint16_t index)
{
    return index < p->count && !is_identity(&p->matrices[index]);
}

/* In floats. */
enum { MATRIX_STRIDE = sizeof(gyre_spring_matrix) / sizeof(float) };

/* n springs, each by the row that `which` names for its lane; `column` has its first four coefficients. */
VF_INLINE void step_by_columns(const gyre_springs *s, spring_features has, const gyre_spring_matrix *rows,
                               const uint16_t *which, const vf column[4], size_t i, size_t n)
{
    spring_matrix m = {.pos_pos = column[0], .pos_vel = column[1], .vel_pos = column[2], .vel_vel = column[3]};
    if (has.ramp) {
        vf ramp[4]; /* and two low parts */
        vf_load_rows4(&rows->pos_ramp, MATRIX_STRIDE, which, ramp);
        m.pos_ramp = ramp[0];
        m.vel_ramp = ramp[1];
    }
    step_by_own_matrices(s, has, &m, i, n);
}

/* The rows of n springs; NaN where an index is outside the palette, and in lanes from n on. Returns whether all were
   inside. */
VF_INLINE bool gather_rows(const spring_palette *p, size_t i, size_t n, gyre_spring_matrix rows[GYRE_LANES])
{
    const gyre_spring_matrix nan_matrix = {.pos_pos = NAN, .pos_vel = NAN, .vel_pos = NAN, .vel_vel = NAN};
    bool all_inside = true;
    for (size_t lane = 0; lane < VF_LANES; lane++) {
        const bool inside = lane < n && p->index[i + lane] < p->count;
        rows[lane] = inside ? p->matrices[p->index[i + lane]] : nan_matrix;
        all_inside &= inside || lane >= n;
    }
    return all_inside;
}

/* n springs, some of whose indices may be outside the palette. Returns whether all were inside. */
static __attribute__((noinline)) bool step_checked(const gyre_springs *s, const spring_palette *p, size_t i, size_t n)
{
    bool all_inside = true;
    for (const size_t end = i + n; i < end; i += n) {
        gyre_spring_matrix rows[GYRE_LANES];
        uint16_t own_row[GYRE_LANES];
        n = vf_lanes_left(i, end);
        all_inside &= gather_rows(p, i, n, rows);
        for (uint16_t lane = 0; lane < GYRE_LANES; lane++) {
            own_row[lane] = lane;
        }
        vf column[4];
        vf_load_rows4(&rows->pos_pos, MATRIX_STRIDE, own_row, column);
        step_by_columns(s, features_of(s), rows, own_row, column, i, n);
    }
    return all_inside;
}

static __attribute__((noinline)) void step_palette_precisely(const gyre_springs *s, spring_features has,
                                                             const spring_palette *p, size_t begin, size_t end,
                                                             bool *all_inside)
{
    for (awake_run run = next_springs(s, has, begin, end); run.begin < run.end;
         run = next_springs(s, has, run.end, end)) {
        for (size_t i = run.begin; i < run.end; i += VF_LANES) {
            gyre_spring_matrix rows[GYRE_LANES];
            const size_t n = vf_lanes_left(i, run.end);
            *all_inside &= gather_rows(p, i, n, rows);
            step_rows_precisely(s, rows, i, n);
        }
    }
}

/* Whether all indices are inside the palette, of springs that sleep too. */
static bool are_inside(const spring_palette *p, size_t begin, size_t end)
{
    bool inside = true;
    for (; p->count > 0 && inside && end - begin >= VF_CHUNK; begin += VF_CHUNK) {
        inside = vi_chunk_is_at_most(p->index + begin, (uint16_t)(p->count - 1));
    }
    for (; inside && begin < end; begin++) {
        inside = p->index[begin] < p->count;
    }
    return inside;
}

/* The number of springs without order from which loading the palette into registers pays: 150 on Zen 5, 600 on an Intel
   Xeon of family 6, model 207. */
static const size_t worth_a_table = 512;

VF_INLINE bool are_several(uint64_t bits) { return (bits & (bits - 1)) != 0; }

/* A vector across one border: by m, and from the border on by `next`. */
VF_INLINE void step_across_border(const gyre_springs *s, spring_features has, const spring_matrix *m,
                                  const spring_matrix *next, const uint16_t *index, size_t i)
{
    const vm after = vi_eq(vi_load_u16(index + i), vi_set1(index[i + VF_LANES - 1]));
    const spring_matrix own = {
        vf_select(after, next->pos_pos, m->pos_pos),   vf_select(after, next->pos_vel, m->pos_vel),
        vf_select(after, next->vel_pos, m->vel_pos),   vf_select(after, next->vel_vel, m->vel_vel),
        vf_select(after, next->pos_ramp, m->pos_ramp), vf_select(after, next->vel_ramp, m->vel_ramp),
    };
    step_springs(s, has, &own, i, VF_LANES);
}

/* Steps a chunk whose runs move and are a vector or longer: the first run by m, which becomes the last run's matrix.
   Returns how many springs it has stepped: a chunk, or those before a vector in which each spring needs its own row. */
VF_INLINE size_t step_chunk(const gyre_springs *s, spring_features has, const spring_palette *p, size_t i,
                            uint64_t borders, spring_matrix *m)
{
#pragma GCC unroll 4 /* which bits are a block's is then a constant */
    for (size_t block = 0; block < VF_CHUNK; block += VF_BLOCK) {
        if (__builtin_expect(vi_bits_of(borders, block, VF_BLOCK) == 0, 1)) {
            const step_context context = {*s, has, *m};
            vf_stream_block(step_stream, &context, i + block);
            continue;
        }
        for (size_t k = block; k < block + VF_BLOCK; k += VF_LANES) {
            const uint64_t here = vi_bits_of(borders, k, VF_LANES);
            if (here == 0) {
                step_springs(s, has, m, i + k, VF_LANES);
                continue;
            }
            const uint16_t last = p->index[i + k + VF_LANES - 1];
            if (are_several(here) || !has_moving_matrix(p, last)) {
                return k;
            }
            const spring_matrix next = broadcast_matrix(&p->matrices[last]);
            step_across_border(s, has, m, &next, p->index, i + k);
            *m = next;
        }
    }
    return VF_CHUNK;
}

/* Chunks in runs from i on; `borders` are the first one's. Returns where that ends: at the end or within a chunk. */
VF_INLINE size_t step_in_runs(const gyre_springs *springs, spring_features has, const spring_palette *palette, size_t i,
                              size_t end, uint64_t borders)
{
    const gyre_springs s = *springs; /* copies whose address nobody has: they stay in registers */
    const spring_palette p = *palette;
    spring_matrix m = broadcast_matrix(&p.matrices[p.index[i]]);
    for (;;) {
        const size_t done = step_chunk(&s, has, &p, i, borders, &m);
        i += done;
        if (done < VF_CHUNK || i == end) {
            return i;
        }
        borders = vi_differ_u16(p.index + i - 1, p.index + i);
    }
}

/* Springs from i to the end of their chunk, each by its own row, and further chunks that begin without order. Returns
   where they end. */
VF_INLINE size_t step_without_order(const gyre_springs *springs, spring_features has, const spring_palette *palette,
                                    size_t i, size_t chunk_end, size_t end, bool *all_inside)
{
    const gyre_springs s = *springs;
    const spring_palette p = *palette;
    vf_table4 table;
    bool has_table = false;
    for (;; chunk_end += VF_CHUNK) {
        const uint16_t *chunk = p.index + chunk_end - VF_CHUNK;
        if (p.count == 0 || !vi_chunk_is_at_most(chunk, (uint16_t)(p.count - 1))) {
            *all_inside &= step_checked(springs, palette, i, chunk_end - i);
            i = chunk_end;
        }
        for (; i < chunk_end; i += VF_LANES) {
            vf column[4];
            if (has_table) {
                vf_table4_rows(&table, p.index + i, column);
            } else {
                vf_load_rows4(&p.matrices->pos_pos, MATRIX_STRIDE, p.index + i, column);
            }
            step_by_columns(&s, has, p.matrices, p.index + i, column, i, VF_LANES);
        }
        if (i == end || !are_several(vi_bits_of(vi_differ_u16(p.index + i - 1, p.index + i), 0, VF_LANES))) {
            return i;
        }
        if (!has_table && p.count > 0 && p.count <= VF_TABLE_ROWS && end - i >= worth_a_table) {
            vf_table4_load(&table, &p.matrices->pos_pos, MATRIX_STRIDE, p.count);
            has_table = true;
        }
    }
}

/* The arguments of a call, and whether all of its indices are inside the palette. */
typedef struct palette_context {
    const gyre_springs *springs;
    const spring_palette *palette;
    bool *all_inside;
} palette_context;

VF_INLINE void palette_loop(const void *context, spring_features has, size_t begin, size_t end)
{
    const palette_context *c = context;
    const gyre_springs *s = c->springs;
    const spring_palette *p = c->palette;
    const size_t first = begin + vf_lanes_before_line(s->position, begin, end, 4096);
    const size_t chunks_end = end - (end - first) % VF_CHUNK;
    bool all_inside = begin == first || step_checked(s, p, begin, first - begin);
    uint16_t before_first[VF_CHUNK]; /* each index's predecessor: the range may begin where the array does */
    if (first < chunks_end) {
        before_first[0] = p->index[first];
        memcpy(before_first + 1, p->index + first, (VF_CHUNK - 1) * sizeof *before_first);
    }
    for (size_t i = first; i < chunks_end;) {
        if (has_moving_matrix(p, p->index[i])) {
            const uint16_t *before = i == first ? before_first : p->index + i - 1;
            i = step_in_runs(s, has, p, i, chunks_end, vi_differ_u16(before, p->index + i));
        }
        if (i < chunks_end) {
            const size_t chunk_end = chunks_end - (chunks_end - 1 - i) / VF_CHUNK * VF_CHUNK;
            i = step_without_order(s, has, p, i, chunk_end, chunks_end, &all_inside);
        }
    }
    all_inside &= chunks_end == end || step_checked(s, p, chunks_end, end - chunks_end);
    *c->all_inside &= all_inside;
}

/* All that may be asked of a step. Returns whether all indices were inside. Features are found here, so that a plain
   step does not build them in memory. */
static __attribute__((noinline)) bool step_palette_in_general(const gyre_springs *s, const spring_palette *p,
                                                              size_t begin, size_t end)
{
    const spring_features has = features_of(s);
    bool all_inside = !has.skip || are_inside(p, begin, end);
    if (s->position_low != NULL) {
        step_palette_precisely(s, has, p, begin, end, &all_inside);
    } else {
        const palette_context context = {s, p, &all_inside};
        run_general_loop(palette_loop, &context, s, has, begin, end);
    }
    return all_inside;
}

GYRE_KERNEL_FUNCTION gyre_status springs_step_palette(const gyre_springs *springs, size_t begin, size_t end,
                                                      const gyre_spring_matrix *palette, size_t palette_count,
                                                      const uint16_t *index)
{
    if (springs == NULL) {
        return GYRE_ERROR_NULL;
    }
    const bool general = springs->position_low != NULL || needs_general_loop(springs);
    const gyre_status status = general ? check_springs(springs, begin, end) : check_plain_springs(springs, begin, end);
    if (status != GYRE_OK || begin == end) {
        return status;
    }
    if (index == NULL || (palette == NULL && palette_count > 0)) {
        return GYRE_ERROR_NULL;
    }
    const size_t most = (size_t)UINT16_MAX + 1; /* an index reaches no further */
    const spring_palette p = {
        .matrices = palette, .count = palette_count < most ? palette_count : most, .index = index};
    bool all_inside = true;
    if (general) {
        all_inside = step_palette_in_general(springs, &p, begin, end);
    } else {
        const palette_context context = {springs, &p, &all_inside};
        run_plain_loop(palette_loop, &context, features_of(springs), begin, end);
    }
    return all_inside ? GYRE_OK : GYRE_INCOMPLETE;
}
