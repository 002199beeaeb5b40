import SonaWire
import Testing

/// Changing, closing, finding and watching rooms, as programs make the messages.
@Suite struct DirectoryMessageTests {
    @Test func `every request of rooms encodes and decodes to itself`() throws {
        let room = RoomReference.id(try Samples.roomID)
        try roundTrip(
            RoomCreate(
                RoomSettings(
                    title: "", tags: ["a", "b"], about: "One\ntwo.", allowsGuests: false, privatePolicy: .leave)))
        try roundTrip(RoomUpdate(room: room))
        try roundTrip(RoomUpdate(room: room, tags: [], about: ""))
        try roundTrip(
            RoomUpdate(
                room: room, title: "T", tags: ["a"], about: "b", visibility: .private, allowsGuests: true,
                privatePolicy: .stay, delivery: .interactive, leadMilliseconds: 10_000))
        try roundTrip(RoomClose(room: room))
        try roundTrip(RoomRemovePicture(room: room))
        for scope in RoomScope.allCases {
            try roundTrip(RoomSearch(query: "", scope: scope, limit: 100, cursor: "c"))
            try roundTrip(RoomWatch(query: "a", scope: scope, limit: 1))
        }
        try roundTrip(RoomSearch(query: "noc"))
        try roundTrip(RoomWatch())
        try roundTrip(RoomUnwatch())
    }

    @Test func `every result and event of finding encodes and decodes to itself`() throws {
        let room = try fullRoom()
        try roundTrip(RoomResult(room: room))
        try roundTrip(RoomSearchPage(rooms: [room, try Samples.room], nextCursor: "c", count: 57))
        try roundTrip(RoomSearchPage(rooms: [], nextCursor: nil, count: 0))
        try roundTrip(RoomWatchResult(rooms: [room]))
        try roundTrip(RoomsChanged(removed: [], rooms: [room], order: [room.id]))
        try roundTrip(RoomsChanged(removed: [room.id], rooms: [], order: []))
        try roundTrip(WireError(.roomLive, field: "data.lead_ms"))
        try roundTrip(WireError(.roomGuestsNotAllowed))
    }

    @Test func `a room of a server without the directory has no tags and takes guests`() throws {
        let later: Set = ["tags", "description", "picture", "guests", "on_private"]
        let members = try #require(try JSON.parse(try fullRoom().encoded()).object)
        #expect(Set(members.map(\.key)).isSuperset(of: later))
        let room = try Room(.object(members.filter { !later.contains($0.key) }))
        #expect(room.settings.tags.isEmpty)
        #expect(room.settings.about == nil)
        #expect(room.picture == nil)
        #expect(room.settings.allowsGuests)
        #expect(room.settings.privatePolicy == .stay)
    }

    @Test func `an update writes only the members that were given`() throws {
        let update = RoomUpdate(room: .id(try Samples.roomID), visibility: .public)
        #expect(text(update) == #"{"room":"k2Vb7nQx0ZrT5mLp9sWd","visibility":"public"}"#)
    }

