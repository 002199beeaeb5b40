extension Catalogue {
    /// Sharing music and rooms with people.
    ///
    /// Source: Protocol/spec/sharing.md.
    static let sharing = Area("sharing", requests: [ShareSend.self])
}

extension Limits {
    /// The feature that announces sharing.
    public static let sharingFeature = "sharing"
    /// Bytes of what somebody writes to what they share.
    public static let shareTextBytes = 1...500
    /// Where a moment of a track can be, in seconds from its beginning.
    public static let momentSeconds: ClosedRange<Int64> = 1...999_999
}

/// `share.send`: shares a room, a track, an album or a playlist with somebody who follows one.
///
/// Source: Protocol/spec/sharing.md, "share.send".
public struct ShareSend: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "share.send"
    public static let permission: Permission? = .peopleFollow

    public var user: UserReference
    /// One of these is there.
    public var room: RoomReference?
    public var track: MusicID?
    public var album: MusicID?
    public var playlist: MusicID?
    /// 1 to 500 bytes.
    public var text: String?
    /// The moment of the track, in seconds from its beginning. `nil`: the track as a whole.
    public var seconds: Int?

    public init(
        user: UserReference, room: RoomReference? = nil, track: MusicID? = nil, album: MusicID? = nil,
        playlist: MusicID? = nil, text: String? = nil, seconds: Int? = nil
    ) {
        self.user = user
        self.room = room
        self.track = track
        self.album = album
        self.playlist = playlist
        self.text = text
        self.seconds = seconds
    }

    public static let declaration = Declaration(
        Member("user", \Self.user, .userReference),
        Member(optional: "room", \Self.room, .roomReference),
        Member(optional: "track", \Self.track, .musicID),
        Member(optional: "album", \Self.album, .musicID),
        Member(optional: "playlist", \Self.playlist, .musicID),
        Member(optional: "text", \Self.text, .text(bytes: Limits.shareTextBytes)),
        Member(optional: "at_s", \Self.seconds, .integer(Limits.momentSeconds)),
        make: Self.init)
}
