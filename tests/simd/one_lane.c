/* Steps with one lane, as one GPU thread runs them (kernels/simd/vf_1_lane-inl.h): they give the same bits as the
   portable tables. */
#define GYRE_LANES 1
#define GYRE_FUSED 0
#include "particle/coefficients.h"
#include "particle/fling_forms-inl.h"
#include "particle/matrix-inl.h"
#include "spring/coefficients.h"
#include "spring/forms-inl.h"
#include "spring/matrix-inl.h"
#include "spring/ramp-inl.h"

#include "support/batch.h"
#include "support/flings.h"

#include <math.h>

/* ---- Springs ---- */

static unsigned features_of(const gyre_springs *s)
{
    return (s->target != NULL ? SPRING_TARGET : 0u) | (s->period > 0 ? SPRING_PERIOD : 0u) |
           (s->rest_distance > 0 ? SPRING_REST : 0u) | (s->awake != NULL ? SPRING_AWAKE : 0u) |
           (s->target != NULL && s->target_before != NULL ? SPRING_RAMP : 0u) | (s->stop_at_target ? SPRING_STOP : 0u) |
           (s->rest_scale != NULL ? SPRING_REST_SCALE : 0u) | (s->lower != NULL ? SPRING_BOUNDS : 0u) |
           (s->skip_asleep ? SPRING_SKIP : 0u);
}

static void step_floats(const gyre_springs *s, unsigned has, const gyre_spring_matrix *m, batch *b, size_t i)
{
    const vf_spring_settings settings = {s->period, s->rest_distance, s->rest_speed, s->bounce};
    const vf_spring_matrix matrix = {m->pos_pos,
                                     m->pos_vel,
                                     m->vel_pos,
                                     m->vel_vel,
                                     m->pos_ramp,
                                     m->vel_ramp,
                                     m->spring.angular_frequency,
                                     m->spring.damping_ratio,
                                     m->spring.follow,
                                     m->dt_s};
    const vf_spring_input in = {b->position[i], b->velocity[i], b->target[i],     b->target_before[i],
                                b->lower[i],    b->upper[i],    b->rest_scale[i], b->awake[i] != 0};
    const vf_spring_state next = vf_spring_advance(has, settings, matrix, in);
    if (has & SPRING_AWAKE) {
        b->awake[i] = !(next.position == b->position[i] && next.velocity == b->velocity[i]);
    }
    b->position[i] = next.position;
    b->velocity[i] = next.velocity;
}

/* Stores a number as two floats. Whether one of them compares unequal to what was there. */
static bool store(double x, float *high, float *low)
{
    const double rounded = vd_rounded_to_float(x);
    const float old_high = *high, old_low = *low;
    *high = (float)rounded;
    *low = vf_flushed((float)(x - rounded));
    return !(*high == old_high && *low == old_low);
}

static void step_doubles(const gyre_springs *s, unsigned has, const gyre_spring_matrix *m, batch *b, size_t i)
{
    const vfd_spring_settings settings = {s->period, s->rest_distance, s->rest_speed, s->bounce};
    const vfd_spring_matrix matrix = {(double)m->pos_pos + m->low[0],
                                      (double)m->pos_vel + m->low[1],
                                      (double)m->vel_pos + m->low[2],
                                      (double)m->vel_vel + m->low[3],
                                      (double)m->pos_ramp + m->low[4],
                                      (double)m->vel_ramp + m->low[5],
                                      m->spring.angular_frequency,
                                      m->spring.damping_ratio,
                                      m->spring.follow,
                                      m->dt_s};
    const vfd_spring_input in = {(double)b->position[i] + b->position_low[i],
                                 (double)b->velocity[i] + b->velocity_low[i],
                                 b->target[i],
                                 b->target_before[i],
                                 b->lower[i],
                                 b->upper[i],
                                 b->rest_scale[i],
                                 b->awake[i] != 0};
    const vfd_spring_state next = vfd_spring_advance(has, settings, matrix, in);
    const bool moved = store(next.position, &b->position[i], &b->position_low[i]);
    const bool changed = store(next.velocity, &b->velocity[i], &b->velocity_low[i]) || moved;
    if (has & SPRING_AWAKE) {
        b->awake[i] = changed;
    }
}

