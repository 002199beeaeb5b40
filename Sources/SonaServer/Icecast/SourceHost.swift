internal import Glibc
internal import SonaAudio
internal import SonaBase
internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// Why a source's connection ends.
enum SourceEnd: Error {
    /// The room took no more: the seat has gone to somebody else, or the room has ended.
    case refused(WireError)
    /// What comes is no sound that can be played.
    case notSound(String)
}

/// Takes the host seat of a room for a source, and hands its packets on. On one thread, which it blocks.
///
/// The packets are paced by the server, as those of a file are. A source that is faster than the room is held back; one that
/// is slower uses up half a second and the room's lead, and then everybody hears a pause.
final class SourceHost {
    private let shard: Shard
    private let services: ShardServices
    private let access: RoomAccess
    let stored: RoomStore.StoredRoom
    let account: Accounts.Account
    let member: MemberID
    /// Where it is.
    private let address: String
    /// The key by which it hosts.
    private let key: String
    private var track: Track
    private var head = OpusHead(channels: 2, preSkip: 0)
    private var epoch: UInt16?
    private var sequence: UInt32 = 0
    private var position: Int64 = 0
    /// Samples of the present logical stream that came.
    private var samples: Int64 = 0
    /// Packets that came and were not handed on: the first ones, and always the last.
    private var waiting: [(packet: [UInt8], samples: Int)] = []
    private var firstAt: Int64?
    private var headers = 0
    private var checkedAt: Int64 = 0
    private(set) var hasEnded = false

    /// For how long the first packets are kept, so that later ones may be late, µs.
    private static let reserve: Int64 = 500_000
    private static let packetBytesMax = 7_650
    private static let checkMicroseconds: Int64 = 5_000_000

    /// - Parameter title: What is played until the source says.
    init(
        _ stored: RoomStore.StoredRoom, _ account: Accounts.Account, member: MemberID, key: String,
        from address: String, title: String?, _ services: ShardServices, _ shard: Shard, _ access: RoomAccess
    ) {
        self.address = address
        self.stored = stored
        self.account = account
        self.member = member
        self.key = key
        self.services = services
        self.shard = shard
        self.access = access
        track = Track(title: title.flatMap(Self.line))
    }

