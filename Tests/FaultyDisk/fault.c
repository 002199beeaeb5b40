#include "fault.h"

#include <string.h>
#include <unistd.h>

#include "model.h"

#define CALLS (FaultyDiskCallSharedMemoryLock + 1)

/// What SQLite holds; the file of the VFS below follows it.
typedef struct {
    sqlite3_file base;
    Node *node;
    /// A log or a journal that might be new: the first sync through it syncs the folder (os_unix.c, UNIXFILE_DIRSYNC).
    int syncsFolder;
} File;

static sqlite3_vfs *below;
static sqlite3_vfs disk;

// All of it under `diskMutex`.
static long counts[CALLS];
static struct {
    int isArmed, isLasting;
    FaultyDiskCall call;
    FaultyDiskError error;
    long nth, fired;
} plan;
static unsigned delay;
static int isReal = 1, isLying;
static void (*hook)(void *, FaultyDiskCall);
static void *hookContext;

static File *mine(sqlite3_file *file) { return (File *)file; }
static sqlite3_file *real(sqlite3_file *file) { return (sqlite3_file *)((char *)file + ((sizeof(File) + 7) & ~7u)); }

// Faults

static void announce(FaultyDiskCall call) {
    pthread_mutex_lock(&diskMutex);
    void (*called)(void *, FaultyDiskCall) = hook;
    void *context = hookContext;
    pthread_mutex_unlock(&diskMutex);
    if (called) called(context, call);
}

static int codeOf(FaultyDiskCall call, FaultyDiskError error) {
    if (error == FaultyDiskErrorFull) return SQLITE_FULL;
    switch (call) {
    case FaultyDiskCallOpen: return SQLITE_CANTOPEN;
    case FaultyDiskCallRead: return SQLITE_IOERR_READ;
    case FaultyDiskCallWrite: return SQLITE_IOERR_WRITE;
    case FaultyDiskCallSync: return SQLITE_IOERR_FSYNC;
    case FaultyDiskCallTruncate: return SQLITE_IOERR_TRUNCATE;
    case FaultyDiskCallDelete: return SQLITE_IOERR_DELETE;
    case FaultyDiskCallAccess: return SQLITE_IOERR_ACCESS;
    case FaultyDiskCallFileSize: return SQLITE_IOERR_FSTAT;
    case FaultyDiskCallLock: return SQLITE_IOERR_LOCK;
    case FaultyDiskCallSharedMemoryMap: return SQLITE_IOERR_SHMMAP;
    case FaultyDiskCallSharedMemoryLock: return SQLITE_IOERR_SHMLOCK;
    }
    return SQLITE_IOERR;
}

/// Counts a call on a watched file. Under `diskMutex`. Returns: The code it is to fail with, or SQLITE_OK.
static int strike(FaultyDiskCall call) {
    long count = ++counts[call];
    if (!plan.isArmed || plan.call != call) return SQLITE_OK;
    if (count != plan.nth && !(plan.isLasting && count > plan.nth)) return SQLITE_OK;
    plan.fired++;
    return codeOf(call, plan.error);
}

static int strikeFile(sqlite3_file *file, FaultyDiskCall call) {
    const Node *node = mine(file)->node;
    pthread_mutex_lock(&diskMutex);
    int code = node && !node->isForgotten ? strike(call) : SQLITE_OK;
    pthread_mutex_unlock(&diskMutex);
    return code;
}

static int isWatched(sqlite3_file *file) {
    const Node *node = mine(file)->node;
    pthread_mutex_lock(&diskMutex);
    int watched = node && !node->isForgotten;
    pthread_mutex_unlock(&diskMutex);
    return watched;
}

// Methods of a file

static int diskClose(sqlite3_file *file) {
    pthread_mutex_lock(&diskMutex);
    if (mine(file)->node) mine(file)->node->openCount--;
    pthread_mutex_unlock(&diskMutex);
    return real(file)->pMethods->xClose(real(file));
}

static int diskRead(sqlite3_file *file, void *data, int bytes, sqlite3_int64 offset) {
    int code = strikeFile(file, FaultyDiskCallRead);
    return code ? code : real(file)->pMethods->xRead(real(file), data, bytes, offset);
}

static int diskWrite(sqlite3_file *file, const void *data, int bytes, sqlite3_int64 offset) {
    if (isWatched(file)) announce(FaultyDiskCallWrite);
    int failure = strikeFile(file, FaultyDiskCallWrite);
    if (failure) bytes /= 2;
    int code = real(file)->pMethods->xWrite(real(file), data, bytes, offset);
    pthread_mutex_lock(&diskMutex);
    if (code == SQLITE_OK) addChange(mine(file)->node, offset, data, bytes);
    pthread_mutex_unlock(&diskMutex);
    return failure ? failure : code;
}

