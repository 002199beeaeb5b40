internal import SonaDatabase
internal import SonaWire

/// A player that speaks Snapcast's protocol: which room it plays, and how.
struct SpeakerRecord: Record, Equatable {
    typealias Key = String

    /// What the player calls itself.
    let id: String
    var name: String
    /// `nil`: none has it.
    var room: RoomID?
    /// Percent.
    var volume: Int
    var isMuted: Bool
    /// By how much earlier it plays, ms.
    var latencyMilliseconds: Int
    /// When it came last; `nil`: never.
    var seenMilliseconds: Int64?

    static let id = Column("id", \Self.id, .primaryKey, .byteCount(Limits.speakerIDBytes))
    static let name = Column("name", \Self.name, .byteCount(Limits.speakerNameBytes))
    static let room = Column("room_id", \Self.room, .references(RoomRecord.self, onDelete: .setNull))
    static let volume = Column("volume", \Self.volume, .range(0...100))
    static let isMuted = Column("is_muted", \Self.isMuted, .oneOf(false, true))
    static let latency = Column("latency_ms", \Self.latencyMilliseconds, .range(-10_000...10_000))
    static let seen = Column("seen_ms", \Self.seenMilliseconds)

    static let table = Table<Self>(
        "speakers", id, name, room, volume, isMuted, latency, seen,
        rules: [.index("speakers_by_room", on: room.ascending, seen.ascending)])

    func bind(to values: inout Binder) {
        values.next(id)
        values.next(name)
        values.next(room)
        values.next(volume)
        values.next(isMuted)
        values.next(latencyMilliseconds)
        values.next(seenMilliseconds)
    }

    var speaker: Speaker {
        Speaker(
            id: id, name: name, volume: volume, isMuted: isMuted, latencyMilliseconds: latencyMilliseconds,
            seenMilliseconds: seenMilliseconds)
    }
}

extension SpeakerRecord {
    init(_ id: String, name: String? = nil) {
        (self.id, self.name, room, volume, isMuted) = (id, name ?? id, nil, 100, false)
        (latencyMilliseconds, seenMilliseconds) = (0, nil)
    }

    init(row: inout Row) throws(DatabaseError) {
        id = try row.next()
        name = try row.next()
        room = try row.next()
        volume = try row.next()
        isMuted = try row.next()
        latencyMilliseconds = try row.next()
        seenMilliseconds = try row.next()
    }
}
