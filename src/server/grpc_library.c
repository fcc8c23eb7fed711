#include "server/grpc_library.h"
#include "base/log.h"

#include <grpc/grpc.h>
#include <grpc/support/log.h>
#include <pthread.h>

static void forward(gpr_log_func_args *args)
{
    /* Its errors are mostly about peers that do not keep to the protocol: warnings, to us. */
    cuzk_log(args->severity == GPR_LOG_SEVERITY_ERROR ? CUZK_LOG_WARN : CUZK_LOG_DEBUG, "grpc: %s",
             args->message);
}

static void init(void)
{
    gpr_set_log_function(forward);
    grpc_init();
}

void cuzk_grpc_library_init(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, init);
}
