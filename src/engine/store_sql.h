/* The store's SQL, all of it, and how SQLite's errors become ours. Another database behind the
 * store replaces this module and store_rows.c; payload files and the order of writes stay. */
#ifndef CUZK_ENGINE_STORE_SQL_H
#define CUZK_ENGINE_STORE_SQL_H

#include "base/status.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum cuzk_sql {
    CUZK_SQL_BEGIN,
    CUZK_SQL_COMMIT,
    CUZK_SQL_ROLLBACK,
    CUZK_SQL_ADD,
    CUZK_SQL_NOTE_LAST,
    CUZK_SQL_LAST,
    CUZK_SQL_END,
    CUZK_SQL_FORGET,
    CUZK_SQL_FORGET_REFUSED,
    CUZK_SQL_EACH,
    CUZK_SQL_PAYLOAD,
    CUZK_SQL_PROOF,
    CUZK_SQL_COUNT
} cuzk_sql;

typedef struct cuzk_database {
    sqlite3 *handle;
    sqlite3_stmt *statement[CUZK_SQL_COUNT];
    char path[1024];
} cuzk_database;

/* Opens or makes the database at path: checks that it is ours, whole, and of a version that we
 * know. sync: every commit reaches the disk. On failure nothing is left open. */
cuzk_status cuzk_database_open(cuzk_database *database, const char *path, bool sync,
                               cuzk_error *err);
void cuzk_database_close(cuzk_database *database);

/* Steps a statement that has been bound. A statement without rows is reset at once; *row (may be
 * NULL for those) says whether there is a row, which the caller reads and then resets. */
cuzk_status cuzk_database_step(cuzk_database *database, cuzk_sql which, bool *row, cuzk_error *err);
void cuzk_database_reset(cuzk_database *database, cuzk_sql which);

/* A failed commit is rolled back; but a power cut may still bring it back, whole. */
cuzk_status cuzk_database_begin(cuzk_database *database, cuzk_error *err);
cuzk_status cuzk_database_commit(cuzk_database *database, cuzk_error *err);
void cuzk_database_rollback(cuzk_database *database);

/* The last error of SQLite as one of ours, with what to do. */
cuzk_status cuzk_database_fail(const cuzk_database *database, cuzk_error *err);

#endif
