/* Rotations the obvious way, one at a time, in double. Keep it simple. */
#ifndef GYRE_TESTS_REFERENCE_ROTATION_H
#define GYRE_TESTS_REFERENCE_ROTATION_H

typedef struct vector {
    double at[3];
} vector;

typedef struct matrix {
    double at[3][3];
} matrix;

typedef struct quaternion {
    double at[4]; /* x y z w */
} quaternion;

vector vector_sum(vector a, vector b);
vector vector_difference(vector a, vector b);
vector vector_scaled(vector a, double factor);
vector vector_cross(vector a, vector b);
double vector_dot(vector a, vector b);
double vector_length(vector a);

matrix matrix_identity(void);
matrix matrix_diagonal(vector a);
matrix matrix_cross(vector a); /* [a]x: matrix_cross(a) b = a x b */
matrix matrix_sum(matrix a, matrix b);
matrix matrix_scaled(matrix a, double factor);
matrix matrix_product(matrix a, matrix b);
matrix matrix_transposed(matrix a);
vector matrix_times(matrix a, vector b);
vector matrix_solve(matrix a, vector b); /* Cramer's rule */

quaternion quaternion_difference(quaternion a, quaternion b);
quaternion quaternion_scaled(quaternion a, double factor);
double quaternion_dot(quaternion a, quaternion b);
double quaternion_length(quaternion a);
quaternion quaternion_product(quaternion a, quaternion b);
quaternion quaternion_conjugate(quaternion a);
quaternion quaternion_normalised(quaternion a);
matrix quaternion_matrix(quaternion unit);
vector quaternion_rotate(quaternion unit, vector a);
vector quaternion_rotate_back(quaternion unit, vector a);

/* The angle of the rotation that takes one attitude to the other, 0 to pi, accurate for small angles too. */
double quaternion_angle(quaternion a, quaternion b);

/* sin a / a, (1 - cos a) / a^2, (a - sin a) / a^3. */
double reference_s1(double a);
double reference_s2(double a);
double reference_s3(double a);

/* As defined in rotations-reference.md. */
matrix reference_rotation(vector v);
matrix reference_left_jacobian(vector v);
quaternion reference_quaternion(vector v);
vector reference_vector(quaternion a);                                           /* of any length */
quaternion reference_between(quaternion unit_a, quaternion unit_b, double part); /* a exp(part log(a^-1 b)) */

#endif
