internal import SonaDatabase
package import SonaWire

/// Invites to rooms.
///
/// A live invite lets somebody new in; it ends by its time, by its uses, or by being revoked. Who came by it stays when
/// it ends by itself, and goes when it is revoked, unless something else holds them.
package struct InviteStore: Sendable {
    /// Ended invites of one room that are kept to say why they don't work, beside those by which somebody is here.
    static let keptMax = 1_000

    private let invites: InviteDAO
    private let key: InviteKey
    private let journal: Journal
    private let clock: WallClock
    private let changes: ChangeCounter

    init(_ invites: InviteDAO, key: InviteKey, journal: Journal, clock: WallClock, changes: ChangeCounter) {
        self.invites = invites
        self.key = key
        self.journal = journal
        self.clock = clock
        self.changes = changes
    }

    // MARK: Codes

    /// The invite that a code is for; whether it still works is told by `redeem`. Any thread; no disk, 5 µs without
    /// optimization.
    ///
    /// - Returns: `nil` for a code that was guessed, altered, or made for another room.
    package func verify(_ code: String, for room: RoomID) -> InviteID? { key.verify(code, room) }

    // MARK: Making and ending

    /// - Parameters:
    ///   - label: For the list, within `Limits.inviteLabelBytes`.
    ///   - seconds: Within `Limits.inviteExpirySeconds`.
    ///   - usesMax: Within `Limits.inviteUses`; `nil` for as many as like.
    /// - Throws: `limitReached`, `roomUnknown`, `roomClosed`, `userUnknown`, `forbidden`, `invalid`, `busy`, `storage`.
    package func create(
        for room: RoomID, role: InviteRole = .listen, label: String? = nil,
        seconds: Int64 = Int64(Limits.inviteExpirySecondsDefault), usesMax: Int? = nil, by creator: UserID
    ) async throws(Refusal) -> InviteCreated {
        guard Limits.inviteExpirySeconds.contains(seconds),
            usesMax.map({ Limits.inviteUses.contains(Int64($0)) }) != false
        else { throw .invalid }
        let now = clock.nowMilliseconds()
        let record = InviteRecord(
            id: InviteKey.newID(), room: room, role: role, label: label, createdMilliseconds: now,
            expiresMilliseconds: now + seconds * 1_000, usesMax: usesMax, revokedMilliseconds: nil, createdBy: creator)
        let invite = try await invites.write { db in
            guard try db.exists(UserRecord.self, key: creator) else { throw Refusal.userUnknown }
            // Who makes cohosts may invite them.
            try RoomRights.require(role == .cohost ? .manage : .host, of: creator, in: room, &db)
            try InviteDAO.makeRoom(in: room, now: now, &db)
            try db.insert(record)
            guard let made = try InviteDAO.invites("WHERE i.id = \(record.id)", in: &db).first else {
                throw Refusal.inviteInvalid
            }
            return made
        }
        let code = key.code(record.id, room)
        return InviteCreated(invite: invite, code: code, path: Invite.path(room: room, code: code))
    }

    /// Ends an invite, and the membership of all who rest on it alone: they are put out. Who also came by another one
    /// that was not revoked rests on that from now on; who was given a standing by hand has just that.
    ///
    /// It is one line of the journal, and one more for each co-host who is none any more.
    ///
    /// That it was revoked before is no error; nobody rests on it then.
    ///
    /// - Returns: Who is put out, who stays with less than they had, and the number of the change.
    /// - Throws: `inviteInvalid`, `forbidden`, `roomUnknown`, `roomClosed`, `busy`, `storage`.
    package func revoke(
        _ id: InviteID, of room: RoomID, by actor: UserID?
    ) async throws(Refusal) -> (
        removed: [MembershipStore.Member], changed: [MembershipStore.Member], changeNumber: Int64
    ) {
        let (now, journal, changes) = (clock.nowMilliseconds(), self.journal, self.changes)
        return try await invites.write { db in
            var invite = try InviteDAO.find(id, to: room, in: &db)
            // Who makes cohosts may end that.
            try RoomRights.require(invite.role == .cohost ? .manage : .host, of: actor, in: room, &db)
            let isFirst = invite.revokedMilliseconds == nil
            if isFirst {
                invite.revokedMilliseconds = now
                _ = try db.update(invite)
            }
            let (removed, changed) = try Self.settleAll(restingOn: id, of: room, by: actor, journal, in: &db)
            if isFirst { try journal.append(Self.revocation(id, of: room, removed.count, by: actor), in: &db) }
            return (removed, changed, changes.next())
        }
    }

    private static func revocation(
        _ id: InviteID, of room: RoomID, _ removedCount: Int, by actor: UserID?
    ) -> JournalEntry {
        JournalEntry(
            .roomInviteRevoked, actor: actor, room: room,
            ["invite": .text(id.rawValue), "removed": .integer(Int64(removedCount))])
    }

    /// Finds those whose invite was revoked another ground to be here. Who has none belongs to the room no more.
    ///
    /// There may be ten thousand: those go in one statement.
    private static func settleAll(
        restingOn id: InviteID, of room: RoomID, by actor: UserID?, _ journal: Journal, in db: inout WriteAccess
    ) throws -> (removed: [MembershipStore.Member], changed: [MembershipStore.Member]) {
        let before = try MembershipDAO.members("WHERE m.invite_id = \(id) AND m.room_id = \(room)", in: &db)
        try InviteDAO.removeMembers(restingOn: id, of: room, in: &db)
        var after: [UserID: MembershipStore.Member] = [:]
        for resting in try db.all(RoomMemberRecord.self, "WHERE invite_id = \(id) AND room_id = \(room)") {
            try settle(resting, in: &db)
            after[resting.uid] = try MembershipDAO.member(resting.uid, of: room, in: &db)
        }
        for member in before where member.standing > .member {
            try MembershipStore.note(
                from: member.standing, to: after[member.user.uid]?.standing ?? .listener, member.user.uid, room, actor,
                journal, &db)
        }
        return (before.filter { after[$0.user.uid] == nil }, before.compactMap { after[$0.user.uid] })
    }

    /// Somebody stays: by the best other invite, or by what they were given by hand alone.
    private static func settle(_ member: RoomMemberRecord, in db: inout WriteAccess) throws {
        var settled = member
        if let other = try InviteDAO.best(of: member.uid, to: member.room, in: &db) {
            settled.rest(on: other.id, as: other.role)
        } else if let given = member.given {
            settled.invite = nil
            settled.role = nil
            settled.standing = given
        }
        try db.updateChanges(settled, from: member)
    }

    /// All of a room that still work, and those that don't up to `limit`, newest first.
    ///
    /// - Throws: `busy`, `storage`.
    package func list(of room: RoomID, limit: Int = Limits.invitesPerRoomMax) async throws(Refusal) -> [Invite] {
        let now = clock.nowMilliseconds()
        return try await invites.read { db in
            try InviteDAO.invites(
                """
                WHERE i.room_id = \(room)
                ORDER BY \(InviteRecord.isLive(at: now)) DESC, i.created_ms DESC, i.id DESC LIMIT \(max(limit, 1))
                """, in: &db)
        }
    }

    // MARK: Coming by one

    /// Whether somebody may come by an invite now, whose code was verified. Nothing is written.
    ///
    /// - Throws: As `redeem`.
    package func check(
        _ id: InviteID, to room: RoomID, uid: UserID, isGuest: Bool
    ) async throws(Refusal) {
        let now = clock.nowMilliseconds()
        try await invites.read { db in
            _ = try Self.comer(uid, saysGuest: isGuest, by: id, to: room, now: now, in: &db)
        }
    }

    /// Lets somebody into a room by an invite whose code was verified. One use is counted per person: who belongs to the
    /// room comes in for nothing, also after its end; who was put out needs it to be alive.
    ///
    /// An invite never takes anything away: of two the better one counts.
    ///
    /// - Parameter isGuest: What their token says.
    /// - Returns: What they are now, whether the invite made a difference, and the number of the change.
    /// - Throws: `banned` (also a guest who comes by the invite of a guest who is), `inviteInvalid`, `inviteRevoked`,
    ///   `inviteExpired`, `inviteUsedUp`, `guestsNotAllowed`, `accountRequired` for a guest with the invite of a co-host,
    ///   `userUnknown`, `limitReached`, `busy`, `storage`.
    package func redeem(
        _ id: InviteID, to room: RoomID, uid: UserID, isGuest: Bool
    ) async throws(Refusal) -> (member: MembershipStore.Member?, isNew: Bool, changeNumber: Int64) {
        let (now, journal, changes) = (clock.nowMilliseconds(), self.journal, self.changes)
        return try await invites.write { db in
            guard let comer = try Self.comer(uid, saysGuest: isGuest, by: id, to: room, now: now, in: &db) else {
                return (nil, false, changes.next())
            }
            if comer.isCounted { try Self.count(comer, now: now, in: &db) }
            let isNew = comer.isAdmitted ? try Self.admit(comer, now: now, in: &db) : false
            let after = try MembershipDAO.member(uid, of: room, in: &db)
            try MembershipStore.note(
                from: comer.member?.standing ?? .listener, to: after?.standing ?? .listener, uid, room, uid, journal,
                &db)
            return (after, isNew, changes.next())
        }
    }

    /// Somebody who may come by an invite.
    private struct Comer {
        let uid: UserID
        let isGuest: Bool
        let invite: InviteRecord
        /// What they are already.
        let member: RoomMemberRecord?
        let hasUsed: Bool
        /// Whether the invite lets somebody new in.
        let isLive: Bool

        var isCounted: Bool { !hasUsed && isLive }
        /// Whether they get what the invite gives; who has come by it before has it.
        var isAdmitted: Bool { member == nil || isCounted }
    }

    /// - Returns: `nil` for the owner, who has more than any invite gives.
    /// - Throws: As `redeem`, in the order of Protocol/spec/joining.md, "The way in".
    private static func comer(
        _ uid: UserID, saysGuest: Bool, by id: InviteID, to room: RoomID, now: Int64,
        in db: inout some DatabaseAccess & ~Copyable
    ) throws -> Comer? {
        try MembershipDAO.refuseIfBanned(uid, in: room, now: now, &db)
        let invite = try InviteDAO.find(id, to: room, in: &db)
        let isGuest = try MembershipDAO.isGuest(uid, saysGuest: saysGuest, in: &db)
        let hasUsed = try db.exists(InviteUseRecord.self, key: InviteUse(id, uid))
        if isGuest, !hasUsed, let ban = try MembershipDAO.ban(ofInvite: id, in: room, now: now, &db) {
            throw Refusal(ban)
        }
        if invite.revokedMilliseconds != nil { throw Refusal.inviteRevoked }
        let record = try db.first(RoomRecord.self, key: room)
        if record?.owner == uid { return nil }
        let member = try db.first(RoomMemberRecord.self, key: RoomPerson(room, uid))
        let isExpired = invite.expiresMilliseconds <= now
        let isUsedUp = invite.usesMax.map { invite.uses >= $0 } ?? false
        // An invite that has ended lets nobody new in.
        if member == nil {
            if isExpired { throw Refusal.inviteExpired }
            if isUsedUp, !hasUsed { throw Refusal.inviteUsedUp }
        }
        if isGuest, record?.settings.allowsGuests == false { throw Refusal.guestsNotAllowed }
        if isGuest, invite.role == .cohost { throw Refusal.accountRequired }
        return Comer(
            uid: uid, isGuest: isGuest, invite: invite, member: member, hasUsed: hasUsed,
            isLive: !isExpired && !isUsedUp)
    }

    private static func count(_ comer: Comer, now: Int64, in db: inout WriteAccess) throws {
        try db.execute("UPDATE room_invites SET uses = uses + 1 WHERE id = \(comer.invite.id)")
        try db.insert(
            InviteUseRecord(invite: comer.invite.id, uid: comer.uid, isGuest: comer.isGuest, atMilliseconds: now))
    }

    /// - Returns: Whether anything changed.
    /// - Throws: `limitReached`.
    private static func admit(_ comer: Comer, now: Int64, in db: inout WriteAccess) throws -> Bool {
        let invite = comer.invite
        guard let current = comer.member else {
            try MembershipDAO.insert(
                RoomMemberRecord(
                    room: invite.room, uid: comer.uid, standing: invite.role.standing, given: nil, invite: invite.id,
                    role: invite.role, isGuest: comer.isGuest, sinceMilliseconds: now), in: &db)
            return true
        }
        if let role = current.role, role >= invite.role { return false }
        var changed = current
        changed.rest(on: invite.id, as: invite.role)
        changed.isGuest = comer.isGuest
        return try db.updateChanges(changed, from: current) > 0
    }
}
