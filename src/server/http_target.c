#include "server/http_target.h"

#include "base/hex.h"

#include <string.h>

/* Decodes %XX of text[0..n) into out as a C string. */
static cuzk_status decode(char *out, size_t room, const char *text, size_t n, const char *what,
                          cuzk_error *err)
{
    size_t size = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '%') {
            int high = n - i > 2 ? cuzk_hex_digit(text[i + 1]) : -1;
            int low = n - i > 2 ? cuzk_hex_digit(text[i + 2]) : -1;
            if (high < 0 || low < 0)
                return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                                 "%s: an escape is not %% and two hexadecimal digits", what);
            c = (unsigned char)(high * 16 + low);
            i += 2;
        }
        if (c < 0x20 || c == 0x7f)
            return cuzk_fail(err, CUZK_ERR_ARGUMENT, "%s: holds the control character 0x%02x", what,
                             c);
        if (size + 1 >= room)
            return cuzk_fail(err, CUZK_ERR_ARGUMENT, "%s: is longer than %zu bytes", what,
                             room - 1);
        out[size++] = (char)c;
    }
    out[size] = '\0';
    return CUZK_OK;
}

/* The length of the UTF-8 sequence at s; 0: none is well formed there. */
static size_t utf8_length(const unsigned char *s)
{
    static const struct {
        unsigned char first, last, low, high; /* range of the first byte, and of the second */
        size_t length;
    } forms[] = {
        {0x01, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        if (s[0] < forms[f].first || s[0] > forms[f].last)
            continue;
        if (forms[f].length > 1 && (s[1] < forms[f].low || s[1] > forms[f].high))
            return 0;
        for (size_t i = 2; i < forms[f].length; i++)
            if (s[i] < 0x80 || s[i] > 0xbf)
                return 0;
        return forms[f].length;
    }
    return 0;
}

static cuzk_status check_id(const char *id, const char *what, cuzk_error *err)
{
    const unsigned char *s = (const unsigned char *)id;
    while (*s != '\0') {
        size_t length = utf8_length(s);
        if (length == 0)
            return cuzk_fail(err, CUZK_ERR_ARGUMENT, "%s: is not UTF-8", what);
        s += length;
    }
    return CUZK_OK;
}

static cuzk_status check_key(const char *key, cuzk_error *err)
{
    for (const char *c = key; *c != '\0'; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
              strchr("._/-", *c) != NULL))
            return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                             "key name: only letters, digits and ._/- may be in it");
    if (key[0] == '\0' || key[0] == '/' || key[strlen(key) - 1] == '/' ||
        strstr(key, "//") != NULL || strstr(key, "..") != NULL)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "key name: must be parts with / between them, without \"..\"");
    return CUZK_OK;
}

static cuzk_status parse_number(uint64_t *value, const char *text, const char *what, uint64_t most,
                                cuzk_error *err)
{
    uint64_t v = 0;
    const char *c = text;
    for (; *c >= '0' && *c <= '9' && v <= most; c++)
        v = v > most / 10 ? most + 1 : v * 10 + (uint64_t)(*c - '0');
    if (c == text || *c != '\0' || v > most)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "%s: expected a number from 0 to %llu", what,
                         (unsigned long long)most);
    *value = v;
    return CUZK_OK;
}

static cuzk_status parse_hex(cuzk_http_hex *hex, const char *text, const char *what,
                             cuzk_error *err)
{
    if (!cuzk_hex_32_read(hex->bytes, text))
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "%s: expected 64 hexadecimal digits", what);
    hex->given = true;
    return CUZK_OK;
}

static cuzk_status parse_kind(cuzk_kind *kind, const char *text, cuzk_error *err)
{
    for (int k = CUZK_KIND_POREP; k < CUZK_KINDS; k++)
        if (strcmp(text, cuzk_kind_name((cuzk_kind)k)) == 0) {
            *kind = (cuzk_kind)k;
            return CUZK_OK;
        }
    return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                     "kind: there is no such kind; expected circuit, porep-c2, snap-update, "
                     "window-post or winning-post");
}

static cuzk_status parse_class(cuzk_class *class_, const char *text, cuzk_error *err)
{
    for (int c = 0; c < CUZK_CLASSES; c++)
        if (strcmp(text, cuzk_class_name((cuzk_class)c)) == 0) {
            *class_ = (cuzk_class)c;
            return CUZK_OK;
        }
    return cuzk_fail(err, CUZK_ERR_ARGUMENT, "priority: expected critical, high, normal or low");
}

