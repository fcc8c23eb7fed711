/* Verification keys, from whatever file holds one. */
#ifndef CUZK_API_VK_LOAD_H
#define CUZK_API_VK_LOAD_H

#include "base/map.h"
#include "groth16/key.h"

/* Reads the verification key of a verification_key.json, a bellperson .vk, or the head of a .zkey
 * or .params. Points are checked; the refusals of cuzk_vk_check are the caller's. vk is the
 * caller's to release. */
cuzk_status cuzk_vk_load(cuzk_vk *vk, const cuzk_map *map, cuzk_error *err);

#endif
