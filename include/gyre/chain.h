/* Chains of spring bones: tails, hair, ears and cloaks. Part of Gyre: see gyre.h for what holds for all functions,
   chains.md for a guide, and chains-reference.md for accuracy, limits, costs and edge cases.

   A bone turns about its head, where its parent's tail is. A force pulls its tail: stiffness towards the rest
   direction, gravity, wind, and drag against the motion of the head. The force's direction is the target and its size
   the frequency of a damped motion in closed form. So no time step is too long, and a tail moves alike at every frame
   rate.

   Units  u is the unit of lengths. Quaternions are x y z w, and rotations are in the world unless stated otherwise.
   Error  The largest of one call. eps is 2^-24, half an ulp of 1. */
#ifndef GYRE_CHAIN_H
#define GYRE_CHAIN_H

#include "spring.h"
#include "status.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One bone of a model. A bone with a value outside its range becomes NaN, and so do those below it. */
typedef struct gyre_bone {
    float rest[4];      /* its rotation in its parent's frame when nothing pulls */
    float tail[3];      /* u, where its tail is, in its own frame; 0: rigid with its parent */
    float radius;       /* u, of the tail, for colliders; >= 0 */
    float stiffness;    /* 1/s^2, the square of the angular frequency of the unloaded bone; >= 0 */
    float damping;      /* 1/s, twice the damping ratio times the angular frequency; >= 0 */
    float drag;         /* 1/s, 0 to damping: the part of it that is against the air; the rest is against the parent */
    float load_damping; /* s, further damping for each 1/s^2 that gravity, wind and speed add to the stiffness; >= 0 */
    float gravity;      /* factor of the chain's gravity */
    float limit;        /* rad, greatest angle from the rest direction; 0, or half a turn and more: none */
    float hinge[3];     /* axis in the bone's frame, of any length; its part along the tail does not count; 0: none */
    float unused[3];    /* not read */
} gyre_bone;

/* Makes a bone follow a spring: stiffness w^2, damping 2 z w, drag (1 - follow) 2 z w, load_damping 0.
   Other members of *bone are kept.

   spring  of any gyre_spring_from_ function

   Error   1 ulp of each member
   Cost    some nanoseconds */
GYRE_API gyre_status gyre_bone_from_spring(gyre_spring spring, gyre_bone *bone);

/* Makes a bone that moves like one of VRM (VRMC_springBone 1.0) that is stepped `rate` times a second.
   Writes stiffness, damping, drag, load_damping and gravity, and keeps the other members of *bone. Without stiffness
   and gravity the bone is free.

   stiffness      VRM's, at least 0
   drag_force     VRM's, 0 to 1
   gravity_power  VRM's, at least 0; the chain's gravity is then VRM's gravityDir
   length         u, of the bone, above 0
   rate           1/s, above 0; VRM's bones are made for 60

   Error          2 ulp of each member
   Cost           some hundred nanoseconds */
GYRE_API gyre_status gyre_bone_from_vrm(float stiffness, float drag_force, float gravity_power, float length,
                                        float rate, gyre_bone *bone);

typedef enum gyre_collider_kind {
    GYRE_COLLIDER_SPHERE,
    GYRE_COLLIDER_CAPSULE,
    GYRE_COLLIDER_PLANE,
    GYRE_COLLIDER_INSIDE_SPHERE, /* tails stay within it */
    GYRE_COLLIDER_INSIDE_CAPSULE
} gyre_collider_kind;

/* Colliders of one kind, one for each chain. A chain whose collider has a NaN or an infinity has none. */
typedef struct gyre_chain_collider {
    gyre_collider_kind kind;
    const float *position[3]; /* u, of chains: the centre, the first end, or a point of the plane */
    const float *end[3]; /* u, of chains: the second end of a capsule; the plane's normal, unit, to the free side */
    const float *radius; /* u, of chains; negative: this chain has none. Not of planes */
} gyre_chain_collider;

