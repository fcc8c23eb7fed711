/* Reading snarkjs' JSON by jansson. Every failure names the file and the member. */
#include "iden3/json.h"

#include "base/decimal.h"
#include "base/bytes.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* A proof has less than 2 kB. A key with a million public signals has 350 MB, which nobody parses.
 */
#define MAX_PROOF_TEXT ((size_t)64 << 10)
#define MAX_TEXT       ((size_t)64 << 20)

/* What is read, and from where: for messages. */
struct source {
    const char *name;
    const cuzk_curve *curve;
};

static cuzk_status load(json_t **root, const char *text, size_t size, size_t limit,
                        const char *name, cuzk_error *err)
{
    json_error_t problem;
    if (size > limit)
        return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: %zu bytes of JSON; at most %zu are read", name,
                         size, limit);
    *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &problem);
    if (*root == NULL)
        return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: not JSON: %s (line %d, column %d)", name,
                         problem.text, problem.line, problem.column);
    return CUZK_OK;
}

/* Reads a decimal string into n little-endian bytes. */
static cuzk_status read_decimal(const struct source *source, const char *member,
                                const json_t *value, uint8_t *bytes, size_t n, cuzk_error *err)
{
    if (!json_is_string(value))
        return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: %s: expected a number written as a string",
                         source->name, member);
    switch (cuzk_decimal_parse(bytes, n, json_string_value(value), json_string_length(value))) {
    case CUZK_DECIMAL_OK:
        return CUZK_OK;
    case CUZK_DECIMAL_MALFORMED:
        return cuzk_fail(
            err, CUZK_ERR_FORMAT,
            "%s: %s: \"%.100s\" is not a decimal number without sign and leading zeros",
            source->name, member, json_string_value(value));
    case CUZK_DECIMAL_TOO_LARGE:
        break;
    }
    return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: %s: \"%.100s...\" is not below the prime of %s",
                     source->name, member, json_string_value(value), source->curve->name);
}

static cuzk_status read_fp(const struct source *source, const char *member, const json_t *value,
                           uint64_t *fp, cuzk_error *err)
{
    uint8_t bytes[8 * CUZK_FP_MAX_WORDS];
    CUZK_TRY(read_decimal(source, member, value, bytes, 8 * (size_t)source->curve->fp_words, err));
    if (!source->curve->fp_from_le(fp, bytes))
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: %s: %s is not below the prime of the base field of %s", source->name,
                         member, json_string_value(value), source->curve->name);
    return CUZK_OK;
}

static cuzk_status check_array(const struct source *source, const char *member, const json_t *value,
                               size_t length, cuzk_error *err)
{
    if (!json_is_array(value) || json_array_size(value) != length)
        return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: %s: expected an array of %zu", source->name,
                         member, length);
    return CUZK_OK;
}

static bool is_text(const json_t *value, const char *text)
{
    return json_is_string(value) && strcmp(json_string_value(value), text) == 0;
}

static bool is_pair(const json_t *value, const char *c0)
{
    return json_is_array(value) && json_array_size(value) == 2 &&
           is_text(json_array_get(value, 0), c0) && is_text(json_array_get(value, 1), "0");
}

static bool is_coordinate(const json_t *value, cuzk_group group, const char *text)
{
    return group == CUZK_G1 ? is_text(value, text) : is_pair(value, text);
}

/* Reads x and y, each one or two field elements. */
static cuzk_status read_coordinates(const struct source *source, const char *member,
                                    const json_t *value, cuzk_group group, uint64_t *point,
                                    cuzk_error *err)
{
    unsigned words = source->curve->fp_words;
    for (size_t i = 0; i < 2; i++) {
        const json_t *coordinate = json_array_get(value, i);
        if (group == CUZK_G1) {
            CUZK_TRY(read_fp(source, member, coordinate, point + i * words, err));
            continue;
        }
        CUZK_TRY(check_array(source, member, coordinate, 2, err));
        for (size_t k = 0; k < 2; k++)
            CUZK_TRY(read_fp(source, member, json_array_get(coordinate, k),
                             point + (2 * i + k) * words, err));
    }
    return CUZK_OK;
}

