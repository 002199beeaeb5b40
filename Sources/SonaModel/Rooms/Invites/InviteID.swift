internal import SonaCrypto
internal import SonaDatabase

/// Names one invite: 12 ASCII letters and digits, the part of its code that is no secret.
package struct InviteID: Hashable, Sendable, CustomStringConvertible {
    static let count = 12

    package let rawValue: String

    /// - Returns: `nil` unless `text` is exactly 12 ASCII letters and digits.
    package init?(_ text: String) {
        guard text.utf8.count == Self.count, text.utf8.allSatisfy(Self.isLetterOrDigit) else { return nil }
        rawValue = text
    }

    private init(unchecked text: String) { rawValue = text }

    static func random() -> InviteID { InviteID(unchecked: SecureRandom.alphanumeric(count)) }

    package var description: String { rawValue }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}

extension InviteID: StoredAsText {}
