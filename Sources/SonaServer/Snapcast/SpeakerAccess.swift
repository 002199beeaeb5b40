internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// Where a speaker sits.
enum SpeakerSeat: Sendable {
    /// No room, until it is looked again.
    case none
    case room(RoomStore.StoredRoom, StoredRoomState, SpeakerWay)
}

/// By what right a speaker hears a room.
enum SpeakerWay: Sendable {
    /// Whoever manages the room has given it the speaker.
    case assigned
    /// Anybody may hear the room.
    case open
    /// It has a signed address of this account.
    case account(Accounts.Account)
}

/// Finds the rooms of speakers. Off the loop.
struct SpeakerAccess: Sendable {
    let methods: Methods
    let services: ShardServices

    /// The room that a speaker names itself, else the one that has it, else the one for all (`snapcast-room`).
    ///
    /// - Parameter sign: A room, and a token for it or nothing.
    /// - Throws: Errors of finding the room that it names.
    func seat(_ stored: SpeakerStore.Stored, _ sign: (user: String, password: String)?) async throws -> SpeakerSeat {
        if let sign {
            guard let reference = RoomReference(sign.user) else { throw WireError(.roomNotFound) }
            let door = RadioDoor(methods: methods, services: services)
            let found = try await door.find(reference, token: sign.password.isEmpty ? nil : sign.password)
            return try await seat(found.stored, found.account.map { .account($0) } ?? .open)
        }
        if let id = stored.room {
            let room = try await methods.access.stored(.id(id)).first
            guard let room, room.closedMilliseconds == nil else { return .none }
            return try await seat(room, .assigned)
        }
        guard let reference = services.configuration.snapcastRoom.flatMap({ RoomReference($0) }) else { return .none }
        do {
            let found = try await RadioDoor(methods: methods, services: services).find(reference, token: nil)
            return try await seat(found.stored, .open)
        } catch is WireError { return .none }
    }

    private func seat(_ room: RoomStore.StoredRoom, _ way: SpeakerWay) async throws -> SpeakerSeat {
        .room(room, try await methods.access.storedState(of: room), way)
    }
}
