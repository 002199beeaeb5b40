internal import SonaCrypto
internal import SonaWire

/// Checks the ID tokens that Firebase gives its users, for one Firebase project.
///
/// The algorithm is RS256 whatever a token says, and a key is looked up only by its name among the keys that Google
/// publishes: nothing a token brings along is ever used to check it.
///
/// Any thread; no disk and no network of its own (see `FirebaseKeys`). Some 70 µs for a token that is right.
///
/// Source: https://firebase.google.com/docs/auth/admin/verify-id-tokens, "Verify ID tokens using a third-party JWT
/// library"; RFC 7519, RFC 7515, RFC 8725.
package struct FirebaseTokens: Sendable {
    /// Tokens longer than this are refused before anything else. Firebase's have 1–2 kB.
    package static let bytesMax = 8192
    /// How far times of the past may lie ahead of our clock.
    package static let leewaySeconds: Int64 = 60

    private let project: String
    private let issuer: String
    private let keys: FirebaseKeys
    private let clock: WallClock

    /// - Parameter project: The project's ID, not its name or number.
    /// - Returns: `nil` if `project` cannot be an ID: 1 to 100 lower-case letters, digits, hyphens, dots and colons.
    package init?(project: String, keys: FirebaseKeys, clock: WallClock) {
        guard 1...100 ~= project.utf8.count, project.utf8.allSatisfy(Self.isProjectCharacter) else { return nil }
        self.project = project
        issuer = "https://securetoken.google.com/" + project
        self.keys = keys
        self.clock = clock
    }

    /// Checks form, header, signature and claims, in this order, and says whom the token is about.
    ///
    /// Waits for keys if there are none that are fresh, or none of the name the token gives.
    /// - Throws: `tokenInvalid`, `tokenExpired` (all else is right), `keysUnavailable`.
    package func verify(_ token: String) async throws(FirebaseError) -> FirebaseIdentity {
        guard token.utf8.count <= Self.bytesMax else { throw .tokenInvalid }
        let bytes = Array(token.utf8)
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64.decode(parts[0]), let claims = Base64.decode(parts[1]),
            let signature = Base64.decode(parts[2]), let kid = Self.keyID(header)
        else { throw .tokenInvalid }
        let signed = Array(bytes[..<parts[1].endIndex])
        guard let key = try await keys.key(named: kid), key.verifies(signature, of: signed) else {
            throw .tokenInvalid
        }
        return try identity(claims, now: clock.nowMilliseconds() / 1_000)
    }

    // MARK: Steps

    private static func isProjectCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"): true
        default: false
        }
    }

    /// The key a header names, if it is one of ours to read.
    ///
    /// Texts are compared by canonical equivalence, which is harmless here as no other text is equivalent to these.
    private static func keyID(_ header: [UInt8]) -> String? {
        guard let header = try? JSON.parse(header), header["alg"] == .string("RS256"), header["crit"] == nil,
            header["typ"] == nil || header["typ"] == .string("JWT"),
            let kid = header["kid"]?.string, FirebaseKeySet.isKeyID(kid)
        else { return nil }
        return kid
    }

    private func identity(_ claims: [UInt8], now: Int64) throws(FirebaseError) -> FirebaseIdentity {
        guard let claims = try? JSON.parse(claims), claims["iss"] == .string(issuer), claims["aud"] == .string(project),
            let uid = claims["sub"]?.string.flatMap(UserID.init), let issuedAt = claims["iat"]?.integer,
            let expiresAt = claims["exp"]?.integer
        else { throw .tokenInvalid }
        let firebase = claims["firebase"]
        guard firebase == nil || firebase?.object != nil else { throw .tokenInvalid }
        // Tenants of a project name their users each for themselves: the same `sub` may be two people.
        guard firebase?["tenant"] == nil else { throw .tokenInvalid }
        let authenticatedAt = try claims.optional("auth_time", \.integer) ?? issuedAt
        let notBefore = try claims.optional("nbf", \.integer) ?? issuedAt
        // No overflow: JSON's integers end at 2^53.
        guard max(issuedAt, authenticatedAt, notBefore) - Self.leewaySeconds <= now else { throw .tokenInvalid }
        let email = try claims.optional("email", \.string).flatMap { $0.isEmpty ? nil : $0 }
        let isVerified = try claims.optional("email_verified", \.bool) ?? false
        let name = try claims.optional("name", \.string).flatMap { $0.isEmpty ? nil : $0 }
        let provider = try firebase?.optional("sign_in_provider", \.string)
        guard expiresAt > now else { throw .tokenExpired }
        return FirebaseIdentity(
            uid: uid, email: email, isEmailVerified: email != nil && isVerified, displayName: name,
            signInProvider: provider, authenticatedAt: authenticatedAt, expiresAt: expiresAt)
    }
}

extension JSON {
    /// The member `key` as `form` reads it, or `nil` if there is none.
    ///
    /// - Throws: `tokenInvalid` if it is there in another form: Firebase would not have written it.
    fileprivate func optional<Value>(_ key: String, _ form: (JSON) -> Value?) throws(FirebaseError) -> Value? {
        guard let member = self[key] else { return nil }
        guard let value = form(member) else { throw .tokenInvalid }
        return value
    }
}
