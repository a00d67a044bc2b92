/* Built with -O3 -march=native, as a user would who measures. Each vector library is called with the widest vectors. */
#include "math.h"

#include <cmath>

#if __has_include(<Eigen/Core>)
#include <Eigen/Core>
#define HAVE_EIGEN 1
#endif

#if defined(__AVX512F__)
#include <immintrin.h>
#if __has_include(<sleef.h>)
#include <sleef.h>
#define HAVE_SLEEF 1
#endif
#if defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 35)
#define HAVE_LIBMVEC 1
extern "C" {
__m512 _ZGVeN16v_expf(__m512);
__m512 _ZGVeN16v_expm1f(__m512);
__m512 _ZGVeN16v_logf(__m512);
__m512 _ZGVeN16v_sinf(__m512);
__m512 _ZGVeN16v_cosf(__m512);
}
#endif
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

/* Lambdas, not templates over the functions: SLEEF's attributes keep them from being template arguments. */
#define VECTORS(function)                                                                                              \
    [](const float *x, float *y, size_t count) {                                                                       \
        for (size_t i = 0; i < count; i += 16) {                                                                       \
            _mm512_storeu_ps(y + i, function(_mm512_loadu_ps(x + i)));                                                 \
        }                                                                                                              \
    }
#define PAIRS(function)                                                                                                \
    [](const float *x, float *sin, float *cos, size_t count) {                                                         \
        for (size_t i = 0; i < count; i += 16) {                                                                       \
            auto both = function(_mm512_loadu_ps(x + i));                                                              \
            _mm512_storeu_ps(sin + i, both.x);                                                                         \
            _mm512_storeu_ps(cos + i, both.y);                                                                         \
        }                                                                                                              \
    }

#if HAVE_LIBMVEC
void libmvec_sincos(const float *x, float *sin, float *cos, size_t count)
{
    for (size_t i = 0; i < count; i += 16) { /* its own sincosf scatters through vectors of pointers, and is slower */
        __m512 angle = _mm512_loadu_ps(x + i);
        _mm512_storeu_ps(sin + i, _ZGVeN16v_sinf(angle));
        _mm512_storeu_ps(cos + i, _ZGVeN16v_cosf(angle));
    }
}
#endif

#if HAVE_EIGEN
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
#if HAVE_SLEEF
    peers.push_back({"sleef-u10",
                     {VECTORS(Sleef_expf16_u10), VECTORS(Sleef_expm1f16_u10), VECTORS(Sleef_logf16_u10),
                      VECTORS(Sleef_sinf16_u10), VECTORS(Sleef_cosf16_u10)},
                     PAIRS(Sleef_sincosf16_u10)});
    peers.push_back(
        {"sleef-u35",
         {nullptr, nullptr, VECTORS(Sleef_logf16_u35), VECTORS(Sleef_sinf16_u35), VECTORS(Sleef_cosf16_u35)},
         PAIRS(Sleef_sincosf16_u35)});
    /* The forms that give the same bits everywhere: cinz without, finz with fused operations. */
    peers.push_back({"sleef-cinz-u10",
                     {VECTORS(Sleef_cinz_expf16_u10avx512fnofma), VECTORS(Sleef_cinz_expm1f16_u10avx512fnofma),
                      VECTORS(Sleef_cinz_logf16_u10avx512fnofma), VECTORS(Sleef_cinz_sinf16_u10avx512fnofma),
                      VECTORS(Sleef_cinz_cosf16_u10avx512fnofma)},
                     PAIRS(Sleef_cinz_sincosf16_u10avx512fnofma)});
    peers.push_back({"sleef-finz-u10",
                     {VECTORS(Sleef_finz_expf16_u10avx512f), VECTORS(Sleef_finz_expm1f16_u10avx512f),
                      VECTORS(Sleef_finz_logf16_u10avx512f), VECTORS(Sleef_finz_sinf16_u10avx512f),
                      VECTORS(Sleef_finz_cosf16_u10avx512f)},
                     PAIRS(Sleef_finz_sincosf16_u10avx512f)});
    peers.push_back({"sleef-cinz-u35",
                     {nullptr, nullptr, VECTORS(Sleef_cinz_logf16_u35avx512fnofma),
                      VECTORS(Sleef_cinz_sinf16_u35avx512fnofma), VECTORS(Sleef_cinz_cosf16_u35avx512fnofma)},
                     PAIRS(Sleef_cinz_sincosf16_u35avx512fnofma)});
    peers.push_back({"sleef-finz-u35",
                     {nullptr, nullptr, VECTORS(Sleef_finz_logf16_u35avx512f), VECTORS(Sleef_finz_sinf16_u35avx512f),
                      VECTORS(Sleef_finz_cosf16_u35avx512f)},
                     PAIRS(Sleef_finz_sincosf16_u35avx512f)});
#endif
#if HAVE_LIBMVEC
    peers.push_back({"libmvec",
                     {VECTORS(_ZGVeN16v_expf), VECTORS(_ZGVeN16v_expm1f), VECTORS(_ZGVeN16v_logf),
                      VECTORS(_ZGVeN16v_sinf), VECTORS(_ZGVeN16v_cosf)},
                     libmvec_sincos});
#endif
#if HAVE_EIGEN
    peers.push_back(
        {"eigen", {EIGEN_MAP(exp), EIGEN_MAP(expm1), EIGEN_MAP(log), EIGEN_MAP(sin), EIGEN_MAP(cos)}, eigen_sincos});
#endif
    return peers;
}
