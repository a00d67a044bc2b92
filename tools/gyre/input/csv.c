#include "input/csv.h"

#include "support/progress.h"
#include "support/replace.h"
#include "support/text.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    FILE *file;
    const char *path;
    const struct node *named; /* where the document names the file */
    char *text;               /* of the line */
    size_t line;
    char header[128]; /* its start, for messages */
};

/* Reads a line into a buffer of fixed size: an input that is not text, such as a device, may have no end of line. */
static bool next_line(struct reader *r)
{
    static char text[CSV_MOST_BYTES + 1];
    size_t length = 0;
    int c;
    r->line++;
    r->text = text;
    while ((c = getc_unlocked(r->file)) != EOF && c != '\n') {
        if (c == '\0') {
            fail(EXIT_BAD_INPUT, "%s:%zu: contains a zero byte, expected text", r->path, r->line);
        }
        if (length == CSV_MOST_BYTES) {
            fail(EXIT_BAD_INPUT, "%s:%zu: is longer than %d bytes, expected a line of numbers", r->path, r->line,
                 CSV_MOST_BYTES);
        }
        text[length++] = (char)c;
    }
    if (ferror(r->file)) {
        bad(r->named, "cannot read %s: %s", r->path, strerror(errno));
    }
    if (c == EOF && length == 0) {
        return false;
    }
    while (length > 0 && text[length - 1] == '\r') {
        length--;
    }
    text[length] = '\0';
    if (r->line == 1) {
        drop_byte_order_mark(r->text);
    }
    return true;
}

/* The comma after the cell that begins at `cell`, or the end of the line. Commas inside quotes do not count. */
static char *cell_end(const struct reader *r, char *cell)
{
    char *at = cell;
    if (*at == '"') {
        do {
            at = strchr(at + 1, '"');
            if (at == NULL) {
                fail(EXIT_BAD_INPUT, "%s:%zu: quote: is not closed on its line", r->path, r->line);
            }
            at++;
        } while (*at == '"'); /* two quotes stand for one */
    }
    return at + strcspn(at, ",");
}

/* Removes the quotes around a cell, and one of each two inside. */
static void unquote(char *cell)
{
    if (*cell == '"') {
        const char *from = cell + 1;
        do {
            from += *from == '"';
        } while ((*cell++ = *from++) != '\0');
    }
}

/* Returns the next cell, without quotes, as a separate string, and moves `*rest` on, to NULL after the last one. */
static char *next_cell(const struct reader *r, char **rest)
{
    char *cell = *rest, *end = cell_end(r, cell);
    *rest = *end == ',' ? end + 1 : NULL;
    *end = '\0';
    unquote(cell);
    return cell;
}

static size_t count_cells(const struct reader *r)
{
    size_t cells = 1;
    for (char *end = r->text; *(end = cell_end(r, end)) == ','; end++) {
        cells++;
    }
    return cells;
}

/* The header is the first line that is not a comment. */
static void read_names(struct csv *table, struct reader *r)
{
    do {
        if (!next_line(r)) {
            fail(EXIT_BAD_INPUT, "%s:%zu: header: is missing, expected a line with the column names", table->path,
                 r->line);
        }
    } while (r->text[0] == '#');
    snprintf(r->header, sizeof r->header, "%s", r->text);
    table->width = count_cells(r);
    table->first_line = r->line + 1;
}

static void expect_names(struct csv *table, struct reader *r, size_t least, size_t most)
{
    char expected[128] = "";
    bool right = table->width >= least && table->width <= most;
    char *rest = r->text;
    for (size_t i = 0; i < most; i++) {
        size_t length = strlen(expected);
        snprintf(expected + length, sizeof expected - length, "%s%s%s", i > 0 ? "," : "", table->names[i],
                 i >= least ? " (optional)" : "");
        right = right && (i >= table->width || strcmp(next_cell(r, &rest), table->names[i]) == 0);
    }
    if (!right) {
        fail(EXIT_BAD_INPUT, "%s:%zu: header: is \"%s\", expected %s", table->path, r->line, r->header, expected);
    }
    table->columns = table->width;
    for (size_t i = 0; i < table->columns; i++) {
        table->places[i] = i;
    }
}

