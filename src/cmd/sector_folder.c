#include "cmd/sector_folder.h"

#include "base/bytes.h"
#include "base/map.h"
#include "cmd/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PATH_BYTES 4096

/* --- small things --- */

void cuzk_seed_bytes(uint8_t out[32], uint64_t seed)
{
    memset(out, 0, 32);
    cuzk_store_le64(out, seed);
}

void cuzk_seed_chance(uint8_t out[32], uint64_t seed, uint64_t number)
{
    uint8_t bytes[32];
    cuzk_seed_bytes(bytes, seed);
    const cuzk_scalar value = cuzk_seeded_value(bytes, CUZK_SEEDED_CHANCE, 0, number);
    memcpy(out, value.l, 32);
}

cuzk_hex_32 cuzk_hex_32_write(const void *bytes)
{
    const uint8_t *b = bytes;
    cuzk_hex_32 hex;
    for (size_t i = 0; i < 32; i++)
        snprintf(hex.text + 2 * i, 3, "%02x", b[i]);
    return hex;
}

bool cuzk_hex_32_read(uint8_t bytes[32], const char *text)
{
    static const char digits[] = "0123456789abcdef";
    if (strlen(text) != 64 || strspn(text, digits) != 64)
        return false;
    for (size_t i = 0; i < 32; i++) {
        const char *high = strchr(digits, text[2 * i]), *low = strchr(digits, text[2 * i + 1]);
        bytes[i] = (uint8_t)((high - digits) << 4 | (low - digits));
    }
    return true;
}

bool cuzk_path_join(char out[PATH_BYTES], const char *folder, const char *name)
{
    return snprintf(out, PATH_BYTES, "%s/%s", folder, name) < PATH_BYTES;
}

static cuzk_status join(char out[PATH_BYTES], const char *folder, const char *name, cuzk_error *err)
{
    if (cuzk_path_join(out, folder, name))
        return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_ARGUMENT, "%.80s...: the folder's name is too long", folder);
}

/* --- making --- */

static void set_hex(json_t *report, const char *name, const void *bytes)
{
    json_object_set_new(report, name, json_string(cuzk_hex_32_write(bytes).text));
}

json_t *cuzk_sector_folder_describe(const cuzk_sector_folder *folder)
{
    const cuzk_sector *s = &folder->sealed;
    json_t *report =
        json_pack("{s:s, s:I, s:I, s:I, s:I, s:b, s:I}", "registered_proof", folder->proof.name,
                  "registered_proof_id", (json_int_t)folder->proof.id, "sector_bytes",
                  (json_int_t)folder->proof.sector_bytes, "miner", (json_int_t)folder->miner,
                  "sector", (json_int_t)folder->sector, "sparse", (int)folder->sparse, "seed",
                  (json_int_t)folder->seed);
    set_hex(report, "ticket", folder->ticket);
    if (folder->sparse)
        return report;
    set_hex(report, "replica_id", &s->replica_id);
    set_hex(report, "comm_d", &s->comm_d);
    set_hex(report, "comm_r", &s->comm_r);
    set_hex(report, "comm_c", &s->comm_c);
    set_hex(report, "comm_r_last", &s->comm_r_last);
    return report;
}

static cuzk_status seal(cuzk_sector_folder *folder, const cuzk_scalar *data, cuzk_pool *pool,
                        cuzk_error *err)
{
    cuzk_seal_source source = {
        .proof = folder->proof, .miner = folder->miner, .sector = folder->sector, .data = data};
    memcpy(source.ticket, folder->ticket, sizeof source.ticket);
    return cuzk_sector_seal(&folder->sealed, &source, pool, err);
}

