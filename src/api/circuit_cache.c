#define _GNU_SOURCE
#include "api/circuit_cache.h"

#include "base/cache_folder.h"
#include "base/clock.h"
#include "base/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_usable(const char *folder)
{
    (void)mkdir(folder, 0700); /* whether it is there now is asked next */
    const int fd = cuzk_cache_folder_open(folder);
    if (fd < 0) {
        cuzk_log(CUZK_LOG_WARN,
                 "circuits are compiled at each load: %s is not a folder to which this user alone "
                 "may write: see srs.circuit_cache",
                 folder);
        return false;
    }
    close(fd);
    return true;
}

static void save(const cuzk_compiled *compiled, const cuzk_fil_proof *proof, const char *path)
{
    uint8_t id[CUZK_CIRCUIT_ID_BYTES];
    cuzk_error err = {0};
    if (cuzk_fil_circuit_id(id, proof, &err) != CUZK_OK ||
        cuzk_compiled_save(compiled, id, path, &err) != CUZK_OK)
        cuzk_log(CUZK_LOG_WARN, "circuit %s is not kept: %s", proof->circuit, err.message);
}

static cuzk_status compile_and_save(cuzk_compiled **compiled, const cuzk_fil_proof *proof,
                                    const char *path, cuzk_error *err)
{
    const uint64_t start = cuzk_clock_ns();
    CUZK_TRY(cuzk_fil_circuit_compile(compiled, proof, err));
    const double seconds = (double)(cuzk_clock_ns() - start) * 1e-9;
    cuzk_log(CUZK_LOG_INFO, "circuit %s: compiled in %.3f s, kept in %s", proof->circuit, seconds,
             path);
    save(*compiled, proof, path);
    return CUZK_OK;
}

cuzk_status cuzk_circuit_cache_take(cuzk_compiled **compiled, const cuzk_fil_proof *proof,
                                    const char *folder, cuzk_error *err)
{
    cuzk_error why = {0};
    char *path;
    if (folder == NULL || !is_usable(folder))
        return cuzk_fil_circuit_compile(compiled, proof, err);
    if (asprintf(&path, "%s/%s.circuit", folder, proof->circuit) < 0)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a path");
    const bool is_there = access(path, F_OK) == 0;
    cuzk_status status = CUZK_OK;
    if (!is_there || cuzk_fil_circuit_open(compiled, path, proof, &why) != CUZK_OK) {
        if (is_there)
            cuzk_log(CUZK_LOG_WARN, "circuit %s is made again: %s", proof->circuit, why.message);
        status = compile_and_save(compiled, proof, path, err);
    }
    free(path);
    return status;
}
