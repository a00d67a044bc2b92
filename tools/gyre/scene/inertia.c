#include "scene/inertia.h"

#include "input/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHAPE_SIZES = 3, TENSOR_ENTRIES = 6, TEXT_SIZE = 384 };

/* Principal moments about the centre of mass of a body with mass 1 and uniform density. The axis of cylinders and
   capsules is z; the height of a capsule is that of its cylinder, without the two hemispheres. */
static void box(const double size[], double moments[3])
{
    double x = size[0] * size[0], y = size[1] * size[1], z = size[2] * size[2];
    moments[0] = (y + z) / 12;
    moments[1] = (z + x) / 12;
    moments[2] = (x + y) / 12;
}

static void ellipsoid(const double radius[], double moments[3])
{
    double x = radius[0] * radius[0], y = radius[1] * radius[1], z = radius[2] * radius[2];
    moments[0] = (y + z) / 5;
    moments[1] = (z + x) / 5;
    moments[2] = (x + y) / 5;
}

static void sphere(const double radius[], double moments[3])
{
    moments[0] = moments[1] = moments[2] = 0.4 * radius[0] * radius[0];
}

static void cylinder(const double size[], double moments[3])
{
    double r = size[0], h = size[1];
    moments[0] = moments[1] = (3 * r * r + h * h) / 12;
    moments[2] = r * r / 2;
}

/* The centre of mass of a hemisphere is 3/8 of its radius from its flat side. */
static void capsule(const double size[], double moments[3])
{
    double r = size[0], h = size[1];
    double tube = h / (h + 4 * r / 3), ends = 1 - tube; /* fractions of the mass */
    moments[0] = moments[1] = tube * (3 * r * r + h * h) / 12 + ends * (0.4 * r * r + h * h / 4 + 3 * h * r / 8);
    moments[2] = tube * r * r / 2 + ends * 0.4 * r * r;
}

static const struct shape {
    const char *name;
    const char *sizes[SHAPE_SIZES + 1];
    void (*moments)(const double size[], double moments[3]);
} shapes[] = {
    {"box", {"x", "y", "z"}, box},
    {"ellipsoid", {"radius_x", "radius_y", "radius_z"}, ellipsoid},
    {"sphere", {"radius"}, sphere},
    {"cylinder", {"radius", "height"}, cylinder},
    {"capsule", {"radius", "height"}, capsule},
};

enum { SHAPE_COUNT = sizeof shapes / sizeof shapes[0] };

static void expect_positive(const struct node *where, const float values[], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!(values[i] > 0)) {
            bad(where, "is %g for body %zu, expected more than 0", (double)values[i], i);
        }
    }
}

static float *read_positive(const struct batch *batch, const struct node *where, const struct scene *scene)
{
    float *read = allocate(batch->count, sizeof(float));
    if (where->value == NULL) {
        bad(where, "is missing, expected a number or values");
    }
    values_read_into(where, read, batch->count, scene_stream(scene, batch, where->key, 0));
    expect_positive(where, read, batch->count);
    return read;
}

static const char *fault_of(gyre_inertia_kind kind)
{
    switch (kind) {
    case GYRE_INERTIA_NOT_FINITE: return "has a principal moment that is too large for a float: use larger units";
    case GYRE_INERTIA_NEGATIVE: return "has a negative principal moment: check signs and order, xx, yy, zz, xy, xz, yz";
    default:
        return "has a principal moment that is 0 to the precision of a float: give a rod some width, at least 1e-6 of "
               "the largest moment";
    }
}

/* Whether the tensor is not IMPOSSIBLE. If it is, writes by how much, and that many entries of the nearest possible
   one. Moments so small that floats have no possible tensor near them count as possible. */
static bool is_possible(const float tensor[TENSOR_ENTRIES], size_t entries, char problem[TEXT_SIZE])
{
    float nearest[TENSOR_ENTRIES], excess;
    gyre_inertia_kind kind;
    if (gyre_inertia_check(tensor, &kind) != GYRE_OK || kind != GYRE_INERTIA_IMPOSSIBLE ||
        gyre_inertia_nearest(tensor, nearest, &excess) != GYRE_OK) {
        return true;
    }
    int length = snprintf(problem, TEXT_SIZE,
                          "no mass has such an inertia: the largest moment exceeds the sum of the others by %.3g %% of "
                          "itself; check units and powers of ten, the nearest possible is ",
                          100 * (double)excess);
    for (size_t e = 0; e < entries; e++) {
        length +=
            snprintf(problem + length, TEXT_SIZE - (size_t)length, "%s%.9g", e > 0 ? ", " : "", (double)nearest[e]);
    }
    return false;
}

/* Ends the program if a tensor has no principal moments, and warns of those that no mass has. Of diagonal tensors
   there are three entries. */
