/* The stack that each kernel uses. A kernel runs on a separate stack that is first filled with a pattern; the bytes
   that change are those that it used. */
#include "support/bodies.h"

#include <math.h>
#include <string.h>

enum { COUNT = 301 /* whole blocks and a tail */ };

/* Elsewhere only the scalar table exists, whose plain C vectors compilers split into lanes, so many more lanes are on
   the stack at once. */
#if defined(__x86_64__) || defined(__aarch64__) || defined(__arm__)
enum { HALVES_PROMISED = 2 };
#else
enum { HALVES_PROMISED = 3 };
#endif

/* Springs, angles or bodies: most are ordinary; some bodies are so fast that they need many sub-steps, some are
   invalid, and some angles need the reduction of large arguments. */
static float values[20][COUNT];
static uint8_t awake[COUNT];

static void fill_values(void)
{
    for (size_t k = 0; k < COUNT; k++) {
        for (size_t i = 0; i < LENGTH(values); i++) {
            values[i][k] = 1;
        }
        values[8][k] = k % 11 == 3 ? 900 : 1;   /* a component of the momenta */
        values[12][k] = k % 3 == 0 ? 1 : 1.25f; /* moments of spheres, which take no sub-steps, and of other bodies */
        values[k % LENGTH(values)][k] = k % 31 == 7 ? NAN : k % 37 == 5 ? 1e9f : 1;
    }
}

static gyre_springs some_springs(bool has_low)
{
    return (gyre_springs){.count = COUNT,
                          .position = values[0],
                          .velocity = values[1],
                          .target = values[2],
                          .period = 360,
                          .rest_distance = 0.1f,
                          .rest_speed = 0.1f,
                          .awake = awake,
                          .position_low = has_low ? values[5] : NULL,
                          .velocity_low = has_low ? values[6] : NULL};
}

/* With all options that do not exclude a period. */
static gyre_springs bounded_springs(bool has_low)
{
    gyre_springs springs = some_springs(has_low);
    springs.period = 0;
    springs.target_before = values[7];
    springs.lower = values[8];
    springs.upper = values[9];
    springs.bounce = 0.5f;
    springs.stop_at_target = true;
    springs.rest_scale = values[10];
    springs.skip_asleep = true;
    memset(awake, 1, sizeof awake);
    return springs;
}

static gyre_status do_nothing(const gyre_kernels *table)
{
    (void)table;
    return GYRE_OK;
}

static gyre_status step_each_spring(const gyre_kernels *table)
{
    gyre_status status = GYRE_OK;
    for (int i = 0; i < 4 && status == GYRE_OK; i++) {
        const bool all = i / 2;
        const gyre_springs springs = all ? bounded_springs(i % 2) : some_springs(i % 2);
        status = table->springs_step_each(&springs, 0, COUNT, values[3], values[4], all ? values[11] : NULL,
                                          all ? values[12] : NULL, 0.01f);
    }
    return status;
}

static gyre_status step_springs(const gyre_kernels *table)
{
    static const uint16_t which[COUNT];
    const gyre_spring_matrix frame = {
        .pos_pos = 0.5f, .pos_vel = 0.01f, .vel_pos = -1, .vel_vel = 0.5f, .spring = {10, 1, 0}, .dt_s = 0.01f};
    gyre_status status = GYRE_OK;
    for (int i = 0; i < 4 && status == GYRE_OK; i++) {
        const gyre_springs springs = i / 2 ? bounded_springs(i % 2) : some_springs(i % 2);
        const gyre_status of_step = table->springs_step(&springs, 0, COUNT, &frame);
        status = of_step < 0 ? of_step : table->springs_step_palette(&springs, 0, COUNT, &frame, 1, which);
    }
    return status;
}

static gyre_status evaluate_springs(const gyre_kernels *table)
{
    const gyre_springs springs = some_springs(false);
    return table->springs_at(&springs, 0, COUNT, (gyre_spring){3, 0.5f}, values[3], values[4], values[5]);
}

