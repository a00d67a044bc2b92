/* The ceiling: how fast a step could be if its arithmetic took no time. The summary compares the fastest step with the
   fastest pass of this loop.

   The loop loads and stores the same arrays as the kernel, in the same slices and threads. It uses the widest vectors
   of the machine, whichever table the kernel uses, and prefetches. Its only operations are XORs with a mask that is
   zero but unknown to the compiler. Without them the compiler would remove the loop, or replace it by memmove(), which
   may do less than a kernel must. */
#ifndef GYRE_TOOL_CEILING_H
#define GYRE_TOOL_CEILING_H

#include <stddef.h>

/* An array that a kernel reads or writes. Arrays of mode WRITE are overwritten; the others keep their content. */
struct traffic {
    const void *array;   /* NULL: not used, skipped */
    size_t element_size; /* bytes */
    enum { READ, WRITE, READ_WRITE } mode;
};

void ceiling_touch(const struct traffic arrays[], size_t count, size_t begin, size_t end);

#endif
