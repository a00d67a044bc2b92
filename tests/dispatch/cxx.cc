// The library from C++: a program that includes everything, links, and steps a spring.
#include <gyre/gyre.h>

#include <cstdio>

int main()
{
    gyre_spring spring;
    gyre_spring_matrix matrix;
    float position = 0, velocity = 0, target = 1;
    gyre_springs springs = {};
    springs.count = 1;
    springs.position = &position;
    springs.velocity = &velocity;
    springs.target = &target;
    bool ok = gyre_spring_from_response(0.5f, 1, &spring) == GYRE_OK &&
              gyre_spring_matrix_at(spring, 10, &matrix) == GYRE_OK &&
              gyre_springs_step(&springs, 0, 1, &matrix) == GYRE_OK && position == 1 &&
              gyre_use(gyre_kernels_best(GYRE_ROUNDING_PORTABLE)) == GYRE_OK;
    std::printf("1..1\n%s 1 - gyre.h in C++\n", ok ? "ok" : "not ok");
    return ok ? 0 : 1;
}
