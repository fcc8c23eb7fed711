/* Values of configuration keys: from TOML, and back to it. */
#ifndef CUZK_SERVER_CONFIG_VALUE_H
#define CUZK_SERVER_CONFIG_VALUE_H

#include "server/config_keys.h"
#include "server/config_toml.h"

#include <stdio.h>

/* Checks the value against the key's type and, if the key has an effect, puts it into config. place
 * says where it stands ("cuzk.toml:3:1"). A list comes as its head (CUZK_TOML_LIST), then its
 * values. */
cuzk_status cuzk_config_put(cuzk_config *config, const cuzk_config_key *key,
                            const cuzk_toml_value *value, const char *place, cuzk_error *err);

/* Writes the value of a key that has an effect. */
void cuzk_config_print_value(FILE *out, const cuzk_config *config, const cuzk_config_key *key);

/* "1.5GiB" and the like; *out is untouched if false. Any other text than a decimal number and a
 * unit of KiB MiB GiB TiB KB MB GB TB B (none: bytes) is false; so is what does not fit. */
bool cuzk_config_parse_size(const char *text, uint64_t *out);
/* The same with ms s m h (none: seconds), in milliseconds. */
bool cuzk_config_parse_duration(const char *text, uint64_t *out);

void cuzk_texts_release(cuzk_texts *texts);

#endif
