internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// `replay.*`: evenings that rooms have kept. Whoever may see a room's history may hear and read its replays.
struct ReplayMethods: MethodArea {
    let access: RoomAccess

    private var store: ReplayStore { access.model.roomStorage.replays }

    static func area(of methods: Methods) -> ReplayMethods { methods.replays }

    static var methods: [Method] {
        [signedIn(list), signedIn(get), signedIn(passages), signedIn(moments), signedIn(remove)]
    }

    func list(_ request: ReplayList, _ asker: Asker) async throws -> ReplayPage {
        let room = try await access.reach(request.room, asker)
        return try await store.page(of: room.id, before: request.before, limit: request.limit)
    }

    func get(_ request: ReplayGet, _ asker: Asker) async throws -> ReplayResult {
        let (replay, room) = try await reach(request.replay, asker)
        return ReplayResult(replay: replay, room: try await room.onLoop { $0.room.description() })
    }

    func passages(_ request: ReplayPassages, _ asker: Asker) async throws -> PassagePage {
        _ = try await reach(request.replay, asker)
        var page = try await store.passages(of: request.replay, after: request.after, limit: request.limit)
        let plays = page.plays.fitting(Limits.historyBytesMax)
        guard plays.count < page.plays.count else { return page }
        // The page ends before the first passage of a play that does not fit.
        let told = Set(plays.map(\.id))
        let count = page.passages.firstIndex { passage in passage.play.map { !told.contains($0) } ?? false }
        guard let count, count > 0 else { return page }
        page.passages.removeLast(page.passages.count - count)
        let named = Set(page.passages.compactMap(\.play))
        page.plays = plays.filter { named.contains($0.id) }
        page.nextAfter = (request.after ?? 0) + Int64(count)
        return page
    }

    func moments(_ request: ReplayMoments, _ asker: Asker) async throws -> MomentPage {
        let (replay, _) = try await reach(request.replay, asker)
        var page = try await store.moments(
            of: request.replay, from: request.fromMilliseconds, to: request.toMilliseconds, limit: request.limit)
        let messages = page.messages.fitting(Limits.chatBytesMax)
        guard messages.count < page.messages.count else { return page }
        let next = max(
            page.messages[messages.count].atMilliseconds - replay.startMilliseconds,
            (messages.last?.atMilliseconds ?? 0) - replay.startMilliseconds + 1)
        page.messages = messages
        page.reactions.removeAll { $0.atMilliseconds >= next }
        page.nextMilliseconds = next
        return page
    }

    func remove(_ request: ReplayRemove, _ asker: Asker) async throws -> Empty {
        _ = try await reach(request.replay, asker, needsEntry: false)
        try await store.remove(request.replay, by: asker.uid)
        return Empty()
    }

    /// Finds a replay and its room.
    ///
    /// - Throws: `replay.not_found`, also for a replay of a room that the asker may not know of; the errors of entering
    ///   the room.
    func reach(
        _ id: ReplayID, _ asker: Asker, needsEntry: Bool = true
    ) async throws -> (replay: Replay, room: ReachedRoom) {
        let replay = try await store.replay(id)
        do {
            return (replay, try await access.reach(.id(replay.room), asker, needsEntry: needsEntry))
        } catch {
            guard WireError(error).code == .roomNotFound else { throw error }
            throw WireError(.replayNotFound)
        }
    }
}
