/* Bounds on positions, judged by the ends of a step (common/bounds-inl.h), for floats and for doubles, on every table,
   against the formula in long double. */
#include "simd/tables.h"

#include <math.h>
#include <string.h>

static float between(random_source *random, float least, float most)
{
    return least + (most - least) * random_unit(random);
}

/* One element: position, velocity and their low parts, before and after a step. */
typedef struct bounded {
    float before[4], after[4], lower, upper, bounce, rest_speed;
    bool backward;
} bounded;

static bool has_low_parts(const bounded *b)
{
    return b->before[2] != 0 || b->before[3] != 0 || b->after[2] != 0 || b->after[3] != 0;
}

/* The same in every lane: `after`, kept within the bounds. */
static void keep(const vf_ops *ops, const bounded *b, float got[4])
{
    float lanes[8][16], lower[16], upper[16], rest_speed[16], *before[4], *after[4];
    for (size_t k = 0; k < 4; k++) {
        before[k] = lanes[k];
        after[k] = lanes[4 + k];
        for (size_t lane = 0; lane < 16; lane++) {
            before[k][lane] = b->before[k];
            after[k][lane] = b->after[k];
            lower[lane] = b->lower;
            upper[lane] = b->upper;
            rest_speed[lane] = b->rest_speed;
        }
    }
    (has_low_parts(b) ? ops->vfd_bounded_by_ends : ops->vf_bounded_by_ends)(after, before, lower, upper, b->bounce,
                                                                            rest_speed, b->backward ? -1 : 1);
    for (size_t k = 0; k < 4; k++) {
        got[k] = after[k][0];
        for (size_t lane = 1; lane < ops->lanes; lane++) {
            CASE("array %zu, lane %zu", k, lane);
            check_bits(after[k][lane], got[k]);
        }
    }
}

/* Whether the element meets a bound, and its state then. */
static bool expected(const bounded *b, long double *position, long double *velocity)
{
    const long double x0 = (long double)b->before[0] + b->before[2], v0 = (long double)b->before[1] + b->before[3];
    const long double x1 = (long double)b->after[0] + b->after[2], v1 = (long double)b->after[1] + b->after[3];
    const bool above = fmaxl(x1, b->lower) > b->upper || x1 == b->upper;
    const long double side = above ? 1 : -1, bound = above ? b->upper : b->lower;
    const bool outward = (b->backward ? -side : side) * v1 > 0, beyond = side * x1 > side * bound;
    *position = bound;
    *velocity = v1;
    if (!beyond && !(x0 == bound && x1 == bound && outward)) {
        return false;
    }
    if (x0 == bound && v0 == 0) {
        *velocity = 0; /* it lies on the bound */
    } else if (outward) {
        const bool was_beyond = side * (x0 - bound) > 0;
        const long double part = x1 == x0 ? 0 : (bound - x0) / (x1 - x0);
        const long double speed = was_beyond ? fabsl(v1) : sqrtl(fmaxl(v0 * v0 + (v1 * v1 - v0 * v0) * part, 0));
        const long double back = b->bounce > 0 ? 1 / (long double)b->bounce : 0;
        const long double left = speed * (b->backward ? back : b->bounce);
        *velocity = left <= b->rest_speed ? 0 : (b->backward ? side : -side) * left;
    }
    return true;
}

