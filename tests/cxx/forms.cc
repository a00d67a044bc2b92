/* A table whose members call the functions of gyre.hpp, for the same inputs as all tables (support/work.h). Compiled
   with and without exceptions; MODE is the suffix of the function that returns the table.

   form_MEMBER is the call for a row of list.h, with the names of the row's parameters. A row without a form does not
   compile. */
#include <gyre/gyre.hpp>

#include "list.h"

#define form_math_exp answer(gyre::exp(span(x, count), span(y, count)))
#define form_math_expm1 answer(gyre::expm1(span(x, count), span(y, count)))
#define form_math_log answer(gyre::log(span(x, count), span(y, count)))
#define form_math_sin answer(gyre::sin(span(x, count), span(y, count)))
#define form_math_cos answer(gyre::cos(span(x, count), span(y, count)))
#define form_math_sincos answer(gyre::sincos(span(x, count), span(sin, count), span(cos, count)))
#define form_spring_from_stiffness answer(gyre::spring::from_stiffness(mass, stiffness, damping), out)
#define form_spring_from_response answer(gyre::spring::from_response(response_s, damping_ratio), out)
#define form_spring_from_duration answer(gyre::spring::from_duration(duration_s, bounce), out)
#define form_spring_from_half_life answer(gyre::spring::from_half_life(half_life_s, damping_ratio), out)
#define form_spring_from_settling answer(gyre::spring::from_settling(settling_s, damping_ratio, fraction), out)
#define form_spring_matrix_at answer(gyre::spring(spring).matrix_at(dt_s), out)
#define form_spring_settling_time answer(gyre::spring(spring).settling_time(displacement, velocity, tolerance), out_s)
#define form_spring_to_stiffness answer(gyre::spring(spring).to_stiffness(mass), stiffness, damping)
#define form_spring_to_response answer(gyre::spring(spring).to_response(), response_s)
#define form_spring_to_duration answer(gyre::spring(spring).to_duration(), duration_s, bounce)
#define form_spring_peak answer(gyre::spring(spring).peak(displacement, velocity), time_s, peak)
#define form_smoothing_matrix_at answer(gyre::smoothing_matrix_at(half_life_s, dt_s), out)
#define form_springs_step answer(gyre::springs(*springs).step({begin, end}, *matrix))
#define form_springs_step_palette                                                                                      \
    answer(                                                                                                            \
        gyre::springs(*springs).step_palette({begin, end}, span(palette, palette_count), span(index, springs->count)))
#define form_springs_step_each                                                                                         \
    answer(gyre::springs(*springs).step_each(                                                                          \
        {begin, end}, span(angular_frequency, springs->count), span(damping_ratio, springs->count),                    \
        optional_span(follow, springs->count), optional_span(time_scale, springs->count), dt_s))
#define form_springs_at                                                                                                \
    answer(gyre::springs(*start).at({begin, end}, spring, span(elapsed_s, start->count),                               \
                                    span(position_out, start->count), span(velocity_out, start->count)))
#define form_orientation_springs_step                                                                                  \
    answer(gyre::orientation_springs(*springs).step({begin, end}, *matrix, dt_s))
#define form_limit_targets                                                                                             \
    answer(with_count(components, [&](auto n) {                                                                        \
        using in = gyre::components<const float, n>;                                                                   \
        using out = gyre::components<float, n>;                                                                        \
        return gyre::limit_targets({begin, end}, in(position, end), in(velocity, end), in(target_before, end),         \
                                   in(target, end), spring, max_speed, dt_s, out(target_before_out, end),              \
                                   out(target_out, end));                                                              \
    }))
#define form_particle_matrix_at answer(gyre::damping(damping).matrix_at(dt_s), out)
#define form_particles_step answer(gyre::particles(*particles).step({begin, end}, *matrix))
#define form_particles_step_each                                                                                       \
    answer(gyre::particles(*particles)                                                                                 \
               .step_each({begin, end}, span(damping, particles->count),                                               \
                          span(time_scale, time_scale != nullptr ? particles->count : 0), dt_s))
#define form_flings_step answer(gyre::flings(*flings).step({begin, end}, dt_s))
#define form_decelerate                                                                                                \
    answer(with_count(components, [&](auto n) {                                                                        \
        return gyre::decelerate({begin, end}, gyre::components<float, n>(position, end),                               \
                                gyre::components<float, n>(velocity, end), deceleration, dt_s);                        \
    }))
