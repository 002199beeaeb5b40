import SonaRooms
import SonaWire
import Testing

/// DJs of slots: the seat is theirs while the slot goes on, whatever else they are in the room.
struct SlotHostTests {
    private static let dj: MemberID = 11
    private static let next: MemberID = 12

    /// A room with two accounts in it, whose owner does not host.
    private func studio(_ visibility: Visibility = .public) throws -> Studio {
        var studio = try Studio(visibility: visibility)
        studio.room.slotHosts = SlotHosts(welcome: [User("dj").uid, User("next").uid])
        _ = try studio.room.join(Self.dj, User("dj"), wantsAudio: true, now: studio.now)
        _ = try studio.room.join(Self.next, User("next"), wantsAudio: true, now: studio.now)
        return studio
    }

    @Test func `a DJ takes the seat only while their slot goes on, and gets no other right`() throws {
        var studio = try studio()
        #expect(refusal { try studio.start(Self.dj) } == .roomForbidden)
        studio.room.slotHosts.host = User("dj").uid
        #expect(refusal { try studio.start(Self.next) } == .roomForbidden)
        try studio.start(Self.dj)
        #expect(studio.room.seat.host?.uid == User("dj").uid)
        #expect(refusal { try studio.room.require(.host, of: User("dj")) } == .roomForbidden)
        #expect(
            refusal { try studio.start(Self.next) } == .roomForbidden, "a seat that is taken is no matter of theirs")
    }

    @Test func `the seat is kept past the end of the slot, and goes to the next DJ alone`() throws {
        var studio = try studio()
        studio.room.slotHosts.host = User("dj").uid
        try studio.start(Self.dj)
        studio.room.slotHosts.host = nil
        try studio.start(Self.dj)
        #expect(refusal { try studio.start(Self.next) } == .roomForbidden)
        studio.room.slotHosts.host = User("next").uid
        try studio.start(Self.next)
        #expect(studio.room.seat.host?.uid == User("next").uid)
        #expect(refusal { try studio.start(Self.dj) } == .roomForbidden)
    }

    @Test func `a DJ takes the seat from the server, and not from the owner`() throws {
        var studio = try studio()
        studio.room.slotHosts.host = User("dj").uid
        try studio.start()
        #expect(refusal { try studio.start(Self.dj) } == .hostSeatTaken)
        _ = studio.room.admitServer()
        _ = try studio.room.stopHost(Studio.host, now: studio.now)
        #expect(studio.room.seat == .server)
        try studio.start(Self.dj)
        #expect(studio.room.seat.host?.uid == User("dj").uid)
    }

    @Test func `a private room lets in whose slot begins soon, and nobody who is banned`() throws {
        var studio = try studio(.private)
        #expect(studio.room.isVisible(to: User("dj")))
        studio.room.slotHosts.welcome = []
        #expect(refusal { try studio.room.admit(User("other"), wall: 0) } == .roomNotFound)
        studio.room.slotHosts.welcome = [User("other").uid]
        #expect(refusal { try studio.room.admit(User("other"), wall: 0) } == nil)
        studio.room.ban(User("other").uid, until: .max)
        #expect(refusal { try studio.room.admit(User("other"), wall: 0) } == .roomBanned)
    }
}
