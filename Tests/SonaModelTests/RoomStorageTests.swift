import SonaCrypto
import SonaDatabase
import SonaTestSupport
import SonaText
import SonaWire
import Testing

@testable import SonaModel

/// What all that rooms remember has in common: how it comes, how it goes, and along which way it is found.
struct RoomStorageTests {
    private static let tables: [SQL] = [
        "room_members", "room_bans", "room_mutes", "room_invites", "room_invite_uses", "room_chat", "room_history",
        "room_queue", "room_queue_entries", "room_queue_plays", "room_queue_votes",
    ]

    /// A row of Bob's, or of his doing, in every table.
    private func fill(_ at: RoomFixture, _ bob: UserID) async throws -> InviteID {
        let other = try await at.another()
        let guest = RoomFixture.guest()
        let named = User(uid: bob, username: Username("bob"), isGuest: false)
        // What he does he may do as a cohost; then he is a member by his own invite.
        _ = try await at.membership.set(.cohost, for: bob, isGuest: false, in: at.room, by: at.ada)
        let invite = try await at.invites.create(for: at.room, label: "Bob's", by: bob).invite.id
        _ = try await at.invites.redeem(invite, to: at.room, uid: guest, isGuest: true)
        try await at.membership.ban(RoomFixture.guest(), from: at.room, by: bob)
        try await at.membership.ban(bob, from: other, reason: "Noise.", by: at.ada)
        try await at.membership.mute(bob, in: other, by: at.ada)
        _ = try await at.chat.send(try ChatStore.Text("Bob's word @ada"), to: at.room, by: named)
        _ = try await at.chat.send(try ChatStore.Text("Bob's other"), to: at.room, by: named)
        _ = try await at.chat.delete(2, in: at.room, by: bob, mayModerate: false)
        let third = User(uid: guest, username: nil, isGuest: true)
        _ = try await at.chat.send(try ChatStore.Text("guest's"), to: at.room, by: third)
        try await at.membership.mute(guest, in: at.room, by: bob)
        _ = try await at.membership.remove(bob, from: at.room, by: bob)
        _ = try await at.invites.redeem(invite, to: at.room, uid: bob, isGuest: false)
        try await at.history.append(Track(title: "Song"), at: 1, host: bob, to: at.room)
        try await at.queues.save(.everything, revision: 1, of: at.room)
        return invite
    }

