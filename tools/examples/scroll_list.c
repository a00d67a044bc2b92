/* Lists that scroll: one is flung and comes to rest on a row, one is flung against its end and springs back, and one is
   pulled beyond its top and released.

       cc -O2 scroll_list.c -o scroll_list $(pkg-config --cflags --libs gyre) -lm */
#include <gyre/gyre.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

enum { ON_A_ROW, AGAINST_THE_END, PULLED, LISTS };

static const float row = 48, end = 4200; /* pixels; 0 is the top */

/* Adjusts the speed of a finger at `from` so that the list ends on a row. */
static float speed_to_a_row(float from, float speed, float damping)
{
    float rests, wanted;
    gyre_damping_rest_position(from, speed, damping, &rests);
    gyre_damping_velocity_to_rest_at(from, row * roundf(rests / row), damping, &wanted);
    return wanted;
}

/* Scrolls until all lists are at rest; returns the time. */
static float scroll(float rate, float position[LISTS], float *furthest)
{
    const float lower[LISTS] = {0, 0, 0}, upper[LISTS] = {end, end, end};
    float velocity[LISTS] = {0};
    uint8_t awake[LISTS] = {1, 1, 1};
    gyre_flings lists = {
        .count = LISTS,
        .position = position,
        .velocity = velocity,
        .lower = lower,
        .upper = upper,
        .rest_distance = 0.25f, /* pixels */
        .rest_speed = 0.5f,     /* pixels a second */
        .awake = awake,
        .skip_asleep = true,
    };
    gyre_damping_from_retention(0.998f, 0.001f, &lists.damping); /* 0.998 of the speed is left after a millisecond */
    gyre_spring_from_response(0.5f, 1, &lists.spring);
    position[ON_A_ROW] = 1000;
    velocity[ON_A_ROW] = speed_to_a_row(1000, 1500, lists.damping);
    position[AGAINST_THE_END] = 3500;
    velocity[AGAINST_THE_END] = 3000;
    position[PULLED] = -120;

    int frames = 0;
    *furthest = 0;
    for (; awake[ON_A_ROW] || awake[AGAINST_THE_END] || awake[PULLED]; frames++) {
        gyre_flings_step(&lists, 0, LISTS, 1 / rate);
        *furthest = fmaxf(*furthest, position[AGAINST_THE_END]);
    }
    return (float)frames / rate;
}

int main(void)
{
    const float rates[] = {60, 120};
    bool good = true;
    for (int i = 0; i < 2; i++) {
        float position[LISTS], furthest;
        const float seconds = scroll(rates[i], position, &furthest);
        printf("at %g Hz, after %.1f s: on row %.2f; %.0f beyond the end, then %g; top %g\n", (double)rates[i],
               (double)seconds, (double)(position[ON_A_ROW] / row), (double)(furthest - end),
               (double)position[AGAINST_THE_END], (double)position[PULLED]);
        const float off_a_row = fabsf(position[ON_A_ROW] - row * roundf(position[ON_A_ROW] / row));
        good = good && off_a_row < 0.5f && furthest > end + 20 && position[AGAINST_THE_END] == end &&
               position[PULLED] == 0;
    }
    return good ? 0 : 1;
}
