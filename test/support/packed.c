#include "support/packed.h"

#include "support/known_points.h"

#include <stdlib.h>
#include <string.h>

static void set_bit(uint64_t *words, size_t i, uint64_t value)
{
    words[i / 64] |= value << (i % 64);
}

/* Exactly as many words as the contract asks for: the sanitizers see a read beyond them. */
static void allocate(test_packed *p, size_t n, size_t head)
{
    const size_t words = (n - head + 63) / 64;
    p->is_wide = calloc(words, sizeof *p->is_wide);
    p->bits = calloc(words, sizeof *p->bits);
    p->rank = calloc(words, sizeof *p->rank);
    p->value = calloc(n + 1, sizeof *p->value);
    p->all = calloc(n + 1, sizeof *p->all);
    assert_true(p->value != NULL && p->all != NULL);
    assert_true(words == 0 || (p->is_wide != NULL && p->bits != NULL && p->rank != NULL));
}

void test_packed_make(test_packed *p, const cuzk_curve *curve, size_t n, size_t head, unsigned wide,
                      unsigned ones, test_rng *rng)
{
    size_t n_wide = 0;
    allocate(p, n, head);
    for (size_t i = 0; i < n; i++) {
        const bool is_wide = i < head || test_rng_below(rng, 64) < wide;
        uint64_t bit = test_rng_below(rng, 64) < ones;
        if (i >= head && (i - head) % 64 == 0)
            p->rank[(i - head) / 64] = (uint32_t)(n_wide - head);
        if (is_wide) {
            test_shaped_scalar(curve, &p->all[i], (unsigned)test_rng_below(rng, TEST_SHAPES), rng);
            p->value[n_wide++] = p->all[i];
            bit = test_rng_below(rng, 2);
        } else {
            test_small_scalar(&p->all[i], bit);
        }
        if (i >= head) {
            set_bit(p->is_wide, i - head, is_wide);
            set_bit(p->bits, i - head, bit);
        }
    }
    p->map = (cuzk_packed_map){
        .n = n, .head = head, .wide = n_wide, .is_wide = p->is_wide, .rank = p->rank};
    p->packed = (cuzk_packed_scalars){.map = &p->map, .bits = p->bits, .value = p->value};
}

void test_packed_release(test_packed *p)
{
    free(p->is_wide);
    free(p->bits);
    free(p->rank);
    free(p->value);
    free(p->all);
}
