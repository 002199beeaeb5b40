internal import CSQLite

extension Connection {
    /// Writes the log that a process left behind once more, as it is, and syncs it.
    ///
    /// That process may have met a failed sync: then the log is in the system's memory, marked as clean, and not on the
    /// disk. SQLite would read it, build on it and answer writes that a power cut takes back. A second sync would do
    /// nothing; pages that are written again are written.
    ///
    /// Runs in a write transaction, so that no other process changes the log meanwhile. If another process is writing
    /// already, nothing is done: it is alive and knows the outcome of its syncs. Costs as much as copying the log.
    ///
    /// Source: "Can Applications Recover from fsync Failures?", USENIX ATC 2020.
    func rewriteLog() throws(DatabaseError) {
        do throws(DatabaseError) {
            try transaction { () throws(DatabaseError) in try rewriteLogFile() }
        } catch {
            guard error.kind == .busy else { throw error }
        }
    }

    private func rewriteLogFile() throws(DatabaseError) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) == SQLITE_OK, let file,
            let methods = file.pointee.pMethods?.pointee, let size = methods.xFileSize, let read = methods.xRead,
            let write = methods.xWrite, let sync = methods.xSync
        else { return }
        var bytes: sqlite3_int64 = 0
        try succeed(size(file, &bytes))
        // SQLite's own files take no more than 128 KiB at a time (os_unix.c, seekAndWriteFd).
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { chunk.deallocate() }
        var offset: sqlite3_int64 = 0
        while offset < bytes {
            let count = Int32(min(Int64(chunk.count), bytes - offset))
            try succeed(read(file, chunk.baseAddress, count, offset))
            try succeed(write(file, chunk.baseAddress, count, offset))
            offset += Int64(count)
        }
        if bytes > 0 { try succeed(sync(file, SQLITE_SYNC_FULL)) }
    }

    private func succeed(_ code: Int32) throws(DatabaseError) {
        guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: nil) }
    }

    /// Closes without copying the log into the file: what a failed sync has left on the disk must not be built on.
    func closeLeavingLog() {
        try? setFlag(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
        close()
    }
}
