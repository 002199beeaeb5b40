import Glibc
import SonaCrypto
import SonaDatabase
import SonaRooms
import SonaTestSupport
import SonaWire
import Synchronization
import Testing

@testable import SonaModel
@testable import SonaServer

/// Heard tracks are stored in order, whatever happens to the disk and the room.
@Suite struct HistoryWriterTests {
    /// A room in a model of its own.
    private struct Evening {
        let folder = TemporaryFolder()
        let model: Model
        let room: RoomID
        let writes = UnansweredWrites()
        let writer: HistoryWriter

        init() async throws {
            var options = Model.Options()
            options.passwordCost = .test
            model = try await Storage.open(dataFolder: folder.file("data"), options).model
            let ada = try await model.accounts.signUp(
                Accounts.SignUp(email: "ada@example.org", password: "pass-ada-word", username: "ada"))
            room = try await model.rooms.create(RoomSettings(title: "Ada's"), owner: ada.account.uid).id
            writer = HistoryWriter(room, model.roomStorage, writes)
        }

        func hear(_ number: Int, beginsBroadcast: Bool = false) {
            writer.add(
                .play(
                    HeardTrack(
                        track: Track(title: "\(number)"), atMicroseconds: Int64(number), host: nil,
                        beginsBroadcast: beginsBroadcast)), at: Int64(number), now: Int64(number))
        }

        /// The stored tracks, oldest first.
        func written() async throws -> [RoomPlay] {
            #expect(await writes.end(within: .seconds(60)) == 0)
            return try await model.roomStorage.history.recap(of: room)
        }
    }

    @Test func `tracks are stored in the order in which they were heard, each once`() async throws {
        let evening = try await Evening()
        for number in 1...50 { evening.hear(number, beginsBroadcast: number == 1 || number == 30) }
        let written = try await evening.written()
        #expect(written.map(\.track.title) == (1...50).map { "\($0)" })
        #expect(written.map(\.session) == (1...50).map { $0 < 30 ? 1 : 30 })
        evening.hear(51)
        #expect(try await evening.written().last?.track.title == "51", "it begins again after it had nothing to do")
        await evening.model.close()
    }

    @Test func `while the disk does not answer, the newest 64 wait, and a broadcast keeps its beginning`() async throws
    {
        let evening = try await Evening()
        evening.hear(1, beginsBroadcast: true)
        #expect(try await evening.written().count == 1)
        // Another connection holds the lock that every write needs.
        let beside = try await DatabasePool.open(
            evening.folder.file("data/sona.sqlite"), applicationID: ModelSchema.applicationID,
            migrations: StorageTimeline.migrations)
        let isHeld = Atomic(false)
        let isReleased = Atomic(false)
        async let lock: Void = beside.write { db in
            try db.execute("UPDATE rooms SET title = title")
            isHeld.store(true, ordering: .releasing)
            while !isReleased.load(ordering: .acquiring) { usleep(1_000) }
        }
        while !isHeld.load(ordering: .acquiring) { try await Task.sleep(for: .milliseconds(1)) }
        for number in 2...100 { evening.hear(number, beginsBroadcast: number == 20) }
        isReleased.store(true, ordering: .releasing)
        try await lock
        await beside.close()
        let written = try await evening.written()
        // One more may have been under way.
        #expect((65...66).contains(written.count))
        let newest = written.suffix(64)
        #expect(newest.map(\.track.title) == (37...100).map { "\($0)" })
        // The twentieth track, which began the broadcast, was dropped: the first one left begins it instead.
        #expect(Set(newest.map(\.session)) == [newest.first?.id])
        await evening.model.close()
    }

    @Test func `a track of a room that no longer exists is not stored, and delays no other track`() async throws {
        let evening = try await Evening()
        var generator = SystemRandomNumberGenerator()
        let gone = HistoryWriter(RoomID.random(using: &generator), evening.model.roomStorage, evening.writes)
        let track = HeardTrack(track: Track(title: "x"), atMicroseconds: 0, host: nil, beginsBroadcast: true)
        let begin = ContinuousClock.now
        for _ in 0..<10 { gone.add(.play(track), at: 0, now: 0) }
        #expect(try await evening.written().isEmpty)
        // Ten tracks that were each tried once more would take ten seconds.
        #expect(ContinuousClock.now - begin < .seconds(9))
        await evening.model.close()
    }
}
