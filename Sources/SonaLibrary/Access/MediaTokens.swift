internal import SonaCrypto
package import SonaModel
package import SonaWire

/// Tokens for the sound of one track, for players that send no headers, such as `<audio>`.
///
/// A token names the account, its sign-in and the track, and what it gives. It ends with the sign-in, and after six
/// hours in any case.
///
/// Form: base64url of the fields, one a line, then a dot and base64url of their HMAC-SHA-256.
package struct MediaTokens: Sendable {
    /// The content of a valid token.
    package struct Claims: Sendable, Equatable {
        package let account: Accounts.Account
        package let track: MusicID
        package let access: TrackAccess
        /// Milliseconds since 1970.
        package let expiresMilliseconds: Int64
    }

    private let key: HMACKey
    private static let version = "1"

    init(key: HMACKey) { self.key = key }

    package func make(
        for account: Accounts.Account, _ track: MusicID, _ access: TrackAccess, now: Int64
    ) -> (token: String, expiresMilliseconds: Int64) {
        let expires = now + Int64(Limits.mediaTokenSeconds) * 1_000
        let fields = [
            Self.version, account.uid.rawValue, account.family ?? "", account.isGuest ? "guest" : account.role.rawValue,
            track.rawValue, access.rawValue, String(expires),
        ]
        let text = Array(fields.joined(separator: "\n").utf8)
        return ("\(Base64.encode(text)).\(Base64.encode(key.tag(text)))", expires)
    }

    /// - Returns: `nil` for what this server has not made, or not for this track, or that has expired.
    package func verify(_ token: String, for track: MusicID, now: Int64) -> Claims? {
        guard Limits.mediaTokenBytes.contains(token.utf8.count) else { return nil }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let text = Base64.decode(String(parts[0])), let tag = Base64.decode(String(parts[1])),
            Digest.constantTimeEquals(tag, key.tag(text))
        else { return nil }
        let fields = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        guard fields.count == 7, fields[0] == Self.version, let uid = UserID(fields[1]), fields[4] == track.rawValue,
            let access = TrackAccess(rawValue: fields[5]), let expires = Int64(fields[6]), expires > now
        else { return nil }
        let isGuest = fields[3] == "guest"
        return Claims(
            account: Accounts.Account(
                uid: uid, username: nil, isGuest: isGuest, role: AccountRole(rawValue: fields[3]) ?? .user,
                family: fields[2].isEmpty ? nil : fields[2], expiresAt: expires / 1_000),
            track: track, access: access, expiresMilliseconds: expires)
    }
}
