/* A frame with a custom job queue on POSIX threads:
     cc -O2 -pthread job_queue.c $(pkg-config --cflags --libs gyre)

   Workers sleep between frames and take the next job by incrementing a counter, without a lock. */
#define _XOPEN_SOURCE 700 /* barriers, also with -std=c11 */
#include "frame.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { FRAMES = 20, WORKERS = 3 }; /* plus the calling thread */

typedef struct job_queue {
    const frame_state *state;
    const job *jobs;
    size_t count;
    atomic_size_t next;
    pthread_barrier_t begin, end; /* of a frame */
    bool closed;
} job_queue;

static void work(job_queue *queue)
{
    for (size_t i; (i = atomic_fetch_add(&queue->next, 1)) < queue->count;) {
        run_job(queue->state, queue->jobs[i]);
    }
}

static void *worker(void *argument)
{
    job_queue *queue = argument;
    for (;;) {
        pthread_barrier_wait(&queue->begin);
        if (queue->closed) {
            return NULL;
        }
        work(queue);
        pthread_barrier_wait(&queue->end);
    }
}

static void run_frame(job_queue *queue)
{
    atomic_store(&queue->next, 0);
    pthread_barrier_wait(&queue->begin);
    work(queue);
    pthread_barrier_wait(&queue->end); /* now all threads see all results */
}

int main(void)
{
    frame_state state = make_state();
    job jobs[JOBS_MAX];
    job_queue queue = {.state = &state, .jobs = jobs, .count = make_jobs(jobs)};
    pthread_barrier_init(&queue.begin, NULL, WORKERS + 1);
    pthread_barrier_init(&queue.end, NULL, WORKERS + 1);
    pthread_t workers[WORKERS];
    for (int i = 0; i < WORKERS; i++) {
        if (pthread_create(&workers[i], NULL, worker, &queue) != 0) {
            return 1;
        }
    }
    for (int frame = 0; frame < FRAMES; frame++) {
        run_frame(&queue);
    }
    queue.closed = true;
    pthread_barrier_wait(&queue.begin);
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(workers[i], NULL);
    }
    const int same = check(&state, FRAMES);
    free(state.memory);
    return same ? 0 : 1;
}
