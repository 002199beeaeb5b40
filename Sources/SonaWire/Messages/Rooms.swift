extension Catalogue {
    /// Rooms: making, entering, changing.
    ///
    /// Source: Protocol/spec/rooms.md.
    static let rooms = Area(
        "rooms",
        requests: [
            RoomCreate.self, RoomGet.self, RoomList.self, RoomJoin.self, RoomLeave.self, RoomUpdate.self,
            RoomClose.self, RoomRemovePicture.self, RoomTransferOffer.self, RoomTransfers.self,
            RoomAcceptTransfer.self, RoomRefuseTransfer.self, RoomsMove.self,
        ],
        events: [
            RoomUpdated.self, RoomClosed.self, RoomListeners.self, TrackChanged.self, RoomTransferChanged.self,
        ])
}

extension Limits {
    /// The beginning of the path a room's picture is sent to. The room's identifier follows. See
    /// `Room.pictureUploadPath`.
    public static let roomsPathPrefix = "/v1/rooms/"
    /// The feature that announces rooms that go on with what somebody plays alone, and the other way.
    public static let handoverFeature = "handover"
    /// The feature that announces rooms that can be heard at a lower bit rate.
    public static let dataSaverFeature = "data_saver"
    /// Bytes of a room's title.
    public static let titleBytes = 1...200
    /// Bytes of a track's title, of its artist and of its album.
    public static let trackTextBytes = 0...512
    /// Bytes of the address of a track's artwork.
    public static let artworkBytes = 1...1_024
    /// The name of the feature in the welcome.
    public static let coversFeature = "covers"
    /// Covers of tracks that a room keeps.
    public static let coversPerRoomMax = 100
    /// Default. Rooms one user may own.
    public static let roomsPerUserMax = 8
    /// Default. Listeners in one room.
    public static let listenersPerRoomMax = 100_000
    /// Rooms in one answer to `room.list`.
    public static let roomListCount: ClosedRange<Int64> = 1...200
    /// Rooms in one answer to `room.list` if the request says nothing.
    public static let roomListCountDefault = 50
    /// Tags of one room.
    public static let roomTagCount = 0...8
    /// Bytes of one tag.
    public static let roomTagBytes = 1...32
    /// Bytes of a room's description.
    public static let roomDescriptionBytes = 1...1_000
    /// How far ahead of its sounding a room sends its audio.
    public static let leadMilliseconds: ClosedRange<Int64> = 150...10_000
    /// Milliseconds of lead in a room whose maker chose nothing.
    public static let leadMillisecondsDefault = 600
}

// MARK: - Objects

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
    /// Nobody has the seat.
    case none
    /// Connected.
    case here
    /// The connection was lost; the seat is kept for 60 s.
    case away
    /// The server itself plays the room's queue.
    case server
}

/// What becomes of people inside when a room turns private.
public enum PrivatePolicy: String, CaseIterable, Sendable {
    /// They stay until they leave.
    case stay
    /// All but the owner and the host are put out.
    case leave
}

/// Whether a member owns the room. `Standing` tells more.
public enum Role: String, CaseIterable, Sendable {
    /// The user who made the room.
    case owner
    /// Everybody else in the room.
    case listener
}

/// The settings of a room, which its owner decides.
///
/// Source: Protocol/spec/rooms.md, "Room".
public struct RoomSettings: Sendable, Hashable {
    /// One line of 1 to 200 bytes.
    public var title: String
    /// Who may find and enter the room.
    public var visibility: Visibility
    /// How the room's audio leaves the server.
    public var delivery: Delivery
    /// 150 to 10 000: how far ahead of its sounding audio is sent.
    public var leadMilliseconds: Int
    /// At most eight, each one line of 1 to 32 bytes, in the owner's order.
    public var tags: [String]
    /// The wire's `description`: 1 to 1000 bytes that may hold line breaks.
    public var about: String?
    /// Whether guests may enter.
    public var allowsGuests: Bool
    /// What becomes of people inside when the room turns private.
    public var privatePolicy: PrivatePolicy
    /// Whether people without a standing or an invite have to be let in.
    public var hasWaitingRoom: Bool
    /// Who may write in the chat; `chat` on the wire.
    public var chatRule: ChatRule
    /// Seconds between two messages of one person, 0 to 3600.
    public var slowModeSeconds: Int
    /// Whether what is heard and said is kept as replays; `replays` on the wire.
    public var keepsReplays: Bool {
        get { replays == true }
        set { replays = newValue ? true : nil }
    }
    /// As it is told: `true`, or nothing. Most rooms keep none, and say nothing of it in lists.
    var replays: Bool?
    /// Whether listeners may take the sound at a lower bit rate; `data_saver` on the wire.
    public var offersDataSaver: Bool {
        get { dataSaver == true }
        set { dataSaver = newValue ? true : nil }
    }
    /// As it is told, like `replays`.
    var dataSaver: Bool?

