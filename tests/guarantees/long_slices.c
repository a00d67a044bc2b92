/* Loops over long ranges first process the elements before a cache line. So a long range must give the same bits as
   short pieces wherever it begins in memory, and touch nothing outside it. */
#include "support/batch.h"

#include <string.h>

enum { ARRAYS = 15, LENGTH_OF_ALL = 5000, PIECE = 100, PLACES = 17 };

typedef float *const arrays[ARRAYS];
typedef gyre_status kernel(const gyre_kernels *table, arrays a, size_t begin, size_t end);

static uint16_t which[LENGTH_OF_ALL];
static float structures[5 * LENGTH_OF_ALL];

static gyre_status step(step_kind kind, const gyre_kernels *table, arrays a, size_t begin, size_t end)
{
    step_arguments how = {.spring = {7, 0.3f}, .dt = 0.02f, .which = which, .parameter = {a[3], a[4]}, .kind = kind};
    for (size_t k = 0; k < STEP_PALETTE_COUNT; k++) {
        const float w = (float)(k + 1);
        check_status(table->spring_matrix_at((gyre_spring){w, 0.2f}, 0.02f, &how.palette[k]), GYRE_OK);
    }
    const gyre_springs springs = {.count = LENGTH_OF_ALL, .position = a[0], .velocity = a[1], .target = a[2]};
    return step_batch(table, &how, &springs, begin, end);
}

#define STEP(name, kind)                                                                                               \
    static gyre_status name(const gyre_kernels *table, arrays a, size_t begin, size_t end)                             \
    {                                                                                                                  \
        return step(kind, table, a, begin, end);                                                                       \
    }
STEP(springs_step, STEP_SHARED)
STEP(springs_step_palette, STEP_PALETTE)
STEP(springs_step_each, STEP_EACH)
STEP(springs_at, STEP_AT)
STEP(particles_step, STEP_PARTICLES)
STEP(particles_step_each, STEP_PARTICLES_EACH)

#define IN_PLACE(name)                                                                                                 \
    static gyre_status name(const gyre_kernels *table, arrays a, size_t begin, size_t end)                             \
    {                                                                                                                  \
        return table->name(a[0] + begin, a[0] + begin, end - begin);                                                   \
    }
IN_PLACE(math_exp)
IN_PLACE(math_expm1)
IN_PLACE(math_log)
IN_PLACE(math_sin)
IN_PLACE(math_cos)

static gyre_status math_sincos(const gyre_kernels *table, arrays a, size_t begin, size_t end)
{
    return table->math_sincos(a[0] + begin, a[0] + begin, a[1] + begin, end - begin);
}

#define ROTATION(name)                                                                                                 \
    static gyre_status name(const gyre_kernels *table, arrays a, size_t begin, size_t end)                             \
    {                                                                                                                  \
        return table->name(a, a + 3, begin, end);                                                                      \
    }
ROTATION(rotation_matrix)
ROTATION(rotation_left_jacobian)
ROTATION(rotation_quaternion)
ROTATION(rotation_vector)

static gyre_status rotation_product(const gyre_kernels *table, arrays a, size_t begin, size_t end)
{
    return table->rotation_product(a, a + 4, a + 7, begin, end);
}

static gyre_status rotation_between(const gyre_kernels *table, arrays a, size_t begin, size_t end)
{
    check_status(table->rotation_quaternion(a, a + 4, begin, end), GYRE_OK);
    check_status(table->rotation_quaternion(a + 1, a + 8, begin, end), GYRE_OK);
    return table->rotation_between(a + 4, a + 8, 0.25f, a + 4, begin, end);
}

static gyre_status rotation_apply(const gyre_kernels *table, arrays a, size_t begin, size_t end)
{
    return table->rotation_apply(a, a + 4, a + 7, begin, end);
}

static gyre_status turn_targets(const gyre_kernels *table, arrays a, size_t begin, size_t end)
{
    return table->turn_targets(a[0], a[1], 0.125f, begin, end);
}

static gyre_status orientation_springs_step(const gyre_kernels *table, arrays a, size_t begin, size_t end)
{
    const gyre_orientation_springs springs = {
        .count = LENGTH_OF_ALL,
        .orientation = {a[0], a[1], a[2], a[3]},
        .angular_velocity = {a[4], a[5], a[6]},
        .target = {a[7], a[8], a[9], a[10]},
        .target_before = {a[11], a[12], a[13], a[14]},
    };
    gyre_spring_matrix m;
    check_status(table->spring_matrix_at((gyre_spring){7, 0.3f, 0.5f}, 0.02f, &m), GYRE_OK);
    return table->orientation_springs_step(&springs, begin, end, &m, 0.02f);
}

static gyre_status gather(const gyre_kernels *table, arrays a, size_t begin, size_t end)
{
    return table->gather(structures, 5 * sizeof(float), 3, a, begin, end);
}

static gyre_status scatter(const gyre_kernels *table, arrays a, size_t begin, size_t end)
{
    const gyre_status status = table->scatter(a, 5, structures, 5 * sizeof(float), begin, end);
    return status == GYRE_OK ? table->gather(structures, 5 * sizeof(float), 5, a + 5, begin, end) : status;
}

static gyre_status interpolate(const gyre_kernels *table, arrays a, size_t begin, size_t end)
{
    return table->interpolate(a[0], a[1], 0.3f, a[0], begin, end);
}

