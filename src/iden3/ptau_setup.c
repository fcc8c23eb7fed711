/* Phase 2 from a prepared .ptau: every point of the key is a combination of Lagrange points,
 *     A_j  = sum_i a_ij [L_i]      B_j = sum_i b_ij [L_i] (G1 and G2)
 *     K_j  = sum_i a_ij [beta L_i] + b_ij [alpha L_i] + c_ij [L_i]
 * taken column by column of the matrices. Coefficients are few and mostly +1 and -1. */
#include "iden3/ptau.h"

#include "base/memory.h"
#include "compute/msm.h"
#include "iden3/ceremony.h"
#include "iden3/ptau_head.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Variables per tile. */
#define TILE 16

/* A matrix by columns: entries start[j] .. start[j+1] of row and coef. */
struct columns {
    uint64_t *start;
    uint32_t *row, *coef;
};

static void release_columns(struct columns *columns)
{
    free(columns->start);
    free(columns->row);
    free(columns->coef);
}

static cuzk_status make_columns(struct columns *columns, const cuzk_matrix *matrix, size_t cols,
                                cuzk_error *err)
{
    size_t entries = matrix->rows == 0 ? 0 : matrix->row_start[matrix->rows];
    columns->start = calloc(cols + 2, sizeof *columns->start);
    columns->row = malloc((entries + 1) * sizeof *columns->row);
    columns->coef = malloc((entries + 1) * sizeof *columns->coef);
    if (columns->start == NULL || columns->row == NULL || columns->coef == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for the columns of %zu entries", entries);
    /* start[j + 2] counts column j, then start[j + 1] is its next free entry, at last its end. */
    uint64_t *next = columns->start + 1;
    for (size_t i = 0; i < entries; i++)
        next[matrix->col[i] + 1]++;
    for (size_t j = 0; j < cols; j++)
        next[j + 1] += next[j];
    for (size_t row = 0; row < matrix->rows; row++)
        for (uint64_t i = matrix->row_start[row]; i < matrix->row_start[row + 1]; i++) {
            uint64_t at = next[matrix->col[i]]++;
            columns->row[at] = (uint32_t)row;
            columns->coef[at] = matrix->coef[i];
        }
    return CUZK_OK;
}

struct job {
    cuzk_setup *setup;
    const cuzk_ptau_head *head;
    struct columns a, b, c;
    cuzk_scalar *coefs;
    size_t rows;
    /* The Lagrange points of the circuit's domain. */
    const uint8_t *tau_g1, *tau_g2, *alpha_g1, *beta_g1;
};

/* *sum += the coefficient * the point. */
static void add_term(const struct job *job, cuzk_group group, uint64_t *sum, const uint8_t *point,
                     uint32_t coef)
{
    const cuzk_curve *curve = job->setup->curve;
    bool g1 = group == CUZK_G1;
    cuzk_g2 term;
    memcpy(term.l, point, 8 * (size_t)cuzk_point_words(curve, group));
    if (coef == CUZK_COEF_MINUS_ONE)
        (g1 ? curve->g1_neg : curve->g2_neg)(term.l, term.l);
    else if (coef != CUZK_COEF_ONE)
        (g1 ? curve->g1_mul : curve->g2_mul)(term.l, term.l, &job->coefs[coef]);
    (g1 ? curve->g1_add : curve->g2_add)(sum, sum, term.l);
}

/* *sum += the column of the matrix, taken over the points. */
static void add_column(const struct job *job, const struct columns *columns, size_t col,
                       cuzk_group group, uint64_t *sum, const uint8_t *points)
{
    size_t bytes = 8 * (size_t)cuzk_point_words(job->setup->curve, group);
    for (uint64_t i = columns->start[col]; i < columns->start[col + 1]; i++)
        add_term(job, group, sum, points + bytes * columns->row[i], columns->coef[i]);
}

static void make_variable(const struct job *job, size_t j)
{
    cuzk_setup *setup = job->setup;
    const cuzk_curve *curve = setup->curve;
    size_t w1 = curve->g1_words, w2 = curve->g2_words, g1_bytes = 8 * w1;
    bool input = j <= setup->n_public;
    uint64_t *a = setup->a + j * w1;
    uint64_t *k = input ? setup->vk.ic + j * w1 : setup->l + (j - setup->n_public - 1) * w1;

    add_column(job, &job->a, j, CUZK_G1, a, job->tau_g1);
    add_column(job, &job->b, j, CUZK_G1, setup->b1 + j * w1, job->tau_g1);
    add_column(job, &job->b, j, CUZK_G2, setup->b2 + j * w2, job->tau_g2);
    add_column(job, &job->a, j, CUZK_G1, k, job->beta_g1);
    add_column(job, &job->b, j, CUZK_G1, k, job->alpha_g1);
    add_column(job, &job->c, j, CUZK_G1, k, job->tau_g1);
    if (input) {
        add_term(job, CUZK_G1, a, job->tau_g1 + g1_bytes * (job->rows + j), CUZK_COEF_ONE);
        add_term(job, CUZK_G1, k, job->beta_g1 + g1_bytes * (job->rows + j), CUZK_COEF_ONE);
    }
}

static void make_tile(void *context, size_t tile, unsigned worker)
{
    const struct job *job = context;
    (void)worker;
    for (size_t j = tile * TILE; j < (tile + 1) * TILE && j < job->setup->vars; j++)
        make_variable(job, j);
}

static cuzk_status check_points(const cuzk_ptau_head *head, cuzk_group group, const uint8_t *points,
                                size_t n, const char *what, cuzk_pool *pool, cuzk_error *err)
{
    size_t bad = 0;
    cuzk_point_status found =
        cuzk_points_check(head->info.curve, group, points, n, true, &bad, pool);
    if (found != CUZK_POINT_OK)
        return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: %s: point %zu of those used is %s",
                         cuzk_map_name(head->file.map), what, bad, cuzk_point_status_text(found));
    return CUZK_OK;
}

