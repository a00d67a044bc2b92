/* The elementary functions, every table, against SLEEF, libmvec, Eigen and scalar libm: 4,096 elements, in cache.

   bench_math                    speeds, and ratios to SLEEF u10 and libm
   bench_math --errors           largest errors in ulp, over a million arguments from the same ranges
   bench_math --picture=F.svg    speeds, and a picture of speed against error, drawn by gnuplot (.svg or .png) */
#include "harness.h"
#include "peers/math.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>

namespace
{

using Map = std::function<void(const float *, float *, size_t)>;
using Pair = std::function<void(const float *, float *, float *, size_t)>;

/* Arguments are spread evenly over a range, those of log over its exponents. */
struct Function {
    const char *name;
    gyre_status (*gyre_kernels::*member)(const float *, float *, size_t);
    double (*exact)(double);
    float from, to;
};

const Function functions[PEER_MAPS] = {
    {"exp", &gyre_kernels::math_exp, std::exp, -80, 80},
    {"expm1", &gyre_kernels::math_expm1, std::expm1, -20, 80},
    {"log", &gyre_kernels::math_log, std::log, 1e-10f, 1e10f},
    {"sin", &gyre_kernels::math_sin, std::sin, -100, 100},
    {"cos", &gyre_kernels::math_cos, std::cos, -100, 100},
};

void fill(const Function &function, float *x, size_t count)
{
    std::mt19937 random(1);
    std::uniform_real_distribution<double> even(function.from, function.to);
    std::uniform_real_distribution<double> exponents(std::log(1e-10), std::log(1e10));
    for (size_t i = 0; i < count; i++) {
        x[i] = static_cast<float>(function.exact == functions[PEER_LOG].exact ? std::exp(exponents(random))
                                                                              : even(random));
    }
}

struct Candidate {
    std::string name;
    Map map[PEER_MAPS];
    Pair sincos;
};

std::vector<Candidate> candidates()
{
    std::vector<Candidate> all;
    for (const gyre_kernels *kernels : bench::runnable_tables()) {
        Candidate candidate = {bench::name_of(kernels), {}, kernels->math_sincos};
        for (size_t f = 0; f < PEER_MAPS; f++) {
            candidate.map[f] = kernels->*functions[f].member;
        }
        all.push_back(candidate);
    }
    for (const MathPeer &peer : math_peers()) {
        Candidate candidate = {peer.name, {}, peer.sincos};
        for (size_t f = 0; f < PEER_MAPS; f++) {
            if (peer.map[f]) {
                candidate.map[f] = peer.map[f];
            }
        }
        all.push_back(candidate);
    }
    return all;
}

/* Largest error in ulp over `count` arguments; x and y are for the asking. */
double largest_error(const Function &function, const Map &map, bench::Array &x, bench::Array &y, size_t count)
{
    map(x.data(), y.data(), count);
    double largest = 0;
    for (size_t i = 0; i < count; i++) {
        double exact = function.exact(static_cast<double>(x.data()[i]));
        double ulp = std::ldexp(1.0, std::max(std::ilogb(exact), -126) - 23);
        largest = std::max(largest, std::fabs(static_cast<double>(y.data()[i]) - exact) / ulp);
    }
    return largest;
}

struct Error {
    size_t function;
    std::string candidate;
    double ulps;
};

std::vector<Error> errors()
{
    const size_t count = 1 << 20;
    bench::Array x(count), y(count);
    std::vector<Error> all;
    for (size_t f = 0; f < PEER_MAPS; f++) {
        fill(functions[f], x.data(), count);
        for (const Candidate &candidate : candidates()) {
            if (candidate.map[f]) {
                all.push_back({f, candidate.name, largest_error(functions[f], candidate.map[f], x, y, count)});
            }
        }
    }
    return all;
}

/* One panel for each function: down and to the right is better. Named are the widest tables and one form of each peer;
   the others are small points of the same colour. */
bool draw(const std::string &file, const bench::Times &times, size_t count)
{
    const bool png = file.size() > 4 && file.substr(file.size() - 4) == ".png";
    FILE *gnuplot = popen("gnuplot", "w");
    if (gnuplot == nullptr) {
        return false;
    }
    std::fprintf(gnuplot, "set terminal %s size 1500,900 font 'sans,11'\nset output '%s'\n", png ? "pngcairo" : "svg",
                 file.c_str());
    std::fprintf(gnuplot,
                 "set multiplot layout 2,3\nset grid back lc rgb '#dddddd'\nset logscale y 2\nset yrange [0.35:8]\n"
                 "set xrange [0:*]\nset offsets graph 0, graph 0.35, 0, 0\nset xlabel 'elements per ns'\n"
                 "set ylabel 'largest error (ulp)'\nset key off\n");
    const std::vector<Error> all = errors();
    const std::string widest[] = {bench::name_of(gyre_kernels_best(GYRE_ROUNDING_PORTABLE)),
                                  bench::name_of(gyre_kernels_best(GYRE_ROUNDING_FUSED))};
    for (size_t f = 0; f < PEER_MAPS; f++) {
        std::fprintf(gnuplot, "set title '%s'\n$points << EOD\n", functions[f].name);
        for (const Error &error : all) {
            auto time =
                times.find(std::string(functions[f].name) + "/" + error.candidate + "/" + std::to_string(count));
            if (error.function == f && time != times.end()) {
                bool own = error.candidate.find("-portable") != std::string::npos ||
                           error.candidate.find("-fused") != std::string::npos;
                bool named = own ? error.candidate == widest[0] || error.candidate == widest[1]
                                 : error.candidate.find("inz") == std::string::npos;
                std::fprintf(gnuplot, "%g %g \"%s%s\" %d %g\n", static_cast<double>(count) / time->second, error.ulps,
                             named && own ? "gyre " : "", named ? error.candidate.c_str() : "",
                             own ? 0xd55e00 : 0x0072b2, named ? 1.0 : 0.5);
            }
        }
        std::fprintf(gnuplot,
                     "EOD\nplot $points using 1:2:5:4 with points pt 7 ps variable lc rgb variable, "
                     "'' using 1:2:3:4 with labels left rotate by 30 offset 0.4,0.5 tc rgb variable font ',10'\n");
    }
    return pclose(gnuplot) == 0;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc > 1 && std::strcmp(argv[1], "--errors") == 0) {
        for (const Error &error : errors()) {
            std::printf("%-8s %-16s %10.3f ulp\n", functions[error.function].name, error.candidate.c_str(), error.ulps);
        }
        return 0;
    }
    const std::string picture = bench::take_option(&argc, argv, "picture");
    const size_t count = 4096;
    auto x = std::make_shared<std::vector<bench::Array>>();
    for (const Function &function : functions) {
        x->emplace_back(count);
        fill(function, x->back().data(), count);
    }
    auto y = std::make_shared<bench::Array>(count), z = std::make_shared<bench::Array>(count);
    for (const Candidate &candidate : candidates()) {
        for (size_t f = 0; f < PEER_MAPS; f++) {
            if (Map map = candidate.map[f]) {
                bench::add(functions[f].name, candidate.name, count, 2 * sizeof(float),
                           [=] { map((*x)[f].data(), y->data(), count); });
            }
        }
        bench::add("sincos", candidate.name, count, 3 * sizeof(float),
                   [=] { candidate.sincos((*x)[PEER_SIN].data(), y->data(), z->data(), count); });
    }
    const bench::Times times = bench::run(argc, argv, {"sleef-u10", "libm"});
    if (!picture.empty() && !draw(picture, times, count)) {
        std::fprintf(stderr, "bench_math: no picture: gnuplot is missing or failed\n");
        return 1;
    }
}
