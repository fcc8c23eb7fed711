/* Points in lanes, and between memory form and packed form. Part of msm_group_tmpl.h. */

typedef struct G(affine) {
    KE x, y;
} G(affine);

static inline void G(load_points)(G(affine) * r, const uint64_t *const src[VFP_W])
{
    const uint64_t *y[VFP_W];
    for (unsigned i = 0; i < VFP_W; i++)
        y[i] = src[i] + K_WORDS;
    K(load)(&r->x, src);
    K(load)(&r->y, y);
}

static inline void G(store_points)(uint64_t *const dst[VFP_W], const G(affine) * a)
{
    uint64_t *y[VFP_W];
    for (unsigned i = 0; i < VFP_W; i++)
        y[i] = dst[i] + K_WORDS;
    K(store)(dst, &a->x);
    K(store)(y, &a->y);
}

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
static inline void G(spread)(uint64_t *dst, size_t n, const G(affine) * a)
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

/* Horner's rule is a chain, so it runs on single points. */
static void G(horner)(uint64_t *result, uint64_t *position, size_t n, uint64_t *extra)
{
    GROUP_POINT sum;
    CUZK_NAME(GROUP_POINT, affine) next;
    G(export)(position, position, n);
    G(export)(extra, extra, 1);
    CUZK_NAME(GROUP_POINT, set_infinity)(&sum);
    for (size_t i = n; i-- > 0;) {
        CUZK_NAME(GROUP_POINT, dbl)(&sum, &sum);
        CUZK_NAME(GROUP_POINT, load)(&next, position + i * 2 * K_WORDS);
        CUZK_NAME(GROUP_POINT, add_mixed)(&sum, &sum, &next);
    }
    CUZK_NAME(GROUP_POINT, load)(&next, extra);
    CUZK_NAME(GROUP_POINT, add_mixed)(&sum, &sum, &next);
    CUZK_NAME(GROUP_POINT, to_affine_var)(&next, &sum);
    CUZK_NAME(GROUP_POINT, store)(result, &next);
}
