/* Every kernel of kernels/list.h on every table at every count, with its two ceilings (the same loads and stores
   without arithmetic, and the peak of the arithmetic units), and several threads against one.

   bench_kernels                 speeds
   bench_kernels --traces=FILE   the instructions that each kernel (or --kernel=NAME) executes, for bench/report/mca.py
 */
#include "harness/harness.h"
#include "list.h"
#include "kernels/trace.h"

#include <algorithm>
#include <cstdio>
#include <set>

namespace
{

const float dt = 1.0f / 60;

/* One set of arrays for all kernels: a kernel at a count uses their first elements. States change as they are stepped
   but stay in one regime: springs without damping, particles with damping, bodies without torque. */
struct Data {
    enum { FLOATS_PER_ELEMENT = 9 + 3 + 4 + 3 + 3 + 3 + 4 + 9 + 12 };
    std::vector<bench::Array> arrays;
    std::vector<uint16_t> index;
    std::vector<uint8_t> awake;
    std::vector<uint32_t> found_indices;
    uint32_t *indices;
    float *position, *velocity, *target, *frequency, *ratio, *elapsed, *acceleration, *damping, *x;
    float *vector[3], *orientation[4], *momentum[3], *inertia[3], *angular_velocity[3], *orientation_target[4], *out[9],
        *rows3x4;

    explicit Data(size_t count) : index(count), awake(count), found_indices(count), indices(found_indices.data())
    {
        auto next = [&](float (*value)(size_t)) {
            arrays.emplace_back(count);
            float *array = arrays.back().data();
            for (size_t i = 0; i < count; i++) {
                array[i] = value(i);
            }
            return array;
        };
        position = next([](size_t i) { return static_cast<float>(i % 13); });
        velocity = next([](size_t i) { return static_cast<float>(i % 7) - 3; });
        target = next([](size_t i) { return static_cast<float>(i % 97); });
        frequency = next([](size_t i) { return 5 + static_cast<float>(i % 31); });
        ratio = next([](size_t i) { return i % 4 == 0 ? 0 : static_cast<float>(i % 17) / 8; }); /* all three regimes */
        elapsed = next([](size_t i) { return static_cast<float>(i % 59) / 30; });
        acceleration = next([](size_t i) { return -static_cast<float>(i % 5); });
        damping = next([](size_t i) { return 0.1f + 2.2f * static_cast<float>(i % 11) / 11; });
        x = next([](size_t i) { return 0.01f + 0.7f * static_cast<float>(i % 101); });
        for (float *&array : vector) {
            array = next([](size_t i) { return 0.05f + static_cast<float>(i % 37) / 75; });
        }
        for (float *&array : orientation) {
            array = next([](size_t) { return 0.5f; });
        }
        /* 9 to 16 rad/s: 0.1 to 0.3 rad per step at 60 Hz, as in bench_body */
        momentum[0] = next([](size_t i) { return 8 + static_cast<float>(i % 5); });
        momentum[1] = next([](size_t i) { return 8 + static_cast<float>(i % 7); });
        momentum[2] = next([](size_t i) { return 8 + static_cast<float>(i % 3); });
        inertia[0] = next([](size_t i) { return 1.0f + static_cast<float>(i % 4) / 8; });
        inertia[1] = next([](size_t i) { return 1.4f + static_cast<float>(i % 3) / 8; });
        inertia[2] = next([](size_t i) { return 1.8f + static_cast<float>(i % 5) / 16; });
        for (float *&array : angular_velocity) {
            array = next([](size_t i) { return static_cast<float>(i % 11) / 4 - 1; });
        }
        for (size_t k = 0; k < 4; k++) { /* a third of a turn from `orientation` */
            orientation_target[k] = k == 1 ? next([](size_t) { return -0.5f; }) : next([](size_t) { return 0.5f; });
        }
        for (float *&array : out) {
            array = next([](size_t) { return 0.0f; });
        }
        arrays.emplace_back(12 * count);
        rows3x4 = arrays.back().data();
        for (size_t i = 0; i < count; i++) {
            index[i] = static_cast<uint16_t>(i / 64 % 64);
            awake[i] = i / 64 % 100 == 0; /* one in a hundred, in runs */
        }
    }

