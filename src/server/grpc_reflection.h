/* gRPC's reflection service: tells tools such as grpcurl what messages the services speak. */
#ifndef CUZK_SERVER_GRPC_REFLECTION_H
#define CUZK_SERVER_GRPC_REFLECTION_H

#include "server/grpc_call.h"

cuzk_grpc_method_fn cuzk_grpc_reflection;

#endif
