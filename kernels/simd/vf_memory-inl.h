/* The operations of simd/vf-inl.h that cross lanes or access memory in parts; it includes this file. Tails, indices,
   rows of tables, and the lanes of a vector. One lane needs none of it. */
#ifndef GYRE_SIMD_VF_MEMORY_H
#define GYRE_SIMD_VF_MEMORY_H

/* With a mask where available, because a vector that was just stored in parts is slow to load as a whole. AVX2's masked
   stores are slow. */
VF_INLINE vf vf_load_n(const float *p, size_t n)
{
    if (n == VF_LANES) {
        return vf_load(p);
    }
#if GYRE_LANES == 16
    return _mm512_maskz_loadu_ps(vm_first(n), p);
#elif GYRE_LANES == 8
    return simde_mm256_maskload_ps(p, simde_mm256_castps_si256(vm_first(n)));
#else
    float padded[GYRE_LANES] = {0};
    memcpy(padded, p, n * sizeof *p);
    return vf_load(padded);
#endif
}

VF_INLINE void vf_store_n(float *p, vf a, size_t n)
{
    if (n == VF_LANES) {
        vf_store(p, a);
        return;
    }
#if GYRE_LANES == 16
    _mm512_mask_storeu_ps(p, vm_first(n), a);
#else
    float padded[GYRE_LANES];
    vf_store(padded, a);
    memcpy(p, padded, n * sizeof *p);
#endif
}

/* True where a byte is not 0; false beyond the n bytes. */
VF_INLINE vm vm_load_bytes_n(const uint8_t *p, size_t n)
{
    if (n == VF_LANES) {
        return vm_load_bytes(p);
    }
    uint8_t padded[GYRE_LANES] = {0};
    memcpy(padded, p, n);
    return vm_load_bytes(padded);
}

VF_INLINE void vm_store_bytes_n(uint8_t *p, vm m, size_t n)
{
    if (n == VF_LANES) {
        vm_store_bytes(p, m);
        return;
    }
    uint8_t padded[GYRE_LANES];
    vm_store_bytes(padded, m);
    memcpy(p, padded, n);
}

/* Bit k is set where a[k] and b[k] differ, for k < VF_CHUNK. */
VF_INLINE uint64_t vi_differ_u16(const uint16_t *a, const uint16_t *b) { return ~vi_equal_u16(a, b); }

/* The bits of pairs k..k+n-1. */
VF_INLINE uint64_t vi_bits_of(uint64_t bits, size_t k, size_t n) { return bits & UINT64_MAX >> (VF_CHUNK - n) << k; }

/* Within each group of four lanes: lane c of column[k] is lane k of row[c]. */
VF_INLINE void vf_transpose4(const vf row[4], vf column[4])
{
    vf low01 = vf_zip_low(row[0], row[1]), low23 = vf_zip_low(row[2], row[3]);
    vf high01 = vf_zip_high(row[0], row[1]), high23 = vf_zip_high(row[2], row[3]);
    column[0] = vf_join_low(low01, low23);
    column[1] = vf_join_high(low01, low23);
    column[2] = vf_join_low(high01, high23);
    column[3] = vf_join_high(high01, high23);
}

/* Lane i of column[c] is table[stride * which[i] + c]. Loading whole rows and transposing them is twice as fast as
   gathering each column (Zen 3). */
VF_INLINE void vf_load_rows4(const float *table, size_t stride, const uint16_t *which, vf column[4])
{
    const vf row[4] = {vf_row4(table, stride, which, 0), vf_row4(table, stride, which, 1),
                       vf_row4(table, stride, which, 2), vf_row4(table, stride, which, 3)};
    vf_transpose4(row, column);
}

/* The first four numbers of each of at most VF_TABLE_ROWS rows, `stride` apart, for repeated look-ups. With AVX-512 its
   columns are in registers, 16 rows in each. The result for an index beyond the table is unspecified. */
#if GYRE_LANES == 16
#define VF_TABLE_ROWS 64
typedef struct vf_table4 {
    vf column[4][VF_TABLE_ROWS / 16];
} vf_table4;

