/* A spring after some steps; then whether subnormal numbers are kept, in which Gyre's library has no say. */
#include "part.h"

#include <float.h>
#include <stdio.h>

int main(void)
{
    const part_result result = part_run();
    volatile float smallest = FLT_MIN;
    printf("%a %a, subnormal numbers %s\n", (double)result.position, (double)result.velocity,
           smallest / 2 != 0 ? "kept" : "flushed");
    return 0;
}
