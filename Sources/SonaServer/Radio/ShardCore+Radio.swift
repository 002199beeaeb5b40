internal import SonaAudio
internal import SonaEventLoop
internal import SonaLibrary
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// Rooms for players that know nothing of rooms: `GET /listen/ROOM.opus`, and lists of such addresses.
///
/// Source: Protocol/spec/radio.md.
extension ShardCore {
    func listen(_ request: HTTPRequest, _ exchange: ExchangeLink) {
        func answer(_ response: HTTPResponse) { exchange.respond(response.forRadio) }
        if request.method == .options {
            return answer(
                HTTPResponse(
                    status: 204,
                    headers: [
                        (name: "access-control-allow-methods", value: "GET, HEAD"),
                        (name: "access-control-allow-headers", value: "Icy-MetaData, Range"),
                    ]))
        }
        guard request.method == .get || request.method == .head else {
            return answer(
                HTTPResponse(
                    status: 405, body: Array("Only GET and HEAD are known here.\n".utf8),
                    headers: [(name: "allow", value: "GET, HEAD, OPTIONS")]))
        }
        guard let path = RadioPath(request.path) else { return answer(.error(WireError(.roomNotFound))) }
        let (shard, services) = (self.shard, self.services)
        respondOrLeave(exchange, headers: { _ in [(name: "access-control-allow-origin", value: "*")] }) { methods in
            let access = RadioAccess(methods: methods, services: services, shard: shard, request: request)
            switch path {
            case .live(let list):
                return HTTPResponse.list(list, try await access.liveEntries()).forRadio
            case .list(let reference, let list):
                let found = try await access.find(reference)
                return HTTPResponse.list(list, [access.entry(found.stored)]).forRadio
            case .opus(let reference), .mp3(let reference):
                let form = try path == .opus(reference) ? .opus : access.mp3()
                let found = try await access.find(reference)
                let response = HTTPResponse.radio(form, found.stored)
                guard request.method == .get else { return response }
                try await access.enter(found, form, exchange, response)
                return nil
            }
        }
    }
}

/// Finds rooms for listeners by HTTP. Off the loop.
struct RadioAccess: Sendable {
    let methods: Methods
    let services: ShardServices
    let shard: Shard
    let request: HTTPRequest

    typealias Found = RadioDoor.Found

    /// Finds the room, if the request may hear it.
    ///
    /// - Throws: As `RadioDoor.find`.
    func find(_ reference: RoomReference) async throws -> Found {
        try await RadioDoor(methods: methods, services: services).find(reference, token: request.queryValue("t"))
    }

    /// Wakes the room and lets the listener in.
    func enter(
        _ found: Found, _ form: RadioForm, _ exchange: ExchangeLink, _ response: HTTPResponse
    ) async throws {
        let state = try await methods.access.storedState(of: found.stored)
        let audience = found.account.map { RadioAudience.account(User($0)) } ?? .address(request.remote.group)
        try await shard.perform { core in
            if core.isDraining { throw WireError(.serverDraining, retryAfterMilliseconds: 2_000) }
            let now = MonotonicClock.nowMicroseconds()
            let home = try core.home(found.stored, state)
            if let account = found.account {
                try home.room.admit(User(account), wall: MonotonicClock.wallMilliseconds())
            } else if !home.room.isOpenToAll {
                throw WireError(.roomNotFound)
            }
            let desk = home.radio ?? RadioDesk(home, now: now)
            home.radio = desk
            do throws(WireError) {
                try desk.enter(form, audience, found.account, exchange, response, now: now)
            } catch {
                if desk.forms.isEmpty { home.radio = nil }
                throw error
            }
        }
    }

    /// The form of MP3 that the request asks for.
    ///
    /// - Throws: `request.invalid`.
    func mp3() throws(WireError) -> RadioForm {
        var kind = MP3Kind(bitrate: 128, levels: true)
        if let text = request.queryValue("kbps") {
            guard let bitrate = Int(text), MP3Encoder.bitrates.contains(bitrate) else {
                let known = MP3Encoder.bitrates.map(String.init).joined(separator: ", ")
                throw WireError(.requestInvalid, "kbps is one of \(known).", field: "kbps")
            }
            kind.bitrate = bitrate
        }
        if let text = request.queryValue("gain") {
            guard text == "0" || text == "1" else {
                throw WireError(.requestInvalid, "gain is 0 or 1.", field: "gain")
            }
            kind.levels = text == "1"
        }
        return .mp3(kind, hasMetadata: request.headers["icy-metadata"] == "1")
    }

    // MARK: Lists

    /// The beginning of addresses: how the client has reached this server.
    private var base: String {
        if let address = services.live.publicAddress { return address }
        let fallback = services.live.ownAddress ?? "http://localhost"
        return request.host.map { "\(request.isSecure ? "https" : "http")://\($0)" } ?? fallback
    }

    func entry(_ stored: RoomStore.StoredRoom) -> RadioList.Entry {
        let token = request.queryValue("t").map { "?t=\($0)" } ?? ""
        return RadioList.Entry(
            address: "\(base)\(RadioPath.prefix)\(stored.id.rawValue).opus\(token)",
            title: stored.settings.title.filter { !$0.isNewline })
    }

    /// The public rooms that are live and that anybody may hear.
    func liveEntries() async throws -> [RadioList.Entry] {
        guard services.live.takesGuests else { throw WireError(.authAccountRequired) }
        let rooms = await shard.perform { core in
            core.rooms.values.filter { $0.room.isLive && $0.room.isOpenToAll }.map { $0.room.description() }
                .sorted { ($1.listenerCount, $0.id.rawValue) < ($0.listenerCount, $1.id.rawValue) }
                .prefix(500)
        }
        return rooms.map {
            RadioList.Entry(
                address: "\(base)\(RadioPath.prefix)\($0.id.rawValue).opus",
                title: $0.settings.title.filter { !$0.isNewline })
        }
    }
}

extension HTTPResponse {
    /// What pages of all origins may read, and no cache keeps.
    var forRadio: HTTPResponse {
        var response = self
        response.headers.removeAll { $0.name == "cache-control" || $0.name == "access-control-allow-origin" }
        response.headers += [
            (name: "cache-control", value: "no-store"), (name: "access-control-allow-origin", value: "*"),
        ]
        return response
    }

    static func list(_ list: RadioList, _ entries: [RadioList.Entry]) -> HTTPResponse {
        HTTPResponse(
            contentType: list.contentType, body: Array(list.text(entries).utf8),
            headers: [(name: "x-content-type-options", value: "nosniff")])
    }

    /// The head of a room's sound.
    static func radio(_ form: RadioForm, _ room: RoomStore.StoredRoom) -> HTTPResponse {
        var response = HTTPResponse(
            contentType: form.contentType,
            headers: [
                (name: "accept-ranges", value: "none"), (name: "x-content-type-options", value: "nosniff"),
                (name: "icy-name", value: room.settings.title.filter { !$0.isNewline }),
                (name: "icy-pub", value: room.settings.visibility == .public ? "1" : "0"),
                (name: "access-control-expose-headers", value: "icy-name, icy-pub, icy-br, icy-metaint"),
            ])
        if case .mp3(let kind, let hasMetadata) = form {
            response.headers.append((name: "icy-br", value: String(kind.bitrate)))
            if hasMetadata {
                let metaint = kind.bitrate * 3 * ICYStream.blockFrames
                response.headers.append((name: "icy-metaint", value: String(metaint)))
            }
        }
        response.hasLength = false
        response.closes = true
        return response.forRadio
    }
}
