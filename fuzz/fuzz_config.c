/* Configurations: what is read and printed reads back to the same text. */
#include "server/config.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ignore(void *context, cuzk_log_level level, const char *line)
{
    (void)context;
    (void)level;
    (void)line;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cuzk_config config;
    cuzk_error err = {0};
    if (cuzk_config_init_text(&config, "f", (const char *)data, size, ignore, NULL, &err) !=
        CUZK_OK) {
        CUZK_ASSERT(err.status != CUZK_OK && err.message[0] != '\0');
        return 0;
    }
    char *first = cuzk_config_text(&config);
    cuzk_config_release(&config);
    CUZK_ASSERT(first != NULL);
    CUZK_ASSERT(cuzk_config_init_text(&config, "f", first, strlen(first), ignore, NULL, &err) ==
                CUZK_OK);
    char *second = cuzk_config_text(&config);
    cuzk_config_release(&config);
    CUZK_ASSERT(second != NULL && strcmp(first, second) == 0);
    free(first);
    free(second);
    return 0;
}
