import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

struct RoomInvitesTests {
    // MARK: Codes

    @Test func `a code is good for its room, and nothing that differs from it is`() async throws {
        let at = try await RoomFixture()
        let other = try await at.another()
        let made = try await at.invites.create(for: at.room, by: at.ada)
        let (invite, code) = (made.invite, made.code)
        #expect(code.utf8.count == 34 && code.hasPrefix(invite.id.rawValue))
        #expect(made.path == "/r/\(at.room)#\(code)")
        #expect(at.invites.verify(code, for: at.room) == invite.id)
        #expect(at.invites.verify(code, for: other) == nil)
        for place in code.indices {
            for replacement in ["A", "b", "_", "ä"] where String(code[place]) != replacement {
                let altered = code.replacingCharacters(at: place, with: replacement)
                #expect(at.invites.verify(altered, for: at.room) == nil, "\(altered)")
            }
        }
        let beginning = String(code.prefix(12))
        for bad in ["", beginning, code + "A", code + "=", String(code.dropLast()), " " + code, beginning + "\0"] {
            #expect(at.invites.verify(bad, for: at.room) == nil)
        }
        // A code of another server.
        #expect(at.invites.verify(InviteKey.random().code(invite.id, at.room), for: at.room) == nil)
        await at.model.close()
    }

    @Test func `codes outlive a restart, by a key that only its owner may read`() async throws {
        let at = try await RoomFixture()
        let made = try await at.invites.create(for: at.room, by: at.ada)
        let (invite, code) = (made.invite, made.code)
        await at.model.close()
        let key = at.folder.file("data/keys/invites.key")
        #expect(TemporaryFolder.mode(ofFile: key) == 0o600)
        #expect(TemporaryFolder.bytes(ofFile: key)?.count == InviteKey.bytes)
        let again = try await Model.opened(at.folder, at.calendar)
        #expect(again.roomStorage.invites.verify(code, for: at.room) == invite.id)
        #expect(try await again.roomStorage.invites.list(of: at.room) == [invite])
        await again.close()

        func refused(_ bytes: [UInt8], mode: UInt32 = 0o600) async -> Bool {
            TemporaryFolder.write(bytes, toFile: key, mode: mode)
            let error = await failure { () throws(ModelError) in try await Model.opened(at.folder, at.calendar) }
            guard case .keyUnreadable(key, _)? = error else { return false }
            return error?.sentence.contains("invites.key") == true
        }
        #expect(await refused([]))
        #expect(await refused(Array(repeating: 1, count: 31)))
        #expect(await refused(Array(repeating: 1, count: 33)))
        #expect(await refused(Array(repeating: 1, count: 32), mode: 0o640))
    }

    // MARK: Coming by one

    @Test func `an invite lets people in as what it says, each counted once`() async throws {
        let at = try await RoomFixture()
        let (bob, guest) = (try await at.account("bob"), RoomFixture.guest())
        let invite = try await at.invites.create(for: at.room, role: .vote, label: "Party", usesMax: 5, by: at.ada)
            .invite
        #expect(invite.createdBy == User(uid: at.ada, username: Username("ada"), isGuest: false))
        #expect(invite.expiresMilliseconds == invite.createdMilliseconds + 604_800_000 && invite.label == "Party")
        for (uid, isGuest) in [(bob, false), (guest, true), (bob, false), (guest, true)] {
            let (member, _, _) = try await at.invites.redeem(invite.id, to: at.room, uid: uid, isGuest: isGuest)
            #expect(member?.standing == .member && member?.role == .vote && member?.restsOnInvite == true)
            #expect(member?.user.isGuest == isGuest && member?.invite == invite.id)
        }
        #expect(try await at.invites.list(of: at.room).map(\.useCount) == [2])
        // The owner needs none and takes no use.
        let own = try await at.invites.redeem(invite.id, to: at.room, uid: at.ada, isGuest: false)
        #expect(own.member == nil && !own.isNew)
        #expect(try await at.invites.list(of: at.room).map(\.useCount) == [2])
        #expect(try await at.membership.members(of: at.room).count == 2)
        await at.model.close()
    }

