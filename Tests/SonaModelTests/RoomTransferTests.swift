import SonaBase
import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// Rooms that pass to another owner.
struct RoomTransferTests {
    private func owner(_ at: RoomFixture) async throws -> UserID? { try await at.model.rooms.room(at.room)?.owner.uid }

    @Test func `a room that was offered is the receiver's once they accept, and the owner becomes a cohost`()
        async throws
    {
        let at = try await RoomFixture()
        let bob = try await at.account("bob")
        let carl = try await at.account("carl")
        _ = try await at.membership.set(.moderator, for: bob, isGuest: false, in: at.room, by: at.ada)
        _ = try await at.membership.mute(bob, in: at.room, by: at.ada)
        let offer = try await at.model.roomTransfers.offer(at.room, to: .id(bob), by: at.ada).offer
        #expect(offer.from.uid == at.ada && offer.to.username?.rawValue == "bob" && offer.title == "Ada's")
        #expect(try await at.model.roomTransfers.list(of: bob) == [offer])
        #expect(try await at.model.roomTransfers.list(of: at.ada) == [offer])
        #expect(try await at.model.roomTransfers.list(of: carl).isEmpty)
        // Nothing has changed so far, and nobody else can accept.
        #expect(try await owner(at) == at.ada)
        #expect(await refusal { try await at.model.roomTransfers.accept(at.room, by: carl) } == .transferUnknown)
        let moved = try await at.model.roomTransfers.accept(at.room, by: bob).moved
        #expect(moved.room.owner.uid == bob && moved.former.uid == at.ada && moved.formerMember?.standing == .cohost)
        #expect(try await owner(at) == bob)
        #expect(try await at.membership.member(bob, of: at.room) == nil)
        #expect(try await at.membership.member(at.ada, of: at.room)?.standing == .cohost)
        #expect(try await at.count("room_mutes") == 0)
        #expect(await refusal { try await at.model.roomTransfers.accept(at.room, by: bob) } == .transferUnknown)
        // The owner of before may not change the room any more, whatever was asked a moment ago.
        let update = RoomUpdate(room: .id(at.room), title: "Mine")
        #expect(await refusal { try await at.model.rooms.update(at.room, update, by: at.ada) }?.code == .roomForbidden)
        #expect(await refusal { try await at.model.rooms.close(at.room, by: at.ada) }?.code == .roomForbidden)
        #expect(try await at.model.rooms.update(at.room, update, by: bob).room.settings.title == "Mine")
        let lines = try await at.model.journal.page(kind: .roomTransferred)
        #expect(lines.map(\.detail) == [#"{"from":"\#(at.ada)","to":"\#(bob)"}"#] && lines[0].actor == bob.rawValue)
        await at.model.close()
    }

    @Test func `an offer ends when it is refused, taken back, replaced or a week old`() async throws {
        let at = try await RoomFixture()
        let transfers = at.model.roomTransfers
        let bob = try await at.account("bob")
        let carl = try await at.account("carl")
        _ = try await transfers.offer(at.room, to: .id(bob), by: at.ada)
        #expect(try await transfers.refuse(at.room, by: bob).state == .refused)
        #expect(await refusal { try await transfers.refuse(at.room, by: bob) } == .transferUnknown)
        _ = try await transfers.offer(at.room, to: .id(bob), by: at.ada)
        #expect(await refusal { try await transfers.refuse(at.room, by: carl) } == .transferUnknown)
        #expect(try await transfers.refuse(at.room, by: at.ada).state == .withdrawn)
        _ = try await transfers.offer(at.room, to: .id(bob), by: at.ada)
        #expect(try await transfers.offer(at.room, to: .id(carl), by: at.ada).former?.to.uid == bob)
        #expect(await refusal { try await transfers.accept(at.room, by: bob) } == .transferUnknown)
        at.calendar.advance(seconds: Limits.transferSeconds)
        #expect(await refusal { try await transfers.accept(at.room, by: carl) } == .transferUnknown)
        #expect(try await transfers.list(of: carl).isEmpty)
        _ = try await at.model.upkeep.round()
        #expect(try await at.count("room_transfers") == 0)
        await at.model.close()
    }

