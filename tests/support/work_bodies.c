/* Runs the kernels of body.h. */
#include "support/work_parts.h"

#include "support/bodies.h"

#include <string.h>

/* ---- Bodies: every method and set of features, light and heavy ones mixed, invalid ones, ranges with tails ---- */

enum { BODY_STEPS = 96 };

static struct {
    body_batch start;
    unsigned features;
    size_t begin, end;
    gyre_body_solver solver;
    float dt_s;
} body_inputs[BODY_STEPS];

static body_batch body_outputs;

/* A component of momentum: large in every seventh body. */
static float tumbling(random_source *random, size_t i)
{
    return i % 7 == 3 ? random_signed(random, -2, 6) : random_signed(random, -9, -1);
}

static void make_body_inputs(void)
{
    random_source random = {109};
    for (size_t n = 0; n < BODY_STEPS; n++) {
        body_batch *b = &body_inputs[n].start;
        for (size_t i = 0; i < BATCH_BODIES; i++) {
            const float sizes[] = {1, 0x1p-29f, 0x1p29f};
            const float size = sizes[n % 4 == 1 ? random_below(&random, 3) : 0];
            for (size_t k = 0; k < 4; k++) {
                /* close to a unit quaternion: near one of the four axes, or with all components near a half */
                float near = i % 2 ? (k == i / 2 % 4 ? 1 : 0) : 0.5f;
                b->at[ORIENTATION + k][i] = near + random_signed(&random, -30, -24);
                b->at[ORIENTATION_LOW + k][i] = random_signed(&random, -50, -26);
            }
            for (size_t k = 0; k < 3; k++) {
                float moment = random_magnitude(&random, n % 3 == 1 ? -10 : -1, 1);
                bool same = k > 0 && random_one_in(&random, 5);
                b->at[INERTIA + k][i] = same ? b->at[INERTIA][i] : moment * size;
                b->at[MOMENTUM + k][i] = tumbling(&random, i) * size;
                b->at[MOMENTUM_LOW + k][i] = b->at[MOMENTUM + k][i] * random_signed(&random, -40, -25);
                b->at[TORQUE + k][i] = tumbling(&random, i) * size;
            }
            if (random_one_in(&random, 12)) {
                float special = special_floats[random_below(&random, special_float_count)];
                b->at[random_below(&random, BODY_ARRAYS)][i] = special;
            }
        }
        body_inputs[n].features = (unsigned)(n / METHOD_CASES) * 11 % BODIES_ALL_FEATURES; /* half of them */
        body_inputs[n].begin = random_below(&random, 40);
        body_inputs[n].end = BATCH_BODIES - random_below(&random, 40);
        gyre_body_solver solver = solver_of(&method_cases[n % METHOD_CASES]);
        if (n >= BODY_STEPS / 2) {
            solver.tolerance = random_one_in(&random, 2) ? random_magnitude(&random, -20, -4) : 0;
            solver.max_iterations = (int)random_below(&random, 12);
            solver.max_substeps = (int)random_below(&random, 20);
            solver.substeps = random_one_in(&random, 3) ? 1 + (int)random_below(&random, 4) : 0;
            solver.fixed_point = random_one_in(&random, 4);
        }
        if (n % 24 == 23) { /* must be refused in every environment */
            solver.tolerance = -0x1p-149f;
        }
        body_inputs[n].solver = solver;
        body_inputs[n].dt_s = n % 16 == 5   ? special_floats[random_below(&random, special_float_count)]
                              : n % 16 == 7 ? -0x1p-5f
                                            : 0x1.1p-4f;
    }
}

static gyre_bodies start_bodies(size_t n)
{
    memcpy(&body_outputs, &body_inputs[n].start, sizeof body_outputs);
    return bodies_of(&body_outputs, body_inputs[n].features);
}

static void write_report(work *answers, const gyre_body_report *report)
{
    write_word(answers, (uint32_t)report->substeps);
    write_word(answers, (uint32_t)report->iterations);
    write_word(answers, (uint32_t)report->unconverged);
    write_floats(answers, &report->worst_residual, 1);
}

WORK(bodies_step, make_body_inputs)
{
    for (size_t n = 0; n < BODY_STEPS; n++) {
        const gyre_bodies bodies = start_bodies(n);
        gyre_body_report report = {0};
        const gyre_body_solver *solver = n % METHOD_CASES == 2 && n < BODY_STEPS / 2 ? NULL : &body_inputs[n].solver;
        write_word(answers, table->bodies_step(&bodies, body_inputs[n].begin, body_inputs[n].end, body_inputs[n].dt_s,
                                               solver, &report));
        write_report(answers, &report);
        for (size_t array = 0; array < INERTIA; array++) { /* the rest is not written */
            write_floats(answers, body_outputs.at[array], BATCH_BODIES);
        }
    }
}