    /// Waits for something that the domains do. On no thread of Swift's tasks.
    static func wait<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let done = Monitor<Result<Value, any Error>?>(nil)
        Task {
            let result: Result<Value, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            done.notify { $0 = result }
        }
        return try done.wait { $0 }.get()
    }

    // MARK: Ogg

    /// Takes what an Ogg Opus stream says.
    func take(_ event: OggStreamReader.Event) throws {
        switch event {
        case .begin(let packet):
            guard let head = try? OpusHead(parsing: packet) else {
                throw SourceEnd.notSound("A stream of Ogg Opus in mono or stereo was expected.")
            }
            try flush(isLast: true)
            self.head = head
            (headers, samples, epoch) = (1, 0, nil)
        case .packet(let packet) where headers == 1:
            headers = 2
            if let tags = try? OpusTags(parsing: packet) { note(tags) }
        case .packet(let packet):
            guard headers == 2, packet.count <= Self.packetBytesMax,
                let duration = try? OpusPacket(inspecting: packet).samples
            else { return }
            samples += Int64(duration)
            waiting.append((packet, duration))
            let now = MonotonicClock.nowMicroseconds()
            if firstAt == nil { firstAt = now }
            if now - (firstAt ?? now) >= Self.reserve { try flush(isLast: false) }
        case .end(let granule):
            // The granule position of a stream's end cuts the last packet short (RFC 7845 §4.4).
            if granule >= 0, let last = waiting.last, case let extra = samples - granule, extra > 0,
                extra < last.samples
            {
                waiting[waiting.count - 1].samples -= Int(extra)
            }
            try flush(isLast: true)
            hasEnded = true
        }
    }

    /// What a comment header says of the track.
    func note(_ tags: OpusTags) {
        guard tags.title != nil || tags.artist != nil else { return }
        track = Track(
            title: tags.title.flatMap(Self.line), artist: tags.artist.flatMap(Self.line),
            album: tags.album.flatMap(Self.line))
    }

    /// A text as a track has it: one line of a bounded length; `nil` if nothing is left.
    static func line(_ text: String) -> String? {
        let shown = text.unicodeScalars.filter { !$0.properties.isWhitespace || $0 == " " }
        var line = String(String.UnicodeScalarView(shown.filter { $0.value >= 0x20 && $0.value != 0x7F }))
        while let first = line.first, first == " " { line.removeFirst() }
        while line.last == " " { line.removeLast() }
        while !Limits.trackTextBytes.contains(line.utf8.count), !line.isEmpty { line.removeLast() }
        return line.isEmpty ? nil : line
    }

    /// Another track is played from the next packet on.
    func change(_ tags: OpusTags) {
        note(tags)
        var texts = FilteredTexts(services.model.words)
        let (shown, shard, room) = (texts.mask(track), self.shard, stored.id)
        guard epoch != nil else { return }
        shard.post { try? $0.rooms[room]?.tellSource(shown, now: MonotonicClock.nowMicroseconds()) }
    }

    /// The end of a logical stream was not that of what the source sends.
    func clearEnd() { hasEnded = false }

    // MARK: The room

    /// Hands on what waits. The last packet stays, unless it is the last of its logical stream.
    private func flush(isLast: Bool) throws {
        let count = isLast ? waiting.count : waiting.count - 1
        guard count > 0 else { return }
        hasEnded = false
        if epoch == nil { try begin() }
        for index in 0..<count { try send(waiting[index], isLast: isLast && index == count - 1) }
        waiting.removeFirst(count)
    }

    private func begin() throws {
        let offer = StreamOffer(channels: head.channels, preSkip: head.preSkip, gain: gain)
        var texts = FilteredTexts(services.model.words)
        let shown = texts.mask(track)
        let request = HostStart(stream: offer, pacing: .server, track: shown)
        (sequence, position) = (0, 0)
        // The key may have been revoked since.
        checkedAt = 0
        let (member, account, address) = (self.member, self.account, self.address)
        epoch = try ask { home, now in
            try home.startSource(member, account, from: address, request, now: now).epoch
        }
    }

    /// The head's gain as an epoch has it: hundredths of dB.
    private var gain: Int? {
        guard head.outputGain != 0 else { return nil }
        return min(max(-6_000, Int((Double(head.outputGain) / 2.56).rounded())), 2_400)
    }

    private func send(_ packet: (packet: [UInt8], samples: Int), isLast: Bool) throws {
        guard let epoch else { return }
        let header = AudioUp(
            flags: isLast ? .last : [], epoch: epoch, sequence: sequence, samplePosition: position,
            samples: UInt32(packet.samples))
        let (member, bytes) = (self.member, packet.packet)
        while true {
            do {
                let wait = try ask { home, now in try home.ingestSource(member, header, bytes, now: now) }
                if wait > 0 { usleep(UInt32(clamping: min(wait, 1_000_000))) }
                break
            } catch SourceEnd.refused(let error) where error.code == .audioTooFast {
                usleep(200_000)
            }
        }
        sequence &+= 1
        position += Int64(packet.samples)
    }

    /// - Throws: `SourceEnd`.
    private func ask<Value: Sendable>(
        _ body: @escaping @Sendable (RoomHome, Int64) throws -> Value
    ) throws -> Value {
        let (access, stored, shard, account, services) = (
            self.access, self.stored, self.shard, self.account, self.services
        )
        let key = self.key
        let now = MonotonicClock.nowMicroseconds()
        let isChecked = now - checkedAt > Self.checkMicroseconds
        if isChecked { checkedAt = now }
        do {
            return try Self.wait {
                if isChecked {
                    _ = try services.model.accounts.current(account)
                    let holder = try await services.model.roomStorage.sourceKeys.account(key, of: stored.id)
                    guard holder?.uid == account.uid else { throw WireError(.hostNotHost) }
                }
                let state = try await access.storedState(of: stored)
                return try await shard.perform { core in
                    try body(try core.home(stored, state), MonotonicClock.nowMicroseconds())
                }
            }
        } catch { throw SourceEnd.refused(WireError(error)) }
    }

    /// Leaves the room. What waits is played if the stream came to its end.
    ///
    /// - Parameter isLost: The connection broke.
    func leave(isLost: Bool) {
        if !isLost { try? flush(isLast: true) }
        let (shard, room, member) = (self.shard, stored.id, self.member)
        shard.post { $0.rooms[room]?.leaveSource(member, isLost: isLost, now: MonotonicClock.nowMicroseconds()) }
    }
}