/* Reads a point: x, y, z with z = 1, or infinity as 0, 1, 0. */
static cuzk_status read_point(const struct source *source, const char *member, const json_t *value,
                              cuzk_group group, uint64_t *point, cuzk_error *err)
{
    const cuzk_curve *curve = source->curve;
    unsigned words = cuzk_point_words(curve, group);

    CUZK_TRY(check_array(source, member, value, 3, err));
    const json_t *z = json_array_get(value, 2);
    if (is_coordinate(z, group, "0") && is_coordinate(json_array_get(value, 0), group, "0") &&
        is_coordinate(json_array_get(value, 1), group, "1")) {
        memset(point, 0, words * sizeof *point);
        return CUZK_OK;
    }
    if (!is_coordinate(z, group, "1"))
        return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: %s: the third coordinate of the point is not 1",
                         source->name, member);
    CUZK_TRY(read_coordinates(source, member, value, group, point, err));
    cuzk_point_status found = CUZK_POINT_NOT_ON_CURVE;
    if (!cuzk_point_is_infinity(point, words)) /* (0, 0): infinity in memory, no point in a file */
        found = group == CUZK_G1 ? curve->g1_check(point, true) : curve->g2_check(point, true);
    if (found != CUZK_POINT_OK)
        return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: %s: the point is %s", source->name, member,
                         cuzk_point_status_text(found));
    return CUZK_OK;
}

static cuzk_status read_member(const struct source *source, const json_t *root, const char *member,
                               cuzk_group group, uint64_t *point, cuzk_error *err)
{
    const json_t *value = json_object_get(root, member);
    if (value == NULL)
        return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: member %s is missing", source->name, member);
    return read_point(source, member, value, group, point, err);
}

static cuzk_status check_object(const json_t *root, const char *name, cuzk_error *err)
{
    const json_t *protocol = json_object_get(root, "protocol");
    if (!json_is_object(root))
        return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: expected a JSON object", name);
    if (protocol != NULL && !is_text(protocol, "groth16"))
        return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                         "%s: the protocol is %.40s; this program reads groth16 only", name,
                         json_is_string(protocol) ? json_string_value(protocol) : "not a string");
    return CUZK_OK;
}

/* Reads the curve's name. *curve is NULL when there is none. */
static cuzk_status read_curve(const json_t *root, const char *name, const cuzk_curve **curve,
                              cuzk_error *err)
{
    const json_t *value = json_object_get(root, "curve");
    *curve = json_is_string(value) ? cuzk_curve_by_name(json_string_value(value)) : NULL;
    if (value != NULL && *curve == NULL)
        return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                         "%s: curve %.40s is unknown; bn128 and bls12381 are known", name,
                         json_is_string(value) ? json_string_value(value) : "(not a string)");
    return CUZK_OK;
}

static cuzk_status read_proof(cuzk_proof *proof, const struct source *source, const json_t *root,
                              cuzk_error *err)
{
    const cuzk_curve *curve = NULL;
    CUZK_TRY(check_object(root, source->name, err));
    CUZK_TRY(read_curve(root, source->name, &curve, err));
    if (curve != NULL && curve->id != source->curve->id)
        return cuzk_fail(err, CUZK_ERR_MISMATCH,
                         "%s: a proof over %s where one over %s is expected", source->name,
                         curve->name, source->curve->name);
    CUZK_TRY(read_member(source, root, "pi_a", CUZK_G1, proof->a.l, err));
    CUZK_TRY(read_member(source, root, "pi_b", CUZK_G2, proof->b.l, err));
    return read_member(source, root, "pi_c", CUZK_G1, proof->c.l, err);
}

cuzk_status cuzk_json_read_proof(cuzk_proof *proof, const cuzk_curve *curve, const char *text,
                                 size_t size, const char *name, cuzk_error *err)
{
    struct source source = {name, curve};
    cuzk_proof found = {0};
    json_t *root = NULL;
    CUZK_TRY(load(&root, text, size, MAX_PROOF_TEXT, name, err));
    cuzk_status status = read_proof(&found, &source, root, err);
    json_decref(root);
    if (status == CUZK_OK)
        *proof = found;
    return status;
}

static cuzk_status read_public(cuzk_scalar *inputs, size_t n, const struct source *source,
                               const json_t *root, cuzk_error *err)
{
    for (size_t i = 0; i < n; i++) {
        char member[48];
        uint8_t bytes[sizeof(cuzk_scalar)];
        snprintf(member, sizeof member, "public signal %zu", i + 1);
        const json_t *value = json_array_get(root, i);
        CUZK_TRY(read_decimal(source, member, value, bytes, sizeof bytes, err));
        for (int k = 0; k < 4; k++)
            inputs[i].l[k] = cuzk_load_le64(bytes + 8 * k);
        if (!source->curve->scalar_is_canonical(&inputs[i]))
            return cuzk_fail(
                err, CUZK_ERR_FORMAT,
                "%s: %s: %s is not below the prime of the scalar field of %s; it would "
                "stand for another number",
                source->name, member, json_string_value(value), source->curve->name);
    }
    return CUZK_OK;
}

