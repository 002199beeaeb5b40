/// `resume` in `hello`: which session is to go on, and how far its client has come.
///
/// Source: Protocol/spec/resuming.md, "Asking".
public struct SessionResume: WireObject, Equatable {
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

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        token = try fields.string("token", bytes: Limits.resumeTokenBytes)
        roomSequence = try fields.integerIfPresent("room_seq", in: 0...Limits.integerMax)
        sessionSequence = try fields.integerIfPresent("session_seq", in: 0...Limits.integerMax)
        packetSequence = try fields.integerIfPresent("packet_seq", in: 0...Int64(UInt32.max)).map { UInt32($0) }
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("token", token)
            writer.member("room_seq", ifPresent: roomSequence)
            writer.member("session_seq", ifPresent: sessionSequence)
            writer.member("packet_seq", ifPresent: packetSequence.map { Int64($0) })
        }
    }
}

/// `stay` in the welcome: the room that a resumed session has been in all the while.
///
/// Source: Protocol/spec/resuming.md, "The stay".
public struct ResumedStay: WireObject, Equatable {
    /// Where the host of an epoch goes on.
    public struct HostPlace: WireObject, Hashable {
        /// What the host writes into its frames.
        public var epoch: UInt16
        /// The first sample that the server has not got, counted as in AUDIO_UP; `nil` in a room without audio.
        public var samplePosition: Int64?

        public init(epoch: UInt16, samplePosition: Int64?) {
            self.epoch = epoch
            self.samplePosition = samplePosition
        }

        public init(_ json: JSON) throws(WireError) {
            let fields = try Fields(json)
            epoch = try fields.integer("epoch", as: UInt16.self)
            samplePosition = try fields.integerIfPresent("sample_pos", in: 0...Limits.integerMax)
        }

        public func encode(into writer: inout JSONWriter) {
            writer.object { writer in
                writer.member("epoch", Int64(epoch))
                writer.member("sample_pos", ifPresent: samplePosition)
            }
        }
    }

    public var room: RoomID
    /// Number of the room's last event: those between the one asked with and this one follow, or are in `snapshot`.
    public var sequence: Int64
    /// In force now.
    public var playback: Playback
    /// Those with an anchor in the future, soonest first.
    public var upcoming: [Playback]
    /// In the place of events that the server does not have any more.
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

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        room = try fields.parsed("room", "a room identifier", RoomID.init)
        sequence = try fields.integer("seq", in: 0...Limits.integerMax)
        playback = try fields.object("playback", as: Playback.self)
        upcoming = try fields.array("upcoming", of: Playback.self)
        snapshot = try fields.objectIfPresent("snapshot", as: RoomSnapshot.self)
        host = try fields.objectIfPresent("host", as: HostPlace.self)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("room", room.rawValue)
            writer.member("seq", sequence)
            writer.member("playback", playback)
            writer.member("upcoming", upcoming)
            writer.member("snapshot", ifPresent: snapshot)
            writer.member("host", ifPresent: host)
        }
    }
}
