/* Saved circuits: what is opened is what was saved; anything else is refused, or at least does no
 * harm. */
#include "base/digest.h"
#include "circuit/product.h"
#include "support/random_circuit.h"
#include "support/small_circuits.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The layout of compile_file.c: head, then sections at multiples of 64. */
#define SECTIONS     11
#define SECTION_AT   48 /* offset, number of elements, digest */
#define SECTION_SIZE 48
#define HEAD_DIGEST  (SECTION_AT + SECTIONS * SECTION_SIZE)
static const size_t element_size[SECTIONS] = {20, 1, 60, 1, 16, 4, 4, 8, 32, 28, 4};

#define MUTATIONS 20000

static const uint8_t id[CUZK_CIRCUIT_ID_BYTES] = {1, 2, 3};

static void digest(const void *data, size_t n, uint8_t out[32])
{
    cuzk_digest *d;
    assert_int_equal(cuzk_digest_new(&d, CUZK_SHA256, NULL), CUZK_OK);
    assert_int_equal(cuzk_digest_update(d, data, n, NULL), CUZK_OK);
    assert_int_equal(cuzk_digest_finish(d, out, NULL), CUZK_OK);
    cuzk_digest_free(d);
}

static uint64_t number_at(const uint8_t *file, size_t at)
{
    uint64_t n;
    memcpy(&n, file + at, 8);
    return n;
}

static char *save(const cuzk_compiled *c)
{
    char *path = test_write_temp("", 0);
    cuzk_error err;
    if (cuzk_compiled_save(c, id, path, &err) != CUZK_OK)
        fail_msg("%s", err.message);
    return path;
}

static void drop(char *path)
{
    unlink(path);
    free(path);
}

static cuzk_compiled *compile(uint64_t seed, unsigned calls)
{
    const test_random_circuit params = {.seed = seed, .calls = calls, .steps = 6, .honest = true};
    const cuzk_circuit circuit = {"random", test_random_build, &params};
    cuzk_compiled *c;
    assert_int_equal(cuzk_compile(&c, &circuit, NULL), CUZK_OK);
    return c;
}

/* Makes a witness for a request of zeros and ones, and checks it. */
static cuzk_status use(const cuzk_compiled *c, uint8_t hash[32])
{
    cuzk_compiled_info info;
    cuzk_witness w;
    cuzk_compiled_describe(c, &info);
    assert_int_equal(cuzk_compiled_hash(c, hash, NULL), CUZK_OK);
    cuzk_scalar *field = calloc(info.field + 1, sizeof *field);
    uint64_t *word = calloc(info.word + 1, sizeof *word);
    assert_non_null(field);
    assert_non_null(word);
    for (size_t i = 0; i < info.field; i++)
        field[i].l[0] = i;
    for (size_t i = 0; i < info.word; i++)
        word[i] = i * 0x0123456789abcdef;
    const cuzk_circuit_inputs request = {field, info.field, word, info.word};
    assert_int_equal(cuzk_witness_make(&w, c, &request, NULL, NULL), CUZK_OK);
    const cuzk_status status = cuzk_compiled_check(c, &w, NULL, NULL, NULL);
    cuzk_witness_release(&w);
    free(field);
    free(word);
    return status;
}

static void opens_what_was_saved(void **state)
{
    (void)state;
    cuzk_compiled *c = compile(7, 100), *opened;
    char *path = save(c), *other;
    uint8_t hash[32], again[32];
    size_t size, other_size;
    cuzk_error err;
    if (cuzk_compiled_open(&opened, path, "random", id, &err) != CUZK_OK)
        fail_msg("%s", err.message);
    assert_int_equal(use(c, hash), CUZK_OK);
    assert_int_equal(use(opened, again), CUZK_OK);
    assert_memory_equal(hash, again, sizeof hash);
    other = save(opened); /* and saves the same again */
    uint8_t *a = test_read_file(path, &size), *b = test_read_file(other, &other_size);
    assert_int_equal(size, other_size);
    assert_memory_equal(a, b, size);
    free(a);
    free(b);
    cuzk_compiled_free(opened);
    cuzk_compiled_free(c);
    drop(path);
    drop(other);
}

static void refuses_another_circuit(void **state)
{
    (void)state;
    const uint8_t other[CUZK_CIRCUIT_ID_BYTES] = {1, 2, 4};
    cuzk_compiled *c = compile(8, 10), *opened;
    char *path = save(c);
    assert_int_equal(cuzk_compiled_open(&opened, path, "randon", id, NULL), CUZK_ERR_MISMATCH);
    assert_null(opened);
    assert_int_equal(cuzk_compiled_open(&opened, path, NULL, other, NULL), CUZK_ERR_MISMATCH);
    assert_int_equal(cuzk_compiled_open(&opened, path, NULL, NULL, NULL), CUZK_OK);
    cuzk_compiled_free(opened);
    cuzk_compiled_free(c);
    drop(path);
}

