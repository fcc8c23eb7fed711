#include "engine/store_sql.h"

#include <stdio.h>
#include <string.h>

/* "cuzk" in ASCII: marks the database as ours. */
#define APPLICATION_ID 1668643435
#define VERSION        1
#define TEXT_(x)       #x
#define TEXT(x)        TEXT_(x)
#define BUSY_MS        5000

/* Texts that clients send are blobs: they may hold any byte but NUL. */
static const char schema[] =
    "BEGIN IMMEDIATE;"
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;"
    "INSERT INTO meta VALUES ('last_job', 0);"
    "CREATE TABLE job ("
    " job INTEGER PRIMARY KEY, request_id BLOB NOT NULL, digest BLOB NOT NULL,"
    " kind INTEGER NOT NULL, class INTEGER NOT NULL, deadline INTEGER NOT NULL,"
    " submitted INTEGER NOT NULL, ended INTEGER NOT NULL, state INTEGER NOT NULL,"
    " payload_size INTEGER NOT NULL, payload_sha256 BLOB NOT NULL,"
    " proof BLOB NOT NULL, error BLOB NOT NULL, error_code INTEGER NOT NULL);"
    "PRAGMA application_id = " TEXT(APPLICATION_ID) ";"
                                                    "PRAGMA user_version = " TEXT(
                                                        VERSION) ";"
                                                                 "COMMIT;";

static const char *const texts[CUZK_SQL_COUNT] = {
    [CUZK_SQL_BEGIN] = "BEGIN IMMEDIATE",
    [CUZK_SQL_COMMIT] = "COMMIT",
    [CUZK_SQL_ROLLBACK] = "ROLLBACK",
    [CUZK_SQL_ADD] = "INSERT INTO job VALUES (?1,?2,?3,?4,?5,?6,?7,0,?8,?9,?10,x'',x'',0)",
    [CUZK_SQL_NOTE_LAST] = "UPDATE meta SET value = max(value, ?1) WHERE name = 'last_job'",
    [CUZK_SQL_LAST] = "SELECT value FROM meta WHERE name = 'last_job'",
    [CUZK_SQL_END] = "UPDATE job SET state = ?2, ended = ?3, proof = ?4, error = ?5,"
                     " error_code = ?6 WHERE job = ?1",
    [CUZK_SQL_FORGET] = "DELETE FROM job WHERE job = ?1",
    [CUZK_SQL_FORGET_REFUSED] = "DELETE FROM job WHERE job = ?1 AND ended = 0",
    [CUZK_SQL_EACH] = "SELECT job, request_id, digest, kind, class, deadline, submitted, ended,"
                      " state, payload_size, length(proof), error, error_code"
                      " FROM job ORDER BY job",
    [CUZK_SQL_PAYLOAD] = "SELECT ended, payload_size, payload_sha256 FROM job WHERE job = ?1",
    [CUZK_SQL_PROOF] = "SELECT proof FROM job WHERE job = ?1",
};

cuzk_status cuzk_database_fail(const cuzk_database *database, cuzk_error *err)
{
    const char *path = database->path;
    const char *cause =
        database->handle == NULL ? "out of memory" : sqlite3_errmsg(database->handle);
    int code = database->handle == NULL ? SQLITE_NOMEM : sqlite3_extended_errcode(database->handle);
    switch (code & 0xff) {
    case SQLITE_NOMEM:
        return cuzk_fail(err, CUZK_ERR_MEMORY, "%s: %s", path, cause);
    case SQLITE_FULL:
        return cuzk_fail(err, CUZK_ERR_IO,
                         "%s: the disk is full (%s); nothing was changed: free some space and try "
                         "again",
                         path, cause);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: the database is damaged (%s); put back a copy of the folder, or move "
                         "the folder away to begin with an empty store",
                         path, cause);
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
        return cuzk_fail(err, CUZK_ERR_IO,
                         "%s: cannot be written (%s, code %d); check that the disk is mounted for "
                         "writing and that this user may write the folder",
                         path, cause, code);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return cuzk_fail(
            err, CUZK_ERR_IO,
            "%s: another program kept the database locked for %d s; end it (sqlite3, a "
            "backup) and try again",
            path, BUSY_MS / 1000);
    case SQLITE_CONSTRAINT:
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "%s: %s", path, cause);
    default:
        return cuzk_fail(
            err, CUZK_ERR_IO,
            "%s: %s (code %d, errno %d); nothing was changed: look at the kernel's log "
            "for errors of the disk",
            path, cause, code, sqlite3_system_errno(database->handle));
    }
}

/* The first column of the first row, as an integer or compared with a text. */
static cuzk_status ask(cuzk_database *database, const char *sql, int64_t *number,
                       const char *expected, bool *equal, cuzk_error *err)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(database->handle, sql, -1, &statement, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    cuzk_status status = CUZK_OK;
    if (code != SQLITE_ROW)
        status = cuzk_database_fail(database, err);
    else if (number != NULL)
        *number = sqlite3_column_int64(statement, 0);
    else {
        const char *text = (const char *)sqlite3_column_text(statement, 0);
        *equal = text != NULL && strcmp(text, expected) == 0;
        if (!*equal)
            (void)cuzk_fail(err, CUZK_ERR_FORMAT, "%s", text == NULL ? "out of memory" : text);
    }
    sqlite3_finalize(statement);
    return status;
}

