/// Names one track, album, artist or genre of the library for ever: a ULID.
///
/// 26 characters of Crockford's base 32 in capitals, compared byte by byte. The first ten tell when it was made, so
/// identifiers in the order of their bytes are in the order of their making.
///
/// Source: Protocol/spec/identifiers.md, "Identifiers of music"; github.com/ulid/spec.
public struct MusicID: Hashable, Sendable, CustomStringConvertible {
    /// Characters of every identifier.
    public static let count = 26

    /// The identifier as it stands in messages and paths.
    public let rawValue: String

    /// - Returns: `nil` unless `text` is a ULID in capitals.
    public init?(_ text: String) {
        var isFirst = true
        guard text.utf8.count == Self.count else { return nil }
        for byte in text.utf8 {
            guard Self.digits.contains(byte), !isFirst || byte <= UInt8(ascii: "7") else { return nil }
            isFirst = false
        }
        rawValue = text
    }

    /// Makes a new identifier.
    ///
    /// - Parameter milliseconds: When it is made, since 1970.
    public init(milliseconds: Int64, using generator: inout some RandomNumberGenerator) {
        var high = UInt64(truncatingIfNeeded: milliseconds) << 16 | UInt64.random(in: 0..<1 << 16, using: &generator)
        var low = UInt64.random(in: 0...UInt64.max, using: &generator)
        var bytes = [UInt8](repeating: 0, count: Self.count)
        for place in (0..<Self.count).reversed() {
            bytes[place] = Self.digits[Int(low & 31)]
            low = low >> 5 | high << 59
            high >>= 5
        }
        rawValue = String(decoding: bytes, as: UTF8.self)
    }

    /// Makes a new identifier with the system's generator.
    public static func random(milliseconds: Int64) -> Self {
        var generator = SystemRandomNumberGenerator()
        return Self(milliseconds: milliseconds, using: &generator)
    }

    /// Without I, L, O and U.
    private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// The identifier as it stands in messages.
    public var description: String { rawValue }
}