static gyre_status step_particles(const gyre_kernels *table)
{
    gyre_particles particles = {
        .count = COUNT, .position = values[0], .velocity = values[1], .acceleration = values[2]};
    const gyre_status status = table->particles_step_each(&particles, 0, COUNT, values[3], values[4], 0.01f);
    particles.position_low = values[5];
    particles.velocity_low = values[6];
    particles.lower = values[7];
    particles.upper = values[8];
    particles.bounce = 0.5f;
    return status < 0 ? status : table->particles_step_each(&particles, 0, COUNT, values[3], values[4], 0.01f);
}

static gyre_status step_particles_alike(const gyre_kernels *table)
{
    const gyre_particle_matrix frame = {
        .pos_vel = 0.01f, .vel_vel = 0.5f, .pos_acc = 1e-4f, .vel_acc = 0.01f, .damping = 1, .dt_s = 0.01f};
    gyre_particles particles = {.count = COUNT, .position = values[0], .velocity = values[1]};
    const gyre_status status = table->particles_step(&particles, 0, COUNT, &frame);
    particles.lower = values[7];
    particles.upper = values[8];
    return status < 0 ? status : table->particles_step(&particles, 0, COUNT, &frame);
}

static gyre_status map_sines(const gyre_kernels *table) { return table->math_sin(values[0], values[1], COUNT); }

static gyre_status map_sines_and_cosines(const gyre_kernels *table)
{
    return table->math_sincos(values[0], values[1], values[2], COUNT);
}

static gyre_status map_all(const gyre_kernels *table)
{
    const gyre_status statuses[] = {
        table->math_exp(values[0], values[1], COUNT),
        table->math_expm1(values[0], values[1], COUNT),
        table->math_log(values[0], values[1], COUNT),
        table->math_cos(values[0], values[1], COUNT),
    };
    gyre_status status = GYRE_OK;
    for (size_t i = 0; i < LENGTH(statuses); i++) {
        status = statuses[i] != GYRE_OK ? statuses[i] : status;
    }
    return status;
}

static gyre_status turn(const gyre_kernels *table)
{
    float *const v[3] = {values[0], values[1], values[2]};
    float *out[9];
    for (size_t k = 0; k < 9; k++) {
        out[k] = values[3 + k];
    }
    const gyre_status statuses[] = {
        table->rotation_matrix(v, out, 0, COUNT),
        table->rotation_left_jacobian(v, out, 0, COUNT),
        table->rotation_quaternion(v, out, 0, COUNT),
        table->rotation_product(out, out, out + 4, 0, COUNT),
        table->rotation_between(out, out + 4, 0.5f, out + 4, 0, COUNT),
        table->rotation_between(out, out + 4, 1e9f, out + 4, 0, COUNT), /* the sine of a large angle */
        table->rotation_vector(out, out + 4, 0, COUNT),
        table->rotation_apply(out, v, out + 4, 0, COUNT),
    };
    gyre_status status = GYRE_OK;
    for (size_t i = 0; i < LENGTH(statuses); i++) {
        status = statuses[i] != GYRE_OK ? statuses[i] : status;
    }
    return status;
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
        bodies.momentum_low[k] = values[17 + k];
        bodies.inertia[k] = values[11 + k];
    }
    return bodies;
}

