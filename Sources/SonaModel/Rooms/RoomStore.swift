internal import SonaCrypto
internal import SonaDatabase
internal import SonaText
package import SonaWire

/// The rooms that survive restarts: who owns them, how they are called, where they were.
///
/// Off the loop. What happens in a room while it is live is not here but in memory; this is told now and then.
package struct RoomStore: Sendable {
    let rooms: RoomDAO
    let journal: Journal
    let clock: WallClock
    let changes = ChangeCounter()

    init(_ rooms: RoomDAO, journal: Journal, clock: WallClock) {
        self.rooms = rooms
        self.journal = journal
        self.clock = clock
    }

    // MARK: Making and changing

    /// Makes a room.
    ///
    /// - Throws: `limitReached`, `ownerUnknown`, `titleInvalid`, `invalid`, `busy`, `storage`.
    package func create(
        _ settings: RoomSettings, owner: UserID, maxPerOwner: Int = Limits.roomsPerUserMax
    ) async throws(Refusal) -> StoredRoom {
        var settings = settings
        settings.title = try Self.title(settings.title)
        let room = RoomRecord(
            id: Self.newRoomID(), owner: owner, settings: settings, createdMilliseconds: clock.nowMilliseconds())
        return try await rooms.add(room, maxPerOwner: maxPerOwner)
    }

    /// Changes what is not `nil`. An empty description takes away what was there.
    ///
    /// - Parameter actor: Who must own the room still. `nil`: the server itself, here and below.
    /// - Returns: The room, and a number that is larger than that of every change before.
    /// - Throws: `roomUnknown`, `roomClosed`, `forbidden`, `titleInvalid`, `invalid`, `busy`, `storage`.
    package func update(
        _ id: RoomID, _ request: RoomUpdate, by actor: UserID? = nil
    ) async throws(Refusal) -> (room: StoredRoom, changeNumber: Int64) {
        var update = request
        update.title = try request.title.map(Self.title)
        return try await rooms.change(
            id, changes, now: clock.nowMilliseconds(),
            first: { db in try RoomRights.require(.manage, of: actor, in: id, &db) }
        ) { [update] room in room.settings.apply(update) }
    }

    /// Ends a room for good. It says so for `Upkeep.closedRoomMilliseconds`, and is gone then.
    ///
    /// - Throws: `roomUnknown`, `roomClosed`, `forbidden`, `busy`, `storage`.
    package func close(_ id: RoomID, by actor: UserID? = nil) async throws(Refusal) -> StoredRoom {
        let now = clock.nowMilliseconds()
        return try await rooms.change(
            id, changes, first: { db in try RoomRights.require(.manage, of: actor, in: id, &db) }
        ) { room in room.closedMilliseconds = now }.room
    }

    /// The room as it is now, after something of it changed that is not its own: its picture.
    ///
    /// - Throws: `roomUnknown`, `roomClosed`, `busy`, `storage`.
    package func touched(_ id: RoomID) async throws(Refusal) -> (room: StoredRoom, changeNumber: Int64) {
        try await rooms.change(id, changes) { _ in }
    }

    /// Every open room, for the directory.
    package struct OpenRooms: Sendable {
        package internal(set) var rooms: [StoredRoom] = []
        /// By their identifiers as they stand there; and why, for the operator.
        package internal(set) var unreadable: [(id: String, reason: String)] = []
    }

    /// - Throws: `busy`, `storage`.
    package func allOpen() async throws(Refusal) -> OpenRooms { try await rooms.allOpen() }

    /// Writes down where rooms are, in one transaction. Ephemeral by nature: the latest call wins.
    ///
    /// - Returns: The rooms for which that was refused, each with `roomUnknown`; the others are written.
    /// - Throws: `busy`, `storage`: none is written.
    @discardableResult
    package func savePlaybacks(
        _ playbacks: [RoomID: StoredPlayback]
    ) async throws(Refusal) -> [RoomID: Refusal] {
        try await rooms.save(playbacks.map { PlaybackRecord(room: $0.key, playback: $0.value) })
    }

    /// Remembers that the room had a host at `milliseconds`; an earlier time than the one known changes nothing.
    ///
    /// - Throws: `roomUnknown`, `busy`, `storage`.
    package func markLive(_ id: RoomID, at milliseconds: Int64) async throws(Refusal) {
        try await rooms.markLive(id, at: milliseconds)
    }

    /// Deletes the room and where it was.
    ///
    /// - Throws: `roomUnknown`, `busy`, `storage`.
    package func delete(_ id: RoomID) async throws(Refusal) {
        try await rooms.delete(id)
    }

    // MARK: Finding

    /// - Returns: `nil` if there is no such room.
    package func room(_ id: RoomID) async throws(Refusal) -> StoredRoom? {
        try await rooms.find(id)
    }

    /// The rooms of that user: the one that was live last first, those never live after it, newest first.
    package func room(ofUsername username: Username) async throws(Refusal) -> [StoredRoom] {
        try await rooms.owned(by: username)
    }

    /// A page of rooms, newest first.
    ///
    /// - Parameters:
    ///   - publicOnly: Leaves private rooms out.
    ///   - owner: Only rooms of this user.
    ///   - asker: Who does not see rooms of those who have blocked them.
    ///   - cursor: Creation time and id of the last room of the page before.
    ///   - limit: At most 200; less than one counts as one.
    package func list(
        publicOnly: Bool, owner: UserID?, hiddenFrom asker: UserID? = nil,
        after cursor: (createdMs: Int64, id: RoomID)?, limit: Int
    ) async throws(Refusal) -> [StoredRoom] {
        let limit = min(max(limit, 1), Int(Limits.roomListCount.upperBound))
        return try await rooms.page(
            publicOnly: publicOnly, owner: owner, hiddenFrom: asker, after: cursor, limit: limit)
    }

    // MARK: Steps

    /// A title as it is shown: trimmed, with something to see, and without what would disturb the text around it.
    private static func title(_ typed: String) throws(Refusal) -> String {
        do { return try DisplayText(typed, .title).text } catch {
            if case .tooManyBytes = error { throw .invalid }
            throw .titleInvalid
        }
    }

    private static func newRoomID() -> RoomID {
        var generator = SecureRandom.Generator()
        return RoomID.random(using: &generator)
    }
}
