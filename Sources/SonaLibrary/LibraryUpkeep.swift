internal import SonaDatabase
internal import SonaModel
internal import SonaWire

/// The hourly deletion of what nobody can find any more, in small steps between which others can write.
struct LibraryUpkeep: Sendable {
    /// How long a file that is gone is remembered: likes and playlists keep its track until then.
    static let missingMilliseconds: Int64 = 30 * 86_400_000
    private static let stepRows = 200

    let dao: MusicDAO

    /// - Returns: The number of deleted rows.
    /// - Throws: `busy`, `storage`. Rows deleted before the error stay deleted.
    func round(now: Int64) async throws(Refusal) -> Int {
        var count = 0
        let before = now - Self.missingMilliseconds
        count += try await repeated { db in
            let gone = try db.all(
                """
                SELECT number, track FROM music_files WHERE missing_ms <= \(before) AND directory IS NOT NULL
                LIMIT \(Self.stepRows)
                """
            ) { row in (number: try row.next(Int64.self), track: try row.next(Int64?.self)) }
            for file in gone {
                if let track = file.track { try TrackWriter.remove(track, &db) }
                try db.execute("DELETE FROM music_files WHERE number = \(file.number)")
            }
            return gone.count
        }
        let known = now - Int64(Limits.playlistRemovalDays) * 86_400_000
        count += try await repeated { db in
            try db.execute(
                """
                DELETE FROM playlist_removals WHERE rowid IN (
                    SELECT rowid FROM playlist_removals WHERE removed_ms < \(known) LIMIT \(Self.stepRows))
                """)
        }
        for statement in Self.orphans { count += try await repeated { db in try db.execute(statement) } }
        return count
    }

    /// Names that no track and no album has any more. A scan that remembers their numbers meets a foreign key, and asks
    /// again.
    private static let orphans: [SQL] = [
        """
        DELETE FROM submissions WHERE number IN (SELECT number FROM submissions
            WHERE track IS NULL AND number < (SELECT max(number) FROM submissions) LIMIT \(stepRows))
        """,
        """
        DELETE FROM albums WHERE number IN (SELECT number FROM albums a
            WHERE NOT EXISTS (SELECT 1 FROM tracks WHERE album = a.number) LIMIT \(stepRows))
        """,
        """
        DELETE FROM artists WHERE number IN (SELECT number FROM artists a
            WHERE NOT EXISTS (SELECT 1 FROM track_artists WHERE artist = a.number)
                AND NOT EXISTS (SELECT 1 FROM album_artists WHERE artist = a.number) LIMIT \(stepRows))
        """,
        """
        DELETE FROM genres WHERE number IN (SELECT number FROM genres g
            WHERE NOT EXISTS (SELECT 1 FROM track_genres WHERE genre = g.number) LIMIT \(stepRows))
        """,
        """
        DELETE FROM music_directories WHERE number IN (SELECT number FROM music_directories d
            WHERE NOT EXISTS (SELECT 1 FROM music_files WHERE directory = d.number) LIMIT \(stepRows))
        """,
    ]

    private func repeated(
        _ step: @escaping @Sendable (inout WriteAccess) throws -> Int
    ) async throws(Refusal) -> Int {
        var count = 0
        while true {
            let done = try await dao.write(step)
            count += done
            if done < Self.stepRows { return count }
        }
    }
}
