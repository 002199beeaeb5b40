import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

struct RoomBansTests {
    @Test func `a ban holds until its moment, and is told with who gave it`() async throws {
        let at = try await RoomFixture()
        let bob = try await at.account("bob")
        _ = try await at.membership.set(.moderator, for: bob, isGuest: false, in: at.room, by: at.ada)
        let until = at.calendar.clock.nowMilliseconds() + 1_000
        let (ban, member, _) = try await at.membership.ban(
            bob, from: at.room, until: until, reason: "Noise.", by: at.ada)
        #expect(member?.standing == .moderator)
        #expect(ban.user == User(uid: bob, username: Username("bob"), isGuest: false) && ban.reason == "Noise.")
        #expect(ban.by == User(uid: at.ada, username: Username("ada"), isGuest: false))
        #expect(try await at.count("room_bans", where: "invite_id IS NULL") == 1)
        #expect(try await at.membership.members(of: at.room) == [])
        #expect(try await at.membership.bans(in: at.room) == [ban])
        #expect(try await at.membership.bans(in: at.room, after: nil, limit: 5).bans == [ban])
        at.calendar.advance(milliseconds: 999)
        #expect(try await at.membership.ban(of: bob, isGuest: false, in: at.room) == ban)
        at.calendar.advance(milliseconds: 1)
        #expect(try await at.membership.ban(of: bob, isGuest: false, in: at.room) == nil)
        #expect(try await at.membership.bans(in: at.room) == [])
        #expect(try await at.membership.bans(in: at.room, after: nil, limit: 5).bans == [])
        // One that has ended is none to be lifted.
        #expect(try await at.membership.unban(bob, in: at.room, by: at.ada).held == false)
        // A reason may name anybody: the journal, which nothing is taken out of, has none.
        #expect(
            try await at.lines(bob).last
                == #"room_banned \#(at.ada) {"room":"\#(at.room)","until_ms":\#(until)}"#)
        await at.model.close()
    }

