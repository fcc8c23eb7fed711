#include "bench_points.h"

#include "base/memory.h"
#include "compute/msm.h"

#include <stdlib.h>

cuzk_status cuzk_bench_points(uint64_t **points, const cuzk_curve *curve, cuzk_group group,
                              size_t n, cuzk_pool *pool, cuzk_error *err)
{
    const uint64_t *base = group == CUZK_G1 ? curve->g1_generator : curve->g2_generator;
    cuzk_scalar *scalars = cuzk_bench_scalars(curve, n, 1);
    uint64_t *made = cuzk_memory_new(n, cuzk_point_words(curve, group) * sizeof *made);
    size_t bytes = cuzk_fixed_base_scratch(curve, group, n, cuzk_pool_threads(pool));
    void *scratch = cuzk_memory_new(bytes, 1);
    cuzk_status status = CUZK_OK;
    if (scalars == NULL || made == NULL || scratch == NULL) {
        status = cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for %zu points", n);
        free(made);
    } else {
        cuzk_fixed_base(curve, group, made, base, scalars, n, scratch, pool);
        *points = made;
    }
    free(scratch);
    free(scalars);
    return status;
}

cuzk_status cuzk_bench_bases(void **bases, const cuzk_curve *curve, cuzk_group group,
                             const uint64_t *points, size_t n, cuzk_pool *pool, cuzk_error *err)
{
    *bases = cuzk_memory_new(cuzk_bases_bytes(curve, group, n), 1);
    if (*bases == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for %zu prepared points", n);
    cuzk_bases_prepare(curve, group, *bases, points, NULL, n, pool);
    return CUZK_OK;
}
