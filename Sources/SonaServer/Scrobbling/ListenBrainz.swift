internal import SonaLibrary
internal import SonaTransfer
internal import SonaWire

/// ListenBrainz, and whatever speaks as it does: Maloja, Koito. Their addresses have a path before `/1/`.
///
/// Source: https://listenbrainz.readthedocs.io/en/latest/users/api/core.html
struct ListenBrainz: Sendable {
    static let usualAddress = "https://api.listenbrainz.org"
    /// Listens in one request. The service takes 1000.
    static let listensMax = 100

    let root: String
    let token: String
    let mayBePrivate: Bool

    /// The beginning of the addresses: people give it with `/1` at its end, too.
    ///
    /// - Throws: `badInput`.
    static func root(_ text: String) throws(TransferError) -> String {
        let address = try HTTPExchange.address(text)
        return address.hasSuffix("/1") ? String(address.dropLast(2)) : address
    }

    /// Asks the service whose token it is.
    ///
    /// - Returns: The name of the account there, empty if it does not say; `nil` if it does not take the token.
    /// - Throws: As `HTTPExchange.send`; `brokenAnswer` if nothing of the kind is there.
    func check() async throws(TransferError) -> String? {
        let answer = try await exchange("GET", "validate-token").send(within: .seconds(10))
        if answer.status == 401 || answer.status == 403 { return nil }
        guard answer.status == 200, let found = try? JSON.parse(answer.body) else {
            throw TransferError(.brokenAnswer, "The service answers \(answer.status)")
        }
        guard found["valid"] == .bool(true) else {
            guard found["valid"] != nil else { throw TransferError(.brokenAnswer, "This is no such service") }
            return nil
        }
        guard case .string(let name)? = found["user_name"] else { return "" }
        return name
    }

    func submit(_ listens: [Scrobbles.Listen]) async -> ServiceOutcome {
        await send(listens.count == 1 ? "single" : "import", listens)
    }

    func playing(_ listen: Scrobbles.Listen) async -> ServiceOutcome { await send("playing_now", [listen]) }

    private func send(_ kind: String, _ listens: [Scrobbles.Listen]) async -> ServiceOutcome {
        var request = exchange("POST", "submit-listens")
        request.headers.append("Content-Type: application/json")
        request.body = Self.body(kind, listens)
        let answer: HTTPExchange.Answer
        do throws(TransferError) { answer = try await request.send() } catch { return ServiceOutcome(error) }
        switch answer.status {
        case 200...299: return .taken
        case 401, 403: return .refused
        case 400, 413, 422: return .invalid
        case 429: return .later("busy", seconds: answer.retryAfterSeconds)
        default: return .later("failed", seconds: answer.status == 503 ? answer.retryAfterSeconds : nil)
        }
    }

    private func exchange(_ method: String, _ path: String) -> HTTPExchange {
        HTTPExchange(
            method, "\(root)/1/\(path)",
            headers: [
                "Authorization: Token \(token)", "Accept: application/json", "User-Agent: \(ServerVersion.agent)",
            ],
            mayBePrivate: mayBePrivate)
    }

    /// The body of `submit-listens`. What is heard now has no time.
    static func body(_ kind: String, _ listens: [Scrobbles.Listen]) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("listen_type", kind)
            writer.key("payload")
            writer.beginArray()
            for listen in listens {
                writer.object { writer in
                    if kind != "playing_now" { writer.member("listened_at", listen.atSeconds) }
                    writer.key("track_metadata")
                    writer.object { writer in
                        writer.member("artist_name", listen.artist)
                        writer.member("track_name", listen.title)
                        if !listen.album.isEmpty { writer.member("release_name", listen.album) }
                        writer.key("additional_info")
                        writer.object { writer in
                            if listen.durationMilliseconds > 0 {
                                writer.member("duration_ms", listen.durationMilliseconds)
                            }
                            writer.member("media_player", ServerVersion.name)
                            writer.member("submission_client", ServerVersion.name)
                            writer.member("submission_client_version", ServerVersion.number)
                        }
                    }
                }
            }
            writer.endArray()
        }
        return writer.bytes
    }
}
