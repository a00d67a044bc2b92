/* gyre_springs_step_each: the same bits as one spring at a time, the stated error in every regime, and parameters that
   change while springs move. */
#include "support/batch.h"
#include "reference/spring.h"

#include <math.h>
#include <string.h>

static const real eps = 0x1p-24L;
static const real flush_limit = 0x1p-95L;

typedef struct parameters {
    float w[BATCH_SPRINGS], z[BATCH_SPRINGS];
    float follow[BATCH_SPRINGS], time_scale[BATCH_SPRINGS];
    bool has_follow, has_time_scale;
} parameters;

static float random_zero(random_source *random) { return random_one_in(random, 2) ? 0.0f : -0.0f; }

static float random_ratio(random_source *random)
{
    switch (random_below(random, 6)) {
    case 0: return random_one_in(random, 4) ? random_zero(random) : 2 * random_unit(random);
    case 1: /* 1 +- 2^-k for every k */
        return 1 + (random_one_in(random, 2) ? 1 : -1) * ldexpf(1, -1 - (int)random_below(random, 24));
    case 2: return 1 + random_signed(random, -24, -2);
    case 3: return 1;
    default: return fminf(random_magnitude(random, -20, 14), 1e4f);
    }
}

/* w |dt| up to 1e4, with an occasional spring of frequency 0. */
static parameters random_parameters(random_source *random, float dt)
{
    parameters p;
    for (size_t k = 0; k < BATCH_SPRINGS; k++) {
        float angle = fminf(random_magnitude(random, -24, 14), 9999);
        p.w[k] = random_one_in(random, 32) ? random_zero(random) : angle / fabsf(dt);
        p.z[k] = random_ratio(random);
    }
    p.has_follow = p.has_time_scale = false;
    return p;
}

/* ---- The same bits as gyre_spring_matrix_at and gyre_springs_step ---- */

/* Steps springs begin..end-1 one at a time. Where the matrix is out of range, the contract leaves the result open, and
   it is copied from `got`. */
static void step_alone(const gyre_kernels *table, batch *b, unsigned features, const parameters *p, float dt,
                       const batch *got)
{
    gyre_springs springs = batch_springs(b, features);
    for (size_t k = 0; k < BATCH_SPRINGS; k++) {
        gyre_spring_matrix m;
        const gyre_spring spring = {p->w[k], p->z[k], p->has_follow ? p->follow[k] : 0};
        const gyre_status status = table->spring_matrix_at(spring, p->has_time_scale ? dt * p->time_scale[k] : dt, &m);
        if (status == GYRE_OK) {
            check_status(table->springs_step(&springs, k, k + 1, &m), GYRE_OK);
        } else if (status == GYRE_ERROR_VALUE && !batch_sleeps(features, k)) {
            b->position[k] = b->velocity[k] = NAN;
            if (features & FEATURE_LOW) {
                b->position_low[k] = b->velocity_low[k] = NAN;
            }
            b->awake[k] = features & FEATURE_AWAKE ? 1 : b->awake[k];
        } else {
            b->position[k] = got->position[k];
            b->velocity[k] = got->velocity[k];
            b->position_low[k] = got->position_low[k];
            b->velocity_low[k] = got->velocity_low[k];
            b->awake[k] = got->awake[k];
        }
    }
}

static void check_as_alone(const gyre_kernels *table, const batch *start, unsigned features, const parameters *p,
                           float dt)
{
    batch got = *start, want = *start;
    gyre_springs springs = batch_springs(&got, features);
    CASE("features %#x, t=%a", features, dt);
    check_status(table->springs_step_each(&springs, 0, BATCH_SPRINGS, p->w, p->z, p->has_follow ? p->follow : NULL,
                                          p->has_time_scale ? p->time_scale : NULL, dt),
                 GYRE_OK);
    step_alone(table, &want, features, p, dt, &got);
    check_same_batch(&got, &want);
}

