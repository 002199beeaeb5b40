internal import SonaCrypto
internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// `queue.*`.
extension DurableMethods {
    static let queueing: [DurableMethod] = [
        .signedIn(QueueGet.self) { (methods, request, account, caller) async throws(WireError) in
            let id = try await methods.place(request.room, account, caller)
            return DurableOutcome(
                try await methods.on(id) { home in
                    .of { () throws(WireError) in
                        try home.requireQueue().page(
                            request, for: account.uid, activeListeners: home.activeListeners)
                    }
                })
        },
        .signedIn(QueueAdd.self) { (methods, request, account, caller) async throws(WireError) in
            var references: [TrackReference] = []
            for (index, track) in request.tracks.enumerated() {
                references.append(try TrackReference(track, field: "data.tracks[\(index)]"))
            }
            let command = PartyCommand.add(references, at: QueuePlace(request.position))
            return try await methods.queue(command, request.room, account, caller, showsEntries: true)
        },
        .signedIn(QueueSuggest.self) { (methods, request, account, caller) async throws(WireError) in
            let reference = try TrackReference(request.reference, field: "data")
            return try await methods.queue(
                .suggest(reference), request.room, account, caller, mustBeInside: true, showsEntries: true)
        },
        .queue(QueueApprove.self) { .approve(QueueEntryID($0.id)) },
        .queue(QueueReject.self) { .reject(QueueEntryID($0.id)) },
        .queue(QueueRemove.self) { .remove(QueueEntryID($0.id)) },
        .queue(QueueStarted.self) { .started(QueueEntryID($0.id)) },
        .queue(QueueFinished.self) { .finished(QueueEntryID($0.id)) },
        .signedIn(QueueMove.self) { (methods, request, account, caller) async throws(WireError) in
            let command = PartyCommand.move(QueueEntryID(request.id), to: QueuePlace(request.position))
            return try await methods.queue(command, request.room, account, caller)
        },
        .signedIn(QueueClear.self) { (methods, request, account, caller) async throws(WireError) in
            try await methods.queue(.clear, request.room, account, caller)
        },
        .signedIn(QueueShuffle.self) { (methods, request, account, caller) async throws(WireError) in
            var generator = SecureRandom.Generator()
            let seed = request.seed ?? Int64.random(in: 0...Limits.integerMax, using: &generator)
            return try await methods.queue(
                .shuffle(seed: UInt64(seed)), request.room, account, caller, seed: seed)
        },
        .signedIn(QueueSetRepeat.self) { (methods, request, account, caller) async throws(WireError) in
            try await methods.queue(.setRepeat(request.mode), request.room, account, caller)
        },
        .signedIn(QueueSetRules.self) { (methods, request, account, caller) async throws(WireError) in
            try await methods.queue(.changeRules(request.rules), request.room, account, caller)
        },
        .signedIn(QueueNext.self) { (methods, request, account, caller) async throws(WireError) in
            try await methods.queue(.next(from: request.id.map { QueueEntryID($0) }), request.room, account, caller)
        },
        .signedIn(QueuePrevious.self) { (methods, request, account, caller) async throws(WireError) in
            try await methods.queue(.previous, request.room, account, caller)
        },
        .signedIn(QueueVote.self) { (methods, request, account, caller) async throws(WireError) in
            try await methods.queue(
                .vote(QueueEntryID(request.id), request.vote), request.room, account, caller, mustBeInside: true)
        },
        .signedIn(QueueVoteSkip.self) { (methods, request, account, caller) async throws(WireError) in
            let command = PartyCommand.voteSkip(
                QueueEntryID(request.id), isWanted: request.isWanted, activeListeners: 0)
            return try await methods.queue(command, request.room, account, caller, mustBeInside: true)
        },
    ]

    /// Has the queue of a room do something, and waits until it is stored.
    fileprivate func queue(
        _ command: PartyCommand, _ reference: RoomReference?, _ account: Accounts.Account, _ caller: Caller,
        mustBeInside: Bool = false, showsEntries: Bool = false, seed: Int64? = nil
    ) async throws(WireError) -> DurableOutcome {
        let id = try await place(reference, account, caller)
        let user = User(account)
        let shard = shard
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<RoomQueue.Done, WireError>, Never>) in
            Task {
                await shard.perform { core in
                    guard let home = core.rooms[id] else {
                        return continuation.resume(
                            returning: .failure(WireError(.serverBusy, retryAfterMilliseconds: 250)))
                    }
                    home.perform(command, user, mustBeInside: mustBeInside) { continuation.resume(returning: $0) }
                }
            }
        }
        let done = try result.get()
        return DurableOutcome(
            QueueResult(revision: done.revision, entries: showsEntries ? done.added : nil, seed: seed))
    }
}

extension DurableMethod {
    /// A request about one entry.
    fileprivate static func queue<Message: QueueEntryRequest>(
        _: Message.Type, _ command: @escaping @Sendable (Message) -> PartyCommand
    ) -> DurableMethod {
        .signedIn(Message.self) { (methods, request, account, caller) async throws(WireError) in
            try await methods.queue(command(request), request.room, account, caller)
        }
    }
}

extension RoomHome {
    /// - Throws: `server.internal` where what was stored cannot be read; the server has said so.
    fileprivate func requireQueue() throws(WireError) -> RoomQueue {
        guard let queue else { throw WireError(.serverInternal) }
        return queue
    }

    fileprivate func perform(
        _ command: PartyCommand, _ user: User, mustBeInside: Bool, _ completion: @escaping RoomQueue.Completion
    ) {
        do throws(WireError) {
            var command = command
            if case .voteSkip(let id, let isWanted, _) = command {
                command = .voteSkip(id, isWanted: isWanted, activeListeners: activeListeners)
            }
            let member = try partyMember(user, mustBeInside: mustBeInside)
            try requireQueue().perform(
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
