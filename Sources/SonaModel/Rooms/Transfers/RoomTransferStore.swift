internal import SonaDatabase
package import SonaWire

/// Rooms that pass to another owner: offered and accepted, moved by an administrator, or inherited by a cohost.
///
/// Off the loop. Who may do it, and how many rooms an account may own, is decided in the transaction.
package struct RoomTransferStore: Sendable {
    /// A room that has another owner now.
    package struct Moved: Sendable, Equatable {
        package let room: RoomStore.StoredRoom
        /// The number of the change among all changes of rooms.
        package let changeNumber: Int64
        package let former: User
        /// What the former owner is in the room from now on; `nil`: nothing.
        package let formerMember: MembershipStore.Member?
        /// The number of the change among all changes of standings.
        package let standingNumber: Int64
    }

    private let rooms: RoomDAO
    private let journal: Journal
    private let clock: WallClock
    private let changes: ChangeCounter
    private let standings: ChangeCounter

    /// - Parameters:
    ///   - changes: The counter of `RoomStore`.
    ///   - standings: The counter of `MembershipStore`.
    init(_ rooms: RoomDAO, journal: Journal, clock: WallClock, changes: ChangeCounter, standings: ChangeCounter) {
        self.rooms = rooms
        self.journal = journal
        self.clock = clock
        self.changes = changes
        self.standings = standings
    }

    // MARK: Offers

    /// Offers a room to an account. It takes the place of an earlier offer of the room.
    ///
    /// - Returns: The offer, and the one it has replaced.
    /// - Throws: `roomUnknown`, `roomClosed`, `forbidden` unless `owner` owns it; `userUnknown`, also if that user has
    ///   blocked the owner, or waits for approval; `oneself`; `busy`, `storage`.
    package func offer(
        _ id: RoomID, to reference: UserReference, by owner: UserID
    ) async throws(Refusal) -> (offer: RoomTransfer, former: RoomTransfer?) {
        let now = clock.nowMilliseconds()
        return try await rooms.write { db in
            try RoomRights.require(.manage, of: owner, in: id, &db)
            let receiver = try Self.receiver(reference, in: &db)
            guard receiver.uid != owner else { throw Refusal.oneself }
            guard try !db.exists(BlockRecord.self, key: UserPair(receiver.uid, owner)) else {
                throw Refusal.userUnknown
            }
            let replaced = try db.first(RoomTransferRecord.self, key: id)
            let former = try replaced.map { try Self.transfer($0, in: &db) }
            let record = RoomTransferRecord(
                room: id, from: owner, to: receiver.uid, createdMilliseconds: now,
                expiresMilliseconds: now + Limits.transferSeconds * 1_000)
            try db.upsert(record)
            return (try Self.transfer(record, in: &db), former)
        }
    }

    /// The offers that an account has made or got and that can be accepted, the newest first.
    ///
    /// - Throws: `busy`, `storage`.
    package func list(of uid: UserID) async throws(Refusal) -> [RoomTransfer] {
        let now = clock.nowMilliseconds()
        return try await rooms.read { db in
            try db.all(
                RoomTransferRecord.self,
                """
                WHERE (from_uid = \(uid) OR to_uid = \(uid)) AND expires_ms > \(now)
                    AND EXISTS (SELECT 1 FROM rooms r WHERE r.id = room_id AND r.owner_uid = from_uid
                        AND r.closed_ms IS NULL)
                    AND NOT EXISTS (SELECT 1 FROM bans b WHERE b.uid = from_uid
                        AND (b.until_ms IS NULL OR b.until_ms > \(now)))
                ORDER BY created_ms DESC, room_id LIMIT 100
                """
            ).map { try Self.transfer($0, in: &db) }
        }
    }

    /// Refuses an account that has no offer of a room, without changing anything.
    ///
    /// - Throws: `transferUnknown`, `busy`, `storage`.
    package func requireOffer(of id: RoomID, to receiver: UserID) async throws(Refusal) {
        let now = clock.nowMilliseconds()
        try await rooms.read { db in
            guard try Self.current(id, now: now, in: &db).to == receiver else { throw Refusal.transferUnknown }
        }
    }

    /// Takes a room that was offered. The former owner becomes a cohost.
    ///
    /// - Returns: Besides the move, the offer.
    /// - Throws: `transferUnknown` if there is no such offer (any more), or its giver is banned from the server; `banned`
    ///   if the account is; `roomClosed`; `limitReached` if the account owns as many rooms as it may; `busy`, `storage`.
    package func accept(_ id: RoomID, by receiver: UserID) async throws(Refusal) -> (moved: Moved, offer: RoomTransfer)
    {
        let (now, mover) = (clock.nowMilliseconds(), self)
        return try await rooms.write { db in
            let record = try Self.current(id, now: now, in: &db)
            guard record.to == receiver else { throw Refusal.transferUnknown }
            try UserDAO.refuseIfBanned(receiver, now: now, in: &db)
            let room = try Self.open(id, in: &db)
            // The rooms of a banned owner are out of everybody's reach.
            guard room.owner == record.from, try UserDAO.ban(of: record.from, now: now, in: &db) == nil else {
                throw Refusal.transferUnknown
            }
            let offer = try Self.transfer(record, in: &db)
            return (try mover.move(room, to: receiver, formerIs: .cohost, by: receiver, now: now, in: &db), offer)
        }
    }

    /// Ends an offer, by the one who has got it or the one who has made it.
    ///
    /// - Throws: `transferUnknown`, `busy`, `storage`.
    package func refuse(
        _ id: RoomID, by uid: UserID
    ) async throws(Refusal) -> (offer: RoomTransfer, state: RoomTransferChanged.State) {
        let now = clock.nowMilliseconds()
        return try await rooms.write { db in
            let record = try Self.current(id, now: now, in: &db)
            guard record.to == uid || record.from == uid else { throw Refusal.transferUnknown }
            let offer = try Self.transfer(record, in: &db)
            _ = try db.delete(RoomTransferRecord.self, key: id)
            return (offer, record.to == uid ? .refused : .withdrawn)
        }
    }

    // MARK: Moves

    /// Gives a room another owner. The former one keeps no standing in it.
    ///
    /// - Parameter actor: The administrator. `nil`: the operator.
    /// - Throws: `roomUnknown`, `roomClosed`, `userUnknown`, also for an account that waits for approval;
    ///   `receiverBanned`; `limitReached` if the new owner owns as many rooms as they may; `forbidden`, `banned` or
    ///   `tokenInvalid` for the administrator; `busy`, `storage`.
    package func move(
        _ id: RoomID, to reference: UserReference, by actor: UserID?
    ) async throws(Refusal) -> Moved {
        let (now, mover) = (clock.nowMilliseconds(), self)
        return try await rooms.write { db in
            try AdminRights.require(.roomsMove, of: actor, now: now, in: &db)
            let room = try Self.open(id, in: &db)
            let receiver = try Self.receiver(reference, in: &db)
            guard try UserDAO.ban(of: receiver.uid, now: now, in: &db) == nil else { throw Refusal.receiverBanned }
            return try mover.move(room, to: receiver.uid, formerIs: nil, by: actor, now: now, in: &db)
        }
    }

    // MARK: Owners who are gone

    /// The fate of a room whose owner is gone.
    package enum Succession: Sendable {
        case moved(Moved)
        case closed(RoomID)
    }

    /// Passes the open rooms of an account that is about to go to cohosts.
    ///
    /// - Returns: The rooms that somebody has got.
    func inherit(from uid: UserID, now: Int64, in db: inout WriteAccess) throws -> [Moved] {
        let rooms = try db.all(RoomRecord.filter(RoomRecord.owner == uid && RoomRecord.closed == nil))
        return try rooms.compactMap { room in
            guard let heir = try Self.heir(of: room, now: now, in: &db) else { return nil }
            return try move(room, to: heir, formerIs: nil, by: uid, now: now, in: &db)
        }
    }

    /// Finds a new owner for each room whose owner was last seen before `seenBefore`: a cohost. A room without one is
    /// closed, unless it was live since. The rooms of a banned owner stay theirs, and the end of a ban counts like a
    /// sign of the owner.
    ///
    /// - Returns: The new owners and the closed rooms. A room whose change fails is left out: it stays as it is, for the
    ///   next time, and keeps no other room from its fate.
    /// - Throws: `busy`, `storage` if no room could be looked for.
    package func replaceOwners(seenBefore: Int64) async throws(Refusal) -> [Succession] {
        let (now, mover, journal) = (clock.nowMilliseconds(), self, self.journal)
        // Accounts that nobody can sign in to are the server's own. A ban that has ended by its time keeps its row. The
        // end of a permanent ban is NULL, which is not before anything.
        let condition: SQL = """
            closed_ms IS NULL AND EXISTS (SELECT 1 FROM account_sightings s JOIN users u ON u.uid = s.uid
                LEFT JOIN bans b ON b.uid = s.uid
                WHERE s.uid = owner_uid AND s.seen_ms < \(seenBefore)
                    AND (b.uid IS NULL OR b.until_ms < \(min(seenBefore, now)))
                    AND (u.password_hash IS NOT NULL OR EXISTS (SELECT 1 FROM identities i WHERE i.uid = u.uid)))
            """
        let due = try await rooms.read { db in
            try db.values("SELECT id FROM rooms WHERE \(condition)", as: RoomID.self)
        }
        var outcomes: [Succession] = []
        for id in due {
            let outcome = try? await rooms.write { db -> Succession? in
                // The owner may have come back meanwhile.
                guard let room = try db.first(RoomRecord.self, "WHERE id = \(id) AND \(condition)") else { return nil }
                if let heir = try Self.heir(of: room, now: now, in: &db) {
                    return .moved(try mover.move(room, to: heir, formerIs: .member, by: nil, now: now, in: &db))
                }
                if let live = room.lastLiveMilliseconds, live >= seenBefore { return nil }
                var closed = room
                closed.closedMilliseconds = now
                try db.updateChanges(closed, from: room)
                try RoomDAO.clear(closed: id, in: &db)
                try journal.append(JournalEntry(.roomAbandoned, room: id), in: &db)
                return .closed(id)
            }
            if let outcome { outcomes.append(outcome) }
        }
        return outcomes
    }

    /// The cohost of longest standing who may own another room, can sign in and is not banned from the server.
    private static func heir(
        of room: RoomRecord, now: Int64, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> UserID? {
        try db.value(
            """
            SELECT m.uid FROM room_members m JOIN users u ON u.uid = m.uid
            WHERE m.room_id = \(room.id) AND m.standing = \(Standing.cohost) AND NOT m.is_guest
                AND u.username IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM waiting_accounts w WHERE w.uid = m.uid)
                AND NOT EXISTS (SELECT 1 FROM bans b WHERE b.uid = m.uid
                    AND (b.until_ms IS NULL OR b.until_ms > \(now)))
                AND (SELECT count(*) FROM rooms r WHERE r.owner_uid = m.uid AND r.closed_ms IS NULL)
                    < \(Limits.roomsPerUserMax)
            ORDER BY m.since_ms, m.uid LIMIT 1
            """, as: UserID.self)
    }

    // MARK: Steps

    /// - Parameter standing: What the former owner becomes. `nil`: nothing.
    /// - Throws: `limitReached`.
    private func move(
        _ room: RoomRecord, to receiver: UserID, formerIs standing: Standing?, by actor: UserID?, now: Int64,
        in db: inout WriteAccess
    ) throws -> Moved {
        let former = room.owner
        try Self.write(room, to: receiver, formerIs: standing, now: now, in: &db)
        try journal.append(
            JournalEntry(
                .roomTransferred, actor: actor, room: room.id,
                ["from": .text(former.rawValue), "to": .text(receiver.rawValue)]), in: &db)
        let stored = try db.all("\(RoomStore.StoredRoom.select) WHERE \(RoomRecord.id) = \(room.id)") { row in
            try RoomStore.StoredRoom(row: &row)
        }
        guard let moved = stored.first else { throw Refusal.roomUnknown }
        return Moved(
            room: moved, changeNumber: changes.next(), former: try Self.user(former, in: &db),
            formerMember: try MembershipDAO.member(former, of: room.id, in: &db), standingNumber: standings.next())
    }

    /// Writes that a room has another owner, and ends an offer of it.
    private static func write(
        _ room: RoomRecord, to receiver: UserID, formerIs standing: Standing?, now: Int64, in db: inout WriteAccess
    ) throws {
        guard receiver != room.owner else { throw Refusal.oneself }
        let owned = RoomRecord.filter(RoomRecord.owner == receiver && RoomRecord.closed == nil)
        guard try db.count(owned) < Limits.roomsPerUserMax else { throw Refusal.limitReached }
        var moved = room
        moved.owner = receiver
        try db.updateChanges(moved, from: room)
        _ = try db.delete(RoomTransferRecord.self, key: room.id)
        // An owner has no other standing, and is neither banned nor muted in their own room.
        let place = RoomPerson(room.id, receiver)
        _ = try db.delete(RoomMemberRecord.self, key: place)
        _ = try db.delete(RoomBanRecord.self, key: place)
        _ = try db.delete(RoomMuteRecord.self, key: place)
        guard let standing else { return }
        try db.insert(
            RoomMemberRecord(
                room: room.id, uid: room.owner, standing: standing, given: standing, invite: nil, role: nil,
                isGuest: false, sinceMilliseconds: now))
    }

    /// The account that is to get a room. Nobody can sign in to one that waits for approval, so it is unknown.
    static func receiver(_ reference: UserReference, in db: inout WriteAccess) throws -> UserRecord {
        let user = try UserDAO.find(reference, in: &db)
        guard try !db.exists(WaitingAccountRecord.self, key: user.uid) else { throw Refusal.userUnknown }
        return user
    }

    private static func open(_ id: RoomID, in db: inout WriteAccess) throws -> RoomRecord {
        guard let room = try db.first(RoomRecord.self, key: id) else { throw Refusal.roomUnknown }
        guard room.closedMilliseconds == nil else { throw Refusal.roomClosed }
        return room
    }

    private static func current(
        _ id: RoomID, now: Int64, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> RoomTransferRecord {
        guard let record = try db.first(RoomTransferRecord.self, key: id), record.expiresMilliseconds > now else {
            throw Refusal.transferUnknown
        }
        return record
    }

    private static func transfer(
        _ record: RoomTransferRecord, in db: inout some DatabaseAccess & ~Copyable
    ) throws -> RoomTransfer {
        guard let room = try db.first(RoomRecord.self, key: record.room) else { throw Refusal.roomUnknown }
        return RoomTransfer(
            room: record.room, title: room.settings.title, from: try user(record.from, in: &db),
            to: try user(record.to, in: &db), createdMilliseconds: record.createdMilliseconds,
            expiresMilliseconds: record.expiresMilliseconds)
    }

    private static func user(_ uid: UserID, in db: inout some DatabaseAccess & ~Copyable) throws -> User {
        User(uid: uid, username: try UserDAO.find(.id(uid), in: &db).username, isGuest: false)
    }
}
