internal import SonaDatabase
internal import SonaModel
internal import SonaWire

/// A playlist.
struct PlaylistRecord: Record, Equatable {
    typealias Key = Int64

    var number: Int64?
    let id: MusicID
    let owner: UserID
    var title: String
    /// The title as a `SearchKey`.
    var key: String
    /// Empty if there is none.
    var about = ""
    var visibility: PlaylistVisibility
    /// The rule of a smart one as JSON.
    var rule: String?
    /// Counts changes, from 1.
    var version: Int64 = 1
    /// How often all keys of entries were made anew. Cursors of before then have keys that mean nothing now.
    var generation: Int64 = 0
    var entryCount = 0
    /// The sum over the entries.
    var durationMilliseconds: Int64 = 0
    /// SHA-256 of the code by which people may become collaborators.
    var invite: [UInt8]?
    var inviteExpiresMilliseconds: Int64?
    /// The key of the request that made it.
    let requestKey: String?
    let createdMilliseconds: Int64
    var changedMilliseconds: Int64

    static let number = Column("number", \Self.number, .primaryKey)
    static let id = Column("id", \Self.id, .unique)
    static let owner = Column("owner_uid", \Self.owner, .references(UserRecord.self, onDelete: .cascade))
    static let title = Column("title", \Self.title, .byteCount(Limits.playlistTitleBytes))
    static let key = Column("key", \Self.key)
    static let about = Column("description", \Self.about, .byteCount(...Limits.playlistDescriptionBytes.upperBound))
    static let visibility = Column(
        "visibility", \Self.visibility, .check("visibility IN ('private', 'unlisted', 'public')"))
    static let rule = Column("rule", \Self.rule)
    static let version = Column("version", \Self.version)
    static let generation = Column("generation", \Self.generation)
    static let entryCount = Column("entries", \Self.entryCount, .range(0...Limits.playlistEntriesMax))
    static let duration = Column("duration_ms", \Self.durationMilliseconds)
    static let invite = Column("invite", \Self.invite)
    static let inviteExpires = Column("invite_expires_ms", \Self.inviteExpiresMilliseconds)
    static let requestKey = Column("request_key", \Self.requestKey)
    static let created = Column("created_ms", \Self.createdMilliseconds)
    static let changed = Column("changed_ms", \Self.changedMilliseconds)

    static let table = Table<Self>(
        "playlists", number, id, owner, title, key, about, visibility, rule, version, generation, entryCount, duration,
        invite, inviteExpires, requestKey, created, changed,
        rules: [
            .index("playlists_by_owner", on: owner.ascending, changed.descending, number.descending),
            .index(
                "public_playlists", on: changed.descending, number.descending, where: "visibility = 'public'"),
            .index(
                "playlists_by_request", on: owner.ascending, requestKey.ascending, isUnique: true,
                where: "request_key IS NOT NULL"),
        ], search: SearchIndex(key, prefixes: [1, 2, 3]))

    func bind(to values: inout Binder) {
        values.next(number)
        values.next(id)
        values.next(owner)
        values.next(title)
        values.next(key)
        values.next(about)
        values.next(visibility)
        values.next(rule)
        values.next(version)
        values.next(generation)
        values.next(entryCount)
        values.next(durationMilliseconds)
        values.next(invite)
        values.next(inviteExpiresMilliseconds)
        values.next(requestKey)
        values.next(createdMilliseconds)
        values.next(changedMilliseconds)
    }
}

extension PlaylistRecord {
    init(row: inout Row) throws(DatabaseError) {
        number = try row.next()
        id = try row.next()
        owner = try row.next()
        title = try row.next()
        key = try row.next()
        about = try row.next()
        visibility = try row.next()
        rule = try row.next()
        version = try row.next()
        generation = try row.next()
        entryCount = try row.next()
        durationMilliseconds = try row.next()
        invite = try row.next()
        inviteExpiresMilliseconds = try row.next()
        requestKey = try row.next()
        createdMilliseconds = try row.next()
        changedMilliseconds = try row.next()
    }
}
