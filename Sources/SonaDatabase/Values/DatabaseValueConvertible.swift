/// A type that fits into one column.
///
/// `String`, `Int64`, `Int`, `UInt32`, `Double`, `Bool`, `[UInt8]`, `Date`, `UUID`, `JSON`, their optionals, and enums over
/// them conform. An application adds its identifiers:
/// ```swift
/// extension AlbumID: DatabaseValueConvertible {
///     public static var storageClass: StorageClass { .text }
///     public var databaseValue: DatabaseValue { .text(rawValue) }
///     public init?(databaseValue: DatabaseValue) {
///         guard case .text(let text) = databaseValue else { return nil }
///         self.init(text)
///     }
/// }
/// ```
/// That is enough. `init(stored:)` and `bind(to:)` do the same without a `DatabaseValue` in between, for types on hot
/// paths.
public protocol DatabaseValueConvertible: RecordKey {
    /// What a column of this type is declared as.
    static var storageClass: StorageClass { get }
    /// Whether NULL is a value of this type: decides over NOT NULL.
    static var isNullable: Bool { get }
    var databaseValue: DatabaseValue { get }
    /// - Returns: `nil` if the stored value is none of this type; reading the column then throws `badValue`.
    init?(databaseValue: DatabaseValue)
    /// Reads the value where SQLite has it. Agrees with `init(databaseValue:)`.
    init?(stored: borrowing StoredValue)
    /// Binds one value. Agrees with `databaseValue`.
    func bind(to values: inout Binder)
}

extension DatabaseValueConvertible {
    @inlinable public static var isNullable: Bool { false }
    @inlinable public init?(stored: borrowing StoredValue) { self.init(databaseValue: stored.databaseValue) }
    @inlinable public func bind(to values: inout Binder) { values.value(databaseValue) }

    // One value is a key of one column.
    @inlinable public static var columnCount: Int { 1 }
    @inlinable public init(row: inout Row) throws(DatabaseError) { self = try row.next() }
}

/// What names one row: one value, or a struct of several for a primary key of several columns.
///
/// ```swift
/// struct StarKey: RecordKey, Hashable {
///     var note: Int64, place: Int
///     static let columnCount = 2
///     init(row: inout Row) throws(DatabaseError) { note = try row.next(); place = try row.next() }
///     func bind(to values: inout Binder) { values.next(note); values.next(place) }
/// }
/// ```
public protocol RecordKey: Sendable {
    static var columnCount: Int { get }
    init(row: inout Row) throws(DatabaseError)
    func bind(to values: inout Binder)
}

extension DatabaseValue: DatabaseValueConvertible {
    @inlinable public static var storageClass: StorageClass { .any }
    @inlinable public static var isNullable: Bool { true }
    @inlinable public var databaseValue: DatabaseValue { self }
    @inlinable public init?(databaseValue: DatabaseValue) { self = databaseValue }
}

/// Enums over texts and numbers need nothing but the name of the protocol.
extension DatabaseValueConvertible where Self: RawRepresentable, RawValue: DatabaseValueConvertible {
    @inlinable public static var storageClass: StorageClass { RawValue.storageClass }
    @inlinable public var databaseValue: DatabaseValue { rawValue.databaseValue }
    @inlinable public init?(databaseValue: DatabaseValue) {
        guard let value = RawValue(databaseValue: databaseValue) else { return nil }
        self.init(rawValue: value)
    }
    @inlinable public init?(stored: borrowing StoredValue) {
        guard let value = RawValue(stored: stored) else { return nil }
        self.init(rawValue: value)
    }
    @inlinable public func bind(to values: inout Binder) { rawValue.bind(to: &values) }
}
