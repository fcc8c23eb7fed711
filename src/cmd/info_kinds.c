#include "cmd/info_kinds.h"

#include "api/vk_load.h"
#include "groth16/params.h"
#include "groth16/proof.h"
#include "iden3/json.h"
#include "iden3/ptau.h"
#include "iden3/r1cs.h"
#include "iden3/zkey.h"

#include <stdlib.h>
#include <string.h>

static void set_text(json_t *report, const char *name, const char *value)
{
    json_object_set_new(report, name, json_string(value));
}

static void set_count(json_t *report, const char *name, uint64_t value)
{
    json_object_set_new(report, name, json_integer((json_int_t)value));
}

static void add_problem(json_t *problems, const char *text)
{
    json_array_append_new(problems, json_string(text));
}

static cuzk_status add_r1cs(json_t *report, json_t *problems, const cuzk_map *map, cuzk_error *err)
{
    cuzk_r1cs_info info;
    CUZK_TRY(cuzk_r1cs_info_read(&info, map, err));
    set_text(report, "curve", info.curve->name);
    set_count(report, "rows", info.constraints);
    set_count(report, "wires", info.wires);
    set_count(report, "public_outputs", info.pub_out);
    set_count(report, "public_inputs", info.pub_in);
    set_count(report, "private_inputs", info.prv_in);
    set_count(report, "labels", info.labels);
    set_count(report, "log_domain", cuzk_domain_log(info.constraints, info.pub_out + info.pub_in));
    if (info.custom_gates)
        add_problem(problems,
                    "it has custom gates, which a Groth16 proof does not cover: cuzk refuses it");
    return CUZK_OK;
}

static cuzk_status add_wtns(json_t *report, const cuzk_map *map, cuzk_error *err)
{
    cuzk_wtns witness;
    CUZK_TRY(cuzk_wtns_read(&witness, map, err));
    set_text(report, "curve", witness.curve->name);
    set_count(report, "wires", witness.n);
    cuzk_wtns_release(&witness);
    return CUZK_OK;
}

static cuzk_status add_zkey(json_t *report, json_t *problems, const cuzk_map *map, cuzk_error *err)
{
    cuzk_zkey_info info;
    CUZK_TRY(cuzk_zkey_info_read(&info, map, err));
    set_text(report, "curve", info.curve->name);
    set_count(report, "wires", info.vars);
    set_count(report, "public_signals", info.n_public);
    set_count(report, "domain", info.domain);
    set_count(report, "coefficients", info.coefficients);
    set_count(report, "contributions", info.contributions);
    if (info.gamma_is_delta)
        add_problem(problems,
                    "phase 2 was never run (gamma = delta): anyone can forge proofs for this key");
    if (info.contributions == 0)
        add_problem(problems, "it lists no contribution");
    return CUZK_OK;
}

static cuzk_status add_ptau(json_t *report, json_t *problems, const cuzk_map *map, cuzk_error *err)
{
    cuzk_ptau_info info;
    CUZK_TRY(cuzk_ptau_info_read(&info, map, err));
    set_text(report, "curve", info.curve->name);
    set_count(report, "power", info.power);
    set_count(report, "ceremony_power", info.ceremony_power);
    set_count(report, "contributions", info.contributions);
    json_object_set_new(report, "prepared", json_boolean(info.prepared));
    if (!info.prepared)
        add_problem(problems,
                    "it is not prepared for phase 2: run `snarkjs powersoftau prepare phase2`");
    if (info.contributions == 0)
        add_problem(problems, "it lists no contribution");
    return CUZK_OK;
}

/* Verification keys of all files. */
static cuzk_status add_vk(json_t *report, json_t *problems, const cuzk_map *map, cuzk_error *err)
{
    cuzk_vk vk;
    cuzk_error why;
    CUZK_TRY(cuzk_vk_load(&vk, map, err));
    set_text(report, "curve", vk.curve->name);
    set_count(report, "public_signals", vk.n_public);
    if (cuzk_vk_check(&vk, false, cuzk_map_name(map), &why) != CUZK_OK)
        add_problem(problems, why.message);
    cuzk_vk_release(&vk);
    return CUZK_OK;
}

