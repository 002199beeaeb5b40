import SonaWire
import Testing

@Suite struct MembershipMessageTests {
    @Test func `every request of joining encodes and decodes to itself`() throws {
        let room = RoomReference.id(try Samples.roomID)
        let user = try Samples.reference
        try roundTrip(RoomJoin(room: room, wantsAudio: false, invite: "i1.abc", isGhost: true))
        try roundTrip(InviteCreate(room: room))
        try roundTrip(
            InviteCreate(room: room, role: .cohost, expiresInSeconds: 60, useCountMax: 100_000, label: "Friday"))
        try roundTrip(InviteList(room: room))
        try roundTrip(InviteRevoke(room: room, invite: try Samples.inviteID))
        try roundTrip(RoomWaiting(room: room))
        try roundTrip(RoomAdmit(room: room, user: user))
        try roundTrip(RoomDeny(room: room, user: user))
    }

    @Test func `every request about roles encodes and decodes to itself`() throws {
        let room = RoomReference.id(try Samples.roomID)
        let user = try Samples.reference
        try roundTrip(
            RoomUpdate(room: room, hasWaitingRoom: true, chatRule: .moderators, slowModeSeconds: 3_600))
        try roundTrip(RoomMembers())
        try roundTrip(RoomMembers(room: room, includesAbsent: true, limit: 100, cursor: "c"))
        for standing in Standing.allCases where standing != .owner {
            try roundTrip(RoomSetStanding(room: room, user: user, standing: standing))
        }
        try roundTrip(RoomKick(room: room, user: user))
        try roundTrip(RoomKick(room: room, user: user, reason: "Noise."))
        try roundTrip(RoomBan(room: room, user: user))
        try roundTrip(RoomBan(room: room, user: user, seconds: 1, reason: "Noise."))
        try roundTrip(RoomUnban(room: room, user: user))
        try roundTrip(RoomBans(room: room, limit: 1, cursor: "c"))
        try roundTrip(RoomMute(room: room, user: user))
        try roundTrip(RoomMute(room: room, user: user, seconds: 300))
        try roundTrip(RoomUnmute(room: room, user: user))
        try roundTrip(HostRequest())
        try roundTrip(HostOffer(user: user))
        try roundTrip(HostTakeBack())
    }

    @Test func `every answer about joining and roles encodes and decodes to itself`() throws {
        let user = try Samples.user
        let card = UserCard(user: user, displayName: "Ada")
        let invite = Invite(
            id: try Samples.inviteID, role: .vote, label: "Friday", createdMilliseconds: 1, expiresMilliseconds: 2,
            useCount: 3, useCountMax: 10, isRevoked: true, createdBy: user)
        let plain = Invite(
            id: try Samples.inviteID, role: .listen, createdMilliseconds: 1, expiresMilliseconds: 2, createdBy: user)
        try roundTrip(InviteCreated(invite: invite, code: "c", path: Invite.path(room: try Samples.roomID, code: "c")))
        try roundTrip(InviteListResult(invites: [invite, plain]))
        try roundTrip(RoomWaitingResult(users: [card]))
        let member = RoomMember(
            user: card, standing: .moderator, isHost: true, mutedUntilMilliseconds: Limits.integerMax,
            joinedMilliseconds: 5)
        let absent = RoomMember(user: card, standing: .cohost, joinedMilliseconds: nil)
        try roundTrip(RoomMemberPage(members: [member, absent], count: 1, ghostCount: 2, nextCursor: "c"))
        try roundTrip(RoomMemberResult(member: absent))
        let ban = RoomBanned(user: user, untilMilliseconds: 9, reason: "Noise.", by: user, createdMilliseconds: 1)
        let forGood = RoomBanned(user: user, untilMilliseconds: nil, reason: nil, by: nil, createdMilliseconds: 1)
        try roundTrip(RoomBanPage(bans: [ban, forGood], nextCursor: nil))
        var room = try Samples.room
        room.settings.hasWaitingRoom = true
        room.settings.chatRule = .off
        room.settings.slowModeSeconds = 30
        let you = RoomSnapshot.Membership(
            role: .listener, standing: .member, may: ["listen", "dance"], isGhost: true, mutedUntilMilliseconds: 5)
        try roundTrip(
            RoomSnapshot(
                room: room, seq: 3, you: you, stream: nil, playback: Samples.playback, chat: [try Samples.message]))
        #expect(you.may(.listen))
        #expect(!you.may(.chat))
    }

