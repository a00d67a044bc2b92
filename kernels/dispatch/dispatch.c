/* From a plain function to the table in use. */
#include "dispatch/cpu.h"
#include "list.h"
#include "tables.h"

#include <stdatomic.h>

/* GYRE_TABLES(ROW), from the build: ROW(ISA, ROUNDING, symbol, needs) for each table in this library, narrow to wide;
   see kernels/tables.txt. */
#define DECLARE(isa, rounding, symbol, needs) extern const gyre_kernels symbol;
GYRE_TABLES(DECLARE)

#define TABLE(isa, rounding, symbol, needs) {&symbol, needs},
static const struct {
    const gyre_kernels *kernels;
    unsigned needs; /* bits of gyre_cpu_features */
} tables[] = {GYRE_TABLES(TABLE)};

enum { TABLE_COUNT = sizeof tables / sizeof tables[0] };

#define OR_BASELINE(isa, rounding, symbol, needs) || (rounding == GYRE_ROUNDING_PORTABLE && (needs) == 0)
_Static_assert(0 GYRE_TABLES(OR_BASELINE), "a PORTABLE table that every CPU of the architecture runs must be built");

const gyre_kernels *gyre_kernels_for(gyre_isa isa, gyre_rounding rounding)
{
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        if (tables[i].kernels->isa == isa && tables[i].kernels->rounding == rounding) {
            return (tables[i].needs & ~gyre_cpu_features()) == 0 ? tables[i].kernels : NULL;
        }
    }
    return NULL;
}

const gyre_kernels *gyre_kernels_best(gyre_rounding rounding)
{
    const unsigned features = gyre_cpu_features();
    for (size_t i = TABLE_COUNT; i > 0; i--) {
        const gyre_kernels *kernels = tables[i - 1].kernels;
        if (kernels->rounding == rounding && (tables[i - 1].needs & ~features) == 0) {
            return kernels;
        }
    }
    return gyre_kernels_best(GYRE_ROUNDING_PORTABLE); /* OR_BASELINE: there is one */
}

/* NULL until gyre_use or the first plain call. Two threads that make it at the same time store the same pointer. The
   tables are constant, so relaxed order is enough. */
static _Atomic(const gyre_kernels *) table_in_use;

gyre_status gyre_use(const gyre_kernels *kernels)
{
    if (kernels == NULL) {
        return GYRE_ERROR_NULL;
    }
    atomic_store_explicit(&table_in_use, kernels, memory_order_relaxed);
    return GYRE_OK;
}

/* Not inlined: it runs once, and every plain function would contain it. */
__attribute__((cold, noinline)) static const gyre_kernels *choose_default(void)
{
    const gyre_kernels *none = NULL;
    const gyre_kernels *best = gyre_kernels_best(GYRE_ROUNDING_PORTABLE);
    /* Never replaces a table that another thread has set in the meantime. */
    return atomic_compare_exchange_strong_explicit(&table_in_use, &none, best, memory_order_relaxed,
                                                   memory_order_relaxed)
               ? best
               : none;
}

static inline const gyre_kernels *in_use(void)
{
    const gyre_kernels *kernels = atomic_load_explicit(&table_in_use, memory_order_relaxed);
    return kernels != NULL ? kernels : choose_default();
}

const gyre_kernels *gyre_in_use(void) { return in_use(); }

gyre_isa gyre_kernels_isa(const gyre_kernels *kernels) { return kernels->isa; }

gyre_rounding gyre_kernels_rounding(const gyre_kernels *kernels) { return kernels->rounding; }

#define PLAIN(member, plain, parameters, arguments)                                                                    \
    gyre_status plain parameters { return in_use()->member arguments; }
GYRE_KERNELS(PLAIN)
