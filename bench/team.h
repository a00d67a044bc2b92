/* Threads that start at once, each on a processor of its own. */
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

    /* The calling thread, which stays on the first processor as long as the team lives, and threads - 1 others. */
    explicit Team(size_t threads);
    ~Team();
    Team(const Team &) = delete;
    Team &operator=(const Team &) = delete;

    /* Has the first `working` threads call work(0), work(1) and so on, each `rounds` times, after one call that is not
       timed and fetches its piece into its cache. The others sleep. Returns the seconds from the start of all to the
       end of the last. */
    double run(size_t working, size_t rounds, const std::function<void(size_t thread)> &work);

  private:
    void live(size_t thread);
    void take_part(size_t thread);

    std::vector<int> own_processors_;
    std::mutex mutex_;
    std::condition_variable woken_;
    size_t call_ = 0, working_ = 0, rounds_ = 0; /* guarded by mutex_ as long as threads sleep */
    const std::function<void(size_t thread)> *work_ = nullptr;
    bool ends_ = false;
    std::atomic<size_t> ready_{0}, finished_{0};
    std::vector<double> finished_at_;
    std::vector<std::thread> others_; /* last: they use the rest */
};

} // namespace bench

#endif
