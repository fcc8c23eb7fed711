/* Which key files are the right ones: a list of SHA-256 digests, as sha256sum writes it. */
#ifndef CUZK_ENGINE_KEY_DIGESTS_H
#define CUZK_ENGINE_KEY_DIGESTS_H

#include "base/status.h"

#include <stdint.h>

typedef struct cuzk_key_digests cuzk_key_digests;

/* Reads lines "DIGEST  NAME.zkey" (64 hexadecimal digits; also " *NAME.zkey"); names are relative
 * to the folder of keys, a "./" before them and empty lines do not count. On success *digests is
 * the caller's (cuzk_key_digests_free). Errors name file and line. */
cuzk_status cuzk_key_digests_read(cuzk_key_digests **digests, const char *path, cuzk_error *err);
void cuzk_key_digests_free(cuzk_key_digests *digests); /* NULL is allowed */

/* Whether the file at path may be key `name`: CUZK_ERR_MISMATCH, with both digests, if its digest
 * is another or the list has none. found: the file's digest; NULL: the file could not be loaded,
 * for the reason that is in *err, which is kept unless the digest says more. Any thread. */
cuzk_status cuzk_key_digests_check(const cuzk_key_digests *digests, const char *name,
                                   const char *path, const uint8_t found[32], cuzk_error *err);

#endif
