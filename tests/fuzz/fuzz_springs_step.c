/* gyre_springs_step with arguments made of arbitrary bytes: any counts, ranges, limits, features, matrices and states.

   Whatever they are, the status must follow the rules in the header, an error must change nothing, nothing outside the
   range may change, and all tables of a rounding must agree to the bit. Aborts if not.

   As a libFuzzer target (clang): link with -fsanitize=fuzzer. As a test: link with driver.c. */
#include "fuzz/bytes.h"

#include <string.h>

enum { SPRINGS_MAX = 67 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct arrays {
    float position[SPRINGS_MAX], velocity[SPRINGS_MAX], target[SPRINGS_MAX];
    float target_before[SPRINGS_MAX], lower[SPRINGS_MAX], upper[SPRINGS_MAX], rest_scale[SPRINGS_MAX];
    uint8_t awake[SPRINGS_MAX];
} arrays;

/* The bits of `features`. */
enum {
    HAS_TARGET = 1,
    HAS_AWAKE = 2,
    HAS_BEFORE = 4,
    HAS_LOWER = 8,
    HAS_UPPER = 16,
    HAS_SCALE = 32,
    STOPS = 64,
    SKIPS = 128
};

/* ---- The contract ---- */

static bool may_answer(const gyre_springs *s, size_t begin, size_t end, const gyre_spring_matrix *m, gyre_status status)
{
    bool null = s == NULL || m == NULL, range = false, value = false;
    if (s != NULL) {
        null = null ||
               (begin < end && (s->position == NULL || s->velocity == NULL || (s->skip_asleep && s->awake == NULL)));
        range = begin > end || end > s->count;
        value = !is_limit(s->period) || !is_limit(s->rest_distance) || !is_limit(s->rest_speed) ||
                !(s->bounce >= 0 && s->bounce <= 1) || (s->period > 0 && (s->lower != NULL || s->upper != NULL));
    }
    if (m != NULL) {
        value = value || !is_finite(m->pos_pos) || !is_finite(m->pos_vel) || !is_finite(m->vel_pos) ||
                !is_finite(m->vel_vel) ||
                (s != NULL && begin < end && s->target != NULL && s->target_before != NULL &&
                 !(is_finite(m->pos_ramp) && is_finite(m->vel_ramp)));
    }
    return status == GYRE_OK            ? !null && !range && !value
           : status == GYRE_ERROR_NULL  ? null
           : status == GYRE_ERROR_RANGE ? range
                                        : status == GYRE_ERROR_VALUE && value;
}

static void expect_same(const arrays *got, const arrays *wanted)
{
    expect_floats("position of another table", got->position, wanted->position, SPRINGS_MAX);
    expect_floats("velocity of another table", got->velocity, wanted->velocity, SPRINGS_MAX);
    expect_unchanged("awake of another table", got->awake, wanted->awake, sizeof got->awake);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    byte_source bytes = {data, size};
    uint8_t features = take_byte(&bytes), trouble = take_byte(&bytes);
    size_t count = take_byte(&bytes) % (SPRINGS_MAX + 1), begin = take_byte(&bytes), end = take_byte(&bytes);
    if (trouble % 4 != 0) {
        end %= count + 1;
        begin %= end + 1;
    }
    gyre_spring_matrix matrix = {take_float(&bytes),
                                 take_float(&bytes),
                                 take_float(&bytes),
                                 take_float(&bytes),
                                 take_float(&bytes),
                                 take_float(&bytes),
                                 {0},
                                 {take_float(&bytes), take_float(&bytes), take_float(&bytes)},
                                 take_float(&bytes)};
    gyre_springs given = {.count = count, .period = take_limit(&bytes)};
    given.rest_distance = take_limit(&bytes);
    given.rest_speed = take_limit(&bytes);
    given.bounce = trouble % 8 == 7 ? take_float(&bytes) : (float)(trouble % 8) / 8;
    given.stop_at_target = features & STOPS;
    given.skip_asleep = features & SKIPS;
    if (features & (HAS_LOWER | HAS_UPPER) && trouble % 4 != 0) {
        given.period = 0;
    }
    arrays before;
    for (size_t i = 0; i < SPRINGS_MAX; i++) {
        before.position[i] = take_float(&bytes);
        before.velocity[i] = take_float(&bytes);
        before.target[i] = take_float(&bytes);
        before.target_before[i] = take_float(&bytes);
        before.lower[i] = take_float(&bytes);
        before.upper[i] = take_float(&bytes);
        before.rest_scale[i] = take_float(&bytes);
        before.awake[i] = i % 3 == 1 || i / 8 % 2 == 1 ? 0 : 0xa5;
    }

    arrays first[2];
    bool have_first[2] = {false, false};
    const gyre_kernels *tables[2 * GYRE_ISA_COUNT];
    for (size_t count_of_tables = tables_here(tables), k = 0; k < count_of_tables; k++) {
        const gyre_kernels *table = fuzzed_table = tables[k];
        const gyre_rounding rounding = table->rounding;
        arrays after = before;
        gyre_springs springs = given;
        springs.position = trouble == 1 ? NULL : after.position;
        springs.velocity = trouble == 2 ? NULL : after.velocity;
        springs.target = features & HAS_TARGET ? after.target : NULL;
        springs.awake = features & HAS_AWAKE ? after.awake : NULL;
        springs.target_before = features & HAS_BEFORE ? after.target_before : NULL;
        springs.lower = features & HAS_LOWER ? after.lower : NULL;
        springs.upper = features & HAS_UPPER ? after.upper : NULL;
        springs.rest_scale = features & HAS_SCALE ? after.rest_scale : NULL;
        const gyre_springs *s = trouble == 3 ? NULL : &springs;
        const gyre_spring_matrix *m = trouble == 4 ? NULL : &matrix;
        gyre_status status = table->springs_step(s, begin, end, m);

        expect(may_answer(s, begin, end, m, status), "got status %s for %zu springs, %zu to %zu, with mistake %d",
               gyre_status_name(status), count, begin, end, trouble);
        if (status != GYRE_OK) {
            expect_unchanged("arrays after an error", &after, &before, sizeof after);
        }
        for (size_t i = 0; i < SPRINGS_MAX; i++) {
            const bool inside = i >= begin && i < end, sleeps = features & SKIPS && before.awake[i] == 0;
            if (!inside || sleeps) {
                expect_unchanged("position left alone", &after.position[i], &before.position[i], sizeof(float));
                expect_unchanged("velocity left alone", &after.velocity[i], &before.velocity[i], sizeof(float));
                expect_unchanged("awake left alone", &after.awake[i], &before.awake[i], 1);
            } else if (status == GYRE_OK) {
                const bool has_awake = features & HAS_AWAKE;
                expect(has_awake ? after.awake[i] <= 1 : after.awake[i] == before.awake[i],
                       "awake of spring %zu: got %d, wanted %s", i, after.awake[i], has_awake ? "0 or 1" : "no change");
            }
        }
        expect_unchanged("target", after.target, before.target, sizeof after.target);
        if (have_first[rounding]) {
            expect_same(&after, &first[rounding]);
        }
        first[rounding] = after;
        have_first[rounding] = true;
    }
    return 0;
}
