extension Catalogue {
    /// Rooms in players that know nothing of rooms, programs that host by Icecast, and speakers.
    ///
    /// Source: Protocol/spec/other-players.md.
    static let otherPlayers = Area(
        "other-players",
        requests: [
            ListenAddresses.self, SourceGet.self, SourceMakeKey.self, SourceRevokeKey.self, SpeakerList.self,
            SpeakerAssign.self, SpeakerUpdate.self, SpeakerForget.self,
        ])
}

extension Limits {
    /// The feature that announces other players.
    public static let otherPlayersFeature = "other_players"
    /// The beginning of the paths at which other players hear rooms.
    public static let listenPathPrefix = "/listen/"
    /// Bytes of such a path with its token.
    public static let listenPathBytes = 1...1_024
    /// Bytes of a source's key.
    public static let sourceKeyBytes = 16...64
    /// Bytes of a source's mount.
    public static let mountBytes = 1...130
}

/// Where other players hear a room: paths on this server.
///
/// Source: Protocol/spec/other-players.md, "listen.addresses".
public struct ListenPaths: DeclaredObject, Hashable {
    /// Ogg Opus, and MP3.
    public var opus, mp3: String
    /// Playlist files that hold the address of the first.
    public var m3u, pls, xspf: String
    /// When they end, milliseconds since 1970; `nil` for a room that anybody may hear. Whoever has such an address hears
    /// the room as its maker.
    public var expiresMilliseconds: Int64?

    public init(opus: String, mp3: String, m3u: String, pls: String, xspf: String, expiresMilliseconds: Int64?) {
        (self.opus, self.mp3, self.m3u, self.pls, self.xspf) = (opus, mp3, m3u, pls, xspf)
        self.expiresMilliseconds = expiresMilliseconds
    }

    public static let declaration = Declaration(
        Member("opus", \Self.opus, .text(bytes: Limits.listenPathBytes)),
        Member("mp3", \Self.mp3, .text(bytes: Limits.listenPathBytes)),
        Member("m3u", \Self.m3u, .text(bytes: Limits.listenPathBytes)),
        Member("pls", \Self.pls, .text(bytes: Limits.listenPathBytes)),
        Member("xspf", \Self.xspf, .text(bytes: Limits.listenPathBytes)),
        Member(nullable: "expires_ms", \Self.expiresMilliseconds, .wallTime), make: Self.init)
}

/// `listen.addresses`: where other players hear a room.
///
/// Source: Protocol/spec/other-players.md, "listen.addresses".
public struct ListenAddresses: DeclaredRequest {
    public typealias Response = ListenPaths
    public static let type = "listen.addresses"

    /// The joined room if `nil`.
    public var room: RoomReference?

    public init(room: RoomReference? = nil) { self.room = room }

    public static let declaration = Declaration(Member(optional: "room", \Self.room, .roomReference), make: Self.init)
}

/// How a program that speaks Icecast hosts a room.
///
/// Source: Protocol/spec/other-players.md, "Source".
public struct SourceAccess: DeclaredObject, Hashable {
    /// The port of this server that takes sources; `nil`: none does.
    public var port: Int?
    public var mount: String
    /// When the room's key was made, milliseconds since 1970; `nil`: it has none.
    public var keyMadeMilliseconds: Int64?

    public init(port: Int?, mount: String, keyMadeMilliseconds: Int64?) {
        self.port = port
        self.mount = mount
        self.keyMadeMilliseconds = keyMadeMilliseconds
    }

    public static let declaration = Declaration(
        Member(nullable: "port", \Self.port, .integer(0...65_535)),
        Member("mount", \Self.mount, .text(bytes: Limits.mountBytes)),
        Member(nullable: "key_made_ms", \Self.keyMadeMilliseconds, .wallTime), make: Self.init)
}

/// The answer to `source.get` and `source.revoke_key`.
public struct SourceResult: DeclaredObject, Hashable {
    public var source: SourceAccess

    public init(source: SourceAccess) { self.source = source }

    public static let declaration = Declaration(Member("source", \Self.source, .object), make: Self.init)
}

/// The answer to `source.make_key`.
public struct SourceKeyResult: DeclaredObject, Hashable {
    /// The password of the source. It is told this once.
    public var key: String
    public var source: SourceAccess

    public init(key: String, source: SourceAccess) {
        self.key = key
        self.source = source
    }

    public static let declaration = Declaration(
        Member("key", \Self.key, .text(bytes: Limits.sourceKeyBytes)), Member("source", \Self.source, .object),
        make: Self.init)
}

/// `source.get`: how a program that speaks Icecast hosts a room.
///
/// Source: Protocol/spec/other-players.md, "source.get".
public struct SourceGet: DeclaredRequest {
    public typealias Response = SourceResult
    public static let type = "source.get"
    public static let permission: Permission? = .roomsControl

    /// The joined room if `nil`.
    public var room: RoomReference?

    public init(room: RoomReference? = nil) { self.room = room }

    public static let declaration = Declaration(Member(optional: "room", \Self.room, .roomReference), make: Self.init)
}

/// `source.make_key`: makes the key of a room's source. The one before is good no longer.
///
/// Source: Protocol/spec/other-players.md, "source.make_key".
public struct SourceMakeKey: DeclaredRequest {
    public typealias Response = SourceKeyResult
    public static let type = "source.make_key"
    public static let permission: Permission? = .roomsControl

    /// The joined room if `nil`.
    public var room: RoomReference?

    public init(room: RoomReference? = nil) { self.room = room }

    public static let declaration = Declaration(Member(optional: "room", \Self.room, .roomReference), make: Self.init)
}

/// `source.revoke_key`: takes the key of a room's source away, and ends the source.
///
/// Source: Protocol/spec/other-players.md, "source.revoke_key".
public struct SourceRevokeKey: DeclaredRequest {
    public typealias Response = SourceResult
    public static let type = "source.revoke_key"
    public static let permission: Permission? = .roomsControl

    /// The joined room if `nil`.
    public var room: RoomReference?

    public init(room: RoomReference? = nil) { self.room = room }

    public static let declaration = Declaration(Member(optional: "room", \Self.room, .roomReference), make: Self.init)
}
