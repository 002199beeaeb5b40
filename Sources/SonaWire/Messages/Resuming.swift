extension Limits {
    /// The feature that announces sessions that go on over lost connections.
    public static let resumeFeature = "resume"
    /// Bytes of the token that resumes a session.
    public static let resumeTokenBytes = 1...512
    /// Default. Seconds the session of a lost connection is kept.
    public static let resumeSeconds = 60
    /// Events of one room kept for sessions that come back.
    public static let keptRoomEvents = 512
    /// Bytes of the events kept of one room.
    public static let keptRoomEventBytes = 192 * 1024
    /// Seconds a room's event is kept. A lost connection is noticed after 55 s at the latest, and its session is kept
    /// for 60 s more.
    public static let keptRoomEventSeconds = 120
    /// Events kept for one session in case its client comes back.
    public static let keptPersonalEvents = 512
    /// Bytes of the events kept for one session.
    public static let keptPersonalEventBytes = 128 * 1024
    /// Seconds a personal event is kept while the client is connected.
    public static let keptPersonalEventSeconds = 60
}

// MARK: - Requests

/// `resume` in `hello`: which session is to go on, and how far its client has come.
///
/// Source: Protocol/spec/resuming.md, "Asking".
public struct SessionResume: DeclaredObject, Equatable {
    /// `resumeToken` of an earlier welcome, 1 to 512 bytes.
    public var token: String
    /// `seq` of the last room event there is; `nil`: none.
    public var roomSequence: Int64?
    /// `seq` of the last personal event; `nil`: none.
    public var sessionSequence: Int64?
    /// `seq` of the last packet; `nil`: none.
    public var packetSequence: UInt32?

    public init(
        token: String, roomSequence: Int64? = nil, sessionSequence: Int64? = nil, packetSequence: UInt32? = nil
    ) {
        self.token = token
        self.roomSequence = roomSequence
        self.sessionSequence = sessionSequence
        self.packetSequence = packetSequence
    }

    public static let declaration = Declaration(
        Member("token", \Self.token, .resumeToken),
        Member(optional: "room_seq", \Self.roomSequence, .count),
        Member(optional: "session_seq", \Self.sessionSequence, .count),
        Member(optional: "packet_seq", \Self.packetSequence, .anyOfType),
        make: Self.init)
}

/// `stay` in the welcome: the room that a resumed session has been in all the while.
///
/// Source: Protocol/spec/resuming.md, "The stay".
public struct ResumedStay: DeclaredObject, Equatable {
    /// Where the host of an epoch goes on.
    public struct HostPlace: DeclaredObject, Hashable {
        /// The number the host writes into its frames.
        public var epoch: UInt16
        /// The first sample that the server has not got, counted as in AUDIO_UP; `nil` in a room without audio.
        public var samplePosition: Int64?

        public init(epoch: UInt16, samplePosition: Int64?) {
            self.epoch = epoch
            self.samplePosition = samplePosition
        }

        public static let declaration = Declaration(
            Member("epoch", \Self.epoch, .epoch),
            Member(optional: "sample_pos", \Self.samplePosition, .count),
            make: Self.init)
    }

    /// The room the session is still in.
    public var room: RoomID
    /// Number of the room's last event. Events after the one the client asked with follow, or are in `snapshot`.
    public var sequence: Int64
    /// In force now.
    public var playback: Playback
    /// Playbacks with an anchor in the future, soonest first.
    public var upcoming: [Playback]
    /// The room's state, in place of events the server no longer has. `nil` if it has them all.
    public var snapshot: RoomSnapshot?
    /// Present where the session is the room's host.
    public var host: HostPlace?

    public init(
        room: RoomID, sequence: Int64, playback: Playback, upcoming: [Playback] = [], snapshot: RoomSnapshot? = nil,
        host: HostPlace? = nil
    ) {
        self.room = room
        self.sequence = sequence
        self.playback = playback
        self.upcoming = upcoming
        self.snapshot = snapshot
        self.host = host
    }

    public static let declaration = Declaration(
        Member("room", \Self.room, .roomID),
        Member("seq", \Self.sequence, .count),
        Member("playback", \Self.playback, .object),
        Member("upcoming", \Self.upcoming, .objects()),
        Member(optional: "snapshot", \Self.snapshot, .object),
        Member(optional: "host", \Self.host, .object),
        make: Self.init)
}
