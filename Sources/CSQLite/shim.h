// SQLite as the distribution ships it, and what Swift cannot see of it.
#pragma once

// Debian builds the library with the pre-update hook; the header declares it only when asked to.
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include <sqlite3.h>

// sqlite3_db_config is variadic: Swift does not import it.
static inline int sona_sqlite_set_flag(sqlite3 *db, int flag, int on) { return sqlite3_db_config(db, flag, on, (int *)0); }

// Variadic, too.
static inline int sona_sqlite_mark_innocuous(sqlite3 *db) { return sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS); }

// SQLITE_TRANSIENT is a cast of -1 to a function pointer: Swift does not import it. The length is always given, so that
// a NUL inside a text survives.
static inline int sona_sqlite_bind_text(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, (const char *)bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}
// SQLITE_STATIC: the bytes stay where they are until the next value is bound in their place.
static inline int sona_sqlite_bind_static_text(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, (const char *)bytes, count, SQLITE_STATIC, SQLITE_UTF8);
}
static inline int sona_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// Extended result codes are computed macros: Swift does not import them.
enum {
    sona_sqlite_constraint_check = SQLITE_CONSTRAINT_CHECK,
    sona_sqlite_constraint_foreign_key = SQLITE_CONSTRAINT_FOREIGNKEY,
    sona_sqlite_constraint_not_null = SQLITE_CONSTRAINT_NOTNULL,
    sona_sqlite_constraint_primary_key = SQLITE_CONSTRAINT_PRIMARYKEY,
    sona_sqlite_constraint_trigger = SQLITE_CONSTRAINT_TRIGGER,
    sona_sqlite_constraint_rowid = SQLITE_CONSTRAINT_ROWID,
    sona_sqlite_constraint_unique = SQLITE_CONSTRAINT_UNIQUE,
    sona_sqlite_ioerr_fsync = SQLITE_IOERR_FSYNC,
    sona_sqlite_ioerr_dir_fsync = SQLITE_IOERR_DIR_FSYNC,
};
