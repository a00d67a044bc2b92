/* The caller's rounding mode, flush bits and traps: no answer and no refusal depends on them, and they are as they were
   afterwards. SIGFPE is not caught: a trap that fires ends the test. */
#include "support/work.h"

#include <assert.h>
#include <math.h>

static void test_answers_do_not_depend_on_it(void **state)
{
    const kernel_work *kernel = *state;
    const gyre_kernels *tables[TABLES_MAX];
    size_t count = tested_tables(tables);
    const fp_control *controls;
    size_t control_count = fp_controls(&controls), controls_tried = effort(control_count * 4);
    controls_tried = controls_tried < control_count ? controls_tried : control_count;
    work want = work_new(), got = work_new();
    kernel->inputs();
    const fp_control before = fp_control_read();
    for (size_t i = 0; i < count; i++) {
        want.count = 0;
        kernel->run(tables[i], &want);
        for (size_t k = 0; k < controls_tried; k++) {
            /* When only some are tried, all of them are over the tables and kernels. */
            fp_control control = controls[(k + i * 7 + (size_t)(kernel - kernel_works) * 5) % control_count];
            got.count = 0;
            fp_control_write(control);
            const fp_control written = fp_control_read();
            kernel->run(tables[i], &got);
            const fp_control after = fp_control_read();
            fp_control_write(before);
            assert_true(after == written);
            size_t where = first_difference(&got, &want);
            if (where != SIZE_MAX) {
                fail_msg("%s, %s, control word %#llx: word %zu is %#x, not %#x", kernel->name, table_name(tables[i]),
                         (unsigned long long)control, where, (unsigned)got.words[where], (unsigned)want.words[where]);
            }
        }
    }
    work_free(&want);
    work_free(&got);
}

/* The control words do what they are taken for here: else the test above would show nothing. */
static void test_control_words_work(void **state)
{
    (void)state;
    const fp_control *controls, before = fp_control_read();
    size_t count = fp_controls(&controls);
    assert_true(before == controls[0]);
    volatile float third = 3, tiny = 0x1p-100f;
    size_t other_rounding = 0, flushed = 0;
    for (size_t i = 0; i < count; i++) {
        fp_control_write(fp_control_without_traps(controls[i]));
        volatile float quotient = -1 / third, product = tiny * 0x1p-40f; /* or they may be made later */
        fp_control_write(before);
        other_rounding += quotient != -1.0f / 3;
        flushed += product == 0;
    }
    assert_true(other_rounding >= count / 4);
    assert_true(!fp_control_has_flush_bits || flushed >= count / 4);
}

/* Errors leave the control word alone too. */
static void test_errors_restore_it(void **state)
{
    (void)state;
    const gyre_kernels *tables[TABLES_MAX];
    size_t count = tested_tables(tables);
    const fp_control *controls, before = fp_control_read();
    size_t control_count = fp_controls(&controls);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < control_count; k++) {
            gyre_spring spring;
            gyre_spring_matrix matrix;
            fp_control_write(controls[k]);
            const fp_control written = fp_control_read();
            gyre_status statuses[] = {
                tables[i]->springs_step(NULL, 0, 0, NULL),
                tables[i]->spring_matrix_at((gyre_spring){-1, 1}, 1, &matrix),
                tables[i]->spring_matrix_at((gyre_spring){100, 1}, -100, &matrix),
                tables[i]->spring_from_response(NAN, 1, &spring),
                tables[i]->math_exp(NULL, NULL, 1),
                gyre_spring_matrix_at((gyre_spring){1, -0x1p-149f}, 1, &matrix),
            };
            const fp_control after = fp_control_read();
            fp_control_write(before);
            assert_true(after == written);
            const gyre_status want[] = {GYRE_ERROR_NULL,  GYRE_ERROR_VALUE, GYRE_ERROR_RANGE,
                                        GYRE_ERROR_VALUE, GYRE_ERROR_NULL,  GYRE_ERROR_VALUE};
            assert_memory_equal(statuses, want, sizeof want);
        }
    }
}

int main(void)
{
    struct CMUnitTest tests[64 + 2] = {
        cmocka_unit_test(test_control_words_work),
        cmocka_unit_test(test_errors_restore_it),
    };
    size_t count = 2;
    assert(count + kernel_work_count <= LENGTH(tests));
    for (size_t i = 0; i < kernel_work_count; i++) {
        tests[count++] = (struct CMUnitTest){
            .name = kernel_works[i].name,
            .test_func = test_answers_do_not_depend_on_it,
            .initial_state = (void *)(uintptr_t)&kernel_works[i],
        };
    }
    return _cmocka_run_group_tests("environment", tests, count, NULL, NULL);
}
