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

void cuzk_prove_finish(const cuzk_pk *pk, const cuzk_sums *sums, const cuzk_scalar *r,
                       const cuzk_scalar *s, cuzk_proof *proof)
{
    const cuzk_curve *curve = pk->vk.curve;
    secret x = {0};

    curve->g1_mul_secret(x.term.l, pk->delta_g1.l, r);
    curve->g1_add(x.a.l, pk->vk.alpha_g1.l, sums->a.l);
    curve->g1_add(x.a.l, x.a.l, x.term.l);

    curve->g2_mul_secret(x.term2.l, pk->vk.delta_g2.l, s);
    curve->g2_add(x.b.l, pk->vk.beta_g2.l, sums->b2.l);
    curve->g2_add(x.b.l, x.b.l, x.term2.l);

    curve->g1_add(x.c.l, sums->l.l, sums->h.l);
    curve->g1_mul_secret(x.term.l, x.a.l, s);
    curve->g1_add(x.c.l, x.c.l, x.term.l);
    curve->g1_add(x.b1.l, pk->beta_g1.l, sums->b1.l);
    curve->g1_mul_secret(x.term.l, x.b1.l, r);
    curve->g1_add(x.c.l, x.c.l, x.term.l);

    *proof = (cuzk_proof){.a = x.a, .b = x.b, .c = x.c};
    cuzk_wipe(&x, sizeof x);
}
