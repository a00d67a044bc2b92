/* Lines and key paths in JSON text, for messages about a scene; the JSON library does not keep them. */
#ifndef GYRE_TOOL_LOCATE_H
#define GYRE_TOOL_LOCATE_H

#include <stddef.h>

enum { PATH_SIZE = 512 };

/* A path reads like springs[0].start.csv; the path of the top level is empty. */

/* The line, counted from 1, of the key or array element at `path`; 0 if it is not found. */
size_t locate_line(const char *text, const char *path);

/* The end, after the closing quote, of the string whose opening quote is at `quote`. */
const char *locate_string_end(const char *quote);

/* The path that contains text[offset]. The text must be valid JSON up to there only. */
void locate_path(const char *text, size_t offset, char path[PATH_SIZE]);

#endif
