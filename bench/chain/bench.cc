/* Chains of five bones against VRM's recurrence in scalar floats, with 0, 1 and 4 spheres of each chain. Groups with
   "-mixed" have a palette entry for each bone. A row is for each bone. */
#include "chain/peers.h"
#include "harness/harness.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace
{

enum : size_t { LEVELS = 5, SPHERES = 4 };

const float dt = 1.0f / 60;

/* Roots go to and fro by 2 cm, so that chains keep moving. */
struct Chains {
    size_t count;
    std::vector<bench::Array> arrays;
    float *orientation[4], *velocity[3], *local[4], *position[2][3], *parent[4], *centre[SPHERES][3], *radius[SPHERES];
    std::vector<size_t> level_begin;
    std::vector<uint16_t> entries;
    std::vector<vrm_bone> vrm;
    std::array<gyre_bone, LEVELS> bones = {};
    std::array<gyre_chain_collider, SPHERES> spheres = {};

    explicit Chains(size_t chains) : count(chains), entries(chains * LEVELS), vrm(chains * LEVELS)
    {
        auto take = [&](size_t floats) {
            arrays.emplace_back(floats);
            std::fill_n(arrays.back().data(), floats, 0.0f);
            return arrays.back().data();
        };
        std::mt19937 random(1);
        std::uniform_real_distribution<float> unit(-1, 1);
        for (size_t k = 0; k < 4; k++) {
            orientation[k] = take(count * LEVELS);
            local[k] = take(count * LEVELS);
            parent[k] = take(count);
        }
        for (size_t k = 0; k < 3; k++) {
            velocity[k] = take(count * LEVELS);
            position[0][k] = take(count);
            position[1][k] = take(count);
        }
        std::fill_n(orientation[3], count * LEVELS, 1.0f);
        std::fill_n(parent[3], count, 1.0f);
        for (size_t i = 0; i < count; i++) {
            for (size_t k = 0; k < 3; k++) {
                position[0][k][i] = unit(random);
                position[1][k][i] = position[0][k][i] + (k == 0 ? 0.02f : 0.0f);
            }
            for (size_t l = 0; l < LEVELS; l++) {
                vrm_bone &b = vrm[i * LEVELS + l];
                for (size_t k = 0; k < 3; k++) {
                    b.tail[k] = b.tail_before[k] =
                        position[0][k][i] - (k == 1 ? 0.1f * static_cast<float>(l + 1) : 0.0f);
                }
            }
        }
        for (size_t k = 0; k < SPHERES; k++) {
            radius[k] = take(count);
            spheres[k].kind = GYRE_COLLIDER_SPHERE;
            spheres[k].radius = radius[k];
            for (size_t j = 0; j < 3; j++) {
                centre[k][j] = take(count);
                spheres[k].position[j] = centre[k][j];
            }
            for (size_t i = 0; i < count; i++) { /* touched now and then */
                radius[k][i] = 0.05f;
                for (size_t j = 0; j < 3; j++) {
                    centre[k][j][i] = position[0][j][i] + 0.12f * unit(random) - (j == 1 ? 0.2f : 0.0f);
                }
            }
        }
        for (size_t l = 0; l <= LEVELS; l++) {
            level_begin.push_back(l * count);
        }
        for (gyre_bone &bone : bones) {
            bone.rest[3] = 1;
            bone.tail[1] = -0.1f;
            bone.radius = 0.01f;
            gyre_bone_from_vrm(1, 0.4f, 0.2f, 0.1f, 60, &bone);
        }
        for (size_t i = 0; i < entries.size(); i++) {
            entries[i] = static_cast<uint16_t>(random() % LEVELS);
        }
    }

    gyre_bone_chains chains(bool mixed, size_t colliders, size_t now) const
    {
        gyre_bone_chains c = {};
        c.count = count;
        c.levels = LEVELS;
        c.level_begin = level_begin.data();
        std::copy_n(orientation, 4, c.orientation);
        std::copy_n(velocity, 3, c.velocity);
        std::copy_n(local, 4, c.local);
        c.bones = bones.data();
        c.bone_count = LEVELS;
        c.bone = mixed ? entries.data() : nullptr;
        std::copy_n(position[now], 3, c.position);
        std::copy_n(position[1 - now], 3, c.position_before);
        std::copy_n(parent, 4, c.parent);
        c.colliders = spheres.data();
        c.collider_count = colliders;
        return c;
    }

    vrm_chains peer(size_t colliders, size_t now)
    {
        vrm_chains c = {};
        c.chains = count;
        c.bones = LEVELS;
        c.bone = vrm.data();
        std::copy_n(position[now], 3, c.position);
        std::copy_n(parent, 4, c.parent);
        c.length = 0.1f;
        c.radius = 0.01f;
        c.stiffness = 1;
        c.drag_force = 0.4f;
        c.gravity_power = 0.2f;
        for (size_t k = 0; k < SPHERES; k++) {
            std::copy_n(centre[k], 3, c.centre[k]);
            c.collider_radius[k] = radius[k];
        }
        c.colliders = colliders;
        return c;
    }
};

void add_chains(size_t count, size_t colliders)
{
    const std::string group = "chains-" + std::to_string(colliders) + "-colliders";
    const size_t bones = count * LEVELS;
    auto state = std::make_shared<Chains>(count);
    const double bytes = bench::bytes_of(7, 0, 4);
    for (const bool mixed : {false, true}) {
        for (const gyre_kernels *kernels : bench::runnable_tables()) {
            bench::add(mixed ? group + "-mixed" : group, bench::name_of(kernels), bones, bytes,
                       [=, now = size_t(0)]() mutable {
                           const gyre_bone_chains c = state->chains(mixed, colliders, now = 1 - now);
                           kernels->bone_chains_step(&c, 0, count, dt);
                       });
        }
    }
    bench::add(group, "vrm", bones, bytes, [=, now = size_t(0)]() mutable {
        const vrm_chains c = state->peer(colliders, now = 1 - now);
        peer_vrm(&c, dt);
    });
}

} // namespace

int main(int argc, char **argv)
{
    bench::take_effort(&argc, argv);
    for (size_t colliders : {0, 1, 4}) {
        add_chains(4096, colliders);
    }
    return bench::run(argc, argv, {"vrm"});
}
