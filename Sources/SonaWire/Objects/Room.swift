/// Who may find and enter a room.
public enum Visibility: String, CaseIterable, Sendable {
    /// Listed; anybody may listen, guests included.
    case `public`
    /// Not listed; to all but its owner it looks as if it did not exist.
    case `private`
}

/// How a room's audio leaves the server.
public enum Delivery: String, CaseIterable, Sendable {
    /// Each packet at once.
    case interactive
    /// Up to 60 ms of packets together, which halves the work.
    case party
}

/// Whether somebody sits in a room's host seat.
public enum HostState: String, CaseIterable, Sendable {
    case none
    /// Connected.
    case here
    /// The connection was lost; the seat is kept for 60 s.
    case away
}

/// What becomes of those inside when a room turns private.
public enum PrivatePolicy: String, CaseIterable, Sendable {
    /// They stay until they leave.
    case stay
    /// All but the owner and the host are put out.
    case leave
}

/// What a member is in a room: whether its owner. `Standing` tells more.
public enum Role: String, CaseIterable, Sendable {
    case owner
    case listener
}

/// A room as everybody who may see it sees it.
///
/// Source: Protocol/spec/rooms.md, "Room".
public struct Room: WireObject, Hashable {
    public var id: RoomID
    /// One line of 1 to 200 bytes.
    public var title: String
    public var visibility: Visibility
    public var owner: User
    public var host: User?
    public var hostState: HostState
    /// Whether an epoch is going on.
    public var isLive: Bool
    public var listenerCount: Int
    public var delivery: Delivery
    /// 150 to 10 000: how far ahead of its sounding audio is sent.
    public var leadMilliseconds: Int
    /// Milliseconds since 1970, UTC.
    public var createdMilliseconds: Int64
    public var track: Track?
    /// At most eight, each one line of 1 to 32 bytes, in the owner's order.
    public var tags: [String]
    /// The wire's `description`: 1 to 1000 bytes that may hold line breaks.
    public var about: String?
    public var picture: Photo?
    /// Whether guests may enter.
    public var allowsGuests: Bool
    public var privatePolicy: PrivatePolicy
    /// Whether those without a standing or an invite have to be let in.
    public var hasWaitingRoom: Bool
    /// The wire's `chat`: who may write.
    public var chatRule: ChatRule
    /// Seconds between two messages of one person, 0 to 3600.
    public var slowModeSeconds: Int

    public init(
        id: RoomID, title: String, visibility: Visibility, owner: User, host: User? = nil,
        hostState: HostState = .none, isLive: Bool = false, listenerCount: Int = 0, delivery: Delivery = .party,
        leadMilliseconds: Int = Limits.leadMillisecondsDefault, createdMilliseconds: Int64, track: Track? = nil,
        tags: [String] = [], about: String? = nil, picture: Photo? = nil, allowsGuests: Bool = true,
        privatePolicy: PrivatePolicy = .stay, hasWaitingRoom: Bool = false, chatRule: ChatRule = .everyone,
        slowModeSeconds: Int = 0
    ) {
        self.id = id
        self.title = title
        self.visibility = visibility
        self.owner = owner
        self.host = host
        self.hostState = hostState
        self.isLive = isLive
        self.listenerCount = listenerCount
        self.delivery = delivery
        self.leadMilliseconds = leadMilliseconds
        self.createdMilliseconds = createdMilliseconds
        self.track = track
        self.tags = tags
        self.about = about
        self.picture = picture
        self.allowsGuests = allowsGuests
        self.privatePolicy = privatePolicy
        self.hasWaitingRoom = hasWaitingRoom
        self.chatRule = chatRule
        self.slowModeSeconds = slowModeSeconds
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        id = try fields.parsed("id", "a room identifier", RoomID.init)
        title = try fields.line("title", bytes: Limits.titleBytes)
        visibility = try fields.word("visibility", as: Visibility.self)
        owner = try fields.object("owner", as: User.self)
        host = try fields.objectIfPresent("host", as: User.self)
        hostState = try fields.word("host_state", as: HostState.self)
        isLive = try fields.bool("live")
        listenerCount = Int(try fields.integer("listeners", in: 0...Limits.integerMax))
        delivery = try fields.word("delivery", as: Delivery.self)
        leadMilliseconds = Int(try fields.integer("lead_ms", in: Limits.leadMilliseconds))
        createdMilliseconds = try fields.integer("created_ms", in: 0...Limits.integerMax)
        track = try fields.objectIfPresent("track", as: Track.self)
        tags = try fields.tags() ?? []
        about = try fields.stringIfPresent("description", bytes: Limits.roomDescriptionBytes)
        picture = try fields.objectIfPresent("picture", as: Photo.self)
        allowsGuests = try fields.boolIfPresent("guests") ?? true
        privatePolicy = try fields.wordIfPresent("on_private", as: PrivatePolicy.self) ?? .stay
        hasWaitingRoom = try fields.boolIfPresent("waiting_room") ?? false
        chatRule = try fields.wordIfPresent("chat", as: ChatRule.self) ?? .everyone
        slowModeSeconds = try fields.integerIfPresent("slow_mode_s", in: Limits.slowModeSeconds).map { Int($0) } ?? 0
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", id.rawValue)
            writer.member("title", title)
            writer.member("visibility", visibility.rawValue)
            writer.member("owner", owner)
            writer.member("host", orNull: host)
            writer.member("host_state", hostState.rawValue)
            writer.member("live", isLive)
            writer.member("listeners", listenerCount)
            writer.member("delivery", delivery.rawValue)
            writer.member("lead_ms", leadMilliseconds)
            writer.member("created_ms", createdMilliseconds)
            writer.member("track", orNull: track)
            writer.member("tags", tags)
            writer.member("description", orNull: about)
            writer.member("picture", orNull: picture)
            writer.member("guests", allowsGuests)
            writer.member("on_private", privatePolicy.rawValue)
            writer.member("waiting_room", hasWaitingRoom)
            writer.member("chat", chatRule.rawValue)
            writer.member("slow_mode_s", slowModeSeconds)
        }
    }

    /// The path that an image is sent to with POST to become the room's picture: `/v1/rooms/<id>/picture`.
    public static func pictureUploadPath(_ id: RoomID) -> String { "\(Limits.roomsPathPrefix)\(id)/picture" }
}

extension Fields {
    /// The tags under `tags`.
    func tags() throws(WireError) -> [String]? {
        try linesIfPresent("tags", bytes: Limits.roomTagBytes, count: Limits.roomTagCount)
    }
}
