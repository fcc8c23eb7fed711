/* Damaged files: whatever is changed, cut or moved, a reader says so or the result is still right;
 * nothing crashes and no false proof is ever returned. */
#include "support/fixtures.h"

#include "iden3/ptau.h"

#include <fcntl.h>
#include <sys/stat.h>

static cuzk_pool *pool;

/* Bytes of a file under test, and how to read them with the reader in question. */
typedef cuzk_status reader(const cuzk_map *map, cuzk_error *err);

static cuzk_status read_r1cs(const cuzk_map *map, cuzk_error *err)
{
    cuzk_r1cs cs;
    cuzk_status status = cuzk_r1cs_read(&cs, map, err);
    if (status == CUZK_OK)
        cuzk_r1cs_release(&cs);
    return status;
}

static cuzk_status read_wtns(const cuzk_map *map, cuzk_error *err)
{
    cuzk_wtns witness;
    cuzk_status status = cuzk_wtns_read(&witness, map, err);
    if (status == CUZK_OK)
        cuzk_wtns_release(&witness);
    return status;
}

static cuzk_status read_zkey(const cuzk_map *map, cuzk_error *err)
{
    cuzk_pk *pk = NULL;
    cuzk_status status = cuzk_zkey_open(&pk, map, 0, NULL, pool, err);
    if (status == CUZK_OK)
        cuzk_pk_free(pk);
    return status;
}

static cuzk_status read_ptau(const cuzk_map *map, cuzk_error *err)
{
    cuzk_ptau_info info;
    return cuzk_ptau_info_read(&info, map, err);
}

static const struct subject {
    const char *what, *data;
    reader *read;
    uint32_t header_section; /* the one with the counts */
} subjects[] = {
    {"r1cs", "circom/multiplier-bn128/circuit.r1cs", read_r1cs, 1},
    {"wtns", "circom/multiplier-bn128/witness.wtns", read_wtns, 1},
    {"zkey", "circom/multiplier-bn128/circuit.zkey", read_zkey, 2},
    {"zkey", "circom/nopublic-bls12381/circuit.zkey", read_zkey, 2},
    {"ptau", "circom/ptau/bn128-5-contributed.ptau", read_ptau, 1},
};
#define N_SUBJECTS (sizeof subjects / sizeof subjects[0])

/* Reads size bytes at data, copied so that a sanitizer sees a read past the end. */
static cuzk_status read_bytes(reader *read, const uint8_t *data, size_t size, cuzk_error *err)
{
    uint8_t *exact = malloc(size > 0 ? size : 1);
    cuzk_map *map = NULL;
    memcpy(exact, data, size);
    assert_int_equal(cuzk_map_borrow(&map, exact, size, "damaged", err), CUZK_OK);
    cuzk_status status = read(map, err);
    cuzk_map_close(map);
    free(exact);
    return status;
}

static void truncations_are_refused(void **state)
{
    (void)state;
    cuzk_error err;
    for (size_t i = 0; i < N_SUBJECTS; i++) {
        size_t size = 0;
        uint8_t *data = test_read_data(subjects[i].data, &size);
        assert_ok(read_bytes(subjects[i].read, data, size, &err));
        for (size_t cut = 0; cut < size; cut++) {
            memset(&err, 0, sizeof err);
            cuzk_status status = read_bytes(subjects[i].read, data, cut, &err);
            if (status != CUZK_ERR_FORMAT || strstr(err.message, "damaged") == NULL)
                fail_msg("%s cut to %zu of %zu: %s, \"%s\"", subjects[i].data, cut, size,
                         cuzk_status_name(status), err.message);
        }
        free(data);
    }
}

