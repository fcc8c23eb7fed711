/* Which kinds of proofs can be made. A kind is served once something in this folder parses its
 * requests (cuzk_engine_parse) and makes its witnesses; until then its requests are refused where
 * they come in, and those that an older store still has where they are parsed. */
#include "engine/engine_internal.h"

cuzk_status cuzk_engine_kind_check(cuzk_kind kind, cuzk_error *err)
{
    if (kind == CUZK_KIND_CIRCUIT)
        return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                     "proofs of kind %d (%s) are not served: this version has no circuits of "
                     "Filecoin, it proves kind %d (%s), any Groth16 circuit whose key is in its "
                     "folder; send this request to a service that has them",
                     (int)kind, cuzk_kind_name(kind), (int)CUZK_KIND_CIRCUIT,
                     cuzk_kind_name(CUZK_KIND_CIRCUIT));
}
