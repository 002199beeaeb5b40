#include "model.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fault.h"

#define SECTOR 512
#define NAMES 64

typedef struct {
    char name[256];
    Node *node;
} Name;

/// A folder: its names as they are seen or as they are synced.
typedef struct {
    Name names[NAMES];
    int count;
} Names;

pthread_mutex_t diskMutex = PTHREAD_MUTEX_INITIALIZER;

static char watched[1024];
static Node *nodes;
static Names seen, synced;
/// Names made (with a node) and removed (without) since the folder was synced.
static Names pending;
static long changeOrder;

static void *room(void *old, size_t bytes) {
    void *new = realloc(old, bytes ? bytes : 1);
    if (!new) abort();
    return new;
}

// Names

const char *watchedName(const char *path) {
    size_t length = strlen(watched);
    if (!path || !length || strncmp(path, watched, length) != 0 || path[length] != '/') return NULL;
    const char *name = path + length + 1;
    return strchr(name, '/') || strlen(name) > 255 ? NULL : name;
}

static Name *find(Names *names, const char *name) {
    for (int i = 0; i < names->count; i++)
        if (strcmp(names->names[i].name, name) == 0) return &names->names[i];
    return NULL;
}

static void append(Names *names, const char *name, Node *node) {
    if (names->count == NAMES) abort();
    Name *added = &names->names[names->count++];
    strcpy(added->name, name);
    added->node = node;
}

/// Makes a name, or removes it if there is no node.
static void apply(Names *names, const char *name, Node *node) {
    Name *old = find(names, name);
    if (old && node) {
        old->node = node;
    } else if (old) {
        *old = names->names[--names->count];
    } else if (node) {
        append(names, name, node);
    }
}

void syncFolder(void) {
    for (int i = 0; i < pending.count; i++) apply(&synced, pending.names[i].name, pending.names[i].node);
    pending.count = 0;
}

// Content

static void put(Content *content, sqlite3_int64 offset, const unsigned char *data, sqlite3_int64 bytes) {
    if (offset + bytes > content->count) {
        content->bytes = room(content->bytes, offset + bytes);
        memset(content->bytes + content->count, 0, offset + bytes - content->count);
        content->count = offset + bytes;
    }
    memcpy(content->bytes + offset, data, bytes);
}

static void applyChange(Content *content, const Change *change) {
    if (change->data) {
        put(content, change->offset, change->data, change->bytes);
    } else if (change->offset < content->count) {
        content->count = change->offset;
    } else if (change->offset > content->count) {
        put(content, change->offset, (const unsigned char *)"", 0);
    }
}

static Content copyOf(Content content) {
    Content copy = {room(NULL, content.count), content.count};
    memcpy(copy.bytes, content.bytes ? content.bytes : copy.bytes, content.count);
    return copy;
}

static Content contentOfFile(const char *path) {
    Content content = {NULL, 0};
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file >= 0 && fstat(file, &status) == 0) {
        content.bytes = room(NULL, status.st_size);
        ssize_t count = pread(file, content.bytes, status.st_size, 0);
        content.count = count > 0 ? count : 0;
    }
    // Safe for SQLite's locks: read before SQLite has the file open.
    if (file >= 0) close(file);
    return content;
}

static int writeFile(const char *folder, const char *name, Content content) {
    char path[1400];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) return -1;
    sqlite3_int64 done = 0;
    while (done < content.count) {
        ssize_t count = write(file, content.bytes + done, content.count - done);
        if (count <= 0) break;
        done += count;
    }
    close(file);
    return done == content.count ? 0 : -1;
}

// Nodes

static Node *newNode(void) {
    Node *node = room(NULL, sizeof *node);
    memset(node, 0, sizeof *node);
    node->next = nodes;
    nodes = node;
    return node;
}

void forgetChanges(Node *node) {
    for (long i = 0; i < node->changeCount; i++) free(node->changes[i].data);
    node->changeCount = 0;
}

