internal import SonaDatabase
internal import SonaWire

/// Marks an account that nobody can sign in to yet: it waits for approval, or was rejected and will be removed.
///
/// The row is deleted when the account is approved.
struct WaitingAccountRecord: Record, Equatable {
    typealias Key = UserID

    let uid: UserID
    let sinceMilliseconds: Int64
    /// What the person wrote for the administrators.
    let introduction: String?
    /// `nil`: not decided yet.
    var rejectedMilliseconds: Int64?
    /// Why it was rejected; shown to the person.
    var reason: String?

    static let uid = Column("uid", \Self.uid, .primaryKey, .references(UserRecord.self, onDelete: .cascade))
    static let since = Column("since_ms", \Self.sinceMilliseconds)
    static let introduction = Column("introduction", \Self.introduction, .byteCount(1...1_000))
    static let rejected = Column("rejected_ms", \Self.rejectedMilliseconds)
    static let reason = Column("reason", \Self.reason, .byteCount(1...200))

    static let table = Table<Self>(
        "waiting_accounts", uid, since, introduction, rejected, reason,
        rules: [.index("waiting_accounts_by_age", on: since.ascending, uid.ascending)])

    func bind(to values: inout Binder) {
        values.next(uid)
        values.next(sinceMilliseconds)
        values.next(introduction)
        values.next(rejectedMilliseconds)
        values.next(reason)
    }
}

extension WaitingAccountRecord {
    init(row: inout Row) throws(DatabaseError) {
        uid = try row.next()
        sinceMilliseconds = try row.next()
        introduction = try row.next()
        rejectedMilliseconds = try row.next()
        reason = try row.next()
    }

    init(uid: UserID, sinceMilliseconds: Int64, introduction: String?) {
        self.uid = uid
        self.sinceMilliseconds = sinceMilliseconds
        self.introduction = introduction
    }
}
