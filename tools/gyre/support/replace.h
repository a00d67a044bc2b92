/* Atomic replacement of an output file: it is written to a temporary file in the same folder, which is then renamed.
   If the program fails or is stopped by a signal, the temporary file is removed and a former output file keeps its
   content. If only the renaming fails, the temporary file is complete; it stays, and the message names it. One output
   file per run. */
#ifndef GYRE_TOOL_REPLACE_H
#define GYRE_TOOL_REPLACE_H

#include <stdbool.h>
#include <stdio.h>

/* Makes replace_open() refuse to replace this file. */
void replace_never(FILE *input);

/* True for "-" and /dev/stdout. */
bool replace_is_stdout(const char *path);

/* Opens the output. A device or a pipe is written directly. Ends the program if the path cannot be written. */
FILE *replace_open(const char *path);

/* Ends the program if a write has failed, as on a full disk. */
void replace_check(void);

/* Writes everything to disk and renames it to its path. Ends the program if that fails. If the folder may not be read,
   only the system decides when the new name reaches the disk. */
void replace_commit(void);

#endif
