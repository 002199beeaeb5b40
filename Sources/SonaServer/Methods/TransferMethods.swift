internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// Rooms that pass to another owner: `room.transfer` and its kin, and `rooms.move` of administrators.
struct TransferMethods: MethodArea {
    let access: RoomAccess
    let directory: RoomDirectoryService

    private var transfers: RoomTransferStore { access.model.roomTransfers }
    private var shard: Shard { access.shard }

    static func area(of methods: Methods) -> TransferMethods { methods.transfers }

    static var methods: [Method] {
        [signedIn(offer), signedIn(list), signedIn(accept), signedIn(refuse), signedIn(move)]
    }

    func offer(_ request: RoomTransferOffer, _ asker: Asker) async throws -> RoomTransferResult {
        let id = try await access.own(request.room, asker.account).id
        let (offer, former) = try await transfers.offer(id, to: request.user, by: asker.uid)
        if let former, former.to.uid != offer.to.uid { await tell(former, .withdrawn) }
        await tell(offer, .offered)
        return RoomTransferResult(transfer: offer)
    }

    func list(_ request: RoomTransfers, _ asker: Asker) async throws -> RoomTransferList {
        RoomTransferList(transfers: try await transfers.list(of: asker.uid))
    }

    func accept(_ request: RoomAcceptTransfer, _ asker: Asker) async throws -> RoomResult {
        // Nobody without an offer wakes a room, or learns of one.
        try await transfers.requireOffer(of: request.room, to: asker.uid)
        guard let stored = try await access.stored(.id(request.room)).first else { throw Refusal.transferUnknown }
        // The receiver may not be able to enter the room yet.
        try await access.wake(stored)
        let (moved, offer) = try await transfers.accept(request.room, by: asker.uid)
        let room = await apply(moved)
        await tell(offer, .accepted)
        return RoomResult(room: room)
    }

    func refuse(_ request: RoomRefuseTransfer, _ asker: Asker) async throws -> Empty {
        let (offer, state) = try await transfers.refuse(request.room, by: asker.uid)
        await tell(offer, state)
        return Empty()
    }

    /// - Parameter asker: `nil` for the operator.
    func move(_ request: RoomsMove, _ asker: Asker?) async throws -> RoomResult {
        let open = try await access.stored(request.room, evenOfBanned: true).filter { $0.closedMilliseconds == nil }
        guard let stored = await access.mostActive(open) else { throw WireError(.roomNotFound) }
        // A room of a banned owner stays asleep until it has another.
        if !access.model.accounts.isBanned(stored.owner.uid) { try await access.wake(stored) }
        return RoomResult(room: await apply(try await transfers.move(stored.id, to: request.user, by: asker?.uid)))
    }

    /// Tells the room and the directory.
    private func apply(_ moved: RoomTransferStore.Moved) async -> Room {
        let room = await shard.perform { $0.transferred(moved) }
        await directory.put(room, changeNumber: moved.changeNumber)
        return room
    }

    private func tell(_ transfer: RoomTransfer, _ state: RoomTransferChanged.State) async {
        await shard.perform { core in
            for uid in [transfer.from.uid, transfer.to.uid] {
                for session in core.sessions(of: uid) {
                    session.send(RoomTransferChanged(transfer: transfer, state: state))
                }
            }
        }
    }
}
