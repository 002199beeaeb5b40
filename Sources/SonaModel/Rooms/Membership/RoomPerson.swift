internal import SonaDatabase
internal import SonaWire

/// The key of what a room knows of one person.
struct RoomPerson: RecordKey, Hashable {
    static let columnCount = 2

    let room: RoomID
    let uid: UserID

    init(_ room: RoomID, _ uid: UserID) {
        self.room = room
        self.uid = uid
    }

    init(row: inout Row) throws(DatabaseError) {
        room = try row.next()
        uid = try row.next()
    }

    func bind(to values: inout Binder) {
        values.next(room)
        values.next(uid)
    }
}
