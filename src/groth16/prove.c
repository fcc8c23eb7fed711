/* Proving in phases, each of them parallel: evaluate the constraint system, quotient, five sums in
 * one MSM call.
 *
 * Scratch is two regions that live one after the other:
 *   1. the witness in Montgomery form, unless its rows come with it; then the quotient's scalars
 *   2. a, b, c and the quotient's own scratch; then the MSM's scratch */
#include "groth16/prove.h"

#include "base/memory.h"
#include "base/random.h"
#include "compute/msm.h"
#include "groth16/prove_violation.h"

#include <string.h>

#define WIPE_TILE ((size_t)1 << 22)
#define JOBS      5

typedef struct layout {
    size_t domain;  /* m */
    size_t region1; /* bytes */
    size_t vector;  /* bytes of a, b or c */
    size_t total;
} layout;

typedef struct proving {
    const cuzk_pk *pk;
    const cuzk_assignment *assignment;
    cuzk_pool *pool;
    cuzk_fr *z;     /* region 1, first */
    cuzk_scalar *h; /* region 1, then */
    cuzk_fr *a, *b, *c;
    void *quotient_scratch, *msm_scratch;
} proving;

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* z: an array or packed, as pk says. */
static void fill_jobs(cuzk_msm_job jobs[JOBS], const cuzk_pk *pk, const cuzk_assignment *z,
                      const cuzk_scalar *h, cuzk_sums *sums)
{
    const struct {
        const cuzk_query *query;
        cuzk_group group;
        uint64_t *result;
    } parts[JOBS] = {{&pk->h, CUZK_G1, sums->h.l},
                     {&pk->b2, CUZK_G2, sums->b2.l},
                     {&pk->a, CUZK_G1, sums->a.l},
                     {&pk->b1, CUZK_G1, sums->b1.l},
                     {&pk->l, CUZK_G1, sums->l.l}};
    for (size_t i = 0; i < JOBS; i++) {
        const cuzk_query *query = parts[i].query;
        const bool of_h = query == &pk->h;
        jobs[i] = (cuzk_msm_job){.group = parts[i].group,
                                 .bases = query->bases,
                                 .scalars = of_h ? h : z->z,
                                 .packed = of_h ? NULL : z->packed,
                                 .n_wide = query->n_wide,
                                 .index = query->index,
                                 .first = query->offset,
                                 .n = query->n,
                                 .result = parts[i].result};
    }
}

/* Scratch of the sums, before there is an assignment. */
static size_t sums_scratch(const cuzk_pk *pk, unsigned threads)
{
    const cuzk_packed_scalars unknown = {.map = pk->packed};
    const cuzk_assignment z = {.packed = pk->packed != NULL ? &unknown : NULL};
    cuzk_msm_job jobs[JOBS];
    cuzk_sums sums;
    fill_jobs(jobs, pk, &z, NULL, &sums);
    return cuzk_msm_scratch(pk->vk.curve, jobs, JOBS, threads);
}

/* Elements of the first region. */
static size_t count_elements(const cuzk_pk *pk)
{
    const size_t domain = (size_t)1 << pk->log_m;
    return pk->rows != 0 ? domain : larger(pk->vars, domain);
}

static layout plan_layout(const cuzk_pk *pk, unsigned threads)
{
    layout l = {.domain = (size_t)1 << pk->log_m};
    l.region1 = cuzk_align_up(count_elements(pk) * sizeof(cuzk_fr));
    l.vector = cuzk_align_up(l.domain * sizeof(cuzk_fr));
    size_t quotient = 3 * l.vector + cuzk_quotient_scratch(pk->plan, threads);
    l.total = l.region1 + cuzk_align_up(larger(quotient, sums_scratch(pk, threads)));
    return l;
}

size_t cuzk_prove_scratch(const cuzk_pk *pk, unsigned threads)
{
    return plan_layout(pk, threads).total;
}

