/* Google Benchmark with ratios: every figure is compared within the run that made it. */
#ifndef GYRE_BENCH_HARNESS_H
#define GYRE_BENCH_HARNESS_H

#include <benchmark/benchmark.h>
#include <gyre/gyre.h>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ceiling.h"

namespace bench
{

/* Every table that runs here, portable and fused, narrow to wide. */
std::vector<const gyre_kernels *> runnable_tables();

/* "avx2-portable" */
std::string name_of(const gyre_kernels *kernels);

/* The ceilings of the widest table that runs here: what the machine can do at most. */
const ceilings &widest_ceilings();

/* count floats, 0, aligned to a cache line as a careful user's would be. No two arrays begin at the same distance from
   a page: loads that share the low 12 bits of their address with a recent store would wait for it. */
class Array
{
  public:
    explicit Array(size_t count);
    float *data() { return data_; }

  private:
    std::unique_ptr<char[]> memory_;
    float *data_;
};

/* Shortest time of each benchmark, in ns, by "group/candidate/count". */
using Times = std::map<std::string, double>;

/* Registers "group/candidate/count": `step` is timed and works on `count` elements; bytes are per element. */
void add(const std::string &group, const std::string &candidate, size_t count, size_t bytes,
         std::function<void()> step);

/* Runs what was added: interleaved repetitions, shortest times. Then prints one line per group and candidate with its
   speed relative to each of `rivals` (1 is equal, 2 is twice as fast). Returns what was measured;
   exits with 2 over options that Google Benchmark does not know. */
Times run(int argc, char **argv, const std::vector<std::string> &rivals);

/* The value of "--name=value" among the arguments, which then lose it; "" if it is not there. */
std::string take_option(int *argc, char **argv, const std::string &name);

} // namespace bench

#endif
