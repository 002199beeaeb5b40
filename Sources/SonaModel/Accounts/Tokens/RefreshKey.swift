internal import SonaBase
internal import SonaCrypto

/// What refresh tokens are derived with: 32 random bytes in a file beside the database.
///
/// ```
/// token      family 22  secret 43  tag 22      87 characters
/// secret     random in the first token of a family, then base64url(HMAC("N" ‖ token before))
/// tag        base64url(HMAC("T" ‖ family ‖ secret) cut to 16 bytes)
/// ```
/// A token leads to one successor, so the server can give the same successor a second time although it stores hashes
/// only. The tag proves that this server made the token, also when the token's generation is stored no more. Whoever has
/// the key without a token of a family can make no token of that family that the server takes.
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

    /// Reads the key at `path`, or makes one there if there is no such file. Of two who make it at once the first one's
    /// counts.
    ///
    /// With another key the tokens of before are still good once; only what needs their derivation is not: they have no
    /// second chance, and reuse of old generations is not recognised.
    ///
    /// - Throws: `notSuchAFile` also for a file that has not the bytes of a key.
    static func loadOrCreate(atPath path: String) throws(SecretFile.Failure) -> RefreshKey {
        let secret = try SecretFile.readOrCreate(path, bytesMax: bytes) { SecureRandom.bytes(bytes) }
        guard secret.count == bytes else { throw .notSuchAFile }
        return RefreshKey(secret)
    }

    static func newFamily() -> String { SecureRandom.alphanumeric(familyCount) }

    /// The first token of a family.
    func first(of family: String) -> RefreshToken { token(family, SecureRandom.alphanumeric(Self.secretCount)) }

    /// The token that comes after one: always the same.
    ///
    /// - Parameter family: What the token belongs to. Tokens of older servers do not say it themselves.
    func successor(of token: RefreshToken, in family: String) -> RefreshToken {
        self.token(family, Base64.encode(hmac.tag(Array("N\(token.text)".utf8))[...]))
    }

    /// The family that a token of this server names, whatever its generation.
    ///
    /// - Returns: `nil` for what this key has not made. Takes the same time however much of a tag is right.
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
            preconditionFailure("A token that was made here is longer than tokens can be.")
        }
        return token
    }

    private func tag(_ body: some Collection<UInt8>) -> String {
        Base64.encode(hmac.tag([UInt8(ascii: "T")] + body).prefix(Self.tagBytes))
    }
}
