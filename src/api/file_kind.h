/* What a file is, found by looking into it: names are not trusted. */
#ifndef CUZK_API_FILE_KIND_H
#define CUZK_API_FILE_KIND_H

#include "base/map.h"

typedef enum cuzk_file_kind {
    CUZK_FILE_UNKNOWN = 0,
    CUZK_FILE_EMPTY,
    CUZK_FILE_R1CS,
    CUZK_FILE_WTNS,
    CUZK_FILE_ZKEY,
    CUZK_FILE_PTAU,
    CUZK_FILE_PARAMS,      /* bellperson parameters */
    CUZK_FILE_VK,          /* bellperson verifying key */
    CUZK_FILE_PROOF_BYTES, /* bellperson proofs, 192 bytes each */
    CUZK_FILE_VK_JSON,
    CUZK_FILE_PROOF_JSON,
    CUZK_FILE_PUBLIC_JSON,
    CUZK_FILE_OTHER_JSON,
} cuzk_file_kind;

/* By magic, else by structure: sizes of bellperson's files must fit to the byte, JSON must parse.
 */
cuzk_file_kind cuzk_file_kind_find(const cuzk_map *map);

/* "a proving key of snarkjs (.zkey)", ... Static storage. */
const char *cuzk_file_kind_text(cuzk_file_kind kind);

/* Reports that the file is of this kind where `expected` ("a witness (.wtns)") is needed. */
cuzk_status cuzk_file_kind_fail(const cuzk_map *map, cuzk_file_kind kind, const char *expected,
                                cuzk_error *err);

#endif
