extension Catalogue {
    /// What an account plays alone, on all its devices.
    ///
    /// Source: Protocol/spec/player.md.
    static let player = Area(
        "player", requests: [PlayerGet.self, PlayerUpdate.self, PlayerTransfer.self, PlayerAnnounce.self],
        events: [PlayerChanged.self, PlayerDevicesChanged.self])
}

extension Limits {
    /// The feature that announces the player.
    public static let playerFeature = "player"
    /// Tracks of the queue that an account plays alone.
    public static let playerTracksMax = 10_000
    /// Tracks of one piece of a queue that is sent: it fits one message.
    public static let playerPieceMax = 1_500
    /// Tracks of one answer to `player.get`.
    public static let playerPage: ClosedRange<Int64> = 0...200
    public static let playerPageDefault = 100
    /// Bytes of the identifier that a device has given itself, and of its name.
    public static let playerDeviceBytes = 1...64
    public static let playerDeviceNameBytes = 1...100
    /// Milliseconds of a place in a track.
    public static let playerPosition: ClosedRange<Int64> = 0...(7 * 86_400_000)
    /// Speed in percent.
    public static let playerSpeed: ClosedRange<Int64> = 25...400
    /// A device that plays says where it is at least this often, ms; else it counts as paused.
    public static let playerLeaseMilliseconds: Int64 = 30_000
    /// Devices that one account has announced at a time.
    public static let playerDevicesMax = 20
}

// MARK: - Objects

/// What follows the last track of the queue, or each track.
public enum PlayerRepeat: String, CaseIterable, Sendable {
    case off, all, one
}

/// A connection that can play, or the last one that did.
public struct PlayerDevice: DeclaredObject, Hashable {
    /// What the device calls itself, the same each time it comes.
    public var id: String
    /// For people.
    public var name: String

    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .line(bytes: Limits.playerDeviceBytes)),
        Member("name", \Self.name, .line(bytes: Limits.playerDeviceNameBytes)), make: Self.init)
}

/// What an account plays alone, without the tracks.
///
/// While it plays, the place at the time t is `position + (t − at) · speed / 100`.
///
/// Source: Protocol/spec/player.md, "Player".
public struct PlayerState: DeclaredObject, Equatable {
    /// 0: nothing was ever played.
    public var revision: Int64
    /// The revision that changed the tracks last.
    public var queueRevision: Int64
    /// Tracks in the queue.
    public var count: Int
    /// The place of the present track, from 0.
    public var index: Int
    public var positionMilliseconds: Int64
    /// The server's wall clock at that position, milliseconds since 1970.
    public var atMilliseconds: Int64
    public var isPlaying: Bool
    public var speedPercent: Int
    public var isShuffled: Bool
    public var repeats: PlayerRepeat
    /// The device that plays, or was the last to. `nil`: none yet.
    public var device: PlayerDevice?

    public init(
        revision: Int64 = 0, queueRevision: Int64 = 0, count: Int = 0, index: Int = 0, positionMilliseconds: Int64 = 0,
        atMilliseconds: Int64 = 0, isPlaying: Bool = false, speedPercent: Int = 100, isShuffled: Bool = false,
        repeats: PlayerRepeat = .off, device: PlayerDevice? = nil
    ) {
        self.revision = revision
        self.queueRevision = queueRevision
        self.count = count
        self.index = index
        self.positionMilliseconds = positionMilliseconds
        self.atMilliseconds = atMilliseconds
        self.isPlaying = isPlaying
        self.speedPercent = speedPercent
        self.isShuffled = isShuffled
        self.repeats = repeats
        self.device = device
    }

    public static let declaration = Declaration(
        Member("revision", \Self.revision, .count), Member("queue_revision", \Self.queueRevision, .count),
        Member("count", \Self.count, .integer(0...Int64(Limits.playerTracksMax))),
        Member("index", \Self.index, .integer(0...Int64(Limits.playerTracksMax))),
        Member("position_ms", \Self.positionMilliseconds, .integer(Limits.playerPosition)),
        Member("at_ms", \Self.atMilliseconds, .wallTime), Member("playing", \Self.isPlaying, .flag),
        Member("speed_percent", \Self.speedPercent, .integer(Limits.playerSpeed)),
        Member("shuffle", \Self.isShuffled, .flag), Member("repeat", \Self.repeats, .word),
        Member(nullable: "device", \Self.device, .object), make: Self.init)
}