/* Every flipped bit and every cut is noticed. */
static void refuses_damage(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(3);
    cuzk_compiled *c = compile(9, 10), *opened;
    char *path = save(c);
    size_t size;
    uint8_t *file = test_read_file(path, &size);
    cuzk_compiled_free(c);
    for (int i = 0; i < 600; i++) {
        /* padding between sections is not covered */
        size_t at = test_rng_below(&rng, HEAD_DIGEST + 32), end = size;
        if (i % 2 == 0) {
            const size_t s = SECTION_AT + SECTION_SIZE * test_rng_below(&rng, SECTIONS);
            const size_t n = number_at(file, s + 8) * element_size[(s - SECTION_AT) / SECTION_SIZE];
            at = number_at(file, s) + (n != 0 ? test_rng_below(&rng, n) : 0);
            if (n == 0)
                continue;
        }
        if (i % 10 == 9)
            end = test_rng_below(&rng, size);
        else
            file[at] ^= (uint8_t)(1 << test_rng_below(&rng, 8));
        char *damaged = test_write_temp(file, end);
        const cuzk_status status = cuzk_compiled_open(&opened, damaged, NULL, NULL, NULL);
        if (status != CUZK_ERR_FORMAT && status != CUZK_ERR_UNSUPPORTED)
            fail_msg("status %d with byte %zu changed, %zu of %zu bytes", (int)status, at, end,
                     size);
        drop(damaged);
        free(file);
        file = test_read_file(path, &size);
    }
    free(file);
    drop(path);
}

/* Changes a number or two in the sections and makes the checksums hold again. */
static void mutate(test_rng *rng, uint8_t *file)
{
    for (uint64_t n = 1 + test_rng_below(rng, 2); n > 0; n--) {
        const size_t section = test_rng_below(rng, SECTIONS);
        uint8_t *head = file + SECTION_AT + SECTION_SIZE * section;
        const size_t bytes = number_at(head, 8) * element_size[section];
        uint8_t *data = file + number_at(head, 0);
        uint32_t value;
        if (bytes < 4)
            continue;
        uint8_t *at = data + 4 * test_rng_below(rng, bytes / 4);
        memcpy(&value, at, 4);
        switch (test_rng_below(rng, 5)) {
        case 0:
            value++;
            break;
        case 1:
            value--;
            break;
        case 2:
            value ^= UINT32_C(1) << test_rng_below(rng, 32);
            break;
        case 3:
            value = (uint32_t)test_rng_next(rng);
            break;
        default:
            memcpy(&value, data + 4 * test_rng_below(rng, bytes / 4), 4);
        }
        memcpy(at, &value, 4);
        digest(data, bytes, head + 16);
    }
    digest(file, HEAD_DIGEST, file + HEAD_DIGEST);
}

/* A file that is whole and makes no sense is refused, or says something else; it breaks nothing. */
static void survives_nonsense(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(4);
    unsigned opened_ones = 0;
    for (uint64_t seed = 0; seed < 4; seed++) {
        cuzk_compiled *c = compile(20 + seed, 6), *opened;
        char *path = save(c);
        size_t size;
        uint8_t *file = test_read_file(path, &size), hash[32];
        uint8_t *changed = malloc(size);
        cuzk_compiled_free(c);
        for (int i = 0; i < MUTATIONS / 4; i++) {
            memcpy(changed, file, size);
            mutate(&rng, changed);
            char *mutant = test_write_temp(changed, size);
            if (cuzk_compiled_open(&opened, mutant, NULL, NULL, NULL) == CUZK_OK) {
                opened_ones++;
                (void)use(opened, hash);
                cuzk_compiled_free(opened);
            }
            drop(mutant);
        }
        free(changed);
        free(file);
        drop(path);
    }
    assert_in_range(opened_ones, MUTATIONS / 100, MUTATIONS - MUTATIONS / 10);
}

static void field_as_bit(cuzk_cs *cs, const void *params)
{
    (void)params;
    const cuzk_var x = cuzk_cs_alloc(cs, &(cuzk_op){.kind = CUZK_OP_FIELD, .n = 1});
    cuzk_cs_alloc(cs, &(cuzk_op){.kind = CUZK_OP_XOR, .n = 1, .a = x, .b = x});
}

static void foreign_variable(cuzk_cs *cs, const void *params)
{
    (void)params;
    cuzk_cs_alloc(cs, &(cuzk_op){.kind = CUZK_OP_XOR, .n = 1, .a = 5, .b = 6});
}

