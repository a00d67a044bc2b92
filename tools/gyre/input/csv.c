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
    char *text;
    size_t room;
    size_t line;
    char header[128]; /* as much of it as a message shows */
};

static bool next_line(struct reader *r)
{
    ssize_t length = getline(&r->text, &r->room, r->file);
    if (length < 0) {
        return false;
    }
    r->line++;
    while (length > 0 && (r->text[length - 1] == '\n' || r->text[length - 1] == '\r')) {
        r->text[--length] = '\0';
    }
    if (strlen(r->text) != (size_t)length) {
        fail(EXIT_BAD_INPUT, "%s:%zu: has a zero byte, expected text", r->path, r->line);
    }
    if (r->line == 1) {
        drop_byte_order_mark(r->text);
    }
    return true;
}

/* The text up to the next comma, which becomes its end; `*rest` moves on, to NULL after the last. */
static char *next_cell(char **rest)
{
    char *cell = *rest;
    char *comma = strchr(cell, ',');
    *rest = comma != NULL ? comma + 1 : NULL;
    if (comma != NULL) {
        *comma = '\0';
    }
    return cell;
}

static size_t count_cells(const char *text)
{
    size_t cells = 1;
    for (; *text != '\0'; text++) {
        cells += *text == ',';
    }
    return cells;
}

static void expect_no_error(const struct csv *table, const struct reader *r, const struct node *file)
{
    if (ferror(r->file)) {
        bad(file, "cannot read %s: %s", table->path, strerror(errno));
    }
}

/* The names of the columns: the first line that is no comment. */
static void read_names(struct csv *table, struct reader *r, const struct node *file)
{
    do {
        if (!next_line(r)) {
            expect_no_error(table, r, file);
            fail(EXIT_BAD_INPUT, "%s:%zu: header: is missing, expected a line with the names of the columns",
                 table->path, r->line + 1);
        }
    } while (r->text[0] == '#');
    snprintf(r->header, sizeof r->header, "%s", r->text);
    table->width = count_cells(r->text);
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
                 i >= least ? " (may be left out)" : "");
        right = right && (i >= table->width || strcmp(next_cell(&rest), table->names[i]) == 0);
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
        const char *name = next_cell(&rest);
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
        fail(EXIT_BAD_INPUT, "%s:%zu: %s: \"%.40s\" %s, expected a finite number that fits a float", table->path,
             r->line, name, cell, fault);
    }
    return value;
}

static void read_row(const struct csv *table, struct reader *r, double *cells)
{
    size_t width = count_cells(r->text);
    if (width != table->width) {
        fail(EXIT_BAD_INPUT, "%s:%zu: row %zu: has %zu values, expected %zu", table->path, r->line, table->rows + 1,
             r->text[0] != '\0' ? width : 0, table->width);
    }
    char *rest = r->text;
    for (size_t place = 0; place < table->width; place++) {
        const char *cell = next_cell(&rest);
        for (size_t i = 0; i < table->columns; i++) {
            if (table->places[i] == place) {
                cells[i] = read_cell(table, r, cell, table->names[i]);
            }
        }
    }
}

static void read_rows(struct csv *table, struct reader *r, const struct node *file)
{
    size_t room = 0;
    while (next_line(r)) {
        if (table->rows == room) {
            room = room > 0 ? 2 * room : 1024;
            double *grown = realloc(table->cells, room * table->columns * sizeof(double));
            if (grown == NULL) {
                fail(EXIT_FAILED, "%s: out of memory", table->path);
            }
            table->cells = grown;
        }
        read_row(table, r, table->cells + table->rows * table->columns);
        table->rows++;
        progress_read(table->columns);
    }
    expect_no_error(table, r, file);
    fclose(r->file);
    free(r->text);
}

static struct reader open_table(const struct csv *table, const struct node *file)
{
    struct reader r = {.file = fopen(table->path, "r"), .path = table->path};
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
    read_names(&table, &r, file);
    expect_names(&table, &r, least, most);
    read_rows(&table, &r, file);
    return table;
}

struct csv csv_read_columns(const struct node *file, const char *const names[], size_t count)
{
    struct csv table = {.path = document_relative(file->document, string(file)), .names = names, .columns = count};
    struct reader r = open_table(&table, file);
    read_names(&table, &r, file);
    find_names(&table, &r);
    read_rows(&table, &r, file);
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
    free(table->path);
    free(table->cells);
}

void csv_bad(const struct csv *table, size_t row, size_t column, const char *problem)
{
    fail(EXIT_BAD_INPUT, "%s:%zu: %s: is %g, %s", table->path, table->first_line + row, table->names[column],
         table->cells[row * table->columns + column], problem);
}
