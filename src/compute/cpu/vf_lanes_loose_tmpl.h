/* The loose forms of the lanes (compute/cpu/README.md). Part of vf_lanes_tmpl.h: its macros and
 * types. */
#if LANE_W == 8

/* Adds 2p where the value is negative, going by the highest limb. */
static inline void V(lift_negative)(VF *r)
{
    VF_READ(p_2, 2P);
    const unsigned negative = lv_less_bits(r->l[0][VF_LIMBS - 1], 0);
    for (unsigned j = 0; j < VF_LIMBS; j++)
        r->l[0][j] = lv_add_where(negative, r->l[0][j], lv_set1(p_2[j]));
}

static inline void V(loose_diff)(VF *r, const VF *a, const VF *b)
{
    VF_READ(p_4, 4P);
    for (unsigned j = 0; j < VF_LIMBS; j++)
        r->l[0][j] = a->l[0][j] + lv_set1(p_4[j]) - b->l[0][j];
    V(normalise_signed)(r);
}

/* Between -4p and 2p at first: 2p is added twice, where it is below -2p and where it is negative.
 * The carries are moved after all, as limbs would double from one addition to the next. */
static inline void V(loose_chord_x)(VF *r, const VF *square, const VF *a, const VF *d)
{
    VF_READ(p_2, 2P);
    VF_READ(p_4, 4P);
    for (unsigned j = 0; j < VF_LIMBS; j++)
        r->l[0][j] = square->l[0][j] + lv_set1(p_4[j]) - a->l[0][j] - a->l[0][j] - d->l[0][j];
    const unsigned low = lv_less_bits(r->l[0][VF_LIMBS - 1], -(int64_t)p_2[VF_LIMBS - 1]);
    for (unsigned j = 0; j < VF_LIMBS; j++)
        r->l[0][j] = lv_add_where(low, r->l[0][j], lv_set1(p_2[j]));
    V(lift_negative)(r);
    V(normalise_signed)(r);
}

static inline void V(loose_sub)(VF *r, const VF *a, const VF *b)
{
    for (unsigned j = 0; j < VF_LIMBS; j++)
        r->l[0][j] = a->l[0][j] - b->l[0][j];
    V(lift_negative)(r);
}

static inline void V(loose_sub_signed)(VF *r, const VF *a, const VF *b, unsigned negate)
{
    VF_READ(p_2, 2P);
    const lv minus = lv_from_bits(negate);
    for (unsigned j = 0; j < VF_LIMBS; j++)
        r->l[0][j] = a->l[0][j] - (b->l[0][j] ^ minus) + (minus & ~lv_set1(p_2[j]));
    V(lift_negative)(r);
}

static inline void V(tighten)(VF *r, const VF *a)
{
    VF_READ(p_2, 2P);
    for (unsigned j = 0; j < VF_LIMBS; j++)
        r->l[0][j] = a->l[0][j] + lv_set1(p_2[j]);
    V(normalise_signed)(r);
    V(reduce)(r, r);
}

#else

static inline void V(loose_diff)(VF *r, const VF *a, const VF *b)
{
    V(sub_lazy)(r, a, b);
}

static inline void V(loose_chord_x)(VF *r, const VF *square, const VF *a, const VF *d)
{
    VF_READ(bias, 6P_BIASED);
    VF_HALVES
    for (unsigned j = 0; j < VF_LIMBS; j++)
        r->l[h][j] = square->l[h][j] + lv_set1(bias[j]) - 2 * a->l[h][j] - d->l[h][j];
    V(normalise)(r);
    V(reduce)(r, r);
}

static inline void V(loose_sub)(VF *r, const VF *a, const VF *b)
{
    V(sub)(r, a, b);
}

static inline void V(loose_sub_signed)(VF *r, const VF *a, const VF *b, unsigned negate)
{
    VF_READ(bias, 2P_BIASED);
    VF_READ(minus_2p, MINUS_2P);
    VF_HALVES
    {
        const lv minus = lv_from_bits(negate >> (h * LANE_W));
        for (unsigned j = 0; j < VF_LIMBS; j++)
            r->l[h][j] = a->l[h][j] + ((lv_set1(bias[j]) & ~minus) + minus) - (b->l[h][j] ^ minus);
    }
    V(normalise)(r);
    V(subtract_once)(r, r, minus_2p);
}

static inline void V(tighten)(VF *r, const VF *a)
{
    *r = *a;
}

#endif
