/* Checks for the tests in C++: CHECK(x) prints a line of the Test Anything Protocol. */
#ifndef GYRE_TESTS_CXX_CHECK_H
#define GYRE_TESTS_CXX_CHECK_H

#include <cstdio>

#define CHECK(x) check(x, __FILE__, __LINE__, #x)

inline int check_count = 0, check_failures = 0;

inline void check(bool passed, const char *file, int line, const char *what)
{
    std::printf("%sok %d - %s\n", passed ? "" : "not ", ++check_count, what);
    if (!passed) {
        std::printf("#   %s:%d\n", file, line);
        check_failures++;
    }
}

/* The exit code for main. */
inline int checks_done()
{
    std::printf("1..%d\n", check_count);
    return check_failures == 0 ? 0 : 1;
}

#endif
