/* The commands, with plot/plot.h. argv[0] is the command's name; the result is the exit status of the program. */
#ifndef GYRE_TOOL_COMMANDS_H
#define GYRE_TOOL_COMMANDS_H

#include <stdio.h>

int simulate(int argc, char **argv);
int info(int argc, char **argv);

void simulate_help(FILE *out);
void info_help(FILE *out);

#endif
