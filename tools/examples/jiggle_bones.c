/* Tails of four bones that sway behind their animals: each bone is a spring on rotations whose target is its pose
   relative to its parent. All first bones are one batch, then all second ones, so a target is known both before and
   after the step.

       cc -O2 jiggle_bones.c -o jiggle_bones $(pkg-config --cflags --libs gyre) -lm */
#include <gyre/gyre.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { ANIMALS = 64, BONES = 4 };

typedef struct rotations {
    float q[4][ANIMALS];
} rotations;

typedef struct tails {
    rotations root, root_before, bone[BONES], bone_before[BONES];
    float angular_velocity[BONES][3][ANIMALS];
} tails;

static rotations about_z(float angle)
{
    rotations r = {{{0}}};
    for (int i = 0; i < ANIMALS; i++) {
        r.q[2][i] = sinf(angle / 2);
        r.q[3][i] = cosf(angle / 2);
    }
    return r;
}

static rotations product(rotations *a, rotations *b) /* first b, then a */
{
    rotations out;
    float *const as[4] = {a->q[0], a->q[1], a->q[2], a->q[3]}, *const bs[4] = {b->q[0], b->q[1], b->q[2], b->q[3]};
    float *const outs[4] = {out.q[0], out.q[1], out.q[2], out.q[3]};
    gyre_rotation_product(as, bs, outs, 0, ANIMALS);
    return out;
}

static void step_bone(tails *t, int bone, rotations *target, rotations *before, const gyre_spring_matrix *m, float dt_s)
{
    float(*const q)[ANIMALS] = t->bone[bone].q, (*const omega)[ANIMALS] = t->angular_velocity[bone];
    const gyre_orientation_springs springs = {
        .count = ANIMALS,
        .orientation = {q[0], q[1], q[2], q[3]},
        .angular_velocity = {omega[0], omega[1], omega[2]},
        .target = {target->q[0], target->q[1], target->q[2], target->q[3]},
        .target_before = {before->q[0], before->q[1], before->q[2], before->q[3]},
    };
    gyre_orientation_springs_step(&springs, 0, ANIMALS, m, dt_s);
}

/* The animals turn to `angle` in dt_s. */
static void step(tails *t, float angle, const gyre_spring_matrix *m, float dt_s)
{
    rotations pose = about_z(0.2f); /* of each bone relative to its parent, at rest */
    t->root_before = t->root;
    t->root = about_z(angle);
    memcpy(t->bone_before, t->bone, sizeof t->bone);
    for (int bone = 0; bone < BONES; bone++) {
        rotations *parent = bone == 0 ? &t->root : &t->bone[bone - 1];
        rotations *parent_before = bone == 0 ? &t->root_before : &t->bone_before[bone - 1];
        rotations target = product(parent, &pose), before = product(parent_before, &pose);
        step_bone(t, bone, &target, &before, m, dt_s);
    }
}

static float angle_of(const rotations *r) { return 2 * atan2f(r->q[2][0], r->q[3][0]); }

/* Turns the animals by 2 rad in half a second, waits for two seconds, and stores the angle of the last bone at both
   times. */
static void run(int rate, float angles[2])
{
    static tails t;
    memset(&t, 0, sizeof t);
    t.root = about_z(0);
    for (int bone = 0; bone < BONES; bone++) {
        t.bone[bone] = about_z(0.2f * (float)(bone + 1));
    }
    gyre_spring spring;
    gyre_spring_matrix matrix;
    gyre_spring_from_response(0.4f, 0.5f, &spring);
    gyre_spring_matrix_at(spring, 1 / (float)rate, &matrix);
    for (int n = 1; n <= rate / 2; n++) {
        step(&t, 4 * (float)n / (float)rate, &matrix, 1 / (float)rate);
    }
    angles[0] = angle_of(&t.bone[BONES - 1]);
    for (int n = 0; n < 2 * rate; n++) {
        step(&t, 2, &matrix, 1 / (float)rate);
    }
    angles[1] = angle_of(&t.bone[BONES - 1]);
}

int main(void)
{
    const int rates[] = {30, 60, 240};
    bool good = true;
    float first = 0;
    for (int i = 0; i < 3; i++) {
        float angles[2];
        run(rates[i], angles);
        first = i == 0 ? angles[0] : first;
        printf("%3d Hz: the last bone lags %.3f rad behind the turn, and comes to %.3f\n", rates[i],
               (double)(2.8f - angles[0]), (double)angles[1]);
        good = good && fabsf(angles[0] - first) < 0.02f && angles[0] < 2 && fabsf(angles[1] - 2.8f) < 0.02f;
    }
    return good ? 0 : 1;
}
