/* gyre_bodies_step on batches: the bits and the report of a body do not depend on the range, the other bodies, the
   alignment or the width of vectors; an invalid body affects no other. */
#include "support/bodies.h"

#include <math.h>
#include <string.h>

static const float frame_s = 0x1p-6f;

/* An ordinary time step, or one so short that momenta are far too large for a step to stay in the range of float
   without scaling. */
static float any_time_step(random_source *random) { return random_one_in(random, 4) ? 0x1p-46f : frame_s; }

/* Compact masses that need only one sub-step, in nearly all rows: whole blocks of them have stages of their own. */
static body_batch ordinary_bodies(random_source *random, float dt_s)
{
    body_batch b;
    for (size_t i = 0; i < BATCH_BODIES; i++) {
        reference_body body = random_body(random, -7, -2, (double)dt_s);
        double mass[3];
        for (int k = 0; k < 3; k++) {
            mass[k] = (double)random_magnitude(random, -4, 0);
        }
        body.inertia = (vector){{mass[1] + mass[2], mass[2] + mass[0], mass[0] + mass[1]}};
        double turn = random_one_in(random, 100) ? 4 : 0.79 * (double)random_unit(random);
        double spin = vector_length(reference_body_spin(&body)) * (double)dt_s;
        body.momentum = vector_scaled(body.momentum, turn / spin);
        body.torque = vector_scaled(body.momentum, 0x1p-4 * (double)random_unit(random));
        body_put(&b, i, &body);
    }
    return b;
}

/* A batch of one of several kinds: ordinary bodies, random ones, or heavy bodies among light ones, some of them
   invalid. */
static body_batch mixed_bodies(random_source *random, float dt_s)
{
    if (random_one_in(random, 3)) {
        return ordinary_bodies(random, dt_s);
    }
    body_batch b = random_bodies(random, -5, -1, (double)dt_s, random_one_in(random, 2));
    size_t odds = (size_t[]){100, 30, 3, 1000}[random_below(random, 4)];
    for (size_t i = 0; i < BATCH_BODIES; i++) {
        if (random_one_in(random, odds)) { /* up to more sub-steps than allowed */
            reference_body heavy = random_body(random, 2, 7, (double)dt_s);
            body_put(&b, i, &heavy);
        }
    }
    return b;
}

/* Mostly the default solver: it has the most code paths through a block. */
static gyre_body_solver any_solver(random_source *random)
{
    gyre_body_solver solver = {0};
    if (random_one_in(random, 2)) {
        solver = solver_of(&method_cases[random_below(random, METHOD_CASES)]);
    }
    switch (random_below(random, 5)) {
    case 0: solver.max_substeps = 1 + (int)random_below(random, 100); break;
    case 1: solver.max_iterations = 1 + (int)random_below(random, 10); break;
    case 2: solver.substeps = 1 + (int)random_below(random, 9); break;
    case 3: solver.fixed_point = true; break;
    default: break;
    }
    solver.tolerance = random_one_in(random, 3) ? random_magnitude(random, -20, -3) : 0;
    return solver;
}

/* ---- Slices ---- */

static void test_any_slice(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {1};
        for (size_t round = 0; round < effort(300); round++) {
            unsigned features = (unsigned)random_below(&random, BODIES_ALL_FEATURES);
            gyre_body_solver solver = any_solver(&random);
            float dt_s = any_time_step(&random);
            body_batch before = mixed_bodies(&random, dt_s), whole = before, sliced = before;
            size_t begin = random_below(&random, BATCH_BODIES + 1);
            size_t end = begin + random_below(&random, BATCH_BODIES + 1 - begin);
            dt_s = random_one_in(&random, 8) ? -dt_s : dt_s;
            gyre_body_report of_whole = {0}, of_slices = {0};
            step_bodies(table, &whole, features, begin, end, dt_s, &solver, &of_whole);
            size_t longest = 1 + random_below(&random, 70);
            for (size_t from = begin; from < end;) {
                size_t to = from + random_below(&random, longest + 1);
                to = to < end ? to : end;
                step_bodies(table, &sliced, features, from, to, dt_s, &solver, &of_slices);
                from = to;
            }
            CASE("method %d, features %#x, bodies %zu to %zu, dt_s %a", (int)solver.method, features, begin, end, dt_s);
            check_same_bodies(&sliced, &whole);
            check_same_report(&of_slices, &of_whole);
            for (size_t i = 0; i < BATCH_BODIES; i++) {
                if (i < begin || i >= end) {
                    check_same_body(&whole, i, &before, i);
                }
            }
        }
    }
}

