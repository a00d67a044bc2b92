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

/* What a call returns. Negative values are errors: `status < 0` tells them from the others. */
typedef enum gyre_status {
    GYRE_OK = 0,
    GYRE_INCOMPLETE = 1,   /* everything was done that could be done; some elements are short of it or became NaN */
    GYRE_ERROR_NULL = -1,  /* a pointer that the call needs is NULL; nothing was written */
    GYRE_ERROR_RANGE = -2, /* begin > end, end > count, or a result too large for a float; nothing was written */
    GYRE_ERROR_VALUE = -3  /* a parameter is NaN, infinite or outside its range; nothing was written */
} gyre_status;

/* The name of a status for messages and logs: "ok", "incomplete", "null", "range" or "value", else "unknown".
   Never NULL; the string lives as long as the program. */
GYRE_API const char *gyre_status_name(gyre_status status);

#ifdef __cplusplus
}
#endif

#endif