/* Steps with every method, with and without torque and low parts. */
static gyre_status step_by_every_method(const gyre_kernels *table)
{
    gyre_bodies bodies = bodies_of_values(), plain = bodies;
    for (size_t k = 0; k < 4; k++) {
        plain.orientation_low[k] = NULL;
    }
    for (size_t k = 0; k < 3; k++) {
        plain.momentum_low[k] = NULL;
        bodies.torque[k] = values[14 + k];
    }
    bodies.torque_in_body = true;
    bodies.angular_damping = 0.1f;
    gyre_status status = GYRE_OK;
    EACH_METHOD(m) {
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

static gyre_status push(const gyre_kernels *table)
{
    gyre_bodies bodies = bodies_of_values();
    for (size_t k = 0; k < 3; k++) {
        bodies.torque[k] = values[14 + k];
    }
    bodies.torque_in_body = true;
    const gyre_status kicks = table->bodies_kick(&bodies, 0, COUNT, 1e-3f);
    const gyre_status sets =
        table->bodies_set_angular_velocity(&bodies, 0, COUNT, (float *[]){values[14], values[15], values[16]});
    return kicks != GYRE_OK ? kicks : sets;
}

static gyre_status draw(const gyre_kernels *table)
{
    static float rows[12 * COUNT];
    const gyre_bodies bodies = bodies_of_values();
    return table->bodies_transforms(&bodies, 0, COUNT, values[0], values[1], values[2], rows, 12 * sizeof rows[0]);
}

static gyre_status help(const gyre_kernels *table)
{
    float seconds, moments[3], axes[4];
    const gyre_status settles = table->spring_settling_time((gyre_spring){10, 0.999f}, 1, -30, 1e-3f, &seconds);
    const gyre_status turns = table->inertia_principal((float[]){3, 2, 4, 0.1f, 0.2f, 0.3f}, moments, axes);
    gyre_inertia_kind kind;
    const gyre_status tells = table->inertia_check((float[]){3, 2, 4, 0.1f, 0.2f, 0.3f}, &kind);
    float nearest[6], excess;
    const gyre_status mends = table->inertia_nearest((float[]){3, 2, 9, 0.1f, 0.2f, 0.3f}, nearest, &excess);
    return settles != GYRE_OK ? settles : turns != GYRE_OK ? turns : tells != GYRE_OK ? tells : mends;
}

static gyre_status turn_springs(const gyre_kernels *table)
{
    gyre_orientation_springs springs = {.count = COUNT, .rest_angle = 1e-3f, .rest_speed = 1e-3f};
    for (size_t k = 0; k < 4; k++) {
        springs.orientation[k] = values[k];
        springs.target[k] = values[4 + k];
        springs.target_before[k] = values[8 + k];
    }
    for (size_t k = 0; k < 3; k++) {
        springs.angular_velocity[k] = values[12 + k];
    }
    gyre_spring_matrix m;
    const gyre_status made = table->spring_matrix_at((gyre_spring){10, 0.5f, 0}, 0.01f, &m);
    return made != GYRE_OK ? made : table->orientation_springs_step(&springs, 0, COUNT, &m, 0.01f);
}

/* By each set of features, with rest limits and colliders; and reset. */
static gyre_status step_chains(const gyre_kernels *table)
{
    static uint16_t entries[COUNT];
    const size_t level_begin[] = {0, COUNT};
    const gyre_bone bone = {.rest = {0, 0, 0, 1}, .tail = {0, -1, 0}, .stiffness = 100, .limit = 1, .hinge = {1, 0, 0}};
    const gyre_chain_collider capsule = {.kind = GYRE_COLLIDER_INSIDE_CAPSULE,
                                         .position = {values[0], values[1], values[2]},
                                         .end = {values[3], values[4], values[5]},
                                         .radius = values[6]};
    gyre_bone_chains chains = {
        .count = COUNT, .levels = 1, .level_begin = level_begin, .bones = &bone, .bone_count = 1};
    for (size_t k = 0; k < 4; k++) {
        chains.orientation[k] = values[k];
        chains.local[k] = values[4 + k];
        chains.parent[k] = values[8 + k];
    }
    for (size_t k = 0; k < 3; k++) {
        chains.velocity[k] = values[12 + k];
        chains.position[k] = values[k];
    }
    chains.colliders = &capsule;
    chains.collider_count = 1;
    chains.scale = values[0];
    chains.awake = awake;
    gyre_status status = GYRE_OK;
    for (unsigned form = 0; form < 4 && status >= 0; form++) {
        chains.bone = form & 1 ? entries : NULL;
        chains.rest_angle = chains.rest_speed = form & 2 ? 1 : 0;
        status = table->bone_chains_step(&chains, 0, COUNT, 0.01f);
    }
    return status < 0 ? status : table->bone_chains_reset(&chains, 0, COUNT, 0.01f);
}

typedef struct call_on_stack {
    gyre_status (*call)(const gyre_kernels *table);
    const gyre_kernels *table;
    gyre_status status;
} call_on_stack;

static void *run_call(void *argument)
{
    call_on_stack *e = argument;
    e->status = e->call(e->table);
    return NULL;
}

/* Measured on the second call: the first one also resolves functions lazily. */
static size_t stack_of(gyre_status (*call)(const gyre_kernels *table), const gyre_kernels *table)
{
    call_on_stack e = {.call = call, .table = table}, idle = {.call = do_nothing};
    stack_used_by(run_call, &e);
    stack_used_by(run_call, &idle);
    const size_t used = stack_used_by(run_call, &e), thread = stack_used_by(run_call, &idle);
    check((int)e.status, >=, 0);
    return used - thread;
}

/* The stack that the headers state for a kernel, from the list that tests/build/stack_usage.py checks for the objects
   of every table. */
static double promised_kib(const char *kernel)
{
#define PROMISE(name, kib)                                                                                             \
    if (strcmp(kernel, #name) == 0) {                                                                                  \
        return kib;                                                                                                    \
    }
#include "data/stack_promises.inc"
    return 48;
}

/* Never more than stated, whatever the compiler; and where a kernel has its own figure, at least a quarter of it on
   some table: less would mean that the figure is out of date. An eighth on an x86-64 CPU without AVX2: the widest
   vectors, which need most, do not run there. */
static void test_stack(void **state)
{
    (void)state;
    const struct {
        const char *kernel;
        gyre_status (*call)(const gyre_kernels *table);
        bool has_own_promise;
    } runs[] = {
        {"springs_step_each", step_each_spring, true},
        {"springs_at", evaluate_springs, true},
        {"orientation_springs_step", turn_springs, true},
        {"bone_chains_step", step_chains, true},
        {"particles_step_each", step_particles, true},
        {"math_sin", map_sines, true},
        {"math_sincos", map_sines_and_cosines, true},
        {"bodies_step", step_by_every_method, true},
        {"bodies_energy", find_energy, true},
        {"bodies_angular_velocity", find_angular_velocity, true},
        {"springs_step and springs_step_palette", step_springs, false},
        {"particles_step", step_particles_alike, false},
        {"exp, expm1, log and cos", map_all, false},
        {"rotations", turn, false},
        {"bodies_kick and bodies_set_angular_velocity", push, false},
        {"bodies_transforms", draw, false},
        {"settling time and principal inertia", help, false},
    };
#ifdef __x86_64__
    bool has_wide_vectors = false;
    EACH_TABLE(table) {
        has_wide_vectors = has_wide_vectors || table->isa >= GYRE_ISA_AVX2;
    }
#else
    const bool has_wide_vectors = true;
#endif
    for (size_t i = 0; i < LENGTH(runs); i++) {
        const double kib = promised_kib(runs[i].kernel);
        size_t most = 0;
        EACH_TABLE(table) {
            fill_values();
            const size_t used = stack_of(runs[i].call, table), promised = (size_t)(kib * 1024);
            CASE("%s", runs[i].kernel);
            check(used, <=, promised * HALVES_PROMISED / 2);
            most = used > most ? used : most;
        }
        if (runs[i].has_own_promise) {
            CASE("%s, the largest over all tables", runs[i].kernel);
            check((double)most, >=, kib * 1024 / (has_wide_vectors ? 4 : 8));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_stack)};
    return cmocka_run_group_tests_name("stack", tests, NULL, NULL);
}
