#include "harness/harness.h"

#include "harness/team.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <utility>

#include <unistd.h>

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
    double bytes; /* per element */
    std::vector<Rival> rivals;
};
std::vector<Row> rows;

struct Error {
    std::string group, candidate;
    double error;
    std::string unit;
};
std::vector<Error> errors;

bool failed;

std::vector<benchmark::internal::Benchmark *> registered;

/* Many short repetitions: other work on the machine comes and goes within milliseconds, so the shortest of many short
   times is nearer to the undisturbed time than the shortest of a few long ones. Rows beyond the caches, whose steps
   take longer, get fewer. tools/bench.sh runs each program three times (see report/merge.py). */
struct Effort {
    int repetitions, repetitions_of_large;
    double min_time_s;
    size_t largest_count;
};
const Effort smoke = {1, 1, 1e-9, 64};
const Effort brief = {41, 11, 0.0007, 1 << 16};
const Effort whole = {61, 11, 0.0007, SIZE_MAX};
const Effort *effort = &whole;

/* Shortest time of each benchmark, in ns, by "group/candidate/count". */
using Times = std::map<std::string, double>;

/* Rows of add_threaded, which Google Benchmark does not time: the times of one thread, and the speed-ups of several, by
   the names of both rows. */
Times team_times;
std::map<std::pair<std::string, std::string>, std::vector<double>> team_speeds;

/* Other work on the machine can only add time. */
void keep_shortest(Times &times, const std::string &name, double ns)
{
    auto [known, is_new] = times.try_emplace(name, ns);
    known->second = is_new ? ns : std::min(known->second, ns);
}

/* Shows progress on a terminal. Repetitions of all rows take turns, so no row is complete before nearly all are;
   therefore repetitions are counted. Google Benchmark runs each row a few times more to find its iterations. */
class Progress
{
  public:
    void expect(int repetitions) { expected_ += static_cast<size_t>(repetitions); }
    void expect_part() { expected_ = 0; } /* with a filter the number is unknown */
    void step()
    {
        const auto now = std::chrono::steady_clock::now();
        done_++;
        if (!shown_ || now < next_) {
            return;
        }
        next_ = now + std::chrono::milliseconds(100);
        if (expected_ > 0) {
            std::fprintf(stderr, "\r%3zu %% measured", std::min<size_t>(100 * done_ / expected_, 100));
        } else {
            std::fprintf(stderr, "\r%zu repetitions measured", done_);
        }
    }
    void clear() const { std::fprintf(stderr, "%s", shown_ ? "\r\033[K" : ""); }

  private:
    const bool shown_ = isatty(STDERR_FILENO) != 0;
    size_t done_ = 0, expected_ = 0;
    std::chrono::steady_clock::time_point next_{};
};
Progress progress;

/* Keeps each row's shortest repetition. */
class Shortest : public benchmark::ConsoleReporter
{
  public:
    void ReportRuns(const std::vector<Run> &runs) override
    {
        for (const Run &run : runs) {
            if (run.run_type != Run::RT_Iteration) {
                continue;
            }
            /* processor time of the thread */
            const double ns = run.cpu_accumulated_time / static_cast<double>(run.iterations) * 1e9;
            keep_shortest(times, run.run_name.function_name, ns);
        }
    }
    void Finalize() override { progress.clear(); }

    Times times;
};

/* Copies the pointers that are not NULL; returns their number. */
template <typename Element> size_t put(const std::vector<Element *> &arrays, Element **place)
{
    size_t count = 0;
    for (Element *array : arrays) {
        if (array != nullptr) {
            place[count++] = array;
        }
    }
    return count;
}

double ns_per_element(const Times &times, const Row &row)
{
    auto time = times.find(full_name(row.group, row.candidate, row.count));
    return time == times.end() ? NAN : time->second / static_cast<double>(row.count);
}