static void input_in_gadget(cuzk_cs *cs, const void *params, const cuzk_bit *ports,
                            cuzk_bit *results)
{
    (void)params;
    (void)ports;
    (void)results;
    cuzk_cs_alloc_input(cs, &(cuzk_op){.kind = CUZK_OP_QUAD, .n = 1});
}

static void calls_for_input(cuzk_cs *cs, const void *params)
{
    const cuzk_gadget gadget = {.name = "greedy", .fn = input_in_gadget};
    (void)params;
    cuzk_cs_call(cs, &gadget, NULL, NULL);
}

static void refuses_wrong_gadgets(void **state)
{
    (void)state;
    const struct {
        void (*build)(cuzk_cs *cs, const void *params);
        cuzk_status status;
        const char *says;
    } cases[] = {{field_as_bit, CUZK_ERR_UNSUPPORTED, "field element as a bit"},
                 {foreign_variable, CUZK_ERR_ARGUMENT, "variable 0x5"},
                 {calls_for_input, CUZK_ERR_UNSUPPORTED, "greedy makes public input"}};
    for (size_t i = 0; i < 3; i++) {
        const cuzk_circuit circuit = {"wrong", cases[i].build, NULL};
        cuzk_compiled *c;
        cuzk_error err;
        assert_int_equal(cuzk_compile(&c, &circuit, &err), cases[i].status);
        assert_null(c);
        assert_non_null(strstr(err.message, cases[i].says));
    }
}

static void refuses_wrong_requests(void **state)
{
    (void)state;
    const test_por_params params = {CUZK_TREE_POSEIDON, {2, 0, 0, 2}, false};
    const cuzk_circuit circuit = {"por", test_por_build, &params};
    cuzk_compiled *c;
    cuzk_compiled_info info;
    cuzk_witness w;
    cuzk_error err;
    cuzk_scalar field[8] = {{{0}}};
    uint64_t word[8] = {0};
    assert_int_equal(cuzk_compile(&c, &circuit, &err), CUZK_OK);
    cuzk_compiled_describe(c, &info);
    assert_true(info.field < 8 && info.field > 2 && info.word < 8 && info.word > 0);
    cuzk_circuit_inputs in = {field, info.field + 1, word, info.word};
    assert_int_equal(cuzk_witness_make(&w, c, &in, NULL, &err), CUZK_ERR_MISMATCH);
    in = (cuzk_circuit_inputs){field, info.field, word, info.word - 1};
    assert_int_equal(cuzk_witness_make(&w, c, &in, NULL, &err), CUZK_ERR_MISMATCH);
    in.n_word++;
    memset(&field[2], 0xff, sizeof field[2]);
    assert_int_equal(cuzk_witness_make(&w, c, &in, NULL, &err), CUZK_ERR_FORMAT);
    assert_non_null(strstr(err.message, "element 2"));
    cuzk_compiled_free(c);
}

/* A violated row is named with the gadget that it comes from. */
static void names_gadgets(void **state)
{
    (void)state;
    const test_por_params params = {CUZK_TREE_POSEIDON, {2, 0, 0, 2}, false};
    const cuzk_circuit circuit = {"por", test_por_build, &params};
    cuzk_scalar field[8] = {{{3}}, {{5}}};
    uint64_t word[8] = {1, 1};
    cuzk_compiled *c;
    cuzk_compiled_info info;
    cuzk_witness w;
    cuzk_violation v;
    cuzk_error err;
    cuzk_row_place place;
    assert_int_equal(cuzk_compile(&c, &circuit, &err), CUZK_OK);
    cuzk_compiled_describe(c, &info);
    const cuzk_circuit_inputs in = {field, info.field, word, info.word};
    assert_int_equal(cuzk_witness_make(&w, c, &in, NULL, &err), CUZK_OK);
    w.value[100].l[0] ^= 1;
    assert_int_equal(cuzk_compiled_check(c, &w, &v, NULL, &err), CUZK_ERR_UNSATISFIED);
    cuzk_compiled_place(c, v.row, &place);
    assert_string_equal(place.gadget, "tree level");
    assert_int_equal(place.instance, 1);
    assert_int_equal(place.row, v.place.row);
    assert_non_null(strstr(err.message, "tree level"));
    cuzk_witness_release(&w);
    cuzk_compiled_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opens_what_was_saved),  cmocka_unit_test(refuses_another_circuit),
        cmocka_unit_test(refuses_damage),        cmocka_unit_test(survives_nonsense),
        cmocka_unit_test(refuses_wrong_gadgets), cmocka_unit_test(refuses_wrong_requests),
        cmocka_unit_test(names_gadgets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
