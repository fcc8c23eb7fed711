/* What `cuzk filecoin check` does with a read request when it is asked for more. */
#ifndef CUZK_CMD_FILECOIN_CHECK_H
#define CUZK_CMD_FILECOIN_CHECK_H

#include "circuit/filecoin/request.h"

/* Compiles the circuit, computes the witness of each partition and checks all rows; sets *rows to
 * how many there are in one. CUZK_ERR_UNSATISFIED names partition, row and gadget. */
cuzk_status cuzk_filecoin_check_rows(size_t *rows, const cuzk_fil_request *request, cuzk_pool *pool,
                                     cuzk_error *err);

/* Writes the public inputs of all partitions in turn to path, as `cuzk verify` takes them. */
cuzk_status cuzk_filecoin_write_public(const cuzk_fil_request *request, const char *path,
                                       cuzk_error *err);

#endif
