internal import SonaCrypto
internal import SonaWire

/// What a client holds to stay signed in: 256 random bits, of which we keep the hash only.
struct RefreshToken: Sendable {
    /// 60 days: how long a client may stay away and still be signed in.
    static let lifetimeMilliseconds: Int64 = 60 * 24 * 3_600 * 1_000
    /// 43 letters and digits carry 256 bits.
    private static let characters = 43

    let text: String
    /// SHA-256.
    let hash: [UInt8]

    /// - Returns: `nil` for what can't be one.
    init?(_ text: String) {
        guard Limits.refreshTokenBytes.contains(text.utf8.count) else { return nil }
        self.init(unchecked: text)
    }

    private init(unchecked text: String) {
        self.text = text
        hash = Digest.sha256(text.utf8)
    }

    static func random() -> Self { Self(unchecked: SecureRandom.alphanumeric(characters)) }
}
