/* Targets of HTTP requests: what is accepted keeps the promises of the header. */
#include "server/http_target.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void check_text(const char *text, size_t room)
{
    size_t n = strnlen(text, room);
    check(n < room);
    for (size_t i = 0; i < n; i++)
        check((unsigned char)text[i] >= 0x20 && text[i] != 0x7f);
}

static void check_key(const char *key)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-";
    check_text(key, CUZK_KEY_NAME_MAX);
    check(strspn(key, allowed) == strlen(key));
    check(key[0] != '/' && strstr(key, "..") == NULL && strstr(key, "//") == NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cuzk_http_target target;
    cuzk_error err = {0};
    char *text = malloc(size + 1);
    if (text == NULL)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (cuzk_http_target_parse(&target, text, &err) != CUZK_OK) {
        check(err.status == CUZK_ERR_ARGUMENT && err.message[0] != '\0');
    } else {
        check_text(target.name, sizeof target.name);
        check_text(target.id, sizeof target.id);
        check_key(target.key);
        if (target.route == CUZK_ROUTE_KEY) {
            check_key(target.name);
            check(target.name[0] != '\0');
        }
        check(target.kind >= CUZK_KIND_POREP && target.kind < CUZK_KINDS);
        check((unsigned)target.class_ < CUZK_CLASSES);
        check(target.wait_ms <= CUZK_HTTP_WAIT_MS_MAX);
    }
    free(text);
    return 0;
}
