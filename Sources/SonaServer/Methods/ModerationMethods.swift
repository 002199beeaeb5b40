internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// Standing in a room, its members, and moderation.
struct ModerationMethods: MethodArea {
    let access: RoomAccess

    private var membership: MembershipStore { access.model.roomStorage.membership }

    static func area(of methods: Methods) -> ModerationMethods { methods.moderation }

    static var methods: [Method] {
        [
            signedIn(setStanding),
            signedIn(kick),
            signedIn(ban),
            signedIn(unban),
            signedIn(bans),
            signedIn(mute),
            signedIn(unmute),
            signedIn(members),
        ]
    }

    // MARK: Moderation

    /// The room and the person of a moderator's request, if they may moderate that person.
    private func target(
        _ reference: RoomReference, _ user: UserReference, _ asker: Asker
    ) async throws -> (ReachedRoom, User) {
        let room = try await access.reach(reference, asker, with: .moderate)
        let (user, actor) = (try await room.person(user), asker.user)
        if user.uid == actor.uid { throw WireError(.roomForbidden) }
        try await room.onLoop { try $0.room.requireAbove(user.uid, actor, .moderate) }
        return (room, user)
    }

    func kick(_ request: RoomKick, _ asker: Asker) async throws -> Empty {
        let (room, user) = try await target(request.room, request.user, asker)
        let moderator = asker.user
        try await room.change { home in
            guard home.room.presence.contains(user.uid) else { throw WireError(.userNotFound) }
        } write: {
            try await membership.kick(user.uid, from: room.id, by: moderator.uid).changeNumber
        } apply: { home, changeNumber in
            home.set(nil, for: user, changeNumber: changeNumber)
            home.putOut(user.uid, RoomRemoved.kicked, message: request.reason)
            home.moderated(.kick, user, by: moderator)
        }
        return Empty()
    }

    func ban(_ request: RoomBan, _ asker: Asker) async throws -> Empty {
        let (room, user) = try await target(request.room, request.user, asker)
        let (moderator, until) = (asker.user, Self.end(after: request.seconds))
        let changeNumber = try await membership.ban(
            user.uid, from: room.id, until: until, reason: request.reason, by: moderator.uid
        ).changeNumber
        try await room.onLoop { home in
            let isLast = home.ban(user, until: until, reason: request.reason, changeNumber: changeNumber)
            home.putOut(user.uid, RoomRemoved.banned, until: until, message: request.reason)
            if isLast { home.moderated(.ban, user, by: moderator, until: until) }
        }
        return Empty()
    }

    func unban(_ request: RoomUnban, _ asker: Asker) async throws -> Empty {
        let room = try await access.reach(request.room, asker, with: .moderate)
        let uid: UserID
        // A banned guest is found only in the list of bans.
        if case .id(let id) = request.user { uid = id } else { uid = try await room.person(request.user).uid }
        let (held, changeNumber) = try await membership.unban(uid, in: room.id, by: asker.uid)
        let moderator = asker.user
        let lifted = (try? await room.person(request.user)) ?? User(uid: uid, username: nil, isGuest: true)
        try await room.onLoop { home in
            let isLast = home.liftBan(uid, changeNumber: changeNumber)
            if held, isLast { home.moderated(.unban, lifted, by: moderator) }
        }
        return Empty()
    }

    func mute(_ request: RoomMute, _ asker: Asker) async throws -> Empty {
        let (room, user) = try await target(request.room, request.user, asker)
        let (moderator, until) = (asker.user, Self.end(after: request.seconds))
        let changeNumber = try await membership.mute(user.uid, in: room.id, until: until, by: moderator.uid)
        try await room.onLoop { home in
            if home.mute(user, until: until, changeNumber: changeNumber) {
                home.moderated(.mute, user, by: moderator, until: until)
            }
        }
        return Empty()
    }

    func unmute(_ request: RoomUnmute, _ asker: Asker) async throws -> Empty {
        let (room, user) = try await target(request.room, request.user, asker)
        let moderator = asker.user
        let (held, changeNumber) = try await membership.unmute(user.uid, in: room.id, by: moderator.uid)
        try await room.onLoop { home in
            if home.liftMute(user, changeNumber: changeNumber), held {
                home.moderated(.unmute, user, by: moderator)
            }
        }
        return Empty()
    }

