/* Random bytes and the wiping of secrets. */
#ifndef CUZK_BASE_RANDOM_H
#define CUZK_BASE_RANDOM_H

#include "base/status.h"

#include <stddef.h>

/* Fills out with n bytes from getrandom(2); retries EINTR and short reads. CUZK_ERR_RANDOM on
 * failure, and out is then all zero. Any thread. */
cuzk_status cuzk_random(void *out, size_t n, cuzk_error *err);

/* Overwrites n bytes with zeros in a way that the compiler keeps. */
void cuzk_wipe(void *data, size_t n);

#endif