/* All regimes and invalid parameters, mixed. */
static void test_bits_of_one_at_a_time(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {1};
        for (size_t i = 0; i < effort(400); i++) {
            float dt = random_signed(&random, -12, 4);
            parameters p = random_parameters(&random, dt);
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                if (random_one_in(&random, 16)) {
                    *(random_one_in(&random, 2) ? &p.w[k] : &p.z[k]) =
                        special_floats[random_below(&random, special_float_count)];
                }
            }
            p.has_follow = i % 4 == 1;
            p.has_time_scale = i % 3 == 1;
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                p.follow[k] = random_unit(&random);
                p.time_scale[k] = random_one_in(&random, 4) ? random_zero(&random) : random_signed(&random, -8, 3);
                if (random_one_in(&random, 16)) {
                    *(random_one_in(&random, 2) ? &p.follow[k] : &p.time_scale[k]) =
                        special_floats[random_below(&random, special_float_count)];
                }
            }
            batch start = batch_random(&random, true);
            check_as_alone(table, &start, nth_features(i), &p, dt);
        }
    }
}

/* One spring of another kind among springs of one kind, in every lane: code that only this spring needs runs for the
   whole vector, and must not change the other lanes. */
static void test_one_among_others(void **state)
{
    (void)state;
    const gyre_spring kinds[] = {{0, 0},          {10, 0.3f}, {1e-3f, 0.5f},  {10, 1},       {10, 1 + 0x1p-20f},
                                 {200, 3},        {3e4f, 1},  {3e4f, 0.001f}, {5, 1e4f},     {1e30f, 2},
                                 {1e38f, 1e-30f}, {NAN, 1},   {-1, 0.5f},     {10, INFINITY}};
    EACH_TABLE(table) {
        random_source random = {2};
        batch start = batch_random(&random, false);
        for (size_t many = 0; many < LENGTH(kinds); many++) {
            for (size_t one = 0; one < LENGTH(kinds); one++) {
                parameters p = {.has_follow = false};
                for (size_t k = 0; k < BATCH_SPRINGS; k++) { /* steps of 17 reach every lane of every vector size */
                    gyre_spring spring = kinds[k % 17 == 0 ? one : many];
                    p.w[k] = spring.angular_frequency;
                    p.z[k] = spring.damping_ratio;
                }
                CASE("w=%a z=%a among w=%a z=%a", kinds[one].angular_frequency, kinds[one].damping_ratio,
                     kinds[many].angular_frequency, kinds[many].damping_ratio);
                check_as_alone(table, &start, FEATURE_TARGET | FEATURE_AWAKE, &p, 0.01f);
            }
        }
    }
}

/* Whole turns in one step: where the matrix is the identity, a spring keeps its bits. */
static void test_whole_turns(void **state)
{
    (void)state;
    const struct {
        float w, dt; /* the identity without fused operations, with them, or almost */
    } turns[] = {{0x1.a3b374p+21f, 1}, {0x1.921fb6p+2f, 1}, {0x1.921fb6p+1f, 2}, {0x1.921fb6p+2f, -1}};
    EACH_TABLE(table) {
        random_source random = {5};
        for (size_t t = 0; t < LENGTH(turns); t++) {
            for (unsigned n = 0; n < effort(FEATURES_ALL); n++) {
                const unsigned features = nth_features(n);
                batch start = batch_random(&random, false);
                parameters p = {.has_follow = false};
                for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                    start.velocity[k] = k % 3 ? start.velocity[k] : 0x1p-120f;
                    start.position[k] = k % 5 ? start.position[k] : 0x1p-120f;
                    p.w[k] = k % 7 ? turns[t].w : 1;
                    p.z[k] = 0;
                }
                CASE("w=%a", turns[t].w);
                check_as_alone(table, &start, features, &p, turns[t].dt);
            }
        }
        gyre_spring_matrix m;
        const float w = gyre_kernels_rounding(table) == GYRE_ROUNDING_FUSED ? turns[1].w : turns[0].w;
        check_status(table->spring_matrix_at((gyre_spring){w, 0}, 1, &m), GYRE_OK);
        check(m.pos_pos, ==, 1);
        check(m.pos_vel, ==, 0);
        check(m.vel_pos, ==, 0);
        check(m.vel_vel, ==, 1);
    }
}

