internal import SonaDatabase
internal import SonaWire

/// An invite to make an account.
struct RegistrationInviteRecord: Record, Equatable {
    typealias Key = Int64

    let id: Int64
    let code: String
    /// `nil`: any number.
    let maxUses: Int64?
    var uses: Int64 = 0
    let expiresMilliseconds: Int64
    let createdMilliseconds: Int64
    var revokedMilliseconds: Int64?
    let note: String?
    /// The administrator. `nil`: the operator, or an account that is gone.
    let by: UserID?

    static let id = Column("id", \Self.id, .primaryKey, .range(1...Int64.max))
    static let code = Column("code", \Self.code, .unique, .byteCount(Limits.registrationCodeBytes))
    static let maxUses = Column("uses_max", \Self.maxUses, .check("uses_max >= 1 AND uses <= uses_max"))
    static let uses = Column("uses", \Self.uses, .check("uses >= 0"))
    static let expires = Column("expires_ms", \Self.expiresMilliseconds)
    static let created = Column("created_ms", \Self.createdMilliseconds)
    static let revoked = Column("revoked_ms", \Self.revokedMilliseconds)
    static let note = Column("note", \Self.note, .byteCount(1...200))
    static let by = Column("by_uid", \Self.by, .references(UserRecord.self, onDelete: .setNull))

    static let table = Table<Self>(
        "registration_invites", id, code, maxUses, uses, expires, created, revoked, note, by,
        rules: [
            .index("registration_invites_by_end", on: expires.ascending),
            .index("registration_invites_by_user", on: by.ascending),
        ])

    func bind(to values: inout Binder) {
        values.next(id)
        values.next(code)
        values.next(maxUses)
        values.next(uses)
        values.next(expiresMilliseconds)
        values.next(createdMilliseconds)
        values.next(revokedMilliseconds)
        values.next(note)
        values.next(by)
    }
}

extension RegistrationInviteRecord {
    init(row: inout Row) throws(DatabaseError) {
        id = try row.next()
        code = try row.next()
        maxUses = try row.next()
        uses = try row.next()
        expiresMilliseconds = try row.next()
        createdMilliseconds = try row.next()
        revokedMilliseconds = try row.next()
        note = try row.next()
        by = try row.next()
    }

    init(
        id: Int64, code: String, maxUses: Int64?, expiresMilliseconds: Int64, createdMilliseconds: Int64,
        note: String?, by: UserID?
    ) {
        self.id = id
        self.code = code
        self.maxUses = maxUses
        self.expiresMilliseconds = expiresMilliseconds
        self.createdMilliseconds = createdMilliseconds
        self.note = note
        self.by = by
    }
}

extension RegistrationInvite {
    init(_ record: RegistrationInviteRecord) {
        self.init(
            id: record.id, code: record.code, maxUses: record.maxUses, uses: record.uses,
            expiresMilliseconds: record.expiresMilliseconds, createdMilliseconds: record.createdMilliseconds,
            revokedMilliseconds: record.revokedMilliseconds, note: record.note, by: record.by)
    }
}