static void check_tensors(const struct node *where, float *const columns[], size_t entries, size_t count)
{
    size_t impossible = 0;
    char first[TEXT_SIZE + 64], problem[TEXT_SIZE];
    for (size_t i = 0; i < count; i++) {
        float tensor[TENSOR_ENTRIES] = {0};
        gyre_inertia_kind kind;
        for (size_t e = 0; e < entries; e++) {
            tensor[e] = columns[e][i];
        }
        if (!is_possible(tensor, entries, problem)) {
            if (impossible++ == 0) {
                snprintf(first, sizeof first, "body %zu: %s", i, problem);
            }
        } else if (gyre_inertia_check(tensor, &kind) == GYRE_OK && kind != GYRE_INERTIA_FINE &&
                   kind != GYRE_INERTIA_IMPOSSIBLE) {
            bad(where, "body %zu %s", i, fault_of(kind));
        }
    }
    if (impossible > 1) {
        const size_t length = strlen(first);
        snprintf(first + length, sizeof first - length, "; the first of %zu such bodies", impossible);
    }
    if (impossible > 0) {
        warn_at(where, first);
    }
}

static void read_moments(const struct batch *batch, const struct node *where, const struct scene *scene,
                         float *const moments[3])
{
    values_read_vectors(where, 3, batch->count, scene_stream(scene, batch, "inertia", 0), moments);
    for (size_t axis = 0; axis < 3; axis++) {
        struct node item = element(where, axis);
        expect_positive(&item, moments[axis], batch->count);
    }
    check_tensors(where, moments, 3, batch->count);
}

static struct attitude *read_tensor(const struct batch *batch, const struct node *where, const struct scene *scene,
                                    float *const moments[3])
{
    struct attitude *axes = allocate(batch->count, sizeof *axes);
    float *entries[TENSOR_ENTRIES];
    allocate_each(entries, TENSOR_ENTRIES, batch->count);
    values_read_vectors(where, TENSOR_ENTRIES, batch->count, scene_stream(scene, batch, "tensor", 0), entries);
    check_tensors(where, entries, TENSOR_ENTRIES, batch->count);
    for (size_t i = 0; i < batch->count; i++) {
        float tensor[TENSOR_ENTRIES], principal[3], q[4];
        for (size_t e = 0; e < TENSOR_ENTRIES; e++) {
            tensor[e] = entries[e][i];
        }
        gyre_inertia_principal(tensor, principal, q);
        for (size_t axis = 0; axis < 3; axis++) {
            moments[axis][i] = principal[axis];
        }
        axes[i] = (struct attitude){(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
    }
    release_each(entries, TENSOR_ENTRIES);
    return axes;
}

static const struct shape *find_shape(const struct node *where)
{
    const char *keys[SHAPE_COUNT + 2] = {"mass"};
    const struct shape *found = NULL;
    size_t given = 0;
    char list[64] = "";
    for (size_t i = 0; i < SHAPE_COUNT; i++) {
        size_t length = strlen(list);
        const char *between = i == 0 ? "" : i + 1 < SHAPE_COUNT ? ", " : " or ";
        snprintf(list + length, sizeof list - length, "%s%s", between, shapes[i].name);
        keys[i + 1] = shapes[i].name;
    }
    only_keys(where, keys);
    for (size_t i = 0; i < SHAPE_COUNT; i++) {
        if (member(where, shapes[i].name).value != NULL) {
            found = &shapes[i];
            given++;
        }
    }
    if (given != 1) {
        bad(where, "expected mass and exactly one of %s", list);
    }
    return found;
}

static void read_shape(const struct batch *batch, const struct node *where, const struct scene *scene,
                       float *const moments[3])
{
    const struct shape *shape = find_shape(where);
    struct node stated_mass = member(where, "mass"), size = member(where, shape->name);
    float *mass = read_positive(batch, &stated_mass, scene), *sizes[SHAPE_SIZES] = {NULL};
    only_keys(&size, shape->sizes);
    for (size_t s = 0; shape->sizes[s] != NULL; s++) {
        struct node stated = member(&size, shape->sizes[s]);
        sizes[s] = read_positive(batch, &stated, scene);
    }
    for (size_t i = 0; i < batch->count; i++) {
        double own_sizes[SHAPE_SIZES] = {0}, own[3];
        for (size_t s = 0; shape->sizes[s] != NULL; s++) {
            own_sizes[s] = (double)sizes[s][i];
        }
        shape->moments(own_sizes, own);
        for (size_t axis = 0; axis < 3; axis++) {
            double moment = (double)mass[i] * own[axis];
            const char *fault = float_fault(moment);
            if (fault != NULL) {
                bad(where, "gives a moment of %g for body %zu, which %s", moment, i, fault);
            }
            moments[axis][i] = (float)moment;
        }
    }
    release(mass);
    release_each(sizes, SHAPE_SIZES);
}

void inertia_read(const struct batch *batch, const struct node *where, const struct scene *scene,
                  float *const moments[3], struct attitude **axes)
{
    struct node stated = member(where, "inertia"), tensor = member(where, "tensor"), shape = member(where, "shape");
    if ((stated.value != NULL) + (tensor.value != NULL) + (shape.value != NULL) != 1) {
        bad(where, "expected exactly one of inertia, tensor and shape");
    }
    *axes = NULL;
    if (stated.value != NULL) {
        read_moments(batch, &stated, scene, moments);
    } else if (tensor.value != NULL) {
        *axes = read_tensor(batch, &tensor, scene, moments);
    } else {
        read_shape(batch, &shape, scene, moments);
    }
}