    gyre_springs springs(size_t count) const
    {
        gyre_springs springs = {};
        springs.count = count;
        springs.position = position;
        springs.velocity = velocity;
        springs.target = target;
        return springs;
    }

    gyre_particles particles(size_t count) const
    {
        gyre_particles particles = {};
        particles.count = count;
        particles.position = position;
        particles.velocity = velocity;
        particles.acceleration = acceleration;
        return particles;
    }

    gyre_bodies bodies(size_t count) const
    {
        gyre_bodies bodies = {};
        bodies.count = count;
        std::copy_n(orientation, 4, bodies.orientation);
        std::copy_n(momentum, 3, bodies.momentum);
        std::copy_n(inertia, 3, bodies.inertia);
        return bodies;
    }
};

/* ---- One entry, work_NAME, for each row of list.h; without it this does not compile. ---- */

using Run = gyre_status (*)(const gyre_kernels *kernels, const Data &data, size_t begin, size_t end);
using Streams = ceiling_streams (*)(const Data &data);

struct Work {
    Run run;
    Streams streams;        /* NULL: a function of single values, one call is one element */
    size_t index_bytes = 0; /* additional bytes per element that the ceiling does not move */
};

#define RUN(call)                                                                                                      \
    [](const gyre_kernels *kernels, const Data &d, size_t begin, size_t end) {                                         \
        (void)d, (void)begin, (void)end;                                                                               \
        return kernels->call;                                                                                          \
    }
#define STREAMS(...) [](const Data &d) { return bench::streams(__VA_ARGS__); }
#define MATH(member)                                                                                                   \
    {                                                                                                                  \
        RUN(member(d.x + begin, d.out[0] + begin, end - begin)), STREAMS({}, {d.x}, {d.out[0]})                        \
    }

const gyre_spring underdamped = {15, 0.5f, 0};
float result[4], axes[4], nearest_tensor[6];
gyre_inertia_kind inertia_kind;
size_t found;
uint64_t hash_result;
gyre_spring spring_result;
gyre_spring_matrix undamped, spring_matrix_result, palette[64];
gyre_particle_matrix damped, particle_matrix_result;
const float tensor[6] = {3, 4, 5, 0.1f, 0.2f, 0.3f}, impossible_tensor[6] = {3, 4, 9, 0.1f, 0.2f, 0.3f};

void make_matrices()
{
    gyre_spring_matrix_at({15, 0, 0}, dt, &undamped);
    gyre_particle_matrix_at(0.7f, dt, &damped);
    for (size_t k = 0; k < 64; k++) {
        gyre_spring_matrix_at({10 + static_cast<float>(k), 0, 0}, dt, &palette[k]);
    }
}

const Work work_math_exp = MATH(math_exp);
const Work work_math_expm1 = MATH(math_expm1);
const Work work_math_log = MATH(math_log);
const Work work_math_sin = MATH(math_sin);
const Work work_math_cos = MATH(math_cos);
const Work work_math_sincos = {RUN(math_sincos(d.x + begin, d.out[0] + begin, d.out[1] + begin, end - begin)),
                               STREAMS({}, {d.x}, {d.out[0], d.out[1]})};
const Work work_spring_from_stiffness = {RUN(spring_from_stiffness(1, 100, 3, &spring_result)), nullptr};
const Work work_spring_from_response = {RUN(spring_from_response(0.5f, 0.8f, &spring_result)), nullptr};
const Work work_spring_from_duration = {RUN(spring_from_duration(0.5f, 0.2f, &spring_result)), nullptr};
const Work work_spring_from_half_life = {RUN(spring_from_half_life(0.1f, 0.8f, &spring_result)), nullptr};
const Work work_spring_from_settling = {RUN(spring_from_settling(0.5f, 0.8f, 0.01f, &spring_result)), nullptr};
const Work work_spring_settling_time = {RUN(spring_settling_time(underdamped, 1, 3, 0.01f, result)), nullptr};
const Work work_spring_to_stiffness = {RUN(spring_to_stiffness(underdamped, 1, &result[0], &result[1])), nullptr};
const Work work_spring_to_response = {RUN(spring_to_response(underdamped, result)), nullptr};
const Work work_spring_to_duration = {RUN(spring_to_duration(underdamped, &result[0], &result[1])), nullptr};
const Work work_spring_peak = {RUN(spring_peak(underdamped, 1, 3, &result[0], &result[1])), nullptr};
const Work work_smoothing_matrix_at = {RUN(smoothing_matrix_at(0.1f, dt, &spring_matrix_result)), nullptr};
const Work work_spring_matrix_at = {RUN(spring_matrix_at(underdamped, dt, &spring_matrix_result)), nullptr};
const Work work_springs_step = {[](const gyre_kernels *kernels, const Data &d, size_t begin, size_t end) {
                                    const gyre_springs springs = d.springs(end);
                                    return kernels->springs_step(&springs, begin, end, &undamped);
                                },
                                STREAMS({d.position, d.velocity}, {d.target}, {})};
const Work work_springs_step_palette = {[](const gyre_kernels *kernels, const Data &d, size_t begin, size_t end) {
                                            const gyre_springs springs = d.springs(end);
                                            return kernels->springs_step_palette(&springs, begin, end, palette, 64,
                                                                                 d.index.data());
                                        },
                                        STREAMS({d.position, d.velocity}, {d.target}, {}), sizeof(uint16_t)};
const Work work_springs_step_each = {[](const gyre_kernels *kernels, const Data &d, size_t begin, size_t end) {
                                         const gyre_springs springs = d.springs(end);
                                         return kernels->springs_step_each(&springs, begin, end, d.frequency, d.ratio,
                                                                           nullptr, nullptr, dt);
                                     },
                                     STREAMS({d.position, d.velocity}, {d.target, d.frequency, d.ratio}, {})};
const Work work_springs_at = {[](const gyre_kernels *kernels, const Data &d, size_t begin, size_t end) {
                                  const gyre_springs springs = d.springs(end);
                                  return kernels->springs_at(&springs, begin, end, underdamped, d.elapsed, d.out[0],
                                                             d.out[1]);
                              },
                              STREAMS({}, {d.position, d.velocity, d.target, d.elapsed}, {d.out[0], d.out[1]})};
const Work work_orientation_springs_step = {
    [](const gyre_kernels *kernels, const Data &d, size_t begin, size_t end) {
        gyre_orientation_springs springs = {};
        springs.count = end;
        std::copy_n(d.orientation, 4, springs.orientation);
        std::copy_n(d.angular_velocity, 3, springs.angular_velocity);
        std::copy_n(d.orientation_target, 4, springs.target);
        return kernels->orientation_springs_step(&springs, begin, end, &undamped, dt);
    },
    STREAMS({d.orientation[0], d.orientation[1], d.orientation[2], d.orientation[3], d.angular_velocity[0],
             d.angular_velocity[1], d.angular_velocity[2]},
            {d.orientation_target[0], d.orientation_target[1], d.orientation_target[2], d.orientation_target[3]}, {})};
/* Half of the springs are limited. */
const Work work_limit_targets = {
    RUN(limit_targets(d.vector, d.angular_velocity, d.momentum, d.momentum, 3, {15, 0.5f, 0}, 195, dt, d.out, d.out + 3,
                      begin, end)),
    STREAMS({},
            {d.vector[0], d.vector[1], d.vector[2], d.angular_velocity[0], d.angular_velocity[1], d.angular_velocity[2],
             d.momentum[0], d.momentum[1], d.momentum[2]},
            {d.out[0], d.out[1], d.out[2], d.out[3], d.out[4], d.out[5]})};
const Work work_particle_matrix_at = {RUN(particle_matrix_at(0.7f, dt, &particle_matrix_result)), nullptr};
const Work work_particles_step = {[](const gyre_kernels *kernels, const Data &d, size_t begin, size_t end) {
                                      const gyre_particles particles = d.particles(end);
                                      return kernels->particles_step(&particles, begin, end, &damped);
                                  },
                                  STREAMS({d.position, d.velocity}, {d.acceleration}, {})};
const Work work_particles_step_each = {[](const gyre_kernels *kernels, const Data &d, size_t begin, size_t end) {
                                           const gyre_particles particles = d.particles(end);
                                           return kernels->particles_step_each(&particles, begin, end, d.damping,
                                                                               nullptr, dt);
                                       },
                                       STREAMS({d.position, d.velocity}, {d.acceleration, d.damping}, {})};
/* At rest: moving flings would meet the edges less and less often. */
const Work work_flings_step = {[](const gyre_kernels *kernels, const Data &d, size_t begin, size_t end) {
                                   gyre_flings flings = {};
                                   flings.count = end;
                                   flings.position = d.x;
                                   flings.velocity = d.out[0];
                                   flings.lower = d.out[1];
                                   flings.upper = d.target;
                                   flings.damping = 2;
                                   flings.spring = {14, 1.1f, 0};
                                   return kernels->flings_step(&flings, begin, end, dt);
                               },
                               STREAMS({d.x, d.out[0]}, {d.out[1], d.target}, {})};
/* For so little time that all stays as it is. */
const Work work_decelerate = {RUN(decelerate(d.vector, d.angular_velocity, 3, 1, 1e-30f, begin, end)),
                              STREAMS({d.vector[0], d.vector[1], d.vector[2], d.angular_velocity[0],
                                       d.angular_velocity[1], d.angular_velocity[2]},
                                      {}, {})};
const Work work_damping_from_retention = {RUN(damping_from_retention(0.998f, 0.001f, result)), nullptr};
const Work work_damping_from_half_life = {RUN(damping_from_half_life(0.3f, result)), nullptr};
const Work work_damping_rest_position = {RUN(damping_rest_position(1, 300, 2, result)), nullptr};
const Work work_damping_velocity_to_rest_at = {RUN(damping_velocity_to_rest_at(1, 150, 2, result)), nullptr};
const Work work_damping_time_to_speed = {RUN(damping_time_to_speed(300, 2, 1, result)), nullptr};
const Work work_damping_time_to_position = {RUN(damping_time_to_position(1, 300, 2, 50, result)), nullptr};
const Work work_rubber_band_offset = {RUN(rubber_band_offset(200, 800, 0, result)), nullptr};
const Work work_rubber_band_distance = {RUN(rubber_band_distance(100, 800, 0, result)), nullptr};
const Work work_rotation_matrix = {
    RUN(rotation_matrix(d.vector, d.out, begin, end)),
    STREAMS({}, {d.vector[0], d.vector[1], d.vector[2]},
            {d.out[0], d.out[1], d.out[2], d.out[3], d.out[4], d.out[5], d.out[6], d.out[7], d.out[8]})};
const Work work_rotation_left_jacobian = {RUN(rotation_left_jacobian(d.vector, d.out, begin, end)),
                                          work_rotation_matrix.streams};
const Work work_rotation_quaternion = {
    RUN(rotation_quaternion(d.vector, d.out, begin, end)),
    STREAMS({}, {d.vector[0], d.vector[1], d.vector[2]}, {d.out[0], d.out[1], d.out[2], d.out[3]})};
const Work work_rotation_vector = {RUN(rotation_vector(d.orientation, d.out, begin, end)),
                                   STREAMS({}, {d.orientation[0], d.orientation[1], d.orientation[2], d.orientation[3]},
                                           {d.out[0], d.out[1], d.out[2]})};
const Work work_rotation_product = {
    RUN(rotation_product(d.orientation, d.orientation_target, d.out, begin, end)),
    STREAMS({},
            {d.orientation[0], d.orientation[1], d.orientation[2], d.orientation[3], d.orientation_target[0],
             d.orientation_target[1], d.orientation_target[2], d.orientation_target[3]},
            {d.out[0], d.out[1], d.out[2], d.out[3]})};
const Work work_rotation_between = {RUN(rotation_between(d.orientation, d.orientation_target, 0.3f, d.out, begin, end)),
                                    work_rotation_product.streams};
const Work work_rotation_apply = {RUN(rotation_apply(d.orientation, d.vector, d.out, begin, end)),
                                  STREAMS({},
                                          {d.orientation[0], d.orientation[1], d.orientation[2], d.orientation[3],
                                           d.vector[0], d.vector[1], d.vector[2]},
                                          {d.out[0], d.out[1], d.out[2]})};
const Work work_bodies_step = {
    [](const gyre_kernels *kernels, const Data &d, size_t begin, size_t end) {
        const gyre_bodies bodies = d.bodies(end);
        return kernels->bodies_step(&bodies, begin, end, dt, nullptr, nullptr);
    },
    STREAMS({d.orientation[0], d.orientation[1], d.orientation[2], d.orientation[3]},
            {d.momentum[0], d.momentum[1], d.momentum[2], d.inertia[0], d.inertia[1], d.inertia[2]}, {})};
const Work work_bodies_kick = {
    [](const gyre_kernels *kernels, const Data &d, size_t begin, size_t end) {
        gyre_bodies bodies = d.bodies(end);
        std::copy_n(d.vector, 3, bodies.torque); /* for so little time that the momentum does not change */
        return kernels->bodies_kick(&bodies, begin, end, 1e-30f);
    },
    STREAMS({d.momentum[0], d.momentum[1], d.momentum[2]},
            {d.orientation[0], d.orientation[1], d.orientation[2], d.orientation[3], d.inertia[0], d.inertia[1],
             d.inertia[2], d.vector[0], d.vector[1], d.vector[2]},
            {})};
const Work work_bodies_energy = {
    [](const gyre_kernels *kernels, const Data &d, size_t begin, size_t end) {
        const gyre_bodies bodies = d.bodies(end);
        return kernels->bodies_energy(&bodies, begin, end, d.out[0]);
    },
    STREAMS({},
            {d.orientation[0], d.orientation[1], d.orientation[2], d.orientation[3], d.momentum[0], d.momentum[1],
             d.momentum[2], d.inertia[0], d.inertia[1], d.inertia[2]},
            {d.out[0]})};
const Work work_bodies_angular_velocity = {
    [](const gyre_kernels *kernels, const Data &d, size_t begin, size_t end) {
        const gyre_bodies bodies = d.bodies(end);
        return kernels->bodies_angular_velocity(&bodies, begin, end, d.out);
    },
    STREAMS({},
            {d.orientation[0], d.orientation[1], d.orientation[2], d.orientation[3], d.momentum[0], d.momentum[1],
             d.momentum[2], d.inertia[0], d.inertia[1], d.inertia[2]},
            {d.out[0], d.out[1], d.out[2]})};
const Work work_bodies_set_angular_velocity = {
    [](const gyre_kernels *kernels, const Data &d, size_t begin, size_t end) {
        gyre_bodies bodies = d.bodies(end);
        std::copy_n(d.out, 3, bodies.momentum);
        return kernels->bodies_set_angular_velocity(&bodies, begin, end, d.vector);
    },
    STREAMS({},
            {d.orientation[0], d.orientation[1], d.orientation[2], d.orientation[3], d.vector[0], d.vector[1],
             d.vector[2], d.inertia[0], d.inertia[1], d.inertia[2]},
            {d.out[0], d.out[1], d.out[2]})};
ceiling_streams transform_streams(const Data &d)
{
    ceiling_streams s = bench::streams(
        {},
        {d.orientation[0], d.orientation[1], d.orientation[2], d.orientation[3], d.vector[0], d.vector[1], d.vector[2]},
        {});
    s.rows = d.rows3x4;
    return s;
}
gyre_status make_transforms(const gyre_kernels *kernels, const Data &d, size_t begin, size_t end)
{
    const gyre_bodies bodies = d.bodies(end);
    return kernels->bodies_transforms(&bodies, begin, end, d.vector[0], d.vector[1], d.vector[2], d.rows3x4, 48);
}
const Work work_bodies_transforms = {make_transforms, transform_streams};
/* Three floats from structures of twelve; the ceiling copies arrays, without the nine others in between. */
/* Chains of one bone, whose roots stand still. */
gyre_status run_chains(gyre_status (*run)(const gyre_bone_chains *, size_t, size_t, float), const Data &d, size_t begin,
                       size_t end)
{
    const size_t level_begin[2] = {0, end};
    gyre_bone bone = {};
    bone.rest[3] = 1;
    bone.tail[1] = -0.1f;
    bone.stiffness = 400;
    gyre_bone_chains chains = {};
    chains.count = end;
    chains.levels = 1;
    chains.level_begin = level_begin;
    std::copy_n(d.orientation, 4, chains.orientation);
    std::copy_n(d.angular_velocity, 3, chains.velocity);
    chains.bones = &bone;
    chains.bone_count = 1;
    std::copy_n(d.vector, 3, chains.position);
    std::copy_n(d.orientation_target, 4, chains.parent);
    return run(&chains, begin, end, dt);
}
const Work work_bone_chains_step = {[](const gyre_kernels *kernels, const Data &d, size_t begin, size_t end) {
                                        return run_chains(kernels->bone_chains_step, d, begin, end);
                                    },
                                    STREAMS({d.orientation[0], d.orientation[1], d.orientation[2], d.orientation[3],
                                             d.angular_velocity[0], d.angular_velocity[1], d.angular_velocity[2]},
                                            {d.vector[0], d.vector[1], d.vector[2], d.orientation_target[0],
                                             d.orientation_target[1], d.orientation_target[2], d.orientation_target[3]},
                                            {})};
const Work work_bone_chains_reset = {
    [](const gyre_kernels *kernels, const Data &d, size_t begin, size_t end) {
        return run_chains(kernels->bone_chains_reset, d, begin, end);
    },
    STREAMS({},
            {d.vector[0], d.vector[1], d.vector[2], d.orientation_target[0], d.orientation_target[1],
             d.orientation_target[2], d.orientation_target[3]},
            {d.orientation[0], d.orientation[1], d.orientation[2], d.orientation[3], d.angular_velocity[0],
             d.angular_velocity[1], d.angular_velocity[2]})};
gyre_bone bone_result;
const Work work_bone_from_spring = {RUN(bone_from_spring(underdamped, &bone_result)), nullptr};
const Work work_bone_from_vrm = {RUN(bone_from_vrm(1, 0.4f, 0.2f, 0.1f, 60, &bone_result)), nullptr};
const Work work_gather = {RUN(gather(d.rows3x4, 48, 3, d.out, begin, end)),
                          STREAMS({}, {d.vector[0], d.vector[1], d.vector[2]}, {d.out[0], d.out[1], d.out[2]})};
const Work work_scatter = {RUN(scatter(d.vector, 3, d.rows3x4, 48, begin, end)), work_gather.streams};
const Work work_interpolate = {RUN(interpolate(d.position, d.target, 0.3f, d.out[0], begin, end)),
                               STREAMS({}, {d.position, d.target}, {d.out[0]})};
const Work work_limit_length = {RUN(limit_length(d.vector, 3, 10, begin, end)), /* all are short enough */
                                STREAMS({}, {d.vector[0], d.vector[1], d.vector[2]}, {})};
/* The ceiling reads a float where this kernel reads a flag. */
const Work work_find_awake = {RUN(find_awake(d.awake.data(), d.indices, &found, begin, end)), STREAMS({}, {d.x}, {})};
const Work work_hash = {RUN(hash(d.vector, 3, &hash_result, begin, end)), work_limit_length.streams};
/* The ceiling reads a float where this kernel reads a byte. */
const Work work_hash_bytes = {RUN(hash_bytes(d.awake.data(), &hash_result, begin, end)), work_find_awake.streams};
const Work work_turn_targets = {RUN(turn_targets(d.target, d.position, 6.2831855f, begin, end)),
                                STREAMS({d.target}, {d.position}, {})};
const Work work_inertia_principal = {RUN(inertia_principal(tensor, result, axes)), nullptr};
const Work work_inertia_check = {RUN(inertia_check(tensor, &inertia_kind)), nullptr};
const Work work_inertia_nearest = {RUN(inertia_nearest(impossible_tensor, nearest_tensor, result)), nullptr};

struct Named {
    const char *kernel;
    const Work &work;
};
#define ENTRY(member, plain, parameters, arguments) {#member, work_##member},
const Named all[] = {GYRE_KERNELS(ENTRY)};

/* The kernel over count elements on one table; one call for functions of single values. */
std::function<void()> step_of(const Work &work, const gyre_kernels *kernels, std::shared_ptr<Data> data, size_t count)
{
    return [=, run = work.run] { run(kernels, *data, 0, count); };
}

double bytes_of(const Work &work, const Data &data)
{
    return work.streams == nullptr ? 0 : bench::bytes_of(work.streams(data)) + static_cast<double>(work.index_bytes);
}

/* Adds a row if the kernel returns GYRE_OK. */
void add_row(const Named &named, const gyre_kernels *kernels, std::shared_ptr<Data> data, size_t count)
{
    const gyre_status status = named.work.run(kernels, *data, 0, count);
    bench::add_if(status == GYRE_OK, gyre_status_name(status), named.kernel, bench::name_of(kernels), count,
                  bytes_of(named.work, *data), step_of(named.work, kernels, data, count));
}

void add_rows(const Named &named, const std::vector<size_t> &counts, std::shared_ptr<Data> data)
{
    if (named.work.streams == nullptr) {
        for (const gyre_kernels *kernels : bench::runnable_tables()) {
            add_row(named, kernels, data, 1);
        }
        return;
    }
    for (size_t count : counts) {
        for (const gyre_kernels *kernels : bench::runnable_tables()) {
            add_row(named, kernels, data, count);
        }
        if (count >= 64) {
            bench::add_ceiling(named.kernel, count, named.work.streams(*data));
        }
    }
}

/* Elements in the rows of several threads, each of which works on its own part. No more than fits in the nearer caches
   of one processor: one thread of a kernel with little arithmetic already uses all of the shared memory's bandwidth. No
   fewer: a processor prefetches the lines after its part, which another one writes, and this costs 30 to 50 ns per
   array and call (bench/notes/loops.md). */
const size_t threaded_count = 16384;

void add_threads(const Named &named, size_t count, std::shared_ptr<Data> data)
{
    bench::add_threaded(named.kernel + std::string("-threads"), count, bytes_of(named.work, *data),
                        [=, kernels = gyre_in_use(), run = named.work.run](size_t begin, size_t end) {
                            run(kernels, *data, begin, end);
                        });
}

/* The speed-up of threads that use no memory. */
void add_register_threads()
{
    bench::add_threaded("multiply-add-threads", CHAINED_OPERATIONS * 1024, 0, [](size_t begin, size_t end) {
        alignas(64) float sink[16] = {};
        bench::widest_ceilings().multiply_add(sink, end - begin);
    });
}

/* The peak of each table's arithmetic units, and a clock cycle while they are busy. */
void add_arithmetic()
{
    const size_t count = CHAINED_OPERATIONS * 64;
    auto sink = std::make_shared<bench::Array>(16);
    for (const gyre_kernels *kernels : bench::runnable_tables()) {
        const ceilings &c = bench::ceilings_of(kernels);
        for (auto [name, operation] :
             {std::pair{"multiply-add", c.multiply_add}, {"divide", c.divide}, {"square-root", c.square_root}}) {
            bench::add(name, bench::name_of(kernels), count, 0, [=, f = operation] { f(sink->data(), count); });
        }
        bench::add("clock", bench::name_of(kernels), count, 0, [=, f = c.cycles] { f(count); });
    }
}

/* Writes a line: name, table, count, and the addresses of all instructions of a call on count elements. */
bool write_trace(FILE *out, const std::string &name, const gyre_kernels *kernels, size_t count,
                 const std::function<void()> &step)
{
    const std::vector<uintptr_t> addresses = bench::traced(step);
    std::fprintf(out, "%s %s %zu", name.c_str(), bench::name_of(kernels).c_str(), count);
    for (uintptr_t address : addresses) {
        std::fprintf(out, " %zx", address);
    }
    std::fprintf(out, "\n");
    return !addresses.empty();
}

/* Traces of all kernels and of the arithmetic units' peak, at two counts each; only on the widest tables, because
   tracing executes only thousands of instructions per second. */
bool write_traces(FILE *out, const std::string &only)
{
    auto data = std::make_shared<Data>(128);
    const std::set<const gyre_kernels *> widest = {gyre_kernels_best(GYRE_ROUNDING_PORTABLE),
                                                   gyre_kernels_best(GYRE_ROUNDING_FUSED)};
    bool traced = true;
    for (const gyre_kernels *kernels : widest) {
        for (size_t times : {1, 2}) {
            for (const Named &named : all) {
                if (named.work.streams != nullptr && (only.empty() || only == named.kernel)) {
                    const size_t count = 64 * times;
                    traced = traced &&
                             write_trace(out, named.kernel, kernels, count, step_of(named.work, kernels, data, count));
                }
            }
            const size_t count = 8 * CHAINED_OPERATIONS * times;
            traced = traced && write_trace(out, "multiply-add", kernels, count, [=] {
                         alignas(64) float sink[16] = {};
                         bench::ceilings_of(kernels).multiply_add(sink, count);
                     });
        }
    }
    return traced;
}

int save_traces(const std::string &file, const std::string &only)
{
    FILE *out = std::fopen(file.c_str(), "w");
    if (out == nullptr) {
        std::fprintf(stderr, "cannot write %s\n", file.c_str());
        return 1;
    }
    const bool traced = write_traces(out, only);
    if (!traced) {
        std::fprintf(stderr, "this system does not allow tracing of processes\n");
    }
    return std::fclose(out) == 0 && traced ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
{
    make_matrices();
    const std::string traces = bench::take_option(&argc, argv, "traces");
    const std::string only = bench::take_option(&argc, argv, "kernel");
    if (!traces.empty()) {
        return save_traces(traces, only);
    }
    bench::take_effort(&argc, argv);
    const std::vector<size_t> counts = bench::counts({1, 7, 64, 1 << 10, 1 << 14, 1 << 16, 1 << 18, 1 << 22, 1 << 24},
                                                     Data::FLOATS_PER_ELEMENT * sizeof(float));
    auto data = std::make_shared<Data>(counts.back());
    for (const Named &named : all) {
        add_rows(named, counts, data);
        if (named.work.streams != nullptr) {
            add_threads(named, std::min(counts.back(), threaded_count), data);
        }
    }
    add_register_threads();
    add_arithmetic();
    return bench::run(argc, argv, {"ceiling", "1"});
}
