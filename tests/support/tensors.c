#include "support/tensors.h"

#include <math.h>

matrix tensor_matrix(const float t[6])
{
    const double xx = (double)t[0], yy = (double)t[1], zz = (double)t[2];
    const double xy = (double)t[3], xz = (double)t[4], yz = (double)t[5];
    return (matrix){{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}};
}

void make_tensor(vector moments, quaternion axes, float t[6])
{
    matrix r = quaternion_matrix(axes);
    matrix m = matrix_product(matrix_product(r, matrix_diagonal(moments)), matrix_transposed(r));
    const double entries[6] = {m.at[0][0], m.at[1][1], m.at[2][2], m.at[0][1], m.at[0][2], m.at[1][2]};
    for (int k = 0; k < 6; k++) {
        t[k] = (float)entries[k];
    }
}

/* By Jacobi rotations; each sweep squares the size of the remaining off-diagonal entries. */
vector eigenvalues(matrix m)
{
    for (int sweep = 0; sweep < 8; sweep++) {
        for (int p = 0; p < 3; p++) {
            int q = (p + 1) % 3;
            double across = 2 * m.at[p][q], difference = m.at[p][p] - m.at[q][q]; /* by at most 45 degrees */
            double angle = 0.5 * (difference < 0 ? atan2(-across, -difference) : atan2(across, difference));
            vector about = {{0, 0, 0}};
            about.at[(p + 2) % 3] = angle;
            matrix r = reference_rotation(about);
            m = matrix_product(matrix_product(matrix_transposed(r), m), r);
        }
    }
    vector e = {{m.at[0][0], m.at[1][1], m.at[2][2]}};
    for (int pass = 0; pass < 3; pass++) {
        int k = pass % 2;
        if (e.at[k] > e.at[k + 1]) {
            double other = e.at[k];
            e.at[k] = e.at[k + 1];
            e.at[k + 1] = other;
        }
    }
    return e;
}

double largest_of(vector moments) { return fmax(moments.at[0], fmax(moments.at[1], moments.at[2])); }
