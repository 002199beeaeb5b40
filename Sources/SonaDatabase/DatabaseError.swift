/// A failure of the database: enough for code to decide by, and for an operator to act on.
///
/// `description` holds no bound values and no words of SQLite's that could quote them; `detail` holds SQLite's own
/// message and is for logs only.
public struct DatabaseError: Error, Sendable, Equatable {
    /// The kinds that code tells apart. More may come: switch with a default.
    public enum Kind: Sendable, Equatable {
        /// A UNIQUE or PRIMARY KEY constraint. For an index over expressions the table is empty and the one "column"
        /// is the index.
        case unique(table: String, columns: [String])
        /// A FOREIGN KEY constraint: a row that is referred to is missing, or is to be deleted.
        case foreignKey
        /// The name of the CHECK constraint, or its text if it has none.
        case check(String)
        /// A NOT NULL constraint.
        case notNull(table: String, column: String)
        /// Another process holds the file, or more accesses wait than the pool allows. Worth a later try.
        case busy
        /// The disk is full. Nothing of the write was kept.
        case full
        /// Reading, writing or syncing failed below SQLite.
        case io
        /// The file, or a folder above it, could not be opened.
        case cannotOpen
        /// The file, or its folder, cannot be written.
        case readOnly
        /// Pages of the file contradict each other.
        case corrupt
        /// The file is something else than a database.
        case notADatabase
        /// The task was cancelled while its statement ran, or the read was ended since it held a log at its limit.
        case interrupted
        /// A read reached its time limit.
        case timedOut
        /// The pool was closed, or is closing.
        case closed
        /// More migrations were applied to the file than this program knows.
        case newerVersion(found: Int, known: Int)
        /// The file is a database of another program.
        case foreignApplication(id: Int32)
        /// Migrations applied to the file are not the ones this program lists.
        case schemaMismatch(String)
        /// The table could not be made, or is not what its record declares.
        case setUp(table: String, reason: String)
        /// A setting did not take effect.
        case setting(String)
        /// A column holds something the wanted type does not take.
        case badValue(column: Int, wanted: String)
        /// A row that was to be changed is not there.
        case notFound
        /// The program used the database wrongly: transaction control inside a write, a missing argument.
        case misuse(String)
        /// Anything else SQLite says; the code is beside it.
        case other
    }

    /// The kind of failure, to decide by.
    public let kind: Kind
    /// SQLite's extended result code; 0 if the error is ours.
    public let extendedCode: Int32
    /// The statement, with `?` where values were bound.
    public let sql: String?
    /// SQLite's message. May quote data: for the operator's log, never for a client.
    public let detail: String?
    /// More for an operator than the kind: the holder of the lock, the table concerned. In words of this layer, without
    /// data.
    public internal(set) var hint: String?

    /// An error of the application's own making, for tests and for conformances.
    public init(
        kind: Kind, extendedCode: Int32 = 0, sql: String? = nil, detail: String? = nil, hint: String? = nil
    ) {
        self.kind = kind
        self.extendedCode = extendedCode
        self.sql = sql
        self.detail = detail
        self.hint = hint
    }
}

extension DatabaseError {
    /// Whether other writes would fail for the same reason: it is the disk's, the file's or another process's.
    public var concernsAllWrites: Bool {
        switch kind {
        case .busy, .full, .io, .cannotOpen, .readOnly, .corrupt, .notADatabase: true
        default: false
        }
    }
}

extension DatabaseError: CustomStringConvertible {
    /// One line for a log: kind, SQLite's code, hint and statement, without bound values.
    public var description: String {
        var text = "database: \(kind)"
        if extendedCode != 0 { text += " (SQLite code \(extendedCode))" }
        if let hint { text += ": \(hint)" }
        if let sql { text += " in: \(sql)" }
        return text
    }
}

/// Leaves out the statement: an enum prints this text for an error in one of its cases, and that may reach a client.
extension DatabaseError: CustomDebugStringConvertible {
    /// At most the code, so that an interpolated enum shows nothing of the schema.
    public var debugDescription: String { "a database error" + (extendedCode == 0 ? "" : " (\(extendedCode))") }
}
