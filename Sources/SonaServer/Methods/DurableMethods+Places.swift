internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// Finding the room that a request is about, and the people in it.
extension DurableMethods {
    /// What is stored of a room, for it to wake with; nothing is read where it is awake, and stays so for a while.
    func storedState(of stored: RoomStore.StoredRoom) async throws(WireError) -> StoredRoomState {
        let isAwake = await shard.perform { core in
            core.rooms[stored.id]?.noteAsked()
            return core.rooms[stored.id] != nil
        }
        if isAwake { return StoredRoomState() }
        return try await StoredRoomState(stored.id, model.roomStorage)
    }

    /// The room that a request names, awake; without a name, the one the connection was in when it asked.
    ///
    /// - Parameter needsEntry: Whether somebody outside must be able to enter without being let in. False for requests
    ///   that take a capability: whoever sees the room is refused for want of that.
    /// - Throws: `room.not_joined`, and as `resolve`.
    func place(
        _ reference: RoomReference?, _ account: Accounts.Account, _ caller: Caller, needsEntry: Bool = true
    ) async throws(WireError) -> RoomID {
        let uid = account.uid
        // Who is not in that room any more is like anybody else before its door.
        guard let reference = reference ?? caller.room.map({ .id($0) }) else { throw WireError(.roomNotJoined) }
        if case .id(let id) = reference {
            let isInside = await shard.perform { core in
                core.rooms[id]?.room.presence.contains(uid) == true
            }
            if isInside { return id }
        }
        let stored = try await resolve(reference, account)
        let state = try await storedState(of: stored)
        // Who is not inside may do no more than somebody who could come in.
        let user = User(account)
        let way = await shard.perform { core in
            Result.of { () throws(WireError) in
                let room = try core.home(stored, state).room
                guard !room.presence.contains(uid) else { return }
                do throws(WireError) {
                    try room.admit(user, wall: MonotonicClock.wallMilliseconds())
                } catch {
                    let isSeen = error.code == .roomApprovalPending || error.code == .roomGuestsNotAllowed
                    guard isSeen, !needsEntry else { throw error }
                }
            }
        }
        try way.get()
        return stored.id
    }

    /// Does something in a room that is awake.
    func on<Value: Sendable>(
        _ id: RoomID, _ body: @escaping @Sendable (RoomHome) -> Result<Value, WireError>
    ) async throws(WireError) -> Value {
        let result = await shard.perform { core in core.rooms[id].map(body) }
        guard let result else { throw WireError(.serverBusy, retryAfterMilliseconds: 250) }
        return try result.get()
    }

    /// Checks a capability of the caller's.
    ///
    /// - Throws: `room.forbidden`.
    func require(_ capability: Capability, _ account: Accounts.Account, in id: RoomID) async throws(WireError) {
        let user = User(account)
        try await on(id) { home in .of { () throws(WireError) in try home.room.require(capability, of: user) } }
    }

    /// The same, and that the caller stands above somebody.
    func require(
        _ capability: Capability, _ account: Accounts.Account, over other: UserID, in id: RoomID
    ) async throws(WireError) {
        let user = User(account)
        try await on(id) { home in
            .of { () throws(WireError) in try home.room.requireAbove(other, user, capability) }
        }
    }

    /// Somebody in, before, or known to a room: a guest too, as long as they are there.
    ///
    /// - Throws: `user.not_found`.
    func person(_ reference: UserReference, in id: RoomID) async throws(WireError) -> User {
        let here = await shard.perform { core -> User? in
            guard let room = core.rooms[id]?.room else { return nil }
            let people = room.members.values.map(\.user) + Array(room.roster.waiting.values)
            return people.first { user in
                switch reference {
                case .id(let uid): user.uid == uid
                case .username(let name): user.username?.key == name.key
                }
            }
        }
        if let here { return here }
        do throws(WireError) {
            let summary = try await asked { () async throws(AccountError) in
                try await model.accounts.summary(of: reference)
            }
            return User(uid: summary.uid, username: summary.username, isGuest: false)
        } catch {
            // A guest who was banned is nowhere else any more.
            guard error.code == .userNotFound, case .id(let uid) = reference else { throw error }
            guard await shard.perform({ $0.rooms[id]?.room.roster.bans[uid] != nil }) else { throw error }
            return User(uid: uid, username: nil, isGuest: true)
        }
    }

