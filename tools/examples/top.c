/* Tops that precess under gravity: a torque that depends on the attitude. It is evaluated at both ends of a step.

       cc -O2 top.c -o top $(pkg-config --cflags --libs gyre) -lm */
#include <gyre/gyre.h>

#include <math.h>
#include <stdio.h>

enum { TOPS = 64 };

static const float weight = 9.81f; /* N m, of a kilogram one metre from the tip */

static float orientation[4][TOPS], momentum[3][TOPS], inertia[3][TOPS], torque[3][TOPS];

/* The third column of the matrix of the orientation: the top's axis. */
static void axis_of(size_t i, float axis[3])
{
    const float x = orientation[0][i], y = orientation[1][i], z = orientation[2][i], w = orientation[3][i];
    axis[0] = 2 * (x * z + w * y);
    axis[1] = 2 * (y * z - w * x);
    axis[2] = 1 - 2 * (x * x + y * y);
}

/* axis x (0, 0, -weight) */
static void find_torques(void)
{
    for (size_t i = 0; i < TOPS; i++) {
        float axis[3];
        axis_of(i, axis);
        torque[0][i] = -axis[1] * weight;
        torque[1][i] = axis[0] * weight;
    }
}

static gyre_status step(const gyre_bodies *tops, float dt_s)
{
    gyre_bodies drifting = *tops;
    drifting.torque[0] = NULL;
    find_torques();
    const gyre_status before = gyre_bodies_kick(tops, 0, TOPS, dt_s / 2);
    const gyre_status drift = gyre_bodies_step(&drifting, 0, TOPS, dt_s, NULL, NULL);
    find_torques();
    const gyre_status after = gyre_bodies_kick(tops, 0, TOPS, dt_s / 2);
    return before != GYRE_OK ? before : drift != GYRE_OK ? drift : after;
}

static void find_energies(const gyre_bodies *tops, float energy[TOPS])
{
    gyre_bodies_energy(tops, 0, TOPS, energy);
    for (size_t i = 0; i < TOPS; i++) {
        float axis[3];
        axis_of(i, axis);
        energy[i] += weight * axis[2];
    }
}

int main(void)
{
    gyre_bodies tops = {.count = TOPS};
    for (int k = 0; k < 4; k++) {
        tops.orientation[k] = orientation[k];
    }
    for (int k = 0; k < 3; k++) {
        tops.momentum[k] = momentum[k];
        tops.inertia[k] = inertia[k];
        tops.torque[k] = torque[k];
    }
    float omega[3][TOPS];
    for (size_t i = 0; i < TOPS; i++) {
        const float lean = 0.1f + 0.01f * (float)i;
        orientation[0][i] = sinf(lean / 2);
        orientation[3][i] = cosf(lean / 2);
        inertia[0][i] = inertia[1][i] = 1;
        inertia[2][i] = 0.5f;
        float axis[3];
        axis_of(i, axis);
        for (int k = 0; k < 3; k++) {
            omega[k][i] = 10 * axis[k]; /* rad/s */
        }
    }
    float *const spins[3] = {omega[0], omega[1], omega[2]};
    gyre_bodies_set_angular_velocity(&tops, 0, TOPS, spins);

    float start[TOPS], end[TOPS], worst = 0;
    find_energies(&tops, start);
    for (int n = 0; n < 240; n++) { /* two seconds */
        if (step(&tops, 1 / 120.0f) != GYRE_OK) {
            return 1;
        }
    }
    find_energies(&tops, end);
    for (size_t i = 0; i < TOPS; i++) {
        worst = fmaxf(worst, fabsf(end[i] / start[i] - 1));
    }
    printf("after two seconds the energy is %.1e off\n", (double)worst);
    return worst < 1e-4f ? 0 : 1;
}