static cuzk_status add_params(json_t *report, json_t *problems, const cuzk_map *map,
                              cuzk_error *err)
{
    cuzk_params_info info;
    CUZK_TRY(cuzk_params_info_read(&info, map, err));
    CUZK_TRY(add_vk(report, problems, map, err));
    set_count(report, "private_variables", info.l_len);
    set_count(report, "domain", info.h_len + 1);
    set_count(report, "points_h", info.h_len);
    set_count(report, "points_l", info.l_len);
    set_count(report, "points_a", info.a_len);
    set_count(report, "points_b", info.b_len);
    return CUZK_OK;
}

static cuzk_status add_proof_bytes(json_t *report, const cuzk_map *map, cuzk_error *err)
{
    size_t size = cuzk_map_size(map), n = size / CUZK_PROOF_BYTES;
    cuzk_proof *proofs = calloc(n, sizeof *proofs);
    if (proofs == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory for its proofs", cuzk_map_name(map));
    cuzk_status status = cuzk_proof_decode(proofs, n, cuzk_map_data(map), size, err);
    free(proofs);
    if (status != CUZK_OK)
        return cuzk_fail_context(err, "%s", cuzk_map_name(map));
    set_text(report, "curve", cuzk_curve_get(CUZK_BLS12_381)->name);
    set_count(report, "proofs", n);
    return CUZK_OK;
}

/* The curve that a proof names; NULL if it names none, as rapidsnark's do not. */
static const cuzk_curve *named_curve(const json_t *root)
{
    const char *name = json_string_value(json_object_get(root, "curve"));
    return name == NULL ? NULL : cuzk_curve_by_name(name);
}

static cuzk_status add_proof_json(json_t *report, const cuzk_map *map, cuzk_error *err)
{
    const char *text = (const char *)cuzk_map_data(map), *name = cuzk_map_name(map);
    size_t size = cuzk_map_size(map);
    cuzk_proof proof;
    json_t *root = json_loadb(text, size, 0, NULL);
    const cuzk_curve *curve = named_curve(root);
    json_decref(root);
    if (curve == NULL) {
        curve = cuzk_curve_get(CUZK_BN254);
        if (cuzk_json_read_proof(&proof, curve, text, size, name, NULL) != CUZK_OK)
            curve = cuzk_curve_get(CUZK_BLS12_381);
    }
    CUZK_TRY(cuzk_json_read_proof(&proof, curve, text, size, name, err));
    set_text(report, "curve", curve->name);
    return CUZK_OK;
}

static cuzk_status add_public_json(json_t *report, const cuzk_map *map, cuzk_error *err)
{
    json_t *root = json_loadb((const char *)cuzk_map_data(map), cuzk_map_size(map), 0, NULL);
    if (root == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory to read it", cuzk_map_name(map));
    set_count(report, "public_signals", json_array_size(root));
    json_decref(root);
    return CUZK_OK;
}

cuzk_status cuzk_info_add(json_t *report, json_t *problems, cuzk_file_kind kind,
                          const cuzk_map *map, cuzk_error *err)
{
    switch (kind) {
    case CUZK_FILE_R1CS:
        return add_r1cs(report, problems, map, err);
    case CUZK_FILE_WTNS:
        return add_wtns(report, map, err);
    case CUZK_FILE_ZKEY:
        return add_zkey(report, problems, map, err);
    case CUZK_FILE_PTAU:
        return add_ptau(report, problems, map, err);
    case CUZK_FILE_PARAMS:
        return add_params(report, problems, map, err);
    case CUZK_FILE_VK:
    case CUZK_FILE_VK_JSON:
        return add_vk(report, problems, map, err);
    case CUZK_FILE_PROOF_BYTES:
        return add_proof_bytes(report, map, err);
    case CUZK_FILE_PROOF_JSON:
        return add_proof_json(report, map, err);
    case CUZK_FILE_PUBLIC_JSON:
        return add_public_json(report, map, err);
    case CUZK_FILE_EMPTY:
    case CUZK_FILE_OTHER_JSON:
    case CUZK_FILE_UNKNOWN:
        break;
    }
    return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: %s", cuzk_map_name(map), cuzk_file_kind_text(kind));
}
