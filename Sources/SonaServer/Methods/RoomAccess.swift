internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// Finds the rooms that requests are about, and the people in them.
///
/// Off the loop. Live state is asked of the shard, stored state of the model.
struct RoomAccess: Sendable {
    let model: Model
    let shard: Shard

    // MARK: Rooms

    /// Finds the room that a request names and wakes it; without a name, the room the session was in when it asked.
    ///
    /// - Parameter needsEntry: Whether an asker outside must be able to enter without approval. False for requests that
    ///   need a capability: an asker who sees the room is then refused for lack of it.
    /// - Throws: `room.not_joined`; as `resolve`; the errors of entering the room.
    func reach(_ reference: RoomReference?, _ asker: Asker, needsEntry: Bool = true) async throws -> ReachedRoom {
        let uid = asker.uid
        // A user who has left that room meanwhile is treated like anyone else outside.
        guard let reference = reference ?? asker.caller.room.map({ .id($0) }) else { throw WireError(.roomNotJoined) }
        if case .id(let id) = reference {
            let isInside = await shard.perform { $0.rooms[id]?.room.presence.contains(uid) == true }
            if isInside { return ReachedRoom(id: id, asker: asker, access: self) }
        }
        let stored = try await resolve(reference, asker.account)
        let state = try await storedState(of: stored)
        let user = asker.user
        try await shard.perform { core in
            let room = try core.home(stored, state).room
            guard !room.presence.contains(uid) else { return }
            // From outside, an asker needs the right to come in.
            do throws(WireError) {
                try room.admit(user, wall: MonotonicClock.wallMilliseconds())
            } catch {
                let isSeen = error.code == .roomApprovalPending || error.code == .roomGuestsNotAllowed
                guard isSeen, !needsEntry else { throw error }
            }
        }
        return ReachedRoom(id: stored.id, asker: asker, access: self)
    }

    /// The same for a request that needs a capability.
    ///
    /// - Throws: As the other; `room.forbidden`.
    func reach(_ reference: RoomReference?, _ asker: Asker, with capability: Capability) async throws -> ReachedRoom {
        let room = try await reach(reference, asker, needsEntry: false)
        try await room.require(capability)
        return room
    }

    /// Finds a room that an account may know of. `@username` means the room that user is live in, else one that
    /// they are in, to begin soon perhaps, else the one most recently used.
    ///
    /// - Parameter forDoor: Also finds rooms with a waiting room, if they are named by their identifier.
    /// - Throws: `room.not_found`, also for private rooms of others, and for rooms whose owner has blocked the account;
    ///   `room.banned`; `room.closed`.
    func resolve(
        _ reference: RoomReference, _ account: Accounts.Account, forDoor: Bool = false
    ) async throws -> RoomStore.StoredRoom {
        var isNamed = false
        if case .id = reference { isNamed = true }
        let candidates = try await stored(reference)
        var visible: [RoomStore.StoredRoom] = []
        for room in candidates {
            let isKnown =
                room.settings.visibility == .public || room.owner.uid == account.uid
                || (forDoor && isNamed && room.settings.hasWaitingRoom)
            if isKnown {
                visible.append(room)
            } else if await isInside(account, room.id) {
                visible.append(room)
            } else if try await model.roomStorage.membership.member(account.uid, of: room.id) != nil {
                visible.append(room)
            }
        }
        guard let first = visible.first, try await !isHidden(owner: first.owner.uid, from: account) else {
            // For banned users a private room exists: each request about it is refused with `room.banned`.
            if isNamed, let room = candidates.first, room.closedMilliseconds == nil,
                try await !isHidden(owner: room.owner.uid, from: account)
            {
                try await refuseIfBanned(account, from: room.id)
            }
            throw WireError(.roomNotFound)
        }
        if first.closedMilliseconds != nil { throw WireError(.roomClosed) }
        if visible.count == 1 { return first }
        return await mostActive(visible) ?? first
    }

