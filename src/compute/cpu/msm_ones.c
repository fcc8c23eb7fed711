/* Listing ones; see the header. */
#include "compute/cpu/msm_ones.h"

void cuzk_ones_rank(cuzk_ones *ones)
{
    uint32_t sum = 0;
    ones->before[0] = 0;
    for (size_t i = 1; i <= ones->regions; i++)
        ones->before[i] = sum += ones->before[i];
}

/* The region that has the one number `at`. */
static size_t region_of(const cuzk_ones *ones, size_t at)
{
    size_t low = 0, high = ones->regions;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (ones->before[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void cuzk_ones_list(const cuzk_ones *ones, size_t from, size_t n, cuzk_ref *ref)
{
    if (n == 0)
        return;
    const size_t region = region_of(ones, from);
    size_t word = region * CUZK_MSM_REGION_WORDS, skip = from - ones->before[region];
    uint64_t left = ones->one[word];
    for (size_t here; skip >= (here = (size_t)__builtin_popcountll(left)); skip -= here)
        left = ones->one[++word];
    for (; skip > 0; skip--)
        left &= left - 1;
    for (size_t i = 0; i < n; i++, left &= left - 1) {
        while (left == 0)
            left = ones->one[++word];
        const unsigned bit = (unsigned)__builtin_ctzll(left);
        ref[i] = (cuzk_ref)(64 * word + bit) << 1 | (cuzk_ref)(ones->minus[word] >> bit & 1);
    }
}