    public init(
        title: String, visibility: Visibility = .public, delivery: Delivery = .party,
        leadMilliseconds: Int = Limits.leadMillisecondsDefault, tags: [String] = [], about: String? = nil,
        allowsGuests: Bool = true, privatePolicy: PrivatePolicy = .stay, hasWaitingRoom: Bool = false,
        chatRule: ChatRule = .everyone, slowModeSeconds: Int = 0, keepsReplays: Bool = false,
        offersDataSaver: Bool = false
    ) {
        self.title = title
        self.visibility = visibility
        self.delivery = delivery
        self.leadMilliseconds = leadMilliseconds
        self.tags = tags
        self.about = about
        self.allowsGuests = allowsGuests
        self.privatePolicy = privatePolicy
        self.hasWaitingRoom = hasWaitingRoom
        self.chatRule = chatRule
        self.slowModeSeconds = slowModeSeconds
        replays = keepsReplays ? true : nil
        dataSaver = offersDataSaver ? true : nil
    }

    /// Takes what an update gives. An empty description takes away what was there.
    public mutating func apply(_ update: RoomUpdate) {
        title = update.title ?? title
        visibility = update.visibility ?? visibility
        delivery = update.delivery ?? delivery
        leadMilliseconds = update.leadMilliseconds ?? leadMilliseconds
        tags = update.tags ?? tags
        if let text = update.about { about = text.isEmpty ? nil : text }
        allowsGuests = update.allowsGuests ?? allowsGuests
        privatePolicy = update.privatePolicy ?? privatePolicy
        hasWaitingRoom = update.hasWaitingRoom ?? hasWaitingRoom
        chatRule = update.chatRule ?? chatRule
        slowModeSeconds = update.slowModeSeconds ?? slowModeSeconds
        keepsReplays = update.keepsReplays ?? keepsReplays
        offersDataSaver = update.offersDataSaver ?? offersDataSaver
    }
}

/// A room as everybody who may see it sees it.
///
/// Source: Protocol/spec/rooms.md, "Room".
public struct Room: DeclaredObject, Hashable {
    /// Names the room for ever.
    public var id: RoomID
    /// What the owner decided.
    public var settings: RoomSettings
    /// Whose room it is.
    public var owner: User
    /// Who sits in the host seat, or `nil` if nobody or the server does.
    public var host: User?
    /// Whether the host is connected.
    public var hostState: HostState
    /// Whether what plays is what the room's queue says. `nil` exactly if nobody has the seat.
    public var hostFollowsQueue: Bool?
    /// `true`: the host's sound is recorded. Else `nil`.
    public var isRecorded: Bool?
    /// Whether an epoch is going on.
    public var isLive: Bool
    /// Members other than the host. May lag by a second, in rooms of more than a hundred by up to ten.
    public var listenerCount: Int
    /// Milliseconds since 1970, UTC.
    public var createdMilliseconds: Int64
    /// What plays, as the host says. `nil` if nothing is known.
    public var track: Track?
    /// The room's picture, or `nil` if it has none.
    public var picture: Photo?

