/* The implementation of work.h: words, hashes, and the entries; work_parts.h has what the kernels' files share. */
#include "support/work_parts.h"

#include <stdlib.h>
#include <string.h>

work work_new(void)
{
    work answers = {malloc(WORK_WORDS_MAX * sizeof(uint32_t)), 0};
    check(answers.words, !=, NULL);
    return answers;
}

void work_free(work *answers)
{
    free(answers->words);
    *answers = (work){0};
}

void write_word(work *answers, uint32_t word)
{
    if (answers->count == WORK_WORDS_MAX) {
        abort();
    }
    answers->words[answers->count++] = word;
}

void write_floats(work *answers, const float *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = float_bits(x[i]);
        write_word(answers, (bits & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : bits);
    }
}

void check_work(check_place place, const work *got, const work *wanted)
{
    const size_t shorter = got->count < wanted->count ? got->count : wanted->count;
    for (size_t i = 0; i < shorter; i++) {
        if (got->words[i] != wanted->words[i]) {
            check_fail(place, "word %zu of %zu: got %#x, wanted %#x", i, shorter, (unsigned)got->words[i],
                       (unsigned)wanted->words[i]);
        }
    }
    if (got->count != wanted->count) {
        check_fail(place, "got %zu words, wanted %zu", got->count, wanted->count);
    }
}

uint64_t work_hash(const work *answers)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < answers->count; i++) {
        for (int shift = 0; shift < 32; shift += 8) {
            hash = (hash ^ (answers->words[i] >> shift & 0xff)) * 0x100000001b3;
        }
    }
    return hash;
}

const uint64_t *work_hashes_wanted(const kernel_work *kernel)
{
    static const struct {
        const char *name;
        uint64_t hashes[2];
    } wanted[] = {
#define HASH(kernel, portable, fused) {#kernel, {portable, fused}},
#include "data/result_hashes.inc"
#undef HASH
        {NULL, {0, 0}},
    };
    size_t row = 0;
    while (wanted[row].name != NULL && strcmp(wanted[row].name, kernel->name) != 0) {
        row++;
    }
    return wanted[row].hashes;
}

#define ENTRY(member, plain, parameters, arguments) {#member, inputs_of_##member, run_##member},
const kernel_work kernel_works[] = {GYRE_KERNELS(ENTRY)};
const size_t kernel_work_count = LENGTH(kernel_works);
