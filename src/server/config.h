/* The service's configuration: a TOML file whose keys are those of the table in config_keys.c. */
#ifndef CUZK_SERVER_CONFIG_H
#define CUZK_SERVER_CONFIG_H

#include "base/cache_folder.h"
#include "base/log.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CUZK_CONFIG_PATH "/data/zk/cuzk.toml" /* read if --config is not given, if it is there */

typedef struct cuzk_texts {
    char **text;
    size_t n;
} cuzk_texts;

#define CUZK_NUMBERS_MAX 16u
typedef struct cuzk_numbers {
    bool is_auto; /* no list, but the key's word for one that is found */
    size_t n;
    uint64_t number[CUZK_NUMBERS_MAX];
} cuzk_numbers;

/* Texts are never NULL; "" is "none". */
typedef struct cuzk_config {
    cuzk_texts listen;
    char *status_listen;

    uint64_t memory_total;  /* 0: found */
    uint64_t memory_margin; /* or CUZK_MARGIN_AUTO */
    uint64_t threads;       /* 0: all */
    cuzk_numbers gpus;      /* none: the processors */

    char *params_folder, *keys_folder; /* the latter "": the former; see cuzk_config_params */
    char *circuits_folder;             /* "": see cuzk_config_circuits */
    char *keys_digests;
    bool allow_test_params;

    char *store_folder;
    uint64_t durability; /* a cuzk_durability */
    uint64_t result_hours;

    uint64_t queue_jobs_max, queue_bytes_max, inflight_bytes_max, history_jobs_max;
    uint64_t orphan_grace_ms; /* or CUZK_NEVER */
    bool join_identical;

    uint64_t step_limit_ms, quarantine_ms; /* or CUZK_NEVER */

    char *token_file;
    bool allow_insecure;
    char *tls_cert, *tls_key, *tls_client_ca;

    uint64_t http_connections_max, http_body_max;
    uint64_t grpc_calls_max, grpc_receive_max;

    uint64_t log_level;  /* a cuzk_log_level, or one more for "trace" */
    uint64_t log_format; /* 1: JSON */

    char *source; /* the file that was read; "": none */
} cuzk_config;

/* A line for whoever started the service: keys without effect, a file that is not there. */
typedef void cuzk_config_note_fn(void *context, cuzk_log_level level, const char *line);

/* Defaults, then the file. path NULL: CUZK_CONFIG_PATH, which may be missing. Errors name file,
 * line and column, and a key that may have been meant. On success config is the caller's
 * (cuzk_config_release). */
cuzk_status cuzk_config_init(cuzk_config *config, const char *path, cuzk_config_note_fn *note,
                             void *context, cuzk_error *err);
/* The same from a text. */
cuzk_status cuzk_config_init_text(cuzk_config *config, const char *source, const char *text,
                                  size_t size, cuzk_config_note_fn *note, void *context,
                                  cuzk_error *err);
void cuzk_config_release(cuzk_config *config);

/* The folder of Filecoin's parameters: as configured, as FIL_PROOFS_PARAMETER_CACHE says, or the
 * default. */
const char *cuzk_config_params(const cuzk_config *config);

/* The folder of compiled circuits: as configured, or this user's, which is made if it is not there
 * and whose path is written to path. NULL: the user has none (base/cache_folder.h). */
const char *cuzk_config_circuits(const cuzk_config *config, char path[CUZK_CACHE_PATH_SIZE]);

/* Sets one key as an option of the command line does: key "daemon.listen", a list of one. */
cuzk_status cuzk_config_set(cuzk_config *config, const char *option, const char *key,
                            const char *text, cuzk_error *err);

/* The effective configuration as TOML, with what each key is for; freed by the caller. NULL: no
 * memory. */
char *cuzk_config_text(const cuzk_config *config);

cuzk_log_level cuzk_config_log_level(const cuzk_config *config);

#endif