void addChange(Node *node, sqlite3_int64 offset, const void *data, int bytes) {
    if (!node || node->isForgotten) return;
    if (node->changeCount == node->changeRoom) {
        node->changeRoom = node->changeRoom ? node->changeRoom * 2 : 64;
        node->changes = room(node->changes, node->changeRoom * sizeof(Change));
    }
    Change change = {offset, bytes, NULL, changeOrder++};
    if (data) {
        change.data = room(NULL, bytes);
        memcpy(change.data, data, bytes);
    }
    node->changes[node->changeCount++] = change;
}

static void freeUnused(void) {
    for (Node **place = &nodes; *place;) {
        Node *node = *place;
        if (node->openCount || !node->isForgotten) {
            place = &node->next;
            continue;
        }
        *place = node->next;
        forgetChanges(node);
        free(node->changes);
        free(node->synced.bytes);
        free(node);
    }
}

void applyChanges(Node *node) {
    for (long i = 0; i < node->changeCount; i++) applyChange(&node->synced, &node->changes[i]);
    forgetChanges(node);
}

void watchFolder(const char *folder) {
    for (Node *node = nodes; node; node = node->next) node->isForgotten = 1;
    freeUnused();
    seen.count = synced.count = pending.count = 0;
    strncpy(watched, folder, sizeof watched - 1);
}

Node *nodeFor(const char *name, const char *path, int isDatabase) {
    Name *known = find(&seen, name);
    if (known) return known->node;
    Node *node = newNode();
    int isNew = access(path, F_OK) != 0;
    node->synced = contentOfFile(path);
    append(&seen, name, node);
    // An empty database was just made by somebody who did not sync the folder.
    int isPending = isNew || (isDatabase && node->synced.count == 0);
    append(isPending ? &pending : &synced, name, node);
    return node;
}

void removeName(const char *name) {
    if (!find(&seen, name)) return;
    apply(&seen, name, NULL);
    append(&pending, name, NULL);
}

// Power cuts

/// SplitMix64.
static uint64_t next(uint64_t *state) {
    uint64_t value = *state += 0x9E3779B97F4A7C15;
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9;
    value = (value ^ value >> 27) * 0x94D049BB133111EB;
    return value ^ value >> 31;
}

/// One power cut: what is lost of it, and the dice for it.
typedef struct {
    FaultyDiskLoss loss;
    uint64_t dice;
    /// Of 256: how likely a write or a sector is there.
    unsigned likelihood;
    /// The first change that is not there.
    long end;
} Cut;

static int survives(Cut *cut) { return (next(&cut->dice) & 255) < cut->likelihood; }

/// The sectors of a write that are there: each by the dice, or the first few of one that is torn.
static void applySectors(Content *content, const Change *change, Cut *cut, int isTorn) {
    int first = isTorn ? (int)(next(&cut->dice) % (change->bytes / SECTOR + 1)) : 0;
    int sector = 0;
    for (int done = 0; done < change->bytes; sector++) {
        int bytes = SECTOR - (int)((change->offset + done) % SECTOR);
        if (bytes > change->bytes - done) bytes = change->bytes - done;
        if (isTorn ? sector < first : survives(cut)) put(content, change->offset + done, change->data + done, bytes);
        done += bytes;
    }
}

static Content contentAfter(Cut *cut, const Node *node) {
    Content content = copyOf(node->synced);
    for (long i = 0; i < node->changeCount; i++) {
        const Change *change = &node->changes[i];
        switch (cut->loss) {
        case FaultyDiskLossNothing: applyChange(&content, change); break;
        case FaultyDiskLossEverything: break;
        case FaultyDiskLossTail:
            if (change->order + 1 == cut->end && change->data) {
                applySectors(&content, change, cut, 1);
            } else if (change->order < cut->end) {
                applyChange(&content, change);
            }
            break;
        case FaultyDiskLossSectors:
            if (change->data) {
                applySectors(&content, change, cut, 0);
                break;
            }
            // A cut of the file is there or not, as a whole.
            __attribute__((fallthrough));
        case FaultyDiskLossWrites:
            if (survives(cut)) applyChange(&content, change);
            break;
        }
    }
    return content;
}

