extension Int64: DatabaseValueConvertible {
    @inlinable public static var storageClass: StorageClass { .integer }
    @inlinable public var databaseValue: DatabaseValue { .integer(self) }
    @inlinable public init?(databaseValue: DatabaseValue) {
        guard case .integer(let value) = databaseValue else { return nil }
        self = value
    }
    @inlinable public init?(stored: borrowing StoredValue) {
        guard let value = stored.integer else { return nil }
        self = value
    }
    @inlinable public func bind(to values: inout Binder) { values.integer(self) }
}

/// The other integers are stored as `Int64`; a stored number out of their range is `badValue`.
extension DatabaseValueConvertible where Self: FixedWidthInteger {
    @inlinable public static var storageClass: StorageClass { .integer }
    @inlinable public var databaseValue: DatabaseValue { .integer(Int64(self)) }
    @inlinable public init?(databaseValue: DatabaseValue) {
        guard case .integer(let value) = databaseValue else { return nil }
        self.init(exactly: value)
    }
    @inlinable public init?(stored: borrowing StoredValue) {
        guard let value = stored.integer else { return nil }
        self.init(exactly: value)
    }
    @inlinable public func bind(to values: inout Binder) { values.integer(Int64(self)) }
}

extension Int: DatabaseValueConvertible {}
extension Int32: DatabaseValueConvertible {}
extension UInt32: DatabaseValueConvertible {}
extension UInt16: DatabaseValueConvertible {}
extension UInt8: DatabaseValueConvertible {}

extension Double: DatabaseValueConvertible {
    @inlinable public static var storageClass: StorageClass { .real }
    @inlinable public var databaseValue: DatabaseValue { .real(self) }
    /// Takes whole numbers too: an expression over a REAL column may yield one.
    @inlinable public init?(databaseValue: DatabaseValue) {
        switch databaseValue {
        case .real(let value): self = value
        case .integer(let value): self.init(exactly: value)
        default: return nil
        }
    }
    @inlinable public init?(stored: borrowing StoredValue) {
        if let value = stored.real {
            self = value
        } else {
            guard let value = stored.integer else { return nil }
            self.init(exactly: value)
        }
    }
    @inlinable public func bind(to values: inout Binder) { values.real(self) }
}

extension Bool: DatabaseValueConvertible {
    @inlinable public static var storageClass: StorageClass { .integer }
    @inlinable public var databaseValue: DatabaseValue { .integer(self ? 1 : 0) }
    /// 0 and 1 only: anything else in such a column is damage, not a truth value.
    @inlinable public init?(databaseValue: DatabaseValue) {
        switch databaseValue {
        case .integer(0): self = false
        case .integer(1): self = true
        default: return nil
        }
    }
    @inlinable public init?(stored: borrowing StoredValue) {
        switch stored.integer {
        case 0: self = false
        case 1: self = true
        default: return nil
        }
    }
    @inlinable public func bind(to values: inout Binder) { values.integer(self ? 1 : 0) }
}

extension String: DatabaseValueConvertible {
    @inlinable public static var storageClass: StorageClass { .text }
    @inlinable public var databaseValue: DatabaseValue { .text(self) }
    @inlinable public init?(databaseValue: DatabaseValue) {
        guard case .text(let value) = databaseValue else { return nil }
        self = value
    }
    @inlinable public init?(stored: borrowing StoredValue) {
        guard let value = stored.text else { return nil }
        self = value
    }
    @inlinable public func bind(to values: inout Binder) { values.text(self) }
}

extension [UInt8]: RecordKey, DatabaseValueConvertible {
    @inlinable public static var storageClass: StorageClass { .blob }
    @inlinable public var databaseValue: DatabaseValue { .blob(self) }
    @inlinable public init?(databaseValue: DatabaseValue) {
        guard case .blob(let value) = databaseValue else { return nil }
        self = value
    }
    @inlinable public init?(stored: borrowing StoredValue) {
        guard let value = stored.withBlob({ Array($0) }) else { return nil }
        self = value
    }
    @inlinable public func bind(to values: inout Binder) { self.withUnsafeBytes { values.blob($0) } }
}

extension Optional: RecordKey, DatabaseValueConvertible where Wrapped: DatabaseValueConvertible {
    @inlinable public static var storageClass: StorageClass { Wrapped.storageClass }
    @inlinable public static var isNullable: Bool { true }
    @inlinable public var databaseValue: DatabaseValue { self?.databaseValue ?? .null }
    @inlinable public init?(databaseValue: DatabaseValue) {
        if case .null = databaseValue {
            self = .none
        } else {
            guard let value = Wrapped(databaseValue: databaseValue) else { return nil }
            self = .some(value)
        }
    }
    @inlinable public init?(stored: borrowing StoredValue) {
        if stored.isNull {
            self = .none
        } else {
            guard let value = Wrapped(stored: stored) else { return nil }
            self = .some(value)
        }
    }
    @inlinable public func bind(to values: inout Binder) {
        if let self { self.bind(to: &values) } else { values.null() }
    }
}