    @Test func `only the owner offers, and not to everybody`() async throws {
        let at = try await RoomFixture()
        let transfers = at.model.roomTransfers
        let bob = try await at.account("bob")
        #expect(await refusal { try await transfers.offer(at.room, to: .id(at.ada), by: bob) }?.code == .roomForbidden)
        #expect(await refusal { try await transfers.offer(at.room, to: .id(at.ada), by: at.ada) } == .oneself)
        let nobody = UserReference.username(try #require(Username("nobody")))
        #expect(await refusal { try await transfers.offer(at.room, to: nobody, by: at.ada) } == .userUnknown)
        _ = try await at.model.people.block(.id(at.ada), bob)
        #expect(await refusal { try await transfers.offer(at.room, to: .id(bob), by: at.ada) } == .userUnknown)
        _ = try await at.model.rooms.close(at.room)
        #expect(await refusal { try await transfers.offer(at.room, to: .id(bob), by: at.ada) } == .roomClosed)
        await at.model.close()
    }

    /// Goal: the limit of rooms holds. Way: somebody with one free place accepts two rooms at the same time, five times.
    @Test func `an account gets no more rooms than it may own`() async throws {
        let at = try await RoomFixture()
        let transfers = at.model.roomTransfers
        let bob = try await at.account("bob")
        for _ in 1..<Limits.roomsPerUserMax {
            _ = try await at.model.rooms.create(RoomSettings(title: "Bob's"), owner: bob)
        }
        let second = try await at.another()
        for room in [at.room, second] { _ = try await transfers.offer(room, to: .id(bob), by: at.ada) }
        let codes = await withTaskGroup(of: ErrorCode?.self) { group in
            for room in [at.room, second] {
                group.addTask { await refusal { try await transfers.accept(room, by: bob) }?.code }
            }
            return await group.reduce(into: [ErrorCode?]()) { $0.append($1) }
        }
        #expect(codes.filter { $0 == nil }.count == 1 && codes.contains(.roomLimitReached))
        #expect(try await at.count("rooms", where: "owner_uid = \(bob)") == Limits.roomsPerUserMax)
        // The other offer stays.
        #expect(try await transfers.list(of: bob).count == 1)
        let third = try await at.another("Third")
        #expect(await refusal { try await transfers.move(third, to: .id(bob), by: nil) } == .limitReached)
        await at.model.close()
    }

    @Test func `an administrator moves a room at once, and the owner of before keeps nothing`() async throws {
        let at = try await RoomFixture()
        let transfers = at.model.roomTransfers
        let bob = try await at.account("bob")
        _ = try await transfers.offer(at.room, to: .id(bob), by: at.ada)
        #expect(
            await refusal { try await transfers.move(at.room, to: .id(bob), by: bob) }
                == .forbidden(Permission.roomsMove))
        let moved = try await transfers.move(at.room, to: .id(bob), by: nil)
        #expect(moved.formerMember == nil && moved.room.owner.uid == bob)
        #expect(try await at.membership.member(at.ada, of: at.room) == nil)
        #expect(try await transfers.list(of: bob).isEmpty)
        #expect(await refusal { try await transfers.move(at.room, to: .id(bob), by: nil) } == .oneself)
        #expect(await refusal { try await transfers.move(RoomFixture.noRoom(), to: .id(bob), by: nil) } == .roomUnknown)
        await at.model.close()
    }