/* The odd points of the doubled level; where that is beyond the field's roots, its second half. */
static void take_h(cuzk_setup *setup, const cuzk_ptau_head *head)
{
    size_t m = (size_t)1 << setup->log_m, bytes = 8 * (size_t)setup->curve->g1_words;
    const uint8_t *level = head->lagrange_tau_g1 + bytes * (2 * m - 1);
    bool interleaved = setup->log_m < setup->curve->two_adicity;
    for (size_t i = 0; i < m; i++)
        memcpy((uint8_t *)setup->h + bytes * i, level + bytes * (interleaved ? 2 * i + 1 : m + i),
               bytes);
}

static cuzk_status choose_points(struct job *job, cuzk_pool *pool, cuzk_error *err)
{
    const cuzk_ptau_head *head = job->head;
    const cuzk_curve *curve = head->info.curve;
    size_t m = (size_t)1 << job->setup->log_m;
    size_t g1 = 8 * (size_t)curve->g1_words, g2 = 8 * (size_t)curve->g2_words;

    job->tau_g1 = head->lagrange_tau_g1 + g1 * (m - 1);
    job->tau_g2 = head->lagrange_tau_g2 + g2 * (m - 1);
    job->alpha_g1 = head->lagrange_alpha_g1 + g1 * (m - 1);
    job->beta_g1 = head->lagrange_beta_g1 + g1 * (m - 1);
    /* The level of the domain and the doubled one follow one another. */
    CUZK_TRY(check_points(head, CUZK_G1, job->tau_g1, 3 * m, "Lagrange tauG1", pool, err));
    CUZK_TRY(check_points(head, CUZK_G2, job->tau_g2, m, "Lagrange tauG2", pool, err));
    CUZK_TRY(check_points(head, CUZK_G1, job->alpha_g1, m, "Lagrange alphaTauG1", pool, err));
    CUZK_TRY(check_points(head, CUZK_G1, job->beta_g1, m, "Lagrange betaTauG1", pool, err));
    CUZK_TRY(check_points(head, CUZK_G1, head->alpha_g1, 1, "alphaTauG1", pool, err));
    CUZK_TRY(check_points(head, CUZK_G1, head->beta_g1, 1, "betaTauG1", pool, err));
    return check_points(head, CUZK_G2, head->beta_g2, 1, "betaG2", pool, err);
}

