#include "harness/team.h"

#include <algorithm>
#include <chrono>

#include <pthread.h>
#include <sched.h>

namespace bench
{

namespace
{

double now_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

void stay_on(int processor)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<size_t>(processor), &set);
    pthread_setaffinity_np(pthread_self(), sizeof set, &set); /* if forbidden, threads run on any processor */
}

} // namespace

std::vector<int> Team::processors()
{
    cpu_set_t set;
    std::vector<int> all;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        for (int processor = 0; processor < CPU_SETSIZE; processor++) {
            if (CPU_ISSET(static_cast<size_t>(processor), &set)) {
                all.push_back(processor);
            }
        }
    }
    return all.empty() ? std::vector<int>{0} : all;
}

Team::Team(size_t threads) : has_turn_(threads), seconds_(threads)
{
    const std::vector<int> all = processors();
    for (size_t thread = 0; thread < threads; thread++) {
        threads_.emplace_back([this, thread, processor = all[thread % all.size()]] { live(thread, processor); });
    }
}

Team::~Team()
{
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        ends_ = true;
    }
    changed_.notify_all();
    for (std::thread &thread : threads_) {
        thread.join();
    }
}

void Team::live(size_t thread, int processor)
{
    stay_on(processor);
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return ends_ || has_turn_[thread]; });
        if (ends_) {
            return;
        }
        lock.unlock();
        const double seconds = take_part(turn_, thread);
        lock.lock();
        seconds_[thread] = seconds;
        has_turn_[thread] = false;
        changed_.notify_all();
    }
}

double Team::take_part(Turn &turn, size_t thread)
{
    const std::function<void(size_t)> &work = *turn.work;
    work(thread);
    turn.ready++;
    while (turn.ready < turn.working) {
    }
    const double start = now_s();
    for (size_t call = 0; call < turn.calls; call++) {
        work(thread);
    }
    const double end = now_s();
    turn.done++;
    while (turn.done < turn.working) {
        work(thread);
    }
    return end - start;
}

std::vector<double> Team::run(const std::vector<size_t> &threads, size_t calls,
                              const std::function<void(size_t thread)> &work)
{
    std::unique_lock<std::mutex> lock(mutex_);
    turn_.working = threads.size();
    turn_.calls = calls;
    turn_.work = &work;
    turn_.ready = turn_.done = 0;
    for (size_t thread : threads) {
        has_turn_[thread] = true;
    }
    changed_.notify_all();
    changed_.wait(lock, [&] { return std::none_of(has_turn_.begin(), has_turn_.end(), [](bool its) { return its; }); });
    std::vector<double> seconds;
    for (size_t thread : threads) {
        seconds.push_back(seconds_[thread]);
    }
    return seconds;
}

} // namespace bench
