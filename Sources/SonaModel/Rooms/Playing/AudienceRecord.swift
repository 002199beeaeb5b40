internal import SonaDatabase
internal import SonaWire

/// A listener of one broadcast, as far as they can be told from others: a hash under the broadcast's own key.
package struct ListenerMark: Sendable, Hashable {
    package let high: Int64
    package let low: Int64

    package init(high: Int64, low: Int64) {
        self.high = high
        self.low = low
    }
}

/// How many have listened to a broadcast of a room.
struct AudienceRecord: Record, Equatable {
    typealias Key = AudienceKey

    let room: RoomID
    /// Without its session, which the history has.
    let audience: Audience
    let updatedMilliseconds: Int64
    /// The key of the marks; `nil` once the broadcast has ended: nobody can be told from others any more.
    let salt: [UInt8]?

    static let room = Column("room_id", \Self.room, .references(RoomRecord.self, onDelete: .cascade))
    static let from = Column("from_ms", \Self.audience.fromMilliseconds)
    static let until = Column("until_ms", \Self.audience.untilMilliseconds)
    static let updated = Column("updated_ms", \Self.updatedMilliseconds)
    static let salt = Column("salt", \Self.salt)
    static let accounts = Column("accounts", \Self.audience.accounts, .check("accounts >= 0"))
    static let guests = Column("guests", \Self.audience.guests, .check("guests >= 0"))
    static let peak = Column("peak", \Self.audience.peak, .check("peak >= 0"))
    static let peakAt = Column("peak_ms", \Self.audience.peakMilliseconds)
    static let listened = Column("listened_ms", \Self.audience.listenedMilliseconds, .check("listened_ms >= 0"))

    static let table = Table<Self>(
        "room_audiences", room, from, until, updated, salt, accounts, guests, peak, peakAt, listened,
        rules: [
            .primaryKey(room, from), .index("room_audiences_open", on: updated.ascending, where: "until_ms IS NULL"),
        ])

    func bind(to values: inout Binder) {
        values.next(room)
        values.next(audience.fromMilliseconds)
        values.next(audience.untilMilliseconds)
        values.next(updatedMilliseconds)
        values.next(salt)
        values.next(audience.accounts)
        values.next(audience.guests)
        values.next(audience.peak)
        values.next(audience.peakMilliseconds)
        values.next(audience.listenedMilliseconds)
    }
}

extension AudienceRecord {
    init(row: inout Row) throws(DatabaseError) {
        room = try row.next()
        let (from, until): (Int64, Int64?) = (try row.next(), try row.next())
        updatedMilliseconds = try row.next()
        salt = try row.next()
        audience = Audience(
            fromMilliseconds: from, untilMilliseconds: until, accounts: try row.next(), guests: try row.next(),
            peak: try row.next(), peakMilliseconds: try row.next(), listenedMilliseconds: try row.next())
    }
}

/// The key of a broadcast's audience: of which room, and since when.
struct AudienceKey: RecordKey, Hashable {
    static let columnCount = 2

    let room: RoomID
    let from: Int64

    init(row: inout Row) throws(DatabaseError) {
        room = try row.next()
        from = try row.next()
    }

    func bind(to values: inout Binder) {
        values.next(room)
        values.next(from)
    }
}

/// Somebody who has listened to the broadcast that goes on in a room. They go when it ends.
struct ListenerMarkRecord: Record, Equatable {
    typealias Key = ListenerMarkKey

    let room: RoomID
    let mark: ListenerMark

    static let room = Column("room_id", \Self.room, .references(RoomRecord.self, onDelete: .cascade))
    static let high = Column("high", \Self.mark.high)
    static let low = Column("low", \Self.mark.low)

    static let table = Table<Self>("room_listener_marks", room, high, low, rules: [.primaryKey(room, high, low)])

    func bind(to values: inout Binder) {
        values.next(room)
        values.next(mark.high)
        values.next(mark.low)
    }
}

extension ListenerMarkRecord {
    init(row: inout Row) throws(DatabaseError) {
        room = try row.next()
        mark = ListenerMark(high: try row.next(), low: try row.next())
    }
}

/// The key of a mark: of which room, and which.
struct ListenerMarkKey: RecordKey, Hashable {
    static let columnCount = 3

    let room: RoomID
    let mark: ListenerMark

    init(row: inout Row) throws(DatabaseError) {
        room = try row.next()
        mark = ListenerMark(high: try row.next(), low: try row.next())
    }

    func bind(to values: inout Binder) {
        values.next(room)
        values.next(mark.high)
        values.next(mark.low)
    }
}
