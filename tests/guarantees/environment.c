/* The caller's rounding mode, flush bits and traps change no result and no status, and every call restores them. SIGFPE
   is not caught: a trap that fires ends the test. */
#include "support/work.h"

#include <assert.h>
#include <math.h>

static void test_results_do_not_depend_on_it(void **state)
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
            /* Where each pair tries only some, the tables and kernels together try all of them. */
            fp_control control = controls[(k + i * 7 + (size_t)(kernel - kernel_works) * 5) % control_count];
            got.count = 0;
            fp_control_write(control);
            const fp_control written = fp_control_read();
            kernel->run(tables[i], &got);
            const fp_control after = fp_control_read();
            fp_control_write(before);
            CASE("%s, %s, control word %#llx", table_name(tables[i]), kernel->name, (unsigned long long)control);
            check(after, ==, written);
            check_same_work(&got, &want);
        }
    }
    work_free(&want);
    work_free(&got);
}

/* The control words have the effects that the test above relies on. */
static void test_control_words_work(void **state)
{
    (void)state;
    const fp_control *controls, before = fp_control_read();
    size_t count = fp_controls(&controls);
    check(before, ==, controls[0]);
    volatile float third = 3, tiny = 0x1p-100f;
    size_t other_rounding = 0, flushed = 0;
    for (size_t i = 0; i < count; i++) {
        fp_control_write(fp_control_without_traps(controls[i]));
        volatile float quotient = -1 / third, product = tiny * 0x1p-40f; /* volatile: computed here, not later */
        fp_control_write(before);
        other_rounding += quotient != -1.0f / 3;
        flushed += product == 0;
    }
    check(other_rounding, >=, count / 4);
    if (fp_control_has_flush_bits) {
        check(flushed, >=, count / 4);
    }
}

/* Errors restore the control word too. */
static void test_errors_leave_it(void **state)
{
    (void)state;
    const fp_control *controls, before = fp_control_read();
    size_t control_count = fp_controls(&controls);
    EACH_TABLE(table) {
        for (size_t k = 0; k < control_count; k++) {
            gyre_spring spring;
            gyre_spring_matrix matrix;
            fp_control_write(controls[k]);
            const fp_control written = fp_control_read();
            gyre_status statuses[] = {
                table->springs_step(NULL, 0, 0, NULL),
                table->spring_matrix_at((gyre_spring){-1, 1}, 1, &matrix),
                table->spring_matrix_at((gyre_spring){100, 1}, -100, &matrix),
                table->spring_from_response(NAN, 1, &spring),
                table->math_exp(NULL, NULL, 1),
                gyre_spring_matrix_at((gyre_spring){1, -0x1p-149f}, 1, &matrix),
            };
            const fp_control after = fp_control_read();
            fp_control_write(before);
            const gyre_status want[] = {GYRE_ERROR_NULL,  GYRE_ERROR_VALUE, GYRE_ERROR_RANGE,
                                        GYRE_ERROR_VALUE, GYRE_ERROR_NULL,  GYRE_ERROR_VALUE};
            CASE("control word %#llx", (unsigned long long)controls[k]);
            check(after, ==, written);
            for (size_t call = 0; call < LENGTH(want); call++) {
                CASE("call %zu", call);
                check_status(statuses[call], want[call]);
            }
        }
    }
}

int main(void)
{
    struct CMUnitTest tests[96 + 2] = {
        TEST(test_control_words_work),
        TEST(test_errors_leave_it),
    };
    size_t count = 2;
    assert(count + kernel_work_count <= LENGTH(tests));
    for (size_t i = 0; i < kernel_work_count; i++) {
        tests[count++] = (struct CMUnitTest){
            .name = kernel_works[i].name,
            .test_func = test_results_do_not_depend_on_it,
            .initial_state = (void *)(uintptr_t)&kernel_works[i],
        };
    }
    return _cmocka_run_group_tests("guarantees_environment", tests, count, NULL, NULL);
}
