internal import SonaDatabase
internal import SonaWire

/// A password that one app of an account signs in with.
struct AppPasswordRecord: Record, Equatable {
    typealias Key = Int64

    /// Random, so that no later password is taken for one that was revoked.
    let id: Int64
    let uid: UserID
    let name: String
    /// The password, sealed for `AppPasswordSecret.context`: some protocols prove that one knows it by a hash of it.
    let sealed: [UInt8]
    /// A keyed hash of the password, which finds it without the name of the account.
    let hash: [UInt8]
    let createdMilliseconds: Int64
    var usedMilliseconds: Int64?
    /// The network from which it was used last: `AddressGroup`.
    var usedFrom: String?
    /// What the app calls itself.
    var client: String?

    static let id = Column("id", \Self.id, .primaryKey, .range(1...Limits.integerMax))
    static let uid = Column("uid", \Self.uid, .references(UserRecord.self, onDelete: .cascade))
    static let name = Column("name", \Self.name, .byteCount(Limits.appPasswordNameBytes))
    static let sealed = Column("sealed", \Self.sealed, .check("length(sealed) BETWEEN 1 AND 256"))
    static let hash = Column("hash", \Self.hash, .unique, .check("length(hash) = 32"))
    static let created = Column("created_ms", \Self.createdMilliseconds)
    static let used = Column("used_ms", \Self.usedMilliseconds)
    static let usedFrom = Column("used_from", \Self.usedFrom, .byteCount(1...64))
    static let client = Column("client", \Self.client, .byteCount(1...Limits.appClientBytesMax))

    static let table = Table<Self>(
        "app_passwords", id, uid, name, sealed, hash, created, used, usedFrom, client,
        rules: [.index("app_passwords_by_user", on: uid.ascending, created.ascending)])

    func bind(to values: inout Binder) {
        values.next(id)
        values.next(uid)
        values.next(name)
        values.next(sealed)
        values.next(hash)
        values.next(createdMilliseconds)
        values.next(usedMilliseconds)
        values.next(usedFrom)
        values.next(client)
    }
}

extension AppPasswordRecord {
    init(row: inout Row) throws(DatabaseError) {
        id = try row.next()
        uid = try row.next()
        name = try row.next()
        sealed = try row.next()
        hash = try row.next()
        createdMilliseconds = try row.next()
        usedMilliseconds = try row.next()
        usedFrom = try row.next()
        client = try row.next()
    }
}

extension AppPassword {
    init(_ record: AppPasswordRecord) {
        self.init(
            id: record.id, name: record.name, createdMilliseconds: record.createdMilliseconds,
            usedMilliseconds: record.usedMilliseconds, usedFrom: record.usedFrom, client: record.client)
    }
}
