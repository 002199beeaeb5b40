internal import SonaModel
internal import SonaWire

/// Lists and searches of rooms, and where friends are.
struct FindingMethods: MethodArea {
    let access: RoomAccess
    let directory: RoomDirectoryService

    private var model: Model { access.model }
    private var shard: Shard { access.shard }

    static func area(of methods: Methods) -> FindingMethods { methods.finding }

    static var methods: [Method] {
        [
            signedIn(list),
            signedIn(search),
            signedIn(changing: watch),
            signedIn(changing: unwatch),
            signedIn(presence),
        ]
    }

    func list(_ request: RoomList, _ asker: Asker) async throws -> RoomPage {
        var after: (createdMs: Int64, id: RoomID)?
        if let cursor = request.cursor {
            guard let parsed = Self.parse(cursor: cursor) else { throw WireError.cursorUnknown(RoomList.type) }
            after = parsed
        }
        let stored = try await model.rooms.list(
            publicOnly: !request.isMine, owner: request.isMine ? asker.uid : nil,
            hiddenFrom: asker.account.isGuest ? nil : asker.uid, after: after, limit: request.limit)
        let banned = model.accounts.bannedUsers
        let rooms = await shard.perform { core in
            stored.filter { !banned.contains($0.owner.uid) }.map { core.describe($0) }
        }
        let last = stored.count == request.limit ? stored.last : nil
        return RoomPage(rooms: rooms, nextCursor: last.map { "\($0.createdMilliseconds).\($0.id.rawValue)" })
    }

    private static func parse(cursor: String) -> (createdMs: Int64, id: RoomID)? {
        let parts = cursor.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let created = Int64(parts[0]), let id = RoomID(String(parts[1])) else { return nil }
        return (created, id)
    }

    func search(_ request: RoomSearch, _ asker: Asker) async throws -> RoomSearchPage {
        try await directory.search(request, asker.account)
    }

    // MARK: Watching

    func watch(_ request: RoomWatch, _ asker: Asker) async throws -> Outcome<RoomWatchResult> {
        guard let session = asker.caller.session else { throw WireError(.requestUnknown) }
        let list = try await directory.watch(
            request, asker.account, session: session, asker.caller.watchGeneration)
        return Outcome(list, isWatching: true)
    }

    func unwatch(_ request: RoomUnwatch, _ asker: Asker) async throws -> Outcome<Empty> {
        guard let session = asker.caller.session else { throw WireError(.requestUnknown) }
        await directory.unwatch(session: session, upTo: asker.caller.watchGeneration)
        return Outcome(Empty(), isWatching: false)
    }

    // MARK: Presence

    /// The rooms that people followed by the asker are in: only rooms the asker may enter, and only with those people's
    /// consent.
    func presence(_ request: PeoplePresence, _ asker: Asker) async throws -> Presences {
        let followed = Set(try await model.people.followed(by: asker.uid))
        let user = asker.user
        let places = await shard.perform { $0.places(of: followed, visibleTo: user) }
        let cards = try await model.people.visible(Array(places.keys), to: asker.uid)
        var presences: [Presence] = []
        for card in cards {
            guard let place = places[card.user.uid] else { continue }
            if try await access.isHidden(owner: place.room.owner.uid, from: asker.account) { continue }
            presences.append(Presence(user: card, state: place.isLive ? .live : .listening, room: place.room))
        }
        return Presences(people: presences)
    }
}
