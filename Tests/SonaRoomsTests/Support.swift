import SonaRooms
import SonaWire

extension User {
    static let owner = User("owner")
    static let guest = User("guest")

    init(_ name: String) {
        guard let uid = UserID(name) else { preconditionFailure("\(name) is not a user identifier.") }
        self.init(uid: uid, username: nil, isGuest: false)
    }
}

/// Made-up Opus packets: a valid head with arbitrary data after it. Source: RFC 6716 §3.1–3.2.
enum Packet {
    /// One frame (code 0). 31 is CELT of 20 ms, full band; stereo.
    static func one(_ configuration: UInt8 = 31, bytes: Int = 40, mark: Int = 0) -> [UInt8] {
        [configuration << 3 | 0b100] + body(bytes, mark)
    }

    /// Some frames of equal size (code 3); `bytes` must be divisible by `frames`.
    static func several(_ frames: UInt8, _ configuration: UInt8, bytes: Int, mark: Int = 0) -> [UInt8] {
        [configuration << 3 | 0b111, frames] + body(bytes, mark)
    }

    private static func body(_ bytes: Int, _ mark: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(truncatingIfNeeded: mark), count: bytes)
    }
}

/// The error of a refused call; nil if it was not refused.
func refusal(_ body: () throws -> Void) -> ErrorCode? {
    do {
        try body()
        return nil
    } catch { return (error as? WireError)?.code }
}

extension [RoomEffect] {
    var chunks: [AudioChunk] { compactMap { if case .chunk(let chunk) = $0 { chunk } else { nil } } }
    var positions: [Playback] { compactMap { if case .position(let playback) = $0 { playback } else { nil } } }
    var isPersisted: Bool { contains { if case .persist = $0 { true } else { false } } }
    var goesLive: Bool { contains { if case .wentLive = $0 { true } else { false } } }
    var heard: [HeardTrack] { compactMap { if case .heard(let track) = $0 { track } else { nil } } }
    var changesListeners: Bool { contains { if case .listenersChanged = $0 { true } else { false } } }

    func events<Event: WireEvent>(_: Event.Type) -> [Event] {
        compactMap { if case .event(let event) = $0 { event as? Event } else { nil } }
    }
}

/// A room, its owner at the microphone, and the time.
struct Studio {
    /// The owner's connection, which is in the room from the beginning, and a second connection of theirs.
    static let host: MemberID = 1
    static let second: MemberID = 2
    static let guest: MemberID = 3
    /// The time at which a test begins, µs.
    static let epoch0: Int64 = 5_000_000_000
    static let lead: Int64 = 600_000

    var room: LiveRoom
    var now = Self.epoch0
    /// The values of the host's next packet.
    var epoch: UInt16 = 0
    var samplePosition: Int64 = 0
    var sequence: UInt32 = 0

    init(
        leadMilliseconds: Int = 600, visibility: Visibility = .public,
        playback: Playback = PlaybackHistory.stopped, firstPacket: UInt32 = 0, isHostInside: Bool = true
    ) throws {
        guard let id = RoomID("0123456789abcdefghij") else { preconditionFailure("That is a room identifier.") }
        let settings = RoomSettings(title: "Studio", visibility: visibility, leadMilliseconds: leadMilliseconds)
        room = LiveRoom(id, of: .owner, settings, playback: PlaybackHistory(playback), firstPacket: firstPacket)
        if isHostInside { _ = try room.join(Self.host, .owner, wantsAudio: false, now: now) }
    }

    /// Begins an epoch with sound.
    @discardableResult
    mutating func start(
        _ member: MemberID = Self.host, preSkip: Int = 312, position: Int64 = 0, continues: Bool = false,
        track: Track? = nil, mayTakeOver: Bool = false, pacing: Pacing = .server,
        followsQueue: Bool = false
    ) throws -> (result: HostStarted, effects: [RoomEffect]) {
        let request = HostStart(
            stream: StreamOffer(channels: 2, preSkip: preSkip), pacing: pacing, track: track,
            positionMicroseconds: position, continues: continues, followsQueue: followsQueue)
        let answer = try room.startHost(member, request, mayTakeOver: mayTakeOver, now: now)
        epoch = answer.result.epoch
        samplePosition = 0
        sequence = 0
        return (answer.result, answer.effects)
    }

