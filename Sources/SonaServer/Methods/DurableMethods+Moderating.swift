internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// Standing in a room, and moderation.
extension DurableMethods {
    static let moderating: [DurableMethod] = [
        .signedIn(RoomSetStanding.self) { (methods, request, account, caller) async throws(WireError) in
            try await methods.setStanding(request, account, caller)
        },
        .signedIn(RoomKick.self) { (methods, request, account, caller) async throws(WireError) in
            let (id, user) = try await methods.target(request.room, request.user, account, caller)
            let isHere = try await methods.on(id) { home in
                .success(home.room.presence.contains(user.uid))
            }
            guard isHere else { throw WireError(.userNotFound) }
            let changeNumber = try await methods.inRoomStorage { () async throws(RoomStorageError) in
                try await methods.model.roomStorage.membership.kick(user.uid, from: id, by: account.uid).changeNumber
            }
            let moderator = User(account)
            try await methods.on(id) { home in
                home.set(nil, for: user, changeNumber: changeNumber)
                home.putOut(user.uid, RoomRemoved.kicked, message: request.reason)
                home.moderated(.kick, user, by: moderator)
                return .success(())
            }
            return DurableOutcome(Empty())
        },
        .signedIn(RoomBan.self) { (methods, request, account, caller) async throws(WireError) in
            let (id, user) = try await methods.target(request.room, request.user, account, caller)
            let until = request.seconds.map { MonotonicClock.wallMilliseconds() + $0 * 1_000 }
            let changeNumber = try await methods.inRoomStorage { () async throws(RoomStorageError) in
                try await methods.model.roomStorage.membership.ban(
                    user.uid, from: id, until: until, reason: request.reason, by: account.uid
                ).changeNumber
            }
            let moderator = User(account)
            try await methods.on(id) { home in
                let isLast = home.ban(user, until: until, reason: request.reason, changeNumber: changeNumber)
                home.putOut(user.uid, RoomRemoved.banned, until: until, message: request.reason)
                if isLast { home.moderated(.ban, user, by: moderator, until: until) }
                return .success(())
            }
            return DurableOutcome(Empty())
        },
        .signedIn(RoomUnban.self) { (methods, request, account, caller) async throws(WireError) in
            let id = try await methods.place(request.room, account, caller, needsEntry: false)
            try await methods.require(.moderate, account, in: id)
            let uid = try await methods.bannedUID(request.user, in: id)
            let (held, changeNumber) = try await methods.inRoomStorage { () async throws(RoomStorageError) in
                try await methods.model.roomStorage.membership.unban(uid, in: id, by: account.uid)
            }
            let moderator = User(account)
            let lifted =
                (try? await methods.person(request.user, in: id)) ?? User(uid: uid, username: nil, isGuest: true)
            try await methods.on(id) { home in
                let isLast = home.liftBan(uid, changeNumber: changeNumber)
                if held, isLast { home.moderated(.unban, lifted, by: moderator) }
                return .success(())
            }
            return DurableOutcome(Empty())
        },
        .signedIn(RoomBans.self) { (methods, request, account, caller) async throws(WireError) in
            try await methods.list(request, account, caller)
        },
        .signedIn(RoomMute.self) { (methods, request, account, caller) async throws(WireError) in
            let (id, user) = try await methods.target(request.room, request.user, account, caller)
            let until = request.seconds.map { MonotonicClock.wallMilliseconds() + $0 * 1_000 }
            let changeNumber = try await methods.inRoomStorage { () async throws(RoomStorageError) in
                try await methods.model.roomStorage.membership.mute(user.uid, in: id, until: until, by: account.uid)
            }
            let moderator = User(account)
            try await methods.on(id) { home in
                if home.mute(user, until: until, changeNumber: changeNumber) {
                    home.moderated(.mute, user, by: moderator, until: until)
                }
                return .success(())
            }
            return DurableOutcome(Empty())
        },
        .signedIn(RoomUnmute.self) { (methods, request, account, caller) async throws(WireError) in
            let (id, user) = try await methods.target(request.room, request.user, account, caller)
            let (held, changeNumber) = try await methods.inRoomStorage { () async throws(RoomStorageError) in
                try await methods.model.roomStorage.membership.unmute(user.uid, in: id, by: account.uid)
            }
            let moderator = User(account)
            try await methods.on(id) { home in
                if home.liftMute(user, changeNumber: changeNumber), held {
                    home.moderated(.unmute, user, by: moderator)
                }
                return .success(())
            }
            return DurableOutcome(Empty())
        },
        .signedIn(RoomMembers.self) { (methods, request, account, caller) async throws(WireError) in
            try await methods.list(request, account, caller)
        },
    ]

    /// Whom a moderator means, and that they may.
    private func target(
        _ room: RoomReference, _ reference: UserReference, _ account: Accounts.Account, _ caller: Caller
    ) async throws(WireError) -> (RoomID, User) {
        let id = try await place(room, account, caller, needsEntry: false)
        try await require(.moderate, account, in: id)
        let user = try await person(reference, in: id)
        if user.uid == account.uid { throw WireError(.roomForbidden) }
        try await require(.moderate, account, over: user.uid, in: id)
        return (id, user)
    }

    /// A guest who is banned is nowhere but in the list of bans.
    private func bannedUID(_ reference: UserReference, in id: RoomID) async throws(WireError) -> UserID {
        if case .id(let uid) = reference { return uid }
        return try await person(reference, in: id).uid
    }

