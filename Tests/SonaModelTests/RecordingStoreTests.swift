import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// Which sound of hosts is kept, and how it goes.
struct RecordingStoreTests {
    private static let gibibyte: Int64 = 1 << 30

    /// A room that keeps replays, in which the owner hosts.
    private struct Studio {
        let at: RoomFixture
        var store: RecordingStore { at.storage.recordings }
        var now: Int64 { at.calendar.clock.nowMilliseconds() }

        init() async throws {
            at = try await RoomFixture()
            try await keep(true)
        }

        func keep(_ keeps: Bool) async throws {
            _ = try await at.model.rooms.update(at.room, RoomUpdate(room: .id(at.room), keepsReplays: keeps))
        }

        func sound(_ isSounding: Bool) async throws {
            try await at.storage.replays.append(
                ReplayStore.Passage(
                    atMilliseconds: now, isSounding: isSounding, hasTrack: false, positionMicroseconds: 0),
                to: at.room)
        }

        func begin(space: Int64 = .max) async throws(Refusal) -> RecordingID {
            let id = RecordingID.random(milliseconds: now)
            try await store.begin(id, in: at.room, host: at.ada, start: now, spaceBytes: space)
            return id
        }

        func note(
            _ id: RecordingID, _ length: Int64, bytes: Int64 = 1_000, isOpen: Bool = false, space: Int64 = .max
        ) async throws(Refusal) {
            try await store.note(id, length: length, bytes: bytes, isOpen: isOpen, spaceBytes: space)
        }

        func wait(_ milliseconds: Int64) { at.calendar.advance(milliseconds: milliseconds) }

        func replay() async throws -> ReplayID {
            try #require(try await at.storage.replays.page(of: at.room).replays.first?.id)
        }

        func listed() async throws -> [RecordingID] {
            try await store.recordings(of: try await replay(), limit: 100).map(\.recording.id)
        }
    }

    @Test func `a recording is of the replay in whose time it is, and goes with it`() async throws {
        let studio = try await Studio()
        try await studio.sound(true)
        let one = try await studio.begin()
        #expect(try await studio.listed().isEmpty, "nothing of it is written yet")
        try await studio.note(one, 5_000, isOpen: true)
        #expect(try await studio.listed() == [one])
        #expect(try await studio.store.open().map(\.id) == [one])
        studio.wait(9_000)
        try await studio.note(one, 9_000)
        #expect(try await studio.store.open().isEmpty)
        let found = try await studio.store.recordings(of: try await studio.replay(), limit: 1)
        #expect(found.map(\.recording.lengthMilliseconds) == [9_000] && found[0].host.uid == studio.at.ada)
        let replay = try await studio.replay()
        try await studio.at.storage.replays.remove(replay, by: studio.at.ada)
        #expect(try await studio.store.all().isEmpty)
        await studio.at.model.close()
    }

    @Test func `a recording in the time of two replays goes with the last of them`() async throws {
        let studio = try await Studio()
        try await studio.sound(true)
        let one = try await studio.begin()
        studio.wait(5_000)
        // Turning replays off and on ends one and lets the next begin, while the sound goes on.
        try await studio.keep(false)
        try await studio.keep(true)
        try await studio.sound(true)
        studio.wait(5_000)
        try await studio.note(one, 10_000)
        let replays = try await studio.at.storage.replays.page(of: studio.at.room).replays
        #expect(replays.count == 2)
        for replay in replays {
            #expect(try await studio.store.recordings(of: replay.id, limit: 9).map(\.recording.id) == [one])
            try await studio.at.storage.replays.remove(replay.id, by: studio.at.ada)
        }
        #expect(try await studio.store.all().isEmpty)
        await studio.at.model.close()
    }

    @Test func `one of which nothing was written is forgotten`() async throws {
        let studio = try await Studio()
        try await studio.note(try await studio.begin(), 0)
        #expect(try await studio.store.all().isEmpty)
        await studio.at.model.close()
    }

    @Test func `a room without replays, and a server without space, records nothing`() async throws {
        let studio = try await Studio()
        let one = try await studio.begin(space: 5_000)
        try await studio.note(one, 1_000, bytes: 4_999, isOpen: true, space: 5_000)
        let full = await #expect(throws: Refusal.self) {
            try await studio.note(one, 2_000, bytes: 5_000, isOpen: true, space: 5_000)
        }
        #expect(full?.code == .quotaServerFull)
        let refused = await #expect(throws: Refusal.self) { try await studio.begin(space: 5_000) }
        #expect(refused?.code == .quotaServerFull)
        // What there is stays, and its end is noted.
        try await studio.note(one, 2_000, bytes: 5_000, space: 5_000)
        try await studio.keep(false)
        let off = await #expect(throws: Refusal.self) { try await studio.begin() }
        #expect(off?.code == .recordingOff)
        #expect(try await studio.store.all() == [one])
        await studio.at.model.close()
    }

    @Test func `the oldest recordings of a room make place`() async throws {
        let studio = try await Studio()
        try await studio.sound(true)
        var made: [RecordingID] = []
        for _ in 0..<6 {
            let one = try await studio.begin()
            try await studio.note(one, 1_000, bytes: Self.gibibyte)
            made.append(one)
            studio.wait(2_000)
        }
        // Five had more than 4 GiB when the sixth began.
        #expect(try await studio.listed() == Array(made.suffix(5)))
        #expect(try await studio.store.usage().bytes == 5 * Self.gibibyte)
        await studio.at.model.close()
    }

    @Test func `its host and the owner remove one, others may not`() async throws {
        let studio = try await Studio()
        try await studio.sound(true)
        let one = try await studio.begin()
        try await studio.note(one, 1_000)
        let stranger = try await studio.at.model.accounts.signUp("eve").account.uid
        let refused = await #expect(throws: Refusal.self) { try await studio.store.remove(one, by: stranger) }
        #expect(refused?.code == .roomForbidden)
        try await studio.store.remove(one, by: studio.at.ada)
        let gone = await #expect(throws: Refusal.self) { try await studio.store.remove(one, by: studio.at.ada) }
        #expect(gone?.code == .recordingNotFound)
        let noted = await #expect(throws: Refusal.self) { try await studio.note(one, 2_000, isOpen: true) }
        #expect(noted?.code == .recordingNotFound)
        await studio.at.model.close()
    }

    @Test func `what is in the time of no replay goes after an hour`() async throws {
        let studio = try await Studio()
        let lost = try await studio.begin()
        try await studio.note(lost, 1_000)
        studio.wait(60_000)
        try await studio.sound(true)
        let kept = try await studio.begin()
        try await studio.note(kept, 1_000)
        studio.wait(3_000)
        try await studio.sound(false)
        #expect(try await studio.store.tidy() == 0)
        studio.wait(4_000_000)
        #expect(try await studio.store.tidy() == 1)
        #expect(try await studio.store.all() == [kept])
        await studio.at.model.close()
    }
}