static void test_springs(void **state)
{
    (void)state;
    random_source random = {52};
    for (size_t n = 0; n < FEATURES_ALL; n++) {
        const unsigned features = nth_features(n);
        const batch start = batch_random(&random, true);
        const gyre_spring_matrix matrix = random_matrix(&random);
        EACH_TABLE(table) {
            if (table->rounding != GYRE_ROUNDING_PORTABLE) {
                continue;
            }
            CASE("features %u", features);
            batch by_table = start, by_lane = start;
            const gyre_springs s = batch_springs(&by_table, features), own = batch_springs(&by_lane, features);
            check_status(table->springs_step(&s, 0, BATCH_SPRINGS, &matrix), GYRE_OK);
            const unsigned has = features_of(&own);
            for (size_t i = 0; i < BATCH_SPRINGS; i++) {
                if (!(has & SPRING_SKIP) || by_lane.awake[i] != 0) {
                    (own.position_low != NULL ? step_doubles : step_floats)(&own, has, &matrix, &by_lane, i);
                }
            }
            check_same_batch(&by_lane, &by_table);
        }
    }
}

/* ---- Flings ---- */

static const float fling_distance = 0.25f, fling_speed = 4;

/* How far a step is lost to rounding, in ulps of a position: outside, and inside. */
static double lost_outside(const fling *f, double dt_s)
{
    return (1 + (double)f->spring.damping_ratio) / (f->spring.angular_frequency * dt_s);
}

static double lost_inside(const fling *f, double dt_s) { return 1 / (f->damping * dt_s); }

static bool all_return(const fling *f, double dt_s)
{
    const double z = f->spring.damping_ratio;
    return z < 1 && f->spring.angular_frequency * dt_s * sqrt((1 - z) * (1 + z)) > 3;
}

static void step_fling_floats(fling *f, unsigned has, float dt_s)
{
    const spring_parameters p = {f->spring.angular_frequency, f->spring.damping_ratio, dt_s};
    const vf_spring_matrix sprung = spring_matrix_at_once(p);
    const vf_particle_matrix damped = particle_any_matrix(f->damping, particle_exponent(f->damping, dt_s), dt_s);
    const vf_fling_settings settings = {
        .pos_pos = sprung.pos_pos,
        .pos_vel = sprung.pos_vel,
        .vel_pos = sprung.vel_pos,
        .vel_vel = sprung.vel_vel,
        .damped_pos_vel = damped.pos_vel,
        .damped_vel_vel = damped.vel_vel,
        .all_return = all_return(f, dt_s),
        .rest_distance = fling_distance,
        .rest_speed = fling_speed,
        .lost_outside = (float)lost_outside(f, dt_s),
        .lost_inside = (float)lost_inside(f, dt_s),
        .inverse_damping = 1 / f->damping,
    };
    const vf_fling_input in = {f->position, f->velocity, f->lower, f->upper, f->rest_at, true};
    const vf_fling_state next = vf_fling_advance(has, (fling_motion){f->damping, f->spring, dt_s}, settings, in);
    f->position = next.position;
    f->velocity = next.velocity;
}

static void step_fling_doubles(fling *f, unsigned has, float dt_s)
{
    const particle_coefficients damped = gyre_scalar_particle_coefficients(f->damping, dt_s);
    const spring_coefficients sprung = gyre_scalar_spring_coefficients(f->spring, dt_s);
    const vfd_fling_settings settings = {
        .pos_pos = sprung.pos_pos,
        .pos_vel = sprung.pos_vel,
        .vel_pos = sprung.vel_pos,
        .vel_vel = sprung.vel_vel,
        .damped_pos_vel = damped.pos_vel,
        .damped_vel_vel = damped.vel_vel,
        .all_return = all_return(f, dt_s),
        .rest_distance = fling_distance,
        .rest_speed = fling_speed,
        .lost_outside = lost_outside(f, dt_s),
        .lost_inside = lost_inside(f, dt_s),
        .inverse_damping = 1 / (double)f->damping,
    };
    const vfd_fling_input in = {(double)f->position + f->position_low,
                                (double)f->velocity + f->velocity_low,
                                f->lower,
                                f->upper,
                                f->rest_at,
                                true};
    const vfd_fling_state next = vfd_fling_advance(has, (fling_motion){f->damping, f->spring, dt_s}, settings, in);
    store(next.position, &f->position, &f->position_low);
    store(next.velocity, &f->velocity, &f->velocity_low);
}