static gyre_status limit_length(const gyre_kernels *table, arrays a, size_t begin, size_t end)
{
    return table->limit_length(a, 3, 0.5f, begin, end);
}

static gyre_status decelerate(const gyre_kernels *table, arrays a, size_t begin, size_t end)
{
    return table->decelerate(a, a + 4, 4, 0.5f, 2, begin, end);
}

static gyre_status limit_targets(const gyre_kernels *table, arrays a, size_t begin, size_t end)
{
    return table->limit_targets(a, a + 3, a + 6, a + 9, 3, (gyre_spring){7, 0.3f}, 2, 0.02f, a + 6, a + 12, begin, end);
}

static gyre_bodies bodies_of(arrays a)
{
    return (gyre_bodies){
        .count = LENGTH_OF_ALL,
        .orientation = {a[0], a[1], a[2], a[3]},
        .momentum = {a[4], a[5], a[6]},
        .inertia = {a[7], a[8], a[9]},
    };
}

static gyre_status bodies_step(const gyre_kernels *table, arrays a, size_t begin, size_t end)
{
    const gyre_bodies bodies = bodies_of(a);
    return table->bodies_step(&bodies, begin, end, 0.1f, NULL, NULL);
}

static gyre_status bodies_energy(const gyre_kernels *table, arrays a, size_t begin, size_t end)
{
    const gyre_bodies bodies = bodies_of(a);
    return table->bodies_energy(&bodies, begin, end, a[10]);
}

static gyre_status bodies_angular_velocity(const gyre_kernels *table, arrays a, size_t begin, size_t end)
{
    const gyre_bodies bodies = bodies_of(a);
    return table->bodies_angular_velocity(&bodies, begin, end, a + 10);
}

#define KERNEL(name)                                                                                                   \
    {                                                                                                                  \
#name, name                                                                                                    \
    }
static const struct {
    const char *name;
    kernel *run;
} kernels[] = {
    KERNEL(springs_step),
    KERNEL(springs_step_palette),
    KERNEL(springs_step_each),
    KERNEL(springs_at),
    KERNEL(orientation_springs_step),
    KERNEL(particles_step),
    KERNEL(particles_step_each),
    KERNEL(math_exp),
    KERNEL(math_expm1),
    KERNEL(math_log),
    KERNEL(math_sin),
    KERNEL(math_cos),
    KERNEL(math_sincos),
    KERNEL(rotation_matrix),
    KERNEL(rotation_left_jacobian),
    KERNEL(rotation_quaternion),
    KERNEL(rotation_vector),
    KERNEL(rotation_product),
    KERNEL(rotation_between),
    KERNEL(rotation_apply),
    KERNEL(turn_targets),
    KERNEL(gather),
    KERNEL(scatter),
    KERNEL(interpolate),
    KERNEL(limit_length),
    KERNEL(decelerate),
    KERNEL(limit_targets),
    KERNEL(bodies_step),
    KERNEL(bodies_energy),
    KERNEL(bodies_angular_velocity),
};

/* Numbers that are valid in every kernel: frequencies and damping, angles, orientations and moments. */
static void fill(arrays a)
{
    random_source random = {1};
    for (size_t i = 0; i < LENGTH_OF_ALL; i++) {
        for (size_t k = 0; k < ARRAYS; k++) {
            a[k][i] = 0.1f + 0.9f * random_unit(&random);
        }
        for (size_t k = 0; k < 5; k++) {
            structures[5 * i + k] = random_unit(&random);
        }
        which[i] = (uint16_t)(i / 45 % STEP_PALETTE_COUNT);
    }
}

static void test_long_slices(void **state)
{
    (void)state;
    const size_t bytes = LENGTH_OF_ALL * sizeof(float), gathered = effort(50) < 50 ? 5 : 1;
    guarded_memory memory[ARRAYS];
    static float in_pieces[ARRAYS][LENGTH_OF_ALL];
    float *whole[ARRAYS], *pieces[ARRAYS];
    for (size_t k = 0; k < ARRAYS; k++) {
        memory[k] = guarded_new(bytes);
        whole[k] = (float *)(void *)(memory[k].end - bytes);
        pieces[k] = in_pieces[k];
    }
    EACH_TABLE(table) {
        for (size_t k = 0; k < LENGTH(kernels); k++) {
            for (size_t begin = 0; begin < PLACES; begin += gathered) {
                CASE("%s from element %zu", kernels[k].name, begin);
                fill(whole);
                fill(pieces);
                check_status(kernels[k].run(table, whole, begin, LENGTH_OF_ALL), GYRE_OK);
                for (size_t from = begin; from < LENGTH_OF_ALL; from += PIECE) {
                    const size_t to = from + PIECE < LENGTH_OF_ALL ? from + PIECE : LENGTH_OF_ALL;
                    check_status(kernels[k].run(table, pieces, from, to), GYRE_OK);
                }
                for (size_t array = 0; array < ARRAYS; array++) {
                    CASE("array %zu", array);
                    check_bytes(whole[array], pieces[array], bytes);
                }
            }
        }
    }
    for (size_t k = 0; k < ARRAYS; k++) {
        guarded_free(memory[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_long_slices)};
    return cmocka_run_group_tests_name("guarantees_long_slices", tests, NULL, NULL);
}
