/* The end of every loop: a function for each set of features in LOOP_SETS, which processes the runs of awake elements,
   and LOOP_loop, which selects one. Included only by the loops, with

       LOOP_BEGIN                       declares the variables that the runs of a call share
       LOOP_RUN(shape, begin, end)      processes a run; `shape` is the last member of the set
       LOOP_FEW(begin, end)             processes few elements and returns; may be left out */
#if !defined(LOOP_BEGIN) || !defined(LOOP_RUN)
#error "define what the comment above names"
#endif
#ifndef LOOP_FEW
#define LOOP_FEW(begin, end)
#endif

#define LOOP_FUNCTION(name, always, maybe, shape)                                                                      \
    VF_SHARED void LOOP_NAME(loop_##name)(const LOOP_ARRAYS *arrays, const LOOP_CALL *call, unsigned all,              \
                                          size_t begin, size_t end)                                                    \
    {                                                                                                                  \
        const unsigned has = (always) | (all & (maybe));                                                               \
        const uint8_t *flags = LOOP_FLAGS(arrays, has);                                                                \
        vf_run run = vf_first_run(flags, begin, end);                                                                  \
        if (run.begin == run.end) {                                                                                    \
            return;                                                                                                    \
        }                                                                                                              \
        LOOP_BEGIN                                                                                                     \
        do {                                                                                                           \
            LOOP_RUN(shape, run.begin, run.end);                                                                       \
        } while (vf_find_run(flags, &run, end));                                                                       \
    }
LOOP_SETS(LOOP_FUNCTION)
#undef LOOP_FUNCTION

#define LOOP_CASE(name, always, maybe, shape)                                                                          \
    if ((has & ~(unsigned)(maybe)) == (always)) {                                                                      \
        LOOP_NAME(loop_##name)(arrays, call, has, begin, end);                                                         \
        return;                                                                                                        \
    }

/* Elements begin..end-1, at least one. */
VF_INLINE void LOOP_NAME(loop)(const LOOP_ARRAYS *arrays, const LOOP_CALL *call, unsigned has, size_t begin, size_t end)
{
    LOOP_FEW(begin, end)
    LOOP_SETS(LOOP_CASE)
}
#undef LOOP_CASE

#undef LOOP
#undef LOOP_ARRAYS
#undef LOOP_CALL
#undef LOOP_SETS
#undef LOOP_WRITTEN
#undef LOOP_FLAGS
#undef LOOP_COMPLETED
#undef LOOP_BEGIN
#undef LOOP_RUN
#undef LOOP_FEW
