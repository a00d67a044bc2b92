/* What gyre.hpp adds to the C functions: spans and their sizes, ranges, both ways to report errors, tables. Compiled
   with and without exceptions. forms.c tests that the results are those of the C functions. */
#include <gyre/gyre.hpp>

#include "check.h"

#include <array>
#include <cmath>
#include <cstring>
#include <vector>
#if __cplusplus >= 202002L
#include <span>
#endif

namespace
{

using gyre::status;

constexpr std::size_t n = 50;
using floats = std::array<float, n>;

floats numbers(float first)
{
    floats x = {};
    for (std::size_t i = 0; i < n; i++) {
        x[i] = first + 0.01f * static_cast<float>(i);
    }
    return x;
}

/* The status that a call returns or throws. */
template <class F> status outcome(const F &call)
{
#ifdef GYRE_NO_EXCEPTIONS
    return gyre::status_of(call());
#else
    try {
        return gyre::status_of(call());
    } catch (const gyre::error &e) {
        return e.status();
    }
#endif
}
#define CHECK_STATUS(call, wanted) CHECK(outcome([&] { return call; }) == (wanted))

/* ---- Spans ---- */

template <class From, class To> constexpr bool converts = std::is_convertible_v<From, gyre::span<To>>;

static_assert(converts<std::vector<float> &, float> && converts<std::vector<float> &, const float>);
static_assert(converts<const std::vector<float> &, const float> && !converts<const std::vector<float> &, float>);
static_assert(converts<std::array<float, 3> &, float> && converts<const std::array<float, 3> &, const float>);
static_assert(converts<float (&)[3], float> && converts<float (&)[3], const float>);
static_assert(converts<const float (&)[3], const float> && !converts<const float (&)[3], float>);
static_assert(converts<gyre::span<float>, const float> && !converts<gyre::span<const float>, float>);
static_assert(!converts<std::vector<double> &, float> && !converts<std::vector<double> &, const float>);
static_assert(!converts<float *, float> && !converts<int, float>);
/* Results cannot go to a temporary; arguments may come from one. */
static_assert(!converts<std::vector<float>, float> && converts<std::vector<float>, const float>);
/* An array of a derived class does not convert to an array of its base. */
static_assert(!converts<std::vector<gyre::spring> &, const gyre_spring>);
#if __cplusplus >= 202002L
static_assert(converts<std::span<float>, float> && converts<std::span<float>, const float>);
static_assert(converts<std::span<float, 3>, const float> && !converts<std::span<const float>, float>);
static_assert(std::is_convertible_v<gyre::span<float> &, std::span<float>>);
#endif

void test_spans()
{
    std::vector<float> vector = {1, 2, 3};
    const gyre::span<const float> s = vector;
    CHECK(s.data() == vector.data() && s.size() == 3 && !s.empty() && s[2] == 3 && s.end() - s.begin() == 3);
    static_assert(std::is_same_v<decltype(gyre::span(vector)), gyre::span<float>>);
    static_assert(std::is_same_v<decltype(gyre::span(std::as_const(vector))), gyre::span<const float>>);
    CHECK(gyre::span(vector).data() == vector.data());
    const gyre::span<float> none;
    CHECK(none.data() == nullptr && none.size() == 0 && none.empty());

    float plane[2][3] = {}, more[4] = {};
    const gyre::components<float, 2> both = plane, listed = {plane[0], plane[1]}, unequal = {plane[0], more};
    CHECK(both.size() == 3 && both.common_size() == 3 && both[0] == plane[0] && both[1] == plane[1]);
    CHECK(listed.size() == 3 && listed.data()[0] == plane[0] && listed.data()[1] == plane[1]);
    CHECK(unequal.size() == 4 && unequal.common_size() == 0 && !unequal.empty());
    const gyre::components<const float, 2> constant = unequal, empty;
    CHECK(constant.size() == 4 && constant.common_size() == 0 && constant[1] == more);
    CHECK(empty.empty() && empty[0] == nullptr && empty[1] == nullptr);
}

/* ---- The C structs ---- */

template <class Cxx, class C>
constexpr bool is_the_c_struct =
    std::is_base_of_v<C, Cxx> && sizeof(Cxx) == sizeof(C) && alignof(Cxx) == alignof(C) &&
    std::is_trivially_copyable_v<Cxx> &&std::is_standard_layout_v<Cxx> &&std::is_convertible_v<C, Cxx>;
static_assert(is_the_c_struct<gyre::spring, gyre_spring> && is_the_c_struct<gyre::springs, gyre_springs>);
static_assert(is_the_c_struct<gyre::particles, gyre_particles> && is_the_c_struct<gyre::bodies, gyre_bodies>);

void test_structs()
{
    floats x = numbers(0), v = numbers(1), target = numbers(2);
    std::array<std::uint8_t, n> awake = {};
    gyre_springs c = {};
    CHECK(gyre::springs().count == 0 && gyre::springs().position == nullptr && gyre::springs().rest_speed == 0);
    gyre::springs s = gyre::value(gyre::springs::of({x, v}));
    CHECK(s.count == n && s.position == x.data() && s.velocity == v.data() && s.target == nullptr && !s.awake);
    s = gyre::value(gyre::springs::of({x, v, target, awake}));
    CHECK(s.target == target.data() && s.awake == awake.data() && s.period == 0);
    floats x_low = numbers(3), v_low = numbers(4);
    s = gyre::value(gyre::springs::of({x, v, target, awake, x_low, v_low}));
    CHECK(s.position_low == x_low.data() && s.velocity_low == v_low.data());
    s.period = 6;
    c = s;
    CHECK(c.period == 6 && gyre::springs(c).period == 6 && s.all().begin == 0 && s.all().end == n);

    gyre::particles p = gyre::value(gyre::particles::of({x, v}));
    CHECK(p.count == n && p.position == x.data() && p.velocity == v.data() && p.acceleration == nullptr);
    p = gyre::value(gyre::particles::of({x, v, target}));
    CHECK(p.acceleration == target.data() && p.position_low == nullptr && p.all().end == n);
    p = gyre::value(gyre::particles::of({x, v, target, x_low, v_low}));
    CHECK(p.position_low == x_low.data() && p.velocity_low == v_low.data());

    floats q[4] = {}, low[4] = {}, momentum[3] = {}, inertia[3] = {}, torque[3] = {};
    gyre::bodies b = gyre::value(gyre::bodies::of({q, {}, momentum, inertia}));
    CHECK(b.count == n && b.orientation[3] == q[3].data() && b.momentum[2] == momentum[2].data());
    CHECK(b.inertia[1] == inertia[1].data() && b.orientation_low[0] == nullptr && b.torque[0] == nullptr);
    b = gyre::value(gyre::bodies::of({q, low, momentum, inertia, torque, momentum}));
    CHECK(b.momentum_low[2] == momentum[2].data());
    b = gyre::value(gyre::bodies::of({q, low, momentum, inertia, torque}));
    CHECK(b.orientation_low[3] == low[3].data() && b.torque[2] == torque[2].data() && b.all().end == n);

    const std::vector<std::size_t> levels = {0, n};
    gyre_bone model = {};
    model.tail[1] = -1;
    const gyre::bone hair = gyre::value(gyre::bone::from_spring({20, 0.6f, 0}, model));
    CHECK(hair.stiffness == 400 && hair.damping == 24 && hair.drag == 24 && hair.tail[1] == -1);
    const std::array<gyre_bone, 1> palette = {hair};
    gyre::bone_chains chains = gyre::value(gyre::bone_chains::of({levels, q, momentum, palette, inertia, q}));
    CHECK(chains.count == n && chains.levels == 1 && chains.bones == palette.data() && chains.bone_count == 1);
    CHECK(chains.velocity[2] == momentum[2].data() && chains.parent[3] == q[3].data() && !chains.scale);
    CHECK(chains.tail[0] == nullptr && chains.colliders == nullptr && !chains.awake && chains.all().end == n);
    const std::vector<std::size_t> too_many = {0, n + 1};
    CHECK_STATUS(gyre::bone_chains::of({too_many, q, momentum, palette, inertia, q}), status::error_range);
    CHECK_STATUS(gyre::bone_chains::of({{}, q, momentum, palette, inertia, q}), status::error_range);
}

/* ---- Errors ---- */

void test_statuses()
{
    CHECK_STATUS(gyre::spring::from_response(0.5f, 1), status::ok);
    CHECK_STATUS(gyre::spring::from_response(-0.5f, 1), status::error_value);
    CHECK_STATUS(gyre::damping::from_half_life(1e-40f), status::error_range);
    CHECK_STATUS(gyre::use(nullptr), status::error_null);
    CHECK_STATUS(gyre::check(GYRE_ERROR_RANGE), status::error_range);
    CHECK_STATUS(gyre::check(GYRE_INCOMPLETE), status::incomplete);
    CHECK(!gyre::failed(status::ok) && !gyre::failed(status::incomplete) && gyre::failed(status::error_null));
    CHECK(gyre::failed(status::error_range) && gyre::failed(status::error_value));
    CHECK(gyre::failed(GYRE_ERROR_VALUE) && !gyre::failed(GYRE_INCOMPLETE));
    CHECK(gyre::status_of(GYRE_ERROR_NULL) == status::error_null);
    for (gyre_status c : {GYRE_OK, GYRE_INCOMPLETE, GYRE_ERROR_NULL, GYRE_ERROR_RANGE, GYRE_ERROR_VALUE}) {
        CHECK(std::strcmp(gyre::name(static_cast<status>(c)), gyre_status_name(c)) == 0);
    }

    /* A reference to a temporary would dangle. */
    static_assert(!std::is_reference_v<decltype(gyre::value(gyre::spring::from_response(1, 1)))>);

    /* A call without an error neither throws nor loses a status. */
    floats x = numbers(0), v = numbers(1);
    std::array<std::uint16_t, n> index = {};
    index[7] = 1;
    const gyre::springs s = gyre::value(gyre::springs::of({x, v}));
    const gyre::spring_matrix palette[1] = {{1, 0, 0, 1, 0, 0, {}, {}, 0}};
    CHECK(s.step_palette(palette, index) == status::incomplete && std::isnan(x[7]) && x[8] == numbers(0)[8]);

#ifdef GYRE_NO_EXCEPTIONS
    const auto [bad, zero] = gyre::spring::from_response(-1, 1);
    CHECK(bad == status::error_value && zero.angular_frequency == 0 && zero.damping_ratio == 0);
    auto good = gyre::spring::from_response(0.5f, 1);
    CHECK(!gyre::failed(good) && good.status == status::ok && gyre::value(good).damping_ratio == 1);
    gyre::value(good).damping_ratio = 2;
    CHECK(good.value.damping_ratio == 2);
#else
    static_assert(std::is_same_v<decltype(gyre::spring::from_response(1, 1)), gyre::spring>);
    static_assert(std::is_base_of_v<std::exception, gyre::error>);
    bool caught = false;
    try {
        (void)gyre::spring::from_response(-1, 1);
    } catch (const std::exception &e) {
        caught = std::strcmp(e.what(), "value") == 0;
    }
    CHECK(caught);
#endif
}

/* Each array in turn is one element too short: the call is refused, and nothing is written. */
template <class Call> void refuses(std::size_t arrays, const Call &call)
{
    for (std::size_t wrong = 0; wrong < arrays; wrong++) {
        std::vector<std::vector<float>> a;
        for (std::size_t k = 0; k < arrays; k++) {
            a.emplace_back(k == wrong ? n - 1 : n, 1.0f);
        }
        const auto before = a;
        CHECK_STATUS(call(a), status::error_range);
        CHECK(a == before);
    }
}

void test_sizes()
{
    refuses(2, [](auto &a) { return gyre::exp(a[0], a[1]); });
    refuses(2, [](auto &a) { return gyre::expm1(a[0], a[1]); });
    refuses(2, [](auto &a) { return gyre::log(a[0], a[1]); });
    refuses(2, [](auto &a) { return gyre::sin(a[0], a[1]); });
    refuses(2, [](auto &a) { return gyre::cos(a[0], a[1]); });
    refuses(3, [](auto &a) { return gyre::sincos(a[0], a[1], a[2]); });

    refuses(9, [](auto &a) { return gyre::springs::of({a[0], a[1], a[2], {}, a[3], a[4], a[5], a[6], a[7], a[8]}); });
    floats x = numbers(0), v = numbers(1);
    std::array<std::uint8_t, n - 1> short_awake = {};
    std::array<std::uint16_t, n + 1> long_index = {};
    CHECK_STATUS(gyre::springs::of({x, v, {}, short_awake}), status::error_range);
    const gyre::springs s = gyre::value(gyre::springs::of({x, v}));
    const gyre::spring_matrix palette[1] = {{1, 0, 0, 1, 0, 0, {}, {}, 0}};
    CHECK_STATUS(s.step_palette(palette, long_index), status::error_range);
    refuses(4, [&](auto &a) { return s.step_each(a[0], a[1], a[2], a[3], 1); });
    refuses(3, [&](auto &a) { return s.at({1, 1, 0}, a[0], a[1], a[2]); });

    refuses(3, [](auto &a) { return gyre::particles::of({a[0], a[1], a[2]}); });
    const gyre::particles p = gyre::value(gyre::particles::of({x, v}));
    refuses(2, [&](auto &a) { return p.step_each(a[0], a[1], 1); });
    refuses(7, [](auto &a) { return gyre::flings::of({a[0], a[1], a[2], a[3], {}, a[4], a[5], a[6]}); });

    refuses(12, [](auto &a) {
        return gyre::rotation_matrix({a[0], a[1], a[2]}, {a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11]});
    });
    refuses(12, [](auto &a) {
        return gyre::rotation_left_jacobian({a[0], a[1], a[2]},
                                            {a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11]});
    });
    refuses(7, [](auto &a) { return gyre::rotation_quaternion({a[0], a[1], a[2]}, {a[3], a[4], a[5], a[6]}); });
    refuses(7, [](auto &a) { return gyre::rotation_vector({a[0], a[1], a[2], a[3]}, {a[4], a[5], a[6]}); });
    refuses(12, [](auto &a) {
        return gyre::rotation_product({a[0], a[1], a[2], a[3]}, {a[4], a[5], a[6], a[7]}, {a[8], a[9], a[10], a[11]});
    });
    refuses(12, [](auto &a) {
        return gyre::rotation_between({a[0], a[1], a[2], a[3]}, {a[4], a[5], a[6], a[7]}, 0.5f,
                                      {a[8], a[9], a[10], a[11]});
    });
    refuses(10, [](auto &a) {
        return gyre::rotation_apply({a[0], a[1], a[2], a[3]}, {a[4], a[5], a[6]}, {a[7], a[8], a[9]});
    });

    refuses(17, [](auto &a) {
        return gyre::bodies::of({{a[0], a[1], a[2], a[3]},
                                 {a[4], a[5], a[6], a[7]},
                                 {a[8], a[9], a[10]},
                                 {a[11], a[12], a[13]},
                                 {a[14], a[15], a[16]}});
    });
    floats q[4] = {}, momentum[3] = {}, inertia[3] = {};
    const gyre::bodies b = gyre::value(gyre::bodies::of({q, {}, momentum, inertia}));
    refuses(1, [&](auto &a) { return b.energy(a[0]); });
    refuses(3, [&](auto &a) { return b.angular_velocity({a[0], a[1], a[2]}); });
    std::vector<float> rows(12 * n), wide(16 * n - 4);
    refuses(3, [&](auto &a) { return b.transforms({a[0], a[1], a[2]}, rows); });
    CHECK_STATUS(b.transforms({}, gyre::span<float>(rows.data(), 12 * n - 1)), status::error_range);
    CHECK_STATUS(b.transforms({}, gyre::span<float>(wide.data(), 16 * n - 5), 64), status::error_range);
    CHECK_STATUS(b.transforms({}, wide, 40), status::error_value);
    CHECK_STATUS(b.transforms({}, wide, 3), status::error_value);
    CHECK_STATUS(b.transforms({n, n}, {}, {}), status::ok);
    CHECK_STATUS(b.transforms({0, 1}, {}, gyre::span<float>()), status::error_range);

    using vectors = gyre::components<float, 3>;
    refuses(3, [&](auto &a) { return gyre::gather(wide.data(), 64, vectors{a[0], a[1], a[2]}); });
    refuses(3, [&](auto &a) { return gyre::scatter<3>({a[0], a[1], a[2]}, wide.data(), 64); });
    refuses(3, [](auto &a) { return gyre::interpolate(a[0], a[1], 0.5f, a[2]); });
    refuses(3, [](auto &a) { return gyre::limit_length(vectors{a[0], a[1], a[2]}, 1); });
    refuses(6, [](auto &a) { return gyre::decelerate(vectors{a[0], a[1], a[2]}, vectors{a[3], a[4], a[5]}, 1, 1); });
    refuses(12, [](auto &a) {
        const auto three = [&](std::size_t k) { return vectors{a[k], a[k + 1], a[k + 2]}; };
        return gyre::limit_targets(three(0), three(3), {}, three(6), gyre::spring(10, 1), 1, 1, three(0), three(9));
    });
    refuses(3, [](auto &a) { return gyre::hash<3>({a[0], a[1], a[2]}); });
    /* arrays that are read may be arrays that a step writes */
    float state[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}, structures[4][3] = {};
    const vectors written = state;
    const gyre::components<const float, 3> read = written;
    CHECK_STATUS(gyre::scatter(written, structures, sizeof structures[0]), status::ok);
    CHECK(structures[1][2] == 10);
    CHECK_STATUS(gyre::scatter({2, 3}, read, structures[0], sizeof structures[0]), status::ok);
    CHECK(structures[0][1] == 5 && structures[2][1] == 7);
    CHECK(gyre::value(gyre::hash(written)) == gyre::value(gyre::hash(read)));
    CHECK(gyre::value(gyre::hash({0, 4}, written)) == gyre::value(gyre::hash(read)));
    const std::array<std::uint8_t, 5> awake = {0, 1, 1, 0, 1};
    std::array<std::uint32_t, 5> indices = {};
    CHECK(gyre::value(gyre::find_awake(awake, indices)) == 3 && indices[2] == 4);
    CHECK(gyre::value(gyre::find_awake({2, 5}, awake, gyre::span(indices.data(), 3))) == 2 && indices[0] == 2);
    CHECK_STATUS(gyre::find_awake({2, 5}, awake, gyre::span(indices.data(), 2)), status::error_range);
    CHECK_STATUS(gyre::find_awake({2, 6}, awake, indices), status::error_range);
    CHECK_STATUS(gyre::find_awake({2, 1}, awake, indices), status::error_range);

    CHECK_STATUS(gyre::inertia_principal(std::array<float, 6>{1, 1, 1, 0, 0, 0}), status::ok);
    CHECK_STATUS(gyre::inertia_principal(std::array<float, 5>{1, 1, 1, 0, 0}), status::error_range);
    CHECK(gyre::value(gyre::inertia_check(std::array<float, 6>{1, 1, 0, 0, 0, 0})) == GYRE_INERTIA_THIN);
    CHECK_STATUS(gyre::inertia_check(std::array<float, 5>{1, 1, 1, 0, 0}), status::error_range);
    CHECK(gyre::value(gyre::inertia_nearest(std::array<float, 6>{1, 1, 5, 0, 0, 0})).tensor[2] == 4);
    CHECK_STATUS(gyre::inertia_nearest(std::array<float, 5>{1, 1, 1, 0, 0}), status::error_range);
}

