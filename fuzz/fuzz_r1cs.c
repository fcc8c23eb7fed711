/* .r1cs: header and constraints. */
#include "iden3/r1cs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cuzk_error err;
    cuzk_map *map = NULL;
    cuzk_r1cs_info info;
    cuzk_r1cs cs;
    if (cuzk_map_borrow(&map, data, size, "fuzz.r1cs", &err) != CUZK_OK)
        return 0;
    cuzk_r1cs_info_read(&info, map, &err);
    if (cuzk_r1cs_read(&cs, map, &err) == CUZK_OK)
        cuzk_r1cs_release(&cs);
    cuzk_map_close(map);
    return 0;
}
