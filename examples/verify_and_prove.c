/* Proves a circuit from its files and verifies the proof, through the installed library:
 *     cc verify_and_prove.c $(pkg-config --cflags --libs cuzk) -o verify_and_prove
 *     ./verify_and_prove circuit.zkey witness.wtns */
#include <cuzk.h>

#include <stdio.h>

/* Checks the proof as somebody would who has nothing but the verification key. */
static cuzk_status verify(const cuzk_key *key, const char *proof, const char *public_signals,
                          cuzk_error *err)
{
    char *vk;
    cuzk_status status = cuzk_key_export_vk(key, &vk, err);
    if (status != CUZK_OK)
        return status;
    status = cuzk_verify(vk, public_signals, proof, 0, err);
    cuzk_free(vk);
    return status;
}

static cuzk_status prove_and_verify(const char *key_path, const char *witness_path, cuzk_error *err)
{
    cuzk_key *key;
    cuzk_status status = cuzk_key_open(&key, key_path, NULL, 0, err);
    if (status != CUZK_OK)
        return status;

    char *proof, *public_signals;
    status = cuzk_key_prove_file(key, witness_path, &proof, &public_signals, err);
    if (status == CUZK_OK) {
        printf("%s\n%s\n", proof, public_signals);
        status = verify(key, proof, public_signals, err);
        cuzk_free(proof);
        cuzk_free(public_signals);
    }
    cuzk_key_close(key);
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s circuit.zkey witness.wtns\n", argv[0]);
        return CUZK_ERR_ARGUMENT;
    }
    cuzk_error err;
    cuzk_status status = prove_and_verify(argv[1], argv[2], &err);
    if (status != CUZK_OK) {
        fprintf(stderr, "%s: %s\n", cuzk_status_name(status), err.message);
        return (int)status;
    }
    fprintf(stderr, "cuzk %s: the proof is valid\n", cuzk_version());
    return 0;
}
