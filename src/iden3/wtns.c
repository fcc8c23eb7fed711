/* Reading .wtns. */
#include "base/memory.h"
#include "base/random.h"
#include "compute/ntt.h"
#include "iden3/binfile.h"
#include "base/bytes.h"
#include "iden3/r1cs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SECTION_HEADER = 1, SECTION_VALUES = 2 };

static cuzk_status read_header(const cuzk_binfile *file, cuzk_wtns *witness, cuzk_error *err)
{
    const uint8_t *data = NULL;
    uint64_t size = 0, used = 0;
    CUZK_TRY(cuzk_binfile_section(file, SECTION_HEADER, "header", &data, &size, err));
    CUZK_TRY(cuzk_binfile_scalar_prime(file, data, size, &witness->curve, &used, err));
    if (size != used + 4)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: section 1 (header) has %" PRIu64 " bytes, expected %" PRIu64,
                         cuzk_map_name(file->map), size, used + 4);
    witness->n = cuzk_load_le32(data + used);
    if (witness->n == 0)
        return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: the witness is empty; wire 0 must be there",
                         cuzk_map_name(file->map));
    return CUZK_OK;
}

/* Points witness->z at the values, copied when the file does not align them. */
static cuzk_status place_values(cuzk_wtns *witness, const cuzk_map *map, const uint8_t *values,
                                cuzk_error *err)
{
    if ((uintptr_t)values % _Alignof(cuzk_scalar) == 0) {
        witness->z = (const cuzk_scalar *)(const void *)values;
        return CUZK_OK;
    }
    size_t bytes = witness->n * sizeof(cuzk_scalar);
    witness->owned = cuzk_memory_new(bytes, 1);
    if (witness->owned == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory for %zu bytes of witness",
                         cuzk_map_name(map), bytes);
    witness->owned_bytes = bytes;
    memcpy(witness->owned, values, bytes);
    witness->z = witness->owned;
    return CUZK_OK;
}

static cuzk_status check_values(const cuzk_wtns *witness, const cuzk_map *map, cuzk_error *err)
{
    size_t bad = cuzk_scalars_check(witness->curve, witness->z, witness->n);
    if (bad < witness->n)
        return cuzk_fail(
            err, CUZK_ERR_FORMAT,
            "%s: the value of wire %zu is not below the prime of %s; no honest witness "
            "generator writes that",
            cuzk_map_name(map), bad, witness->curve->name);
    const uint64_t *one = witness->z[0].l;
    if (one[0] != 1 || one[1] != 0 || one[2] != 0 || one[3] != 0)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: wire 0 is not 1; this is no witness of a circuit",
                         cuzk_map_name(map));
    return cuzk_map_check(map, err);
}

cuzk_status cuzk_wtns_read(cuzk_wtns *witness, const cuzk_map *map, cuzk_error *err)
{
    cuzk_binfile file;
    cuzk_wtns found = {0};
    const uint8_t *values = NULL;

    CUZK_TRY(cuzk_binfile_open(&file, map, "wtns", 2, err));
    CUZK_TRY(read_header(&file, &found, err));
    CUZK_TRY(cuzk_binfile_section_sized(&file, SECTION_VALUES, "values",
                                        (uint64_t)found.n * sizeof(cuzk_scalar), &values, err));
    CUZK_TRY(place_values(&found, map, values, err));
    cuzk_status status = check_values(&found, map, err);
    if (status != CUZK_OK) {
        cuzk_wtns_release(&found);
        return status;
    }
    *witness = found;
    return CUZK_OK;
}

void cuzk_wtns_release(cuzk_wtns *witness)
{
    if (witness->owned != NULL) {
        cuzk_wipe(witness->owned, witness->owned_bytes);
        free(witness->owned);
    }
    memset(witness, 0, sizeof *witness);
}
