/* A progress bar on stderr. Only on a terminal, so that logs and pipes stay clean. */
#ifndef GYRE_TOOL_PROGRESS_H
#define GYRE_TOOL_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/* While a scene is read, its total size is unknown: instead of a bar, the count of numbers read so far is shown.
   progress_begin() ends that; numbers read later are not shown. */
void progress_begin_reading(bool quiet);
void progress_read(size_t numbers); /* adds to the count; cheap, as progress_show() is */

void progress_begin(bool quiet);
double progress_seconds(void); /* since progress_begin() */

/* `rate` is in `nouns` per second. Cheap: draws at most ten times a second. */
void progress_show(double fraction, double rate, const char *nouns);
void progress_clear(void); /* removes the bar, if one is drawn */

#endif
