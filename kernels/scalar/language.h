/* The parts of the language that steps use: C for CPUs, and OpenCL C or CUDA for GPUs, which have no C library. Steps
   include standard headers only through this file. tests/build/gpu.py compiles every step for GPUs. */
#ifndef GYRE_SCALAR_LANGUAGE_H
#define GYRE_SCALAR_LANGUAGE_H

#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* GYRE_DEVICE marks each function that steps call, GYRE_CONSTANTS each table that they read. */
#if defined(__OPENCL_C_VERSION__)
#define GYRE_GPU
#define GYRE_DEVICE
#define GYRE_CONSTANTS __constant const
#elif defined(__CUDA__)
#define GYRE_GPU
#define GYRE_DEVICE __attribute__((device))
#define GYRE_CONSTANTS static __attribute__((constant)) const
#define NAN __builtin_nanf("")
#define INFINITY __builtin_inff()
#else
#define GYRE_DEVICE
#define GYRE_CONSTANTS static const
#include <math.h> /* NAN, INFINITY */
#include <string.h>
#endif

/* A number and its bits. */
typedef union float_and_bits {
    float number;
    uint32_t bits;
} float_and_bits;

typedef union double_and_bits {
    double number;
    uint64_t bits;
} double_and_bits;

GYRE_DEVICE static inline uint32_t bits_of_float(float x)
{
    float_and_bits both;
    both.number = x;
    return both.bits;
}

GYRE_DEVICE static inline float float_of_bits(uint32_t bits)
{
    float_and_bits both;
    both.bits = bits;
    return both.number;
}

GYRE_DEVICE static inline uint64_t bits_of_double(double x)
{
    double_and_bits both;
    both.number = x;
    return both.bits;
}

GYRE_DEVICE static inline double double_of_bits(uint64_t bits)
{
    double_and_bits both;
    both.bits = bits;
    return both.number;
}

#endif
