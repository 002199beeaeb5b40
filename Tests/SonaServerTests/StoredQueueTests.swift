import SonaDatabase
import SonaRooms
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel
@testable import SonaServer

/// A room's queue as the room reads it from the database when it wakes.
struct StoredQueueTests {
    /// State stored in mid-party by a version before the rows: votes, repeats, approvals, a user who left, a vote to
    /// skip.
    private static let text = #"""
        {"format":1,"clock_ms":1795557266786,"next_id":14,"play_count":4,"active_listeners":2,"repeat":"all",\#
        "rules":{"ordering":"votes","suggesters":"everybody","voters":"everybody","needs_approval":true,\#
        "waiting_per_person_max":100,"entries_max":500,"share_window":1,"share_plays_max":100,"row_max":2,\#
        "cooldown_s":0,"dwell_s":0,"skip_percent":90,"grace_s":3600},\#
        "now":{"id":9,"title":"Tune \"9\" ü\\","artist":"Somebody","duration_us":180000000,"source":"tune-9",\#
        "suggested_by":"cid","added_ms":1795557263472,"upvotes":1,"downvotes":0,"play":4},\#
        "waiting":[{"id":8,"title":"Tune \"8\" ü\\","artist":"Somebody","duration_us":180000000,"suggested_by":"cid",\#
        "added_ms":1795557263471,"up":["bob"],"passed_over":1},\#
        {"id":1,"title":"Tune \"1\" ü\\","artist":"Somebody","duration_us":180000000,"source":"tune-1",\#
        "suggested_by":"ada","added_ms":1795557263466,"recalled":true},\#
        {"id":2,"title":"Tune \"2\" ü\\","artist":"Somebody","suggested_by":"ada","added_ms":1795557263467,\#
        "up":["bob"],"down":["cid"]},\#
        {"id":10,"title":"Tune \"5\" ü\\","source":"tune-5","suggested_by":"bob","added_ms":1795557263477}],\#
        "pending":[{"id":12,"title":"Tune \"10\" ü\\","suggested_by":"bob","added_ms":1795557263480},\#
        {"id":13,"title":"Tune \"11\" ü\\","source":"tune-11","suggested_by":"cid","added_ms":1795557263481}],\#
        "past":[{"id":5,"title":"Tune \"5\" ü\\","source":"tune-5","suggested_by":"bob","added_ms":1795557263469,\#
        "upvotes":1,"downvotes":0,"requeued_as":10}],\#
        "history":[{"suggested_by":"bob","at_ms":1795557263476,"keys":["l:tune-5","n:tune 5 ü\u001fsomebody"]},\#
        {"suggested_by":"cid","at_ms":1795557263477,"keys":["l:tune-9","n:tune 9 ü\u001fsomebody"]},\#
        {"suggested_by":"cid","at_ms":1795557263478,"keys":["l:tune-9","n:tune 9 ü\u001fsomebody"]}],\#
        "round":["bob"],"skip":["cid"],"departed":[{"user":"cid","left_ms":1795557266786}]}
        """#

    private struct Desk {
        let folder = TemporaryFolder()
        let room: RoomID
        private var path: String { folder.file("sona.sqlite") }

        /// A database as the versions before the rows leave it.
        init(_ state: String) async throws {
            var generator = SystemRandomNumberGenerator()
            room = RoomID.random(using: &generator)
            let before = Array(ModelSchema.timeline.prefix { $0.name != "2026-11 queue rows" })
            let old = try await DatabasePool.open(path, applicationID: ModelSchema.applicationID, migrations: before)
            try await old.write { [room] db in
                try db.execute("INSERT INTO users (uid, role, created_ms) VALUES ('ada', 'user', 1)")
                try db.execute(
                    """
                    INSERT INTO rooms (id, owner_uid, title, visibility, delivery, lead_ms, created_ms)
                    VALUES (\(room), 'ada', 't', 'public', 'party', 600, 1)
                    """)
                try db.execute("INSERT INTO room_queue (room_id, state, revision) VALUES (\(room), \(state), 7)")
            }
            await old.close()
        }

        /// The queue that the room finds. `change` is applied to it as the room would do, and stored.
        func awake(
            _ statement: SQL? = nil, _ change: (inout PartyQueue) throws -> Void = { _ in }
        ) async throws -> StoredQueue {
            let (database, daos) = try await DatabasePool.open(
                path, applicationID: ModelSchema.applicationID, daos: ModelDAOs.self, migrations: ModelSchema.timeline)
            if let statement { try await database.write { db in try db.execute(statement) } }
            let queues = QueueStore(daos.playing)
            let found = try await StoredQueue(room, queues)
            var (queue, ledger) = (found.queue, found.ledger)
            try change(&queue)
            if queue != found.queue {
                let rows = ledger.update(to: queue)
                #expect(try await queues.save(rows, revision: found.revision + 1, of: room))
            }
            await database.close()
            return found
        }
    }

    @Test func `a queue that was stored as one text is read unchanged`() async throws {
        let desk = try await Desk(Self.text)
        let before = try PartyQueue(stored: QueueRows(state: Self.text, writes: 0))
        let found = try await desk.awake()
        #expect(found.queue == before && found.revision == 7 && found.fault == nil)
        #expect(found.queue.waitingEntries.count == 4 && found.queue.pending.count == 2 && found.queue.skipVotes == 1)
    }

    @Test func `later changes are stored as rows, and are read again`() async throws {
        let desk = try await Desk(Self.text)
        var after = PartyQueue()
        let ada = PartyMember(uid: try #require(UserID("ada")), isGuest: false, rights: .host, joinedMilliseconds: 0)
        _ = try await desk.awake { queue in
            let now: Int64 = 1_795_557_300_000
            _ = try queue.apply(.move(QueueEntryID(10), to: .first), by: ada, now: now)
            _ = try queue.apply(.vote(QueueEntryID(8), .down), by: ada, now: now)
            _ = try queue.apply(.approve(QueueEntryID(12)), by: ada, now: now)
            _ = try queue.apply(.next(from: nil), by: ada, now: now)
            _ = try queue.apply(.remove(QueueEntryID(2)), by: ada, now: now)
            after = queue
        }
        let found = try await desk.awake()
        #expect(found.queue == after && found.revision == 8)
    }

    @Test func `an unreadable row is named in the fault`() async throws {
        for (statement, fault) in [
            ("UPDATE room_queue SET state = '{'", ""),
            ("UPDATE room_queue_entries SET entry = '{}' WHERE id = 1", "waiting[1]"),
            ("UPDATE room_queue_entries SET entry = 'x' WHERE id = 12", "pending[0]"),
            ("UPDATE room_queue_entries SET id = 14 WHERE id = 12", "next_id"),
            ("UPDATE room_queue_plays SET number = 5 WHERE number = 4", "history"),
            ("UPDATE room_queue_votes SET uid = 'a b' WHERE vote = 'down'", "waiting[2].down"),
            ("UPDATE room_queue_votes SET entry_id = 4 WHERE vote = 'skip'", "votes"),
        ] as [(SQL, String)] {
            let found = try await Desk(Self.text).awake(statement)
            #expect(try #require(found.fault).hasPrefix(fault), "\(found.fault ?? "")")
        }
        let found = try await Desk(#"{"format":1,"clock_ms":5,"next_id":9,"play_count":0,"waiting":[7]}"#).awake()
        #expect(found.fault == "waiting[0]: must be an object")
    }
}
