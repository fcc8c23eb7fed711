/* Field arithmetic on arrays, as each CPU level's kernels do it: for differential tests and
 * benchmarks, which must see the very text that MSM and NTT are made of. */
#ifndef CUZK_COMPUTE_FIELD_OPS_H
#define CUZK_COMPUTE_FIELD_OPS_H

#include "base/cpu.h"
#include "curve/curve.h"

typedef enum cuzk_field_id { CUZK_FIELD_FP, CUZK_FIELD_FR } cuzk_field_id;

/* Arrays hold n elements in memory form (Montgomery, R = 2^(64 words)), packed; outputs may equal
 * inputs. */
typedef struct cuzk_field_ops {
    unsigned words; /* per element */
    unsigned lanes; /* elements per vector */
    void (*mul)(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n);
    void (*sqr)(uint64_t *r, const uint64_t *a, size_t n);
    void (*add)(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n);
    void (*sub)(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n);
    void (*neg)(uint64_t *r, const uint64_t *a, size_t n);
    void (*inv)(uint64_t *r, const uint64_t *a, size_t n); /* 1/0 = 0 */
    /* r := 4 d^2 + 2 d, d = a - b, through the lazy forms, each at its largest bound. */
    void (*lazy)(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n);
    /* A fixed function of a and b through the loose forms, as sums of many points use them. */
    void (*loose)(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n);
    /* r := a where a != b, else 0: is_zero and select. */
    void (*unless_equal)(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n);
    /* Element (i, j) of each block of lanes x lanes elements goes to (j, i); n: a multiple of
     * lanes^2. */
    void (*transpose)(uint64_t *r, const uint64_t *a, size_t n);
    /* Montgomery form to plain integers and back, one vector at a time. */
    void (*to_int)(uint64_t *r, const uint64_t *a, size_t n);
    void (*from_int)(uint64_t *r, const uint64_t *a, size_t n);
    /* For timing: x_i := x_i * y_i, rounds times, on 64 vectors that stay in the level's own form.
     * x, y: 64 * lanes elements. The sum of the work is 64 * lanes * rounds products. */
    void (*mul_rounds)(uint64_t *x, const uint64_t *y, size_t rounds);
    void (*add_rounds)(uint64_t *x, const uint64_t *y, size_t rounds);
} cuzk_field_ops;

#define CUZK_FIELD_ROUND_VECTORS 64

/* NULL when this build or this processor lacks the level. Static storage. */
const cuzk_field_ops *cuzk_field_ops_get(cuzk_curve_id curve, cuzk_field_id field,
                                         cuzk_cpu_level level);

#endif
