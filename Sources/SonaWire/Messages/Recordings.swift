extension Limits {
    /// The feature that announces recordings.
    public static let recordingFeature = "recording"
    /// The beginning of the path of a recording's sound. Its identifier follows.
    public static let recordingsPathPrefix = "/v1/recordings/"
    /// Bytes of the recordings of a room; the oldest go first.
    public static let recordingBytesPerRoomMax: Int64 = 4 << 30
    /// Recordings of a room; the oldest go first.
    public static let recordingsPerRoomMax = 2_000
    /// Recordings in one page.
    public static let recordingPageCount: ClosedRange<Int64> = 1...200
    /// Recordings in one page if the request says nothing.
    public static let recordingPageCountDefault = 100
}

/// The sound of a host, without a gap, from one moment of a replay on.
///
/// Source: Protocol/spec/replays.md, "Recordings".
public struct Recording: DeclaredObject, Hashable {
    /// Names it for ever.
    public var id: RecordingID
    /// Milliseconds since the replay's start. Negative: it began before the replay did.
    public var atMilliseconds: Int64
    /// How long it is, ms. It grows while it goes on.
    public var lengthMilliseconds: Int64
    /// Whose sound it is.
    public var host: User
    /// Where the sound is, for the caller: a path with a token.
    public var stream: String

    public init(
        id: RecordingID, atMilliseconds: Int64, lengthMilliseconds: Int64, host: User, stream: String
    ) {
        self.id = id
        self.atMilliseconds = atMilliseconds
        self.lengthMilliseconds = lengthMilliseconds
        self.host = host
        self.stream = stream
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .recordingID),
        Member("at_ms", \Self.atMilliseconds, .integer(-Limits.replayLengthMilliseconds...Limits.integerMax)),
        Member("length_ms", \Self.lengthMilliseconds, .count),
        Member("host", \Self.host, .object),
        Member("stream", \Self.stream, .text(bytes: 1...2_048)),
        make: Self.init)
}

/// `host.record`: the host agrees to be recorded, or does not any more.
///
/// Source: Protocol/spec/replays.md, "host.record".
public struct HostRecord: DeclaredRequest {
    public typealias Response = HostRecorded
    public static let type = "host.record"
    /// `true`: the request is about its connection, so HTTP does not serve it.
    public static let needsConnection = true

    public var isOn: Bool

    public init(on isOn: Bool) { self.isOn = isOn }

    public static let declaration = Declaration(Member("on", \Self.isOn, .flag)) { Self(on: $0) }
}

/// The answer to `host.record`.
public struct HostRecorded: DeclaredObject, Equatable {
    public var isRecorded: Bool

    public init(isRecorded: Bool) { self.isRecorded = isRecorded }

    public static let declaration = Declaration(Member("recorded", \Self.isRecorded, .flag), make: Self.init)
}

/// `replay.recordings`: the sound that is kept of a replay.
///
/// Source: Protocol/spec/replays.md, "replay.recordings".
public struct ReplayRecordings: DeclaredRequest {
    public typealias Response = RecordingPage
    public static let type = "replay.recordings"
    public static let permission: Permission? = .roomsListen

    public var replay: ReplayID
    /// `nextAfter` of the page before.
    public var after: RecordingID?
    /// 1 to 200.
    public var limit: Int

    public init(replay: ReplayID, after: RecordingID? = nil, limit: Int = Limits.recordingPageCountDefault) {
        self.replay = replay
        self.after = after
        self.limit = limit
    }

    public static let declaration = Declaration(
        Member("replay", \Self.replay, .replayID),
        Member(optional: "after", \Self.after, .recordingID),
        Member(
            "limit", \Self.limit, .integer(Limits.recordingPageCount), default: Limits.recordingPageCountDefault),
        make: Self.init)
}

/// The answer to `replay.recordings`.
public struct RecordingPage: DeclaredObject, Equatable {
    /// In the order of their time.
    public var recordings: [Recording]
    /// The `after` that asks for those that follow. `nil` on the last page.
    public var nextAfter: RecordingID?

    public init(recordings: [Recording], nextAfter: RecordingID?) {
        self.recordings = recordings
        self.nextAfter = nextAfter
    }

    public static let declaration = Declaration(
        Member("recordings", \Self.recordings, .objects(count: 0...Int(Limits.recordingPageCount.upperBound))),
        Member(nullable: "next_after", \Self.nextAfter, .recordingID),
        make: Self.init)
}

/// `replay.remove_recording`: the sound of a host is removed.
///
/// Source: Protocol/spec/replays.md, "replay.remove_recording".
public struct ReplayRemoveRecording: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "replay.remove_recording"
    public static let permission: Permission? = .roomsControl

    public var recording: RecordingID

    public init(recording: RecordingID) { self.recording = recording }

    public static let declaration = Declaration(
        Member("recording", \Self.recording, .recordingID), make: Self.init)
}

extension Form where Value == RecordingID {
    static var recordingID: Form {
        .parsed(.musicID, "an identifier of a recording", RecordingID.init) { $0.rawValue }
    }
}