    @Test func `an update changes what it gives, and an empty description takes away the old one`() throws {
        let before = try fullRoom().settings
        let room = RoomReference.id(try Samples.roomID)
        var settings = before
        settings.apply(RoomUpdate(room: room))
        #expect(settings == before)
        settings.apply(
            RoomUpdate(
                room: room, title: "New", tags: ["b"], about: "", visibility: .private, allowsGuests: true,
                privatePolicy: .stay, delivery: .interactive, leadMilliseconds: 150, hasWaitingRoom: true,
                chatRule: .members, slowModeSeconds: 9, keepsReplays: true, offersDataSaver: true))
        #expect(
            settings
                == RoomSettings(
                    title: "New", visibility: .private, delivery: .interactive, leadMilliseconds: 150, tags: ["b"],
                    hasWaitingRoom: true, chatRule: .members, slowModeSeconds: 9, keepsReplays: true,
                    offersDataSaver: true))
        settings.apply(RoomUpdate(room: room, about: "Text"))
        #expect(settings.about == "Text" && settings.title == "New")
    }

    /// A key path costs ten times as much, and a room is written for every list it is in.
    @Test func `the settings of a room are written from their offsets in the room`() {
        #expect(MemoryLayout<Room>.offset(of: \Room.settings.title) != nil)
        #expect(MemoryLayout<Room>.offset(of: \Room.settings.slowModeSeconds) != nil)
    }

    @Test func `a fault in a tag is named by its place`() throws {
        var room = try fullRoom()
        room.settings.tags = ["a", ""]
        #expect(refusal(RoomWatchResult.self, RoomWatchResult(rooms: [room]))?.field == "rooms[0].tags[1]")
        let update = RoomUpdate(room: .id(room.id), tags: ["a", "b", "a\u{2029}b"])
        let error = WireError(
            .requestInvalid, "data.tags[2] must be one line of 1 to 32 bytes.", field: "data.tags[2]")
        #expect(refusal(RoomUpdate.self, update) == error)
    }

    @Test func `a list of rooms that names one twice is refused`() throws {
        let id = try Samples.roomID
        let changed = RoomsChanged(removed: [], rooms: [], order: [id, id])
        #expect(refusal(RoomsChanged.self, changed)?.field == "order")
    }

    @Test func `an image becomes a room's picture at a path of the room`() throws {
        #expect(Room.pictureUploadPath(try Samples.roomID) == "/v1/rooms/k2Vb7nQx0ZrT5mLp9sWd/picture")
        let playlist = try #require(MusicID("01JDHV6Z3Q8R5W7XK2M4N9P0TA"))
        #expect(Playlist.pictureUploadPath(playlist) == "/v1/playlists/01JDHV6Z3Q8R5W7XK2M4N9P0TA/picture")
    }

    /// Goal: an event with the change of one room never exceeds the limit of an event.
    /// Way: the longest room there is, every character of which needs an escape where one may, among 100 others.
    @Test func `the longest room fits into an event with the longest order`() throws {
        var generator = SystemRandomNumberGenerator()
        let ids = (0..<Int(Limits.roomWatchCount.upperBound)).map { _ in RoomID.random(using: &generator) }
        let changed = RoomsChanged(removed: ids, rooms: [try longestRoom(ids[0])], order: ids)
        let bytes = Event.encode(changed, room: nil, seq: Limits.integerMax)
        #expect(bytes.count <= Limits.directoryBytesMax)
        try roundTrip(changed)
    }

    // MARK: Helpers

    private func fullRoom() throws -> Room {
        var room = try Samples.room
        room.settings.tags = ["ambient", "夜"]
        room.settings.about = "Slow things,\nafter midnight."
        room.picture = try Samples.photo
        room.settings.allowsGuests = false
        room.settings.privatePolicy = .leave
        return room
    }

    private func longestRoom(_ id: RoomID) throws -> Room {
        let quotes = { (count: Int) in String(repeating: "\"", count: count) }
        let user = User(
            uid: try #require(UserID(quotes(128))), username: Username(String(repeating: "a", count: 24)),
            isGuest: false)
        let words = quotes(Limits.trackTextBytes.upperBound)
        return Room(
            id: id,
            settings: RoomSettings(
                title: quotes(Limits.titleBytes.upperBound), visibility: .private, delivery: .interactive,
                tags: Array(repeating: quotes(Limits.roomTagBytes.upperBound), count: Limits.roomTagCount.upperBound),
                about: String(repeating: "\u{1}", count: Limits.roomDescriptionBytes.upperBound)),
            owner: user, host: user, listenerCount: Int(Limits.integerMax), createdMilliseconds: Limits.integerMax,
            track: Track(
                title: words, artist: words, album: words, durationMicroseconds: Limits.integerMax),
            picture: try Samples.photo)
    }

    private func text(_ message: some WireObject) -> String { String(decoding: message.encoded(), as: UTF8.self) }

    private func roundTrip<Message: WireObject & Equatable>(_ message: Message) throws {
        #expect(try Message(try JSON.parse(message.encoded())) == message)
    }

    /// The error a receiver throws for an invalid message.
    private func refusal<Message: WireObject>(_ type: Message.Type, _ message: Message) -> WireError? {
        do {
            _ = try Message(try JSON.parse(message.encoded()))
            return nil
        } catch {
            return error as? WireError
        }
    }
}
