internal import SonaDatabase
package import SonaModel
package import SonaWire

/// A list's own picture, which is shown in place of the covers of its albums.
///
/// Source: Protocol/spec/playlists.md, "Pictures".
extension Playlists {
    /// Asks before a picture is decoded whether the listener may edit the list at all. `set` decides it.
    ///
    /// - Throws: `playlistNotFound`, `playlistForbidden`, `accountRequired`, `busy`, `storage`.
    package func requireEditor(of id: MusicID, _ listener: Listener) async throws(Refusal) {
        _ = try Self.account(listener)
        try await finder.read { db in try OpenPlaylist(id, for: listener, in: &db).requireEditor() }
    }

    /// Replaces a list's picture. Its owner and its collaborators may.
    ///
    /// - Throws: `playlistNotFound`, `playlistForbidden`, `accountRequired`, `forbidden`, `busy`, `storage`.
    package func set(
        _ picture: StoredPicture, of id: MusicID, by listener: Listener
    ) async throws(Refusal) -> Playlist {
        let uid = try Self.account(listener)
        let (now, objects) = (clock.nowMilliseconds(), objects(for: listener))
        let (list, change) = try await dao.write { db in
            try AdminRights.require(.libraryCollect, of: uid, now: now, in: &db)
            var list = try OpenPlaylist(id, for: listener, in: &db)
            try list.requireEditor()
            try db.upsert(PlaylistPictureRecord(playlist: list.number, picture: picture))
            let change = try Self.pictured(&list, now: now, &db)
            return (try Self.object(list.record, objects, &db), change)
        }
        announcer.tell(change)
        return list
    }

    /// Takes a list's picture away. Not an error if there is none. Who may take down what others made takes away the
    /// pictures of theirs, too; that is a line of the journal.
    ///
    /// - Throws: `playlistNotFound`, `playlistForbidden`, `accountRequired`, `forbidden`, `busy`, `storage`.
    package func removePicture(of id: MusicID, by listener: Listener) async throws(Refusal) -> Playlist {
        let uid = try Self.account(listener)
        let (now, objects, journal) = (clock.nowMilliseconds(), objects(for: listener), journal)
        let (list, change) = try await dao.write { db in
            try AdminRights.require(.libraryCollect, of: uid, now: now, in: &db)
            var list = try OpenPlaylist(id, for: listener, in: &db)
            if list.role == .listener {
                do { try AdminRights.require(.contentTakeDown, of: uid, now: now, in: &db) } catch {
                    throw Refusal(.playlistForbidden)
                }
            }
            guard try db.delete(PlaylistPictureRecord.self, key: list.number) else {
                return (try Self.object(list.record, objects, &db), nil as PlaylistChange?)
            }
            if list.role == .listener {
                try journal.append(
                    JournalEntry(
                        .takenDown, actor: uid, user: list.record.owner,
                        ["playlist": .text(id.rawValue), "kind": .text("playlist_picture")]), in: &db)
            }
            let change = try Self.pictured(&list, now: now, &db)
            return (try Self.object(list.record, objects, &db), change)
        }
        if let change { announcer.tell(change) }
        return list
    }

    /// Another picture is another version of the list.
    private static func pictured(
        _ list: inout OpenPlaylist, now: Int64, _ db: inout WriteAccess
    ) throws -> PlaylistChange {
        let before = list.record.version
        list.record.version += 1
        list.record.changedMilliseconds = max(now, list.record.changedMilliseconds)
        _ = try db.update(list.record)
        return PlaylistChange(
            id: list.record.id, number: list.number, before: before, version: list.record.version,
            audience: try list.audience(in: &db))
    }

    /// One size of a list's picture as WebP. Anybody who has its identifier may see it.
    ///
    /// - Returns: `nil` if there is none with this identifier.
    /// - Throws: `busy`, `storage`.
    package func picture(_ id: PhotoID, _ size: PhotoSize) async throws(Refusal) -> [UInt8]? {
        let column: SQL =
            switch size {
            case .small: "\(PlaylistPictureRecord.px32)"
            case .medium: "\(PlaylistPictureRecord.px64)"
            case .full: "\(PlaylistPictureRecord.full)"
            }
        return try await dao.read { db in
            try db.value(
                "SELECT \(column) FROM \(PlaylistPictureRecord.table) WHERE \(PlaylistPictureRecord.id) = \(id.rawValue)"
            )
        }
    }
}