static void test_random_states(void **state)
{
    (void)state;
    random_source random = {5};
    EACH_OPS(ops) {
        for (int i = 0; i < 20000; i++) {
            const bool precise = i % 2 != 0;
            bounded b = {.lower = between(&random, -2, 0.5f),
                         .upper = between(&random, 0, 2),
                         .bounce = i % 5 == 0 ? (float)(i % 2) : between(&random, 0, 1),
                         .rest_speed = i % 3 == 0 ? between(&random, 0, 0.5f) : 0,
                         .backward = i % 11 < 3};
            b.upper = fmaxf(b.lower, b.upper);
            for (size_t k = 0; k < 2; k++) {
                b.before[k] = between(&random, -3, 3);
                b.after[k] = between(&random, -3, 3);
            }
            if (i % 7 == 0) { /* on a bound, or beyond it by a low part alone */
                b.before[0] = b.upper;
                b.after[0] = i % 2 == 0 ? b.before[0] : b.lower;
                b.before[1] = i % 3 == 0 ? 0 : b.before[1];
            }
            const float low = !precise ? 0 : i % 4 == 1 ? 0x1p-26f : -0x1p-26f; /* relative to the high part */
            for (size_t k = 0; k < 2; k++) {
                b.before[2 + k] = -low * b.before[k];
                b.after[2 + k] = low * b.after[k];
            }
            CASE("[%a, %a] bounce %a rest %a %s: %a+%a %a+%a to %a+%a %a+%a", b.lower, b.upper, b.bounce, b.rest_speed,
                 b.backward ? "backward" : "forward", b.before[0], b.before[2], b.before[1], b.before[3], b.after[0],
                 b.after[2], b.after[1], b.after[3]);
            float got[4];
            long double position, velocity;
            keep(ops, &b, got);
            if (!expected(&b, &position, &velocity)) {
                check_bytes(got, b.after, sizeof got);
                continue;
            }
            check(got[0], ==, (float)position);
            check(got[2], ==, 0);
            /* The square of the speed is a sum of parts of both squares, which are accurate to 2^-50. A float is
               rounded. */
            const long double rounding = has_low_parts(&b) ? 0 : fabsl(velocity) * 0x1p-24L;
            const long double error = fmaxl(fabsl((long double)got[1] + got[3] - velocity) - rounding, 0);
            const long double back = b.backward && b.bounce > 0 ? 1 / (long double)b.bounce : 1;
            const long double squares = (long double)b.before[1] * b.before[1] + (long double)b.after[1] * b.after[1];
            check(error * fabsl(velocity), <=, back * back * squares * 0x1p-48L);
            check(fabsf(got[1] - (float)velocity), <=, fabsf((float)velocity) * 0x1p-23f);
        }
    }
}

/* An element pressed on a bound comes to rest there, a square out of the range of float does no harm, a NaN bound has
   no effect, and a NaN state stays NaN. */
static void test_special_states(void **state)
{
    (void)state;
    EACH_OPS(ops) {
        float got[4];
        const bounded pressed = {.before = {1, 0}, .after = {1.25f, 3}, .lower = -1, .upper = 1, .bounce = 1};
        keep(ops, &pressed, got);
        check_bits(got[0], 1);
        check_bits(got[1], 0);
        const bounded fast = {
            .before = {0, -3e38f}, .after = {-3e38f, -3e38f}, .lower = -1, .upper = 1, .bounce = 0.5f};
        keep(ops, &fast, got);
        check_bits(got[0], -1);
        check_bits(got[1], 1.5e38f);
        const bounded inward = {.before = {0, 1}, .after = {4, -2}, .lower = -1, .upper = 1, .bounce = 1};
        keep(ops, &inward, got);
        check_bits(got[0], 1);
        check_bits(got[1], -2);
        const bounded unbounded = {.before = {0, 1}, .after = {4, 2}, .lower = NAN, .upper = NAN, .bounce = 1};
        keep(ops, &unbounded, got);
        check_bits(got[0], 4);
        check_bits(got[1], 2);
        const bounded not_a_number = {.before = {NAN, 1}, .after = {NAN, 2}, .lower = -1, .upper = 1, .bounce = 1};
        keep(ops, &not_a_number, got);
        check(isnan(got[0]), !=, 0);
        check_bits(got[1], 2);
        const bounded crossed = {.before = {0, 1}, .after = {0.5f, 1}, .lower = 2, .upper = -2};
        keep(ops, &crossed, got);
        check_bits(got[0], -2); /* min(max(x, lower), upper) */
        check_bits(got[1], 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_random_states),
        TEST(test_special_states),
    };
    return cmocka_run_group_tests_name("simd_bounds", tests, NULL, NULL);
}
