extension Int64: DatabaseValueConvertible {
    /// INTEGER.
    @inlinable public static var storageClass: StorageClass { .integer }
    /// The number as an integer of SQLite's.
    @inlinable public var databaseValue: DatabaseValue { .integer(self) }
    /// `nil` unless the value is an integer.
    @inlinable public init?(databaseValue: DatabaseValue) {
        guard case .integer(let value) = databaseValue else { return nil }
        self = value
    }
    /// `nil` unless an integer is stored.
    @inlinable public init?(stored: borrowing StoredValue) {
        guard let value = stored.integer else { return nil }
        self = value
    }
    /// Binds the number.
    @inlinable public func bind(to values: inout Binder) { values.integer(self) }
}

/// The other integers are stored as `Int64`; a stored number out of their range is `badValue`.
extension DatabaseValueConvertible where Self: FixedWidthInteger {
    /// INTEGER.
    @inlinable public static var storageClass: StorageClass { .integer }
    /// The number as an `Int64`. A number beyond its range is a programming error.
    @inlinable public var databaseValue: DatabaseValue { .integer(Int64(self)) }
    /// `nil` unless the value is an integer in the range of the type.
    @inlinable public init?(databaseValue: DatabaseValue) {
        guard case .integer(let value) = databaseValue else { return nil }
        self.init(exactly: value)
    }
    /// `nil` unless an integer in the range of the type is stored.
    @inlinable public init?(stored: borrowing StoredValue) {
        guard let value = stored.integer else { return nil }
        self.init(exactly: value)
    }
    /// Binds the number as an `Int64`. A number beyond its range is a programming error.
    @inlinable public func bind(to values: inout Binder) { values.integer(Int64(self)) }
}

extension Int: DatabaseValueConvertible {}
extension Int32: DatabaseValueConvertible {}
extension UInt32: DatabaseValueConvertible {}
extension UInt16: DatabaseValueConvertible {}
extension UInt8: DatabaseValueConvertible {}

extension Double: DatabaseValueConvertible {
    /// REAL.
    @inlinable public static var storageClass: StorageClass { .real }
    /// The number as a REAL. SQLite stores NaN as NULL.
    @inlinable public var databaseValue: DatabaseValue { .real(self) }
    /// Takes whole numbers too: an expression over a REAL column may yield one.
    @inlinable public init?(databaseValue: DatabaseValue) {
        switch databaseValue {
        case .real(let value): self = value
        case .integer(let value): self.init(exactly: value)
        default: return nil
        }
    }
    /// `nil` unless a REAL is stored, or an integer that a `Double` holds exactly.
    @inlinable public init?(stored: borrowing StoredValue) {
        if let value = stored.real {
            self = value
        } else {
            guard let value = stored.integer else { return nil }
            self.init(exactly: value)
        }
    }
    /// Binds a REAL. SQLite stores NaN as NULL.
    @inlinable public func bind(to values: inout Binder) { values.real(self) }
}

extension Bool: DatabaseValueConvertible {
    /// INTEGER.
    @inlinable public static var storageClass: StorageClass { .integer }
    /// 1 for true, 0 for false.
    @inlinable public var databaseValue: DatabaseValue { .integer(self ? 1 : 0) }
    /// 0 and 1 only: anything else in such a column is damage, not a truth value.
    @inlinable public init?(databaseValue: DatabaseValue) {
        switch databaseValue {
        case .integer(0): self = false
        case .integer(1): self = true
        default: return nil
        }
    }
    /// `nil` unless 0 or 1 is stored.
    @inlinable public init?(stored: borrowing StoredValue) {
        switch stored.integer {
        case 0: self = false
        case 1: self = true
        default: return nil
        }
    }
    /// Binds 1 for true, 0 for false.
    @inlinable public func bind(to values: inout Binder) { values.integer(self ? 1 : 0) }
}

extension String: DatabaseValueConvertible {
    /// TEXT.
    @inlinable public static var storageClass: StorageClass { .text }
    /// The text, in UTF-8.
    @inlinable public var databaseValue: DatabaseValue { .text(self) }
    /// `nil` unless the value is a text.
    @inlinable public init?(databaseValue: DatabaseValue) {
        guard case .text(let value) = databaseValue else { return nil }
        self = value
    }
    /// `nil` unless a text is stored.
    @inlinable public init?(stored: borrowing StoredValue) {
        guard let value = stored.text else { return nil }
        self = value
    }
    /// Binds the text.
    @inlinable public func bind(to values: inout Binder) { values.text(self) }
}

extension [UInt8]: RecordKey, DatabaseValueConvertible {
    /// BLOB.
    @inlinable public static var storageClass: StorageClass { .blob }
    /// The bytes.
    @inlinable public var databaseValue: DatabaseValue { .blob(self) }
    /// `nil` unless the value is a blob.
    @inlinable public init?(databaseValue: DatabaseValue) {
        guard case .blob(let value) = databaseValue else { return nil }
        self = value
    }
    /// `nil` unless a blob is stored.
    @inlinable public init?(stored: borrowing StoredValue) {
        guard let value = stored.withBlob({ Array($0) }) else { return nil }
        self = value
    }
    /// Binds the bytes; an empty array is an empty BLOB, not NULL.
    @inlinable public func bind(to values: inout Binder) { self.withUnsafeBytes { values.blob($0) } }
}

extension Optional: RecordKey, DatabaseValueConvertible where Wrapped: DatabaseValueConvertible {
    /// The storage class of the wrapped type.
    @inlinable public static var storageClass: StorageClass { Wrapped.storageClass }
    /// True: `nil` is stored as NULL.
    @inlinable public static var isNullable: Bool { true }
    /// NULL for `nil`.
    @inlinable public var databaseValue: DatabaseValue { self?.databaseValue ?? .null }
    /// `.some(nil)` for NULL; `nil` if the value is not of the wrapped type.
    @inlinable public init?(databaseValue: DatabaseValue) {
        if case .null = databaseValue {
            self = .none
        } else {
            guard let value = Wrapped(databaseValue: databaseValue) else { return nil }
            self = .some(value)
        }
    }
    /// `.some(nil)` for NULL; `nil` if the stored value is not of the wrapped type.
    @inlinable public init?(stored: borrowing StoredValue) {
        if stored.isNull {
            self = .none
        } else {
            guard let value = Wrapped(stored: stored) else { return nil }
            self = .some(value)
        }
    }
    /// Binds NULL for `nil`.
    @inlinable public func bind(to values: inout Binder) {
        if let self { self.bind(to: &values) } else { values.null() }
    }
}
