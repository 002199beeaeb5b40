internal import SonaCrypto
internal import SonaWire

/// Checks the ID tokens that Firebase gives its users, for one Firebase project.
///
/// The algorithm is always RS256. A key is looked up by its name among the keys that Google publishes. Nothing in a
/// token is ever used as a key to check it.
///
/// Any thread; no disk and no network of its own (see `FirebaseKeys`). About 70 µs for a valid token.
///
/// Source: https://firebase.google.com/docs/auth/admin/verify-id-tokens, "Verify ID tokens using a third-party JWT
/// library"; RFC 7519, RFC 7515, RFC 8725.
package struct FirebaseTokens: Sendable {
    /// Longer tokens are refused before any other check. Firebase's have 1–2 kB.
    package static let bytesMax = 8192
    /// How far `iat`, `auth_time` and `nbf` may lie ahead of our clock.
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

    /// Checks form, header, signature and claims, in this order, and returns the user of the token.
    ///
    /// Waits for a loading of keys if none are fresh, or if the token names an unknown key.
    /// - Throws: `tokenInvalid`, `tokenExpired` (nothing else is wrong), `keysUnavailable`.
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

    /// Returns the key name of a header. `nil` unless the header is valid and the algorithm is RS256.
    ///
    /// Swift compares texts by canonical equivalence. That is safe here, because no other text is equivalent to these.
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
        // Tenants of a project choose their users' names independently: the same `sub` may be two people.
        guard firebase?["tenant"] == nil else { throw .tokenInvalid }
        let authenticatedAt = try claims.optional("auth_time", \.integer) ?? issuedAt
        let notBefore = try claims.optional("nbf", \.integer) ?? issuedAt
        // No overflow: our JSON integers end at 2^53.
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
    /// Returns the member `key` in the form `form`, or `nil` if there is no such member.
    ///
    /// - Throws: `tokenInvalid` if the member has another form: Firebase would not write that.
    fileprivate func optional<Value>(_ key: String, _ form: (JSON) -> Value?) throws(FirebaseError) -> Value? {
        guard let member = self[key] else { return nil }
        guard let value = form(member) else { throw .tokenInvalid }
        return value
    }
}
