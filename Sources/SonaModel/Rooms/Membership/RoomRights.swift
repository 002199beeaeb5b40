internal import SonaDatabase
internal import SonaWire

/// What somebody may do in a room by what is stored, decided where it is written: standing may have gone since the
/// request came. The rules are those of Protocol/spec/roles.md, as `LiveRoom` has them in memory.
enum RoomRights {
    /// Checks a capability, and that the actor stands above somebody.
    ///
    /// - Parameters:
    ///   - actor: Who does it; `nil` for the server and its operator, who may.
    ///   - other: Whom it is done to; nobody acts against their equal or better, and anybody against themself.
    /// - Returns: What the actor is in the room.
    /// - Throws: `forbidden`, with the capability if that is missing; `roomUnknown`, `roomClosed`.
    @discardableResult
    static func require(
        _ capability: Capability, of actor: UserID?, over other: UserID? = nil, in room: RoomID,
        _ db: inout some DatabaseAccess & ~Copyable
    ) throws -> Standing {
        guard let actor else { return .owner }
        let record = try open(room, &db)
        let (standing, extra) = try self.standing(of: actor, in: record, &db)
        guard standing.capabilities.union(extra).contains(capability) else {
            throw Refusal.forbidden(capability)
        }
        if let other, other != actor {
            guard try self.standing(of: other, in: record, &db).standing < standing else {
                throw Refusal.forbidden(nil)
            }
        }
        return standing
    }

    /// Whether somebody may write in a room now: not banned, not muted, and within the room's rule.
    ///
    /// - Throws: `banned`, `muted`, `chatOff`, `forbidden`; `roomUnknown`, `roomClosed`.
    static func requireChat(
        of uid: UserID, in room: RoomID, now: Int64, _ db: inout some DatabaseAccess & ~Copyable
    ) throws {
        let record = try open(room, &db)
        try MembershipDAO.refuseIfBanned(uid, in: room, now: now, &db)
        if record.settings.chatRule == .off { throw Refusal.chatOff }
        if record.settings.chatRule != .everyone {
            guard record.settings.chatRule.admits(try standing(of: uid, in: record, &db).standing) else {
                throw Refusal.forbidden(.chat)
            }
        }
        guard let mute = try db.first(RoomMuteRecord.self, key: RoomPerson(room, uid)) else { return }
        if let until = mute.untilMilliseconds, until <= now { return }
        throw Refusal.muted(untilMilliseconds: mute.untilMilliseconds)
    }

    private static func open(
        _ room: RoomID, _ db: inout some DatabaseAccess & ~Copyable
    ) throws -> RoomRecord {
        guard let record = try db.first(RoomRecord.self, key: room) else { throw Refusal.roomUnknown }
        guard record.closedMilliseconds == nil else { throw Refusal.roomClosed }
        return record
    }

    private static func standing(
        of uid: UserID, in room: RoomRecord, _ db: inout some DatabaseAccess & ~Copyable
    ) throws -> (standing: Standing, extra: Set<Capability>) {
        if uid == room.owner { return (.owner, []) }
        guard let member = try db.first(RoomMemberRecord.self, key: RoomPerson(room.id, uid)) else {
            return (.listener, [])
        }
        let extra = member.role?.capabilities ?? []
        // A guest who was let in has what came with it, and is a listener.
        return (member.isGuest ? .listener : member.standing, extra)
    }
}
