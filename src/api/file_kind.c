#include "api/file_kind.h"

#include "groth16/params.h"
#include "groth16/params_layout.h"
#include "groth16/proof.h"

#include <jansson.h>
#include <string.h>

/* JSON files of snarkjs are small, but for a verification key with very many public signals. */
#define MAX_JSON ((size_t)64 << 20)

static cuzk_file_kind find_json(const char *text, size_t size)
{
    json_t *root = size <= MAX_JSON ? json_loadb(text, size, 0, NULL) : NULL;
    if (root == NULL)
        return CUZK_FILE_UNKNOWN;
    cuzk_file_kind kind = CUZK_FILE_OTHER_JSON;
    if (json_is_array(root))
        kind = CUZK_FILE_PUBLIC_JSON;
    else if (json_object_get(root, "pi_a") != NULL)
        kind = CUZK_FILE_PROOF_JSON;
    else if (json_object_get(root, "vk_alpha_1") != NULL)
        kind = CUZK_FILE_VK_JSON;
    json_decref(root);
    return kind;
}

static bool is_bellperson_vk(const uint8_t *data, size_t size)
{
    size_t head = CUZK_PARAMS_IC_COUNT + 4;
    if (size < head)
        return false;
    const uint8_t *count = data + CUZK_PARAMS_IC_COUNT;
    size_t n = (size_t)count[0] << 24 | (size_t)count[1] << 16 | (size_t)count[2] << 8 | count[3];
    return n > 0 && size - head == n * CUZK_PARAMS_G1;
}

/* Every proof starts with a compressed, finite point: 0x80 set, 0x40 clear. */
static bool is_proof_bytes(const uint8_t *data, size_t size)
{
    if (size == 0 || size % CUZK_PROOF_BYTES != 0)
        return false;
    for (size_t i = 0; i < size; i += CUZK_PROOF_BYTES)
        if ((data[i] & 0xc0) != 0x80)
            return false;
    return true;
}

static cuzk_file_kind find_magic(const uint8_t *data, size_t size)
{
    static const struct {
        char magic[5];
        cuzk_file_kind kind;
    } known[] = {{"r1cs", CUZK_FILE_R1CS},
                 {"wtns", CUZK_FILE_WTNS},
                 {"zkey", CUZK_FILE_ZKEY},
                 {"ptau", CUZK_FILE_PTAU}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (size >= 4 && memcmp(data, known[i].magic, 4) == 0)
            return known[i].kind;
    return CUZK_FILE_UNKNOWN;
}

cuzk_file_kind cuzk_file_kind_find(const cuzk_map *map)
{
    const uint8_t *data = cuzk_map_data(map);
    size_t size = cuzk_map_size(map), at = 0;
    cuzk_params_info info;
    if (size == 0)
        return CUZK_FILE_EMPTY;
    cuzk_file_kind kind = find_magic(data, size);
    if (kind != CUZK_FILE_UNKNOWN)
        return kind;
    if (is_proof_bytes(data, size))
        return CUZK_FILE_PROOF_BYTES;
    if (is_bellperson_vk(data, size))
        return CUZK_FILE_VK;
    if (cuzk_params_info_read(&info, map, NULL) == CUZK_OK)
        return CUZK_FILE_PARAMS;
    while (at < size && strchr(" \t\r\n", data[at]) != NULL && data[at] != '\0')
        at++;
    if (at < size && (data[at] == '{' || data[at] == '['))
        return find_json((const char *)data, size);
    return CUZK_FILE_UNKNOWN;
}

const char *cuzk_file_kind_text(cuzk_file_kind kind)
{
    switch (kind) {
    case CUZK_FILE_EMPTY:
        return "empty";
    case CUZK_FILE_R1CS:
        return "a constraint system of circom (.r1cs)";
    case CUZK_FILE_WTNS:
        return "a witness (.wtns)";
    case CUZK_FILE_ZKEY:
        return "a proving key of snarkjs (.zkey)";
    case CUZK_FILE_PTAU:
        return "a powers-of-tau file (.ptau)";
    case CUZK_FILE_PARAMS:
        return "a proving key of bellperson (.params)";
    case CUZK_FILE_VK:
        return "a verifying key of bellperson (.vk)";
    case CUZK_FILE_PROOF_BYTES:
        return "proofs of bellperson (192 bytes each)";
    case CUZK_FILE_VK_JSON:
        return "a verification key (snarkjs JSON)";
    case CUZK_FILE_PROOF_JSON:
        return "a proof (snarkjs JSON)";
    case CUZK_FILE_PUBLIC_JSON:
        return "public signals (snarkjs JSON)";
    case CUZK_FILE_OTHER_JSON:
        return "JSON, but no proof, verification key or public signals";
    case CUZK_FILE_UNKNOWN:
        break;
    }
    return "of no kind that cuzk knows";
}

cuzk_status cuzk_file_kind_fail(const cuzk_map *map, cuzk_file_kind kind, const char *expected,
                                cuzk_error *err)
{
    const char *hint = kind > CUZK_FILE_EMPTY && kind != CUZK_FILE_OTHER_JSON
                           ? "; are the arguments in the right order?"
                       : kind == CUZK_FILE_EMPTY ? "; was it written to the end?"
                                                 : "; is it damaged or cut short?";
    return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: the file is %s; expected %s%s", cuzk_map_name(map),
                     cuzk_file_kind_text(kind), expected, hint);
}
