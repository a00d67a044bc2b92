/* Utilities around the kernels against loops left to compilers, and XXH3: in the second-level cache, in the third, and
   in memory. */
#include "harness/compiled_loops.h"
#include "harness/harness.h"
#include "arrays/peers.h"

#include <cmath>
#include <cstring>

namespace
{

enum { STRUCTURE = 12 }; /* floats: 48 bytes */

struct Arrays {
    size_t count;
    bench::Array structures, x, y, z, out;
    std::vector<uint8_t> awake;
    std::vector<uint32_t> indices;
    float *of[3];

    explicit Arrays(size_t n)
        : count(n), structures(STRUCTURE * n), x(n), y(n), z(n), out(n), awake(n),
          indices(n), of{x.data(), y.data(), z.data()}
    {
        fill();
    }

    void fill()
    {
        for (size_t i = 0; i < STRUCTURE * count; i++) {
            structures.data()[i] = static_cast<float>(i % 1021);
        }
        for (size_t i = 0; i < count; i++) {
            for (size_t c = 0; c < 3; c++) {
                of[c][i] = static_cast<float>((i + 331 * c) % 1021);
            }
            out.data()[i] = 0;
        }
    }

    bool gathered() const
    {
        bool same = true;
        for (size_t i = 0; i < count; i++) {
            for (size_t c = 0; c < 3; c++) {
                same = same && of[c][i] == static_cast<float>((STRUCTURE * i + c) % 1021);
            }
        }
        return same;
    }

    bool scattered()
    {
        bool same = true;
        for (size_t i = 0; i < STRUCTURE * count; i++) {
            const size_t c = i % STRUCTURE, element = i / STRUCTURE;
            same = same && structures.data()[i] == static_cast<float>((c < 3 ? element + 331 * c : i) % 1021);
        }
        return same;
    }
};

using Shared = std::shared_ptr<Arrays>;

void add_gather_and_scatter(const Shared &a)
{
    const size_t n = a->count;
    void *const structures = a->structures.data();
    auto add = [&](const std::string &name, const std::function<void()> &gather, const std::function<void()> &scatter) {
        a->fill();
        gather();
        bench::add_if(a->gathered(), "wrong floats", "gather-3-of-12", name, n, bench::bytes_of(0, 3, 3), gather);
        a->fill();
        scatter();
        bench::add_if(a->scattered(), "wrong floats", "scatter-3-of-12", name, n, bench::bytes_of(0, 3, 3), scatter);
    };
    for (const gyre_kernels *kernels : bench::runnable_tables()) {
        add(
            bench::name_of(kernels), [=] { kernels->gather(structures, 48, 3, a->of, 0, n); },
            [=] { kernels->scatter(a->of, 3, structures, 48, 0, n); });
    }
    for (const loops *loop : compiled_loops()) {
        if (loop->gather != nullptr) {
            add(
                loop->name, [=] { loop->gather(structures, a->of[0], a->of[1], a->of[2], n); },
                [=] { loop->scatter(a->of[0], a->of[1], a->of[2], structures, n); });
        }
    }
}

void add_streams(const Shared &a)
{
    const size_t n = a->count;
    float *const x = a->of[0], *const y = a->of[1], *const out = a->out.data();
    const double three = bench::bytes_of(0, 3, 0);
    for (const gyre_kernels *kernels : bench::runnable_tables()) {
        const std::string name = bench::name_of(kernels);
        bench::add("interpolate", name, n, bench::bytes_of(0, 2, 1),
                   [=] { kernels->interpolate(x, y, 0.3f, out, 0, n); });
        bench::add("limit-length-none", name, n, three, [=] { kernels->limit_length(a->of, 3, 1e9f, 0, n); });
        bench::add("hash", name, n, three, [=] {
            uint64_t hash;
            kernels->hash(a->of, 3, &hash, 0, n);
            benchmark::DoNotOptimize(hash);
        });
        for (auto &[group, every] :
             {std::pair{"find-awake-none", n}, {"find-awake-1-in-100", size_t{100}}, {"find-awake-all", size_t{1}}}) {
            auto flag = [=, every = every] {
                for (size_t i = 0; i < n; i++) { /* in runs of 64 */
                    a->awake[i] = every == 1 || (every < n && i / 64 % every == 0);
                }
            };
            bench::add(
                group, name, n, 1,
                [=] {
                    size_t found;
                    kernels->find_awake(a->awake.data(), a->indices.data(), &found, 0, n);
                    benchmark::DoNotOptimize(found);
                },
                {}, flag);
        }
    }
    bench::add_ceiling("interpolate", n, bench::streams({}, {x, y}, {out}));
    bench::add_ceiling("limit-length-none", n, bench::streams({}, {x, y, a->of[2]}, {}));
    bench::add_ceiling("hash", n, bench::streams({}, {x, y, a->of[2]}, {}));
#ifdef HAVE_XXHASH
    bench::add("hash", "xxh3", n, three, [=] { benchmark::DoNotOptimize(xxh3_of_three(a->of, n)); });
#endif
    bench::add("interpolate", "memcpy", n, bench::bytes_of(0, 1, 1), [=] { std::memcpy(out, x, n * sizeof(float)); });
}

} // namespace

int main(int argc, char **argv)
{
    bench::take_effort(&argc, argv);
    for (size_t count : bench::counts({1 << 12, 1 << 16, 1 << 24}, (STRUCTURE + 6) * sizeof(float))) {
        auto arrays = std::make_shared<Arrays>(count);
        add_gather_and_scatter(arrays);
        add_streams(arrays);
    }
    return bench::run(argc, argv, {"gcc", "clang", "ceiling", "xxh3"});
}