/* ---- Ranges ---- */

constexpr std::size_t arrays_max = 24, from = 7, to = 31;
using memory = std::array<floats, arrays_max>;

memory some_memory()
{
    memory m = {};
    for (std::size_t k = 0; k < arrays_max; k++) {
        m[k] = numbers(0.5f + 0.125f * static_cast<float>(k));
    }
    return m;
}

bool same(const memory &a, const memory &b) { return std::memcmp(&a, &b, sizeof a) == 0; }

/* call(memory, range) and whole(memory) write the elements of the range in some arrays. */
template <class Call, class Whole> void test_range(const Call &call, const Whole &whole)
{
    const memory start = some_memory();
    memory all = start, parts = start, part = start;
    CHECK_STATUS(whole(all), status::ok);
    CHECK(!same(all, start));
    CHECK_STATUS(call(parts, gyre::range{to, n}), status::ok);
    CHECK_STATUS(call(parts, gyre::range{0, from}), status::ok);
    CHECK_STATUS(call(parts, gyre::range{from, to}), status::ok);
    CHECK(same(all, parts));

    CHECK_STATUS(call(part, gyre::range{from, to}), status::ok);
    memory wanted = start;
    for (std::size_t k = 0; k < arrays_max; k++) {
        std::copy(all[k].begin() + from, all[k].begin() + to, wanted[k].begin() + from);
    }
    CHECK(same(part, wanted));

    part = start;
    CHECK_STATUS(call(part, gyre::range{3, 3}), status::ok);
    CHECK_STATUS(call(part, gyre::range{n, n}), status::ok);
    CHECK_STATUS(call(part, gyre::range{4, 3}), status::error_range);
    CHECK_STATUS(call(part, gyre::range{0, n + 1}), status::error_range);
    CHECK_STATUS(call(part, gyre::range{SIZE_MAX, 0}), status::error_range);
    CHECK(same(part, start));
}

