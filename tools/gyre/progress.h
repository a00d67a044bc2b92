/* A bar on stderr while the program works. Only on a terminal, so that logs and pipes stay clean. */
#ifndef GYRE_TOOL_PROGRESS_H
#define GYRE_TOOL_PROGRESS_H

#include <stdbool.h>

void progress_begin(bool quiet);
void progress_show(double fraction, double items, const char *noun); /* cheap: draws at most ten times a second */
void progress_clear(void);                                           /* takes the bar away, if there is one */

#endif