    /// - Returns: Wall time in ms; `nil` for good.
    private static func end(after seconds: Int64?) -> Int64? {
        seconds.map { MonotonicClock.wallMilliseconds() + $0 * 1_000 }
    }

    func bans(_ request: RoomBans, _ asker: Asker) async throws -> RoomBanPage {
        let room = try await access.reach(request.room, asker, with: .moderate)
        let after = try PageCursor.parse(request.cursor, of: RoomBans.type)
        let (bans, next) = try await membership.bans(in: room.id, after: after, limit: request.limit)
        return RoomBanPage(bans: bans, nextCursor: next?.text)
    }

    // MARK: Standing

    func setStanding(_ request: RoomSetStanding, _ asker: Asker) async throws -> RoomMemberResult {
        let (actor, wanted) = (asker.user, request.standing)
        let room = try await access.reach(request.room, asker, with: wanted == .cohost ? .manage : .host)
        let user = try await room.person(request.user)
        if user.uid == actor.uid { throw WireError(.roomForbidden) }
        // Guests are admitted, but cannot be members.
        guard !user.isGuest || wanted == .listener else { throw WireError(.roomForbidden) }
        try await room.onLoop { home in
            try home.room.requireAbove(user.uid, actor, .host)
            guard wanted < home.room.standing(of: actor) else { throw WireError.roomForbidden(.manage) }
        }
        let (entry, changeNumber) = try await write(wanted, for: user, in: room)
        let wall = MonotonicClock.wallMilliseconds()
        let card = try await access.cards(of: [user])[0]
        return try await room.onLoop { home in
            home.set(entry, for: user, changeNumber: changeNumber)
            let here = home.room.members.values.filter { $0.user.uid == user.uid && !$0.isGhost }
            let joined = here.map(\.joinedMilliseconds).min()
            return RoomMemberResult(
                member: RoomMember(card, joinedMilliseconds: joined, in: home.room, wall: wall))
        }
    }

    private func write(
        _ wanted: Standing, for user: User, in room: ReachedRoom
    ) async throws -> (entry: RoomRoster.Entry?, changeNumber: Int64) {
        if wanted == .listener {
            return (nil, try await membership.remove(user.uid, from: room.id, by: room.asker.uid).changeNumber)
        }
        let (member, changeNumber) = try await membership.set(
            wanted, for: user.uid, isGuest: user.isGuest, in: room.id, by: room.asker.uid)
        return (RoomRoster.Entry(member), changeNumber)
    }

    /// Lists the people in the room; with `absent`, after them the members who are not there.
    func members(_ request: RoomMembers, _ asker: Asker) async throws -> RoomMemberPage {
        let room = try await access.reach(request.room, asker)
        let start = try PageCursor.parse(request.cursor, of: RoomMembers.type)
        if request.includesAbsent { try await room.require(.moderate) }
        // Sorted off the loop: there may be many.
        let live = try await room.onLoop { $0.room }
        let people = live.people(includesAbsent: request.includesAbsent).filter { person in
            start.map { ($0.sortKey, $0.uid.rawValue) < (person.place, person.user.uid.rawValue) } ?? true
        }
        let page = people.prefix(request.limit)
        let cards = try await access.cards(of: page.map(\.user))
        let wall = MonotonicClock.wallMilliseconds()
        // Nothing is left of a removed account but its place in the list: it is left out.
        let members = zip(page, cards).filter { $0.joinedMilliseconds != nil || $1.user.username != nil }.map {
            RoomMember($1, joinedMilliseconds: $0.joinedMilliseconds, in: live, wall: wall)
        }
        let last = people.count > request.limit ? page.last : nil
        return RoomMemberPage(
            members: members, count: live.presence.count, ghostCount: live.presence.ghostCount,
            nextCursor: last.map { PageCursor(sortKey: $0.place, uid: $0.user.uid).text })
    }
}

extension RoomMember {
    /// - Parameter joinedMilliseconds: `nil` for a user who is not in the room.
    init(_ card: UserCard, joinedMilliseconds: Int64?, in room: LiveRoom, wall: Int64) {
        let uid = card.user.uid
        self.init(
            user: card, standing: room.standing(of: card.user), isHost: room.seat.host?.uid == uid,
            mutedUntilMilliseconds: room.roster.mute(uid, at: wall).map { min($0, Limits.integerMax) },
            joinedMilliseconds: joinedMilliseconds)
    }
}
