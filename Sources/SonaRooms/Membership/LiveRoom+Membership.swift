package import SonaWire

/// The standing of people in a room, and what it allows.
extension LiveRoom {
    package func standing(of user: User) -> Standing {
        if user.uid == owner.uid { return .owner }
        return roster.entries[user.uid]?.standing ?? .listener
    }

    package func capabilities(of user: User) -> Set<Capability> {
        standing(of: user).capabilities.union(roster.entries[user.uid]?.extra ?? [])
    }

    /// - Throws: `room.forbidden`, naming the capability.
    package func require(_ capability: Capability, of user: User) throws(WireError) {
        guard !capabilities(of: user).contains(capability) else { return }
        throw .roomForbidden(capability)
    }

    /// - Throws: `room.forbidden`; without a capability if `other` is as high as `user` or higher.
    package func requireAbove(_ other: UserID, _ user: User, _ capability: Capability) throws(WireError) {
        try require(capability, of: user)
        let others = other == owner.uid ? Standing.owner : roster.entries[other]?.standing ?? .listener
        guard others < standing(of: user) else { throw WireError(.roomForbidden) }
    }

    package func membership(of user: User, isGhost: Bool, wall: Int64) -> RoomSnapshot.Membership {
        RoomSnapshot.Membership(
            role: role(of: user), standing: standing(of: user), may: Capability.words(capabilities(of: user)),
            isGhost: isGhost,
            mutedUntilMilliseconds: roster.mute(user.uid, at: wall).map { min($0, Limits.integerMax) })
    }

    // MARK: The door

    /// Whether somebody may come in now.
    ///
    /// - Parameter namesRoom: Whether they name the room by its identifier, and not by the username of its host.
    /// - Throws: `room.banned`, `room.not_found`, `room.guests_not_allowed`, `room.approval_pending`.
    ///
    /// Source: Protocol/spec/joining.md, "The way in".
    package func admit(_ user: User, namesRoom: Bool = true, wall: Int64) throws(WireError) {
        try refuseIfBanned(user.uid, wall: wall)
        let belongs =
            standing(of: user) > .listener || roster.entries[user.uid] != nil || slotHosts.welcome.contains(user.uid)
        guard settings.visibility == .public || belongs || (settings.hasWaitingRoom && namesRoom) else {
            throw WireError(.roomNotFound)
        }
        guard settings.allowsGuests || !user.isGuest else { throw WireError(.roomGuestsNotAllowed) }
        if settings.hasWaitingRoom, !belongs { throw WireError(.roomApprovalPending) }
    }

    /// - Throws: `room.banned`.
    package func refuseIfBanned(_ uid: UserID, wall: Int64) throws(WireError) {
        guard let until = roster.ban(uid, at: wall) else { return }
        var error = WireError(.roomBanned, retryAfterMilliseconds: until == .max ? nil : Int(clamping: until - wall))
        if let reason = roster.banReasons[uid] { error.message = reason }
        throw error
    }

    /// - Throws: `room.full`; never for a connection that is already inside.
    package func requirePlace(for member: MemberID) throws(WireError) {
        guard members[member] != nil || members.count < Limits.listenersPerRoomMax else { throw WireError(.roomFull) }
    }

    /// Somebody waits before the door.
    ///
    /// - Returns: Whether they were not waiting already.
    /// - Throws: `room.full` if too many wait.
    package mutating func knock(_ user: User) throws(WireError) -> Bool {
        guard roster.waiting[user.uid] == nil else { return false }
        guard roster.waiting.count < Limits.waitingRoomMax else { throw WireError(.roomFull) }
        roster.waiting[user.uid] = user
        roster.noteArrival(user.uid)
        return true
    }

    /// - Returns: The user who waited.
    @discardableResult
    package mutating func stopWaiting(_ uid: UserID) -> User? { roster.waiting.removeValue(forKey: uid) }

    // MARK: What was stored

    /// Somebody's standing in the room changes.
    ///
    /// - Parameter entry: `nil` for a plain listener.
    package mutating func set(_ entry: RoomRoster.Entry?, for user: User) -> [RoomEffect] {
        let before = (standing(of: user), capabilities(of: user))
        roster.entries[user.uid] = entry
        roster.waiting[user.uid] = nil
        let after = (standing(of: user), capabilities(of: user))
        guard before.0 != after.0 || before.1 != after.1 else { return [] }
        return [
            .event(RoomStandingChanged(user: user, standing: after.0, may: Capability.words(after.1)))
        ]
    }

    /// Sets or lifts a ban. The standing that a ban takes away is a change of its own.
    ///
    /// - Parameter until: Ms since 1970, `.max` for good; `nil` lifts the ban.
    package mutating func ban(_ uid: UserID, until: Int64?, reason: String? = nil) {
        roster.bans[uid] = until
        roster.banReasons[uid] = until == nil ? nil : reason
        if until != nil { roster.waiting[uid] = nil }
    }

    package mutating func mute(_ uid: UserID, until: Int64?) { roster.mutes[uid] = until }

    // MARK: Chat

    /// Whether somebody may write now.
    ///
    /// - Throws: `room.forbidden`, `chat.off`, `chat.muted`.
    package func mayChat(_ user: User, wall: Int64) throws(WireError) {
        try require(.chat, of: user)
        guard settings.chatRule.admits(standing(of: user)) else {
            guard settings.chatRule == .off else { throw .roomForbidden(.chat) }
            throw WireError(.chatOff)
        }
        if let until = roster.mute(user.uid, at: wall) {
            throw WireError(.chatMuted, retryAfterMilliseconds: until == .max ? nil : Int(clamping: until - wall))
        }
    }
}

extension WireError {
    /// The refusal for want of a capability.
    package static func roomForbidden(_ capability: Capability) -> WireError {
        var error = WireError(.roomForbidden)
        error.permission = capability.rawValue
        return error
    }
}