/* Each body alone gives the same results as among the others, on the scalar table and on every other: the same bits for
   each rounding, and the same counts. */
static void test_alone_and_on_every_table(void **state)
{
    (void)state;
    for (int rounding = 0; rounding < 2; rounding++) {
        random_source random = {2};
        for (size_t round = 0; round < effort(60); round++) {
            unsigned features = (unsigned)round % BODIES_ALL_FEATURES;
            gyre_body_solver solver = any_solver(&random);
            const float dt_s = any_time_step(&random);
            const body_batch before = mixed_bodies(&random, dt_s);
            body_batch first;
            gyre_body_report of_first = {0};
            bool have_first = false;
            EACH_TABLE(table) {
                if ((int)table->rounding != rounding) {
                    continue;
                }
                body_batch single = before, whole = before;
                gyre_body_report of_single = {0}, of_whole = {0};
                for (size_t i = BATCH_BODIES; i-- > 0;) {
                    step_bodies(table, &single, features, i, i + 1, dt_s, &solver, &of_single);
                }
                step_bodies(table, &whole, features, 0, BATCH_BODIES, dt_s, &solver, &of_whole);
                CASE("method %d, features %#x, dt_s %a", (int)solver.method, features, dt_s);
                check_same_bodies(&single, &whole);
                check_same_report(&of_single, &of_whole);
                if (have_first) {
                    CASE("compared with the first table");
                    check_same_bodies(&whole, &first);
                    check_same_report(&of_whole, &of_first);
                }
                first = whole;
                of_first = of_whole;
                have_first = true;
            }
        }
    }
}

/* Changing the order of bodies does not change their bits. */
static void test_neighbours_do_not_matter(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {3};
        for (size_t round = 0; round < effort(100); round++) {
            unsigned features = (unsigned)round % BODIES_ALL_FEATURES;
            gyre_body_solver solver = any_solver(&random);
            const float dt_s = any_time_step(&random);
            body_batch straight = mixed_bodies(&random, dt_s), shuffled;
            size_t order[BATCH_BODIES];
            for (size_t i = 0; i < BATCH_BODIES; i++) {
                order[i] = i;
                size_t other = random_below(&random, i + 1);
                order[i] = order[other];
                order[other] = i;
            }
            for (size_t i = 0; i < BATCH_BODIES; i++) {
                for (size_t array = 0; array < BODY_ARRAYS; array++) {
                    shuffled.at[array][i] = straight.at[array][order[i]];
                }
            }
            gyre_body_report of_straight = {0}, of_shuffled = {0};
            step_bodies(table, &straight, features, 0, BATCH_BODIES, dt_s, &solver, &of_straight);
            step_bodies(table, &shuffled, features, 0, BATCH_BODIES, dt_s, &solver, &of_shuffled);
            CASE("method %d, features %#x, dt_s %a", (int)solver.method, features, dt_s);
            for (size_t i = 0; i < BATCH_BODIES; i++) {
                check_same_body(&shuffled, i, &straight, order[i]);
            }
            check_same_report(&of_shuffled, &of_straight);
        }
    }
}

/* GYRE_INCOMPLETE if a body in the range hit a limit or is invalid, with or without a report, however the range is
   sliced. */
static void test_status(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {8};
        size_t incomplete = 0, rounds = 40 + effort(160); /* few of them incomplete */
        for (size_t round = 0; round < rounds; round++) {
            CASE("round %zu", round);
            const unsigned features = (unsigned)random_below(&random, BODIES_ALL_FEATURES);
            const gyre_body_solver solver = any_solver(&random);
            const body_batch start =
                random_one_in(&random, 2) ? mixed_bodies(&random, frame_s) : ordinary_bodies(&random, frame_s);
            const size_t begin = random_below(&random, BATCH_BODIES), end = begin + 1 + random_below(&random, 20);
            const size_t last = end < BATCH_BODIES ? end : BATCH_BODIES;
            body_batch b = start;
            bool any = false;
            for (size_t i = begin; i < last; i++) {
                gyre_body_report report = {0};
                step_bodies(table, &b, features, i, i + 1, frame_s, &solver, &report);
                check(report.unconverged, <=, 1);
                any = any || report.unconverged == 1;
            }
            b = start;
            const gyre_bodies bodies = bodies_of(&b, features);
            check_status(table->bodies_step(&bodies, begin, last, frame_s, &solver, NULL),
                         any ? GYRE_INCOMPLETE : GYRE_OK);
            incomplete += any;
        }
        check(incomplete, >, 0);
        check(incomplete, <, rounds);
    }
}

