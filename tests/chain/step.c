/* gyre_bone_chains_step and _reset against the same in double (reference/chain.h), over frames of ordinary motion. */
#include "support/chains.h"

#include "support/orientations.h"

#include <math.h>
#include <string.h>

enum { FRAMES = 40 };

static const float frame_times[] = {1.0f / 60, 1.0f / 30, 1.0f / 144, 0.05f};

typedef struct share_of_bones {
    size_t bones, near; /* near: within 2e-5 rad */
    double worst;       /* rad */
} share_of_bones;

static double angle_off(chain_batch *b, const reference_chain *r, size_t l, size_t c)
{
    return quaternion_angle(chain_quaternion(b->orientation, bone_at(b, l, c)), r->orientation[l]);
}

/* Steps a batch and its reference side by side, and counts bones whose orientation is near. */
static share_of_bones follow(const gyre_kernels *table, random_source *random, unsigned features, float dt_s)
{
    static chain_batch b;
    static reference_chain r[CHAINS];
    random_chains(&b, random);
    const gyre_bone_chains start = chains_of(&b, features);
    check_status(table->bone_chains_reset(&start, 0, CHAINS, 0), GYRE_OK);
    for (size_t c = 0; c < CHAINS; c++) {
        r[c] = reference_of(&b, features, c);
        reference_chain_reset(&r[c], 0);
        for (size_t l = 0; l < r[c].bones; l++) {
            CASE("reset, chain %zu, level %zu", c, l);
            check(angle_off(&b, &r[c], l, c), <=, features & CHAIN_COLLIDES ? 1e-4 : 4e-6);
            check(vector_length(chain_vector_at(b.velocity, bone_at(&b, l, c))), ==, 0);
        }
    }
    for (size_t frame = 0; frame < FRAMES; frame++) {
        if (features & (CHAIN_MOVES | CHAIN_TURNS)) {
            move_roots(&b, (double)(frame + 1) * (double)dt_s);
        }
        const gyre_bone_chains chains = chains_of(&b, features);
        check_status(table->bone_chains_step(&chains, 0, CHAINS, dt_s), GYRE_OK);
        for (size_t c = 0; c < CHAINS; c++) {
            take_roots(&r[c], &b, features, c);
            reference_chain_step(&r[c], (double)dt_s);
        }
    }
    share_of_bones share = {0};
    for (size_t c = 0; c < CHAINS; c++) {
        for (size_t l = 0; l < r[c].bones; l++) {
            const size_t i = bone_at(&b, l, c);
            const double off = angle_off(&b, &r[c], l, c);
            share.bones++;
            share.near += off <= 2e-5;
            share.worst = worse_of(share.worst, off);
            CASE("chain %zu, level %zu", c, l);
            check_within(quaternion_length(chain_quaternion(b.orientation, i)), 1, 8 * 0x1p-24);
            if (!(features & CHAIN_COLLIDES)) {
                const vector v = chain_vector_at(b.velocity, i);
                check(vector_length(vector_difference(v, r[c].velocity[l])), <=, 3e-4);
            }
            if (features & CHAIN_OUTPUTS && off <= 2e-5) {
                const vector tail = chain_vector_at(b.tail, i);
                check(vector_length(vector_difference(tail, r[c].tail[l])), <=, 1e-5);
                const quaternion parent = l == 0 ? r[c].parent : r[c].orientation[l - 1];
                const quaternion local = quaternion_product(quaternion_conjugate(parent), r[c].orientation[l]);
                const quaternion got = chain_quaternion(b.local, i);
                check(quaternion_angle(got, local), <=, 4e-5);
                check(quaternion_dot(got, local), >, 0);
            }
        }
    }
    return share;
}

static void test_frames(void **state)
{
    (void)state;
    static const unsigned sets[] = {
        0,
        CHAIN_MOVES,
        CHAIN_MOVES | CHAIN_TURNS | CHAIN_GRAVITY | CHAIN_OUTPUTS,
        CHAIN_MIXED | CHAIN_SCALED | CHAIN_MOVES | CHAIN_TURNS | CHAIN_GRAVITY | CHAIN_WIND,
        CHAIN_MIXED | CHAIN_RESTS | CHAIN_MOVES | CHAIN_TURNS | CHAIN_WIND | CHAIN_OUTPUTS,
    };
    EACH_BEST_TABLE(table) {
        random_source random = {1};
        for (size_t i = 0; i < LENGTH(sets); i++) {
            for (size_t k = 0; k < LENGTH(frame_times); k++) {
                CASE("features %#x, %g s", sets[i], frame_times[k]);
                check(follow(table, &random, sets[i], frame_times[k]).worst, <=, 2e-5);
            }
        }
    }
}

/* A touch within rounding keeps or loses its speed into the collider. */
static void test_frames_with_colliders(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {2};
        for (size_t round = 0; round < effort(20); round++) {
            const size_t k = round % LENGTH(frame_times);
            CASE("round %zu, %g s", round, frame_times[k]);
            const unsigned features = CHAIN_MIXED | CHAIN_MOVES | CHAIN_TURNS | CHAIN_GRAVITY | CHAIN_WIND |
                                      CHAIN_COLLIDES | CHAIN_LIMITED | CHAIN_OUTPUTS;
            const share_of_bones share = follow(table, &random, features, frame_times[k]);
            check((double)share.near, >=, 0.96 * (double)share.bones);
            check(share.worst, <=, 0.02);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_frames), TEST(test_frames_with_colliders)};
    return cmocka_run_group_tests_name("chain_step", tests, NULL, NULL);
}