static void extra_bytes_are_refused(void **state)
{
    (void)state;
    cuzk_error err;
    for (size_t i = 0; i < N_SUBJECTS; i++) {
        size_t size = 0;
        uint8_t *data = test_read_data(subjects[i].data, &size);
        for (size_t extra = 1; extra <= 16; extra += 5) {
            uint8_t *longer = calloc(1, size + extra);
            memcpy(longer, data, size);
            assert_refused(read_bytes(subjects[i].read, longer, size + extra, &err),
                           CUZK_ERR_FORMAT, "after the last");
            free(longer);
        }
        free(data);
    }
}

/* A container taken apart. */
struct parts {
    uint8_t *data;
    size_t size, n;
    struct {
        size_t at, size; /* of the section, header included */
        uint32_t id;
    } sections[16];
};

static struct parts take_apart(const char *name)
{
    struct parts parts = {0};
    parts.data = test_read_data(name, &parts.size);
    for (size_t at = 12; at < parts.size;) {
        uint64_t size;
        memcpy(&parts.sections[parts.n].id, parts.data + at, 4);
        memcpy(&size, parts.data + at + 4, 8);
        parts.sections[parts.n].at = at;
        parts.sections[parts.n].size = (size_t)size + 12;
        at += (size_t)size + 12;
        parts.n++;
    }
    return parts;
}

/* The file with the given sections, in the order given. */
static uint8_t *assemble(const struct parts *parts, const size_t *order, size_t n, size_t *size)
{
    uint8_t *out = malloc(2 * parts->size);
    memcpy(out, parts->data, 12);
    out[8] = (uint8_t)n;
    *size = 12;
    for (size_t i = 0; i < n; i++) {
        memcpy(out + *size, parts->data + parts->sections[order[i]].at,
               parts->sections[order[i]].size);
        *size += parts->sections[order[i]].size;
    }
    return out;
}

static void sections_in_any_order_load(void **state)
{
    (void)state;
    cuzk_error err;
    test_rng rng = test_rng_seeded(1);
    for (size_t i = 0; i < N_SUBJECTS; i++) {
        struct parts parts = take_apart(subjects[i].data);
        for (int round = 0; round < 20; round++) {
            size_t order[16], size = 0;
            for (size_t k = 0; k < parts.n; k++)
                order[k] = k;
            for (size_t k = parts.n; k > 1; k--) {
                size_t other = (size_t)test_rng_below(&rng, k), kept = order[k - 1];
                order[k - 1] = order[other];
                order[other] = kept;
            }
            uint8_t *shuffled = assemble(&parts, order, parts.n, &size);
            assert_int_equal(size, parts.size);
            assert_ok(read_bytes(subjects[i].read, shuffled, size, &err));
            free(shuffled);
        }
        free(parts.data);
    }
}

/* The label map of an r1cs and the contributions of a zkey are not needed for proving. */
static bool is_optional(const struct subject *subject, uint32_t id)
{
    return (strcmp(subject->what, "r1cs") == 0 && id == 3) ||
           (strcmp(subject->what, "zkey") == 0 && id == 10);
}

static void missing_and_doubled_sections_are_refused(void **state)
{
    (void)state;
    cuzk_error err;
    for (size_t i = 0; i < N_SUBJECTS; i++) {
        struct parts parts = take_apart(subjects[i].data);
        for (size_t k = 0; k < parts.n; k++) {
            size_t order[17], n = 0, size = 0;
            for (size_t j = 0; j < parts.n; j++)
                if (j != k)
                    order[n++] = j;
            uint8_t *without = assemble(&parts, order, n, &size);
            cuzk_status status = read_bytes(subjects[i].read, without, size, &err);
            free(without);
            bool unprepared = strcmp(subjects[i].what, "ptau") == 0 && parts.sections[k].id == 12;
            if (is_optional(&subjects[i], parts.sections[k].id) || unprepared)
                assert_int_equal(status, CUZK_OK);
            else
                assert_int_equal(status, CUZK_ERR_FORMAT);

            for (size_t j = 0; j < parts.n; j++)
                order[j] = j;
            order[parts.n] = k;
            uint8_t *doubled = assemble(&parts, order, parts.n + 1, &size);
            assert_refused(read_bytes(subjects[i].read, doubled, size, &err), CUZK_ERR_FORMAT,
                           "is there twice");
            free(doubled);
        }
        free(parts.data);
    }
}

