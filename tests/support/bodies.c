#include "support/bodies.h"

#include <math.h>

gyre_bodies bodies_of(body_batch *b, unsigned features)
{
    gyre_bodies bodies = {.count = BATCH_BODIES};
    for (int k = 0; k < 4; k++) {
        bodies.orientation[k] = b->at[ORIENTATION + k];
        bodies.orientation_low[k] = features & BODIES_LOW ? b->at[ORIENTATION_LOW + k] : NULL;
    }
    for (int k = 0; k < 3; k++) {
        bodies.momentum[k] = b->at[MOMENTUM + k];
        bodies.momentum_low[k] = features & BODIES_MOMENTUM_LOW ? b->at[MOMENTUM_LOW + k] : NULL;
        bodies.inertia[k] = b->at[INERTIA + k];
        bodies.torque[k] = features & BODIES_TORQUE ? b->at[TORQUE + k] : NULL;
    }
    bodies.torque_in_body = features & BODIES_TORQUE_IN_BODY;
    bodies.angular_damping = features & BODIES_DAMPING ? 1 : 0;
    return bodies;
}

bool array_is_read(size_t array, unsigned features)
{
    return array >= TORQUE                                ? features & BODIES_TORQUE
           : array >= MOMENTUM_LOW && array < INERTIA     ? features & BODIES_MOMENTUM_LOW
           : array >= ORIENTATION_LOW && array < MOMENTUM ? features & BODIES_LOW
                                                          : true;
}

vector random_inertia(random_source *random, bool physical, int from_exp, int to_exp)
{
    vector i = {{1, 1, 1}};
    if (physical) { /* moments of mass along each axis: any three positive ones are valid */
        double mass[3];
        for (int k = 0; k < 3; k++) {
            mass[k] = (double)random_magnitude(random, random_one_in(random, 4) ? -16 : -3, 0);
        }
        switch (random_below(random, 12)) {
        case 0: mass[0] = mass[1] = mass[2]; break; /* a sphere */
        case 1: mass[0] = mass[1]; break;           /* a symmetric top */
        case 2: mass[0] = mass[1] = 0x1p-18; break; /* a rod */
        case 3: mass[2] = 0; break;                 /* a plate */
        default: break;
        }
        i = (vector){{mass[1] + mass[2], mass[2] + mass[0], mass[0] + mass[1]}};
    } else {
        for (int k = 0; k < 3; k++) {
            i.at[k] = (double)random_magnitude(random, random_one_in(random, 4) ? -19 : -4, 0);
        }
    }
    double largest = fmax(i.at[0], fmax(i.at[1], i.at[2]));
    i = vector_scaled(i, (double)random_magnitude(random, from_exp, to_exp) / largest);
    int turn = (int)random_below(random, 3);
    return (vector){{i.at[turn], i.at[(turn + 1) % 3], i.at[(turn + 2) % 3]}};
}

/* The axis across which two moments are closest. */
static int odd_axis(vector inertia)
{
    const double *i = inertia.at, x = fabs(i[1] - i[2]), y = fabs(i[2] - i[0]), z = fabs(i[0] - i[1]);
    return z <= x && z <= y ? 2 : x <= y ? 0 : 1;
}

bool is_axisymmetric(vector inertia)
{
    const int axis = odd_axis(inertia);
    const double a = inertia.at[(axis + 1) % 3], b = inertia.at[(axis + 2) % 3];
    return fabs(a - b) <= 0x1p-22 * fmax(a, b);
}

vector with_equal_moments(vector inertia)
{
    const int next = (odd_axis(inertia) + 1) % 3, last = (next + 1) % 3;
    inertia.at[next] = inertia.at[last] = (inertia.at[next] + inertia.at[last]) / 2;
    return inertia;
}

reference_body random_body(random_source *random, int from_exp, int to_exp, double dt_s)
{
    reference_body body = {.orientation = random_attitude(random), .inertia = random_inertia(random, true, -10, 10)};
    /* momentum in any direction, or spin in any direction: elongated bodies then need far more sub-steps */
    body.momentum = random_direction(random);
    for (int k = 0; k < 3 && random_one_in(random, 4); k++) {
        body.momentum.at[k] *= body.inertia.at[k];
    }
    body.momentum = quaternion_rotate(body.orientation, body.momentum);
    double turn = (double)random_magnitude(random, from_exp, to_exp);
    body.momentum = vector_scaled(body.momentum, turn / dt_s / vector_length(reference_body_spin(&body)));
    double momentum = vector_length(body.momentum);
    body.torque = vector_scaled(random_direction(random), momentum / dt_s * 0.25 * (double)random_unit(random));
    return body;
}

