/* gyre_springs_step_palette: springs that share a palette of matrices, each by a 16-bit index. */
#ifndef GYRE_SPRING_PALETTE_H
#define GYRE_SPRING_PALETTE_H

#include "simd/loops/parts-inl.h"
#include "spring/rows-inl.h"

/* The arguments other than the springs. An index outside the palette makes its spring NaN, and *all_inside false. */
typedef struct palette_call {
    const gyre_spring_matrix *rows;
    size_t row_count;
    const uint16_t *index; /* one per spring */
    bool *all_inside;
} palette_call;

typedef vf_spring_input palette_input;
typedef vf_spring_state palette_state;
typedef vf_spring_matrix palette_matrix;

typedef struct palette_shared {
    vf_spring_settings settings;
} palette_shared;

VF_INLINE palette_shared palette_prepare(const gyre_springs *s, const palette_call *call, unsigned has)
{
    (void)call, (void)has;
    return (palette_shared){vf_spring_settings_of(s)};
}

VF_INLINE vf_spring_input palette_load(const gyre_springs *s, const palette_shared *shared, unsigned has, size_t i,
                                       size_t n)
{
    (void)shared;
    return vf_spring_input_at(s, has, i, n);
}

VF_INLINE vf_spring_state palette_step(const palette_shared *shared, unsigned has, vf_spring_matrix m,
                                       vf_spring_input in)
{
    return vf_spring_advance(has, shared->settings, m, in);
}

VF_INLINE vf_spring_state palette_step_mixed(const palette_shared *shared, unsigned has, vf_spring_matrix m,
                                             vf_spring_input in)
{
    return vf_spring_advance_by_own(has, shared->settings, m, in);
}

VF_INLINE void palette_store(const gyre_springs *s, const palette_shared *shared, unsigned has, vf_spring_input in,
                             vf_spring_state next, size_t i, size_t n)
{
    vf_spring_store_state(s, shared->settings, has | SPRING_OWN, in, next, i, n);
}

/* Springs with an identity matrix keep their bits, and are not part of a run. */
VF_INLINE bool palette_moves(const palette_call *call, uint16_t index)
{
    return index < call->row_count && !is_identity(&call->rows[index]);
}

VF_INLINE vf_spring_matrix palette_row(const palette_call *call, uint16_t index)
{
    const gyre_spring_matrix *row = &call->rows[index];
#define COEFFICIENT(name, low) .name = vf_set1(row->name),
#define ORIGIN(name, member) .name = vf_set1(row->member),
    return (vf_spring_matrix){SPRING_COEFFICIENTS(COEFFICIENT) SPRING_ORIGINS(ORIGIN)};
#undef ORIGIN
#undef COEFFICIENT
}

VF_INLINE vf_spring_matrix palette_blend(vm mask, vf_spring_matrix a, vf_spring_matrix b)
{
#define SELECTED(name, member) .name = vf_select(mask, a.name, b.name),
    return (vf_spring_matrix){SPRING_COEFFICIENTS(SELECTED) SPRING_ORIGINS(SELECTED)};
#undef SELECTED
}

VF_INLINE vf_spring_matrix palette_columns_of(const gyre_spring_matrix *rows, unsigned has, const uint16_t *which,
                                              const vf column[4])
{
    vf_spring_matrix m = {.pos_pos = column[0], .pos_vel = column[1], .vel_pos = column[2], .vel_vel = column[3]};
    if (has & SPRING_RAMP) {
        vf ramp[4]; /* and two low parts */
        vf_load_rows4(&rows->pos_ramp, sizeof *rows / sizeof(float), which, ramp);
        m.pos_ramp = ramp[0];
        m.vel_ramp = ramp[1];
    }
    if (has & SPRING_BOUNDS) {
        vf origin[4];
        vf_load_rows4(&rows->spring.angular_frequency, sizeof *rows / sizeof(float), which, origin);
        m.angular_frequency = origin[0];
        m.damping_ratio = origin[1];
        m.follow = origin[2];
        m.dt_s = origin[3];
    }
    return m;
}

VF_INLINE vf_spring_matrix palette_columns(const palette_call *call, unsigned has, const uint16_t *which,
                                           const vf column[4])
{
    return palette_columns_of(call->rows, has, which, column);
}

