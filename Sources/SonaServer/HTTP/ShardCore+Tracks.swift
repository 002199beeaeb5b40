internal import SonaEventLoop
internal import SonaLibrary
internal import SonaModel
internal import SonaSubsonic
internal import SonaWire

/// The sound of tracks: `GET /v1/tracks/ID/stream` and `/download`, and its outline: `/peaks`.
///
/// Source: Protocol/spec/tracks.md, "Streams"; media.md.
extension ShardCore {
    func playTrack(_ request: HTTPRequest, _ exchange: ExchangeLink) {
        let parts = request.path.dropFirst(Limits.tracksPathPrefix.count).split(
            separator: "/", omittingEmptySubsequences: false)
        guard let id = parts.first.flatMap({ MusicID(String($0)) }), let kind = TrackPath(parts.dropFirst()) else {
            return exchange.respond(.error(WireError(.trackNotFound)))
        }
        let services = services
        respond(exchange, headers: { _ in [(name: "cache-control", value: "no-store")] }) { _ in
            var response = try await TrackAnswer(id, kind, request, services).response()
            if response.meter == nil { response.meter = services.mediaMeters.of(kind) }
            return response
        }
    }
}

/// The part of a track that a path asks for.
enum TrackPath: Equatable {
    case stream, download, peaks

    /// - Parameter parts: What follows the track's identifier in the path.
    init?(_ parts: ArraySlice<Substring>) {
        switch parts.map(String.init) {
        case ["stream"]: self = .stream
        case ["download"]: self = .download
        case ["peaks"]: self = .peaks
        default: return nil
        }
    }
}

/// One answer with a track's sound. Off the loop.
struct TrackAnswer {
    let id: MusicID
    let kind: TrackPath
    let request: HTTPRequest
    let services: ShardServices
    /// Who asks and in which form, if another protocol has decided that; the address of the request says nothing then.
    private let decided: (account: Accounts.Account, format: StreamFormat)?

    init(
        _ id: MusicID, _ kind: TrackPath, _ request: HTTPRequest, _ services: ShardServices,
        decided: (account: Accounts.Account, format: StreamFormat)? = nil
    ) {
        self.id = id
        self.kind = kind
        self.request = request
        self.services = services
        self.decided = decided
    }

    /// A whole track is counted for its listener, too.
    func response() async throws -> HTTPResponse {
        let account = try await account()
        let (answer, isWhole) = try await answer(to: account)
        var response = answer
        guard isWhole, kind == .stream, !account.isGuest, response.file != nil || response.growing != nil else {
            return response
        }
        let hasToken = request.authorization == nil && decided == nil
        let key = hasToken ? request.queryValue("t").map { StreamLedger.Key.token($0) } : nil
        response.meter = services.streams.meter(
            key ?? .account(account.uid, id), StreamLedger.Form(size: response.file?.file.size),
            services.mediaMeters.streams, now: services.library.clock.nowMilliseconds())
        return response
    }

    /// - Returns: The answer, and whether it is of the whole track.
    private func answer(to account: Accounts.Account) async throws -> (HTTPResponse, isWhole: Bool) {
        if kind == .download { try account.require(.libraryDownload) }
        let library = services.library
        let listener = try await library.listener(for: account)
        if kind == .peaks { return (try await peaks(for: listener), false) }
        let format = try format()
        let track = try await library.tracks.open(id, for: listener)
        guard let file = BodyFile(taking: track.descriptor) else { throw WireError(.trackUnavailable) }
        var headers = Self.headers
        if track.access == .preview, kind == .stream {
            let clip = try await rendition(.preview, track.descriptor, for: listener)
            return (clip ?? .error(WireError(.trackNotFound)), false)
        }
        guard track.access == .full else { throw WireError(.trackNotFound) }
        if format == .opus, kind == .stream,
            let answer = try await rendition(.full, track.descriptor, for: listener)
        {
            return (answer, true)
        }
        if kind == .download {
            headers.append((name: "content-disposition", value: Self.disposition(track.fileName)))
        }
        let answer = HTTPResponse.file(
            file, to: request, contentType: SoundFormat.contentType(track.kind), tag: track.tag, headers: headers)
        return (answer, true)
    }

