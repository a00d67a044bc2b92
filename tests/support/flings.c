#include "support/flings.h"

gyre_flings flings_of(fling *f)
{
    return (gyre_flings){.count = 1,
                         .position = &f->position,
                         .velocity = &f->velocity,
                         .lower = &f->lower,
                         .upper = &f->upper,
                         .damping = f->damping,
                         .spring = f->spring};
}

fling fling_stepped(const gyre_kernels *table, fling f, float dt_s, size_t steps)
{
    const gyre_flings flings = flings_of(&f);
    for (size_t i = 0; i < steps; i++) {
        check_status(table->flings_step(&flings, 0, 1, dt_s), GYRE_OK);
    }
    return f;
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
    return f;
}
