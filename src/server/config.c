#define _GNU_SOURCE
#include "server/config.h"
#include "server/config_value.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MAX ((size_t)1 << 20)

struct reading {
    cuzk_config *config;
    const char *source;
    cuzk_config_note_fn *note;
    void *context;
};

static cuzk_status fail_unknown(const char *place, const char *what, const char *name,
                                cuzk_error *err)
{
    const char *meant = cuzk_config_key_suggest(name);
    return cuzk_fail(err, CUZK_ERR_FORMAT,
                     "%s: unknown %s %.100s%s%s%s; `cuzk serve --print-config` shows all", place,
                     what, name, meant == NULL ? "" : ": did you mean ", meant == NULL ? "" : meant,
                     meant == NULL ? "" : "?");
}

static void note_inert(const struct reading *reading, const cuzk_config_key *key, const char *place)
{
    char line[512];
    snprintf(line, sizeof line, "%s: %s has no effect: %s", place, key->name, key->note);
    reading->note(reading->context, CUZK_LOG_WARN, line);
}

static cuzk_status take(void *context, const cuzk_toml_value *value, cuzk_error *err)
{
    const struct reading *reading = context;
    char place[300];
    snprintf(place, sizeof place, "%.200s:%u:%u", reading->source, value->line, value->column);
    if (value->kind == CUZK_TOML_TABLE && !value->in_list)
        return cuzk_config_has_section(value->key)
                   ? CUZK_OK
                   : fail_unknown(place, "section", value->key, err);
    const cuzk_config_key *key = cuzk_config_key_find(value->key);
    if (key == NULL)
        return fail_unknown(place, "key", value->key, err);
    if (key->use == CUZK_CONFIG_INERT && !value->in_list)
        note_inert(reading, key, place);
    return cuzk_config_put(reading->config, key, value, place, err);
}

/* The defaults as a document, which is then read like any other. */
static char *default_text(size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (out == NULL)
        return NULL;
    for (size_t i = 0; i < cuzk_config_keys_count; i++)
        if (cuzk_config_keys[i].use == CUZK_CONFIG_LIVE)
            fprintf(out, "%s = %s\n", cuzk_config_keys[i].name, cuzk_config_keys[i].initial);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

static cuzk_status put_defaults(cuzk_config *config, cuzk_error *err)
{
    size_t size = 0;
    char *text = default_text(&size);
    config->source = strdup("");
    if (text == NULL || config->source == NULL) {
        free(text);
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for the configuration");
    }
    struct reading reading = {.config = config, .source = "defaults"};
    cuzk_status status = cuzk_toml_read("defaults", text, size, take, &reading, err);
    free(text);
    return status;
}

/* Keys that are right one by one, but not together. */
static cuzk_status check_whole(const cuzk_config *config, const char *source, cuzk_error *err)
{
    if ((config->tls_cert[0] == '\0') != (config->tls_key[0] == '\0'))
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "%s: tls.cert and tls.key go together", source);
    if (config->tls_client_ca[0] != '\0' && config->tls_cert[0] == '\0')
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "%s: tls.client_ca needs tls.cert and tls.key: without TLS nobody shows a "
                         "certificate",
                         source);
    if (config->queue_jobs_max == 0 || config->queue_bytes_max == 0 ||
        config->inflight_bytes_max == 0 || config->history_jobs_max == 0 ||
        config->result_hours == 0)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "%s: store.result_hours and the limits of [queue] must be above 0: with 0 "
                         "no job could be taken or collected",
                         source);
    if (config->step_limit_ms == 0 || config->quarantine_ms == 0)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "%s: device.step_limit and device.quarantine must be above 0; "
                         "step_limit = \"never\" lets steps take as long as they do",
                         source);
    return CUZK_OK;
}

cuzk_status cuzk_config_init_text(cuzk_config *config, const char *source, const char *text,
                                  size_t size, cuzk_config_note_fn *note, void *context,
                                  cuzk_error *err)
{
    cuzk_config made = {0};
    struct reading reading = {&made, source, note, context};
    cuzk_status status = put_defaults(&made, err);
    if (status == CUZK_OK)
        status = cuzk_toml_read(source, text, size, take, &reading, err);
    if (status == CUZK_OK)
        status = check_whole(&made, source, err);
    if (status == CUZK_OK)
        *config = made;
    else
        cuzk_config_release(&made);
    return status;
}

