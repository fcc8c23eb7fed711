#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cuzk_status cuzk_fail(cuzk_error *err, cuzk_status status, const char *format, ...)
{
    if (err == NULL)
        return status;
    /* Through a buffer of its own: the arguments may point into err->message. */
    char message[sizeof err->message];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    err->status = status;
    memcpy(err->message, message, sizeof message);
    return status;
}

cuzk_status cuzk_fail_context(cuzk_error *err, const char *format, ...)
{
    CUZK_ASSERT(err != NULL);
    char message[sizeof err->message];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(message, sizeof message, format, args);
    va_end(args);
    size_t used = length < 0 ? 0 : (size_t)length;
    if (used >= sizeof message)
        used = sizeof message - 1;
    int rest = snprintf(message + used, sizeof message - used, ": %s", err->message);
    CUZK_ASSERT(rest >= 0);
    memcpy(err->message, message, sizeof message);
    return err->status;
}

_Noreturn void cuzk_assert_failed(const char *condition, const char *file, int line)
{
    fprintf(stderr,
            "cuzk: a bug: %s:%d: \"%s\" does not hold. Please report this line with the command "
            "that led to it.\n",
            file, line, condition);
    fflush(NULL);
    abort();
}

const char *cuzk_status_name(cuzk_status status)
{
    switch (status) {
    case CUZK_OK:
        return "OK";
    case CUZK_ERR_ARGUMENT:
        return "ARGUMENT";
    case CUZK_ERR_IO:
        return "IO";
    case CUZK_ERR_FORMAT:
        return "FORMAT";
    case CUZK_ERR_UNSUPPORTED:
        return "UNSUPPORTED";
    case CUZK_ERR_MISMATCH:
        return "MISMATCH";
    case CUZK_ERR_INSECURE:
        return "INSECURE";
    case CUZK_ERR_UNSATISFIED:
        return "UNSATISFIED";
    case CUZK_ERR_REJECTED:
        return "REJECTED";
    case CUZK_ERR_MEMORY:
        return "MEMORY";
    case CUZK_ERR_RANDOM:
        return "RANDOM";
    case CUZK_ERR_CANCELLED:
        return "CANCELLED";
    case CUZK_ERR_DEVICE:
        return "DEVICE";
    }
    return "UNKNOWN";
}