    @Test func `every event about joining and roles encodes and decodes to itself`() throws {
        let room = try Samples.roomID
        let user = try Samples.user
        try roundTrip(RoomRemoved(room: room, reason: RoomRemoved.inviteRevoked))
        try roundTrip(
            RoomRemoved(room: room, reason: RoomRemoved.banned, untilMilliseconds: 5, message: "Noise."))
        try roundTrip(RoomKnocked(room: room, user: user))
        try roundTrip(RoomAdmitted(room: room))
        try roundTrip(RoomDenied(room: room))
        try roundTrip(RoomStandingChanged(user: user, standing: .moderator))
        try roundTrip(RoomStandingChanged(user: user, standing: .listener, may: []))
        try roundTrip(
            RoomMembersChanged(joined: [user], left: [user.uid], hasMore: true, count: 3, ghostCount: 4))
        for action in RoomModerated.Action.allCases {
            try roundTrip(RoomModerated(room: room, action: action, user: user, by: nil, untilMilliseconds: 5))
        }
        try roundTrip(HostRequested(room: room, user: user))
        try roundTrip(HostOffered(room: room, by: user))
        try roundTrip(HostLostSeat(room: room, reason: HostLostSeat.takenBack))
    }

    @Test func `a higher standing has every capability of a lower one`() {
        let upwards = Standing.allCases.sorted()
        #expect(upwards == [.listener, .member, .moderator, .cohost, .owner])
        for (lower, higher) in zip(upwards, upwards.dropFirst()) {
            #expect(lower.capabilities.isSubset(of: higher.capabilities), "\(lower) and \(higher)")
        }
        #expect(Standing.owner.capabilities == Set(Capability.allCases))
        #expect(Capability.allCases.filter { !Standing.cohost.capabilities.contains($0) } == [.manage])
        #expect(
            Capability.words(Standing.moderator.capabilities) == ["listen", "suggest", "vote", "chat", "moderate"])
    }

    @Test func `each role of an invite adds to the one before`() {
        for (less, more) in zip(InviteRole.allCases, InviteRole.allCases.dropFirst()) {
            #expect(less.capabilities.isStrictSubset(of: more.capabilities), "\(less) and \(more)")
        }
        #expect(InviteRole.allCases.sorted() == InviteRole.allCases)
        #expect(InviteRole.listen.capabilities == Standing.listener.capabilities)
        #expect(InviteRole.cohost.capabilities == Standing.cohost.capabilities)
    }

    @Test func `a rule for chat admits a standing and all above it`() {
        let admitted = ChatRule.allCases.map { rule in Standing.allCases.filter(rule.admits) }
        #expect(
            admitted == [
                [.owner, .cohost, .moderator, .member, .listener], [.owner, .cohost, .moderator, .member],
                [.owner, .cohost, .moderator], [],
            ])
    }

    @Test func `a link leads to the page of the room and keeps the code after the number sign`() throws {
        #expect(
            Invite.path(room: try Samples.roomID, code: "i1.a-b_c") == "/r/k2Vb7nQx0ZrT5mLp9sWd#i1.a-b_c")
        let longest = Invite.path(
            room: try Samples.roomID, code: String(repeating: "c", count: Limits.inviteCodeBytes.upperBound))
        #expect(Limits.invitePathBytes.contains(longest.utf8.count))
    }

    @Test func `generated invite identifiers are of their form and differ`() throws {
        var generator = SystemRandomNumberGenerator()
        let made = (0..<100).map { _ in InviteID.random(using: &generator) }
        #expect(Set(made).count == 100)
        for id in made { #expect(InviteID(id.rawValue) == id && id.rawValue.utf8.count == InviteID.generatedCount) }
    }

    private func roundTrip<Message: WireObject & Equatable>(_ message: Message) throws {
        #expect(try Message(try JSON.parse(message.encoded())) == message)
    }
}

extension Samples {
    static var inviteID: InviteID {
        get throws { try #require(InviteID("i4Kp9xW2bQ7mZs0T")) }
    }
}
