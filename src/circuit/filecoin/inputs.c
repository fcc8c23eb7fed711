#include "circuit/filecoin/inputs.h"

#include "base/status.h"

#include <stdio.h>
#include <string.h>

/* --- sizes --- */

static unsigned log2_of(size_t n)
{
    unsigned bits = 0;
    while ((size_t)1 << (bits + 1) <= n)
        bits++;
    return bits;
}

static cuzk_fil_sizes porep_sizes(const cuzk_fil_proof *p)
{
    enum { PARENTS = CUZK_DRG_PARENTS + CUZK_EXP_PARENTS };
    const size_t tree = cuzk_shape_siblings(&p->tree), data = cuzk_shape_siblings(&p->data);
    const size_t levels = cuzk_shape_levels(&p->tree), data_levels = cuzk_shape_levels(&p->data);
    return (cuzk_fil_sizes){
        .field = 5 + p->challenges * (1 + data + PARENTS * (p->layers + tree) + 2 * tree),
        .word = p->challenges * (data_levels + PARENTS * levels + 1 + 2 * levels),
        .statement = CUZK_POREP_HEAD_INPUTS + p->challenges * CUZK_POREP_CHALLENGE_INPUTS,
    };
}

static cuzk_fil_sizes post_sizes(const cuzk_fil_proof *p)
{
    const size_t paths = p->sectors * p->challenges;
    return (cuzk_fil_sizes){
        .field = 3 * p->sectors + paths * (1 + cuzk_shape_siblings(&p->tree)),
        .word = paths * cuzk_shape_levels(&p->tree),
        .statement = p->sectors + paths,
    };
}

/* Levels of a path in D below the apex. */
static size_t low_levels(const cuzk_fil_proof *p)
{
    return cuzk_shape_levels(&p->data) - p->partition_bits - log2_of(p->apex);
}

static cuzk_fil_sizes snap_sizes(const cuzk_fil_proof *p)
{
    const size_t challenge = 2 + 2 * cuzk_shape_siblings(&p->tree) + low_levels(p);
    return (cuzk_fil_sizes){
        .field = 7 + p->apex + p->partition_bits + p->challenges * challenge,
        .statement = CUZK_SNAP_INPUTS,
    };
}

cuzk_fil_sizes cuzk_fil_sizes_get(const cuzk_fil_proof *proof)
{
    switch (proof->kind) {
    case CUZK_FIL_POREP:
        return porep_sizes(proof);
    case CUZK_FIL_SNAP:
        return snap_sizes(proof);
    case CUZK_FIL_WINDOW:
    case CUZK_FIL_WINNING:
        break;
    }
    return post_sizes(proof);
}

/* --- circuits --- */

void cuzk_fil_circuit_init(cuzk_fil_circuit *circuit, const cuzk_fil_proof *p)
{
    memset(circuit, 0, sizeof *circuit);
    snprintf(circuit->name, sizeof circuit->name, "%s", p->circuit);
    circuit->circuit.name = circuit->name;
    circuit->circuit.params = &circuit->params;
    if (p->kind == CUZK_FIL_POREP) {
        circuit->circuit.build = cuzk_porep_build;
        circuit->params.porep =
            (cuzk_porep_params){p->tree, p->data, p->layers, (uint32_t)p->challenges};
    } else if (p->kind == CUZK_FIL_SNAP) {
        cuzk_update_params *update = &circuit->params.update;
        circuit->circuit.build = cuzk_update_build;
        *update = (cuzk_update_params){.tree = p->tree,
                                       .node_bits = cuzk_shape_levels(&p->data),
                                       .partition_bits = p->partition_bits,
                                       .apex_bits = log2_of(p->apex),
                                       .challenges = (uint32_t)p->challenges};
        for (size_t i = 0; i < CUZK_SNAP_HS; i++)
            update->high[i] = p->h_bits[i];
    } else {
        circuit->circuit.build = cuzk_post_build;
        circuit->params.post =
            (cuzk_post_params){p->tree, (uint32_t)p->sectors, (uint32_t)p->challenges};
    }
}

/* --- filling --- */

typedef struct sink {
    cuzk_scalar *field;
    uint64_t *word;
    cuzk_scalar *statement; /* NULL: not wanted */
} sink;

static sink sink_of(const cuzk_fil_inputs *out)
{
    return (sink){out->field, out->word, out->statement};
}

/* Every array is full, to the last element. */
static void check_full(const sink *s, const cuzk_fil_inputs *out, const cuzk_fil_proof *proof)
{
    cuzk_fil_sizes sizes = cuzk_fil_sizes_get(proof);
    CUZK_ASSERT((size_t)(s->field - out->field) == sizes.field);
    CUZK_ASSERT(sizes.word == 0 || (size_t)(s->word - out->word) == sizes.word);
    CUZK_ASSERT(out->statement == NULL ||
                (size_t)(s->statement - out->statement) == sizes.statement);
}

static void put(sink *s, const cuzk_scalar *value, size_t n)
{
    memcpy(s->field, value, n * sizeof *value);
    s->field += n;
}

static void put_public(sink *s, const cuzk_scalar *value)
{
    if (s->statement != NULL)
        *s->statement++ = *value;
}

