/* Whether a read request satisfies its circuit, for `cuzk filecoin check --rows`. */
#ifndef CUZK_CMD_FILECOIN_CHECK_H
#define CUZK_CMD_FILECOIN_CHECK_H

#include "circuit/filecoin/request.h"

/* Compiles the circuit, computes the witness of each partition and checks all rows; sets *rows to
 * how many there are in one. CUZK_ERR_UNSATISFIED names partition, row and gadget. */
cuzk_status cuzk_filecoin_check_rows(size_t *rows, const cuzk_fil_request *request, cuzk_pool *pool,
                                     cuzk_error *err);

#endif
