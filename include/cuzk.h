/* cuzk: Groth16 proofs over BN254 and BLS12-381. The one public header.
 *
 * A program loads a key once, then makes and checks any number of proofs with it:
 *
 *     cuzk_error err;
 *     cuzk_key *key;
 *     if (cuzk_key_open(&key, "circuit.zkey", NULL, 0, &err)) die(err.message);
 *     cuzk_key_prove_file(key, "witness.wtns", &proof_json, &public_json, &err);
 *
 * Every proof is verified before it is returned. Threads: a key may be used from any number of
 * threads at once; closing it while a call uses it is a caller's error. Strings returned through
 * `char **` are NUL-terminated UTF-8, owned by the caller, freed with cuzk_free. On failure outputs
 * are untouched and *err (may be NULL) holds the reason in words a person can act on. */
#ifndef CUZK_H
#define CUZK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CUZK_VERSION_MAJOR 0
#define CUZK_VERSION_MINOR 1
#define CUZK_VERSION_PATCH 0

#if defined(__GNUC__)
#define CUZK_API __attribute__((visibility("default")))
#else
#define CUZK_API
#endif

/* Outcomes. The numbers are stable; cuzk's exit codes are made from them (see README). */
typedef enum cuzk_status {
    CUZK_OK = 0,
    CUZK_ERR_ARGUMENT = 1,    /* the caller's arguments are wrong or contradict each other */
    CUZK_ERR_IO = 2,          /* a file cannot be read or written */
    CUZK_ERR_FORMAT = 3,      /* a file or message is malformed, truncated or non-canonical */
    CUZK_ERR_UNSUPPORTED = 4, /* well formed, but something this program refuses or lacks */
    CUZK_ERR_MISMATCH = 5,    /* inputs are fine one by one but do not belong together */
    CUZK_ERR_INSECURE = 6,    /* a key with which anyone could forge proofs */
    CUZK_ERR_UNSATISFIED = 7, /* the witness does not satisfy the circuit */
    CUZK_ERR_REJECTED = 8,    /* a proof is well formed and false */
    CUZK_ERR_MEMORY = 9,      /* memory could not be had */
    CUZK_ERR_RANDOM = 10,     /* the system gave no random bytes */
    CUZK_ERR_CANCELLED = 11,  /* the caller asked to stop */
    CUZK_ERR_DEVICE = 12, /* a device failed or computed wrongly (a proof that we made is false) */
} cuzk_status;

/* Why a call failed. message: one or more lines without a final newline: what was being read, the
 * place, what was found, what was expected, what to do next. */
typedef struct cuzk_error {
    cuzk_status status;
    char message[1024];
} cuzk_error;

/* Returns "0.1.0". Static storage. */
CUZK_API const char *cuzk_version(void);

/* Returns a short stable word for a status, such as "UNSATISFIED". Static storage. */
CUZK_API const char *cuzk_status_name(cuzk_status status);

/* Frees a string that this library returned. NULL is allowed. */
CUZK_API void cuzk_free(void *string);

typedef struct cuzk_key cuzk_key;

/* Flags of cuzk_key_open. */
#define CUZK_KEY_ALLOW_INSECURE 1u /* accept a key whose phase 2 was never run (tests only) */
#define CUZK_KEY_SKIP_CHECK     2u /* trust the points: no curve and subgroup check */

/* cuzk_key_open loads a proving key: a snarkjs .zkey, or bellperson .params. The latter carries no
 * circuit, so r1cs names the .r1cs file that it was made for; for a .zkey r1cs is optional and,
 * when given, each witness is checked row by row before proving. On success *key is owned by the
 * caller (cuzk_key_close). */
CUZK_API cuzk_status cuzk_key_open(cuzk_key **key, const char *path, const char *r1cs,
                                   uint32_t flags, cuzk_error *err);
CUZK_API void cuzk_key_close(cuzk_key *key);

/* The number of public signals, the constant one not counted. */
CUZK_API size_t cuzk_key_public_count(const cuzk_key *key);

/* cuzk_key_prove proves that the witness (the bytes of a .wtns file) satisfies the circuit, with
 * fresh blinding, verifies the proof, and returns it and the public signals as snarkjs JSON.
 * public_json may be NULL. */
CUZK_API cuzk_status cuzk_key_prove(cuzk_key *key, const void *wtns, size_t wtns_size,
                                    char **proof_json, char **public_json, cuzk_error *err);
CUZK_API cuzk_status cuzk_key_prove_file(cuzk_key *key, const char *wtns_path, char **proof_json,
                                         char **public_json, cuzk_error *err);

/* Returns the key's verification key as snarkjs JSON. */
CUZK_API cuzk_status cuzk_key_export_vk(const cuzk_key *key, char **vk_json, cuzk_error *err);

/* cuzk_verify checks a proof against a verification key and public signals, all snarkjs JSON texts
 * (NUL-terminated). CUZK_OK: the proof is valid. CUZK_ERR_REJECTED: well formed and false. Any
 * other status: something is malformed (a point off the curve or outside the subgroup, a number
 * that is not canonical, a wrong length) or the key is insecure. */
CUZK_API cuzk_status cuzk_verify(const char *vk_json, const char *public_json,
                                 const char *proof_json, uint32_t flags, cuzk_error *err);

#ifdef __cplusplus
}
#endif
#endif
