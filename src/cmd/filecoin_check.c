/* cuzk filecoin check: vanilla proofs, as a request for a proof would bring them. */
#include "cmd/filecoin_check.h"

#include "base/map.h"
#include "cmd/filecoin_actions.h"
#include "cmd/filecoin_options.h"
#include "cmd/output.h"
#include "cmd/sector_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_BYTES 4096

enum { KEY_KIND = 0x2000, KEY_MINER, KEY_SECTOR, KEY_PROOF, KEY_RANDOMNESS, KEY_ROWS, KEY_PUBLIC };

struct arguments {
    cuzk_common *common;
    cuzk_fil_fields fields;
    char **file; /* of argv */
    size_t files;
    uint8_t randomness[32];
    bool kind, proof, rows;
    const char *public_inputs;
};

static const struct argp_option options[] = {
    {"kind", KEY_KIND, "KIND", 0, "porep, window, winning or update (required)", 0},
    {"miner", KEY_MINER, "N", 0, "porep: the miner's number (default: 1000)", 0},
    {"sector", KEY_SECTOR, "N", 0, "porep: the sector's number (default: 1)", 0},
    {"registered-proof", KEY_PROOF, "N", 0, "window, winning: the registered proof's number", 0},
    {"randomness", KEY_RANDOMNESS, "HEX", 0, "window, winning: 32 bytes", 0},
    {"rows", KEY_ROWS, NULL, 0,
     "Also compute the circuit's witness and check all of its rows, for each partition", 0},
    {"public", KEY_PUBLIC, "FILE", 0,
     "Write the public inputs, of all partitions in turn, as `cuzk verify` takes them", 0},
    {0}};

static const char doc[] =
    "Checks vanilla proofs as the service does before it proves anything. FILE: porep: the C1 "
    "output in its wrapper; window: one of each sector, in order; winning: one; update: the folder "
    "that `cuzk filecoin update` wrote.\v"
    "Example:\n"
    "  cuzk filecoin check --kind porep --rows c1.json\n"
    "  cuzk filecoin check --kind update update\n"
    "\n"
    "Exit codes: 0 valid; 3, 5 not valid; 7 a row is not satisfied. Others: see `cuzk --help`.";

static cuzk_fil_kind parse_kind(struct argp_state *state, const char *text)
{
    static const char *const names[] = {"porep", "update", "window", "winning"};
    for (unsigned i = 0; i < 4; i++) {
        if (strcmp(names[i], text) == 0)
            return (cuzk_fil_kind)(i + 1);
    }
    argp_error(state, "--kind=%s: expected porep, window, winning or update", text);
    return CUZK_FIL_POREP;
}