    public init(
        id: RoomID, settings: RoomSettings, owner: User, host: User? = nil, hostState: HostState = .none,
        hostFollowsQueue: Bool? = nil, isLive: Bool = false, listenerCount: Int = 0, createdMilliseconds: Int64,
        track: Track? = nil, picture: Photo? = nil, isRecorded: Bool? = nil
    ) {
        self.isRecorded = isRecorded
        self.id = id
        self.settings = settings
        self.owner = owner
        self.host = host
        self.hostState = hostState
        self.hostFollowsQueue = hostFollowsQueue
        self.isLive = isLive
        self.listenerCount = listenerCount
        self.createdMilliseconds = createdMilliseconds
        self.track = track
        self.picture = picture
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .roomID),
        Member("title", \Self.settings.title, .line(bytes: Limits.titleBytes)),
        Member("visibility", \Self.settings.visibility, .word),
        Member("owner", \Self.owner, .object),
        Member(nullable: "host", \Self.host, .object),
        Member("host_state", \Self.hostState, .word),
        Member("live", \Self.isLive, .flag),
        Member("listeners", \Self.listenerCount, .count),
        Member("delivery", \Self.settings.delivery, .word),
        Member("lead_ms", \Self.settings.leadMilliseconds, .integer(Limits.leadMilliseconds)),
        Member("created_ms", \Self.createdMilliseconds, .wallTime),
        Member(nullable: "track", \Self.track, .object),
        Member("tags", \Self.settings.tags, .tags, default: []),
        Member(
            nullable: "description", \Self.settings.about, .text(bytes: Limits.roomDescriptionBytes),
            isRequired: false),
        Member(nullable: "picture", \Self.picture, .object, isRequired: false),
        Member("guests", \Self.settings.allowsGuests, .flag, default: true),
        Member("on_private", \Self.settings.privatePolicy, .word, default: .stay),
        Member("waiting_room", \Self.settings.hasWaitingRoom, .flag, default: false),
        Member("chat", \Self.settings.chatRule, .word, default: .everyone),
        Member("slow_mode_s", \Self.settings.slowModeSeconds, .integer(Limits.slowModeSeconds), default: 0),
        Member(optional: "follows_queue", \Self.hostFollowsQueue, .flag),
        Member(optional: "replays", \Self.settings.replays, .flag),
        Member(optional: "data_saver", \Self.settings.dataSaver, .flag),
        Member(optional: "recorded", \Self.isRecorded, .flag)
    ) {
        let settings = RoomSettings(
            title: $1, visibility: $2, delivery: $8, leadMilliseconds: $9, tags: $12, about: $13, allowsGuests: $15,
            privatePolicy: $16, hasWaitingRoom: $17, chatRule: $18, slowModeSeconds: $19,
            keepsReplays: $21 ?? false, offersDataSaver: $22 ?? false)
        return Self(
            id: $0, settings: settings, owner: $3, host: $4, hostState: $5, hostFollowsQueue: $20, isLive: $6,
            listenerCount: $7, createdMilliseconds: $10, track: $11, picture: $14, isRecorded: $23)
    }

    /// The path that an image is sent to with POST to become the room's picture: `/v1/rooms/<id>/picture`.
    public static func pictureUploadPath(_ id: RoomID) -> String { "\(Limits.roomsPathPrefix)\(id)/picture" }

    /// The path that the room's host sends the cover of a track to with POST: `/v1/rooms/<id>/covers`.
    public static func coverUploadPath(_ id: RoomID) -> String { "\(Limits.roomsPathPrefix)\(id)/covers" }
}

/// What is playing, as the host says. Every field may be unknown.
///
/// Source: Protocol/spec/rooms.md, "Track".
public struct Track: DeclaredObject, Hashable {
    /// One line of at most 512 bytes, like artist and album.
    public var title: String?
    /// One line of at most 512 bytes, or `nil` if unknown.
    public var artist: String?
    /// One line of at most 512 bytes, or `nil` if unknown.
    public var album: String?
    /// Microseconds, 0 to 2^53 − 1.
    public var durationMicroseconds: Int64?
    /// A picture: an `http` or `https` address, or a path of the server, of at most 1024 bytes.
    public var artwork: String?
    /// The track of the server's library that it is, if it is one. The host says so.
    public var music: MusicID?
    /// `true`: a jingle of a room that plays by itself. The server alone says so.
    public var jingle: Bool?

    public init(
        title: String? = nil, artist: String? = nil, album: String? = nil, durationMicroseconds: Int64? = nil,
        artwork: String? = nil, music: MusicID? = nil, jingle: Bool? = nil
    ) {
        self.title = title
        self.artist = artist
        self.album = album
        self.durationMicroseconds = durationMicroseconds
        self.artwork = artwork
        self.music = music
        self.jingle = jingle
    }

    /// Whether it is a jingle: heard, and in no history.
    public var isJingle: Bool { jingle == true }