/// The names after a cut: those synced, and of those since then the first few.
static Names namesAfter(Cut *cut) {
    Names names = synced;
    int kept = 0;
    if (cut->loss == FaultyDiskLossNothing) kept = pending.count;
    else if (cut->loss != FaultyDiskLossEverything) kept = (int)(next(&cut->dice) % (pending.count + 1));
    for (int i = 0; i < kept; i++) apply(&names, pending.names[i].name, pending.names[i].node);
    return names;
}

long faulty_disk_cut(const char *folder, FaultyDiskLoss loss, uint64_t seed) {
    static const unsigned likelihoods[] = {8, 64, 128, 224, 250};
    Cut cut = {.loss = loss, .dice = seed};
    cut.likelihood = likelihoods[next(&cut.dice) % 5];
    pthread_mutex_lock(&diskMutex);
    long changes = 0, first = changeOrder;
    for (int i = 0; i < seen.count; i++) {
        Node *node = seen.names[i].node;
        changes += node->changeCount;
        if (node->changeCount && node->changes[0].order < first) first = node->changes[0].order;
    }
    cut.end = first + (long)(next(&cut.dice) % (uint64_t)(changeOrder - first + 1));
    Names names = namesAfter(&cut);
    for (int i = 0; i < names.count; i++) {
        Content content = contentAfter(&cut, names.names[i].node);
        if (writeFile(folder, names.names[i].name, content) != 0) changes = -1;
        free(content.bytes);
        if (changes < 0) break;
    }
    pthread_mutex_unlock(&diskMutex);
    return changes;
}

/// What others see in a file. Its descriptor stays open: closing it would drop the locks that SQLite has on the file.
static Content seenContent(const char *name) {
    char path[1400];
    snprintf(path, sizeof path, "%s/%s", watched, name);
    Content content = {NULL, 0};
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &status) != 0) return content;
    content.bytes = room(NULL, status.st_size);
    ssize_t count = pread(file, content.bytes, status.st_size, 0);
    content.count = count > 0 ? count : 0;
    return content;
}

static Node *copyOfNode(const Node *node) {
    Node *copy = newNode();
    copy->synced = copyOf(node->synced);
    for (long i = 0; i < node->changeCount; i++) {
        const Change *change = &node->changes[i];
        addChange(copy, change->offset, change->data, change->bytes);
        copy->changes[i].order = change->order;
    }
    return copy;
}

/// Puts the copies of nodes in the place of those nodes, making them where they are missing.
static void replaceNodes(Names *names, Names *originals, Names *copies) {
    for (int i = 0; i < names->count; i++) {
        Node *node = names->names[i].node;
        if (!node) continue;
        int known = 0;
        while (known < originals->count && originals->names[known].node != node) known++;
        if (known == originals->count) {
            append(originals, "", node);
            append(copies, "", copyOfNode(node));
        }
        names->names[i].node = copies->names[known].node;
    }
}

int faulty_disk_continue_in(const char *folder) {
    int result = 0;
    pthread_mutex_lock(&diskMutex);
    for (int i = 0; i < seen.count; i++) {
        // The file itself and not the lists: a sync that failed has left writes in it that no list has any more.
        Content content = seenContent(seen.names[i].name);
        if (writeFile(folder, seen.names[i].name, content) != 0) result = -1;
        free(content.bytes);
    }
    Names originals = {.count = 0}, copies = {.count = 0};
    replaceNodes(&seen, &originals, &copies);
    replaceNodes(&synced, &originals, &copies);
    replaceNodes(&pending, &originals, &copies);
    for (int i = 0; i < originals.count; i++) originals.names[i].node->isForgotten = 1;
    freeUnused();
    strncpy(watched, folder, sizeof watched - 1);
    pthread_mutex_unlock(&diskMutex);
    return result;
}
