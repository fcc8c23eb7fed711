#include "server/pem.h"

#include <errno.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PEM_MAX (1u << 20)

cuzk_status cuzk_pem_read(char **text, const char *path, cuzk_error *err)
{
    FILE *file = fopen(path, "rbe");
    if (file == NULL)
        return cuzk_fail(err, CUZK_ERR_IO, "%s: cannot be opened: %s", path, strerror(errno));
    char *data = malloc(PEM_MAX + 1);
    size_t size = data != NULL ? fread(data, 1, PEM_MAX + 1, file) : 0;
    bool bad = ferror(file) != 0;
    fclose(file);
    cuzk_status status = CUZK_OK;
    if (data == NULL)
        status = cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory to read it", path);
    else if (bad)
        status = cuzk_fail(err, CUZK_ERR_IO, "%s: cannot be read", path);
    else if (size > PEM_MAX)
        status = cuzk_fail(err, CUZK_ERR_FORMAT, "%s: larger than 1 MiB, so no PEM file", path);
    if (status != CUZK_OK) {
        free(data);
        return status;
    }
    data[size] = '\0';
    *text = data;
    return CUZK_OK;
}

static X509 *read_certificate(const char *text)
{
    BIO *bio = BIO_new_mem_buf(text, -1);
    X509 *cert = bio != NULL ? PEM_read_bio_X509(bio, NULL, NULL, NULL) : NULL;
    BIO_free(bio);
    return cert;
}

cuzk_status cuzk_pem_check_certificate(const char *cert, const char *path, cuzk_error *err)
{
    X509 *parsed = read_certificate(cert);
    if (parsed == NULL)
        return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: there is no PEM certificate in it", path);
    X509_free(parsed);
    return CUZK_OK;
}

cuzk_status cuzk_pem_check_pair(const char *cert, const char *key, const char *cert_path,
                                const char *key_path, cuzk_error *err)
{
    CUZK_TRY(cuzk_pem_check_certificate(cert, cert_path, err));
    X509 *parsed = read_certificate(cert);
    BIO *bio = BIO_new_mem_buf(key, -1);
    /* An empty pass phrase, so that an encrypted key fails instead of asking on the terminal. */
    char none[] = "";
    EVP_PKEY *private_key = bio != NULL ? PEM_read_bio_PrivateKey(bio, NULL, NULL, none) : NULL;
    BIO_free(bio);
    cuzk_status status = CUZK_OK;
    if (private_key == NULL)
        status =
            cuzk_fail(err, CUZK_ERR_FORMAT, "%s: there is no unencrypted PEM key in it", key_path);
    else if (parsed == NULL || X509_check_private_key(parsed, private_key) != 1)
        status = cuzk_fail(err, CUZK_ERR_MISMATCH, "%s: it is not the key of the certificate in %s",
                           key_path, cert_path);
    EVP_PKEY_free(private_key);
    X509_free(parsed);
    return status;
}