    public static let declaration = Declaration(
        Member(nullable: "title", \Self.title, .line(bytes: Limits.trackTextBytes), isRequired: false),
        Member(nullable: "artist", \Self.artist, .line(bytes: Limits.trackTextBytes), isRequired: false),
        Member(nullable: "album", \Self.album, .line(bytes: Limits.trackTextBytes), isRequired: false),
        Member(nullable: "duration_us", \Self.durationMicroseconds, .count, isRequired: false),
        Member(optional: "artwork", \Self.artwork, .artwork),
        Member(optional: "music", \Self.music, .musicID),
        Member(optional: "jingle", \Self.jingle, .flag),
        make: Self.init)

    /// Whether a text can refer to a picture: visible ASCII that begins with `http://`, `https://` or one `/`.
    ///
    /// Other schemes are refused because players load the picture. `//` and `/\` are refused because browsers read them
    /// as an address without a scheme.
    public static func isArtwork(_ text: String) -> Bool {
        guard Limits.artworkBytes.contains(text.utf8.count), text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            return false
        }
        if text.hasPrefix("/") { return !text.hasPrefix("//") && !text.hasPrefix("/\\") }
        return ["http://", "https://"].contains { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }
    }
}

// MARK: - Requests

/// One room and what is heard in it: the answer to `room.get`.
public struct RoomNow: DeclaredObject, Equatable {
    /// The room itself.
    public var room: Room
    /// The track that is heard now. `nil` if the host named none, or nothing plays.
    public var nowPlaying: TimedTrack?
    /// Tracks announced for later, soonest first. Mostly empty.
    public var upcomingTracks: [TimedTrack]

    public init(room: Room, nowPlaying: TimedTrack? = nil, upcomingTracks: [TimedTrack] = []) {
        self.room = room
        self.nowPlaying = nowPlaying
        self.upcomingTracks = upcomingTracks
    }

    public static let declaration = Declaration(
        Member("room", \Self.room, .object),
        Member(nullable: "now_playing", \Self.nowPlaying, .object, isRequired: false),
        Member("upcoming_tracks", \Self.upcomingTracks, .objects(), default: []),
        make: Self.init)
}

/// `room.update`: changes what is given and leaves the rest.
///
/// Source: Protocol/spec/rooms.md, "room.update".
public struct RoomUpdate: DeclaredRequest {
    public typealias Response = RoomResult
    public static let type = "room.update"
    public static let permission: Permission? = .roomsControl

    /// The room to change.
    public var room: RoomReference
    /// One line of 1 to 200 bytes.
    public var title: String?
    /// At most eight of 1 to 32 bytes, in place of all there were.
    public var tags: [String]?
    /// The wire's `description`: at most 1000 bytes; empty clears it.
    public var about: String?
    /// Who may find and enter the room. `nil`: unchanged.
    public var visibility: Visibility?
    /// Whether guests may enter. `nil`: unchanged.
    public var allowsGuests: Bool?
    /// What becomes of people inside when the room turns private. `nil`: unchanged.
    public var privatePolicy: PrivatePolicy?
    /// Not while the room is live, like the lead.
    public var delivery: Delivery?
    /// 150 to 10 000.
    public var leadMilliseconds: Int?
    /// Whether people without a standing or an invite must be let in. `nil`: unchanged.
    public var hasWaitingRoom: Bool?
    /// The wire's `chat`.
    public var chatRule: ChatRule?
    /// 0 to 3600.
    public var slowModeSeconds: Int?
    /// Whether what is heard and said is kept as replays; the wire's `replays`. `nil`: unchanged.
    public var keepsReplays: Bool?
    /// Whether listeners may take the sound at a lower bit rate; the wire's `data_saver`. `nil`: unchanged.
    public var offersDataSaver: Bool?

    public init(
        room: RoomReference, title: String? = nil, tags: [String]? = nil, about: String? = nil,
        visibility: Visibility? = nil, allowsGuests: Bool? = nil, privatePolicy: PrivatePolicy? = nil,
        delivery: Delivery? = nil, leadMilliseconds: Int? = nil, hasWaitingRoom: Bool? = nil,
        chatRule: ChatRule? = nil, slowModeSeconds: Int? = nil, keepsReplays: Bool? = nil,
        offersDataSaver: Bool? = nil
    ) {
        self.room = room
        self.title = title
        self.tags = tags
        self.about = about
        self.visibility = visibility
        self.allowsGuests = allowsGuests
        self.privatePolicy = privatePolicy
        self.delivery = delivery
        self.leadMilliseconds = leadMilliseconds
        self.hasWaitingRoom = hasWaitingRoom
        self.chatRule = chatRule
        self.slowModeSeconds = slowModeSeconds
        self.keepsReplays = keepsReplays
        self.offersDataSaver = offersDataSaver
    }

