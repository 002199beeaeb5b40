internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// A room that a request has found: the asker may know of it, and it is awake.
struct ReachedRoom: Sendable {
    let id: RoomID
    let asker: Asker
    let access: RoomAccess

    private var shard: Shard { access.shard }
    private var model: Model { access.model }

    /// Runs `body` on the loop.
    ///
    /// - Throws: `server.busy` if the room fell asleep meanwhile; the errors of `body`.
    func onLoop<Value: Sendable>(_ body: @Sendable (RoomHome) throws -> Value) async throws -> Value {
        try await shard.perform { core in
            guard let home = core.rooms[id] else { throw WireError(.serverBusy, retryAfterMilliseconds: 250) }
            return try body(home)
        }
    }

    /// Changes the room: decides on the loop, writes off it, then applies on the loop what was written.
    ///
    /// Another change may be written between these steps. `write` checks its preconditions again in its transaction,
    /// and `apply` compares change numbers (`RoomHome.takes`).
    ///
    /// - Parameters:
    ///   - prepare: On the loop. Throws if the asker may not make the change.
    ///   - write: Off the loop. One transaction.
    ///   - apply: On the loop. Tells members what was written.
    func change<Prepared: Sendable, Written: Sendable, Value: Sendable>(
        prepare: @Sendable (RoomHome) throws -> Prepared,
        write: (Prepared) async throws -> Written,
        apply: @Sendable (RoomHome, Written) throws -> Value
    ) async throws -> Value {
        let written = try await write(try await onLoop(prepare))
        return try await onLoop { try apply($0, written) }
    }

    /// Checks a capability of the asker.
    ///
    /// - Throws: `room.forbidden`.
    func require(_ capability: Capability) async throws {
        let user = asker.user
        try await onLoop { try $0.room.require(capability, of: user) }
    }

    /// A person who is in the room or its waiting room.
    func present(_ reference: UserReference) async -> User? {
        await shard.perform { core -> User? in
            guard let room = core.rooms[id]?.room else { return nil }
            let people = room.members.values.map(\.user) + Array(room.roster.waiting.values)
            return people.first { user in
                switch reference {
                case .id(let uid): user.uid == uid
                case .username(let name): user.username?.key == name.key
                }
            }
        }
    }

    /// A person who is in the room or its waiting room, or who has an account. A guest is found only while there.
    ///
    /// - Throws: `user.not_found`.
    func person(_ reference: UserReference) async throws -> User {
        if let here = await present(reference) { return here }
        do {
            return try await model.accounts.summary(of: reference).user
        } catch {
            // A banned guest is known only by the list of bans.
            guard WireError(error).code == .userNotFound, case .id(let uid) = reference else { throw error }
            guard await shard.perform({ $0.rooms[id]?.room.roster.bans[uid] != nil }) else { throw error }
            return User(uid: uid, username: nil, isGuest: true)
        }
    }
}