    /// Begins a broadcast that is followed by position only.
    @discardableResult
    mutating func startSilently(
        position: Int64 = 0
    ) throws -> (result: HostStarted, effects: [RoomEffect]) {
        let request = HostStart(stream: nil, pacing: .server, positionMicroseconds: position)
        let answer = try room.startHost(Self.host, request, mayTakeOver: false, now: now)
        epoch = answer.result.epoch
        return (answer.result, answer.effects)
    }

    /// Sends one packet and advances past it.
    @discardableResult
    mutating func send(
        _ packet: [UInt8] = Packet.one(), samples: UInt32 = 960, at place: Int64? = nil, flags: AudioFlags = [],
        epoch: UInt16? = nil, from member: MemberID = Self.host
    ) throws -> Ingest {
        let header = AudioUp(
            flags: flags, epoch: epoch ?? self.epoch, sequence: sequence, samplePosition: place ?? samplePosition,
            samples: samples)
        let now = self.now
        let ingest = try packet.withUnsafeBytes { try room.ingest(member, header, $0, now: now) }
        sequence &+= 1
        samplePosition = max(samplePosition, header.samplePosition + Int64(samples))
        return ingest
    }

    /// Sends packets of 20 ms, all at once.
    @discardableResult
    mutating func send(packets: Int) throws -> [RoomEffect] {
        var effects: [RoomEffect] = []
        for _ in 0..<packets { effects += try send(Packet.one(mark: Int(sequence))).effects }
        return effects
    }

    /// Lets time go by and ticks the room whenever it asks for it.
    @discardableResult
    mutating func wait(_ microseconds: Int64) -> [RoomEffect] {
        let end = now + microseconds
        var effects: [RoomEffect] = []
        while let deadline = room.deadline, deadline <= end {
            now = max(now, deadline)
            effects += room.tick(now: now)
        }
        now = end
        return effects + room.tick(now: end)
    }

    /// The host behaves like a good one: a packet of 20 ms every 20 ms.
    @discardableResult
    mutating func play(packets: Int) throws -> [RoomEffect] {
        var effects: [RoomEffect] = []
        for _ in 0..<packets {
            effects += try send(Packet.one(mark: Int(sequence))).effects
            effects += wait(20_000)
        }
        return effects
    }

    /// The snapshot for a member who joins now.
    func snapshot() throws -> RoomSnapshot {
        var copy = room
        return try copy.join(99, .guest, wantsAudio: true, now: now).snapshot
    }

    var edge: Int64? { room.stream?.timeline.edge }
}

/// A member's state, computed from events by the letter of Protocol/spec/playback.md.
struct ListenerView {
    private(set) var current: Playback
    private(set) var upcoming: [Playback]

    init(_ snapshot: RoomSnapshot) {
        current = snapshot.playback
        upcoming = snapshot.upcoming
    }

    var latest: Playback { upcoming.last ?? current }

    mutating func advance(to now: Int64) {
        while let next = upcoming.first, next.anchorMicroseconds <= now {
            current = next
            upcoming.removeFirst()
        }
    }

    mutating func hear(_ playback: Playback, now: Int64) {
        advance(to: now)
        guard Int32(bitPattern: playback.revision &- latest.revision) > 0 else { return }
        upcoming.removeAll { $0.anchorMicroseconds >= playback.anchorMicroseconds }
        upcoming.append(playback)
        advance(to: now)
    }

    func inForce(at time: Int64) -> Playback { upcoming.last { $0.anchorMicroseconds <= time } ?? current }
    func position(at time: Int64) -> Int64 { inForce(at: time).position(at: time) }
}

/// The parsed packets that a member got on joining.
struct Burst {
    var packets: [(header: AudioDown, packet: [UInt8])] = []
    var messages: Int

    init(_ messages: [[UInt8]]) throws {
        self.messages = messages.count
        for message in messages {
            let bundle = try message.withUnsafeBytes { bytes throws in try BundleDown(parsing: bytes) }
            packets += bundle.packets.map { ($0.header, Array(message[$0.packet])) }
        }
    }

    var preroll: [AudioDown] { packets.map(\.header).filter { $0.flags.contains(.preroll) } }
    var audible: [AudioDown] { packets.map(\.header).filter { !$0.flags.contains(.preroll) } }
}
