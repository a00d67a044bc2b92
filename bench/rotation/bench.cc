/* Rotation vectors to matrices, left Jacobians and quaternions; quaternions to rotation vectors, products, slerp and
   instance transforms, against Eigen: few of them, and as many as fit in the cache. Groups with "-1rad" turn by up to 1
   rad, as the steps of a frame do, others by any angle up to a turn and a half; those with "-malloc" have arrays as
   placed by malloc. */
#include "harness/harness.h"
#include "rotation/peers.h"

#include <array>
#include <cmath>
#include <random>

namespace
{

struct Vectors {
    size_t count;
    bench::Array x, y, z;
    float *data[3];

    Vectors(size_t vectors, double largest_angle, size_t bytes_behind_line = 0)
        : count(vectors), x(count, bytes_behind_line), y(count, bytes_behind_line),
          z(count, bytes_behind_line), data{x.data(), y.data(), z.data()}
    {
        std::mt19937 random(1);
        std::normal_distribution<double> normal;
        std::uniform_real_distribution<double> angle(0.01, largest_angle);
        for (size_t i = 0; i < count; i++) {
            const double v[3] = {normal(random), normal(random), normal(random)};
            const double scale = angle(random) / std::hypot(v[0], v[1], v[2]);
            x.data()[i] = static_cast<float>(v[0] * scale);
            y.data()[i] = static_cast<float>(v[1] * scale);
            z.data()[i] = static_cast<float>(v[2] * scale);
        }
    }
};

struct Entries {
    std::vector<bench::Array> arrays;
    float *data[9];

