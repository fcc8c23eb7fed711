/* Inside of the direct system. */
#ifndef CUZK_CIRCUIT_DIRECT_STATE_H
#define CUZK_CIRCUIT_DIRECT_STATE_H

#include "base/digest.h"
#include "circuit/direct.h"

#define CUZK_DIRECT_DEPTH 16 /* of calls in calls that a path tells */

/* A growing array of variables' values. */
typedef struct cuzk_value_list {
    cuzk_fr *value;
    size_t n, room;
} cuzk_value_list;

/* Nearly all coefficients are one of these: their bytes are kept. */
enum { CUZK_USUAL_COEFS = 3 };
typedef struct cuzk_usual_coef {
    cuzk_fr value;
    uint8_t bytes[32];
} cuzk_usual_coef;

typedef struct cuzk_direct_hasher {
    cuzk_digest *digest; /* NULL: no hash wanted */
    uint8_t *buffer;
    size_t used;
    cuzk_usual_coef usual[CUZK_USUAL_COEFS]; /* 1, -1, 2 */
} cuzk_direct_hasher;

typedef struct cuzk_direct_matrices {
    cuzk_coef_table *table; /* NULL: none wanted */
    cuzk_matrix_builder *builder[3];
} cuzk_direct_matrices;

struct cuzk_direct {
    cuzk_cs cs;
    cuzk_direct_options options;
    cuzk_circuit_counts counts, hash_of;
    uint8_t *seen; /* for each aux: occurs in some A, some B */
    size_t seen_room;
    uint8_t *seen_input; /* in some B */
    size_t seen_input_room;
    size_t next_field, next_word;
    cuzk_value_list aux, input;
    cuzk_direct_hasher hasher;
    cuzk_direct_matrices matrices;
    const char *path[CUZK_DIRECT_DEPTH];
    size_t depth;
    bool violated;
    cuzk_row_violation violation;
};

/* Appends the values of the variables that op makes to list. */
void cuzk_direct_evaluate(cuzk_direct *d, cuzk_value_list *list, const cuzk_op *op);
/* *r = <lc, w>. */
void cuzk_direct_dot(const cuzk_direct *d, cuzk_fr *r, const cuzk_lc *lc);
bool cuzk_value_append(cuzk_value_list *list, const cuzk_fr *value);

cuzk_status cuzk_direct_hash_start(cuzk_direct *d, cuzk_error *err);
void cuzk_direct_hash_lc(cuzk_direct *d, const cuzk_lc *lc);
void cuzk_direct_hash_release(cuzk_direct *d);

cuzk_status cuzk_direct_matrices_start(cuzk_direct *d, cuzk_error *err);
void cuzk_direct_matrices_row(cuzk_direct *d, const cuzk_lc *const lc[3]);
void cuzk_direct_matrices_release(cuzk_direct *d);

#endif