/* Every query as long as it can be, and for the transforms' scratch more than any plan takes. */
size_t cuzk_prove_scratch_bound(const cuzk_curve *curve, const cuzk_prove_counts *counts,
                                unsigned threads)
{
    static const cuzk_packed_map some;
    const size_t m = (size_t)1 << counts->log_m, vars = counts->vars, n_public = counts->n_public;
    cuzk_pk pk = {.vk = {.curve = curve, .n_public = n_public},
                  .log_m = counts->log_m,
                  .vars = vars,
                  .rows = counts->packed ? m : 0,
                  .packed = counts->packed ? &some : NULL};
    pk.h.n = m;
    pk.a.n = pk.b1.n = pk.b2.n = vars;
    pk.l.n = vars > n_public ? vars - n_public - 1 : 0;
    pk.a.n_wide = pk.b1.n_wide = pk.b2.n_wide = smaller(counts->wide, vars);
    pk.l.n_wide = smaller(counts->wide, pk.l.n);
    const size_t quotient = 5 * m * sizeof(cuzk_fr) + threads * ((size_t)1 << 20);
    return cuzk_align_up(count_elements(&pk) * sizeof(cuzk_fr)) +
           cuzk_align_up(larger(quotient, sums_scratch(&pk, threads)));
}

static void lay_out(proving *p, const layout *l, uint8_t *scratch)
{
    p->z = (cuzk_fr *)scratch;
    p->h = (cuzk_scalar *)scratch;
    uint8_t *region2 = scratch + l->region1;
    p->a = (cuzk_fr *)region2;
    p->b = (cuzk_fr *)(region2 + l->vector);
    p->c = (cuzk_fr *)(region2 + 2 * l->vector);
    p->quotient_scratch = region2 + 3 * l->vector;
    p->msm_scratch = region2;
}

static cuzk_status check_shape(const cuzk_pk *pk, const cuzk_assignment *assignment,
                               cuzk_error *err)
{
    const cuzk_packed_map *map = assignment->packed != NULL ? assignment->packed->map : NULL;
    const size_t n = map != NULL ? map->n : assignment->n;
    if (n != pk->vars)
        return cuzk_fail(err, CUZK_ERR_MISMATCH,
                         "%s: %zu values; the key's circuit has %zu variables: witness and key are "
                         "of different circuits",
                         assignment->name, n, pk->vars);
    if (map != pk->packed)
        return cuzk_fail(err, CUZK_ERR_MISMATCH,
                         "%s: its values are %s; the key takes them %s: witness and key are of "
                         "different circuits",
                         assignment->name, map != NULL ? "packed" : "an array",
                         pk->packed == NULL ? "as an array"
                         : map != NULL      ? "packed as its own circuit does"
                                            : "packed");
    return CUZK_OK;
}

/* Of packed values, only the wide ones can be bad: the message names them by their own number. */
static cuzk_status check_values(const cuzk_curve *curve, const cuzk_assignment *assignment,
                                cuzk_error *err)
{
    const cuzk_packed_scalars *packed = assignment->packed;
    const cuzk_scalar *value = packed != NULL ? packed->value : assignment->z;
    const size_t n = packed != NULL ? packed->map->wide : assignment->n;
    const size_t bad = cuzk_scalars_check(curve, value, n);
    if (bad == n)
        return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_FORMAT,
                     "%s: %svalue %zu is not below the order of %s; witnesses must be canonical",
                     assignment->name, packed != NULL ? "wide " : "", bad, curve->full_name);
}

