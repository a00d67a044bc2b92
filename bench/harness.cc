#include "harness.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstdint>
#include <stdexcept>

#include "ceilings.h" /* GYRE_CEILINGS(ROW), from the build: one symbol per table */

#define DECLARE(symbol) extern "C" const ceilings symbol;
GYRE_CEILINGS(DECLARE)

namespace bench
{

namespace
{

struct Row {
    std::string group, candidate;
    size_t count;
};
std::vector<Row> rows;

std::string full_name(const std::string &group, const std::string &candidate, size_t count)
{
    return group + "/" + candidate + "/" + std::to_string(count);
}

/* Prints as usual and keeps the shortest repetition: noise from other work on the machine only ever adds time. */
class Shortest : public benchmark::ConsoleReporter
{
  public:
    void ReportRuns(const std::vector<Run> &runs) override
    {
        for (const Run &run : runs) {
            if (run.run_type != Run::RT_Iteration || run.error_occurred) {
                continue;
            }
            std::string name = run.run_name.function_name;
            double ns = run.real_accumulated_time / static_cast<double>(run.iterations) * 1e9;
            auto [known, is_new] = times.try_emplace(name, ns);
            known->second = is_new ? ns : std::min(known->second, ns);
        }
        std::fprintf(stderr, "\r%zu of %zu rows measured", times.size(), rows.size());
    }
    void Finalize() override { std::fprintf(stderr, "\r%40s\r", ""); }

    Times times;
};

void print_ratios(const Times &times, const std::vector<std::string> &rivals)
{
    std::printf("%-26s %-16s %9s %10s  speed relative to\n", "group", "candidate", "count", "ns/element");
    for (const Row &row : rows) {
        auto own = times.find(full_name(row.group, row.candidate, row.count));
        if (own == times.end()) {
            continue;
        }
        std::printf("%-26s %-16s %9zu %10.4f", row.group.c_str(), row.candidate.c_str(), row.count,
                    own->second / static_cast<double>(row.count));
        for (const std::string &rival : rivals) {
            auto other = times.find(full_name(row.group, rival, row.count));
            if (other != times.end() && rival != row.candidate) {
                std::printf("  %s %.2f", rival.c_str(), other->second / own->second);
            }
        }
        std::printf("\n");
    }
}

} // namespace

std::vector<const gyre_kernels *> runnable_tables()
{
    std::vector<const gyre_kernels *> tables;
    for (int isa = 0; isa < GYRE_ISA_COUNT; isa++) {
        for (gyre_rounding rounding : {GYRE_ROUNDING_PORTABLE, GYRE_ROUNDING_FUSED}) {
            if (const gyre_kernels *kernels = gyre_kernels_for(static_cast<gyre_isa>(isa), rounding)) {
                tables.push_back(kernels);
            }
        }
    }
    return tables;
}

std::string name_of(const gyre_kernels *kernels)
{
    const char *rounding = gyre_kernels_rounding(kernels) == GYRE_ROUNDING_FUSED ? "-fused" : "-portable";
    return gyre_isa_name(gyre_kernels_isa(kernels)) + std::string(rounding);
}

const ceilings &widest_ceilings()
{
#define ADDRESS(symbol) &symbol,
    static const ceilings *const all[] = {GYRE_CEILINGS(ADDRESS)};
    const gyre_kernels *widest = gyre_kernels_best(GYRE_ROUNDING_PORTABLE);
    for (const ceilings *candidate : all) {
        if (candidate->isa == gyre_kernels_isa(widest) && candidate->rounding == GYRE_ROUNDING_PORTABLE) {
            return *candidate;
        }
    }
    throw std::logic_error("no ceiling for the widest table");
}

Array::Array(size_t count)
{
    const size_t page = 4096, stagger = 11 * 64;
    static size_t arrays_made;
    size_t offset = arrays_made++ * stagger % page;
    memory_ = std::make_unique<char[]>(count * sizeof(float) + 2 * page);
    auto address = reinterpret_cast<uintptr_t>(memory_.get());
    data_ = reinterpret_cast<float *>((address + page - 1) / page * page + offset);
}

void add(const std::string &group, const std::string &candidate, size_t count, size_t bytes, std::function<void()> step)
{
    rows.push_back({group, candidate, count});
    benchmark::RegisterBenchmark(full_name(group, candidate, count).c_str(),
                                 [count, bytes, step](benchmark::State &state) {
                                     for (auto _ : state) {
                                         step();
                                         benchmark::ClobberMemory();
                                     }
                                     auto elements = static_cast<int64_t>(count) * state.iterations();
                                     state.SetItemsProcessed(elements);
                                     state.SetBytesProcessed(elements * static_cast<int64_t>(bytes));
                                 });
}

Times run(int argc, char **argv, const std::vector<std::string> &rivals)
{
    std::vector<char *> arguments(argv, argv + argc);
    std::string defaults[] = {"--benchmark_enable_random_interleaving=true", "--benchmark_repetitions=9",
                              "--benchmark_min_time=0.02"};
    for (std::string &option : defaults) {
        arguments.insert(arguments.begin() + 1, option.data()); /* before the user's own, which win */
    }
    int count = static_cast<int>(arguments.size());
    benchmark::Initialize(&count, arguments.data());
    if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) {
        std::exit(2);
    }
    Shortest reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    print_ratios(reporter.times, rivals);
    return reporter.times;
}

std::string take_option(int *argc, char **argv, const std::string &name)
{
    const std::string start = "--" + name + "=";
    for (int i = 1; i < *argc; i++) {
        std::string argument = argv[i];
        if (argument.compare(0, start.size(), start) == 0) {
            std::copy(argv + i + 1, argv + *argc, argv + i);
            --*argc;
            return argument.substr(start.size());
        }
    }
    return "";
}

} // namespace bench
