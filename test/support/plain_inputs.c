#include "support/plain_inputs.h"

#include "support/test.h"

#include <stdlib.h>
#include <string.h>

void test_inputs_release(test_inputs *t)
{
    free(t->field);
    free(t->word);
    *t = (test_inputs){0};
}

void test_inputs_field(test_inputs *t, const cuzk_scalar *field, size_t n)
{
    const size_t old = t->inputs.n_field;
    t->field = realloc(t->field, (old + n) * sizeof *t->field);
    assert_non_null(t->field);
    memcpy(t->field + old, field, n * sizeof *field);
    t->inputs.field = t->field;
    t->inputs.n_field = old + n;
}

void test_inputs_word(test_inputs *t, uint64_t word)
{
    const size_t n = t->inputs.n_word;
    t->word = realloc(t->word, (n + 1) * sizeof *t->word);
    assert_non_null(t->word);
    t->word[n] = word;
    t->inputs.word = t->word;
    t->inputs.n_word = n + 1;
}

void test_inputs_path(test_inputs *t, const cuzk_merkle_path *path)
{
    for (uint32_t level = 0; level < cuzk_shape_levels(&path->shape); level++)
        test_inputs_word(t, path->index[level]);
    test_inputs_field(t, path->sibling, cuzk_shape_siblings(&path->shape));
}

static void add_column(test_inputs *t, const cuzk_column_proof *column, unsigned layers)
{
    test_inputs_field(t, column->label, layers);
    test_inputs_path(t, &column->path);
}

void test_inputs_porep(test_inputs *t, const cuzk_porep_vanilla *vanilla, size_t partition)
{
    const cuzk_porep_partition *p = &vanilla->partition[partition];
    test_inputs_field(t, &vanilla->replica_id, 1);
    test_inputs_field(t, &vanilla->comm_d, 1);
    test_inputs_field(t, &vanilla->comm_r, 1);
    test_inputs_field(t, &p->challenge[0].replica.root, 1);
    test_inputs_field(t, &p->challenge[0].column.path.root, 1);
    for (size_t i = 0; i < p->n_challenges; i++) {
        const cuzk_porep_challenge *c = &p->challenge[i];
        test_inputs_field(t, &c->data.leaf, 1);
        test_inputs_path(t, &c->data);
        for (size_t j = 0; j < CUZK_DRG_PARENTS; j++)
            add_column(t, &c->drg[j], vanilla->layers);
        for (size_t j = 0; j < CUZK_EXP_PARENTS; j++)
            add_column(t, &c->exp[j], vanilla->layers);
        test_inputs_word(t, c->node);
        test_inputs_path(t, &c->replica);
        test_inputs_path(t, &c->column.path);
    }
}

void test_inputs_sector(test_inputs *t, const cuzk_post_sector *sector,
                        const cuzk_merkle_path *path, size_t n)
{
    test_inputs_field(t, &sector->comm_r_last, 1);
    test_inputs_field(t, &sector->comm_c, 1);
    test_inputs_field(t, &sector->comm_r, 1);
    for (size_t i = 0; i < n; i++) {
        test_inputs_field(t, &path[i].leaf, 1);
        test_inputs_path(t, &path[i]);
    }
}

void test_inputs_snap(test_inputs *t, const cuzk_snap_partition *p, const cuzk_scalar public[4],
                      uint32_t partition_bits, uint32_t apex_bits)
{
    const cuzk_snap_challenge *first = &p->challenge[0];
    const uint32_t levels = cuzk_shape_levels(&first->d_new.shape);
    test_inputs_field(t, public, 4);
    test_inputs_field(t, &p->comm_c, 1);
    test_inputs_field(t, &first->r_old.root, 1);
    test_inputs_field(t, &first->r_new.root, 1);
    test_inputs_field(t, p->apex, p->n_apex);
    test_inputs_field(t, first->d_new.sibling + levels - partition_bits, partition_bits);
    for (size_t i = 0; i < p->n_challenges; i++) {
        const cuzk_snap_challenge *c = &p->challenge[i];
        test_inputs_field(t, &c->r_old.leaf, 1);
        test_inputs_field(t, &c->d_new.leaf, 1);
        test_inputs_field(t, c->r_old.sibling, cuzk_shape_siblings(&c->r_old.shape));
        test_inputs_field(t, c->r_new.sibling, cuzk_shape_siblings(&c->r_new.shape));
        test_inputs_field(t, c->d_new.sibling, levels - partition_bits - apex_bits);
    }
}
