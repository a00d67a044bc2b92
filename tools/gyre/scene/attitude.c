#include "scene/attitude.h"

#include "scene/sums.h"
#include "support/common.h"

#include <math.h>

struct attitude attitude_product(struct attitude a, struct attitude b)
{
    return (struct attitude){
        .x = a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        .y = a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        .z = a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        .w = a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    };
}

struct attitude attitude_inverse(struct attitude a) { return (struct attitude){-a.x, -a.y, -a.z, a.w}; }

bool attitude_normalise(struct attitude *a)
{
    double length = sqrt(a->x * a->x + a->y * a->y + a->z * a->z + a->w * a->w);
    if (!(length > 0)) {
        return false;
    }
    *a = (struct attitude){a->x / length, a->y / length, a->z / length, a->w / length};
    return true;
}

struct attitude attitude_of_body(const gyre_bodies *bodies, size_t i)
{
    double q[4];
    for (size_t c = 0; c < 4; c++) {
        q[c] = sum_of(bodies->orientation[c], bodies->orientation_low[c], i);
    }
    return (struct attitude){q[0], q[1], q[2], q[3]};
}

void attitude_set_body(const gyre_bodies *bodies, size_t i, struct attitude a)
{
    const double q[] = {a.x, a.y, a.z, a.w};
    for (size_t c = 0; c < 4; c++) {
        set_sum(bodies->orientation[c], bodies->orientation_low[c], i, q[c]);
    }
}

struct vector momentum_of_body(const gyre_bodies *bodies, size_t i)
{
    double m[3];
    for (size_t axis = 0; axis < 3; axis++) {
        m[axis] = sum_of(bodies->momentum[axis], bodies->momentum_low[axis], i);
    }
    return (struct vector){m[0], m[1], m[2]};
}

void momentum_set_body(const gyre_bodies *bodies, size_t i, struct vector momentum)
{
    const double m[] = {momentum.x, momentum.y, momentum.z};
    for (size_t axis = 0; axis < 3; axis++) {
        set_sum(bodies->momentum[axis], bodies->momentum_low[axis], i, m[axis]);
    }
}

struct vector vector_along(size_t axis) { return (struct vector){axis == 0, axis == 1, axis == 2}; }

struct vector vector_cross(struct vector a, struct vector b)
{
    return (struct vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

struct vector attitude_rotate(struct attitude a, struct vector v)
{
    struct vector axis = {a.x, a.y, a.z}, once = vector_cross(axis, v), twice = vector_cross(axis, once);
    return (struct vector){
        v.x + 2 * (a.w * once.x + twice.x),
        v.y + 2 * (a.w * once.y + twice.y),
        v.z + 2 * (a.w * once.z + twice.z),
    };
}

static double vector_dot(struct vector a, struct vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/* Taylor's series of a fraction 2^-n of the turn, at most half a radian, squared n times. */
struct attitude attitude_of_turn(struct vector v)
{
    double part = 0.5, square = vector_dot(v, v) / 4, sine = 1, cosine = 1;
    int squarings = 0;
    for (; square > 0.0625; square /= 4) {
        part /= 2;
        squarings++;
    }
    for (int k = 14; k > 0; k -= 2) {
        cosine = 1 - cosine * square / (k * (k - 1));
        sine = 1 - sine * square / (k * (k + 1));
    }
    struct attitude turn = {part * sine * v.x, part * sine * v.y, part * sine * v.z, cosine};
    for (; squarings > 0; squarings--) {
        turn = attitude_product(turn, turn);
    }
    return turn;
}

const double degree = 0.017453292519943295;

/* A rotation about z or x. Uses the sine and cosine of the library's portable table: those of a libm differ between
   machines. */
static struct attitude turn_about(char axis, double degrees)
{
    float half = (float)(0.5 * degrees * degree), sine, cosine;
    portable_kernels()->math_sincos(&half, &sine, &cosine, 1);
    double length = sqrt((double)sine * (double)sine + (double)cosine * (double)cosine);
    struct attitude turn = {.w = (double)cosine / length};
    *(axis == 'x' ? &turn.x : &turn.z) = (double)sine / length;
    return turn;
}

struct attitude attitude_from_euler_zxz(const double degrees[3])
{
    return attitude_product(turn_about('z', degrees[0]),
                            attitude_product(turn_about('x', degrees[1]), turn_about('z', degrees[2])));
}

/* q = (sin(beta/2) cos(d), sin(beta/2) sin(d), cos(beta/2) sin(s), cos(beta/2) cos(s)) with s = (alpha + gamma) / 2 and
   d = (alpha - gamma) / 2. */
void attitude_to_euler_zxz(struct attitude a, double degrees[3])
{
    double sum = atan2(a.z, a.w), difference = atan2(a.y, a.x);
    double angles[] = {sum + difference, 2 * atan2(hypot(a.x, a.y), hypot(a.z, a.w)), sum - difference};
    for (int i = 0; i < 3; i++) {
        double turns = angles[i] / degree;
        degrees[i] = i == 1 ? turns : turns - 360 * floor(turns / 360);
    }
}

double vector_length(struct vector v) { return sqrt(vector_dot(v, v)); }