cuzk_status cuzk_assignment_check(const cuzk_pk *pk, const cuzk_assignment *assignment,
                                  cuzk_error *err)
{
    CUZK_TRY(check_shape(pk, assignment, err));
    CUZK_TRY(check_values(pk->vk.curve, assignment, err));
    const size_t rows = assignment->rows != NULL ? assignment->rows->rows : 0;
    if (rows != pk->rows)
        return cuzk_fail(err, CUZK_ERR_MISMATCH,
                         "%s: it comes with %zu rows of its circuit; the key needs %zu (0: it has "
                         "its own): witness and key are of different circuits",
                         assignment->name, rows, pk->rows);
    static const cuzk_scalar one = {{1}};
    if (memcmp(cuzk_assignment_public(assignment) - 1, &one, sizeof one) != 0)
        return cuzk_fail(err, CUZK_ERR_MISMATCH,
                         "%s: value 0 must be the constant 1 and is something else",
                         assignment->name);
    return CUZK_OK;
}

/* out := matrix * z, zero from the matrix's last row to the end of the domain. */
static void multiply(const proving *p, const cuzk_matrix *matrix, cuzk_fr *out)
{
    size_t domain = (size_t)1 << p->pk->log_m;
    if (matrix->rows > 0)
        cuzk_matrix_mul(p->pk->vk.curve, matrix, &p->pk->coefs, out, p->z, p->pool);
    memset(out + matrix->rows, 0, (domain - matrix->rows) * sizeof *out);
}

static bool has_c(const proving *p)
{
    return p->assignment->rows != NULL || p->pk->mat_c.rows > 0;
}

static cuzk_status evaluate_source(const proving *p, cuzk_error *err)
{
    const cuzk_row_source *source = p->assignment->rows;
    const size_t rest = ((size_t)1 << p->pk->log_m) - source->rows;
    cuzk_fr *vectors[] = {p->a, p->b, p->c};
    for (size_t i = 0; i < 3; i++)
        memset(vectors[i] + source->rows, 0, rest * sizeof(cuzk_fr));
    return source->multiply(source, p->a, p->b, p->c, p->pool, err);
}

static cuzk_status evaluate(const proving *p, cuzk_error *err)
{
    if (p->assignment->rows != NULL)
        return evaluate_source(p, err);
    cuzk_fr_import(p->pk->vk.curve, p->z, p->assignment->z, p->assignment->n, p->pool);
    multiply(p, &p->pk->mat_a, p->a);
    multiply(p, &p->pk->mat_b, p->b);
    if (has_c(p))
        multiply(p, &p->pk->mat_c, p->c);
    return CUZK_OK;
}

static cuzk_status check_source(const proving *p, cuzk_error *err)
{
    const cuzk_row_source *source = p->assignment->rows;
    cuzk_error found;
    const cuzk_status status = source->check(source, p->pool, &found);
    if (status == CUZK_OK)
        return CUZK_OK;
    return cuzk_fail(err, status, "%s: the witness does not satisfy the circuit: %.800s",
                     p->assignment->name, found.message);
}

/* Whether a * b is c in every row, if that can be told. Overwrites a, b, c. */
static cuzk_status check_rows(const proving *p, cuzk_error *err)
{
    const size_t domain = (size_t)1 << p->pk->log_m;
    if (p->assignment->rows != NULL)
        return check_source(p, err);
    if (!has_c(p))
        return CUZK_OK;
    CUZK_TRY(evaluate(p, err));
    cuzk_fr_mul_vec(p->pk->vk.curve, p->a, p->a, p->b, domain, p->pool);
    for (size_t row = 0; row < domain; row++)
        if (memcmp(&p->a[row], &p->c[row], sizeof p->a[row]) != 0)
            return cuzk_fail(err, CUZK_ERR_UNSATISFIED,
                             "%s: the witness does not satisfy the circuit: row %zu is violated "
                             "(rows count from 0)",
                             p->assignment->name, row);
    return CUZK_OK;
}

/* The quotient's remainder says that some row is violated: says which. */
static cuzk_status report_remainder(const proving *p, cuzk_error *err)
{
    CUZK_TRY(check_rows(p, err));
    return cuzk_fail(err, CUZK_ERR_DEVICE,
                     "%s: the quotient has a remainder although every row holds: this machine "
                     "computed wrongly; try again, and test its memory",
                     p->assignment->name);
}

