/* What `cuzk setup` makes a key for: an .r1cs file, or one of the program's circuits. */
#ifndef CUZK_CMD_SETUP_SOURCE_H
#define CUZK_CMD_SETUP_SOURCE_H

#include "base/map.h"
#include "circuit/compile_columns.h"

typedef struct cuzk_setup_source {
    const cuzk_columns *columns;
    cuzk_r1cs cs; /* the matrices; none where a compiled circuit does without */
    cuzk_compiled *compiled;
    cuzk_r1cs_columns plain;
    cuzk_compiled_columns shared;
} cuzk_setup_source;

/* Reads an .r1cs file. *source must not move afterwards; it is the caller's
 * (cuzk_setup_source_release), also after a failure, here and below. */
cuzk_status cuzk_setup_source_read(cuzk_setup_source *source, const cuzk_map *map, cuzk_error *err);

/* Compiles a circuit of at most max_rows rows; matrices: makes these too. */
cuzk_status cuzk_setup_source_compile(cuzk_setup_source *source, const char *name, size_t max_rows,
                                      bool matrices, cuzk_error *err);
void cuzk_setup_source_release(cuzk_setup_source *source);

#endif
