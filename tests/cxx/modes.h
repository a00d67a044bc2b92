/* The interface of modes_returning.cc for modes.cc: C types, which are the same in both. */
#include <gyre/gyre.h>

gyre_status returned_by_exp(const float (&x)[2], float (&y)[3]);
gyre_status returned_by_response(float response_s);
gyre_status returned_by_step(const gyre_springs &springs);
