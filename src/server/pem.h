/* PEM files of TLS. */
#ifndef CUZK_SERVER_PEM_H
#define CUZK_SERVER_PEM_H

#include "base/status.h"

/* Reads a PEM file as text, at most 1 MiB; *text is malloc'd. */
cuzk_status cuzk_pem_read(char **text, const char *path, cuzk_error *err);

/* The certificate and the key are PEM, and belong together. Paths are for the error. */
cuzk_status cuzk_pem_check_pair(const char *cert, const char *key, const char *cert_path,
                                const char *key_path, cuzk_error *err);
/* There is a certificate in it. */
cuzk_status cuzk_pem_check_certificate(const char *cert, const char *path, cuzk_error *err);

#endif
