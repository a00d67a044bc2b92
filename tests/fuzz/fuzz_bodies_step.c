/* gyre_bodies_step with arguments made of arbitrary bytes: any counts, ranges, solvers, time steps and bodies.

   Whatever they are, the status must follow the rules in the header, an error must change nothing, nothing outside the
   range may change, a valid body must stay finite with an orientation of unit length and an invalid one must become
   NaN, a step in two slices must equal one step, and all tables of a rounding must agree to the bit. Aborts if not.

   As a libFuzzer target (clang): link with -fsanitize=fuzzer. As a test: link with driver.c. */
#include "fuzz/bytes.h"

#include <string.h>

enum { BODIES_MAX = 21 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Where each group of arrays begins: the four of orientation at ORIENTATION, and so on. */
enum { ORIENTATION = 0, ORIENTATION_LOW = 4, MOMENTUM = 8, MOMENTUM_LOW = 11, INERTIA = 14, TORQUE = 17, ARRAYS = 20 };

/* The bits of call.features. */
enum { LOW = 1, WITH_TORQUE = 2, WITH_MOMENTUM_LOW = 4, IN_BODY = 8 };

typedef struct arrays {
    float at[ARRAYS][BODIES_MAX];
} arrays;

typedef struct call {
    size_t count, begin, end;
    gyre_body_solver solver;
    float dt_s, damping;
    uint8_t features, trouble;
} call;

/* ---- Bytes into arguments ---- */

static int take_count(byte_source *bytes)
{
    uint8_t byte = take_byte(bytes);
    return byte % 3 ? 0 : byte % 64 == 0 ? -1 : byte % 12;
}

static call take_call(byte_source *bytes)
{
    call c = {.features = take_byte(bytes), .trouble = take_byte(bytes)};
    c.count = take_byte(bytes) % (BODIES_MAX + 1);
    c.begin = take_byte(bytes);
    c.end = take_byte(bytes);
    if (c.trouble % 4 != 0) {
        c.end %= c.count + 1;
        c.begin %= c.end + 1;
    }
    uint8_t method = take_byte(bytes), order = take_byte(bytes);
    c.solver.method = (gyre_body_method)(method % 32 == 31 ? 5 : method % 5);
    c.solver.order = order % 32 == 31 ? order / 32 : (int[]){0, 6, 8}[order % 3];
    c.solver.tolerance = take_limit(bytes) / 64;
    c.solver.max_iterations = take_count(bytes);
    c.solver.max_substeps = take_count(bytes);
    c.solver.substeps = take_count(bytes);
    c.solver.fixed_point = take_byte(bytes) % 4 == 0;
    c.dt_s = take_byte(bytes) % 16 == 0 ? take_float(bytes) : 0x1p-6f;
    const uint8_t damping = take_byte(bytes);
    c.damping = damping % 32 == 31 ? take_float(bytes) : damping % 4 == 0 ? (float)damping / 8 : 0;
    return c;
}

static double take_sixteenth(byte_source *bytes) /* -2048 to 2048 */
{
    int16_t sixteen;
    take(bytes, &sixteen, sizeof sixteen);
    return (double)sixteen / 16;
}

/* A unit quaternion from four numbers; if that fails, the identity. */
static void take_orientation(byte_source *bytes, arrays *a, size_t i)
{
    double q[4], sum = 0;
    for (int k = 0; k < 4; k++) {
        q[k] = take_sixteenth(bytes);
        sum += q[k] * q[k];
    }
    double length = 2048; /* Newton's iteration, which needs no libm */
    for (int k = 0; k < 60 && sum > 0; k++) {
        length = (length + sum / length) / 2;
    }
    for (int k = 0; k < 4; k++) {
        double exact = sum > 0 ? q[k] / length : k == 3;
        a->at[ORIENTATION + k][i] = (float)exact;
        a->at[ORIENTATION_LOW + k][i] = (float)(exact - (double)a->at[ORIENTATION + k][i]);
    }
}

/* Ordinary bodies, a quarter of them with any float in any array; after the last byte, spheres at rest. */
static arrays take_arrays(byte_source *bytes)
{
    arrays a;
    for (size_t i = 0; i < BODIES_MAX; i++) {
        take_orientation(bytes, &a, i);
        for (size_t array = MOMENTUM; array < ARRAYS; array++) {
            double x = take_sixteenth(bytes);
            bool of_inertia = array >= INERTIA && array < TORQUE;
            const bool of_low = array >= MOMENTUM_LOW && array < INERTIA;
            a.at[array][i] = (float)(of_low ? x * 0x1p-24 : !of_inertia ? x : x < 0 ? 1 - x / 64 : 1 + x * 16);
        }
        for (uint8_t byte = take_byte(bytes); byte % 4 == 1; byte /= 4) {
            a.at[take_byte(bytes) % ARRAYS][i] = take_float(bytes);
        }
    }
    return a;
}

/* ---- The contract ---- */

static bool may_answer(const call *c, const gyre_bodies *b, gyre_status status)
{
    bool null = b == NULL, range = false;
    if (b != NULL) {
        for (int k = 0; k < 4 && c->begin < c->end; k++) {
            null =
                null || b->orientation[k] == NULL || (b->orientation_low[0] != NULL && b->orientation_low[k] == NULL);
            null = null || (k < 3 && (b->momentum[k] == NULL || b->inertia[k] == NULL));
            null = null || (k < 3 && b->torque[0] != NULL && b->torque[k] == NULL);
            null = null || (k < 3 && b->momentum_low[0] != NULL && b->momentum_low[k] == NULL);
        }
        range = c->begin > c->end || c->end > b->count;
    }
    const gyre_body_solver *s = &c->solver;
    bool order = s->order == 0 || s->order == 6 || s->order == 8; /* ignored by the other methods */
    bool value = !is_finite(c->dt_s) || (unsigned)s->method > 4 || (s->method == GYRE_BODY_MOSER_VESELOV && !order);
    value = value || (b != NULL && !is_limit(b->angular_damping));
    value = value || !is_limit(s->tolerance) || s->max_iterations < 0 || s->max_substeps < 0 || s->substeps < 0;
    return status >= 0                  ? !null && !range && !value
           : status == GYRE_ERROR_NULL  ? null
           : status == GYRE_ERROR_RANGE ? range
                                        : status == GYRE_ERROR_VALUE && value;
}

static bool reads(const call *c, size_t array)
{
    return array >= TORQUE                                ? c->features & WITH_TORQUE
           : array >= MOMENTUM_LOW && array < INERTIA     ? c->features & WITH_MOMENTUM_LOW
           : array >= ORIENTATION_LOW && array < MOMENTUM ? c->features & LOW
                                                          : true;
}

static bool valid(const call *c, const arrays *a, size_t i)
{
    bool good = true;
    for (size_t array = 0; array < ARRAYS; array++) {
        bool of_inertia = array >= INERTIA && array < TORQUE;
        good = good && (!reads(c, array) || (is_finite(a->at[array][i]) && (!of_inertia || a->at[array][i] > 0)));
    }
    return good;
}

/* A realistic body: an orientation close enough to unit length for the step to normalise it, moments from 1e-9 to 1e9,
   and a momentum that a kick does not take beyond the largest float. */
static bool sensible(const call *c, const arrays *a, size_t i)
{
    double sum = 0;
    bool good = valid(c, a, i);
    for (size_t k = 0; k < 4; k++) {
        double high = (double)a->at[ORIENTATION + k][i],
               low = c->features & LOW ? (double)a->at[ORIENTATION_LOW + k][i] : 0;
        sum += high * high;
        good = good && low > -0x1p-22 && low < 0x1p-22;
    }
    for (size_t k = 0; k < 3; k++) {
        double momentum = (double)a->at[MOMENTUM + k][i], moment = (double)a->at[INERTIA + k][i];
        double low = c->features & WITH_MOMENTUM_LOW ? (double)a->at[MOMENTUM_LOW + k][i] : 0;
        for (size_t other = 0; other < 3 && c->features & WITH_TORQUE; other++) { /* in the body's frame any may add */
            const double kick = (double)a->at[TORQUE + other][i] * (double)c->dt_s;
            good = good && kick > -1e36 && kick < 1e36;
        }
        good = good && moment >= 1e-9 && moment <= 1e9 && momentum > -1e36 && momentum < 1e36;
        good = good && low > -1e36 && low < 1e36;
    }
    good = good && (c->damping == 0 || c->dt_s == 0x1p-6f); /* backwards it may grow by any factor */
    return good && sum > 1 - 0x1p-20 && sum < 1 + 0x1p-20;
}

static bool unit(const arrays *a, size_t i)
{
    double sum = 0;
    for (int k = 0; k < 4; k++) {
        sum += (double)a->at[ORIENTATION + k][i] * (double)a->at[ORIENTATION + k][i];
    }
    return sum > 1 - 0x1p-20 && sum < 1 + 0x1p-20; /* 8 eps of the length */
}

static void expect_state(const call *c, const arrays *before, const arrays *after)
{
    for (size_t i = 0; i < BODIES_MAX; i++) {
        bool inside = i >= c->begin && i < c->end;
        for (size_t array = 0; array < ARRAYS; array++) {
            bool is_output = inside && array < INERTIA && reads(c, array);
            const float got = after->at[array][i];
            if (!is_output) {
                expect_unchanged("arrays that are only read", &after->at[array][i], &before->at[array][i],
                                 sizeof(float));
            } else if (c->dt_s != 0 && !valid(c, before, i)) {
                expect(got != got, "array %zu of invalid body %zu: got %a, wanted NaN", array, i, (double)got);
            } else if (array < MOMENTUM && sensible(c, before, i)) {
                expect(is_finite(got), "array %zu of body %zu: got %a, wanted a finite number", array, i, (double)got);
            }
        }
        if (inside && c->dt_s != 0 && sensible(c, before, i)) {
            expect(unit(after, i), "orientation of body %zu: got %a %a %a %a, wanted unit length", i,
                   (double)after->at[ORIENTATION][i], (double)after->at[ORIENTATION + 1][i],
                   (double)after->at[ORIENTATION + 2][i], (double)after->at[ORIENTATION + 3][i]);
        }
    }
}

static gyre_bodies bodies_of(const call *c, arrays *a)
{
    gyre_bodies bodies = {.count = c->count};
    for (int k = 0; k < 4; k++) {
        bodies.orientation[k] = a->at[ORIENTATION + k];
        bodies.orientation_low[k] = c->features & LOW ? a->at[ORIENTATION_LOW + k] : NULL;
        if (k < 3) {
            bodies.momentum[k] = a->at[MOMENTUM + k];
            bodies.inertia[k] = a->at[INERTIA + k];
            bodies.momentum_low[k] = c->features & WITH_MOMENTUM_LOW ? a->at[MOMENTUM_LOW + k] : NULL;
            bodies.torque[k] = c->features & WITH_TORQUE ? a->at[TORQUE + k] : NULL;
        }
    }
    bodies.torque_in_body = c->features & IN_BODY;
    bodies.angular_damping = c->damping;
    switch (c->trouble) {
    case 1: bodies.orientation[2] = NULL; break;
    case 2: bodies.orientation_low[3] = NULL; break;
    case 3: bodies.momentum[1] = NULL; break;
    case 5: bodies.inertia[2] = NULL; break;
    case 6: bodies.torque[1] = NULL; break;
    case 9: bodies.momentum_low[2] = NULL; break;
    default: break;
    }
    return bodies;
}

static void expect_same(const char *what, const arrays *got, const arrays *wanted)
{
    expect_floats(what, got->at[0], wanted->at[0], ARRAYS * BODIES_MAX);
}

static void expect_same_report(const char *what, const gyre_body_report *got, const gyre_body_report *wanted)
{
    expect(got->substeps == wanted->substeps && got->iterations == wanted->iterations &&
               got->unconverged == wanted->unconverged && got->lost_turns == wanted->lost_turns,
           "%s: got %llu substeps, %llu iterations, %llu unconverged, %llu lost turns, wanted %llu, %llu, %llu, %llu",
           what, (unsigned long long)got->substeps, (unsigned long long)got->iterations,
           (unsigned long long)got->unconverged, (unsigned long long)got->lost_turns,
           (unsigned long long)wanted->substeps, (unsigned long long)wanted->iterations,
           (unsigned long long)wanted->unconverged, (unsigned long long)wanted->lost_turns);
    expect_floats(what, &got->worst_residual, &wanted->worst_residual, 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    byte_source bytes = {data, size};
    const call c = take_call(&bytes);
    const arrays before = take_arrays(&bytes);
    arrays first[2];
    gyre_body_report first_report[2];
    bool have_first[2] = {false, false};
    const gyre_kernels *tables[2 * GYRE_ISA_COUNT];
    for (size_t count_of_tables = tables_here(tables), k = 0; k < count_of_tables; k++) {
        const gyre_kernels *table = fuzzed_table = tables[k];
        const gyre_rounding rounding = table->rounding;
        arrays after = before, sliced = before;
        gyre_body_report report = {0}, of_slices = {0};
        const gyre_bodies whole = bodies_of(&c, &after), parts = bodies_of(&c, &sliced);
        const gyre_bodies *b = c.trouble == 7 ? NULL : &whole;
        gyre_status status = table->bodies_step(b, c.begin, c.end, c.dt_s, &c.solver, &report);
        expect(may_answer(&c, b, status), "got status %s for %zu bodies, %zu to %zu, with mistake %d",
               gyre_status_name(status), c.count, c.begin, c.end, c.trouble);
        if (status < 0) {
            expect_unchanged("arrays after an error", &after, &before, sizeof after);
            continue;
        }
        expect((status == GYRE_INCOMPLETE) == (report.unconverged > 0), "the wrong status for the report");
        expect_state(&c, &before, &after);

        size_t middle = c.begin + (c.end - c.begin) * (c.features >> 4) / 16;
        table->bodies_step(&parts, c.begin, middle, c.dt_s, &c.solver, &of_slices);
        table->bodies_step(&parts, middle, c.end, c.dt_s, &c.solver, &of_slices);
        expect_same("two slices", &sliced, &after);
        expect_same_report("report of two slices", &of_slices, &report);
        if (have_first[rounding]) {
            expect_same("another table", &after, &first[rounding]);
            expect_same_report("report of another table", &report, &first_report[rounding]);
        }
        first[rounding] = after;
        first_report[rounding] = report;
        have_first[rounding] = true;
    }
    return 0;
}
