internal import SonaCrypto
internal import SonaDatabase
internal import SonaModel
internal import SonaWire

/// One edit of the entries of a playlist, inside its transaction.
///
/// It finds the neighbours of the place that entries go to, and gives them keys between theirs: a move reads two rows
/// and writes those that move.
struct PlaylistEditor {
    private(set) var list: OpenPlaylist
    private let before: Int64
    private let uid: UserID
    private let now: Int64
    private var added: [PlaylistEntryRecord] = []
    private var moved: [PlaylistPlace] = []
    private var removed: [MusicID] = []
    private(set) var skipped: [MusicID] = []
    private var isRebalanced = false

    /// - Throws: `playlistForbidden`, `playlistSmart`, `playlistConflict`.
    init(_ list: OpenPlaylist, version: Int64?, by uid: UserID, now: Int64) throws {
        try list.requireEditor()
        try list.requireEntries()
        try list.require(version: version)
        self.list = list
        before = list.record.version
        self.uid = uid
        self.now = now
    }

    /// A track that is added.
    struct Addition {
        let track: Int64
        let trackID: MusicID
        let durationMilliseconds: Int64
        /// The identifier of the entry; `nil`: a new one.
        var entry: MusicID?
    }

    // MARK: Adding

    /// Adds entries, but for those that were there before: then the same request came already.
    ///
    /// - Throws: `playlistFull`.
    mutating func add(_ additions: [Addition], at target: PlaylistTarget, _ db: inout WriteAccess) throws {
        let known = try known(additions.compactMap(\.entry), &db)
        let fresh = additions.filter { addition in
            guard let entry = addition.entry, known.contains(entry) else { return true }
            skipped.append(entry)
            return false
        }
        guard !fresh.isEmpty else { return }
        guard list.record.entryCount + fresh.count <= Limits.playlistEntriesMax else { throw Refusal(.playlistFull) }
        let keys = try keys(fresh.count, at: target, without: [], &db)
        var duration: Int64 = 0
        for (addition, key) in zip(fresh, keys) {
            added.append(
                PlaylistEntryRecord(
                    number: nil, playlist: list.number, id: addition.entry ?? .random(milliseconds: now),
                    key: key.text, track: addition.track, by: uid, addedMilliseconds: now,
                    durationMilliseconds: addition.durationMilliseconds))
            duration += addition.durationMilliseconds
        }
        try db.insert(contentsOf: added)
        list.record.entryCount += fresh.count
        list.record.durationMilliseconds += duration
    }

    /// Entries that are in the list, or were.
    private func known(_ entries: [MusicID], _ db: inout WriteAccess) throws -> Set<MusicID> {
        guard !entries.isEmpty else { return [] }
        let ids = Self.json(entries)
        return Set(
            try db.values(
                """
                SELECT id FROM playlist_entries
                WHERE playlist = \(list.number) AND id IN (SELECT value FROM json_each(\(ids)))
                UNION SELECT entry FROM playlist_removals
                WHERE playlist = \(list.number) AND entry IN (SELECT value FROM json_each(\(ids)))
                """, as: MusicID.self))
    }

    // MARK: Removing

    mutating func remove(_ entries: [MusicID], _ db: inout WriteAccess) throws {
        let gone = try db.all(
            """
            DELETE FROM playlist_entries
            WHERE playlist = \(list.number) AND id IN (SELECT value FROM json_each(\(Self.json(entries))))
            RETURNING id, duration_ms
            """
        ) { row in (id: try row.next(MusicID.self), duration: try row.next(Int64.self)) }
        let ids = Set(gone.map(\.id))
        var seen: Set<MusicID> = []
        for entry in entries where seen.insert(entry).inserted {
            if ids.contains(entry) { removed.append(entry) } else { skipped.append(entry) }
        }
        try db.execute(
            """
            INSERT OR REPLACE INTO playlist_removals (playlist, entry, removed_ms)
            SELECT \(list.number), value, \(now) FROM json_each(\(Self.json(removed)))
            """)
        list.record.entryCount -= gone.count
        list.record.durationMilliseconds -= gone.reduce(0) { $0 + $1.duration }
    }

