/* What the headers say of the stack: a kernel runs on a stack of its own, filled with a pattern before, and what is
   overwritten afterwards is what it used. */
#define _GNU_SOURCE /* MAP_ANONYMOUS, pthread_attr_setstack */
#include "bodies.h"

#include <pthread.h>
#include <string.h>

#include <sys/mman.h>

enum { STACK_BYTES = 1 << 20, PATTERN = 0xa5, COUNT = 301 /* whole blocks and a tail */ };

/* Where there is the scalar table alone, made for no architecture of its own, compilers take a vector of plain C apart
   and keep many more of its lanes on the stack at once. */
#if defined(__x86_64__) || defined(__aarch64__) || defined(__arm__)
enum { TIMES_PROMISED = 1 };
#else
enum { TIMES_PROMISED = 2 };
#endif

/* One in all arrays: springs or bodies that move. */
static float values[17][COUNT];
static uint8_t awake[COUNT];

static gyre_springs some_springs(void)
{
    return (gyre_springs){.count = COUNT,
                          .position = values[0],
                          .velocity = values[1],
                          .target = values[2],
                          .period = 360,
                          .rest_distance = 0.1f,
                          .rest_speed = 0.1f,
                          .awake = awake};
}

static gyre_status do_nothing(const gyre_kernels *table)
{
    (void)table;
    return GYRE_OK;
}

static gyre_status step_springs(const gyre_kernels *table)
{
    const gyre_springs springs = some_springs();
    return table->springs_step_each(&springs, 0, COUNT, values[3], values[4], 0.01f);
}

static gyre_status evaluate_springs(const gyre_kernels *table)
{
    const gyre_springs springs = some_springs();
    return table->springs_at(&springs, 0, COUNT, (gyre_spring){3, 0.5f}, values[3], values[4], values[5]);
}

static gyre_status step_particles(const gyre_kernels *table)
{
    const gyre_particles particles = {
        .count = COUNT, .position = values[0], .velocity = values[1], .acceleration = values[2]};
    return table->particles_step_each(&particles, 0, COUNT, values[3], 0.01f);
}

static gyre_status map_sines(const gyre_kernels *table) { return table->math_sin(values[0], values[1], COUNT); }

static gyre_status map_sines_and_cosines(const gyre_kernels *table)
{
    return table->math_sincos(values[0], values[1], values[2], COUNT);
}

static gyre_bodies bodies_of_values(void)
{
    gyre_bodies bodies = {.count = COUNT};
    for (size_t k = 0; k < 4; k++) {
        bodies.orientation[k] = values[k];
        bodies.orientation_low[k] = values[4 + k];
    }
    for (size_t k = 0; k < 3; k++) {
        bodies.momentum[k] = values[8 + k];
        bodies.inertia[k] = values[11 + k];
    }
    return bodies;
}

/* By every method, plain and with all there is. */
static gyre_status step_by_every_method(const gyre_kernels *table)
{
    gyre_bodies bodies = bodies_of_values(), plain = bodies;
    for (size_t k = 0; k < 4; k++) {
        plain.orientation_low[k] = NULL;
    }
    for (size_t k = 0; k < 3; k++) {
        bodies.torque[k] = values[14 + k];
    }
    gyre_status status = GYRE_OK;
    EACH_METHOD(m)
    {
        const gyre_body_solver solver = solver_of(m);
        gyre_body_report report = {0};
        const gyre_status of_all = table->bodies_step(&bodies, 0, COUNT, 0.01f, &solver, &report);
        const gyre_status of_plain = table->bodies_step(&plain, 0, COUNT, 0.01f, &solver, &report);
        status = status != GYRE_OK ? status : of_all != GYRE_OK ? of_all : of_plain;
    }
    return status;
}

static gyre_status find_energy(const gyre_kernels *table)
{
    const gyre_bodies bodies = bodies_of_values();
    return table->bodies_energy(&bodies, 0, COUNT, values[14]);
}

static gyre_status find_angular_velocity(const gyre_kernels *table)
{
    const gyre_bodies bodies = bodies_of_values();
    return table->bodies_angular_velocity(&bodies, 0, COUNT, (float *[]){values[14], values[15], values[16]});
}

typedef struct errand {
    gyre_status (*call)(const gyre_kernels *table);
    const gyre_kernels *table;
    gyre_status status;
} errand;

static void *run_errand(void *argument)
{
    errand *e = argument;
    e->status = e->call(e->table);
    return NULL;
}

/* Bytes of stack that a thread uses for it. */
static size_t used_by(errand *e)
{
    unsigned char *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(stack != MAP_FAILED);
    memset(stack, PATTERN, STACK_BYTES);
    pthread_attr_t attributes;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstack(&attributes, stack, STACK_BYTES), 0);
    assert_int_equal(pthread_create(&thread, &attributes, run_errand, e), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
    size_t untouched = 0;
    while (untouched < STACK_BYTES && stack[untouched] == PATTERN) {
        untouched++;
    }
    munmap(stack, STACK_BYTES);
    return STACK_BYTES - untouched;
}

/* The second time, when what is linked at its first use is. */
static size_t stack_of(gyre_status (*call)(const gyre_kernels *table), const gyre_kernels *table)
{
    errand e = {.call = call, .table = table}, idle = {.call = do_nothing};
    used_by(&e);
    used_by(&idle);
    const size_t used = used_by(&e), thread = used_by(&idle);
    assert_int_equal(e.status, GYRE_OK);
    return used - thread;
}

/* Never more than the comments of the functions say, whatever the compiler; and a third of it at least, or the
   comments are older than the kernels. */
static void test_stack(void **state)
{
    (void)state;
    const struct {
        const char *name;
        gyre_status (*call)(const gyre_kernels *table);
        double kib;
    } promises[] = {
        {"springs_step_each", step_springs, 14},
        {"springs_at", evaluate_springs, 14},
        {"particles_step_each", step_particles, 5.5},
        {"math_sin", map_sines, 8},
        {"math_sincos", map_sines_and_cosines, 8},
        {"bodies_step", step_by_every_method, 48},
        {"bodies_energy", find_energy, 5},
        {"bodies_angular_velocity", find_angular_velocity, 5},
    };
    for (size_t i = 0; i < LENGTH(values); i++) {
        for (size_t k = 0; k < COUNT; k++) {
            values[i][k] = 1;
        }
    }
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(promises); i++) {
            const size_t used = stack_of(promises[i].call, table);
            const size_t promised = (size_t)(promises[i].kib * 1024);
            if (used > promised * TIMES_PROMISED || used < promised / 3) {
                fail_msg("%s, %s: %zu bytes of stack, %zu promised", promises[i].name, table_name(table), used,
                         promised);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stack)};
    return cmocka_run_group_tests_name("stack", tests, NULL, NULL);
}
