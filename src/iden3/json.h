/* snarkjs' JSON files: proof, public signals, verification key. Formats, section 3.9. */
#ifndef CUZK_IDEN3_JSON_H
#define CUZK_IDEN3_JSON_H

#include "groth16/key.h"
#include "groth16/proof.h"

/* All readers take `size` bytes of text; name stands for the file in messages. Strict: numbers are
 * strings 0|[1-9][0-9]*, below the modulus, arrays of exact length, z = 1 (or infinity as 0,1,0);
 * points are checked for curve and subgroup. Unknown members are ignored, duplicate ones refused.
 */
cuzk_status cuzk_json_read_vk(cuzk_vk *vk, const char *text, size_t size, const char *name,
                              cuzk_error *err);
/* curve: the one expected. */
cuzk_status cuzk_json_read_proof(cuzk_proof *proof, const cuzk_curve *curve, const char *text,
                                 size_t size, const char *name, cuzk_error *err);
/* *inputs: n scalars, owned by the caller (free). n must be the expected number. */
cuzk_status cuzk_json_read_public(cuzk_scalar **inputs, size_t expected, const cuzk_curve *curve,
                                  const char *text, size_t size, const char *name, cuzk_error *err);

/* How to lay the text out: snarkjs (one space of indentation, "curve") or rapidsnark (one line, no
 * "curve"), each byte for byte as that program writes it. */
typedef enum cuzk_json_style { CUZK_JSON_SNARKJS, CUZK_JSON_RAPIDSNARK } cuzk_json_style;

/* Writers return a NUL-terminated string owned by the caller (free), without a final newline. */
cuzk_status cuzk_json_write_vk(char **text, const cuzk_vk *vk, cuzk_error *err);
cuzk_status cuzk_json_write_proof(char **text, const cuzk_proof *proof, const cuzk_curve *curve,
                                  cuzk_json_style style, cuzk_error *err);
cuzk_status cuzk_json_write_public(char **text, const cuzk_scalar *inputs, size_t n,
                                   cuzk_json_style style, cuzk_error *err);

#endif
