internal import Glibc
internal import SonaAudio
internal import SonaBase
internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// One connection to the Icecast port, on a thread of its own.
///
/// Source: Protocol/spec/radio.md, "Icecast"; the requests of ffmpeg, libshout and liquidsoap.
struct SourceConnection {
    let socket: Int32
    let address: String
    let services: ShardServices
    let shard: Shard
    let access: RoomAccess
    let stop: StopFlag

    /// Times in which the head must be whole, and between parts of the body, seconds.
    private static let headSeconds = 15
    private static let silenceSeconds = 10
    private static let opusBitrate = 128

    /// Serves it until it ends, and closes it.
    func serve() {
        defer {
            shutdown(socket, Int32(SHUT_WR))
            close(socket)
        }
        var timeout = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var bytes: [UInt8] = []
        let deadline = MonotonicClock.nowMicroseconds() + Int64(Self.headSeconds) * 1_000_000
        while true {
            if let (head, count) = SourceHead.read(bytes) {
                guard let head else { return answer("HTTP/1.1 400 Bad Request") }
                return serve(head, Array(bytes.dropFirst(count)))
            }
            guard bytes.count <= SourceHead.bytesMax else {
                return answer("HTTP/1.1 431 Request Header Fields Too Large")
            }
            guard MonotonicClock.nowMicroseconds() < deadline, !stop.isSet else { return }
            switch read() {
            case .bytes(let more): bytes += more
            case .nothing: continue
            case .end: return
            }
        }
    }

    private func serve(_ head: SourceHead, _ rest: [UInt8]) {
        switch (head.method, head.path) {
        case ("OPTIONS", _):
            // 403, 404 and 501 end libshout's attempt.
            send("HTTP/1.1 204 No Content\r\nAllow: OPTIONS, GET, HEAD, PUT, SOURCE\r\nConnection: close\r\n\r\n")
        case ("GET", "/admin/metadata"), ("POST", "/admin/metadata"): tell(head)
        case ("PUT", _), ("SOURCE", _): takeSource(head, rest)
        case ("GET", _), ("HEAD", _), ("POST", _): answer("HTTP/1.1 400 Bad Request")
        default: answer("HTTP/1.1 405 Method Not Allowed")
        }
    }

    // MARK: Who

    private struct Found: Sendable {
        var stored: RoomStore.StoredRoom
        var account: Accounts.Account
    }

    /// The room of a mount, `/ROOM` with an ending or without, if the password is its key.
    ///
    /// - Returns: `nil` if not, or not any more; also for a room that does not exist.
    private func found(_ mount: String, _ head: SourceHead) throws -> Found? {
        let name = mount.hasPrefix("/") ? mount.dropFirst() : mount[...]
        let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name
        guard let key = head.password, let reference = RoomReference(String(stem)) else { return nil }
        let (services, access) = (self.services, self.access)
        return try SourceHost.wait {
            for stored in try await access.stored(reference) where stored.closedMilliseconds == nil {
                guard let account = try await services.model.roomStorage.sourceKeys.account(key, of: stored.id) else {
                    continue
                }
                let current = try services.model.accounts.current(account)
                try current.require(.roomsControl)
                return Found(stored: stored, account: current)
            }
            return nil
        }
    }

