/* Keys of Filecoin's circuits: bellperson parameters and the compiled circuit that they are for. */
#ifndef CUZK_API_FILECOIN_KEY_H
#define CUZK_API_FILECOIN_KEY_H

#include "api/circuit_witness.h"
#include "api/proving_key.h"
#include "circuit/filecoin/registry.h"

/* The circuit that a name of a key means: its own ("porep-32g"), that of its published files
 * ("v28-..."), or a name that other programs have for it ("wpost-32g", "snap-32g"). false: none. */
bool cuzk_fil_key_find(cuzk_fil_proof *proof, const char *name);

/* FOLDER/v28-....params, malloc'd. */
cuzk_status cuzk_fil_key_path(char **path, const char *folder, const cuzk_fil_proof *proof,
                              cuzk_error *err);

/* What is known of a key before it is loaded: upper bounds. */
typedef struct cuzk_fil_key_bounds {
    uint64_t key;             /* bytes while it is loaded, or after */
    uint64_t witness;         /* bytes of a partition's */
    cuzk_prove_counts counts; /* for what a proof takes */
} cuzk_fil_key_bounds;
/* That of the witness, which needs no file; and how many of its values are not bits, at most. */
uint64_t cuzk_fil_key_witness_bound(const cuzk_fil_proof *proof);
uint64_t cuzk_fil_key_wide_bound(const cuzk_fil_proof *proof);
/* From the head of the file; refuses one that is not of this circuit's size. in_sink: the points do
 * not stay in this machine's memory. */
cuzk_status cuzk_fil_key_bounds_read(cuzk_fil_key_bounds *bounds, const cuzk_map *map,
                                     const cuzk_fil_proof *proof, bool in_sink, cuzk_error *err);

typedef struct cuzk_fil_key_source {
    const cuzk_fil_proof *proof;
    const char *path;     /* of the parameters */
    const char *circuits; /* folder of compiled circuits (api/circuit_cache.h); NULL: none */
    bool allow_test;      /* parameters that were not published are taken too, of whose secrets
                             nobody knows who has them; then (*key)->is_test says so */
    cuzk_base_sink *sink; /* as cuzk_key_load takes it */
} cuzk_fil_key_source;

/* cuzk_fil_key_load opens or compiles the circuit and loads its parameters. They must be the
 * published ones, by digest (once per file, see groth16/key.h; its SHA-256 is taken in the same
 * pass), and so must begin with what the .vk file beside them holds, if there is one:
 * CUZK_ERR_MISMATCH. */
cuzk_status cuzk_fil_key_load(cuzk_key **key, const cuzk_fil_key_source *source, cuzk_pool *pool,
                              cuzk_error *err);

#endif