static cuzk_status divide(const proving *p, cuzk_error *err)
{
    const cuzk_pk *pk = p->pk;
    cuzk_quotient(pk->plan, pk->h_kind, &pk->coset, p->h, p->a, p->b, has_c(p) ? p->c : NULL,
                  p->quotient_scratch, p->pool);
    if (pk->h_kind != CUZK_H_COSET_MONOMIAL)
        return CUZK_OK;
    static const cuzk_scalar zero;
    const cuzk_scalar *top = &p->h[((size_t)1 << pk->log_m) - 1];
    if (memcmp(top, &zero, sizeof zero) == 0)
        return CUZK_OK;
    return report_remainder(p, err);
}

static void add_up(const proving *p, cuzk_sums *sums)
{
    cuzk_msm_job jobs[JOBS];
    fill_jobs(jobs, p->pk, p->assignment, p->h, sums);
    cuzk_msm(p->pk->vk.curve, jobs, JOBS, p->msm_scratch, p->pool);
}

typedef struct wiping {
    uint8_t *data;
    size_t size;
} wiping;

static void wipe_tile(void *context, size_t tile, unsigned worker)
{
    (void)worker;
    const wiping *work = context;
    size_t at = tile * WIPE_TILE;
    cuzk_wipe(work->data + at, work->size - at < WIPE_TILE ? work->size - at : WIPE_TILE);
}

static void wipe_scratch(uint8_t *scratch, size_t size, cuzk_pool *pool)
{
    wiping work = {scratch, size};
    cuzk_pool_run(pool, (size + WIPE_TILE - 1) / WIPE_TILE, wipe_tile, &work);
}

static unsigned pool_threads(cuzk_pool *pool)
{
    return pool == NULL ? 1 : cuzk_pool_threads(pool);
}

cuzk_status cuzk_prove_start(const cuzk_pk *pk, const cuzk_assignment *assignment, cuzk_sums *sums,
                             void *scratch, cuzk_pool *pool, cuzk_error *err)
{
    CUZK_TRY(cuzk_assignment_check(pk, assignment, err));
    layout l = plan_layout(pk, pool_threads(pool));
    proving p = {.pk = pk, .assignment = assignment, .pool = pool};
    lay_out(&p, &l, scratch);
    cuzk_sums made = {0};
    cuzk_status status = evaluate(&p, err);
    if (status == CUZK_OK)
        status = divide(&p, err);
    if (status == CUZK_OK) {
        add_up(&p, &made);
        *sums = made;
    }
    wipe_scratch(scratch, l.total, pool);
    cuzk_wipe(&made, sizeof made);
    return status;
}

/* Of what cuzk_prove_start takes: the witness, and a, b, c. */
static layout plan_violation(const cuzk_pk *pk)
{
    layout l = {.domain = (size_t)1 << pk->log_m};
    if (pk->rows != 0 || pk->mat_c.rows == 0)
        return l; /* the rows are the assignment's, or none can be looked at */
    l.region1 = cuzk_align_up(count_elements(pk) * sizeof(cuzk_fr));
    l.vector = cuzk_align_up(l.domain * sizeof(cuzk_fr));
    l.total = l.region1 + 3 * l.vector;
    return l;
}

size_t cuzk_prove_violation_scratch(const cuzk_pk *pk)
{
    return plan_violation(pk).total;
}

cuzk_status cuzk_prove_find_violation(const cuzk_pk *pk, const cuzk_assignment *assignment,
                                      void *scratch, cuzk_pool *pool, cuzk_error *err)
{
    layout l = plan_violation(pk);
    proving p = {.pk = pk, .assignment = assignment, .pool = pool};
    lay_out(&p, &l, scratch);
    const cuzk_status status = check_rows(&p, err);
    wipe_scratch(scratch, l.total, pool);
    return status;
}
