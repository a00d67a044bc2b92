/* A program that uses the DLL, compiled and linked as with Microsoft's compiler: with only the headers and the import
   library. Its exit code is the number of failures. */
#include <gyre/gyre.h>

int main(void)
{
    float position[4] = {0, 1, 2, 3}, velocity[4] = {0}, target[4] = {1, 1, 1, 1};
    gyre_springs springs = {0};
    gyre_spring spring = {0};
    gyre_spring_matrix matrix;
    int failures = 0;
    springs.count = 4;
    springs.position = position;
    springs.velocity = velocity;
    springs.target = target;
    spring.angular_frequency = 10;
    spring.damping_ratio = 1;
    failures += gyre_spring_matrix_at(spring, 10, &matrix) != GYRE_OK;
    failures += gyre_springs_step(&springs, 0, 4, &matrix) != GYRE_OK;
    for (int i = 0; i < 4; i++) {
        failures += !(position[i] > 0.999f && position[i] < 1.001f);
    }
    failures += gyre_springs_step(&springs, 0, 5, &matrix) != GYRE_ERROR_RANGE;
    return failures;
}
