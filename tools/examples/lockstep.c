/* Lockstep with rollback. Two machines simulate the same bodies and exchange only the players' inputs. The other
   player's inputs arrive late: a machine continues without them, keeps the states of the last frames, and when an input
   arrives goes back to its frame and steps again. A state is 28 bytes per body. The two machines run on different
   instruction sets, and hashes show that they agree.

       cc -O2 lockstep.c -o lockstep $(pkg-config --cflags --libs gyre) */
#include <gyre/gyre.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { BODIES = 200, FRAMES = 240, LATE = 6, KEPT = LATE + 1, PLAYERS = 2 };

typedef struct state {
    float orientation[4][BODIES], momentum[3][BODIES];
} state;

_Static_assert(sizeof(state) == 28 * BODIES, "28 bytes a body");

/* A player's input in a frame: a change to the momentum of one body, in kg m^2/s. */
typedef struct input {
    unsigned body; /* BODIES: none */
    float push[3];
} input;

typedef struct machine {
    const gyre_kernels *kernels;
    state now, kept[KEPT]; /* kept[n % KEPT] is the state before frame n */
    input inputs[FRAMES][PLAYERS];
    float inertia[3][BODIES];
} machine;

/* Any inputs are fine, as long as they depend only on player and frame. */
static input input_of(unsigned player, unsigned frame)
{
    const unsigned chosen = (frame * 2654435761u + player * 40503u) >> 8;
    if (chosen % 4 != 0) {
        return (input){.body = BODIES};
    }
    return (input){chosen / 4 % BODIES, {(float)(chosen % 7) - 3, (float)(chosen % 5) - 2, (float)(chosen % 3) - 1}};
}

static machine make_machine(const gyre_kernels *kernels)
{
    machine m = {.kernels = kernels};
    for (unsigned i = 0; i < BODIES; i++) {
        m.now.orientation[3][i] = 1;
        for (unsigned k = 0; k < 3; k++) {
            m.inertia[k][i] = 1 + (float)k / 2;
            m.now.momentum[k][i] = (float)((i + 3 * k) % 11) - 5;
        }
    }
    for (unsigned n = 0; n < FRAMES; n++) {
        m.inputs[n][0].body = m.inputs[n][1].body = BODIES;
    }
    return m;
}

static void step(machine *m, unsigned frame)
{
    state *s = &m->now;
    m->kept[frame % KEPT] = *s;
    for (unsigned player = 0; player < PLAYERS; player++) {
        const input *in = &m->inputs[frame][player];
        for (unsigned k = 0; k < 3 && in->body < BODIES; k++) {
            s->momentum[k][in->body] += in->push[k];
        }
    }
    const gyre_bodies bodies = {
        .count = BODIES,
        .orientation = {s->orientation[0], s->orientation[1], s->orientation[2], s->orientation[3]},
        .momentum = {s->momentum[0], s->momentum[1], s->momentum[2]},
        .inertia = {m->inertia[0], m->inertia[1], m->inertia[2]},
    };
    m->kernels->bodies_step(&bodies, 0, BODIES, 1 / 60.0f, NULL, NULL);
}

static uint64_t hash_of(const machine *m, state s)
{
    float *const arrays[] = {s.orientation[0], s.orientation[1], s.orientation[2], s.orientation[3],
                             s.momentum[0],    s.momentum[1],    s.momentum[2]};
    uint64_t hash;
    m->kernels->hash(arrays, 7, &hash, 0, BODIES);
    return hash;
}

/* A frame on the machine of `player`: its own input is known at once, the other's LATE frames later. */
static void play(machine *m, unsigned player, unsigned frame)
{
    m->inputs[frame][player] = input_of(player, frame);
    if (frame >= LATE) {
        const unsigned then = frame - LATE, other = 1 - player;
        m->inputs[then][other] = input_of(other, then);
        if (m->inputs[then][other].body < BODIES) {
            m->now = m->kept[then % KEPT];
            for (unsigned n = then; n < frame; n++) {
                step(m, n);
            }
        }
    }
    step(m, frame);
}

int main(void)
{
    static machine here, there;
    here = make_machine(gyre_kernels_best(GYRE_ROUNDING_PORTABLE));
    const gyre_kernels *scalar = gyre_kernels_for(GYRE_ISA_SCALAR, GYRE_ROUNDING_PORTABLE); /* NULL if left out */
    there = make_machine(scalar != NULL ? scalar : here.kernels);
    bool agree = true, parted = false;
    for (unsigned frame = 0; frame < FRAMES; frame++) {
        play(&here, 0, frame);
        play(&there, 1, frame);
        parted = parted || hash_of(&here, here.now) != hash_of(&there, there.now); /* before late inputs arrived */
        if (frame >= LATE) { /* both know all inputs of this frame */
            const unsigned known = (frame - LATE + 1) % KEPT;
            agree = agree && hash_of(&here, here.kept[known]) == hash_of(&there, there.kept[known]);
        }
    }
    printf("%s and %s, %d frames, inputs %d frames late: %s\n", gyre_isa_name(here.kernels->isa),
           gyre_isa_name(there.kernels->isa), FRAMES, LATE, agree ? "the same bits" : "OTHER BITS");
    return agree && parted ? 0 : 1;
}