    @Test func `nobody who is banned gets a room, and nobody gets one from somebody who is banned`() async throws {
        let at = try await RoomFixture()
        let transfers = at.model.roomTransfers
        let bob = try await at.account("bob")
        _ = try await transfers.offer(at.room, to: .id(bob), by: at.ada)
        _ = try await at.model.accounts.ban(.id(at.ada), seconds: 60, reason: nil, by: nil)
        #expect(try await transfers.list(of: bob).isEmpty)
        #expect(await refusal { try await transfers.accept(at.room, by: bob) } == .transferUnknown)
        // The offer outlives the ban.
        at.calendar.advance(seconds: 60)
        #expect(try await transfers.list(of: bob).count == 1)
        _ = try await at.model.accounts.ban(.id(bob), seconds: 60, reason: nil, by: nil)
        #expect(await refusal { try await transfers.accept(at.room, by: bob) }?.code == .authBanned)
        let move = await refusal { try await transfers.move(at.room, to: .id(bob), by: nil) }
        #expect(move?.code == .requestInvalid && move?.field == "data.user")
        #expect(try await owner(at) == at.ada)
        at.calendar.advance(seconds: 60)
        _ = try await transfers.accept(at.room, by: bob)
        #expect(try await owner(at) == bob)
        await at.model.close()
    }

    // MARK: Owners who are gone

    @Test func `rooms of a removed account pass to cohosts, those without one are erased`() async throws {
        let at = try await RoomFixture()
        let events = EventList()
        at.model.accounts.onEvent { events.add($0) }
        let (bob, carl) = (try await at.account("bob"), try await at.account("carl"))
        let plain = try await at.another("Plain")
        let full = try await at.another("Full")
        for _ in 1..<Limits.roomsPerUserMax {
            _ = try await at.model.rooms.create(RoomSettings(title: "C"), owner: carl)
        }
        // Bob has been a cohost for longest; Carl can take one more room, and nobody but him is in the third.
        _ = try await at.membership.set(.cohost, for: bob, isGuest: false, in: at.room, by: at.ada)
        at.calendar.advance(seconds: 1)
        _ = try await at.membership.set(.cohost, for: carl, isGuest: false, in: at.room, by: at.ada)
        _ = try await at.membership.set(.moderator, for: bob, isGuest: false, in: plain, by: at.ada)
        _ = try await at.membership.set(.cohost, for: carl, isGuest: false, in: full, by: at.ada)
        let account = try await at.model.accounts.signIn("ada").account
        let code = try await at.model.accounts.export(account).code
        try await at.model.accounts.remove(account, code: code, rooms: .cohosts)
        #expect(try await owner(at) == bob)
        #expect(try await at.model.rooms.room(full)?.owner.uid == carl)
        #expect(try await at.model.rooms.room(plain) == nil)
        #expect(events.moved == [at.room, full].sorted { $0.rawValue < $1.rawValue } && events.removed == [plain])
        await at.model.close()
    }

    @Test func `a cohost who is banned, or owns as many rooms as allowed, inherits nothing`() async throws {
        let at = try await RoomFixture()
        let (bob, carl) = (try await at.account("bob"), try await at.account("carl"))
        for _ in 0..<Limits.roomsPerUserMax {
            _ = try await at.model.rooms.create(RoomSettings(title: "C"), owner: carl)
        }
        for cohost in [bob, carl] {
            _ = try await at.membership.set(.cohost, for: cohost, isGuest: false, in: at.room, by: at.ada)
        }
        _ = try await at.model.accounts.ban(.id(bob), seconds: nil, reason: nil, by: nil)
        let account = try await at.model.accounts.signIn("ada").account
        try await at.model.accounts.remove(
            account, code: try await at.model.accounts.export(account).code, rooms: .cohosts)
        #expect(try await at.model.rooms.room(at.room) == nil)
        await at.model.close()
    }

