/* Sectors for tests and demonstrations, each in a folder:
 *   sector.json  who sealed what, and the commitments
 *   unsealed     the data, in nodes of 32 bytes   } not there for
 *   sealed       the replica, likewise            } sparse sectors
 * Labels and trees are made again when they are needed. */
#ifndef CUZK_CMD_SECTOR_FOLDER_H
#define CUZK_CMD_SECTOR_FOLDER_H

#include "circuit/filecoin/seal.h"
#include "circuit/filecoin/seeded.h"

#include <jansson.h>
#include <stdbool.h>

/* The largest sector that is sealed for real. */
#define CUZK_SEALED_MAX_BYTES ((uint64_t)8 << 20)

typedef struct cuzk_sector_folder {
    cuzk_fil_proof proof; /* of kind PoRep */
    uint64_t miner, sector, seed;
    uint8_t ticket[32];
    bool sparse;
    cuzk_sector sealed; /* {0}: sparse */
} cuzk_sector_folder;

/* A new sector with data from its seed: fills `sealed`, unless it is sparse, by the other members,
 * and writes the folder, which need not be there. Release *folder also after an error. */
cuzk_status cuzk_sector_folder_make(cuzk_sector_folder *folder, const char *path, cuzk_pool *pool,
                                    cuzk_error *err);

/* Reads a folder; seals again what is in it, and compares. Release *folder also after an error. */
cuzk_status cuzk_sector_folder_open(cuzk_sector_folder *folder, const char *path, cuzk_pool *pool,
                                    cuzk_error *err);
void cuzk_sector_folder_release(cuzk_sector_folder *folder);

/* What describes it: the content of sector.json. NULL: no memory. */
json_t *cuzk_sector_folder_describe(const cuzk_sector_folder *folder);

/* A seed's 32 bytes, and 32 bytes that follow from it where nobody gave a ticket, seed or
 * randomness. */
void cuzk_seed_bytes(uint8_t out[32], uint64_t seed);
void cuzk_seed_chance(uint8_t out[32], uint64_t seed, uint64_t number);

/* Hexadecimal text of 32 bytes. Reading refuses other lengths and characters. */
typedef struct cuzk_hex_32 {
    char text[65];
} cuzk_hex_32;
cuzk_hex_32 cuzk_hex_32_write(const void *bytes);
bool cuzk_hex_32_read(uint8_t bytes[32], const char *text);

/* folder/name, for files; false: too long. */
bool cuzk_path_join(char out[4096], const char *folder, const char *name);

#endif
