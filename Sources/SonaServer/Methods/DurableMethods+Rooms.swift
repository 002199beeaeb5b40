internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// `room.*` and `playback.get`, as far as they need the disk.
extension DurableMethods {
    static let rooms: [DurableMethod] = [
        .signedIn(RoomCreate.self) { (methods, request, account, _) async throws(WireError) in
            try await methods.create(request, account)
        },
        .signedIn(RoomGet.self) { (methods, request, account, _) async throws(WireError) in
            let stored = try await methods.resolve(request.room, account)
            if stored.owner != account.uid { try await methods.refuseIfBanned(account, from: stored.id) }
            return DurableOutcome(await methods.shard.perform { $0.describeNow(stored) })
        },
        .signedIn(RoomList.self) { (methods, request, account, _) async throws(WireError) in
            try await methods.list(request, account)
        },
        .signedIn(RoomSearch.self) { (methods, request, account, _) async throws(WireError) in
            DurableOutcome(try await methods.directory.search(request, account))
        },
        .signedIn(RoomWatch.self, needsConnection: true) {
            (methods, request, account, caller) async throws(WireError) in
            guard let session = caller.session else { throw WireError(.requestUnknown) }
            let list = try await methods.directory.watch(request, account, session: session, caller.watchGeneration)
            var outcome = DurableOutcome(list)
            outcome.isWatching = true
            return outcome
        },
        .signedIn(RoomUnwatch.self, needsConnection: true) { (methods, _, _, caller) async throws(WireError) in
            guard let session = caller.session else { throw WireError(.requestUnknown) }
            await methods.directory.unwatch(session: session, upTo: caller.watchGeneration)
            var outcome = DurableOutcome(Empty())
            outcome.isWatching = false
            return outcome
        },
        .signedIn(RoomUpdate.self) { (methods, request, account, _) async throws(WireError) in
            try await methods.update(request, account)
        },
        .signedIn(RoomClose.self) { (methods, request, account, _) async throws(WireError) in
            try await methods.close(request, account)
        },
        .signedIn(RoomRemovePicture.self) { (methods, request, account, _) async throws(WireError) in
            let id = try await methods.own(request.room, account).id
            do throws(PhotoError) {
                try await methods.model.photos.remove(ofRoom: id)
            } catch { throw WireError(error) }
            return DurableOutcome(RoomResult(room: try await methods.pictureChanged(id)))
        },
        .signedIn(PlaybackGet.self) { (methods, request, account, _) async throws(WireError) in
            guard let reference = request.room else { throw WireError(.roomNotJoined) }
            let stored = try await methods.resolve(reference, account)
            let state = try await methods.storedState(of: stored)
            let playback = await methods.shard.perform { core in
                Result.of { () throws(WireError) in
                    let home = try core.home(stored, state)
                    try home.room.refuseIfBanned(account.uid, wall: MonotonicClock.wallMilliseconds())
                    return home.playbackNow()
                }
            }
            return DurableOutcome(try playback.get())
        },
    ]

    private func create(_ request: RoomCreate, _ account: Accounts.Account) async throws(WireError) -> DurableOutcome {
        let title = request.title ?? account.username.map { "\($0.rawValue)'s room" } ?? "A room"
        do {
            let stored = try await model.rooms.create(
                owner: account.uid, title: title, isPublic: request.visibility == .public,
                delivery: request.delivery.rawValue, leadMilliseconds: request.leadMilliseconds,
                description: request.about, tags: request.tags, acceptsGuests: request.allowsGuests,
                onPrivate: request.privatePolicy, maxPerOwner: Limits.roomsPerUserMax)
            let room = await shard.perform { $0.describe(stored) }
            await directory.put(room)
            return DurableOutcome(RoomResult(room: room))
        } catch { throw WireError(error) }
    }

    private func list(_ request: RoomList, _ account: Accounts.Account) async throws(WireError) -> DurableOutcome {
        var cursor: (createdMs: Int64, id: RoomID)?
        if let text = request.cursor {
            guard let parsed = Self.parse(cursor: text) else { throw .cursorUnknown("room.list") }
            cursor = parsed
        }
        do {
            let stored = try await model.rooms.list(
                publicOnly: !request.isMine, owner: request.isMine ? account.uid : nil,
                hiddenFrom: account.isGuest ? nil : account.uid, after: cursor, limit: request.limit)
            let rooms = await shard.perform { core in stored.map { core.describe($0) } }
            let last = stored.count == request.limit ? stored.last : nil
            let next = last.map { "\($0.createdMilliseconds).\($0.id.rawValue)" }
            return DurableOutcome(RoomPage(rooms: rooms, nextCursor: next))
        } catch { throw WireError(error) }
    }

    private static func parse(cursor: String) -> (createdMs: Int64, id: RoomID)? {
        let parts = cursor.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let created = Int64(parts[0]), let id = RoomID(String(parts[1])) else { return nil }
        return (created, id)
    }

    private func belongs(_ account: Accounts.Account, to room: RoomID) async throws(WireError) -> Bool {
        try await inRoomStorage { () async throws(RoomStorageError) in
            try await model.roomStorage.membership.member(account.uid, of: room) != nil
        }
    }

    private func isInside(_ account: Accounts.Account, _ room: RoomID) async -> Bool {
        let uid = account.uid
        return await shard.perform { core in core.rooms[room]?.room.presence.contains(uid) == true }
    }

    /// Finds a room that the caller may know of.
    ///
    /// - Parameter forDoor: Rooms before whose door one may stand count, too.
    /// `@username` means the room that user is live in, else the one most recently used.
    /// - Throws: `room.not_found`, also for private rooms of others, and for rooms of who has blocked the caller.
    func resolve(
        _ reference: RoomReference, _ account: Accounts.Account, forDoor: Bool = false
    ) async throws(WireError) -> RoomStore.StoredRoom {
        var isNamed = false
        if case .id = reference { isNamed = true }
        let candidates: [RoomStore.StoredRoom]
        do {
            switch reference {
            case .id(let id): candidates = try await model.rooms.room(id).map { [$0] } ?? []
            case .username(let name): candidates = try await model.rooms.room(ofUsername: name)
            }
        } catch { throw WireError(error) }
        var visible: [RoomStore.StoredRoom] = []
        for room in candidates {
            let isKnown = room.isPublic || room.owner == account.uid || (forDoor && isNamed && room.hasWaitingRoom)
            if isKnown {
                visible.append(room)
            } else if await isInside(account, room.id) {
                visible.append(room)
            } else if try await belongs(account, to: room.id) {
                visible.append(room)
            }
        }
        guard let first = visible.first, try await !isHidden(owner: first.owner, from: account) else {
            try await refuseIfBannedUnseen(candidates.first, isNamed: isNamed, account)
            throw WireError(.roomNotFound)
        }
        if first.closedMilliseconds != nil { throw WireError(.roomClosed) }
        if visible.count == 1 { return first }
        return await shard.perform { [visible] core in
            visible.first { core.describe($0).isLive } ?? first
        }
    }

    /// A private room is there for whoever is banned from it: entering, and everything else in it, is `room.banned`.
    private func refuseIfBannedUnseen(
        _ room: RoomStore.StoredRoom?, isNamed: Bool, _ account: Accounts.Account
    ) async throws(WireError) {
        guard let room, isNamed, room.closedMilliseconds == nil,
            try await !isHidden(owner: room.owner, from: account)
        else { return }
        try await refuseIfBanned(account, from: room.id)
    }
}
