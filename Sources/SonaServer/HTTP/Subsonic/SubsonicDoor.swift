internal import SonaEventLoop
internal import SonaLibrary
internal import SonaModel
internal import SonaSubsonic
internal import SonaWire

/// The way of music apps to the library: `/rest/…`.
///
/// The endpoints are those of `OpenSubsonic`; what comes over a socket or out of a file is decided here.
struct SubsonicDoor: Sendable {
    /// Fixed by the apps.
    static let pathPrefix = "/rest/"
    /// Bytes of a form: 10 000 songs and some more.
    static let formBytesMax = 512 * 1024

    private let services: ShardServices
    private let endpoints: OpenSubsonic

    init(_ services: ShardServices, _ methods: Methods) {
        self.services = services
        endpoints = OpenSubsonic(
            library: services.library, accounts: services.model.accounts,
            host: Host(methods: methods, library: services.library, live: services.live),
            server: SubsonicServer(name: ServerVersion.name, version: ServerVersion.number))
    }

    /// What the endpoints ask of the server: requests of its own protocol.
    private struct Host: SubsonicHost {
        let methods: Methods
        let library: Library
        let live: LiveConfiguration

        func call<Request: WireRequest>(
            _ request: Request, as account: Accounts.Account
        ) async throws -> Request.Response {
            guard let method = Methods.table[Request.type], !method.needsConnection else {
                throw WireError(.requestUnknown)
            }
            // A request from within is held to the forms of the protocol as one from without is.
            let data = try JSON.parse(request.encoded())
            let outcome = try await methods.call(method, data, Caller(account: account, address: nil))
            guard let response = outcome.response as? Request.Response else { throw WireError(.serverInternal) }
            return response
        }

        func admit(_ account: Accounts.Account) throws {
            if live.isInMaintenance { try Maintenance.check(SubsonicDoor.pathPrefix, isLive: false, account) }
        }

        func take(_ request: String, _ account: Accounts.Account) throws {
            try methods.model.accounts.take(request, account)
        }

        var isScanning: Bool { library.folders.figures.running > 0 }
    }

    // MARK: Answers

    /// The answer to a request, with how many bytes whatever comes. Off the loop.
    ///
    /// - Returns: The response, and the number of the error if it says one.
    func response(to request: HTTPRequest, _ asked: SubsonicRequest) async -> (HTTPResponse, SubsonicError.Code?) {
        do {
            switch await endpoints.answer(asked) {
            case .reply(let reply): return (Self.document(reply), reply.code)
            case .sound(let wanted): return (try await sound(wanted, request), nil)
            case .cover(let key, let size):
                var response = HTTPResponse(try await services.library.covers.cover(key, size), to: request)
                response.meter = services.mediaMeters.covers
                return (Self.open(response), nil)
            case .photo(let id, let size):
                guard let response = try await services.photo(id, size, to: request) else {
                    throw WireError(.trackNoCover)
                }
                return (Self.open(response), nil)
            }
        } catch {
            let reply = endpoints.failure(error, asked)
            return (Self.document(reply), reply.code)
        }
    }

    /// The document that tells of an error which no endpoint was asked for.
    func failure(_ error: any Error, _ asked: SubsonicRequest) -> HTTPResponse {
        Self.document(endpoints.failure(error, asked))
    }

    private func sound(_ wanted: OpenSubsonic.SoundWanted, _ request: HTTPRequest) async throws -> HTTPResponse {
        if wanted.offsetSeconds > 0 { return Self.open(try await rest(of: wanted, request)) }
        let kind: TrackPath = wanted.isDownload ? .download : .stream
        func answer(_ format: StreamFormat) async throws -> HTTPResponse {
            try await TrackAnswer(wanted.track, kind, request, services, decided: (wanted.account, format)).response()
        }
        var response: HTTPResponse
        do { response = try await answer(wanted.asOpus ? .opus : .original) } catch {
            // A server that can't convert has the file, which is better than nothing.
            guard wanted.asOpus, WireError(error).code == .trackConversionFailed else { throw error }
            response = try await answer(.original)
        }
        if response.meter == nil { response.meter = services.mediaMeters.of(kind) }
        return Self.open(response)
    }

