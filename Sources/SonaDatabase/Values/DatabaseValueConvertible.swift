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
    /// The type that columns of this Swift type are declared with.
    static var storageClass: StorageClass { get }
    /// Whether NULL is a value of this type: decides over NOT NULL.
    static var isNullable: Bool { get }
    /// The value as it is stored.
    var databaseValue: DatabaseValue { get }
    /// - Returns: `nil` if the stored value is not of this type; reading the column then throws `badValue`.
    init?(databaseValue: DatabaseValue)
    /// Reads the value where SQLite has it. Agrees with `init(databaseValue:)`.
    init?(stored: borrowing StoredValue)
    /// Binds one value. Agrees with `databaseValue`.
    func bind(to values: inout Binder)
}

extension DatabaseValueConvertible {
    /// The default: NULL is no value of the type.
    @inlinable public static var isNullable: Bool { false }
    /// The default: goes by `init(databaseValue:)`, which copies texts and blobs.
    @inlinable public init?(stored: borrowing StoredValue) { self.init(databaseValue: stored.databaseValue) }
    /// The default: binds `databaseValue`.
    @inlinable public func bind(to values: inout Binder) { values.value(databaseValue) }

    // One value is a key of one column.
    /// 1: a value fills one column of a key.
    @inlinable public static var columnCount: Int { 1 }
    /// Reads the next column.
    ///
    /// - Throws: `badValue` if the stored value is not of this type.
    @inlinable public init(row: inout Row) throws(DatabaseError) { self = try row.next() }
}

/// The value that names one row: one value, or a struct of several for a primary key of several columns.
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
    /// Columns of the key, at least 1.
    static var columnCount: Int { get }
    /// - Throws: `badValue` if a column holds no value of its part's type.
    init(row: inout Row) throws(DatabaseError)
    /// Binds the values of all columns of the key, in the order of `init(row:)`.
    func bind(to values: inout Binder)
}

extension DatabaseValue: DatabaseValueConvertible {
    /// ANY: a column of this type takes values of every storage class.
    @inlinable public static var storageClass: StorageClass { .any }
    /// True: `.null` is a value.
    @inlinable public static var isNullable: Bool { true }
    /// The value itself.
    @inlinable public var databaseValue: DatabaseValue { self }
    /// Takes every value.
    @inlinable public init?(databaseValue: DatabaseValue) { self = databaseValue }
}

/// Enums over texts and numbers need nothing but the name of the protocol.
extension DatabaseValueConvertible where Self: RawRepresentable, RawValue: DatabaseValueConvertible {
    /// The storage class of the raw values.
    @inlinable public static var storageClass: StorageClass { RawValue.storageClass }
    /// The raw value as it is stored.
    @inlinable public var databaseValue: DatabaseValue { rawValue.databaseValue }
    /// `nil` if the value is not of the raw type, or is not the raw value of any case.
    @inlinable public init?(databaseValue: DatabaseValue) {
        guard let value = RawValue(databaseValue: databaseValue) else { return nil }
        self.init(rawValue: value)
    }
    /// `nil` under the same conditions, read without a copy where the raw type does.
    @inlinable public init?(stored: borrowing StoredValue) {
        guard let value = RawValue(stored: stored) else { return nil }
        self.init(rawValue: value)
    }
    /// Binds the raw value.
    @inlinable public func bind(to values: inout Binder) { rawValue.bind(to: &values) }
}
