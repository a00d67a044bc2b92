/* An output file that is there whole or not at all: written beside its destination, then renamed over it. If the
   program fails or is told to stop, the piece is removed and a former file is as it was; but where all of it is written
   and only the name cannot be had, the piece stays, and is named. One at a time. */
#ifndef GYRE_TOOL_REPLACE_H
#define GYRE_TOOL_REPLACE_H

#include <stdbool.h>
#include <stdio.h>

/* What was read from is not to be replaced from then on. */
void replace_never(FILE *input);

/* Of "-" and /dev/stdout. */
bool replace_is_stdout(const char *path);

/* A device or a pipe is written in place: there is nothing beside it. Fails the program, also where the file is there
   and may not be written. */
FILE *replace_open(const char *path);

/* Fails the program if something could not be written, as on a full disk: no use in going on. */
void replace_check(void);

/* All of it is on disk under its own name when this returns; where the folder may not be read, the name is written
   back in the system's own time. Fails the program if that cannot be. */
void replace_commit(void);

#endif
