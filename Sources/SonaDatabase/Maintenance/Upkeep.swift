/// The effect of a checkpoint on the log.
public struct CheckpointResult: Sendable, Equatable {
    /// Bytes of the log's file.
    public let logBytesBefore: Int
    /// Bytes of the log's file after the checkpoint.
    public let logBytesAfter: Int
    /// The age of the oldest read in the pool when the checkpoint was made; `nil` if there was none.
    public let oldestRead: Duration?

    /// Whether a reader of an older state kept the log from being cut: one of the pool, a backup or a check that is
    /// under way, or another process.
    public var isHeldByReader: Bool { logBytesAfter > 0 }
}

extension DatabaseWriter {
    /// Copies the log into the file and cuts it, as far as readers allow, without waiting for them.
    ///
    /// The writer does it by itself as the log grows; this is for a moment of the caller's choice, such as a quiet hour
    /// or before the file is copied by other means. In its turn among the writes, which wait for the disk meanwhile.
    ///
    /// - Throws: `full`, `io` and their like; `closed`; `busy` when too many writes wait; `interrupted` if the task was
    ///   cancelled before it began.
    public func checkpoint() async throws(DatabaseError) -> CheckpointResult {
        let engine = engine
        let log = engine.path + DatabaseFiles.log
        do {
            return try await engine.run(.outside) { connection in
                let before = ConnectionSetup.bytes(ofFile: log)
                let oldestRead = engine.readers?.counts.oldest
                try engine.checkpoints.run(on: connection, truncating: true)
                return CheckpointResult(
                    logBytesBefore: before, logBytesAfter: ConnectionSetup.bytes(ofFile: log), oldestRead: oldestRead)
            }
        } catch {
            throw DatabaseError(error)
        }
    }

    /// Writes the whole database anew, without the space that deleted rows have left, and gives that back to the disk.
    ///
    /// Writes wait until it is done; reads go on, with the state before it. Needs twice the size of the database free
    /// for a while, in the folder of temporary files and in the log. Changes the rowid of rows in tables without an
    /// INTEGER primary key.
    ///
    /// - Throws: `full`, `io` and their like, and then nothing has changed; `closed`; `busy` when too many writes wait;
    ///   `CancellationError` if the task was cancelled before it began. One that has begun is finished.
    public func vacuum() async throws {
        let engine = engine
        try await engine.run(.outside) { connection in
            try connection.set("VACUUM")
            // The new pages are in the log: the file shrinks when they are copied.
            try engine.checkpoints.run(on: connection, truncating: true)
        }
    }
}
