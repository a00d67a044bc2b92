/* Springs with low parts that have a matrix each. The matrices are rows, which become columns of doubles. */
#ifndef GYRE_SPRING_ROWS_H
#define GYRE_SPRING_ROWS_H

#include "spring/batch-inl.h"

typedef struct spring_rows {
    gyre_spring_matrix of[GYRE_LANES];
} spring_rows;

VF_INLINE spring_rows spring_rows_of_nan(void)
{
    spring_rows rows;
    for (size_t lane = 0; lane < VF_LANES; lane++) {
        rows.of[lane] = (gyre_spring_matrix){.pos_pos = NAN, .pos_vel = NAN, .vel_pos = NAN, .vel_vel = NAN};
    }
    return rows;
}

/* The sums of coefficients and their low parts. */
VF_INLINE vfd_spring_matrix spring_matrix_of_rows(const spring_rows *rows)
{
#define COLUMN(name, low) double name[GYRE_LANES];
#define ORIGIN(name, member) float name[GYRE_LANES];
    struct {
        SPRING_COEFFICIENTS(COLUMN)
        SPRING_ORIGINS(ORIGIN)
    } column;
#undef ORIGIN
#undef COLUMN
    for (size_t lane = 0; lane < VF_LANES; lane++) {
        const gyre_spring_matrix *m = &rows->of[lane];
#define COLUMN(name, low) column.name[lane] = (double)m->name + m->low;
#define ORIGIN(name, member) column.name[lane] = m->member;
        SPRING_COEFFICIENTS(COLUMN)
        SPRING_ORIGINS(ORIGIN)
#undef ORIGIN
#undef COLUMN
    }
#define COLUMN(name, low) .name = vfd_load_doubles(column.name),
#define ORIGIN(name, member) .name = vf_load(column.name),
    return (vfd_spring_matrix){SPRING_COEFFICIENTS(COLUMN) SPRING_ORIGINS(ORIGIN)};
#undef ORIGIN
#undef COLUMN
}

/* The n springs at i, each by its row. */
VF_SHARED void springs_step_rows(const gyre_springs *s, unsigned has, const spring_rows *rows, size_t i, size_t n)
{
    const vfd_spring_settings settings = vfd_spring_settings_of(s);
    const gyre_springs arrays = spring_completed(s, has);
    const vfd_spring_input in = vfd_spring_input_at(&arrays, has, i, n);
    const vfd_spring_state next = vfd_spring_advance_by_own(has, settings, spring_matrix_of_rows(rows), in);
    vfd_spring_store_state(s, settings, has | SPRING_OWN, in, next, i, n);
}

#endif
