/* The check of points in lanes. Part of msm_group_tmpl.h; there: GROUP_B, the b of the curve's
 * equation, and MSM_P, the words of p. */

static inline bool G(is_canonical)(const uint64_t *point)
{
    static const uint64_t p[VFP_WORDS] = MSM_P;
    for (unsigned e = 0; e < 2 * K_WORDS; e += VFP_WORDS) {
        unsigned w = VFP_WORDS - 1;
        while (w > 0 && point[e + w] == p[w])
            w--;
        if (point[e + w] >= p[w])
            return false;
    }
    return true;
}

static unsigned G(off_curve)(const G(affine) * a)
{
    static const GROUP_CONSTANT b_words = GROUP_B;
    KE left, right, b;
    K(constant_from)(&b, (const uint64_t *)&b_words);
    K(sqr)(&right, &a->x);
    K(mul)(&right, &right, &a->x);
    K(add)(&right, &right, &b);
    K(sqr)(&left, &a->y);
    K(sub)(&left, &left, &right);
    return ~K(is_zero)(&left);
}

static unsigned G(suspect)(const uint8_t *src, size_t n, bool subgroup)
{
    const unsigned saved = vfp_begin();
    uint64_t lane[VFP_W][2 * K_WORDS];
    const uint64_t *pointer[VFP_W];
    unsigned rogue = 0, infinite = 0;
    G(affine) a;
    G(collect)(lane, pointer, src, n);
    for (unsigned i = 0; i < VFP_W; i++) {
        rogue |= (unsigned)!G(is_canonical)(lane[i]) << i;
        infinite |= (unsigned)G(is_infinity)(lane[i]) << i;
    }
    G(load_points)(&a, pointer);
    K(from_mem)(&a.x, &a.x);
    K(from_mem)(&a.y, &a.y);
    unsigned bad = G(off_curve)(&a);
    if (subgroup)
        bad |= G(outside)(&a);
    vfp_end(saved);
    return (rogue | (bad & ~infinite)) & ((1u << n) - 1);
}