static int diskTruncate(sqlite3_file *file, sqlite3_int64 size) {
    if (isWatched(file)) announce(FaultyDiskCallTruncate);
    int code = strikeFile(file, FaultyDiskCallTruncate);
    if (code) return code;
    code = real(file)->pMethods->xTruncate(real(file), size);
    pthread_mutex_lock(&diskMutex);
    if (code == SQLITE_OK) addChange(mine(file)->node, size, NULL, 0);
    pthread_mutex_unlock(&diskMutex);
    return code;
}

static int diskSync(sqlite3_file *file, int flags) {
    int watches = isWatched(file);
    if (watches) announce(FaultyDiskCallSync);
    Node *node = mine(file)->node;
    pthread_mutex_lock(&diskMutex);
    int failure = watches ? strike(FaultyDiskCallSync) : SQLITE_OK;
    // Marked clean without having been written: no later sync will write them.
    if (failure) forgetChanges(node);
    unsigned wait = delay;
    int passes = isReal;
    pthread_mutex_unlock(&diskMutex);
    if (failure) return failure;
    if (wait) usleep(wait);
    int code = passes ? real(file)->pMethods->xSync(real(file), flags) : SQLITE_OK;
    if (code != SQLITE_OK || !watches) return code;
    pthread_mutex_lock(&diskMutex);
    if (!isLying) {
        applyChanges(node);
        if (mine(file)->syncsFolder) syncFolder();
        mine(file)->syncsFolder = 0;
    }
    pthread_mutex_unlock(&diskMutex);
    return SQLITE_OK;
}

static int diskFileSize(sqlite3_file *file, sqlite3_int64 *size) {
    int code = strikeFile(file, FaultyDiskCallFileSize);
    return code ? code : real(file)->pMethods->xFileSize(real(file), size);
}

static int diskLock(sqlite3_file *file, int level) {
    int code = strikeFile(file, FaultyDiskCallLock);
    return code ? code : real(file)->pMethods->xLock(real(file), level);
}

static int diskUnlock(sqlite3_file *file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }

static int diskCheckReservedLock(sqlite3_file *file, int *result) {
    return real(file)->pMethods->xCheckReservedLock(real(file), result);
}

