/* The names of the statuses. */
#include <gyre/status.h>

const char *gyre_status_name(gyre_status status)
{
    switch (status) {
    case GYRE_OK: return "ok";
    case GYRE_INCOMPLETE: return "incomplete";
    case GYRE_ERROR_NULL: return "null";
    case GYRE_ERROR_RANGE: return "range";
    case GYRE_ERROR_VALUE: return "value";
    }
    return "unknown";
}
