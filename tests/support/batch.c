#include "support/batch.h"

#include <math.h>

batch batch_random(random_source *random, bool specials)
{
    batch b;
    for (size_t i = 0; i < BATCH_SPRINGS; i++) {
        b.position[i] = random_signed(random, -10, 12);
        b.velocity[i] = random_signed(random, -10, 12);
        b.target[i] = random_signed(random, -10, 12);
        b.awake[i] = 0xa5;
        if (random_one_in(random, 4)) {
            b.position[i] = b.target[i];
            b.velocity[i] = random_one_in(random, 2) ? 0 : random_signed(random, -100, -5);
        }
        if (specials && random_one_in(random, 4)) {
            float special = special_floats[random_below(random, special_float_count)];
            float *const arrays[] = {b.position, b.velocity, b.target};
            arrays[random_below(random, 3)][i] = special;
        }
        /* half an ulp at most, as a step leaves them; some larger, which only a caller could write */
        const int below = random_one_in(random, 8) ? 0 : -25;
        b.position_low[i] = random_one_in(random, 4) ? 0 : ldexpf(b.position[i], below) * random_unit(random);
        b.velocity_low[i] = random_one_in(random, 4) ? 0 : ldexpf(b.velocity[i], below) * random_unit(random);
        if (specials && random_one_in(random, 32)) {
            float special = special_floats[random_below(random, special_float_count)];
            *(random_one_in(random, 2) ? &b.position_low[i] : &b.velocity_low[i]) = special;
        }
    }
    random_source own = {float_bits(b.position[0])};
    for (size_t i = 0; i < BATCH_SPRINGS; i++) {
        const float size = random_magnitude(&own, -12, 8);
        b.target_before[i] = random_one_in(&own, 4) ? b.target[i] : b.target[i] + random_signed(&own, -10, 8);
        b.lower[i] = b.target[i] - (random_one_in(&own, 8) ? 0 : size) + (random_one_in(&own, 8) ? 2 * size : 0);
        b.upper[i] = random_one_in(&own, 16) ? b.lower[i] - size : b.lower[i] + size;
        b.rest_scale[i] = random_magnitude(&own, -8, 8);
        if (specials && random_one_in(&own, 16)) {
            float *const arrays[] = {b.target_before, b.lower, b.upper, b.rest_scale};
            arrays[random_below(&own, 4)][i] = special_floats[random_below(&own, special_float_count)];
        }
    }
    return b;
}

unsigned nth_features(size_t n) { return (unsigned)(n * 397 % FEATURES_ALL); }

bool batch_sleeps(unsigned features, size_t i)
{
    return features & FEATURE_SKIP && features & FEATURE_AWAKE && ((i >= 40 && i < 150) || i % 5 == 2);
}

bool batch_has_changed(const batch *before, const batch *after, unsigned features, size_t i)
{
    const bool same_low =
        after->position_low[i] == before->position_low[i] && after->velocity_low[i] == before->velocity_low[i];
    return !(after->position[i] == before->position[i] && after->velocity[i] == before->velocity[i] &&
             (same_low || !(features & FEATURE_LOW)));
}

gyre_springs batch_springs(batch *b, unsigned features)
{
    const bool bounds = features & FEATURE_BOUNDS && !(features & FEATURE_PERIOD);
    for (size_t i = 0; i < BATCH_SPRINGS; i++) {
        b->awake[i] = batch_sleeps(features, i) ? 0 : b->awake[i];
    }
    return (gyre_springs){
        .count = BATCH_SPRINGS,
        .position = b->position,
        .velocity = b->velocity,
        .target = features & FEATURE_TARGET ? b->target : NULL,
        .period = features & FEATURE_PERIOD ? 360 : 0,
        .rest_distance = features & FEATURE_REST ? 0x1p-6f : 0,
        .rest_speed = features & FEATURE_REST ? 0x1p-5f : 0,
        .awake = features & FEATURE_AWAKE ? b->awake : NULL,
        .position_low = features & FEATURE_LOW ? b->position_low : NULL,
        .velocity_low = features & FEATURE_LOW ? b->velocity_low : NULL,
        .target_before = features & FEATURE_RAMP ? b->target_before : NULL,
        .lower = bounds ? b->lower : NULL,
        .upper = bounds ? b->upper : NULL,
        .bounce = bounds ? 0.5f : 0,
        .stop_at_target = features & FEATURE_STOP,
        .rest_scale = features & FEATURE_SCALE ? b->rest_scale : NULL,
        .skip_asleep = features & FEATURE_SKIP && features & FEATURE_AWAKE,
    };
}

gyre_spring_matrix matrix_of(const gyre_kernels *table, gyre_spring spring, float dt_s)
{
    gyre_spring_matrix matrix;
    check_status(table->spring_matrix_at(spring, dt_s, &matrix), GYRE_OK);
    return matrix;
}

gyre_spring_matrix random_matrix(random_source *random)
{
    const gyre_kernels *kernels = gyre_kernels_best(GYRE_ROUNDING_PORTABLE);
    gyre_spring_matrix matrix = {0};
    gyre_status status;
    do {
        float damping_ratio = random_one_in(random, 4) ? 0 : random_magnitude(random, -4, 3);
        const gyre_spring spring = {random_magnitude(random, -2, 6), damping_ratio, 0.25f};
        float dt = random_magnitude(random, -8, 2) * (random_one_in(random, 8) ? -1 : 1);
        status = kernels->spring_matrix_at(spring, dt, &matrix);
    } while (status == GYRE_ERROR_RANGE || fabsf(matrix.vel_pos) > 0x1p40f); /* too far back */
    check_status(status, GYRE_OK);
    return matrix;
}