static void put_place(sink *s, uint64_t place)
{
    put_public(s, &(cuzk_scalar){{place}});
}

static void put_siblings(sink *s, const cuzk_merkle_path *path)
{
    put(s, path->sibling, cuzk_shape_siblings(&path->shape));
}

/* A path and its leaf's place. */
static void put_path(sink *s, const cuzk_merkle_path *path)
{
    for (uint32_t level = 0; level < cuzk_shape_levels(&path->shape); level++)
        *s->word++ = path->index[level];
    put_siblings(s, path);
    put_place(s, cuzk_merkle_path_leaf(path));
}

static void put_parents(sink *s, const cuzk_column_proof *parent, size_t n, unsigned layers)
{
    for (size_t i = 0; i < n; i++) {
        put(s, parent[i].label, layers);
        put_path(s, &parent[i].path);
    }
}

void cuzk_porep_inputs(const cuzk_fil_inputs *out, const cuzk_fil_proof *proof,
                       const cuzk_porep_vanilla *c1, size_t k)
{
    sink s = sink_of(out);
    const cuzk_porep_partition *partition = &c1->partition[k];
    const cuzk_porep_challenge *first = &partition->challenge[0];
    put(&s, &c1->replica_id, 1);
    put(&s, &c1->comm_d, 1);
    put(&s, &c1->comm_r, 1);
    put(&s, &first->replica.root, 1);
    put(&s, &first->column.path.root, 1);
    put_public(&s, &c1->replica_id);
    put_public(&s, &c1->comm_d);
    put_public(&s, &c1->comm_r);
    for (size_t i = 0; i < partition->n_challenges; i++) {
        const cuzk_porep_challenge *challenge = &partition->challenge[i];
        put(&s, &challenge->data.leaf, 1);
        put_path(&s, &challenge->data);
        put_parents(&s, challenge->drg, CUZK_DRG_PARENTS, proof->layers);
        put_parents(&s, challenge->exp, CUZK_EXP_PARENTS, proof->layers);
        *s.word++ = challenge->node;
        put_place(&s, challenge->node);
        put_path(&s, &challenge->replica);
        put_path(&s, &challenge->column.path);
    }
    check_full(&s, out, proof);
}

static void put_sector(sink *s, const cuzk_post_sector *sector, const cuzk_merkle_path *path,
                       size_t n_paths)
{
    put(s, &sector->comm_r_last, 1);
    put(s, &sector->comm_c, 1);
    put(s, &sector->comm_r, 1);
    put_public(s, &sector->comm_r);
    for (size_t i = 0; i < n_paths; i++) {
        put(s, &path[i].leaf, 1);
        put_path(s, &path[i]);
    }
}

void cuzk_window_inputs(const cuzk_fil_inputs *out, const cuzk_fil_proof *proof,
                        const cuzk_post_sector *sector, size_t n)
{
    sink s = sink_of(out);
    for (size_t i = 0; i < proof->sectors; i++) {
        const cuzk_post_sector *own = &sector[i < n ? i : n - 1];
        put_sector(&s, own, own->path, own->n_paths);
    }
    check_full(&s, out, proof);
}

void cuzk_winning_inputs(const cuzk_fil_inputs *out, const cuzk_fil_proof *proof,
                         const cuzk_post_sector *sector)
{
    sink s = sink_of(out);
    for (size_t i = 0; i < proof->sectors; i++)
        put_sector(&s, sector, &sector->path[i < sector->n_paths ? i : sector->n_paths - 1], 1);
    check_full(&s, out, proof);
}

static void put_snap_head(sink *s, const cuzk_fil_proof *proof, const cuzk_snap_public *comms,
                          const cuzk_snap_partition *partition, size_t k)
{
    const cuzk_snap_challenge *first = &partition->challenge[0];
    const cuzk_scalar statement[] = {
        {{cuzk_snap_k_h(proof, k)}}, comms->comm_r_old, comms->comm_d_new, comms->comm_r_new};
    for (size_t i = 0; i < CUZK_SNAP_INPUTS; i++)
        put_public(s, &statement[i]);
    put(s, statement, CUZK_SNAP_INPUTS);
    put(s, &partition->comm_c, 1);
    put(s, &first->r_old.root, 1);
    put(s, &first->r_new.root, 1);
    put(s, partition->apex, partition->n_apex);
    put(s, first->d_new.sibling + cuzk_shape_levels(&proof->data) - proof->partition_bits,
        proof->partition_bits);
}

void cuzk_snap_inputs(const cuzk_fil_inputs *out, const cuzk_fil_proof *proof,
                      const cuzk_snap_public *comms, const cuzk_snap_partition *partition, size_t k)
{
    sink s = sink_of(out);
    put_snap_head(&s, proof, comms, partition, k);
    for (size_t i = 0; i < partition->n_challenges; i++) {
        const cuzk_snap_challenge *challenge = &partition->challenge[i];
        put(&s, &challenge->r_old.leaf, 1);
        put(&s, &challenge->d_new.leaf, 1);
        put_siblings(&s, &challenge->r_old);
        put_siblings(&s, &challenge->r_new);
        put(&s, challenge->d_new.sibling, low_levels(proof));
    }
    check_full(&s, out, proof);
}