    private static let headers: [(name: String, value: String)] = [
        (name: "cache-control", value: "private, max-age=3600"),
        (name: "x-content-type-options", value: "nosniff"),
        (name: "cross-origin-resource-policy", value: "same-origin"),
    ]

    // MARK: Derived

    /// - Throws: `request.invalid`.
    private func format() throws(WireError) -> StreamFormat {
        if let decided { return decided.format }
        guard let word = request.queryValue("format") else { return .original }
        guard let format = StreamFormat(rawValue: word) else {
            throw WireError(.requestInvalid, "The format is original or opus.", field: "format")
        }
        return format
    }

    /// The answer with a rendition; `nil` if the file of the track has that form already.
    ///
    /// - Parameter original: The file of the track; it stays the caller's.
    private func rendition(
        _ kind: RenditionKind, _ original: Int32, for listener: Listener
    ) async throws -> HTTPResponse? {
        // A part of a file that grows can't be told from a part of a whole one.
        let range = request.headers["range"]
        let isPart = range != nil && range != "bytes=0-"
        let sound = try await services.library.media.sound(
            of: id, as: kind, original: original, for: listener.uid, isWhole: isPart)
        switch sound {
        case .original: return nil
        case .whole(let descriptor, let tag):
            guard let file = BodyFile(taking: descriptor) else { throw WireError(.trackUnavailable) }
            return HTTPResponse.file(
                file, to: request, contentType: "audio/ogg", tag: tag, headers: Self.headers)
        case .growing(let file):
            var response = HTTPResponse(contentType: "audio/ogg", headers: Self.headers)
            response.headers[0] = (name: "cache-control", value: "no-store")
            response.headers.append((name: "accept-ranges", value: "none"))
            response.growing = file
            return response
        }
    }

    private func peaks(for listener: Listener) async throws -> HTTPResponse {
        let outline = try await services.library.media.outline(id, for: listener)
        let peaks = TrackPeaks(version: outline.version, peaks: outline.peaks.map { Int64($0) })
        var response = HTTPResponse.json(200, peaks.encoded())
        response.headers = Self.headers
        return response
    }

    /// The account by the header, else by the token of the query.
    private func account() async throws -> Accounts.Account {
        if let decided { return decided.account }
        let accounts = services.model.accounts
        if let header = request.authorization {
            let account = try services.account(bearer: header)
            try account.require(.libraryListen)
            return account
        }
        guard kind != .download, let token = request.queryValue("t") else { throw WireError(.authRequired) }
        let library = services.library
        guard
            let claims = library.tokens.verify(token, for: id, now: library.clock.nowMilliseconds())
        else { throw WireError(.authTokenInvalid) }
        let account = try accounts.current(claims.account)
        guard try await accounts.lasts(account) else { throw WireError(.authTokenInvalid) }
        if account.isGuest, !services.live.takesGuests { throw WireError(.authAccountRequired) }
        return account
    }

    /// Source: RFC 6266, with the name in UTF-8 (RFC 8187).
    private static func disposition(_ name: String) -> String {
        let allowed = Set("!#$&+-.^_`|~".utf8)
        var encoded = ""
        for byte in name.utf8.prefix(200) {
            let isPlain =
                allowed.contains(byte) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
            if isPlain {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return "attachment; filename*=UTF-8''\(encoded)"
    }
}

extension HTTPRequest {
    /// The first value of a name in the query, percent-decoded.
    func queryValue(_ name: String) -> String? {
        for part in query.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.first.map(String.init) == name else { continue }
            return Self.decoded(pair.count == 2 ? pair[1] : "")
        }
        return nil
    }

    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let code = UInt8(String(decoding: Array(rest.prefix(2)), as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(code)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