    explicit Entries(size_t count, size_t bytes_behind_line = 0)
    {
        for (size_t k = 0; k < 9; k++) {
            arrays.emplace_back(count, bytes_behind_line);
            data[k] = arrays.back().data();
        }
    }
};

/* 1 + a [v]x + b [v]x^2 */
void matrix(const double v[3], double a, double b, double out[9])
{
    for (size_t row = 0; row < 3; row++) {
        for (size_t column = 0; column < 3; column++) {
            const double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
            out[3 * row + column] = b * v[row] * v[column] + (row == column ? 1 - b * square : 0);
        }
    }
    out[1] -= a * v[2], out[3] += a * v[2];
    out[2] += a * v[1], out[6] -= a * v[1];
    out[5] -= a * v[0], out[7] += a * v[0];
}

void exact_matrix(const double v[3], double a, double out[9])
{
    matrix(v, std::sin(a) / a, 2 * std::pow(std::sin(a / 2) / a, 2), out);
}

void exact_left_jacobian(const double v[3], double a, double out[9])
{
    const double s3 = a > 0.1 ? (a - std::sin(a)) / (a * a * a) : 1.0 / 6 - a * a / 120 * (1 - a * a / 42);
    matrix(v, 2 * std::pow(std::sin(a / 2) / a, 2), s3, out);
}

void exact_quaternion(const double v[3], double a, double out[9])
{
    for (size_t k = 0; k < 3; k++) {
        out[k] = v[k] * std::sin(a / 2) / a;
    }
    out[3] = std::cos(a / 2);
}

using Kernel = gyre_status (*)(float *const *, float *const *, size_t, size_t);

struct Map {
    const char *name;
    Kernel gyre_kernels::*member;
    void (*exact)(const double v[3], double angle, double out[9]);
    size_t entries;
    RotationPeer each, arrays; /* Eigen's, or NULL */
};

const Map maps[] = {
#ifdef HAVE_EIGEN
    {"rotation-matrix", &gyre_kernels::rotation_matrix, exact_matrix, 9, eigen_each_matrix, eigen_arrays_matrix},
    {"rotation-left-jacobian", &gyre_kernels::rotation_left_jacobian, exact_left_jacobian, 9, nullptr,
     eigen_arrays_left_jacobian},
    {"rotation-quaternion", &gyre_kernels::rotation_quaternion, exact_quaternion, 4, eigen_each_quaternion,
     eigen_arrays_quaternion},
#else
    {"rotation-matrix", &gyre_kernels::rotation_matrix, exact_matrix, 9, nullptr, nullptr},
    {"rotation-left-jacobian", &gyre_kernels::rotation_left_jacobian, exact_left_jacobian, 9, nullptr, nullptr},
    {"rotation-quaternion", &gyre_kernels::rotation_quaternion, exact_quaternion, 4, nullptr, nullptr},
#endif
};

/* Adds a row if every entry is within `allowed` of the exact value. */
void add_candidate(const std::string &group, const std::string &name, const Map &map, double allowed,
                   std::shared_ptr<Vectors> v, std::shared_ptr<Entries> out, std::function<void()> step)
{
    step();
    double largest = 0;
    for (size_t i = 0; i < v->count; i++) {
        const double vector[3] = {v->x.data()[i], v->y.data()[i], v->z.data()[i]};
        double exact[9];
        map.exact(vector, std::hypot(vector[0], vector[1], vector[2]), exact);
        for (size_t k = 0; k < map.entries; k++) {
            const double error = std::fabs(static_cast<double>(out->data[k][i]) - exact[k]);
            largest = bench::worse_of(largest, error);
        }
    }
    bench::state_error(group, name, largest, "of 1");
    bench::add_if(largest <= allowed, bench::got_and_wanted(largest, allowed, "of 1"), group, name, v->count,
                  bench::bytes_of(0, 3, map.entries), step);
}

void add_maps(size_t count, const std::string &suffix, double largest_angle, size_t bytes_behind_line = 0)
{
    auto v = std::make_shared<Vectors>(count, largest_angle, bytes_behind_line);
    auto out = std::make_shared<Entries>(count, bytes_behind_line);
    for (const Map &map : maps) {
        const std::string group = map.name + suffix;
        for (const gyre_kernels *kernels : bench::runnable_tables()) {
            const Kernel kernel = kernels->*map.member;
            const double allowed = (7 + 4 * largest_angle) * 0x1p-24; /* rotation.h */
            add_candidate(group, bench::name_of(kernels), map, allowed, v, out,
                          [=] { kernel(v->data, out->data, 0, count); });
        }
        for (auto &[name, peer] : {std::pair{"eigen-each", map.each}, {"eigen-arrays", map.arrays}}) {
            if (peer != nullptr) {
                /* The textbook's left Jacobian loses S3's digits to cancellation at the smallest angles. */
                add_candidate(group, name, map, 1e-4, v, out,
                              [=, peer = peer] { peer(v->x.data(), v->y.data(), v->z.data(), out->data, count); });
            }
        }
    }
}

/* ---- Of quaternions ---- */

using Quaternion = std::array<double, 4>;

Quaternion product(const Quaternion &a, const Quaternion &b)
{
    return {
        a[3] * b[0] + b[3] * a[0] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] + b[3] * a[1] + a[2] * b[0] - a[0] * b[2],
        a[3] * b[2] + b[3] * a[2] + a[0] * b[1] - a[1] * b[0], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}

Quaternion exact_vector(const Quaternion &a, const Quaternion &)
{
    const double sine = std::hypot(a[0], a[1], a[2]);
    const double scale = std::copysign(2, a[3]) * std::atan2(sine, std::fabs(a[3])) / sine;
    return {scale * a[0], scale * a[1], scale * a[2], 0};
}

Quaternion exact_between(const Quaternion &a, const Quaternion &b)
{
    const Quaternion way = exact_vector(product({-a[0], -a[1], -a[2], a[3]}, b), {});
    const double angle = between_part * std::hypot(way[0], way[1], way[2]);
    const double scale = between_part * std::sin(angle / 2) / angle;
    return product(a, {scale * way[0], scale * way[1], scale * way[2], std::cos(angle / 2)});
}

using QuaternionKernel = gyre_status (*)(const gyre_kernels *, float *const *a, float *const *b, float *const *out,
                                         size_t count);

struct QuaternionMap {
    const char *name;
    QuaternionKernel kernel;
    Quaternion (*exact)(const Quaternion &a, const Quaternion &b);
    size_t inputs, entries;
    double allowed;              /* rotation.h */
    QuaternionPeer each, arrays; /* Eigen's, or NULL */
};

gyre_status run_vector(const gyre_kernels *table, float *const *a, float *const *, float *const *out, size_t count)
{
    return table->rotation_vector(a, out, 0, count);
}

gyre_status run_product(const gyre_kernels *table, float *const *a, float *const *b, float *const *out, size_t count)
{
    return table->rotation_product(a, b, out, 0, count);
}

gyre_status run_between(const gyre_kernels *table, float *const *a, float *const *b, float *const *out, size_t count)
{
    return table->rotation_between(a, b, between_part, out, 0, count);
}

#ifdef HAVE_EIGEN
#define EIGEN(name) eigen_each_##name, eigen_arrays_##name
#else
#define EIGEN(name) nullptr, nullptr
#endif
const QuaternionMap quaternion_maps[] = {
    {"rotation-vector", run_vector, exact_vector, 4, 3, 16 * 0x1p-24, EIGEN(vector)},
    {"rotation-product", run_product, product, 8, 4, 4 * 0x1p-24, EIGEN(product)},
    {"rotation-between", run_between, exact_between, 8, 4, 5 * 0x1p-24, EIGEN(between)},
};

/* Pairs of arbitrary unit quaternions. */
struct Pairs {
    size_t count;
    std::vector<bench::Array> arrays;
    float *a[4], *b[4];

