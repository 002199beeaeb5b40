internal import SonaCrypto
internal import SonaDatabase
package import SonaModel
internal import SonaWire

/// What is sent, and what came of it.
extension Scrobbles {
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

    func target(_ record: ScrobbleConnectionRecord) -> Target {
        let opened = key.open(record.secret, for: Self.context(record.uid, record.service, record.address))
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
}
