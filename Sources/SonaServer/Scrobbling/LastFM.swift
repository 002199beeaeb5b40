internal import SonaCrypto
internal import SonaLibrary
internal import SonaTransfer
internal import SonaWire

/// Last.fm. Requests are signed with the key and the secret that the operator has of it.
///
/// Source: https://www.last.fm/api/authspec, /api/show/track.scrobble, /api/errorcodes.
struct LastFM: Sendable {
    /// Listens in one request.
    static let listensMax = 50

    /// What the operator has of the service.
    struct Account: Sendable {
        let address: String
        let key: String
        let secret: String
    }

    let account: Account
    /// The key of a person's session; `nil` before there is one.
    var session: String?

    /// A token for the person to allow, and where.
    ///
    /// - Throws: As `HTTPExchange.send`; `brokenAnswer` if the service does not take the operator's key.
    func authorization() async throws(TransferError) -> (url: String, token: String) {
        let answer = try await send(["method": "auth.getToken"]).send(within: .seconds(10))
        guard case .string(let token)? = (try? JSON.parse(answer.body))?["token"] else {
            throw TransferError(.brokenAnswer, "The service gives no token")
        }
        let escaped = Self.escaped(token)
        return ("https://www.last.fm/api/auth/?api_key=\(Self.escaped(account.key))&token=\(escaped)", token)
    }

    /// The session of a token that the person has allowed.
    ///
    /// - Returns: The session's key and the person's name there; `nil` if the person has not allowed it.
    /// - Throws: As `HTTPExchange.send`; `brokenAnswer`.
    func session(of token: String) async throws(TransferError) -> (key: String, name: String)? {
        let answer = try await send(["method": "auth.getSession", "token": token]).send(within: .seconds(10))
        guard let found = try? JSON.parse(answer.body) else {
            throw TransferError(.brokenAnswer, "The service answers \(answer.status)")
        }
        if case .string(let key)? = found["session"]?["key"] {
            if case .string(let name)? = found["session"]?["name"] { return (key, name) }
            return (key, "")
        }
        // 4: no such token; 14: not allowed; 15: expired.
        if case .integer(let error)? = found["error"], [4, 14, 15].contains(error) { return nil }
        throw TransferError(.brokenAnswer, "The service does not answer as it should")
    }

    func submit(_ listens: [Scrobbles.Listen]) async -> ServiceOutcome {
        var fields = ["method": "track.scrobble"]
        for (index, listen) in listens.enumerated() {
            fields["artist[\(index)]"] = listen.artist
            fields["track[\(index)]"] = listen.title
            fields["timestamp[\(index)]"] = "\(listen.atSeconds)"
            if !listen.album.isEmpty { fields["album[\(index)]"] = listen.album }
            if listen.durationMilliseconds > 0 {
                fields["duration[\(index)]"] = "\(listen.durationMilliseconds / 1_000)"
            }
        }
        return await outcome(fields)
    }

    func playing(_ listen: Scrobbles.Listen) async -> ServiceOutcome {
        var fields = ["method": "track.updateNowPlaying", "artist": listen.artist, "track": listen.title]
        if !listen.album.isEmpty { fields["album"] = listen.album }
        if listen.durationMilliseconds > 0 { fields["duration"] = "\(listen.durationMilliseconds / 1_000)" }
        return await outcome(fields)
    }

    private func outcome(_ fields: [String: String]) async -> ServiceOutcome {
        let answer: HTTPExchange.Answer
        do throws(TransferError) { answer = try await send(fields).send() } catch { return ServiceOutcome(error) }
        guard case .integer(let error)? = (try? JSON.parse(answer.body))?["error"] else {
            return answer.status == 200 ? .taken : .later("failed", seconds: answer.retryAfterSeconds)
        }
        switch error {
        // The person has taken the permission back.
        case 9, 17: return .refused
        // A parameter that is missing or wrong.
        case 6, 7: return .invalid
        case 29: return .later("busy", seconds: answer.retryAfterSeconds ?? 60)
        // 10, 13, 26: the operator's key. Nothing that the person could mend.
        case 10, 13, 26: return .later("operator_key")
        default: return .later("failed", seconds: answer.retryAfterSeconds)
        }
    }

    private func send(_ fields: [String: String]) -> HTTPExchange {
        var fields = fields
        fields["api_key"] = account.key
        if let session { fields["sk"] = session }
        fields["api_sig"] = Self.signature(fields, account.secret)
        // No part of what is signed.
        fields["format"] = "json"
        let body = fields.sorted { $0.key < $1.key }.map { "\(Self.escaped($0.key))=\(Self.escaped($0.value))" }
        return HTTPExchange(
            "POST", account.address,
            headers: ["Content-Type: application/x-www-form-urlencoded", "User-Agent: \(ServerVersion.agent)"],
            // The operator has named it.
            body: Array(body.joined(separator: "&").utf8), mayBePrivate: true)
    }

    /// MD5 over all fields in the order of the bytes of their names, each followed by its value, and the secret.
    static func signature(_ fields: [String: String], _ secret: String) -> String {
        let text =
            fields.sorted { Array($0.key.utf8).lexicographicallyPrecedes(Array($1.key.utf8)) }
            .map { $0.key + $0.value }.joined() + secret
        return Digest.md5(Array(text.utf8)).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                result +=
                    "%" + String(byte >> 4, radix: 16, uppercase: true)
                    + String(byte & 15, radix: 16, uppercase: true)
            }
        }
        return result
    }
}