WORK(bodies_kick, make_body_inputs)
{
    for (size_t n = 0; n < BODY_STEPS; n++) {
        const gyre_bodies bodies = start_bodies(n);
        write_word(answers, table->bodies_kick(&bodies, body_inputs[n].begin, body_inputs[n].end, body_inputs[n].dt_s));
        for (size_t array = MOMENTUM; array < INERTIA; array++) {
            write_floats(answers, body_outputs.at[array], BATCH_BODIES);
        }
    }
}

WORK(bodies_energy, make_body_inputs)
{
    for (size_t n = 0; n < BODY_STEPS; n++) {
        const gyre_bodies bodies = start_bodies(n);
        write_word(answers,
                   table->bodies_energy(&bodies, body_inputs[n].begin, body_inputs[n].end, body_outputs.at[TORQUE]));
        write_floats(answers, body_outputs.at[TORQUE], BATCH_BODIES);
    }
}

WORK(bodies_angular_velocity, make_body_inputs)
{
    for (size_t n = 0; n < BODY_STEPS; n++) {
        const gyre_bodies bodies = start_bodies(n);
        float *const omega[3] = {body_outputs.at[TORQUE], body_outputs.at[TORQUE + 1], body_outputs.at[TORQUE + 2]};
        write_word(answers, table->bodies_angular_velocity(&bodies, body_inputs[n].begin, body_inputs[n].end, omega));
        for (size_t k = 0; k < 3; k++) {
            write_floats(answers, omega[k], BATCH_BODIES);
        }
    }
}

WORK(bodies_set_angular_velocity, make_body_inputs)
{
    for (size_t n = 0; n < BODY_STEPS; n++) {
        const gyre_bodies bodies = start_bodies(n);
        float *const omega[3] = {body_outputs.at[TORQUE], body_outputs.at[TORQUE + 1], body_outputs.at[TORQUE + 2]};
        write_word(answers,
                   table->bodies_set_angular_velocity(&bodies, body_inputs[n].begin, body_inputs[n].end, omega));
        for (size_t array = MOMENTUM; array < INERTIA; array++) {
            write_floats(answers, body_outputs.at[array], BATCH_BODIES);
        }
    }
}

WORK(bodies_transforms, make_body_inputs)
{
    enum { STRIDE_FLOATS_MAX = 15 };
    static float rows[BATCH_BODIES * STRIDE_FLOATS_MAX];
    for (size_t n = 0; n < BODY_STEPS; n += 2) {
        const gyre_bodies bodies = start_bodies(n);
        const size_t stride = 12 + n / 2 % 4;
        const float *position[3] = {NULL, NULL, NULL};
        for (size_t k = 0; k < 3 && n % 3 != 0; k++) {
            position[k] = body_outputs.at[TORQUE + k];
        }
        memset(rows, 0, sizeof rows);
        write_word(answers, table->bodies_transforms(&bodies, body_inputs[n].begin, body_inputs[n].end, position[0],
                                                     position[1], position[2], rows, stride * sizeof(float)));
        write_floats(answers, rows, BATCH_BODIES * stride);
    }
}

/* ---- Inertia tensors: positive definite ones of every size, and arbitrary floats ---- */

enum { TENSORS = 1024 };

static float tensors[TENSORS][6];

static void make_inertia_inputs(void)
{
    random_source random = {110};
    for (size_t i = 0; i < TENSORS; i++) {
        float size = random_magnitude(&random, i % 4 ? -1 : -60, i % 4 ? 1 : 60);
        for (size_t k = 0; k < 6; k++) {
            tensors[i][k] = k < 3                       ? size * (1 + random_unit(&random))
                            : random_one_in(&random, 3) ? 0
                                                        : size * random_signed(&random, -30, -1);
        }
        if (i % 8 == 7) { /* small integers, where an axis consists only of what cancellation leaves */
            for (size_t k = 0; k < 6; k++) {
                tensors[i][k] = k < 3 ? 8 + (float)random_below(&random, 4) : (float)random_below(&random, 3) - 1;
            }
        }
        if (i % 8 == 0) {
            tensors[i][random_below(&random, 6)] = special_floats[random_below(&random, special_float_count)];
        }
    }
}

WORK(inertia_principal, make_inertia_inputs)
{
    for (size_t i = 0; i < TENSORS; i++) {
        float moments[3] = {-1, -2, -3}, axes[4] = {-4, -5, -6, -7};
        write_word(answers, table->inertia_principal(tensors[i], moments, axes));
        write_floats(answers, moments, 3);
        write_floats(answers, axes, 4);
    }
}

WORK(inertia_check, make_inertia_inputs)
{
    for (size_t i = 0; i < TENSORS; i++) {
        gyre_inertia_kind kind = GYRE_INERTIA_FINE;
        write_word(answers, table->inertia_check(tensors[i], &kind));
        write_word(answers, kind);
    }
}

WORK(inertia_nearest, make_inertia_inputs)
{
    for (size_t i = 0; i < TENSORS; i++) {
        float nearest[6] = {-1, -2, -3, -4, -5, -6}, excess = -7;
        write_word(answers, table->inertia_nearest(tensors[i], nearest, &excess));
        write_floats(answers, nearest, 6);
        write_floats(answers, &excess, 1);
    }
}