/* NaN where an index is outside the palette, and in lanes from n on. */
VF_INLINE spring_rows palette_rows(const palette_call *call, size_t i, size_t n)
{
    spring_rows rows = spring_rows_of_nan();
    bool all_inside = true;
    for (size_t lane = 0; lane < n; lane++) {
        const uint16_t index = call->index[i + lane];
        if (index < call->row_count) {
            rows.of[lane] = call->rows[index];
        } else {
            all_inside = false;
        }
    }
    *call->all_inside &= all_inside;
    return rows;
}

VF_INLINE vf_spring_matrix palette_checked(const palette_call *call, unsigned has, size_t i, size_t n)
{
    const spring_rows rows = palette_rows(call, i, n);
    uint16_t own[GYRE_LANES];
    for (uint16_t lane = 0; lane < GYRE_LANES; lane++) {
        own[lane] = lane;
    }
    vf column[4];
    vf_load_rows4(&rows.of->pos_pos, sizeof *rows.of / sizeof(float), own, column);
    return palette_columns_of(rows.of, has, own, column);
}

#define PALETTE_SETS(SET)                                                                                              \
    SET(zero, 0, 0, VF_BLOCK_VECTORS)                                                                                  \
    SET(target, SPRING_TARGET, 0, VF_BLOCK_VECTORS)                                                                    \
    SET(basics, 0, SPRING_BASICS, VF_BLOCK_VECTORS)                                                                    \
    SET(general, 0, SPRING_ALL, 1)
#define LOOP palette
#define LOOP_ARRAYS gyre_springs
#define LOOP_CALL palette_call
#define LOOP_SETS PALETTE_SETS
#define LOOP_WRITTEN(springs) springs->position
#define LOOP_FLAGS(springs, has) awake_flags((has) & SPRING_SKIP, (springs)->awake)
#define LOOP_COMPLETED(springs, has) spring_completed(springs, has)
#include "simd/loops/gathered-inl.h"

/* ---- With low parts ---- */

typedef struct palette_part {
    const gyre_springs *springs;
    unsigned has;
    palette_call call;
} palette_part;

VF_INLINE void palette_low_part(const void *context, size_t i, size_t n)
{
    const palette_part *p = context;
    const spring_rows rows = palette_rows(&p->call, i, n);
    springs_step_rows(p->springs, p->has, &rows, i, n);
}

/* Whether all indices are inside the palette, including those of springs that sleep. */
static bool palette_has_all(const palette_call *call, size_t begin, size_t end)
{
    bool inside = true;
    for (; call->row_count > 0 && inside && end - begin >= VF_CHUNK; begin += VF_CHUNK) {
        inside = vi_chunk_is_at_most(call->index + begin, (uint16_t)(call->row_count - 1));
    }
    for (; inside && begin < end; begin++) {
        inside = call->index[begin] < call->row_count;
    }
    return inside;
}

GYRE_KERNEL_FUNCTION gyre_status springs_step_palette(const gyre_springs *springs, size_t begin, size_t end,
                                                      const gyre_spring_matrix *palette, size_t palette_count,
                                                      const uint16_t *index)
{
    if (springs == NULL) {
        return GYRE_ERROR_NULL;
    }
    const bool more = may_have_more_than_basics(springs);
    const gyre_status status = more ? check_springs(springs, begin, end) : check_plain_springs(springs, begin, end);
    if (status != GYRE_OK || begin == end) {
        return status;
    }
    if (index == NULL || (palette == NULL && palette_count > 0)) {
        return GYRE_ERROR_NULL;
    }
    const size_t max_count = (size_t)UINT16_MAX + 1; /* an index has 16 bits */
    bool all_inside = true;
    const palette_call call = {palette, palette_count < max_count ? palette_count : max_count, index, &all_inside};
    const unsigned has = more ? features_of(springs) : basic_features_of(springs);
    if (has & SPRING_SKIP) {
        all_inside = palette_has_all(&call, begin, end);
    }
    if (springs->position_low != NULL) {
        const palette_part part = {springs, has, call};
        vf_each_part(palette_low_part, &part, awake_flags(has & SPRING_SKIP, springs->awake), begin, end);
    } else {
        palette_loop(springs, &call, has, begin, end);
    }
    return all_inside ? GYRE_OK : GYRE_INCOMPLETE;
}

#endif
