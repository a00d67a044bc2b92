/* A frame with oneTBB:   c++ -O2 tbb.cc $(pkg-config --cflags --libs gyre tbb) */
#include "frame.h"

#include <tbb/parallel_for.h>

int main()
{
    const int frames = 20;
    frame_state state = make_state();
    job jobs[JOBS_MAX];
    const size_t count = make_jobs(jobs);
    for (int frame = 0; frame < frames; frame++) {
        tbb::parallel_for(size_t{0}, count, [&](size_t i) { run_job(&state, jobs[i]); });
    }
    const bool same = check(&state, frames);
    free(state.memory);
    return same ? 0 : 1;
}