static void check_complete(const struct arguments *a, struct argp_state *state)
{
    const bool post = a->fields.kind == CUZK_FIL_WINDOW || a->fields.kind == CUZK_FIL_WINNING;
    if (!a->kind)
        argp_error(state, "--kind=KIND is missing");
    if (post && (!a->proof || a->fields.randomness.data == NULL))
        argp_error(state, "--registered-proof=N and --randomness=HEX are needed for this kind");
    if (a->fields.kind == CUZK_FIL_SNAP && a->files != 1)
        argp_error(state, "expected one folder, found %zu", a->files);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct arguments *a = state->input;
    switch (key) {
    case KEY_KIND:
        a->fields.kind = parse_kind(state, arg);
        a->kind = true;
        return 0;
    case KEY_MINER:
        a->fields.miner_id = cuzk_option_number(state, "--miner", arg);
        return 0;
    case KEY_SECTOR:
        a->fields.sector_number = cuzk_option_number(state, "--sector", arg);
        return 0;
    case KEY_PROOF: {
        const uint64_t id = cuzk_option_number(state, "--registered-proof", arg);
        a->fields.registered_proof = id < UINT32_MAX ? (unsigned)id : UINT32_MAX;
        a->proof = true;
        return 0;
    }
    case KEY_RANDOMNESS:
        cuzk_option_hex_32(a->randomness, state, "--randomness", arg);
        a->fields.randomness = (cuzk_fil_blob){a->randomness, 32};
        return 0;
    case KEY_ROWS:
        a->rows = true;
        return 0;
    case KEY_PUBLIC:
        a->public_inputs = arg;
        return 0;
    case ARGP_KEY_ARGS:
        a->file = state->argv + state->next;
        a->files = (size_t)(state->argc - state->next);
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "FILE is missing");
        return 0;
    case ARGP_KEY_SUCCESS:
        check_complete(a, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* --- files --- */

/* The vanilla proofs, and what update.json says. */
typedef struct material {
    cuzk_map **map;
    cuzk_fil_blob *blob;
    size_t n;
    uint8_t comm[3][32];
} material;

static void release(material *m)
{
    for (size_t i = 0; i < m->n; i++)
        cuzk_map_close(m->map[i]);
    free(m->map);
    free(m->blob);
}

static cuzk_status make_room(material *m, size_t n, cuzk_error *err)
{
    m->map = calloc(n, sizeof *m->map);
    m->blob = calloc(n, sizeof *m->blob);
    if (m->map == NULL || m->blob == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for %zu files", n);
    return CUZK_OK;
}

static cuzk_status add_file(material *m, const char *path, cuzk_error *err)
{
    CUZK_TRY(cuzk_map_open(&m->map[m->n], path, err));
    m->blob[m->n] = (cuzk_fil_blob){cuzk_map_data(m->map[m->n]), cuzk_map_size(m->map[m->n])};
    m->n++;
    return CUZK_OK;
}

static cuzk_status join(char out[PATH_BYTES], const char *folder, const char *name, cuzk_error *err)
{
    if (cuzk_path_join(out, folder, name))
        return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_ARGUMENT, "%.80s...: the folder's name is too long", folder);
}

/* Takes the registered proof and the commitments. */
static cuzk_status read_update(struct arguments *a, material *m, const char *path, cuzk_error *err)
{
    static const char *const names[3] = {"comm_r_old", "comm_r_new", "comm_d_new"};
    json_error_t at;
    json_t *o = json_load_file(path, JSON_REJECT_DUPLICATES, &at);
    if (o == NULL)
        return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: line %d: %s", path, at.line, at.text);
    const json_int_t id = json_integer_value(json_object_get(o, "registered_proof_id"));
    a->fields.registered_proof = id >= 0 && id < UINT32_MAX ? (unsigned)id : UINT32_MAX;
    cuzk_status status = CUZK_OK;
    for (size_t i = 0; i < 3 && status == CUZK_OK; i++) {
        const char *text = json_string_value(json_object_get(o, names[i]));
        if (text == NULL || !cuzk_hex_32_read(m->comm[i], text))
            status = cuzk_fail(err, CUZK_ERR_FORMAT, "%s: %s: expected 64 hexadecimal digits", path,
                               names[i]);
    }
    json_decref(o);
    a->fields.comm_r_old = (cuzk_fil_blob){m->comm[0], 32};
    a->fields.comm_r_new = (cuzk_fil_blob){m->comm[1], 32};
    a->fields.comm_d_new = (cuzk_fil_blob){m->comm[2], 32};
    return status;
}

static cuzk_status open_update(struct arguments *a, material *m, cuzk_error *err)
{
    char path[PATH_BYTES], name[48];
    cuzk_fil_proof proof;
    CUZK_TRY(join(path, a->file[0], "update.json", err));
    CUZK_TRY(read_update(a, m, path, err));
    CUZK_TRY(cuzk_fil_proof_get(&proof, CUZK_FIL_SNAP, a->fields.registered_proof, err));
    CUZK_TRY(make_room(m, proof.partitions, err));
    for (size_t k = 0; k < proof.partitions; k++) {
        snprintf(name, sizeof name, "partition-%zu.vproof", k);
        CUZK_TRY(join(path, a->file[0], name, err));
        CUZK_TRY(add_file(m, path, err));
    }
    return CUZK_OK;
}

static cuzk_status open_files(struct arguments *a, material *m, cuzk_error *err)
{
    if (a->fields.kind == CUZK_FIL_SNAP)
        return open_update(a, m, err);
    CUZK_TRY(make_room(m, a->files, err));
    for (size_t i = 0; i < a->files; i++)
        CUZK_TRY(add_file(m, a->file[i], err));
    return CUZK_OK;
}

/* --- checking --- */

static cuzk_status check_request(const struct arguments *a, const cuzk_fil_request *request,
                                 cuzk_pool *pool, cuzk_error *err)
{
    size_t rows = 0;
    CUZK_TRY(cuzk_fil_request_check(request, pool, err));
    if (a->rows)
        CUZK_TRY(cuzk_filecoin_check_rows(&rows, request, pool, err));
    if (a->public_inputs != NULL)
        CUZK_TRY(cuzk_filecoin_write_public(request, a->public_inputs, err));
    const cuzk_fil_proof *proof = cuzk_fil_request_proof(request);
    json_t *report = json_pack("{s:b, s:s, s:s, s:I, s:s}", "valid", 1, "registered_proof",
                               proof->name, "circuit", proof->circuit, "partitions",
                               (json_int_t)cuzk_fil_request_partitions(request), "key",
                               cuzk_fil_request_params(request)->name);
    if (a->rows)
        json_object_set_new(report, "rows_checked_in_each", json_integer((json_int_t)rows));
    return cuzk_output_report(report, a->common->json, err);
}

static cuzk_status check_files(struct arguments *a, cuzk_pool *pool, cuzk_error *err)
{
    material m = {0};
    cuzk_fil_request *request = NULL;
    cuzk_status status = open_files(a, &m, err);
    a->fields.vanilla = m.blob;
    a->fields.n_vanilla = m.n;
    if (status == CUZK_OK)
        status = cuzk_fil_request_read(&request, &a->fields, err);
    if (status == CUZK_OK)
        status = check_request(a, request, pool, err);
    cuzk_fil_request_free(request);
    release(&m);
    return status;
}

cuzk_status cuzk_filecoin_check(cuzk_common *common, int argc, char **argv, cuzk_error *err)
{
    const cuzk_usage usage = {
        .options = options, .parser = parse, .args_doc = "FILE...", .doc = doc};
    struct arguments a = {.common = common, .fields = {.miner_id = 1000, .sector_number = 1}};
    cuzk_pool *pool;
    cuzk_usage_parse(&usage, argc, argv, common, &a);
    CUZK_TRY(cuzk_common_pool(common, &pool, err));
    cuzk_status status = check_files(&a, pool, err);
    cuzk_pool_free(pool);
    return status;
}
