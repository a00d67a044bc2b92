/* Runs the kernels of arrays.h. */
#include "support/work_steps.h"

#include <string.h>

enum { CALLS = 192, ELEMENTS = 90, MAX_COMPONENTS = 16, MAX_STRIDE = 20 };

static struct {
    size_t begin, end, components, stride; /* in floats */
    float part, longest;
} calls[CALLS];
static float structures[MAX_STRIDE * ELEMENTS], arrays[MAX_COMPONENTS][ELEMENTS];
static uint8_t awake[CALLS][ELEMENTS];

static void fill(random_source *random, float *x, size_t count, bool any_bits)
{
    for (size_t i = 0; i < count; i++) {
        x[i] = random_one_in(random, 16)              ? special_floats[random_below(random, special_float_count)]
               : any_bits && random_one_in(random, 4) ? random_any_float(random)
                                                      : random_signed(random, -4, 12);
    }
}

static void make_array_inputs(void)
{
    static const float limits[] = {1, 100, 3000, 0x1p-120f, 0x1p100f};
    random_source random = {113};
    fill(&random, structures, LENGTH(structures), true);
    for (size_t c = 0; c < MAX_COMPONENTS; c++) {
        fill(&random, arrays[c], ELEMENTS, true);
    }
    for (size_t k = 0; k < CALLS; k++) {
        calls[k].begin = random_below(&random, 30);
        calls[k].end = ELEMENTS - random_below(&random, 40);
        calls[k].components = 1 + k % MAX_COMPONENTS;
        const size_t longest = MAX_STRIDE - calls[k].components;
        calls[k].stride = calls[k].components + (k % 3 == 0 ? 0 : random_below(&random, longest + 1));
        calls[k].stride -= random_one_in(&random, 24); /* one float too short */
        calls[k].part = k % 8 == 0 ? 0 : k % 8 == 1 ? 1 : k % 32 == 2 ? -1 : random_unit(&random);
        calls[k].longest = calls[k].part * limits[k % LENGTH(limits)];
        const size_t odds = k % 3 == 0 ? 40 : 1 + k % 3;
        for (size_t i = 0; i < ELEMENTS; i++) {
            awake[k][i] = random_one_in(&random, odds) ? (uint8_t)(1 + random_below(&random, 255)) : 0;
        }
    }
}

/* A copy of the arrays. */
typedef struct copies {
    float of[MAX_COMPONENTS][ELEMENTS];
    float *at[MAX_COMPONENTS];
} copies;

static void copy_arrays(copies *c)
{
    memcpy(c->of, arrays, sizeof arrays);
    for (size_t k = 0; k < MAX_COMPONENTS; k++) {
        c->at[k] = c->of[k];
    }
}

WORK(gather, make_array_inputs)
{
    for (size_t k = 0; k < CALLS; k++) {
        copies to;
        copy_arrays(&to);
        write_word(answers, table->gather(structures, calls[k].stride * sizeof(float), calls[k].components, to.at,
                                          calls[k].begin, calls[k].end));
        write_floats(answers, to.of[0], calls[k].components * ELEMENTS);
    }
}

WORK(scatter, make_array_inputs)
{
    for (size_t k = 0; k < CALLS; k++) {
        copies from;
        copy_arrays(&from);
        float to[LENGTH(structures)];
        memcpy(to, structures, sizeof to);
        write_word(answers, table->scatter(from.at, calls[k].components, to, calls[k].stride * sizeof(float),
                                           calls[k].begin, calls[k].end));
        write_floats(answers, to, calls[k].stride * ELEMENTS);
    }
}

WORK(interpolate, make_array_inputs)
{
    for (size_t k = 0; k < CALLS; k++) {
        copies of;
        copy_arrays(&of);
        float *const before = of.at[k % 8], *const now = of.at[8 + k % 8];
        float *const out = k % 4 == 0 ? before : k % 4 == 1 ? now : of.at[(k + 1) % 8];
        write_word(answers, table->interpolate(before, now, calls[k].part, out, calls[k].begin, calls[k].end));
        write_floats(answers, out, ELEMENTS);
    }
}

WORK(limit_length, make_array_inputs)
{
    for (size_t k = 0; k < CALLS; k++) {
        copies v;
        copy_arrays(&v);
        write_word(answers, table->limit_length(v.at, 1 + k % 4, calls[k].longest, calls[k].begin, calls[k].end));
        write_floats(answers, v.of[0], 4 * ELEMENTS);
    }
}

WORK(find_awake, make_array_inputs)
{
    for (size_t k = 0; k < CALLS; k++) {
        uint32_t indices[ELEMENTS] = {0};
        size_t found = 0;
        write_word(answers, table->find_awake(awake[k], indices, &found, calls[k].begin, calls[k].end));
        write_word(answers, (uint32_t)found);
        for (size_t i = 0; i < found; i++) {
            write_word(answers, indices[i]);
        }
    }
}

WORK(hash, make_array_inputs)
{
    copies of;
    copy_arrays(&of);
    for (size_t k = 0; k < CALLS; k++) {
        for (size_t end = calls[k].begin; end < calls[k].end; end += 11) {
            uint64_t hash = 1;
            write_word(answers, table->hash(of.at, calls[k].components, &hash, calls[k].begin, end));
            write_word(answers, (uint32_t)hash);
            write_word(answers, (uint32_t)(hash >> 32));
        }
    }
}

WORK(hash_bytes, make_array_inputs)
{
    for (size_t k = 0; k < CALLS; k++) {
        for (size_t end = calls[k].begin; end < calls[k].end; end += 11) {
            uint64_t hash = 1;
            write_word(answers, table->hash_bytes(awake[k], &hash, calls[k].begin, end));
            write_word(answers, (uint32_t)hash);
            write_word(answers, (uint32_t)(hash >> 32));
        }
    }
}

/* ---- Targets: those of the steps and of any size, also with periods that are refused ---- */

static float far_targets[STEPS][BATCH_SPRINGS];

static void make_turn_inputs(void)
{
    make_damping_inputs();
    for (size_t i = 0; i < STEPS; i++) {
        for (size_t k = 0; k < BATCH_SPRINGS; k++) {
            far_targets[i][k] = step_dampings[i][k] * step_times[i][k];
        }
    }
}

WORK(turn_targets, make_turn_inputs)
{
    for (size_t i = 0; i < STEPS; i++) {
        batch b;
        memcpy(&b, &step_inputs[i].start, sizeof b);
        for (size_t k = 0; k < BATCH_SPRINGS; k += 3) {
            b.target[k] = far_targets[i][k];
        }
        const float period = i % 8 ? 6.2831855f : step_times[i][0];
        write_word(answers,
                   table->turn_targets(b.target, b.position, period, step_inputs[i].begin, step_inputs[i].end));
        write_floats(answers, b.target, BATCH_SPRINGS);
    }
}
