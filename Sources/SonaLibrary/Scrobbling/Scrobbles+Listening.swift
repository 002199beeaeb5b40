internal import SonaDatabase
package import SonaModel
package import SonaWire

/// What accounts have heard, and hear.
extension Scrobbles {
    /// Writes a listen for each connection of an account, in the transaction of its play.
    ///
    /// - Parameter key: Names the hearing among all of the account: it is sent once.
    static func add(_ listen: Listen, key: String, of uid: UserID, _ db: inout WriteAccess) throws {
        guard listen.isWanted else { return }
        let connections = try db.values(
            "SELECT number FROM scrobble_connections WHERE uid = \(uid)", as: Int64.self)
        for connection in connections {
            guard try !db.exists("SELECT 1 FROM scrobbles WHERE connection = \(connection) AND key = \(key)") else {
                continue
            }
            // Some services keep one listen for each second: one that began in the same second comes after it.
            guard let at = try freeSecond(from: listen.atSeconds, of: connection, &db) else { continue }
            try db.insert(
                ScrobbleRecord(
                    number: nil, connection: connection, key: key, atSeconds: at, title: listen.title,
                    artist: listen.artist, album: listen.album, durationMilliseconds: listen.durationMilliseconds))
        }
    }

    /// The first second at or after one that has no listen of a connection; `nil` if there is none in ten minutes.
    private static func freeSecond(
        from start: Int64, of connection: Int64, _ db: inout WriteAccess
    ) throws -> Int64? {
        let taken = Set(
            try db.values(
                """
                SELECT at_s FROM scrobbles WHERE connection = \(connection)
                    AND at_s BETWEEN \(start) AND \(start + searchedSeconds)
                """, as: Int64.self))
        return (start...start + searchedSeconds).first { !taken.contains($0) }
    }

    private static let searchedSeconds: Int64 = 600

    /// Writes listens to what is no track of the library. Nothing is written for an account that listens privately.
    ///
    /// - Throws: `busy`, `storage`.
    package func add(_ listens: [(listen: Listen, key: String, uid: UserID)]) async throws(Refusal) {
        try await dao.write { db in
            for (listen, key, uid) in listens where try !Self.isPrivate(uid, &db) {
                try Self.add(listen, key: key, of: uid, &db)
            }
        }
        tell()
    }

    private static func isPrivate(_ uid: UserID, _ db: inout some DatabaseAccess & ~Copyable) throws -> Bool {
        try db.value("SELECT private FROM play_settings WHERE uid = \(uid)", as: Bool.self) ?? false
    }

    /// What an account hears just now, and where to say so. No target if it listens privately, or what it hears is not
    /// wanted.
    ///
    /// - Parameter music: A track of the library, which knows better than `listen`.
    /// - Throws: `busy`, `storage`.
    package func hearing(
        _ music: MusicID?, _ listen: Listen?, of uid: UserID
    ) async throws(Refusal) -> (listen: Listen, targets: [Target])? {
        let now = clock.nowMilliseconds()
        let found = try await dao.read { db -> (Listen, [ScrobbleConnectionRecord])? in
            guard try !Self.isPrivate(uid, &db) else { return nil }
            let known = try music.flatMap { try Self.listen(to: $0, &db) }
            guard let heard = known ?? listen, heard.isWanted else { return nil }
            // One that fails is left alone until it is due.
            let records = try db.all(
                ScrobbleConnectionRecord.self,
                "WHERE uid = \(uid) AND is_refused = 0 AND coalesce(next_ms, 0) <= \(now)")
            return (heard, records)
        }
        return found.map { ($0.0, $0.1.map(target)) }
    }

    private static func listen(
        to music: MusicID, _ db: inout some DatabaseAccess & ~Copyable
    ) throws -> Listen? {
        try db.first("SELECT title, artist, album_name, duration_ms FROM tracks WHERE id = \(music)") { row in
            Listen(
                title: try row.next(), artist: try row.next(), album: try row.next(),
                durationMilliseconds: try row.next())
        }
    }
}
