#include "cmd/service/servers.h"

#include "base/thread.h"
#include "cmd/service/service.h"
#include "cmd/service/token.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *or_null(const char *text)
{
    return text[0] == '\0' ? NULL : text;
}

static cuzk_gpu_choice choose_gpus(const cuzk_numbers *numbers)
{
    cuzk_gpu_choice choice = {.automatic = numbers->is_auto, .n = numbers->n};
    _Static_assert(CUZK_NUMBERS_MAX <= CUZK_GPUS_MAX, "a list is longer than a choice");
    memcpy(choice.number, numbers->number, sizeof numbers->number);
    return choice;
}

static cuzk_status open_engine(cuzk_servers *servers, const cuzk_config *config, cuzk_error *err)
{
    const char *params = cuzk_config_params(config);
    char circuits[CUZK_CACHE_PATH_SIZE];
    const cuzk_engine_config engine = {
        .memory_total = config->memory_total,
        .memory_margin = config->memory_margin,
        .threads = (unsigned)config->threads,
        .gpus = choose_gpus(&config->gpus),
        .keys_folder = config->keys_folder[0] != '\0' ? config->keys_folder : params,
        .params_folder = params,
        .circuits_folder = cuzk_config_circuits(config, circuits),
        .allow_test_params = config->allow_test_params,
        .keys_digests = or_null(config->keys_digests),
        .store_folder = or_null(config->store_folder),
        .durability = (cuzk_durability)config->durability,
        .result_hours = config->result_hours,
        .queue_jobs_max = config->queue_jobs_max,
        .queue_bytes_max = config->queue_bytes_max,
        .history_jobs_max = config->history_jobs_max,
        .join_identical = config->join_identical,
        .orphan_grace_ms = config->orphan_grace_ms,
        .inflight_bytes_max = config->inflight_bytes_max,
        .quarantine_ms = config->quarantine_ms,
        .step_limit_ms = config->step_limit_ms,
    };
    return cuzk_engine_open(&servers->engine, &engine, err);
}

static cuzk_status open_grpc(cuzk_servers *servers, const cuzk_config *config, const char *token,
                             cuzk_error *err)
{
    const cuzk_grpc_config grpc = {
        .addresses = (const char *const *)config->listen.text,
        .addresses_count = config->listen.n,
        .tls_cert_file = or_null(config->tls_cert),
        .tls_key_file = or_null(config->tls_key),
        .tls_client_ca_file = or_null(config->tls_client_ca),
        .token = token,
        .allow_unauthenticated = config->allow_insecure,
        .receive_bytes_max = config->grpc_receive_max,
        .concurrent_calls = (unsigned)config->grpc_calls_max,
    };
    if (config->listen.n == 0)
        return CUZK_OK;
    return cuzk_grpc_open(&servers->grpc, &grpc, servers->engine, err);
}

static cuzk_status open_http(cuzk_servers *servers, const cuzk_config *config, const char *token,
                             cuzk_error *err)
{
    if (config->status_listen[0] == '\0')
        return CUZK_OK;
    char *text = cuzk_config_text(config);
    const cuzk_http_config http = {
        .listen = config->status_listen,
        .token = token,
        .tls_cert = or_null(config->tls_cert),
        .tls_key = or_null(config->tls_key),
        .tls_client_ca = or_null(config->tls_client_ca),
        .allow_insecure = config->allow_insecure,
        .config_text = text,
        .connections_max = (unsigned)config->http_connections_max,
        .body_max = config->http_body_max,
    };
    cuzk_status status = text == NULL ? cuzk_fail(err, CUZK_ERR_MEMORY, "HTTP: no memory")
                                      : cuzk_http_open(&servers->http, servers->engine, &http, err);
    free(text);
    return status;
}

static void append(cuzk_servers *servers, const char *before, const char *text)
{
    size_t used = strlen(servers->where);
    snprintf(servers->where + used, sizeof servers->where - used, "%s%s", before, text);
}

/* Addresses as they are: a port that was left to the system is named. */
static void note_addresses(cuzk_servers *servers, const cuzk_config *config)
{
    for (size_t i = 0; i < config->listen.n; i++) {
        char address[256];
        unsigned port = cuzk_grpc_port(servers->grpc, i);
        const char *text = config->listen.text[i], *colon = strrchr(text, ':');
        if (port != 0 && colon != NULL)
            snprintf(address, sizeof address, "%.*s:%u", (int)(colon - text), text, port);
        else
            snprintf(address, sizeof address, "%s", text);
        append(servers, i == 0 ? "gRPC on " : ", ", address);
    }
    if (servers->http != NULL)
        append(servers, config->listen.n > 0 ? "; HTTP on " : "HTTP on ",
               cuzk_http_address(servers->http));
}

int cuzk_servers_open(cuzk_servers *servers, const cuzk_config *config, cuzk_error *err)
{
    char *token = NULL;
    *servers = (cuzk_servers){0};
    if (config->listen.n == 0 && config->status_listen[0] == '\0')
        return (int)cuzk_fail(
            err, CUZK_ERR_ARGUMENT,
            "nobody could reach the service: daemon.listen and daemon.status_listen "
            "are empty");
    cuzk_status status = cuzk_token_read(&token, config->token_file, err);
    if (status == CUZK_OK)
        status = open_engine(servers, config, err);
    int code = (int)status;
    if (status == CUZK_OK) {
        cuzk_thread_be_prompt(); /* and with this one the servers' threads */
        status = open_grpc(servers, config, token, err);
        if (status == CUZK_OK)
            status = open_http(servers, config, token, err);
        code = status == CUZK_ERR_IO ? CUZK_EXIT_LISTEN : (int)status;
    }
    free(token);
    if (code == 0)
        note_addresses(servers, config);
    else
        cuzk_servers_close(servers, 0);
    return code;
}

void cuzk_servers_close(cuzk_servers *servers, uint64_t grace_ms)
{
    if (servers->http != NULL)
        cuzk_http_stop(servers->http);
    if (servers->grpc != NULL)
        cuzk_grpc_stop(servers->grpc, grace_ms);
    cuzk_http_close(servers->http);
    cuzk_grpc_close(servers->grpc);
    if (servers->engine != NULL)
        cuzk_engine_close(servers->engine);
    *servers = (cuzk_servers){0};
}
