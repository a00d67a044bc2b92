/* Gyre in C++17 and later. The contract of each function is that of the C function that it calls: see gyre.h and the
   headers that it includes. This header adds what follows, and no cost but comparisons of sizes: everything is inline,
   nothing allocates, and a call becomes the call of the C function.

   Names     gyre_springs_step(&springs, begin, end, &matrix) is springs.step({begin, end}, matrix). Functions of a
             struct are its members, all others are functions of the namespace gyre.
   Ranges    Functions over elements take a range first. Without it they take all elements.
   Spans     Arrays are spans. A span is made from anything that has data() and size(), such as std::vector, std::array
             and std::span, from an array, or from a pointer and a size. All spans of a call must have the same size,
             else the call is an error_range. An optional array is left out by an empty span.
   C structs gyre::springs and the other classes are the C structs, by inheritance, and convert from them. Members that
             no function here sets, such as rest_distance, are set directly. C functions take these objects.
   Errors    With exceptions an error is thrown as gyre::error. Without them (-fno-exceptions, or GYRE_NO_EXCEPTIONS
             defined before this header is included) it is returned, and the compiler warns where it is ignored:

                                      with exceptions           without
                 status f(...)        ok or incomplete          any status
                 result<T> f(...)     T itself                  a status and a T, which is zero after an error

             failed(x), status_of(x) and value(x) take both kinds of results in both modes, so code that uses them
             compiles in both. With exceptions failed() is false. Objects of the two modes have different types: files
             of both kinds can be linked into one program, and hand C structs to each other. */
#ifndef GYRE_GYRE_HPP
#define GYRE_GYRE_HPP

#if __cplusplus < 201703L && (!defined(_MSVC_LANG) || _MSVC_LANG < 201703L)
#error "gyre.hpp needs C++17 or later: -std=c++17"
#endif

#include "gyre.h"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#if !defined(GYRE_NO_EXCEPTIONS) && !defined(__cpp_exceptions) && !defined(_CPPUNWIND)
#define GYRE_NO_EXCEPTIONS
#endif

/* The two modes have namespaces of their own: a function that throws and one that returns must not be one symbol. */
#ifdef GYRE_NO_EXCEPTIONS
#define GYRE_HPP_MODE returning
#define GYRE_HPP_NODISCARD [[nodiscard]]
#else
#include <exception>
#define GYRE_HPP_MODE throwing
#define GYRE_HPP_NODISCARD
#endif
#ifdef __GNUC__
#define GYRE_HPP_COLD __attribute__((cold, noinline))
#define GYRE_HPP_VISIBLE __attribute__((visibility("default"))) /* one type in all shared libraries */
#else
#define GYRE_HPP_COLD
#define GYRE_HPP_VISIBLE
#endif

