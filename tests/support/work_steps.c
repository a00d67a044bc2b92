/* Runs the kernels of spring.h for batches. */
#include "support/work_steps.h"

#include <math.h>
#include <string.h>

/* ---- The step: every set of features, ranges with tails, invalid limits ---- */

step_input step_inputs[STEPS];

static void make_step_inputs(void)
{
    random_source random = {104};
    for (size_t i = 0; i < STEPS; i++) {
        step_inputs[i].start = batch_random(&random, true);
        step_inputs[i].features = (unsigned)i % 32 + (unsigned)(i * 13 % 32) * 32;
        step_inputs[i].begin = random_below(&random, 40);
        step_inputs[i].end = BATCH_SPRINGS - random_below(&random, 40);
        /* arbitrary matrices, not made by the library: these answers depend only on the step */
        step_inputs[i].matrix = (gyre_spring_matrix){random_signed(&random, -6, 1), random_signed(&random, -6, 1),
                                                     random_signed(&random, -6, 1), random_signed(&random, -6, 1)};
        for (size_t k = 0; k < 4; k++) {
            step_inputs[i].matrix.low[k] = random_signed(&random, -40, -24);
        }
        step_inputs[i].matrix.pos_ramp = (float)(i % 7) / 8 - 1;
        step_inputs[i].matrix.vel_ramp = (float)(i % 11) - 5;
        step_inputs[i].matrix.low[4] = step_inputs[i].matrix.low[5] = 0x1.3p-28f;
        if (i % 8 == 0) {
            step_inputs[i].matrix.pos_vel = random_signed(&random, -149, -126);
        }
        gyre_springs springs = batch_springs(&step_inputs[i].start, step_inputs[i].features);
        float *const limits[] = {&springs.period, &springs.rest_distance, &springs.rest_speed};
        if (i % 16 == 15) { /* with subnormals flushed, -2^-149 is 0: it must be refused there as well */
            *limits[random_below(&random, 3)] = random_one_in(&random, 2) ? -0x1p-149f : 0x1p-149f;
        }
        step_inputs[i].period = springs.period;
        step_inputs[i].rest_distance = springs.rest_distance;
        step_inputs[i].rest_speed = springs.rest_speed;
    }
}

static gyre_springs start_step(size_t i, batch *b)
{
    memcpy(b, &step_inputs[i].start, sizeof *b);
    gyre_springs springs = batch_springs(b, step_inputs[i].features);
    springs.period = step_inputs[i].period;
    springs.rest_distance = step_inputs[i].rest_distance;
    springs.rest_speed = step_inputs[i].rest_speed;
    springs.bounce = i % 64 == 37 ? -0x1p-149f : i % 64 == 38 ? 1.5f : (float)(i % 5) / 4;
    return springs;
}

void write_batch(work *answers, const batch *b)
{
    write_floats(answers, b->position, BATCH_SPRINGS);
    write_floats(answers, b->velocity, BATCH_SPRINGS);
    write_floats(answers, b->position_low, BATCH_SPRINGS);
    write_floats(answers, b->velocity_low, BATCH_SPRINGS);
    for (size_t k = 0; k < BATCH_SPRINGS; k += 4) {
        const uint8_t *four = b->awake + k;
        write_word(answers, four[0] | (uint32_t)four[1] << 8 | (uint32_t)four[2] << 16 | (uint32_t)four[3] << 24);
    }
}

WORK(springs_step, make_step_inputs)
{
    for (size_t i = 0; i < STEPS; i++) {
        batch b;
        gyre_springs springs = start_step(i, &b);
        write_word(answers,
                   table->springs_step(&springs, step_inputs[i].begin, step_inputs[i].end, &step_inputs[i].matrix));
        write_batch(answers, &b);
    }
}

/* ---- The same with a palette: the matrices of the steps and some that are not finite or the identity; indices in runs
   or in no order, some outside the palette ---- */

enum { PALETTE = 40 };

static gyre_spring_matrix palette[PALETTE];
static uint16_t palette_indices[STEPS][BATCH_SPRINGS];

static void make_palette_inputs(void)
{
    make_step_inputs();
    random_source random = {105};
    for (size_t k = 0; k < PALETTE; k++) {
        palette[k] = step_inputs[k].matrix;
        if (k % 8 == 1) {
            palette[k] = (gyre_spring_matrix){1, k % 3 ? 0.0f : -0.0f, 0, 1};
        } else if (k % 8 == 5) {
            palette[k].vel_pos = special_floats[random_below(&random, special_float_count)];
        }
    }
    for (size_t i = 0; i < STEPS; i++) {
        size_t longest = i % 4 == 0 ? 1 : i % 4 == 1 ? 3 : 90, limit = i % 3 == 0 ? PALETTE + 2 : PALETTE;
        for (size_t k = 0, left = 0; k < BATCH_SPRINGS; k++, left--) {
            if (left == 0) {
                left = 1 + random_below(&random, longest);
                palette_indices[i][k] = (uint16_t)(random_one_in(&random, 99) ? 0xffff : random_below(&random, limit));
            } else {
                palette_indices[i][k] = palette_indices[i][k - 1];
            }
        }
    }
}

