#include "circuit/filecoin/seal.h"

#include "base/memory.h"
#include "circuit/filecoin/identity.h"
#include "circuit/filecoin/labels.h"
#include "field/bls12_381_fr.h"
#include "hash/poseidon.h"

#include <stdlib.h>
#include <string.h>

/* Four nodes are 127 bytes. */
void cuzk_fr32_pad(cuzk_scalar *nodes, const uint8_t *raw, size_t n)
{
    memset(nodes, 0, n * sizeof *nodes);
    for (size_t bit = 0; bit < 254 * n; bit++) {
        uint64_t value = raw[bit / 8] >> bit % 8 & 1;
        nodes[bit / 254].l[bit % 254 / 64] |= value << bit % 254 % 64;
    }
}

static cuzk_status no_memory(cuzk_error *err)
{
    return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a sector");
}

cuzk_status cuzk_sector_data_check(const cuzk_scalar *data, uint64_t n, cuzk_error *err)
{
    for (uint64_t i = 0; i < n; i++) {
        if (data[i].l[3] >> 62 != 0)
            return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                             "sector data: node %llu has one of its two top bits set; data is "
                             "expected in nodes of 254 bits",
                             (unsigned long long)i);
    }
    return CUZK_OK;
}

static cuzk_status make_data(cuzk_sector *s, const cuzk_scalar *data, cuzk_pool *pool,
                             cuzk_error *err)
{
    const size_t n = s->proof.nodes;
    cuzk_tree_form form = cuzk_shape_form(&s->proof.data, CUZK_TREE_SHA256);
    if (data != NULL)
        CUZK_TRY(cuzk_sector_data_check(data, n, err));
    cuzk_scalar *zeros = data == NULL ? calloc(n, sizeof *zeros) : NULL;
    if (data == NULL && zeros == NULL)
        return no_memory(err);
    cuzk_status status = cuzk_tree_init(&s->d, &form, data == NULL ? zeros : data, pool, err);
    free(zeros);
    if (status == CUZK_OK)
        s->comm_d = *cuzk_tree_root(&s->d);
    return status;
}

static cuzk_status make_labels(cuzk_sector *s, cuzk_error *err)
{
    cuzk_replica_source id = {.sector = s->sector, .comm_d = s->comm_d};
    cuzk_prover_id(id.prover_id, s->miner);
    memcpy(id.ticket, s->ticket, sizeof id.ticket);
    memcpy(id.porep_id, s->proof.porep_id, sizeof id.porep_id);
    CUZK_TRY(cuzk_replica_id(&s->replica_id, &id, err));
    CUZK_TRY(cuzk_graph_init(&s->graph, s->proof.nodes, s->proof.porep_id, s->proof.api, err));
    s->label = cuzk_memory_new(s->proof.layers * s->proof.nodes, sizeof *s->label);
    if (s->label == NULL)
        return no_memory(err);
    return cuzk_labels_make(s->label, &s->graph, s->proof.layers, &s->replica_id, err);
}

/* Columns hashed so many at a time. */
enum { BATCH = 4096 };

static void hash_columns(cuzk_scalar *hash, cuzk_scalar *columns, const cuzk_sector *s,
                         cuzk_pool *pool)
{
    const size_t n = s->proof.nodes, layers = s->proof.layers;
    const cuzk_poseidon *p = cuzk_poseidon_get((unsigned)layers);
    for (size_t first = 0; first < n; first += BATCH) {
        size_t count = n - first < BATCH ? n - first : BATCH;
        for (size_t v = 0; v < count; v++)
            for (size_t layer = 0; layer < layers; layer++)
                columns[v * layers + layer] = s->label[layer * n + first + v];
        cuzk_poseidon_hash_many(hash + first, p, cuzk_poseidon_tag_merkle(p->arity), columns, count,
                                pool);
    }
}

static cuzk_status make_columns(cuzk_sector *s, cuzk_pool *pool, cuzk_error *err)
{
    cuzk_tree_form form = cuzk_shape_form(&s->proof.tree, CUZK_TREE_POSEIDON);
    cuzk_scalar *hash = cuzk_memory_new(s->proof.nodes, sizeof *hash);
    cuzk_scalar *columns = cuzk_memory_new(BATCH * s->proof.layers, sizeof *columns);
    cuzk_status status = CUZK_OK;
    if (hash == NULL || columns == NULL) {
        status = no_memory(err);
    } else {
        hash_columns(hash, columns, s, pool);
        status = cuzk_tree_init(&s->c, &form, hash, pool, err);
    }
    free(columns);
    free(hash);
    if (status == CUZK_OK)
        s->comm_c = *cuzk_tree_root(&s->c);
    return status;
}

/* a + b mod r, canonical: the Montgomery factor does not matter to a sum. */
static cuzk_scalar add(const cuzk_scalar *a, const cuzk_scalar *b)
{
    cuzk_fr x = {{a->l[0], a->l[1], a->l[2], a->l[3]}}, y = {{b->l[0], b->l[1], b->l[2], b->l[3]}};
    bls12_381_fr_add(&x, &x, &y);
    return (cuzk_scalar){{x.l[0], x.l[1], x.l[2], x.l[3]}};
}

static cuzk_status make_replica(cuzk_sector *s, cuzk_pool *pool, cuzk_error *err)
{
    const size_t n = s->proof.nodes;
    const cuzk_scalar *key = s->label + (s->proof.layers - 1) * n;
    cuzk_tree_form form = cuzk_shape_form(&s->proof.tree, CUZK_TREE_POSEIDON);
    cuzk_scalar *replica = cuzk_memory_new(n, sizeof *replica);
    if (replica == NULL)
        return no_memory(err);
    for (size_t v = 0; v < n; v++)
        replica[v] = add(&key[v], &s->d.row[0][v]);
    cuzk_status status = cuzk_tree_init(&s->r, &form, replica, pool, err);
    free(replica);
    if (status == CUZK_OK)
        s->comm_r_last = *cuzk_tree_root(&s->r);
    return status;
}

cuzk_status cuzk_sector_seal(cuzk_sector *sector, const cuzk_seal_source *source, cuzk_pool *pool,
                             cuzk_error *err)
{
    const cuzk_fil_proof *proof = &source->proof;
    CUZK_ASSERT(proof->kind == CUZK_FIL_POREP && cuzk_poseidon_get(proof->layers) != NULL &&
                cuzk_shape_leaves(&proof->tree) == proof->nodes &&
                cuzk_shape_leaves(&proof->data) == proof->nodes);
    *sector = (cuzk_sector){.proof = *proof, .miner = source->miner, .sector = source->sector};
    memcpy(sector->ticket, source->ticket, sizeof sector->ticket);
    cuzk_status status = make_data(sector, source->data, pool, err);
    if (status == CUZK_OK)
        status = make_labels(sector, err);
    if (status == CUZK_OK)
        status = make_columns(sector, pool, err);
    if (status == CUZK_OK)
        status = make_replica(sector, pool, err);
    if (status != CUZK_OK) {
        cuzk_sector_release(sector);
        return status;
    }
    cuzk_comm_r(&sector->comm_r, &sector->comm_c, &sector->comm_r_last);
    return CUZK_OK;
}

void cuzk_sector_release(cuzk_sector *sector)
{
    cuzk_graph_release(&sector->graph);
    cuzk_tree_release(&sector->d);
    cuzk_tree_release(&sector->c);
    cuzk_tree_release(&sector->r);
    free(sector->label);
    *sector = (cuzk_sector){0};
}
