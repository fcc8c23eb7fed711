/* The rounds follow bellperson's circuit: the sums for `a` and `e` are put off until a round needs
 * the word, and are then one long addition. That decides the number and the order of rows. */
#include "circuit/gadget/sha256.h"

#include "circuit/gadget/word.h"

#include <string.h>

#define ROUNDS 64

static const uint32_t round_constant[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static const uint32_t initial_state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                          0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

/* A word that may still be a sum to be made. */
typedef struct lazy_word {
    cuzk_word word[7];
    size_t n; /* 1: the word itself */
} lazy_word;

static const cuzk_word *force(cuzk_cs *cs, cuzk_packed_rows *rows, lazy_word *w)
{
    const cuzk_word *addends[7];
    if (w->n > 1) {
        for (size_t i = 0; i < w->n; i++)
            addends[i] = &w->word[i];
        w->word[0] = cuzk_word_add(cs, rows, addends, w->n);
        w->n = 1;
    }
    return &w->word[0];
}

/* rotr(a, r1) ^ rotr(a, r2) ^ (rotr or shr)(a, last) */
static cuzk_word mix(cuzk_cs *cs, const cuzk_word *a, unsigned r1, unsigned r2, unsigned last,
                     bool shifted)
{
    cuzk_word x = cuzk_word_rotr(a, r1), y = cuzk_word_rotr(a, r2);
    x = cuzk_word_xor(cs, &x, &y);
    y = shifted ? cuzk_word_shr(a, last) : cuzk_word_rotr(a, last);
    return cuzk_word_xor(cs, &x, &y);
}

static void schedule(cuzk_cs *cs, cuzk_packed_rows *rows, cuzk_word w[ROUNDS])
{
    for (size_t i = 16; i < ROUNDS; i++) {
        const cuzk_word s0 = mix(cs, &w[i - 15], 7, 18, 3, true);
        const cuzk_word s1 = mix(cs, &w[i - 2], 17, 19, 10, true);
        const cuzk_word *addends[4] = {&w[i - 16], &s0, &w[i - 7], &s1};
        w[i] = cuzk_word_add(cs, rows, addends, 4);
    }
}

typedef struct round_state {
    lazy_word a, e;
    cuzk_word b, c, d, f, g, h;
} round_state;

static void run_round(cuzk_cs *cs, cuzk_packed_rows *rows, round_state *s, uint32_t constant,
                      const cuzk_word *w)
{
    lazy_word t = {.n = 5};
    const cuzk_word e = *force(cs, rows, &s->e);
    t.word[0] = s->h;
    t.word[1] = mix(cs, &e, 6, 11, 25, false);
    t.word[2] = cuzk_word_choose(cs, &e, &s->f, &s->g);
    t.word[3] = cuzk_word_constant(constant);
    t.word[4] = *w;
    const cuzk_word a = *force(cs, rows, &s->a);
    s->a = t;
    s->a.word[s->a.n++] = mix(cs, &a, 2, 13, 22, false);
    s->a.word[s->a.n++] = cuzk_word_majority(cs, &a, &s->b, &s->c);
    s->h = s->g;
    s->g = s->f;
    s->f = e;
    s->e = t;
    s->e.word[s->e.n++] = s->d;
    s->d = s->c;
    s->c = s->b;
    s->b = a;
}

/* The sum of what is left of w and of x. */
static cuzk_word add_to(cuzk_cs *cs, cuzk_packed_rows *rows, const lazy_word *w, const cuzk_word *x)
{
    const cuzk_word *addends[8];
    for (size_t i = 0; i < w->n; i++)
        addends[i] = &w->word[i];
    addends[w->n] = x;
    return cuzk_word_add(cs, rows, addends, w->n + 1);
}

static cuzk_word add_two(cuzk_cs *cs, cuzk_packed_rows *rows, const cuzk_word *x,
                         const cuzk_word *y)
{
    const cuzk_word *addends[2] = {x, y};
    return cuzk_word_add(cs, rows, addends, 2);
}

static void compress(cuzk_cs *cs, cuzk_word w[ROUNDS], cuzk_word state[8])
{
    cuzk_packed_rows rows = {0};
    round_state s = {.b = state[1], .c = state[2], .d = state[3]};
    s.f = state[5];
    s.g = state[6];
    s.h = state[7];
    s.a = (lazy_word){.word = {state[0]}, .n = 1};
    s.e = (lazy_word){.word = {state[4]}, .n = 1};
    schedule(cs, &rows, w);
    for (size_t i = 0; i < ROUNDS; i++)
        run_round(cs, &rows, &s, round_constant[i], &w[i]);
    state[0] = add_to(cs, &rows, &s.a, &state[0]);
    state[1] = add_two(cs, &rows, &state[1], &s.b);
    state[2] = add_two(cs, &rows, &state[2], &s.c);
    state[3] = add_two(cs, &rows, &state[3], &s.d);
    state[4] = add_to(cs, &rows, &s.e, &state[4]);
    state[5] = add_two(cs, &rows, &state[5], &s.f);
    state[6] = add_two(cs, &rows, &state[6], &s.g);
    state[7] = add_two(cs, &rows, &state[7], &s.h);
    cuzk_packed_end(cs, &rows);
}

/* Words are big-endian: bit j of byte k of a block is bit 24 - 8 * (k % 4) + j of word k / 4. */
static size_t place_in_word(size_t bit)
{
    return 24 - 8 * (bit / 8 % 4) + bit % 8;
}

static void run_block(cuzk_cs *cs, const void *params, const cuzk_bit *ports, cuzk_bit *results)
{
    cuzk_word w[ROUNDS], state[8];
    (void)params;
    for (size_t i = 0; i < CUZK_SHA256_BLOCK_BITS; i++)
        w[i / 32].bit[place_in_word(i)] = ports[i];
    memcpy(state, ports + CUZK_SHA256_BLOCK_BITS, sizeof state);
    compress(cs, w, state);
    memcpy(results, state, sizeof state);
}

const cuzk_gadget cuzk_sha256_block = {
    .name = "sha256 block",
    .fn = run_block,
    .n_ports = CUZK_SHA256_BLOCK_BITS + CUZK_SHA256_STATE_BITS,
    .n_results = CUZK_SHA256_STATE_BITS,
};

/* Bit i of the padded message. */
static cuzk_bit padded_bit(const cuzk_bit *bits, size_t n_bytes, size_t i, size_t total)
{
    if (i < 8 * n_bytes)
        return bits[i];
    if (i == 8 * n_bytes + 7)
        return cuzk_bit_constant(true); /* the byte 0x80 */
    if (i + 64 < total)
        return cuzk_bit_constant(false);
    const size_t at = i + 64 - total; /* in the big-endian length */
    return cuzk_bit_constant((uint64_t)n_bytes * 8 >> (56 - 8 * (at / 8) + at % 8) & 1);
}

void cuzk_sha256_bits(cuzk_cs *cs, cuzk_bit digest[CUZK_SHA256_DIGEST_BITS], const cuzk_bit *bits,
                      size_t n_bytes)
{
    cuzk_bit ports[CUZK_SHA256_BLOCK_BITS + CUZK_SHA256_STATE_BITS], state[CUZK_SHA256_STATE_BITS];
    const size_t total = (n_bytes + 9 + 63) / 64 * CUZK_SHA256_BLOCK_BITS;
    for (size_t i = 0; i < CUZK_SHA256_STATE_BITS; i++)
        state[i] = cuzk_bit_constant(initial_state[i / 32] >> (i % 32) & 1);
    for (size_t at = 0; at < total; at += CUZK_SHA256_BLOCK_BITS) {
        for (size_t i = 0; i < CUZK_SHA256_BLOCK_BITS; i++)
            ports[i] = padded_bit(bits, n_bytes, at + i, total);
        memcpy(ports + CUZK_SHA256_BLOCK_BITS, state, sizeof state);
        cuzk_cs_call(cs, &cuzk_sha256_block, ports, state);
    }
    for (size_t i = 0; i < CUZK_SHA256_DIGEST_BITS; i++)
        digest[i] = state[i / 32 * 32 + place_in_word(i)];
}
