/* Runs its own part with the first table, then that of a plugin, whose path is the argument. */
#include "part.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    (void)argc;
    const gyre_kernels *first = NULL;
    for (int isa = 0; first == NULL; isa++) {
        first = gyre_kernels_for((gyre_isa)isa, GYRE_ROUNDING_PORTABLE);
    }
    gyre_use(first);
    const part_result own = part_run();

    void *plugin = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL), *symbol = plugin ? dlsym(plugin, "part_run") : NULL;
    part_function *run;
    memcpy(&run, &symbol, sizeof run);
    if (run == NULL || own.in_use != first) {
        fprintf(stderr, "%s\n", plugin ? "host" : dlerror());
        return 1;
    }
    const part_result other = run();
    printf("%s, %s\n", own.in_use == other.in_use ? "one Gyre" : "two Gyres",
           own.position == other.position && own.velocity == other.velocity ? "the same bits" : "other bits");
    return part_run().in_use == first ? 0 : 1;
}
