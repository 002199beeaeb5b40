/// A JSON value as it was parsed, without any meaning given to it.
///
/// Numbers written without fraction or exponent are `integer`, all others `number`; members keep their order.
/// Making one costs an allocation per array, object and longer string.
///
/// ```swift
/// let json = try message.withUnsafeBytes { bytes throws(JSONError) in try JSON.parse(bytes) }
/// if let room = json["data"]?["room"]?.string { … }
/// ```
public enum JSON: Sendable, Equatable {
    /// The literal `null`.
    case null
    /// The literal `true` or `false`.
    case bool(Bool)
    /// A number without fraction or exponent, ±`Limits.integerMax` at most.
    case integer(Int64)
    /// A number with a fraction or an exponent. Finite.
    case number(Double)
    /// A text without its quotes and escapes.
    case string(String)
    /// The elements, in their order.
    case array([JSON])
    /// The members, in their order. No key occurs twice.
    case object([Member])

    /// One key of an object with its value.
    public struct Member: Sendable, Equatable {
        /// The key without quotes and escapes.
        public var key: String
        /// The value that stands under the key.
        public var value: JSON

        public init(key: String, value: JSON) {
            self.key = key
            self.value = value
        }
    }

    /// The empty object, which is what an absent `data` stands for.
    public static let emptyObject = JSON.object([])

    /// The value under `key`, or `nil` if it is absent or this is not an object. Linear in the members, of which there
    /// are at most `Limits.objectMembersMax`.
    ///
    /// Texts are compared by Unicode's canonical equality. That is harmless: a key of lower-case letters, digits and
    /// underscores is canonically equal to itself alone.
    public subscript(key: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        for member in members where member.key == key { return member.value }
        return nil
    }

    /// The text, or `nil` if this is not a string.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The integer, if the number was written as one: `1.0` and `1e3` are not integers.
    public var integer: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// The truth value, or `nil` if this is neither `true` nor `false`.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The elements in their order, or `nil` if this is not an array.
    public var array: [JSON]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The members in their order, or `nil` if this is not an object.
    public var object: [Member]? {
        if case .object(let value) = self { value } else { nil }
    }

    /// Whether this is the literal `null`.
    public var isNull: Bool { self == .null }

    /// Writes the value again, members in their order.
    public func encode(into writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .bool(let value): writer.bool(value)
        case .integer(let value): writer.integer(value)
        case .number(let value): writer.number(value)
        case .string(let value): writer.string(value)
        case .array(let values):
            writer.beginArray()
            for value in values { value.encode(into: &writer) }
            writer.endArray()
        case .object(let members):
            writer.beginObject()
            for member in members {
                writer.key(member.key)
                member.value.encode(into: &writer)
            }
            writer.endObject()
        }
    }

    /// The value as the bytes of a text message.
    public func encoded() -> [UInt8] {
        var writer = JSONWriter()
        encode(into: &writer)
        return writer.bytes
    }
}

/// Why bytes are not acceptable JSON, and where.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Whether the nesting or the text itself is at fault.
    public enum Kind: Sendable {
        /// More arrays and objects inside one another than allowed. The rest was not looked at.
        case tooDeep
        /// Not JSON by RFC 8259, or JSON that not everybody would read alike.
        case malformed
    }

    /// Which of the two faults it is.
    public var kind: Kind
    /// Bytes before the one that could not be accepted.
    public var offset: Int
    /// The fault, in a few words of English.
    public var reason: String

    public init(_ kind: Kind, at offset: Int, _ reason: String) {
        self.kind = kind
        self.offset = offset
        self.reason = reason
    }

    /// Reason and place, for logs.
    public var description: String { "\(reason), at byte \(offset)" }
}
