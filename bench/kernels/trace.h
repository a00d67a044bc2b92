/* Which instructions a call executes, one by one: what llvm-mca is asked about. Needs no profiler and no rights. */
#ifndef GYRE_BENCH_TRACE_H
#define GYRE_BENCH_TRACE_H

#include <cstdint>
#include <functional>
#include <vector>

namespace bench
{

/* Calls `step` in a process of its own, instruction by instruction. Addresses are as objdump shows them for this
   program; those of other libraries are left out. Empty where processes may not be traced. */
std::vector<uintptr_t> traced(const std::function<void()> &step);

} // namespace bench

#endif
