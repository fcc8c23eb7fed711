/* Compiled circuits as files: a head, then the sections as they are in memory (little-endian), each
 * at a multiple of 64 bytes. */
#include "base/digest.h"
#include "base/memory.h"
#include "base/outfile.h"
#include "circuit/compile_verify.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC   "cuzkcirc"
#define VERSION 1u

_Static_assert(sizeof(cuzk_template) == 60 && sizeof(cuzk_instance) == 28 &&
                   sizeof(cuzk_step) == 16 && sizeof(cuzk_counts) == 20,
               "the file's version goes with these layouts");

typedef struct file_section {
    uint64_t offset, n; /* n: elements */
    uint8_t digest[CUZK_SHA256_BYTES];
} file_section;

typedef struct file_head {
    char magic[8];
    uint32_t version, sections;
    uint8_t id[CUZK_CIRCUIT_ID_BYTES];
    file_section section[CUZK_SECTIONS];
    uint8_t digest[CUZK_SHA256_BYTES]; /* of all before it */
} file_head;

static cuzk_status digest_bytes(const void *data, size_t n, uint8_t out[CUZK_SHA256_BYTES],
                                cuzk_error *err)
{
    cuzk_digest *d;
    CUZK_TRY(cuzk_digest_new(&d, CUZK_SHA256, err));
    cuzk_status status = cuzk_digest_update(d, data, n, err);
    if (status == CUZK_OK)
        status = cuzk_digest_finish(d, out, err);
    cuzk_digest_free(d);
    return status;
}

static size_t section_bytes(const cuzk_compiled *c, int section)
{
    return c->section[section].n * cuzk_section_size[section];
}

static cuzk_status make_head(file_head *head, const cuzk_compiled *c,
                             const uint8_t id[CUZK_CIRCUIT_ID_BYTES], cuzk_error *err)
{
    uint64_t offset = cuzk_align_up(sizeof *head);
    memset(head, 0, sizeof *head);
    memcpy(head->magic, MAGIC, sizeof head->magic);
    head->version = VERSION;
    head->sections = CUZK_SECTIONS;
    memcpy(head->id, id, sizeof head->id);
    for (int i = 0; i < CUZK_SECTIONS; i++) {
        head->section[i].offset = offset;
        head->section[i].n = c->section[i].n;
        CUZK_TRY(
            digest_bytes(c->section[i].data, section_bytes(c, i), head->section[i].digest, err));
        offset += cuzk_align_up(section_bytes(c, i));
    }
    return digest_bytes(head, offsetof(file_head, digest), head->digest, err);
}

/* Writes n bytes and zeros up to a multiple of 64. */
static void write_padded(cuzk_outfile *file, const void *data, size_t n)
{
    static const uint8_t zeros[CUZK_ALIGNMENT];
    cuzk_outfile_write(file, data, n);
    cuzk_outfile_write(file, zeros, cuzk_align_up(n) - n);
}

cuzk_status cuzk_compiled_save(const cuzk_compiled *compiled,
                               const uint8_t id[CUZK_CIRCUIT_ID_BYTES], const char *path,
                               cuzk_error *err)
{
    file_head head;
    cuzk_outfile *file;
    CUZK_TRY(make_head(&head, compiled, id, err));
    CUZK_TRY(cuzk_outfile_open(&file, path, err));
    write_padded(file, &head, sizeof head);
    for (int i = 0; i < CUZK_SECTIONS; i++)
        write_padded(file, compiled->section[i].data, section_bytes(compiled, i));
    return cuzk_outfile_commit(file, err);
}

static cuzk_status check_head(const file_head *head, const char *path, cuzk_error *err)
{
    uint8_t digest[CUZK_SHA256_BYTES];
    if (memcmp(head->magic, MAGIC, sizeof head->magic) != 0)
        return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: not a compiled circuit", path);
    if (head->version != VERSION || head->sections != CUZK_SECTIONS)
        return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                         "%s: compiled circuit of version %u with %u sections; this program reads "
                         "version %u: compile it again",
                         path, head->version, head->sections, VERSION);
    CUZK_TRY(digest_bytes(head, offsetof(file_head, digest), digest, err));
    if (memcmp(digest, head->digest, sizeof digest) != 0)
        return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: the head's checksum does not hold", path);
    return CUZK_OK;
}

/* Points the sections into the map. */
static cuzk_status find_sections(cuzk_compiled *c, const file_head *head, cuzk_error *err)
{
    const char *path = cuzk_map_name(c->map);
    uint8_t digest[CUZK_SHA256_BYTES];
    uint64_t offset = cuzk_align_up(sizeof *head);
    const uint64_t size = cuzk_map_size(c->map);
    for (int i = 0; i < CUZK_SECTIONS; i++) {
        const file_section *s = &head->section[i];
        const uint64_t room = offset <= size ? size - offset : 0;
        if (s->offset != offset || s->n > room / cuzk_section_size[i])
            return cuzk_fail(err, CUZK_ERR_FORMAT,
                             "%s: section %d: %llu elements at %llu do not fit into %llu bytes",
                             path, i, (unsigned long long)s->n, (unsigned long long)s->offset,
                             (unsigned long long)size);
        c->section[i].n = s->n;
        c->section[i].data = (uint8_t *)(uintptr_t)(cuzk_map_data(c->map) + offset);
        CUZK_TRY(digest_bytes(c->section[i].data, section_bytes(c, i), digest, err));
        if (memcmp(digest, s->digest, sizeof digest) != 0)
            return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: section %d: the checksum does not hold",
                             path, i);
        offset += cuzk_align_up(section_bytes(c, i));
    }
    if (offset != size)
        return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: %llu bytes, expected %llu", path,
                         (unsigned long long)size, (unsigned long long)offset);
    cuzk_compiled_bind(c);
    return CUZK_OK;
}

static cuzk_status open_sections(cuzk_compiled *c, const char *name, const uint8_t *id,
                                 cuzk_error *err)
{
    const char *path = cuzk_map_name(c->map);
    file_head head;
    if (cuzk_map_size(c->map) < cuzk_align_up(sizeof head))
        return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: %zu bytes are no compiled circuit", path,
                         cuzk_map_size(c->map));
    memcpy(&head, cuzk_map_data(c->map), sizeof head);
    CUZK_TRY(check_head(&head, path, err));
    CUZK_TRY(find_sections(c, &head, err));
    CUZK_TRY(cuzk_compiled_verify(c, path, err));
    if ((name != NULL && strcmp(name, c->names) != 0) ||
        (id != NULL && memcmp(id, head.id, sizeof head.id) != 0))
        return cuzk_fail(err, CUZK_ERR_MISMATCH,
                         "%s: circuit %s, expected %s with these parameters: compile it again",
                         path, c->names, name != NULL ? name : "any");
    CUZK_TRY(cuzk_compiled_prepare(c, err));
    CUZK_TRY(cuzk_compiled_verify_kinds(c, path, err));
    return cuzk_map_check(c->map, err);
}

cuzk_status cuzk_compiled_open(cuzk_compiled **compiled, const char *path, const char *name,
                               const uint8_t id[CUZK_CIRCUIT_ID_BYTES], cuzk_error *err)
{
    cuzk_compiled *c = calloc(1, sizeof *c);
    *compiled = NULL;
    if (c == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory to open it", path);
    cuzk_status status = cuzk_map_open(&c->map, path, err);
    if (status != CUZK_OK) {
        free(c);
        return status;
    }
    status = open_sections(c, name, id, err);
    if (status == CUZK_OK)
        *compiled = c;
    else
        cuzk_compiled_free(c);
    return status;
}
