internal import SonaWire

/// What makes one page differ from another: the same face gives the same bytes.
struct PageFace: Hashable, Sendable {
    /// The name of the page, such as `room`; `lost` for an address that has none.
    var page: String
    /// A language that the site has words in.
    var language: String
    /// What the operator calls the server, and the address of its picture.
    var serverTitle = ServerProfile.standardTitle
    var serverLogo: String?
    /// Whether people may make accounts for themselves.
    var takesAccounts = true
    /// `nil` for the card of Sona itself.
    var card: PageCard?
    /// The room that the page shows, if everybody may see it.
    var room: RoomFace?
}

/// What is seen of a room before anybody has entered it.
struct RoomFace: Hashable, Sendable {
    var room: Room
    var track: Track?

    init(_ now: RoomNow) { (room, track) = (now.room, now.nowPlaying?.track ?? now.room.track) }
}
