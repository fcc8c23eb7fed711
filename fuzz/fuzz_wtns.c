/* .wtns. */
#include "iden3/r1cs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cuzk_error err;
    cuzk_map *map = NULL;
    cuzk_wtns witness;
    if (cuzk_map_borrow(&map, data, size, "fuzz.wtns", &err) != CUZK_OK)
        return 0;
    if (cuzk_wtns_read(&witness, map, &err) == CUZK_OK)
        cuzk_wtns_release(&witness);
    cuzk_map_close(map);
    return 0;
}
