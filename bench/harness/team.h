/* Threads that start together, each on its own processor. */
#ifndef GYRE_BENCH_TEAM_H
#define GYRE_BENCH_TEAM_H

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace bench
{

class Team
{
  public:
    /* The processors that this program may run on. */
    static std::vector<int> processors();

    explicit Team(size_t threads);
    ~Team();
    Team(const Team &) = delete;
    Team &operator=(const Team &) = delete;

    /* Has each of these threads call work(thread) `calls` times, after one untimed call that fetches the thread's part
       into its cache. They start together. A thread that has finished keeps working until all have, so that the others
       are not timed on a quieter machine. All other threads and the caller sleep. Returns the seconds that each thread
       took. */
    std::vector<double> run(const std::vector<size_t> &threads, size_t calls,
                            const std::function<void(size_t thread)> &work);

  private:
    struct Turn {
        size_t working, calls;
        const std::function<void(size_t thread)> *work;
        std::atomic<size_t> ready, done;
    };

    void live(size_t thread, int processor);
    static double take_part(Turn &turn, size_t thread);

    std::mutex mutex_;
    std::condition_variable changed_;
    Turn turn_{};
    std::vector<bool> has_turn_; /* guarded by mutex_, like all below */
    std::vector<double> seconds_;
    bool ends_ = false;
    std::vector<std::thread> threads_; /* last: they use the rest */
};

} // namespace bench

#endif
