#include "reference/bounces.h"

#include <math.h>

enum { PIECES = 64, BISECTIONS = 60, MOST_BOUNCES = 8 };

static bool is_beyond(reference_bounds bounds, real position)
{
    return position < bounds.lower || position > bounds.upper;
}

/* The part of the time until `path` leaves the bounds, of a piece that ends beyond them. */
static real time_within(reference_path path, real begin_s, reference_state from, real piece, reference_bounds bounds)
{
    real within = 0, beyond = piece;
    for (int i = 0; i < BISECTIONS; i++) {
        const real middle = (within + beyond) / 2;
        *(is_beyond(bounds, path.after(path.context, begin_s, from, middle).position) ? &beyond : &within) = middle;
    }
    return within;
}

reference_bounced reference_between_bounds(reference_path path, real dt_s, reference_bounds bounds,
                                           reference_state start)
{
    reference_bounced result = {start, 0, INFINITY};
    reference_state *now = &result.state;
    real passed = 0;
    for (int pieces = 0; pieces < PIECES * (MOST_BOUNCES + 1) && fabsl(passed) < fabsl(dt_s); pieces++) {
        const real left = dt_s - passed, piece = fabsl(left) < fabsl(dt_s) / PIECES ? left : dt_s / PIECES;
        const reference_state next = path.after(path.context, passed, *now, piece);
        if (!is_beyond(bounds, next.position)) {
            *now = next;
            passed = piece == left ? dt_s : passed + piece;
            continue;
        }
        const real within = time_within(path, passed, *now, piece, bounds);
        *now = path.after(path.context, passed, *now, within);
        now->position = next.position < bounds.lower ? bounds.lower : bounds.upper;
        result.least_speed = fminl(result.least_speed, fabsl(now->velocity));
        now->velocity *= dt_s > 0 ? -bounds.bounce : -1 / bounds.bounce;
        passed += within;
        if (++result.bounces == MOST_BOUNCES) {
            break;
        }
    }
    return result;
}
