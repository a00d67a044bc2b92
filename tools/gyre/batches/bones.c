#include "batches/bones.h"

#include "batches/limits.h"
#include "input/forms.h"
#include "scene/attitude.h"

#include <math.h>
#include <string.h>

enum { MOST_BONES = UINT16_MAX + 1 };

static void read_numbers(const struct node *where, float out[], size_t count)
{
    const size_t length = array_length(where);
    if (length != count) {
        bad(where, "has %zu numbers, expected %zu", length, count);
    }
    for (size_t i = 0; i < count; i++) {
        struct node item = element(where, i);
        out[i] = (float)number(&item);
    }
}

static struct vector vector_of(const float v[3]) { return (struct vector){(double)v[0], (double)v[1], (double)v[2]}; }

static float number_or(const struct node *where, const char *key, double least, float otherwise)
{
    struct node stated = member(where, key);
    return stated.value != NULL ? (float)number_from(&stated, least) : otherwise;
}

/* All else that the library could refuse has been checked. */
static void expect_motion(const struct node *where, gyre_status status)
{
    if (status != GYRE_OK) {
        bad(where, "gives a stiffness or a damping that does not fit in a float");
    }
}

static void read_vrm(const struct node *vrm, const struct node *tail, gyre_bone *bone)
{
    static const char *const keys[] = {"stiffness", "drag_force", "gravity_power", "rate", NULL};
    only_keys(vrm, keys);
    struct node stiffness = member(vrm, "stiffness"), drag = member(vrm, "drag_force"), rate = member(vrm, "rate");
    const double length = vector_length(vector_of(bone->tail)), stated = number_from(&stiffness, 0);
    number(&drag); /* it is required */
    if (!((float)length > 0)) {
        bad(tail, "has no length, expected one for vrm");
    }
    expect_motion(vrm,
                  gyre_bone_from_vrm((float)stated, part_read(vrm, "drag_force"), number_or(vrm, "gravity_power", 0, 0),
                                     (float)length, rate.value != NULL ? (float)number_above(&rate, 0) : 60, bone));
}

static void read_rates(const struct node *where, gyre_bone *bone)
{
    struct node stiffness = member(where, "stiffness"), damping = member(where, "damping"),
                drag = member(where, "drag");
    bone->stiffness = (float)number_from(&stiffness, 0);
    bone->damping = (float)number_from(&damping, 0);
    bone->drag = number_or(where, "drag", 0, 0);
    bone->load_damping = number_or(where, "load_damping", 0, 0);
    if (bone->drag > bone->damping) {
        bad(&drag, "is %g, expected up to the damping of %g", (double)bone->drag, (double)bone->damping);
    }
}

/* How a bone moves: by the numbers of VRM, by a spring, or by its own. */
static void read_motion(const struct node *where, const struct node *tail, gyre_bone *bone)
{
    static const char *const own[] = {"damping", "drag", "load_damping", NULL};
    struct node vrm = member(where, "vrm"), spring = member(where, "spring"), stiffness = member(where, "stiffness");
    struct node gravity = member(where, "gravity"), follow = member(where, "follow");
    if ((vrm.value != NULL) + (spring.value != NULL) + (stiffness.value != NULL) != 1) {
        bad(where, "expected exactly one of vrm, spring and stiffness");
    }
    for (size_t i = 0; own[i] != NULL && stiffness.value == NULL; i++) {
        struct node stated = member(where, own[i]);
        if (stated.value != NULL) {
            bad(&stated, "requires stiffness, which is missing");
        }
    }
    if (follow.value != NULL && spring.value == NULL) {
        bad(&follow, "requires spring, which is missing");
    }
    if (gravity.value != NULL && vrm.value != NULL) {
        bad(&gravity, "cannot be combined with vrm, which has gravity_power");
    }
    bone->gravity = gravity.value != NULL ? (float)number(&gravity) : 1;
    if (vrm.value != NULL) {
        read_vrm(&vrm, tail, bone);
    } else if (spring.value != NULL) {
        gyre_spring made = form_read_spring(&spring);
        made.follow = part_read(where, "follow");
        expect_motion(&spring, gyre_bone_from_spring(made, bone));
    } else {
        read_rates(where, bone);
    }
}

static void read_hinge(const struct node *where, gyre_bone *bone)
{
    struct node stated = member(where, "hinge");
    if (stated.value == NULL) {
        return;
    }
    read_numbers(&stated, bone->hinge, 3);
    const struct vector hinge = vector_of(bone->hinge), tail = vector_of(bone->tail);
    const double across = vector_length(vector_cross(hinge, tail));
    if (!(across > 1e-5 * vector_length(hinge) * vector_length(tail))) {
        bad(&stated, "is 0 or along the tail, expected an axis across it");
    }
}

static void read_rest(const struct node *rest, gyre_bone *bone)
{
    if (rest->value == NULL) {
        return;
    }
    read_numbers(rest, bone->rest, 4);
    const float *q = bone->rest;
    struct attitude turn = {(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
    if (!attitude_normalise(&turn)) {
        bad(rest, "is 0, expected a quaternion x, y, z, w of nonzero length");
    }
    memcpy(bone->rest, (float[]){(float)turn.x, (float)turn.y, (float)turn.z, (float)turn.w}, sizeof bone->rest);
}

static gyre_bone bone_read(const struct node *where)
{
    static const char *const keys[] = {"rest",    "tail", "radius",       "vrm",     "spring", "follow", "stiffness",
                                       "damping", "drag", "load_damping", "gravity", "limit",  "hinge",  NULL};
    only_keys(where, keys);
    struct node rest = member(where, "rest"), tail = member(where, "tail");
    gyre_bone bone = {.rest = {0, 0, 0, 1}};
    read_rest(&rest, &bone);
    read_numbers(&tail, bone.tail, 3);
    read_motion(where, &tail, &bone);
    bone.radius = number_or(where, "radius", 0, 0);
    bone.limit = number_or(where, "limit", 0, 0);
    read_hinge(where, &bone);
    return bone;
}

gyre_bone *bones_read(const struct node *list, size_t *count)
{
    *count = array_length(list);
    if (*count < 1 || *count > MOST_BONES) {
        bad(list, "has %zu bones, expected 1 to %d", *count, MOST_BONES);
    }
    gyre_bone *bones = allocate(*count, sizeof *bones);
    for (size_t i = 0; i < *count; i++) {
        struct node item = element(list, i);
        bones[i] = bone_read(&item);
    }
    return bones;
}