/* --- the query --- */

typedef cuzk_status param_fn(cuzk_http_target *target, const char *value, cuzk_error *err);

static cuzk_status set_kind(cuzk_http_target *target, const char *value, cuzk_error *err)
{
    return parse_kind(&target->kind, value, err);
}

static cuzk_status set_key(cuzk_http_target *target, const char *value, cuzk_error *err)
{
    if (strlen(value) >= sizeof target->key)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "key name: is longer than %zu bytes",
                         sizeof target->key - 1);
    CUZK_TRY(check_key(value, err));
    strcpy(target->key, value);
    return CUZK_OK;
}

static cuzk_status set_id(cuzk_http_target *target, const char *value, cuzk_error *err)
{
    CUZK_TRY(check_id(value, "id", err));
    strcpy(target->id, value);
    return CUZK_OK;
}

static cuzk_status set_priority(cuzk_http_target *target, const char *value, cuzk_error *err)
{
    return parse_class(&target->class_, value, err);
}

static cuzk_status set_timeout(cuzk_http_target *target, const char *value, cuzk_error *err)
{
    return parse_number(&target->timeout_ms, value, "timeout_ms", INT64_MAX / 1000000, err);
}

static cuzk_status set_wait(cuzk_http_target *target, const char *value, cuzk_error *err)
{
    return parse_number(&target->wait_ms, value, "wait_ms", CUZK_HTTP_WAIT_MS_MAX, err);
}

static cuzk_status set_registered_proof(cuzk_http_target *target, const char *value,
                                        cuzk_error *err)
{
    return parse_number(&target->registered_proof, value, "registered_proof", UINT32_MAX, err);
}

static cuzk_status set_miner_id(cuzk_http_target *target, const char *value, cuzk_error *err)
{
    return parse_number(&target->miner_id, value, "miner_id", INT64_MAX, err);
}

static cuzk_status set_sector_number(cuzk_http_target *target, const char *value, cuzk_error *err)
{
    return parse_number(&target->sector_number, value, "sector_number", INT64_MAX, err);
}

static cuzk_status set_partition_index(cuzk_http_target *target, const char *value, cuzk_error *err)
{
    return parse_number(&target->partition_index, value, "partition_index", UINT32_MAX, err);
}

static cuzk_status set_randomness(cuzk_http_target *target, const char *value, cuzk_error *err)
{
    return parse_hex(&target->randomness, value, "randomness", err);
}

static cuzk_status set_comm_r_old(cuzk_http_target *target, const char *value, cuzk_error *err)
{
    return parse_hex(&target->comm_r_old, value, "comm_r_old", err);
}

static cuzk_status set_comm_r_new(cuzk_http_target *target, const char *value, cuzk_error *err)
{
    return parse_hex(&target->comm_r_new, value, "comm_r_new", err);
}

static cuzk_status set_comm_d_new(cuzk_http_target *target, const char *value, cuzk_error *err)
{
    return parse_hex(&target->comm_d_new, value, "comm_d_new", err);
}

static const struct param {
    cuzk_http_route route;
    const char *name;
    param_fn *set;
} params[] = {
    {CUZK_ROUTE_JOBS, "kind", set_kind},
    {CUZK_ROUTE_JOBS, "key", set_key},
    {CUZK_ROUTE_JOBS, "id", set_id},
    {CUZK_ROUTE_JOBS, "priority", set_priority},
    {CUZK_ROUTE_JOBS, "timeout_ms", set_timeout},
    {CUZK_ROUTE_JOBS, "registered_proof", set_registered_proof},
    {CUZK_ROUTE_JOBS, "miner_id", set_miner_id},
    {CUZK_ROUTE_JOBS, "sector_number", set_sector_number},
    {CUZK_ROUTE_JOBS, "partition_index", set_partition_index},
    {CUZK_ROUTE_JOBS, "randomness", set_randomness},
    {CUZK_ROUTE_JOBS, "comm_r_old", set_comm_r_old},
    {CUZK_ROUTE_JOBS, "comm_r_new", set_comm_r_new},
    {CUZK_ROUTE_JOBS, "comm_d_new", set_comm_d_new},
    {CUZK_ROUTE_JOB, "wait_ms", set_wait},
};