    // MARK: Moving

    /// Moves entries that are there; the others are skipped.
    mutating func move(_ entries: [MusicID], to target: PlaylistTarget, _ db: inout WriteAccess) throws {
        let numbers = try Dictionary(
            uniqueKeysWithValues: db.all(
                """
                SELECT id, number FROM playlist_entries
                WHERE playlist = \(list.number) AND id IN (SELECT value FROM json_each(\(Self.json(entries))))
                """
            ) { row in (try row.next(MusicID.self), try row.next(Int64.self)) })
        skipped += entries.filter { numbers[$0] == nil }
        let moving = entries.filter { numbers[$0] != nil }
        guard !moving.isEmpty else { return }
        let keys = try keys(moving.count, at: target, without: moving, &db)
        for (entry, key) in zip(moving, keys) {
            try db.execute("UPDATE playlist_entries SET key = \(key.text) WHERE number = \(numbers[entry])")
            moved.append(PlaylistPlace(id: entry, key: key.text))
        }
    }

    // MARK: Places

    private struct Neighbour {
        let key: FractionalKey
        let id: MusicID
    }

    /// Keys for entries at a place.
    ///
    /// - Parameter moving: Entries that leave their places, so that they are nobody's neighbours.
    private mutating func keys(
        _ count: Int, at target: PlaylistTarget, without moving: [MusicID], _ db: inout WriteAccess
    ) throws -> [FractionalKey] {
        let (lower, upper) = try neighbours(target, without: moving, &db)
        let keys = FractionalKey.keys(between: lower, upper, count: count)
        if keys.allSatisfy({ $0.text.utf8.count <= Limits.playlistKeyBytesMax }) { return keys }
        try rebalance(&db)
        let (newLower, newUpper) = try neighbours(target, without: moving, &db)
        return FractionalKey.keys(between: newLower, newUpper, count: count)
    }

    private func neighbours(
        _ target: PlaylistTarget, without moving: [MusicID], _ db: inout WriteAccess
    ) throws -> (FractionalKey?, FractionalKey?) {
        let others: SQL =
            moving.isEmpty
            ? "playlist = \(list.number)"
            : "playlist = \(list.number) AND id NOT IN (SELECT value FROM json_each(\(Self.json(moving))))"
        if let place = target.place {
            let upper = try Self.neighbour(
                "WHERE \(others) ORDER BY key, id LIMIT 1 OFFSET \(place)", &db)
            guard let upper else { return (try last(others, &db), nil) }
            return (try previous(upper, others, &db), upper.key)
        }
        if let id = target.before ?? target.after,
            let found = try Self.neighbour("WHERE playlist = \(list.number) AND id = \(id)", &db)
        {
            let isBefore = target.before != nil
            // An entry that moves itself is no neighbour: its own neighbour on the far side is.
            if isBefore {
                let upper = moving.contains(id) ? try next(found, others, &db) : found
                guard let upper else { return (try last(others, &db), nil) }
                return (try previous(upper, others, &db), upper.key)
            }
            let lower = moving.contains(id) ? try previous(found, others, &db) : found.key
            guard let lower else {
                return (nil, try Self.neighbour("WHERE \(others) ORDER BY key, id LIMIT 1", &db)?.key)
            }
            let upper = try Self.neighbour(
                "WHERE \(others) AND key > \(lower.text) ORDER BY key, id LIMIT 1", &db)
            return (lower, upper?.key)
        }
        // The end; also if the neighbour was removed meanwhile.
        return (try last(others, &db), nil)
    }

    private func last(_ others: SQL, _ db: inout WriteAccess) throws -> FractionalKey? {
        try Self.neighbour("WHERE \(others) ORDER BY key DESC, id DESC LIMIT 1", &db)?.key
    }

