/* A JSON file, and messages that name file, line and key. No function returns an error: an invalid document ends the
   program with one line, so that the code that reads scenes needs no error paths. */
#ifndef GYRE_TOOL_DOCUMENT_H
#define GYRE_TOOL_DOCUMENT_H

#include "support/common.h"
#include "support/memory.h"

#include <jansson.h>

struct document {
    const char *path; /* as given, except for "-" */
    char *text;
    json_t *root;
};

/* A value and its path. Parents must outlive their children: keep them on the stack. */
struct node {
    const struct document *document;
    const struct node *parent; /* NULL at the top level */
    const char *key;           /* in an object */
    size_t index;              /* in an array */
    const json_t *value;       /* NULL: absent */
};

enum { DOCUMENT_MOST_MIB = 64 };

/* The path "-" is standard input. Ends the program if the text is longer than the limit. */
struct node document_read(struct document *document, const char *path);

/* Resolves a path in the document relative to the document's folder, or to the working folder if the document came from
   standard input. */
char *document_relative(const struct document *document, const char *path);

/* Ends the program with a message about the value at `where`. */
_Noreturn void bad(const struct node *where, const char *format, ...) PRINTF_LIKE(2, 3);

/* Prints a warning about the value. */
void warn_at(const struct node *where, const char *message);

/* Ends the program if the object has a key that is not in `keys`, which ends with NULL. Suggests a similar key. */
void only_keys(const struct node *object, const char *const keys[]);
struct node member(const struct node *object, const char *key); /* its value is NULL if absent */
struct node element(const struct node *array, size_t index);
size_t array_length(const struct node *array);

/* Each ends the program if the value is absent or of another type. A number must fit a float: finite, and not rounded
   to zero. */
double number(const struct node *where);
double number_from(const struct node *where, double least);  /* >= least */
double number_above(const struct node *where, double bound); /* > bound */
size_t whole_number(const struct node *where, size_t least, size_t most);
const char *string(const struct node *where);
bool truth(const struct node *where);
bool flag(const struct node *object, const char *key); /* the truth of a member; false if it is absent */

/* NULL if a float can hold the value, else the problem as text. */
const char *float_fault(double value);

#endif
