#include "support/fil_request.h"

#include "support/filecoin.h"

#include <stdlib.h>
#include <string.h>

/* The model's, for all PoSt proofs. */
static void set_randomness(uint8_t out[32])
{
    for (size_t i = 0; i < 32; i++)
        out[i] = (uint8_t)i;
}

static void set_comms(test_request *request)
{
    json_t *model = test_fil_json("model-2kib.json");
    const json_t *snap = test_member(model, "snap");
    test_hex_32(request->comm_r_old, json_string_value(test_member(model, "comm_r")));
    test_hex_32(request->comm_r_new, json_string_value(test_member(snap, "comm_r_new")));
    test_hex_32(request->comm_d_new, json_string_value(test_member(snap, "comm_d_new")));
    json_decref(model);
    request->fields.comm_r_old = (cuzk_fil_blob){request->comm_r_old, 32};
    request->fields.comm_r_new = (cuzk_fil_blob){request->comm_r_new, 32};
    request->fields.comm_d_new = (cuzk_fil_blob){request->comm_d_new, 32};
}

void test_request_init(test_request *request, cuzk_fil_kind kind)
{
    static const char *const files[] = {
        [CUZK_FIL_POREP] = "filecoin/model-2kib-c1-wrapper.json",
        [CUZK_FIL_SNAP] = "filecoin/model-2kib-snap-0.vproof",
        [CUZK_FIL_WINDOW] = "filecoin/model-2kib-window.vproof",
        [CUZK_FIL_WINNING] = "filecoin/model-2kib-winning.vproof",
    };
    size_t size = 0;
    memset(request, 0, sizeof *request);
    request->bytes = test_read_data(files[kind], &size);
    request->blob = (cuzk_fil_blob){request->bytes, size};
    request->fields = (cuzk_fil_fields){
        .kind = kind,
        .registered_proof = kind == CUZK_FIL_POREP || kind == CUZK_FIL_WINDOW ? 5 : 0,
        .miner_id = 1000,
        .sector_number = 7,
        .vanilla = &request->blob,
        .n_vanilla = 1,
    };
    if (kind == CUZK_FIL_SNAP)
        set_comms(request);
    if (kind == CUZK_FIL_WINDOW || kind == CUZK_FIL_WINNING) {
        set_randomness(request->randomness);
        request->fields.randomness = (cuzk_fil_blob){request->randomness, 32};
    }
}

void test_request_release(test_request *request)
{
    free(request->bytes);
}
