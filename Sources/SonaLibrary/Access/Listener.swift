internal import SonaDatabase
package import SonaWire

/// Which tracks a role adds to those that every account sees: shared folders, folders for chosen accounts, own uploads.
package enum Sight: Sendable, Equatable {
    case ordinary
    /// Uploads that were submitted, whatever was decided: for curators.
    case submissions
    /// All tracks.
    case all

    package init(_ permissions: Set<Permission>) {
        self =
            permissions.contains(.libraryManage)
            ? .all : permissions.contains(.libraryCurate) ? .submissions : .ordinary
    }
}

/// Who asks for music, as far as access depends on it.
package struct Listener: Sendable {
    /// `nil` for guests, who own nothing and block nobody.
    package let uid: UserID?
    /// How much a guest may hear of tracks that every account may hear.
    let guestAccess: TrackAccess
    package let sight: Sight
    /// The numbers of the folders whose audience the listener belongs to.
    let folders: Set<Int64>
    /// When they ask: bans that have ended by then hide nothing.
    let askedMilliseconds: Int64

    package init(
        uid: UserID?, guestAccess: TrackAccess, sight: Sight = .ordinary, folders: Set<Int64>,
        askedMilliseconds: Int64 = 0
    ) {
        self.uid = uid
        self.guestAccess = guestAccess
        self.sight = sight
        self.folders = folders
        self.askedMilliseconds = askedMilliseconds
    }

    /// The most that the listener may hear of a track that is seen.
    package var most: TrackAccess { uid == nil ? guestAccess : .full }
}

/// The facts about a track that access depends on.
package struct TrackRights: Sendable, Equatable {
    package let scope: Int64
    package let owner: UserID?
    package let status: TrackStatus?
    /// Whether listener or owner has blocked the other.
    package let isBlocked: Bool

    package init(scope: Int64, owner: UserID?, status: TrackStatus? = nil, isBlocked: Bool) {
        self.scope = scope
        self.owner = owner
        self.status = status
        self.isBlocked = isBlocked
    }

    /// Whether it is an upload that was submitted, and whose file is there.
    var isSubmitted: Bool { status != nil && scope != TrackScope.missing }
}

/// The one decision about who may hear what. Streams, downloads, covers, rooms, lists and search ask it.
///
/// Source: Protocol/spec/tracks.md, "Access".
package enum Access {
    package static func to(_ track: TrackRights, for listener: Listener) -> TrackAccess {
        if let uid = listener.uid, uid == track.owner { return .full }
        if listener.sight == .all || listener.sight == .submissions && track.isSubmitted { return .full }
        guard !track.isBlocked else { return .none }
        guard track.scope == TrackScope.approved || listener.folders.contains(track.scope) else { return .none }
        return listener.most
    }

    /// The same for a query over `tracks t`: true for tracks that are not `none`. Held against `to` by the matrix of the
    /// tests.
    static func condition(for listener: Listener) -> SQL {
        if listener.sight == .all { return "1" }
        let scopes =
            "[" + ([TrackScope.approved] + listener.folders.sorted()).map(String.init).joined(separator: ",") + "]"
        guard let uid = listener.uid else {
            guard listener.guestAccess != .none else { return "0" }
            return "t.scope IN (SELECT value FROM json_each(\(scopes)))"
        }
        let submitted: SQL =
            listener.sight == .submissions ? "t.status IS NOT NULL AND t.scope <> \(TrackScope.missing)" : "0"
        return """
            (t.owner_uid IS \(uid) OR \(submitted) OR (t.scope IN (SELECT value FROM json_each(\(scopes)))
                AND (t.owner_uid IS NULL OR NOT EXISTS (SELECT 1 FROM blocks b
                    WHERE b.blocker_uid = \(uid) AND b.blocked_uid = t.owner_uid
                        OR b.blocker_uid = t.owner_uid AND b.blocked_uid = \(uid)))))
            """
    }

    /// The facts about a track and a listener that access depends on.
    static func rights(
        of track: TrackRecord, for listener: Listener, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> TrackRights {
        var isBlocked = false
        if let uid = listener.uid, let owner = track.owner, owner != uid {
            isBlocked = try db.exists(
                """
                SELECT 1 FROM blocks WHERE blocker_uid = \(uid) AND blocked_uid = \(owner)
                    OR blocker_uid = \(owner) AND blocked_uid = \(uid)
                """)
        }
        return TrackRights(scope: track.scope, owner: track.owner, status: track.status, isBlocked: isBlocked)
    }
}