static void find_names(struct csv *table, struct reader *r)
{
    for (size_t i = 0; i < table->columns; i++) {
        table->places[i] = SIZE_MAX;
    }
    char *rest = r->text;
    for (size_t place = 0; place < table->width; place++) {
        const char *name = next_cell(r, &rest);
        for (size_t i = 0; i < table->columns; i++) {
            if (table->places[i] == SIZE_MAX && strcmp(name, table->names[i]) == 0) {
                table->places[i] = place;
            }
        }
    }
    for (size_t i = 0; i < table->columns; i++) {
        if (table->places[i] == SIZE_MAX) {
            fail(EXIT_BAD_INPUT, "%s:%zu: header: is \"%s\", has no column %s", table->path, r->line, r->header,
                 table->names[i]);
        }
    }
}

static double read_cell(const struct csv *table, const struct reader *r, const char *cell, const char *name)
{
    char *end;
    double value = parse_number(cell, &end);
    const char *fault = end == cell || *end != '\0' ? "is not a number" : float_fault(value);
    if (fault != NULL) {
        fail(EXIT_BAD_INPUT, "%s:%zu: %s: \"%.40s\" %s, expected a finite number that fits in a float", table->path,
             r->line, name, cell, fault);
    }
    return value;
}

static void read_row(const struct csv *table, struct reader *r, double *cells)
{
    size_t width = count_cells(r);
    if (width != table->width) {
        fail(EXIT_BAD_INPUT, "%s:%zu: row %zu: has %zu values, expected %zu", table->path, r->line, table->rows + 1,
             width, table->width);
    }
    char *rest = r->text;
    for (size_t place = 0; place < table->width; place++) {
        const char *cell = next_cell(r, &rest);
        for (size_t i = 0; i < table->columns; i++) {
            if (table->places[i] == place) {
                cells[i] = read_cell(table, r, cell, table->names[i]);
            }
        }
    }
}

static void read_rows(struct csv *table, struct reader *r)
{
    size_t room = 0, blank_line = 0; /* the first of the blank lines just read; 0: none */
    while (next_line(r)) {
        if (r->text[strspn(r->text, " \t")] == '\0') {
            blank_line = blank_line != 0 ? blank_line : r->line;
            continue;
        }
        if (blank_line != 0) { /* blank lines are allowed at the end only */
            fail(EXIT_BAD_INPUT, "%s:%zu: row %zu: has 0 values, expected %zu", table->path, blank_line,
                 table->rows + 1, table->width);
        }
        if (table->rows == room) {
            room = room > 0 ? 2 * room : 1024;
            table->cells = resize(table->cells, room, table->columns * sizeof(double));
            if (table->cells == NULL) {
                out_of_memory(table->path);
            }
        }
        read_row(table, r, table->cells + table->rows * table->columns);
        table->rows++;
        progress_read(table->columns);
    }
    fclose(r->file);
}

static struct reader open_table(const struct csv *table, const struct node *file)
{
    struct reader r = {.file = fopen(table->path, "r"), .path = table->path, .named = file};
    if (r.file == NULL) {
        bad(file, "cannot open %s: %s", table->path, strerror(errno));
    }
    replace_never(r.file);
    return r;
}

struct csv csv_read(const struct node *file, const char *const names[], size_t least, size_t most)
{
    struct csv table = {.path = document_relative(file->document, string(file)), .names = names};
    struct reader r = open_table(&table, file);
    read_names(&table, &r);
    expect_names(&table, &r, least, most);
    read_rows(&table, &r);
    return table;
}

struct csv csv_read_columns(const struct node *file, const char *const names[], size_t count)
{
    struct csv table = {.path = document_relative(file->document, string(file)), .names = names, .columns = count};
    struct reader r = open_table(&table, file);
    read_names(&table, &r);
    find_names(&table, &r);
    read_rows(&table, &r);
    return table;
}

void csv_expect_rows(const struct csv *table, const struct node *file, size_t count)
{
    if (table->rows != count) {
        bad(file, "%s has %zu rows, expected %zu", table->path, table->rows, count);
    }
}

void csv_free(struct csv *table)
{
    release(table->path);
    release(table->cells);
}

void csv_bad(const struct csv *table, size_t row, size_t column, const char *problem)
{
    fail(EXIT_BAD_INPUT, "%s:%zu: %s: is %g, %s", table->path, table->first_line + row, table->names[column],
         table->cells[row * table->columns + column], problem);
}
