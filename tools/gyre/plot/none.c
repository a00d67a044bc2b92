/* Replaces the other files in this folder where the program cannot start gnuplot with POSIX functions. */
#include "plot/plot.h"

#include "support/common.h"

int plot(int argc, char **argv)
{
    (void)argc, (void)argv;
    fail(EXIT_FAILED, "plot: not supported on Windows");
}
