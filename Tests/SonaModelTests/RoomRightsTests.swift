import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// What somebody may do in a room is decided where it is written, whatever was looked at before.
struct RoomRightsTests {
    private typealias Attempt = (name: String, make: @Sendable (RoomFixture, UserID, UserID) async throws -> Void)

    /// Everything that somebody does to others in a room, by the capability it needs.
    private static let moderating: [Attempt] = [
        ("kick", { at, actor, other in _ = try await at.membership.kick(other, from: at.room, by: actor) }),
        ("ban", { at, actor, other in _ = try await at.membership.ban(other, from: at.room, by: actor) }),
        ("unban", { at, actor, other in _ = try await at.membership.unban(other, in: at.room, by: actor) }),
        ("mute", { at, actor, other in _ = try await at.membership.mute(other, in: at.room, by: actor) }),
        ("unmute", { at, actor, other in _ = try await at.membership.unmute(other, in: at.room, by: actor) }),
        (
            "admit",
            { at, actor, _ in
                _ = try await at.membership.admit(RoomFixture.guest(), isGuest: true, to: at.room, by: actor)
            }
        ),
    ]
    private static let hosting: [Attempt] = [
        (
            "set",
            { at, actor, other in
                _ = try await at.membership.set(.moderator, for: other, isGuest: false, in: at.room, by: actor)
            }
        ),
        ("remove", { at, actor, other in _ = try await at.membership.remove(other, from: at.room, by: actor) }),
        ("invite", { at, actor, _ in _ = try await at.invites.create(for: at.room, by: actor) }),
        (
            "revoke",
            { at, actor, _ in
                let invite = try await at.invites.create(for: at.room, by: at.ada).invite.id
                _ = try await at.invites.revoke(invite, of: at.room, by: actor)
            }
        ),
    ]
    private static let managing: [Attempt] = [
        (
            "set cohost",
            { at, actor, other in
                _ = try await at.membership.set(.cohost, for: other, isGuest: false, in: at.room, by: actor)
            }
        ),
        (
            "invite cohost",
            { at, actor, _ in
                _ = try await at.invites.create(for: at.room, role: .cohost, by: actor)
            }
        ),
        (
            "revoke cohost",
            { at, actor, _ in
                let invite = try await at.invites.create(for: at.room, role: .cohost, by: at.ada).invite.id
                _ = try await at.invites.revoke(invite, of: at.room, by: actor)
            }
        ),
    ]

