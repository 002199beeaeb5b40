internal import SonaCrypto
internal import SonaDatabase
package import SonaModel
package import SonaWire

/// Collaborators: who may edit a list besides its owner, and the link by which they come.
///
/// A list has one link at a time. Its code is kept as a hash; a new link ends the one before.
extension Playlists {
    /// Makes a link, or ends the one there is.
    ///
    /// - Throws: `playlistNotFound`, `playlistForbidden`, `playlistSmart`, `accountRequired`, `busy`, `storage`.
    package func invite(_ request: PlaylistInvite, by listener: Listener) async throws(Refusal) -> PlaylistInvitation {
        let uid = try Self.account(listener)
        let now = clock.nowMilliseconds()
        let code = SecureRandom.alphanumeric(Limits.playlistInviteCodeCount)
        let expires = now + Int64(request.expiresSeconds) * 1_000
        try await dao.write { db in
            try AdminRights.require(.libraryCollect, of: uid, now: now, in: &db)
            var list = try OpenPlaylist(request.playlist, for: listener, in: &db)
            try list.requireOwner()
            try list.requireEntries()
            list.record.invite = request.isRevoked ? nil : Digest.sha256(code.utf8)
            list.record.inviteExpiresMilliseconds = request.isRevoked ? nil : expires
            _ = try db.update(list.record)
        }
        guard !request.isRevoked else {
            return PlaylistInvitation(code: nil, path: nil, expiresMilliseconds: nil)
        }
        return PlaylistInvitation(
            code: code, path: "/playlists/\(request.playlist.rawValue)?invite=\(code)", expiresMilliseconds: expires)
    }

    /// Makes the account a collaborator. That it is one is no error.
    ///
    /// - Throws: `playlistNotFound` for a wrong code of a private list, `inviteInvalid` for one of another list,
    ///   `inviteExpired`, `playlistCollaboratorsFull`, `accountRequired`, `busy`, `storage`.
    package func accept(_ request: PlaylistAccept, by listener: Listener) async throws(Refusal) -> Playlist {
        let uid = try Self.account(listener)
        let (now, objects) = (clock.nowMilliseconds(), objects(for: listener))
        let (list, change) = try await dao.write { db in
            try AdminRights.require(.libraryCollect, of: uid, now: now, in: &db)
            if let list = try? OpenPlaylist(request.playlist, for: listener, in: &db), list.role != .listener {
                return (try Self.object(list.record, objects, &db), nil as PlaylistChange?)
            }
            guard let record = try db.first(PlaylistRecord.filter(PlaylistRecord.id == request.playlist)),
                let number = record.number,
                try db.exists(
                    "SELECT 1 FROM playlists p WHERE p.number = \(number) AND \(OpenPlaylist.showsOwner(to: listener))")
            else { throw Refusal(.playlistNotFound) }
            guard let invite = record.invite, let expires = record.inviteExpiresMilliseconds,
                Digest.constantTimeEquals(invite, Digest.sha256(request.code.utf8))
            else { throw Refusal(record.visibility == .private ? .playlistNotFound : .inviteInvalid) }
            guard now < expires else { throw Refusal.inviteExpired }
            let count: Int = try db.value("SELECT count(*) FROM playlist_collaborators WHERE playlist = \(number)") ?? 0
            guard count < Limits.playlistCollaboratorsMax else { throw Refusal(.playlistCollaboratorsFull) }
            try db.insert(PlaylistCollaboratorRecord(playlist: number, uid: uid, joinedMilliseconds: now))
            let list = try OpenPlaylist(request.playlist, for: listener, in: &db)
            return (try Self.object(list.record, objects, &db), try Self.touched(list, &db))
        }
        if let change { announcer.tell(change) }
        return list
    }

    /// A change of nothing that versions count, told to everybody concerned.
    private static func touched(_ list: OpenPlaylist, _ db: inout WriteAccess) throws -> PlaylistChange {
        PlaylistChange(
            id: list.record.id, number: list.number, before: list.record.version, version: list.record.version,
            audience: try list.audience(in: &db))
    }

    /// - Throws: `playlistNotFound`, `playlistForbidden` unless the account may edit the list, `accountRequired`,
    /// `busy`, `storage`.
    package func collaborators(
        _ id: MusicID, for listener: Listener
    ) async throws(Refusal) -> PlaylistCollaboratorList {
        _ = try Self.account(listener)
        let now = clock.nowMilliseconds()
        return try await finder.read { db in
            let list = try OpenPlaylist(id, for: listener, in: &db)
            try list.requireEditor()
            let people = try db.all(
                """
                SELECT u.uid, u.username FROM playlist_collaborators c JOIN users u ON u.uid = c.uid
                WHERE c.playlist = \(list.number) ORDER BY c.joined_ms, c.uid
                """
            ) { row in User(uid: try row.next(), username: try row.next(), isGuest: false) }
            let expires =
                list.role == .owner ? list.record.inviteExpiresMilliseconds.flatMap { $0 > now ? $0 : nil } : nil
            return PlaylistCollaboratorList(people: people, inviteExpiresMilliseconds: expires)
        }
    }

    /// Ends a collaboration. That there is none is no error.
    ///
    /// - Throws: `playlistNotFound`, `playlistForbidden` for somebody else's unless one owns the list, `userUnknown`,
    ///   `accountRequired`, `busy`, `storage`.
    package func leave(_ request: PlaylistLeave, by listener: Listener) async throws(Refusal) {
        let uid = try Self.account(listener)
        let change = try await dao.write { db -> PlaylistChange? in
            let list = try OpenPlaylist(request.playlist, for: listener, in: &db)
            let leaving = try request.user.map { try UserLookup.uid(of: $0, in: &db) } ?? uid
            if leaving != uid { try list.requireOwner() }
            // Told, too, of what is gone for them.
            let change = try Self.touched(list, &db)
            let isGone = try db.delete(
                PlaylistCollaboratorRecord.self, key: PlaylistUserKey(list.number, leaving))
            return isGone ? change : nil
        }
        if let change { announcer.tell(change) }
    }
}
