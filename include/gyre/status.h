/* The statuses that calls return. Part of Gyre: see gyre.h. */
#ifndef GYRE_STATUS_H
#define GYRE_STATUS_H

#include <stddef.h>
#include <stdint.h>

/* Define GYRE_STATIC if Gyre is linked statically, so that a shared library that contains it does not export its
   functions. The static library itself is compiled with it; for callers it is optional. */
#if defined(_WIN32) && defined(GYRE_LIBRARY_ITSELF)
#define GYRE_API __declspec(dllexport)
#elif defined(_WIN32)
#define GYRE_API /* functions need no dllimport */
#elif defined(GYRE_STATIC)
#define GYRE_API __attribute__((visibility("hidden")))
#else
#define GYRE_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The result of a call. Errors are negative, so `status < 0` is an error. Arguments are checked before anything is
   written: a call that returns an error has written nothing.

   An invalid element becomes NaN, and the call still returns GYRE_OK, unless the description of the function says that
   it returns GYRE_INCOMPLETE. */
typedef enum gyre_status {
    GYRE_OK = 0,
    GYRE_INCOMPLETE = 1,   /* everything possible was done, but not for every element */
    GYRE_ERROR_NULL = -1,  /* a pointer that the call needs is NULL */
    GYRE_ERROR_RANGE = -2, /* begin > end, end > count, or a result too large for a float */
    GYRE_ERROR_VALUE = -3  /* a parameter is NaN, infinite or outside its range */
} gyre_status;

/* Returns the name of a status for messages and logs, never NULL.
   "ok", "incomplete", "null", "range" or "value"; "unknown" for anything else. The string lives as long as the
   program. */
GYRE_API const char *gyre_status_name(gyre_status status);

#ifdef __cplusplus
}
#endif

#endif
