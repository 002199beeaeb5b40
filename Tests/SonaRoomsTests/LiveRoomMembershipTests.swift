import SonaRooms
import SonaWire
import Testing

@Suite struct LiveRoomMembershipTests {
    private static let ada = User.owner
    private static let (fay, gil, hal) = (User("fay"), User("gil"), User("hal"))

    /// A room with the owner and these people, each with a connection; the first connection has number 11.
    private static func studio(_ people: User...) throws -> Studio {
        var studio = try Studio()
        for (number, user) in people.enumerated() {
            _ = try studio.room.join(
                MemberID(11 + number), user, wantsAudio: false, now: studio.now, wall: Int64(number + 1))
        }
        return studio
    }

    // MARK: What was stored

    @Test func `a change stored before one already taken is skipped`() {
        var taken = TakenChanges()
        func take(_ number: Int64, _ subject: TakenChanges.Subject) -> Bool { taken.take(number, of: subject, now: 0) }
        let (fay, gil) = (Self.fay.uid, Self.gil.uid)
        #expect(take(5, .standing(fay)))
        #expect(!take(5, .standing(fay)))
        #expect(!take(4, .standing(fay)))
        // Changes of another user, or of another kind, are taken.
        #expect(take(4, .standing(gil)))
        #expect(take(3, .ban(fay)))
        #expect(take(2, .mute(fay)))
        #expect(take(1, .message(1)))
        #expect(take(6, .standing(fay)))
    }

    @Test func `taken changes are remembered as long as an older one may be on its way`() {
        var taken = TakenChanges()
        func take(_ number: Int64, message id: Int64, now: Int64) -> Bool {
            taken.take(number, of: .message(id), now: now)
        }
        #expect((0..<2_000).allSatisfy { take(10_000, message: $0, now: 0) })
        #expect(!take(1, message: 0, now: 120_000_000))
        #expect(take(10_000, message: -1, now: 120_000_001))
        #expect(take(1, message: 0, now: 120_000_001))
    }

    @Test func `a message changed before it is told is told in its new form`() {
        var log = ChatLog()
        func message(_ id: Int64, _ text: String) -> ChatMessage {
            ChatMessage(id: id, user: Self.fay, text: text, atMilliseconds: 0)
        }
        log.change(message(2, "edited"))
        let early = log.post(message(2, "second"))
        let told = log.post(message(1, "first"))
        #expect(early == [] && told.map(\.text) == ["first", "edited"])
        log.change(message(1, "later"))
        #expect(log.snapshot.map(\.text) == ["later", "edited"])
    }

    @Test func `a banned user is told so before anything else`() throws {
        var studio = try Studio(visibility: .private)
        #expect(refusal { try studio.room.admit(Self.fay, wall: 1_000) } == .roomNotFound)
        studio.room.ban(Self.fay.uid, until: 2_000, reason: "Too loud.")
        do throws(WireError) {
            try studio.room.refuseIfBanned(Self.fay.uid, wall: 1_000)
            Issue.record("not refused")
        } catch {
            #expect(error.code == .roomBanned && error.retryAfterMilliseconds == 1_000)
            #expect(error.message == "Too loud.")
        }
        #expect(refusal { try studio.room.admit(Self.fay, wall: 1_999) } == .roomBanned)
        #expect(refusal { try studio.room.admit(Self.fay, wall: 2_000) } == .roomNotFound)
    }

    @Test func `a ban keeps a standing that was given since`() throws {
        var studio = try Studio()
        _ = studio.room.set(RoomRoster.Entry(standing: .member), for: Self.fay)
        studio.room.ban(Self.fay.uid, until: 1)
        #expect(studio.room.standing(of: Self.fay) == .member)
    }

