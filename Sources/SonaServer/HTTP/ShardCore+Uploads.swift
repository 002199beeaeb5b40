internal import Glibc
internal import SonaEventLoop
internal import SonaLibrary
internal import SonaModel
internal import SonaWire

/// Uploads of music: tus 1.0.0, and plain `PUT`, under `/v1/uploads`.
///
/// Source: Protocol/spec/uploads.md.
extension ShardCore {
    func takeUpload(_ request: HTTPRequest, _ exchange: ExchangeLink) {
        let answer = UploadAnswer(request, services)
        guard UploadRequest.method(of: request) != .options else { return exchange.respond(answer.options) }
        func refuse(_ error: WireError) {
            count(refusal: error, exchange.origin)
            exchange.respond(answer.error(error))
        }
        if isDraining { return refuse(WireError(.serverDraining, retryAfterMilliseconds: 2000)) }
        let sink = request.sink as? UploadSink
        let asked: UploadRequest
        do throws(WireError) {
            asked = if let sink { sink.request } else { try UploadRequest(request, bytes: 0, services) }
        } catch { return refuse(error) }
        let shard = shard
        Task {
            do {
                exchange.respond(try await answer.response(to: asked, sink?.piece))
            } catch {
                let error = WireError(error)
                await shard.perform { $0.count(refusal: error, exchange.origin) }
                exchange.respond(answer.error(error))
            }
        }
    }
}

extension Hub {
    /// Decides on the body of an upload before any of it is read: by its sender, and by what its head says.
    func uploadBody(_ request: HTTPRequest, bytes: Int) -> BodyDecision {
        guard UploadRequest.method(of: request) != .options else { return Self.ordinaryBody(bytes) }
        do throws(WireError) {
            let asked = try UploadRequest(request, bytes: bytes, services)
            guard let (target, checksum) = asked.target else { return Self.ordinaryBody(bytes) }
            let piece = services.library.uploads.piece(target, bytes: Int64(bytes), checksum: checksum)
            return .stream(UploadSink(asked, piece))
        } catch {
            let origin = RequestOrigin.ofHTTP(address: request.remote.text, connection: 0)
            shard.post { $0.count(refusal: error, origin) }
            return .refuse(UploadAnswer(request, services).error(error))
        }
    }
}

/// The way of a body to an upload.
final class UploadSink: BodySink {
    let request: UploadRequest
    let piece: UploadPiece

    init(_ request: UploadRequest, _ piece: UploadPiece) {
        self.request = request
        self.piece = piece
    }

    func write(_ bytes: [UInt8]) throws { try piece.write(bytes) }
    func finish(isWhole: Bool) { piece.finish(isWhole: isWhole) }
}

/// The answers to requests about uploads, with the headers of tus.
struct UploadAnswer: Sendable {
    private let services: ShardServices
    private let isTus: Bool
    /// The page that asks, if it is one of another origin that may.
    private let origin: String?

    static let checksums = "sha1,sha256"
    private static let extensions = "creation,creation-with-upload,expiration,checksum,termination"
    private static let exposed =
        "Location, Retry-After, Tus-Resumable, Tus-Version, Tus-Extension, Tus-Max-Size, Tus-Checksum-Algorithm, "
        + "Upload-Offset, Upload-Length, Upload-Metadata, Upload-Expires, Sona-Track"
    private static let requested =
        "Authorization, Content-Type, Tus-Resumable, Upload-Offset, Upload-Length, Upload-Metadata, "
        + "Upload-Checksum, X-HTTP-Method-Override"

    init(_ request: HTTPRequest, _ services: ShardServices) {
        self.services = services
        isTus = UploadRequest.method(of: request) != .put
        origin = services.gate.foreignOrigin(of: request)
    }

    /// What is offered here, and to pages of other origins what they may send.
    var options: HTTPResponse {
        var headers: [(name: String, value: String)] = [
            (name: "tus-version", value: Limits.tusVersion), (name: "tus-extension", value: Self.extensions),
            (name: "tus-max-size", value: String(services.library.uploads.limits.fileBytes)),
            (name: "tus-checksum-algorithm", value: Self.checksums),
        ]
        if origin != nil {
            headers += [
                (name: "access-control-allow-methods", value: "POST, PUT, HEAD, PATCH, DELETE, OPTIONS"),
                (name: "access-control-allow-headers", value: Self.requested),
                (name: "access-control-max-age", value: "600"),
            ]
        }
        return made(204, headers)
    }