/* The speed of a row relative to each of its rivals, by label. Rivals that were not measured are left out. */
std::vector<std::pair<std::string, double>> speeds_over(const Times &times, const Row &row,
                                                        const std::vector<std::string> &rivals)
{
    std::vector<Rival> all = row.rivals;
    for (const std::string &rival : rivals) {
        if (rival != row.candidate) {
            all.push_back({rival, full_name(row.group, rival, row.count)});
        }
    }
    std::vector<std::pair<std::string, double>> speeds;
    for (const Rival &rival : all) {
        for (const Row &other : rows) {
            if (full_name(other.group, other.candidate, other.count) == rival.row) {
                const double speed = ns_per_element(times, other) / ns_per_element(times, row);
                if (std::isfinite(speed)) {
                    speeds.emplace_back(rival.label, speed);
                }
                break;
            }
        }
    }
    return speeds;
}

void print_ratios(const Times &times, const std::vector<std::string> &rivals)
{
    std::printf("%-26s %-20s %9s %10s  speed relative to\n", "group", "candidate", "count", "ns/element");
    for (const Row &row : rows) {
        if (!std::isfinite(ns_per_element(times, row))) {
            continue;
        }
        std::printf("%-26s %-20s %9zu %10.4f", row.group.c_str(), row.candidate.c_str(), row.count,
                    ns_per_element(times, row));
        for (const auto &[label, speed] : speeds_over(times, row, rivals)) {
            std::printf("  %s %.2f", label.c_str(), speed);
        }
        std::printf("\n");
    }
}

void register_repeated(benchmark::internal::Benchmark *one, int repetitions)
{
    registered.push_back(one->Repetitions(repetitions));
    progress.expect(repetitions);
}

void register_row(const Row &row, std::function<void()> step, std::function<void()> prepare)
{
    auto timed = [=](benchmark::State &state) {
        progress.step();
        if (prepare) {
            prepare();
        }
        for (auto _ : state) {
            step();
            benchmark::ClobberMemory();
        }
    };
    const bool large = row.count > 1 << 18;
    register_repeated(benchmark::RegisterBenchmark(full_name(row.group, row.candidate, row.count).c_str(), timed),
                      large ? effort->repetitions_of_large : effort->repetitions);
}

/* One iteration: each thread alone over the whole range for a millisecond, then all of them, each on its part. On a
   shared machine, other guests slow a processor down for seconds or minutes, some processors more than others. So the
   time of each thread is compared with its own time alone, a millisecond earlier. */
void register_team(const std::string &group, size_t count, size_t threads,
                   std::function<void(size_t begin, size_t end)> step)
{
    const std::string alone = full_name(group, "1", count), together = full_name(group, std::to_string(threads), count);
    auto timed = [=](benchmark::State &state) {
        progress.step();
        Team team(threads);
        std::vector<size_t> everybody(threads);
        std::iota(everybody.begin(), everybody.end(), 0);
        auto alone_s = [&](size_t thread, size_t calls) {
            return team.run({thread}, calls, [&](size_t) { step(0, count); })[0];
        };
        const size_t calls = 1 + (effort == &smoke ? 0 : static_cast<size_t>(1e-3 / alone_s(0, 1)));
        auto together_s = [&] {
            return team.run(everybody, calls * threads,
                            [&](size_t thread) { step(count * thread / threads, count * (thread + 1) / threads); });
        };
        for (auto _ : state) {
            together_s(); /* a processor that was idle is slow at first */
            std::vector<double> before(threads);
            for (size_t thread = 0; thread < threads; thread++) {
                before[thread] = alone_s(thread, calls);
                keep_shortest(team_times, alone, before[thread] / static_cast<double>(calls) * 1e9);
            }
            const std::vector<double> after = together_s();
            double speed = 0;
            for (size_t thread = 0; thread < threads; thread++) {
                speed += before[thread] / after[thread];
            }
            team_speeds[{alone, together}].push_back(speed);
            state.SetIterationTime(*std::max_element(after.begin(), after.end()));
        }
    };
    register_repeated(benchmark::RegisterBenchmark(together.c_str(), timed)->UseManualTime(), effort->repetitions);
}

