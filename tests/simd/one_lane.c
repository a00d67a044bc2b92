/* Steps with one lane, as one GPU thread runs them (kernels/simd/vf_1_lane-inl.h): they give the same bits as the
   portable tables. */
#define GYRE_LANES 1
#define GYRE_FUSED 0
#include "spring/forms-inl.h"
#include "spring/matrix-inl.h"
#include "spring/ramp-inl.h"

#include "support/batch.h"

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
        TEST(test_spring_matrices),
        TEST(test_functions),
    };
    return cmocka_run_group_tests_name("simd_one_lane", tests, NULL, NULL);
}
