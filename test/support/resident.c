#include "support/resident.h"

#include "support/test.h"

#include <stdio.h>

bool resident_is_meant(void)
{
    return !TEST_SANITIZED;
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
