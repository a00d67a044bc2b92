/* The plain loops of all compilers and libraries that the build found. */
#ifndef GYRE_BENCH_COMPILED_LOOPS_H
#define GYRE_BENCH_COMPILED_LOOPS_H

#include "loop_rows.h" /* LOOP_ROWS(ROW), from the build: one symbol per compiler and set of options */
#include "loops/loops.h"

#include <vector>

#define DECLARE_LOOPS(symbol) extern "C" const loops symbol;
LOOP_ROWS(DECLARE_LOOPS)

inline std::vector<const loops *> compiled_loops()
{
#define LOOPS_ADDRESS(symbol) &symbol,
    return {LOOP_ROWS(LOOPS_ADDRESS)};
}

#endif
