/* Built with -O3 -march=native. Each vector library is called with the widest vectors. */
#include "math/peers.h"

#include <cmath>

#ifdef HAVE_EIGEN
#include <Eigen/Core>
#endif

/* The widest vectors of this CPU, their names in SLEEF and libmvec, and SLEEF's variants that give the same bits
   everywhere: cinz without, finz with fused operations. */
#if defined(__AVX512F__)
#include <immintrin.h>
#define LANES 16
#define LOAD _mm512_loadu_ps
#define STORE _mm512_storeu_ps
#define SLEEF(function, accuracy) Sleef_##function##f16_##accuracy
#define SLEEF_CINZ(function, accuracy) Sleef_cinz_##function##f16_##accuracy##avx512fnofma
#define SLEEF_FINZ(function, accuracy) Sleef_finz_##function##f16_##accuracy##avx512f
#define LIBMVEC(function) _ZGVeN16v_##function
using Vector = __m512;
#elif defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#define LANES 8
#define LOAD _mm256_loadu_ps
#define STORE _mm256_storeu_ps
#define SLEEF(function, accuracy) Sleef_##function##f8_##accuracy
#define SLEEF_CINZ(function, accuracy) Sleef_cinz_##function##f8_##accuracy##avx
#define SLEEF_FINZ(function, accuracy) Sleef_finz_##function##f8_##accuracy##avx2
#define LIBMVEC(function) _ZGVdN8v_##function
using Vector = __m256;
#elif defined(__SSE2__)
#include <immintrin.h>
#define LANES 4
#define LOAD _mm_loadu_ps
#define STORE _mm_storeu_ps
#define SLEEF(function, accuracy) Sleef_##function##f4_##accuracy
#define SLEEF_CINZ(function, accuracy) Sleef_cinz_##function##f4_##accuracy##sse2
#define LIBMVEC(function) _ZGVbN4v_##function
using Vector = __m128;
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#define LANES 4
#define LOAD vld1q_f32
#define STORE vst1q_f32
#define SLEEF(function, accuracy) Sleef_##function##f4_##accuracy
#define SLEEF_CINZ(function, accuracy) Sleef_cinz_##function##f4_##accuracy##advsimdnofma
#define SLEEF_FINZ(function, accuracy) Sleef_finz_##function##f4_##accuracy##advsimd
using Vector = float32x4_t;
#endif

#if defined(LANES) && defined(HAVE_SLEEF)
#include <sleef.h>
#define WITH_SLEEF
#endif

#if defined(LIBMVEC) && defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 35)
#define WITH_LIBMVEC
extern "C" {
Vector LIBMVEC(expf)(Vector);
Vector LIBMVEC(expm1f)(Vector);
Vector LIBMVEC(logf)(Vector);
Vector LIBMVEC(sinf)(Vector);
Vector LIBMVEC(cosf)(Vector);
}
#endif
#endif

namespace
{

template <float (*function)(float)> void scalar(const float *x, float *y, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        y[i] = function(x[i]);
    }
}

void scalar_sincos(const float *x, float *sin, float *cos, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        ::sincosf(x[i], &sin[i], &cos[i]);
    }
}

/* Lambdas rather than templates over the functions, because SLEEF's attributes prevent their use as template
   arguments. */
#define VECTORS(function)                                                                                              \
    [](const float *x, float *y, size_t count) {                                                                       \
        for (size_t i = 0; i < count; i += LANES) {                                                                    \
            STORE(y + i, function(LOAD(x + i)));                                                                       \
        }                                                                                                              \
    }
#define PAIRS(function)                                                                                                \
    [](const float *x, float *sin, float *cos, size_t count) {                                                         \
        for (size_t i = 0; i < count; i += LANES) {                                                                    \
            auto both = function(LOAD(x + i));                                                                         \
            STORE(sin + i, both.x);                                                                                    \
            STORE(cos + i, both.y);                                                                                    \
        }                                                                                                              \
    }

#ifdef WITH_LIBMVEC
void libmvec_sincos(const float *x, float *sin, float *cos, size_t count)
{
    /* its own sincosf scatters through vectors of pointers, and is slower */
    for (size_t i = 0; i < count; i += LANES) {
        const Vector angle = LOAD(x + i);
        STORE(sin + i, LIBMVEC(sinf)(angle));
        STORE(cos + i, LIBMVEC(cosf)(angle));
    }
}
#endif

#ifdef HAVE_EIGEN
using Floats = Eigen::ArrayXf;
#define EIGEN_MAP(function)                                                                                            \
    [](const float *x, float *y, size_t count) {                                                                       \
        auto n = static_cast<Eigen::Index>(count);                                                                     \
        Eigen::Map<Floats>(y, n) = Eigen::Map<const Floats>(x, n).function();                                          \
    }

void eigen_sincos(const float *x, float *sin, float *cos, size_t count)
{
    auto n = static_cast<Eigen::Index>(count);
    Eigen::Map<Floats>(sin, n) = Eigen::Map<const Floats>(x, n).sin();
    Eigen::Map<Floats>(cos, n) = Eigen::Map<const Floats>(x, n).cos();
}
#endif

} // namespace

std::vector<MathPeer> math_peers()
{
    std::vector<MathPeer> peers = {
        {"libm", {scalar<::expf>, scalar<::expm1f>, scalar<::logf>, scalar<::sinf>, scalar<::cosf>}, scalar_sincos},
    };
#ifdef WITH_SLEEF
#define SLEEF_PEERS(name, forms)                                                                                       \
    peers.push_back({name "u10",                                                                                       \
                     {VECTORS(forms(exp, u10)), VECTORS(forms(expm1, u10)), VECTORS(forms(log, u10)),                  \
                      VECTORS(forms(sin, u10)), VECTORS(forms(cos, u10))},                                             \
                     PAIRS(forms(sincos, u10))});                                                                      \
    peers.push_back({name "u35",                                                                                       \
                     {nullptr, nullptr, VECTORS(forms(log, u35)), VECTORS(forms(sin, u35)), VECTORS(forms(cos, u35))}, \
                     PAIRS(forms(sincos, u35))})
    SLEEF_PEERS("sleef-", SLEEF);
    SLEEF_PEERS("sleef-cinz-", SLEEF_CINZ);
#ifdef SLEEF_FINZ
    SLEEF_PEERS("sleef-finz-", SLEEF_FINZ);
#endif
#endif
#ifdef WITH_LIBMVEC
    peers.push_back({"libmvec",
                     {VECTORS(LIBMVEC(expf)), VECTORS(LIBMVEC(expm1f)), VECTORS(LIBMVEC(logf)), VECTORS(LIBMVEC(sinf)),
                      VECTORS(LIBMVEC(cosf))},
                     libmvec_sincos});
#endif
#ifdef HAVE_EIGEN
    peers.push_back(
        {"eigen", {EIGEN_MAP(exp), EIGEN_MAP(expm1), EIGEN_MAP(log), EIGEN_MAP(sin), EIGEN_MAP(cos)}, eigen_sincos});
#endif
    return peers;
}