static cuzk_status seal_seeded(cuzk_sector_folder *folder, cuzk_pool *pool, cuzk_error *err)
{
    uint8_t seed[32];
    if (folder->proof.sector_bytes > CUZK_SEALED_MAX_BYTES)
        return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                         "sectors of more than 8 MiB are not sealed here; use --sparse");
    cuzk_scalar *data = malloc(folder->proof.nodes * sizeof *data);
    if (data == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a sector's data");
    cuzk_seed_bytes(seed, folder->seed);
    for (uint64_t i = 0; i < folder->proof.nodes; i++)
        data[i] = cuzk_seeded_value(seed, CUZK_SEEDED_DATA, 0, i);
    cuzk_status status = seal(folder, data, pool, err);
    free(data);
    return status;
}

static cuzk_status write_nodes(const cuzk_sector_folder *folder, const char *path, const char *name,
                               const cuzk_scalar *nodes, cuzk_error *err)
{
    char file[PATH_BYTES];
    CUZK_TRY(join(file, path, name, err));
    return cuzk_output_write(file, nodes, folder->proof.sector_bytes, err);
}

static cuzk_status write_description(const cuzk_sector_folder *folder, const char *path,
                                     cuzk_error *err)
{
    char file[PATH_BYTES];
    CUZK_TRY(join(file, path, "sector.json", err));
    json_t *report = cuzk_sector_folder_describe(folder);
    char *text = json_dumps(report, JSON_INDENT(1));
    cuzk_status status = text == NULL ? cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for %s", file)
                                      : cuzk_output_write(file, text, strlen(text), err);
    free(text);
    json_decref(report);
    return status;
}

cuzk_status cuzk_sector_folder_make(cuzk_sector_folder *folder, const char *path, cuzk_pool *pool,
                                    cuzk_error *err)
{
    if (!folder->sparse)
        CUZK_TRY(seal_seeded(folder, pool, err));
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return cuzk_fail(err, CUZK_ERR_IO, "%s: the folder cannot be made: %s", path,
                         strerror(errno));
    if (!folder->sparse) {
        CUZK_TRY(write_nodes(folder, path, "unsealed", folder->sealed.d.row[0], err));
        CUZK_TRY(write_nodes(folder, path, "sealed", folder->sealed.r.row[0], err));
    }
    return write_description(folder, path, err);
}

/* --- opening --- */

static cuzk_status read_number(uint64_t *out, const json_t *o, const char *name, const char *file,
                               cuzk_error *err)
{
    const json_t *value = json_object_get(o, name);
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: %s: expected a number", file, name);
    *out = (uint64_t)json_integer_value(value);
    return CUZK_OK;
}

static cuzk_status read_hex(uint8_t out[32], const json_t *o, const char *name, const char *file,
                            cuzk_error *err)
{
    const char *text = json_string_value(json_object_get(o, name));
    if (text == NULL || !cuzk_hex_32_read(out, text))
        return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: %s: expected 64 hexadecimal digits", file,
                         name);
    return CUZK_OK;
}

/* Fills all but `sealed`; comm_r is not read for sparse sectors. */
static cuzk_status read_members(cuzk_sector_folder *folder, uint8_t comm_r[32], const json_t *o,
                                const char *file, cuzk_error *err)
{
    uint64_t id = 0;
    CUZK_TRY(read_number(&id, o, "registered_proof_id", file, err));
    CUZK_TRY(read_number(&folder->miner, o, "miner", file, err));
    CUZK_TRY(read_number(&folder->sector, o, "sector", file, err));
    CUZK_TRY(read_number(&folder->seed, o, "seed", file, err));
    CUZK_TRY(read_hex(folder->ticket, o, "ticket", file, err));
    if (!json_is_boolean(json_object_get(o, "sparse")))
        return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: sparse: expected true or false", file);
    folder->sparse = json_is_true(json_object_get(o, "sparse"));
    CUZK_TRY(cuzk_fil_proof_get(&folder->proof, CUZK_FIL_POREP,
                                id < UINT32_MAX ? (unsigned)id : UINT32_MAX, err));
    return folder->sparse ? CUZK_OK : read_hex(comm_r, o, "comm_r", file, err);
}

