#include "circuit/gadget/word.h"

#include "circuit/gadget/small.h"

#define CAPACITY 254u /* bits that surely fit in a field element */

cuzk_word cuzk_word_constant(uint32_t value)
{
    cuzk_word w;
    for (unsigned i = 0; i < CUZK_WORD_BITS; i++)
        w.bit[i] = cuzk_bit_constant(value >> i & 1);
    return w;
}

cuzk_word cuzk_word_rotr(const cuzk_word *a, unsigned n)
{
    cuzk_word w;
    for (unsigned i = 0; i < CUZK_WORD_BITS; i++)
        w.bit[i] = a->bit[(i + n) % CUZK_WORD_BITS];
    return w;
}

cuzk_word cuzk_word_shr(const cuzk_word *a, unsigned n)
{
    cuzk_word w;
    for (unsigned i = 0; i < CUZK_WORD_BITS; i++)
        w.bit[i] = i + n < CUZK_WORD_BITS ? a->bit[i + n] : cuzk_bit_constant(false);
    return w;
}

cuzk_word cuzk_word_xor(cuzk_cs *cs, const cuzk_word *a, const cuzk_word *b)
{
    cuzk_word w;
    for (unsigned i = 0; i < CUZK_WORD_BITS; i++)
        w.bit[i] = cuzk_bit_xor(cs, a->bit[i], b->bit[i]);
    return w;
}

cuzk_word cuzk_word_choose(cuzk_cs *cs, const cuzk_word *a, const cuzk_word *b, const cuzk_word *c)
{
    cuzk_word w;
    for (unsigned i = 0; i < CUZK_WORD_BITS; i++)
        w.bit[i] = cuzk_bit_choose(cs, a->bit[i], b->bit[i], c->bit[i]);
    return w;
}

cuzk_word cuzk_word_majority(cuzk_cs *cs, const cuzk_word *a, const cuzk_word *b,
                             const cuzk_word *c)
{
    cuzk_word w;
    for (unsigned i = 0; i < CUZK_WORD_BITS; i++)
        w.bit[i] = cuzk_bit_majority(cs, a->bit[i], b->bit[i], c->bit[i]);
    return w;
}

static void flush(cuzk_cs *cs, cuzk_packed_rows *rows)
{
    cuzk_small one = {0};
    cuzk_small_add(&one, CUZK_VAR_ONE, 1);
    cuzk_cs_enforce(cs, &rows->left, cuzk_small_lc(&one), &rows->right);
    cuzk_lc_clear(&rows->left);
    cuzk_lc_clear(&rows->right);
    rows->used = 0;
}

void cuzk_packed_end(cuzk_cs *cs, cuzk_packed_rows *rows)
{
    if (rows->used > 0)
        flush(cs, rows);
    cuzk_lc_release(&rows->left);
    cuzk_lc_release(&rows->right);
}

/* Adds weight * (sum of 2^i * bits[i]). */
static void add_bits(cuzk_lc *lc, const cuzk_bit *bits, unsigned n, const cuzk_fr *weight)
{
    cuzk_fr w = *weight;
    for (unsigned i = 0; i < n; i++) {
        cuzk_lc_add_bit(lc, bits[i], &w);
        bls12_381_fr_dbl(&w, &w);
    }
}

static void shift(cuzk_fr *r, unsigned bits)
{
    cuzk_scalar s = {{0}};
    s.l[bits / 64] = UINT64_C(1) << (bits % 64);
    bls12_381_fr_from_canon(r, &s);
}

static bool add_constants(cuzk_word *sum, const cuzk_word *const *addends, size_t n)
{
    uint32_t total = 0;
    for (size_t i = 0; i < n; i++) {
        for (unsigned j = 0; j < CUZK_WORD_BITS; j++) {
            if (!cuzk_bit_is_constant(addends[i]->bit[j]))
                return false;
            total += (uint32_t)(addends[i]->bit[j].kind == CUZK_BIT_1) << j;
        }
    }
    *sum = cuzk_word_constant(total);
    return true;
}

/* Bits of n * (2^32 - 1). */
static unsigned sum_bits(size_t n)
{
    unsigned bits = 0;
    for (uint64_t most = n * UINT64_C(0xffffffff); most != 0; most >>= 1)
        bits++;
    return bits;
}

static void alloc_sum(cuzk_cs *cs, cuzk_bit *bits, unsigned n_bits, const cuzk_word *const *addends,
                      size_t n)
{
    cuzk_bit words[CUZK_WORD_ADDENDS * CUZK_WORD_BITS];
    for (size_t i = 0; i < n * CUZK_WORD_BITS; i++)
        words[i] = addends[i / CUZK_WORD_BITS]->bit[i % CUZK_WORD_BITS];
    const cuzk_op op = {.kind = CUZK_OP_SUM, .n = n_bits, .words = words, .n_words = n};
    cuzk_bits_alloc(cs, bits, &op);
}

cuzk_word cuzk_word_add(cuzk_cs *cs, cuzk_packed_rows *rows, const cuzk_word *const *addends,
                        size_t n)
{
    cuzk_bit bits[CUZK_WORD_BITS + 4];
    cuzk_word sum;
    cuzk_fr weight;
    const unsigned n_bits = sum_bits(n);
    CUZK_ASSERT(n >= 2 && n <= CUZK_WORD_ADDENDS);
    if (add_constants(&sum, addends, n))
        return sum;
    alloc_sum(cs, bits, n_bits, addends, n);
    if (CAPACITY <= rows->used + n_bits)
        flush(cs, rows);
    shift(&weight, rows->used);
    for (size_t i = 0; i < n; i++)
        add_bits(&rows->left, addends[i]->bit, CUZK_WORD_BITS, &weight);
    add_bits(&rows->right, bits, n_bits, &weight);
    rows->used += n_bits;
    for (unsigned i = 0; i < CUZK_WORD_BITS; i++)
        sum.bit[i] = bits[i];
    return sum;
}