/* ---- Error ---- */

/* 8 eps (1 + |w t|) (scale of pos_pos |x| + scale of pos_vel |v|) + eps |target|: twice the bound of the matrix. */
static reference_state state_bound(reference_matrix matrix_bound, real x, real v, real target)
{
    return (reference_state){
        2 * (matrix_bound.pos_pos * fabsl(x) + matrix_bound.pos_vel * fabsl(v)) + eps * fabsl(target) + flush_limit,
        2 * (matrix_bound.vel_pos * fabsl(x) + matrix_bound.vel_vel * fabsl(v)) + flush_limit,
    };
}

static void check_errors(const gyre_kernels *table, worst_case *worst, random_source *random, bool with_target,
                         float dt)
{
    parameters p = random_parameters(random, dt);
    batch old = batch_random(random, false), new = old;
    gyre_springs springs = batch_springs(&new, with_target ? FEATURE_TARGET : 0);
    check_status(table->springs_step_each(&springs, 0, BATCH_SPRINGS, p.w, p.z, NULL, NULL, dt), GYRE_OK);
    for (size_t k = 0; k < BATCH_SPRINGS; k++) {
        gyre_spring_matrix m;
        if (table->spring_matrix_at((gyre_spring){p.w[k], p.z[k]}, dt, &m) != GYRE_OK) {
            continue;
        }
        reference_matrix matrix = reference_spring_matrix(p.w[k], p.z[k], dt);
        reference_state start = {old.position[k], old.velocity[k]};
        real target = with_target ? old.target[k] : 0, x = start.position - target, v = start.velocity;
        real position_terms = fabsl(matrix.pos_pos * x) + fabsl(matrix.pos_vel * v);
        real velocity_terms = fabsl(matrix.vel_pos * x) + fabsl(matrix.vel_vel * v);
        if (fmaxl(position_terms, velocity_terms) > 0x1p127L) { /* each fits in a float, but their sum may not */
            continue;
        }
        reference_state exact = reference_spring_step(matrix, start, target);
        reference_state bound = state_bound(reference_spring_matrix_bound(p.w[k], p.z[k], dt), x, v, target);
        double share = worse_of((double)(fabsl(new.position[k] - exact.position) / bound.position),
                                (double)(fabsl(new.velocity[k] - exact.velocity) / bound.velocity));
        CASE("w=%a z=%a t=%a from %a %a to %a: got %a %a, wanted %La %La", p.w[k], p.z[k], dt, old.position[k],
             old.velocity[k], (double)target, new.position[k], new.velocity[k], exact.position, exact.velocity);
        check_share(worst, share);
    }
}

static void test_error(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {3};
        worst_case worst[2] = {{0}};
        for (size_t i = 0; i < effort(1500); i++) {
            bool backwards = i % 4 == 3;
            float dt = random_magnitude(&random, i % 2 ? -50 : -10, i % 2 ? 50 : 4);
            check_errors(table, &worst[backwards], &random, i % 3 != 0, backwards ? -dt : dt);
        }
        for (int k = 0; k < 2; k++) {
            print_worst(k ? "backwards" : "forwards", &worst[k]);
        }
    }
}

/* An interval in one step and in frames of random length: both are within the stated error. The error of the frames is
   the sum of each frame's error, advanced by the later frames. */