#define form_damping_from_retention answer(gyre::damping::from_retention(fraction, interval_s), out)
#define form_damping_from_half_life answer(gyre::damping::from_half_life(half_life_s), out)
#define form_damping_rest_position answer(gyre::damping(damping).rest_position(position, velocity), out)
#define form_damping_velocity_to_rest_at answer(gyre::damping(damping).velocity_to_rest_at(position, where), out)
#define form_damping_time_to_speed answer(gyre::damping(damping).time_to_speed(velocity, speed), out_s)
#define form_damping_time_to_position answer(gyre::damping(damping).time_to_position(position, velocity, where), out_s)
#define form_rubber_band_offset answer(gyre::rubber_band_offset(distance, dimension, coefficient), out)
#define form_rubber_band_distance answer(gyre::rubber_band_distance(offset, dimension, coefficient), out)
#define form_rotation_matrix answer(gyre::rotation_matrix({begin, end}, vectors(v, end), components<9>(r, end)))
#define form_rotation_left_jacobian                                                                                    \
    answer(gyre::rotation_left_jacobian({begin, end}, vectors(v, end), components<9>(t, end)))
#define form_rotation_quaternion answer(gyre::rotation_quaternion({begin, end}, vectors(v, end), components<4>(q, end)))
#define form_rotation_vector answer(gyre::rotation_vector({begin, end}, quaternions(q, end), components<3>(v, end)))
#define form_rotation_product                                                                                          \
    answer(gyre::rotation_product({begin, end}, quaternions(a, end), quaternions(b, end), components<4>(out, end)))
#define form_rotation_between                                                                                          \
    answer(                                                                                                            \
        gyre::rotation_between({begin, end}, quaternions(a, end), quaternions(b, end), part, components<4>(out, end)))
#define form_rotation_apply                                                                                            \
    answer(gyre::rotation_apply({begin, end}, quaternions(q, end), vectors(v, end), components<3>(out, end)))
#define form_bone_from_spring answer(gyre::bone::from_spring(spring, *bone), bone)
#define form_bone_from_vrm answer(gyre::bone::from_vrm(stiffness, drag_force, gravity_power, length, rate, *bone), bone)
#define form_bone_chains_step answer(gyre::bone_chains(*chains).step({begin, end}, dt_s))
#define form_bone_chains_reset answer(gyre::bone_chains(*chains).reset({begin, end}, dt_s))
#define form_bodies_step answer(gyre::bodies(*bodies).step({begin, end}, dt_s, solver, report))
#define form_bodies_kick answer(gyre::bodies(*bodies).kick({begin, end}, dt_s))
#define form_bodies_energy answer(gyre::bodies(*bodies).energy({begin, end}, span(energy_J, bodies->count)))
#define form_bodies_angular_velocity                                                                                   \
    answer(gyre::bodies(*bodies).angular_velocity({begin, end}, components<3>(omega, bodies->count)))
#define form_bodies_set_angular_velocity                                                                               \
    answer(gyre::bodies(*bodies).set_angular_velocity({begin, end}, vectors(omega, bodies->count)))
#define form_bodies_transforms                                                                                         \
    answer(gyre::bodies(*bodies).transforms({begin, end}, positions(x, y, z, bodies->count),                           \
                                            span(rows3x4, (bodies->count - 1) * stride_bytes / 4 + 12), stride_bytes))
#define form_gather                                                                                                    \
    answer(with_count(components, [&](auto n) {                                                                        \
        return gyre::gather({begin, end}, from, stride_bytes, gyre::components<float, n>(to, end));                    \
    }))
#define form_scatter                                                                                                   \
    answer(with_count(components, [&](auto n) {                                                                        \
        return gyre::scatter({begin, end}, gyre::components<const float, n>(from, end), to, stride_bytes);             \
    }))
#define form_interpolate                                                                                               \
    answer(gyre::interpolate({begin, end}, span(before, end), span(now, end), part, span(out, end)))
#define form_limit_length                                                                                              \
    answer(with_count(components, [&](auto n) {                                                                        \
        return gyre::limit_length({begin, end}, gyre::components<float, n>(v, end), longest);                          \
    }))
#define form_find_awake answer(gyre::find_awake({begin, end}, span(awake, end), span(indices, end - begin)), found)
#define form_hash                                                                                                      \
    answer(with_count(components,                                                                                      \
                      [&](auto n) {                                                                                    \
                          return gyre::hash({begin, end}, gyre::components<const float, n>(arrays, end));              \
                      }),                                                                                              \
           out)
