import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

struct RoomHistoryTests {
    @Test func `what played comes back newest first, also after a restart`() async throws {
        let at = try await RoomFixture()
        let track = Track(title: "Så", artist: "Björk", album: "Post", durationMicroseconds: 201_000_000)
        let first = try await at.history.append(
            track, artwork: "/v1/art/1", at: 5_000, host: at.ada, to: at.room)
        let second = try await at.history.append(Track(), at: 4_000, host: nil, to: at.room)
        #expect(first.id == 1 && first.track == track && first.artwork == "/v1/art/1" && first.host == at.ada)
        #expect(second.id == 2 && second.track == Track() && second.artwork == nil && second.host == nil)
        await at.model.close()
        let again = try await Model.opened(at.folder, at.calendar)
        #expect(try await again.memory.history.page(of: at.room).entries == [second, first])
        // By the time it was heard, from and including the first moment to before the last.
        #expect(try await again.memory.history.recap(of: at.room, from: 0, to: .max) == [second, first])
        #expect(try await again.memory.history.recap(of: at.room, from: 4_000, to: 5_000) == [second])
        #expect(try await again.memory.history.recap(of: at.room, from: 5_000, to: 5_001) == [first])
        #expect(try await again.memory.history.recap(of: at.room, from: 5_001, to: 4_000) == [])
        await again.close()
    }

    @Test func `bounds hold, and the one past each does not`() async throws {
        let at = try await RoomFixture()
        func refused(
            _ track: Track = Track(), artwork: String? = nil, in room: RoomID? = nil
        ) async -> RoomMemoryError? {
            await memoryRefusal { () throws(RoomMemoryError) in
                try await at.history.append(track, artwork: artwork, at: 0, host: nil, to: room ?? at.room)
            }
        }
        let long = String(repeating: "é", count: 256)
        #expect(await refused(Track(title: long, artist: long, album: long, durationMicroseconds: 0)) == nil)
        for track in [Track(title: long + "x"), Track(artist: long + "x"), Track(album: long + "x")] {
            #expect(await refused(track) == .invalid)
        }
        #expect(await refused(Track(durationMicroseconds: -1)) == .invalid)
        #expect(await refused(Track(durationMicroseconds: Limits.integerMax)) == nil)
        #expect(await refused(Track(durationMicroseconds: Limits.integerMax + 1)) == .invalid)
        #expect(await refused(artwork: String(repeating: "x", count: 1_024)) == nil)
        #expect(await refused(artwork: String(repeating: "x", count: 1_025)) == .invalid)
        #expect(await refused(artwork: "") == .invalid)
        #expect(await refused(in: RoomFixture.noRoom()) == .roomUnknown)
        await at.model.close()
    }

    @Test func `ten thousand entries of a room are kept, in pages without a gap`() async throws {
        let at = try await RoomFixture()
        try await at.execute(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
            INSERT INTO room_history (room_id, id, at_ms, title) SELECT \(at.room), i, i, 't' || i FROM n
            """)
        #expect(try await at.history.append(Track(), at: 9, host: nil, to: at.room).id == 10_001)
        #expect(try await at.count("room_history") == 10_000)
        var (ids, before): ([Int64], Int64?) = ([], nil)
        repeat {
            let page = try await at.history.page(of: at.room, before: before, limit: 100)
            ids += page.entries.map(\.id)
            before = page.nextBefore
        } while before != nil && ids.count < 10_000
        #expect(ids == (2...10_001).reversed())
        #expect(try await at.history.recap(of: at.room, from: .min, to: .max).count == 10_000)
        await at.model.close()
    }
}

struct RoomQueueTests {
    @Test func `the later state stays, whoever writes last`() async throws {
        let at = try await RoomFixture()
        #expect(try await at.queues.load(of: at.room) == nil)
        #expect(try await at.queues.save(#"{"q":[1]}"#, revision: 7, of: at.room))
        #expect(try await at.queues.save("older", revision: 6, of: at.room) == false)
        #expect(try await at.queues.load(of: at.room)! == (#"{"q":[1]}"#, 7))
        #expect(try await at.queues.save("same", revision: 7, of: at.room))
        #expect(try await at.queues.save("later", revision: 8, of: at.room))
        await at.model.close()
        let again = try await Model.opened(at.folder, at.calendar)
        #expect(try await again.memory.queues.load(of: at.room)! == ("later", 8))
        await again.close()
    }

    @Test func `of many writes at once the highest revision is what is there`() async throws {
        let at = try await RoomFixture()
        await withTaskGroup(of: Void.self) { group in
            for revision in (0..<200 as Range<Int64>).shuffled() {
                group.addTask { _ = try? await at.queues.save("state \(revision)", revision: revision, of: at.room) }
            }
        }
        #expect(try await at.queues.load(of: at.room)! == ("state 199", 199))
        await at.model.close()
    }

    @Test func `a state has a size`() async throws {
        let at = try await RoomFixture()
        func refused(_ state: String, revision: Int64 = 1, in room: RoomID? = nil) async -> RoomMemoryError? {
            await memoryRefusal { () throws(RoomMemoryError) in
                try await at.queues.save(state, revision: revision, of: room ?? at.room)
            }
        }
        #expect(await refused(String(repeating: "x", count: 4_194_304)) == nil)
        #expect(try await at.queues.load(of: at.room)?.state.utf8.count == 4_194_304)
        #expect(await refused(String(repeating: "x", count: 4_194_305), revision: 2) == .invalid)
        #expect(await refused("", revision: 2) == .invalid)
        #expect(await refused("x", revision: -1) == .invalid)
        #expect(await refused("x", in: RoomFixture.noRoom()) == .roomUnknown)
        #expect(try await at.queues.load(of: at.room)?.revision == 1)
        await at.model.close()
    }
}
