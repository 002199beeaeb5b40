internal import SonaEventLoop
internal import SonaModel
internal import SonaWire

/// Asking a room for tracks from pages of any origin: `GET` and `POST /v1/rooms/ID/song-requests`.
///
/// Source: Protocol/spec/song-requests.md, "Asking, over HTTP".
extension ShardCore {
    /// The room that a path is about; `nil` for other paths.
    static func songRequestsPath(_ path: String) -> RoomID? {
        let ending = Limits.songRequestsPathEnding
        guard path.hasPrefix(Limits.roomsPathPrefix), path.hasSuffix(ending) else { return nil }
        return RoomID(String(path.dropFirst(Limits.roomsPathPrefix.count).dropLast(ending.count)))
    }

    func takeSongRequest(_ room: RoomID, _ request: HTTPRequest, _ exchange: ExchangeLink) {
        let (now, limited) = (MonotonicClock.nowMicroseconds(), services.limitedAddress(request.remote))
        let origin: @Sendable (WireError) -> [(name: String, value: String)] = { _ in [HTTPResponse.anyOrigin] }
        do throws(WireError) {
            if isDraining { throw WireError(.serverDraining, retryAfterMilliseconds: 2_000) }
            switch request.method {
            case .get, .head:
                if let limited { try songRequestLimits.take(SongRequestLimits.searches, "s:\(limited)", now: now) }
                let query = try Self.songQuery(request.query)
                respond(exchange, headers: origin) { methods in
                    .songs(try await methods.songRequests.find(query, in: room))
                }
            case .post:
                let asked = try SongAsked(Self.parse(body: request.body))
                if let limited { try songRequestLimits.take(SongRequestLimits.asksByAddress, "a:\(limited)", now: now) }
                try songRequestLimits.take(SongRequestLimits.asksByRoom, "r:\(room.rawValue)", now: now)
                guard let visitor = songRequestLimits.visitor(at: request.remote.group) else {
                    throw WireError(.serverInternal)
                }
                respond(exchange, headers: origin) { methods in
                    .songs(try await methods.songRequests.ask(asked.track, in: room, by: visitor))
                }
            default:
                var response = HTTPResponse.text(405, "Songs are searched for with GET and asked for with POST.")
                response.headers += [(name: "allow", value: "GET, HEAD, POST"), HTTPResponse.anyOrigin]
                exchange.respond(response)
            }
        } catch {
            count(refusal: error, exchange.origin)
            var response = HTTPResponse.error(error)
            response.headers.append(HTTPResponse.anyOrigin)
            exchange.respond(response)
        }
    }

    /// What is searched for; `nil`: anything.
    private static func songQuery(_ query: String) throws(WireError) -> String? {
        for part in query.split(separator: "&") where part.hasPrefix("q=") {
            let text = part.dropFirst(2).replacing("+", with: " ")
            guard let decoded = decode(percent: String(text)), decoded.utf8.count <= Limits.songSearchBytes.upperBound
            else { throw WireError(.requestInvalid, field: "q") }
            return decoded.allSatisfy(\.isWhitespace) ? nil : decoded
        }
        return nil
    }

    private static func decode(percent text: String) -> String? {
        var (bytes, left) = ([UInt8](), Array(text.utf8)[...])
        while let byte = left.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard left.count >= 2, let value = UInt8(String(decoding: left.prefix(2), as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(value)
            left.removeFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension HTTPResponse {
    /// Pages of all origins may read the response.
    static let anyOrigin = (name: "access-control-allow-origin", value: "*")

    fileprivate static func songs(_ object: some DeclaredObject) -> HTTPResponse {
        var response = HTTPResponse.json(200, Reply.okBody(object))
        response.headers += [anyOrigin, (name: "cache-control", value: "no-store")]
        return response
    }
}