    explicit Pairs(size_t pairs) : count(pairs)
    {
        std::mt19937 random(2);
        std::normal_distribution<double> normal;
        for (size_t k = 0; k < 8; k++) {
            arrays.emplace_back(count);
            (k < 4 ? a[k] : b[k - 4]) = arrays.back().data();
        }
        for (size_t i = 0; i < 2 * count; i++) {
            const double q[4] = {normal(random), normal(random), normal(random), normal(random)};
            const double length = std::hypot(std::hypot(q[0], q[1]), q[2], q[3]);
            for (size_t k = 0; k < 4; k++) {
                (i < count ? a[k][i] : b[k][i - count]) = static_cast<float>(q[k] / length);
            }
        }
    }
};

Quaternion quaternion_at(const float *const q[4], size_t i) { return {q[0][i], q[1][i], q[2][i], q[3][i]}; }

void add_quaternion_map(const QuaternionMap &map, const std::string &name, double allowed, std::shared_ptr<Pairs> pairs,
                        std::shared_ptr<Entries> out, std::function<void()> step)
{
    step();
    double largest = 0;
    for (size_t i = 0; i < pairs->count; i++) {
        const Quaternion exact = map.exact(quaternion_at(pairs->a, i), quaternion_at(pairs->b, i));
        for (size_t k = 0; k < map.entries; k++) {
            largest = bench::worse_of(largest, std::fabs(static_cast<double>(out->data[k][i]) - exact[k]));
        }
    }
    bench::state_error(map.name, name, largest, "of 1");
    bench::add_if(largest <= allowed, bench::got_and_wanted(largest, allowed, "of 1"), map.name, name, pairs->count,
                  bench::bytes_of(0, map.inputs, map.entries), step);
}

void add_quaternion_maps(size_t count)
{
    auto pairs = std::make_shared<Pairs>(count);
    auto out = std::make_shared<Entries>(count);
    for (const QuaternionMap &map : quaternion_maps) {
        for (const gyre_kernels *kernels : bench::runnable_tables()) {
            add_quaternion_map(map, bench::name_of(kernels), map.allowed, pairs, out,
                               [=, kernel = map.kernel] { kernel(kernels, pairs->a, pairs->b, out->data, count); });
        }
        for (auto &[name, peer] : {std::pair{"eigen-each", map.each}, {"eigen-arrays", map.arrays}}) {
            if (peer != nullptr) {
                /* The textbook's arc cosine loses half the digits where quaternions are close to each other. */
                add_quaternion_map(map, name, 3e-3, pairs, out,
                                   [=, peer = peer] { peer(pairs->a, pairs->b, out->data, count); });
            }
        }
    }
}

/* Unit quaternions to rows of an instance buffer; all candidates must agree within 1e-6. */
void add_transforms(size_t count)
{
    auto v = std::make_shared<Vectors>(count, 6);
    auto q = std::make_shared<Entries>(count);
    gyre_bodies bodies = {};
    bodies.count = count;
    for (size_t i = 0; i < count; i++) {
        const double vector[3] = {v->x.data()[i], v->y.data()[i], v->z.data()[i]};
        double exact[9];
        exact_quaternion(vector, std::hypot(vector[0], vector[1], vector[2]), exact);
        for (size_t k = 0; k < 4; k++) {
            q->data[k][i] = static_cast<float>(exact[k]);
        }
    }
    for (size_t k = 0; k < 4; k++) {
        bodies.orientation[k] = q->data[k];
    }
    auto rows = std::make_shared<bench::Array>(12 * count);
    auto add = [&](const std::string &name, std::function<void()> step) {
        step();
        double largest = 0;
        for (size_t i = 0; i < count; i++) {
            const double vector[3] = {v->x.data()[i], v->y.data()[i], v->z.data()[i]};
            double exact[9];
            exact_matrix(vector, std::hypot(vector[0], vector[1], vector[2]), exact);
            for (size_t k = 0; k < 9; k++) {
                const double error =
                    std::fabs(static_cast<double>(rows->data()[12 * i + k / 3 * 4 + k % 3]) - exact[k]);
                largest = bench::worse_of(largest, error);
            }
        }
        bench::add_if(largest <= 1e-6, bench::got_and_wanted(largest, 1e-6, "of 1"), "transforms", name, count,
                      bench::bytes_of(0, 7, 12), step);
    };
    for (const gyre_kernels *kernels : bench::runnable_tables()) {
        add(bench::name_of(kernels), [=] {
            kernels->bodies_transforms(&bodies, 0, count, v->x.data(), v->y.data(), v->z.data(), rows->data(), 48);
        });
    }
#ifdef HAVE_EIGEN
    add("eigen-each", [=] { eigen_transforms(q->data, v->x.data(), v->y.data(), v->z.data(), rows->data(), count); });
#endif
}

} // namespace

int main(int argc, char **argv)
{
    bench::take_effort(&argc, argv);
    for (size_t count : bench::cached_counts()) {
        add_maps(count, "-1rad", 1);
        add_maps(count, "-1rad-malloc", 1, bench::malloc_offset);
        add_maps(count, "", 9);
        add_quaternion_maps(count);
        add_transforms(count);
    }
    return bench::run(argc, argv, {"eigen-each", "eigen-arrays"});
}
