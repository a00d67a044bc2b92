/* The commands. argv[0] is "gyre: " and the command, as getopt_long() begins its messages, and the result is the exit
   status of the program. */
#ifndef GYRE_TOOL_COMMANDS_H
#define GYRE_TOOL_COMMANDS_H

int simulate(int argc, char **argv);
int info(int argc, char **argv);

#endif
