internal import SonaDatabase
package import SonaModel
package import SonaWire

/// What accounts play alone: one queue for each account, with a place in it, on whatever device.
///
/// States: nothing stored (revision 0) → stored. Every change but a report of the place raises the revision, and is done
/// only by somebody who knows the present one. A device that plays reports its place; if it has not for
/// `Limits.playerLeaseMilliseconds`, the account counts as paused where the last report was.
///
/// Source: Protocol/spec/player.md.
package struct Players: Sendable {
    private let dao: PlayerDAO
    private let finder: LibraryFinder
    private let clock: WallClock

    init(_ dao: PlayerDAO, finder: LibraryFinder, clock: WallClock) {
        self.dao = dao
        self.finder = finder
        self.clock = clock
    }

    package func nowMilliseconds() -> Int64 { clock.nowMilliseconds() }

    // MARK: Looking

    /// The state with some of its tracks. O(queue).
    ///
    /// - Throws: `accountRequired`, `busy`, `storage`.
    package func page(_ request: PlayerGet, for listener: Listener) async throws(Refusal) -> PlayerPage {
        guard let uid = listener.uid else { throw .accountRequired }
        let (now, objects) = (nowMilliseconds(), finder.objects(for: listener))
        return try await finder.read { db in
            guard var state = try db.first(PlayerRecord.filter(PlayerRecord.uid == uid))?.state else {
                return PlayerPage(player: PlayerState(), nowMilliseconds: now, from: 0, items: [])
            }
            state.lapse(now)
            let from = min(request.from ?? max(0, state.index - request.limit / 4), state.count)
            guard request.limit > 0,
                let queue = try db.first(PlayerQueueRecord.filter(PlayerQueueRecord.uid == uid))?.queue.value
            else { return PlayerPage(player: state, nowMilliseconds: now, from: from, items: []) }
            let ids = queue.tracks.dropFirst(from).prefix(request.limit)
            let named = "[" + ids.map { "\"\($0)\"" }.joined(separator: ",") + "]"
            let rows = try db.all(TrackRecord.self, "WHERE id IN (SELECT value FROM json_each(\(named)))")
            let seen = Dictionary(try objects.tracks(rows, in: &db).map { ($0.id, $0) }) { first, _ in first }
            let items = ids.indices.compactMap { place -> PlayerItem? in
                guard let id = MusicID(queue.tracks[place]) else { return nil }
                let natural = place < queue.places.count ? Int(queue.places[place]) : nil
                return PlayerItem(id: id, place: natural, track: seen[id])
            }
            return PlayerPage(player: state, nowMilliseconds: now, from: from, items: items)
        }
    }

    /// The present track and those after it that the listener may hear whole, in the order in which they are heard. With
    /// `repeat` `all` those before it follow.
    ///
    /// - Parameter limit: Tracks at most.
    /// - Returns: No track if the present one is not among them.
    /// - Throws: `accountRequired`, `busy`, `storage`.
    package func upcoming(
        _ limit: Int, for listener: Listener
    ) async throws(Refusal) -> (state: PlayerState, tracks: [MusicTrack]) {
        guard let uid = listener.uid else { throw .accountRequired }
        let (now, objects) = (nowMilliseconds(), finder.objects(for: listener))
        return try await finder.read { db in
            guard var state = try db.first(PlayerRecord.filter(PlayerRecord.uid == uid))?.state,
                let queue = try db.first(PlayerQueueRecord.filter(PlayerQueueRecord.uid == uid))?.queue.value,
                state.index < queue.tracks.count
            else { return (PlayerState(), []) }
            state.lapse(now)
            state.settle(now)
            let after = queue.tracks[state.index...], before = queue.tracks[..<state.index]
            let ids = (state.repeats == .all ? after + before : after).prefix(limit)
            let tracks = try objects.wholeTracks(ids.compactMap { MusicID($0) }, in: &db)
            guard tracks.first?.id.rawValue == ids.first else { return (state, []) }
            return (state, tracks)
        }
    }

    // MARK: Changing

    /// Takes what somebody heard in a room for what they play alone.
    ///
    /// - Parameters:
    ///   - tracks: What is heard, and what would follow. Those that the listener may not hear whole are left out.
    ///   - position: The place in the first, ms.
    ///   - device: The device that goes on; `nil`: it is paused.
    /// - Returns: `nil` if the listener may not hear the first.
    /// - Throws: `accountRequired`, `busy`, `storage`.
    package func take(
        _ tracks: [MusicID], position: Int64, device: PlayerDevice?, repeats: PlayerRepeat, for listener: Listener
    ) async throws(Refusal) -> Change? {
        guard let uid = listener.uid else { throw .accountRequired }
        let (now, objects) = (nowMilliseconds(), finder.objects(for: listener))
        return try await dao.write { db in
            let heard = try objects.wholeTracks(tracks, in: &db).map(\.id)
            guard let first = tracks.first, heard.first == first else { return nil }
            var state = try db.first(PlayerRecord.filter(PlayerRecord.uid == uid))?.state ?? PlayerState()
            state.lapse(now)
            state.revision += 1
            state.queueRevision = state.revision
            (state.count, state.index, state.isShuffled) = (heard.count, 0, false)
            (state.positionMilliseconds, state.atMilliseconds) = (position, now)
            (state.isPlaying, state.repeats) = (device != nil, repeats)
            if let device { state.device = device }
            var queue = PlayerQueue()
            queue.tracks = heard.map(\.rawValue)
            try db.upsert(PlayerRecord(uid: uid, state: state))
            try db.upsert(PlayerQueueRecord(uid: uid, queue: SonaDatabase.JSON(queue)))
            return Change(result: PlayerResult(isStored: true, player: state, nowMilliseconds: now), isNews: true)
        }
    }

    /// What came of a change.
    package struct Change: Sendable {
        package let result: PlayerResult
        /// Whether other devices must be told.
        package let isNews: Bool
    }

    /// Does an update, or leaves everything if its sender does not know the newest revision.
    ///
    /// - Throws: `playerQueueFull`, `playerDeviceNotFound`; `requestInvalid`; `tokenInvalid` if the account is gone; `busy`,
    ///   `storage`.
    package func update(_ update: PlayerUpdate, of uid: UserID) async throws(Refusal) -> Change {
        try update.refuseUnlessSound()
        let now = nowMilliseconds()
        return try await dao.write { db in
            var state = try db.first(PlayerRecord.filter(PlayerRecord.uid == uid))?.state ?? PlayerState()
            state.lapse(now)
            guard let revision = update.revision else {
                return try Self.report(update, &state, of: uid, now, &db)
            }
            guard revision == state.revision else {
                return Change(
                    result: PlayerResult(isStored: false, player: state, nowMilliseconds: now), isNews: false)
            }
            let before = state
            state.settle(now)
            state.revision += 1
            if let tracks = update.tracks { try Self.put(tracks, update, &state, of: uid, &db) }
            if let index = update.index, index != state.index || update.positionMilliseconds == nil {
                state.index = index
                state.positionMilliseconds = 0
            }
            // The first pieces of a long queue may not reach the present track yet.
            if update.index == nil || update.tracks == nil { state.index = min(state.index, max(0, state.count - 1)) }
            if let position = update.positionMilliseconds { state.positionMilliseconds = position }
            if let isPlaying = update.isPlaying { state.isPlaying = isPlaying }
            if let speed = update.speedPercent { state.speedPercent = speed }
            if let isShuffled = update.isShuffled { state.isShuffled = isShuffled }
            if let repeats = update.repeats { state.repeats = repeats }
            if let device = update.device, state.isPlaying || before.device == nil { state.device = device }
            if state.isPlaying, state.device == nil { throw Refusal(.playerDeviceNotFound) }
            if state.count == 0 { state.isPlaying = false }
            try db.upsert(PlayerRecord(uid: uid, state: state))
            return Change(result: PlayerResult(isStored: true, player: state, nowMilliseconds: now), isNews: true)
        }
    }

    /// Takes the place that the playing device is at. It does not raise the revision.
    private static func report(
        _ update: PlayerUpdate, _ state: inout PlayerState, of uid: UserID, _ now: Int64, _ db: inout WriteAccess
    ) throws -> Change {
        // A device whose reports did not come for a while goes on if nobody else has done anything meanwhile.
        guard let device = update.device, device.id == state.device?.id, state.revision > 0,
            let position = update.positionMilliseconds
        else {
            return Change(result: PlayerResult(isStored: false, player: state, nowMilliseconds: now), isNews: false)
        }
        if let index = update.index, index != state.index {
            return Change(result: PlayerResult(isStored: false, player: state, nowMilliseconds: now), isNews: false)
        }
        let expected = state.place(now)
        state.positionMilliseconds = position
        state.atMilliseconds = now
        let wasPlaying = try db.first(PlayerRecord.filter(PlayerRecord.uid == uid))?.state.isPlaying ?? false
        let isBack = wasPlaying && !state.isPlaying
        state.isPlaying = wasPlaying
        try db.upsert(PlayerRecord(uid: uid, state: state))
        return Change(
            result: PlayerResult(isStored: true, player: state, nowMilliseconds: now),
            isNews: isBack || abs(position - expected) > 2_000)
    }

    private static func put(
        _ tracks: [MusicID], _ update: PlayerUpdate, _ state: inout PlayerState, of uid: UserID, _ db: inout WriteAccess
    ) throws {
        var queue = PlayerQueue()
        if update.isAppended {
            queue = try db.first(PlayerQueueRecord.filter(PlayerQueueRecord.uid == uid))?.queue.value ?? queue
        } else {
            state.index = 0
            state.positionMilliseconds = 0
        }
        queue.tracks += tracks.map(\.rawValue)
        queue.places += update.places ?? []
        guard queue.tracks.count <= Limits.playerTracksMax else { throw Refusal(.playerQueueFull) }
        // Pieces with places beside pieces without them would name the wrong tracks.
        if queue.places.count != queue.tracks.count { queue.places = [] }
        state.count = queue.tracks.count
        state.queueRevision = state.revision
        try db.upsert(PlayerQueueRecord(uid: uid, queue: SonaDatabase.JSON(queue)))
    }

    /// Has a device go on where the account is.
    ///
    /// - Parameter device: One that is there.
    /// - Throws: `queueEmpty` if nothing was ever played; `tokenInvalid`, `busy`, `storage`.
    package func transfer(
        to device: PlayerDevice, isPlaying: Bool?, of uid: UserID
    ) async throws(Refusal) -> Change {
        let now = nowMilliseconds()
        return try await dao.write { db in
            guard var state = try db.first(PlayerRecord.filter(PlayerRecord.uid == uid))?.state, state.count > 0 else {
                throw Refusal(.queueEmpty)
            }
            state.lapse(now)
            state.settle(now)
            state.revision += 1
            state.device = device
            if let isPlaying { state.isPlaying = isPlaying }
            try db.upsert(PlayerRecord(uid: uid, state: state))
            return Change(result: PlayerResult(isStored: true, player: state, nowMilliseconds: now), isNews: true)
        }
    }
}

