/* The parts of cmocka that the tests use, for architectures without it. Prints TAP. A failed check ends the program. */
#ifndef GYRE_TESTS_WITHOUT_CMOCKA_H
#define GYRE_TESTS_WITHOUT_CMOCKA_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

struct CMUnitTest {
    const char *name;
    void (*test_func)(void **state);
    int (*setup_func)(void **state), (*teardown_func)(void **state);
    void *initial_state;
};

#define cmocka_unit_test_setup_teardown(f, setup, teardown) {#f, f, setup, teardown, NULL}
#define cmocka_run_group_tests_name(name, tests, setup, teardown)                                                      \
    _cmocka_run_group_tests(name, tests, sizeof(tests) / sizeof((tests)[0]), setup, teardown)

#define print_error(...) fprintf(stderr, __VA_ARGS__)
#define print_message(...) printf(__VA_ARGS__)

static inline void _fail(const char *file, int line)
{
    (void)file, (void)line; /* already in the message */
    puts("Bail out!");
    exit(1);
}

static inline int _cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t count,
                                          int (*setup)(void **state), int (*teardown)(void **state))
{
    void *state = NULL;
    (void)group, (void)teardown; /* no group has one */
    if (setup != NULL) {
        setup(&state);
    }
    printf("1..%zu\n", count);
    for (size_t i = 0; i < count; i++) {
        state = tests[i].initial_state;
        if (tests[i].setup_func != NULL) {
            tests[i].setup_func(&state);
        }
        tests[i].test_func(&state);
        if (tests[i].teardown_func != NULL) {
            tests[i].teardown_func(&state);
        }
        printf("ok %zu - %s\n", i + 1, tests[i].name);
        fflush(stdout);
    }
    return 0;
}

#endif
