/* The instructions that a call executes, for llvm-mca. Needs neither a profiler nor privileges. */
#ifndef GYRE_BENCH_TRACE_H
#define GYRE_BENCH_TRACE_H

#include <cstdint>
#include <functional>
#include <vector>

namespace bench
{

/* Calls `step` in a child process, by single-stepping. Addresses are as shown by objdump for this program; those in
   shared libraries are left out. Empty if processes may not be traced. */
std::vector<uintptr_t> traced(const std::function<void()> &step);

} // namespace bench

#endif