WORK(springs_step_palette, make_palette_inputs)
{
    for (size_t i = 0; i < STEPS; i++) {
        batch b;
        gyre_springs springs = start_step(i, &b);
        write_word(answers, table->springs_step_palette(&springs, step_inputs[i].begin, step_inputs[i].end, palette,
                                                        PALETTE, palette_indices[i]));
        write_batch(answers, &b);
    }
}

/* ---- Parameters and times per spring ---- */

float step_frequencies[STEPS][BATCH_SPRINGS], step_ratios[STEPS][BATCH_SPRINGS], step_times[STEPS][BATCH_SPRINGS];
static float follows[STEPS][BATCH_SPRINGS], time_scales[STEPS][BATCH_SPRINGS];

/* Ordinary, extreme and invalid parameters; in a quarter of the batches, only one regime. */
void make_each_inputs(void)
{
    make_step_inputs();
    random_source random = {106}, others = {109};
    for (size_t i = 0; i < STEPS; i++) {
        for (size_t k = 0; k < BATCH_SPRINGS; k++) {
            float w = random_magnitude(&random, -8, 10), z = random_magnitude(&random, -10, 13);
            z = random_one_in(&random, 2) ? 2 * random_unit(&random) : z;
            z = random_one_in(&random, 8) ? 1 + random_signed(&random, -24, -1) : z;
            z = i % 4 == 1 ? 0.5f * random_unit(&random) : z;
            float t = random_signed(&random, -16, 13) / w;
            if (random_one_in(&random, 12)) {
                *(float *const[]){&w, &z, &t}[random_below(&random, 3)] =
                    special_floats[random_below(&random, special_float_count)];
            }
            step_frequencies[i][k] = w;
            step_ratios[i][k] = z;
            step_times[i][k] = t;
            follows[i][k] = random_one_in(&others, 12) ? special_floats[random_below(&others, special_float_count)]
                                                       : random_unit(&others);
            time_scales[i][k] = random_one_in(&others, 12) ? special_floats[random_below(&others, special_float_count)]
                                                           : random_signed(&others, -6, 6);
        }
    }
}

float time_of_step(size_t i) { return i % 32 == 31 ? step_times[i][0] : i % 32 == 7 ? -0x1p-6f : 0x1.1p-6f; }

WORK(springs_step_each, make_each_inputs)
{
    for (size_t i = 0; i < STEPS; i++) {
        batch b;
        gyre_springs springs = start_step(i, &b);
        write_word(answers, table->springs_step_each(
                                &springs, step_inputs[i].begin, step_inputs[i].end, step_frequencies[i], step_ratios[i],
                                i % 3 == 1 ? follows[i] : NULL, i % 5 < 2 ? time_scales[i] : NULL, time_of_step(i)));
        write_batch(answers, &b);
    }
}

WORK(springs_at, make_each_inputs)
{
    for (size_t i = 0; i < STEPS; i++) {
        batch b, out;
        gyre_springs start = start_step(i, &b);
        memcpy(&out, &b, sizeof out);
        gyre_spring spring = {step_frequencies[i][1], step_ratios[i][1]};
        write_word(answers, table->springs_at(&start, step_inputs[i].begin, step_inputs[i].end, spring, step_times[i],
                                              out.position, out.velocity));
        write_batch(answers, &out);
    }
}

/* Vectors of 1 to 4 components, near their targets and far from them; results in the place of targets, or beside. */
WORK(limit_targets, make_each_inputs)
{
    for (size_t i = 0; i < STEPS; i += 3) {
        batch b;
        memcpy(&b, &step_inputs[i].start, sizeof b);
        float out[2][4][BATCH_SPRINGS] = {{{0}}};
        float *const position[] = {b.position, b.lower, b.upper, b.rest_scale};
        float *const velocity[] = {b.velocity, b.velocity_low, b.velocity, b.velocity_low};
        float *const before[] = {b.target_before, b.position_low, b.target_before, b.position_low};
        float *const target[] = {b.target, b.target, b.position_low, b.target_before};
        float *const before_out[] = {out[0][0], out[0][1], out[0][2], out[0][3]};
        float *const target_out[] = {out[1][0], out[1][1], out[1][2], out[1][3]};
        const size_t components = 1 + i % 4;
        const gyre_spring spring = {i % 8 == 5 ? step_frequencies[i][0] : 8, i % 8 == 7 ? step_ratios[i][0] : 0.75f,
                                    i % 32 == 30 ? 1 : 0};
        const float max_speed = i % 16 == 2 ? INFINITY : i % 16 == 9 ? step_times[i][1] : 0x1p-3f * (float)(i % 97);
        const float dt_s = time_of_step(i);
        write_word(answers, table->limit_targets(position, velocity, before, i % 5 ? target : before, components,
                                                 spring, max_speed, dt_s < 0 && i % 32 ? -dt_s : dt_s,
                                                 components == 1 && i % 5 ? before : before_out, target_out,
                                                 step_inputs[i].begin, step_inputs[i].end));
        write_floats(answers, b.target_before, BATCH_SPRINGS);
        for (size_t c = 0; c < components; c++) {
            write_floats(answers, before_out[c], BATCH_SPRINGS);
            write_floats(answers, target_out[c], BATCH_SPRINGS);
        }
    }
}
