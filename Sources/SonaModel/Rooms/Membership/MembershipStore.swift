internal import SonaDatabase
package import SonaWire

/// Who belongs to a room, who may not enter it and who may not chat in it.
///
/// Off the loop. Each change of these that somebody makes to somebody else is a line of the journal, in the same
/// transaction. Each has a number, larger than those of all changes of a room's storage before it.
package struct MembershipStore: Sendable {
    package static let membersMax = 10_000
    /// Of bans, and of mutes.
    package static let bansMax = 5_000

    let membership: MembershipDAO
    let journal: Journal
    let clock: WallClock
    let changes: ChangeCounter

    init(_ membership: MembershipDAO, journal: Journal, clock: WallClock, changes: ChangeCounter) {
        self.membership = membership
        self.journal = journal
        self.clock = clock
        self.changes = changes
    }

    // MARK: Finding

    /// - Returns: `nil` for who does not belong to the room: its owner too.
    /// - Throws: `busy`, `storage`.
    package func member(_ uid: UserID, of room: RoomID) async throws(Refusal) -> Member? {
        try await membership.read { db in
            try MembershipDAO.member(uid, of: room, in: &db)
        }
    }

    /// All of them, at most `membersMax`, for a room that opens; who came last first.
    ///
    /// - Throws: `busy`, `storage`.
    package func members(of room: RoomID) async throws(Refusal) -> [Member] {
        try await membership.read { db in
            try MembershipDAO.members(
                "WHERE m.room_id = \(room) ORDER BY m.since_ms DESC, m.uid DESC LIMIT \(Self.membersMax)", in: &db)
        }
    }

    /// Some of them with what they show of themselves, who came last first.
    ///
    /// - Parameter limit: 1…100.
    /// - Throws: `busy`, `storage`.
    package func page(
        of room: RoomID, after cursor: PageCursor? = nil, limit: Int
    ) async throws(Refusal) -> MemberPage {
        let limit = min(max(limit, 1), Int(Limits.userPageCount.upperBound))
        var condition: SQL = "m.room_id = \(room)"
        if let cursor { condition = "\(condition) AND (m.since_ms, m.uid) < (\(cursor.sortKey), \(cursor.uid))" }
        let rest: SQL = "WHERE \(condition) ORDER BY m.since_ms DESC, m.uid DESC LIMIT \(limit + 1)"
        return try await membership.read { db in
            let found = try db.all(
                """
                SELECT \(Member.columns), CASE WHEN p.is_public THEN p.display_name END,
                    CASE WHEN p.is_public THEN ph.id END, ph.color, ph.foreground, ph.width, ph.height
                FROM \(MembershipDAO.memberJoin) LEFT JOIN profiles p ON p.uid = m.uid
                    LEFT JOIN photos ph ON ph.uid = m.uid \(rest)
                """
            ) { row in
                let member = try Member(row: &row)
                let displayName = try row.next(String?.self)
                let card = UserCard(user: member.user, displayName: displayName, photo: try Photo(row: &row))
                return (member: member, card: card)
            }
            let members = Array(found.prefix(limit))
            let last = found.count > limit ? members.last?.member : nil
            return MemberPage(
                members: members, next: last.map { PageCursor(sortKey: $0.sinceMilliseconds, uid: $0.user.uid) })
        }
    }

    // MARK: Letting in and putting out

    /// Gives somebody a standing by hand, which takes the place of one that came with an invite.
    ///
    /// - Parameters:
    ///   - isGuest: What their token says.
    ///   - actor: Who does it, and may: `host` for standings below their own, `manage` for co-hosts.
    /// - Throws: `roomUnknown`, `roomClosed`, `userUnknown`, `accountRequired` for a guest above member, `banned`,
    ///   `limitReached`, `invalid` for the owner and for a standing that nobody is given, `forbidden`, `busy`, `storage`.
    package func set(
        _ standing: Standing, for uid: UserID, isGuest: Bool, in room: RoomID, by actor: UserID?
    ) async throws(Refusal) -> (member: Member, changeNumber: Int64) {
        guard (Standing.member ... .cohost).contains(standing) else { throw .invalid }
        let (now, journal, changes) = (clock.nowMilliseconds(), self.journal, self.changes)
        return try await membership.write { db in
            try MembershipDAO.refuseOwner(uid, of: room, in: &db)
            let own = try RoomRights.require(
                standing == .cohost ? .manage : .host, of: actor, over: uid, in: room, &db)
            guard standing < own else { throw Refusal.forbidden(.manage) }
            let isGuest = try MembershipDAO.isGuest(uid, saysGuest: isGuest, in: &db)
            if isGuest, standing > .member { throw Refusal.accountRequired }
            // Nobody can sign in to an account that waits for approval.
            guard try !db.exists(WaitingAccountRecord.self, key: uid) else { throw Refusal.userUnknown }
            let member = try Self.give(standing, to: uid, isGuest: isGuest, in: room, by: actor, now, journal, &db)
            return (member, changes.next())
        }
    }

    /// Lets somebody in who stands before the door. Whoever belongs to the room already stays what they are: they may
    /// have become more since they knocked.
    ///
    /// - Parameters: As `set`; the actor needs `moderate`.
    /// - Throws: As `set`.
    package func admit(
        _ uid: UserID, isGuest: Bool, to room: RoomID, by actor: UserID?
    ) async throws(Refusal) -> (member: Member, changeNumber: Int64) {
        let (now, journal, changes) = (clock.nowMilliseconds(), self.journal, self.changes)
        return try await membership.write { db in
            try MembershipDAO.refuseOwner(uid, of: room, in: &db)
            try RoomRights.require(.moderate, of: actor, in: room, &db)
            if let member = try MembershipDAO.member(uid, of: room, in: &db) { return (member, changes.next()) }
            let isGuest = try MembershipDAO.isGuest(uid, saysGuest: isGuest, in: &db)
            let member = try Self.give(.member, to: uid, isGuest: isGuest, in: room, by: actor, now, journal, &db)
            return (member, changes.next())
        }
    }

    private static func give(
        _ standing: Standing, to uid: UserID, isGuest: Bool, in room: RoomID, by actor: UserID?, _ now: Int64,
        _ journal: Journal, _ db: inout WriteAccess
    ) throws -> Member {
        try MembershipDAO.refuseIfBanned(uid, in: room, now: now, &db)
        let current = try db.first(RoomMemberRecord.self, key: RoomPerson(room, uid))
        if let current {
            var changed = current
            changed.give(standing)
            changed.isGuest = isGuest
            try db.updateChanges(changed, from: current)
        } else {
            try MembershipDAO.insert(
                RoomMemberRecord(
                    room: room, uid: uid, standing: standing, given: standing, invite: nil, role: nil,
                    isGuest: isGuest, sinceMilliseconds: now), in: &db)
        }
        try note(from: current?.standing ?? .listener, to: standing, uid, room, actor, journal, &db)
        guard let member = try MembershipDAO.member(uid, of: room, in: &db) else { throw Refusal.userUnknown }
        return member
    }

    /// Takes away whatever standing somebody has. They are a listener then, and may come back by an invite they have.
    ///
    /// - Parameter actor: Who does it, and may by `host`; anybody may leave.
    /// - Returns: What they were; `nil` if nothing.
    /// - Throws: `forbidden`, `roomUnknown`, `roomClosed`, `busy`, `storage`.
    @discardableResult
    package func remove(
        _ uid: UserID, from room: RoomID, by actor: UserID?
    ) async throws(Refusal) -> (member: Member?, changeNumber: Int64) {
        let (journal, changes) = (self.journal, self.changes)
        return try await membership.write { db in
            if actor != uid { try RoomRights.require(.host, of: actor, over: uid, in: room, &db) }
            guard let member = try MembershipDAO.member(uid, of: room, in: &db) else { return (nil, changes.next()) }
            _ = try db.delete(RoomMemberRecord.self, key: RoomPerson(room, uid))
            try Self.note(from: member.standing, to: .listener, uid, room, actor, journal, &db)
            return (member, changes.next())
        }
    }

    /// Puts somebody out, without their standing if they have one. They may come back.
    ///
    /// - Returns: What they were; `nil` for a listener.
    /// - Throws: `roomUnknown`, `roomClosed`, `invalid` for the owner, `forbidden`, `busy`, `storage`.
    @discardableResult
    package func kick(
        _ uid: UserID, from room: RoomID, by actor: UserID?
    ) async throws(Refusal) -> (member: Member?, changeNumber: Int64) {
        let (journal, changes) = (self.journal, self.changes)
        return try await membership.write { db in
            try MembershipDAO.refuseOwner(uid, of: room, in: &db)
            try RoomRights.require(.moderate, of: actor, over: uid, in: room, &db)
            let member = try MembershipDAO.member(uid, of: room, in: &db)
            if member != nil { _ = try db.delete(RoomMemberRecord.self, key: RoomPerson(room, uid)) }
            try journal.append(Self.entry(.roomKicked, uid, room, actor), in: &db)
            return (member, changes.next())
        }
    }

    // MARK: Steps

    /// Letting somebody in and leaving are no matter for the journal, but for those above members.
    static func note(
        from old: Standing, to new: Standing, _ uid: UserID, _ room: RoomID, _ actor: UserID?,
        _ journal: Journal, _ db: inout WriteAccess
    ) throws {
        guard old != new else { return }
        let isPuttingOut = new == .listener && actor != uid
        guard max(old, new) > .member || isPuttingOut else { return }
        let detail: [(StaticString, JournalDetail.Value)] = [
            ("from", .text(old.rawValue)), ("to", .text(new.rawValue)),
        ]
        try journal.append(entry(.roomStanding, uid, room, actor, detail), in: &db)
    }

    static func entry(
        _ kind: JournalEntry.Kind, _ uid: UserID, _ room: RoomID, _ actor: UserID?,
        _ detail: [(StaticString, JournalDetail.Value)] = []
    ) -> JournalEntry {
        JournalEntry(
            kind, actor: actor, user: uid, JournalDetail(detail + [("room", .text(room.rawValue))]))
    }
}

extension RoomMemberRecord {
    /// A standing by hand. What an invite lets them do stays, unless it is a standing, too.
    fileprivate mutating func give(_ standing: Standing) {
        given = standing
        self.standing = standing
        guard role == .cohost else { return }
        invite = nil
        role = nil
    }
}