static const uint64_t extremes[] = {0,
                                    1,
                                    UINT32_MAX - 1,
                                    UINT32_MAX,
                                    (uint64_t)1 << 32,
                                    (uint64_t)1 << 40,
                                    INT64_MAX,
                                    UINT64_MAX - 44,
                                    UINT64_MAX - 12,
                                    UINT64_MAX - 1,
                                    UINT64_MAX};
#define N_EXTREMES (sizeof extremes / sizeof extremes[0])

/* Every section's size, off by one and with values beyond 4 GiB and beyond the file. */
static void section_sizes_are_checked(void **state)
{
    (void)state;
    cuzk_error err;
    for (size_t i = 0; i < N_SUBJECTS; i++) {
        struct parts parts = take_apart(subjects[i].data);
        for (size_t k = 0; k < parts.n; k++) {
            uint8_t *field = parts.data + parts.sections[k].at + 4;
            uint64_t good;
            memcpy(&good, field, 8);
            for (size_t e = 0; e < N_EXTREMES + 2; e++) {
                uint64_t bad = e < N_EXTREMES ? extremes[e] : e == N_EXTREMES ? good - 1 : good + 1;
                memcpy(field, &bad, 8);
                cuzk_status status = read_bytes(subjects[i].read, parts.data, parts.size, &err);
                assert_true(bad == good || status == CUZK_ERR_FORMAT);
            }
            memcpy(field, &good, 8);
        }
        free(parts.data);
    }
}

/* All four-byte fields of the file header and of the header section; returns how many changes
 * passed. */
static size_t change_header_fields(const struct subject *subject, struct parts *parts, size_t begin,
                                   size_t end)
{
    size_t passed = 0;
    for (size_t at = begin; at + 4 <= end; at += 4) {
        uint32_t good;
        memcpy(&good, parts->data + at, 4);
        const uint32_t values[] = {good - 1, good + 1, 0, 1, 0x7fffffff, 0x80000000, UINT32_MAX};
        for (size_t v = 0; v < sizeof values / sizeof values[0]; v++) {
            cuzk_error err;
            memcpy(parts->data + at, &values[v], 4);
            cuzk_status status = read_bytes(subject->read, parts->data, parts->size, &err);
            passed += status == CUZK_OK && values[v] != good;
        }
        memcpy(parts->data + at, &good, 4);
    }
    return passed;
}

static void header_fields_are_checked(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_SUBJECTS; i++) {
        struct parts parts = take_apart(subjects[i].data);
        size_t begin = 0, end = 0;
        for (size_t k = 0; k < parts.n; k++)
            if (parts.sections[k].id == subjects[i].header_section) {
                begin = parts.sections[k].at + 12;
                end = begin + parts.sections[k].size - 12;
            }
        /* Magic, version (an older one passes for wtns), number of sections. */
        size_t passed = change_header_fields(&subjects[i], &parts, 0, 12);
        assert_int_equal(passed, strcmp(subjects[i].what, "wtns") == 0 ? 2 : 0);
        /* In an r1cs the outputs and inputs may trade places, and neither the private inputs nor
         * the labels are tied to anything; a ptau may come from a larger ceremony. In a zkey
         * nothing passes: whatever is changed is a count or part of a point. */
        passed = change_header_fields(&subjects[i], &parts, begin, end);
        if (strcmp(subjects[i].what, "zkey") == 0 || strcmp(subjects[i].what, "wtns") == 0)
            assert_int_equal(passed, 0);
        else
            assert_true(passed > 0);
        free(parts.data);
    }
}

/* Where the record of the ceremony (section 10) stands in that key: it is not used for proving, and
 * the many keys that differ there only are not all tried. */
