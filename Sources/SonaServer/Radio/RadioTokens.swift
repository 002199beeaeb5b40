internal import SonaCrypto
internal import SonaModel
internal import SonaWire

/// Tokens of signed addresses: they let a player hear one room as whoever made the address.
///
/// A token ends with the sign-in that made it, and after `days` in any case; and its bearer hears no more than its
/// maker may at that time.
///
/// Form: base64url of the fields, one a line, then a dot and base64url of their HMAC-SHA-256.
struct RadioTokens: Sendable {
    struct Claims: Sendable, Equatable {
        let account: Accounts.Account
        let room: RoomID
        /// Milliseconds since 1970.
        let expiresMilliseconds: Int64
    }

    /// A radio is set up once: it is not to fall silent every few hours.
    static let days: Int64 = 365
    private let key: HMACKey
    /// Not the version of any media token, which has the same key.
    private static let version = "radio 1"

    init(key: HMACKey) { self.key = key }

    func make(for account: Accounts.Account, _ room: RoomID, now: Int64) -> (token: String, expiresMilliseconds: Int64)
    {
        // Within an hour the same address is made, so that lists of stations stay as they are.
        let now = now / 3_600_000 * 3_600_000
        // Of sign-ins by app passwords, and of guests, nothing tells later whether they still last.
        let isBound = account.family != nil && !account.isGuest
        let end = account.isGuest ? account.expiresAt.map { $0 * 1_000 } ?? .max : .max
        let expires = isBound ? now + Self.days * 86_400_000 : min(now + 86_400_000, end)
        let fields = [
            Self.version, account.uid.rawValue, account.family ?? "", account.isGuest ? "guest" : account.role.rawValue,
            room.rawValue, String(expires),
        ]
        let text = Array(fields.joined(separator: "\n").utf8)
        return ("\(Base64.encode(text)).\(Base64.encode(key.tag(text)))", expires)
    }

    /// - Returns: `nil` for what this server has not made, or that has expired.
    func verify(_ token: String, now: Int64) -> Claims? {
        guard Limits.mediaTokenBytes.contains(token.utf8.count) else { return nil }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let text = Base64.decode(String(parts[0])), let tag = Base64.decode(String(parts[1])),
            Digest.constantTimeEquals(tag, key.tag(text))
        else { return nil }
        let fields = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        guard fields.count == 6, fields[0] == Self.version, let uid = UserID(fields[1]), let room = RoomID(fields[4]),
            let expires = Int64(fields[5]), expires > now
        else { return nil }
        let isGuest = fields[3] == "guest"
        return Claims(
            account: Accounts.Account(
                uid: uid, username: nil, isGuest: isGuest, role: AccountRole(rawValue: fields[3]) ?? .user,
                family: fields[2].isEmpty ? nil : fields[2], expiresAt: expires / 1_000),
            room: room, expiresMilliseconds: expires)
    }
}
