#include "base/cpu.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#if CUZK_X86_LEVELS
#include <cpuid.h>
#endif

static const char *const names[CUZK_CPU_LEVELS] = {"portable", "adx", "avx2", "ifma"};

#if CUZK_X86_LEVELS

/* Feature bits, Intel SDM volume 2, CPUID. */
#define LEAF1_ECX_FMA        (1u << 12)
#define LEAF1_ECX_OSXSAVE    (1u << 27)
#define LEAF7_EBX_AVX2       (1u << 5)
#define LEAF7_EBX_BMI2       (1u << 8)
#define LEAF7_EBX_AVX512F    (1u << 16)
#define LEAF7_EBX_AVX512DQ   (1u << 17)
#define LEAF7_EBX_ADX        (1u << 19)
#define LEAF7_EBX_AVX512IFMA (1u << 21)
#define LEAF7_EBX_AVX512BW   (1u << 30)
#define LEAF7_EBX_AVX512VL   (1u << 31)
#define LEAF7_EBX_AVX512                                                                           \
    (LEAF7_EBX_AVX512F | LEAF7_EBX_AVX512DQ | LEAF7_EBX_AVX512IFMA | LEAF7_EBX_AVX512BW |          \
     LEAF7_EBX_AVX512VL)

/* Register files that the operating system saves: xmm and ymm; opmask, the upper zmm halves,
 * zmm16-31. */
#define XCR0_YMM 0x06u
#define XCR0_ZMM 0xe6u

/* What a processor without AVX-512 has: in a build that emulates it, for tests, all. */
#ifdef CUZK_ASSUME_IFMA
#define CUZK_CPU_WITHOUT_AVX512 CUZK_CPU_IFMA
#else
#define CUZK_CPU_WITHOUT_AVX512 CUZK_CPU_AVX2
#endif

static unsigned read_xcr0(void)
{
    unsigned low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

static cuzk_cpu_level detect(void)
{
    unsigned eax, ebx, ecx, edx, ecx1;
    if (!__get_cpuid(1, &eax, &ebx, &ecx1, &edx))
        return CUZK_CPU_PORTABLE;
    if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx))
        return CUZK_CPU_PORTABLE;
    if (!(ebx & LEAF7_EBX_BMI2) || !(ebx & LEAF7_EBX_ADX))
        return CUZK_CPU_PORTABLE;
    unsigned saved = ecx1 & LEAF1_ECX_OSXSAVE ? read_xcr0() : 0;
    if ((saved & XCR0_YMM) != XCR0_YMM || !(ebx & LEAF7_EBX_AVX2) || !(ecx1 & LEAF1_ECX_FMA))
        return CUZK_CPU_ADX;
    if ((saved & XCR0_ZMM) != XCR0_ZMM || (ebx & LEAF7_EBX_AVX512) != LEAF7_EBX_AVX512)
        return CUZK_CPU_WITHOUT_AVX512;
    return CUZK_CPU_IFMA;
}

#else

static cuzk_cpu_level detect(void)
{
    return CUZK_CPU_PORTABLE;
}

#endif

/* Plus 1, so that 0 means not decided yet. All deciders store the same value. */
static atomic_int best;
static atomic_int selected;

cuzk_cpu_level cuzk_cpu_best(void)
{
    int level = atomic_load(&best);
    if (level == 0) {
        level = (int)detect() + 1;
        atomic_store(&best, level);
    }
    return (cuzk_cpu_level)(level - 1);
}

/* Sets *level to what CUZK_CPU and the processor say. */
static cuzk_status choose(cuzk_cpu_level *level, cuzk_error *err)
{
    cuzk_cpu_level limit = cuzk_cpu_best();
    const char *name = getenv("CUZK_CPU");
    if (name == NULL || *name == '\0') {
        *level = limit;
        return CUZK_OK;
    }
    for (int i = 0; i < CUZK_CPU_LEVELS; i++) {
        if (strcmp(name, names[i]) != 0)
            continue;
        if (i > (int)limit)
            return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                             "CUZK_CPU=%s: this processor, system or build goes no further than "
                             "\"%s\"; unset CUZK_CPU for the best that it has",
                             name, names[limit]);
        *level = (cuzk_cpu_level)i;
        return CUZK_OK;
    }
    return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                     "CUZK_CPU=%.64s: unknown; expected portable, adx, avx2 or ifma, or unset it",
                     name);
}

cuzk_cpu_level cuzk_cpu_selected(void)
{
    int level = atomic_load(&selected);
    if (level == 0) {
        cuzk_cpu_level chosen = CUZK_CPU_PORTABLE;
        cuzk_status status = choose(&chosen, NULL);
        CUZK_ASSERT(status == CUZK_OK);
        level = (int)chosen + 1;
        atomic_store(&selected, level);
    }
    return (cuzk_cpu_level)(level - 1);
}

cuzk_status cuzk_cpu_check(cuzk_error *err)
{
    cuzk_cpu_level level;
    return choose(&level, err);
}

void cuzk_cpu_force(cuzk_cpu_level level)
{
    CUZK_ASSERT(level <= cuzk_cpu_best());
    atomic_store(&selected, (int)level + 1);
}

const char *cuzk_cpu_name(cuzk_cpu_level level)
{
    CUZK_ASSERT((unsigned)level < CUZK_CPU_LEVELS);
    return names[level];
}
