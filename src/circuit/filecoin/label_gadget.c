#include "circuit/filecoin/label_gadget.h"

#include "circuit/gadget/number.h"
#include "circuit/gadget/sha256.h"

#include <stdlib.h>
#include <string.h>

#define WORD CUZK_LABEL_WORD_BITS
/* The replica id; layer, node and zeros; the parents. */
#define PREIMAGE_BITS (WORD * (2 + CUZK_LABEL_PARENTS))

void cuzk_label_word(cuzk_cs *cs, cuzk_bit bits[CUZK_LABEL_WORD_BITS], cuzk_var x)
{
    cuzk_number_bits(cs, bits, x, CUZK_NUMBER_LE);
    bits[CUZK_NUMBER_BITS] = cuzk_bit_constant(false);
}

/* n bytes big-endian of bits that start with the lowest. */
static void put_big_endian(cuzk_bit *out, const cuzk_bit *bits, size_t n)
{
    for (size_t i = 0; i < 8 * n; i++)
        out[i] = bits[8 * (n - 1 - i / 8) + i % 8];
}

static void fill_preimage(cuzk_bit *out, const cuzk_bit *replica_id, uint32_t layer,
                          const cuzk_bit *node, const cuzk_bit *const *parents)
{
    cuzk_bit layer_bits[32];
    for (unsigned i = 0; i < 32; i++)
        layer_bits[i] = cuzk_bit_constant(layer >> i & 1);
    memcpy(out, replica_id, WORD * sizeof *out);
    put_big_endian(out + WORD, layer_bits, 4);
    put_big_endian(out + WORD + 32, node, 8);
    for (size_t i = WORD + 96; i < 2 * WORD; i++)
        out[i] = cuzk_bit_constant(false);
    for (size_t i = 0; i < CUZK_LABEL_PARENTS; i++)
        memcpy(out + (2 + i) * WORD, parents[i], WORD * sizeof *out);
}

cuzk_var cuzk_label_create(cuzk_cs *cs, const cuzk_bit *replica_id, uint32_t layer,
                           const cuzk_bit *node, const cuzk_bit *const parents[CUZK_LABEL_PARENTS])
{
    cuzk_bit digest[CUZK_SHA256_DIGEST_BITS];
    cuzk_bit *preimage = malloc(PREIMAGE_BITS * sizeof *preimage);
    if (preimage == NULL) {
        cuzk_cs_fail(cs, CUZK_ERR_MEMORY, "no memory for a label's preimage");
        return 0;
    }
    fill_preimage(preimage, replica_id, layer, node, parents);
    cuzk_sha256_bits(cs, digest, preimage, PREIMAGE_BITS / 8);
    free(preimage);
    return cuzk_bits_pack(cs, digest, CUZK_PACKED_BITS);
}
