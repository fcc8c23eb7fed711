/* Assembly of a proof, formats, section 2.1, with r B1 - r s delta folded into r (beta + sum of z
 * B1):
 *
 *   A = alpha + a + r delta     B = beta + b2 + s delta     C = l + h + s A + r (beta + b1) */
#include "groth16/prove.h"

#include "base/random.h"

/* What only this function may know. */
typedef struct secret {
    cuzk_g1 a, b1, c, term;
    cuzk_g2 b, term2;
} secret;

typedef struct assembly {
    const cuzk_pk *pk;
    const cuzk_sums *sums;
    const cuzk_scalar *r, *s;
    secret x;
} assembly;

static void finish_g1(assembly *work)
{
    const cuzk_curve *curve = work->pk->vk.curve;
    const cuzk_sums *sums = work->sums;
    secret *x = &work->x;

    curve->g1_mul_secret(x->term.l, work->pk->delta_g1.l, work->r);
    curve->g1_add(x->a.l, work->pk->vk.alpha_g1.l, sums->a.l);
    curve->g1_add(x->a.l, x->a.l, x->term.l);

    curve->g1_add(x->c.l, sums->l.l, sums->h.l);
    curve->g1_mul_secret(x->term.l, x->a.l, work->s);
    curve->g1_add(x->c.l, x->c.l, x->term.l);
    curve->g1_add(x->b1.l, work->pk->beta_g1.l, sums->b1.l);
    curve->g1_mul_secret(x->term.l, x->b1.l, work->r);
    curve->g1_add(x->c.l, x->c.l, x->term.l);
}

static void finish_g2(assembly *work)
{
    const cuzk_curve *curve = work->pk->vk.curve;
    secret *x = &work->x;

    curve->g2_mul_secret(x->term2.l, work->pk->vk.delta_g2.l, work->s);
    curve->g2_add(x->b.l, work->pk->vk.beta_g2.l, work->sums->b2.l);
    curve->g2_add(x->b.l, x->b.l, x->term2.l);
}

static void finish_tile(void *context, size_t tile, unsigned worker)
{
    (void)worker;
    if (tile == 0)
        finish_g1(context);
    else
        finish_g2(context);
}

void cuzk_prove_finish(const cuzk_pk *pk, const cuzk_sums *sums, const cuzk_scalar *r,
                       const cuzk_scalar *s, cuzk_proof *proof, cuzk_pool *pool)
{
    assembly work = {.pk = pk, .sums = sums, .r = r, .s = s};
    cuzk_pool_run(pool, 2, finish_tile, &work);
    *proof = (cuzk_proof){.a = work.x.a, .b = work.x.b, .c = work.x.c};
    cuzk_wipe(&work.x, sizeof work.x);
}
