import SonaCrypto
import SonaEventLoop
import SonaLibrary
import SonaModel
import SonaTestSupport
import SonaWire
import Synchronization
import Testing

@testable import SonaServer

/// The order in which rooms are stored, and the repetition of failed writes.
///
/// The writer under test belongs to no server: the test asks for its batches in place of its own task.
@Suite struct PlaybackWriterTests {
    /// A loop with a shard that serves no client.
    private final class Stage: Sendable {
        let folder = TemporaryFolder()
        let loop: EventLoop
        let shard: Shard
        let model: Model

        init() async throws {
            loop = EventLoop(EventLoop.Options())
            try loop.start()
            shard = Shard(loop: loop)
            var options = Model.Options()
            options.passwordCost = .test
            let storage = try await Storage.open(dataFolder: folder.file("data"), options)
            model = storage.model
            let live = LiveConfiguration(ServerConfiguration(dataFolder: folder.file("data")))
            let services = ShardServices(
                live: live, model: model, library: storage.library,
                directory: RoomDirectoryService(people: model.people, accounts: model.accounts, shard: shard),
                banned: BannedAddresses(), storage: StorageWatch(),
                log: .none, site: SiteSource(folder: nil),
                teller: NotificationTeller(model.notifications), scheduler: Scheduler(model, shard, .none),
                scrobbler: Scrobbler(storage.library.scrobbles, live),
                webhooks: WebhookSender(model.webhooks, live),
                recordings: RecordingDesk(
                    model.roomStorage, folder: folder.file("recordings"), live, .none
                ) { _, _ in })
            await shard.start(services, mailboxes: [HubMailbox(loop, index: 0)])
        }

        /// Runs `body` on the loop with a writer that finds a room's playback by asking `playback`.
        func with<Value: Sendable>(
            _ playback: @escaping @Sendable (RoomID) -> RoomStore.StoredPlayback?,
            _ body: @escaping @Sendable (PlaybackWriter) throws -> Value
        ) async throws -> Value {
            let (shard, store) = (shard, model.rooms)
            return try await shard.perform { core in
                Result { try body(PlaybackWriter(shard, store, core.services.writes, playback)) }
            }.get()
        }

        func end() async {
            loop.stop()
            await model.close()
        }
    }

    private static func room(_ number: Int) -> RoomID {
        RoomID(String(repeating: "0", count: 16) + String(number + 1_000))!
    }

    private static func playback(at position: Int64) -> RoomStore.StoredPlayback {
        RoomStore.StoredPlayback(
            state: .playing, positionMicroseconds: position, ratePPM: 0, anchorMonotonicMicroseconds: 0,
            clockID: "test",
            anchorWallMilliseconds: 0, revision: 1, hasAudio: true)
    }

    @Test func `a changed room is written once, and is busy until the next batch`()
        async throws
    {
        let stage = try await Stage()
        try await stage.with { _ in
            Self.playback(at: 7)
        } _: { writer in
            let (one, two) = (Self.room(1), Self.room(2))
            #expect(writer.next(isAgain: false) == nil && !writer.isBusy(with: one))
            for _ in 0..<150 { for room in [one, two] { writer.write(room, isUrgent: true) } }
            #expect(writer.isBusy(with: one) && writer.isBusy(with: two) && !writer.isBusy(with: Self.room(3)))
            let written = writer.next(isAgain: false)
            #expect(written == [one: Self.playback(at: 7), two: Self.playback(at: 7)])
            #expect(writer.isBusy(with: one), "it is being written")
            #expect(writer.next(isAgain: false) == nil && !writer.isBusy(with: one))
        }
        await stage.end()
    }

    @Test func `128 rooms are written at a time, the longest waiting first`() async throws {
        let stage = try await Stage()
        try await stage.with { _ in
            Self.playback(at: 0)
        } _: { writer in
            for number in 0..<300 { writer.write(Self.room(number), isUrgent: true) }
            var rounds: [Set<RoomID>] = []
            while let playbacks = writer.next(isAgain: false) { rounds.append(Set(playbacks.keys)) }
            let expected = [0..<128, 128..<256, 256..<300].map { Set($0.map(Self.room)) }
            #expect(rounds == expected)
        }
        await stage.end()
    }

    @Test func `a failed write is repeated with the room's newer position, before later writes`() async throws {
        let stage = try await Stage()
        let position = Monotone()
        try await stage.with { _ in
            Self.playback(at: position.next())
        } _: { writer in
            writer.write(Self.room(1), isUrgent: true)
            let first = try #require(writer.next(isAgain: false)?[Self.room(1)])
            for number in 2...200 { writer.write(Self.room(number), isUrgent: true) }
            let second = try #require(writer.next(isAgain: true))
            #expect(second.count == 128)
            let again = try #require(second[Self.room(1)])
            #expect(again.positionMicroseconds > first.positionMicroseconds)
            #expect(writer.next(isAgain: false)?.count == 72 && writer.next(isAgain: false) == nil)
        }
        await stage.end()
    }

    @Test func `a room with nothing to write is skipped, and delays no other room`() async throws {
        let stage = try await Stage()
        let last = Self.room(200)
        try await stage.with {
            $0 == last ? Self.playback(at: 0) : nil
        } _: { writer in
            for number in 1...200 { writer.write(Self.room(number), isUrgent: true) }
            #expect(writer.next(isAgain: false).map { Array($0.keys) } == [last])
            #expect(writer.next(isAgain: false) == nil && !writer.isBusy(with: Self.room(1)))
        }
        await stage.end()
    }

    @Test func `the progress of a playing room waits for others, and goes along with an urgent write`() async throws {
        let stage = try await Stage()
        try await stage.with { _ in
            Self.playback(at: 0)
        } _: { writer in
            writer.write(Self.room(1), isUrgent: false)
            #expect(writer.next(isAgain: false) == nil, "it can wait")
            #expect(writer.isBusy(with: Self.room(1)), "and is not forgotten")
            writer.write(Self.room(2), isUrgent: true)
            #expect(writer.next(isAgain: false)?.count == 2)
        }
        await stage.end()
    }
}

/// A number that is greater each time.
private final class Monotone: Sendable {
    private let value = Mutex<Int64>(0)
    func next() -> Int64 {
        value.withLock {
            $0 += 1
            return $0
        }
    }
}
