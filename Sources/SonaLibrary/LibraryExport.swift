internal import SonaDatabase
internal import SonaWire

/// The library's part of an account's export: the account's uploads, the folders it was chosen for, and its edits.
struct LibraryExport: Sendable {
    private let tracks: [ExportedTrack]
    private let uploads: [UploadRecord]
    private let folders: [String]
    private let edits: [ExportedEdit]
    private let likes: [ExportedOpinion]
    private let plays: [ExportedPlay]
    private let player: ExportedPlayer?
    private let bookmarks: [Bookmarks.Bookmark]

    /// As many of a kind as one message can carry besides the rest of an export.
    private static let countMax = 1_000

    init(of uid: UserID, in db: inout ReadAccess) throws {
        tracks = try db.all(
            """
            SELECT t.id, t.title, t.artist, t.album_name, t.status, t.added_ms, f.name, f.size, f.content
            FROM tracks t JOIN music_files f ON f.track = t.number
            WHERE t.owner_uid = \(uid) ORDER BY t.number DESC LIMIT \(Self.countMax)
            """
        ) { row in
            ExportedTrack(
                id: try row.next(), title: try row.next(), artist: try row.next(), album: try row.next(),
                status: try row.next(), addedMilliseconds: try row.next(), name: try row.next(),
                size: try row.next(), content: try row.next())
        }
        uploads = try db.all(
            UploadRecord.self, "WHERE owner_uid = \(uid) AND track IS NULL ORDER BY created_ms, id")
        folders = try db.values(
            """
            SELECT f.name FROM music_folder_users u JOIN music_folders f ON f.number = u.folder
            WHERE u.uid = \(uid) ORDER BY f.name
            """, as: String.self)
        edits = try db.all(
            """
            SELECT t.id, e.edits, e.changed_ms FROM track_edits e JOIN tracks t ON t.number = e.track
            WHERE e.by_uid = \(uid) ORDER BY e.changed_ms DESC, e.track DESC LIMIT \(Self.countMax)
            """
        ) { row in
            ExportedEdit(track: try row.next(), edits: try row.next(), changedMilliseconds: try row.next())
        }
        plays = try db.all(
            """
            SELECT t.id, p.at_ms, p.heard_ms, p.source, p.room FROM plays p JOIN tracks t ON t.number = p.track
            WHERE p.uid = \(uid) ORDER BY p.at_ms DESC, p.number DESC LIMIT \(Self.countMax)
            """
        ) { row in
            ExportedPlay(
                track: try row.next(), atMilliseconds: try row.next(), heardMilliseconds: try row.next(),
                source: try row.next(), room: try row.next())
        }
        player = try ExportedPlayer(of: uid, in: &db)
        bookmarks = try Bookmarks.exported(of: uid, in: &db)
        likes = try LikeKind.allCases.flatMap { kind in
            try db.all(
                """
                SELECT x.id, o.liked_ms, o.rating FROM \(kind.opinions) o
                JOIN \(kind.things) x ON x.number = o.\(kind.column)
                WHERE o.uid = \(uid) ORDER BY o.liked_ms DESC, o.\(kind.column) DESC LIMIT \(Self.countMax)
                """
            ) { row in
                ExportedOpinion(
                    kind: kind, id: try row.next(), likedMilliseconds: try row.next(), rating: try row.next())
            }
        }
    }

    func write(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("tracks")
            writer.beginArray()
            for track in tracks { writer.object { track.write(into: &$0) } }
            writer.endArray()
            writer.member("uploads", uploads.map { UploadState($0).status(name: $0.name) })
            writer.member("folders", folders)
            writer.key("edits")
            writer.beginArray()
            for edit in edits { writer.object { edit.write(into: &$0) } }
            writer.endArray()
            writer.key("likes")
            writer.beginArray()
            for like in likes { writer.object { like.write(into: &$0) } }
            writer.endArray()
            writer.key("plays")
            writer.beginArray()
            for play in plays { writer.object { play.write(into: &$0) } }
            writer.endArray()
            writer.key("bookmarks")
            writer.beginArray()
            for bookmark in bookmarks {
                writer.object { writer in
                    writer.member("track", bookmark.track.rawValue)
                    writer.member("position_ms", bookmark.positionMilliseconds)
                    writer.member("comment", orNull: bookmark.comment)
                    writer.member("created_ms", bookmark.createdMilliseconds)
                    writer.member("changed_ms", bookmark.changedMilliseconds)
                }
            }
            writer.endArray()
            if let player {
                writer.key("player")
                player.write(into: &writer)
            }
        }
    }
}

/// One hearing of a track.
private struct ExportedPlay {
    let track: MusicID
    let atMilliseconds: Int64
    let heardMilliseconds: Int64
    let source: PlaySource
    let room: String?

    func write(into writer: inout JSONWriter) {
        writer.member("track", track.rawValue)
        writer.member("at_ms", atMilliseconds)
        writer.member("heard_ms", heardMilliseconds)
        writer.member("source", source.rawValue)
        writer.member("room", ifPresent: room)
    }
}

/// A like or a rating.
private struct ExportedOpinion {
    let kind: LikeKind
    let id: MusicID
    let likedMilliseconds: Int64?
    let rating: Int?

    func write(into writer: inout JSONWriter) {
        writer.member("kind", kind.rawValue)
        writer.member("id", id.rawValue)
        writer.member("liked_ms", ifPresent: likedMilliseconds)
        writer.member("rating", ifPresent: rating)
    }
}

/// Fields of a track that the account edited last.
private struct ExportedEdit {
    let track: MusicID
    let edits: SonaDatabase.JSON<TrackEdits>
    let changedMilliseconds: Int64

    func write(into writer: inout JSONWriter) {
        let edits = edits.value
        writer.member("track", track.rawValue)
        writer.member("changed_ms", changedMilliseconds)
        writer.member("title", ifPresent: edits.title)
        if let artists = edits.artists { writer.member("artists", artists) }
        writer.member("album", ifPresent: edits.album)
        if let artists = edits.albumArtists { writer.member("album_artists", artists) }
        if let genres = edits.genres { writer.member("genres", genres) }
        writer.member("year", ifPresent: edits.year)
        writer.member("disc", ifPresent: edits.disc)
        writer.member("place", ifPresent: edits.place)
    }
}

/// A track in the export of its owner.
private struct ExportedTrack {
    let id: MusicID
    let title: String
    let artist: String
    let album: String
    let status: String?
    let addedMilliseconds: Int64
    let name: [UInt8]?
    let size: Int64
    let content: [UInt8]?

    func write(into writer: inout JSONWriter) {
        writer.member("id", id.rawValue)
        writer.member("title", title)
        writer.member("artist", artist)
        writer.member("album", album)
        writer.member("status", orNull: status)
        writer.member("added_ms", addedMilliseconds)
        writer.member("file", orNull: name.map { String(decoding: $0, as: UTF8.self) })
        writer.member("bytes", size)
        writer.member("sha256", orNull: content.map { MediaFolder.hex($0[...]) })
    }
}
