public import FoundationEssentials

/// Milliseconds since 1970 as an INTEGER: sorts as it should, and needs no calendar to be read. Finer parts are cut off.
extension Date: DatabaseValueConvertible {
    /// INTEGER, milliseconds since 1970.
    public static var storageClass: StorageClass { .integer }
    /// Whole milliseconds since 1970.
    public var databaseValue: DatabaseValue { .integer(milliseconds) }
    /// `nil` unless the value is an integer.
    public init?(databaseValue: DatabaseValue) {
        guard case .integer(let value) = databaseValue else { return nil }
        self.init(timeIntervalSince1970: Double(value) / 1_000)
    }
    /// `nil` unless an integer is stored.
    public init?(stored: borrowing StoredValue) {
        guard let value = stored.integer else { return nil }
        self.init(timeIntervalSince1970: Double(value) / 1_000)
    }
    /// Binds whole milliseconds since 1970.
    public func bind(to values: inout Binder) { values.integer(milliseconds) }

    /// Dates beyond what fits (300 million years) become the last that does.
    private var milliseconds: Int64 {
        let exact = (timeIntervalSince1970 * 1_000).rounded()
        return Int64(exactly: exact) ?? (exact < 0 ? .min : .max)
    }
}

/// Its 16 bytes as a BLOB.
extension UUID: DatabaseValueConvertible {
    /// BLOB.
    public static var storageClass: StorageClass { .blob }
    /// The 16 bytes, in the order in which they are written as text.
    public var databaseValue: DatabaseValue { withUnsafeBytes(of: uuid) { .blob(Array($0)) } }
    /// `nil` unless the value is a blob of 16 bytes.
    public init?(databaseValue: DatabaseValue) {
        guard case .blob(let bytes) = databaseValue else { return nil }
        self.init(bytes.withUnsafeBytes(Self.value) ?? nil)
    }
    /// `nil` unless a blob of 16 bytes is stored.
    public init?(stored: borrowing StoredValue) { self.init(stored.withBlob(Self.value) ?? nil) }
    /// Binds the 16 bytes.
    public func bind(to values: inout Binder) { withUnsafeBytes(of: uuid) { values.blob($0) } }

    private init?(_ uuid: uuid_t?) {
        guard let uuid else { return nil }
        self.init(uuid: uuid)
    }

    private static func value(_ bytes: UnsafeRawBufferPointer) -> uuid_t? {
        bytes.count == 16 ? bytes.loadUnaligned(as: uuid_t.self) : nil
    }
}

/// A Codable value in one TEXT column, as JSON with sorted keys. Meant for values that are read and written whole and
/// seldom.
///
/// Costs a JSON coding, some microseconds. A property that queries search or sort by belongs in a column of its own.
/// ```swift
/// var tags: JSON<[String]>
/// ```
public struct JSON<Value: Codable & Sendable>: Sendable {
    /// The value that is kept as JSON.
    public var value: Value
    /// Wraps a value; it is encoded when it is bound.
    public init(_ value: Value) { self.value = value }
}

extension JSON: Equatable where Value: Equatable {}
extension JSON: Hashable where Value: Hashable {}

extension JSON: RecordKey, DatabaseValueConvertible {
    /// TEXT.
    public static var storageClass: StorageClass { .text }
    /// NULL for a value that JSON cannot express, such as NaN: a NOT NULL column then refuses it.
    public var databaseValue: DatabaseValue {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { return .null }
        return .text(String(decoding: data, as: UTF8.self))
    }
    /// `nil` unless the value is a text that decodes as `Value`.
    public init?(databaseValue: DatabaseValue) {
        guard case .text(let text) = databaseValue,
            let value = try? JSONDecoder().decode(Value.self, from: Data(text.utf8))
        else { return nil }
        self.value = value
    }
}
