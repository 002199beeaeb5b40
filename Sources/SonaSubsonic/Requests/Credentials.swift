internal import SonaModel

/// How a request says whose it is.
///
/// Source: OpenSubsonic, "API reference" and the extension `apiKeyAuthentication`.
enum Credentials {
    /// - Throws: `parameterMissing`, `mechanismsConflict`, `mechanismUnsupported`.
    static func proof(_ parameters: Parameters) throws(SubsonicError) -> Accounts.AppProof {
        if let key = parameters.first("apiKey") {
            guard ["u", "p", "t", "s"].allSatisfy({ !parameters.has($0) }) else {
                throw SubsonicError(.mechanismsConflict, "Send an API key, or a username and a password, but not both.")
            }
            return .key(key)
        }
        let username = try parameters.required("u")
        if let token = parameters.first("t") {
            guard !parameters.has("p") else {
                throw SubsonicError(.mechanismsConflict, "Send a token, or a password, but not both.")
            }
            return .token(username: username, token: token, salt: try parameters.required("s"))
        }
        guard let password = parameters.first("p") else { throw .missing("t and s, p, or apiKey") }
        return .password(username: username, password: try plain(password))
    }

    /// A password as it is, or after `enc:` in hexadecimal.
    private static func plain(_ password: String) throws(SubsonicError) -> String {
        guard password.hasPrefix("enc:") else { return password }
        var (bytes, rest) = ([UInt8](), Array(password.utf8.dropFirst(4))[...])
        while let high = rest.popFirst() {
            guard let high = Parameters.digit(high), let low = rest.popFirst().flatMap(Parameters.digit) else {
                throw SubsonicError(.credentialsWrong, "Wrong username or password.")
            }
            bytes.append(high << 4 | low)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SubsonicError(.credentialsWrong, "Wrong username or password.")
        }
        return text
    }

    /// The error for an error of signing in.
    static func error(_ error: any Error, _ proof: Accounts.AppProof) -> SubsonicError {
        let told = SubsonicError(error)
        guard told.code == .credentialsWrong else { return told }
        if case .key = proof { return SubsonicError(.keyInvalid, "Invalid API key. Use an app password as the key.") }
        return SubsonicError(
            .credentialsWrong,
            "Wrong username or password. Use an app password, which the settings of this server's page make.")
    }

    /// - Throws: `clientTooOld`, `serverTooOld` for a client of another major version.
    static func check(version: String?) throws(SubsonicError) {
        guard let version, let major = version.split(separator: ".").first.flatMap({ Int($0) }), major != 1 else {
            return
        }
        throw major < 1
            ? SubsonicError(.clientTooOld, "Incompatible protocol version. The client must upgrade.")
            : SubsonicError(.serverTooOld, "Incompatible protocol version. The server must upgrade.")
    }
}
