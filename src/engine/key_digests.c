#define _GNU_SOURCE
#include "engine/key_digests.h"

#include "base/digest.h"
#include "base/map.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUFFIX ".zkey"

typedef struct entry {
    uint8_t digest[CUZK_SHA256_BYTES];
    char *name; /* of the key: without the suffix */
    size_t line;
} entry;

struct cuzk_key_digests {
    char *path;
    entry *entries;
    size_t n;
};

static int digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Reads 64 digits; false: that is not what is there. */
static bool read_digest(uint8_t digest[CUZK_SHA256_BYTES], const char *text)
{
    for (size_t i = 0; i < CUZK_SHA256_BYTES; i++) {
        const int high = digit(text[2 * i]);
        const int low = high < 0 ? -1 : digit(text[2 * i + 1]);
        if (low < 0)
            return false;
        digest[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

/* The key's name after the digest, or NULL. Cuts the line where it ends. */
static char *find_name(char *text)
{
    const size_t spaces = strspn(text, " \t");
    char *name = text + spaces;
    name += *name == '*';
    name += strncmp(name, "./", 2) == 0 ? 2 : 0;
    const size_t length = strlen(name), suffix = strlen(SUFFIX);
    if (spaces == 0 || length <= suffix || strcmp(name + length - suffix, SUFFIX) != 0)
        return NULL;
    name[length - suffix] = '\0';
    return name;
}

static const entry *find(const cuzk_key_digests *digests, const char *name)
{
    for (size_t i = 0; i < digests->n; i++)
        if (strcmp(digests->entries[i].name, name) == 0)
            return &digests->entries[i];
    return NULL;
}

static cuzk_status add(cuzk_key_digests *digests, const char *name, const uint8_t *digest,
                       size_t line, cuzk_error *err)
{
    const entry *there = find(digests, name);
    if (there != NULL)
        return cuzk_fail(err, CUZK_ERR_FORMAT, "%s:%zu: %s" SUFFIX " is on line %zu already",
                         digests->path, line, name, there->line);
    entry *grown = realloc(digests->entries, (digests->n + 1) * sizeof *grown);
    char *copy = grown == NULL ? NULL : strdup(name);
    if (grown != NULL)
        digests->entries = grown;
    if (copy == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory to read it", digests->path);
    entry *made = &grown[digests->n++];
    *made = (entry){.name = copy, .line = line};
    memcpy(made->digest, digest, sizeof made->digest);
    return CUZK_OK;
}

static cuzk_status take_line(cuzk_key_digests *digests, char *text, size_t line, cuzk_error *err)
{
    uint8_t digest[CUZK_SHA256_BYTES];
    text[strcspn(text, "\r\n")] = '\0';
    if (text[strspn(text, " \t")] == '\0')
        return CUZK_OK;
    char *name = strlen(text) > 64 && read_digest(digest, text) ? find_name(text + 64) : NULL;
    if (name == NULL)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s:%zu: expected 64 hexadecimal digits, spaces and the name of a " SUFFIX
                         " file, as sha256sum writes them",
                         digests->path, line);
    return add(digests, name, digest, line, err);
}

static cuzk_status read_lines(cuzk_key_digests *digests, FILE *file, cuzk_error *err)
{
    char *text = NULL;
    size_t room = 0;
    cuzk_status status = CUZK_OK;
    for (size_t line = 1; status == CUZK_OK && getline(&text, &room, file) >= 0; line++)
        status = take_line(digests, text, line, err);
    free(text);
    if (status == CUZK_OK && ferror(file) != 0)
        return cuzk_fail(err, CUZK_ERR_IO, "%s: cannot be read: %s", digests->path,
                         strerror(errno));
    return status;
}

cuzk_status cuzk_key_digests_read(cuzk_key_digests **digests, const char *path, cuzk_error *err)
{
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return cuzk_fail(err, CUZK_ERR_IO, "%s: the list of keys' digests cannot be read: %s", path,
                         strerror(errno));
    cuzk_key_digests *made = calloc(1, sizeof *made);
    cuzk_status status;
    if (made == NULL || (made->path = strdup(path)) == NULL)
        status = cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory to read it", path);
    else
        status = read_lines(made, file, err);
    fclose(file);
    if (status != CUZK_OK) {
        cuzk_key_digests_free(made);
        return status;
    }
    *digests = made;
    return CUZK_OK;
}

void cuzk_key_digests_free(cuzk_key_digests *digests)
{
    if (digests == NULL)
        return;
    for (size_t i = 0; i < digests->n; i++)
        free(digests->entries[i].name);
    free(digests->entries);
    free(digests->path);
    free(digests);
}

/* --- checking --- */

static void write_digest(char text[65], const uint8_t digest[CUZK_SHA256_BYTES])
{
    for (size_t i = 0; i < CUZK_SHA256_BYTES; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
}

static cuzk_status digest_file(uint8_t out[CUZK_SHA256_BYTES], const char *path, cuzk_error *err)
{
    cuzk_map *map;
    cuzk_digest *digest;
    CUZK_TRY(cuzk_map_open(&map, path, err));
    cuzk_status status = cuzk_digest_new(&digest, CUZK_SHA256, err);
    if (status == CUZK_OK) {
        status = cuzk_digest_update(digest, cuzk_map_data(map), cuzk_map_size(map), err);
        if (status == CUZK_OK)
            status = cuzk_digest_finish(digest, out, err);
        cuzk_digest_free(digest);
    }
    if (status == CUZK_OK)
        status = cuzk_map_check(map, err);
    cuzk_map_close(map);
    return status;
}

cuzk_status cuzk_key_digests_check(const cuzk_key_digests *digests, const char *name,
                                   const char *path, const uint8_t found[32], cuzk_error *err)
{
    const entry *expected = find(digests, name);
    uint8_t computed[CUZK_SHA256_BYTES];
    if (found == NULL) {
        cuzk_error ignored = {0};
        if (digest_file(computed, path, &ignored) != CUZK_OK)
            return err->status; /* what is wrong with it is said already */
        found = computed;
    }
    if (expected != NULL && memcmp(found, expected->digest, CUZK_SHA256_BYTES) == 0)
        return found == computed ? err->status : CUZK_OK;
    char is[65], should[65];
    write_digest(is, found);
    if (expected == NULL)
        return cuzk_fail(err, CUZK_ERR_MISMATCH,
                         "%s: its SHA-256 is %s; the list %s has none for it: check where the file "
                         "comes from, then add a line",
                         path, is, digests->path);
    write_digest(should, expected->digest);
    return cuzk_fail(err, CUZK_ERR_MISMATCH,
                     "%s: its SHA-256 is %s, expected %s (%s:%zu): it is damaged or another file; "
                     "fetch it again",
                     path, is, should, digests->path, expected->line);
}