    public static let declaration = Declaration(
        Member("room", \Self.room, .roomReference),
        Member(optional: "title", \Self.title, .line(bytes: Limits.titleBytes)),
        Member(optional: "tags", \Self.tags, .tags),
        Member(optional: "description", \Self.about, .text(bytes: 0...Limits.roomDescriptionBytes.upperBound)),
        Member(optional: "visibility", \Self.visibility, .word),
        Member(optional: "guests", \Self.allowsGuests, .flag),
        Member(optional: "on_private", \Self.privatePolicy, .word),
        Member(optional: "delivery", \Self.delivery, .word),
        Member(optional: "lead_ms", \Self.leadMilliseconds, .integer(Limits.leadMilliseconds)),
        Member(optional: "waiting_room", \Self.hasWaitingRoom, .flag),
        Member(optional: "chat", \Self.chatRule, .word),
        Member(optional: "slow_mode_s", \Self.slowModeSeconds, .integer(Limits.slowModeSeconds)),
        Member(optional: "replays", \Self.keepsReplays, .flag),
        Member(optional: "data_saver", \Self.offersDataSaver, .flag),
        make: Self.init)
}

/// `room.close`: the room ends for good.
///
/// Source: Protocol/spec/rooms.md, "room.close".
public struct RoomClose: RoomRequest {
    public typealias Response = Empty
    public static let type = "room.close"
    public static let permission: Permission? = .roomsControl

    /// The room to close.
    public var room: RoomReference

    public init(room: RoomReference) { self.room = room }
}

/// `room.remove_picture`: takes the room's picture away. Without one, nothing happens.
///
/// Source: Protocol/spec/rooms.md, "room.remove_picture".
public struct RoomRemovePicture: RoomRequest {
    public typealias Response = RoomResult
    public static let type = "room.remove_picture"
    public static let permission: Permission? = .roomsControl

    /// The room whose picture is removed.
    public var room: RoomReference

    public init(room: RoomReference) { self.room = room }
}

/// One room: the answer to `room.create`, `room.update`, `room.remove_picture` and to a picture that was
/// sent.
public struct RoomResult: DeclaredObject, Equatable {
    /// The room after the request.
    public var room: Room

    public init(room: Room) { self.room = room }

    public static let declaration = Declaration(Member("room", \Self.room, .object), make: Self.init)
}

/// The answer to the cover of a track.
///
/// Source: Protocol/spec/rooms.md, "Covers".
public struct CoverResult: DeclaredObject, Equatable {
    /// What the host writes into the track: a path of this server.
    public var artwork: String

    public init(artwork: String) { self.artwork = artwork }

    public static let declaration = Declaration(Member("artwork", \Self.artwork, .artwork), make: Self.init)
}

/// A page of rooms: the answer to `room.list`.
public struct RoomPage: DeclaredObject, Equatable {
    /// The rooms of this page.
    public var rooms: [Room]
    /// The cursor that asks for the next page. `nil` on the last page.
    public var nextCursor: String?

    public init(rooms: [Room], nextCursor: String?) {
        self.rooms = rooms
        self.nextCursor = nextCursor
    }

    public static let declaration = Declaration(
        Member("rooms", \Self.rooms, .objects()),
        Member(nullable: "next_cursor", \Self.nextCursor, .cursor),
        make: Self.init)
}

/// Everything a member needs to know on entering: the answer to `room.join`.
///
/// Source: Protocol/spec/rooms.md, "room.join".
public struct RoomSnapshot: DeclaredObject, Equatable {
    /// What the member is in the room.
    public struct Membership: DeclaredObject, Hashable {
        /// Whether the member owns the room.
        public var role: Role
        /// What the member is in the room.
        public var standing: Standing
        /// Capabilities by standing and invite: words of 1 to 64 bytes. Newer servers may use further words.
        public var may: [String]
        /// Whether the member is counted but not named to others.
        public var isGhost: Bool
        /// Milliseconds since 1970, UTC. `Limits.integerMax`: until a moderator lifts it. `nil`: not muted.
        public var mutedUntilMilliseconds: Int64?

