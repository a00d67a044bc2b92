/* Runs the kernels of particle.h: damping and acceleration. */
#include "support/work_steps.h"

#include <math.h>
#include <string.h>

float step_dampings[STEPS][BATCH_SPRINGS];

void make_damping_inputs(void)
{
    make_each_inputs();
    random_source random = {107};
    for (size_t i = 0; i < STEPS; i++) {
        for (size_t k = 0; k < BATCH_SPRINGS; k++) {
            step_dampings[i][k] = random_one_in(&random, 12)
                                      ? special_floats[random_below(&random, special_float_count)]
                                  : random_one_in(&random, 8) ? 0
                                  : random_one_in(&random, 4) ? random_magnitude(&random, -149, 128)
                                  : random_one_in(&random, 2) ? random_magnitude(&random, -30, 14)
                                                              : 20 * random_unit(&random);
        }
    }
}

/* A fifth of the dampings, each with a time. */
#define EACH_DAMPING(i, k)                                                                                             \
    for (size_t i = 0; i < STEPS; i++)                                                                                 \
        for (size_t k = 0; k < BATCH_SPRINGS; k += 5)

WORK(particle_matrix_at, make_damping_inputs)
{
    EACH_DAMPING(i, k)
    {
        gyre_particle_matrix out = {-1, -2, -3, -4};
        write_word(answers, table->particle_matrix_at(step_dampings[i][k], step_times[i][k], &out));
        write_floats(answers, (const float[]){out.pos_vel, out.vel_vel, out.pos_acc, out.vel_acc}, 4);
        write_floats(answers, out.low, LENGTH(out.low));
    }
}

/* Targets serve as accelerations, ratios and frequencies as bounds. */
static gyre_particles particles_of(size_t i, batch *b)
{
    memcpy(b, &step_inputs[i].start, sizeof *b);
    return (gyre_particles){
        .count = BATCH_SPRINGS,
        .position = b->position,
        .velocity = b->velocity,
        .acceleration = i % 2 ? b->target : NULL,
        .uniform_acceleration = b->target[0],
        .position_low = step_inputs[i].features & FEATURE_LOW ? b->position_low : NULL,
        .velocity_low = step_inputs[i].features & FEATURE_LOW ? b->velocity_low : NULL,
        .lower = i % 8 > 5 ? step_ratios[i] : NULL,
        .upper = i % 8 == 3 || i % 8 == 6 ? step_frequencies[i] : NULL,
        .bounce = i % 64 == 19 ? 2 : 0x1p-2f * (float)(i % 5),
    };
}

WORK(particles_step, make_damping_inputs)
{
    for (size_t i = 0; i < STEPS; i++) {
        batch b;
        gyre_particles particles = particles_of(i, &b);
        const gyre_spring_matrix *any = &step_inputs[i].matrix;
        gyre_particle_matrix matrix = {any->pos_pos, any->pos_vel, any->vel_pos, any->vel_vel};
        memcpy(matrix.low, any->low, sizeof matrix.low);
        write_word(answers, table->particles_step(&particles, step_inputs[i].begin, step_inputs[i].end, &matrix));
        write_batch(answers, &b);
    }
}

WORK(particles_step_each, make_damping_inputs)
{
    for (size_t i = 0; i < STEPS; i++) {
        batch b;
        gyre_particles particles = particles_of(i, &b);
        const float *time_scale = i % 3 ? NULL : i % 2 ? step_ratios[i] : step_times[i];
        write_word(answers, table->particles_step_each(&particles, step_inputs[i].begin, step_inputs[i].end,
                                                       step_dampings[i], time_scale, time_of_step(i)));
        write_batch(answers, &b);
    }
}

/* Places where the damping of each fling ends: where it leads, nearly so, elsewhere, or none. */
static float fling_places[STEPS][BATCH_SPRINGS];

static float damping_of_flings(size_t i) { return i % 16 == 9 ? step_dampings[i][0] : 0x1p-4f * (float)(i % 64); }

static void make_fling_inputs(void)
{
    make_damping_inputs();
    random_source random = {108};
    for (size_t i = 0; i < STEPS; i++) {
        const batch *b = &step_inputs[i].start;
        const float damping = damping_of_flings(i);
        for (size_t k = 0; k < BATCH_SPRINGS; k++) {
            const float way = b->velocity[k] / damping, leads = b->position[k] + way;
            const size_t kind = random_below(&random, 8);
            fling_places[i][k] = kind < 4    ? leads
                                 : kind == 4 ? leads + random_signed(&random, -10, -2)
                                 : kind == 5 ? b->target[k]
                                 : kind == 6 ? NAN
                                             : special_floats[random_below(&random, special_float_count)];
        }
    }
}

/* Between edges of any kind: targets and positions of other elements, and one edge for both lower and upper. With low
   parts, edges are bounds instead. */
