/* Tumbling bodies in an instance buffer, in C++ without exceptions. All arrays of the bodies are in one block of
   memory; the matrices go between the other data in the buffer. Threads step slices of the bodies and write their
   instances.

       c++ -std=c++17 -O2 -fno-exceptions instances.cc $(pkg-config --cflags --libs gyre) -pthread */
#include <gyre/gyre.hpp>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

/* The shader's input for each body. */
struct instance {
    float rows[12];
    std::uint32_t colour;
    std::uint32_t unused[3];
};

class tumblers
{
  public:
    explicit tumblers(std::size_t count) : count_(count), memory_(arrays * count)
    {
        for (std::size_t i = 0; i < count; i++) {
            array(3)[i] = 1; /* orientation w */
            for (std::size_t k = 0; k < 3; k++) {
                array(4 + k)[i] = 0.01f * static_cast<float>((i * 7 + k * 5) % 100);
                array(7 + k)[i] = 1 + 0.4f * static_cast<float>(k);
            }
        }
        const gyre::bodies::arrays arrays_of_bodies = {{array(0), array(1), array(2), array(3)},
                                                       {},
                                                       {array(4), array(5), array(6)},
                                                       {array(7), array(8), array(9)}};
        const auto made = gyre::bodies::of(arrays_of_bodies);
        status_ = gyre::status_of(made);
        bodies_ = gyre::value(made);
    }

    /* The arrays of a copy would be in the original. */
    tumblers(const tumblers &) = delete;
    tumblers &operator=(const tumblers &) = delete;

    gyre::status status() const { return status_; }

    /* One frame of some of the bodies. Other threads may process others at the same time. */
    gyre::status frame(gyre::range range, float dt_s, std::vector<instance> &instances) const
    {
        const gyre::status stepped = bodies_.step(range, dt_s);
        if (gyre::failed(stepped)) {
            return stepped;
        }
        const std::size_t floats = instances.size() * sizeof(instance) / sizeof(float);
        return bodies_.transforms(range, {array(10), array(11), array(12)}, {instances.data()->rows, floats},
                                  sizeof(instance));
    }

  private:
    static constexpr std::size_t arrays = 13; /* orientation, momentum, inertia, position */

    gyre::span<float> array(std::size_t k) { return {memory_.data() + k * count_, count_}; }
    gyre::span<const float> array(std::size_t k) const { return {memory_.data() + k * count_, count_}; }

    std::size_t count_;
    std::vector<float> memory_;
    gyre::bodies bodies_;
    gyre::status status_;
};

/* The instances after some frames with this many threads; empty after an error. */
static std::vector<instance> run(std::size_t count, std::size_t threads)
{
    const tumblers world(count);
    std::vector<instance> instances(count);
    std::vector<gyre::status> done(threads, world.status());
    std::vector<std::thread> running;
    for (std::size_t k = 0; k < threads && !gyre::failed(world.status()); k++) {
        running.emplace_back([&, k] {
            for (int frame = 0; frame < 20 && !gyre::failed(done[k]); frame++) {
                done[k] = world.frame({count * k / threads, count * (k + 1) / threads}, 1 / 60.0f, instances);
            }
        });
    }
    for (std::thread &thread : running) {
        thread.join();
    }
    for (const gyre::status status : done) {
        if (gyre::failed(status)) {
            std::fprintf(stderr, "gyre: %s\n", gyre::name(status));
            instances.clear();
        }
    }
    return instances;
}

int main()
{
    const std::size_t count = 10000;
    const std::vector<instance> alone = run(count, 1), together = run(count, 4);
    const bool same = alone.size() == count && together.size() == count &&
                      std::memcmp(alone.data(), together.data(), count * sizeof(instance)) == 0;
    std::printf("%s\n", same ? "the same bits" : "different");
    return same ? 0 : 1;
}
