import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

struct RoomMembershipTests {
    @Test func `a standing is given, changed and taken away, each told in the journal with it`() async throws {
        let at = try await RoomFixture()
        let bob = try await at.account("bob")
        let given = try await at.membership.set(.moderator, for: bob, isGuest: false, in: at.room, by: at.ada).member
        #expect(given.standing == .moderator && given.user.username?.rawValue == "bob" && !given.user.isGuest)
        #expect(!given.restsOnInvite && given.invite == nil && given.role == nil)
        #expect(given.sinceMilliseconds == 1_800_000_000_000)
        at.calendar.advance(seconds: 5)
        let raised = try await at.membership.set(.cohost, for: bob, isGuest: false, in: at.room, by: at.ada).member
        #expect(raised.standing == .cohost && raised.sinceMilliseconds == given.sinceMilliseconds)
        #expect(try await at.membership.member(bob, of: at.room) == raised)
        // What changes nothing is no line.
        _ = try await at.membership.set(.cohost, for: bob, isGuest: false, in: at.room, by: at.ada)
        #expect(try await at.membership.remove(bob, from: at.room, by: at.ada).member == raised)
        #expect(try await at.membership.remove(bob, from: at.room, by: at.ada).member == nil)
        #expect(try await at.membership.member(bob, of: at.room) == nil)
        let room = at.room.rawValue
        #expect(
            try await at.lines(bob) == [
                #"room_standing \#(at.ada) {"from":"listener","room":"\#(room)","to":"moderator"}"#,
                #"room_standing \#(at.ada) {"from":"moderator","room":"\#(room)","to":"cohost"}"#,
                #"room_standing \#(at.ada) {"from":"cohost","room":"\#(room)","to":"listener"}"#,
            ])
        #expect(try await at.model.journal.verify().reason == nil)
        await at.model.close()
    }

    @Test func `letting guests in is no line, putting them out is, leaving is none`() async throws {
        let at = try await RoomFixture()
        let (one, two) = (RoomFixture.guest(), RoomFixture.guest())
        for guest in [one, two] {
            let member = try await at.membership.set(.member, for: guest, isGuest: true, in: at.room, by: at.ada).member
            #expect(member.user == User(uid: guest, username: nil, isGuest: true) && member.standing == .member)
        }
        #expect(try await at.lines(one) == [])
        _ = try await at.membership.remove(one, from: at.room, by: at.ada)
        _ = try await at.membership.remove(two, from: at.room, by: two)
        #expect(try await at.lines(one).count == 1)
        #expect(try await at.lines(two) == [])
        await at.model.close()
    }

    @Test func `each change of what a room remembers has a larger number than those before`() async throws {
        let at = try await RoomFixture()
        let bob = try await at.account("bob")
        let invite = try await at.invites.create(for: at.room, by: at.ada).invite.id
        _ = try await at.chat.send(
            try ChatStore.Text("one"), to: at.room, by: User(uid: bob, username: nil, isGuest: false))
        let orders = [
            try await at.invites.redeem(invite, to: at.room, uid: bob, isGuest: false).changeNumber,
            try await at.membership.set(.moderator, for: bob, isGuest: false, in: at.room, by: at.ada).changeNumber,
            try await at.membership.remove(bob, from: at.room, by: at.ada).changeNumber,
            try await at.membership.remove(bob, from: at.room, by: at.ada).changeNumber,
            try await at.membership.kick(bob, from: at.room, by: at.ada).changeNumber,
            try await at.membership.mute(bob, in: at.room, by: at.ada),
            try await at.membership.unmute(bob, in: at.room, by: at.ada).changeNumber,
            try await at.membership.unmute(bob, in: at.room, by: at.ada).changeNumber,
            try await at.chat.edit(1, in: at.room, to: try ChatStore.Text("two"), by: bob).changeNumber,
            try await at.chat.delete(1, in: at.room, by: bob, mayModerate: false).changeNumber,
            try await at.membership.ban(bob, from: at.room, by: at.ada).changeNumber,
            try await at.membership.unban(bob, in: at.room, by: at.ada).changeNumber,
            try await at.invites.revoke(invite, of: at.room, by: at.ada).changeNumber,
        ]
        #expect(orders == orders.sorted() && Set(orders).count == orders.count)
        await at.model.close()
    }

    @Test func `who can't have a standing is refused, each with its reason`() async throws {
        let at = try await RoomFixture()
        let bob = try await at.account("bob")
        func refused(
            _ standing: Standing, _ uid: UserID, isGuest: Bool = false, in room: RoomID? = nil
        ) async -> Refusal? {
            await refusal {
                try await at.membership.set(standing, for: uid, isGuest: isGuest, in: room ?? at.room, by: at.ada)
            }
        }
        #expect(await refused(.member, at.ada) == .invalid)
        // Nobody is made the owner, and a listener's standing is that they have none.
        #expect(await refused(.owner, bob) == .invalid)
        #expect(await refused(.listener, bob) == .invalid)
        #expect(await refused(.member, RoomFixture.guest()) == .userUnknown)
        #expect(await refused(.moderator, RoomFixture.guest(), isGuest: true) == .accountRequired)
        #expect(await refused(.cohost, RoomFixture.guest(), isGuest: true) == .accountRequired)
        #expect(await refused(.member, bob, in: RoomFixture.noRoom()) == .roomUnknown)
        // An account is one, whatever an old token says.
        #expect(await refused(.moderator, bob, isGuest: true) == nil)
        #expect(try await at.membership.member(bob, of: at.room)?.user.isGuest == false)
        try await at.membership.ban(bob, from: at.room, by: at.ada)
        #expect(await refused(.member, bob) == .banned(untilMilliseconds: nil, reason: nil))
        #expect(Refusal.banned(untilMilliseconds: nil, reason: nil).code == .roomBanned)
        await at.model.close()
    }

    @Test func `a kick takes the standing and lets them come back`() async throws {
        let at = try await RoomFixture()
        let bob = try await at.account("bob")
        _ = try await at.membership.set(.member, for: bob, isGuest: false, in: at.room, by: at.ada)
        #expect(try await at.membership.kick(bob, from: at.room, by: at.ada).member?.standing == .member)
        // A listener has nothing to lose, and is put out all the same.
        #expect(try await at.membership.kick(bob, from: at.room, by: nil).member == nil)
        #expect(try await at.membership.members(of: at.room) == [])
        let detail = #"{"room":"\#(at.room)"}"#
        #expect(try await at.lines(bob) == ["room_kicked \(at.ada) \(detail)", "room_kicked - \(detail)"])
        #expect(
            await refusal {
                try await at.membership.kick(at.ada, from: at.room, by: bob)
            } == .invalid)
        #expect(
            await refusal {
                try await at.membership.kick(bob, from: RoomFixture.noRoom(), by: at.ada)
            } == .roomUnknown)
        _ = try await at.membership.set(.member, for: bob, isGuest: false, in: at.room, by: at.ada)
        await at.model.close()
    }

    @Test func `pages of members follow one another without a gap, with what they show of themselves`() async throws {
        let at = try await RoomFixture()
        var uids: [UserID] = []
        for number in 0..<7 {
            let uid = number == 3 ? RoomFixture.guest() : try await at.account("user\(number)")
            _ = try await at.membership.set(.member, for: uid, isGuest: number == 3, in: at.room, by: at.ada)
            uids.append(uid)
            // Two in one millisecond: the identifier has to decide.
            if number != 4 { at.calendar.advance(seconds: 1) }
        }
        _ = try await at.model.people.update(ProfileUpdate(displayName: "Six", isPublic: true), of: uids[6])
        for limit in [1, 2, 3, 7, 100] {
            var found: [MembershipStore.Member] = []
            var cursor: PageCursor?
            repeat {
                let page = try await at.membership.page(of: at.room, after: cursor, limit: limit)
                #expect(page.members.count <= limit && !page.members.isEmpty)
                found += page.members.map(\.member)
                cursor = page.next.flatMap { PageCursor($0.text) }
                #expect((page.next == nil) == (found.count == 7))
            } while cursor != nil && found.count < 7
            #expect(found.count == 7 && Set(found.map(\.user.uid)) == Set(uids))
            #expect(found.map(\.sinceMilliseconds) == found.map(\.sinceMilliseconds).sorted(by: >))
        }
        let first = try await at.membership.page(of: at.room, limit: 100).members
        #expect(first[0].card == UserCard(user: first[0].member.user, displayName: "Six", photo: nil))
        #expect(first.contains { $0.card.user == User(uid: uids[3], username: nil, isGuest: true) })
        #expect(Set(try await at.membership.members(of: at.room).map(\.user.uid)) == Set(uids))
        await at.model.close()
    }

    @Test func `a room has ten thousand members and not one more`() async throws {
        let at = try await RoomFixture()
        try await at.execute(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9999)
            INSERT INTO room_members (room_id, uid, standing, given, is_guest, since_ms)
            SELECT \(at.room), 'm' || i, 'member', 'member', 1, i FROM n
            """)
        let (last, more) = (RoomFixture.guest(), RoomFixture.guest())
        _ = try await at.membership.set(.member, for: last, isGuest: true, in: at.room, by: at.ada)
        #expect(try await at.membership.members(of: at.room).count == MembershipStore.membersMax)
        #expect(
            await refusal {
                try await at.membership.set(.member, for: more, isGuest: true, in: at.room, by: at.ada)
            } == .limitReached)
        // Who is in already can be changed, and another room has places of its own.
        _ = try await at.membership.set(.member, for: last, isGuest: true, in: at.room, by: at.ada)
        _ = try await at.membership.set(.member, for: more, isGuest: true, in: try await at.another(), by: at.ada)
        // By an invite there is no place either, and no use is counted.
        let invite = try await at.invites.create(for: at.room, by: at.ada).invite
        #expect(
            await refusal {
                try await at.invites.redeem(invite.id, to: at.room, uid: more, isGuest: true)
            } == .limitReached)
        #expect(try await at.invites.list(of: at.room).map(\.useCount) == [0])
        await at.model.close()
    }
}