    @Test func `a second ban replaces the first, and unban lifts it`() async throws {
        let at = try await RoomFixture()
        let bob = try await at.account("bob")
        try await at.membership.ban(bob, from: at.room, until: .max - 1, reason: "One.", by: at.ada)
        let ban = try await at.membership.ban(bob, from: at.room, by: nil).ban
        #expect(ban.untilMilliseconds == nil && ban.reason == nil && ban.by == nil)
        #expect(try await at.membership.bans(in: at.room) == [ban])
        #expect(try await at.membership.unban(bob, in: at.room, by: at.ada).held)
        #expect(try await at.membership.bans(in: at.room) == [])
        #expect(
            try await at.lines(bob).map { String($0.prefix { $0 != " " }) } == [
                "room_banned", "room_banned", "room_unbanned",
            ])
        await at.model.close()
    }

    @Test func `what can't be a ban is refused and leaves nothing`() async throws {
        let at = try await RoomFixture()
        let bob = try await at.account("bob")
        func refused(
            _ uid: UserID, until: Int64? = nil, reason: String? = nil, in room: RoomID? = nil
        ) async -> Refusal? {
            await refusal {
                try await at.membership.ban(uid, from: room ?? at.room, until: until, reason: reason, by: at.ada)
            }
        }
        let now = at.calendar.clock.nowMilliseconds()
        #expect(await refused(at.ada) == .invalid)
        #expect(await refused(bob, until: now) == .invalid)
        #expect(await refused(bob, reason: "") == .invalid)
        #expect(await refused(bob, reason: String(repeating: "x", count: 201)) == .invalid)
        #expect(await refused(bob, in: RoomFixture.noRoom()) == .roomUnknown)
        #expect(try await at.lines(bob) == [])
        #expect(await refused(bob, until: now + 1, reason: String(repeating: "x", count: 200)) == nil)
        await at.model.close()
    }

    @Test func `the ban of a guest holds for the next guest of the same invite`() async throws {
        let at = try await RoomFixture()
        let (one, two, three) = (RoomFixture.guest(), RoomFixture.guest(), RoomFixture.guest())
        let bad = try await at.invites.create(for: at.room, by: at.ada).invite.id
        let good = try await at.invites.create(for: at.room, by: at.ada).invite.id
        func redeem(_ invite: InviteID, _ uid: UserID, isGuest: Bool = true) async -> Refusal? {
            await refusal {
                try await at.invites.redeem(invite, to: at.room, uid: uid, isGuest: isGuest)
            }
        }
        #expect(await redeem(bad, one) == nil)
        #expect(await redeem(bad, two) == nil)
        let until = at.calendar.clock.nowMilliseconds() + 60_000
        let ban = try await at.membership.ban(one, from: at.room, until: until, reason: "Out.", by: at.ada).ban
        #expect(ban.user.isGuest)
        #expect(try await at.count("room_bans", where: "uid = \(one) AND invite_id = \(bad)") == 1)
        let banned = Refusal.banned(untilMilliseconds: until, reason: "Out.")
        #expect(await redeem(bad, one) == banned)
        #expect(await redeem(bad, three) == banned)
        #expect(try await at.membership.ban(of: three, isGuest: true, by: bad, in: at.room) == ban)
        #expect(try await at.membership.ban(of: three, isGuest: true, by: good, in: at.room) == nil)
        // Who came before, by another one, or with an account, is somebody else.
        #expect(await redeem(bad, two) == nil)
        #expect(try await at.membership.ban(of: two, isGuest: true, by: bad, in: at.room) == nil)
        #expect(await redeem(good, three) == nil)
        #expect(await redeem(bad, try await at.account("bob"), isGuest: false) == nil)
        #expect(try await at.invites.list(of: at.room).first { $0.id == bad }?.useCount == 3)
        // With the ban its shadow ends.
        at.calendar.advance(seconds: 60)
        #expect(await redeem(bad, RoomFixture.guest()) == nil)
        #expect(await redeem(bad, one) == nil)
        await at.model.close()
    }

    @Test func `a guest who was kicked first is banned with the invite they came by`() async throws {
        let at = try await RoomFixture()
        let guest = RoomFixture.guest()
        let invite = try await at.invites.create(for: at.room, by: at.ada).invite.id
        _ = try await at.invites.redeem(invite, to: at.room, uid: guest, isGuest: true)
        _ = try await at.membership.kick(guest, from: at.room, by: at.ada)
        try await at.membership.ban(guest, from: at.room, by: at.ada)
        #expect(try await at.count("room_bans", where: "uid = \(guest) AND invite_id = \(invite)") == 1)
        // An account too: it would come again as a guest.
        let bob = try await at.account("bob")
        let other = try await at.invites.create(for: at.room, by: at.ada).invite.id
        _ = try await at.invites.redeem(other, to: at.room, uid: bob, isGuest: false)
        try await at.membership.ban(bob, from: at.room, by: at.ada)
        #expect(try await at.count("room_bans", where: "uid = \(bob) AND invite_id = \(other)") == 1)
        await at.model.close()
    }

    @Test func `a room has five thousand bans and mutes; what has ended makes room`() async throws {
        let at = try await RoomFixture()
        let now = at.calendar.clock.nowMilliseconds()
        try await at.execute(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4999)
            INSERT INTO room_bans (room_id, uid, is_guest, until_ms, created_ms)
            SELECT \(at.room), 'b' || i, 1, \(now + 1_000), i FROM n
            """,
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4999)
            INSERT INTO room_mutes (room_id, uid, is_guest, until_ms, created_ms)
            SELECT \(at.room), 'b' || i, 1, \(now + 1_000), i FROM n
            """)
        let (last, more) = (RoomFixture.guest(), RoomFixture.guest())
        func ban(_ uid: UserID) async -> Refusal? {
            await refusal {
                try await at.membership.ban(uid, from: at.room, by: at.ada)
            }
        }
        func mute(_ uid: UserID) async -> Refusal? {
            await refusal {
                try await at.membership.mute(uid, in: at.room, by: at.ada)
            }
        }
        for act in [ban, mute] {
            #expect(await act(last) == nil)
            #expect(await act(more) == .limitReached)
            #expect(await act(last) == nil)
        }
        #expect(try await at.membership.bans(in: at.room).count == MembershipStore.bansMax)
        #expect(try await at.membership.mutes(in: at.room).count == MembershipStore.bansMax)
        at.calendar.advance(seconds: 1)
        #expect(await ban(more) == nil)
        #expect(await mute(more) == nil)
        #expect(try await at.count("room_bans") == 2)
        #expect(try await at.count("room_mutes") == 2)
        await at.model.close()
    }

    @Test func `pages of bans follow one another without a gap`() async throws {
        let at = try await RoomFixture()
        for number in 0..<6 {
            if number % 2 == 0 { at.calendar.advance(seconds: 1) }
            try await at.membership.ban(RoomFixture.guest(), from: at.room, by: at.ada)
        }
        let all = Set(try await at.membership.bans(in: at.room).map(\.user.uid))
        for limit in [1, 4, 6, 7] {
            var found: [RoomBanned] = []
            var cursor: PageCursor?
            repeat {
                let page = try await at.membership.bans(in: at.room, after: cursor, limit: limit)
                found += page.bans
                cursor = page.next
            } while cursor != nil && found.count < 6
            #expect(found.count == 6 && Set(found.map(\.user.uid)) == all)
        }
        await at.model.close()
    }

    @Test func `a mute holds until its moment, and is lifted once`() async throws {
        let at = try await RoomFixture()
        let (bob, guest) = (try await at.account("bob"), RoomFixture.guest())
        let until = at.calendar.clock.nowMilliseconds() + 1_000
        try await at.membership.mute(bob, in: at.room, by: at.ada)
        try await at.membership.mute(guest, in: at.room, until: until, by: at.ada)
        #expect(
            Set(try await at.membership.mutes(in: at.room).map { "\($0.uid) \($0.untilMilliseconds ?? 0)" })
                == ["\(bob) 0", "\(guest) \(until)"])
        at.calendar.advance(seconds: 1)
        #expect(try await at.membership.mutes(in: at.room).map(\.uid) == [bob])
        #expect(try await at.membership.unmute(guest, in: at.room, by: at.ada).held == false)
        #expect(try await at.membership.unmute(bob, in: at.room, by: at.ada).held)
        #expect(try await at.membership.unmute(bob, in: at.room, by: at.ada).held == false)
        #expect(
            await refusal {
                try await at.membership.mute(at.ada, in: at.room, by: at.ada)
            } == .invalid)
        #expect(try await at.lines(bob).map { String($0.prefix { $0 != " " }) } == ["room_muted", "room_unmuted"])
        await at.model.close()
    }
}