        /// - Parameters:
        ///   - standing: What the role says if left out.
        ///   - may: The standing's capabilities if left out.
        public init(
            role: Role, standing: Standing? = nil, may: [String]? = nil, isGhost: Bool = false,
            mutedUntilMilliseconds: Int64? = nil
        ) {
            self.role = role
            self.standing = standing ?? (role == .owner ? .owner : .listener)
            self.may = may ?? Capability.words(self.standing.capabilities)
            self.isGhost = isGhost
            self.mutedUntilMilliseconds = mutedUntilMilliseconds
        }

        public static let declaration = Declaration(
            Member("role", \Self.role, .word),
            Member(newer: "standing", \Self.standing, .word),
            Member(newer: "may", \Self.may, .capabilities),
            Member("ghost", \Self.isGhost, .flag, default: false),
            Member(optional: "muted_until_ms", \Self.mutedUntilMilliseconds, .wallTime),
            make: Self.init)

        /// Whether they may do this by standing and invite; a rule of the room or a mute may stand in the way.
        public func may(_ capability: Capability) -> Bool { may.contains(capability.rawValue) }
    }

    /// The room itself.
    public var room: Room
    /// Number of the room's last event that the snapshot includes.
    public var seq: Int64
    /// What the caller is in the room.
    public var you: Membership
    /// The newest epoch, sounding or to come; `nil` if no audio is on.
    public var stream: StreamInfo?
    /// Every epoch of which the joiner gets packets, oldest first; the last one is `stream`.
    public var streams: [StreamInfo]
    /// In force now.
    public var playback: Playback
    /// Playbacks with an anchor in the future, soonest first. Mostly empty.
    public var upcoming: [Playback]
    /// The track that is heard now. `nil` if the host named none, or nothing plays.
    public var nowPlaying: TimedTrack?
    /// Tracks announced for later, soonest first. Mostly empty.
    public var upcomingTracks: [TimedTrack]
    /// The newest messages, at most 50 in `Limits.chatBytesMax` bytes, oldest first.
    public var chat: [ChatMessage]
    /// `true`: the packets come at a lower bit rate, as `room.join` wished. Else `nil`.
    public var savesData: Bool?

    public init(
        room: Room, seq: Int64, you: Membership, stream: StreamInfo?, streams: [StreamInfo]? = nil, playback: Playback,
        upcoming: [Playback] = [], nowPlaying: TimedTrack? = nil, upcomingTracks: [TimedTrack] = [],
        chat: [ChatMessage] = [], savesData: Bool? = nil
    ) {
        self.savesData = savesData
        self.room = room
        self.seq = seq
        self.you = you
        self.stream = stream
        self.streams = streams ?? (stream.map { [$0] } ?? [])
        self.playback = playback
        self.upcoming = upcoming
        self.nowPlaying = nowPlaying
        self.upcomingTracks = upcomingTracks
        self.chat = chat
    }

    public static let declaration = Declaration(
        Member("room", \Self.room, .object),
        Member("seq", \Self.seq, .count),
        Member("you", \Self.you, .object),
        Member(nullable: "stream", \Self.stream, .object),
        Member("streams", \Self.streams, .objects()),
        Member("playback", \Self.playback, .object),
        Member("upcoming", \Self.upcoming, .objects()),
        Member(nullable: "now_playing", \Self.nowPlaying, .object, isRequired: false),
        Member("upcoming_tracks", \Self.upcomingTracks, .objects(), default: []),
        Member("chat", \Self.chat, .objects(count: 0...Limits.chatSnapshotCount), default: []),
        Member(optional: "data_saver", \Self.savesData, .flag),
        make: Self.init)
}

/// `room.create`: makes a room that the user owns.
///
/// Source: Protocol/spec/rooms.md, "room.create".
public struct RoomCreate: DeclaredRequest {
    public typealias Response = RoomResult
    public static let type = "room.create"
    public static let permission: Permission? = .roomsCreate

    /// What the room is to be. Without a title the server finds one. A waiting room and the rules of the chat come with
    /// `room.update`: this message does not carry them.
    public var settings: RoomSettings
    /// Has the room play by itself what the account plays alone, from this place on. `nil`: the room is silent at first.
    public var fromPlayer: PlayerPlace?

    public init(_ settings: RoomSettings = RoomSettings(title: ""), fromPlayer: PlayerPlace? = nil) {
        self.settings = settings
        self.fromPlayer = fromPlayer
    }

