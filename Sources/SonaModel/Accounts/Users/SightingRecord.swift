internal import SonaDatabase
internal import SonaWire

/// When an account was last seen: when it signed in or renewed its tokens, to the day.
struct SightingRecord: Record, Equatable {
    typealias Key = UserID

    let uid: UserID
    var seenMilliseconds: Int64

    /// A sighting is written only when the one before is older than this, so that renewing costs no write of its own.
    static let stepMilliseconds: Int64 = 86_400_000

    static let uid = Column("uid", \Self.uid, .primaryKey, .references(UserRecord.self, onDelete: .cascade))
    static let seen = Column("seen_ms", \Self.seenMilliseconds)

    static let table = Table<Self>(
        "account_sightings", uid, seen, rules: [.index("account_sightings_by_time", on: seen.ascending)])

    func bind(to values: inout Binder) {
        values.next(uid)
        values.next(seenMilliseconds)
    }
}

extension SightingRecord {
    init(row: inout Row) throws(DatabaseError) {
        uid = try row.next()
        seenMilliseconds = try row.next()
    }

    /// Notes that the account was seen at `now`.
    static func note(_ uid: UserID, now: Int64, in db: inout WriteAccess) throws(DatabaseError) {
        let known = try db.first(Self.self, key: uid)
        if let known, known.seenMilliseconds > now - stepMilliseconds { return }
        try db.upsert(Self(uid: uid, seenMilliseconds: now))
    }
}