    private func setStanding(
        _ request: RoomSetStanding, _ account: Accounts.Account, _ caller: Caller
    ) async throws(WireError) -> DurableOutcome {
        let id = try await place(request.room, account, caller, needsEntry: false)
        let (actor, wanted) = (User(account), request.standing)
        try await require(wanted == .cohost ? .manage : .host, account, in: id)
        let user = try await person(request.user, in: id)
        if user.uid == account.uid { throw WireError(.roomForbidden) }
        // Guests are let in, and belong to nothing.
        guard !user.isGuest || wanted == .listener else { throw WireError(.roomForbidden) }
        try await on(id) { home in
            .of { () throws(WireError) in
                try home.room.requireAbove(user.uid, actor, .host)
                guard wanted < home.room.standing(of: actor) else { throw .roomForbidden(.manage) }
            }
        }
        let (entry, changeNumber) = try await inRoomStorage {
            () async throws(RoomStorageError) -> (RoomRoster.Entry?, Int64) in
            guard let standing = MembershipStore.Standing(wanted) else {
                return (
                    nil, try await model.roomStorage.membership.remove(user.uid, from: id, by: account.uid).changeNumber
                )
            }
            let (member, changeNumber) = try await model.roomStorage.membership.set(
                standing, for: user.uid, isGuest: user.isGuest, in: id, by: account.uid)
            return (RoomRoster.Entry(member), changeNumber)
        }
        let wall = MonotonicClock.wallMilliseconds()
        let card = try await cards(of: [user])[0]
        let member = try await on(id) { home -> Result<RoomMember, WireError> in
            home.set(entry, for: user, changeNumber: changeNumber)
            let here = home.room.members.values.filter { $0.user.uid == user.uid && !$0.isGhost }
            let joined = here.map(\.joinedMilliseconds).min()
            return .success(RoomMember(card, joinedMilliseconds: joined, in: home.room, wall: wall))
        }
        return DurableOutcome(RoomMemberResult(member: member))
    }

    private func list(
        _ request: RoomBans, _ account: Accounts.Account, _ caller: Caller
    ) async throws(WireError) -> DurableOutcome {
        let id = try await place(request.room, account, caller, needsEntry: false)
        try await require(.moderate, account, in: id)
        var after: PageCursor?
        if let cursor = request.cursor {
            guard let parsed = PageCursor(cursor) else { throw .cursorUnknown(RoomBans.type) }
            after = parsed
        }
        let cursor = after
        let (bans, next) = try await inRoomStorage { () async throws(RoomStorageError) in
            try await model.roomStorage.membership.bans(in: id, after: cursor, limit: request.limit)
        }
        let lines = bans.map {
            RoomBanned(
                user: $0.user, untilMilliseconds: $0.untilMilliseconds, reason: $0.reason, by: $0.by,
                createdMilliseconds: $0.createdMilliseconds)
        }
        return DurableOutcome(RoomBanPage(bans: lines, nextCursor: next?.text))
    }

    /// Who is here; with `absent`, behind them, who belongs to the room and is not.
    private func list(
        _ request: RoomMembers, _ account: Accounts.Account, _ caller: Caller
    ) async throws(WireError) -> DurableOutcome {
        let id = try await place(request.room, account, caller)
        var after: PageCursor?
        if let cursor = request.cursor {
            guard let parsed = PageCursor(cursor) else { throw .cursorUnknown(RoomMembers.type) }
            after = parsed
        }
        if request.includesAbsent { try await require(.moderate, account, in: id) }
        let (start, limit, wall) = (after, request.limit, MonotonicClock.wallMilliseconds())
        // Put in order here: there may be many, and the loop has others to look after.
        let room = try await on(id) { .success($0.room) }
        let people = room.people(includesAbsent: request.includesAbsent).filter { person in
            start.map { ($0.sortKey, $0.uid.rawValue) < (person.place, person.user.uid.rawValue) } ?? true
        }
        let page = people.prefix(limit)
        let cards = try await cards(of: page.map(\.user))
        // An account that is no more has nothing left but its place.
        let members = zip(page, cards).filter { $0.joinedMilliseconds != nil || $1.user.username != nil }.map {
            RoomMember($1, joinedMilliseconds: $0.joinedMilliseconds, in: room, wall: wall)
        }
        let last = people.count > limit ? page.last : nil
        return DurableOutcome(
            RoomMemberPage(
                members: members, count: room.presence.count, ghostCount: room.presence.ghostCount,
                nextCursor: last.map { PageCursor(sortKey: $0.place, uid: $0.user.uid).text }))
    }
}

extension RoomMember {
    /// - Parameter joinedMilliseconds: `nil` for who is not here.
    init(_ card: UserCard, joinedMilliseconds: Int64?, in room: LiveRoom, wall: Int64) {
        let uid = card.user.uid
        self.init(
            user: card, standing: room.standing(of: card.user), isHost: room.seat.host?.uid == uid,
            mutedUntilMilliseconds: room.roster.mute(uid, at: wall).map { min($0, Limits.integerMax) },
            joinedMilliseconds: joinedMilliseconds)
    }
}

extension MembershipStore.Standing {
    /// - Returns: `nil` for what is no entry of a list: owners and listeners.
    init?(_ standing: Standing) {
        switch standing {
        case .cohost: self = .cohost
        case .moderator: self = .moderator
        case .member: self = .member
        case .owner, .listener: return nil
        }
    }
}
