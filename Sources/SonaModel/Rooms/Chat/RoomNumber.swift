internal import SonaDatabase
internal import SonaWire

/// The key of what a room has many of, in order: 1, 2, 3 … in each room.
///
/// Numbers of the room's own tell nobody how much is said elsewhere, and make "the newest 10 000" a comparison.
struct RoomNumber: RecordKey, Hashable {
    static let columnCount = 2

    let room: RoomID
    let number: Int64

    init(_ room: RoomID, _ number: Int64) {
        self.room = room
        self.number = number
    }

    init(row: inout Row) throws(DatabaseError) {
        room = try row.next()
        number = try row.next()
    }

    func bind(to values: inout Binder) {
        values.next(room)
        values.next(number)
    }
}
