internal import SonaEventLoop
internal import SonaRooms
internal import SonaWire

/// What a listener by HTTP is sent.
enum RadioForm: Hashable, Sendable {
    /// Ogg Opus of the room's own packets.
    case opus
    /// MP3, with ICY metadata for players that ask for it.
    case mp3(MP3Kind, hasMetadata: Bool)

    /// Every `word`.
    static let words = ["opus", "mp3"]

    /// The form in the metrics.
    var word: String {
        switch self {
        case .opus: "opus"
        case .mp3: "mp3"
        }
    }

    var contentType: String {
        switch self {
        case .opus: "audio/ogg"
        case .mp3: "audio/mpeg"
        }
    }
}

/// One byte stream of one room that listeners by HTTP share.
struct RadioID: Hashable, Sendable {
    var room: RoomID
    /// Number of the stream among all that were begun: a new one has other bytes.
    var number: UInt64
    var form: RadioForm
}

/// The listeners by HTTP of one byte stream on one loop.
///
/// Pieces are put into a ring once and written to all that keep up. Nothing can be left out of a byte stream, so that
/// one who does not take it is closed: after `Limits.listenerLagSecondsMax` of being behind, once the kernel is full too.
final class RadioRelay {
    private let id: RadioID
    private unowned let hub: Hub  // Its table holds this.
    private let fanOut: FanOut

    init(_ id: RadioID, hub: Hub) {
        self.id = id
        self.hub = hub
        fanOut = FanOut(on: hub.loop, from: 0)
    }

    var count: Int { fanOut.count }

    func add(_ connection: WebSocketConnection) -> FanOut.Member { fanOut.add(connection, takesFrames: true) }

    func remove(_ member: FanOut.Member) {
        fanOut.remove(member)
        if fanOut.count == 0 { hub.radioRelays[id] = nil }
    }

    private static let lag = Int64(Limits.listenerLagSecondsMax) * 1_000_000

    /// - Parameter packets: Number of packets in the piece, for the figures.
    func deliver(_ piece: [UInt8], packets: Int, now: Int64) {
        fanOut.drop(dueBefore: now, bytesMax: ChunkRing.bytesMax)
        // It is held for longer than anybody may be behind.
        fanOut.append(raw: piece, due: now + 2 * Self.lag)
        let sent = fanOut.send(group: nil, now: now)
        hub.figures.radioDeliveries &+= UInt64(packets * sent.writes)
        hub.figures.radioWrites &+= UInt64(sent.writes)
        for member in fanOut.behind { catchUp(member, now: now) }
    }

    /// Sends a listener who was behind what it is owed, as far as its socket takes it.
    func catchUp(_ member: FanOut.Member, now: Int64) {
        guard let since = member.behindSince, member.connection.isOpen else { return }
        let sent = fanOut.catchUp(member)
        hub.figures.radioWrites &+= UInt64(sent.writes)
        guard member.behindSince != nil, now - since > Self.lag || fanOut.next(of: member) < fanOut.first else {
            return
        }
        hub.figures.slowRadioClosed &+= 1
        member.connection.cut()
    }

    /// Ends every connection once it has what was sent.
    func end() {
        for member in fanOut.members { member.connection.close(1000, "") }
    }
}

/// The connection of one listener by HTTP.
final class RadioLink: WebSocketHandler, @unchecked Sendable {
    // Safe to share: what is not constant is used on its loop only.
    private let id: RadioID
    private let listener: UInt64
    private let mailbox: HubMailbox
    private var place: (relay: RadioRelay, member: FanOut.Member)?
    private var connection: WebSocketConnection?
    private var isEnding = false

    /// - Parameter listener: Its number at the room's desk.
    init(_ id: RadioID, listener: UInt64, _ mailbox: HubMailbox) {
        self.id = id
        self.listener = listener
        self.mailbox = mailbox
    }

    /// Answers the exchange and joins the others. On the loop.
    ///
    /// - Parameter burst: What it is sent first.
    func begin(_ exchange: UInt64, _ response: HTTPResponse, burst: [UInt8], in hub: Hub) {
        guard !isEnding, let connection = hub.loop.stream(to: exchange, response, self) else { return end(hub) }
        self.connection = connection
        if !burst.isEmpty { connection.send(WebSocketFrame(raw: burst)) }
        let relay = hub.radioRelays[id] ?? RadioRelay(id, hub: hub)
        hub.radioRelays[id] = relay
        place = (relay, relay.add(connection))
    }

    /// Ends this connection alone. On the loop.
    func cut() {
        isEnding = true
        connection?.close(1000, "")
    }

    private func end(_ hub: Hub) {
        let (id, listener) = (self.id, self.listener)
        hub.shard.post { $0.rooms[id.room]?.radio?.leave(listener) }
    }

    func webSocketOpened(_ connection: WebSocketConnection) {}
    func webSocket(_ connection: WebSocketConnection, received bytes: UnsafeRawBufferPointer, isText: Bool) {}

    func webSocketWritable(_ connection: WebSocketConnection) {
        guard let place else { return }
        place.relay.catchUp(place.member, now: MonotonicClock.nowMicroseconds())
    }

    func webSocketClosed(_ connection: WebSocketConnection, _ ending: WebSocketEnding) {
        if let place { place.relay.remove(place.member) }
        place = nil
        self.connection = nil
        end(mailbox.hubHere)
    }
}

extension Hub {
    func deliverRadio(_ piece: [UInt8], packets: Int, to id: RadioID) {
        guard let relay = radioRelays[id] else { return }
        let begin = MonotonicClock.nowMicroseconds()
        relay.deliver(piece, packets: packets, now: begin)
        figures.fanOutMicroseconds &+= UInt64(MonotonicClock.nowMicroseconds() - begin)
    }

    func endRadio(_ id: RadioID) { radioRelays[id]?.end() }
}