#define HISTORY_AT 2512

/* Each byte of a key flipped: refused when loaded, or no proof, or a proof that is good. */
static void flipped_bytes_never_give_a_false_proof(void **state)
{
    (void)state;
    cuzk_error err;
    const char *name = "circom/multiplier-bn128/circuit.zkey";
    size_t size = 0, refused = 0, unused = 0, unproved = 0, proved = 0;
    uint8_t *data = test_read_data(name, &size);
    cuzk_map *wtns = open_data("circom/multiplier-bn128/witness.wtns");
    cuzk_wtns witness;
    cuzk_vk vk;
    read_fixture_vk(&vk, "circom/multiplier-bn128/verification_key.json");
    assert_ok(cuzk_wtns_read(&witness, wtns, &err));
    cuzk_assignment assignment = {.z = witness.z, .n = witness.n, .name = "witness"};
    for (size_t at = 0; at < size; at++) {
        cuzk_map *map = NULL;
        cuzk_pk *pk = NULL;
        cuzk_proof proof;
        data[at] ^= (uint8_t)(1u << at % 8);
        assert_ok(cuzk_map_borrow(&map, data, size, "flipped.zkey", &err));
        if (cuzk_zkey_open(&pk, map, 0, NULL, NULL, &err) != CUZK_OK) {
            refused++;
        } else if (at >= HISTORY_AT && at % 16 != 0) {
            unused++;
        } else if (cuzk_prove(pk, &assignment, &proof, NULL, &err) != CUZK_OK) {
            unproved++;
        } else {
            assert_ok(verify_once(&vk, witness.z + 1, &proof, &err));
            proved++;
        }
        cuzk_pk_free(pk);
        cuzk_map_close(map);
        data[at] ^= (uint8_t)(1u << at % 8);
    }
    print_message("%zu bytes flipped: %zu refused, %zu made no proof, %zu made a good one\n", size,
                  refused, unproved, proved);
    /* What may change without harm is the record of the ceremony, and nothing else. */
    assert_true(proved > 0 && proved + unused <= size - HISTORY_AT);
    assert_true(refused > size / 2);
    cuzk_vk_release(&vk);
    cuzk_wtns_release(&witness);
    cuzk_map_close(wtns);
    free(data);
}

/* Entries of section 4 in any order make the same key: the golden proof stays. */
static void coefficients_in_any_order_load(void **state)
{
    (void)state;
    cuzk_error err;
    test_rng rng = test_rng_seeded(2);
    const cuzk_scalar r = {{7, 0, 0, 0}}, s = {{11, 0, 0, 0}};
    struct parts parts = take_apart("circom/chain30-bn128/circuit.zkey");
    char *golden = read_golden(find_fixture("chain30-bn128"));
    cuzk_map *wtns = open_data("circom/chain30-bn128/witness.wtns"), *map = NULL;
    cuzk_wtns witness;
    cuzk_proof proof;
    cuzk_pk *pk = NULL;
    char *text = NULL;
    for (size_t k = 0; k < parts.n; k++) {
        if (parts.sections[k].id != 4)
            continue;
        uint8_t *entries = parts.data + parts.sections[k].at + 16;
        size_t n = (parts.sections[k].size - 16) / 44;
        for (size_t left = n; left > 1; left--) {
            uint8_t kept[44];
            uint8_t *last = entries + 44 * (left - 1);
            uint8_t *other = entries + 44 * (size_t)test_rng_below(&rng, left);
            memcpy(kept, last, 44);
            memmove(last, other, 44);
            memcpy(other, kept, 44);
        }
    }
    assert_ok(cuzk_map_borrow(&map, parts.data, parts.size, "shuffled.zkey", &err));
    assert_ok(cuzk_zkey_open(&pk, map, 0, NULL, pool, &err));
    assert_ok(cuzk_wtns_read(&witness, wtns, &err));
    cuzk_assignment assignment = {.z = witness.z, .n = witness.n, .name = "witness"};
    assert_ok(cuzk_prove_with_blinding(pk, &assignment, &r, &s, &proof, pool, &err));
    assert_ok(cuzk_json_write_proof(&text, &proof, pk->vk.curve, CUZK_JSON_SNARKJS, &err));
    assert_string_equal(text, golden);
    free(text);
    free(golden);
    cuzk_pk_free(pk);
    cuzk_wtns_release(&witness);
    cuzk_map_close(map);
    cuzk_map_close(wtns);
    free(parts.data);
}

