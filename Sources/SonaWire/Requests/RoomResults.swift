/// One room: the answer to `room.create`, `room.update`, `room.remove_picture` and to a picture that was
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
        public var standing: Standing
        /// What they may do by their standing and their invite, words of 1 to 64 bytes; new ones may come.
        public var may: [String]
        public var isGhost: Bool
        /// Milliseconds since 1970, UTC; `Limits.integerMax` until somebody lifts it; `nil`: not muted.
        public var mutedUntilMilliseconds: Int64?

        /// - Parameters:
        ///   - standing: What the role says if left out.
        ///   - may: The standing's capabilities if left out.
        public init(
            role: Role, standing: Standing? = nil, may: [String]? = nil, isGhost: Bool = false,
            mutedUntilMilliseconds: Int64? = nil
        ) {
            self.role = role
            self.standing = standing ?? (role == .owner ? .owner : .listener)
            self.may = may ?? Capability.words(self.standing.capabilities)
            self.isGhost = isGhost
            self.mutedUntilMilliseconds = mutedUntilMilliseconds
        }

        public init(_ json: JSON) throws(WireError) {
            let fields = try Fields(json)
            self.init(
                role: try fields.word("role", as: Role.self),
                standing: try fields.wordIfPresent("standing", as: Standing.self),
                may: try fields.stringsIfPresent("may", bytes: Limits.permissionBytes),
                isGhost: try fields.boolIfPresent("ghost") ?? false,
                mutedUntilMilliseconds: try fields.integerIfPresent("muted_until_ms", in: 0...Limits.integerMax))
        }

        public func encode(into writer: inout JSONWriter) {
            writer.object { writer in
                writer.member("role", role.rawValue)
                writer.member("standing", standing.rawValue)
                writer.member("may", may)
                writer.member("ghost", isGhost)
                writer.member("muted_until_ms", ifPresent: mutedUntilMilliseconds)
            }
        }

        /// Whether they may do this by standing and invite; a rule of the room or a mute may stand in the way.
        public func may(_ capability: Capability) -> Bool { may.contains(capability.rawValue) }
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
    /// What is heard now; `nil` if nobody has said, or nothing plays.
    public var nowPlaying: TimedTrack?
    /// What is announced for later, soonest first. Mostly empty.
    public var upcomingTracks: [TimedTrack]
    /// The newest messages, at most 50 in `Limits.chatBytesMax` bytes, oldest first.
    public var chat: [ChatMessage]

    public init(
        room: Room, seq: Int64, you: Membership, stream: StreamInfo?, streams: [StreamInfo]? = nil, playback: Playback,
        upcoming: [Playback] = [], nowPlaying: TimedTrack? = nil, upcomingTracks: [TimedTrack] = [],
        chat: [ChatMessage] = []
    ) {
        self.room = room
        self.seq = seq
        self.you = you
        self.stream = stream
        self.streams = streams ?? (stream.map { [$0] } ?? [])
        self.playback = playback
        self.upcoming = upcoming
        self.nowPlaying = nowPlaying
        self.upcomingTracks = upcomingTracks
        self.chat = chat
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
        nowPlaying = try fields.objectIfPresent("now_playing", as: TimedTrack.self)
        upcomingTracks = try fields.arrayIfPresent("upcoming_tracks", of: TimedTrack.self) ?? []
        chat =
            try fields.arrayIfPresent("chat", of: ChatMessage.self, count: 0...Limits.chatSnapshotCount) ?? []
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
            writer.member("now_playing", orNull: nowPlaying)
            writer.member("upcoming_tracks", upcomingTracks)
            writer.member("chat", chat)
        }
    }
}
