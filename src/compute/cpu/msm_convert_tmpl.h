/* Points between memory form and packed form, and the check of points in lanes. Part of
 * msm_group_tmpl.h; there: GROUP_B, the curve's b in memory form, and MSM_P, the words of p. */

/* Copies point i of src, or infinity past the end, to lane i, and returns the pointers. */
static inline void G(collect)(uint64_t lane[VFP_W][2 * K_WORDS], const uint64_t *pointer[VFP_W],
                              const uint8_t *src, size_t n)
{
    for (unsigned i = 0; i < VFP_W; i++) {
        if (i < n)
            memcpy(lane[i], src + i * sizeof lane[i], sizeof lane[i]);
        else
            memset(lane[i], 0, sizeof lane[i]);
        pointer[i] = lane[i];
    }
}

static inline bool G(is_infinity)(const uint64_t *point)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < 2 * K_WORDS; i++)
        bits |= point[i];
    return bits == 0;
}

/* Writes the first n lanes to consecutive points; the other lanes write to waste. */
static inline void G(spread)(uint64_t *dst, size_t n, const G(affine) *a)
{
    uint64_t waste[2 * K_WORDS], *pointer[VFP_W];
    for (unsigned i = 0; i < VFP_W; i++)
        pointer[i] = i < n ? dst + i * 2 * K_WORDS : waste;
    G(store_points)(pointer, a);
}

static void G(import)(uint64_t *dst, uint64_t *infinity, const uint8_t *src, size_t n)
{
    const unsigned saved = vfp_begin();
    memset(infinity, 0, (n + 63) / 64 * sizeof *infinity);
    for (size_t i = 0; i < n; i += VFP_W) {
        uint64_t lane[VFP_W][2 * K_WORDS];
        const uint64_t *pointer[VFP_W];
        const size_t count = n - i < VFP_W ? n - i : VFP_W;
        G(affine) a;
        G(collect)(lane, pointer, src + i * sizeof lane[0], count);
        for (size_t l = 0; l < count; l++)
            infinity[(i + l) / 64] |= (uint64_t)G(is_infinity)(lane[l]) << ((i + l) % 64);
        G(load_points)(&a, pointer);
        K(from_mem)(&a.x, &a.x);
        K(from_mem)(&a.y, &a.y);
        G(spread)(dst + i * 2 * K_WORDS, count, &a);
    }
    vfp_end(saved);
}

static void G(export)(uint64_t *dst, const uint64_t *src, size_t n)
{
    const unsigned saved = vfp_begin();
    for (size_t i = 0; i < n; i += VFP_W) {
        const uint64_t *pointer[VFP_W];
        const size_t count = n - i < VFP_W ? n - i : VFP_W;
        G(affine) a;
        for (size_t l = 0; l < VFP_W; l++)
            pointer[l] = src + (i + (l < count ? l : 0)) * 2 * K_WORDS;
        G(load_points)(&a, pointer);
        K(to_mem)(&a.x, &a.x);
        K(to_mem)(&a.y, &a.y);
        G(spread)(dst + i * 2 * K_WORDS, count, &a);
    }
    vfp_end(saved);
}

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

static unsigned G(off_curve)(const G(affine) *a)
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
