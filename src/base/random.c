#include "base/random.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

cuzk_status cuzk_random(void *out, size_t n, cuzk_error *err)
{
    unsigned char *at = out;
    size_t left = n;
    while (left > 0) {
        ssize_t got = getrandom(at, left, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            int cause = errno;
            cuzk_wipe(out, n);
            return cuzk_fail(err, CUZK_ERR_RANDOM,
                             "the system gave no random bytes (getrandom: %s); no proof is made "
                             "without them",
                             strerror(cause));
        }
        at += got;
        left -= (size_t)got;
    }
    return CUZK_OK;
}

void cuzk_wipe(void *data, size_t n)
{
    explicit_bzero(data, n);
}
