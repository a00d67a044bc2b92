/* The ceiling: how fast this machine could be if the arithmetic were free. The summary compares the quickest step with
   the quickest pass of this loop.

   It is the time of a loop that loads what a kernel loads and stores what it stores, from and to the same arrays, in
   the same slices and threads, with the widest vectors that the machine has, whatever table the kernel uses, and with
   prefetching. The only operations on the way are XORs, with a mask that is zero where something is stored, which the
   compiler does not know: without them it would drop the loop, or call memmove, which is free to do less than a kernel
   must. */
#ifndef GYRE_TOOL_CEILING_H
#define GYRE_TOOL_CEILING_H

#include <stddef.h>

/* An array that a kernel goes through. What is only written is spoilt; what is read too stays as it is. */
struct traffic {
    const void *array;   /* NULL: not in use, and passed over */
    size_t element_size; /* bytes */
    enum { READ, WRITE, READ_WRITE } mode;
};

void ceiling_touch(const struct traffic arrays[], size_t count, size_t begin, size_t end);

#endif
