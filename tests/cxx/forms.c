/* Every kernel called through gyre.hpp (forms.cc) gives the status and the bits of the C function. */
#include "support/work.h"

#include <assert.h>

const gyre_kernels *forms_throwing(void), *forms_throwing_newest(void);
const gyre_kernels *forms_returning(void), *forms_returning_newest(void);

static void test_forms(void **state)
{
    const gyre_kernels *const forms[] = {forms_throwing(), forms_throwing_newest(), forms_returning(),
                                         forms_returning_newest()};
    const kernel_work *kernel = *state;
    work wanted = work_new(), got = work_new();
    kernel->inputs();
    kernel->run(gyre_in_use(), &wanted);
    check(wanted.count, >, 1000);
    for (size_t i = 0; i < LENGTH(forms); i++) {
        CASE("%s, mode %zu", kernel->name, i);
        got.count = 0;
        kernel->run(forms[i], &got);
        check_same_work(&got, &wanted);
    }
    work_free(&got);
    work_free(&wanted);
}

int main(void)
{
    struct CMUnitTest tests[96];
    assert(kernel_work_count <= LENGTH(tests));
    for (size_t i = 0; i < kernel_work_count; i++) {
        tests[i] = (struct CMUnitTest){
            .name = kernel_works[i].name,
            .test_func = test_forms,
            .initial_state = (void *)(uintptr_t)&kernel_works[i],
        };
    }
    return _cmocka_run_group_tests("cxx_forms", tests, kernel_work_count, NULL, NULL);
}
