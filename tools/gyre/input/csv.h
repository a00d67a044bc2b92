/* Tables of numbers: lines that start with # first, then a header line, then rows of numbers between commas. */
#ifndef GYRE_TOOL_CSV_H
#define GYRE_TOOL_CSV_H

#include "input/document.h"

enum { CSV_MOST_COLUMNS = 8 };

struct csv {
    char *path;
    const char *const *names;        /* of all columns that may be read, in the order of a row's cells */
    size_t columns;                  /* that are read, and */
    size_t places[CSV_MOST_COLUMNS]; /* of each of them in the file */
    size_t width;                    /* columns in the file */
    size_t rows;
    size_t first_line; /* of the rows */
    double *cells;     /* row by row; every one fits a float */
};

/* Reads the file that `file` names. The header must be the first `least` of the `most` names, or more of them. */
struct csv csv_read(const struct node *file, const char *const names[], size_t least, size_t most);

/* Reads the columns with these names, wherever they stand; the others may hold anything. */
struct csv csv_read_columns(const struct node *file, const char *const names[], size_t count);
void csv_free(struct csv *table);

/* Ends the program if the table, from `file`, has another number of rows. */
void csv_expect_rows(const struct csv *table, const struct node *file, size_t count);

/* For a number that is well formed but makes no sense. */
_Noreturn void csv_bad(const struct csv *table, size_t row, size_t column, const char *problem);

#endif
