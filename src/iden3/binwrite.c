#include "iden3/binwrite.h"

#include "base/bytes.h"

void cuzk_binwrite_u32(cuzk_outfile *file, uint32_t value)
{
    uint8_t bytes[4];
    cuzk_store_le32(bytes, value);
    cuzk_outfile_write(file, bytes, sizeof bytes);
}

void cuzk_binwrite_header(cuzk_outfile *file, const char *magic, uint32_t version,
                          uint32_t n_sections)
{
    cuzk_outfile_write(file, magic, 4);
    cuzk_binwrite_u32(file, version);
    cuzk_binwrite_u32(file, n_sections);
}

void cuzk_binwrite_section(cuzk_outfile *file, uint32_t id, uint64_t size)
{
    uint8_t bytes[8];
    cuzk_binwrite_u32(file, id);
    cuzk_store_le64(bytes, size);
    cuzk_outfile_write(file, bytes, sizeof bytes);
}

static void write_prime(cuzk_outfile *file, const uint64_t *prime, unsigned words)
{
    cuzk_binwrite_u32(file, 8 * words);
    for (unsigned i = 0; i < words; i++) {
        uint8_t bytes[8];
        cuzk_store_le64(bytes, prime[i]);
        cuzk_outfile_write(file, bytes, sizeof bytes);
    }
}

void cuzk_binwrite_base_prime(cuzk_outfile *file, const cuzk_curve *curve)
{
    write_prime(file, curve->p, curve->fp_words);
}

void cuzk_binwrite_scalar_prime(cuzk_outfile *file, const cuzk_curve *curve)
{
    write_prime(file, curve->r.l, 4);
}

void cuzk_binwrite_points(cuzk_outfile *file, const cuzk_curve *curve, cuzk_group group,
                          const uint64_t *points, size_t n)
{
    uint8_t bytes[8 * CUZK_G2_MAX_WORDS];
    unsigned words = cuzk_point_words(curve, group);
    for (size_t i = 0; i < n; i++) {
        if (group == CUZK_G1)
            curve->g1_encode(bytes, points + i * words, CUZK_ENC_LEM);
        else
            curve->g2_encode(bytes, points + i * words, CUZK_ENC_LEM);
        cuzk_outfile_write(file, bytes, 8 * (size_t)words);
    }
}
