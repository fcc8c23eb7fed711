#include "iden3/json_text.h"

#include "base/memory.h"
#include "base/bytes.h"

#include <stdlib.h>

/* n field elements as an array of decimal strings. */
static void write_elements(cuzk_json_text *text, const cuzk_curve *curve, const uint64_t *fp,
                           unsigned n)
{
    uint8_t bytes[8 * CUZK_FP_MAX_WORDS];
    cuzk_json_text_open(text, '[');
    for (unsigned i = 0; i < n; i++) {
        curve->fp_to_le(bytes, fp + i * curve->fp_words);
        cuzk_json_text_decimal(text, bytes, 8 * (size_t)curve->fp_words);
    }
    cuzk_json_text_close(text, ']');
}

static void write_g1(cuzk_json_text *text, const cuzk_curve *curve, const uint64_t *point)
{
    uint8_t bytes[8 * CUZK_FP_MAX_WORDS];
    bool infinite = cuzk_point_is_infinity(point, curve->g1_words);
    cuzk_json_text_open(text, '[');
    for (unsigned i = 0; i < 2 && !infinite; i++) {
        curve->fp_to_le(bytes, point + i * curve->fp_words);
        cuzk_json_text_decimal(text, bytes, 8 * (size_t)curve->fp_words);
    }
    if (infinite) {
        cuzk_json_text_string(text, "0");
        cuzk_json_text_string(text, "1");
    }
    cuzk_json_text_string(text, infinite ? "0" : "1");
    cuzk_json_text_close(text, ']');
}

static void write_small_pair(cuzk_json_text *text, const char *c0)
{
    cuzk_json_text_open(text, '[');
    cuzk_json_text_string(text, c0);
    cuzk_json_text_string(text, "0");
    cuzk_json_text_close(text, ']');
}

static void write_g2(cuzk_json_text *text, const cuzk_curve *curve, const uint64_t *point)
{
    bool infinite = cuzk_point_is_infinity(point, curve->g2_words);
    cuzk_json_text_open(text, '[');
    for (unsigned i = 0; i < 2 && !infinite; i++)
        write_elements(text, curve, point + 2 * i * curve->fp_words, 2);
    if (infinite) {
        write_small_pair(text, "0");
        write_small_pair(text, "1");
    }
    write_small_pair(text, infinite ? "0" : "1");
    cuzk_json_text_close(text, ']');
}

static void write_named_g1(cuzk_json_text *text, const cuzk_curve *curve, const char *name,
                           const cuzk_g1 *point)
{
    cuzk_json_text_key(text, name);
    write_g1(text, curve, point->l);
}

static void write_named_g2(cuzk_json_text *text, const cuzk_curve *curve, const char *name,
                           const cuzk_g2 *point)
{
    cuzk_json_text_key(text, name);
    write_g2(text, curve, point->l);
}

/* e(alpha, beta) as [v^j w^i][c0, c1]. */
static cuzk_status write_alphabeta(cuzk_json_text *text, const cuzk_vk *vk, cuzk_error *err)
{
    const cuzk_curve *curve = vk->curve;
    const uint64_t *points[1] = {vk->alpha_g1.l};
    cuzk_gt value;
    void *prepared = cuzk_memory_new(1, curve->g2_prepared_bytes);
    if (prepared == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a pairing");
    curve->g2_prepare(prepared, vk->beta_g2.l);
    const void *lines[1] = {prepared};
    curve->miller(&value, points, lines, 1);
    curve->final_exp(&value, &value);
    free(prepared);

    cuzk_json_text_key(text, "vk_alphabeta_12");
    cuzk_json_text_open(text, '[');
    for (unsigned i = 0; i < 2; i++) {
        cuzk_json_text_open(text, '[');
        for (unsigned j = 0; j < 3; j++)
            write_elements(text, curve, value.l + (6 * i + 2 * j) * curve->fp_words, 2);
        cuzk_json_text_close(text, ']');
    }
    cuzk_json_text_close(text, ']');
    return CUZK_OK;
}

cuzk_status cuzk_json_write_vk(char **out, const cuzk_vk *vk, cuzk_error *err)
{
    const cuzk_curve *curve = vk->curve;
    cuzk_json_text text;
    cuzk_json_text_init(&text, CUZK_JSON_SNARKJS);
    cuzk_json_text_open(&text, '{');
    cuzk_json_text_key(&text, "protocol");
    cuzk_json_text_string(&text, "groth16");
    cuzk_json_text_key(&text, "curve");
    cuzk_json_text_string(&text, curve->name);
    cuzk_json_text_key(&text, "nPublic");
    cuzk_json_text_number(&text, vk->n_public);
    write_named_g1(&text, curve, "vk_alpha_1", &vk->alpha_g1);
    write_named_g2(&text, curve, "vk_beta_2", &vk->beta_g2);
    write_named_g2(&text, curve, "vk_gamma_2", &vk->gamma_g2);
    write_named_g2(&text, curve, "vk_delta_2", &vk->delta_g2);
    cuzk_status status = write_alphabeta(&text, vk, err);
    if (status != CUZK_OK) {
        free(text.data);
        return status;
    }
    cuzk_json_text_key(&text, "IC");
    cuzk_json_text_open(&text, '[');
    for (size_t i = 0; i <= vk->n_public; i++)
        write_g1(&text, curve, vk->ic + i * curve->g1_words);
    cuzk_json_text_close(&text, ']');
    cuzk_json_text_close(&text, '}');
    return cuzk_json_text_take(&text, out, err);
}

cuzk_status cuzk_json_write_proof(char **out, const cuzk_proof *proof, const cuzk_curve *curve,
                                  cuzk_json_style style, cuzk_error *err)
{
    cuzk_json_text text;
    cuzk_json_text_init(&text, style);
    cuzk_json_text_open(&text, '{');
    write_named_g1(&text, curve, "pi_a", &proof->a);
    write_named_g2(&text, curve, "pi_b", &proof->b);
    write_named_g1(&text, curve, "pi_c", &proof->c);
    cuzk_json_text_key(&text, "protocol");
    cuzk_json_text_string(&text, "groth16");
    if (style == CUZK_JSON_SNARKJS) {
        cuzk_json_text_key(&text, "curve");
        cuzk_json_text_string(&text, curve->name);
    }
    cuzk_json_text_close(&text, '}');
    return cuzk_json_text_take(&text, out, err);
}

cuzk_status cuzk_json_write_public(char **out, const cuzk_scalar *inputs, size_t n,
                                   cuzk_json_style style, cuzk_error *err)
{
    cuzk_json_text text;
    cuzk_json_text_init(&text, style);
    cuzk_json_text_open(&text, '[');
    for (size_t i = 0; i < n; i++) {
        uint8_t bytes[32];
        for (int k = 0; k < 4; k++)
            cuzk_store_le64(bytes + 8 * k, inputs[i].l[k]);
        cuzk_json_text_decimal(&text, bytes, sizeof bytes);
    }
    cuzk_json_text_close(&text, ']');
    return cuzk_json_text_take(&text, out, err);
}
