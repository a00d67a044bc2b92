/* First-order smoothing: the difference from the target decays by exp(-k t), k = ln 2 / half-life. The matrix makes the
   velocity 0. */
#include "common/checks.h"
#include "list.h"
#include "scalar/elementary.h"

gyre_status gyre_scalar_smoothing_matrix_at(float half_life_s, float dt_s, gyre_spring_matrix *out)
{
    if (out == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite_positive(half_life_s) || !is_finite(dt_s)) {
        return GYRE_ERROR_VALUE;
    }
    gyre_spring_matrix m = {.pos_pos = 1, .vel_vel = 1};
    if (dt_s != 0) {
        const double kt = SCALAR_LN_2 * dt_s / half_life_s, left = kt < 126 * SCALAR_LN_2 ? scalar_exp(-kt) : 0;
        const double pos_ramp = -scalar_mean_decay_of_any(kt);
        m = (gyre_spring_matrix){.pos_pos = (float)left, .pos_ramp = (float)pos_ramp};
        if (!is_finite(m.pos_pos) || !is_finite(m.pos_ramp)) {
            return GYRE_ERROR_RANGE;
        }
        m.low[0] = scalar_low_part(left, m.pos_pos);
        m.low[4] = scalar_low_part(pos_ramp, m.pos_ramp);
    }
    *out = m;
    return GYRE_OK;
}
