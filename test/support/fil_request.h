/* Requests made of the model's files (test/data/filecoin), as a client sends them. */
#ifndef CUZK_TEST_FIL_REQUEST_H
#define CUZK_TEST_FIL_REQUEST_H

#include "circuit/filecoin/request.h"

/* The bytes are the caller's to change before the fields are read, and to free with
 * test_request_release. */
typedef struct test_request {
    cuzk_fil_fields fields;
    cuzk_fil_blob blob; /* the only one */
    uint8_t *bytes;     /* its */
    uint8_t randomness[32], comm_r_old[32], comm_r_new[32], comm_d_new[32];
} test_request;

/* Of the 2 KiB sector; one of each kind. */
void test_request_init(test_request *request, cuzk_fil_kind kind);
void test_request_release(test_request *request);

#endif
