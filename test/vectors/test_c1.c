/* C1 outputs: model sectors', plain and wrapped; changed ones are refused with their place; a large
 * one in the shape of 32 GiB for time and memory. */
#include "support/vanilla.h"

#include "circuit/filecoin/c1.h"
#include "circuit/filecoin/c1_write.h"

#include <sys/resource.h>
#include <time.h>

#include <openssl/evp.h>

static cuzk_error err;
static cuzk_arena arena;

static void check_model(const cuzk_porep_vanilla *c1)
{
    assert_int_equal(c1->registered_proof, 5);
    assert_int_equal(c1->n_partitions, 1);
    assert_int_equal(c1->layers, 2);
    for (size_t i = 0; i < 32; i++) {
        assert_int_equal(c1->seed[i], 5);
        assert_int_equal(c1->ticket[i], 3);
    }
    assert_int_equal(c1->comm_d.l[0], UINT64_C(0x20cf8646e0552cbe));
    assert_int_equal(c1->replica_id.l[3], UINT64_C(0x34a9cd8b8184e22e));
    const cuzk_porep_partition *partition = &c1->partition[0];
    assert_int_equal(partition->n_challenges, 2);
    for (size_t i = 0; i < 2; i++) {
        const cuzk_porep_challenge *c = &partition->challenge[i];
        assert_int_equal(cuzk_merkle_path_leaf(&c->data), c->node);
        assert_int_equal(cuzk_merkle_path_leaf(&c->replica), c->node);
        assert_int_equal(cuzk_merkle_path_leaf(&c->column.path), c->node);
        assert_int_equal(c->column.index, c->node);
        for (size_t j = 0; j < CUZK_EXP_PARENTS; j++)
            assert_int_equal(cuzk_merkle_path_leaf(&c->exp[j].path), c->exp[j].index);
        assert_memory_equal(&c->data.root, &c1->comm_d, 32);
    }
}

static void test_model(void **state)
{
    (void)state;
    cuzk_fil_proof proof = vanilla_proof_of(&vanilla_files[VANILLA_C1]);
    cuzk_porep_vanilla c1;
    size_t size = 0;
    char *text = (char *)test_read_data("filecoin/model-2kib-c1.json", &size);
    assert_ok(cuzk_c1_read(&c1, &arena, &proof, text, size, "c1", &err));
    check_model(&c1);
    free(text);
    cuzk_arena_release(&arena);
    text = (char *)test_read_data("filecoin/model-2kib-c1-wrapper.json", &size);
    assert_ok(cuzk_c1_read_wrapper(&c1, &arena, &proof, text, size, "wrapper", &err));
    check_model(&c1);
    free(text);
    cuzk_arena_release(&arena);
}

static void test_sub(void **state)
{
    (void)state;
    const vanilla_file *file = &vanilla_files[VANILLA_C1_SUB];
    cuzk_fil_proof proof = vanilla_proof_of(file);
    cuzk_porep_vanilla c1;
    size_t size = 0;
    char *text = (char *)test_read_data(file->name, &size);
    assert_ok(cuzk_c1_read(&c1, &arena, &proof, text, size, "c1", &err));
    const cuzk_porep_challenge *c = &c1.partition[0].challenge[1];
    assert_int_equal(cuzk_shape_levels(&c->replica.shape), 3);
    assert_int_equal(cuzk_merkle_path_leaf(&c->replica), c->node);
    assert_int_equal(cuzk_merkle_path_leaf(&c->data), c->node);
    assert_int_equal(cuzk_merkle_path_leaf(&c->drg[5].path), c->drg[5].index);
    free(text);
    cuzk_arena_release(&arena);
}

/* What was read is written as it was; what labeling and encoding proofs repeat is made anew. */
static void test_written(void **state)
{
    (void)state;
    for (size_t f = VANILLA_C1; f <= VANILLA_C1_SUB; f++) {
        cuzk_fil_proof proof = vanilla_proof_of(&vanilla_files[f]);
        cuzk_porep_vanilla c1;
        size_t size = 0, written_size = 0;
        char *text = (char *)test_read_data(vanilla_files[f].name, &size);
        uint8_t *written = NULL;
        assert_ok(cuzk_c1_read(&c1, &arena, &proof, text, size, "c1", &err));
        assert_ok(cuzk_c1_write(&written, &written_size, &c1, &err));
        assert_int_equal(written_size, size);
        assert_memory_equal(written, text, size);
        free(text);
        free(written);
        cuzk_arena_release(&arena);
    }
}

