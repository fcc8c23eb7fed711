/* The wrapper around a C1 output. Its base64 is decoded window by window as the reader asks for
 * text, so that the C1 output never exists as a whole. */
#include "circuit/filecoin/c1.h"

#include "circuit/filecoin/c1_read.h"

#include <openssl/evp.h>

#include <stdlib.h>
#include <string.h>

/* Base64 characters decoded at once, a multiple of 4, and the bytes that they give. */
enum { STEP = 64 << 10, WINDOW = STEP / 4 * 3 };

typedef struct decoder {
    const char *text; /* not decoded yet */
    size_t left;
    uint8_t window[WINDOW + 3];
} decoder;

/* Decodes the next n characters. libcrypto takes white space at the ends away, which the number of
 * bytes shows, and '=' for a digit. */
static bool decode(decoder *source, size_t n, size_t *bytes)
{
    size_t padding = 0;
    if (n == source->left)
        while (padding < 2 && source->text[n - 1 - padding] == '=')
            padding++;
    if (memchr(source->text, '=', n - padding) != NULL)
        return false;
    int got = EVP_DecodeBlock(source->window, (const unsigned char *)source->text, (int)n);
    if (got < 0 || (size_t)got != n / 4 * 3)
        return false;
    *bytes = (size_t)got - padding;
    return true;
}

static bool more(cuzk_json_reader *in, void *context)
{
    decoder *source = context;
    size_t n = source->left < STEP ? source->left : STEP, bytes = 0;
    if (n == 0)
        return false;
    in->before += (uint64_t)(in->end - in->start);
    if (!decode(source, n, &bytes)) {
        in->start = in->at = in->end;
        return cuzk_json_fail(in, CUZK_ERR_FORMAT,
                              "what follows is not standard base64 with padding");
    }
    in->start = in->at = (const char *)source->window;
    in->end = in->start + bytes;
    source->text += n;
    source->left -= n;
    return true;
}

/* Reads the base64 string and sets up a reader of what it stands for, which takes *source with it:
 * the caller's (free). */
static bool open_inside(decoder **source, cuzk_json_reader *json, cuzk_json_reader *outer)
{
    const char *text = NULL;
    size_t n = 0;
    if (!cuzk_json_span(outer, &text, &n))
        return false;
    if (n % 4 != 0)
        return cuzk_json_fail(outer, CUZK_ERR_FORMAT,
                              "found %zu characters of base64, expected a multiple of 4", n);
    decoder *new = malloc(sizeof *new);
    if (new == NULL)
        return cuzk_json_fail(outer, CUZK_ERR_MEMORY, "no memory to decode base64");
    new->text = text;
    new->left = n;
    cuzk_json_reader_init(json, "", 0, outer->name, outer->err);
    json->more = more;
    json->source = new;
    cuzk_place_push(&json->place, "Phase1Out", 0);
    *source = new;
    return true;
}

/* What is done with the C1 output: all of it is read, or (out NULL) only which proof it is. */
typedef struct task {
    cuzk_porep_vanilla *out;
    cuzk_arena *arena;
    const cuzk_fil_proof *proof;
    unsigned *id;
} task;

static void run_inside(cuzk_json_reader *outer, const task *what)
{
    decoder *source = NULL;
    cuzk_json_reader json;
    if (!open_inside(&source, &json, outer))
        return;
    outer->failed = what->out != NULL
                        ? !cuzk_c1_read_from(&json, what->out, what->arena, what->proof)
                        : !cuzk_c1_registered_from(&json, what->id);
    free(source);
}

static cuzk_status run(const char *text, size_t size, const char *name, const task *what,
                       cuzk_error *err)
{
    static const char *const names[] = {"Phase1Out"};
    cuzk_error own;
    cuzk_json_reader json;
    cuzk_json_scope scope = {0};
    if (err == NULL)
        err = &own;
    cuzk_json_reader_init(&json, text, size, name, err);
    while (cuzk_json_member(&json, &scope, names, 1) == 0)
        run_inside(&json, what);
    return cuzk_json_end(&json) ? CUZK_OK : err->status;
}

cuzk_status cuzk_c1_read_wrapper(cuzk_porep_vanilla *out, cuzk_arena *arena,
                                 const cuzk_fil_proof *proof, const char *text, size_t size,
                                 const char *name, cuzk_error *err)
{
    const task what = {.out = out, .arena = arena, .proof = proof};
    *out = (cuzk_porep_vanilla){0};
    return run(text, size, name, &what, err);
}

cuzk_status cuzk_c1_registered_wrapper(unsigned *id, const char *text, size_t size,
                                       const char *name, cuzk_error *err)
{
    const task what = {.id = id};
    return run(text, size, name, &what, err);
}
