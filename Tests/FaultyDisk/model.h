// What is seen in the watched folder, and what of it is synced: files (nodes), their names, and the changes since.
#pragma once

#include <pthread.h>
#include <sqlite3.h>

/// One write since the last sync, or a cut of the file to `offset` if there is no `data`.
typedef struct {
    sqlite3_int64 offset;
    int bytes;
    unsigned char *data;
    /// Counts the changes of all files.
    long order;
} Change;

typedef struct {
    unsigned char *bytes;
    sqlite3_int64 count;
} Content;

/// A file, whatever its name: what of it is synced, and what came since.
typedef struct Node {
    struct Node *next;
    Content synced;
    Change *changes;
    long changeCount, changeRoom;
    /// Handles that SQLite has on it.
    int openCount;
    /// In a folder that is not watched any more.
    int isForgotten;
} Node;

/// Guards everything here, and the plans of fault.c. Hidden: these names are not for the program that links this.
#pragma GCC visibility push(hidden)

extern pthread_mutex_t diskMutex;

// All of these under `diskMutex`.

/// The last part of a path in the watched folder; NULL for any other path.
const char *watchedName(const char *path);
/// Watches another folder, and forgets all that was known.
void watchFolder(const char *folder);
/// The node of a watched file that is about to be opened.
Node *nodeFor(const char *name, const char *path, int isDatabase);
void addChange(Node *node, sqlite3_int64 offset, const void *data, int bytes);
/// Without their having been written.
void forgetChanges(Node *node);
/// What a sync that succeeds does.
void applyChanges(Node *node);
void removeName(const char *name);
void syncFolder(void);

#pragma GCC visibility pop