/// One track of the queue.
public struct PlayerItem: DeclaredObject, Equatable {
    public var id: MusicID
    /// Its place before the queue was shuffled. `nil`: it is not shuffled.
    public var place: Int?
    /// `nil` if the account does not see the track any more.
    public var track: MusicTrack?

    public init(id: MusicID, place: Int? = nil, track: MusicTrack? = nil) {
        self.id = id
        self.place = place
        self.track = track
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .musicID),
        Member(optional: "place", \Self.place, .integer(0...Int64(Limits.playerTracksMax))),
        Member(optional: "track", \Self.track, .object), make: Self.init)
}

// MARK: - Requests

/// `player.get`: what the account plays alone, with some of its tracks and the devices that are there.
///
/// Source: Protocol/spec/player.md, "player.get".
public struct PlayerGet: DeclaredRequest {
    public typealias Response = PlayerPage
    public static let type = "player.get"
    public static let permission: Permission? = .libraryCollect

    /// The place of the first track that is asked for. `nil`: the tracks about the present one.
    public var from: Int?
    /// 0 to 200.
    public var limit: Int

    public init(from: Int? = nil, limit: Int = Limits.playerPageDefault) {
        self.from = from
        self.limit = limit
    }

    public static let declaration = Declaration(
        Member(optional: "from", \Self.from, .integer(0...Int64(Limits.playerTracksMax))),
        Member("limit", \Self.limit, .integer(Limits.playerPage), default: Limits.playerPageDefault), make: Self.init)
}

/// The answer to `player.get`.
public struct PlayerPage: DeclaredObject, Equatable {
    public var player: PlayerState
    /// The server's wall clock, milliseconds since 1970.
    public var nowMilliseconds: Int64
    /// The place of the first of `items`.
    public var from: Int
    public var items: [PlayerItem]
    public var devices: [PlayerDevice]

    public init(
        player: PlayerState, nowMilliseconds: Int64, from: Int, items: [PlayerItem], devices: [PlayerDevice] = []
    ) {
        self.player = player
        self.nowMilliseconds = nowMilliseconds
        self.from = from
        self.items = items
        self.devices = devices
    }

    public static let declaration = Declaration(
        Member("player", \Self.player, .object), Member("now_ms", \Self.nowMilliseconds, .wallTime),
        Member("from", \Self.from, .integer(0...Int64(Limits.playerTracksMax))),
        Member("items", \Self.items, .objects()), Member("devices", \Self.devices, .objects()), make: Self.init)
}

/// `player.update`: changes what the account plays alone, or tells where it is. What is `nil` stays.
///
/// Source: Protocol/spec/player.md, "player.update".
public struct PlayerUpdate: DeclaredRequest {
    public typealias Response = PlayerResult
    public static let type = "player.update"
    public static let permission: Permission? = .libraryCollect

    /// The revision that the client knows. `nil`: a report of the place alone.
    public var revision: Int64?
    /// The device that plays from now on, if the update has it play; that reports, if it is a report.
    public var device: PlayerDevice?
    /// The queue, or the first piece of it.
    public var tracks: [MusicID]?
    /// The places of these tracks before the queue was shuffled.
    public var places: [Int64]?
    /// The tracks go to the end of the queue.
    public var isAppended: Bool
    public var index: Int?
    public var positionMilliseconds: Int64?
    public var isPlaying: Bool?
    public var speedPercent: Int?
    public var isShuffled: Bool?
    public var repeats: PlayerRepeat?

    public init(
        revision: Int64? = nil, device: PlayerDevice? = nil, tracks: [MusicID]? = nil, places: [Int64]? = nil,
        isAppended: Bool = false, index: Int? = nil, positionMilliseconds: Int64? = nil, isPlaying: Bool? = nil,
        speedPercent: Int? = nil, isShuffled: Bool? = nil, repeats: PlayerRepeat? = nil
    ) {
        self.revision = revision
        self.device = device
        self.tracks = tracks
        self.places = places
        self.isAppended = isAppended
        self.index = index
        self.positionMilliseconds = positionMilliseconds
        self.isPlaying = isPlaying
        self.speedPercent = speedPercent
        self.isShuffled = isShuffled
        self.repeats = repeats
    }