    private var title: String? { settings.title.isEmpty ? nil : settings.title }

    public static let declaration = Declaration(
        Member(optional: "title", \Self.title, .line(bytes: Limits.titleBytes)),
        Member("visibility", \Self.settings.visibility, .word, default: .public),
        Member("delivery", \Self.settings.delivery, .word, default: .party),
        Member(
            "lead_ms", \Self.settings.leadMilliseconds, .integer(Limits.leadMilliseconds),
            default: Limits.leadMillisecondsDefault),
        Member("tags", \Self.settings.tags, .tags, default: []),
        Member(optional: "description", \Self.settings.about, .text(bytes: Limits.roomDescriptionBytes)),
        Member("guests", \Self.settings.allowsGuests, .flag, default: true),
        Member("on_private", \Self.settings.privatePolicy, .word, default: .stay),
        Member(optional: "from_player", \Self.fromPlayer, .object)
    ) {
        Self(
            RoomSettings(
                title: $0 ?? "", visibility: $1, delivery: $2, leadMilliseconds: $3, tags: $4, about: $5,
                allowsGuests: $6, privatePolicy: $7),
            fromPlayer: $8)
    }
}

/// The place in the present track of what an account plays alone.
///
/// Source: Protocol/spec/rooms.md, "room.create".
public struct PlayerPlace: DeclaredObject, Hashable {
    /// Microseconds in the track. `nil`: where the server has it.
    public var positionMicroseconds: Int64?
    /// The server time at which it is there. `nil`: now.
    public var atMicroseconds: Int64?

    public init(positionMicroseconds: Int64? = nil, atMicroseconds: Int64? = nil) {
        self.positionMicroseconds = positionMicroseconds
        self.atMicroseconds = atMicroseconds
    }

    public static let declaration = Declaration(
        Member(optional: "position_us", \Self.positionMicroseconds, .position),
        Member(optional: "at_us", \Self.atMicroseconds, .serverTime),
        make: Self.init)
}

/// `room.get`: one room as it is now.
///
/// Source: Protocol/spec/rooms.md, "room.get".
public struct RoomGet: RoomRequest {
    public typealias Response = RoomNow
    public static let type = "room.get"

    /// The room to look up.
    public var room: RoomReference

    public init(room: RoomReference) { self.room = room }
}

/// `room.list`: public rooms, or the user's own, a page at a time.
///
/// Source: Protocol/spec/rooms.md, "room.list".
public struct RoomList: DeclaredRequest {
    public typealias Response = RoomPage
    public static let type = "room.list"

    /// 1 to 200.
    public var limit: Int
    /// `nextCursor` of the page before.
    public var cursor: String?
    /// `true`: the caller's own rooms, private ones included. `false`: public rooms of everybody.
    public var isMine: Bool

    public init(limit: Int = Limits.roomListCountDefault, cursor: String? = nil, isMine: Bool = false) {
        self.limit = limit
        self.cursor = cursor
        self.isMine = isMine
    }

    public static let declaration = Declaration(
        Member("limit", \Self.limit, .integer(Limits.roomListCount), default: Limits.roomListCountDefault),
        Member(optional: "cursor", \Self.cursor, .cursor),
        Member("mine", \Self.isMine, .flag, default: false),
        make: Self.init)
}

/// `room.join`: enters a room, leaving the one before.
///
/// Source: Protocol/spec/rooms.md, "room.join".
public struct RoomJoin: DeclaredRequest {
    public typealias Response = RoomSnapshot
    public static let type = "room.join"
    /// `true`: the request is about its connection, so HTTP does not serve it.
    public static let needsConnection = true
    public static let permission: Permission? = .roomsListen

    /// The room to enter.
    public var room: RoomReference
    /// Whether to send audio; positions and events come in any case.
    public var wantsAudio: Bool
    /// The code of an invite, 1 to 200 bytes; whether it is good, only the server knows.
    public var invite: String?
    /// Whether to be there unseen: counted, but in no list.
    public var isGhost: Bool
    /// Whether the sound is wished at a lower bit rate, where the room offers that.
    public var savesData: Bool { dataSaver == true }
    private var dataSaver: Bool?

    public init(
        room: RoomReference, wantsAudio: Bool = true, invite: String? = nil, isGhost: Bool = false,
        savesData: Bool? = nil
    ) {
        self.room = room
        self.wantsAudio = wantsAudio
        self.invite = invite
        self.isGhost = isGhost
        dataSaver = savesData
    }

