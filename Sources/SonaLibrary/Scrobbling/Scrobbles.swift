internal import SonaBase
internal import SonaCrypto
internal import SonaDatabase
package import SonaModel
package import SonaWire

/// The services to which accounts send what they hear, and the listens that wait for them.
///
/// A listen is written in the transaction of its play, and marked as sent after the service has taken it. A server that is
/// killed between the two sends it again with the same time, by which services know it.
///
/// Source: Protocol/spec/scrobbling.md.
package final class Scrobbles: Sendable {
    /// What was heard.
    package struct Listen: Sendable, Equatable {
        package var title: String
        package var artist: String
        /// Empty if it is not known.
        package var album: String
        /// 0 if it is not known.
        package var durationMilliseconds: Int64
        /// When it began, seconds since 1970.
        package var atSeconds: Int64

        package init(
            title: String, artist: String, album: String = "", durationMilliseconds: Int64 = 0, atSeconds: Int64 = 0
        ) {
            self.title = title
            self.artist = artist
            self.album = album
            self.durationMilliseconds = durationMilliseconds
            self.atSeconds = atSeconds
        }

        /// Services want to know who it is by, and nothing of what is hardly longer than a jingle.
        package var isWanted: Bool {
            !title.isEmpty && !artist.isEmpty
                && (durationMilliseconds <= 0 || durationMilliseconds > Limits.scrobbleTrackMilliseconds)
        }
    }

    /// A connection, as the sender needs it.
    package struct Target: Sendable, Equatable {
        package let number: Int64
        package let sinceMilliseconds: Int64
        package let uid: UserID
        package let service: String
        package let address: String
        /// `nil`: the key is another one than when it was sealed.
        package let token: String?
        package let failures: Int
        /// Tells the token from a newer one.
        fileprivate let secret: [UInt8]
    }

    /// Listens that were sent are remembered for so long, so that the same hearing is not sent again.
    static let rememberedMilliseconds: Int64 = 2 * 86_400_000

    private let dao: ScrobbleDAO
    private let key: SealingKey
    private let notifications: Notifications
    private let clock: WallClock
    private let known = Monitor<Set<UserID>>([])
    private let handler = Monitor<(@Sendable () -> Void)?>(nil)

    init(_ dao: ScrobbleDAO, key: SealingKey, notifications: Notifications, clock: WallClock) {
        self.dao = dao
        self.key = key
        self.notifications = notifications
        self.clock = clock
    }

    /// Sets who is told that something may be there to send. On any thread; must not block.
    package func onWork(_ handler: @escaping @Sendable () -> Void) { self.handler.withLock { $0 = handler } }

    /// Says that something may be there to send.
    func tell() { handler.withLock { $0 }?() }

    /// Whether an account sends what it hears anywhere. Any thread; no disk.
    package func has(_ uid: UserID) -> Bool { known.withLock { $0.contains(uid) } }

    /// - Throws: `busy`, `storage`.
    package func load() async throws(Refusal) {
        let all = try await dao.read { db in
            try db.values("SELECT DISTINCT uid FROM scrobble_connections", as: UserID.self)
        }
        known.withLock { $0 = Set(all) }
    }

    // MARK: Connecting

    /// - Throws: `busy`, `storage`.
    package func list(of uid: UserID) async throws(Refusal) -> [ScrobbleConnection] {
        try await dao.read { db in try Self.list(of: uid, &db) }
    }

    static func list(
        of uid: UserID, _ db: inout some DatabaseAccess & ~Copyable
    ) throws -> [ScrobbleConnection] {
        try db.all(ScrobbleConnectionRecord.self, "WHERE uid = \(uid) ORDER BY number").map { record in
            let waiting = try db.value(
                "SELECT count(*) FROM scrobbles WHERE connection = \(record.number ?? 0) AND sent_ms IS NULL",
                as: Int.self)
            return record.described(waiting: waiting ?? 0)
        }
    }

    /// Keeps a connection whose token the service has taken. The same service at the same address gets the new token, and
    /// what waits for it is sent.
    ///
    /// - Throws: `scrobbleLimitReached`; `tokenInvalid` if the account is gone; `busy`, `storage`.
    package func connect(
        _ service: ScrobbleService, _ address: String, token: String, name: String?, of uid: UserID
    ) async throws(Refusal) -> ScrobbleConnection {
        let now = clock.nowMilliseconds()
        let secret = key.seal(Array(token.utf8), context: Self.context(uid, service.rawValue, address))
        let name = Self.line(name ?? "", bytes: Limits.serviceNameBytes.upperBound)
        let connection = try await dao.write { db -> ScrobbleConnection in
            let mine = try db.all(ScrobbleConnectionRecord.self, "WHERE uid = \(uid)")
            if let current = mine.first(where: { $0.service == service.rawValue && $0.address == address }) {
                var renewed = current
                (renewed.secret, renewed.name, renewed.isRefused) = (secret, name, false)
                (renewed.failures, renewed.nextMilliseconds) = (0, nil)
                (renewed.error, renewed.errorMilliseconds) = (nil, nil)
                try db.updateChanges(renewed, from: current)
            } else {
                guard mine.count < Limits.scrobbleConnectionsMax else { throw Refusal(.scrobbleLimitReached) }
                try db.insert(
                    ScrobbleConnectionRecord(
                        number: nil, uid: uid, service: service.rawValue, address: address, name: name,
                        secret: secret, sinceMilliseconds: now))
            }
            let kept = try Self.list(of: uid, &db).first {
                $0.service == service.rawValue && ($0.address ?? "") == address
            }
            guard let kept else { throw Refusal(.scrobbleNotFound) }
            return kept
        }
        known.withLock { _ = $0.insert(uid) }
        tell()
        return connection
    }

    /// - Throws: `scrobbleNotFound`; `busy`, `storage`.
    package func disconnect(_ number: Int64, of uid: UserID) async throws(Refusal) {
        let left = try await dao.write { db in
            let count = try db.execute("DELETE FROM scrobble_connections WHERE number = \(number) AND uid = \(uid)")
            guard count > 0 else { throw Refusal(.scrobbleNotFound) }
            return try db.exists("SELECT 1 FROM scrobble_connections WHERE uid = \(uid)")
        }
        if !left { known.withLock { _ = $0.remove(uid) } }
    }

    private static func context(_ uid: UserID, _ service: String, _ address: String) -> [UInt8] {
        Array("scrobbling\n\(uid.rawValue)\n\(service)\n\(address)".utf8)
    }

    /// One line of at most so many bytes.
    private static func line(_ text: String, bytes: Int) -> String {
        var line = String(text.unicodeScalars.filter { !$0.properties.isWhitespace || $0 == " " })
        line.unicodeScalars.removeAll { $0.value < 32 || (127...159).contains($0.value) }
        while line.utf8.count > bytes { line.removeLast() }
        return line
    }

    // MARK: Listening

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
            var at = listen.atSeconds
            while try db.exists("SELECT 1 FROM scrobbles WHERE connection = \(connection) AND at_s = \(at)") { at += 1 }
            try db.insert(
                ScrobbleRecord(
                    number: nil, connection: connection, key: key, atSeconds: at, title: listen.title,
                    artist: listen.artist, album: listen.album, durationMilliseconds: listen.durationMilliseconds))
        }
    }

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

    // MARK: Sending

    /// Connections for which something waits and that are due, the one due longest first.
    ///
    /// - Returns: Those, and when the next one is due, ms since 1970; `nil` if none is.
    /// - Throws: `busy`, `storage`.
    package func due(limit: Int) async throws(Refusal) -> (targets: [Target], next: Int64?) {
        let now = clock.nowMilliseconds()
        let (records, next) = try await dao.read { db in
            let waits: SQL = "EXISTS (SELECT 1 FROM scrobbles WHERE connection = c.number AND sent_ms IS NULL)"
            let numbers = try db.values(
                """
                SELECT c.number FROM scrobble_connections c WHERE c.is_refused = 0 AND coalesce(c.next_ms, 0) <= \(now)
                    AND \(waits) ORDER BY coalesce(c.next_ms, 0), c.number LIMIT \(limit)
                """, as: Int64.self)
            let next = try db.value(
                """
                SELECT min(c.next_ms) FROM scrobble_connections c
                WHERE c.is_refused = 0 AND c.next_ms > \(now) AND \(waits)
                """, as: Int64?.self)
            return (try numbers.compactMap { try db.first(ScrobbleConnectionRecord.self, key: $0) }, next ?? nil)
        }
        return (records.map(target), next)
    }

    private func target(_ record: ScrobbleConnectionRecord) -> Target {
        let opened = key.open(record.secret, context: Self.context(record.uid, record.service, record.address))
        return Target(
            number: record.number ?? 0, sinceMilliseconds: record.sinceMilliseconds, uid: record.uid,
            service: record.service, address: record.address, token: opened.map { String(decoding: $0, as: UTF8.self) },
            failures: record.failures, secret: record.secret)
    }

    /// The listens that wait longest.
    ///
    /// - Throws: `busy`, `storage`.
    package func waiting(
        for target: Target, limit: Int
    ) async throws(Refusal) -> [(number: Int64, listen: Listen)] {
        try await dao.read { db in
            try db.all(
                """
                SELECT number, title, artist, album, duration_ms, at_s FROM scrobbles
                WHERE connection = \(target.number) AND sent_ms IS NULL ORDER BY number LIMIT \(limit)
                """
            ) { row in
                (
                    number: try row.next(),
                    listen: Listen(
                        title: try row.next(), artist: try row.next(), album: try row.next(),
                        durationMilliseconds: try row.next(), atSeconds: try row.next())
                )
            }
        }
    }

    /// Notes that the service has taken listens, or will never take them.
    ///
    /// - Throws: `busy`, `storage`.
    package func sent(_ numbers: [Int64], to target: Target, isTaken: Bool) async throws(Refusal) {
        let now = clock.nowMilliseconds()
        let count = Int64(numbers.count)
        try await dao.write { db in
            guard var record = try Self.record(target, &db) else { return }
            let current = record
            try db.execute(
                """
                UPDATE scrobbles SET sent_ms = \(now) WHERE connection = \(target.number) AND sent_ms IS NULL
                    AND number IN (SELECT value FROM json_each(\(MusicObjects.list(numbers))))
                """)
            record.failures = 0
            record.nextMilliseconds = nil
            if isTaken {
                record.sentCount += count
                record.sentMilliseconds = now
                (record.error, record.errorMilliseconds) = (nil, nil)
            } else {
                record.refusedCount += count
                (record.error, record.errorMilliseconds) = ("invalid", now)
            }
            try db.updateChanges(record, from: current)
        }
    }

    /// Notes a failure.
    ///
    /// - Parameters:
    ///   - error: A word of 1 to 32 bytes.
    ///   - wait: After how many ms it is tried again; `nil`: not before the account connects anew, which it is told.
    /// - Throws: `busy`, `storage`.
    package func failed(_ error: String, for target: Target, wait: Int64?) async throws(Refusal) {
        let (now, notifications) = (clock.nowMilliseconds(), notifications)
        let posted = try await dao.write { db -> PostedNotification? in
            guard var record = try Self.record(target, &db), record.secret == target.secret else { return nil }
            let current = record
            record.failures += 1
            (record.error, record.errorMilliseconds) = (error, now)
            record.nextMilliseconds = wait.map { now + $0 }
            record.isRefused = wait == nil
            try db.updateChanges(record, from: current)
            guard record.isRefused, !current.isRefused else { return nil }
            var new = NewNotification(.scrobblingRefused)
            new.title = ScrobbleService(rawValue: record.service)?.title ?? record.service
            return try notifications.post(new, to: record.uid, in: &db)
        }
        notifications.tell([posted].compactMap { $0 })
    }

    /// The connection, unless it is gone or another one has its number.
    private static func record(
        _ target: Target, _ db: inout WriteAccess
    ) throws -> ScrobbleConnectionRecord? {
        guard let record = try db.first(ScrobbleConnectionRecord.self, key: target.number),
            record.sinceMilliseconds == target.sinceMilliseconds, record.uid == target.uid
        else { return nil }
        return record
    }

    // MARK: Upkeep

    /// Connections and the listens that wait for them, for metrics.
    ///
    /// - Throws: `busy`, `storage`.
    package func counts() async throws(Refusal) -> (connections: Int, waiting: Int) {
        try await dao.read { db in
            (
                try db.value("SELECT count(*) FROM scrobble_connections", as: Int.self) ?? 0,
                try db.value("SELECT count(*) FROM scrobbles WHERE sent_ms IS NULL", as: Int.self) ?? 0
            )
        }
    }

    /// Forgets listens that were sent a while ago, that waited too long, and that are too many.
    ///
    /// - Throws: `busy`, `storage`.
    func tidy() async throws(Refusal) {
        let now = clock.nowMilliseconds()
        let (sent, old) = (now - Self.rememberedMilliseconds, now / 1_000 - Int64(Limits.scrobbleDays) * 86_400)
        try await dao.write { db in
            try db.execute("DELETE FROM scrobbles WHERE sent_ms < \(sent)")
            try db.execute("DELETE FROM scrobbles WHERE sent_ms IS NULL AND at_s < \(old)")
            let full = try db.values(
                """
                SELECT connection FROM scrobbles WHERE sent_ms IS NULL GROUP BY connection
                HAVING count(*) > \(Limits.scrobblesWaitingMax)
                """, as: Int64.self)
            for connection in full {
                try db.execute(
                    """
                    DELETE FROM scrobbles WHERE connection = \(connection) AND sent_ms IS NULL AND number <= (
                        SELECT number FROM scrobbles WHERE connection = \(connection) AND sent_ms IS NULL
                        ORDER BY number DESC LIMIT 1 OFFSET \(Limits.scrobblesWaitingMax))
                    """)
            }
        }
        try await load()
    }
}

extension ScrobbleService {
    /// Its name, as people write it.
    package var title: String {
        switch self {
        case .listenbrainz: "ListenBrainz"
        case .lastfm: "Last.fm"
        }
    }
}