static cuzk_status run(cuzk_database *database, const char *sql, cuzk_error *err)
{
    if (sqlite3_exec(database->handle, sql, NULL, NULL, NULL) == SQLITE_OK)
        return CUZK_OK;
    cuzk_status status = cuzk_database_fail(database, err);
    cuzk_database_rollback(database);
    return status;
}

/* Whether the file is ours and whole; *version 0: it is new. */
static cuzk_status check(cuzk_database *database, int64_t *version, cuzk_error *err)
{
    int64_t application = 0, tables = 0;
    CUZK_TRY(ask(database, "PRAGMA application_id", &application, NULL, NULL, err));
    CUZK_TRY(ask(database, "SELECT count(*) FROM sqlite_master", &tables, NULL, NULL, err));
    CUZK_TRY(ask(database, "PRAGMA user_version", version, NULL, NULL, err));
    if (application != APPLICATION_ID && (application != 0 || tables != 0 || *version != 0))
        return cuzk_fail(err, CUZK_ERR_MISMATCH,
                         "%s: a database of another program; give cuzk a folder of its own",
                         database->path);
    if (*version > VERSION)
        return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                         "%s: written by a newer cuzk (version %lld of the store, this one knows "
                         "%d); start that one, or choose another folder",
                         database->path, (long long)*version, VERSION);
    bool whole = false;
    CUZK_TRY(ask(database, "PRAGMA quick_check(1)", NULL, "ok", &whole, err));
    if (!whole)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: the database is damaged (%s); put back a copy of the folder, or move "
                         "the folder away to begin with an empty store",
                         database->path, err == NULL ? "quick_check" : err->message);
    return CUZK_OK;
}

static cuzk_status set_up(cuzk_database *database, bool sync, cuzk_error *err)
{
    sqlite3_busy_timeout(database->handle, BUSY_MS);
    int64_t version = 0;
    CUZK_TRY(check(database, &version, err));
    bool wal = false;
    CUZK_TRY(ask(database, "PRAGMA journal_mode = WAL", NULL, "wal", &wal, err));
    if (!wal)
        return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                         "%s: this file system cannot hold a write-ahead log; choose a folder on a "
                         "local disk",
                         database->path);
    CUZK_TRY(
        run(database, sync ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL", err));
    CUZK_TRY(
        run(database, "PRAGMA journal_size_limit = 67108864; PRAGMA temp_store = MEMORY", err));
    if (version == 0)
        CUZK_TRY(run(database, schema, err));
    for (unsigned i = 0; i < CUZK_SQL_COUNT; i++)
        if (sqlite3_prepare_v3(database->handle, texts[i], -1, SQLITE_PREPARE_PERSISTENT,
                               &database->statement[i], NULL) != SQLITE_OK)
            return cuzk_database_fail(database, err);
    return CUZK_OK;
}

cuzk_status cuzk_database_open(cuzk_database *database, const char *path, bool sync,
                               cuzk_error *err)
{
    memset(database, 0, sizeof *database);
    if ((size_t)snprintf(database->path, sizeof database->path, "%s", path) >=
        sizeof database->path)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "%s: the path is too long", path);
    int flags =
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    cuzk_status status = CUZK_OK;
    if (sqlite3_open_v2(path, &database->handle, flags, NULL) != SQLITE_OK)
        status = cuzk_database_fail(database, err);
    if (status == CUZK_OK)
        status = set_up(database, sync, err);
    if (status != CUZK_OK)
        cuzk_database_close(database);
    return status;
}

void cuzk_database_close(cuzk_database *database)
{
    for (unsigned i = 0; i < CUZK_SQL_COUNT; i++)
        sqlite3_finalize(database->statement[i]);
    sqlite3_close(database->handle);
    memset(database, 0, sizeof *database);
}

cuzk_status cuzk_database_step(cuzk_database *database, cuzk_sql which, bool *row, cuzk_error *err)
{
    int code = sqlite3_step(database->statement[which]);
    if (row != NULL)
        *row = code == SQLITE_ROW;
    if (code == SQLITE_ROW && row != NULL)
        return CUZK_OK;
    cuzk_status status =
        code == SQLITE_DONE || code == SQLITE_ROW ? CUZK_OK : cuzk_database_fail(database, err);
    cuzk_database_reset(database, which);
    return status;
}

void cuzk_database_reset(cuzk_database *database, cuzk_sql which)
{
    sqlite3_reset(database->statement[which]);
    sqlite3_clear_bindings(database->statement[which]);
}

cuzk_status cuzk_database_begin(cuzk_database *database, cuzk_error *err)
{
    return cuzk_database_step(database, CUZK_SQL_BEGIN, NULL, err);
}

cuzk_status cuzk_database_commit(cuzk_database *database, cuzk_error *err)
{
    cuzk_status status = cuzk_database_step(database, CUZK_SQL_COMMIT, NULL, err);
    if (status != CUZK_OK)
        cuzk_database_rollback(database);
    return status;
}

void cuzk_database_rollback(cuzk_database *database)
{
    /* Most errors have rolled back already. The outcome is no concern: whatever a rollback cannot
     * undo on disk, recovery ignores. */
    if (database->handle != NULL && sqlite3_get_autocommit(database->handle) == 0)
        sqlite3_exec(database->handle, "ROLLBACK", NULL, NULL, NULL);
}
