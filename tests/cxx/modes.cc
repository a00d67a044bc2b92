/* A program of two files, one with exceptions and one without (modes_returning.cc). Each keeps its way of reporting
   errors, even where nothing is inlined and the linker keeps one copy of functions with the same name. */
#include <gyre/gyre.hpp>

#include "check.h"
#include "modes.h"

int main()
{
    const gyre_springs none = {};
    const float x[2] = {};
    float y[3] = {};
    gyre_status thrown[3] = {GYRE_OK, GYRE_OK, GYRE_OK};
    const auto store = [&](int i, auto call) {
        try {
            (void)call();
        } catch (const gyre::error &e) {
            thrown[i] = static_cast<gyre_status>(e.status());
        }
    };
    store(0, [&] { return gyre::exp(x, y); });
    store(1, [&] { return gyre::spring::from_response(-1, 1); });
    store(2, [&] { return gyre::springs(none).step({0, 1}, {1, 0, 0, 1, 0, 0, {}, {}, 0}); });
    CHECK(thrown[0] == GYRE_ERROR_RANGE && returned_by_exp(x, y) == GYRE_ERROR_RANGE);
    CHECK(thrown[1] == GYRE_ERROR_VALUE && returned_by_response(-1) == GYRE_ERROR_VALUE);
    CHECK(thrown[2] == GYRE_ERROR_RANGE && returned_by_step(none) == GYRE_ERROR_RANGE);
    CHECK(returned_by_response(1) == GYRE_OK);
    return checks_done();
}
