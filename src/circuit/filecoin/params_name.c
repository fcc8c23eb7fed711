/* Names of parameter files: a digest of a text that describes the circuit, as the program that made
 * the published ones writes it. */
#include "circuit/filecoin/proofs.h"

#include "base/digest.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Digests of the published files, in the order of kinds and sizes. */
typedef struct published {
    const char *params, *vk;
} published;

static const published all_published[4][CUZK_FIL_SIZES] = {
    {
        /* porep */
        {"434fb1338ecfaf0f59256f30dde4968f", "dc1ade9929ade1708238f155343044ac"},
        {"09e612e4eeb7a0eb95679a88404f960c", "b687beb9adbd9dabe265a7e3620813e4"},
        {"6c77597eb91ab936c1cef4cf19eba1b3", "065179da19fbe515507267677f02823e"},
        {"6a388072a518cf46ebd661f5cc46900a", "0c7b4aac1c40fdb7eb82bc355b41addf"},
        {"1801f8a6e1b00bceb00cc27314bb5ce3", "a89884252c04c298d0b3c81bfd884164"},
    },
    {
        /* snap */
        {"311f92a3e75036ced01b1c0025f1fa0c", "eadad9784969890d30f2749708c79771"},
        {"5aedd2cf3e5c0a15623d56a1b43110ad", "abd80269054d391a734febdac0d2e687"},
        {"c3ad7bb549470b82ad52ed070aebb4f4", "994c5b7d450ca9da348c910689f2dc7f"},
        {"1b3cfd761a961543f9eb273e435a06a2", "3a6941983754737fde880d29c7094905"},
        {"1a392e7b759fb18e036c7559b5ece816", "80e366df2f1011953c2d01c7b7c9ee8e"},
    },
    {
        /* window */
        {"7610b9f82bfc88405b7a832b651ce2f6", "0e0958009936b9d5e515ec97b8cb792d"},
        {"c49499bb76a0762884896f9683403f55", "34d4feeacd9abf788d69ef1bb4d8fd00"},
        {"1a7d4a9c8a502a497ed92a54366af33f", "4dae975de4f011f101f5a2f86d1daaba"},
        {"2cf49eb26f1fee94c85781a390ddb4c8", "0f8ec542485568fa3468c066e9fed82b"},
        {"3810b7780ac0e299b22ae70f1f94c9bc", "59d2bf1857adc59a4f08fcf2afaa916b"},
    },
    {
        /* winning */
        {"82c88066be968bb550a05e30ff6c2413", "ffd79788d614d27919ae5bd2d94eacb6"},
        {"700171ecf7334e3199437c930676af82", "79ebb55f56fda427743e35053edad8fc"},
        {"827359440349fe8f5a016e7598993b79", "bd2cd62f65c1ab84f19ca27e97b7c731"},
        {"d84f79a16fe40e9e25a36e2107bb1ba0", "fc02943678dd119e69e7fab8420e8819"},
        {"2170a91ad5bae22ea61f2ea766630322", "6d3789148fb6466d07ee1e24d6292fd6"},
    },
};
cuzk_fil_tree_name cuzk_fil_tree_name_get(const cuzk_tree_shape *tree)
{
    cuzk_fil_tree_name name;
    snprintf(name.text, sizeof name.text, "merkletree-poseidon_hasher-%u-%u-%u", tree->base,
             tree->sub, tree->top);
    return name;
}

static void write_identifier(char *out, size_t room, const cuzk_fil_proof *p, const char *tree)
{
    switch (p->kind) {
    case CUZK_FIL_POREP:
        snprintf(out, room,
                 "layered_drgporep::PublicParams{ graph: stacked_graph::StackedGraph{"
                 "expansion_degree: 8 base_graph: drgraph::BucketGraph{size: %" PRIu64
                 "; degree: 6; hasher: poseidon_hasher} }, challenges: LayerChallenges { layers: "
                 "%u, max_count: %zu }, tree: %s }",
                 p->nodes, p->layers, p->challenges, tree);
        break;
    case CUZK_FIL_SNAP:
        snprintf(out, room, "empty_sector_update::PublicParams{ sector_nodes: %" PRIu64 " }",
                 p->nodes);
        break;
    case CUZK_FIL_WINDOW:
    case CUZK_FIL_WINNING:
        snprintf(out, room,
                 "FallbackPoSt::PublicParams{sector_size: %" PRIu64
                 ", challenge_count: %zu, sector_count: %zu}",
                 p->sector_bytes, p->challenges, p->sectors);
        break;
    }
}

static cuzk_status hash_text(char hex[65], const char *text, cuzk_error *err)
{
    uint8_t digest[CUZK_SHA256_BYTES];
    cuzk_digest *hash = NULL;
    CUZK_TRY(cuzk_digest_new(&hash, CUZK_SHA256, err));
    cuzk_status status = cuzk_digest_update(hash, text, strlen(text), err);
    if (status == CUZK_OK)
        status = cuzk_digest_finish(hash, digest, err);
    cuzk_digest_free(hash);
    if (status == CUZK_OK)
        for (size_t i = 0; i < sizeof digest; i++)
            snprintf(hex + 2 * i, 3, "%02x", digest[i]);
    return status;
}

cuzk_status cuzk_fil_params_get(cuzk_fil_params *params, const cuzk_fil_proof *proof,
                                cuzk_error *err)
{
    const char *prefix = proof->kind == CUZK_FIL_POREP  ? "stacked-proof-of-replication"
                         : proof->kind == CUZK_FIL_SNAP ? "empty-sector-update"
                                                        : "proof-of-spacetime-fallback";
    cuzk_fil_tree_name tree = cuzk_fil_tree_name_get(&proof->tree);
    char hex[65] = "";
    write_identifier(params->identifier, sizeof params->identifier, proof, tree.text);
    CUZK_TRY(hash_text(hex, params->identifier, err));
    snprintf(params->name, sizeof params->name, "v28-%s-%s%s-%s", prefix, tree.text,
             proof->kind == CUZK_FIL_POREP ? "-sha256_hasher" : "", hex);
    const published *files = &all_published[proof->kind - 1][proof->size];
    params->params_digest = files->params;
    params->vk_digest = files->vk;
    return CUZK_OK;
}
