/* A frame with OpenMP:   cc -O2 -fopenmp openmp.c $(pkg-config --cflags --libs gyre) */
#include "frame.h"

int main(void)
{
    enum { FRAMES = 20 };
    frame_state state = make_state();
    job jobs[JOBS_MAX];
    const int count = (int)make_jobs(jobs);
    for (int frame = 0; frame < FRAMES; frame++) {
#pragma omp parallel for schedule(dynamic)
        for (int i = 0; i < count; i++) {
            run_job(&state, jobs[i]);
        }
    }
    const int same = check(&state, FRAMES);
    free(state.memory);
    return same ? 0 : 1;
}