VF_INLINE void vf_table4_load(vf_table4 *t, const float *rows, size_t stride, size_t count)
{
    for (size_t part = 0; part < VF_TABLE_ROWS / 16; part++) {
        uint16_t which[16];
        for (size_t k = 0; k < 16; k++) {
            which[k] = (uint16_t)(16 * part + k < count ? 16 * part + k : 0);
        }
        vf column[4];
        vf_load_rows4(rows, stride, which, column);
        for (size_t c = 0; c < 4; c++) {
            t->column[c][part] = column[c];
        }
    }
}

VF_INLINE void vf_table4_rows(const vf_table4 *t, const uint16_t *which, vf column[4])
{
    const vi index = vi_load_u16(which);
    const vm upper = _mm512_test_epi32_mask(index, vi_set1(32));
    for (size_t c = 0; c < 4; c++) {
        const vf *own = t->column[c];
        column[c] = vf_select(upper, _mm512_permutex2var_ps(own[2], index, own[3]),
                              _mm512_permutex2var_ps(own[0], index, own[1]));
    }
}
#else
#define VF_TABLE_ROWS 0 /* tables are never used */
typedef struct vf_table4 {
    const float *rows;
    size_t stride;
} vf_table4;

VF_INLINE void vf_table4_load(vf_table4 *t, const float *rows, size_t stride, size_t count)
{
    (void)count;
    t->rows = rows;
    t->stride = stride;
}

VF_INLINE void vf_table4_rows(const vf_table4 *t, const uint16_t *which, vf column[4])
{
    vf_load_rows4(t->rows, t->stride, which, column);
}
#endif

/* Stores the twelve floats of lane i at p + i stride (in bytes), for the first n lanes. A piece is four lanes of a
   vector: vf_store_pieces8 stores each piece of a followed by that of b, vf_store_pieces4 the pieces of one vector at
   an offset; vf_store_pieces_n the first n floats of each piece. */
VF_INLINE void vf_store_rows12_n(float *p, size_t stride, const vf column[12], size_t n)
{
    float spare[GYRE_LANES][12], *at[4][GYRE_LANES / 4]; /* for lanes from n on; where lane k + 4 piece goes */
    for (size_t lane = 0; lane < VF_LANES; lane++) {
        at[lane % 4][lane / 4] = lane < n ? (float *)(void *)((char *)p + lane * stride) : spare[lane];
    }
    const bool whole_rows = GYRE_LANES > 4; /* consecutive stores to a cache line are faster, but need registers */
    vf first[4], second[4], third[4];
    vf_transpose4(column, first);
    vf_transpose4(column + 4, second);
    if (whole_rows) {
        vf_transpose4(column + 8, third);
    }
    for (size_t k = 0; k < 4; k++) {
        vf_store_pieces8(at[k], first[k], second[k]);
        if (whole_rows) {
            vf_store_pieces4(at[k], 8, third[k]);
        }
    }
    if (!whole_rows) {
        vf_transpose4(column + 8, third);
        for (size_t k = 0; k < 4; k++) {
            vf_store_pieces4(at[k], 8, third[k]);
        }
    }
}

/* The number of true lanes. */
VF_INLINE unsigned vm_count(vm m)
{
    unsigned bits = vm_bits(m);
    bits -= bits >> 1 & 0x5555;
    bits = (bits & 0x3333) + (bits >> 2 & 0x3333);
    bits = (bits + (bits >> 4)) & 0x0f0f;
    return (bits + (bits >> 8)) & 0x1f;
}

/* The largest lane, if no lane is NaN. */
VF_INLINE float vf_largest_lane(vf a)
{
    float lanes[GYRE_LANES];
    vf_store(lanes, a);
    float largest = lanes[0];
    for (size_t k = 1; k < VF_LANES; k++) {
        largest = lanes[k] > largest ? lanes[k] : largest;
    }
    return largest;
}

/* The value of lane 0, for functions of one element. */
VF_INLINE float vf_lane_0(vf a)
{
    float lanes[GYRE_LANES];
    vf_store(lanes, a);
    return lanes[0];
}

#endif
