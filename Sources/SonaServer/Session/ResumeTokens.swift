internal import SonaCrypto
internal import SonaWire

/// The tokens by which clients resume their sessions. They are signed with a key of this run of the server, so that the
/// tokens of an earlier run are invalid, unless this run took over from that one.
///
/// `base64url(number(8) ‖ session identifier(22) ‖ HMAC-SHA-256 of both, cut to 16 bytes)`: 62 characters. Both have
/// fixed lengths, so no two pairs give the same message. The token does not name the user: the session knows its own.
struct ResumeTokens: Sendable {
    private static let numberBytes = 8
    /// RFC 2104, section 5: no less than half of the hash.
    private static let tagBytes = 16
    private static let bytes = numberBytes + SessionID.count + tagBytes

    /// Secret: only for a process that takes over from this one.
    let secret: [UInt8]
    private let key: HMACKey

    init(secret: [UInt8] = SecureRandom.bytes(32)) {
        self.secret = secret
        key = HMACKey(secret)
    }

    /// About 2 µs.
    func sign(_ number: UInt64, _ session: SessionID) -> String {
        let message =
            (0..<Self.numberBytes).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } + session.rawValue.utf8
        return Base64.encode(message + tag(message))
    }

    /// - Returns: `nil` if this run of the server has not signed the token.
    func verify(_ token: String) -> (number: UInt64, session: SessionID)? {
        guard let decoded = Base64.decode(token.utf8), decoded.count == Self.bytes else { return nil }
        let message = Array(decoded.dropLast(Self.tagBytes))
        guard Digest.constantTimeEquals(Array(decoded.suffix(Self.tagBytes)), tag(message)),
            let session = SessionID(String(decoding: message.dropFirst(Self.numberBytes), as: UTF8.self))
        else { return nil }
        return (message.prefix(Self.numberBytes).reduce(0) { $0 << 8 | UInt64($1) }, session)
    }

    private func tag(_ message: [UInt8]) -> [UInt8] {
        Array(key.tag(message).prefix(Self.tagBytes))
    }
}
