/* In place of the other files of this folder where a program cannot start gnuplot by the functions of POSIX. */
#include "plot/plot.h"

#include "support/common.h"

int plot(int argc, char **argv)
{
    (void)argc, (void)argv;
    fail(EXIT_FAILED, "plot: not supported on Windows");
}
