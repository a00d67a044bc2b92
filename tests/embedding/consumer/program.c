/* A spring after some steps. */
#include "part.h"

#include <stdio.h>

int main(void)
{
    const part_result result = part_run();
    printf("%a %a\n", (double)result.position, (double)result.velocity);
    return 0;
}
