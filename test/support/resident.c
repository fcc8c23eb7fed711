#include "support/resident.h"

#include <stdio.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED true
#endif
#endif
#ifndef SANITIZED
#define SANITIZED false
#endif

bool resident_is_meant(void)
{
    return !SANITIZED;
}

static uint64_t read_line(const char *format)
{
    char line[256];
    unsigned long kib = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, format, &kib) == 1)
            break;
    if (file != NULL)
        fclose(file);
    return (uint64_t)kib << 10;
}

uint64_t resident_now(void)
{
    return read_line("VmRSS: %lu");
}

uint64_t resident_peak(void)
{
    return read_line("VmHWM: %lu");
}

bool resident_reset_peak(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (file == NULL)
        return false;
    const bool written = fputs("5", file) >= 0;
    return fclose(file) == 0 && written;
}
