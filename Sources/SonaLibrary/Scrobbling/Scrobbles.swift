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
        let secret: [UInt8]
    }

    /// Listens that were sent are remembered for so long, so that the same hearing is not sent again.
    static let rememberedMilliseconds: Int64 = 2 * 86_400_000

    let dao: ScrobbleDAO
    let key: SealingKey
    let notifications: Notifications
    let clock: WallClock
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
        let secret = key.seal(Array(token.utf8), for: Self.context(uid, service.rawValue, address))
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

    static func context(_ uid: UserID, _ service: String, _ address: String) -> [UInt8] {
        Array("scrobbling\n\(uid.rawValue)\n\(service)\n\(address)".utf8)
    }

    /// One line of at most so many bytes.
    private static func line(_ text: String, bytes: Int) -> String {
        var line = String(text.unicodeScalars.filter { !$0.properties.isWhitespace || $0 == " " })
        line.unicodeScalars.removeAll { $0.value < 32 || (127...159).contains($0.value) }
        return line.cut(bytes: bytes)
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
