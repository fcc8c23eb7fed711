/* Statuses and errors: how a failure travels from where it is seen to the person who reads it. */
#ifndef CUZK_BASE_STATUS_H
#define CUZK_BASE_STATUS_H

#include "cuzk.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Forwards a failure to the caller. Not for functions that hold resources: those use one `out:`
 * label. */
#define CUZK_TRY(call)                                                                             \
    do {                                                                                           \
        cuzk_status try_status_ = (call);                                                          \
        if (try_status_ != CUZK_OK)                                                                \
            return try_status_;                                                                    \
    } while (0)

/* cuzk_fail fills *err (NULL: nothing) and returns status, so that a failure is one line:
 *     return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: section 4: found %zu bytes, expected %zu", ...);
 */
cuzk_status cuzk_fail(cuzk_error *err, cuzk_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* cuzk_fail_context puts "prefix: " before the message that is in *err already; returns err's
 * status. */
cuzk_status cuzk_fail_context(cuzk_error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A bug of ours: reports the place and aborts. Never for bad input. */
#define CUZK_ASSERT(condition)                                                                     \
    do {                                                                                           \
        if (!(condition))                                                                          \
            cuzk_assert_failed(#condition, __FILE__, __LINE__);                                    \
    } while (0)
void cuzk_assert_failed(const char *condition, const char *file, int line)
    __attribute__((noreturn));

#ifdef __cplusplus
}
#endif

#endif
