/* Memory. Everything that may become large is counted, so that the program ends with a message before the system kills
   it for using too much: see memory_limit.h. */
#ifndef GYRE_TOOL_MEMORY_H
#define GYRE_TOOL_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Whether `count` elements of `bytes_each` fit into what this program may still use. */
bool memory_has_room(size_t count, size_t bytes_each);

double memory_allowed(void); /* bytes, in all */

/* Ends the program. `reading` is the file whose content needs the memory, or NULL. */
_Noreturn void out_of_memory(const char *reading);

/* count * size bytes, zeroed, aligned to 64 bytes so that slices of different arrays share no cache line. Ends the
   program rather than return NULL. */
void *allocate(size_t count, size_t size);

/* The same for several arrays of `count` floats. */
void allocate_each(float *arrays[], size_t array_count, size_t count);
void release_each(float *const arrays[], size_t array_count);

/* Changes the size of memory that this function returned before; NULL stands for no memory. New bytes are not
   initialised. Returns NULL if there is no room. */
void *resize(void *memory, size_t count, size_t size);

void release(void *memory); /* memory from either function, or NULL */

#endif
