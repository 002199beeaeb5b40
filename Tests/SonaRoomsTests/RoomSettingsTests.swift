import SonaRooms
import SonaWire
import Testing

/// The owner's changes to a room with people in it.
struct RoomSettingsTests {
    private static let stranger = User("stranger")

    private func changed(
        _ studio: inout Studio, _ body: (inout RoomSettings) -> Void
    ) -> (effects: [RoomEffect], leaving: [MemberID]) {
        var settings = studio.room.settings
        body(&settings)
        return studio.room.change(to: settings, picture: nil)
    }

    private func studio(with members: [(MemberID, User)]) throws -> Studio {
        var studio = try Studio()
        for (member, user) in members { _ = try studio.room.join(member, user, wantsAudio: true, now: studio.now) }
        return studio
    }

    @Test func `members are told the whole room in its new state`() throws {
        var studio = try Studio()
        try studio.start(track: Track(title: "T", artist: nil, album: nil, durationMicroseconds: nil))
        let (effects, leaving) = changed(&studio) { settings in
            settings.title = "Late"
            settings.tags = ["a", "b"]
            settings.about = "About"
            settings.allowsGuests = false
            settings.privatePolicy = .leave
        }
        let room = try #require(effects.events(RoomUpdated.self).first?.room)
        #expect(effects.count == 1 && leaving.isEmpty)
        #expect(room == studio.room.description())
        #expect(room.settings.title == "Late" && room.settings.tags == ["a", "b"] && room.settings.about == "About")
        #expect(!room.settings.allowsGuests && room.settings.privatePolicy == .leave)
        #expect(room.isLive && room.track?.title == "T" && room.hostState == .here)
    }

    @Test func `an unchanged value is no change`() throws {
        var studio = try Studio()
        let (effects, leaving) = changed(&studio) { _ in }
        #expect(effects.isEmpty && leaving.isEmpty)
    }

    @Test func `another picture is a change, and is told`() throws {
        var studio = try Studio()
        let picture = Photo(
            id: try #require(PhotoID("p_1")), color: HexColor(red: 0, green: 0, blue: 0),
            foreground: HexColor(red: 255, green: 255, blue: 255), width: 1, height: 1)
        let told = studio.room.change(to: studio.room.settings, picture: picture).effects.events(RoomUpdated.self)
        #expect(told.map(\.room.picture) == [picture])
        #expect(studio.room.change(to: studio.room.settings, picture: picture).effects.isEmpty)
    }

    @Test func `members are told of a guest who has signed up, once`() throws {
        var studio = try studio(with: [(3, .guest)])
        let account = User(uid: User.guest.uid, username: Username("lovelace"), isGuest: false)
        let told = studio.room.rename(account, as: [3]).events(RoomStandingChanged.self)
        #expect(told.map(\.user) == [account] && told.map(\.standing) == [.listener])
        #expect(studio.room.rename(account, as: [3]).isEmpty)
        #expect(studio.room.members[3]?.user == account)
    }

    @Test func `the owner's newer name stays when settings change`() throws {
        var studio = try Studio()
        let renamed = User(uid: User.owner.uid, username: Username("lovelace"), isGuest: false)
        _ = studio.room.rename(renamed, as: Array(studio.room.members.keys))
        _ = changed(&studio) { $0.title = "Late" }
        #expect(studio.room.owner == renamed && studio.room.settings.title == "Late")
    }

    @Test(arguments: PrivatePolicy.allCases)
    func `with that policy members who may not come back leave a room that turns private`(
        policy: PrivatePolicy
    ) throws {
        let strangers: [(MemberID, User)] = [(3, .guest), (4, Self.stranger)]
        var studio = try studio(with: [(Studio.second, .owner)] + strangers)
        try studio.start()
        let (_, leaving) = changed(&studio) { settings in
            settings.visibility = .private
            settings.privatePolicy = policy
        }
        #expect(Set(leaving) == (policy == .leave ? [3, 4] : []))
        for (member, user) in strangers {
            let refused = refusal { _ = try studio.room.join(member, user, wantsAudio: true, now: studio.now) }
            #expect(refused == .roomNotFound)
        }
        _ = try studio.room.join(Studio.second, .owner, wantsAudio: true, now: studio.now)
        // It was private already.
        let again = changed(&studio) { settings in settings.privatePolicy = .leave }
        #expect(again.leaving.isEmpty)
        let back = changed(&studio) { settings in settings.visibility = .public }
        #expect(back.leaving.isEmpty)
        _ = try studio.room.join(9, Self.stranger, wantsAudio: true, now: studio.now)
    }

    @Test func `the host's sound goes on while others leave`() throws {
        var studio = try studio(with: [(3, .guest)])
        try studio.start()
        try studio.play(packets: 10)
        let (_, leaving) = changed(&studio) { settings in
            settings.visibility = .private
            settings.privatePolicy = .leave
        }
        for member in leaving { _ = studio.room.leave(member, isLost: false, now: studio.now) }
        #expect(try studio.play(packets: 10).chunks.count == 10)
        #expect(studio.room.isLive && studio.room.listenerCount == 0)
    }

    @Test func `guests inside stay when no more guests may enter`() throws {
        var studio = try studio(with: [(3, .guest)])
        let isGuest = User(uid: User("visitor").uid, username: nil, isGuest: true)
        _ = try studio.room.join(4, isGuest, wantsAudio: true, now: studio.now)
        #expect(changed(&studio) { $0.allowsGuests = false }.leaving.isEmpty)
        #expect(studio.room.members[4] != nil)
        let refused = refusal { _ = try studio.room.join(5, isGuest, wantsAudio: true, now: studio.now) }
        #expect(refused == .roomGuestsNotAllowed)
        _ = try studio.room.join(6, Self.stranger, wantsAudio: true, now: studio.now)
    }

    @Test func `a broadcast ends with its room, and the end of an idle room has no effects`() throws {
        var studio = try Studio()
        #expect(studio.room.end(now: studio.now).isEmpty)
        try studio.start()
        try studio.play(packets: 3)
        let effects = studio.room.end(now: studio.now)
        #expect(effects.events(StreamEnded.self).map(\.reason) == [.closed])
        #expect(!studio.room.isLive && studio.room.seat == .vacant)
        #expect(studio.room.end(now: studio.now).isEmpty)
    }
}
