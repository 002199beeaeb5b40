internal import SonaDatabase
internal import SonaModel
internal import SonaWire

/// A playlist that somebody may see, with what it is to them. Looked up in the transaction that reads or changes it.
///
/// Source: Protocol/spec/playlists.md, "Who sees a playlist".
struct OpenPlaylist {
    var record: PlaylistRecord
    let number: Int64
    let role: PlaylistRole

    /// - Throws: `playlistNotFound`, also for a list that the listener may not see.
    init(_ id: MusicID, for listener: Listener, in db: inout some DatabaseAccess & ~Copyable) throws {
        guard let record = try db.first(PlaylistRecord.filter(PlaylistRecord.id == id)), let number = record.number
        else { throw Refusal(.playlistNotFound) }
        role = try Self.role(of: listener, record, number, in: &db)
        guard role != .listener || record.visibility != .private else { throw Refusal(.playlistNotFound) }
        self.record = record
        self.number = number
    }

    /// What a list is to somebody, whether it is private or not.
    ///
    /// - Throws: `playlistNotFound` if the owner or the listener has blocked the other, or the owner is banned.
    private static func role(
        of listener: Listener, _ record: PlaylistRecord, _ number: Int64,
        in db: inout some DatabaseAccess & ~Copyable
    ) throws -> PlaylistRole {
        if let uid = listener.uid, uid == record.owner { return .owner }
        guard try db.exists("SELECT 1 FROM playlists p WHERE p.number = \(number) AND \(showsOwner(to: listener))")
        else { throw Refusal(.playlistNotFound) }
        guard let uid = listener.uid else { return .listener }
        let isCollaborator = try db.exists(PlaylistCollaboratorRecord.self, key: PlaylistUserKey(number, uid))
        return isCollaborator ? .collaborator : .listener
    }

    /// - Throws: `playlistForbidden` unless the listener may edit the entries.
    func requireEditor() throws {
        guard role != .listener else { throw Refusal(.playlistForbidden) }
    }

    func requireOwner() throws {
        guard role == .owner else { throw Refusal(.playlistForbidden) }
    }

    /// - Throws: `playlistSmart` for a list whose entries are made by its rule.
    func requireEntries() throws {
        guard record.rule == nil else { throw Refusal(.playlistSmart) }
    }

    /// - Throws: `playlistConflict` if the request was made for another version.
    func require(version: Int64?) throws {
        guard let version, version != record.version else { return }
        var refusal = Refusal(.playlistConflict)
        refusal.version = record.version
        throw refusal
    }

    /// The condition on `playlists p` for lists of others that a listener sees in lists and search.
    static func isPublic(for listener: Listener) -> SQL { "p.visibility = 'public' AND \(showsOwner(to: listener))" }

    /// The condition that nothing hides the owner of `playlists p`: neither owner nor listener has blocked the other, and the
    /// owner is not banned from the server.
    static func showsOwner(to listener: Listener) -> SQL {
        let isUnbanned: SQL = """
            NOT EXISTS (SELECT 1 FROM bans n WHERE n.uid = p.owner_uid
                AND (n.until_ms IS NULL OR n.until_ms > \(listener.askedMilliseconds)))
            """
        guard let uid = listener.uid else { return isUnbanned }
        return """
            \(isUnbanned) AND NOT EXISTS (SELECT 1 FROM blocks b
                WHERE b.blocker_uid = \(uid) AND b.blocked_uid = p.owner_uid
                    OR b.blocker_uid = p.owner_uid AND b.blocked_uid = \(uid))
            """
    }

    /// The owner, those who may edit the list, and those who have pinned it if they see it: who is told of changes.
    func audience(in db: inout some DatabaseAccess & ~Copyable) throws -> [UserID] {
        let pins: SQL = record.visibility == .private ? "0" : "1"
        return try db.values(
            """
            SELECT \(record.owner) UNION SELECT uid FROM playlist_collaborators WHERE playlist = \(number)
            UNION SELECT uid FROM (SELECT uid FROM playlist_pins WHERE playlist = \(number) AND \(pins)
                ORDER BY pinned_ms DESC LIMIT \(Self.pinsToldMax))
            """, as: UserID.self)
    }

    /// Accounts that have pinned a list and are told of its changes. Others see them when they look.
    private static let pinsToldMax = 200
}
