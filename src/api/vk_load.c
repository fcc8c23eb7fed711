#include "api/vk_load.h"

#include "api/file_kind.h"
#include "groth16/params.h"
#include "iden3/json.h"
#include "iden3/zkey.h"

cuzk_status cuzk_vk_load(cuzk_vk *vk, const cuzk_map *map, cuzk_error *err)
{
    cuzk_file_kind kind = cuzk_file_kind_find(map);
    switch (kind) {
    case CUZK_FILE_VK_JSON:
        return cuzk_json_read_vk(vk, (const char *)cuzk_map_data(map), cuzk_map_size(map),
                                 cuzk_map_name(map), err);
    case CUZK_FILE_ZKEY:
        return cuzk_zkey_read_vk(vk, map, err);
    case CUZK_FILE_VK:
        return cuzk_params_read_vk(vk, NULL, NULL, map, false, err);
    case CUZK_FILE_PARAMS:
        return cuzk_params_read_vk(vk, NULL, NULL, map, true, err);
    default:
        return cuzk_file_kind_fail(
            map, kind, "a verification key (verification_key.json, .vk, .zkey or .params)", err);
    }
}
