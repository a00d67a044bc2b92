#include "support/memory.h"

#include "support/common.h"
#include "support/memory_limit.h"
#include "support/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 64 }; /* of a cache */

/* Lies before the memory. */
struct header {
    void *block; /* as the C library returned it */
    size_t bytes;
};

static double used; /* bytes */

/* The rest is for uncounted memory: code, stacks, file buffers, and other processes. */
double memory_allowed(void)
{
    static double allowed = -1;
    if (allowed < 0) {
        allowed = memory_limit() * 15 / 16;
    }
    return allowed;
}

bool memory_has_room(size_t count, size_t bytes_each)
{
    return used + (double)count * (double)bytes_each <= memory_allowed();
}

void out_of_memory(const char *reading)
{
    fail(EXIT_FAILED, "%s%sout of memory: more than the %s MB that this program may use",
         reading != NULL ? reading : "", reading != NULL ? ": " : "", grouped(memory_allowed() * 1e-6));
}

static void *with_header(void *block, size_t before, size_t bytes)
{
    char *memory = (char *)block + before;
    *(struct header *)(void *)(memory - sizeof(struct header)) = (struct header){block, bytes};
    used += (double)bytes;
    return memory;
}

static struct header header_of(const void *memory)
{
    return *(const struct header *)(const void *)((const char *)memory - sizeof(struct header));
}

void *allocate(size_t count, size_t size)
{
    void *block = NULL;
    if (memory_has_room(count, size) && count <= (SIZE_MAX - 2 * LINE) / size) {
        block = malloc(count * size + 2 * LINE);
    }
    if (block == NULL) {
        out_of_memory(NULL);
    }
    const size_t before = LINE + -(uintptr_t)block % LINE;
    return memset(with_header(block, before, count * size), 0, count * size);
}

void allocate_each(float *arrays[], size_t array_count, size_t count)
{
    for (size_t i = 0; i < array_count; i++) {
        arrays[i] = allocate(count, sizeof(float));
    }
}

void release_each(float *const arrays[], size_t array_count)
{
    for (size_t i = 0; i < array_count; i++) {
        release(arrays[i]);
    }
}

void *resize(void *memory, size_t count, size_t size)
{
    const struct header former = memory != NULL ? header_of(memory) : (struct header){NULL, 0};
    if (!memory_has_room(count, size) || count > (SIZE_MAX - LINE) / size) {
        return NULL;
    }
    void *block = realloc(former.block, sizeof(struct header) + count * size);
    if (block == NULL) {
        return NULL;
    }
    used -= (double)former.bytes;
    return with_header(block, sizeof(struct header), count * size);
}

void release(void *memory)
{
    if (memory != NULL) {
        const struct header header = header_of(memory);
        used -= (double)header.bytes;
        free(header.block);
    }
}
