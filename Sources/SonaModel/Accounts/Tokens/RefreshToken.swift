internal import SonaCrypto
internal import SonaWire

/// What a client holds to stay signed in, of which we keep the hash only. `RefreshKey` makes them.
struct RefreshToken: Sendable {
    static let lifetimeMilliseconds: Int64 = Accounts.refreshTokenSeconds * 1_000
    /// How long a used token gives its successor again: the answer may have been lost on its way.
    static let repeatMilliseconds: Int64 = 60_000

    let text: String
    /// SHA-256.
    let hash: [UInt8]

    /// - Returns: `nil` for what can't be one.
    init?(_ text: String) {
        guard Limits.refreshTokenBytes.contains(text.utf8.count) else { return nil }
        self.text = text
        hash = Digest.sha256(text.utf8)
    }
}
