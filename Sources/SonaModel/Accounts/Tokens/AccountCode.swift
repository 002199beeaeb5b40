internal import SonaCrypto
internal import SonaDatabase
internal import SonaWire

/// A code for one purpose that works once: 256 random bits.
package struct AccountCode: Sendable {
    package enum Purpose: String, Sendable, CaseIterable, DatabaseValueConvertible {
        /// Sets a new password without the old one.
        case recovery
        /// Confirms an e-mail address.
        case confirmation
        /// Removes the account. It is given out with the export of its data.
        case removal

        var lifetimeMilliseconds: Int64 {
            switch self {
            case .recovery, .removal: 3_600_000
            case .confirmation: 24 * 3_600_000
            }
        }

        package var lifetimeSeconds: Int { Int(lifetimeMilliseconds / 1_000) }
    }

    let text: String
    /// SHA-256.
    let hash: [UInt8]

    /// - Returns: `nil` if the text does not have the length of a code.
    init?(_ text: String) {
        guard text.utf8.count == Self.characters else { return nil }
        self.init(unchecked: text)
    }

    private init(unchecked text: String) {
        self.text = text
        hash = Digest.sha256(text.utf8)
    }

    static func random() -> Self { Self(unchecked: SecureRandom.alphanumeric(characters)) }

    /// 43 letters and digits carry 256 bits.
    private static let characters = 43
}
