internal import SonaEventLoop
internal import SonaLibrary
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// `room.create`, requests of owners about their rooms, and requests about one room from outside.
struct RoomMethods: MethodArea {
    let access: RoomAccess
    let directory: RoomDirectoryService
    let library: Library
    let scheduler: Scheduler

    var model: Model { access.model }
    var shard: Shard { access.shard }

    static func area(of methods: Methods) -> RoomMethods { methods.rooms }

    static var methods: [Method] {
        [
            signedIn(create),
            signedIn(get),
            signedIn(update),
            signedIn(close),
            signedIn(removePicture),
            signedIn(playback),
        ]
    }

    func create(_ request: RoomCreate, _ asker: Asker) async throws -> RoomResult {
        var settings = request.settings
        if settings.title.isEmpty {
            settings.title = asker.account.username.map { "\($0.rawValue)'s room" } ?? "A room"
        }
        var texts = FilteredTexts(model.words)
        settings.title = try texts.take(settings.title, "data.title")
        settings.about = try texts.take(ifPresent: settings.about, "data.description")
        settings.tags = try settings.tags.map { try texts.take($0, "data.tags") }
        let heard = if let place = request.fromPlayer { try await heard(at: place, asker) } else { nil as HeardAlone? }
        let stored = try await model.rooms.create(settings, owner: asker.uid)
        if let heard { try await begin(heard, in: stored, asker) }
        let room = await shard.perform { $0.describe(stored) }
        await directory.put(room)
        await flag(texts, stored)
        return RoomResult(room: room)
    }

    func get(_ request: RoomGet, _ asker: Asker) async throws -> RoomNow {
        let stored = try await access.resolve(request.room, asker.account)
        if stored.owner.uid != asker.uid { try await access.refuseIfBanned(asker.account, from: stored.id) }
        return await shard.perform { $0.describeNow(stored) }
    }

    /// The playback of a room that the session is not in. For the session's own room it is answered on the loop.
    func playback(_ request: PlaybackGet, _ asker: Asker) async throws -> PlaybackResult {
        guard let reference = request.room else { throw WireError(.roomNotJoined) }
        let stored = try await access.resolve(reference, asker.account)
        let state = try await access.storedState(of: stored)
        let uid = asker.uid
        return try await shard.perform { core in
            let home = try core.home(stored, state)
            try home.room.refuseIfBanned(uid, wall: MonotonicClock.wallMilliseconds())
            return home.playbackNow()
        }
    }

    /// A room as the public may see it; `nil` if it is private, closed or missing: a link does not tell these apart.
    func publicRoom(_ reference: RoomReference) async -> RoomNow? {
        let stored = try? await access.stored(reference).first { $0.settings.visibility == .public }
        guard let stored, stored.closedMilliseconds == nil else { return nil }
        let now = await shard.perform { $0.describeNow(stored) }
        return now.room.settings.visibility == .public ? now : nil
    }

    // MARK: Owners

    func update(_ request: RoomUpdate, _ asker: Asker) async throws -> RoomResult {
        let id = try await access.own(request.room, asker.account).id
        // The way in which audio is sent is decided when an epoch begins.
        try await shard.perform { core in
            guard let room = core.rooms[id]?.room, room.isLive else { return }
            let settings = room.settings
            if (request.delivery ?? settings.delivery) != settings.delivery {
                throw WireError(.roomLive, field: "data.delivery")
            }
            if (request.leadMilliseconds ?? settings.leadMilliseconds) != settings.leadMilliseconds {
                throw WireError(.roomLive, field: "data.lead_ms")
            }
        }
        var (request, texts) = (request, FilteredTexts(model.words))
        request.title = try texts.take(ifPresent: request.title, "data.title")
        request.about = try texts.take(ifPresent: request.about, "data.description")
        request.tags = try request.tags?.map { try texts.take($0, "data.tags") }
        let (stored, changeNumber) = try await model.rooms.update(id, request, by: asker.uid)
        await flag(texts, stored)
        return RoomResult(room: await changed(stored, changeNumber))
    }

    private func flag(_ texts: FilteredTexts, _ room: RoomStore.StoredRoom) async {
        let quote = [room.settings.title, room.settings.about ?? ""].filter { !$0.isEmpty }.joined(separator: "\n")
        await model.reports.flag(texts.flagged, quote, about: .room(room.id), by: room.owner.uid)
    }

    func close(_ request: RoomClose, _ asker: Asker) async throws -> Empty {
        let id = try await access.own(request.room, asker.account).id
        _ = try await model.rooms.close(id, by: asker.uid)
        await directory.remove(id)
        await shard.perform { $0.closed(id, "closed_by_owner") }
        await scheduler.changed(id)
        return Empty()
    }

    /// `POST /v1/rooms/<id>/picture`.
    func setPicture(
        _ bytes: [UInt8], of reference: RoomReference, _ account: Accounts.Account
    ) async throws -> RoomResult {
        let id = try await access.own(reference, account).id
        do throws(Refusal) {
            _ = try await model.photos.set(bytes, ofRoom: id, by: account.uid)
        } catch {
            if error.code == .userNotFound { throw WireError(.roomClosed) }
            throw error
        }
        return try await pictureChanged(id)
    }

    /// `POST /v1/rooms/<id>/covers`, from the room's owner and from whoever has the seat.
    func addCover(_ bytes: [UInt8], to id: RoomID, _ account: Accounts.Account) async throws -> CoverResult {
        let uid = account.uid
        if try await access.resolve(.id(id), account).owner.uid != uid {
            try await shard.perform { core in
                guard core.rooms[id]?.room.seat.host?.uid == uid else { throw WireError(.hostNotHost) }
            }
        }
        do throws(Refusal) {
            let cover = try await model.photos.add(cover: bytes, to: id, by: uid)
            return CoverResult(artwork: "\(Limits.photosPathPrefix)\(cover.rawValue)/\(PhotoSize.full.rawValue)")
        } catch {
            if error.code == .userNotFound { throw WireError(.roomClosed) }
            throw error
        }
    }

    func removePicture(_ request: RoomRemovePicture, _ asker: Asker) async throws -> RoomResult {
        let id = try await access.own(request.room, asker.account).id
        try await model.photos.remove(ofRoom: id, by: asker.uid)
        return try await pictureChanged(id)
    }

    private func pictureChanged(_ id: RoomID) async throws -> RoomResult {
        let (stored, changeNumber) = try await model.rooms.touched(id)
        return RoomResult(room: await changed(stored, changeNumber))
    }

    /// Tells the room and the directory.
    private func changed(_ stored: RoomStore.StoredRoom, _ changeNumber: Int64) async -> Room {
        let room = await shard.perform { $0.changed(stored, changeNumber: changeNumber) }
        await directory.put(room, changeNumber: changeNumber)
        return room
    }
}