/* Entries that point outside, and public rows that are not there. */
static void bad_coefficients_are_refused(void **state)
{
    (void)state;
    cuzk_error err;
    struct parts parts = take_apart("circom/multiplier-bn128/circuit.zkey");
    uint8_t *entries = NULL;
    for (size_t k = 0; k < parts.n; k++)
        if (parts.sections[k].id == 4)
            entries = parts.data + parts.sections[k].at + 16;
    assert_non_null(entries);
    const struct {
        size_t entry, field;
        uint8_t value;
        const char *text;
    } cases[] = {
        {0, 0, 2, "matrix 2, expected 0 (A) or 1 (B)"},
        {1, 4, 4, "row 4 is outside the domain of 4"},
        {1, 8, 4, "wire 4, but there are 4 variables"},
        {0, 43, 0xff, "the value is not below the prime"},
        {3, 8, 0, "lacks the row that binds public signal 1"},
        {2, 12, 1, "lacks the row that binds public signal 0"},
        {3, 0, 1, "lacks the row that binds public signal 1"},
        {3, 4, 3, "lacks the row that binds public signal 0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t *field = entries + 44 * cases[i].entry + cases[i].field, kept = *field;
        *field = cases[i].value;
        assert_refused(read_bytes(read_zkey, parts.data, parts.size, &err), CUZK_ERR_FORMAT,
                       cases[i].text);
        *field = kept;
    }
    free(parts.data);
}

/* A point of each section moved off the curve; infinity in the head. */
static void bad_points_are_refused(void **state)
{
    (void)state;
    cuzk_error err;
    struct parts parts = take_apart("circom/multiplier-bn128/circuit.zkey");
    for (size_t k = 0; k < parts.n; k++) {
        uint32_t id = parts.sections[k].id;
        uint8_t *payload = parts.data + parts.sections[k].at + 12;
        size_t size = parts.sections[k].size - 12;
        if (id == 2) {
            const struct {
                size_t at, bytes;
            } points[] = {{84, 64}, {148, 64}, {212, 128}, {340, 128}, {468, 64}, {532, 128}};
            for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
                uint8_t kept[128];
                memcpy(kept, payload + points[i].at, points[i].bytes);
                payload[points[i].at] ^= 1;
                assert_refused(read_bytes(read_zkey, parts.data, parts.size, &err), CUZK_ERR_FORMAT,
                               "not on the curve");
                memset(payload + points[i].at, 0, points[i].bytes);
                cuzk_status status = read_bytes(read_zkey, parts.data, parts.size, &err);
                assert_true(status != CUZK_OK);
                memcpy(payload + points[i].at, kept, points[i].bytes);
            }
        } else if (id == 3 || (id >= 5 && id <= 9)) {
            payload[size - 1] ^=
                1; /* of the last point, which is finite in this key but for B1, B2 */
            cuzk_status status = read_bytes(read_zkey, parts.data, parts.size, &err);
            if (status != CUZK_ERR_FORMAT)
                fail_msg("section %u: %s", id, cuzk_status_name(status));
            payload[size - 1] ^= 1;
        }
    }
    free(parts.data);
}

/* A file whose header promises more than 4 GiB, and one that has them (sparse: nothing is stored).
 */