    public static let declaration = Declaration(
        Member("room", \Self.room, .roomReference),
        Member("audio", \Self.wantsAudio, .flag, default: true),
        Member(optional: "invite", \Self.invite, .text(bytes: Limits.inviteCodeBytes)),
        Member("ghost", \Self.isGhost, .flag, default: false),
        Member(optional: "data_saver", \Self.dataSaver, .flag),
        make: Self.init)
}

/// `room.leave`: leaves the room the connection is in.
///
/// Source: Protocol/spec/rooms.md, "room.leave".
public struct RoomLeave: DeclaredRequest {
    public typealias Response = RoomLeft
    public static let type = "room.leave"
    /// `true`: the request is about its connection, so HTTP does not serve it.
    public static let needsConnection = true

    /// Whether the account goes on alone with what the room plays. `nil`: no.
    public var keepsListening: Bool?

    public init(keepsListening: Bool? = nil) { self.keepsListening = keepsListening }

    public static let declaration = Declaration(
        Member(optional: "keep_listening", \Self.keepsListening, .flag), make: Self.init)
}

/// The answer to `room.leave`.
public struct RoomLeft: DeclaredObject, Equatable {
    /// What the account plays alone from now on. `nil`: nothing of the room.
    public var player: PlayerState?
    /// The server's wall clock, milliseconds since 1970. `nil` without a player.
    public var nowMilliseconds: Int64?

    public init(player: PlayerState? = nil, nowMilliseconds: Int64? = nil) {
        self.player = player
        self.nowMilliseconds = nowMilliseconds
    }

    public static let declaration = Declaration(
        Member(optional: "player", \Self.player, .object),
        Member(optional: "now_ms", \Self.nowMilliseconds, .wallTime), make: Self.init)
}

// MARK: - Events

/// `room.updated`: something about the room has changed; here is all of it.
///
/// Source: Protocol/spec/rooms.md, "room.updated".
public struct RoomUpdated: DeclaredEvent {
    public static let type = "room.updated"

    /// The room after the change.
    public var room: Room

    public init(room: Room) { self.room = room }

    public static let declaration = Declaration(Member("room", \Self.room, .object), make: Self.init)
}

/// `room.closed`: the room is gone, and the connection is in none.
///
/// Source: Protocol/spec/rooms.md, "room.closed".
public struct RoomClosed: DeclaredEvent {
    public static let type = "room.closed"

    /// A word for programs, 1 to 64 bytes; new ones may come.
    public var reason: String

    public init(reason: String) { self.reason = reason }

    public static let declaration = Declaration(
        Member("reason", \Self.reason, .line(bytes: Limits.reasonBytes)),
        make: Self.init)
}

/// `room.listeners`: how many listen. Live only, at most once a second.
///
/// Source: Protocol/spec/rooms.md, "room.listeners".
public struct RoomListeners: DeclaredEvent {
    public static let type = "room.listeners"
    public static let scope = EventScope.roomLive

    /// Members other than the host.
    public var count: Int

    public init(count: Int) { self.count = count }

    public static let declaration = Declaration(Member("count", \Self.count, .count), make: Self.init)
}

/// `track.changed`: from `atMicroseconds` on something else is playing.
///
/// Source: Protocol/spec/rooms.md, "track.changed".
public struct TrackChanged: DeclaredEvent {
    public static let type = "track.changed"

    /// What plays from then on, as the host says.
    public var track: Track
    /// Server time, possibly in the future.
    public var atMicroseconds: Int64

    public init(track: Track, atMicroseconds: Int64) {
        self.track = track
        self.atMicroseconds = atMicroseconds
    }

    public static let declaration = Declaration(
        Member("track", \Self.track, .object),
        Member("at_us", \Self.atMicroseconds, .serverTime),
        make: Self.init)
}

// MARK: - Forms

extension Form where Value == String {
    fileprivate static var artwork: Form {
        .parsed(
            Schema.ascii(
                Limits.artworkBytes, pattern: "^(https?://[!-~]|/([^/\\\\]|$))", without: "[^!-~]"
            ).described("http or https, or a path of the server; visible ASCII.").named("artwork"),
            "an http or https address, or a path of this server", { Track.isArtwork($0) ? $0 : nil }
        ) { $0 }
    }
}
