internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// `speaker.*`: players that speak Snapcast's protocol.
extension OtherPlayerMethods {
    private var speakerStore: SpeakerStore { access.model.roomStorage.speakers }

    func speakers(_ request: SpeakerList, _ asker: Asker) async throws -> SpeakersResult {
        try await result(try await managed(request.room, asker))
    }

    /// - Throws: `speaker.taken`, `speaker.limit_reached`.
    func assign(_ request: SpeakerAssign, _ asker: Asker) async throws -> SpeakersResult {
        let room = try await managed(request.room, asker)
        let stored = try await speakerStore.assign(request.speaker, to: room.id, by: asker.uid)
        await access.shard.perform { $0.snapcast?.changed(stored) }
        return try await result(room)
    }

    /// - Throws: `speaker.not_found`.
    func update(_ request: SpeakerUpdate, _ asker: Asker) async throws -> SpeakersResult {
        let room = try await managed(request.room, asker)
        let stored = try await speakerStore.update(request, in: room.id, by: asker.uid)
        await access.shard.perform { $0.snapcast?.changed(stored) }
        return try await result(room)
    }

    /// - Throws: `speaker.not_found`.
    func forget(_ request: SpeakerForget, _ asker: Asker) async throws -> SpeakersResult {
        let room = try await managed(request.room, asker)
        try await speakerStore.forget(request.speaker, in: room.id, by: asker.uid)
        await access.shard.perform { $0.snapcast?.forgotten(request.speaker) }
        return try await result(room)
    }

    private func managed(_ reference: RoomReference?, _ asker: Asker) async throws -> ReachedRoom {
        let room = try await access.reach(reference, asker)
        try await room.require(.manage)
        return room
    }

    private func result(_ room: ReachedRoom) async throws -> SpeakersResult {
        let connected = await access.shard.perform { $0.snapcast?.connected ?? [] }
        func list(_ id: RoomID?) async throws -> [Speaker] {
            try await speakerStore.list(of: id).map { speaker in
                var speaker = speaker
                speaker.isConnected = connected.contains(speaker.id)
                return speaker
            }
        }
        let seesAll = room.asker.account.role.permissions.contains(.roomsInspect)
        return SpeakersResult(
            port: live.snapcastAddress.flatMap { $0.split(separator: ":").last.flatMap { Int($0) } },
            speakers: try await list(room.id), unassigned: seesAll ? try await list(nil) : [])
    }
}
