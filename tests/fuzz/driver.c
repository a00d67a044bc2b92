/* A fuzz target as a test: a fixed number of pseudo-random inputs, the same ones everywhere.

   usage: fuzz_... COUNT */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* SplitMix64. */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

int main(int argc, char **argv)
{
    const char *wanted = getenv("GYRE_TEST_EFFORT");
    unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    count /= wanted != NULL && strcmp(wanted, "small") == 0 ? 50 : 1;
    uint64_t state = 1;
    static uint8_t bytes[1024];
    for (unsigned long i = 0; i < count; i++) {
        size_t size = next(&state) % sizeof bytes;
        for (size_t k = 0; k < sizeof bytes; k += 8) {
            uint64_t eight = next(&state);
            memcpy(bytes + k, &eight, sizeof eight);
        }
        LLVMFuzzerTestOneInput(bytes, size);
    }
    printf("1..1\nok 1 - %lu inputs\n", count);
    return 0;
}
