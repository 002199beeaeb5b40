internal import SonaCrypto
internal import SonaEventLoop
internal import SonaLibrary
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// `queue.*`.
struct QueueMethods: MethodArea {
    let access: RoomAccess
    let library: Library

    static func area(of methods: Methods) -> QueueMethods { methods.queue }

    static var methods: [Method] {
        [
            signedIn(get),
            signedIn(add),
            signedIn(suggest),
            signedIn(approve),
            signedIn(reject),
            signedIn(remove),
            signedIn(started),
            signedIn(finished),
            signedIn(move),
            signedIn(clear),
            signedIn(shuffle),
            signedIn(setRepeat),
            signedIn(setRules),
            signedIn(next),
            signedIn(previous),
            signedIn(vote),
            signedIn(voteSkip),
        ]
    }

    func get(_ request: QueueGet, _ asker: Asker) async throws -> QueuePage {
        let uid = asker.uid
        return try await access.reach(request.room, asker).onLoop { home in
            try home.requireQueue().page(request, for: uid, activeListeners: home.activeListeners)
        }
    }

    func add(_ request: QueueAdd, _ asker: Asker) async throws -> QueueResult {
        var references: [TrackReference] = []
        var texts = FilteredTexts(access.model.words)
        let tracks = try await named(request.tracks, asker) { "data.tracks[\($0)].source" }
        for (index, track) in tracks.enumerated() {
            let field = "data.tracks[\(index)]"
            references.append(try TrackReference(try texts.take(track, "\(field).track"), field: field))
        }
        let result = try await perform(
            .add(references, at: QueuePlace(request.position)), in: request.room, asker, showsEntries: true)
        await flag(texts, request.tracks, by: asker.uid)
        return result
    }

    func suggest(_ request: QueueSuggest, _ asker: Asker) async throws -> QueueResult {
        var texts = FilteredTexts(access.model.words)
        let named = try await named([request.reference], asker) { _ in "data.source" }[0]
        let reference = try TrackReference(try texts.take(named, "data.track"), field: "data")
        let result = try await perform(
            .suggest(reference), in: request.room, asker, mustBeInside: true, showsEntries: true)
        await flag(texts, [request.reference], by: asker.uid)
        return result
    }

    /// The names of tracks of the library are those of the library, whatever a client calls them.
    ///
    /// - Parameter field: The field of the source of a reference, by its place.
    /// - Throws: `track.not_found` for a track that the asker may hear nothing of.
    private func named(
        _ references: [QueueReference], _ asker: Asker, field: (Int) -> String
    ) async throws -> [QueueReference] {
        let ids = references.map { $0.source.flatMap { MusicID($0) } }
        guard ids.contains(where: { $0 != nil }) else { return references }
        let listener = try await library.listener(for: asker.account)
        let known = try await library.rooms.described(ids.compactMap(\.self), for: listener)
        var named = references
        for (index, id) in ids.enumerated() {
            guard let id else { continue }
            guard let track = known[id] else { throw WireError(.trackNotFound, field: field(index)) }
            named[index].track = track
        }
        return named
    }

    private func flag(_ texts: FilteredTexts, _ tracks: [QueueReference], by uid: UserID) async {
        let names = tracks.map(\.track.names).joined(separator: "\n")
        await access.model.reports.flag(texts.flagged, names, about: .user(uid), by: uid)
    }

    func approve(_ request: QueueApprove, _ asker: Asker) async throws -> QueueResult {
        try await perform(.approve(QueueEntryID(request.id)), in: request.room, asker)
    }

    func reject(_ request: QueueReject, _ asker: Asker) async throws -> QueueResult {
        try await perform(.reject(QueueEntryID(request.id)), in: request.room, asker)
    }

    func remove(_ request: QueueRemove, _ asker: Asker) async throws -> QueueResult {
        try await perform(.remove(QueueEntryID(request.id)), in: request.room, asker)
    }

    func started(_ request: QueueStarted, _ asker: Asker) async throws -> QueueResult {
        try await perform(.started(QueueEntryID(request.id)), in: request.room, asker)
    }

    func finished(_ request: QueueFinished, _ asker: Asker) async throws -> QueueResult {
        try await perform(.finished(QueueEntryID(request.id)), in: request.room, asker)
    }

    func move(_ request: QueueMove, _ asker: Asker) async throws -> QueueResult {
        try await perform(
            .move(QueueEntryID(request.id), to: QueuePlace(request.position)), in: request.room, asker)
    }

    func clear(_ request: QueueClear, _ asker: Asker) async throws -> QueueResult {
        try await perform(.clear, in: request.room, asker)
    }

