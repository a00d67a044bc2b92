/* The matrix of each spring from its frequency and ratio, as a careful user would write it with SLEEF: the same three
   regimes in whole vectors, skipping branches that no lane needs. Vectors are as wide as this machine's. */
#include "spring/peers.h"

#include <sleef.h>

#if defined(__AVX512F__)
#define GYRE_LANES 16
#define GYRE_FUSED 1
#elif defined(__AVX2__) && defined(__FMA__)
#define GYRE_LANES 8
#define GYRE_FUSED 1
#else
#define GYRE_LANES 4
#define GYRE_FUSED 0
#if defined(__aarch64__)
#define GYRE_PLAIN_C
#endif
#endif
#include "simd/vf-inl.h"

#if GYRE_LANES == 16
static vf sleef_exp(vf x) { return Sleef_expf16_u10(x); }
static void sleef_sincos(vf x, vf *sine, vf *cosine)
{
    Sleef___m512_2 both = Sleef_sincosf16_u10(x);
    *sine = both.x, *cosine = both.y;
}
#elif GYRE_LANES == 8
static vf sleef_exp(vf x) { return Sleef_expf8_u10(x); }
static void sleef_sincos(vf x, vf *sine, vf *cosine)
{
    Sleef___m256_2 both = Sleef_sincosf8_u10(x);
    *sine = both.x, *cosine = both.y;
}
#else
static vf sleef_exp(vf x) { return Sleef_expf4_u10(x); }
static void sleef_sincos(vf x, vf *sine, vf *cosine)
{
#if defined(__x86_64__)
    Sleef___m128_2 both = Sleef_sincosf4_u10(x);
#else
    Sleef_float32x4_t_2 both = Sleef_sincosf4_u10(x);
#endif
    *sine = both.x, *cosine = both.y;
}
#endif

static vf series(vf s, const float *coefficients, int count)
{
    vf sum = vf_set1(coefficients[0]);
    for (int k = 1; k < count; k++) {
        sum = vf_mul_add(sum, s, vf_set1(coefficients[k]));
    }
    return sum;
}

void peer_each_sleef(float *position, float *velocity, const float *angular_frequency, const float *damping_ratio,
                     size_t count, float dt_s)
{
    static const float cosine_terms[] = {-1.0f / 3628800, 1.0f / 40320, -1.0f / 720, 1.0f / 24, -0.5f, 1};
    static const float sine_terms[] = {-1.0f / 39916800, 1.0f / 362880, -1.0f / 5040, 1.0f / 120, -1.0f / 6, 1};
    const vf one = vf_set1(1), half = vf_set1(0.5f), t = vf_set1(dt_s);
    for (size_t i = 0; i + VF_LANES <= count; i += VF_LANES) {
        vf w = vf_load(angular_frequency + i), z = vf_load(damping_ratio + i);
        vf wt = vf_mul(w, t), a = vf_mul(z, wt);
        vf difference = vf_mul(vf_sub(one, z), vf_add(one, z));
        vf s = vf_mul(vf_mul(wt, wt), difference);
        vf root = vf_sqrt(vf_abs(difference)), phase = vf_mul(wt, root);
        vm is_underdamped = vf_lt(one, s), is_overdamped = vf_lt(s, vf_set1(-1));
        vf slow = vf_neg(a);
        if (vm_any(is_overdamped)) {
            slow = vf_select(is_overdamped, vf_neg(vf_div(wt, vf_add(z, root))), slow);
        }
        vf e = sleef_exp(slow), c = series(s, cosine_terms, 6), sine = series(s, sine_terms, 6);
        if (vm_any(is_underdamped)) {
            vf sine_of_phase, cosine_of_phase;
            sleef_sincos(phase, &sine_of_phase, &cosine_of_phase);
            c = vf_select(is_underdamped, cosine_of_phase, c);
            sine = vf_select(is_underdamped, vf_div(sine_of_phase, phase), sine);
        }
        vf ec = vf_mul(e, c), es = vf_mul(e, sine);
        if (vm_any(is_overdamped)) {
            vf fast = sleef_exp(vf_neg(vf_mul(wt, vf_add(z, root))));
            ec = vf_select(is_overdamped, vf_mul(half, vf_add(e, fast)), ec);
            es = vf_select(is_overdamped, vf_div(vf_mul(half, vf_sub(e, fast)), phase), es);
        }
        vf x = vf_load(position + i), v = vf_load(velocity + i);
        vf pos_vel = vf_mul(t, es), vel_pos = vf_mul(w, vf_mul(wt, es));
        vf_store(position + i, vf_mul_add(vf_mul_add(a, es, ec), x, vf_mul(pos_vel, v)));
        vf_store(velocity + i, vf_neg_mul_add(vel_pos, x, vf_mul(vf_neg_mul_add(a, es, ec), v)));
    }
}