/* The shortest time of one thread, divided by the median speed-up. */
Times times_of_teams()
{
    Times times = team_times;
    for (auto &[names, speeds] : team_speeds) {
        const auto middle = speeds.begin() + static_cast<std::ptrdiff_t>(speeds.size() / 2);
        std::nth_element(speeds.begin(), middle, speeds.end());
        times[names.second] = times.at(names.first) / *middle;
    }
    return times;
}

std::string first_line_of(const std::string &file)
{
    std::string line;
    std::getline(std::ifstream(file), line, '\n');
    return line.substr(0, line.find('\0')); /* strings of a device tree end in \0 */
}

/* x86: the name in cpuinfo. Boards: the name in the device tree. */
std::string cpu_model()
{
    std::ifstream info("/proc/cpuinfo");
    std::string model, detail;
    for (std::string line; std::getline(info, line) && !line.empty();) {
        const size_t colon = line.find(':');
        const std::string key = line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1);
        if (colon != std::string::npos && colon + 2 < line.size()) {
            const std::string value = line.substr(colon + 2);
            if (key == "model name") {
                model = value;
            } else if (key == "cpu family" || key == "model") {
                detail += " " + key.substr(key.find("family") == std::string::npos ? 0 : 4) + " " + value;
            }
        }
    }
    const std::string board = first_line_of("/proc/device-tree/model");
    return !model.empty() ? model + detail : !board.empty() ? board : "unknown CPU";
}

std::vector<std::pair<std::string, std::string>> context()
{
    std::string tables, lanes;
    for (const gyre_kernels *kernels : runnable_tables()) {
        const char *separator = tables.empty() ? "" : " ";
        tables += separator + name_of(kernels);
        lanes += separator + std::to_string(ceilings_of(kernels).lanes);
    }
    const std::string governor = first_line_of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    return {{"cpu", cpu_model()},
            {"governor", governor.empty() ? "not shown by this system" : governor},
            {"compiler", GYRE_BENCH_COMPILER},
            {"tables", tables},
            {"lanes", lanes},
            {"library_version", GYRE_BENCH_VERSION},
            {"peers_left_out", *GYRE_BENCH_LEFT_OUT != 0 ? GYRE_BENCH_LEFT_OUT : "none"}};
}

std::string quoted(const std::string &text)
{
    std::string result = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') {
            result += '\\';
        }
        result += c;
    }
    return result + '"';
}

bool write_json(const std::string &file, const Times &times, const std::vector<std::string> &rivals)
{
    FILE *out = std::fopen(file.c_str(), "w");
    if (out == nullptr) {
        return false;
    }
    std::fprintf(out, "{\"context\": {");
    const char *separator = "";
    for (const auto &[key, value] : context()) {
        std::fprintf(out, "%s\n  %s: %s", separator, quoted(key).c_str(), quoted(value).c_str());
        separator = ",";
    }
    std::fprintf(out, "},\n\"rows\": [");
    separator = "";
    for (const Row &row : rows) {
        const double ns = ns_per_element(times, row);
        if (!std::isfinite(ns)) {
            continue;
        }
        std::fprintf(out,
                     "%s\n {\"group\": %s, \"candidate\": %s, \"count\": %zu, \"ns_per_element\": %.5g, "
                     "\"elements_per_second\": %.4g, \"bytes_per_second\": %.4g, \"speed_over\": {",
                     separator, quoted(row.group).c_str(), quoted(row.candidate).c_str(), row.count, ns, 1e9 / ns,
                     1e9 / ns * row.bytes);
        separator = "";
        for (const auto &[label, speed] : speeds_over(times, row, rivals)) {
            std::fprintf(out, "%s%s: %.3g", separator, quoted(label).c_str(), speed);
            separator = ", ";
        }
        std::fprintf(out, "}}");
        separator = ",";
    }
    std::fprintf(out, "],\n\"errors\": [");
    separator = "";
    for (const Error &error : errors) {
        std::fprintf(out, "%s\n {\"group\": %s, \"candidate\": %s, \"error\": %.3g, \"unit\": %s}", separator,
                     quoted(error.group).c_str(), quoted(error.candidate).c_str(), error.error,
                     quoted(error.unit).c_str());
        separator = ",";
    }
    std::fprintf(out, "]}\n");
    return std::fclose(out) == 0;
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
    return gyre_isa_name(gyre_kernels_isa(kernels)) + std::string("-") +
           gyre_rounding_name(gyre_kernels_rounding(kernels));
}