/* Chains of bones. Arrays are "of chains", with an element for each chain, or "of bones": first the bones of level 0 of
   all chains, then those of level 1, and so on. The first pointer of a group decides for it. */
typedef struct gyre_bone_chains {
    size_t count;              /* chains, sorted by their number of bones, longest first */
    size_t levels;             /* bones of the longest */
    const size_t *level_begin; /* levels + 1: chain c's bone of level l is level_begin[l] + c, for all c below
                                  level_begin[l + 1] - level_begin[l], which never grows */
    float *orientation[4];     /* of bones, in and out; with the sign of parent times rest */
    float *velocity[3];        /* u/s, of bones, in and out: of the tail, in the world */
    float *tail[3];            /* NULL, or u, of bones, out: where tails are */
    float *local[4];           /* NULL, or of bones, out: the rotation in the parent's frame, as skeletons take it */
    const gyre_bone *bones;    /* palette */
    size_t bone_count;         /* of the palette */
    const uint16_t *bone;      /* of bones: the entry of each; NULL: level l has entry l, as in a crowd of one model */
    const float *rest[4];      /* NULL, or of bones: in place of the palette's, for animated poses */
    const float *scale;        /* NULL (1), or of chains: of tails and of bones' radii; 0: rigid */
    const float *position[3];  /* u, of chains: the head of the first bone */
    const float *parent[4];    /* of chains: the orientation of what the first bone hangs on */
    const float *position_before[3];      /* u, when the step began; NULL: the same */
    const float *parent_before[4];        /* when the step began; NULL: the same */
    const float *gravity[3];              /* NULL (0), or u/s^2, of chains */
    const float *wind[3];                 /* NULL (0), or u/s, of chains: it pulls as far as drag goes */
    const gyre_chain_collider *colliders; /* applied in order */
    size_t collider_count;
    float rest_angle; /* rad, from the direction in which a bone would rest, and */
    float rest_speed; /* u/s, against its head: a chain within both, whose root stood still, stops; either 0: never */
    uint8_t *awake;   /* NULL, or of chains, out (with skip_asleep in and out): 0 where nothing changed within the
                         limits, else 1 */
    bool skip_asleep; /* chains whose awake is 0 keep every bit, and have no outputs: write awake = 1 when their root,
                         colliders, bones or forces change */
} gyre_bone_chains;

/* Advances chains of bones by one time step.
   A steadily moving chain is exact at every rate. No tail ends within a collider or beyond a limit. dt_s 0 writes
   `tail` and `local`, and nothing else.

   chains   arrays must not overlap. Quaternions are normalised first; a length not between 2^-30 and 2^30 makes a bone
            NaN until it is reset. A bone that is NaN makes those below it NaN
   begin    the first chain; ranges are of chains
   dt_s     s, at least 0

   Returns  GYRE_INCOMPLETE if a bone's entry is outside the palette: it and those below it become NaN.
            GYRE_ERROR_VALUE also for levels that grow and for an unknown kind of collider
   Error    4e-6 rad of an orientation, where no limit or collider acts (chains-reference.md)
   Cost     20 ns per bone with 8 lanes, and 1.5 ns per collider. At most 12 KiB of stack */
GYRE_API gyre_status gyre_bone_chains_step(const gyre_bone_chains *chains, size_t begin, size_t end, float dt_s);

/* Puts each bone where it rests, for first frames and jumps of the root.
   Where the root moves, bones rest as if it moved on like this, and have its velocity. Limits and colliders hold. Old
   states are not read, skip_asleep is ignored, and awake becomes 1.

   chains   as in gyre_bone_chains_step
   dt_s     s, in which the root went from position_before to position; 0: `before` is not read, and the root stands
   still

   Returns  GYRE_INCOMPLETE and GYRE_ERROR_VALUE as gyre_bone_chains_step
   Cost     about that of a step. At most 12 KiB of stack */
GYRE_API gyre_status gyre_bone_chains_reset(const gyre_bone_chains *chains, size_t begin, size_t end, float dt_s);

#ifdef __cplusplus
}
#endif

#endif
