/* Google Benchmark with ratios: rows are compared within one run. */
#ifndef GYRE_BENCH_HARNESS_H
#define GYRE_BENCH_HARNESS_H

#include <benchmark/benchmark.h>
#include <gyre/gyre.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/ceiling.h"

namespace bench
{

/* Every table that this machine can run, portable and fused, narrow to wide. */
std::vector<const gyre_kernels *> runnable_tables();

/* "avx2-portable" */
std::string name_of(const gyre_kernels *kernels);

/* The ceilings of a table, and of the widest table that this machine can run. */
const ceilings &ceilings_of(const gyre_kernels *kernels);
const ceilings &widest_ceilings();

/* The arrays that a kernel updates, only reads, and only writes. NULL arrays are left out. */
ceiling_streams streams(const std::vector<float *> &updated, const std::vector<const float *> &read,
                        const std::vector<float *> &written);

/* Bytes that a step moves per element, given the numbers of arrays that it updates, only reads, and only writes. */
double bytes_of(size_t updated, size_t read, size_t written);
double bytes_of(const ceiling_streams &arrays);

/* Where malloc places large arrays: bytes after the start of a cache line. */
const size_t malloc_offset = 16;

/* count floats, initially 0, at a cache line or bytes_behind_line after one. No two arrays begin at the same offset in
   a page: loads that share the low 12 bits of their address with a recent store would wait for it. */
class Array
{
  public:
    explicit Array(size_t count, size_t bytes_behind_line = 0);
    float *data() { return data_; }

  private:
    std::unique_ptr<char[]> memory_;
    float *data_;
};

/* Takes the flag --smoke (one repetition of 64 elements) or --short (a few minutes for all programs together) from the
   arguments. The default is a full run. */
void take_effort(int *argc, char **argv);

/* Those of `all` that the effort includes and that fit in half of this machine's memory; always the first one. */
std::vector<size_t> counts(const std::vector<size_t> &all, size_t bytes_per_element);

/* The same for groups that stay in the nearer caches: few elements, where call overhead matters, and many. */
std::vector<size_t> cached_counts();

/* "group/candidate/count" */
std::string full_name(const std::string &group, const std::string &candidate, size_t count);

/* Another row that a row is compared with, per element. */
struct Rival {
    std::string label; /* name of the comparison */
    std::string row;   /* its full name */
};

/* Registers "group/candidate/count": `step` is timed and works on `count` elements. `bytes`: what Gyre's kernel moves
   per element, for peers too, whatever their data layout; 0 without arrays. `prepare`, if given, runs before each
   repetition and is not timed.

   Rows of arrays beyond the caches must be compared on the same arrays: depending on the pages that it got, the same
   loop takes up to a fifth longer over other arrays. */
void add(const std::string &group, const std::string &candidate, size_t count, double bytes, std::function<void()> step,
         std::vector<Rival> rivals = {}, std::function<void()> prepare = {});

/* The same for a candidate that passed its check. Otherwise prints `complaint`, and the program ends with an error. */
void add_if(bool passed, const std::string &complaint, const std::string &group, const std::string &candidate,
            size_t count, double bytes, std::function<void()> step, std::vector<Rival> rivals = {},
            std::function<void()> prepare = {});

/* "got 1.2e-05 rad, wanted at most 1e-05": a complaint about a candidate's error. */
std::string got_and_wanted(double error, double allowed, const std::string &unit);

/* Adds the memory ceiling of a step over these arrays, which must stay valid: as "ceiling", and again as "ceiling2",
   because the difference between the two is the noise of this run. */
void add_ceiling(const std::string &group, size_t count, const ceiling_streams &arrays);

/* Adds "group/1/count", "group/2/count" and so on up to the number of processors: each thread on its own processor and
   on its part of 0..count. The speed-up is the median over turns in which each thread first processes the whole range
   alone for a millisecond, and then all threads process their parts. The time of several threads is the shortest time
   of one, divided by the speed-up. */
void add_threaded(const std::string &group, size_t count, double bytes,
                  std::function<void(size_t begin, size_t end)> step);

/* The larger of two errors. NaN is larger than every number, which std::max does not guarantee. */
double worse_of(double worst, double error);

/* Records an error of a candidate. The largest one of each candidate is written next to its times. */
void state_error(const std::string &group, const std::string &candidate, double error, const std::string &unit);

/* Runs all rows: interleaved repetitions, of which the shortest is used. Prints a line for each row with its speed per
   element relative to its own rivals and to each of `rivals` in its group (1 is equal, 2 is twice as fast), and writes
   the same to the file of --json=FILE. Exits with 2 if Google Benchmark does not know an option. Returns the program's
   exit code. */
int run(int argc, char **argv, const std::vector<std::string> &rivals);

/* Whether "--name" is among the arguments; removes it. */
bool take_flag(int *argc, char **argv, const std::string &name);

/* The value of "--name=value" among the arguments, which is removed; "" if it is not there. */
std::string take_option(int *argc, char **argv, const std::string &name);

} // namespace bench

#endif
