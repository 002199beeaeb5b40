internal import SonaDatabase
package import SonaModel
package import SonaWire

/// Lists of what an account heard, the last first.
///
/// Source: Protocol/spec/plays.md, "play.list".
extension LibraryFinder {
    /// - Throws: `invalid` for a cursor that is none; `accountRequired`, `busy`, `storage`.
    package func plays(_ request: PlayList, for listener: Listener) async throws(Refusal) -> PlayedPage {
        guard let uid = listener.uid else { throw .accountRequired }
        let place = try Self.timePlace(request.cursor)
        let (limit, objects) = (request.limit, objects(for: listener))
        return try await read { db in
            var rest: SQL = ""
            if let place { rest = "AND (at_ms, number) < (\(place.value ?? 0), \(place.number))" }
            var rows = try db.all(
                PlayRecord.self,
                "WHERE uid = \(uid) \(rest) ORDER BY at_ms DESC, number DESC LIMIT \(limit + 1)")
            var next: String?
            if rows.count > limit {
                rows.removeLast()
                next = rows.last.map { Place($0.atMilliseconds, number: $0.number ?? 0).text }
            }
            let tracks = try Self.tracks(rows.map(\.track), objects, &db)
            let plays = rows.compactMap { row -> PlayedTrack? in
                guard let track = tracks[row.track] else { return nil }
                return PlayedTrack(
                    id: track.id, atMilliseconds: row.atMilliseconds, heardMilliseconds: row.heardMilliseconds,
                    source: row.source, room: row.room.flatMap { RoomID($0) }, track: track.track)
            }
            return PlayedPage(plays: plays, nextCursor: next)
        }
    }

    /// The place that a cursor of a list by time names.
    static func timePlace(_ cursor: String?) throws(Refusal) -> Place? {
        guard let cursor else { return nil }
        guard let place = Place(cursor), place.value != nil else {
            throw Refusal(.requestInvalid, "This is no cursor of such a list.", field: "data.cursor")
        }
        return place
    }

    /// Tracks by number: their identifiers, and what the listener sees of them.
    static func tracks(
        _ numbers: [Int64], _ objects: MusicObjects, _ db: inout ReadAccess
    ) throws -> [Int64: (id: MusicID, track: MusicTrack?)] {
        let rows = try db.all(
            TrackRecord.self,
            "WHERE number IN (SELECT value FROM json_each(\(MusicObjects.list(Array(Set(numbers))))))")
        let seen = Dictionary(try objects.tracks(rows, in: &db).map { ($0.id, $0) }) { first, _ in first }
        var tracks: [Int64: (id: MusicID, track: MusicTrack?)] = [:]
        for row in rows { if let number = row.number { tracks[number] = (row.id, seen[row.id]) } }
        return tracks
    }
}
