/* The target of an HTTP request: path and query, taken apart and checked. */
#ifndef CUZK_SERVER_HTTP_TARGET_H
#define CUZK_SERVER_HTTP_TARGET_H

#include "engine/core.h"

typedef enum cuzk_http_route {
    CUZK_ROUTE_NONE, /* nothing is there */
    CUZK_ROUTE_STATUS,
    CUZK_ROUTE_METRICS,
    CUZK_ROUTE_HEALTHZ,
    CUZK_ROUTE_READYZ,
    CUZK_ROUTE_CONFIG, /* /v1/config */
    CUZK_ROUTE_JOBS,   /* /v1/jobs?kind=&key=&id=&priority=&timeout_ms=..., see doc/http.md */
    CUZK_ROUTE_JOB,    /* /v1/jobs/ID?wait_ms= */
    CUZK_ROUTE_KEY,    /* /v1/keys/NAME */
} cuzk_http_route;

#define CUZK_HTTP_WAIT_MS_MAX 600000u

/* 32 bytes, given in hexadecimal. */
typedef struct cuzk_http_hex {
    uint8_t bytes[32];
    bool given;
} cuzk_http_hex;

typedef struct cuzk_http_target {
    cuzk_http_route route;
    char name[CUZK_REQUEST_ID_MAX + 1]; /* JOB: its id; KEY: its name; decoded */

    /* JOBS; what is not given is "" or 0, kind CIRCUIT, class_ NORMAL. */
    char id[CUZK_REQUEST_ID_MAX + 1], key[CUZK_KEY_NAME_MAX];
    cuzk_kind kind;
    cuzk_class class_;
    uint64_t timeout_ms;
    uint64_t registered_proof, miner_id, sector_number, partition_index;
    cuzk_http_hex randomness, comm_r_old, comm_r_new, comm_d_new;

    uint64_t wait_ms; /* JOB */
} cuzk_http_target;

/* Reads "/path?query". Escapes are decoded strictly; ids must be UTF-8 without control characters,
 * keys [A-Za-z0-9._/-] without "..", empty parts or a slash at the start. Unknown and repeated
 * parameters of /v1 are refused; elsewhere the query is ignored. Fails with CUZK_ERR_ARGUMENT; then
 * *target has its route only. */
cuzk_status cuzk_http_target_parse(cuzk_http_target *target, const char *text, cuzk_error *err);

#endif
