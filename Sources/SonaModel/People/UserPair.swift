internal import SonaDatabase
internal import SonaWire

/// The key of a follow or a block: from one user to another.
struct UserPair: RecordKey, Hashable {
    static let columnCount = 2

    let from: UserID
    let to: UserID

    init(_ from: UserID, _ to: UserID) {
        self.from = from
        self.to = to
    }

    init(row: inout Row) throws(DatabaseError) {
        from = try row.next()
        to = try row.next()
    }

    func bind(to values: inout Binder) {
        values.next(from)
        values.next(to)
    }

    var reversed: UserPair { UserPair(to, from) }
}
