/* What every call answers. Part of Gyre: see gyre.h. */
#ifndef GYRE_STATUS_H
#define GYRE_STATUS_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) && !defined(_WIN32)
#define GYRE_API __attribute__((visibility("default")))
#elif defined(GYRE_LIBRARY_ITSELF)
#define GYRE_API __declspec(dllexport)
#else
#define GYRE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Arguments are checked before anything is written: a call that does not return GYRE_OK has changed nothing,
   unless its own description says otherwise. */
typedef enum gyre_status {
    GYRE_OK = 0,
    GYRE_ERROR_NULL,       /* a pointer that the call needs is NULL */
    GYRE_ERROR_RANGE,      /* begin > end, end > count, an index beyond its palette, or a result beyond float */
    GYRE_ERROR_VALUE,      /* a parameter that is NaN, infinite, or outside its stated range */
    GYRE_ERROR_UNSUPPORTED /* reserved: no function returns it yet, and tables that are not there are NULL */
} gyre_status;

/* "ok", "null", "range", "value" or "unsupported"; "unknown" for anything else. Never NULL. */
GYRE_API const char *gyre_status_name(gyre_status status);

#ifdef __cplusplus
}
#endif

#endif
