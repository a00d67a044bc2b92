#include <gyre/gyre.h>
#include <stdio.h>

int main(void)
{
    float position[2] = {0, 10}, velocity[2] = {0}, target[2] = {100, 100};
    gyre_springs springs = {.count = 2, .position = position, .velocity = velocity, .target = target};
    gyre_spring spring;
    gyre_spring_matrix matrix;
    if (gyre_spring_from_response(0.5f, 1, &spring) < 0 || gyre_spring_matrix_at(spring, 10, &matrix) < 0 ||
        gyre_springs_step(&springs, 0, springs.count, &matrix) < 0) {
        return 1;
    }
    printf("gyre %s: %g %g\n", gyre_version(), (double)position[0], (double)position[1]);
    return position[0] != 100 || position[1] != 100;
}
