/* Parameters of a bone from those of a spring and of VRM (chain/README.md), in double, so that rounding to float is
   nearly all of the error. */
#include "common/checks.h"
#include "list.h"
#include "scalar/elementary.h"
#include "spring/coefficients.h"

/* The members of a bone that say how it moves, still in double. */
typedef struct bone_motion {
    double stiffness, damping, drag, load_damping;
} bone_motion;

static gyre_status write_motion(bone_motion motion, gyre_bone *bone)
{
    const float stiffness = (float)motion.stiffness, damping = (float)motion.damping, drag = (float)motion.drag,
                load_damping = (float)motion.load_damping;
    if (!are_finite(stiffness, damping, drag, load_damping)) {
        return GYRE_ERROR_RANGE;
    }
    bone->stiffness = stiffness;
    bone->damping = damping;
    bone->drag = drag;
    bone->load_damping = load_damping;
    return GYRE_OK;
}

gyre_status gyre_scalar_bone_from_spring(gyre_spring spring, gyre_bone *bone)
{
    if (bone == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_valid_spring(spring)) {
        return GYRE_ERROR_VALUE;
    }
    const double w = spring.angular_frequency, damping = 2 * (double)spring.damping_ratio * w;
    return write_motion((bone_motion){w * w, damping, (1 - (double)spring.follow) * damping, 0}, bone);
}

/* What a bone of VRM does in a step at `rate`, as rates per second: z^2 - S z + P = 0 with P = s (1 - d), S = s (2 - d)
   and s = 1 / (1 + x), x = force / (length rate). */
typedef struct vrm_rates {
    double twice_a; /* minus the logarithm of the product of both roots */
    double square;  /* the product of the logarithms: w^2 */
} vrm_rates;

/* x above 0. Nothing cancels: 1 - S + P is 1 - s, and the discriminant is s (s d^2 - 4 (1 - d) (1 - s)). */
static vrm_rates vrm_rates_of(double x, double d, double rate)
{
    const double s = 1 / (1 + x), less = x / (1 + x), twice_a = scalar_log1p(x) - scalar_log1p(-d);
    const double disc = s * (s * d * d - 4 * (1 - d) * less), root = double_square_root(scalar_abs(disc));
    vrm_rates rates = {.twice_a = rate * twice_a};
    if (disc < 0) {
        const double a = 0.5 * twice_a, phase = scalar_angle(s * (2 - d), root);
        rates.square = rate * rate * (a * a + phase * phase);
    } else {
        const double fast = 0.5 * (2 * less + s * d + root), slow = less / fast; /* 1 - z */
        rates.square = rate * rate * scalar_log1p(-fast) * scalar_log1p(-slow);
    }
    return rates;
}

/* Fitted to VRM by hand: how much of its step's damping under load is kept, and how much more damping makes its gain
   from head to tail fall as fast. tools/coefficients/vrm_fit.txt has other fits. */
#define VRM_LOAD_DAMPING 0.8
#define VRM_MORE_DAMPING 0.15

gyre_status gyre_scalar_bone_from_vrm(float stiffness, float drag_force, float gravity_power, float length, float rate,
                                      gyre_bone *bone)
{
    if (bone == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite_not_negative(stiffness) || !(drag_force >= 0 && drag_force <= 1) ||
        !is_finite_not_negative(gravity_power) || !is_finite_positive(length) || !is_finite_positive(rate)) {
        return GYRE_ERROR_VALUE;
    }
    const double k = stiffness, g = gravity_power, d = drag_force < 0.999f ? drag_force : 0.999, f0 = rate;
    const double force = double_square_root(k * k + g * g), kappa = force / length;
    const double more = 1 + VRM_MORE_DAMPING * (1 - d);
    double sigma, w2 = 0, damping; /* VRM's units of force, w^2 and 2 a */
    if (kappa > 0) {
        const vrm_rates rates = vrm_rates_of(kappa / f0, d, f0);
        w2 = rates.square;
        damping = more * rates.twice_a;
        sigma = w2 / kappa;
    } else { /* the limits */
        const double twice_a = 0 - f0 * scalar_log1p(-d);
        damping = more * twice_a;
        sigma = d > 0 ? twice_a / d : f0;
    }
    bone_motion motion = {.stiffness = sigma * k / length, .drag = sigma * d, .load_damping = VRM_LOAD_DAMPING / sigma};
    const double load = kappa > 0 ? w2 * (g / force) * (g / (force + k)) : 0; /* w^2 - stiffness */
    motion.damping = damping - motion.load_damping * load;
    if (motion.damping < motion.drag) { /* the loaded bone keeps its damping */
        motion.damping = motion.drag;
        motion.load_damping = load > 0 && damping > motion.drag ? (damping - motion.drag) / load : 0;
    }
    const float gravity = (float)(sigma * g);
    if (!is_finite(gravity)) {
        return GYRE_ERROR_RANGE;
    }
    const gyre_status status = write_motion(motion, bone);
    if (status == GYRE_OK) {
        bone->gravity = gravity;
    }
    return status;
}
