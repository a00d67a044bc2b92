/* Chains of spring bones: tails, hair, ears and cloaks. Part of Gyre: see gyre.h for what holds for all functions,
   chains.md for the members of a bone, and chains-reference.md for checks and edge cases. Bones turn about their heads,
   where parents' tails are. u is the unit of lengths; rotations are quaternions x y z w, in the world. */
#ifndef GYRE_CHAIN_H
#define GYRE_CHAIN_H

#include "spring.h"
#include "status.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One bone of a model. A value outside its range makes the bone NaN, and those below it. */
typedef struct gyre_bone {
    float rest[4], tail[3];   /* in the parent's frame, when nothing pulls; u, in the bone's own, 0: it is rigid */
    float radius;             /* u, of the tail, for colliders; >= 0 */
    float stiffness, damping; /* 1/s^2 and 1/s: w^2 and 2 z w of a spring, without load; >= 0 */
    float drag;               /* 1/s, 0 to damping: the part of it that is against the air and not the parent */
    float load_damping;    /* s, further damping for each 1/s^2 that gravity, wind and speed add to stiffness; >= 0 */
    float gravity;         /* factor of the chain's gravity */
    float limit, hinge[3]; /* rad, from the rest direction; in the bone's frame, across the tail; 0: none */
    float unused[3];
} gyre_bone;

/* Makes a bone follow a spring. Writes stiffness w^2, damping 2 z w, drag (1 - follow) 2 z w and load_damping 0.

   Error  1 ulp of each member
   Cost   some nanoseconds */
GYRE_API gyre_status gyre_bone_from_spring(gyre_spring spring, gyre_bone *bone);

/* Makes a bone move like one of VRM (VRMC_springBone 1.0) that is stepped `rate` times a second, in VRM 60.
   Writes stiffness to gravity; the chain's gravity is then VRM's gravityDir. `length` is the bone's, u.

   Error  2 ulp of each member
   Cost   some hundred nanoseconds */
GYRE_API gyre_status gyre_bone_from_vrm(float stiffness, float drag_force, float gravity_power, float length,
                                        float rate, gyre_bone *bone);

typedef enum gyre_collider_kind {
    GYRE_COLLIDER_SPHERE,
    GYRE_COLLIDER_CAPSULE,
    GYRE_COLLIDER_PLANE,
    GYRE_COLLIDER_INSIDE_SPHERE,
    GYRE_COLLIDER_INSIDE_CAPSULE
} gyre_collider_kind;

/* Colliders of one kind, one for each chain, in u, which tails stay outside or inside of. */
typedef struct gyre_chain_collider {
    gyre_collider_kind kind;
    const float *position[3]; /* the centre, the first end, or a point of the plane */
    const float *end[3];      /* the second end of a capsule; the plane's unit normal, to the free side */
    const float *radius;      /* not of planes; negative, NaN or infinite: this chain has none */
} gyre_chain_collider;

/* Chains of bones. Arrays have an element for each bone, from `scale` on for each chain. The first pointer of a group
   decides for it; those that may be NULL say so. Arrays must not overlap. */
typedef struct gyre_bone_chains {
    size_t count, levels;      /* chains, those with most bones first, and bones of the longest */
    const size_t *level_begin; /* levels + 1: chain c's bone of level l, if it has one, is level_begin[l] + c */
    float *orientation[4], *velocity[3]; /* in and out; u/s, of tails, in the world */
    float *tail[3], *local[4]; /* NULL, or out: u, where tails are; rotations in parents' frames, for skeletons */
    const gyre_bone *bones;
    size_t bone_count;
    const uint16_t *bone;                               /* the entry in `bones`; NULL: level l has entry l */
    const float *rest[4];                               /* NULL, or in place of the entry's, for animated poses */
    const float *scale;                                 /* NULL (1), or of tails and of bones' radii; >= 0 */
    const float *position[3], *parent[4];               /* u, the first head, and the orientation that it hangs on */
    const float *position_before[3], *parent_before[4]; /* when the step began; NULL: the same */
    const float *gravity[3], *wind[3]; /* NULL (0), or u/s^2, and u/s, which pulls as far as drag goes */
    const gyre_chain_collider *colliders;
    size_t collider_count;
    float rest_angle, rest_speed; /* rad and u/s: a chain within both falls asleep (chains-reference.md); 0: never */
    uint8_t *awake;   /* NULL, or out: 0 where a chain sleeps and kept every bit, else 1; in with skip_asleep */
    bool skip_asleep; /* chains with awake 0 are left out: write 1 where roots, colliders, bones or forces change */
} gyre_bone_chains;

/* Advances chains of bones by one time step of dt_s seconds, at least 0 and never too long.
   No tail ends within a collider or beyond a limit. A dt_s of 0 writes `tail` and `local`, and nothing else. Returns
   GYRE_INCOMPLETE if an entry is outside the palette.

   Error  4e-6 rad of an orientation, where no limit or collider acts
   Cost   17 ns per bone with 8 lanes, and 1.5 ns per collider. At most 14 KiB of stack */
GYRE_API gyre_status gyre_bone_chains_step(const gyre_bone_chains *chains, size_t begin, size_t end, float dt_s);

/* Puts each bone where it rests, for first frames and jumps of the root.
   Roots move on as from position_before to position in dt_s seconds; 0: they stand. Old states and skip_asleep are not
   read. Returns GYRE_INCOMPLETE as above.

   Cost  about that of a step. At most 14 KiB of stack */
GYRE_API gyre_status gyre_bone_chains_reset(const gyre_bone_chains *chains, size_t begin, size_t end, float dt_s);

#ifdef __cplusplus
}
#endif

#endif
