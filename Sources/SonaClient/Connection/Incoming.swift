package import SonaWire
internal import Synchronization

/// Everything that reaches a client outside of replies, in the order of arrival.
package enum Incoming: Sendable {
    case event(ServerEvent, room: RoomID?, seq: Int64?)
    case audio(AudioPacket)
    case position(PositionFrame)
    /// The server's answer to a binary message it could not use.
    case complaint(WireError)
    /// The moment asked for with `Client.wake` has come.
    case wake
    /// Somebody called `Client.interrupt`.
    case interrupted
    /// The connection is over. Nothing comes after it.
    case closed(ClientError)

    /// A rough idea of what waiting costs, bytes.
    var cost: Int {
        if case .audio(let packet) = self { packet.bytes.count + 128 } else { 512 }
    }
}

/// One Opus packet from the server, whether it came alone or in a bundle.
package struct AudioPacket: Sendable, Equatable {
    package var header: AudioDown
    /// One packet of RFC 6716.
    package var bytes: [UInt8]
    /// When it came, by the client's own clock, µs.
    package var receivedAtMicroseconds: Int64

    package init(header: AudioDown, bytes: [UInt8], receivedAtMicroseconds: Int64) {
        self.header = header
        self.bytes = bytes
        self.receivedAtMicroseconds = receivedAtMicroseconds
    }
}

/// The events of this revision of the protocol, decoded.
package enum ServerEvent: Sendable, Equatable {
    case roomUpdated(RoomUpdated)
    case roomClosed(RoomClosed)
    case roomListeners(RoomListeners)
    case roomsChanged(RoomsChanged)
    case hostChanged(HostChanged)
    case streamStarted(StreamStarted)
    case streamEnded(StreamEnded)
    case trackChanged(TrackChanged)
    case hostCommand(HostCommand)
    case hostLostSeat(HostLostSeat)
    case roomRemoved(RoomRemoved)
    case roomKnocked(RoomKnocked)
    case roomAdmitted(RoomAdmitted)
    case roomDenied(RoomDenied)
    case roomModerated(RoomModerated)
    case chatPosted(ChatPosted)
    case chatChanged(ChatChanged)
    case queueChanged(QueueChanged)
    case serverDraining(ServerDraining)
    case playlistChanged(PlaylistChanged)
    /// An event of a later revision, or one that cannot be read: to be passed over.
    case unknown(type: String)

    init(type: String, _ data: JSON) {
        do {
            try self.init(known: type, data)
        } catch {
            self = .unknown(type: type)
        }
    }

    private init(known type: String, _ data: JSON) throws(WireError) {
        if let event = try Self.ofPeople(type, data) {
            self = event
            return
        }
        switch type {
        case RoomUpdated.type: self = .roomUpdated(try RoomUpdated(data))
        case RoomClosed.type: self = .roomClosed(try RoomClosed(data))
        case RoomListeners.type: self = .roomListeners(try RoomListeners(data))
        case RoomsChanged.type: self = .roomsChanged(try RoomsChanged(data))
        case HostChanged.type: self = .hostChanged(try HostChanged(data))
        case StreamStarted.type: self = .streamStarted(try StreamStarted(data))
        case StreamEnded.type: self = .streamEnded(try StreamEnded(data))
        case TrackChanged.type: self = .trackChanged(try TrackChanged(data))
        case HostCommand.type: self = .hostCommand(try HostCommand(data))
        case HostLostSeat.type: self = .hostLostSeat(try HostLostSeat(data))
        case PlaylistChanged.type: self = .playlistChanged(try PlaylistChanged(data))
        case ServerDraining.type: self = .serverDraining(try ServerDraining(data))
        default: self = .unknown(type: type)
        }
    }

    /// Events about people: arrivals, departures, chat.
    private static func ofPeople(_ type: String, _ data: JSON) throws(WireError) -> ServerEvent? {
        switch type {
        case RoomRemoved.type: .roomRemoved(try RoomRemoved(data))
        case RoomKnocked.type: .roomKnocked(try RoomKnocked(data))
        case RoomAdmitted.type: .roomAdmitted(try RoomAdmitted(data))
        case RoomDenied.type: .roomDenied(try RoomDenied(data))
        case RoomModerated.type: .roomModerated(try RoomModerated(data))
        case ChatPosted.type: .chatPosted(try ChatPosted(data))
        case ChatChanged.type: .chatChanged(try ChatChanged(data))
        case QueueChanged.type: .queueChanged(try QueueChanged(data))
        default: nil
        }
    }
}

/// Arrivals of one client, for one reader.
///
/// Nothing is dropped, and the queue is bounded all the same: beyond `Mailbox.bytesMax` the client stops reading its
/// socket until the reader has taken most of the queue, so that TCP holds the server back. Clock probes and pings stand
/// still meanwhile; a reader that pauses for longer than 40 s is closed by the server with 4408 like any slow listener.
package struct IncomingSequence: AsyncSequence, Sendable {
    package typealias Element = Incoming
    package typealias Failure = Never

    let mailbox: Mailbox

    package struct Iterator: AsyncIteratorProtocol {
        var base: AsyncStream<Incoming>.Iterator
        let mailbox: Mailbox

        package mutating func next() async -> Incoming? {
            await next(isolation: nil)
        }

        package mutating func next(isolation actor: isolated (any Actor)?) async -> Incoming? {
            let incoming = await base.next(isolation: actor)
            if let incoming { mailbox.taken(incoming) }
            return incoming
        }
    }

    package func makeAsyncIterator() -> Iterator {
        Iterator(base: mailbox.stream.makeAsyncIterator(), mailbox: mailbox)
    }
}

/// The queue between a client's loop and its reader.
final class Mailbox: Sendable {
    let stream: AsyncStream<Incoming>
    private let continuation: AsyncStream<Incoming>.Continuation
    private let waiting = Atomic<Int>(0)
    private let whenRoomy: @Sendable () -> Void

    /// Bytes that may wait before the socket is not read any more: four minutes of 128 kbit/s.
    static let bytesMax = 4 << 20
    static let bytesRoomy = 1 << 20

    /// - Parameter whenRoomy: Called by the reader each time it has brought what waits below a quarter of the limit.
    init(whenRoomy: @escaping @Sendable () -> Void) {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
        self.whenRoomy = whenRoomy
    }

    var isOverfull: Bool { waiting.load(ordering: .relaxed) > Self.bytesMax }

    func deliver(_ incoming: Incoming) {
        waiting.add(incoming.cost, ordering: .relaxed)
        continuation.yield(incoming)
    }

    /// Ends the sequence after what was delivered.
    func finish() { continuation.finish() }

    func taken(_ incoming: Incoming) {
        let after = waiting.subtract(incoming.cost, ordering: .relaxed).newValue
        // Only the step across the mark tells the loop, not every packet below it.
        if after < Self.bytesRoomy, after + incoming.cost >= Self.bytesRoomy { whenRoomy() }
    }
}
