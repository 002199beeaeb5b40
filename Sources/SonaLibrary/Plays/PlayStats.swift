internal import SonaDatabase
package import SonaModel
package import SonaWire

/// What an account heard in a year or a month: hit lists, hours and days.
///
/// One pass over the account's plays of the period for each list.
///
/// Source: Protocol/spec/plays.md, "stats.get".
extension LibraryFinder {
    /// - Throws: `accountRequired`, `busy`, `storage`.
    package func stats(_ request: StatsGet, for listener: Listener) async throws(Refusal) -> Stats {
        guard let uid = listener.uid else { throw .accountRequired }
        let period = StatsPeriod(request)
        let (limit, objects) = (request.limit, objects(for: listener))
        return try await read { db in
            let heard: SQL =
                "p.uid = \(uid) AND p.at_ms >= \(period.fromMilliseconds) AND p.at_ms < \(period.toMilliseconds)"
            let sums = try db.first(
                """
                SELECT count(*), coalesce(sum(p.heard_ms), 0), count(DISTINCT p.track) FROM plays p WHERE \(heard)
                """
            ) { row in
                (plays: try row.next(Int.self), milliseconds: try row.next(Int64.self), tracks: try row.next(Int.self))
            }
            let artistCount: Int =
                try db.value(
                    """
                    SELECT count(DISTINCT j.artist) FROM plays p JOIN track_artists j ON j.track = p.track
                    WHERE \(heard)
                    """) ?? 0
            var stats = Stats(
                fromMilliseconds: period.fromMilliseconds, toMilliseconds: period.toMilliseconds,
                plays: sums?.plays ?? 0, heardMilliseconds: sums?.milliseconds ?? 0, trackCount: sums?.tracks ?? 0,
                artistCount: artistCount, tracks: [], albums: [], artists: [], genres: [],
                hours: Array(repeating: 0, count: 24), days: Array(repeating: 0, count: period.dayCount))
            try Self.addTimes(to: &stats, heard, period, &db)
            try Self.addTops(to: &stats, heard, limit, objects, &db)
            return stats
        }
    }

    private static func addTimes(
        to stats: inout Stats, _ heard: SQL, _ period: StatsPeriod, _ db: inout ReadAccess
    ) throws {
        let offset = period.offsetMilliseconds
        var hours = stats.hours
        try db.forEach(
            """
            SELECT ((p.at_ms + \(offset)) / 3600000) % 24, sum(p.heard_ms) FROM plays p WHERE \(heard) GROUP BY 1
            """
        ) { row in
            let hour: Int = try row.next()
            if hours.indices.contains(hour) { hours[hour] = try row.next() }
            return true
        }
        var days = stats.days
        try db.forEach(
            """
            SELECT (p.at_ms - \(period.fromMilliseconds)) / 86400000, sum(p.heard_ms) FROM plays p
            WHERE \(heard) GROUP BY 1
            """
        ) { row in
            let day: Int = try row.next()
            if days.indices.contains(day) { days[day] = try row.next() }
            return true
        }
        stats.hours = hours
        stats.days = days
    }

    private struct TopRow {
        let number: Int64
        let id: MusicID
        let plays: Int
        let milliseconds: Int64

        init(row: inout Row) throws(DatabaseError) {
            number = try row.next()
            id = try row.next()
            plays = try row.next()
            milliseconds = try row.next()
        }
    }

    /// The hit lists. Of two with the same number of plays, that comes first which was heard last.
    private static func addTops(
        to stats: inout Stats, _ heard: SQL, _ limit: Int, _ objects: MusicObjects, _ db: inout ReadAccess
    ) throws {
        let order: SQL = "GROUP BY 1 ORDER BY count(*) DESC, max(p.at_ms) DESC LIMIT \(limit)"
        func rows(_ sql: SQL, _ db: inout ReadAccess) throws -> [TopRow] {
            try db.all("\(sql) WHERE \(heard) \(order)") { try TopRow(row: &$0) }
        }
        let tracks = try rows(
            "SELECT t.number, t.id, count(*), sum(p.heard_ms) FROM plays p JOIN tracks t ON t.number = p.track", &db)
        let albums = try rows(
            """
            SELECT a.number, a.id, count(*), sum(p.heard_ms) FROM plays p JOIN tracks t ON t.number = p.track
            JOIN albums a ON a.number = t.album
            """, &db)
        let artists = try rows(
            """
            SELECT a.number, a.id, count(*), sum(p.heard_ms) FROM plays p JOIN track_artists j ON j.track = p.track
            JOIN artists a ON a.number = j.artist
            """, &db)
        let genres = try rows(
            """
            SELECT g.number, g.id, count(*), sum(p.heard_ms) FROM plays p JOIN track_genres j ON j.track = p.track
            JOIN genres g ON g.number = j.genre
            """, &db)
        func list(_ rows: [TopRow]) -> String { MusicObjects.list(rows.map(\.number)) }
        func tops<Object>(
            _ rows: [TopRow], _ objects: [Object], _ id: KeyPath<Object, MusicID>,
            _ set: (inout StatsTop, Object?) -> Void
        ) -> [StatsTop] {
            let byID = Dictionary(objects.map { ($0[keyPath: id], $0) }) { first, _ in first }
            return rows.map { row in
                var top = StatsTop(id: row.id, plays: row.plays, heardMilliseconds: row.milliseconds)
                set(&top, byID[row.id])
                return top
            }
        }
        stats.tracks = tops(
            tracks,
            try objects.tracks(
                try db.all(TrackRecord.self, "WHERE number IN (SELECT value FROM json_each(\(list(tracks))))"),
                in: &db), \.id
        ) { $0.track = $1 }
        stats.albums = tops(
            albums,
            try objects.albums(
                try db.all(AlbumRecord.self, "WHERE number IN (SELECT value FROM json_each(\(list(albums))))"),
                in: &db), \.id
        ) { $0.album = $1 }
        stats.artists = tops(
            artists,
            try objects.artists(
                try db.all(ArtistRecord.self, "WHERE number IN (SELECT value FROM json_each(\(list(artists))))"),
                in: &db), \.id
        ) { $0.artist = $1 }
        let named = try db.all(
            GenreRecord.self, "WHERE number IN (SELECT value FROM json_each(\(list(genres))))"
        ).map { MusicGroup(id: $0.id, name: $0.name, trackCount: 0) }
        stats.genres = tops(genres, named, \.id) { $0.genre = $1 }
    }
}

/// A year or a month by the clock of a place that is a fixed time ahead of UTC.
struct StatsPeriod: Equatable {
    let fromMilliseconds: Int64
    let toMilliseconds: Int64
    let offsetMilliseconds: Int64

    var dayCount: Int { Int((toMilliseconds - fromMilliseconds) / 86_400_000) }

    init(_ request: StatsGet) {
        offsetMilliseconds = Int64(request.offsetMinutes) * 60_000
        let first = request.month ?? 1
        let next =
            request.month.map { $0 == 12 ? (request.year + 1, 1) : (request.year, $0 + 1) } ?? (request.year + 1, 1)
        fromMilliseconds = Self.days(request.year, first) * 86_400_000 - offsetMilliseconds
        toMilliseconds = Self.days(next.0, next.1) * 86_400_000 - offsetMilliseconds
    }

    /// Days from 1970-01-01 to the first of a month of the Gregorian calendar.
    ///
    /// Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`.
    static func days(_ year: Int, _ month: Int) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return Int64(era * 146_097 + dayOfEra - 719_468)
    }
}
