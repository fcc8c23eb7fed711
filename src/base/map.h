/* Read-only views of files, safe against files that shrink or change under us. */
#ifndef CUZK_BASE_MAP_H
#define CUZK_BASE_MAP_H

#include "base/pool.h"
#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

typedef struct cuzk_map cuzk_map;

/* cuzk_map_open maps the regular file at path. Files up to 64 MiB are copied into memory, so that a
 * later change of the file cannot be seen; larger ones are mapped. The path is kept for messages.
 * On success *map is owned by the caller (cuzk_map_close). Errors name the path. */
cuzk_status cuzk_map_open(cuzk_map **map, const char *path, cuzk_error *err);

/* The same with the pool's threads, which a large copy keeps busy. */
cuzk_status cuzk_map_open_with(cuzk_map **map, const char *path, cuzk_pool *pool, cuzk_error *err);

/* A map over bytes that the caller keeps alive; name stands for the path in messages. */
cuzk_status cuzk_map_borrow(cuzk_map **map, const void *data, size_t size, const char *name,
                            cuzk_error *err);
void cuzk_map_close(cuzk_map *map);

const uint8_t *cuzk_map_data(const cuzk_map *map);
size_t cuzk_map_size(const cuzk_map *map);
const char *cuzk_map_name(const cuzk_map *map);

/* cuzk_map_check fails with CUZK_ERR_IO when the mapped file has changed (size, mtime) since it was
 * opened, or when a read of it faulted: whatever was read from it since is then void. A file that
 * was copied, or that another file has replaced under its name, still reads as it was and passes.
 * A read of a page that a truncation took away yields zeros instead of ending the process (SIGBUS
 * is caught for mapped ranges only). */
cuzk_status cuzk_map_check(const cuzk_map *map, cuzk_error *err);

/* Identity of the file for caches: device, inode, size, times of the last change of the content and
 * of anything. All zero for borrowed bytes. */
typedef struct cuzk_file_id {
    uint64_t device, inode, size, mtime_ns, ctime_ns;
} cuzk_file_id;
cuzk_file_id cuzk_map_identity(const cuzk_map *map);

#endif
