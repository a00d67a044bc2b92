/* Lines and key paths in JSON text. The JSON library keeps neither, and a message about a scene needs both. */
#ifndef GYRE_TOOL_LOCATE_H
#define GYRE_TOOL_LOCATE_H

#include <stddef.h>

enum { PATH_SIZE = 512 };

/* Paths are written like springs[0].start.csv; the top level is the empty path. */

/* The line, from 1, of the key or array element at `path`; 0 if there is none. */
size_t locate_line(const char *text, const char *path);

/* Behind the string whose opening quote is at `quote`. */
const char *locate_string_end(const char *quote);

/* The path that text[offset] belongs to. The text need be valid JSON only up to there. */
void locate_path(const char *text, size_t offset, char path[PATH_SIZE]);

#endif