    /// Of the rooms that a username means, the one in which something goes on; `nil` for an empty list.
    func mostActive(_ rooms: [RoomStore.StoredRoom]) async -> RoomStore.StoredRoom? {
        guard rooms.count > 1 else { return rooms.first }
        return await shard.perform { core in
            rooms.first { core.describe($0).isLive }
                ?? rooms.first { core.rooms[$0.id]?.room.presence.contains($0.owner.uid) == true } ?? rooms.first
        }
    }

    /// The rooms that a reference may mean, whether or not the asker may see them, most recently used first.
    ///
    /// - Parameter evenOfBanned: Also rooms whose owner is banned from the server; only administrators reach these.
    func stored(_ reference: RoomReference, evenOfBanned: Bool = false) async throws -> [RoomStore.StoredRoom] {
        let found: [RoomStore.StoredRoom] =
            switch reference {
            case .id(let id): try await model.rooms.room(id).map { [$0] } ?? []
            case .username(let name): try await model.rooms.room(ofUsername: name)
            }
        return evenOfBanned ? found : found.filter { !model.accounts.isBanned($0.owner.uid) }
    }

    /// A room of the account's own.
    ///
    /// - Throws: As `resolve`; for somebody else's room `room.banned`, or `room.forbidden` for lack of `manage`.
    func own(_ reference: RoomReference, _ account: Accounts.Account) async throws -> RoomStore.StoredRoom {
        let stored = try await resolve(reference, account)
        guard stored.owner.uid == account.uid else {
            try await refuseIfBanned(account, from: stored.id)
            throw WireError.roomForbidden(.manage)
        }
        return stored
    }

    /// Reads the state with which a room wakes. Reads nothing if the room is awake, and keeps it awake for a while.
    func storedState(of stored: RoomStore.StoredRoom) async throws -> StoredRoomState {
        let isAwake = await shard.perform { core in
            core.rooms[stored.id]?.noteAsked()
            return core.rooms[stored.id] != nil
        }
        if isAwake { return StoredRoomState() }
        return try await StoredRoomState(stored.id, model.roomStorage)
    }

    /// Wakes a room, and keeps it awake for as long as a change of it takes: the change is then told to it.
    ///
    /// - Throws: `room.closed`, `server.busy`; the errors of the storage.
    func wake(_ stored: RoomStore.StoredRoom) async throws {
        let state = try await storedState(of: stored)
        try await shard.perform { core in _ = try core.home(stored, state) }
    }

    /// Whether an account is in a room, or may come in because it hosts it by the schedule.
    private func isInside(_ account: Accounts.Account, _ room: RoomID) async -> Bool {
        let uid = account.uid
        return await shard.perform { core in
            core.rooms[room]?.room.presence.contains(uid) == true
                || core.slotHosts[room]?.welcome.contains(uid) == true
        }
    }

    // MARK: Refusals

    /// Whether an owner's rooms are hidden from an account, because the owner has blocked it.
    func isHidden(owner: UserID, from account: Accounts.Account) async throws -> Bool {
        guard !account.isGuest, owner != account.uid else { return false }
        return try await model.people.hasBlocked(owner, account.uid)
    }

    /// - Throws: `room.banned`.
    func refuseIfBanned(_ account: Accounts.Account, from id: RoomID) async throws {
        let ban = try await model.roomStorage.membership.ban(of: account.uid, isGuest: account.isGuest, in: id)
        guard let ban else { return }
        throw Refusal.banned(untilMilliseconds: ban.untilMilliseconds, reason: ban.reason)
    }

    // MARK: People

    /// People as lists show them. Guests have only their identifier.
    func cards(of users: [User]) async throws -> [UserCard] {
        let known = try await model.people.cards(of: users.filter { !$0.isGuest }.map(\.uid))
        let byID = Dictionary(known.map { ($0.user.uid, $0) }) { first, _ in first }
        return users.map { byID[$0.uid] ?? UserCard(user: $0) }
    }
}