static cuzk_status read_description(cuzk_sector_folder *folder, uint8_t comm_r[32],
                                    const char *path, cuzk_error *err)
{
    char file[PATH_BYTES];
    cuzk_map *map;
    json_error_t at;
    CUZK_TRY(join(file, path, "sector.json", err));
    CUZK_TRY(cuzk_map_open(&map, file, err));
    json_t *o = json_loadb((const char *)cuzk_map_data(map), cuzk_map_size(map),
                           JSON_REJECT_DUPLICATES, &at);
    cuzk_status status =
        o == NULL ? cuzk_fail(err, CUZK_ERR_FORMAT, "%s: line %d: %s", file, at.line, at.text)
                  : read_members(folder, comm_r, o, file, err);
    json_decref(o);
    cuzk_map_close(map);
    return status;
}

/* Maps a file of as many nodes as the sector has. */
static cuzk_status open_nodes(cuzk_map **map, const cuzk_sector_folder *folder, const char *path,
                              const char *name, cuzk_error *err)
{
    char file[PATH_BYTES];
    CUZK_TRY(join(file, path, name, err));
    CUZK_TRY(cuzk_map_open(map, file, err));
    if (cuzk_map_size(*map) == folder->proof.sector_bytes)
        return CUZK_OK;
    cuzk_status status =
        cuzk_fail(err, CUZK_ERR_FORMAT, "%s: found %zu bytes, expected %llu", file,
                  cuzk_map_size(*map), (unsigned long long)folder->proof.sector_bytes);
    cuzk_map_close(*map);
    return status;
}

static cuzk_status compare(const cuzk_sector_folder *folder, const uint8_t comm_r[32],
                           const cuzk_map *replica, const char *path, cuzk_error *err)
{
    if (memcmp(&folder->sealed.comm_r, comm_r, 32) != 0)
        return cuzk_fail(err, CUZK_ERR_MISMATCH,
                         "%s: sector.json and unsealed give comm_r %s, sector.json says %s", path,
                         cuzk_hex_32_write(&folder->sealed.comm_r).text,
                         cuzk_hex_32_write(comm_r).text);
    if (memcmp(folder->sealed.r.row[0], cuzk_map_data(replica), cuzk_map_size(replica)) != 0)
        return cuzk_fail(err, CUZK_ERR_MISMATCH, "%s: sealed is not what unsealed is sealed to",
                         path);
    return CUZK_OK;
}

static cuzk_status seal_again(cuzk_sector_folder *folder, const uint8_t comm_r[32],
                              const char *path, cuzk_pool *pool, cuzk_error *err)
{
    cuzk_map *data, *replica;
    if (folder->proof.sector_bytes > CUZK_SEALED_MAX_BYTES)
        return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                         "%s: a sector of more than 8 MiB that is not sparse", path);
    CUZK_TRY(open_nodes(&data, folder, path, "unsealed", err));
    cuzk_status status = open_nodes(&replica, folder, path, "sealed", err);
    if (status == CUZK_OK) {
        status = seal(folder, (const cuzk_scalar *)(const void *)cuzk_map_data(data), pool, err);
        if (status == CUZK_OK)
            status = compare(folder, comm_r, replica, path, err);
        cuzk_map_close(replica);
    }
    cuzk_map_close(data);
    return status;
}

cuzk_status cuzk_sector_folder_open(cuzk_sector_folder *folder, const char *path, cuzk_pool *pool,
                                    cuzk_error *err)
{
    uint8_t comm_r[32] = {0};
    *folder = (cuzk_sector_folder){0};
    CUZK_TRY(read_description(folder, comm_r, path, err));
    return folder->sparse ? CUZK_OK : seal_again(folder, comm_r, path, pool, err);
}

void cuzk_sector_folder_release(cuzk_sector_folder *folder)
{
    cuzk_sector_release(&folder->sealed);
}
