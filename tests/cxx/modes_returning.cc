#define GYRE_NO_EXCEPTIONS
#include <gyre/gyre.hpp>

#include "modes.h"

gyre_status returned_by_exp(const float (&x)[2], float (&y)[3]) { return static_cast<gyre_status>(gyre::exp(x, y)); }
gyre_status returned_by_response(float response_s)
{
    return static_cast<gyre_status>(gyre::status_of(gyre::spring::from_response(response_s, 1)));
}
gyre_status returned_by_step(const gyre_springs &springs)
{
    return static_cast<gyre_status>(gyre::springs(springs).step({0, 1}, {1, 0, 0, 1, 0, 0, {}, {}, 0}));
}