void body_put(body_batch *b, size_t i, const reference_body *body)
{
    for (int k = 0; k < 4; k++) {
        double exact = body->orientation.at[k];
        b->at[ORIENTATION + k][i] = (float)exact;
        b->at[ORIENTATION_LOW + k][i] = (float)(exact - (double)b->at[ORIENTATION + k][i]);
    }
    for (int k = 0; k < 3; k++) {
        b->at[MOMENTUM + k][i] = (float)body->momentum.at[k];
        b->at[MOMENTUM_LOW + k][i] = (float)(body->momentum.at[k] - (double)b->at[MOMENTUM + k][i]);
        b->at[INERTIA + k][i] = (float)body->inertia.at[k];
        b->at[TORQUE + k][i] = (float)body->torque.at[k];
    }
}

reference_body body_get(const body_batch *b, size_t i, unsigned features)
{
    reference_body body;
    for (int k = 0; k < 4; k++) {
        double low = features & BODIES_LOW ? (double)b->at[ORIENTATION_LOW + k][i] : 0;
        body.orientation.at[k] = (double)b->at[ORIENTATION + k][i] + low;
    }
    body.orientation = quaternion_normalised(body.orientation);
    for (int k = 0; k < 3; k++) {
        const double momentum_low = features & BODIES_MOMENTUM_LOW ? (double)b->at[MOMENTUM_LOW + k][i] : 0;
        body.momentum.at[k] = (double)b->at[MOMENTUM + k][i] + momentum_low;
        body.inertia.at[k] = (double)b->at[INERTIA + k][i];
        body.torque.at[k] = features & BODIES_TORQUE ? (double)b->at[TORQUE + k][i] : 0;
    }
    return body;
}

void random_lengths(random_source *random, body_batch *b)
{
    for (size_t i = 0; i < BATCH_BODIES; i++) {
        bool near = random_one_in(random, 2);
        double length = near ? 1 + (double)random_signed(random, -26, -1) : (double)random_magnitude(random, -49, 49);
        for (int k = 0; k < 4; k++) {
            double exact = length * ((double)b->at[ORIENTATION + k][i] + (double)b->at[ORIENTATION_LOW + k][i]);
            b->at[ORIENTATION + k][i] = (float)exact;
            b->at[ORIENTATION_LOW + k][i] = (float)(exact - (double)b->at[ORIENTATION + k][i]);
        }
    }
}

body_batch random_bodies(random_source *random, int from_exp, int to_exp, double dt_s, bool specials)
{
    body_batch b;
    for (size_t i = 0; i < BATCH_BODIES; i++) {
        reference_body body = random_body(random, from_exp, to_exp, dt_s);
        body_put(&b, i, &body);
        if (random_one_in(random, 16)) { /* at rest */
            for (int k = 0; k < 3; k++) {
                b.at[MOMENTUM + k][i] = b.at[TORQUE + k][i] = 0;
            }
        }
        if (specials && random_one_in(random, 4)) {
            float special = special_floats[random_below(random, special_float_count)];
            b.at[random_below(random, BODY_ARRAYS)][i] = special;
        }
    }
    return b;
}

static const char *array_name(size_t array)
{
    return array < ORIENTATION_LOW ? "orientation"
           : array < MOMENTUM      ? "orientation_low"
           : array < MOMENTUM_LOW  ? "momentum"
           : array < INERTIA       ? "momentum_low"
           : array < TORQUE        ? "inertia"
                                   : "torque";
}

void check_bodies(check_place place, const body_batch *got, const body_batch *wanted)
{
    for (size_t array = 0; array < BODY_ARRAYS; array++) {
        CASE("%s, array %zu", array_name(array), array);
        check_same_floats(place, got->at[array], wanted->at[array], BATCH_BODIES);
    }
}

void check_body(check_place place, const body_batch *got, size_t i, const body_batch *wanted, size_t k)
{
    for (size_t array = 0; array < BODY_ARRAYS; array++) {
        CASE("body %zu, %s, array %zu", i, array_name(array), array);
        check_same_number(place, check_float(got->at[array][i]), check_float(wanted->at[array][k]));
    }
}