static void beyond_4_gib(void **state)
{
    (void)state;
    cuzk_error err;
    char *path = test_write_temp("", 0);
    int fd = open(path, O_WRONLY);
    assert_true(fd >= 0);
    const uint64_t size = ((uint64_t)4 << 30) + 64;
    uint8_t head[24] = "zkey\1\0\0\0\1\0\0\0\x9\0\0\0";
    memcpy(head + 16, &size, 8);
    assert_int_equal(write(fd, head, sizeof head), sizeof head);
    cuzk_map *map = NULL;
    assert_ok(cuzk_map_open(&map, path, &err));
    assert_refused(read_zkey(map, &err), CUZK_ERR_FORMAT, "claims 4294967360 bytes");
    cuzk_map_close(map);

    if (ftruncate(fd, (off_t)(sizeof head + size)) == 0 &&
        cuzk_map_open(&map, path, &err) == CUZK_OK) {
        /* The container is sound now; what is missing is missed. */
        assert_refused(read_zkey(map, &err), CUZK_ERR_FORMAT, "section 1 (protocol) is missing");
        cuzk_map_close(map);
    }
    close(fd);
    unlink(path);
    free(path);
}

/* A mapped file (above 64 MiB) that is cut or rewritten while in use. */
static void change_under_the_map(bool cut)
{
    cuzk_error err;
    const fixture *f = find_fixture("chain5-bn128");
    size_t size = 0;
    uint8_t *data = test_read_data(fixture_file(f, "circuit.r1cs"), &size);
    char *path = test_write_temp(data, size);
    /* One more section, of an unknown kind and 80 MiB, makes it large enough to be mapped. */
    const uint64_t padding = (uint64_t)80 << 20;
    uint8_t extra[12] = {99};
    memcpy(extra + 4, &padding, 8);
    int fd = open(path, O_RDWR);
    data[8]++;
    assert_int_equal(pwrite(fd, data, 12, 0), 12);
    assert_int_equal(pwrite(fd, extra, 12, (off_t)size), 12);
    assert_int_equal(ftruncate(fd, (off_t)(size + 12 + padding)), 0);

    cuzk_map *map = NULL;
    cuzk_r1cs cs;
    assert_ok(cuzk_map_open(&map, path, &err));
    assert_ok(cuzk_r1cs_read(&cs, map, &err));
    cuzk_r1cs_release(&cs);
    if (cut) {
        assert_int_equal(ftruncate(fd, 100), 0);
    } else {
        assert_int_equal(pwrite(fd, data, 12, 0), 12);
        const struct timespec times[2] = {{1, 0}, {1, 0}};
        assert_int_equal(futimens(fd, times), 0);
    }
    cuzk_status status = cuzk_r1cs_read(&cs, map, &err);
    assert_true(status == CUZK_ERR_IO || status == CUZK_ERR_FORMAT);
    if (!cut)
        assert_int_equal(status, CUZK_ERR_IO);
    cuzk_map_close(map);
    close(fd);
    unlink(path);
    free(path);
    free(data);
}

static void files_that_change_are_noticed(void **state)
{
    (void)state;
    change_under_the_map(true);
    change_under_the_map(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(truncations_are_refused),
        cmocka_unit_test(extra_bytes_are_refused),
        cmocka_unit_test(sections_in_any_order_load),
        cmocka_unit_test(missing_and_doubled_sections_are_refused),
        cmocka_unit_test(section_sizes_are_checked),
        cmocka_unit_test(header_fields_are_checked),
        cmocka_unit_test(flipped_bytes_never_give_a_false_proof),
        cmocka_unit_test(coefficients_in_any_order_load),
        cmocka_unit_test(bad_coefficients_are_refused),
        cmocka_unit_test(bad_points_are_refused),
        cmocka_unit_test(beyond_4_gib),
        cmocka_unit_test(files_that_change_are_noticed),
    };
    disable_cache();
    pool = cuzk_pool_new(2);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    cuzk_pool_free(pool);
    return failed;
}
