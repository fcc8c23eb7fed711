/* .zkey: head, coefficients and the making of a key. Points are taken on trust, else no mutation
 * would get past them. */
#include "iden3/zkey.h"

#include <stdlib.h>

/* A domain so large that its tables take all the time; the file of such a key has more than this.
 */
#define MAX_INPUT ((size_t)1 << 16)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cuzk_error err;
    cuzk_map *map = NULL;
    cuzk_zkey_info info;
    cuzk_vk vk;
    cuzk_pk *pk = NULL;
    if (size > MAX_INPUT || cuzk_map_borrow(&map, data, size, "fuzz.zkey", &err) != CUZK_OK)
        return 0;
    setenv("CUZK_NO_CACHE", "1", 1);
    cuzk_zkey_info_read(&info, map, &err);
    if (cuzk_zkey_read_vk(&vk, map, &err) == CUZK_OK)
        cuzk_vk_release(&vk);
    uint32_t flags = CUZK_PK_ALLOW_INSECURE | CUZK_PK_SKIP_CHECK;
    if (cuzk_zkey_open(&pk, map, flags, NULL, NULL, &err) == CUZK_OK)
        cuzk_pk_free(pk);
    cuzk_map_close(map);
    return 0;
}
