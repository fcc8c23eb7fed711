#include "support/model_circuits.h"

#include "circuit/filecoin/bincode.h"
#include "circuit/filecoin/c1.h"
#include "support/vanilla.h"

#include <stdlib.h>

/* Of the snap sector: k_h, comm_r_old, comm_d_new, comm_r_new (model-2kib.json). */
static const cuzk_scalar snap_public[4] = {
    {{1, 0, 0, 0}},
    {{0x3384cae8523b4539, 0x6a6facca94a21038, 0xab7ebaa078638077, 0x56418143fb8f4653}},
    {{0x6185b392f2fd534b, 0xf48d3dd209a48195, 0x25f2e03f49e47836, 0x3193b6b6905e8e5c}},
    {{0x96b97bbe74d3396e, 0x1a073d1a50a6054b, 0xbd7faf46105b8fa8, 0x189a83973ac6864e}},
};

static uint8_t *read_vanilla(const vanilla_file *file, cuzk_fil_proof *proof, size_t *size)
{
    *proof = vanilla_proof_of(file);
    return test_read_data(file->name, size);
}

static void read_c1(cuzk_porep_vanilla *c1, cuzk_arena *arena, int which)
{
    const vanilla_file *file = &vanilla_files[which];
    cuzk_fil_proof proof;
    cuzk_error err;
    size_t size = 0;
    uint8_t *text = read_vanilla(file, &proof, &size);
    assert_ok(cuzk_c1_read(c1, arena, &proof, (const char *)text, size, file->name, &err));
    free(text);
}

static void read_sector(cuzk_post_sector *sector, cuzk_arena *arena, int which)
{
    const vanilla_file *file = &vanilla_files[which];
    cuzk_fil_proof proof;
    cuzk_error err;
    size_t size = 0;
    uint8_t *blob = read_vanilla(file, &proof, &size);
    assert_ok(cuzk_post_read(sector, arena, &proof, blob, size, file->name, &err));
    free(blob);
}

static void open_por(model_circuit *m, cuzk_arena *arena)
{
    cuzk_porep_vanilla c1;
    read_c1(&c1, arena, VANILLA_C1);
    const cuzk_merkle_path *path = &c1.partition[0].challenge[0].replica;
    m->params.por = (test_por_params){CUZK_TREE_POSEIDON, path->shape, false};
    m->circuit = (cuzk_circuit){"por", test_por_build, &m->params};
    test_inputs_field(&m->inputs, &path->leaf, 1);
    test_inputs_path(&m->inputs, path);
    test_inputs_field(&m->inputs, &path->root, 1);
}

static void open_porep(model_circuit *m, cuzk_arena *arena, int which)
{
    cuzk_porep_vanilla c1;
    read_c1(&c1, arena, which);
    const cuzk_porep_partition *p = &c1.partition[0];
    m->params.porep = (cuzk_porep_params){.tree = p->challenge[0].replica.shape,
                                          .data_tree = p->challenge[0].data.shape,
                                          .layers = c1.layers,
                                          .challenges = (uint32_t)p->n_challenges};
    m->circuit = (cuzk_circuit){"porep", cuzk_porep_build, &m->params};
    test_inputs_porep(&m->inputs, &c1, 0);
}

static void open_window(model_circuit *m, cuzk_arena *arena, int which, uint32_t sectors)
{
    cuzk_post_sector sector;
    read_sector(&sector, arena, which);
    m->params.post = (cuzk_post_params){sector.path[0].shape, sectors, (uint32_t)sector.n_paths};
    m->circuit = (cuzk_circuit){"window", cuzk_post_build, &m->params};
    for (uint32_t i = 0; i < sectors; i++)
        test_inputs_sector(&m->inputs, &sector, sector.path, sector.n_paths);
}

static void open_winning(model_circuit *m, cuzk_arena *arena)
{
    cuzk_post_sector sector;
    read_sector(&sector, arena, VANILLA_WINNING);
    m->params.post = (cuzk_post_params){sector.path[0].shape, (uint32_t)sector.n_paths, 1};
    m->circuit = (cuzk_circuit){"winning", cuzk_post_build, &m->params};
    for (size_t i = 0; i < sector.n_paths; i++)
        test_inputs_sector(&m->inputs, &sector, &sector.path[i], 1);
}

static void open_snap(model_circuit *m, cuzk_arena *arena)
{
    const vanilla_file *file = &vanilla_files[VANILLA_SNAP];
    cuzk_snap_partition p;
    cuzk_fil_proof proof;
    cuzk_error err;
    size_t size = 0;
    uint8_t *blob = read_vanilla(file, &proof, &size);
    assert_ok(cuzk_snap_read(&p, arena, &proof, blob, size, file->name, &err));
    free(blob);
    m->params.update = (cuzk_update_params){.tree = p.challenge[0].r_old.shape,
                                            .node_bits = 6,
                                            .apex_bits = 3,
                                            .challenges = (uint32_t)p.n_challenges,
                                            .high = {1, 1, 1, 1, 1, 1}};
    m->circuit = (cuzk_circuit){"update", cuzk_update_build, &m->params};
    test_inputs_snap(&m->inputs, &p, snap_public, 0, 3);
}

void model_circuit_open(model_circuit *m, model_kind kind)
{
    cuzk_arena arena = {0};
    *m = (model_circuit){0};
    switch (kind) {
    case MODEL_POR:
        open_por(m, &arena);
        break;
    case MODEL_POREP:
        open_porep(m, &arena, VANILLA_C1);
        break;
    case MODEL_POREP_SUB:
        open_porep(m, &arena, VANILLA_C1_SUB);
        break;
    case MODEL_WINDOW:
        open_window(m, &arena, VANILLA_WINDOW, 2);
        break;
    case MODEL_WINDOW_TOP:
        open_window(m, &arena, VANILLA_TOP, 1);
        break;
    case MODEL_WINNING:
        open_winning(m, &arena);
        break;
    default:
        open_snap(m, &arena);
        break;
    }
    cuzk_arena_release(&arena);
}

void model_circuit_release(model_circuit *m)
{
    test_inputs_release(&m->inputs);
}
