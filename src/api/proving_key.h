/* The public cuzk_key from the inside: for the library's functions and for commands that bring
 * their own thread pool. */
#ifndef CUZK_API_PROVING_KEY_H
#define CUZK_API_PROVING_KEY_H

#include "base/map.h"
#include "groth16/key.h"
#include "groth16/prove.h"
#include "iden3/r1cs.h"

struct cuzk_key {
    cuzk_pk *pk;
    cuzk_pool *pool;      /* borrowed */
    cuzk_base_sink *sink; /* while it is loaded: takes the points; NULL: pk has them */
    cuzk_file_id file;    /* that it was read from */
    bool checks_rows;     /* circuit is there: each witness is checked against it before proving */
    cuzk_r1cs circuit;
    struct cuzk_compiled *compiled; /* NULL: pk has matrices. Else its rows are outside of pk */
    bool is_test;                   /* see cuzk_fil_key_load */
};

/* Bytes of this machine's memory that it holds. */
size_t cuzk_key_bytes(const cuzk_key *key);

/* cuzk_key_load is cuzk_key_open on the given pool. sink: NULL, or takes the points as cuzk_pk_new
 * says; then cuzk_key_make_proof does not take the key. */
cuzk_status cuzk_key_load(cuzk_key **key, const char *path, const char *r1cs, uint32_t flags,
                          cuzk_base_sink *sink, cuzk_pool *pool, cuzk_error *err);

/* What becomes of a key file that has been opened: fills in what a zeroed key has beside pool, file
 * and sink; the map is closed afterwards. What a failure leaves in the key is freed with it. */
typedef cuzk_status cuzk_key_loader(cuzk_key *key, const cuzk_map *map, const void *context,
                                    cuzk_error *err);

cuzk_status cuzk_key_load_by(cuzk_key **key, const char *path, cuzk_key_loader *load,
                             const void *context, cuzk_base_sink *sink, cuzk_pool *pool,
                             cuzk_error *err);

/* Reads a witness and refuses one that belongs to another curve or circuit than the key. On success
 * the caller releases *witness. */
cuzk_status cuzk_key_read_witness(const cuzk_key *key, const cuzk_map *map, cuzk_wtns *witness,
                                  cuzk_error *err);

/* Proves with fresh blinding. The proof has been verified, and map, which the witness was read
 * from, has not changed since it was opened. */
cuzk_status cuzk_key_make_proof(const cuzk_key *key, const cuzk_wtns *witness, const cuzk_map *map,
                                cuzk_proof *proof, cuzk_error *err);

#endif
