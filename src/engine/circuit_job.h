/* Requests of the kind CUZK_KIND_CIRCUIT: a key's name and a witness.
 *
 * As a payload, stored and handed about: the name's length in two bytes (little-endian), the name,
 * and the bytes of the .wtns file. */
#ifndef CUZK_ENGINE_CIRCUIT_JOB_H
#define CUZK_ENGINE_CIRCUIT_JOB_H

#include "base/status.h"

#include <stddef.h>

struct cuzk_job_input;

/* Puts a payload together; *payload is malloc'd and the caller's. */
cuzk_status cuzk_circuit_job_make(void **payload, size_t *size, const char *key, const void *wtns,
                                  size_t wtns_size, cuzk_error *err);

/* The key's name in a payload, malloc'd, in place of *key (freed). */
cuzk_status cuzk_circuit_job_open(const void *payload, size_t size, char **key, cuzk_error *err);

/* Reads the witness: its prime and count, every value canonical, z[0] = 1. The values are copied.
 * name stands for it in messages. */
cuzk_status cuzk_circuit_job_parse(struct cuzk_job_input *input, const void *payload, size_t size,
                                   const char *name, cuzk_error *err);
/* Wipes and frees. */
void cuzk_job_input_release(struct cuzk_job_input *input);

#endif
