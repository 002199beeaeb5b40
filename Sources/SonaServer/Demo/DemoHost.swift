internal import SonaAudio
internal import SonaBase
internal import SonaEventLoop
internal import SonaModel
internal import SonaWire

/// Hosts the room of the user `demo` with music that is synthesised and encoded here. A newcomer hears something at
/// once, and no music has to be shipped.
///
/// Works off the loop and hands each packet to the room when it is due, like a host that plays a file.
final class DemoHost: Sendable {
    private let model: Model
    private let shard: Shard
    private let directory: RoomDirectoryService
    private let stopping = StopFlag()

    private static let username = "demo"
    private static let packetSamples = 960
    private static let bitrate = 96_000

    init(model: Model, shard: Shard, directory: RoomDirectoryService) {
        self.model = model
        self.shard = shard
        self.directory = directory
    }

    func start() async throws(ServerError) {
        let stored = try await room()
        await directory.put(Room(stored: stored))
        let encoder: OpusEncoder
        do {
            encoder = try OpusEncoder(
                channels: 2, application: .audio, bitrate: Self.bitrate, frameSamples: Self.packetSamples, complexity: 5
            )
        } catch { throw .demo(error.description) }
        let (shard, storage, stopping) = (self.shard, model.roomStorage, self.stopping)
        let epoch = try await Self.begin(stored, storage, lookahead: encoder.lookahead, shard: shard)
        Task.detached {
            await Self.play(
                Melody(), encoder, into: stored, storage, first: epoch, shard: shard, stopping: stopping)
        }
    }

    private static func begin(
        _ room: RoomStore.StoredRoom, _ storage: RoomStorage, lookahead: Int, shard: Shard
    ) async throws(ServerError) -> HostStarted {
        let request = HostStart(
            stream: StreamOffer(channels: 2, preSkip: lookahead), pacing: .server,
            track: Track(title: "Demo tune", artist: "Sona", album: nil, durationMicroseconds: nil))
        do {
            let state = try await StoredRoomState(room.id, storage)
            return try await shard.perform { try $0.home(room, state).startLocalHost(request).get() }
        } catch { throw .demo(WireError(error).message) }
    }

    func stop() { stopping.set() }

    private func room() async throws(ServerError) -> RoomStore.StoredRoom {
        do {
            let account = try await model.accounts.systemAccount(username: Self.username)
            if let own = try await model.rooms.list(publicOnly: true, owner: account.uid, after: nil, limit: 1).first {
                return own
            }
            return try await model.rooms.create(RoomSettings(title: "demo"), owner: account.uid)
        } catch { throw .demo("\(error)") }
    }

    private static func play(
        _ melody: consuming Melody, _ encoder: OpusEncoder, into room: RoomStore.StoredRoom, _ storage: RoomStorage,
        first: HostStarted, shard: Shard, stopping: StopFlag
    ) async {
        var melody = melody
        var epoch = first
        var sequence: UInt32 = 0
        var position: Int64 = 0
        while !stopping.isSet {
            // A packet is due a lead before it sounds; sending a few together costs fewer wake-ups.
            let due =
                epoch.startMicroseconds + position * 1_000_000 / Limits.sampleRate - epoch.leadMicroseconds
            let wait = due - MonotonicClock.nowMicroseconds()
            if wait > 0 { try? await Task.sleep(for: .microseconds(wait)) }
            var packets: [(AudioUp, [UInt8])] = []
            for _ in 0..<3 {
                guard let packet = try? encoder.encode(melody.render(frames: packetSamples)) else { return }
                let header = AudioUp(
                    epoch: epoch.epoch, sequence: sequence, samplePosition: position, samples: UInt32(packetSamples))
                packets.append((header, packet))
                sequence &+= 1
                position += Int64(packetSamples)
            }
            let batch = packets
            let isTaken = await shard.perform { core in
                guard let home = try? core.home(room, StoredRoomState()) else { return false }
                return batch.allSatisfy { home.ingestLocally($0, $1) }
            }
            // After the process stood still, the tune goes on in a new epoch that begins now.
            if !isTaken || wait < -epoch.leadMicroseconds * 3 / 4,
                let next = try? await begin(room, storage, lookahead: encoder.lookahead, shard: shard)
            {
                epoch = next
                sequence = 0
                position = 0
            }
        }
    }
}