/* Replaces the first `old` behind the first `after`. The caller frees it. */
static char *replace(const char *text, const char *after, const char *old, const char *new)
{
    const char *at = strstr(text, after);
    assert_non_null(at);
    at = strstr(at, old);
    assert_non_null(at);
    char *out = malloc(strlen(text) + strlen(new) + 1);
    assert_non_null(out);
    sprintf(out, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    return out;
}

static const struct {
    const char *after, *old, *new;
    cuzk_status status;
    const char *message;
} changes[] = {
    {"", "StackedDrg2KiBV1_1", "StackedDrg2KiBV1", CUZK_ERR_MISMATCH,
     "c1: registered_proof (byte 38): found \"StackedDrg2KiBV1\", the request is for "
     "\"StackedDrg2KiBV1_1\""},
    {"", "\"StackedDrg2KiBV1\":", "\"StackedDrg8MiBV1\":", CUZK_ERR_FORMAT,
     "vanilla_proofs (byte 78): found member \"StackedDrg8MiBV1\", expected only "
     "\"StackedDrg2KiBV1\""},
    {"", "\"Single\"", "\"Sub\"", CUZK_ERR_FORMAT,
     "vanilla_proofs.StackedDrg2KiBV1[0][0].comm_d_proofs.data (byte 112): found member \"Sub\", "
     "expected only \"Single\""},
    {"", "\"comm_d_proofs\"", "\"comm_d_proof\"", CUZK_ERR_FORMAT,
     "member \"comm_d_proofs\" is missing"},
    {"", "\"index\":1", "\"index\":2", CUZK_ERR_FORMAT, "expected an integer from 0 to 1"},
    {"\"leaf\"", "[240,", "[", CUZK_ERR_FORMAT,
     "comm_d_proofs.data.Single.leaf (byte 360): found 31 elements, expected 32"},
    {"\"layer_index\"", "1", "2", CUZK_ERR_FORMAT, "labeling_proofs[0].layer_index"},
    {"\"encoding_proof\"", "\"node\":", "\"node\":1", CUZK_ERR_FORMAT, "encoding_proof.node"},
    {"", "\"comm_r\":[", "\"comm_r\":[1,", CUZK_ERR_FORMAT,
     "found more than 32 elements, expected 32"},
    {"", "\"ticket\":[3,", "\"ticket\":[256,", CUZK_ERR_FORMAT, "ticket[0]"},
    {"", "\"_h\":null", "\"_h\":nul", CUZK_ERR_FORMAT, "no JSON value"},
};

static void test_changes(void **state)
{
    (void)state;
    cuzk_fil_proof proof = vanilla_proof_of(&vanilla_files[VANILLA_C1]);
    char *text = (char *)test_read_data("filecoin/model-2kib-c1.json", NULL);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        char *changed = replace(text, changes[i].after, changes[i].old, changes[i].new);
        cuzk_porep_vanilla c1;
        assert_refused(cuzk_c1_read(&c1, &arena, &proof, changed, strlen(changed), "c1", &err),
                       changes[i].status, changes[i].message);
        free(changed);
        cuzk_arena_release(&arena);
    }
    free(text);
}

