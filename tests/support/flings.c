#include "support/flings.h"

#include <math.h>

gyre_flings flings_of(fling *f) { return flings_with(f, 0); }

gyre_flings flings_with(fling *f, unsigned features)
{
    return (gyre_flings){.count = 1,
                         .position = &f->position,
                         .velocity = &f->velocity,
                         .lower = &f->lower,
                         .upper = &f->upper,
                         .damping = f->damping,
                         .spring = f->spring,
                         .position_low = features & FLING_WITH_LOW ? &f->position_low : NULL,
                         .velocity_low = features & FLING_WITH_LOW ? &f->velocity_low : NULL,
                         .rest_at = features & FLING_WITH_PLACE ? &f->rest_at : NULL};
}

fling fling_stepped(const gyre_kernels *table, fling f, float dt_s, size_t steps)
{
    return fling_stepped_with(table, f, 0, dt_s, steps);
}

fling fling_stepped_with(const gyre_kernels *table, fling f, unsigned features, float dt_s, size_t steps)
{
    const gyre_flings flings = flings_with(&f, features);
    for (size_t i = 0; i < steps; i++) {
        check_status(table->flings_step(&flings, 0, 1, dt_s), GYRE_OK);
    }
    return f;
}

bool fling_has_changed(const fling *before, const fling *after, unsigned features)
{
    const bool same_low = after->position_low == before->position_low && after->velocity_low == before->velocity_low;
    return !(after->position == before->position && after->velocity == before->velocity &&
             (same_low || !(features & FLING_WITH_LOW)));
}

double fling_until_asleep(const gyre_kernels *table, gyre_flings flings, float dt_s, double longest_s)
{
    uint8_t awake = 1;
    flings.awake = &awake;
    flings.skip_asleep = true;
    size_t steps = 0;
    while (awake && (double)steps * (double)dt_s <= longest_s) {
        check_status(table->flings_step(&flings, 0, 1, dt_s), GYRE_OK);
        steps++;
    }
    return awake ? (double)INFINITY : (double)(steps - 1) * (double)dt_s;
}

fling random_fling(random_source *random)
{
    const float size = random_magnitude(random, -4, 12);
    fling f = {
        .lower = random_one_in(random, 3) ? 0 : size * (2 * random_unit(random) - 1),
        .damping = random_one_in(random, 8) ? 0 : random_magnitude(random, -4, 5),
        .spring = {random_one_in(random, 16) ? 0 : random_magnitude(random, 0, 6),
                   random_one_in(random, 8)   ? 0
                   : random_one_in(random, 8) ? 1
                                              : random_magnitude(random, -4, 4)},
    };
    f.upper = random_one_in(random, 16) ? f.lower : f.lower + size * random_unit(random);
    f.position = random_one_in(random, 8) ? f.upper : f.lower + size * (2 * random_unit(random) - 0.5f);
    f.velocity = size * random_signed(random, -3, 6);
    random_source own = {float_bits(f.position) ^ float_bits(f.velocity)};
    f.position_low = f.position * 0x1p-25f * (2 * random_unit(&own) - 1);
    f.velocity_low = f.velocity * 0x1p-25f * (2 * random_unit(&own) - 1);
    const float leads = f.damping > 0 ? f.position + f.velocity / f.damping : f.upper;
    f.rest_at = random_one_in(&own, 3) ? f.lower + size * random_unit(&own) : random_one_in(&own, 8) ? NAN : leads;
    return f;
}