    @Test func `all of it goes with the room, and nothing of another`() async throws {
        let at = try await RoomFixture()
        _ = try await fill(at, try await at.account("bob"))
        for table in Self.tables { #expect(try await at.count(table) > 0, "\(table)") }
        try await at.model.rooms.delete(at.room)
        for table in Self.tables {
            let isOther = ["room_bans", "room_mutes"].contains { "\(table)".contains($0) }
            #expect(try await at.count(table) == (isOther ? 1 : 0), "\(table)")
        }
        await at.model.close()
    }

    @Test func `an account that is removed is erased from all rooms, text and name`() async throws {
        let at = try await RoomFixture()
        let bob = try await at.account("bob")
        let invite = try await fill(at, bob)
        let now = at.calendar.clock.nowMilliseconds()
        let beside = try await Model.look(at.folder)
        at.calendar.advance(seconds: 1)
        try await beside.write { db in try RoomTraces.erase(bob, now: now + 1_000, in: &db) }
        await beside.close()

        #expect(try await at.membership.members(of: at.room).map(\.user.isGuest) == [true])
        #expect(try await at.membership.bans(in: at.room).map(\.by) == [nil])
        let left = try await at.invites.list(of: at.room)
        #expect(left.map(\.id) == [invite] && left.map(\.label) == [nil])
        // Nobody is kept as the maker; the owner is shown in their place.
        #expect(try await at.count("room_invites", where: "created_by IS NOT NULL") == 0)
        #expect(left.map(\.createdBy) == [User(uid: at.ada, username: Username("ada"), isGuest: false)])
        #expect(left.map(\.useCount) == [2])
        let messages = try await at.chat.page(of: at.room).messages
        #expect(messages.map(\.text) == ["", "", "guest's"])
        #expect(messages.map(\.isDeleted) == [true, true, false])
        #expect(messages.prefix(2).allSatisfy { $0.user.username == nil && $0.mentions == [] })
        #expect(try await at.history.page(of: at.room).plays.map(\.host) == [nil])
        #expect(try await at.count("room_chat", where: "deleted_ms = \(now)") == 1)
        for (table, column) in [
            ("room_members", "uid"), ("room_bans", "uid"), ("room_bans", "by_uid"), ("room_mutes", "uid"),
            ("room_mutes", "by_uid"), ("room_invites", "created_by"), ("room_invite_uses", "uid"),
            ("room_history", "host_uid"),
        ] as [(SQL, SQL)] {
            #expect(try await at.count(table, where: "\(column) = \(bob)") == 0, "\(table)")
        }
        await at.model.close()
    }

    @Test func `an export has what rooms remember of the account, and nothing of others`() async throws {
        let at = try await RoomFixture()
        let bob = try await at.account("bob")
        _ = try await fill(at, bob)
        let beside = try await Model.look(at.folder)
        let traces = try await beside.read { db in try RoomTraces(of: bob, in: &db) }
        await beside.close()
        var writer = JSONWriter()
        writer.object { writer in traces.write(into: &writer) }
        let json = try SonaWire.JSON.parse(writer.bytes)
        #expect(json["room_memberships"]?.array?.count == 1)
        #expect(json["room_memberships"]?.array?.first?["standing"] == .string("member"))
        #expect(json["room_bans"]?.array?.map { $0["reason"] } == [.string("Noise.")])
        #expect(json["room_mutes"]?.array?.count == 1)
        #expect(json["room_invites"]?.array?.map { $0["label"] } == [.string("Bob's")])
        #expect(json["chat_count"] == .integer(1) && json["tracks_played"] == .integer(1))
        #expect(json["chat"]?.array?.map { $0["text"] } == [.string("Bob's word @ada")])
        #expect(!String(decoding: writer.bytes, as: UTF8.self).contains("guest's"))
        await at.model.close()
    }

    @Test func `a round forgets what has ended, and a guest after a day`() async throws {
        let at = try await RoomFixture()
        let (bob, guest, later) = (try await at.account("bob"), RoomFixture.guest(), RoomFixture.guest())
        let now = at.calendar.clock.nowMilliseconds()
        let day: Int64 = 24 * 3_600
        _ = try await at.membership.set(.member, for: bob, isGuest: false, in: at.room, by: at.ada)
        _ = try await at.membership.set(.member, for: guest, isGuest: true, in: at.room, by: at.ada)
        // One who becomes an account keeps their identifier, and their place.
        _ = try await at.membership.set(.member, for: later, isGuest: true, in: at.room, by: at.ada)
        try await at.membership.mute(later, in: at.room, by: at.ada)
        let invite = try await at.invites.create(for: at.room, seconds: 3_600, by: at.ada).invite.id
        let barred = RoomFixture.guest()
        _ = try await at.invites.redeem(invite, to: at.room, uid: barred, isGuest: true)
        try await at.membership.ban(barred, from: at.room, by: at.ada)
        for number in 0..<3 {
            let until = number == 0 ? nil : now + 1_000
            try await at.membership.ban(RoomFixture.guest(), from: at.room, until: until, by: at.ada)
            try await at.membership.mute(RoomFixture.guest(), in: at.room, until: until, by: at.ada)
        }
        #expect(try await at.storage.tidy() == 0)
        at.calendar.advance(milliseconds: 999)
        #expect(try await at.storage.tidy() == 0)
        at.calendar.advance(milliseconds: 1)
        #expect(try await at.storage.tidy() == 4)
        try await at.execute(
            """
            INSERT INTO users (uid, username, username_key, role, created_ms)
            VALUES (\(later), 'cyd', 'cyd', 'user', 1)
            """
        )
        at.calendar.advance(milliseconds: day * 1_000 - 1_001)
        #expect(try await at.storage.tidy() == 0)
        at.calendar.advance(milliseconds: 1)
        // The guest, their use, the ban and the mute of guests who can't come back.
        #expect(try await at.storage.tidy() == 4)
        #expect(Set(try await at.membership.members(of: at.room).map(\.user.uid)) == [bob, later])
        #expect(try await at.membership.mutes(in: at.room).map(\.uid) == [later])
        // Their invite knows them still.
        #expect(try await at.membership.bans(in: at.room).map(\.user.uid) == [barred])
        #expect(try await at.membership.ban(of: RoomFixture.guest(), isGuest: true, by: invite, in: at.room) != nil)
        // A month after its end an invite is forgotten, unless somebody is here by it.
        let kept = try await at.invites.create(for: at.room, seconds: 3_600, by: at.ada).invite.id
        _ = try await at.invites.redeem(kept, to: at.room, uid: bob, isGuest: false)
        _ = try await at.membership.remove(bob, from: at.room, by: bob)
        _ = try await at.invites.redeem(kept, to: at.room, uid: bob, isGuest: false)
        at.calendar.advance(seconds: 31 * day)
        // And with it the ban of a guest who came by it, which holds nobody any more.
        #expect(try await at.storage.tidy() == 2)
        #expect(try await at.invites.list(of: at.room).map(\.id) == [kept])
        #expect(try await at.membership.bans(in: at.room) == [])
        await at.model.close()
    }

    @Test func `a round takes many rows in several steps`() async throws {
        let at = try await RoomFixture()
        try await at.execute(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
            INSERT INTO room_bans (room_id, uid, is_guest, until_ms, created_ms)
            SELECT \(at.room), 'b' || i, 0, 5, i FROM n
            """)
        #expect(try await at.storage.tidy() == 1_200)
        #expect(try await at.count("room_bans") == 0)
        await at.model.close()
    }

    @Test func `what was done is there after a restart`() async throws {
        let at = try await RoomFixture()
        let bob = try await at.account("bob")
        let invite = try await fill(at, bob)
        let members = try await at.membership.members(of: at.room)
        let bans = try await at.membership.bans(in: at.room)
        let mutes = try await at.membership.mutes(in: at.room)
        await at.model.close()
        let again = try await Model.opened(at.folder, at.calendar)
        #expect(try await again.roomStorage.membership.members(of: at.room) == members && members.count == 2)
        #expect(try await again.roomStorage.membership.bans(in: at.room) == bans && bans.count == 1)
        #expect(try await again.roomStorage.membership.mutes(in: at.room) == mutes && mutes.count == 1)
        let back = try await again.roomStorage.invites.redeem(invite, to: at.room, uid: bob, isGuest: false)
        #expect(!back.isNew && back.member == members.first { $0.user.uid == bob })
        #expect(try await again.journal.verify().reason == nil)
        await again.close()
    }

    // MARK: The schema

    @Test func `the tables the records declare are those the migrations make, exactly`() throws {
        #expect(try DatabaseQueue.schemaDifferences(ModelDAOs.self, migrations: ModelSchema.timeline) == [])
    }

    @Test func `a file from before this gets its tables and keeps its rooms`() async throws {
        let folder = TemporaryFolder()
        let path = folder.file("old.sqlite")
        let before = Array(ModelSchema.timeline.prefix { $0.name != "2026-11 belonging" })
        #expect(before.count < ModelSchema.timeline.count)
        let room = RoomFixture.noRoom()
        let old = try await DatabasePool.open(path, applicationID: ModelSchema.applicationID, migrations: before)
        try await old.write { db in
            try db.execute("INSERT INTO users (uid, role, created_ms) VALUES ('u', 'user', 1)")
            try db.execute(
                """
                INSERT INTO rooms (id, owner_uid, title, visibility, delivery, lead_ms, created_ms)
                VALUES (\(room), 'u', 't', 'public', 'party', 600, 1)
                """)
        }
        await old.close()
        let (database, daos) = try await DatabasePool.open(
            path, applicationID: ModelSchema.applicationID, daos: ModelDAOs.self, migrations: ModelSchema.timeline)
        let queues = QueueStore(daos.playing)
        #expect(try await queues.save(.everything, revision: 0, of: room))
        await database.close()
    }

    @Test func `what is asked often goes along an index and sorts nothing`() async throws {
        let (queue, _) = try await DatabaseQueue.inMemory(daos: ModelDAOs.self)
        let room = RoomFixture.noRoom()
        for (sql, index) in [
            (
                """
                SELECT m.uid FROM room_members m WHERE m.room_id = \(room) AND (m.since_ms, m.uid) < (\(5), \("x"))
                ORDER BY m.since_ms DESC, m.uid DESC LIMIT 5
                """, "room_members_by_age"
            ),
            (
                """
                SELECT b.uid FROM room_bans b WHERE b.room_id = \(room) AND \(RoomBanRecord.holds(at: 5))
                    AND (b.created_ms, b.uid) < (\(5), \("x")) ORDER BY b.created_ms DESC, b.uid DESC LIMIT 5
                """, "room_bans_by_age"
            ),
            ("SELECT max(id) FROM room_chat WHERE room_id = \(room)", "sqlite_autoindex_room_chat_1"),
            (
                "SELECT id FROM room_chat WHERE room_id = \(room) AND id < \(9) ORDER BY id DESC LIMIT 5",
                "sqlite_autoindex_room_chat_1"
            ),
            (
                "SELECT id FROM room_chat WHERE room_id = \(room) AND id <= \(9) ORDER BY id LIMIT 16",
                "sqlite_autoindex_room_chat_1"
            ),
            (
                """
                \(RoomPlay.select) WHERE h.room_id = \(room) AND h.at_ms >= \(1) AND h.at_ms < \(5)
                ORDER BY h.at_ms, h.id
                """, "room_history_by_time"
            ),
            ("SELECT 1 FROM room_members WHERE invite_id = \("x")", "room_members_by_invite"),
            ("SELECT 1 FROM room_bans WHERE until_ms <= \(5)", "room_bans_by_end"),
            ("SELECT 1 FROM room_members WHERE is_guest AND since_ms <= \(5)", "room_guests_by_age"),
            ("SELECT 1 FROM room_bans WHERE is_guest AND created_ms <= \(5)", "room_guest_bans_by_age"),
            ("SELECT 1 FROM room_mutes WHERE is_guest AND created_ms <= \(5)", "room_guest_mutes_by_age"),
            ("SELECT 1 FROM room_invites WHERE created_by = \("x")", "room_invites_by_giver"),
        ] as [(SQL, String)] {
            let plan = try await queue.read { db in
                try db.all("EXPLAIN QUERY PLAN \(sql)") { row in try row[3] as String }
            }
            #expect(plan.contains { $0.contains("INDEX \(index)") }, "\(plan)")
            #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
        }
        await queue.close()
    }
}
