/* A JSON file, and messages that name file, line and key. Nothing here returns an error: what is wrong with a document
   ends the program with one line, so that reading one is written as if all were well. */
#ifndef GYRE_TOOL_DOCUMENT_H
#define GYRE_TOOL_DOCUMENT_H

#include "support/common.h"

#include <jansson.h>

struct document {
    const char *path; /* as it was given, but for "-" */
    char *text;
    json_t *root;
};

/* A value, and the way to it. Parents must outlive their children: keep them on the stack. */
struct node {
    const struct document *document;
    const struct node *parent; /* NULL at the top level */
    const char *key;           /* in an object */
    size_t index;              /* in an array */
    const json_t *value;       /* NULL: absent */
};

/* Of the path "-" from standard input. */
struct node document_read(struct document *document, const char *path);
void document_free(struct document *document);

/* The path of a file that the document names: relative to the document, not to where the program runs,
   unless it came through standard input. */
char *document_relative(const struct document *document, const char *path);

_Noreturn void bad(const struct node *where, const char *format, ...) PRINTF_LIKE(2, 3);

/* `keys` ends with NULL. Any other key is bad, and a slip of the pen gets a suggestion. */
void only_keys(const struct node *object, const char *const keys[]);
struct node member(const struct node *object, const char *key); /* its value is NULL if there is none */
struct node element(const struct node *array, size_t index);
size_t array_length(const struct node *array);

/* Each is bad if absent or of another type. A number must fit a float: finite, and zero only if it says zero. */
double number(const struct node *where);
double number_from(const struct node *where, double least);  /* >= least */
double number_above(const struct node *where, double bound); /* > bound */
size_t whole_number(const struct node *where, size_t least, size_t most);
const char *string(const struct node *where);
bool truth(const struct node *where);

/* NULL if a float can hold it, else what is wrong. */
const char *float_fault(double value);

#endif