static void test_flings(void **state)
{
    (void)state;
    random_source random = {55};
    for (size_t n = 0; n < effort(5000); n++) {
        const unsigned features = (unsigned)(n % FLING_FEATURES);
        const fling start = random_fling(&random);
        const float dt_s = random_magnitude(&random, -8, 1);
        EACH_TABLE(table) {
            if (table->rounding != GYRE_ROUNDING_PORTABLE) {
                continue;
            }
            CASE("x=%a v=%a in %a..%a, damping %a, w=%a z=%a, place %a, %a s, features %u", start.position,
                 start.velocity, start.lower, start.upper, start.damping, start.spring.angular_frequency,
                 start.spring.damping_ratio, start.rest_at, dt_s, features);
            fling by_table = start, by_lane = start;
            gyre_flings flings = flings_with(&by_table, features);
            flings.rest_distance = fling_distance;
            flings.rest_speed = fling_speed;
            const unsigned has =
                FLING_LOWER | FLING_UPPER | (features & FLING_WITH_PLACE ? (unsigned)FLING_REST_AT : 0u);
            for (int step = 0; step < 8; step++) {
                CASE("step %d", step);
                check_status(table->flings_step(&flings, 0, 1, dt_s), GYRE_OK);
                (features & FLING_WITH_LOW ? step_fling_doubles : step_fling_floats)(&by_lane, has, dt_s);
                check_same(by_lane.position, by_table.position);
                check_same(by_lane.velocity, by_table.velocity);
                check_same(by_lane.position_low, by_table.position_low);
                check_same(by_lane.velocity_low, by_table.velocity_low);
            }
        }
    }
}

/* ---- Matrices ---- */

static void test_spring_matrices(void **state)
{
    (void)state;
    random_source random = {53};
    EACH_TABLE(table) {
        for (int i = 0; i < 2000 && table->rounding == GYRE_ROUNDING_PORTABLE; i++) {
            const gyre_spring spring = {random_magnitude(&random, -2, 8), random_magnitude(&random, -4, 6),
                                        random_unit(&random)};
            const float dt_s = random_signed(&random, -10, 0);
            CASE("frequency %a, ratio %a, follow %a, %a s", spring.angular_frequency, spring.damping_ratio,
                 spring.follow, dt_s);
            gyre_spring_matrix wanted;
            if (table->spring_matrix_at(spring, dt_s, &wanted) != GYRE_OK) {
                continue;
            }
            const spring_parameters p = {spring.angular_frequency, spring.damping_ratio, dt_s};
            const vf_spring_matrix got = spring_with_ramps(spring_matrix_at_once(p), p, spring.follow);
            check_bits(got.pos_pos, wanted.pos_pos);
            check_bits(got.pos_vel, wanted.pos_vel);
            check_bits(got.vel_pos, wanted.vel_pos);
            check_bits(got.vel_vel, wanted.vel_vel);
            check_bits(got.pos_ramp, wanted.pos_ramp);
            check_bits(got.vel_ramp, wanted.vel_ramp);
        }
    }
}

/* ---- Elementary functions ---- */

static float one_sin(float x) { return vf_sin(x); }
static float one_cos(float x) { return vf_cos(x); }
static float one_exp(float x) { return vf_exp(x); }
static float one_expm1(float x) { return vf_expm1(x); }
static float one_log(float x) { return vf_log(x); }

static void test_functions(void **state)
{
    (void)state;
    random_source random = {54};
    EACH_TABLE(table) {
        const struct {
            const char *name;
            float (*own)(float);
            gyre_status (*of_table)(const float *, float *, size_t);
        } functions[] = {{"sin", one_sin, table->math_sin},
                         {"cos", one_cos, table->math_cos},
                         {"exp", one_exp, table->math_exp},
                         {"expm1", one_expm1, table->math_expm1},
                         {"log", one_log, table->math_log}};
        for (int i = 0; i < 20000 && table->rounding == GYRE_ROUNDING_PORTABLE; i++) {
            const float x = random_any_float(&random);
            for (size_t k = 0; k < LENGTH(functions); k++) {
                float wanted;
                check_status(functions[k].of_table(&x, &wanted, 1), GYRE_OK);
                CASE("%s of %a", functions[k].name, x);
                check_same(functions[k].own(x), wanted);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_springs),
        TEST(test_flings),
        TEST(test_spring_matrices),
        TEST(test_functions),
    };
    return cmocka_run_group_tests_name("simd_one_lane", tests, NULL, NULL);
}
