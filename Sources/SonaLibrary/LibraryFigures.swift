internal import SonaDatabase
internal import SonaModel
package import SonaWire

/// How much music there is.
package struct LibraryCounts: Sendable, Equatable {
    /// Where a track stands, as operators see it.
    package enum TrackState: String, CaseIterable, Sendable {
        /// A track of a music folder.
        case folder
        /// An upload that its owner alone has.
        case own = "private"
        case pending, approved, rejected
        /// Its file is gone, or was found broken.
        case missing
    }

    package var tracks: [TrackState: Int] = [:]
    /// Albums with a track whose file is there.
    package var albums = 0
    /// Albums without one.
    package var missingAlbums = 0
    /// Files with nothing to play in them.
    package var problems = 0
    /// Likes and ratings of all accounts, of all kinds of things.
    package var likes = 0
    package var ratings = 0
    /// Plays that were written, by how they came about.
    package var plays: [PlaySource: Int] = [:]
    /// Playlists by who sees them, the smart ones among them.
    package var playlists: [PlaylistVisibility: Int] = [:]
    /// Entries of all of them.
    package var playlistEntries = 0
    /// Submissions that wait for a decision.
    package var pendingSubmissions = 0
    /// When the oldest of them came, in milliseconds since 1970, UTC. `nil`: none waits.
    package var oldestPendingMilliseconds: Int64?
}

/// What scans of music folders have done since the server began.
package struct ScanFigures: Sendable, Equatable {
    package var running = 0
    package var done = 0
    package var failed = 0
    package var cancelled = 0
    /// Files that were looked at by scans that have ended.
    package var files = 0
    /// How long the last scan that ended took.
    package var lastMilliseconds: Int64 = 0
}

/// What was submitted and decided since the server began.
package struct SubmissionFigures: Sendable, Equatable {
    package var submitted: UInt64 = 0
    package var approved: UInt64 = 0
    package var rejected: UInt64 = 0
}

/// Counts the library for figures.
struct LibraryCounting: Sendable {
    let dao: MusicDAO
    private let kept = KeptCounts(LibraryCounts())

    init(dao: MusicDAO) { self.dao = dao }

    /// The counts; those of before if they can't be read now.
    func counts() async -> LibraryCounts {
        await kept.counts { try await dao.read { db in try Self.count(&db) } }
    }

    private static func count(_ db: inout ReadAccess) throws -> LibraryCounts {
        var counts = LibraryCounts()
        try db.forEach(
            """
            SELECT CASE WHEN scope = \(TrackScope.missing) THEN 'missing' WHEN owner_uid IS NULL THEN 'folder'
                ELSE coalesce(status, 'private') END, count(*) FROM tracks GROUP BY 1
            """
        ) { row in
            let word: String = try row.next()
            let count: Int = try row.next()
            if let state = LibraryCounts.TrackState(rawValue: word) { counts.tracks[state] = count }
            return true
        }
        counts.albums =
            try db.value(
                """
                SELECT count(*) FROM albums a WHERE EXISTS (
                    SELECT 1 FROM tracks t WHERE t.album = a.number AND t.scope <> \(TrackScope.missing))
                """) ?? 0
        counts.missingAlbums = try (db.value("SELECT count(*) FROM albums") ?? 0) - counts.albums
        try db.forEach("SELECT visibility, count(*), sum(entries) FROM playlists GROUP BY visibility") { row in
            counts.playlists[try row.next()] = try row.next(Int.self)
            counts.playlistEntries += try row.next()
            return true
        }
        counts.problems = try db.value("SELECT count(*) FROM music_files WHERE problem IS NOT NULL") ?? 0
        try db.forEach("SELECT source, count(*) FROM plays GROUP BY source") { row in
            let source: PlaySource = try row.next()
            counts.plays[source] = try row.next(Int.self)
            return true
        }
        try db.forEach(
            "SELECT count(*), min(submitted_ms) FROM submissions WHERE state = 'pending' AND track IS NOT NULL"
        ) { row in
            counts.pendingSubmissions = try row.next()
            counts.oldestPendingMilliseconds = try row.next()
            return true
        }
        for kind in LikeKind.allCases {
            try db.forEach("SELECT count(liked_ms), count(rating) FROM \(kind.opinions)") { row in
                counts.likes += try row.next(Int.self)
                counts.ratings += try row.next(Int.self)
                return true
            }
        }
        return counts
    }
}
