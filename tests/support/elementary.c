#include "support/elementary.h"

const char *const map_names[MAPS] = {"exp", "expm1", "log", "sin", "cos"};

map_function map_of(const gyre_kernels *table, size_t function)
{
    const map_function maps[MAPS] = {table->math_exp, table->math_expm1, table->math_log, table->math_sin,
                                     table->math_cos};
    return maps[function];
}