    /// Translates what the storage of rooms refuses.
    func inRoomStorage<Value>(
        _ body: () async throws(RoomStorageError) -> Value
    ) async throws(WireError) -> Value {
        do { return try await body() } catch { throw WireError(error) }
    }

    /// - Throws: `room.banned`.
    func refuseIfBanned(_ account: Accounts.Account, from id: RoomID) async throws(WireError) {
        let ban = try await inRoomStorage { () async throws(RoomStorageError) in
            try await model.roomStorage.membership.ban(of: account.uid, isGuest: account.isGuest, in: id)
        }
        guard let ban else { return }
        throw WireError(RoomStorageError.banned(untilMilliseconds: ban.untilMilliseconds, reason: ban.reason))
    }

    /// Uses up an invite, and wakes its room. Nothing is used up for who may not come in by it, or finds no place.
    ///
    /// - Throws: `room.banned`; `invite.invalid` also where there is no such room: guessing tells nothing;
    ///   `invite.revoked`, `invite.expired`, `invite.used_up`, `room.guests_not_allowed`, `auth.account_required`,
    ///   `room.full`.
    func redeem(
        _ code: String, to reference: RoomReference, _ account: Accounts.Account, session: UInt64
    ) async throws(WireError) -> RoomID {
        let candidates: [RoomStore.StoredRoom]
        do throws(RoomStoreError) {
            switch reference {
            case .id(let id): candidates = try await model.rooms.room(id).map { [$0] } ?? []
            case .username(let name): candidates = try await model.rooms.room(ofUsername: name)
            }
        } catch { throw WireError(error) }
        for stored in candidates where stored.closedMilliseconds == nil {
            if try await isHidden(owner: stored.owner, from: account) { continue }
            if let invite = model.roomStorage.invites.verify(code, for: stored.id) {
                return try await redeem(invite, to: stored, account, session)
            }
            if case .id = reference { try await refuseIfBanned(account, from: stored.id) }
        }
        throw WireError(.inviteInvalid)
    }

    private func redeem(
        _ invite: InviteID, to stored: RoomStore.StoredRoom, _ account: Accounts.Account, _ session: UInt64
    ) async throws(WireError) -> RoomID {
        let (uid, isGuest, room) = (account.uid, account.isGuest, stored.id)
        try await inRoomStorage { () async throws(RoomStorageError) in
            try await model.roomStorage.invites.check(invite, to: room, uid: uid, isGuest: isGuest)
        }
        let state = try await storedState(of: stored)
        let hasPlace = await shard.perform { core in
            Result.of { () throws(WireError) in
                let home = try core.home(stored, state)
                guard !home.revokedInvites.contains(invite) else { throw WireError(.inviteRevoked) }
                try home.room.requirePlace(for: session)
            }
        }
        try hasPlace.get()
        let (member, _, changeNumber) = try await inRoomStorage { () async throws(RoomStorageError) in
            try await model.roomStorage.invites.redeem(invite, to: room, uid: uid, isGuest: isGuest)
        }
        let user = User(account)
        let entered = await shard.perform { core in
            Result.of { () throws(WireError) in
                let home = try core.home(stored, state)
                // It may have been revoked since it was used up, and who rests on it put out.
                guard !home.revokedInvites.contains(invite) else { throw WireError(.inviteRevoked) }
                if let member {
                    home.set(RoomRoster.Entry(member), for: user, changeNumber: changeNumber, isSilent: true)
                }
            }
        }
        try entered.get()
        return room
    }
}

extension Result where Failure == WireError {
    /// What a body comes to.
    static func of(_ body: () throws(WireError) -> Success) -> Result {
        do throws(WireError) { return .success(try body()) } catch { return .failure(error) }
    }
}
