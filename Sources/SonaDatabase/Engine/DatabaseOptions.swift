/// Options for opening a database. Every value has a default that suits a server.
public struct DatabaseOptions: Sendable {
    /// The event that a write waits for before it is answered.
    public enum Durability: Sendable {
        /// The disk: an answered write survives a power cut (`synchronous=FULL`).
        case full
        /// The operating system: an answered write survives a crash of the process, but a power cut may undo the last
        /// writes. The file stays consistent (`synchronous=NORMAL`).
        case normal
    }

    /// The durability of writes. It is read back while opening; a difference is the error `setting`.
    public var durability = Durability.full
    /// Reading connections of a pool, at least 1. A queue has none.
    public var readers = 4
    /// Bytes of pages that each connection may cache in memory, at least 64 KiB, rounded down to KiB. Memory is
    /// allocated as pages are read.
    public var cacheBytesMax = 8 << 20
    /// How long a statement, or the opening, waits for a lock of another process before it fails with `busy`.
    public var busyTimeoutMilliseconds: Int32 = 5_000
    /// Prepared statements kept per connection, at least 1. The least recently used one is dropped first. Statements of
    /// records are kept separately and not counted: up to ten per table.
    public var statementCacheSize = 256
    /// The most writes in one commit.
    public var batchWritesMax = 512
    /// The most writes that wait for the writer. A further one is refused with `busy`.
    public var queuedWritesMax = 16_384
    /// The most reads that wait for a reader of the pool. A further one is refused with `busy`.
    public var waitingReadsMax = 16_384
    /// The size up to which a file that was not closed properly is checked page by page when it is opened.
    public var checkedBytesMax = 200 << 20
    /// The size up to which a file is checked page by page at every opening, which takes some milliseconds.
    public var alwaysCheckedBytesMax = 16 << 20
    /// The size of the write-ahead log beyond which reads of the pool older than `longReadMax` are ended with
    /// `interrupted`, so that the log can start again. Checked after commits, every 1 000 pages. Detached reads and
    /// backups are not ended.
    public var walBytesMax = 256 << 20
    /// The minimum age of a read that is ended when the log exceeds `walBytesMax`.
    public var longReadMax = Duration.seconds(30)
    /// Called with events that an operator should know. On any thread; must not block.
    public var log: (@Sendable (DatabaseEvent) -> Void)?

    /// The path of the file, for messages. Set while opening.
    var path = ""

    /// Makes options with the defaults of the properties.
    public init() {}
}

/// An event that deserves a line in an operator's log.
public enum DatabaseEvent: Sendable {
    /// An access that cannot throw (`DAO.exists`) had this error.
    case suppressed(DatabaseError)
    /// A checkpoint failed, so the log was not copied into the file.
    case checkpointFailed(DatabaseError)
    /// A sync failed, so nothing is written until the file is opened again. The process should end.
    case writesStopped(DatabaseError)
    /// Writes failed for a reason that concerns all of them: the disk is full, the file can't be written, another process
    /// holds it. Told for every batch of writes that fails.
    case writeFailed(DatabaseError)
    /// A write succeeded after `writeFailed`.
    case writesResumed
    /// The log has outgrown `walBytesMax`, and `endedReads` old reads were ended.
    case logAtLimit(bytes: Int, endedReads: Int)
    /// A table was made, or a column added, to match its declaration.
    case schemaChanged(String)
}

/// Figures of one moment, for metrics and diagnosis.
public struct DatabaseStatus: Sendable {
    /// Writes waiting for the writer.
    public let queuedWrites: Int
    /// Committed transactions. `writes` divided by this is the gain of group commits.
    public let commits: Int
    /// Writes in those transactions.
    public let writes: Int
    /// Connections of the pool that are in use by reads.
    public let readersInUse: Int
    /// Reads that wait for a connection of the pool.
    public let waitingReads: Int
    /// How long the oldest running read has had its connection. `nil` if none is running.
    public let oldestRead: Duration?
    /// Bytes in the write-ahead log after the last commit.
    public let logBytes: Int
    /// Bytes of the log that are not copied into the file yet.
    public let pendingLogBytes: Int
    /// Errors that were logged and not thrown.
    public let suppressedErrors: Int
}
