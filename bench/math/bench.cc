/* The elementary functions on every table against SLEEF, libmvec, Eigen and scalar libm, for 64 and 4,096 elements.

   bench_math                    speeds, and ratios to SLEEF u10 and libm
   bench_math --errors           largest errors in ulp as well, over a million arguments from the same ranges */
#include "harness/harness.h"
#include "math/peers.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace
{

using Map = std::function<void(const float *, float *, size_t)>;
using Pair = std::function<void(const float *, float *, float *, size_t)>;

/* Arguments are uniform over a range, those of log over its exponents. */
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
    std::uniform_real_distribution<double> exponents(std::log(function.from), std::log(function.to));
    for (size_t i = 0; i < count; i++) {
        x[i] = static_cast<float>(&function == &functions[PEER_LOG] ? std::exp(exponents(random)) : even(random));
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

/* Largest error in ulp over `count` arguments x; y receives the results. */
double largest_error(const Function &function, const Map &map, bench::Array &x, bench::Array &y, size_t count)
{
    map(x.data(), y.data(), count);
    double largest = 0;
    for (size_t i = 0; i < count; i++) {
        double exact = function.exact(static_cast<double>(x.data()[i]));
        double ulp = std::ldexp(1.0, std::max(std::ilogb(exact), -126) - 23);
        largest = bench::worse_of(largest, std::fabs(static_cast<double>(y.data()[i]) - exact) / ulp);
    }
    return largest;
}

/* libmvec states 4 ulp. A larger error means that a candidate computes a different function. */
const double allowed_ulp = 4;

void state_errors()
{
    const size_t count = 1 << 20;
    bench::Array x(count), y(count);
    for (const Function &function : functions) {
        fill(function, x.data(), count);
        for (const Candidate &candidate : candidates()) {
            if (const Map &map = candidate.map[&function - functions]) {
                bench::state_error(function.name, candidate.name, largest_error(function, map, x, y, count), "ulp");
            }
        }
    }
}

void add_count(size_t count)
{
    auto x = std::make_shared<std::vector<bench::Array>>();
    for (const Function &function : functions) {
        x->emplace_back(count);
        fill(function, x->back().data(), count);
    }
    auto y = std::make_shared<bench::Array>(count), z = std::make_shared<bench::Array>(count);
    auto add = [&](const char *group, const std::string &name, size_t results, double error,
                   std::function<void()> step) {
        const bool right = error <= allowed_ulp;
        bench::add_if(right, bench::got_and_wanted(error, allowed_ulp, "ulp"), group, name, count,
                      bench::bytes_of(0, 1, results), step);
    };
    for (const Candidate &candidate : candidates()) {
        for (size_t f = 0; f < PEER_MAPS; f++) {
            if (Map map = candidate.map[f]) {
                add(functions[f].name, candidate.name, 1, largest_error(functions[f], map, (*x)[f], *y, count),
                    [=] { map((*x)[f].data(), y->data(), count); });
            }
        }
        const Pair pair = candidate.sincos;
        const Map sin = [=](const float *from, float *to, size_t n) { pair(from, to, z->data(), n); };
        const Map cos = [=](const float *from, float *to, size_t n) { pair(from, z->data(), to, n); };
        bench::Array &angles = (*x)[PEER_SIN];
        const double error = bench::worse_of(largest_error(functions[PEER_SIN], sin, angles, *y, count),
                                             largest_error(functions[PEER_COS], cos, angles, *y, count));
        add("sincos", candidate.name, 2, error, [=] { pair((*x)[PEER_SIN].data(), y->data(), z->data(), count); });
    }
}

} // namespace

int main(int argc, char **argv)
{
    bench::take_effort(&argc, argv);
    if (bench::take_flag(&argc, argv, "errors")) {
        state_errors();
    }
    for (size_t count : bench::cached_counts()) {
        add_count(count);
    }
    return bench::run(argc, argv, {"sleef-u10", "libm"});
}
