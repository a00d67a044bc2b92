/* CSV files of numbers: comment lines that begin with #, a header with the column names, then one row per line. A cell
   may be quoted. Blank lines are allowed at the end. A line has at most CSV_MOST_BYTES. */
#ifndef GYRE_TOOL_CSV_H
#define GYRE_TOOL_CSV_H

#include "input/document.h"

enum { CSV_MOST_COLUMNS = 12, CSV_MOST_BYTES = 1 << 20 };

struct csv {
    char *path;
    const char *const *names;        /* of the columns that may be read, in the order of `cells` */
    size_t columns;                  /* number of columns read */
    size_t places[CSV_MOST_COLUMNS]; /* column in the file of each */
    size_t width;                    /* number of columns in the file */
    size_t rows;
    size_t first_line; /* of the rows */
    double *cells;     /* row by row; each value fits a float */
};

/* Reads the file that `file` names. Its header must be the first `least` to `most` of the names. */
struct csv csv_read(const struct node *file, const char *const names[], size_t least, size_t most);

/* Reads the columns with these names, in any place; other columns may hold any text. */
struct csv csv_read_columns(const struct node *file, const char *const names[], size_t count);
void csv_free(struct csv *table);

/* Ends the program unless the table, read from `file`, has `count` rows. */
void csv_expect_rows(const struct csv *table, const struct node *file, size_t count);

/* Ends the program because of a valid number with an invalid value. */
_Noreturn void csv_bad(const struct csv *table, size_t row, size_t column, const char *problem);

#endif