const char *const step_names[STEP_KINDS] = {
    [STEP_SHARED] = "springs_step",      [STEP_PALETTE] = "springs_step_palette",
    [STEP_EACH] = "springs_step_each",   [STEP_AT] = "springs_at",
    [STEP_PARTICLES] = "particles_step", [STEP_PARTICLES_EACH] = "particles_step_each",
};

size_t step_parameters(step_kind kind)
{
    return kind == STEP_EACH ? 4 : kind == STEP_PARTICLES_EACH ? 2 : kind == STEP_AT ? 1 : 0;
}

bool step_writes_awake(step_kind kind, unsigned features) { return kind <= STEP_EACH && features & FEATURE_AWAKE; }
bool step_writes_low(step_kind kind, unsigned features) { return kind != STEP_AT && features & FEATURE_LOW; }

void random_step(step_arguments *a, random_source *random, step_kind kind)
{
    a->kind = kind;
    for (size_t k = 0; k < (kind == STEP_PALETTE ? STEP_PALETTE_COUNT : 1); k++) {
        a->palette[k] = random_matrix(random);
    }
    a->spring = (gyre_spring){random_magnitude(random, -2, 6), random_magnitude(random, -4, 3)};
    a->dt = random_magnitude(random, -8, 2);
    size_t longest = 1 + random_below(random, 60);
    for (size_t k = 0, left = 0; k < BATCH_SPRINGS; k++, left--) {
        left = left == 0 ? 1 + random_below(random, longest) : left;
        bool fresh = k == 0 || left == 1;
        a->own_which[k] = fresh ? (uint16_t)random_below(random, STEP_PALETTE_COUNT) : a->own_which[k - 1];
        a->own_parameter[0][k] = random_magnitude(random, -8, 6);
        a->own_parameter[1][k] = random_one_in(random, 3) ? random_unit(random) : random_magnitude(random, -8, 8);
        if (kind == STEP_PARTICLES_EACH) {
            a->own_parameter[0][k] = random_magnitude(random, -30, 10);
        }
    }
    a->which = a->own_which;
    random_source own = {float_bits(a->own_parameter[0][0])};
    for (size_t k = 0; k < BATCH_SPRINGS; k++) {
        a->own_parameter[2][k] = random_unit(&own);
        a->own_parameter[3][k] = random_one_in(&own, 4) ? (float)random_below(&own, 2) : random_magnitude(&own, -4, 2);
    }
    for (size_t k = 0; k < 4; k++) {
        a->parameter[k] = k >= 2 && random_one_in(&own, 2) ? NULL : a->own_parameter[k];
    }
}

gyre_status step_batch(const gyre_kernels *table, const step_arguments *a, const gyre_springs *springs, size_t begin,
                       size_t end)
{
    const gyre_spring_matrix *m = &a->palette[0];
    const gyre_particle_matrix motion = {
        m->pos_vel, m->vel_vel, m->pos_pos, m->vel_pos, {m->low[1], m->low[3], m->low[0], m->low[2]}};
    const gyre_particles particles = {
        .count = springs->count,
        .position = springs->position,
        .velocity = springs->velocity,
        .acceleration = springs->target,
        .uniform_acceleration = a->dt,
        .position_low = springs->position_low,
        .velocity_low = springs->velocity_low,
    };
    switch (a->kind) {
    case STEP_SHARED: return table->springs_step(springs, begin, end, m);
    case STEP_PALETTE:
        return table->springs_step_palette(springs, begin, end, a->palette, STEP_PALETTE_COUNT, a->which);
    case STEP_EACH:
        return table->springs_step_each(springs, begin, end, a->parameter[0], a->parameter[1], a->parameter[2],
                                        a->parameter[3], a->dt);
    case STEP_AT:
        return table->springs_at(springs, begin, end, a->spring, a->parameter[0], springs->position, springs->velocity);
    case STEP_PARTICLES: return table->particles_step(&particles, begin, end, &motion);
    default: return table->particles_step_each(&particles, begin, end, a->parameter[0], a->parameter[1], a->dt);
    }
}

void check_batch(check_place place, const batch *got, const batch *wanted)
{
    const float *const arrays[2][9] = {{got->position, got->velocity, got->target, got->position_low, got->velocity_low,
                                        got->target_before, got->lower, got->upper, got->rest_scale},
                                       {wanted->position, wanted->velocity, wanted->target, wanted->position_low,
                                        wanted->velocity_low, wanted->target_before, wanted->lower, wanted->upper,
                                        wanted->rest_scale}};
    static const char *const names[9] = {"position",      "velocity", "target", "position_low", "velocity_low",
                                         "target_before", "lower",    "upper",  "rest_scale"};
    for (size_t k = 0; k < LENGTH(names); k++) {
        CASE("%s", names[k]);
        check_same_floats(place, arrays[0][k], arrays[1][k], BATCH_SPRINGS);
    }
    CASE("awake");
    check_same_bytes(place, got->awake, wanted->awake, BATCH_SPRINGS);
}
