extension Catalogue {
    /// Rooms that play their queue by themselves.
    ///
    /// Source: Protocol/spec/autoplay.md.
    static let autoplay = Area("autoplay", requests: [AutoplayGet.self, AutoplaySet.self])
}

extension Limits {
    /// The feature that announces rooms that play by themselves.
    public static let autoplayFeature = "autoplay"
    /// The feature that announces jingles between tracks.
    public static let jinglesFeature = "jingles"
    /// After how many tracks a jingle comes.
    public static let jingleTracks: ClosedRange<Int64> = 1...100
    /// After how many minutes a jingle comes.
    public static let jingleMinutes: ClosedRange<Int64> = 1...1_440
    /// How long a jingle lasts at most, milliseconds. Longer tracks of its playlist are passed over.
    public static let jingleMillisecondsMax: Int64 = 120_000
}

/// What is played between the tracks of a room that plays by itself, and how often.
///
/// Source: Protocol/spec/autoplay.md, "Jingles".
public struct Jingles: DeclaredObject, Hashable {
    /// Jingles and station ids: tracks of the library.
    public var playlist: MusicID
    /// After so many tracks, 1 to 100.
    public var everyTracks: Int?
    /// At the first change of tracks after so many minutes, 1 to 1440.
    public var everyMinutes: Int?

    public init(playlist: MusicID, everyTracks: Int? = nil, everyMinutes: Int? = nil) {
        self.playlist = playlist
        self.everyTracks = everyTracks
        self.everyMinutes = everyMinutes
    }

    public static let declaration = Declaration(
        Member("playlist", \Self.playlist, .musicID),
        Member(optional: "every_tracks", \Self.everyTracks, .integer(Limits.jingleTracks)),
        Member(optional: "every_min", \Self.everyMinutes, .integer(Limits.jingleMinutes)),
        make: Self.init
    ).checked(
        Schema([
            "anyOf": [
                ["required": ["every_tracks"], "properties": ["every_tracks": ["type": "integer"]]],
                ["required": ["every_min"], "properties": ["every_min": ["type": "integer"]]],
            ]
        ])
    ) { jingles, fields throws(WireError) in
        guard jingles.everyTracks != nil || jingles.everyMinutes != nil else {
            throw fields.invalid("every_tracks", "must be there unless every_min is")
        }
    }
}

/// How a room plays by itself.
///
/// Source: Protocol/spec/autoplay.md, "Autoplay".
public struct Autoplay: DeclaredObject, Hashable {
    /// Whether the server takes the seat when nobody has it.
    public var isOn: Bool
    /// The playlist that it plays from while the queue is empty.
    public var playlist: MusicID?
    /// What comes between tracks, also while the schedule has the room play. `nil`: nothing.
    public var jingles: Jingles?

    public init(isOn: Bool, playlist: MusicID? = nil, jingles: Jingles? = nil) {
        self.isOn = isOn
        self.playlist = playlist
        self.jingles = jingles
    }

    public static let declaration = Declaration(
        Member("on", \Self.isOn, .flag), Member(nullable: "playlist", \Self.playlist, .musicID),
        Member(optional: "jingles", \Self.jingles, .object), make: Self.init)
}

/// The answer to `autoplay.get` and `autoplay.set`.
public struct AutoplayResult: DeclaredObject, Hashable {
    public var autoplay: Autoplay

    public init(autoplay: Autoplay) { self.autoplay = autoplay }

    public static let declaration = Declaration(Member("autoplay", \Self.autoplay, .object), make: Self.init)
}

/// `autoplay.get`: how a room plays by itself.
///
/// Source: Protocol/spec/autoplay.md, "autoplay.get".
public struct AutoplayGet: DeclaredRequest {
    public typealias Response = AutoplayResult
    public static let type = "autoplay.get"
    public static let permission: Permission? = .roomsControl

    /// The joined room if `nil`.
    public var room: RoomReference?

    public init(room: RoomReference? = nil) { self.room = room }

    public static let declaration = Declaration(Member(optional: "room", \Self.room, .roomReference), make: Self.init)
}

/// `autoplay.set`: has a room play by itself, or leave that to people.
///
/// Source: Protocol/spec/autoplay.md, "autoplay.set".
public struct AutoplaySet: DeclaredRequest {
    public typealias Response = AutoplayResult
    public static let type = "autoplay.set"
    public static let permission: Permission? = .roomsControl

    /// The joined room if `nil`.
    public var room: RoomReference?
    public var isOn: Bool
    /// `nil`: none, whatever was set before.
    public var playlist: MusicID?
    /// `nil`: none, whatever was set before.
    public var jingles: Jingles?

    public init(room: RoomReference? = nil, isOn: Bool, playlist: MusicID? = nil, jingles: Jingles? = nil) {
        self.room = room
        self.isOn = isOn
        self.playlist = playlist
        self.jingles = jingles
    }

    public static let declaration = Declaration(
        Member(optional: "room", \Self.room, .roomReference), Member("on", \Self.isOn, .flag),
        Member(optional: "playlist", \Self.playlist, .musicID), Member(optional: "jingles", \Self.jingles, .object),
        make: Self.init)
}
