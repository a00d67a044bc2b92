/* The version of the library, available at run time. */
#include <gyre/gyre.h>

const char *gyre_version(void) { return GYRE_VERSION; }