static cuzk_status parse_param(cuzk_http_target *target, const char *text, size_t n, unsigned *seen,
                               cuzk_error *err)
{
    const char *equals = memchr(text, '=', n);
    size_t name_size = equals != NULL ? (size_t)(equals - text) : n;
    for (size_t i = 0; i < sizeof params / sizeof *params; i++) {
        const struct param *p = &params[i];
        if (p->route != target->route || strlen(p->name) != name_size ||
            memcmp(p->name, text, name_size) != 0)
            continue;
        if (*seen & 1u << i)
            return cuzk_fail(err, CUZK_ERR_ARGUMENT, "%s: is given twice", p->name);
        *seen |= 1u << i;
        if (equals == NULL)
            return cuzk_fail(err, CUZK_ERR_ARGUMENT, "%s: has no value", p->name);
        const char *value = equals + 1;
        size_t value_size = n - name_size - 1;
        /* Some write a space so, others mean a plus: neither is guessed. */
        if (memchr(value, '+', value_size) != NULL)
            return cuzk_fail(err, CUZK_ERR_ARGUMENT, "%s: write + as %%2B, a space as %%20",
                             p->name);
        char decoded[CUZK_REQUEST_ID_MAX + 1];
        CUZK_TRY(decode(decoded, sizeof decoded, value, value_size, p->name, err));
        return p->set(target, decoded, err);
    }
    return cuzk_fail(err, CUZK_ERR_ARGUMENT, "the query holds a parameter that is not known here");
}

static cuzk_status parse_query(cuzk_http_target *target, const char *text, cuzk_error *err)
{
    unsigned seen = 0;
    if (target->route < CUZK_ROUTE_CONFIG)
        return CUZK_OK;
    while (*text != '\0') {
        size_t n = strcspn(text, "&");
        CUZK_TRY(parse_param(target, text, n, &seen, err));
        text += n;
        text += *text == '&';
    }
    return CUZK_OK;
}

/* --- the path --- */

static cuzk_status parse_path(cuzk_http_target *target, const char *path, size_t n, cuzk_error *err)
{
    static const struct {
        const char *path;
        cuzk_http_route route;
        bool named; /* a name follows */
    } routes[] = {
        {"/status", CUZK_ROUTE_STATUS, false},    {"/metrics", CUZK_ROUTE_METRICS, false},
        {"/healthz", CUZK_ROUTE_HEALTHZ, false},  {"/readyz", CUZK_ROUTE_READYZ, false},
        {"/v1/config", CUZK_ROUTE_CONFIG, false}, {"/v1/jobs", CUZK_ROUTE_JOBS, false},
        {"/v1/jobs/", CUZK_ROUTE_JOB, true},      {"/v1/keys/", CUZK_ROUTE_KEY, true},
    };
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
        size_t length = strlen(routes[i].path);
        if (n < length || memcmp(path, routes[i].path, length) != 0 ||
            (n > length) != routes[i].named)
            continue;
        target->route = routes[i].route;
        if (!routes[i].named)
            return CUZK_OK;
        const char *name = path + length;
        if (target->route == CUZK_ROUTE_JOB) {
            if (memchr(name, '/', n - length) != NULL) {
                target->route = CUZK_ROUTE_NONE;
                return CUZK_OK;
            }
            CUZK_TRY(decode(target->name, sizeof target->name, name, n - length, "job id", err));
            return check_id(target->name, "job id", err);
        }
        CUZK_TRY(decode(target->name, CUZK_KEY_NAME_MAX, name, n - length, "key name", err));
        return check_key(target->name, err);
    }
    return CUZK_OK;
}

cuzk_status cuzk_http_target_parse(cuzk_http_target *target, const char *text, cuzk_error *err)
{
    memset(target, 0, sizeof *target);
    target->kind = CUZK_KIND_CIRCUIT;
    target->class_ = CUZK_CLASS_NORMAL;
    if (text[0] != '/')
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "the request's target does not begin with /");
    if (strchr(text, '#') != NULL)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "the request's target holds #; write %%23");
    size_t path = strcspn(text, "?");
    CUZK_TRY(parse_path(target, text, path, err));
    return parse_query(target, text[path] == '?' ? text + path + 1 : "", err);
}
