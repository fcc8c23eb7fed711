/* Inside of products: the values that a stretch of rows reads, unpacked, and its sides. */
#ifndef CUZK_CIRCUIT_PRODUCT_ROWS_H
#define CUZK_CIRCUIT_PRODUCT_ROWS_H

#include "circuit/compile_rows.h"
#include "circuit/dot.h"
#include "circuit/witness.h"

/* What one thread reads rows with. */
typedef struct cuzk_row_bench {
    uint8_t *bit;     /* by slot of the template: 0 or 1; 0 for wide ones */
    cuzk_fr *frame;   /* ONE, then wide ports and locals */
    cuzk_entry *term; /* wide terms of a side */
} cuzk_row_bench;

typedef struct cuzk_row_reader {
    const cuzk_compiled *c;
    const cuzk_witness *w;
    const cuzk_dot_ops *ops;
    cuzk_row_bench bench;
    const cuzk_template *t; /* of the stretch under way */
    uint32_t template;
    const uint32_t *start;
    const cuzk_entry *entry;
} cuzk_row_reader;

/* Bytes for one bench. */
size_t cuzk_row_bench_bytes(const cuzk_compiled *c);
void cuzk_row_bench_lay_out(cuzk_row_bench *b, const cuzk_compiled *c, void *at);

void cuzk_row_reader_open(cuzk_row_reader *r, const cuzk_stretch *s);
/* A side (number 3 * row + 0, 1, 2 in the template) of a small row. */
static inline int64_t cuzk_row_small(const cuzk_row_reader *r, size_t side)
{
    int64_t sum = 0;
    for (uint32_t i = r->start[side]; i < r->start[side + 1]; i++)
        sum += (int64_t)r->c->small[r->entry[i].coef] * r->bench.bit[r->entry[i].slot];
    return sum;
}
/* The same for any row, of that kind. */
void cuzk_row_side(const cuzk_row_reader *r, size_t side, cuzk_row_kind kind, cuzk_fr *value);

#endif
