internal import SonaDatabase
internal import SonaModel
internal import SonaWire

/// A service to which what an account hears is sent.
struct ScrobbleConnectionRecord: Record, Equatable {
    typealias Key = Int64

    var number: Int64?
    let uid: UserID
    /// A word of an open list.
    let service: String
    /// The beginning of the addresses; empty where the operator says it.
    let address: String
    /// The account's name at the service; empty if the service does not tell it.
    var name: String
    /// The token, sealed for this account, service and address.
    var secret: [UInt8]
    /// The service no longer takes the token.
    var isRefused = false
    /// Tells the connection from another one that has its number later.
    let sinceMilliseconds: Int64
    var sentCount: Int64 = 0
    var refusedCount: Int64 = 0
    var sentMilliseconds: Int64?
    /// Failures in a row.
    var failures = 0
    /// When it is tried again; `nil`: at once.
    var nextMilliseconds: Int64?
    var error: String?
    var errorMilliseconds: Int64?

    static let number = Column("number", \Self.number, .primaryKey)
    static let uid = Column("uid", \Self.uid, .references(UserRecord.self, onDelete: .cascade))
    static let service = Column("service", \Self.service, .byteCount(Limits.serviceWordBytes))
    static let address = Column("address", \Self.address)
    static let name = Column("name", \Self.name)
    static let secret = Column("secret", \Self.secret)
    static let isRefused = Column("is_refused", \Self.isRefused, .oneOf(false, true))
    static let since = Column("since_ms", \Self.sinceMilliseconds)
    static let sentCount = Column("sent", \Self.sentCount)
    static let refusedCount = Column("refused", \Self.refusedCount)
    static let sent = Column("sent_ms", \Self.sentMilliseconds)
    static let failures = Column("failures", \Self.failures)
    static let next = Column("next_ms", \Self.nextMilliseconds)
    static let error = Column("error", \Self.error, .byteCount(Limits.serviceWordBytes))
    static let errorTime = Column("error_ms", \Self.errorMilliseconds)

    static let table = Table<Self>(
        "scrobble_connections", number, uid, service, address, name, secret, isRefused, since, sentCount, refusedCount,
        sent, failures, next, error, errorTime,
        rules: [
            .index(
                "scrobble_connections_by_user", on: uid.ascending, service.ascending, address.ascending,
                isUnique: true)
        ])

    func bind(to values: inout Binder) {
        values.next(number)
        values.next(uid)
        values.next(service)
        values.next(address)
        values.next(name)
        values.next(secret)
        values.next(isRefused)
        values.next(sinceMilliseconds)
        values.next(sentCount)
        values.next(refusedCount)
        values.next(sentMilliseconds)
        values.next(failures)
        values.next(nextMilliseconds)
        values.next(error)
        values.next(errorMilliseconds)
    }
}

extension ScrobbleConnectionRecord {
    init(row: inout Row) throws(DatabaseError) {
        number = try row.next()
        uid = try row.next()
        service = try row.next()
        address = try row.next()
        name = try row.next()
        secret = try row.next()
        isRefused = try row.next()
        sinceMilliseconds = try row.next()
        sentCount = try row.next()
        refusedCount = try row.next()
        sentMilliseconds = try row.next()
        failures = try row.next()
        nextMilliseconds = try row.next()
        error = try row.next()
        errorMilliseconds = try row.next()
    }

    func described(waiting: Int) -> ScrobbleConnection {
        ScrobbleConnection(
            id: number ?? 0, service: service, address: address.isEmpty ? nil : address,
            name: name.isEmpty ? nil : name, state: isRefused ? .refused : .active,
            sinceMilliseconds: sinceMilliseconds, waitingCount: waiting, sentCount: sentCount,
            refusedCount: refusedCount, sentMilliseconds: sentMilliseconds, nextMilliseconds: nextMilliseconds,
            error: error, errorMilliseconds: errorMilliseconds)
    }
}

/// One listen for one connection. It is kept for a while after it was sent, so that the same hearing, reported again, is
/// not sent again.
struct ScrobbleRecord: Record, Equatable {
    typealias Key = Int64

    var number: Int64?
    let connection: Int64
    /// Names the hearing, as that of the play.
    let key: String
    /// When it began, seconds since 1970: services take a listen with the same time and track for the same.
    let atSeconds: Int64
    let title: String
    let artist: String
    /// Empty if it is not known.
    let album: String
    /// 0 if it is not known.
    let durationMilliseconds: Int64
    var sentMilliseconds: Int64?

    static let number = Column("number", \Self.number, .primaryKey)
    static let connection = Column(
        "connection", \Self.connection, .references(ScrobbleConnectionRecord.self, onDelete: .cascade))
    static let key = Column("key", \Self.key, .byteCount(1...200))
    static let at = Column("at_s", \Self.atSeconds)
    static let title = Column("title", \Self.title)
    static let artist = Column("artist", \Self.artist)
    static let album = Column("album", \Self.album)
    static let duration = Column("duration_ms", \Self.durationMilliseconds)
    static let sent = Column("sent_ms", \Self.sentMilliseconds)

    static let table = Table<Self>(
        "scrobbles", number, connection, key, at, title, artist, album, duration, sent,
        rules: [
            .index("scrobbles_by_key", on: connection.ascending, key.ascending, isUnique: true),
            .index("scrobbles_by_time", on: connection.ascending, at.ascending, isUnique: true),
            .index("waiting_scrobbles", on: connection.ascending, number.ascending, where: "sent_ms IS NULL"),
            .index("sent_scrobbles", on: sent.ascending, where: "sent_ms IS NOT NULL"),
        ])

    func bind(to values: inout Binder) {
        values.next(number)
        values.next(connection)
        values.next(key)
        values.next(atSeconds)
        values.next(title)
        values.next(artist)
        values.next(album)
        values.next(durationMilliseconds)
        values.next(sentMilliseconds)
    }
}

extension ScrobbleRecord {
    init(row: inout Row) throws(DatabaseError) {
        number = try row.next()
        connection = try row.next()
        key = try row.next()
        atSeconds = try row.next()
        title = try row.next()
        artist = try row.next()
        album = try row.next()
        durationMilliseconds = try row.next()
        sentMilliseconds = try row.next()
    }
}

/// Connections to services, and what is sent to them.
struct ScrobbleDAO: RefusingDAO {
    let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) { self.database = database }

    static func setUpTables(_ setUp: inout TableSetUp) {
        setUp.createTable(ScrobbleConnectionRecord.self)
        setUp.createTable(ScrobbleRecord.self)
    }

    static func meaning(of error: DatabaseError) -> Refusal? {
        // The account is gone.
        error.kind == .foreignKey ? .tokenInvalid : nil
    }
}
