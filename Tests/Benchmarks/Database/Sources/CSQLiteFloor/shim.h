// SQLite as the distribution ships it, and what Swift cannot see of it.
#pragma once

#include <sqlite3.h>

// SQLITE_TRANSIENT and SQLITE_STATIC are casts of a number to a function pointer: Swift does not import them.
static inline int floor_bind_text_copied(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, (const char *)bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}
// For bytes that stay where they are until the statement was stepped.
static inline int floor_bind_text_lent(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, (const char *)bytes, count, SQLITE_STATIC, SQLITE_UTF8);
}
