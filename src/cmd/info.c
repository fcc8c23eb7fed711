/* cuzk info: what a file is. Each kind adds its lines to one report. */
#include "api/file_kind.h"
#include "base/digest.h"
#include "base/progress.h"
#include "cmd/command.h"
#include "cmd/info_kinds.h"
#include "cmd/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGEST_CHUNK ((size_t)16 << 20)

static const char doc[] =
    "Says what FILE is (.r1cs, .wtns, .zkey, .ptau, .params, .vk, proofs, JSON of snarkjs), its "
    "curve and "
    "sizes, its digests, and what is wrong with it, such as a key whose phase 2 was never run.\v"
    "Example:\n"
    "  cuzk info circuit.zkey\n"
    "\n"
    "Exit codes: 0 if the file could be read, problems or not; else see `cuzk --help`.";

static cuzk_status feed_file(cuzk_digest *const digests[2], const cuzk_map *map, cuzk_error *err)
{
    const uint8_t *data = cuzk_map_data(map);
    size_t size = cuzk_map_size(map);
    cuzk_progress *progress = cuzk_progress_start("reading", size + 1);
    cuzk_status status = CUZK_OK;
    for (size_t at = 0; at < size && status == CUZK_OK; at += DIGEST_CHUNK) {
        size_t n = size - at < DIGEST_CHUNK ? size - at : DIGEST_CHUNK;
        for (size_t i = 0; i < 2 && status == CUZK_OK; i++)
            status = cuzk_digest_update(digests[i], data + at, n, err);
        cuzk_progress_add(progress, n);
    }
    cuzk_progress_end(progress);
    return status;
}

static cuzk_status finish_digest(json_t *report, const char *name, cuzk_digest *digest, size_t n,
                                 cuzk_error *err)
{
    uint8_t bytes[CUZK_DIGEST_MAX_BYTES];
    char text[2 * CUZK_DIGEST_MAX_BYTES + 1];
    CUZK_TRY(cuzk_digest_finish(digest, bytes, err));
    for (size_t i = 0; i < n; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    json_object_set_new(report, name, json_string(text));
    return CUZK_OK;
}

/* SHA-256, and the first 16 bytes of BLAKE2b-512, by which Filecoin's parameter files are known. */
static cuzk_status add_digests(json_t *report, const cuzk_map *map, cuzk_error *err)
{
    cuzk_digest *digests[2] = {0};
    cuzk_status status = cuzk_digest_new(&digests[0], CUZK_SHA256, err);
    if (status == CUZK_OK)
        status = cuzk_digest_new(&digests[1], CUZK_BLAKE2B, err);
    if (status == CUZK_OK)
        status = feed_file(digests, map, err);
    if (status == CUZK_OK)
        status = finish_digest(report, "sha256", digests[0], CUZK_SHA256_BYTES, err);
    if (status == CUZK_OK)
        status = finish_digest(report, "blake2b_16", digests[1], 16, err);
    cuzk_digest_free(digests[0]);
    cuzk_digest_free(digests[1]);
    return status == CUZK_OK ? cuzk_map_check(map, err) : status;
}

static cuzk_status describe(json_t *report, const cuzk_map *map, cuzk_error *err)
{
    cuzk_file_kind kind = cuzk_file_kind_find(map);
    if (kind == CUZK_FILE_UNKNOWN || kind == CUZK_FILE_EMPTY || kind == CUZK_FILE_OTHER_JSON)
        return cuzk_file_kind_fail(map, kind, "a file of circom, snarkjs or bellperson", err);
    json_object_set_new(report, "file", json_string(cuzk_map_name(map)));
    json_object_set_new(report, "kind", json_string(cuzk_file_kind_text(kind)));
    json_object_set_new(report, "bytes", json_integer((json_int_t)cuzk_map_size(map)));
    json_t *problems = json_array();
    cuzk_status status = cuzk_info_add(report, problems, kind, map, err);
    if (status == CUZK_OK)
        status = add_digests(report, map, err);
    json_object_set_new(report, "problems", problems);
    return status;
}

static cuzk_status run(cuzk_common *common, int argc, char **argv, cuzk_error *err)
{
    const cuzk_usage usage = {
        .parser = cuzk_positionals_only, .args_doc = "FILE", .doc = doc, .json_only = true};
    cuzk_positionals files = {.least = 1, .most = 1};
    cuzk_usage_parse(&usage, argc, argv, common, &files);
    cuzk_map *map;
    CUZK_TRY(cuzk_map_open(&map, files.value[0], err));
    json_t *report = json_object();
    cuzk_status status = describe(report, map, err);
    if (status == CUZK_OK)
        status = cuzk_output_report(report, common->json, err);
    else
        json_decref(report);
    cuzk_map_close(map);
    return status;
}

const cuzk_command cuzk_command_info = {
    .name = "info", .summary = "say what a file is, and what is wrong with it", .run = run};
