/// How a database is opened. Every value has a default that suits a server.
public struct DatabaseOptions: Sendable {
    /// When a write is answered.
    public enum Durability: Sendable {
        /// When it is on the disk: it survives a power cut (`synchronous=FULL`).
        case full
        /// When the operating system has it: it survives a crash of the process, but a power cut may take back the last
        /// writes. The file stays whole (`synchronous=NORMAL`).
        case normal
    }

    /// Read back after opening; a difference is the error `setting`.
    public var durability = Durability.full
    /// Connections that read. A queue has none.
    public var readers = 4
    /// Pages each connection may keep in memory. They are taken as they are used.
    public var cacheBytesMax = 8 << 20
    /// How long a statement waits for another process.
    public var busyTimeoutMilliseconds: Int32 = 5_000
    /// Prepared statements kept per connection; the least recently used goes. Those of records are not counted: there
    /// are ten of a table.
    public var statementCacheSize = 256
    /// Writes in one commit.
    public var batchWritesMax = 512
    /// Writes waiting; one more is refused with `busy`.
    public var queuedWritesMax = 16_384
    /// Reads waiting; one more is refused with `busy`.
    public var waitingReadsMax = 16_384
    /// A file that was not closed is checked page by page when it is opened again, up to this size.
    public var checkedBytesMax = 200 << 20
    /// Up to this size it is checked at every opening: that takes some milliseconds.
    public var alwaysCheckedBytesMax = 16 << 20
    /// Once the log has this size, reads older than `longReadMax` are ended with `interrupted`, so that the log can
    /// start anew.
    public var walBytesMax = 256 << 20
    /// How long a read may keep the log from starting anew once it has reached `walBytesMax`.
    public var longReadMax = Duration.seconds(30)
    /// Told what an operator should know. On any thread; must not wait.
    public var log: (@Sendable (DatabaseEvent) -> Void)?

    /// Where the file is, for what needs a name.
    var path = ""

    /// Options with the defaults that the properties name.
    public init() {}
}

/// An event that is worth a line in an operator's log.
public enum DatabaseEvent: Sendable {
    /// An access that answers without throwing (`DAO.exists`) met this.
    case suppressed(DatabaseError)
    /// A checkpoint failed, so the log was not copied into the file.
    case checkpointFailed(DatabaseError)
    /// A sync failed: nothing is written any more until the file is opened again. Worth ending the process for.
    case writesStopped(DatabaseError)
    /// The log has outgrown `walBytesMax`; that many old reads were ended.
    case logAtLimit(bytes: Int, endedReads: Int)
    /// A table was made, or a column added, to match its declaration.
    case schemaChanged(String)
}

/// Figures of one moment, for metrics and for finding the cause of a problem.
public struct DatabaseStatus: Sendable {
    /// Writes waiting for the writer.
    public let queuedWrites: Int
    /// Transactions committed, and the writes in them: their ratio is what grouping gains.
    public let commits: Int
    /// Writes in those transactions.
    public let writes: Int
    /// Connections of the pool that a read has now.
    public let readersInUse: Int
    /// Reads that wait for a connection of the pool.
    public let waitingReads: Int
    /// How long the oldest read has had its reader.
    public let oldestRead: Duration?
    /// Bytes in the write-ahead log after the last commit, and how many of them are not copied into the file yet.
    public let logBytes: Int
    /// Bytes of the log that are not yet copied into the file.
    public let pendingLogBytes: Int
    /// Errors that were logged and not thrown.
    public let suppressedErrors: Int
}