    @Test func `two hundred wait before the door, each counted once, and the next one is refused`() throws {
        var studio = try Studio()
        for number in 1...200 { #expect(try studio.room.knock(User("u\(number)")) == true) }
        #expect(refusal { _ = try studio.room.knock(Self.fay) } == .roomFull)
        #expect(try studio.room.knock(User("u7")) == false, "a second knock is not announced")
        #expect(studio.room.stopWaiting(User("u7").uid) != nil)
        #expect(try studio.room.knock(Self.fay) == true)
        #expect(refusal { _ = try studio.room.knock(Self.gil) } == .roomFull)
    }

    // MARK: Rank

    /// A room of the owner's with one person of each standing, and their equals. Connections are numbered from 11.
    private static func ranks() throws -> (room: LiveRoom, people: [(user: User, standing: Standing)]) {
        var studio = try Studio()
        var people: [(user: User, standing: Standing)] = [(Self.ada, .owner)]
        let others: [Standing] = [.cohost, .cohost, .moderator, .moderator, .member, .member, .listener, .listener]
        for (number, standing) in others.enumerated() {
            let user = User("u\(number)")
            _ = try studio.room.join(MemberID(11 + number), user, wantsAudio: false, now: studio.now)
            if standing != .listener { _ = studio.room.set(RoomRoster.Entry(standing: standing), for: user) }
            people.append((user, standing))
        }
        return (studio.room, people)
    }

    @Test func `nobody stands above themself, an equal or a higher standing`() throws {
        let (room, people) = try Self.ranks()
        let order: [Standing] = [.owner, .cohost, .moderator, .member, .listener]
        var allowed = 0
        for (actor, standing) in people {
            for (other, others) in people {
                let isAbove = order.firstIndex(of: standing)! < order.firstIndex(of: others)!
                let code = refusal { try room.requireAbove(other.uid, actor, .listen) }
                #expect(code == (isAbove ? nil : .roomForbidden), "\(standing) against \(others)")
                allowed += isAbove ? 1 : 0
            }
        }
        // The owner is above eight, cohosts above six, moderators above four, members above two.
        #expect(allowed == 8 + 2 * 6 + 2 * 4 + 2 * 2)
    }

    @Test func `the seat is offered by owner and host, to accounts that are here`() throws {
        var studio = try Self.studio(Self.fay, Self.gil, Self.hal)
        _ = studio.room.set(RoomRoster.Entry(standing: .cohost), for: Self.hal)
        for member in [11, 13] as [MemberID] {
            let code = refusal { _ = try studio.room.offerSeat(to: Self.gil.uid, by: member, now: studio.now) }
            #expect(code == .roomForbidden, "\(member)")
        }
        #expect(refusal { _ = try studio.room.offerSeat(to: Self.gil.uid, by: 99, now: studio.now) } == .roomNotJoined)
        let away = User("away")
        #expect(
            refusal { _ = try studio.room.offerSeat(to: away.uid, by: Studio.host, now: studio.now) } == .userNotFound)
        let guest = User(uid: UserID("guest7")!, username: nil, isGuest: true)
        _ = try studio.room.join(21, guest, wantsAudio: false, now: studio.now)
        #expect(
            refusal { _ = try studio.room.offerSeat(to: guest.uid, by: Studio.host, now: studio.now) }
                == .roomForbidden)
        _ = try studio.room.offerSeat(to: Self.fay.uid, by: Studio.host, now: studio.now)
        try studio.start(11)
        _ = try studio.room.offerSeat(to: Self.gil.uid, by: 11, now: studio.now)
        try studio.start(12)
        #expect(studio.room.seat.host == Self.gil)
    }

    @Test func `an offer is valid for sixty seconds`() throws {
        for (microseconds, isGood) in [(60_000_000, true), (60_000_001, false)] as [(Int64, Bool)] {
            var studio = try Self.studio(Self.fay)
            _ = try studio.room.offerSeat(to: Self.fay.uid, by: Studio.host, now: studio.now)
            studio.now += microseconds
            #expect(refusal { try studio.start(11) } == (isGood ? nil : .roomForbidden), "\(microseconds)")
        }
    }

    @Test func `the seat is taken back from a lower standing only, by owner and cohosts`() throws {
        for (holder, standing) in [(Self.ada, .owner), (Self.fay, .cohost), (Self.gil, .listener)] as [(User, Standing)]
        {
            var studio = try Self.studio(Self.fay, Self.gil, Self.hal, User("kim"))
            _ = studio.room.set(RoomRoster.Entry(standing: .cohost), for: Self.fay)
            _ = studio.room.set(RoomRoster.Entry(standing: .cohost), for: Self.hal)
            _ = studio.room.set(RoomRoster.Entry(standing: .moderator), for: User("kim"))
            if standing == .listener {
                _ = try studio.room.offerSeat(to: holder.uid, by: Studio.host, now: studio.now)
            }
            try studio.start(standing == .owner ? Studio.host : standing == .cohost ? 11 : 12)
            func code(_ member: MemberID) -> ErrorCode? {
                var copy = studio.room
                return refusal { _ = try copy.takeBackSeat(by: member, now: studio.now) }
            }
            #expect(code(Studio.host) == (standing == .owner ? .roomForbidden : nil), "the owner from \(standing)")
            #expect(code(13) == (standing == .listener ? nil : .roomForbidden), "a cohost from \(standing)")
            #expect(code(14) == .roomForbidden, "a moderator from \(standing)")
            #expect(code(12) == .roomForbidden, "a listener from \(standing)")
        }
    }

    // MARK: Offers

    @Test func `an offer ends with its giver's right to make it`() throws {
        /// Checks whether an offer by Fay, who hosts, or by the owner outlives a change.
        func code(by giver: MemberID, after body: (inout Studio) throws -> Void) throws -> ErrorCode? {
            var studio = try Self.studio(Self.fay, Self.gil)
            _ = try studio.room.offerSeat(to: Self.fay.uid, by: Studio.host, now: studio.now)
            try studio.start(11)
            _ = try studio.room.offerSeat(to: Self.gil.uid, by: giver, now: studio.now)
            try body(&studio)
            return refusal { try studio.start(12) }
        }
        #expect(try code(by: 11) { _ in } == nil)
        #expect(try code(by: Studio.host) { _ in } == nil)
        // The host is no longer host.
        #expect(try code(by: 11) { _ = try $0.room.stopHost(11, now: $0.now) } == .roomForbidden)
        #expect(try code(by: 11) { _ = $0.room.leave(11, isLost: false, now: $0.now) } == .roomForbidden)
        #expect(try code(by: 11) { _ = $0.room.leave(11, isLost: true, now: $0.now) } == .roomForbidden)
        #expect(try code(by: 11) { _ = try $0.room.takeBackSeat(by: Studio.host, now: $0.now) } == .roomForbidden)
        #expect(try code(by: 11) { _ = $0.room.vacateSeat(of: Self.fay.uid, now: $0.now) } == .roomForbidden)
        // The owner's offer holds while they are here, whichever user leaves the seat.
        #expect(try code(by: Studio.host) { _ = try $0.room.stopHost(11, now: $0.now) } == nil)
        #expect(try code(by: Studio.host) { _ = $0.room.leave(11, isLost: true, now: $0.now) } == nil)
        #expect(
            try code(by: Studio.host) { _ = $0.room.leave(Studio.host, isLost: false, now: $0.now) } == .roomForbidden)
        // Coming back does not restore the offer.
        let isBack = try code(by: Studio.host) {
            _ = $0.room.leave(Studio.host, isLost: true, now: $0.now)
            _ = try $0.room.join(Studio.second, .owner, wantsAudio: false, now: $0.now)
        }
        #expect(isBack == .roomForbidden)
        // The recipient was put out meanwhile.
        #expect(try code(by: Studio.host) { _ = $0.room.vacateSeat(of: Self.gil.uid, now: $0.now) } == .roomForbidden)
    }

    @Test func `an offer ends when another user takes the seat`() throws {
        var studio = try Self.studio(Self.fay, Self.hal)
        _ = studio.room.set(RoomRoster.Entry(standing: .cohost), for: Self.hal)
        _ = try studio.room.offerSeat(to: Self.fay.uid, by: Studio.host, now: studio.now)
        try studio.start(12)
        #expect(refusal { try studio.start(11) } == .roomForbidden)
        // The same host's next file changes nothing.
        _ = try studio.room.offerSeat(to: Self.fay.uid, by: Studio.host, now: studio.now)
        try studio.start(12)
        try studio.start(11)
        #expect(studio.room.seat.host == Self.fay)
    }

    // MARK: Ghosts

    @Test func `a host is never a ghost`() throws {
        var studio = try Studio()
        func join(_ member: MemberID, _ user: User, isGhost: Bool) throws -> Bool? {
            try studio.room.join(member, user, wantsAudio: false, isGhost: isGhost, now: studio.now).snapshot.you
                .isGhost
        }
        #expect(try join(11, Self.fay, isGhost: true) == true)
        #expect(studio.room.presence.count == 1 && studio.room.presence.ghostCount == 1)
        #expect(studio.room.presence.contains(Self.fay.uid) && !studio.room.presence.isSeen(Self.fay.uid))
        _ = try studio.room.offerSeat(to: Self.fay.uid, by: Studio.host, now: studio.now)
        #expect(try studio.start(11).effects.changesListeners)
        #expect(studio.room.presence.count == 2 && studio.room.presence.ghostCount == 0)
        #expect(try join(11, Self.fay, isGhost: true) == false)
        #expect(studio.room.presence.isSeen(Self.fay.uid))
        _ = try studio.room.stopHost(11, now: studio.now)
        #expect(try join(11, Self.fay, isGhost: true) == true)
        #expect(studio.room.presence.ghostCount == 1)
    }

    @Test func `a person with one connection that is not a ghost is visible`() throws {
        var studio = try Studio()
        for (member, isGhost) in [(11, true), (12, true), (13, false)] as [(MemberID, Bool)] {
            _ = try studio.room.join(member, Self.fay, wantsAudio: false, isGhost: isGhost, now: studio.now)
        }
        #expect(studio.room.presence.count == 2 && studio.room.presence.ghostCount == 0)
        _ = studio.room.leave(13, isLost: false, now: studio.now)
        #expect(studio.room.presence.count == 1 && studio.room.presence.ghostCount == 1)
        _ = try studio.room.join(12, Self.fay, wantsAudio: false, isGhost: false, now: studio.now)
        #expect(studio.room.presence.count == 2 && studio.room.presence.ghostCount == 0)
        for member in [11, 12] as [MemberID] { _ = studio.room.leave(member, isLost: true, now: studio.now) }
        #expect(studio.room.presence.count == 1 && studio.room.presence.ghostCount == 0)
        #expect(!studio.room.presence.contains(Self.fay.uid))
    }

    // MARK: The list

    @Test func `people are listed by standing, then by arrival, with the absent last`() throws {
        var studio = try Self.studio(Self.fay, Self.gil, Self.hal)
        let (kim, lee, ghost) = (User("kim"), User("lee"), User("ghost"))
        _ = try studio.room.join(21, Self.fay, wantsAudio: false, now: studio.now, wall: 9)
        _ = try studio.room.join(22, ghost, wantsAudio: false, isGhost: true, now: studio.now, wall: 9)
        for (user, standing, since) in [
            (Self.hal, .cohost, 8), (kim, .moderator, 7), (lee, .moderator, 6), (ghost, .member, 5),
        ] as [(User, Standing, Int64)] {
            _ = studio.room.set(RoomRoster.Entry(standing: standing, sinceMilliseconds: since), for: user)
        }
        // Guests who were let in have no standing.
        _ = studio.room.set(RoomRoster.Entry(standing: .listener), for: User("guest2"))
        let here = studio.room.people(includesAbsent: false)
        #expect(here.map(\.user) == [Self.ada, Self.hal, Self.fay, Self.gil])
        #expect(here.map(\.standing) == [.owner, .cohost, .listener, .listener])
        #expect(here.map(\.joinedMilliseconds) == [0, 3, 1, 2])
        let all = studio.room.people(includesAbsent: true)
        #expect(Array(all.prefix(4)) == here)
        #expect(all.dropFirst(4).map(\.user.uid) == [lee.uid, kim.uid, ghost.uid])
        #expect(all.dropFirst(4).allSatisfy { $0.joinedMilliseconds == nil })
        _ = studio.room.leave(Studio.host, isLost: false, now: studio.now)
        #expect(studio.room.people(includesAbsent: true).map(\.user.uid).firstIndex(of: Self.ada.uid) == 3)
        #expect(all.map(\.place) == all.map(\.place).sorted())
    }
}
