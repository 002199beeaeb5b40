/// One room: the answer to `room.create`, `room.get`, `room.update`, `room.remove_picture` and to a picture that was
/// sent.
public struct RoomResult: WireObject, Equatable {
    public var room: Room

    public init(room: Room) { self.room = room }

    public init(_ json: JSON) throws(WireError) { room = try Fields(json).object("room", as: Room.self) }

    public func encode(into writer: inout JSONWriter) { writer.object { $0.member("room", room) } }
}

/// A page of rooms: the answer to `room.list`.
public struct RoomPage: WireObject, Equatable {
    public var rooms: [Room]
    /// What to ask with for the next page; `nil` on the last.
    public var nextCursor: String?

    public init(rooms: [Room], nextCursor: String?) {
        self.rooms = rooms
        self.nextCursor = nextCursor
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        rooms = try fields.array("rooms", of: Room.self)
        nextCursor = try fields.stringIfPresent("next_cursor", bytes: Limits.cursorBytes)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("rooms", rooms)
            writer.member("next_cursor", orNull: nextCursor)
        }
    }
}

/// Everything a member needs to know on entering: the answer to `room.join`.
///
/// Source: Protocol/spec/rooms.md, "room.join".
public struct RoomSnapshot: WireObject, Equatable {
    /// What the member is in the room.
    public struct Membership: WireObject, Hashable {
        public var role: Role

        public init(role: Role) { self.role = role }

        public init(_ json: JSON) throws(WireError) { role = try Fields(json).word("role", as: Role.self) }

        public func encode(into writer: inout JSONWriter) { writer.object { $0.member("role", role.rawValue) } }
    }

    public var room: Room
    /// Number of the room's last event that the snapshot includes.
    public var seq: Int64
    public var you: Membership
    /// The newest epoch, sounding or to come; `nil` if no audio is on.
    public var stream: StreamInfo?
    /// Every epoch of which the joiner gets packets, oldest first; the last one is `stream`.
    public var streams: [StreamInfo]
    /// In force now.
    public var playback: Playback
    /// Those with an anchor in the future, soonest first. Mostly empty.
    public var upcoming: [Playback]

    public init(
        room: Room, seq: Int64, you: Membership, stream: StreamInfo?, streams: [StreamInfo]? = nil, playback: Playback,
        upcoming: [Playback] = []
    ) {
        self.room = room
        self.seq = seq
        self.you = you
        self.stream = stream
        self.streams = streams ?? (stream.map { [$0] } ?? [])
        self.playback = playback
        self.upcoming = upcoming
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        room = try fields.object("room", as: Room.self)
        seq = try fields.integer("seq", in: 0...Limits.integerMax)
        you = try fields.object("you", as: Membership.self)
        stream = try fields.objectIfPresent("stream", as: StreamInfo.self)
        streams = try fields.array("streams", of: StreamInfo.self)
        playback = try fields.object("playback", as: Playback.self)
        upcoming = try fields.array("upcoming", of: Playback.self)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", room)
            writer.member("seq", seq)
            writer.member("you", you)
            writer.member("stream", orNull: stream)
            writer.member("streams", streams)
            writer.member("playback", playback)
            writer.member("upcoming", upcoming)
        }
    }
}
