/* Real circuits: every folder with a circuit.zkey and a witness.wtns. */
#include "bench_proof.h"

#include "api/proving_key.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_PATH 4096

/* Circuits smaller than this say nothing about speed. */
#define MIN_ROWS 100

/* Rows of the circuit beside the key; without circuit.r1cs those of the key. */
static size_t count_rows(const char *folder, const cuzk_pk *pk)
{
    char path[MAX_PATH];
    cuzk_map *map;
    cuzk_r1cs_info info;
    size_t rows = pk->mat_a.rows;
    snprintf(path, sizeof path, "%s/circuit.r1cs", folder);
    if (cuzk_map_open(&map, path, NULL) != CUZK_OK)
        return rows;
    if (cuzk_r1cs_info_read(&info, map, NULL) == CUZK_OK)
        rows = info.constraints;
    cuzk_map_close(map);
    return rows;
}

/* The folder's own name; the curve has a column of its own. */
static void name_circuit(char *name, size_t size, const char *folder, const cuzk_curve *curve)
{
    const char *slash = strrchr(folder, '/');
    snprintf(name, size, "%s", slash == NULL ? folder : slash + 1);
    char *dash = strrchr(name, '-');
    if (dash != NULL && strcmp(dash + 1, curve->name) == 0)
        *dash = '\0';
}

static cuzk_status run_witness(cuzk_bench *bench, const char *folder, const cuzk_key *key,
                               const cuzk_map *map, cuzk_error *err)
{
    cuzk_wtns witness;
    CUZK_TRY(cuzk_key_read_witness(key, map, &witness, err));
    char name[32];
    name_circuit(name, sizeof name, folder, key->pk->vk.curve);
    cuzk_bench_job job = {.group = "fixtures",
                          .name = name,
                          .pk = key->pk,
                          .z = witness.z,
                          .rows = count_rows(folder, key->pk)};
    cuzk_status status = CUZK_OK;
    if (job.rows >= MIN_ROWS)
        status = cuzk_bench_prove(bench, &job, err);
    if (status == CUZK_OK && job.rows >= 1000 && !bench->options.quick)
        status = cuzk_bench_phases(bench, &job, err);
    cuzk_wtns_release(&witness);
    return status;
}

static cuzk_status run_folder(cuzk_bench *bench, const char *folder, cuzk_error *err)
{
    char path[MAX_PATH];
    cuzk_key *key;
    cuzk_map *map = NULL;
    snprintf(path, sizeof path, "%s/circuit.zkey", folder);
    if (access(path, R_OK) != 0)
        return CUZK_OK;
    CUZK_TRY(cuzk_key_load(&key, path, NULL, 0, NULL, bench->pool, err));
    cuzk_status status = CUZK_OK;
    snprintf(path, sizeof path, "%s/witness.wtns", folder);
    if (cuzk_bench_wants(bench, key->pk->vk.curve)) {
        status = cuzk_map_open(&map, path, err);
        if (status == CUZK_OK)
            status = run_witness(bench, folder, key, map, err);
    }
    cuzk_map_close(map);
    cuzk_key_close(key);
    return status;
}

static int keep_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* The folder itself and those in it, in order of their names. */
static cuzk_status run_tree(cuzk_bench *bench, const char *folder, cuzk_error *err)
{
    struct dirent **entries = NULL;
    cuzk_status status = run_folder(bench, folder, err);
    int n = scandir(folder, &entries, keep_visible, alphasort);
    for (int i = 0; i < n; i++) {
        char path[MAX_PATH];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (status == CUZK_OK)
            status = run_folder(bench, path, err);
        free(entries[i]);
    }
    free(entries);
    return status;
}

cuzk_status cuzk_bench_fixtures(cuzk_bench *bench, cuzk_error *err)
{
    for (size_t i = 0; i < bench->options.n_folders; i++)
        CUZK_TRY(run_tree(bench, bench->options.folders[i], err));
    return CUZK_OK;
}