    private func previous(_ entry: Neighbour, _ others: SQL, _ db: inout WriteAccess) throws -> FractionalKey? {
        try Self.neighbour(
            "WHERE \(others) AND key < \(entry.key.text) ORDER BY key DESC, id DESC LIMIT 1", &db)?.key
    }

    private func next(_ entry: Neighbour, _ others: SQL, _ db: inout WriteAccess) throws -> Neighbour? {
        try Self.neighbour("WHERE \(others) AND key > \(entry.key.text) ORDER BY key, id LIMIT 1", &db)
    }

    private static func neighbour(_ rest: SQL, _ db: inout WriteAccess) throws -> Neighbour? {
        let found = try db.first("SELECT key, id FROM playlist_entries \(rest)") { row in
            (key: try row.next(String.self), id: try row.next(MusicID.self))
        }
        guard let found else { return nil }
        guard let key = FractionalKey(found.key) else {
            preconditionFailure("Entries have keys that the editor made.")
        }
        return Neighbour(key: key, id: found.id)
    }

    /// Makes all keys anew, short ones, in the order that there is.
    private mutating func rebalance(_ db: inout WriteAccess) throws {
        let numbers = try db.values(
            "SELECT number FROM playlist_entries WHERE playlist = \(list.number) ORDER BY key, id", as: Int64.self)
        let keys = FractionalKey.keys(between: nil, nil, count: numbers.count)
        for (number, key) in zip(numbers, keys) {
            try db.execute("UPDATE playlist_entries SET key = \(key.text) WHERE number = \(number)")
        }
        list.record.generation += 1
        isRebalanced = true
    }

    // MARK: The end

    /// Stores the list as it is now.
    ///
    /// - Returns: What is answered, and what is told to others; `nil` if nothing has changed.
    mutating func finish(_ db: inout WriteAccess) throws -> (PlaylistEdit, PlaylistChange?) {
        let hasChanged = !added.isEmpty || !moved.isEmpty || !removed.isEmpty
        if hasChanged {
            list.record.version += 1
            list.record.changedMilliseconds = max(now, list.record.changedMilliseconds)
            _ = try db.update(list.record)
        }
        let edit = PlaylistEdit(
            version: list.record.version, entryCount: list.record.entryCount,
            added: added.map { PlaylistPlace(id: $0.id, key: $0.key) }, moved: moved, removed: removed,
            skipped: skipped, isRebalanced: isRebalanced)
        guard hasChanged else { return (edit, nil) }
        var change = PlaylistChange(
            id: list.record.id, number: list.number, before: before, version: list.record.version,
            audience: try list.audience(in: &db))
        change.isReload = isRebalanced || added.count > Self.toldMax
        if !change.isReload { (change.added, change.moved, change.removed) = (added, moved, removed) }
        return (edit, change)
    }

    mutating func skip(_ ids: [MusicID]) { skipped += ids }

    /// New entries that one event tells whole: about 150 kB for every receiver.
    private static let toldMax = 200

    static func json(_ ids: [MusicID]) -> String {
        "[" + ids.map { "\"\($0.rawValue)\"" }.joined(separator: ",") + "]"
    }

    /// The identifier of the entry that a request of a key adds: the same whenever the request comes.
    static func entry(_ key: String, by uid: UserID, _ list: PlaylistRecord, place: Int, track: MusicID) -> MusicID {
        let text = "\(list.id.rawValue) \(uid.rawValue) \(place) \(track.rawValue) \(key)"
        var digits = HashedDigits(Digest.sha256(text.utf8))
        return MusicID(milliseconds: list.createdMilliseconds, using: &digits)
    }

    /// Hands out the bytes of a hash as if they were random.
    private struct HashedDigits: RandomNumberGenerator {
        private var bytes: ArraySlice<UInt8>

        init(_ hash: [UInt8]) { bytes = hash[...] }

        mutating func next() -> UInt64 {
            let taken = bytes.prefix(8)
            bytes = bytes.dropFirst(8)
            return taken.reduce(0) { $0 << 8 | UInt64($1) }
        }
    }
}
