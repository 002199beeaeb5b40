internal import SonaCrypto
internal import SonaWire

/// The token that keeps a client signed in. The server stores only its hash. `RefreshKey` makes tokens.
struct RefreshToken: Sendable {
    static let lifetimeMilliseconds: Int64 = Accounts.refreshTokenSeconds * 1_000
    /// How long a used token still returns its successor: the answer may have been lost.
    static let repeatMilliseconds: Int64 = 60_000

    let text: String
    /// SHA-256.
    let hash: [UInt8]

    /// - Returns: `nil` if the length is not that of a token.
    init?(_ text: String) {
        guard Limits.refreshTokenBytes.contains(text.utf8.count) else { return nil }
        self.text = text
        hash = Digest.sha256(text.utf8)
    }
}
