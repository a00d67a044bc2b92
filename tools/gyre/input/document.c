#include "input/document.h"

#include "input/locate.h"
#include "support/replace.h"
#include "support/text.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The name in messages. It has no folder, so files that the document names are relative to the working folder. */
static const char standard_input[] = "stdin";

static char *read_text(const char *path)
{
    FILE *file = path == standard_input ? stdin : fopen(path, "rb");
    if (file == NULL) {
        fail(EXIT_BAD_INPUT, "%s: cannot open: %s", path, strerror(errno));
    }
    replace_never(file);
    const size_t most = (size_t)DOCUMENT_MOST_MIB << 20;
    size_t length = 0, room = 1 << 16; /* the last byte of it is for the zero byte */
    char *text = NULL;
    for (;; room *= 2) {
        text = resize(text, room, 1);
        if (text == NULL) {
            out_of_memory(path);
        }
        size_t got = fread(text + length, 1, room - 1 - length, file);
        if (memchr(text + length, '\0', got) != NULL) {
            fail(EXIT_BAD_INPUT, "%s: contains a zero byte, expected JSON text", path);
        }
        length += got;
        if (length > most) {
            fail(EXIT_BAD_INPUT, "%s: is longer than %d MiB; put long lists in CSV files", path, DOCUMENT_MOST_MIB);
        }
        if (length < room - 1) {
            break;
        }
    }
    if (ferror(file)) {
        fail(EXIT_BAD_INPUT, "%s: cannot read: %s", path, strerror(errno));
    }
    fclose(file);
    text[length] = '\0';
    drop_byte_order_mark(text);
    return text;
}

static const char *parsed_path; /* of the document that jansson reads */

/* jansson loses characters or does not end when it gets no memory, so a failure is not returned to it. */
static void *allocate_for_jansson(size_t bytes)
{
    void *memory = resize(NULL, bytes, 1);
    if (memory == NULL) {
        out_of_memory(parsed_path);
    }
    return memory;
}

/* jansson reads a number that is too small for a double as 0. */
static void expect_no_lost_number(const struct document *document)
{
    for (const char *at = document->text; *at != '\0';) {
        char path[PATH_SIZE], *end;
        if (*at == '"') {
            at = locate_string_end(at);
        } else if (isdigit((unsigned char)*at)) {
            if (parse_number(at, &end) == DBL_TRUE_MIN) {
                locate_path(document->text, (size_t)(at - document->text), path);
                fail(EXIT_BAD_INPUT, "%s:%zu: %s: %.*s is too small for a float, and not zero", document->path,
                     locate_line(document->text, path), path, (int)(end - at), at);
            }
            at = end;
        } else {
            at++;
        }
    }
}

/* A path as messages show it, cut where it is long. */
static const char *shown_path(char path[PATH_SIZE])
{
    size_t length = 80;
    if (strlen(path) > length) {
        while (length > 0 && ((unsigned char)path[length] & 0xc0) == 0x80) { /* not inside a UTF-8 character */
            length--;
        }
        strcpy(path + length, "...");
    }
    return path[0] != '\0' ? path : "top level";
}

/* Whether the text ends before its JSON does. jansson has no code of its own for an end outside a string. */
static bool is_cut_off(const json_error_t *error)
{
    return json_error_code(error) == json_error_premature_end_of_input ||
           strstr(error->text, "near end of file") != NULL;
}

struct node document_read(struct document *document, const char *path)
{
    json_error_t error;
    document->path = strcmp(path, "-") == 0 ? standard_input : path;
    document->text = read_text(document->path);
    parsed_path = document->path;
    json_set_alloc_funcs(allocate_for_jansson, release);
    document->root = json_loads(document->text, JSON_REJECT_DUPLICATES, &error);
    if (document->root == NULL && json_error_code(&error) == json_error_stack_overflow) {
        fail(EXIT_BAD_INPUT, "%s:%d: nested more than %d levels deep", document->path, error.line,
             JSON_PARSER_MAX_DEPTH);
    }
    if (document->root == NULL) {
        char where[PATH_SIZE];
        if (document->text[strspn(document->text, " \t\r\n")] == '\0') {
            fail(EXIT_BAD_INPUT, "%s: the file is empty", document->path);
        }
        locate_path(document->text, (size_t)error.position, where);
        fail(EXIT_BAD_INPUT, "%s:%d: %s: %s%s", document->path, error.line, shown_path(where),
             is_cut_off(&error) ? "the file ends here, before its JSON is complete: " : "", error.text);
    }
    expect_no_lost_number(document);
    return (struct node){.document = document, .value = document->root};
}

char *document_relative(const struct document *document, const char *path)
{
    const char *slash = strrchr(document->path, '/');
    size_t folder = path[0] == '/' || slash == NULL ? 0 : (size_t)(slash - document->path) + 1;
    char *joined = allocate(folder + strlen(path) + 1, 1);
    memcpy(joined, document->path, folder);
    strcpy(joined + folder, path);
    return joined;
}

static size_t write_path(const struct node *where, char *path)
{
    if (where->parent == NULL) {
        path[0] = '\0';
        return 0;
    }
    size_t length = write_path(where->parent, path);
    size_t room = PATH_SIZE - length;
    int more = where->key != NULL ? snprintf(path + length, room, "%s%s", length > 0 ? "." : "", where->key)
                                  : snprintf(path + length, room, "[%zu]", where->index);
    return more > 0 && (size_t)more < room ? length + (size_t)more : length;
}

