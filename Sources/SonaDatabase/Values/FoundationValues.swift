public import FoundationEssentials

/// Milliseconds since 1970 as an INTEGER: sorts as it should, and needs no calendar to be read. Finer parts are cut off.
extension Date: DatabaseValueConvertible {
    public static var storageClass: StorageClass { .integer }
    public var databaseValue: DatabaseValue { .integer(milliseconds) }
    public init?(databaseValue: DatabaseValue) {
        guard case .integer(let value) = databaseValue else { return nil }
        self.init(timeIntervalSince1970: Double(value) / 1_000)
    }
    public init?(stored: borrowing StoredValue) {
        guard let value = stored.integer else { return nil }
        self.init(timeIntervalSince1970: Double(value) / 1_000)
    }
    public func bind(to values: inout Binder) { values.integer(milliseconds) }

    /// Dates beyond what fits (300 million years) become the last that does.
    private var milliseconds: Int64 {
        let exact = (timeIntervalSince1970 * 1_000).rounded()
        return Int64(exactly: exact) ?? (exact < 0 ? .min : .max)
    }
}

/// Its 16 bytes as a BLOB.
extension UUID: DatabaseValueConvertible {
    public static var storageClass: StorageClass { .blob }
    public var databaseValue: DatabaseValue { withUnsafeBytes(of: uuid) { .blob(Array($0)) } }
    public init?(databaseValue: DatabaseValue) {
        guard case .blob(let bytes) = databaseValue else { return nil }
        self.init(bytes.withUnsafeBytes(Self.value) ?? nil)
    }
    public init?(stored: borrowing StoredValue) { self.init(stored.withBlob(Self.value) ?? nil) }
    public func bind(to values: inout Binder) { withUnsafeBytes(of: uuid) { values.blob($0) } }

    private init?(_ uuid: uuid_t?) {
        guard let uuid else { return nil }
        self.init(uuid: uuid)
    }

    private static func value(_ bytes: UnsafeRawBufferPointer) -> uuid_t? {
        bytes.count == 16 ? bytes.loadUnaligned(as: uuid_t.self) : nil
    }
}

/// A Codable value in one TEXT column, as JSON with sorted keys: for what is read and written whole and seldom.
///
/// Costs what coding costs, some microseconds; what is searched or sorted by belongs in columns of its own.
/// ```swift
/// var tags: JSON<[String]>
/// ```
public struct JSON<Value: Codable & Sendable>: Sendable {
    public var value: Value
    public init(_ value: Value) { self.value = value }
}

extension JSON: Equatable where Value: Equatable {}
extension JSON: Hashable where Value: Hashable {}

extension JSON: RecordKey, DatabaseValueConvertible {
    public static var storageClass: StorageClass { .text }
    /// NULL for a value that JSON has no form for, such as a number that is none: a NOT NULL column then refuses it.
    public var databaseValue: DatabaseValue {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { return .null }
        return .text(String(decoding: data, as: UTF8.self))
    }
    public init?(databaseValue: DatabaseValue) {
        guard case .text(let text) = databaseValue,
            let value = try? JSONDecoder().decode(Value.self, from: Data(text.utf8))
        else { return nil }
        self.value = value
    }
}