const ceilings &ceilings_of(const gyre_kernels *kernels)
{
#define ADDRESS(symbol) &symbol,
    static const ceilings *const all[] = {GYRE_CEILINGS(ADDRESS)};
    for (const ceilings *candidate : all) {
        if (candidate->isa == gyre_kernels_isa(kernels) && candidate->rounding == gyre_kernels_rounding(kernels)) {
            return *candidate;
        }
    }
    throw std::logic_error("no ceilings for table " + name_of(kernels));
}

const ceilings &widest_ceilings()
{
    /* looked up once: timed loops call this */
    static const ceilings &widest = ceilings_of(gyre_kernels_best(GYRE_ROUNDING_PORTABLE));
    return widest;
}

ceiling_streams streams(const std::vector<float *> &updated, const std::vector<const float *> &read,
                        const std::vector<float *> &written)
{
    ceiling_streams s = {};
    s.updated_count = put(updated, s.updated);
    s.read_count = put(read, s.read);
    s.written_count = put(written, s.written);
    return s;
}

double bytes_of(size_t updated, size_t read, size_t written)
{
    return static_cast<double>(sizeof(float) * (2 * updated + read + written));
}

double bytes_of(const ceiling_streams &arrays)
{
    return bytes_of(arrays.updated_count, arrays.read_count, arrays.written_count + (arrays.rows != nullptr ? 12 : 0));
}

void take_effort(int *argc, char **argv)
{
    if (take_flag(argc, argv, "smoke")) {
        effort = &smoke;
    } else if (take_flag(argc, argv, "short")) {
        effort = &brief;
    }
}

std::vector<size_t> counts(const std::vector<size_t> &all, size_t bytes_per_element)
{
    const auto pages = static_cast<size_t>(sysconf(_SC_PHYS_PAGES)), page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    std::vector<size_t> some;
    for (size_t count : all) {
        if (some.empty() || (count <= effort->largest_count && count * bytes_per_element <= pages * page / 2)) {
            some.push_back(count);
        } else if (count <= effort->largest_count) {
            std::fprintf(stderr, "not measured: %zu elements need more than half of the memory\n", count);
        }
    }
    return some;
}

std::vector<size_t> cached_counts() { return counts({64, 4096}, 0); }

Array::Array(size_t count, size_t bytes_behind_line)
{
    const size_t page = 4096, stagger = 11 * 64;
    static size_t arrays_made;
    size_t offset = arrays_made++ * stagger % page + bytes_behind_line;
    memory_ = std::make_unique<char[]>(count * sizeof(float) + 2 * page);
    auto address = reinterpret_cast<uintptr_t>(memory_.get());
    data_ = reinterpret_cast<float *>((address + page - 1) / page * page + offset);
}

std::string full_name(const std::string &group, const std::string &candidate, size_t count)
{
    return group + "/" + candidate + "/" + std::to_string(count);
}

void add(const std::string &group, const std::string &candidate, size_t count, double bytes, std::function<void()> step,
         std::vector<Rival> rivals, std::function<void()> prepare)
{
    rows.push_back({group, candidate, count, bytes, std::move(rivals)});
    register_row(rows.back(), std::move(step), std::move(prepare));
}

