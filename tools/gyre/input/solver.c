#include "input/solver.h"

#include <stdio.h>
#include <string.h>

static const char *const methods[] = {
    [GYRE_BODY_MOSER_VESELOV] = "moser_veselov",       [GYRE_BODY_MIDPOINT] = "midpoint",
    [GYRE_BODY_OBJECT_TRAPEZOID] = "object_trapezoid", [GYRE_BODY_TRAPEZOID] = "trapezoid",
    [GYRE_BODY_EXPLICIT_EULER] = "explicit_euler",
};

enum { METHOD_COUNT = sizeof methods / sizeof methods[0] };

/* False if there is none. */
static bool method_named(const char *name, gyre_body_method *out)
{
    for (size_t i = 0; i < METHOD_COUNT; i++) {
        if (strcmp(name, methods[i]) == 0) {
            *out = (gyre_body_method)i;
            return true;
        }
    }
    return false;
}

/* "moser_veselov, midpoint, ..." */
static const char *method_list(void)
{
    static char list[128];
    size_t length = 0;
    for (size_t i = 0; i < METHOD_COUNT; i++) {
        const char *between = i == 0 ? "" : i + 1 < METHOD_COUNT ? ", " : " or ";
        length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", between, methods[i]);
    }
    return list;
}

/* False: a step has a closed form. */
static bool iterates(const gyre_body_solver *solver)
{
    return solver->method != GYRE_BODY_EXPLICIT_EULER && solver->method != GYRE_BODY_MOSER_VESELOV;
}

static void read_method(const struct node *where, gyre_body_solver *solver)
{
    struct node method = member(where, "method"), order = member(where, "order");
    if (method.value != NULL && !method_named(string(&method), &solver->method)) {
        bad(&method, "is \"%s\", expected %s", string(&method), method_list());
    }
    if (order.value == NULL) {
        return;
    }
    if (solver->method != GYRE_BODY_MOSER_VESELOV) {
        bad(&order, "applies to %s only; the method is %s", methods[GYRE_BODY_MOSER_VESELOV], methods[solver->method]);
    }
    size_t stated = whole_number(&order, 0, SIZE_MAX);
    if (stated != 6 && stated != 8) {
        bad(&order, "is %zu, expected 6 or 8", stated);
    }
    solver->order = (int)stated;
}

/* The library takes no more sub-steps. An iteration that has not converged by then does not. */
enum { MOST_SUBSTEPS = 1 << 24, MOST_ITERATIONS = 1000 };

static int read_limit(const struct node *where, const char *key, int most)
{
    struct node stated = member(where, key);
    return stated.value != NULL ? (int)whole_number(&stated, 1, (size_t)most) : 0;
}

/* A key without effect is an error. */
static void expect_iterations(const struct node *where, const gyre_body_solver *solver)
{
    static const char *const keys[] = {"tolerance", "max_iterations", "fixed_point"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0] && !iterates(solver); i++) {
        struct node stated = member(where, keys[i]);
        if (stated.value != NULL) {
            bad(&stated, "applies to iterative methods only; %s does not iterate", methods[solver->method]);
        }
    }
}

gyre_body_solver solver_read(const struct node *where)
{
    gyre_body_solver solver = {0};
    if (where->value == NULL) {
        return solver;
    }
    only_keys(where, (const char *const[]){"method", "order", "tolerance", "max_iterations", "max_substeps", "substeps",
                                           "fixed_point", NULL});
    struct node tolerance = member(where, "tolerance");
    read_method(where, &solver);
    solver.tolerance = tolerance.value != NULL ? (float)number_from(&tolerance, 0) : 0;
    solver.max_iterations = read_limit(where, "max_iterations", MOST_ITERATIONS);
    solver.max_substeps = read_limit(where, "max_substeps", MOST_SUBSTEPS);
    solver.substeps = read_limit(where, "substeps", MOST_SUBSTEPS);
    solver.fixed_point = flag(where, "fixed_point");
    expect_iterations(where, &solver);
    return solver;
}