static void test_uneven_frames(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {4};
        double worst = 0, worst_of_one = 0;
        for (size_t i = 0; i < effort(100); i++) {
            parameters p = random_parameters(&random, 1);
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                p.w[k] = fminf(p.w[k], 64);
                p.z[k] = fminf(p.z[k], 50);
            }
            batch b = batch_random(&random, false);
            const batch start = b;
            gyre_springs springs = batch_springs(&b, i % 2 ? FEATURE_TARGET : 0);
            reference_state error[BATCH_SPRINGS];
            memset(error, 0, sizeof error);
            size_t frames = 2 + random_below(&random, 15);
            float t = 0; /* a multiple of 2^-12, so sums are exact */
            for (size_t frame = 0; frame < frames; frame++) {
                float dt = ldexpf((float)(1 + random_below(&random, 400)), -12);
                t += dt;
                const batch before = b;
                check_status(table->springs_step_each(&springs, 0, BATCH_SPRINGS, p.w, p.z, NULL, NULL, dt), GYRE_OK);
                for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                    reference_matrix m = reference_spring_matrix(p.w[k], p.z[k], dt);
                    real target = i % 2 ? before.target[k] : 0;
                    reference_state here = state_bound(reference_spring_matrix_bound(p.w[k], p.z[k], dt),
                                                       before.position[k] - target, before.velocity[k], target);
                    error[k] = (reference_state){
                        fabsl(m.pos_pos) * error[k].position + fabsl(m.pos_vel) * error[k].velocity + here.position,
                        fabsl(m.vel_pos) * error[k].position + fabsl(m.vel_vel) * error[k].velocity + here.velocity,
                    };
                }
            }
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                real target = i % 2 ? b.target[k] : 0;
                reference_state old = {start.position[k], start.velocity[k]};
                reference_state exact = reference_spring_step(reference_spring_matrix(p.w[k], p.z[k], t), old, target);
                real position_off = fabsl(b.position[k] - exact.position);
                real velocity_off = fabsl(b.velocity[k] - exact.velocity);
                double share =
                    worse_of((double)(position_off / error[k].position), (double)(velocity_off / error[k].velocity));
                reference_state one = state_bound(reference_spring_matrix_bound(p.w[k], p.z[k], t),
                                                  old.position - target, old.velocity, target);
                worst = worse_of(worst, share);
                worst_of_one = worse_of(worst_of_one, (double)(position_off / (one.position * (real)frames)));
                CASE("w=%a z=%a after %zu frames, %a s", p.w[k], p.z[k], frames, t);
                check_within(b.position[k], exact.position, error[k].position);
                check_within(b.velocity[k], exact.velocity, error[k].velocity);
            }
        }
        printf("# %s: worst %.3f of the bounds of all frames, positions %.3f of one step's times the frames\n",
               table_name(table), worst, worst_of_one);
    }
}

/* ---- Changes of parameters ---- */

/* Change the parameters and the target: after a very short step, position and velocity differ from the old ones only by
   the effect of the new force in that time. */
static void test_change_in_flight(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {5};
        for (size_t i = 0; i < effort(200); i++) {
            parameters p = random_parameters(&random, 0.25f);
            batch b = batch_random(&random, false);
            gyre_springs springs = batch_springs(&b, FEATURE_TARGET);
            check_status(table->springs_step_each(&springs, 0, BATCH_SPRINGS, p.w, p.z, NULL, NULL, 0.25f), GYRE_OK);
            const float instant = 0x1p-20f;
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                b.target[k] = random_signed(&random, -10, 12);
                p.w[k] = random_magnitude(&random, -8, 8);
                p.z[k] = random_one_in(&random, 2) ? random_unit(&random) : random_magnitude(&random, -2, 4);
            }
            const batch before = b;
            check_status(table->springs_step_each(&springs, 0, BATCH_SPRINGS, p.w, p.z, NULL, NULL, instant), GYRE_OK);
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                real x = (real)before.position[k] - before.target[k], v = before.velocity[k], w = p.w[k], z = p.z[k];
                real force =
                    w * w * (fabsl(x) + instant * fabsl(v)) + 2 * z * w * fabsl(v); /* an upper limit over the step */
                real rounding = 9 * eps * (fabsl(x) + fabsl(v) * instant + fabsl((real)before.target[k]));
                real moved = fabsl((real)b.position[k] - before.position[k] - v * instant);
                real turned = fabsl((real)b.velocity[k] - v);
                CASE("w=%a z=%a, spring %zu", p.w[k], p.z[k], k);
                check(moved, <=, 1.01L * force * instant * instant + rounding);
                check(turned, <=, 1.01L * force * instant + 9 * eps * (fabsl(v) + force * instant));
            }
        }
    }
}

