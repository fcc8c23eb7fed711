/* C1 outputs: each text as one of a 2 KiB sector, plain and as a wrapper. What is read is written
 * and must read again to the same; checks take whatever was read. */
#include "circuit/filecoin/c1.h"
#include "circuit/filecoin/c1_write.h"
#include "circuit/filecoin/checks.h"
#include "circuit/filecoin/inputs.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static cuzk_scalar *flatten(const cuzk_porep_vanilla *c1, const cuzk_fil_proof *proof,
                            cuzk_arena *arena)
{
    cuzk_fil_sizes sizes = cuzk_fil_sizes_get(proof);
    cuzk_fil_inputs inputs = {.field = cuzk_arena_new(arena, sizes.field, sizeof(cuzk_scalar)),
                              .word = cuzk_arena_new(arena, sizes.word, sizeof(uint64_t))};
    if (inputs.field == NULL || inputs.word == NULL)
        abort();
    cuzk_porep_inputs(&inputs, proof, c1, 0);
    return inputs.field;
}

static void write_again(const cuzk_porep_vanilla *c1, const cuzk_fil_proof *proof,
                        cuzk_arena *arena)
{
    cuzk_error err;
    uint8_t *text = NULL;
    size_t size = 0;
    cuzk_porep_vanilla again;
    if (cuzk_c1_write(&text, &size, c1, &err) != CUZK_OK ||
        cuzk_c1_read(&again, arena, proof, (const char *)text, size, "again", &err) != CUZK_OK)
        abort();
    free(text);
    const size_t bytes = cuzk_fil_sizes_get(proof).field * sizeof(cuzk_scalar);
    if (memcmp(flatten(c1, proof, arena), flatten(&again, proof, arena), bytes) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cuzk_error err;
    cuzk_fil_proof proof;
    cuzk_porep_vanilla c1;
    cuzk_arena arena = {0};
    unsigned id = 0;
    const char *text = (const char *)data;
    if (cuzk_fil_proof_get(&proof, CUZK_FIL_POREP, 5, &err) != CUZK_OK)
        abort();
    if (cuzk_c1_read(&c1, &arena, &proof, text, size, "fuzz", &err) == CUZK_OK) {
        write_again(&c1, &proof, &arena);
        cuzk_porep_check_head(&proof, &c1, 1000, 7, &err);
        cuzk_porep_check_partition(&proof, &c1, 0, &err);
    }
    cuzk_c1_registered_wrapper(&id, text, size, "fuzz", &err);
    cuzk_c1_read_wrapper(&c1, &arena, &proof, text, size, "fuzz", &err);
    cuzk_arena_release(&arena);
    return 0;
}