#define form_hash_bytes answer(gyre::hash_bytes({begin, end}, span(bytes, end)), hash)
#define form_turn_targets answer(gyre::turn_targets({begin, end}, span(target, end), span(position, end), period))
#define form_inertia_principal answer(gyre::inertia_principal(span(tensor, 6)), moments, axes)
#define form_inertia_check answer(gyre::inertia_check(span(tensor, 6)), out)
#define form_inertia_nearest answer(gyre::inertia_nearest(span(tensor, 6)), nearest, excess)

namespace
{

template <class T> gyre::span<T> span(T *data, std::size_t size) { return {data, size}; }

template <class T> gyre::span<T> optional_span(T *data, std::size_t size) { return {data, data == nullptr ? 0 : size}; }

template <std::size_t N> gyre::components<float, N> components(float *const *arrays, std::size_t size)
{
    return {arrays, size};
}

gyre::components<const float, 3> vectors(float *const *v, std::size_t size) { return components<3>(v, size); }
gyre::components<const float, 4> quaternions(float *const *q, std::size_t size) { return components<4>(q, size); }

gyre::components<const float, 3> positions(const float *x, const float *y, const float *z, std::size_t size)
{
    const float *const arrays[3] = {x, y, z};
    return {arrays, x == nullptr ? 0 : size};
}

/* Calls f(n) with n = count as a constant. */
template <std::size_t n = 1, class F> auto with_count(std::size_t count, const F &f)
{
    if constexpr (n < 16) {
        if (count != n) {
            return with_count<n + 1>(count, f);
        }
    }
    return f(std::integral_constant<std::size_t, n>());
}

template <class T> std::enable_if_t<std::is_integral_v<T>> write(T from, T *to) { *to = from; }
void write(const gyre_spring &from, gyre_spring *to) { *to = from; }
void write(const gyre_spring_matrix &from, gyre_spring_matrix *to) { *to = from; }
void write(const gyre_bone &from, gyre_bone *to) { *to = from; }
void write(const gyre_particle_matrix &from, gyre_particle_matrix *to) { *to = from; }
void write(const gyre::damping &from, float *to) { *to = from.rate; }
void write(float from, float *to) { *to = from; }
void write(const gyre::spring::stiffness_form &from, float *stiffness, float *damping)
{
    *stiffness = from.stiffness;
    *damping = from.damping;
}
void write(const gyre::spring::duration_form &from, float *duration_s, float *bounce)
{
    *duration_s = from.duration_s;
    *bounce = from.bounce;
}
void write(const gyre::spring::turning_point &from, float *time_s, float *peak)
{
    *time_s = from.time_s;
    *peak = from.displacement;
}
void write(gyre_inertia_kind from, gyre_inertia_kind *to) { *to = from; }
void write(const gyre::principal_inertia &from, float *moments, float *axes)
{
    for (std::size_t k = 0; k < 3; k++) {
        moments[k] = from.moments[k];
    }
    for (std::size_t k = 0; k < 4; k++) {
        axes[k] = from.axes[k];
    }
}
void write(const gyre::nearest_inertia &from, float *nearest, float *excess)
{
    for (std::size_t k = 0; k < 6; k++) {
        nearest[k] = from.tensor[k];
    }
    *excess = from.excess;
}

/* Like the C function: returns the status, and writes nothing after an error. */
template <class R, class... To> gyre_status answer(const R &r, To... to)
{
    if constexpr (sizeof...(To) > 0) {
        if (!gyre::failed(r)) {
            write(gyre::value(r), to...);
        }
    }
    return static_cast<gyre_status>(gyre::status_of(r));
}

template <class F> gyre_status thrown_or_returned(const F &form)
{
#ifdef GYRE_NO_EXCEPTIONS
    return form();
#else
    try {
        return form();
    } catch (const gyre::error &e) {
        return static_cast<gyre_status>(e.status());
    }
#endif
}

#define FORM(member, plain, parameters, arguments)                                                                     \
    gyre_status member parameters                                                                                      \
    {                                                                                                                  \
        return thrown_or_returned([&] { return form_##member; });                                                      \
    }
GYRE_KERNELS(FORM)

} // namespace

#define NAME(mode) NAME_(mode)
#define NAME_(mode) forms_##mode
extern "C" const gyre_kernels *NAME(MODE)();
const gyre_kernels *NAME(MODE)()
{
#define MEMBER(member, plain, parameters, arguments) k.member = member;
    static const gyre_kernels table = [] {
        gyre_kernels k = {};
        GYRE_KERNELS(MEMBER)
        return k;
    }();
    return &table;
}