/* Values of all ones are no field elements, wherever they stand; seed and ticket may be. */
static void test_field_elements(void **state)
{
    (void)state;
    static const char *const large =
        "[255,255,255,255,255,255,255,255,255,255,255,255,255,255,255,255,255,255,255,255,255,255,"
        "255,255,255,255,255,255,255,255,255,255]";
    cuzk_fil_proof proof = vanilla_proof_of(&vanilla_files[VANILLA_C1]);
    char *text = (char *)test_read_data("filecoin/model-2kib-c1.json", NULL);
    static const char *const refused[] = {
        "\"root\":",   "\"leaf\":",       "\"hashes\":[",  "\"rows\":[",
        "\"comm_r\":", "\"replica_id\":", "\"parents\":[", "\"comm_d\":"};
    static const char *const taken[] = {"\"seed\":", "\"ticket\":"};
    for (size_t i = 0; i < 10; i++) {
        const char *after = i < 8 ? refused[i] : taken[i - 8];
        const char *at = strstr(text, after) + strlen(after);
        char *changed = malloc(strlen(text) + 200);
        assert_non_null(changed);
        sprintf(changed, "%.*s%s%s", (int)(at - text), text, large, strchr(at, ']') + 1);
        cuzk_porep_vanilla c1;
        cuzk_status status =
            cuzk_c1_read(&c1, &arena, &proof, changed, strlen(changed), "c1", &err);
        assert_int_equal(status, i < 8 ? CUZK_ERR_FORMAT : CUZK_OK);
        if (i < 8)
            assert_non_null(strstr(err.message, "not below r"));
        free(changed);
        cuzk_arena_release(&arena);
    }
    free(text);
}

static void test_wrapper_changes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"{}", "member \"Phase1Out\" is missing"},
        {"{\"Phase1Out\":\"e30\"}", "found 3 characters of base64, expected a multiple of 4"},
        {"{\"Phase1Out\":\"e3==e30=\"}", "not standard base64"},
        {"{\"Phase1Out\":\"e3 0\"}", "not standard base64"},
        {"{\"Phase1Out\":\"    e30=\"}", "not standard base64"},
        {"{\"Phase1Out\":\"e30=    \"}", "not standard base64"},
        {"{\"Phase1Out\":\"e30\\n\"}", "base64"},
        {"{\"Phase1Out\":\"e30=\"}",
         "wrapper: Phase1Out (byte 2): member \"registered_proof\" is missing"},
        {"{\"Phase1Out\":\"\"}", "wrapper: Phase1Out (byte 0): the text ends"},
        {"{\"Phase1Out\":1}", "found '1', expected '\"'"},
        {"{\"Phase1Out\":\"e30=", "the text ends inside a string"},
    };
    cuzk_fil_proof proof = vanilla_proof_of(&vanilla_files[VANILLA_C1]);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cuzk_porep_vanilla c1;
        assert_refused(cuzk_c1_read_wrapper(&c1, &arena, &proof, cases[i].text,
                                            strlen(cases[i].text), "wrapper", &err),
                       CUZK_ERR_FORMAT, cases[i].message);
    }
    cuzk_arena_release(&arena);
}

static char *wrap(const char *text, size_t size, size_t *wrapped)
{
    static const char head[] = "{\"SectorNum\":1,\"Phase1Out\":\"", tail[] = "\",\"SectorSize\":1}";
    char *out = malloc(size / 3 * 4 + 100);
    assert_non_null(out);
    memcpy(out, head, sizeof head);
    size_t n = sizeof head - 1;
    n += (size_t)EVP_EncodeBlock((unsigned char *)out + n, (const unsigned char *)text, (int)size);
    memcpy(out + n, tail, sizeof tail);
    *wrapped = n + sizeof tail - 1;
    return out;
}

/* Which proof it is, wherever it is said. */
static void test_registered(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
        unsigned id;
    } cases[] = {
        {"{\"registered_proof\":\"StackedDrg32GiBV1_1\",", NULL, 8},
        {"{\"vanilla_proofs\":[1,{}],\"registered_proof\":"
         "\"StackedDrg64GiBV1_2_Feat_NonInteractivePoRep\"}",
         NULL, 19},
        {"{\"registered_proof\":\"StackedDrg32GiBV2\"}",
         "wrapper: Phase1Out.registered_proof (byte 39): found \"StackedDrg32GiBV2\", expected a "
         "registered seal proof",
         0},
        {"{\"vanilla_proofs\":[]}", "member \"registered_proof\" is missing", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t size = 0;
        unsigned id = 99;
        char *wrapped = wrap(cases[i].text, strlen(cases[i].text), &size);
        if (cases[i].message == NULL) {
            assert_ok(cuzk_c1_registered_wrapper(&id, wrapped, size, "wrapper", &err));
            assert_int_equal(id, cases[i].id);
        } else {
            assert_refused(cuzk_c1_registered_wrapper(&id, wrapped, size, "wrapper", &err),
                           CUZK_ERR_FORMAT, cases[i].message);
        }
        free(wrapped);
    }
}

