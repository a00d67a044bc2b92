/* The subcommands. Each gets its own name in argv[0], as a main would, and returns the program's exit status. */
#ifndef GYRE_TOOL_COMMANDS_H
#define GYRE_TOOL_COMMANDS_H

#include <stdio.h>

int simulate(int argc, char **argv);
int info(int argc, char **argv);
int plot(int argc, char **argv);

void simulate_help(FILE *out);
void info_help(FILE *out);
void plot_help(FILE *out);

#endif
