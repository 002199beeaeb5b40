internal import SonaLibrary
internal import SonaModel
internal import SonaWire

/// `content.*`: what administrators take away of what others have made.
struct TakeDownMethods: MethodArea {
    let access: RoomAccess
    let directory: RoomDirectoryService
    let library: Library
    let scheduler: Scheduler

    private var model: Model { access.model }
    private var shard: Shard { access.shard }

    static func area(of methods: Methods) -> TakeDownMethods { methods.takeDowns }

    static var methods: [Method] { [signedIn(takeDown), signedIn(takenDown), signedIn(allow)] }

    /// - Parameter asker: `nil` for the operator.
    func takeDown(_ request: ContentTakeDown, _ asker: Asker?) async throws -> Empty {
        let actor = asker?.uid
        switch try request.content() {
        case .room(let reference):
            let id = try await room(reference)
            _ = try await model.rooms.takeDown(.all, of: id, by: actor)
            await directory.remove(id)
            await shard.perform { $0.closed(id, "taken_down") }
            await scheduler.changed(id)
        case .roomText(let reference):
            let id = try await room(reference)
            try await changed(model.rooms.takeDown(.text, of: id, by: actor))
            await scheduler.changed(id)
        case .roomPicture(let reference):
            try await changed(model.rooms.takeDown(.picture, of: room(reference), by: actor))
        case .message(let reference, let number):
            let id = try await room(reference)
            let (message, changeNumber) = try await model.roomStorage.chat.takeDown(number, in: id, by: actor)
            await shard.perform { $0.rooms[id]?.changed(message, changeNumber: changeNumber) }
        case .photo(let user): try await model.people.takeDown(isPhoto: true, of: user, by: actor)
        case .profile(let user): try await model.people.takeDown(isPhoto: false, of: user, by: actor)
        case .track(let track, let reason):
            try await library.tracks.takeDown(track, reason: reason, by: actor)
            await shard.perform { $0.silence(track) }
        }
        return Empty()
    }

    func takenDown(_ request: ContentTakenDown, _ asker: Asker?) async throws -> RefusedContentPage {
        try await library.tracks.refusedContents(request)
    }

    func allow(_ request: ContentAllow, _ asker: Asker?) async throws -> Empty {
        try await library.tracks.allow(request.id, by: asker?.uid)
        return Empty()
    }

    /// A room, whoever may know of it. `@username` is the room that user is live in, else the one most recently used.
    private func room(_ reference: RoomReference) async throws -> RoomID {
        let open = try await access.stored(reference, evenOfBanned: true).filter { $0.closedMilliseconds == nil }
        guard let room = await access.mostActive(open) else { throw WireError(.roomNotFound) }
        return room.id
    }

    private func changed(_ change: (room: RoomStore.StoredRoom, changeNumber: Int64)) async throws {
        let room = await shard.perform { $0.changed(change.room, changeNumber: change.changeNumber) }
        await directory.put(room, changeNumber: change.changeNumber)
    }
}
