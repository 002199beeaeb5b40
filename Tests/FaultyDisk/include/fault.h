// A disk that fails on demand: a SQLite VFS over the default one, for tests.
//
// Reads, writes, syncs and the rest go through to real files in one watched folder. On the way a call can be made to
// fail, and what has been written is held apart from what has been synced, so that a power cut can be shown: the files
// as they would be found afterwards are written to another folder, while the process goes on.
//
// The model of the disk: what a successful sync covered is there. Of the writes since then any may be there and any
// may be missing, sector by sector (512 bytes), in any order; a file that became longer without them holds zeros. A
// sync that failed leaves its writes to be seen and never written again, as Linux does (pages are marked clean). Names
// made and removed in the folder survive in order, up to some point at or after the last sync of the folder; SQLite
// syncs the folder together with the first sync of a log or a journal through each connection.
//
// One process, one watched folder at a time. Calls that change files are expected from one thread at a time, as a
// database with one writer makes them; all others may come from any thread.
#pragma once

#include <stdint.h>

typedef enum __attribute__((enum_extensibility(closed))) {
    FaultyDiskCallOpen,
    FaultyDiskCallRead,
    FaultyDiskCallWrite,
    FaultyDiskCallSync,
    FaultyDiskCallTruncate,
    FaultyDiskCallDelete,
    FaultyDiskCallAccess,
    FaultyDiskCallFileSize,
    FaultyDiskCallLock,
    FaultyDiskCallSharedMemoryMap,
    FaultyDiskCallSharedMemoryLock,
} FaultyDiskCall;

typedef enum __attribute__((enum_extensibility(closed))) {
    /// SQLITE_IOERR with the extended code of the call; SQLITE_CANTOPEN for an open.
    FaultyDiskErrorIO,
    /// SQLITE_FULL.
    FaultyDiskErrorFull,
} FaultyDiskError;

/// Which of the writes since the last sync a power cut takes.
typedef enum __attribute__((enum_extensibility(closed))) {
    FaultyDiskLossNothing,
    FaultyDiskLossEverything,
    /// Those from some point on, over all files; the last before it is torn.
    FaultyDiskLossTail,
    /// Each write is there or not.
    FaultyDiskLossWrites,
    /// Each sector is there or not.
    FaultyDiskLossSectors,
} FaultyDiskLoss;

/// Registers the disk as the default of this process. Before any database is opened.
///
/// Returns: SQLite's result code.
int faulty_disk_install(void);

/// Watches the files in `folder` from now on, and forgets all that was known and planned. What is in the folder counts
/// as synced. Files outside of it go through untouched.
void faulty_disk_watch(const char *folder);

// Faults

/// The `nth` call of this kind from now on (1 is the next) fails; with `lasting`, all after it too. A write that fails
/// has written its first half.
void faulty_disk_fail(FaultyDiskCall call, long nth, FaultyDiskError error, int lasting);
void faulty_disk_heal(void);
/// How often a call was made to fail since `faulty_disk_fail`.
long faulty_disk_fired(void);
/// Calls of this kind since `faulty_disk_fail` or `faulty_disk_watch`.
long faulty_disk_count(FaultyDiskCall call);

// Syncs

void faulty_disk_delay_syncs(unsigned microseconds);
/// Whether syncs reach the real disk. They need not where power is cut in the model alone.
void faulty_disk_sync_for_real(int real);
/// A disk that reports a sync done and does nothing: to see that a test would notice.
void faulty_disk_lie_about_syncs(int lie);

// Power cuts

/// Called before each call that changes a file (write, sync, truncate, delete), on its thread; `NULL` ends it.
void faulty_disk_before_changes(void (*hook)(void *context, FaultyDiskCall call), void *context);

/// Writes to `folder`, which exists, what a power cut now would leave.
///
/// Returns: How many writes since the last sync were there to lose, or -1 if the files could not be written.
long faulty_disk_cut(const char *folder, FaultyDiskLoss loss, uint64_t seed);

/// Writes to `folder` what a process killed now would leave: all of it, synced or not. Watches that folder from then
/// on, and knows what of it is synced.
///
/// Returns: 0, or -1 if the files could not be written.
int faulty_disk_continue_in(const char *folder);
