internal import Synchronization

/// Copies the log into the file when it has grown.
///
/// On the writer's thread and no other, since two connections that write and checkpoint at once are the one way to damage
/// a file known in the SQLite that Debian 12 ships (sqlite.org/wal.html, "The WAL-Reset Bug").
///
/// A copy never waits for readers. One that reads an old state keeps the log from starting anew, so the log grows while it
/// reads: from `walBytesMax` on, reads older than `longReadMax` are ended.
final class Checkpoints: Sendable {
    private let options: DatabaseOptions
    /// Called with the log at its limit; ends old reads and says how many.
    private let endOldReads: @Sendable () -> Int
    /// Pages in the log after the last commit, and pages of it that have been copied.
    private let logPages = Atomic(0)
    private let copiedPages = Atomic(0)
    private let bytesPerPage = 4_096
    private let pagesDue = 1_000
    /// 64 MiB of pages: from here on the log is not only copied but cut.
    private let pagesToCut = 16_384

    init(options: DatabaseOptions, endOldReads: @escaping @Sendable () -> Int) {
        self.options = options
        self.endOldReads = endOldReads
    }

    /// Bytes in the log after the last commit, and bytes of it that are not in the file yet.
    var log: (bytes: Int, pending: Int) {
        let pages = logPages.load(ordering: .relaxed)
        return (pages * bytesPerPage, max(0, pages - copiedPages.load(ordering: .relaxed)) * bytesPerPage)
    }

    /// - Returns: The error, if there was one.
    func runIfDue(on connection: Connection) -> DatabaseError? {
        let pages = connection.hooks.walPages
        logPages.store(pages, ordering: .relaxed)
        var copied = copiedPages.load(ordering: .relaxed)
        // The log has started anew.
        if pages < copied { copied = 0 }
        copiedPages.store(copied, ordering: .relaxed)
        guard pages - copied >= pagesDue else { return nil }
        if pages * bytesPerPage > options.walBytesMax {
            let ended = endOldReads()
            options.log?(.logAtLimit(bytes: pages * bytesPerPage, endedReads: ended))
        }
        do {
            try run(on: connection, truncating: pages >= pagesToCut)
            return nil
        } catch {
            options.log?(.checkpointFailed(error))
            return error
        }
    }

    func run(on connection: Connection, truncating: Bool) throws(DatabaseError) {
        // Cutting waits for readers; the writer must not.
        if truncating { connection.setBusyTimeout(milliseconds: 0) }
        defer { connection.setBusyTimeout(milliseconds: options.busyTimeoutMilliseconds) }
        let result = try connection.checkpoint(truncating: truncating)
        // Pages that a reader keeps from being copied are tried again after as many more.
        copiedPages.store(truncating && result.pages == 0 ? 0 : connection.hooks.walPages, ordering: .relaxed)
        if truncating, result.pages == 0 {
            connection.hooks.walPages = 0
            logPages.store(0, ordering: .relaxed)
        }
    }

    /// Copies the log into the file, so that the file needs no log.
    func finish(on connection: Connection) {
        try? connection.set("PRAGMA optimize")
        _ = try? connection.checkpoint(truncating: true)
    }
}
