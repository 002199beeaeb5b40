internal import SonaLibrary
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// `song_requests.*`: whether visitors may ask a room for tracks.
struct SongRequestMethods: MethodArea {
    let access: RoomAccess
    let library: Library

    private var store: SongRequestsStore { access.model.roomStorage.songRequests }

    static func area(of methods: Methods) -> SongRequestMethods { methods.songRequests }

    static var methods: [Method] { [signedIn(get), signedIn(set)] }

    func get(_ request: SongRequestsGet, _ asker: Asker) async throws -> SongRequestsResult {
        let room = try await access.reach(request.room, asker)
        try await room.require(.control)
        return SongRequestsResult(songRequests: try await store.settings(of: room.id))
    }

    func set(_ request: SongRequestsSet, _ asker: Asker) async throws -> SongRequestsResult {
        let room = try await access.reach(request.room, asker)
        try await room.require(.control)
        let settings = SongRequests(isOn: request.isOn, playlist: request.isOn ? request.playlist : nil)
        if let playlist = settings.playlist {
            let owner = try await room.onLoop { $0.room.owner.uid }
            try await library.rooms.requirePlaylist(playlist, for: owner)
        }
        try await store.set(settings, in: room.id, by: asker.uid)
        return SongRequestsResult(songRequests: settings)
    }

    // MARK: Visitors

    /// What visitors may ask a public room for.
    ///
    /// - Throws: `room.not_found`, also for rooms that take no requests; the errors of the storage.
    func find(_ query: String?, in id: RoomID) async throws -> SongsFound {
        let (stored, settings) = try await open(id)
        let tracks = try await library.rooms.offered(
            matching: query, from: settings.playlist, of: stored.owner.uid, to: try await library.guest())
        try await access.wake(stored)
        let needsApproval = await access.shard.perform { $0.rooms[id]?.queue?.queue.rules.needsApproval ?? true }
        return SongsFound(tracks: tracks, needsApproval: needsApproval)
    }

    /// Puts a track into the queue of a public room, as its rules say.
    ///
    /// - Parameter visitor: Tells one visitor from others, for the rules that count by person.
    /// - Throws: As `find`; `track.not_found`; the errors of `queue.suggest`.
    func ask(_ track: MusicID, in id: RoomID, by visitor: UserID) async throws -> SongTaken {
        let (stored, settings) = try await open(id)
        let found = try await library.rooms.offered(
            track, from: settings.playlist, of: stored.owner.uid, to: try await library.guest())
        guard let reference = try? TrackReference(found, source: track.rawValue) else {
            throw WireError(.trackNotFound)
        }
        try await access.wake(stored)
        let shard = access.shard
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<RoomQueue.Done, WireError>, Never>) in
            shard.post { core in
                guard let queue = core.rooms[id]?.queue else {
                    return continuation.resume(
                        returning: .failure(WireError(.serverBusy, retryAfterMilliseconds: 250)))
                }
                queue.take(reference, from: visitor) { continuation.resume(returning: $0) }
            }
        }
        let done = try result.get()
        await shard.perform { $0.figures.songRequests &+= 1 }
        return SongTaken(isApproved: done.added.first?.isApproved ?? false)
    }

    private func open(_ id: RoomID) async throws -> (RoomStore.StoredRoom, SongRequests) {
        let found = try await access.stored(.id(id)).first { $0.settings.visibility == .public }
        guard let found, found.closedMilliseconds == nil else { throw WireError(.roomNotFound) }
        let settings = try await store.settings(of: id)
        guard settings.isOn else { throw WireError(.roomNotFound) }
        return (found, settings)
    }
}
