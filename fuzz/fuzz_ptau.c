/* .ptau: sections, and the setup of a one-row circuit from its points. */
#include "iden3/ptau.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* x1 * x1 = x1 over the curve of the file. */
static cuzk_r1cs make_circuit(const cuzk_curve *curve)
{
    static cuzk_fr values[2];
    static uint64_t starts[2] = {0, 1};
    static uint32_t cols[1] = {1}, coefs[1] = {CUZK_COEF_ONE};
    const cuzk_matrix matrix = {1, starts, cols, coefs};
    values[0] = curve->fr_one;
    curve->fr_neg(&values[1], &values[0]);
    return (cuzk_r1cs){.curve = curve,
                       .rows = 1,
                       .vars = 2,
                       .n_public = 0,
                       .coefs = {values, 2},
                       .a = matrix,
                       .b = matrix,
                       .c = matrix};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cuzk_error err;
    cuzk_map *map = NULL;
    cuzk_ptau_info info;
    cuzk_setup setup;
    if (cuzk_map_borrow(&map, data, size, "fuzz.ptau", &err) != CUZK_OK)
        return 0;
    if (cuzk_ptau_info_read(&info, map, &err) == CUZK_OK && info.prepared) {
        cuzk_r1cs cs = make_circuit(info.curve);
        if (cuzk_ptau_setup(&setup, map, &cs, NULL, &err) == CUZK_OK)
            cuzk_setup_release(&setup);
    }
    cuzk_map_close(map);
    return 0;
}