/* --- as large as a 32 GiB one, from the model's values --- */

typedef struct writer {
    char *text;
    size_t n, room;
} writer;

static void put(writer *out, const char *text)
{
    size_t n = strlen(text);
    if (out->n + n + 1 > out->room) {
        out->room = 2 * (out->n + n + 1);
        out->text = realloc(out->text, out->room);
        assert_non_null(out->text);
    }
    memcpy(out->text + out->n, text, n + 1);
    out->n += n;
}

static void put_number(writer *out, const char *name, size_t value)
{
    char text[64];
    snprintf(text, sizeof text, "\"%s\":%zu", name, value);
    put(out, text);
}

static void put_value(writer *out, test_rng *rng)
{
    char text[160] = "[";
    for (size_t i = 0; i < 32; i++)
        sprintf(text + strlen(text), "%s%u", i > 0 ? "," : "",
                (unsigned)test_rng_below(rng, i < 31 ? 256 : 0x73));
    put(out, text);
    put(out, "]");
}

static void put_values(writer *out, test_rng *rng, const char *name, size_t n)
{
    put(out, "\"");
    put(out, name);
    put(out, "\":[");
    for (size_t i = 0; i < n; i++) {
        put(out, i > 0 ? "," : "");
        put_value(out, rng);
    }
    put(out, "]");
}

/* All labels are the same, so that what is hashed follows from them. */
static void put_labels(writer *out, const char *name, size_t n)
{
    put(out, "\"");
    put(out, name);
    put(out, "\":[");
    for (size_t i = 0; i < n; i++) {
        put(out, i > 0 ? ",[" : "[");
        for (int byte = 0; byte < 32; byte++)
            put(out, byte == 0 ? "201" : byte < 31 ? ",213" : ",77]");
    }
    put(out, "]");
}

static void put_levels(writer *out, test_rng *rng, const char *name, size_t n, size_t arity)
{
    put(out, "\"");
    put(out, name);
    put(out, "\":{\"path\":[");
    for (size_t i = 0; i < n; i++) {
        put(out, i > 0 ? ",{" : "{");
        put_values(out, rng, "hashes", arity - 1);
        put(out, ",");
        put_number(out, "index", test_rng_below(rng, arity));
        put(out, "}");
    }
    put(out, "]}");
}

static void put_ends(writer *out, test_rng *rng)
{
    put(out, "\"root\":");
    put_value(out, rng);
    put(out, ",\"leaf\":");
    put_value(out, rng);
}

static void put_path(writer *out, test_rng *rng, const cuzk_tree_shape *shape)
{
    put(out, shape->sub == 0 ? "{\"data\":{\"Single\":{" : "{\"data\":{\"Sub\":{");
    if (shape->sub == 0) {
        put_ends(out, rng);
        put(out, ",");
        put_levels(out, rng, "path", shape->base_levels, shape->base);
    } else {
        put_levels(out, rng, "base_proof", shape->base_levels, shape->base);
        put(out, ",");
        put_levels(out, rng, "sub_proof", 1, shape->sub);
        put(out, ",");
        put_ends(out, rng);
    }
    put(out, "}}}");
}

static void put_column(writer *out, test_rng *rng, const cuzk_fil_proof *proof)
{
    put(out, "{\"column\":{\"index\":4000000000,");
    put_labels(out, "rows", proof->layers);
    put(out, ",\"_h\":null},\"inclusion_proof\":");
    put_path(out, rng, &proof->tree);
    put(out, "}");
}