/* ---- Memory ---- */

/* Every length and alignment, in memory that faults outside. */
static void test_alignment_and_bounds(void **state)
{
    (void)state;
    guarded_memory memory[BODY_ARRAYS];
    for (size_t k = 0; k < BODY_ARRAYS; k++) {
        memory[k] = guarded_new(BATCH_BODIES * sizeof(float) + 64);
    }
    EACH_TABLE(table) {
        random_source random = {4};
        for (size_t count = 0; count <= 70; count++) {
            for (size_t offset = 0; offset <= 16; offset += 4) {
                unsigned features = (unsigned)random_below(&random, BODIES_ALL_FEATURES);
                gyre_body_solver solver = any_solver(&random);
                body_batch b = mixed_bodies(&random, frame_s);
                float *at[BODY_ARRAYS];
                for (size_t k = 0; k < BODY_ARRAYS; k++) {
                    at[k] = offset < 16 ? (float *)(void *)memory[k].begin + (offset * (k + 1) + k) % 17
                                        : (float *)(void *)memory[k].end - count;
                    memcpy(at[k], b.at[k], count * sizeof(float));
                }
                gyre_bodies bodies = bodies_of(&b, features);
                bodies.count = count;
                for (size_t k = 0; k < 4; k++) {
                    bodies.orientation[k] = at[ORIENTATION + k];
                    bodies.orientation_low[k] = features & BODIES_LOW ? at[ORIENTATION_LOW + k] : NULL;
                }
                for (size_t k = 0; k < 3; k++) {
                    bodies.momentum[k] = at[MOMENTUM + k];
                    bodies.momentum_low[k] = features & BODIES_MOMENTUM_LOW ? at[MOMENTUM_LOW + k] : NULL;
                    bodies.inertia[k] = at[INERTIA + k];
                    bodies.torque[k] = features & BODIES_TORQUE ? at[TORQUE + k] : NULL;
                }
                CASE("%zu bodies, offset %zu, features %#x", count, offset, features);
                gyre_body_report report = {0};
                const gyre_status status = table->bodies_step(&bodies, 0, count, frame_s, &solver, NULL);
                step_bodies(table, &b, features, 0, count, frame_s, &solver, &report);
                check_status(status, report.unconverged > 0 ? GYRE_INCOMPLETE : GYRE_OK);
                body_batch moved = b;
                for (size_t k = 0; k < BODY_ARRAYS; k++) {
                    memcpy(moved.at[k], at[k], count * sizeof(float));
                }
                check_same_bodies(&moved, &b);
            }
        }
    }
    for (size_t k = 0; k < BODY_ARRAYS; k++) {
        guarded_free(memory[k]);
    }
}

/* ---- Isolation ---- */

/* One invalid body: only it becomes NaN, and the report counts it as unconverged and in no other way. */
static void test_invalid_bodies(void **state)
{
    (void)state;
    const float not_finite[] = {NAN, -NAN, INFINITY, -INFINITY};
    const float not_positive[] = {0, -0.0f, -1, -0x1p-149f, -0x1p100f};
    EACH_TABLE(table) {
        random_source random = {5};
        for (size_t round = 0; round < effort(600); round++) {
            unsigned features = (unsigned)round % BODIES_ALL_FEATURES;
            gyre_body_solver solver = any_solver(&random);
            body_batch clean = random_bodies(&random, -5, 5, (double)frame_s, false), invalid = clean, rest = clean;
            size_t where = random_below(&random, BATCH_BODIES), array = random_below(&random, BODY_ARRAYS);
            const bool of_inertia = array >= INERTIA && array < TORQUE, is_read = array_is_read(array, features);
            invalid.at[array][where] = of_inertia && random_one_in(&random, 2)
                                           ? not_positive[random_below(&random, LENGTH(not_positive))]
                                           : not_finite[random_below(&random, LENGTH(not_finite))];
            rest.at[array][where] = invalid.at[array][where];
            const float left_low = invalid.at[ORIENTATION_LOW][where];
            gyre_body_report of_clean = {0}, of_invalid = {0}, of_one = {0};
            step_bodies(table, &clean, features, 0, BATCH_BODIES, frame_s, &solver, &of_clean);
            step_bodies(table, &invalid, features, 0, BATCH_BODIES, frame_s, &solver, &of_invalid);
            CASE("method %d, features %#x, body %zu with %a in array %zu", (int)solver.method, features, where,
                 rest.at[array][where], array);
            if (is_read) {
                check_body_is_nan(&invalid, where);
                step_bodies(table, &rest, features, where, where + 1, frame_s, &solver, &of_one);
                check(of_one.unconverged, ==, 1);
                check(of_one.substeps, ==, 0);
                check(of_one.iterations, ==, 0);
                check(of_one.worst_residual, ==, 0);
            } else {
                check_body_is_finite(&invalid, where);
            }
            if (!(features & BODIES_LOW)) {
                check_same(invalid.at[ORIENTATION_LOW][where], left_low);
            }
            for (size_t i = 0; i < BATCH_BODIES; i++) {
                if (i != where) {
                    check_same_body(&invalid, i, &clean, i);
                }
            }
        }
    }
}