namespace gyre
{
inline namespace GYRE_HPP_MODE
{

/* ---- Errors ---- */

enum class GYRE_HPP_NODISCARD status : int {
    ok = GYRE_OK,
    incomplete = GYRE_INCOMPLETE, /* no error: never thrown */
    error_null = GYRE_ERROR_NULL,
    error_range = GYRE_ERROR_RANGE, /* also: spans of different sizes, or a range outside of them */
    error_value = GYRE_ERROR_VALUE
};

inline const char *name(status s) { return gyre_status_name(static_cast<gyre_status>(s)); }

[[nodiscard]] constexpr status status_of(status s) noexcept { return s; }
[[nodiscard]] constexpr status status_of(gyre_status s) noexcept { return static_cast<status>(s); }
[[nodiscard]] constexpr bool failed(status s) noexcept { return static_cast<int>(s) < 0; }
[[nodiscard]] constexpr bool failed(gyre_status s) noexcept { return s < 0; }

#ifdef GYRE_NO_EXCEPTIONS

template <class T> struct [[nodiscard]] result {
    gyre::status status;
    T value;
};

template <class T> [[nodiscard]] constexpr bool failed(const result<T> &r) noexcept { return failed(r.status); }
template <class T> [[nodiscard]] constexpr status status_of(const result<T> &r) noexcept { return r.status; }
template <class T> [[nodiscard]] constexpr T &value(result<T> &r) noexcept { return r.value; }
template <class T> [[nodiscard]] constexpr const T &value(const result<T> &r) noexcept { return r.value; }
template <class T> [[nodiscard]] constexpr T value(result<T> &&r) noexcept { return r.value; }

/* What a function of this header makes of the status of a C function; for calls of C functions of your own. */
inline status check(gyre_status s) noexcept { return status_of(s); }

namespace detail
{
/* The result that a function writes, and the status that it returns. */
template <class T, class F> result<T> made(const F &write)
{
    result<T> r = {};
    r.status = check(write(r.value));
    return r;
}
} // namespace detail

#else

template <class T> using result = T;

template <class T> [[nodiscard]] constexpr bool failed(const T &) noexcept { return false; }
template <class T> [[nodiscard]] constexpr status status_of(const T &) noexcept { return status::ok; }
template <class T> [[nodiscard]] constexpr T value(T &&x) noexcept { return static_cast<T &&>(x); }

class GYRE_HPP_VISIBLE error : public std::exception
{
  public:
    explicit error(gyre::status s) noexcept : status_(s) {}
    gyre::status status() const noexcept { return status_; }
    const char *what() const noexcept override { return name(status_); } /* "null", "range" or "value" */

  private:
    gyre::status status_;
};

namespace detail
{
[[noreturn]] GYRE_HPP_COLD inline void raise(gyre_status s) { throw error(status_of(s)); }
} // namespace detail

/* What a function of this header makes of the status of a C function; for calls of C functions of your own. */
inline status check(gyre_status s)
{
    if (s < 0) {
        detail::raise(s);
    }
    return status_of(s);
}

namespace detail
{
/* The result that a function writes. */
template <class T, class F> T made(const F &write)
{
    T out = {};
    check(write(out));
    return out;
}
} // namespace detail

#endif

/* ---- Ranges and spans ---- */

/* Elements begin..end-1. */
struct range {
    std::size_t begin, end;
};

namespace detail
{
/* Whether a span of T is made from a C: its elements are T, but for const. A temporary that owns its elements, such as
   a std::vector, is no place for results. */
template <class C, class T, class = void> inline constexpr bool has_elements = false;
template <class C, class T>
inline constexpr bool has_elements<C, T,
                                   std::enable_if_t<std::is_convertible_v<
                                       std::remove_pointer_t<decltype(std::declval<C &>().data())> (*)[], T (*)[]>>> =
    std::is_convertible_v<decltype(std::declval<C &>().size()), std::size_t> &&
    (std::is_lvalue_reference_v<C> || std::is_const_v<T> || std::is_trivially_destructible_v<C>);
} // namespace detail

/* A pointer and a size. The same type in all standards, where std::span is there only from C++20 on. */
template <class T> class span
{
  public:
    constexpr span() noexcept = default;
    constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
    template <std::size_t N> constexpr span(T (&array)[N]) noexcept : data_(array), size_(N) {}
    template <class C, std::enable_if_t<detail::has_elements<C, T>, int> = 0>
    constexpr span(C &&container) noexcept : data_(container.data()), size_(container.size())
    {
    }

    constexpr T *data() const noexcept { return data_; }
    constexpr std::size_t size() const noexcept { return size_; }
    constexpr bool empty() const noexcept { return size_ == 0; }
    constexpr T &operator[](std::size_t i) const noexcept { return data_[i]; }
    constexpr T *begin() const noexcept { return data_; }
    constexpr T *end() const noexcept { return data_ + size_; }

  private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};
template <class C> span(C &&) -> span<std::remove_pointer_t<decltype(std::declval<C &>().data())>>;

namespace detail
{
template <class T> constexpr T *optional(span<T> s) noexcept { return s.empty() ? nullptr : s.data(); }
} // namespace detail

/* N arrays of the same size: the components of vectors, quaternions or matrices. components<const float, 3>{x, y, z} is
   made from three spans, or from one array of three containers. If the sizes differ, calls that are given these
   components are an error_range. */
template <class T, std::size_t N> class components
{
  public:
    constexpr components() noexcept = default;
    constexpr components(T *const *arrays, std::size_t size) noexcept : size_(size), common_(size)
    {
        for (std::size_t i = 0; i < N; i++) {
            arrays_[i] = size == 0 ? nullptr : arrays[i];
        }
    }
    template <class... C, std::enable_if_t<sizeof...(C) == N && (std::is_convertible_v<C, span<T>> && ...), int> = 0>
    constexpr components(C &&...arrays) noexcept : components(from_spans(), span<T>(static_cast<C &&>(arrays))...)
    {
    }
    template <class C, std::enable_if_t<std::is_convertible_v<C &, span<T>>, int> = 0>
    constexpr components(C (&arrays)[N]) noexcept : components(arrays, std::make_index_sequence<N>())
    {
    }
    template <class U, std::enable_if_t<std::is_convertible_v<U (*)[], T (*)[]>, int> = 0>
    constexpr components(const components<U, N> &c) noexcept : components(c.data(), c.size())
    {
        common_ = c.common_size();
    }

    constexpr T *const *data() const noexcept { return arrays_; } /* as C functions take them */
    constexpr T *operator[](std::size_t i) const noexcept { return arrays_[i]; }
    constexpr std::size_t size() const noexcept { return size_; }          /* the largest */
    constexpr std::size_t common_size() const noexcept { return common_; } /* 0 if sizes differ */
    constexpr bool empty() const noexcept { return size_ == 0; }

  private:
    struct from_spans {
    };
    template <class... S>
    constexpr components(from_spans, const S &...arrays) noexcept : arrays_{detail::optional(arrays)...}
    {
        ((size_ = size_ < arrays.size() ? arrays.size() : size_), ...);
        common_ = ((arrays.size() == size_) && ...) ? size_ : 0;
    }
    template <class C, std::size_t... I>
    constexpr components(C (&arrays)[N], std::index_sequence<I...>) noexcept
        : components(from_spans(), span<T>(arrays[I])...)
    {
    }

    T *arrays_[N] = {};
    std::size_t size_ = 0, common_ = 0;
};

namespace detail
{
constexpr std::size_t size_of(std::size_t n) noexcept { return n; }
template <class T> constexpr std::size_t size_of(const span<T> &s) noexcept { return s.size(); }
template <class T, std::size_t N> constexpr std::size_t size_of(const components<T, N> &c) noexcept
{
    return c.common_size();
}

/* All have n elements. */
template <class... S> constexpr bool same_size([[maybe_unused]] std::size_t n, const S &...arrays) noexcept
{
    return ((size_of(arrays) == n) && ...);
}

/* All have n elements, or are left out. */
template <class... S> constexpr bool same_or_no_size(std::size_t n, const S &...arrays) noexcept
{
    return ((arrays.empty() || size_of(arrays) == n) && ...);
}

template <class S, class... More> constexpr bool covers(range r, const S &array, const More &...more) noexcept
{
    return r.begin <= r.end && r.end <= size_of(array) && same_size(size_of(array), more...);
}

/* So many floats hold the matrices of a range. A stride that is too small is the C function's to refuse. */
constexpr bool has_rows(range r, std::size_t floats, std::size_t stride_bytes) noexcept
{
    const std::size_t stride = stride_bytes / sizeof(float);
    return r.begin >= r.end || stride < 12 || (floats >= 12 && r.end - 1 <= (floats - 12) / stride);
}

template <std::size_t N, class T> constexpr void set(T *(&to)[N], const components<T, N> &from) noexcept
{
    for (std::size_t i = 0; i < N; i++) {
        to[i] = from[i];
    }
}

/* C functions take arrays that they read as arrays that they could write, for C has no conversion for the second const
   of `const float *const *`. They write to none of them. */
template <std::size_t N> float *const *unchanged(const components<const float, N> &c) noexcept
{
    return const_cast<float *const *>(c.data());
}
} // namespace detail

/* ---- math.h ---- */

namespace detail
{
inline status elementwise(gyre_status (*f)(const float *, float *, std::size_t), range r, span<const float> x,
                          span<float> y)
{
    return check(covers(r, x, y) ? f(x.data() + r.begin, y.data() + r.begin, r.end - r.begin) : GYRE_ERROR_RANGE);
}
} // namespace detail

inline status exp(range r, span<const float> x, span<float> y) { return detail::elementwise(gyre_exp, r, x, y); }
inline status exp(span<const float> x, span<float> y) { return exp({0, x.size()}, x, y); }
inline status expm1(range r, span<const float> x, span<float> y) { return detail::elementwise(gyre_expm1, r, x, y); }
inline status expm1(span<const float> x, span<float> y) { return expm1({0, x.size()}, x, y); }
inline status log(range r, span<const float> x, span<float> y) { return detail::elementwise(gyre_log, r, x, y); }
inline status log(span<const float> x, span<float> y) { return log({0, x.size()}, x, y); }
inline status sin(range r, span<const float> x, span<float> y) { return detail::elementwise(gyre_sin, r, x, y); }
inline status sin(span<const float> x, span<float> y) { return sin({0, x.size()}, x, y); }
inline status cos(range r, span<const float> x, span<float> y) { return detail::elementwise(gyre_cos, r, x, y); }
inline status cos(span<const float> x, span<float> y) { return cos({0, x.size()}, x, y); }
inline status sincos(range r, span<const float> x, span<float> sin, span<float> cos)
{
    return check(detail::covers(r, x, sin, cos)
                     ? gyre_sincos(x.data() + r.begin, sin.data() + r.begin, cos.data() + r.begin, r.end - r.begin)
                     : GYRE_ERROR_RANGE);
}
inline status sincos(span<const float> x, span<float> sin, span<float> cos)
{
    return sincos({0, x.size()}, x, sin, cos);
}

/* ---- spring.h ---- */

using spring_matrix = gyre_spring_matrix;

struct spring : gyre_spring {
    constexpr spring(const gyre_spring &c = {}) noexcept : gyre_spring(c) {}
    constexpr spring(float frequency_rad_s, float ratio, float follow_part = 0) noexcept
        : gyre_spring{frequency_rad_s, ratio, follow_part}
    {
    }

    static result<spring> from_stiffness(float mass, float stiffness, float damping)
    {
        return detail::made<spring>(
            [&](auto &out) { return gyre_spring_from_stiffness(mass, stiffness, damping, &out); });
    }
    static result<spring> from_response(float response_s, float ratio)
    {
        return detail::made<spring>([&](auto &out) { return gyre_spring_from_response(response_s, ratio, &out); });
    }
    static result<spring> from_duration(float duration_s, float bounce)
    {
        return detail::made<spring>([&](auto &out) { return gyre_spring_from_duration(duration_s, bounce, &out); });
    }
    static result<spring> from_half_life(float half_life_s, float ratio)
    {
        return detail::made<spring>([&](auto &out) { return gyre_spring_from_half_life(half_life_s, ratio, &out); });
    }
    static result<spring> from_settling(float settling_s, float ratio, float fraction)
    {
        return detail::made<spring>(
            [&](auto &out) { return gyre_spring_from_settling(settling_s, ratio, fraction, &out); });
    }

    struct stiffness_form {
        float stiffness, damping;
    };
    result<stiffness_form> to_stiffness(float mass) const
    {
        return detail::made<stiffness_form>(
            [&](auto &out) { return gyre_spring_to_stiffness(*this, mass, &out.stiffness, &out.damping); });
    }
    result<float> to_response() const
    {
        return detail::made<float>([&](auto &out) { return gyre_spring_to_response(*this, &out); });
    }
    struct duration_form {
        float duration_s, bounce;
    };
    result<duration_form> to_duration() const
    {
        return detail::made<duration_form>(
            [&](auto &out) { return gyre_spring_to_duration(*this, &out.duration_s, &out.bounce); });
    }

    result<spring_matrix> matrix_at(float dt_s) const
    {
        return detail::made<spring_matrix>([&](auto &out) { return gyre_spring_matrix_at(*this, dt_s, &out); });
    }
    result<float> settling_time(float displacement, float velocity, float tolerance) const
    {
        return detail::made<float>(
            [&](auto &out) { return gyre_spring_settling_time(*this, displacement, velocity, tolerance, &out); });
    }
    struct turning_point {
        float time_s, displacement;
    };
    result<turning_point> peak(float displacement, float velocity) const
    {
        return detail::made<turning_point>(
            [&](auto &out) { return gyre_spring_peak(*this, displacement, velocity, &out.time_s, &out.displacement); });
    }
};

inline result<spring_matrix> smoothing_matrix_at(float half_life_s, float dt_s)
{
    return detail::made<spring_matrix>([&](auto &out) { return gyre_smoothing_matrix_at(half_life_s, dt_s, &out); });
}

struct springs : gyre_springs {
    constexpr springs(const gyre_springs &c = {}) noexcept : gyre_springs(c) {}

    /* Arrays by the names that they have in the C struct. */
    struct arrays {
        span<float> position, velocity;
        span<const float> target = {};
        span<std::uint8_t> awake = {};
        span<float> position_low = {}, velocity_low = {};
        span<const float> target_before = {}, lower = {}, upper = {}, rest_scale = {};
    };
    static result<springs> of(const arrays &a)
    {
        return detail::made<springs>([&](springs &s) {
            if (!detail::same_size(a.position.size(), a.velocity) ||
                !detail::same_or_no_size(a.position.size(), a.target, a.awake, a.position_low, a.velocity_low,
                                         a.target_before, a.lower, a.upper, a.rest_scale)) {
                return GYRE_ERROR_RANGE;
            }
            s.count = a.position.size();
            s.position = a.position.data();
            s.velocity = a.velocity.data();
            s.target = detail::optional(a.target);
            s.target_before = detail::optional(a.target_before);
            s.lower = detail::optional(a.lower);
            s.upper = detail::optional(a.upper);
            s.rest_scale = detail::optional(a.rest_scale);
            s.awake = detail::optional(a.awake);
            s.position_low = detail::optional(a.position_low);
            s.velocity_low = detail::optional(a.velocity_low);
            return GYRE_OK;
        });
    }

    constexpr range all() const noexcept { return {0, count}; }

    status step(range r, const spring_matrix &matrix) const
    {
        return check(gyre_springs_step(this, r.begin, r.end, &matrix));
    }
    status step(const spring_matrix &matrix) const { return step(all(), matrix); }

    status step_palette(range r, span<const spring_matrix> palette, span<const std::uint16_t> index) const
    {
        return check(detail::same_size(count, index)
                         ? gyre_springs_step_palette(this, r.begin, r.end, palette.data(), palette.size(), index.data())
                         : GYRE_ERROR_RANGE);
    }
    status step_palette(span<const spring_matrix> palette, span<const std::uint16_t> index) const
    {
        return step_palette(all(), palette, index);
    }

    /* follow and time_scale: {} for none */
    status step_each(range r, span<const float> angular_frequency, span<const float> damping_ratio,
                     span<const float> follow, span<const float> time_scale, float dt_s) const
    {
        return check(detail::same_size(count, angular_frequency, damping_ratio) &&
                             detail::same_or_no_size(count, follow, time_scale)
                         ? gyre_springs_step_each(this, r.begin, r.end, angular_frequency.data(), damping_ratio.data(),
                                                  detail::optional(follow), detail::optional(time_scale), dt_s)
                         : GYRE_ERROR_RANGE);
    }
    status step_each(span<const float> angular_frequency, span<const float> damping_ratio, span<const float> follow,
                     span<const float> time_scale, float dt_s) const
    {
        return step_each(all(), angular_frequency, damping_ratio, follow, time_scale, dt_s);
    }

    status at(range r, const gyre_spring &kind, span<const float> elapsed_s, span<float> position_out,
              span<float> velocity_out) const
    {
        return check(detail::same_size(count, elapsed_s, position_out, velocity_out)
                         ? gyre_springs_at(this, r.begin, r.end, kind, elapsed_s.data(), position_out.data(),
                                           velocity_out.data())
                         : GYRE_ERROR_RANGE);
    }
    status at(const gyre_spring &kind, span<const float> elapsed_s, span<float> position_out,
              span<float> velocity_out) const
    {
        return at(all(), kind, elapsed_s, position_out, velocity_out);
    }
};

namespace detail
{
/* From whose arguments N is not deduced, so that they convert. */
template <std::size_t N> using inputs = std::enable_if_t<true, components<const float, N>>;
} // namespace detail

/* target_before: {} for targets that stand still */
template <std::size_t N>
status limit_targets(range r, const detail::inputs<N> &position, const detail::inputs<N> &velocity,
                     const detail::inputs<N> &target_before, const detail::inputs<N> &target, const gyre_spring &kind,
                     float max_speed, float dt_s, const components<float, N> &target_before_out,
                     const components<float, N> &target_out)
{
    const components<const float, N> &before = target_before.empty() ? target : target_before;
    return check(detail::covers(r, position, velocity, before, target, target_before_out, target_out)
                     ? gyre_limit_targets(detail::unchanged(position), detail::unchanged(velocity),
                                          detail::unchanged(before), detail::unchanged(target), N, kind, max_speed, dt_s,
                                          target_before_out.data(), target_out.data(), r.begin, r.end)
                     : GYRE_ERROR_RANGE);
}
template <std::size_t N>
status limit_targets(const detail::inputs<N> &position, const detail::inputs<N> &velocity,
                     const detail::inputs<N> &target_before, const detail::inputs<N> &target, const gyre_spring &kind,
                     float max_speed, float dt_s, const components<float, N> &target_before_out,
                     const components<float, N> &target_out)
{
    return limit_targets({0, target_out.size()}, position, velocity, target_before, target, kind, max_speed, dt_s,
                         target_before_out, target_out);
}

struct orientation_springs : gyre_orientation_springs {
    constexpr orientation_springs(const gyre_orientation_springs &c = {}) noexcept : gyre_orientation_springs(c) {}

    /* Arrays by the names that they have in the C struct. */
    struct arrays {
        components<float, 4> orientation;
        components<float, 3> angular_velocity;
        components<const float, 4> target = {}, target_before = {};
        span<std::uint8_t> awake = {};
    };
    static result<orientation_springs> of(const arrays &a)
    {
        return detail::made<orientation_springs>([&](orientation_springs &s) {
            if (!detail::same_size(a.orientation.size(), a.orientation, a.angular_velocity) ||
                !detail::same_or_no_size(a.orientation.size(), a.target, a.target_before, a.awake)) {
                return GYRE_ERROR_RANGE;
            }
            s.count = a.orientation.size();
            detail::set(s.orientation, a.orientation);
            detail::set(s.angular_velocity, a.angular_velocity);
            detail::set(s.target, a.target);
            detail::set(s.target_before, a.target_before);
            s.awake = detail::optional(a.awake);
            return GYRE_OK;
        });
    }

    constexpr range all() const noexcept { return {0, count}; }

    status step(range r, const spring_matrix &matrix, float dt_s) const
    {
        return check(gyre_orientation_springs_step(this, r.begin, r.end, &matrix, dt_s));
    }
    status step(const spring_matrix &matrix, float dt_s) const { return step(all(), matrix, dt_s); }
};

/* ---- particle.h ---- */

using particle_matrix = gyre_particle_matrix;

/* A rate, which no time and no fraction converts to by itself. */
struct damping {
    float rate = 0; /* 1/s */

    constexpr damping() noexcept = default;
    constexpr explicit damping(float rate_per_s) noexcept : rate(rate_per_s) {}

    static result<damping> from_retention(float fraction, float interval_s)
    {
        return detail::made<damping>(
            [&](auto &out) { return gyre_damping_from_retention(fraction, interval_s, &out.rate); });
    }
    static result<damping> from_half_life(float half_life_s)
    {
        return detail::made<damping>([&](auto &out) { return gyre_damping_from_half_life(half_life_s, &out.rate); });
    }

    result<particle_matrix> matrix_at(float dt_s) const
    {
        return detail::made<particle_matrix>([&](auto &out) { return gyre_particle_matrix_at(rate, dt_s, &out); });
    }
    result<float> rest_position(float position, float velocity) const
    {
        return detail::made<float>(
            [&](auto &out) { return gyre_damping_rest_position(position, velocity, rate, &out); });
    }
    result<float> velocity_to_rest_at(float position, float where) const
    {
        return detail::made<float>(
            [&](auto &out) { return gyre_damping_velocity_to_rest_at(position, where, rate, &out); });
    }
    result<float> time_to_speed(float velocity, float speed) const
    {
        return detail::made<float>([&](auto &out) { return gyre_damping_time_to_speed(velocity, rate, speed, &out); });
    }
    result<float> time_to_position(float position, float velocity, float where) const
    {
        return detail::made<float>(
            [&](auto &out) { return gyre_damping_time_to_position(position, velocity, rate, where, &out); });
    }
};

struct particles : gyre_particles {
    constexpr particles(const gyre_particles &c = {}) noexcept : gyre_particles(c) {}

    /* Arrays by the names that they have in the C struct. */
    struct arrays {
        span<float> position, velocity;
        span<const float> acceleration = {};
        span<float> position_low = {}, velocity_low = {};
        span<const float> lower = {}, upper = {};
    };
    static result<particles> of(const arrays &a)
    {
        return detail::made<particles>([&](particles &p) {
            if (!detail::same_size(a.position.size(), a.velocity) ||
                !detail::same_or_no_size(a.position.size(), a.acceleration, a.position_low, a.velocity_low, a.lower,
                                         a.upper)) {
                return GYRE_ERROR_RANGE;
            }
            p.count = a.position.size();
            p.position = a.position.data();
            p.velocity = a.velocity.data();
            p.acceleration = detail::optional(a.acceleration);
            p.position_low = detail::optional(a.position_low);
            p.velocity_low = detail::optional(a.velocity_low);
            p.lower = detail::optional(a.lower);
            p.upper = detail::optional(a.upper);
            return GYRE_OK;
        });
    }

    constexpr range all() const noexcept { return {0, count}; }

    status step(range r, const particle_matrix &matrix) const
    {
        return check(gyre_particles_step(this, r.begin, r.end, &matrix));
    }
    status step(const particle_matrix &matrix) const { return step(all(), matrix); }

    status step_each(range r, span<const float> damping_rate, span<const float> time_scale, float dt_s) const
    {
        return check(detail::same_size(count, damping_rate) && detail::same_or_no_size(count, time_scale)
                         ? gyre_particles_step_each(this, r.begin, r.end, damping_rate.data(),
                                                    detail::optional(time_scale), dt_s)
                         : GYRE_ERROR_RANGE);
    }
    status step_each(span<const float> damping_rate, span<const float> time_scale, float dt_s) const
    {
        return step_each(all(), damping_rate, time_scale, dt_s);
    }
};

struct flings : gyre_flings {
    constexpr flings(const gyre_flings &c = {}) noexcept : gyre_flings(c) {}

    /* Arrays by the names that they have in the C struct. */
    struct arrays {
        span<float> position, velocity;
        span<const float> lower = {}, upper = {};
        span<std::uint8_t> awake = {};
        span<float> position_low = {}, velocity_low = {};
        span<const float> rest_at = {};
    };
    static result<flings> of(const arrays &a)
    {
        return detail::made<flings>([&](flings &f) {
            if (!detail::same_size(a.position.size(), a.velocity) ||
                !detail::same_or_no_size(a.position.size(), a.lower, a.upper, a.awake, a.position_low, a.velocity_low,
                                         a.rest_at)) {
                return GYRE_ERROR_RANGE;
            }
            f.count = a.position.size();
            f.position = a.position.data();
            f.velocity = a.velocity.data();
            f.lower = detail::optional(a.lower);
            f.upper = detail::optional(a.upper);
            f.awake = detail::optional(a.awake);
            f.position_low = detail::optional(a.position_low);
            f.velocity_low = detail::optional(a.velocity_low);
            f.rest_at = detail::optional(a.rest_at);
            return GYRE_OK;
        });
    }

    constexpr range all() const noexcept { return {0, count}; }

    status step(range r, float dt_s) const { return check(gyre_flings_step(this, r.begin, r.end, dt_s)); }
    status step(float dt_s) const { return step(all(), dt_s); }
};

template <std::size_t N>
status decelerate(range r, const components<float, N> &position, const components<float, N> &velocity,
                  float deceleration, float dt_s)
{
    return check(detail::covers(r, position, velocity)
                     ? gyre_decelerate(position.data(), velocity.data(), N, deceleration, dt_s, r.begin, r.end)
                     : GYRE_ERROR_RANGE);
}
template <std::size_t N>
status decelerate(const components<float, N> &position, const components<float, N> &velocity, float deceleration,
                  float dt_s)
{
    return decelerate({0, position.size()}, position, velocity, deceleration, dt_s);
}

/* coefficient: 0 is UIKit's */
inline result<float> rubber_band_offset(float distance, float dimension, float coefficient = 0)
{
    return detail::made<float>(
        [&](auto &out) { return gyre_rubber_band_offset(distance, dimension, coefficient, &out); });
}
inline result<float> rubber_band_distance(float offset, float dimension, float coefficient = 0)
{
    return detail::made<float>(
        [&](auto &out) { return gyre_rubber_band_distance(offset, dimension, coefficient, &out); });
}

/* ---- rotation.h ---- */

namespace detail
{
template <std::size_t In, std::size_t Out>
status converted(gyre_status (*f)(float *const *, float *const *, std::size_t, std::size_t), range rows,
                 const components<const float, In> &from, const components<float, Out> &to)
{
    return check(covers(rows, from, to) ? f(unchanged(from), to.data(), rows.begin, rows.end) : GYRE_ERROR_RANGE);
}
} // namespace detail

inline status rotation_matrix(range rows, const components<const float, 3> &v, const components<float, 9> &r)
{
    return detail::converted(gyre_rotation_matrix, rows, v, r);
}
inline status rotation_matrix(const components<const float, 3> &v, const components<float, 9> &r)
{
    return rotation_matrix({0, v.size()}, v, r);
}

inline status rotation_left_jacobian(range rows, const components<const float, 3> &v, const components<float, 9> &t)
{
    return detail::converted(gyre_rotation_left_jacobian, rows, v, t);
}
inline status rotation_left_jacobian(const components<const float, 3> &v, const components<float, 9> &t)
{
    return rotation_left_jacobian({0, v.size()}, v, t);
}

inline status rotation_quaternion(range rows, const components<const float, 3> &v, const components<float, 4> &q)
{
    return detail::converted(gyre_rotation_quaternion, rows, v, q);
}
inline status rotation_quaternion(const components<const float, 3> &v, const components<float, 4> &q)
{
    return rotation_quaternion({0, v.size()}, v, q);
}

inline status rotation_vector(range rows, const components<const float, 4> &q, const components<float, 3> &v)
{
    return detail::converted(gyre_rotation_vector, rows, q, v);
}
inline status rotation_vector(const components<const float, 4> &q, const components<float, 3> &v)
{
    return rotation_vector({0, q.size()}, q, v);
}

inline status rotation_product(range rows, const components<const float, 4> &a, const components<const float, 4> &b,
                               const components<float, 4> &out)
{
    return check(detail::covers(rows, a, b, out) ? gyre_rotation_product(detail::unchanged(a), detail::unchanged(b),
                                                                         out.data(), rows.begin, rows.end)
                                                 : GYRE_ERROR_RANGE);
}
inline status rotation_product(const components<const float, 4> &a, const components<const float, 4> &b,
                               const components<float, 4> &out)
{
    return rotation_product({0, a.size()}, a, b, out);
}

inline status rotation_between(range rows, const components<const float, 4> &a, const components<const float, 4> &b,
                               float part, const components<float, 4> &out)
{
    return check(detail::covers(rows, a, b, out) ? gyre_rotation_between(detail::unchanged(a), detail::unchanged(b),
                                                                         part, out.data(), rows.begin, rows.end)
                                                 : GYRE_ERROR_RANGE);
}
inline status rotation_between(const components<const float, 4> &a, const components<const float, 4> &b, float part,
                               const components<float, 4> &out)
{
    return rotation_between({0, a.size()}, a, b, part, out);
}

inline status rotation_apply(range rows, const components<const float, 4> &q, const components<const float, 3> &v,
                             const components<float, 3> &out)
{
    return check(detail::covers(rows, q, v, out)
                     ? gyre_rotation_apply(detail::unchanged(q), detail::unchanged(v), out.data(), rows.begin, rows.end)
                     : GYRE_ERROR_RANGE);
}
inline status rotation_apply(const components<const float, 4> &q, const components<const float, 3> &v,
                             const components<float, 3> &out)
{
    return rotation_apply({0, q.size()}, q, v, out);
}
/* ---- chain.h ---- */

using chain_collider = gyre_chain_collider;

struct bone : gyre_bone {
    constexpr bone(const gyre_bone &c = {}) noexcept : gyre_bone(c) {}

    /* `model` with the motion of a spring or of a bone of VRM. */
    static result<bone> from_spring(const gyre_spring &spring, const gyre_bone &model = {})
    {
        return detail::made<bone>([&](bone &b) { return gyre_bone_from_spring(spring, &(b = model)); });
    }
    static result<bone> from_vrm(float stiffness_force, float drag_force, float gravity_power, float length, float rate,
                                 const gyre_bone &model = {})
    {
        return detail::made<bone>([&](bone &b) {
            return gyre_bone_from_vrm(stiffness_force, drag_force, gravity_power, length, rate, &(b = model));
        });
    }
};

struct bone_chains : gyre_bone_chains {
    constexpr bone_chains(const gyre_bone_chains &c = {}) noexcept : gyre_bone_chains(c) {}

    /* Arrays by the names that they have in the C struct. */
    struct arrays {
        span<const std::size_t> level_begin;
        components<float, 4> orientation;
        components<float, 3> velocity;
        span<const gyre_bone> bones;
        components<const float, 3> position;
        components<const float, 4> parent;
        span<const std::uint16_t> bone = {};
        components<float, 3> tail = {};
        components<float, 4> local = {};
        components<const float, 4> rest = {};
        span<const float> scale = {};
        components<const float, 3> position_before = {};
        components<const float, 4> parent_before = {};
        components<const float, 3> gravity = {}, wind = {};
        span<const gyre_chain_collider> colliders = {};
        span<std::uint8_t> awake = {};
    };
    static result<bone_chains> of(const arrays &a)
    {
        return detail::made<bone_chains>([&](bone_chains &c) {
            const std::size_t chains = a.position.size(), bones = a.orientation.size();
            if (a.level_begin.empty() || a.level_begin[a.level_begin.size() - 1] > bones ||
                !detail::same_size(bones, a.orientation, a.velocity) ||
                !detail::same_or_no_size(bones, a.bone, a.tail, a.local, a.rest) ||
                !detail::same_size(chains, a.position, a.parent) ||
                !detail::same_or_no_size(chains, a.scale, a.position_before, a.parent_before, a.gravity, a.wind,
                                         a.awake)) {
                return GYRE_ERROR_RANGE;
            }
            c.count = chains;
            c.levels = a.level_begin.size() - 1;
            c.level_begin = a.level_begin.data();
            detail::set(c.orientation, a.orientation);
            detail::set(c.velocity, a.velocity);
            detail::set(c.tail, a.tail);
            detail::set(c.local, a.local);
            c.bones = a.bones.data();
            c.bone_count = a.bones.size();
            c.bone = detail::optional(a.bone);
            detail::set(c.rest, a.rest);
            c.scale = detail::optional(a.scale);
            detail::set(c.position, a.position);
            detail::set(c.parent, a.parent);
            detail::set(c.position_before, a.position_before);
            detail::set(c.parent_before, a.parent_before);
            detail::set(c.gravity, a.gravity);
            detail::set(c.wind, a.wind);
            c.colliders = detail::optional(a.colliders);
            c.collider_count = a.colliders.size();
            c.awake = detail::optional(a.awake);
            return GYRE_OK;
        });
    }

    constexpr range all() const noexcept { return {0, count}; }

    status step(range r, float dt_s) const { return check(gyre_bone_chains_step(this, r.begin, r.end, dt_s)); }
    status step(float dt_s) const { return step(all(), dt_s); }
    status reset(range r, float dt_s) const { return check(gyre_bone_chains_reset(this, r.begin, r.end, dt_s)); }
    status reset(float dt_s) const { return reset(all(), dt_s); }
};

/* ---- body.h ---- */

using body_method = gyre_body_method;
using body_solver = gyre_body_solver;
using body_report = gyre_body_report;

struct bodies : gyre_bodies {
    constexpr bodies(const gyre_bodies &c = {}) noexcept : gyre_bodies(c) {}

    /* Arrays by the names that they have in the C struct. */
    struct arrays {
        components<float, 4> orientation;
        components<float, 4> orientation_low = {};
        components<float, 3> momentum;
        components<const float, 3> inertia;
        components<const float, 3> torque = {};
        components<float, 3> momentum_low = {};
    };
    /* torque_in_body and angular_damping are the caller's to set. */
    static result<bodies> of(const arrays &a)
    {
        return detail::made<bodies>([&](bodies &b) {
            if (!detail::same_size(a.orientation.size(), a.orientation, a.momentum, a.inertia) ||
                !detail::same_or_no_size(a.orientation.size(), a.orientation_low, a.torque, a.momentum_low)) {
                return GYRE_ERROR_RANGE;
            }
            b.count = a.orientation.size();
            detail::set(b.orientation, a.orientation);
            detail::set(b.orientation_low, a.orientation_low);
            detail::set(b.momentum, a.momentum);
            detail::set(b.inertia, a.inertia);
            detail::set(b.torque, a.torque);
            detail::set(b.momentum_low, a.momentum_low);
            return GYRE_OK;
        });
    }

    constexpr range all() const noexcept { return {0, count}; }

    status step(range r, float dt_s, const body_solver *solver = nullptr, body_report *report = nullptr) const
    {
        return check(gyre_bodies_step(this, r.begin, r.end, dt_s, solver, report));
    }
    status step(float dt_s, const body_solver *solver = nullptr, body_report *report = nullptr) const
    {
        return step(all(), dt_s, solver, report);
    }

    status kick(range r, float dt_s) const { return check(gyre_bodies_kick(this, r.begin, r.end, dt_s)); }
    status kick(float dt_s) const { return kick(all(), dt_s); }

    status energy(range r, span<float> energy_J) const
    {
        return check(detail::same_size(count, energy_J) ? gyre_bodies_energy(this, r.begin, r.end, energy_J.data())
                                                        : GYRE_ERROR_RANGE);
    }
    status energy(span<float> energy_J) const { return energy(all(), energy_J); }

    status angular_velocity(range r, const components<float, 3> &omega) const
    {
        return check(detail::same_size(count, omega) ? gyre_bodies_angular_velocity(this, r.begin, r.end, omega.data())
                                                     : GYRE_ERROR_RANGE);
    }
    status angular_velocity(const components<float, 3> &omega) const { return angular_velocity(all(), omega); }

    status set_angular_velocity(range r, const components<const float, 3> &omega) const
    {
        return check(detail::same_size(count, omega)
                         ? gyre_bodies_set_angular_velocity(this, r.begin, r.end, detail::unchanged(omega))
                         : GYRE_ERROR_RANGE);
    }
    status set_angular_velocity(const components<const float, 3> &omega) const
    {
        return set_angular_velocity(all(), omega);
    }

    /* position: {} is the origin for all. rows3x4: the floats from the first matrix to the end of the last, at least.
     */
    status transforms(range r, const components<const float, 3> &position, span<float> rows3x4,
                      std::size_t stride_bytes = 12 * sizeof(float)) const
    {
        return check(detail::same_or_no_size(count, position) && detail::has_rows(r, rows3x4.size(), stride_bytes)
                         ? gyre_bodies_transforms(this, r.begin, r.end, position[0], position[1], position[2],
                                                  rows3x4.data(), stride_bytes)
                         : GYRE_ERROR_RANGE);
    }
    status transforms(const components<const float, 3> &position, span<float> rows3x4,
                      std::size_t stride_bytes = 12 * sizeof(float)) const
    {
        return transforms(all(), position, rows3x4, stride_bytes);
    }
};

struct principal_inertia {
    float moments[3]; /* kg m^2 */
    float axes[4];    /* x y z w */
};
/* tensor: xx yy zz xy xz yz */
inline result<principal_inertia> inertia_principal(span<const float> tensor)
{
    return detail::made<principal_inertia>([&](auto &out) {
        return tensor.size() == 6 ? gyre_inertia_principal(tensor.data(), out.moments, out.axes) : GYRE_ERROR_RANGE;
    });
}

using inertia_kind = gyre_inertia_kind;

inline result<inertia_kind> inertia_check(span<const float> tensor)
{
    return detail::made<inertia_kind>(
        [&](auto &out) { return tensor.size() == 6 ? gyre_inertia_check(tensor.data(), &out) : GYRE_ERROR_RANGE; });
}

struct nearest_inertia {
    float tensor[6]; /* kg m^2: xx yy zz xy xz yz */
    float excess;
};
inline result<nearest_inertia> inertia_nearest(span<const float> tensor)
{
    return detail::made<nearest_inertia>([&](auto &out) {
        return tensor.size() == 6 ? gyre_inertia_nearest(tensor.data(), out.tensor, &out.excess) : GYRE_ERROR_RANGE;
    });
}

/* ---- arrays.h ---- */

/* from, to: the first float in structure 0. */
template <std::size_t N>
status gather(range r, const void *from, std::size_t stride_bytes, const components<float, N> &to)
{
    return check(detail::covers(r, to) ? gyre_gather(from, stride_bytes, N, to.data(), r.begin, r.end)
                                       : GYRE_ERROR_RANGE);
}
template <std::size_t N> status gather(const void *from, std::size_t stride_bytes, const components<float, N> &to)
{
    return gather({0, to.size()}, from, stride_bytes, to);
}

template <std::size_t N, class T = const float>
status scatter(range r, const components<T, N> &from, void *to, std::size_t stride_bytes)
{
    return check(detail::covers(r, from) ? gyre_scatter(detail::unchanged<N>(from), N, to, stride_bytes, r.begin, r.end)
                                         : GYRE_ERROR_RANGE);
}
template <std::size_t N, class T = const float>
status scatter(const components<T, N> &from, void *to, std::size_t stride_bytes)
{
    return scatter({0, from.size()}, from, to, stride_bytes);
}

inline status interpolate(range r, span<const float> before, span<const float> now, float part, span<float> out)
{
    return check(detail::covers(r, before, now, out)
                     ? gyre_interpolate(before.data(), now.data(), part, out.data(), r.begin, r.end)
                     : GYRE_ERROR_RANGE);
}
inline status interpolate(span<const float> before, span<const float> now, float part, span<float> out)
{
    return interpolate({0, out.size()}, before, now, part, out);
}

template <std::size_t N> status limit_length(range r, const components<float, N> &v, float longest)
{
    return check(detail::covers(r, v) ? gyre_limit_length(v.data(), N, longest, r.begin, r.end) : GYRE_ERROR_RANGE);
}
template <std::size_t N> status limit_length(const components<float, N> &v, float longest)
{
    return limit_length({0, v.size()}, v, longest);
}

/* How many were found. indices: as many as the range has, at least. */
inline result<std::size_t> find_awake(range r, span<const std::uint8_t> awake, span<std::uint32_t> indices)
{
    return detail::made<std::size_t>([&](auto &found) {
        return detail::covers(r, awake) && indices.size() >= r.end - r.begin
                   ? gyre_find_awake(awake.data(), indices.data(), &found, r.begin, r.end)
                   : GYRE_ERROR_RANGE;
    });
}
inline result<std::size_t> find_awake(span<const std::uint8_t> awake, span<std::uint32_t> indices)
{
    return find_awake({0, awake.size()}, awake, indices);
}

template <std::size_t N, class T = const float> result<std::uint64_t> hash(range r, const components<T, N> &arrays)
{
    return detail::made<std::uint64_t>([&](auto &out) {
        return detail::covers(r, arrays) ? gyre_hash(detail::unchanged<N>(arrays), N, &out, r.begin, r.end)
                                         : GYRE_ERROR_RANGE;
    });
}
template <std::size_t N, class T = const float> result<std::uint64_t> hash(const components<T, N> &arrays)
{
    return hash({0, arrays.size()}, arrays);
}

inline result<std::uint64_t> hash_bytes(range r, span<const std::uint8_t> bytes)
{
    return detail::made<std::uint64_t>([&](auto &out) {
        return detail::covers(r, bytes) ? gyre_hash_bytes(bytes.data(), &out, r.begin, r.end) : GYRE_ERROR_RANGE;
    });
}
inline result<std::uint64_t> hash_bytes(span<const std::uint8_t> bytes)
{
    return hash_bytes({0, bytes.size()}, bytes);
}

inline status turn_targets(range r, span<float> target, span<const float> position, float period)
{
    return check(detail::covers(r, target, position)
                     ? gyre_turn_targets(target.data(), position.data(), period, r.begin, r.end)
                     : GYRE_ERROR_RANGE);
}
inline status turn_targets(span<float> target, span<const float> position, float period)
{
    return turn_targets({0, target.size()}, target, position, period);
}

/* ---- cpu.h, and the version ----

   The members of a table are C functions: check(table->springs_step(&springs, begin, end, &matrix)). */

using isa = gyre_isa;
using rounding = gyre_rounding;
using kernels = gyre_kernels;

inline const kernels *kernels_for(isa i, rounding r) { return gyre_kernels_for(i, r); } /* may be null */
inline const kernels *kernels_best(rounding r) { return gyre_kernels_best(r); }
inline status use(const kernels *table) { return check(gyre_use(table)); } /* error_null if table is null */
inline const kernels *in_use() { return gyre_in_use(); }
inline isa isa_of(const kernels *table) { return gyre_kernels_isa(table); }
inline rounding rounding_of(const kernels *table) { return gyre_kernels_rounding(table); }
inline const char *name(isa i) { return gyre_isa_name(i); }
inline const char *name(rounding r) { return gyre_rounding_name(r); }
inline const char *version() { return gyre_version(); }

} // namespace GYRE_HPP_MODE
} // namespace gyre

#undef GYRE_HPP_MODE
#undef GYRE_HPP_NODISCARD
#undef GYRE_HPP_COLD
#undef GYRE_HPP_VISIBLE

#endif
