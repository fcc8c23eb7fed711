/* gRPC's C core, once per process. */
#ifndef CUZK_SERVER_GRPC_LIBRARY_H
#define CUZK_SERVER_GRPC_LIBRARY_H

/* Starts the library, and has its messages logged as ours, at first use. It is never shut down:
 * that may take ten seconds, when a call was cut off while it was being sent. Any thread. */
void cuzk_grpc_library_init(void);

#endif
