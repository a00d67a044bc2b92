/* A spring half a second after its release. */
#include <gyre/gyre.h>

#include <cstdio>

int main()
{
    float position = 0, velocity = 0, target = 100;
    gyre_springs springs{};
    springs.count = 1;
    springs.position = &position;
    springs.velocity = &velocity;
    springs.target = &target;
    gyre_spring spring;
    gyre_spring_matrix frame;
    if (gyre_spring_from_response(0.5f, 0.825f, &spring) < 0 || gyre_spring_matrix_at(spring, 1 / 60.0f, &frame) < 0) {
        return 1;
    }
    for (int i = 0; i < 30; i++) {
        gyre_springs_step(&springs, 0, springs.count, &frame);
    }
    std::printf("%a\n", static_cast<double>(position));
}