    func shuffle(_ request: QueueShuffle, _ asker: Asker) async throws -> QueueResult {
        var generator = SecureRandom.Generator()
        let seed = request.seed ?? Int64.random(in: 0...Limits.integerMax, using: &generator)
        return try await perform(.shuffle(seed: UInt64(seed)), in: request.room, asker, seed: seed)
    }

    func setRepeat(_ request: QueueSetRepeat, _ asker: Asker) async throws -> QueueResult {
        try await perform(.setRepeat(request.mode), in: request.room, asker)
    }

    func setRules(_ request: QueueSetRules, _ asker: Asker) async throws -> QueueResult {
        try await perform(.changeRules(request.rules), in: request.room, asker)
    }

    func next(_ request: QueueNext, _ asker: Asker) async throws -> QueueResult {
        try await perform(.next(from: request.id.map { QueueEntryID($0) }), in: request.room, asker)
    }

    func previous(_ request: QueuePrevious, _ asker: Asker) async throws -> QueueResult {
        try await perform(.previous, in: request.room, asker)
    }

    func vote(_ request: QueueVote, _ asker: Asker) async throws -> QueueResult {
        try await perform(
            .vote(QueueEntryID(request.id), request.vote), in: request.room, asker, mustBeInside: true)
    }

    func voteSkip(_ request: QueueVoteSkip, _ asker: Asker) async throws -> QueueResult {
        // The room fills in the number of listeners.
        let command = PartyCommand.voteSkip(QueueEntryID(request.id), isWanted: request.isWanted, activeListeners: 0)
        return try await perform(command, in: request.room, asker, mustBeInside: true)
    }

    /// Performs a command on the queue of a room, and waits until the change is stored.
    ///
    /// - Parameters:
    ///   - showsEntries: Whether the result lists the entries that the command added.
    ///   - seed: The seed of a shuffle, for the result.
    private func perform(
        _ command: PartyCommand, in reference: RoomReference?, _ asker: Asker, mustBeInside: Bool = false,
        showsEntries: Bool = false, seed: Int64? = nil
    ) async throws -> QueueResult {
        let room = try await access.reach(reference, asker)
        let (id, user, shard) = (room.id, asker.user, access.shard)
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<RoomQueue.Done, WireError>, Never>) in
            shard.post { core in
                guard let home = core.rooms[id] else {
                    return continuation.resume(
                        returning: .failure(WireError(.serverBusy, retryAfterMilliseconds: 250)))
                }
                home.perform(command, user, mustBeInside: mustBeInside) { continuation.resume(returning: $0) }
            }
        }
        let done = try result.get()
        return QueueResult(revision: done.revision, entries: showsEntries ? done.added : nil, seed: seed)
    }
}

extension RoomHome {
    /// - Throws: `server.internal` if the stored queue cannot be read; the server has logged it.
    fileprivate func requireQueue() throws(WireError) -> RoomQueue {
        guard let queue else { throw WireError(.serverInternal) }
        return queue
    }

    fileprivate func perform(
        _ command: PartyCommand, _ user: User, mustBeInside: Bool, _ completion: @escaping RoomQueue.Completion
    ) {
        do throws(WireError) {
            var command = command
            switch command {
            case .vote, .voteSkip: if room.isShifted(user.uid) { throw WireError(.roomShifted) }
            default: break
            }
            if case .voteSkip(let id, let isWanted, _) = command {
                command = .voteSkip(id, isWanted: isWanted, activeListeners: activeListeners)
            }
            let member = try partyMember(user, mustBeInside: mustBeInside)
            let queue = try requireQueue()
            // A jingle sounds before the entry that is chosen: it alone is skipped.
            if case .next(let entry) = command, member.rights.contains(.control),
                entry.map({ $0 == queue.queue.playing?.entry.id }) ?? true, autoplay?.skipJingle() == true
            {
                return completion(.success(RoomQueue.Done(revision: queue.revision, added: [])))
            }
            queue.perform(
                command, user, as: member, now: MonotonicClock.wallMilliseconds(), completion)
        } catch { completion(.failure(error)) }
    }
}

extension TrackReference {
    /// - Throws: `queue.track_invalid`.
    fileprivate init(_ reference: QueueReference, field: String) throws(WireError) {
        do throws(PartyRefusal) { try self.init(reference.track, source: reference.source) } catch {
            var refused = WireError(error, now: 0)
            refused.field = field
            throw refused
        }
    }
}

extension FilteredTexts {
    /// - Parameter field: The field of the request that holds the names of the track.
    /// - Throws: `content.refused`.
    fileprivate mutating func take(_ reference: QueueReference, _ field: String) throws -> QueueReference {
        var reference = reference
        reference.track = try take(reference.track, field)
        return reference
    }
}
