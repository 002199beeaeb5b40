internal import SonaDatabase
package import SonaModel
package import SonaWire

/// What is kept beside the rows of plays: `tracks.plays` and `tracks.popularity`, and `artists.plays`.
///
/// Each of these changes in the transaction that changes what it is the sum of: a play, a track's artists, a track that
/// goes. `recount` makes all of them anew from the rows.
enum PlayCounters {
    /// Counts a play, before its row is written.
    static func count(_ track: Int64, by uid: UserID, at milliseconds: Int64, _ db: inout WriteAccess) throws {
        let score: Double? =
            try db.value("SELECT popularity FROM tracks WHERE number = \(track)", as: Double?.self) ?? nil
        let last = try last(of: uid, [track], &db)[track]
        let next = Popularity.score(score, adding: milliseconds, replacing: last)
        try db.execute("UPDATE tracks SET plays = plays + 1, popularity = \(next) WHERE number = \(track)")
        try db.execute(
            """
            UPDATE artists SET plays = plays + 1
            WHERE number IN (SELECT artist FROM track_artists WHERE track = \(track))
            """)
    }

    /// The time of a person's last play of each track.
    static func last(
        of uid: UserID, _ tracks: Set<Int64>, _ db: inout WriteAccess
    ) throws -> [Int64: Int64] {
        var times: [Int64: Int64] = [:]
        try db.forEach(
            """
            SELECT track, max(at_ms) FROM plays
            WHERE track IN (SELECT value FROM json_each(\(MusicObjects.list(Array(tracks))))) AND uid = \(uid)
            GROUP BY track
            """
        ) { row in
            times[try row.next()] = try row.next(Int64.self)
            return true
        }
        return times
    }

    /// Corrects the popularity of a track after a person's last known play of it has changed.
    static func rescore(_ track: Int64, from old: Int64, to new: Int64?, _ db: inout WriteAccess) throws {
        guard let score = try db.value("SELECT popularity FROM tracks WHERE number = \(track)", as: Double?.self) ?? nil
        else { return }
        var next: Double?
        if let rest = Popularity.score(score, removing: old) {
            next = new.map { Popularity.score(rest, adding: $0, replacing: nil) } ?? rest
        } else {
            next = try self.score(of: track, &db)
        }
        try db.execute("UPDATE tracks SET popularity = \(next) WHERE number = \(track)")
    }

    /// The popularity of a track, from its plays.
    private static func score(of track: Int64, _ db: inout WriteAccess) throws -> Double? {
        Popularity.score(
            try db.values(
                "SELECT max(at_ms) FROM plays WHERE track = \(track) AND uid IS NOT NULL GROUP BY uid", as: Int64.self))
    }

    // MARK: Artists

    /// Takes the plays of a track off its artists, before they are taken from it or it goes.
    static func uncount(_ track: Int64, _ db: inout WriteAccess) throws { try add("-", track, &db) }

    /// Adds the plays of a track to its artists, once they are its artists.
    static func recount(_ track: Int64, _ db: inout WriteAccess) throws { try add("+", track, &db) }

    private static func add(_ sign: SQL, _ track: Int64, _ db: inout WriteAccess) throws {
        try db.execute(
            """
            UPDATE artists SET plays = plays \(sign) (SELECT plays FROM tracks WHERE number = \(track))
            WHERE number IN (SELECT artist FROM track_artists WHERE track = \(track))
                AND (SELECT plays FROM tracks WHERE number = \(track)) > 0
            """)
    }
}

extension Plays {
    private static let recountedRows: Int64 = 1_000

    /// Makes all counters anew from the rows, in steps between which others can write.
    ///
    /// Tracks come first: a play that is written meanwhile changes a track and its artists by the same, and an artist is
    /// made of its tracks afterwards.
    ///
    /// - Throws: `busy`, `storage`. What was made before the error stays.
    package func recount() async throws(Refusal) -> LibraryRecountResult {
        var (tracks, artists) = (0, 0)
        let last: Int64 = try await dao.read { db in try db.value("SELECT coalesce(max(number), 0) FROM tracks") ?? 0 }
        for first in stride(from: Int64(1), through: last, by: Int(Self.recountedRows)) {
            tracks += try await dao.write { db in try Self.recountTracks(first, &db) }
        }
        let lastArtist: Int64 = try await dao.read { db in
            try db.value("SELECT coalesce(max(number), 0) FROM artists") ?? 0
        }
        for first in stride(from: Int64(1), through: lastArtist, by: Int(Self.recountedRows)) {
            artists += try await dao.write { db in try Self.recountArtists(first, &db) }
        }
        let plays: Int64 = try await dao.read { db in try db.value("SELECT count(*) FROM plays") ?? 0 }
        return LibraryRecountResult(plays: plays, tracks: tracks, artists: artists)
    }

    private static func recountTracks(_ first: Int64, _ db: inout WriteAccess) throws -> Int {
        let range: SQL = "BETWEEN \(first) AND \(first + recountedRows - 1)"
        let changed = try db.execute(
            """
            UPDATE tracks SET plays = (SELECT count(*) FROM plays p WHERE p.track = tracks.number)
            WHERE number \(range) AND plays <> (SELECT count(*) FROM plays p WHERE p.track = tracks.number)
            """)
        var times: [Int64: [Int64]] = [:]
        try db.forEach(
            "SELECT track, max(at_ms) FROM plays WHERE track \(range) AND uid IS NOT NULL GROUP BY track, uid"
        ) { row in
            times[try row.next(), default: []].append(try row.next())
            return true
        }
        let scored = try db.values(
            "SELECT number FROM tracks WHERE number \(range) AND popularity IS NOT NULL", as: Int64.self)
        for track in Set(scored).union(times.keys) {
            let score = Popularity.score(times[track] ?? [])
            try db.execute("UPDATE tracks SET popularity = \(score) WHERE number = \(track)")
        }
        return changed
    }

    private static func recountArtists(_ first: Int64, _ db: inout WriteAccess) throws -> Int {
        let sum: SQL = """
            (SELECT coalesce(sum(t.plays), 0) FROM track_artists j JOIN tracks t ON t.number = j.track
                WHERE j.artist = artists.number)
            """
        return try db.execute(
            """
            UPDATE artists SET plays = \(sum)
            WHERE number BETWEEN \(first) AND \(first + recountedRows - 1) AND plays <> \(sum)
            """)
    }
}