    @Test func `a room of an owner who is not seen passes to a cohost, or is closed`() async throws {
        let at = try await RoomFixture()
        let transfers = at.model.roomTransfers
        let empty = try await at.another("Empty")
        let live = try await at.another("Live")
        let bob = try await at.account("bob")
        _ = try await at.membership.set(.cohost, for: bob, isGuest: false, in: at.room, by: at.ada)
        // The server's own account is never seen, and its rooms stay.
        let system = try await at.model.accounts.systemAccount(username: "demo").uid
        let own = try await at.model.rooms.create(RoomSettings(title: "Demo"), owner: system).id
        let day: Int64 = 86_400_000
        let start = at.calendar.clock.nowMilliseconds()
        at.calendar.advance(milliseconds: 90 * day)
        try await at.model.rooms.markLive(live, at: at.calendar.clock.nowMilliseconds())
        #expect(try await transfers.replaceOwners(seenBefore: start).isEmpty)
        _ = try await at.model.accounts.signIn("bob")
        let outcomes = try await transfers.replaceOwners(seenBefore: start + 1)
        #expect(outcomes.count == 2)
        #expect(try await owner(at) == bob)
        #expect(try await at.membership.member(at.ada, of: at.room)?.standing == .member)
        #expect(try await at.model.rooms.room(empty)?.closedMilliseconds == at.calendar.clock.nowMilliseconds())
        // A room that was live since stays with its owner.
        #expect(try await at.model.rooms.room(live)?.closedMilliseconds == nil)
        #expect(try await at.model.rooms.room(own)?.closedMilliseconds == nil)
        #expect(try await at.model.journal.page(kind: .roomAbandoned).map(\.subject) == [empty.rawValue])
        await at.model.close()
    }

    /// Moves the calendar by some days, and replaces owners who were absent for more than a day.
    private func replace(_ at: RoomFixture, afterDays days: Int64) async throws -> Int {
        at.calendar.advance(milliseconds: days * Self.day)
        let before = at.calendar.clock.nowMilliseconds() - Self.day
        return try await at.model.roomTransfers.replaceOwners(seenBefore: before).count
    }

    private static let day: Int64 = 86_400_000

    @Test func `the room of a banned owner stays theirs, and a ban that has ended by its time begins the absence`()
        async throws
    {
        let at = try await RoomFixture()
        let bob = try await at.account("bob")
        _ = try await at.membership.set(.cohost, for: bob, isGuest: false, in: at.room, by: at.ada)
        _ = try await at.model.accounts.ban(.id(at.ada), seconds: 10 * Self.day / 1_000, reason: nil, by: nil)
        #expect(try await replace(at, afterDays: 9) == 0)
        // The ban ends on the tenth day.
        #expect(try await replace(at, afterDays: 2) == 0)
        at.calendar.advance(milliseconds: 1)
        #expect(try await replace(at, afterDays: 0) == 1)
        #expect(try await owner(at) == bob)
        await at.model.close()
    }

    @Test func `an owner whose ban is lifted is absent from then on`() async throws {
        let at = try await RoomFixture()
        _ = try await at.model.accounts.ban(.id(at.ada), seconds: nil, reason: nil, by: nil)
        #expect(try await replace(at, afterDays: 9) == 0)
        _ = try await at.model.accounts.unban(.id(at.ada), by: nil)
        #expect(try await replace(at, afterDays: 0) == 0)
        #expect(try await replace(at, afterDays: 1) == 0)
        at.calendar.advance(milliseconds: 1)
        #expect(try await replace(at, afterDays: 0) == 1)
        // A ban that has ended by its time is lifted long after: that is no sign of the owner.
        let carl = try await at.account("carl")
        let room = try await at.model.rooms.create(RoomSettings(title: "Carl's"), owner: carl).id
        _ = try await at.model.accounts.ban(.id(carl), seconds: Self.day / 1_000, reason: nil, by: nil)
        at.calendar.advance(milliseconds: 3 * Self.day)
        _ = try await at.model.accounts.unban(.id(carl), by: nil)
        #expect(try await replace(at, afterDays: 0) == 1)
        #expect(try await at.model.rooms.room(room)?.closedMilliseconds != nil)
        await at.model.close()
    }

