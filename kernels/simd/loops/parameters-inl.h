/* Defaults for what a kernel may leave out when it includes a loop. Included only by the loops. */
#if !defined(LOOP) || !defined(LOOP_ARRAYS) || !defined(LOOP_CALL) || !defined(LOOP_SETS) || !defined(LOOP_WRITTEN)
#error "define what the comment at the top of the loop names"
#endif
#ifndef LOOP_FLAGS
#define LOOP_FLAGS(arrays, has) NULL
#endif
#ifndef LOOP_COMPLETED
#define LOOP_COMPLETED(arrays, has) *(arrays)
#endif
