internal import SonaDatabase
package import SonaModel
package import SonaWire

/// Taking names off plays. The rows stay, without anything that tells of a person, so that the counters stay what they are.
extension Plays {
    private static let stepRows = 500
    /// Plays of one account that keep its name; older ones lose it.
    static let namedMax = 100_000
    /// A weight older than this is less than a sixteenth: it fades by itself.
    private static let notableMilliseconds: Int64 = 28 * 86_400_000

    /// Forgets that it was an account that heard something.
    ///
    /// In steps between which others can write; a play that is added meanwhile stays.
    ///
    /// - Returns: How many plays were forgotten.
    /// - Throws: `trackNotFound`; `busy`, `storage`. Plays that were forgotten before the error stay so.
    package func clear(_ request: PlayClear, of uid: UserID) async throws(Refusal) -> Int {
        var number: Int64?
        if let id = request.track {
            number = try await dao.read { db in try db.value("SELECT number FROM tracks WHERE id = \(id)") }
            guard number != nil else { throw Refusal(.trackNotFound) }
        }
        return try await forget(of: uid, track: number, before: request.beforeMilliseconds ?? .max)
    }

    func forget(of uid: UserID, track: Int64? = nil, before: Int64) async throws(Refusal) -> Int {
        let last: Int64 = try await dao.read { db in try db.value("SELECT coalesce(max(number), 0) FROM plays") ?? 0 }
        let ofTrack: SQL = track.map { "AND track = \($0)" } ?? ""
        var count = 0
        while true {
            let done = try await dao.write { db in
                let rows = try db.all(
                    """
                    SELECT number, track FROM plays WHERE uid = \(uid) AND at_ms < \(before) AND number <= \(last)
                        \(ofTrack) ORDER BY at_ms DESC, number DESC LIMIT \(Self.stepRows)
                    """
                ) { row in (number: try row.next(Int64.self), track: try row.next(Int64.self)) }
                try Self.takeNames(of: uid, off: rows.map(\.number), tracks: Set(rows.map(\.track)), &db)
                return rows.count
            }
            count += done
            if done < Self.stepRows { return count }
        }
    }

    private static func takeNames(
        of uid: UserID, off numbers: [Int64], tracks: Set<Int64>, _ db: inout WriteAccess
    ) throws {
        let before = try PlayCounters.last(of: uid, tracks, &db)
        try db.execute(
            """
            UPDATE plays SET uid = NULL, room = NULL, key = NULL
            WHERE number IN (SELECT value FROM json_each(\(MusicObjects.list(numbers))))
            """)
        let after = try PlayCounters.last(of: uid, tracks, &db)
        for (track, last) in before where after[track] != last {
            try PlayCounters.rescore(track, from: last, to: after[track], &db)
        }
    }

    /// What becomes of plays when an account is removed, in the transaction of the removal.
    ///
    /// The account's own uploads go, so that their plays are taken off their artists. Its plays of other tracks lose their
    /// name. The popularity of what it heard lately is made right; what it heard long ago hardly weighs anything.
    static func erase(_ uid: UserID, now: Int64, _ db: inout WriteAccess) throws {
        let own = try db.values("SELECT number FROM tracks WHERE owner_uid = \(uid) AND plays > 0", as: Int64.self)
        for track in own { try PlayCounters.uncount(track, &db) }
        let recent = try db.values(
            """
            SELECT DISTINCT track FROM plays WHERE uid = \(uid) AND at_ms > \(now - notableMilliseconds)
            """, as: Int64.self)
        let last = try PlayCounters.last(of: uid, Set(recent), &db)
        try db.execute("UPDATE plays SET uid = NULL, room = NULL, key = NULL WHERE uid = \(uid)")
        for (track, milliseconds) in last { try PlayCounters.rescore(track, from: milliseconds, to: nil, &db) }
    }

    // MARK: Upkeep

    /// Forgets what is older than accounts want, and what is more than is kept.
    ///
    /// - Returns: How many plays lost their name.
    /// - Throws: `busy`, `storage`.
    func tidy() async throws(Refusal) -> Int {
        let limited = try await dao.read { db in
            try db.all("SELECT uid, keep_days FROM play_settings WHERE keep_days > 0") { row in
                (uid: try row.next(UserID.self), days: try row.next(Int.self))
            }
        }
        var count = 0
        for (uid, days) in limited { count += try await forget(of: uid, before: Self.limit(days, clock)) }
        let most = Self.namedMax
        let over = try await dao.read { db in
            try db.values(
                "SELECT uid FROM plays WHERE uid IS NOT NULL GROUP BY uid HAVING count(*) > \(most)", as: UserID.self)
        }
        for uid in over {
            let before: Int64 =
                try await dao.read { db in
                    try db.value(
                        """
                        SELECT at_ms FROM plays WHERE uid = \(uid)
                        ORDER BY at_ms DESC, number DESC LIMIT 1 OFFSET \(most - 1)
                        """)
                } ?? 0
            count += try await forget(of: uid, before: before)
        }
        return count
    }
}
