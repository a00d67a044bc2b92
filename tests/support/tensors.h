/* Inertia tensors as body.h has them: xx yy zz xy xz yz. */
#ifndef GYRE_TESTS_TENSORS_H
#define GYRE_TESTS_TENSORS_H

#include "support/bodies.h"

matrix tensor_matrix(const float t[6]);

/* R diag(moments) R^T, rounded to float. */
void make_tensor(vector moments, quaternion axes, float t[6]);

/* Of a symmetric matrix, ascending. */
vector eigenvalues(matrix m);

double largest_of(vector moments);

#endif