    @Test func `a room that cannot be changed keeps no other from its fate`() async throws {
        let at = try await RoomFixture()
        let all = [at.room, try await at.another("Second"), try await at.another("Third")]
        // SQLite refuses the change of one room, whichever comes first.
        try await at.execute(
            """
            CREATE TRIGGER broken BEFORE UPDATE ON rooms WHEN OLD.title = 'Second'
            BEGIN SELECT RAISE(ABORT, 'broken'); END
            """)
        #expect(try await replace(at, afterDays: 3) == 2)
        for room in all {
            #expect((try await at.model.rooms.room(room)?.closedMilliseconds != nil) == (room != all[1]))
        }
        try await at.execute("DROP TRIGGER broken")
        #expect(try await replace(at, afterDays: 0) == 1)
        await at.model.close()
    }

    @Test func `rooms that go with an account nobody has approved are told`() async throws {
        let at = try await RoomFixture()
        let events = EventList()
        at.model.accounts.onEvent { events.add($0) }
        try await at.execute("INSERT INTO waiting_accounts (uid, since_ms) VALUES (\(at.ada), 1)")
        at.calendar.advance(milliseconds: Accounts.waitingMilliseconds)
        #expect(try await at.model.accounts.removeUnapproved() == 1)
        #expect(try await at.model.rooms.room(at.room) == nil && events.removed == [at.room])
        await at.model.close()
    }

    @Test func `a closed room has neither covers nor an offer, however it was closed`() async throws {
        let at = try await RoomFixture()
        let bob = try await at.account("bob")
        let second = try await at.another("Second")
        for room in [at.room, second] {
            _ = try await at.model.roomTransfers.offer(room, to: .id(bob), by: at.ada)
            try await at.addCover(to: room)
        }
        _ = try await at.model.rooms.close(at.room)
        #expect(try await at.count("room_covers") == 1)
        #expect(try await at.count("room_transfers") == 1)
        #expect(try await at.model.roomTransfers.list(of: bob).map(\.room) == [second])
        #expect(await refusal { try await at.model.roomTransfers.accept(at.room, by: bob) } == .transferUnknown)
        #expect(try await replace(at, afterDays: 3) == 1)
        #expect(try await at.model.rooms.room(second)?.closedMilliseconds != nil)
        #expect(try await at.count("room_covers") == 0)
        #expect(try await at.count("room_transfers") == 0)
        await at.model.close()
    }

    @Test func `signing in and renewing tokens is being seen, once a day`() async throws {
        let at = try await RoomFixture()
        func seen() async throws -> Int64? {
            let beside = try await Model.look(at.folder)
            let time = try await beside.read { db in try db.first(SightingRecord.self, key: at.ada)?.seenMilliseconds }
            await beside.close()
            return time
        }
        let start = at.calendar.clock.nowMilliseconds()
        #expect(try await seen() == start)
        at.calendar.advance(milliseconds: SightingRecord.stepMilliseconds - 1)
        let grant = try await at.model.accounts.signIn("ada")
        #expect(try await seen() == start)
        at.calendar.advance(milliseconds: 1)
        _ = try await at.model.accounts.refresh(grant.refreshToken)
        #expect(try await seen() == start + SightingRecord.stepMilliseconds)
        await at.model.close()
    }
}

/// Collects the events of rooms whose owner has gone.
private final class EventList: Sendable {
    private let events = Monitor<[AccountEvent]>([])

    func add(_ event: AccountEvent) { events.withLock { $0.append(event) } }

    var moved: [RoomID] {
        events.withLock { events in
            events.flatMap { event -> [RoomID] in
                if case .roomsMoved(let moves) = event { moves.map(\.room.id) } else { [] }
            }.sorted { $0.rawValue < $1.rawValue }
        }
    }

    var removed: [RoomID] {
        events.withLock { events in
            events.flatMap { event -> [RoomID] in if case .roomsRemoved(let rooms) = event { rooms } else { [] } }
        }
    }
}
