/* Part of field_tmpl.h: bytes. Canonical values, 8 bytes per limb, in either order. */

CUZK_HD void F(to_le)(uint8_t *out, const FIELD *a)
{
    F(canon) c;
    F(to_canon)(&c, a);
    for (int i = 0; i < 8 * FIELD_LIMBS; i++)
        out[i] = (uint8_t)(c.l[i / 8] >> (8 * (i % 8)));
}

CUZK_HD void F(to_be)(uint8_t *out, const FIELD *a)
{
    F(canon) c;
    F(to_canon)(&c, a);
    for (int i = 0; i < 8 * FIELD_LIMBS; i++)
        out[8 * FIELD_LIMBS - 1 - i] = (uint8_t)(c.l[i / 8] >> (8 * (i % 8)));
}

/* Both readers return false and set *r to zero if the value is not below p. */
CUZK_HD bool F(from_limbs)(FIELD *r, const F(canon) * c)
{
    if (!F(limbs_valid)(c->l)) {
        F(set_zero)(r);
        return false;
    }
    F(from_canon)(r, c);
    return true;
}

CUZK_HD bool F(from_le)(FIELD *r, const uint8_t *in)
{
    F(canon) c;
    for (int i = 0; i < FIELD_LIMBS; i++)
        c.l[i] = 0;
    for (int i = 0; i < 8 * FIELD_LIMBS; i++)
        c.l[i / 8] |= (uint64_t)in[i] << (8 * (i % 8));
    return F(from_limbs)(r, &c);
}

CUZK_HD bool F(from_be)(FIELD *r, const uint8_t *in)
{
    F(canon) c;
    for (int i = 0; i < FIELD_LIMBS; i++)
        c.l[i] = 0;
    for (int i = 0; i < 8 * FIELD_LIMBS; i++)
        c.l[i / 8] |= (uint64_t)in[8 * FIELD_LIMBS - 1 - i] << (8 * (i % 8));
    return F(from_limbs)(r, &c);
}
