import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

struct RoomQueueTests {
    private typealias Entry = QueueRows.Entry
    private typealias Play = QueueRows.Play
    private typealias Vote = QueueRows.Vote

    /// A change of nothing but the state.
    private func change(_ state: String, after writes: Int64) -> QueueRows.Change {
        QueueRows.Change(after: writes, state: state)
    }

    @Test func `a change does to the rows what it says, and to no others`() async throws {
        let at = try await RoomFixture()
        #expect(try await at.queues.load(of: at.room) == nil)
        let other = try await at.another()
        #expect(try await at.queues.save(.everything, revision: 9, of: other))
        var first = change("one", after: 0)
        first.entries = (1...6).map {
            Entry(id: $0, list: $0 < 6 ? .waiting : .pending, place: 10 * $0, text: "e\($0)")
        }
        first.plays = (1...4).map { Play(number: $0, text: "p\($0)") }
        first.votes = (1...5).flatMap { entry in
            ["ann", "bob"].map { Vote(entry: entry, user: $0, choice: .up) }
        }
        #expect(try await at.queues.save(first, revision: 7, of: at.room))

        var second = change("two", after: 1)
        second.closedVotes = [1]
        second.withdrawals = [(2, "ann"), (9, "ann")]
        second.votes = [Vote(entry: 2, user: "bob", choice: .down), Vote(entry: 1, user: "cid", choice: .skip)]
        second.goneEntries = [1, 6]
        second.moves = [(2, 45)]
        second.entries = [
            Entry(id: 6, list: .waiting, place: 55, text: "approved"),
            Entry(id: 5, list: .waiting, place: 50, text: "E"),
            Entry(id: 7, list: .past, place: -3, text: "past"),
        ]
        second.firstPlay = 3
        second.plays = [Play(number: 5, text: "p5")]
        #expect(try await at.queues.save(second, revision: 8, of: at.room))
        await at.model.close()

        let again = try await Model.opened(at.folder, at.calendar)
        let stored = try #require(try await again.roomStorage.queues.load(of: at.room))
        #expect((stored.state, stored.revision, stored.writes) == ("two", 8, 2))
        #expect(
            stored.entries == [
                Entry(id: 7, list: .past, place: -3, text: "past"), Entry(id: 3, list: .waiting, place: 30, text: "e3"),
                Entry(id: 4, list: .waiting, place: 40, text: "e4"),
                Entry(id: 2, list: .waiting, place: 45, text: "e2"),
                Entry(id: 5, list: .waiting, place: 50, text: "E"),
                Entry(id: 6, list: .waiting, place: 55, text: "approved"),
            ])
        #expect(stored.plays == [3, 4, 5].map { Play(number: $0, text: "p\($0)") })
        let votes = stored.votes.map { "\($0.entry) \($0.user) \($0.choice)" }.sorted()
        #expect(
            votes == [
                "1 cid skip", "2 bob down", "3 ann up", "3 bob up", "4 ann up", "4 bob up", "5 ann up", "5 bob up",
            ])
        let untouched = try #require(try await again.roomStorage.queues.load(of: other))
        #expect(untouched.entries.count == 1 && untouched.plays.count == 1 && untouched.votes.count == 1)
        await again.close()
    }

    @Test func `a change of another state than the stored one writes nothing`() async throws {
        let at = try await RoomFixture()
        #expect(try await at.queues.save(.everything, revision: 1, of: at.room))
        let before = try await at.queues.load(of: at.room)
        for after in [0, 2, 7] as [Int64] {
            var late = change("late", after: after)
            late.goneEntries = [1]
            late.closedVotes = [1]
            late.plays = [Play(number: 2, text: "p")]
            #expect(try await at.queues.save(late, revision: 5, of: at.room) == false)
        }
        #expect(try await at.queues.load(of: at.room) == before)
        #expect(try await at.queues.save(change("next", after: 1), revision: 1, of: at.room))
        await at.model.close()
    }

    @Test func `of many changes of one state one is written`() async throws {
        let at = try await RoomFixture()
        let written = await withTaskGroup(of: Int64?.self) { group in
            for number in 1...100 as ClosedRange<Int64> {
                var change = change("state \(number)", after: 0)
                change.entries = [Entry(id: number, list: .waiting, place: 0, text: "e")]
                group.addTask { [change] in
                    (try? await at.queues.save(change, revision: number, of: at.room)) == true ? number : nil
                }
            }
            return await group.reduce(into: [Int64]()) { if let number = $1 { $0.append(number) } }
        }
        let stored = try #require(try await at.queues.load(of: at.room))
        #expect(written.count == 1 && stored.revision == written[0] && stored.writes == 1)
        #expect(stored.entries.map(\.id) == written)
        await at.model.close()
    }

    @Test func `rows have a size, and one too long undoes the whole change`() async throws {
        let at = try await RoomFixture()
        func refused(
            _ state: String = "x", revision: Int64 = 1, after: Int64 = 1, in room: RoomID? = nil,
            _ more: (inout QueueRows.Change) -> Void = { _ in }
        ) async -> Refusal? {
            var change = change(state, after: after)
            more(&change)
            return await refusal { [change] in
                try await at.queues.save(change, revision: revision, of: room ?? at.room)
            }
        }
        #expect(await refused(String(repeating: "x", count: 4_194_304), after: 0) == nil)
        #expect(try await at.queues.load(of: at.room)?.state.utf8.count == 4_194_304)
        #expect(await refused(String(repeating: "x", count: 4_194_305)) == .invalid)
        #expect(await refused("") == .invalid)
        #expect(await refused(revision: -1) == .invalid)
        #expect(await refused(in: RoomFixture.noRoom()) == .roomUnknown)
        let long = String(repeating: "x", count: QueueStore.rowBytesMax)
        for text in ["", long + "x"] {
            #expect(await refused { $0.entries = [Entry(id: 1, list: .waiting, place: 1, text: text)] } == .invalid)
            #expect(await refused { $0.plays = [Play(number: 1, text: text)] } == .invalid)
        }
        #expect(await refused { $0.entries = [Entry(id: 0, list: .waiting, place: 1, text: "x")] } == .invalid)
        #expect(await refused { $0.votes = [Vote(entry: 0, user: "ann", choice: .up)] } == .invalid)
        for user in ["", String(repeating: "u", count: 129)] {
            #expect(await refused { $0.votes = [Vote(entry: 1, user: user, choice: .up)] } == .invalid)
        }
        #expect(try await at.queues.load(of: at.room)?.writes == 1)
        #expect(await refused { $0.entries = [Entry(id: 1, list: .waiting, place: 1, text: long)] } == nil)
        await at.model.close()
    }

    // MARK: Files from before

    /// A file as the versions before the rows leave it, with rooms whose queues are these texts.
    private func oldFile(_ folder: TemporaryFolder, _ states: [String]) async throws -> (path: String, rooms: [RoomID])
    {
        let path = folder.file("old.sqlite")
        let before = Array(ModelSchema.timeline.prefix { $0.name != "2026-11 queue rows" })
        #expect(before.count == 9)
        let old = try await DatabasePool.open(path, applicationID: ModelSchema.applicationID, migrations: before)
        let rooms = states.map { _ in RoomFixture.noRoom() }
        try await old.write { db in
            try db.execute("INSERT INTO users (uid, role, created_ms) VALUES ('u', 'user', 1)")
            for (room, state) in zip(rooms, states) {
                try db.execute(
                    """
                    INSERT INTO rooms (id, owner_uid, title, visibility, delivery, lead_ms, created_ms)
                    VALUES (\(room), 'u', 't', 'public', 'party', 600, 1)
                    """)
                try db.execute("INSERT INTO room_queue (room_id, state, revision) VALUES (\(room), \(state), 7)")
            }
        }
        await old.close()
        return (path, rooms)
    }

    private func queues(_ path: String) async throws -> (DatabasePool, QueueStore) {
        let (database, daos) = try await DatabasePool.open(
            path, applicationID: ModelSchema.applicationID, daos: ModelDAOs.self, migrations: ModelSchema.timeline)
        return (database, QueueStore(daos.playing))
    }

    @Test func `a queue stored as one text becomes rows`() async throws {
        let folder = TemporaryFolder()
        let state = """
            {"format":1,"clock_ms":9,"next_id":7,"play_count":5,"of_later":[1],"now":{"id":4,"title":"N"},\
            "waiting":[{"id":3,"title":"\\"C\\"","up":["ann","bob"],"down":["cid"],"passed_over":1},{"id":2,"title":"B"}],\
            "pending":[{"id":6,"title":"F"}],"past":[{"id":1,"title":"A","upvotes":2,"requeued_as":5}],\
            "history":[{"at_ms":1},{"at_ms":2}],"round":["ann"],"skip":["bob"],"departed":[{"user":"cid","left_ms":8}]}
            """
        let (path, rooms) = try await oldFile(folder, [state, #"{"format":1,"next_id":1,"play_count":0,"skip":null}"#])
        let (database, queues) = try await queues(path)
        let stored = try #require(try await queues.load(of: rooms[0]))
        #expect(
            stored.state == """
                {"format":2,"clock_ms":9,"next_id":7,"play_count":5,"of_later":[1],"now":{"id":4,"title":"N"},\
                "round":["ann"],"departed":[{"user":"cid","left_ms":8}]}
                """)
        #expect((stored.revision, stored.writes) == (7, 1))
        #expect(
            stored.entries == [
                Entry(id: 1, list: .past, place: 1 << 32, text: #"{"title":"A","upvotes":2,"requeued_as":5}"#),
                Entry(id: 6, list: .pending, place: 1 << 32, text: #"{"title":"F"}"#),
                Entry(id: 3, list: .waiting, place: 1 << 32, text: #"{"title":"\"C\"","passed_over":1}"#),
                Entry(id: 2, list: .waiting, place: 2 << 32, text: #"{"title":"B"}"#),
            ])
        #expect(stored.plays == [Play(number: 4, text: #"{"at_ms":1}"#), Play(number: 5, text: #"{"at_ms":2}"#)])
        #expect(
            stored.votes == [
                Vote(entry: 3, user: "ann", choice: .up), Vote(entry: 3, user: "bob", choice: .up),
                Vote(entry: 3, user: "cid", choice: .down), Vote(entry: 4, user: "bob", choice: .skip),
            ])
        let empty = try #require(try await queues.load(of: rooms[1]))
        #expect(empty.state == #"{"format":2,"next_id":1,"play_count":0}"# && empty.writes == 1)
        #expect(empty.entries.isEmpty && empty.plays.isEmpty && empty.votes.isEmpty)
        #expect(try await queues.save(change("{}", after: 1), revision: 8, of: rooms[0]))
        await database.close()
    }

    /// Goal: no text keeps the file from opening. Way: everything that is no queue, or none that rows can hold.
    @Test func `a stored text that cannot be cut stays as it is`() async throws {
        let folder = TemporaryFolder()
        let start = #"{"format":1,"play_count":0"#
        let states =
            ["", "{", "7", "null", "[]", "{}", #"{"format":2,"play_count":0}"#, #"{"format":1}"#].dropFirst()
            + [
                #""waiting":7"#, #""waiting":[7]"#, #""waiting":[{}]"#, #""waiting":[{"id":0}]"#,
                #""waiting":[{"id":1},{"id":1}]"#, #""waiting":[{"id":1}],"past":[{"id":1}]"#,
                #""waiting":[{"id":1,"up":[1]}]"#, #""waiting":[{"id":1,"up":["a"],"down":["a"]}]"#,
                #""waiting":[{"id":1,"up":["\#(String(repeating: "u", count: 129))"]}]"#, #""history":[1]"#,
                #""history":{}"#, #""skip":["a"]"#, #""skip":["a","a"],"now":{"id":1}"#,
                #""pending":[{"id":1,"title":"\#(String(repeating: "x", count: 65_536))"}]"#,
            ].map { "\(start),\($0)}" }
        let (path, rooms) = try await oldFile(folder, Array(states))
        let (database, queues) = try await queues(path)
        for (room, state) in zip(rooms, states) {
            let stored = try #require(try await queues.load(of: room))
            #expect(stored.state == state && stored.writes == 0 && stored.entries.isEmpty && stored.votes.isEmpty)
        }
        // Where it can be read all the same, the first change writes all of it.
        #expect(try await queues.save(.everything, revision: 7, of: rooms[0]))
        await database.close()
    }
}