static void test_no_time_changes_nothing(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {6};
        for (size_t i = 0; i < FEATURES_ALL * effort(1); i++) { /* at any effort, all sets of features */
            parameters p = random_parameters(&random, 1);
            batch b = batch_random(&random, true);
            for (size_t k = 0; k < BATCH_SPRINGS; k += 3) {
                b.position[k] = random_any_float(&random);
                b.velocity[k] = random_any_float(&random);
                p.w[k] = random_any_float(&random);
                p.z[k] = random_any_float(&random);
            }
            batch want = b;
            unsigned features = nth_features(i);
            const gyre_spring_matrix identity = {1, 0, 0, 1};
            gyre_springs springs = batch_springs(&b, features), same = batch_springs(&want, features);
            const batch before = b;
            const float no_time = random_zero(&random);
            check_status(table->springs_step_each(&springs, 0, BATCH_SPRINGS, p.w, p.z, NULL, NULL, no_time), GYRE_OK);
            check_status(table->springs_step(&same, 0, BATCH_SPRINGS, &identity), GYRE_OK);
            CASE("features %#x", features);
            check_bytes(&b, &want, sizeof b);
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                CASE("w=%a z=%a, spring %zu", p.w[k], p.z[k], k);
                check_bits(b.position[k], before.position[k]);
                check_bits(b.velocity[k], before.velocity[k]);
                check_bits(b.position_low[k], before.position_low[k]);
                check_bits(b.velocity_low[k], before.velocity_low[k]);
            }
        }
    }
}

static void test_bad_arguments(void **state)
{
    (void)state;
    const float invalid[] = {NAN, INFINITY, -INFINITY};
    EACH_TABLE(table) {
        random_source random = {7};
        parameters p = random_parameters(&random, 1);
        batch b = batch_random(&random, true);
        const batch before = b;
        gyre_springs springs = batch_springs(&b, FEATURE_TARGET | FEATURE_AWAKE);
        check_status(table->springs_step_each(&springs, 0, BATCH_SPRINGS, NULL, p.z, NULL, NULL, 1), GYRE_ERROR_NULL);
        check_status(table->springs_step_each(&springs, 0, BATCH_SPRINGS, p.w, NULL, NULL, NULL, 1), GYRE_ERROR_NULL);
        for (size_t i = 0; i < LENGTH(invalid); i++) {
            CASE("t=%a", invalid[i]);
            check_status(table->springs_step_each(&springs, 0, BATCH_SPRINGS, p.w, p.z, NULL, NULL, invalid[i]),
                         GYRE_ERROR_VALUE);
        }
        check_bytes(&b, &before, sizeof b);
        check_status(table->springs_step_each(&springs, 7, 7, NULL, NULL, NULL, NULL, 1), GYRE_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_bits_of_one_at_a_time),
        TEST(test_one_among_others),
        TEST(test_whole_turns),
        TEST(test_error),
        TEST(test_uneven_frames),
        TEST(test_change_in_flight),
        TEST(test_no_time_changes_nothing),
        TEST(test_bad_arguments),
    };
    return cmocka_run_group_tests_name("spring_each", tests, NULL, NULL);
}