    /// The sound from a place on.
    private func rest(of wanted: OpenSubsonic.SoundWanted, _ request: HTTPRequest) async throws -> HTTPResponse {
        let library = services.library
        let sound = try await library.rooms.sound(of: wanted.track, for: wanted.account.uid)
        let file: BodyFile
        do throws(OpusExcerpt.Failure) {
            file = try await OpusExcerpt.make(
                of: sound.descriptor, from: wanted.offsetSeconds, in: services.model.dataFolder)
        } catch {
            switch error {
            case .beyondEnd: throw WireError(.requestInvalid, "The song ends before timeOffset.")
            case .broken: throw WireError(.trackUnavailable)
            case .busy: throw WireError(.serverBusy, retryAfterMilliseconds: 2_000)
            }
        }
        let tag = sound.tag.dropLast() + ".\(wanted.offsetSeconds)\""
        var response = HTTPResponse.file(
            file, to: request, contentType: "audio/ogg", tag: String(tag),
            headers: [
                (name: "cache-control", value: "private, max-age=3600"),
                (name: "x-content-type-options", value: "nosniff"),
            ])
        response.meter = services.mediaMeters.streams
        return response
    }

    /// Pages of all origins may read it: the one who asks has shown a password.
    private static func open(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        response.headers.removeAll { $0.name == "cross-origin-resource-policy" }
        response.headers += [HTTPResponse.anyOrigin, (name: "cross-origin-resource-policy", value: "cross-origin")]
        return response
    }

    private static func document(_ reply: SubsonicReply) -> HTTPResponse {
        HTTPResponse(
            contentType: reply.contentType, body: reply.body,
            headers: [
                (name: "cache-control", value: "no-store"), (name: "x-content-type-options", value: "nosniff"),
                HTTPResponse.anyOrigin,
            ])
    }
}

extension ShardCore {
    /// Source: deploy/subsonic.md.
    func subsonic(_ request: HTTPRequest, _ exchange: ExchangeLink) {
        guard !services.configuration.isWithoutSubsonic else {
            return exchange.respond(.text(404, "This server does not speak OpenSubsonic."))
        }
        guard request.method != .options else {
            return exchange.respond(
                HTTPResponse(
                    status: 204,
                    headers: [
                        HTTPResponse.anyOrigin, (name: "access-control-allow-methods", value: "GET, POST"),
                        (name: "access-control-allow-headers", value: "*"),
                        (name: "access-control-max-age", value: "86400"),
                    ]))
        }
        guard request.method == .get || request.method == .head || request.method == .post else {
            return exchange.respond(
                HTTPResponse(
                    status: 405, body: Array("Requests are made with GET and POST.\n".utf8),
                    headers: [(name: "allow", value: "GET, HEAD, POST")]))
        }
        let base = PageCard.base(
            publicAddress: services.live.publicAddress, host: request.host,
            isSecure: request.isSecure, isForwarded: request.isForwarded && request.remote == request.peer)
        let asked = SubsonicRequest(
            name: String(request.path.dropFirst(SubsonicDoor.pathPrefix.count)),
            parameters: Parameters(query: request.query, form: request.method == .post ? request.body : []),
            address: services.limitedAddress(request.remote), from: request.remote.text, origin: base ?? "")
        let (door, shard, services) = (subsonicDoor, self.shard, self.services)
        figures.requests &+= 1
        services.subsonicFigures.count(asked.name)
        guard !isDraining else {
            return exchange.respond(door.failure(WireError(.serverDraining), asked))
        }
        Task {
            let (response, code) = await door.response(to: request, asked)
            exchange.respond(response)
            guard let code else { return }
            services.subsonicFigures.count(error: code.rawValue)
            if code == .credentialsWrong || code == .keyInvalid {
                await shard.perform {
                    $0.count(
                        refusal: WireError(.authCredentialsInvalid), exchange.origin,
                        type: SubsonicDoor.pathPrefix + asked.name.prefix(40))
                }
            }
        }
    }
}
