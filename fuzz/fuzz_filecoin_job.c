/* Stored requests of Filecoin's kinds: whatever the store holds, it is read or refused. */
#include "engine/filecoin_job.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cuzk_error err;
    cuzk_fil_request *request;
    if (cuzk_filecoin_job_parse(&request, data, size, NULL, &err) == CUZK_OK)
        cuzk_fil_request_free(request);
    return 0;
}
