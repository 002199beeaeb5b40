internal import SonaDatabase
internal import SonaModel
internal import SonaWire

/// The playlists in an account's export: its own with their entries, and what it has to do with those of others.
struct PlaylistAccountExport: Sendable {
    private struct Entry: Sendable {
        let playlist: Int64
        let track: MusicID?
        let title: String?
        let artist: String?
        let addedMilliseconds: Int64
    }

    private let playlists: [PlaylistRecord]
    private let pictures: [Int64: Photo]
    private let entries: [Int64: [Entry]]
    private let pinned: [MusicID]
    private let shared: [MusicID]

    /// Entries that one message can carry besides the rest of an export. `playlist.export` has whole lists.
    private static let entriesMax = 5_000

    init(of uid: UserID, in db: inout ReadAccess) throws {
        playlists = try db.all(PlaylistRecord.self, "WHERE owner_uid = \(uid) ORDER BY number")
        pictures = try PlaylistObjects.pictures(MusicObjects.list(playlists.compactMap(\.number)), in: &db)
        let rows = try db.all(
            """
            SELECT e.playlist, t.id, t.title, t.artist, e.added_ms FROM playlist_entries e
                JOIN playlists p ON p.number = e.playlist LEFT JOIN tracks t ON t.number = e.track
            WHERE p.owner_uid = \(uid) ORDER BY e.playlist, e.key, e.id LIMIT \(Self.entriesMax)
            """
        ) { row in
            Entry(
                playlist: try row.next(), track: try row.next(), title: try row.next(), artist: try row.next(),
                addedMilliseconds: try row.next())
        }
        entries = Dictionary(grouping: rows, by: \.playlist)
        pinned = try db.values(
            """
            SELECT p.id FROM playlist_pins j JOIN playlists p ON p.number = j.playlist
            WHERE j.uid = \(uid) ORDER BY j.pinned_ms
            """, as: MusicID.self)
        shared = try db.values(
            """
            SELECT p.id FROM playlist_collaborators j JOIN playlists p ON p.number = j.playlist
            WHERE j.uid = \(uid) ORDER BY j.joined_ms
            """, as: MusicID.self)
    }

    func write(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("own")
            writer.beginArray()
            for playlist in playlists { writer.object { write(playlist, &$0) } }
            writer.endArray()
            writer.member("pinned", pinned.map(\.rawValue))
            writer.member("shared", shared.map(\.rawValue))
        }
    }

    private func write(_ playlist: PlaylistRecord, _ writer: inout JSONWriter) {
        writer.member("id", playlist.id.rawValue)
        writer.member("title", playlist.title)
        writer.member("description", playlist.about)
        writer.member("visibility", playlist.visibility.rawValue)
        writer.member("rule", orNull: playlist.rule.flatMap(PlaylistRule.init(stored:)))
        writer.member("picture", orNull: playlist.number.flatMap { pictures[$0] })
        writer.member("created_ms", playlist.createdMilliseconds)
        writer.member("changed_ms", playlist.changedMilliseconds)
        writer.member("tracks", playlist.entryCount)
        writer.key("entries")
        writer.beginArray()
        for entry in playlist.number.flatMap({ entries[$0] }) ?? [] {
            writer.object { writer in
                writer.member("track", orNull: entry.track?.rawValue)
                writer.member("title", orNull: entry.title)
                writer.member("artist", orNull: entry.artist)
                writer.member("added_ms", entry.addedMilliseconds)
            }
        }
        writer.endArray()
    }
}