/* Reports accumulate, and the worst residual never falls. */
static void test_reports_add_up(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {6};
        for (size_t round = 0; round < effort(40); round++) {
            gyre_body_solver solver = any_solver(&random);
            body_batch a = mixed_bodies(&random, frame_s), b = a, unreported = a;
            gyre_body_report fresh = {0}, used = {1000, 2000, 3000, 1e30f};
            step_bodies(table, &a, 0, 0, BATCH_BODIES, frame_s, &solver, &fresh);
            step_bodies(table, &b, 0, 0, BATCH_BODIES, frame_s, &solver, &used);
            step_bodies(table, &unreported, 0, 0, BATCH_BODIES, frame_s, &solver, NULL);
            check_same_bodies(&unreported, &a);
            check(used.substeps, ==, fresh.substeps + 1000);
            check(used.iterations, ==, fresh.iterations + 2000);
            check(used.unconverged, ==, fresh.unconverged + 3000);
            check(used.worst_residual, ==, 1e30f);
            check(fresh.worst_residual, >=, 0); /* not NaN */
            step_bodies(table, &a, 0, 7, 7, frame_s, &solver, &used);
            check(used.substeps, ==, fresh.substeps + 1000);
        }
    }
}

/* ---- Threads ---- */

enum { JOBS = 4 };

typedef struct job {
    const gyre_kernels *table;
    const gyre_bodies *bodies;
    size_t begin, end;
    gyre_body_report report;
    gyre_status status;
} job;

static void *run_job(void *argument)
{
    job *j = argument;
    for (int steps = 0; steps < 50 && j->status >= 0; steps++) {
        j->status = j->table->bodies_step(j->bodies, j->begin, j->end, frame_s, NULL, &j->report);
    }
    return NULL;
}

/* Threads on disjoint ranges, each with its own report, give the same bits as one thread. */
static void test_threads(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {7};
        body_batch alone = mixed_bodies(&random, frame_s), together = alone;
        gyre_bodies of_alone = bodies_of(&alone, BODIES_LOW | BODIES_TORQUE | BODIES_MOMENTUM_LOW);
        gyre_bodies of_together = bodies_of(&together, BODIES_LOW | BODIES_TORQUE | BODIES_MOMENTUM_LOW);
        job one = {table, &of_alone, 0, BATCH_BODIES, {0}, GYRE_OK}, jobs[JOBS];
        run_job(&one);
        check((int)one.status, >=, 0);
        gyre_body_report sum = {0};
        for (size_t k = 0; k < JOBS; k++) {
            jobs[k] = (job){table, &of_together, k * BATCH_BODIES / JOBS, (k + 1) * BATCH_BODIES / JOBS, {0}, GYRE_OK};
        }
        run_together(run_job, jobs, sizeof jobs[0], JOBS);
        for (size_t k = 0; k < JOBS; k++) {
            CASE("thread %zu", k);
            check((int)jobs[k].status, >=, 0);
            add_report(&sum, &jobs[k].report);
        }
        check_same_bodies(&together, &alone);
        check_same_report(&sum, &one.report);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_any_slice),
        TEST(test_alone_and_on_every_table),
        TEST(test_neighbours_do_not_matter),
        TEST(test_status),
        TEST(test_alignment_and_bounds),
        TEST(test_invalid_bodies),
        TEST(test_reports_add_up),
        TEST(test_threads),
    };
    return cmocka_run_group_tests_name("body_batches", tests, NULL, NULL);
}