static cuzk_status check_public(const json_t *root, size_t expected, const char *name,
                                cuzk_error *err)
{
    if (!json_is_array(root))
        return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: expected a JSON array of public signals", name);
    if (json_array_size(root) != expected)
        return cuzk_fail(err, CUZK_ERR_MISMATCH, "%s: %zu public signals, the key has %zu", name,
                         json_array_size(root), expected);
    return CUZK_OK;
}

cuzk_status cuzk_json_read_public(cuzk_scalar **inputs, size_t expected, const cuzk_curve *curve,
                                  const char *text, size_t size, const char *name, cuzk_error *err)
{
    struct source source = {name, curve};
    cuzk_scalar *found = NULL;
    json_t *root = NULL;
    CUZK_TRY(load(&root, text, size, MAX_TEXT, name, err));
    cuzk_status status = check_public(root, expected, name, err);
    if (status == CUZK_OK && (found = calloc(expected + 1, sizeof *found)) == NULL)
        status = cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory for %zu signals", name, expected);
    if (status == CUZK_OK)
        status = read_public(found, expected, &source, root, err);
    json_decref(root);
    if (status != CUZK_OK) {
        free(found);
        return status;
    }
    *inputs = found;
    return CUZK_OK;
}

static cuzk_status read_ic(cuzk_vk *vk, const struct source *source, const json_t *root,
                           cuzk_error *err)
{
    const json_t *count = json_object_get(root, "nPublic");
    const json_t *ic = json_object_get(root, "IC");
    if (!json_is_integer(count) || json_integer_value(count) < 0 ||
        json_integer_value(count) >= UINT32_MAX)
        return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: nPublic is missing or no count", source->name);
    vk->n_public = (size_t)json_integer_value(count);
    if (!json_is_array(ic) || json_array_size(ic) != vk->n_public + 1)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: IC has %zu points; nPublic = %zu asks for one more than that",
                         source->name, json_array_size(ic), vk->n_public);
    vk->ic = calloc(vk->n_public + 1, 8 * (size_t)vk->curve->g1_words);
    if (vk->ic == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory for %zu points", source->name,
                         vk->n_public + 1);
    for (size_t i = 0; i <= vk->n_public; i++) {
        char member[32];
        snprintf(member, sizeof member, "IC[%zu]", i);
        CUZK_TRY(read_point(source, member, json_array_get(ic, i), CUZK_G1,
                            vk->ic + i * vk->curve->g1_words, err));
    }
    return CUZK_OK;
}

static cuzk_status read_vk(cuzk_vk *vk, const char *name, const json_t *root, cuzk_error *err)
{
    CUZK_TRY(check_object(root, name, err));
    CUZK_TRY(read_curve(root, name, &vk->curve, err));
    if (vk->curve == NULL)
        return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: member curve is missing", name);
    struct source source = {name, vk->curve};
    CUZK_TRY(read_member(&source, root, "vk_alpha_1", CUZK_G1, vk->alpha_g1.l, err));
    CUZK_TRY(read_member(&source, root, "vk_beta_2", CUZK_G2, vk->beta_g2.l, err));
    CUZK_TRY(read_member(&source, root, "vk_gamma_2", CUZK_G2, vk->gamma_g2.l, err));
    CUZK_TRY(read_member(&source, root, "vk_delta_2", CUZK_G2, vk->delta_g2.l, err));
    return read_ic(vk, &source, root, err);
}

cuzk_status cuzk_json_read_vk(cuzk_vk *vk, const char *text, size_t size, const char *name,
                              cuzk_error *err)
{
    cuzk_vk found = {0};
    json_t *root = NULL;
    CUZK_TRY(load(&root, text, size, MAX_TEXT, name, err));
    cuzk_status status = read_vk(&found, name, root, err);
    json_decref(root);
    if (status != CUZK_OK) {
        cuzk_vk_release(&found);
        return status;
    }
    *vk = found;
    return CUZK_OK;
}
