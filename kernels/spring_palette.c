/* Springs that share a palette of matrices, each by a 16-bit index: thousands of springs, dozens of styles.

   Styles come in runs of equal indices, so the kernel looks at a chunk of indices at once. A chunk in one run is
   stepped as springs_step does; one across a border by two loops and one vector whose matrices are blended; and where
   there is no order each spring's matrix is fetched. Whichever way a spring's matrix is found, its bits are the same.
   Chunks lie where the range begins, not where the runs do: nothing that is computed for one waits for the one before.
 */
#include "simd/kernel.h"

typedef struct spring_palette {
    const gyre_spring_matrix *matrices;
    size_t count;
    const uint16_t *which; /* one per spring */
} spring_palette;

/* Whether springs move by the matrix: where it is the identity, or beyond the palette, they must stay as they are, bit
   for bit. */
VF_INLINE bool moves(const spring_palette *p, uint16_t index)
{
    return index < p->count && !is_identity(&p->matrices[index]);
}

VF_INLINE void step_vector(const gyre_springs *s, spring_features has, const spring_matrix *m, size_t i)
{
    store_springs(s, has, advance_springs(s, has, m, load_springs(s, has, i, VF_LANES)), i, VF_LANES);
}

/* A chunk from i on whose indices change once, at `border`: one matrix, a vector of both, the other. */
VF_INLINE void step_two_runs(const gyre_springs *s, spring_features has, const spring_matrix *m,
                             const gyre_spring_matrix *after, const uint16_t *which, size_t i, size_t border)
{
    const size_t end = i + VF_CHUNK;
    const vi first = vi_set1(which[i]);
    for (border += i; i + VF_LANES <= border; i += VF_LANES) {
        step_vector(s, has, m, i);
    }
    const spring_matrix next = broadcast_matrix(after);
    if (i < border) {
        vm before = vi_eq(vi_load_u16(which + i), first);
        spring_matrix both = {
            vf_select(before, m->pos_pos, next.pos_pos),
            vf_select(before, m->pos_vel, next.pos_vel),
            vf_select(before, m->vel_pos, next.vel_pos),
            vf_select(before, m->vel_vel, next.vel_vel),
        };
        step_vector(s, has, &both, i);
        i += VF_LANES;
    }
    for (; i < end; i += VF_LANES) {
        step_vector(s, has, &next, i);
    }
}

/* Where the matrix is the identity, zeros of either sign. */
VF_INLINE vm are_identities(const spring_matrix *m)
{
    const vi one = vf_bits(vf_set1(1));
    vi diagonal = vi_or(vi_xor(vf_bits(m->pos_pos), one), vi_xor(vf_bits(m->vel_vel), one));
    vi others = vi_or(vf_bits(m->pos_vel), vf_bits(m->vel_pos));
    return vi_disjoint(vi_or(diagonal, others), vi_set1(INT32_MAX));
}

/* n springs by the rows `which` of a table of matrices. */
VF_INLINE void step_by_rows(const gyre_springs *s, spring_features has, const gyre_spring_matrix *table,
                            const uint16_t *which, size_t i, size_t n)
{
    vf column[4];
    vf_load_rows4(&table->pos_pos, which, column);
    const spring_matrix m = {column[0], column[1], column[2], column[3]};
    spring_state old = load_springs(s, has, i, n), new = advance_springs(s, has, &m, old);
    if (vm_any(vf_eq(m.pos_pos, vf_set1(1)))) { /* rarely */
        vm still = are_identities(&m);
        new.position = vf_select(still, old.position, new.position);
        new.velocity = vf_select(still, old.velocity, new.velocity);
    }
    store_springs(s, has, new, i, n);
}

/* n springs, of which some may be beyond the palette: these take the identity. Returns whether none was. */
static __attribute__((noinline)) bool step_checked(const gyre_springs *s, const spring_palette *p, size_t i, size_t n)
{
    bool all_inside = true;
    for (const size_t end = i + n; i < end; i += n) {
        gyre_spring_matrix rows[GYRE_LANES];
        uint16_t own_row[GYRE_LANES];
        n = vf_lanes_left(i, end);
        for (uint16_t lane = 0; lane < GYRE_LANES; lane++) {
            bool inside = lane < n && p->which[i + lane] < p->count;
            rows[lane] = inside ? p->matrices[p->which[i + lane]] : (gyre_spring_matrix){1, 0, 0, 1};
            own_row[lane] = lane;
            all_inside &= inside || lane >= n;
        }
        step_by_rows(s, features_of(s), rows, own_row, i, n);
    }
    return all_inside;
}

VF_INLINE bool step_palette_range(const gyre_springs *springs, spring_features has, const spring_palette *palette,
                                  size_t begin, size_t end)
{
    const gyre_springs s = *springs; /* copies whose address nobody has: they stay in registers */
    const spring_palette p = *palette;
    const size_t chunks_end = end - (end - begin) % VF_CHUNK;
    bool all_inside = true;
    for (size_t i = begin; i < chunks_end; i += VF_CHUNK) {
        const uint16_t *which = p.which + i;
        const uint16_t first = which[0], last = which[VF_CHUNK - 1];
        if (moves(&p, first)) {
            const spring_matrix m = broadcast_matrix(&p.matrices[first]);
            size_t border;
            const int changes = vi_changes_u16(which, &border);
            if (changes == 0) {
                for (size_t k = 0; k < VF_CHUNK; k += VF_BLOCK) {
                    step_block(&s, has, &m, i + k);
                }
                continue;
            }
            if (changes == 1 && moves(&p, last)) {
                step_two_runs(&s, has, &m, &p.matrices[last], p.which, i, border);
                continue;
            }
        }
        if (p.count > 0 && vi_chunk_is_at_most(which, (uint16_t)(p.count - 1))) {
            for (size_t k = 0; k < VF_CHUNK; k += VF_LANES) {
                step_by_rows(&s, has, p.matrices, which + k, i + k, VF_LANES);
            }
        } else {
            all_inside &= step_checked(springs, palette, i, VF_CHUNK);
        }
    }
    return step_checked(springs, palette, chunks_end, end - chunks_end) && all_inside;
}

GYRE_KERNEL_FUNCTION gyre_status springs_step_palette(const gyre_springs *springs, size_t begin, size_t end,
                                                      const gyre_spring_matrix *palette, size_t palette_count,
                                                      const uint16_t *which)
{
    if (springs == NULL) {
        return GYRE_ERROR_NULL;
    }
    gyre_status status = check_springs(springs, begin, end);
    if (status != GYRE_OK || begin == end) {
        return status;
    }
    if (which == NULL || (palette == NULL && palette_count > 0)) {
        return GYRE_ERROR_NULL;
    }
    const size_t most = (size_t)UINT16_MAX + 1; /* an index reaches no further */
    const spring_palette p = {
        .matrices = palette, .count = palette_count < most ? palette_count : most, .which = which};
    const spring_features has = features_of(springs);
    bool all_inside;
    if (has.period || has.rest || has.awake) {
        all_inside = step_palette_range(springs, has, &p, begin, end);
    } else if (has.target) {
        all_inside = step_palette_range(springs, (spring_features){.target = true}, &p, begin, end);
    } else {
        all_inside = step_palette_range(springs, (spring_features){0}, &p, begin, end);
    }
    return all_inside ? GYRE_OK : GYRE_ERROR_RANGE;
}