void add_ceiling(const std::string &group, size_t count, const ceiling_streams &arrays)
{
    const double bytes = bytes_of(arrays);
    auto step = [=] { widest_ceilings().streams(&arrays, count); };
    add(group, "ceiling", count, bytes, step, {{"itself", full_name(group, "ceiling2", count)}});
    add(group, "ceiling2", count, bytes, step);
}

void add_threaded(const std::string &group, size_t count, double bytes,
                  std::function<void(size_t begin, size_t end)> step)
{
    const size_t processors = Team::processors().size();
    for (size_t threads : std::set<size_t>{1, std::min<size_t>(2, processors), processors}) {
        rows.push_back({group, std::to_string(threads), count, bytes, {}});
        if (threads > 1) {
            register_team(group, count, threads, step);
        }
    }
}

double worse_of(double worst, double error) { return std::isnan(worst) || error <= worst ? worst : error; }

void state_error(const std::string &group, const std::string &candidate, double error, const std::string &unit)
{
    for (Error &stated : errors) {
        if (stated.group == group && stated.candidate == candidate) {
            stated.error = worse_of(stated.error, error);
            return;
        }
    }
    errors.push_back({group, candidate, error, unit});
}

void add_if(bool passed, const std::string &complaint, const std::string &group, const std::string &candidate,
            size_t count, double bytes, std::function<void()> step, std::vector<Rival> rivals,
            std::function<void()> prepare)
{
    if (passed) {
        add(group, candidate, count, bytes, std::move(step), std::move(rivals), std::move(prepare));
    } else {
        std::fprintf(stderr, "FAILED, not timed: %s: %s\n", full_name(group, candidate, count).c_str(),
                     complaint.c_str());
        failed = true;
    }
}

std::string got_and_wanted(double error, double allowed, const std::string &unit)
{
    char text[128];
    std::snprintf(text, sizeof text, "got %.2g %s, wanted at most %.2g", error, unit.c_str(), allowed);
    return text;
}

int run(int argc, char **argv, const std::vector<std::string> &rivals)
{
    const std::string json = take_option(&argc, argv, "json");
    std::vector<char *> arguments(argv, argv + argc);
    std::string interleaving = "--benchmark_enable_random_interleaving=true";
    arguments.insert(arguments.begin() + 1, interleaving.data()); /* before the user's options, which override it */
    auto given = [&](const std::string &option) {
        return std::any_of(argv, argv + argc, [&](const char *argument) {
            return std::string(argument).compare(0, option.size(), option) == 0;
        });
    };
    /* Not by the option: version 1.7 expects 0.003 and version 1.8 expects 0.003s. */
    if (!given("--benchmark_min_time=")) {
        for (benchmark::internal::Benchmark *one : registered) {
            one->MinTime(effort->min_time_s);
        }
    }
    int count = static_cast<int>(arguments.size());
    for (const auto &[key, value] : context()) {
        benchmark::AddCustomContext(key, value);
    }
    benchmark::Initialize(&count, arguments.data());
    if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) {
        std::exit(2);
    }
    if (given("--benchmark_filter=")) {
        progress.expect_part();
    }
    Shortest reporter;
    if (benchmark::RunSpecifiedBenchmarks(&reporter) == 0 && !registered.empty()) {
        std::fprintf(stderr, "no row matches the filter\n");
        failed = true;
    }
    Times times = times_of_teams();
    times.insert(reporter.times.begin(), reporter.times.end()); /* rows of add_threaded keep their own times */
    print_ratios(times, rivals);
    if (!json.empty() && !write_json(json, times, rivals)) {
        std::fprintf(stderr, "cannot write %s\n", json.c_str());
        failed = true;
    }
    return failed;
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

bool take_flag(int *argc, char **argv, const std::string &name)
{
    char **flag = std::find(argv + 1, argv + *argc, "--" + name);
    if (flag == argv + *argc) {
        return false;
    }
    std::copy(flag + 1, argv + *argc, flag);
    --*argc;
    return true;
}

} // namespace bench