static void put_columns(writer *out, test_rng *rng, const cuzk_fil_proof *proof, const char *name,
                        size_t n)
{
    put(out, name);
    for (size_t i = 0; i < n; i++) {
        put(out, i > 0 ? "," : "");
        put_column(out, rng, proof);
    }
    put(out, "]");
}

static void put_labeling(writer *out, size_t layer)
{
    put(out, "{");
    put_labels(out, "parents", 37);
    put(out, ",");
    put_number(out, "layer_index", layer);
    put(out, ",\"node\":1073741823}");
}

static void put_challenge(writer *out, test_rng *rng, const cuzk_fil_proof *proof)
{
    put(out, "{\"comm_d_proofs\":");
    put_path(out, rng, &proof->data);
    put(out, ",\"comm_r_last_proof\":");
    put_path(out, rng, &proof->tree);
    put(out, ",\"replica_column_proofs\":{\"c_x\":");
    put_column(out, rng, proof);
    put_columns(out, rng, proof, ",\"drg_parents\":[", CUZK_DRG_PARENTS);
    put_columns(out, rng, proof, ",\"exp_parents\":[", CUZK_EXP_PARENTS);
    put(out, "},\"labeling_proofs\":[");
    for (size_t layer = 1; layer <= proof->layers; layer++) {
        put(out, layer > 1 ? "," : "");
        put_labeling(out, layer);
    }
    put(out, "],\"encoding_proof\":");
    put_labeling(out, proof->layers);
    put(out, "}");
}

static char *write_large(const cuzk_fil_proof *proof, size_t *size)
{
    writer out = {0};
    test_rng rng = test_rng_seeded(1);
    put(&out, "{\"registered_proof\":\"");
    put(&out, proof->name);
    put(&out, "\",\"vanilla_proofs\":{\"StackedDrg32GiBV1\":[");
    for (size_t k = 0; k < proof->partitions; k++) {
        put(&out, k > 0 ? ",[" : "[");
        for (size_t i = 0; i < proof->challenges; i++) {
            put(&out, i > 0 ? "," : "");
            put_challenge(&out, &rng, proof);
        }
        put(&out, "]");
    }
    static const char *const last[] = {
        "]},\"comm_r\":", ",\"comm_d\":", ",\"replica_id\":", ",\"seed\":", ",\"ticket\":"};
    for (size_t i = 0; i < 5; i++) {
        put(&out, last[i]);
        put_value(&out, &rng);
    }
    put(&out, "}");
    *size = out.n;
    return out.text;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static long peak_kib(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static void time_large(const cuzk_fil_proof *proof, const char *text, size_t size, int wrapped)
{
    cuzk_porep_vanilla c1;
    long before = peak_kib();
    double start = seconds();
    assert_ok(wrapped ? cuzk_c1_read_wrapper(&c1, &arena, proof, text, size, "large", &err)
                      : cuzk_c1_read(&c1, &arena, proof, text, size, "large", &err));
    print_message("%s: %.1f MB in %.3f s of processor time; result %.1f MB, peak of the process "
                  "grown by %.1f MB\n",
                  wrapped ? "wrapper" : "plain", (double)size / 1e6, seconds() - start,
                  (double)arena.size / 1e6, (double)(peak_kib() - before) / 1e3);
    assert_int_equal(c1.partition[9].challenge[17].node, 1073741823);
    cuzk_arena_release(&arena);
}

static void test_large(void **state)
{
    (void)state;
    cuzk_fil_proof proof;
    size_t size = 0, wrapped_size = 0;
    assert_ok(cuzk_fil_proof_get(&proof, CUZK_FIL_POREP, 8, &err));
    char *text = write_large(&proof, &size);
    char *wrapped = wrap(text, size, &wrapped_size);
    time_large(&proof, text, size, 0);
    time_large(&proof, wrapped, wrapped_size, 1);
    free(text);
    free(wrapped);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_model),          cmocka_unit_test(test_sub),
        cmocka_unit_test(test_written),        cmocka_unit_test(test_changes),
        cmocka_unit_test(test_field_elements), cmocka_unit_test(test_wrapper_changes),
        cmocka_unit_test(test_registered),     cmocka_unit_test(test_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
