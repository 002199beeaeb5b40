extension Catalogue {
    /// Rooms that play their queue by themselves.
    ///
    /// Source: Protocol/spec/autoplay.md.
    static let autoplay = Area("autoplay", requests: [AutoplayGet.self, AutoplaySet.self])
}

extension Limits {
    /// The feature that announces rooms that play by themselves.
    public static let autoplayFeature = "autoplay"
}

/// How a room plays by itself.
///
/// Source: Protocol/spec/autoplay.md, "Autoplay".
public struct Autoplay: DeclaredObject, Hashable {
    /// Whether the server takes the seat when nobody has it.
    public var isOn: Bool
    /// The playlist that it plays from while the queue is empty.
    public var playlist: MusicID?

    public init(isOn: Bool, playlist: MusicID? = nil) {
        self.isOn = isOn
        self.playlist = playlist
    }

    public static let declaration = Declaration(
        Member("on", \Self.isOn, .flag), Member(nullable: "playlist", \Self.playlist, .musicID), make: Self.init)
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

    public init(room: RoomReference? = nil, isOn: Bool, playlist: MusicID? = nil) {
        self.room = room
        self.isOn = isOn
        self.playlist = playlist
    }

    public static let declaration = Declaration(
        Member(optional: "room", \Self.room, .roomReference), Member("on", \Self.isOn, .flag),
        Member(optional: "playlist", \Self.playlist, .musicID), make: Self.init)
}