/* An absent value has no line: gives that of its parent. */
static size_t line_of(const struct node *where)
{
    char path[PATH_SIZE];
    size_t line = 0;
    for (const struct node *n = where; n != NULL && line == 0; n = n->parent) {
        write_path(n, path);
        line = locate_line(n->document->text, path);
    }
    return line;
}

void bad(const struct node *where, const char *format, ...)
{
    char path[PATH_SIZE], message[PATH_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    write_path(where, path);
    fail(EXIT_BAD_INPUT, "%s:%zu: %s: %s", where->document->path, line_of(where), shown_path(path), message);
}

void warn_at(const struct node *where, const char *message)
{
    char path[PATH_SIZE];
    write_path(where, path);
    warn("%s:%zu: %s: %s", where->document->path, line_of(where), shown_path(path), message);
}

static bool is_listed(const char *key, const char *const keys[])
{
    for (; *keys != NULL; keys++) {
        if (strcmp(key, *keys) == 0) {
            return true;
        }
    }
    return false;
}

static _Noreturn void bad_key(const struct node *where, const char *const keys[])
{
    const char *nearest = nearest_word(where->key, keys);
    char list[PATH_SIZE] = "";
    if (nearest != NULL) {
        bad(where, "unknown key; did you mean %s?", nearest);
    }
    for (; *keys != NULL; keys++) {
        size_t length = strlen(list);
        snprintf(list + length, sizeof list - length, "%s%s", length > 0 ? ", " : "", *keys);
    }
    bad(where, "unknown key, expected one of %s", list);
}

void only_keys(const struct node *object, const char *const keys[])
{
    if (!json_is_object(object->value)) {
        bad(object, "expected an object");
    }
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object->value, key, value)
    {
        if (!is_listed(key, keys)) {
            struct node where = {.document = object->document, .parent = object, .key = key, .value = value};
            bad_key(&where, keys);
        }
    }
}

struct node member(const struct node *object, const char *key)
{
    const json_t *value = json_object_get(object->value, key);
    return (struct node){.document = object->document, .parent = object, .key = key, .value = value};
}

struct node element(const struct node *array, size_t index)
{
    const json_t *value = json_array_get(array->value, index);
    return (struct node){.document = array->document, .parent = array, .index = index, .value = value};
}

static const char *type_of(const struct node *where)
{
    if (where->value == NULL) {
        return "is missing";
    }
    switch (json_typeof(where->value)) {
    case JSON_OBJECT: return "is an object";
    case JSON_ARRAY: return "is an array";
    case JSON_STRING: return "is a string";
    case JSON_INTEGER: return "is a whole number";
    case JSON_REAL: return "is a number";
    case JSON_TRUE:
    case JSON_FALSE: return "is true or false";
    default: return "is null";
    }
}

size_t array_length(const struct node *array)
{
    if (!json_is_array(array->value)) {
        bad(array, "%s, expected an array", type_of(array));
    }
    return json_array_size(array->value);
}

const char *float_fault(double value)
{
    if (!isfinite(value)) {
        return "is not finite";
    }
    if (fabs(value) > FLT_MAX) {
        return "is too large for a float";
    }
    if (value != 0 && fabs(value) < FLT_MIN) {
        return "is too small for a float, and not zero";
    }
    return NULL;
}

double number(const struct node *where)
{
    if (!json_is_number(where->value)) {
        bad(where, "%s, expected a number", type_of(where));
    }
    double value = json_number_value(where->value);
    const char *fault = float_fault(value);
    if (fault != NULL) {
        bad(where, "%g %s, expected a magnitude from %g to %g, or 0", value, fault, (double)FLT_MIN, (double)FLT_MAX);
    }
    return value;
}

double number_from(const struct node *where, double least)
{
    double value = number(where);
    if (value < least) {
        bad(where, "is %.15g, expected %.15g or more", value, least);
    }
    return value;
}

double number_above(const struct node *where, double bound)
{
    double value = number(where);
    if (value <= bound) {
        bad(where, "is %.15g, expected more than %.15g", value, bound);
    }
    return value;
}

size_t whole_number(const struct node *where, size_t least, size_t most)
{
    if (json_is_real(where->value)) { /* also 4.0 and 1e6, which jansson reads as real numbers */
        bad(where, "has a decimal point or an exponent, expected a whole number");
    }
    if (!json_is_integer(where->value)) {
        bad(where, "%s, expected a whole number", type_of(where));
    }
    json_int_t value = json_integer_value(where->value);
    if (value < 0 || (uint64_t)value < least || (uint64_t)value > most) {
        if (most > (size_t)LLONG_MAX) {
            bad(where, "is %" JSON_INTEGER_FORMAT ", expected %zu or more", value, least);
        }
        bad(where, "is %" JSON_INTEGER_FORMAT ", expected %zu to %zu", value, least, most);
    }
    return (size_t)value;
}

bool truth(const struct node *where)
{
    if (!json_is_boolean(where->value)) {
        bad(where, "%s, expected true or false", type_of(where));
    }
    return json_is_true(where->value);
}

bool flag(const struct node *object, const char *key)
{
    struct node stated = member(object, key);
    return stated.value != NULL && truth(&stated);
}

const char *string(const struct node *where)
{
    if (!json_is_string(where->value)) {
        bad(where, "%s, expected a string", type_of(where));
    }
    return json_string_value(where->value);
}