    public static let declaration = Declaration(
        Member(optional: "revision", \Self.revision, .count), Member(optional: "device", \Self.device, .object),
        Member(optional: "tracks", \Self.tracks, .musicIDs(count: 0...Limits.playerPieceMax)),
        Member(
            optional: "places", \Self.places,
            .integers(0...Int64(Limits.playerTracksMax), count: 0...Limits.playerPieceMax)),
        Member("append", \Self.isAppended, .flag, default: false),
        Member(optional: "index", \Self.index, .integer(0...Int64(Limits.playerTracksMax))),
        Member(optional: "position_ms", \Self.positionMilliseconds, .integer(Limits.playerPosition)),
        Member(optional: "playing", \Self.isPlaying, .flag),
        Member(optional: "speed_percent", \Self.speedPercent, .integer(Limits.playerSpeed)),
        Member(optional: "shuffle", \Self.isShuffled, .flag), Member(optional: "repeat", \Self.repeats, .word),
        make: Self.init)
}

/// The answer to `player.update` and `player.transfer`.
public struct PlayerResult: DeclaredObject, Equatable {
    /// Whether it was done. `false`: somebody else was faster, and `player` is what they made of it.
    public var isStored: Bool
    public var player: PlayerState
    /// The server's wall clock, milliseconds since 1970.
    public var nowMilliseconds: Int64

    public init(isStored: Bool, player: PlayerState, nowMilliseconds: Int64) {
        self.isStored = isStored
        self.player = player
        self.nowMilliseconds = nowMilliseconds
    }

    public static let declaration = Declaration(
        Member("stored", \Self.isStored, .flag), Member("player", \Self.player, .object),
        Member("now_ms", \Self.nowMilliseconds, .wallTime), make: Self.init)
}

/// `player.transfer`: has another device go on.
///
/// Source: Protocol/spec/player.md, "player.transfer".
public struct PlayerTransfer: DeclaredRequest {
    public typealias Response = PlayerResult
    public static let type = "player.transfer"
    public static let permission: Permission? = .libraryCollect

    public var device: String
    /// Whether it plays then. `nil`: as before.
    public var isPlaying: Bool?

    public init(device: String, isPlaying: Bool? = nil) {
        self.device = device
        self.isPlaying = isPlaying
    }

    public static let declaration = Declaration(
        Member("device", \Self.device, .line(bytes: Limits.playerDeviceBytes)),
        Member(optional: "playing", \Self.isPlaying, .flag), make: Self.init)
}

/// `player.announce`: this connection can play, or no longer.
///
/// Source: Protocol/spec/player.md, "player.announce".
public struct PlayerAnnounce: DeclaredRequest {
    public typealias Response = PlayerDeviceList
    public static let type = "player.announce"
    public static let permission: Permission? = .libraryCollect
    public static let needsConnection = true

    /// `nil`: it is no device any more.
    public var device: PlayerDevice?

    public init(device: PlayerDevice?) { self.device = device }

    public static let declaration = Declaration(
        Member(nullable: "device", \Self.device, .object, isRequired: false), make: Self.init)
}

/// The devices of an account that are there.
public struct PlayerDeviceList: DeclaredObject, Equatable {
    public var devices: [PlayerDevice]

    public init(devices: [PlayerDevice]) { self.devices = devices }

    public static let declaration = Declaration(Member("devices", \Self.devices, .objects()), make: Self.init)
}

// MARK: - Events

/// `player.changed`: the account plays something else alone, or elsewhere. To all its connections but the one that did it.
///
/// Source: Protocol/spec/player.md, "player.changed".
public struct PlayerChanged: DeclaredEvent {
    public static let type = "player.changed"
    public static let scope = EventScope.personal

    public var player: PlayerState
    /// The server's wall clock, milliseconds since 1970.
    public var nowMilliseconds: Int64

    public init(player: PlayerState, nowMilliseconds: Int64) {
        self.player = player
        self.nowMilliseconds = nowMilliseconds
    }

    public static let declaration = Declaration(
        Member("player", \Self.player, .object), Member("now_ms", \Self.nowMilliseconds, .wallTime), make: Self.init)
}

/// `player.devices`: devices of the account have come or gone. To its devices.
///
/// Source: Protocol/spec/player.md, "player.devices".
public struct PlayerDevicesChanged: DeclaredEvent {
    public static let type = "player.devices"
    public static let scope = EventScope.personal

    public var devices: [PlayerDevice]

    public init(devices: [PlayerDevice]) { self.devices = devices }

    public static let declaration = Declaration(Member("devices", \Self.devices, .objects()), make: Self.init)
}