static int diskFileControl(sqlite3_file *file, int operation, void *argument) {
    return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int diskSectorSize(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }

static int diskDeviceCharacteristics(sqlite3_file *file) {
    return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

static int diskShmMap(sqlite3_file *file, int region, int bytes, int extends, void volatile **memory) {
    int code = strikeFile(file, FaultyDiskCallSharedMemoryMap);
    if (code) *memory = NULL;
    return code ? code : real(file)->pMethods->xShmMap(real(file), region, bytes, extends, memory);
}

static int diskShmLock(sqlite3_file *file, int offset, int count, int flags) {
    // Unlocking does not fail.
    int code = flags & SQLITE_SHM_LOCK ? strikeFile(file, FaultyDiskCallSharedMemoryLock) : SQLITE_OK;
    return code ? code : real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void diskShmBarrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }

static int diskShmUnmap(sqlite3_file *file, int deletes) {
    return real(file)->pMethods->xShmUnmap(real(file), deletes);
}

/// Version 2: no memory-mapped reads and writes, which would pass by unseen.
static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = diskClose,
    .xRead = diskRead,
    .xWrite = diskWrite,
    .xTruncate = diskTruncate,
    .xSync = diskSync,
    .xFileSize = diskFileSize,
    .xLock = diskLock,
    .xUnlock = diskUnlock,
    .xCheckReservedLock = diskCheckReservedLock,
    .xFileControl = diskFileControl,
    .xSectorSize = diskSectorSize,
    .xDeviceCharacteristics = diskDeviceCharacteristics,
    .xShmMap = diskShmMap,
    .xShmLock = diskShmLock,
    .xShmBarrier = diskShmBarrier,
    .xShmUnmap = diskShmUnmap,
};

// Methods of the disk

static int diskOpen(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *outFlags) {
    (void)vfs;
    file->pMethods = NULL;
    mine(file)->node = NULL;
    const int journals = SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL;
    mine(file)->syncsFolder = flags & SQLITE_OPEN_CREATE && flags & journals;
    pthread_mutex_lock(&diskMutex);
    const char *name = watchedName(path);
    int code = name ? strike(FaultyDiskCallOpen) : SQLITE_OK;
    Node *node = name && !code ? nodeFor(name, path, flags & SQLITE_OPEN_MAIN_DB) : NULL;
    pthread_mutex_unlock(&diskMutex);
    if (code) return code;
    code = below->xOpen(below, path, real(file), flags, outFlags);
    pthread_mutex_lock(&diskMutex);
    if (real(file)->pMethods) file->pMethods = &methods;
    if (code == SQLITE_OK && node) {
        mine(file)->node = node;
        node->openCount++;
    }
    pthread_mutex_unlock(&diskMutex);
    return code;
}

static int diskDelete(sqlite3_vfs *vfs, const char *path, int syncsFolder) {
    (void)vfs;
    pthread_mutex_lock(&diskMutex);
    int watches = watchedName(path) != NULL;
    pthread_mutex_unlock(&diskMutex);
    if (!watches) return below->xDelete(below, path, syncsFolder);
    announce(FaultyDiskCallDelete);
    pthread_mutex_lock(&diskMutex);
    int code = strike(FaultyDiskCallDelete);
    pthread_mutex_unlock(&diskMutex);
    if (code) return code;
    code = below->xDelete(below, path, syncsFolder && isReal);
    pthread_mutex_lock(&diskMutex);
    const char *name = watchedName(path);
    if (code == SQLITE_OK && name) {
        removeName(name);
        if (syncsFolder && !isLying) syncFolder();
    }
    pthread_mutex_unlock(&diskMutex);
    return code;
}

static int diskAccess(sqlite3_vfs *vfs, const char *path, int flags, int *result) {
    (void)vfs;
    pthread_mutex_lock(&diskMutex);
    int code = watchedName(path) ? strike(FaultyDiskCallAccess) : SQLITE_OK;
    pthread_mutex_unlock(&diskMutex);
    return code ? code : below->xAccess(below, path, flags, result);
}

int faulty_disk_install(void) {
    below = sqlite3_vfs_find(NULL);
    if (!below) return SQLITE_ERROR;
    disk = *below;
    disk.pNext = NULL;
    disk.zName = "faulty-disk";
    disk.szOsFile = (int)((sizeof(File) + 7) & ~7u) + below->szOsFile;
    disk.xOpen = diskOpen;
    disk.xDelete = diskDelete;
    disk.xAccess = diskAccess;
    return sqlite3_vfs_register(&disk, 1);
}

// Control

void faulty_disk_watch(const char *folder) {
    pthread_mutex_lock(&diskMutex);
    watchFolder(folder);
    memset(counts, 0, sizeof counts);
    memset(&plan, 0, sizeof plan);
    pthread_mutex_unlock(&diskMutex);
}

void faulty_disk_fail(FaultyDiskCall call, long nth, FaultyDiskError error, int lasting) {
    pthread_mutex_lock(&diskMutex);
    memset(counts, 0, sizeof counts);
    plan.isArmed = 1;
    plan.isLasting = lasting;
    plan.call = call;
    plan.error = error;
    plan.nth = nth;
    plan.fired = 0;
    pthread_mutex_unlock(&diskMutex);
}

void faulty_disk_heal(void) {
    pthread_mutex_lock(&diskMutex);
    plan.isArmed = 0;
    pthread_mutex_unlock(&diskMutex);
}

long faulty_disk_fired(void) {
    pthread_mutex_lock(&diskMutex);
    long fired = plan.fired;
    pthread_mutex_unlock(&diskMutex);
    return fired;
}

long faulty_disk_count(FaultyDiskCall call) {
    pthread_mutex_lock(&diskMutex);
    long count = counts[call];
    pthread_mutex_unlock(&diskMutex);
    return count;
}

void faulty_disk_delay_syncs(unsigned microseconds) {
    pthread_mutex_lock(&diskMutex);
    delay = microseconds;
    pthread_mutex_unlock(&diskMutex);
}

void faulty_disk_sync_for_real(int value) {
    pthread_mutex_lock(&diskMutex);
    isReal = value;
    pthread_mutex_unlock(&diskMutex);
}

void faulty_disk_lie_about_syncs(int value) {
    pthread_mutex_lock(&diskMutex);
    isLying = value;
    pthread_mutex_unlock(&diskMutex);
}

void faulty_disk_before_changes(void (*called)(void *, FaultyDiskCall), void *context) {
    pthread_mutex_lock(&diskMutex);
    hook = called;
    hookContext = context;
    pthread_mutex_unlock(&diskMutex);
}
