internal import SonaBase
internal import SonaCrypto

/// The key that refresh tokens are derived with: 32 random bytes in a file beside the database.
///
/// ```
/// token      family 22  secret 43  tag 22      87 characters
/// secret     random in the first token of a family, then base64url(HMAC("N" ‖ token before))
/// tag        base64url(HMAC("T" ‖ family ‖ secret) cut to 16 bytes)
/// ```
/// A token has exactly one successor, so the server can return it a second time although it stores only hashes. The tag
/// proves that this server made a token, even if its generation is no longer stored. The key alone is not enough to
/// make a valid token of a family: that needs one of its tokens, too.
struct RefreshKey: Sendable {
    static let bytes = 32
    private static let familyCount = 22
    private static let secretCount = 43
    private static let tagCount = 22
    static let tokenCount = familyCount + secretCount + tagCount
    /// RFC 2104, section 5: no less than half of the hash.
    private static let tagBytes = 16

    private let hmac: HMACKey

    private init(_ secret: [UInt8]) { hmac = HMACKey(secret) }

    /// Reads the key at `path`, or makes one if there is no such file. If two processes make it at once, the first
    /// one's counts.
    ///
    /// If the key is replaced, older tokens still work once. They have no repeated successor, and the reuse of old
    /// generations is not recognized.
    ///
    /// - Throws: `notSuchAFile`, also if the file does not have the length of a key; `permissionsTooOpen`, `system`.
    static func loadOrCreate(atPath path: String) throws(SecretFile.Failure) -> RefreshKey {
        let secret = try SecretFile.readOrCreate(path, bytesMax: bytes) { SecureRandom.bytes(bytes) }
        guard secret.count == bytes else { throw .notSuchAFile }
        return RefreshKey(secret)
    }

    /// Returns the random name of a new family.
    static func newFamily() -> String { SecureRandom.alphanumeric(familyCount) }

    /// Makes the first token of a family.
    func first(of family: String) -> RefreshToken { token(family, SecureRandom.alphanumeric(Self.secretCount)) }

    /// Derives the successor of a token. The result is always the same.
    ///
    /// - Parameter family: The family of the token. Tokens of older servers do not contain it.
    func successor(of token: RefreshToken, in family: String) -> RefreshToken {
        self.token(family, Base64.encode(hmac.tag(Array("N\(token.text)".utf8))[...]))
    }

    /// Returns the family that a token of this server names, whatever its generation.
    ///
    /// - Returns: `nil` for a token that this key has not made. Takes the same time however much of the tag is correct.
    func family(of token: RefreshToken) -> String? {
        let bytes = Array(token.text.utf8)
        guard bytes.count == Self.tokenCount else { return nil }
        let body = bytes.prefix(Self.familyCount + Self.secretCount)
        guard Digest.constantTimeEquals(Array(bytes.suffix(Self.tagCount)), Array(tag(body).utf8)) else { return nil }
        return String(decoding: bytes.prefix(Self.familyCount), as: UTF8.self)
    }

    private func token(_ family: String, _ secret: String) -> RefreshToken {
        let body = family + secret
        guard let token = RefreshToken(body + tag(body.utf8)) else {
            preconditionFailure("A derived refresh token exceeds the length limit of refresh tokens.")
        }
        return token
    }

    private func tag(_ body: some Collection<UInt8>) -> String {
        Base64.encode(hmac.tag([UInt8(ascii: "T")] + body).prefix(Self.tagBytes))
    }
}
