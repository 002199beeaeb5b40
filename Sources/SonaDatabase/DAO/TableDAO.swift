/// A DAO of one table, with the operations that every table needs.
///
/// ```swift
/// struct AlbumDAO: TableDAO {
///     typealias Model = Album
///     typealias Failure = AlbumError
///     let database: any DatabaseWriter
///     init(_ database: any DatabaseWriter) { self.database = database }
///     static func setUpTables(_ setUp: inout TableSetUp) { setUp.createTable(Album.self) }
/// }
/// ```
public protocol TableDAO: DAO where Failure: RecordError {
    /// The record of the table.
    associatedtype Model: Record
}

/// The words in which a `TableDAO` fails. The cases of an enum fulfil it:
/// ```swift
/// enum AlbumError: RecordError {
///     case notFound, alreadyExists
///     case cannotFetch(DatabaseError), cannotSave(DatabaseError)
/// }
/// ```
public protocol RecordError: DomainError {
    /// No row has the key.
    static var notFound: Self { get }
    /// A row with the key is there already.
    static var alreadyExists: Self { get }
    /// Keeps the database's error for logs.
    static func cannotFetch(_ error: DatabaseError) -> Self
    /// The row could not be written; the database error is for logs.
    static func cannotSave(_ error: DatabaseError) -> Self
}

extension TableDAO {
    /// - Throws: `notFound`, `cannotFetch`.
    public func find(_ key: Model.Key) async throws(Failure) -> Model {
        guard let model = try await fetch(key) else { throw .notFound }
        return model
    }

    /// - Returns: `nil` if there is none.
    /// - Throws: `cannotFetch`.
    public func fetch(_ key: Model.Key) async throws(Failure) -> Model? {
        try await read(or: Failure.cannotFetch) { db in try db.first(Model.self, key: key) }
    }

    /// - Throws: `cannotFetch`.
    public func fetchAll(_ query: Query<Model> = Model.all) async throws(Failure) -> [Model] {
        try await read(or: Failure.cannotFetch) { db in try db.all(query) }
    }

    /// - Throws: `cannotFetch`.
    public func count(_ query: Query<Model> = Model.all) async throws(Failure) -> Int {
        try await read(or: Failure.cannotFetch) { db in try db.count(query) }
    }

    /// See `DAO.exists`: does not throw, and decides nothing.
    public func exists(_ key: Model.Key) async -> Bool { await exists(Model.self, key: key) }

    /// - Returns: The record as it was stored.
    /// - Throws: `alreadyExists` for a UNIQUE constraint, unless the error has a word of its own for it; `cannotSave`.
    public func create(_ model: Model) async throws(Failure) -> Model {
        try await write(or: Self.savingFailed) { db in try db.insertReturning(model) }
    }

    /// Inserts, or changes the row that has the same key.
    ///
    /// - Throws: As `create`.
    public func save(_ model: Model) async throws(Failure) -> Model {
        try await write(or: Self.savingFailed) { db in try db.upsertReturning(model) }
    }

    /// - Throws: `notFound`, and as `create`.
    public func update(_ model: Model) async throws(Failure) {
        try await write(or: Self.savingFailed) { db in
            guard try db.update(model) else { throw Failure.notFound }
        }
    }

    /// Fetches a record, lets `body` change it, and writes the columns that changed, in one transaction.
    ///
    /// - Throws: `notFound`, and as `create`.
    public func update(
        _ key: Model.Key, _ body: @escaping @Sendable (inout Model) throws -> Void
    ) async throws(Failure) -> Model {
        try await write(or: Self.savingFailed) { db in
            guard let model = try db.update(Model.self, key: key, body) else { throw Failure.notFound }
            return model
        }
    }

    /// - Throws: `notFound`, `cannotSave`.
    public func delete(_ key: Model.Key) async throws(Failure) {
        try await write(or: Failure.cannotSave) { db in
            guard try db.delete(Model.self, key: key) else { throw Failure.notFound }
        }
    }

    private static func savingFailed(_ error: DatabaseError) -> Failure {
        if case .unique = error.kind { return .alreadyExists }
        return .cannotSave(error)
    }
}
