/* Physics with a fixed time step, and frames whenever the screen is ready: the drawn state is between the last two
   states. However long frames take, the steps give the same bits.

       cc -O2 fixed_step.c -o fixed_step $(pkg-config --cflags --libs gyre) -lm */
#include <gyre/gyre.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COUNT = 256 };

static const float step_s = 1 / 50.0f;

typedef struct world {
    float position[COUNT], velocity[COUNT], target[COUNT];
    float before[COUNT]; /* the positions one step ago */
    gyre_spring_matrix matrix;
    float pending_s; /* time that has passed since the last step */
} world;

static gyre_springs springs_of(world *w)
{
    return (gyre_springs){.count = COUNT, .position = w->position, .velocity = w->velocity, .target = w->target};
}

static world make_world(gyre_spring spring)
{
    world w = {.pending_s = 0};
    gyre_spring_matrix_at(spring, step_s, &w.matrix);
    for (int i = 0; i < COUNT; i++) {
        w.target[i] = w.before[i] = w.position[i] = (float)i;
        w.velocity[i] = 100;
    }
    return w;
}

/* A frame that took frame_s. Fills `drawn` with the positions to draw. Returns the number of steps made. */
static int frame(world *w, float frame_s, float drawn[COUNT])
{
    const gyre_springs springs = springs_of(w);
    int steps = 0;
    w->pending_s += frame_s;
    while (w->pending_s >= step_s) {
        memcpy(w->before, w->position, sizeof w->before);
        gyre_springs_step(&springs, 0, COUNT, &w->matrix);
        w->pending_s -= step_s;
        steps++;
    }
    gyre_interpolate(w->before, w->position, w->pending_s / step_s, drawn, 0, COUNT);
    return steps;
}

int main(void)
{
    const gyre_spring spring = {12, 0.3f, 0};
    world uneven = make_world(spring), even = make_world(spring), start = make_world(spring);
    float drawn[COUNT], worst = 0;
    int steps = 0, frames = 0;
    for (; steps < 100; frames++) {
        steps += frame(&uneven, frames % 7 == 3 ? 0.031f : 0.0069f, drawn); /* 144 Hz, with some late frames */

        /* the drawn motion is one step late */
        float exact[COUNT], exact_velocity[COUNT], elapsed[COUNT];
        for (int i = 0; i < COUNT; i++) {
            elapsed[i] = (float)(steps - 1) * step_s + uneven.pending_s;
        }
        const gyre_springs from = springs_of(&start);
        gyre_springs_at(&from, 0, COUNT, spring, elapsed, exact, exact_velocity);
        for (int i = 0; i < COUNT && steps > 0; i++) {
            worst = fmaxf(worst, fabsf(drawn[i] - exact[i]));
        }
    }
    while (steps > 0) {
        steps -= frame(&even, step_s, drawn);
    }
    const int same = memcmp(even.position, uneven.position, sizeof even.position) == 0;
    printf("100 steps in %d frames: %s bits as one step a frame; drawn to %.2f\n", frames, same ? "the same" : "OTHER",
           (double)worst);
    /* a straight line between two states differs from an arc by h^2 / 8 of the largest acceleration, here 1,200 */
    return same && worst < 1200 * step_s * step_s / 8 ? 0 : 1;
}
