#include "support/rotations.h"

vector random_direction(random_source *random)
{
    vector v;
    double length;
    do {
        for (int k = 0; k < 3; k++) {
            v.at[k] = 2 * (double)random_unit(random) - 1;
        }
        length = vector_length(v);
    } while (length > 1 || length < 0.1);
    return vector_scaled(v, 1 / length);
}

quaternion random_attitude(random_source *random)
{
    double angle = 6.4 * (double)random_unit(random);
    return reference_quaternion(vector_scaled(random_direction(random), angle));
}