/* call(arguments) and call(range, arguments) of the same function. */
#define TEST_RANGE(object, function, ...)                                                                              \
    test_range([&](memory &m, gyre::range r) { return object(m) function(r, __VA_ARGS__); },                           \
               [&](memory &m) { return object(m) function(__VA_ARGS__); })
#define NO_OBJECT(m) (void)m,

gyre::springs springs_of(memory &m) { return gyre::value(gyre::springs::of({m[0], m[1], m[2]})); }
gyre::particles particles_of(memory &m) { return gyre::value(gyre::particles::of({m[0], m[1], m[2]})); }
gyre::bodies bodies_of(memory &m)
{
    return gyre::value(gyre::bodies::of(
        {{m[0], m[1], m[2], m[3]}, {}, {m[4], m[5], m[6]}, {m[7], m[8], m[9]}, {m[10], m[11], m[12]}}));
}

void test_ranges()
{
    TEST_RANGE(NO_OBJECT, gyre::exp, m[0], m[1]);
    TEST_RANGE(NO_OBJECT, gyre::expm1, m[0], m[1]);
    TEST_RANGE(NO_OBJECT, gyre::log, m[0], m[1]);
    TEST_RANGE(NO_OBJECT, gyre::sin, m[0], m[1]);
    TEST_RANGE(NO_OBJECT, gyre::cos, m[0], m[1]);
    TEST_RANGE(NO_OBJECT, gyre::sincos, m[0], m[1], m[2]);

    const gyre::spring style = gyre::value(gyre::spring::from_response(0.5f, 0.8f));
    const gyre::spring_matrix frame = gyre::value(style.matrix_at(1 / 60.0f));
    const gyre::spring_matrix palette[2] = {frame, gyre::value(style.matrix_at(1 / 30.0f))};
    std::array<std::uint16_t, n> index = {};
    index[3] = index[20] = 1;
    TEST_RANGE(springs_of, .step, frame);
    TEST_RANGE(springs_of, .step_palette, palette, index);
    TEST_RANGE(springs_of, .step_each, m[3], m[4], m[5], m[6], 0.1f);
    TEST_RANGE(springs_of, .step_each, m[3], m[4], {}, {}, 0.1f);
    TEST_RANGE(springs_of, .at, style, m[3], m[4], m[5]);

    const gyre::particle_matrix flight = gyre::value(gyre::damping(2).matrix_at(0.1f));
    TEST_RANGE(particles_of, .step, flight);
    TEST_RANGE(particles_of, .step_each, m[3], {}, 0.1f);

    const auto v = [](memory &m) { return gyre::components<const float, 3>{m[0], m[1], m[2]}; };
    const auto nine = [](memory &m) {
        return gyre::components<float, 9>{m[3], m[4], m[5], m[6], m[7], m[8], m[9], m[10], m[11]};
    };
    TEST_RANGE(NO_OBJECT, gyre::rotation_matrix, v(m), nine(m));
    TEST_RANGE(NO_OBJECT, gyre::rotation_left_jacobian, v(m), nine(m));
    TEST_RANGE(NO_OBJECT, gyre::rotation_quaternion, v(m), {m[3], m[4], m[5], m[6]});
    const auto a = [](memory &m) { return gyre::components<const float, 4>{m[0], m[1], m[2], m[3]}; };
    const auto b = [](memory &m) { return gyre::components<const float, 4>{m[4], m[5], m[6], m[7]}; };
    TEST_RANGE(NO_OBJECT, gyre::rotation_vector, a(m), {m[4], m[5], m[6]});
    TEST_RANGE(NO_OBJECT, gyre::rotation_product, a(m), b(m), {m[8], m[9], m[10], m[11]});
    TEST_RANGE(NO_OBJECT, gyre::rotation_between, a(m), b(m), 0.5f, {m[8], m[9], m[10], m[11]});
    TEST_RANGE(NO_OBJECT, gyre::rotation_apply, a(m), {m[4], m[5], m[6]}, {m[8], m[9], m[10]});

    const gyre::body_solver solver = {GYRE_BODY_MOSER_VESELOV, 8, 0, 0, 0, 0, false};
    gyre::body_report report = {};
    TEST_RANGE(bodies_of, .step, 0.1f);
    TEST_RANGE(bodies_of, .step, 0.1f, &solver, &report);
    CHECK(report.substeps > 0);
    TEST_RANGE(bodies_of, .energy, m[13]);
    TEST_RANGE(bodies_of, .angular_velocity, {m[13], m[14], m[15]});
    TEST_RANGE(bodies_of, .kick, 0.1f);
    TEST_RANGE(bodies_of, .set_angular_velocity, v(m));

    /* Rows are not elements of the arrays. */
    memory m = some_memory();
    std::vector<float> all(16 * n - 4), parts(16 * n - 4);
    const gyre::components<const float, 3> position = {m[13], m[14], m[15]};
    CHECK_STATUS(bodies_of(m).transforms(position, all, 64), status::ok);
    CHECK_STATUS(bodies_of(m).transforms({from, n}, position, parts, 64), status::ok);
    CHECK(parts[16 * (from - 1)] == 0 && parts[16 * from] != 0);
    CHECK_STATUS(bodies_of(m).transforms({0, from}, position, gyre::span<float>(parts.data(), 16 * from - 4), 64),
                 status::ok);
    CHECK(all == parts && all[3] == m[13][0] && all[16 * 2 + 7] == m[14][2]);
}

