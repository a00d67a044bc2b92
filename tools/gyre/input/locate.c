#include "input/locate.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH_MAX = 2048 }; /* as in jansson */

/* An object or array that contains the present place. */
struct level {
    size_t path_length; /* the path of the object or array itself */
    size_t index;       /* of the element, in an array */
    bool is_array;
};

struct walker {
    const char *at;
    size_t line;
    size_t depth;
    struct level levels[DEPTH_MAX + 1];
    char path[PATH_SIZE];
};

static void skip_spaces(struct walker *w)
{
    for (; *w->at == ' ' || *w->at == '\t' || *w->at == '\r' || *w->at == '\n'; w->at++) {
        w->line += *w->at == '\n';
    }
}

const char *locate_string_end(const char *quote)
{
    const char *at = quote + 1;
    for (; *at != '"' && *at != '\0'; at++) {
        if (*at == '\\' && at[1] != '\0') {
            at++;
        }
    }
    return at + (*at == '"');
}

/* At the start of a member of an object or an element of an array: updates the path. */
static void enter_item(struct walker *w)
{
    struct level *top = &w->levels[w->depth];
    char *end = w->path + top->path_length;
    size_t room = PATH_SIZE - top->path_length;
    skip_spaces(w);
    *end = '\0';
    if (top->is_array) {
        snprintf(end, room, "[%zu]", top->index);
    } else if (*w->at == '"') {
        const char *key = w->at + 1;
        w->at = locate_string_end(w->at);
        int length = (int)(w->at - key) - 1;
        snprintf(end, room, "%s%.*s", top->path_length > 0 ? "." : "", length > 0 ? length : 0, key);
    }
}

/* Moves to the next key or array element. False at `end` or at the end of the text. */
static bool next_item(struct walker *w, const char *end)
{
    while (w->at < end && *w->at != '\0') {
        struct level *top = &w->levels[w->depth];
        switch (*w->at) {
        case '{':
        case '[':
            if (w->depth == DEPTH_MAX) {
                return false;
            }
            w->levels[++w->depth] = (struct level){.path_length = strlen(w->path), .is_array = *w->at == '['};
            w->at++;
            enter_item(w);
            return true;
        case '}':
        case ']':
            w->path[top->path_length] = '\0';
            w->depth -= w->depth > 0;
            w->at++;
            break;
        case ',':
            top->index++;
            w->at++;
            enter_item(w);
            return true;
        case '"': w->at = locate_string_end(w->at); break;
        default: w->line += *w->at == '\n'; w->at++;
        }
    }
    return false;
}

size_t locate_line(const char *text, const char *path)
{
    struct walker w = {.at = text, .line = 1};
    const char *end = text + strlen(text);
    do {
        if (strcmp(w.path, path) == 0) {
            return w.line;
        }
    } while (next_item(&w, end));
    return 0;
}

void locate_path(const char *text, size_t offset, char path[PATH_SIZE])
{
    struct walker w = {.at = text, .line = 1};
    while (next_item(&w, text + offset)) {
    }
    memcpy(path, w.path, PATH_SIZE);
}