void check_report(check_place place, const gyre_body_report *got, const gyre_body_report *wanted)
{
    CASE("substeps, iterations, unconverged, worst_residual, lost_turns");
    if (got->substeps != wanted->substeps || got->iterations != wanted->iterations ||
        got->unconverged != wanted->unconverged || !same_float(got->worst_residual, wanted->worst_residual) ||
        got->lost_turns != wanted->lost_turns) {
        check_fail(place, "got %llu %llu %llu %a %llu, wanted %llu %llu %llu %a %llu",
                   (unsigned long long)got->substeps, (unsigned long long)got->iterations,
                   (unsigned long long)got->unconverged, (double)got->worst_residual,
                   (unsigned long long)got->lost_turns, (unsigned long long)wanted->substeps,
                   (unsigned long long)wanted->iterations, (unsigned long long)wanted->unconverged,
                   (double)wanted->worst_residual, (unsigned long long)wanted->lost_turns);
    }
}

void add_report(gyre_body_report *sum, const gyre_body_report *report)
{
    sum->substeps += report->substeps;
    sum->iterations += report->iterations;
    sum->unconverged += report->unconverged;
    sum->lost_turns += report->lost_turns;
    sum->worst_residual = fmaxf(sum->worst_residual, report->worst_residual);
}

void check_components(check_place place, const body_batch *b, size_t i, check_class_name wanted)
{
    for (size_t array = 0; array < INERTIA; array++) {
        if (array < ORIENTATION_LOW || (array >= MOMENTUM && array < MOMENTUM_LOW)) {
            CASE("body %zu, %s, array %zu", i, array_name(array), array);
            check_class(place, check_float(b->at[array][i]), wanted);
        }
    }
}

double off_unit(const body_batch *b, size_t i)
{
    double sum = 0;
    for (int k = 0; k < 4; k++) {
        sum += (double)b->at[ORIENTATION + k][i] * (double)b->at[ORIENTATION + k][i];
    }
    return fabs(sqrt(sum) - 1);
}

const method_case method_cases[METHOD_CASES] = {
    {"Moser-Veselov 6", GYRE_BODY_MOSER_VESELOV, 6, 6, true, true},
    {"Moser-Veselov 8", GYRE_BODY_MOSER_VESELOV, 8, 8, true, true},
    {"midpoint", GYRE_BODY_MIDPOINT, 0, 2, true, false},
    {"object trapezoid", GYRE_BODY_OBJECT_TRAPEZOID, 0, 2, true, true},
    {"trapezoid", GYRE_BODY_TRAPEZOID, 0, 2, true, false},
    {"explicit Euler", GYRE_BODY_EXPLICIT_EULER, 0, 0, false, true},
};

const method_case *next_method(method_loop *loop)
{
    end_methods(loop);
    if (loop->next == METHOD_CASES) {
        return NULL;
    }
    const method_case *m = &method_cases[loop->next++];
    loop->depth = check_enter_case(2, (check_value[]){check_pointer("%s"), check_pointer(m->name)});
    return m;
}

void end_methods(method_loop *loop)
{
    check_leave(&loop->depth);
    loop->depth = 0;
}

gyre_body_solver solver_of(const method_case *m) { return (gyre_body_solver){.method = m->method, .order = m->order}; }

void step_bodies(const gyre_kernels *table, body_batch *b, unsigned features, size_t begin, size_t end, float dt_s,
                 const gyre_body_solver *solver, gyre_body_report *report)
{
    gyre_bodies bodies = bodies_of(b, features);
    const uint64_t unconverged = report != NULL ? report->unconverged : 0;
    const gyre_status status = table->bodies_step(&bodies, begin, end, dt_s, solver, report);
    if (report != NULL) {
        check_status(status, report->unconverged > unconverged ? GYRE_INCOMPLETE : GYRE_OK);
    } else if (status != GYRE_INCOMPLETE) {
        check_status(status, GYRE_OK);
    }
}

body_batch one_stepped(const gyre_kernels *table, const method_case *m, unsigned features, const reference_body *body)
{
    static body_batch b;
    const gyre_body_solver solver = solver_of(m);
    body_put(&b, 0, body);
    step_bodies(table, &b, features, 0, 1, 1, &solver, NULL);
    return b;
}

bool has_bound(const method_case *m) { return m->method != GYRE_BODY_EXPLICIT_EULER; }

void check_body_share(worst_case *worst, double share, const body_batch *before, size_t i, float dt_s)
{
    const float(*at)[BATCH_BODIES] = before->at;
#define THREE(field) (double)at[field][i], (double)at[(field) + 1][i], (double)at[(field) + 2][i]
    CASE("q=%a %a %a %a low=%a %a %a %a dt=%a", THREE(ORIENTATION), at[ORIENTATION + 3][i], THREE(ORIENTATION_LOW),
         at[ORIENTATION_LOW + 3][i], dt_s);
    CASE("L=%a %a %a I=%a %a %a torque=%a %a %a", THREE(MOMENTUM), THREE(INERTIA), THREE(TORQUE));
    check_share(worst, share);
#undef THREE
}
