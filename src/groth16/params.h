/* bellperson's parameter files (.params), verifying keys (.vk): BLS12-381 only. Formats,
 * section 3.1. */
#ifndef CUZK_GROTH16_PARAMS_H
#define CUZK_GROTH16_PARAMS_H

#include "base/map.h"
#include "compute/columns.h"
#include "groth16/density.h"
#include "groth16/key.h"
#include "groth16/setup.h"

/* What a .params file says about itself; offsets of the arrays' first points. */
typedef struct cuzk_params_info {
    size_t ic_len, h_len, l_len, a_len, b_len;
    size_t ic_at, h_at, l_at, a_at, b_g1_at, b_g2_at;
} cuzk_params_info;

/* Reads the counts and checks them against the file's size to the byte; no points are decoded. */
cuzk_status cuzk_params_info_read(cuzk_params_info *info, const cuzk_map *map, cuzk_error *err);

/* Decodes the head of a .params file or a whole .vk file (params = false: the file must end after
 * ic). Curve, subgroup and infinity are checked. vk is the caller's to release. beta_g1 and
 * delta_g1 may be NULL. */
cuzk_status cuzk_params_read_vk(cuzk_vk *vk, cuzk_g1 *beta_g1, cuzk_g1 *delta_g1,
                                const cuzk_map *map, bool params, cuzk_error *err);

/* cuzk_params_open makes a proving key from a .params file and the constraint system that it
 * belongs to (consumed on success): densities of cs give the index maps and must agree with the
 * array lengths. sink: as cuzk_pk_new takes it. */
cuzk_status cuzk_params_open(cuzk_pk **pk, const cuzk_map *map, cuzk_r1cs *cs, uint32_t flags,
                             cuzk_base_sink *sink, cuzk_pool *pool, cuzk_error *err);

/* What a .params file does not say about the circuit that it belongs to. */
typedef struct cuzk_params_circuit {
    size_t rows, vars, n_public; /* rows: without those for public inputs */
    const cuzk_density *density;
    const cuzk_packed_map *packed; /* see cuzk_pk_source; NULL: assignments are arrays */
} cuzk_params_circuit;

/* The same for a circuit whose rows stay outside of the key: assignments bring them
 * (cuzk_row_source). circuit->packed outlives the key. sha256: of the file's bytes, for who has
 * read them already; else NULL. */
cuzk_status cuzk_params_open_bare(cuzk_pk **pk, const cuzk_map *map,
                                  const cuzk_params_circuit *circuit, const uint8_t *sha256,
                                  uint32_t flags, cuzk_base_sink *sink, cuzk_pool *pool,
                                  cuzk_error *err);

/* Writers. setup->kind must be CUZK_SETUP_BELLPERSON. Files are written beside the target, synced,
 * and renamed over it. */
cuzk_status cuzk_params_write(const char *path, const cuzk_setup *setup, cuzk_error *err);
/* Makes a key and writes it as its points are made, so that they need not be held: the bytes are
 * those of cuzk_setup_make and cuzk_params_write. *setup gets the head and the lengths of the
 * queries, which are not there (cuzk_setup_release). Errors: those of both. */
cuzk_status cuzk_params_make(const char *path, cuzk_setup *setup, const cuzk_columns *cs,
                             const cuzk_toxic *toxic, const cuzk_group_ops *ops, cuzk_pool *pool,
                             cuzk_error *err);
cuzk_status cuzk_params_write_vk(const char *path, const cuzk_vk *vk, const cuzk_g1 *beta_g1,
                                 const cuzk_g1 *delta_g1, cuzk_error *err);

/* For the maker of a .params file, which knows how its points came about: keeps the verdict that
 * they are good (groth16/key.h), so that opening it does not check each. path is read again. */
cuzk_status cuzk_params_vouch(const char *path, cuzk_error *err);

#endif
