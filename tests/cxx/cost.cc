/* The same calls to the C functions (c_NAME) and through gyre.hpp (cxx_NAME). cost.py compares the compiled code.

   CALL(NAME, sizes, parameters, C, C++)      sizes: how many more sizes or bounds the C++ compares
   VALUE(NAME, type, parameters, C, C++)      for a function with a result of that type: *out in C */
#include <gyre/gyre.hpp>

using input = gyre::span<const float>;
using output = gyre::span<float>;
using indices = gyre::span<const std::uint16_t>;
using matrices = gyre::span<const gyre_spring_matrix>;
using size = std::size_t;
template <size N> using inputs = const gyre::components<const float, N> &;
template <size N> using outputs = const gyre::components<float, N> &;

/* Handles errors as a C program does: returns them, or calls a function that does not return. */
#ifdef GYRE_NO_EXCEPTIONS
template <class T> struct c_result {
    gyre_status status;
    T value;
};
#define C_STATUS(call) return call
#define C_RESULT(type, call)                                                                                           \
    c_result<type> result;                                                                                             \
    type *out = &result.value;                                                                                         \
    result.status = call;                                                                                              \
    return result
#else
template <class T> using c_result = T;
[[noreturn, gnu::cold]] void failed(gyre_status status) __asm__("failed");
#define C_STATUS(call)                                                                                                 \
    const gyre_status status = call;                                                                                   \
    if (status < 0) {                                                                                                  \
        failed(status);                                                                                                \
    }                                                                                                                  \
    return status
#define C_RESULT(type, call)                                                                                           \
    type result, *out = &result;                                                                                       \
    const gyre_status status = call;                                                                                   \
    if (status < 0) {                                                                                                  \
        failed(status);                                                                                                \
    }                                                                                                                  \
    return result
#endif

#define CALL(name, sizes, parameters, c, cxx)                                                                          \
    gyre_status c_##name parameters __asm__("c_" #name);                                                               \
    gyre_status c_##name parameters { C_STATUS(c); }                                                                   \
    gyre::status cxx_##name parameters __asm__("cxx_" #name "_" #sizes);                                               \
    gyre::status cxx_##name parameters { return cxx; }
#define VALUE(name, type, parameters, c, cxx)                                                                          \
    c_result<type> c_##name parameters __asm__("c_" #name);                                                            \
    c_result<type> c_##name parameters { C_RESULT(type, c); }                                                          \
    gyre::result<type> cxx_##name parameters __asm__("cxx_" #name "_value");                                           \
    gyre::result<type> cxx_##name parameters { return cxx; }

CALL(springs_step, 0, (const gyre::springs &s, size begin, size end, const gyre_spring_matrix &matrix),
     gyre_springs_step(&s, begin, end, &matrix), s.step({begin, end}, matrix))
CALL(springs_step_all, 0, (const gyre::springs &s, const gyre_spring_matrix &matrix),
     gyre_springs_step(&s, 0, s.count, &matrix), s.step(matrix))
CALL(springs_step_palette, 1, (const gyre::springs &s, size begin, size end, matrices palette, indices index),
     gyre_springs_step_palette(&s, begin, end, palette.data(), palette.size(), index.data()),
     s.step_palette({begin, end}, palette, index))
CALL(springs_step_each, 4,
     (const gyre::springs &s, size begin, size end, input w, input z, input follow, input scale, float dt_s),
     gyre_springs_step_each(&s, begin, end, w.data(), z.data(), follow.empty() ? nullptr : follow.data(),
                            scale.empty() ? nullptr : scale.data(), dt_s),
     s.step_each({begin, end}, w, z, follow, scale, dt_s))
CALL(springs_at, 3, (const gyre::springs &s, size begin, size end, gyre_spring kind, input t, output x, output v),
     gyre_springs_at(&s, begin, end, kind, t.data(), x.data(), v.data()), s.at({begin, end}, kind, t, x, v))
CALL(particles_step, 0, (const gyre::particles &p, size begin, size end, const gyre_particle_matrix &matrix),
     gyre_particles_step(&p, begin, end, &matrix), p.step({begin, end}, matrix))
CALL(particles_step_each, 2, (const gyre::particles &p, size begin, size end, input damping, input scale, float dt_s),
     gyre_particles_step_each(&p, begin, end, damping.data(), scale.empty() ? nullptr : scale.data(), dt_s),
     p.step_each({begin, end}, damping, scale, dt_s))