    @Test func `the last use and the last moment count, and what comes after has its own reason`() async throws {
        let at = try await RoomFixture()
        let invite = try await at.invites.create(for: at.room, seconds: 60, usesMax: 2, by: at.ada).invite.id
        let (one, two, three) = (RoomFixture.guest(), RoomFixture.guest(), RoomFixture.guest())
        func redeem(_ uid: UserID, _ id: InviteID? = nil, in room: RoomID? = nil) async -> Refusal? {
            await refusal {
                try await at.invites.redeem(id ?? invite, to: room ?? at.room, uid: uid, isGuest: true)
            }
        }
        #expect(await redeem(one) == nil)
        at.calendar.advance(milliseconds: 59_999)
        #expect(await redeem(two) == nil)
        #expect(await redeem(three) == .inviteUsedUp)
        // Who was put out had their use, and needs no other.
        _ = try await at.membership.kick(two, from: at.room, by: at.ada)
        #expect(await redeem(two) == nil)
        _ = try await at.membership.kick(two, from: at.room, by: at.ada)
        at.calendar.advance(milliseconds: 1)
        #expect(await redeem(one) == nil)
        #expect(await redeem(two) == .inviteExpired)
        #expect(await redeem(three) == .inviteExpired)
        #expect(await redeem(three, InviteKey.newID()) == .inviteInvalid)
        #expect(await redeem(one, in: try await at.another()) == .inviteInvalid)
        _ = try await at.invites.revoke(invite, of: at.room, by: at.ada)
        #expect(await redeem(one) == .inviteRevoked)
        #expect(await redeem(three) == .inviteRevoked)
        #expect(
            [Refusal.inviteInvalid, .inviteExpired, .inviteUsedUp, .inviteRevoked].map(\.code)
                == [.inviteInvalid, .inviteExpired, .inviteUsedUp, .inviteRevoked])
        await at.model.close()
    }

    @Test func `who belongs to the room enters by an invite that has ended, and gets nothing by it`() async throws {
        let at = try await RoomFixture()
        let (bob, cyd, guest) = (try await at.account("bob"), try await at.account("cyd"), RoomFixture.guest())
        let ended = try await at.invites.create(for: at.room, role: .control, seconds: 60, by: at.ada).invite.id
        let full = try await at.invites.create(for: at.room, role: .control, usesMax: 1, by: at.ada).invite.id
        _ = try await at.invites.redeem(full, to: at.room, uid: bob, isGuest: false)
        _ = try await at.membership.set(.member, for: guest, isGuest: true, in: at.room, by: at.ada)
        let moderator = try await at.membership.set(
            .moderator, for: cyd, isGuest: false, in: at.room, by: at.ada
        ).member
        at.calendar.advance(seconds: 60)
        for id in [ended, full] {
            for (uid, isGuest) in [(cyd, false), (guest, true)] {
                let (member, isNew, _) = try await at.invites.redeem(id, to: at.room, uid: uid, isGuest: isGuest)
                #expect(!isNew && member?.invite == nil && member?.role == nil)
            }
        }
        #expect(try await at.membership.member(cyd, of: at.room) == moderator)
        #expect(Set(try await at.invites.list(of: at.room).map(\.useCount)) == [0, 1])
        await at.model.close()
    }

    @Test func `asking whether an invite is good writes nothing, and is refused as coming by it is`() async throws {
        let at = try await RoomFixture()
        let (bob, guest, barred) = (try await at.account("bob"), RoomFixture.guest(), RoomFixture.guest())
        let invite = try await at.invites.create(for: at.room, role: .cohost, seconds: 60, by: at.ada).invite.id
        try await at.membership.ban(barred, from: at.room, by: at.ada)
        func refused(_ uid: UserID, isGuest: Bool) async -> [Refusal?] {
            let checked = await refusal {
                try await at.invites.check(invite, to: at.room, uid: uid, isGuest: isGuest)
            }
            guard checked != nil else { return [nil] }
            let redeemed = await refusal {
                try await at.invites.redeem(invite, to: at.room, uid: uid, isGuest: isGuest)
            }
            return [checked, redeemed]
        }
        let banned = Refusal.banned(untilMilliseconds: nil, reason: nil)
        #expect(await refused(bob, isGuest: false) == [nil])
        #expect(await refused(guest, isGuest: true) == [.accountRequired, .accountRequired])
        #expect(await refused(barred, isGuest: true) == [banned, banned])
        // Each reason comes before the next.
        var update = RoomUpdate(room: .id(at.room))
        update.allowsGuests = false
        _ = try await at.model.rooms.update(at.room, update)
        #expect(Refusal.guestsNotAllowed.code == .roomGuestsNotAllowed)
        #expect(await refused(guest, isGuest: true) == [.guestsNotAllowed, .guestsNotAllowed])
        #expect(await refused(barred, isGuest: true) == [banned, banned])
        at.calendar.advance(seconds: 60)
        #expect(await refused(guest, isGuest: true) == [.inviteExpired, .inviteExpired])
        #expect(await refused(barred, isGuest: true) == [banned, banned])
        #expect(try await at.invites.list(of: at.room).map(\.useCount) == [0])
        #expect(try await at.membership.members(of: at.room) == [])
        await at.model.close()
    }

    @Test func `an invite makes co-hosts of accounts only`() async throws {
        let at = try await RoomFixture()
        let bob = try await at.account("bob")
        let invite = try await at.invites.create(for: at.room, role: .cohost, by: at.ada).invite.id
        func redeem(_ uid: UserID, isGuest: Bool) async -> Refusal? {
            await refusal {
                try await at.invites.redeem(invite, to: at.room, uid: uid, isGuest: isGuest)
            }
        }
        #expect(await redeem(RoomFixture.guest(), isGuest: true) == .accountRequired)
        #expect(await redeem(RoomFixture.guest(), isGuest: false) == .userUnknown)
        #expect(await redeem(bob, isGuest: false) == nil)
        #expect(try await at.membership.member(bob, of: at.room)?.standing == .cohost)
        // Brought down by hand, they are not brought up again by the link.
        let member = try await at.membership.set(.member, for: bob, isGuest: false, in: at.room, by: at.ada).member
        #expect(member.standing == .member && member.role == nil && member.invite == nil && !member.restsOnInvite)
        #expect(await redeem(bob, isGuest: false) == nil)
        #expect(try await at.membership.member(bob, of: at.room) == member)
        #expect(try await at.invites.revoke(invite, of: at.room, by: at.ada).removed == [])
        await at.model.close()
    }

    /// Goal: `uses_max` is decided where there is one writer. Way: 200 people at once, ten places; then all again.
    @Test func `of two hundred who come at once by an invite for ten, ten pass`() async throws {
        let at = try await RoomFixture()
        let invite = try await at.invites.create(for: at.room, usesMax: 10, by: at.ada).invite.id
        let guests = (0..<200).map { _ in RoomFixture.guest() }
        func round() async -> [UserID: Refusal?] {
            await withTaskGroup(of: (UserID, Refusal?).self) { group in
                for guest in guests {
                    group.addTask {
                        let error = await refusal {
                            try await at.invites.redeem(invite, to: at.room, uid: guest, isGuest: true)
                        }
                        return (guest, error)
                    }
                }
                var results: [UserID: Refusal?] = [:]
                for await (guest, error) in group { results[guest] = .some(error) }
                return results
            }
        }
        let first = await round()
        let passed = Set(first.filter { $0.value == nil }.keys)
        #expect(passed.count == 10)
        #expect(first.values.compactMap { $0 } == Array(repeating: .inviteUsedUp, count: 190))
        #expect(Set(try await at.membership.members(of: at.room).map(\.user.uid)) == passed)
        #expect(try await at.invites.list(of: at.room).map(\.useCount) == [10])
        let second = await round()
        #expect(Set(second.filter { $0.value == nil }.keys) == passed)
        #expect(try await at.invites.list(of: at.room).map(\.useCount) == [10])
        await at.model.close()
    }

    // MARK: Making and revoking

    @Test func `a revoked invite takes with it who rests on it alone`() async throws {
        let at = try await RoomFixture()
        func make(_ role: InviteRole) async throws -> InviteID {
            try await at.invites.create(for: at.room, role: role, by: at.ada).invite.id
        }
        let (first, second, third) = (try await make(.control), try await make(.suggest), try await make(.cohost))
        let guest = RoomFixture.guest()
        let (bob, cyd, dan) = (try await at.account("bob"), try await at.account("cyd"), try await at.account("dan"))
        func redeem(_ id: InviteID, _ uid: UserID, isGuest: Bool = false) async throws -> MembershipStore.Member? {
            try await at.invites.redeem(id, to: at.room, uid: uid, isGuest: isGuest).member
        }
        _ = try await redeem(first, guest, isGuest: true)
        // Bob has two, of which the better counts; the lesser takes nothing away.
        #expect(try await redeem(first, bob)?.role == .control)
        #expect(try await redeem(second, bob)?.role == .control)
        // Cyd was let in by hand, and an invite adds to it.
        _ = try await at.membership.set(.moderator, for: cyd, isGuest: false, in: at.room, by: at.ada)
        let cydNow = try await redeem(first, cyd)
        #expect(cydNow?.standing == .moderator && cydNow?.role == .control && cydNow?.restsOnInvite == false)
        #expect(try await redeem(third, dan)?.standing == .cohost)

        let (removed, changed, _) = try await at.invites.revoke(first, of: at.room, by: at.ada)
        let revoked: SQL = "id = \(first) AND revoked_ms = \(at.calendar.clock.nowMilliseconds()) AND uses = 3"
        #expect(try await at.count("room_invites", where: revoked) == 1)
        #expect(try await at.invites.list(of: at.room).filter(\.isRevoked).map(\.id) == [first])
        #expect(removed.map(\.user) == [User(uid: guest, username: nil, isGuest: true)])
        #expect(
            Set(changed.map { "\($0.user.uid) \($0.standing) \(String(describing: $0.role?.rawValue))" }) == [
                "\(bob) member \(String(describing: Optional("suggest")))",
                "\(cyd) moderator \(String(describing: String?.none))",
            ])
        #expect(try await at.membership.member(guest, of: at.room) == nil)
        #expect(try await at.membership.member(bob, of: at.room)?.invite == second)
        // Again: nobody rests on it any more.
        at.calendar.advance(seconds: 1)
        let again = try await at.invites.revoke(first, of: at.room, by: at.ada)
        #expect(again.removed == [] && again.changed == [])
        #expect(try await at.count("room_invites", where: revoked) == 1)
        #expect(try await at.invites.revoke(second, of: at.room, by: at.ada).removed.map(\.user.uid) == [bob])
        #expect(try await at.invites.revoke(third, of: at.room, by: at.ada).removed.map(\.user.uid) == [dan])
        #expect(Set(try await at.membership.members(of: at.room).map(\.user.uid)) == [cyd])
        // Whom it made a co-host is told in the journal, and who was put out.
        let detail = { (from: String, to: String) in #"{"from":"\#(from)","room":"\#(at.room)","to":"\#(to)"}"# }
        #expect(
            try await at.lines(dan) == [
                "room_standing \(dan) \(detail("listener", "cohost"))",
                "room_standing \(at.ada) \(detail("cohost", "listener"))",
            ])
        #expect(try await at.lines(guest) == [])
        let told = try await at.model.journal.page(kind: .roomInviteRevoked, subject: at.room.rawValue)
        #expect(
            told.reversed().map(\.detail)
                == [(first, 1), (second, 1), (third, 1)].map { #"{"invite":"\#($0)","removed":\#($1)}"# })
        let other = try await at.another()
        #expect(
            await refusal {
                try await at.invites.revoke(first, of: other, by: at.ada)
            }
                == .inviteInvalid)
        await at.model.close()
    }

    @Test func `bounds of an invite hold, and the one past each does not`() async throws {
        let at = try await RoomFixture()
        func refused(
            seconds: Int64 = 600, uses: Int? = nil, label: String? = nil, in room: RoomID? = nil, by: UserID? = nil
        ) async -> Refusal? {
            await refusal {
                try await at.invites.create(
                    for: room ?? at.room, label: label, seconds: seconds, usesMax: uses, by: by ?? at.ada)
            }
        }
        for (seconds, error) in [(60, nil), (7_776_000, nil), (59, .invalid), (7_776_001, .invalid), (.max, .invalid)]
            as [(Int64, Refusal?)]
        {
            #expect(await refused(seconds: seconds) == error, "\(seconds)")
        }
        for (uses, error) in [(1, nil), (100_000, nil), (0, .invalid), (100_001, .invalid)]
            as [(Int, Refusal?)]
        {
            #expect(await refused(uses: uses) == error, "\(uses)")
        }
        #expect(await refused(label: String(repeating: "é", count: 30)) == nil)
        #expect(await refused(label: String(repeating: "é", count: 30) + "x") == .invalid)
        #expect(await refused(label: "") == .invalid)
        #expect(await refused(in: RoomFixture.noRoom()) == .roomUnknown)
        #expect(await refused(by: RoomFixture.guest()) == .userUnknown)
        await at.model.close()
    }

    @Test func `a room has two hundred live invites; revoked, expired and used up ones don't count`() async throws {
        let at = try await RoomFixture()
        var made: [InviteID] = []
        func create(seconds: Int64 = 6_000, uses: Int? = nil) async throws(Refusal) -> InviteID {
            try await at.invites.create(for: at.room, seconds: seconds, usesMax: uses, by: at.ada).invite.id
        }
        func isFull() async -> Bool {
            await refusal { try await create() } == .limitReached
        }
        made.append(try await create(uses: 1))
        made.append(try await create(seconds: 60))
        for _ in 2..<Limits.invitesPerRoomMax { made.append(try await create()) }
        #expect(await isFull())
        _ = try await at.invites.create(for: try await at.another(), by: at.ada)
        _ = try await at.invites.revoke(made[5], of: at.room, by: at.ada)
        #expect(await !isFull())
        #expect(await isFull())
        _ = try await at.invites.redeem(made[0], to: at.room, uid: RoomFixture.guest(), isGuest: true)
        #expect(await !isFull())
        #expect(await isFull())
        at.calendar.advance(seconds: 60)
        #expect(await !isFull())
        #expect(await isFull())
        let list = try await at.invites.list(of: at.room, limit: 1_000)
        #expect(list.count == 203)
        #expect(Set(list.suffix(3).map(\.id)) == [made[0], made[1], made[5]])
        #expect(try await at.invites.list(of: at.room, limit: 200).allSatisfy { !$0.isRevoked })
        await at.model.close()
    }

    /// Goal: making and revoking without end fills no disk. Way: more ended ones than are kept, one of them in use.
    @Test func `of invites that have ended a thousand are kept, and those by which somebody is here`() async throws {
        let at = try await RoomFixture()
        let used = try await at.invites.create(for: at.room, usesMax: 1, by: at.ada).invite.id
        let guest = RoomFixture.guest()
        _ = try await at.invites.redeem(used, to: at.room, uid: guest, isGuest: true)
        let now = at.calendar.clock.nowMilliseconds()
        try await at.execute(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
            INSERT INTO room_invites (id, room_id, role, created_ms, expires_ms, uses, revoked_ms)
            SELECT printf('dead%08d', i), \(at.room), 'listen', \(now) + i, \(now) + i + 1000, 0, 5 FROM n
            """)
        _ = try await at.invites.create(for: at.room, by: at.ada)
        #expect(try await at.count("room_invites") == 1_002)
        #expect(try await at.invites.revoke(used, of: at.room, by: at.ada).removed.map(\.user.uid) == [guest])
        await at.model.close()
    }
}

extension String {
    fileprivate func replacingCharacters(at place: Index, with text: String) -> String {
        String(self[..<place]) + text + self[index(after: place)...]
    }
}
