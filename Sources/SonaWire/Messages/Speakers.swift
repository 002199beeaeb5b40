extension Limits {
    /// The feature that announces speakers.
    public static let speakersFeature = "speakers"
    /// Bytes of what tells a speaker from all others: visible ASCII.
    public static let speakerIDBytes = 1...64
    /// Bytes of a speaker's name.
    public static let speakerNameBytes = 1...64
    /// Speakers of a room.
    public static let speakersPerRoomMax = 64
    /// Percent.
    public static let speakerVolume: ClosedRange<Int64> = 0...100
    /// By how much earlier a speaker plays, because its output is late, ms.
    public static let speakerLatency: ClosedRange<Int64> = -10_000...10_000
    /// Speakers that no room has and that are remembered: those that were there last.
    public static let speakersUnassignedMax = 200
}

/// A player that speaks Snapcast's protocol, and how it is to play.
///
/// Source: Protocol/spec/other-players.md, "Speaker".
public struct Speaker: DeclaredObject, Hashable {
    /// What tells it from all others: by it the player is known.
    public var id: String
    public var name: String
    /// Percent.
    public var volume: Int
    public var isMuted: Bool
    /// By how much earlier it plays, ms.
    public var latencyMilliseconds: Int
    /// Whether it is connected now.
    public var isConnected: Bool
    /// When it came last, milliseconds since 1970; `nil`: never.
    public var seenMilliseconds: Int64?

    public init(
        id: String, name: String, volume: Int = 100, isMuted: Bool = false, latencyMilliseconds: Int = 0,
        isConnected: Bool = false, seenMilliseconds: Int64? = nil
    ) {
        (self.id, self.name, self.volume, self.isMuted) = (id, name, volume, isMuted)
        self.latencyMilliseconds = latencyMilliseconds
        self.isConnected = isConnected
        self.seenMilliseconds = seenMilliseconds
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .speakerID), Member("name", \Self.name, .line(bytes: Limits.speakerNameBytes)),
        Member("volume", \Self.volume, .integer(Limits.speakerVolume)), Member("muted", \Self.isMuted, .flag),
        Member("latency_ms", \Self.latencyMilliseconds, .integer(Limits.speakerLatency)),
        Member("connected", \Self.isConnected, .flag), Member(nullable: "seen_ms", \Self.seenMilliseconds, .wallTime),
        make: Self.init)
}

extension Form where Value == String {
    /// What a speaker calls itself.
    static var speakerID: Form {
        .parsed(
            .line(bytes: Limits.speakerIDBytes), "1 to 64 visible characters of ASCII",
            { id in
                let isRight = Limits.speakerIDBytes.contains(id.utf8.count)
                return isRight && id.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } ? id : nil
            }, text: { $0 })
    }
}

/// The answer to the requests about speakers.
public struct SpeakersResult: DeclaredObject, Hashable {
    /// The port of this server that speakers connect to; `nil`: none does.
    public var port: Int?
    /// The room's speakers, by name.
    public var speakers: [Speaker]
    /// For administrators: those that no room has, the last seen first. Else empty.
    public var unassigned: [Speaker]

    public init(port: Int?, speakers: [Speaker], unassigned: [Speaker]) {
        (self.port, self.speakers, self.unassigned) = (port, speakers, unassigned)
    }

    public static let declaration = Declaration(
        Member(nullable: "port", \Self.port, .integer(0...65_535)),
        Member("speakers", \Self.speakers, .objects(count: 0...Limits.speakersPerRoomMax)),
        Member("unassigned", \Self.unassigned, .objects(count: 0...Limits.speakersUnassignedMax)), make: Self.init)
}

/// `speaker.list`: the speakers of a room.
///
/// Source: Protocol/spec/other-players.md, "speaker.list".
public struct SpeakerList: DeclaredRequest {
    public typealias Response = SpeakersResult
    public static let type = "speaker.list"
    public static let permission: Permission? = .roomsControl

    /// The joined room if `nil`.
    public var room: RoomReference?

    public init(room: RoomReference? = nil) { self.room = room }

    public static let declaration = Declaration(Member(optional: "room", \Self.room, .roomReference), make: Self.init)
}

/// `speaker.assign`: gives a speaker to a room.
///
/// Source: Protocol/spec/other-players.md, "speaker.assign".
public struct SpeakerAssign: DeclaredRequest {
    public typealias Response = SpeakersResult
    public static let type = "speaker.assign"
    public static let permission: Permission? = .roomsControl

    /// The joined room if `nil`.
    public var room: RoomReference?
    public var speaker: String

    public init(room: RoomReference? = nil, speaker: String) {
        self.room = room
        self.speaker = speaker
    }

    public static let declaration = Declaration(
        Member(optional: "room", \Self.room, .roomReference), Member("speaker", \Self.speaker, .speakerID),
        make: Self.init)
}

/// `speaker.update`: changes how a speaker of a room plays. What is absent stays.
///
/// Source: Protocol/spec/other-players.md, "speaker.update".
public struct SpeakerUpdate: DeclaredRequest {
    public typealias Response = SpeakersResult
    public static let type = "speaker.update"
    public static let permission: Permission? = .roomsControl

    /// The joined room if `nil`.
    public var room: RoomReference?
    public var speaker: String
    public var name: String?
    public var volume: Int?
    public var isMuted: Bool?
    public var latencyMilliseconds: Int?

    public init(
        room: RoomReference? = nil, speaker: String, name: String? = nil, volume: Int? = nil, isMuted: Bool? = nil,
        latencyMilliseconds: Int? = nil
    ) {
        (self.room, self.speaker, self.name, self.volume) = (room, speaker, name, volume)
        self.isMuted = isMuted
        self.latencyMilliseconds = latencyMilliseconds
    }

    public static let declaration = Declaration(
        Member(optional: "room", \Self.room, .roomReference), Member("speaker", \Self.speaker, .speakerID),
        Member(optional: "name", \Self.name, .line(bytes: Limits.speakerNameBytes)),
        Member(optional: "volume", \Self.volume, .integer(Limits.speakerVolume)),
        Member(optional: "muted", \Self.isMuted, .flag),
        Member(optional: "latency_ms", \Self.latencyMilliseconds, .integer(Limits.speakerLatency)), make: Self.init)
}

/// `speaker.forget`: takes a speaker from a room, and forgets how it plays.
///
/// Source: Protocol/spec/other-players.md, "speaker.forget".
public struct SpeakerForget: DeclaredRequest {
    public typealias Response = SpeakersResult
    public static let type = "speaker.forget"
    public static let permission: Permission? = .roomsControl

    /// The joined room if `nil`.
    public var room: RoomReference?
    public var speaker: String

    public init(room: RoomReference? = nil, speaker: String) {
        self.room = room
        self.speaker = speaker
    }

    public static let declaration = Declaration(
        Member(optional: "room", \Self.room, .roomReference), Member("speaker", \Self.speaker, .speakerID),
        make: Self.init)
}
