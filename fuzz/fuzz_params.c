/* bellperson's .params and .vk, the former as the key of the circuit of test/data/bellperson.
 * Points are taken on trust, else no mutation would get past them. */
#include "groth16/params.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Variables: 0 one, 1 public, 2..6 private. */
struct term {
    uint32_t matrix, var;
    int coef;
};
static const struct term end_of_row = {3, 0, 0};
static const struct term terms[] = {
    {0, 2, 1}, {1, 2, 1},  {2, 4, 1}, {3, 0, 0},                       /* x0 * x0 = x2 */
    {0, 4, 1}, {1, 2, 1},  {2, 5, 1}, {3, 0, 0},                       /* x2 * x0 = x3 */
    {0, 0, 1}, {0, 3, -1}, {1, 3, 1}, {3, 0, 0},                       /* (1 - x1) * x1 = 0 */
    {0, 5, 1}, {1, 5, 1},  {2, 6, 1}, {3, 0, 0},                       /* x3 * x3 = x4 */
    {0, 5, 1}, {0, 0, 5},  {0, 3, 1}, {1, 0, 1}, {2, 1, 1}, {3, 0, 0}, /* (x3 + 5 + x1) * 1 = y */
};

static void set_coef(cuzk_fr *out, const cuzk_curve *curve, int value)
{
    const cuzk_scalar magnitude = {{(uint64_t)abs(value), 0, 0, 0}};
    curve->fr_from_scalar(out, &magnitude);
    if (value < 0)
        curve->fr_neg(out, out);
}

static void fill(cuzk_matrix_builder *const builders[3], const cuzk_curve *curve)
{
    cuzk_error err;
    for (size_t i = 0; i < sizeof terms / sizeof terms[0]; i++) {
        cuzk_fr coef;
        if (terms[i].matrix == end_of_row.matrix) {
            for (int m = 0; m < 3; m++)
                cuzk_matrix_builder_end_row(builders[m], &err);
            continue;
        }
        set_coef(&coef, curve, terms[i].coef);
        cuzk_matrix_builder_add(builders[terms[i].matrix], terms[i].var, &coef, &err);
    }
}

static cuzk_r1cs make_circuit(void)
{
    cuzk_error err;
    const cuzk_curve *curve = cuzk_curve_get(CUZK_BLS12_381);
    cuzk_r1cs cs = {.curve = curve, .rows = 5, .vars = 7, .n_public = 1};
    cuzk_matrix *matrices[3] = {&cs.a, &cs.b, &cs.c};
    cuzk_matrix_builder *builders[3];
    cuzk_coef_table *table;
    if (cuzk_coef_table_new(&table, curve, &err) != CUZK_OK)
        abort();
    for (int m = 0; m < 3; m++)
        if (cuzk_matrix_builder_new(&builders[m], table, 5, 8, &err) != CUZK_OK)
            abort();
    fill(builders, curve);
    for (int m = 0; m < 3; m++) {
        cuzk_matrix_builder_take(builders[m], matrices[m]);
        cuzk_matrix_builder_free(builders[m]);
    }
    cuzk_coef_table_take(table, &cs.coefs);
    cuzk_coef_table_free(table);
    return cs;
}

static void try_open(const cuzk_map *map)
{
    cuzk_error err;
    cuzk_pk *pk = NULL;
    cuzk_r1cs cs = make_circuit();
    uint32_t flags = CUZK_PK_ALLOW_INSECURE | CUZK_PK_SKIP_CHECK;
    if (cuzk_params_open(&pk, map, &cs, flags, NULL, NULL, &err) == CUZK_OK)
        cuzk_pk_free(pk);
    cuzk_r1cs_release(&cs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cuzk_error err;
    cuzk_map *map = NULL;
    cuzk_params_info info;
    if (cuzk_map_borrow(&map, data, size, "fuzz.params", &err) != CUZK_OK)
        return 0;
    setenv("CUZK_NO_CACHE", "1", 1);
    cuzk_params_info_read(&info, map, &err);
    for (int params = 0; params < 2; params++) {
        cuzk_vk vk;
        cuzk_g1 beta, delta;
        if (cuzk_params_read_vk(&vk, &beta, &delta, map, params != 0, &err) == CUZK_OK)
            cuzk_vk_release(&vk);
    }
    try_open(map);
    cuzk_map_close(map);
    return 0;
}
