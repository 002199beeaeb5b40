internal import SonaCrypto
internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// The directory of all rooms of a server, off the loops: a search may take milliseconds, too long for a loop.
///
/// Stored changes are awaited (`put`, `remove`), so that after a request that changes a room, the room is found
/// changed. Live changes are passed on by the room's loop without waiting (`note`).
actor RoomDirectoryService {
    private var directory: RoomDirectory
    private let people: People
    private let accounts: Accounts
    private let shard: Shard
    private var watches: [UInt64: DirectoryWatch] = [:]
    private var ticking: Task<Void, Never>?
    /// Numbers of the last stored change of each room that was applied.
    private var changeNumbers: [RoomID: Int64] = [:]
    /// Rooms that have ended: news of them are out of date.
    private var ended = EndedRooms()
    private let news: AsyncStream<News>
    nonisolated private let teller: AsyncStream<News>.Continuation

    private enum News {
        case room(Room)
        /// A user has another name.
        case name(User)
    }

    /// How often lists are looked at, µs; a whole number of times per second.
    private static let tickMicroseconds: Int64 = 200_000
    /// The time used for lists, µs. It moves by whole ticks, so that a change that is due a second after one look is
    /// due exactly at another, and is told no later.
    private var lookedAt: Int64 = 0

    init(people: People, accounts: Accounts, shard: Shard) {
        var dice = SecureRandom.Generator()
        directory = RoomDirectory(seed: dice.next())
        self.people = people
        self.accounts = accounts
        self.shard = shard
        (news, teller) = AsyncStream.makeStream(of: News.self)
    }

    /// Adds all stored rooms, and begins to follow the news of rooms.
    func start(_ stored: [RoomStore.StoredRoom]) {
        for room in stored { put(Room(stored: room)) }
        let news = self.news
        Task { [weak self] in
            for await one in news { await self?.take(one) }
        }
    }

    // MARK: Rooms

    /// Passes on that something live about a room has changed. Any thread; returns at once.
    nonisolated func note(_ room: Room) { teller.yield(.room(room)) }

    /// Passes on that a user has another name. Any thread; returns at once.
    nonisolated func noteName(of user: User) { teller.yield(.name(user)) }

    private func take(_ news: News) {
        switch news {
        case .room(let room): refresh(room)
        case .name(let user): rename(user)
        }
    }

    /// - Parameter changeNumber: Number of the change, from the store; an older change than the last is ignored.
    func put(_ room: Room, changeNumber: Int64 = 0) {
        guard !ended.contains(room.id), changeNumbers[room.id] ?? 0 <= changeNumber else { return }
        if changeNumber > 0 { changeNumbers[room.id] = changeNumber }
        let owners = Set([room.owner.uid, directory.entry(room.id)?.room.owner.uid].compactMap { $0 })
        take(room)
        // A room may pass to an owner whose ban came before it was theirs.
        if accounts.isBanned(room.owner.uid) { bansChanged() }
        // The owner finds the room even if others do not; a former owner does no longer.
        for (session, watch) in watches where owners.contains(watch.reader.uid) {
            watches[session]?.isCircleStale = true
        }
    }

    func remove(_ id: RoomID) {
        ended.insert(id, now: MonotonicClock.nowMicroseconds())
        changeNumbers[id] = nil
        directory.remove(id)
    }

    private func take(_ room: Room) { directory.put(DirectoryEntry(room: room, tags: room.settings.tags)) }

    /// Applies news of a room that still exists: it may have been closed since they were sent.
    private func refresh(_ room: Room) {
        guard directory.entry(room.id) != nil else { return }
        take(room)
    }

    private func rename(_ user: User) {
        for entry in directory.rooms(of: user.uid) {
            var room = entry.room
            room.owner = user
            take(room)
        }
    }

    // MARK: Searching

    /// Those of some rooms that are public and that an account sees, by their identifiers.
    ///
    /// - Throws: `auth.account_required` for a guest and another scope than `all`, and the errors of the storage.
    func publicRooms(
        _ ids: [RoomID], _ scope: RoomScope, _ reader: Accounts.Account
    ) async throws(WireError) -> [RoomID: Room] {
        var owners: Set<UserID>?
        var hidden = bannedOwners
        if reader.isGuest {
            try Self.requireAccount(of: reader, for: scope)
        } else {
            let circle: People.Circle
            do { circle = try await people.circle(of: reader.uid, scope) } catch { throw WireError(error) }
            owners = circle.owners
            hidden.formUnion(circle.hidden)
        }
        var rooms: [RoomID: Room] = [:]
        for id in ids {
            guard let room = directory.entry(id)?.room, room.settings.visibility == .public,
                !hidden.contains(room.owner.uid), owners?.contains(room.owner.uid) ?? true
            else { continue }
            rooms[id] = room
        }
        return rooms
    }

    private static func requireAccount(of reader: Accounts.Account, for scope: RoomScope) throws(WireError) {
        guard reader.isGuest, scope != .all else { return }
        var error = WireError(.authAccountRequired)
        error.permission = Permission.peopleFind.rawValue
        throw error
    }

    /// - Parameter reader: The account that searches; guests may only use the scope `all`.
    /// - Throws: `auth.account_required`, `request.invalid` for an invalid cursor, and the errors of the storage.
    func search(_ request: RoomSearch, _ reader: Accounts.Account) async throws(WireError) -> RoomSearchPage {
        let query = try await query(request.query, request.scope, reader)
        let now = MonotonicClock.nowMicroseconds()
        // A cursor is valid only for its scope.
        let key = UserID("\(reader.uid.rawValue.prefix(100))#\(request.scope.rawValue)") ?? reader.uid
        var limit = request.limit
        while true {
            let page: DirectoryPage
            do throws(DirectoryError) {
                page = try directory.search(
                    query, reader: key, cursor: request.cursor, limit: limit, now: now)
            } catch {
                throw .cursorUnknown(RoomSearch.type)
            }
            let rooms = page.entries.map(\.room)
            let fitting = DirectoryWatch.fittingCount(rooms)
            if fitting == rooms.count || limit == 1 {
                return RoomSearchPage(rooms: rooms, nextCursor: page.nextCursor, count: directory.count(query))
            }
            limit = max(1, fitting)
        }
    }

    private func query(
        _ text: String, _ scope: RoomScope, _ reader: Accounts.Account
    ) async throws(WireError) -> DirectoryQuery {
        guard !reader.isGuest else {
            try Self.requireAccount(of: reader, for: scope)
            return DirectoryQuery(text, hidden: bannedOwners)
        }
        let circle: People.Circle
        do { circle = try await people.circle(of: reader.uid, scope) } catch { throw WireError(error) }
        let own = Set(directory.rooms(of: reader.uid).map(\.room.id))
        return DirectoryQuery(
            text, scope: circle.owners.map { .owners($0) } ?? .all, hidden: circle.hidden.union(bannedOwners),
            admitted: own)
    }

    /// Owners of rooms who are banned from the server: nobody finds their rooms. Those without a room are left out,
    /// because a query that hides nobody is answered faster.
    private var bannedOwners: Set<UserID> { accounts.bannedUsers.filter { !directory.rooms(of: $0).isEmpty } }

    /// Has all watched lists looked through anew, because a ban has begun or ended.
    func bansChanged() {
        for session in watches.keys { watches[session]?.isCircleStale = true }
    }

    // MARK: Watched lists

    /// Begins a list for a session, in place of the one it had, unless that was asked for later. Changes of it are told
    /// only after `begin`.
    ///
    /// - Parameter generation: The request's, as counted by `WatchGenerations`.
    func watch(
        _ request: RoomWatch, _ reader: Accounts.Account, session: UInt64, _ generation: UInt64
    ) async throws(WireError) -> RoomWatchResult {
        let query = try await query(request.query, request.scope, reader)
        var watch = DirectoryWatch(request, reader, query, generation)
        let rooms = watch.beginning(&directory, now: ticking == nil ? MonotonicClock.nowMicroseconds() : lookedAt)
        if watches[session].map({ $0.generation < generation }) ?? true { watches[session] = watch }
        return RoomWatchResult(rooms: rooms)
    }

    /// Allows changes to be told: the reply to `watch` is on its way, and they may follow it.
    func begin(session: UInt64, _ generation: UInt64) {
        guard watches[session]?.generation == generation else { return }
        watches[session]?.isBegun = true
        guard ticking == nil else { return }
        lookedAt = MonotonicClock.nowMicroseconds() - Self.tickMicroseconds
        ticking = Task { [weak self] in
            while let wait = await self?.look() { try? await Task.sleep(for: .microseconds(wait)) }
        }
    }

    /// Ends the list of a session, unless it was asked for after this generation.
    func unwatch(session: UInt64, upTo generation: UInt64) {
        if let watch = watches[session], watch.generation <= generation { watches[session] = nil }
    }

    /// Has these people's blocks and follows looked up anew, because they have changed.
    func circlesChanged(of users: [UserID]) {
        for (session, watch) in watches where users.contains(watch.reader.uid) {
            watches[session]?.isCircleStale = true
        }
    }

    /// Tells the watching sessions the changes of their lists.
    ///
    /// - Returns: Time until the next look, µs; `nil` if no session watches.
    private func look() async -> Int64? {
        let ticks = (MonotonicClock.nowMicroseconds() - lookedAt) / Self.tickMicroseconds
        lookedAt += max(1, ticks) * Self.tickMicroseconds
        let now = lookedAt
        for session in Array(watches.keys) {
            await refreshCircle(session, now: now)
            guard var watch = watches[session], watch.isBegun else { continue }
            let events = watch.changes(&directory, now: now)
            watches[session] = watch
            guard !events.isEmpty else { continue }
            let generation = watch.generation
            await shard.perform { core in
                guard let session = core.sessions[session], session.watches(generation) else { return }
                for event in events { session.send(event) }
            }
        }
        if watches.isEmpty {
            ticking = nil
            return nil
        }
        return max(0, lookedAt + Self.tickMicroseconds - MonotonicClock.nowMicroseconds())
    }

    private func refreshCircle(_ session: UInt64, now: Int64) async {
        guard let watch = watches[session], watch.needsCircle(now: now),
            let query = try? await query(watch.request.query, watch.request.scope, watch.reader),
            // The session may watch another list by now.
            watches[session]?.generation == watch.generation
        else { return }
        watches[session]?.take(query, now: now)
    }
}

extension Room {
    /// A room that is asleep.
    init(stored: RoomStore.StoredRoom) { self = LiveRoom(stored, now: 0).description() }
}