    func error(_ error: WireError) -> HTTPResponse {
        var response = HTTPResponse.error(error)
        response.headers += shared
        if error.code == .uploadVersion {
            response.headers.append((name: "tus-version", value: Limits.tusVersion))
        }
        return response
    }

    /// Off the loop.
    func response(to asked: UploadRequest, _ piece: UploadPiece?) async throws -> HTTPResponse {
        let uploads = services.library.uploads
        switch asked.action {
        case .create(let new):
            let state = try await uploads.create(new)
            return made(201, Self.place(state) + Self.progress(state))
        case .put(.new(let new), _):
            guard let piece else { throw Refusal(.mediaUnsupported, "The file is empty.") }
            let state = try piece.result()
            guard new.isResumable else { return try await track(of: state, asked) }
            return made(201, Self.place(state) + (try await progress(state)))
        case .put(let target, let checksum), .append(let target, let checksum):
            let state: UploadState
            if let piece {
                state = try piece.result()
            } else {
                state = try await uploads.finish(uploads.piece(target, bytes: 0, checksum: checksum))
            }
            return made(204, try await progress(state))
        case .status(let id):
            let (state, track) = try await uploads.status(id, of: asked.account.uid)
            var headers = Self.progress(state)
            headers.append((name: "upload-length", value: String(state.length)))
            if let metadata = state.metadata { headers.append((name: "upload-metadata", value: metadata)) }
            if let track { headers.append(Self.named(track)) }
            return made(200, headers)
        case .terminate(let id):
            try await uploads.terminate(id, of: asked.account.uid)
            return made(204, [])
        }
    }

    /// How far an upload is; one that is whole becomes a track.
    private func progress(_ state: UploadState) async throws -> [(name: String, value: String)] {
        guard state.isWhole else { return Self.progress(state) }
        let (track, _) = try await services.library.uploads.complete(state.id)
        return Self.progress(state) + [Self.named(track)]
    }

    /// The answer to a plain `PUT`.
    private func track(of state: UploadState, _ asked: UploadRequest) async throws -> HTTPResponse {
        let library = services.library
        let id: MusicID
        let isNew: Bool
        do { (id, isNew) = try await library.uploads.complete(state.id) } catch {
            // The client sends the file again: nobody asks for this one any more.
            try? await library.uploads.terminate(state.id, of: asked.account.uid)
            throw error
        }
        let track = try await library.finder.track(id, for: try await library.listener(for: asked.account))
        var response = HTTPResponse.json(isNew ? 201 : 200, Reply.okBody(TrackResult(track: track)))
        response.headers += shared
        response.headers.append(Self.named(id))
        return response
    }

    // MARK: Headers

    private func made(_ status: Int, _ headers: [(name: String, value: String)]) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: shared + headers + [(name: "cache-control", value: "no-store")])
    }

    /// The headers of every answer.
    private var shared: [(name: String, value: String)] {
        var headers: [(name: String, value: String)] = []
        if isTus { headers.append((name: "tus-resumable", value: Limits.tusVersion)) }
        if let origin {
            headers += [
                (name: "access-control-allow-origin", value: origin), (name: "vary", value: "Origin"),
                (name: "access-control-expose-headers", value: Self.exposed),
            ]
        }
        return headers
    }

    private static func place(_ state: UploadState) -> [(name: String, value: String)] {
        [(name: "location", value: "\(Limits.uploadsPath)/\(state.id.rawValue)")]
    }

    private static func progress(_ state: UploadState) -> [(name: String, value: String)] {
        [
            (name: "upload-offset", value: String(state.offset)),
            (name: "upload-expires", value: date(milliseconds: state.expiresMilliseconds)),
        ]
    }

    private static func named(_ track: MusicID) -> (name: String, value: String) {
        (name: "sona-track", value: track.rawValue)
    }

    /// As RFC 9110, section 5.6.7, has it.
    private static func date(milliseconds: Int64) -> String {
        var seconds = time_t(milliseconds / 1_000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let day = "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)])"
        return "\(day) \(parts.tm_year + 1900) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
    }
}
