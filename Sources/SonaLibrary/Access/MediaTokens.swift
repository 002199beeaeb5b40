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
        make(for: account, subject: track.rawValue, access, now: now)
    }

    /// A token for the sound of a recording, for as long.
    package func make(for account: Accounts.Account, _ recording: RecordingID, now: Int64) -> String {
        make(for: account, subject: Self.subject(recording), .full, now: now).token
    }

    private static func subject(_ recording: RecordingID) -> String { "recording \(recording.rawValue)" }

    private func make(
        for account: Accounts.Account, subject: String, _ access: TrackAccess, now: Int64
    ) -> (token: String, expiresMilliseconds: Int64) {
        let expires = now + Int64(Limits.mediaTokenSeconds) * 1_000
        let fields = [
            Self.version, account.uid.rawValue, account.family ?? "", account.isGuest ? "guest" : account.role.rawValue,
            subject, access.rawValue, String(expires),
        ]
        let text = Array(fields.joined(separator: "\n").utf8)
        return ("\(Base64.encode(text)).\(Base64.encode(key.tag(text)))", expires)
    }

    /// - Returns: `nil` for what this server has not made, or not for this track, or that has expired.
    package func verify(_ token: String, for track: MusicID, now: Int64) -> Claims? {
        guard let found = verify(token, subject: track.rawValue, now: now) else { return nil }
        return Claims(
            account: found.account, track: track, access: found.access, expiresMilliseconds: found.expires)
    }

    /// - Returns: Whose token it is; `nil` as above.
    package func verify(_ token: String, for recording: RecordingID, now: Int64) -> Accounts.Account? {
        verify(token, subject: Self.subject(recording), now: now)?.account
    }

    private func verify(
        _ token: String, subject: String, now: Int64
    ) -> (account: Accounts.Account, access: TrackAccess, expires: Int64)? {
        guard Limits.mediaTokenBytes.contains(token.utf8.count) else { return nil }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let text = Base64.decode(String(parts[0])), let tag = Base64.decode(String(parts[1])),
            Digest.constantTimeEquals(tag, key.tag(text))
        else { return nil }
        let fields = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        guard fields.count == 7, fields[0] == Self.version, let uid = UserID(fields[1]), fields[4] == subject,
            let access = TrackAccess(rawValue: fields[5]), let expires = Int64(fields[6]), expires > now
        else { return nil }
        let isGuest = fields[3] == "guest"
        let account = Accounts.Account(
            uid: uid, username: nil, isGuest: isGuest, role: AccountRole(rawValue: fields[3]) ?? .user,
            family: fields[2].isEmpty ? nil : fields[2], expiresAt: expires / 1_000)
        return (account, access, expires)
    }
}
