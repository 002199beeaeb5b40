/// All operations on one subject: a table, or a few that belong together.
///
/// ```swift
/// struct UserDAO: DAO {
///     let database: any DatabaseWriter
///     init(_ database: any DatabaseWriter) { self.database = database }
///     static func setUpTables(_ setUp: inout TableSetUp) { setUp.createTable(User.self) }
///
///     func named(_ prefix: String) async throws(UserError) -> [User] {
///         try await read(or: UserError.cannotFetch) { db in try db.all(User.filter(User.username.hasPrefix(prefix))) }
///     }
/// }
/// ```
/// Every error that leaves a DAO is a domain error: the database error inside it is for logs.
public protocol DAO: Sendable {
    /// The domain error that this DAO's operations throw.
    associatedtype Failure: DomainError
    /// The database that this DAO reads and writes.
    var database: any DatabaseWriter { get }
    /// A DAO over an open database. Runs no statement.
    init(_ database: any DatabaseWriter)
    /// Names the tables this DAO is for. Required of each: a DAO without set-up does not compile.
    static func setUpTables(_ setUp: inout TableSetUp)
}

/// Takes the tables of all DAOs; they are made afterwards, together, in the order of their foreign keys.
public struct TableSetUp: ~Copyable {
    private(set) var tables: [TableDefinition] = []

    /// The table of `R` with its indexes and its search index, all of it from the declaration.
    public mutating func createTable<R: Record>(_: R.Type) { tables.append(R.table.definition) }
}

/// The application's DAOs, one stored property each, which is also how they are reached:
/// ```swift
/// struct SonaDAOs: DAOs {
///     let users: UserDAO
///     let rooms: RoomDAO
///     init(_ database: any DatabaseWriter) {
///         users = UserDAO(database)
///         rooms = RoomDAO(database)
///     }
/// }
/// let (pool, daos) = try await DatabasePool.open(path, applicationID: id, daos: SonaDAOs.self)
/// ```
/// Being a property is the registration: opening finds the properties and sets up the tables of each. A property may also
/// be a group of DAOs, such as those of one module. Anything else but a database is `misuse`.
public protocol DAOs: Sendable {
    /// Makes every DAO over the one open database.
    init(_ database: any DatabaseWriter)
}

/// An error in the words of the application.
public protocol DomainError: Error, Sendable {
    /// The meaning of a violated constraint in the application: `UNIQUE(users.username)` may be `.usernameTaken`.
    ///
    /// - Returns: `nil` for errors without a meaning of their own.
    init?(_ error: DatabaseError)
}

extension DomainError {
    /// The default: no constraint has a meaning of its own.
    public init?(_ error: DatabaseError) { nil }
}

extension DAO {
    /// Reads one state of the database.
    ///
    /// - Parameter failure: What a database error becomes that means nothing by itself: `UserError.cannotFetch`.
    /// - Throws: A `Failure` that `body` throws, as it is.
    public func read<Value: Sendable>(
        or failure: @Sendable (DatabaseError) -> Failure,
        _ body: @escaping @Sendable (inout ReadAccess) throws -> Value
    ) async throws(Failure) -> Value {
        do { return try await database.read(body) } catch { throw Self.translate(error, or: failure) }
    }

    /// Writes, all of `body` or nothing.
    ///
    /// - Throws: As `read`.
    @discardableResult
    public func write<Value: Sendable>(
        or failure: @Sendable (DatabaseError) -> Failure,
        _ body: @escaping @Sendable (inout WriteAccess) throws -> Value
    ) async throws(Failure) -> Value {
        do { return try await database.write(body) } catch { throw Self.translate(error, or: failure) }
    }

    /// Whether there is such a record. Does not throw: an error is logged, counted, and means no.
    ///
    /// Use it to show something, never to decide: only the UNIQUE index decides, when the row is written.
    public func exists<R: Record>(_: R.Type, key: R.Key) async -> Bool {
        await answer { db in try db.exists(R.self, key: key) }
    }

    /// The same for any record the query means.
    public func exists<R: Record>(_ query: Query<R>) async -> Bool {
        await answer { db in try db.exists(query) }
    }

    private func answer(_ body: @escaping @Sendable (inout ReadAccess) throws -> Bool) async -> Bool {
        do {
            return try await database.read(body)
        } catch {
            database.engine.suppress(Self.databaseError(error))
            return false
        }
    }

    private static func translate(_ error: any Error, or failure: (DatabaseError) -> Failure) -> Failure {
        if let error = error as? Failure { return error }
        let error = databaseError(error)
        return Failure(error) ?? failure(error)
    }

    private static func databaseError(_ error: any Error) -> DatabaseError {
        switch error {
        case let error as DatabaseError: error
        case is CancellationError: DatabaseError(kind: .interrupted, hint: "the task was cancelled")
        default: DatabaseError(kind: .other, detail: "\(error)")
        }
    }
}
