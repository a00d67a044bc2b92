#include "team.h"

#include <algorithm>
#include <chrono>

#include <pthread.h>
#include <sched.h>

namespace bench
{

namespace
{

double now_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

void stay_on(const std::vector<int> &processors)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int processor : processors) {
        CPU_SET(static_cast<size_t>(processor), &set);
    }
    pthread_setaffinity_np(pthread_self(), sizeof set, &set); /* where that is forbidden, times are what they are */
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

Team::Team(size_t threads) : own_processors_(processors()), finished_at_(threads)
{
    for (size_t thread = 1; thread < threads; thread++) {
        others_.emplace_back([this, thread] { live(thread); });
    }
    stay_on({own_processors_[0]});
}

Team::~Team()
{
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        ends_ = true;
    }
    woken_.notify_all();
    for (std::thread &other : others_) {
        other.join();
    }
    stay_on(own_processors_);
}

void Team::live(size_t thread)
{
    stay_on({own_processors_[thread % own_processors_.size()]});
    for (size_t calls = 0;;) {
        {
            std::unique_lock<std::mutex> lock(mutex_);
            woken_.wait(lock, [&] { return ends_ || (call_ > calls && thread < working_); });
            if (ends_) {
                return;
            }
            calls = call_;
        }
        take_part(thread);
    }
}

void Team::take_part(size_t thread)
{
    (*work_)(thread);
    ready_++;
    while (ready_ < working_) {
    }
    for (size_t round = 0; round < rounds_; round++) {
        (*work_)(thread);
    }
    finished_at_[thread] = now_s();
    finished_++;
}

double Team::run(size_t working, size_t rounds, const std::function<void(size_t thread)> &work)
{
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        call_++;
        working_ = working;
        rounds_ = rounds;
        work_ = &work;
        ready_ = finished_ = 0;
    }
    woken_.notify_all();
    work(0);
    while (ready_ < working - 1) {
    }
    const double start = now_s();
    ready_++;
    for (size_t round = 0; round < rounds; round++) {
        work(0);
    }
    finished_at_[0] = now_s();
    finished_++;
    while (finished_ < working) {
    }
    return *std::max_element(finished_at_.begin(), finished_at_.begin() + static_cast<std::ptrdiff_t>(working)) - start;
}

} // namespace bench
