#include "commands/commands.h"

#include "support/common.h"

#include <gyre/gyre.h>

#include <stdio.h>

/* The library does not distinguish tables that are not built from those that the machine cannot run; the build does. */
static bool is_built(gyre_isa isa, gyre_rounding rounding)
{
    static const struct {
        gyre_isa isa;
        gyre_rounding rounding;
    } built[] = {GYRE_BUILT_TABLES};
    for (size_t i = 0; i < sizeof built / sizeof built[0]; i++) {
        if (built[i].isa == isa && built[i].rounding == rounding) {
            return true;
        }
    }
    return false;
}

int info(int argc, char **argv)
{
    if (argc != 1) {
        fail(EXIT_BAD_INPUT, "info: unexpected \"%s\"; it takes no options", argv[1]);
    }
    puts("isa      rounding  in this build  runs here");
    for (int isa = 0; isa < GYRE_ISA_COUNT; isa++) {
        if (isa == GYRE_ISA_WASM128) {
            continue; /* reserved: no build has it */
        }
        for (int rounding = GYRE_ROUNDING_PORTABLE; rounding <= GYRE_ROUNDING_FUSED; rounding++) {
            const gyre_kernels *table = gyre_kernels_for((gyre_isa)isa, (gyre_rounding)rounding);
            const char *best = table != NULL && table == gyre_kernels_best((gyre_rounding)rounding) ? ", best" : "";
            const char *used = table != NULL && table == gyre_in_use() ? ", in use" : "";
            printf("%-9s%-10s%-15s%s%s%s\n", gyre_isa_name((gyre_isa)isa), gyre_rounding_name((gyre_rounding)rounding),
                   is_built((gyre_isa)isa, (gyre_rounding)rounding) ? "yes" : "no", table != NULL ? "yes" : "no", best,
                   used);
        }
    }
    return 0;
}
