internal import SonaCrypto
internal import SonaDatabase
package import SonaWire

/// The keys by which programs that speak Icecast host rooms. Off the loop.
package struct SourceKeyStore: Sendable {
    private let dao: PlayingDAO
    private let clock: WallClock

    /// Characters of a key, ASCII letters and digits: 142 bits.
    private static let keyCount = 24

    init(_ dao: PlayingDAO, clock: WallClock) {
        self.dao = dao
        self.clock = clock
    }

    /// Makes a key in place of the one before.
    ///
    /// - Parameter actor: Who must have the capability `manage`, and in whose name the room is then hosted.
    /// - Returns: The key, which is told nowhere else.
    /// - Throws: `roomUnknown`, `roomClosed`, `forbidden`, `busy`, `storage`.
    package func make(for room: RoomID, by actor: UserID) async throws(Refusal) -> String {
        let (key, now) = (SecureRandom.alphanumeric(Self.keyCount), clock.nowMilliseconds())
        try await dao.write { db -> Void in
            try RoomRights.require(.manage, of: actor, in: room, &db)
            try db.upsert(
                SourceKeyRecord(room: room, uid: actor, digest: Self.digest(key), madeMilliseconds: now))
        }
        return key
    }

    /// - Parameter actor: Who must have the capability `manage`.
    /// - Returns: Whether there was one.
    /// - Throws: `roomUnknown`, `roomClosed`, `forbidden`, `busy`, `storage`.
    @discardableResult
    package func revoke(of room: RoomID, by actor: UserID) async throws(Refusal) -> Bool {
        try await dao.write { db in
            try RoomRights.require(.manage, of: actor, in: room, &db)
            return try db.delete(SourceKeyRecord.self, key: room)
        }
    }

    /// When the key of a room was made, milliseconds since 1970; `nil` if it has none.
    ///
    /// - Throws: `busy`, `storage`.
    package func made(of room: RoomID) async throws(Refusal) -> Int64? {
        try await dao.read { db in try db.first(SourceKeyRecord.self, key: room)?.madeMilliseconds }
    }

    /// In whose name somebody with this key hosts a room; `nil` if it is not the room's key.
    ///
    /// - Throws: `busy`, `storage`.
    package func account(_ key: String, of room: RoomID) async throws(Refusal) -> Accounts.Account? {
        let digest = Array(Self.digest(key).utf8)
        return try await dao.read { db in
            guard let record = try db.first(SourceKeyRecord.self, key: room),
                Digest.constantTimeEquals(Array(record.digest.utf8), digest),
                let user = try db.first(UserRecord.self, key: record.uid)
            else { return nil }
            return Accounts.Account(uid: user.uid, username: user.username, isGuest: false, role: user.role)
        }
    }

    private static func digest(_ key: String) -> String { Base64.encode(Digest.sha256(key.utf8)) }

    /// When the keys of an account were made, by room, for its export.
    static func exported(
        of uid: UserID, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [RoomID: Int64] {
        let records = try db.all(SourceKeyRecord.filter(SourceKeyRecord.uid == uid))
        return Dictionary(records.map { ($0.room, $0.madeMilliseconds) }, uniquingKeysWith: { $1 })
    }
}
