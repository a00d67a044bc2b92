/* Google Benchmark with ratios: every figure is compared within the run that made it. */
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

/* Every table that runs here, portable and fused, narrow to wide. */
std::vector<const gyre_kernels *> runnable_tables();

/* "avx2-portable" */
std::string name_of(const gyre_kernels *kernels);

/* The ceilings of a table, and of the widest that runs here: what the machine can do at most. */
const ceilings &ceilings_of(const gyre_kernels *kernels);
const ceilings &widest_ceilings();

/* The arrays that a kernel reads and writes, reads, and writes; those that are NULL it does without. */
ceiling_streams streams(const std::vector<float *> &updated, const std::vector<const float *> &read,
                        const std::vector<float *> &written);

/* Bytes that a step moves for an element: of arrays of floats that it reads and writes, reads, and writes. */
double bytes_of(size_t updated, size_t read, size_t written);
double bytes_of(const ceiling_streams &arrays);

/* Where malloc puts arrays: so many bytes behind the beginning of a cache line. */
const size_t malloc_offset = 16;

/* count floats, 0, aligned to a cache line as a careful user's would be, or so many bytes behind one. No two arrays
   begin at the same distance from a page: loads that share the low 12 bits of their address with a recent store would
   wait for it. */
class Array
{
  public:
    explicit Array(size_t count, size_t bytes_behind_line = 0);
    float *data() { return data_; }

  private:
    std::unique_ptr<char[]> memory_;
    float *data_;
};

/* How much is measured: --smoke (does it run? one repetition of next to nothing), --short (a few minutes for all
   programs together) or all of it. The arguments lose the flag. */
void take_effort(int *argc, char **argv);

/* Those of `all` that the effort asks for and that fit in half of this machine's memory; never none. */
std::vector<size_t> counts(const std::vector<size_t> &all, size_t bytes_per_element);

/* The same of the counts for what stays in the nearer caches: few elements, of which a call itself is a good part, and
   many. */
std::vector<size_t> cached_counts();

/* "group/candidate/count" */
std::string full_name(const std::string &group, const std::string &candidate, size_t count);

/* Another row whose time for an element is compared with a row's own. */
struct Rival {
    std::string label; /* what the comparison is called */
    std::string row;   /* its full name */
};

/* Registers "group/candidate/count": `step` is timed and works on `count` elements. `bytes` is what Gyre's kernel moves
   for an element, for peers as well, however they keep theirs; 0 where there are no arrays. `prepare`, if there is one,
   comes before each repetition and is not timed.

   Rows of arrays beyond the caches are to be compared on the same arrays: the same loop may take a fifth longer over
   others, by the pages that it got. */
void add(const std::string &group, const std::string &candidate, size_t count, double bytes, std::function<void()> step,
         std::vector<Rival> rivals = {}, std::function<void()> prepare = {});

/* The same for a candidate that passed its check; else says `complaint`, and the program ends with an error. */
void add_if(bool passed, const std::string &complaint, const std::string &group, const std::string &candidate,
            size_t count, double bytes, std::function<void()> step, std::vector<Rival> rivals = {},
            std::function<void()> prepare = {});

/* What memory gives a step over these arrays, which stay where they are: "ceiling", and again as "ceiling2": A against
   A, the noise of this run. */
void add_ceiling(const std::string &group, size_t count, const ceiling_streams &arrays);

/* Adds "group/1/count", and the same by 2 and by all of the threads that this machine runs at once as "group/2/count"
   and so on: each thread on a processor of its own and on its own piece of 0..count. Time of several threads is here the
   shortest of one, divided by how many times as fast they were: the median of turns in which each processor's thread
   first does the whole by itself, a millisecond each, and then all do their pieces. */
void add_threaded(const std::string &group, size_t count, double bytes,
                  std::function<void(size_t begin, size_t end)> step);

/* The larger of two errors. NaN is the largest of all, and stays: std::max may drop it. */
double worse_of(double worst, double error);

/* Largest error of a candidate, in ulp or whatever the unit is, of all that are stated: goes into the results beside its
   times. */
void state_error(const std::string &group, const std::string &candidate, double error, const std::string &unit);

/* Runs what was added: interleaved repetitions, shortest times. Then prints one line per group and candidate with its
   speed an element relative to its own rivals and to each of `rivals` in its group (1 is equal, 2 is twice as fast),
   and writes the same to the file of --json=FILE. Exits with 2 over options that Google Benchmark does not know.
   Returns what main is to return. */
int run(int argc, char **argv, const std::vector<std::string> &rivals);

/* Whether "--name" is among the arguments, which then lose it. */
bool take_flag(int *argc, char **argv, const std::string &name);

/* The value of "--name=value" among the arguments, which then lose it; "" if it is not there. */
std::string take_option(int *argc, char **argv, const std::string &name);

} // namespace bench

#endif
