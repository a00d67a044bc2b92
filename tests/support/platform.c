#define _GNU_SOURCE /* MAP_ANONYMOUS, pthread_attr_setstack */
#include "support/platform.h"

#include "support/check.h"

#include <string.h>

enum { STACK_BYTES = 1 << 20, STACK_FILL = 0xa5 };

/* The bytes of a stack that no longer have the pattern it was filled with. It grows down. */
static size_t touched(const unsigned char *stack, size_t bytes)
{
    size_t untouched = 0;
    while (untouched < bytes && stack[untouched] == STACK_FILL) {
        untouched++;
    }
    return bytes - untouched;
}

#if defined(_WIN32) || defined(__wasm__)

typedef struct thread_start {
    void *(*job)(void *argument);
    void *argument;
} thread_start;

typedef struct measured_call {
    thread_start call;
    size_t used;
} measured_call;

/* Where only the system makes stacks, a function fills the part below its caller's frame, page by page as the system
   requires, and returns; the call follows. */
static __attribute__((noinline)) const unsigned char *fill_stack(void)
{
    volatile unsigned char filled[STACK_BYTES];
    for (size_t i = STACK_BYTES; i-- > 0;) {
        filled[i] = STACK_FILL;
    }
    volatile unsigned char *begin = filled;
    __asm__ volatile("" : "+r"(begin)); /* the compiler must not assume that it ends with the function */
    return (const unsigned char *)(uintptr_t)begin;
}

static void *measure_call(void *argument)
{
    measured_call *measured = argument;
    const unsigned char *filled = fill_stack();
    measured->call.job(measured->call.argument);
    measured->used = touched(filled, STACK_BYTES);
    return NULL;
}

#endif

#if defined(_WIN32)

#include <float.h>
#include <windows.h>

static size_t page_bytes(void)
{
    SYSTEM_INFO system;
    GetSystemInfo(&system);
    return system.dwPageSize;
}

guarded_memory guarded_new(size_t bytes_at_least)
{
    const size_t page = page_bytes(), bytes = (bytes_at_least + page - 1) / page * page;
    unsigned char *map = VirtualAlloc(NULL, bytes + 2 * page, MEM_RESERVE, PAGE_NOACCESS);
    check(map, !=, NULL);
    check(VirtualAlloc(map + page, bytes, MEM_COMMIT, PAGE_READWRITE), !=, NULL);
    return (guarded_memory){map + page, map + page + bytes};
}

void guarded_free(guarded_memory memory) { VirtualFree(memory.begin - page_bytes(), 0, MEM_RELEASE); }

size_t processors(void)
{
    SYSTEM_INFO system;
    GetSystemInfo(&system);
    return system.dwNumberOfProcessors < THREADS_MAX ? system.dwNumberOfProcessors : THREADS_MAX;
}

/* Windows starts threads with the x87 rounding to 53 bits, too few for a long double. */
static DWORD WINAPI run_thread(void *argument)
{
    const thread_start *start = argument;
    _fpreset();
    start->job(start->argument);
    return 0;
}

static void run_threads(thread_start *starts, size_t count, size_t stack_bytes)
{
    HANDLE threads[THREADS_MAX];
    check(count, <=, THREADS_MAX);
    for (size_t i = 0; i < count; i++) {
        threads[i] = CreateThread(NULL, stack_bytes, run_thread, &starts[i], STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
        check(threads[i], !=, NULL);
    }
    for (size_t i = 0; i < count; i++) {
        check(WaitForSingleObject(threads[i], INFINITE), ==, WAIT_OBJECT_0);
        CloseHandle(threads[i]);
    }
}

void run_together(void *(*job)(void *argument), void *arguments, size_t size, size_t count)
{
    thread_start starts[THREADS_MAX];
    for (size_t i = 0; i < count && i < THREADS_MAX; i++) {
        starts[i] = (thread_start){job, (char *)arguments + i * size};
    }
    run_threads(starts, count, 0);
}

size_t stack_used_by(void *(*job)(void *argument), void *argument)
{
    measured_call measured = {{job, argument}, 0};
    run_threads(&(thread_start){measure_call, &measured}, 1, 2 * STACK_BYTES);
    return measured.used;
}

#elif defined(__wasm__)

/* At the end of memory, as long as nothing else grows it: everything before it is accessible. */
guarded_memory guarded_new(size_t bytes_at_least)
{
    const size_t page = 65536, pages = (bytes_at_least + page - 1) / page, begin = __builtin_wasm_memory_grow(0, pages);
    check(begin, !=, SIZE_MAX);
    return (guarded_memory){(unsigned char *)(begin * page), (unsigned char *)((begin + pages) * page)};
}

void guarded_free(guarded_memory memory) { (void)memory; /* a memory never shrinks */ }

size_t processors(void) { return 1; }

/* One after another, because there are no threads. */
void run_together(void *(*job)(void *argument), void *arguments, size_t size, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        job((char *)arguments + i * size);
    }
}

/* The part of the stack in memory; WebAssembly's own local variables are elsewhere. */
size_t stack_used_by(void *(*job)(void *argument), void *argument)
{
    measured_call measured = {{job, argument}, 0};
    measure_call(&measured);
    return measured.used;
}

#else

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

guarded_memory guarded_new(size_t bytes_at_least)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = (bytes_at_least + page - 1) / page * page;
    unsigned char *map = mmap(NULL, bytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    check(map, !=, MAP_FAILED);
    check(mprotect(map + page, bytes, PROT_READ | PROT_WRITE), ==, 0);
    return (guarded_memory){map + page, map + page + bytes};
}

void guarded_free(guarded_memory memory)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    munmap(memory.begin - page, (size_t)(memory.end - memory.begin) + 2 * page);
}

size_t processors(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > THREADS_MAX ? THREADS_MAX : (size_t)count;
}

void run_together(void *(*job)(void *argument), void *arguments, size_t size, size_t count)
{
    pthread_t threads[THREADS_MAX];
    check(count, <=, THREADS_MAX);
    for (size_t i = 0; i < count; i++) {
        check(pthread_create(&threads[i], NULL, job, (char *)arguments + i * size), ==, 0);
    }
    for (size_t i = 0; i < count; i++) {
        check(pthread_join(threads[i], NULL), ==, 0);
    }
}

size_t stack_used_by(void *(*job)(void *argument), void *argument)
{
    unsigned char *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    check(stack, !=, MAP_FAILED);
    memset(stack, STACK_FILL, STACK_BYTES);
    pthread_attr_t attributes;
    pthread_t thread;
    check(pthread_attr_init(&attributes), ==, 0);
    check(pthread_attr_setstack(&attributes, stack, STACK_BYTES), ==, 0);
    check(pthread_create(&thread, &attributes, job, argument), ==, 0);
    check(pthread_join(thread, NULL), ==, 0);
    pthread_attr_destroy(&attributes);
    const size_t used = touched(stack, STACK_BYTES);
    munmap(stack, STACK_BYTES);
    return used;
}

#endif
