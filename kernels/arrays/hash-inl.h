/* gyre_hash and gyre_hash_bytes: sums of mixed words, one for each float or byte. arrays/README.md derives them. */
#ifndef GYRE_ARRAYS_HASH_H
#define GYRE_ARRAYS_HASH_H

#include "common/kernel-inl.h"
#include "simd/vw-inl.h"

/* Digits of the square roots of 3, 2, 7 and 47; the last one is changed where a factor must be odd or even. */
#define HASH_PER_ELEMENT UINT64_C(0xbb67ae8584caa73b)
#define HASH_PER_COMPONENT UINT64_C(0x6a09e667f3bcc909)
#define HASH_OF_BITS 0xa54ff53b /* odd */
#define HASH_ROUND 0xdb0c2e0e   /* even: z + (z mod 2^32) k is then a bijection */

/* The word of 32 bits. `place` is different for every element and component. The first line is injective in the bits,
   the others are bijections: two values at one place never have the same word. */
VF_INLINE vw hash_word(vw bits, vw place)
{
    vw z = vw_mul_add_low(bits, vw_set1(HASH_OF_BITS), place);
    z = vw_xor(z, vw_high(z));
    z = vw_mul_add_low(z, vw_set1(HASH_ROUND), z);
    z = vw_swap(z);
    return vw_mul_add_low(z, vw_add(z, z), z); /* the low half a becomes a (2 a + 1) */
}

/* Words of a vector: of lanes 0, 2, 4 ... and of lanes 1, 3, 5 ... */
typedef struct hash_words {
    vw even, odd;
} hash_words;

VF_INLINE hash_words hash_words_add(hash_words a, hash_words b)
{
    return (hash_words){vw_add(a.even, b.even), vw_add(a.odd, b.odd)};
}

/* Places of the even lanes, where lane 0 is at `first` and each lane is `per_lane` after the one before. */
VF_INLINE vw hash_places(uint64_t first, uint64_t per_lane)
{
    uint64_t places[VW_LANES];
    for (size_t k = 0; k < VW_LANES; k++) {
        places[k] = first + 2 * k * per_lane;
    }
    return vw_load(places);
}

/* `place` is that of the even lanes. */
VF_INLINE hash_words hash_lanes(vi bits, vw place, uint64_t per_lane)
{
    return (hash_words){hash_word(vw_even(bits), place), hash_word(vw_odd(bits), vw_add(place, vw_set1(per_lane)))};
}

VF_INLINE hash_words hash_floats(vf x, vw place)
{
    const vf one_nan = vf_select(vf_eq(x, x), x, vf_from_bits(vi_set1(0x7fc00000)));
    return hash_lanes(vf_bits(one_nan), place, HASH_PER_ELEMENT);
}

/* The sum over the first n lanes. */
VF_INLINE uint64_t hash_sum_n(hash_words words, size_t n)
{
    uint64_t word[2][VW_LANES], sum = 0;
    vw_store(word[0], words.even);
    vw_store(word[1], words.odd);
    for (size_t lane = 0; lane < n; lane++) {
        sum += word[lane % 2][lane / 2];
    }
    return sum;
}

VF_INLINE uint64_t hash_component(const float *x, uint64_t place, size_t begin, size_t end)
{
    const vw step = vw_set1(VF_LANES * HASH_PER_ELEMENT);
    hash_words sum = {vw_set1(0), vw_set1(0)};
    vw at = hash_places(place + begin * HASH_PER_ELEMENT, HASH_PER_ELEMENT);
    const size_t prefetch_end = vf_prefetch_end(begin, end, end);
    size_t i = begin;
    for (; end - i >= VF_LANES; i += VF_LANES) {
        if (i < prefetch_end) {
            __builtin_prefetch(x + i + VF_PREFETCH_DISTANCE);
        }
        sum = hash_words_add(sum, hash_floats(vf_load(x + i), at));
        at = vw_add(at, step);
    }
    const size_t n = end - i;
    return hash_sum_n(sum, VF_LANES) + (n > 0 ? hash_sum_n(hash_floats(vf_load_n(x + i, n), at), n) : 0);
}

GYRE_KERNEL_FUNCTION gyre_status hash(float *const arrays[], size_t components, uint64_t *out, size_t begin, size_t end)
{
    if (begin > end) {
        return GYRE_ERROR_RANGE;
    }
    if (out == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (begin < end && !none_is_null(arrays, components)) {
        return GYRE_ERROR_NULL;
    }
    uint64_t sum = 0;
    for (size_t c = 0; begin < end && c < components; c++) {
        sum += hash_component(arrays[c], (c + 1) * HASH_PER_COMPONENT, begin, end);
    }
    *out = sum;
    return GYRE_OK;
}

/* ---- Bytes ---- */

/* A vector has this many bytes, four in a lane: byte k of lane l is element 4 l + k. */
enum { HASH_BYTES = 4 * GYRE_LANES };

/* Byte k of each lane; k is a constant. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define HASH_BYTE(four, k) vi_and(vi_sar(four, 24 - 8 * (k)), vi_set1(0xff))
#else
#define HASH_BYTE(four, k) vi_and(vi_sar(four, 8 * (k)), vi_set1(0xff))
#endif

/* The words of byte k; `place` is that of byte 0 in the even lanes. Bytes belong to component -1, so no float has their
   place. */
#define HASH_OF_BYTE(four, k, place)                                                                                   \
    hash_lanes(HASH_BYTE(four, k), vw_add(place, vw_set1(k * HASH_PER_ELEMENT)), 4 * HASH_PER_ELEMENT)

VF_INLINE uint64_t hash_some_bytes(const uint8_t *bytes, size_t begin, size_t end)
{
    const vw step = vw_set1(HASH_BYTES * HASH_PER_ELEMENT);
    hash_words sum = {vw_set1(0), vw_set1(0)};
    vw at = hash_places(begin * HASH_PER_ELEMENT, 4 * HASH_PER_ELEMENT);
    vi four;
    size_t i = begin;
    for (; end - i >= HASH_BYTES; i += HASH_BYTES) {
        memcpy(&four, bytes + i, sizeof four);
        sum = hash_words_add(sum, hash_words_add(HASH_OF_BYTE(four, 0, at), HASH_OF_BYTE(four, 1, at)));
        sum = hash_words_add(sum, hash_words_add(HASH_OF_BYTE(four, 2, at), HASH_OF_BYTE(four, 3, at)));
        at = vw_add(at, step);
    }
    const uint64_t whole = hash_sum_n(sum, VF_LANES);
    const size_t n = end - i;
    if (n == 0) {
        return whole;
    }
    uint8_t padded[HASH_BYTES] = {0};
    memcpy(padded, bytes + i, n);
    memcpy(&four, padded, sizeof four);
    /* for each byte, the number of lanes that contain it */
    return whole + hash_sum_n(HASH_OF_BYTE(four, 0, at), (n + 3) / 4) +
           hash_sum_n(HASH_OF_BYTE(four, 1, at), (n + 2) / 4) + hash_sum_n(HASH_OF_BYTE(four, 2, at), (n + 1) / 4) +
           hash_sum_n(HASH_OF_BYTE(four, 3, at), n / 4);
}

GYRE_KERNEL_FUNCTION gyre_status hash_bytes(const uint8_t *bytes, uint64_t *out, size_t begin, size_t end)
{
    if (begin > end) {
        return GYRE_ERROR_RANGE;
    }
    if (out == NULL || (begin < end && bytes == NULL)) {
        return GYRE_ERROR_NULL;
    }
    *out = hash_some_bytes(bytes, begin, end);
    return GYRE_OK;
}

#endif
