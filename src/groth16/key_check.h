/* Whether the parts of a proving key fit each other. Points of the queries are not looked at. */
#ifndef CUZK_GROTH16_KEY_CHECK_H
#define CUZK_GROTH16_KEY_CHECK_H

#include "groth16/key.h"

/* Largest log2 of a domain (compute/ntt.h). */
#define CUZK_DOMAIN_LOG_MAX 30u

cuzk_status cuzk_pk_source_check(const cuzk_pk_source *source, bool allow_insecure,
                                 cuzk_error *err);

#endif