    @Test func `whoever lacks the capability when it is written is refused, and nothing is written`() async throws {
        let at = try await RoomFixture()
        let (bob, cyd) = (try await at.account("bob"), try await at.account("cyd"))
        let needs: [(Capability, [Attempt])] = [
            (.moderate, Self.moderating), (.host, Self.hosting), (.manage, Self.managing),
        ]
        let standings: [(Standing?, Set<Capability>)] = [
            (nil, []), (.member, []), (.moderator, [.moderate]), (.cohost, [.moderate, .host]),
        ]
        for (standing, may) in standings {
            for (capability, attempts) in needs {
                for attempt in attempts {
                    _ = try await at.membership.unban(cyd, in: at.room, by: nil)
                    _ = try await at.membership.remove(cyd, from: at.room, by: nil)
                    _ = try await at.membership.remove(bob, from: at.room, by: nil)
                    if let standing {
                        _ = try await at.membership.set(standing, for: bob, isGuest: false, in: at.room, by: nil)
                    }
                    let before = try await at.model.journal.page(limit: 1).first?.id
                    let error = await refusal { try await attempt.make(at, bob, cyd) }
                    let expected = may.contains(capability) ? nil : Refusal.forbidden(capability)
                    #expect(error == expected, "\(attempt.name) by \(String(describing: standing))")
                    if expected != nil { #expect(try await at.model.journal.page(limit: 1).first?.id == before) }
                }
            }
        }
        await at.model.close()
    }

    @Test func `nobody acts against their equal or better`() async throws {
        let at = try await RoomFixture()
        let (bob, cyd) = (try await at.account("bob"), try await at.account("cyd"))
        for uid in [bob, cyd] {
            _ = try await at.membership.set(.cohost, for: uid, isGuest: false, in: at.room, by: at.ada)
        }
        for attempt in Self.moderating.prefix(2) + Self.hosting.prefix(2) {
            #expect(await refusal { try await attempt.make(at, bob, cyd) } == .forbidden(nil), "\(attempt.name)")
        }
        // A moderator's rights end below a cohost's.
        _ = try await at.membership.set(.moderator, for: bob, isGuest: false, in: at.room, by: at.ada)
        #expect(await refusal { _ = try await at.membership.kick(cyd, from: at.room, by: bob) } == .forbidden(nil))
        await at.model.close()
    }

    /// Goal: of cohosts who put each other out at once, one stays. Way: fifteen times, at the same moment.
    @Test func `moderators who put each other out at once leave one of them`() async throws {
        let at = try await RoomFixture()
        let (bob, cyd) = (try await at.account("bob"), try await at.account("cyd"))
        for _ in 0..<15 {
            _ = try await at.membership.set(.cohost, for: bob, isGuest: false, in: at.room, by: nil)
            _ = try await at.membership.set(.moderator, for: cyd, isGuest: false, in: at.room, by: nil)
            async let demoted: Void = {
                _ = try await at.membership.remove(bob, from: at.room, by: at.ada)
            }()
            async let kick = refusal {
                try await at.membership.kick(cyd, from: at.room, by: bob)
            }
            let error = await kick
            try await demoted
            #expect(error == nil || error == .forbidden(.moderate))
            let isThere = try await at.membership.member(cyd, of: at.room) != nil
            #expect(isThere == (error != nil))
        }
        await at.model.close()
    }

    @Test func `who was muted, banned or silenced by the room's rule since they typed says nothing`() async throws {
        let at = try await RoomFixture()
        let bob = try await at.account("bob")
        let text = try ChatStore.Text("hello")
        let user = User(uid: bob, username: Username("bob"), isGuest: false)
        func say() async -> Refusal? {
            await refusal { try await at.chat.send(text, to: at.room, by: user) }
        }
        func edit() async -> Refusal? {
            await refusal {
                try await at.chat.edit(1, in: at.room, to: text, by: bob)
            }
        }
        #expect(await say() == nil)
        let until = at.calendar.clock.nowMilliseconds() + 60_000
        try await at.membership.mute(bob, in: at.room, until: until, by: at.ada)
        for error in [await say(), await edit()] { #expect(error == .muted(untilMilliseconds: until)) }
        at.calendar.advance(seconds: 60)
        #expect(await say() == nil)
        for (rule, expected) in [
            ("off", Refusal.chatOff), ("members", .forbidden(.chat)), ("moderators", .forbidden(.chat)),
        ] {
            try await at.execute("UPDATE rooms SET chat = \(rule)")
            for error in [await say(), await edit()] { #expect(error == expected) }
        }
        _ = try await at.membership.set(.moderator, for: bob, isGuest: false, in: at.room, by: at.ada)
        #expect(await say() == nil)
        try await at.execute("UPDATE rooms SET chat = 'everyone'")
        try await at.membership.ban(bob, from: at.room, reason: "Out.", by: at.ada)
        #expect(await say() == .banned(untilMilliseconds: nil, reason: "Out."))
        _ = try await at.membership.unban(bob, in: at.room, by: at.ada)
        _ = try await at.model.rooms.close(at.room)
        #expect(await say() == .roomClosed)
        #expect(
            await refusal {
                try await at.invites.create(for: at.room, by: at.ada)
            } == .roomClosed)
        await at.model.close()
    }

    @Test func `letting in somebody who has become more since they knocked takes nothing away`() async throws {
        let at = try await RoomFixture()
        let (bob, cyd) = (try await at.account("bob"), try await at.account("cyd"))
        _ = try await at.membership.set(.moderator, for: cyd, isGuest: false, in: at.room, by: at.ada)
        _ = try await at.membership.set(.cohost, for: bob, isGuest: false, in: at.room, by: at.ada)
        let member = try await at.membership.admit(bob, isGuest: false, to: at.room, by: cyd).member
        #expect(member.standing == .cohost)
        await at.model.close()
    }

    @Test func `a moderator deletes what those below them said, as long as they are one`() async throws {
        let at = try await RoomFixture()
        let (bob, cyd) = (try await at.account("bob"), try await at.account("cyd"))
        func say(_ uid: UserID, _ text: String) async throws {
            _ = try await at.chat.send(
                try ChatStore.Text(text), to: at.room, by: User(uid: uid, username: nil, isGuest: false))
        }
        for uid in [at.ada, cyd, cyd] { try await say(uid, "x") }
        func delete(_ id: Int64) async -> Refusal? {
            await refusal {
                try await at.chat.delete(id, in: at.room, by: bob, mayModerate: true)
            }
        }
        #expect(await delete(2) == .forbidden(.moderate))
        _ = try await at.membership.set(.moderator, for: bob, isGuest: false, in: at.room, by: at.ada)
        #expect(await delete(1) == .forbidden(nil))
        #expect(await delete(2) == nil)
        _ = try await at.membership.remove(bob, from: at.room, by: at.ada)
        #expect(await delete(3) == .forbidden(.moderate))
        await at.model.close()
    }
}
