#include "groth16/proof.h"

#define G1_BYTES 48
#define G2_BYTES 96

void cuzk_proof_encode(uint8_t out[CUZK_PROOF_BYTES], const cuzk_proof *proof)
{
    const cuzk_curve *curve = cuzk_curve_get(CUZK_BLS12_381);
    curve->g1_encode(out, proof->a.l, CUZK_ENC_ZCASH_COMPRESSED);
    curve->g2_encode(out + G1_BYTES, proof->b.l, CUZK_ENC_ZCASH_COMPRESSED);
    curve->g1_encode(out + G1_BYTES + G2_BYTES, proof->c.l, CUZK_ENC_ZCASH_COMPRESSED);
}

static cuzk_status judge(cuzk_point_status found, const uint64_t *point, unsigned words,
                         size_t number, char letter, cuzk_error *err)
{
    if (found != CUZK_POINT_OK)
        return cuzk_fail(err, CUZK_ERR_FORMAT, "proof %zu: point %c is %s", number, letter,
                         cuzk_point_status_text(found));
    if (cuzk_point_is_infinity(point, words))
        return cuzk_fail(err, CUZK_ERR_FORMAT, "proof %zu: point %c is the point at infinity",
                         number, letter);
    return CUZK_OK;
}

static cuzk_status decode_one(cuzk_proof *proof, const uint8_t *in, size_t number, cuzk_error *err)
{
    const cuzk_curve *curve = cuzk_curve_get(CUZK_BLS12_381);
    cuzk_proof made = {0};
    cuzk_point_status found = curve->g1_decode(made.a.l, in, CUZK_ENC_ZCASH_COMPRESSED, true);
    CUZK_TRY(judge(found, made.a.l, curve->g1_words, number, 'A', err));
    found = curve->g2_decode(made.b.l, in + G1_BYTES, CUZK_ENC_ZCASH_COMPRESSED, true);
    CUZK_TRY(judge(found, made.b.l, curve->g2_words, number, 'B', err));
    found = curve->g1_decode(made.c.l, in + G1_BYTES + G2_BYTES, CUZK_ENC_ZCASH_COMPRESSED, true);
    CUZK_TRY(judge(found, made.c.l, curve->g1_words, number, 'C', err));
    *proof = made;
    return CUZK_OK;
}

cuzk_status cuzk_proof_decode(cuzk_proof *proofs, size_t n_proofs, const uint8_t *bytes,
                              size_t size, cuzk_error *err)
{
    if (size % CUZK_PROOF_BYTES != 0 || size / CUZK_PROOF_BYTES != n_proofs)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%zu bytes of proof; expected exactly %d for each of %zu proofs", size,
                         CUZK_PROOF_BYTES, n_proofs);
    for (size_t i = 0; i < n_proofs; i++)
        CUZK_TRY(decode_one(&proofs[i], bytes + i * CUZK_PROOF_BYTES, i, err));
    return CUZK_OK;
}
