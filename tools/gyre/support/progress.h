/* A bar on stderr while the program works. Only on a terminal, so that logs and pipes stay clean. */
#ifndef GYRE_TOOL_PROGRESS_H
#define GYRE_TOOL_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/* While a scene is read, nobody knows how much of it is left: in place of a bar it is told how many numbers there are
   so far. What is read after progress_begin() belongs to what the bar is of. */
void progress_begin_reading(bool quiet);
void progress_read(size_t numbers); /* so many more; as cheap as progress_show() */

void progress_begin(bool quiet);
double progress_seconds(void); /* since then */

/* `rate` is of `nouns` in a second. Cheap: draws at most ten times a second. */
void progress_show(double fraction, double rate, const char *nouns);
void progress_clear(void); /* takes the bar away, if there is one */

#endif