static cuzk_status read_file(FILE *file, const char *path, char **text, size_t *size,
                             cuzk_error *err)
{
    *text = malloc(FILE_MAX + 1);
    if (*text == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory to read it", path);
    *size = fread(*text, 1, FILE_MAX + 1, file);
    if (ferror(file) != 0)
        return cuzk_fail(err, CUZK_ERR_IO, "%s: cannot be read: %s", path, strerror(errno));
    if (*size > FILE_MAX)
        return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: larger than 1 MiB, so no configuration", path);
    return CUZK_OK;
}

static cuzk_status init_file(cuzk_config *config, FILE *file, const char *path,
                             cuzk_config_note_fn *note, void *context, cuzk_error *err)
{
    char *text = NULL;
    size_t size = 0;
    cuzk_status status = read_file(file, path, &text, &size, err);
    if (status == CUZK_OK)
        status = cuzk_config_init_text(config, path, text, size, note, context, err);
    free(text);
    CUZK_TRY(status);
    char *source = strdup(path);
    if (source == NULL) {
        cuzk_config_release(config);
        return cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory to read it", path);
    }
    free(config->source);
    config->source = source;
    return CUZK_OK;
}

cuzk_status cuzk_config_init(cuzk_config *config, const char *path, cuzk_config_note_fn *note,
                             void *context, cuzk_error *err)
{
    const char *name = path == NULL ? CUZK_CONFIG_PATH : path;
    FILE *file = fopen(name, "re");
    if (file == NULL && path == NULL && (errno == ENOENT || errno == ENOTDIR)) {
        note(context, CUZK_LOG_INFO, CUZK_CONFIG_PATH ": not there; defaults apply");
        return cuzk_config_init_text(config, "defaults", "", 0, note, context, err);
    }
    if (file == NULL)
        return cuzk_fail(err, CUZK_ERR_IO, "%s: the configuration cannot be read: %s", name,
                         strerror(errno));
    cuzk_status status = init_file(config, file, name, note, context, err);
    fclose(file);
    return status;
}

void cuzk_config_release(cuzk_config *config)
{
    for (size_t i = 0; i < cuzk_config_keys_count; i++) {
        const cuzk_config_key *key = &cuzk_config_keys[i];
        void *field = (char *)config + key->offset;
        if (key->use != CUZK_CONFIG_LIVE)
            continue;
        if (key->type == CUZK_CONFIG_TEXT)
            free(*(char **)field);
        else if (key->type == CUZK_CONFIG_TEXTS)
            cuzk_texts_release(field);
    }
    free(config->source);
    *config = (cuzk_config){0};
}

cuzk_status cuzk_config_set(cuzk_config *config, const char *option, const char *key,
                            const char *text, cuzk_error *err)
{
    const cuzk_config_key *found = cuzk_config_key_find(key);
    CUZK_ASSERT(found != NULL);
    cuzk_toml_value value = {.key = key, .kind = CUZK_TOML_TEXT, .text = text};
    return cuzk_config_put(config, found, &value, option, err);
}

char *cuzk_config_text(const cuzk_config *config)
{
    char *text = NULL;
    size_t size = 0;
    const char *section = "";
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return NULL;
    for (size_t i = 0; i < cuzk_config_keys_count; i++) {
        const cuzk_config_key *key = &cuzk_config_keys[i];
        size_t length = strcspn(key->name, ".");
        if (key->use != CUZK_CONFIG_LIVE)
            continue;
        if (strncmp(section, key->name, length + 1) != 0)
            fprintf(out, "%s[%.*s]\n", i == 0 ? "" : "\n", (int)length, key->name);
        section = key->name;
        fprintf(out, "%s = ", key->name + length + 1);
        cuzk_config_print_value(out, config, key);
        fprintf(out, "%s%s\n", key->note[0] == '\0' ? "" : " # ", key->note);
    }
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

cuzk_log_level cuzk_config_log_level(const cuzk_config *config)
{
    return config->log_level > CUZK_LOG_DEBUG ? CUZK_LOG_DEBUG : (cuzk_log_level)config->log_level;
}

const char *cuzk_config_circuits(const cuzk_config *config, char path[CUZK_CACHE_PATH_SIZE])
{
    if (config->circuits_folder[0] != '\0')
        return config->circuits_folder;
    return cuzk_cache_folder(path, "circuits", true) ? path : NULL;
}

const char *cuzk_config_params(const cuzk_config *config)
{
    const char *from_environment = getenv("FIL_PROOFS_PARAMETER_CACHE");
    if (config->params_folder[0] != '\0')
        return config->params_folder;
    return from_environment != NULL && from_environment[0] != '\0' ? from_environment
                                                                   : "/data/zk/params";
}
