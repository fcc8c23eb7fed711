/* Groth16 keys in memory: what a prover and a verifier need, whatever file it came from.
 * Notation as in the spec of formats, section 2: z = (1, public.., private..), m = 2^log_m rows. */
#ifndef CUZK_GROTH16_KEY_H
#define CUZK_GROTH16_KEY_H

#include "base/map.h"
#include "base/pool.h"
#include "base/status.h"
#include "compute/ntt.h"
#include "compute/packed.h"
#include "compute/sparse.h"
#include "curve/curve.h"

/* A verification key. Points in memory form. ic: n_public + 1 G1 points, owned. */
typedef struct cuzk_vk {
    const cuzk_curve *curve;
    size_t n_public;
    cuzk_g1 alpha_g1;
    cuzk_g2 beta_g2, gamma_g2, delta_g2;
    uint64_t *ic;
} cuzk_vk;
void cuzk_vk_release(cuzk_vk *vk);

/* Refusals for any key (formats, section 7): alpha, beta, gamma or delta at infinity; gamma = delta
 * (phase 2 never run: anyone can forge). allow_insecure lets the last one pass. name stands for the
 * file in messages. Points were checked for curve and subgroup when decoded. */
cuzk_status cuzk_vk_check(const cuzk_vk *vk, bool allow_insecure, const char *name,
                          cuzk_error *err);

/* Everything of a proving key as a reader found it, in file order: memory-form points in borrowed
 * memory (unaligned, maybe a mapped file), not filtered, not checked. */
typedef struct cuzk_pk_source {
    const char *name; /* of the file, for messages */
    cuzk_vk vk;       /* moved into the key on success */
    cuzk_g1 beta_g1, delta_g1;
    cuzk_h_kind h_kind;
    unsigned log_m;
    cuzk_fr omega; /* primitive m-th root: row i sits at omega^i */
    cuzk_fr coset; /* see cuzk_quotient */
    size_t vars;   /* length of z */
    /* Queries. n points each; index[i] is the variable of point i, NULL: variable i (l: n_public +
     * 1 + i). h has no variables. In memory form a query may contain infinity. zcash: the points
     * are in CUZK_ENC_ZCASH instead; they are decoded one query at a time, and infinity is refused.
     */
    struct cuzk_query_source {
        const void *points;
        size_t n;
        const uint32_t *index;
        bool zcash;
    } a, b1, b2, l, h;
    /* The constraint system, with the rows that setup appends for public inputs. c.rows = 0: no C
     * matrix; c := a*b. Moved into the key on success. */
    cuzk_coefs coefs;
    cuzk_matrix mat_a, mat_b, mat_c;
    /* Not 0: there are no matrices; assignments bring the products of so many rows. */
    size_t rows;
    /* Not NULL, then with rows: assignments are packed, with this map, whose head is 1 and the
     * public inputs. Index arrays rise. Borrowed, also by the key. */
    const cuzk_packed_map *packed;
    uint8_t digest[32]; /* SHA-256 of the file; zero: unknown */
} cuzk_pk_source;
/* Frees vk, coefs and matrices; the rest is borrowed. */
void cuzk_pk_source_release(cuzk_pk_source *source);

/* One query, ready for MSM: infinity dropped, bases prepared (compute/msm.h). index as above, NULL
 * for offset + i. n_wide: of its variables, if assignments are packed. */
typedef struct cuzk_query {
    size_t n, n_wide;
    void *bases;
    uint32_t *index;
    uint32_t offset;
} cuzk_query;

/* A proving key. Read-only once made; any number of threads may prove with it. */
typedef struct cuzk_pk {
    cuzk_vk vk;
    cuzk_g1 beta_g1, delta_g1;
    cuzk_h_kind h_kind;
    unsigned log_m;
    cuzk_fr omega, coset;
    size_t vars;
    cuzk_query a, b1, b2, l, h;
    cuzk_coefs coefs;
    cuzk_matrix mat_a, mat_b, mat_c;
    size_t rows;                   /* not 0: no matrices, see cuzk_assignment.rows */
    const cuzk_packed_map *packed; /* not NULL: see cuzk_assignment.packed; borrowed */
    cuzk_ntt_plan *plan;
    void *plan_memory;
    uint8_t digest[32];
    size_t bytes;                   /* of memory that the key holds */
    struct cuzk_verifier *verifier; /* prepared from vk: every proof is verified */
} cuzk_pk;

#define CUZK_PK_ALLOW_INSECURE 1u
#define CUZK_PK_SKIP_CHECK                                                                         \
    2u /* points were checked before (verdict cached under the file's digest) */

/* cuzk_pk_new makes a key: checks sizes against each other, all points for curve and subgroup
 * (unless skipped), refuses insecure heads, drops infinity, prepares bases and tables. On success
 * *source is emptied (its vk and matrices are moved). Errors name source->name, the query and the
 * index. */
cuzk_status cuzk_pk_new(cuzk_pk **pk, cuzk_pk_source *source, uint32_t flags, cuzk_pool *pool,
                        cuzk_error *err);
void cuzk_pk_free(cuzk_pk *pk);

/* "is there a cached verdict that the file with this digest has only good points": a directory of
 * empty files named by digest, $XDG_CACHE_HOME/cuzk/checked or ~/.cache/cuzk/checked, mode 0700,
 * ignored if owned by another user or writable by others. CUZK_NO_CACHE=1 turns it off. */
bool cuzk_verdict_known(const uint8_t digest[32]);
void cuzk_verdict_store(const uint8_t digest[32]);

/* The same without reading the file: cuzk_verdict_store_file also keeps the digest under the file's
 * identity, and cuzk_verdict_recall sets digest to it and returns true if the verdict is good and
 * the file has not been touched since (the time of its last change is part of the identity, and no
 * program can set that). A file touched within the last seconds is not kept: another change might
 * not move its time. Both do nothing for a map without a file. */
bool cuzk_verdict_recall(uint8_t digest[32], const cuzk_map *map);
void cuzk_verdict_store_file(const uint8_t digest[32], const cuzk_map *map);

#endif