static cuzk_status allocate(struct job *job, const cuzk_r1cs *cs, cuzk_error *err)
{
    cuzk_setup *setup = job->setup;
    const cuzk_curve *curve = cs->curve;
    size_t g1 = 8 * (size_t)curve->g1_words, g2 = 8 * (size_t)curve->g2_words;

    setup->n_a = setup->n_b = setup->vars;
    setup->n_l = setup->vars - setup->n_public - 1;
    setup->n_h = (size_t)1 << setup->log_m;
    setup->vk.ic = calloc(setup->n_public + 1, g1);
    setup->a = calloc(setup->vars, g1);
    setup->b1 = calloc(setup->vars, g1);
    setup->b2 = calloc(setup->vars, g2);
    setup->l = calloc(setup->n_l + 1, g1);
    setup->h = calloc(setup->n_h, g1);
    job->coefs = malloc((cs->coefs.count + 1) * sizeof *job->coefs);
    if (setup->vk.ic == NULL || setup->a == NULL || setup->b1 == NULL || setup->b2 == NULL ||
        setup->l == NULL || setup->h == NULL || job->coefs == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a key of %zu variables", setup->vars);
    for (size_t i = 0; i < cs->coefs.count; i++)
        curve->fr_to_scalar(&job->coefs[i], &cs->coefs.value[i]);
    CUZK_TRY(make_columns(&job->a, &cs->a, cs->vars, err));
    CUZK_TRY(make_columns(&job->b, &cs->b, cs->vars, err));
    return make_columns(&job->c, &cs->c, cs->vars, err);
}

static void make_head(cuzk_setup *setup, const cuzk_ptau_head *head)
{
    const cuzk_curve *curve = setup->curve;
    size_t g1 = 8 * (size_t)curve->g1_words, g2 = 8 * (size_t)curve->g2_words;
    setup->vk.curve = curve;
    setup->vk.n_public = setup->n_public;
    memcpy(setup->vk.alpha_g1.l, head->alpha_g1, g1);
    memcpy(setup->beta_g1.l, head->beta_g1, g1);
    memcpy(setup->vk.beta_g2.l, head->beta_g2, g2);
    memcpy(setup->vk.gamma_g2.l, curve->g2_generator, g2);
    memcpy(setup->delta_g1.l, curve->g1_generator, g1);
    memcpy(setup->vk.delta_g2.l, curve->g2_generator, g2);
}

struct differences {
    const cuzk_curve *curve;
    const uint8_t *powers;
    size_t m, n;
    uint64_t *out;
};

static void make_difference_tile(void *context, size_t tile, unsigned worker)
{
    const struct differences *job = context;
    const cuzk_curve *curve = job->curve;
    size_t words = curve->g1_words;
    (void)worker;
    for (size_t i = tile * TILE; i < (tile + 1) * TILE && i < job->n; i++) {
        cuzk_g1 low, high;
        memcpy(low.l, job->powers + 8 * words * i, 8 * words);
        memcpy(high.l, job->powers + 8 * words * (job->m + i), 8 * words);
        curve->g1_neg(low.l, low.l);
        curve->g1_add(job->out + words * i, high.l, low.l);
    }
}

/* Starts the history with the points [tau^(m+i) - tau^i]. A file of just the circuit's power lacks
 * the last of those that snarkjs hashes beyond m - 1 (it reads past the section); then only the
 * first m - 1 are hashed. */
static cuzk_status start_history(cuzk_setup *setup, const cuzk_ptau_head *head, cuzk_pool *pool,
                                 cuzk_error *err)
{
    size_t m = (size_t)1 << setup->log_m, n = cuzk_ceremony_hashed_points(m);
    size_t powers = ((size_t)2 << head->info.power) - 1;
    if (m + n > powers)
        n = m - 1;
    CUZK_TRY(check_points(head, CUZK_G1, head->tau_g1, m + n, "tauG1", pool, err));
    struct differences job = {setup->curve, head->tau_g1, m, n, NULL};
    job.out = cuzk_memory_new(n, 8 * (size_t)setup->curve->g1_words);
    if (job.out == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for %zu points", n);
    cuzk_pool_run(pool, (n + TILE - 1) / TILE, make_difference_tile, &job);
    cuzk_status status = cuzk_ceremony_start(setup, job.out, n, err);
    free(job.out);
    return status;
}

static cuzk_status check_fit(const cuzk_ptau_head *head, const cuzk_r1cs *cs, cuzk_error *err)
{
    const char *name = cuzk_map_name(head->file.map);
    if (!head->info.prepared)
        return cuzk_fail(
            err, CUZK_ERR_UNSUPPORTED,
            "%s: not prepared for phase 2; run `snarkjs powersoftau prepare phase2` on it", name);
    if (head->info.curve->id != cs->curve->id)
        return cuzk_fail(err, CUZK_ERR_MISMATCH, "%s: powers over %s, the circuit is over %s", name,
                         head->info.curve->name, cs->curve->name);
    if (cs->rows + cs->n_public == 0)
        return cuzk_fail(
            err, CUZK_ERR_ARGUMENT,
            "the circuit has no constraints and no public signals; there is nothing to "
            "prove");
    unsigned log_m = cuzk_domain_log(cs->rows, cs->n_public);
    if (log_m > head->info.power)
        return cuzk_fail(err, CUZK_ERR_MISMATCH,
                         "%s: power %" PRIu32
                         "; the circuit's %zu constraints and %zu public signals "
                         "need power %u",
                         name, head->info.power, cs->rows, cs->n_public, log_m);
    return CUZK_OK;
}

static cuzk_status make(struct job *job, const cuzk_r1cs *cs, cuzk_pool *pool, cuzk_error *err)
{
    cuzk_setup *setup = job->setup;
    CUZK_TRY(choose_points(job, pool, err));
    CUZK_TRY(allocate(job, cs, err));
    make_head(setup, job->head);
    take_h(setup, job->head);
    cuzk_pool_run(pool, (setup->vars + TILE - 1) / TILE, make_tile, job);
    CUZK_TRY(start_history(setup, job->head, pool, err));
    return cuzk_map_check(job->head->file.map, err);
}

cuzk_status cuzk_ptau_setup(cuzk_setup *setup, const cuzk_map *map, const cuzk_r1cs *cs,
                            cuzk_pool *pool, cuzk_error *err)
{
    cuzk_ptau_head head;
    CUZK_TRY(cuzk_ptau_head_read(&head, map, err));
    CUZK_TRY(check_fit(&head, cs, err));
    cuzk_setup made = {.curve = cs->curve,
                       .kind = CUZK_SETUP_SNARKJS,
                       .vars = cs->vars,
                       .n_public = cs->n_public,
                       .log_m = cuzk_domain_log(cs->rows, cs->n_public)};
    struct job job = {.setup = &made, .head = &head, .rows = cs->rows};
    cuzk_status status = make(&job, cs, pool, err);
    release_columns(&job.a);
    release_columns(&job.b);
    release_columns(&job.c);
    free(job.coefs);
    if (status != CUZK_OK) {
        cuzk_setup_release(&made);
        return status;
    }
    *setup = made;
    return CUZK_OK;
}
