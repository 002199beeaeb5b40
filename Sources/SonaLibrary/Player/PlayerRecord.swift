internal import SonaDatabase
internal import SonaModel
internal import SonaWire

/// What an account plays alone, without its queue: a device that plays reports every few seconds, so this row is small.
struct PlayerRecord: Record, Equatable {
    typealias Key = UserID

    let uid: UserID
    var state: PlayerState
    private var deviceID: String? { state.device?.id }
    private var deviceName: String? { state.device?.name }

    static let uid = Column("uid", \Self.uid, .primaryKey, .references(UserRecord.self, onDelete: .cascade))
    static let revision = Column("revision", \Self.state.revision, .range(1...Int64.max))
    static let queueRevision = Column("queue_revision", \Self.state.queueRevision, .range(0...Int64.max))
    static let count = Column("count", \Self.state.count, .range(0...10_000))
    static let index = Column("place", \Self.state.index, .range(0...10_000))
    static let position = Column("position_ms", \Self.state.positionMilliseconds, .range(0...604_800_000))
    static let at = Column("at_ms", \Self.state.atMilliseconds)
    static let isPlaying = Column("playing", \Self.state.isPlaying, .oneOf(false, true))
    static let speed = Column("speed_percent", \Self.state.speedPercent, .range(25...400))
    static let isShuffled = Column("shuffle", \Self.state.isShuffled, .oneOf(false, true))
    static let repeats = Column("repeat", \Self.state.repeats, .anyCase)
    static let device = Column("device", \Self.deviceID, .byteCount(1...64))
    static let deviceName = Column("device_name", \Self.deviceName, .byteCount(1...100))

    static let table = Table<Self>(
        "players", uid, revision, queueRevision, count, index, position, at, isPlaying, speed, isShuffled, repeats,
        device, deviceName)

    func bind(to values: inout Binder) {
        values.next(uid)
        values.next(state.revision)
        values.next(state.queueRevision)
        values.next(state.count)
        values.next(state.index)
        values.next(state.positionMilliseconds)
        values.next(state.atMilliseconds)
        values.next(state.isPlaying)
        values.next(state.speedPercent)
        values.next(state.isShuffled)
        values.next(state.repeats)
        values.next(deviceID)
        values.next(deviceName)
    }
}

extension PlayerRecord {
    init(row: inout Row) throws(DatabaseError) {
        uid = try row.next()
        var state = PlayerState()
        state.revision = try row.next()
        state.queueRevision = try row.next()
        state.count = try row.next()
        state.index = try row.next()
        state.positionMilliseconds = try row.next()
        state.atMilliseconds = try row.next()
        state.isPlaying = try row.next()
        state.speedPercent = try row.next()
        state.isShuffled = try row.next()
        state.repeats = try row.next()
        let id: String? = try row.next()
        let name: String? = try row.next()
        if let id, let name { state.device = PlayerDevice(id: id, name: name) }
        self.state = state
    }
}

/// The queue of what an account plays alone.
struct PlayerQueueRecord: Record, Equatable {
    typealias Key = UserID

    let uid: UserID
    var queue: SonaDatabase.JSON<PlayerQueue>

    static let uid = Column("uid", \Self.uid, .primaryKey, .references(UserRecord.self, onDelete: .cascade))
    static let queue = Column("queue", \Self.queue)

    static let table = Table<Self>("player_queues", uid, queue)

    func bind(to values: inout Binder) {
        values.next(uid)
        values.next(queue)
    }
}

extension PlayerQueueRecord {
    init(row: inout Row) throws(DatabaseError) {
        uid = try row.next()
        queue = try row.next()
    }
}

/// Tracks in the order in which they are heard.
struct PlayerQueue: Codable, Sendable, Equatable {
    var tracks: [String] = []
    /// The places of the tracks before they were shuffled, one for each; empty if they are not shuffled.
    var places: [Int64] = []
}
