/* What a kernel may call: see cuda_runtime.h. Overloads are those that nvcc has, so that a call
 * which compiles here compiles there. */
#ifndef CUZK_TEST_EMULATED_DEVICE_CALLS_H
#define CUZK_TEST_EMULATED_DEVICE_CALLS_H

/* Those of the running thread. */
extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;
enum { warpSize = 32 };

/* Returns how many threads of the block had a predicate other than 0. */
int cuzk_emulated_barrier(int predicate);

/* A step that all lanes of mask take together: each gives a value and gets that of the source lane
 * (CUZK_EMULATED_SHUFFLE), or the mask of the lanes whose value is not 0 (CUZK_EMULATED_BALLOT). */
enum cuzk_emulated_step { CUZK_EMULATED_SHUFFLE, CUZK_EMULATED_BALLOT };
uint64_t cuzk_emulated_warp(cuzk_emulated_step step, unsigned mask, uint64_t value,
                            unsigned source);

static inline void __syncthreads(void)
{
    cuzk_emulated_barrier(0);
}

static inline int __syncthreads_count(int predicate)
{
    return cuzk_emulated_barrier(predicate);
}

static inline int __syncthreads_or(int predicate)
{
    return cuzk_emulated_barrier(predicate) != 0;
}

static inline int __syncthreads_and(int predicate)
{
    return cuzk_emulated_barrier(predicate == 0) == 0;
}

static inline void __syncwarp(unsigned mask = 0xffffffff)
{
    cuzk_emulated_warp(CUZK_EMULATED_BALLOT, mask, 0, 0);
}

static inline unsigned __ballot_sync(unsigned mask, int predicate)
{
    return (unsigned)cuzk_emulated_warp(CUZK_EMULATED_BALLOT, mask, predicate != 0, 0);
}

static inline int __any_sync(unsigned mask, int predicate)
{
    return __ballot_sync(mask, predicate) != 0;
}

static inline int __all_sync(unsigned mask, int predicate)
{
    return __ballot_sync(mask, predicate) == mask;
}

static inline unsigned cuzk_emulated_lane(void)
{
    return threadIdx.x % 32;
}

template <class T> static inline T cuzk_emulated_shuffle(unsigned mask, T value, unsigned source)
{
    static_assert(std::is_arithmetic<T>::value, "numbers only");
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    bits = cuzk_emulated_warp(CUZK_EMULATED_SHUFFLE, mask, bits, source);
    memcpy(&value, &bits, sizeof value);
    return value;
}

template <class T> static inline T __shfl_sync(unsigned mask, T value, int lane, int width = 32)
{
    unsigned w = (unsigned)width, first = cuzk_emulated_lane() / w * w;
    return cuzk_emulated_shuffle(mask, value, first + (unsigned)lane % w);
}

template <class T>
static inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32)
{
    unsigned self = cuzk_emulated_lane(), place = self % (unsigned)width;
    return cuzk_emulated_shuffle(mask, value, place < delta ? self : self - delta);
}

template <class T>
static inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32)
{
    unsigned self = cuzk_emulated_lane(), place = self % (unsigned)width;
    return cuzk_emulated_shuffle(mask, value,
                                 place + delta >= (unsigned)width ? self : self + delta);
}

template <class T> static inline T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32)
{
    unsigned self = cuzk_emulated_lane(), other = self ^ (unsigned)bits;
    bool beyond = other / (unsigned)width > self / (unsigned)width;
    return cuzk_emulated_shuffle(mask, value, beyond ? self : other);
}

/* Fibers change places at barriers only, so plain code is atomic. */
#define CUZK_EMULATED_ATOMIC(name, type, result)                                                   \
    static inline type name(type *at, type value)                                                  \
    {                                                                                              \
        type old = *at;                                                                            \
        *at = (result);                                                                            \
        return old;                                                                                \
    }
#define CUZK_EMULATED_ATOMICS(type)                                                                \
    CUZK_EMULATED_ATOMIC(atomicMax, type, old > value ? old : value)                               \
    CUZK_EMULATED_ATOMIC(atomicMin, type, old < value ? old : value)                               \
    CUZK_EMULATED_ATOMIC(atomicExch, type, value)                                                  \
    CUZK_EMULATED_ATOMIC(atomicOr, type, old | value)                                              \
    CUZK_EMULATED_ATOMIC(atomicAnd, type, old &value)                                              \
    CUZK_EMULATED_ATOMIC(atomicXor, type, old ^ value)                                             \
    static inline type atomicCAS(type *at, type expected, type value)                              \
    {                                                                                              \
        type old = *at;                                                                            \
        if (old == expected)                                                                       \
            *at = value;                                                                           \
        return old;                                                                                \
    }
CUZK_EMULATED_ATOMICS(int)
CUZK_EMULATED_ATOMICS(unsigned)
CUZK_EMULATED_ATOMICS(unsigned long long)
CUZK_EMULATED_ATOMIC(atomicAdd, int, (int)((unsigned)old + (unsigned)value))
CUZK_EMULATED_ATOMIC(atomicAdd, unsigned, old + value)
CUZK_EMULATED_ATOMIC(atomicAdd, unsigned long long, old + value)
CUZK_EMULATED_ATOMIC(atomicSub, int, (int)((unsigned)old - (unsigned)value))
CUZK_EMULATED_ATOMIC(atomicSub, unsigned, old - value)
#undef CUZK_EMULATED_ATOMICS
#undef CUZK_EMULATED_ATOMIC

static inline void __threadfence(void)
{
}

static inline void __threadfence_block(void)
{
}

static inline long long clock64(void)
{
    static long long ticks;
    return ++ticks;
}

template <class T> static inline T __ldg(const T *at)
{
    return *at;
}

template <class T> static inline T __ldcs(const T *at)
{
    return *at;
}

template <class T> static inline T __ldcg(const T *at)
{
    return *at;
}

template <class T> static inline void __stcs(T *at, T value)
{
    *at = value;
}

template <class T> static inline void __stcg(T *at, T value)
{
    *at = value;
}

template <class A, class B> static inline std::common_type_t<A, B> min(A a, B b)
{
    using T = std::common_type_t<A, B>;
    return (T)a < (T)b ? (T)a : (T)b;
}

template <class A, class B> static inline std::common_type_t<A, B> max(A a, B b)
{
    using T = std::common_type_t<A, B>;
    return (T)a < (T)b ? (T)b : (T)a;
}

static inline int __popc(unsigned x)
{
    return __builtin_popcount(x);
}

static inline int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}

static inline int __ffs(int x)
{
    return __builtin_ffs(x);
}

static inline int __ffsll(long long x)
{
    return __builtin_ffsll(x);
}

static inline int __clz(int x)
{
    return x == 0 ? 32 : __builtin_clz((unsigned)x);
}

static inline int __clzll(long long x)
{
    return x == 0 ? 64 : __builtin_clzll((unsigned long long)x);
}

static inline unsigned long long __brevll(unsigned long long x)
{
    unsigned long long r = 0;
    for (int i = 0; i < 64; i++)
        r |= (x >> i & 1) << (63 - i);
    return r;
}

static inline unsigned __brev(unsigned x)
{
    return (unsigned)(__brevll(x) >> 32);
}

static inline unsigned __umulhi(unsigned a, unsigned b)
{
    return (unsigned)((uint64_t)a * b >> 32);
}

static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    __extension__ typedef unsigned __int128 wide;
    return (unsigned long long)((wide)a * b >> 64);
}

static inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)((((uint64_t)high << 32 | low) << (shift & 31)) >> 32);
}

static inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)(((uint64_t)high << 32 | low) >> (shift & 31));
}

#endif
