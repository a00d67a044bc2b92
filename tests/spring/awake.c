/* Flags of which springs are awake, after any step of random batches. spring/sleep.c tests springs that are skipped. */
#include "support/batch.h"

#include <math.h>
#include <string.h>

/* Whether spring k of a batch moves, or is away from where it rests, or is NaN. `known`: false where rounding hides how
   many turns it is away. */
static bool is_unsettled(const batch *b, unsigned features, bool bounds, size_t k, bool *known)
{
    const bool low = features & FEATURE_LOW;
    const float target = features & FEATURE_TARGET ? b->target[k] : 0;
    const double position = b->position[k] + (low ? (double)b->position_low[k] : 0);
    const double velocity = b->velocity[k] + (low ? (double)b->velocity_low[k] : 0);
    const double x = low ? position - target : b->position[k] - target;
    bool at_target = x == 0 || (features & FEATURE_PERIOD && remainder(x, 360) == 0 && fabs(x) < 1e6);
    if (bounds) {
        at_target = at_target || (position == b->lower[k] && target < b->lower[k]) ||
                    (position == b->upper[k] && target > b->upper[k]);
    }
    *known = !(features & FEATURE_PERIOD && fabs(x) >= 1e6);
    return !(at_target && velocity == 0);
}

/* awake is 1 exactly if a value has changed, low parts included, or is NaN; after a step of no time, if the state is
   unsettled. The array changes no other result. */
static void test_awake_flags(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {4};
        size_t awake = 0, asleep = 0;
        for (size_t i = 0; i < effort(2000); i++) {
            unsigned features = nth_features(i) & ~(unsigned)(FEATURE_AWAKE | FEATURE_SKIP);
            const bool no_time = random_one_in(&random, 3);
            gyre_spring_matrix matrix = no_time ? (gyre_spring_matrix){1, 0, 0, 1} : random_matrix(&random);
            batch with = batch_random(&random, true);
            for (size_t k = 0; k < BATCH_SPRINGS; k += 7) { /* at the target, or whole turns away */
                with.position[k] = with.target[k] = (float)(k + 1);
                with.position[k] += k % 2 ? 720 : 0;
                with.velocity[k] = with.position_low[k] = with.velocity_low[k] = 0;
                with.target_before[k] = k % 14 ? with.target_before[k] : with.target[k];
            }
            const batch before = with;
            batch without = with;
            gyre_springs springs = batch_springs(&with, features | FEATURE_AWAKE);
            gyre_springs unflagged = batch_springs(&without, features);
            check_status(table->springs_step(&springs, 0, BATCH_SPRINGS, &matrix), GYRE_OK);
            check_status(table->springs_step(&unflagged, 0, BATCH_SPRINGS, &matrix), GYRE_OK);
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                CASE("features %#x, no time %d, position %a to %a, velocity %a to %a, target %a", features, no_time,
                     before.position[k], with.position[k], before.velocity[k], with.velocity[k], with.target[k]);
                if (no_time) {
                    bool known;
                    const bool unsettled = is_unsettled(&before, features, springs.lower != NULL, k, &known);
                    if (known) {
                        check(with.awake[k], ==, unsettled);
                    }
                } else {
                    check(with.awake[k], ==, batch_has_changed(&before, &with, features, k));
                }
                awake += with.awake[k] == 1;
                asleep += with.awake[k] == 0;
            }
            CASE("features %#x, with and without awake", features);
            memcpy(without.awake, with.awake, sizeof with.awake);
            check_same_batch(&with, &without);
        }
        check(awake, >, 0);
        check(asleep, >, 0);
        check(awake + asleep, ==, effort(2000) * BATCH_SPRINGS); /* only 0 and 1 occur */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_awake_flags),
    };
    return cmocka_run_group_tests_name("spring_awake", tests, NULL, NULL);
}
