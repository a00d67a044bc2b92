/* Options of commands. */
#ifndef GYRE_TOOL_OPTIONS_H
#define GYRE_TOOL_OPTIONS_H

#include <getopt.h>

/* The next option, as getopt_long() returns it; -1 after the last. Ends the program at an unknown one, and names the
   option that was probably meant. */
int next_option(int argc, char **argv, const char *letters, const struct option known[]);

#endif