    private func refuse() {
        send(
            "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"Sona\"\r\n"
                + "Allow: GET, PUT, SOURCE, OPTIONS\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    }

    private func refuse(_ head: SourceHead) {
        // libshout asks without a password first.
        if head.password != nil {
            services.log.log(.authFailed, "A source's key was wrong.", [.address(address)])
            // A guess costs time.
            usleep(500_000)
        }
        refuse()
    }

    // MARK: Metadata

    private func tell(_ head: SourceHead) {
        do {
            guard let mount = head.value("mount"), let found = try found(mount, head) else { return refuse(head) }
            guard let track = Self.track(head) else { return answer("HTTP/1.1 400 Bad Request") }
            var texts = FilteredTexts(services.model.words)
            let (shown, room, shard) = (texts.mask(track), found.stored.id, self.shard)
            try SourceHost.wait {
                try await shard.perform { core in
                    guard let home = core.rooms[room] else { throw WireError(.hostNotHost) }
                    try home.tellSource(shown, now: MonotonicClock.nowMicroseconds())
                }
            }
            let body =
                "<?xml version=\"1.0\"?>\n<iceresponse><message>Metadata update successful</message><return>1</return></iceresponse>\n"
            send(
                "HTTP/1.1 200 OK\r\nContent-Type: text/xml; charset=utf-8\r\nContent-Length: \(body.utf8.count)\r\n"
                    + "Connection: close\r\n\r\n\(body)")
        } catch { refuse(WireError(error)) }
    }

    /// `song`, as `Artist - Title`, or `title` and `artist`.
    static func track(_ head: SourceHead) -> Track? {
        if let title = head.value("title").flatMap(SourceHost.line) {
            return Track(title: title, artist: head.value("artist").flatMap(SourceHost.line))
        }
        guard let song = head.value("song").flatMap(SourceHost.line) else { return nil }
        guard let dash = song.firstRange(of: " - ") else { return Track(title: song) }
        let (artist, title) = (String(song[..<dash.lowerBound]), String(song[dash.upperBound...]))
        guard let shown = SourceHost.line(title) else { return Track(title: song) }
        return Track(title: shown, artist: SourceHost.line(artist))
    }

    private func refuse(_ error: WireError) {
        switch error.code {
        case .roomNotFound, .roomClosed: answer("HTTP/1.1 404 Not Found")
        case .serverBusy, .serverDraining: answer("HTTP/1.1 503 Service Unavailable")
        default: answer("HTTP/1.1 403 Forbidden")
        }
    }

    // MARK: The source

    private func takeSource(_ head: SourceHead, _ rest: [UInt8]) {
        do {
            guard let found = try found(head.path, head) else { return refuse(head) }
            let (access, shard) = (self.access, self.shard)
            let member = try SourceHost.wait {
                let state = try await access.storedState(of: found.stored)
                return try await shard.perform { core -> MemberID in
                    if core.isDraining { throw WireError(.serverDraining) }
                    let home = try core.home(found.stored, state)
                    try home.trySource(User(found.account), now: MonotonicClock.nowMicroseconds())
                    // Connections count from 1.
                    return 1 << 63 | core.nextRadioNumber()
                }
            }
            let ok = head.method == "SOURCE" ? "HTTP/1.0 200 OK\r\n\r\n" : "HTTP/1.1 200 OK\r\n\r\n"
            let expects = head.headers["expect"]?.lowercased() == "100-continue"
            if expects { send("HTTP/1.1 100 Continue\r\n\r\n") }
            // ffmpeg reads no more than it waits for. An answer that it has not read when it closes its socket makes that a
            // reset, which loses the end of what it has sent (RFC 9293 §3.10.4).
            let isLater = expects || !rest.isEmpty || comesSoon
            if !isLater { send(ok) }
            defer { if isLater { send(ok) } }
            let host = SourceHost(
                found.stored, found.account, member: member, key: head.password ?? "", from: address,
                title: head.headers["ice-name"], services, shard, access)
            play(head, rest, host)
        } catch { refuse(WireError(error)) }
    }

    /// Whether the body comes although nothing has been answered yet.
    private var comesSoon: Bool {
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 200) > 0
    }

    private func play(_ head: SourceHead, _ rest: [UInt8], _ host: SourceHost) {
        var source = SourceReading(self, head, rest)
        var first: [UInt8] = []
        while first.count < SourceTranscoding.Kind.headBytes, let more = source.next() { first += more }
        guard let kind = SourceTranscoding.Kind(first, contentType: head.headers["content-type"]) else {
            return note("sends nothing that can be played", host)
        }
        services.log.log(.sourceStarted, "A source plays to room \(host.stored.id).", [.address(address)])
        var reader = OggStreamReader()
        var isLost = true
        do {
            switch kind {
            case .opus:
                var bytes: [UInt8]? = first
                while let some = bytes {
                    for event in reader.take(some) { try host.take(event) }
                    bytes = source.next()
                }
            case .other(let demuxer): try transcode(demuxer, first, &source, host)
            }
            isLost = !(host.hasEnded || source.isOver || isBanned)
            note("has ended", host)
        } catch SourceEnd.refused(let error) {
            note("is ended: \(error.code.text)", host)
            isLost = false
        } catch { note("is ended: \(error)", host) }
        host.leave(isLost: isLost)
    }

    private func note(_ what: String, _ host: SourceHost) {
        services.log.log(.sourceEnded, "The source of room \(host.stored.id) \(what).", [.address(address)])
    }

    /// - Throws: `SourceEnd`.
    private func transcode(
        _ demuxer: String, _ first: [UInt8], _ source: inout SourceReading, _ host: SourceHost
    ) throws {
        let out = SourceOutput(host)
        guard let work = SourceTranscoding(demuxer, bitrate: Self.opusBitrate, output: { try out.take($0) }) else {
            throw SourceEnd.notSound("ffmpeg isn't installed, or could not be started")
        }
        var comments = demuxer == "ogg" ? VorbisTitles() : nil
        var bytes: [UInt8]? = first
        while let some = bytes {
            if let tags = comments?.take(some) { out.note(tags) }
            guard work.write(some) else { break }
            bytes = work.hasEnded ? nil : source.next()
        }
        work.finish()
        if let fault = out.fault { throw fault }
        if !source.isOver { out.clearEnd() }
    }

    // MARK: The socket

    enum Reading {
        case bytes([UInt8])
        /// Nothing came for a second.
        case nothing
        case end
    }

    /// Whether its address has been banned since it came.
    private var isBanned: Bool {
        services.banned.refusal(of: RemoteAddress(text: address), now: MonotonicClock.wallMilliseconds()) != nil
    }

    func read() -> Reading {
        guard !isBanned else { return .end }
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = recv(socket, &buffer, buffer.count, 0)
        if count > 0 { return .bytes(Array(buffer.prefix(count))) }
        if count < 0, errno == EAGAIN || errno == EINTR { return .nothing }
        return .end
    }

    /// Seconds without a byte after which a source is given up.
    static var silenceMax: Int { silenceSeconds }

    private func answer(_ status: String) {
        send("\(status)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    }

    private func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }
}

/// The body of a source as it comes.
struct SourceReading {
    private let connection: SourceConnection
    private var body: SourceBody
    private var rest: [UInt8]
    /// The body came to its end by its framing.
    var isOver: Bool { body.isOver }

    init(_ connection: SourceConnection, _ head: SourceHead, _ rest: [UInt8]) {
        self.connection = connection
        self.rest = rest
        body = SourceBody(head)
    }

    /// The next bytes; `nil` at the end, or if nothing comes for too long. Blocks.
    mutating func next() -> [UInt8]? {
        if !rest.isEmpty {
            let bytes = body.take(rest)
            rest = []
            if !bytes.isEmpty { return bytes }
        }
        var silent = 0
        while !body.isOver, !connection.stop.isSet, silent < SourceConnection.silenceMax {
            switch connection.read() {
            case .bytes(let raw):
                let bytes = body.take(raw)
                if !bytes.isEmpty { return bytes }
            case .nothing: silent += 1
            case .end: return nil
            }
        }
        return nil
    }
}

/// What comes out of a transcoding, on its thread.
final class SourceOutput: @unchecked Sendable {
    // Safe: `host` and `reader` are used on the transcoding's thread, and by others only after it has ended.
    private let host: SourceHost
    private var reader = OggStreamReader()
    private(set) var fault: (any Error)?
    private let told = Monitor<OpusTags?>(nil)
    private var isFirst = true

    init(_ host: SourceHost) { self.host = host }

    /// From another thread: what the source says that it plays.
    func note(_ tags: OpusTags) { told.withLock { $0 = tags } }

    func take(_ bytes: UnsafeRawBufferPointer) throws {
        do {
            for event in reader.take(bytes) {
                try host.take(event)
                if let tags = told.withLock({ tags in
                    defer { tags = nil }
                    return tags
                }) {
                    host.change(tags)
                }
            }
        } catch {
            fault = error
            throw error
        }
    }

    /// ffmpeg has ended its stream, but the source has not ended its own.
    func clearEnd() { host.clearEnd() }
}

/// The comment headers in an Ogg Vorbis stream.
struct VorbisTitles {
    private var reader = OggStreamReader()

    /// - Returns: The comments, if some are among these bytes.
    mutating func take(_ bytes: [UInt8]) -> OpusTags? {
        var found: OpusTags?
        for case .packet(let packet) in reader.take(bytes) where packet.starts(with: [3] + Array("vorbis".utf8)) {
            found = try? OpusTags(parsing: Array("OpusTags".utf8) + packet.dropFirst(7))
        }
        return found
    }
}