extension PlayerUpdate {
    /// - Throws: `requestInvalid` with the field at fault.
    fileprivate func refuseUnlessSound() throws(Refusal) {
        if revision == nil,
            tracks != nil || isPlaying != nil || speedPercent != nil || isShuffled != nil || repeats != nil
        {
            throw Refusal(.requestInvalid, "A change names the revision that it changes.", field: "data.revision")
        }
        if revision == nil, positionMilliseconds == nil || device == nil {
            throw Refusal(.requestInvalid, "A report names its device and its place.", field: "data.position_ms")
        }
        if let places, places.count != tracks?.count {
            throw Refusal(.requestInvalid, "There is one place for each track.", field: "data.places")
        }
        if isAppended, tracks == nil {
            throw Refusal(.requestInvalid, "There are no tracks to append.", field: "data.tracks")
        }
    }
}

extension PlayerState {
    /// The place at a time, ms.
    func place(_ now: Int64) -> Int64 {
        guard isPlaying else { return positionMilliseconds }
        let passed = max(0, now - atMilliseconds) * Int64(speedPercent) / 100
        return min(positionMilliseconds + passed, Limits.playerPosition.upperBound)
    }

    /// Tells the place as it is now.
    mutating func settle(_ now: Int64) {
        positionMilliseconds = place(now)
        atMilliseconds = now
    }

    /// Pauses what no device has reported of for too long.
    mutating func lapse(_ now: Int64) {
        if isPlaying, now - atMilliseconds > Limits.playerLeaseMilliseconds { isPlaying = false }
    }
}
