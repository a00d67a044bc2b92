#include "reference/rotation.h"

#include <math.h>

vector vector_sum(vector a, vector b) { return (vector){{a.at[0] + b.at[0], a.at[1] + b.at[1], a.at[2] + b.at[2]}}; }

vector vector_difference(vector a, vector b) { return vector_sum(a, vector_scaled(b, -1)); }

vector vector_scaled(vector a, double factor)
{
    return (vector){{factor * a.at[0], factor * a.at[1], factor * a.at[2]}};
}

vector vector_cross(vector a, vector b) { return matrix_times(matrix_cross(a), b); }

double vector_dot(vector a, vector b) { return a.at[0] * b.at[0] + a.at[1] * b.at[1] + a.at[2] * b.at[2]; }

double vector_length(vector a) { return hypot(hypot(a.at[0], a.at[1]), a.at[2]); }

matrix matrix_identity(void) { return matrix_diagonal((vector){{1, 1, 1}}); }

matrix matrix_diagonal(vector a) { return (matrix){{{a.at[0], 0, 0}, {0, a.at[1], 0}, {0, 0, a.at[2]}}}; }

matrix matrix_cross(vector a)
{
    return (matrix){{{0, -a.at[2], a.at[1]}, {a.at[2], 0, -a.at[0]}, {-a.at[1], a.at[0], 0}}};
}

matrix matrix_sum(matrix a, matrix b)
{
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            a.at[row][column] += b.at[row][column];
        }
    }
    return a;
}

matrix matrix_scaled(matrix a, double factor)
{
    return matrix_product(a, matrix_diagonal((vector){{factor, factor, factor}}));
}

matrix matrix_product(matrix a, matrix b)
{
    matrix product = {{{0}}};
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            for (int k = 0; k < 3; k++) {
                product.at[row][column] += a.at[row][k] * b.at[k][column];
            }
        }
    }
    return product;
}

matrix matrix_transposed(matrix a)
{
    matrix transposed;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            transposed.at[row][column] = a.at[column][row];
        }
    }
    return transposed;
}

vector matrix_times(matrix a, vector b)
{
    vector product;
    for (int row = 0; row < 3; row++) {
        product.at[row] = a.at[row][0] * b.at[0] + a.at[row][1] * b.at[1] + a.at[row][2] * b.at[2];
    }
    return product;
}

vector matrix_solve(matrix a, vector b)
{
    matrix columns = matrix_transposed(a);
    vector column[3];
    for (int k = 0; k < 3; k++) {
        column[k] = (vector){{columns.at[k][0], columns.at[k][1], columns.at[k][2]}};
    }
    double determinant = vector_dot(column[0], vector_cross(column[1], column[2]));
    vector solution;
    for (int k = 0; k < 3; k++) {
        solution.at[k] = vector_dot(b, vector_cross(column[(k + 1) % 3], column[(k + 2) % 3])) / determinant;
    }
    return solution;
}

static vector vector_part(quaternion a) { return (vector){{a.at[0], a.at[1], a.at[2]}}; }

static quaternion quaternion_of(vector a, double w) { return (quaternion){{a.at[0], a.at[1], a.at[2], w}}; }

quaternion quaternion_difference(quaternion a, quaternion b)
{
    return quaternion_of(vector_difference(vector_part(a), vector_part(b)), a.at[3] - b.at[3]);
}

quaternion quaternion_scaled(quaternion a, double factor)
{
    return quaternion_of(vector_scaled(vector_part(a), factor), factor * a.at[3]);
}

double quaternion_dot(quaternion a, quaternion b)
{
    return vector_dot(vector_part(a), vector_part(b)) + a.at[3] * b.at[3];
}

double quaternion_length(quaternion a) { return hypot(vector_length(vector_part(a)), a.at[3]); }

quaternion quaternion_product(quaternion a, quaternion b)
{
    vector p = vector_part(a), q = vector_part(b);
    vector crossed = vector_sum(vector_sum(vector_scaled(q, a.at[3]), vector_scaled(p, b.at[3])), vector_cross(p, q));
    return quaternion_of(crossed, a.at[3] * b.at[3] - vector_dot(p, q));
}

quaternion quaternion_normalised(quaternion a)
{
    double length = quaternion_length(a);
    return quaternion_of(vector_scaled(vector_part(a), 1 / length), a.at[3] / length);
}

/* 1 + 2 w [u]x + 2 [u]x^2 */
matrix quaternion_matrix(quaternion unit)
{
    matrix cross = matrix_cross(vector_part(unit));
    matrix turned = matrix_sum(matrix_scaled(cross, 2 * unit.at[3]), matrix_scaled(matrix_product(cross, cross), 2));
    return matrix_sum(matrix_identity(), turned);
}

vector quaternion_rotate(quaternion unit, vector a) { return matrix_times(quaternion_matrix(unit), a); }

vector quaternion_rotate_back(quaternion unit, vector a)
{
    return matrix_times(matrix_transposed(quaternion_matrix(unit)), a);
}

quaternion quaternion_conjugate(quaternion a) { return quaternion_of(vector_scaled(vector_part(a), -1), a.at[3]); }

double quaternion_angle(quaternion a, quaternion b)
{
    quaternion between = quaternion_product(quaternion_conjugate(a), b);
    return 2 * atan2(vector_length(vector_part(between)), fabs(between.at[3]));
}

double reference_s1(double a) { return a == 0 ? 1 : sin(a) / a; }

double reference_s2(double a)
{
    double half = reference_s1(a / 2);
    return half * half / 2;
}

/* Taylor's series where the difference would lose more than a few bits: 1/6 (1 - a^2/20 (1 - a^2/42 (...))). */
double reference_s3(double a)
{
    if (fabs(a) > 1.5) {
        return (a - sin(a)) / (a * a * a);
    }
    double sum = 1;
    for (int k = 12; k >= 1; k--) {
        sum = 1 - sum * a * a / ((2 * k + 2) * (2 * k + 3));
    }
    return sum / 6;
}

/* 1 + first [v]x + second [v]x^2 */
static matrix cross_polynomial(vector v, double first, double second)
{
    matrix cross = matrix_cross(v);
    matrix turned = matrix_sum(matrix_scaled(cross, first), matrix_scaled(matrix_product(cross, cross), second));
    return matrix_sum(matrix_identity(), turned);
}

matrix reference_rotation(vector v)
{
    double a = vector_length(v);
    return cross_polynomial(v, reference_s1(a), reference_s2(a));
}

matrix reference_left_jacobian(vector v)
{
    double a = vector_length(v);
    return cross_polynomial(v, reference_s2(a), reference_s3(a));
}

quaternion reference_quaternion(vector v)
{
    double half = vector_length(v) / 2;
    return quaternion_of(vector_scaled(v, reference_s1(half) / 2), cos(half));
}

vector reference_vector(quaternion a)
{
    double length = vector_length(vector_part(a)), angle = 2 * atan2(length, fabs(a.at[3]));
    return vector_scaled(vector_part(a), length == 0 ? 0 : copysign(angle, a.at[3]) / length);
}

quaternion reference_between(quaternion unit_a, quaternion unit_b, double part)
{
    vector whole = reference_vector(quaternion_product(quaternion_conjugate(unit_a), unit_b));
    return quaternion_product(unit_a, reference_quaternion(vector_scaled(whole, part)));
}