CALL(flings_step, 0, (const gyre::flings &f, size begin, size end, float dt_s), gyre_flings_step(&f, begin, end, dt_s),
     f.step({begin, end}, dt_s))
CALL(bodies_step, 0, (const gyre::bodies &b, size begin, size end, float dt_s), //
     gyre_bodies_step(&b, begin, end, dt_s, nullptr, nullptr), b.step({begin, end}, dt_s))
CALL(bodies_step_solver, 0,
     (const gyre::bodies &b, size begin, size end, float dt_s, const gyre_body_solver *solver,
      gyre_body_report *report),
     gyre_bodies_step(&b, begin, end, dt_s, solver, report), b.step({begin, end}, dt_s, solver, report))
CALL(bodies_kick, 0, (const gyre::bodies &b, size begin, size end, float dt_s), gyre_bodies_kick(&b, begin, end, dt_s),
     b.kick({begin, end}, dt_s))
CALL(bodies_energy, 1, (const gyre::bodies &b, size begin, size end, output energy),
     gyre_bodies_energy(&b, begin, end, energy.data()), b.energy({begin, end}, energy))
CALL(bodies_angular_velocity, 1, (const gyre::bodies &b, size begin, size end, outputs<3> omega),
     gyre_bodies_angular_velocity(&b, begin, end, omega.data()), b.angular_velocity({begin, end}, omega))
CALL(bodies_set_angular_velocity, 1, (const gyre::bodies &b, size begin, size end, inputs<3> omega),
     gyre_bodies_set_angular_velocity(&b, begin, end, const_cast<float *const *>(omega.data())),
     b.set_angular_velocity({begin, end}, omega))
CALL(bodies_transforms, 6, (const gyre::bodies &b, size begin, size end, inputs<3> x, output rows),
     gyre_bodies_transforms(&b, begin, end, x[0], x[1], x[2], rows.data(), 48), b.transforms({begin, end}, x, rows))
CALL(exp, 1, (input x, output y), gyre_exp(x.data(), y.data(), x.size()), gyre::exp(x, y))
CALL(exp_range, 3, (size begin, size end, input x, output y), gyre_exp(x.data() + begin, y.data() + begin, end - begin),
     gyre::exp({begin, end}, x, y))
CALL(sincos, 2, (input x, output s, output c), gyre_sincos(x.data(), s.data(), c.data(), x.size()),
     gyre::sincos(x, s, c))
CALL(rotation_matrix, 3, (size begin, size end, inputs<3> v, outputs<9> r),
     gyre_rotation_matrix(const_cast<float *const *>(v.data()), r.data(), begin, end),
     gyre::rotation_matrix({begin, end}, v, r))
CALL(rotation_quaternion, 3, (size begin, size end, inputs<3> v, outputs<4> q),
     gyre_rotation_quaternion(const_cast<float *const *>(v.data()), q.data(), begin, end),
     gyre::rotation_quaternion({begin, end}, v, q))
CALL(rotation_product, 5, (size begin, size end, inputs<4> a, inputs<4> b, outputs<4> out),
     gyre_rotation_product(const_cast<float *const *>(a.data()), const_cast<float *const *>(b.data()), out.data(),
                           begin, end),
     gyre::rotation_product({begin, end}, a, b, out))
CALL(use, 0, (const gyre_kernels *table), gyre_use(table), gyre::use(table))

VALUE(spring_from_response, gyre::spring, (float response_s, float z), gyre_spring_from_response(response_s, z, out),
      gyre::spring::from_response(response_s, z))
VALUE(spring_matrix_at, gyre_spring_matrix, (const gyre::spring &s, float dt_s), gyre_spring_matrix_at(s, dt_s, out),
      s.matrix_at(dt_s))
VALUE(spring_settling_time, float, (const gyre::spring &s, float x, float v, float tolerance),
      gyre_spring_settling_time(s, x, v, tolerance, out), s.settling_time(x, v, tolerance))
VALUE(particle_matrix_at, gyre_particle_matrix, (gyre::damping d, float dt_s),
      gyre_particle_matrix_at(d.rate, dt_s, out), d.matrix_at(dt_s))
VALUE(damping_rest_position, float, (gyre::damping d, float x, float v), gyre_damping_rest_position(x, v, d.rate, out),
      d.rest_position(x, v))
