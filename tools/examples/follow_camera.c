/* A camera that follows a runner: three springs for its position, whose targets move, and a spring on rotations that
   looks at the runner. Its motion does not depend on the frame rate.

       cc -O2 follow_camera.c -o follow_camera $(pkg-config --cflags --libs gyre) -lm */
#include <gyre/gyre.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { X, Y, Z };

typedef struct camera {
    float position[3], velocity[3], orientation[4], angular_velocity[3];
    float target[3], look[4]; /* where it should be and how it should be turned */
} camera;

static const float speed = 6; /* of the runner, m/s, along z */

/* Two metres above the runner and five behind. */
static void find_target(float runner_z, float target[3])
{
    target[X] = 0;
    target[Y] = 2;
    target[Z] = runner_z - 5;
}

/* Turns z to the runner, about x: the camera is never beside him. */
static void find_look(const float position[3], float runner_z, float look[4])
{
    const float pitch = atan2f(position[Y], runner_z - position[Z]);
    look[X] = sinf(pitch / 2);
    look[Y] = look[Z] = 0;
    look[3] = cosf(pitch / 2);
}

static void step(camera *c, float runner_z, const gyre_spring_matrix *move, const gyre_spring_matrix *turn, float dt_s)
{
    float target_before[3], look_before[4];
    memcpy(target_before, c->target, sizeof target_before);
    memcpy(look_before, c->look, sizeof look_before);

    find_target(runner_z, c->target);
    const gyre_springs springs = {.count = 3,
                                  .position = c->position,
                                  .velocity = c->velocity,
                                  .target = c->target,
                                  .target_before = target_before};
    gyre_springs_step(&springs, 0, 3, move);

    find_look(c->position, runner_z, c->look);
    const gyre_orientation_springs head = {
        .count = 1,
        .orientation = {&c->orientation[0], &c->orientation[1], &c->orientation[2], &c->orientation[3]},
        .angular_velocity = {&c->angular_velocity[0], &c->angular_velocity[1], &c->angular_velocity[2]},
        .target = {&c->look[0], &c->look[1], &c->look[2], &c->look[3]},
        .target_before = {&look_before[0], &look_before[1], &look_before[2], &look_before[3]},
    };
    gyre_orientation_springs_step(&head, 0, 1, turn, dt_s);
}

/* The runner starts at once and runs for four seconds; stores the camera after half a second and at the end. */
static void run(int rate, gyre_spring spring, camera *early, camera *late)
{
    const float dt_s = 1 / (float)rate;
    gyre_spring quick;
    gyre_spring_matrix move, turn;
    gyre_spring_from_half_life(0.05f, 1, &quick);
    gyre_spring_matrix_at(spring, dt_s, &move);
    gyre_spring_matrix_at(quick, dt_s, &turn);
    camera c = {.velocity = {0}};
    *early = c;
    find_target(0, c.target);
    memcpy(c.position, c.target, sizeof c.position);
    find_look(c.position, 0, c.look);
    memcpy(c.orientation, c.look, sizeof c.orientation);
    for (int n = 1; n <= 4 * rate; n++) {
        step(&c, speed * (float)n * dt_s, &move, &turn, dt_s);
        if (n == rate / 2) {
            *early = c;
        }
    }
    *late = c;
}

int main(void)
{
    gyre_spring spring;
    gyre_spring_from_half_life(0.2f, 1, &spring);
    spring.follow = 0.5f; /* half the lag of a spring whose damping is relative to the world */
    const float lag = (1 - spring.follow) * 2 * spring.damping_ratio / spring.angular_frequency * speed;
    const int rates[] = {30, 60, 144};
    bool good = true;
    camera first = {.velocity = {0}};
    for (int i = 0; i < 3; i++) {
        camera early, late;
        run(rates[i], spring, &early, &late);
        first = i == 0 ? early : first;
        const float behind = late.target[Z] - late.position[Z];
        printf("%3d Hz: after 0.5 s at %.3f m; after 4 s %.3f m behind its place, pitch %.2f degrees\n", rates[i],
               (double)early.position[Z], (double)behind,
               (double)(2 * atan2f(late.orientation[X], late.orientation[3]) * 57.29578f));
        good = good && fabsf(behind - lag) < 1e-3f && fabsf(early.position[Z] - first.position[Z]) < 1e-4f &&
               fabsf(late.orientation[X] - late.look[X]) < 1e-3f &&
               fabsf(early.orientation[X] - first.orientation[X]) < 1e-3f;
    }
    return good ? 0 : 1;
}