/* ---- Tables and names ---- */

void test_tables()
{
    const gyre::kernels *first = gyre::in_use(), *scalar = gyre::kernels_for(GYRE_ISA_SCALAR, GYRE_ROUNDING_PORTABLE);
    CHECK(first == gyre_in_use() && first == gyre::kernels_best(GYRE_ROUNDING_PORTABLE));
    CHECK(scalar == gyre_kernels_for(GYRE_ISA_SCALAR, GYRE_ROUNDING_PORTABLE));
    CHECK(gyre::kernels_for(GYRE_ISA_WASM128, GYRE_ROUNDING_PORTABLE) == nullptr);
    CHECK(gyre::kernels_best(GYRE_ROUNDING_FUSED) == gyre_kernels_best(GYRE_ROUNDING_FUSED));
    for (const gyre::kernels *table : {gyre::kernels_best(GYRE_ROUNDING_FUSED), first}) {
        CHECK(gyre::use(table) == status::ok && gyre::in_use() == table && gyre_in_use() == table);
        CHECK(gyre::isa_of(table) == gyre_kernels_isa(table) &&
              gyre::rounding_of(table) == gyre_kernels_rounding(table));
    }
    CHECK_STATUS(gyre::use(gyre::kernels_for(GYRE_ISA_WASM128, GYRE_ROUNDING_FUSED)), status::error_null);
    CHECK(gyre::in_use() == first);
    CHECK(std::strcmp(gyre::name(GYRE_ISA_AVX2), "avx2") == 0);
    CHECK(std::strcmp(gyre::name(GYRE_ROUNDING_FUSED), "fused") == 0);
    CHECK(std::strcmp(gyre::version(), gyre_version()) == 0);

    floats x = numbers(0), y = {};
    CHECK_STATUS(gyre::check(first->math_exp(x.data(), y.data(), n)), status::ok);
    CHECK_STATUS(gyre::check(first->math_exp(nullptr, y.data(), n)), status::error_null);
}

} // namespace

int main()
{
    test_spans();
    test_structs();
    test_statuses();
    test_sizes();
    test_ranges();
    test_tables();
    return checks_done();
}
