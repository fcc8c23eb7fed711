/* Options that the actions of `cuzk filecoin` have in common. */
#ifndef CUZK_CMD_FILECOIN_OPTIONS_H
#define CUZK_CMD_FILECOIN_OPTIONS_H

#include "cmd/options.h"

#include <stdint.h>

/* A decimal number below 2^63; 64 hexadecimal digits. Others end the process inside argp, naming
 * the option. */
uint64_t cuzk_option_number(struct argp_state *state, const char *option, const char *text);
void cuzk_option_hex_32(uint8_t out[32], struct argp_state *state, const char *option,
                        const char *text);

#endif