WORK(flings_step, make_fling_inputs)
{
    for (size_t i = 0; i < STEPS; i++) {
        batch b;
        memcpy(&b, &step_inputs[i].start, sizeof b);
        for (size_t k = 0; k < BATCH_SPRINGS; k++) { /* at an edge, and flags in runs */
            b.position[k] = k % 7 ? b.position[k] : k % 2 ? b.target[k] : b.position_low[k];
            b.awake[k] = k / 32 % 3 ? b.awake[k] : 0;
        }
        const unsigned features = step_inputs[i].features;
        const bool low = features & FEATURE_LOW;
        const gyre_flings flings = {
            .count = BATCH_SPRINGS,
            .position = b.position,
            .velocity = b.velocity,
            .lower = i % 3   ? (low ? b.lower : b.position_low)
                     : i % 2 ? b.target
                             : NULL,
            .upper = i % 5 ? b.target : NULL,
            .damping = damping_of_flings(i),
            .spring = {i % 16 == 3 ? step_frequencies[i][0] : (float)(i % 41),
                       i % 16 == 5 ? step_ratios[i][0] : 0x1p-4f * (i % 37)},
            .rest_distance = step_inputs[i].rest_distance,
            .rest_speed = step_inputs[i].rest_speed,
            .awake = features & FEATURE_AWAKE ? b.awake : NULL,
            .skip_asleep = features & FEATURE_TARGET,
            .position_low = low ? b.position_low : NULL,
            .velocity_low = low ? b.velocity_low : NULL,
            .rest_at = i / 2 % 3 == 0 ? fling_places[i] : NULL,
        };
        const float dt_s = i % 32 == 31 ? step_times[i][0] : i % 4 == 2 ? 2.5f : 0x1.1p-6f;
        write_word(answers, table->flings_step(&flings, step_inputs[i].begin, step_inputs[i].end, dt_s));
        write_batch(answers, &b);
    }
}

/* Vectors of 1 to 4 components, some of which stand. */
WORK(decelerate, make_damping_inputs)
{
    for (size_t i = 0; i < STEPS; i += 3) {
        batch b;
        memcpy(&b, &step_inputs[i].start, sizeof b);
        float *const position[] = {b.position, b.target, b.lower, b.upper};
        float *const velocity[] = {b.velocity, b.velocity_low, b.target_before, b.rest_scale};
        for (size_t c = 0; c < LENGTH(velocity); c++) {
            for (size_t k = i % 32; k < BATCH_SPRINGS; k++) {
                velocity[c][k] = k / 16 % 3 == 1 ? 0 : velocity[c][k];
            }
        }
        write_word(answers, table->decelerate(position, velocity, 1 + i % 4, step_dampings[i][0], time_of_step(i),
                                              step_inputs[i].begin, step_inputs[i].end));
        for (size_t c = 0; c < LENGTH(velocity); c++) {
            write_floats(answers, position[c], BATCH_SPRINGS);
            write_floats(answers, velocity[c], BATCH_SPRINGS);
        }
    }
}

#define DAMPING(name, ...)                                                                                             \
    WORK(damping_##name, make_damping_inputs)                                                                          \
    {                                                                                                                  \
        EACH_DAMPING(i, k)                                                                                             \
        {                                                                                                              \
            float out = -1;                                                                                            \
            write_word(answers, table->damping_##name(__VA_ARGS__, &out));                                             \
            write_floats(answers, &out, 1);                                                                            \
        }                                                                                                              \
    }
DAMPING(from_retention, k % 2 ? step_ratios[i][k] : step_dampings[i][k], step_times[i][k])
DAMPING(from_half_life, step_times[i][k])
DAMPING(rest_position, step_inputs[i].start.position[k], step_inputs[i].start.velocity[k], step_dampings[i][k])
DAMPING(velocity_to_rest_at, step_inputs[i].start.position[k], step_inputs[i].start.target[k], step_dampings[i][k])
DAMPING(time_to_speed, step_inputs[i].start.velocity[k], step_dampings[i][k], step_frequencies[i][k])
DAMPING(time_to_position, step_inputs[i].start.position[k], step_inputs[i].start.velocity[k], step_dampings[i][k],
        step_inputs[i].start.target[k])

#define RUBBER_BAND(name)                                                                                              \
    WORK(rubber_band_##name, make_damping_inputs)                                                                      \
    {                                                                                                                  \
        EACH_DAMPING(i, k)                                                                                             \
        {                                                                                                              \
            const float moved = k % 2 ? step_dampings[i][k] : step_inputs[i].start.position[k];                        \
            float out = -1;                                                                                            \
            write_word(answers, table->rubber_band_##name(moved, step_times[i][k], step_ratios[i][k], &out));          \
            write_floats(answers, &out, 1);                                                                            \
        }                                                                                                              \
    }
RUBBER_BAND(offset)
RUBBER_BAND(distance)
