#include "iden3/binfile.h"

#include "base/bytes.h"

#include <inttypes.h>
#include <string.h>

#define FILE_HEADER_BYTES    12
#define SECTION_HEADER_BYTES 12

static const cuzk_section *find(const cuzk_binfile *file, uint32_t id)
{
    for (uint32_t i = 0; i < file->n_sections; i++)
        if (file->sections[i].id == id)
            return &file->sections[i];
    return NULL;
}

static cuzk_status read_file_header(cuzk_binfile *file, const char *magic, uint32_t max_version,
                                    cuzk_error *err)
{
    const char *name = cuzk_map_name(file->map);
    const uint8_t *data = cuzk_map_data(file->map);
    size_t size = cuzk_map_size(file->map);

    if (size < FILE_HEADER_BYTES)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: the file has %zu bytes, less than the 12 of a .%s header", name, size,
                         magic);
    if (memcmp(data, magic, 4) != 0)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: not a .%s file: it starts with bytes %02x %02x %02x %02x", name,
                         magic, data[0], data[1], data[2], data[3]);
    memcpy(file->magic, magic, 4);
    file->magic[4] = 0;
    file->version = cuzk_load_le32(data + 4);
    if (file->version == 0 || file->version > max_version)
        return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                         "%s: version %" PRIu32
                         " of the .%s format; this program reads 1 to %" PRIu32,
                         name, file->version, magic, max_version);
    file->n_sections = cuzk_load_le32(data + 8);
    if (file->n_sections > CUZK_BINFILE_MAX_SECTIONS)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: the header announces %" PRIu32
                         " sections; no .%s file has more than %d",
                         name, file->n_sections, magic, CUZK_BINFILE_MAX_SECTIONS);
    return CUZK_OK;
}

static cuzk_status read_section_header(cuzk_binfile *file, uint32_t index, uint64_t *at,
                                       cuzk_error *err)
{
    const char *name = cuzk_map_name(file->map);
    const uint8_t *data = cuzk_map_data(file->map);
    uint64_t size = cuzk_map_size(file->map);
    cuzk_section *section = &file->sections[index];

    if (size - *at < SECTION_HEADER_BYTES)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: truncated: the header announces %" PRIu32
                         " sections, the file ends at offset %" PRIu64
                         " before section number %" PRIu32,
                         name, file->n_sections, size, index + 1);
    section->id = cuzk_load_le32(data + *at);
    section->size = cuzk_load_le64(data + *at + 4);
    section->offset = *at + SECTION_HEADER_BYTES;
    if (section->size > size - section->offset)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: truncated: section %" PRIu32 " at offset %" PRIu64 " claims %" PRIu64
                         " bytes, the file has %" PRIu64 " more",
                         name, section->id, section->offset, section->size, size - section->offset);
    for (uint32_t i = 0; i < index; i++)
        if (file->sections[i].id == section->id)
            return cuzk_fail(err, CUZK_ERR_FORMAT,
                             "%s: section %" PRIu32 " is there twice, at offsets %" PRIu64
                             " and %" PRIu64,
                             name, section->id, file->sections[i].offset, section->offset);
    *at = section->offset + section->size;
    return CUZK_OK;
}

cuzk_status cuzk_binfile_open(cuzk_binfile *file, const cuzk_map *map, const char *magic,
                              uint32_t max_version, cuzk_error *err)
{
    memset(file, 0, sizeof *file);
    file->map = map;
    CUZK_TRY(read_file_header(file, magic, max_version, err));
    uint64_t at = FILE_HEADER_BYTES;
    for (uint32_t i = 0; i < file->n_sections; i++)
        CUZK_TRY(read_section_header(file, i, &at, err));
    if (at != cuzk_map_size(map))
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: %" PRIu64 " bytes after the last of %" PRIu32
                         " sections, which ends at offset %" PRIu64,
                         cuzk_map_name(map), cuzk_map_size(map) - at, file->n_sections, at);
    return CUZK_OK;
}

bool cuzk_binfile_has(const cuzk_binfile *file, uint32_t id)
{
    return find(file, id) != NULL;
}

cuzk_status cuzk_binfile_section(const cuzk_binfile *file, uint32_t id, const char *what,
                                 const uint8_t **data, uint64_t *size, cuzk_error *err)
{
    const cuzk_section *section = find(file, id);
    if (section == NULL)
        return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: section %" PRIu32 " (%s) is missing",
                         cuzk_map_name(file->map), id, what);
    *data = cuzk_map_data(file->map) + section->offset;
    *size = section->size;
    return CUZK_OK;
}

cuzk_status cuzk_binfile_section_sized(const cuzk_binfile *file, uint32_t id, const char *what,
                                       uint64_t expected, const uint8_t **data, cuzk_error *err)
{
    uint64_t size = 0;
    CUZK_TRY(cuzk_binfile_section(file, id, what, data, &size, err));
    if (size != expected)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: section %" PRIu32 " (%s) has %" PRIu64
                         " bytes; the counts in the header ask for %" PRIu64,
                         cuzk_map_name(file->map), id, what, size, expected);
    return CUZK_OK;
}

/* Reads the length of a prime and checks that the section holds it. */
static cuzk_status read_prime_length(const cuzk_binfile *file, const uint8_t *data, uint64_t n,
                                     uint32_t *length, cuzk_error *err)
{
    *length = n < 4 ? 0 : cuzk_load_le32(data);
    if (*length == 0 || *length > n - 4)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: the header section of %" PRIu64
                         " bytes does not hold its prime (length %" PRIu32 ")",
                         cuzk_map_name(file->map), n, *length);
    return CUZK_OK;
}

static cuzk_status refuse_prime(const cuzk_binfile *file, uint32_t length, const char *field,
                                cuzk_error *err)
{
    return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                     "%s: its %s prime of %" PRIu32
                     " bytes is neither that of bn128 (BN254) nor that of bls12381 (BLS12-381)",
                     cuzk_map_name(file->map), field, length);
}

cuzk_status cuzk_binfile_scalar_prime(const cuzk_binfile *file, const uint8_t *data, uint64_t n,
                                      const cuzk_curve **curve, uint64_t *used, cuzk_error *err)
{
    uint32_t length = 0;
    CUZK_TRY(read_prime_length(file, data, n, &length, err));
    const cuzk_curve *found = cuzk_curve_by_r(data + 4, length);
    if (found == NULL || length != sizeof(cuzk_scalar))
        return refuse_prime(file, length, "scalar-field", err);
    *curve = found;
    *used = 4 + (uint64_t)length;
    return CUZK_OK;
}

cuzk_status cuzk_binfile_base_prime(const cuzk_binfile *file, const uint8_t *data, uint64_t n,
                                    const cuzk_curve **curve, uint64_t *used, cuzk_error *err)
{
    uint32_t length = 0;
    CUZK_TRY(read_prime_length(file, data, n, &length, err));
    const cuzk_curve *found = cuzk_curve_by_p(data + 4, length);
    if (found == NULL || length != 8 * found->fp_words)
        return refuse_prime(file, length, "base-field", err);
    *curve = found;
    *used = 4 + (uint64_t)length;
    return CUZK_OK;
}
